"""Clustering: the printed fails on an example on which the correction holds."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction as F
from itertools import combinations, product
from math import isclose

import numpy as np
from scipy import stats

from counterexamples.shared import Array


def brute_distance(kind: str, one: Sequence[float], two: Sequence[float]) -> float:
    distances = [abs(a - b) for a in one for b in two]
    return max(distances) if kind == "complete" else sum(distances) / len(distances)


def recurrence_agrees(kind: str) -> bool:
    """Compare the distance after a merger with the one from the two old distances alone."""
    one, two, other = [0.0, 1.0, 1.5], [3.0], [7.0, 11.0]
    old = [brute_distance(kind, part, other) for part in (one, two)]
    if kind == "complete":
        new = max(old)
    else:
        new = (len(one) * old[0] + len(two) * old[1]) / (len(one) + len(two))
    return isclose(new, brute_distance(kind, one + two, other))


HEIGHT_POINTS = np.array([[0.0, 0], [1, 0], [0.5, 0.9]])


def merge_heights(kind: str) -> list[float]:
    distances = {
        pair: float(np.linalg.norm(HEIGHT_POINTS[pair[0]] - HEIGHT_POINTS[pair[1]]))
        for pair in combinations(range(3), 2)
    }
    i, j = min(distances, key=distances.__getitem__)
    (k,) = {0, 1, 2} - {i, j}
    rest = [distances[min(a, k), max(a, k)] for a in (i, j)]
    centre = float(np.linalg.norm(HEIGHT_POINTS[[i, j]].mean(axis=0) - HEIGHT_POINTS[k]))
    last = {"single": min(rest), "complete": max(rest), "average": sum(rest) / 2}
    return [distances[i, j], last.get(kind, centre)]


LINE = [F(0), F(0), F(3), F(7)]


def spread(cluster: Sequence[F]) -> F:
    centre = sum(cluster) / len(cluster)
    return sum(((x - centre) ** 2 for x in cluster), F(0))


def best_split(weighted: bool) -> frozenset[int]:
    """Return the indices clustered with the largest of the four points."""
    parts = [{3, *extra} for size in range(3) for extra in combinations(range(3), size)]

    def total(part: set[int]) -> F:
        both = [LINE[i] for i in part], [LINE[i] for i in range(4) if i not in part]
        return sum((spread(c) * (len(c) if weighted else 1) for c in both), F(0))

    return frozenset(min(parts, key=total))


def nearest_is_best(weighted: bool) -> bool:
    """Nine points at 0, one at 4.9 and one at 10; representatives at 0 and 10."""
    near, far = F(49, 10) ** 2, F(51, 10) ** 2
    to_near = near * (10 if weighted else 1)
    to_far = far * (2 if weighted else 1)
    return to_near <= to_far


def k_means_cost(points: list[F], centres: tuple[F, ...]) -> F:
    return sum((min((x - c) ** 2 for c in centres) for x in points), F(0))


def k_means_step(points: list[F], centres: tuple[F, ...]) -> tuple[tuple[F, ...], list[int]]:
    """Return the new centres and the sizes of their clusters; an empty one keeps its centre."""
    clusters: list[list[F]] = [[] for _ in centres]
    for x in points:
        clusters[min(range(len(centres)), key=lambda j: (x - centres[j]) ** 2)].append(x)
    moved = tuple(
        sum(part, F(0)) / len(part) if part else c
        for part, c in zip(clusters, centres, strict=True)
    )
    return moved, [len(part) for part in clusters]


def is_fixed(clusters: list[list[F]], centres: tuple[F, ...]) -> bool:
    """Say whether neither step of k-means changes these clusters and centres."""
    nearest = all(
        (x - c) ** 2 == min((x - other) ** 2 for other in centres)
        for cluster, c in zip(clusters, centres, strict=True)
        for x in cluster
    )
    return nearest and all(
        sum(cluster, F(0)) == len(cluster) * c for cluster, c in zip(clusters, centres, strict=True)
    )


def lower_nearby(points: list[F], centres: tuple[F, ...]) -> bool:
    moves = [F(step, 1000) for step in (-1, 0, 1)]
    here = k_means_cost(points, centres)
    return any(
        k_means_cost(points, tuple(c + m for c, m in zip(centres, move, strict=True))) < here
        for move in product(moves, repeat=len(centres))
    )


def mean_lowers(power: int) -> bool:
    """Say whether moving the centre of 0, 0, 10 from 0 to the mean lowers the score."""
    cluster = (0, 0, 10)
    before, after = (sum(abs(x - c) ** power for x in cluster) for c in (F(0), F(10, 3)))
    return after <= before


HALF = 500


FAR = 22 * 2 * HALF


def seeding() -> dict[str, tuple[F, F]]:
    """Return probability and cost of each seeding of k-means++ with two centres.

    500 points at -1, 500 at +1 and one above them at squared height `FAR`.
    """
    n = 2 * HALF + 1
    pair, height = 4 * HALF, FAR + 1
    regular, total = F(2 * HALF, n), pair + height
    return {
        "both sides": (regular * F(pair, total), F(height)),
        "with the far one": (regular * F(height, total) + F(1, n), F(pair)),
    }


OPTIMUM = F(2 * HALF)


GUARANTEE = 8 * (2 + math.log(2))


def evidence_penalty(N: int, D: int) -> float:
    """Return what -2 log of the evidence adds to -2 log of the likelihood, for N(mu, I).

    The prior of the mean is normal and the sample has mean zero, so only determinants are left.
    """
    return float(D * np.linalg.slogdet(np.eye(N) + np.ones((N, N)))[1])


def chosen(costs: list[float], price: float) -> int:
    """Return the number of clusters with the least sum of cost and price."""
    return 1 + int(np.argmin([cost + price * k for k, cost in enumerate(costs, 1)]))


# -2 log L for K = 1, 2, 3 on some data with D = 1 and N = 100.
FITS = [400.0, 390.0, 387.0]


def normal_sample(n: int = 100) -> Array:
    return stats.norm.ppf((np.arange(n) + 0.5) / n)


def squared_error(parts: list[Array]) -> float:
    return float(sum(((part - part.mean()) ** 2).sum() for part in parts))


def mixture_fit() -> float:
    """Return -2 log L of the best equal mixture of N(-a, 1) and N(a, 1) on the sample."""
    x = normal_sample()
    density = [0.5 * (stats.norm.pdf(x, -a) + stats.norm.pdf(x, a)) for a in np.linspace(0, 2, 201)]
    return float(min(-2 * np.log(d).sum() for d in density))


FOUND: dict[str, tuple[Callable[[], bool], Callable[[], bool]]] = {
    "erratum-002b-linkage-update-cost": (
        lambda: not (recurrence_agrees("complete") and recurrence_agrees("average")),
        lambda: recurrence_agrees("complete") and recurrence_agrees("average"),
    ),
    "erratum-002b-centroid-inversion": (
        lambda: merge_heights("centroid") == sorted(merge_heights("centroid")),
        lambda: all(
            merge_heights(kind) == sorted(merge_heights(kind))
            for kind in ("single", "complete", "average")
        ),
    ),
    "erratum-002b-kmeans-objective": (
        lambda: nearest_is_best(weighted=True) and best_split(True) == best_split(False),
        lambda: nearest_is_best(weighted=False) and best_split(False) == {3},
    ),
    "erratum-000-kmeans-local-minimum": (
        lambda: (
            is_fixed([[F(0), F(2)], [F(3)]], (F(1), F(3)))
            and not lower_nearby([F(0), F(2), F(3)], (F(1), F(3)))
        ),
        lambda: (
            is_fixed([[F(0)], [F(2), F(3)]], (F(0), F(5, 2)))
            and not lower_nearby([F(0), F(2), F(3)], (F(0), F(5, 2)))
        ),
    ),
    "erratum-000-kmeans-empty-cluster": (
        lambda: min(k_means_step([F(0), F(1), F(2)], (F(0), F(9)))[1]) > 0,
        lambda: (
            k_means_cost([F(0), F(1), F(2)], k_means_step([F(0), F(1), F(2)], (F(0), F(9)))[0])
            < k_means_cost([F(0), F(1), F(2)], (F(0), F(9)))
        ),
    ),
    "erratum-004-kmeans-unsquared-score": (lambda: mean_lowers(1), lambda: mean_lowers(2)),
    "erratum-004-kmeans-highly-convex": (
        lambda: (
            k_means_cost([F(0), F(1)], (F(1, 2), F(1, 2)))
            <= F(1, 2) * k_means_cost([F(0), F(1)], (F(0), F(1)))
            + F(1, 2) * k_means_cost([F(0), F(1)], (F(1), F(0)))
        ),
        lambda: (
            [k_means_cost([F(0), F(1)], c) for c in ((F(0), F(1)), (F(1), F(0)))] == [0, 0]
            and k_means_cost([F(0), F(1)], (F(1, 2), F(1, 2))) > 0
        ),
    ),
    "erratum-004-kmeanspp-high-probability": (
        lambda: sum(p for p, cost in seeding().values() if cost > GUARANTEE * OPTIMUM) < F(1, 100),
        lambda: sum(p * cost for p, cost in seeding().values()) <= GUARANTEE * OPTIMUM,
    ),
    "erratum-004-bic-formula": (
        lambda: abs(evidence_penalty(300, 5) - math.log(5)) < 0.1,
        lambda: abs(evidence_penalty(300, 5) - 5 * math.log(300)) < 0.1,
    ),
    "erratum-004-bic-likes-more-clusters": (
        lambda: chosen(FITS, math.log(100)) > chosen(FITS, 2),
        lambda: chosen(FITS, math.log(100)) < chosen(FITS, 2),
    ),
    "erratum-004-aic-objective": (
        lambda: (
            squared_error([normal_sample()]) + 2
            <= squared_error([normal_sample()[:50], normal_sample()[50:]]) + 4
        ),
        lambda: -2 * stats.norm.logpdf(normal_sample()).sum() + 2 <= mixture_fit() + 4,
    ),
}
