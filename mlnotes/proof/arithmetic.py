"""Finding the multipliers: a relation as a combination of facts, squares and products of facts.

What is found is a step ``psatz`` of the kernel, which adds it up again; so the search may leave out
what it likes. The unknown multipliers are the solution of a linear programme in exact rationals,
one equation for each monomial.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import combinations, combinations_with_replacement
from typing import Any

from mlnotes.trusted.normal import (
    Monomial,
    Polynomial,
    build,
    join,
    plus,
    polynomial,
    times,
)
from mlnotes.trusted.rules import difference
from mlnotes.trusted.terms import Refused, Term

from . import proofs as pf
from .linear import combination
from .proofs import Proof, axiom, le, lemma, lt, mp, psatz

MAX_COLUMNS = 700
MAX_EQUATION_COLUMNS = 260


class Fact:
    """A relation as a polynomial that is zero, nonnegative or positive."""

    __slots__ = ("op", "polynomial", "proof")

    def __init__(self, proof: Proof) -> None:
        self.proof = proof
        self.op = proof.conclusion.op
        self.polynomial = difference(proof.conclusion, "R")


def is_relation(p: Term) -> bool:
    """Say whether a proposition relates two numbers."""
    return p.op in ("=", "<=", "<") and p.args[0].sort in ("R", "Z")


def sharpened(proof: Proof) -> Proof:
    """Read i < j between integers as i + 1 ≤ j."""
    p = proof.conclusion
    if p.op == "<" and p.args[0].sort == "Z":
        return mp(axiom("discrete", i=p.args[0], j=p.args[1]), proof)
    return proof


def combine(
    goal: Term,
    proofs: Iterable[Proof],
    *,
    products: int = 1,
    squares: bool = True,
    with_one: Sequence[Proof] = (),
) -> Proof | None:
    """Return a proof of the goal from facts, or None.

    ``products`` is the largest number of inequalities that are multiplied; ``with_one`` restricts
    products to those with one of these facts.
    """
    if goal.op != "F" and goal.args[0].sort == "Z":
        return _integers(goal, proofs, products=products, squares=squares)
    facts = _facts(proofs)
    zero = pf.number(0)
    aim = lt(zero, zero) if goal.op == "F" else goal
    target = difference(aim, "R")
    equations = [f for f in facts if f.op == "="]
    ordered = [f for f in facts if f.op != "="] if aim.op != "=" else []
    columns: list[tuple[Polynomial, Any]] = []
    if aim.op != "=":
        columns.append(({(): Fraction(1)}, ((), (), True)))
        columns += [(f.polynomial, ((f,), (), f.op == "<")) for f in ordered]
        if products > 1:
            columns += _products(ordered, products, with_one, target)
    if squares and aim.op != "=":
        columns += _squares(target, columns)
    columns = columns[:MAX_COLUMNS]
    multiples = _multiples(equations, target, [c for c, _ in columns])
    all_columns = [c for c, _ in columns] + [p for p, _, _ in multiples]
    free = [False] * len(columns) + [True] * len(multiples)
    reward = None
    if aim.op == "<":
        reward = [info[2] for _, info in columns] + [False] * len(multiples)
    found = combination(target, all_columns, free, reward)
    if found is None:
        return None
    parts: list[Any] = []
    multipliers: dict[int, Polynomial] = {}
    for k, c in found.items():
        if k < len(columns):
            used, squared, _ = columns[k][1]
            parts.append((c, [f.proof for f in used], [build(s) for s in squared]))
        else:
            _, e, m = multiples[k - len(columns)]
            multipliers[e] = plus(multipliers.get(e, {}), {m: c})
    for e, multiplier in multipliers.items():
        if multiplier:
            parts.append((build(multiplier), [equations[e].proof]))
    try:
        return psatz(goal, *parts)
    except Refused:
        return None


def _facts(proofs: Iterable[Proof]) -> list[Fact]:
    """Return the relations among some conclusions, each that is not trivial once."""
    out: dict[object, Fact] = {}
    for proof in proofs:
        if is_relation(proof.conclusion):
            fact = Fact(sharpened(proof))
            if fact.polynomial:
                out.setdefault((fact.op, frozenset(fact.polynomial.items())), fact)
    return list(out.values())


def _integers(goal: Term, proofs: Iterable[Proof], **options: Any) -> Proof | None:
    """Prove a relation of integers as one of reals."""
    a, b = goal.args
    found = combine(pf.relation(goal.op, pf.real(a), pf.real(b)), proofs, **options)
    if found is None:
        return None
    name = {"<=": "of_reflects_le", "<": "of_reflects_lt"}.get(goal.op)
    rule = axiom(name, i=a, j=b) if name else lemma("equal_integers", i=a, j=b)
    return mp(rule, found)


def _products(
    facts: Sequence[Fact], most: int, with_one: Sequence[Proof], target: Polynomial
) -> list[tuple[Polynomial, Any]]:
    """Return the products of up to so many facts that are small enough, with their factors."""
    out = []
    chosen = {id(p) for p in with_one}
    for size in range(2, most + 1):
        for group in combinations_with_replacement(facts, size):
            if chosen and not any(id(f.proof) in chosen for f in group):
                continue
            p = group[0].polynomial
            for f in group[1:]:
                if len(p) * len(f.polynomial) > 150:
                    break
                p = times(p, f.polynomial)
            else:
                strict = all(f.op == "<" for f in group)
                if p:
                    out.append((p, (group, (), strict)))
            if len(out) > MAX_COLUMNS:
                return out
    return out


def _squares(
    target: Polynomial, columns: Sequence[tuple[Polynomial, Any]]
) -> list[tuple[Polynomial, Any]]:
    """Return squares of monomials, and of sums and differences of two, that may be of use."""
    monomials = dict.fromkeys(target)
    for p, _ in columns[:60]:
        monomials |= dict.fromkeys(p)
    roots = [r for m in monomials if (r := _root(m)) is not None][:16]
    out: list[tuple[Polynomial, Any]] = []
    for r in roots:
        if r:
            out.append(
                (times({r: Fraction(1)}, {r: Fraction(1)}), ((), ({r: Fraction(1)},), False))
            )
    for a, b in combinations(roots, 2):
        cross = join(a, b)
        if cross not in monomials:
            continue
        ends = [target.get(join(r, r), Fraction(0)) for r in (a, b)]
        if cross in target and ends[0] > 0 and ends[1] > 0:
            # The square that the target completes to, if it is one of these two.
            s = {a: Fraction(1), b: target[cross] / (2 * ends[0])}
            out.append((times(s, s), ((), (s,), False)))
        for sign in (1, -1):
            s = plus({a: Fraction(1)}, {b: Fraction(sign)})
            out.append((times(s, s), ((), (s,), False)))
    return out


def _root(m: Monomial) -> Monomial | None:
    """Return the monomial whose square m is."""
    if any(k % 2 and a.op != "exp" for a, k in m):
        return None
    out = []
    for a, k in m:
        if a.op == "exp":
            half = plus({}, polynomial(a.args[0]), Fraction(1, 2))
            out.append((pf.build("exp", (), [build(half)]), 1))
        else:
            out.append((a, k // 2))
    return tuple(out)


def _multiples(
    equations: Sequence[Fact], target: Polynomial, columns: Sequence[Polynomial]
) -> list[tuple[Polynomial, int, Monomial]]:
    """Return multiples of equations by monomials that cancel something."""
    wanted: dict[Monomial, None] = dict.fromkeys(target)
    for c in columns:
        wanted |= dict.fromkeys(c)
    out: list[tuple[Polynomial, int, Monomial]] = []
    seen: set[tuple[int, Monomial]] = set()
    frontier = list(wanted)
    for _ in range(3):
        new: dict[Monomial, None] = {}
        for e, fact in enumerate(equations):
            for t in fact.polynomial:
                for s in frontier:
                    m = quotient(s, t)
                    if m is None or (e, m) in seen:
                        continue
                    seen.add((e, m))
                    p = times({m: Fraction(1)}, fact.polynomial)
                    if p:
                        out.append((p, e, m))
                        new |= dict.fromkeys(x for x in p if x not in wanted)
                    if len(out) >= MAX_EQUATION_COLUMNS:
                        return out
        if not new:
            break
        wanted |= new
        frontier = list(new)
    return out


def quotient(s: Monomial, t: Monomial) -> Monomial | None:
    """Return a monomial m with m t = s, if dividing gives one."""
    if not t:
        return s
    powers = dict(s)
    exponent: Polynomial = {}
    for a, k in s:
        if a.op == "exp":
            powers.pop(a)
            exponent = plus(exponent, polynomial(a.args[0]), Fraction(k))
    for a, k in t:
        if a.op == "exp":
            exponent = plus(exponent, polynomial(a.args[0]), Fraction(-k))
            continue
        if powers.get(a, 0) < k:
            return None
        powers[a] -= k
    out: Monomial = tuple((a, k) for a, k in powers.items() if k)
    if exponent:
        out = (*out, (pf.build("exp", (), [build(exponent)]), 1))
    # Put the factors into the order that the kernel keeps.
    return join(tuple(sorted(out, key=lambda f: f[0].key)), ())


def contradiction(goal: Term, proofs: Sequence[Proof], *, products: int = 2) -> Proof | None:
    """Prove a ≤ b or a < b by multiplying its opposite with facts."""
    if goal.op not in ("<=", "<") or goal.args[0].sort != "R":
        return None
    a, b = goal.args
    opposite = pf.assume(lt(b, a) if goal.op == "<=" else le(b, a))
    found = combine(pf.false(), [*proofs, opposite], products=products, with_one=[opposite])
    return None if found is None else pf.by_contradiction(goal, found)


__all__ = ["combine", "contradiction", "is_relation"]
