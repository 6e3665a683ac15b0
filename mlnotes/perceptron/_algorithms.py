"""The perceptron, the pocket and the dual form, line by line as the chapter boxes them."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlnotes.validation import Array, check_count, check_matrix, check_signs


def perceptron(
    X: ArrayLike, y: ArrayLike, *, max_iter: int = 1000
) -> tuple[Array, NDArray[np.intp]]:
    r"""Correct the weights on one mistake after the other until there is none.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Points; :func:`augment` them first if there is an offset.
    y : array-like of shape (n_samples,)
        Labels -1 and +1.
    max_iter : int
        The greatest number of passes.

    Returns
    -------
    theta : ndarray of shape (n_features,)
        The weights.
    mistakes : ndarray of int
        The row of the data at which each mistake was made.

    Examples
    --------
    >>> perceptron([[1.0, 2.0], [-1.0, 1.0]], [1, -1])
    (array([2., 1.]), array([0, 1]))
    """
    points = check_matrix(X)
    signs = check_signs(y, len(points))
    theta = np.zeros(points.shape[1])
    mistakes: list[int] = []
    for _ in range(check_count(max_iter, "max_iter")):
        before = len(mistakes)
        for i in range(len(points)):
            if signs[i] * (theta @ points[i]) <= 0:
                theta = theta + signs[i] * points[i]
                mistakes.append(i)
        if len(mistakes) == before:
            break
    return theta, np.array(mistakes, dtype=np.intp)


def pocket(
    X: ArrayLike,
    y: ArrayLike,
    *,
    max_updates: int = 1000,
) -> tuple[Array, int]:
    r"""Run the perceptron and keep the weights that have the fewest errors.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Points; :func:`augment` them first if there is an offset.
    y : array-like of shape (n_samples,)
        Labels -1 and +1.
    max_updates : int
        The greatest number of corrections.

    Returns
    -------
    theta : ndarray of shape (n_features,)
        The weights in the pocket.
    errors : int
        The number of points that they leave on the wrong side.

    Examples
    --------
    >>> pocket([[-2.0], [1.0], [2.0]], [-1, -1, 1])
    (array([2.]), 1)
    """
    points = check_matrix(X)
    Z = check_signs(y, len(points))[:, None] * points
    theta = kept = np.zeros(points.shape[1])
    fewest, steps = len(Z), 0
    while (Z @ theta <= 0).any():
        for z in Z:
            if theta @ z <= 0:
                if steps == check_count(max_updates, "max_updates"):
                    return kept, fewest
                theta, steps = theta + z, steps + 1
                errors = int(np.count_nonzero(Z @ theta <= 0))
                if errors < fewest:
                    kept, fewest = theta, errors
    return kept, fewest


def dual_perceptron(
    gram: ArrayLike, y: ArrayLike, *, max_iter: int = 1000
) -> tuple[NDArray[np.intp], bool]:
    r"""Run the perceptron on inner products alone, counting the mistakes on each point.

    Started at zero, :math:`\theta=\sum_i\alpha_iy_ix_i` with :math:`\alpha_i` the number of
    mistakes made on point :math:`i`. So :math:`\langle\theta,x_j\rangle=\sum_i\alpha_iy_iK_{ij}`
    needs the Gram matrix :math:`K_{ij}=\langle x_i,x_j\rangle` only, and any kernel can stand in
    its place. These sums are rounded: a near-tie may fall otherwise than in :class:`Perceptron`,
    which decides it exactly.

    Parameters
    ----------
    gram : array-like of shape (n_samples, n_samples)
        Inner products of the points, symmetric.
    y : array-like of shape (n_samples,)
        Labels -1 and +1.
    max_iter : int
        The greatest number of passes.

    Returns
    -------
    counts : ndarray of shape (n_samples,)
        The mistakes :math:`\alpha_i` on each point.
    separated : bool
        Whether the last pass made none.

    Examples
    --------
    >>> dual_perceptron([[1.0, 0.0], [0.0, 1.0]], [1, -1])
    (array([1, 1]), True)
    """
    K = check_matrix(gram, name="gram")
    n = len(K)
    if K.shape != (n, n):
        raise ValueError(f"gram must be square, got shape {K.shape}; pass X @ X.T.")
    if np.abs(K - K.T).max() > 1e-8 * np.abs(K).max():
        raise ValueError("gram must be symmetric, as inner products are; pass X @ X.T.")
    signs = check_signs(y, n)
    passes = check_count(max_iter, "max_iter")
    signed = signs[:, None] * K * signs
    margins = np.zeros(n)
    counts = np.zeros(n, dtype=np.intp)
    for _ in range(passes):
        i = -1
        clean = True
        while (wrong := margins[i + 1 :] <= 0).any():
            i += 1 + int(wrong.argmax())
            counts[i] += 1
            margins += signed[i]
            clean = False
        if clean:
            return counts, True
    return counts, False
