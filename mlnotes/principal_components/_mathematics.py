"""What principal components are defined by: centring, projections, variances, merged moments."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from mlnotes._solvers.principal_components import orient
from mlnotes.validation import (
    Array,
    check_count,
    check_matrix,
    check_numbers,
    check_scalar,
    check_square,
    check_weights,
)


class Moments(NamedTuple):
    """How many samples there are, their mean, and their scatter matrix about it.

    Attributes
    ----------
    weight : float
        The number of samples, or the sum of their weights.
    mean : ndarray of shape (d,)
        Their mean.
    scatter : ndarray of shape (d, d)
        The sum of the products of deviations from the mean; over ``weight``, the covariance.

    Examples
    --------
    >>> Moments(2.0, np.zeros(1), np.ones((1, 1))).weight
    2.0
    """

    weight: float
    mean: Array
    scatter: Array


def centring_matrix(n: int) -> Array:
    r"""Return :math:`M=I-\frac1n11^\top`, which subtracts the mean from every column.

    It is symmetric and idempotent, and :math:`M1=0`.

    Parameters
    ----------
    n : int
        The number of samples, at most 10 000.

    Returns
    -------
    ndarray of shape (n, n)
        The matrix.

    Examples
    --------
    >>> centring_matrix(2)
    array([[ 0.5, -0.5],
           [-0.5,  0.5]])
    """
    size = check_count(n, "n", at_most=10_000)
    return np.eye(size) - 1 / size


def double_centre(A: ArrayLike) -> Array:
    r"""Return :math:`MAM`: subtract the averages of columns and rows, add that of all entries.

    A kernel matrix becomes that of centred features. Minus half the squared distances become the
    inner products of centred points.

    Parameters
    ----------
    A : array-like of shape (n, n)
        A square matrix.

    Returns
    -------
    ndarray of shape (n, n)
        Its rows and columns sum to zero.

    Examples
    --------
    >>> double_centre([[4.0, 2.0], [2.0, 0.0]])
    array([[0., 0.],
           [0., 0.]])
    """
    matrix = check_square(A, name="A")
    rows = matrix - matrix.mean(axis=0)
    return np.asarray(rows - rows.mean(axis=1, keepdims=True))


def centre_new_kernel(K_new: ArrayLike, K: ArrayLike) -> Array:
    r"""Centre the kernel values of new points by the averages over the training points.

    For one row :math:`k`: :math:`k_i-\frac1n\sum_jK_{ij}-\frac1n\sum_jk_j
    +\frac1{n^2}\sum_{jl}K_{jl}`.

    Parameters
    ----------
    K_new : array-like of shape (m, n)
        Kernel values of new points (rows) with the training points (columns).
    K : array-like of shape (n, n)
        Kernel matrix of the training points, not centred.

    Returns
    -------
    ndarray of shape (m, n)
        Inner products of features, all of them less the mean of the training features.

    Examples
    --------
    >>> x, new = np.array([[1.0], [3.0]]), np.array([[4.0]])
    >>> centre_new_kernel(new @ x.T, x @ x.T)  # (4 - 2)(1 - 2) and (4 - 2)(3 - 2)
    array([[-2.,  2.]])
    """
    gram = check_square(K, name="K")
    values = check_matrix(K_new, name="K_new", squares=False)
    if values.shape[1] != len(gram):
        raise ValueError(
            f"K_new must have a column for each of the {len(gram)} training points of K, got shape "
            f"{values.shape}."
        )
    means = gram.mean(axis=0)
    return np.asarray(values - means - (values - means).mean(axis=1, keepdims=True))


def fix_signs(U: ArrayLike) -> Array:
    """Turn every column so that its entry largest in absolute value is positive.

    A direction and its opposite are the same component. Of entries equally large, up to rounding,
    the first decides; so the answer does not depend on the order of computation.

    Parameters
    ----------
    U : array-like of shape (d, k)
        Directions, one a column.

    Returns
    -------
    ndarray of shape (d, k)
        The same directions.

    Examples
    --------
    >>> fix_signs([[0.6, 0.8], [-0.8, 0.6]])
    array([[-0.6,  0.8],
           [ 0.8,  0.6]])
    """
    return orient(check_matrix(U, name="U"))


def reconstruct(X: ArrayLike, U: ArrayLike) -> Array:
    r"""Return :math:`\bar x+UU^\top(x_i-\bar x)` for every sample: its projection.

    Parameters
    ----------
    X : array-like of shape (n, d)
        Points.
    U : array-like of shape (d, k)
        Orthonormal directions, one a column.

    Returns
    -------
    ndarray of shape (n, d)
        The nearest points of the plane through the mean that U spans.

    Examples
    --------
    >>> reconstruct([[0.0, 1.0], [2.0, 3.0]], [[1.0], [0.0]])
    array([[0., 2.],
           [2., 2.]])
    """
    points, directions = _check_frame(X, U)
    mean = points.mean(axis=0)
    return np.asarray(mean + (points - mean) @ directions @ directions.T)


def reconstruction_error(X: ArrayLike, U: ArrayLike) -> float:
    r"""Return :math:`\sum_i\lVert(x_i-\bar x)-UU^\top(x_i-\bar x)\rVert^2`.

    Among all orthonormal frames of k directions the first k principal directions make it least;
    then it is the sum of the other eigenvalues of the scatter matrix.

    Parameters
    ----------
    X : array-like of shape (n, d)
        Points.
    U : array-like of shape (d, k)
        Orthonormal directions, one a column.

    Returns
    -------
    float
        The sum of squared distances from the plane through the mean.

    Examples
    --------
    >>> reconstruction_error([[0.0, 1.0], [2.0, 3.0]], [[1.0], [0.0]])
    2.0
    """
    points, directions = _check_frame(X, U)
    centred = points - points.mean(axis=0)
    return float(((centred - centred @ directions @ directions.T) ** 2).sum())


def explained_variance(X: ArrayLike, U: ArrayLike) -> Array:
    r"""Return the variance :math:`\frac1n\sum_i\langle u_j,x_i-\bar x\rangle^2` along each column.

    Parameters
    ----------
    X : array-like of shape (n, d)
        Points.
    U : array-like of shape (d, k)
        Orthonormal directions, one a column.

    Returns
    -------
    ndarray of shape (k,)
        For principal directions, the eigenvalues of the scatter matrix over n.

    Examples
    --------
    >>> explained_variance([[0.0, 1.0], [2.0, 4.0]], np.eye(2))
    array([1.  , 2.25])
    """
    points, directions = _check_frame(X, U)
    return np.asarray((((points - points.mean(axis=0)) @ directions) ** 2).mean(axis=0))


def explained_variance_ratio(X: ArrayLike, U: ArrayLike) -> Array:
    """Return the share of the total variance that lies along each column of U.

    Parameters
    ----------
    X : array-like of shape (n, d)
        Points.
    U : array-like of shape (d, k)
        Orthonormal directions, one a column.

    Returns
    -------
    ndarray of shape (k,)
        Shares of 1; all 0 if the points do not vary.

    Examples
    --------
    >>> explained_variance_ratio([[0.0, 0.0], [2.0, 4.0]], np.eye(2))
    array([0.2, 0.8])
    """
    along = explained_variance(X, U)
    points = check_matrix(X)
    total = float(((points - points.mean(axis=0)) ** 2).mean(axis=0).sum())
    return along / total if total > 0 else np.zeros_like(along)


def soft_threshold(A: ArrayLike, tau: float) -> Array:
    r"""Move every entry towards zero by :math:`\tau`, and no further than zero.

    Parameters
    ----------
    A : array-like
        Numbers of any shape.
    tau : float
        Not negative.

    Returns
    -------
    ndarray
        What minimises :math:`\frac12\lVert A-S\rVert_F^2+\tau\sum_{ij}|S_{ij}|` over S.

    Examples
    --------
    >>> soft_threshold([3.0, -0.5, -2.0], 1.0)
    array([ 2., -0., -1.])
    """
    table, least = check_numbers(A, "A"), check_scalar(tau, "tau", least=0)
    return np.asarray(np.sign(table) * np.maximum(np.abs(table) - least, 0.0))


def singular_value_threshold(A: ArrayLike, tau: float) -> Array:
    r"""Move every singular value towards zero by :math:`\tau`, and no further than zero.

    Parameters
    ----------
    A : array-like of shape (n, d)
        A matrix.
    tau : float
        Not negative.

    Returns
    -------
    ndarray of shape (n, d)
        What minimises :math:`\frac12\lVert A-L\rVert_F^2+\tau\lVert L\rVert_*` over L, where the
        nuclear norm is the sum of the singular values.

    Examples
    --------
    >>> singular_value_threshold([[3.0, 0.0], [0.0, 0.5]], 1.0)
    array([[2., 0.],
           [0., 0.]])
    """
    table, least = check_matrix(A, name="A", squares=True), check_scalar(tau, "tau", least=0)
    left, values, right = np.linalg.svd(table, full_matrices=False)
    return np.asarray((left * np.maximum(values - least, 0.0)) @ right)


def moments(X: ArrayLike, sample_weight: ArrayLike | None = None) -> Moments:
    """Return number, mean and scatter matrix of some samples.

    Parameters
    ----------
    X : array-like of shape (n, d)
        Samples.
    sample_weight : array-like of shape (n,), optional
        How often each sample counts.

    Returns
    -------
    Moments
        All that principal components need to know of the samples.

    Examples
    --------
    >>> moments([[0.0], [4.0]])
    Moments(weight=2.0, mean=array([2.]), scatter=array([[8.]]))
    """
    points = check_matrix(X, squares=True)
    given = check_weights(sample_weight, len(points))
    weights = np.ones(len(points)) if given is None else given
    mean = weights @ points / weights.sum()
    centred = points - mean
    return Moments(float(weights.sum()), mean, (centred.T * weights) @ centred)


def merge_moments(a: Moments, b: Moments) -> Moments:
    r"""Return the moments of two sets of samples together.

    With :math:`n_a,n_b` samples of means :math:`m_a,m_b` and scatter matrices :math:`S_a,S_b` it is

    .. math:: S=S_a+S_b+\frac{n_an_b}{n_a+n_b}(m_a-m_b)(m_a-m_b)^\top.

    Parameters
    ----------
    a, b : Moments
        From :func:`moments`.

    Returns
    -------
    Moments
        Those of the union.

    Examples
    --------
    >>> merge_moments(moments([[0.0]]), moments([[4.0]]))
    Moments(weight=2.0, mean=array([2.]), scatter=array([[8.]]))
    """
    (n_a, m_a, S_a), (n_b, m_b, S_b) = _check_moments(a, "a"), _check_moments(b, "b")
    if m_a.shape != m_b.shape:
        raise ValueError(f"a and b must have as many features, got {m_a.shape} and {m_b.shape}.")
    n, gap = n_a + n_b, m_b - m_a
    return Moments(n, m_a + n_b / n * gap, S_a + S_b + n_a * n_b / n * np.outer(gap, gap))


def _check_moments(given: Moments, name: str) -> Moments:
    if not isinstance(given, Moments):
        raise TypeError(f"{name} must be Moments, as from moments(X), got {given!r}.")
    return given


def _check_frame(X: ArrayLike, U: ArrayLike) -> tuple[Array, Array]:
    """Return points and orthonormal directions, validated."""
    points = check_matrix(X, squares=True)
    directions = check_matrix(U, name="U")
    if directions.shape[0] != points.shape[1]:
        raise ValueError(
            f"U must have a row for each of the {points.shape[1]} features of X, got shape "
            f"{directions.shape}."
        )
    k = directions.shape[1]
    off = np.abs(directions).max() > 2 or not np.allclose(
        directions.T @ directions, np.eye(k), rtol=0.0, atol=1e-8
    )
    if off:
        raise ValueError("U must have orthonormal columns; pass numpy.linalg.qr(U)[0].")
    return points, directions
