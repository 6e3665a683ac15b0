"""Parts of terms that the search looks at."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from fractions import Fraction

from mlnotes.trusted.normal import Polynomial, build, normal
from mlnotes.trusted.rules import difference
from mlnotes.trusted.terms import Term, fill, rebuild, shift

from .. import proofs as pf
from ..arithmetic import is_relation
from ..proofs import Proof, axiom, each_intro, lemma, mp


def square_root(p: Polynomial) -> Term | None:
    """Return the monomial whose square a polynomial is."""
    if len(p) != 1:
        return None
    ((m, c),) = p.items()
    if c <= 0 or any(k % 2 for _, k in m):
        return None
    top, bottom = math.isqrt(c.numerator), math.isqrt(c.denominator)
    if top * top != c.numerator or bottom * bottom != c.denominator:
        return None
    return build({tuple((a, k // 2) for a, k in m): Fraction(top, bottom)})


def size_positive(t: Term) -> Proof:
    """Return that a number of rows or columns is positive."""
    return pf.sizes(axiom("size_positive"), {"n": t.data[0]})


def is_vector_sum(t: Term) -> bool:
    """Say whether a term is a sum of vectors."""
    return t.op == "sum" and t.sort == "V"


def gives_vector_sum(p: Term) -> bool:
    """Say whether a proposition gives the value of a sum of vectors."""
    return p.op == "=" and is_vector_sum(p.args[0]) and p.args[1].op != "v"


def function(body: Term) -> Callable[[Term], Term]:
    """Return the function of which this is the body under a binder."""
    return lambda t: fill(body, (t,))


def atoms_of(p: Term) -> list[Term]:
    """Return the atoms of the polynomials of a relation."""
    if not is_relation(p):
        return []
    out: dict[Term, None] = {}
    for m in difference(p, "R"):
        out |= dict.fromkeys(a for a, _ in m)
    return list(out)


def members_of(t: Term) -> Iterator[Term]:
    """Yield the members of families in a term that are closed, but for an outcome or a point."""
    seen: set[Term] = set()
    pending = [t]
    while pending:
        t = pending.pop()
        if t in seen:
            continue
        seen.add(t)
        if t.op == "v" and t.args and t.loose == 0:
            yield t
        elif t.op == "v" and {(a.op, a.sort) for a in t.args if a.loose} == {("b", "U")}:
            point = pf.build("b", (0, "U"))
            yield pf.build("v", t.data, [point if a.loose else a for a in t.args])
        elif (
            t.op == "v"
            and len(t.args) > 1
            and t.args[-1].sort == "W"
            and t.args[-1].op == "b"
            and not any(a.loose for a in t.args[:-1])
        ):
            yield pf.build("v", t.data, [*t.args[:-1], pf.build("b", (0, "W"))])
        pending += t.args


def subterms(t: Term) -> Iterator[Term]:
    """Yield the closed subterms of a term, each once."""
    seen: set[Term] = set()
    pending = [t]
    while pending:
        t = pending.pop()
        if t not in seen:
            seen.add(t)
            if t.loose == 0:
                yield t
            pending += t.args


def occurs(a: Term, t: Term) -> bool:
    """Say whether a closed term, or one that is the same by calculation, occurs in another."""
    seen: set[Term] = set()
    pending = [t]
    while pending:
        t = pending.pop()
        if t is a or (t.loose == 0 and _same(t, a)):
            return True
        if t not in seen:
            seen.add(t)
            pending += t.args
    return False


def context_of(t: Term, a: Term) -> Callable[[Term], Term]:
    """Return the function that puts something in place of a closed subterm."""
    same = {s for s in subterms(t) if _same(s, a)}

    def put(b: Term) -> Term:
        return rebuild(t, lambda s, depth: shift(b, depth) if s in same else None)

    return put


def _same(s: Term, a: Term) -> bool:
    """Say whether two closed terms are the same by calculation."""
    if s is a:
        return True
    return (
        s.op == a.op
        and s.sort == a.sort
        and len(s.args) > 0
        and s.data == a.data
        and (normal(s) is normal(a))
    )


def sum_congruence(low: Term, high: Term, i: Term, equation: Proof, f: Term, g: Term) -> Proof:
    """Return that two sums are equal because their terms at a generic index i are."""
    rule = lemma("sum_congruence", lo=low, hi=high, f=function(f), g=function(g))
    return mp(rule, each_intro(i, low, high, equation))


def unequal_indices(p: Term) -> bool:
    """Say whether a proposition says that two integers differ."""
    negated = p.op == "->" and p.args[1].op == "F" and p.args[0].op == "="
    return negated and p.args[0].args[0].sort == "Z"


def indices_of(t: Term) -> list[Term]:
    """Return the integer symbols of a term."""
    return [s for s in subterms(t) if s.op == "v" and s.sort == "Z" and not s.args]
