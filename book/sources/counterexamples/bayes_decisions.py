"""Bayes decisions: the printed fails on an example on which the correction holds."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction as F


def posteriors(x: F) -> list[F]:
    """Return three posteriors of which the last two cross at 0, far below the first."""
    return [F(4, 5), (1 + x) / 10, (1 - x) / 10]


def decided(x: F) -> int:
    return max(range(3), key=posteriors(x).__getitem__)


def is_boundary(x: F, among: Callable[[list[F]], set[F]]) -> bool:
    """Say whether two posteriors that may decide are equal at a point."""
    values = posteriors(x)
    return any(values.count(value) > 1 for value in among(values))


def error_of_rule_a(t: F) -> F:
    """Integrate the posterior of class 1 over [0, t] and of class 0 over [t, 1]."""
    return t**2 / 2 + (1 - t) ** 2 / 2


def error_of_rule_b(t: F) -> F:
    """Integrate the posterior of class 0 over [0, t] and of class 1 over [t, 1]."""
    return (t - t**2 / 2) + (1 - t**2) / 2


FOUND: dict[str, tuple[Callable[[], bool], Callable[[], bool]]] = {
    "erratum-002-boundary-at-every-intersection": (
        lambda: is_boundary(F(0), set) <= (decided(F(-1, 9)) != decided(F(1, 9))),
        lambda: is_boundary(F(0), lambda p: {max(p)}) == (decided(F(-1, 9)) != decided(F(1, 9))),
    ),
    "erratum-002-worst-case-guessing": (
        lambda: error_of_rule_b(F(1, 2)) <= 1 - F(1, 2),
        lambda: error_of_rule_a(F(1, 2)) == F(1, 4) <= 1 - F(1, 2),
    ),
}
