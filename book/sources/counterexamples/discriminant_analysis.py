"""Discriminant analysis: the printed fails on an example on which the correction holds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction as F
from itertools import combinations, permutations
from math import log
from typing import Any

import numpy as np
from scipy.stats import norm

from counterexamples.shared import Rows, dot, transposed


def kurtosis(weights: Sequence[F]) -> F:
    """Return the kurtosis of a weighted sum of fair signs, from its second and fourth moment."""
    second = sum((a**2 for a in weights), F(0))
    fourth = sum((a**4 for a in weights), F(0)) + sum(
        (6 * a**2 * b**2 for a, b in combinations(weights, 2)), F(0)
    )
    return fourth / second**2


def covariance_determinant(points: Rows) -> Any:
    centred = [[F(a) - F(sum(c), len(points)) for a in c] for c in transposed(points)]
    rows = [[dot(a, b) for b in centred] for a in centred]
    return sum(
        (-1) ** sum(p[i] > p[j] for i, j in combinations(range(len(p)), 2))
        * np.prod([rows[i][p[i]] for i in range(len(p))])
        for p in permutations(range(len(rows)))
    )


CLASSES = ((0.0, 1.0), (3.0, 3.0))


def by_density(x: float) -> int:
    return max((0, 1), key=lambda k: norm.pdf(x, *CLASSES[k]))


def by_distance(x: float, with_offset: bool) -> int:
    return min(
        (0, 1),
        key=lambda k: (
            ((x - CLASSES[k][0]) / CLASSES[k][1]) ** 2 + with_offset * 2 * log(CLASSES[k][1])
        ),
    )


FOUND: dict[str, tuple[Callable[[], bool], Callable[[], bool]]] = {
    "erratum-002-clt-hypotheses": (
        lambda: abs(kurtosis([F(1, 2**k) for k in range(60)]) - 3) < F(1, 10),
        lambda: abs(kurtosis([F(1)] * 60) - 3) < F(1, 10),
    ),
    "erratum-002-qda-singular-covariance": (
        lambda: covariance_determinant([[1, 0, 0], [0, 1, 0], [0, 0, 1]]) != 0,
        lambda: covariance_determinant([[1, 0, 0], [0, 1, 0], [0, 0, 1], [0, 0, 0]]) != 0,
    ),
    "erratum-002-qda-not-nearest-mean": (
        lambda: by_distance(1.2, with_offset=False) == by_density(1.2),
        lambda: all(
            by_distance(x, with_offset=True) == by_density(x) for x in np.arange(-5, 9, 0.1)
        ),
    ),
}
