"""The rounds of gradient boosting on trees, from one sort of the features."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.special import expit

from mlnotes._solvers.trees import Growth, SortedSamples, Tree, find_leaves
from mlnotes.validation import Array

# Sums of second derivatives below this are rounding.
TINY = 1e-290


class Boosted(NamedTuple):
    """The score to start from, the trees whose values are added to it, and the mean losses."""

    start: float
    trees: list[Tree]
    losses: Array


def boost_gradient(
    X: Array,
    target: Array,
    weights: Array | None,
    growth: Growth,
    *,
    logistic: bool,
    rate: float,
    seeds: list[int],
) -> Boosted:
    """Fit a tree to the negative gradient in each round, and move each leaf by Newton's step.

    Targets are real numbers or, for the logistic loss, zeros and ones. The step of a leaf is the
    sum of its gradients over that of its second derivatives: for the squared error the mean.
    """
    samples = SortedSamples(X)
    w = np.ones(len(X)) if weights is None else weights
    mean = float(w @ target / w.sum())
    start = float(np.log(w @ target) - np.log(w @ (1 - target))) if logistic else mean
    score = np.full(len(X), start)
    trees, losses = [], np.empty(len(seeds))
    for m, seed in enumerate(seeds):
        if logistic:
            # Not 1 - p, which would be rounded where p is near one.
            residual = np.where(target > 0, expit(-score), -expit(score))
            curvature = expit(score) * expit(-score)
        else:
            residual, curvature = target - score, np.ones(len(X))
        tree = samples.grow(residual, growth, weights=weights, seed=seed)
        leaves = find_leaves(tree, X)
        gradient = np.bincount(leaves, weights=w * residual, minlength=tree.n_nodes)
        second = np.bincount(leaves, weights=w * curvature, minlength=tree.n_nodes)
        # Where the loss is flat to the last digit there is nothing left to gain.
        step = np.divide(gradient, second, out=np.zeros_like(second), where=second > TINY)
        tree = tree._replace(value=rate * step[:, None])
        score += tree.value[leaves, 0]
        trees.append(tree)
        if logistic:
            loss = np.logaddexp(0.0, np.where(target > 0, -score, score))
        else:
            loss = (target - score) ** 2
        losses[m] = w @ loss / w.sum()
    return Boosted(start, trees, losses)
