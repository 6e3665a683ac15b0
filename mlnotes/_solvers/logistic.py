"""Newton's method for the penalised logistic loss of two or more classes.

Columns are centred and scaled first, so that no unit of the data matters; many samples are preceded
by a part of them; one Hessian serves for several steps, with secant updates between.
"""

from __future__ import annotations

import dataclasses
from typing import Any, Self

import numpy as np
import scipy.linalg
from numpy.typing import NDArray

from mlnotes._numerics import (
    ROUNDOFF,
    distribution,
    exponent_of,
    is_constant,
    log_softmax,
    separating_direction,
    shifted_exponentials,
    weighted_gram,
)
from mlnotes.validation import Array

MAX_STEPS_PER_HESSIAN = 10  # with one Hessian
NEGLIGIBLE_GAIN = 1e-12  # a step that promises no more than this share of the objective is taken
DIVERGENCE_TOL = 1e-16  # the tolerance at which it is decided whether the weights diverge


def in_common_unit(weights: Array, penalty: float) -> tuple[Array, float, int]:
    """Return weights and penalty over a power of two if sums or squares would leave the floats.

    That is another unit of the objective, and no other minimum. The exponent comes last.
    """
    largest = max(float(weights.max()), penalty)
    if 1e-100 <= largest <= 1e100:
        return weights, penalty, 0
    unit = exponent_of(largest)
    return np.ldexp(weights, -unit), float(np.ldexp(penalty, -unit)), unit


@dataclasses.dataclass(frozen=True)
class Scaling:
    """Columns shifted and divided so that no entry, and no penalty, is large.

    With an offset the shift changes nothing but the offset. A column is divided by its largest
    entry or by the root of the penalty, whichever is larger: the penalty of its new weight is then
    at most 1, whatever the units of the data.
    """

    shift: Array
    scale: Array
    ridge: Array  # the penalty of each new weight, the offset last
    intercept: bool
    largest: Array  # the largest absolute value of each column as it was given

    @classmethod
    def apply(
        cls, points: Array, weights: Array | None, penalty: float, intercept: bool
    ) -> tuple[Scaling, Array]:
        """Return the scaling, and the new columns as contiguous rows, ones for the offset last."""
        n, d = points.shape
        shift = np.zeros(d)
        if intercept:
            shift = np.asarray(distribution(weights, n) @ points)
        rows = np.empty((d + intercept, n))
        rows[d:] = 1.0
        np.subtract(points.T, shift[:, None], out=rows[:d])
        high, low = rows[:d].max(axis=1), rows[:d].min(axis=1)
        scale = np.maximum(np.maximum(high, -low), np.sqrt(penalty))
        # Without an offset a column that does not vary still tells the classes apart.
        constant = is_constant(high - low, shift) if intercept else np.maximum(high, -low) == 0
        scale[constant] = np.inf
        rows[:d] *= (1 / scale)[:, None]
        ridge = np.where(constant, 1.0, penalty / scale / scale)
        largest = np.maximum(high + shift, -(low + shift))
        return cls(shift, scale, np.append(ridge, 0.0)[: d + intercept], intercept, largest), rows

    def in_original_columns(self, gradient: Array) -> Array:
        """Return the gradient for the original columns, the offset last."""
        d = len(self.shift)
        scale = np.where(np.isfinite(self.scale), self.scale, 0.0)
        columns = gradient[..., :d] * scale
        if not self.intercept:
            return columns
        offset = gradient[..., d:]
        return np.concatenate([columns + offset * self.shift, offset], axis=-1)

    def undo(self, beta: Array) -> tuple[Array, Array]:
        """Return weights and offset for the original columns."""
        d = len(self.shift)
        coef = beta[..., :d] / self.scale
        offset = beta[..., d] if self.intercept else np.zeros(beta.shape[:-1])
        return coef, np.asarray(offset - coef @ self.shift)


@dataclasses.dataclass(frozen=True)
class Problem:
    """Points and labels, and the penalised sum of their losses."""

    rows: Array  # (d, n)
    labels: NDArray[Any]  # (n,)
    weights: Array | None
    ridge: Array  # (d,)

    def hessian(self, second: Array) -> Array:
        """Return the second derivative of the losses in the weights, from that in the scores."""
        raise NotImplementedError

    def penalised_hessian(self, second: Array) -> Array:
        """Return the second derivative of the objective."""
        H = self.hessian(second)
        after, d = len(H) + 1, len(self.ridge)
        for first in range(0, len(H), d):
            H.flat[first * after : (first + d) * after : after] += self.ridge
        return H

    def hessian_costs_many_steps(self) -> bool:
        """Whether a Hessian, which multiplies features by each other, is dear beside a step."""
        return len(self.rows) * (self.start().size // len(self.rows)) > 45

    def start(self) -> Array:
        """Return weights of zero."""
        raise NotImplementedError

    def part(self, every: int) -> Self:
        """Return the problem of one point in ``every``, its penalty smaller by that factor."""
        return dataclasses.replace(
            self,
            rows=np.ascontiguousarray(self.rows[:, ::every]),
            labels=self.labels[::every],
            weights=None if self.weights is None else self.weights[::every],
            ridge=self.ridge / every,
        )


class BinaryProblem(Problem):
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

    def hessian(self, second: Array) -> Array:
        """Return the Hessian of the losses of these points (``thm-logistic-convex``)."""
        return weighted_gram(self.rows, second)

    def curvature_bound(self) -> Array:
        """Return what the second derivatives never exceed, a quarter."""
        return np.full(self.rows.shape[1], 0.25) if self.weights is None else self.weights / 4

    def improvement(self, change: Array) -> Array:
        """Return by how much each point's margin grows when the scores change."""
        return self.labels * change


@dataclasses.dataclass(frozen=True)
class SoftmaxProblem(Problem):
    """K classes: labels from 0 on, weights of shape (K, d) and scores of shape (K, n)."""

    n_classes: int

    def start(self) -> Array:
        return np.zeros((self.n_classes, len(self.rows)))

    def value(self, scores: Array, beta: Array) -> tuple[float, Array, Array]:
        """Return the objective, the first derivatives of the losses in the scores, and P.

        The probabilities P are multiplied by the root of the weight of their point: the second
        derivatives are made of products of two of them.
        """
        P, largest, total = shifted_exponentials(scores, axis=0)
        own = self.labels, np.arange(scores.shape[1])
        losses = np.log(total[0]) + (largest[0] - scores[own])
        P /= total
        first = P.copy()
        first[own] -= 1.0
        if self.weights is not None:
            losses, first = self.weights * losses, self.weights * first
            P *= np.sqrt(self.weights)
        return float(losses.sum() + 0.5 * (self.ridge * beta**2).sum()), first, P

    def hessian(self, second: Array) -> Array:
        r"""Return the Hessian of the losses of these points (``thm-softmax-convex``).

        Its blocks are :math:`-\sum_ip_{ia}p_{ib}x_ix_i^\top` for two classes, and each row of
        blocks sums to zero: only those above the diagonal are computed. That leaves it blind to a
        vector added to all classes at once, a direction in which nothing changes; it is given a
        curvature there, so that no step has a part in it.
        """
        K, d, P = self.n_classes, len(self.rows), second
        hessian = np.zeros((K, d, K, d))
        for a in range(K):
            for b in range(a + 1, K):
                block = weighted_gram(self.rows, P[a] * P[b])
                hessian[a, :, b] -= block
                hessian[b, :, a] -= block
                hessian[a, :, a] += block
                hessian[b, :, b] += block
        flat = hessian.reshape(K * d, K * d)
        common = flat.diagonal().reshape(K, d).max(axis=0)
        hessian[:, np.arange(d), :, np.arange(d)] += common[:, None, None] / K
        return flat

    def curvature_bound(self) -> Array:
        r"""Return P of which the Hessian is an upper bound: :math:`p_ap_b=1/2K` for two classes."""
        weights = 1.0 if self.weights is None else self.weights
        return np.sqrt(
            np.full((self.n_classes, self.rows.shape[1]), 0.5 / self.n_classes) * weights
        )

    def improvement(self, change: Array) -> Array:
        """Return by how much each point's own score grows over every other."""
        own = np.take_along_axis(change, self.labels[None], axis=0)
        return own - change


def _inverse(hessian: Array) -> Array:
    """Return the inverse of a Hessian; where it vanishes up to rounding, zero."""
    limit = 8 * len(hessian) * ROUNDOFF
    try:
        pivots = np.linalg.cholesky(hessian).diagonal()
        if pivots.min() ** 2 > limit * hessian.diagonal().max():
            return np.asarray(np.linalg.inv(hessian))
    except np.linalg.LinAlgError:
        pass
    values, vectors = np.linalg.eigh(hessian)
    kept = values > limit * values[-1]
    return np.asarray((vectors[:, kept] / values[kept]) @ vectors[:, kept].T)


@dataclasses.dataclass(frozen=True)
class Minimum:
    """Where Newton's method ended, and nearly the inverse of the Hessian there."""

    beta: Array
    objective: float
    n_iter: int
    converged: bool
    inverse: Array | None


def minimise(problem: BinaryProblem | SoftmaxProblem, tol: float, max_iter: int) -> Minimum:
    """Run Newton's method from zero, first on a part of the points if there are many, then on all.

    Steps on a part cost little, and its minimum lies near that of all: where fifty points speak
    for each weight, as near as chance allows. It need not be found exactly. Where the points hardly
    agree which way to go, the minimum is as near to zero, and the part is passed over. The Hessian
    of the part will do for all where another one would cost more than the steps it saves.
    """
    start = problem.start()
    # An odd number, lest labels that take turns leave a class out.
    every = problem.rows.shape[1] // (50 * start.size) | 1
    if every == 1:
        return newton(problem, start, tol, max_iter)
    part = problem.part(every)
    if _agreement(part, start) > 1 / 5:
        start = newton(part, start, 0.03, min(max_iter, 10)).beta
    if part.hessian_costs_many_steps():
        _, _, second = part.value(start @ part.rows, start)
        inverse = _inverse(part.penalised_hessian(second)) / every
        return newton(problem, start, tol, max_iter, inverse)
    return newton(problem, start, tol, max_iter)


def _agreement(problem: BinaryProblem | SoftmaxProblem, beta: Array) -> float:
    """Return how far the gradients of single points agree: 0 if they cancel, 1 if they are equal.

    It is the square of their sum over the sum of their squares and their number, which is at most
    1, added over the weights.
    """
    _, first, _ = problem.value(beta @ problem.rows, beta)
    squares = (first**2) @ (problem.rows**2).T
    gradient = first @ problem.rows.T
    shares = gradient**2 / np.maximum(squares, 1e-300) / problem.rows.shape[1]
    return float(shares.sum())


def newton(
    problem: BinaryProblem | SoftmaxProblem,
    beta: Array,
    tol: float,
    max_iter: int,
    inverse: Array | None = None,
) -> Minimum:
    """Run Newton's method with a line search from ``beta``.

    The decrement, gradient times step, is about twice what is still to be gained. One Hessian
    serves for several steps, corrected after each by what the gradient did, unless too many would
    be needed; its inverse may be given, up to a small error, to begin with. A step that promises
    more than there is to gain comes from points far on the wrong side, where the losses hardly
    curve; a share of what they can curve is added there. Once the decrement is below ``tol`` times
    the objective one last step is taken, which gains half of it. Without a penalty the objective
    tends to zero on separable data, and the gradient decides.
    """
    rows = problem.rows
    scores = beta @ rows
    objective, first, second = problem.value(scores, beta)
    gradient = first @ rows.T + problem.ridge * beta
    flat = 0.0 if problem.ridge.any() else 0.01 * np.sqrt(tol) * objective
    decrement = np.inf
    at_zero = not beta.any()
    for iteration in range(1, max_iter + 1):
        previous = decrement
        if inverse is not None:
            step, decrement = _step(inverse, gradient)
        slow = _steps_left(previous, decrement, tol * objective) > MAX_STEPS_PER_HESSIAN
        if inverse is None or slow or decrement >= previous / 4:
            H = problem.penalised_hessian(second)
            inverse = _inverse(H)
            step, decrement = _step(inverse, gradient)
            share = 1e-10
            while decrement > 2 * objective and share <= 1:
                inverse = _inverse(H + share * problem.hessian(problem.curvature_bound()))
                step, decrement = _step(inverse, gradient)
                share *= 10
        last = decrement <= tol * objective
        if last and tol <= NEGLIGIBLE_GAIN:
            return Minimum(beta - step, objective - decrement / 2, iteration, True, inverse)
        # The losses curve most at zero, so that a large step from there falls short: twice its
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
            return Minimum(beta, objective, iteration, False, inverse)
        stalled = previous / 4 <= decrement <= 1e-10 * objective
        if last or stalled or (flat > 0 and np.abs(gradient).max() <= flat):
            return Minimum(trial, reached, iteration, True, inverse)
        beta, scores, objective, at_zero = trial, moved, reached, False
        before, gradient = gradient, first @ rows.T + problem.ridge * beta
        inverse = _bfgs_update(inverse, -rate * step.ravel(), (gradient - before).ravel())
    return Minimum(beta, objective, max_iter, False, inverse)


def newton_step(
    problem: BinaryProblem | SoftmaxProblem,
    second: Array,
    gradient: Array,
    inverse: Array | None = None,
) -> Array:
    """Return Newton's step, to be subtracted, for derivatives at the current weights.

    The inverse of a Hessian nearby may be given, which saves the one that is here.
    """
    if inverse is None:
        inverse = _inverse(problem.penalised_hessian(second))
    return _step(inverse, gradient)[0]


def log_probabilities(scores: Array) -> Array:
    """Return the logarithms of the probabilities of the classes, of shape (K, n)."""
    if scores.ndim == 1:
        return -np.stack([np.logaddexp(0.0, scores), np.logaddexp(0.0, -scores)])
    return log_softmax(scores, axis=0)


def _bfgs_update(inverse: Array, step: Array, change: Array) -> Array:
    """Return the nearest inverse that takes the change of the gradient to the step that caused it.

    This is the update of Broyden, Fletcher, Goldfarb and Shanno; it keeps the inverse positive as
    long as the gradient grew along the step.
    """
    growth = float(step @ change)
    if growth <= 0:
        return inverse
    guess = inverse @ change
    half = ((1 + float(change @ guess) / growth) / 2 * step - guess) / growth
    product = step[:, None] * half
    return np.asarray(inverse + product + product.T)


def _step(inverse: Array, gradient: Array) -> tuple[Array, float]:
    """Return the step for a gradient, and the decrement."""
    step = (inverse @ gradient.ravel()).reshape(gradient.shape)
    return step, float((gradient * step).sum())


def _steps_left(previous: float, decrement: float, target: float) -> float:
    """Return how many more steps reach the target if each shrinks the decrement as the last did."""
    if not 0 < decrement < previous:
        return 0.0 if decrement <= 0 else np.inf
    return float(np.log(max(decrement / target, 1.0)) / np.log(previous / decrement))


def diverges(problem: BinaryProblem | SoftmaxProblem, beta: Array) -> bool:
    """Decide whether weights without a penalty diverge along a direction of recession.

    It raises some margins and lowers none. Far out the losses no longer curve in such a direction,
    so it is looked for among those in which they curve a ten-millionth of what they can, or less.
    A part of many points that curves in every direction settles it: no more can lie flat for all.
    """
    every = problem.rows.shape[1] // (50 * beta.size) | 1
    if every > 1 and not len(_flat_directions(problem.part(every), beta)):
        return False
    rows = problem.rows
    flat = _flat_directions(problem, beta)
    gains = [problem.improvement(v.reshape(beta.shape) @ rows).ravel() for v in flat]
    largest = max((np.abs(g).max() for g in gains), default=0.0)
    if largest < 1e-6:
        return False  # nothing but features that do not vary
    signed = np.column_stack(gains)
    negligible = np.abs(signed) < 1e-4 * largest
    return separating_direction(np.where(negligible, 0.0, signed), strictly=False) is not None


def _flat_directions(problem: BinaryProblem | SoftmaxProblem, beta: Array) -> Array:
    """Return, as rows, directions in which the losses hardly curve, of what they can."""
    H = problem.hessian(problem.value(beta @ problem.rows, beta)[2])
    bound = problem.hessian(problem.curvature_bound())
    if not bound.any():
        return np.empty((0, len(bound)))  # every point is zero, and every score
    ridge = ROUNDOFF * bound.diagonal().max()
    while True:
        # Rounding may leave a bound that is singular, or not even definite, by a little more.
        bound.flat[:: len(bound) + 1] += ridge
        try:
            shares, directions = scipy.linalg.eigh(H, bound)
        except np.linalg.LinAlgError:
            ridge *= 10
            continue
        return np.asarray(directions[:, shares < 1e-7].T)
