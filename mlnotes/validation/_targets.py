"""What is learned: targets, labels, signs, categories, and the weights of samples."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlnotes.exceptions import DataConversionWarning, warn_at_caller
from mlnotes.validation._arrays import (
    Array,
    as_numbers,
    check_finite,
    check_vector,
    refuse_masked,
    refuse_unread,
)


def check_entries(y: Any, n: int, owner: str = "This method") -> NDArray[Any]:
    """Return ``y`` as an array with one entry for each sample, whatever the entries are.

    Parameters
    ----------
    y : array-like of shape (n,)
        Labels or numbers; a single column is accepted with a warning.
    n : int
        The number of samples.
    owner : str
        Who needs it.

    Returns
    -------
    ndarray of shape (n,)
        What was given, in NumPy's type for it.

    Examples
    --------
    >>> check_entries(["a", "b"], 2)
    array(['a', 'b'], dtype='<U1')
    """
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
    refuse_unread(y, "y")
    refuse_masked(y, "y")
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
    return check_vector(check_entries(y, n, owner), name="y")


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
    labels = check_entries(y, n, owner)
    if labels.dtype.kind == "f":
        check_finite(np.asarray(labels, dtype=np.float64), "y")
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
    array = check_entries(y, n, "This formula")
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
    return np.arange(n) if weights is None else np.flatnonzero(as_numbers(weights, "weights"))


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
        check_finite(np.asarray(array, dtype=np.float64), name)
    if n is not None and len(array) != n:
        raise ValueError(
            f"X and {name} have inconsistent numbers of samples: X has {n} rows, {name} has "
            f"{len(array)}."
        )
    return array
