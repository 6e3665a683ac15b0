"""Least squares of samples that come in batches: sums of products in doubled precision.

All that least squares and ridge need of a batch are the products of its columns, and those of two
batches together are their sums. In doubled precision they lose no digit that matters, whatever the
offset of the features or the condition number, so that batches may come in any order.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mlnotes._doubled import Doubled, add, two_product, two_sum
from mlnotes._numerics import numerical_rank, scale_by_power_of_two
from mlnotes._solvers import least_squares as solver
from mlnotes._solvers.least_squares import Solution
from mlnotes._solvers.penalised import (
    MIN_EIGENVALUE_RATIO,
    Equilibrated,
    Spectrum,
    equilibrated,
)
from mlnotes.validation import Array

# So many bits are right beyond those of ordinary products: in all, about 110.
BITS = 63
# A pivot below this share of its entry is what rounding left of it.
PIVOT_TOL = 2.0**-96


class Sums(NamedTuple):
    """Products of the columns 1, x, y, each over a power of two, with the limits of the features.

    ``total`` is the sum of the weights, in a common unit of ``2**unit``.
    """

    products: Doubled
    exponents: NDArray[np.intc]
    unit: int
    total: float
    smallest: Array
    largest: Array


def sums_of(points: Array, target: Array, weights: Array | None) -> Sums:
    """Return the sums of a batch."""
    unit, total = 0, float(len(points))
    if weights is not None:
        weights, unit = scale_by_power_of_two(weights)
        total = float(weights.sum())
    columns = [1.0, *np.abs(points).max(axis=0), np.abs(target).max()]
    exponents = np.maximum(np.frexp(columns)[1], -1000)
    exponents[0] = 0
    table = solver.Table(points, target, weights, exponents[1:], np.zeros(len(columns) - 1), True)
    products = solver.normal_equations(table, BITS)
    return Sums(products, exponents, unit, total, points.min(axis=0), points.max(axis=0))


def together(first: Sums, second: Sums) -> Sums:
    """Return the sums of two batches, or of two sets of batches."""
    exponents = np.maximum(first.exponents, second.exponents)
    unit = max(first.unit, second.unit)
    parts = []
    for sums in (first, second):
        shift = sums.exponents - exponents
        by = shift[:, None] + shift + (sums.unit - unit)
        parts.append(Doubled(*(np.ldexp(part, by) for part in sums.products)))
    totals = [math.ldexp(sums.total, sums.unit - unit) for sums in (first, second)]
    return Sums(
        add(*parts),
        exponents,
        unit,
        sum(totals),
        np.minimum(first.smallest, second.smallest),
        np.maximum(first.largest, second.largest),
    )


class _Factored(NamedTuple):
    """The triangle of the columns that vary, over powers of two that make them of about size 1."""

    R: Array
    products: Doubled
    exponents: NDArray[np.intc]
    varies: NDArray[np.bool_]


def _factored(sums: Sums, first: int) -> _Factored:
    """Return Cholesky's factor of the products, without the column of ones if ``first`` is 0."""
    varies = sums.smallest < sums.largest
    if not first:
        varies |= sums.smallest != 0
    chosen = np.flatnonzero(np.concatenate([[bool(first)], varies, [True]]))
    part = np.ix_(chosen, chosen)
    products, exponents = Doubled(*(p[part] for p in sums.products)), sums.exponents[chosen]
    R = cholesky(products)
    # By the size of what is orthogonal to the ones: the products of deviations.
    sizes = np.frexp(np.sqrt((R[first:] ** 2).sum(axis=0)))[1]
    sizes[:first] = 0
    sizes[-1] = max(sizes[-1], -500)
    scaled = Doubled(*(np.ldexp(p, -(sizes[:, None] + sizes)) for p in products))
    return _Factored(np.ldexp(R, -sizes), scaled, exponents + sizes, varies)


def cholesky(products: Doubled) -> Array:
    """Return the triangle R with RᵀR = products, found in doubled precision; R itself is rounded.

    Where a pivot vanishes up to rounding its row is zero: the column depends on those before it.
    """
    high, low = products.high.copy(), products.low.copy()
    k = len(high)
    R = np.zeros((k, k))
    least = 4 * products.error.diagonal() + k * PIVOT_TOL * high.diagonal()
    for j in range(k):
        pivot = high[j, j]
        if not pivot > least[j]:
            continue
        root = math.sqrt(pivot)
        square, lost = two_product(np.array(root), np.array(root))
        root_low = float((pivot - square) - lost + low[j, j]) / (2 * root)
        row = high[j, j:] / root
        main, lost = two_product(row, np.array(root))
        row_low = ((high[j, j:] - main) - lost + low[j, j:] - row * root_low) / root
        row, row_low = two_sum(row, row_low)
        R[j, j:] = row
        main, lost = two_product(row[:, None], row[None, :])
        lost = lost + (np.outer(row, row_low) + np.outer(row_low, row))
        rest, more = two_sum(high[j:, j:], -main)
        high[j:, j:], low[j:, j:] = two_sum(rest, more + (low[j:, j:] - lost))
    return R


def solve(sums: Sums, fit_intercept: bool) -> Solution:
    """Return the minimiser of the sum of squares over all batches, with bounds on its error."""
    first = int(fit_intercept)
    found = _factored(sums, first)
    k = len(found.R) - 1
    R, z = found.R[:k, :k], found.R[:k, k]
    return solver.finish(
        equations=found.products,
        triangle=(R, z, solver.singular_values(R[first:, first:])),
        rounded=max(sums.total, len(found.varies)),
        first=first,
        exponents=found.exponents[first:],
        shifts=np.zeros(k + 1 - first),
        varies=found.varies,
        squares=float(found.R[k, k]) ** 2,
        # Nothing was subtracted from the features: an offset costs R as much as it is large.
        bits=solver.bits_lost(solver.singular_values(R)),
    )


def spectrum(sums: Sums, fit_intercept: bool) -> Spectrum | Equilibrated:
    """Return what ridge needs of all batches, in the units of the features."""
    first = int(fit_intercept)
    found = _factored(sums, first)
    d, k = len(found.varies), len(found.R) - 1
    # The weights of the samples have a unit of their own, of which a root goes to each column.
    half = 2.0 ** (sums.unit / 2)
    R = np.ldexp(found.R, found.exponents) * half
    triangle, z = R[first:k, first:k], R[first:k, k]
    mean, level = np.zeros(d), 0.0
    if first:
        mean[found.varies], level = R[0, 1:k] / R[0, 0], float(R[0, k] / R[0, 0])
    U, gamma, Vt = np.linalg.svd(triangle)
    if gamma.min(initial=math.inf) < math.sqrt(MIN_EIGENVALUE_RATIO) * gamma.max(initial=0.0):
        gram, side = np.zeros((d, d)), np.zeros(d)
        gram[np.ix_(found.varies, found.varies)] = triangle.T @ triangle
        side[found.varies] = triangle.T @ z
        if (apart := equilibrated(gram, side, mean, level, 0.0)) is not None:
            return apart
    rank = numerical_rank(gamma, max(sums.total, d))
    U, gamma, Vt = U[:, :rank], gamma[:rank], Vt[:rank]
    V = np.zeros((d, len(gamma)))
    V[found.varies] = Vt.T
    return Spectrum(V, gamma, gamma * (U.T @ z), mean, level)
