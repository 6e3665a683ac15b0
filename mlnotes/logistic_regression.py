r"""Logistic regression: a linear function read as log-odds, fitted by maximum likelihood.

The probability of the positive class is :math:`\sigma(\langle\theta,x\rangle+\theta_0)` with
:math:`\sigma(z)=1/(1+e^{-z})`, and the negative log-likelihood of labels :math:`y_i=\pm1` is
:math:`\sum_i\log(1+e^{-y_i(\langle\theta,x_i\rangle+\theta_0)})`. It is convex
(``thm-logistic-convex``), so Newton's method with a line search finds its minimum wherever there is
one. On separable data there is none (``thm-logistic-no-minimiser``); the penalty
:math:`\frac\lambda2\lVert\theta\rVert^2` brings it back. See the chapter
:doc:`/book/logistic_regression`.
"""

from __future__ import annotations

import dataclasses
import numbers
from typing import Any, NoReturn, Self

import numpy as np
import scipy.linalg
from numpy.typing import ArrayLike, NDArray

from mlnotes.base import BinaryClassifier, Classifier
from mlnotes.exceptions import ConvergenceWarning, warn_at_caller
from mlnotes.validation import (
    Array,
    check_count,
    check_matrix,
    check_positive,
    check_signs,
    check_vector,
    check_weights,
    rows_that_count,
)

__all__ = [
    "GradientDescentLogisticRegression",
    "LogisticRegression",
    "StochasticLogisticRegression",
    "cross_entropy",
    "gaussian_log_odds",
    "gradient",
    "hessian",
    "irls_step",
    "irls_weights",
    "lipschitz_constant",
    "log_likelihood",
    "logistic_loss",
    "recession_direction",
    "sigmoid",
    "softmax",
]

ROUNDOFF = float(np.finfo(np.float64).eps)
MOST_STEPS = 10  # with one Hessian
SURE = 1e-12  # a step that promises no more than this share of the objective keeps its promise
FAR_OUT = 1e-16  # the tolerance at which weights without a limit are told from others


def sigmoid(z: ArrayLike) -> Array:
    r"""Return :math:`\sigma(z)=1/(1+e^{-z})`, without overflow for any score.

    Parameters
    ----------
    z : array-like
        Scores.

    Returns
    -------
    ndarray
        Of the same shape, between 0 and 1.

    Examples
    --------
    >>> sigmoid([-1e4, 0.0, np.log(3), 1e4])
    array([0.  , 0.5 , 0.75, 1.  ])
    """
    score = np.asarray(z, dtype=np.float64)
    small = np.exp(-np.abs(score))
    return np.asarray(np.where(score >= 0, 1.0, small) / (1.0 + small))


def logistic_loss(margin: ArrayLike) -> Array:
    r"""Return :math:`\log(1+e^{-m})`, the negative logarithm of :math:`\sigma(m)`.

    Parameters
    ----------
    margin : array-like
        The products :math:`m=y(\langle\theta,x\rangle+\theta_0)`.

    Returns
    -------
    ndarray
        Of the same shape; positive, and :math:`-m` up to rounding where ``m`` is very negative.

    Examples
    --------
    >>> logistic_loss([0.0, -1000.0])
    array([6.93147181e-01, 1.00000000e+03])
    """
    return np.asarray(np.logaddexp(0.0, -np.asarray(margin, dtype=np.float64)))


def cross_entropy(p: ArrayLike, q: ArrayLike) -> Array:
    r"""Return :math:`p\log\frac1q+(1-p)\log\frac1{1-q}`, the price of believing q where p holds.

    For every ``p`` it is least at ``q = p`` (``lem-cross-entropy-least``).

    Parameters
    ----------
    p : array-like
        True probabilities of one of two outcomes; a label is a probability of 0 or 1.
    q : array-like
        Probabilities given to it by a model.

    Returns
    -------
    ndarray
        Infinite where the model excludes what may happen.

    Examples
    --------
    >>> cross_entropy([1.0, 0.5, 1.0], [1.0, 0.5, 0.0])
    array([0.        , 0.69314718,        inf])
    """
    from scipy.special import xlog1py, xlogy

    truth, belief = np.asarray(p, dtype=np.float64), np.asarray(q, dtype=np.float64)
    for name, values in (("p", truth), ("q", belief)):
        if not ((values >= 0) & (values <= 1)).all():
            raise ValueError(f"{name} must hold probabilities between 0 and 1.")
    return np.asarray(0.0 - xlogy(truth, belief) - xlog1py(1 - truth, -belief))


def log_likelihood(X: ArrayLike, y: ArrayLike, theta: ArrayLike) -> float:
    r"""Return :math:`\sum_i\log\sigma(y_i\langle\theta,x_i\rangle)`.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Points; :func:`mlnotes.perceptron.augment` them first if there is an offset.
    y : array-like of shape (n_samples,)
        Labels -1 and +1.
    theta : array-like of shape (n_features,)
        Weights.

    Returns
    -------
    float
        Negative: the logarithm of a probability.

    Examples
    --------
    >>> log_likelihood([[1.0], [1.0]], [1, -1], [0.0])
    -1.386...
    """
    return -float(logistic_loss(_margins(X, y, theta)[1]).sum())


def gradient(X: ArrayLike, y: ArrayLike, theta: ArrayLike) -> Array:
    r"""Return the gradient :math:`-\sum_iy_i(1-\sigma(m_i))x_i` of the negative log-likelihood.

    It is that of ``thm-logistic-gradient``, with :math:`m_i=y_i\langle\theta,x_i\rangle`.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Points; :func:`mlnotes.perceptron.augment` them first if there is an offset.
    y : array-like of shape (n_samples,)
        Labels -1 and +1.
    theta : array-like of shape (n_features,)
        Weights.

    Returns
    -------
    ndarray of shape (n_features,)
        Zero exactly at a minimum.

    Examples
    --------
    >>> gradient([[2.0], [4.0]], [1, -1], [0.0])
    array([1.])
    """
    signed, margins = _margins(X, y, theta)
    return np.asarray(-sigmoid(-margins) @ signed)


def hessian(X: ArrayLike, theta: ArrayLike) -> Array:
    r"""Return :math:`\sum_i\sigma(s_i)\sigma(-s_i)x_ix_i^\top`, the second derivative of the loss.

    Here :math:`s_i=\langle\theta,x_i\rangle`. The labels do not enter: the weight is the same for
    both of them.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Points; :func:`mlnotes.perceptron.augment` them first if there is an offset.
    theta : array-like of shape (n_features,)
        Weights.

    Returns
    -------
    ndarray of shape (n_features, n_features)
        Positive semidefinite (``thm-logistic-convex``).

    Examples
    --------
    >>> hessian([[2.0], [4.0]], [0.0])
    array([[5.]])
    """
    points = check_matrix(X)
    weights = irls_weights(points @ check_vector(theta, points.shape[1], name="theta"))
    return np.asarray((points.T * weights) @ points)


def irls_weights(scores: ArrayLike) -> Array:
    r"""Return :math:`\sigma(s)\sigma(-s)`, the weight of a point with score s in a Newton step.

    At most :math:`\frac14`, on the decision boundary (``lem-logistic-quarter``).

    Parameters
    ----------
    scores : array-like
        Values of the linear function.

    Returns
    -------
    ndarray
        Of the same shape, even in the score, without cancellation where it is large.

    Examples
    --------
    >>> irls_weights([0.0, np.log(3), -np.log(3)])
    array([0.25  , 0.1875, 0.1875])
    """
    small = np.exp(-np.abs(np.asarray(scores, dtype=np.float64)))
    return np.asarray(small / (1.0 + small) ** 2)


def irls_step(X: ArrayLike, y: ArrayLike, theta: ArrayLike) -> Array:
    r"""Return the next iterate of iteratively reweighted least squares.

    It is the weighted least-squares fit of the working response
    :math:`s_i+y_i\sigma(-m_i)/\omega_i` with the weights :math:`\omega_i` of :func:`irls_weights`,
    which is Newton's step (``thm-newton-irls``). Nothing bounds its length: far from the minimum
    it may raise the loss, which is why :class:`LogisticRegression` searches along it.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Points; :func:`mlnotes.perceptron.augment` them first if there is an offset.
    y : array-like of shape (n_samples,)
        Labels -1 and +1.
    theta : array-like of shape (n_features,)
        The current weights.

    Returns
    -------
    ndarray of shape (n_features,)
        The next weights.

    Examples
    --------
    >>> irls_step([[1.0], [1.0], [1.0]], [1, 1, -1], [0.0])
    array([0.666...])
    """
    points = check_matrix(X)
    signs = check_signs(y, len(points))
    scores = points @ check_vector(theta, points.shape[1], name="theta")
    roots = np.sqrt(irls_weights(scores))
    if not roots.all():
        raise ValueError(
            "a weight has underflowed to zero, and the working response with it; start closer to "
            "zero, or use LogisticRegression."
        )
    response = scores + signs * sigmoid(-signs * scores) / roots**2
    return np.asarray(np.linalg.lstsq(points * roots[:, None], response * roots, rcond=None)[0])


def lipschitz_constant(X: ArrayLike) -> float:
    r"""Return :math:`\frac14\lVert X\rVert^2`, a bound on every eigenvalue of every Hessian.

    A gradient step of length at most :math:`1/L` with this :math:`L` never raises the loss
    (``thm-logistic-descent``).

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Points; :func:`mlnotes.perceptron.augment` them first if there is an offset.

    Returns
    -------
    float
        A quarter of the squared largest singular value.

    Examples
    --------
    >>> lipschitz_constant([[2.0, 0.0], [0.0, 4.0]])
    4.0
    """
    with np.errstate(over="ignore"):
        return float(np.square(np.linalg.norm(check_matrix(X), 2)) / 4)


def softmax(scores: ArrayLike) -> Array:
    r"""Return :math:`e^{s_k}/\sum_le^{s_l}` along the last axis, without overflow.

    Parameters
    ----------
    scores : array-like with classes along the last axis
        One score for each class.

    Returns
    -------
    ndarray of the same shape
        Probabilities that sum to one.

    Examples
    --------
    >>> softmax([1e4, 1e4 + np.log(3)])
    array([0.25, 0.75])
    """
    values = np.asarray(scores, dtype=np.float64)
    if values.ndim == 0 or values.shape[-1] == 0:
        raise ValueError(
            f"scores must have at least one class along the last axis, got shape {values.shape}."
        )
    exponentials = np.exp(values - values.max(axis=-1, keepdims=True))
    return np.asarray(exponentials / exponentials.sum(axis=-1, keepdims=True))


def gaussian_log_odds(
    mean_negative: ArrayLike, mean_positive: ArrayLike, covariance: ArrayLike, prior: float = 0.5
) -> tuple[Array, float]:
    r"""Return the weights and the offset of the posterior of two Gaussians with one covariance.

    The posterior of the positive class is :math:`\sigma(\langle\theta,x\rangle+\theta_0)` with
    :math:`\theta=S^{-1}(m_+-m_-)` and :math:`\theta_0=\frac12(m_-^\top S^{-1}m_--m_+^\top
    S^{-1}m_+)+\log\frac{\pi}{1-\pi}` (``thm-gaussian-log-odds``).

    Parameters
    ----------
    mean_negative, mean_positive : array-like of shape (n_features,)
        The means of the two classes.
    covariance : array-like of shape (n_features, n_features)
        Their common covariance :math:`S`, positive definite.
    prior : float
        The probability :math:`\pi` of the positive class, strictly between 0 and 1.

    Returns
    -------
    theta : ndarray of shape (n_features,)
        The weights.
    theta_0 : float
        The offset.

    Examples
    --------
    >>> gaussian_log_odds([-1.0, 0.0], [1.0, 0.0], [[2.0, 0.0], [0.0, 1.0]], prior=0.75)
    (array([1., 0.]), 1.098...)
    """
    negative = check_vector(mean_negative, name="mean_negative")
    d = len(negative)
    positive = check_vector(mean_positive, d, name="mean_positive")
    S = check_matrix(covariance, name="covariance")
    if S.shape != (d, d) or not np.array_equal(S, S.T):
        raise ValueError(f"covariance must be a symmetric matrix of shape ({d}, {d}).")
    share = _check_prior(prior)
    try:
        np.linalg.cholesky(S)
    except np.linalg.LinAlgError as error:
        raise ValueError("covariance must be positive definite.") from error
    theta = np.linalg.solve(S, positive - negative)
    offset = np.log(share / (1 - share)) - theta @ (positive + negative) / 2
    return np.asarray(theta), float(offset)


def recession_direction(X: ArrayLike, y: ArrayLike, *, fit_intercept: bool = True) -> Array | None:
    r"""Find a direction in which the unpenalised loss falls for ever, if there is one.

    It has :math:`y_i\langle u,x_i\rangle\ge0` for every point and :math:`>0` for some. The loss
    has a minimum exactly if there is none. A linear programme looks for it; margins below about
    1e-9 of the largest entry of the data may be overlooked.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Points.
    y : array-like of shape (n_samples,)
        Labels -1 and +1.
    fit_intercept : bool
        Whether there is an offset.

    Returns
    -------
    ndarray of shape (n_features,) or (n_features + 1,), or None
        The direction, with entries in [-1, 1] and the offset last; None if there is none.

    Examples
    --------
    >>> recession_direction([[-1.0], [2.0]], [-1, 1], fit_intercept=False)
    array([1.])
    >>> recession_direction([[-1.0], [2.0], [3.0]], [1, -1, 1]) is None
    True
    """
    points = check_matrix(X)
    signed = points * check_signs(y, len(points))[:, None]
    if fit_intercept:
        signed = np.column_stack([signed, check_signs(y, len(points))])
    return _raising(signed)


def _raising(signed: Array) -> Array | None:
    """Return u with entries in [-1, 1] and no ``⟨u, z⟩ < 0`` but some above, if there is one."""
    from scipy.optimize import linprog

    scaled = signed / np.maximum(np.abs(signed).max(axis=1, keepdims=True), 1e-300)
    found = linprog(
        -scaled.sum(axis=0),
        A_ub=-scaled,
        b_ub=np.zeros(len(scaled)),
        bounds=[(-1, 1)] * scaled.shape[1],
        method="highs",
        options={"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10},
    )
    return np.asarray(found.x) if -found.fun > 1e-7 else None


def _margins(X: ArrayLike, y: ArrayLike, theta: ArrayLike) -> tuple[Array, Array]:
    """Return the signed points y·x and their products with the weights."""
    points = check_matrix(X)
    signed = points * check_signs(y, len(points))[:, None]
    return signed, np.asarray(signed @ check_vector(theta, points.shape[1], name="theta"))


def _check_prior(prior: Any) -> float:
    if not isinstance(prior, numbers.Real) or not 0 < float(prior) < 1:
        raise ValueError(f"prior must lie strictly between 0 and 1, got {prior!r}.")
    return float(prior)


def _check_penalty(penalty: Any) -> float:
    if not isinstance(penalty, numbers.Real) or not 0 <= float(penalty) < np.inf:
        raise ValueError(
            f"penalty must be a number of at least 0, got {penalty!r}; it is the factor λ in "
            "λ/2·‖θ‖²."
        )
    return float(penalty)


def _in_unit(weights: Array, penalty: float) -> tuple[Array, float, int]:
    """Return weights and penalty over a power of two if sums or squares would leave the floats.

    That is another unit of the objective, and no other minimum. The exponent comes last.
    """
    largest = max(float(weights.max()), penalty)
    if 1e-100 <= largest <= 1e100:
        return weights, penalty, 0
    unit = int(np.frexp(largest)[1])
    return np.ldexp(weights, -unit), float(np.ldexp(penalty, -unit)), unit


@dataclasses.dataclass(frozen=True)
class _Scaling:
    """Columns shifted and divided so that no entry, and no penalty, is large.

    With an offset the shift changes nothing but the offset. A column is divided by its largest
    entry or by the root of the penalty, whichever is larger: the penalty of its new weight is then
    at most 1, whatever the units of the data.
    """

    shift: Array
    scale: Array
    ridge: Array  # the penalty of each new weight, the offset last
    intercept: bool

    @classmethod
    def apply(
        cls, points: Array, weights: Array | None, penalty: float, intercept: bool
    ) -> tuple[_Scaling, Array]:
        """Return the scaling, and the new columns as contiguous rows, ones for the offset last."""
        n, d = points.shape
        shift = np.zeros(d)
        if intercept:
            share = np.full(n, 1 / n) if weights is None else weights / weights.sum()
            shift = np.asarray(share @ points)
        rows = np.empty((d + intercept, n))
        rows[d:] = 1.0
        np.subtract(points.T, shift[:, None], out=rows[:d])
        largest = np.maximum(rows[:d].max(axis=1), -rows[:d].min(axis=1))
        scale = np.maximum(largest, np.sqrt(penalty))
        # A column that is rounding noise around its mean varies no more than a constant one.
        constant = largest <= 4 * ROUNDOFF * np.abs(shift)
        scale[constant] = np.inf
        rows[:d] *= (1 / scale)[:, None]
        ridge = np.where(constant, 1.0, penalty / scale / scale)
        return cls(shift, scale, np.append(ridge, 0.0)[: d + intercept], intercept), rows

    def undo(self, beta: Array) -> tuple[Array, Array]:
        """Return weights and offset for the original columns."""
        d = len(self.shift)
        coef = beta[..., :d] / self.scale
        offset = beta[..., d] if self.intercept else np.zeros(beta.shape[:-1])
        return coef, np.asarray(offset - coef @ self.shift)


def _weighted_gram(rows: Array, weights: Array) -> Array:
    """Return the sum of ``w x xᵀ`` over the columns of ``rows``, in blocks that stay in cache.

    Blocks of less than 128 KB are also what the C library allocates without asking the system.
    """
    total = np.zeros((len(rows), len(rows)))
    size = max(256, 15_000 // len(rows))
    for first in range(0, rows.shape[1], size):
        block = rows[:, first : first + size]
        total += (block * weights[first : first + size]) @ block.T
    return total


@dataclasses.dataclass(frozen=True)
class _Problem:
    """Points and labels, and the penalised sum of their losses."""

    rows: Array  # (d, n)
    labels: NDArray[Any]  # (n,)
    weights: Array | None
    ridge: Array  # (d,)

    def part(self, every: int) -> Self:
        """Return the problem of one point in ``every``, its penalty smaller by that factor."""
        return dataclasses.replace(
            self,
            rows=np.ascontiguousarray(self.rows[:, ::every]),
            labels=self.labels[::every],
            weights=None if self.weights is None else self.weights[::every],
            ridge=self.ridge / every,
        )


class _Binary(_Problem):
    """Two classes: labels -1 and +1, weights of shape (d,) and scores of shape (n,)."""

    def start(self) -> Array:
        return np.zeros(len(self.rows))

    def value(self, scores: Array, beta: Array) -> tuple[float, Array, Array]:
        """Return the objective and the first and second derivatives of the losses in the scores."""
        wrong = np.minimum(self.labels * scores, 0.0)  # zero, exactly, on the right side
        small = np.exp(-np.abs(scores))
        share = 1.0 / (1.0 + small)
        losses = np.log1p(small) - wrong
        second = small * share
        first = np.where(wrong, share, second)
        first *= -self.labels
        second *= share
        if self.weights is not None:
            losses, first, second = (self.weights * part for part in (losses, first, second))
        return float(losses.sum() + 0.5 * (self.ridge * beta) @ beta), first, second

    def bend(self, rows: Array, second: Array) -> Array:
        """Return the Hessian of the losses of these points (``thm-logistic-convex``)."""
        return _weighted_gram(rows, second)

    def bound(self) -> Array:
        """Return what the second derivatives never exceed, a quarter."""
        return np.full(self.rows.shape[1], 0.25) if self.weights is None else self.weights / 4

    def improvement(self, change: Array) -> Array:
        """Return by how much each point's margin grows when the scores change."""
        return self.labels * change


@dataclasses.dataclass(frozen=True)
class _Softmax(_Problem):
    """K classes: labels from 0 on, weights of shape (K, d) and scores of shape (K, n)."""

    n_classes: int

    def start(self) -> Array:
        return np.zeros((self.n_classes, len(self.rows)))

    def value(self, scores: Array, beta: Array) -> tuple[float, Array, Array]:
        """Return the objective, the first derivatives of the losses in the scores, and P.

        The probabilities P are multiplied by the root of the weight of their point: the second
        derivatives are made of products of two of them.
        """
        largest = scores.max(axis=0)
        P = np.exp(scores - largest)
        total = P.sum(axis=0)
        own = self.labels, np.arange(len(total))
        losses = np.log(total) + (largest - scores[own])
        P /= total
        first = P.copy()
        first[own] -= 1.0
        if self.weights is not None:
            losses, first = self.weights * losses, self.weights * first
            P *= np.sqrt(self.weights)
        return float(losses.sum() + 0.5 * (self.ridge * beta**2).sum()), first, P

    def bend(self, rows: Array, P: Array) -> Array:
        r"""Return the Hessian of the losses of these points (``thm-softmax-convex``).

        Its blocks are :math:`-\sum_ip_{ia}p_{ib}x_ix_i^\top` for two classes, and each row of
        blocks sums to zero: only those above the diagonal are computed. That leaves it blind to a
        vector added to all classes at once, a direction in which nothing changes; it is given a
        curvature there, so that no step has a part in it.
        """
        K, d = self.n_classes, len(rows)
        bend = np.zeros((K, d, K, d))
        for a in range(K):
            for b in range(a + 1, K):
                block = _weighted_gram(rows, P[a] * P[b])
                bend[a, :, b] -= block
                bend[b, :, a] -= block
                bend[a, :, a] += block
                bend[b, :, b] += block
        flat = bend.reshape(K * d, K * d)
        common = flat.diagonal().reshape(K, d).max(axis=0)
        bend[:, np.arange(d), :, np.arange(d)] += common[:, None, None] / K
        return flat

    def bound(self) -> Array:
        r"""Return P of which the Hessian is an upper bound: :math:`p_ap_b=1/2K` for two classes."""
        weights = 1.0 if self.weights is None else self.weights
        return np.sqrt(
            np.full((self.n_classes, self.rows.shape[1]), 0.5 / self.n_classes) * weights
        )

    def improvement(self, change: Array) -> Array:
        """Return by how much each point's own score grows over every other."""
        own = np.take_along_axis(change, self.labels[None], axis=0)
        return own - change


def _inverse(bend: Array) -> Array:
    """Return the inverse of a Hessian; where it vanishes up to rounding, zero."""
    limit = 8 * len(bend) * ROUNDOFF
    try:
        pivots = np.linalg.cholesky(bend).diagonal()
        if pivots.min() ** 2 > limit * bend.diagonal().max():
            return np.asarray(np.linalg.inv(bend))
    except np.linalg.LinAlgError:
        pass
    values, vectors = np.linalg.eigh(bend)
    kept = values > limit * values[-1]
    return np.asarray((vectors[:, kept] / values[kept]) @ vectors[:, kept].T)


@dataclasses.dataclass(frozen=True)
class _Minimum:
    """Where Newton's method ended."""

    beta: Array
    objective: float
    n_iter: int
    converged: bool


def _minimise(problem: _Binary | _Softmax, tol: float, max_iter: int) -> _Minimum:
    """Run Newton's method from zero, first on a part of the points if there are many, then on all.

    Steps on a part cost little, and its minimum lies near that of all: where fifty points speak
    for each weight, as near as chance allows. It need not be found exactly. Where the points hardly
    agree which way to go, the minimum is as near to zero, and the part is passed over.
    """
    start = problem.start()
    # An odd number, lest labels that take turns leave a class out.
    every = problem.rows.shape[1] // (50 * start.size) | 1
    if every > 1:
        part = problem.part(every)
        if _agreement(part, start) > 1 / 5:
            start = _newton(part, start, 0.03, min(max_iter, 10)).beta
    return _newton(problem, start, tol, max_iter)


def _agreement(problem: _Binary | _Softmax, beta: Array) -> float:
    """Return how far the slopes of single points agree: 0 if they cancel, 1 if they are equal.

    It is the square of their sum over the sum of their squares and their number, which is at most
    1, added over the weights.
    """
    _, first, _ = problem.value(beta @ problem.rows, beta)
    squares = (first**2) @ (problem.rows**2).T
    slope = first @ problem.rows.T
    shares = slope**2 / np.maximum(squares, 1e-300) / problem.rows.shape[1]
    return float(shares.sum())


def _newton(problem: _Binary | _Softmax, beta: Array, tol: float, max_iter: int) -> _Minimum:
    """Run Newton's method with a line search from ``beta``.

    The decrement, slope times step, is about twice what is still to be gained. One Hessian serves
    for several steps, corrected after each by what the slope did, unless too many would be needed.
    A step that promises more than there is to gain comes from points far on the wrong side, where
    the losses hardly bend; a share of what they can bend is added there. Once the decrement is
    below ``tol`` times the objective one last step is taken, which gains half of it. Without a
    penalty the objective tends to zero on separable data, and the slope decides.
    """
    rows = problem.rows
    ridge = np.tile(problem.ridge, beta.size // len(rows))
    scores = beta @ rows
    objective, first, second = problem.value(scores, beta)
    slope = first @ rows.T + problem.ridge * beta
    flat = 0.0 if ridge.any() else 0.01 * np.sqrt(tol) * objective
    inverse: Array | None = None
    decrement = np.inf
    at_zero = not beta.any()
    for iteration in range(1, max_iter + 1):
        previous = decrement
        if inverse is not None:
            step, decrement = _step(inverse, slope)
        slow = _steps_left(previous, decrement, tol * objective) > MOST_STEPS
        if inverse is None or slow or decrement >= previous / 4:
            bend = problem.bend(rows, second)
            bend.flat[:: len(bend) + 1] += ridge
            inverse = _inverse(bend)
            step, decrement = _step(inverse, slope)
            share = 1e-10
            while decrement > 2 * objective and share <= 1:
                inverse = _inverse(bend + share * problem.bend(rows, problem.bound()))
                step, decrement = _step(inverse, slope)
                share *= 10
        last = decrement <= tol * objective
        if last and tol <= SURE:
            return _Minimum(beta - step, objective - decrement / 2, iteration, True)
        # The losses bend most at zero, so that a large step from there falls short: twice its
        # length is tried.
        rate, enough = (2.0, 0.25) if at_zero and decrement > objective / 2 else (1.0, 1e-4)
        change = step @ rows
        while rate > 1e-10:
            trial, moved = beta - rate * step, scores - rate * change
            reached, first, second = problem.value(moved, trial)
            if reached <= objective - enough * rate * decrement + 8 * ROUNDOFF * objective:
                break
            rate /= 2
        else:
            return _Minimum(beta, objective, iteration, False)
        stalled = previous / 4 <= decrement <= 1e-10 * objective
        if last or stalled or (flat > 0 and np.abs(slope).max() <= flat):
            return _Minimum(trial, reached, iteration, True)
        beta, scores, objective, at_zero = trial, moved, reached, False
        before, slope = slope, first @ rows.T + problem.ridge * beta
        inverse = _corrected(inverse, -rate * step.ravel(), (slope - before).ravel())
    return _Minimum(beta, objective, max_iter, False)


def _corrected(inverse: Array, step: Array, change: Array) -> Array:
    """Return the nearest inverse that takes the change of the slope to the step that caused it.

    This is the update of Broyden, Fletcher, Goldfarb and Shanno; it keeps the inverse positive as
    long as the slope grew along the step.
    """
    growth = float(step @ change)
    if growth <= 0:
        return inverse
    guess = inverse @ change
    half = ((1 + float(change @ guess) / growth) / 2 * step - guess) / growth
    product = step[:, None] * half
    return np.asarray(inverse + product + product.T)


def _step(inverse: Array, slope: Array) -> tuple[Array, float]:
    """Return the step for a slope, and the decrement."""
    step = (inverse @ slope.ravel()).reshape(slope.shape)
    return step, float((slope * step).sum())


def _steps_left(previous: float, decrement: float, target: float) -> float:
    """Return how many more steps reach the target if each shrinks the decrement as the last did."""
    if not 0 < decrement < previous:
        return 0.0 if decrement <= 0 else np.inf
    return float(np.log(max(decrement / target, 1.0)) / np.log(previous / decrement))


def _runs_off(problem: _Binary | _Softmax, beta: Array) -> bool:
    """Decide whether weights without a penalty have run off in a direction of recession.

    It raises some margins and lowers none. Far out the losses no longer bend in such a direction,
    so it is looked for among those in which they bend a ten-millionth of what they can, or less.
    """
    rows = problem.rows
    bend = problem.bend(rows, problem.value(beta @ rows, beta)[2])
    bound = problem.bend(rows, problem.bound())
    if not bound.any():
        return False  # every point is zero, and every score
    bound.flat[:: len(bound) + 1] += ROUNDOFF * bound.diagonal().max()
    shares, directions = scipy.linalg.eigh(bend, bound)
    free = directions[:, shares < 1e-7].T
    gains = [problem.improvement(v.reshape(beta.shape) @ rows).ravel() for v in free]
    largest = max((np.abs(g).max() for g in gains), default=0.0)
    if largest < 1e-6:
        return False  # nothing but features that do not vary
    signed = np.column_stack(gains)
    return _raising(np.where(np.abs(signed) < 1e-4 * largest, 0.0, signed)) is not None


class LogisticRegression(Classifier):
    r"""Logistic regression by Newton's method with a line search.

    Two classes are fitted with one function, :math:`p(y\mid x)=\sigma(y(\langle\theta,x\rangle+
    \theta_0))`; more classes with one each, by the softmax. The objective is the negative
    log-likelihood plus :math:`\frac\lambda2\lVert\theta\rVert^2`, the offsets being free. With a
    positive penalty the minimum exists and is unique (``thm-logistic-unique``); up to an equal
    shift of all offsets with more than two classes, which are returned with sum zero.

    Without a penalty there is no minimum if the classes are separable, even if only up to points
    on the boundary (``thm-logistic-no-minimiser``). The fit then warns and returns the weights it
    had reached when the slope had become negligible.

    See the chapter :doc:`/book/logistic_regression`.

    Parameters
    ----------
    penalty : float
        The factor :math:`\lambda\ge0`; scikit-learn's ``C`` is its inverse.
    fit_intercept : bool
        Whether to learn an offset, which is not penalised.
    tol : float
        The last step is taken where the gain it promises is below this share of the objective;
        without a penalty, below 1e-16 of it at most, since weights that run off show far out only.
    max_iter : int
        The greatest number of Newton steps on all samples.

    Attributes
    ----------
    coef_ : ndarray of shape (n_features,) or (n_classes, n_features)
        The weights: one vector for two classes, one for each class if there are more.
    intercept_ : float or ndarray of shape (n_classes,)
        The offsets.
    objective_ : float
        The penalised negative log-likelihood reached.
    n_iter_ : int
        The number of steps on all samples; many samples are preceded by steps on a part of them.
    classes_ : ndarray of shape (n_classes,)
        The labels, sorted; only those with a sample of positive weight.
    n_features_in_ : int
        The number of features seen in ``fit``.
    feature_names_in_ : ndarray of str
        Their names, if ``fit`` was given a data frame.

    Examples
    --------
    >>> X = [[0.0], [1.0], [2.0], [3.0]]
    >>> model = LogisticRegression(penalty=0.0).fit(X, ["no", "yes", "no", "yes"])
    >>> model.predict_proba([[1.5]])
    array([[0.5, 0.5]])
    >>> model.predict([[0.0], [3.0]])
    array(['no', 'yes'], dtype='<U3')
    """

    _squares = False

    coef_: Array
    intercept_: float | Array
    objective_: float
    n_iter_: int

    def __init__(
        self,
        *,
        penalty: float = 1.0,
        fit_intercept: bool = True,
        tol: float = 1e-12,
        max_iter: int = 100,
    ) -> None:
        self.penalty = penalty
        self.fit_intercept = fit_intercept
        self.tol = tol
        self.max_iter = max_iter

    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Minimise the penalised negative log-likelihood.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples.
        y : array-like of shape (n_samples,)
            Their labels, of at least two classes.
        sample_weight : array-like of shape (n_samples,), optional
            How often each sample counts; a sample of weight zero is left out.

        Returns
        -------
        self
            The fitted estimator.
        """
        points = self._fit_matrix(X)
        penalty = _check_penalty(self.penalty)
        tol, steps = check_positive(self.tol, "tol"), check_count(self.max_iter, "max_iter")
        weights = check_weights(sample_weight, len(points))
        codes = self._fit_codes(y, len(points), weights)
        unit = 0
        if weights is not None:
            kept = rows_that_count(weights, len(points))
            weights, penalty, unit = _in_unit(weights[kept], penalty)
            points = points[kept]
        K = len(self.classes_)
        scaling, rows = _Scaling.apply(points, weights, penalty, bool(self.fit_intercept))
        problem: _Binary | _Softmax
        if K == 2:
            problem = _Binary(rows, 2.0 * codes - 1.0, weights, scaling.ridge)
        else:
            problem = _Softmax(rows, codes, weights, scaling.ridge, K)
        found = _minimise(problem, tol if penalty > 0 else min(tol, FAR_OUT), steps)
        self.coef_, offset = scaling.undo(found.beta)
        self.intercept_ = float(offset) if K == 2 else offset
        with np.errstate(over="ignore"):
            self.objective_ = float(np.ldexp(found.objective, unit))
        self.n_iter_ = found.n_iter
        if penalty == 0 and _runs_off(problem, found.beta):
            self._warn(
                "found that a hyperplane separates the classes, up to points that may lie on it, "
                "so that the likelihood has no maximum and the weights have no limit. It stopped "
                f"after {found.n_iter} steps; give it a positive penalty."
            )
        elif not found.converged:
            self._warn(
                f"made {steps} Newton steps and has not converged; raise max_iter or tol, or scale "
                "the features."
            )
        return self

    def _warn(self, message: str) -> None:
        warn_at_caller(f"{type(self).__name__} {message}", ConvergenceWarning)

    def decision_function(self, X: ArrayLike) -> Array:
        r"""Return the scores: log-odds of the second class, or one score for each class.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples.

        Returns
        -------
        ndarray of shape (n_samples,) or (n_samples, n_classes)
            With two classes, positive where the second is predicted.
        """
        return np.asarray(self._use_matrix(X) @ self.coef_.T + self.intercept_)

    def predict_proba(self, X: ArrayLike) -> Array:
        """Return the probability of each class for each sample.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            Rows sum to one; columns follow ``classes_``.
        """
        scores = self.decision_function(X)
        if scores.ndim == 1:
            return np.column_stack([sigmoid(-scores), sigmoid(scores)])
        return softmax(scores)

    def predict_log_proba(self, X: ArrayLike) -> Array:
        """Return the logarithm of the probability of each class, finite where that underflows.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            Columns follow ``classes_``.
        """
        scores = self.decision_function(X)
        if scores.ndim == 1:
            return -np.column_stack([logistic_loss(-scores), logistic_loss(scores)])
        shifted = scores - scores.max(axis=1, keepdims=True)
        return np.asarray(shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True)))

    def predict(self, X: ArrayLike) -> NDArray[Any]:
        """Return the most probable class of each sample.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples.

        Returns
        -------
        ndarray of shape (n_samples,)
            Entries of ``classes_``; on a tie, the first.
        """
        scores = self.decision_function(X)
        if scores.ndim == 1:
            return self.classes_[(scores > 0).astype(np.intp)]
        return np.asarray(self.classes_[scores.argmax(axis=1)])


class _FirstOrder(BinaryClassifier):
    """Two classes, weights updated along gradients of the data as they are given."""

    penalty: float
    fit_intercept: bool
    learning_rate: float | None
    max_iter: int

    coef_: Array
    intercept_: float

    def _signed_points(
        self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> tuple[Array, Array]:
        """Return the rows y·x, with y appended for an offset, and the weights that are positive."""
        points = self._fit_matrix(X)
        weights = check_weights(sample_weight, len(points))
        signs = self._fit_signs(y, len(points), weights)
        if weights is not None:
            kept = rows_that_count(weights, len(points))
            points, weights = points[kept], weights[kept]
        if self.fit_intercept:
            points = np.column_stack([points, np.ones(len(points))])
        return points * signs[:, None], np.ones(len(points)) if weights is None else weights

    def _ridge(self, d: int, penalty: float) -> Array:
        """Return the penalty of each weight: none for the offset, which is last."""
        ridge = np.full(d, penalty)
        if self.fit_intercept:
            ridge[-1] = 0.0
        return ridge

    def _rate(self, greatest: float, unit: int = 0) -> float:
        """Return the step that was asked for, or the greatest that is known to be safe.

        An objective that was divided by a power of two needs a step that much longer.
        """
        if self.learning_rate is not None:
            return float(np.ldexp(check_positive(self.learning_rate, "learning_rate"), unit))
        if not 0 < greatest < np.inf:
            raise ValueError(
                f"{type(self).__name__} finds no step for features and weights of this size; scale "
                "them, the features for instance to mean 0 and variance 1."
            )
        return greatest

    def _refuse_overflow(self) -> NoReturn:
        raise ValueError(
            f"the weights of {type(self).__name__} overflowed; lower learning_rate or scale the "
            "features."
        )

    def _keep(self, theta: Array) -> None:
        if not np.isfinite(theta).all():
            self._refuse_overflow()
        self.coef_ = theta[: self.n_features_in_].copy()
        self.intercept_ = float(theta[-1]) if self.fit_intercept else 0.0

    def decision_function(self, X: ArrayLike) -> Array:
        r"""Return the log-odds :math:`\langle\theta,x\rangle+\theta_0` of the second class.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples.

        Returns
        -------
        ndarray of shape (n_samples,)
            Positive where the second class is predicted.
        """
        return np.asarray(self._use_matrix(X) @ self.coef_ + self.intercept_)

    def predict_proba(self, X: ArrayLike) -> Array:
        """Return the probability of each class for each sample.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples.

        Returns
        -------
        ndarray of shape (n_samples, 2)
            Rows sum to one; columns follow ``classes_``.
        """
        scores = self.decision_function(X)
        return np.column_stack([sigmoid(-scores), sigmoid(scores)])


class GradientDescentLogisticRegression(_FirstOrder):
    r"""Logistic regression of two classes by gradient descent.

    Every step adds :math:`\eta\sum_iy_i(1-P(y_i\mid x_i))x_i-\eta\lambda\theta`, with the
    probabilities at the current weights. For :math:`\eta\le1/L` with
    :math:`L=\frac14\lVert X\rVert^2+\lambda` no step raises the objective
    (``thm-logistic-descent``). See the chapter :doc:`/book/logistic_regression`.

    Parameters
    ----------
    penalty : float
        The factor :math:`\lambda\ge0` of :math:`\frac12\lVert\theta\rVert^2`.
    fit_intercept : bool
        Whether to learn an offset, which is not penalised.
    learning_rate : float, optional
        The step :math:`\eta`; :math:`1/L` if not given.
    tol : float
        Stop when the gradient, divided by the total weight, is no longer than this.
    max_iter : int
        The greatest number of steps.

    Attributes
    ----------
    coef_ : ndarray of shape (n_features,)
        The weights.
    intercept_ : float
        The offset.
    learning_rate_ : float
        The step used.
    lipschitz_ : float
        The constant :math:`L`.
    objectives_ : ndarray of shape (n_iter_ + 1,)
        The objective at the start and after every step.
    n_iter_ : int
        The number of steps.
    classes_ : ndarray of shape (2,)
        The labels, the negative one first.
    n_features_in_ : int
        The number of features seen in ``fit``.
    feature_names_in_ : ndarray of str
        Their names, if ``fit`` was given a data frame.

    Examples
    --------
    >>> X = [[0.0], [1.0], [2.0], [3.0]]
    >>> model = GradientDescentLogisticRegression().fit(X, [0, 1, 0, 1])
    >>> bool((np.diff(model.objectives_) <= 0).all())
    True
    """

    learning_rate_: float
    lipschitz_: float
    objectives_: Array
    n_iter_: int

    def __init__(
        self,
        *,
        penalty: float = 1.0,
        fit_intercept: bool = True,
        learning_rate: float | None = None,
        tol: float = 1e-4,
        max_iter: int = 10_000,
    ) -> None:
        self.penalty = penalty
        self.fit_intercept = fit_intercept
        self.learning_rate = learning_rate
        self.tol = tol
        self.max_iter = max_iter

    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Take gradient steps from zero until the gradient is small.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples.
        y : array-like of shape (n_samples,)
            Their labels, of two classes.
        sample_weight : array-like of shape (n_samples,), optional
            How often each sample counts; a sample of weight zero is left out.

        Returns
        -------
        self
            The fitted estimator.
        """
        Z, weights = self._signed_points(X, y, sample_weight)
        weights, penalty, unit = _in_unit(weights, _check_penalty(self.penalty))
        ridge = self._ridge(Z.shape[1], penalty)
        tol = check_positive(self.tol, "tol") * weights.sum()
        lipschitz = lipschitz_constant(Z * np.sqrt(weights)[:, None]) + float(ridge.max())
        with np.errstate(over="ignore", invalid="ignore"):
            rate = self._rate(1 / lipschitz if lipschitz > 0 else np.inf, unit)
            theta, objectives, converged = self._descend(Z, weights, ridge, rate, tol)
            self._keep(theta)
            self.learning_rate_ = float(np.ldexp(rate, -unit))
            self.lipschitz_ = float(np.ldexp(lipschitz, unit))
            self.objectives_ = np.ldexp(objectives, unit)
        self.n_iter_ = len(objectives) - 1
        if not converged:
            warn_at_caller(
                f"{type(self).__name__} made {self.n_iter_} steps and the gradient is not yet "
                "small; raise max_iter, scale the features, or use LogisticRegression.",
                ConvergenceWarning,
            )
        return self

    def _descend(
        self, Z: Array, weights: Array, ridge: Array, rate: float, tol: float
    ) -> tuple[Array, list[float], bool]:
        """Return the last weights, the objective along the way, and whether it converged."""
        theta = np.zeros(Z.shape[1])
        objectives: list[float] = []
        for step in range(check_count(self.max_iter, "max_iter") + 1):
            margins = Z @ theta
            objectives.append(
                float(weights @ logistic_loss(margins) + 0.5 * (ridge * theta) @ theta)
            )
            slope = ridge * theta - (weights * sigmoid(-margins)) @ Z
            if np.linalg.norm(slope) <= tol:
                return theta, objectives, True
            if not np.isfinite(objectives[-1]):
                self._refuse_overflow()
            if step < self.max_iter:
                theta = theta - rate * slope
        return theta, objectives, False


class StochasticLogisticRegression(_FirstOrder):
    r"""Logistic regression of two classes by stochastic gradient descent.

    In every epoch the points are shuffled, and each in turn adds
    :math:`\kappa\,y(1-P(y\mid x))x` to the weights, which then shrink by their share of the
    penalty. The step :math:`\kappa` is ``learning_rate`` divided by the number of the epoch: such
    steps sum to infinity and their squares do not. See the chapter
    :doc:`/book/logistic_regression`.

    There is no ``sample_weight``: a point of weight two moves the weights once and far, a point
    that occurs twice moves them twice.

    Parameters
    ----------
    penalty : float
        The factor :math:`\lambda\ge0` of :math:`\frac12\lVert\theta\rVert^2`.
    fit_intercept : bool
        Whether to learn an offset, which is not penalised.
    learning_rate : float, optional
        The step of the first epoch; if not given, :math:`4/\max_i\lVert x_i\rVert^2`, the
        inverse of the largest curvature of a single loss.
    batch_size : int
        How many points make a step together.
    max_iter : int
        The number of epochs.
    random_state : int or numpy.random.Generator
        Decides the order of the points.

    Attributes
    ----------
    coef_ : ndarray of shape (n_features,)
        The weights.
    intercept_ : float
        The offset.
    objectives_ : ndarray of shape (max_iter + 1,)
        The objective at the start and after every epoch; it may rise.
    n_iter_ : int
        The number of epochs.
    classes_ : ndarray of shape (2,)
        The labels, the negative one first.
    n_features_in_ : int
        The number of features seen in ``fit``.
    feature_names_in_ : ndarray of str
        Their names, if ``fit`` was given a data frame.

    Examples
    --------
    >>> X = [[0.0], [1.0], [2.0], [3.0]]
    >>> model = StochasticLogisticRegression(random_state=0).fit(X, [0, 1, 0, 1])
    >>> bool(model.coef_[0] > 0)
    True
    """

    objectives_: Array
    n_iter_: int

    def __init__(
        self,
        *,
        penalty: float = 1.0,
        fit_intercept: bool = True,
        learning_rate: float | None = None,
        batch_size: int = 1,
        max_iter: int = 50,
        random_state: int | np.random.Generator = 0,
    ) -> None:
        self.penalty = penalty
        self.fit_intercept = fit_intercept
        self.learning_rate = learning_rate
        self.batch_size = batch_size
        self.max_iter = max_iter
        self.random_state = random_state

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Pass through the shuffled points, epoch by epoch.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples.
        y : array-like of shape (n_samples,)
            Their labels, of two classes.

        Returns
        -------
        self
            The fitted estimator.
        """
        Z, _ = self._signed_points(X, y)
        n, d = Z.shape
        ridge = self._ridge(d, _check_penalty(self.penalty))
        size = check_count(self.batch_size, "batch_size")
        epochs = check_count(self.max_iter, "max_iter")
        rng = np.random.default_rng(self.random_state)
        with np.errstate(over="ignore", divide="ignore"):
            rate = self._rate(4 / float(np.einsum("ij,ij->i", Z, Z).max()))
        theta = np.zeros(d)
        objectives = [n * np.log(2)]
        with np.errstate(over="ignore", invalid="ignore"):
            for epoch in range(1, epochs + 1):
                order = rng.permutation(n)
                theta = _epoch(theta, Z[order], rate / epoch, ridge / n, size)
                objectives.append(
                    float(logistic_loss(Z @ theta).sum() + 0.5 * (ridge * theta) @ theta)
                )
        self._keep(theta)
        self.objectives_ = np.array(objectives)
        self.n_iter_ = epochs
        return self


def _epoch(theta: Array, Z: Array, rate: float, ridge: Array, size: int) -> Array:
    """Take one step for each batch of signed points, in the order given.

    The penalty acts after the step, by a factor below one, which no step can make unstable.
    """
    for first in range(0, len(Z), size):
        batch = Z[first : first + size]
        pull = sigmoid(-(batch @ theta)) @ batch / len(batch)
        theta = (theta + rate * pull) / (1.0 + rate * ridge)
    return theta
