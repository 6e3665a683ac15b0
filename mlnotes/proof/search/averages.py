"""Sums and means of squares, exponentials and logarithms, against those of what is squared.

Offered to arithmetic are the inequality of Cauchy and Schwarz for sums and means, and tangents of
exp and log under sums and means, which is how Jensen's inequality is proved. Nothing here is
trusted.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING

from mlnotes.trusted.normal import Monomial, build, normal, polynomial
from mlnotes.trusted.rules import difference
from mlnotes.trusted.terms import Term, fill

from .. import proofs as pf
from ..proofs import Proof, axiom, each_intro, generalise, lemma, mp, mul, psatz
from .terms import atoms_of, function

if TYPE_CHECKING:
    from .context import Context

FACTORS = 4  # of a term of a sum that is squared
POINTS = 4  # at which tangents are taken


def average_facts(context: Context, goal: Term) -> list[Proof]:
    """Return inequalities between averages that may prove a goal."""
    if goal.op not in ("<=", "<") or goal.args[0].sort != "R":
        return []
    return [*_cauchy_schwarz(context, goal), *_tangents(context, goal)]


def _terms(context: Context, a: Term) -> tuple[Term, Context]:
    """Return a generic index or outcome of a sum or mean, and a context that knows its range."""
    if a.op == "sum":
        return context.opened(a.args[0], a.args[1])
    return pf.fresh("W", "ω"), context.extended()


def _closed(a: Term, x: Term, found: Proof) -> Proof:
    """Conclude for every term of a sum or mean."""
    return each_intro(x, a.args[0], a.args[1], found) if a.op == "sum" else generalise(x, found)


def _cauchy_schwarz(context: Context, goal: Term) -> Iterator[Proof]:
    """Return (Σ w f g)² ≤ (Σ w f²)(Σ w g²) for squared sums and means of a goal."""
    p = difference(goal, "R")
    atoms = set(atoms_of(goal))
    squared = [a for m, c in p.items() for a, k in m if c < 0 and k == 2 and a.op in ("sum", "E")]
    for a in dict.fromkeys(squared):
        x, inner = _terms(context, a)
        body = polynomial(fill(a.args[-1], (x,)))
        if len(body) != 1:
            continue
        ((m, c),) = body.items()
        factors = [b for b, k in m for _ in range(k)]
        if c != 1 or len(factors) > FACTORS:
            continue
        seen: set[tuple[Term, ...]] = set()
        for places in product(range(3), repeat=len(factors)):
            parts = [[b for b, k in zip(factors, places, strict=True) if k == n] for n in range(3)]
            weight, first, second = (mul(*t, 1) if t else pf.number(1) for t in parts)
            key = tuple(normal(t) for t in (weight, first, second))
            if not parts[1] or key in seen or (a.op == "E" and parts[0]):
                continue
            seen |= {key, (key[0], key[2], key[1])}
            found = _split_square(a, x, inner, (weight, first, second), atoms)
            if found is not None:
                yield found


def _split_square(
    a: Term, x: Term, inner: Context, parts: Sequence[Term], atoms: set[Term]
) -> Proof | None:
    """Apply Cauchy and Schwarz to a weighted mean or sum of products of two functions."""
    weight, first, second = parts
    name = (x.data[0], x.data[1], ())
    if name not in mul(weight, first).free:
        return None
    f, g = (function(pf.abstracted(t, [x])) for t in (first, second))
    if a.op == "E":
        found = lemma("cauchy_schwarz_means", f=f, g=g)
    else:
        sign = inner.sign("nonnegative", weight)
        if sign is None:
            return None
        w = function(pf.abstracted(weight, [x]))
        low, high = a.args[:2]
        found = mp(
            lemma("cauchy_schwarz_sums", lo=low, hi=high, w=w, f=f, g=g),
            each_intro(x, low, high, sign),
        )
    # One of the two sums of squares has to be of use, and the other one too, or be known.
    used = [b for m in polynomial(found.conclusion.args[1]) for b, _ in m]
    return found if atoms.intersection(used) else None


def _tangents(context: Context, goal: Term) -> Iterator[Proof]:
    """Return sums and means of tangents to the exponentials and logarithms under them."""
    atoms = atoms_of(goal)
    points = {
        op: [b.args[0] for b in atoms if b.op == op and not b.args[0].loose][:POINTS]
        for op in ("exp", "log")
    }
    points["log"] += [pf.inv(t) for t in points["log"]]
    points["log"].append(pf.number(1))
    points["exp"].append(pf.number(0))
    for a in atoms:
        if a.op not in ("sum", "E") or a.sort != "R":
            continue
        x, inner = _terms(context, a)
        body = polynomial(fill(a.args[-1], (x,)))
        if len(body) != 1:
            continue
        ((m, _),) = body.items()
        name = (x.data[0], x.data[1], ())
        curved = [b for b, k in m if b.op in points and k == 1 and name in b.free]
        if len(curved) != 1:
            continue
        weight = _without(m, curved[0])
        sign = inner.sign("nonnegative", weight)
        if sign is not None:
            for at in points[curved[0].op]:
                yield from _tangent(context, inner, (a, x), curved[0], at, sign)


def _without(m: Monomial, b: Term) -> Term:
    """Return the product that is left of a monomial without the atom b."""
    return build({tuple(f for f in m if f[0] is not b): Fraction(1)})


def _tangent(
    context: Context, inner: Context, under: tuple[Term, Term], curved: Term, at: Term, sign: Proof
) -> Iterator[Proof]:
    """Return the sum or mean of weights times a tangent at a point."""
    a, x = under
    value = curved.args[0]
    if curved.op == "exp":
        lines = [lemma("exp_tangent_at", x=value, y=at)]
    else:
        signs = inner.sign("positive", value), context.sign("positive", at)
        if None in signs:
            return
        lines = [
            mp(lemma("log_tangent_line", x=at, y=value), *signs[::-1]),
            mp(lemma("log_tangent_line", x=value, y=at), *signs),
        ]
    weight = sign.conclusion.args[1]
    for line in lines:
        sides = [mul(weight, t) for t in line.conclusion.args]
        term = psatz(pf.le(*sides), (1, [sign, line]))
        f, g = (function(pf.abstracted(t, [x])) for t in sides)
        if a.op == "sum":
            low, high = a.args[:2]
            yield mp(lemma("sum_monotone", lo=low, hi=high, f=f, g=g), _closed(a, x, term))
        else:
            yield mp(axiom("mean_monotone", X=f, Y=g), _closed(a, x, term))


__all__ = ["average_facts"]
