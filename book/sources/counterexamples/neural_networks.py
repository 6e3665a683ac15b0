"""Neural networks: the printed fails on an example on which the correction holds."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from counterexamples.shared import Array

RNG = np.random.default_rng(0)


FIRST_LAYER, SECOND_LAYER, LAST = (
    RNG.normal(size=(4, 3)),
    RNG.normal(size=(3, 4)),
    RNG.normal(size=3),
)


INPUT = np.array([0.5, -1.0, 2.0])


def network(W: Array) -> float:
    return float(LAST @ np.tanh(SECOND_LAYER @ np.tanh(W @ INPUT)))


def numeric_derivative(step: float = 1e-6) -> float:
    """Return the derivative in the weight from the first input to the first hidden unit."""
    move = np.zeros((4, 3))
    move[0, 0] = step
    return (network(FIRST_LAYER + move) - network(FIRST_LAYER - move)) / (2 * step)


def path_terms() -> Array:
    """Return the product along each path from the first hidden unit to the output."""
    a = FIRST_LAYER @ INPUT
    b = SECOND_LAYER @ np.tanh(a)
    slopes = 1 - np.tanh(b) ** 2
    return INPUT[0] * (1 - math.tanh(a[0]) ** 2) * SECOND_LAYER[:, 0] * slopes * LAST


def logistic_step_lowers(error: Callable[[float, float], float]) -> bool:
    """Say whether a small step against the gradient -e h lowers the logistic loss."""
    u, h, y = 0.3, 0.8, 1.0

    def loss(weight: float) -> float:
        return math.log1p(math.exp(-y * weight * h))

    return loss(u + 0.01 * error(y, u * h) * h) < loss(u)


def bounded_network(x: float) -> float:
    return float(np.array([0.5, -1.0, 0.24]) @ np.tanh(np.array([1.0, 2.0, -3.0]) * x + 0.1))


def tanh_fit_error() -> float:
    """Return the largest error of a fit of x^2 on [0, 1] by eight tanh units."""
    x = np.linspace(0, 1, 201)
    features = np.tanh(3 * x[:, None] - np.linspace(-1, 4, 8))
    weights = np.linalg.lstsq(features, x**2, rcond=None)[0]
    return float(np.abs(features @ weights - x**2).max())


FOUND: dict[str, tuple[Callable[[], bool], Callable[[], bool]]] = {
    "erratum-004-universal-approximation": (
        lambda: abs(bounded_network(1e6) - 1e6) < 1,
        lambda: abs(bounded_network(1e6)) <= 0.5 + 1.0 + 0.24 and tanh_fit_error() < 0.01,
    ),
    "erratum-004-backprop-single-path": (
        lambda: any(abs(term - numeric_derivative()) < 1e-6 for term in path_terms()),
        lambda: abs(path_terms().sum() - numeric_derivative()) < 1e-6,
    ),
    "erratum-004-logistic-error-sign": (
        lambda: logistic_step_lowers(lambda y, g: -y * math.exp(-y * g) / (1 + math.exp(-y * g))),
        lambda: logistic_step_lowers(lambda y, g: y / (1 + math.exp(y * g))),
    ),
}
