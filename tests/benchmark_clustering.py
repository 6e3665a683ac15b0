"""k-means against scikit-learn's, from the same start: the sum of squared distances must agree."""

import numpy as np
from sklearn.cluster import KMeans as Reference
from sklearn.cluster import MiniBatchKMeans as BatchReference

from benchmarks.cases import Case
from mlnotes.clustering import AgglomerativeClustering, KMeans, KMedoids, MiniBatchKMeans
from mlnotes.data import make_mixture

K = 8


def clouds(n, d):
    rng = np.random.default_rng(0)
    return make_mixture(n, 1.2 * rng.normal(size=(5, d)), random_state=rng).X, None


class Ours(KMeans):
    """Our k-means from the first points."""

    def fit(self, X, y=None, sample_weight=None):
        self.set_params(n_clusters=K, init=X[:K])
        return super().fit(X)


class Theirs(Reference):
    """scikit-learn's k-means from the same start."""

    def fit(self, X, y=None, sample_weight=None):
        self.set_params(init=X[: self.n_clusters])
        return super().fit(X)


def objective(model, X, y):
    return float(model.inertia_)


def heights(model, X, y):
    return float(model.distances_.sum())


CASES = [
    Case(
        estimator=KMeans,
        problem=clouds,
        objective=objective,
        counterpart=lambda: Theirs(n_clusters=K, n_init=1),
        ours=Ours,
    ),
    Case(
        estimator=MiniBatchKMeans,
        problem=clouds,
        objective=objective,
        counterpart=lambda: BatchReference(n_clusters=K, n_init=1, random_state=0),
        ours=lambda: MiniBatchKMeans(K),
        shown_only="the batches differ, and so do the centres",
    ),
    Case(
        estimator=KMedoids,
        problem=clouds,
        objective=objective,
        ours=lambda: KMedoids(K, n_init=1),
        shown_only="no counterpart",
        most=2000,
        pairwise=True,
    ),
    Case(
        estimator=AgglomerativeClustering,
        problem=clouds,
        objective=heights,
        shown_only="SciPy's linkage does the work",
        most=2000,
        pairwise=True,
    ),
]
