"""Errors and warnings of the package, which scikit-learn takes for its own.

A pipeline catches ``sklearn.exceptions.NotFittedError``; a reader without scikit-learn catches
:class:`NotFittedError`. :func:`sklearn_compatible` gives a class that is both, and never imports
scikit-learn: where it is not loaded, nobody can be waiting for its classes.
"""

from __future__ import annotations

import os
import sys
import warnings
from typing import Any, TypeVar

__all__ = [
    "ConvergenceWarning",
    "DataConversionWarning",
    "NotFittedError",
    "sklearn_compatible",
    "warn_at_caller",
]

_PACKAGE = os.path.dirname(os.path.abspath(__file__)) + os.sep


class NotFittedError(ValueError, AttributeError):
    """An estimator was used before ``fit``.

    It is a :class:`ValueError`, because the call was wrong, and an :class:`AttributeError`, because
    the attributes that ``fit`` would have set are missing: ``hasattr`` then answers as it should.

    Examples
    --------
    >>> from mlnotes.least_squares import LeastSquares
    >>> try:
    ...     LeastSquares().predict([[1.0]])
    ... except NotFittedError as error:
    ...     print(error)
    This LeastSquares instance is not fitted yet; call fit first.
    """


class ConvergenceWarning(UserWarning):
    """An algorithm ended because it ran out of iterations.

    Examples
    --------
    >>> import warnings
    >>> from mlnotes.perceptron import Perceptron
    >>> with warnings.catch_warnings(record=True) as caught:
    ...     warnings.simplefilter("always")
    ...     model = Perceptron(max_iter=1).fit([[0.0], [1.0], [0.0]], [0, 1, 1])
    >>> issubclass(caught[0].category, ConvergenceWarning)
    True
    """


class DataConversionWarning(UserWarning):
    """The input was understood, but had a shape that asks for another call.

    Examples
    --------
    >>> import warnings
    >>> from mlnotes.validation import check_target
    >>> with warnings.catch_warnings(record=True) as caught:
    ...     warnings.simplefilter("always")
    ...     check_target([[1.0], [2.0]], 2)
    array([1., 2.])
    >>> issubclass(caught[0].category, DataConversionWarning)
    True
    """


E = TypeVar("E", bound=Exception)


def _join(ours: type[E], theirs: type[Exception]) -> type[E]:
    """Return a class that inherits from both."""

    def reduce(self: Exception) -> tuple[type[E], tuple[Any, ...]]:
        # Another process may not know the joined class: an exception crosses over as ours.
        return ours, self.args

    members = {"__doc__": ours.__doc__, "__module__": ours.__module__, "__reduce__": reduce}
    return type(ours.__name__, (ours, theirs), members)


def sklearn_compatible(ours: type[E]) -> type[E]:
    """Return a subclass of ``ours`` that is also scikit-learn's class of the same name.

    Parameters
    ----------
    ours : type
        One of the classes of this module.

    Returns
    -------
    type
        ``ours`` itself as long as the process has not loaded scikit-learn.

    Examples
    --------
    >>> issubclass(sklearn_compatible(NotFittedError), NotFittedError)
    True
    """
    if not (isinstance(ours, type) and issubclass(ours, Exception)):
        raise TypeError(f"ours must be a class of exceptions, got {ours!r}.")
    theirs = getattr(sys.modules.get("sklearn.exceptions"), ours.__name__, None)
    return ours if theirs is None else _join(ours, theirs)


def warn_at_caller(message: str, category: type[Warning] = UserWarning) -> None:
    """Warn with the line that called the package, however deep inside it the cause was found.

    Parameters
    ----------
    message : str
        What happened, and what to do.
    category : type
        A class of warnings; one of this module is scikit-learn's too where that is loaded.

    Examples
    --------
    >>> import warnings
    >>> with warnings.catch_warnings(record=True) as caught:
    ...     warnings.simplefilter("always")
    ...     warn_at_caller("raise max_iter.", ConvergenceWarning)
    >>> print(caught[0].message)
    raise max_iter.
    """
    if not (isinstance(category, type) and issubclass(category, Warning)):
        raise TypeError(f"category must be a class of warnings, got {category!r}.")
    frame, level = sys._getframe(1), 2
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_PACKAGE):
        frame, level = frame.f_back, level + 1
    warnings.warn(message, sklearn_compatible(category), stacklevel=level)
