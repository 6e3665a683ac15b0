"""Principal component pursuit: a table as the sum of one of low rank and a sparse one."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from mlnotes._numerics import scale_by_power_of_two
from mlnotes.validation import Array

# How often the price of the gap is changed, until when, and which quotient is far from balance.
STEPS_PER_BALANCE, MAX_BALANCED_STEPS, MAX_IMBALANCE = 10, 500, 5.0


class Split(NamedTuple):
    """The two parts, the rank of the first, and how the iteration went."""

    low_rank: Array
    sparse: Array
    rank: int
    objective: float
    n_iter: int
    converged: bool


def low_rank_plus_sparse(table: Array, price: float, max_iter: int, tol: float) -> Split:
    """Minimise the sum of singular values of L plus ``price`` times that of the entries of S."""
    scaled, exponent = scale_by_power_of_two(table)
    size = float(np.linalg.norm(scaled))
    S, Y = np.zeros_like(scaled), np.zeros_like(scaled)
    if size == 0:
        return Split(S, S, 0, 0.0, 0, True)
    mu = table.size / (4 * np.abs(scaled).sum())
    converged, n_iter = False, 0
    while n_iter < max_iter and not converged:
        n_iter += 1
        L, values = _threshold(scaled - S + Y / mu, 1 / mu)
        held = scaled - L + Y / mu
        moved = held - np.clip(held, -price / mu, price / mu)
        change, S = float(np.linalg.norm(moved - S)), moved
        gap = scaled - L - S
        Y += mu * gap
        apart = float(np.linalg.norm(gap))
        converged = max(apart, change) <= tol * size
        # Neither the gap between the parts nor their movement should be far behind the other.
        if n_iter <= MAX_BALANCED_STEPS and n_iter % STEPS_PER_BALANCE == 0:
            mu *= (
                2.0
                if apart > MAX_IMBALANCE * change
                else 0.5
                if change > MAX_IMBALANCE * apart
                else 1.0
            )
    rank = int(np.count_nonzero(values > 0))
    total = float(values.sum() + price * np.abs(S).sum())
    return Split(
        np.ldexp(L, exponent),
        np.ldexp(S, exponent),
        rank,
        float(np.ldexp(total, exponent)),
        n_iter,
        converged,
    )


def _threshold(table: Array, tau: float) -> tuple[Array, Array]:
    """Move every singular value towards zero by ``tau``; return those that are left, too."""
    if table.shape[0] < table.shape[1]:
        turned, values = _threshold(table.T, tau)
        return turned.T, values
    squares, right = np.linalg.eigh(table.T @ table)
    values = np.sqrt(np.maximum(squares, 0.0))
    kept = values > tau
    shrunk = values[kept] - tau
    part = right[:, kept]
    return (table @ (part * (shrunk / values[kept]))) @ part.T, shrunk
