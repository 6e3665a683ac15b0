"""What the chapter defines: agreement of two views, the transductive objective, graphs."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse
from scipy.spatial.distance import cdist

from mlnotes._numerics import blocks, exponent_of
from mlnotes.support_vector_machines import hinge_loss, primal_objective
from mlnotes.validation import (
    Array,
    check_count,
    check_matrix,
    check_positive,
    check_scalar,
    check_square,
    check_vector,
)

# Distances that differ by rounding alone count as equal, so that no order of samples decides.
SAME_DISTANCE = 1e-9


def agreement_error(first: float, second: float) -> float:
    r"""Return how often two classifiers of two classes are wrong where they agree.

    Given the label, the two of them err independently, with these error rates: they agree if both
    are right or both are wrong (``thm-semi-agreement``).

    Parameters
    ----------
    first, second : float
        The error rates :math:`\varepsilon` and :math:`\delta`, between 0 and 1.

    Returns
    -------
    float
        :math:`\varepsilon\delta/(\varepsilon\delta+(1-\varepsilon)(1-\delta))`.

    Examples
    --------
    >>> round(agreement_error(0.2, 0.2), 4)
    0.0588
    >>> agreement_error(0.0, 1.0)
    Traceback (most recent call last):
    ...
    ValueError: first and second never agree if one of them is 0 and the other 1.
    """
    e = check_scalar(first, "first", least=0.0, most=1.0)
    d = check_scalar(second, "second", least=0.0, most=1.0)
    agree = e * d + (1 - e) * (1 - d)
    if agree == 0:
        raise ValueError("first and second never agree if one of them is 0 and the other 1.")
    return e * d / agree


def transductive_objective(
    X: ArrayLike,
    y: ArrayLike,
    Z: ArrayLike,
    theta: ArrayLike,
    offset: float = 0.0,
    C: float = 1.0,
    C_unlabelled: float = 1.0,
) -> float:
    r"""Return the objective of the transductive support vector machine.

    An unlabelled point pays for being inside the margin, on whichever side it is:
    :math:`\frac12\lVert\theta\rVert^2+C\sum_i\max(0,1-y_if(x_i))+C'\sum_u\max(0,1-|f(z_u)|)`.

    Parameters
    ----------
    X : array-like of shape (n_labelled, n_features)
        Labelled points.
    y : array-like of shape (n_labelled,)
        Their labels, -1 and +1.
    Z : array-like of shape (n_unlabelled, n_features)
        Points without a label.
    theta : array-like of shape (n_features,)
        The weights of :math:`f(x)=\langle\theta,x\rangle+\theta_0`.
    offset : float
        The offset :math:`\theta_0`.
    C, C_unlabelled : float
        The prices of slack of a labelled and of an unlabelled point.

    Returns
    -------
    float
        The objective; not a convex function of the weights (``lem-semi-tsvm-not-convex``).

    Examples
    --------
    >>> transductive_objective([[1.0], [-1.0]], [1, -1], [[0.5], [-2.0]], [1.0])
    1.0
    """
    points, weights = check_matrix(Z, name="Z"), check_vector(theta, name="theta")
    check_vector(points[0], len(weights), name="a row of Z")
    labelled = primal_objective(X, y, weights, offset, C=C)
    price = check_positive(C_unlabelled, "C_unlabelled")
    return labelled + price * float(hinge_loss(np.abs(points @ weights + float(offset))).sum())


def neighbour_graph(
    X: ArrayLike, n_neighbours: int | None = 7, bandwidth: float | None = None
) -> Array:
    r"""Return the weights of the edges between samples, a symmetric matrix.

    Two samples are joined if one of them is among the nearest neighbours of the other; neighbours
    at equal distance are taken together.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Samples.
    n_neighbours : int, optional
        How many neighbours a sample has at least; None joins all pairs.
    bandwidth : float, optional
        The length :math:`\tau` in the weight :math:`\exp(-\lVert x_i-x_j\rVert^2/(2\tau^2))` of an
        edge; without it all edges weigh 1.

    Returns
    -------
    ndarray of shape (n_samples, n_samples)
        Zero on the diagonal and where there is no edge.

    Examples
    --------
    >>> neighbour_graph([[0.0], [1.0], [3.0]], n_neighbours=1)
    array([[0., 1., 0.],
           [1., 0., 1.],
           [0., 1., 0.]])
    """
    points = check_matrix(X)
    count = None if n_neighbours is None else check_count(n_neighbours, "n_neighbours")
    width = None if bandwidth is None else check_positive(bandwidth, "bandwidth")
    weights = np.zeros((len(points), len(points)))
    scale = exponent_of(points)
    edges = joined(np.ldexp(points, -scale), count)
    weights[edges.rows, edges.columns] = np.exp(log_weights(edges, width, scale))
    return weights


class Edges(NamedTuple):
    """Pairs of points, in the order of rows and columns, and the squares of their distances."""

    rows: NDArray[np.intp]
    columns: NDArray[np.intp]
    squares: Array


def log_weights(edges: Edges, bandwidth: float | None, scale: int) -> Array:
    """Return the logarithms of the weights of edges between points in units of 2^scale."""
    if bandwidth is None:
        return np.zeros(len(edges.squares))
    with np.errstate(over="ignore"):
        width = max(float(np.ldexp(bandwidth, -scale)), np.finfo(float).tiny)
        return np.asarray(-0.5 * (np.sqrt(edges.squares) / width) ** 2)


def joined(points: Array, count: int | None) -> Edges:
    """Return the edges, in both directions, between each point and its nearest others."""
    found, n = nearest(points, points, count, itself=False), len(points)
    if count is None:
        return found  # all pairs, in both directions
    both = np.r_[found.rows * n + found.columns, found.columns * n + found.rows]
    keys, first = np.unique(both, return_index=True)
    return Edges(*np.divmod(keys, n), np.tile(found.squares, 2)[first])


def nearest(points: Array, new: Array, count: int | None, *, itself: bool = True) -> Edges:
    """Return the edges from new points to their nearest points, those at one distance together.

    If the new points are the points, ``itself`` says whether each is its own neighbour.
    """
    found = []
    for block in blocks(len(new), len(points)):
        squares = cdist(new[block], points, "sqeuclidean")
        if not itself:
            squares[np.arange(len(squares)), np.arange(block.start, block.stop)] = np.inf
        limit = np.full((len(squares), 1), 0.5 * np.finfo(float).max)
        if count is not None and count < len(points) - (not itself):
            limit = np.partition(squares, count - 1, axis=1)[:, count - 1 : count]
        rows, columns = np.nonzero(squares <= limit * (1 + SAME_DISTANCE))
        found.append((rows + block.start, columns, squares[rows, columns]))
    return Edges(*map(np.concatenate, zip(*found, strict=True)))


def _check_graph(W: ArrayLike) -> Array:
    weights = check_square(W, name="W")
    if (weights < 0).any() or not np.array_equal(weights, weights.T):
        raise ValueError("W must be symmetric with nonnegative weights.")
    return weights


def dirichlet_energy(W: ArrayLike, f: ArrayLike) -> float:
    r"""Return how much a function varies along the edges of a graph.

    Parameters
    ----------
    W : array-like of shape (n, n)
        The symmetric weights of the edges, not negative.
    f : array-like of shape (n,)
        A number for each node.

    Returns
    -------
    float
        :math:`\frac12\sum_{ij}w_{ij}(f_i-f_j)^2`, in which every edge counts once.

    Examples
    --------
    >>> dirichlet_energy([[0, 1, 0], [1, 0, 2], [0, 2, 0]], [0.0, 1.0, 3.0])
    9.0
    """
    weights = _check_graph(W)
    values = check_vector(f, len(weights), name="f")
    # Never a difference of squares, which would cancel.
    return 0.5 * float((weights * (values[:, None] - values) ** 2).sum())


def harmonic_solution(W: ArrayLike, y: ArrayLike) -> Array:
    r"""Solve for the function that is given on labelled nodes and an average on all others.

    Every unlabelled node has the weighted average of its neighbours,
    :math:`f_u=\sum_jw_{uj}f_j/\sum_jw_{uj}`. If a path leads from every node to a labelled one, it
    is unique (``thm-semi-unique``) and has the least energy (``thm-semi-least-energy``).

    Parameters
    ----------
    W : array-like of shape (n, n)
        The symmetric weights of the edges, not negative; labelled nodes come first.
    y : array-like of shape (n_labelled,)
        The numbers of the labelled nodes.

    Returns
    -------
    ndarray of shape (n,)
        The harmonic function.

    Examples
    --------
    >>> W = [[0, 0, 1, 0], [0, 0, 0, 1], [1, 0, 0, 1], [0, 1, 1, 0]]
    >>> harmonic_solution(W, [0.0, 3.0]).round(6)
    array([0., 3., 1., 2.])
    """
    weights, values = _check_graph(W), check_vector(y, name="y")
    known = len(values)
    if not 1 <= known <= len(weights):
        raise ValueError(f"y must have 1 to {len(weights)} entries, for nodes of W, got {known}.")
    reached = reach(sparse.csr_matrix(weights), np.arange(len(weights)) < known)
    if not reached.all():
        raise ValueError(
            f"from node {int(np.argmin(reached))} no path of edges in W leads to a labelled node, "
            "so that nothing determines its value."
        )
    laplacian = np.diag(weights.sum(axis=1)) - weights
    rest = np.linalg.solve(laplacian[known:, known:], weights[known:, :known] @ values)
    return np.concatenate([values, rest])


def reach(weights: sparse.csr_matrix, known: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return from which nodes a path leads to a labelled one."""
    n = weights.shape[0]
    start = sparse.csr_matrix(known.astype(float))
    arrows = sparse.bmat([[None, start], [sparse.csr_matrix((n, 1)), weights.T]]).tocsr()
    order = sparse.csgraph.breadth_first_order(arrows, 0, return_predecessors=False)
    found = np.zeros(n + 1, dtype=bool)
    found[order] = True
    return found[1:]
