"""What several estimators of the chapter share."""

from __future__ import annotations

from abc import abstractmethod

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlnotes.base import Clusterer
from mlnotes.validation import Array


def check_enough(points: Array, n_clusters: int) -> None:
    """Refuse more clusters than points."""
    if len(points) < n_clusters:
        raise ValueError(
            f"n_samples={len(points)} should be >= n_clusters={n_clusters}; ask for fewer clusters."
        )


class ByDistance(Clusterer):
    """A clusterer that puts a new sample into the cluster from which its distance is least."""

    _squares = True

    @abstractmethod
    def _to_clusters(self, points: Array) -> Array:
        """Return the distance of each sample from each cluster."""

    def predict(self, X: ArrayLike) -> NDArray[np.intp]:
        """Return the nearest cluster of each sample.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples, in the form in which ``fit`` takes them.

        Returns
        -------
        ndarray of int of shape (n_samples,)
            Clusters, numbered as in ``labels_``.
        """
        return np.asarray(self._to_clusters(self._use_matrix(X)).argmin(axis=1))

    def score(self, X: ArrayLike, y: ArrayLike | None = None) -> float:
        """Return minus the sum of the distances from the nearest clusters.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples, as for ``predict``.
        y : None
            Ignored.

        Returns
        -------
        float
            Not positive; the larger, the nearer are the clusters.
        """
        return -float(self._to_clusters(self._use_matrix(X)).min(axis=1).sum())
