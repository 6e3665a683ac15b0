"""Arrays of numbers: matrices, vectors, distances and the names of columns."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]


def as_numbers(values: Any, name: str) -> Array:
    """Return ``values`` as float64, refusing what is sparse, masked, complex or text."""
    if values is None:
        raise ValueError(f"{name} is None; pass numbers.")
    if hasattr(values, "toarray") and hasattr(values, "nnz"):
        raise TypeError(
            f"{name} is sparse, and this method needs dense data; pass {name}.toarray()."
        )
    refuse_unread(values, name)
    refuse_masked(values, name)
    try:
        array = np.asarray(values)
    except ValueError as error:
        raise ValueError(f"{name} must have rows of one length: {error}") from error
    except Exception as error:
        raise TypeError(f"{name} cannot be read as an array: {error}") from error
    if array.dtype.kind == "c":
        raise ValueError(
            f"Complex data not supported: {name} is complex; pass its real and imaginary parts as "
            "separate features."
        )
    if array.dtype.kind in "USmM" or _holds_text(array):
        raise ValueError(
            f"{name} must hold numbers, got values of type {array.dtype}; encode them as numbers."
        )
    if array.dtype.kind == "O" and any(map(_is_na, array.flat)):
        raise ValueError(
            f"Input {name} contains NaN or a missing value (NA); drop or impute such values first."
        )
    try:
        return np.asarray(array, dtype=np.float64)
    except (TypeError, ValueError, OverflowError) as error:
        kind = TypeError if isinstance(error, TypeError) else ValueError
        raise kind(f"{name} must hold numbers only: {error}") from error


def _holds_text(array: NDArray[Any]) -> bool:
    """Whether some of the objects are text, which NumPy would read as numbers if it can."""
    return array.dtype.kind == "O" and any(isinstance(entry, str | bytes) for entry in array.flat)


def _is_na(entry: Any) -> bool:
    """Whether this is the missing value of pandas, which is no float."""
    return type(entry).__name__ in ("NAType", "NaTType")


def refuse_unread(values: Any, name: str) -> None:
    """Refuse a lazy data frame, which has no values yet."""
    if type(values).__name__ == "LazyFrame" and hasattr(values, "collect"):
        raise TypeError(f"{name} is a lazy data frame without values; pass {name}.collect().")


def refuse_masked(values: Any, name: str) -> None:
    """Refuse an array with masked entries, whose numbers would otherwise count as given."""
    if np.ma.is_masked(values):
        raise ValueError(
            f"{name} has masked entries, and this method needs every one; drop or impute them, or "
            f"pass {name}.data if the numbers under the mask are to count."
        )


def check_finite(array: Array, name: str) -> None:
    # One sum decides nearly always; it may overflow although every entry is finite.
    with np.errstate(over="ignore", invalid="ignore"):
        if np.isfinite(array.sum()):
            return
    finite = np.isfinite(array)
    if not finite.all():
        where = tuple(int(i) for i in np.argwhere(~finite)[0])
        kind = "NaN" if np.isnan(array[where]) else "infinity (inf)"
        place = f"row {where[0]}" + (f", column {where[1]}" if len(where) == 2 else "")
        raise ValueError(
            f"Input {name} contains {kind}, first at {place}; drop or impute such values first."
        )


def _check_size(array: Array, name: str, owner: str, squares: bool) -> None:
    """Refuse entries whose sums, quotients or squares, which are needed, floats cannot hold."""
    largest = max(float(array.max()), -float(array.min()))
    limit = 1e152 if squares else 1e305
    if largest and not 1 / limit <= largest <= limit:
        needed = "the squares" if squares else "sums and quotients"
        remedy = "divide" if largest > 1 else "multiply"
        raise ValueError(
            f"{owner} needs {needed} of the entries of {name}, and these are outside the range of "
            f"floats: the largest entry is {largest:.0e}; {remedy} {name} by a power of ten."
        )


def check_matrix(
    X: ArrayLike,
    *,
    name: str = "X",
    owner: str = "this method",
    min_samples: int = 1,
    squares: bool | None = None,
) -> Array:
    """Return ``X`` as a finite matrix with a row for each sample and a column for each feature.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Dense real numbers; a data frame will do.
    name : str
        What the error message calls the argument.
    owner : str
        Who needs ``min_samples`` rows, or ``squares``.
    min_samples : int
        The least number of rows.
    squares : bool, optional
        Whether the squares of the entries must lie within the range of floats, or if not, their
        sums and quotients; neither if not given.

    Returns
    -------
    ndarray of shape (n_samples, n_features)
        Of float64; the input itself if it already was such an array.

    Examples
    --------
    >>> check_matrix([[1, 2], [3, 4]])
    array([[1., 2.],
           [3., 4.]])
    >>> check_matrix([1, 2])
    Traceback (most recent call last):
    ...
    ValueError: Expected 2D array, got 1D array instead: X needs ... Reshape your data ...
    """
    array = as_numbers(X, name)
    if array.ndim != 2:
        raise ValueError(
            f"Expected 2D array, got {array.ndim}D array instead: {name} needs one row per sample "
            f"and one column per feature. Reshape your data with {name}.reshape(-1, 1) if it is a "
            f"single feature, or with {name}.reshape(1, -1) if it is a single sample."
        )
    n_samples, n_features = array.shape
    if n_features == 0:
        raise ValueError(
            f"{name} has 0 feature(s) (shape={array.shape}) while a minimum of 1 is required."
        )
    if n_samples < min_samples:
        raise ValueError(
            f"{name} has {n_samples} sample(s) (shape={array.shape}) while a minimum of "
            f"{min_samples} is required by {owner}."
        )
    if not _is_ordinary(array):
        check_finite(array, name)
        if squares is not None:
            _check_size(array, name, owner, squares)
    return array


def _is_ordinary(array: Array) -> bool:
    """Decide in one pass that all entries are finite, none is huge and not all are tiny.

    Nearly always the sum of the squares, which is not finite if an entry is not, tells it.
    """
    flat, total = array.ravel(order="K"), 0.0
    with np.errstate(over="ignore", invalid="ignore"):
        # Pieces short enough for BLAS not to wake other threads for them.
        for first in range(0, len(flat), 8192):
            piece = flat[first : first + 8192]
            total += float(np.dot(piece, piece))
    return 1e-280 < total < 1e300


def check_square(matrix: ArrayLike, *, name: str) -> Array:
    """Return ``matrix`` as a finite square matrix.

    Parameters
    ----------
    matrix : array-like of shape (n, n)
        Real numbers.
    name : str
        What the error message calls the argument.

    Returns
    -------
    ndarray of shape (n, n)
        Of float64.

    Examples
    --------
    >>> check_square([[1, 2], [2, 5]], name="gram").shape
    (2, 2)
    """
    square = check_matrix(matrix, name=name, squares=False)
    if square.shape[0] != square.shape[1]:
        raise ValueError(f"{name} must be square, one row and column a sample, got {square.shape}.")
    return square


def check_distances(distances: ArrayLike) -> Array:
    """Return distances between all pairs, validated: symmetric, not negative, zero from itself.

    Parameters
    ----------
    distances : array-like of shape (n, n)
        Real numbers.

    Returns
    -------
    ndarray of shape (n, n)
        Of float64.

    Examples
    --------
    >>> check_distances([[0, 3], [3, 0]]).max()
    np.float64(3.0)
    """
    table = check_square(distances, name="distances")
    slack = 16 * np.finfo(np.float64).eps * float(np.abs(table).max(initial=0.0))
    if np.abs(table - table.T).max(initial=0.0) > slack:
        raise ValueError("distances must be symmetric; pass (D + D.T) / 2 if both mean the same.")
    if table.min(initial=0.0) < 0 or np.abs(np.diagonal(table)).max(initial=0.0) > slack:
        raise ValueError("distances must not be negative, and those on the diagonal must be 0.")
    return table


def check_vector(values: ArrayLike, n: int | None = None, *, name: str) -> Array:
    """Return ``values`` as a finite vector, of length ``n`` if that is given.

    Parameters
    ----------
    values : array-like of shape (n,)
        Real numbers.
    n : int, optional
        The length it must have.
    name : str
        What the error message calls the argument.

    Returns
    -------
    ndarray of shape (n,)
        Of float64.

    Examples
    --------
    >>> check_vector([1, 2], 2, name="theta")
    array([1., 2.])
    """
    array = as_numbers(values, name)
    if array.ndim != 1:
        raise ValueError(f"{name} must be a vector, got an array of shape {array.shape}.")
    if n is not None and len(array) != n:
        raise ValueError(f"{name} has length {len(array)}, but length {n} is needed.")
    check_finite(array, name)
    return array


def check_numbers(
    values: ArrayLike,
    name: str,
    *,
    least: float = -np.inf,
    above: float = -np.inf,
    most: float = np.inf,
    below: float = np.inf,
    whole: bool = False,
    infinite: bool = False,
) -> Array:
    """Return numbers of any shape, all of them finite and within limits.

    Parameters
    ----------
    values : array-like
        A number or an array of numbers.
    name : str
        What the error message calls them.
    least, most : float
        Limits that may be reached.
    above, below : float
        Limits that may not.
    whole : bool
        Whether they must be integers, too small to be rounded.
    infinite : bool
        Whether infinities are numbers here.

    Returns
    -------
    ndarray
        Of float64 and of the same shape; of shape () for one number.

    Examples
    --------
    >>> check_numbers([0.1, 0.5], "delta", above=0, below=1)
    array([0.1, 0.5])
    >>> check_numbers(1.5, "delta", above=0, below=1)
    Traceback (most recent call last):
    ...
    ValueError: delta must be above 0 and below 1, got 1.5.
    """
    array = as_numbers(values, name)
    limits = [("at least", least), ("above", above), ("at most", most), ("below", below)]
    wanted = [f"{words} {limit:g}" for words, limit in limits if np.isfinite(limit)]
    good = ~np.isnan(array) if infinite else np.isfinite(array)
    good &= (array >= least) & (array <= most)
    good &= ((array > above) | np.isneginf(above)) & ((array < below) | np.isposinf(below))
    if whole:
        wanted.insert(0, "a whole number")
        good &= (array == np.floor(array)) & (np.abs(array) <= 2.0**53)
    if not good.all():
        wrong = float(np.atleast_1d(array)[~np.atleast_1d(good)][0])
        wanted = wanted or ["a number" if infinite else "finite"]
        raise ValueError(f"{name} must be {' and '.join(wanted)}, got {wrong:g}.")
    return array


def check_shapes_agree(**arrays: Array) -> None:
    """Raise an error that names the arrays unless their shapes can be combined entry by entry.

    Parameters
    ----------
    **arrays : ndarray
        Arrays under the names that the error message gives them.

    Examples
    --------
    >>> check_shapes_agree(p=np.ones(2), q=np.ones(3))
    Traceback (most recent call last):
    ...
    ValueError: p and q must have one shape, got (2,) and (3,).
    """
    shapes = [array.shape for array in arrays.values()]
    try:
        np.broadcast_shapes(*shapes)
    except ValueError as error:
        names, found = " and ".join(arrays), " and ".join(map(str, shapes))
        raise ValueError(f"{names} must have one shape, got {found}.") from error


def feature_names(X: Any) -> NDArray[np.object_] | None:
    """Return the column names of a data frame if all of them are strings.

    Parameters
    ----------
    X : object
        Anything passed as a matrix.

    Returns
    -------
    ndarray of str or None
        None for whatever has no names.

    Examples
    --------
    >>> feature_names([[1.0, 2.0]]) is None
    True
    """
    columns = getattr(X, "columns", None)
    if columns is None or not all(isinstance(column, str) for column in columns):
        return None
    return np.array(list(columns), dtype=object)
