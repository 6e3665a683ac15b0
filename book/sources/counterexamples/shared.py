"""Exact arithmetic and data that the counterexamples of several chapters use."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction as F
from itertools import product
from typing import Any

import numpy as np
import sympy as sp
from numpy.typing import NDArray

Rows = Sequence[Sequence[Any]]


def dot(u: Sequence[Any], v: Sequence[Any]) -> Any:
    return sum(a * b for a, b in zip(u, v, strict=True))


def transposed(rows: Rows) -> list[list[Any]]:
    return [list(column) for column in zip(*rows, strict=True)]


def times(left: Rows, right: Rows) -> list[list[Any]]:
    return [[dot(row, column) for column in transposed(right)] for row in left]


def solved(matrix: Rows, right: Sequence[Any]) -> list[F]:
    """Solve a regular system exactly."""
    rows = [[F(a) for a in row] + [F(b)] for row, b in zip(matrix, right, strict=True)]
    for i in range(len(rows)):
        pivot = next(k for k in range(i, len(rows)) if rows[k][i])
        rows[i], rows[pivot] = rows[pivot], rows[i]
        rows[i] = [a / rows[i][i] for a in rows[i]]
        for k in range(len(rows)):
            if k != i:
                rows[k] = [a - rows[k][i] * b for a, b in zip(rows[k], rows[i], strict=True)]
    return [row[-1] for row in rows]


def least_squares_of(X: Rows, y: Sequence[Any]) -> list[F]:
    columns = transposed(X)
    return solved(times(columns, X), [dot(column, y) for column in columns])


def residual_of(columns: Rows, y: Sequence[Any], beta: Sequence[Any]) -> list[Any]:
    return [b - dot(row, beta) for row, b in zip(transposed(columns), y, strict=True)]


Array = NDArray[np.float64]


TARGETS = sp.Matrix([1, 2, 4])


CELLS = list(product((0, 1), repeat=2))


def share(of: NDArray[np.bool_], among: NDArray[np.bool_]) -> F:
    return F(int((of & among).sum()), int(among.sum()))


REFLECTION = [[F(3, 5), F(4, 5), 0], [F(4, 5), F(-3, 5), 0], [0, 0, 1]]
