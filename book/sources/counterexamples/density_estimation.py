"""Density estimation: the printed fails on an example on which the correction holds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction as F
from math import exp, isclose

from scipy.stats import lognorm, norm

INTENSITY = [F(1), F(7), F(2), F(10)]


def merged(bins: int) -> list[F]:
    width = len(INTENSITY) // bins
    return [sum(INTENSITY[i * width : (i + 1) * width], F(0)) for i in range(bins)]


def histogram_risk(bins: int) -> F:
    """Return the mean integrated squared error of Poisson counts over their bins, per length."""
    means, width = merged(bins), F(len(INTENSITY), bins)
    truth = sum((a**2 for a in INTENSITY), F(0))
    noise = sum(means, F(0)) / width
    return (noise + truth - sum(m**2 for m in means) / width) / len(INTENSITY)


def shinomoto(bins: int, counts: bool) -> F:
    """Return the expected criterion of Shimazaki and Shinomoto, of counts or of heights."""
    means, width, total = merged(bins), F(len(INTENSITY), bins), sum(INTENSITY)
    mean = sum(means) / bins
    variance = sum(m + m**2 for m in means) / bins - mean**2 - mean / bins
    unit = F(1) if counts else 1 / (total * width)
    return (2 * mean * unit - variance * unit**2) / width**2


def best_bins(criterion: Callable[[int], F]) -> int:
    return min((1, 2, 4), key=criterion)


TRAIN, TEST = [3, 27, 25, 5], [6, 24, 26, 4]


def grouped(counts: Sequence[int], bins: int) -> list[F]:
    size = len(counts) // bins
    return [F(sum(counts[i * size : (i + 1) * size]), sum(counts)) for i in range(bins)]


def split_distance(bins: int) -> F:
    pairs = zip(grouped(TRAIN, bins), grouped(TEST, bins), strict=True)
    return sum(((n - m) ** 2 for n, m in pairs), F(0)) * bins


def held_out_loss(bins: int) -> F:
    pairs = zip(grouped(TRAIN, bins), grouped(TEST, bins), strict=True)
    return sum((n**2 - 2 * n * m for n, m in pairs), F(0)) * bins


def true_loss(bins: int) -> F:
    """Return the integrated squared error for the density (1, 9, 9, 1) / 5 on four quarters."""
    truth = [F(1, 5), F(9, 5), F(9, 5), F(1, 5)]
    heights = [h * bins for h in grouped(TRAIN, bins) for _ in range(4 // bins)]
    return sum(((h - p) ** 2 for h, p in zip(heights, truth, strict=True)), F(0)) / 4


def squared_mass() -> F:
    """Integrate the squared density of two children with 50 and 150 of 1000 instances."""
    heights = [(F(50, 1000) / F(1, 10), F(1, 10)), (F(150, 1000) / F(3, 20), F(3, 20))]
    return sum((height**2 * volume for height, volume in heights), F(0))


def clipped(x: float) -> float:
    return max(x, 0.0)


def pushed_back(
    x: float, density: Callable[[float], float], transform: Callable[[float], float]
) -> float:
    """Return the density of the transformed feature times the slope of the transformation."""
    slope = (transform(x + 1e-6) - transform(x - 1e-6)) / 2e-6
    return float(density(transform(x)) * slope)


FOUND: dict[str, tuple[Callable[[], bool], Callable[[], bool]]] = {
    "erratum-002-shimazaki-heights": (
        lambda: best_bins(lambda L: shinomoto(L, counts=False)) == best_bins(histogram_risk),
        lambda: len({shinomoto(L, counts=True) - histogram_risk(L) for L in (1, 2, 4)}) == 1,
    ),
    "erratum-002-cv-bin-width-square": (
        lambda: best_bins(split_distance) == best_bins(true_loss),
        lambda: best_bins(held_out_loss) == best_bins(true_loss),
    ),
    "erratum-002-density-tree-mass-normalisation": (
        lambda: F(50, 200) ** 2 / F(1, 10) + F(150, 200) ** 2 / F(3, 20) == squared_mass(),
        lambda: F(50, 1000) ** 2 / F(1, 10) + F(150, 1000) ** 2 / F(3, 20) == squared_mass(),
    ),
    "erratum-002-monotone-transformation": (
        lambda: isclose(pushed_back(-1.0, norm.pdf, clipped), norm.pdf(-1.0)),
        lambda: isclose(
            pushed_back(-1.0, lambda u: lognorm.pdf(u, 1), exp), norm.pdf(-1.0), rel_tol=1e-6
        ),
    ),
}
