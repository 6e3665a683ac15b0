"""Growing and using a tree level by level in NumPy, with one pass for all nodes of a level."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mlnotes._numerics import ROUNDOFF
from mlnotes.validation import Array

from ._tree import (
    DEVIATION,
    ENTROPY,
    FACTOR_1,
    FACTOR_2,
    GOLDEN,
    ROW,
    ROW_BITS,
    STATE,
    STATE_BITS,
    TIE_TOL,
    Growth,
    Indices,
    Tree,
    impurity_of,
    x_log_x_over_y,
)


def _mix(state: Any) -> Any:
    """Return the hash of states, as the compiled loop has it."""
    state = (((state >> 16) ^ state) * FACTOR_1) & STATE
    state = (((state >> 15) ^ state) * FACTOR_2) & STATE
    return (state >> 16) ^ state


class _Level:
    """The nodes of one level: segments of the keys, their weights, and the gains of cuts."""

    def __init__(self, line: Indices, sizes: Indices, samples: Array, growth: Growth) -> None:
        self.growth, self.samples, self.sizes = growth, samples, sizes
        self.starts = np.cumsum(sizes) - sizes
        self.node = np.repeat(np.arange(len(sizes)), sizes)
        self.rows = line & ROW
        self.w, self.t = samples[self.rows, 0], samples[self.rows, 1]
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
        self.counting = self.equal and self.growth.criterion != DEVIATION
        values, codes = self.value[self.node], range(self.growth.n_classes)
        if self.counting:
            self.prepare_counting()
        elif self.growth.criterion == DEVIATION:
            self.deviations = [self.by_row(self.w * (self.t - values[:, 0]))]
        else:
            self.deviations = [self.by_row(self.w * ((self.t == c) - values[:, c])) for c in codes]
        if self.equal:
            self.on_left = position + 1.0
            self.on_right = np.maximum(size - self.on_left, self.lightest)
            self.both_sides = 1 / (self.on_left * self.on_right)
        else:
            mean_weight = (self.weight / self.sizes)[self.node]
            self.weight_deviations = self.by_row(self.w - mean_weight)
            self.mean_on_left = (position + 1.0) * mean_weight
            self.weight_here = self.weight[self.node]
        in_full = self.counting or self.growth.criterion == ENTROPY
        scale = 1.0 if in_full else 1 / self.weight
        self.tie = np.maximum(4 * ROUNDOFF * self.sizes, TIE_TOL) * self.loss * scale

    def prepare_counting(self) -> None:
        r"""Compute what a sample changes when it goes from the right side to the left.

        With equal weights the loss of a side is a sum of a function :math:`f` of the number of its
        samples, and of those of each class: of :math:`x^2`, or :math:`x\log x`. A sample that comes
        after :math:`a` of its class, and before :math:`b`, adds :math:`f(a+1)-f(a)` on the left and
        takes :math:`f(b+1)-f(b)` from the right, however many classes there are. The samples of a
        class of a node are counted in the same order for every feature: from first to last.
        """
        counts = self.total.astype(np.int64).T.ravel()  # class by class, and node by node in each
        before = np.arange(len(self.node)) - np.repeat(np.cumsum(counts) - counts, counts)
        behind = np.repeat(counts, counts) - before - 1
        kind = np.uint8 if self.growth.n_classes <= 1 << 8 else np.int64  # short codes sort faster
        self.codes = self.by_row(self.t).astype(kind)
        numbers = np.arange(self.sizes.max() + 1)
        if self.growth.criterion == ENTROPY:
            # In units so small that they are whole numbers, sums over all nodes lose nothing. What
            # is proportional to x cancels: the largest number takes the place of 1.
            largest = float(numbers[-1])
            self.exponent = 62 - int(np.frexp(largest)[1])
            f = np.ldexp(x_log_x_over_y(numbers * 1.0, np.full(1, largest)), self.exponent)
            f = np.rint(f).astype(np.int64)
            steps, whole = np.diff(f), self.sizes[self.node]
            self.changes = steps[before] - steps[behind]
            left = np.arange(len(self.node)) - self.starts[self.node] + 1
            self.loss_of_sides = f[left] + f[whole - left] - f[whole]
        else:
            self.entering, self.leaving = 2 * before + 1, 2 * behind + 1
            squares = (self.total**2).sum(axis=1).astype(np.int64)
            self.sums_above = (np.cumsum(squares) - squares)[self.node]
            self.sums_so_far = np.cumsum(squares)[self.node]
            self.share_of_all = (squares / self.sizes)[self.node]

    def gains_by_counting(self, rows: Indices) -> Array:
        """Return the gains behind each position where all weights are equal."""
        by_class = np.argsort(self.codes[rows], kind="stable")

        def cumulated(amounts: Indices) -> Indices:
            sums = np.empty_like(amounts)
            sums[by_class] = amounts
            return np.cumsum(sums, out=sums)

        if self.growth.criterion == ENTROPY:
            gain = cumulated(self.changes) - self.loss_of_sides
            return np.asarray(np.ldexp(np.maximum(gain, 0) * 1.0, -self.exponent))
        left = cumulated(self.entering) - self.sums_above
        right = self.sums_so_far - cumulated(self.leaving)
        return np.asarray(left / self.on_left + right / self.on_right - self.share_of_all)

    def by_row(self, amounts: Array) -> Array:
        """Return amounts in the order of the rows, in which every feature looks them up."""
        found = np.zeros(len(self.samples))
        found[self.rows] = amounts
        return found

    def cumulated(self, amounts: Array) -> Array:
        """Return the sums over the samples of each node up to each position."""
        sums = np.cumsum(amounts)
        before = np.append(0.0, sums)[self.starts]
        sums -= before[self.node]
        return sums

    def gains(self, line: Indices) -> Array:
        """Return the gain of a cut behind each position of a sorted line of keys; -1 for none."""
        rows = line & ROW
        if self.counting:
            return self.where_allowed(line, self.gains_by_counting(rows))
        if self.equal:
            on_left, on_right, both_sides = self.on_left, self.on_right, self.both_sides
        else:
            # As deviations from the mean weight, lest the sum over all nodes rounds those of one.
            on_left = self.cumulated(self.weight_deviations[rows]) + self.mean_on_left
            on_left = np.maximum(on_left, self.lightest)
            on_right = np.maximum(self.weight_here - on_left, self.lightest)
            both_sides = 1 / (on_left * on_right)
        gain = np.zeros(len(line))
        for c, deviations in enumerate(self.deviations):
            below = self.cumulated(deviations[rows])
            if self.growth.criterion == ENTROPY:
                share, total = self.value[self.node, c], self.total[self.node, c]
                below = np.clip(below + on_left * share, 0.0, total)
                gain += x_log_x_over_y(below, on_left * share)
                gain += x_log_x_over_y(total - below, on_right * share)
            else:
                gain += below * below
        if self.growth.criterion == ENTROPY:
            gain = np.maximum(gain, 0.0)
        else:
            gain *= both_sides
        return self.where_allowed(line, gain)

    def where_allowed(self, line: Indices, gain: Array) -> Array:
        """Return the gains of the cuts that are allowed; -1 for the others."""
        cut = self.allowed.copy()
        cut[:-1] &= (line[1:] ^ line[:-1]) > ROW  # the ranks differ
        return np.where(cut, gain, -1.0)


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


def _divided(keys: Indices, rows: Indices, goes_left: NDArray[np.bool_]) -> Indices:
    """Return the keys of these rows, those of left children before those of right ones."""
    side = np.zeros(len(goes_left), dtype=np.int8)
    side[rows] = np.where(goes_left[rows], 1, 2)
    divided = np.empty((len(keys), len(rows)), dtype=np.int64)
    for line, out in zip(keys, divided, strict=True):
        here = side[line & ROW]
        out[:] = np.concatenate([line[here == 1], line[here == 2]])
    return divided


def grow_by_levels(
    X: Array,
    rank: NDArray[np.int32],
    keys: Indices,
    samples: Array,
    growth: Growth,
    seed: int,
) -> tuple[Any, ...]:
    """Grow a tree level by level, with one pass over the keys for all nodes of a level."""
    line, sizes, state = keys[0], np.array([keys.shape[1]]), np.array([seed])
    goes_left = np.ones(len(X), dtype=bool)
    levels: list[tuple[Any, ...]] = []
    n_above, depth = 0, 0
    while True:
        level = _Level(line, sizes, samples, growth)
        n_nodes = len(sizes)
        feature, threshold = np.full(n_nodes, -1), np.zeros(n_nodes)
        left, right = np.full(n_nodes, -1), np.full(n_nodes, -1)
        record = (level.value, level.loss / level.weight, level.raw_weight, sizes)
        levels.append((feature, threshold, left, right, *record))
        least = max(growth.min_samples_split, 2 * growth.min_samples_leaf)
        growing = ~level.pure & (sizes >= least)
        grows = np.flatnonzero(growing)
        if depth == growth.max_depth or not len(grows):
            break
        if depth > 0:
            keys = _divided(keys, level.rows[growing[level.node]], goes_left)
        if len(grows) < n_nodes:
            level = _Level(keys[0], sizes[grows], samples, growth)
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

        goes = rank[chosen[level.node], level.rows] <= (line_low >> ROW_BITS)[level.node]
        goes_left[level.rows] = goes
        stays = found[level.node]
        line = np.concatenate([keys[0][stays & goes], keys[0][stays & ~goes]])
        n_left = (cut - level.starts + 1)[found]
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


def find_leaves_by_levels(tree: Tree, X: Array) -> Indices:
    """Walk down from the root with all rows at once."""
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
