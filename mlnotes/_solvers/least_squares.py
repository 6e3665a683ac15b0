"""Least squares by normal equations in doubled precision, with certified errors of the solution."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mlnotes._doubled import (
    UNIT_ROUNDOFF,
    Doubled,
    add,
    gram,
    piece_bits,
    product,
    two_product,
    two_sum,
)
from mlnotes._numerics import distribution, numerical_rank
from mlnotes.validation import Array

# Samples handled at a time: large enough to be fast, small enough for the cache.
BLOCK = 2048
# Samples whose entries are compared as one long row.
FOLD = 40
# Of the ten bits beyond what the condition number costs, so many may be missing.
MAX_MISSING_BITS = 4
# Below this share of the target, its residual is computed and not subtracted.
CANCELLATION_TOL = 1e-6


class Solution(NamedTuple):
    """What a fit learns of the parameters, and what it needs for their covariance.

    With G the products of the features, and of ones for the intercept, ``root`` times its own
    transpose is the inverse of G: a row for each weight, and one for the intercept. ``offset`` is
    such a row for the value of the linear function at ``centre``.
    """

    coef: Array
    intercept: float
    coef_error_bound: Array
    intercept_error_bound: float
    rank: int
    condition_number: float
    residual_norm: float
    root: Array
    offset: Array
    centre: Array


def solve(points: Array, target: Array, weights: Array | None, fit_intercept: bool) -> Solution:
    """Return the minimiser of the weighted sum of squares, with bounds on its error."""
    n, d = points.shape
    first = int(fit_intercept)
    table, varies = _centred_table(points, target, weights, fit_intercept)
    equations = normal_equations(table, bits=0)
    triangle = _triangle(table, equations, first)
    singular = triangle[2]
    if numerical_rank(singular, max(n, d)) == len(singular) > 0:
        # The normal equations lose twice the digits that the condition number costs.
        bits = bits_lost(singular)
        if bits - MAX_MISSING_BITS > piece_bits(min(n, BLOCK)):
            equations = normal_equations(table, bits)
    return finish(
        equations=equations,
        triangle=triangle,
        rounded=max(n, d),
        first=first,
        exponents=table.exponents,
        shifts=table.shifts,
        varies=varies,
        table=table,
    )


def bits_lost(singular: Array) -> float:
    """Return how many bits normal equations lose with these singular values, and ten more."""
    if not len(singular) or singular[0] == 0:
        return 10.0
    return 10 - 2 * math.log2(max(float(singular[-1] / singular[0]), 1e-30))


def finish(
    *,
    equations: Doubled,
    triangle: tuple[Array, Array, Array],
    rounded: float,
    first: int,
    exponents: NDArray[np.intc],
    shifts: Array,
    varies: NDArray[np.bool_],
    table: Table | None = None,
    squares: float | None = None,
    bits: float | None = None,
) -> Solution:
    """Solve normal equations whose factor R is known, and return to the units of the data.

    Column v, and last the target, entered as v / 2**exponent - shift. The sum of the squared
    residuals, if it is not known, comes from the equations or where they hold too few digits from
    the ``table``. ``bits`` is how many the factor R loses, if not what its condition number says.
    """
    R, z, singular = triangle
    d, k = len(varies), R.shape[1]
    coef, coef_bound = np.zeros(d), np.zeros(d)
    intercept = intercept_bound = 0.0
    # The solution is for scaled and shifted features and target. In their terms,
    # intercept = shift of the target + <offset, solution>.
    powers = exponents[-1] - exponents[:-1]
    offset = np.append(np.ones(first), -shifts[:-1])
    rank = numerical_rank(singular, rounded)
    V: Array
    if not k:
        condition, V, high, low = 1.0, np.zeros((0, 0)), np.zeros(0), np.zeros(0)
        reach, offset_reach = np.zeros(0), 0.0
    elif rank == k - first:
        condition = float(singular[0] / singular[-1]) if rank else 1.0
        V = np.asarray(np.linalg.inv(R))
        high, low, radius = _refined(
            equations, V, V @ z, bits_lost(singular) if bits is None else bits
        )
        # Weights that differ by hundreds of orders make squares of V overflow.
        reach = radius * np.hypot.reduce(V, axis=1)
        drift = np.abs(V.T @ offset) + (k + 2) * UNIT_ROUNDOFF * (np.abs(V).T @ np.abs(offset))
        offset_reach = radius * float(np.hypot.reduce(drift))
    else:
        condition = math.inf
        V = np.asarray(np.linalg.pinv(R, rcond=rounded * np.finfo(float).eps))
        stretch = np.ldexp(1.0, np.maximum(powers - powers.max(), -1000))
        high, low = _shortest(R, z, first, rank, stretch), np.zeros(k)
        reach, offset_reach = np.full(k, np.inf), math.inf

    with np.errstate(over="ignore"):
        coef[varies] = np.ldexp(high[first:], powers)
        # The smallest float pays for a result that underflows.
        bounds = np.ldexp(1.01 * (reach + np.abs(low))[first:], powers) + 5e-324
    if not np.isfinite(coef).all():
        raise ValueError(
            "the weights exceed any float; multiply X, or divide y, by a power of ten."
        )
    coef_bound[varies] = bounds
    if first:
        main, lost = two_product(offset, high)
        rest = offset * low
        total = math.fsum([shifts[-1], *main, *lost, *rest])
        slack = UNIT_ROUNDOFF * (abs(total) + float(np.abs(rest).sum())) + 1e-300
        intercept = float(np.ldexp(total, exponents[-1]))
        bound = np.ldexp(1.01 * (slack + offset_reach), exponents[-1]) + 5e-324
        intercept_bound = float(bound)
    if squares is None:
        assert table is not None
        squares = _squared_residual(table, equations, high, low)
    root, centre = np.zeros((d + first, V.shape[1])), np.zeros(d)
    with np.errstate(over="ignore", invalid="ignore"):
        root[:d][varies] = np.ldexp(V[first:], -exponents[:-1, None])
        centre[varies] = np.ldexp(shifts[:-1], exponents[:-1])
        root[d:] = offset @ V
        norm = float(np.ldexp(math.sqrt(squares), exponents[-1]))
    return Solution(
        coef,
        intercept,
        coef_bound,
        intercept_bound,
        rank,
        condition,
        norm,
        root,
        V[0] if first else np.zeros(k),
        centre,
    )


def _squared_residual(table: Table, equations: Doubled, high: Array, low: Array) -> float:
    """Return the weighted sum of the squared residuals of a solution, in the units of the table.

    It is the squared length of the target minus that of its projection. Where these agree in many
    digits, the residuals themselves are added up.
    """
    k = len(high)
    main, lost = two_product(equations.high[:k, k], -high)
    rest = equations.low[:k, k] @ high + equations.high[:k, k] @ low
    whole = float(equations.high[k, k])
    squares = math.fsum([whole, equations.low[k, k], *main, *lost, -rest])
    if squares > CANCELLATION_TOL * whole:
        return squares
    solution, total = np.append(-high, 1.0), 0.0
    for rows, weights in table.blocks():
        residuals = solution @ rows - low @ rows[:-1]
        squared = residuals**2
        total += float(squared.sum() if weights is None else weights @ squared)
    return total


class Table(NamedTuple):
    """Features and target, scaled and shifted, to be had in blocks of samples.

    Column v enters as v / 2**exponent - shift, with entries of about 1: overflow and underflow are
    then out of the way, and powers of two change no digit.
    """

    points: Array
    target: Array
    weights: Array | None
    exponents: NDArray[np.intc]
    shifts: Array
    intercept: bool

    def blocks(self) -> Iterator[tuple[Array, Array | None]]:
        """Yield the table, transposed, and the weights for some samples at a time.

        A block fits into the cache, and nothing as large as the data is ever copied.
        """
        first = int(self.intercept)
        scale, shifted = np.ldexp(1.0, -self.exponents)[:, None], bool(self.shifts.any())
        for start in range(0, len(self.points), BLOCK):
            block = slice(start, start + BLOCK)
            target = self.target[block]
            rows = np.empty((first + len(self.shifts), len(target)))
            rows[:first] = 1.0
            np.multiply(self.points[block].T, scale[:-1], out=rows[first:-1])
            np.multiply(target, scale[-1], out=rows[-1])
            if shifted:
                rows[first:] -= self.shifts[:, None]
            yield rows, None if self.weights is None else self.weights[block]


def _extremes(points: Array) -> tuple[Array, Array]:
    """Return the smallest and the largest entry of each column."""
    n, d = points.shape
    folded = n - n % FOLD
    if folded and points.flags.c_contiguous:
        # NumPy compares long rows faster than short ones.
        wide = points[:folded].reshape(-1, FOLD * d)
        both = np.stack([wide.min(axis=0), wide.max(axis=0)]).reshape(-1, d)
        points = np.concatenate([both, points[folded:]])
    return points.min(axis=0), points.max(axis=0)


def _centred_table(
    points: Array, target: Array, weights: Array | None, intercept: bool
) -> tuple[Table, NDArray[np.bool_]]:
    """Return the table of the features that vary, and which these are.

    A feature that does not vary has weight 0 in the shortest solution. A column is shifted by its
    mean only if all its entries lie within a third of it: then no entry is more than twice or less
    than half the mean, and the difference of such floats is exact (Sterbenz). Where the mean is not
    that large, the column of ones alone makes up for it.
    """
    smallest, largest = _extremes(points)
    smallest, largest = np.append(smallest, target.min()), np.append(largest, target.max())
    # Halves, because a difference may overflow.
    spread = np.maximum(largest / 2, -smallest / 2)
    shifts = np.zeros(len(spread))
    if intercept:
        n = len(points)
        share = distribution(weights, n)
        means = np.append(share @ points, share @ target)
        # The rounded mean of equal numbers may differ from them.
        means = np.where(smallest == largest, smallest, means)
        around = np.maximum(largest / 2 - means / 2, means / 2 - smallest / 2)
        exact = np.abs(means) / 6 >= around  # six times the latter may overflow
        shifts, spread = np.where(exact, means, 0.0), np.where(exact, around, spread)
    exponents = np.maximum(np.frexp(spread)[1] + 1, -1000)
    varies = spread[:-1] > 0
    if not varies.all():
        points = points[:, varies]
    kept = np.append(varies, True)
    shifts = np.ldexp(shifts, -exponents)[kept]
    return Table(points, target, weights, exponents[kept], shifts, intercept), varies


def normal_equations(table: Table, bits: float) -> Doubled:
    """Return the (weighted) inner products of all columns of the table.

    Their errors are smaller than those of ordinary arithmetic by at least ``bits`` bits.
    """
    total: Doubled | None = None
    for A, weights in table.blocks():
        pieces = max(1, math.ceil(bits / piece_bits(A.shape[1])))
        G = gram(A, pieces) if weights is None else product(A, *two_product(A, weights), pieces)
        total = G if total is None else add(total, G)
    assert total is not None
    return total


def _triangle(table: Table, equations: Doubled, first: int) -> tuple[Array, Array, Array]:
    """Return R and z of a QR factorisation, and the singular values of R without the intercept.

    Least squares is then least squares of Rx = z. Cholesky's factor of the normal equations is the
    same R, and faster; but it loses twice the digits, so it must do only while these are few.
    """
    k = len(equations.high) - 1
    try:
        R: Array = np.asarray(np.linalg.cholesky(equations.high[:k, :k])).T
        singular = singular_values(R[first:, first:])
        if not len(singular) or singular[0] <= 1e4 * singular[-1]:
            return R, np.asarray(np.linalg.solve(R.T, equations.high[:k, k])), singular
    except np.linalg.LinAlgError:
        pass
    factor: Array = np.empty((0, k + 1))
    for rows, weights in table.blocks():
        columns = (rows if weights is None else rows * np.sqrt(weights)).T
        factor = np.asarray(np.linalg.qr(np.vstack([factor, columns]), mode="r"))
    R = factor[:k, :k]
    return R, factor[:k, k], singular_values(R[first:, first:])


def singular_values(A: Array) -> Array:
    return np.asarray(np.linalg.svd(A, compute_uv=False))


def _refined(equations: Doubled, V: Array, x: Array, bits: float) -> tuple[Array, Array, float]:
    """Refine a solution of the normal equations Gx = c.

    Returns the solution as ``high + low`` and a bound on the norm of (VᵀGV)⁻¹Vᵀ(c - Gx).
    """
    k = len(x)
    c = Doubled(*(part[:k, k] for part in equations))
    G = Doubled(*(part[:k, :k] for part in equations))
    size_V = np.abs(V)
    best, high, low = math.inf, x, np.zeros(k)
    answer = high, low
    for _ in range(20):
        g, error = _residual(G, c, high, low)
        step = V.T @ g
        noise = size_V.T @ (error + (k + 4) * UNIT_ROUNDOFF * np.abs(g))
        length = float(np.linalg.norm(np.abs(step) + noise))
        if not length < best / 2:
            break
        best, answer = length, (high, low)
        if np.linalg.norm(step) <= np.linalg.norm(noise):
            break
        high, lost = two_sum(high, V @ step)
        high, low = two_sum(high, low + lost)
    delta = _distance_from_identity(G, V, math.ceil(bits / piece_bits(k)) if bits > 40 else 0)
    return *answer, 1.01 * best / (1 - delta) if delta < 0.9 else math.inf


def _residual(G: Doubled, c: Doubled, high: Array, low: Array) -> tuple[Array, Array]:
    """Return ``c - G (high + low)`` rounded, and a bound on its error.

    Each entry is the correctly rounded sum of c, of the products of the high parts, and of what is
    smaller by a roundoff: what their rounding lost and everything with a low part, which ordinary
    arithmetic may add up.
    """
    k = len(high)
    main, lost = two_product(G.high, -high)
    rest = c.low + lost.sum(axis=1) - (G.low @ (high + low) + G.high @ low)
    terms = np.concatenate([c.high[:, None], rest[:, None], main], axis=1)
    g = np.array([math.fsum(row) for row in terms.tolist()])
    size, size_low = np.abs(high) + np.abs(low), np.abs(low)
    smaller = np.abs(G.low) @ size + np.abs(G.high) @ size_low + np.abs(c.low)
    rounded = (k + 4) * (smaller + np.abs(lost).sum(axis=1))
    return g, 1.01 * (c.error + G.error @ size + UNIT_ROUNDOFF * (rounded + np.abs(g))) + 1e-300


def _distance_from_identity(G: Doubled, V: Array, pieces: int) -> float:
    """Return a bound on the norm of VᵀGV - I, without doubled precision if ``pieces`` is 0."""
    k = len(V)
    W = np.ascontiguousarray(V.T)
    size_V = np.abs(V)
    if pieces:
        GV = product(G.high, W, None, pieces)
        VGV = product(W, np.ascontiguousarray(GV.high.T), None, pieces)
        rest = W @ (GV.low + G.low @ V)
        size = np.abs(GV.low) + np.abs(G.low) @ size_V
        error = VGV.error + size_V.T @ (GV.error + G.error @ size_V)
        error += (2 * k + 8) * UNIT_ROUNDOFF * (size_V.T @ size)
        difference = (VGV.high - np.eye(k)) + (VGV.low + rest)
        error += 4 * UNIT_ROUNDOFF * (np.abs(difference) + np.abs(VGV.low) + np.abs(rest) + 1)
    else:
        difference = W @ (G.high @ V) - np.eye(k)
        known = np.abs(G.low) + G.error
        error = size_V.T @ ((known + (2 * k + 8) * UNIT_ROUNDOFF * np.abs(G.high)) @ size_V)
        error += 4 * UNIT_ROUNDOFF * (np.abs(difference) + 1)
    # For a symmetric matrix the largest row sum of absolute values bounds the norm.
    return float(1.01 * (np.abs(difference) + error).sum(axis=1).max())


def _shortest(R: Array, z: Array, first: int, rank: int, stretch: Array) -> Array:
    """Return the least-squares solution of Rx = z for which ``stretch * x`` is shortest.

    All but the ``rank`` largest singular values count as zero. If ``first`` is 1, the first unknown
    is the intercept and does not count for the length.
    """
    left, singular, right = np.linalg.svd(R[first:, first:])
    x = right[:rank].T @ ((left[:, :rank].T @ z[first:]) / singular[:rank])
    null = np.linalg.qr(stretch[:, None] * right[rank:].T)[0]
    stretched = stretch * x
    x = (stretched - null @ (null.T @ stretched)) / stretch
    return np.append((z[:first] - R[:first, first:] @ x) / R[:first, 0], x)
