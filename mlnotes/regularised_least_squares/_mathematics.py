"""What the chapter on regularised least squares defines: bias and variance, norms, gaps."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from mlnotes._numerics import norm, thin_svd
from mlnotes.validation import (
    Array,
    check_matrix,
    check_numbers,
    check_scalar,
    check_target,
    check_vector,
)


def ridge_errors(
    X: ArrayLike, theta: ArrayLike, penalty: float, noise_variance: float
) -> tuple[float, float]:
    r"""Return the squared bias and the variance of the weights that ridge regression finds.

    In the basis of right singular vectors the bias of component j is
    :math:`-\lambda\theta^*_j/(\gamma_j^2+\lambda)` and its variance
    :math:`\sigma^2\gamma_j^2/(\gamma_j^2+\lambda)^2`. The sum of both results is the expected
    squared distance of the weights from the true ones.

    Parameters
    ----------
    X : array-like of shape (n, d)
        Points, fixed in advance; there is no offset.
    theta : array-like of shape (d,)
        The true weights.
    penalty : float
        :math:`\lambda`, at least 0.
    noise_variance : float
        :math:`\sigma^2`, the variance of the uncorrelated noise.

    Returns
    -------
    squared_bias : float
        Zero without a penalty if the columns are independent.
    variance : float
        The trace of the covariance.

    Examples
    --------
    >>> ridge_errors([[2.0]], [3.0], 4.0, 4.0)
    (2.25, 0.25)
    """
    _, gamma, V = thin_svd(check_matrix(X, squares=True))
    truth = check_vector(theta, len(V), name="theta")
    damping = check_scalar(penalty, "penalty", least=0)
    variance = check_scalar(noise_variance, "noise_variance", least=0)
    components = V.T @ truth
    shares = gamma**2 / (gamma**2 + damping)
    unseen = truth - V @ components  # where no point reaches, the weights are zero
    bias = float((((1 - shares) * components) ** 2).sum() + unseen @ unseen)
    return bias, float(variance * ((shares / gamma) ** 2).sum())


def effective_parameters(X: ArrayLike, penalty: float) -> float:
    r"""Return :math:`\sum_j\gamma_j^2/(\gamma_j^2+\lambda)`, the trace of the hat matrix of ridge.

    Parameters
    ----------
    X : array-like of shape (n, d)
        Points.
    penalty : float
        :math:`\lambda`, at least 0.

    Returns
    -------
    float
        From the rank of X, without a penalty, down to 0.

    Examples
    --------
    >>> effective_parameters([[1.0, 0.0], [0.0, 2.0]], 4.0)
    0.7
    """
    _, gamma, _ = thin_svd(check_matrix(X, squares=True))
    damping = check_scalar(penalty, "penalty", least=0)
    return float((gamma**2 / (gamma**2 + damping)).sum())


def ridge_penalty_for_norm(X: ArrayLike, y: ArrayLike, radius: float) -> float:
    r"""Return the penalty for which the weights of ridge have a given length.

    Minimising :math:`\lVert y-X\theta\rVert` subject to :math:`\lVert\theta\rVert\le r` is ridge
    with this penalty; it is 0 where least squares stays within the radius.

    Parameters
    ----------
    X : array-like of shape (n, d)
        Points.
    y : array-like of shape (n,)
        Targets.
    radius : float
        r, positive.

    Returns
    -------
    float
        :math:`\lambda`, found to the last digits by bisection.

    Examples
    --------
    >>> round(ridge_penalty_for_norm([[1.0], [1.0]], [3.0, 3.0], 1.0), 9)
    4.0
    """
    points = check_matrix(X, squares=True)
    target = check_target(y, len(points))
    bound = check_scalar(radius, "radius", above=0)
    U, gamma, _ = thin_svd(points)
    side = gamma * (U.T @ target)  # γ Uᵀy

    def length(penalty: float) -> float:
        return norm(side / (gamma**2 + penalty))

    if not len(gamma) or length(0.0) <= bound:
        return 0.0
    low, high = 0.0, norm(side) / bound  # there the length is at most the radius
    if not high < math.inf:
        raise ValueError("radius is so small that the penalty exceeds any float.")
    for _ in range(2000):
        # Geometric where the bracket spans orders of magnitude.
        middle = math.sqrt(low) * math.sqrt(high) if low > 0 else high / 2
        middle = middle if high > 2 * low else (low + high) / 2
        if not low < middle < high:
            break
        low, high = (middle, high) if length(middle) > bound else (low, middle)
    return high


def lp_norm(w: ArrayLike, p: float) -> float:
    r"""Return :math:`(\sum_i|w_i|^p)^{1/p}`, or the largest :math:`|w_i|` for infinite p.

    Parameters
    ----------
    w : array-like of shape (d,)
        A vector.
    p : float
        Positive, possibly infinite. Below 1 the triangle inequality fails, and it is no norm.

    Returns
    -------
    float
        Infinite if it exceeds any float.

    Examples
    --------
    >>> lp_norm([-3.0, 1.0], float("inf")), lp_norm([1.0, 1.0], 0.5)
    (3.0, 4.0)
    """
    vector = check_vector(w, name="w")
    exponent = check_numbers(p, "p", above=0, infinite=True)
    if exponent.ndim:
        raise ValueError(f"p must be one number, got an array of shape {exponent.shape}.")
    power = float(exponent)
    sizes = np.abs(vector[vector != 0])
    if not len(sizes) or power == math.inf:
        return float(sizes.max(initial=0.0))
    largest = float(sizes.max())
    with np.errstate(over="ignore"):
        return float(largest * np.sum((sizes / largest) ** power) ** (1 / power))


def lasso_objective(theta: ArrayLike, X: ArrayLike, y: ArrayLike, penalty: float) -> float:
    r"""Return :math:`\frac12\lVert y-X\theta\rVert^2+\lambda\lVert\theta\rVert_1`.

    Parameters
    ----------
    theta : array-like of shape (d,)
        Weights.
    X : array-like of shape (n, d)
        Points.
    y : array-like of shape (n,)
        Targets.
    penalty : float
        :math:`\lambda`, at least 0.

    Returns
    -------
    float
        The objective.

    Examples
    --------
    >>> lasso_objective([1.0], [[1.0], [1.0]], [1.0, 3.0], 0.5)
    2.5
    """
    weights, points, target, damping = _lasso_problem(theta, X, y, penalty)
    residual = target - points @ weights
    return float(residual @ residual / 2 + damping * np.abs(weights).sum())


def _lasso_problem(
    theta: ArrayLike, X: ArrayLike, y: ArrayLike, penalty: float
) -> tuple[Array, Array, Array, float]:
    points = check_matrix(X, squares=True)
    target = check_target(y, len(points))
    weights = check_vector(theta, points.shape[1], name="theta")
    return weights, points, target, check_scalar(penalty, "penalty", least=0)


def lasso_gap(theta: ArrayLike, X: ArrayLike, y: ArrayLike, penalty: float) -> float:
    r"""Return how far the objective of the lasso can at most be from its least value.

    The dual problem is to maximise :math:`\frac12\lVert y\rVert^2-\frac12\lVert y-u\rVert^2` over
    all u with :math:`\lVert X^\top u\rVert_\infty\le\lambda`. The residual, shortened until it
    satisfies that, is a candidate; the gap is the difference of both values.

    Parameters
    ----------
    theta : array-like of shape (d,)
        Weights.
    X : array-like of shape (n, d)
        Points.
    y : array-like of shape (n,)
        Targets.
    penalty : float
        :math:`\lambda`, at least 0.

    Returns
    -------
    float
        Not negative but for rounding; zero only at a minimiser.

    Examples
    --------
    >>> lasso_gap([2.0, 0.25], [[1.0, 0.0], [0.0, 2.0]], [3.0, 1.0], 1.0)
    0.0
    """
    weights, points, target, damping = _lasso_problem(theta, X, y, penalty)
    residual = target - points @ weights
    steepest = float(np.abs(points.T @ residual).max())
    u = residual * (min(1.0, damping / steepest) if steepest > 0 else 1.0)
    primal = residual @ residual / 2 + damping * np.abs(weights).sum()
    return float(primal - (u @ target - u @ u / 2))


def irrepresentable(X: ArrayLike, support: ArrayLike, signs: ArrayLike) -> float:
    r"""Return the number that decides whether the lasso can find a given support.

    It is :math:`\lVert X_{S^c}^\top X_S(X_S^\top X_S)^{-1}s\rVert_\infty` for signs s.

    Where it is above 1 the lasso finds the support S with these signs for no penalty, not even
    without noise; below 1 it does for small ones.

    Parameters
    ----------
    X : array-like of shape (n, d)
        Points.
    support : array-like of int
        The columns S, which must be independent.
    signs : array-like of shape of support
        -1 or +1 for each of them.

    Returns
    -------
    float
        0 if S holds all columns.

    Examples
    --------
    >>> irrepresentable([[1.0, 0.0, 0.6], [0.0, 1.0, 0.6], [0.0, 0.0, 0.5]], [0, 1], [1, 1])
    1.2
    """
    points = check_matrix(X, squares=True)
    d = points.shape[1]
    chosen = check_numbers(support, "support", whole=True, least=0, most=d - 1).astype(np.intp)
    if chosen.ndim != 1 or len(set(chosen.tolist())) < max(len(chosen), 1):
        raise ValueError("support must be a list of different columns, and not empty.")
    direction = check_vector(signs, len(chosen), name="signs")
    if (np.abs(direction) != 1).any():
        raise ValueError("signs must be -1 or +1, one for each column of support.")
    A = points[:, chosen]
    U, gamma, V = thin_svd(A)
    if len(gamma) < len(chosen):
        raise ValueError("the columns of X in support are dependent.")
    others = np.delete(points, chosen, axis=1)
    return float(np.abs(others.T @ (U @ ((V.T @ direction) / gamma))).max(initial=0.0))
