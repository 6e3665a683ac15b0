"""Directions of largest variance from a triangular factor, one definite answer whatever the ties.

Of the samples only their number, their mean and a factor R with the scatter matrix as product of
its transpose and itself are kept. Two such summaries are merged by stacking their factors and one
row more; no scatter matrix is formed, so that small variances keep their digits.
"""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse.linalg import LinearOperator, eigsh

from mlnotes._numerics import (
    ROUNDOFF,
    blocks,
    is_constant,
    numerical_rank,
    scale_by_power_of_two,
    weighted_mean,
)
from mlnotes.validation import Array

# Singular values closer than this, relative to the largest, are one value several times.
TIE_TOL = 2.0**-40
# Entries of a direction closer than this, relative to the largest, are equally large.
LEVEL_TOL = 1e-9
# Up to this size all eigenvectors of a matrix cost less than a few of them.
MAX_FULL_SIZE = 300
# A condition number up to which the factor of a Gram matrix is worth correcting.
MAX_CONDITION = 1e3

# Beyond this the sum of a few weighted squares may overflow.
LARGEST_WEIGHT = 1e303


class Summary(NamedTuple):
    """What principal components need to know of some samples.

    ``factor`` has at most as many rows as columns; ``factor.T @ factor`` is the scatter matrix.
    """

    weight: float
    mean: Array
    factor: Array


class Spectrum(NamedTuple):
    """Directions (rows), the singular values of the centred samples, and how many are not zero."""

    directions: Array
    values: Array
    rank: int


def summarise(points: Array, weights: Array | None) -> Summary:
    """Return the summary of some samples, which may have weights."""
    if weights is not None:
        if weights.max() > LARGEST_WEIGHT:
            raise ValueError(
                f"sample_weight is as large as {weights.max():g}, and sums overflow; rescale all "
                "weights by one factor."
            )
        kept = weights > 0
        points, weights = points[kept], weights[kept]
    mean = weighted_mean(points, weights)
    rows = points - mean
    if weights is not None:
        rows *= np.sqrt(weights)[:, None]
    total = float(len(points)) if weights is None else float(weights.sum())
    if len(rows) <= rows.shape[1]:
        spread = np.sqrt((rows**2).sum(axis=0) / total)
        rows[:, is_constant(spread, mean)] = 0.0
        return Summary(total, mean, rows)
    gram = gram_matrix(rows)
    varies = ~is_constant(np.sqrt(gram.diagonal() / total), mean)
    if varies.all():
        return Summary(total, mean, triangle(rows, gram))
    factor = np.zeros((max(1, int(varies.sum())), rows.shape[1]))
    if varies.any():
        factor[:, varies] = triangle(rows.compress(varies, axis=1), gram[np.ix_(varies, varies)])
    return Summary(total, mean, factor)


def gram_matrix(rows: Array, columns: Array | None = None) -> Array:
    """Return the sum of the products of rows with themselves, a block of rows at a time."""
    d = rows.shape[1]
    gram = np.zeros((d, d))
    for block in blocks(len(rows), d):
        part = rows[block] if columns is None else rows[block] @ columns
        gram += part.T @ part
    return gram


def triangle(rows: Array, gram: Array) -> Array:
    """Return R with ``R.T @ R`` the Gram matrix, as accurate as a QR factorisation gives it.

    Cholesky's factor of the Gram matrix has squared the rounding errors. In its terms the rows are
    nearly orthonormal, and the factor of what they lack corrects it. Where columns are nearly
    dependent there is no such factor, and reflections do the work.
    """
    units = np.sqrt(gram.diagonal())
    if np.isfinite(units).all() and units.min() > 1e-140:
        try:
            in_units = gram / np.outer(units, units)
            first, values = np.linalg.cholesky(in_units).T, np.linalg.eigvalsh(in_units)
            if values[-1] <= MAX_CONDITION**2 * values[0]:
                nearly = gram_matrix(rows, np.linalg.inv(first * units))
                return np.asarray(np.linalg.cholesky(nearly).T @ first * units)
        except np.linalg.LinAlgError:
            pass
    return np.asarray(np.linalg.qr(rows, mode="r"))


def merge(a: Summary, b: Summary) -> Summary:
    """Return the summary of the samples of two summaries together."""
    weight = a.weight + b.weight
    gap = b.mean - a.mean
    between = np.sqrt(a.weight / weight) * np.sqrt(b.weight) * gap
    rows = np.vstack([a.factor, b.factor, between])
    factor = np.asarray(np.linalg.qr(rows, mode="r")) if len(rows) > rows.shape[1] else rows
    return Summary(weight, a.mean + b.weight / weight * gap, factor)


def spectrum(factor: Array, k: int) -> Spectrum:
    """Return all directions that vary, and as many more as are needed for ``k``.

    Where several have the same variance, any basis of the space that they span would do; the one
    taken is a function of this space.
    """
    d = factor.shape[1]
    scaled, exponent = scale_by_power_of_two(factor)
    _, values, directions = np.linalg.svd(scaled, full_matrices=False)
    rank = numerical_rank(values, max(factor.shape))
    values, directions = values[:rank], directions[:rank]
    settle(values, directions.T, float(values.max(initial=0.0)))
    size = min(max(k, rank), d)
    if size > rank:
        directions = np.vstack([directions, complement(directions, size - rank)])
        values = np.append(values, np.zeros(size - rank))
    return Spectrum(orient(directions.T).T, np.ldexp(values, exponent), rank)


def tied(values: Array, size: float) -> list[tuple[int, int]]:
    """Return the ranges of sorted values that are equal up to rounding, two or more each."""
    if not len(values):
        return []
    breaks = np.flatnonzero(np.abs(np.diff(values)) > TIE_TOL * size) + 1
    edges = [0, *breaks.tolist(), len(values)]
    return [(a, b) for a, b in pairwise(edges) if b - a > 1]


def canonical(basis: Array) -> Array:
    """Return a rotation of an orthonormal basis (columns) that depends on its span alone.

    The first vector of the rotated basis is the projection of the axis that has the longest one,
    the second that of another axis to what is orthogonal to the first, and so on.
    """
    rest, m = basis.copy(), basis.shape[1]
    rotation = np.zeros((m, m))
    for j in range(m):
        chosen = rest[first_largest((rest**2).sum(axis=1))]
        chosen = chosen - rotation[:, :j] @ (rotation[:, :j].T @ chosen)
        rotation[:, j] = chosen / np.linalg.norm(chosen)
        rest -= np.outer(rest @ rotation[:, j], rotation[:, j])
    return rotation


def complement(directions: Array, count: int) -> Array:
    """Return unit vectors orthogonal to the rows of ``directions``: projections of axes."""
    d = directions.shape[1]
    found = np.empty((0, d))
    left = 1 - (directions**2).sum(axis=0)
    for _ in range(count):
        vector = np.zeros(d)
        vector[first_largest(left)] = 1.0
        for _ in range(2):  # once more for what rounding left
            vector -= directions.T @ (directions @ vector) + found.T @ (found @ vector)
        vector /= np.linalg.norm(vector)
        found = np.vstack([found, vector])
        left = left - vector**2
    return found


def first_largest(values: Array) -> int:
    """Return the first index of the largest value, up to rounding."""
    return int((values >= values.max() * (1 - LEVEL_TOL)).argmax())


def orient(columns: Array) -> Array:
    """Turn every column so that its entry largest in absolute value, the first if tied, is > 0."""
    sizes = np.abs(columns)
    rows: NDArray[np.intp] = (sizes >= sizes.max(axis=0, initial=0.0) * (1 - LEVEL_TOL)).argmax(
        axis=0
    )
    return np.asarray(columns * np.where(columns[rows, np.arange(columns.shape[1])] < 0, -1.0, 1.0))


def leading_eigenpairs(A: Array, k: int) -> tuple[Array, Array]:
    """Return the ``k`` largest eigenvalues of a symmetric matrix once it is centred, descending.

    Centring subtracts the averages of rows and columns and adds that of all entries. Of a large
    matrix only these eigenvalues and their vectors are computed. Where several eigenvalues are
    equal, the vectors are a function of the space that they span.
    """
    n, count = len(A), k + 1
    values, vectors = (
        _some_eigenpairs(A, count) if n > MAX_FULL_SIZE and 10 * k <= n else _eigenpairs(A)
    )
    # A space is known only once an eigenvalue beyond it is.
    while len(values) < n and values[k - 1] - values[-1] <= TIE_TOL * values[0]:
        count *= 2
        values, vectors = _some_eigenpairs(A, count) if 10 * count <= n else _eigenpairs(A)
    largest = max(float(values[0]), 0.0)
    settle(values[values > ROUNDOFF * n * largest], vectors, largest)
    return values[:k], orient(vectors[:, :k])


def _eigenpairs(A: Array) -> tuple[Array, Array]:
    """Return all eigenvalues of a centred matrix, descending, and their vectors."""
    rows = A - A.mean(axis=0)
    values, vectors = np.linalg.eigh(rows - rows.mean(axis=1, keepdims=True))
    return values[::-1], vectors[:, ::-1].copy()


def _some_eigenpairs(A: Array, k: int) -> tuple[Array, Array]:
    """Return the largest ones, by Lanczos' method, which centres vectors and not the matrix."""
    n = len(A)
    start = np.random.default_rng(0).standard_normal(n)

    def apply(v: Array) -> Array:
        image = A @ (v - v.mean())
        return np.asarray(image - image.mean())

    operator = LinearOperator((n, n), matvec=apply, dtype=np.float64)
    values, vectors = eigsh(
        operator, k, which="LA", v0=start - start.mean(), ncv=min(n, max(2 * k + 1, 20))
    )
    order = np.argsort(-values, kind="stable")
    return values[order], vectors[:, order]


def settle(values: Array, vectors: Array, size: float) -> None:
    """Choose the vectors (columns) of equal values by the space that they span, in place."""
    for first, last in tied(values, size):
        vectors[:, first:last] = vectors[:, first:last] @ canonical(vectors[:, first:last])
