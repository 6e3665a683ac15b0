"""Markov, Chebyshev, Hoeffding and Bernstein: bounds, sample sizes and radii."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlnotes._bounds import exponential_bound, float_or_array, least_count, least_exponential_count
from mlnotes.validation import Array, check_flag, check_numbers, check_vector


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
        exponential_bound(n, hoeffding_rate(epsilon, width), _log_sides(two_sided))
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
    rate = hoeffding_rate(epsilon, width)
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
    sigma = check_numbers(sigma, "sigma", above=0, most=np.finfo(float).max / 2)
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
    rate = bernstein_rate(epsilon, variance, cap)
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
    rate = bernstein_rate(epsilon, variance, cap)
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


def _log_sides(two_sided: bool) -> float:
    return float(np.log(2.0)) if check_flag(two_sided, "two_sided") else 0.0


def _log_over(delta: ArrayLike, two_sided: bool) -> Array:
    """Return log(2/δ), or log(1/δ) for one side."""
    return np.asarray(
        _log_sides(two_sided) - np.log(check_numbers(delta, "delta", above=0, below=1))
    )


def hoeffding_rate(epsilon: ArrayLike, width: ArrayLike) -> Array:
    """Return by how much each variable lowers the logarithm of Hoeffding's bound."""
    epsilon = check_numbers(epsilon, "epsilon", above=0)
    return np.asarray(2 * (epsilon / check_numbers(width, "width", above=0)) ** 2)


def bernstein_rate(epsilon: ArrayLike, variance: ArrayLike, cap: ArrayLike) -> Array:
    """Return by how much each variable lowers the logarithm of Bernstein's bound."""
    epsilon = check_numbers(epsilon, "epsilon", above=0)
    variance = check_numbers(variance, "variance", least=0)
    cap = check_numbers(cap, "cap", above=0)
    return np.asarray(epsilon**2 / (2 * (variance + cap * epsilon / 3)))
