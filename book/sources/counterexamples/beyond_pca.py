"""Beyond principal components: the printed fails on an example on which the correction holds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction as F
from itertools import product
from math import isclose, log, sqrt

import numpy as np
from scipy.optimize import minimize_scalar

from counterexamples.shared import dot, solved, times, transposed

RNG = np.random.default_rng(2)


CENTRE, NEIGHBOURS = [F(1), F(1)], [[F(0), F(0)], [F(3), F(0)]]


DIFFERENCES = [[a - b for a, b in zip(x, CENTRE, strict=True)] for x in NEIGHBOURS]


LAPLACIAN = np.array([[1.0, -1, 0, 0], [-1, 2, -1, 0], [0, -1, 2, -1], [0, 0, -1, 1]])


LINE_GRAM = np.outer([1.0, 2.0], [1.0, 2.0])


ICA_SOURCES = np.array(list(product((-1, 1), (-2, 0, 2))))


ICA_MIXING = np.array([[1, 2], [3, 1]])


def regularised_weights() -> np.ndarray:
    """Return the weights of two neighbours at 1 and 2 that are to reconstruct the point 0."""
    w = np.linalg.solve(LINE_GRAM + 1e-3 * np.trace(LINE_GRAM) * np.eye(2), np.ones(2))
    return np.asarray(w / w.sum())


def is_column_scaling(one: np.ndarray, two: np.ndarray) -> bool:
    return all(np.linalg.matrix_rank(pair) == 1 for pair in zip(one.T, two.T, strict=True))


def centred_frames(count: int) -> list[np.ndarray]:
    """Return random pairs of orthonormal vectors orthogonal to the constant one."""
    draws = RNG.normal(size=(count, 4, 2))
    return [np.linalg.qr(draw - draw.mean(axis=0))[0] for draw in draws]


def cost(frame: np.ndarray) -> float:
    return float(np.trace(frame.T @ LAPLACIAN @ frame))


def reconstruction(w: Sequence[F]) -> F:
    return sum(((c - dot(w, x)) ** 2 for c, x in zip(CENTRE, transposed(NEIGHBOURS), strict=True)),
               F(0))  # fmt: skip


def is_best_affine(w: Sequence[F]) -> bool:
    """Say whether weights sum to one and no neighbouring such weights are better."""
    return sum(w) == 1 and all(
        reconstruction([w[0] + step, w[1] - step]) >= reconstruction(w)
        for step in (F(-1, 99), F(1, 99))
    )


def raw_weights(gram: bool) -> list[F]:
    columns = transposed(DIFFERENCES)
    matrix = times(DIFFERENCES, columns) if gram else times(columns, DIFFERENCES)
    return solved(matrix, [1, 1])


def embedded(power: float) -> np.ndarray:
    """Return the embedding by the two nontrivial eigenvectors, scaled by a power."""
    values, vectors = np.linalg.eigh(LAPLACIAN)
    return np.asarray(vectors[:, 1:3] * values[1:3] ** power)


def kullback(x: F, y: F) -> float:
    return float(x) * log(float(x / y)) - float(x) + float(y)


def factored(simultaneous: bool, count: int) -> list[float]:
    """Return the divergences of the updates of a 1 x 1 matrix 4 from the factors 1 and 1."""
    x, w, out = F(1), F(1), []
    for _ in range(count):
        new = x * (w * 4 / (x * w)) / w
        other = x if simultaneous else new
        w *= (other * 4 / (other * w)) / other
        x = new
        out.append(kullback(F(4), x * w))
    return out


NMF_X, NMF_LEFT, NMF_RIGHT = [F(1), F(4), F(2)], F(1), [F(1), F(2), F(3)]


def loadings(free: int | None) -> F:
    """Return the updated loading; a free index puts the quotient outside the sum."""
    fit = [NMF_LEFT * w for w in NMF_RIGHT]
    if free is None:
        top = sum(w * x / f for w, x, f in zip(NMF_RIGHT, NMF_X, fit, strict=True))
    else:
        top = dot(NMF_RIGHT, NMF_X) / fit[free]
    return NMF_LEFT * top / sum(NMF_RIGHT)


def best_loading() -> float:
    def divergence(a: float) -> float:
        return sum(kullback(x, F(a) * w) for x, w in zip(NMF_X, NMF_RIGHT, strict=True))

    return float(minimize_scalar(divergence, bounds=(0.1, 10), method="bounded").x)


FOUND: dict[str, tuple[Callable[[], bool], Callable[[], bool]]] = {
    "erratum-002b-lle-gram": (
        lambda: is_best_affine([w / sum(raw_weights(False)) for w in raw_weights(False)]),
        lambda: is_best_affine([w / sum(raw_weights(True)) for w in raw_weights(True)]),
    ),
    "erratum-002b-lle-normalisation": (
        lambda: isclose(
            float(sum(raw_weights(True))) / sqrt(dot(raw_weights(True), raw_weights(True))), 1
        ),
        lambda: is_best_affine([w / sum(raw_weights(True)) for w in raw_weights(True)]),
    ),
    "erratum-002b-lle-embedding-constraint": (
        lambda: cost(2 * embedded(0)) <= cost(np.zeros((4, 2))),
        lambda: all(cost(2 * embedded(0)) <= cost(2 * frame) for frame in centred_frames(20)),
    ),
    "erratum-002b-lle-scaling": (
        lambda: np.allclose(np.diff(np.diag(embedded(-0.5).T @ embedded(-0.5))), 0),
        lambda: np.allclose((2 * embedded(0)).T @ (2 * embedded(0)) / 4, np.eye(2)),
    ),
    "erratum-002b-lle-regularisation": (
        lambda: np.linalg.matrix_rank(LINE_GRAM) == 2,
        lambda: abs(regularised_weights() @ [1.0, 2.0]) < 0.02,
    ),
    "erratum-002b-nmf-parentheses": (
        lambda: any(isclose(loadings(j), best_loading(), rel_tol=1e-4) for j in range(3)),
        lambda: isclose(loadings(None), best_loading(), rel_tol=1e-4),
    ),
    "erratum-002b-nmf-simultaneous-update": (
        lambda: factored(True, 4) == sorted(factored(True, 4), reverse=True),
        lambda: factored(False, 4) == [0, 0, 0, 0],
    ),
    "erratum-002b-ica-ambiguities": (
        lambda: is_column_scaling(ICA_MIXING, ICA_MIXING[:, ::-1]),
        lambda: np.array_equal(
            ICA_SOURCES @ ICA_MIXING.T, ICA_SOURCES[:, ::-1] @ ICA_MIXING[:, ::-1].T
        ),
    ),
}
