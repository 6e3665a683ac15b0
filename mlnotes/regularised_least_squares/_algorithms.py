"""Boxed algorithms of regularised least squares: ridge, lasso and its path, greedy selection."""

from __future__ import annotations

from itertools import combinations
from math import comb

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlnotes.least_squares import (
    back_substitution,
    householder_qr,
    svd_least_squares,
)
from mlnotes.validation import (
    Array,
    check_count,
    check_flag,
    check_matrix,
    check_numbers,
    check_random_state,
    check_scalar,
    check_shapes_agree,
    check_target,
)

Chosen = NDArray[np.intp]
# A correlation below this share of the first one is rounding.
CORRELATION_TOL = 1e-12


def _problem(X: ArrayLike, y: ArrayLike) -> tuple[Array, Array]:
    points = check_matrix(X, squares=True)
    target = check_target(y, len(points))
    if np.abs(target).max() > 1e150:
        raise ValueError("the squares of y exceed any float; divide y by a power of ten.")
    return points, target


def ridge(X: ArrayLike, y: ArrayLike, penalty: float) -> Array:
    r"""Minimise :math:`\lVert y-X\theta\rVert^2+\lambda\lVert\theta\rVert^2` by the SVD of X.

    With :math:`X=U\Gamma V^\top` the component of the solution along the j-th column of V is that
    of least squares times :math:`\gamma_j^2/(\gamma_j^2+\lambda)`.

    Parameters
    ----------
    X : array-like of shape (n, d)
        Points; centre them and the targets for an offset without penalty.
    y : array-like of shape (n,)
        Targets.
    penalty : float
        :math:`\lambda`, at least 0; with 0 the shortest weights of least squares.

    Returns
    -------
    ndarray of shape (d,)
        The weights.

    Examples
    --------
    >>> ridge([[1.0, 0.0], [0.0, 2.0]], [4.0, 4.0], 4.0)
    array([0.8, 1. ])
    """
    points = check_matrix(X, squares=True)
    target = check_target(y, len(points))
    damping = check_scalar(penalty, "penalty", least=0)
    U, gamma, Vt = np.linalg.svd(points, full_matrices=False)
    kept = gamma > max(points.shape) * 2.0**-52 * gamma[0]
    U, gamma, Vt = U[:, kept], gamma[kept], Vt[kept]
    damped = gamma / (gamma**2 + damping) * (U.T @ target)
    return np.asarray(Vt.T @ damped)


def stacked_ridge(X: ArrayLike, y: ArrayLike, penalty: float) -> Array:
    r"""Minimise the ridge objective as a least-squares problem with d more rows.

    :math:`\lVert y-X\theta\rVert^2+\lambda\lVert\theta\rVert^2` is the squared residual for
    :math:`\sqrt\lambda I` below X and zeros below y.

    Parameters
    ----------
    X : array-like of shape (n, d)
        Points.
    y : array-like of shape (n,)
        Targets.
    penalty : float
        :math:`\lambda`, positive.

    Returns
    -------
    ndarray of shape (d,)
        The weights.

    Examples
    --------
    >>> stacked_ridge([[1.0, 0.0], [0.0, 2.0]], [4.0, 4.0], 4.0).round(6)
    array([0.8, 1. ])
    """
    points, target = _problem(X, y)
    root = np.sqrt(check_scalar(penalty, "penalty", above=0))
    d = points.shape[1]
    R, z = householder_qr(np.vstack([points, root * np.eye(d)]), np.append(target, np.zeros(d)))
    return back_substitution(R, z[:d])


def soft_threshold(x: ArrayLike, t: ArrayLike) -> Array:
    r"""Return :math:`\operatorname{sign}(x)\max(|x|-t,0)`, the minimiser of ½(z - x)² + t|z|.

    Parameters
    ----------
    x : array-like
        Numbers.
    t : array-like
        The threshold, or one for each of them; not negative.

    Returns
    -------
    ndarray
        Zero for all x up to the threshold, and nearer to zero by it beyond.

    Examples
    --------
    >>> soft_threshold([-3.0, 0.5, 2.0], 1.0)
    array([-2.,  0.,  1.])
    """
    value, threshold = check_numbers(x, "x"), check_numbers(t, "t", least=0)
    check_shapes_agree(x=value, t=threshold)
    return np.asarray(np.sign(value) * np.maximum(np.abs(value) - threshold, 0.0))


def coordinate_descent(
    X: ArrayLike,
    y: ArrayLike,
    penalty: float,
    n_sweeps: int,
) -> Array:
    r"""Minimise :math:`\frac12\lVert y-X\theta\rVert^2+\lambda\lVert\theta\rVert_1` by coordinates.

    Along one coordinate the objective is a parabola with a kink, least at a soft threshold.

    Parameters
    ----------
    X : array-like of shape (n, d)
        Points.
    y : array-like of shape (n,)
        Targets.
    penalty : float
        :math:`\lambda`, at least 0.
    n_sweeps : int
        How often to go through all coordinates; fewer if a sweep changes nothing.

    Returns
    -------
    ndarray of shape (sweeps + 1, d)
        The path from zero.

    Examples
    --------
    >>> coordinate_descent([[1.0, 0.0], [0.0, 2.0]], [3.0, 1.0], 1.0, 5)[-1]
    array([2.  , 0.25])
    """
    points = check_matrix(X, squares=True)
    residual = check_target(y, len(points))
    weight = check_scalar(penalty, "penalty", least=0)
    squares = (points**2).sum(axis=0)
    path = [np.zeros(points.shape[1])]
    for _ in range(check_count(n_sweeps, "n_sweeps")):
        theta = path[-1].copy()
        for j in np.flatnonzero(squares):
            x, before = points[:, j], theta[j]
            pull = x @ residual + squares[j] * before
            theta[j] = soft_threshold(pull, weight) / squares[j]
            residual = residual - (theta[j] - before) * x
        path.append(theta)
        if np.array_equal(path[-1], path[-2]):
            break
    return np.array(path)


def fista(X: ArrayLike, y: ArrayLike, penalty: float, n_steps: int) -> Array:
    r"""Minimise the lasso objective by gradient steps, each followed by a soft threshold.

    A step starts not where the last one ended but beyond, in the direction of the last move; that
    makes the error fall like :math:`1/k^2` instead of :math:`1/k`.

    Parameters
    ----------
    X : array-like of shape (n, d)
        Points.
    y : array-like of shape (n,)
        Targets.
    penalty : float
        :math:`\lambda`, at least 0.
    n_steps : int
        How many steps to take.

    Returns
    -------
    ndarray of shape (n_steps + 1, d)
        The path from zero.

    Examples
    --------
    >>> fista([[1.0, 0.0], [0.0, 2.0]], [3.0, 1.0], 1.0, 200)[-1].round(6)
    array([2.  , 0.25])
    """
    points, target = _problem(X, y)
    weight, steps = check_scalar(penalty, "penalty", least=0), check_count(n_steps, "n_steps")
    L = float(np.linalg.norm(points, 2)) ** 2 or 1.0
    path = [np.zeros(points.shape[1])]
    ahead, t = path[0], 1.0
    for _ in range(steps):
        gradient = points.T @ (points @ ahead - target)
        path.append(soft_threshold(ahead - gradient / L, weight / L))
        before, t = t, (1 + np.sqrt(1 + 4 * t**2)) / 2
        ahead = path[-1] + (before - 1) / t * (path[-1] - path[-2])
    return np.array(path)


def lars(X: ArrayLike, y: ArrayLike, drop: bool = True) -> tuple[Array, Array]:
    r"""Follow the lasso from :math:`\lambda=\lVert X^\top y\rVert_\infty` down to 0, knot by knot.

    Between knots the correlations :math:`x_j^\top(y-X\theta)` of the active columns are all
    :math:`\pm\lambda`, and the weights move along a line. It ends where another column's
    correlation reaches :math:`\pm\lambda`, and the column becomes active; or, with the drop rule,
    where the weight of an active column reaches zero, and it leaves.

    Parameters
    ----------
    X : array-like of shape (n, d)
        Points, whose active columns must be independent.
    y : array-like of shape (n,)
        Targets.
    drop : bool
        Without the drop rule it is least angle regression, which is no solution of the lasso any
        more once a weight has changed its sign.

    Returns
    -------
    penalties : ndarray of shape (n_knots,)
        :math:`\lambda` at the knots, decreasing.
    path : ndarray of shape (n_knots, d)
        The weights there; between knots they are interpolated linearly.

    Examples
    --------
    >>> penalties, path = lars([[1.0, 0.0], [0.0, 2.0]], [3.0, 1.0])
    >>> penalties, path.tolist()
    (array([3., 2., 0.]), [[0.0, 0.0], [1.0, 0.0], [3.0, 0.5]])
    """
    points, target = _problem(X, y)
    drops, d = check_flag(drop, "drop"), points.shape[1]
    theta, left = np.zeros(d), -1
    correlations = points.T @ target
    active = [int(np.abs(correlations).argmax())]
    penalties, path = [float(np.abs(correlations).max())], [theta]
    while penalties[-1] > 0 and len(penalties) <= 100 * d:
        correlations = points.T @ (target - points @ theta)
        direction = np.zeros(d)
        direction[active] = _equiangular(points[:, active], correlations[active])
        slopes = points.T @ (points @ direction)
        step, entering = _next_tie(correlations, slopes, penalties[-1], active, left)
        zero, leaving = _next_zero(theta, direction, active) if drops else (np.inf, -1)
        left = leaving if zero < step * (1 - CORRELATION_TOL) else -1
        step = zero if left >= 0 else step
        theta = theta + step * direction
        if left >= 0:
            active.remove(left)
            theta[left] = 0.0
        elif entering >= 0:
            active.append(entering)
        penalties.append(penalties[-1] - step)
        path.append(theta)
    return np.array(penalties), np.array(path)


def _equiangular(A: Array, correlations: Array) -> Array:
    """Return the direction in which all these correlations shrink at the same rate 1."""
    try:
        return np.asarray(np.linalg.solve(A.T @ A, np.sign(correlations)))
    except np.linalg.LinAlgError as error:
        raise ValueError("active columns of X are dependent; leave some out.") from error


def _next_tie(
    correlations: Array, slopes: Array, penalty: float, active: list[int], left: int
) -> tuple[float, int]:
    """Return the step after which another column ties with the active ones, and the column.

    A column that has just left is tied now, and its correlation falls behind. Without a tie all
    correlations vanish together, after a step as long as the penalty.
    """
    step, entering = penalty, -1
    for j in set(range(len(slopes))) - set(active):
        for sign in (1.0, -1.0):
            speed = 1 - sign * slopes[j]
            tied_now = j == left and sign == np.sign(correlations[j])
            if speed > CORRELATION_TOL and not tied_now:
                tie = max((penalty - sign * correlations[j]) / speed, 0.0)
                if tie < step * (1 - CORRELATION_TOL):
                    step, entering = tie, j
    return step, entering


def _next_zero(theta: Array, direction: Array, active: list[int]) -> tuple[float, int]:
    """Return the step after which the first active weight reaches zero, and which one that is."""
    zero, leaving = np.inf, -1
    for j in active:
        if theta[j] * direction[j] < 0 and -theta[j] / direction[j] < zero:
            zero, leaving = -theta[j] / direction[j], j
    return float(zero), leaving


def orthogonal_matching_pursuit(
    X: ArrayLike,
    y: ArrayLike,
    n_nonzero: int,
) -> tuple[Chosen, Array]:
    r"""Add the column that makes the smallest angle with the residual, and fit again; repeat.

    The residual is orthogonal to all columns chosen so far, so that none is chosen twice.

    Parameters
    ----------
    X : array-like of shape (n, d)
        Columns to choose from.
    y : array-like of shape (n,)
        Targets.
    n_nonzero : int
        How many columns to choose; fewer if the residual is orthogonal to all others.

    Returns
    -------
    chosen : ndarray of shape (steps,)
        The columns in the order in which they were chosen.
    path : ndarray of shape (steps + 1, d)
        The weights of least squares on the columns chosen so far, from none to all.

    Examples
    --------
    >>> X = [[1.0, 0.0, 1.0], [0.0, 1.0, 1.0], [0.0, 0.0, 1.0]]
    >>> chosen, path = orthogonal_matching_pursuit(X, [3.0, 1.0, 0.0], 2)
    >>> chosen, path[-1]
    (array([0, 1]), array([3., 1., 0.]))
    """
    points = check_matrix(X, squares=True)
    target = check_target(y, len(points))
    d = points.shape[1]
    steps = check_count(n_nonzero, "n_nonzero", at_most=d)
    lengths = np.sqrt((points**2).sum(axis=0))
    columns = points / np.where(lengths > 0, lengths, 1.0)
    chosen: list[int] = []
    path = [np.zeros(d)]
    for _ in range(steps):
        cosines = np.abs(columns.T @ (target - points @ path[-1]))
        cosines[chosen] = 0.0
        if not cosines.max() > 1e-12 * np.abs(target).max():
            break
        chosen.append(int(cosines.argmax()))
        theta = np.zeros(d)
        theta[chosen] = svd_least_squares(points[:, chosen], target)
        path.append(theta)
    return np.array(chosen, dtype=np.intp), np.array(path)


def _unit_columns(points: Array) -> Array:
    """Return the columns over their lengths; a column of zeros remains one."""
    lengths = np.sqrt((points**2).sum(axis=0))
    return np.asarray(points / np.where(lengths > 0, lengths, 1.0))


def omp_by_qr(X: ArrayLike, y: ArrayLike, n_nonzero: int) -> tuple[Chosen, Array]:
    r"""Run orthogonal matching pursuit with one reflection for each column.

    The chosen column is swapped to position s and reflected into the triangle, and all others and
    the target with it. What is left of the target below row s is the residual in the coordinates
    of the reflected columns: an inner product with these is one with the columns themselves.

    Parameters
    ----------
    X : array-like of shape (n, d)
        Columns to choose from.
    y : array-like of shape (n,)
        Targets.
    n_nonzero : int
        How many columns to choose, at most n; fewer if the residual is orthogonal to the others.

    Returns
    -------
    chosen : ndarray of shape (steps,)
        The columns in the order in which they were chosen.
    theta : ndarray of shape (d,)
        Their weights, zero for all others.

    Examples
    --------
    >>> X = [[1.0, 0.0, 1.0], [0.0, 1.0, 1.0], [0.0, 0.0, 1.0]]
    >>> chosen, theta = omp_by_qr(X, [3.0, 1.0, 0.0], 2)
    >>> chosen, theta.round(6)
    (array([0, 1]), array([3., 1., 0.]))
    """
    points, target = _problem(X, y)
    columns, d = _unit_columns(points), points.shape[1]
    table, order = np.column_stack([columns, target]), np.arange(d)
    steps = check_count(n_nonzero, "n_nonzero", at_most=min(points.shape))
    for s in range(steps):
        cosines = np.abs(table[s:, s:d].T @ table[s:, d])
        if not cosines.max() > CORRELATION_TOL * np.linalg.norm(target):
            steps = s
            break
        best = s + int(cosines.argmax())
        table[:, [s, best]] = table[:, [best, s]]
        order[[s, best]] = order[[best, s]]
        v = table[s:, s].copy()
        v[0] += np.copysign(np.linalg.norm(v), v[0])
        table[s:, s:] -= 2 / (v @ v) * np.outer(v, v @ table[s:, s:])
    chosen, theta = order[:steps], np.zeros(d)
    if steps:
        theta[chosen] = back_substitution(table[:steps, :steps], table[:steps, d])
        theta[chosen] /= np.sqrt((points[:, chosen] ** 2).sum(axis=0))
    return chosen, theta


def nonnegative_least_squares(X: ArrayLike, y: ArrayLike) -> Array:
    r"""Minimise :math:`\lVert y-X\theta\rVert` over :math:`\theta\ge0` with an active set.

    A weight of zero whose increase would help becomes free. Least squares over the free weights is
    the target; if some of its weights are negative, go towards it until the first of them is zero,
    hold that one, and aim again.

    Parameters
    ----------
    X : array-like of shape (n, d)
        Points.
    y : array-like of shape (n,)
        Targets.

    Returns
    -------
    ndarray of shape (d,)
        Weights that are not negative.

    Examples
    --------
    >>> nonnegative_least_squares([[1.0, 0.0], [1.0, 1.0]], [2.0, 1.0]).round(6)
    array([1.5, 0. ])
    """
    points, target = _problem(X, y)
    columns, d = _unit_columns(points), points.shape[1]
    theta, free = np.zeros(d), np.zeros(d, dtype=bool)
    for _ in range(30 * d):
        gradient = columns.T @ (target - points @ theta)
        gradient[free] = 0.0
        if not gradient.max() > CORRELATION_TOL * np.linalg.norm(target):
            break
        free[gradient.argmax()] = True
        while free.any():
            aim = np.zeros(d)
            aim[free] = svd_least_squares(points[:, free], target)
            if (aim[free] > 0).all():
                theta = aim
                break
            stopped = np.flatnonzero(free & (aim <= 0))
            ratios = theta[stopped] / np.maximum(theta[stopped] - aim[stopped], 1e-300)
            theta = theta + ratios.min() * (aim - theta)
            free[stopped[ratios <= ratios.min()]] = False
            theta[~free] = 0.0
    return theta


def nonnegative_omp(X: ArrayLike, y: ArrayLike, n_nonzero: int) -> tuple[Chosen, Array]:
    r"""Run matching pursuit with weights that are not negative.

    Only a column with a positive inner product with the residual may enter, and the fit after each
    step is one of nonnegative least squares.

    Parameters
    ----------
    X : array-like of shape (n, d)
        Columns to choose from.
    y : array-like of shape (n,)
        Targets.
    n_nonzero : int
        How many columns to choose; fewer if no other would help.

    Returns
    -------
    chosen : ndarray of shape (steps,)
        The columns in the order in which they were chosen.
    theta : ndarray of shape (d,)
        Their weights, zero for all others.

    Examples
    --------
    >>> nonnegative_omp([[1.0, 0.0], [0.0, 1.0]], [1.0, -3.0], 2)
    (array([0]), array([1., 0.]))
    """
    points, target = _problem(X, y)
    columns, d = _unit_columns(points), points.shape[1]
    chosen: list[int] = []
    theta = np.zeros(d)
    for _ in range(check_count(n_nonzero, "n_nonzero", at_most=d)):
        cosines = columns.T @ (target - points @ theta)
        cosines[chosen] = 0.0
        if not cosines.max() > CORRELATION_TOL * np.linalg.norm(target):
            break
        chosen.append(int(cosines.argmax()))
        theta = np.zeros(d)
        theta[chosen] = nonnegative_least_squares(points[:, chosen], target)
    return np.array(chosen, dtype=np.intp), theta


def best_subset(X: ArrayLike, y: ArrayLike, n_nonzero: int) -> tuple[Chosen, Array]:
    r"""Find the columns that fit best among all sets of their number, by trying all.

    Parameters
    ----------
    X : array-like of shape (n, d)
        Columns to choose from.
    y : array-like of shape (n,)
        Targets.
    n_nonzero : int
        How many columns to choose. There may be at most a million sets of that size.

    Returns
    -------
    chosen : ndarray of shape (n_nonzero,)
        The columns, in ascending order.
    theta : ndarray of shape (d,)
        Their weights, zero for all others.

    Examples
    --------
    >>> best_subset([[1.0, 0.0], [0.0, 1.0]], [1.0, -3.0], 1)
    (array([1]), array([ 0., -3.]))
    """
    points, target = _problem(X, y)
    d = points.shape[1]
    size = check_count(n_nonzero, "n_nonzero", at_most=d)
    if comb(d, size) > 1_000_000:
        raise ValueError(f"n_nonzero={size} of {d} columns leaves more than a million sets to try.")
    least, best = np.inf, np.zeros(d)
    for columns in map(list, combinations(range(d), size)):
        theta = np.zeros(d)
        theta[columns] = svd_least_squares(points[:, columns], target)
        squares = float(((target - points @ theta) ** 2).sum())
        if squares < least:
            least, best, chosen = squares, theta, columns
    return np.array(chosen, dtype=np.intp), best


def dictionary_learning(
    Y: ArrayLike,
    n_atoms: int,
    n_nonzero: int,
    n_iter: int = 20,
    *,
    random_state: int | np.random.Generator = 0,
) -> tuple[Array, Array, Array]:
    r"""Learn columns of which each signal needs only a few: pursuit and least squares by turns.

    With the dictionary D fixed, orthogonal matching pursuit codes each signal; with the codes
    fixed, D is a least-squares problem. The second step cannot raise the error; the first, being
    greedy, may.

    Parameters
    ----------
    Y : array-like of shape (n, n_signals)
        Signals, one a column; not all zero.
    n_atoms : int
        How many columns to learn, at most as many as there are signals.
    n_nonzero : int
        How many of them a signal may use.
    n_iter : int
        How many turns to take.
    random_state : int or numpy.random.Generator
        Seed of the choice of signals to start from.

    Returns
    -------
    D : ndarray of shape (n, n_atoms)
        Columns of length 1.
    codes : ndarray of shape (n_atoms, n_signals)
        Weights, at most ``n_nonzero`` a column.
    errors : ndarray of shape (n_iter, 2)
        The squared error in each turn, before and after the dictionary was fitted.

    Examples
    --------
    >>> D, codes, errors = dictionary_learning([[1.0, 2.0, 0.0], [0.0, 0.0, 3.0]], 2, 1, 3)
    >>> np.allclose(D @ codes, [[1.0, 2.0, 0.0], [0.0, 0.0, 3.0]])
    True
    """
    signals = check_matrix(Y, name="Y", squares=True)
    m = signals.shape[1]
    K = check_count(n_atoms, "n_atoms", at_most=m)
    used = check_count(n_nonzero, "n_nonzero", at_most=K)
    turns, rng = check_count(n_iter, "n_iter", at_most=100_000), check_random_state(random_state)
    D = _unit_columns(signals[:, rng.permutation(m)[:K]])
    errors = []
    for _ in range(turns):
        codes = np.stack([orthogonal_matching_pursuit(D, s, used)[1][-1] for s in signals.T]).T
        before = float(((signals - D @ codes) ** 2).sum())
        fitted = np.linalg.lstsq(codes.T, signals.T)[0].T
        errors.append((before, float(((signals - fitted @ codes) ** 2).sum())))
        scale = np.sqrt((fitted**2).sum(axis=0))
        alive = scale > CORRELATION_TOL * scale.max()
        D = np.where(alive, fitted / np.where(alive, scale, 1.0), D)
        codes = np.where(alive[:, None], scale[:, None] * codes, 0.0)
    return D, codes, np.array(errors)
