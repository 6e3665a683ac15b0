"""Exact linear programming over the rationals, small and without dependencies.

Only used to *find* certificates. What it finds is checked again by adding up the multiples.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

Row = dict[int, Fraction]
MAX_PIVOTS = 150


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
    alive = _presolve(target, columns, free)
    if alive is None:
        return None
    rows: dict[Any, Row] = {}
    for j in alive:
        for coordinate, value in columns[j].items():
            rows.setdefault(coordinate, {})[j] = value
    system = [(row, target.get(coordinate, Fraction(0))) for coordinate, row in rows.items()]
    system, solved = _eliminate(system, {j for j in alive if free[j]})
    if any(not row and value for row, value in system):
        return None
    wanted = {j for j in alive if reward is not None and reward[j]}
    basic = _simplex(system, wanted if reward is not None else None)
    if basic is None:
        return None
    for j, row, value in reversed(solved):
        basic[j] = value - sum((c * basic.get(k, Fraction(0)) for k, c in row.items()), Fraction(0))
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


def _eliminate(
    system: list[tuple[Row, Fraction]], free: set[int]
) -> tuple[list[tuple[Row, Fraction]], list[tuple[int, Row, Fraction]]]:
    """Solve for the multipliers of either sign and return the system in the others."""
    solved: list[tuple[int, Row, Fraction]] = []
    left = list(system)
    for j in sorted(free):
        pivots = [k for k, (row, _) in enumerate(left) if j in row]
        if not pivots:
            continue
        k = min(pivots, key=lambda k: (len(left[k][0]), k))
        row, value = left.pop(k)
        scale = row[j]
        expressed = {i: c / scale for i, c in row.items() if i != j}
        solved.append((j, expressed, value / scale))
        left = [_subtract(r, v, j, expressed, value / scale) for r, v in left]
    return [(row, value) for row, value in left if row or value], solved


def _subtract(
    row: Row, value: Fraction, j: int, expressed: Row, constant: Fraction
) -> tuple[Row, Fraction]:
    if j not in row:
        return row, value
    factor = row[j]
    out = {i: c for i, c in row.items() if i != j}
    for i, c in expressed.items():
        new = out.get(i, Fraction(0)) - factor * c
        if new:
            out[i] = new
        else:
            out.pop(i, None)
    return out, value - factor * constant


def _simplex(
    system: list[tuple[Row, Fraction]], wanted: set[int] | None
) -> dict[int, Fraction] | None:
    """Return a nonnegative solution by Bland's rule; with a positive wanted part if asked."""
    tableau: list[Row] = []
    values: list[Fraction] = []
    basis: list[int] = []
    for k, (row, value) in enumerate(system):
        sign = -1 if value < 0 else 1
        tableau.append({j: sign * c for j, c in row.items()})
        values.append(sign * value)
        basis.append(-1 - k)
    pivots = 0
    # First drive out the artificial variables, whose numbers are negative.
    while True:
        gain: Row = {}
        for b, row in zip(basis, tableau, strict=True):
            if b < 0:
                for j, c in row.items():
                    gain[j] = gain.get(j, Fraction(0)) + c
        if not any(v for b, v in zip(basis, values, strict=True) if b < 0):
            break
        entering = min((j for j, c in gain.items() if c > 0), default=None)
        pivots += 1
        if entering is None or pivots > MAX_PIVOTS:
            return None
        if not _pivot(tableau, values, basis, entering):
            return None
    for k, b in enumerate(basis):
        if b < 0 and tableau[k]:
            _enter(tableau, values, basis, k, min(tableau[k]))
    if wanted is None:
        return _read(values, basis)
    return _improve(tableau, values, basis, wanted, pivots)


def _improve(
    tableau: list[Row], values: list[Fraction], basis: list[int], wanted: set[int], pivots: int
) -> dict[int, Fraction] | None:
    while True:
        solution = _read(values, basis)
        if any(solution.get(j, Fraction(0)) > 0 for j in wanted):
            return solution
        gain = {j: Fraction(1) for j in wanted}
        for b, row in zip(basis, tableau, strict=True):
            if b in wanted:
                for j, c in row.items():
                    gain[j] = gain.get(j, Fraction(0)) - c
        entering = min((j for j, c in gain.items() if c > 0 and j not in basis), default=None)
        pivots += 1
        if entering is None or pivots > MAX_PIVOTS:
            return None
        if not _pivot(tableau, values, basis, entering):
            # The direction is unbounded: one step along it stays feasible.
            out = dict(solution)
            out[entering] = out.get(entering, Fraction(0)) + 1
            for b, row in zip(basis, tableau, strict=True):
                if entering in row:
                    out[b] = out.get(b, Fraction(0)) - row[entering]
            return out if any(out.get(j, Fraction(0)) > 0 for j in wanted) else None


def _pivot(tableau: list[Row], values: list[Fraction], basis: list[int], entering: int) -> bool:
    best: tuple[Fraction, int, int] | None = None
    for k, row in enumerate(tableau):
        c = row.get(entering, Fraction(0))
        if c > 0:
            candidate = (values[k] / c, basis[k], k)
            best = candidate if best is None or candidate < best else best
    if best is None:
        return False
    _enter(tableau, values, basis, best[2], entering)
    return True


def _enter(
    tableau: list[Row], values: list[Fraction], basis: list[int], k: int, entering: int
) -> None:
    scale = tableau[k][entering]
    tableau[k] = {j: c / scale for j, c in tableau[k].items()}
    values[k] /= scale
    for i, row in enumerate(tableau):
        if i == k or entering not in row:
            continue
        factor = row[entering]
        for j, c in tableau[k].items():
            new = row.get(j, Fraction(0)) - factor * c
            if new:
                row[j] = new
            else:
                row.pop(j, None)
        values[i] -= factor * values[k]
    basis[k] = entering


def _read(values: list[Fraction], basis: list[int]) -> dict[int, Fraction]:
    return {b: v for b, v in zip(basis, values, strict=True) if b >= 0 and v}
