"""Numerical rules that every method follows: scaling, lengths, sums of exponentials, constants.

Each of them is written once, here, with its constant: a column is constant for all estimators or
for none, and what is safe against overflow in one chapter is safe in all.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlnotes.validation import Array

ROUNDOFF = float(np.finfo(np.float64).eps)

# Of a column that does not vary, rounding leaves a few units in the last place around the mean.
CONSTANT = 16 * ROUNDOFF

# Entries of a block: 128 KB, which stay in cache and which the C library allocates without asking
# the system.
BLOCK = 15_000
# Entries of a block whose product with itself is computed, which long rows make quicker: 2 MB.
GRAM_BLOCK = 250_000


def is_constant(spread: ArrayLike, size: ArrayLike) -> NDArray[np.bool_]:
    """Decide which columns vary by no more than rounding does around their mean.

    Parameters
    ----------
    spread : array-like
        The largest deviation of each column from its mean (or of each column's standard deviation).
    size : array-like
        The largest entry of each column, or its mean, in absolute value.

    Returns
    -------
    ndarray of bool
        True also where a column is zero.
    """
    return np.asarray(np.asarray(spread) <= CONSTANT * np.abs(size))


def exponent_of(*values: ArrayLike) -> int:
    """Return the exponent e with the largest absolute value in [2**(e-1), 2**e); 0 for zeros.

    Divided by ``2.0**e`` no entry is above 1, and no digit has changed.
    """
    largest = 0.0
    for value in values:
        array = np.asarray(value, dtype=np.float64)
        if array.size:
            largest = max(largest, float(array.max()), -float(array.min()))
    return int(np.frexp(largest)[1])


def scale_by_power_of_two(
    values: Array, *, least_exponent: int = -1074, out: Array | None = None
) -> tuple[Array, int]:
    """Return values over a power of two, the largest between 1/2 and 1, and its exponent.

    Sums and squares do not overflow then, and no digit changes but of entries that are negligible.

    Parameters
    ----------
    values : ndarray
        Finite numbers.
    least_exponent : int
        The least exponent to divide by: -1000 leaves subnormal numbers some room.
    out : ndarray, optional
        Where to put the result, ``values`` itself if it is not needed any more.

    Returns
    -------
    scaled : ndarray
        ``values`` is ``scaled * 2.0**exponent``.
    exponent : int
        From -1074 to 1024.
    """
    exponent = max(exponent_of(values), least_exponent)
    if abs(exponent) > 1000:  # the power of two itself may overflow or lose digits
        return np.ldexp(values, -exponent, out=out), exponent
    return np.multiply(values, 2.0**-exponent, out=out), exponent


def norm(v: Array) -> float:
    """Return the Euclidean length of a vector whose squares may overflow or underflow."""
    largest = float(np.abs(v).max(initial=0.0))
    return largest * float(np.sqrt(np.sum((v / largest) ** 2))) if largest > 0 else 0.0


def row_norms(X: Array) -> Array:
    """Return the Euclidean length of every row, whose squares may overflow or underflow."""
    largest = np.abs(X).max(axis=1, initial=0.0)
    safe = np.where(largest > 0, largest, 1.0)
    return np.asarray(largest * np.sqrt(np.sum((X / safe[:, None]) ** 2, axis=1)))


def weighted_mean(X: Array, weights: Array | None = None) -> Array:
    """Return the mean of the rows, accurate to a few units of rounding whatever their offset.

    The deviations from a first mean are averaged once more: what remains of the error of the first
    is its square. Columns whose sum overflows are averaged term by term.
    """
    shares = distribution(weights, len(X))
    mean = shares @ X
    rest = np.zeros_like(mean)
    for rows in blocks(*X.shape):
        rest += shares[rows] @ (X[rows] - mean)
    return np.asarray(mean + rest)


def distribution(weights: Array | None, n: int) -> Array:
    """Return the weights of ``n`` samples over their sum; equal weights if there are none."""
    if weights is None:
        return np.full(n, 1 / n)
    scaled = scale_by_power_of_two(weights)[0]
    return np.asarray(scaled / scaled.sum())


def numerical_rank(singular_values: Array, size: float) -> int:
    """Return how many singular values are not zero up to rounding.

    ``size`` is the greater number of rows and columns of the matrix.
    """
    least = size * ROUNDOFF * singular_values.max(initial=0.0)
    return int(np.count_nonzero(singular_values > least))


def coefficient_of_determination(
    truth: Array, predicted: Array, weights: Array | None = None
) -> float:
    """Return 1 - Σ(y - ŷ)² / Σ(y - ȳ)², whatever the unit of the targets and weights.

    Of targets that are constant up to rounding it is 1 if every prediction is exact, up to
    rounding as well, and 0 otherwise.
    """
    # In a unit of their size, in which no square overflows; a power of two changes no digit.
    unit = exponent_of(truth, predicted)
    truth, predicted = np.ldexp(truth, -unit), np.ldexp(predicted, -unit)
    if weights is not None:
        counted = weights > 0
        truth, predicted, weights = truth[counted], predicted[counted], weights[counted]
        weights = scale_by_power_of_two(weights)[0]
    deviation, residual = truth - np.average(truth, weights=weights), truth - predicted
    size = np.abs(truth).max()
    if is_constant(np.abs(deviation).max(), size):
        return float(is_constant(np.abs(residual).max(), size))
    total = np.average(deviation**2, weights=weights)
    return float(1 - np.average(residual**2, weights=weights) / total)


def shifted_exponentials(
    values: Array, axis: int = -1, *, out: Array | None = None
) -> tuple[Array, Array, Array]:
    """Return exp(values - largest) along an axis, the largest values, and the sums; no overflow.

    The sum is at least 1, and the logarithm of the sum of exponentials is ``largest + log(sum)``.
    Where every entry is minus infinity the largest is taken to be 0, and the sum is 0. Both keep
    the axis, with length 1. ``out``, which may be ``values``, receives the exponentials.
    """
    largest = values.max(axis=axis, keepdims=True)
    if np.isneginf(largest).any():
        largest = np.where(np.isneginf(largest), 0.0, largest)
    exponentials = np.subtract(values, largest, out=out)
    np.exp(exponentials, out=exponentials)
    return exponentials, largest, exponentials.sum(axis=axis, keepdims=True)


def log_sum_exp(values: Array, axis: int = -1, *, keepdims: bool = False) -> Array:
    """Return the logarithm of the sum of exponentials along an axis, without overflow.

    Where every entry is minus infinity so is the result.
    """
    _, largest, total = shifted_exponentials(values, axis)
    with np.errstate(divide="ignore"):
        result = largest + np.log(total)
    return np.asarray(result if keepdims else np.squeeze(result, axis=axis))


def softmax(values: Array, axis: int = -1) -> Array:
    """Return exponentials over their sum along an axis, without overflow."""
    exponentials, _, total = shifted_exponentials(values, axis)
    exponentials /= total
    return exponentials


def log_softmax(values: Array, axis: int = -1) -> Array:
    """Return the logarithms of :func:`softmax`, finite where the probabilities underflow."""
    _, largest, total = shifted_exponentials(values, axis)
    return np.asarray(values - largest - np.log(total))


def thin_svd(X: Array) -> tuple[Array, Array, Array]:
    """Return U, the singular values that are not zero up to rounding, and V."""
    U, gamma, Vt = np.linalg.svd(X, full_matrices=False)
    rank = numerical_rank(gamma, max(X.shape))
    return U[:, :rank], gamma[:rank], Vt[:rank].T


def blocks(n: int, width: int, *, least: int = 256) -> Iterator[slice]:
    """Yield slices of ``n`` samples of ``width`` numbers each, in blocks that stay in cache."""
    size = max(least, BLOCK // max(width, 1))
    for first in range(0, n, size):
        yield slice(first, min(first + size, n))


def weighted_gram(rows: Array, weights: Array) -> Array:
    """Return the sum of ``w x xᵀ`` over the samples, which are the columns of ``rows``.

    The weights are not negative: their roots make it the product of a matrix with its own
    transpose, of which half need be computed.
    """
    total = np.zeros((len(rows), len(rows)))
    roots = np.sqrt(weights)
    for block in blocks(rows.shape[1], len(rows), least=GRAM_BLOCK // len(rows)):
        part = rows[:, block] * roots[block]
        total += part @ part.T
    return total


def separating_direction(Z: Array, *, strictly: bool) -> Array | None:
    """Find a vector whose inner products with the rows are all at least zero, by linear programme.

    The signed points ``z = y x`` are the rows, and the vector has entries in [-1, 1].

    Parameters
    ----------
    Z : ndarray of shape (n, d)
        Signed points, with the label as last entry if there is an offset.
    strictly : bool
        Whether to make the least product as large as possible; otherwise their sum, where some may
        stay zero. Products below about 1e-9 of the largest entry may be overlooked.

    Returns
    -------
    ndarray of shape (d,) or None
        With ``strictly`` the best vector found, to be checked; otherwise None unless some product
        is positive.
    """
    from scipy.optimize import linprog

    n, d = Z.shape
    if strictly:
        cost, rows = np.append(np.zeros(d), -1.0), np.column_stack([-Z, np.ones(n)])
    else:
        scaled = Z / np.maximum(np.abs(Z).max(axis=1, keepdims=True), 1e-300)
        cost, rows = -scaled.sum(axis=0), -scaled
    found = linprog(
        cost,
        A_ub=rows,
        b_ub=np.zeros(n),
        bounds=[(-1, 1)] * d + [(None, None)] * strictly,
        method="highs",
        options={"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10},
    )
    if strictly:
        return np.asarray(found.x[:d])
    return np.asarray(found.x) if -found.fun > 1e-7 else None
