"""Logistic regression against scikit-learn's, by the penalised negative log-likelihood.

scikit-learn's tolerance is the loosest power of ten at which its objective comes within 1e-6 of the
minimum at every size. Features on equal scales suit its first-order solver; where the scales span a
factor of ten it needs more steps. Both are measured, and both count.
"""

from functools import partial

import numpy as np
from sklearn.linear_model import LogisticRegression as Reference
from sklearn.linear_model import SGDClassifier

from benchmarks.cases import Case
from mlnotes.logistic_regression import (
    GradientDescentLogisticRegression,
    LogisticRegression,
    StochasticLogisticRegression,
)


def sample(n, d, classes=2, spread=1):
    """Draw labels from a softmax model whose features have scales from 1 to ``spread``."""
    rng = np.random.default_rng(0)
    scales = np.geomspace(1, spread, d)
    X = rng.normal(size=(n, d)) * scales
    scores = X @ (rng.normal(size=(d, classes)) / scales[:, None])
    return X, (scores + 2 * rng.gumbel(size=(n, classes))).argmax(axis=1)


def objective(model, X, y):
    scores = model.decision_function(X)
    if scores.ndim == 1:
        losses = np.logaddexp(0.0, np.where(y == 1, -scores, scores))
    else:
        losses = np.logaddexp.reduce(scores, axis=1) - scores[np.arange(len(y)), y]
    return float(losses.sum() + 0.5 * (np.asarray(model.coef_) ** 2).sum()) / len(y)


def reference():
    return Reference(C=1.0, tol=1e-4, max_iter=10_000)


class StochasticReference(SGDClassifier):
    """As many epochs as ours, with the penalty of the common objective."""

    def fit(self, X, y):
        self.set_params(alpha=1 / len(X))
        return super().fit(X, y)


def stochastic_reference():
    return StochasticReference(
        loss="log_loss", tol=None, max_iter=StochasticLogisticRegression().max_iter
    )


COUNTED = {
    "two classes": {},
    "two classes, unequal scales": {"spread": 10},
    "three classes": {"classes": 3},
    "three classes, unequal scales": {"classes": 3, "spread": 10},
}
CASES = [
    *(
        Case(
            estimator=LogisticRegression,
            problem=partial(sample, **options),
            objective=objective,
            counterpart=reference,
            variant=variant,
            allowed=1.0 if "classes" in options else 0.6,
        )
        for variant, options in COUNTED.items()
    ),
    Case(
        estimator=GradientDescentLogisticRegression,
        problem=sample,
        objective=objective,
        counterpart=reference,
        shown_only="a first-order method without acceleration",
    ),
    Case(
        estimator=StochasticLogisticRegression,
        problem=sample,
        objective=objective,
        counterpart=stochastic_reference,
        shown_only="sample by sample; as many epochs and the same penalty",
    ),
]
