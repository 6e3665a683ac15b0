r"""The learning problem: what is asked, and what would count as an answer.

A predictor :math:`f` is judged by its risk :math:`R(f)=\mathbb E\,\ell(y,f(x))` under a
distribution that nobody knows; what can be computed is its empirical risk
:math:`L(f)=\frac1n\sum_i\ell(y_i,f(x_i))` on a sample. For one fixed :math:`f` the second is an
unbiased estimate of the first; for the :math:`f` that a learner chose by looking at the sample it
is not, and the difference is what this book is about.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlnotes.validation import (
    Array,
    check_callable,
    check_count,
    check_matrix,
    check_numbers,
    check_positive,
    check_random_state,
    check_scalar,
    check_shapes_agree,
    check_vector,
)

__all__ = [
    "Memoriser",
    "absolute_loss",
    "active_threshold",
    "boundary_share",
    "distance_contrast",
    "empirical_risk",
    "generalisation_gap",
    "margin_loss",
    "no_free_lunch_average",
    "squared_loss",
    "true_risk",
    "zero_one_loss",
]

Loss = Callable[[ArrayLike, ArrayLike], Array]
Learner = Callable[[Sequence[int], Sequence[int], int], int]


# ---------------------------------------------------------------------- losses and risks


def zero_one_loss(y: ArrayLike, prediction: ArrayLike) -> Array:
    """Return one where the prediction is not the label, and zero where it is.

    Parameters
    ----------
    y : array-like of shape (n,)
        Labels of any kind.
    prediction : array-like of shape (n,)
        What was predicted.

    Returns
    -------
    ndarray of shape (n,)
        The losses.

    Examples
    --------
    >>> zero_one_loss(["spam", "ham"], ["spam", "spam"]).tolist()
    [0.0, 1.0]
    """
    true, said = _labels(y, "y"), _labels(prediction, "prediction")
    if true.shape != said.shape:
        raise ValueError(f"y has the shape {true.shape} and prediction {said.shape}.")
    return np.asarray(true != said, dtype=np.float64)


def _labels(values: ArrayLike, name: str) -> NDArray[np.generic]:
    try:
        return np.asarray(values)
    except ValueError as error:
        raise ValueError(f"{name} must be an array of labels: {error}") from error


def squared_loss(y: ArrayLike, prediction: ArrayLike) -> Array:
    r"""Return :math:`(y-\hat y)^2`.

    Parameters
    ----------
    y : array-like of shape (n,)
        Targets.
    prediction : array-like of shape (n,)
        What was predicted.

    Returns
    -------
    ndarray of shape (n,)
        The losses.

    Examples
    --------
    >>> squared_loss([1.0, 2.0], [1.0, 4.0]).tolist()
    [0.0, 4.0]
    """
    return _difference(y, prediction) ** 2


def absolute_loss(y: ArrayLike, prediction: ArrayLike) -> Array:
    r"""Return :math:`\lvert y-\hat y\rvert`.

    Parameters
    ----------
    y : array-like of shape (n,)
        Targets.
    prediction : array-like of shape (n,)
        What was predicted.

    Returns
    -------
    ndarray of shape (n,)
        The losses.

    Examples
    --------
    >>> absolute_loss([1.0, 2.0], [1.0, 4.0]).tolist()
    [0.0, 2.0]
    """
    return np.abs(_difference(y, prediction))


def _difference(y: ArrayLike, prediction: ArrayLike) -> Array:
    true, said = check_numbers(y, "y"), check_numbers(prediction, "prediction")
    check_shapes_agree(y=true, prediction=said)
    return true - said


def margin_loss(margins: ArrayLike) -> Array:
    r"""Return one where :math:`y\langle\theta,x\rangle\le0` and zero where it is positive.

    Whoever is undecided is not right: at a margin of zero the loss is one.

    Parameters
    ----------
    margins : array-like
        :math:`y\langle\theta,x\rangle`.

    Returns
    -------
    ndarray
        The losses.

    Examples
    --------
    >>> margin_loss([-1.0, 0.0, 1.0]).tolist()
    [1.0, 1.0, 0.0]
    """
    return (check_numbers(margins, "margins") <= 0).astype(np.float64)


def empirical_risk(y: ArrayLike, prediction: ArrayLike, loss: Loss = zero_one_loss) -> float:
    r"""Return the mean loss on a sample, :math:`L(f)=\frac1n\sum_i\ell(y_i,f(x_i))`.

    Parameters
    ----------
    y : array-like of shape (n,)
        The labels of the sample.
    prediction : array-like of shape (n,)
        What the predictor says about its points.
    loss : callable
        Takes labels and predictions and returns the losses.

    Returns
    -------
    float
        The mean loss; with the default, the share of errors.

    Examples
    --------
    >>> empirical_risk([1, -1, 1, 1], [1, 1, 1, 1])
    0.25
    """
    losses = check_vector(
        check_callable(loss, "loss", "labels and predictions")(y, prediction), name="loss"
    )
    if not len(losses):
        raise ValueError("y is empty: a mean needs at least one example.")
    return float(losses.mean())


def true_risk(prediction: ArrayLike, joint: ArrayLike, loss: Loss = zero_one_loss) -> float:
    r"""Return :math:`\sum_{x,y}p(x,y)\,\ell(y,f(x))`, the risk under a distribution that is known.

    Parameters
    ----------
    prediction : array-like of shape (n_inputs,)
        What the predictor says about each input; labels are 0, 1, ….
    joint : array-like of shape (n_inputs, n_labels)
        The probability of each input together with each label.
    loss : callable
        Takes labels and predictions and returns the losses.

    Returns
    -------
    float
        The expected loss.

    Examples
    --------
    >>> true_risk([0, 1], [[0.4, 0.1], [0.2, 0.3]])
    0.30000000000000004
    """
    check_callable(loss, "loss", "labels and predictions")
    table = check_matrix(joint, name="joint")
    if (table < 0).any() or abs(table.sum() - 1.0) > 1e-9:
        raise ValueError("joint must have no negative entry and sum to one.")
    said = check_vector(prediction, len(table), name="prediction")
    inputs, labels = np.indices(table.shape)
    return float(table.ravel() @ loss(labels.ravel().astype(float), said[inputs.ravel()]))


def generalisation_gap(training_risk: float, test_risk: float) -> float:
    r"""Return :math:`R(f)-L(f)`: what the sample did not say about the predictor chosen by it.

    Parameters
    ----------
    training_risk : float
        The risk on the sample that the predictor was chosen by.
    test_risk : float
        The risk, or its estimate on points that had no part in the choice.

    Returns
    -------
    float
        The gap.

    Examples
    --------
    >>> generalisation_gap(0.0, 0.25)
    0.25
    """
    return check_scalar(test_risk, "test_risk") - check_scalar(training_risk, "training_risk")


class Memoriser:
    """A learner that stores its examples and knows nothing about any other input.

    Its training error is zero wherever equal inputs have equal labels, and its error on new inputs
    is that of a guess.

    Parameters
    ----------
    default : object
        What it says about an input that it has not seen.

    Examples
    --------
    >>> memory = Memoriser(default=0).fit([[1], [2]], [1, 1])
    >>> memory.predict([[1], [3]]).tolist()
    [1, 0]
    """

    def __init__(self, default: object = 0) -> None:
        self.default = default

    def fit(self, X: ArrayLike, y: ArrayLike) -> Memoriser:
        """Store the examples; of equal inputs the last one.

        Parameters
        ----------
        X : array-like of shape (n, d)
            The inputs.
        y : array-like of shape (n,)
            Their labels.

        Returns
        -------
        Memoriser
            The learner itself.
        """
        inputs, labels = check_matrix(X), np.asarray(y)
        if labels.shape != (len(inputs),):
            raise ValueError(f"y must have {len(inputs)} labels, got the shape {labels.shape}.")
        self.memory_ = {
            row.tobytes(): label for row, label in zip(inputs + 0.0, labels, strict=True)
        }
        return self

    def predict(self, X: ArrayLike) -> NDArray[np.generic]:
        """Return the stored labels, and the default for what is new.

        Parameters
        ----------
        X : array-like of shape (n, d)
            The inputs.

        Returns
        -------
        ndarray of shape (n,)
            The predictions.
        """
        return np.array(
            [self.memory_.get(r.tobytes(), self.default) for r in check_matrix(X) + 0.0]
        )


# ---------------------------------------------------------------------- no free lunch


def no_free_lunch_average(learner: Learner, n_inputs: int, training: Sequence[int]) -> Fraction:
    """Return a learner's error off its training set, averaged over all targets there are.

    Whatever the learner does, the average is one half: for every target on which it is right about
    a new input there is another one, equal on the training set, on which it is wrong.

    Parameters
    ----------
    learner : callable
        Takes the inputs of the training set, their labels and a new input, and returns 0 or 1.
    n_inputs : int
        Inputs are the numbers from 0 to ``n_inputs - 1``; at most 20, since all targets are tried.
    training : sequence of int
        The inputs whose labels the learner sees; at least one input must be left.

    Returns
    -------
    Fraction
        The average, exactly.

    Examples
    --------
    >>> def majority(inputs, labels, new):
    ...     return int(2 * sum(labels) > len(labels))
    >>> no_free_lunch_average(majority, 6, [0, 1, 2])
    Fraction(1, 2)
    """
    learner = check_callable(learner, "learner", "inputs, labels and a new input")
    n = check_count(n_inputs, "n_inputs")
    if n > 20:
        raise ValueError(
            f"n_inputs must be at most 20, got {n}: all 2**n_inputs targets are tried."
        )
    inputs = check_vector(training, name="training")
    seen = [int(i) for i in check_numbers(inputs, "training", least=0, most=n - 1, whole=True)]
    unseen = [i for i in range(n) if i not in seen]
    if not unseen:
        raise ValueError("training leaves no input on which the learner could be tried.")
    errors = 0
    for target in itertools.product((0, 1), repeat=n):
        labels = [target[i] for i in seen]
        errors += sum(int(learner(seen, labels, i)) != target[i] for i in unseen)
    return Fraction(errors, 2**n * len(unseen))


# ---------------------------------------------------------------------- how much data


def active_threshold(label: Callable[[float], bool], tolerance: float) -> tuple[float, int]:
    """Find a threshold on the unit interval by asking for labels where they tell most.

    Each answer halves the interval that contains the threshold, so that the number of labels grows
    with the logarithm of the precision. Labels of random points come as close only with a number
    that grows with its inverse.

    Parameters
    ----------
    label : callable
        Says of a number whether it lies above the threshold.
    tolerance : float
        How far off the answer may be.

    Returns
    -------
    threshold : float
        The middle of what is left.
    n_labels : int
        How many labels were asked for.

    Examples
    --------
    >>> active_threshold(lambda x: x > 0.3, 1e-3)
    (0.2998046875, 9)
    """
    label = check_callable(label, "label", "a number")
    precision = check_positive(tolerance, "tolerance")
    low, high, asked = 0.0, 1.0, 0
    while (high - low) / 2 > precision and low < (middle := (low + high) / 2) < high:
        asked += 1
        low, high = (low, middle) if label(middle) else (middle, high)
    return (low + high) / 2, asked


def boundary_share(dimension: ArrayLike, margin: float) -> Array:
    r"""Return the share of a unit cube within a margin of its boundary, :math:`1-(1-2m)^d`.

    Parameters
    ----------
    dimension : int or array-like of int
        :math:`d`.
    margin : float
        :math:`m`, at most one half.

    Returns
    -------
    ndarray
        The share, which tends to one: in many dimensions nearly all of a cube is close to its
        boundary.

    Examples
    --------
    >>> boundary_share([1, 100], 0.05).round(4).tolist()
    [0.1, 1.0]
    """
    d = check_numbers(dimension, "dimension", least=1, whole=True)
    m = check_scalar(margin, "margin", least=0, most=0.5)
    with np.errstate(divide="ignore"):
        share: Array = -np.expm1(d * np.log1p(-2.0 * m))
    return share


def distance_contrast(
    dimension: int,
    n_points: int = 1000,
    random_state: int | np.random.Generator | None = None,
) -> float:
    """Return the nearest distance over the farthest one, from a point to others in a unit cube.

    In many dimensions it approaches one: all points are about equally far away, and "nearest" says
    little.

    Parameters
    ----------
    dimension : int
        The dimension of the cube.
    n_points : int
        How many other points are drawn.
    random_state : int, Generator or None
        What they are drawn from.

    Returns
    -------
    float
        The ratio, between zero and one.

    Examples
    --------
    >>> distance_contrast(1, random_state=0) < 0.1 < 0.5 < distance_contrast(500, random_state=0)
    True
    """
    d, n = check_count(dimension, "dimension"), check_count(n_points, "n_points", at_least=2)
    rng = check_random_state(random_state)
    distances = np.linalg.norm(rng.random((n, d)) - rng.random(d), axis=1)
    return float(distances.min() / distances.max())
