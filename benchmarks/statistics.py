"""The arithmetic of the comparison, apart from any clock."""

from __future__ import annotations

import functools
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

AGREEMENT = 1e-6
# How likely the interval beside a ratio holds the median that endless repetition would give, and
# how wide it may be, in units of the ratio, for the row to be settled.
CONFIDENCE, SETTLED = 0.9, 0.04


@dataclass(frozen=True)
class Row:
    """One measurement: an estimator at one size with one number of threads.

    ``low`` and ``high`` bound the ratio, as :func:`interval` does, where there are several pairs.
    """

    name: str
    n: int
    d: int
    threads: int
    ours_seconds: float
    theirs_seconds: float | None
    ratio: float | None
    ours_objective: float
    theirs_objective: float | None
    shown_only: str
    allowed: float = 1.0
    pairs: int = 1
    low: float | None = None
    high: float | None = None

    @property
    def note(self) -> str:
        """Why the row is not counted; empty if it is."""
        worse = self.theirs_objective is not None and not as_good(
            self.ours_objective, self.theirs_objective
        )
        marks = [self.shown_only, "**objective worse: not counted**" if worse else ""]
        return "; ".join(filter(None, marks))

    @property
    def counted(self) -> bool:
        return self.ratio is not None and not self.note

    @property
    def fast_enough(self) -> bool:
        return self.ratio is not None and self.ratio <= self.allowed


def as_good(ours: float, theirs: float, agreement: float = AGREEMENT) -> bool:
    """Whether our objective agrees with theirs to this relative accuracy, or is smaller."""
    if not (math.isfinite(ours) and math.isfinite(theirs)):
        return False
    return ours - theirs <= agreement * max(abs(ours), abs(theirs))


def paired_ratio(ours: Sequence[float], theirs: Sequence[float]) -> float:
    """Return the median of the ratios of neighbouring measurements.

    Neighbours share whatever else the machine was doing, which a ratio of medians would not
    cancel.
    """
    if len(ours) != len(theirs) or not ours:
        raise ValueError(f"need as many times of each, got {len(ours)} and {len(theirs)}")
    return float(np.median(np.divide(ours, theirs)))


def interval(values: Sequence[float]) -> tuple[float, float]:
    """Return order statistics between which the median lies with probability ``CONFIDENCE``.

    Each value lies below the median as a fair coin falls. Of fewer than five values, the least and
    the greatest are returned, which hold the median with a smaller probability.
    """
    rank, ordered = _rank(len(values)), sorted(values)
    return ordered[rank], ordered[-1 - rank]


@functools.cache
def _rank(m: int) -> int:
    """Return how many of m ordered values may be left out at either end of the interval."""
    rank, outside = 0, 2 * 0.5**m
    while 2 * (rank + 2) <= m:
        outside += 2 * math.comb(m, rank + 1) * 0.5**m
        if outside > 1 - CONFIDENCE:
            break
        rank += 1
    return rank


def settled(values: Sequence[float]) -> bool:
    """Whether the median of five or more values is known to ``SETTLED`` of itself."""
    if len(values) < 5:
        return False
    low, high = interval(values)
    return high - low <= SETTLED * float(np.median(values))


def geometric_mean(ratios: Iterable[float]) -> float | None:
    """Return the geometric mean, or None of nothing."""
    logs = [math.log(ratio) for ratio in ratios]
    return math.exp(math.fsum(logs) / len(logs)) if logs else None


def exponent(sizes: Sequence[float], seconds: Sequence[float]) -> float:
    """Return p of the power law seconds = c * size**p, fitted to the logarithms."""
    if len(set(sizes)) < 2:
        raise ValueError("an exponent needs at least two different sizes")
    return float(np.polyfit(np.log(sizes), np.log(seconds), 1)[0])
