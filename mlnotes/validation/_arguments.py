"""Single arguments: numbers, flags, options, functions and sources of randomness."""

from __future__ import annotations

from typing import Any

import numpy as np

from mlnotes._constraints import Boolean, Integer, OneOf, RandomState, Real
from mlnotes.validation._arrays import Array

# The largest integer of 64 bits, in which arrays and generators count.
MAX_COUNT = 2**63 - 1


def check_count(value: Any, name: str, *, at_least: int = 1, at_most: int | None = None) -> int:
    """Return ``value`` if it is a whole number not below ``at_least`` nor above ``at_most``.

    Parameters
    ----------
    value : int
        A parameter that counts something.
    name : str
        Its name.
    at_least : int
        The smallest value that makes sense.
    at_most : int, optional
        The greatest value that can be handled.

    Returns
    -------
    int
        The value.

    Examples
    --------
    >>> check_count(3, "max_iter")
    3
    """
    Integer(at_least, at_most).check(value, name)
    if value > MAX_COUNT:
        raise ValueError(f"{name} must be at most 2**63 - 1; nothing can be done so often.")
    return int(value)


def check_positive(value: Any, name: str) -> float:
    """Return ``value`` if it is a finite number above zero.

    Parameters
    ----------
    value : float
        A parameter such as a rate or a radius.
    name : str
        Its name.

    Returns
    -------
    float
        The value.

    Examples
    --------
    >>> check_positive(0.5, "learning_rate")
    0.5
    """
    return check_scalar(value, name, above=0)


def check_scalar(
    value: Any,
    name: str,
    *,
    least: float = -np.inf,
    above: float = -np.inf,
    most: float = np.inf,
    below: float = np.inf,
    infinite: bool = False,
    hint: str = "",
) -> float:
    """Return ``value`` if it is one finite number within limits.

    Parameters
    ----------
    value : float
        A number.
    name : str
        What the error message calls it.
    least, most : float
        Limits that may be reached.
    above, below : float
        Limits that may not.
    infinite : bool
        Whether infinity is admitted too.
    hint : str
        What to do about a value that is refused.

    Returns
    -------
    float
        The value.

    Examples
    --------
    >>> check_scalar(1, "edge", above=0, most=0.5)
    Traceback (most recent call last):
    ...
    ValueError: edge must be a number above 0 and at most 0.5, got 1.
    """
    limits = Real(above=above, least=least, most=most, below=below, infinite=infinite, hint=hint)
    limits.check(value, name)
    return float(value)


def check_flag(value: Any, name: str) -> bool:
    """Return ``value`` if it is True or False.

    Parameters
    ----------
    value : bool
        A choice between two ways.
    name : str
        What the error message calls it.

    Returns
    -------
    bool
        The value.

    Examples
    --------
    >>> check_flag(True, "fit_intercept")
    True
    """
    Boolean().check(value, name)
    return bool(value)


def check_callable(value: Any, name: str, takes: str = "") -> Any:
    """Return ``value`` if it can be called.

    Parameters
    ----------
    value : callable
        A function given by the user.
    name : str
        What the error message calls it.
    takes : str
        What it is called with, for the message.

    Returns
    -------
    callable
        The value.

    Examples
    --------
    >>> check_callable(abs, "gradient", takes="a point")
    <built-in function abs>
    >>> check_callable(3, "gradient", takes="a point")
    Traceback (most recent call last):
    ...
    TypeError: gradient must be a function of a point, got 3.
    """
    if not callable(value):
        raise TypeError(f"{name} must be a function{takes and f' of {takes}'}, got {value!r}.")
    return value


def check_option(value: Any, name: str, *options: str) -> str:
    """Return ``value`` if it is one of several strings.

    Parameters
    ----------
    value : str
        The option chosen.
    name : str
        What the error message calls it.
    *options : str
        What may be chosen.

    Returns
    -------
    str
        The value.

    Examples
    --------
    >>> check_option("gini", "criterion", "gini", "entropy")
    'gini'
    >>> check_option("median", "criterion", "gini", "entropy")
    Traceback (most recent call last):
    ...
    ValueError: criterion must be 'gini' or 'entropy', got 'median'.
    """
    OneOf(*options).check(value, name)
    return str(value)


def call_given(function: Any, name: str, *arguments: Any) -> Any:
    """Call a function given by the user; if it does not take the arguments, the error names it.

    Parameters
    ----------
    function : callable
        The function.
    name : str
        What the error message calls it.
    *arguments
        What it is called with.

    Returns
    -------
    object
        What it returns.

    Examples
    --------
    >>> call_given(len, "size", 3)
    Traceback (most recent call last):
    ...
    ValueError: size cannot be called as it must be: object of type 'int' has no len().
    """
    check_callable(function, name)
    try:
        return function(*arguments)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{name} cannot be called as it must be: {error}.") from error


def check_value(function: Any, argument: Array, name: str) -> float:
    """Return the value of a function given by the user, which must be a number.

    Parameters
    ----------
    function : callable
        A function of one array.
    argument : ndarray
        Where to evaluate it.
    name : str
        What the error message calls the function.

    Returns
    -------
    float
        The value.

    Examples
    --------
    >>> check_value(np.max, np.array([1.0, 2.0]), "score")
    2.0
    >>> check_value(np.sort, np.array([1.0, 2.0]), "score")
    Traceback (most recent call last):
    ...
    ValueError: score must return a number, got array([1., 2.]).
    """
    found = call_given(function, name, argument)
    if np.ndim(found) or not isinstance(np.asarray(found).item(), int | float):
        raise ValueError(f"{name} must return a number, got {found!r}.")
    return float(found)


def check_random_state(random_state: Any, name: str = "random_state") -> np.random.Generator:
    """Return a generator of random numbers: a new one for a seed, the same for a generator.

    Parameters
    ----------
    random_state : int, numpy.random.Generator or None
        With None the numbers differ from run to run.
    name : str
        What the error message calls the argument.

    Returns
    -------
    numpy.random.Generator
        Drawing from it advances a generator that was passed.

    Examples
    --------
    >>> int(check_random_state(0).integers(100)) == int(check_random_state(0).integers(100))
    True
    """
    if isinstance(random_state, np.random.Generator) or random_state is None:
        return np.random.default_rng(random_state)
    RandomState().check(random_state, name)
    return np.random.default_rng(int(random_state))
