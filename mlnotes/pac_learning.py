r"""How many examples are enough: the guarantee for a finite class, and a learner that carries it.

If a class of :math:`N` predictors has losses in [0, 1], the one of least empirical risk on
:math:`n\ge\frac2{\varepsilon^2}\log\frac{2N}\delta` independent examples has, with probability at
least :math:`1-\delta`, a risk within :math:`\varepsilon` of the best in the class
(``thm-pac-finite-class``). If some predictor never errs, :math:`\frac1\varepsilon\log\frac N\delta`
are enough (``thm-pac-realisable``). See the chapter :doc:`/book/pac_learning`.
"""

from __future__ import annotations

import math
import numbers
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlnotes._bounds import exponential_bound, float_or_array, least_exponential_count
from mlnotes._constraints import Anything, Real
from mlnotes._laws import Laws
from mlnotes._numerics import scale_by_power_of_two
from mlnotes.base import BinaryClassifier
from mlnotes.validation import (
    Array,
    check_count,
    check_flag,
    check_matrix,
    check_numbers,
    check_random_state,
    check_vector,
    check_weights,
    rows_that_count,
)

__all__ = [
    "ThresholdERM",
    "ThresholdExperiment",
    "empirical_risk_minimiser",
    "is_realisable",
    "pac_error",
    "pac_failure_bound",
    "pac_sample_size",
    "threshold_experiment",
    "uniform_deviation",
]


def pac_sample_size(
    n_predictors: Any, epsilon: ArrayLike, delta: ArrayLike, *, realisable: bool = False
) -> int | NDArray[np.int64]:
    r"""Return the least :math:`n` for which :func:`pac_failure_bound` is at most :math:`\delta`.

    It is :math:`\frac2{\varepsilon^2}\log\frac{2N}\delta` rounded up, by ``thm-pac-finite-class``,
    or :math:`\frac1\varepsilon\log\frac N\delta` rounded up, by ``thm-pac-realisable``.

    Parameters
    ----------
    n_predictors : int or array-like of int
        The number :math:`N` of predictors in the class, of any size.
    epsilon : array-like
        The excess risk :math:`\varepsilon` in (0, 1] that may remain.
    delta : array-like
        The probability :math:`\delta` in (0, 1) that it may fail.
    realisable : bool
        Whether some predictor of the class has risk zero.

    Returns
    -------
    int or ndarray of int
        The sample size, of the common shape of the arguments. The bound is computed in floating
        point: above about 10**12 the count may be one off.

    Examples
    --------
    >>> pac_sample_size(1000, 0.1, 0.05)
    2120
    >>> pac_sample_size(1000, 0.1, 0.05, realisable=True)
    100
    >>> pac_sample_size(10**100, 0.1, 0.05)
    46790
    """
    rate, log_factor = _rate_and_factor(n_predictors, epsilon, realisable)
    return least_exponential_count(rate, delta, log_factor)


def pac_failure_bound(
    n: ArrayLike, n_predictors: Any, epsilon: ArrayLike, *, realisable: bool = False
) -> float | Array:
    r"""Return a bound on the probability that the excess risk reaches :math:`\varepsilon`.

    It is :math:`\min(1,2Ne^{-n\varepsilon^2/2})`, or :math:`\min(1,Ne^{-n\varepsilon})` in the
    realisable case.

    Parameters
    ----------
    n : array-like of int
        The number of examples.
    n_predictors : int or array-like of int
        The number :math:`N` of predictors in the class, of any size.
    epsilon : array-like
        The excess risk :math:`\varepsilon` in (0, 1].
    realisable : bool
        Whether some predictor of the class has risk zero.

    Returns
    -------
    float or ndarray
        The bound, of the common shape of the arguments.

    Examples
    --------
    >>> pac_failure_bound(2120, 1000, 0.1) <= 0.05 < pac_failure_bound(2119, 1000, 0.1)
    True
    """
    n = check_numbers(n, "n", least=1, whole=True)
    rate, log_factor = _rate_and_factor(n_predictors, epsilon, realisable)
    return float_or_array(exponential_bound(n, rate, log_factor))


def pac_error(
    n: ArrayLike, n_predictors: Any, delta: ArrayLike, *, realisable: bool = False
) -> float | Array:
    r"""Return the excess risk that ``n`` examples leave with probability :math:`1-\delta`.

    It is :math:`\sqrt{\frac2n\log\frac{2N}\delta}` (``cor-pac-error-form``), or
    :math:`\frac1n\log\frac N\delta` in the realisable case; never more than 1, as no risk is.

    Parameters
    ----------
    n : array-like of int
        The number of examples.
    n_predictors : int or array-like of int
        The number :math:`N` of predictors in the class, of any size.
    delta : array-like
        The probability :math:`\delta` in (0, 1) that it may fail.
    realisable : bool
        Whether some predictor of the class has risk zero.

    Returns
    -------
    float or ndarray
        Of the common shape of the arguments.

    Examples
    --------
    >>> round(pac_error(2120, 1000, 0.05), 4)
    0.1
    """
    n = check_numbers(n, "n", least=1, whole=True)
    log_delta = np.log(check_numbers(delta, "delta", above=0, below=1))
    if check_flag(realisable, "realisable"):
        return float_or_array(np.minimum(1.0, (_log_count(n_predictors) - log_delta) / n))
    level = _log_count(n_predictors) + math.log(2) - log_delta
    return float_or_array(np.minimum(1.0, np.sqrt(2 * level / n)))


def empirical_risk_minimiser(losses: ArrayLike) -> int:
    r"""Return :math:`\arg\min_j\frac1n\sum_i\ell_{ij}`, the first one if several tie.

    Parameters
    ----------
    losses : array-like of shape (n_samples, n_predictors)
        The loss of each predictor of the class on each example.

    Returns
    -------
    int
        The column of least mean.

    Examples
    --------
    >>> empirical_risk_minimiser([[1, 0, 0], [0, 1, 0], [1, 1, 1]])
    2
    """
    table = check_matrix(losses, name="losses")
    return int(table.mean(axis=0).argmin())


def is_realisable(losses: ArrayLike) -> bool:
    """Say whether some predictor of a class has no loss on any of the examples.

    On a sample this is a necessary sign only: the realisable case of the theorem asks for a
    predictor whose *risk* is zero.

    Parameters
    ----------
    losses : array-like of shape (n_samples, n_predictors)
        The loss of each predictor of the class on each example, not negative.

    Returns
    -------
    bool
        Whether a column is zero.

    Examples
    --------
    >>> is_realisable([[1, 0], [0, 0]])
    True
    """
    table = check_numbers(check_matrix(losses, name="losses"), "losses", least=0)
    return bool((table == 0).all(axis=0).any())


def uniform_deviation(losses: ArrayLike, risks: ArrayLike) -> float:
    r"""Return :math:`\max_j|\frac1n\sum_i\ell_{ij}-R_j|`, which ``thm-uniform-convergence`` bounds.

    Parameters
    ----------
    losses : array-like of shape (n_samples, n_predictors)
        The loss of each predictor of the class on each example.
    risks : array-like of shape (n_predictors,)
        The expected loss of each.

    Returns
    -------
    float
        The largest distance between an empirical risk and a risk.

    Examples
    --------
    >>> uniform_deviation([[1, 0], [0, 0]], [0.25, 0.125])
    0.25
    """
    table = check_matrix(losses, name="losses")
    truth = check_vector(risks, table.shape[1], name="risks")
    return float(np.abs(table.mean(axis=0) - truth).max())


class ThresholdExperiment(NamedTuple):
    """What :func:`threshold_experiment` returns, one entry for each run where it says so.

    Attributes
    ----------
    risks : ndarray of shape (n_thresholds,)
        The risk of each rule, known exactly.
    chosen : ndarray of shape (runs,)
        The rule of least empirical risk, as a position among the thresholds.
    excess : ndarray of shape (runs,)
        Its risk above the least risk of the class.
    deviation : ndarray of shape (runs,)
        The largest distance between empirical risk and risk in the class.

    Examples
    --------
    >>> threshold_experiment(100, [0.25, 0.5], runs=3).risks
    array([0.25, 0.  ])
    """

    risks: Array
    chosen: NDArray[np.intp]
    excess: Array
    deviation: Array


def threshold_experiment(
    n: int,
    thresholds: ArrayLike,
    *,
    target: float = 0.5,
    noise: float = 0.0,
    runs: int = 1000,
    random_state: int | np.random.Generator = 0,
) -> ThresholdExperiment:
    r"""Choose a threshold rule by its empirical risk, again and again, where every risk is known.

    A point :math:`x` is uniform on [0, 1]; its label says whether :math:`x>\theta`, but is flipped
    with probability :math:`\eta`. The rule that predicts :math:`x>t` has the risk
    :math:`\eta+(1-2\eta)|t-\theta|`. A run needs only the numbers of points of each label between
    neighbouring thresholds, which are multinomial: it costs the same for every ``n``.

    Parameters
    ----------
    n : int
        The number of examples in a run.
    thresholds : array-like of shape (n_thresholds,)
        The class: increasing numbers in [0, 1].
    target : float
        The threshold :math:`\theta` of the labels.
    noise : float
        The probability :math:`\eta` of a flipped label, at most one half.
    runs : int
        How often to draw a sample.
    random_state : int or numpy.random.Generator
        The seed.

    Returns
    -------
    ThresholdExperiment
        The risks, and what was chosen in every run.

    Examples
    --------
    >>> result = threshold_experiment(200, [0.2, 0.4, 0.6], target=0.4, noise=0.1, runs=500)
    >>> float((result.excess <= 2 * result.deviation).mean())
    1.0
    """
    size, repeats = check_count(n, "n"), check_count(runs, "runs")
    rules = check_numbers(
        check_vector(thresholds, name="thresholds"), "thresholds", least=0, most=1
    )
    if not len(rules) or (np.diff(rules) <= 0).any():
        raise ValueError("thresholds must be increasing, and there must be at least one.")
    theta = _check_number(target, "target", most=1)
    eta = _check_number(noise, "noise", most=0.5)
    rng = check_random_state(random_state)
    edges = np.unique([0.0, *rules, theta, 1.0])
    counts = rng.multinomial(size, np.diff(edges), size=repeats)
    flipped = rng.binomial(counts, eta)
    positive = np.where(edges[:-1] >= theta, counts - flipped, flipped)
    # A rule errs on the positive labels below its threshold and on the negative ones above.
    below = np.insert(np.cumsum(2 * positive - counts, axis=1), 0, 0, axis=1)
    wrong = below[:, np.searchsorted(edges, rules)] + (counts - positive).sum(axis=1)[:, None]
    risks = eta + (1 - 2 * eta) * np.abs(rules - theta)
    chosen = wrong.argmin(axis=1)
    return ThresholdExperiment(
        risks,
        chosen,
        risks[chosen] - risks.min(),
        np.abs(wrong / size - risks).max(axis=1),
    )


class ThresholdERM(BinaryClassifier):
    r"""Empirical risk minimisation over the rules that compare one feature with one threshold.

    The class holds the rules that predict the second class where :math:`x_j>t`, and those that
    predict it where :math:`x_j\le t`, for every feature :math:`j` and every :math:`t` of the grid:
    :math:`N=2dT` predictors, fixed before any example is seen. That is what
    ``thm-pac-finite-class`` asks for, and why the grid is not taken from the data. The rule chosen
    has the least empirical risk; of several, the first in the order of features, thresholds, and
    predicting the second class above before below. See the chapter :doc:`/book/pac_learning`.

    Parameters
    ----------
    thresholds : array-like of shape (n_thresholds,), optional
        The grid; 61 numbers from -3 to 3 if not given, for features of mean 0 and variance 1 by
        their nature. (Scaling with the training data makes the class depend on them.)
    delta : float
        The probability in (0, 1) with which ``error_bound_`` may fail.

    Attributes
    ----------
    feature_ : int
        The feature of the rule chosen.
    threshold_ : float
        Its threshold.
    sign_ : int
        +1 if it predicts the second class above the threshold, -1 if below.
    empirical_risk_ : float
        The (weighted) share of the training samples that it gets wrong.
    n_predictors_ : int
        The size of the class.
    error_bound_ : float
        ``pac_error(n, n_predictors_, delta)``: with probability at least ``1 - delta`` no predictor
        of the class has a risk that is smaller by this much. NaN if the samples were weighted,
        because the theorem counts independent examples.
    classes_ : ndarray of shape (2,)
        The labels.
    n_features_in_ : int
        The number of features seen in ``fit``.
    feature_names_in_ : ndarray of str
        Their names, if ``fit`` was given a data frame.

    Examples
    --------
    >>> X = [[0.1], [0.2], [0.6], [0.9]]
    >>> model = ThresholdERM(thresholds=[0.25, 0.5, 0.75]).fit(X, [0, 0, 1, 1])
    >>> model.threshold_, model.empirical_risk_, model.n_predictors_
    (0.25, 0.0, 6)
    """

    _constraints: ClassVar = {"thresholds": Anything(), "delta": Real(above=0, below=1)}
    # The grid of thresholds is in the units of the features.
    _laws: ClassVar = Laws("rows", grid={"delta": [0.05, 0.1]})

    feature_: int
    threshold_: float
    sign_: int
    empirical_risk_: float
    n_predictors_: int
    error_bound_: float

    def __init__(self, *, thresholds: ArrayLike | None = None, delta: float = 0.05) -> None:
        self.thresholds = thresholds
        self.delta = delta

    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Find the rule of the class with the least empirical risk.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples.
        y : array-like of shape (n_samples,)
            Their labels, of two classes.
        sample_weight : array-like of shape (n_samples,), optional
            How often each sample counts; a sample of weight zero is left out.

        Returns
        -------
        self
            The fitted estimator.
        """
        points = self._fit_matrix(X)
        weights = check_weights(sample_weight, len(points))
        signs = self._fit_signs(y, len(points), weights)
        grid = self._grid()
        if weights is not None:
            kept = rows_that_count(weights, len(points))
            points, signs = points[kept], signs * scale_by_power_of_two(weights[kept])[0]
        total = float(np.abs(signs).sum())
        risks = np.array([_threshold_risks(column, signs, grid) for column in points.T]) / total
        feature, position, side = np.unravel_index(risks.argmin(), risks.shape)
        self.feature_ = int(feature)
        self.threshold_ = float(grid[position])
        self.sign_ = 1 if side == 0 else -1
        self.empirical_risk_ = float(risks[feature, position, side])
        self.n_predictors_ = int(risks.size)
        error = pac_error(len(points), self.n_predictors_, self.delta)
        self.error_bound_ = float(error) if weights is None else math.nan
        return self

    def decision_function(self, X: ArrayLike) -> Array:
        """Return +1 where the rule predicts the second class, and -1 elsewhere.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples.

        Returns
        -------
        ndarray of shape (n_samples,)
            A rule has no degrees of confidence.
        """
        column = self._use_matrix(X)[:, self.feature_]
        return np.where(column > self.threshold_, 1.0, -1.0) * self.sign_

    def _grid(self) -> Array:
        if self.thresholds is None:
            return np.linspace(-3, 3, 61)
        grid = np.unique(check_vector(self.thresholds, name="thresholds"))
        if not len(grid):
            raise ValueError("thresholds is empty; the class needs at least one predictor.")
        return grid


def _threshold_risks(column: Array, signed: Array, grid: Array) -> Array:
    """Return the weight that each rule on one feature gets wrong, of shape (n_thresholds, 2).

    ``signed`` holds the weight of each sample, negative for the first class.
    """
    # Sample i lies above the thresholds before place[i], and at or below the others.
    place = np.searchsorted(grid, column)
    positive = np.bincount(place, np.maximum(signed, 0), len(grid) + 1)
    negative = np.bincount(place, np.maximum(-signed, 0), len(grid) + 1)
    above = np.cumsum(positive - negative)[:-1] + negative.sum()
    wrong = np.column_stack([above, positive.sum() + negative.sum() - above])
    # Weights that are not whole numbers may leave a rounding error below zero.
    return np.asarray(np.maximum(wrong, 0.0))


def _check_number(value: Any, name: str, *, most: float) -> float:
    """Return a single number between 0 and a limit."""
    number = check_numbers(value, name, least=0, most=most)
    if number.ndim:
        raise ValueError(f"{name} must be one number, got an array of shape {number.shape}.")
    return float(number)


def _log_count(n_predictors: Any) -> Array:
    """Return the logarithm of whole numbers from 1 on, which may be too large for a float."""

    def logarithm(count: Any) -> float:
        whole = isinstance(count, numbers.Real) and not isinstance(count, bool)
        if not whole or not 1 <= count < math.inf or count != int(count):
            raise ValueError(f"n_predictors must be a whole number of at least 1, got {count!r}.")
        return math.log(count)

    counts = np.asarray(n_predictors, dtype=object)
    return np.asarray(np.frompyfunc(logarithm, 1, 1)(counts), dtype=np.float64)


def _rate_and_factor(
    n_predictors: Any, epsilon: ArrayLike, realisable: bool
) -> tuple[Array, Array]:
    """Return the exponent for one example, and the logarithm of the factor before it."""
    epsilon = check_numbers(epsilon, "epsilon", above=0, most=1)
    if check_flag(realisable, "realisable"):
        return epsilon, _log_count(n_predictors)
    return np.asarray(epsilon**2 / 2), np.asarray(_log_count(n_predictors) + math.log(2))
