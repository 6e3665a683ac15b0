"""What the chapter defines: impurities, gains, the losses of leaves, and places to cut."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlnotes._numerics import distribution, scale_by_power_of_two
from mlnotes.validation import (
    Array,
    check_categories,
    check_matrix,
    check_numbers,
    check_option,
    check_scalar,
    check_value,
    check_vector,
    check_weights,
)


def entropy(frequencies: ArrayLike, *, base: float = math.e) -> Any:
    r"""Return the entropy :math:`-\sum_kp_k\log p_k` of frequencies of classes.

    Zero for one class alone, and at most :math:`\log C`, for :math:`C` classes of one frequency.

    Parameters
    ----------
    frequencies : array-like of shape (n_classes,) or (n_rows, n_classes)
        Probabilities or counts; they are divided by their sum.
    base : float
        Of the logarithm; 2 gives bits.

    Returns
    -------
    float or ndarray of shape (n_rows,)
        The entropy of each row.

    Examples
    --------
    >>> entropy([7, 7], base=2)
    1.0
    >>> entropy([[1.0, 0.0], [0.5, 0.5]]).round(3)
    array([0.   , 0.693])
    """
    p = _probabilities(frequencies, "frequencies")
    base = check_scalar(base, "base", above=1)
    logs = np.log(p, where=p > 0, out=np.zeros_like(p))
    found = np.maximum(-(p * logs).sum(axis=-1) / math.log(base), 0.0)
    return found if p.ndim > 1 else float(found)


def gini(frequencies: ArrayLike) -> Any:
    r"""Return Gini's impurity :math:`1-\sum_kp_k^2` of frequencies of classes.

    It is the probability that two samples drawn at random, with replacement, are of different
    classes: zero for one class alone, and at most :math:`(C-1)/C`.

    Parameters
    ----------
    frequencies : array-like of shape (n_classes,) or (n_rows, n_classes)
        Probabilities or counts; they are divided by their sum.

    Returns
    -------
    float or ndarray of shape (n_rows,)
        The impurity of each row.

    Examples
    --------
    >>> gini([1, 1]), gini([5, 0, 0]), gini([1, 1, 1, 1, 1]).__round__(6)
    (0.5, 0.0, 0.8)
    """
    p = _probabilities(frequencies, "frequencies")
    found = (p * (1 - p)).sum(axis=-1)
    return found if p.ndim > 1 else float(found)


def impurity_decrease(counts: ArrayLike, impurity: Callable[[Array], Any] = gini) -> float:
    r"""Return by how much a split decreases the impurity, :math:`I(t)-\sum_c\frac{N_c}NI(c)`.

    Never negative if the impurity is concave. With the entropy it is the information gain.

    Parameters
    ----------
    counts : array-like of shape (n_children, n_classes)
        How many samples of each class go to each child; one child for each answer.
    impurity : callable
        A function of the frequencies of the classes, such as :func:`gini` or :func:`entropy`.

    Returns
    -------
    float
        The impurity of the node less the mean of its children's.

    Examples
    --------
    >>> impurity_decrease([[2, 0], [0, 2]])
    0.5
    >>> impurity_decrease([[1, 1], [1, 1]])
    0.0
    """
    table = _check_table(counts)
    sizes = table.sum(axis=1)
    children = [
        n * check_value(impurity, row, "impurity") for n, row in zip(sizes, table, strict=True) if n
    ]
    whole = check_value(impurity, table.sum(axis=0), "impurity")
    return whole - float(sum(children) / sizes.sum())


def gain_ratio(counts: ArrayLike) -> float:
    r"""Return C4.5's gain ratio: the information gain over the entropy of the split itself.

    A split into many small children gains much, because each is nearly pure, and informs little.
    The entropy of the children's sizes is what it costs to say into which of them a sample goes.

    Parameters
    ----------
    counts : array-like of shape (n_children, n_classes)
        How many samples of each class go to each child.

    Returns
    -------
    float
        At most 1. Zero for a split with one child, which tells nothing.

    Examples
    --------
    >>> import numpy as np
    >>> identity = np.repeat(np.eye(2), 7, axis=0)  # fourteen samples, a child each
    >>> round(gain_ratio(identity), 3), round(gain_ratio([[6, 1], [1, 6]]), 3)
    (0.263, 0.408)
    """
    table = _check_table(counts)
    information = entropy(table.sum(axis=1))
    return impurity_decrease(table, entropy) / information if information > 0 else 0.0


def class_counts(values: ArrayLike, y: ArrayLike) -> Array:
    """Return how many samples of each class have each value of a feature.

    Parameters
    ----------
    values : array-like of shape (n_samples,)
        A value for each sample: a number or a string.
    y : array-like of shape (n_samples,)
        Their labels.

    Returns
    -------
    ndarray of shape (n_values, n_classes)
        Values and classes in ascending order.

    Examples
    --------
    >>> class_counts(["wind", "calm", "calm"], [0, 1, 1])
    array([[0., 2.],
           [1., 0.]])
    """
    answers = check_categories(values, "values")
    labels = check_categories(y, "y")
    if len(labels) != len(answers):
        raise ValueError(f"values and y must be as many, got {len(answers)} and {len(labels)}.")
    children, child = np.unique(answers, return_inverse=True)
    classes, code = np.unique(labels, return_inverse=True)
    table = np.zeros((len(children), len(classes)))
    np.add.at(table, (child, code), 1.0)
    return table


def split_accuracy(counts: ArrayLike) -> float:
    r"""Return the training accuracy of a split whose children each answer their majority.

    Never below that of the majority of all, since a sum of maxima is at least the maximum of sums.

    Parameters
    ----------
    counts : array-like of shape (n_children, n_classes)
        How many samples of each class go to each child.

    Returns
    -------
    float
        The share of samples that are answered correctly.

    Examples
    --------
    Of five days without sun four were for playing, of three sunny ones one:

    >>> split_accuracy([[1, 4], [2, 1]])
    0.75
    >>> split_accuracy([[0, 1, 2], [4, 0, 1]])
    0.75
    """
    table = _check_table(counts)
    return float(table.max(axis=1).sum() / table.sum())


def majority_label(y: ArrayLike) -> Any:
    """Return the most frequent label; of several the first in their order.

    Parameters
    ----------
    y : array-like of shape (n_samples,)
        Labels.

    Returns
    -------
    object
        One of the labels.

    Examples
    --------
    >>> majority_label(["play", "rest", "play"])
    'play'
    """
    labels = check_categories(y, "y")
    classes, counts = np.unique(labels, return_counts=True)
    return classes[np.argmax(counts)].item()


def leaf_mean(y: ArrayLike, weights: ArrayLike | None = None) -> float:
    r"""Return the value of a leaf that makes :math:`\sum_iw_i(f-y_i)^2` least: the mean.

    Parameters
    ----------
    y : array-like of shape (n_samples,)
        The targets in the leaf.
    weights : array-like of shape (n_samples,), optional
        How often each of them counts.

    Returns
    -------
    float
        The (weighted) mean.

    Examples
    --------
    >>> leaf_mean([1.0, 2.0, 6.0])
    3.0
    """
    target = _check_some(y, "y")
    shares = distribution(check_weights(weights, len(target), name="weights"), len(target))
    mean = float(shares @ target)
    return mean + float(shares @ (target - mean))


def squared_error(y: ArrayLike, value: float | None = None) -> float:
    r"""Return the loss of a leaf, :math:`\sum_i(f-y_i)^2`; at the mean unless a value is given.

    Parameters
    ----------
    y : array-like of shape (n_samples,)
        The targets in the leaf.
    value : float, optional
        What the leaf answers; the mean if not given.

    Returns
    -------
    float
        At the mean, the number of targets times their variance.

    Examples
    --------
    >>> squared_error([1.0, 2.0, 6.0]), squared_error([1.0, 2.0, 6.0], value=1.0)
    (14.0, 26.0)
    """
    target = _check_some(y, "y")
    answer = leaf_mean(target) if value is None else check_scalar(value, "value")
    return float(((target - answer) ** 2).sum())


def node_loss(y: ArrayLike, criterion: str = "gini") -> float:
    """Return the loss of a node: the number of its samples times their impurity.

    Parameters
    ----------
    y : array-like of shape (n_samples,)
        Labels; for ``"squared_error"`` targets.
    criterion : {"gini", "entropy", "squared_error"}
        The impurity: of the labels, or the variance of the targets.

    Returns
    -------
    float
        Zero for a pure node.

    Examples
    --------
    >>> node_loss(["a", "a", "b", "b"]), node_loss([1.0, 2.0, 6.0], "squared_error")
    (2.0, 14.0)
    """
    target = _check_node(y, criterion)
    if criterion == "squared_error":
        return squared_error(target)
    counts = np.unique(target, return_counts=True)[1]
    return len(target) * float(gini(counts) if criterion == "gini" else entropy(counts))


def squared_error_decrease(left: ArrayLike, right: ArrayLike) -> float:
    r"""Return by how much a split decreases the loss, :math:`\frac{N_LN_R}N(f_L-f_R)^2`.

    Parameters
    ----------
    left, right : array-like of shape (n_samples,)
        The targets that go to each side.

    Returns
    -------
    float
        The loss of the node less that of both leaves; never negative.

    Examples
    --------
    >>> squared_error_decrease([1.0, 2.0], [6.0])
    13.5
    >>> squared_error([1.0, 2.0, 6.0]) - squared_error([1.0, 2.0]) - squared_error([6.0])
    13.5
    """
    below, above = _check_some(left, "left"), _check_some(right, "right")
    n_left, n_right = len(below), len(above)
    return n_left * n_right / (n_left + n_right) * (leaf_mean(below) - leaf_mean(above)) ** 2


def population_loss(
    values: ArrayLike, moments: ArrayLike, masses: ArrayLike, second_moment: float
) -> float:
    r"""Return the expected squared error :math:`c-2\sum_lf_l\int_lfp+\sum_lf_l^2\int_lp`.

    That of the answers :math:`f_l` in the cells of a partition to a function :math:`f` under the
    density :math:`p`. It is least where each answer is the mean of :math:`f` in its cell.

    Parameters
    ----------
    values : array-like of shape (n_cells,)
        The answers :math:`f_l`.
    moments : array-like of shape (n_cells,)
        The integrals of :math:`fp` over the cells.
    masses : array-like of shape (n_cells,)
        The probabilities of the cells.
    second_moment : float
        :math:`c`, the expectation of :math:`f^2`.

    Returns
    -------
    float
        The expectation of :math:`(f(X)-f_{l(X)})^2`.

    Examples
    --------
    For :math:`f(x)=x`, uniformly distributed, and two halves:

    >>> round(population_loss([0.25, 0.75], [1 / 8, 3 / 8], [0.5, 0.5], 1 / 3), 6)
    0.020833
    """
    answers = check_vector(values, name="values")
    first = check_vector(moments, len(answers), name="moments")
    mass = check_vector(masses, len(answers), name="masses")
    constant = check_scalar(second_moment, "second_moment", least=0)
    return float(constant - 2 * answers @ first + answers**2 @ mass)


def candidate_thresholds(values: ArrayLike) -> Array:
    """Return the middles between neighbouring different values: one threshold for each way to cut.

    Parameters
    ----------
    values : array-like of shape (n_samples,)
        The values of a feature.

    Returns
    -------
    ndarray of shape (n_different - 1,)
        In ascending order; each is at least the value below it and less than the one above.

    Examples
    --------
    >>> candidate_thresholds([3.0, 1.0, 1.0, 2.0])
    array([1.5, 2.5])
    """
    different = np.unique(check_vector(values, name="values"))
    below, above = different[:-1], different[1:]
    middles = 0.5 * below + 0.5 * above
    return np.where((below <= middles) & (middles < above), middles, below)


def count_stumps(X: ArrayLike) -> int:
    r"""Return how many different labellings of the points stumps can produce.

    There are two constants, and two orientations for each way to cut a feature between two of its
    values; :math:`2d(n-1)+2` if all values differ and no two features cut alike.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Points.

    Returns
    -------
    int
        The number of distinct vectors of predictions.

    Examples
    --------
    >>> count_stumps([[1.0], [2.0], [3.0], [4.0]])
    8
    """
    columns = np.unique(check_matrix(X), axis=0).T
    above = {tuple(column > value) for column in columns for value in column}
    # The largest value of a column cuts nothing off and stands for the constants.
    return len(above | {tuple(not answer for answer in pattern) for pattern in above})


def loss_of_sums(y: ArrayLike, n: int, criterion: str) -> tuple[Array, Callable[[Array], Any]]:
    """Return what of each sample is summed, and the loss of a node as a function of the sums."""
    target = _check_node(y, criterion)
    if len(target) != n:
        raise ValueError(
            f"X and y have inconsistent numbers of samples: X has {n} rows, y has {len(target)}."
        )
    if criterion == "squared_error":
        deviation = target - leaf_mean(target)
        amounts = np.column_stack([np.ones(n), deviation, deviation**2])
        # Of n deviations with sum s and sum of squares q, the squared error is q - s²/n.
        return amounts, lambda sums: sums[..., 2] - sums[..., 1] ** 2 / sums[..., 0]
    impurity = gini if criterion == "gini" else entropy
    amounts = (target[:, None] == np.unique(target)).astype(float)
    return amounts, lambda sums: sums.sum(axis=-1) * impurity(sums)


def _check_some(values: Any, name: str) -> Array:
    """Return a vector that is not empty."""
    vector = check_vector(values, name=name)
    if not len(vector):
        raise ValueError(f"{name} is empty; pass the value of at least one sample.")
    return vector


def _probabilities(values: Any, name: str) -> Array:
    """Return nonnegative numbers over the sum of their row."""
    array = check_numbers(values, name, least=0)
    if not array.ndim or not array.shape[-1] or not (array.sum(axis=-1) > 0).all():
        raise ValueError(f"{name} must hold a positive number for some class, in every row.")
    scaled = scale_by_power_of_two(array)[0] if np.isinf(array.sum(axis=-1)).any() else array
    return np.asarray(scaled / scaled.sum(axis=-1, keepdims=True))


def _check_table(counts: Any) -> Array:
    """Return counts of classes in children, of at least one sample."""
    table = check_numbers(counts, "counts", least=0)
    if table.ndim != 2 or not 0 < table.sum() < np.inf:
        raise ValueError(
            "counts must be a table with a row for each child and a column for each class, and a "
            f"finite positive sum, got shape {table.shape}."
        )
    return table


def _check_node(y: ArrayLike, criterion: str) -> NDArray[Any]:
    """Return the labels in a node or, for the squared error, the targets."""
    check_option(criterion, "criterion", "gini", "entropy", "squared_error")
    return _check_some(y, "y") if criterion == "squared_error" else check_categories(y, "y")
