"""Inequalities between vectors: squared lengths, and the inequality of Cauchy and Schwarz.

A quadratic form in vectors with numbers as coefficients is nonnegative if elimination writes it as
a sum of squared lengths. Otherwise arithmetic is offered the inequality of Cauchy and Schwarz and
the squared lengths of sums and differences. Nothing here is trusted.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, product
from typing import TYPE_CHECKING

from mlnotes.trusted.normal import Polynomial, build, plus
from mlnotes.trusted.rules import difference
from mlnotes.trusted.terms import Refused, Term

from . import proofs as pf
from .arithmetic import combine, is_relation
from .merging import rational_root
from .proofs import Proof, axiom, lemma, mp
from .search.terms import subterms

if TYPE_CHECKING:
    from .search import Context

MOST = 4  # vectors in one inequality


def vector_inequality(context: Context, goal: Term) -> Proof | None:
    """Prove an inequality between inner products."""
    if goal.op not in ("<=", "<") or goal.args[0].sort != "R":
        return None
    p = difference(goal, "R")
    vectors = _vectors(p)
    if not 1 < len(vectors) <= MOST:
        return None
    found = _squared_lengths(goal, p, vectors) if goal.op == "<=" else None
    found = found or (_one_squared_length(goal, p) if goal.op == "<=" else None)
    if found is not None:
        return found
    facts = [f for f in context.facts if is_relation(f.conclusion)]
    roots = _roots(p)
    if roots:
        written = [t for f in (goal, *(f.conclusion for f in facts)) for t in _written(f)]
        lengths = [*facts, *(f for a in roots for f in context.about(a))]
        for t in subterms(goal):
            if t.op == "sqrt" and t.args[0].op == "dot" and len(set(t.args[0].args)) == 1:
                sign = axiom("square_nonnegative", u=t.args[0].args[0])
                lengths += [mp(axiom("sqrt_square", x=t.args[0]), sign)]
                lengths += [axiom("sqrt_nonnegative", x=t.args[0])]
        for u, v in combinations(dict.fromkeys([*vectors, *written]), 2):
            lengths += [lemma("product_of_lengths", u=t, v=v) for t in (u, pf.neg(u))]
            lengths += [axiom("square_nonnegative", u=t) for t in (pf.add(u, v), pf.sub(u, v))]
        found = combine(goal, lengths)
        if found is not None:
            return found
    for u, v in combinations(vectors, 2):
        facts.append(lemma("cauchy_schwarz", u=u, v=v))
        facts += [axiom("square_nonnegative", u=t) for t in (pf.add(u, v), pf.sub(u, v))]
    return combine(goal, facts, products=2)


def _roots(p: Polynomial) -> list[Term]:
    """Return the roots in a polynomial, which may be lengths."""
    return list(dict.fromkeys(a for m in p for a, _ in m if a.op == "sqrt"))


def _written(p: Term) -> list[Term]:
    """Return the vectors whose squared lengths are written, where they are put together."""
    found = [t for t in subterms(p) if t.op == "dot" and t.args[0].op in ("+", "sc")]
    return list(dict.fromkeys(t.args[0] for t in found))[:MOST]


def _one_squared_length(goal: Term, p: Polynomial) -> Proof | None:
    """Prove 0 ≤ c ‖r₁v₁ ± r₂v₂ ± …‖², where the r are products of symbols."""
    pure = []
    for m, c in p.items():
        lengths = [a for a, k in m if a.op == "dot" and k == 1 and a.args[0] is a.args[1]]
        rest = tuple((a, k) for a, k in m if a not in lengths)
        if len(lengths) == 1 and c > 0 and all(k % 2 == 0 for _, k in rest):
            root = build({tuple((a, k // 2) for a, k in rest): Fraction(1)})
            pure.append((root, lengths[0].args[0], c))
    if not 2 <= len(pure) <= MOST:
        return None
    first = pure[0][2]
    scales = [rational_root(c / first) for _, _, c in pure]
    for signs in product((1, -1), repeat=len(pure) - 1):
        addends = [
            pf.scale(pf.mul(sign * scale, root), v)
            for sign, scale, (root, v, _) in zip((1, *signs), scales, pure, strict=True)
            if scale is not None
        ]
        if len(addends) < len(pure):
            return None
        square = axiom("square_nonnegative", u=pf.add(*addends))
        if plus({}, difference(square.conclusion, "R"), first) == p:
            return pf.psatz(goal, (first, [square]))
    return None


def _vectors(p: Polynomial) -> list[Term]:
    """Return the vectors whose inner products a polynomial mentions, also under roots."""
    out: dict[Term, None] = {}
    pending = [a for m in p for a, _ in m]
    while pending:
        a = pending.pop()
        if a.op == "dot" and not a.loose:
            out |= dict.fromkeys(a.args)
        elif a.op in ("sqrt", "abs", "+", "*", "pow"):
            pending += a.args
    return sorted(out, key=lambda t: t.key)


def _squared_lengths(goal: Term, p: Polynomial, vectors: list[Term]) -> Proof | None:
    """Write a quadratic form with numbers as coefficients as a sum of squared lengths."""
    place = {v: k for k, v in enumerate(vectors)}
    form = [[Fraction(0)] * len(vectors) for _ in vectors]
    for m, c in p.items():
        if len(m) != 1 or m[0][1] != 1 or m[0][0].op != "dot":
            return None
        i, j = (place[v] for v in m[0][0].args)
        form[i][j] += c / 2
        form[j][i] += c / 2
    parts = []
    for k in range(len(vectors)):
        pivot = form[k][k]
        if pivot < 0 or (pivot == 0 and any(form[k])):
            return None
        if pivot == 0:
            continue
        row = [x / pivot for x in form[k]]
        addends = [pf.scale(c, v) for c, v in zip(row, vectors, strict=True) if c]
        whole = addends[0] if len(addends) == 1 else pf.add(*addends)
        parts.append((pivot, [axiom("square_nonnegative", u=whole)]))
        form = [
            [form[i][j] - pivot * row[i] * row[j] for j in range(len(vectors))]
            for i in range(len(vectors))
        ]
    try:
        return pf.psatz(goal, *parts)
    except Refused:
        return None
