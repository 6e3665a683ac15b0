"""What clustering defines: objectives, sums of squares within and between, medoids, mergers."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlnotes._bounds import float_or_array
from mlnotes.validation import (
    check_categories,
    check_count,
    check_distances,
    check_matrix,
    check_numbers,
    check_option,
    check_shapes_agree,
)

LINKAGES = ("single", "complete", "average", "centroid", "ward")


def kmeans_objective(X: ArrayLike, centres: ArrayLike) -> float:
    r"""Return :math:`\sum_i\min_k\lVert x_i-c_k\rVert^2`, what k-means makes small.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Points.
    centres : array-like of shape (n_clusters, n_features)
        Centres.

    Returns
    -------
    float
        Each point counts with its nearest centre.

    Examples
    --------
    >>> kmeans_objective([[0.0], [2.0], [9.0]], [[1.0], [9.0]])
    2.0
    """
    points, found = check_matrix(X), check_matrix(centres, name="centres")
    if points.shape[1] != found.shape[1]:
        raise ValueError(f"centres must have {points.shape[1]} features, as X has.")
    return float(((points[:, None] - found) ** 2).sum(axis=2).min(axis=1).sum())


def within_between(X: ArrayLike, labels: ArrayLike) -> tuple[float, float]:
    r"""Return the sums of squares within and between clusters, which add up to the total.

    .. math:: \sum_i\lVert x_i-\bar x\rVert^2
        =\sum_k\sum_{i\in C_k}\lVert x_i-\bar x_k\rVert^2
        +\sum_kn_k\lVert\bar x_k-\bar x\rVert^2

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Points.
    labels : array-like of shape (n_samples,)
        The cluster of each point, of any kind.

    Returns
    -------
    within : float
        Squared distances of the points from the means of their clusters.
    between : float
        Squared distances of these means from the mean of all, each as often as it has points.

    Examples
    --------
    >>> within_between([[0.0], [2.0], [10.0]], ["a", "a", "b"])
    (2.0, 54.0)
    """
    points = check_matrix(X)
    codes = np.unique(check_categories(labels, "labels", n=len(points)), return_inverse=True)[1]
    centred = points - points.mean(axis=0)
    means = np.array([centred[codes == k].mean(axis=0) for k in range(codes.max() + 1)])
    within = float(((centred - means[codes]) ** 2).sum())
    return within, float((means[codes] ** 2).sum())


def stirling2(n: int, k: int) -> int:
    r"""Return the number of ways to divide n points into k clusters, none of them empty.

    :math:`S(n,k)=\frac1{k!}\sum_{j=0}^k(-1)^{k-j}\binom kjj^n`, a Stirling number of the second
    kind.

    Parameters
    ----------
    n, k : int
        Points, at most 10 000, and clusters.

    Returns
    -------
    int
        Exact.

    Examples
    --------
    >>> stirling2(20, 3)
    580606446
    """
    n = check_count(n, "n", at_least=0, at_most=10_000)
    k = check_count(k, "k", at_least=0, at_most=10_000)
    if k > n:
        return 0
    total = sum((-1) ** (k - j) * math.comb(k, j) * j**n for j in range(k + 1))
    return int(total // math.factorial(k))


def medoid(distances: ArrayLike) -> int:
    """Return the point with the least sum of distances to all others, the first if several tie.

    Parameters
    ----------
    distances : array-like of shape (n_samples, n_samples)
        Distances between all pairs.

    Returns
    -------
    int
        A row of ``distances``.

    Examples
    --------
    >>> x = np.array([0.0, 1.0, 10.0])
    >>> medoid(np.abs(x[:, None] - x))
    1
    """
    return int(check_distances(distances).sum(axis=1).argmin())


def lance_williams(
    linkage: str, d_il: Any, d_jl: Any, d_ij: Any, n_i: Any, n_j: Any, n_l: Any
) -> Any:
    r"""Return the distance of cluster l from the union of clusters i and j.

    Parameters
    ----------
    linkage : {"single", "complete", "average", "centroid", "ward"}
        For "centroid" and "ward" the distances are squared Euclidean ones; that of "ward" is twice
        what a merger adds to the sum of squares within clusters, that is, the squared distance for
        two single points.
    d_il, d_jl, d_ij : float or ndarray
        Distances before the merger.
    n_i, n_j, n_l : float or ndarray
        Numbers of points.

    Returns
    -------
    float or ndarray
        The distance after the merger.

    Examples
    --------
    >>> lance_williams("average", 2.0, 5.0, 1.0, 1, 2, 4)
    4.0
    """
    check_option(linkage, "linkage", *LINKAGES)
    d_il, d_jl, d_ij = (
        check_numbers(d, name, least=0.0)
        for d, name in ((d_il, "d_il"), (d_jl, "d_jl"), (d_ij, "d_ij"))
    )
    n_i, n_j, n_l = (
        check_numbers(n, name, above=0.0) for n, name in ((n_i, "n_i"), (n_j, "n_j"), (n_l, "n_l"))
    )
    check_shapes_agree(d_il=d_il, d_jl=d_jl, d_ij=d_ij, n_i=n_i, n_j=n_j, n_l=n_l)
    n = n_i + n_j
    if linkage == "single":
        union = np.minimum(d_il, d_jl)
    elif linkage == "complete":
        union = np.maximum(d_il, d_jl)
    elif linkage == "average":
        union = (n_i * d_il + n_j * d_jl) / n
    elif linkage == "centroid":
        union = (n_i * d_il + n_j * d_jl) / n - n_i * n_j * d_ij / n**2
    else:
        union = ((n_i + n_l) * d_il + (n_j + n_l) * d_jl - n_l * d_ij) / (n + n_l)
    return float_or_array(union)


def cut_dendrogram(mergers: ArrayLike, n_clusters: int) -> NDArray[np.intp]:
    """Return the clusters that are left if the last mergers are undone.

    Parameters
    ----------
    mergers : array-like of shape (n_samples - 1, 4)
        From :func:`agglomerate` or :func:`scipy.cluster.hierarchy.linkage`.
    n_clusters : int
        How many clusters, at most the number of points.

    Returns
    -------
    ndarray of int of shape (n_samples,)
        The cluster of each point, numbered in the order of their first points.

    Examples
    --------
    >>> from mlnotes.clustering import agglomerate
    >>> x = np.array([0.0, 9.0, 1.0])
    >>> cut_dendrogram(agglomerate(np.abs(x[:, None] - x)), 2)
    array([0, 1, 0])
    """
    table = check_matrix(mergers, name="mergers", min_samples=0)
    if table.shape[1] != 4:
        raise ValueError(f"mergers must have 4 columns, as from agglomerate, got {table.shape[1]}.")
    n = len(table) + 1
    k = check_count(n_clusters, "n_clusters", at_most=n)
    cluster = np.arange(2 * n - 1)
    for m in range(n - 2, n - k - 1, -1):  # the mergers that are undone have no cluster
        cluster[n + m] = -1
    for m in range(n - k - 1, -1, -1):
        cluster[table[m, :2].astype(np.intp)] = cluster[n + m]
    _, first, codes = np.unique(cluster[:n], return_index=True, return_inverse=True)
    return np.argsort(np.argsort(first))[codes].astype(np.intp)
