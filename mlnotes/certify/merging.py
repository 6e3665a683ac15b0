"""Sums that are written apart, compared as one sum; vectors compared by their coefficients.

Σ f − c Σ g + … over one range is the sum of f − c g + …, so that what is to be shown of it can be
shown term by term, whichever way its terms were collected. Nothing here is trusted.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from mlnotes.trusted.normal import Polynomial, build, vector
from mlnotes.trusted.rules import difference
from mlnotes.trusted.terms import Refused, Term, fill, shift

from . import proofs as pf
from .arithmetic import combine
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
        return None
    low, high, body = found
    i, inner = context._opened(low, high)
    term = fill(body, (i,))
    shown = inner.attempt(pf.relation(goal.op, pf.number(0), term))
    if shown is None:
        return None
    every = each_intro(i, low, high, shown)

    def at(k: Term) -> Term:
        return fill(body, (k,))

    if goal.op == "<=":
        return combine(goal, [mp(lemma("sum_nonnegative", lo=low, hi=high, f=at), every)])
    rule = lemma("sum_congruence", lo=low, hi=high, f=lambda k: pf.number(0), g=at)
    return combine(goal, [mp(rule, every)])


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
    return *limits, pf.build("+", (), parts)


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
    body = pf.build("+", (), parts)
    i, inner = context._opened(low, high)
    zero = pf.build("zero", ("V",))
    shown = by_coefficients(inner, eq(fill(body, (i,)), zero))
    if shown is None:
        return None
    rule = lemma(
        "vector_sum_congruence", lo=low, hi=high, f=lambda k: fill(body, (k,)), g=lambda k: zero
    )
    total = mp(rule, each_intro(i, low, high, shown))
    try:
        return pf.linear(goal, (pf.number(-1), total, None))
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
        parts.append((pf.number(Fraction(-1)), same, None))
    try:
        return pf.linear(goal, *parts)
    except Refused:
        return None
