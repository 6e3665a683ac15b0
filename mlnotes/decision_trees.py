r"""Decision trees, for now the smallest: a stump asks one question about one feature.

A stump answers :math:`s` where :math:`x_k>\theta_0` and :math:`-s` elsewhere. Sorted once, the
:math:`n` values of a feature leave at most :math:`n-1` places for a threshold, and cumulative sums
of weighted labels give the weighted error at all of them. So the best stump of all is found exactly
and not by search. Boosting asks for it once in each round: see the chapter :doc:`/book/adaboost`.
"""

from __future__ import annotations

import math
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike

from mlnotes._numerics import scale_by_power_of_two
from mlnotes.base import BinaryClassifier
from mlnotes.validation import Array, check_matrix, check_weights, rows_that_count

__all__ = ["DecisionStump", "count_stumps"]


class Stump(NamedTuple):
    """One question: the answer is ``below`` up to the threshold and ``above`` beyond it."""

    feature: int
    threshold: float
    below: float
    above: float

    def __call__(self, X: Array) -> Array:
        return np.where(X[:, self.feature] > self.threshold, self.above, self.below)


class SortedFeatures:
    """The features of a sample in ascending order, ready to find the best stump for any weights."""

    def __init__(self, X: Array) -> None:
        self.X = X
        columns = np.ascontiguousarray(X.T)
        self.order = np.argsort(columns, axis=1, kind="stable")
        self.values = np.take_along_axis(columns, self.order, axis=1)
        # A threshold between two equal values would cut nothing.
        self.uncut = self.values[:, 1:] <= self.values[:, :-1]
        # Boosting comes back in every round: large arrays are cheaper to fill again than to make.
        self._below, self._weight = np.empty_like(self.values), np.empty_like(self.values)

    def best_stump(self, signs: Array, weights: Array, criterion: str = "error") -> Stump:
        """Return the stump that is best for labels -1 and +1 and weights that sum to one.

        Of several that are equally good it is the first: constants come before cuts, then features
        and thresholds in ascending order. Sums of n weights are rounded, so values that differ by
        at most 4n units of rounding count as equal.
        """
        signed = signs * weights
        balance = float(signed.sum())
        constant = Stump(0, -math.inf, math.copysign(1.0, balance), math.copysign(1.0, balance))
        if self.uncut.all():
            return constant
        if criterion == "error":
            # With answers -1 below and +1 above the sum of weight * y * h is balance - 2 * below.
            below = self._cumulated(2 * signed, self._below)
            value = np.abs(np.subtract(balance, below, out=below), out=below)
            value_of_constant = abs(balance)
        else:
            # Over both sides balance² / weight, which Gini's criterion makes large, is the square
            # of excess / sqrt(weight (1 - weight)) and a constant.
            below = self._cumulated(signed - balance * weights, self._below)
            weight = self._cumulated(weights, self._weight)
            # A side that weighs less than rounding decides nothing, and must not divide by zero.
            spread = np.maximum(weight - weight * weight, np.finfo(float).eps)
            value = np.divide(np.square(below, out=below), spread, out=below)
            value_of_constant = -1.0
        value[self.uncut] = -1.0
        best = float(value.max()) - 4 * len(weights) * np.finfo(float).eps
        if value_of_constant >= best:
            return constant
        feature, cut = divmod(int(np.argmax(value >= best)), value.shape[1])
        left = float(signed[self.order[feature, : cut + 1]].sum())
        right = balance - left
        if criterion == "error":
            left, right = left - right, right - left
        threshold = half_way(*self.values[feature, cut : cut + 2])
        return Stump(feature, threshold, math.copysign(1.0, left), math.copysign(1.0, right))

    def _cumulated(self, amounts: Array, out: Array) -> Array:
        """Return the sum of the amounts of the samples up to each cut, for every feature."""
        np.take(amounts, self.order, out=out, mode="clip")
        return np.cumsum(out, axis=1, out=out)[:, :-1]


def distribution(weights: Array | None, n: int) -> Array:
    """Return the weights of ``n`` samples scaled to sum to one; equal weights if none are given."""
    if weights is None:
        return np.full(n, 1 / n)
    scaled = scale_by_power_of_two(weights)[0]
    return np.asarray(scaled / scaled.sum())


def half_way(low: float, high: float) -> float:
    """Return a number in [low, high), in the middle where there is room."""
    middle = 0.5 * low + 0.5 * high
    return float(middle) if low <= middle < high else float(low)


def count_stumps(X: ArrayLike) -> int:
    r"""Return how many different labellings of the points stumps can produce.

    There are two constants, and two orientations for each way to cut a feature between two of its
    values; :math:`2d(n-1)+2` if all values differ and no two features cut alike.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Points.

    Returns
    -------
    int
        The number of distinct vectors of predictions.

    Examples
    --------
    >>> count_stumps([[1.0], [2.0], [3.0], [4.0]])
    8
    """
    columns = np.unique(check_matrix(X), axis=0).T
    above = {tuple(column > value) for column in columns for value in column}
    # The largest value of a column cuts nothing off and stands for the constants.
    return len(above | {tuple(not answer for answer in pattern) for pattern in above})


class DecisionStump(BinaryClassifier):
    r"""The best question about one feature: a decision tree with one node.

    Among all stumps :math:`h(x)=s\operatorname{sgn}(x_k-\theta_0)` and the two constants it finds
    one of least weighted error, without a search: one sort of each feature and one cumulative sum.
    Errors of :math:`n` samples that differ by at most :math:`2n` times the unit of rounding,
    :math:`2.2\cdot10^{-16}`, of the total weight count as equal, and of equals the first is taken.
    The error is never above one half, since with any classifier its opposite is a stump too.
    See the chapter :doc:`/book/adaboost`.

    Parameters
    ----------
    criterion : {"error", "gini"}
        What a cut makes small: the weighted error, or Gini's impurity as trees do. A stump that is
        best by Gini's may answer the same on both sides.

    Attributes
    ----------
    feature_ : int
        The feature :math:`k` asked about.
    threshold_ : float
        :math:`\theta_0`, half-way between two values of the feature; minus infinity for a constant.
    answers_ : ndarray of shape (2,)
        The answers -1 or +1 up to the threshold and above it.
    error_ : float
        The weighted share of the sample that is answered wrongly.
    classes_ : ndarray of shape (2,)
        The labels, the negative one first.
    n_features_in_ : int
        The number of features seen in ``fit``.
    feature_names_in_ : ndarray of str
        Their names, if ``fit`` was given a data frame.

    Examples
    --------
    >>> model = DecisionStump().fit([[1.0, 5.0], [2.0, 1.0], [3.0, 4.0]], ["a", "a", "b"])
    >>> model.feature_, model.threshold_, model.error_
    (0, 2.5, 0.0)
    >>> model.predict([[2.6, 0.0]])
    array(['b'], dtype='<U1')
    """

    feature_: int
    threshold_: float
    answers_: Array
    error_: float

    def __init__(self, *, criterion: str = "error") -> None:
        self.criterion = criterion

    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Find the best stump.

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
        given = check_weights(sample_weight, len(points))
        signs = self._fit_signs(y, len(points), given)
        # A sample of weight zero is no sample: it must not offer a threshold either.
        kept = rows_that_count(given, len(points))
        points, weights = points[kept], distribution(given, len(points))[kept]
        stump = SortedFeatures(points).best_stump(signs, weights, self._checked_criterion())
        return self._keep(stump, float(weights[stump(points) != signs].sum()))

    def _checked_criterion(self) -> str:
        if self.criterion not in ("error", "gini"):
            raise ValueError(f"criterion must be 'error' or 'gini', got {self.criterion!r}.")
        return self.criterion

    def _keep(self, stump: Stump, error: float) -> Self:
        self.feature_ = stump.feature
        self.threshold_ = stump.threshold
        self.answers_ = np.array([stump.below, stump.above])
        self.error_ = error
        return self

    @property
    def _stump(self) -> Stump:
        return Stump(self.feature_, self.threshold_, *self.answers_.tolist())

    def decision_function(self, X: ArrayLike) -> Array:
        """Return the answer -1 or +1 for each sample.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples.

        Returns
        -------
        ndarray of shape (n_samples,)
            +1 stands for the second of ``classes_``.
        """
        points = self._use_matrix(X)
        return self._stump(points)
