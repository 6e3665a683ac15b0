"""Statements about all numbers, vectors or matrices that are decided: those of degree two.

That a polynomial c + ⟨b, v⟩ + ⟨v, Hv⟩/2 is nowhere negative says that the symmetric matrix with
the blocks c, b/2 and H/2 is positive semidefinite, which elimination decides exactly. So a witness
of "A is positive definite" can be checked, although it speaks of all vectors. That equations of
degree one imply another one, as A v = 0 does v = 0, is decided by elimination too.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mlnotes.trusted.terms import BINDERS, Term

from . import exact

HIGH = 100
Polynomial = Callable[[list[Any]], Any]
Affine = Callable[[list[Any]], list[Any]]
Matrix = list[list[Any]]


def degree(t: Term, k: int) -> int:
    """Return a bound on the degree of a term as a polynomial in the bound variable k."""
    if k not in t.indices:
        return 0
    if t.op == "b":
        return 1
    inside = [degree(a, k + (n == BINDERS.get(t.op, (-1, ""))[0])) for n, a in enumerate(t.args)]
    if t.op in ("+", "T", "tr", "of", "E"):
        return max(inside)
    if t.op in ("*", "dot", "sc", "mm"):
        return min(sum(inside), HIGH)
    if t.op == "pow":
        return min(int(t.data[0]) * inside[0], HIGH)
    if t.op == "sum" and inside[0] == inside[1] == 0:
        return inside[2]
    return HIGH


def relation(body: Term) -> tuple[Term, bool] | None:
    """Return a relation of degree two in the variable bound outside, and whether 0 is left out."""
    nonzero = False
    if body.op == "->" and body.args[0].op == "->" and body.args[0].args[1].op == "F":
        equation, body = body.args[0].args[0], body.args[1]
        sides = [a.op for a in equation.args]
        if equation.op != "=" or sorted(sides) not in (["b", "zero"], ["b", "q"]):
            return None
        if any(a.op == "q" and a.data[0] for a in equation.args) or 0 not in equation.indices:
            return None
        nonzero = True
    numbers = body.op in ("=", "<=", "<") and body.args[0].sort == "R"
    return (body, nonzero) if numbers and max(degree(a, 0) for a in body.args) <= 2 else None


def linear_rule(body: Term) -> tuple[list[Term], list[Term], Term] | None:
    """Return premises without the variable bound outside, and equations of degree one in it.

    The last equation is what the others, which are premises, imply.
    """
    outside: list[Term] = []
    premises: list[Term] = []
    while body.op == "->":
        (premises if 0 in body.args[0].indices else outside).append(body.args[0])
        body = body.args[1]
    parts = [*premises, body]
    if any(p.op != "=" or p.args[0].sort in ("W", "P", "Z") for p in parts):
        return None
    linear = max(degree(a, 0) for p in parts for a in p.args) <= 1
    return (outside, premises, body) if linear else None


def follows(premises: list[Affine], conclusion: Affine, size: int) -> bool:
    """Say whether values of a size for which affine functions vanish make another one vanish."""
    whole = [_rows(f, size) for f in [*premises, conclusion]]
    system = _echelon([row for rows in whole[:-1] for row in rows])
    if any(all(exact.certain_sign(x) == 0 for x in row[:-1]) for row in system):
        return True
    return all(not any(map(exact.certain_sign, _left(row, system))) for row in whole[-1])


def _rows(f: Affine, size: int) -> Matrix:
    """Return f(v) = 0 as rows of the coefficients of the entries of v, and a constant."""
    constant = f([0] * size)
    columns = [f([int(k == j) for k in range(size)]) for j in range(size)]
    rows = []
    for i, c in enumerate(constant):
        rows.append([*(column[i] - c for column in columns), c])
    return rows


def _left(row: list[Any], system: Matrix) -> list[Any]:
    """Return what is left of a row when the rows of an echelon form are taken off."""
    for pivot in system:
        at = next(k for k, x in enumerate(pivot) if exact.certain_sign(x))
        factor = row[at] * exact.inverse(pivot[at])
        row = [x - factor * y for x, y in zip(row, pivot, strict=True)]
    return row


def _echelon(rows: Matrix) -> Matrix:
    """Return the rows, each less what those before it make of it, without zeros."""
    out: Matrix = []
    for row in rows:
        row = _left(row, out)
        if any(map(exact.certain_sign, row)):
            out.append(row)
    return out


def decide(op: str, gap: Polynomial, size: int, nonzero: bool) -> bool | None:
    """Say whether 0 = gap(v), 0 ≤ gap(v) or 0 < gap(v) for all v (or all but 0) of a size."""
    constant, linear, second = coefficients(gap, size)
    flat = [*linear, *(x for row in second for x in row)]
    if op == "=":
        zero = all(exact.certain_sign(x) == 0 for x in flat)
        # A polynomial that vanishes everywhere but at 0 vanishes there too.
        return zero and exact.certain_sign(constant) == 0
    if nonzero:
        pure = all(exact.certain_sign(x) == 0 for x in (constant, *linear))
        return positive(second, strictly=op == "<") if pure else None
    whole: Matrix = [[2 * constant, *linear]]
    whole += [[b, *row] for b, row in zip(linear, second, strict=True)]
    if not positive(whole, strictly=False):
        return False
    if op == "<=" or positive(whole, strictly=True):
        return True
    level = all(exact.certain_sign(b) == 0 for b in linear)
    return exact.certain_sign(constant) > 0 if level else None


def coefficients(gap: Polynomial, size: int) -> tuple[Any, list[Any], Matrix]:
    """Return value, gradient and second derivatives at zero of a polynomial of degree two."""

    def at(*ones: int, sign: int = 1) -> Any:
        return gap([sign * ones.count(k) for k in range(size)])

    constant = at()
    plus = [at(k) for k in range(size)]
    minus = [at(k, sign=-1) for k in range(size)]
    linear = [(p - m) * exact.inverse(2) for p, m in zip(plus, minus, strict=True)]
    second = [
        [
            plus[i] + minus[i] - 2 * constant if i == j else at(i, j) - plus[i] - plus[j] + constant
            for j in range(size)
        ]
        for i in range(size)
    ]
    return constant, linear, second


def positive(m: Matrix, strictly: bool) -> bool:
    """Say whether a symmetric matrix is positive semidefinite, or definite, by elimination."""
    rows = [list(row) for row in m]
    for k in range(len(rows)):
        pivot = exact.certain_sign(rows[k][k])
        if pivot < 0 or (pivot == 0 and strictly):
            return False
        if pivot == 0:
            if any(exact.certain_sign(x) for x in rows[k][k + 1 :]):
                return False
            continue
        scale = exact.inverse(rows[k][k])
        for r in range(k + 1, len(rows)):
            factor = rows[r][k] * scale
            rows[r] = [x - factor * y for x, y in zip(rows[r], rows[k], strict=True)]
    return True
