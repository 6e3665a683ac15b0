r"""Growing, using and pruning decision trees.

Every feature is sorted once. A *key* holds the rank of a value in its upper half and the row of the
sample in its lower half, so that sorted keys are sorted samples and equal values are equal ranks. A
node is a segment of the keys, the same for every feature, and a split is a stable partition of that
segment: nothing is sorted again. The grower exists twice: as a loop over nodes, to be compiled, and
by levels of the tree in NumPy where nothing is. Both find the same tree.

Where only a few features are tried in a node, as in a forest, it is cheaper to sort the samples of
the node by these than to keep all features in order; the loop does that if it is given one line of
keys.

The gain of a cut is the decrease of weight times impurity. For the squared error, with deviations
from the mean of the node, it is :math:`S_L^2W/(W_LW_R)`, where :math:`S_L` is their weighted sum on
the left. With labels 0 and 1 Gini's impurity is twice the variance, so that two classes need
nothing else.
"""

from __future__ import annotations

import heapq
import math
import numbers
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mlnotes._compiled import compiled, compiles
from mlnotes._numerics import ROUNDOFF, exponent_of, scale_by_power_of_two
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
TIE = 1e-12

# Below this a number is taken for zero under a logarithm.
SMALLEST = np.finfo(float).tiny

# What a bound is multiplied by so that rounding does not make it too small.
LOOSE = 1.0 + 1e-6

UNLIMITED = 1 << 62

# Sums and products of weights whose exponents are below this neither overflow nor vanish.
SAFE = 400

# Shorter segments are sorted by insertion, longer ones digit by digit.
SHORT = 40


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
    safe = given if abs(exponent_of(given)) < SAFE else scale_by_power_of_two(given)[0]
    return X[kept], safe


def in_unit(tree: Tree, exponent: int) -> Tree:
    """Return a tree for targets that were divided by two to the exponent."""
    with np.errstate(over="ignore"):
        return tree._replace(
            value=np.ldexp(tree.value, exponent), impurity=np.ldexp(tree.impurity, 2 * exponent)
        )


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
            found = _grow_by_loops(self.X, self.rank, keys, samples, self.n_bits, *growth, seed)
        else:
            found = _grow_by_levels(self.X, self.rank, keys, samples, growth, seed)
        return _finished(Tree(*found), growth)


def _finished(tree: Tree, growth: Growth) -> Tree:
    """Give two classes their two shares, and classes the impurity of their shares."""
    value, impurity = tree.value, tree.impurity
    if growth.criterion == DEVIATION and growth.n_classes == 2:
        value = np.column_stack([1 - value[:, 0], value[:, 0]])
    if growth.n_classes > 1:
        impurity = impurity_of(value, growth.criterion)
    return tree._replace(value=value, impurity=impurity)


def impurity_of(shares: Array, criterion: int) -> Array:
    """Return the impurity of shares of classes, one set of shares a row."""
    if criterion == ENTROPY:
        logs = _x_log_x_over_y(shares, np.ones_like(shares))
        return np.asarray(np.maximum(-logs.sum(axis=1), 0.0))
    return np.asarray((shares * (1 - shares)).sum(axis=1))


@compiled()
def _grow_by_loops(
    X: Array,
    rank: NDArray[np.int32],
    keys: Indices,
    samples: Array,
    n_bits: int,
    criterion: int,
    n_classes: int,
    max_depth: int,
    min_samples_split: int,
    min_samples_leaf: int,
    max_features: int,
    seed: int,
) -> tuple[Any, ...]:
    """Grow a tree node by node; ``keys`` is sorted for every feature, or one line of rows."""

    def mix(state: int) -> int:
        state = (((state >> 16) ^ state) * FACTOR_1) & STATE
        state = (((state >> 15) ^ state) * FACTOR_2) & STATE
        return (state >> 16) ^ state

    d = rank.shape[0]
    n_lines, n = keys.shape
    presorted = n_lines == d and max_features == d
    width = 1 if criterion == DEVIATION else n_classes
    most = 2 * max(1, n // min_samples_leaf) - 1
    feature = np.full(most, -1, dtype=np.int64)
    threshold = np.zeros(most)
    left, right = np.full(most, -1, dtype=np.int64), np.full(most, -1, dtype=np.int64)
    value = np.zeros((most, width))
    impurity, weight = np.zeros(most), np.zeros(most)
    n_samples = np.zeros(most, dtype=np.int64)

    goes_left = np.zeros(samples.shape[0], dtype=np.uint8)
    spare = np.empty(n, dtype=np.int64)
    line = np.empty(n, dtype=np.int64)
    digits = np.empty(256, dtype=np.int64)
    pool, drawn = np.arange(d), np.zeros(d, dtype=np.int64)
    total, below = np.zeros(width), np.zeros(width)

    # Start, end, depth, state, parent, and whether it is the right child.
    stack = np.zeros((most + 1, 6), dtype=np.int64)
    stack[0, 1], stack[0, 3], stack[0, 4] = n, seed, -1
    height, nodes = 1, 0
    while height > 0:
        height -= 1
        start, end, depth = stack[height, 0], stack[height, 1], stack[height, 2]
        state, parent, is_right = stack[height, 3], stack[height, 4], stack[height, 5]
        node = nodes
        nodes += 1
        if parent >= 0:
            if is_right:
                right[parent] = node
            else:
                left[parent] = node
        m = end - start
        n_samples[node] = m

        # In a unit of the node's weight, a power of two, no product of weights vanishes.
        W = 0.0
        for p in range(start, end):
            W += samples[keys[0, p] & ROW, 0]
        weight[node] = W
        unit = math.ldexp(1.0, -max(math.frexp(W)[1], -1000))
        W *= unit
        mean, loss, pure = 0.0, 0.0, True
        first = samples[keys[0, start] & ROW, 1]
        if criterion == DEVIATION:
            for p in range(start, end):
                i = keys[0, p] & ROW
                mean += unit * samples[i, 0] * samples[i, 1]
                if samples[i, 1] != first:
                    pure = False
            mean = first if pure else mean / W
            if not pure:
                rest = 0.0
                for p in range(start, end):
                    i = keys[0, p] & ROW
                    deviation = samples[i, 1] - mean
                    rest += unit * samples[i, 0] * deviation
                    loss += unit * samples[i, 0] * deviation * deviation
                # What is left of the error of the first mean is its square.
                mean += rest / W
                loss = max(loss - rest * rest / W, 0.0)
            value[node, 0] = mean
        else:
            total[:] = 0.0
            for p in range(start, end):
                i = keys[0, p] & ROW
                total[int(samples[i, 1])] += unit * samples[i, 0]
                if samples[i, 1] != first:
                    pure = False
            for c in range(width):
                value[node, c] = total[c] / W
                if criterion == GINI:
                    loss += total[c] * (1.0 - total[c] / W)
                elif total[c] > 0.0:
                    loss -= total[c] * math.log(total[c] / W)
        impurity[node] = loss / W
        if pure or depth == max_depth or m < min_samples_split or m < 2 * min_samples_leaf:
            continue

        # Of equal gains the first wins.
        scale = 1.0 if criterion == ENTROPY else 1.0 / W
        tie = max(4.0 * m * ROUNDOFF, TIE) * loss * scale
        # A side that weighs less than rounding decides nothing, and must not divide by zero.
        lightest = ROUNDOFF * W
        best, best_feature, best_low, best_high, middle = -1.0, -1, 0, 0, 0
        n_drawn = 0
        while n_drawn < d and (n_drawn < max_features or best_feature < 0):
            if max_features < d:
                swap = n_drawn + (
                    (mix((state + (n_drawn + 1) * GOLDEN) & STATE) * (d - n_drawn)) >> STATE_BITS
                )
                drawn[n_drawn] = swap
                pool[n_drawn], pool[swap] = pool[swap], pool[n_drawn]
            j = pool[n_drawn]
            n_drawn += 1
            if presorted:
                line = keys[j]
            elif m <= SHORT:
                for p in range(start, end):
                    i = keys[0, p]
                    key = (np.int64(rank[j, i]) << ROW_BITS) | i
                    q = p
                    while q > start and line[q - 1] > key:
                        line[q] = line[q - 1]
                        q -= 1
                    line[q] = key
            else:
                for p in range(start, end):
                    i = keys[0, p]
                    line[p] = (np.int64(rank[j, i]) << ROW_BITS) | i
                for shift in range(ROW_BITS, ROW_BITS + n_bits, 8):
                    digits[:] = 0
                    for p in range(start, end):
                        digits[(line[p] >> shift) & 255] += 1
                    place = start
                    for digit in range(256):
                        count = digits[digit]
                        digits[digit] = place
                        place += count
                    for p in range(start, end):
                        digit = (line[p] >> shift) & 255
                        spare[digits[digit]] = line[p]
                        digits[digit] += 1
                    for p in range(start, end):
                        line[p] = spare[p]

            if line[start] >> ROW_BITS == line[end - 1] >> ROW_BITS:
                continue
            wl = 0.0
            if criterion == DEVIATION:
                s = 0.0
                for p in range(start, end - min_samples_leaf):
                    key = line[p]
                    i = key & ROW
                    w = unit * samples[i, 0]
                    wl += w
                    s += w * (samples[i, 1] - mean)
                    if key >> ROW_BITS != line[p + 1] >> ROW_BITS:
                        gain = s * s / (max(wl, lightest) * max(W - wl, lightest))
                        if gain > best + tie and p - start + 1 >= min_samples_leaf:
                            best, best_feature, middle = gain, j, p + 1
                            best_low, best_high = i, line[p + 1] & ROW
                continue
            below[:] = 0.0
            for p in range(start, end - min_samples_leaf):
                key = line[p]
                i = key & ROW
                w, label = unit * samples[i, 0], int(samples[i, 1])
                wl += w
                if criterion == GINI:
                    for c in range(width):
                        below[c] -= w * value[node, c]
                below[label] += w
                if key >> ROW_BITS != line[p + 1] >> ROW_BITS:
                    on_left, on_right = max(wl, lightest), max(W - wl, lightest)
                    if criterion == ENTROPY:
                        # By log x <= x - 1 a divergence is at most that of chi-square, which needs
                        # no logarithm; most cuts are not good enough for more.
                        bound = 0.0
                        for c in range(width):
                            if total[c] > 0.0:
                                shift = below[c] - wl * value[node, c]
                                bound += shift * (shift / value[node, c])
                        bound *= 1.0 / on_left + 1.0 / on_right
                        if bound * LOOSE < best:
                            continue
                    gain = 0.0
                    for c in range(width):
                        if criterion == GINI:
                            gain += below[c] * below[c]
                        elif total[c] > 0.0:
                            above = total[c] - below[c]
                            if below[c] > 0.0:
                                gain += below[c] * math.log(below[c] / (on_left * value[node, c]))
                            if above > 0.0:
                                gain += above * math.log(above / (on_right * value[node, c]))
                    # No cut has a negative gain but by rounding.
                    gain = gain / (on_left * on_right) if criterion == GINI else max(gain, 0.0)
                    if gain > best + tie and p - start + 1 >= min_samples_leaf:
                        best, best_feature, middle = gain, j, p + 1
                        best_low, best_high = i, line[p + 1] & ROW
        if max_features < d:
            for k in range(n_drawn - 1, -1, -1):
                pool[k], pool[drawn[k]] = pool[drawn[k]], pool[k]
        if best_feature < 0:
            continue

        low, high = X[best_low, best_feature], X[best_high, best_feature]
        cut = 0.5 * low + 0.5 * high
        feature[node], threshold[node] = best_feature, cut if low <= cut < high else low
        highest = rank[best_feature, best_low]
        for p in range(start, end):
            i = keys[0, p] & ROW
            goes_left[i] = 1 if rank[best_feature, i] <= highest else 0
        for f in range(n_lines):
            a, b = start, 0
            for p in range(start, end):
                # Both places are written and one of them counts: there is nothing to predict.
                key = keys[f, p]
                goes = goes_left[key & ROW]
                keys[f, a] = key
                spare[b] = key
                a += goes
                b += 1 - goes
            for p in range(b):
                keys[f, a + p] = spare[p]
        for side in range(1, -1, -1):
            stack[height, 0] = middle if side else start
            stack[height, 1] = end if side else middle
            stack[height, 2] = depth + 1
            stack[height, 3] = mix((2 * state + 1 + side) & STATE)
            stack[height, 4], stack[height, 5] = node, side
            height += 1
    return (
        feature[:nodes].copy(),
        threshold[:nodes].copy(),
        left[:nodes].copy(),
        right[:nodes].copy(),
        value[:nodes].copy(),
        impurity[:nodes].copy(),
        weight[:nodes].copy(),
        n_samples[:nodes].copy(),
    )


def _mix(state: Any) -> Any:
    """Return the hash of states, as the compiled loop has it."""
    state = (((state >> 16) ^ state) * FACTOR_1) & STATE
    state = (((state >> 15) ^ state) * FACTOR_2) & STATE
    return (state >> 16) ^ state


class _Level:
    """The nodes of one level: segments of the keys, their weights, and the gains of cuts."""

    def __init__(self, keys: Indices, sizes: Indices, samples: Array, growth: Growth) -> None:
        self.growth, self.samples, self.sizes = growth, samples, sizes
        self.starts = np.cumsum(sizes) - sizes
        self.node = np.repeat(np.arange(len(sizes)), sizes)
        rows = keys[0] & ROW
        self.w, self.t = samples[rows, 0], samples[rows, 1]
        self.raw_weight = self.sums(self.w)
        # In a unit of the node's weight, a power of two, no product of weights vanishes.
        self.equal = bool((self.w == 1.0).all())
        exponent = np.maximum(np.frexp(self.raw_weight)[1], -1000) * (not self.equal)
        self.unit = np.ldexp(1.0, -exponent)
        self.w = self.w * self.unit[self.node]
        self.weight = self.raw_weight * self.unit
        first = self.t[self.starts]
        self.pure = ~np.logical_or.reduceat(self.t != first[self.node], self.starts)
        if growth.criterion == DEVIATION:
            mean = np.where(self.pure, first, self.sums(self.w * self.t) / self.weight)
            deviation = self.t - mean[self.node]
            rest = self.sums(self.w * deviation)
            loss = self.sums(self.w * deviation * deviation)
            self.mean = np.where(self.pure, first, mean + rest / self.weight)
            self.loss = np.where(self.pure, 0.0, np.maximum(loss - rest**2 / self.weight, 0.0))
            self.value = self.mean[:, None]
        else:
            width = growth.n_classes
            cells = self.node * width + self.t.astype(np.int64)
            size = len(sizes) * width
            self.total = np.bincount(cells, weights=self.w, minlength=size).reshape(-1, width)
            self.value = self.total / self.weight[:, None]
            self.loss = self.weight * impurity_of(self.value, growth.criterion)

    def sums(self, amounts: Array) -> Array:
        """Return the sum over each node."""
        return np.asarray(np.add.reduceat(amounts, self.starts))

    def prepare(self) -> None:
        """Compute what the gains of all features have in common."""
        position = np.arange(len(self.node)) - self.starts[self.node]
        size, least = self.sizes[self.node], self.growth.min_samples_leaf
        self.allowed = (position + 1 >= least) & (size - position - 1 >= least)
        self.lightest = (ROUNDOFF * self.weight)[self.node]
        if self.equal:
            self.on_left = position + 1.0
            self.on_right = np.maximum(size - self.on_left, self.lightest)
        else:
            self.unit_here = self.unit[self.node]
            self.mean_weight = (self.weight / self.sizes)[self.node]
            self.mean_on_left = (position + 1.0) * self.mean_weight
        scale = 1.0 if self.growth.criterion == ENTROPY else 1 / self.weight
        self.tie = np.maximum(4 * ROUNDOFF * self.sizes, TIE) * self.loss * scale

    def cumulated(self, amounts: Array) -> Array:
        """Return the sums over the samples of each node up to each position."""
        sums = np.cumsum(amounts)
        before = np.append(0.0, sums)[self.starts]
        sums -= before[self.node]
        return sums

    def gains(self, line: Indices) -> Array:
        """Return the gain of a cut behind each position of a sorted line of keys; -1 for none."""
        rows, ranks = line & ROW, line >> ROW_BITS
        w, t = self.samples[rows, 0], self.samples[rows, 1]
        if self.equal:
            on_left, on_right = self.on_left, self.on_right
        else:
            w = w * self.unit_here
            # As deviations from the mean weight, lest the sum over all nodes rounds those of one.
            on_left = self.cumulated(w - self.mean_weight) + self.mean_on_left
            on_left = np.maximum(on_left, self.lightest)
            on_right = np.maximum(self.weight[self.node] - on_left, self.lightest)
        if self.growth.criterion == ENTROPY:
            gain = np.zeros(len(line))
            for c in range(self.growth.n_classes):
                share, total = self.value[self.node, c], self.total[self.node, c]
                below = self.cumulated(w * ((t == c) - share)) + on_left * share
                below = np.clip(below, 0.0, total)
                gain += _x_log_x_over_y(below, on_left * share)
                gain += _x_log_x_over_y(total - below, on_right * share)
            gain = np.maximum(gain, 0.0)
        elif self.growth.criterion == GINI:
            squares = np.zeros(len(line))
            for c in range(self.growth.n_classes):
                squares += self.cumulated(w * ((t == c) - self.value[self.node, c])) ** 2
            gain = squares / (on_left * on_right)
        else:
            gain = self.cumulated(w * (t - self.value[self.node, 0])) ** 2 / (on_left * on_right)
        cut = self.allowed.copy()
        cut[:-1] &= ranks[1:] != ranks[:-1]
        gain[~cut] = -1.0
        return gain


def _x_log_x_over_y(x: Array, y: Array) -> Array:
    """Return x log(x/y), zero where x is zero."""
    return np.asarray(x * np.log(np.maximum(x, SMALLEST) / np.maximum(y, SMALLEST)))


def _drawn_features(state: Indices, d: int) -> Iterator[Indices]:
    """Yield for each node its first feature, its second, and so on, none twice."""
    nodes = np.arange(len(state))
    pool = np.tile(np.arange(d), (len(state), 1))
    for k in range(d):
        swap = k + ((_mix((state + (k + 1) * GOLDEN) & STATE) * (d - k)) >> STATE_BITS)
        found = pool[nodes, swap]
        pool[nodes, swap] = pool[:, k]
        yield found


def _best_cuts(
    level: _Level, keys: Indices, state: Indices
) -> tuple[Indices, Indices, NDArray[np.bool_]]:
    """Return for each node a feature, a position behind which to cut, and whether there is one."""
    d, m = keys.shape
    n_nodes, tries = len(level.sizes), level.growth.max_features
    here = np.arange(m)
    level.prepare()
    tried: list[Indices] = []
    highest: list[Array] = []
    best = np.full(n_nodes, -1.0)
    if tries == d:
        features: Iterator[Indices] = (np.full(n_nodes, j) for j in range(d))
    else:
        features = _drawn_features(state, d)
    for k, feature in enumerate(features):
        # Nodes in which all of these features are constant try another one.
        if k >= tries and (best >= 0).all():
            break
        line = keys[k] if tries == d else keys[feature[level.node], here]
        top = np.maximum.reduceat(level.gains(line), level.starts)
        if k >= tries:
            top[best >= 0] = -1.0
        best = np.maximum(best, top)
        tried.append(feature)
        highest.append(top)
    first = np.argmax(np.array(highest) >= np.maximum(best - level.tie, 0.0), axis=0)
    chosen = np.array(tried)[first, np.arange(n_nodes)]
    gains = level.gains(keys[chosen[level.node], here])
    # Not the best from above: beside other nodes the same sums may be rounded otherwise.
    top = np.maximum.reduceat(gains, level.starts)
    good = gains >= np.maximum(top - level.tie, 0.0)[level.node]
    cut = np.minimum.reduceat(np.where(good, here, m), level.starts)
    return chosen, cut, best >= 0


def _grow_by_levels(
    X: Array,
    rank: NDArray[np.int32],
    keys: Indices,
    samples: Array,
    growth: Growth,
    seed: int,
) -> tuple[Any, ...]:
    """Grow a tree level by level, with one pass over the keys for all nodes of a level."""
    d = len(keys)
    sizes = np.array([keys.shape[1]])
    state = np.array([seed])
    levels: list[tuple[Any, ...]] = []
    n_above, depth = 0, 0
    while True:
        level = _Level(keys, sizes, samples, growth)
        n_nodes = len(sizes)
        feature, threshold = np.full(n_nodes, -1), np.zeros(n_nodes)
        left, right = np.full(n_nodes, -1), np.full(n_nodes, -1)
        record = (level.value, level.loss / level.weight, level.raw_weight, sizes)
        levels.append((feature, threshold, left, right, *record))
        least = max(growth.min_samples_split, 2 * growth.min_samples_leaf)
        grows = np.flatnonzero(~level.pure & (sizes >= least))
        if depth == growth.max_depth or not len(grows):
            break
        if len(grows) < n_nodes:
            keys = keys[:, np.isin(np.arange(n_nodes), grows)[level.node]]
            level = _Level(keys, sizes[grows], samples, growth)
        chosen, cut, found = _best_cuts(level, keys, state[grows])
        if not found.any():
            break
        where = np.minimum(cut, keys.shape[1] - 2)
        line_low, line_high = keys[chosen, where], keys[chosen, where + 1]
        low, high = X[line_low & ROW, chosen], X[line_high & ROW, chosen]
        middle = 0.5 * low + 0.5 * high
        parents = grows[found]
        feature[parents] = chosen[found]
        threshold[parents] = np.where((low <= middle) & (middle < high), middle, low)[found]
        n_split = len(parents)
        left[parents] = n_above + n_nodes + np.arange(n_split)
        right[parents] = left[parents] + n_split

        goes_left, stays = np.zeros(len(X), dtype=bool), found[level.node]
        rows = keys[0] & ROW
        goes_left[rows] = rank[chosen[level.node], rows] <= (line_low >> ROW_BITS)[level.node]
        if not found.all():
            keys = keys[:, stays]
        n_left = (cut - level.starts + 1)[found]
        divided = np.empty_like(keys)
        for f in range(d):
            goes = goes_left[keys[f] & ROW]
            divided[f] = np.concatenate([keys[f][goes], keys[f][~goes]])
        keys = divided
        sizes = np.concatenate([n_left, level.sizes[found] - n_left])
        state = state[parents]
        state = np.concatenate([_mix((2 * state + 1) & STATE), _mix((2 * state + 2) & STATE)])
        n_above, depth = n_above + n_nodes, depth + 1
    return _in_preorder(Tree(*map(np.concatenate, zip(*levels, strict=True))))


def _in_preorder(tree: Tree) -> Tree:
    """Return the tree with its nodes in the order in which they are met from left to right."""
    levels = list(tree.levels())
    size = np.ones(tree.n_nodes, dtype=np.int64)
    for nodes in reversed(levels):
        inner = nodes[tree.feature[nodes] >= 0]
        size[inner] += size[tree.left[inner]] + size[tree.right[inner]]
    place = np.zeros(tree.n_nodes, dtype=np.int64)
    for nodes in levels:
        inner = nodes[tree.feature[nodes] >= 0]
        place[tree.left[inner]] = place[inner] + 1
        place[tree.right[inner]] = place[inner] + 1 + size[tree.left[inner]]
    order = np.argsort(place)
    inside = tree.feature >= 0
    moved = tree._replace(
        left=np.where(inside, place[tree.left], -1), right=np.where(inside, place[tree.right], -1)
    )
    return Tree._make(array[order] for array in moved)


def find_leaves(tree: Tree, X: Array) -> Indices:
    """Return the leaf that each row of X reaches."""
    if compiles():
        return np.asarray(
            _find_leaves_by_loops(
                _of_one_type(X), tree.feature, tree.threshold, tree.left, tree.right
            )
        )
    node = np.zeros(len(X), dtype=np.int64)
    on_the_way = np.arange(len(X))
    while True:
        at = node[on_the_way]
        inner = tree.feature[at] >= 0
        on_the_way, at = on_the_way[inner], at[inner]
        if not len(at):
            return node
        goes_left = X[on_the_way, tree.feature[at]] <= tree.threshold[at]
        node[on_the_way] = np.where(goes_left, tree.left[at], tree.right[at])


@compiled()
def _find_leaves_by_loops(
    X: Array, feature: Indices, threshold: Array, left: Indices, right: Indices
) -> Indices:
    """Walk down from the root with every row."""
    leaves = np.empty(len(X), dtype=np.int64)
    for i in range(len(X)):
        node = 0
        while feature[node] >= 0:
            node = left[node] if X[i, feature[node]] <= threshold[node] else right[node]
        leaves[i] = node
    return leaves


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
        alpha = found if found > alpha + TIE * loss[0] else alpha
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
