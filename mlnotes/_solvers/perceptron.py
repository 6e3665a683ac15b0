"""The search for the next mistake, exact in its signs, and the nearest point of a hull.

A matrix product decides for a block of points at once; where rounding could change a sign it is
computed in integers.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from mlnotes._numerics import ROUNDOFF, exponent_of, norm
from mlnotes.validation import Array


def scaled_rows(points: Array, signs: Array, fit_intercept: bool) -> tuple[Array, int]:
    """Return the rows y·x, with y appended for an offset, over a power of two; and its exponent.

    Multiplying all points by one number changes no prediction of the perceptron, and by a power of
    two not even a rounding. No entry is then above 1: products keep away from overflow.
    """
    n, d = points.shape
    largest = max(points.max(), -points.min(), float(fit_intercept))
    exponent = max(exponent_of(largest), -1000)
    factors = np.ldexp(signs, -exponent)
    Z = np.empty((n, d + int(fit_intercept)))
    np.multiply(points, factors[:, None], out=Z[:, :d])
    if fit_intercept:
        Z[:, d] = factors
    return Z, exponent


def is_mistake(z: Array, theta: Array) -> bool:
    """Decide exactly whether the inner product of two vectors of floats is at most zero."""
    z_digits, z_exponents = np.frexp(z)
    theta_digits, theta_exponents = np.frexp(theta)
    exponents = z_exponents + theta_exponents
    shifts = (exponents - exponents.min()).tolist()
    a = np.ldexp(z_digits, 53).astype(np.int64).tolist()
    b = np.ldexp(theta_digits, 53).astype(np.int64).tolist()
    total = sum((p * q) << shift for p, q, shift in zip(a, b, shifts, strict=True))
    return bool(total <= 0)


def mistakes(Z: Array, theta: Array, rate: float, max_visits: int) -> Iterator[int]:
    r"""Cycle through the signed points :math:`z_i=y_ix_i`, updating ``theta`` on every mistake.

    Yields the number of the visit (from 0) at which each mistake was made; the point is that number
    modulo ``len(Z)``. Ends after ``len(Z)`` visits in a row without a mistake. No entry of ``Z``
    may exceed 1.

    The points are visited one after the other, as in the textbook; only the search for the next
    mistake looks at a block of them with one matrix product. Such a product may differ from the
    true inner product by its rounding error, and so differ between machines. For any order of
    summation that error is at most :math:`\gamma_d\sum_j|z_j\theta_j|\le\gamma_d\lVert z\rVert_1
    \lVert\theta\rVert_\infty` with :math:`\gamma_d=du/(1-du)`. The product therefore decides only
    where it exceeds the error; closer to zero the sign is computed in exact integer arithmetic. The
    sequence of mistakes is thus a function of the data alone.
    """
    n, d = Z.shape
    # eps = 2u leaves a factor of two for the rounding of the bound itself. The floors 1e-150 here
    # and 1e-100 below keep it above the digits that a product may lose to underflow.
    lengths = np.sqrt(np.einsum("ij,ij->i", Z, Z))
    slack = (d + 2) * ROUNDOFF * np.maximum(np.sqrt(d) * lengths, 1e-150)
    widest = float(slack.max())
    # An upper bound of the largest entry of theta: a correction adds at most the rate.
    size = max(float(np.abs(theta).max()), 1e-100)
    visit, clean, block = 0, 0, 16
    while clean < n and visit < max_visits:
        start = visit % n
        rows = Z[start : start + block]
        margins = rows @ theta  # (block, d) @ (d,)
        suspect = margins <= widest * size
        k = int(suspect.argmax())
        if not suspect[k]:
            clean += len(rows)
            visit += len(rows)
            block *= 2
            continue
        margin, error = margins[k], slack[start + k] * size
        if margin < -error or (margin <= error and is_mistake(rows[k], theta)):
            theta += rate * rows[k]
            size += rate
            yield visit + k
            clean = 0
            block = 2 * k + 16
        else:
            clean += k + 1
        visit += k + 1


def nearest_in_hull(Z: Array, weights: Array) -> Array:
    """Return the point nearest to 0 in the convex hull of the rows, from a guess of its weights.

    The guess comes from normal equations, which lose half of the digits: a short normal is then all
    noise. Wolfe's algorithm goes on from there with orthogonal projections.
    """
    tiny = 4 * Z.shape[1] * ROUNDOFF
    weights = weights / weights.sum()
    for _ in range(10 * sum(Z.shape)):
        active = np.flatnonzero(weights)
        normal, best = _nearest_in_plane(Z[active])
        if (best <= 0).any():
            # Walk towards it until the first weight vanishes.
            old = weights[active]
            steps = np.full(len(old), np.inf)
            np.divide(old, old - best, out=steps, where=best <= 0)
            weights[active] = old + steps.min() * (best - old)
            weights[active[steps.argmin()]] = 0
            continue
        weights[active] = best
        products = Z @ normal
        lowest = int(products.argmin())
        if products[lowest] >= normal @ normal - tiny * norm(normal) or weights[lowest]:
            break
        # A small weight lets it in; the next projection finds the right one.
        weights[lowest] = tiny
    return normal


def _nearest_in_plane(points: Array) -> tuple[Array, Array]:
    """Return the point nearest to 0 in the plane through some points, and its weights there."""
    first, others = points[0], points[1:] - points[0]
    if not len(others):
        return first, np.ones(1)
    # A second projection removes what rounding left of the first.
    share = np.linalg.lstsq(others.T, -first, rcond=None)[0]
    normal = first + share @ others
    again = np.linalg.lstsq(others.T, -normal, rcond=None)[0]
    share = share + again
    return normal + again @ others, np.append(1 - share.sum(), share)
