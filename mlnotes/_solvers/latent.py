"""Independent components by a fixed-point iteration, and factors by maximum likelihood."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from mlnotes._numerics import ROUNDOFF, blocks
from mlnotes._solvers.principal_components import orient
from mlnotes.validation import Array

# Until no direction turns by more than this in a step, single precision says where to turn.
SINGLE_PRECISION_TOL = 1e-3
# Steps by turns before the quasi-Newton method, whose first strides may end at a lower maximum.
EM_STEPS_FIRST = 30
# The share of a variance below which its noise is suspected to vanish: a Heywood case.
VANISHING = 1e-2
# What is added to the Hessian of the noise, as a share of its mean curvature.
RIDGE = 1e-3


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


class _Point(NamedTuple):
    """Minus the log-likelihood at some noise with the best loadings, its slope, and what it is of.

    ``values`` and ``vectors`` are those of the correlations in units of ``roots``, the standard
    deviations of the noise. The leading ones beyond one are the factors'; as these loadings are the
    best, the slope, by the logarithms of the noise, is that for fixed loadings.
    """

    value: float
    slope: Array
    roots: Array
    values: Array
    vectors: Array


def _at(S: Array, k: int, logs: Array) -> _Point:
    """Evaluate the likelihood at the logarithms of the noise."""
    roots = np.exp(logs / 2)
    values, vectors = np.linalg.eigh(S / (roots[:, None] * roots))
    values, vectors = np.maximum(values[::-1], 0.0), vectors[:, ::-1]
    explained = np.ones(len(S))
    np.maximum(values[:k], 1.0, out=explained[:k])
    ratios = values / explained
    total = len(S) * np.log(2 * np.pi) + logs.sum() + np.log(explained).sum() + ratios.sum()
    slope = 0.5 * vectors**2 @ ((1 - ratios) / explained)
    return _Point(0.5 * float(total), slope, roots, values, vectors)


def fit_factors(S: Array, k: int, max_iter: int, tol: float, floor: float) -> FactorModel:
    """Maximise the likelihood of a correlation matrix over loadings and noise.

    For given noise the best loadings are known: the leading eigenvectors of the matrix in units of
    the noise, of the length that leaves a variance of one to the noise. What remains is a function
    of the logarithms of the noise, for Newton's method. A maximum at which the noise of a feature
    nearly vanishes may be one among several. There, and only there, it is also sought from the
    other side, and the more likely model is returned.
    """
    found = _newton(S, k, max_iter, tol, floor)
    if found.noise.min() > VANISHING:
        return found
    other = _by_turns(S, k, max_iter, tol, floor)
    return max(found, other, key=lambda model: float(model.log_likelihoods[-1]))


def _newton(S: Array, k: int, max_iter: int, tol: float, floor: float) -> FactorModel:
    """Maximise by Newton's method with Jöreskog's Hessian, which is exact where the model is true.

    Its entries are ½(Σₘ vᵢₘvⱼₘ)² over the vectors m that are not the factors'. A step that does not
    raise the likelihood is taken back, and a quasi-Newton method goes on.
    """
    logs, found = np.log(_first_noise(S, k, floor)), list[float]()
    point = _at(S, k, logs)
    for _ in range(max_iter):
        rest = point.vectors[:, k:]
        hessian = 0.5 * (rest @ rest.T) ** 2
        hessian.flat[:: len(S) + 1] += RIDGE * (hessian.trace() / len(S) + ROUNDOFF)
        moved = np.clip(logs - np.linalg.solve(hessian, point.slope), np.log(floor), 0.0)
        trial = _at(S, k, moved)
        gain = point.value - trial.value
        if gain < 0:
            break
        found.append(-point.value)
        logs, point = moved, trial
        if gain <= tol * abs(point.value):
            return _model(logs, point, k, [*found, -point.value], True)
    return _quasi_newton(S, k, logs, found, max_iter, tol, floor)


def _by_turns(S: Array, k: int, max_iter: int, tol: float, floor: float) -> FactorModel:
    """Maximise from the largest noise on, first by turns over the loadings and the noise.

    The noise becomes what the loadings leave of each variance, which never lowers the likelihood.
    """
    logs, found = np.zeros(len(S)), list[float]()
    variances = S.diagonal()
    for _ in range(min(EM_STEPS_FIRST, max_iter)):
        point = _at(S, k, logs)
        found.append(-point.value)
        lengths = np.maximum(point.values[:k], 1.0) - 1
        shared = point.roots**2 * (point.vectors[:, :k] ** 2 @ lengths)
        logs = np.minimum(np.log(np.maximum(variances - shared, floor)), 0.0)
    return _quasi_newton(S, k, logs, found, max_iter, tol, floor)


def _quasi_newton(
    S: Array, k: int, logs: Array, found: list[float], max_iter: int, tol: float, floor: float
) -> FactorModel:
    """Go on from this noise by limited-memory BFGS; ``found`` are the likelihoods before it."""
    known: dict[bytes, float] = {}
    reached: list[float] = []

    def cost(logs: Array) -> tuple[float, Array]:
        point = _at(S, k, logs)
        known[logs.tobytes()] = -point.value
        return point.value, point.slope

    left = max_iter - len(found)
    if left <= 0:
        point = _at(S, k, logs)
        return _model(logs, point, k, [*found, -point.value], False)
    run = minimize(
        cost,
        logs,
        jac=True,
        method="L-BFGS-B",
        bounds=[(np.log(floor), 0.0)] * len(S),
        options={"maxiter": left, "maxfun": 100 * left, "ftol": tol, "gtol": 1e-9},
        callback=lambda logs: reached.append(known[logs.tobytes()]),
    )
    first = next(iter(known.values()))
    return _model(run.x, _at(S, k, run.x), k, [*found, first, *reached], run.status != 1)


def _first_noise(S: Array, k: int, floor: float) -> Array:
    """Return (1 − k/2d)/(S⁻¹)ⱼⱼ, Jöreskog's start, within what the noise may be.

    1/(S⁻¹)ⱼⱼ is what a regression on the other features leaves of the variance of feature j. The
    factors, of which those features are only noisy pictures, leave less.
    """
    values, vectors = np.linalg.eigh(S)
    inverse = vectors**2 @ (1 / np.maximum(values, floor * values[-1]))
    return np.asarray(np.clip((1 - k / (2 * len(S))) / inverse, floor, 1.0))


def _model(logs: Array, point: _Point, k: int, found: list[float], converged: bool) -> FactorModel:
    lengths = np.maximum(point.values[:k], 1.0) - 1
    loadings = point.roots[:, None] * point.vectors[:, :k] * np.sqrt(lengths)
    return FactorModel(orient(loadings), np.exp(logs), np.array(found), converged)
