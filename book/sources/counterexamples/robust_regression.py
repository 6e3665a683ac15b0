"""Robust regression: the printed fails on an example on which the correction holds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction as F
from itertools import combinations
from math import comb, isclose, pi
from typing import Any

import numpy as np
from scipy.integrate import quad
from scipy.stats import norm

from counterexamples.shared import dot, least_squares_of, residual_of


def scales(weighted: bool, count: int) -> tuple[list[F], list[F]]:
    """Return the scales and the residuals of a mean of (-2, 2) after some reweightings."""
    y, sigma = [F(-2), F(2)], [F(1), F(1)]
    for _ in range(count):
        weights = [1 / s**2 for s in sigma]
        centre = dot(weights, y) / sum(weights)
        r = [a - centre for a in y]
        seen = [abs(a / s) for a, s in zip(r, sigma, strict=True)] if weighted else r
        sigma = [s * a for s, a in zip(sigma, seen, strict=True)]
    return sigma, r


def total_slope(x: Sequence[float], y: Sequence[float]) -> float:
    """Return the slope of the total least squares line of centred data."""
    *z, alpha = np.linalg.svd(np.column_stack([x, y]))[2][-1]
    return float(-z[0] / alpha)


def scaled_slope(x: Sequence[float], y: Sequence[float], noise: float) -> float:
    """Return the slope after dividing x by the standard deviation of its noise."""
    return total_slope([a / noise for a in x], y) / noise


def order_statistic_variance(n: int) -> float:
    """Return the variance of the median of n standard normal numbers, n odd."""
    m = n // 2
    scale = n * comb(n - 1, m)

    def density(x: float) -> float:
        tail = norm.cdf(x)
        return float(scale * (tail * (1 - tail)) ** m * norm.pdf(x))

    return float(quad(lambda x: x**2 * density(x), -6, 6)[0])


HUBER_DATA = (0.0, 0.2, -0.1, 0.3, 5.0, 8.0)


def huber(r: Any, k: Any) -> Any:
    return r**2 if abs(r) <= k else 2 * k * abs(r) - k**2


def huber_psi(r: Any, k: Any) -> Any:
    return r if abs(r) <= k else (k if r > 0 else -k)


def reweighted(weight: Callable[[float], float]) -> float:
    centre = 0.0
    for _ in range(200):
        w = [weight(x - centre) for x in HUBER_DATA]
        centre = dot(w, HUBER_DATA) / sum(w)
    return float(centre)


def lowest(loss: Callable[[float], float]) -> float:
    """Return the centre in a fine grid where the summed loss is least."""
    grid = np.linspace(-1, 9, 10001)
    return float(min(grid, key=lambda t: sum(loss(x - t) for x in HUBER_DATA)))


def biweight(u: float) -> float:
    return 1 - (1 - u**2) ** 3 if abs(u) <= 1 else 1.0


def biweight_slope(u: float) -> float:
    return u * (1 - u**2) ** 2 if abs(u) <= 1 else 0.0


BIWEIGHT_DATA = (0.0, 0.1, -0.1, 0.05)


FOUND: dict[str, tuple[Callable[[], bool], Callable[[], bool]]] = {
    "erratum-002-irls-sigma-update": (
        lambda: [abs(s) for s in scales(False, 5)[0]] == [abs(r) for r in scales(False, 5)[1]],
        lambda: scales(True, 5)[0] == [abs(r) for r in scales(True, 5)[1]],
    ),
    "erratum-002-tls-alpha-zero": (
        lambda: np.linalg.svd([[0.0, -1], [0, 0], [0, 1]])[2][-1][1] != 0,
        lambda: isclose(total_slope([-1, 0, 1], [-2, 0, 2]), 2),
    ),
    "erratum-002-tls-noise-scaling": (
        lambda: isclose(
            10 * total_slope([-10, 0, 10], [0, -1, 1]), total_slope([-1, 0, 1], [0, -1, 1])
        ),
        lambda: isclose(
            10 * scaled_slope([-10, 0, 10], [0, -1, 1], 10), scaled_slope([-1, 0, 1], [0, -1, 1], 1)
        ),
    ),
    "erratum-002-inertia-tensor": (
        lambda: dot([1, 0, 0], [1, 0, 0]) ** 2 == np.sum(np.cross([1, 0, 0], [1, 0, 0]) ** 2),
        lambda: all(
            w @ (np.trace(S) * np.eye(3) - S) @ w == np.sum(np.cross(w, r) ** 2)
            for r in np.array([[1, 0, 0], [1, 2, -1]])
            for S in [np.outer(r, r)]
            for w in np.array([[1, 0, 0], [2, 1, 3]])
        ),
    ),
    "erratum-002b-ransac-without-replacement": (
        lambda: (
            F(sum(set(s) <= set(range(5)) for s in combinations(range(10), 4)), comb(10, 4))
            == F(1, 2) ** 4
        ),
        lambda: (
            F(sum(set(s) <= set(range(5)) for s in combinations(range(10), 4)), comb(10, 4))
            == F(comb(5, 4), comb(10, 4))
        ),
    ),
    "erratum-002b-variance-median-asymptotic": (
        lambda: isclose(3 * order_statistic_variance(3), pi / 2, rel_tol=0.05),
        lambda: isclose(401 * order_statistic_variance(401), pi / 2, rel_tol=0.005),
    ),
    "erratum-002b-m-estimator-equivalence": (
        lambda: (
            sum(biweight_slope(x - 5) for x in BIWEIGHT_DATA) != 0
            or sum(biweight(x - 5) for x in BIWEIGHT_DATA) <= sum(map(biweight, BIWEIGHT_DATA))
        ),
        lambda: (
            abs(sum(huber_psi(x - lowest(lambda r: huber(r, 1.0)), 1.0) for x in HUBER_DATA)) < 1e-9
        ),
    ),
    "erratum-002b-regression-psi-missing-x": (
        lambda: sum(residual_of([[1, 2]], [1, 1], least_squares_of([[1], [2]], [1, 1]))) == 0,
        lambda: (
            dot([1, 2], residual_of([[1, 2]], [1, 1], least_squares_of([[1], [2]], [1, 1]))) == 0
        ),
    ),
    "erratum-002b-huber-weight": (
        lambda: huber(F(2), 1) / F(4) == min(F(1), 1 / F(2)),
        lambda: (
            huber_psi(F(2), 1) / F(2) == min(F(1), 1 / F(2))
            and isclose(
                reweighted(lambda r: min(1, 1 / abs(r)) if r else 1),
                lowest(lambda r: huber(r, 1)),
                abs_tol=1e-3,
            )
        ),
    ),
    "erratum-002b-huber-joint-objective": (
        lambda: isclose(
            lowest(lambda r: min(1, 1 / max(abs(r), 1)) * r**2),
            lowest(lambda r: huber(r, 1)),
            abs_tol=1e-2,
        ),
        lambda: isclose(
            reweighted(lambda r: min(1, 1 / max(abs(r), 1))),
            lowest(lambda r: huber(r, 1)),
            abs_tol=1e-3,
        ),
    ),
}
