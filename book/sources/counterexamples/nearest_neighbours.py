"""Nearest neighbours: the printed fails on an example on which the correction holds."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from math import isclose

import numpy as np
import sympy as sp
from scipy.integrate import quad
from scipy.spatial import Delaunay

from counterexamples.shared import Array


def nearest_label(x: float, data: Sequence[tuple[float, int]]) -> int:
    return min(data, key=lambda point: abs(point[0] - x))[1]


def edited(data: Sequence[tuple[float, int]], own: bool) -> list[tuple[float, int]]:
    """Drop the points of the line whose neighbours have one class, or their own class."""
    kept = []
    for i, point in enumerate(data):
        labels = {data[j][1] for j in (i - 1, i + 1) if 0 <= j < len(data)}
        if not (labels == {point[1]} if own else len(labels) == 1):
            kept.append(point)
    return kept


EDITED = [(0.0, 0), (1.0, 0), (2.0, 1), (3.0, 0), (4.0, 0)]


QUERIES = [k / 7 for k in range(-7, 36)]


def tetrahedra(n: int) -> int:
    t = np.linspace(0, 1, n)
    return len(Delaunay(np.column_stack([t, t**2, t**3])).simplices)


A, B = sp.Matrix([3, 1]), sp.Matrix([1, 2])


def boundary_direction() -> sp.Matrix:
    """Return the direction of the line of points as far from A as from B."""
    x, y = sp.symbols("x y")
    gap = sp.Matrix([x, y]) - A, sp.Matrix([x, y]) - B
    (solved,) = sp.solve(sp.expand(gap[0].dot(gap[0]) - gap[1].dot(gap[1])), x)
    return sp.Matrix([solved, y]).diff(y)


def distances(D: int) -> Array:
    rng = np.random.default_rng(0)
    return np.linalg.norm(rng.random((4000, D)) - rng.random((4000, D)), axis=1)


FOUND: dict[str, tuple[Callable[[], bool], Callable[[], bool]]] = {
    "erratum-002-nn-training-error-zero": (
        lambda: all(nearest_label(x, [(0, 0), (0, 1)]) == y for x, y in [(0, 0), (0, 1)]),
        lambda: all(nearest_label(x, EDITED) == y for x, y in EDITED),
    ),
    "erratum-002-nn-limit-equality": (
        lambda: isclose(quad(lambda x: 2 * x * (1 - x), 0, 1)[0], 0.25 * (2 - 2 * 0.25)),
        lambda: 0.25 <= quad(lambda x: 2 * x * (1 - x), 0, 1)[0] <= 0.25 * (2 - 2 * 0.25),
    ),
    "erratum-002-voronoi-editing-own-class": (
        lambda: all(
            nearest_label(x, edited(EDITED, own=False)) == nearest_label(x, EDITED) for x in QUERIES
        ),
        lambda: (
            len(edited(EDITED, own=True)) < len(EDITED)
            and all(
                nearest_label(x, edited(EDITED, own=True)) == nearest_label(x, EDITED)
                for x in QUERIES
            )
        ),
    ),
    "erratum-002-voronoi-cost-exponent": (
        lambda: tetrahedra(40) < 1.1 * 2**1.5 * tetrahedra(20),
        lambda: tetrahedra(20) == 18 * 17 // 2 and tetrahedra(40) == 38 * 37 // 2,
    ),
    "erratum-004-distances-shrink": (
        lambda: distances(100).mean() < distances(10).mean(),
        lambda: (
            abs(distances(100).mean() / math.sqrt(100 / 6) - 1) < 0.01
            and abs(distances(100).std() / math.sqrt(7 / 120) - 1) < 0.05
        ),
    ),
    "erratum-004-perpendicular-to-both-points": (
        lambda: boundary_direction().dot(A) == 0 and boundary_direction().dot(B) == 0,
        lambda: boundary_direction().dot(A - B) == 0,
    ),
}
