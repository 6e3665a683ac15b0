r"""Support vector machines: the separating hyperplane that keeps the largest distance.

The soft margin minimises :math:`\frac12\lVert\theta\rVert^2+C\sum_i\xi_i` where
:math:`y_i(\langle\theta,x_i\rangle+\theta_0)\ge1-\xi_i` and :math:`\xi_i\ge0`. Its dual maximises
:math:`\sum_i\alpha_i-\frac12\lVert\sum_i\alpha_iy_ix_i\rVert^2` where :math:`0\le\alpha_i\le C` and
:math:`\sum_i\alpha_iy_i=0` (``thm-svm-soft-dual``). No dual value exceeds a primal one
(``thm-svm-soft-weak-duality``), so their difference bounds the error of any answer: every solver
here stops on that gap and reports it. See the chapter :doc:`/book/support_vector_machines`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlnotes._numerics import scale_by_power_of_two
from mlnotes.base import BinaryClassifier
from mlnotes.convex_duality import KKTResiduals
from mlnotes.exceptions import ConvergenceWarning, warn_at_caller
from mlnotes.kernels import (
    are_near,
    gaussian_exponents,
    gaussian_kernel,
    half_squares,
    linear_kernel,
    polynomial_kernel,
)
from mlnotes.perceptron import is_linearly_separable
from mlnotes.validation import (
    Array,
    check_count,
    check_matrix,
    check_positive,
    check_signs,
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
    "dual_objective",
    "hinge_loss",
    "hinge_subgradient",
    "logistic_loss",
    "offset_interval",
    "primal_objective",
    "squared_hinge_loss",
    "svm_kkt_residuals",
]

Kernel = Callable[[Array, Array], ArrayLike]

# Prices of slack whose sums and squares floats can hold.
CHEAPEST, DEAREST = 1e-150, 1e150


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
    return np.maximum(0.0, 1.0 - np.asarray(margins, dtype=np.float64))


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
    return np.logaddexp(0.0, -np.asarray(margins, dtype=np.float64))


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
    K = check_matrix(gram, name="gram")
    if K.shape[0] != K.shape[1]:
        raise ValueError(f"gram must be square, one row and column a sample, got shape {K.shape}.")
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
    kinks = signs - s
    if not np.isfinite(prices).all():
        low, high = float(kinks[signs > 0].max()), float(kinks[signs < 0].min())
        if low > high:
            raise ValueError(
                f"no offset gives every margin 1: it would have to be at least {low:g} and at most "
                f"{high:g}. Pass the scores of a separating plane, or a finite C."
            )
        return low, high
    order = np.argsort(kinks)
    # The slope right of each kink, from the end at which no terms much above it are added up;
    # rounding must not hide that it is zero.
    rising, falling = prices[signs < 0].sum(), prices[signs > 0].sum()
    if falling <= rising:
        slopes = np.cumsum(prices[order]) - falling
    else:
        slopes = rising - np.append(np.cumsum(prices[order[:0:-1]])[::-1], 0.0)
    flat = 1e-12 * min(rising, falling)
    first = int(np.argmax(slopes >= -flat))
    last = int(np.argmax(slopes > flat))
    return float(kinks[order[first]]), float(kinks[order[last]])


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


class _SVM(BinaryClassifier):
    """What all support vector machines share: reading the problem, reporting the evidence."""

    C: float
    tol: float

    alpha_: Array
    support_: NDArray[np.intp]
    intercept_: float
    objective_: float
    dual_objective_: float
    dual_gap_: float
    gaps_: Array
    kkt_residuals_: KKTResiduals
    n_iter_: int

    def _price(self, *, infinite: bool) -> float:
        """Return C after checking it."""
        if isinstance(self.C, float) and math.isinf(self.C) and self.C > 0:
            if infinite:
                return math.inf
            raise ValueError(
                f"C must be finite for {type(self).__name__}; for the hard margin use "
                "LinearSVM(C=inf)."
            )
        price = check_positive(self.C, "C")
        if not CHEAPEST <= price <= DEAREST:
            raise ValueError(f"C must be between {CHEAPEST:g} and {DEAREST:g}, got {price:g}.")
        return price

    def _weigh(self, weights: Array | None, n: int, price: float) -> tuple[NDArray[np.intp], Array]:
        """Return the rows of positive weight and the price of slack at each of them."""
        rows = rows_that_count(weights, n)
        if weights is None:
            return rows, np.full(n, price)
        with np.errstate(over="ignore"):
            prices = price * weights[rows]
        if math.isfinite(price) and not (CHEAPEST <= prices.min() <= prices.max() <= DEAREST):
            raise ValueError(
                "C times sample_weight, the price of slack, must be 0 or between "
                f"{CHEAPEST:g} and {DEAREST:g}, got {prices.min():.1e} to {prices.max():.1e}; "
                "scale the weights, or leave samples out with weight 0."
            )
        return rows, prices

    def _keep(
        self,
        n: int,
        rows: NDArray[np.intp],
        alpha: Array,
        primal: float,
        dual: float,
        gaps: list[float],
        steps: int | None = None,
    ) -> None:
        """Set what every solver reports, and warn if the gap is not closed."""
        self.alpha_ = np.zeros(n)
        self.alpha_[rows] = alpha
        self.support_ = np.flatnonzero(self.alpha_ > 0)
        self.objective_ = primal
        self.dual_objective_ = dual
        self.dual_gap_ = max(primal - dual, 0.0)
        self.gaps_ = np.array(gaps)
        self.n_iter_ = len(gaps) if steps is None else steps
        share = self.dual_gap_ / primal if math.isfinite(primal) else math.inf
        if share > self.tol:
            warn_at_caller(
                f"{type(self).__name__} stopped after {self.n_iter_} iterations with a duality "
                f"gap of {share:.1e} times the objective, above "
                f"tol={self.tol:g}. Raise max_iter or tol, or scale the features.",
                ConvergenceWarning,
            )


class _LinearSVMBase(_SVM):
    """Prediction by a hyperplane."""

    _squares = True

    fit_intercept: bool

    coef_: Array
    margin_: float

    def decision_function(self, X: ArrayLike) -> Array:
        r"""Return :math:`\langle\theta,x\rangle+\theta_0` for each sample.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples.

        Returns
        -------
        ndarray of shape (n_samples,)
            Positive where the second class is predicted; at least 1 in absolute value outside the
            margin.
        """
        return np.asarray(self._use_matrix(X) @ self.coef_ + self.intercept_)

    def _set_plane(self, theta: Array, offset: float) -> None:
        length = float(np.linalg.norm(theta))
        self.coef_ = theta
        self.intercept_ = offset
        self.margin_ = 1.0 / length if length > 0 else math.inf


class LinearSVM(_LinearSVMBase):
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
        rows, prices = self._weigh(weights, len(points), self._price(infinite=True))
        tol = check_positive(self.tol, "tol")
        steps = check_count(self.max_iter, "max_iter")
        used = points[rows]
        hard = not np.isfinite(prices).all()
        if hard and not is_linearly_separable(used, labels, fit_intercept=self.fit_intercept):
            raise ValueError(
                "no hyperplane separates the classes, so that the hard margin (C=inf) has no "
                "solution; pass a finite C."
            )
        centre = _centre(used) if self.fit_intercept else np.zeros(points.shape[1])
        scale = _spread(used - centre)
        Z = labels[:, None] * ((used - centre) / scale)
        reduced, basis = _in_their_span(Z)
        sides = labels if self.fit_intercept else None
        total = _total(prices, sides)
        # The problem of the points as they are is that of Z at prices times scale².
        unit = scale**2 if hard else max(scale**2, _proportional(total, _reach(Z)))
        payable = np.minimum(prices, np.inf if hard else min(total, 1e250 / unit))
        alpha, theta, gaps = _interior_point(reduced, sides, unit * payable, tol, steps)
        theta = (theta if basis is None else basis @ theta) * (scale / unit)
        alpha = np.minimum(alpha / unit, prices)
        self._finish(points, labels, rows, prices, theta, alpha, gaps)
        return self

    def _finish(
        self,
        points: Array,
        labels: Array,
        rows: NDArray[np.intp],
        prices: Array,
        theta: Array,
        alpha: Array,
        gaps: list[float],
    ) -> None:
        """Choose the offset, and compute the evidence in the units of the data."""
        used, free = points[rows], self.fit_intercept
        # Around their mean the points and the offset are of one size.
        centre = _centre(used) if free else np.zeros(used.shape[1])
        centred = used - centre
        span = (labels * alpha) @ centred
        plane = _plane(centred, labels, prices, span, free)
        # The weights that the multipliers give are the better ones if those are at their ends, and
        # rounding of the cost, of which cheap slack is nearly all, must not decide against them.
        other = _plane(centred, labels, prices, theta, free)
        if other.primal < (1 - 1e-14) * plane.primal:
            plane = other
        shift = float(centre @ plane.theta)
        low, high = plane.low - shift, plane.high - shift
        self.offset_interval_ = (low, high) if free else (0.0, 0.0)
        self._set_plane(plane.theta, 0.5 * (low + high) if free else 0.0)
        dual = float(alpha.sum() - 0.5 * span @ span)
        balance = abs(float(labels @ alpha)) if free else 0.0
        slope = max(float(np.abs(plane.theta - span).max()), balance)
        self._keep(len(points), rows, alpha, plane.primal, dual, gaps)
        self.kkt_residuals_ = _residuals(plane.margins, alpha, prices, slope)


def _total(prices: Array, labels: Array | None) -> float:
    r"""Return what all multipliers of a class sum to at most; without an offset, all of both.

    With one, :math:`\sum_i\alpha_iy_i=0`, so that the class of the lower total price decides. No
    multiplier is then above that total, whatever the price of its own point.
    """
    if labels is None:
        return float(prices.sum())
    return float(min(prices[labels > 0].sum(), prices[labels < 0].sum()))


def _reach(points: Array) -> float:
    """Return the largest squared distance from the origin, 1 if it is less."""
    return max(float(np.einsum("ij,ij->i", points, points).max()), 1.0)


def _proportional(total: float, square: float) -> float:
    r"""Return the factor up to which multipliers and weights are proportional to the prices.

    Let T be the ``total`` that the multipliers of a class sum to at most, and :math:`R^2` the
    largest ``square`` of a distance from the origin: then :math:`\lVert\theta\rVert\le2TR`. The
    best offset is where a point of the dearer class has margin 1, so that no margin of the cheaper
    class is above :math:`-1+4TR^2`. While :math:`TR^2\le\frac14` all points of that class pay in
    full, and lower prices change the KKT conditions by a factor alone. (Without an offset no
    margin is above :math:`TR^2`, and all points pay.)

    A gap that is small beside the objective, nearly all of which is slack then, says nothing about
    the weights. At prices multiplied by this factor it does.
    """
    # Points that do not differ have no weights to speak of.
    return 0.25 / max(total * square, 1e-250) if square > 0 else 1.0


class _Plane(NamedTuple):
    """Weights, the best offsets for them, the margins at the middle one, and the cost."""

    theta: Array
    low: float
    high: float
    margins: Array
    primal: float


def _plane(points: Array, labels: Array, prices: Array, theta: Array, free: bool) -> _Plane:
    """Return the best plane with these weights; for a hard margin, with their direction."""
    scores = points @ theta
    if np.isfinite(prices).all():
        low, high = offset_interval(scores, labels, prices) if free else (0.0, 0.0)
        margins = labels * (scores + 0.5 * (low + high))
        paid = float(prices @ hinge_loss(margins))
        return _Plane(theta, low, high, margins, 0.5 * float(theta @ theta) + paid)
    offset = _halfway(scores, labels) if free else 0.0
    margins = labels * (scores + offset)
    least = float(margins.min())
    if least <= 0:
        return _Plane(theta, offset, offset, margins, math.inf)
    theta, offset = theta / least, offset / least
    return _Plane(theta, offset, offset, margins / least, 0.5 * float(theta @ theta))


def _halfway(scores: Array, labels: Array) -> float:
    """Return the offset that leaves both classes the same room: the only one of a hard margin."""
    return -0.5 * float(scores[labels > 0].min() + scores[labels < 0].max())


def _centre(points: Array) -> Array:
    """Return the mean of the points, exact in a coordinate that all of them share.

    A mean that is rounded would leave such a coordinate a spread of the size of rounding.
    """
    shared = (points == points[0]).all(axis=0)
    return np.asarray(np.where(shared, points[0], points.mean(axis=0)))


def _spread(points: Array) -> float:
    """Return the root mean square of the coordinates, 1 if all vanish."""
    largest = float(np.abs(points).max())
    if largest == 0:
        return 1.0
    return largest * float(np.sqrt(np.mean((points / largest) ** 2)))


def _in_their_span(Z: Array) -> tuple[Array, Array | None]:
    """Return fewer coordinates of fewer points than dimensions, and the basis they refer to.

    The optimal weights are a combination of the points, so that nothing is lost.
    """
    n, d = Z.shape
    if d <= n:
        return Z, None
    basis, coordinates = np.linalg.qr(Z.T)
    return np.ascontiguousarray(coordinates.T), basis


def _interior_point(
    Z: Array, labels: Array | None, C: Array, tol: float, max_iter: int
) -> tuple[Array, Array, list[float]]:
    r"""Solve the support vector machine of the signed points :math:`z_i=y_ix_i`.

    With :math:`t_i=y_if(x_i)-1+\xi_i` and :math:`b_i=C_i-\alpha_i` the KKT conditions are
    :math:`\theta=\sum_i\alpha_iz_i`, :math:`\sum_i\alpha_iy_i=0`, :math:`\alpha_it_i=0` and
    :math:`b_i\xi_i=0`. Newton's method aims at :math:`\alpha_it_i=b_i\xi_i=\mu`; eliminating all
    but :math:`\theta` leaves one system with the matrix :math:`I+Z^\top DZ`. Mehrotra's predictor
    tells how far :math:`\mu` may fall, and his corrector mends the product of the two steps.

    ``labels`` is None if there is no offset. Returns multipliers that are feasible for the dual,
    the weights, and the relative gap at each step.
    """
    n, d = Z.shape
    hard = not np.isfinite(C).all()
    rows = Z if labels is None else np.column_stack([Z, labels])
    penalty = np.ones(rows.shape[1])
    penalty[d:] = 0.0
    a = np.ones(n) if hard else C / 2
    b = np.full(n, np.inf) if hard else C - a
    w, t, xi = np.zeros(rows.shape[1]), np.ones(n), np.zeros(n) if hard else np.ones(n)
    best = np.inf, a, w[:d]
    gaps: list[float] = []
    for _ in range(max_iter):
        margins = rows @ w
        gap, alpha = _relative_gap(rows, labels, w, margins, a, C, t, xi)
        gaps.append(gap)
        if gap < best[0]:
            best = gap, alpha, w[:d]
        if gap <= tol:
            break
        # A step that leaves the range of floats ends the run, and the gap tells how far it came.
        with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
            step = _newton_direction(rows, penalty, margins, w, a, b, t, xi, hard)
        if step is None:
            break
        w, a, t, xi = step
        b = b if hard else np.maximum(C - a, 1e-300)
    return best[1], best[2], gaps


def _relative_gap(
    rows: Array,
    labels: Array | None,
    w: Array,
    margins: Array,
    a: Array,
    C: Array,
    t: Array,
    xi: Array,
) -> tuple[float, Array]:
    """Return the gap over the objective, and multipliers that are feasible for the dual.

    A multiplier of an interior point is never zero and never C. The one of the two factors in
    each product that is small tells at which end of the box it will be.
    """
    d = rows.shape[1] - (labels is not None)
    theta = w[:d]
    square = 0.5 * float(theta @ theta)
    if not np.isfinite(C).all():
        least = float(margins.min())
        primal = square / least**2 if least > 0 else np.inf
        rounded = np.where(a < t, 0.0, a)
    else:
        primal = square + float(C @ np.maximum(1 - margins, 0.0))
        rounded = np.where(a < t * C, 0.0, np.where(C - a < xi * C, C, a))
    gap, chosen = np.inf, a
    for alpha in (rounded, a):
        feasible = alpha if labels is None else _balanced(alpha, labels)
        span = feasible @ rows[:, :d]
        with np.errstate(over="ignore"):
            dual = float(feasible.sum()) - 0.5 * float(span @ span)
        if np.isfinite(primal) and primal - dual < gap:
            gap, chosen = primal - dual, feasible
        if gap <= 1e-6 * primal:
            break
    if not np.isfinite(gap):
        return gap, chosen
    return (gap / primal if primal > 0 else 0.0), chosen


def _balanced(alpha: Array, labels: Array) -> Array:
    r"""Return multipliers with :math:`\sum_i\alpha_iy_i=0` by scaling down the heavier class."""
    positive = labels > 0
    above, below = float(alpha[positive].sum()), float(alpha[~positive].sum())
    least = min(above, below)
    up, down = least / above if above else 0.0, least / below if below else 0.0
    return np.where(positive, up * alpha, down * alpha)


def _newton_direction(
    rows: Array,
    penalty: Array,
    margins: Array,
    w: Array,
    a: Array,
    b: Array,
    t: Array,
    xi: Array,
    hard: bool,
) -> tuple[Array, Array, Array, Array] | None:
    """Return the next iterate; None if the system cannot be solved any more."""
    n, d = rows.shape
    count = n if hard else 2 * n
    slope = penalty * w - a @ rows
    slack = margins + xi - 1 - t
    curvature = 1 / (t / a + xi / b)  # (n,): the diagonal matrix D
    scaled = rows * np.sqrt(curvature)[:, None]
    system = scaled.T @ scaled
    diagonal = system.diagonal() + penalty
    # Against rounding; where slack is cheap the entry of the offset is far smaller than 1.
    system.flat[:: d + 1] = diagonal + 1e-13 * np.minimum(diagonal, 1.0)
    try:
        factor = np.linalg.cholesky(system)
    except np.linalg.LinAlgError:
        return None
    mu = float(a @ t + (0.0 if hard else b @ xi)) / count

    def direction(at: Array, bxi: Array) -> tuple[Array, Array, Array, Array]:
        """Solve for the step that changes a * t by ``at`` and b * xi by ``bxi``."""
        right = (at / a - bxi / b - slack) * curvature
        dw = np.linalg.solve(factor.T, np.linalg.solve(factor, right @ rows - slope))
        da = right - (rows @ dw) * curvature
        return dw, da, (at - t * da) / a, (bxi + xi * da) / b

    def longest(da: Array, dt: Array, dxi: Array) -> float:
        """Return the inverse of the share of the step after which something would vanish."""
        shares = [-(da / a).min(), -(dt / t).min()]
        if not hard:
            shares += [(da / b).max(), -(dxi / xi).min()]
        return max(1.0, *map(float, shares))

    _, da, dt, dxi = direction(-a * t, -b * xi if not hard else np.zeros(n))
    length = 1 / longest(da, dt, dxi)
    ahead = float((a + length * da) @ (t + length * dt))
    if not hard:
        ahead += float((b - length * da) @ (xi + length * dxi))
    centre = (max(ahead, 0.0) / count / mu) ** 3 * mu
    bxi = np.zeros(n) if hard else centre - b * xi + da * dxi
    dw, da, dt, dxi = direction(centre - a * t - da * dt, bxi)
    length = min(1.0, 0.995 / longest(da, dt, dxi))
    if not np.isfinite(dw).all():
        return None
    return w + length * dw, a + length * da, t + length * dt, xi + length * dxi


class _Rows:
    """Rows of the kernel matrix of some points, computed when asked for and kept while they fit.

    Only points whose multiplier moves are ever asked for, which is why the whole matrix need not
    exist.
    """

    def __init__(self, kernel: str | Kernel, points: Array, params: dict[str, Any]) -> None:
        self.kernel = kernel
        self.params = params
        self.points = points
        self.kept: dict[int, Array] = {}
        self.room = int(params["megabytes"] * 2**20 // (8 * len(points))) + 2
        # Half the squared norms, for the exponent of the Gaussian kernel.
        self.halves = half_squares(points)
        self.near = are_near(self.halves)
        self.chosen = np.arange(len(points))
        self._diagonal: Array | None = None

    def diagonal(self) -> Array:
        """Return the kernel of every point with itself."""
        if self._diagonal is None:
            self._diagonal = self._compute_diagonal()
        return self._diagonal

    def _compute_diagonal(self) -> Array:
        if self.kernel == "gaussian":
            return np.ones(len(self.points))
        if self.kernel == "precomputed":
            return np.asarray(self.points[np.arange(len(self.points)), self.chosen])
        if self.kernel == "linear":
            return np.asarray(2 * self.halves)
        return np.array([float(self._against([i], [i])[0, 0]) for i in range(len(self.points))])

    def __call__(self, i: int) -> Array:
        row = self.kept.get(i)
        if row is None:
            if self.kernel == "gaussian" and self.near:
                row = self.points @ self.points[i]
                row -= self.halves
                row -= self.halves[i]
                np.exp(row, out=row)
                row[i] = 1.0
            else:
                row = np.ascontiguousarray(self._against(slice(None), [i])[:, 0])
            if callable(self.kernel):
                _check_distances(self.diagonal() + self.diagonal()[i] - 2 * row, self.diagonal())
            if len(self.kept) >= self.room:
                del self.kept[next(iter(self.kept))]
            self.kept[i] = row
        return row

    def _against(self, some: Any, others: Any) -> Array:
        """Return the kernel of some points (rows) with others (columns)."""
        if self.kernel == "precomputed":
            return np.asarray(self.points[some][:, self.chosen[others]])
        A, B = self.points[some], self.points[others]
        if self.kernel == "gaussian":
            if not self.near:
                return np.exp(gaussian_exponents(A, B))
            exponents = A @ B.T
            exponents -= self.halves[some][:, None]
            exponents -= self.halves[others]
            return np.asarray(np.exp(exponents))
        return _evaluate(self.kernel, A, B, self.params)

    def times(self, some: NDArray[np.intp], others: NDArray[np.intp], values: Array) -> Array:
        """Return the product of a block of the matrix with a vector, a few columns at a time."""
        total = np.zeros(len(some))
        for start in range(0, len(others), 256):
            part = slice(start, start + 256)
            total += self._against(some, others[part]) @ values[part]
        return total

    def product(self, values: Array) -> Array:
        """Return the product of the matrix with a vector, from rows that were kept if possible."""
        total = np.zeros(len(values))
        used = np.flatnonzero(values).tolist()
        for start in range(0, len(used), 256):
            part = used[start : start + 256]
            missing = [i for i in part if i not in self.kept]
            values_of = self._against(missing, slice(None)) if missing else ()
            fresh = dict(zip(missing, values_of, strict=True))
            if len(self.kept) + len(fresh) <= self.room:
                self.kept |= fresh
            block = [fresh[i] if i in fresh else self.kept[i] for i in part]
            total += values[part] @ np.array(block)
        return total

    def restricted(self, active: NDArray[np.intp]) -> _Rows:
        """Return the rows for fewer points, taking along what was computed."""
        smaller = _Rows(self.kernel, self.points[active], self.params)
        smaller.chosen = self.chosen[active]
        smaller._diagonal = self.diagonal()[active]
        place = {int(i): k for k, i in enumerate(active)}
        for i, row in self.kept.items():
            if i in place:
                smaller.kept[place[i]] = row[active]
        return smaller


def _evaluate(kernel: str | Kernel, A: Array, B: Array, params: dict[str, Any]) -> Array:
    """Return the kernel matrix of two sets of points."""
    if callable(kernel):
        values = np.asarray(kernel(A, B), dtype=np.float64)
        if values.shape != (len(A), len(B)):
            raise ValueError(
                f"the kernel returned shape {values.shape} for {len(A)} and {len(B)} points; it "
                "must return one row for each of the first and one column for each of the second."
            )
        if not np.isfinite(values).all():
            raise ValueError("the kernel returned values that are not finite numbers.")
        return values
    if kernel == "linear":
        return linear_kernel(A, B)
    if kernel == "polynomial":
        return polynomial_kernel(A, B, degree=params["degree"], constant=params["constant"])
    return gaussian_kernel(A, B, bandwidth=params["bandwidth"])


# What rounding, also that of single precision, may take from a kernel.
_SLIP = 1e-6


def _check_distances(squares: Array, diagonal: Array) -> None:
    """Refuse a kernel that puts two points at a distance whose square is negative."""
    if squares.min() < -_SLIP * float(diagonal.max()):
        raise ValueError(
            "the kernel is not one: k(x, x) + k(x', x') - 2 k(x, x'), a squared distance, is "
            f"{float(squares.min()):g} for two samples."
        )


def _check_gram(K: Array) -> None:
    """Refuse a matrix that cannot hold the inner products of any points."""
    scale = float(np.abs(K).max())
    if not np.allclose(K, K.T, rtol=0.0, atol=_SLIP * scale):
        raise ValueError("the kernel is not symmetric: k(x, x') and k(x', x) must be equal.")
    diagonal = K.diagonal()
    if diagonal.min() < 0:
        raise ValueError(
            f"the kernel is not one: k(x, x), a squared length, is {float(diagonal.min()):g} for "
            "a sample."
        )
    _check_distances(diagonal[:, None] + diagonal - 2 * K, diagonal)
    some = K[:500, :500]
    lowest = float(np.linalg.eigvalsh(some)[0])
    if lowest < -_SLIP * len(some) * scale:
        raise ValueError(
            f"the kernel is not one: its matrix has the eigenvalue {lowest:g}, so that it holds "
            "the inner products of no points and a duality gap would prove nothing."
        )


class _DualState(NamedTuple):
    r"""The dual in the variables :math:`\beta_i=\alpha_iy_i`, which sum to zero.

    ``slope`` is the gradient :math:`y-K\beta` of the dual objective; ``low`` and ``high`` are the
    ends of the box. All arrays are changed in place.
    """

    beta: Array
    slope: Array
    low: Array
    high: Array

    def at(self, active: NDArray[np.intp]) -> _DualState:
        """Return a copy of the state of fewer points."""
        return _DualState(*(part[active] for part in self))

    def violation(self) -> tuple[float, float]:
        """Return the greatest slope of those that may rise and the least of those that may fall."""
        rising = self.slope[self.beta < self.high].max(initial=-np.inf)
        falling = self.slope[self.beta > self.low].min(initial=np.inf)
        return float(rising), float(falling)


def _smo(rows: _Rows, state: _DualState, tol: float, max_steps: int) -> tuple[int, bool]:
    r"""Move two multipliers at a time until no pair could gain more than ``tol`` a unit.

    The pair :math:`\beta_i+t,\beta_j-t` keeps the sum, and the dual gains
    :math:`t(f_i-f_j)-\frac12t^2\eta` with :math:`\eta=K_{ii}+K_{jj}-2K_{ij}`: most at
    :math:`t=(f_i-f_j)/\eta`, unless the box ends before (``lem-svm-two-multipliers``). The first
    index has the steepest slope of those that may rise; the second promises the greatest gain,
    :math:`(f_i-f_j)^2/2\eta`.
    """
    n = len(state.beta)
    diagonal = rows.diagonal()
    # Two copies of the slope: where a multiplier cannot rise (fall) it must not be chosen to.
    both = np.empty((2, n))
    rising, falling = both
    rising[:] = np.where(state.beta < state.high, state.slope, -np.inf)
    falling[:] = np.where(state.beta > state.low, state.slope, np.inf)
    beta, low, high = state.beta.tolist(), state.low.tolist(), state.high.tolist()
    gain, curvature = np.empty(n), np.empty(n)
    # Rows of duplicate points agree; without a floor the step between them would be 0/0.
    floor = 1e-12 * (float(diagonal.max()) or 1.0)
    tol = max(tol, _blur(state.beta, diagonal))
    converged = False
    steps = 0
    while steps < max_steps:
        i = int(rising.argmax())
        row = rows(i)
        top = float(rising[i])
        np.multiply(row, -2.0, curvature)
        curvature += diagonal
        curvature += diagonal[i]
        np.maximum(curvature, floor, out=curvature)
        np.subtract(top, falling, gain)
        np.maximum(gain, 0.0, out=gain)
        gain *= gain
        gain /= curvature
        j = int(gain.argmax())
        difference = top - float(falling[j])
        if not difference > 0 or (difference <= tol and top - float(falling.min()) <= tol):
            converged = True
            break
        step = min(difference / float(curvature[j]), high[i] - beta[i], beta[j] - low[j])
        np.subtract(row, rows(j), curvature)
        curvature *= step
        both -= curvature
        steps += 1
        at_i, at_j = top - float(curvature[i]), float(top - difference - curvature[j])
        # Exactly at the end of the box, so that the comparison below is exact too.
        beta[i] = high[i] if step == high[i] - beta[i] else beta[i] + step
        beta[j] = low[j] if step == beta[j] - low[j] else beta[j] - step
        rising[i], falling[i] = at_i if beta[i] < high[i] else -np.inf, at_i
        rising[j], falling[j] = at_j, at_j if beta[j] > low[j] else np.inf
    state.beta[:] = beta
    np.copyto(state.slope, np.where(np.isfinite(rising), rising, falling))
    return steps, converged


def _blur(beta: Array, diagonal: Array) -> float:
    r"""Return what rounding may do to a score :math:`\sum_j\beta_jK_{ij}`.

    :math:`|K_{ij}|\le\sqrt{K_{ii}K_{jj}}`, and every product is rounded.
    """
    lengths = np.sqrt(np.maximum(diagonal, 0.0))
    return float(4 * np.finfo(np.float64).eps * lengths.max() * (np.abs(beta) @ lengths))


def _shrinking_smo(rows: _Rows, state: _DualState, tol: float, max_steps: int) -> int:
    """Run SMO, setting aside the multipliers that seem to have come to rest at an end of the box.

    Once the others are optimal, the slopes of those set aside are computed again and all take part:
    nothing is lost if one was set aside too early.
    """
    n = len(state.beta)
    everyone = np.arange(n)
    budget = max(500, n // 4)
    done = 0
    while done < max_steps:
        steps, converged = _smo(rows, state, tol, min(budget, max_steps - done))
        done += steps
        if converged:
            break
        active, inner, part = everyone, rows, state
        while done < max_steps and not converged:
            keep = _may_move(part)
            if len(keep) < 0.9 * len(active):
                if part is state:
                    before = state.beta.copy()  # the slopes of those set aside are of this moment
                state.beta[active] = part.beta
                active, inner, part = active[keep], inner.restricted(keep), part.at(keep)
            steps, converged = _smo(inner, part, tol, min(budget, max_steps - done))
            done += steps
        if part is not state:
            state.beta[active] = part.beta
            rest = np.setdiff1d(everyone, active, assume_unique=True)
            moved = np.flatnonzero(state.beta != before)
            state.slope[active] = part.slope
            state.slope[rest] -= rows.times(rest, moved, (state.beta - before)[moved])
    return done


def _may_move(state: _DualState) -> NDArray[np.intp]:
    """Return the multipliers inside the box, or at an end with a slope that is not yet clear."""
    rising, falling = state.violation()
    can_rise, can_fall = state.beta < state.high, state.beta > state.low
    return np.flatnonzero(
        (can_rise & can_fall)
        | (can_rise & (state.slope > falling))
        | (can_fall & (state.slope < rising))
    )


def _polish(rows: _Rows, state: _DualState, most: int) -> bool:
    r"""Solve for all multipliers inside the box at once, with the others held where they are.

    There the slope must be one constant :math:`\rho`: a linear system. The step is cut where it
    would leave the box, and gains in any case, because the dual is concave. Nothing is done if more
    than ``most`` multipliers are inside; returns whether a step was taken.
    """
    free = np.flatnonzero((state.beta > state.low) & (state.beta < state.high))
    m = len(free)
    if not 1 < m <= most:
        return False
    K = rows.restricted(free)._against(slice(None), slice(None))
    # The step sums to zero, so that a constant added to the kernel changes nothing; it keeps apart
    # what the kernel of few features, centred, could not tell from zero. Points in few dimensions
    # leave the matrix singular all the same, and would give a step of any size.
    size = np.trace(K) / m
    K += size
    K.flat[:: m + 1] += 1e-9 * size
    try:
        solved = np.linalg.solve(K, np.column_stack([state.slope[free], np.ones(m)]))
    except np.linalg.LinAlgError:
        return False
    step = solved[:, 0] - solved[:, 0].sum() / solved[:, 1].sum() * solved[:, 1]
    if not np.isfinite(step).all() or step @ state.slope[free] < 0:
        return False
    beta, low, high = state.beta[free], state.low[free], state.high[free]
    with np.errstate(divide="ignore", invalid="ignore"):
        room = np.where(step > 0, (high - beta) / step, (low - beta) / step)
    share = min(1.0, float(room[step != 0].min(initial=1.0)))
    step -= step.mean()
    state.beta[free] = np.clip(beta + share * step, low, high)
    moved = np.zeros(len(state.beta))
    moved[free] = state.beta[free] - beta
    state.slope[:] -= rows.product(moved)
    return True


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

    support_vectors_: Array
    dual_coef_: Array
    bandwidth_: float
    offset_interval_: tuple[float, float]

    def __init__(
        self,
        *,
        kernel: str | Kernel = "gaussian",
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
        check_positive(self.tol, "tol")
        steps = check_count(self.max_iter, "max_iter")
        price = self._price(infinite=True)
        chosen, prices = self._weigh(weights, len(points), price)
        used = self._without_others(points, chosen)
        shares = None if weights is None else scale_by_power_of_two(weights[chosen])[0]
        bandwidth = self._check_kernel(used, shares)
        rows = self._rows(used, bandwidth)
        farthest = float(rows.diagonal().max())
        lift = max(1.0, _proportional(_total(prices, labels), farthest))
        box = lift * prices if math.isfinite(price) else _stand_in(rows, labels)
        state = _DualState(
            beta=np.zeros(len(chosen)),
            slope=labels.copy(),
            low=np.where(labels > 0, 0.0, -box),
            high=np.where(labels > 0, box, 0.0),
        )
        moved, gaps = self._solve(rows, state, labels, lift * prices, steps)
        state.beta[:] /= lift
        state.slope[:] = labels - (labels - state.slope) / lift
        self.bandwidth_ = bandwidth
        self._report(points, chosen, labels, prices, rows, state, gaps, moved)
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
        known = ("gaussian", "polynomial", "linear", "precomputed")
        if not callable(self.kernel) and self.kernel not in known:
            raise ValueError(f"kernel must be callable or one of {known}, got {self.kernel!r}.")
        if self.kernel == "precomputed":
            _check_gram(points)
        if callable(self.kernel):
            some = points[:200]
            _check_gram(_evaluate(self.kernel, some, some, {}))
        if self.bandwidth is not None:
            return check_positive(self.bandwidth, "bandwidth")
        centred = points - np.average(points.mean(axis=1), weights=weights)
        size = _spread(centred)
        squares = np.average(((centred / size) ** 2).mean(axis=1), weights=weights)
        spread = size * math.sqrt(float(squares))
        # What is left of equal numbers is the rounding of their mean.
        equal = spread <= 4 * np.finfo(np.float64).eps * float(np.abs(points).max())
        return (1.0 if equal else spread) * math.sqrt(points.shape[1] / 2)

    def _params(self, bandwidth: float) -> dict[str, Any]:
        return {
            "bandwidth": bandwidth,
            "degree": self.degree,
            "constant": self.constant,
            "megabytes": check_positive(self.cache_size, "cache_size"),
        }

    def _rows(self, points: Array, bandwidth: float) -> _Rows:
        """Return the rows of the kernel matrix, of centred points if that changes no machine.

        The offset takes up a translation; far from the origin the digits would be lost to it.
        """
        with np.errstate(over="ignore", invalid="ignore"):
            if self.kernel == "gaussian":
                centred = (points - _centre(points)) / bandwidth
                # Points far apart keep their distances only as they are.
                points = centred if are_near(half_squares(centred)) else points / bandwidth
            elif self.kernel == "linear":
                points = points - _centre(points)
            rows = _Rows(self.kernel, points, self._params(bandwidth))
            sizes = rows.halves if self.kernel == "gaussian" else rows.diagonal()
        if not np.isfinite(sizes).all():
            raise ValueError(
                f"the {self.kernel} kernel of these samples exceeds any float; scale the features, "
                "for instance to mean 0 and variance 1."
            )
        return rows

    def _solve(
        self, rows: _Rows, state: _DualState, labels: Array, prices: Array, max_steps: int
    ) -> tuple[int, list[float]]:
        """Tighten the tolerance of SMO until the duality gap is closed."""
        moved, slack = 0, 1e-3
        gaps: list[float] = []
        while True:
            moved += _shrinking_smo(rows, state, slack, max_steps - moved)
            gaps.append(_kernel_gap(state, labels, prices)[2])
            if math.isinf(prices[0]) and moved < max_steps and _raise_price(rows, state, labels):
                continue
            # A small system is solved in any case: it makes the answer exact up to rounding.
            small = _polish(rows, state, 500 if gaps[-1] <= self.tol else 2000)
            if small:
                gaps.append(_kernel_gap(state, labels, prices)[2])
            enough = 1e-13 if small else self.tol
            stuck = moved >= max_steps or slack < 1e-10
            if gaps[-1] <= min(self.tol, enough) or stuck:
                # The slopes were carried along for many steps; what is promised is computed anew.
                np.subtract(labels, rows.product(state.beta), out=state.slope)
                gaps[-1] = _kernel_gap(state, labels, prices)[2]
                if math.isinf(gaps[-1]) and moved < max_steps:
                    raise ValueError(_INSEPARABLE)
                if gaps[-1] <= self.tol or stuck:
                    return moved, gaps
            slack /= 10

    def _report(
        self,
        points: Array,
        chosen: NDArray[np.intp],
        labels: Array,
        prices: Array,
        rows: _Rows,
        state: _DualState,
        gaps: list[float],
        moved: int,
    ) -> None:
        """Set the fitted attributes."""
        alpha = labels * state.beta
        primal, dual, _ = _kernel_gap(state, labels, prices)
        scores = labels - state.slope
        low, high = _best_offsets(scores, labels, prices)
        margins = labels * (scores + 0.5 * (low + high))
        self._keep(len(points), chosen, alpha, primal, dual, gaps, moved)
        self.kkt_residuals_ = _residuals(margins, alpha, prices, abs(float(state.beta.sum())))
        precomputed = self.kernel == "precomputed"
        self.support_vectors_ = np.empty((0, 0)) if precomputed else points[self.support_]
        signs = np.zeros(len(points))
        signs[chosen] = labels
        self.dual_coef_ = (signs * self.alpha_)[self.support_]
        # The scores of the linear kernel are those of centred points.
        centre = _centre(points[chosen]) if self.kernel == "linear" else None
        shift = 0.0 if centre is None else float(centre @ self._weights())
        self.offset_interval_ = low - shift, high - shift
        self.intercept_ = 0.5 * (low + high) - shift
        self._doubt(rows, state, prices, margins)

    def _doubt(self, rows: _Rows, state: _DualState, prices: Array, margins: Array) -> None:
        """Warn if the rounding of the kernel alone may be more than the gap that was promised."""
        diagonal = rows.diagonal()
        blur = _blur(state.beta, diagonal)
        paying = prices[margins < 1].sum() if np.isfinite(prices).all() else 2 * self.objective_
        share = blur * (float(np.abs(state.beta).sum()) + float(paying)) / self.objective_
        if share > self.tol and math.isfinite(self.objective_):
            warn_at_caller(
                f"the kernel values, up to {float(diagonal.max()):.1e}, differ so little between "
                f"samples that rounding may move the objective by {share:.1e} times itself, above "
                f"tol={self.tol:g}. Centre the features, or scale them.",
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
        for start in range(0, len(points), 1024):
            part = points[start : start + 1024]
            if self.kernel == "precomputed":
                values = part[:, self.support_]
            else:
                values = _evaluate(
                    self.kernel, part, self.support_vectors_, self._params(self.bandwidth_)
                )
            scores[start : start + 1024] += values @ self.dual_coef_
        return scores


def _kernel_gap(state: _DualState, labels: Array, prices: Array) -> tuple[float, float, float]:
    r"""Return the primal value for the best offset, the dual value, and their relative gap.

    :math:`\beta^\top K\beta=\beta^\top(y-f)` with the slope :math:`f`, so that neither needs the
    kernel again.
    """
    scores = labels - state.slope
    square = float(state.beta @ scores)
    offset = 0.5 * sum(_best_offsets(scores, labels, prices))
    margins = labels * (scores + offset)
    if np.isfinite(prices).all():
        primal = 0.5 * square + float(prices @ hinge_loss(margins))
    else:
        # A plane that separates becomes feasible when it is divided by its margin.
        least = float(margins.min())
        primal = 0.5 * square / least**2 if least > 0 else math.inf
    dual = float(np.abs(state.beta).sum()) - 0.5 * square
    return primal, dual, (primal - dual) / primal if math.isfinite(primal) else math.inf


def _best_offsets(scores: Array, labels: Array, prices: Array) -> tuple[float, float]:
    """Return the best offsets; for a hard margin the one that leaves both classes equal room."""
    if np.isfinite(prices).all():
        return offset_interval(scores, labels, prices)
    middle = _halfway(scores, labels)
    return middle, middle


def _stand_in(rows: _Rows, labels: Array) -> float:
    r"""Return a finite price for the hard margin, which no multiplier may reach in the end.

    Multipliers are of the size of one over a squared distance. The mean of
    :math:`K_{ii}-K_{ij}` is half the mean squared distance, wherever the origin is.
    """
    if rows.kernel == "linear" and not is_linearly_separable(rows.points, labels):
        raise ValueError(_INSEPARABLE)
    n = len(labels)
    everyone = np.arange(n)
    spread = float(rows.diagonal().mean() - rows.times(everyone, everyone, np.ones(n)).mean() / n)
    return min(1e3 / max(spread, 1e-300), _highest_price(rows))


def _highest_price(rows: _Rows) -> float:
    """Return the price at which a margin would be of the size of rounding."""
    return 1 / float(np.finfo(np.float64).eps * max(float(rows.diagonal().max()), 1e-290))


def _raise_price(rows: _Rows, state: _DualState, labels: Array) -> bool:
    """Make the box larger if a multiplier has reached its end; refuse if no box would do."""
    price = float((state.high - state.low).max())
    if float(np.abs(state.beta).max()) < 0.999 * price:
        return False
    highest = _highest_price(rows)
    if price >= 0.999 * highest:
        raise ValueError(_INSEPARABLE)
    price = min(1e3 * price, highest)
    # Multipliers that are large move slowly in pairs: Newton's method finds where they are.
    if len(labels) <= 2000:
        alpha = _hard_multipliers(rows, labels)
        price = min(max(price, 10 * float(alpha.max())), highest)
        np.copyto(state.beta, labels * np.minimum(alpha, price))
        np.subtract(labels, rows.product(state.beta), out=state.slope)
    state.low[:] = np.where(labels > 0, 0.0, -price)
    state.high[:] = np.where(labels > 0, price, 0.0)
    return True


_INSEPARABLE = (
    "no surface of this kernel separates the classes by a margin worth the name, so that the hard "
    "margin (C=inf) has no solution; pass a finite C."
)


def _hard_multipliers(rows: _Rows, labels: Array) -> Array:
    """Return about the multipliers of the hard margin, from features that the kernel hides."""
    everyone = np.arange(len(labels))
    K = rows._against(everyone, everyone)
    K = K - K.mean(axis=0) - K.mean(axis=1)[:, None] + K.mean()
    values, vectors = np.linalg.eigh(0.5 * (K + K.T))
    rank = values > len(K) * np.finfo(np.float64).eps * float(rows.diagonal().max())
    features = vectors[:, rank] * np.sqrt(values[rank])
    if not rank.any() or not is_linearly_separable(features, labels):
        raise ValueError(_INSEPARABLE)
    scale = _spread(features)
    Z = labels[:, None] * features / scale
    return _interior_point(Z, labels, np.full(len(Z), np.inf), 1e-8, 100)[0] / scale**2


class _SampleBySample(_LinearSVMBase):
    """Solvers that look at one sample at a time, for the machine whose offset is penalised.

    The offset is the weight of a constant coordinate 1 and pays like the other weights. This is
    another problem than that of LinearSVM, without the constraint Σαy = 0; the multipliers these
    solvers carry along then only have to stay in their box, which makes their gap rigorous.
    """

    max_iter: int
    random_state: int

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
        price = self._price(infinite=False)
        tol = check_positive(self.tol, "tol")
        passes = check_count(self.max_iter, "max_iter")
        extra = np.ones((len(points), int(self.fit_intercept)))
        Z = signs[:, None] * np.hstack([points, extra])
        alpha, theta, gaps = self._passes(Z, price, tol, passes)
        self._set_plane(theta[: points.shape[1]], float(theta[-1]) if self.fit_intercept else 0.0)
        primal, dual = _penalised_values(Z, theta, alpha, price)
        self._keep(len(points), np.arange(len(points)), alpha, primal, dual, gaps)
        slope = float(np.abs(theta - alpha @ Z).max())
        self.kkt_residuals_ = _residuals(Z @ theta, alpha, np.full(len(Z), price), slope)
        return self

    def _passes(
        self, Z: Array, C: float, tol: float, max_iter: int
    ) -> tuple[Array, Array, list[float]]:
        """Return multipliers, weights and the relative gap after each pass."""
        raise NotImplementedError


def _penalised_values(Z: Array, theta: Array, alpha: Array, C: float) -> tuple[float, float]:
    """Return the primal and the dual value of the machine without a free offset."""
    span = alpha @ Z
    primal = 0.5 * float(theta @ theta) + C * float(hinge_loss(Z @ theta).sum())
    return primal, float(alpha.sum()) - 0.5 * float(span @ span)


class DualCoordinateSVM(_SampleBySample):
    r"""The linear support vector machine by dual coordinate descent, one multiplier at a time.

    Along :math:`\alpha_i` alone the dual is a parabola: its top, cut off at the ends of the box, is
    :math:`\alpha_i-(y_i\langle\theta,x_i\rangle-1)/\lVert x_i\rVert^2`, and
    :math:`\theta=\sum_i\alpha_iy_ix_i` follows each change. The offset, if any, is the weight of a
    constant coordinate and is penalised with the others: that is another problem than the one
    :class:`LinearSVM` solves. See the chapter :doc:`/book/support_vector_machines`.

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
        The greatest number of passes.
    random_state : int
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
    gaps_ : ndarray of shape (n_iter_,)
        The relative gap after each pass.
    n_iter_ : int
        Passes made.
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
        random_state: int = 0,
    ) -> None:
        self.C = C
        self.fit_intercept = fit_intercept
        self.tol = tol
        self.max_iter = max_iter
        self.random_state = random_state

    def _passes(
        self, Z: Array, C: float, tol: float, max_iter: int
    ) -> tuple[Array, Array, list[float]]:
        rng = np.random.default_rng(check_count(self.random_state, "random_state", at_least=0))
        alpha, theta = np.zeros(len(Z)), np.zeros(Z.shape[1])
        squares = np.einsum("ij,ij->i", Z, Z).tolist()
        gaps: list[float] = []
        for _ in range(max_iter):
            for i in rng.permutation(len(Z)).tolist():
                slope = float(Z[i] @ theta) - 1.0
                # A point at the origin cannot reach the margin, and pays in full.
                top = alpha[i] - slope / squares[i] if squares[i] > 0 else C
                new = min(max(top, 0.0), C)
                if new != alpha[i]:
                    theta += (new - alpha[i]) * Z[i]
                    alpha[i] = new
            primal, dual = _penalised_values(Z, theta, alpha, C)
            gaps.append((primal - dual) / primal)
            if gaps[-1] <= tol:
                break
        return alpha, theta, gaps


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
        random_state: int = 0,
    ) -> None:
        self.C = C
        self.fit_intercept = fit_intercept
        self.tol = tol
        self.max_iter = max_iter
        self.random_state = random_state

    def _passes(
        self, Z: Array, C: float, tol: float, max_iter: int
    ) -> tuple[Array, Array, list[float]]:
        rng = np.random.default_rng(check_count(self.random_state, "random_state", at_least=0))
        n = len(Z)
        counts, total = np.zeros(n), np.zeros(Z.shape[1])
        gaps: list[float] = []
        visits = 0
        for _ in range(max_iter):
            for i in rng.permutation(n).tolist():
                # The weights are C * n / visits * total, and zero before the first visit.
                if C * n * float(Z[i] @ total) < visits or visits == 0:
                    total += Z[i]
                    counts[i] += 1
                visits += 1
            alpha, theta = C * n / visits * counts, C * n / visits * total
            primal, dual = _penalised_values(Z, theta, alpha, C)
            gaps.append((primal - dual) / primal)
            if gaps[-1] <= tol:
                break
        return np.minimum(alpha, C), theta, gaps
