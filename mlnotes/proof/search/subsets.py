"""What is known of sums over the subsets of {1, …, n}, and of the number of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from mlnotes.trusted.normal import normal, polynomial
from mlnotes.trusted.terms import Term

from .. import proofs as pf
from ..language import SUBSETS, range_of_subsets
from ..proofs import Proof, le, lemma, mp
from .terms import function

if TYPE_CHECKING:
    from .context import Context

EMPTY, DOUBLED = SUBSETS[:2]


def _definition(context: Context) -> list[Proof]:
    """Return what defines the powers of two, if it is among the facts."""
    found = [context.known.get(normal(p)) for p in (EMPTY, DOUBLED)]
    return [f for f in found if f is not None]


def positive_powers(context: Context, fact: Proof) -> list[Proof]:
    """Return 1 ≤ 2ᵏ for every k, where the second of two facts defines these powers."""
    given = _definition(context) if fact.conclusion is DOUBLED else []
    return [mp(lemma("power_of_two_positive"), *given)] if len(given) == 2 else []


def sums(context: Context, atoms: Sequence[Term]) -> Iterator[Proof]:
    """Return sums over all subsets as sums over those of a set with one element less."""
    given = _definition(context)
    if len(given) < 2:
        return
    over = [(a, range_of_subsets(*a.args[:2])) for a in atoms]
    smaller = [m for _, m in over if m is not None]
    if context.unrolled is not None:
        smaller.append(normal(pf.sub(context.unrolled, 1)))
    for a, n in over:
        if n is None:
            continue
        f = function(a.args[2])
        if n.op == "z" and n.data == (0,):
            found = mp(lemma("sum_over_subset_of_nothing", f=f), given[0])
            yield pf.convert(found, pf.eq(a, found.conclusion.args[1]))
        for m in dict.fromkeys(smaller):
            if polynomial(pf.sub(n, m)) != {(): 1}:
                continue
            long = context.quick(le(pf.whole(0), m))
            if long is not None:
                found = mp(lemma("sum_over_subsets", n=m, f=f), *given, long)
                yield pf.convert(found, pf.eq(a, found.conclusion.args[1]))
