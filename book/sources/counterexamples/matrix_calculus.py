"""Matrix calculus: the printed fails on an example on which the correction holds."""

from __future__ import annotations

from collections.abc import Callable

import sympy as sp

SINGULAR = sp.Matrix([[1, 2], [2, 4]])


def gradient_of_det(A: sp.Matrix) -> sp.Matrix:
    entries = sp.Matrix(A.rows, A.cols, lambda i, j: sp.Symbol(f"a{i}{j}"))
    at = dict(zip(entries, A, strict=True))
    return sp.Matrix(A.rows, A.cols, lambda i, j: entries.det().diff(entries[i, j]).subs(at))


def printed_gradient_of_det(A: sp.Matrix) -> sp.Matrix | None:
    return A.det() * A.inv().T if A.det() else None


FOUND: dict[str, tuple[Callable[[], bool], Callable[[], bool]]] = {
    "erratum-001-det-gradient-singular": (
        lambda: gradient_of_det(SINGULAR) == printed_gradient_of_det(SINGULAR),
        lambda: gradient_of_det(SINGULAR) == SINGULAR.adjugate().T,
    ),
}
