"""Relations with reciprocals, multiplied by what stands in the denominators."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from mlnotes.trusted.normal import Monomial, Polynomial, build, plus, polynomial, times
from mlnotes.trusted.rules import difference
from mlnotes.trusted.terms import Term

from .. import proofs as pf
from ..arithmetic import combine
from ..proofs import Proof, eq, mul, psatz

if TYPE_CHECKING:
    from .context import Context


def cleared(context: Context, goal: Term) -> Proof | None:
    """Multiply a goal by the positive denominators in it."""
    if goal.op not in ("<=", "<", "=") or goal.args[0].sort != "R" or context.clearing:
        return None
    p = difference(goal, "R")
    inverted: dict[Term, int] = {}
    for m in p:
        for a, n in m:
            if a.op == "inv":
                inverted[a] = max(n, inverted.get(a, 0))
    if not inverted or sum(inverted.values()) > 6:
        return None
    equations, signs = [], []
    for a in inverted:
        found = [f for f in context.about(a) if f.conclusion.op == "="]
        sign = [f for f in context.about(a) if f.conclusion.op == "<"]
        if not found or (goal.op != "=" and not sign):
            return None
        equations.append(found[0])
        signs += sign[:1] * inverted[a]
    turned = sum(polynomial(s.conclusion.args[1]).get(_inverted(s), 0) < 0 for s in signs)
    cleared: Polynomial = {}
    for m, c in p.items():
        powers = dict(m)
        product = {tuple(f for f in m if f[0] not in inverted): c}
        for a, n in inverted.items():
            for _ in range(n - powers.get(a, 0)):
                product = times(product, polynomial(a.args[0]))
        cleared = plus(cleared, product, Fraction(-1 if goal.op != "=" and turned % 2 else 1))
    inner = context.extended(*_cleared_facts(context))
    inner.clearing = True
    shown = inner.attempt(pf.relation(goal.op, pf.number(0), build(cleared)))
    if shown is None:
        return None
    if goal.op == "=":
        factor = build({tuple(sorted(inverted.items(), key=lambda f: f[0].key)): Fraction(1)})
        scaled = psatz(eq(0, mul(factor, build(cleared))), (factor, [shown]))
        return combine(goal, [scaled, *equations])
    scaled = psatz(
        pf.relation(
            goal.op, pf.number(0), mul(*(s.conclusion.args[1] for s in signs), build(cleared))
        ),
        (1, [*signs, shown]),
    )
    return combine(goal, [scaled, *equations])


def with_cleared_facts(context: Context, goal: Term) -> Proof | None:
    """Prove a goal with facts multiplied by the positive denominators in them."""
    if goal.op not in ("<=", "<", "=") or goal.args[0].sort != "R" or context.clearing:
        return None
    found = _cleared_facts(context)
    if not found:
        return None
    inner = context.extended(*found)
    inner.clearing, inner.splits = True, 3
    return inner.attempt(goal)


def _cleared_facts(context: Context) -> list[Proof]:
    """Return the facts as they read with their denominators multiplied out."""
    return [c for f in context.facts if (c := _cleared_fact(context, f)) is not None]


def _cleared_fact(context: Context, fact: Proof) -> Proof | None:
    """Multiply an inequality by what its reciprocals are of, where that is positive."""
    p = fact.conclusion
    if p.op not in ("<=", "<") or p.args[0].sort != "R":
        return None
    powers: dict[Term, int] = {}
    for m in difference(p, "R"):
        for a, n in m:
            if a.op == "inv":
                powers[a] = max(n, powers.get(a, 0))
    if not powers or sum(powers.values()) > 4:
        return None
    signs, equations = [], []
    for a, n in powers.items():
        sign = context.sign("positive", a.args[0])
        equation = [f for f in context.about(a) if f.conclusion.op == "="]
        if sign is None or not equation:
            return None
        signs += [sign] * n
        equations.append(equation[0])
    gap = difference(p, "R")
    cleared: Polynomial = {}
    for m, c in gap.items():
        own = dict(m)
        product = {tuple(f for f in m if f[0] not in powers): c}
        for a, n in powers.items():
            for _ in range(n - own.get(a, 0)):
                product = times(product, polynomial(a.args[0]))
        cleared = plus(cleared, product)
    factors = mul(*(s.conclusion.args[1] for s in signs), build(gap))
    scaled = psatz(pf.relation(p.op, pf.number(0), factors), (1, [*signs, fact]))
    return combine(pf.relation(p.op, pf.number(0), build(cleared)), [scaled, *equations])


def _inverted(sign: Proof) -> Monomial:
    """Return the monomial of a fact 0 < 1/x or 0 < −1/x."""
    (m,) = polynomial(sign.conclusion.args[1])
    return m
