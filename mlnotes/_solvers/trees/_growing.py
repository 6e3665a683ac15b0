"""When a tree stops growing, and the sample from which trees grow by loops or by levels."""

from __future__ import annotations

import math
import numbers
from typing import Any

import numpy as np

from mlnotes._compiled import compiles
from mlnotes._constraints import AnyOf, Integer, OneOf, Optional, Real
from mlnotes._numerics import exponent_of, scale_by_power_of_two
from mlnotes.validation import Array

from ._by_levels import find_leaves_by_levels, grow_by_levels
from ._by_loops import find_leaves_by_loops, grow_by_loops
from ._tree import DEVIATION, ENTROPY, GINI, ROW, ROW_BITS, Growth, Indices, Tree, impurity_of

UNLIMITED = 1 << 62

# Sums and products of weights whose exponents are below this neither overflow nor vanish.
MAX_EXPONENT = 400

# What an estimator says of when its trees stop growing, and what the parameters may be.
LIMITS = {
    "max_depth": Optional(Integer(1)),
    "min_samples_split": Integer(2),
    "min_samples_leaf": Integer(1),
    "max_features": AnyOf(
        Integer(1),
        Real(above=0, most=1),
        Optional(OneOf("sqrt", "log2")),
        hint="pass a number of features, a share of them, or None for all",
    ),
}


def limits_of(estimator: Any) -> dict[str, Any]:
    """Return the parameters of an estimator that say when trees stop growing."""
    return {name: getattr(estimator, name) for name in LIMITS}


def criterion_of(name: str, n_classes: int) -> int:
    """Return how the gain of a cut between classes is computed."""
    if name == "entropy":
        return ENTROPY
    return DEVIATION if n_classes == 2 else GINI


def features_to_try(max_features: Any, d: int) -> int:
    """Return how many of ``d`` features compete in a node."""
    if max_features is None:
        return d
    if isinstance(max_features, str):
        return max(1, int(math.sqrt(d) if max_features == "sqrt" else math.log2(d)))
    if isinstance(max_features, numbers.Integral):
        if int(max_features) > d:
            raise ValueError(
                f"max_features must be at most the number of features, {d}, got {max_features}; "
                "pass None for all."
            )
        return int(max_features)
    return max(1, int(max_features * d))


def growth_of(parameters: Any, criterion: int, n_classes: int, d: int) -> Growth:
    """Return when trees stop growing, from the parameters of an estimator."""
    return Growth(
        criterion,
        n_classes,
        UNLIMITED if parameters.max_depth is None else int(parameters.max_depth),
        int(parameters.min_samples_split),
        int(parameters.min_samples_leaf),
        features_to_try(parameters.max_features, d),
    )


def samples_that_count(X: Array, weights: Array | None) -> tuple[Array, Array | None]:
    """Return the samples of positive weight and their weights, in a unit in which sums are safe."""
    if weights is None:
        return X, None
    kept = np.flatnonzero(weights)
    given = weights[kept]
    safe = given if abs(exponent_of(given)) < MAX_EXPONENT else scale_by_power_of_two(given)[0]
    return X[kept], safe


def _of_one_type(X: Array) -> Array:
    """Return the samples by rows and writeable, lest loops be compiled again for what is not."""
    return np.require(X, requirements=["C", "W"])


class SortedSamples:
    """The features of a sample as ranks and as sorted keys, for any number of trees."""

    def __init__(self, X: Array) -> None:
        n = len(X)
        self.X = _of_one_type(X)
        columns = np.ascontiguousarray(X.T)
        order = np.argsort(columns, axis=1)
        values = np.take_along_axis(columns, order, axis=1)
        ranks = np.zeros(order.shape, dtype=np.int64)
        np.cumsum(values[:, 1:] > values[:, :-1], axis=1, out=ranks[:, 1:])
        self.keys = (ranks << ROW_BITS) | order
        self.rank = np.empty(order.shape, dtype=np.int32)
        np.put_along_axis(self.rank, order, ranks.astype(np.int32), axis=1)
        self.n_bits = max(1, int(n - 1).bit_length())

    def grow(
        self,
        target: Array,
        growth: Growth,
        *,
        weights: Array | None = None,
        seed: int = 0,
    ) -> Tree:
        """Return a tree for targets, or codes of classes; samples of weight zero are left out."""
        n, d = self.X.shape
        samples = np.empty((n, 2))
        samples[:, 0] = 1.0 if weights is None else weights
        samples[:, 1] = target
        some = weights is not None and not weights.all()
        by_loops = compiles()
        if by_loops and growth.max_features < d:
            keys = np.flatnonzero(samples[:, 0])[None, :]
        elif some:
            keys = self.keys[samples[self.keys & ROW, 0] > 0].reshape(d, -1)
        else:
            keys = self.keys.copy() if by_loops else self.keys
        if by_loops:
            found = grow_by_loops(self.X, self.rank, keys, samples, self.n_bits, *growth, seed)
        else:
            found = grow_by_levels(self.X, self.rank, keys, samples, growth, seed)
        return _finished(Tree(*found), growth)


def _finished(tree: Tree, growth: Growth) -> Tree:
    """Give two classes their two shares, and classes the impurity of their shares."""
    value, impurity = tree.value, tree.impurity
    if growth.criterion == DEVIATION and growth.n_classes == 2:
        value = np.column_stack([1 - value[:, 0], value[:, 0]])
    if growth.n_classes > 1:
        impurity = impurity_of(value, growth.criterion)
    return tree._replace(value=value, impurity=impurity)


def find_leaves(tree: Tree, X: Array) -> Indices:
    """Return the leaf that each row of X reaches."""
    if not compiles():
        return find_leaves_by_levels(tree, X)
    arrays = tree.feature, tree.threshold, tree.left, tree.right
    return np.asarray(find_leaves_by_loops(_of_one_type(X), *arrays))
