"""Ridge, lasso and its path, and matching pursuit against scikit-learn's, at equal objective."""

import numpy as np
from sklearn import linear_model as theirs

from benchmarks.cases import Case
from mlnotes.data import make_contaminated
from mlnotes.regularised_least_squares import (
    LARS,
    Lasso,
    NonNegativeOMP,
    OrthogonalMatchingPursuit,
    Ridge,
)

PENALTY = 10.0
# The lasso has its penalty in the unit of a correlation; a share of the samples leaves something.
SHARE = 0.1


def problem(n, d):
    sample = make_contaminated(n, d, contamination=0.0, random_state=0)
    return sample.X, sample.y


def squares(model, X, y):
    return float(((y - model.predict(X)) ** 2).mean())


def ridge_objective(model, X, y):
    return squares(model, X, y) + PENALTY * float(model.coef_ @ model.coef_) / len(y)


def lasso_objective(model, X, y):
    return squares(model, X, y) / 2 + SHARE * float(np.abs(model.coef_).sum())


class Ours(Lasso):
    """The lasso whose penalty grows with the number of samples, as scikit-learn's does."""

    def fit(self, X, y):
        self.penalty = SHARE * len(y)
        return super().fit(X, y)


def path_length(model, X, y):
    """Of the path itself nothing is minimised: its end is least squares."""
    return squares(model, X, y)


CASES = [
    Case(
        estimator=Ridge,
        problem=problem,
        objective=ridge_objective,
        counterpart=lambda: theirs.Ridge(alpha=PENALTY),
        ours=lambda: Ridge(penalty=PENALTY),
        allowed=0.4,
    ),
    Case(
        estimator=Lasso,
        problem=problem,
        objective=lasso_objective,
        counterpart=lambda: theirs.Lasso(alpha=SHARE),
        ours=Ours,
        allowed=0.8,
    ),
    Case(
        estimator=LARS,
        problem=problem,
        objective=path_length,
        counterpart=lambda: theirs.LassoLars(alpha=0.0),
        allowed=0.7,
    ),
    Case(
        estimator=OrthogonalMatchingPursuit,
        problem=problem,
        objective=squares,
        counterpart=lambda: theirs.OrthogonalMatchingPursuit(n_nonzero_coefs=5),
        ours=lambda: OrthogonalMatchingPursuit(n_nonzero=5),
    ),
    Case(
        estimator=NonNegativeOMP,
        problem=problem,
        objective=squares,
        ours=lambda: NonNegativeOMP(n_nonzero=5),
        shown_only="no counterpart",
    ),
]
