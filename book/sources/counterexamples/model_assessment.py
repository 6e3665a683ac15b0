"""Model assessment: the printed fails on an example on which the correction holds."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction as F
from itertools import product

import numpy as np
from scipy import stats

from counterexamples.shared import Array, share


def auc(scores: Sequence[float], labels: Sequence[int]) -> F:
    pairs = [(p, q) for p, a in zip(scores, labels, strict=True) if a for q, b in
             zip(scores, labels, strict=True) if not b]  # fmt: skip
    return F(sum(2 * (p > q) + (p == q) for p, q in pairs), 2 * len(pairs))


def folds_of_one(y: Sequence[F], train_on_fold: bool) -> F:
    """Cross-validate the mean with one instance in each fold, by squared loss."""
    n, total = len(y), F(0)
    for i in range(n):
        rest = [y[j] for j in range(n) if j != i]
        train, test = ([y[i]], rest) if train_on_fold else (rest, [y[i]])
        centre = sum(train) / len(train)
        total += sum((a - centre) ** 2 for a in test) / len(test)
    return total / n


def variance_over_samples(train_on_fold: bool) -> F:
    values = [folds_of_one([F(a) for a in y], train_on_fold) for y in product((-1, 1), repeat=3)]
    return sum((v**2 for v in values), F(0)) / 8 - (sum(values, F(0)) / 8) ** 2


TRUTH, OUT_OF_BAG = [1, -1, 1], [[1, -1, 1], [-1, -1, 1], [-1, 1, 1]]


def mean_single_loss() -> F:
    losses = [F(sum(p != y for p in row), 3) for y, row in zip(TRUTH, OUT_OF_BAG, strict=True)]
    return sum(losses, F(0)) / 3


def voted_loss() -> F:
    votes = [1 if sum(row) > 0 else -1 for row in OUT_OF_BAG]
    return F(sum(a != b for a, b in zip(votes, TRUTH, strict=True)), 3)


def ensemble_error() -> F:
    """Count the instances on which two of three models are wrong."""
    wrong = [sum(p != y for p in row) for y, row in zip(TRUTH, OUT_OF_BAG, strict=True)]
    return F(sum(count >= 2 for count in wrong), 3)


def penalised(power: int) -> tuple[F, F]:
    """Return in-sample error and error plus penalty of the predictor that repeats Y = -1 or 1."""
    pairs = list(product((-1, 1), repeat=2))
    fresh = sum(F(abs(new - old) ** power) for old, new in pairs) / len(pairs)
    covariance = sum(F(y * y) for y in (-1, 1)) / 2
    return fresh, 0 + 2 * covariance


# 8 positives found, 2 missed, 90 false alarms, 900 negatives left alone.
POSITIVE = np.repeat([True, True, False, False], [8, 2, 90, 900])


CALLED = np.repeat([True, False, True, False], [8, 2, 90, 900])


SENSITIVITY, SPECIFICITY = share(CALLED, POSITIVE), share(~CALLED, ~POSITIVE)


PRECISION = share(POSITIVE, CALLED)


# Scores that move together from slice to slice; the second method is better by 1 or 2 points.
FIRST = np.array([60, 65, 70, 75, 80, 85, 90, 95])


SECOND = FIRST + np.array([1, 2, 1, 2, 1, 2, 1, 2])


# Differences of two methods with mean 0.4 in units of their spread.
GAINS = stats.norm.ppf((np.arange(50) + 0.5) / 50) + 0.4


P_VALUE = stats.ttest_1samp(GAINS, 0).pvalue


def chance_of_losing() -> float:
    """Return the probability that a new difference is negative, by the fitted normal law."""
    return float(stats.norm.cdf(0, GAINS.mean(), GAINS.std(ddof=1)))


def chance_under_no_difference() -> float:
    """Return how often fifty differences of mean zero give as extreme a t as `GAINS`."""
    draws = np.random.default_rng(0).normal(size=(20_000, 50))
    return float(np.mean(np.abs(t_of(draws)) >= abs(t_of(GAINS[None])[0])))


def t_of(draws: Array) -> Array:
    size = draws.shape[1]
    return draws.mean(axis=1) / (draws.std(axis=1, ddof=1) / math.sqrt(size))


def distance_to_normal(n: int) -> float:
    """Return the largest gap between the law of a standardised accuracy and the normal law."""
    k, p = np.arange(n + 1), 0.9
    z = (k - n * p) / math.sqrt(n * p * (1 - p))
    jumps, normal = stats.binom.cdf([k - 1, k], n, p), stats.norm.cdf(z)
    return float(np.abs(jumps - normal).max())


FOUND: dict[str, tuple[Callable[[], bool], Callable[[], bool]]] = {
    "erratum-002b-auc-range": (
        lambda: F(1, 2) <= auc([3, 4, 1, 2], [0, 0, 1, 1]) <= 1,
        lambda: auc([3, 4, 1, 2], [0, 0, 1, 1]) == 0 == 1 - auc([-3, -4, -1, -2], [0, 0, 1, 1]),
    ),
    "erratum-002b-reversed-cv-variance": (
        lambda: variance_over_samples(train_on_fold=True) < variance_over_samples(False),
        lambda: variance_over_samples(True) == F(16, 9) * variance_over_samples(False) > 0,
    ),
    "erratum-002b-oob-individual-loss": (
        lambda: mean_single_loss() == ensemble_error(),
        lambda: voted_loss() == ensemble_error(),
    ),
    "erratum-002b-covariance-penalty-expectation": (
        lambda: penalised(1)[0] == penalised(1)[1],
        lambda: penalised(2)[0] == penalised(2)[1],
    ),
    "erratum-004-sensitivity-specificity": (
        lambda: PRECISION in (SENSITIVITY, SPECIFICITY),
        lambda: SPECIFICITY > 10 * PRECISION,
    ),
    "erratum-004-paired-test-description": (
        lambda: stats.ttest_ind(FIRST, SECOND).pvalue < 0.05,
        lambda: stats.ttest_rel(FIRST, SECOND).pvalue < 0.05,
    ),
    "erratum-004-p-value-meaning": (
        lambda: abs(P_VALUE - chance_of_losing()) < 0.01,
        lambda: abs(P_VALUE - chance_under_no_difference()) < 0.003,
    ),
    "erratum-004-lln-for-clt": (
        lambda: stats.binom(1000, 0.9).std() / 1000 >= stats.binom(10, 0.9).std() / 10,
        lambda: distance_to_normal(10) > distance_to_normal(100) > distance_to_normal(1000),
    ),
}
