"""Equals for equals: substitution in goals and facts, and equations of vectors."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from mlnotes.trusted.normal import Monomial, Polynomial, build, normal, plus, polynomial, times
from mlnotes.trusted.rules import difference
from mlnotes.trusted.terms import Refused, Term, fill

from .. import proofs as pf
from .. import words
from ..arithmetic import combine, is_relation, quotient
from ..merging import by_coefficients, merged_vectors
from ..proofs import Proof, eq, le, lemma, mp
from ..reduction import reduced_trace
from .terms import (
    context_of,
    function,
    is_vector_sum,
    occurs,
    subterms,
    sum_congruence,
    unequal_indices,
)

if TYPE_CHECKING:
    from .context import Context

SUMS = 4  # sums within sums whose terms are reduced


def reduced(context: Context, t: Term) -> tuple[Proof, Term] | None:
    """Return t = s where equations of the context, used from left to right, give s."""
    equations = [
        f
        for f in [*context.facts, *context.instances_for(eq(t, 0))]
        if is_relation(f.conclusion) and f.conclusion.op == "="
    ]
    equations += _laws(context, t)
    # Equations that give the value of one term are used alone: others may turn it back.
    direct = [f for f in equations if len(polynomial(f.conclusion.args[0])) == 1]
    if 0 < len(direct) < len(equations):
        return reduced_by(context, t, direct) or reduced_by(context, t, equations)
    return reduced_by(context, t, equations)


def _cancels(t: Term) -> bool:
    """Say whether under a sum something is multiplied by its own reciprocal, or by [i ≠ j]."""
    while t.op == "sum":
        t = t.args[2]
    factors = t.args if t.op == "*" else (t,)
    return any(_is_unequal(a) or (a.op == "inv" and a.args[0] in factors) for a in factors)


def _is_unequal(a: Term) -> bool:
    """Say whether a term is the indicator [i ≠ j] of two indices."""
    return a.op == "ind" and unequal_indices(a.args[0])


def reduced_sum(context: Context, a: Term) -> Proof | None:
    """Return that a sum is that of its terms, reduced by what is known of them."""
    low, high, body = a.args
    i, inner = context.opened(low, high)
    found = inner.reduced(fill(body, (i,)))
    if found is None:
        return None
    equation, new = found
    return sum_congruence(low, high, i, equation, body, pf.abstracted(new, [i]))


def _reduced_mean(context: Context, a: Term) -> Proof | None:
    """Return that a mean is that of its values, reduced by what is known of every outcome."""
    w = pf.fresh("W", "ω")
    value = fill(a.args[0], (w,))
    if context.depth > SUMS or value.sort != "R":
        return None
    equations = [
        f
        for f in context.extended().instances_for(eq(value, 0))
        if f.conclusion.op == "=" and is_relation(f.conclusion)
    ]
    found = reduced_by(context, value, equations) if equations else None
    if found is None:
        return None
    body, new = (pf.abstracted(t, [w]) for t in (value, found[1]))
    rule = lemma("mean_congruence", f=function(body), g=function(new))
    return mp(rule, pf.generalise(w, found[0]))


def _laws(context: Context, t: Term) -> list[Proof]:
    """Return the equations that logarithms and cancelled factors in a term obey."""
    out: list[Proof] = []
    pending = [a for m in polynomial(t) for a, _ in m]
    cancelled = {a for m in polynomial(t) for a, _ in m if a.op == "inv" and (a.args[0], 1) in m}
    seen: set[Term] = set()
    while pending:
        a = pending.pop()
        useful = a.op in ("log", "sum", "E", "int", "tr") or a in cancelled or _is_unequal(a)
        if a in seen or not useful:
            continue
        seen.add(a)
        if a.op == "tr":
            short = reduced_trace(context, a)
            values = [short] if short else list(words.trace_values(words.letters_of(a)))
            out += values
            pending += [b for f in values for m in polynomial(f.conclusion.args[1]) for b, _ in m]
            continue
        if a.op == "E":
            inside = _reduced_mean(context, a) if context.universal else None
            out += [inside] if inside is not None else []
            continue
        if a.op == "sum":
            single = context.delta(a)
            deep = context.depth <= SUMS and (_cancels(a) or bool(context.universal))
            inside = reduced_sum(context, a) if single is None and deep else None
            out += [f for f in (single, inside) if f is not None]
            continue
        laws = [f for f in context.about(a) if f.conclusion.op == "="]
        laws = [f for f in laws if a.op != "log" or f.conclusion.args[0].op == "log"]
        out += laws
        pending += [b for f in laws for m in polynomial(f.conclusion.args[1]) for b, _ in m]
    return out


def reduced_by(context: Context, t: Term, equations: Sequence[Proof]) -> tuple[Proof, Term] | None:
    """Return t = s where equations, used from left to right, give s."""
    p = polynomial(t)
    start = p
    for _ in range(24):
        for f in equations:
            q = difference(f.conclusion, "R")
            lead = _lead(q, f.conclusion)
            hit = next((m for m in p if lead and _divides(lead, m)), None)
            if hit is None or lead is None:
                continue
            rest = tuple((a, k - dict(lead).get(a, 0)) for a, k in hit)
            factor = {tuple(x for x in rest if x[1]): p[hit] / q[lead]}
            p = plus(p, times(factor, q), Fraction(-1))
            break
        else:
            break
    if p == start:
        return None
    new = build(p)
    found = combine(eq(t, new), equations)
    return (found, new) if found is not None else None


def _rules(context: Context, goal: Term) -> list[tuple[Term, Term, Proof]]:
    """Return equations whose left side is a symbol that the right side does not mention."""
    out = []
    for t in subterms(goal):
        last = context.last_term(t) if t.op in ("sum", "prod") else None
        if t.op in ("ind", "max", "min", "abs"):
            found = [f for f in context.about(normal(t)) if f.conclusion.op == "="]
            values = [f for f in found if normal(f.conclusion.args[0]) is normal(t)]
            last = values[-1] if values else None
        if last is not None:
            out.append((t, last.conclusion.args[1], last))
    for fact in [*context.facts, *context.instances_for(goal)]:
        p = fact.conclusion
        if p.op != "=":
            continue
        for a, b in (p.args, reversed(p.args)):
            sums = is_vector_sum(a) and b.op != "v"
            if (a.op == "v" or sums) and not occurs(a, b):
                proof = fact if a is p.args[0] else pf.symmetric(fact)
                out.append((a, b, proof))
                break
    return out


def rewritten(context: Context, goal: Term) -> Proof | None:
    """Prove a goal after substituting equals for symbols, in it and in the facts."""
    if context.substituting:
        return None
    changed = substituted(context, goal)
    if changed is None:
        return None
    new, back = changed
    moved = [forward(context, f) for f in [*context.facts, *context.instances_for(goal)]]
    inner = context.extended(*moved)
    inner.substituting = True
    found = inner.attempt(new)
    return back(found) if found is not None else None


def substituted(context: Context, goal: Term) -> tuple[Term, Callable[[Proof], Proof]] | None:
    """Return a goal with symbols replaced by what they equal, and the way back."""
    steps: list[tuple[Proof, Callable[[Term], Term]]] = []
    current = goal
    for _ in range(8):
        for a, b, proof in _rules(context, current):
            if occurs(a, current):
                place = context_of(current, a)
                steps.append((proof, place))
                current = place(b)
                break
        else:
            break
    if not steps:
        return None

    def back(found: Proof) -> Proof:
        for proof, place in reversed(steps):
            found = pf.rewrite(pf.symmetric(proof), found, place)
        return found

    return current, back


def forward(context: Context, fact: Proof) -> Proof:
    """Return a fact with symbols replaced by what they equal."""
    for _ in range(8):
        for a, _, proof in _rules(context, fact.conclusion):
            if proof.conclusion is not fact.conclusion and occurs(a, fact.conclusion):
                fact = pf.rewrite(proof, fact, context_of(fact.conclusion, a))
                break
        else:
            break
    return fact


def prove_vectors(context: Context, goal: Term) -> Proof | None:
    """Prove an equation of vectors or matrices."""
    a, b = goal.args
    changed = substituted(context, goal)
    if changed is not None:
        new, back = changed
        found = context.said(new)
        if found is not None:
            return back(found)
    equations = [
        f
        for f in [*context.facts, *context.instances_for(goal)]
        if f.conclusion.op == "=" and f.conclusion.args[0].sort == a.sort
    ]
    if a.sort == "V":
        sums = [t for t in subterms(goal) if t.op == "sum" and t.sort == "V"]
        equations += [f for t in sums if (f := context.last_term(t)) is not None]
        found = _vector_combination(goal, equations)
        if found is not None:
            return found
        found = merged_vectors(context, goal)
        if found is not None:
            return found
        gap = pf.sub(a, b)
        square = pf.build("dot", (), [gap, gap])
        flat = context.attempt(le(square, 0))
        if flat is not None:
            return mp(lemma("equal_vectors", u=a, v=b), flat)
        return by_coefficients(context, goal)
    return words.prove(context, goal)


def _lead(p: Polynomial, relation: Term) -> Monomial | None:
    """Return the monomial of an equation that is to be replaced: its left side, or the longest."""
    left = polynomial(relation.args[0]) if relation.args[0].sort == "R" else {}
    if len(left) == 1:
        (m,) = left
        if m and m in p and not any(n != m and _divides(m, n) for n in p):
            return m
    candidates = [m for m in p if m and not any(n != m and _divides(m, n) for n in p)]
    return max(
        candidates, key=lambda m: (sum(k for _, k in m), [a.key for a, _ in m]), default=None
    )


def _divides(m: Monomial, n: Monomial) -> bool:
    """Whether each power of the monomial m is at most that of n."""
    powers = dict(n)
    return all(powers.get(a, 0) >= k for a, k in m)


def _vector_combination(goal: Term, equations: Sequence[Proof]) -> Proof | None:
    """Prove an equation of vectors as a combination of equations with numbers as multipliers."""
    from mlnotes.trusted.normal import vector

    from ..linear import combination

    def flat(p: Term) -> dict[tuple[Term, Monomial], Fraction]:
        gap = vector(pf.sub(p.args[1], p.args[0]))
        return {(a, m): c for a, q in gap.items() for m, c in q.items()}

    target = flat(goal)
    # Multiples of equations by the monomials that turn one of their terms into one of the goal.
    multiples: dict[tuple[int, Monomial], dict[tuple[Term, Monomial], Fraction]] = {}
    for e, fact in enumerate(equations):
        given = flat(fact.conclusion)
        multiples[e, ()] = given
        for a, m in given:
            for b, n in target:
                factor = quotient(n, m) if a is b else None
                if factor and len(multiples) < 200:
                    gap = vector(pf.sub(*fact.conclusion.args[::-1]))
                    multiples[e, factor] = {
                        (c, k): x
                        for c, p in gap.items()
                        for k, x in times({factor: Fraction(1)}, p).items()
                    }
    found = combination(target, list(multiples.values()), [True] * len(multiples))
    if found is None:
        return None
    names = list(multiples)
    parts = [(build({names[k][1]: c}), equations[names[k][0]], None) for k, c in found.items()]
    try:
        return pf.linear(goal, *parts)
    except Refused:
        return None
