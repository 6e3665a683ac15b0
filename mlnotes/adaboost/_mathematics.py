"""Votes and normalisers, the bounds on the training error, and rates of cascades."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from mlnotes.validation import Array, check_count, check_numbers, check_scalar, check_vector


def exponential_loss(margins: ArrayLike) -> Array:
    r"""Return :math:`e^{-yf(x)}` for every margin :math:`yf(x)`.

    It lies above the 0-1 loss everywhere (see ``thm-adaboost-error-under-normalisers``) and is
    never zero.

    Parameters
    ----------
    margins : array-like of shape (n_samples,)
        Products of label and score, positive where the sign of the score is right.

    Returns
    -------
    ndarray of shape (n_samples,)
        The loss of each sample.

    Examples
    --------
    >>> exponential_loss([0.0, 1.0])
    array([1.        , 0.36787944])
    """
    return np.exp(-check_vector(margins, name="margins"))


def vote_weight(error: float) -> float:
    r"""Return the vote :math:`\frac12\log\frac{1-\varepsilon}\varepsilon` that makes Z least.

    Parameters
    ----------
    error : float
        The weighted error :math:`\varepsilon`, from 0 to 1.

    Returns
    -------
    float
        Positive below one half, zero there; infinite for a classifier that is never wrong.

    Examples
    --------
    >>> vote_weight(0.25)
    0.549...
    >>> vote_weight(0.5), vote_weight(0.0)
    (0.0, inf)
    """
    error = check_scalar(error, "error", least=0, most=1)
    if error in (0.0, 1.0):
        return math.copysign(math.inf, 0.5 - error)
    return 0.5 * (math.log1p(-error) - math.log(error))


def normaliser(error: float, vote: float | None = None) -> float:
    r"""Return :math:`Z=(1-\varepsilon)e^{-\alpha}+\varepsilon e^\alpha`.

    Parameters
    ----------
    error : float
        The weighted error :math:`\varepsilon`.
    vote : float, optional
        :math:`\alpha`; without it the best one, for which
        :math:`Z=2\sqrt{\varepsilon(1-\varepsilon)}`.

    Returns
    -------
    float
        The sum of the weights before they are normalised; infinite where it exceeds any float.

    Examples
    --------
    >>> normaliser(0.2)
    0.8
    >>> normaliser(0.0, vote=vote_weight(0.0))
    0.0
    >>> normaliser(0.2, vote=2 * vote_weight(0.2))
    1.0
    """
    error = check_scalar(error, "error", least=0, most=1)
    if vote is None:
        return 2 * math.sqrt(error * (1 - error))
    vote = _check_vote(vote)
    # Nobody's weight times an infinite factor is nothing.
    successes = (1 - error) * _exp(-vote) if error < 1 else 0.0
    mistakes = error * _exp(vote) if error > 0 else 0.0
    return successes + mistakes


def training_error_bound(errors: ArrayLike) -> float:
    r"""Return :math:`\exp(-2\sum_m(\frac12-\varepsilon_m)^2)`.

    It is the bound of ``thm-adaboost-training-error`` on the training error of AdaBoost.

    Parameters
    ----------
    errors : array-like of shape (n_rounds,)
        The weighted error of each round, from 0 to 1.

    Returns
    -------
    float
        At most 1, which it is when no round had an edge.

    Examples
    --------
    >>> training_error_bound([0.25, 0.25])
    0.778...
    """
    edges = 0.5 - _check_rates(errors, "errors")
    return math.exp(-2 * float(edges @ edges))


def margin_bound(errors: ArrayLike, theta: float) -> float:
    r"""Return :math:`\prod_mZ_me^{\theta\alpha_m}` for AdaBoost's votes.

    It bounds the share of the sample with a normalised margin of at most :math:`\theta`
    (``cor-adaboost-normalised-margins``); for :math:`\theta=0` it is the product of the
    normalisers.

    Parameters
    ----------
    errors : array-like of shape (n_rounds,)
        The weighted error of each round, above 0 and below 1.
    theta : float
        The margin asked about.

    Returns
    -------
    float
        Above 1 it says nothing; infinite where it exceeds any float.

    Examples
    --------
    >>> margin_bound([0.2, 0.2], theta=0.0)
    0.64...
    >>> margin_bound([0.2, 0.2], theta=0.5)
    1.28...
    """
    rates = check_vector(errors, name="errors")
    if not ((rates > 0) & (rates < 1)).all():
        raise ValueError("errors must be above 0 and below 1; leave out a round without mistakes.")
    theta = check_scalar(theta, "theta")
    exponent = sum(math.log(normaliser(rate)) + theta * vote_weight(rate) for rate in rates)
    return _exp(exponent)


def rounds_needed(n: int, edge: float) -> int:
    r"""Return the least number of rounds with :math:`e^{-2M\gamma^2}<1/n`.

    After so many rounds with :math:`\varepsilon_m\le\frac12-\gamma` no training point is wrong,
    since the training error is a multiple of :math:`1/n` (``cor-adaboost-rounds-with-a-mistake``).

    Parameters
    ----------
    n : int
        The number of samples.
    edge : float
        :math:`\gamma`, above 0 and at most one half.

    Returns
    -------
    int
        The first whole number above :math:`\log n/(2\gamma^2)`.

    Examples
    --------
    >>> rounds_needed(60, 0.1)
    205
    """
    n = check_count(n, "n")
    edge = check_scalar(edge, "edge", above=0, most=0.5)
    # As a fraction, since the square of a small edge is no float.
    return math.floor(Fraction(math.log(n)) / (2 * Fraction(edge) ** 2)) + 1


def margin_distribution(margins: ArrayLike, at: ArrayLike) -> Array:
    r"""Return the share of margins that are at most each of the given values.

    Parameters
    ----------
    margins : array-like of shape (n_samples,)
        Margins, as :meth:`AdaBoost.margins` returns them.
    at : array-like of shape (n_values,)
        Where to evaluate the distribution function.

    Returns
    -------
    ndarray of shape (n_values,)
        Rising from 0 to 1. At zero it is the training error.

    Examples
    --------
    >>> margin_distribution([-0.2, 0.1, 0.5, 0.5], [0.0, 0.4, 1.0])
    array([0.25, 0.5 , 1.  ])
    """
    ordered = np.sort(check_vector(margins, name="margins"))
    if not len(ordered):
        raise ValueError("margins is empty; pass the margin of at least one sample.")
    below = np.searchsorted(ordered, check_vector(at, name="at"), side="right")
    return np.asarray(below / len(ordered))


def cascade_rates(
    detection_rates: ArrayLike, false_positive_rates: ArrayLike
) -> tuple[float, float]:
    r"""Return the rates of a whole cascade from those of its stages.

    A sample is accepted if every stage accepts it, so rates conditional on having reached the
    stage multiply.

    Parameters
    ----------
    detection_rates : array-like of shape (n_stages,)
        The share of positives that each stage accepts, of those that reach it.
    false_positive_rates : array-like of shape (n_stages,)
        The same for negatives.

    Returns
    -------
    detection_rate : float
        At least :math:`(1-\varepsilon)^T` if no stage misses more than a share
        :math:`\varepsilon`.
    false_positive_rate : float
        The share of negatives that are accepted in the end.

    Examples
    --------
    >>> cascade_rates([0.99] * 10, [0.3] * 10)
    (0.904..., 5.904...e-06)
    """
    detected = _check_rates(detection_rates, "detection_rates")
    passed = _check_rates(false_positive_rates, "false_positive_rates", len(detected))
    return float(np.prod(detected)), float(np.prod(passed))


def cascade_cost(costs: ArrayLike, pass_rates: ArrayLike) -> float:
    r"""Return the mean cost of a sample, :math:`\sum_tc_t\prod_{s<t}f_s`.

    Stage :math:`t` is paid for by the samples that all earlier stages let pass.

    Parameters
    ----------
    costs : array-like of shape (n_stages,)
        What one evaluation of each stage costs.
    pass_rates : array-like of shape (n_stages,)
        The share that each stage accepts, of those that reach it.

    Returns
    -------
    float
        In the units of ``costs``.

    Examples
    --------
    >>> cascade_cost([1.0, 10.0, 100.0], [0.1, 0.1, 0.5])
    3.0
    """
    price = check_vector(costs, name="costs")
    passed = _check_rates(pass_rates, "pass_rates", len(price))
    reached = np.concatenate([[1.0], np.cumprod(passed)[:-1]])
    return float(price @ reached)


def _check_vote(vote: Any) -> float:
    """Return a number that may be infinite."""
    value = check_numbers(vote, "vote", infinite=True)
    if value.ndim:
        raise ValueError(f"vote must be one number, got an array of shape {value.shape}.")
    return float(value)


def _check_rates(values: ArrayLike, name: str, n: int | None = None) -> Array:
    """Return a vector of numbers from 0 to 1."""
    rates = check_vector(values, n, name=name)
    if ((rates < 0) | (rates > 1)).any():
        raise ValueError(f"{name} must be at least 0 and at most 1, got {rates.tolist()!r}.")
    return rates


def _exp(exponent: float) -> float:
    """Return the exponential, infinite where it exceeds any float."""
    with np.errstate(over="ignore"):
        return float(np.exp(exponent))
