"""A tree in arrays, and what both growers agree on: keys, criteria, ties and random numbers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mlnotes.validation import Array

Indices = NDArray[np.int64]

# Of a key, the bits of the row. Ranks stand above them.
ROW_BITS = 32
ROW = (1 << ROW_BITS) - 1

# The criteria: deviations from a mean (squared error, or Gini's impurity of two classes), Gini's
# impurity and entropy of any number of classes.
DEVIATION, GINI, ENTROPY = 0, 1, 2

# A hash of 31 bits whose products fit into 64: each node draws its features from a state of its own
# so that they do not depend on the order in which nodes are visited.
STATE_BITS = 31
STATE = (1 << STATE_BITS) - 1
GOLDEN, FACTOR_1, FACTOR_2 = 0x1E3779B1, 0x045D9F3B, 0x119DE1F3

# Gains that differ by less than this share of the loss of the node are equal. Rounding of a sum
# leaves less of them, but for a light side it is magnified by the whole weight over that side's.
TIE_TOL = 1e-12

# Below this a number is taken for zero under a logarithm.
SMALLEST = np.finfo(float).tiny


class Tree(NamedTuple):
    """A binary tree in arrays over its nodes, in preorder: node, left subtree, right subtree."""

    feature: Indices  # -1 for a leaf
    threshold: Array  # left where the feature is at most this
    left: Indices
    right: Indices
    value: Array  # (n_nodes, width): means of the target, or shares of the classes
    impurity: Array
    weight: Array
    n_samples: Indices

    @property
    def n_nodes(self) -> int:
        """The number of nodes."""
        return len(self.feature)

    @property
    def n_leaves(self) -> int:
        """The number of leaves."""
        return int((self.feature < 0).sum())

    def levels(self) -> Iterator[Indices]:
        """Yield the nodes of each level, from the root down."""
        nodes = np.zeros(1, dtype=np.int64)
        while len(nodes):
            yield nodes
            inner = nodes[self.feature[nodes] >= 0]
            nodes = np.concatenate([self.left[inner], self.right[inner]])

    @property
    def depth(self) -> int:
        """The number of questions on the longest path."""
        return sum(1 for _ in self.levels()) - 1

    def importances(self, n_features: int) -> Array:
        """Return the share of each feature in the decrease of impurity; zeros for a single leaf."""
        inner = np.flatnonzero(self.feature >= 0)
        loss = self.weight * self.impurity
        decrease = loss[inner] - loss[self.left[inner]] - loss[self.right[inner]]
        total = np.bincount(
            self.feature[inner], weights=np.maximum(decrease, 0.0), minlength=n_features
        )
        sum_of_all = float(total.sum())
        return np.asarray(total / sum_of_all if sum_of_all > 0 else total)


class Growth(NamedTuple):
    """When a tree stops growing, and how many features each node tries."""

    criterion: int
    n_classes: int  # 1 for a target of real numbers
    max_depth: int
    min_samples_split: int
    min_samples_leaf: int
    max_features: int


def scale_tree(tree: Tree, exponent: int) -> Tree:
    """Return a tree, grown on targets over two to the exponent, for the targets themselves."""
    with np.errstate(over="ignore"):
        return tree._replace(
            value=np.ldexp(tree.value, exponent), impurity=np.ldexp(tree.impurity, 2 * exponent)
        )


def impurity_of(shares: Array, criterion: int) -> Array:
    """Return the impurity of shares of classes, one set of shares a row."""
    if criterion == ENTROPY:
        logs = x_log_x_over_y(shares, np.ones_like(shares))
        return np.asarray(np.maximum(-logs.sum(axis=1), 0.0))
    return np.asarray((shares * (1 - shares)).sum(axis=1))


def x_log_x_over_y(x: Array, y: Array) -> Array:
    """Return x log(x/y), zero where x is zero."""
    return np.asarray(x * np.log(np.maximum(x, SMALLEST) / np.maximum(y, SMALLEST)))
