"""Gradient descent, stochastic gradient descent and Newton, line by line as boxed."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from mlnotes.logistic_regression._mathematics import (
    gradient,
    hessian,
    lipschitz_constant,
    log_likelihood,
    sigmoid,
)
from mlnotes.validation import (
    Array,
    check_count,
    check_matrix,
    check_positive,
    check_random_state,
    check_scalar,
    check_signs,
)


def gradient_descent(
    X: ArrayLike,
    y: ArrayLike,
    *,
    penalty: float = 0.0,
    tol: float = 1e-6,
    max_iter: int = 10_000,
) -> Array:
    r"""Minimise the penalised loss by gradient descent with the step :math:`1/L`.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Points; :func:`mlnotes.perceptron.augment` them for an offset.
    y : array-like of shape (n_samples,)
        Labels -1 and +1.
    penalty : float
        The factor :math:`\lambda` of :math:`\frac12\lVert\theta\rVert^2`.
    tol : float
        The length of the gradient, divided by n, at which to stop.
    max_iter : int
        The greatest number of steps.

    Returns
    -------
    ndarray of shape (n_features,)
        The weights after the last step.

    Examples
    --------
    >>> gradient_descent([[1.0], [1.0], [1.0]], [1, 1, -1]).round(4)
    array([0.6931])
    """
    points = check_matrix(X)
    penalty = check_scalar(penalty, "penalty", least=0)
    tol = check_positive(tol, "tol")
    rate = 1 / (lipschitz_constant(points) + penalty)
    theta = np.zeros(points.shape[1])
    for _ in range(check_count(max_iter, "max_iter")):
        slope = gradient(points, y, theta) + penalty * theta
        if np.linalg.norm(slope) <= tol * len(points):
            break
        theta = theta - rate * slope
    return theta


def sgd(
    X: ArrayLike,
    y: ArrayLike,
    *,
    rate: float,
    penalty: float = 0.0,
    max_iter: int = 50,
    random_state: int | np.random.Generator = 0,
) -> Array:
    r"""Minimise the penalised loss by the gradients of single points, in random order.

    Each point takes its share of the penalty with it, after its own step.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Points; :func:`mlnotes.perceptron.augment` them for an offset.
    y : array-like of shape (n_samples,)
        Labels -1 and +1.
    rate : float
        The step :math:`\kappa` of the first epoch; it is divided by the number of the epoch.
    penalty : float
        The factor :math:`\lambda` of :math:`\frac12\lVert\theta\rVert^2`.
    max_iter : int
        The number of epochs.
    random_state : int or numpy.random.Generator
        Decides the order of the points.

    Returns
    -------
    ndarray of shape (n_features,)
        The weights after the last epoch.

    Examples
    --------
    >>> sgd([[1.0], [1.0], [1.0]], [1, 1, -1], rate=1.0).round(1)
    array([0.7])
    """
    points = check_matrix(X)
    signs = check_signs(y, len(points))
    penalty = check_scalar(penalty, "penalty", least=0)
    shuffle = check_random_state(random_state).permutation
    theta = np.zeros(points.shape[1])
    for epoch in range(1, check_count(max_iter, "max_iter") + 1):
        kappa = check_positive(rate, "rate") / epoch
        for i in shuffle(len(points)):
            own = sigmoid(-signs[i] * (points[i] @ theta))
            theta = theta + kappa * signs[i] * own * points[i]
            theta = theta / (1 + kappa * penalty / len(points))
    return theta


def newton(
    X: ArrayLike,
    y: ArrayLike,
    *,
    penalty: float = 0.0,
    tol: float = 1e-12,
    max_iter: int = 100,
) -> Array:
    r"""Minimise the penalised loss by Newton's method with a line search.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Points; :func:`mlnotes.perceptron.augment` them for an offset.
    y : array-like of shape (n_samples,)
        Labels -1 and +1.
    penalty : float
        The factor :math:`\lambda` of :math:`\frac12\lVert\theta\rVert^2`.
    tol : float
        Stop where a step promises to gain no more than this share of the loss.
    max_iter : int
        The greatest number of steps.

    Returns
    -------
    ndarray of shape (n_features,)
        The weights after the last step.

    Examples
    --------
    >>> newton([[1.0], [1.0], [1.0]], [1, 1, -1]).round(6)
    array([0.693147])
    """
    points = check_matrix(X)
    penalty = check_scalar(penalty, "penalty", least=0)
    tol = check_positive(tol, "tol")

    def loss(theta: Array) -> float:
        fit = log_likelihood(points, y, theta)
        return penalty / 2 * float(theta @ theta) - fit

    theta = np.zeros(points.shape[1])
    ridge = penalty * np.eye(len(theta))
    for _ in range(check_count(max_iter, "max_iter")):
        slope = gradient(points, y, theta) + penalty * theta
        curvature = hessian(points, theta) + ridge
        step = np.linalg.lstsq(curvature, slope, rcond=None)[0]
        here, gain = loss(theta), slope @ step
        if gain <= tol * here:
            break
        rate, moved = 1.0, theta - step
        while rate > 1e-9 and loss(moved) > here - rate * gain / 4:
            rate /= 2
            moved = theta - rate * step
        theta = moved
    return theta
