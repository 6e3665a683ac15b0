"""Principal components: the printed fails on an example on which the correction holds."""

from __future__ import annotations

from collections.abc import Callable
from math import pi, sqrt

import numpy as np

PCA_X = np.array([[1.0], [-1.0]])


def pca() -> tuple[float, np.ndarray]:
    values, vectors = np.linalg.eigh(PCA_X @ PCA_X.T)
    return float(values[-1]), vectors[:, -1]


def kernel_error(feature: np.ndarray) -> float:
    return float(np.sum((PCA_X @ PCA_X.T - np.outer(feature, feature)) ** 2))


WHITEN = np.array([[2.0, 1.0], [-2.0, 1.0], [2.0, -1.0], [-2.0, -1.0]])


def whitened_variance(factor: float) -> np.ndarray:
    values, vectors = np.linalg.eigh(WHITEN.T @ WHITEN)
    return np.asarray((WHITEN @ vectors * np.sqrt(factor / values)).var(axis=0))


def reconstruction_error(u: np.ndarray) -> float:
    return float(np.sum((WHITEN - WHITEN @ u @ u.T) ** 2))


def pursued(X: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Minimise the nuclear norm of L plus the weighted 1-norm of S with L + S = X."""
    weight, mu = 1 / sqrt(max(X.shape)), X.size / (4 * np.abs(X).sum())
    S, Y = np.zeros_like(X), np.zeros_like(X)
    for _ in range(300):
        u, s, v = np.linalg.svd(X - S + Y / mu, full_matrices=False)
        L = u * np.maximum(s - 1 / mu, 0) @ v
        M = X - L + Y / mu
        S = np.sign(M) * np.maximum(np.abs(M) - weight / mu, 0)
        Y += mu * (X - L - S)
    return L, S


CORNER = np.zeros((8, 8))


CORNER[0, 0] = 10


SPIKES = np.diag([5.0, 0, 0, -7, 0, 0, 0, 0])


FOUND: dict[str, tuple[Callable[[], bool], Callable[[], bool]]] = {
    "erratum-002b-pca-feature-scaling": (
        lambda: kernel_error(pca()[0] * pca()[1]) < 1e-12,
        lambda: kernel_error(sqrt(pca()[0]) * pca()[1]) < 1e-12,
    ),
    "erratum-002-whitening-scale": (
        lambda: np.allclose(whitened_variance(1), 1),
        lambda: np.allclose(whitened_variance(len(WHITEN)), 1),
    ),
    "erratum-002-pca-uncorrelated-first": (
        lambda: (
            reconstruction_error(np.array([[0.0], [1.0]]))
            <= reconstruction_error(np.array([[1.0], [0.0]]))
        ),
        lambda: all(
            reconstruction_error(np.array([[np.cos(a)], [np.sin(a)]]))
            >= reconstruction_error(np.array([[1.0], [0.0]]))
            for a in np.linspace(0, pi, 19)
        ),
    ),
    "erratum-002b-rpca-hypotheses": (
        lambda: np.allclose(pursued(CORNER)[0], CORNER, atol=1e-3),
        lambda: np.allclose(pursued(np.ones((8, 8)) + SPIKES)[1], SPIKES, atol=1e-3),
    ),
}
