"""The linear support vector machine in the units of the data, by the interior-point method."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from mlnotes._numerics import weighted_mean
from mlnotes._solvers.margins import (
    best_offsets,
    hinge,
    middle_offset,
    multiplier_bound,
    proportional_factor,
    root_mean_square,
)
from mlnotes._solvers.svm_interior_point import solve_margin
from mlnotes.validation import Array


class LinearSolution(NamedTuple):
    """A hyperplane, all offsets that are best for it, and what certifies it."""

    theta: Array
    low: float
    high: float
    alpha: Array
    margins: Array
    primal: float
    dual: float
    stationarity: float
    gaps: list[float]


def solve_linear_svm(
    points: Array, labels: Array, prices: Array, *, free_offset: bool, tol: float, max_iter: int
) -> LinearSolution:
    """Find the widest margin at these prices of slack, infinite ones for the hard margin."""
    hard = not np.isfinite(prices).all()
    # Around their mean the points and the offset are of one size.
    centre = weighted_mean(points) if free_offset else np.zeros(points.shape[1])
    centred = points - centre
    scale = root_mean_square(centred)
    Z = labels[:, None] * (centred / scale)
    reduced, basis = _reduce_to_span(Z)
    sides = labels if free_offset else None
    total = multiplier_bound(prices, sides)
    # The problem of the points as they are is that of Z at prices times scale².
    farthest = max(float(np.einsum("ij,ij->i", Z, Z).max()), 1.0)
    unit = scale**2 if hard else max(scale**2, proportional_factor(total, farthest))
    payable = np.minimum(prices, np.inf if hard else min(total, 1e250 / unit))
    found = solve_margin(reduced, sides, unit * payable, tol, max_iter)
    theta = (found.theta if basis is None else basis @ found.theta) * (scale / unit)
    alpha = np.minimum(found.alpha / unit, prices)
    span = (labels * alpha) @ centred
    plane = _best_plane(centred, labels, prices, span, free_offset)
    # The weights that the multipliers give are the better ones if those are at their ends, and
    # rounding of the cost, of which cheap slack is nearly all, must not decide against them.
    other = _best_plane(centred, labels, prices, theta, free_offset)
    if other.primal < (1 - 1e-14) * plane.primal:
        plane = other
    shift = float(centre @ plane.theta)
    balance = abs(float(labels @ alpha)) if free_offset else 0.0
    return LinearSolution(
        theta=plane.theta,
        low=plane.low - shift if free_offset else 0.0,
        high=plane.high - shift if free_offset else 0.0,
        alpha=alpha,
        margins=plane.margins,
        primal=plane.primal,
        dual=float(alpha.sum() - 0.5 * span @ span),
        stationarity=max(float(np.abs(plane.theta - span).max()), balance),
        gaps=found.gaps,
    )


def _reduce_to_span(Z: Array) -> tuple[Array, Array | None]:
    """Return fewer coordinates of fewer points than dimensions, and the basis they refer to.

    The optimal weights are a combination of the points, so that nothing is lost.
    """
    n, d = Z.shape
    if d <= n:
        return Z, None
    basis, coordinates = np.linalg.qr(Z.T)
    return np.ascontiguousarray(coordinates.T), basis


class _Plane(NamedTuple):
    """Weights, the best offsets for them, the margins at the middle one, and the cost."""

    theta: Array
    low: float
    high: float
    margins: Array
    primal: float


def _best_plane(points: Array, labels: Array, prices: Array, theta: Array, free: bool) -> _Plane:
    """Return the best plane with these weights; for a hard margin, with their direction."""
    scores = points @ theta
    if np.isfinite(prices).all():
        low, high = best_offsets(scores, labels, prices) if free else (0.0, 0.0)
        margins = labels * (scores + 0.5 * (low + high))
        primal = 0.5 * float(theta @ theta) + float(prices @ hinge(margins))
        return _Plane(theta, low, high, margins, primal)
    offset = middle_offset(scores, labels) if free else 0.0
    margins = labels * (scores + offset)
    least = float(margins.min())
    if least <= 0:
        return _Plane(theta, offset, offset, margins, math.inf)
    theta, offset = theta / least, offset / least
    return _Plane(theta, offset, offset, margins / least, 0.5 * float(theta @ theta))
