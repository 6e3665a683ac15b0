"""The rounds of AdaBoost for any weak learner, safe where weights or errors vanish."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from mlnotes._numerics import ROUNDOFF
from mlnotes.validation import Array


class Round(NamedTuple):
    """What one round found: a classifier, its weighted error, its vote, and Z."""

    classifier: Any
    error: float
    vote: float
    normaliser: float


Learner = Callable[[Array], tuple[Any, Array]]


def boost(
    learn: Learner, y: Array, w: Array, n_rounds: int
) -> tuple[list[Round], Array, Array, str]:
    """Boost a weak learner, which takes weights and returns a classifier and its predictions.

    Returns the rounds, the training error after each, the last weights, and why it stopped.
    """
    start, score = w, np.zeros(len(y))
    rounds: list[Round] = []
    training_errors: list[float] = []
    for _ in range(n_rounds):
        classifier, h = learn(w)
        wrong = h != y
        if not wrong.any():
            # The vote would be infinite: this classifier decides alone.
            rounds.append(Round(classifier, 0.0, math.inf, 0.0))
            training_errors.append(0.0)
            return rounds, np.array(training_errors), w, "perfect"
        # Weights too small for a float can make the error vanish although a point is wrong.
        error = max(float(w[wrong].sum()), np.finfo(float).tiny)
        # After the first round one half is known only up to the rounding of a sum.
        if 0.5 - error <= 4 * len(w) * ROUNDOFF:
            return rounds, np.array(training_errors), w, "no edge"
        vote = 0.5 * math.log((1 - error) / error)
        w = w * np.exp(-vote * y * h)
        Z = float(w.sum())
        w = w / Z
        score += vote * h
        rounds.append(Round(classifier, error, vote, Z))
        training_errors.append(float(start[y * score <= 0].sum()))
    return rounds, np.array(training_errors), w, "rounds"
