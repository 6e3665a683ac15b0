"""Principal components against scikit-learn's: what is lost by the projection must agree."""

import numpy as np
from sklearn.decomposition import PCA as Reference
from sklearn.decomposition import KernelPCA as KernelReference

from benchmarks.cases import Case
from mlnotes.principal_components import PCA, KernelPCA, RobustPCA

K = 4


def clouds(n, d):
    rng = np.random.default_rng(0)
    return rng.normal(size=(n, d)) @ rng.normal(size=(d, d)), None


def spoilt(n, d):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, 2)) @ rng.normal(size=(2, d))
    X[rng.random(X.shape) < 0.02] += 20.0
    return X, None


def lost(model, X, y):
    centred = X - model.mean_
    return float(((centred - centred @ model.components_.T @ model.components_) ** 2).sum())


def explained(model, X, y):
    return -float(model.eigenvalues_.sum())


class Theirs(KernelReference):
    """scikit-learn's kernel components with the bandwidth that ours chooses."""

    def fit(self, X, y=None):
        self.set_params(gamma=1 / (X.shape[1] * X.var(axis=0).mean()))
        return super().fit(X)


CASES = [
    Case(
        estimator=PCA,
        problem=clouds,
        objective=lost,
        counterpart=lambda: Reference(K, svd_solver="full"),
        ours=lambda: PCA(K),
        allowed=0.6,
    ),
    Case(
        estimator=KernelPCA,
        problem=clouds,
        objective=explained,
        counterpart=lambda: Theirs(n_components=K, kernel="rbf", random_state=0),
        ours=lambda: KernelPCA(K),
        most=2000,
        pairwise=True,
    ),
    Case(
        estimator=RobustPCA,
        problem=spoilt,
        objective=lambda model, X, y: model.objective_,
        shown_only="no counterpart",
    ),
]
