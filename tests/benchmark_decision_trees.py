"""Trees against scikit-learn's, by their training error.

A tree that is grown to the end makes no mistake on a sample of different points, so those of
limited depth are compared too: there both choose the same cuts but for ties.
"""

from functools import partial

import numpy as np
from sklearn.tree import DecisionTreeClassifier as ReferenceClassifier
from sklearn.tree import DecisionTreeRegressor as ReferenceRegressor

from benchmarks.cases import Case
from mlnotes.data import make_noisy
from mlnotes.decision_trees import DecisionStump, DecisionTreeClassifier, DecisionTreeRegressor


def noisy(n, d):
    sample = make_noisy(n, d, flip=0.1, random_state=0)
    # Representable in single precision, to which scikit-learn rounds its input.
    return sample.X.astype(np.float32).astype(float), sample.y


def bumps(n, d):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, d)).astype(np.float32).astype(float)
    return X, np.sin(2 * X[:, 0]) + X[:, 1] ** 2 + rng.normal(size=n)


def training_error(model, X, y):
    return float(np.mean(model.predict(X) != y))


def squared_error(model, X, y):
    return float(np.mean((model.predict(X) - y) ** 2))


CLASSIFIERS = {
    "": {},
    "depth 8": {"max_depth": 8},
    "entropy": {"criterion": "entropy"},
}
REGRESSORS = {"": {}, "depth 8": {"max_depth": 8}}
CASES = [
    Case(
        estimator=DecisionStump,
        problem=noisy,
        objective=training_error,
        counterpart=lambda: ReferenceClassifier(max_depth=1, random_state=0),
    ),
    *(
        Case(
            estimator=DecisionTreeClassifier,
            problem=noisy,
            objective=training_error,
            ours=partial(DecisionTreeClassifier, **options),
            counterpart=partial(ReferenceClassifier, random_state=0, **options),
            variant=variant,
            allowed=0.4,
        )
        for variant, options in CLASSIFIERS.items()
    ),
    *(
        Case(
            estimator=DecisionTreeRegressor,
            problem=bumps,
            objective=squared_error,
            ours=partial(DecisionTreeRegressor, **options),
            counterpart=partial(ReferenceRegressor, random_state=0, **options),
            variant=variant,
            allowed=0.4,
        )
        for variant, options in REGRESSORS.items()
    ),
]
