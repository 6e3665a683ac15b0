"""Regularised least squares: the printed fails on an example on which the correction holds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction as F
from itertools import pairwise
from typing import Any

import numpy as np
import sympy as sp

from counterexamples.shared import (
    REFLECTION,
    TARGETS,
    Rows,
    dot,
    least_squares_of,
    residual_of,
    transposed,
)

THIRD = [F(2, 3), F(2, 3), F(1, 3)]


LASSO = ([1, 0, 0], [0, 1, 0], THIRD)


PATH = ([F(-1, 3), F(-2, 3), F(2, 3)], [F(-2, 3), F(1, 3), F(2, 3)], [F(2, 3), F(1, 3), F(-2, 3)])


PATH_Y = [0, 1, 1]


KNOTS: list[tuple[F, list[F]]] = [
    (F(1), [F(0), F(0), F(0)]),
    (F(4, 13), [F(0), F(9, 13), F(0)]),
    (F(7, 39), [F(-3, 13), F(12, 13), F(0)]),
    (F(1, 6), [F(0), F(9, 8), F(3, 8)]),
    (F(1, 18), [F(0), F(13, 8), F(7, 8)]),
    (F(0), [F(3), F(15, 4), F(21, 4)]),
]


def is_lasso(columns: Rows, y: Sequence[Any], beta: Sequence[Any], weight: F) -> bool:
    """Say whether the conditions of Karush, Kuhn and Tucker hold at a vector."""
    slopes = [dot(column, residual_of(columns, y, beta)) for column in columns]
    return all(
        abs(s) <= weight and (b == 0 or s == (weight if b > 0 else -weight))
        for s, b in zip(slopes, beta, strict=True)
    )


def support_is_found(columns: Rows) -> bool:
    """Say whether some weight gives the columns 1 and 2 of y = x1 + x2 (both orthonormal)."""
    y = [1, 1, 0]
    return any(is_lasso(columns, y, [1 - w, 1 - w, 0], w) for w in (F(k, 20) for k in range(1, 20)))


def halfway(one: tuple[F, list[F]], two: tuple[F, list[F]]) -> tuple[F, list[F]]:
    return (one[0] + two[0]) / 2, [(a + b) / 2 for a, b in zip(one[1], two[1], strict=True)]


def is_path() -> bool:
    """Say whether the knots and what lies halfway between them solve the lasso, with bends."""
    pieces = list(pairwise(KNOTS))
    slopes = [
        [(a - b) / (one[0] - two[0]) for a, b in zip(one[1], two[1], strict=True)]
        for one, two in pieces
    ]
    points = KNOTS + [halfway(one, two) for one, two in pieces]
    return all(is_lasso(PATH, PATH_Y, beta, weight) for weight, beta in points) and all(
        one != two for one, two in pairwise(slopes)
    )


PURSUIT = ([F(3, 5), F(4, 5), F(0)], [F(1, 3), F(2, 3), F(2, 3)], [F(0), F(0), F(1)])


PURSUIT_Y = [-3, -3, -1]


def second_choice(rotate_residual: bool) -> int:
    """Return the second column that matching pursuit by reflections takes after the first."""
    size = dot(PURSUIT[0], PURSUIT_Y)
    rest = [y - size * x for y, x in zip(PURSUIT_Y, PURSUIT[0], strict=True)]
    seen = [dot(row, rest) for row in REFLECTION] if rotate_residual else rest
    rotated = [[dot(row, column) for row in REFLECTION] for column in PURSUIT]
    return max((1, 2), key=lambda j: abs(dot(seen, rotated[j])))


def second_by_definition() -> int:
    rest = residual_of(PURSUIT, PURSUIT_Y, [dot(PURSUIT[0], PURSUIT_Y), 0, 0])
    return max((1, 2), key=lambda j: abs(dot(rest, PURSUIT[j])))


OFFSET = sp.Matrix([[0, 1], [1, 1], [2, 1]])


FREE = sp.diag(1, 0)


def ridge(y: sp.Matrix, penalty: sp.Matrix) -> sp.Matrix:
    return (OFFSET.T * OFFSET + penalty).inv() * OFFSET.T * y


def minimises_printed_ridge(theta: sp.Matrix, y: sp.Matrix) -> bool:
    """Say whether the gradient of |y - X theta|^2 + lambda/2 slope^2 vanishes for lambda = 2."""
    return bool((2 * OFFSET.T * (OFFSET * theta - y) + 2 * FREE * theta).is_zero_matrix)


def ridge_bias(truth: sp.Matrix) -> sp.Matrix:
    """Return the bias of the minimiser of the printed ridge objective for lambda = 2."""
    return ridge(OFFSET * truth, FREE) - truth


TRUTH = sp.Matrix([1, 10])


def missed(w: sp.Expr) -> sp.Expr:
    return sp.Rational(sum(bool(w * x < 1) for x in (1 / sp.sqrt(3), sp.Rational(1, 2))), 2)


CANDIDATES = (sp.Integer(0), sp.sqrt(3), sp.Integer(2))


def constrained(radius: int) -> sp.Expr:
    return min((w for w in CANDIDATES if w**2 <= radius), key=lambda w: (missed(w), w))


def ever_penalised(w: sp.Expr, loss: Callable[[sp.Expr], sp.Expr]) -> bool:
    """Say whether some weight of the penalty w^2 makes w optimal among the candidates."""
    low, high = sp.Integer(0), sp.oo
    for other in CANDIDATES:
        gain, price = loss(other) - loss(w), w**2 - other**2
        if price > 0:
            high = min(high, gain / price)
        elif price < 0:
            low = max(low, gain / price)
    return bool(low <= high)


def penalised_hinge(scale: float) -> float:
    return max(0.0, 1 - scale) + scale**2 / 10


def penalised_error(scale: float, *, strict: bool) -> float:
    """Return the 0-1 loss plus w^2/10 of the rule sign(w x) with w = scale on +-1."""
    margins = scale * np.array([1.0, 1.0])
    return float(np.mean(margins < 0 if strict else margins <= 0) + scale**2 / 10)


FOUND: dict[str, tuple[Callable[[], bool], Callable[[], bool]]] = {
    "erratum-002-lasso-almost-as-good": (
        lambda: support_is_found(LASSO),
        lambda: (
            abs(dot(THIRD, [1, 1, 0])) > 1
            and support_is_found([[1, 0, 0], [0, 1, 0], [F(1, 3), F(-2, 3), F(2, 3)]])
        ),
    ),
    "erratum-002-lasso-unique": (
        lambda: (
            not all(is_lasso([[1], [1]], [1], [s, F(1, 2) - s], F(1, 2)) for s in (F(0), F(1, 4)))
        ),
        lambda: (
            sum(
                is_lasso([[1, 0], [0, 1]], [1, 1], [F(a, 8), F(b, 8)], F(1, 2))
                for a in range(9)
                for b in range(9)
            )
            == 1
        ),
    ),
    "erratum-002-omp-mixed-frames": (
        lambda: second_choice(rotate_residual=False) == second_by_definition(),
        lambda: second_choice(rotate_residual=True) == second_by_definition(),
    ),
    "erratum-002-lars-step-count": (
        lambda: KNOTS[3][1] == least_squares_of(transposed(PATH), PATH_Y),
        lambda: is_path() and KNOTS[-1][1] == least_squares_of(transposed(PATH), PATH_Y),
    ),
    "erratum-000-bias-formula-misplaced": (
        lambda: ridge_bias(TRUTH) == -2 * (OFFSET.T * OFFSET + 2 * sp.eye(2)).inv() * TRUTH,
        lambda: ridge_bias(TRUTH) == -(OFFSET.T * OFFSET + FREE).inv() * FREE * TRUTH,
    ),
    "erratum-000-ridge-factor-two": (
        lambda: minimises_printed_ridge(ridge(TARGETS, 2 * sp.eye(2)), TARGETS),
        lambda: minimises_printed_ridge(ridge(TARGETS, FREE), TARGETS),
    ),
    "erratum-000-ridge-penalises-offset": (
        lambda: (
            ridge(TARGETS + 100 * sp.ones(3, 1), 2 * sp.eye(2))
            == ridge(TARGETS, 2 * sp.eye(2)) + sp.Matrix([0, 100])
        ),
        lambda: (
            ridge(TARGETS + 100 * sp.ones(3, 1), FREE) == ridge(TARGETS, FREE) + sp.Matrix([0, 100])
        ),
    ),
    "erratum-004-three-regularisers-equal": (
        lambda: ever_penalised(constrained(3), missed),
        lambda: ever_penalised(sp.sqrt(3), lambda w: (w - 2) ** 2),
    ),
    "erratum-004-strict-inequality-trivial": (
        lambda: penalised_error(0, strict=True) > penalised_error(1, strict=True),
        lambda: penalised_error(0, strict=False) > penalised_error(1, strict=False),
    ),
    "erratum-004-zero-one-scale-invariant": (
        lambda: penalised_error(1e-3, strict=False) >= penalised_error(1, strict=False),
        lambda: penalised_hinge(1e-3) >= penalised_hinge(1),
    ),
}
