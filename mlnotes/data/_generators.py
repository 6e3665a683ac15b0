"""Simulated data sets, each returned with the truth it was drawn from."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import betainc, betaincinv

from mlnotes.validation import check_count, check_numbers, check_random_state, check_scalar

Floats = NDArray[np.float64]
Labels = NDArray[np.int64]

# Lengths whose squares are floats.
LARGEST = 1e150


class LabelledSample(NamedTuple):
    """Points ``X`` of shape (n, d) with labels ``y``, each -1 or +1.

    Examples
    --------
    >>> from mlnotes.data import make_xor
    >>> X, y = make_xor(random_state=0)
    >>> X.shape, y.shape
    ((4, 2), (4,))
    """

    X: Floats
    y: Labels


class SeparableSample(NamedTuple):
    """Points separated through the origin, with the margin and radius that they attain.

    Attributes
    ----------
    X : ndarray of shape (n, d)
    y : ndarray of shape (n,)
        Labels -1 and +1.
    direction : ndarray of shape (d,)
        The unit vector of largest margin.
    margin : float
        The least ``y * (X @ direction)``, which no other unit vector exceeds.
    radius : float
        The largest norm of a row.

    Examples
    --------
    >>> from mlnotes.data import make_separable
    >>> sample = make_separable(10, margin=0.5, radius=2.0, random_state=0)
    >>> (sample.radius / sample.margin) ** 2  # no perceptron makes more mistakes on it
    16.0
    """

    X: Floats
    y: Labels
    direction: Floats
    margin: float
    radius: float


class NoisySample(NamedTuple):
    """Points labelled by a hyperplane, some of them wrongly.

    Attributes
    ----------
    X : ndarray of shape (n, d)
    y : ndarray of shape (n,)
        Labels -1 and +1.
    direction : ndarray of shape (d,)
        The unit normal that gave the labels before some were flipped.
    flipped : ndarray of shape (n,)
        True for the rows whose label was flipped.

    Examples
    --------
    >>> from mlnotes.data import make_noisy
    >>> sample = make_noisy(30, flip=0.2, random_state=0)
    >>> wrong = sample.y != [1 if a > 0 else -1 for a in sample.X @ sample.direction]
    >>> bool((wrong == sample.flipped).all())
    True
    """

    X: Floats
    y: Labels
    direction: Floats
    flipped: NDArray[np.bool_]


class MixtureSample(NamedTuple):
    """Points drawn from a mixture of Gaussians.

    Attributes
    ----------
    X : ndarray of shape (n, d)
    y : ndarray of shape (n,)
        The component, 0 to k - 1, that each row was drawn from.
    means : ndarray of shape (k, d)
    covariances : ndarray of shape (k, d, d)
    weights : ndarray of shape (k,)
        The probabilities of the components; they sum to one.

    Examples
    --------
    >>> from mlnotes.data import make_mixture
    >>> sample = make_mixture(10, [[0.0], [5.0], [9.0]], random_state=0)
    >>> sample.means[sample.y].shape  # the centre of each row's component
    (10, 1)
    """

    X: Floats
    y: Labels
    means: Floats
    covariances: Floats
    weights: Floats


class ContaminatedSample(NamedTuple):
    """A linear regression some of whose responses are grossly wrong.

    Attributes
    ----------
    X : ndarray of shape (n, d)
    y : ndarray of shape (n,)
    coef : ndarray of shape (d,)
    intercept : float
        The truth: a clean response is ``X @ coef + intercept`` and noise.
    outlier : ndarray of shape (n,)
        True for the contaminated rows.

    Examples
    --------
    >>> from mlnotes.data import make_contaminated
    >>> sample = make_contaminated(20, contamination=0.2, random_state=0)
    >>> len(sample.y[~sample.outlier])
    16
    """

    X: Floats
    y: Floats
    coef: Floats
    intercept: float
    outlier: NDArray[np.bool_]


def make_separable(
    n: int,
    d: int = 2,
    *,
    margin: float,
    radius: float = 1.0,
    random_state: int | np.random.Generator,
) -> SeparableSample:
    """Draw points that a hyperplane through the origin separates with exactly this margin.

    Four rows are placed so that margin and radius are attained, to rounding error: two positive
    points ``margin * direction ± s * u`` with ``u`` orthogonal to ``direction``, a negative point
    ``-margin * direction + t * u`` with ``|t| <= s``, and a point of norm ``radius``. The midpoint
    of the first two, ``margin * direction``, lies in the convex hull of the vectors ``y * x``, and
    no unit vector has a larger margin than the norm of such a point; so ``margin`` is the largest
    one. The third point makes it the largest for hyperplanes with an offset too, because the
    convex hulls of the classes are then ``2 * margin`` apart. The remaining rows are uniform in
    the part of the ball of this radius that has the margin.

    Parameters
    ----------
    n : int
        Number of points, at least 4.
    d : int, default=2
        Dimension.
    margin : float
        Distance of the nearest point from the hyperplane, between 0 and ``radius``.
    radius : float, default=1.0
        Norm of the longest point.
    random_state : int or numpy.random.Generator
        Seed; the same seed gives the same points.

    Returns
    -------
    SeparableSample

    Examples
    --------
    >>> import numpy as np
    >>> from mlnotes.data import make_separable
    >>> X, y, direction, margin, radius = make_separable(30, margin=0.25, random_state=7)
    >>> round(float(min(y * (X @ direction))), 12)
    0.25
    >>> round(float(np.linalg.norm(X, axis=1).max()), 12)
    1.0
    """
    check_count(n, "n", at_least=4)
    check_count(d, "d")
    check_scalar(radius, "radius", above=0, most=LARGEST)
    check_scalar(margin, "margin", above=0, below=radius)
    rng = seeded_generator(random_state)

    direction = _unit(rng.normal(size=d))
    y = np.concatenate([[1, 1, -1], _signs(rng, n - 3)])
    along, reach, sides = _cap(rng, n, direction, margin, radius)
    along[:3] = margin
    if d == 1:
        along[3] = radius
    half_width = np.sqrt(radius**2 - margin**2) * rng.uniform(0.3, 0.9)
    sides[:3] = sides[0]
    reach[:3] = half_width * np.array([1.0, -1.0, rng.uniform(-1, 1)])
    reach[3] = np.sqrt(radius**2 - along[3] ** 2)
    X = (y * along)[:, None] * direction + reach[:, None] * sides

    order = rng.permutation(n)
    return SeparableSample(X[order], y[order], direction, float(margin), float(radius))


def make_noisy(
    n: int,
    d: int = 2,
    *,
    flip: float = 0.1,
    margin: float = 0.0,
    radius: float = 1.0,
    random_state: int | np.random.Generator,
) -> NoisySample:
    """Draw points labelled by a hyperplane through the origin and flip some of the labels.

    Parameters
    ----------
    n : int
        Number of points.
    d : int, default=2
        Dimension.
    flip : float, default=0.1
        Share of the labels to flip; exactly ``round(flip * n)`` are, at random.
    margin : float, default=0.0
        Least distance from the hyperplane.
    radius : float, default=1.0
        The points are uniform in the ball of this radius, outside the margin.
    random_state : int or numpy.random.Generator
        Seed; the same seed gives the same points.

    Returns
    -------
    NoisySample

    Notes
    -----
    A few flipped labels may by luck leave the points separable, by another hyperplane. No label
    or point is redrawn to prevent it.

    Examples
    --------
    >>> from mlnotes.data import make_noisy
    >>> sample = make_noisy(40, flip=0.1, random_state=0)
    >>> int(sample.flipped.sum())
    4
    >>> bool(((sample.y * (sample.X @ sample.direction) < 0) == sample.flipped).all())
    True
    """
    check_count(n, "n")
    check_count(d, "d")
    check_scalar(flip, "flip", least=0, most=1)
    check_scalar(radius, "radius", above=0, most=LARGEST)
    check_scalar(margin, "margin", least=0, below=radius)
    rng = seeded_generator(random_state)

    direction = _unit(rng.normal(size=d))
    y = _signs(rng, n)
    along, reach, sides = _cap(rng, n, direction, margin, radius)
    X = (y * along)[:, None] * direction + reach[:, None] * sides
    flipped = _some(rng, n, flip)
    return NoisySample(X, np.where(flipped, -y, y), direction, flipped)


def make_xor(
    n: int = 4, *, noise: float = 0.0, random_state: int | np.random.Generator
) -> LabelledSample:
    """Draw the exclusive or: +1 where the signs of the two coordinates differ, else -1.

    Parameters
    ----------
    n : int, default=4
        Number of points; they take the corners (±1, ±1) in turn.
    noise : float, default=0.0
        Standard deviation of Gaussian noise added to the coordinates, not to the labels. Without
        noise, four points are the classical example that no line separates.
    random_state : int or numpy.random.Generator
        Seed; the same seed gives the same points.

    Returns
    -------
    LabelledSample

    Examples
    --------
    >>> from mlnotes.data import make_xor
    >>> X, y = make_xor(random_state=0)
    >>> [(*map(int, x), int(label)) for x, label in zip(X, y)]
    [(1, 1, -1), (-1, 1, 1), (-1, -1, -1), (1, -1, 1)]
    """
    check_count(n, "n")
    check_scalar(noise, "noise", least=0)
    rng = seeded_generator(random_state)
    corners = np.array([[1.0, 1.0], [-1.0, 1.0], [-1.0, -1.0], [1.0, -1.0]])
    corner = np.arange(n) % 4
    X = corners[corner] + noise * rng.normal(size=(n, 2))
    return LabelledSample(X, np.where(corner % 2 == 0, -1, 1))


def make_moons(
    n: int, *, noise: float = 0.1, random_state: int | np.random.Generator
) -> LabelledSample:
    """Draw two half circles that reach into one another.

    Parameters
    ----------
    n : int
        Number of points, at least 2; the upper moon, labelled +1, gets the odd one.
    noise : float, default=0.1
        Standard deviation of Gaussian noise added to the coordinates.
    random_state : int or numpy.random.Generator
        Seed; the same seed gives the same points.

    Returns
    -------
    LabelledSample

    Examples
    --------
    >>> import numpy as np
    >>> from mlnotes.data import make_moons
    >>> X, y = make_moons(100, noise=0.0, random_state=0)
    >>> bool(np.allclose(np.linalg.norm(X[y == 1], axis=1), 1))
    True
    """
    check_count(n, "n", at_least=2)
    check_scalar(noise, "noise", least=0)
    rng = seeded_generator(random_state)
    y = np.where(np.arange(n) % 2 == 0, 1, -1)
    angle = rng.uniform(0, np.pi, size=n)
    arc = np.column_stack([np.cos(angle), np.sin(angle)])
    lower = np.array([1.0, 0.5]) - arc
    X = np.where(y[:, None] == 1, arc, lower) + noise * rng.normal(size=(n, 2))
    return LabelledSample(X, y)


def make_discs(
    n: int,
    *,
    inner: float = 0.5,
    gap: float = 0.2,
    outer: float = 1.0,
    random_state: int | np.random.Generator,
) -> LabelledSample:
    """Draw a disc, labelled +1, inside a ring, labelled -1: separable by a circle, not by a line.

    Parameters
    ----------
    n : int
        Number of points, at least 2; the disc gets the odd one.
    inner : float, default=0.5
        Radius of the disc.
    gap : float, default=0.2
        Width of the empty ring around the disc.
    outer : float, default=1.0
        Outer radius of the ring.
    random_state : int or numpy.random.Generator
        Seed; the same seed gives the same points.

    Returns
    -------
    LabelledSample

    Examples
    --------
    >>> import numpy as np
    >>> from mlnotes.data import make_discs
    >>> X, y = make_discs(100, random_state=0)
    >>> bool((np.where(np.linalg.norm(X, axis=1) < 0.6, 1, -1) == y).all())
    True
    """
    check_count(n, "n", at_least=2)
    check_scalar(inner, "inner", above=0, most=LARGEST)
    check_scalar(gap, "gap", least=0, most=LARGEST)
    check_scalar(outer, "outer", above=inner + gap, most=2 * LARGEST)
    rng = seeded_generator(random_state)
    y = np.where(np.arange(n) % 2 == 0, 1, -1)
    low = np.where(y == 1, 0.0, inner + gap)
    high = np.where(y == 1, inner, outer)
    # Uniform in area: the squared radius is uniform.
    r = np.sqrt(rng.uniform(low**2, high**2))
    angle = rng.uniform(0, 2 * np.pi, size=n)
    return LabelledSample(np.column_stack([r * np.cos(angle), r * np.sin(angle)]), y)


def make_mixture(
    n: int,
    means: ArrayLike,
    *,
    covariances: ArrayLike = 1.0,
    weights: ArrayLike | None = None,
    random_state: int | np.random.Generator,
) -> MixtureSample:
    """Draw from a mixture of Gaussians and say which component each point came from.

    Parameters
    ----------
    n : int
        Number of points.
    means : array-like of shape (k, d)
        One row for each component.
    covariances : float, array-like of shape (d, d) or (k, d, d), default=1.0
        A variance for all coordinates, a covariance for all components, or one for each.
    weights : array-like of shape (k,), optional
        Probabilities of the components; equal if left out.
    random_state : int or numpy.random.Generator
        Seed; the same seed gives the same points.

    Returns
    -------
    MixtureSample

    Examples
    --------
    >>> from mlnotes.data import make_mixture
    >>> sample = make_mixture(200, [[-2, 0], [2, 0]], weights=[0.25, 0.75], random_state=0)
    >>> sample.X.shape, sample.covariances.shape, sorted(set(sample.y.tolist()))
    ((200, 2), (2, 2, 2), [0, 1])
    """
    check_count(n, "n")
    centres = check_numbers(means, "means")
    if centres.ndim != 2 or centres.size == 0:
        raise ValueError(
            f"means must be an array of shape (k, d), got shape {centres.shape}; "
            "pass one row for each component, such as [[-2, 0], [2, 0]]"
        )
    k, d = centres.shape
    spread = _covariances(covariances, k, d)
    share = np.full(k, 1 / k) if weights is None else check_numbers(weights, "weights")
    if share.shape != (k,) or not (share >= 0).all() or not np.isclose(share.sum(), 1):
        raise ValueError(
            f"weights must be {k} numbers, none negative, that sum to 1, got {weights!r}; "
            "divide them by their sum"
        )
    share = share / share.sum()
    rng = seeded_generator(random_state)
    y = rng.choice(k, size=n, p=share)
    # The symmetric square root exists for singular covariances too, unlike Cholesky's factor.
    variances, axes = np.linalg.eigh(spread)
    root = axes * np.sqrt(variances.clip(min=0))[:, None, :]  # root @ root.T = covariance
    X = centres[y] + np.einsum("nij,nj->ni", root[y], rng.normal(size=(n, d)))
    return MixtureSample(X, y, centres, spread, share)


def make_contaminated(
    n: int,
    d: int = 1,
    *,
    noise: float = 1.0,
    contamination: float = 0.1,
    shift: float = 10.0,
    leverage: float = 0.0,
    random_state: int | np.random.Generator,
) -> ContaminatedSample:
    """Draw a linear regression and spoil some of its rows.

    Parameters
    ----------
    n : int
        Number of rows.
    d : int, default=1
        Number of features, each standard normal, as are the coefficients and the intercept.
    noise : float, default=1.0
        Standard deviation of the Gaussian noise on every response.
    contamination : float, default=0.1
        Share of rows to spoil, less than half: exactly ``round(contamination * n)``, at random.
    shift : float, default=10.0
        Added to the responses of the spoilt rows.
    leverage : float, default=0.0
        Added to the first feature of the spoilt rows after their responses were drawn, which
        makes them bad leverage points.
    random_state : int or numpy.random.Generator
        Seed; the same seed gives the same rows.

    Returns
    -------
    ContaminatedSample

    Examples
    --------
    >>> import numpy as np
    >>> from mlnotes.data import make_contaminated
    >>> sample = make_contaminated(50, noise=0.0, random_state=0)
    >>> residual = sample.y - sample.X @ sample.coef - sample.intercept
    >>> np.unique(residual.round(12)).tolist(), int(sample.outlier.sum())
    ([0.0, 10.0], 5)
    """
    check_count(n, "n")
    check_count(d, "d")
    check_scalar(noise, "noise", least=0)
    check_scalar(contamination, "contamination", least=0, below=0.5)
    check_scalar(shift, "shift")
    check_scalar(leverage, "leverage")
    rng = seeded_generator(random_state)
    X = rng.normal(size=(n, d))
    coef = rng.normal(size=d)
    intercept = float(rng.normal())
    outlier = _some(rng, n, contamination)
    y = X @ coef + intercept + noise * rng.normal(size=n) + shift * outlier
    X[:, 0] += leverage * outlier
    return ContaminatedSample(X, y, coef, intercept, outlier)


def _cap(
    rng: np.random.Generator, n: int, direction: Floats, margin: float, radius: float
) -> tuple[Floats, Floats, Floats]:
    """Draw points uniform in the part ``<direction, x> >= margin`` of the ball.

    Returns the lengths along ``direction``, the lengths across it, and the unit vectors, orthogonal
    to ``direction``, across which those go; on a line there are none, and they are zero. The first
    coordinate of a uniform point of the unit ball, moved to [0, 1], has the Beta((d+1)/2, (d+1)/2)
    distribution; the orthogonal part is then uniform in a ball of one dimension less. Drawing the
    truncated coordinate by its inverse distribution function works for every margin, where
    rejection would wait for ever.
    """
    d = len(direction)
    shape = (d + 1) / 2
    tail = betainc(shape, shape, (1 - margin / radius) / 2)
    if tail < np.finfo(np.float64).tiny:
        raise ValueError(
            f"in dimension {d} the part of the ball with margin {margin:g} of radius {radius:g} is "
            "too small to draw from; choose a smaller margin or dimension"
        )
    along = radius * (1 - 2 * betaincinv(shape, shape, tail * rng.uniform(size=n)))
    along = along.clip(margin, radius)
    sides = rng.normal(size=(n, d))
    sides -= np.outer(sides @ direction, direction)
    if d == 1:
        return along, np.zeros(n), np.zeros((n, 1))
    sides /= np.linalg.norm(sides, axis=1, keepdims=True)
    reach = np.sqrt(radius**2 - along**2) * rng.uniform(size=n) ** (1 / (d - 1))
    return along, reach, sides


def _unit(vector: Floats) -> Floats:
    return np.asarray(vector / np.linalg.norm(vector))


def _signs(rng: np.random.Generator, n: int) -> Labels:
    return rng.choice(np.array([-1, 1]), size=n)


def _some(rng: np.random.Generator, n: int, share: float) -> NDArray[np.bool_]:
    """Mark exactly ``round(share * n)`` of ``n`` rows."""
    chosen = np.zeros(n, dtype=np.bool_)
    chosen[rng.permutation(n)[: round(share * n)]] = True
    return chosen


def _covariances(covariances: ArrayLike, k: int, d: int) -> Floats:
    given = check_numbers(covariances, "covariances")
    if given.ndim == 0:
        given = given * np.eye(d)
    if given.shape not in [(d, d), (k, d, d)]:
        raise ValueError(
            f"covariances must be a number or have shape {(d, d)} or {(k, d, d)}, "
            f"got shape {given.shape}"
        )
    full = np.broadcast_to(given, (k, d, d)).copy()
    scale = np.abs(full).max()
    if (
        not np.allclose(full, full.swapaxes(1, 2), atol=1e-12 * scale)
        or np.linalg.eigvalsh(full).min() < -1e-12 * scale
    ):
        raise ValueError(
            "covariances must be symmetric and without negative eigenvalues; "
            "pass A @ A.T for a matrix A of your choice"
        )
    return full


def seeded_generator(random_state: int | np.random.Generator) -> np.random.Generator:
    if random_state is None:
        raise ValueError("random_state must be a seed or a numpy.random.Generator; pass 0")
    return check_random_state(random_state)
