"""What every estimator asks of its input, and the sentence it answers with when that fails.

Each function takes what a user passed and returns a NumPy array of the promised kind, or raises an
error that says what was wrong and what to do. Nothing is ever repaired silently.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlnotes._constraints import Boolean, Integer, OneOf, RandomState, Real
from mlnotes.exceptions import DataConversionWarning, warn_at_caller

__all__ = [
    "call_given",
    "check_binary",
    "check_callable",
    "check_categories",
    "check_count",
    "check_distances",
    "check_flag",
    "check_labels",
    "check_matrix",
    "check_numbers",
    "check_option",
    "check_positive",
    "check_random_state",
    "check_scalar",
    "check_shapes_agree",
    "check_signs",
    "check_square",
    "check_target",
    "check_value",
    "check_vector",
    "check_weights",
    "feature_names",
    "rows_that_count",
]

Array = NDArray[np.float64]

# The largest integer of 64 bits, in which arrays and generators count.
MAX_COUNT = 2**63 - 1


def _as_numbers(values: Any, name: str) -> Array:
    """Return ``values`` as float64, refusing what is sparse, masked, complex or text."""
    if values is None:
        raise ValueError(f"{name} is None; pass numbers.")
    if hasattr(values, "toarray") and hasattr(values, "nnz"):
        raise TypeError(
            f"{name} is sparse, and this method needs dense data; pass {name}.toarray()."
        )
    _refuse_unread(values, name)
    _refuse_masked(values, name)
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


def _refuse_unread(values: Any, name: str) -> None:
    """Refuse a lazy data frame, which has no values yet."""
    if type(values).__name__ == "LazyFrame" and hasattr(values, "collect"):
        raise TypeError(f"{name} is a lazy data frame without values; pass {name}.collect().")


def _refuse_masked(values: Any, name: str) -> None:
    """Refuse an array with masked entries, whose numbers would otherwise count as given."""
    if np.ma.is_masked(values):
        raise ValueError(
            f"{name} has masked entries, and this method needs every one; drop or impute them, or "
            f"pass {name}.data if the numbers under the mask are to count."
        )


def _check_finite(array: Array, name: str) -> None:
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
    array = _as_numbers(X, name)
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
        _check_finite(array, name)
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
    array = _as_numbers(values, name)
    if array.ndim != 1:
        raise ValueError(f"{name} must be a vector, got an array of shape {array.shape}.")
    if n is not None and len(array) != n:
        raise ValueError(f"{name} has length {len(array)}, but length {n} is needed.")
    _check_finite(array, name)
    return array


def _one_dimensional(y: Any, n: int, owner: str) -> NDArray[Any]:
    """Return ``y`` as a one-dimensional array with one entry for each of the ``n`` samples."""
    if y is None:
        raise ValueError(
            f"{owner} requires y to be passed, but the target y is None; call fit(X, y)."
        )
    if hasattr(y, "toarray") and hasattr(y, "nnz"):
        raise TypeError("y is sparse, and this method needs dense data; pass y.toarray().ravel().")
    if isinstance(y, str | bytes):
        raise ValueError(
            f"y is the text {y!r}; pass the labels themselves, for the column of a data frame "
            f"frame[{y!r}]."
        )
    _refuse_unread(y, "y")
    _refuse_masked(y, "y")
    try:
        array = np.asarray(y)
    except Exception as error:
        raise ValueError(f"y must be a sequence of labels or numbers: {error}") from error
    if array.ndim == 1 and array.dtype.kind in "US" and not _are_text(y):
        # NumPy writes a number beside a string as a string, and a missing value as "nan".
        array = np.array(y, dtype=object)
    if array.dtype.kind == "c":
        raise ValueError("Complex data not supported: y is complex, and must be real.")
    if array.ndim == 2 and array.shape[1] == 1:
        warn_at_caller(
            "A column-vector y was passed when a 1d array was expected; pass y.ravel().",
            DataConversionWarning,
        )
        array = array.ravel()
    if array.ndim != 1:
        raise ValueError(
            f"y should be a 1d array, got an array of shape {array.shape}; fit one model for each "
            "target."
        )
    if len(array) != n:
        raise ValueError(
            f"X and y have inconsistent numbers of samples: X has {n} rows, y has {len(array)} "
            "entries."
        )
    return array


def _are_text(y: Any) -> bool:
    """Whether an array of text, made from these, holds them as they were."""
    return not isinstance(y, list | tuple) or all(isinstance(entry, str | bytes) for entry in y)


def check_target(y: ArrayLike | None, n: int, *, owner: str = "This method") -> Array:
    """Return the target of a regression: ``n`` finite real numbers.

    Parameters
    ----------
    y : array-like of shape (n,)
        The target; a single column is accepted with a warning.
    n : int
        The number of samples.
    owner : str
        Who needs it.

    Returns
    -------
    ndarray of shape (n,)
        Of float64.

    Examples
    --------
    >>> check_target([1, 2, 3], 3)
    array([1., 2., 3.])
    """
    return check_vector(_one_dimensional(y, n, owner), name="y")


def check_labels(
    y: ArrayLike | None, n: int, *, owner: str = "This method", weights: Array | None = None
) -> tuple[NDArray[Any], NDArray[np.intp]]:
    """Return the sorted classes of a classification and each sample's position among them.

    Parameters
    ----------
    y : array-like of shape (n,)
        Integers, booleans, strings, or floats that are whole numbers.
    n : int
        The number of samples.
    owner : str
        Who needs it.
    weights : ndarray of shape (n,), optional
        From :func:`check_weights`; samples of weight zero are left out.

    Returns
    -------
    classes : ndarray of shape (n_classes,)
        At least two.
    codes : ndarray of shape (n,)
        ``classes[codes]`` is ``y``, without the samples that are left out.

    Examples
    --------
    >>> classes, codes = check_labels(["no", "yes", "no"], 3)
    >>> codes
    array([0, 1, 0])
    """
    labels = _one_dimensional(y, n, owner)
    if labels.dtype.kind == "f":
        _check_finite(np.asarray(labels, dtype=np.float64), "y")
        if (labels != np.floor(labels)).any():
            raise ValueError(
                "Unknown label type: continuous. A classifier needs class labels; for a real "
                "target use a regressor, or cut y into classes first."
            )
    if labels.dtype.kind in "OmM" and any(map(_is_missing, labels)):
        raise ValueError("Input y contains NaN or None; drop the samples that have no label.")
    if weights is not None:
        labels = labels[weights > 0]
    try:
        classes, codes = _sorted_classes(labels)
    except TypeError as error:
        raise ValueError(
            f"y mixes labels that cannot be ordered ({error}); use labels of one type."
        ) from error
    if classes.dtype.kind == "O" and not all(low < high for low, high in pairwise(classes)):
        raise ValueError(
            "y has labels that are not in one order, such as sets of which none contains the "
            "other; use strings or whole numbers as labels."
        )
    if len(classes) < 2:
        which = "" if len(labels) == n else " of positive weight"
        raise ValueError(
            f"{owner} needs samples{which} of at least two classes, got 1 class: "
            f"{classes.tolist()!r}."
        )
    return classes, codes


def _is_missing(label: Any) -> bool:
    """Whether this is None, or one of the values that are not equal to themselves."""
    same = label == label
    return label is None or not (isinstance(same, bool | np.bool_) and same)


def _sorted_classes(labels: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.intp]]:
    """Return ``np.unique`` with the inverse; integers in a short range are counted, not sorted."""
    if labels.dtype.kind == "i":
        low, high = int(labels.min()), int(labels.max())
        if high - low < 256:
            offsets = labels.astype(np.intp) - low
            present = np.bincount(offsets) > 0
            classes = (low + np.flatnonzero(present)).astype(labels.dtype)
            return classes, offsets if present.all() else (np.cumsum(present) - 1)[offsets]
    classes, codes = np.unique(labels, return_inverse=True)
    return classes, codes


def check_binary(
    y: ArrayLike | None, n: int, *, owner: str = "This method", weights: Array | None = None
) -> tuple[NDArray[Any], Array]:
    """Return the two classes and each sample's sign: -1 for the first class, +1 for the second.

    Parameters
    ----------
    y : array-like of shape (n,)
        Any two labels.
    n : int
        The number of samples.
    owner : str
        Who needs it.
    weights : ndarray of shape (n,), optional
        From :func:`check_weights`; samples of weight zero are left out.

    Returns
    -------
    classes : ndarray of shape (2,)
        Sorted.
    signs : ndarray of shape (n,)
        Of -1.0 and +1.0, without the samples that are left out.

    Examples
    --------
    >>> check_binary(["spam", "ham", "spam"], 3)[1]
    array([ 1., -1.,  1.])
    """
    classes, codes = check_labels(y, n, owner=owner, weights=weights)
    if len(classes) > 2:
        raise ValueError(
            f"Only binary classification is supported. {owner} got {len(classes)} classes in y; "
            "keep two of them, or train one classifier for each class against the rest."
        )
    return classes, np.where(codes == 1, 1.0, -1.0)


def check_signs(y: ArrayLike, n: int) -> Array:
    """Return labels that a formula uses as numbers, and that must therefore be -1 and +1.

    Parameters
    ----------
    y : array-like of shape (n,)
        Each entry -1 or +1.
    n : int
        The number of samples.

    Returns
    -------
    ndarray of shape (n,)
        Of float64.

    Examples
    --------
    >>> check_signs([1, -1], 2)
    array([ 1., -1.])
    >>> check_signs([0, 1], 2)
    Traceback (most recent call last):
    ...
    ValueError: labels must be -1 or +1, got {0, 1}; pass y = 2*y - 1
    """
    array = _one_dimensional(y, n, "This formula")
    found = set(np.unique(array).tolist()) if array.dtype.kind != "O" else set(array.tolist())
    if found <= {-1, 1}:
        return array.astype(np.float64)
    remedy = "pass y = 2*y - 1" if found <= {0, 1} else "map the two classes in y to -1 and +1"
    shown = ", ".join(sorted(map(repr, found))[:5])
    raise ValueError(f"labels must be -1 or +1, got {{{shown}}}; {remedy}")


def check_weights(
    sample_weight: ArrayLike | None, n: int, *, name: str = "sample_weight"
) -> Array | None:
    """Return nonnegative weights, one for each sample, or None where none were given.

    Parameters
    ----------
    sample_weight : array-like of shape (n,), or None
        How often each sample counts; zero leaves it out.
    n : int
        The number of samples.
    name : str
        What the error message calls them.

    Returns
    -------
    ndarray of shape (n,) or None
        At least one weight is positive.

    Examples
    --------
    >>> check_weights([1, 0, 2], 3)
    array([1., 0., 2.])
    """
    if sample_weight is None:
        return None
    weights = check_vector(sample_weight, n, name=name)
    if (weights < 0).any():
        raise ValueError(f"{name} must not be negative; leave a sample out with weight 0.")
    if not weights.any():
        raise ValueError(f"{name} is zero for every sample; at least one must be positive.")
    return weights


def rows_that_count(weights: Array | None, n: int) -> NDArray[np.intp]:
    """Return the rows of positive weight, all ``n`` where there are no weights.

    Parameters
    ----------
    weights : ndarray of shape (n,), optional
        From :func:`check_weights`.
    n : int
        The number of samples.

    Returns
    -------
    ndarray of int
        In ascending order.

    Examples
    --------
    >>> rows_that_count(np.array([1.0, 0.0, 2.0]), 3)
    array([0, 2])
    """
    return np.arange(n) if weights is None else np.flatnonzero(_as_numbers(weights, "weights"))


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


def check_categories(
    values: Any, name: str, *, n: int | None = None, dimensions: int = 1
) -> NDArray[Any]:
    """Return an array of numbers or strings of which only the order matters.

    Parameters
    ----------
    values : array-like
        Values of categories, at least one.
    name : str
        What the error message calls them.
    n : int, optional
        How many there must be, one for each sample.
    dimensions : int
        1 for a vector, 2 for a matrix.

    Returns
    -------
    ndarray
        Of booleans, numbers or strings.

    Examples
    --------
    >>> check_categories(["sun", "rain"], "X").tolist()
    ['sun', 'rain']
    """
    try:
        array = np.asarray(values)
    except ValueError as error:
        raise ValueError(f"{name} must be an array of numbers or strings: {error}.") from error
    if array.dtype.kind == "O" and all(isinstance(entry, str) for entry in array.flat):
        array = array.astype(str)
    if array.dtype.kind not in "biufU" or array.ndim != dimensions or not array.size:
        shape = "a vector" if dimensions == 1 else f"an array of {dimensions} dimensions"
        raise ValueError(
            f"{name} must be {shape} of numbers or strings, at least one of them, got "
            f"{array.dtype} of shape {array.shape}."
        )
    if array.dtype.kind == "f":
        _check_finite(np.asarray(array, dtype=np.float64), name)
    if n is not None and len(array) != n:
        raise ValueError(
            f"X and {name} have inconsistent numbers of samples: X has {n} rows, {name} has "
            f"{len(array)}."
        )
    return array


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
    array = _as_numbers(values, name)
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
