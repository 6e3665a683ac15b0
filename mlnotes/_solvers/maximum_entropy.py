"""Newton's method on the dual of maximum entropy, for features of pairs and for products.

Features of every pair of an input and a label are kept as one table. The products [y = k]·x need
none: their model is logistic regression without a penalty, and its solver finds the multipliers.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import scipy.special
from numpy.typing import NDArray

from mlnotes._numerics import ROUNDOFF, blocks, distribution, is_constant, shifted_exponentials
from mlnotes._solvers import logistic
from mlnotes.exceptions import ConvergenceWarning, warn_at_caller
from mlnotes.validation import Array


def independent_combinations(
    F: Array, shares: Array, target: Array, noise: Array, rounding: Array
) -> tuple[Array, Array]:
    """Return, as columns, combinations of the features that vary by one and are uncorrelated.

    Moments are known up to ``noise``. A combination of centred features that varies less than that
    is left out: its moment says nothing. Where it is so far from zero that no distribution has it,
    the moments break a linear relation which the features obey, and are refused. The second matrix
    takes the moments of the combinations, as a row, back to those of the features.
    """
    G, asked = F / noise, target / noise
    half = G * np.sqrt(shares / F.shape[1])[:, None, None]
    triangle = np.linalg.qr(_pairs(half), mode="r")
    _, spreads, combinations = np.linalg.svd(triangle)
    kept = int((spreads > 1).sum())
    # Rounding leaves less than this of a relation that holds.
    lost = spreads[kept:] > float((4 * rounding / noise).max())
    if lost.any():
        warn_at_caller(
            f"{int(lost.sum())} combination(s) of the features vary by less than tol of their "
            "largest values, and were left out: centre the features, so that their values are not "
            "large beside their differences.",
            ConvergenceWarning,
        )
    unseen = combinations[kept:].T
    combination = unseen @ (unseen.T @ asked)
    reach = float(shares @ np.abs(_scores(G, combination)).max(axis=1))
    if combination @ asked > 2 * (reach + float(np.abs(combination).sum())):
        share = np.abs(combination)
        involved = np.flatnonzero(share > 1e-6 * share.max())
        relation = (
            f"feature {involved[0]} does not depend on the label"
            if len(involved) == 1
            else f"features {involved.tolist()}, centred over the labels, are linearly dependent"
        )
        raise ValueError(
            f"no distribution has these moments: {relation}, and the moments break that relation "
            f"by {np.linalg.norm(noise * combination):.1e} in units of the largest values. Leave "
            "such features out, or correct their moments."
        )
    varying, spreads = combinations[:kept], spreads[:kept, None]
    return (varying / spreads / noise).T, varying * spreads * noise


def _negligible(values: Array) -> float:
    """Return the eigenvalue of a covariance below which it is rounding error."""
    return 8 * len(values) * ROUNDOFF * max(float(values.max(initial=0.0)), 0.0)


def dual_and_probabilities(
    F: Array, shares: Array, target: Array, multipliers: Array
) -> tuple[float, Array]:
    """Return the dual and the probabilities."""
    P, largest, total = shifted_exponentials(_by_label(_scores(F, multipliers)), axis=0)
    P /= total
    logs = (largest + np.log(total))[0]
    return float(shares @ logs - multipliers @ target), np.ascontiguousarray(P.T)


def _by_label(table: Array) -> Array:
    """Return the table with labels along the first axis, which is quicker to sum over if short."""
    return np.ascontiguousarray(table.T)


def _scores(F: Array, multipliers: Array) -> Array:
    """Return the score of every label of every input."""
    return np.asarray(_pairs(F) @ multipliers).reshape(F.shape[:2])


def average_features(F: Array, shares: Array, P: Array) -> Array:
    """Return the averages of the features over the inputs and the labels."""
    return np.asarray((shares[:, None] * P).ravel() @ _pairs(F))


def _pairs(F: Array) -> Array:
    """Return the features with one row for each pair of an input and a label."""
    n, K, m = F.shape
    return F.reshape(n * K, m)


def _covariance(F: Array, shares: Array, P: Array) -> Array:
    """Return the Hessian of the dual: the covariance of the features, averaged over inputs.

    The means are taken off first: a difference of large second moments would lose a small one.
    Inputs are taken in blocks that stay in cache.
    """
    _, K, m = F.shape
    roots = np.sqrt(P * shares[:, None])[:, :, None]
    total = np.zeros((m, m))
    for block in blocks(len(F), K * m, least=1):
        half = (F[block] - P[block, None] @ F[block]) * roots[block]
        total += _pairs(half).T @ _pairs(half)
    return total


def _newton(
    F: Array,
    shares: Array,
    target: Array,
    limits: Array,
    seen: tuple[Array, Array],
    max_iter: int,
) -> tuple[Array, Array, float, bool, int, bool]:
    """Minimise the dual by Newton's method with a line search, over combinations of features.

    Returns the multipliers, the probabilities, the dual, whether the moments match, the number of
    steps, and whether the scores have settled.
    """
    into, back = seen
    H = (_pairs(F) @ into).reshape(*F.shape[:2], into.shape[1])
    wanted = target @ into
    mu = np.zeros(H.shape[2])
    value, P = dual_and_probabilities(H, shares, wanted, mu)
    settled, best = True, np.inf
    for iteration in range(max_iter + 1):
        gap = average_features(H, shares, P) - wanted
        size = float(np.abs(gap @ back).max())
        # Where the scores still change much they will do so for ever, and the last digits never
        # come.
        enough = float(limits.max() if settled else max(limits.max(), 1e-8))
        # Below the tolerance it goes on while it is quick: the last digits are nearly free.
        if iteration == max_iter or not mu.size or best / 10 <= size <= enough:
            break
        best = size
        values, vectors = np.linalg.eigh(_covariance(H, shares, P))
        kept = values > _negligible(values)
        step = vectors[:, kept] @ ((vectors[:, kept].T @ gap) / values[kept])
        # The dual is a difference, known up to the rounding of its terms.
        terms = 1 + float(np.abs(_scores(H, mu)).max()) + float(np.abs(mu) @ np.abs(wanted))
        rate = 1.0
        while rate > 1e-10:
            trial = mu - rate * step
            reached, law = dual_and_probabilities(H, shares, wanted, trial)
            if reached <= value - 1e-4 * rate * (gap @ step) + 8 * ROUNDOFF * terms:
                break
            rate /= 2
        else:
            break  # rounding decides whether a step goes down
        mu, value, P = trial, reached, law
        settled = _largest_difference(rate * _scores(H, step)) <= 0.1
        # Moments are known up to the tolerance, which the multipliers magnify.
        multipliers = into @ mu
        doubt = 1e-9 * (1 + float(np.abs(_scores(H, mu)).max()))
        if value < -doubt - float(limits @ np.abs(multipliers)):
            raise ValueError(
                "no distribution has these moments: the dual is negative, and it bounds every "
                f"entropy from above. Along the multipliers {np.round(multipliers, 6).tolist()} "
                "(of the features centred over the labels and divided by their largest value) "
                "more is asked for than any label gives."
            )
    return into @ mu, P, value, size <= enough, iteration, settled


def _largest_difference(change: Array) -> float:
    """Return the largest change of the difference of two scores of one input."""
    rows = _by_label(change)
    return float((rows.max(axis=0) - rows.min(axis=0)).max())


class Solution(NamedTuple):
    """What is known about the distribution of largest entropy."""

    probabilities: Array  # (n, K)
    multipliers: Array
    entropy: float
    dual: float
    moment_gap: float
    n_iter: int
    converged: bool
    interior: bool


def solve(F: Array, shares: Array, target: Array, limit: float, steps: int) -> Solution:
    """Maximise the entropy for features of every pair of an input and a label."""
    # Adding a number to the features of all labels of an input changes nothing but the moments.
    level = F.mean(axis=1, keepdims=True)
    sizes = np.abs(F).max(axis=(0, 1))
    F = F - level
    target = target - shares @ level[:, 0]
    # Of a feature that does not depend on the label rounding may leave a trace.
    rounding = 32 * ROUNDOFF * sizes
    scale = np.abs(F).max(axis=(0, 1))
    constant = is_constant(scale, sizes)
    F[:, :, constant] = 0.0
    scale = np.where(constant, np.where(sizes > 0, sizes, 1.0), scale)
    F, target, rounding = F / scale, target / scale, rounding / scale
    limits = np.maximum(limit, rounding)
    seen = independent_combinations(F, shares, target, np.maximum(limit, 100 * rounding), rounding)
    multipliers, P, value, converged, count, settled = _newton(
        F, shares, target, limits, seen, steps
    )
    gap = average_features(F, shares, P) - target
    return Solution(
        probabilities=P,
        multipliers=multipliers / scale,
        entropy=float(shares @ scipy.special.entr(P).sum(axis=1)),
        dual=value,
        moment_gap=float(np.abs(gap * scale).max()),
        n_iter=count,
        converged=converged,
        interior=converged and settled,
    )


def solve_products(
    points: Array,
    codes: NDArray[np.intp],
    n_classes: int,
    weights: Array | None,
    fit_intercept: bool,
    limit: float,
    steps: int,
) -> Solution:
    """Maximise the entropy for the features [y = k]·x, and [y = k] for an offset, of k > 0.

    Centred and scaled points give the same model, and keep its digits where the points are far from
    zero or of different sizes.
    """
    scaling, rows = logistic.Scaling.apply(points, weights, 0.0, fit_intercept)
    problem: logistic.BinaryProblem | logistic.SoftmaxProblem
    if n_classes == 2:
        problem = logistic.BinaryProblem(rows, 2.0 * codes - 1.0, weights, scaling.ridge)
    else:
        problem = logistic.SoftmaxProblem(rows, codes, weights, scaling.ridge, n_classes)
    total = float(len(codes)) if weights is None else float(weights.sum())
    sizes = np.append(scaling.largest, np.ones(int(fit_intercept)))
    sizes[sizes == 0] = 1.0
    found = logistic.minimise(problem, logistic.DIVERGENCE_TOL, steps)

    def moments(beta: Array) -> tuple[float, Array, Array]:
        """Return the largest difference of the moments, the gradient, and the curvature."""
        _, first, second = problem.value(beta @ rows, beta)
        gradient = first @ rows.T + problem.ridge * beta
        differences = np.abs(scaling.in_original_columns(gradient)) / sizes
        return float(differences.max()) / total, gradient, second

    beta, n_iter, inverse = found.beta, found.n_iter, found.inverse
    gap, gradient, second = moments(beta)
    # With the Hessian at hand the last digits are nearly free, also below the tolerance.
    while gap > (limit if inverse is None else limit / 1000) and n_iter < steps:
        moved = beta - logistic.newton_step(problem, second, gradient, inverse)
        before, (trial, *derivatives) = gap, moments(moved)
        n_iter += 1
        if trial <= before:
            beta, gap, (gradient, second) = moved, trial, derivatives
        if trial > before / 10:
            if inverse is None:
                break
            inverse = None  # what is above the tolerance is worth a Hessian of its own
    diverges = logistic.diverges(problem, beta)
    scores = beta @ rows
    logs = logistic.log_probabilities(scores)
    probabilities, shares = np.exp(logs), distribution(weights, len(codes))
    coef, offset = scaling.undo(beta)
    table = np.column_stack([coef, offset]) if coef.ndim == 2 else np.append(coef, offset)[None]
    differences = table[1:] - table[0] if n_classes > 2 else table
    return Solution(
        probabilities=probabilities.T,
        multipliers=differences[:, : rows.shape[0]].ravel(),
        entropy=float(-shares @ (probabilities * logs).sum(axis=0)),
        dual=float(-shares @ logs[codes, np.arange(len(codes))]),
        moment_gap=gap * float(sizes.max()),
        n_iter=n_iter,
        converged=gap <= max(limit, 32 * ROUNDOFF, 1e-8 * diverges),
        interior=not diverges,
    )
