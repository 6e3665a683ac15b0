"""Nearest neighbours, weights that reconstruct from them, and whether they hang together."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components
from scipy.spatial import cKDTree

from mlnotes._numerics import scale_by_power_of_two, weighted_mean
from mlnotes.validation import Array

Indices = NDArray[np.intp]

# In more dimensions than this a tree looks at nearly all points, and a product is faster.
MAX_TREE_DIMENSION = 10
# The share of the variance that must be along so few axes for a tree to be worth its while.
MIN_VARIANCE_RATIO = 0.99
# Entries of a block of squared distances, and of local Gram matrices.
BLOCK_ENTRIES = 400_000


def nearest(points: Array, asked: Array | None, k: int) -> Indices:
    """Return the ``k`` nearest points of each one asked about, or of each point among the others.

    The nearest come first, of equally near ones the first, up to rounding.
    """
    mean = weighted_mean(points)
    together = points - mean if asked is None else np.vstack([points - mean, asked - mean])
    scaled = scale_by_power_of_two(together)[0]
    known, new = scaled[: len(points)], scaled if asked is None else scaled[len(points) :]
    own = asked is None
    wanted = min(k + own, len(known))
    if len(known) > 50 and points.shape[1] <= MAX_TREE_DIMENSION:
        found = _by_tree(known, new, wanted)
    elif len(known) > 50 and (axes := _few_axes(known)) is not None:
        found = _by_tree(known @ axes, new @ axes, wanted)
    else:
        found = _by_products(known, new, wanted)
    return _without_self(found) if own else found


def _by_tree(known: Array, new: Array, k: int) -> Indices:
    gaps, found = cKDTree(known).query(new, np.arange(1, k + 1))
    order = np.lexsort((found, gaps), axis=1)
    return np.asarray(np.take_along_axis(found, order, axis=1), dtype=np.intp)


def _few_axes(known: Array) -> Array | None:
    """Return a rotation whose first few axes hold nearly all variance, if there is one."""
    values, axes = np.linalg.eigh(known.T @ known)
    held = values[-MAX_TREE_DIMENSION:].sum() >= MIN_VARIANCE_RATIO * values.sum()
    return np.ascontiguousarray(axes[:, ::-1]) if held else None


def _by_products(known: Array, new: Array, k: int) -> Indices:
    found = np.empty((len(new), k), dtype=np.intp)
    squares = np.einsum("ij,ij->i", known, known)
    size = max(1, BLOCK_ENTRIES // len(known))
    for begin in range(0, len(new), size):
        part = new[begin : begin + size]
        table = squares - 2 * (part @ known.T)  # the square of the point itself moves no order
        few = np.argpartition(table, k - 1, axis=1)[:, :k]
        # Among the nearest, from differences: equal points are at distance zero.
        gaps = ((part[:, None] - known[few]) ** 2).sum(axis=2)
        order = np.lexsort((few, gaps), axis=1)
        found[begin : begin + size] = np.take_along_axis(few, order, axis=1)
    return found


def _without_self(found: Indices) -> Indices:
    """Leave each point out of its own neighbours, or the last if many are at the same place."""
    n, k = found.shape
    own = found == np.arange(n)[:, None]
    own[~own.any(axis=1), -1] = True
    return np.asarray(found[~own].reshape(n, k - 1))


def local_weights(known: Array, neighbours: Indices, points: Array, reg: float) -> Array:
    """Return the weights, of sum one, that best reconstruct each point from its neighbours."""
    m, k = neighbours.shape
    weights = np.empty((m, k))
    size = max(1, BLOCK_ENTRIES // (k * max(k, known.shape[1])))
    for begin in range(0, m, size):
        block = slice(begin, begin + size)
        gaps = known[neighbours[block]] - points[block, None]  # (b, k, d)
        largest = np.abs(gaps).max(axis=(1, 2), keepdims=True)
        gaps = gaps / np.where(largest > 0, largest, 1.0)
        gram = gaps @ gaps.transpose(0, 2, 1)
        trace = np.einsum("bii->b", gram)
        ridge = np.where(trace > 0, reg * trace, 1.0)
        gram[:, np.arange(k), np.arange(k)] += ridge[:, None]
        found = np.linalg.solve(gram, np.ones((len(gram), k, 1)))[..., 0]
        weights[block] = found / found.sum(axis=1, keepdims=True)
    return weights


def closed_parts(neighbours: Indices) -> int:
    """Return how many sets of points have all neighbours among themselves and no such part.

    With one of them only a constant embedding is reconstructed without error everywhere.
    """
    n, k = neighbours.shape
    rows = np.repeat(np.arange(n), k)
    graph = csr_array((np.ones(n * k), (rows, neighbours.ravel())), shape=(n, n))
    count, part = connected_components(graph, directed=True, connection="strong")
    leaves = part[rows] != part[neighbours.ravel()]
    return int(count - len(np.unique(part[rows[leaves]])))
