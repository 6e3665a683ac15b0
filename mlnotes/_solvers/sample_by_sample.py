r"""Solvers of the linear support vector machine that look at one sample at a time.

The rows of ``Z`` are the signed points :math:`z_i=y_ix_i`, with the label as last entry where the
offset is a weight like the others. Then :math:`\theta=\sum_i\alpha_iz_i`, and the multipliers only
have to stay in their box. Every loop exists twice with the same arithmetic: over entries, to be
compiled, and over rows, which is faster where nothing is.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mlnotes._compiled import compiled, compiles
from mlnotes._solvers.margins import hinge
from mlnotes.validation import Array

Indices = NDArray[np.int64]

# A linear congruential generator whose products fit into 64 bits: compiled loops shuffle with it.
MULTIPLIER, INCREMENT, BITS = 1_103_515_245, 12_345, 31


class Passes(NamedTuple):
    """Multipliers, weights, the relative gap each time it was computed, and passes made."""

    alpha: Array
    theta: Array
    gaps: list[float]
    n_passes: int


def penalised_values(Z: Array, theta: Array, alpha: Array, C: float) -> tuple[float, float]:
    """Return the primal and the dual value of the machine whose offset is penalised."""
    span = alpha @ Z
    primal = 0.5 * float(theta @ theta) + C * float(hinge(Z @ theta).sum())
    return primal, float(alpha.sum()) - 0.5 * float(span @ span)


def _relative_gap(Z: Array, theta: Array, alpha: Array, C: float) -> float:
    primal, dual = penalised_values(Z, theta, alpha, C)
    return (primal - dual) / primal


def ascend_dual(
    Z: Array, C: float, tol: float, max_passes: int, rng: np.random.Generator
) -> Passes:
    """Move one multiplier at a time to the top of its parabola until the duality gap is closed.

    A multiplier at an end of the box whose derivative clearly points outwards is set aside. When
    the derivatives of the others agree, all take part again; when they all agree, the gap decides
    whether the agreement has to be closer.
    """
    n, d = Z.shape
    alpha, theta = np.zeros(n), np.zeros(d)
    squares = np.einsum("ij,ij->i", Z, Z)
    order = np.arange(n)
    seed = int(rng.integers(2**BITS))
    ascend = _ascend_by_loops if compiles() else _ascend_by_rows
    gaps: list[float] = []
    passes, agreement = 0, 0.1
    while True:
        done, seed = ascend(
            Z, squares, C, alpha, theta, order, agreement, max_passes - passes, seed
        )
        passes += done
        np.matmul(alpha, Z, out=theta)
        gaps.append(_relative_gap(Z, theta, alpha, C))
        if gaps[-1] <= tol or passes >= max_passes:
            return Passes(alpha, theta, gaps, passes)
        agreement *= 0.1


@compiled(reassociate=True)
def _ascend_by_loops(
    Z: Array,
    squares: Array,
    C: float,
    alpha: Array,
    theta: Array,
    order: Indices,
    agreement: float,
    max_passes: int,
    seed: int,
) -> tuple[int, int]:
    """Make passes until the derivatives agree; return their number and the state of the shuffle."""
    n, d = Z.shape
    active = n
    above, below = np.inf, -np.inf
    for done in range(max_passes):
        whole = active == n
        highest, lowest = -np.inf, np.inf
        for k in range(active - 1):
            seed = (MULTIPLIER * seed + INCREMENT) & (2**BITS - 1)
            other = k + ((seed * (active - k)) >> BITS)
            order[k], order[other] = order[other], order[k]
        k = 0
        while k < active:
            i = order[k]
            slope = -1.0
            for j in range(d):
                slope += Z[i, j] * theta[j]
            at_zero, at_C = alpha[i] == 0.0, alpha[i] == C
            if (at_zero and slope > above) or (at_C and slope < below):
                active -= 1
                order[k], order[active] = order[active], order[k]
                continue
            k += 1
            if (at_zero and slope > 0.0) or (at_C and slope < 0.0):
                slope = 0.0
            highest, lowest = max(highest, slope), min(lowest, slope)
            if slope != 0.0:
                old = alpha[i]
                # A point at the origin cannot reach the margin, and pays in full.
                top = old - slope / squares[i] if squares[i] > 0.0 else C
                alpha[i] = min(max(top, 0.0), C)
                change = alpha[i] - old
                for j in range(d):
                    theta[j] += change * Z[i, j]
        if highest - lowest <= agreement:
            if whole:
                return done + 1, seed
            active, above, below = n, np.inf, -np.inf
        else:
            above = highest if highest > 0.0 else np.inf
            below = lowest if lowest < 0.0 else -np.inf
    return max_passes, seed


def _ascend_by_rows(
    Z: Array,
    squares: Array,
    C: float,
    alpha: Array,
    theta: Array,
    order: Indices,
    agreement: float,
    max_passes: int,
    seed: int,
) -> tuple[int, int]:
    """Do the same where loops are not compiled."""
    n = len(Z)
    active = n
    above, below = np.inf, -np.inf
    for done in range(max_passes):
        whole = active == n
        highest, lowest = -np.inf, np.inf
        waiting = order.tolist()
        for k in range(active - 1):
            seed = (MULTIPLIER * seed + INCREMENT) & (2**BITS - 1)
            other = k + ((seed * (active - k)) >> BITS)
            waiting[k], waiting[other] = waiting[other], waiting[k]
        k = 0
        while k < active:
            i = waiting[k]
            row, old = Z[i], float(alpha[i])
            slope = float(row @ theta) - 1.0
            if (old == 0 and slope > above) or (old == C and slope < below):
                active -= 1
                waiting[k], waiting[active] = waiting[active], waiting[k]
                continue
            k += 1
            if (old == 0 and slope > 0) or (old == C and slope < 0):
                slope = 0.0
            highest, lowest = max(highest, slope), min(lowest, slope)
            if slope != 0:
                top = old - slope / float(squares[i]) if squares[i] > 0 else C
                new = min(max(top, 0.0), C)
                theta += (new - old) * row
                alpha[i] = new
        order[:] = waiting
        if highest - lowest <= agreement:
            if whole:
                return done + 1, seed
            active, above, below = n, np.inf, -np.inf
        else:
            above = highest if highest > 0 else np.inf
            below = lowest if lowest < 0 else -np.inf
    return max_passes, seed


def descend_subgradients(
    Z: Array, C: float, tol: float, max_passes: int, rng: np.random.Generator
) -> Passes:
    r"""Run stochastic subgradient descent with the rate :math:`Cn/t` until the gap is closed.

    The weights are :math:`\frac{Cn}t` times the ``total`` of the :math:`z_i` whose margin was below
    1 when they were visited (``lem-svm-visit``), and the multipliers as often as each was.
    """
    n, d = Z.shape
    counts, total = np.zeros(n), np.zeros(d)
    visit = _visit_by_loops if compiles() else _visit_by_rows
    gaps: list[float] = []
    for done in range(1, max_passes + 1):
        visit(Z, C * n, rng.permutation(n), (done - 1) * n, counts, total)
        alpha, theta = C / done * counts, C / done * total
        gaps.append(_relative_gap(Z, theta, alpha, C))
        if gaps[-1] <= tol:
            break
    return Passes(np.minimum(alpha, C), theta, gaps, len(gaps))


@compiled(reassociate=True)
def _visit_by_loops(
    Z: Array, factor: float, order: Indices, visits: int, counts: Array, total: Array
) -> None:
    """Add the samples, in this order, whose margin is below 1 when their turn comes."""
    d = len(total)
    for i in order:
        margin = 0.0
        for j in range(d):
            margin += Z[i, j] * total[j]
        # The weights are factor / visits * total, and zero before the first visit.
        if factor * margin < visits or visits == 0:
            for j in range(d):
                total[j] += Z[i, j]
            counts[i] += 1.0
        visits += 1


def _visit_by_rows(
    Z: Array, factor: float, order: Indices, visits: int, counts: Array, total: Array
) -> None:
    """Do the same where loops are not compiled."""
    for i in order.tolist():
        if factor * float(Z[i] @ total) < visits or visits == 0:
            total += Z[i]
            counts[i] += 1
        visits += 1
