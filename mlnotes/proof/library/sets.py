"""Lemmas on the subsets of {1, …, n}, which are numbered from 0 to 2ⁿ − 1 as binary numbers are."""

from __future__ import annotations

from mlnotes.trusted.terms import Term

from .. import proofs as pf
from ..language import SUBSETS, variable
from ..language.subsets import power_of_two
from ..proofs import (
    Proof,
    add,
    assume,
    axiom,
    eq,
    generalise,
    le,
    lemma,
    mp,
    ranged,
    specialise,
    sub,
)
from .notation import arithmetic, derived, f, implied, m, under

ONE, NOTHING = pf.whole(1), pf.whole(0)
EMPTY, DOUBLED = SUBSETS[:2]
n = variable("n", "Z")


def twice_as_many(k: Term, long: Proof) -> Proof:
    """Return that 2 to the k + 1 is twice 2 to the k."""
    return mp(specialise(assume(DOUBLED), k), long)


@derived
def power_of_two_positive() -> Proof:
    """0 ≤ k → 1 ≤ 2ᵏ."""
    given = under(EMPTY, DOUBLED)

    def claim(k: Term) -> Term:
        return le(ONE, power_of_two(k))

    long, now = under(le(NOTHING, m), claim(m))
    step = arithmetic(claim(add(m, 1)), now, twice_as_many(m, long))
    start = arithmetic(claim(NOTHING), given[0])
    rule = axiom("induction", lo=NOTHING, P=claim)
    return implied(mp(rule, start, generalise(m, implied(step, long, now))), *given)


def positive(k: Term, long: Proof) -> Proof:
    """Return 1 ≤ 2ᵏ."""
    return mp(specialise(mp(lemma("power_of_two_positive"), *under(EMPTY, DOUBLED)), k), long)


def last_of(k: Term) -> Term:
    """Return the number of the set {1, …, k}, the last of its subsets."""
    return sub(power_of_two(k), 1)


@derived
def sum_over_subset_of_nothing() -> Proof:
    """Σ f(S) over the subsets of the empty set = f(0)."""
    (given,) = under(EMPTY)

    def claim(t: Term) -> Term:
        return eq(ranged("sum", NOTHING, sub(t, 1), f), f(NOTHING))

    single = pf.convert(lemma("sum_single", lo=NOTHING), claim(ONE))
    return implied(pf.rewrite(pf.symmetric(given), single, claim), given)


@derived
def sum_over_subsets() -> Proof:
    """0 ≤ n → Σ f(S) over S ⊆ {1, …, n + 1} = Σ (f(S) + f(S ∪ {n + 1})) over S ⊆ {1, …, n}."""
    given = under(EMPTY, DOUBLED)
    (long,) = under(le(NOTHING, n))
    size, after = power_of_two(n), power_of_two(add(n, 1))
    least, twice = positive(n, long), twice_as_many(n, long)
    split = mp(
        lemma("sum_split", lo=NOTHING, mid=last_of(n), hi=sub(after, 1)),
        arithmetic(le(NOTHING, add(last_of(n), 1)), least),
        arithmetic(le(last_of(n), sub(after, 1)), least, twice),
    )
    shift = lemma("sum_shift", lo=NOTHING, hi=last_of(n), j=size)

    def upper(t: Term) -> Term:
        return eq(
            ranged("sum", add(last_of(n), 1), sub(t, 1), f),
            ranged("sum", NOTHING, last_of(n), lambda k: f(add(k, size))),
        )

    moved = pf.convert(shift, upper(add(size, size)))
    same = arithmetic(eq(add(size, size), after), twice)
    moved = pf.rewrite(same, moved, upper)
    goal = eq(
        ranged("sum", NOTHING, sub(after, 1), f),
        ranged("sum", NOTHING, last_of(n), lambda k: add(f(k), f(add(k, size)))),
    )
    return implied(arithmetic(goal, split, moved), *given, long)
