"""Two multipliers at a time, one at a time, one subgradient at a time: as boxed."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from mlnotes.validation import (
    Array,
    check_count,
    check_flag,
    check_matrix,
    check_positive,
    check_random_state,
    check_signs,
    check_square,
)


def smo(
    gram: ArrayLike,
    y: ArrayLike,
    *,
    C: float = 1.0,
    tol: float = 1e-3,
    max_iter: int = 100_000,
) -> tuple[Array, float]:
    r"""Solve the dual by moving two multipliers at a time: see ``alg-smo``.

    In :math:`\beta_i=\alpha_iy_i` the slope of the dual is :math:`f=y-K\beta`, and the pair
    :math:`\beta_i+t,\beta_j-t` gains :math:`t(f_i-f_j)-\frac12t^2\kappa` with
    :math:`\kappa=K_{ii}+K_{jj}-2K_{ij}` (``lem-svm-two-multipliers``). :class:`KernelSVM` finds the
    same multipliers without the whole matrix.

    Parameters
    ----------
    gram : array-like of shape (n_samples, n_samples)
        Inner products or kernel values of the points.
    y : array-like of shape (n_samples,)
        Labels -1 and +1.
    C : float
        The price of slack.
    tol : float
        The difference of two slopes that is not worth a step.
    max_iter : int
        The greatest number of pairs moved.

    Returns
    -------
    alpha : ndarray of shape (n_samples,)
        The multipliers.
    offset : float
        The :math:`\theta_0` that goes with them.

    Examples
    --------
    >>> alpha, offset = smo([[1.0, -1.0], [-1.0, 1.0]], [1, -1])
    >>> alpha, offset
    (array([0.5, 0.5]), 0.0)
    """
    K = check_square(gram, name="gram")
    signs = check_signs(y, len(K))
    end = signs * check_positive(C, "C")
    enough = check_positive(tol, "tol")
    low, high = np.minimum(end, 0.0), np.maximum(end, 0.0)
    beta, slope = np.zeros(len(K)), signs.copy()
    for _ in range(check_count(max_iter, "max_iter")):
        rising = np.where(beta < high, slope, -np.inf)
        falling = np.where(beta > low, slope, np.inf)
        i = int(rising.argmax())
        if rising[i] - falling.min() <= enough:
            break
        kappa = np.maximum(K[i, i] + K.diagonal() - 2 * K[i], 1e-12)
        gain = np.maximum(rising[i] - falling, 0) ** 2 / (2 * kappa)
        j = int(gain.argmax())
        step = (slope[i] - slope[j]) / kappa[j]
        step = min(step, high[i] - beta[i], beta[j] - low[j])
        beta[i] += step
        beta[j] -= step
        slope -= step * (K[i] - K[j])
    greatest = slope[beta < high].max()
    least = slope[beta > low].min()
    return signs * beta, float(greatest + least) / 2


def dual_coordinate_ascent(
    X: ArrayLike,
    y: ArrayLike,
    *,
    C: float = 1.0,
    fit_intercept: bool = True,
    n_passes: int = 100,
    random_state: int | np.random.Generator = 0,
) -> tuple[Array, Array]:
    r"""Solve the dual by moving one multiplier at a time, with a penalised offset.

    The offset is the weight of a constant coordinate 1, so that :math:`\lVert x_i\rVert^2+1` stands
    where :math:`\lVert x_i\rVert^2` would without one. See ``alg-svm-dual-coordinate``;
    :class:`DualCoordinateSVM` stops on the duality gap and skips multipliers that are at rest.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Points.
    y : array-like of shape (n_samples,)
        Labels -1 and +1.
    C : float
        The price of slack.
    fit_intercept : bool
        Whether to append the constant coordinate.
    n_passes : int
        How often each sample is visited.
    random_state : int or numpy.random.Generator
        The order in which each pass visits the samples.

    Returns
    -------
    theta : ndarray of shape (n_features,) or (n_features + 1,)
        The weights, that of the constant coordinate last.
    alpha : ndarray of shape (n_samples,)
        The multipliers.

    Examples
    --------
    >>> theta, alpha = dual_coordinate_ascent([[2.0], [-2.0]], [1, -1])
    >>> theta.round(6) + 0.0, alpha.round(6)
    (array([0.5, 0. ]), array([0.125, 0.125]))
    """
    points, price = check_matrix(X), check_positive(C, "C")
    if check_flag(fit_intercept, "fit_intercept"):
        points = np.column_stack([points, np.ones(len(points))])
    Z = check_signs(y, len(points))[:, None] * points
    rng = check_random_state(random_state)
    alpha, theta = np.zeros(len(Z)), np.zeros(Z.shape[1])
    for _ in range(check_count(n_passes, "n_passes")):
        for i in rng.permutation(len(Z)):
            square = Z[i] @ Z[i]
            top = price  # at the origin no margin can be reached
            if square > 0:
                top = alpha[i] - (Z[i] @ theta - 1) / square
            new = min(max(top, 0.0), price)
            theta += (new - alpha[i]) * Z[i]
            alpha[i] = new
    return theta, alpha


def pegasos(
    X: ArrayLike,
    y: ArrayLike,
    *,
    C: float = 1.0,
    fit_intercept: bool = True,
    n_passes: int = 100,
    random_state: int | np.random.Generator = 0,
) -> Array:
    r"""Descend along one subgradient of the hinge loss at a time, with a penalised offset.

    See ``alg-svm-sgd``, with :math:`\lambda=1/Cn`, so that :math:`\eta_t=Cn/t` and
    :math:`\eta_t\lambda=1/t`. :class:`SubgradientSVM` stops on the duality gap.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Points.
    y : array-like of shape (n_samples,)
        Labels -1 and +1.
    C : float
        The price of slack.
    fit_intercept : bool
        Whether to append a constant coordinate 1.
    n_passes : int
        How often each sample is visited.
    random_state : int or numpy.random.Generator
        The order in which each pass visits the samples.

    Returns
    -------
    ndarray of shape (n_features,) or (n_features + 1,)
        The weights, that of the constant coordinate last.

    Examples
    --------
    >>> pegasos([[2.0], [-2.0]], [1, -1], n_passes=1000).round(2) + 0.0
    array([0.5, 0. ])
    """
    points, price = check_matrix(X), check_positive(C, "C")
    if check_flag(fit_intercept, "fit_intercept"):
        points = np.column_stack([points, np.ones(len(points))])
    Z = check_signs(y, len(points))[:, None] * points
    rng = check_random_state(random_state)
    theta, t = np.zeros(Z.shape[1]), 0
    for _ in range(check_count(n_passes, "n_passes")):
        for i in rng.permutation(len(Z)):
            t += 1
            rate = price * len(Z) / t
            step = rate * Z[i] if Z[i] @ theta < 1 else 0.0
            theta = theta - theta / t + step
    return theta
