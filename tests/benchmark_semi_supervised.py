"""Semi-supervised estimators, nine tenths of whose labels are hidden, against scikit-learn's.

Self-training has the same base on both sides, ours, so that only the wrapper is timed; the
objective is the share of labels that the two give to the same points, counted against the truth.
Label propagation has the same Gaussian weights on both sides: scikit-learn iterates at the loosest
tolerance that reaches the energy of the harmonic solution, which ours solves for.
"""

from functools import partial

import numpy as np
from sklearn.semi_supervised import LabelPropagation as SklearnPropagation
from sklearn.semi_supervised import SelfTrainingClassifier

from benchmarks.cases import Case
from mlnotes.kernels import gaussian_kernel
from mlnotes.logistic_regression import LogisticRegression
from mlnotes.semi_supervised import (
    CoTraining,
    LabelPropagation,
    SelfTraining,
    SemiSupervisedNaiveBayes,
    TransductiveSVM,
)


def mostly_hidden(n, d):
    rng = np.random.default_rng(0)
    theta = rng.uniform(0.2, 0.8, size=(2, d))
    y = rng.integers(2, size=n)
    X = (rng.random((n, d)) < theta[y]).astype(np.float64)
    return X, np.where(rng.random(n) < 0.1, y, -1)


def clouds(n, d):
    """Two overlapping clouds, a tenth of whose labels are shown.

    Distances do not grow with the dimension: beside a bandwidth of 1 all weights would vanish, and
    an iteration would hardly move.
    """
    rng = np.random.default_rng(0)
    y = rng.integers(2, size=n)
    X = rng.normal(size=(n, d)) + (2 * y - 1)[:, None] / np.sqrt(d)
    return X * np.sqrt(5 / d), np.where(rng.random(n) < 0.1, y, -1)


def negative_log_likelihood(model, X, y):
    return -float(model.log_likelihoods_[-1]) / len(X)


def unlabelled_share(model, X, y):
    return float(np.mean(model.transduction_ == -1))


def last_objective(model, X, y):
    return float(model.objectives_[-1]) / len(X)


WIDTH = 1.0


def energy(model, X, y):
    W = gaussian_kernel(X, bandwidth=WIDTH)
    F = model.label_distributions_
    return float((F * (W.sum(axis=1)[:, None] * F - W @ F)).sum()) / len(X)


CASES = [
    Case(
        estimator=SemiSupervisedNaiveBayes,
        problem=mostly_hidden,
        objective=negative_log_likelihood,
        shown_only="no counterpart",
    ),
    Case(
        estimator=SelfTraining,
        problem=clouds,
        objective=unlabelled_share,
        counterpart=partial(SelfTrainingClassifier, LogisticRegression()),
        shown_only="the same base on both sides",
    ),
    Case(
        estimator=CoTraining,
        problem=clouds,
        objective=unlabelled_share,
        shown_only="no counterpart",
    ),
    Case(
        estimator=TransductiveSVM,
        problem=clouds,
        objective=last_objective,
        shown_only="no counterpart",
        most=5_000,
    ),
    Case(
        estimator=LabelPropagation,
        ours=partial(LabelPropagation, n_neighbours=None, bandwidth=WIDTH),
        problem=clouds,
        objective=energy,
        counterpart=partial(SklearnPropagation, gamma=0.5 / WIDTH**2, tol=1e-6, max_iter=100_000),
        most=1_000,
    ),
]
