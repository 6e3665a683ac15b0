"""Least squares: the printed fails on an example on which the correction holds."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction as F
from math import sqrt
from typing import Any

import numpy as np
import sympy as sp

from counterexamples.shared import (
    REFLECTION,
    TARGETS,
    Rows,
    dot,
    least_squares_of,
    residual_of,
    times,
    transposed,
)

TALL, TALL_Y = [[1], [1]], [1, 3]


HOUSEHOLDER_X = [[3, 3], [4, -1], [0, 4]]


SECOND = [[1, 0, 0], [0, F(3, 5), F(4, 5)], [0, F(4, 5), F(-3, 5)]]


def is_upper_triangular(rows: Rows) -> bool:
    return all(row[j] == 0 for i, row in enumerate(rows) for j in range(min(i, len(row))))


def triangular() -> list[list[Any]]:
    R = times(transposed(SECOND), times(transposed(REFLECTION), HOUSEHOLDER_X))
    assert is_upper_triangular(R)
    return R


def bidiagonalised(X: np.ndarray, y: np.ndarray, t: int) -> tuple[np.ndarray, ...]:
    """Return U, B and V after t steps of Golub and Kahan, started at y."""
    U, V, B = [y / np.linalg.norm(y)], [], np.zeros((t + 1, t))
    beta, v = 0.0, np.zeros(X.shape[1])
    for k in range(t):
        w = X.T @ U[-1] - beta * v
        B[k, k] = np.linalg.norm(w)
        v = w / B[k, k]
        V.append(v)
        w = X @ v - B[k, k] * U[-1]
        B[k + 1, k] = beta = np.linalg.norm(w)
        U.append(w / beta)
    return np.array(U).T, B, np.array(V).T


LSQR = bidiagonalised(np.array([[1.0, 0], [1, 1], [0, 2]]), np.array([1.0, 2, 4]), 1)


LSQR_X = np.array([[1.0, 0], [1, 1], [0, 2]])


def relative_change(delta: F, epsilon: F, residual: int) -> F:
    """Move one entry of X by epsilon and return the relative change of the solution."""
    y = [1, 0, residual]
    old = least_squares_of([[1, 0], [0, delta], [0, 0]], y)
    new = least_squares_of([[1, 0], [0, delta], [0, epsilon]], y)
    return max(abs(a - b) for a, b in zip(old, new, strict=True)) / max(map(abs, old))


FLAT = sp.Matrix([[1, 1], [2, 2], [3, 3]])


def limit_inverse(X: sp.Matrix) -> sp.Matrix:
    eps = sp.Symbol("epsilon", positive=True)
    regular = (X.T * X + eps * sp.eye(X.cols)).inv() * X.T
    return regular.applyfunc(lambda entry: sp.limit(sp.simplify(entry), eps, 0))


def is_pseudo_inverse(P: sp.Matrix, X: sp.Matrix) -> bool:
    return bool(X * P * X == X and P * X * P == P and (X * P).T == X * P and (P * X).T == P * X)


def spread_over_rate(N: int) -> float:
    """Return the spread of the training error of a line under normal noise, as multiple of d/N."""
    X = np.column_stack([np.ones(N), np.arange(N)])
    residual = np.eye(N) - X @ np.linalg.pinv(X)
    return float(np.sqrt(2 * np.trace(residual @ residual)) / N / (1 / N))


def mean_gap(N: int) -> tuple[float, float]:
    """Return by how much test exceeds training error for a line on fixed inputs, and 2(d+1)/N."""
    H = np.column_stack([np.ones(N), np.arange(N)])
    H = H @ np.linalg.pinv(H)
    train = np.trace((np.eye(N) - H) @ (np.eye(N) - H)) / N
    test = (np.trace(H @ H) + N) / N
    return float(test - train), 4 / N


def out_of_sample_error(d: int, N: int, draws: int = 20_000) -> float:
    """Return the mean error at fresh normal inputs, for noise of variance one."""
    rng = np.random.default_rng(0)
    X = np.concatenate([np.ones((draws, N, 1)), rng.normal(size=(draws, N, d))], axis=2)
    x = np.concatenate([np.ones((draws, 1)), rng.normal(size=(draws, d))], axis=1)
    solved = np.linalg.solve(X.transpose(0, 2, 1) @ X, x[..., None])[..., 0]
    return float(1 + (x * solved).sum(axis=1).mean())


SLOPED = sp.Matrix([1, 2])


HAT = SLOPED * SLOPED.T / 5


def training_error(variances: list[int]) -> sp.Expr:
    """Return the mean squared residual of a line through the origin, from inputs 1 and 2."""
    residual = sp.eye(2) - HAT
    return (residual * sp.diag(*variances) * residual.T).trace() / 2


FOUND: dict[str, tuple[Callable[[], bool], Callable[[], bool]]] = {
    "erratum-002-normal-equation-name": (
        lambda: dot([1, 1], [dot(row, least_squares_of(TALL, TALL_Y)) for row in TALL]) == 0,
        lambda: dot([1, 1], residual_of([[1, 1]], TALL_Y, least_squares_of(TALL, TALL_Y))) == 0,
    ),
    "erratum-002-householder-order": (
        lambda: times(times(SECOND, REFLECTION), triangular()) == HOUSEHOLDER_X,
        lambda: times(times(REFLECTION, SECOND), triangular()) == HOUSEHOLDER_X,
    ),
    "erratum-002-lsqr-decomposition": (
        lambda: np.allclose(LSQR[0] @ LSQR[1] @ LSQR[2].T, LSQR_X),
        lambda: np.allclose(LSQR[0] @ LSQR[1], LSQR_X @ LSQR[2]),
    ),
    "erratum-002-ls-conditioning-residual": (
        lambda: relative_change(F(1, 1000), F(1, 10**9), 1) < 10 * F(1000, 10**9),
        lambda: all(
            relative_change(F(1, 1000), F(1, 10**9), tangent)
            <= (2000 * sqrt(1 + tangent**2) + 1000**2 * tangent) / 10**9
            for tangent in (0, 1, 3)
        ),
    ),
    "erratum-000-normal-equations-rank": (
        lambda: (FLAT.T * FLAT).det() != 0,
        lambda: all(
            FLAT.T * FLAT * (limit_inverse(FLAT) * TARGETS + t * sp.Matrix([1, -1]))
            == FLAT.T * TARGETS
            for t in (0, 1, 5)
        ),
    ),
    "erratum-000-pseudo-inverse": (
        lambda: (FLAT.T * FLAT).det() != 0,
        lambda: is_pseudo_inverse(limit_inverse(FLAT), FLAT),
    ),
    "erratum-003-regression-bound-in-expectation": (
        lambda: spread_over_rate(320) <= 2 * spread_over_rate(20),
        lambda: math.isclose(*mean_gap(20)) and math.isclose(*mean_gap(320)),
    ),
    "erratum-003-fixed-design-test-error": (
        lambda: abs(out_of_sample_error(4, 12) - (1 + 5 / 12)) < 0.05,
        lambda: abs(out_of_sample_error(4, 12) - (1 + 1 / 12 + 4 * 13 / (12 * 6))) < 0.05,
    ),
    "erratum-003-noise-independence": (
        lambda: training_error([1, 4]) == sp.Rational(1 + 4, 2) * (1 - sp.Rational(1, 2)),
        lambda: training_error([1, 4]) == ((1 - HAT[0, 0]) * 1 + (1 - HAT[1, 1]) * 4) / 2,
    ),
}
