"""Boxed algorithms: principal components in three ways, whitening, kernels, sparse corruption."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlnotes._numerics import ROUNDOFF
from mlnotes.principal_components._mathematics import (
    double_centre,
    fix_signs,
    singular_value_threshold,
    soft_threshold,
)
from mlnotes.validation import (
    Array,
    check_categories,
    check_count,
    check_matrix,
    check_positive,
    check_random_state,
    check_scalar,
    check_square,
)


def pca(
    X: ArrayLike,
    n_components: int,
) -> tuple[Array, Array, Array]:
    r"""Find principal components by the eigenvectors of the scatter matrix :math:`X^\top X`.

    Parameters
    ----------
    X : array-like of shape (n, d)
        Points; they are centred here.
    n_components : int
        How many components, at most n and at most d.

    Returns
    -------
    scores : ndarray of shape (n, n_components)
        The new features :math:`XU` of the centred points.
    U : ndarray of shape (d, n_components)
        The directions, one a column, that of largest variance first.
    eigenvalues : ndarray of shape (n_components,)
        The eigenvalues of the scatter matrix: n times the variances.

    Examples
    --------
    >>> scores, U, eigenvalues = pca([[0.0, 1.0], [3.0, 5.0]], 1)
    >>> scores.ravel(), U.ravel(), eigenvalues
    (array([-2.5,  2.5]), array([0.6, 0.8]), array([12.5]))
    """
    points = check_matrix(X, squares=True)
    most = min(points.shape)
    k = check_count(n_components, "n_components", at_most=most)
    centred = points - points.mean(axis=0)
    eigenvalues, vectors = np.linalg.eigh(centred.T @ centred)
    largest = np.argsort(-eigenvalues, kind="stable")[:k]
    U = fix_signs(vectors[:, largest])
    return centred @ U, U, eigenvalues[largest]


def pca_gram(X: ArrayLike, n_components: int) -> tuple[Array, Array, Array]:
    r"""Find principal components by the eigenvectors of the Gram matrix :math:`XX^\top`.

    If :math:`XX^\top v=\lambda v`, then :math:`u=X^\top v/\sqrt\lambda` is a unit eigenvector of
    the scatter matrix with the same eigenvalue. With fewer points than features, as for images, it
    is the smaller of the two problems.

    Parameters
    ----------
    X : array-like of shape (n, d)
        Points; they are centred here.
    n_components : int
        How many components; their eigenvalues must not be 0.

    Returns
    -------
    scores : ndarray of shape (n, n_components)
        The new features :math:`XU` of the centred points.
    U : ndarray of shape (d, n_components)
        The directions, one a column, that of largest variance first.
    eigenvalues : ndarray of shape (n_components,)
        The eigenvalues of the Gram matrix.

    Examples
    --------
    >>> scores, U, eigenvalues = pca_gram([[0.0, 1.0], [3.0, 5.0]], 1)
    >>> scores.ravel(), U.ravel(), eigenvalues
    (array([-2.5,  2.5]), array([0.6, 0.8]), array([12.5]))
    """
    points = check_matrix(X, squares=True)
    k = check_count(n_components, "n_components", at_most=min(points.shape))
    centred = points - points.mean(axis=0)
    eigenvalues, vectors = np.linalg.eigh(centred @ centred.T)
    largest = np.argsort(-eigenvalues, kind="stable")[:k]
    _check_positive_eigenvalues(eigenvalues[largest], eigenvalues.max(), len(points))
    U = fix_signs(centred.T @ (vectors[:, largest] / np.sqrt(eigenvalues[largest])))
    return centred @ U, U, eigenvalues[largest]


def pca_svd(X: ArrayLike, n_components: int) -> tuple[Array, Array, Array]:
    r"""Find principal components by the singular value decomposition of the centred points.

    With :math:`X=ASV^\top` the scatter matrix is :math:`VS^2V^\top`: the directions are the *right*
    singular vectors, and no product squares the rounding errors.

    Parameters
    ----------
    X : array-like of shape (n, d)
        Points; they are centred here.
    n_components : int
        How many components, at most n and at most d.

    Returns
    -------
    scores : ndarray of shape (n, n_components)
        The new features :math:`XU` of the centred points.
    U : ndarray of shape (d, n_components)
        The directions, one a column, that of largest variance first.
    eigenvalues : ndarray of shape (n_components,)
        The squared singular values.

    Examples
    --------
    >>> scores, U, eigenvalues = pca_svd([[0.0, 1.0], [3.0, 5.0]], 1)
    >>> scores.ravel().round(6), U.ravel().round(6), eigenvalues.round(6)
    (array([-2.5,  2.5]), array([0.6, 0.8]), array([12.5]))
    """
    points = check_matrix(X, squares=True)
    k = check_count(n_components, "n_components", at_most=min(points.shape))
    centred = points - points.mean(axis=0)
    _, values, right = np.linalg.svd(centred, full_matrices=False)
    U = fix_signs(right[:k].T)
    return centred @ U, U, values[:k] ** 2


def power_iteration(
    A: ArrayLike,
    *,
    max_iter: int = 10_000,
    tol: float = 1e-12,
    random_state: int | np.random.Generator = 0,
) -> tuple[float, Array]:
    r"""Find the eigenvalue largest in absolute value: multiply by the matrix, normalise, repeat.

    The part of the start along any other eigenvector shrinks by the quotient of the eigenvalues in
    every step.

    Parameters
    ----------
    A : array-like of shape (d, d)
        A symmetric matrix.
    max_iter : int
        The greatest number of steps.
    tol : float
        Stop when :math:`\lVert Av-\lambda v\rVert` is at most this times :math:`|\lambda|`.
    random_state : int or numpy.random.Generator
        Seed of the start.

    Returns
    -------
    eigenvalue : float
        :math:`\lambda=v^\top Av`.
    v : ndarray of shape (d,)
        A unit vector, its largest entry positive.

    Examples
    --------
    >>> eigenvalue, v = power_iteration([[2.0, 1.0], [1.0, 2.0]])
    >>> round(eigenvalue, 9), v.round(6)
    (3.0, array([0.707107, 0.707107]))
    """
    matrix = _check_symmetric(A)
    tolerance = check_positive(tol, "tol")
    v = check_random_state(random_state).standard_normal(len(matrix))
    v /= np.linalg.norm(v)
    for _ in range(check_count(max_iter, "max_iter")):
        image = matrix @ v
        eigenvalue = float(v @ image)
        if np.linalg.norm(image - eigenvalue * v) <= tolerance * abs(eigenvalue):
            break
        v = image / np.linalg.norm(image)
    return eigenvalue, fix_signs(v[:, None])[:, 0]


def deflation(
    A: ArrayLike,
    n_components: int,
    *,
    max_iter: int = 10_000,
    tol: float = 1e-12,
    random_state: int | np.random.Generator = 0,
) -> tuple[Array, Array]:
    r"""Find eigenvectors one after the other: subtract :math:`\lambda vv^\top` and iterate again.

    Parameters
    ----------
    A : array-like of shape (d, d)
        A symmetric matrix.
    n_components : int
        How many.
    max_iter : int
        The greatest number of steps for each.
    tol : float
        Accuracy of each, as in :func:`power_iteration`.
    random_state : int or numpy.random.Generator
        Seed of the starts.

    Returns
    -------
    eigenvalues : ndarray of shape (n_components,)
        In the order found: descending in absolute value.
    V : ndarray of shape (d, n_components)
        Unit vectors, one a column.

    Examples
    --------
    >>> eigenvalues, V = deflation([[2.0, 1.0], [1.0, 2.0]], 2)
    >>> eigenvalues.round(9)
    array([3., 1.])
    """
    residual = _check_symmetric(A).copy()
    k = check_count(n_components, "n_components", at_most=len(residual))
    rng = check_random_state(random_state)
    eigenvalues, V = np.zeros(k), np.zeros((len(residual), k))
    for j in range(k):
        eigenvalues[j], V[:, j] = power_iteration(
            residual, max_iter=max_iter, tol=tol, random_state=rng
        )
        residual -= eigenvalues[j] * np.outer(V[:, j], V[:, j])
    return eigenvalues, V


def whiten(X: ArrayLike) -> tuple[Array, Array]:
    r"""Rotate to principal components and scale each to variance one.

    Parameters
    ----------
    X : array-like of shape (n, d)
        Points that vary in every direction, so that n is above d.

    Returns
    -------
    Z : ndarray of shape (n, d)
        The new features, of mean 0 and covariance :math:`\frac1nZ^\top Z=I`.
    T : ndarray of shape (d, d)
        The map :math:`U\sqrt{n/\Lambda}` from centred points to them: :math:`Z=(X-\bar x)T`.

    Examples
    --------
    >>> Z, T = whiten([[0.0, 0.0], [4.0, 0.0], [0.0, 2.0], [4.0, 2.0]])
    >>> (Z.T @ Z / 4).round(9)
    array([[1., 0.],
           [0., 1.]])
    """
    points = check_matrix(X, squares=True)
    n, d = points.shape
    scores, U, eigenvalues = pca_svd(points, min(n, d))
    if n <= d or eigenvalues[-1] <= (ROUNDOFF * n) ** 2 * eigenvalues[0]:
        raise ValueError(
            "X does not vary in every direction: no factor gives a variance of 0 the value 1; "
            "reduce X to its principal components first, for instance with PCA."
        )
    scale = np.sqrt(n / eigenvalues)
    return scores * scale, U * scale


def kernel_pca(
    K: ArrayLike,
    n_components: int,
) -> tuple[Array, Array, Array]:
    r"""Find principal components in the space of features, of which only the kernel is known.

    Parameters
    ----------
    K : array-like of shape (n, n)
        The kernel matrix of the points, not centred.
    n_components : int
        How many, at most the rank of the centred kernel matrix.

    Returns
    -------
    scores : ndarray of shape (n, n_components)
        :math:`U\Lambda^{1/2}`, the new features of the points.
    A : ndarray of shape (n, n_components)
        :math:`U\Lambda^{-1/2}`. The scores of new points are
        ``centre_new_kernel(K_new, K) @ A``.
    eigenvalues : ndarray of shape (n_components,)
        Those of the centred kernel matrix, the largest first.

    Examples
    --------
    >>> x = np.array([[0.0], [1.0], [5.0]])
    >>> scores, A, eigenvalues = kernel_pca(x @ x.T, 1)
    >>> scores.ravel().round(6), eigenvalues.round(6)
    (array([-2., -1.,  3.]), array([14.]))
    """
    gram = check_square(K, name="K")
    k = check_count(n_components, "n_components", at_most=len(gram))
    eigenvalues, vectors = np.linalg.eigh(double_centre(gram))
    largest = np.argsort(-eigenvalues, kind="stable")[:k]
    found = eigenvalues[largest]
    rounding = len(gram) * np.finfo(float).eps * abs(found[0])
    rank = int(np.count_nonzero(found > rounding))
    if rank < k:
        raise ValueError(
            f"n_components is {k}, but only {rank} of the largest "
            "eigenvalues are not 0; ask for fewer components."
        )
    U = fix_signs(vectors[:, largest])
    return U * np.sqrt(found), U / np.sqrt(found), found


def principal_component_pursuit(
    X: ArrayLike, lam: float | None = None, *, max_iter: int = 2000, tol: float = 1e-9
) -> tuple[Array, Array]:
    r"""Split a matrix into one of low rank and a sparse one.

    Minimises :math:`\lVert L\rVert_*+\lambda\sum_{ij}|S_{ij}|` subject to :math:`L+S=X` by the
    alternating direction method of multipliers.

    Parameters
    ----------
    X : array-like of shape (n, d)
        A matrix, not zero.
    lam : float, optional
        The price of an entry of S; :math:`1/\sqrt{\max(n,d)}` if not given.
    max_iter : int
        The greatest number of steps.
    tol : float
        Stop when :math:`X-L-S` and the last change of S have at most this times the norm of X.

    Returns
    -------
    L : ndarray of shape (n, d)
        The part of low rank.
    S : ndarray of shape (n, d)
        The sparse part.

    Examples
    --------
    >>> X = np.outer(np.ones(12), np.arange(1.0, 11.0))
    >>> X[3, 4] += 50.0
    >>> L, S = principal_component_pursuit(X)
    >>> np.argwhere(np.abs(S) > 1e-6), np.linalg.matrix_rank(L, tol=1e-6)
    (array([[3, 4]]), np.int64(1))
    """
    table = check_matrix(X, squares=True)
    n, d = table.shape
    price = 1 / np.sqrt(max(n, d)) if lam is None else check_scalar(lam, "lam", above=0, most=1e9)
    least = check_positive(tol, "tol") * np.linalg.norm(table)
    if least == 0:
        return table.copy(), np.zeros((n, d))
    mu = n * d / (4 * np.abs(table).sum())
    S = Y = np.zeros((n, d))
    for _ in range(check_count(max_iter, "max_iter")):
        before = S
        L = singular_value_threshold(table - S + Y / mu, 1 / mu)
        S = soft_threshold(table - L + Y / mu, price / mu)
        gap = table - L - S
        Y = Y + mu * gap
        if max(np.linalg.norm(gap), np.linalg.norm(S - before)) <= least:
            break
    return L, S


def eigenfaces(X: ArrayLike, y: ArrayLike, X_new: ArrayLike, n_components: int) -> NDArray[Any]:
    """Recognise images: centre, project to principal components, take the nearest known one.

    Parameters
    ----------
    X : array-like of shape (n, d)
        Known images, one a row.
    y : array-like of shape (n,)
        Whom or what they show.
    X_new : array-like of shape (m, d)
        New images.
    n_components : int
        How many components.

    Returns
    -------
    ndarray of shape (m,)
        The label of the known image that is nearest, the first if tied.

    Examples
    --------
    >>> eigenfaces([[0.0, 0.0], [9.0, 9.0]], ["a", "b"], [[7.0, 8.0]], 1)
    array(['b'], dtype='<U1')
    """
    known, new = check_matrix(X, squares=True), check_matrix(X_new, name="X_new", squares=True)
    labels = check_categories(y, "y", n=len(known))
    if new.shape[1] != known.shape[1]:
        raise ValueError(f"X_new must have {known.shape[1]} features, as X has.")
    scores, U, _ = pca_svd(known, n_components)
    found = (new - known.mean(axis=0)) @ U
    squares = ((found[:, None] - scores) ** 2).sum(axis=2)  # (m, n)
    return np.asarray(labels[squares.argmin(axis=1)])


def _check_symmetric(A: ArrayLike) -> Array:
    matrix = check_square(A, name="A")
    if not np.allclose(matrix, matrix.T, rtol=0.0, atol=1e-12 * np.abs(matrix).max()):
        raise ValueError("A must be symmetric; pass (A + A.T) / 2 if both halves mean the same.")
    return matrix


def _check_positive_eigenvalues(chosen: Array, largest: float, n: int) -> None:
    rank = int(np.count_nonzero(chosen > ROUNDOFF * n * max(largest, 0.0)))
    if rank < len(chosen):
        raise ValueError(
            f"n_components is {len(chosen)}, but only {rank} of the largest eigenvalues are not 0; "
            "ask for fewer components."
        )
