"""Proofs by the sign of the second derivative."""

from __future__ import annotations

from typing import Any

from mlnotes.trusted.normal import build, normal, polynomial
from mlnotes.trusted.terms import Refused, Term, instantiate

from .. import proofs as pf
from ..arithmetic import combine, quotient
from ..errors import IllTyped, Unproved
from ..language import Expr, in_sort, number, term_of
from ..named_rules import Renaming, Rule
from ..proofs import (
    Proof,
    assume,
    axiom,
    by_order,
    convert,
    discharge,
    eq,
    generalise,
    le,
    lemma,
    lt,
    mp,
    reflexive,
    transitive,
)
from ..search import Context, subterms
from ..search.rewriting import reduced_by
from ..search.terms import atoms_of, context_of
from .differentiation import at_point, differentiate, function_of, mentions, settled

SPLIT = 8  # reciprocals in a second derivative that are split


class _SecondOrder(Rule):
    word = "second derivative"

    def __init__(self, x: Any, at: Any, name: str) -> None:
        self.x, self.at, self.name = term_of(x), term_of(at), name

    def renamed(self, names: Renaming) -> Rule:
        """Return the rule about the point in other names."""
        moved = instantiate(self.at.term, dict(names))
        return _SecondOrder(self.x, Expr(moved, self.at.assumes), self.name)

    def prove(self, context: Context, goal: Term) -> Proof:
        """Prove g(x) ≥ 0, or > 0, from g(x₀) = 0, g′(x₀) = 0 and the sign of g″ between."""
        x, x0 = self.x.term, in_sort("R", self.at)
        if goal.op not in ("<=", "<") or goal.args[0].sort != "R":
            raise Unproved(f"{self.name} proves ≤, ≥, < and >")
        if x.op != "v" or x.args or x.sort != "R":
            raise IllTyped(f"{self.name}: {self.x!r} is not a real symbol")
        if mentions(x0, x):
            raise Unproved(f"{self.name}: the point depends on {self.x!r}")
        left, right = goal.args
        gap = pf.sub(right, left)
        t = pf.fresh("R", "t")
        here = at_point(gap, x, t)
        first = differentiate(here, t, t)
        slope = first.conclusion.args[2]
        second = differentiate(slope, t, t)
        curvature = second.conclusion.args[2]
        there = context.extended(*_about_point(context, x0))
        value = there.prove(eq(at_point(gap, x, x0), 0))
        level = there.prove(eq(at_point(slope, t, x0), 0))
        strict = goal.op == "<"
        sign = pf.relation(goal.op, number(0), curvature)
        sides = []
        everywhere = self._on(context.extended(), first, second, sign)
        for right_of in (True, False):
            low, high = (x0, x) if right_of else (x, x0)
            inside = assume(le(low, t)), assume(le(t, high))
            side = assume(le(low, high) if right_of else lt(low, high))
            parts = everywhere
            if parts is None:
                parts = self._on(context.extended(side, *inside), first, second, sign, must=True)
            assert parts is not None
            order = side
            if strict:
                order = _apart(context, low, high, side)
            elif not right_of:
                order = pf.psatz(le(low, high), side)
            every = [generalise(t, discharge(le(low, t), discharge(le(t, high), p))) for p in parts]
            name = f"tangent_{'strictly_' if strict else ''}below_{'right' if right_of else 'left'}"
            rule = lemma(
                name,
                f=function_of(here, t),
                df=function_of(slope, t),
                ddf=function_of(curvature, t),
                x=x0,
                y=x,
            )
            above = mp(rule, *every, order)
            move = pf.sub(x, x0)
            sides.append(pf.psatz(goal, above, (-1, [value]), (pf.neg(move), [level])))
        return by_order(x0, x, *sides)

    def _on(
        self, context: Context, first: Proof, second: Proof, sign: Term, *, must: bool = False
    ) -> tuple[Proof, Proof, Proof] | None:
        """Prove the derivatives and the sign of the second one at a generic point."""
        try:
            parts = settled(context, first), settled(context, second)
            found = context.attempt(sign) or _shortened(context, sign)
            if found is None:
                tangents = [
                    lemma("exp_times_tangent", x=a.args[0])
                    for m in polynomial(sign.args[1])
                    for a, _ in m
                    if a.op == "exp"
                ]
                found = context.extended(*tangents).prove(sign)
            return *parts, found
        except (Unproved, Refused):
            if must:
                raise
            return None


def _shortened(context: Context, sign: Term) -> Proof | None:
    """Prove the sign of a term after its reciprocals are split and what they cancel is cancelled.

    The second derivative of log((1 − t)/(1 − q)) has (1/(1 − q) − t/(1 − q))² below the line.
    """
    zero, bend = sign.args
    same = reflexive(bend)
    for _ in range(SPLIT):
        atoms = atoms_of(eq(same.conclusion.args[1], 0))
        split = next(filter(None, map(_split_reciprocal, atoms)), None)
        if split is None:
            break
        atom, _ = split.conclusion.args
        long = normal(same.conclusion.args[1])
        short = pf.congruence(split, context_of(long, atom))
        same = transitive(convert(same, eq(bend, long)), short)
    bend = same.conclusion.args[1]
    below = [a.args[0] for a in atoms_of(eq(bend, 0)) if a.op == "inv"]
    apart = [(x, context.not_zero(x)) for x in below if len(polynomial(x)) > 1]
    ones = [mp(axiom("inverse", x=x), p) for x, p in apart if p is not None]
    found = reduced_by(context, bend, ones)
    if found is not None:
        same = transitive(same, found[0])
    shown = context.attempt(pf.relation(sign.op, zero, same.conclusion.args[1]))
    return combine(sign, [shown, same]) if shown is not None else None


def _split_reciprocal(a: Term) -> Proof | None:
    """Return 1/(x y) = (1/x)(1/y) for the reciprocal of a sum whose terms have a common factor."""
    terms = list(polynomial(a.args[0]).items()) if a.op == "inv" else []
    common = set.intersection(*({b for b, _ in m} for m, _ in terms)) if len(terms) > 1 else set()
    if not common:
        return None
    x = min(common, key=lambda b: b.key)
    parts = {quotient(m, ((x, 1),)): c for m, c in terms}
    y = build({m: c for m, c in parts.items() if m is not None})
    s, t = (pf.fresh("R") for _ in range(2))
    law = pf.ring(eq(pf.inv(pf.mul(s, t)), pf.mul(pf.inv(s), pf.inv(t))))
    names = [((z.data[0], "R", ()), value) for z, value in ((s, x), (t, y))]
    return convert(pf.substitute(law, names), eq(a, pf.mul(pf.inv(x), pf.inv(y))))


def _about_point(context: Context, x0: Term) -> list[Proof]:
    """Return what logarithms and reciprocals in a point are, as they are written there."""
    out = []
    for t in subterms(x0):
        if t.op == "log":
            positive = context.sign("positive", t.args[0])
            if positive is not None:
                out.append(mp(axiom("exp_log", x=t.args[0]), positive))
        elif t.op == "inv":
            other = context.not_zero(t.args[0])
            if other is not None:
                out.append(mp(axiom("inverse", x=t.args[0]), other))
    return out


def _apart(context: Context, low: Term, high: Term, order: Proof) -> Proof:
    """Prove low < high from an order and that the two differ."""
    if order.conclusion.op == "<":
        return order
    gap = pf.sub(high, low)
    other = context.not_zero(gap)
    if other is None:
        raise Unproved("nothing says that the symbol differs from the point")
    rule = lemma("positive_if_not_zero", x=gap)
    return convert(mp(rule, pf.psatz(le(0, gap), order), other), lt(low, high))


def second_order(x: Any, at: Any = 0) -> Rule:
    """Prove ``f ≤ g`` in x because ``g − f`` and its slope vanish at a point and it is convex.

    The second derivative is shown nonnegative on the segment between the point and x; for ``f < g``
    it is shown positive there, and x to be another point.
    """
    return _SecondOrder(x, at, "second_order")


def minimised_at(x: Any, x0: Any) -> Rule:
    """Prove that a convex function of x is at least its value at a stationary point x0."""
    return _SecondOrder(x, x0, "minimised_at")
