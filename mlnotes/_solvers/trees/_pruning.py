"""Pruning: by the price of a leaf, weakest links first, or by a second sample."""

from __future__ import annotations

import heapq
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from mlnotes.validation import Array

from ._tree import TIE_TOL, Tree


def collapse(tree: Tree, at: NDArray[np.bool_]) -> Tree:
    """Return the tree in which these nodes are leaves, and what is below them is gone."""
    kept = np.zeros(tree.n_nodes, dtype=bool)
    for nodes in tree._replace(feature=np.where(at, -1, tree.feature)).levels():
        kept[nodes] = True
    place = np.cumsum(kept) - 1
    inside = kept & ~at & (tree.feature >= 0)
    changed = tree._replace(
        feature=np.where(inside, tree.feature, -1),
        threshold=np.where(inside, tree.threshold, 0.0),
        left=np.where(inside, place[tree.left], -1),
        right=np.where(inside, place[tree.right], -1),
    )
    return Tree._make(array[kept] for array in changed)


def collapsing_alphas(tree: Tree) -> Array:
    r"""Return for each inner node the penalty of a leaf at which it becomes one; inf for leaves.

    Weakest links first: of all inner nodes :math:`t` the one with the least
    :math:`g(t)=(R(t)-R(T_t))/(|T_t|-1)` is next, where :math:`R` is the loss over the weight of
    the root and :math:`T_t` what is left of the tree below :math:`t`.
    """
    loss = (tree.weight * tree.impurity / tree.weight[0]).tolist()
    left, right = tree.left.tolist(), tree.right.tolist()
    inner = np.flatnonzero(tree.feature >= 0).tolist()
    parent = [-1] * tree.n_nodes
    below, leaves = loss.copy(), [1] * tree.n_nodes
    for t in reversed(inner):  # in preorder children come after their parent
        below[t] = below[left[t]] + below[right[t]]
        leaves[t] = leaves[left[t]] + leaves[right[t]]
        parent[left[t]] = parent[right[t]] = t

    def link(t: int) -> float:
        saved: float = max(loss[t] - below[t], 0.0)
        return saved / (leaves[t] - 1)

    alphas = np.full(tree.n_nodes, np.inf)
    heap = [(link(t), t) for t in inner]
    heapq.heapify(heap)
    alpha = 0.0
    while heap:
        found, t = heapq.heappop(heap)
        if np.isfinite(alphas[t]) or found != link(t):
            continue  # it went with one above it, or is on the heap with another link
        # Links that are equal but for rounding have one price.
        alpha = found if found > alpha + TIE_TOL * loss[0] else alpha
        less, fewer = loss[t] - below[t], leaves[t] - 1
        gone = [t]
        while gone:
            node = gone.pop()
            if left[node] >= 0 and not np.isfinite(alphas[node]):
                alphas[node] = alpha
                gone += [left[node], right[node]]
        above = t
        while above >= 0:
            below[above] += less
            leaves[above] -= fewer
            if above != t:
                heapq.heappush(heap, (link(above), above))
            above = parent[above]
    return alphas


def losses_on(tree: Tree, X: Array, losses: Callable[[Array, NDArray[np.intp]], Array]) -> Array:
    """Return what a sample would lose at each node if the node answered all that reach it.

    ``losses`` takes the values of nodes, one row a sample, and the rows of these samples.
    """
    total = np.zeros(tree.n_nodes)
    rows, node = np.arange(len(X)), np.zeros(len(X), dtype=np.int64)
    while len(rows):
        lost = losses(tree.value[node], rows)
        total += np.bincount(node, weights=lost, minlength=tree.n_nodes)
        inner = tree.feature[node] >= 0
        rows, node = rows[inner], node[inner]
        goes_left = X[rows, tree.feature[node]] <= tree.threshold[node]
        node = np.where(goes_left, tree.left[node], tree.right[node])
    return total


def not_worth_keeping(tree: Tree, losses: Array) -> NDArray[np.bool_]:
    """Return the nodes that lose no more than the best pruned tree below them, given all losses."""
    best, at = losses.copy(), np.zeros(tree.n_nodes, dtype=bool)
    for t in np.flatnonzero(tree.feature >= 0)[::-1]:
        below = best[tree.left[t]] + best[tree.right[t]]
        at[t] = losses[t] <= below
        best[t] = min(losses[t], below)
    return at
