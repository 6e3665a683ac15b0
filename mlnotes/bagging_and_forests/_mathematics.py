"""What the chapter states of votes and averages, as functions."""

from __future__ import annotations

import math
from typing import Any

from numpy.typing import ArrayLike

from mlnotes.validation import check_count, check_matrix, check_scalar


def inclusion_probability(n: int, n_draws: int | None = None) -> float:
    r"""Return the probability :math:`1-(1-\frac1n)^m` that a sample is drawn at all.

    Parameters
    ----------
    n : int
        The number of samples.
    n_draws : int, optional
        The number :math:`m` of draws with replacement; :math:`n` if not given.

    Returns
    -------
    float
        For :math:`n` draws it falls to :math:`1-1/e\approx0.632` as :math:`n` grows.

    Examples
    --------
    >>> round(inclusion_probability(10), 4), round(inclusion_probability(100), 4)
    (0.6513, 0.634)
    """
    n = check_count(n, "n", at_most=10**15)
    draws = n if n_draws is None else check_count(n_draws, "n_draws", at_least=0, at_most=10**15)
    if n == 1:
        return float(draws > 0)
    return -math.expm1(draws * math.log1p(-1 / n))


def majority_vote_error(n_voters: int, accuracy: float, *, ties: float = 0.5) -> float:
    r"""Return how often a majority of independent voters is wrong, exactly.

    The number of right votes is binomial.

    Parameters
    ----------
    n_voters : int
        The number :math:`T` of voters.
    accuracy : float
        The probability :math:`p` that a voter is right.
    ties : float
        How often a tie is decided wrongly; one half by tossing a coin, 0 to count none of them.

    Returns
    -------
    float
        The probability that fewer than half are right, and its share of ties.

    Examples
    --------
    >>> [round(majority_vote_error(T, 2 / 3), 4) for T in (1, 11, 101)]
    [0.3333, 0.1221, 0.0003]
    >>> round(majority_vote_error(11, 0.4), 3)
    0.753
    """
    from scipy.special import bdtr

    n_voters = check_count(n_voters, "n_voters", at_most=10**15)
    p = check_scalar(accuracy, "accuracy", least=0, most=1)
    share = check_scalar(ties, "ties", least=0, most=1)
    # The greatest number of right votes that is no majority, and how many are fewer than half.
    half, below = n_voters // 2, (n_voters - 1) // 2
    fewer = float(bdtr(below, n_voters, p))
    return fewer + share * (float(bdtr(half, n_voters, p)) - fewer)


def majority_vote_bound(n_voters: int, accuracy: float) -> float:
    r"""Return Hoeffding's bound :math:`e^{-2T(p-\frac12)^2}` on the error of a majority.

    Parameters
    ----------
    n_voters : int
        The number :math:`T` of independent voters.
    accuracy : float
        The probability :math:`p` that a voter is right; below one half the bound is 1.

    Returns
    -------
    float
        At least :func:`majority_vote_error`, with every tie counted as an error.

    Examples
    --------
    >>> majority_vote_bound(100, 2 / 3)
    0.0038...
    """
    n_voters = check_count(n_voters, "n_voters", at_most=10**15)
    edge = check_scalar(accuracy, "accuracy", least=0, most=1) - 0.5
    return math.exp(-2 * n_voters * max(edge, 0.0) ** 2)


def ensemble_variance(variance: float, correlation: float, n_members: int) -> float:
    r"""Return the variance :math:`\rho\sigma^2+\frac{1-\rho}T\sigma^2` of an average.

    Its members have one variance and one correlation between any two of them. More of them take
    away the second term and nothing of the first.

    Parameters
    ----------
    variance : float
        :math:`\sigma^2`.
    correlation : float
        :math:`\rho`, from :math:`-1/(T-1)`, below which no such members exist, to 1.
    n_members : int
        :math:`T`.

    Returns
    -------
    float
        Between zero and the variance of one member.

    Examples
    --------
    >>> round(ensemble_variance(1.0, 0.3, 10), 2), ensemble_variance(4.0, 0.5, 1)
    (0.37, 4.0)
    """
    n_members = check_count(n_members, "n_members", at_most=10**15)
    sigma = check_scalar(variance, "variance", least=0)
    rho = check_scalar(correlation, "correlation", least=-1, most=1)
    if rho * (n_members - 1) < -1 - 1e-12:
        raise ValueError(
            f"correlation must be at least {-1 / (n_members - 1):g} between any two of "
            f"{n_members} variables, got {rho:g}."
        )
    return sigma * max(rho + (1 - rho) / n_members, 0.0)


def average_correlation(predictions: ArrayLike) -> float:
    r"""Return the mean covariance of two members over the mean variance of one.

    With it :func:`ensemble_variance` is exact for the mean of any members.

    Parameters
    ----------
    predictions : array-like of shape (n_members, n_samples)
        What each member says about each sample, or whether it is right.

    Returns
    -------
    float
        At most 1, and at least :math:`-1/(T-1)`; 1 if no member varies.

    Examples
    --------
    >>> average_correlation([[1.0, 2.0, 3.0], [1.0, 2.0, 3.0]])
    1.0
    >>> average_correlation([[1.0, -1.0, 1.0, -1.0], [1.0, 1.0, -1.0, -1.0]])
    0.0
    """
    values = check_matrix(predictions, name="predictions", min_samples=2)
    n_members = len(values)
    centred = values - values.mean(axis=1, keepdims=True)
    own = float((centred**2).mean(axis=1).sum())
    whole = float((centred.sum(axis=0) ** 2).mean())  # of the sum: all pairs, own ones included
    if own == 0:
        return 1.0
    return (whole - own) / ((n_members - 1) * own)


def ensemble_size(correlation: float, factor: float = 10.0) -> int:
    r"""Return the size :math:`T` from which on more members hardly help.

    At :math:`T=c\frac{1-\rho}\rho` what could still be averaged away is a :math:`c`-th of the
    variance that stays; that :math:`c` should be ten is a habit.

    Parameters
    ----------
    correlation : float
        :math:`\rho`, above 0 and at most 1.
    factor : float
        :math:`c`.

    Returns
    -------
    int
        The first whole number that is large enough, and at least 1.

    Examples
    --------
    >>> ensemble_size(0.05), ensemble_size(0.205)
    (190, 39)
    """
    rho = check_scalar(correlation, "correlation", above=0, most=1)
    c = check_scalar(factor, "factor", above=0)
    size = c * (1 - rho) / rho
    # A whole number must not become the next one by rounding.
    return max(1, math.ceil(size * (1 - 1e-12))) if math.isfinite(size) else _too_many(rho)


def _too_many(rho: float) -> Any:
    raise ValueError(f"correlation is {rho:g}, for which no finite number of members is enough.")


def miss_probability(n_features: int, n_informative: int, n_tried: int) -> float:
    r"""Return the probability that none of the features tried in a node is informative.

    Parameters
    ----------
    n_features : int
        The number of features.
    n_informative : int
        How many of them are informative.
    n_tried : int
        How many are drawn without replacement.

    Returns
    -------
    float
        :math:`\binom{d-k}m/\binom dm`.

    Examples
    --------
    >>> [round(miss_probability(100, 5, tried), 3) for tried in (10, 20, 30)]
    [0.584, 0.319, 0.161]
    """
    d = check_count(n_features, "n_features")
    k = check_count(n_informative, "n_informative", at_least=0)
    m = check_count(n_tried, "n_tried", at_least=0)
    if max(k, m) > d:
        raise ValueError(f"n_informative and n_tried must be at most n_features, {d}.")
    return math.comb(d - k, m) / math.comb(d, m)
