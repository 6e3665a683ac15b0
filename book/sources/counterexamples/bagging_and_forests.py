"""Bagging and forests: the printed fails on an example on which the correction holds."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction as F
from itertools import product
from math import comb, isclose


def covariance_of_average(count: int, rho: F) -> F:
    rows = [[F(1) if i == j else rho for j in range(count)] for i in range(count)]
    return sum((sum(row) for row in rows), F(0)) / count**2


def majority_fails(count: int, success: F) -> F:
    terms = [comb(count, k) * success**k * (1 - success) ** (count - k) for k in range(count)]
    return sum(terms[: count // 2], F(0)) + terms[count // 2] / 2


def repeated(N: int) -> F:
    """Return the share of the bootstrap samples of N examples that hold one of them twice."""
    draws = list(product(range(N), repeat=N))
    return F(sum(len(set(draw)) < N for draw in draws), len(draws))


def majority(p: F, voters: int) -> F:
    return sum(
        (
            math.comb(voters, k) * p**k * (1 - p) ** (voters - k)
            for k in range((voters + 1) // 2, voters + 1)
        ),
        F(0),
    )


def variance_of_vote(p: F, voters: int) -> F:
    """Return the variance of the majority of independent votes +-1, right with probability p."""
    right = majority(p, voters)
    return 4 * right * (1 - right)


FOUND: dict[str, tuple[Callable[[], bool], Callable[[], bool]]] = {
    "erratum-002b-ensemble-error-015": (
        lambda: isclose(majority_fails(100, F(2, 3)), 0.0015, rel_tol=0.5),
        lambda: isclose(majority_fails(100, F(2, 3)), 0.00031, rel_tol=0.01),
    ),
    "erratum-002b-ensemble-variance": (
        lambda: (1 - F(1, 2)) / 2 + F(1, 2) * F(1, 2) == covariance_of_average(2, F(1, 2)),
        lambda: all(
            F(1, T) + F(T - 1, T) * F(3, 10)
            == (1 - F(3, 10)) / T + F(3, 10)
            == covariance_of_average(T, F(3, 10))
            for T in (1, 2, 10)
        ),
    ),
    "erratum-004-bootstrap-draw-from-truth": (
        lambda: repeated(5) == 0,
        lambda: repeated(5) == 1 - F(math.factorial(5), 5**5),
    ),
    "erratum-004-bootstrap-sixty-percent": (
        lambda: abs((1 - F(1, 1000)) ** 1000 - F(6, 10)) < F(1, 100),
        lambda: abs((1 - F(1, 1000)) ** 1000 - F(368, 1000)) < F(1, 1000),
    ),
    "erratum-004-bagging-variance-hypotheses": (
        lambda: variance_of_vote(F(1, 2), 11) < variance_of_vote(F(1, 2), 1),
        lambda: (
            variance_of_vote(F(6, 10), 11) < variance_of_vote(F(6, 10), 1)
            and majority(F(6, 10), 11) > F(6, 10)
            and majority(F(4, 10), 11) < F(4, 10)
        ),
    ),
}
