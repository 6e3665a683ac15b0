"""Rate functions, and tails of coins: their limit, to all digits, and inverted."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike

from mlnotes._bounds import float_or_array
from mlnotes._numerics import log_sum_exp, softmax
from mlnotes.validation import Array, check_flag, check_numbers, check_vector

MIN_TERMS, MIN_TAIL = (
    40,
    1e-200,
)  # SciPy adds up fewer terms than that; tails below that may have underflowed


def cumulant_generating_function(
    rate: ArrayLike, values: ArrayLike, probabilities: ArrayLike | None = None
) -> float | Array:
    r"""Return :math:`\psi(\lambda)=\log\mathbb E[e^{\lambda X}]` for finitely many values of X.

    Parameters
    ----------
    rate : array-like
        The rates :math:`\lambda`.
    values : array-like of shape (k,)
        The values of :math:`X`.
    probabilities : array-like of shape (k,), optional
        Their probabilities; equal ones if not given.

    Returns
    -------
    float or ndarray
        Of the shape of ``rate``.

    Examples
    --------
    >>> round(cumulant_generating_function(1.0, [-1, 1]), 4)  # log cosh 1
    0.4338
    """
    points, weights = _distribution(values, probabilities)
    return float_or_array(_log_moment(check_numbers(rate, "rate"), points, weights))


def rate_function(
    t: ArrayLike, values: ArrayLike, probabilities: ArrayLike | None = None
) -> float | Array:
    r"""Return :math:`\psi^*(t)=\sup_\lambda(\lambda t-\psi(\lambda))`, the conjugate of ``psi``.

    The supremum is attained where the exponentially tilted distribution has mean :math:`t`. At the
    largest value it is minus the logarithm of that value's probability; beyond, it is infinite.

    Parameters
    ----------
    t : array-like
        Where to evaluate it.
    values : array-like of shape (k,)
        The values of :math:`X`.
    probabilities : array-like of shape (k,), optional
        Their probabilities; equal ones if not given.

    Returns
    -------
    float or ndarray
        Of the shape of ``t``; zero at the mean and positive elsewhere.

    Examples
    --------
    >>> round(rate_function(0.5, [-1, 1]), 4)
    0.1308
    """
    points, weights = _distribution(values, probabilities)
    at = check_numbers(t, "t")
    flat = [_conjugate(float(one), points, weights) for one in at.ravel()]
    return float_or_array(np.array(flat).reshape(at.shape))


def chernoff_bound(
    n: ArrayLike, t: ArrayLike, values: ArrayLike, probabilities: ArrayLike | None = None
) -> float | Array:
    r"""Return :math:`e^{-n\psi^*(t)}`, which bounds :math:`\Pr[\frac1n\sum_iX_i\ge t]`.

    It is ``thm-chernoff-sum`` at the best rate. Below the mean that rate is negative and the bound
    is false, so it is refused there.

    Parameters
    ----------
    n : array-like of int
        The number of independent copies of :math:`X`.
    t : array-like
        The level, not below :math:`\mathbb E[X]`.
    values : array-like of shape (k,)
        The values of :math:`X`.
    probabilities : array-like of shape (k,), optional
        Their probabilities; equal ones if not given.

    Returns
    -------
    float or ndarray
        The bound, of the common shape of ``n`` and ``t``.

    Examples
    --------
    >>> round(chernoff_bound(2, 1.0, [0, 1]), 12)
    0.25
    """
    n = check_numbers(n, "n", least=1, whole=True)
    points, weights = _distribution(values, probabilities)
    at = check_numbers(t, "t")
    mean = float(weights @ points)
    if (at < mean - 1e-12 * float(np.abs(points).max())).any():
        raise ValueError(
            f"t must not be below the mean {mean:g}: there the tail is not small. For the lower "
            "tail pass -t and -values."
        )
    return float_or_array(np.exp(-n * np.asarray(rate_function(at, points, weights))))


def bernoulli_divergence(q: ArrayLike, p: ArrayLike) -> float | Array:
    r"""Return :math:`q\log\frac qp+(1-q)\log\frac{1-q}{1-p}`, the rate function of a coin.

    See ``lem-bernoulli-conjugate``: a coin of mean :math:`p` has :math:`n` tosses of mean
    :math:`q>p` or more with probability at most :math:`e^{-n\,\mathrm{kl}(q,p)}`.

    Parameters
    ----------
    q, p : array-like
        Probabilities.

    Returns
    -------
    float or ndarray
        Infinite where ``q`` gives mass to what ``p`` excludes.

    Examples
    --------
    >>> round(bernoulli_divergence(0.75, 0.5), 4)
    0.1308
    """
    from scipy.special import rel_entr

    q = check_numbers(q, "q", least=0, most=1)
    p = check_numbers(p, "p", least=0, most=1)
    return float_or_array(np.maximum(0.0, rel_entr(q, p) + rel_entr(1 - q, 1 - p)))


def clt_tail(alpha: ArrayLike, sigma: ArrayLike = 1.0) -> float | Array:
    r"""Return :math:`2\Phi(-\alpha/\sigma)`, the limit of :math:`\Pr[\sqrt n|\bar X-\mu|>\alpha]`.

    It is a limit and not a bound: for rare events it may be too small by orders of magnitude.

    Parameters
    ----------
    alpha : array-like
        The scaled deviation :math:`\alpha\ge0`.
    sigma : array-like
        The standard deviation :math:`\sigma>0` of one variable.

    Returns
    -------
    float or ndarray
        Of the common shape of the arguments.

    Examples
    --------
    >>> round(clt_tail(1.96), 3)
    0.05
    """
    from scipy.special import erfc

    alpha = check_numbers(alpha, "alpha", least=0)
    sigma = check_numbers(sigma, "sigma", above=0)
    return float_or_array(erfc(alpha / sigma / np.sqrt(2)))


def binomial_tail(k: ArrayLike, n: ArrayLike, p: ArrayLike) -> float | Array:
    r"""Return :math:`\Pr[S\ge k]` for the number :math:`S` of successes in ``n`` trials.

    Parameters
    ----------
    k : array-like of int
        The least number of successes that counts.
    n : array-like of int
        The number of independent trials.
    p : array-like
        The probability of success in each.

    Returns
    -------
    float or ndarray
        To at least ten digits, down to the smallest number that a float holds in full.

    Examples
    --------
    >>> round(binomial_tail(2, 2, 0.5), 12)
    0.25
    """
    k = check_numbers(k, "k", whole=True)
    n = check_numbers(n, "n", least=1, whole=True)
    p = check_numbers(p, "p", least=0, most=1)
    return float_or_array(upper_tail(k, n, p))


def sample_mean_tail(
    n: ArrayLike, p: ArrayLike, epsilon: ArrayLike, *, two_sided: bool = True
) -> float | Array:
    r"""Return :math:`\Pr[|\frac1nS-p|\ge\varepsilon]` for ``n`` tosses of a coin of mean ``p``.

    Whether :math:`\frac1nk` lies at :math:`p+\varepsilon` or just below decides about a whole term,
    so ``p`` and ``epsilon`` are read as the decimals that they print as: 0.1 means one tenth.

    Parameters
    ----------
    n : array-like of int
        The number of tosses.
    p : array-like
        The probability of success.
    epsilon : array-like
        The deviation :math:`\varepsilon>0`.
    two_sided : bool
        Whether both tails count, or only the upper one.

    Returns
    -------
    float or ndarray
        Of the common shape of the arguments.

    Examples
    --------
    >>> round(sample_mean_tail(10, 0.3, 0.1), 6)  # 0 to 2 or 4 to 10 successes
    0.733172
    """
    n = check_numbers(n, "n", least=1, whole=True)
    p = check_numbers(p, "p", least=0, most=1)
    epsilon = check_numbers(epsilon, "epsilon", above=0)
    first = np.asarray(np.frompyfunc(_first_count, 3, 1)(n, p, epsilon), dtype=np.float64)
    upper = upper_tail(first, n, p)
    if not check_flag(two_sided, "two_sided"):
        return float_or_array(upper)
    last = np.asarray(np.frompyfunc(_last_count, 3, 1)(n, p, epsilon), dtype=np.float64)
    return float_or_array(upper + lower_tail(last, n, p))


def clopper_pearson(
    k: ArrayLike, n: ArrayLike, delta: float = 0.05
) -> tuple[float | Array, float | Array]:
    r"""Return an interval that covers the probability of success with probability :math:`1-\delta`.

    It holds those :math:`p` for which neither ``k`` successes or more, nor ``k`` or fewer, have a
    probability below :math:`\delta/2`. The promise is kept for every ``n`` and ``p``, at the price
    of covering more often than promised.

    Parameters
    ----------
    k : array-like of int
        The number of successes.
    n : array-like of int
        The number of trials.
    delta : float
        The probability in (0, 1) of missing.

    Returns
    -------
    low, high : float or ndarray
        The ends of the interval.

    Examples
    --------
    >>> low, high = clopper_pearson(0, 10)
    >>> low, round(high, 4)
    (0.0, 0.3085)
    """
    from scipy.special import betainccinv, betaincinv

    n = check_numbers(n, "n", least=1, whole=True)
    k = check_numbers(k, "k", least=0, whole=True)
    if (k > n).any():
        raise ValueError("k must not exceed n: there are no more successes than trials.")
    half = check_numbers(delta, "delta", above=0, below=1) / 2
    low = np.where(k > 0, betaincinv(np.maximum(k, 1), n - k + 1, half), 0.0)
    high = np.where(k < n, betainccinv(k + 1, np.maximum(n - k, 1), half), 1.0)
    return float_or_array(low), float_or_array(high)


def _distribution(values: ArrayLike, probabilities: ArrayLike | None) -> tuple[Array, Array]:
    """Return the values that have positive probability, and their probabilities."""
    points = check_vector(values, name="values")
    if not len(points):
        raise ValueError("values is empty; a distribution needs at least one value.")
    if probabilities is None:
        return points, np.full(len(points), 1 / len(points))
    weights = check_vector(probabilities, len(points), name="probabilities")
    if (weights < 0).any() or abs(weights.sum() - 1) > 1e-9:
        raise ValueError(
            f"probabilities must be nonnegative and add up to 1, got a sum of {weights.sum():g}; "
            "divide them by their sum."
        )
    return points[weights > 0], weights[weights > 0] / weights.sum()


def _log_moment(rate: Array, points: Array, weights: Array) -> Array:
    """Return the logarithm of the moment generating function; the weights are positive."""
    return log_sum_exp(np.multiply.outer(rate, points) + np.log(weights))


def _conjugate(t: float, points: Array, weights: Array) -> float:
    """Return the supremum of λt - ψ(λ) by finding the λ whose tilted mean is t."""
    from scipy.optimize import brentq

    low, high = float(points.min()), float(points.max())
    if not low <= t <= high:
        return float("inf")
    if t in (low, high):
        return float(-np.log(weights[points == t].sum()))
    # The conjugate does not change if values and t are shifted and scaled together.
    # Halves, because the difference of two large values may overflow.
    width = high / 2 - low / 2
    scaled, target = (points / 2 - low / 2) / width, (t / 2 - low / 2) / width

    def excess(rate: float) -> float:
        return float(softmax(rate * scaled + np.log(weights)) @ (scaled - target))

    reach = 1.0
    while excess(reach) < 0 or excess(-reach) > 0:
        reach *= 2
    rate = brentq(excess, -reach, reach, xtol=1e-14)
    value = rate * target - _log_moment(np.array(rate), scaled, weights)
    return max(0.0, float(value))


def _first_count(n: float, p: float, epsilon: float) -> int:
    """Return the least count at or above n(p + ε); n + 1 if there is none up to n."""
    return min(math.ceil(int(n) * (_exact_decimal(p) + _exact_decimal(epsilon))), int(n) + 1)


def _last_count(n: float, p: float, epsilon: float) -> int:
    """Return the greatest count at or below n(p - ε); -1 if none is as small."""
    return max(math.floor(int(n) * (_exact_decimal(p) - _exact_decimal(epsilon))), -1)


def _exact_decimal(number: float) -> Fraction:
    """Return a number as the fraction that its shortest decimal form denotes."""
    return Fraction(repr(float(number)))


def upper_tail(k: Array, n: Array, p: Array) -> Array:
    """Return P[S ≥ k], by the incomplete beta function."""
    from scipy.special import betainc

    k, n, p = np.broadcast_arrays(k, n, p)
    inside = betainc(np.clip(k, 1, n), n - np.clip(k, 1, n) + 1, p)
    tail = np.where(k <= 0, 1.0, np.where(k > n, 0.0, inside))
    rare = (k <= n) & (n - k < MIN_TERMS) & (tail < MIN_TAIL) & (p > 0)
    tail[rare] = _tail_by_terms(k[rare], n[rare], np.log(p[rare]), np.log1p(-p[rare]))
    return tail


def lower_tail(k: Array, n: Array, p: Array) -> Array:
    """Return P[S ≤ k] without subtracting from 1, which would lose a small tail."""
    from scipy.special import betaincc

    k, n, p = np.broadcast_arrays(k, n, p)
    inside = betaincc(np.clip(k, 0, n - 1) + 1, n - np.clip(k, 0, n - 1), p)
    tail = np.where(k < 0, 0.0, np.where(k >= n, 1.0, inside))
    rare = (k >= 0) & (k < MIN_TERMS) & (tail < MIN_TAIL) & (p < 1)
    tail[rare] = _tail_by_terms(n[rare] - k[rare], n[rare], np.log1p(-p[rare]), np.log(p[rare]))
    return tail


def _tail_by_terms(k: Array, n: Array, log_p: Array, log_q: Array) -> Array:
    """Return P[S ≥ k], term by term from the logarithms, for few terms that may all be tiny.

    SciPy multiplies the powers of p and 1 - p first: their product may be too small for a float
    although the probability, which is many times larger, is not.
    """

    def add(k: float, n: float, log_p: float, log_q: float) -> float:
        sizes = range(int(k), int(n) + 1)
        logs = [math.log(math.comb(int(n), m)) + m * log_p + (n - m) * log_q for m in sizes]
        return math.exp(max(logs)) * math.fsum(math.exp(one - max(logs)) for one in logs)

    return np.asarray(np.frompyfunc(add, 4, 1)(k, n, log_p, log_q), dtype=np.float64)
