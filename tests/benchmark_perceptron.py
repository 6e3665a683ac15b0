"""The perceptrons against scikit-learn's, by the share of training points they get wrong.

scikit-learn's perceptron does not stop because the data are separated but because the mean loss of
an epoch no longer falls by ``tol``. The tolerance here is the loosest power of ten at which it has
separated the data at every size; a stricter one would only let it run longer.
"""

from sklearn.linear_model import Perceptron as Reference
from sklearn.linear_model import SGDClassifier

from benchmarks.cases import Case
from mlnotes.data import make_noisy, make_separable
from mlnotes.perceptron import (
    AveragedPerceptron,
    BatchPerceptron,
    Perceptron,
    PocketPerceptron,
)

LOOSEST = {"shuffle": False, "tol": 1e-2, "n_iter_no_change": 1}


def separable(n, d):
    sample = make_separable(n, d, margin=0.1, random_state=0)
    return sample.X, sample.y


def noisy(n, d):
    sample = make_noisy(n, d, flip=0.1, random_state=0)
    return sample.X, sample.y


def training_error(model, X, y):
    return float((model.predict(X) != y).mean())


CASES = [
    Case(
        estimator=Perceptron,
        problem=separable,
        objective=training_error,
        counterpart=lambda: Reference(**LOOSEST),
        shown_only="sample by sample",
    ),
    Case(
        estimator=AveragedPerceptron,
        problem=separable,
        objective=training_error,
        counterpart=lambda: SGDClassifier(
            loss="perceptron",
            penalty=None,
            learning_rate="constant",
            eta0=1.0,
            average=True,
            **LOOSEST,
        ),
        shown_only="sample by sample",
    ),
    Case(
        estimator=BatchPerceptron,
        problem=separable,
        objective=training_error,
        counterpart=lambda: Reference(**LOOSEST),
        shown_only="no batch perceptron there; against the online one",
    ),
    Case(
        estimator=PocketPerceptron,
        problem=noisy,
        objective=training_error,
        shown_only="no counterpart",
    ),
]
