"""Gradient steps for the logistic loss of two classes, on all points or on one after the other."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from mlnotes._compiled import compiled, compiles
from mlnotes.gradient_descent import GradientDescent
from mlnotes.validation import Array


def logistic_terms(margins: Array) -> tuple[Array, Array]:
    """Return log(1 + exp(-m)) and σ(-m) for each margin, from one exponential."""
    small = np.exp(-np.abs(margins))
    share = 1.0 / (1.0 + small)
    wrong = np.minimum(margins, 0.0)
    return np.log1p(small) - wrong, np.where(wrong, share, small * share)


def total_loss(margins: Array) -> float:
    """Return the sum of log(1 + exp(-m)) over the margins."""
    return float(np.log1p(np.exp(-np.abs(margins))).sum() - np.minimum(margins, 0.0).sum())


def descend(
    Z: Array, weights: Array, ridge: Array, rate: float, tol: float, max_iter: int
) -> tuple[Array, Array, bool]:
    """Take gradient steps from zero; return weights, objectives on the way, and convergence.

    A run that overflows ends with an objective that is not finite.
    """

    def objective(theta: Array) -> tuple[float, Array]:
        losses, pull = logistic_terms(Z @ theta)
        value = float(weights @ losses + 0.5 * (ridge * theta) @ theta)
        return value, ridge * theta - (weights * pull) @ Z

    steps = GradientDescent(rate, tol=tol, max_iter=max_iter)
    found = steps.minimise(objective, True, np.zeros(Z.shape[1]))
    return found.x, found.values, found.reason == "gradient"


def epoch(
    theta: Array, Z: Array, order: NDArray[np.intp], rate: float, shrinkage: Array, size: int
) -> Array:
    """Take one step for each batch of ``size`` signed points, in the order given.

    The penalty acts after the step, by the factors ``shrinkage`` below one, which no step can make
    unstable.
    """
    if compiles():
        theta = theta.copy()
        if size == 1:
            _single_points(theta, Z, order, rate, shrinkage)
        else:
            _batches(theta, Z, order, rate, shrinkage, size, np.empty_like(theta))
        return theta
    ordered = Z[order]
    for first in range(0, len(Z), size):
        batch = ordered[first : first + size]
        pull = logistic_terms(batch @ theta)[1] @ batch
        theta = (theta + rate / len(batch) * pull) * shrinkage
    return theta


@compiled(reassociate=True)
def _single_points(
    theta: Array, Z: Array, order: NDArray[np.intp], rate: float, shrinkage: Array
) -> None:
    """Update ``theta`` in place, point by point.

    The margin of the next point is affine in the step of this one. Its two coefficients are summed
    up while the exponential is computed, which would otherwise wait for the sum.
    """
    n, d = Z.shape
    margin = 0.0
    for j in range(d):
        margin += Z[order[0], j] * theta[j]
    for k in range(n):
        i, following = order[k], order[min(k + 1, n - 1)]
        pull = rate / (1.0 + math.exp(margin)) if margin < 700.0 else 0.0
        constant, slope = 0.0, 0.0
        for j in range(d):
            shrunk = shrinkage[j] * Z[following, j]
            constant += theta[j] * shrunk
            slope += Z[i, j] * shrunk
            theta[j] = (theta[j] + pull * Z[i, j]) * shrinkage[j]
        margin = constant + pull * slope


@compiled(reassociate=True)
def _batches(
    theta: Array,
    Z: Array,
    order: NDArray[np.intp],
    rate: float,
    shrinkage: Array,
    size: int,
    step: Array,
) -> None:
    """Update ``theta`` in place, batch by batch; ``step`` is room for the step of one."""
    n, d = Z.shape
    for first in range(0, n, size):
        last = min(first + size, n)
        for j in range(d):
            step[j] = 0.0
        for k in range(first, last):
            i = order[k]
            margin = 0.0
            for j in range(d):
                margin += Z[i, j] * theta[j]
            pull = 1.0 / (1.0 + math.exp(margin)) if margin < 700.0 else 0.0
            for j in range(d):
                step[j] += pull * Z[i, j]
        for j in range(d):
            theta[j] = (theta[j] + rate / (last - first) * step[j]) * shrinkage[j]
