"""Losses, the primal and the dual value, and the optimality conditions between them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from mlnotes._solvers.margins import best_offsets
from mlnotes.convex_duality import KKTResiduals
from mlnotes.validation import (
    Array,
    check_matrix,
    check_numbers,
    check_scalar,
    check_signs,
    check_square,
    check_vector,
)


def hinge_loss(margins: ArrayLike) -> Array:
    r"""Return :math:`\max(0,1-z)` for each margin :math:`z=yf(x)`.

    Parameters
    ----------
    margins : array-like
        Products of label and decision function.

    Returns
    -------
    ndarray
        Zero from margin 1 on, and at least 1 wherever the sign is wrong.

    Examples
    --------
    >>> hinge_loss([-2.0, 0.0, 1.0, 3.0])
    array([3., 1., 0., 0.])
    """
    return np.maximum(0.0, 1.0 - check_numbers(margins, "margins"))


def squared_hinge_loss(margins: ArrayLike) -> Array:
    r"""Return :math:`\max(0,1-z)^2`: the hinge without its kink.

    Parameters
    ----------
    margins : array-like
        Products of label and decision function.

    Returns
    -------
    ndarray
        Differentiable everywhere; the second derivative jumps at 1.

    Examples
    --------
    >>> squared_hinge_loss([-2.0, 0.0, 1.0, 3.0])
    array([9., 1., 0., 0.])
    """
    return hinge_loss(margins) ** 2


class _Margins(NamedTuple):
    """Points, signs and weights that were checked, and the margin of each point."""

    points: Array
    signs: Array
    theta: Array
    margins: Array
    offset: float


def _margins(X: ArrayLike, y: ArrayLike, theta: ArrayLike, offset: float) -> _Margins:
    """Check what describes a plane and labelled points, and compute their margins."""
    points = check_matrix(X)
    signs = check_signs(y, len(points))
    weights = check_vector(theta, points.shape[1], name="theta")
    shift = check_scalar(offset, "offset")
    return _Margins(points, signs, weights, signs * (points @ weights + shift), shift)


def hinge_subgradient(X: ArrayLike, y: ArrayLike, theta: ArrayLike, offset: float = 0.0) -> Array:
    r"""Return a subgradient of each point's hinge loss in :math:`(\theta,\theta_0)`.

    It is :math:`-y_i(x_i,1)` where :math:`y_if(x_i)<1` and zero elsewhere, the kink included.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Points.
    y : array-like of shape (n_samples,)
        Labels -1 and +1.
    theta : array-like of shape (n_features,)
        Weights.
    offset : float
        :math:`\theta_0`.

    Returns
    -------
    ndarray of shape (n_samples, n_features + 1)
        The derivative in the offset comes last.

    Examples
    --------
    >>> hinge_subgradient([[1.0, 2.0], [5.0, 0.0]], [1, 1], [1.0, 0.0], -1.0)
    array([[-1., -2., -1.],
           [ 0.,  0.,  0.]])
    """
    given = _margins(X, y, theta, offset)
    rows = np.column_stack([given.points, np.ones(len(given.points))])
    return np.where(given.margins[:, None] < 1, -given.signs[:, None] * rows, 0.0)


def primal_objective(
    X: ArrayLike, y: ArrayLike, theta: ArrayLike, offset: float = 0.0, *, C: ArrayLike = 1.0
) -> float:
    r"""Return :math:`\frac12\lVert\theta\rVert^2+\sum_iC_i\max(0,1-y_if(x_i))`.

    Here :math:`f(x)=\langle\theta,x\rangle+\theta_0`.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Points.
    y : array-like of shape (n_samples,)
        Labels -1 and +1.
    theta : array-like of shape (n_features,)
        Weights.
    offset : float
        :math:`\theta_0`.
    C : float or array-like of shape (n_samples,)
        The price of slack; infinite for the hard margin.

    Returns
    -------
    float
        What a support vector machine makes small.

    Examples
    --------
    >>> primal_objective([[1.0], [-1.0]], [1, -1], [0.5], C=2.0)
    2.125
    """
    given = _margins(X, y, theta, offset)
    slack = hinge_loss(given.margins)
    violated = slack > 0  # an infinite price of no slack is nothing
    paid = np.sum(_prices(C, len(slack))[violated] * slack[violated])
    return float(0.5 * given.theta @ given.theta + paid)


def _prices(C: ArrayLike, n: int) -> Array:
    """Return the price of slack at each of ``n`` points, possibly infinite."""
    prices = check_numbers(C, "C", least=0, infinite=True)
    if prices.shape not in ((), (n,)):
        raise ValueError(
            f"C must be one number or one for each of {n} samples, got shape {prices.shape}."
        )
    return np.broadcast_to(prices, (n,))


def dual_objective(gram: ArrayLike, y: ArrayLike, alpha: ArrayLike) -> float:
    r"""Return :math:`\sum_i\alpha_i-\frac12\sum_{ij}\alpha_i\alpha_jy_iy_jK_{ij}`.

    For :math:`0\le\alpha_i\le C` and :math:`\sum_i\alpha_iy_i=0` it is a lower bound on every
    primal value.

    Parameters
    ----------
    gram : array-like of shape (n_samples, n_samples)
        Inner products or kernel values of the points.
    y : array-like of shape (n_samples,)
        Labels -1 and +1.
    alpha : array-like of shape (n_samples,)
        Multipliers.

    Returns
    -------
    float
        What the dual problem makes large.

    Examples
    --------
    >>> dual_objective([[1.0, -1.0], [-1.0, 1.0]], [1, -1], [0.5, 0.5])
    0.5
    """
    K = check_square(gram, name="gram")
    beta = check_signs(y, len(K)) * check_vector(alpha, len(K), name="alpha")
    return float(np.sum(alpha) - 0.5 * beta @ K @ beta)


def canonicalise(
    X: ArrayLike, y: ArrayLike, theta: ArrayLike, offset: float = 0.0
) -> tuple[Array, float]:
    r"""Rescale a separating hyperplane so that its smallest functional margin is 1.

    The hyperplane stays; its distance to the nearest point is then
    :math:`1/\lVert\theta\rVert`.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Points.
    y : array-like of shape (n_samples,)
        Labels -1 and +1.
    theta : array-like of shape (n_features,)
        Weights.
    offset : float
        :math:`\theta_0`.

    Returns
    -------
    theta : ndarray of shape (n_features,)
        The rescaled weights.
    offset : float
        The rescaled offset.

    Examples
    --------
    >>> canonicalise([[2.0], [-3.0]], [1, -1], [4.0])
    (array([0.5]), 0.0)
    """
    given = _margins(X, y, theta, offset)
    margin = float(given.margins.min())
    if margin <= 0:
        raise ValueError(
            f"the smallest margin of theta and offset is {margin:g}: only a hyperplane with every "
            "point strictly on its right side can be rescaled to margin 1."
        )
    return given.theta / margin, given.offset / margin


def offset_interval(scores: ArrayLike, y: ArrayLike, C: ArrayLike = 1.0) -> tuple[float, float]:
    r"""Return all offsets that are best for given weights, as an interval.

    The cost :math:`\sum_iC_i\max(0,1-y_i(s_i+\theta_0))` is convex and piecewise linear in
    :math:`\theta_0`. Far to the left its slope is :math:`-\sum_{y_i=+1}C_i`, and it grows by
    :math:`C_i` at :math:`y_i-s_i`, so that sorting these places finds where it vanishes. For
    :math:`C=\infty` it is the interval in which every margin is at least 1.

    Parameters
    ----------
    scores : array-like of shape (n_samples,)
        :math:`s_i=\langle\theta,x_i\rangle`, or its kernel form.
    y : array-like of shape (n_samples,)
        Labels -1 and +1, both present.
    C : float or array-like of shape (n_samples,)
        The price of slack.

    Returns
    -------
    low, high : float
        Equal if the best offset is unique.

    Examples
    --------
    >>> offset_interval([0.5, -0.5], [1, -1], C=0.25)
    (-0.5, 0.5)
    """
    s = check_vector(scores, name="scores")
    signs = check_signs(y, len(s))
    if abs(float(signs.sum())) == len(s):
        raise ValueError("y has one class only; the best offset would be infinite.")
    prices = _prices(C, len(s))
    if np.isfinite(prices).all():
        return best_offsets(s, signs, prices)
    kinks = signs - s
    low, high = float(kinks[signs > 0].max()), float(kinks[signs < 0].min())
    if low > high:
        raise ValueError(
            f"no offset gives every margin 1: it would have to be at least {low:g} and at most "
            f"{high:g}. Pass the scores of a separating plane, or a finite C."
        )
    return low, high


def svm_kkt_residuals(
    X: ArrayLike,
    y: ArrayLike,
    theta: ArrayLike,
    offset: float,
    alpha: ArrayLike,
    *,
    C: ArrayLike = 1.0,
) -> KKTResiduals:
    r"""Measure how far weights and multipliers are from the KKT conditions of the soft margin.

    The slacks are the hinge losses and :math:`\mu_i=C_i-\alpha_i`, so that primal feasibility and
    stationarity in the slacks hold by construction.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Points.
    y : array-like of shape (n_samples,)
        Labels -1 and +1.
    theta : array-like of shape (n_features,)
        Weights.
    offset : float
        :math:`\theta_0`.
    alpha : array-like of shape (n_samples,)
        Multipliers of the margins.
    C : float or array-like of shape (n_samples,)
        The price of slack; infinite for the hard margin.

    Returns
    -------
    KKTResiduals
        Stationarity in :math:`(\theta,\theta_0)`; the violated margins if slack has no price;
        multipliers outside the box; products of multipliers and constraints.

    Examples
    --------
    >>> svm_kkt_residuals([[1.0], [-1.0]], [1, -1], [1.0], 0.0, [0.5, 0.5])
    KKTResiduals(stationarity=0.0, primal=0.0, dual=0.0, complementarity=0.0)
    """
    given = _margins(X, y, theta, offset)
    multipliers = check_vector(alpha, len(given.points), name="alpha")
    beta = given.signs * multipliers
    slope = max(float(np.abs(given.theta - beta @ given.points).max()), abs(float(beta.sum())))
    return residuals_at(given.margins, multipliers, _prices(C, len(multipliers)), slope)


def residuals_at(margins: Array, alpha: Array, C: Array, stationarity: float) -> KKTResiduals:
    """Return the KKT residuals from the margins of the points."""
    slack = hinge_loss(margins)
    if np.isfinite(C).all():
        primal, paid = 0.0, (C - alpha) * slack
    else:
        primal, paid = float(slack.max()), np.zeros_like(slack)
        slack = np.zeros_like(slack)
    products = np.maximum(np.abs(alpha * (margins - 1 + slack)), np.abs(paid))
    outside = np.maximum(np.maximum(-alpha, alpha - C), 0.0)
    return KKTResiduals(stationarity, primal, float(outside.max()), float(products.max()))
