"""Components of mixtures, prepared for the E-step, and what both steps compute in bulk.

Tables have a row for each component and a column for each point, so that a sum over components is
one over long rows.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mlnotes.validation import Array


def normalise_log_joint(log_joint: Array) -> Array:
    """Turn log-joint densities (components, points) into responsibilities in place.

    Returns the log-evidence of each point. The largest density of a point is divided out before
    the exponential, so that at least one term is 1.
    """
    largest = log_joint.max(axis=0)
    log_joint -= largest
    np.exp(log_joint, out=log_joint)
    totals = log_joint.sum(axis=0)
    log_joint /= totals
    return np.asarray(largest + np.log(totals))


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


def bernoulli_table(points: Array, log_weights: Array, theta: Array) -> Array:
    """Return the log-joint probabilities (components, points) of zeros and ones."""
    no, yes = np.log1p(-theta), np.log(theta)
    return np.asarray((yes - no) @ points.T + (log_weights + no.sum(axis=1))[:, None])
