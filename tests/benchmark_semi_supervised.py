"""Semi-supervised naive Bayes, which has no counterpart: nine tenths of the labels are hidden."""

import numpy as np

from benchmarks.cases import Case
from mlnotes.semi_supervised import SemiSupervisedNaiveBayes


def mostly_hidden(n, d):
    rng = np.random.default_rng(0)
    theta = rng.uniform(0.2, 0.8, size=(2, d))
    y = rng.integers(2, size=n)
    X = (rng.random((n, d)) < theta[y]).astype(np.float64)
    return X, np.where(rng.random(n) < 0.1, y, -1)


def negative_log_likelihood(model, X, y):
    return -float(model.log_likelihoods_[-1]) / len(X)


CASES = [
    Case(
        estimator=SemiSupervisedNaiveBayes,
        problem=mostly_hidden,
        objective=negative_log_likelihood,
        shown_only="no counterpart",
    ),
]
