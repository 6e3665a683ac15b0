"""The support vector machine on a kernel: SMO until the duality gap is closed."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from mlnotes._numerics import ROUNDOFF, scale_by_power_of_two, weighted_mean
from mlnotes._solvers.kernel_rows import Kernel, KernelRows
from mlnotes._solvers.margins import (
    best_offsets,
    hinge,
    middle_offset,
    multiplier_bound,
    proportional_factor,
    root_mean_square,
)
from mlnotes._solvers.smo import DualState, polish, rounding_error, shrinking_smo
from mlnotes._solvers.svm_interior_point import solve_margin
from mlnotes.kernels import are_near, half_squares
from mlnotes.perceptron import is_linearly_separable
from mlnotes.validation import Array

# The relative gap after which the multipliers inside the box are not solved for again: what is left
# is the rounding of slopes that were carried along.
EXACT_GAP = 1e-11
# The highest price of slack beside which kernel values of the size of 1 do not vanish.
MAX_SCALED_C = 1e250

NOT_SEPARABLE = (
    "no surface of this kernel separates the classes by a margin worth the name, so that the hard "
    "margin (C=inf) has no solution; pass a finite C."
)


class Certificate(NamedTuple):
    """The primal and the dual value of multipliers, and the best offsets and margins for them."""

    primal: float
    dual: float
    low: float
    high: float
    margins: Array

    @property
    def relative_gap(self) -> float:
        if not math.isfinite(self.primal):
            return math.inf
        return (self.primal - self.dual) / self.primal


class KernelSolution(NamedTuple):
    """Multipliers with their certificate, how they were found, and what rounding may hide.

    ``uncertainty`` is the share of the objective by which the rounding of kernel values alone may
    move it, and ``largest`` the largest kernel value.
    """

    beta: Array
    certificate: Certificate
    gaps: list[float]
    n_steps: int
    uncertainty: float
    largest: float


def kernel_rows(kernel: Kernel, points: Array, megabytes: float) -> tuple[KernelRows, float]:
    """Return the rows of the kernel matrix in a unit, and that unit.

    Points are centred if that changes no machine: the offset takes up a translation, and far from
    the origin the digits would be lost to it. The unit of a linear kernel is the power of four that
    keeps the squares of the points near 1; for other kernels it is 1.
    """
    unit = 1.0
    with np.errstate(over="ignore", invalid="ignore"):
        if kernel.name == "gaussian":
            centred = (points - weighted_mean(points)) / kernel.bandwidth
            # Points far apart keep their distances only as they are.
            near = are_near(half_squares(centred))
            points = centred if near else points / kernel.bandwidth
        elif kernel.name == "linear":
            points, exponent = scale_by_power_of_two(points - weighted_mean(points))
            unit = float(np.ldexp(1.0, 2 * exponent))
        rows = KernelRows(kernel, points, megabytes)
        sizes = rows.halves if kernel.name == "gaussian" else unit * rows.diagonal
    if not np.isfinite(sizes).all():
        raise ValueError(
            f"the {kernel.name} kernel of these samples exceeds any float; scale the features, "
            "for instance to mean 0 and variance 1."
        )
    return rows, unit


def solve_kernel_svm(
    rows: KernelRows, unit: float, labels: Array, prices: Array, *, tol: float, max_steps: int
) -> KernelSolution:
    """Find the multipliers of the dual at these prices of slack, infinite for the hard margin.

    The rows are those of the kernel over ``unit``: in them the problem is that of prices times the
    unit, and multipliers that are larger by as much.
    """
    hard = not np.isfinite(prices).all()
    if hard and unit < 1e-290:
        raise ValueError(
            "the samples differ so little that the multipliers of the hard margin exceed any "
            "float; scale the features, for instance to variance 1."
        )
    farthest = float(rows.diagonal.max())
    factor = max(unit, proportional_factor(multiplier_bound(prices, labels), farthest))
    with np.errstate(over="ignore"):
        payable = prices if hard else np.minimum(factor * prices, MAX_SCALED_C)
    box = _finite_C(rows, labels) if hard else payable
    state = DualState(
        beta=np.zeros(len(labels)),
        slope=labels.copy(),
        low=np.where(labels > 0, 0.0, -box),
        high=np.where(labels > 0, box, 0.0),
    )
    steps, gaps, certificate = _close_gap(rows, state, labels, payable, tol, max_steps)
    error = rounding_error(state.beta, rows.diagonal) * (unit / factor)
    if factor != 1:
        state.beta[:] /= factor
        state.slope[:] = labels - (labels - state.slope) * (unit / factor)
        certificate = certify(state, labels, prices)
    paying = 2 * certificate.primal if hard else float(prices[certificate.margins < 1].sum())
    moved = error * (float(np.abs(state.beta).sum()) + paying)
    uncertainty = moved / certificate.primal if math.isfinite(certificate.primal) else 0.0
    return KernelSolution(state.beta, certificate, gaps, steps, uncertainty, unit * farthest)


def certify(state: DualState, labels: Array, prices: Array) -> Certificate:
    r"""Return the primal value for the best offset and the dual value.

    :math:`\beta^\top K\beta=\beta^\top(y-f)` with the slope :math:`f`, so that neither needs the
    kernel again.
    """
    scores = labels - state.slope
    square = float(state.beta @ scores)
    hard = not np.isfinite(prices).all()
    if hard:
        low = high = middle_offset(scores, labels)
    else:
        low, high = best_offsets(scores, labels, prices)
    margins = labels * (scores + 0.5 * (low + high))
    if hard:
        # A plane that separates becomes feasible when it is divided by its margin.
        least = float(margins.min())
        primal = 0.5 * square / least**2 if least > 0 else math.inf
    else:
        primal = 0.5 * square + float(prices @ hinge(margins))
    return Certificate(primal, float(np.abs(state.beta).sum()) - 0.5 * square, low, high, margins)


def _close_gap(
    rows: KernelRows, state: DualState, labels: Array, prices: Array, tol: float, max_steps: int
) -> tuple[int, list[float], Certificate]:
    """Tighten the tolerance of SMO until the duality gap is closed."""
    moved, slack = 0, 1e-3
    gaps: list[float] = []
    while True:
        moved += shrinking_smo(rows, state, slack, max_steps - moved)
        gaps.append(certify(state, labels, prices).relative_gap)
        if math.isinf(prices[0]) and moved < max_steps and _raise_C(rows, state, labels):
            continue
        # A small system is solved in any case: it makes the answer exact up to rounding.
        small = polish(rows, state, 500 if gaps[-1] <= tol else 2000)
        if small:
            gaps.append(certify(state, labels, prices).relative_gap)
        enough = EXACT_GAP if small else tol
        stuck = moved >= max_steps or slack < 1e-10
        if gaps[-1] <= min(tol, enough) or stuck:
            # The slopes were carried along for many steps; what is promised is computed anew.
            np.subtract(labels, rows.product(state.beta), out=state.slope)
            found = certify(state, labels, prices)
            gaps[-1] = found.relative_gap
            if math.isinf(gaps[-1]) and moved < max_steps:
                raise ValueError(NOT_SEPARABLE)
            if gaps[-1] <= tol or stuck:
                return moved, gaps, found
        slack /= 10


def _finite_C(rows: KernelRows, labels: Array) -> float:
    r"""Return a finite price for the hard margin, which no multiplier may reach in the end.

    Multipliers are of the size of one over a squared distance. The mean of
    :math:`K_{ii}-K_{ij}` is half the mean squared distance, wherever the origin is.
    """
    if rows.kernel.name == "linear" and not is_linearly_separable(rows.points, labels):
        raise ValueError(NOT_SEPARABLE)
    n = len(labels)
    everyone = np.arange(n)
    spread = float(rows.diagonal.mean() - rows.times(everyone, everyone, np.ones(n)).mean() / n)
    return min(1e3 / max(spread, 1e-300), _max_scaled_C(rows))


def _max_scaled_C(rows: KernelRows) -> float:
    """Return the price at which a margin would be of the size of rounding."""
    return 1 / float(ROUNDOFF * max(float(rows.diagonal.max()), 1e-290))


def _raise_C(rows: KernelRows, state: DualState, labels: Array) -> bool:
    """Make the box larger if a multiplier has reached its end; refuse if no box would do."""
    price = float((state.high - state.low).max())
    if float(np.abs(state.beta).max()) < 0.999 * price:
        return False
    highest = _max_scaled_C(rows)
    if price >= 0.999 * highest:
        raise ValueError(NOT_SEPARABLE)
    price = min(1e3 * price, highest)
    # Multipliers that are large move slowly in pairs: Newton's method finds where they are.
    if len(labels) <= 2000:
        alpha = _hard_margin_multipliers(rows, labels)
        price = min(max(price, 10 * float(alpha.max())), highest)
        np.copyto(state.beta, labels * np.minimum(alpha, price))
        np.subtract(labels, rows.product(state.beta), out=state.slope)
    state.low[:] = np.where(labels > 0, 0.0, -price)
    state.high[:] = np.where(labels > 0, price, 0.0)
    return True


def _hard_margin_multipliers(rows: KernelRows, labels: Array) -> Array:
    """Return about the multipliers of the hard margin, from features that the kernel hides."""
    K = rows.square(np.arange(len(labels)))
    K = K - K.mean(axis=0) - K.mean(axis=1)[:, None] + K.mean()
    values, vectors = np.linalg.eigh(0.5 * (K + K.T))
    rank = values > len(K) * ROUNDOFF * float(rows.diagonal.max())
    features = vectors[:, rank] * np.sqrt(values[rank])
    if not rank.any() or not is_linearly_separable(features, labels):
        raise ValueError(NOT_SEPARABLE)
    scale = root_mean_square(features)
    Z = labels[:, None] * features / scale
    return solve_margin(Z, labels, np.full(len(Z), np.inf), 1e-8, 100).alpha / scale**2
