"""Kernels: the printed fails on an example on which the correction holds."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction as F
from itertools import combinations, product

import numpy as np
import sympy as sp

from counterexamples.shared import Array


def is_psd(K: sp.Matrix) -> bool:
    return all(sp.re(value) >= 0 for value in K.eigenvals())


def minors(K: sp.Matrix, *, leading: bool) -> list[sp.Expr]:
    sizes = range(1, K.rows + 1)
    sets = (
        [tuple(range(n)) for n in sizes]
        if leading
        else [s for n in sizes for s in combinations(range(K.rows), n)]
    )
    return [K.extract(list(s), list(s)).det() for s in sets]


NEGATIVE = sp.diag(0, -1)


TURN, SHEAR = sp.Matrix([[1, 1], [-1, 1]]), sp.Matrix([[1, 4], [0, 1]])


Z = sp.Matrix(sp.symbols("z1 z2", real=True))


def form(K: sp.Matrix) -> sp.Expr:
    return sp.expand((Z.T * K * Z)[0])


def in_span_of_data(norm: int) -> bool:
    """Say whether the shortest w with <w, (2, 1)> >= 1 is a multiple of (2, 1)."""
    grid = [sp.Matrix([F(a, 10), 1 - 2 * F(a, 10)]) for a in range(11)]
    w = min(grid, key=lambda v: v.norm(norm))
    return bool(w[0] - 2 * w[1] == 0)


def mistakes_at_gap(gap: F) -> int:
    """Count the perceptron's corrections on 1, labelled +, and 1 - gap, labelled -."""
    theta, made, points = (F(0), F(0)), 0, [(F(1), F(1)), (F(-1), gap - 1)]
    while wrong := [x for x in points if theta[0] * x[0] + theta[1] * x[1] <= 0]:
        theta, made = (theta[0] + wrong[0][0], theta[1] + wrong[0][1]), made + 1
    return made


def mistake_bound(gap: F) -> F:
    """Return R^2/gamma^2 for the separator half-way between the two points."""
    middle = 1 - gap / 2
    return 2 * (1 + middle**2) / (gap / 2) ** 2


def double_integral(kernel: Callable[[Array, Array], Array], f: Array, cells: int) -> float:
    """Approximate the form of a kernel by a grid whose two sets of points never meet."""
    x, z = (np.arange(cells) + 0.25) / cells, (np.arange(cells) + 0.75) / cells
    return float(f @ kernel(x[:, None], z) @ f) / cells**2


def minus_diagonal(x: Array, z: Array) -> Array:
    return -np.equal(x, z).astype(float)


def minus_minimum(x: Array, z: Array) -> Array:
    return -np.minimum(x, z)


def integral_is_nonnegative(kernel: Callable[[Array, Array], Array]) -> bool:
    waves = [np.cos(k * np.pi * (np.arange(200) + 0.5) / 200) for k in range(5)]
    return all(double_integral(kernel, f, 200) >= 0 for f in waves)


def gram_is_psd(kernel: Callable[[Array, Array], Array]) -> bool:
    x = np.array([0.0, 0.5, 1.0])
    return bool(np.linalg.eigvalsh(kernel(x[:, None], x)).min() >= -1e-12)


def hashed_mean(x: tuple[int, ...], z: tuple[int, ...], m: int, *, signed: bool) -> F:
    """Average <phi(x), phi(z)> over every hash of the indices, and every sign if asked."""
    d, total, count = len(x), 0, 0
    for buckets in product(range(m), repeat=d):
        for signs in product((-1, 1), repeat=d) if signed else [(1,) * d]:
            sums = [[0] * m, [0] * m]
            for vector, into in zip((x, z), sums, strict=True):
                for i in range(d):
                    into[buckets[i]] += signs[i] * vector[i]
            total, count = total + sum(a * b for a, b in zip(*sums, strict=True)), count + 1
    return F(total, count)


FOUND: dict[str, tuple[Callable[[], bool], Callable[[], bool]]] = {
    "erratum-000-psd-leading-minors": (
        lambda: all(m >= 0 for m in minors(NEGATIVE, leading=True)) == is_psd(NEGATIVE),
        lambda: all(m >= 0 for m in minors(NEGATIVE, leading=False)) == is_psd(NEGATIVE),
    ),
    "erratum-000-psd-symmetry": (
        lambda: form(TURN) != Z[0] ** 2 + Z[1] ** 2 or TURN.is_symmetric(),
        lambda: (
            form(SHEAR).subs({Z[0]: 1, Z[1]: -1}) < 0
            and is_psd(SHEAR)
            and not is_psd((SHEAR + SHEAR.T) / 2)
        ),
    ),
    "erratum-004-any-algorithm-representer": (
        lambda: in_span_of_data(1),
        lambda: in_span_of_data(2),
    ),
    "erratum-004-training-time-margin": (
        lambda: mistakes_at_gap(F(1, 16)) <= mistakes_at_gap(F(1, 2)),
        lambda: all(
            mistakes_at_gap(gap) <= mistake_bound(gap) for gap in (F(1, 2), F(1, 4), F(1, 16))
        ),
    ),
    "erratum-004-psd-sign": (
        lambda: form(sp.eye(2)).subs({Z[0]: 1, Z[1]: 1}) <= 0,
        lambda: form(sp.eye(2)) == Z[0] ** 2 + Z[1] ** 2,
    ),
    "erratum-004-integral-definition": (
        lambda: integral_is_nonnegative(minus_diagonal) == gram_is_psd(minus_diagonal),
        lambda: all(
            integral_is_nonnegative(kernel) == gram_is_psd(kernel)
            for kernel in (np.minimum, minus_minimum)
        ),
    ),
    "erratum-004-hashing-bias": (
        lambda: hashed_mean((1, 1, 1), (1, 1, 1), 2, signed=False) == 3,
        lambda: (
            hashed_mean((1, 1, 1), (1, 1, 1), 2, signed=False) == 3 + F(6, 2)
            and hashed_mean((1, 1, 1), (1, 2, 3), 2, signed=True) == 6
        ),
    ),
}
