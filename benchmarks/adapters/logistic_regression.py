"""Logistic regression against scikit-learn's, by the penalised negative log-likelihood.

scikit-learn's tolerance is the loosest power of ten at which its objective comes within 1e-6 of the
minimum at every size. The scales of the features span a factor of ten: on equal scales its
first-order solver needs fewer steps.
"""

import numpy as np
from sklearn.linear_model import LogisticRegression as Reference
from sklearn.linear_model import SGDClassifier

from benchmarks.cases import Case
from mlnotes.logistic_regression import (
    GradientDescentLogisticRegression,
    LogisticRegression,
    StochasticLogisticRegression,
)


class Softmax(LogisticRegression):
    """The same estimator, in a row of its own for three classes."""

    __module__ = LogisticRegression.__module__


def sample(n, d, k):
    """Draw labels from a softmax model with features of different scales."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, d)) * np.geomspace(1, 10, d)
    scores = X @ (rng.normal(size=(d, k)) / np.geomspace(1, 10, d)[:, None])
    return X, (scores + 2 * rng.gumbel(size=(n, k))).argmax(axis=1)


def binary(n, d):
    return sample(n, d, 2)


def three_classes(n, d):
    return sample(n, d, 3)


def objective(model, X, y):
    scores = model.decision_function(X)
    if scores.ndim == 1:
        losses = np.logaddexp(0.0, np.where(y == 1, -scores, scores))
    else:
        losses = np.logaddexp.reduce(scores, axis=1) - scores[np.arange(len(y)), y]
    return float(losses.sum() + 0.5 * (np.asarray(model.coef_) ** 2).sum()) / len(y)


def reference():
    return Reference(C=1.0, tol=1e-4, max_iter=10_000)


CASES = [
    Case(
        estimator=LogisticRegression,
        problem=binary,
        objective=objective,
        counterpart=reference,
    ),
    Case(
        estimator=Softmax,
        problem=three_classes,
        objective=objective,
        counterpart=reference,
    ),
    Case(
        estimator=GradientDescentLogisticRegression,
        problem=binary,
        objective=objective,
        counterpart=reference,
        shown_only="a first-order method without acceleration",
    ),
    Case(
        estimator=StochasticLogisticRegression,
        problem=binary,
        objective=objective,
        counterpart=lambda: SGDClassifier(loss="log_loss", alpha=1e-4, tol=1e-4),
        shown_only="sample by sample",
    ),
]
