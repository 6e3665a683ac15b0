r"""Sequential minimal optimisation for the dual of a support vector machine with an offset.

The dual is written in :math:`\beta_i=\alpha_iy_i`, which sum to zero and lie between ``low`` and
``high``; its gradient is the ``slope`` :math:`y-K\beta`. Beside the loop over pairs there are the
two things that make it fast: multipliers that rest at an end of the box are set aside, and those
inside are in the end solved for at once.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from mlnotes._compiled import compiled, compiles
from mlnotes._numerics import ROUNDOFF
from mlnotes._solvers.kernel_rows import WHOLE, Indices, KernelRows
from mlnotes.validation import Array

# What the compiled loop returns where no row is missing.
OUT_OF_STEPS, CONVERGED = -1, -2
# Rows of duplicate points agree; without a least curvature, beside the largest entry of the
# diagonal, the step between them would be 0/0.
MIN_CURVATURE = 1e-12


class DualState(NamedTuple):
    """Multipliers, gradient of the dual and ends of the box; the arrays are changed in place."""

    beta: Array
    slope: Array
    low: Array
    high: Array

    def at(self, active: Indices) -> DualState:
        """Return a copy of the state of fewer points."""
        return DualState(*(part[active] for part in self))

    def may_move(self) -> Indices:
        """Return the multipliers inside the box, or at an end with a slope not yet clear."""
        can_rise, can_fall = self.beta < self.high, self.beta > self.low
        rising = self.slope[can_rise].max(initial=-np.inf)
        falling = self.slope[can_fall].min(initial=np.inf)
        return np.flatnonzero(
            (can_rise & can_fall)
            | (can_rise & (self.slope > falling))
            | (can_fall & (self.slope < rising))
        )


def rounding_error(beta: Array, diagonal: Array) -> float:
    r"""Return what rounding may do to a score :math:`\sum_j\beta_jK_{ij}`.

    :math:`|K_{ij}|\le\sqrt{K_{ii}K_{jj}}`, and every product is rounded.
    """
    lengths = np.sqrt(np.maximum(diagonal, 0.0))
    return float(4 * ROUNDOFF * lengths.max() * (np.abs(beta) @ lengths))


def move_pairs(rows: KernelRows, state: DualState, tol: float, max_steps: int) -> tuple[int, bool]:
    r"""Move two multipliers at a time until no pair could gain more than ``tol`` a unit.

    The pair :math:`\beta_i+t,\beta_j-t` keeps the sum, and the dual gains
    :math:`t(f_i-f_j)-\frac12t^2\eta` with :math:`\eta=K_{ii}+K_{jj}-2K_{ij}`: most at
    :math:`t=(f_i-f_j)/\eta`, unless the box ends before (``lem-svm-two-multipliers``). The first
    index has the steepest slope of those that may rise; the second promises the greatest gain,
    :math:`(f_i-f_j)^2/2\eta`.
    """
    floor = max(MIN_CURVATURE * float(rows.diagonal.max()), 1e-300)
    tol = max(tol, rounding_error(state.beta, rows.diagonal))
    if not compiles():
        return _move_pairs_by_arrays(rows, state, floor, tol, max_steps)
    # Two copies of the slope: where a multiplier cannot rise (fall) it must not be chosen to.
    rising = np.where(state.beta < state.high, state.slope, -np.inf)
    falling = np.where(state.beta > state.low, state.slope, np.inf)
    beta, low, high = state.beta, state.low, state.high
    gains = np.empty(len(beta))
    steps = 0
    while True:
        done, reply = _move_pairs_by_loops(
            rows.cache,
            rows.slot,
            rows.diagonal,
            beta,
            low,
            high,
            rising,
            falling,
            gains,
            floor,
            tol,
            max_steps - steps,
        )
        steps += done
        if reply < 0:
            np.copyto(state.slope, np.where(np.isfinite(rising), rising, falling))
            return steps, reply == CONVERGED
        rows.fetch(reply)


@compiled()
def _move_pairs_by_loops(
    cache: Array,
    slot: Indices,
    diagonal: Array,
    beta: Array,
    low: Array,
    high: Array,
    rising: Array,
    falling: Array,
    gains: Array,
    floor: float,
    tol: float,
    max_steps: int,
) -> tuple[int, int]:
    """Move pairs until a row is missing; return the steps taken and that row, or why it ended."""
    n = len(beta)
    for steps in range(max_steps):
        i, top = 0, rising[0]
        for k in range(n):
            if rising[k] > top:
                i, top = k, rising[k]
        row = slot[i]
        if row < 0:
            return steps, i
        for k in range(n):
            difference = max(top - falling[k], 0.0)
            curvature = diagonal[i] + diagonal[k] - 2.0 * cache[row, k]
            gains[k] = difference * difference / max(curvature, floor)
        j, most = 0, gains[0]
        for k in range(n):
            if gains[k] > most:
                j, most = k, gains[k]
        difference = top - falling[j]
        if difference <= tol:
            lowest = falling[j]
            for k in range(n):
                lowest = min(lowest, falling[k])
            if top - lowest <= tol:
                return steps, CONVERGED
        other = slot[j]
        if other < 0:
            return steps, j
        curvature = max(diagonal[i] + diagonal[j] - 2.0 * cache[row, j], floor)
        rise, fall = high[i] - beta[i], beta[j] - low[j]
        step = min(difference / curvature, rise, fall)
        at_i = top - step * (cache[row, i] - cache[other, i])
        at_j = falling[j] - step * (cache[row, j] - cache[other, j])
        for k in range(n):
            change = step * (cache[row, k] - cache[other, k])
            rising[k] -= change
            falling[k] -= change
        # Exactly at the end of the box, so that these comparisons are exact too.
        beta[i] = high[i] if step == rise else beta[i] + step
        beta[j] = low[j] if step == fall else beta[j] - step
        rising[i], falling[i] = at_i if beta[i] < high[i] else -np.inf, at_i
        rising[j], falling[j] = at_j, at_j if beta[j] > low[j] else np.inf
    return max_steps, OUT_OF_STEPS


def _move_pairs_by_arrays(
    rows: KernelRows, state: DualState, floor: float, tol: float, max_steps: int
) -> tuple[int, bool]:
    """Do the same without compiled loops: every pass over the points is an array operation."""
    n = len(state.beta)
    diagonal = rows.diagonal
    # Two copies of the slope: where a multiplier cannot rise (fall) it must not be chosen to.
    both = np.empty((2, n))
    rising, falling = both
    rising[:] = np.where(state.beta < state.high, state.slope, -np.inf)
    falling[:] = np.where(state.beta > state.low, state.slope, np.inf)
    beta, low, high = state.beta.tolist(), state.low.tolist(), state.high.tolist()
    gain, curvature = np.empty(n), np.empty(n)
    converged = False
    steps = 0
    while steps < max_steps:
        i = int(rising.argmax())
        row = rows[i]
        top = float(rising[i])
        np.multiply(row, -2.0, curvature)
        curvature += diagonal
        curvature += diagonal[i]
        np.maximum(curvature, floor, out=curvature)
        np.subtract(top, falling, gain)
        np.maximum(gain, 0.0, out=gain)
        gain *= gain
        gain /= curvature
        j = int(gain.argmax())
        difference = top - float(falling[j])
        if not difference > 0 or (difference <= tol and top - float(falling.min()) <= tol):
            converged = True
            break
        step = min(difference / float(curvature[j]), high[i] - beta[i], beta[j] - low[j])
        other = rows[j]
        np.subtract(rows[i], other, curvature)
        curvature *= step
        both -= curvature
        steps += 1
        at_i, at_j = top - float(curvature[i]), float(top - difference - curvature[j])
        # Exactly at the end of the box, so that the comparison below is exact too.
        beta[i] = high[i] if step == high[i] - beta[i] else beta[i] + step
        beta[j] = low[j] if step == beta[j] - low[j] else beta[j] - step
        rising[i], falling[i] = at_i if beta[i] < high[i] else -np.inf, at_i
        rising[j], falling[j] = at_j, at_j if beta[j] > low[j] else np.inf
    state.beta[:] = beta
    np.copyto(state.slope, np.where(np.isfinite(rising), rising, falling))
    return steps, converged


def shrinking_smo(rows: KernelRows, state: DualState, tol: float, max_steps: int) -> int:
    """Run SMO, setting aside the multipliers that seem to have come to rest at an end of the box.

    Once the others are optimal, the slopes of those set aside are computed again and all take part:
    nothing is lost if one was set aside too early. Where the whole matrix is kept there is nothing
    to gain by it. Returns how many pairs were moved.
    """
    n = len(state.beta)
    everyone = np.arange(n)
    # What rounding hides grows with the multipliers, and is looked at as often.
    budget = max(500, n // 4)
    done = 0
    while done < max_steps:
        steps, converged = move_pairs(rows, state, tol, min(budget, max_steps - done))
        done += steps
        if converged:
            break
        active, inner, part = everyone, rows, state
        while done < max_steps and not converged:
            keep = part.may_move() if n > WHOLE else everyone
            if len(keep) < 0.9 * len(active):
                if part is state:
                    before = state.beta.copy()  # the slopes of those set aside are of this moment
                state.beta[active] = part.beta
                active, inner, part = active[keep], inner.restricted(keep), part.at(keep)
            steps, converged = move_pairs(inner, part, tol, min(budget, max_steps - done))
            done += steps
        if part is not state:
            state.beta[active] = part.beta
            rest = np.setdiff1d(everyone, active, assume_unique=True)
            moved = np.flatnonzero(state.beta != before)
            state.slope[active] = part.slope
            state.slope[rest] -= rows.times(rest, moved, (state.beta - before)[moved])
    return done


def polish(rows: KernelRows, state: DualState, most: int) -> bool:
    r"""Solve for all multipliers inside the box at once, with the others held where they are.

    There the slope must be one constant :math:`\rho`: a linear system. The step is cut where it
    would leave the box, and gains in any case, because the dual is concave. Nothing is done if more
    than ``most`` multipliers are inside; returns whether a step was taken.
    """
    free = np.flatnonzero((state.beta > state.low) & (state.beta < state.high))
    m = len(free)
    if not 1 < m <= most:
        return False
    K = rows.square(free)
    # The step sums to zero, so that a constant added to the kernel changes nothing; it keeps apart
    # what the kernel of few features, centred, could not tell from zero. Points in few dimensions
    # leave the matrix singular all the same, and would give a step of any size.
    size = np.trace(K) / m
    K += size
    K.flat[:: m + 1] += 1e-9 * size
    try:
        solved = np.linalg.solve(K, np.column_stack([state.slope[free], np.ones(m)]))
    except np.linalg.LinAlgError:
        return False
    step = solved[:, 0] - solved[:, 0].sum() / solved[:, 1].sum() * solved[:, 1]
    if not np.isfinite(step).all() or step @ state.slope[free] < 0:
        return False
    beta, low, high = state.beta[free], state.low[free], state.high[free]
    with np.errstate(divide="ignore", invalid="ignore"):
        room = np.where(step > 0, (high - beta) / step, (low - beta) / step)
    share = min(1.0, float(room[step != 0].min(initial=1.0)))
    step -= step.mean()
    state.beta[free] = np.clip(beta + share * step, low, high)
    moved = np.zeros(len(state.beta))
    moved[free] = state.beta[free] - beta
    state.slope[:] -= rows.product(moved)
    return True
