r"""Convexity that numbers can refute, of functions and of matrices."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from mlnotes.validation import (
    Array,
    check_callable,
    check_count,
    check_matrix,
    check_random_state,
    check_scalar,
)

Function = Callable[[Array], float]


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
    M = check_symmetric(matrix, "matrix")
    slip = check_scalar(tol, "tol", least=0)
    return bool(np.linalg.eigvalsh(M)[0] >= -slip * float(np.abs(M).max()))


def check_symmetric(matrix: ArrayLike, name: str) -> Array:
    M = check_matrix(matrix, name=name)
    slip = 1e-8 * float(np.abs(M).max())
    if M.shape[0] != M.shape[1] or not np.allclose(M, M.T, rtol=0.0, atol=slip):
        raise ValueError(f"{name} must be square and symmetric, got shape {M.shape}.")
    return M
