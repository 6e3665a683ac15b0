"""Clusters by mergers, from below."""

from __future__ import annotations

from typing import ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.cluster.hierarchy import linkage as scipy_linkage
from scipy.spatial.distance import cdist

from mlnotes._constraints import Integer, OneOf
from mlnotes._laws import Laws
from mlnotes._numerics import scale_by_power_of_two, weighted_mean
from mlnotes.clustering._base import ByDistance, check_enough
from mlnotes.clustering._mathematics import LINKAGES, cut_dendrogram
from mlnotes.validation import Array


class AgglomerativeClustering(ByDistance):
    """Clusters by mergers: begin with single samples, join the two nearest clusters, repeat.

    :func:`scipy.cluster.hierarchy.linkage` computes the mergers; :func:`agglomerate` is the
    textbook's form of it. A new sample belongs to the cluster with which it would be merged as a
    cluster of its own; so a sample of ``fit`` may be nearer to another cluster than to the one that
    it was merged into. There is no ``sample_weight``: pass a sample that counts twice twice. See
    the chapter on clustering.

    Parameters
    ----------
    n_clusters : int
        How many clusters to stop at.
    linkage : {"ward", "average", "complete", "single", "centroid"}
        What the distance of two clusters is: that of their nearest members ("single"), of their
        farthest ("complete"), the mean over all pairs ("average"), that of their means
        ("centroid"), or what the merger adds to the sum of squares ("ward").

    Attributes
    ----------
    labels_ : ndarray of int of shape (n_samples,)
        The cluster of each sample, numbered in the order of their first samples.
    mergers_ : ndarray of shape (n_samples - 1, 4)
        The whole history, as :func:`scipy.cluster.hierarchy.dendrogram` draws it: two clusters,
        their distance, the number of samples.
    distances_ : ndarray of shape (n_samples - 1,)
        The distances at which clusters were merged; only with "centroid" they may fall.
    samples_ : ndarray of shape (n_samples, n_features)
        The samples, by which new ones are judged.
    n_features_in_ : int
        The number of features.
    feature_names_in_ : ndarray of str
        Their names, if ``fit`` was given a data frame.

    Examples
    --------
    >>> model = AgglomerativeClustering(2).fit([[0.0], [1.0], [9.0], [10.0]])
    >>> model.labels_, model.distances_[:2]
    (array([0, 0, 1, 1]), array([1., 1.]))
    """

    _constraints: ClassVar = {
        "n_clusters": Integer(1),
        "linkage": OneOf(*LINKAGES),
    }
    # Clusters are numbered in the order of the rows, and of equal distances the first is taken.
    _laws: ClassVar = Laws("unit", grid={"n_clusters": [1, 2]})

    mergers_: Array
    distances_: Array
    samples_: Array

    def __init__(self, n_clusters: int = 2, *, linkage: str = "ward") -> None:
        self.n_clusters = n_clusters
        self.linkage = linkage

    def fit(self, X: ArrayLike, y: ArrayLike | None = None) -> Self:
        """Merge the samples to a single cluster, and cut the history at ``n_clusters``.

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
        points = self._fit_matrix(X, min_samples=2)
        check_enough(points, self.n_clusters)
        unit, exponent = scale_by_power_of_two(points - weighted_mean(points))
        mergers = scipy_linkage(unit, self.linkage)
        self.labels_ = cut_dendrogram(mergers, self.n_clusters)
        mergers[:, 2] = np.ldexp(mergers[:, 2], exponent)
        self.mergers_, self.distances_ = mergers, mergers[:, 2].copy()
        self.samples_ = points
        return self

    def _to_clusters(self, points: Array) -> Array:
        """Return the distance of each sample from each cluster."""
        groups = [self.samples_[self.labels_ == k] for k in range(self.labels_.max() + 1)]
        if self.linkage in ("centroid", "ward"):
            table = cdist(points, np.array([weighted_mean(group) for group in groups]))
            # Twice what a merger adds to the sum of squares is 2n/(n+1) times the squared distance.
            sizes = np.array([len(group) for group in groups])
            return np.asarray(
                table * np.sqrt(2 * sizes / (sizes + 1)) if self.linkage == "ward" else table
            )
        tables = [cdist(points, group) for group in groups]
        if self.linkage == "single":
            return np.stack([table.min(axis=1) for table in tables], axis=1)
        if self.linkage == "complete":
            return np.stack([table.max(axis=1) for table in tables], axis=1)
        return np.stack([table.mean(axis=1) for table in tables], axis=1)
