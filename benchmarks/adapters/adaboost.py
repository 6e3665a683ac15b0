"""AdaBoost of 50 stumps against scikit-learn's, by the exponential loss that both make small.

scikit-learn cuts by Gini's impurity and doubles the votes, which changes no sign; halved again they
are comparable. Our stumps have the least weighted error, which is what boosting asks of them.
"""

import numpy as np
from sklearn.ensemble import AdaBoostClassifier

from benchmarks.cases import Case
from mlnotes.adaboost import AdaBoost, Cascade
from mlnotes.data import make_noisy


def noisy(n, d):
    sample = make_noisy(n, d, flip=0.1, random_state=0)
    return sample.X, sample.y


def mean_exponential_loss(model, X, y):
    votes = model.votes_ if isinstance(model, AdaBoost) else model.estimator_weights_ / 2
    answers = [weak.predict(X) for weak in model.estimators_]
    return float(np.exp(-y * (votes @ np.array(answers))).mean())


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
        estimator=Cascade,
        problem=noisy,
        objective=training_error,
        shown_only="no counterpart",
    ),
]
