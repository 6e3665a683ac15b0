r"""Convex programmes, their Lagrangians and duals."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from mlnotes._solvers.interior_point import (
    Quadratic,
)
from mlnotes.convex_duality._conditions import KKTResiduals, kkt_residuals
from mlnotes.convex_duality._mathematics import (
    Function,
    check_symmetric,
    is_positive_semidefinite,
)
from mlnotes.validation import (
    Array,
    check_matrix,
    check_vector,
)

VectorFunction = Callable[[Array], Array]


@dataclass(frozen=True)
class ConvexProgram:
    r"""Minimise :math:`f_0(x)` where :math:`f_i(x)\le0` and :math:`h_j(x)=0`.

    That :math:`f_0` and the :math:`f_i` are convex and the :math:`h_j` affine (linear plus a
    constant) is for the author to know; :func:`chord_excess` can refute it.

    Parameters
    ----------
    objective, gradient : callable
        :math:`f_0` and its gradient.
    inequalities, inequality_jacobian : callable, optional
        All :math:`f_i` at once, and their gradients as rows.
    equalities, equality_jacobian : callable, optional
        All :math:`h_j` at once, and their gradients as rows.

    Examples
    --------
    >>> nearest = ConvexProgram(
    ...     objective=lambda x: float(x @ x), gradient=lambda x: 2 * x,
    ...     inequalities=lambda x: 1 - x, inequality_jacobian=lambda x: -np.eye(1),
    ... )
    >>> nearest.kkt_residuals([1.0], [2.0]).stationarity
    0.0
    """

    objective: Function
    gradient: VectorFunction
    inequalities: VectorFunction | None = None
    inequality_jacobian: VectorFunction | None = None
    equalities: VectorFunction | None = None
    equality_jacobian: VectorFunction | None = None

    def kkt_residuals(
        self, x: ArrayLike, multipliers: ArrayLike = (), equality_multipliers: ArrayLike = ()
    ) -> KKTResiduals:
        """Measure how far a point and its multipliers are from the KKT conditions.

        Parameters
        ----------
        x : array-like of shape (d,)
            The point.
        multipliers : array-like of shape (m,)
            One for each inequality.
        equality_multipliers : array-like of shape (p,)
            One for each equality.

        Returns
        -------
        KKTResiduals
            All zero exactly if the conditions hold.
        """
        point = check_vector(x, name="x")
        return kkt_residuals(
            self.gradient(point),
            inequalities=_at(self.inequalities, point),
            inequality_jacobian=_jacobian_at(self.inequality_jacobian, point),
            multipliers=multipliers,
            equalities=_at(self.equalities, point),
            equality_jacobian=_jacobian_at(self.equality_jacobian, point),
            equality_multipliers=equality_multipliers,
        )


def _at(f: VectorFunction | None, x: Array) -> Array:
    return np.zeros(0) if f is None else np.asarray(f(x), dtype=np.float64)


def _jacobian_at(f: VectorFunction | None, x: Array) -> Array | None:
    return None if f is None else np.asarray(f(x), dtype=np.float64)


def lagrangian(
    program: ConvexProgram,
    x: ArrayLike,
    multipliers: ArrayLike = (),
    equality_multipliers: ArrayLike = (),
) -> float:
    r"""Return :math:`L(x,\lambda,\nu)=f_0(x)+\sum_i\lambda_if_i(x)+\sum_j\nu_jh_j(x)`.

    Parameters
    ----------
    program : ConvexProgram
        Objective and constraints.
    x : array-like of shape (d,)
        The point.
    multipliers : array-like of shape (m,)
        The :math:`\lambda_i`, one for each inequality.
    equality_multipliers : array-like of shape (p,)
        The :math:`\nu_j`, one for each equality.

    Returns
    -------
    float
        The value; at a feasible point and for :math:`\lambda\ge0` at most the objective.

    Examples
    --------
    >>> P, q, G, h = [[2.0]], [0.0], [[-1.0]], [-1.0]
    >>> lagrangian(quadratic_program(P, q, G, h), [3.0], [2.0])
    5.0
    """
    if not isinstance(program, ConvexProgram):
        raise TypeError(f"program must be a ConvexProgram, got {program!r}.")
    point = check_vector(x, name="x")
    value = program.objective(point)
    f, h = _at(program.inequalities, point), _at(program.equalities, point)
    lam = check_vector(multipliers, len(f), name="multipliers")
    nu = check_vector(equality_multipliers, len(h), name="equality_multipliers")
    return float(value + lam @ f + nu @ h)


def check_quadratic(
    P: ArrayLike,
    q: ArrayLike,
    G: ArrayLike | None,
    h: ArrayLike | None,
    A: ArrayLike | None,
    b: ArrayLike | None,
) -> Quadratic:
    """Validate a quadratic programme; absent constraints become empty matrices."""
    H = check_symmetric(P, "P")
    d = len(H)
    if not is_positive_semidefinite(H):
        raise ValueError("P has a negative eigenvalue: the programme is not convex.")
    parts = []
    for rows, right, name, side in ((G, h, "G", "h"), (A, b, "A", "b")):
        if (rows is None) != (right is None):
            raise ValueError(f"pass {name} and {side} together, or neither.")
        matrix = np.zeros((0, d)) if rows is None else check_matrix(rows, name=name)
        if matrix.shape[1] != d:
            raise ValueError(f"{name} has {matrix.shape[1]} columns, but x has {d} entries.")
        bound = () if right is None else right
        parts += [matrix, check_vector(bound, len(matrix), name=side)]
    return Quadratic(H, check_vector(q, d, name="q"), *parts)


def quadratic_program(
    P: ArrayLike,
    q: ArrayLike,
    G: ArrayLike | None = None,
    h: ArrayLike | None = None,
    A: ArrayLike | None = None,
    b: ArrayLike | None = None,
) -> ConvexProgram:
    r"""Return the programme: minimise ½xᵀPx + qᵀx where Gx ≤ h and Ax = b.

    Parameters
    ----------
    P : array-like of shape (d, d)
        Symmetric, without negative eigenvalues.
    q : array-like of shape (d,)
        The linear part.
    G, h : array-like of shapes (m, d) and (m,), optional
        The inequalities.
    A, b : array-like of shapes (p, d) and (p,), optional
        The equalities.

    Returns
    -------
    ConvexProgram
        With exact gradients.

    Examples
    --------
    >>> program = quadratic_program([[2.0]], [0.0], [[-1.0]], [-1.0])
    >>> program.objective(np.array([3.0])), program.inequalities(np.array([3.0]))
    (9.0, array([-2.]))
    """
    data = check_quadratic(P, q, G, h, A, b)

    def objective(x: Array) -> float:
        point = check_vector(x, len(data.q), name="x")
        return float(0.5 * point @ data.P @ point + data.q @ point)

    return ConvexProgram(
        objective=objective,
        gradient=lambda x: data.P @ x + data.q,
        inequalities=lambda x: data.G @ x - data.h,
        inequality_jacobian=lambda x: data.G,
        equalities=lambda x: data.A @ x - data.b,
        equality_jacobian=lambda x: data.A,
    )


def dual_function(
    P: ArrayLike,
    q: ArrayLike,
    G: ArrayLike | None = None,
    h: ArrayLike | None = None,
    A: ArrayLike | None = None,
    b: ArrayLike | None = None,
    *,
    multipliers: ArrayLike = (),
    equality_multipliers: ArrayLike = (),
) -> float:
    r"""Return :math:`D(\lambda,\nu)=\inf_xL(x,\lambda,\nu)` of a quadratic programme.

    The Lagrangian is quadratic in :math:`x`, with slope :math:`c=q+G^\top\lambda+A^\top\nu` at 0.
    Its infimum is :math:`-\frac12c^\top P^+c-h^\top\lambda-b^\top\nu` if :math:`c` is in the range
    of :math:`P`, and :math:`-\infty` otherwise: a direction without curvature but with a slope.

    Parameters
    ----------
    P, q, G, h, A, b : array-like
        As in :func:`quadratic_program`.
    multipliers : array-like of shape (m,)
        :math:`\lambda`; only where it is not negative is the value a lower bound.
    equality_multipliers : array-like of shape (p,)
        :math:`\nu`.

    Returns
    -------
    float
        Possibly minus infinity.

    Examples
    --------
    For the least :math:`x^2` with :math:`x\ge1` it is :math:`\lambda-\lambda^2/4`.

    >>> dual_function([[2.0]], [0.0], [[-1.0]], [-1.0], multipliers=[2.0])
    1.0
    """
    data = check_quadratic(P, q, G, h, A, b)
    lam = check_vector(multipliers, len(data.h), name="multipliers")
    nu = check_vector(equality_multipliers, len(data.b), name="equality_multipliers")
    return dual_value(data, lam, nu)


def dual_value(data: Quadratic, lam: Array, nu: Array) -> float:
    """Return the least value of the Lagrangian, minus infinity if there is none."""
    slope = data.q + lam @ data.G + nu @ data.A
    lowest = np.linalg.lstsq(data.P, -slope, rcond=None)[0]
    # Rounding is judged by the terms of the slope, which may cancel.
    terms = np.abs(data.q) + np.abs(lam) @ np.abs(data.G) + np.abs(nu) @ np.abs(data.A)
    if np.abs(data.P @ lowest + slope).max() > 1e-9 * max(1.0, float(terms.max())):
        return -math.inf
    return float(0.5 * slope @ lowest - lam @ data.h - nu @ data.b)
