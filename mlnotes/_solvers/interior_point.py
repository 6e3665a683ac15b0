r"""Mehrotra's predictor-corrector step, and the quadratic programmes that it solves.

Newton's method on the KKT conditions needs :math:`\lambda_is_i=0` to become
:math:`\lambda_is_i=\mu` with :math:`\mu` sent to zero. The predictor tells how far :math:`\mu` may
fall; the corrector mends the product of the two steps, which Newton's linearisation leaves out.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from mlnotes._numerics import row_norms
from mlnotes.validation import Array

Direction = Callable[[Array], tuple[Any, Array, Array]]


def predictor_corrector(
    left: Array, right: Array, direction: Direction, *, fraction: float
) -> tuple[Any, Array, Array]:
    """Return the next step of the free variables and of two positive factors.

    ``left`` and ``right`` have one shape, and their products are to vanish. ``direction`` solves
    the linearised conditions for a step that changes the products by its argument, and returns the
    step of the free variables, of ``left`` and of ``right``. The step is cut to ``fraction`` of
    what would make a factor zero, and never exceeds Newton's own.
    """
    products = left * right
    mu = float(products.mean()) if products.size else 0.0
    step, d_left, d_right = direction(-products)
    if mu > 0:
        length = min(1.0, 1 / _inverse_length(left, right, d_left, d_right))
        predicted = float(np.vdot(left + length * d_left, right + length * d_right)) / left.size
        centre = (max(predicted, 0.0) / mu) ** 3 * mu
        step, d_left, d_right = direction(centre - products - d_left * d_right)
    length = min(1.0, fraction / _inverse_length(left, right, d_left, d_right))
    return length * step, length * d_left, length * d_right


def _inverse_length(left: Array, right: Array, d_left: Array, d_right: Array) -> float:
    """Return the inverse of the share of the step after which a factor would vanish."""
    if not left.size:
        return 1e-300
    shares = float((d_left / left).min()), float((d_right / right).min())
    return max(1e-300, -min(shares))


class Quadratic(NamedTuple):
    r"""The data of: minimise ½xᵀPx + qᵀx where Gx ≤ h and Ax = b."""

    P: Array
    q: Array
    G: Array
    h: Array
    A: Array
    b: Array


class Iterate(NamedTuple):
    """A point, the multipliers of inequalities and equalities, and the slack h - Gx."""

    x: Array
    multipliers: Array
    equality_multipliers: Array
    slack: Array


class Units(NamedTuple):
    """What turns the solution of a programme of unit size into that of the given one."""

    x: float
    multipliers: Array
    equality_multipliers: Array


def scale_to_unit_size(data: Quadratic) -> tuple[Quadratic, Units]:
    """Return an equivalent programme whose numbers are of the size of 1, and the way back.

    Constraints are divided by their length, the point by the greatest distance at which one of
    them holds, and the objective by its greatest coefficient.
    """
    lengths = [row_norms(rows) for rows in (data.G, data.A)]
    g, a = (np.where(length > 0, length, 1.0) for length in lengths)
    h, b = data.h / g, data.b / a
    far = max(max_abs(h), max_abs(b)) or 1.0
    cost = max(far**2 * max_abs(data.P), far * max_abs(data.q)) or 1.0
    scaled = Quadratic(
        far**2 / cost * data.P,
        far / cost * data.q,
        data.G / g[:, None],
        h / far,
        data.A / a[:, None],
        b / far,
    )
    return scaled, Units(far, cost / far / g, cost / far / a)


def max_abs(values: Array) -> float:
    """Return the largest absolute value, zero if there is none."""
    return float(np.abs(values).max()) if values.size else 0.0


def newton_step(data: Quadratic, at: Iterate) -> Iterate:
    """Take one predictor-corrector step on the KKT conditions of a quadratic programme."""
    x, lam, nu, s = at
    d, m, p = len(x), len(lam), len(nu)
    stationarity = data.P @ x + data.q + lam @ data.G + nu @ data.A
    infeasibility = data.G @ x + s - data.h
    equality = data.A @ x - data.b
    # Eliminating the multipliers would divide by slacks that vanish, and cost half the digits where
    # a constraint is tight without a price.
    constraints = np.vstack([data.A, data.G])
    system = np.zeros((d + p + m, d + p + m))
    system[:d, :d] = data.P
    system[:d, d:] = constraints.T
    system[d:, :d] = constraints
    system[d + p :, d + p :] = -np.diag(s / lam)

    def direction(change: Array) -> tuple[Array, Array, Array]:
        right = np.concatenate([-stationarity, -equality, -infeasibility - change / lam])
        step = np.linalg.lstsq(system, right, rcond=None)[0]
        return step[: d + p], step[d + p :], -infeasibility - data.G @ step[:d]

    free, d_lam, d_s = predictor_corrector(lam, s, direction, fraction=0.99)
    return Iterate(x + free[:d], lam + d_lam, nu + free[d:], s + d_s)
