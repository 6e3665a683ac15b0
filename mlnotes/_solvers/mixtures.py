"""Components of mixtures, prepared for the E-step, and what both steps compute in bulk.

Tables have a row for each component and a column for each point, so that a sum over components is
one over long rows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mlnotes._numerics import shifted_exponentials
from mlnotes.validation import Array

# Below this mass of all its points together a component is empty: its moments have no digits left.
EMPTY = 1e-200

# Covariance types whose matrices are diagonal, and are kept as variances.
DIAGONAL = ("diag", "spherical")


def normalise_log_joint(log_joint: Array) -> Array:
    """Turn log-joint densities (components, points) into responsibilities in place.

    Returns the log-evidence of each point.
    """
    _, largest, totals = shifted_exponentials(log_joint, axis=0, out=log_joint)
    log_joint /= totals
    return np.asarray((largest + np.log(totals))[0])


def assign_to_largest(log_joint: Array) -> Array:
    """Give each point wholly to the component that is most likely, in place."""
    largest = log_joint.argmax(axis=0)
    best = log_joint.max(axis=0)
    log_joint[...] = 0.0
    log_joint[largest, np.arange(log_joint.shape[1])] = 1.0
    return np.asarray(best)


class Gaussians(NamedTuple):
    """Gaussian components, with what the E-step needs of their covariances.

    ``whitening`` maps a deviation from the mean to a standard Gaussian: a matrix for each component
    (or one for all), or, for axis-parallel components, a factor for each feature.
    """

    weights: Array
    means: Array
    covariances: Array
    whitening: Array
    log_factors: Array
    floored: NDArray[np.bool_]

    def log_joint(self, points: Array) -> tuple[Array, Array]:
        """Return the log-joint densities (components, points) and the deviations from the means."""
        deviations = points - self.means[:, None]  # (K, c, d)
        if self.whitening.ndim == 3:
            white = deviations @ self.whitening
        else:
            white = deviations * self.whitening[:, None]
        table = np.einsum("kcd,kcd->kc", white, white)
        table *= -0.5
        table += self.log_factors[:, None]
        return table, deviations


def gaussians(weights: Array, means: Array, covariances: Array, floor: float = 0.0) -> Gaussians:
    r"""Prepare Gaussian components, with no variance below ``floor`` in any direction.

    ``covariances`` holds matrices or, one row for each component, the variances of the features.
    Raising the eigenvalues of the average scatter :math:`S` to the floor maximises the expected
    log-likelihood among the covariances that respect it: the step remains an M-step.
    """
    d = means.shape[1]
    if covariances.ndim == 3:
        variances, axes = np.linalg.eigh(covariances)
        kept = np.maximum(variances, floor)
        whitening = axes / np.sqrt(kept)[:, None]
        floored = variances[:, 0] < floor
        if floored.any():
            covariances = (axes * kept[:, None]) @ axes.transpose(0, 2, 1)
    else:
        kept = np.maximum(covariances, floor)
        whitening = 1 / np.sqrt(kept)
        floored = np.asarray((covariances < floor).any(axis=1))
        covariances = kept
    with np.errstate(divide="ignore"):
        log_factors = np.log(weights) - 0.5 * (d * np.log(2 * np.pi) + np.log(kept).sum(axis=1))
    return Gaussians(weights, means, covariances, whitening, log_factors, floored)


class Moments(NamedTuple):
    """Weighted moments of the points about the means they were taken from."""

    masses: Array
    first: Array
    second: Array
    about: Gaussians


def gaussian_moments(
    chunks: Iterable[Array], about: Gaussians, covariance_type: str, share: Callable[[Array], Array]
) -> tuple[Moments, float]:
    """Add up the moments of all chunks; ``share`` turns log-joint densities into weights, in place.

    Returns with them the total of what ``share`` returns: the log-likelihood, if it normalises.
    """
    k, d = about.means.shape
    diagonal = covariance_type in DIAGONAL
    masses, first = np.zeros(k), np.zeros((k, d))
    second = np.zeros((k, d) if diagonal else (k, d, d))
    total = 0.0
    for Z in chunks:
        weights, deviations = about.log_joint(Z)
        total += float(share(weights).sum())
        masses += weights.sum(axis=1)
        first += np.matmul(weights[:, None], deviations)[:, 0]
        np.sqrt(weights, out=weights)
        deviations *= weights[:, :, None]
        if diagonal:
            second += np.einsum("kcd,kcd->kd", deviations, deviations)
        else:
            second += deviations.transpose(0, 2, 1) @ deviations
    return Moments(masses, first, second, about), total


def gaussian_m_step(moments: Moments, covariance_type: str, floor: float) -> Gaussians:
    """Return the Gaussians that maximise the expected log-likelihood above the floor."""
    masses, first, second, about = moments
    n = masses.sum()
    alive = masses > EMPTY
    safe = np.where(alive, masses, 1.0)
    shift = np.where(alive[:, None], first / safe[:, None], 0.0)
    means = about.means + shift
    if second.ndim == 2:
        spread = second / safe[:, None] - shift**2
        if covariance_type == "spherical":
            spread = np.repeat(spread.mean(axis=1, keepdims=True), spread.shape[1], axis=1)
    else:
        spread = second / safe[:, None, None] - shift[:, :, None] * shift[:, None]
        if covariance_type == "tied":
            pooled = np.tensordot(masses / n, spread, axes=1)
            return gaussians(masses / n, means, pooled[None], floor)
    # An empty component keeps its place and its shape; its weight is zero.
    shape = (-1,) + (1,) * (spread.ndim - 1)
    spread = np.where(alive.reshape(shape), spread, about.covariances)
    return gaussians(np.where(alive, masses, 0.0) / n, means, spread, floor)


def restrict(covariances: Array, weights: Array, covariance_type: str) -> Array:
    """Return full covariances as those of another type: averaged, or their diagonals."""
    if covariance_type == "full":
        return covariances
    if covariance_type == "tied":
        return np.tensordot(weights, covariances, axes=1)[None]
    variances = np.diagonal(covariances, axis1=1, axis2=2)
    if covariance_type == "diag":
        return np.asarray(variances)
    return np.repeat(variances.mean(axis=1, keepdims=True), variances.shape[1], axis=1)


class Bernoullis(NamedTuple):
    """Bernoulli components: their weights and the probabilities of a one in each feature."""

    weights: Array
    theta: Array

    def log_joint(self, points: Array) -> Array:
        """Return the log-joint probabilities (components, points) of zeros and ones."""
        no, yes = np.log1p(-self.theta), np.log(self.theta)
        with np.errstate(divide="ignore"):
            constant = np.log(self.weights) + no.sum(axis=1)
        return np.asarray((yes - no) @ points.T + constant[:, None])


class Counts(NamedTuple):
    """How many points each component has, and how many of them have each feature."""

    masses: Array
    ones: Array
    before: Bernoullis


def bernoulli_counts(
    chunks: Iterable[Array], components: Bernoullis, share: Callable[[Array], Array]
) -> tuple[Counts, float]:
    """Add up the counts of all chunks, as :func:`gaussian_moments` does the moments."""
    masses, ones = np.zeros(len(components.weights)), np.zeros(components.theta.shape)
    total = 0.0
    for Z in chunks:
        weights = components.log_joint(Z)
        total += float(share(weights).sum())
        masses += weights.sum(axis=1)
        ones += weights @ Z
    return Counts(masses, ones, components), total


def bernoulli_m_step(counts: Counts, floor: float) -> Bernoullis:
    """Return the frequencies of ones, kept ``floor`` away from 0 and 1."""
    masses, ones, before = counts
    alive = masses > EMPTY
    frequencies = ones / np.where(alive, masses, 1.0)[:, None]
    theta = np.where(alive[:, None], frequencies, before.theta)
    weights = np.where(alive, masses, 0.0) / masses.sum()
    return Bernoullis(weights, theta.clip(floor, 1 - floor))
