r"""Convex programmes: Lagrangian, dual, and the conditions that certify an optimum.

A convex programme minimises a convex :math:`f_0(x)` where convex :math:`f_i(x)\le0` and affine
:math:`h_j(x)=0`. Every :math:`\lambda\ge0` and :math:`\nu` give a lower bound
:math:`D(\lambda,\nu)=\inf_xL(x,\lambda,\nu)` on the optimum (``thm-weak-duality``), and a point at
which the four conditions of Karush, Kuhn and Tucker hold is optimal (``thm-kkt-sufficient``). So a
solver need not be trusted: :func:`kkt_residuals` and the gap judge its answer, whoever it was. See
the chapter :doc:`/book/convex_duality`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
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
from mlnotes.validation import (
    Array,
    check_callable,
    check_count,
    check_matrix,
    check_positive,
    check_random_state,
    check_scalar,
    check_vector,
)

__all__ = [
    "ConvexProgram",
    "KKTResiduals",
    "QuadraticSolution",
    "RidgeCertificate",
    "categorical_mle",
    "chord_excess",
    "dual_function",
    "find_escape",
    "is_positive_semidefinite",
    "kkt_residuals",
    "lagrangian",
    "quadratic_program",
    "ridge_dual_ascent",
    "solve_quadratic_program",
    "squared_constraint_dual",
    "squared_constraint_mle",
]

Function = Callable[[Array], float]
VectorFunction = Callable[[Array], Array]


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


def _quadratic(
    P: ArrayLike,
    q: ArrayLike,
    G: ArrayLike | None,
    h: ArrayLike | None,
    A: ArrayLike | None,
    b: ArrayLike | None,
) -> Quadratic:
    """Validate a quadratic programme; absent constraints become empty matrices."""
    H = _symmetric(P, "P")
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
    data = _quadratic(P, q, G, h, A, b)

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
    data = _quadratic(P, q, G, h, A, b)
    lam = check_vector(multipliers, len(data.h), name="multipliers")
    nu = check_vector(equality_multipliers, len(data.b), name="equality_multipliers")
    return _dual_value(data, lam, nu)


def _dual_value(data: Quadratic, lam: Array, nu: Array) -> float:
    """Return the least value of the Lagrangian, minus infinity if there is none."""
    slope = data.q + lam @ data.G + nu @ data.A
    lowest = np.linalg.lstsq(data.P, -slope, rcond=None)[0]
    # Rounding is judged by the terms of the slope, which may cancel.
    terms = np.abs(data.q) + np.abs(lam) @ np.abs(data.G) + np.abs(nu) @ np.abs(data.A)
    if np.abs(data.P @ lowest + slope).max() > 1e-9 * max(1.0, float(terms.max())):
        return -math.inf
    return float(0.5 * slope @ lowest - lam @ data.h - nu @ data.b)


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
    data = _quadratic(P, q, G, h, A, b)
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
    return _quadratic_residuals(data, x, lam, nu), primal, _dual_value(data, lam, nu)


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


def chord_excess(
    f: Function,
    points: ArrayLike,
    *,
    n_chords: int = 1000,
    random_state: int | np.random.Generator = 0,
) -> float:
    r"""Return the most by which a function rises above one of its chords.

    Chords join random pairs of the points: the number is the largest
    :math:`f(\lambda x+(1-\lambda)x')-\lambda f(x)-(1-\lambda)f(x')` found. A positive one refutes
    convexity on the convex hull of the points; any other is evidence, not a proof.

    Parameters
    ----------
    f : callable
        A function of a vector.
    points : array-like of shape (n, d)
        Where chords may end.
    n_chords : int
        How many are tried.
    random_state : int or numpy.random.Generator
        Which ones.

    Returns
    -------
    float
        Positive, up to rounding, only if the function is not convex.

    Examples
    --------
    >>> line = np.linspace(-1, 1, 21)[:, None]
    >>> chord_excess(lambda x: float(x @ x), line) < 1e-12
    True
    >>> chord_excess(lambda x: -float(x @ x), line) > 0.9
    True
    """
    check_callable(f, "f", takes="a vector")
    X = check_matrix(points, name="points")
    count = check_count(n_chords, "n_chords")
    rng = check_random_state(random_state)
    ends = rng.integers(len(X), size=(count, 2))
    shares = rng.uniform(size=count)
    return max(
        float(f(t * X[i] + (1 - t) * X[j]) - t * f(X[i]) - (1 - t) * f(X[j]))
        for (i, j), t in zip(ends, shares, strict=True)
    )


def find_escape(
    contains: Callable[[Array], bool],
    points: ArrayLike,
    *,
    n_segments: int = 1000,
    random_state: int | np.random.Generator = 0,
) -> tuple[Array, Array, Array] | None:
    r"""Look for a segment that leaves a set between two of its points.

    Parameters
    ----------
    contains : callable
        Whether a vector belongs to the set.
    points : array-like of shape (n, d)
        Candidates for the ends; those outside the set are left out.
    n_segments : int
        How many are tried, at the middle and at a random place.
    random_state : int or numpy.random.Generator
        Which ones.

    Returns
    -------
    tuple of three points or None
        Two points of the set and one between them that is not: the set is not convex. None if no
        such segment was found, which proves nothing.

    Examples
    --------
    >>> find_escape(lambda x: x[0] ** 2 > 2, [[-2.0], [2.0]])
    (array([-2.]), array([2.]), array([0.]))
    >>> find_escape(lambda x: x[0] ** 2 < 2, [[-1.0], [1.0]]) is None
    True
    """
    check_callable(contains, "contains", takes="a vector")
    X = check_matrix(points, name="points")
    inside = [x for x in X if contains(x)]
    rng = check_random_state(random_state)
    for _ in range(check_count(n_segments, "n_segments") if inside else 0):
        x, other = inside[rng.integers(len(inside))], inside[rng.integers(len(inside))]
        for t in (0.5, rng.uniform()):
            between = t * x + (1 - t) * other
            if not contains(between):
                first, second = sorted((x, other), key=lambda end: tuple(end))
                return first, second, between
    return None


def is_positive_semidefinite(matrix: ArrayLike, *, tol: float = 1e-10) -> bool:
    r"""Decide whether a symmetric matrix has no negative eigenvalue.

    For a matrix of second derivatives this is what convexity asks for: semidefinite and not
    definite, since :math:`x_1^2` on the plane is convex and its Hessian has the eigenvalue 0. A
    function of two points is a kernel exactly if all its Gram matrices pass.

    Parameters
    ----------
    matrix : array-like of shape (d, d)
        Symmetric.
    tol : float
        What rounding may have taken from a zero eigenvalue, relative to the largest entry.

    Returns
    -------
    bool
        Whether it is positive semidefinite, up to rounding.

    Examples
    --------
    >>> is_positive_semidefinite([[2.0, 0.0], [0.0, 0.0]])
    True
    >>> is_positive_semidefinite([[0.0, 1.0], [1.0, 0.0]])
    False
    """
    M = _symmetric(matrix, "matrix")
    slip = check_scalar(tol, "tol", least=0)
    return bool(np.linalg.eigvalsh(M)[0] >= -slip * float(np.abs(M).max()))


def _symmetric(matrix: ArrayLike, name: str) -> Array:
    M = check_matrix(matrix, name=name)
    slip = 1e-8 * float(np.abs(M).max())
    if M.shape[0] != M.shape[1] or not np.allclose(M, M.T, rtol=0.0, atol=slip):
        raise ValueError(f"{name} must be square and symmetric, got shape {M.shape}.")
    return M


def _check_counts(counts: ArrayLike) -> Array:
    x = check_vector(counts, name="counts")
    if (x < 0).any() or not x.any():
        raise ValueError("counts must not be negative, and at least one must be positive.")
    return x


def categorical_mle(counts: ArrayLike) -> tuple[Array, float]:
    r"""Return the most likely die for the counts of its faces.

    It maximises :math:`\sum_kx_k\log\theta_k` where :math:`\sum_k\theta_k=1`. The Lagrangian
    :math:`\sum_kx_k\log\theta_k+\nu(\sum_k\theta_k-1)` is stationary at
    :math:`\theta_k=x_k/\sum_jx_j` with :math:`\nu=-\sum_jx_j`.

    Parameters
    ----------
    counts : array-like of shape (K,)
        How often each face was seen, not all zero.

    Returns
    -------
    theta : ndarray of shape (K,)
        The probabilities.
    multiplier : float
        :math:`\nu`.

    Examples
    --------
    >>> categorical_mle([1, 2, 5])
    (array([0.125, 0.25 , 0.625]), -8.0)
    """
    x = _check_counts(counts)
    return x / x.sum(), -float(x.sum())


def squared_constraint_mle(counts: ArrayLike) -> tuple[Array, float]:
    r"""Maximise :math:`\sum_dx_d\log\theta_d` over the part of the unit sphere with θ ≥ 0.

    Parameters
    ----------
    counts : array-like of shape (K,)
        Nonnegative exponents :math:`x_d`, not all zero.

    Returns
    -------
    theta : ndarray of shape (K,)
        :math:`\sqrt{x_d/\sum_jx_j}`.
    multiplier : float
        :math:`\lambda=-\frac12\sum_jx_j`.

    Examples
    --------
    >>> squared_constraint_mle([9, 16])
    (array([0.6, 0.8]), -12.5)
    """
    x = _check_counts(counts)
    return np.sqrt(x / x.sum()), -0.5 * float(x.sum())


def squared_constraint_dual(counts: ArrayLike, multiplier: float) -> float:
    r"""Return :math:`\sup_\theta\sum_dx_d\log\theta_d+\lambda(\sum_d\theta_d^2-1)`.

    It is finite exactly for :math:`\lambda<0`; at :math:`\lambda=-\frac12\sum_dx_d` it is least,
    and equal to the greatest value of the problem it bounds.

    Parameters
    ----------
    counts : array-like of shape (K,)
        Nonnegative exponents, not all zero.
    multiplier : float
        :math:`\lambda`.

    Returns
    -------
    float
        An upper bound on the constrained maximum; infinite for :math:`\lambda\ge0`.

    Examples
    --------
    >>> squared_constraint_dual([1, 2, 3], -3.0)
    -3.034...
    >>> squared_constraint_dual([1, 2, 3], 0.1)
    inf
    """
    x = _check_counts(counts)
    multiplier = check_scalar(multiplier, "multiplier")
    if multiplier >= 0:
        return math.inf
    x = x[x > 0]
    return float(0.5 * (x @ np.log(x / (-2 * multiplier)) - x.sum()) - multiplier)
