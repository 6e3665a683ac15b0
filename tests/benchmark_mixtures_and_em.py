"""Mixtures against scikit-learn's, by the mean negative log-density of the sample.

Both sides fit five Gaussians with full covariances from the same start: the first five points as
means, equal weights, and the covariance of the whole sample for each component. scikit-learn's
term added to the covariances is switched off, since it would change the model.
"""

import numpy as np
from sklearn.mixture import GaussianMixture as Reference

from benchmarks.cases import Case
from mlnotes.data import make_mixture
from mlnotes.mixtures_and_em import BernoulliMixture, GaussianMixture

K = 5


def clouds(n, d):
    rng = np.random.default_rng(0)
    return make_mixture(n, 1.2 * rng.normal(size=(K, d)), random_state=rng).X, None


def bits(n, d):
    X, _ = clouds(n, d)
    return (X > 0).astype(np.float64), None


def first_points(X):
    return np.full(K, 1 / K), X[:K], np.repeat(np.cov(X.T)[None], K, axis=0)


class Ours(GaussianMixture):
    """Our mixture from the start described above."""

    def fit(self, X, y=None):
        self.set_params(n_components=K, start=first_points(X))
        return super().fit(X)


class Theirs(Reference):
    """scikit-learn's mixture from the same start."""

    def fit(self, X, y=None):
        weights, means, covariances = first_points(X)
        self.set_params(
            weights_init=weights,
            means_init=means,
            precisions_init=np.linalg.inv(covariances),
        )
        return super().fit(X)


def negative_log_density(model, X, y):
    return -float(model.score(X))


CASES = [
    Case(
        estimator=GaussianMixture,
        problem=clouds,
        objective=negative_log_density,
        counterpart=lambda: Theirs(n_components=K, reg_covar=0.0, max_iter=200),
        ours=Ours,
        allowed=0.7,
    ),
    Case(
        estimator=BernoulliMixture,
        problem=bits,
        objective=negative_log_density,
        shown_only="no counterpart",
    ),
]
