"""Lloyd's iteration with distance bounds: a point whose centre cannot have changed is not asked.

For every point an upper bound on the distance to its own centre and a lower bound on the distance
to all others are kept. When centres move, the bounds move by no more than they do; only where the
two overlap are distances computed again, and where they do for most points, all distances are, in
one product without picking rows. The partition is that of the plain iteration.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csc_array

from mlnotes._compiled import compiled, compiles
from mlnotes.validation import Array

Labels = NDArray[np.intp]

# Entries of a block of distances that stays in cache.
BLOCK_ENTRIES = 2**15
# If more than this share of the points is in doubt, all are asked: picking rows costs a copy.
MAX_SHARE_OF_ROWS = 0.5


class KMeansRun(NamedTuple):
    """Where a run of Lloyd's iteration ended."""

    centres: Array
    labels: Labels
    inertia: float
    n_iter: int
    converged: bool


def squared_norms(points: Array) -> Array:
    """Return the squared length of every row."""
    return np.asarray(np.einsum("ij,ij->i", points, points))


def spread(centred: Array, weights: Array) -> float:
    """Return the mean of the variances of centred features: what tolerances are relative to."""
    return float(weights @ squared_norms(centred) / centred.shape[1])


def nearest_centres(points: Array, centres: Array) -> tuple[Labels, Array]:
    """Return the nearest centre of each point, the first of equally near ones, and its distance."""
    bounds = _Bounds(points, centres)
    return bounds.labels, bounds.upper


class _Bounds:
    """The nearest centre of each point, and bounds on its distance and that of the others."""

    def __init__(self, points: Array, centres: Array) -> None:
        n = len(points)
        self.points, self.squares = points, squared_norms(points)
        self.labels = np.zeros(n, dtype=np.intp)
        self.upper, self.lower = np.empty(n), np.empty(n)
        self._all, self._rows = np.arange(n), np.empty(n, dtype=np.intp)
        self.ask(None, centres)

    def ask(self, rows: Labels | None, centres: Array) -> int:
        """Assign some points, or all, to their nearest centres; return how many changed theirs."""
        factor, offsets = -2 * centres, squared_norms(centres)
        size, changes = max(256, BLOCK_ENTRIES // len(centres)), 0
        asked = self._all if rows is None else rows
        for begin in range(0, len(asked), size):
            part = asked[begin : begin + size]
            points = self.points[begin : begin + size] if rows is None else self.points[part]
            changes += self._take_nearest(factor @ points.T, offsets, part)
        return changes

    def _take_nearest(self, products: Array, offsets: Array, rows: Labels) -> int:
        """Assign points by the table of -2⟨x, c⟩, to which ||c||² and ||x||² are added.

        It has a row for each centre, so that a loop goes through many points at once.
        """
        if compiles():
            bounds = (self.labels, self.upper, self.lower)
            return int(_two_least(products, offsets, rows, self.squares, *bounds))
        table, entries = products + offsets[:, None], np.arange(len(rows))
        best = table.argmin(axis=0)
        changes = np.count_nonzero(best != self.labels[rows])
        self.labels[rows] = best
        squares = self.squares[rows]
        self.upper[rows] = np.sqrt(np.maximum(table[best, entries] + squares, 0.0))
        table[best, entries] = np.inf
        self.lower[rows] = np.sqrt(np.maximum(table.min(axis=0) + squares, 0.0))
        return int(changes)

    def move(self, centres: Array, drift: Array) -> int:
        """Follow centres that moved by ``drift``; return how many points changed theirs."""
        farthest = drift.argmax()
        # The others come nearer by no more than the one among them that moved farthest.
        of_others = np.full(len(drift), drift[farthest])
        of_others[farthest] = np.delete(drift, farthest).max(initial=0.0)
        # A point nearer to its centre than half the way to the next centre is nearest to its own.
        half_way = _distances_between(centres).min(axis=1) / 2
        few = MAX_SHARE_OF_ROWS * len(self.points)
        if compiles():
            bounds = (self.labels, self.upper, self.lower, half_way, self._rows)
            found = _find_doubtful(drift, of_others, *bounds)
            if found <= few:
                found = _tighten(self.points, centres, *bounds, found)
            doubtful = self._rows[:found]
        else:
            self.upper += drift[self.labels]
            self.lower -= of_others[self.labels]
            safe = np.maximum(self.lower, half_way[self.labels])
            doubtful = np.flatnonzero(self.upper >= safe)
        return self.ask(doubtful if len(doubtful) <= few else None, centres)

    def sums(self, weights: Array, k: int) -> tuple[Array, Array]:
        """Return the weighted sum of the points of each centre, and the sum of their weights."""
        if compiles():
            sums, mass = np.zeros((k, self.points.shape[1])), np.zeros(k)
            _sum_by_label(self.points, weights, self.labels, sums, mass)
            return sums, mass
        ends = np.arange(len(weights) + 1)
        members = csc_array((weights, self.labels, ends), shape=(k, len(weights)))
        mass = np.bincount(self.labels, weights, minlength=k).astype(np.float64)
        return np.asarray(members @ self.points), mass

    def own_squares(self, centres: Array) -> Array:
        """Return the squared distance of each point from its own centre, from their differences."""
        if compiles():
            found = np.empty(len(self.points))
            _own_squares(self.points, centres, self.labels, found)
            return found
        return squared_norms(self.points - centres[self.labels])

    def refill(self, empty: Labels, centres: Array) -> None:
        """Give every centre without points the point farthest from its own centre."""
        rows = np.argsort(-self.own_squares(centres), kind="stable")[: len(empty)]
        self.labels[rows] = empty[: len(rows)]
        # Nothing is known of their distances, so that they are asked again.
        self.upper[rows], self.lower[rows] = np.inf, 0.0


def lloyd_with_bounds(
    points: Array, weights: Array, start: Array, tol: float, max_iter: int
) -> KMeansRun:
    """Run Lloyd's iteration until the centres move by at most ``tol`` (a sum of squares).

    A centre without points is put on the point farthest from its own centre, which lowers the
    objective. Points should be centred: squared distances lose the digits of a common offset.
    """
    centres, bounds = start, _Bounds(points, start)
    converged, n_iter = False, 0
    while n_iter < max_iter and not converged:
        n_iter += 1
        sums, mass = bounds.sums(weights, len(centres))
        if not mass.all():
            bounds.refill(np.flatnonzero(mass == 0), centres)
            sums, mass = bounds.sums(weights, len(centres))
        filled = mass > 0
        moved = centres.copy()
        moved[filled] = sums[filled] / mass[filled, None]
        drift = np.sqrt(squared_norms(moved - centres))
        centres = moved
        # Centres are the means of their points, so that an assignment which stays is final.
        converged = bounds.move(centres, drift) == 0 or float(drift @ drift) <= tol
    inertia = float(weights @ bounds.own_squares(centres))
    return KMeansRun(centres, bounds.labels, inertia, n_iter, converged)


def _distances_between(centres: Array) -> Array:
    """Return the distances of all pairs of centres, infinite from a centre to itself."""
    squares = squared_norms(centres)
    table = np.maximum(squares[:, None] + squares - 2 * (centres @ centres.T), 0.0)
    np.fill_diagonal(table, np.inf)
    return np.asarray(np.sqrt(table))


@compiled(reassociate=True)
def _find_doubtful(
    drift: Any, of_others: Any, labels: Any, upper: Any, lower: Any, half_way: Any, rows: Any
) -> Any:
    """Move the bounds, write down the points for which they overlap, and return their number."""
    found = 0
    for i in range(len(labels)):
        own = labels[i]
        upper[i] += drift[own]
        lower[i] -= of_others[own]
        rows[found] = i
        found += upper[i] >= max(lower[i], half_way[own])
    return found


@compiled(reassociate=True)
def _tighten(
    points: Any,
    centres: Any,
    labels: Any,
    upper: Any,
    lower: Any,
    half_way: Any,
    rows: Any,
    found: Any,
) -> Any:
    """Compute the distance of doubtful points from their own centres; keep those still in doubt."""
    left = 0
    for j in range(found):
        i = rows[j]
        own = labels[i]
        square = 0.0
        for f in range(points.shape[1]):
            gap = points[i, f] - centres[own, f]
            square += gap * gap
        upper[i] = math.sqrt(square)
        rows[left] = i
        left += upper[i] >= max(lower[i], half_way[own])
    return left


@compiled(reassociate=True)
def _two_least(
    products: Any, offsets: Any, rows: Any, squares: Any, labels: Any, upper: Any, lower: Any
) -> Any:
    """Set label and bounds of each point by the two least entries of its column of the table."""
    n = len(rows)
    best, second = np.empty(n), np.full(n, math.inf)
    at = np.zeros(n, dtype=np.intp)
    for j in range(n):
        best[j] = products[0, j] + offsets[0]
    for c in range(1, len(offsets)):
        offset = offsets[c]
        for j in range(n):
            # Selections and no branches: they become vector instructions.
            value, least = products[c, j] + offset, best[j]
            nearer = value < least
            other = least if nearer else value
            best[j] = value if nearer else least
            at[j] = c if nearer else at[j]
            second[j] = other if other < second[j] else second[j]
    changes = 0
    for j in range(n):
        i = rows[j]
        upper[i] = math.sqrt(max(best[j] + squares[i], 0.0))
        lower[i] = math.sqrt(max(second[j] + squares[i], 0.0))
        changes += labels[i] != at[j]
        labels[i] = at[j]
    return changes


@compiled(reassociate=True)
def _own_squares(points: Any, centres: Any, labels: Any, found: Any) -> None:
    """Write down the squared distance of each point from its own centre."""
    for i in range(len(labels)):
        own, square = labels[i], 0.0
        for f in range(points.shape[1]):
            gap = points[i, f] - centres[own, f]
            square += gap * gap
        found[i] = square


@compiled(reassociate=True)
def _sum_by_label(points: Any, weights: Any, labels: Any, sums: Any, mass: Any) -> None:
    """Add up the weighted points and the weights of each label."""
    n, d = points.shape
    for i in range(n):
        c = labels[i]
        mass[c] += weights[i]
        for f in range(d):
            sums[c, f] += weights[i] * points[i, f]
