"""Exponential bounds, the least count at which one is small enough, and the shape of answers."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlnotes.validation import Array, check_numbers

MAX_COUNT = 2.0**46  # beyond, rounding moves a count by more than one


def float_or_array(values: Array) -> float | Array:
    """Return one number as a float, and an array as it is."""
    array = np.asarray(values, dtype=np.float64)
    return array if array.ndim else float(array)


def exponential_bound(n: Array, rate: Array, log_factor: float | Array) -> Array:
    """Return min(1, factor · e^(-n·rate)), with a factor that may be too large for a float."""
    return np.asarray(np.exp(np.minimum(0.0, log_factor - n * rate)))


def least_exponential_count(
    rate: Array, delta: ArrayLike, log_factor: float | Array
) -> int | NDArray[np.int64]:
    """Return the least n for which factor · e^(-n·rate) is at most delta."""
    delta = check_numbers(delta, "delta", above=0, below=1)
    with np.errstate(divide="ignore"):
        guess = (log_factor - np.log(delta)) / rate
    return least_count(guess, lambda n: exponential_bound(n, rate, log_factor) <= delta)


def least_count(
    guess: ArrayLike, enough: Callable[[Array], NDArray[np.bool_]]
) -> int | NDArray[np.int64]:
    """Return the least n ≥ 1 that is enough, given about where it lies.

    A quotient of logarithms that is nearly whole may be rounded to the wrong side. The bound itself
    decides, so that the count agrees with the function that a reader checks it by. Where one sample
    more changes that function by less than its rounding error, the count may be one off.
    """
    start = np.maximum(1.0, np.ceil(guess))
    if not (start < MAX_COUNT).all():
        raise ValueError(
            "more than 2**46 samples would be needed, which "
            "floating point cannot count; ask for a larger "
            "epsilon or delta."
        )
    n = np.array(start, dtype=np.float64)
    while (fewer := (n > 1) & enough(np.maximum(n - 1, 1.0))).any():
        n = n - fewer
    while (short := ~enough(n)).any():
        n = n + short
    return int(n) if not n.ndim else n.astype(np.int64)
