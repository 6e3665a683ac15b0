"""Matrix products in doubled precision, each with a bound on its error that always holds.

A number too long for one float is carried as an unevaluated sum ``high + low``. Nothing here needs
a float wider than 64 bits. The unit roundoff is written u = 2**-53.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

UNIT_ROUNDOFF = 2.0**-53


class Doubled(NamedTuple):
    """An array known as ``high + low`` up to ``error``, entry by entry."""

    high: Array
    low: Array
    error: Array


def two_sum(a: Array, b: Array) -> tuple[Array, Array]:
    """Return the rounded sum and what the rounding lost: together they are ``a + b`` exactly."""
    total = a + b
    part = total - a
    return total, (a - (total - part)) + (b - part)


def add(A: Doubled, B: Doubled) -> Doubled:
    """Return the sum, with the bounds on the errors of both and of its own two roundings."""
    high, lost = two_sum(A.high, B.high)
    low = A.low + B.low
    rounded = UNIT_ROUNDOFF * (np.abs(low) + np.abs(low + lost))
    high, low = two_sum(high, low + lost)
    return Doubled(high, low, 1.01 * (A.error + B.error + rounded))


def _halves(a: Array) -> tuple[Array, Array]:
    """Split floats into two of at most 26 bits each."""
    scaled = 134217729.0 * a  # 2**27 + 1
    high = scaled - (scaled - a)
    return high, a - high


def two_product(a: Array, b: Array) -> tuple[Array, Array]:
    """Return the rounded product and what the rounding lost: together they are ``a * b`` exactly.

    The arguments must be of moderate size: nothing may overflow or underflow.
    """
    product = a * b
    a_high, a_low = _halves(a)
    b_high, b_low = _halves(b)
    lost = a_low * b_low - (((product - a_high * b_high) - a_low * b_high) - a_high * b_low)
    return product, lost


def piece_bits(N: int) -> int:
    """Return the greatest b for which N products of two b-bit numbers add up without rounding."""
    return (53 - math.ceil(math.log2(N))) // 2


def _cut(A: Array, top: Array | float, pieces: int) -> tuple[Array, Array]:
    """Cut every entry into ``pieces`` numbers of few bits, and a rest.

    With b = ``piece_bits``, piece k consists of multiples of top * 2**(-k*b), where ``top`` is a
    power of two not below the row: adding a constant of the right size rounds to such a multiple,
    subtracting it again is exact. Returns the pieces, one below the other, and the rest.
    """
    N = A.shape[1]
    cut = np.empty((pieces, *A.shape))
    rest = A
    for k in range(pieces):
        constant = top * (0.75 * 2.0 ** (53 - (k + 1) * piece_bits(N)))
        np.add(rest, constant, out=cut[k])
        cut[k] -= constant
        rest = np.subtract(rest, cut[k], out=None if k == 0 else rest)
    return cut.reshape(-1, N), rest


def _top(A: Array) -> Array:
    """Return for each row the power of two just above its entries."""
    largest = np.maximum(A.max(axis=1), -A.min(axis=1))
    return np.asarray(np.ldexp(1.0, np.frexp(largest)[1]))


def _gathered(blocks: Array, rest: Array) -> tuple[Array, Array, Array]:
    """Return the sum of exact blocks and a rest as ``high + low``, and a bound on its error / u."""
    pieces = len(blocks)
    high, low = blocks[0, :, 0], rest
    size = np.abs(rest)
    for order in range(1, 2 * pieces - 1):
        for i in range(max(0, order - pieces + 1), min(order, pieces - 1) + 1):
            high, lost = two_sum(high, blocks[i, :, order - i])
            low = low + lost
            size += np.abs(lost)
    return *two_sum(high, low), (pieces**2 + 2) * size


def product(A: Array, B: Array, B_low: Array | None, pieces: int) -> Doubled:
    r"""Return :math:`AB^\top`, of which ordinary arithmetic only computes a small part.

    With rows of length N, pieces of b bits have products of 2b bits; N of them add up without any
    rounding, in whatever order, as long as :math:`N2^{2b}\le2^{53}`. So the product of the pieces
    of A with the pieces of B is one ordinary matrix product that commits no error at all. What is
    left are products with a rest, smaller by :math:`2^{-b\cdot\text{pieces}}`, whose rounding
    errors are smaller by as much.

    Parameters
    ----------
    A : ndarray of shape (m, N)
        With entries of moderate size.
    B : ndarray of shape (k, N)
        Likewise.
    B_low : ndarray of shape (k, N), or None
        Digits of B below the last one: the factor is ``B + B_low``, with ``B_low`` at most u in
        relation to B.
    pieces : int
        How many pieces to cut each entry into, at least 1.

    Returns
    -------
    Doubled
        :math:`AB^\top` with its error bound.

    Notes
    -----
    The bound. Write A = P + S and B = Q + T with the rests S and T, so that
    :math:`AB^\top=PQ^\top+SB^\top+PT^\top`. With powers of two :math:`a_i` above row i of A and
    :math:`b_j` above row j of B, the rests are at most :math:`a_i2^{-b\cdot\text{pieces}-1}` and
    :math:`b_j2^{-b\cdot\text{pieces}-1}`; low digits make the latter larger by :math:`ub_j`.

    1. :math:`PQ^\top` is a sum of blocks, each exact. Adding one to ``high`` loses what
       :func:`two_sum` returns; these losses, fewer than ``pieces**2``, and the products with a
       rest are added up in ordinary arithmetic, with an error of at most ``pieces**2 * u`` times
       the sum of their absolute values, and u times it for adding the two products with a rest.
    2. An ordinary product of rows of length N errs by at most :math:`\gamma_N=Nu/(1-Nu)` times the
       product of the absolute values, in any order of summation, fused or not. With the rounding
       of T (which takes in the low digits), of P = A - S, and the neglected ``S B_low``, together
       below 8u relative, that is below (N + 8)u times the bound on S times
       :math:`\lVert B_j\rVert_1`, and likewise with A and T.

    The factor 1.01 pays for the rounding of the bound itself and for the higher powers of u; 1e-300
    for digits lost to underflow.
    """
    m, N = A.shape
    top_A, top_B = _top(A), _top(B)
    P, S = _cut(A, top_A[:, None], pieces)
    Q, T = _cut(B, top_B[:, None], pieces)
    blocks = (P @ Q.T).reshape(pieces, m, pieces, len(B))
    rest = S @ B.T + (A - S) @ (T if B_low is None else T + B_low).T
    high, low, error = _gathered(blocks, rest)
    left = right = (N + 8) * 2.0 ** (-piece_bits(N) * pieces - 1)
    if B_low is not None:
        right += (N + 8) * UNIT_ROUNDOFF
    error += np.outer(left * top_A, np.abs(B).sum(axis=1))
    error += np.outer(np.abs(A).sum(axis=1), right * top_B)
    return Doubled(high, low, 1.01 * UNIT_ROUNDOFF * error + 1e-300)


def gram(A: Array, pieces: int) -> Doubled:
    r"""Return :math:`AA^\top` for a matrix with entries in [-1, 1], which is overwritten.

    This is :func:`product` for the case of two equal factors, where
    :math:`SA^\top+PS^\top=M+M^\top` with :math:`M=S(A-S/2)^\top` needs one ordinary product, and
    :math:`\lVert A_i\rVert_1\le\sqrt{N(AA^\top)_{ii}}` is known from the result.
    """
    k, N = A.shape
    P, S = _cut(A, 1.0, pieces)
    blocks = (P @ P.T).reshape(pieces, k, pieces, k)
    A -= np.multiply(S, 0.5, out=P[:k])
    half = S @ A.T
    high, low, error = _gathered(blocks, half + half.T)
    size = (N + 8) * 2.0 ** (-piece_bits(N) * pieces - 1) * np.sqrt(N * np.diag(high))
    error += size[:, None] + size
    return Doubled(high, low, 1.01 * UNIT_ROUNDOFF * error + 1e-300)
