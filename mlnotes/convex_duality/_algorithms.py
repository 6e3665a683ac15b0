r"""Solvers that certify their answers: an interior point, and ascent of the dual."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from mlnotes._solvers.interior_point import (
    Iterate,
    Quadratic,
    max_abs,
    newton_step,
    scale_to_unit_size,
)
from mlnotes.convex_duality._conditions import KKTResiduals, kkt_residuals
from mlnotes.convex_duality._programs import check_quadratic, dual_value
from mlnotes.validation import (
    Array,
    check_count,
    check_matrix,
    check_positive,
    check_random_state,
    check_vector,
)


class QuadraticSolution(NamedTuple):
    """A solution of a quadratic programme with the evidence for it.

    Attributes
    ----------
    x : ndarray of shape (d,)
        The minimiser.
    multipliers : ndarray of shape (m,)
        Those of the inequalities.
    equality_multipliers : ndarray of shape (p,)
        Those of the equalities.
    primal, dual : float
        The objective at ``x`` and the dual function at the multipliers, which are not negative. The
        dual value is a lower bound of the optimum in any case, the primal one an upper bound as far
        as ``x`` is feasible: see ``residuals.primal``.
    residuals : KKTResiduals
        By how much the four conditions are missed.
    path : ndarray of shape (n_iter + 1, 3)
        For each iterate the primal value, the dual value and the largest of the four residuals. The
        dual value is minus infinity while a direction without curvature has a slope.

    Examples
    --------
    The least x² with x at least 1: the constraint has a price of 2.

    >>> solution = solve_quadratic_program([[2.0]], [0.0], G=[[-1.0]], h=[-1.0])
    >>> solution.x.round(6), solution.multipliers.round(6), round(solution.primal, 6)
    (array([1.]), array([2.]), 1.0)
    """

    x: Array
    multipliers: Array
    equality_multipliers: Array
    primal: float
    dual: float
    residuals: KKTResiduals
    path: Array


def solve_quadratic_program(
    P: ArrayLike,
    q: ArrayLike,
    G: ArrayLike | None = None,
    h: ArrayLike | None = None,
    A: ArrayLike | None = None,
    b: ArrayLike | None = None,
    *,
    tol: float = 1e-10,
    max_iter: int = 100,
) -> QuadraticSolution:
    r"""Solve a convex quadratic programme by Newton's method on its perturbed KKT conditions.

    Complementary slackness :math:`\lambda_is_i=0`, with the slack :math:`s=h-Gx`, is replaced by
    :math:`\lambda_is_i=\mu`, which a Newton step can follow; then :math:`\mu` is sent to zero. All
    :math:`\lambda_i` and :math:`s_i` stay positive on the way: an interior-point method.

    Parameters
    ----------
    P, q, G, h, A, b : array-like
        As in :func:`quadratic_program`.
    tol : float
        How small the largest KKT residual must become, once the numbers are scaled to the size
        of 1.
    max_iter : int
        The greatest number of Newton steps.

    Returns
    -------
    QuadraticSolution
        Minimiser, multipliers and evidence.

    Raises
    ------
    ValueError
        If the residuals do not vanish: the programme has no solution, or no multiplier.

    Examples
    --------
    >>> found = solve_quadratic_program([[2.0]], [0.0], [[-1.0]], [-1.0])
    >>> found.x.round(8), found.multipliers.round(8), round(found.primal, 8)
    (array([1.]), array([2.]), 1.0)
    """
    data = check_quadratic(P, q, G, h, A, b)
    goal = check_positive(tol, "tol")
    scaled, units = scale_to_unit_size(data)
    d, m, p = len(data.q), len(data.h), len(data.b)
    at = Iterate(np.zeros(d), np.ones(m), np.zeros(p), np.ones(m))
    path = []
    for _ in range(check_count(max_iter, "max_iter") + 1):
        missed = max_abs(at.slack - scaled.h + scaled.G @ at.x)
        worst = max(*_quadratic_residuals(scaled, *at[:3]), missed)
        solution = (
            at.x * units.x,
            at.multipliers * units.multipliers,
            at.equality_multipliers * units.equality_multipliers,
        )
        residuals, primal, dual = _evaluate(data, *solution)
        path.append((primal, dual, max(residuals)))
        if worst <= goal:
            return QuadraticSolution(*solution, primal, dual, residuals, np.array(path))
        at = newton_step(scaled, at)
        # Where nothing is feasible the multipliers grow without bound.
        if not max(map(max_abs, at)) < 1e15:
            break
    raise ValueError(
        f"the KKT conditions were not met to {goal:g} in {len(path) - 1} steps (largest residual "
        f"{path[-1][2]:.2g}): the constraints may contradict each other, the objective may be "
        "unbounded below, or there may be no multiplier."
    )


def _quadratic_residuals(data: Quadratic, x: Array, lam: Array, nu: Array) -> KKTResiduals:
    """Return the KKT residuals at an iterate."""
    f, h = data.G @ x - data.h, data.A @ x - data.b
    return kkt_residuals(
        data.P @ x + data.q,
        inequalities=f,
        inequality_jacobian=data.G if len(f) else None,
        multipliers=lam,
        equalities=h,
        equality_jacobian=data.A if len(h) else None,
        equality_multipliers=nu,
    )


def _evaluate(
    data: Quadratic, x: Array, lam: Array, nu: Array
) -> tuple[KKTResiduals, float, float]:
    """Return the residuals at an iterate, its objective, and the dual function there."""
    primal = float(0.5 * x @ data.P @ x + data.q @ x)
    return _quadratic_residuals(data, x, lam, nu), primal, dual_value(data, lam, nu)


class RidgeCertificate(NamedTuple):
    """Weights of a ridge regression, and the multipliers that vouch for them.

    Attributes
    ----------
    coef : ndarray of shape (d,)
        The weights.
    multipliers : ndarray of shape (n,)
        One for each residual.
    path : ndarray of shape (n_passes + 1, 2)
        The loss of the weights before each pass, and the lower bound of the multipliers.

    Examples
    --------
    >>> ridge_dual_ascent([[1.0]], [2.0], tau=1.0).path[-1]
    array([2., 2.])
    """

    coef: Array
    multipliers: Array
    path: Array


def ridge_dual_ascent(
    X: ArrayLike,
    y: ArrayLike,
    *,
    tau: float,
    tol: float = 1e-10,
    max_passes: int = 10_000,
    random_state: int | np.random.Generator | None = 0,
) -> RidgeCertificate:
    r"""Minimise the loss of ridge regression by raising its lower bound, one multiplier at a time.

    It stops when the gap between the loss and the bound is small, which by weak duality
    (``thm-ridge-weak-duality``) says how far the loss is from the least one.

    Parameters
    ----------
    X : array-like of shape (n, d)
        The points.
    y : array-like of shape (n,)
        Their labels.
    tau : float
        The price of long weights: the loss is :math:`\tau\lVert\theta\rVert^2` plus the sum of
        squared residuals.
    tol : float
        How large the gap may be, as a share of the loss.
    max_passes : int
        The greatest number of passes through the points.
    random_state : int, Generator or None
        Decides the order in which each pass visits the points.

    Returns
    -------
    RidgeCertificate

    Raises
    ------
    ValueError
        If the gap is not closed in ``max_passes`` passes.

    Examples
    --------
    >>> found = ridge_dual_ascent([[1.0], [2.0]], [1.0, 3.0], tau=1.0)
    >>> found.coef.round(3), found.multipliers.round(3)
    (array([1.167]), array([-0.167,  0.667]))
    """
    X = check_matrix(X, name="X")
    y = check_vector(y, len(X), name="y")
    tau = check_positive(tau, "tau")
    tol = check_positive(tol, "tol")
    rng = check_random_state(random_state)
    theta, alpha = np.zeros(X.shape[1]), np.zeros(len(y))
    path = []
    for _ in range(check_count(max_passes, "max_passes") + 1):
        rest, squared = y - X @ theta, theta @ theta
        upper = tau * squared + rest @ rest
        lower = 2 * alpha @ y - squared - tau * alpha @ alpha
        path.append((upper, tau * lower))
        if upper - tau * lower <= tol * upper:
            return RidgeCertificate(theta, alpha, np.array(path))
        for i in rng.permutation(len(y)):
            step = y[i] - X[i] @ theta - tau * alpha[i]
            step /= X[i] @ X[i] + tau
            alpha[i] += step
            theta = theta + step * X[i]
    raise ValueError("the gap stays open: raise max_passes or tol.")
