"""Empirical risk minimisation over threshold rules, by the share of training points it gets wrong.

scikit-learn has no learner over a class that is fixed beforehand: its tree of depth one takes its
threshold from the data and chooses it by impurity.
"""

from benchmarks.cases import Case
from mlnotes.data import make_noisy
from mlnotes.pac_learning import ThresholdERM


def noisy(n, d):
    sample = make_noisy(n, d, flip=0.1, random_state=0)
    return sample.X, sample.y


def training_error(model, X, y):
    return float((model.predict(X) != y).mean())


CASES = [
    Case(
        estimator=ThresholdERM,
        problem=noisy,
        objective=training_error,
        shown_only="no counterpart",
    ),
]
