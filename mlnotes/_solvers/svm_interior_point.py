"""The linear support vector machine by Newton's method on its perturbed KKT conditions."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from mlnotes._compiled import compiled, compiles
from mlnotes._solvers.interior_point import predictor_corrector
from mlnotes.validation import Array

# The share of the way to the boundary that a step may take.
STEP_FRACTION = 0.995
# Multiplications of a step up to which array operations cost more than what they compute.
MAX_LOOP_SIZE = 100_000


class MarginSolution(NamedTuple):
    """Multipliers feasible for the dual, the weights, and the relative gap at each step."""

    alpha: Array
    theta: Array
    gaps: list[float]


class _Problem(NamedTuple):
    r"""The signed points :math:`z_i=y_ix_i`, the labels beside them, and the box.

    ``rows`` are the signed points, with the labels as a last column if there is an offset;
    ``penalty`` is 1 for a weight and 0 for the offset; ``classes`` holds the indicators of the two
    classes, and is None without an offset.
    """

    rows: Array
    penalty: Array
    C: Array
    classes: Array | None
    hard: bool

    @property
    def points(self) -> Array:
        return self.rows if self.classes is None else self.rows[:, :-1]


def solve_margin(
    Z: Array, labels: Array | None, C: Array, tol: float, max_iter: int
) -> MarginSolution:
    r"""Solve the support vector machine of the signed points :math:`z_i=y_ix_i`.

    With :math:`t_i=y_if(x_i)-1+\xi_i` and :math:`b_i=C_i-\alpha_i` the KKT conditions are
    :math:`\theta=\sum_i\alpha_iz_i`, :math:`\sum_i\alpha_iy_i=0`, :math:`\alpha_it_i=0` and
    :math:`b_i\xi_i=0`. Newton's method aims at :math:`\alpha_it_i=b_i\xi_i=\mu`; eliminating all
    but :math:`\theta` leaves one system with the matrix :math:`I+Z^\top DZ`.

    ``labels`` is None if there is no offset, and ``C`` infinite for the hard margin, where the
    factors :math:`b_i` and :math:`\xi_i` do not exist.
    """
    n, d = Z.shape
    hard = not np.isfinite(C).all()
    classes = None if labels is None else np.array([labels > 0, labels < 0], dtype=np.float64)
    rows = Z if labels is None else np.column_stack([Z, labels])
    if not hard and n * rows.shape[1] ** 2 <= MAX_LOOP_SIZE and compiles():
        # A thousand steps are more than this method ever takes.
        alpha, w, gap_of_step = np.empty(n), np.zeros(rows.shape[1]), np.empty(min(max_iter, 1000))
        steps = _solve_by_loops(rows, rows.shape[1] - d, C, tol, alpha, w, gap_of_step)
        return MarginSolution(alpha, w[:d], gap_of_step[:steps].tolist())
    problem = _Problem(rows, (np.arange(rows.shape[1]) < d) + 0.0, C, classes, hard)
    w = np.zeros(rows.shape[1])
    left = np.ones((1, n)) if hard else np.array([C / 2, C - C / 2])  # alpha and b
    right = np.ones_like(left)  # t and xi
    gap, solution = math.inf, (left[0], w[:d])
    gaps: list[float] = []
    # A step that leaves the range of floats ends the run, and the gap tells how far it came.
    with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
        for _ in range(max_iter):
            margins = rows @ w
            reached, alpha = _relative_gap(problem, w, margins, left, right)
            gaps.append(reached)
            if reached < gap:
                gap, solution = reached, (alpha, w[:d])
            if reached <= tol:
                break
            step = _newton_step(problem, margins, w, left, right)
            if step is None:
                break
            w, left, right = step
            if not hard:
                left[1] = np.maximum(C - left[0], 1e-300)
    return MarginSolution(*solution, gaps)


def _relative_gap(
    problem: _Problem, w: Array, margins: Array, left: Array, right: Array
) -> tuple[float, Array]:
    """Return the gap over the objective, and multipliers that are feasible for the dual.

    A multiplier of an interior point is never zero and never C. The one of the two factors in
    each product that is small tells at which end of the box it will be; rounded like this the
    multipliers are preferred as soon as they are good.
    """
    points, C, a = problem.points, problem.C, left[0]
    theta = w[: points.shape[1]]
    square = 0.5 * float(theta @ theta)
    if problem.hard:
        least = float(margins.min())
        primal = square / least**2 if least > 0 else math.inf
        rounded = np.where(a < right[0], 0.0, a)
    else:
        primal = square + float(C @ np.maximum(1 - margins, 0.0))
        rounded = np.where(a < right[0] * C, 0.0, np.where(left[1] < right[1] * C, C, a))
    if not math.isfinite(primal):
        return math.inf, a
    candidates = np.array([rounded, a])
    if problem.classes is not None:
        candidates *= _balancing_factors(candidates, problem.classes)
    spans = candidates @ points
    duals = candidates.sum(axis=1) - 0.5 * np.einsum("ij,ij->i", spans, spans)
    first, second = primal - float(duals[0]), primal - float(duals[1])
    chosen = 0 if first <= 1e-6 * primal or first <= second else 1
    gap = first if chosen == 0 else second
    return (gap / primal if primal > 0 else 0.0), candidates[chosen]


def _balancing_factors(candidates: Array, classes: Array) -> Array:
    r"""Return what makes :math:`\sum_i\alpha_iy_i=0` by scaling down the heavier class."""
    totals = candidates @ classes.T  # (candidates, classes)
    least = totals.min(axis=1, keepdims=True)
    shares = np.divide(least, totals, out=np.zeros_like(totals), where=totals > 0)
    return np.asarray(shares @ classes)


def _newton_step(
    problem: _Problem, margins: Array, w: Array, left: Array, right: Array
) -> tuple[Array, Array, Array] | None:
    """Return the next iterate; None if the system cannot be solved any more."""
    rows, penalty = problem.rows, problem.penalty
    signs = np.array([1.0, -1.0])[: len(left)]  # b falls where alpha rises
    gradient = penalty * w - left[0] @ rows
    violation = margins - 1 - signs @ right
    curvature = 1 / (right / left).sum(axis=0)  # (n,): the diagonal matrix D
    scaled = rows * np.sqrt(curvature)[:, None]
    system = scaled.T @ scaled
    diagonal = system.diagonal() + penalty
    # Against rounding; where slack is cheap the entry of the offset is far smaller than 1.
    system.flat[:: len(system) + 1] = diagonal + 1e-13 * np.minimum(diagonal, 1.0)
    try:
        root = np.linalg.inv(np.linalg.cholesky(system))
    except np.linalg.LinAlgError:
        return None

    def direction(change: Array) -> tuple[Array, Array, Array]:
        residual = (signs @ (change / left) - violation) * curvature
        dw = (root @ (residual @ rows - gradient)) @ root
        d_left = signs[:, None] * (residual - (rows @ dw) * curvature)
        return dw, d_left, (change - right * d_left) / left

    dw, d_left, d_right = predictor_corrector(left, right, direction, fraction=STEP_FRACTION)
    if not np.isfinite(dw).all():
        return None
    return w + dw, left + d_left, right + d_right


@compiled(reassociate=True)
def _solve_by_loops(
    rows: Array,
    offset: int,
    C: Array,
    tol: float,
    best_alpha: Array,
    best_w: Array,
    gaps: Array,
) -> int:
    """Do all of the above for the soft margin, entry by entry; return how many steps were made.

    ``offset`` is 1 if the last column holds the labels and is not penalised, and 0 otherwise.
    """
    n, m = rows.shape
    d = m - offset
    w, system, solved = np.zeros(m), np.empty((m, m)), np.empty(m)
    gradient, span = np.empty(m), np.empty(d)
    a, b, t, xi = C / 2, C - C / 2, np.ones(n), np.ones(n)
    da, dt, dxi = np.zeros(n), np.zeros(n), np.zeros(n)
    margins, curvature, residual = np.empty(n), np.empty(n), np.empty(n)
    candidate = np.empty(n)
    best_alpha[:] = a
    best = np.inf
    for step in range(len(gaps)):
        primal = 0.0
        for j in range(d):
            primal += 0.5 * w[j] * w[j]
        for i in range(n):
            margins[i] = 0.0
            for j in range(m):
                margins[i] += rows[i, j] * w[j]
            primal += C[i] * max(1.0 - margins[i], 0.0)
        gap = np.inf
        for rounding in range(2):
            above, below = 0.0, 0.0
            for i in range(n):
                candidate[i] = a[i]
                if rounding == 0 and a[i] < t[i] * C[i]:
                    candidate[i] = 0.0
                elif rounding == 0 and b[i] < xi[i] * C[i]:
                    candidate[i] = C[i]
                if rows[i, m - 1] > 0.0:
                    above += candidate[i]
                else:
                    below += candidate[i]
            least = min(above, below)
            up = least / above if above > 0.0 else 0.0
            down = least / below if below > 0.0 else 0.0
            span[:] = 0.0
            dual = 0.0
            for i in range(n):
                if offset == 1:
                    candidate[i] *= up if rows[i, m - 1] > 0.0 else down
                dual += candidate[i]
                for j in range(d):
                    span[j] += candidate[i] * rows[i, j]
            for j in range(d):
                dual -= 0.5 * span[j] * span[j]
            if primal - dual < gap:
                gap = primal - dual
                if gap < best * primal:
                    best = gap / primal
                    best_alpha[:] = candidate
                    best_w[:] = w
            if gap <= 1e-6 * primal:
                break
        gaps[step] = gap / primal if primal > 0.0 else 0.0
        if gaps[step] <= tol or step == len(gaps) - 1:
            return step + 1
        system[:, :] = 0.0
        gradient[:] = w
        gradient[d:] = 0.0
        for i in range(n):
            curvature[i] = 1.0 / (t[i] / a[i] + xi[i] / b[i])
            for j in range(m):
                gradient[j] -= a[i] * rows[i, j]
                scaled = curvature[i] * rows[i, j]
                for k in range(j + 1):
                    system[j, k] += scaled * rows[i, k]
        # The lower triangle becomes the Cholesky factor.
        for j in range(m):
            system[j, j] += 1.0 if j < d else 0.0
            system[j, j] += 1e-13 * min(system[j, j], 1.0)
        for j in range(m):
            for k in range(j):
                for i in range(j, m):
                    system[i, j] -= system[i, k] * system[j, k]
            if not system[j, j] > 0.0:
                return step + 1
            root = math.sqrt(system[j, j])
            for i in range(j, m):
                system[i, j] /= root
        mu, centre = 0.0, 0.0
        for i in range(n):
            mu += a[i] * t[i] + b[i] * xi[i]
        mu /= 2 * n
        length = 1.0
        for corrector in range(2):
            for j in range(m):
                solved[j] = -gradient[j]
            for i in range(n):
                at = centre - a[i] * t[i] - corrector * da[i] * dt[i]
                bxi = centre - b[i] * xi[i] + corrector * da[i] * dxi[i]
                violation = margins[i] + xi[i] - 1.0 - t[i]
                residual[i] = (at / a[i] - bxi / b[i] - violation) * curvature[i]
                # Kept until the step of alpha is known.
                dt[i], dxi[i] = at, bxi
                for j in range(m):
                    solved[j] += residual[i] * rows[i, j]
            for j in range(m):
                for k in range(j):
                    solved[j] -= system[j, k] * solved[k]
                solved[j] /= system[j, j]
            for j in range(m - 1, -1, -1):
                for k in range(j + 1, m):
                    solved[j] -= system[k, j] * solved[k]
                solved[j] /= system[j, j]
            nearest = 0.0
            for i in range(n):
                along = 0.0
                for j in range(m):
                    along += rows[i, j] * solved[j]
                da[i] = residual[i] - along * curvature[i]
                dt[i] = (dt[i] - t[i] * da[i]) / a[i]
                dxi[i] = (dxi[i] + xi[i] * da[i]) / b[i]
                nearest = max(nearest, -da[i] / a[i], da[i] / b[i])
                nearest = max(nearest, -dt[i] / t[i], -dxi[i] / xi[i])
            if corrector == 0:
                length = min(1.0, 1.0 / max(nearest, 1e-300))
                ahead = 0.0
                for i in range(n):
                    ahead += (a[i] + length * da[i]) * (t[i] + length * dt[i])
                    ahead += (b[i] - length * da[i]) * (xi[i] + length * dxi[i])
                centre = (max(ahead, 0.0) / (2 * n * mu)) ** 3 * mu
            else:
                length = min(1.0, STEP_FRACTION / max(nearest, 1e-300))
        for j in range(m):
            if not math.isfinite(solved[j]):
                return step + 1
            w[j] += length * solved[j]
        for i in range(n):
            a[i] += length * da[i]
            t[i] += length * dt[i]
            xi[i] += length * dxi[i]
            b[i] = max(C[i] - a[i], 1e-300)
    return len(gaps)
