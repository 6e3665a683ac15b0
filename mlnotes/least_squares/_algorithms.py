"""Boxed algorithms of least squares: factorisations, substitution, Krylov and relaxation steps."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from mlnotes._numerics import ROUNDOFF, thin_svd
from mlnotes.validation import (
    Array,
    check_count,
    check_matrix,
    check_numbers,
    check_square,
    check_target,
    check_vector,
)

# A pivot below this many units of rounding of what it was subtracted from is none.
PIVOT_TOL = 16 * ROUNDOFF
# What is left of a vector when all of it but rounding was subtracted.
RESIDUAL_TOL = 1e-13
# Jacobi's sweeps converge quadratically; ten are many.
MAX_SWEEPS = 60


def least_squares(X: ArrayLike, y: ArrayLike) -> Array:
    r"""Return the weights of least squares, by a QR factorisation of the features.

    With :math:`X=QR` the normal equations :math:`X^\top X\theta=X^\top y` are
    :math:`R\theta=Q^\top y`, and the condition number is not squared.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Points with independent features; :func:`mlnotes.perceptron.augment` them for an offset.
    y : array-like of shape (n_samples,)
        Targets.

    Returns
    -------
    ndarray of shape (n_features,)
        The weights.

    Examples
    --------
    >>> least_squares([[0.0, 1.0], [1.0, 1.0], [2.0, 1.0]], [1.0, 3.0, 5.0]).round(6)
    array([2., 1.])
    """
    points = check_matrix(X)
    target = check_target(y, len(points))
    Q, R = np.linalg.qr(points)
    diagonal = np.abs(R.diagonal())
    few = R.shape[0] < R.shape[1]
    if few or diagonal.min() <= 1e-14 * diagonal.max():
        advice = "leave some out, or use LeastSquares."
        message = f"the features in X are dependent; {advice}"
        raise ValueError(message)
    return back_substitution(R, Q.T @ target)


def cholesky(A: ArrayLike) -> Array:
    r"""Factor a positive definite matrix as :math:`A=R^\top R` with upper triangular R.

    The first row of R is the first row of A over the root of its first entry. Subtracting the
    product of that row with itself clears the first row and column, and leaves a positive definite
    matrix that is smaller by one.

    Parameters
    ----------
    A : array-like of shape (d, d)
        Symmetric and positive definite.

    Returns
    -------
    ndarray of shape (d, d)
        R, with a positive diagonal.

    Examples
    --------
    >>> cholesky([[4.0, 2.0], [2.0, 5.0]])
    array([[2., 1.],
           [0., 2.]])
    """
    rest = _symmetric(A).copy()
    R, diagonal = np.zeros_like(rest), rest.diagonal().copy()
    for j in range(len(rest)):
        if not rest[j, j] > PIVOT_TOL * diagonal[j]:
            raise ValueError("A is not positive definite, up to rounding; there is no factor R.")
        R[j, j:] = rest[j, j:] / np.sqrt(rest[j, j])
        rest[j:, j:] -= np.outer(R[j, j:], R[j, j:])
    return R


def _symmetric(A: ArrayLike) -> Array:
    matrix = check_square(A, name="A")
    if np.abs(matrix - matrix.T).max() > 1e-8 * np.abs(matrix).max():
        raise ValueError("A must be symmetric; pass (A + A.T) / 2 if both halves mean the same.")
    return matrix


def forward_substitution(R: ArrayLike, b: ArrayLike) -> Array:
    r"""Solve :math:`R^\top z=b` for an upper triangular R, from the first unknown to the last.

    Parameters
    ----------
    R : array-like of shape (d, d)
        What is below its diagonal is not read.
    b : array-like of shape (d,)
        The right-hand side.

    Returns
    -------
    ndarray of shape (d,)
        :math:`z_i=(b_i-\sum_{j<i}R_{ji}z_j)/R_{ii}`.

    Examples
    --------
    >>> forward_substitution([[2.0, 1.0], [0.0, 2.0]], [4.0, 8.0])
    array([2., 3.])
    """
    triangle = _triangle(R, "R")
    side = check_vector(b, len(triangle), name="b")
    z = np.zeros(len(side))
    for i in range(len(side)):
        z[i] = (side[i] - triangle[:i, i] @ z[:i]) / triangle[i, i]
    return z


def back_substitution(R: ArrayLike, b: ArrayLike) -> Array:
    r"""Solve :math:`R\theta=b` for an upper triangular R, from the last unknown to the first.

    Parameters
    ----------
    R : array-like of shape (d, d)
        What is below its diagonal is not read.
    b : array-like of shape (d,)
        The right-hand side.

    Returns
    -------
    ndarray of shape (d,)
        :math:`\theta_i=(b_i-\sum_{j>i}R_{ij}\theta_j)/R_{ii}`.

    Examples
    --------
    >>> back_substitution([[2.0, 1.0], [0.0, 2.0]], [2.0, 3.0])
    array([0.25, 1.5 ])
    """
    triangle = _triangle(R, "R")
    side = check_vector(b, len(triangle), name="b")
    theta = np.zeros(len(side))
    for i in reversed(range(len(side))):
        theta[i] = (side[i] - triangle[i, i + 1 :] @ theta[i + 1 :]) / triangle[i, i]
    return theta


def _triangle(R: ArrayLike, name: str) -> Array:
    triangle = check_square(R, name=name)
    if not triangle.diagonal().all():
        raise ValueError(
            f"{name} has a zero on its diagonal, so that there is no solution or many."
        )
    return triangle


def solve_normal_equations(X: ArrayLike, y: ArrayLike) -> Array:
    r"""Solve :math:`X^\top X\theta=X^\top y` by Cholesky's factor of :math:`X^\top X`.

    About half the work of a QR factorisation, and twice the digits lost: the condition number of
    :math:`X^\top X` is the square of that of X.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Points with independent features.
    y : array-like of shape (n_samples,)
        Targets.

    Returns
    -------
    ndarray of shape (n_features,)
        The weights.

    Examples
    --------
    >>> solve_normal_equations([[0.0, 1.0], [1.0, 1.0], [2.0, 1.0]], [1.0, 3.0, 5.0]).round(6)
    array([2., 1.])
    """
    points, target = _problem(X, y)
    try:
        R = cholesky(points.T @ points)
    except ValueError as error:
        message = "the features in X are dependent, up to rounding."
        raise ValueError(message) from error
    z = forward_substitution(R, points.T @ target)
    return back_substitution(R, z)


def _problem(X: ArrayLike, y: ArrayLike) -> tuple[Array, Array]:
    points = check_matrix(X, squares=True)
    return points, check_target(y, len(points))


def gram_by_rows(rows: Iterable[ArrayLike]) -> Array:
    r"""Add up :math:`X^\top X=\sum_ix_ix_i^\top` one row at a time, so that X is never stored.

    Parameters
    ----------
    rows : iterable of array-like of shape (d,)
        The rows of X; a matrix, or a generator that reads them from somewhere.

    Returns
    -------
    ndarray of shape (d, d)
        The sum of the products of each row with itself.

    Examples
    --------
    >>> gram_by_rows([x, 1.0] for x in range(3))
    array([[5., 3.],
           [3., 3.]])
    """
    if not np.iterable(rows) or isinstance(rows, str | bytes):
        raise TypeError(f"rows must be an iterable of vectors, got {rows!r}.")
    G: Array | None = None
    for row in rows:
        x = check_vector(row, None if G is None else len(G), name="a row of rows")
        G = np.outer(x, x) if G is None else G + np.outer(x, x)
    if G is None:
        raise ValueError("rows is empty; there must be at least one row.")
    return G


def householder_qr(X: ArrayLike, y: ArrayLike) -> tuple[Array, Array]:
    r"""Reflect the columns of X into an upper triangle, and y along with them.

    The reflection :math:`I-2vv^\top` in step j maps what is left of column j to a multiple of the
    first unit vector. All of them together are :math:`Q^\top`, so that :math:`Q^\top X` is R over
    zeros, and :math:`\lVert X\theta-y\rVert` the length of :math:`Q^\top X\theta-Q^\top y`.

    Parameters
    ----------
    X : array-like of shape (n, d)
        With at least as many rows as columns.
    y : array-like of shape (n,) or (n, k)
        Targets; the identity gives :math:`Q^\top` itself.

    Returns
    -------
    R : ndarray of shape (d, d)
        The triangle.
    z : ndarray of the shape of y
        :math:`Q^\top y`: solve :math:`R\theta=(z_1,\dots,z_d)`; the others are the residual.

    Examples
    --------
    >>> R, z = householder_qr([[0.0, 1.0], [1.0, 1.0], [2.0, 1.0]], [1.0, 3.0, 5.0])
    >>> back_substitution(R, z[:2]).round(6), bool(abs(z[2]) < 1e-14)
    (array([2., 1.]), True)
    """
    R, z = _reflectable(X, y)
    d = R.shape[1]
    for j in range(d):
        v = R[j:, j].copy()
        v[0] += np.copysign(np.linalg.norm(v), v[0])  # away from zero, where digits cancel
        length = np.linalg.norm(v)
        if length > 0:
            v /= length
            R[j:, j:] -= 2 * np.outer(v, v @ R[j:, j:])
            z[j:] -= 2 * np.multiply.outer(v, v @ z[j:])
    return np.triu(R[:d]), z


def _reflectable(X: ArrayLike, y: ArrayLike) -> tuple[Array, Array]:
    """Return copies of X and y with as many rows each, at least as many as X has columns."""
    points, targets = check_matrix(X, squares=True).copy(), check_numbers(y, "y").copy()
    n, d = points.shape
    if n < d:
        raise ValueError(f"X must have at least as many rows as columns, got {points.shape}.")
    if targets.ndim not in (1, 2) or len(targets) != n:
        raise ValueError(f"y must have {n} rows as X has, got the shape {targets.shape}.")
    return points, targets


def svd_least_squares(X: ArrayLike, y: ArrayLike) -> Array:
    r"""Return the shortest weights of least squares, by the singular value decomposition.

    With :math:`X=U\Gamma V^\top`, of positive singular values only, they are
    :math:`V\Gamma^{-1}U^\top y`, whatever the rank.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Points.
    y : array-like of shape (n_samples,)
        Targets.

    Returns
    -------
    ndarray of shape (n_features,)
        Of all minimisers the one with the least length.

    Examples
    --------
    >>> svd_least_squares([[1.0, 1.0], [2.0, 2.0]], [2.0, 4.0]).round(6)
    array([1., 1.])
    """
    points, target = _problem(X, y)
    U, gamma, V = jacobi_svd(points)
    return np.asarray(V @ ((U.T @ target) / gamma))


def jacobi_svd(X: ArrayLike) -> tuple[Array, Array, Array]:
    r"""Turn the columns of X in pairs until all are orthogonal: :math:`XV=U\Gamma`.

    Two columns that are turned in the plane that they span become orthogonal at one angle, and V
    collects the turns. The lengths in the end are the singular values.

    Parameters
    ----------
    X : array-like of shape (n, d)
        Any matrix.

    Returns
    -------
    U : ndarray of shape (n, rank)
        Orthonormal columns.
    gamma : ndarray of shape (rank,)
        The singular values, in descending order, without those that are zero up to rounding.
    V : ndarray of shape (d, rank)
        Orthonormal columns.

    Examples
    --------
    >>> U, gamma, V = jacobi_svd([[3.0, 0.0], [4.0, 5.0]])
    >>> gamma.round(6), np.allclose((U * gamma) @ V.T, [[3.0, 0.0], [4.0, 5.0]])
    (array([6.708204, 2.236068]), True)
    """
    points = check_matrix(X, squares=True)
    if points.shape[0] < points.shape[1]:
        V, gamma, U = jacobi_svd(points.T)
        return U, gamma, V
    columns, V = points.copy(), np.eye(points.shape[1])
    nothing = max(points.shape) * ROUNDOFF * np.linalg.norm(points)
    right_angle = 4 * ROUNDOFF * np.sqrt(len(points))
    for _ in range(MAX_SWEEPS):
        turned = False
        for pair in combinations(range(len(V)), 2):
            (a, c), (_, b) = columns[:, pair].T @ columns[:, pair]
            if abs(c) > right_angle * np.sqrt(a) * np.sqrt(b) and min(a, b) > nothing**2:
                zeta = (b - a) / (2 * c)
                tangent = np.copysign(1, zeta) / (abs(zeta) + np.hypot(1, zeta))
                turn = np.array([[1, tangent], [-tangent, 1]]) / np.hypot(1, tangent)
                columns[:, pair], V[:, pair] = columns[:, pair] @ turn, V[:, pair] @ turn
                turned = True
        if not turned:
            break
    lengths = np.linalg.norm(columns, axis=0)
    order = np.argsort(-lengths)[: int(np.sum(lengths > nothing))]
    return columns[:, order] / lengths[order], lengths[order], V[:, order]


def pseudo_inverse(X: ArrayLike) -> Array:
    r"""Return the Moore–Penrose inverse :math:`V\Gamma^{-1}U^\top` of :math:`X=U\Gamma V^\top`.

    For independent columns it is :math:`(X^\top X)^{-1}X^\top`.

    Parameters
    ----------
    X : array-like of shape (n, d)
        Any matrix.

    Returns
    -------
    ndarray of shape (d, n)
        Its pseudo-inverse.

    Examples
    --------
    >>> pseudo_inverse([[1.0], [2.0]]).round(6)
    array([[0.2, 0.4]])
    """
    U, gamma, V = thin_svd(check_matrix(X, squares=True))
    return np.asarray((V / gamma) @ U.T)


def golub_kahan(X: ArrayLike, y: ArrayLike, n_steps: int) -> tuple[Array, Array, Array]:
    r"""Find orthonormal bases in which X is bidiagonal, starting from y.

    Each step multiplies once by X and once by :math:`X^\top`, subtracts the last vector, and
    normalises; so that :math:`XV=UB`. In exact arithmetic the result is orthogonal to all earlier
    vectors by itself; against rounding, what it has of them is subtracted once more.

    Parameters
    ----------
    X : array-like of shape (n, d)
        Any matrix.
    y : array-like of shape (n,)
        The direction of the first column of U; not zero.
    n_steps : int
        The number of columns of V, if it does not end before.

    Returns
    -------
    U : ndarray of shape (n, t + 1)
        With t columns where X maps V into their span.
    B : ndarray of shape (t + 1, t)
        Lower bidiagonal.
    V : ndarray of shape (d, t)
        After d steps, or as many as there are distinct singular values, there are no more.

    Examples
    --------
    >>> X = [[1.0, 0.0], [0.0, 2.0], [0.0, 0.0]]
    >>> U, B, V = golub_kahan(X, [1.0, 1.0, 1.0], 2)
    >>> np.allclose(X @ V, U @ B), B.shape
    (True, (3, 2))
    """
    A, target = _problem(X, y)
    U = [_unit(target, "y")]
    v = A.T @ U[0]
    V, alphas, betas = [_unit(v, "the product of X and y")], [float(np.linalg.norm(v))], []
    for _ in range(check_count(n_steps, "n_steps")):
        u = _without(A @ V[-1] - alphas[-1] * U[-1], U)
        betas.append(float(np.linalg.norm(u)))
        if betas[-1] <= RESIDUAL_TOL * max(alphas):
            break
        U.append(u / betas[-1])
        v = _without(A.T @ U[-1] - betas[-1] * V[-1], V)
        alphas.append(float(np.linalg.norm(v)))
        if alphas[-1] <= RESIDUAL_TOL * max(alphas) or len(betas) == n_steps:
            break
        V.append(v / alphas[-1])
    t = len(V)
    B = np.vstack([np.diag(alphas[:t]), np.zeros(t)])
    B[np.arange(1, t + 1), np.arange(t)] = betas[:t]
    return np.transpose(U), B[: len(U)], np.transpose(V)


def _without(v: Array, basis: list[Array]) -> Array:
    """Return what is left of a vector without its components along orthonormal ones."""
    for u in basis:
        v = v - (u @ v) * u
    return v


def _unit(v: Array, name: str) -> Array:
    length = float(np.linalg.norm(v))
    if not 0 < length < np.inf:
        raise ValueError(f"{name} is zero, or too long for a float; there is no first direction.")
    return np.asarray(v / length)


def lsqr(X: Any, y: ArrayLike, n_steps: int | None = None) -> Array:
    r"""Minimise :math:`\lVert X\theta-y\rVert` by products with X and :math:`X^\top` alone.

    Each step extends the bidiagonal matrix of :func:`golub_kahan` by a row and a column, rotates
    it into a triangle, and solves for one more direction; only the last vectors are kept.

    Parameters
    ----------
    X : array-like, sparse matrix or LinearOperator of shape (n, d)
        Anything with ``X @ v`` and ``X.T @ u``.
    y : array-like of shape (n,)
        Targets.
    n_steps : int, optional
        How many steps at most; d if not given, which is enough in exact arithmetic. It ends early
        when :math:`X^\top(X\theta-y)` vanishes up to rounding.

    Returns
    -------
    ndarray of shape (steps + 1, d)
        The path from zero.

    Examples
    --------
    >>> lsqr([[0.0, 1.0], [1.0, 1.0], [2.0, 1.0]], [1.0, 3.0, 5.0])[-1].round(6)
    array([2., 1.])
    """
    A, u = _operator(X, y)
    path = [np.zeros(A.shape[1])]
    steps = check_count(len(path[0]) if n_steps is None else n_steps, "n_steps")
    u, phi_bar = _normalised(u)
    v, alpha = _normalised(A.T @ u)
    w, rho_bar, start = v, alpha, alpha * phi_bar
    for _ in range(steps):
        if alpha == 0 or abs(phi_bar * rho_bar) <= ROUNDOFF * start:
            break
        u, beta = _normalised(A @ v - alpha * u)
        v, alpha = _normalised(A.T @ u - beta * v)
        rho = np.hypot(rho_bar, beta)
        cosine, sine = rho_bar / rho, beta / rho
        path.append(path[-1] + (cosine * phi_bar / rho) * w)
        w = v - (sine * alpha / rho) * w
        rho_bar, phi_bar = -cosine * alpha, sine * phi_bar
    return np.array(path)


def _operator(X: Any, y: ArrayLike) -> tuple[Any, Array]:
    """Return X as it is if it can be multiplied but is no array, and y."""
    known = hasattr(X, "shape") and hasattr(X, "T") and hasattr(X, "dot")
    A = X if known and not isinstance(X, np.ndarray) and not hasattr(X, "columns") else None
    if A is None:
        A = check_matrix(X, squares=True)
    elif len(A.shape) != 2:
        raise ValueError(f"X must have rows and columns, got the shape {A.shape}.")
    return A, check_vector(y, A.shape[0], name="y")


def _normalised(v: Array) -> tuple[Array, float]:
    length = float(np.linalg.norm(v))
    return (v / length, length) if length > 0 else (v, 0.0)


def gauss_seidel(X: ArrayLike, y: ArrayLike, n_sweeps: int) -> Array:
    r"""Solve the normal equations one unknown at a time, over and over.

    With :math:`G=X^\top X` and :math:`c=X^\top y`, an unknown takes the value that satisfies its
    own equation while the others stay: the sum of squares is least along that coordinate.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Points; no column is zero.
    y : array-like of shape (n_samples,)
        Targets.
    n_sweeps : int
        How often to go through all unknowns; fewer if a sweep changes nothing.

    Returns
    -------
    ndarray of shape (sweeps + 1, n_features)
        The path from zero.

    Examples
    --------
    >>> gauss_seidel([[1.0, 0.0], [1.0, 1.0]], [1.0, 3.0], 60)[-1].round(6)
    array([1., 2.])
    """
    points, target = _problem(X, y)
    G, c = points.T @ points, points.T @ target
    if not G.diagonal().all():
        raise ValueError("X has a column of zeros, whose weight no equation determines.")
    theta = np.zeros(len(c))
    path = [theta.copy()]
    for _ in range(check_count(n_sweeps, "n_sweeps")):
        for j in range(len(c)):
            theta[j] += (c[j] - G[j] @ theta) / G[j, j]
        path.append(theta.copy())
        if np.array_equal(path[-1], path[-2]):
            break
    return np.array(path)


def fit_line(x: ArrayLike, y: ArrayLike) -> tuple[float, float]:
    r"""Fit a line to points in the plane; it goes through their centroid.

    The slope is :math:`\sum_i(x_i-\bar x)(y_i-\bar y)/\sum_i(x_i-\bar x)^2`, and the intercept
    :math:`\bar y` minus the slope times :math:`\bar x`.

    Parameters
    ----------
    x : array-like of shape (n,)
        Not all equal.
    y : array-like of shape (n,)
        Targets.

    Returns
    -------
    slope : float
        What y gains where x gains one.
    intercept : float
        The height of the line at zero.

    Examples
    --------
    >>> fit_line([0.0, 1.0, 2.0], [1.0, 3.0, 5.0])
    (2.0, 1.0)
    """
    inputs = check_vector(x, name="x")
    target = check_vector(y, len(inputs), name="y")
    if not len(inputs) or np.ptp(inputs) == 0:
        raise ValueError("x must hold two different numbers; otherwise every slope fits alike.")
    centre, level = inputs.mean(), target.mean()
    deviations = inputs - centre
    slope = float(deviations @ (target - level) / (deviations @ deviations))
    return slope, float(level - slope * centre)


def merge_triangles(R: ArrayLike, S: ArrayLike) -> Array:
    r"""Return the triangle T of two data sets together, from the triangles of each.

    If :math:`R^\top R` and :math:`S^\top S` are what two sets of rows add to :math:`X^\top X`, the
    triangle of R over S satisfies :math:`T^\top T=R^\top R+S^\top S`: whoever has R and S needs no
    row of the data. With the target as a last column, T also holds the right-hand side.

    Parameters
    ----------
    R, S : array-like of shape (k, k)
        Upper triangular, as from :func:`householder_qr` of X with y appended.

    Returns
    -------
    ndarray of shape (k, k)
        Upper triangular, with a diagonal that is not negative.

    Examples
    --------
    >>> merge_triangles([[3.0]], [[4.0]])
    array([[5.]])
    """
    first, second = check_square(R, name="R"), check_square(S, name="S")
    if first.shape != second.shape:
        raise ValueError(f"R and S must have one shape, got {first.shape} and {second.shape}.")
    T: Array = np.asarray(np.linalg.qr(np.vstack([np.triu(first), np.triu(second)]), mode="r"))
    signs = np.where(T.diagonal() < 0, -1.0, 1.0)
    return np.asarray(signs[:, None] * T)
