"""The bottom eigenvectors that a local linear embedding is made of."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, dia_array, eye_array
from scipy.sparse.linalg import LinearOperator, eigsh, splu

from mlnotes._solvers.neighbours import Indices, closed_parts
from mlnotes._solvers.principal_components import TIE_TOL, orient, settle
from mlnotes.validation import Array

# Up to this many points all eigenvectors cost less than a few of them.
WHOLE = 300
# How far below zero to look for eigenvalues near it, relative to the size of the matrix.
SHIFT = 1e-10


def connected_neighbours(find: object, k: int, n: int) -> tuple[Indices, int]:
    """Return neighbours that hang together, at least ``k`` of each, and how many of each it took.

    ``find(k)`` returns the ``k`` nearest of each point. More neighbours never make more parts, so
    that the least sufficient number is found by halving an interval.
    """
    assert callable(find)
    low, found = k - 1, find(k)
    if closed_parts(found) == 1:
        return found, k
    high = k
    while closed_parts(found) > 1:
        low, high = high, min(2 * high, n - 1)
        found = find(high)
    while high - low > 1:
        middle = (low + high) // 2
        if closed_parts(found[:, :middle]) == 1:
            high = middle
        else:
            low = middle
    return np.ascontiguousarray(found[:, :high]), high


def bottom_eigenvectors(
    weights: Array, neighbours: Indices, count: int
) -> tuple[Array, NDArray[np.float64]]:
    """Return the least eigenvalues of (I - W)ᵀ(I - W) after that of the constant, ascending.

    Where several are equal, the vectors are a function of the space that they span.
    """
    n, k = neighbours.shape
    rows = np.repeat(np.arange(n), k)
    W = csr_array((weights.ravel(), (rows, neighbours.ravel())), shape=(n, n))
    A = (eye_array(n, format="csr") - W).tocsr()
    size = float(abs(A).sum(axis=0).max() * abs(A).sum(axis=1).max())
    asked, found = count + 1, n - 1
    while True:
        if n <= WHOLE or 5 * asked > n:
            dense = A.toarray()
            M = dense.T @ dense
            vectors = np.linalg.eigh(M + (1 + np.trace(M)) / n)[1][:, :found]
        else:
            vectors = _by_inverse((A.T @ A).tocsc(), asked)
        values = ((A @ vectors) ** 2).sum(axis=0)
        # A space is known only once an eigenvalue beyond it is.
        if vectors.shape[1] == found or values[-1] - values[count - 1] > TIE_TOL * size:
            break
        asked *= 2
    settle(values, vectors, size)
    vectors = orient(vectors[:, :count])
    return ((A @ vectors) ** 2).sum(axis=0), vectors


def _by_inverse(M: csr_array, count: int) -> Array:
    """Return bottom eigenvectors by Lanczos' method on the inverse, orthogonal to the constant."""
    n = M.shape[0]
    size = float(abs(M).sum(axis=0).max())
    shifted = M + dia_array((np.full((1, n), SHIFT * size), [0]), shape=(n, n))
    factor = splu(
        shifted.tocsc(),
        permc_spec="MMD_AT_PLUS_A",
        diag_pivot_thresh=0.0,
        options={"SymmetricMode": True},
    )

    def apply(v: Array) -> Array:
        centred = v - v.mean()
        found = factor.solve(centred)
        return np.asarray(found - found.mean())

    inverse = LinearOperator((n, n), matvec=apply, dtype=np.float64)
    start = np.random.default_rng(0).standard_normal(n)
    values, vectors = eigsh(inverse, count, which="LA", v0=start - start.mean())
    return np.asarray(vectors[:, np.argsort(-values, kind="stable")])
