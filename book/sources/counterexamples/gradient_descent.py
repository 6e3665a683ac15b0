"""Gradient descent: the printed fails on an example on which the correction holds."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction as F

import numpy as np

from counterexamples.shared import Array


def rates(first: int) -> list[F]:
    rate, out = F(1), []
    for t in range(first, first + 4):
        rate *= F(t, t + 1)
        out.append(rate)
    return out


def descend(gradient: Callable[[F], F], z: F, step: F, steps: int) -> list[F]:
    path = [z]
    for _ in range(steps):
        path.append(path[-1] - step * gradient(path[-1]))
    return path


def within_bound(
    f: Callable[[F], F], gradient: Callable[[F], F], start: F, best: F, G: F, step: F = F(1, 50)
) -> bool:
    """Say whether the subgradient bound of the notes holds after 2000 steps."""
    steps = 2000
    x, reached = start, f(start)
    for _ in range(steps):
        x -= step * gradient(x)
        reached = min(reached, f(x))
    return reached <= f(best) + ((start - best) ** 2 + G**2 * steps * step**2) / (2 * steps * step)


def steep(x: F) -> F:
    return 100 * abs(x)


def steep_slope(x: F) -> F:
    return F(100 if x > 0 else -100)


def two_valleys(x: F) -> F:
    return min((x - 1) ** 2, (x + 2) ** 2 - 1)


def slope_of_two_valleys(x: F) -> F:
    return 2 * (x - 1) if (x - 1) ** 2 < (x + 2) ** 2 - 1 else 2 * (x + 2)


def has_one_minimiser(X: Array, y: Array) -> bool:
    """Say whether Newton's method ends at a zero gradient with an invertible Hessian."""
    w = np.zeros(X.shape[1])
    for _ in range(50):
        p = 1 / (1 + np.exp(y * (X @ w)))
        hessian = X.T @ (X * (p * (1 - p))[:, None])
        if np.linalg.cond(hessian) > 1e8 or np.abs(w).max() > 20:
            return False
        w = w + np.linalg.solve(hessian, X.T @ (y * p))
    return bool(np.abs(X.T @ (y / (1 + np.exp(y * (X @ w))))).max() < 1e-9)


LINE = np.array([[1.0, -1], [1, 0], [1, 1], [1, 2]])


MIXED, SPLIT = np.array([1.0, -1, 1, -1]), np.array([-1.0, -1, 1, 1])


FOUND: dict[str, tuple[Callable[[], bool], Callable[[], bool]]] = {
    "erratum-002-learning-rate-zero": (
        lambda: all(rate > 0 for rate in rates(0)),
        lambda: rates(1) == [F(1, t) for t in range(2, 6)],
    ),
    "erratum-000-gd-guarantee": (
        lambda: abs(descend(lambda z: 2 * z, F(1), F(11, 10), 10)[-1]) <= F(1, 10),
        lambda: all(
            z**2 <= F(1, 2 * k) / F(1, 4)
            for k, z in enumerate(descend(lambda z: 2 * z, F(1), F(1, 4), 20)[1:], 1)
        ),
    ),
    "erratum-004-g-is-not-magnitude": (
        lambda: within_bound(steep, steep_slope, F(1, 2), F(0), steep(F(1, 2)), F(1, 100)),
        lambda: within_bound(steep, steep_slope, F(1, 2), F(0), F(100), F(1, 100)),
    ),
    "erratum-004-subgradient-bound-hypotheses": (
        lambda: within_bound(two_valleys, slope_of_two_valleys, F(1), F(-2), F(1)),
        lambda: within_bound(lambda x: abs(x + 2), lambda _: F(1), F(1), F(-2), F(1)),
    ),
    "erratum-003-unique-minimum": (
        lambda: has_one_minimiser(LINE, SPLIT),
        lambda: has_one_minimiser(LINE, MIXED),
    ),
}
