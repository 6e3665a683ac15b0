"""Forests and bagging against scikit-learn's, by their error on samples that were not fitted.

Both draw at random, so that their errors agree only up to chance, and the rows are shown without
being counted. The number of trees is small, for the time grows with it on both sides alike.
"""

from functools import partial

import numpy as np
from sklearn.ensemble import BaggingClassifier as ReferenceBagging
from sklearn.ensemble import BaggingRegressor as ReferenceBaggingRegressor
from sklearn.ensemble import RandomForestClassifier as ReferenceClassifier
from sklearn.ensemble import RandomForestRegressor as ReferenceRegressor

from benchmarks.cases import Case
from mlnotes.bagging_and_forests import (
    Bagging,
    BaggingRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)

TREES = 20


def signal(X):
    return np.sin(2 * X[:, 0]) + X[:, 1] ** 2 - X[:, 2] * X[:, 3]


def classes(n, d, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    return X, (signal(X) + rng.normal(size=n) / 2 > 1).astype(int)


def bumps(n, d, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    return X, signal(X) + rng.normal(size=n) / 2


def new_error(model, X, y):
    new, truth = classes(20_000, X.shape[1], seed=1)
    return float(np.mean(model.predict(new) != truth))


def new_squared_error(model, X, y):
    new, truth = bumps(20_000, X.shape[1], seed=1)
    return float(np.mean((model.predict(new) - truth) ** 2))


CHANCE = "errors agree only up to chance"
SEEDED = {"n_estimators": TREES, "random_state": 0}
PAIRS = [
    (RandomForestClassifier, ReferenceClassifier, classes, new_error, {}),
    (RandomForestRegressor, ReferenceRegressor, bumps, new_squared_error, {"max_features": 1 / 3}),
    (Bagging, ReferenceBagging, classes, new_error, {}),
    (BaggingRegressor, ReferenceBaggingRegressor, bumps, new_squared_error, {}),
]
CASES = [
    Case(
        estimator=ours,
        problem=problem,
        objective=objective,
        ours=partial(ours, **SEEDED, **options),
        counterpart=partial(theirs, **SEEDED, **options),
        shown_only=CHANCE,
        most=20_000 if "Bagging" in ours.__name__ else None,
        allowed=0.8,
    )
    for ours, theirs, problem, objective, options in PAIRS
]
