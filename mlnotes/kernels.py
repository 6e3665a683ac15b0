r"""Kernels: inner products of features that are never computed.

A kernel :math:`k(x,x')=\langle\varphi(x),\varphi(x')\rangle` gives the inner product of two points
after a map :math:`\varphi` into a space that may be large or infinite. Whatever needs the data only
through inner products, such as the dual of the support vector machine, runs on :math:`k` as it ran
on :math:`\langle x,x'\rangle`. See the chapter :doc:`/book/support_vector_machines`.
"""

from __future__ import annotations

from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.spatial.distance import cdist

from mlnotes.validation import Array, check_count, check_matrix, check_positive

__all__ = [
    "gaussian_kernel",
    "linear_kernel",
    "polynomial_features",
    "polynomial_kernel",
]


def linear_kernel(X: ArrayLike, Y: ArrayLike | None = None) -> Array:
    r"""Return :math:`\langle x_i,y_j\rangle` for every row of ``X`` and every row of ``Y``.

    Parameters
    ----------
    X : array-like of shape (n, d)
        Points.
    Y : array-like of shape (m, d), optional
        Other points; ``X`` itself if not given.

    Returns
    -------
    ndarray of shape (n, m)
        The Gram matrix of the points as they are.

    Examples
    --------
    >>> linear_kernel([[1.0, 2.0]], [[3.0, 4.0], [0.0, 1.0]])
    array([[11.,  2.]])
    """
    A, B = _pair(X, Y)
    return np.asarray(A @ B.T)


def polynomial_kernel(
    X: ArrayLike, Y: ArrayLike | None = None, *, degree: int = 2, constant: float = 1.0
) -> Array:
    r"""Return :math:`(\langle x_i,y_j\rangle+c)^p` for every pair of rows.

    Parameters
    ----------
    X : array-like of shape (n, d)
        Points.
    Y : array-like of shape (m, d), optional
        Other points; ``X`` itself if not given.
    degree : int
        The power :math:`p`.
    constant : float
        The number :math:`c\ge0` that lets monomials of lower degree in. A negative one would not
        give a kernel.

    Returns
    -------
    ndarray of shape (n, m)
        The inner products of all monomials up to degree :math:`p`, suitably weighted.

    Examples
    --------
    >>> polynomial_kernel([[1.0, 2.0]], [[3.0, 4.0]], degree=2)
    array([[144.]])
    """
    A, B = _pair(X, Y)
    power = check_count(degree, "degree")
    if power > 1000:
        raise ValueError(f"degree must be at most 1000, got {degree!r}: powers leave all floats.")
    return np.asarray((A @ B.T + _check_constant(constant)) ** power)


def _check_constant(constant: Any) -> float:
    try:
        valid = isinstance(constant, Real) and 0 <= float(constant) < np.inf
    except OverflowError:
        valid = False
    if not valid:
        raise ValueError(
            f"constant must be a finite number of at least 0, got {constant!r}: below 0 the "
            "polynomial is not a kernel."
        )
    return float(constant)


def polynomial_features(X: ArrayLike, *, constant: float = 1.0) -> Array:
    r"""Return the features behind the quadratic kernel :math:`(\langle x,y\rangle+c)^2`.

    They are the constant :math:`c`, the coordinates times :math:`\sqrt{2c}`, the squares, and the
    products :math:`\sqrt2\,x_jx_k` for :math:`j<k`: :math:`(d+1)(d+2)/2` numbers that the kernel
    never computes.

    Parameters
    ----------
    X : array-like of shape (n, d)
        Points.
    constant : float
        The number :math:`c\ge0`.

    Returns
    -------
    ndarray of shape (n, (d + 1) * (d + 2) / 2)
        The features of each point.

    Examples
    --------
    >>> polynomial_features([[1.0, 3.0]], constant=0.5).round(3)
    array([[0.5  , 1.   , 3.   , 1.   , 9.   , 4.243]])
    """
    points = check_matrix(X)
    c = _check_constant(constant)
    n, d = points.shape
    j, k = np.triu_indices(d, 1)
    return np.hstack(
        [
            np.full((n, 1), c),
            np.sqrt(2 * c) * points,
            points**2,
            np.sqrt(2.0) * points[:, j] * points[:, k],
        ]
    )


def gaussian_kernel(X: ArrayLike, Y: ArrayLike | None = None, *, bandwidth: float = 1.0) -> Array:
    r"""Return :math:`\exp(-\lVert x_i-y_j\rVert^2/(2\tau^2))` for every pair of rows.

    Parameters
    ----------
    X : array-like of shape (n, d)
        Points.
    Y : array-like of shape (m, d), optional
        Other points; ``X`` itself if not given.
    bandwidth : float
        The length :math:`\tau` over which points look alike.

    Returns
    -------
    ndarray of shape (n, m)
        Numbers in [0, 1]; 1 where the points agree.

    Examples
    --------
    >>> gaussian_kernel([[0.0], [1.0]], bandwidth=0.5)
    array([[1.        , 0.135...],
           [0.135..., 1.        ]])
    """
    A, B = _pair(X, Y)
    width = check_positive(bandwidth, "bandwidth")
    centre = B.mean(axis=0)
    near_A = (A - centre) / width
    near_B = near_A if Y is None else (B - centre) / width
    halves_A, halves_B = half_squares(near_A), half_squares(near_B)
    if not (are_near(halves_A) and are_near(halves_B)):
        return np.asarray(np.exp(gaussian_exponents(A / width, B / width)))
    exponents = near_A @ near_B.T
    exponents -= halves_A[:, None]
    exponents -= halves_B
    if Y is None:
        np.fill_diagonal(exponents, 0.0)
    return np.asarray(np.exp(np.minimum(exponents, 0.0)))


def half_squares(points: Array) -> Array:
    """Return half the squared length of each row."""
    return np.asarray(0.5 * np.einsum("ij,ij->i", points, points))


def are_near(halves: Array) -> bool:
    """Whether the sum of three squares gives the distances of points with these half squares.

    Up to this size their rounding shows in none of the first nine decimals of an exponent; beyond
    it the squares cancel, and centring, which helps against a common offset, no longer does.
    """
    return float(halves.max()) <= 1e5


def gaussian_exponents(A: Array, B: Array) -> Array:
    """Return minus half the squared distances, from differences, wherever the points are."""
    return np.asarray(-0.5 * cdist(A, B, "sqeuclidean"))


def _pair(X: ArrayLike, Y: ArrayLike | None) -> tuple[Array, Array]:
    """Return both sets of points, the first twice if there is no second."""
    A = check_matrix(X)
    if Y is None:
        return A, A
    B = check_matrix(Y, name="Y")
    if A.shape[1] != B.shape[1]:
        raise ValueError(
            f"X has {A.shape[1]} features and Y has {B.shape[1]}; a kernel compares points of one "
            "space."
        )
    return A, B
