"""Naive Bayes: the printed fails on an example on which the correction holds."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction as F
from itertools import product
from statistics import NormalDist

import numpy as np

from counterexamples.shared import CELLS, Array


def drawn_means(row_of: Callable[[int], int]) -> dict[int, tuple[int, int]]:
    """Return the mean that each label gets; the comment of the notes puts the positives first."""
    rows = {1: (8, 11), 2: (-4, 10)}
    return {y: rows[row_of(y)] for y in (0, 1)}


def gaussian_log_ratio(x: int, variances: tuple[int, int]) -> float:
    a, b = (NormalDist(m, math.sqrt(v)) for m, v in zip((1, 0), variances, strict=True))
    return math.log(a.pdf(x) / b.pdf(x))


def is_affine(values: list[float]) -> bool:
    return abs(values[0] - 2 * values[1] + values[2]) < 1e-9


JOINT = {
    (cell, y): F(count, 1000)
    for cell, counts in zip(CELLS, [(335, 7), (97, 103), (200, 171), (84, 3)], strict=True)
    for y, count in enumerate(counts)
}


def naive_bayes_odds(joint: dict[tuple[tuple[int, int], int], F]) -> dict[tuple[int, int], F]:
    scores = {}
    for y in (0, 1):
        prior = sum((joint[cell, y] for cell in CELLS), F(0))
        for cell in CELLS:
            score = prior
            for d in (0, 1):
                score *= sum((joint[c, y] for c in CELLS if c[d] == cell[d]), F(0)) / prior
            scores[cell, y] = score
    return {cell: scores[cell, 1] / scores[cell, 0] for cell in CELLS}


def error_of(positive: Callable[[tuple[int, int]], bool]) -> F:
    return sum((JOINT[cell, 0 if positive(cell) else 1] for cell in CELLS), F(0))


def population_logistic() -> Array:
    """Return the weights that minimise the expected logistic loss under `JOINT`."""
    X = np.array([(1, *cell) for cell in CELLS], dtype=float)
    mass = np.array([[float(JOINT[cell, y]) for y in (0, 1)] for cell in CELLS])
    w = np.zeros(3)
    for _ in range(50):
        p = 1 / (1 + np.exp(-X @ w))
        gradient = X.T @ (mass.sum(axis=1) * p - mass[:, 1])
        w = w - np.linalg.solve(X.T @ (X * (mass.sum(axis=1) * p * (1 - p))[:, None]), gradient)
    return w


def log_loss(odds: dict[tuple[int, int], float]) -> float:
    return sum(
        float(JOINT[cell, y]) * math.log1p(odds[cell] ** (1 - 2 * y))
        for cell, y in product(CELLS, (0, 1))
    )


def logistic_odds() -> dict[tuple[int, int], float]:
    w = population_logistic()
    return {cell: math.exp(w @ (1, *cell)) for cell in CELLS}


# One binary feature, written down twice, with P(x = 1 | y) = 3/10 and 8/10.
TWICE = {
    (cell, y): F(1, 2) * (F(q, 10) if cell[0] else F(10 - q, 10)) * (cell[0] == cell[1])
    for cell in CELLS
    for y, q in enumerate((3, 8))
}


def twice_error(positive: Callable[[tuple[int, int]], bool]) -> F:
    return sum((TWICE[cell, 0 if positive(cell) else 1] for cell in CELLS), F(0))


FOUND: dict[str, tuple[Callable[[], bool], Callable[[], bool]]] = {
    "erratum-002-posterior-factorisation-disjoint-y": (
        lambda: sum(p * p for p in (F(7, 10), F(3, 10))) == 1,
        lambda: sum(a * b for a in (F(7, 10), F(3, 10)) for b in (F(1, 5), F(4, 5))) == 1,
    ),
    "erratum-004-matlab-class-index": (
        lambda: drawn_means(lambda y: y + 1)[1] == (8, 11),
        lambda: drawn_means(lambda y: 2 - y)[1] == (8, 11),
    ),
    "erratum-004-gaussian-nb-linear": (
        lambda: is_affine([gaussian_log_ratio(x, (1, 9)) for x in (-4, 0, 4)]),
        lambda: is_affine([gaussian_log_ratio(x, (9, 9)) for x in (-4, 0, 4)]),
    ),
    "erratum-004-gen-worse-when-wrong": (
        lambda: (
            error_of(lambda cell: naive_bayes_odds(JOINT)[cell] > 1)
            > error_of(lambda cell: logistic_odds()[cell] > 1)
        ),
        lambda: (
            log_loss({cell: float(odds) for cell, odds in naive_bayes_odds(JOINT).items()})
            > log_loss(logistic_odds())
        ),
    ),
    "erratum-004-never-bayes": (
        lambda: (
            twice_error(lambda cell: naive_bayes_odds(TWICE)[cell] > 1)
            > twice_error(lambda cell: TWICE[cell, 1] > TWICE[cell, 0])
        ),
        lambda: (
            twice_error(lambda cell: naive_bayes_odds(TWICE)[cell] > 1)
            == twice_error(lambda cell: TWICE[cell, 1] > TWICE[cell, 0])
            and naive_bayes_odds(TWICE)[1, 1] != TWICE[(1, 1), 1] / TWICE[(1, 1), 0]
        ),
    ),
}
