r"""The likelihood of a categorical distribution, whose constraint may be squared."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from mlnotes.validation import (
    Array,
    check_scalar,
    check_vector,
)


def _check_counts(counts: ArrayLike) -> Array:
    x = check_vector(counts, name="counts")
    if (x < 0).any() or not x.any():
        raise ValueError("counts must not be negative, and at least one must be positive.")
    return x


def categorical_mle(counts: ArrayLike) -> tuple[Array, float]:
    r"""Return the most likely die for the counts of its faces.

    It maximises :math:`\sum_kx_k\log\theta_k` where :math:`\sum_k\theta_k=1`. The Lagrangian
    :math:`\sum_kx_k\log\theta_k+\nu(\sum_k\theta_k-1)` is stationary at
    :math:`\theta_k=x_k/\sum_jx_j` with :math:`\nu=-\sum_jx_j`.

    Parameters
    ----------
    counts : array-like of shape (K,)
        How often each face was seen, not all zero.

    Returns
    -------
    theta : ndarray of shape (K,)
        The probabilities.
    multiplier : float
        :math:`\nu`.

    Examples
    --------
    >>> categorical_mle([1, 2, 5])
    (array([0.125, 0.25 , 0.625]), -8.0)
    """
    x = _check_counts(counts)
    return x / x.sum(), -float(x.sum())


def squared_constraint_mle(counts: ArrayLike) -> tuple[Array, float]:
    r"""Maximise :math:`\sum_dx_d\log\theta_d` over the part of the unit sphere with θ ≥ 0.

    Parameters
    ----------
    counts : array-like of shape (K,)
        Nonnegative exponents :math:`x_d`, not all zero.

    Returns
    -------
    theta : ndarray of shape (K,)
        :math:`\sqrt{x_d/\sum_jx_j}`.
    multiplier : float
        :math:`\lambda=-\frac12\sum_jx_j`.

    Examples
    --------
    >>> squared_constraint_mle([9, 16])
    (array([0.6, 0.8]), -12.5)
    """
    x = _check_counts(counts)
    return np.sqrt(x / x.sum()), -0.5 * float(x.sum())


def squared_constraint_dual(counts: ArrayLike, multiplier: float) -> float:
    r"""Return :math:`\sup_\theta\sum_dx_d\log\theta_d+\lambda(\sum_d\theta_d^2-1)`.

    It is finite exactly for :math:`\lambda<0`; at :math:`\lambda=-\frac12\sum_dx_d` it is least,
    and equal to the greatest value of the problem it bounds.

    Parameters
    ----------
    counts : array-like of shape (K,)
        Nonnegative exponents, not all zero.
    multiplier : float
        :math:`\lambda`.

    Returns
    -------
    float
        An upper bound on the constrained maximum; infinite for :math:`\lambda\ge0`.

    Examples
    --------
    >>> squared_constraint_dual([1, 2, 3], -3.0)
    -3.034...
    >>> squared_constraint_dual([1, 2, 3], 0.1)
    inf
    """
    x = _check_counts(counts)
    multiplier = check_scalar(multiplier, "multiplier")
    if multiplier >= 0:
        return math.inf
    x = x[x > 0]
    return float(0.5 * (x @ np.log(x / (-2 * multiplier)) - x.sum()) - multiplier)
