"""What the methods beyond principal components make small, and what they measure."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlnotes._bounds import float_or_array
from mlnotes._solvers.neighbours import local_weights, nearest
from mlnotes.clustering import lloyd
from mlnotes.validation import (
    Array,
    check_count,
    check_distances,
    check_matrix,
    check_numbers,
    check_option,
    check_random_state,
    check_scalar,
    check_square,
)

STARTS = ("random", "kmeans", "acol")


def nearest_neighbours(X: ArrayLike, n_neighbours: int) -> NDArray[np.intp]:
    """Return the nearest other points of each point.

    Parameters
    ----------
    X : array-like of shape (n, d)
        Points.
    n_neighbours : int
        How many, fewer than points.

    Returns
    -------
    ndarray of int of shape (n, n_neighbours)
        Rows of ``X``, the nearest first; never the point itself, but another at the same place.

    Examples
    --------
    >>> nearest_neighbours([[0.0], [1.0], [3.0]], 1).ravel()
    array([1, 0, 1])
    """
    points = check_matrix(X, squares=True)
    most = len(points) - 1
    if most < 1:
        raise ValueError(f"X has {len(points)} point, which has no neighbours.")
    return nearest(points, None, check_count(n_neighbours, "n_neighbours", at_most=most))


def lle_weights(
    X: ArrayLike, neighbours: ArrayLike, *, reg: float = 1e-3, points: ArrayLike | None = None
) -> Array:
    r"""Return the weights, of sum one, that best reconstruct each point from its neighbours.

    With the differences :math:`z_j=x_j-x` from the neighbours and their Gram matrix
    :math:`G_{jl}=\langle z_j,z_l\rangle` solve :math:`Gw'=1` and divide by the sum. As G is
    singular where there are more neighbours than features, ``reg`` times its trace is added to the
    diagonal; where all neighbours coincide with the point they get equal weights.

    Parameters
    ----------
    X : array-like of shape (n, d)
        Points.
    neighbours : array-like of int of shape (m, k)
        Rows of ``X`` from which each point is reconstructed, as from :func:`nearest_neighbours`.
    reg : float
        Not negative.
    points : array-like of shape (m, d), optional
        What is reconstructed; ``X`` itself if not given.

    Returns
    -------
    ndarray of shape (m, k)
        The weights, in the order of the neighbours.

    Examples
    --------
    >>> lle_weights([[1.0, 0.0], [0.0, 2.0]], [[0, 1]], reg=0.0, points=[[0.0, 0.0]])
    array([[0.8, 0.2]])
    """
    known = check_matrix(X, squares=True)
    given = known if points is None else check_matrix(points, name="points", squares=True)
    if given.shape[1] != known.shape[1]:
        raise ValueError(f"points must have {known.shape[1]} features, as X has.")
    rows = _check_neighbours(neighbours, len(known))
    if len(rows) != len(given):
        raise ValueError(f"neighbours must have a row for each of {len(given)} points of X.")
    ridge = check_scalar(reg, "reg", least=0, most=1e9)
    try:
        return local_weights(known, rows, given, ridge)
    except np.linalg.LinAlgError:
        raise ValueError(
            "reg must be above 0 where there are more neighbours than features: the weights are "
            "not unique otherwise."
        ) from None


def lle_matrix(weights: ArrayLike, neighbours: ArrayLike) -> Array:
    r"""Return :math:`M=(I-W)^\top(I-W)`, of which LLE takes the bottom eigenvectors.

    The cost of an embedding T is :math:`\sum_i\lVert T_i-\sum_jW_{ij}T_j\rVert^2
    =\operatorname{tr}T^\top MT`. As the rows of W sum to one, :math:`M1=0`.

    Parameters
    ----------
    weights : array-like of shape (n, k)
        From :func:`lle_weights`.
    neighbours : array-like of int of shape (n, k)
        The neighbours that they belong to.

    Returns
    -------
    ndarray of shape (n, n)
        Symmetric, without negative eigenvalues.

    Examples
    --------
    >>> lle_matrix([[1.0], [1.0]], [[1], [0]])
    array([[ 2., -2.],
           [-2.,  2.]])
    """
    values = check_matrix(weights, name="weights", squares=True)
    n = len(values)
    rows = _check_neighbours(neighbours, n)
    if rows.shape != values.shape:
        raise ValueError(
            f"weights and neighbours must have one shape, got {values.shape} and {rows.shape}."
        )
    A = np.eye(n)
    np.subtract.at(A, (np.arange(n)[:, None], rows), values)
    return np.asarray(A.T @ A)


def stress(distances: ArrayLike, T: ArrayLike) -> float:
    r"""Return :math:`\sum_{i<j}(\delta_{ij}-\lVert T_i-T_j\rVert)^2`.

    Parameters
    ----------
    distances : array-like of shape (n, n)
        Distances between all pairs.
    T : array-like of shape (n, k)
        Points that should have these distances.

    Returns
    -------
    float
        0 if they have them.

    Examples
    --------
    >>> stress([[0.0, 5.0], [5.0, 0.0]], [[0.0], [3.0]])
    4.0
    """
    table = check_distances(distances)
    points = check_matrix(T, name="T", squares=True)
    if len(points) != len(table):
        raise ValueError(f"T must have a row for each of the {len(table)} rows of distances.")
    i, j = np.triu_indices(len(table), 1)
    gaps = np.sqrt(((points[i] - points[j]) ** 2).sum(axis=1))
    return float(((table[i, j] - gaps) ** 2).sum())


def generalised_kl(X: ArrayLike, M: ArrayLike) -> float:
    r"""Return :math:`\sum_{ij}X_{ij}\log\frac{X_{ij}}{M_{ij}}-X_{ij}+M_{ij}`.

    It is the log-likelihood that Poisson counts X would have with means X, less that with means M.

    Parameters
    ----------
    X, M : array-like of one shape
        Numbers that are not negative; :math:`0\log0=0`.

    Returns
    -------
    float
        Not negative, 0 only if both agree; infinite if M is 0 where X is not.

    Examples
    --------
    >>> round(generalised_kl([[4.0]], [[1.0]]), 6)
    2.545177
    """
    counts, means = _check_nonnegative_pair(X, M)
    return kl_of(counts, means)


def poisson_log_likelihood(X: ArrayLike, M: ArrayLike) -> float:
    r"""Return :math:`\sum_{ij}X_{ij}\log M_{ij}-M_{ij}`, up to a term without M.

    Parameters
    ----------
    X, M : array-like of one shape
        Counts and their means, not negative; :math:`0\log0=0`.

    Returns
    -------
    float
        The logarithm of the probability of the counts, without the factorials.

    Examples
    --------
    >>> round(poisson_log_likelihood([[4.0]], [[2.0]]), 6)
    0.772589
    """
    counts, means = _check_nonnegative_pair(X, M)
    with np.errstate(divide="ignore"):
        logarithms = np.log(means)
    return float((counts * np.where(counts > 0, logarithms, 0.0) - means).sum())


def frobenius_loss(X: ArrayLike, M: ArrayLike) -> float:
    r"""Return half the sum of squared differences, :math:`\frac12\lVert X-M\rVert_F^2`.

    Parameters
    ----------
    X, M : array-like of one shape
        Numbers.

    Returns
    -------
    float
        0 only if both agree.

    Examples
    --------
    >>> frobenius_loss([[4.0, 1.0]], [[1.0, 1.0]])
    4.5
    """
    table, other = check_matrix(X, squares=True), check_matrix(M, name="M", squares=True)
    if table.shape != other.shape:
        raise ValueError(f"X and M must have one shape, got {table.shape} and {other.shape}.")
    return float(0.5 * ((table - other) ** 2).sum())


def kl_of(counts: Array, means: Array) -> float:
    """Return the generalised divergence of validated numbers."""
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        terms = np.where(counts > 0, counts * np.log(counts / means), 0.0)
    return float((terms - counts + means).sum())


def nmf_init(
    X: ArrayLike,
    n_components: int,
    *,
    method: str = "random",
    random_state: int | np.random.Generator = 0,
) -> tuple[Array, Array]:
    """Return factors to start a non-negative factorisation from.

    Parameters
    ----------
    X : array-like of shape (n, d)
        Numbers that are not negative.
    n_components : int
        How many topics.
    method : {"random", "kmeans", "acol"}
        How to choose the topics: random numbers, the centres of k-means, or averages of five
        rows drawn at random. The scores are random.
    random_state : int or numpy.random.Generator
        Seed.

    Returns
    -------
    T : ndarray of shape (n, n_components)
        Scores.
    W : ndarray of shape (d, n_components)
        Topics, one a column. The product of both has the mean of ``X``, and no entry is 0.

    Examples
    --------
    >>> T, W = nmf_init([[4.0, 0.0], [0.0, 2.0]], 2)
    >>> round(float((T @ W.T).mean()), 9)
    1.5
    """
    table = check_nonnegative(X, "X")
    check_option(method, "method", *STARTS)
    n, d = table.shape
    k = check_count(n_components, "n_components", at_most=n if method == "kmeans" else 10_000)
    rng = check_random_state(random_state)
    T, W = rng.uniform(size=(n, k)), rng.uniform(size=(d, k))
    mean = float(table.mean())
    if method == "kmeans":
        W = lloyd(table, table[rng.permutation(n)[:k]])[0].T
    elif method == "acol":
        W = table[rng.integers(n, size=(k, 5))].mean(axis=1).T
    # An entry that is 0 would stay 0 for ever.
    W = W + 1e-4 * max(mean, 1e-150) * rng.uniform(0.5, 1.0, size=(d, k))
    W = W / W.max()
    level = float((T @ W.T).mean())
    return T, W * (mean / level)


def contrast_function(r: ArrayLike, name: str = "logcosh") -> tuple[Array, Array, Array]:
    r"""Return a contrast function and its first two derivatives.

    Parameters
    ----------
    r : array-like
        Where to evaluate them.
    name : {"logcosh", "exp"}
        :math:`G(r)=\log\cosh r`, near :math:`r^2/2` and far out :math:`|r|-\log2`; or
        :math:`G(r)=-e^{-r^2/2}`.

    Returns
    -------
    G, slope, curvature : ndarray
        :math:`G(r),G'(r),G''(r)`.

    Examples
    --------
    >>> [float(part) for part in contrast_function(0.0, "exp")]
    [-1.0, 0.0, 1.0]
    """
    values = check_numbers(r, "r")
    check_option(name, "name", "logcosh", "exp")
    if name == "logcosh":
        sizes, slope = np.abs(values), np.tanh(values)
        return sizes + np.log1p(np.exp(-2 * sizes)) - np.log(2), slope, 1 - slope**2
    near = np.clip(values, -40.0, 40.0)
    bell = np.exp(-(near**2) / 2)
    return -bell, near * bell, (1 - near**2) * bell


def negentropy(entropy: ArrayLike, variance: ArrayLike) -> float | Array:
    r"""Return how far an entropy is below that of the Gaussian with the same variance.

    :math:`J=\frac12\log(2\pi e\sigma^2)-H`.

    Parameters
    ----------
    entropy, variance : array-like
        Of a distribution with a density.

    Returns
    -------
    float or ndarray
        Not negative, and 0 only for a Gaussian.

    Examples
    --------
    >>> round(negentropy(0.0, 1 / 12), 4)  # uniform on an interval of length one
    0.1765
    """
    height, spread = check_numbers(entropy, "entropy"), check_numbers(variance, "variance", above=0)
    return float_or_array(0.5 * (np.log(2 * np.pi * np.e) + np.log(spread)) - height)


def negentropy_approx(x: ArrayLike, name: str = "logcosh") -> float:
    r"""Return :math:`(\mathbb E[G(Z)]-\frac1n\sum_iG(x_i))^2` for a standard Gaussian Z.

    Up to a factor an approximation of the negentropy of a sample of mean 0 and variance 1.

    Parameters
    ----------
    x : array-like of shape (n,)
        A sample; it is standardised here.
    name : {"logcosh", "exp"}
        The function G of :func:`contrast_function`.

    Returns
    -------
    float
        Near 0 if the sample looks Gaussian to G.

    Examples
    --------
    >>> round(negentropy_approx([-1.0, 1.0], "logcosh"), 6)
    0.003506
    """
    sample = check_numbers(x, "x", least=-1e150, most=1e150)
    if sample.ndim != 1 or not len(sample):
        raise ValueError(f"x must be a vector, got shape {sample.shape}.")
    centred = sample - sample.mean()
    deviation = float(np.sqrt((centred**2).mean()))
    if deviation == 0:
        raise ValueError("x must vary: a constant has no variance to compare with.")
    mean = float(contrast_function(centred / deviation, name)[0].mean())
    # E log cosh Z to twelve digits, by Gauss-Hermite quadrature; E exp(-Z²/2) = 1/√2.
    gaussian = 0.37456720749144 if name == "logcosh" else -np.sqrt(0.5)
    return (gaussian - mean) ** 2


def mutual_information(P: ArrayLike) -> float:
    r"""Return :math:`\sum_{ij}p_{ij}\log\frac{p_{ij}}{p_iq_j}=H(X)+H(Y)-H(X,Y)`.

    Parameters
    ----------
    P : array-like of shape (a, b)
        Joint probabilities of two variables, one a row and one a column; they sum to one.

    Returns
    -------
    float
        Not negative, and 0 only if the variables are independent.

    Examples
    --------
    >>> round(mutual_information([[0.5, 0.1], [0.1, 0.3]]), 5)
    0.17774
    """
    table = check_nonnegative(P, "P")
    if abs(table.sum() - 1) > 1e-9:
        raise ValueError(f"P must sum to 1, got {float(table.sum()):g}; divide it by its sum.")
    rows, columns = table.sum(axis=1), table.sum(axis=0)
    i, j = np.nonzero(table)
    joint = table[i, j]
    return max(0.0, float(joint @ (np.log(joint) - np.log(rows[i]) - np.log(columns[j]))))


def gaussian_entropy(covariance: ArrayLike) -> float:
    r"""Return the entropy :math:`\frac12\log\det(2\pi e\Sigma)` of a Gaussian.

    Parameters
    ----------
    covariance : array-like of shape (d, d)
        Symmetric and positive definite.

    Returns
    -------
    float
        In nats.

    Examples
    --------
    >>> round(gaussian_entropy([[1.0]]), 6)
    1.418939
    """
    matrix = _check_covariance(covariance)
    determinant = float(np.linalg.slogdet(matrix)[1])
    return 0.5 * (len(matrix) * float(np.log(2 * np.pi * np.e)) + determinant)


def gaussian_mutual_information(covariance: ArrayLike) -> float:
    r"""Return :math:`\sum_kH(X_k)-H(X)` of a Gaussian.

    For two variables of correlation :math:`\rho` it is :math:`-\frac12\log(1-\rho^2)`.

    Parameters
    ----------
    covariance : array-like of shape (d, d)
        Symmetric and positive definite.

    Returns
    -------
    float
        Not negative, and 0 only if the covariance is diagonal.

    Examples
    --------
    >>> round(gaussian_mutual_information([[1.0, 0.6], [0.6, 1.0]]), 6)
    0.223144
    """
    matrix = _check_covariance(covariance)
    scale = np.sqrt(matrix.diagonal())
    return max(0.0, -0.5 * float(np.linalg.slogdet(matrix / np.outer(scale, scale))[1]))


def check_nonnegative(X: ArrayLike, name: str, owner: str = "this method") -> Array:
    """Return a matrix of numbers that are not negative."""
    table = check_matrix(X, name=name, owner=owner, squares=True)
    if table.min() < 0:
        raise ValueError(f"Negative values in data passed to {owner}: {name} must be at least 0.")
    return table


def _check_nonnegative_pair(X: ArrayLike, M: ArrayLike) -> tuple[Array, Array]:
    counts, means = check_nonnegative(X, "X"), check_nonnegative(M, "M")
    if counts.shape != means.shape:
        raise ValueError(f"X and M must have one shape, got {counts.shape} and {means.shape}.")
    return counts, means


def check_factors(X: ArrayLike, T: ArrayLike, W: ArrayLike) -> tuple[Array, Array, Array]:
    """Return a table and factors of it that are not negative."""
    table = check_nonnegative(X, "X")
    scores, topics = check_nonnegative(T, "T"), check_nonnegative(W, "W")
    shapes = (len(scores), len(topics), scores.shape[1])
    if shapes != (*table.shape, topics.shape[1]):
        raise ValueError(
            f"T and W must have a row for each row and column of X, of shape {table.shape}, and as "
            f"many columns, got {scores.shape} and {topics.shape}."
        )
    return table, scores, topics


def _check_neighbours(neighbours: ArrayLike, n: int) -> NDArray[np.intp]:
    rows = check_numbers(neighbours, "neighbours", least=0, most=n - 1, whole=True)
    if rows.ndim != 2 or not rows.size:
        raise ValueError(f"neighbours must have a row for each point, got shape {rows.shape}.")
    return rows.astype(np.intp)


def _check_covariance(covariance: ArrayLike) -> Array:
    matrix = check_square(covariance, name="covariance")
    size = np.abs(matrix).max()
    symmetric = np.allclose(matrix, matrix.T, rtol=0.0, atol=1e-12 * size)
    if not symmetric or np.linalg.eigvalsh(matrix)[0] <= 1e-14 * size:
        raise ValueError("covariance must be symmetric and positive definite.")
    return matrix
