r"""Bayes decisions: the best rule, if the distribution were known.

A rule decides by features :math:`x` and pays the loss :math:`L(d,y)` of its decision :math:`d`
where the truth is :math:`y`. Its risk is an expectation over :math:`x` of the conditional risk
:math:`R(d\mid x)=\sum_yL(d,y)\,p(y\mid x)`, so that the best rule minimises that for each :math:`x`
by itself (:func:`bayes_rule`). With two classes it compares the odds with a threshold
(:func:`odds_threshold`); with the loss that counts errors it picks the most probable class, and its
risk is the Bayes error, which no classifier can undercut.

Distributions on finitely many inputs are tables: ``joint[x, y]`` is the probability of input x
together with class y.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlnotes.validation import (
    Array,
    check_count,
    check_matrix,
    check_numbers,
    check_positive,
    check_scalar,
    check_vector,
)

__all__ = [
    "Decision",
    "TriangularProblem",
    "bayes_error",
    "bayes_rule",
    "class_priors",
    "conditional_risk",
    "guess_error",
    "likelihood_ratio_threshold",
    "log_odds",
    "majority_error",
    "odds_threshold",
    "posterior",
    "risk",
    "zero_one_loss_matrix",
]

TOTAL = 1e-9  # how far probabilities may be from their total


class Decision(NamedTuple):
    """The best decision for each input.

    Attributes
    ----------
    decisions : ndarray of shape (n,)
        The number of the decision; of equally good ones the first.
    risks : ndarray of shape (n,)
        Its conditional risk.

    Examples
    --------
    >>> bayes_rule([[0.3, 0.7]]).decisions.tolist()
    [1]
    """

    decisions: NDArray[np.intp]
    risks: Array


def zero_one_loss_matrix(n_classes: int) -> Array:
    """Return the loss that counts errors: zero for the true class and one for every other.

    Parameters
    ----------
    n_classes : int
        The number of classes.

    Returns
    -------
    ndarray of shape (n_classes, n_classes)
        Decisions in rows, true classes in columns.

    Examples
    --------
    >>> zero_one_loss_matrix(2).tolist()
    [[0.0, 1.0], [1.0, 0.0]]
    """
    return 1.0 - np.eye(check_count(n_classes, "n_classes"))


def posterior(likelihoods: ArrayLike, priors: ArrayLike) -> Array:
    r"""Return :math:`p(y\mid x)=p(x\mid y)\,\pi_y/\sum_kp(x\mid k)\,\pi_k`.

    Parameters
    ----------
    likelihoods : array-like of shape (n, n_classes)
        :math:`p(x\mid y)`, as probabilities or densities, an input in each row.
    priors : array-like of shape (n_classes,)
        :math:`\pi_y`.

    Returns
    -------
    ndarray of shape (n, n_classes)
        The posterior probabilities; each row sums to one.

    Examples
    --------
    Two of seven red pens are ballpoint pens, and five of seven black ones; both colours are equally
    frequent. Seen a ballpoint pen, which colour has it?

    >>> posterior([[2 / 7, 5 / 7]], [0.5, 0.5]).round(4).tolist()
    [[0.2857, 0.7143]]
    """
    table = _nonnegative(check_matrix(likelihoods, name="likelihoods"), "likelihoods")
    weights = _distribution(priors, "priors", table.shape[1])
    # An input may be rare under all classes: only proportions matter.
    largest = table.max(axis=1, keepdims=True)
    joint = np.divide(table, largest, out=np.zeros_like(table), where=largest > 0) * weights
    evidence = joint.sum(axis=1, keepdims=True)
    if not (evidence > 0).all():
        row = int(np.flatnonzero(evidence[:, 0] <= 0)[0])
        raise ValueError(
            f"likelihoods: input {row} is impossible under every class that has a positive prior, "
            "so it has no posterior."
        )
    return np.asarray(joint / evidence, dtype=np.float64)


def conditional_risk(posteriors: ArrayLike, loss: ArrayLike | None = None) -> Array:
    r"""Return :math:`R(d\mid x)=\sum_yL(d,y)\,p(y\mid x)` for every decision.

    Parameters
    ----------
    posteriors : array-like of shape (n, n_classes)
        :math:`p(y\mid x)`, an input in each row.
    loss : array-like of shape (n_decisions, n_classes), optional
        :math:`L(d,y)`; if not given, the loss that counts errors.

    Returns
    -------
    ndarray of shape (n, n_decisions)
        The conditional risks.

    Examples
    --------
    Denying costs one where access was due, granting costs ten where it was not:

    >>> conditional_risk([[0.2, 0.8]], [[0.0, 1.0], [10.0, 0.0]]).tolist()
    [[0.8, 2.0]]
    """
    table = _distributions(posteriors, "posteriors")
    return table @ _loss_matrix(loss, table.shape[1]).T


def bayes_rule(
    posteriors: ArrayLike,
    loss: ArrayLike | None = None,
) -> Decision:
    """Return for each input the decision of least conditional risk.

    Parameters
    ----------
    posteriors : array-like of shape (n, n_classes)
        The probabilities of the classes, an input in each row.
    loss : array-like of shape (n_decisions, n_classes), optional
        What each decision costs under each class; if not given, the loss that counts errors, for
        which the rule picks the most probable class.

    Returns
    -------
    Decision
        The decisions and their risks.

    Examples
    --------
    >>> bayes_rule([[0.2, 0.8], [0.6, 0.4]]).decisions.tolist()
    [1, 0]
    >>> bayes_rule([[0.2, 0.8]], [[0.0, 1.0], [10.0, 0.0]]).decisions.tolist()
    [0]
    """
    risks = conditional_risk(posteriors, loss)
    best = risks.argmin(axis=1)
    return Decision(best, risks[np.arange(len(risks)), best])


def risk(decisions: ArrayLike, joint: ArrayLike, loss: ArrayLike | None = None) -> float:
    r"""Return the risk :math:`\sum_{x,y}p(x,y)\,L(d(x),y)` of a rule.

    Parameters
    ----------
    decisions : array-like of shape (n,)
        The number of the decision for each input.
    joint : array-like of shape (n, n_classes)
        :math:`p(x,y)`.
    loss : array-like of shape (n_decisions, n_classes), optional
        :math:`L(d,y)`; if not given, the loss that counts errors.

    Returns
    -------
    float
        The expected loss.

    Examples
    --------
    >>> risk([0, 1], [[0.25, 0.25], [0.0, 0.5]])
    0.25
    """
    table = _joint(joint)
    matrix = _loss_matrix(loss, table.shape[1])
    chosen = check_numbers(decisions, "decisions", least=0, most=len(matrix) - 1, whole=True)
    if chosen.shape != (len(table),):
        raise ValueError(f"decisions must have {len(table)} entries, one for each row of joint.")
    return float((table * matrix[chosen.astype(int)]).sum())


def bayes_error(joint: ArrayLike, loss: ArrayLike | None = None) -> float:
    """Return the least risk of any rule; with the loss that counts errors, the Bayes error.

    Parameters
    ----------
    joint : array-like of shape (n, n_classes)
        The probability of each input together with each class.
    loss : array-like of shape (n_decisions, n_classes), optional
        What each decision costs under each class.

    Returns
    -------
    float
        The least risk.

    Examples
    --------
    >>> bayes_error([[0.25, 0.25], [0.0, 0.5]])
    0.25
    """
    table = _joint(joint)
    return float((table @ _loss_matrix(loss, table.shape[1]).T).min(axis=1).sum())


# ---------------------------------------------------------------------- two classes


def odds_threshold(loss: ArrayLike) -> float:
    r"""Return the odds of class one above which decision one has the smaller risk.

    Where both errors cost something and right decisions nothing this is
    :math:`L_{FP}/L_{FN}`; in general :math:`(L_{10}-L_{00})/(L_{01}-L_{11})`, with the decision
    first.

    Parameters
    ----------
    loss : array-like of shape (2, 2)
        ``loss[d, y]`` is what decision d costs under class y.

    Returns
    -------
    float
        The threshold for :math:`p(1\mid x)/p(0\mid x)`.

    Raises
    ------
    ValueError
        If a wrong decision is not dearer than the right one: then there is no threshold.

    Examples
    --------
    >>> odds_threshold([[0.0, 1.0], [10.0, 0.0]])
    10.0
    """
    matrix = check_matrix(loss, name="loss")
    if matrix.shape != (2, 2):
        raise ValueError(f"loss must have the shape (2, 2), got {matrix.shape}.")
    admission, refusal = matrix[1, 0] - matrix[0, 0], matrix[0, 1] - matrix[1, 1]
    if admission <= 0 or refusal <= 0:
        raise ValueError(
            "loss: for both classes the wrong decision must cost more than the right one."
        )
    return float(admission / refusal)


def likelihood_ratio_threshold(priors: ArrayLike, loss: ArrayLike | None = None) -> float:
    r"""Return the likelihood ratio above which decision one has the smaller risk.

    By Bayes' formula the odds are the likelihood ratio times :math:`\pi_1/\pi_0`; the threshold is
    that of the odds times :math:`\pi_0/\pi_1`. A ratio of losses acts exactly like one of priors.

    Parameters
    ----------
    priors : array-like of shape (2,)
        :math:`\pi_0,\pi_1`, both positive.
    loss : array-like of shape (2, 2), optional
        ``loss[d, y]`` is what decision d costs under class y; if not given, errors are counted.

    Returns
    -------
    float
        The threshold for :math:`p(x\mid1)/p(x\mid0)`.

    Examples
    --------
    >>> likelihood_ratio_threshold([0.8, 0.2])
    4.0
    >>> likelihood_ratio_threshold([0.8, 0.2], [[0.0, 4.0], [1.0, 0.0]])
    1.0
    """
    weights = _distribution(priors, "priors", 2)
    if not (weights > 0).all():
        raise ValueError("priors must both be positive.")
    threshold = 1.0 if loss is None else odds_threshold(loss)
    return float(threshold * weights[0] / weights[1])


def log_odds(probability: ArrayLike) -> Array:
    r"""Return :math:`\log\frac p{1-p}`, for 0 and 1 minus and plus infinity.

    Parameters
    ----------
    probability : array-like
        Probabilities of a class.

    Returns
    -------
    ndarray
        The logarithm of the odds.

    Examples
    --------
    >>> log_odds([0.5, 1.0]).tolist()
    [0.0, inf]
    """
    p = check_numbers(probability, "probability", least=0, most=1)
    with np.errstate(divide="ignore"):
        odds: Array = np.log(p) - np.log1p(-p)
    return odds


# ---------------------------------------------------------------------- guessing


def class_priors(labels: ArrayLike) -> tuple[NDArray[np.generic], Array]:
    """Return the classes that occur and how frequent each of them is.

    Parameters
    ----------
    labels : array-like of shape (n,)
        Labels of any kind that can be sorted.

    Returns
    -------
    classes : ndarray of shape (n_classes,)
        The classes, sorted.
    priors : ndarray of shape (n_classes,)
        Their frequencies, which maximise the likelihood of the labels.

    Examples
    --------
    >>> classes, priors = class_priors(["ham", "spam", "ham", "ham"])
    >>> classes.tolist(), priors.tolist()
    (['ham', 'spam'], [0.75, 0.25])
    """
    try:
        found = np.asarray(labels)
        classes, counts = np.unique(found, return_counts=True)
    except (TypeError, ValueError) as error:
        raise ValueError(f"labels must be a vector that can be sorted: {error}") from error
    if found.ndim != 1 or not len(found):
        raise ValueError("labels must be a vector with at least one entry.")
    return classes, counts / len(found)


def guess_error(guess: ArrayLike, priors: ArrayLike) -> float:
    r"""Return :math:`1-\sum_kq_k\pi_k`, the error of guessing without looking.

    Parameters
    ----------
    guess : array-like of shape (n_classes,)
        With what probability :math:`q_k` each class is guessed.
    priors : array-like of shape (n_classes,)
        How frequent each class is.

    Returns
    -------
    float
        The expected error.

    Examples
    --------
    Guessing classes as often as they occur is worse than always guessing the most frequent one:

    >>> round(guess_error([0.9, 0.1], [0.9, 0.1]), 12), round(majority_error([0.9, 0.1]), 12)
    (0.18, 0.1)
    """
    weights = _distribution(priors, "priors")
    return float(1.0 - _distribution(guess, "guess", len(weights)) @ weights)


def majority_error(priors: ArrayLike) -> float:
    r"""Return :math:`1-\max_k\pi_k`, the least error of a rule that does not look.

    Parameters
    ----------
    priors : array-like of shape (n_classes,)
        How frequent each class is.

    Returns
    -------
    float
        At most :math:`1-1/K` for :math:`K` classes; exactly that where all are equally frequent.

    Examples
    --------
    >>> majority_error([0.5, 0.25, 0.25])
    0.5
    """
    return float(1.0 - _distribution(priors, "priors").max())


# ---------------------------------------------------------------------- the triangular problem


@dataclass(frozen=True)
class TriangularProblem:
    r"""Two classes on the unit interval with densities :math:`2-2x` and :math:`2x`.

    The classes are equally frequent, so that the density of all inputs is one and the posterior
    probability of class one at x is x itself. Everything about it can be computed by hand.

    Parameters
    ----------
    false_negative : float
        What it costs to decide for class zero where class one is true.
    false_positive : float
        What it costs to decide for class one where class zero is true.

    Examples
    --------
    >>> problem = TriangularProblem()
    >>> problem.threshold_risk(0.25), problem.best_threshold, problem.bayes_risk
    (0.3125, 0.5, 0.25)
    """

    false_negative: float = 1.0
    false_positive: float = 1.0

    def __post_init__(self) -> None:
        check_positive(self.false_negative, "false_negative")
        check_positive(self.false_positive, "false_positive")

    @property
    def best_threshold(self) -> float:
        """Where the two conditional risks are equal."""
        return self.false_positive / (self.false_positive + self.false_negative)

    @property
    def bayes_risk(self) -> float:
        """The risk of the best threshold: a quarter where errors are counted."""
        return self.threshold_risk(self.best_threshold)

    def threshold_risk(self, threshold: float, *, reversed: bool = False) -> float:
        r"""Return the risk of deciding for class one above a threshold, or below it.

        Above: :math:`L_{FN}\int_0^tx\,dx+L_{FP}\int_t^1(1-x)\,dx`, which is
        :math:`\tfrac14+(t-\tfrac12)^2` where errors are counted.

        Parameters
        ----------
        threshold : float
            t, between zero and one.
        reversed : bool
            Whether the rule decides for class one *below* the threshold.

        Returns
        -------
        float
            The risk.
        """
        t = check_scalar(threshold, "threshold", least=0, most=1)
        missed, admitted = t**2 / 2, (1 - t) ** 2 / 2  # the two areas of error
        if reversed:
            missed, admitted = (1 - t**2) / 2, t - t**2 / 2
        return self.false_negative * missed + self.false_positive * admitted

    def posterior(self, x: ArrayLike) -> Array:
        """Return the posterior probabilities of both classes.

        Parameters
        ----------
        x : array-like of shape (n,)
            Inputs in the unit interval.

        Returns
        -------
        ndarray of shape (n, 2)
            One minus x, and x.
        """
        points = check_vector(check_numbers(x, "x", least=0, most=1), name="x")
        return np.column_stack([1.0 - points, points])


# ---------------------------------------------------------------------- validation


def _nonnegative(table: Array, name: str) -> Array:
    if (table < 0).any():
        raise ValueError(f"{name} must not be negative, got {table.min():g}.")
    return table


def _distribution(values: ArrayLike, name: str, n: int | None = None) -> Array:
    weights = _nonnegative(check_vector(values, n, name=name), name)
    if abs(weights.sum() - 1.0) > TOTAL:
        raise ValueError(f"{name} must sum to one, not to {weights.sum():g}.")
    return weights


def _distributions(values: ArrayLike, name: str) -> Array:
    table = _nonnegative(check_matrix(values, name=name), name)
    totals = table.sum(axis=1)
    if (np.abs(totals - 1.0) > TOTAL).any():
        row = int(np.abs(totals - 1.0).argmax())
        raise ValueError(f"{name}: each row must sum to one; row {row} sums to {totals[row]:g}.")
    return table


def _joint(values: ArrayLike) -> Array:
    table = _nonnegative(check_matrix(values, name="joint"), "joint")
    if abs(table.sum() - 1.0) > TOTAL:
        raise ValueError(f"joint must sum to one, not to {table.sum():g}.")
    return table


def _loss_matrix(loss: ArrayLike | None, n_classes: int) -> Array:
    if loss is None:
        return zero_one_loss_matrix(n_classes)
    matrix = check_matrix(loss, name="loss")
    if matrix.shape[1] != n_classes:
        raise ValueError(
            f"loss must have a column for each of the {n_classes} classes, got {matrix.shape[1]}."
        )
    return matrix
