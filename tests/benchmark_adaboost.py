"""AdaBoost and gradient boosting against scikit-learn's, by the losses that they make small.

AdaBoost of 50 stumps makes the exponential loss small. scikit-learn cuts by Gini's impurity and
doubles the votes, which changes no sign; halved again they are comparable. Our stumps have the
least weighted error, which is what boosting asks of them.
"""

import numpy as np
from sklearn.ensemble import AdaBoostClassifier
from sklearn.ensemble import GradientBoostingClassifier as ReferenceClassifier
from sklearn.ensemble import GradientBoostingRegressor as ReferenceRegressor

from benchmarks.cases import Case
from mlnotes.adaboost import (
    AdaBoost,
    Cascade,
    GradientBoostingClassifier,
    GradientBoostingRegressor,
)
from mlnotes.data import make_noisy


def noisy(n, d):
    sample = make_noisy(n, d, flip=0.1, random_state=0)
    return sample.X, sample.y


def mean_exponential_loss(model, X, y):
    votes = model.votes_ if isinstance(model, AdaBoost) else model.estimator_weights_ / 2
    answers = [weak.predict(X) for weak in model.estimators_]
    return float(np.exp(-y * (votes @ np.array(answers))).mean())


def single(problem):
    """The samples in single precision, to which scikit-learn rounds its input."""

    def rounded(n, d):
        X, y = problem(n, d)
        return X.astype(np.float32).astype(float), y

    return rounded


def bumps(n, d):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, d))
    return X, np.sin(2 * X[:, 0]) + X[:, 1] ** 2 + rng.normal(size=n)


def mean_logistic_loss(model, X, y):
    return float(np.logaddexp(0.0, -y * model.decision_function(X)).mean())


def mean_squared_error(model, X, y):
    return float(np.mean((model.predict(X) - y) ** 2))


def training_error(model, X, y):
    return float((model.predict(X) != y).mean())


CASES = [
    Case(
        estimator=AdaBoost,
        problem=noisy,
        objective=mean_exponential_loss,
        counterpart=lambda: AdaBoostClassifier(n_estimators=50, random_state=0),
        allowed=0.2,
    ),
    Case(
        estimator=GradientBoostingClassifier,
        problem=single(noisy),
        objective=mean_logistic_loss,
        ours=lambda: GradientBoostingClassifier(20),
        counterpart=lambda: ReferenceClassifier(n_estimators=20, random_state=0),
        shown_only="equal residuals make ties, which are broken by lot",
        allowed=0.4,
    ),
    Case(
        estimator=GradientBoostingRegressor,
        problem=single(bumps),
        objective=mean_squared_error,
        ours=lambda: GradientBoostingRegressor(20),
        counterpart=lambda: ReferenceRegressor(n_estimators=20, random_state=0),
        allowed=0.4,
    ),
    Case(
        estimator=Cascade,
        problem=noisy,
        objective=training_error,
        shown_only="no counterpart",
    ),
]
