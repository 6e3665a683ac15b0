"""The learning problem: the printed fails on an example on which the correction holds."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction as F
from itertools import product

import numpy as np
from scipy import optimize

from counterexamples.shared import Array

TIED = (np.array([[1, 0], [-1, 0], [0, -1]]), np.array([1, 1, -1]))


def separable(X: Array, y: Array) -> bool:
    """Say whether a linear program finds theta with y <theta, x> >= 1 at every point."""
    rows = -y[:, None] * X
    found = optimize.linprog(np.zeros(2), rows, -np.ones(len(y)), bounds=(None, None))
    return bool(found.status == 0)


def error_free_somewhere(X: Array, y: Array, *, zero_counts_as_plus: bool) -> bool:
    angles = np.arange(0, 360, 15) * np.pi / 180
    values = X @ np.round([np.cos(angles), np.sin(angles)], 12)
    if zero_counts_as_plus:
        return bool((np.where(values >= 0, 1, -1) == y[:, None]).all(axis=0).any())
    return bool((y[:, None] * values > 0).all(axis=0).any())


def best_constant(loss: Callable[[F, int], F]) -> F:
    """Return the constant that predicts the targets 0, 0, 3 with the least total loss."""
    return min((F(n, 2) for n in range(7)), key=lambda f: sum(loss(f, y) for y in (0, 0, 3)))


def charges_mistakes(loss: Callable[[int], int]) -> bool:
    return all(loss(y * v) == (y * v < 0) for y, v in product((-1, 1), (-3, 3)))


FOUND: dict[str, tuple[Callable[[], bool], Callable[[], bool]]] = {
    "erratum-000-sgn-zero": (
        lambda: error_free_somewhere(*TIED, zero_counts_as_plus=True) == separable(*TIED),
        lambda: error_free_somewhere(*TIED, zero_counts_as_plus=False) == separable(*TIED),
    ),
    "erratum-004-regression-zero-one": (
        lambda: best_constant(lambda f, y: F(f != y)) == F(0 + 0 + 3, 3),
        lambda: best_constant(lambda f, y: (f - y) ** 2) == F(0 + 0 + 3, 3),
    ),
    "erratum-004-margin-loss-reversed": (
        lambda: charges_mistakes(lambda margin: int(margin >= 0)),
        lambda: charges_mistakes(lambda margin: int(margin <= 0)),
    ),
}
