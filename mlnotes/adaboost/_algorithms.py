"""AdaBoost on decision stumps and gradient boosting, line by line as the chapter boxes them."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from mlnotes.adaboost._mathematics import vote_weight
from mlnotes.decision_trees import Node, best_stump, cart, tree_leaves, tree_predict
from mlnotes.validation import (
    check_count,
    check_matrix,
    check_option,
    check_positive,
    check_signs,
    check_target,
)


def adaboost(
    X: ArrayLike, y: ArrayLike, n_rounds: int = 50
) -> list[tuple[float, tuple[int, float, float]]]:
    r"""Boost decision stumps, as the box of the chapter says.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Points.
    y : array-like of shape (n_samples,)
        Labels -1 and +1.
    n_rounds : int
        The greatest number of rounds, :math:`M`.

    Returns
    -------
    list of (vote, stump)
        The vote :math:`\alpha_m` of each round and its stump, as
        :func:`mlnotes.decision_trees.best_stump` returns it; an infinite vote decides alone.

    Examples
    --------
    >>> rounds = adaboost([[0.0], [1.0], [2.0], [3.0]], [1, -1, 1, 1], n_rounds=2)
    >>> [(round(vote, 3), stump) for vote, stump in rounds]
    [(0.549, (0, -inf, 1.0)), (0.805, (0, 1.5, 1.0))]
    """
    points = check_matrix(X)
    signs = check_signs(y, len(points))
    w = np.full(len(signs), 1 / len(signs))
    rounds: list[tuple[float, tuple[int, float, float]]] = []
    for _ in range(check_count(n_rounds, "n_rounds")):
        k, threshold, sign = stump = best_stump(points, signs, w)
        h = np.where(points[:, k] > threshold, sign, -sign)
        error = float(w[h != signs].sum())
        if (h == signs).all():
            return [*rounds, (math.inf, stump)]
        if 0.5 - error <= 1e-12:
            break
        vote = vote_weight(error)
        w = w * np.exp(-vote * signs * h)
        w = w / w.sum()
        rounds.append((vote, stump))
    return rounds


def gradient_boosting(
    X: ArrayLike,
    y: ArrayLike,
    loss: str = "squared_error",
    *,
    n_rounds: int = 20,
    learning_rate: float = 0.1,
    max_depth: int | None = 3,
) -> tuple[float, list[Node]]:
    r"""Boost regression trees by descent in the space of functions.

    Each round fits a tree to the negative gradient of the loss at the scores so far, and moves each
    of its leaves by a share of Newton's step: the sum of the negative gradients of its samples over
    that of their second derivatives.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Points.
    y : array-like of shape (n_samples,)
        Targets; for the logistic loss labels -1 and +1.
    loss : {"squared_error", "logistic"}
        Half of the square of the residual, or the logistic loss.
    n_rounds : int
        The number of trees.
    learning_rate : float
        The share of Newton's step.
    max_depth : int, optional
        The greatest depth of a tree.

    Returns
    -------
    start : float
        The score before the first round.
    trees : list of Node
        What is added to it, by :func:`mlnotes.decision_trees.tree_predict`.

    Examples
    --------
    >>> start, trees = gradient_boosting([[0.0], [1.0]], [0.0, 4.0], n_rounds=2, learning_rate=0.5)
    >>> start, [leaf.prediction for tree in trees for leaf in tree_leaves(tree)]
    (2.0, [-1.0, 1.0, -0.5, 0.5])
    """
    x = check_matrix(X)
    check_option(loss, "loss", "squared_error", "logistic")
    real = loss == "squared_error"
    target = (check_target if real else check_signs)(y, len(x))
    target = target if real else (1 + target) / 2
    rate = check_positive(learning_rate, "learning_rate")
    mean = float(target.mean())
    if not real and mean in (0.0, 1.0):
        raise ValueError("y needs labels of two classes: -1, +1.")
    start = mean if real else math.log(mean / (1 - mean))
    score, trees = np.full(len(x), start), []
    for _ in range(check_count(n_rounds, "n_rounds")):
        p = score if real else 1 / (1 + np.exp(-score))
        r, h = target - p, np.ones(len(p)) if real else p * (1 - p)
        tree = cart(x, r, "squared_error", max_depth=max_depth)
        for k, leaf in enumerate(leaves := tree_leaves(tree)):
            leaf.prediction = k
        reached = tree_predict(tree, x)
        for k, leaf in enumerate(leaves):
            step = r[reached == k].sum()
            step /= h[reached == k].sum()
            leaf.prediction = rate * float(step)
        score = score + tree_predict(tree, x)
        trees.append(tree)
    return start, trees
