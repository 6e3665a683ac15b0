r"""The four conditions of Karush, Kuhn and Tucker, as numbers."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from mlnotes.validation import (
    check_matrix,
    check_vector,
)


class KKTResiduals(NamedTuple):
    """By how much each of the four conditions is missed, as the largest absolute entry.

    Attributes
    ----------
    stationarity : float
        The gradient of the Lagrangian.
    primal : float
        The constraints that are violated.
    dual : float
        The multipliers that are negative.
    complementarity : float
        The products of a multiplier and its constraint.

    Examples
    --------
    >>> from mlnotes.convex_duality import solve_quadratic_program
    >>> solution = solve_quadratic_program([[2.0]], [0.0], G=[[-1.0]], h=[-1.0])
    >>> max(solution.residuals) < 1e-8
    True
    """

    stationarity: float
    primal: float
    dual: float
    complementarity: float


def kkt_residuals(
    gradient: ArrayLike,
    *,
    inequalities: ArrayLike = (),
    inequality_jacobian: ArrayLike | None = None,
    multipliers: ArrayLike = (),
    equalities: ArrayLike = (),
    equality_jacobian: ArrayLike | None = None,
    equality_multipliers: ArrayLike = (),
) -> KKTResiduals:
    r"""Measure how far a point and its multipliers are from the KKT conditions.

    The function looks at numbers, not at a solver: the values and gradients at the point of
    the constraints :math:`f_i\le0` and :math:`h_j=0`, whatever found them.

    Parameters
    ----------
    gradient : array-like of shape (d,)
        :math:`\nabla f_0(x)`.
    inequalities : array-like of shape (m,)
        :math:`f_i(x)`.
    inequality_jacobian : array-like of shape (m, d), optional
        The gradients :math:`\nabla f_i(x)`, one in each row.
    multipliers : array-like of shape (m,)
        :math:`\lambda_i`.
    equalities : array-like of shape (p,)
        :math:`h_j(x)`.
    equality_jacobian : array-like of shape (p, d), optional
        The gradients :math:`\nabla h_j(x)`.
    equality_multipliers : array-like of shape (p,)
        :math:`\nu_j`, of either sign.

    Returns
    -------
    KKTResiduals
        All zero exactly if the conditions hold.

    Examples
    --------
    The least :math:`x^2` with :math:`1-x\le0` is at 1 with multiplier 2.

    >>> kkt_residuals([2.0], inequalities=[0.0], inequality_jacobian=[[-1.0]], multipliers=[2.0])
    KKTResiduals(stationarity=0.0, primal=0.0, dual=0.0, complementarity=0.0)
    """
    slope = check_vector(gradient, name="gradient").copy()
    f = check_vector(inequalities, name="inequalities")
    lam = check_vector(multipliers, len(f), name="multipliers")
    h = check_vector(equalities, name="equalities")
    name = "equality_multipliers"
    nu = check_vector(equality_multipliers, len(h), name=name)
    for name, rows, prices in (
        ("inequality_jacobian", inequality_jacobian, lam),
        ("equality_jacobian", equality_jacobian, nu),
    ):
        if rows is None and len(prices):
            raise ValueError(f"the gradients are missing: {name}.")
        if rows is not None:
            slopes = check_matrix(rows, name=name, min_samples=0)
            shape = len(prices), len(slope)
            if slopes.shape != shape:
                raise ValueError(f"{name} must have shape {shape}.")
            slope += prices @ slopes
    violated = np.concatenate([f, np.abs(h)])
    return KKTResiduals(
        stationarity=float(np.abs(slope).max(initial=0.0)),
        primal=float(violated.max(initial=0.0)),
        dual=float((-lam).max(initial=0.0)),
        complementarity=float(np.abs(lam * f).max(initial=0.0)),
    )
