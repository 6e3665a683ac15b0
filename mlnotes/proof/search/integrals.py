"""Integrals over a measure space: what is integrable, and what linearity and order say.

A function of points is taken apart into terms that are known to be integrable, or follow from such
by what they are: absolute values, the larger or smaller of two, parts where something is positive,
finite sums. No product of two integrable functions is integrable for that alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from mlnotes.trusted.normal import Monomial, Polynomial, build, normal, polynomial, times
from mlnotes.trusted.rules import difference
from mlnotes.trusted.terms import Term, fill

from .. import proofs as pf
from ..arithmetic import combine, is_relation, quotient
from ..linear import combination
from ..proofs import Proof, axiom, each_intro, eq, generalise, lemma, mp, mul, psatz
from .terms import function, members_of

if TYPE_CHECKING:
    from .context import Context

DEEP = 4  # terms within terms that are taken apart
MOST = 60  # multiples of known functions that are combined


class Part(NamedTuple):
    """A multiple of a function of points that is integrable."""

    factor: Term
    body: Term
    proof: Proof


def prove_integrable(context: Context, goal: Term) -> Proof | None:
    """Prove that a function of points is integrable."""
    found = _known(context, goal)
    if found is not None:
        return found
    parts = taken_apart(context, goal.args[0])
    if parts is not None:
        return pf.convert(_added(parts)[0], goal)
    return _by_equality(context, goal)


def integral_facts(context: Context, a: Term) -> Iterator[Proof]:
    """Yield what is known of an integral: its parts, its sign, and what it is equal to."""
    if a.loose:
        return
    (body,) = a.args
    x = pf.fresh("U", "x")
    value = fill(body, (x,))
    groups = _grouped(polynomial(value), x)
    parts = taken_apart(context, body)
    if parts is not None:
        yield from _linear(a, parts)
    elif len(groups) == 1:
        ((inside, outside),) = groups.items()
        if outside != {(): Fraction(1)}:
            of = pf.abstracted(build({inside: Fraction(1)}), [x])
            yield pf.convert(
                axiom("integral_multiple", c=build(outside), f=function(of)),
                eq(a, mul(build(outside), pf.build("int", (), [of]))),
            )
    inner = context.extended()
    sign = inner.sign("nonnegative", value)
    if sign is not None:
        yield mp(axiom("integral_nonnegative", f=function(body)), generalise(x, sign))
    simpler = _simpler(context, body) if context.universal else None
    if simpler is not None:
        equation, new = simpler
        yield mp(axiom("integral_congruence", f=function(body), g=function(new)), equation)


def _linear(a: Term, parts: Sequence[Part]) -> Iterator[Proof]:
    """Yield the integral as a combination of those of its parts, and sums taken out of it."""
    if len(parts) > 1 or parts[0].factor is not pf.number(1):
        _, equation = _added(parts)
        value = pf.add(*(mul(p.factor, pf.build("int", (), [p.body])) for p in parts), 0)
        yield pf.convert(equation, eq(a, value))
    for part in parts:
        premise, total = _every(part.proof), _ranged(part.body)
        if premise is not None and total is not None:
            low, high, of = total
            found = mp(lemma("integral_range", lo=low, hi=high, f=of), premise)
            inside = pf.build("int", (), [part.body])
            yield pf.convert(found, eq(inside, found.conclusion.args[1]))


def by_integrals(context: Context, goal: Term) -> Proof | None:
    """Compare integrals by comparing what stands under them, taken together."""
    if goal.op not in ("=", "<=") or goal.args[0].sort != "R":
        return None
    under = _under_integrals(goal)
    if not under or any(a.loose or c.loose for c, a in under):
        return None
    x = pf.fresh("U", "x")
    total = pf.add(*(mul(c, fill(a.args[0], (x,))) for c, a in under), 0)
    exist = [context.attempt(pf.build("integrable", (), a.args)) for _, a in under]
    if None in exist and len(under) > 1:
        return None
    found = context.extended().attempt(pf.relation(goal.op, pf.number(0), total))
    if found is None:
        return None
    everywhere = generalise(x, found)
    body, zero = function(pf.abstracted(total, [x])), pf.number(0)
    if goal.op == "=":
        rule = axiom("integral_congruence", f=lambda _: zero, g=body)
        nothing = axiom("integral_multiple", c=0, f=lambda _: zero)
        facts = [mp(rule, everywhere), nothing]
    else:
        facts = [mp(axiom("integral_nonnegative", f=body), everywhere)]
    parts = [Part(c, a.args[0], p) for (c, a), p in zip(under, exist, strict=True) if p]
    if parts:
        facts.append(_added(parts)[1])
    else:
        # One integral alone has a sign whether it exists or not.
        facts += [axiom("integral_multiple", c=c, f=function(a.args[0])) for c, a in under]
    return combine(goal, [*facts, *(f for f in context.facts if is_relation(f.conclusion))])


def _under_integrals(goal: Term) -> list[tuple[Term, Term]]:
    """Return the integrals in a goal with their factors, from the left to the right side."""
    out = []
    for m, c in difference(goal, "R").items():
        found = [a for a, k in m if a.op == "int" and k == 1]
        if len(found) == 1:
            rest = tuple(f for f in m if f[0] is not found[0])
            out.append((build({rest: c}), found[0]))
    return out


def compared(context: Context, goal: Term, found: Proof) -> Proof | None:
    """Return ∫f ≤ ∫g or ∫f = ∫g from what was proved of f and g at every point."""
    f, g = (a.args[0] for a in goal.args)
    if goal.op == "=":
        return mp(axiom("integral_congruence", f=function(f), g=function(g)), found)
    proofs = [context.attempt(pf.build("integrable", (), [t])) for t in (f, g)]
    if None in proofs:
        return None
    return mp(lemma("integral_monotone", f=function(f), g=function(g)), found, *proofs)


# ---------------------------------------------------------------------- what is integrable


def _known(context: Context, goal: Term) -> Proof | None:
    """Return what is supposed of this function, or of all members of a family."""
    form = normal(goal)
    found = context.said(goal)
    if found is not None:
        return found
    for fact in _supposed(context, goal):
        if normal(fact.conclusion) is form:
            return pf.convert(fact, goal)
    return None


def _supposed(context: Context, goal: Term) -> list[Proof]:
    """Return the functions that are supposed to be integrable, at the members in a goal."""
    out = [f for f in context.facts if f.conclusion.op == "integrable"]
    members = list(members_of(goal))
    for fact in context.universal:
        last = fact.conclusion
        while last.op in ("all", "->", "&"):
            last = last.args[-1]
        if last.op == "integrable":
            found = [g for f in context.instantiate(fact, members) for g in pf.conjuncts(f)]
            out += [f for f in found if f.conclusion.op == "integrable"]
    return out


def taken_apart(context: Context, body: Term) -> list[Part] | None:
    """Return a function of points as a combination of such that are integrable, or None."""
    key = pf.build("integrable", (), [body])
    if key not in context.parts:
        context.parts[key] = None
        context.check_work()
        context.parts[key] = _taken_apart(context, body)
    return context.parts[key]


def _taken_apart(context: Context, body: Term) -> list[Part] | None:
    x = pf.fresh("U", "x")
    p = polynomial(fill(body, (x,)))
    if not p:
        zero = pf.number(0)
        return [Part(pf.number(1), zero, axiom("integrable_zero"))]
    parts: list[Part] = []
    unknown = False
    for inside, outside in _grouped(p, x).items():
        of = pf.abstracted(build({inside: Fraction(1)}), [x])
        proof = _of_monomial(context, inside, of, x)
        if proof is None:
            unknown = True
        else:
            parts.append(Part(build(outside), of, proof))
    return parts if not unknown else _combined(context, body, p, parts, x)


def _grouped(p: Polynomial, x: Term) -> dict[Monomial, Polynomial]:
    """Return a polynomial as one in what depends on a point, with other coefficients."""
    name = (x.data[0], x.data[1], ())
    out: dict[Monomial, Polynomial] = {}
    for m, c in p.items():
        inside = tuple(f for f in m if name in f[0].free)
        outside = tuple(f for f in m if name not in f[0].free)
        rest = out.setdefault(inside, {})
        rest[outside] = rest.get(outside, Fraction(0)) + c
    return out


def _combined(
    context: Context, body: Term, p: Polynomial, parts: Sequence[Part], x: Term
) -> list[Part] | None:
    """Return a function as a combination of parts and of what is supposed to be integrable."""
    goal = pf.build("integrable", (), [body])
    single = [Part(pf.number(1), part.body, part.proof) for part in parts]
    given = [Part(pf.number(1), f.conclusion.args[0], f) for f in _supposed(context, goal)]
    columns: list[Polynomial] = []
    multiples: list[Part] = []
    name = (x.data[0], x.data[1], ())
    for part in [*single, *given]:
        q = polynomial(fill(part.body, (x,)))
        factors = dict.fromkeys(quotient(n, m) for n in p for m in q)
        for factor in factors:
            if factor is None or any(name in a.free for a, _ in factor) or len(columns) > MOST:
                continue
            columns.append(times({factor: Fraction(1)}, q))
            multiples.append(part._replace(factor=build({factor: Fraction(1)})))
    found = combination(p, columns, [True] * len(columns))
    if not found:
        return None
    return [multiples[k]._replace(factor=mul(c, multiples[k].factor)) for k, c in found.items()]


def _added(parts: Sequence[Part]) -> tuple[Proof, Proof]:
    """Return that a combination is integrable, and the value of its integral."""
    first, *others = parts
    total, there, value = _multiple(first)
    for part in others:
        term, one, whole = _multiple(part)
        both = mp(axiom("integral_sum", f=total, g=term), there, one)
        there = mp(axiom("integrable_sum", f=total, g=term), there, one)
        total = function(both.conclusion.args[0].args[0])
        sides = both.conclusion.args[0], pf.add(value.conclusion.args[1], whole.conclusion.args[1])
        value = psatz(eq(*sides), (1, [both]), (1, [value]), (1, [whole]))
    return there, value


def _multiple(part: Part) -> tuple[Callable[[Term], Term], Proof, Proof]:
    """Return a multiple of a function, that it is integrable, and the value of its integral."""
    of = function(part.body)
    values = {"c": part.factor, "f": of}
    there = mp(axiom("integrable_multiple", **values), part.proof)
    return lambda x: mul(part.factor, of(x)), there, axiom("integral_multiple", **values)


def _of_monomial(context: Context, m: Monomial, body: Term, x: Term) -> Proof | None:
    """Prove that a product is integrable by what its factors are."""
    goal = pf.build("integrable", (), [body])
    found = _known(context, goal)
    if found is not None or not m or context.depth > DEEP:
        return found
    if m[0][1] == len(m) == 1:
        ((a, _),) = m
        if a.op in ("abs", "max", "min"):
            return _of_call(context, a, x)
    for a, k in m:
        rest = build({tuple(f for f in m if f[0] is not a): Fraction(1)})
        if a.op == "ind" and a.args[0].op in ("<=", "<"):
            return _part(context, a.args[0], rest, goal, x)
        if a.op == "sum" and a.sort == "R" and k == 1:
            return _sum(context, a, rest, goal, x)
    return None


def _of_call(context: Context, a: Term, x: Term) -> Proof | None:
    """Prove that an absolute value, or the larger or smaller of two, is integrable."""
    bodies = [pf.abstracted(t, [x]) for t in a.args]
    proofs = [context.attempt(pf.build("integrable", (), [b])) for b in bodies]
    if None in proofs:
        return None
    if a.op == "abs":
        return mp(axiom("integrable_absolute", f=function(bodies[0])), proofs[0])
    values = dict(zip("fg", map(function, bodies), strict=True))
    return mp(lemma(f"integrable_{a.op}", **values), *proofs)


def _part(context: Context, p: Term, rest: Term, goal: Term, x: Term) -> Proof | None:
    """Prove that the part of a function is integrable where another one is positive."""
    gap, whole = (pf.abstracted(t, [x]) for t in (pf.sub(*p.args[::-1]), rest))
    proofs = [context.attempt(pf.build("integrable", (), [t])) for t in (whole, gap)]
    if None in proofs:
        return None
    values = {"f": function(whole), "g": function(gap)}
    rule = axiom("integrable_part", **values)
    if p.op == "<":
        rule = lemma("integrable_strict_part", **values)
    return pf.convert(mp(rule, *proofs), goal)


def _sum(context: Context, a: Term, rest: Term, goal: Term, x: Term) -> Proof | None:
    """Prove that a finite sum is integrable, because its terms are."""
    low, high, body = a.args
    if any((x.data[0], x.data[1], ()) in t.free for t in (low, high)):
        return None
    k, inner = context.opened(low, high)
    term = pf.abstracted(mul(rest, fill(body, (k,))), [k, x])
    one = pf.bind("U", lambda x: fill(term, (k, x)))
    found = inner.attempt(pf.build("integrable", (), [one]))
    if found is None:
        return None
    rule = lemma("integrable_range", lo=low, hi=high, f=lambda k, x: fill(term, (k, x)))
    return pf.convert(mp(rule, each_intro(k, low, high, found)), goal)


def _ranged(body: Term) -> tuple[Term, Term, Callable[[Term, Term], Term]] | None:
    """Return the range of a sum under an integral and its terms, as functions of both."""
    x = pf.fresh("U", "x")
    p = polynomial(fill(body, (x,)))
    if len(p) != 1:
        return None
    ((m, c),) = p.items()
    for a, n in m:
        if a.op == "sum" and a.sort == "R" and n == 1:
            rest = build({tuple(f for f in m if f[0] is not a): c})
            k = pf.fresh("Z", "k")
            low, high, inside = a.args
            term = pf.abstracted(mul(rest, fill(inside, (k,))), [k, x])
            return low, high, lambda k, x, term=term: fill(term, (k, x))
    return None


def _every(proof: Proof) -> Proof | None:
    """Return the premise of the lemma on sums from which a proof was drawn."""
    while proof.rule == "convert":
        proof = proof.given[0]
    if proof.rule != "mp":
        return None
    premise: Proof = proof.given[1]
    return premise if premise.conclusion.op == "all" else None


def _simpler(context: Context, body: Term) -> tuple[Proof, Term] | None:
    """Return that a function is another one at every point, by what is known of every point."""
    if context.depth > DEEP:
        return None
    x = pf.fresh("U", "x")
    found = context.extended().reduced(fill(body, (x,)))
    if found is None:
        return None
    equation, new = found
    return generalise(x, equation), pf.abstracted(new, [x])


def _by_equality(context: Context, goal: Term) -> Proof | None:
    """Prove that a function is integrable because it is another one that is."""
    simpler = _simpler(context, goal.args[0])
    if simpler is None:
        return None
    equation, new = simpler
    found = taken_apart(context, new)
    if found is None:
        return None
    there = _added(found)[0]
    x = pf.fresh("U", "x")
    turned = generalise(x, pf.symmetric(pf.specialise(equation, x)))
    rule = axiom("integrable_congruence", f=function(new), g=function(goal.args[0]))
    return mp(rule, turned, there)


__all__ = ["by_integrals", "compared", "integral_facts", "prove_integrable"]
