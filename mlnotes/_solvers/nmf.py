"""Non-negative factors: sweeps that never raise the loss, and exact scores of new rows.

For the divergence a sweep is the multiplicative update of both factors, done a block of rows at a
time while the block is in cache. For squares each column of a factor is set to its best value in
turn, a few times while the products with the table hold, which gets further than the multiplicative
update in the same time.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from scipy.optimize import nnls

from mlnotes._compiled import compiled, compiles
from mlnotes._numerics import blocks
from mlnotes.validation import Array

# How often the loss is computed.
STEPS_PER_LOSS = 10
# Newton steps at most; a handful is usual.
MAX_NEWTON_STEPS = 200
# How often the columns of a factor are gone through while the products with the table hold.
SWEEPS_PER_PRODUCT = 3
# A mean below this share of the largest entry counts as no mean at all.
TINY = 1e-300


class Factors(NamedTuple):
    """Scores (n, k), topics (d, k), the losses computed, and how the iteration went."""

    scores: Array
    topics: Array
    losses: Array
    n_iter: int
    converged: bool


def factorise(table: Array, T: Array, W: Array, loss: str, max_iter: int, tol: float) -> Factors:
    """Sweep until the loss falls by less than ``tol`` times the first loss in a sweep."""
    T, W = T.copy(), W.copy()
    sweep = _divergence_sweep if loss == "kl" else _SquaresSweep(table)
    value = divergence if loss == "kl" else squares
    losses = [value(table, T, W)]
    converged, n_iter = losses[0] == 0, 0
    while n_iter < max_iter and not converged:
        steps = min(STEPS_PER_LOSS, max_iter - n_iter)
        for _ in range(steps):
            T, W = sweep(table, T, W)
        n_iter += steps
        losses.append(value(table, T, W))
        converged = losses[-2] - losses[-1] <= tol * steps * losses[0]
    return Factors(T, W, np.array(losses), n_iter, converged)


def divergence(table: Array, T: Array, W: Array) -> float:
    """Return the generalised Kullback-Leibler divergence of the product from the table."""
    total = 0.0
    for block in blocks(len(table), table.shape[1]):
        part, means = table[block], T[block] @ W.T
        with np.errstate(divide="ignore", invalid="ignore"):
            terms = part * np.log(part / means)
        total += float(np.where(part > 0, terms, 0.0).sum() - part.sum() + means.sum())
    return max(total, 0.0)


def squares(table: Array, T: Array, W: Array) -> float:
    """Return half the sum of squared differences."""
    return 0.5 * sum(
        float(((table[block] - T[block] @ W.T) ** 2).sum())
        for block in blocks(len(table), table.shape[1])
    )


def _divergence_sweep(table: Array, T: Array, W: Array) -> tuple[Array, Array]:
    """Update the scores, then the topics with the new scores, multiplicatively."""
    totals = np.maximum(W.sum(axis=0), TINY)
    gains, transposed = np.zeros_like(W), np.ascontiguousarray(W.T)
    W_scaled = W / totals
    for block in blocks(len(table), table.shape[1]):
        part, scores = table[block], T[block]
        share = scores @ transposed
        np.maximum(share, TINY, out=share)
        np.divide(part, share, out=share)
        scores *= share @ W_scaled
        np.matmul(scores, transposed, out=share)
        np.maximum(share, TINY, out=share)
        np.divide(part, share, out=share)
        gains += share.T @ scores
    return T, W * (gains / np.maximum(T.sum(axis=0), TINY))


class _SquaresSweep:
    """Set every column of the scores, then of the topics, to its best value in turn."""

    def __init__(self, table: Array) -> None:
        self.flipped = np.ascontiguousarray(table.T)

    def __call__(self, table: Array, T: Array, W: Array) -> tuple[Array, Array]:
        scores, topics = np.ascontiguousarray(T.T), np.ascontiguousarray(W.T)
        _best_columns(scores, np.dot(topics, self.flipped), np.dot(topics, topics.T))
        _best_columns(topics, np.dot(scores, table), np.dot(scores, scores.T))
        return scores.T, topics.T


def _best_columns(columns: Array, products: Array, gram: Array) -> None:
    """Set the columns of a factor, which are the rows of its transpose here, in place."""
    if compiles():
        _best_entries(columns, products, gram, SWEEPS_PER_PRODUCT)
        return
    for _ in range(SWEEPS_PER_PRODUCT):
        for j, column in enumerate(columns):
            if gram[j, j] > TINY:
                column += (products[j] - gram[j] @ columns) / gram[j, j]
                np.maximum(column, 0.0, out=column)


@compiled(reassociate=True)
def _best_entries(columns: Any, products: Any, gram: Any, repeats: Any) -> None:
    """Do the same for a few rows of the table at a time, which stay in cache.

    Views of rows cost little beside so many entries, and let them use vector instructions.
    """
    k, n = columns.shape
    for begin in range(0, n, 512):
        end = min(begin + 512, n)
        for _ in range(repeats):
            for j in range(k):
                if gram[j, j] > 1e-300:
                    factor = 1 / gram[j, j]
                    best = products[j, begin:end] * factor
                    for m in range(k):
                        if m != j:
                            other, share = columns[m, begin:end], factor * gram[j, m]
                            for i in range(end - begin):
                                best[i] -= share * other[i]
                    column = columns[j, begin:end]
                    for i in range(end - begin):
                        column[i] = max(best[i], 0.0)


def scores_of(table: Array, W: Array, loss: str) -> Array:
    """Return the scores of least loss for given topics, each row by itself."""
    if loss == "frobenius":
        return np.array([nnls(W, row, maxiter=100 * W.shape[1])[0] for row in table])
    found = np.empty((len(table), W.shape[1]))
    for block in blocks(len(table), W.shape[0] + W.shape[1] ** 2):
        found[block] = _divergence_scores(table[block], W)
    return found


def _divergence_scores(table: Array, W: Array) -> Array:
    """Minimise the divergence by Newton's method on the scores that are not held at zero."""
    sizes = table.max(axis=1, keepdims=True)
    X = table / np.where(sizes > 0, sizes, 1.0)
    height = W.max()
    V = W / height if height > 0 else W
    totals, k = V.sum(axis=0), W.shape[1]
    used = totals > 0
    safe = np.where(used, totals, 1.0)
    T = np.where(used, X.sum(axis=1, keepdims=True) / max(1, used.sum()) / safe, 0.0)
    for _ in range(10):
        T *= _share(X, T, V) @ V / safe
    value, open_rows = _value(X, T, V), np.flatnonzero(X.sum(axis=1) > 0)
    for _ in range(MAX_NEWTON_STEPS):
        if not len(open_rows):
            break
        x, t = X[open_rows], T[open_rows]
        share = _share(x, t, V)
        slope = np.where(used, totals - share @ V, 1.0)
        with np.errstate(divide="ignore", invalid="ignore"):
            curves = np.where(x > 0, share**2 / np.where(x > 0, x, 1.0), 0.0)
        hessian = np.einsum("ij,jk,jl->ikl", curves, V, V, optimize=True)
        hessian[:, range(k), range(k)] += 1e-13 * (1 + np.einsum("ikk->i", hessian))[:, None]
        # Scores that are about to reach zero, or are there, move by themselves: the projection of a
        # step that mixes them with others need not go down.
        own = np.einsum("ikk->ik", hessian)
        left = np.abs(t - np.maximum(t - slope / own, 0.0)).max(axis=1, keepdims=True)
        largest = t.max(axis=1, keepdims=True)
        held = (t <= np.minimum(left, 1e-3 * largest)) & (slope > 0)
        apart = (held[:, :, None] | held[:, None]) & ~np.eye(k, dtype=bool)
        step = np.linalg.solve(np.where(apart, 0.0, hessian), slope[..., None])[..., 0]
        new, now = t.copy(), value[open_rows]
        accepted = np.zeros(len(t), dtype=np.bool_)
        # The whole step first; where shorter ones do not help, only as far as the first zero.
        with np.errstate(divide="ignore", invalid="ignore"):
            reach = np.where((step > 0) & (t > 0), t / step, np.inf).min(axis=1, keepdims=True)
        for longest in (np.ones_like(reach), np.minimum(reach, 1.0)):
            factor = longest
            for _ in range(20):
                trial = np.maximum(t - factor * step, 0.0)
                trial[trial < 1e-15 * t] = 0.0
                reached = _value(x, trial, V)
                fits = ~accepted & (reached <= now - 1e-4 * (slope * (t - trial)).sum(axis=1))
                new[fits], accepted = trial[fits], accepted | fits
                if accepted.all():
                    break
                factor = factor / 2
        new[~accepted] = (t * (share @ V) / safe)[~accepted]
        moved = (new != t).any(axis=1) & (left > 1e-12 * largest)[:, 0]
        T[open_rows], value[open_rows] = new, _value(x, new, V)
        open_rows = open_rows[moved]
    return T * sizes / height if height > 0 else T


def _share(X: Array, T: Array, V: Array) -> Array:
    return np.asarray(X / np.maximum(T @ V.T, TINY))


def _value(X: Array, T: Array, V: Array) -> Array:
    """Return the part of the divergence of each row that depends on its scores."""
    means = T @ V.T
    with np.errstate(divide="ignore", invalid="ignore"):
        logarithms = np.where(X > 0, X * np.log(means), 0.0)
    return np.asarray((means - logarithms).sum(axis=1))
