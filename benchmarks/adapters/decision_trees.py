"""A stump against scikit-learn's tree of depth one, by its training error."""

import numpy as np
from sklearn.tree import DecisionTreeClassifier

from benchmarks.cases import Case
from mlnotes.data import make_noisy
from mlnotes.decision_trees import DecisionStump


def noisy(n, d):
    sample = make_noisy(n, d, flip=0.1, random_state=0)
    return sample.X, sample.y


def training_error(model, X, y):
    return float(np.mean(model.predict(X) != y))


CASES = [
    Case(
        estimator=DecisionStump,
        problem=noisy,
        objective=training_error,
        counterpart=lambda: DecisionTreeClassifier(max_depth=1, random_state=0),
    ),
]
