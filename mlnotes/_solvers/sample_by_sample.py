r"""Solvers of the linear support vector machine that look at one sample at a time.

The rows of ``Z`` are the signed points :math:`z_i=y_ix_i`, with the label as last entry where the
offset is a weight like the others. Then :math:`\theta=\sum_i\alpha_iz_i`, and the multipliers only
have to stay in their box. Every loop exists twice with the same arithmetic: over entries, to be
compiled, and over rows, which is faster where nothing is.
"""

from __future__ import annotations

import functools
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
    """Multipliers, weights, the relative gap each time it was computed, and passes made.

    A pass is as many visits as there are samples.
    """

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
    visits, agreement = 0, 0.1
    while True:
        left = max_passes * n - visits
        done, seed = ascend(Z, squares, C, alpha, theta, order, agreement, left, seed)
        visits += done
        np.matmul(alpha, Z, out=theta)
        gaps.append(_relative_gap(Z, theta, alpha, C))
        if gaps[-1] <= tol or visits >= max_passes * n:
            return Passes(alpha, theta, gaps, min(-(-visits // n), max_passes))
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
    max_visits: int,
    seed: int,
) -> tuple[int, int]:
    """Make passes until the derivatives agree; return the visits and the state of the shuffle."""
    n, d = Z.shape
    active, visits = n, 0
    above, below = np.inf, -np.inf
    while visits < max_visits:
        whole = active == n
        highest, lowest = -np.inf, np.inf
        for k in range(active - 1):
            seed = (MULTIPLIER * seed + INCREMENT) & (2**BITS - 1)
            other = k + ((seed * (active - k)) >> BITS)
            order[k], order[other] = order[other], order[k]
        visits += active
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
                break
            active, above, below = n, np.inf, -np.inf
        else:
            above = highest if highest > 0.0 else np.inf
            below = lowest if lowest < 0.0 else -np.inf
    return visits, seed


def _ascend_by_rows(
    Z: Array,
    squares: Array,
    C: float,
    alpha: Array,
    theta: Array,
    order: Indices,
    agreement: float,
    max_visits: int,
    seed: int,
) -> tuple[int, int]:
    """Do the same where loops are not compiled."""
    n = len(Z)
    active, visits = n, 0
    above, below = np.inf, -np.inf
    while visits < max_visits:
        whole = active == n
        highest, lowest = -np.inf, np.inf
        waiting = order.tolist()
        seed = _shuffle(waiting, active, seed)
        visits += active
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
                break
            active, above, below = n, np.inf, -np.inf
        else:
            above = highest if highest > 0 else np.inf
            below = lowest if lowest < 0 else -np.inf
    return visits, seed


def descend_subgradients(
    Z: Array, C: float, tol: float, max_passes: int, rng: np.random.Generator
) -> Passes:
    r"""Run stochastic subgradient descent with the rate :math:`Cn/t` until the gap is closed.

    The weights are :math:`\frac{Cn}t` times the ``total`` of the :math:`z_i` whose margin was below
    1 when they were visited (``lem-svm-visit``), and the multipliers as often as each was. So the
    weights are those of the multipliers, and the gap needs the margins only.
    """
    n, d = Z.shape
    counts, total, order = np.zeros(n), np.zeros(d), np.arange(n)
    seed = int(rng.integers(2**BITS))
    descend = _descend_by_loops if compiles() else _descend_by_rows
    gaps: list[float] = []
    while len(gaps) < max_passes and not (gaps and gaps[-1] <= tol):
        part = np.empty(min(1000, max_passes - len(gaps)))
        done, seed = descend(Z, C, tol, counts, total, order, len(gaps), part, seed)
        gaps += part[:done].tolist()
    rate = C / len(gaps)
    return Passes(np.minimum(rate * counts, C), rate * total, gaps, len(gaps))


@compiled(reassociate=True)
def _descend_by_loops(
    Z: Array,
    C: float,
    tol: float,
    counts: Array,
    total: Array,
    order: Indices,
    before: int,
    gaps: Array,
    seed: int,
) -> tuple[int, int]:
    """Make passes, after some before, until the gap is closed; return how many, and the seed."""
    n, d = Z.shape
    visits = before * n
    for done in range(len(gaps)):
        for k in range(n - 1):
            seed = (MULTIPLIER * seed + INCREMENT) & (2**BITS - 1)
            other = k + ((seed * (n - k)) >> BITS)
            order[k], order[other] = order[other], order[k]
        for i in order:
            margin = 0.0
            for j in range(d):
                margin += Z[i, j] * total[j]
            # The weights are C n / visits * total, and zero before the first visit. Adding nothing
            # takes less time than guessing wrongly whether there is something to add.
            once = 1.0 if C * n * margin < visits or visits == 0 else 0.0
            for j in range(d):
                total[j] += once * Z[i, j]
            counts[i] += once
            visits += 1
        rate = C / (before + done + 1)
        square, slack, mass = 0.0, 0.0, 0.0
        for j in range(d):
            square += rate * total[j] * rate * total[j]
        for i in range(n):
            margin = 0.0
            for j in range(d):
                margin += Z[i, j] * total[j]
            slack += max(1.0 - rate * margin, 0.0)
            mass += counts[i]
        primal = 0.5 * square + C * slack
        gaps[done] = (primal + 0.5 * square - rate * mass) / primal
        if gaps[done] <= tol:
            return done + 1, seed
    return len(gaps), seed


def _descend_by_rows(
    Z: Array,
    C: float,
    tol: float,
    counts: Array,
    total: Array,
    order: Indices,
    before: int,
    gaps: Array,
    seed: int,
) -> tuple[int, int]:
    """Do the same where loops are not compiled."""
    n, rows = len(Z), list(Z)
    visits = before * n
    for done in range(len(gaps)):
        waiting = order.tolist()
        seed = _shuffle(waiting, n, seed)
        order[:] = waiting
        for i in waiting:
            if C * n * float(rows[i] @ total) < visits or visits == 0:
                total += rows[i]
                counts[i] += 1
            visits += 1
        rate = C / (before + done + 1)
        theta = rate * total
        square = float(theta @ theta)
        primal = 0.5 * square + C * float(hinge(Z @ theta).sum())
        gaps[done] = (primal + 0.5 * square - rate * float(counts.sum())) / primal
        if gaps[done] <= tol:
            return done + 1, seed
    return len(gaps), seed


def _shuffle(waiting: list[int], active: int, seed: int) -> int:
    """Bring the first ``active`` entries into a random order, as the compiled loops do."""
    factors, terms = (part[: max(active - 1, 0)] for part in _leaps(len(waiting)))
    seeds, k = (factors * seed + terms) & (2**BITS - 1), np.arange(len(factors))
    for place, other in enumerate((k + ((seeds * (active - k)) >> BITS)).tolist()):
        waiting[place], waiting[other] = waiting[other], waiting[place]
    return int(seeds[-1]) if len(seeds) else seed


@functools.lru_cache(maxsize=4)
def _leaps(count: int) -> tuple[Indices, Indices]:
    """Return a and b for which the seed is a[k]·seed + b[k] after k + 1 steps of the generator."""
    factors, terms = [MULTIPLIER], [INCREMENT]
    for _ in range(count - 1):
        factors.append(MULTIPLIER * factors[-1] & (2**BITS - 1))
        terms.append((MULTIPLIER * terms[-1] + INCREMENT) & (2**BITS - 1))
    return np.array(factors, dtype=np.int64), np.array(terms, dtype=np.int64)
