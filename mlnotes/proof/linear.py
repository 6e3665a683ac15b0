"""Exact linear programming over the rationals, small and without dependencies.

Only used to *find* certificates. What it finds is checked again by adding up the multiples. An
equation is kept as whole numbers without a common factor, because fractions are slow to add.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from mlnotes.trusted.terms import fuel

MAX_PIVOTS = 150


class Row:
    """The equation that whole multiples of the unknowns add up to a whole value.

    It is ``scale`` times the equation with fractions that it stands for.
    """

    __slots__ = ("multiples", "scale", "value")

    def __init__(self, multiples: dict[int, int], value: int, scale: Fraction) -> None:
        common = math.gcd(value, *multiples.values())
        if common > 1:
            multiples = {j: c // common for j, c in multiples.items()}
            value, scale = value // common, scale / common
        self.multiples, self.value, self.scale = multiples, value, scale

    @classmethod
    def of(cls, multiples: Mapping[int, Fraction], value: Fraction) -> Row:
        """Return an equation between fractions, multiplied by their denominators."""
        scale = math.lcm(value.denominator, *(c.denominator for c in multiples.values()))
        whole = {j: int(c * scale) for j, c in multiples.items()}
        return cls(whole, int(value * scale), Fraction(scale))

    def without(self, j: int, pivot: Row) -> Row:
        """Return the equation less the multiple of another that cancels an unknown."""
        factor = self.multiples.get(j)
        if factor is None:
            return self
        fuel.spend(1 + len(self.multiples) // 4 + len(pivot.multiples) // 4)
        scale = pivot.multiples[j]
        if scale < 0:
            scale, factor = -scale, -factor
        out = {i: scale * c for i, c in self.multiples.items()}
        for i, c in pivot.multiples.items():
            new = out.get(i, 0) - factor * c
            if new:
                out[i] = new
            else:
                out.pop(i, None)
        return Row(out, scale * self.value - factor * pivot.value, scale * self.scale)

    def negated(self) -> Row:
        """Return the equation times minus one."""
        return Row({j: -c for j, c in self.multiples.items()}, -self.value, self.scale)


def combination(
    target: Mapping[Any, Fraction],
    columns: Sequence[Mapping[Any, Fraction]],
    free: Sequence[bool],
    reward: Sequence[bool] | None = None,
) -> dict[int, Fraction] | None:
    """Return multipliers that make the columns add up to the target, or None.

    Parameters
    ----------
    target : mapping
        The vector to be reached, by coordinate.
    columns : sequence of mappings
        The vectors that may be used.
    free : sequence of bool
        Whether a column's multiplier may be negative.
    reward : sequence of bool, optional
        If given, at least one of the marked columns has to have a positive multiplier.

    Examples
    --------
    >>> from fractions import Fraction as F
    >>> from mlnotes.proof.linear import combination
    >>> combination({"x": F(1)}, [{"x": F(1), "y": F(1)}, {"y": F(-1)}], [False, False])
    {0: Fraction(1, 1), 1: Fraction(1, 1)}
    """
    numbers: dict[Any, int] = {}
    target, *columns = (
        {numbers.setdefault(place, len(numbers)): value for place, value in vector.items()}
        for vector in (target, *columns)
    )
    alive = _presolve(target, columns, free)
    if alive is None:
        return None
    rows: dict[int, dict[int, Fraction]] = {}
    for j in alive:
        for coordinate, value in columns[j].items():
            rows.setdefault(coordinate, {})[j] = value
    system = [Row.of(row, target.get(place, Fraction(0))) for place, row in rows.items()]
    system, solved = _eliminate(system, {j for j in alive if free[j]})
    if any(not row.multiples and row.value for row in system):
        return None
    wanted = {j for j in alive if reward is not None and reward[j]}
    basic = _simplex(system, wanted if reward is not None else None)
    if basic is None:
        return None
    for j, row in reversed(solved):
        rest = sum(c * basic.get(k, Fraction(0)) for k, c in row.multiples.items() if k != j)
        basic[j] = (row.value - rest) / Fraction(row.multiples[j])
    return {j: basic[j] for j in sorted(basic) if basic[j]}


def _presolve(
    target: Mapping[Any, Fraction],
    columns: Sequence[Mapping[Any, Fraction]],
    free: Sequence[bool],
) -> list[int] | None:
    """Drop columns with a coordinate that nothing could cancel."""
    alive = dict.fromkeys(range(len(columns)))
    while True:
        users: dict[Any, list[int]] = {}
        for j in alive:
            for coordinate in columns[j]:
                users.setdefault(coordinate, []).append(j)
        if any(value and coordinate not in users for coordinate, value in target.items()):
            return None
        dead: set[int] = set()
        for coordinate, js in users.items():
            if target.get(coordinate):
                continue
            signs = {columns[j][coordinate] > 0 for j in js}
            if len(js) == 1 or (len(signs) == 1 and not any(free[j] for j in js)):
                dead.update(js)
        if not dead:
            return list(alive)
        for j in dead:
            del alive[j]


def _eliminate(system: list[Row], free: set[int]) -> tuple[list[Row], list[tuple[int, Row]]]:
    """Solve for the multipliers of either sign and return the system in the others."""
    solved: list[tuple[int, Row]] = []
    left = list(system)
    for j in sorted(free):
        pivots = [k for k, row in enumerate(left) if j in row.multiples]
        if not pivots:
            continue
        k = min(pivots, key=lambda k: (len(left[k].multiples), k))
        pivot = left.pop(k)
        solved.append((j, pivot))
        left = [row.without(j, pivot) for row in left]
    return [row for row in left if row.multiples or row.value], solved


def _simplex(system: list[Row], wanted: set[int] | None) -> dict[int, Fraction] | None:
    """Return a nonnegative solution by Bland's rule; with a positive wanted part if asked."""
    tableau = [row.negated() if row.value < 0 else row for row in system]
    # Artificial variables, whose numbers are negative, are driven out first.
    basis = [-1 - k for k in range(len(tableau))]
    gain = _sum(tableau)
    pivots = 0
    while gain.value:
        entering = min((j for j, c in gain.multiples.items() if c > 0), default=None)
        pivots += 1
        if entering is None or pivots > MAX_PIVOTS:
            return None
        pivot = _pivot(tableau, basis, entering)
        if pivot is None:
            return None
        gain = gain.without(entering, pivot)
    for k, b in enumerate(basis):
        if b < 0 and tableau[k].multiples:
            _enter(tableau, basis, k, min(tableau[k].multiples))
    if wanted is None:
        return _read(tableau, basis)
    return _improve(tableau, basis, wanted, pivots)


def _sum(rows: Iterable[Row]) -> Row:
    """Return the sum of rows, each divided by its scale."""
    total: dict[int, Fraction] = {}
    value = Fraction(0)
    for row in rows:
        value += row.value / row.scale
        for j, c in row.multiples.items():
            total[j] = total.get(j, Fraction(0)) + c / row.scale
    return Row.of({j: c for j, c in total.items() if c}, value)


def _improve(
    tableau: list[Row], basis: list[int], wanted: set[int], pivots: int
) -> dict[int, Fraction] | None:
    """Raise the sum of the wanted multiples until one is positive; None if none can be."""
    while True:
        solution = _read(tableau, basis)
        if any(solution.get(j, Fraction(0)) > 0 for j in wanted):
            return solution
        gain = {j: Fraction(1) for j in wanted}
        for b, row in zip(basis, tableau, strict=True):
            if b in wanted:
                for j, c in row.multiples.items():
                    gain[j] = gain.get(j, Fraction(0)) - Fraction(c, row.multiples[b])
        entering = min((j for j, c in gain.items() if c > 0 and j not in basis), default=None)
        pivots += 1
        if entering is None or pivots > MAX_PIVOTS:
            return None
        if _pivot(tableau, basis, entering) is None:
            # The direction is unbounded: one step along it stays feasible.
            out = dict(solution)
            out[entering] = out.get(entering, Fraction(0)) + 1
            for b, row in zip(basis, tableau, strict=True):
                if entering in row.multiples:
                    step = Fraction(row.multiples[entering], row.multiples[b])
                    out[b] = out.get(b, Fraction(0)) - step
            return out if any(out.get(j, Fraction(0)) > 0 for j in wanted) else None


def _pivot(tableau: list[Row], basis: list[int], entering: int) -> Row | None:
    """Let a variable enter for the first one that it drives to zero; return the row of that."""
    best: tuple[Fraction, int, int] | None = None
    for k, row in enumerate(tableau):
        c = row.multiples.get(entering, 0)
        if c > 0:
            candidate = (Fraction(row.value, c), basis[k], k)
            best = candidate if best is None or candidate < best else best
    if best is None:
        return None
    _enter(tableau, basis, best[2], entering)
    return tableau[best[2]]


def _enter(tableau: list[Row], basis: list[int], k: int, entering: int) -> None:
    """Pivot: take multiples of a row off the others, so that one column is a unit column."""
    pivot = tableau[k]
    if pivot.multiples[entering] < 0:
        pivot = tableau[k] = pivot.negated()
    for i, row in enumerate(tableau):
        if i != k:
            tableau[i] = row.without(entering, pivot)
    basis[k] = entering


def _read(tableau: list[Row], basis: list[int]) -> dict[int, Fraction]:
    """Return the basic solution: value over pivot in each row, and 0 elsewhere."""
    return {
        b: Fraction(row.value, row.multiples[b])
        for b, row in zip(basis, tableau, strict=True)
        if b >= 0 and row.value
    }
