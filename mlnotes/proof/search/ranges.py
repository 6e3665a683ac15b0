"""Sums of the same terms over ranges that are shifted, or that differ by a few terms."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import permutations
from typing import TYPE_CHECKING

from mlnotes.trusted.normal import normal, polynomial
from mlnotes.trusted.terms import Term, close, fill

from .. import proofs as pf
from ..arithmetic import combine
from ..proofs import Proof, axiom, eq, le, lemma, mp
from . import subsets
from .terms import function

if TYPE_CHECKING:
    from .context import Context

FAR = 2  # by how much ranges and indices may differ
MOST = 12  # sums of one goal that are compared


def aligned(context: Context, atoms: Iterable[Term]) -> Iterator[Proof]:
    """Return what sums of the same terms, over ranges nearly the same, have to do with each other.

    From Σ f(k + 1) and Σ f(k) over one range comes that their difference telescopes.
    """
    atoms = list(atoms)
    yield from _powers(context, [a for a in atoms if _is_power(a)][:MOST])
    sums = [a for a in atoms if a.op == "sum" and a.sort == "R" and a.args[2].loose == 1]
    yield from _cut(context, sums[:MOST])
    yield from subsets.sums(context, sums[:MOST])
    yield from _last_factors(context, [a for a in atoms if a.op == "prod"][:MOST])
    yield from _moved_ranges(sums[:MOST])
    for a, b in permutations(sums[:MOST], 2):
        for by in range(1, FAR + 1) if a.args[:2] == b.args[:2] else range(FAR + 1):
            moved = _shifted(a.args[2], by)
            if moved is b.args[2]:
                found = _related(context, a, b, by)
                if found is not None:
                    yield found
                break


def _is_power(a: Term) -> bool:
    """Whether a is Πₖ c over k from 1, with a factor that does not depend on k."""
    return a.op == "prod" and a.args[0] is pf.whole(1) and a.args[2].loose == 0


def _powers(context: Context, powers: Sequence[Term]) -> Iterator[Proof]:
    """Return xᵐ = xⁱ xʲ for powers of one number of which m is i + j."""
    for first, second, whole in permutations(powers, 3):
        (_, i, x), (_, j, y), (_, m, z) = (a.args for a in (first, second, whole))
        if x is y is z and i.key < j.key and not polynomial(pf.sub(pf.add(i, j), m)):
            signs = context.quick(le(0, i)), context.quick(le(0, j))
            if None not in signs:
                yield mp(lemma("power_of_sum", i=i, m=j, x=x), *signs)


def _shifted(body: Term, by: int) -> Term:
    """Return the body of a sum with the index larger by a number, in normal form."""
    if by == 0:
        return normal(body)
    k = pf.fresh("Z", "k")
    return normal(close(fill(body, (pf.add(k, by),)), k))


def _last_factors(context: Context, products: Sequence[Term]) -> Iterator[Proof]:
    """Return products as shorter ones and their last factor, where others are shorter by one."""
    ends = {(normal(a.args[0]), normal(a.args[1])) for a in products}
    for a in products:
        low, high, body = a.args
        before = normal(pf.sub(high, 1))
        if (normal(low), before) not in ends:
            continue
        long = context.quick(le(low, pf.add(before, 1)))
        if long is not None:
            found = mp(axiom("product_last", lo=low, hi=before, f=function(body)), long)
            yield pf.convert(found, eq(a, found.conclusion.args[1]))


def _gap(a: Term, b: Term) -> int | None:
    """Return the small number b − a, if it is one."""
    p = polynomial(pf.sub(b, a))
    gap = p.get((), Fraction(0))
    return None if any(p) or abs(gap) > FAR else int(gap)


def _moved_ranges(sums: Sequence[Term]) -> Iterator[Proof]:
    """Return Σ f(k + j) over one range as Σ f(k) over the range moved by j, an integer."""
    for a, b in permutations(sums, 2):
        by = normal(pf.sub(a.args[0], b.args[0]))
        apart = polynomial(pf.sub(pf.sub(a.args[1], b.args[1]), by))
        if by.op == "z" or apart or normal(_moved_body(a.args[2], by)) is not normal(b.args[2]):
            continue
        shift = lemma("sum_shift", lo=b.args[0], hi=b.args[1], j=by, f=function(a.args[2]))
        yield pf.convert(shift, eq(a, b))


def _moved_body(body: Term, by: Term) -> Term:
    """Return the body of a sum with the index larger by an integer."""
    k = pf.fresh("Z", "k")
    return close(fill(body, (pf.add(k, by),)), k)


def _related(context: Context, a: Term, b: Term, by: int) -> Proof | None:
    """Return b = a + some terms − some terms, where the terms of b are those of a, moved."""
    low, high = (pf.add(t, by) if by else t for t in b.args[:2])
    gaps = _gap(a.args[0], low), _gap(a.args[1], high)
    if None in gaps:
        return None
    f = function(a.args[2])
    facts = []
    if by:
        facts.append(lemma("sum_shift", lo=b.args[0], hi=b.args[1], j=pf.whole(by), f=f))
    # From the range of a to that of b: first the upper end is moved, then the lower one.
    ends, extra = list(a.args[:2]), []
    for _ in range(abs(gaps[1] or 0)):
        up = (gaps[1] or 0) > 0
        before = ends[1] if up else pf.sub(ends[1], 1)
        last = pf.add(before, 1)
        long = context.quick(le(ends[0], last))
        if long is None:
            return None
        facts.append(mp(axiom("sum_last", lo=ends[0], hi=before, f=f), long))
        extra.append(f(last) if up else pf.neg(f(last)))
        ends[1] = last if up else before
    for _ in range(abs(gaps[0] or 0)):
        up = (gaps[0] or 0) > 0
        first = ends[0] if up else pf.sub(ends[0], 1)
        long = context.quick(le(first, ends[1]))
        if long is None:
            return None
        facts.append(mp(lemma("sum_first", lo=first, hi=ends[1], f=f), long))
        extra.append(pf.neg(f(first)) if up else f(first))
        ends[0] = pf.add(first, 1) if up else first
    if not extra:
        return combine(eq(b, a), facts)
    return combine(eq(b, pf.add(a, *extra)), facts)


def _cut(context: Context, sums: Sequence[Term]) -> Iterator[Proof]:
    """Return a sum as those of the same terms over the two parts of its range, and single terms."""
    for a in sums:
        low, high, body = a.args
        if normal(low) is normal(high) and low.op != "z":
            found = lemma("sum_single", lo=low, f=function(body))
            yield pf.convert(found, eq(a, found.conclusion.args[1]))
    for whole, part in permutations(sums, 2):
        low, high, body = whole.args
        shorter = normal(part.args[1]) is not normal(high)
        if shorter and part.args[0] is low and normal(part.args[2]) is normal(body):
            yield from _split(context, whole, part.args[1])
    for whole, first, last in permutations(sums, 3):
        bodies = {normal(a.args[2]) for a in (whole, first, last)}
        low, middle, high = whole.args[0], first.args[1], whole.args[1]
        ends = (first.args[0], low), (last.args[0], pf.add(middle, 1)), (last.args[1], high)
        if len(bodies) > 1 or any(normal(s) is not normal(t) for s, t in ends):
            continue
        yield from _split(context, whole, middle)


def _split(context: Context, whole: Term, middle: Term) -> Iterator[Proof]:
    """Return a sum as that up to some index and that of the terms after it."""
    low, high, body = whole.args
    inside = context.quick(le(low, pf.add(middle, 1))), context.quick(le(middle, high))
    if None not in inside:
        yield mp(lemma("sum_split", lo=low, hi=high, mid=middle, f=function(body)), *inside)
