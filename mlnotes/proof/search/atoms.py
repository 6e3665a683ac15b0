"""What is known of an atom of a polynomial by what it is: a sum, an indicator, a mean."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations
from typing import TYPE_CHECKING

from mlnotes.trusted.normal import Monomial, build, normal, plus, polynomial
from mlnotes.trusted.rules import difference
from mlnotes.trusted.terms import Term, fill, shift

from .. import proofs as pf
from .. import words
from ..arithmetic import combine, is_relation, quotient
from ..language import choose
from ..merging import exchanged
from ..probability import double_sums, means
from ..proofs import (
    Proof,
    assume,
    axiom,
    discharge,
    each_intro,
    eq,
    generalise,
    le,
    lemma,
    mp,
    psatz,
)
from .functions import FUNCTIONS, extreme
from .integrals import integral_facts
from .ranges import aligned
from .rewriting import reduced_sum
from .terms import atoms_of, function, size_positive, unequal_indices

if TYPE_CHECKING:
    from .context import Context

MOST_EVENTS = 4  # indicators of relations that are compared with each other


def facts_about(context: Context, atoms: Iterable[Term], facts: Sequence[Proof]) -> list[Proof]:
    """Return signs and defining equations of the atoms of a goal and of facts."""
    out: dict[Term, Proof] = {}
    pending = list(dict.fromkeys([*atoms, *(a for f in facts for a in atoms_of(f.conclusion))]))
    seen, seen_in_order = set(pending), list(pending)
    while pending:
        context.check_work()
        for fact in about(context, pending.pop(0)):
            if fact.conclusion in out:
                continue
            out[fact.conclusion] = fact
            if len(seen) < 60:
                new = [a for a in atoms_of(fact.conclusion) if a not in seen]
                seen.update(new)
                seen_in_order += new
                pending += new
    events = [a for a in seen_in_order if a.op == "ind" and is_relation(a.args[0])]
    for fact in (*aligned(context, seen_in_order), *_equal_events(context, events[:MOST_EVENTS])):
        out.setdefault(fact.conclusion, fact)
        for a in atoms_of(fact.conclusion):
            if a not in seen:
                seen.add(a)
                out |= {f.conclusion: f for f in about(context, a)}
    return list(out.values())


def _equal_events(context: Context, events: Sequence[Term]) -> Iterator[Proof]:
    """Yield [p] = [q] for relations of which the facts say that they have equal differences."""
    for a, b in combinations(events, 2):
        p, q = (e.args[0] for e in (a, b))
        if p.op != q.op or p.args[0].sort != q.args[0].sort:
            continue
        same = context.quick(eq(*(pf.sub(*r.args) for r in (p, q))))
        if same is None:
            continue
        there, back = combine(q, [assume(p), same]), combine(p, [assume(q), same])
        if there is None or back is None:
            continue
        denied = assume(pf.negation(p))
        yes = [mp(axiom("indicator_true", p=r), f) for r, f in ((p, assume(p)), (q, there))]
        wrong = discharge(q, mp(denied, back))
        no = [mp(axiom("indicator_false", p=r), f) for r, f in ((p, denied), (q, wrong))]
        both = combine(eq(a, b), yes), combine(eq(a, b), no)
        if both[0] is not None and both[1] is not None:
            yield pf.by_cases(p, both[0], both[1])


def about(context: Context, a: Term) -> list[Proof]:
    """Return what is known of an atom by what it is."""
    found = context.descriptions.get(a)
    if found is None:
        context.descriptions[a] = []
        found = context.descriptions[a] = list(_describe(context, a))
    return found


def _describe(context: Context, a: Term) -> Iterator[Proof]:
    """Yield what is known of an atom by itself: signs, bounds and identities of its kind."""
    if a.op in ("exp", "sqrt", "abs", "log", "inv"):
        yield from FUNCTIONS[a.op](context, a.args[0])
    elif a.op == "dot":
        if a.args[0] is a.args[1]:
            yield axiom("square_nonnegative", u=a.args[0])
        for u, v in (a.args, a.args[::-1]):
            if u.op == "E":
                yield axiom("mean_vector", X=function(u.args[0]), u=v)
            nothing = context.said(eq(u, pf.build("zero", ("V",)))) if u.op == "v" else None
            if nothing is not None:
                yield pf.congruence(nothing, _dot_with(v))
    elif a.op == "tr":
        yield from words.traces(context, a)
    elif a.op == "det":
        positive = words.determinant(context, a.args[0])
        if positive is not None:
            yield positive
        yield from words.determinant_update(context, a.args[0])
    elif a.op == "of" and a.args[0].op == "dim":
        yield size_positive(a.args[0])
    elif a.op == "ind":
        yield from _indicator(context, a.args[0])
    elif a.op in ("max", "min"):
        yield from extreme(context, a)
    elif a.op == "sum":
        yield from facts_of_sum(context, a)
        yield from exchanged(context, a)
    elif a.op == "prod":
        yield from _product(context, a)
    elif a.op == "E":
        yield from _mean(context, a)
    elif a.op == "int":
        yield from integral_facts(context, a)


def _dot_with(v: Term) -> Callable[[Term], Term]:
    """Return z ↦ ⟨z, v⟩."""
    return lambda z: pf.build("dot", (), [z, v])


def _indicator(context: Context, p: Term) -> Iterator[Proof]:
    """Yield 0 ≤ [p] ≤ 1, and [p] = 1 or [p] = 0 where p is proved or refuted."""
    yield lemma("indicator_at_least_zero", p=p)
    yield lemma("indicator_at_most_one", p=p)
    yield from _indicator_laws(p)
    held = context.quick(p)
    if held is None and p.op in ("<=", "<") and context.depth <= 3:
        held = context.simply(p)
    if held is None and p.op == "->" and p.args[1].op == "F":
        contradiction = context.extended(assume(p.args[0])).contradiction()
        held = discharge(p.args[0], contradiction) if contradiction is not None else None
    if held is not None:
        yield mp(axiom("indicator_true", p=p), held)
        return
    denied = context.said(pf.negation(p))
    if denied is not None:
        yield mp(axiom("indicator_false", p=p), denied)
        return
    if p.op == "->" and p.args[1].op == "F":
        opposite = context.quick(p.args[0])
        wrong = mp(assume(p), opposite) if opposite is not None else None
    else:
        wrong = context.extended(assume(p)).simply(pf.false())
    if wrong is not None:
        yield mp(axiom("indicator_false", p=p), discharge(p, wrong))


def facts_of_sum(context: Context, a: Term) -> Iterator[Proof]:
    """Return what is known of a sum: its length, its sign, its last term, its reduced terms."""
    low, high, body = a.args
    i, inner = context.opened(low, high)
    value = fill(body, (i,))
    if body.sort != "R":
        return
    if body.loose == 0 and not inner.parent:
        return
    if polynomial(body) == {(): Fraction(1)}:
        long = context.quick(le(low, pf.add(high, 1)))
        if long is not None:
            yield mp(lemma("sum_count", lo=low, hi=high), long)
        return
    last = last_term(context, a)
    if last is not None:
        yield last
    reduced = reduced_sum(context, a)
    if reduced is not None:
        yield reduced
    yield from _summed_facts(inner, i, a)
    yield from _binomials(context, a)
    single = delta(context, a)
    if single is not None:
        yield single
    yield from double_sums(context, a)
    long = context.quick(le(low, high))
    sign = inner.sign("positive", value) if long is not None else None
    if sign is not None and long is not None:
        rule = lemma("sum_positive", lo=low, hi=high, f=function(body))
        yield mp(rule, long, each_intro(i, low, high, sign))
        return
    sign = inner.sign("nonnegative", value)
    if sign is not None:
        rule = lemma("sum_nonnegative", lo=low, hi=high, f=function(body))
        yield mp(rule, each_intro(i, low, high, sign))


def _binomials(context: Context, a: Term) -> Iterator[Proof]:
    """Return Σ C(n, k) xᵏ = (1 + x)ⁿ."""
    low, high, body = a.args
    if normal(low) is not normal(pf.whole(0)) or "prod" not in {b.op for b in subterms_of(body)}:
        return
    k = pf.fresh("Z", "k")
    ((m, c),) = polynomial(fill(body, (k,))).items()
    ((count, _),) = polynomial(choose(high, k)).items()
    rest = quotient(m, count)
    start = context.quick(le(0, high))
    if c != 1 or rest is None or start is None:
        return
    factors = []
    for b, power in rest:
        inside = b.args[0] if b.op == "inv" else b
        one = inside.op == "prod" and inside.args[0] is pf.whole(1) and inside.args[1] is k
        if not one or inside.args[2].loose:
            return
        factors += [pf.inv(inside.args[2]) if b.op == "inv" else inside.args[2]] * power
    x = pf.mul(*factors, 1) if factors else pf.number(1)
    yield mp(lemma("binomial_theorem", m=high, x=x), start)


def subterms_of(t: Term) -> Iterator[Term]:
    """Yield a term and all its parts."""
    yield t
    for b in t.args:
        yield from subterms_of(b)


def _averaged_facts(inner: Context, w: Term, a: Term) -> Iterator[Proof]:
    """Return what inequalities for every outcome, averaged, say of a mean."""
    value = polynomial(fill(a.args[0], (w,)))
    for fact in inner.instances_for(eq(build(value), 0)):
        p = fact.conclusion
        if p.op not in ("<=", "<") or p.args[0].sort != "R" or (w.data[0], "W", ()) not in p.free:
            continue
        if any(_divide(m, n) for m in value for n in difference(p, "R")):
            weak = fact if p.op == "<=" else psatz(le(*p.args), (1, [fact]))
            left, right = (function(pf.abstracted(t, [w])) for t in p.args)
            yield mp(axiom("mean_monotone", X=left, Y=right), generalise(w, weak))


def _summed_facts(inner: Context, i: Term, a: Term) -> Iterator[Proof]:
    """Return what inequalities for the terms of a sum, added up, say of the sum."""
    low, high, body = a.args
    value = polynomial(fill(body, (i,)))
    name = (i.data[0], "Z", ())
    for fact in inner.instances_for(eq(build(value), 0)):
        p = fact.conclusion
        if p.op not in ("<=", "<") or p.args[0].sort != "R" or name not in p.free:
            continue
        if not any(_divide(m, n) for m in value for n in difference(p, "R")):
            continue
        weak = fact if p.op == "<=" else psatz(le(*p.args), (1, [fact]))
        left, right = (pf.abstracted(t, [i]) for t in p.args)
        rule = lemma("sum_monotone", lo=low, hi=high, f=function(left), g=function(right))
        yield mp(rule, each_intro(i, low, high, weak))


def _divide(m: Monomial, n: Monomial) -> bool:
    """Say whether the factors of m are among those of n, or the other way round."""
    return set(m) <= set(n) or (bool(n) and set(n) <= set(m))


def last_term(context: Context, a: Term) -> Proof | None:
    """Take the last term off a sum or product that an induction has made longer."""
    low, high, body = a.args
    if context.unrolled is None or high.sort != "Z":
        return None
    gap = polynomial(pf.sub(high, context.unrolled))
    if any(gap) or not 0 <= gap.get((), Fraction(0)) <= 1:
        return None
    before = pf.sub(high, 1)
    long = context.quick(le(low, pf.add(before, 1)))
    if long is None:
        return None
    kind = "product" if a.op == "prod" else "sum" if body.sort == "R" else "vector_sum"
    rule = axiom(f"{kind}_last", lo=low, hi=before, f=function(body))
    found = mp(rule, long)
    return pf.convert(found, eq(a, found.conclusion.args[1]))


def delta(context: Context, a: Term) -> Proof | None:
    """Return the value of Σₖ [k = j] f(k)."""
    low, high, body = a.args
    ((m, c),) = polynomial(body).items()
    for d, _ in m:
        if d.op != "ind" or d.args[0].op != "=" or d.args[0].args[0].sort != "Z":
            continue
        p = difference(d.args[0], "Z")
        index = ((pf.build("b", (0, "Z")), 1),)
        if abs(p.get(index, 0)) != 1:
            continue
        rest = plus({}, {n: k for n, k in p.items() if n != index}, -1 / p[index])
        j = build(rest, "Z")
        if 0 in j.indices:
            continue
        j = shift(j, -1)
        inside = [context.quick(le(low, j)), context.quick(le(j, high))]
        if None in inside:
            return None
        others = build({tuple(f for f in m if f[0] is not d): c})
        rule = lemma("sum_of_delta", lo=low, hi=high, j=j, f=function(others))
        found = mp(rule, *inside)
        value = found.conclusion.args[1]
        return pf.convert(found, eq(a, value))
    return None


def _product(context: Context, a: Term) -> Iterator[Proof]:
    """Yield that a product of positive or nonnegative factors is so, and its last factor."""
    low, high, body = a.args
    last = last_term(context, a)
    if last is not None:
        yield last
    i, inner = context.opened(low, high)
    value = fill(body, (i,))
    for sign, name in (
        ("positive", "product_positive"),
        ("nonnegative", "product_nonnegative"),
    ):
        found = inner.sign(sign, value)
        if found is not None:
            rule = lemma(name, lo=low, hi=high, f=function(body))
            yield mp(rule, each_intro(i, low, high, found))
            yield from _at_most_one(inner, i, a, found)
            return


def _at_most_one(inner: Context, i: Term, a: Term, sign: Proof) -> Iterator[Proof]:
    """Return that a product of factors between zero and one is at most one."""
    low, high, body = a.args
    rest = inner.sign("nonnegative", pf.sub(1, fill(body, (i,))))
    if rest is not None:
        one = pf.number(1)
        rule = lemma("product_monotone", lo=low, hi=high, f=function(body), g=function(one))
        value = fill(body, (i,))
        signs = psatz(le(0, value), (1, [sign]))
        below = psatz(le(value, one), (1, [rest]))
        yield mp(rule, *(each_intro(i, low, high, p) for p in (signs, below)))


def _mean(context: Context, a: Term) -> Iterator[Proof]:
    """Yield that the mean of what is positive or nonnegative is so."""
    w = pf.fresh("W", "ω")
    found = context.extended().sign("positive", fill(a.args[0], (w,)))
    if found is not None:
        yield mp(lemma("mean_positive", f=function(a.args[0])), generalise(w, found))
    else:
        found = context.extended().sign("nonnegative", fill(a.args[0], (w,)))
    if found is not None and found.conclusion.op == "<=":
        yield mp(lemma("mean_nonnegative", f=function(a.args[0])), generalise(w, found))
    if a.args[0].op == "ind":
        event = fill(a.args[0], (w,))
        rest = pf.sub(1, event)
        below = psatz(le(0, rest), lemma("indicator_at_most_one", p=event.args[0]))
        body = pf.abstracted(rest, [w])
        yield mp(lemma("mean_nonnegative", f=function(body)), generalise(w, below))
        for law in _indicator_laws(event.args[0]):
            left, right = (pf.abstracted(t, [w]) for t in law.conclusion.args)
            values = function(left), function(right)
            rule = axiom("mean_monotone", X=values[0], Y=values[1])
            if law.conclusion.op == "=":
                rule = lemma("mean_congruence", f=values[0], g=values[1])
            yield mp(rule, generalise(w, law))
    yield from means(context, a)
    yield from words.means(context, a)
    if a.sort == "R" and context.universal:
        yield from _averaged_facts(context.extended(), w, a)


def _of_some(p: Term) -> Proof | None:
    """Return that the indicator of "for some index of a range" is at most the sum of indicators."""
    k = pf.fresh("Z", "k")
    if p.args[0].data != ("Z",):
        return None
    inside = fill(p.args[0].args[0], (k,))
    limits = []
    for sign in (1, -1):
        if inside.op != "->" or inside.args[0].op != "<=" or inside.args[0].args[0].sort != "Z":
            return None
        gap = difference(inside.args[0], "Z")
        if gap.pop(((k, 1),), 0) != sign:
            return None
        limits.append(build(plus({}, gap, Fraction(-sign)), "Z"))
        inside = inside.args[1]
    if inside.op != "->" or inside.args[1].op != "F":
        return None
    event = pf.abstracted(inside.args[0], [k])
    low, high = limits
    return lemma("indicator_of_some", lo=low, hi=high, p=lambda i: fill(event, (i,)))


def _indicator_laws(p: Term) -> Iterator[Proof]:
    """Return what the indicator of p has to do with those of its parts, or of its opposite."""
    if p.op == "|":
        yield lemma("indicator_of_either", p=p.args[0], q=p.args[1])
    elif p.op == "->" and p.args[0].op == "all" and p.args[1].op == "F":
        found = _of_some(p)
        if found is not None:
            yield found
    elif unequal_indices(p):
        yield lemma("indicator_of_not", p=p.args[0])
    elif p.op == "<" and p.args[0].sort == "R":
        yield lemma("indicator_of_less", x=p.args[1], y=p.args[0])
