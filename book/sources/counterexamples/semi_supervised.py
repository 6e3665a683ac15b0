"""Semi-supervised learning: the printed fails on an example on which the correction holds."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction as F
from itertools import product

from counterexamples.shared import CELLS


def views(*, given_label: bool) -> bool:
    """Say whether two copies of a fair label are independent, outright or given the label."""
    joint = {(y, y, y): F(1, 2) for y in (0, 1)}

    def mass(**fixed: int) -> F:
        names = ("a", "b", "y")
        return sum(
            (
                p
                for atom, p in joint.items()
                if all(atom[names.index(k)] == v for k, v in fixed.items())
            ),
            F(0),
        )

    if given_label:
        return all(
            mass(a=a, b=b, y=y) * mass(y=y) == mass(a=a, y=y) * mass(b=b, y=y)
            for a, b, y in product((0, 1), repeat=3)
        )
    return all(mass(a=a, b=b) == mass(a=a) * mass(b=b) for a, b in CELLS)


def ratio_of_weights(labelled: F, unlabelled: F, N: int = 10, M: int = 1000) -> F:
    """Return the total weight of M unlabelled slacks over that of N labelled ones."""
    return M * unlabelled / (N * labelled)


FOUND: dict[str, tuple[Callable[[], bool], Callable[[], bool]]] = {
    "erratum-004-cotraining-independence": (
        lambda: views(given_label=False),
        lambda: views(given_label=True),
    ),
    "erratum-004-divide-both-by-n": (
        lambda: ratio_of_weights(F(1, 10), F(1, 10)) == 1,
        lambda: ratio_of_weights(F(1, 10), F(1, 1000)) == 1,
    ),
}
