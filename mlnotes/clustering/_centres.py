"""Clusters by centres: k-means, as a whole and in small batches."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlnotes._constraints import AnyOf, Anything, Integer, OneOf, RandomState, Real
from mlnotes._laws import Laws
from mlnotes._numerics import distribution, row_norms, scale_by_power_of_two, weighted_mean
from mlnotes._solvers.kmeans import KMeansRun, lloyd_with_bounds, nearest_centres, spread
from mlnotes.base import Clusterer, Transformer
from mlnotes.clustering._algorithms import furthest_first, kmeans_plus_plus
from mlnotes.clustering._base import check_enough
from mlnotes.exceptions import ConvergenceWarning, warn_at_caller
from mlnotes.validation import (
    Array,
    check_matrix,
    check_random_state,
    check_weights,
    rows_that_count,
)

STARTS = ("k-means++", "furthest-first", "random")


class _Centres(Clusterer, Transformer):
    """What k-means learns, and what centres say about new points."""

    _squares = True

    n_clusters: int
    init: Any
    random_state: Any

    cluster_centers_: Array
    inertia_: float
    n_iter_: int
    _origin: Array

    def _start(self, points: Array, shares: Array, rng: np.random.Generator) -> Array:
        """Return starting centres, drawn from points that count in proportion to their shares.

        They are drawn in the order of the points along a line, so that the order of the rows does
        not matter, nor whether a point counts twice or comes twice.
        """
        line = np.random.default_rng(0).standard_normal(points.shape[1])
        order = np.argsort(points @ line, kind="stable")
        points, shares = points[order], shares[order]
        k = self.n_clusters
        if self.init == "k-means++":
            return kmeans_plus_plus(points, k, sample_weight=shares, random_state=rng)[0]
        if self.init == "furthest-first":
            return furthest_first(points, k, sample_weight=shares, random_state=rng)[0]
        return points[rng.choice(len(points), k, replace=False, p=shares)]

    def _given_start(self, points: Array) -> Array:
        start = check_matrix(self.init, name="init")
        if start.shape != (self.n_clusters, points.shape[1]):
            raise ValueError(
                f"init must have a row for each of {self.n_clusters} clusters and "
                f"{points.shape[1]} features, got shape {start.shape}."
            )
        return start - self._origin

    def predict(self, X: ArrayLike) -> NDArray[np.intp]:
        """Return the nearest centre of each sample.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples.

        Returns
        -------
        ndarray of int of shape (n_samples,)
            Rows of ``cluster_centers_``.
        """
        return self._assign(self._use_matrix(X))[0]

    def _assign(self, points: Array) -> tuple[NDArray[np.intp], Array]:
        unit, centres = self._common_unit(points)
        labels, _ = nearest_centres(unit, centres)
        return labels, points - self.cluster_centers_[labels]

    def _common_unit(self, points: Array) -> tuple[Array, Array]:
        """Return points and centres from the fitted origin, of size about one."""
        together = np.vstack([points - self._origin, self.cluster_centers_ - self._origin])
        scaled, _ = scale_by_power_of_two(together)
        return scaled[: len(points)], scaled[len(points) :]

    @property
    def _n_features_out(self) -> int:
        return len(self.cluster_centers_)

    def _transform(self, X: Array) -> Array:
        return np.stack([row_norms(X - centre) for centre in self.cluster_centers_], axis=1)

    def score(
        self, X: ArrayLike, y: ArrayLike | None = None, sample_weight: ArrayLike | None = None
    ) -> float:
        """Return minus the objective: the sum of squared distances to the nearest centres.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples.
        y : None
            Ignored.
        sample_weight : array-like of shape (n_samples,), optional
            How often each sample counts.

        Returns
        -------
        float
            Not positive; the larger, the nearer are the centres.
        """
        points = self._use_matrix(X)
        weights = check_weights(sample_weight, len(points))
        squares = (self._assign(points)[1] ** 2).sum(axis=1)
        return -float(squares.sum() if weights is None else weights @ squares)


class KMeans(_Centres):
    r"""k-means: centres that make :math:`\sum_i\min_k\lVert x_i-c_k\rVert^2` small.

    Lloyd's iteration from one or several starts; neither of its two steps raises the objective. A
    centre that loses all of its points is put on the point farthest from its own centre. See the
    chapter on clustering.

    Parameters
    ----------
    n_clusters : int
        The number of centres.
    init : {"k-means++", "furthest-first", "random"} or array-like
        How to choose the first centres, or the first centres themselves, one a row.
    n_init : int
        Runs from different starts, of which the best is kept; one if the start is given.
    max_iter : int
        The greatest number of iterations of a run.
    tol : float
        Stop as soon as the centres move by no more than this, squared and added up, relative to the
        mean variance of the features; with 0 only when no point changes its centre.
    random_state : int or numpy.random.Generator
        Seed of the starts.

    Attributes
    ----------
    cluster_centers_ : ndarray of shape (n_clusters, n_features)
        The centres.
    labels_ : ndarray of int of shape (n_samples,)
        The nearest centre of each sample.
    inertia_ : float
        The objective.
    n_iter_ : int
        Iterations of the run that was kept.
    n_features_in_ : int
        The number of features.
    feature_names_in_ : ndarray of str
        Their names, if ``fit`` was given a data frame.

    Examples
    --------
    >>> model = KMeans(2).fit([[0.0], [1.0], [9.0], [10.0]])
    >>> sorted(model.cluster_centers_.ravel().tolist()), model.inertia_
    ([0.5, 9.5], 1.0)
    """

    _constraints: ClassVar = {
        "n_clusters": Integer(1),
        "init": AnyOf(OneOf(*STARTS), Anything()),
        "n_init": Integer(1),
        "max_iter": Integer(1),
        "tol": Real(least=0),
        "random_state": RandomState(),
    }
    # The starts are drawn in an order that depends on the columns.
    _laws: ClassVar = Laws(
        "rows", "unit", "origin", grid={"n_clusters": [1, 2]}, unfinished={"max_iter": 1}
    )

    def __init__(
        self,
        n_clusters: int = 2,
        *,
        init: Any = "k-means++",
        n_init: int = 1,
        max_iter: int = 300,
        tol: float = 1e-4,
        random_state: int | np.random.Generator = 0,
    ) -> None:
        self.n_clusters = n_clusters
        self.init = init
        self.n_init = n_init
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state

    def fit(
        self, X: ArrayLike, y: ArrayLike | None = None, sample_weight: ArrayLike | None = None
    ) -> Self:
        """Run Lloyd's iteration from each start and keep the run that ended lowest.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples.
        y : None
            Ignored: there are no labels to learn from.
        sample_weight : array-like of shape (n_samples,), optional
            How often each sample counts.

        Returns
        -------
        self
            The fitted estimator.
        """
        points = self._fit_matrix(X)
        weights = check_weights(sample_weight, len(points))
        rows = rows_that_count(weights, len(points))
        counted = points if len(rows) == len(points) else points[rows]
        check_enough(counted, self.n_clusters)
        shares = distribution(None if weights is None else weights[rows], len(rows))
        self._origin = weighted_mean(counted, shares)
        centred = counted - self._origin
        unit, exponent = scale_by_power_of_two(centred, out=centred)
        rng = check_random_state(self.random_state)
        tol = self.tol * spread(unit, shares)
        starts = self.n_init if isinstance(self.init, str) else 1
        runs = []
        for _ in range(starts):
            if isinstance(self.init, str):
                start = self._start(unit, shares, rng)
            else:
                start = np.ldexp(self._given_start(unit), -exponent)
            runs.append(lloyd_with_bounds(unit, shares, start, tol, self.max_iter))
        self._keep(min(runs, key=lambda run: run.inertia), exponent, points, weights)
        return self

    def _keep(self, run: KMeansRun, exponent: int, points: Array, weights: Array | None) -> None:
        self.cluster_centers_ = np.ldexp(run.centres, exponent) + self._origin
        self.n_iter_ = run.n_iter
        rows = rows_that_count(weights, len(points))
        self.labels_ = run.labels if len(rows) == len(points) else self._assign(points)[0]
        masses, unit = scale_by_power_of_two(np.ones(len(points)) if weights is None else weights)
        with np.errstate(over="ignore"):
            self.inertia_ = float(np.ldexp(masses.sum() * run.inertia, 2 * exponent + unit))
        distinct = len(np.unique(run.labels))
        if distinct < self.n_clusters:
            warn_at_caller(
                f"KMeans found {distinct} distinct clusters, fewer than n_clusters="
                f"{self.n_clusters}: there are that few different points.",
                ConvergenceWarning,
            )
        elif not run.converged:
            warn_at_caller(
                f"KMeans made {run.n_iter} iterations and its centres still move; raise max_iter "
                "or tol.",
                ConvergenceWarning,
            )


class MiniBatchKMeans(_Centres):
    r"""k-means in small batches: every centre is the mean of all samples ever assigned to it.

    A batch is assigned to the nearest centres; then each centre moves to the mean of its samples so
    far, those of the batch included: :math:`c\leftarrow c+\frac1{n_c}\sum(x-c)` over the new ones.
    No sample is kept, so that data may come in any amounts through :meth:`partial_fit`. There is no
    ``sample_weight``: a sample that comes twice meets centres that have moved in between. See the
    chapter on clustering.

    Parameters
    ----------
    n_clusters : int
        The number of centres.
    init : {"k-means++", "furthest-first", "random"} or array-like
        How to choose the first centres among the first batch, or the first centres themselves.
    batch_size : int
        Samples of a batch in :meth:`fit`.
    max_iter : int
        Passes over the samples in :meth:`fit`.
    random_state : int or numpy.random.Generator
        Seed of the start and of the order of the samples.

    Attributes
    ----------
    cluster_centers_ : ndarray of shape (n_clusters, n_features)
        The centres.
    counts_ : ndarray of shape (n_clusters,)
        The number of samples assigned to each centre so far.
    labels_ : ndarray of int of shape (n_samples,)
        The nearest centre of each sample of the last call.
    inertia_ : float
        The sum of squared distances of these samples to their centres.
    n_iter_ : int
        Batches so far.
    n_features_in_ : int
        The number of features.
    feature_names_in_ : ndarray of str
        Their names, if ``fit`` was given a data frame.

    Examples
    --------
    >>> model = MiniBatchKMeans(2, init=[[0.0], [9.0]])
    >>> model.partial_fit([[0.0], [9.0]]).partial_fit([[1.0], [10.0]]).cluster_centers_.ravel()
    array([0.5, 9.5])
    """

    _constraints: ClassVar = {
        "n_clusters": Integer(1),
        "init": AnyOf(OneOf(*STARTS), Anything()),
        "batch_size": Integer(1),
        "max_iter": Integer(1),
        "random_state": RandomState(),
    }
    # The batches are drawn from the rows.
    _laws: ClassVar = Laws("unit", grid={"n_clusters": [1, 2]})

    counts_: NDArray[np.intp]

    def __init__(
        self,
        n_clusters: int = 2,
        *,
        init: Any = "k-means++",
        batch_size: int = 1024,
        max_iter: int = 10,
        random_state: int | np.random.Generator = 0,
    ) -> None:
        self.n_clusters = n_clusters
        self.init = init
        self.batch_size = batch_size
        self.max_iter = max_iter
        self.random_state = random_state

    def fit(self, X: ArrayLike, y: ArrayLike | None = None) -> Self:
        """Forget what was learned, and pass over the samples in batches of random members.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples.
        y : None
            Ignored: there are no labels to learn from.

        Returns
        -------
        self
            The fitted estimator.
        """
        points = self._fit_matrix(X)
        check_enough(points, self.n_clusters)
        rng = check_random_state(self.random_state)
        self._begin(points, rng)
        for _ in range(self.max_iter):
            order = rng.permutation(len(points))
            for begin in range(0, len(order), self.batch_size):
                self._learn(points[order[begin : begin + self.batch_size]])
        self._report(points)
        return self

    def partial_fit(self, X: ArrayLike, y: ArrayLike | None = None) -> Self:
        """Learn from one more batch of samples.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples; of the first batch there must be as many as clusters, unless ``init`` gives
            the centres.
        y : None
            Ignored.

        Returns
        -------
        self
            The estimator itself.
        """
        if self.__sklearn_is_fitted__():
            points = self._use_matrix(X)
        else:
            points = self._fit_matrix(X)
            if isinstance(self.init, str):
                check_enough(points, self.n_clusters)
            self._begin(points, check_random_state(self.random_state))
        self._learn(points)
        self._report(points)
        return self

    def _begin(self, points: Array, rng: np.random.Generator) -> None:
        self._origin = weighted_mean(points)
        centred = points - self._origin
        if isinstance(self.init, str):
            start = self._start(centred, distribution(None, len(points)), rng)
        else:
            start = self._given_start(centred)
        self.cluster_centers_ = start + self._origin
        self.counts_ = np.zeros(self.n_clusters, dtype=np.intp)
        self.n_iter_ = 0

    def _learn(self, points: Array) -> None:
        labels, gaps = self._assign(points)
        self.n_iter_ += 1
        for k in np.unique(labels):
            mine = gaps[labels == k]
            self.counts_[k] += len(mine)
            self.cluster_centers_[k] += mine.sum(axis=0) / self.counts_[k]

    def _report(self, points: Array) -> None:
        self.labels_, gaps = self._assign(points)
        self.inertia_ = float((gaps**2).sum())
