"""Nonlinear regression: the printed fails on an example on which the correction holds."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction as F
from math import pi

import numpy as np
from scipy.optimize import least_squares


def unit_steps(slope: int, step: F, count: int) -> F:
    """Descend on the squared residual of f(x, b) = slope * b with Y = 0, from b = 1."""
    b = F(1)
    for _ in range(count):
        b += step * slope * (0 - slope * b)
    return abs(b)


def circle_with(outlier: float) -> np.ndarray:
    """Return 40 even points of the unit circle and one point at (outlier, 0)."""
    angles = 2 * pi * np.arange(40) / 40
    return np.vstack([np.column_stack([np.cos(angles), np.sin(angles)]), [[outlier, 0]]])


def algebraic_centre(outlier: float) -> float:
    points = circle_with(outlier)
    design = np.column_stack([points, np.ones(41)])
    return float(np.linalg.lstsq(design, (points**2).sum(axis=1), rcond=None)[0][0] / 2)


def geometric_centre(outlier: float) -> float:
    points = circle_with(outlier)

    def misses(c: np.ndarray) -> np.ndarray:
        return np.asarray(np.hypot(*(points - c[:2]).T) - c[2])

    return float(least_squares(misses, [0.0, 0.0, 1.0]).x[0])


FOUND: dict[str, tuple[Callable[[], bool], Callable[[], bool]]] = {
    "erratum-002-gradient-step-size": (
        lambda: unit_steps(2, F(1), 20) < 1,
        lambda: unit_steps(2, F(1, 5), 20) < F(1, 10**10),
    ),
    "erratum-002b-circle-robust": (
        lambda: algebraic_centre(10) <= geometric_centre(10) and algebraic_centre(1000) < 5,
        lambda: algebraic_centre(10) > 5 * geometric_centre(10) and algebraic_centre(1000) > 400,
    ),
}
