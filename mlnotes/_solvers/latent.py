"""Independent components by a fixed-point iteration, and factors by maximum likelihood."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from mlnotes._numerics import blocks
from mlnotes._solvers.principal_components import orient
from mlnotes.validation import Array

# Until no direction turns by more than this in a step, single precision says where to turn.
SINGLE_PRECISION_TOL = 1e-3
# Steps by turns before the quasi-Newton method, whose first strides may end at a lower maximum.
EM_STEPS_FIRST = 30


class Unmixing(NamedTuple):
    """Orthonormal columns that unmix whitened data, and how the iteration went."""

    columns: Array
    n_iter: int
    converged: bool


def unmix(
    Z: Array, start: Array, contrast: str, parallel: bool, max_iter: int, tol: float
) -> Unmixing:
    """Find orthonormal directions along which whitened data are least Gaussian."""
    if not parallel:
        return _one_by_one(Z, start, contrast, max_iter, tol)
    W, n_iter = _orthonormal(start), 0
    if tol < SINGLE_PRECISION_TOL and max_iter > 1:
        W, n_iter, _ = _together(
            Z.astype(np.float32), W, contrast, max_iter - 1, SINGLE_PRECISION_TOL
        )
    W, more, converged = _together(Z, W, contrast, max_iter - n_iter, tol)
    return Unmixing(W, n_iter + more, converged)


def _together(
    Z: NDArray[Any], W: Array, contrast: str, max_iter: int, tol: float
) -> tuple[Array, int, bool]:
    for step in range(1, max_iter + 1):
        moved = _orthonormal(_newton_step(Z, W, contrast))
        turned = float(np.abs(np.abs((moved * W).sum(axis=0)) - 1).max())
        W = moved
        if turned < tol:
            return W, step, True
    return W, max_iter, False


def _one_by_one(Z: Array, start: Array, contrast: str, max_iter: int, tol: float) -> Unmixing:
    W, n_iter, converged = np.zeros_like(start), 0, True
    for j in range(start.shape[1]):
        w, found = _project_out(start[:, j : j + 1], W[:, :j]), False
        for step in range(1, max_iter + 1):
            moved = _project_out(_newton_step(Z, w, contrast), W[:, :j])
            found = abs(abs(float((moved * w).sum())) - 1) < tol
            w, n_iter = moved, max(n_iter, step)
            if found:
                break
        W[:, j], converged = w[:, 0], converged and found
    return Unmixing(W, n_iter, converged)


def _newton_step(Z: NDArray[Any], W: Array, contrast: str) -> Array:
    """Return the mean of z G'(⟨w, z⟩) less that of G''(⟨w, z⟩) w, for every column w."""
    n, k = len(Z), W.shape[1]
    slopes, curvature, columns = np.zeros_like(W), np.zeros(k), W.astype(Z.dtype)
    for block in blocks(n, 2 * k):
        part = Z[block]
        values = part @ columns
        if contrast == "logcosh":
            np.tanh(values, out=values)
            slopes += part.T @ values
            curvature += len(values) - np.einsum("ij,ij->j", values, values)
        else:
            squares = values**2
            bell = np.exp(-squares / 2)
            slopes += part.T @ (values * bell)
            curvature += ((1 - squares) * bell).sum(axis=0)
    return np.asarray((slopes - curvature * W) / n)


def _orthonormal(W: Array) -> Array:
    """Return the nearest matrix with orthonormal columns."""
    left, _, right = np.linalg.svd(W, full_matrices=False)
    return np.asarray(left @ right)


def _project_out(w: Array, found: Array) -> Array:
    """Return a unit column orthogonal to those found."""
    for _ in range(2):
        w = w - found @ (found.T @ w)
    return np.asarray(w / np.linalg.norm(w))


class FactorModel(NamedTuple):
    """Loadings (d, k), the variances of the noise, the mean log-likelihoods, and how it went."""

    loadings: Array
    noise: Array
    log_likelihoods: Array
    converged: bool


def fit_factors(S: Array, k: int, max_iter: int, tol: float, floor: float) -> FactorModel:
    """Maximise the likelihood of a correlation matrix over loadings and noise.

    For given noise the best loadings are known: the leading eigenvectors of the matrix in units of
    the noise, of the length that leaves a variance of one to the noise. What remains is a function
    of the logarithms of the noise. A few steps set the noise to what the loadings leave of each
    variance, which never lowers the likelihood; from there a quasi-Newton method goes on. As the
    loadings are the best ones, the derivatives are those for fixed loadings.
    """
    d = len(S)

    def loadings_at(logs: Array) -> tuple[Array, Array, Array]:
        roots = np.exp(logs / 2)
        values, vectors = np.linalg.eigh(S / np.outer(roots, roots))
        return roots, np.maximum(values[::-1], 0.0), vectors[:, ::-1]

    def value_at(logs: Array, values: Array) -> tuple[float, Array]:
        """Return minus the log-likelihood, and what the model makes of each variance."""
        explained = np.ones(d)
        np.maximum(values[:k], 1.0, out=explained[:k])
        total = d * np.log(2 * np.pi) + logs.sum() + np.log(explained).sum()
        return 0.5 * float(total + (values / explained).sum()), explained

    def cost(logs: Array) -> tuple[float, Array]:
        _, values, vectors = loadings_at(logs)
        value, explained = value_at(logs, values)
        slope = (1 - values / explained) / explained
        known[logs.tobytes()] = -value
        return value, 0.5 * vectors**2 @ slope

    logs, found, known = np.zeros(d), [], dict[bytes, float]()
    variances = S.diagonal()
    for _ in range(min(EM_STEPS_FIRST, max_iter)):
        roots, values, vectors = loadings_at(logs)
        found.append(-value_at(logs, values)[0])
        lengths = np.maximum(values[:k], 1.0) - 1
        shared = roots**2 * (vectors[:, :k] ** 2 @ lengths)
        logs = np.log(np.maximum(variances - shared, floor))
    left = max_iter - EM_STEPS_FIRST
    parts = loadings_at(logs)
    found.append(-value_at(logs, parts[1])[0])
    if left <= 0:
        return _model(logs, parts, k, np.array(found), False)
    run = minimize(
        cost,
        np.minimum(logs, 0.0),
        jac=True,
        method="L-BFGS-B",
        bounds=[(np.log(floor), 0.0)] * d,
        options={"maxiter": left, "maxfun": 100 * left, "ftol": tol, "gtol": 1e-9},
        callback=lambda logs: found.append(known[logs.tobytes()]),
    )
    return _model(run.x, loadings_at(run.x), k, np.array(found), run.status != 1)


def _model(
    logs: Array, parts: tuple[Array, Array, Array], k: int, found: Array, converged: bool
) -> FactorModel:
    roots, values, vectors = parts
    loadings = roots[:, None] * vectors[:, :k] * np.sqrt(np.maximum(values[:k], 1.0) - 1)
    return FactorModel(orient(loadings), np.exp(logs), found, converged)
