"""Joint densities, responsibilities and the bound that EM climbs."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import xlogy

from mlnotes._numerics import log_sum_exp
from mlnotes._solvers.mixtures import Bernoullis, gaussians
from mlnotes.validation import Array, check_matrix, check_numbers, check_vector


def log_evidence(log_joint: ArrayLike) -> Array:
    r"""Return :math:`\log p(x_i)=\log\sum_kp(x_i,k)` from the logarithms of the joint densities.

    Parameters
    ----------
    log_joint : array-like of shape (n_samples, n_components)
        :math:`\log p(x_i,k)=\log\pi_k+\log p_k(x_i)`; minus infinity is allowed.

    Returns
    -------
    ndarray of shape (n_samples,)
        Without underflow, however small the densities.

    Examples
    --------
    >>> log_evidence(np.log([[0.2, 0.3]])).round(4)
    array([-0.6931])
    >>> log_evidence([[-1000.0, -1000.0]])
    array([-999.306...])
    """
    return log_sum_exp(check_log_joint(log_joint))


def responsibilities(log_joint: ArrayLike) -> Array:
    r"""Return :math:`r_{ik}=p(x_i,k)/\sum_lp(x_i,l)`: the E-step.

    Parameters
    ----------
    log_joint : array-like of shape (n_samples, n_components)
        Logarithms of the joint densities.

    Returns
    -------
    ndarray of shape (n_samples, n_components)
        Each row sums to one.

    Examples
    --------
    >>> responsibilities(np.log([[0.2, 0.3]]))
    array([[0.4, 0.6]])
    """
    table = check_log_joint(log_joint)
    joint = np.exp(table - table.max(axis=1, keepdims=True))
    return np.asarray(joint / joint.sum(axis=1, keepdims=True))


def elbo(log_joint: ArrayLike, q: ArrayLike) -> float:
    r"""Return :math:`\sum_i\sum_kq_{ik}\log\frac{p(x_i,k)}{q_{ik}}`, a bound of the log-likelihood.

    It is at most the log-likelihood (``cor-elbo-bound``) and equals it where every row of ``q`` is
    the posterior (``lem-elbo-tight``). The entropy of ``q`` belongs to it: without it the bound
    would still hold, but touch only where ``q`` is certain of one component.

    Parameters
    ----------
    log_joint : array-like of shape (n_samples, n_components)
        Logarithms of the joint densities.
    q : array-like of shape (n_samples, n_components)
        A distribution over the components for each point.

    Returns
    -------
    float
        Minus infinity if ``q`` gives weight to a component with density zero.

    Examples
    --------
    >>> joint = np.log([[0.2, 0.3]])
    >>> round(elbo(joint, [[0.5, 0.5]]), 4), round(elbo(joint, [[0.4, 0.6]]), 4)
    (-0.7136, -0.6931)
    """
    table = check_log_joint(log_joint)
    weights = check_matrix(q, name="q")
    if weights.shape != table.shape:
        raise ValueError(f"q has shape {weights.shape}, but log_joint has {table.shape}.")
    if (weights < 0).any() or not np.allclose(weights.sum(axis=1), 1):
        raise ValueError("every row of q must be a distribution: nonnegative, with sum 1.")
    expected = np.where(weights > 0, weights * np.where(weights > 0, table, 0.0), 0.0)
    return float(expected.sum() - xlogy(weights, weights).sum())


def gaussian_log_joint(
    X: ArrayLike, weights: ArrayLike, means: ArrayLike, covariances: ArrayLike
) -> Array:
    r"""Return :math:`\log\pi_k+\log\mathcal N(x_i\mid\mu_k,\Sigma_k)` of each point and component.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Points.
    weights : array-like of shape (n_components,)
        Mixture weights, which sum to one.
    means : array-like of shape (n_components, n_features)
        Means.
    covariances : array-like of shape (n_components, n_features, n_features)
        Symmetric positive definite matrices.

    Returns
    -------
    ndarray of shape (n_samples, n_components)
        What :func:`responsibilities` and :func:`log_evidence` take.

    Examples
    --------
    >>> joint = gaussian_log_joint([[1.0]], [0.3, 0.7], [[0.0], [3.0]], [[[1.0]], [[1.0]]])
    >>> np.exp(joint).round(4), np.exp(log_evidence(joint)).round(4)
    (array([[0.0726, 0.0378]]), array([0.1104]))
    """
    points = check_matrix(X)
    log_joint = gaussians(*check_gaussians(weights, means, covariances, points.shape[1]))
    return log_joint.log_joint(points)[0].T


def bernoulli_log_joint(X: ArrayLike, weights: ArrayLike, theta: ArrayLike) -> Array:
    r"""Return :math:`\log\pi_k+\sum_j\log\theta_{kj}^{x_{ij}}(1-\theta_{kj})^{1-x_{ij}}`.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Zeros and ones.
    weights : array-like of shape (n_components,)
        Mixture weights, which sum to one.
    theta : array-like of shape (n_components, n_features)
        Probabilities of a one, strictly between 0 and 1.

    Returns
    -------
    ndarray of shape (n_samples, n_components)
        What :func:`responsibilities` and :func:`log_evidence` take.

    Examples
    --------
    >>> np.exp(bernoulli_log_joint([[1, 0]], [0.5, 0.5], [[0.5, 0.5], [0.8, 0.4]]))
    array([[0.125, 0.24 ]])
    """
    points = check_matrix(X)
    if not np.isin(points, (0.0, 1.0)).all():
        raise ValueError("X must hold zeros and ones only; compare it with a threshold first.")
    probabilities = check_probabilities(theta)
    shares = check_shares(weights, len(probabilities))
    return Bernoullis(shares, probabilities).log_joint(points).T


def check_log_joint(log_joint: ArrayLike) -> Array:
    """Return a table of logarithms of densities, with a finite one in each row."""
    table = check_numbers(log_joint, "log_joint", infinite=True)
    if table.ndim != 2 or table.size == 0:
        raise ValueError(
            f"log_joint must have a row for each point and a column for each component, got shape "
            f"{table.shape}."
        )
    if np.isposinf(table).any() or np.isneginf(table).all(axis=1).any():
        raise ValueError(
            "log_joint must hold logarithms of densities, at least one of them finite in each row."
        )
    return table


def check_shares(weights: ArrayLike, k: int) -> Array:
    """Return the weights of ``k`` components, which sum to one."""
    shares = check_vector(weights, k, name="weights")
    if (shares < 0).any() or not np.isclose(shares.sum(), 1):
        raise ValueError("weights must be nonnegative and sum to 1; divide them by their sum.")
    return shares


def check_probabilities(theta: ArrayLike) -> Array:
    """Return probabilities strictly between 0 and 1."""
    probabilities = check_matrix(theta, name="theta")
    if (probabilities <= 0).any() or (probabilities >= 1).any():
        raise ValueError("theta must lie strictly between 0 and 1; move 0 and 1 inside a little.")
    return probabilities


def check_gaussians(
    weights: ArrayLike, means: ArrayLike, covariances: ArrayLike, d: int
) -> tuple[Array, Array, Array]:
    """Return the parameters of a mixture of Gaussians in ``d`` dimensions."""
    centres = check_matrix(means, name="means")
    k = len(centres)
    spread = check_numbers(covariances, "covariances")
    if centres.shape[1] != d or spread.shape != (k, d, d):
        raise ValueError(
            f"for {d} features means must have shape (k, {d}) and covariances (k, {d}, {d}), got "
            f"{centres.shape} and {spread.shape}."
        )
    if not np.allclose(spread, spread.transpose(0, 2, 1)) or np.linalg.eigvalsh(spread).min() <= 0:
        raise ValueError("covariances must be symmetric and positive definite.")
    return check_shares(weights, k), centres, spread
