"""Expectation maximisation: one step for Gaussians, and the loop for any model."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from mlnotes.mixtures_and_em._mathematics import gaussian_log_joint, responsibilities
from mlnotes.validation import Array, check_callable, check_count, check_matrix, check_scalar

P = TypeVar("P")
S = TypeVar("S")


def em_step(
    X: ArrayLike,
    weights: ArrayLike,
    means: ArrayLike,
    covariances: ArrayLike,
) -> tuple[Array, Array, Array]:
    r"""Make one step of EM for a mixture of Gaussians: see ``alg-em``.

    The E-step computes the responsibilities :math:`r_{ik}`. With :math:`N_k=\sum_ir_{ik}`
    the M-step is :math:`\pi_k=N_k/n`, :math:`\mu_k=\sum_ir_{ik}x_i/N_k` and
    :math:`\Sigma_k=\sum_ir_{ik}(x_i-\mu_k)(x_i-\mu_k)^\top/N_k`. :class:`GaussianMixture`
    repeats it, with a floor under the variances.

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
    weights, means, covariances : ndarray
        The new parameters, whose log-likelihood is not lower (``thm-em-monotone``).

    Examples
    --------
    >>> X, start = [[0.0], [1.0], [4.0], [5.0]], ([0.5, 0.5], [[1.0], [4.0]], [[[1.0]], [[1.0]]])
    >>> weights, means, covariances = em_step(X, *start)
    >>> weights, means.ravel().round(1) + 0.0
    (array([0.5, 0.5]), array([0.5, 4.5]))
    """
    points = check_matrix(X)
    joint = gaussian_log_joint(points, weights, means, covariances)
    r = responsibilities(joint)
    masses = r.sum(axis=0)
    if not masses.all():
        raise ValueError("a component lost all points: drop it.")
    centres = r.T @ points / masses[:, None]
    offsets = points[:, None] - centres  # (n, k, d)
    scatter = np.einsum("nk,nki,nkj->kij", r, offsets, offsets)
    spreads = scatter / masses[:, None, None]
    return masses / len(points), centres, spreads


@dataclass(frozen=True)
class EMRun:
    """What :func:`expectation_maximisation` found.

    Attributes
    ----------
    parameters
        Those after the last M-step.
    log_likelihoods : ndarray
        The log-likelihood before each M-step and, last, that of ``parameters``.
    n_iter : int
        The number of M-steps.
    converged : bool
        Whether the last gain was below the tolerance.

    Examples
    --------
    >>> run = expectation_maximisation(lambda x: (x, 4.0 - (x - 2.0) ** 2), lambda x: 2.0, 0.0)
    >>> run.parameters, run.log_likelihoods[:2].tolist(), run.converged
    (2.0, [0.0, 4.0], True)
    """

    parameters: Any
    log_likelihoods: Array
    n_iter: int
    converged: bool


def expectation_maximisation(
    e_step: Callable[[P], tuple[S, float]],
    m_step: Callable[[S], P],
    start: P,
    *,
    max_iter: int = 100,
    tol: float = 1e-3,
    rounding: float = 1e-9,
) -> EMRun:
    r"""Alternate the two steps of EM, whatever the model, and see that no step loses likelihood.

    Parameters
    ----------
    e_step : callable
        Maps parameters to the expected statistics that the M-step needs and to the log-likelihood.
    m_step : callable
        Maps those statistics to parameters that do not lower the expected log-likelihood.
    start
        Parameters to start from.
    max_iter : int
        The greatest number of M-steps.
    tol : float
        The run ends after a step that gained less than this.
    rounding : float
        What rounding may cost. A greater loss contradicts ``thm-em-monotone``: the steps are then
        not those of EM, and an :class:`ArithmeticError` says so.

    Returns
    -------
    EMRun
        The last parameters, the log-likelihoods on the way, and whether it converged.

    Examples
    --------
    Two coins, one of which was tossed in each of three bouts of ten tosses; which one is unknown.

    >>> from mlnotes.mixtures_and_em import log_evidence
    >>> heads, tosses = np.array([9.0, 8.0, 2.0]), 10.0
    >>> def e_step(theta):
    ...     joint = np.outer(heads, np.log(theta)) + np.outer(tosses - heads, np.log(1 - theta))
    ...     return responsibilities(joint), log_evidence(joint).sum()
    >>> def m_step(r):
    ...     return heads @ r / (tosses * r.sum(axis=0))
    >>> run = expectation_maximisation(e_step, m_step, np.array([0.6, 0.5]), max_iter=50)
    >>> run.parameters.round(2), bool((np.diff(run.log_likelihoods) >= 0).all())
    (array([0.85, 0.2 ]), True)
    """
    check_callable(e_step, "e_step", takes="parameters")
    check_callable(m_step, "m_step", takes="expected statistics")
    tol = check_scalar(tol, "tol", least=0, infinite=True)
    eps = check_scalar(rounding, "rounding", least=0, infinite=True)
    limit = check_count(max_iter, "max_iter")
    parameters, converged = start, False
    values: list[float] = []
    for step in range(limit + 1):
        statistics, value = e_step(parameters)
        before = values[-1] if values else -np.inf
        if np.isnan(value) or value < before - eps:
            raise ArithmeticError(
                f"the log-likelihood went from {values[-1:]} to "
                f"{value!r}, which no EM step can do "
                "(thm-em-monotone): the M-step does not maximise "
                "what the E-step expects."
            )
        values.append(float(value))
        if converged or step == limit:
            break
        converged = step > 0 and values[-1] - values[-2] < tol
        parameters = m_step(statistics)
    steps = len(values) - 1
    return EMRun(parameters, np.array(values), steps, converged)
