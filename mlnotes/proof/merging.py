"""Sums written apart compared as one, vectors by their coefficients, squares from their expansion.

Σ f − c Σ g + … over one range is the sum of f − c g + …, so that what is to be shown of it can be
shown term by term, whichever way its terms were collected. Nothing here is trusted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations, product
from math import isqrt
from typing import TYPE_CHECKING

from mlnotes.trusted.normal import (
    Monomial,
    Polynomial,
    build,
    join,
    plus,
    polynomial,
    times,
    vector,
)
from mlnotes.trusted.rules import difference
from mlnotes.trusted.terms import Refused, Term, close, fill, shift

from . import proofs as pf
from .arithmetic import combine
from .language import build as term
from .language import number
from .proofs import Proof, each_intro, eq, lemma, mp

if TYPE_CHECKING:
    from .search import Context

DEEP = 4


def merged(context: Context, goal: Term) -> Proof | None:
    """Prove a relation of numbers that says something of one sum, term by term."""
    if goal.op not in ("=", "<=") or goal.args[0].sort != "R" or context.depth > DEEP:
        return None
    found = _one_sum(difference(goal, "R"))
    if found is None:
        return _merged_means(context, goal)
    low, high, body = found
    i, inner = context.opened(low, high)
    term = fill(body, (i,))
    shown = inner.attempt(pf.relation(goal.op, number(0), term))
    if shown is None:
        return None
    every = each_intro(i, low, high, shown)

    def at(k: Term) -> Term:
        return fill(body, (k,))

    if goal.op == "<=":
        return combine(goal, [mp(lemma("sum_nonnegative", lo=low, hi=high, f=at), every)])
    rule = lemma("sum_congruence", lo=low, hi=high, f=lambda k: number(0), g=at)
    return combine(goal, [mp(rule, every)])


def _merged_means(context: Context, goal: Term) -> Proof | None:
    """Prove a relation of numbers that says something of one mean, outcome by outcome."""
    p = difference(goal, "R")
    if len(p) < 2 or not any(a.op == "E" for m in p for a, _ in m):
        return None
    for constant in (False, True):
        # A multiple of a mean is the mean of a multiple, or a number like any other.
        body = _one_mean(p, constant)
        if body is None:
            continue
        w = pf.fresh("W", "ω")
        shown = context.extended().attempt(pf.relation(goal.op, number(0), fill(body, (w,))))
        if shown is None:
            continue
        at = _function(body)
        if goal.op == "<=":
            rule = lemma("mean_nonnegative", f=at)
        else:
            rule = lemma("mean_congruence", f=lambda o: number(0), g=at)
        return combine(goal, [mp(rule, pf.generalise(w, shown))])
    return None


def _function(body: Term) -> Callable[[Term], Term]:
    """Return o ↦ t(o)."""
    return lambda o: fill(body, (o,))


def _one_mean(p: Polynomial, constant: bool) -> Term | None:
    """Return what a polynomial is the mean of."""
    parts, taken = [], False
    for m, c in p.items():
        means = [a for a, k in m if a.op == "E" and k == 1]
        if constant and len(m) > 1:
            means = []
            taken = True
        if not means and m and not constant:
            return None
        body = means[0].args[0] if means else number(1)
        rest = build({tuple(f for f in m if not means or f[0] is not means[0]): c})
        parts.append(pf.mul(shift(rest, 1), body))
    return term("+", (), parts) if taken or not constant else None


def _one_sum(p: Polynomial) -> tuple[Term, Term, Term] | None:
    """Return the limits and the body of the sum that a polynomial is."""
    limits: tuple[Term, Term] | None = None
    parts = []
    for m, c in p.items():
        sums = [a for a, k in m if a.op == "sum" and k == 1]
        if not sums:
            return None
        here = [a for a in sums if limits is None or a.args[:2] == limits]
        if not here:
            return None
        a = here[0]
        limits = a.args[0], a.args[1]
        rest = build({tuple(f for f in m if f[0] is not a): c})
        parts.append(pf.mul(shift(rest, 1), a.args[2]))
    if limits is None or len(parts) < 2:
        return None
    return *limits, term("+", (), parts)


def merged_vectors(context: Context, goal: Term) -> Proof | None:
    """Prove an equation of vectors that are sums over one range, term by term."""
    a, b = goal.args
    if context.depth > DEEP:
        return None
    limits: tuple[Term, Term] | None = None
    parts = []
    for atom, p in vector(pf.sub(b, a)).items():
        if atom.op != "sum" or (limits is not None and atom.args[:2] != limits):
            return None
        limits = atom.args[0], atom.args[1]
        parts.append(pf.scale(shift(build(p), 1), atom.args[2]))
    if limits is None or len(parts) < 2:
        return None
    low, high = limits
    body = term("+", (), parts)
    i, inner = context.opened(low, high)
    zero = term("zero", ("V",))
    shown = by_coefficients(inner, eq(fill(body, (i,)), zero))
    if shown is None:
        return None
    rule = lemma(
        "vector_sum_congruence", lo=low, hi=high, f=lambda k: fill(body, (k,)), g=lambda k: zero
    )
    total = mp(rule, each_intro(i, low, high, shown))
    try:
        return pf.linear(goal, (number(-1), total, None))
    except Refused:
        return None


def by_coefficients(context: Context, goal: Term) -> Proof | None:
    """Prove an equation of vectors by the equations of their coefficients."""
    a, b = goal.args
    parts = []
    for atom, p in vector(pf.sub(b, a)).items():
        shown = context.attempt(eq(build(p), 0))
        if shown is None:
            return None
        same = pf.congruence(shown, lambda z, atom=atom: pf.scale(z, atom))  # type: ignore[misc]
        parts.append((number(Fraction(-1)), same, None))
    try:
        return pf.linear(goal, *parts)
    except Refused:
        return None


def exchanged(context: Context, a: Term) -> Iterator[Proof]:
    """Return a double sum with its inner sum, taken in the other order, simplified by equations."""
    low, high, body = a.args
    if a.sort != "R" or body.op != "sum" or any(0 in t.indices for t in body.args[:2]):
        return
    inner_low, inner_high = (shift(t, -1) for t in body.args[:2])
    j, inner = context.opened(inner_low, inner_high)
    i = pf.fresh("Z", "i")
    inside = term("sum", (), [low, high, close(fill(body.args[2], (j, i)), i)])
    reduced = inner.reduced(inside)
    if reduced is None:
        return
    same, new = reduced
    rule = lemma(
        "sum_congruence",
        lo=inner_low,
        hi=inner_high,
        f=lambda k: fill(close(inside, j), (k,)),
        g=lambda k: fill(close(new, j), (k,)),
    )
    found = mp(rule, each_intro(j, inner_low, inner_high, same))
    yield pf.convert(found, eq(a, found.conclusion.args[1]))


def open_members(t: Term) -> Iterator[Term]:
    """Yield members of families that have an index of a sum and another index, or a point."""
    seen: set[Term] = set()
    pending = [t]
    while pending:
        t = pending.pop()
        if t in seen:
            continue
        seen.add(t)
        if t.op == "v" and t.loose and any(a.sort in "ZU" and not a.loose for a in t.args):
            yield t
        pending += t.args


def values_at(p: Term, x: Term, members: Sequence[Term]) -> list[Term]:
    """Return values of x for which members under a sum in p are some of these members."""
    out: dict[Term, None] = {}
    for pattern in open_members(p):
        if x not in pattern.args:
            continue
        for member in members:
            if member.data == pattern.data and len(member.args) == len(pattern.args):
                value = member.args[pattern.args.index(x)]
                if value.loose == 0:
                    out[value] = None
    return list(out)


def perfect_square(goal: Term) -> Proof | None:
    """Prove 0 ≤ c r², where only its expanded form is written."""
    if goal.op != "<=" or goal.args[0].sort != "R":
        return None
    p = difference(goal, "R")
    if not 3 <= len(p) <= 15:
        return None
    roots = {m: r for m, c in p.items() if c > 0 and (r := _root(m)) is not None}
    mixed = {join(a, b) for a, b in combinations(roots.values(), 2)}
    pure = [(r, p[m]) for m, r in roots.items() if m not in mixed]
    if not 2 <= len(pure) <= 5:
        return None
    first = pure[0][1]
    sizes = [rational_root(c / first) for _, c in pure]
    if None in sizes:
        return None
    for signs in product((1, -1), repeat=len(pure) - 1):
        root: Polynomial = {}
        for sign, size, (r, _) in zip((1, *signs), sizes, pure, strict=True):
            root = plus(root, {r: sign * (size or Fraction(0))})
        if plus({}, times(root, root), first) == p:
            return pf.psatz(goal, (first, [], [build(root)]))
    return None


def _root(m: Monomial) -> Monomial | None:
    """Return the monomial whose square this one is; exp(x) is the square of exp(x/2)."""
    out: Monomial = ()
    for a, k in m:
        if a.op == "exp":
            half = pf.mul(Fraction(k, 2), a.args[0])
            ((part, _),) = polynomial(term("exp", (), [half])).items()
            out = join(out, part)
        elif k % 2:
            return None
        else:
            out = join(out, ((a, k // 2),))
    return out


def rational_root(c: Fraction) -> Fraction | None:
    """Return the root of a fraction, if it is one."""
    top, bottom = isqrt(c.numerator), isqrt(c.denominator)
    exact = top * top == c.numerator and bottom * bottom == c.denominator
    return Fraction(top, bottom) if exact else None
