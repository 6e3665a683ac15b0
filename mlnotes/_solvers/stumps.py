"""The best decision stump for any weights, from one sort of the features."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from mlnotes._numerics import ROUNDOFF
from mlnotes.validation import Array


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
            spread = np.maximum(weight - weight * weight, ROUNDOFF)
            value = np.divide(np.square(below, out=below), spread, out=below)
            value_of_constant = -1.0
        value[self.uncut] = -1.0
        best = float(value.max()) - 4 * len(weights) * ROUNDOFF
        if value_of_constant >= best:
            return constant
        feature, cut = divmod(int(np.argmax(value >= best)), value.shape[1])
        left = float(signed[self.order[feature, : cut + 1]].sum())
        right = balance - left
        if criterion == "error":
            left, right = left - right, right - left
        threshold = midpoint(*self.values[feature, cut : cut + 2])
        return Stump(feature, threshold, math.copysign(1.0, left), math.copysign(1.0, right))

    def _cumulated(self, amounts: Array, out: Array) -> Array:
        """Return the sum of the amounts of the samples up to each cut, for every feature."""
        np.take(amounts, self.order, out=out, mode="clip")
        return np.cumsum(out, axis=1, out=out)[:, :-1]


def midpoint(low: float, high: float) -> float:
    """Return a number in [low, high), in the middle where there is room."""
    middle = 0.5 * low + 0.5 * high
    return float(middle) if low <= middle < high else float(low)
