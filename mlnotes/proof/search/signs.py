"""Proofs that a term is positive, nonnegative or not zero."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mlnotes.trusted.normal import Polynomial, normal, polynomial
from mlnotes.trusted.terms import Refused, Term

from .. import proofs as pf
from ..arithmetic import combine, contradiction, is_relation
from ..proofs import Proof, assume, axiom, discharge, eq, le, lemma, lt, mp, negation, psatz
from .terms import atoms_of

if TYPE_CHECKING:
    from .context import Context

DEPTH = 8  # of contexts within contexts in which signs are still looked for


def prove_sign(context: Context, kind: str, goal: Term, t: Term) -> Proof | None:
    """Return a proof of a goal that is 0 < t or 0 ≤ t, or None."""
    context.check_work()
    found = context.said(goal)
    if found is not None:
        return found
    if context.depth > DEPTH:
        return None
    if kind == "nonnegative" and t.op == "dot" and t.args[0] is t.args[1]:
        return axiom("square_nonnegative", u=t.args[0])
    found = structural_sign(context, kind, goal, polynomial(t))
    found = found or _as_written(context, kind, goal, t)
    if found is not None:
        return found
    facts = [f for f in context.facts if is_relation(f.conclusion)]
    found = combine(goal, facts)
    instances: list[Proof] = []
    if found is None:
        instances = context.instances_for(goal)
        if instances:
            found = combine(goal, [*facts, *instances])
    if found is None:
        atoms = atoms_of(goal)
        values = [f for f in facts if f.conclusion.op == "=" and f.conclusion.args[0] in atoms]
        more = [*facts, *instances, *context.facts_about(atoms, values)]
        found = combine(goal, more, products=2 if len(more) <= 14 or context.depth <= 1 else 1)
    if found is None and context.depth == 0:
        found = contradiction(goal, facts)
    return found


def _as_written(context: Context, kind: str, goal: Term, t: Term) -> Proof | None:
    """Prove a sign from the signs of the factors or terms that are written."""
    if kind == "nonnegative" and t.op == "dot" and t.args[0] is t.args[1]:
        return axiom("square_nonnegative", u=t.args[0])
    if t.op not in ("*", "+", "inv", "pow") or t.sort != "R":
        return None
    if t.op == "pow":
        if kind == "positive" or t.data[0] % 2:
            return None
        root = t.args[0] if t.data[0] == 2 else pf.power(t.args[0], t.data[0] // 2)
        return psatz(goal, (1, [], [root]))
    if t.op == "inv":
        sign = context.sign(kind, t.args[0])
        rule = "inverse_positive" if kind == "positive" else "inverse_nonnegative"
        return mp(lemma(rule, x=t.args[0]), sign) if sign is not None else None
    signs = [context.sign(kind, a) for a in t.args]
    if kind == "positive" and t.op == "+":
        signs = [s or context.sign("nonnegative", a) for s, a in zip(signs, t.args, strict=True)]
    found = [s for s in signs if s is not None]
    if len(found) < len(signs):
        return None
    try:
        if t.op == "*":
            return psatz(goal, (1, found))
        return psatz(goal, *((1, [s]) for s in found))
    except Refused:
        return None


def structural_sign(context: Context, kind: str, goal: Term, p: Polynomial) -> Proof | None:
    """Prove a sign from the signs of terms and factors."""
    parts, strict = [], False
    for m, c in p.items():
        if c < 0:
            return None
        facts: list[Proof] = []
        squares: list[Term] = []
        positive = True
        for a, k in m:
            if k % 2 == 0:
                fact = _atom_sign(context, "positive", a)
                if fact is None:
                    squares.append(pf.power(a, k // 2) if k > 2 else a)
                    positive = False
                    continue
            else:
                fact = _atom_sign(context, "positive", a) or _atom_sign(context, "nonnegative", a)
            if fact is None:
                return None
            positive = positive and fact.conclusion.op == "<"
            facts += [fact] * k
        strict = strict or positive
        parts.append((c, facts, squares))
    if kind == "positive" and not strict:
        return None
    try:
        return psatz(goal, *parts)
    except Refused:
        return None


def _atom_sign(context: Context, kind: str, a: Term) -> Proof | None:
    """Prove 0 < a, or 0 ≤ a, for an atom a from what is known of it."""
    goal = lt(0, a) if kind == "positive" else le(0, a)
    found = context.known.get(normal(goal))
    if found is not None:
        return pf.convert(found, goal)
    for fact in context.about(a):
        p = fact.conclusion
        if p.op in ("<", "<=") and normal(p) is normal(goal):
            return pf.convert(fact, goal)
    instances = [f for f in context.instances_for(goal) if is_relation(f.conclusion)]
    facts = [f for f in context.facts if is_relation(f.conclusion)]
    return combine(goal, [*facts, *instances, *context.about(a)], squares=False)


def not_zero(context: Context, t: Term) -> Proof | None:
    """Return a proof of t ≠ 0, or None."""
    goal = negation(eq(t, 0))
    found = context.known.get(normal(goal))
    if found is not None:
        return pf.convert(found, goal)
    positive = context.sign("positive", t)
    if positive is not None:
        return mp(lemma("not_zero_if_positive", x=t), positive)
    facts = [f for f in [*context.facts, *context.instances_for(goal)] if is_relation(f.conclusion)]
    negative = combine(lt(t, 0), facts)
    if negative is None:
        about = [p for atom in atoms_of(lt(t, 0)) for p in context.about(atom)]
        negative = combine(lt(t, 0), [*facts, *about]) if about else None
    if negative is not None:
        return mp(lemma("not_zero_if_negative", x=t), negative)
    factors = [a for m in polynomial(t) for a, _ in m]
    if len(polynomial(t)) == 1 and (len(factors) > 1 or factors[0] is not t):
        # A product is not zero if its factors are not: their reciprocals show it.
        inverses = [not_zero(context, a) for a in factors]
        if all(inverses):
            ones = [mp(axiom("inverse", x=a), p) for a, p in zip(factors, inverses, strict=True)]
            wrong = combine(pf.false(), [assume(eq(t, 0)), *ones])
            return discharge(eq(t, 0), wrong) if wrong is not None else None
    return None
