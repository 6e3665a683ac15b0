"""Margins and radii, the bound on the number of mistakes, and separability."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
from numpy.typing import ArrayLike

from mlnotes._numerics import ROUNDOFF, row_norms, separating_direction
from mlnotes._numerics import norm as euclidean_norm
from mlnotes._solvers import perceptron as search
from mlnotes.validation import (
    Array,
    check_flag,
    check_matrix,
    check_scalar,
    check_signs,
    check_vector,
)


def augment(X: ArrayLike, constant: float = 1.0) -> Array:
    r"""Append a constant coordinate, so that an offset becomes one more weight.

    :math:`\langle\theta,x\rangle+\theta_0=\langle(\theta,\theta_0/c),(x,c)\rangle`. The radius
    grows with it: :math:`\hat R^2=R^2+c^2`.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Points.
    constant : float
        The coordinate :math:`c` to append.

    Returns
    -------
    ndarray of shape (n_samples, n_features + 1)
        The points with their new last coordinate.

    Examples
    --------
    >>> augment([[3.0, 4.0]])
    array([[3., 4., 1.]])
    """
    points = check_matrix(X)
    value = check_scalar(constant, "constant")
    return np.column_stack([points, np.full(len(points), value)])


def indicator_augment(X: ArrayLike) -> Array:
    r"""Append to every point an indicator of its own, so that any labels become separable.

    The weights :math:`(0,\dots,0,y_1,\dots,y_n)` then have
    :math:`y_i\langle\theta,x_i\rangle=1` for every point (``lem-orthonormal-margin``), and a
    perceptron makes at most :math:`n(R^2+1)` mistakes (``thm-indicator-bound``). They say nothing
    about a point that was not there.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Points.

    Returns
    -------
    ndarray of shape (n_samples, n_features + n_samples)
        The points with the rows of the identity appended.

    Examples
    --------
    >>> indicator_augment([[3.0], [3.0]])
    array([[3., 1., 0.],
           [3., 0., 1.]])
    """
    points = check_matrix(X)
    return np.column_stack([points, np.eye(len(points))])


def radius(X: ArrayLike) -> float:
    r"""Return :math:`R=\max_i\lVert x_i\rVert`, the radius of the smallest ball around 0.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Points.

    Returns
    -------
    float
        The length of the longest point.

    Examples
    --------
    >>> radius([[3.0, 4.0], [1.0, 0.0]])
    5.0
    """
    return float(row_norms(check_matrix(X)).max())


def functional_margin(X: ArrayLike, y: ArrayLike, theta: ArrayLike) -> float:
    r"""Return :math:`\gamma=\min_iy_i\langle\theta,x_i\rangle`, which scales with :math:`\theta`.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Points; :func:`augment` them first if there is an offset.
    y : array-like of shape (n_samples,)
        Labels -1 and +1.
    theta : array-like of shape (n_features,)
        Weights.

    Returns
    -------
    float
        Positive exactly when ``theta`` classifies every point correctly.

    Examples
    --------
    >>> functional_margin([[1.0, 0.0], [0.0, -2.0]], [1, -1], [3.0, 1.0])
    2.0
    """
    points = check_matrix(X)
    signs = check_signs(y, len(points))
    return float((signs * (points @ check_vector(theta, points.shape[1], name="theta"))).min())


def geometric_margin(X: ArrayLike, y: ArrayLike, theta: ArrayLike) -> float:
    r"""Return :math:`\gamma/\lVert\theta\rVert`, the least signed distance to the hyperplane.

    With the points augmented by a constant this is a distance in the augmented space, in which the
    theorem speaks, and not in the original one: see :func:`signed_distance` for that.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Points; :func:`augment` them first if there is an offset.
    y : array-like of shape (n_samples,)
        Labels -1 and +1.
    theta : array-like of shape (n_features,)
        Weights, not all zero.

    Returns
    -------
    float
        Negative if some point is on the wrong side: then minus the distance of the worst one.

    Examples
    --------
    >>> geometric_margin([[1.0, 0.0], [0.0, -2.0]], [1, -1], [3.0, 4.0])
    0.6
    """
    least = functional_margin(X, y, theta)
    length = euclidean_norm(check_vector(theta, name="theta"))
    if length == 0:
        raise ValueError("theta is zero and defines no hyperplane; pass nonzero weights.")
    return least / length


def maximum_margin(X: ArrayLike, y: ArrayLike) -> tuple[float, Array]:
    r"""Return the largest geometric margin of any hyperplane through 0, and a normal that has it.

    No unit vector has a larger margin than the distance of 0 from the convex hull of the points
    :math:`y_ix_i`, and the vector from 0 to the nearest point of that hull has it. That point is
    found as a nonnegative least-squares problem (Lawson and Hanson's least-distance programming),
    without running a perceptron, and refined by orthogonal projections: a margin of :math:`R/q`
    has about as many wrong digits as :math:`q` has.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Points; :func:`augment` them first if there is an offset.
    y : array-like of shape (n_samples,)
        Labels -1 and +1.

    Returns
    -------
    margin : float
        The margin, 0 if no hyperplane through 0 separates the points.
    theta : ndarray of shape (n_features,)
        A unit normal that attains it, or 0.

    Examples
    --------
    >>> margin, theta = maximum_margin([[1.0, 0.0], [0.0, -1.0]], [1, -1])
    >>> round(margin, 6), theta.round(3)
    (0.707107, array([0.707, 0.707]))
    """
    from scipy.optimize import nnls

    points = check_matrix(X)
    signs = check_signs(y, len(points))
    largest = np.abs(points).max()
    if largest == 0:
        return 0.0, np.zeros(points.shape[1])
    Z = signs[:, None] * points / largest
    # Minimising |Z'a|² + (sum(a) - 1)² over a >= 0 leaves the residual along the normal sought.
    system = np.vstack([Z.T, np.ones(len(Z))])
    weights, _ = nnls(system, np.append(np.zeros(Z.shape[1]), 1.0))
    normal = search.nearest_in_hull(Z, weights)
    length = euclidean_norm(normal)
    if length == 0:
        return 0.0, np.zeros(Z.shape[1])
    theta = normal / length
    margins = Z @ theta
    # Where rounding could have made a product positive, its sign is computed exactly.
    near = margins <= 4 * Z.shape[1] ** 2 * ROUNDOFF
    if any(search.is_mistake(z, theta) for z in Z[near]):
        return 0.0, np.zeros(Z.shape[1])
    return float(largest * margins.min()), theta


def signed_distance(X: ArrayLike, theta: ArrayLike, intercept: float = 0.0) -> Array:
    r"""Return :math:`(\langle\theta,x\rangle+\theta_0)/\lVert\theta\rVert` for every point.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Points.
    theta : array-like of shape (n_features,)
        The normal of the hyperplane, not zero.
    intercept : float
        The offset :math:`\theta_0`.

    Returns
    -------
    ndarray of shape (n_samples,)
        Positive on the side to which ``theta`` points; the absolute value is the distance.

    Examples
    --------
    >>> signed_distance([[0.0, 0.0]], [3.0, 4.0], -10.0)
    array([-2.])
    """
    points = check_matrix(X)
    normal = check_vector(theta, points.shape[1], name="theta")
    length = euclidean_norm(normal)
    if length == 0:
        raise ValueError("theta is zero and defines no hyperplane; pass nonzero weights.")
    return np.asarray((points @ normal + check_scalar(intercept, "intercept")) / length)


def novikoff_bound(radius: float, margin: float, norm: float = 1.0) -> float:
    r"""Return :math:`R^2\lVert\theta^*\rVert^2/\gamma^2`, the most mistakes a perceptron can make.

    It is the bound of ``thm-perceptron-convergence``, for a perceptron that starts at zero. With an
    offset, radius, margin and norm are those of the augmented points and weights
    (``thm-perceptron-offset``).

    Parameters
    ----------
    radius : float
        :math:`R`, a bound on the length of every point.
    margin : float
        :math:`\gamma`, the functional margin of some separating :math:`\theta^*`.
    norm : float
        :math:`\lVert\theta^*\rVert`; 1 makes ``margin`` the geometric margin.

    Returns
    -------
    float
        Infinite if the margin is not positive: then nothing is promised.

    Examples
    --------
    >>> novikoff_bound(radius=1.0, margin=0.1)
    100.0
    >>> novikoff_bound(radius=2.0, margin=1.0, norm=3.0)
    36.0
    """
    hint = "pass a length, finite and not negative."
    R = check_scalar(radius, "radius", least=0, hint=hint)
    length = check_scalar(norm, "norm", least=0, hint=hint)
    gamma = check_scalar(margin, "margin")
    if gamma <= 0:
        return math.inf
    ratio = R * length / gamma
    return ratio * ratio


def perceptron_loss(X: ArrayLike, y: ArrayLike, theta: ArrayLike) -> Array:
    r"""Return :math:`\max(0,-y_i\langle\theta,x_i\rangle)` for every point.

    The perceptron is stochastic subgradient descent on this loss that takes the subgradient
    :math:`-yx` at the kink. Note its trivial minimiser 0: a small loss alone separates nothing.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Points.
    y : array-like of shape (n_samples,)
        Labels -1 and +1.
    theta : array-like of shape (n_features,)
        Weights.

    Returns
    -------
    ndarray of shape (n_samples,)
        Zero for every point on its right side.

    Examples
    --------
    >>> perceptron_loss([[2.0], [3.0]], [1, -1], [1.0])
    array([0., 3.])
    """
    points = check_matrix(X)
    signs = check_signs(y, len(points))
    weights = check_vector(theta, points.shape[1], name="theta")
    return np.maximum(0.0, -signs * (points @ weights))


def is_linearly_separable(X: ArrayLike, y: ArrayLike, *, fit_intercept: bool = True) -> bool:
    r"""Decide whether some hyperplane has every point strictly on its right side.

    A linear programme looks for the :math:`\theta` with entries in [-1, 1] and the largest
    :math:`\gamma\le\min_iy_i\langle\theta,x_i\rangle`. ``True`` is a proof, because the
    :math:`\theta` found is checked in exact arithmetic; ``False`` is as good as the solver, which
    may overlook a margin below about 1e-9 of the radius.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Points.
    y : array-like of shape (n_samples,)
        Labels -1 and +1.
    fit_intercept : bool
        Whether the hyperplane may miss the origin.

    Returns
    -------
    bool
        Whether the points are separable.

    Examples
    --------
    >>> corners = [[0, 0], [0, 1], [1, 0], [1, 1]]
    >>> is_linearly_separable(corners, [-1, 1, 1, 1])
    True
    >>> is_linearly_separable(corners, [-1, 1, 1, -1])
    False
    """
    points = check_matrix(X)
    signs = check_signs(y, len(points))
    Z, _ = search.scaled_rows(points, signs, check_flag(fit_intercept, "fit_intercept"))
    theta = separating_direction(Z, strictly=True)
    assert theta is not None
    return not any(search.is_mistake(row, theta) for row in Z)


def fewest_errors(X: ArrayLike, y: ArrayLike, *, fit_intercept: bool = True) -> int:
    r"""Return the fewest points that any hyperplane leaves on its wrong side, by trying them all.

    Points on the hyperplane count as errors. The problem is NP-hard, and this takes one linear
    programme for each way to give up :math:`0,1,2,\dots` points: use it for a dozen points, as the
    truth against which a heuristic such as :class:`PocketPerceptron` is held.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Points.
    y : array-like of shape (n_samples,)
        Labels -1 and +1.
    fit_intercept : bool
        Whether the hyperplane may miss the origin.

    Returns
    -------
    int
        The least number of errors.

    Examples
    --------
    >>> fewest_errors([[0, 0], [0, 1], [1, 0], [1, 1]], [-1, 1, 1, -1])
    1
    """
    points = check_matrix(X)
    signs = check_signs(y, len(points))
    flag = check_flag(fit_intercept, "fit_intercept")
    n = len(points)
    for errors in range(n):
        for given_up in combinations(range(n), errors):
            kept = np.delete(np.arange(n), given_up)
            if is_linearly_separable(points[kept], signs[kept], fit_intercept=flag):
                return errors
    return n
