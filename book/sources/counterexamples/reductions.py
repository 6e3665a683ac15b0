"""Reductions: the printed fails on an example on which the correction holds."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction as F
from itertools import combinations


def thinned(plus: F, keep_plus: F, keep_minus: F) -> F:
    """Return the share of positives after thinning."""
    return plus * keep_plus / (plus * keep_plus + (1 - plus) * keep_minus)


def weighted_and_binary(plus: F, alpha: F, miss: F, alarm: F) -> tuple[F, F]:
    """Return the weighted error, and the error on the distribution with the odds reweighted."""
    weighted = alpha * plus * miss + (1 - plus) * alarm
    share = alpha * plus / (alpha * plus + 1 - plus)
    return weighted, share * miss + (1 - share) * alarm


def pairs_cost(sizes: list[int]) -> int:
    return sum((a + b) ** 2 for a, b in combinations(sizes, 2))


def tree_error(errors: list[F]) -> F:
    """Return the error of a complete tree, node errors in heap order, classes equally likely."""
    nodes, leaves = len(errors), len(errors) + 1
    total = F(0)
    for leaf in range(nodes, nodes + leaves):
        right, node = F(1), leaf
        while node:
            node = (node - 1) // 2
            right *= 1 - errors[node]
        total += 1 - right
    return total / leaves


def ranking_loss(guess: tuple[int, ...], *, charge_swaps: bool) -> int:
    """Return the loss of a ranking of four items in true order, with the cost capped at 3."""
    return sum(
        min(3, v - u) for u, v in combinations(range(4), 2) if (guess[v] < guess[u]) == charge_swaps
    )


def kept_share(keep: Callable[[int], F]) -> bool:
    """Say whether keeping an example with this probability weights it in proportion to w."""
    return len({keep(w) / w for w in (1, 2, 4)}) == 1


FOUND: dict[str, tuple[Callable[[], bool], Callable[[], bool]]] = {
    "erratum-004-subsample-positives": (
        lambda: thinned(F(1, 10), F(1, 10), F(1)) == F(10, 10 + 9),
        lambda: thinned(F(1, 10), F(1), F(1, 10)) == F(10, 10 + 9),
    ),
    "erratum-004-subsampling-normaliser": (
        lambda: F(2, 2 + 49) == F(2, 100),
        lambda: F(2, 2 + 49) == F(2, 100) / (F(2, 100) + F(98, 100) / 2),
    ),
    "erratum-004-alpha-at-least-one": (
        lambda: (
            weighted_and_binary(F(1, 50), F(1, 2), F(3, 10), F(1, 10))[0]
            <= F(1, 2) * weighted_and_binary(F(1, 50), F(1, 2), F(3, 10), F(1, 10))[1]
        ),
        lambda: (
            weighted_and_binary(F(1, 50), F(1, 2), F(3, 10), F(1, 10))[0]
            <= weighted_and_binary(F(1, 50), F(1, 2), F(3, 10), F(1, 10))[1]
        ),
    ),
    "erratum-004-subsampling-cannot-do-better": (
        lambda: (
            weighted_and_binary(F(1, 50), F(2), F(3, 10), F(1, 10))[0]
            >= 2 * weighted_and_binary(F(1, 50), F(2), F(3, 10), F(1, 10))[1]
        ),
        lambda: (
            weighted_and_binary(F(1, 50), F(2), F(3, 10), F(1, 10))[0]
            == (1 + F(1, 50)) * weighted_and_binary(F(1, 50), F(2), F(3, 10), F(1, 10))[1]
        ),
    ),
    "erratum-004-ava-balanced-classes": (
        lambda: pairs_cost([991] + [1] * 9) <= 2 * 1000**2,
        lambda: (
            pairs_cost([100] * 10) <= 2 * 1000**2
            and pairs_cost([991] + [1] * 9) == 8 * (991**2 + 9) + 1000**2
        ),
    ),
    "erratum-004-tree-average-error": (
        lambda: tree_error([F(63, 100)] + [F(0)] * 62) <= 6 * F(63, 100) / 63,
        lambda: tree_error([F(63, 100)] + [F(0)] * 62) <= 6 * F(63, 100),
    ),
    "erratum-004-ranking-objective": (
        lambda: ranking_loss((0, 1, 2, 3), charge_swaps=False) == 0,
        lambda: (
            ranking_loss((0, 1, 2, 3), charge_swaps=True) == 0
            and ranking_loss((3, 2, 1, 0), charge_swaps=True) == 10
        ),
    ),
    "erratum-004-oversample-two-more": (
        lambda: len([("x", "y")] + 2 * [("x", "y")]) == 2,
        lambda: len([("x", "y")] + (2 - 1) * [("x", "y")]) == 2,
    ),
    "erratum-004-undersample-one-over-w": (
        lambda: kept_share(lambda w: 1 - F(1, w)),
        lambda: kept_share(lambda w: F(w, 4)),
    ),
}
