r"""Clustering: k-means, and where to put its first centres.

:func:`lloyd` moves centres to the means of the points nearest to them. :func:`kmeans_plus_plus`
chooses starting centres far apart, by drawing each new one with a probability proportional to its
squared distance from those already chosen. It starts k-means, and it starts the mixtures of
:mod:`mlnotes.mixtures_and_em`.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlnotes.validation import Array, check_count, check_matrix, check_random_state

__all__ = ["kmeans_plus_plus", "lloyd"]


def lloyd(
    X: ArrayLike, centres: ArrayLike, *, max_iter: int = 300
) -> tuple[Array, NDArray[np.intp]]:
    r"""Run k-means: assign each point to its nearest centre, move centres to means, repeat.

    Neither step raises :math:`\sum_i\min_k\lVert x_i-c_k\rVert^2`, and there are finitely many
    assignments: it ends. A centre without points stays where it is; of centres equally near, the
    first has the point.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Points.
    centres : array-like of shape (n_clusters, n_features)
        Where to start, for instance from :func:`kmeans_plus_plus`.
    max_iter : int
        The greatest number of iterations.

    Returns
    -------
    centres : ndarray of shape (n_clusters, n_features)
        Where the centres ended.
    labels : ndarray of shape (n_samples,)
        The centre to which each point was assigned last.

    Examples
    --------
    >>> centres, labels = lloyd([[0.0], [1.0], [9.0], [10.0]], [[0.0], [1.0]])
    >>> centres.ravel(), labels
    (array([0.5, 9.5]), array([0, 0, 1, 1]))
    """
    points, found = check_matrix(X), check_matrix(centres, name="centres")
    if points.shape[1] != found.shape[1]:
        raise ValueError(f"centres must have {points.shape[1]} features, as X has.")
    for _ in range(check_count(max_iter, "max_iter")):
        squares = ((points[:, None] - found) ** 2).sum(axis=2)  # (n, k)
        labels = squares.argmin(axis=1)
        moved = found.copy()
        for k in np.unique(labels):
            moved[k] = points[labels == k].mean(axis=0)
        if np.array_equal(moved, found):
            break
        found = moved
    return found, labels


def kmeans_plus_plus(
    X: ArrayLike,
    n_clusters: int,
    *,
    n_trials: int | None = None,
    random_state: int | np.random.Generator = 0,
) -> tuple[Array, NDArray[np.intp]]:
    r"""Choose starting centres among the points, far from one another.

    The first is drawn uniformly. Each further one is drawn with probability proportional to the
    squared distance :math:`D_i^2` from the nearest centre so far, so that no point is drawn twice
    as long as there are others. Of ``n_trials`` such candidates the one that leaves the least
    :math:`\sum_iD_i^2` is kept.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Points.
    n_clusters : int
        The number of centres, at most the number of points.
    n_trials : int, optional
        Candidates for each centre; 2 + log(n_clusters) if not given. With 1 it is the algorithm
        whose expected cost is within 8(log n_clusters + 2) of the best.
    random_state : int or numpy.random.Generator
        Seed.

    Returns
    -------
    centres : ndarray of shape (n_clusters, n_features)
        Rows of ``X``.
    chosen : ndarray of shape (n_clusters,)
        Which rows.

    Examples
    --------
    >>> centres, chosen = kmeans_plus_plus([[0.0], [0.1], [9.0], [9.1]], 2, random_state=0)
    >>> sorted(centres.round().ravel().tolist())
    [0.0, 9.0]
    """
    points = check_matrix(X)
    k = check_count(n_clusters, "n_clusters")
    n = len(points)
    if k > n:
        raise ValueError(
            f"n_clusters is {k}, but there are only {n} points to choose centres from; ask for "
            "fewer clusters."
        )
    trials = 2 + int(np.log(k)) if n_trials is None else check_count(n_trials, "n_trials")
    if trials > 1_000_000:
        raise ValueError(f"n_trials must be at most a million candidates, got {n_trials!r}.")
    rng = check_random_state(random_state)
    scaled = _unit_box(points)
    squares = np.einsum("ij,ij->i", scaled, scaled)
    chosen = np.empty(k, dtype=np.intp)
    chosen[0] = rng.integers(n)
    nearest = _squared_distances(scaled, squares, chosen[:1])[0]
    for c in range(1, k):
        cumulated = np.cumsum(nearest)
        if cumulated[-1] == 0:
            # Every point coincides with a centre: any row that was not chosen will do.
            chosen[c] = np.setdiff1d(np.arange(n), chosen[:c])[0]
            continue
        drawn = np.searchsorted(cumulated, rng.random(trials) * cumulated[-1], side="right")
        candidates = np.minimum(drawn, n - 1)
        distances = np.minimum(_squared_distances(scaled, squares, candidates), nearest)
        best = int(distances.sum(axis=1).argmin())
        chosen[c], nearest = candidates[best], distances[best]
    return points[chosen], chosen


def _unit_box(points: Array) -> Array:
    """Return the points moved and scaled into a box about 0, so that squares keep their digits."""
    low, high = points.min(axis=0), points.max(axis=0)
    centred = points - (low / 2 + high / 2)
    largest = np.abs(centred).max()
    return np.asarray(centred / largest if largest > 0 else centred)


def _squared_distances(points: Array, squares: Array, rows: NDArray[np.intp]) -> Array:
    """Return the squared distances of all points from some of them, one row for each of those."""
    distances = squares + squares[rows, None] - 2 * (points[rows] @ points.T)  # (rows, n)
    # A point is at distance 0 from its equals, whatever the rounding.
    distances[np.arange(len(rows)), rows] = 0.0
    return np.maximum(distances, 0.0, out=distances)
