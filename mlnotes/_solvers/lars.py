"""The path of the lasso from knot to knot, and least angle regression without the drop rule."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.linalg.lapack import dpotrs, dtrtrs

from mlnotes.validation import Array

# A column whose part orthogonal to the active ones is below this share of it depends on them.
COLLINEAR_TOL = 1e-7
# Correlations below this share of the first penalty are rounding: the path has ended.
CORRELATION_TOL = 1e-13
# But not if a column at this angle or more to what is left never had its turn.
ANGLE_TOL = 1e-8
TIE_TOL = 1e-12


class Knots(NamedTuple):
    """Penalties at the knots, decreasing, the weights there, and whether the end was reached.

    ``lost`` are columns so much shorter than others that rounding hid where they enter.
    """

    penalties: Array
    coefs: Array
    complete: bool
    lost: NDArray[np.intp]


class _Factor:
    """Cholesky's factor of the products of the active columns, extended column by column."""

    def __init__(self, room: int) -> None:
        self.R: Array = np.zeros((room, room))
        self.size = 0

    def append(self, products: Array, square: float) -> bool:
        """Add a column with these products; False if it depends on the others."""
        k = self.size
        column = dtrtrs(self.R[:k, :k], products, trans=1)[0] if k else products
        rest = square - float(column @ column)
        if not rest > COLLINEAR_TOL**2 * square:
            return False
        if k == len(self.R):
            self.R = np.pad(self.R, (0, max(k, 1)))
        self.R[:k, k], self.R[k, k] = column, np.sqrt(rest)
        self.size = k + 1
        return True

    def solve(self, b: Array) -> Array:
        """Solve with the products of the active columns."""
        return np.asarray(dpotrs(self.R[: self.size, : self.size], b)[0]) if self.size else b


class _Products:
    """Products of the columns, all at once or those of a column when it becomes active."""

    def __init__(self, X: Array | None, gram: Array | None) -> None:
        self.X, self.gram = X, gram
        self.known: dict[int, Array] = {}

    def row(self, j: int) -> Array:
        """Return the inner products of column j with all columns."""
        if self.gram is not None:
            return np.asarray(self.gram[j])
        if j not in self.known:
            assert self.X is not None
            self.known[j] = self.X.T @ self.X[:, j]
        return self.known[j]


def follow(
    side: Array,
    *,
    gram: Array | None = None,
    X: Array | None = None,
    squares: Array,
    length: float,
    most: int,
    drop: bool = True,
    last: float = 0.0,
    max_knots: int = 100_000,
) -> Knots:
    """Follow the path from the greatest penalty down to ``last``.

    ``side`` are the inner products of the columns with the target, ``squares`` those with
    themselves, ``length`` is that of the target; all other products come from ``gram``, or from
    ``X`` when they are needed. At most ``most`` columns are active at a time.
    """
    d = len(side)
    products, factor = _Products(X, gram), _Factor(min(d, most, 64))
    theta = np.zeros(d)
    penalties, coefs = [float(np.abs(side).max())], [theta]
    active: list[int] = []
    idle = squares <= 0  # neither active nor to become it
    rows = np.empty((min(d, most), d))
    entering, left, first = int(np.abs(side).argmax()), -1, penalties[0]
    correlations = side
    while penalties[-1] > max(last, CORRELATION_TOL * first) and len(penalties) < max_knots:
        if entering >= 0:
            row = products.row(entering)
            if len(active) < len(rows) and factor.append(row[active], float(squares[entering])):
                rows[len(active)] = row
                active.append(entering)
            idle[entering] = True
        penalty = penalties[-1]
        signs = np.sign(correlations[active])
        direction = factor.solve(signs)
        slopes = direction @ rows[: len(active)]
        step, entering = _next_tie(correlations, slopes, penalty, idle, left)
        step = min(step, penalty - last)
        zero, leaving = _next_zero(theta[active], direction) if drop else (np.inf, -1)
        if zero < step * (1 - TIE_TOL):
            step, entering = max(zero, 0.0), -1
        else:
            leaving = -1
            if step >= penalty - last:
                entering = -1
        theta = theta.copy()
        theta[active] += step * direction
        left = -1
        if leaving >= 0:
            left = active.pop(leaving)
            theta[left] = 0.0
            rows[leaving : len(active)] = rows[leaving + 1 : len(active) + 1]
            factor = _refactored(rows, active, squares)
            idle = squares <= 0
            idle[active] = True
        correlations = side - theta[active] @ rows[: len(active)]
        penalties.append(penalty - step)
        coefs.append(theta)
    complete = penalties[-1] <= max(last, CORRELATION_TOL * first)
    lost = np.empty(0, dtype=np.intp)
    if complete and penalties[-1] < last + CORRELATION_TOL * first:
        penalties[-1] = last if first > last else penalties[-1]
        if len(active) < min(d, most):
            unseen = np.abs(correlations) > last + ANGLE_TOL * length * np.sqrt(squares)
            lost = np.flatnonzero(unseen & ~idle)
        if penalties[-1] == 0 and active:
            # The last step was as long as a difference of penalties, which has lost digits.
            coefs[-1][active] = factor.solve(side[active])
    return Knots(np.array(penalties), np.array(coefs), complete, lost)


def _refactored(rows: Array, active: list[int], squares: Array) -> _Factor:
    """Return the factor of the columns that are still active."""
    factor = _Factor(len(active))
    if active:
        factor.R = np.array(np.linalg.cholesky(rows[: len(active)][:, active]).T)
        factor.size = len(active)
    return factor


def _next_tie(
    correlations: Array, slopes: Array, penalty: float, idle: NDArray[np.bool_], left: int
) -> tuple[float, int]:
    """Return the step after which a correlation ties with those of the active columns, and whose.

    The column that left last ties now, and its correlation of that sign falls behind.
    """
    step, entering = penalty, -1
    for sign in (1.0, -1.0):
        speed, gap = 1 - sign * slopes, penalty - sign * correlations
        idle_now = idle | (speed <= TIE_TOL)
        speed[idle_now] = 1.0
        ties = np.maximum(gap / speed, 0.0)
        ties[idle_now] = np.inf
        if left >= 0 and sign * correlations[left] > 0:
            ties[left] = np.inf
        j = int(ties.argmin())
        if ties[j] < step * (1 - TIE_TOL):
            step, entering = float(ties[j]), j
    return step, entering


def _next_zero(theta: Array, direction: Array) -> tuple[float, int]:
    """Return the step after which the first active weight reaches zero, and its position."""
    shrinking = np.flatnonzero(np.sign(theta) * np.sign(direction) < 0)
    if not len(shrinking):
        return np.inf, -1
    steps = -theta[shrinking] / direction[shrinking]
    first = int(steps.argmin())
    return float(steps[first]), int(shrinking[first])
