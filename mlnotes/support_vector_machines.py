r"""Support vector machines: the separating hyperplane that keeps the largest distance.

The soft margin minimises :math:`\frac12\lVert\theta\rVert^2+C\sum_i\xi_i` where
:math:`y_i(\langle\theta,x_i\rangle+\theta_0)\ge1-\xi_i` and :math:`\xi_i\ge0`. Its dual maximises
:math:`\sum_i\alpha_i-\frac12\lVert\sum_i\alpha_iy_ix_i\rVert^2` where :math:`0\le\alpha_i\le C` and
:math:`\sum_i\alpha_iy_i=0` (``thm-svm-soft-dual``). No dual value exceeds a primal one
(``thm-svm-soft-weak-duality``), so their difference bounds the error of any answer: every estimator
here stops on that gap and reports it. See the chapter :doc:`/book/support_vector_machines`.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Callable
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlnotes._constraints import Boolean, Integer, OneOf, Optional, RandomState, Real
from mlnotes._numerics import scale_by_power_of_two
from mlnotes._solvers.kernel_rows import Kernel, check_gram
from mlnotes._solvers.kernel_svm import KernelSolution, kernel_rows, solve_kernel_svm
from mlnotes._solvers.linear_svm import solve_linear_svm
from mlnotes._solvers.margins import best_offsets, column_means, root_mean_square
from mlnotes._solvers.sample_by_sample import (
    Passes,
    ascend_dual,
    descend_subgradients,
    penalised_values,
)
from mlnotes.base import BinaryClassifier, LinearClassifier
from mlnotes.convex_duality import KKTResiduals
from mlnotes.exceptions import ConvergenceWarning, warn_at_caller
from mlnotes.perceptron import is_linearly_separable
from mlnotes.validation import (
    Array,
    check_count,
    check_flag,
    check_matrix,
    check_numbers,
    check_positive,
    check_random_state,
    check_signs,
    check_square,
    check_vector,
    check_weights,
    rows_that_count,
)

__all__ = [
    "DualCoordinateSVM",
    "KernelSVM",
    "LinearSVM",
    "SubgradientSVM",
    "canonicalise",
    "dual_coordinate_ascent",
    "dual_objective",
    "hinge_loss",
    "hinge_subgradient",
    "logistic_loss",
    "offset_interval",
    "pegasos",
    "primal_objective",
    "smo",
    "squared_hinge_loss",
    "svm_kkt_residuals",
]

# Prices of slack whose sums and squares floats can hold.
MIN_C, MAX_C = 1e-150, 1e150


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


def logistic_loss(margins: ArrayLike) -> Array:
    r"""Return :math:`\log(1+e^{-z})`, smooth and never zero.

    Parameters
    ----------
    margins : array-like
        Products of label and decision function.

    Returns
    -------
    ndarray
        Over :math:`\log2` it dominates the 0-1 loss.

    Examples
    --------
    >>> logistic_loss([0.0, 1000.0, -1000.0]).round(3)
    array([6.93e-01, 0.00e+00, 1.00e+03])
    """
    return np.logaddexp(0.0, -check_numbers(margins, "margins"))


class _Margins(NamedTuple):
    """Points, signs and weights that were checked, and the margin of each point."""

    points: Array
    signs: Array
    theta: Array
    margins: Array


def _margins(X: ArrayLike, y: ArrayLike, theta: ArrayLike, offset: float) -> _Margins:
    """Check what describes a plane and labelled points, and compute their margins."""
    points = check_matrix(X)
    signs = check_signs(y, len(points))
    weights = check_vector(theta, points.shape[1], name="theta")
    return _Margins(points, signs, weights, signs * (points @ weights + float(offset)))


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
    try:
        prices = np.asarray(C, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(f"C must hold numbers only: {error}") from error
    if prices.shape not in ((), (n,)):
        raise ValueError(
            f"C must be one number or one for each of {n} samples, got shape {prices.shape}."
        )
    if not (prices >= 0).all():
        raise ValueError(f"C must not be negative, got {float(np.min(prices)):g}.")
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
            f"the smallest margin is {margin:g}: only a hyperplane with every point strictly on "
            "its right side can be rescaled to margin 1."
        )
    return given.theta / margin, float(offset) / margin


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
    return _residuals(given.margins, multipliers, _prices(C, len(multipliers)), slope)


def _residuals(margins: Array, alpha: Array, C: Array, stationarity: float) -> KKTResiduals:
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


def smo(
    gram: ArrayLike, y: ArrayLike, *, C: float = 1.0, tol: float = 1e-3, max_iter: int = 100_000
) -> tuple[Array, float]:
    r"""Solve the dual by moving two multipliers at a time: see ``alg-smo``.

    In :math:`\beta_i=\alpha_iy_i` the slope of the dual is :math:`f=y-K\beta`, and the pair
    :math:`\beta_i+t,\beta_j-t` gains :math:`t(f_i-f_j)-\frac12t^2\eta` with
    :math:`\eta=K_{ii}+K_{jj}-2K_{ij}` (``lem-svm-two-multipliers``). :class:`KernelSVM` finds the
    same multipliers without the whole matrix.

    Parameters
    ----------
    gram : array-like of shape (n_samples, n_samples)
        Inner products or kernel values of the points.
    y : array-like of shape (n_samples,)
        Labels -1 and +1.
    C : float
        The price of slack.
    tol : float
        The difference of two slopes that is not worth a step.
    max_iter : int
        The greatest number of pairs moved.

    Returns
    -------
    alpha : ndarray of shape (n_samples,)
        The multipliers.
    offset : float
        The :math:`\theta_0` that goes with them.

    Examples
    --------
    >>> alpha, offset = smo([[1.0, -1.0], [-1.0, 1.0]], [1, -1])
    >>> alpha, offset
    (array([0.5, 0.5]), 0.0)
    """
    K = check_square(gram, name="gram")
    signs = check_signs(y, len(K))
    end, enough = signs * check_positive(C, "C"), check_positive(tol, "tol")
    low, high = np.minimum(end, 0.0), np.maximum(end, 0.0)
    beta, slope = np.zeros(len(K)), signs.copy()
    for _ in range(check_count(max_iter, "max_iter")):
        rising = np.where(beta < high, slope, -np.inf)
        falling = np.where(beta > low, slope, np.inf)
        i = int(rising.argmax())
        if rising[i] - falling.min() <= enough:
            break
        eta = np.maximum(K[i, i] + K.diagonal() - 2 * K[i], 1e-12)
        gain = np.maximum(rising[i] - falling, 0.0) ** 2 / (2 * eta)
        j = int(gain.argmax())
        step = (slope[i] - slope[j]) / eta[j]
        step = min(step, high[i] - beta[i], beta[j] - low[j])
        beta[i] += step
        beta[j] -= step
        slope -= step * (K[i] - K[j])
    offset = (slope[beta < high].max() + slope[beta > low].min()) / 2
    return signs * beta, float(offset)


def dual_coordinate_ascent(
    X: ArrayLike,
    y: ArrayLike,
    *,
    C: float = 1.0,
    fit_intercept: bool = True,
    n_passes: int = 100,
    random_state: int | np.random.Generator = 0,
) -> tuple[Array, Array]:
    r"""Solve the dual by moving one multiplier at a time, with a penalised offset.

    The offset is the weight of a constant coordinate 1, so that :math:`\lVert x_i\rVert^2+1` stands
    where :math:`\lVert x_i\rVert^2` would without one. See ``alg-svm-dual-coordinate``;
    :class:`DualCoordinateSVM` stops on the duality gap and skips multipliers that are at rest.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Points.
    y : array-like of shape (n_samples,)
        Labels -1 and +1.
    C : float
        The price of slack.
    fit_intercept : bool
        Whether to append the constant coordinate.
    n_passes : int
        How often each sample is visited.
    random_state : int or numpy.random.Generator
        The order in which each pass visits the samples.

    Returns
    -------
    theta : ndarray of shape (n_features,) or (n_features + 1,)
        The weights, that of the constant coordinate last.
    alpha : ndarray of shape (n_samples,)
        The multipliers.

    Examples
    --------
    >>> theta, alpha = dual_coordinate_ascent([[2.0], [-2.0]], [1, -1])
    >>> theta.round(6) + 0.0, alpha.round(6)
    (array([0.5, 0. ]), array([0.125, 0.125]))
    """
    points, price = check_matrix(X), check_positive(C, "C")
    if check_flag(fit_intercept, "fit_intercept"):
        points = np.column_stack([points, np.ones(len(points))])
    Z = check_signs(y, len(points))[:, None] * points
    rng = check_random_state(random_state)
    alpha, theta = np.zeros(len(Z)), np.zeros(Z.shape[1])
    for _ in range(check_count(n_passes, "n_passes")):
        for i in rng.permutation(len(Z)):
            square = Z[i] @ Z[i]  # of x, and 1 more with a constant coordinate
            # A point at the origin cannot reach the margin, and pays in full.
            top = alpha[i] - (Z[i] @ theta - 1) / square if square > 0 else price
            new = min(max(top, 0.0), price)
            theta += (new - alpha[i]) * Z[i]
            alpha[i] = new
    return theta, alpha


def pegasos(
    X: ArrayLike,
    y: ArrayLike,
    *,
    C: float = 1.0,
    fit_intercept: bool = True,
    n_passes: int = 100,
    random_state: int | np.random.Generator = 0,
) -> Array:
    r"""Descend along one subgradient of the hinge loss at a time, with a penalised offset.

    See ``alg-svm-sgd``, with :math:`\lambda=1/Cn`, so that :math:`\eta_t=Cn/t` and
    :math:`\eta_t\lambda=1/t`. :class:`SubgradientSVM` stops on the duality gap.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Points.
    y : array-like of shape (n_samples,)
        Labels -1 and +1.
    C : float
        The price of slack.
    fit_intercept : bool
        Whether to append a constant coordinate 1.
    n_passes : int
        How often each sample is visited.
    random_state : int or numpy.random.Generator
        The order in which each pass visits the samples.

    Returns
    -------
    ndarray of shape (n_features,) or (n_features + 1,)
        The weights, that of the constant coordinate last.

    Examples
    --------
    >>> pegasos([[2.0], [-2.0]], [1, -1], n_passes=1000).round(2) + 0.0
    array([0.5, 0. ])
    """
    points, price = check_matrix(X), check_positive(C, "C")
    if check_flag(fit_intercept, "fit_intercept"):
        points = np.column_stack([points, np.ones(len(points))])
    Z = check_signs(y, len(points))[:, None] * points
    rng = check_random_state(random_state)
    theta, t = np.zeros(Z.shape[1]), 0
    for _ in range(check_count(n_passes, "n_passes")):
        for i in rng.permutation(len(Z)):
            t += 1
            rate = price * len(Z) / t
            step = rate * Z[i] if Z[i] @ theta < 1 else 0.0
            theta = theta - theta / t + step
    return theta


class _Evidence(NamedTuple):
    """What a solver reports: multipliers, their values, the gaps on the way and the steps."""

    alpha: Array
    primal: float
    dual: float
    gaps: list[float]
    n_iter: int


class _SVM(BinaryClassifier):
    """What all support vector machines share: reading the problem, reporting the evidence."""

    C: float
    tol: float
    max_iter: int

    alpha_: Array
    support_: NDArray[np.intp]
    objective_: float
    dual_objective_: float
    dual_gap_: float
    gaps_: Array
    kkt_residuals_: KKTResiduals
    n_iter_: int

    def _prices(self, weights: Array | None, n: int) -> tuple[NDArray[np.intp], Array]:
        """Return the rows of positive weight and the price of slack at each of them."""
        rows = rows_that_count(weights, n)
        if weights is None:
            return rows, np.full(n, float(self.C))
        with np.errstate(over="ignore"):
            prices = self.C * weights[rows]
        if math.isfinite(self.C) and not (MIN_C <= prices.min() <= prices.max() <= MAX_C):
            raise ValueError(
                "C times sample_weight, the price of slack, must be 0 or between "
                f"{MIN_C:g} and {MAX_C:g}, got {prices.min():.1e} to {prices.max():.1e}; "
                "scale the weights, or leave samples out with weight 0."
            )
        return rows, prices

    def _keep(self, n: int, rows: NDArray[np.intp], found: _Evidence) -> None:
        """Set what every solver reports, and warn if the gap is not closed."""
        self.alpha_ = np.zeros(n)
        self.alpha_[rows] = found.alpha
        self.support_ = np.flatnonzero(self.alpha_ > 0)
        self.objective_ = found.primal
        self.dual_objective_ = found.dual
        self.dual_gap_ = max(found.primal - found.dual, 0.0)
        self.gaps_ = np.array(found.gaps)
        self.n_iter_ = found.n_iter
        share = self.dual_gap_ / found.primal if math.isfinite(found.primal) else math.inf
        if share > self.tol:
            warn_at_caller(
                f"{type(self).__name__} stopped after {self.n_iter_} iterations with a duality "
                f"gap of {share:.1e} times the objective, above "
                f"tol={self.tol:g}. Raise max_iter or tol, or scale the features.",
                ConvergenceWarning,
            )


class _HyperplaneSVM(LinearClassifier, _SVM):
    """A support vector machine that predicts by a hyperplane."""

    _squares = True

    fit_intercept: bool

    margin_: float

    def _set_plane(self, theta: Array, offset: float) -> None:
        length = float(np.linalg.norm(theta))
        self._set_weights(theta, offset)
        self.margin_ = 1.0 / length if length > 0 else math.inf


class LinearSVM(_HyperplaneSVM):
    r"""The linear support vector machine, by Newton's method on its perturbed KKT conditions.

    It minimises :math:`\frac12\lVert\theta\rVert^2+C\sum_i\max(0,1-y_i(\langle\theta,x_i\rangle+
    \theta_0))`; the offset is not penalised, so that moving all points moves the hyperplane with
    them. An interior-point method follows the solutions of
    :math:`\alpha_i(y_if(x_i)-1+\xi_i)=\mu=(C-\alpha_i)\xi_i` as :math:`\mu` goes to zero; each step
    solves one system of the size of :math:`\theta`. It stops when the duality gap is below ``tol``
    times the objective. See the chapter :doc:`/book/support_vector_machines`.

    The weights are unique (``thm-svm-unique-weights``), the offset need not be:
    ``offset_interval_`` holds all optimal ones, ``intercept_`` is its middle. With ``C=inf`` the
    margin is hard; data that no hyperplane separates are then refused.

    Parameters
    ----------
    C : float
        The price of slack, from 1e-150 to 1e150; infinite for the hard margin.
    fit_intercept : bool
        Whether the hyperplane may miss the origin.
    tol : float
        The duality gap to reach, relative to the objective.
    max_iter : int
        The greatest number of Newton steps.

    Attributes
    ----------
    coef_ : ndarray of shape (n_features,)
        The weights :math:`\theta`.
    intercept_ : float
        The offset :math:`\theta_0`.
    offset_interval_ : tuple of float
        The least and the greatest offset that are optimal for these weights.
    margin_ : float
        :math:`1/\lVert\theta\rVert`, half the width of the margin; infinite if the weights vanish.
    alpha_ : ndarray of shape (n_samples,)
        The multipliers, between 0 and C.
    support_ : ndarray of int
        The rows with a positive multiplier.
    objective_, dual_objective_ : float
        The primal and the dual value: the optimum is between them.
    dual_gap_ : float
        Their difference.
    gaps_ : ndarray of shape (n_iter_,)
        The relative gap at each step.
    kkt_residuals_ : KKTResiduals
        By how much the optimality conditions are missed, in the units of the data.
    n_iter_ : int
        Newton steps.
    classes_ : ndarray of shape (2,)
        The labels, the negative one first.
    n_features_in_ : int
        The number of features seen in ``fit``.
    feature_names_in_ : ndarray of str
        Their names, if ``fit`` was given a data frame.

    Examples
    --------
    >>> X = [[1.0, 0.0], [2.0, 1.0], [-1.0, 0.0], [-2.0, -1.0]]
    >>> model = LinearSVM(C=10.0).fit(X, [1, 1, -1, -1])
    >>> model.coef_.round(6) + 0.0, round(model.objective_, 6)
    (array([1., 0.]), 0.5)
    >>> model.support_
    array([0, 2])
    """

    _constraints: ClassVar = {
        "C": Real(least=MIN_C, most=MAX_C, infinite=True),
        "fit_intercept": Boolean(),
        "tol": Real(above=0),
        "max_iter": Integer(1),
    }

    offset_interval_: tuple[float, float]

    def __init__(
        self,
        *,
        C: float = 1.0,
        fit_intercept: bool = True,
        tol: float = 1e-10,
        max_iter: int = 100,
    ) -> None:
        self.C = C
        self.fit_intercept = fit_intercept
        self.tol = tol
        self.max_iter = max_iter

    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Find the weights, the offset and the multipliers that certify them.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples.
        y : array-like of shape (n_samples,)
            Their labels, of two classes.
        sample_weight : array-like of shape (n_samples,), optional
            What multiplies the price of each sample's slack; zero leaves it out.

        Returns
        -------
        self
            The fitted estimator.
        """
        points = self._fit_matrix(X)
        weights = check_weights(sample_weight, len(points))
        labels = self._fit_signs(y, len(points), weights)
        rows, prices = self._prices(weights, len(points))
        used, free = points[rows], bool(self.fit_intercept)
        if math.isinf(self.C) and not is_linearly_separable(used, labels, fit_intercept=free):
            raise ValueError(
                "no hyperplane separates the classes, so that the hard margin (C=inf) has no "
                "solution; pass a finite C."
            )
        found = solve_linear_svm(
            used, labels, prices, free_offset=free, tol=self.tol, max_iter=self.max_iter
        )
        self.offset_interval_ = found.low, found.high
        self._set_plane(found.theta, 0.5 * (found.low + found.high))
        evidence = _Evidence(found.alpha, found.primal, found.dual, found.gaps, len(found.gaps))
        self._keep(len(points), rows, evidence)
        self.kkt_residuals_ = _residuals(found.margins, found.alpha, prices, found.stationarity)
        return self


class _SampleBySample(_HyperplaneSVM):
    """Solvers that look at one sample at a time, for the machine whose offset is penalised.

    The offset is the weight of a constant coordinate 1 and pays like the other weights. This is
    another problem than that of LinearSVM, without the constraint Σαy = 0; the multipliers these
    solvers carry along then only have to stay in their box, which makes their gap rigorous.
    """

    _constraints: ClassVar = {
        "C": Real(least=MIN_C, most=MAX_C, hint="for the hard margin use LinearSVM(C=inf)"),
        "fit_intercept": Boolean(),
        "tol": Real(above=0),
        "max_iter": Integer(1),
        "random_state": RandomState(),
    }

    random_state: int | np.random.Generator

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Pass through the samples until the duality gap is closed.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples.
        y : array-like of shape (n_samples,)
            Their labels, of two classes.

        Returns
        -------
        self
            The fitted estimator.
        """
        points = self._fit_matrix(X)
        signs = self._fit_signs(y, len(points))
        extra = np.ones((len(points), int(self.fit_intercept)))
        Z = signs[:, None] * np.hstack([points, extra])
        found = self._run(Z, check_random_state(self.random_state))
        theta = found.theta[: points.shape[1]]
        self._set_plane(theta, float(found.theta[-1]) if self.fit_intercept else 0.0)
        primal, dual = penalised_values(Z, found.theta, found.alpha, self.C)
        evidence = _Evidence(found.alpha, primal, dual, found.gaps, found.n_passes)
        self._keep(len(points), np.arange(len(points)), evidence)
        slope = float(np.abs(found.theta - found.alpha @ Z).max())
        prices = np.full(len(Z), float(self.C))
        self.kkt_residuals_ = _residuals(Z @ found.theta, found.alpha, prices, slope)
        return self

    @abstractmethod
    def _run(self, Z: Array, rng: np.random.Generator) -> Passes:
        """Return multipliers, weights and the relative gaps for the signed points."""


class DualCoordinateSVM(_SampleBySample):
    r"""The linear support vector machine by dual coordinate ascent, one multiplier at a time.

    Along :math:`\alpha_i` alone the dual is a parabola: its top, cut off at the ends of the box, is
    :math:`\alpha_i-(y_if(x_i)-1)/(\lVert x_i\rVert^2+1)`, and
    :math:`\theta=\sum_i\alpha_iy_ix_i` follows each change. The offset is the weight of a constant
    coordinate, which the 1 is the square of, and is penalised with the others: that is another
    problem than the one :class:`LinearSVM` solves. Without an offset the 1 is left out. Multipliers
    at rest at an end of the box are set aside until the others have converged. See the chapter
    :doc:`/book/support_vector_machines`.

    There is no ``sample_weight``; use :class:`LinearSVM` for weighted samples.

    Parameters
    ----------
    C : float
        The price of slack.
    fit_intercept : bool
        Whether to append a constant coordinate 1.
    tol : float
        The duality gap to reach, relative to the objective.
    max_iter : int
        The greatest number of passes: of visits, divided by the number of samples.
    random_state : int or numpy.random.Generator
        The order in which each pass visits the samples.

    Attributes
    ----------
    coef_ : ndarray of shape (n_features,)
        The weights :math:`\theta`.
    intercept_ : float
        The weight of the constant coordinate.
    margin_ : float
        :math:`1/\lVert\theta\rVert`.
    alpha_, support_, objective_, dual_objective_, dual_gap_, kkt_residuals_
        As in :class:`LinearSVM`, for the problem with the penalised offset.
    gaps_ : ndarray
        The relative gap each time it was computed, the last after ``n_iter_`` passes.
    n_iter_ : int
        Passes made, rounded up.
    classes_ : ndarray of shape (2,)
        The labels, the negative one first.
    n_features_in_ : int
        The number of features seen in ``fit``.
    feature_names_in_ : ndarray of str
        Their names, if ``fit`` was given a data frame.

    Examples
    --------
    >>> X = [[1.0, 0.0], [2.0, 1.0], [-1.0, 0.0], [-2.0, -1.0]]
    >>> model = DualCoordinateSVM(C=10.0).fit(X, [1, 1, -1, -1])
    >>> model.coef_.round(2) + 0.0
    array([1., 0.])
    """

    def __init__(
        self,
        *,
        C: float = 1.0,
        fit_intercept: bool = True,
        tol: float = 1e-4,
        max_iter: int = 1000,
        random_state: int | np.random.Generator = 0,
    ) -> None:
        self.C = C
        self.fit_intercept = fit_intercept
        self.tol = tol
        self.max_iter = max_iter
        self.random_state = random_state

    def _run(self, Z: Array, rng: np.random.Generator) -> Passes:
        return ascend_dual(Z, float(self.C), self.tol, self.max_iter, rng)


class SubgradientSVM(_SampleBySample):
    r"""The linear support vector machine by stochastic subgradient descent on the hinge loss.

    At the :math:`t`-th visit, with rate :math:`\eta_t=Cn/t`, the weights shrink by the factor
    :math:`1-1/t`, and :math:`\eta_ty_ix_i` is added if the margin is below 1. From a zero start
    they are therefore :math:`\frac{Cn}t\sum y_ix_i` over the visits that found a margin below 1:
    a perceptron that also corrects what is right by too little, seen from farther and farther
    away. After whole passes the multipliers :math:`\alpha_i=\frac{Cn}t\cdot(\text{such visits of }
    i)` are at most C, so that the duality gap is known here too; it falls about as :math:`1/t`.

    The offset, if any, is penalised as in :class:`DualCoordinateSVM`. There is no
    ``sample_weight``. See the chapter :doc:`/book/support_vector_machines`.

    Parameters
    ----------
    C, fit_intercept, tol, max_iter, random_state
        As in :class:`DualCoordinateSVM`, with a looser tolerance and more passes.

    Attributes
    ----------
    coef_, intercept_, margin_, alpha_, support_, objective_, dual_objective_, dual_gap_, gaps_
        As in :class:`DualCoordinateSVM`.
    kkt_residuals_, n_iter_, classes_, n_features_in_, feature_names_in_
        Likewise.

    Examples
    --------
    >>> X = [[1.0, 0.0], [2.0, 1.0], [-1.0, 0.0], [-2.0, -1.0]]
    >>> model = SubgradientSVM(C=1.0, tol=0.01).fit(X, [1, 1, -1, -1])
    >>> model.predict(X)
    array([ 1,  1, -1, -1])
    """

    def __init__(
        self,
        *,
        C: float = 1.0,
        fit_intercept: bool = True,
        tol: float = 1e-2,
        max_iter: int = 2000,
        random_state: int | np.random.Generator = 0,
    ) -> None:
        self.C = C
        self.fit_intercept = fit_intercept
        self.tol = tol
        self.max_iter = max_iter
        self.random_state = random_state

    def _run(self, Z: Array, rng: np.random.Generator) -> Passes:
        return descend_subgradients(Z, float(self.C), self.tol, self.max_iter, rng)


class KernelSVM(_SVM):
    r"""The support vector machine on a kernel, by sequential minimal optimisation.

    The dual needs the points through :math:`k(x_i,x_j)` only, and so does the decision function
    :math:`\sum_i\alpha_iy_ik(x_i,x)+\theta_0`. The solver moves two multipliers at a time, chosen
    by the gain that their second derivative promises, computes rows of the kernel matrix when they
    are asked for, and sets multipliers aside that rest at an end of the box. It stops when the
    duality gap is below ``tol`` times the objective. See the chapter
    :doc:`/book/support_vector_machines`.

    Parameters
    ----------
    kernel : {"gaussian", "polynomial", "linear", "precomputed"} or callable
        A callable gets two sets of points and returns the matrix of their kernel values. With
        ``"precomputed"``, ``fit`` gets the Gram matrix of the samples, and prediction the matrix of
        kernel values between new samples (rows) and all training samples (columns).
    C : float
        The price of slack. Infinity asks for the hard margin, which is found as the solution for a
        price so high that no multiplier reaches it; data that are not separable are then refused.
    bandwidth : float, optional
        The length :math:`\tau` of the Gaussian kernel :math:`\exp(-\lVert x-x'\rVert^2/2\tau^2)`;
        if not given, :math:`2\tau^2` is the number of features times the variance of the data.
    degree, constant : int and float
        Of the polynomial kernel :math:`(\langle x,x'\rangle+c)^p`.
    tol : float
        The duality gap to reach, relative to the objective.
    max_iter : int
        The greatest number of pairs moved.
    cache_size : float
        Megabytes for rows of the kernel matrix.

    Attributes
    ----------
    alpha_ : ndarray of shape (n_samples,)
        The multipliers, between 0 and C.
    support_ : ndarray of int
        The rows with a positive multiplier.
    support_vectors_ : ndarray of shape (n_support, n_features)
        The samples in these rows; empty for a precomputed kernel.
    dual_coef_ : ndarray of shape (n_support,)
        :math:`\alpha_iy_i` of the support vectors.
    intercept_ : float
        The offset :math:`\theta_0`, the middle of ``offset_interval_``.
    offset_interval_ : tuple of float
        The least and the greatest optimal offset.
    bandwidth_ : float
        The :math:`\tau` used.
    objective_, dual_objective_ : float
        The primal and the dual value: the optimum is between them.
    dual_gap_ : float
        Their difference.
    gaps_ : ndarray
        The relative gap each time it was computed.
    kkt_residuals_ : KKTResiduals
        By how much the optimality conditions are missed.
    n_iter_ : int
        How many pairs were moved.
    classes_ : ndarray of shape (2,)
        The labels, the negative one first.
    n_features_in_ : int
        The number of features seen in ``fit``.
    feature_names_in_ : ndarray of str
        Their names, if ``fit`` was given a data frame.

    Examples
    --------
    >>> X = [[0.0, 0.0], [1.0, 1.0], [0.0, 1.0], [1.0, 0.0]]
    >>> model = KernelSVM(kernel="polynomial", C=100.0).fit(X, [0, 0, 1, 1])
    >>> model.predict(X)
    array([0, 0, 1, 1])
    >>> model.dual_gap_ <= 1e-3 * model.objective_
    True
    """

    _squares = False
    _constraints: ClassVar = {
        "kernel": OneOf("gaussian", "polynomial", "linear", "precomputed", or_callable=True),
        "C": Real(least=MIN_C, most=MAX_C, infinite=True),
        "bandwidth": Optional(Real(above=0)),
        "degree": Integer(1),
        "constant": Real(least=0, hint="below 0 the polynomial is not a kernel"),
        "tol": Real(above=0),
        "max_iter": Integer(1),
        "cache_size": Real(above=0),
    }

    support_vectors_: Array
    intercept_: float
    dual_coef_: Array
    bandwidth_: float
    offset_interval_: tuple[float, float]

    def __init__(
        self,
        *,
        kernel: str | Callable[[Array, Array], ArrayLike] = "gaussian",
        C: float = 1.0,
        bandwidth: float | None = None,
        degree: int = 2,
        constant: float = 1.0,
        tol: float = 1e-3,
        max_iter: int = 10_000_000,
        cache_size: float = 200.0,
    ) -> None:
        self.kernel = kernel
        self.C = C
        self.bandwidth = bandwidth
        self.degree = degree
        self.constant = constant
        self.tol = tol
        self.max_iter = max_iter
        self.cache_size = cache_size

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self.kernel == "precomputed"
        return tags

    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Find the multipliers, and the offset that goes with them.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples, or their Gram matrix if the kernel is precomputed.
        y : array-like of shape (n_samples,)
            Their labels, of two classes.
        sample_weight : array-like of shape (n_samples,), optional
            What multiplies the price of each sample's slack; zero leaves it out.

        Returns
        -------
        self
            The fitted estimator.
        """
        points = self._fit_matrix(X)
        weights = check_weights(sample_weight, len(points))
        labels = self._fit_signs(y, len(points), weights)
        rows, prices = self._prices(weights, len(points))
        used = self._without_others(points, rows)
        shares = None if weights is None else scale_by_power_of_two(weights[rows])[0]
        self.bandwidth_ = self._check_kernel(used, shares)
        kernel, unit = kernel_rows(self._kernel(), used, self.cache_size)
        found = solve_kernel_svm(
            kernel, unit, labels, prices, tol=self.tol, max_steps=self.max_iter
        )
        certificate, alpha = found.certificate, labels * found.beta
        self._keep(
            len(points),
            rows,
            _Evidence(alpha, certificate.primal, certificate.dual, found.gaps, found.n_steps),
        )
        balance = abs(float(found.beta.sum()))
        self.kkt_residuals_ = _residuals(certificate.margins, alpha, prices, balance)
        precomputed = self.kernel == "precomputed"
        self.support_vectors_ = np.empty((0, 0)) if precomputed else points[self.support_]
        beta = np.zeros(len(points))
        beta[rows] = found.beta
        self.dual_coef_ = beta[self.support_]
        # The scores of the linear kernel are those of centred points.
        linear = self.kernel == "linear"
        shift = float(column_means(used) @ self._weights()) if linear else 0.0
        self.offset_interval_ = certificate.low - shift, certificate.high - shift
        self.intercept_ = 0.5 * (certificate.low + certificate.high) - shift
        self._warn_about_rounding(found)
        return self

    def _without_others(self, points: Array, chosen: NDArray[np.intp]) -> Array:
        """Return the chosen samples: their rows, of a Gram matrix their columns too."""
        if self.kernel != "precomputed":
            return points[chosen]
        if points.shape[0] != points.shape[1]:
            raise ValueError(
                f"a precomputed kernel needs the square Gram matrix of the samples, got shape "
                f"{points.shape}."
            )
        return points[np.ix_(chosen, chosen)]

    def _check_kernel(self, points: Array, weights: Array | None) -> float:
        """Check the kernel against the points; return the bandwidth."""
        if self.kernel == "precomputed":
            check_gram(points)
        if callable(self.kernel):
            some = points[:200]
            check_gram(Kernel(self.kernel)(some, some))
        if self.bandwidth is not None:
            return float(self.bandwidth)
        centred = points - np.average(points.mean(axis=1), weights=weights)
        size = root_mean_square(centred)
        squares = np.average(((centred / size) ** 2).mean(axis=1), weights=weights)
        spread = size * math.sqrt(float(squares))
        # What is left of equal numbers is the rounding of their mean.
        equal = spread <= 4 * np.finfo(np.float64).eps * float(np.abs(points).max())
        return (1.0 if equal else spread) * math.sqrt(points.shape[1] / 2)

    def _kernel(self) -> Kernel:
        return Kernel(self.kernel, self.bandwidth_, self.degree, self.constant)

    def _warn_about_rounding(self, found: KernelSolution) -> None:
        """Warn if the rounding of the kernel alone may be more than the gap that was promised."""
        if found.uncertainty > self.tol:
            warn_at_caller(
                f"the kernel values, up to {found.largest:.1e}, differ so little between samples "
                f"that rounding may move the objective by {found.uncertainty:.1e} times itself, "
                f"above tol={self.tol:g}. Centre the features, or scale them.",
                ConvergenceWarning,
            )

    def _weights(self) -> Array:
        r"""Return :math:`\sum_i\alpha_iy_ix_i` for the linear kernel.

        The multipliers sum to zero, so that the points may be centred first.
        """
        vectors = self.support_vectors_
        return np.asarray(self.dual_coef_ @ (vectors - vectors.mean(axis=0)))

    def decision_function(self, X: ArrayLike) -> Array:
        r"""Return :math:`\sum_i\alpha_iy_ik(x_i,x)+\theta_0` for each sample.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples, or their kernel values with all training samples if the kernel is precomputed.

        Returns
        -------
        ndarray of shape (n_samples,)
            Positive where the second class is predicted.
        """
        points = self._use_matrix(X)
        if self.kernel == "linear":
            return np.asarray(points @ self._weights() + self.intercept_)
        scores = np.full(len(points), self.intercept_)
        kernel = self._kernel()
        for start in range(0, len(points), 1024):
            part = points[start : start + 1024]
            if self.kernel == "precomputed":
                values = part[:, self.support_]
            else:
                values = kernel(part, self.support_vectors_)
            scores[start : start + 1024] += values @ self.dual_coef_
        return scores
