"""Boxed algorithms: distances, neighbours, non-negative factors, independent ones, latent ones."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import nnls

from mlnotes.beyond_pca._mathematics import (
    check_factors,
    check_nonnegative,
    contrast_function,
    lle_matrix,
    lle_weights,
    nearest_neighbours,
    nmf_init,
)
from mlnotes.principal_components import double_centre, fix_signs, pca_svd, whiten
from mlnotes.validation import (
    Array,
    check_count,
    check_distances,
    check_matrix,
    check_option,
    check_positive,
    check_random_state,
)


def classical_mds(distances: ArrayLike, n_components: int) -> tuple[Array, Array]:
    r"""Find points with given distances: turn these into inner products, decompose them.

    :math:`B=-\frac12M\Delta^{(2)}M` holds the inner products of the centred points, if there are
    points with these distances; then :math:`B=U\Lambda U^\top` and :math:`T=U\Lambda^{1/2}`.

    Parameters
    ----------
    distances : array-like of shape (n, n)
        Distances between all pairs.
    n_components : int
        In how many dimensions the points are to be.

    Returns
    -------
    T : ndarray of shape (n, n_components)
        The points, centred; a coordinate whose eigenvalue is not positive is 0.
    eigenvalues : ndarray of shape (n,)
        All of them, descending. Negative ones say that no points have exactly these distances.

    Examples
    --------
    >>> T, eigenvalues = classical_mds([[0.0, 3.0], [3.0, 0.0]], 1)
    >>> T.ravel().round(6), eigenvalues.round(6)
    (array([ 1.5, -1.5]), array([4.5, 0. ]))
    """
    table = check_distances(distances)
    k = check_count(n_components, "n_components", at_most=len(table))
    eigenvalues, U = np.linalg.eigh(double_centre(-(table**2) / 2))
    eigenvalues, U = eigenvalues[::-1], fix_signs(U[:, ::-1])
    return U[:, :k] * np.sqrt(np.maximum(eigenvalues[:k], 0.0)), eigenvalues


def lle(
    X: ArrayLike,
    n_components: int,
    n_neighbours: int,
    *,
    reg: float = 1e-3,
) -> Array:
    r"""Embed points so that each remains the same combination of its neighbours.

    Parameters
    ----------
    X : array-like of shape (n, d)
        Points.
    n_components : int
        In how many dimensions, fewer than points.
    n_neighbours : int
        From how many neighbours each point is reconstructed.
    reg : float
        Ridge of the local systems, see :func:`lle_weights`.

    Returns
    -------
    ndarray of shape (n, n_components)
        The eigenvectors of :math:`M=(I-W)^\top(I-W)` with the least eigenvalues after the constant
        one, times :math:`\sqrt n`: :math:`1^\top T=0` and :math:`\frac1nT^\top T=I`.

    Examples
    --------
    >>> lle([[0.0, 0.0], [1.0, 1.0], [2.0, 4.0], [3.0, 9.0]], 1, 2).ravel().round(2)
    array([-1.08, -0.66,  0.2 ,  1.54])
    """
    points = check_matrix(X, squares=True)
    n = len(points)
    k = check_count(n_components, "n_components", at_most=n - 1)
    neighbours = nearest_neighbours(points, n_neighbours)
    weights = lle_weights(points, neighbours, reg=reg)
    M = lle_matrix(weights, neighbours)
    # The constant vector moves to the far end of the spectrum.
    _, vectors = np.linalg.eigh(M + (1 + np.trace(M)) / n)
    return np.asarray(np.sqrt(n) * fix_signs(vectors[:, :k]))


def nmf_step(
    X: ArrayLike,
    T: ArrayLike,
    W: ArrayLike,
    *,
    loss: str = "kl",
) -> tuple[Array, Array]:
    r"""Update the scores, then the topics with the new scores: neither raises the loss.

    For the Poisson likelihood

    .. math:: T_{ik}\leftarrow T_{ik}\frac{\sum_jW_{jk}X_{ij}/(TW^\top)_{ij}}{\sum_jW_{jk}},

    for squares :math:`T_{ik}\leftarrow T_{ik}\frac{(XW)_{ik}}{(TW^\top W)_{ik}}`, and the same for
    W with the parts exchanged.

    Parameters
    ----------
    X : array-like of shape (n, d)
        Numbers that are not negative.
    T, W : array-like of shape (n, k) and (d, k)
        Factors that are not negative.
    loss : {"kl", "frobenius"}
        What is made smaller: the generalised divergence or half the sum of squares.

    Returns
    -------
    T, W : ndarray
        The new factors; what was 0 stays 0.

    Examples
    --------
    >>> nmf_step([[4.0]], [[1.0]], [[1.0]])
    (array([[4.]]), array([[1.]]))
    """
    table, A, B = check_factors(X, T, W)
    check_option(loss, "loss", "kl", "frobenius")
    if loss == "kl":
        share = _quotient(table, A @ B.T)
        A = A * _quotient(share @ B, B.sum(axis=0))
        share = _quotient(table, A @ B.T)
        B = B * _quotient(share.T @ A, A.sum(axis=0))
    else:
        A = A * _quotient(table @ B, A @ (B.T @ B))
        B = B * _quotient(table.T @ A, B @ (A.T @ A))
    return A, B


def nmf(
    X: ArrayLike,
    n_components: int,
    *,
    loss: str = "kl",
    max_iter: int = 200,
    init: tuple[ArrayLike, ArrayLike] | None = None,
    random_state: int | np.random.Generator = 0,
) -> tuple[Array, Array]:
    r"""Factorise a non-negative matrix, :math:`X\approx TW^\top`, by multiplicative updates.

    Parameters
    ----------
    X : array-like of shape (n, d)
        Numbers that are not negative.
    n_components : int
        How many topics.
    loss : {"kl", "frobenius"}
        What is made smaller, see :func:`nmf_step`.
    max_iter : int
        How many updates of both factors.
    init : tuple of array-like, optional
        Factors to start from; from :func:`nmf_init` if not given.
    random_state : int or numpy.random.Generator
        Seed of the start.

    Returns
    -------
    T : ndarray of shape (n, n_components)
        Scores: how much of each topic is in each row.
    W : ndarray of shape (d, n_components)
        Topics, one a column.

    Examples
    --------
    >>> T, W = nmf([[4.0, 2.0], [2.0, 1.0], [6.0, 3.0]], 1)
    >>> (T @ W.T).round(6)
    array([[4., 2.],
           [2., 1.],
           [6., 3.]])
    """
    table = check_nonnegative(X, "X")
    k = check_count(n_components, "n_components", at_most=10_000)
    if init is None:
        T, W = nmf_init(table, k, random_state=random_state)
    else:
        check_random_state(random_state)
        T, W = _check_init(init, table, k)
    for _ in range(check_count(max_iter, "max_iter", at_most=10**7)):
        T, W = nmf_step(table, T, W, loss=loss)
    return T, W


def fold_in(X: ArrayLike, W: ArrayLike) -> Array:
    r"""Return the scores :math:`T\ge0` of new rows with the least :math:`\lVert X-TW^\top\rVert`.

    Parameters
    ----------
    X : array-like of shape (n, d)
        New rows.
    W : array-like of shape (d, k)
        Topics, one a column.

    Returns
    -------
    ndarray of shape (n, k)
        By non-negative least squares, a row at a time.

    Examples
    --------
    >>> fold_in([[0.0, 1.0, 0.0]], [[1.0, 1.0], [1.0, 0.2], [0.1, 1.0]]).round(3)
    array([[0.498, 0.   ]])
    """
    rows = check_matrix(X, squares=True)
    topics = check_matrix(W, name="W", squares=True)
    if len(topics) != rows.shape[1]:
        raise ValueError(f"W must have a row for each of the {rows.shape[1]} features of X.")
    return np.array([nnls(topics, row)[0] for row in rows])


def fastica(
    X: ArrayLike,
    n_components: int | None = None,
    *,
    contrast: str = "logcosh",
    max_iter: int = 1000,
    tol: float = 1e-10,
    random_state: int | np.random.Generator = 0,
) -> tuple[Array, Array]:
    r"""Unmix independent sources one after the other: whiten, Newton step, orthogonalise, repeat.

    Parameters
    ----------
    X : array-like of shape (n, d)
        Mixtures, one a column; they vary in every direction.
    n_components : int, optional
        How many sources; all d if not given.
    contrast : {"logcosh", "exp"}
        The function G, see :func:`contrast_function`.
    max_iter : int
        The greatest number of steps for a source.
    tol : float
        Stop when a step turns w by less: :math:`1-|\langle w,w_{\text{new}}\rangle|`.
    random_state : int or numpy.random.Generator
        Seed of the starts.

    Returns
    -------
    S : ndarray of shape (n, n_components)
        The sources, of mean 0 and variance 1; their order and their signs say nothing.
    W : ndarray of shape (d, n_components)
        Orthonormal columns with ``S = Z @ W`` for the whitened mixtures Z.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> sources = rng.uniform(-1, 1, size=(2000, 2))
    >>> S, W = fastica(sources @ [[1.0, 0.4], [0.6, 1.0]])
    >>> np.abs(np.corrcoef(S.T, sources.T)[:2, 2:]).max(axis=1) > 0.99
    array([ True,  True])
    """
    Z, _ = whiten(X)
    n, d = Z.shape
    k = d if n_components is None else n_components
    k = check_count(k, "n_components", at_most=d)
    steps = check_count(max_iter, "max_iter")
    least = check_positive(tol, "tol")
    check_option(contrast, "contrast", "logcosh", "exp")
    rng = check_random_state(random_state)
    W = np.zeros((d, k))
    for j in range(k):
        w, v = np.zeros(d), np.asarray(rng.standard_normal(d))
        for _ in range(steps):
            v = v - W[:, :j] @ (W[:, :j].T @ v)
            v = np.asarray(v / np.linalg.norm(v))
            if 1 - abs(v @ w) < least:
                break
            w = v
            _, slope, bend = contrast_function(Z @ w, contrast)
            v = Z.T @ slope / n - bend.mean() * w
        W[:, j] = w
    W = fix_signs(W)
    return Z @ W, W


def factor_analysis(
    X: ArrayLike, n_components: int, *, max_iter: int = 1000, tol: float = 1e-8
) -> tuple[Array, Array, Array]:
    r"""Fit :math:`x=\mu+Wz+\varepsilon`, with noise of its own for each feature, by EM.

    Parameters
    ----------
    X : array-like of shape (n, d)
        Points; every feature varies.
    n_components : int
        How many factors z, independent standard Gaussians.
    max_iter : int
        The greatest number of steps.
    tol : float
        Stop when the mean log-likelihood rises by less.

    Returns
    -------
    W : ndarray of shape (d, n_components)
        Loadings; any rotation of their columns is as likely.
    psi : ndarray of shape (d,)
        The variances of the noise.
    log_likelihoods : ndarray
        The mean log-likelihood before each step; it never falls.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(500, 1)) * [3.0, 2.0, 1.0] + rng.normal(size=(500, 3))
    >>> W, psi, log_likelihoods = factor_analysis(X, 1)
    >>> psi.round(1)
    array([1.3, 0.9, 0.9])
    """
    points = check_matrix(X, squares=True)
    n, d = points.shape
    k = check_count(n_components, "n_components", at_most=min(n, d))
    least, steps = check_positive(tol, "tol"), check_count(max_iter, "max_iter")
    centred = points - points.mean(axis=0)
    S = centred.T @ centred / n
    psi, floor = S.diagonal().copy(), 1e-12 * S.diagonal()
    _check_varying(psi)
    _, U, eigenvalues = pca_svd(points, k)
    W, found = np.asarray(U * np.sqrt(eigenvalues / n)), [-np.inf]
    for _ in range(steps):
        inverse = np.linalg.inv(W @ W.T + np.diag(psi))
        log_det = d * np.log(2 * np.pi) - np.linalg.slogdet(inverse)[1]
        found.append(float(-0.5 * (log_det + (inverse * S).sum())))
        if found[-1] - found[-2] < least:
            break
        B = W.T @ inverse  # the mean of z is B (x - mean)
        second = np.eye(k) - B @ W + B @ S @ B.T
        W = np.asarray(np.linalg.solve(second, B @ S).T)
        psi = np.maximum(S.diagonal() - ((B @ S) * W.T).sum(axis=0), floor)
    return W, psi, np.array(found[1:])


def canonical_correlations(
    X: ArrayLike, Y: ArrayLike, n_components: int | None = None
) -> tuple[Array, Array, Array]:
    r"""Find directions of two sets of features with the largest correlations: whiten both, SVD.

    Parameters
    ----------
    X : array-like of shape (n, d)
        Points that vary in every direction.
    Y : array-like of shape (n, e)
        Other features of the same points, which vary in every direction.
    n_components : int, optional
        How many pairs of directions; the lesser of d and e if not given.

    Returns
    -------
    correlations : ndarray of shape (n_components,)
        Descending, each the largest that is left.
    A : ndarray of shape (d, n_components)
        Directions for X: the columns of :math:`(X-\bar x)A` have variance 1 and are uncorrelated.
    B : ndarray of shape (e, n_components)
        Directions for Y.

    Examples
    --------
    >>> Y = [[0.0, 1.0], [2.0, 0.0], [4.0, 2.0], [6.0, 0.0]]
    >>> correlations, A, B = canonical_correlations([[0.0], [1.0], [2.0], [3.0]], Y)
    >>> correlations.round(6)
    array([1.])
    """
    left, S = whiten(X)
    try:
        right, T = whiten(check_matrix(Y, name="Y", squares=True))
    except ValueError as error:
        raise ValueError(str(error).replace("X", "Y")) from None
    if len(left) != len(right):
        raise ValueError(f"X and Y must have as many rows, got {len(left)} and {len(right)}.")
    most = min(left.shape[1], right.shape[1])
    k = most if n_components is None else check_count(n_components, "n_components", at_most=most)
    U, correlations, V = np.linalg.svd(left.T @ right / len(left))
    return np.minimum(correlations[:k], 1.0), S @ U[:, :k], T @ V[:k].T


def _quotient(a: Array, b: Array) -> Array:
    """Return a / b, and 0 where b is 0."""
    return np.divide(a, b, out=np.zeros(np.broadcast_shapes(a.shape, b.shape)), where=b > 0)


def _check_varying(variances: Array) -> None:
    if variances.min() <= 0:
        raise ValueError(f"X must vary in every feature; {int(variances.argmin())} is constant.")


def _check_init(init: tuple[ArrayLike, ArrayLike], table: Array, k: int) -> tuple[Array, Array]:
    if not isinstance(init, tuple) or len(init) != 2:
        raise ValueError(f"init must be the pair of factors to start from, got {init!r}.")
    try:
        _, T, W = check_factors(table, *init)
    except (TypeError, ValueError) as error:
        raise ValueError(f"init must be two factors: {error}") from None
    if T.shape[1] != k:
        raise ValueError(f"init has {T.shape[1]} components, and n_components is {k}.")
    return T, W
