"""Tomography as least squares: rays through a grid of pixels, and something to look at."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse import csr_array

from mlnotes.validation import Array, check_count, check_vector

# Centre, half axes, angle and absorption of the ellipses of the phantom, in [-1, 1]².
ELLIPSES = (
    (0.0, 0.0, 0.88, 0.92, 0.0, 1.0),
    (0.0, 0.0, 0.80, 0.84, 0.0, -0.7),
    (-0.3, 0.1, 0.16, 0.36, 0.3, -0.2),
    (0.3, 0.1, 0.16, 0.36, -0.3, -0.2),
    (0.0, 0.55, 0.22, 0.16, 0.0, 0.4),
    (0.1, -0.5, 0.10, 0.10, 0.0, 0.6),
)


def tomography_matrix(
    n_pixels: int, angles: ArrayLike, *, n_sensors: int | None = None
) -> csr_array:
    r"""Return the matrix that maps an image to its line integrals along parallel rays.

    A ray of angle :math:`\varphi` and offset s consists of the points with
    :math:`u\cos\varphi+v\sin\varphi=s`, with the origin at the centre of the image and the width
    of a pixel as unit. A pixel whose centre is at distance t from it counts with weight
    :math:`\max(0,1-|t|)`.

    Parameters
    ----------
    n_pixels : int
        The image has so many rows, and columns; at most 1024.
    angles : array-like of shape (n_angles,)
        The angles :math:`\varphi`, in radians.
    n_sensors : int, optional
        Rays for each angle, at unit distances; as many as ``n_pixels`` if not given.

    Returns
    -------
    csr_array of shape (n_angles * n_sensors, n_pixels**2)
        Row ``i + n_sensors * a`` is ray i of angle a; column ``k + n_pixels * l`` is the pixel in
        column k and row l, so that it multiplies ``image.ravel()``.

    Examples
    --------
    >>> tomography_matrix(2, [0.0]).toarray()
    array([[1., 0., 1., 0.],
           [0., 1., 0., 1.]])
    """
    K = check_count(n_pixels, "n_pixels", at_most=1024)
    phi = check_vector(angles, name="angles")
    M = K if n_sensors is None else check_count(n_sensors, "n_sensors", at_most=4096)
    centres = np.arange(K) - (K - 1) / 2
    u, v = np.tile(centres, K), np.repeat(centres, K)
    rows, columns, weights = [np.empty(0, dtype=np.intp)], [np.empty(0, dtype=np.intp)], [u[:0]]
    for a, angle in enumerate(phi):
        place = u * np.cos(angle) + v * np.sin(angle) + (M - 1) / 2
        left = np.floor(place).astype(np.intp)
        for sensor in (left, left + 1):  # no other ray is nearer than 1
            weight = 1 - np.abs(place - sensor)
            hit = (sensor >= 0) & (sensor < M) & (weight > 0)
            rows.append(sensor[hit] + M * a)
            columns.append(np.flatnonzero(hit))
            weights.append(weight[hit])
    entries = np.concatenate(weights), (np.concatenate(rows), np.concatenate(columns))
    return csr_array(entries, shape=(M * len(phi), K * K))


def phantom(n_pixels: int) -> Array:
    """Return the absorption of an imagined head: a skull, two cavities and two lumps.

    Parameters
    ----------
    n_pixels : int
        Number of rows and of columns, at most 1024.

    Returns
    -------
    ndarray of shape (n_pixels, n_pixels)
        From 0 in the air to 1 in the bone.

    Examples
    --------
    >>> image = phantom(32)
    >>> image.shape, float(image.min()), float(image.max())
    ((32, 32), 0.0, 1.0)
    """
    K = check_count(n_pixels, "n_pixels", at_most=1024)
    centres = (np.arange(K) - (K - 1) / 2) / (K / 2)
    u, v = np.meshgrid(centres, -centres)
    image = np.zeros((K, K))
    for x, y, across, along, angle, absorption in ELLIPSES:
        right, up = u - x, v - y
        first = (right * np.cos(angle) + up * np.sin(angle)) / across
        second = (up * np.cos(angle) - right * np.sin(angle)) / along
        image += absorption * (first**2 + second**2 <= 1)
    return image.round(12).clip(0, 1)
