"""The VC dimension: the printed fails on an example on which the correction holds."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction as F
from itertools import product
from math import ceil, comb, e, log, sqrt

import numpy as np
import sympy as sp

TRIANGLE = [(1.0, 0.0), (-0.5, sqrt(3) / 2), (-0.5, -sqrt(3) / 2)]


def separators() -> dict[tuple[int, ...], tuple[np.ndarray, float]]:
    """Return for each labelling the shortest plane with margin 1 on the triangle."""
    points = np.column_stack([TRIANGLE, np.ones(3)])
    out = {}
    for signs in product((1, -1), repeat=3):
        *beta, offset = np.linalg.solve(points, signs)
        out[signs] = (np.array(beta), float(offset))
    return out


def shatters(factor: float) -> bool:
    return all(
        all(
            s * (factor * (np.dot(x, beta) + offset)) > 0
            for s, x in zip(signs, TRIANGLE, strict=True)
        )
        for signs, (beta, offset) in separators().items()
    )


def optimism(ones: int, n: int) -> F:
    """Return the optimism of the better of two constant classifiers on fair coins."""
    return F(1, 2) - F(min(ones, n - ones), n)


def exceeds(n: int, bound: float) -> F:
    """Return the probability that the optimism exceeds a bound."""
    return F(sum(comb(n, k) for k in range(n + 1) if optimism(k, n) > bound), 2**n)


def vapnik(n: int, delta: float) -> float:
    return sqrt(8 / n * (log(2 * e * n) + log(4 / delta)))


def labelled_by_a_threshold(signs: tuple[int, ...], points: tuple[int, ...]) -> bool:
    cuts = [points[0] - 1, *(p + F(1, 2) for p in points)]
    return any(
        all((side if p > c else -side) == s for p, s in zip(points, signs, strict=True))
        for c, side in product(cuts, (-1, 1))
    )


# Four distinct points of the plane, the first three on a line.
POINTS = sp.Matrix([[1, 0, 0], [1, 1, 0], [1, 2, 0], [1, 0, 1]])


def is_combination_of_others(j: int) -> bool:
    others = POINTS.copy()
    others.row_del(j)
    return bool(others.rank() == POINTS.rank())


FOUND: dict[str, tuple[Callable[[], bool], Callable[[], bool]]] = {
    "erratum-002b-vc-theorem-probability": (
        lambda: all(optimism(0, n) <= 2 * sqrt(1 / n) for n in (10, 100, 1000)),
        lambda: all(exceeds(n, vapnik(n, 0.05)) <= 0.05 for n in (10, 100, 1000)),
    ),
    "erratum-002b-vc-norm": (
        lambda: not shatters(1e-6),
        lambda: ceil(max(beta @ beta for beta, _ in separators().values())) + 1 >= 3,
    ),
    "erratum-003-last-point-combination": (
        lambda: is_combination_of_others(3),
        lambda: any(is_combination_of_others(j) for j in range(4)),
    ),
    "erratum-003-dependence-sign-step": (
        lambda: (
            labelled_by_a_threshold((1, 1, 1), (0, 1, 2))
            != labelled_by_a_threshold((1, 1, -1), (0, 1, 2))
        ),
        lambda: not labelled_by_a_threshold((-1, 1, -1), (0, 1, 2)),
    ),
}
