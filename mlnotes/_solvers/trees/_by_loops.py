"""The loops over nodes and rows, which are compiled where numba is installed."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mlnotes._compiled import compiled
from mlnotes._numerics import ROUNDOFF
from mlnotes.validation import Array

from ._tree import (
    DEVIATION,
    ENTROPY,
    FACTOR_1,
    FACTOR_2,
    GINI,
    GOLDEN,
    ROW,
    ROW_BITS,
    STATE,
    STATE_BITS,
    TIE_TOL,
    Indices,
)

# What a bound is multiplied by so that rounding does not make it too small.
SLACK = 1.0 + 1e-6

# Shorter segments are sorted by insertion, longer ones digit by digit.
MAX_INSERTION_SORT = 40


@compiled()
def grow_by_loops(
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
        tie = max(4.0 * m * ROUNDOFF, TIE_TOL) * loss * scale
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
            elif m <= MAX_INSERTION_SORT:
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
                        if bound * SLACK < best:
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


@compiled()
def find_leaves_by_loops(
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
