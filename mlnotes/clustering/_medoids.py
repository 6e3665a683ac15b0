"""Clusters by centres that are samples: k-medoids, for distances of any kind."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.spatial.distance import cdist, pdist, squareform

from mlnotes._constraints import Anything, Integer, RandomState
from mlnotes._laws import Laws
from mlnotes.clustering._algorithms import k_medoids
from mlnotes.clustering._base import ByDistance, check_enough
from mlnotes.exceptions import ConvergenceWarning, warn_at_caller
from mlnotes.validation import Array, check_distances, check_random_state


class KMedoids(ByDistance):
    r"""k-medoids: centres that are samples, for distances of any kind.

    Alternates between assigning every sample to its nearest medoid and choosing as the medoid of a
    cluster the member with the least sum of distances; :math:`\sum_i\min_k\delta(x_i,m_k)` never
    rises. Holds the distances of all pairs. There is no ``sample_weight``: pass a sample that
    counts twice twice. See the chapter on clustering.

    Parameters
    ----------
    n_clusters : int
        The number of medoids.
    metric : str or callable
        A metric of :func:`scipy.spatial.distance.pdist`, a function of two samples, or
        "precomputed": ``X`` is then the table of distances.
    n_init : int
        Runs from different starts, of which the best is kept.
    max_iter : int
        The greatest number of iterations of a run.
    random_state : int or numpy.random.Generator
        Seed of the starts.

    Attributes
    ----------
    medoid_indices_ : ndarray of int of shape (n_clusters,)
        Which samples are the medoids.
    cluster_centers_ : ndarray of shape (n_clusters, n_features)
        These samples, unless distances were given.
    labels_ : ndarray of int of shape (n_samples,)
        The nearest medoid of each sample.
    inertia_ : float
        The sum of the distances to the nearest medoids.
    n_features_in_ : int
        The number of features.
    feature_names_in_ : ndarray of str
        Their names, if ``fit`` was given a data frame.

    Examples
    --------
    >>> model = KMedoids(2).fit([[0.0], [1.0], [2.0], [9.0], [10.0]])
    >>> sorted(model.cluster_centers_[:1].ravel().tolist()), model.inertia_
    ([1.0], 3.0)
    """

    _constraints: ClassVar = {
        "n_clusters": Integer(1),
        "metric": Anything(),
        "n_init": Integer(1),
        "max_iter": Integer(1),
        "random_state": RandomState(),
    }
    # The starts are drawn from the rows; of equally good medoids rounding decides.
    _laws: ClassVar = Laws("unit", grid={"n_clusters": [1, 2]}, unfinished={"max_iter": 1})

    medoid_indices_: NDArray[np.intp]
    cluster_centers_: Array
    inertia_: float

    def __init__(
        self,
        n_clusters: int = 2,
        *,
        metric: str | Callable[[Array, Array], float] = "euclidean",
        n_init: int = 10,
        max_iter: int = 300,
        random_state: int | np.random.Generator = 0,
    ) -> None:
        self.n_clusters = n_clusters
        self.metric = metric
        self.n_init = n_init
        self.max_iter = max_iter
        self.random_state = random_state

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self.metric == "precomputed"
        return tags

    def fit(self, X: ArrayLike, y: ArrayLike | None = None) -> Self:
        """Run k-medoids from each start and keep the run that ended lowest.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features) or (n_samples, n_samples)
            Samples, or the distances between them.
        y : None
            Ignored: there are no labels to learn from.

        Returns
        -------
        self
            The fitted estimator.
        """
        points = self._fit_matrix(X)
        n = len(points)
        check_enough(points, self.n_clusters)
        table = self._distances(points)
        rng = check_random_state(self.random_state)
        best = np.inf
        for _ in range(self.n_init):
            start = rng.choice(n, self.n_clusters, replace=False)
            medoids, _ = k_medoids(table, start, max_iter=self.max_iter)
            cost = float(table[:, medoids].min(axis=1).sum())
            if cost < best:
                best, self.medoid_indices_ = cost, medoids
        self.inertia_ = best
        # One more round assigns the points, and says whether the medoids are at rest.
        moved, self.labels_ = k_medoids(table, self.medoid_indices_, max_iter=1)
        if not np.array_equal(moved, self.medoid_indices_):
            warn_at_caller(
                f"KMedoids made {self.max_iter} iterations and its medoids still change; raise "
                "max_iter.",
                ConvergenceWarning,
            )
        if self.metric != "precomputed":
            self.cluster_centers_ = points[self.medoid_indices_]
        return self

    def _distances(self, points: Array) -> Array:
        if isinstance(self.metric, str) and self.metric == "precomputed":
            return check_distances(points)
        try:
            return check_distances(squareform(pdist(points, self.metric)))
        except (ValueError, TypeError) as error:
            raise ValueError(f"metric={self.metric!r} gives no distances: {error}") from error

    def _to_clusters(self, points: Array) -> Array:
        """Return the distance of each sample from each medoid."""
        if self.metric == "precomputed":
            return points[:, self.medoid_indices_]
        return np.asarray(cdist(points, self.cluster_centers_, self.metric))
