"""Boxed algorithms of clustering: k-means and its starts, k-medoids, merging from below."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlnotes._numerics import distribution
from mlnotes.clustering._mathematics import lance_williams
from mlnotes.validation import (
    Array,
    check_count,
    check_distances,
    check_matrix,
    check_numbers,
    check_random_state,
    check_weights,
)


def lloyd(
    X: ArrayLike,
    centres: ArrayLike,
    *,
    max_iter: int = 300,
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
    points = check_matrix(X)
    found = check_matrix(centres, name="centres")
    d = points.shape[1]
    if found.shape[1] != d:
        raise ValueError(f"centres must have {d} features.")
    for _ in range(check_count(max_iter, "max_iter")):
        squares = ((points[:, None] - found) ** 2).sum(axis=2)
        labels = squares.argmin(axis=1)  # the first of the nearest
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
    sample_weight: ArrayLike | None = None,
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
    sample_weight : array-like of shape (n_samples,), optional
        How often each point counts.
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
    n = len(points)
    k = _check_clusters(n_clusters, n)
    trials = 2 + int(np.log(k)) if n_trials is None else check_count(n_trials, "n_trials")
    if trials > 1_000_000:
        raise ValueError(f"n_trials must be at most a million candidates, got {n_trials!r}.")
    rng = check_random_state(random_state)
    scaled = _unit_box(points)
    squares = np.einsum("ij,ij->i", scaled, scaled)
    chosen = np.empty(k, dtype=np.intp)
    weights = check_weights(sample_weight, n)
    shares = None if weights is None else distribution(weights, n)
    chosen[0] = _first_centre(n, shares, rng)
    nearest = _squared_distances(scaled, squares, chosen[:1])[0]
    for c in range(1, k):
        cumulated = np.cumsum(nearest if shares is None else shares * nearest)
        if cumulated[-1] == 0:
            # Every point coincides with a centre: any row that was not chosen will do.
            chosen[c] = np.setdiff1d(np.arange(n), chosen[:c])[0]
            continue
        drawn = np.searchsorted(cumulated, rng.random(trials) * cumulated[-1], side="right")
        candidates = np.minimum(drawn, n - 1)
        distances = np.minimum(_squared_distances(scaled, squares, candidates), nearest)
        costs = distances.sum(axis=1) if shares is None else distances @ shares
        best = int(costs.argmin())
        chosen[c], nearest = candidates[best], distances[best]
    return points[chosen], chosen


def furthest_first(
    X: ArrayLike,
    n_clusters: int,
    *,
    sample_weight: ArrayLike | None = None,
    random_state: int | np.random.Generator = 0,
) -> tuple[Array, NDArray[np.intp]]:
    """Choose starting centres among the points: each the one furthest from those before it.

    The first is drawn uniformly. No two centres are then nearer to each other than the point that
    would come next is to the centres; an outlier is always among them.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Points.
    n_clusters : int
        The number of centres, at most the number of points.
    sample_weight : array-like of shape (n_samples,), optional
        How likely each point is to be the first.
    random_state : int or numpy.random.Generator
        Seed of the first choice.

    Returns
    -------
    centres : ndarray of shape (n_clusters, n_features)
        Rows of ``X``.
    chosen : ndarray of shape (n_clusters,)
        Which rows.

    Examples
    --------
    >>> centres, chosen = furthest_first([[0.0], [1.0], [9.0]], 2, random_state=1)
    >>> centres.ravel()
    array([1., 9.])
    """
    points = check_matrix(X)
    k = _check_clusters(n_clusters, len(points))
    scaled = _unit_box(points)
    squares = np.einsum("ij,ij->i", scaled, scaled)
    weights, n = check_weights(sample_weight, len(points)), len(points)
    shares = None if weights is None else distribution(weights, n)
    chosen = [_first_centre(n, shares, check_random_state(random_state))]
    nearest = _squared_distances(scaled, squares, np.array(chosen))[0]
    for _ in range(1, k):
        nearest[chosen] = -1.0  # no point is chosen twice, equal ones neither
        chosen.append(int(nearest.argmax()))
        distances = _squared_distances(scaled, squares, np.array(chosen[-1:]))[0]
        nearest = np.minimum(nearest, distances)
    rows = np.array(chosen, dtype=np.intp)
    return points[rows], rows


def k_medoids(
    distances: ArrayLike, medoids: ArrayLike, *, max_iter: int = 300
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    r"""Run k-medoids: assign each point to its nearest medoid, choose new medoids, repeat.

    It needs only distances, of whatever kind. The medoid of a cluster is the member with the least
    sum of distances to the others. Neither step raises :math:`\sum_i\min_k\delta(x_i,m_k)`.

    Parameters
    ----------
    distances : array-like of shape (n_samples, n_samples)
        Distances between all pairs, not negative, 0 on the diagonal.
    medoids : array-like of int of shape (n_clusters,)
        The points to start from.
    max_iter : int
        The greatest number of iterations.

    Returns
    -------
    medoids : ndarray of int of shape (n_clusters,)
        Where the medoids ended, as rows of ``distances``.
    labels : ndarray of int of shape (n_samples,)
        The medoid to which each point was assigned last.

    Examples
    --------
    >>> x = np.array([0.0, 1.0, 2.0, 9.0, 10.0])
    >>> medoids, labels = k_medoids(np.abs(x[:, None] - x), [0, 1])
    >>> medoids, labels
    (array([1, 3]), array([0, 0, 0, 1, 1]))
    """
    table = check_distances(distances)
    found = _check_medoids(medoids, len(table))
    for _ in range(check_count(max_iter, "max_iter")):
        labels = table[:, found].argmin(axis=1)
        labels[found] = np.arange(len(found))
        moved = found.copy()
        for k in range(len(found)):
            members = np.flatnonzero(labels == k)
            costs = table[np.ix_(members, members)].sum(axis=1)
            # A medoid changes only for a member that is better: of equal ones it stays.
            if costs.min() < costs[members == found[k]][0]:
                moved[k] = members[costs.argmin()]
        if np.array_equal(moved, found):
            break
        found = moved
    return found, labels


def agglomerate(
    distances: ArrayLike,
    linkage: str = "average",
) -> Array:
    """Merge clusters from below: begin with single points, join the two nearest, until one is left.

    After a merger the distances of the new cluster follow from those of the two old ones by
    :func:`lance_williams`; no pair of points is looked at again.

    Parameters
    ----------
    distances : array-like of shape (n_samples, n_samples)
        Distances between all pairs; squared Euclidean ones for "centroid" and "ward".
    linkage : {"single", "complete", "average", "centroid", "ward"}
        What the distance of two clusters is.

    Returns
    -------
    ndarray of shape (n_samples - 1, 4)
        A row for each merger: the two clusters, their distance, the number of points. The cluster
        made by merger m has the number n_samples + m, as in :func:`scipy.cluster.hierarchy.linkage`
        (which takes roots of the squared distances).

    Examples
    --------
    >>> x = np.array([0.0, 1.0, 5.0])
    >>> agglomerate(np.abs(x[:, None] - x), "single").tolist()
    [[0.0, 1.0, 1.0, 2.0], [2.0, 3.0, 4.0, 3.0]]
    """
    table = check_distances(distances).copy()
    n = len(table)
    np.fill_diagonal(table, np.inf)
    names, sizes = np.arange(n), np.ones(n)
    rows = np.arange(n)  # those that stand for a cluster
    mergers = np.empty((n - 1, 4))
    for m in range(n - 1):
        at = int(table[np.ix_(rows, rows)].argmin())
        i, j = sorted(rows[list(divmod(at, len(rows)))])
        pair, between = sorted(names[[i, j]]), table[i, j]
        rows = rows[rows != j]
        rest = rows[rows != i]
        table[i, rest] = table[rest, i] = lance_williams(
            linkage,
            table[i, rest],
            table[j, rest],
            between,
            sizes[i],
            sizes[j],
            sizes[rest],
        )
        names[i], sizes[i] = n + m, sizes[i] + sizes[j]
        mergers[m] = *pair, between, sizes[i]
    return mergers


def single_linkage_mst(distances: ArrayLike) -> Array:
    """Return a minimum spanning tree by Kruskal's algorithm: the mergers of single linkage.

    Take the pairs in the order of their distances and keep those that join two separate parts.

    Parameters
    ----------
    distances : array-like of shape (n_samples, n_samples)
        Distances between all pairs.

    Returns
    -------
    ndarray of shape (n_samples - 1, 3)
        The edges of the tree, shortest first: two points and their distance. The distances are the
        heights at which single linkage merges.

    Examples
    --------
    >>> x = np.array([0.0, 5.0, 1.0])
    >>> single_linkage_mst(np.abs(x[:, None] - x)).tolist()
    [[0.0, 2.0, 1.0], [1.0, 2.0, 4.0]]
    """
    table = check_distances(distances)
    rows, columns = np.triu_indices(len(table), 1)
    part = np.arange(len(table))
    edges = []
    for e in np.argsort(table[rows, columns], kind="stable"):
        i, j = rows[e], columns[e]
        if part[i] != part[j]:
            edges.append((i, j, table[i, j]))
            part[part == part[j]] = part[i]
    return np.array(edges, dtype=np.float64).reshape(-1, 3)


def _first_centre(n: int, shares: Array | None, rng: np.random.Generator) -> int:
    """Draw a row, in proportion to the shares if there are any."""
    if shares is None:
        return int(rng.integers(n))
    return min(int(np.searchsorted(np.cumsum(shares), rng.random(), side="right")), n - 1)


def _check_clusters(n_clusters: int, n: int) -> int:
    k = check_count(n_clusters, "n_clusters")
    if k > n:
        raise ValueError(
            f"n_clusters is {k}, but there are only {n} points to choose centres from; ask for "
            "fewer clusters."
        )
    return k


def _check_medoids(medoids: ArrayLike, n: int) -> NDArray[np.intp]:
    found = check_numbers(medoids, "medoids", least=0, most=n - 1, whole=True)
    if found.ndim != 1 or not len(found) or len(np.unique(found)) < len(found):
        raise ValueError(f"medoids must be different rows from 0 to {n - 1}, got {medoids!r}.")
    return found.astype(np.intp)


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
