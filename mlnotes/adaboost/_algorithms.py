"""AdaBoost on decision stumps, line by line as the chapter boxes it."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from mlnotes.adaboost._mathematics import vote_weight
from mlnotes.decision_trees import best_stump
from mlnotes.validation import check_count, check_matrix, check_signs


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
        feature, threshold, sign = stump = best_stump(points, signs, w)
        h = np.where(points[:, feature] > threshold, sign, -sign)
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
