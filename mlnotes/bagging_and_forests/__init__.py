r"""Bagging and random forests: averages of predictors that overfit, each in its own way.

A bootstrap sample draws :math:`n` of :math:`n` rows with replacement and misses about 37 % of them.
Predictors trained on several such samples disagree, and their average varies less: its variance is
:math:`\rho\sigma^2+\frac{1-\rho}T\sigma^2`, where :math:`\rho` is the correlation of two of them. A
random forest makes that small by letting few features, drawn anew in each node, compete for the
next question. The samples that a tree has not seen test it without another sample.
"""

from mlnotes.bagging_and_forests._algorithms import (
    bagging,
    bootstrap,
    majority_vote,
    out_of_bag_votes,
)
from mlnotes.bagging_and_forests._bagging import Bagging, BaggingRegressor
from mlnotes.bagging_and_forests._forests import RandomForestClassifier, RandomForestRegressor
from mlnotes.bagging_and_forests._mathematics import (
    average_correlation,
    ensemble_size,
    ensemble_variance,
    inclusion_probability,
    majority_vote_bound,
    majority_vote_error,
    miss_probability,
)

__all__ = [
    "Bagging",
    "BaggingRegressor",
    "RandomForestClassifier",
    "RandomForestRegressor",
    "average_correlation",
    "bagging",
    "bootstrap",
    "ensemble_size",
    "ensemble_variance",
    "inclusion_probability",
    "majority_vote",
    "majority_vote_bound",
    "majority_vote_error",
    "miss_probability",
    "out_of_bag_votes",
]
