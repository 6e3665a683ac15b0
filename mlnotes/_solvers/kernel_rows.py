"""Rows of a kernel matrix, computed when asked for and kept while they fit."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlnotes.kernels import (
    are_near,
    gaussian_exponents,
    gaussian_kernel,
    half_squares,
    linear_kernel,
    polynomial_kernel,
)
from mlnotes.validation import Array

Indices = NDArray[np.intp]

# Up to this many points the whole matrix costs less than asking for its rows one by one.
WHOLE = 400
# What rounding, also that of single precision, may take from a kernel.
GRAM_TOL = 1e-6
# Columns of a block of the matrix that is multiplied and not kept.
BLOCK = 256


class Kernel(NamedTuple):
    """A kernel by name or as a function of two sets of points, with its parameters."""

    name: str | Callable[[Array, Array], ArrayLike]
    bandwidth: float = 1.0
    degree: int = 2
    constant: float = 1.0

    def __call__(self, A: Array, B: Array) -> Array:
        """Return the matrix of kernel values between two sets of points."""
        if callable(self.name):
            return _checked_values(self.name(A, B), len(A), len(B))
        if self.name == "linear":
            return linear_kernel(A, B)
        if self.name == "polynomial":
            return polynomial_kernel(A, B, degree=self.degree, constant=self.constant)
        return gaussian_kernel(A, B, bandwidth=self.bandwidth)


def _checked_values(values: ArrayLike, n: int, m: int) -> Array:
    """Return what a user's kernel returned, refusing what no kernel can return."""
    matrix = np.asarray(values, dtype=np.float64)
    if matrix.shape != (n, m):
        raise ValueError(
            f"the kernel returned shape {matrix.shape} for {n} and {m} points; it must return one "
            "row for each of the first and one column for each of the second."
        )
    if not np.isfinite(matrix).all():
        raise ValueError("the kernel returned values that are not finite numbers.")
    return matrix


def check_gram(K: Array) -> None:
    """Refuse a matrix that cannot hold the inner products of any points."""
    scale = float(np.abs(K).max())
    if not np.allclose(K, K.T, rtol=0.0, atol=GRAM_TOL * scale):
        raise ValueError("the kernel is not symmetric: k(x, x') and k(x', x) must be equal.")
    diagonal = K.diagonal()
    if diagonal.min() < 0:
        raise ValueError(
            f"the kernel is not one: k(x, x), a squared length, is {float(diagonal.min()):g} for "
            "a sample."
        )
    _check_distances(diagonal[:, None] + diagonal - 2 * K, diagonal)
    some = K[:500, :500]
    lowest = float(np.linalg.eigvalsh(some)[0])
    if lowest < -GRAM_TOL * len(some) * scale:
        raise ValueError(
            f"the kernel is not one: its matrix has the eigenvalue {lowest:g}, so that it holds "
            "the inner products of no points and a duality gap would prove nothing."
        )


def _check_distances(squares: Array, diagonal: Array) -> None:
    """Refuse a kernel that puts two points at a distance whose square is negative."""
    if squares.min() < -GRAM_TOL * float(diagonal.max()):
        raise ValueError(
            "the kernel is not one: k(x, x) + k(x', x') - 2 k(x, x'), a squared distance, is "
            f"{float(squares.min()):g} for two samples."
        )


class KernelRows:
    """Rows of the kernel matrix of some points.

    Only points whose multiplier moves are ever asked for, which is why the whole matrix need not
    exist. ``cache[slot[i]]`` is row ``i`` if ``slot[i]`` is not negative; when all slots are taken
    the oldest row makes room. Gaussian points are given in units of the bandwidth, and for a
    precomputed kernel the points are rows of the matrix, of which ``columns`` are in use.
    """

    def __init__(
        self,
        kernel: Kernel,
        points: Array,
        megabytes: float,
        *,
        columns: Indices | None = None,
        diagonal: Array | None = None,
    ) -> None:
        n = len(points)
        self.kernel = kernel
        self.points = points
        self.megabytes = megabytes
        self.columns = np.arange(n) if columns is None else columns
        # Half the squared norms, for the exponent of the Gaussian kernel.
        self.halves = half_squares(points)
        self.near = are_near(self.halves)
        self.diagonal = self._diagonal() if diagonal is None else diagonal
        room = min(n, int(megabytes * 2**20 // (8 * n)) + 2)
        self.cache = np.empty((max(room, 2), n))
        self.slot = np.full(n, -1, dtype=np.intp)
        self.owner = np.full(len(self.cache), -1, dtype=np.intp)
        self.oldest = 0

    def __len__(self) -> int:
        return len(self.points)

    def _diagonal(self) -> Array:
        """Return the kernel of every point with itself."""
        n = len(self.points)
        if self.kernel.name == "gaussian":
            return np.ones(n)
        if self.kernel.name == "precomputed":
            return np.asarray(self.points[np.arange(n), self.columns])
        if self.kernel.name == "linear":
            return np.asarray(2 * self.halves)
        return np.array([float(self._compute([i], [i])[0, 0]) for i in range(n)])

    def _compute(self, some: Any, others: Any, out: Array | None = None) -> Array:
        """Return the kernel of some points (rows) with others (columns), in ``out`` if given."""
        A, B = self.points[some], self.points[others]
        if self.kernel.name == "gaussian" and self.near:
            exponents = np.matmul(A, B.T, out=out)
            exponents -= self.halves[some][:, None]
            exponents -= self.halves[others]
            return np.asarray(np.exp(exponents, out=exponents))
        if self.kernel.name == "precomputed":
            found = np.asarray(A[:, self.columns[others]])
        elif self.kernel.name == "gaussian":
            found = np.exp(gaussian_exponents(A, B))
        else:
            found = self.kernel(A, B)
        if out is None:
            return found
        out[:] = found
        return out

    def fetch(self, i: int) -> None:
        """Compute row ``i`` and keep it; all rows if there are few and nothing is kept yet."""
        n = len(self.points)
        if n <= min(WHOLE, len(self.cache)) and self.owner[0] < 0:
            rows = self._compute(slice(None), slice(None))
            if self.kernel.name == "gaussian":
                np.fill_diagonal(rows, 1.0)
            if callable(self.kernel.name):
                _check_distances(self.diagonal[:, None] + self.diagonal - 2 * rows, self.diagonal)
            self._keep(np.arange(n), rows)
            return
        place = self._free_slot()
        row = self.cache[place]
        if self.kernel.name == "gaussian" and self.near:
            np.matmul(self.points, self.points[i], out=row)
            row -= self.halves
            row -= self.halves[i]
            np.exp(row, out=row)
            row[i] = 1.0
        else:
            row[:] = self._compute([i], slice(None))[0]
        if callable(self.kernel.name):
            _check_distances(self.diagonal + self.diagonal[i] - 2 * row, self.diagonal)
        self.slot[i], self.owner[place] = place, i

    def _free_slot(self) -> int:
        """Return the oldest slot, whose owner loses it."""
        place = self.oldest
        self.oldest = (place + 1) % len(self.cache)
        if self.owner[place] >= 0:
            self.slot[self.owner[place]] = -1
        self.owner[place] = -1
        return place

    def _keep(self, indices: Indices, rows: Array) -> None:
        """Put rows into the oldest slots, whose owners lose theirs."""
        slots = (self.oldest + np.arange(len(indices))) % len(self.cache)
        self.cache[slots] = rows
        self._own(indices)

    def _own(self, indices: Indices) -> None:
        """Give the oldest slots, which hold these rows already, to them."""
        slots = (self.oldest + np.arange(len(indices))) % len(self.cache)
        evicted = self.owner[slots]
        self.slot[evicted[evicted >= 0]] = -1
        self.owner[slots] = indices
        self.slot[indices] = slots
        self.oldest = (self.oldest + len(indices)) % len(self.cache)

    def __getitem__(self, i: int) -> Array:
        """Return row ``i``, a view that the next row asked for may overwrite."""
        if self.slot[i] < 0:
            self.fetch(i)
        return np.asarray(self.cache[self.slot[i]])

    def times(self, some: Indices, others: Indices, values: Array) -> Array:
        """Return the product of a block of the matrix with a vector, a few columns at a time."""
        total = np.zeros(len(some))
        for start in range(0, len(others), BLOCK):
            part = slice(start, start + BLOCK)
            total += self._compute(some, others[part]) @ values[part]
        return total

    def product(self, values: Array) -> Array:
        """Return the product of the matrix with a vector, from rows that were kept if possible."""
        total = np.zeros(len(values))
        used = np.flatnonzero(values)
        for start in range(0, len(used), BLOCK):
            part = used[start : start + BLOCK]
            kept = self.slot[part] >= 0
            here, missing = part[kept], part[~kept]
            total += values[here] @ self.cache[self.slot[here]]
            if len(missing):
                end = self.oldest + len(missing)
                room = self.owner[self.oldest] < 0 and end <= len(self.cache)
                into = self.cache[self.oldest : end] if room else None
                total += values[missing] @ self._compute(missing, slice(None), into)
                if room:
                    self._own(missing)
        return total

    def square(self, indices: Indices) -> Array:
        """Return the kernel matrix of some of the points, a copy."""
        slots = self.slot[indices]
        if (slots >= 0).all():
            return self.cache[np.ix_(slots, indices)]
        return self._compute(indices, indices)

    def restricted(self, active: Indices) -> KernelRows:
        """Return the rows for fewer points, taking along what was computed."""
        smaller = KernelRows(
            self.kernel,
            self.points[active],
            self.megabytes,
            columns=self.columns[active],
            diagonal=self.diagonal[active],
        )
        known = np.flatnonzero(self.slot[active] >= 0)[: len(smaller.cache)]
        for place, slot in enumerate(self.slot[active[known]]):
            np.take(self.cache[slot], active, out=smaller.cache[place], mode="clip")
        smaller._own(known)
        return smaller
