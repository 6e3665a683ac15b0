r"""How far a mean strays from its expectation: tail bounds, their inverses, and exact tails.

The mean of :math:`n` independent variables with ranges of width :math:`w` misses its expectation by
:math:`\varepsilon` with probability at most :math:`2e^{-2n\varepsilon^2/w^2}` (``thm-hoeffding``).
If their variance :math:`v` is small and none exceeds its mean by more than :math:`c`, then
:math:`e^{-n\varepsilon^2/(2v+2c\varepsilon/3)}` bounds the upper tail (``thm-bernstein``). Every
function takes arrays, refuses what its theorem does not cover, and every bound is cut off at 1. See
the chapter :doc:`/book/concentration`.
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlnotes._bounds import (
    exponential_bound,
    float_or_array,
    least_count,
    least_exponential_count,
)
from mlnotes.validation import Array, check_flag, check_numbers, check_vector

__all__ = [
    "bernoulli_divergence",
    "bernstein_bound",
    "bernstein_radius",
    "bernstein_sample_size",
    "binomial_tail",
    "chebyshev_bound",
    "chebyshev_sample_size",
    "chernoff_bound",
    "clopper_pearson",
    "clt_tail",
    "cumulant_generating_function",
    "effective_width",
    "hoeffding_bound",
    "hoeffding_radius",
    "hoeffding_sample_size",
    "markov_bound",
    "rate_function",
    "sample_mean_tail",
    "sub_gaussian_bound",
    "union_bound",
]

FEW, RARE = 40, 1e-200  # SciPy adds up fewer terms than that; tails below that may have underflowed


def markov_bound(mean: ArrayLike, level: ArrayLike) -> float | Array:
    r"""Return :math:`\min(1,\mathbb E[Z]/a)`, which bounds :math:`\Pr[Z\ge a]` for :math:`Z\ge0`.

    See ``thm-markov``. For a function :math:`\phi\ge0` that never falls, pass
    :math:`\mathbb E[\phi(Z)]` and :math:`\phi(a)>0` (``thm-markov-for-functions``).

    Parameters
    ----------
    mean : array-like
        The mean of a nonnegative variable.
    level : array-like
        The level :math:`a>0`.

    Returns
    -------
    float or ndarray
        The bound, of the common shape of the arguments.

    Examples
    --------
    >>> markov_bound(1.0, 4.0)
    0.25
    """
    mean = check_numbers(mean, "mean", least=0)
    level = check_numbers(level, "level", above=0)
    return float_or_array(np.minimum(1.0, mean / level))


def union_bound(probabilities: ArrayLike) -> float:
    r"""Return :math:`\min(1,\sum_jp_j)`, which bounds the probability that some event happens.

    See ``thm-union-bound``; the events need not be independent.

    Parameters
    ----------
    probabilities : array-like of shape (n_events,)
        The probability of each event, or a bound on it.

    Returns
    -------
    float
        The bound.

    Examples
    --------
    >>> union_bound([0.25, 0.5])
    0.75
    """
    values = check_numbers(probabilities, "probabilities", least=0, most=1)
    return float(min(1.0, values.sum()))


def chebyshev_bound(variance: ArrayLike, epsilon: ArrayLike, n: ArrayLike = 1) -> float | Array:
    r"""Return :math:`\min(1,v/(n\varepsilon^2))`, which bounds the two tails of a mean.

    See ``thm-chebyshev`` and, for more than one variable, ``thm-chebyshev-mean``.

    Parameters
    ----------
    variance : array-like
        The variance :math:`v` of each of the independent variables.
    epsilon : array-like
        The deviation :math:`\varepsilon>0`.
    n : array-like of int
        The number of variables.

    Returns
    -------
    float or ndarray
        The bound, of the common shape of the arguments.

    Examples
    --------
    >>> chebyshev_bound(0.25, 0.5, n=4)
    0.25
    """
    variance = check_numbers(variance, "variance", least=0)
    epsilon = check_numbers(epsilon, "epsilon", above=0)
    n = check_numbers(n, "n", least=1, whole=True)
    return float_or_array(np.minimum(1.0, variance / n / epsilon / epsilon))


def chebyshev_sample_size(
    variance: ArrayLike, epsilon: ArrayLike, delta: ArrayLike
) -> int | NDArray[np.int64]:
    r"""Return the least :math:`n` for which :func:`chebyshev_bound` is at most :math:`\delta`.

    It is the sample size of ``thm-weak-law``, :math:`v/(\delta\varepsilon^2)`, rounded up.

    Parameters
    ----------
    variance : array-like
        The variance :math:`v` of each of the independent variables.
    epsilon : array-like
        The deviation :math:`\varepsilon>0`.
    delta : array-like
        The probability :math:`\delta` in (0, 1) that may fail.

    Returns
    -------
    int or ndarray of int
        The sample size, of the common shape of the arguments. The bound is computed in floating
        point: above about 10**12 the count may be one off.

    Examples
    --------
    >>> chebyshev_sample_size(0.25, 0.1, 0.05)
    500
    """
    variance = check_numbers(variance, "variance", least=0)
    epsilon = check_numbers(epsilon, "epsilon", above=0)
    delta = check_numbers(delta, "delta", above=0, below=1)
    guess = variance / delta / epsilon / epsilon
    return least_count(guess, lambda n: np.asarray(variance / n / epsilon / epsilon <= delta))


def hoeffding_bound(
    n: ArrayLike, epsilon: ArrayLike, width: ArrayLike = 1.0, *, two_sided: bool = True
) -> float | Array:
    r"""Return :math:`\min(1,2e^{-2n\varepsilon^2/w^2})`, which bounds the two tails of a mean.

    See ``thm-hoeffding``: the variables are independent, each in a range of its own, and need not
    be alike.

    Parameters
    ----------
    n : array-like of int
        The number of variables.
    epsilon : array-like
        The deviation :math:`\varepsilon>0` of the mean from its expectation.
    width : array-like
        The width :math:`w` of the common range; :func:`effective_width` if there are several.
    two_sided : bool
        Whether to bound both tails, or the upper one, without the factor 2.

    Returns
    -------
    float or ndarray
        The bound, of the common shape of the arguments.

    Examples
    --------
    >>> round(hoeffding_bound(100, 0.1), 4)
    0.2707
    """
    n = check_numbers(n, "n", least=1, whole=True)
    return float_or_array(
        exponential_bound(n, _hoeffding_rate(epsilon, width), _log_sides(two_sided))
    )


def hoeffding_sample_size(
    epsilon: ArrayLike, delta: ArrayLike, width: ArrayLike = 1.0, *, two_sided: bool = True
) -> int | NDArray[np.int64]:
    r"""Return the least :math:`n` for which :func:`hoeffding_bound` is at most :math:`\delta`.

    Parameters
    ----------
    epsilon : array-like
        The deviation :math:`\varepsilon>0`.
    delta : array-like
        The probability :math:`\delta` in (0, 1) that may fail.
    width : array-like
        The width :math:`w` of the range.
    two_sided : bool
        Whether both tails count.

    Returns
    -------
    int or ndarray of int
        The sample size, of the common shape of the arguments. The bound is computed in floating
        point: above about 10**12 the count may be one off.

    Examples
    --------
    >>> n = hoeffding_sample_size(0.1, 0.05)
    >>> n
    185
    >>> hoeffding_bound(n, 0.1) <= 0.05 < hoeffding_bound(n - 1, 0.1)
    True
    """
    rate = _hoeffding_rate(epsilon, width)
    return least_exponential_count(rate, delta, _log_sides(two_sided))


def hoeffding_radius(
    n: ArrayLike, delta: ArrayLike, width: ArrayLike = 1.0, *, two_sided: bool = True
) -> float | Array:
    r"""Return :math:`w\sqrt{\log(2/\delta)/(2n)}`, reached with probability at most :math:`\delta`.

    Parameters
    ----------
    n : array-like of int
        The number of variables.
    delta : array-like
        The probability :math:`\delta` in (0, 1) that may fail.
    width : array-like
        The width :math:`w` of the range.
    two_sided : bool
        Whether both tails count.

    Returns
    -------
    float or ndarray
        The deviation at which :func:`hoeffding_bound` is :math:`\delta`.

    Examples
    --------
    >>> round(hoeffding_radius(185, 0.05), 4)
    0.0998
    """
    n = check_numbers(n, "n", least=1, whole=True)
    width = check_numbers(width, "width", above=0)
    return float_or_array(width * np.sqrt(_log_over(delta, two_sided) / (2 * n)))


def effective_width(low: ArrayLike, high: ArrayLike) -> float:
    r"""Return :math:`\sqrt{\frac1n\sum_i(b_i-a_i)^2}`, the one width that stands for several.

    Parameters
    ----------
    low, high : array-like of shape (n,)
        The ends :math:`a_i<b_i` of the range of each variable.

    Returns
    -------
    float
        The ``width`` for :func:`hoeffding_bound`.

    Examples
    --------
    >>> effective_width([0, 0], [1, 7])
    5.0
    """
    low = check_vector(low, name="low")
    high = check_vector(high, len(low), name="high")
    if not len(low) or (low >= high).any():
        raise ValueError("every range needs low < high, and there must be at least one range.")
    return float(np.sqrt(np.mean((high - low) ** 2)))


def sub_gaussian_bound(
    n: ArrayLike, epsilon: ArrayLike, sigma: ArrayLike = 1.0, *, two_sided: bool = True
) -> float | Array:
    r"""Return :math:`\min(1,2e^{-n\varepsilon^2/(2\sigma^2)})` for sub-Gaussian variables.

    See ``thm-sub-gaussian-tail``; :math:`X` is :math:`\sigma^2`-sub-Gaussian if
    :math:`\log\mathbb E[e^{\lambda X}]\le\lambda^2\sigma^2/2` for every :math:`\lambda`. A centred
    Gaussian is, with equality, and so is a centred variable in a range of width :math:`2\sigma`.

    Parameters
    ----------
    n : array-like of int
        The number of variables.
    epsilon : array-like
        The deviation :math:`\varepsilon>0`.
    sigma : array-like
        The scale :math:`\sigma>0`.
    two_sided : bool
        Whether to bound both tails, or the upper one, without the factor 2.

    Returns
    -------
    float or ndarray
        The bound, of the common shape of the arguments.

    Examples
    --------
    >>> round(sub_gaussian_bound(1, 2.0), 4)
    0.2707
    """
    sigma = check_numbers(sigma, "sigma", above=0)
    return hoeffding_bound(n, epsilon, 2 * sigma, two_sided=two_sided)


def bernstein_bound(
    n: ArrayLike,
    epsilon: ArrayLike,
    variance: ArrayLike,
    cap: ArrayLike = 1.0,
    *,
    two_sided: bool = True,
) -> float | Array:
    r"""Return :math:`\min(1,2e^{-n\varepsilon^2/(2v+2c\varepsilon/3)})`.

    See ``thm-bernstein``. It is below :func:`hoeffding_bound` exactly where
    :math:`v+c\varepsilon/3<w^2/4` (``lem-bernstein-beats-hoeffding``).

    Parameters
    ----------
    n : array-like of int
        The number of variables.
    epsilon : array-like
        The deviation :math:`\varepsilon>0` of the mean from its expectation.
    variance : array-like
        The variance :math:`v`, or its average over the variables.
    cap : array-like
        The most :math:`c` by which a variable exceeds its mean; if two-sided, also falls below it.
    two_sided : bool
        Whether to bound both tails, or the upper one, without the factor 2.

    Returns
    -------
    float or ndarray
        The bound, of the common shape of the arguments.

    Examples
    --------
    >>> rare = bernstein_bound(100, 0.1, variance=0.01)
    >>> bool(rare < hoeffding_bound(100, 0.1))
    True
    """
    n = check_numbers(n, "n", least=1, whole=True)
    rate = _bernstein_rate(epsilon, variance, cap)
    return float_or_array(exponential_bound(n, rate, _log_sides(two_sided)))


def bernstein_sample_size(
    epsilon: ArrayLike,
    delta: ArrayLike,
    variance: ArrayLike,
    cap: ArrayLike = 1.0,
    *,
    two_sided: bool = True,
) -> int | NDArray[np.int64]:
    r"""Return the least :math:`n` for which :func:`bernstein_bound` is at most :math:`\delta`.

    Parameters
    ----------
    epsilon : array-like
        The deviation :math:`\varepsilon>0`.
    delta : array-like
        The probability :math:`\delta` in (0, 1) that may fail.
    variance : array-like
        The variance :math:`v`, or its average over the variables.
    cap : array-like
        The most :math:`c` by which a variable exceeds its mean; if two-sided, also falls below it.
    two_sided : bool
        Whether both tails count.

    Returns
    -------
    int or ndarray of int
        The sample size, of the common shape of the arguments. The bound is computed in floating
        point: above about 10**12 the count may be one off.

    Examples
    --------
    >>> bernstein_sample_size(0.1, 0.05, variance=0.01)
    32
    """
    rate = _bernstein_rate(epsilon, variance, cap)
    return least_exponential_count(rate, delta, _log_sides(two_sided))


def bernstein_radius(
    n: ArrayLike,
    delta: ArrayLike,
    variance: ArrayLike,
    cap: ArrayLike = 1.0,
    *,
    two_sided: bool = True,
) -> float | Array:
    r"""Return the deviation at which :func:`bernstein_bound` is :math:`\delta`.

    With :math:`L=\log(2/\delta)` it is the positive root of
    :math:`n\varepsilon^2=2L(v+c\varepsilon/3)`.

    Parameters
    ----------
    n : array-like of int
        The number of variables.
    delta : array-like
        The probability :math:`\delta` in (0, 1) that may fail.
    variance : array-like
        The variance :math:`v`, or its average over the variables.
    cap : array-like
        The most :math:`c` by which a variable exceeds its mean; if two-sided, also falls below it.
    two_sided : bool
        Whether both tails count.

    Returns
    -------
    float or ndarray
        Of the common shape of the arguments.

    Examples
    --------
    >>> round(bernstein_radius(32, 0.05, variance=0.01), 4)
    0.0999
    """
    n = check_numbers(n, "n", least=1, whole=True)
    variance = check_numbers(variance, "variance", least=0)
    cap = check_numbers(cap, "cap", above=0)
    level = _log_over(delta, two_sided)
    linear = cap * level / 3
    return float_or_array((linear + np.sqrt(linear**2 + 2 * n * level * variance)) / n)


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
    return float_or_array(_upper_tail(k, n, p))


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
    upper = _upper_tail(first, n, p)
    if not check_flag(two_sided, "two_sided"):
        return float_or_array(upper)
    last = np.asarray(np.frompyfunc(_last_count, 3, 1)(n, p, epsilon), dtype=np.float64)
    return float_or_array(upper + _lower_tail(last, n, p))


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


def _log_sides(two_sided: bool) -> float:
    return float(np.log(2.0)) if check_flag(two_sided, "two_sided") else 0.0


def _log_over(delta: ArrayLike, two_sided: bool) -> Array:
    """Return log(2/δ), or log(1/δ) for one side."""
    return np.asarray(
        _log_sides(two_sided) - np.log(check_numbers(delta, "delta", above=0, below=1))
    )


def _hoeffding_rate(epsilon: ArrayLike, width: ArrayLike) -> Array:
    epsilon = check_numbers(epsilon, "epsilon", above=0)
    return np.asarray(2 * (epsilon / check_numbers(width, "width", above=0)) ** 2)


def _bernstein_rate(epsilon: ArrayLike, variance: ArrayLike, cap: ArrayLike) -> Array:
    epsilon = check_numbers(epsilon, "epsilon", above=0)
    variance = check_numbers(variance, "variance", least=0)
    cap = check_numbers(cap, "cap", above=0)
    return np.asarray(epsilon**2 / (2 * (variance + cap * epsilon / 3)))


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
    from scipy.special import logsumexp

    return np.asarray(logsumexp(np.multiply.outer(rate, points), b=weights, axis=-1))


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
        exponents = rate * scaled
        tilted = weights * np.exp(exponents - exponents.max())
        return float(tilted @ (scaled - target) / tilted.sum())

    reach = 1.0
    while excess(reach) < 0 or excess(-reach) > 0:
        reach *= 2
    rate = brentq(excess, -reach, reach, xtol=1e-14)
    value = rate * target - _log_moment(np.array(rate), scaled, weights)
    return max(0.0, float(value))


def _first_count(n: float, p: float, epsilon: float) -> int:
    """Return the least count at or above n(p + ε)."""
    return math.ceil(int(n) * (_as_printed(p) + _as_printed(epsilon)))


def _last_count(n: float, p: float, epsilon: float) -> int:
    """Return the greatest count at or below n(p - ε)."""
    return math.floor(int(n) * (_as_printed(p) - _as_printed(epsilon)))


def _as_printed(number: float) -> Fraction:
    """Return a number as the fraction that its shortest decimal form denotes."""
    return Fraction(repr(float(number)))


def _upper_tail(k: Array, n: Array, p: Array) -> Array:
    """Return P[S ≥ k], by the incomplete beta function."""
    from scipy.special import betainc

    k, n, p = np.broadcast_arrays(k, n, p)
    inside = betainc(np.clip(k, 1, n), n - np.clip(k, 1, n) + 1, p)
    tail = np.where(k <= 0, 1.0, np.where(k > n, 0.0, inside))
    rare = (k <= n) & (n - k < FEW) & (tail < RARE) & (p > 0)
    tail[rare] = _few_terms(k[rare], n[rare], np.log(p[rare]), np.log1p(-p[rare]))
    return tail


def _lower_tail(k: Array, n: Array, p: Array) -> Array:
    """Return P[S ≤ k] without subtracting from 1, which would lose a small tail."""
    from scipy.special import betaincc

    k, n, p = np.broadcast_arrays(k, n, p)
    inside = betaincc(np.clip(k, 0, n - 1) + 1, n - np.clip(k, 0, n - 1), p)
    tail = np.where(k < 0, 0.0, np.where(k >= n, 1.0, inside))
    rare = (k >= 0) & (k < FEW) & (tail < RARE) & (p < 1)
    tail[rare] = _few_terms(n[rare] - k[rare], n[rare], np.log1p(-p[rare]), np.log(p[rare]))
    return tail


def _few_terms(k: Array, n: Array, log_p: Array, log_q: Array) -> Array:
    """Return P[S ≥ k], term by term from the logarithms, for few terms that may all be tiny.

    SciPy multiplies the powers of p and 1 - p first: their product may be too small for a float
    although the probability, which is many times larger, is not.
    """

    def add(k: float, n: float, log_p: float, log_q: float) -> float:
        sizes = range(int(k), int(n) + 1)
        logs = [math.log(math.comb(int(n), m)) + m * log_p + (n - m) * log_q for m in sizes]
        return math.exp(max(logs)) * math.fsum(math.exp(one - max(logs)) for one in logs)

    return np.asarray(np.frompyfunc(add, 4, 1)(k, n, log_p, log_q), dtype=np.float64)
