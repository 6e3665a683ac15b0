"""Maximum entropy against scikit-learn's logistic regression without a penalty, the same model."""

import numpy as np
from sklearn.linear_model import LogisticRegression as Reference

from benchmarks.cases import Case
from mlnotes.maximum_entropy import MaximumEntropy
from tests.benchmark_logistic_regression import sample


def mean_negative_log_likelihood(model, X, y):
    own = model.predict_proba(X)[range(len(y)), y]
    return float(-np.log(own).mean())


CASES = [
    Case(
        estimator=MaximumEntropy,
        problem=sample,
        objective=mean_negative_log_likelihood,
        counterpart=lambda: Reference(C=np.inf, tol=1e-5, max_iter=10_000),
        shown_only="the model of logistic regression, with its moments matched",
    )
]
