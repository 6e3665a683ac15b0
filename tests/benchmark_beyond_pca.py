"""Embeddings and factors against scikit-learn's, with the same start: the losses must agree."""

import warnings

import numpy as np
from sklearn.decomposition import NMF as NMFReference
from sklearn.decomposition import FactorAnalysis as FactorReference
from sklearn.decomposition import FastICA as ICAReference
from sklearn.manifold import ClassicalMDS as MDSReference
from sklearn.manifold import LocallyLinearEmbedding as LLEReference

from benchmarks.cases import Case
from mlnotes.beyond_pca import (
    LLE,
    MDS,
    NMF,
    FactorAnalysis,
    FastICA,
    lle_weights,
    nearest_neighbours,
    negentropy_approx,
    nmf_init,
)
from mlnotes.data import make_swiss_roll

K = 4
NEIGHBOURS = 12


def rolled(n, d):
    """A Swiss roll, turned into d dimensions."""
    rng = np.random.default_rng(0)
    frame = np.linalg.qr(rng.normal(size=(d, 3)))[0]
    return make_swiss_roll(n, random_state=rng).X @ frame.T, None


def clouds(n, d):
    rng = np.random.default_rng(0)
    return rng.normal(size=(n, d)) @ rng.normal(size=(d, d)), None


def counts(n, d):
    rng = np.random.default_rng(0)
    return rng.poisson(5 * rng.gamma(0.5, size=(n, K)) @ rng.gamma(0.5, size=(K, d))) + 0.0, None


def mixed(n, d):
    rng = np.random.default_rng(0)
    sources = np.where(np.arange(d) % 2, rng.laplace(size=(n, d)), rng.uniform(-1, 1, size=(n, d)))
    return sources @ rng.normal(size=(d, d)), None


def factors(n, d):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, K)) @ rng.normal(size=(K, d))
    return X + rng.normal(size=(n, d)) * rng.uniform(0.5, 2.0, size=d), None


def strain(model, X, y):
    """Minus the size of the embedding: the less, the more of the inner products is kept."""
    return -float((model.embedding_**2).sum())


def bent(model, X, y):
    """The sum of squared errors, with coordinates of variance one."""
    T = model.embedding_ / np.sqrt((model.embedding_**2).mean(axis=0))
    neighbours = nearest_neighbours(X, NEIGHBOURS)
    weights = lle_weights(X, neighbours)
    return float(((T - np.einsum("ij,ijk->ik", weights, T[neighbours])) ** 2).sum())


def loss(model, X, y):
    return float(model.loss_ if hasattr(model, "loss_") else model.reconstruction_err_**2 / 2)


def gaussian_look(model, X, y):
    """Minus how far the means of the contrast are from that of a Gaussian, for all sources."""
    return -sum(negentropy_approx(s) ** 0.5 for s in model.transform(X).T)


def unlikely(model, X, y):
    return -float(model.score(X))


class OurStart(NMF):
    """Our factorisation, from the same factors as scikit-learn's."""

    def fit(self, X, y=None):
        self.set_params(init=nmf_init(X, K))
        return super().fit(X)


class TheirStart(NMFReference):
    """scikit-learn's factorisation, from the same factors as ours."""

    def fit(self, X, y=None):
        T, W = nmf_init(X, K)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            self.fit_transform(X, W=T, H=np.ascontiguousarray(W.T))
        return self


CASES = [
    Case(
        estimator=MDS,
        problem=clouds,
        objective=strain,
        counterpart=lambda: MDSReference(2),
        most=1000,
        pairwise=True,
    ),
    Case(
        estimator=LLE,
        problem=rolled,
        objective=bent,
        counterpart=lambda: LLEReference(
            n_neighbors=NEIGHBOURS, n_components=2, eigen_solver="arpack", random_state=0
        ),
        ours=lambda: LLE(2, n_neighbours=NEIGHBOURS),
        allowed=0.5,
    ),
    Case(
        estimator=NMF,
        problem=counts,
        objective=loss,
        counterpart=lambda: TheirStart(
            K, init="custom", solver="mu", beta_loss="kullback-leibler", tol=1e-4, max_iter=1000
        ),
        ours=lambda: OurStart(K, tol=5e-6),
    ),
    Case(
        estimator=NMF,
        problem=counts,
        objective=loss,
        counterpart=lambda: TheirStart(K, init="custom", tol=1e-4, max_iter=1000),
        ours=lambda: OurStart(K, loss="frobenius", tol=2e-8),
        variant="squares",
    ),
    Case(
        estimator=FastICA,
        problem=mixed,
        objective=gaussian_look,
        counterpart=lambda: ICAReference(whiten="unit-variance", random_state=0, tol=1e-4),
        allowed=0.6,
    ),
    Case(
        estimator=FactorAnalysis,
        problem=factors,
        objective=unlikely,
        counterpart=lambda: FactorReference(K, svd_method="lapack"),
        ours=lambda: FactorAnalysis(K),
    ),
]
