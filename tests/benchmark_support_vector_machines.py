"""Support vector machines against scikit-learn's.

``SVC`` has the same model, with a free offset, and its default tolerance is the loosest power of
ten at which its objective agrees with ours to 1e-6. ``LinearSVC`` penalises the offset, as dual
coordinate ascent does; it stops on differences of derivatives and ours on the gap, at a tolerance
that reaches the same objective. ``SGDClassifier`` makes as many passes as ours over the same
objective without an offset, so that the ratio is that of an epoch.
"""

from functools import partial

import numpy as np
from sklearn.linear_model import SGDClassifier
from sklearn.svm import SVC, LinearSVC

from benchmarks.cases import Case
from mlnotes.data import make_noisy
from mlnotes.support_vector_machines import (
    DualCoordinateSVM,
    KernelSVM,
    LinearSVM,
    SubgradientSVM,
    primal_objective,
)


def noisy(n, d):
    sample = make_noisy(n, d, flip=0.1, random_state=0)
    return sample.X, sample.y


def curved(n, d):
    """Two classes that only a curved boundary tells apart, with some noise."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, d))
    noise = 0.3 * rng.normal(size=n)
    return X, np.where(X[:, 0] * X[:, 1] + 0.5 * X[:, 2] + noise > 0, 1, -1)


def primal(model, X, y):
    return primal_objective(X, y, np.ravel(model.coef_), float(np.ravel(model.intercept_)[0]))


def penalised_primal(model, X, y):
    return primal(model, X, y) + 0.5 * float(np.ravel(model.intercept_)[0]) ** 2


def minus_dual(model, X, y):
    """The dual objective with its sign changed, from the scores of the support vectors."""
    beta = np.ravel(model.dual_coef_)
    scores = model.decision_function(X[model.support_]) - float(np.ravel(model.intercept_)[0])
    return float(0.5 * beta @ scores - np.abs(beta).sum())


EPOCHS = 100


class Epochs(SGDClassifier):
    """scikit-learn's subgradient descent on the same objective, divided by its samples."""

    def __init__(self):
        super().__init__(
            loss="hinge", fit_intercept=False, max_iter=EPOCHS, tol=None, random_state=0
        )

    def fit(self, X, y):
        self.alpha = 1 / len(X)
        return super().fit(X, y)


CASES = [
    Case(
        estimator=LinearSVM,
        problem=noisy,
        objective=primal,
        counterpart=partial(SVC, kernel="linear"),
        most=5_000,
        allowed=0.2,
    ),
    Case(
        estimator=KernelSVM,
        problem=curved,
        objective=minus_dual,
        counterpart=SVC,
        most=20_000,
        pairwise=True,
    ),
    Case(
        estimator=KernelSVM,
        ours=partial(KernelSVM, C=10.0),
        variant="C=10",
        problem=curved,
        objective=minus_dual,
        counterpart=partial(SVC, C=10.0),
        most=20_000,
        pairwise=True,
        allowed=2.0,
    ),
    Case(
        estimator=DualCoordinateSVM,
        ours=partial(DualCoordinateSVM, tol=1e-6),
        problem=noisy,
        objective=penalised_primal,
        counterpart=partial(LinearSVC, loss="hinge", max_iter=100_000),
        shown_only="sample by sample",
        most=5_000,
    ),
    Case(
        estimator=SubgradientSVM,
        ours=partial(SubgradientSVM, fit_intercept=False, tol=1e-12, max_iter=EPOCHS),
        problem=noisy,
        objective=primal,
        counterpart=Epochs,
        shown_only="sample by sample, after 100 epochs",
        most=5_000,
    ),
]
