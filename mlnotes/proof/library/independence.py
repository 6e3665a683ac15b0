"""Lemmas on expectations of products of independent variables."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from mlnotes.trusted.terms import Term

from .. import proofs as pf
from ..language import build, variable
from ..probability import product_law
from ..proofs import (
    Proof,
    absurd,
    add,
    assume,
    axiom,
    by_cases,
    by_order,
    discharge,
    each,
    each_at,
    each_intro,
    eq,
    false,
    forall,
    generalise,
    implies,
    le,
    lemma,
    lt,
    mean,
    mp,
    mul,
    negation,
    power,
    ranged,
    rewrite,
    ring,
    specialise,
    sub,
    symmetric,
)
from .notation import arithmetic, derived, f, g, hi, i, implied, j, lo, m, under
from .sums import range_induction, total_of


def indicator(q: Term) -> Term:
    """Return the indicator of a proposition."""
    return build("ind", (), [q])


def X(*args: Term) -> Term:
    """Return a value of the random variable or random family X."""
    return variable("X", "R", args)


def Y(*args: Term) -> Term:
    """Return a value of the random variable Y."""
    return variable("Y", "R", args)


@derived
def product_of_one() -> Proof:
    """Lo ≤ j ≤ hi, and f = 1 on the range but at j → Πf = f(j)."""
    low, high = under(le(lo, j), le(j, hi))
    (others,) = under(each(lo, hi, lambda k: implies(negation(eq(k, j)), eq(f(k), 1))))
    before, at = sub(lo, 1), add(m, 1)

    def first(t: Term) -> Term:
        return implies(lt(t, j), eq(total_of("prod", f, t), 1))

    def second(t: Term) -> Term:
        return implies(le(j, t), eq(total_of("prod", f, t), f(j)))

    def claim(t: Term) -> Term:
        return implies(le(t, hi), build("&", (), [first(t), second(t)]))

    empty = mp(axiom("product_empty", lo=lo, hi=before, f=f), ring(lt(before, lo)))
    (reached,) = under(le(j, before))
    wrong = absurd(eq(total_of("prod", f, before), f(j)), arithmetic(false(), reached, low))
    base = pf.conjunction(discharge(lt(before, j), empty), discharge(reached.conclusion, wrong))
    h0, ih, inside = under(le(before, m), claim(m), le(at, hi))
    long = arithmetic(le(lo, at), h0)
    below, above = pf.conjuncts(mp(ih, arithmetic(le(m, hi), inside)))
    last = mp(axiom("product_last", lo=lo, hi=m, f=f), long)

    def one(differs: Proof) -> Proof:
        (same,) = under(eq(at, j))
        other = discharge(same.conclusion, arithmetic(false(), same, differs))
        return mp(each_at(others, at, long, inside), other)

    early, late, here = under(lt(at, j), le(j, m), lt(m, j))
    now = mp(below, arithmetic(lt(m, j), early))
    up = arithmetic(eq(total_of("prod", f, at), 1), last, now, one(early))
    goal = eq(total_of("prod", f, at), f(j))
    past = arithmetic(goal, last, mp(above, late), one(late))
    (come,) = under(le(j, at))
    next_up = mp(axiom("discrete", i=m, j=j), here)
    same = mp(axiom("antisymmetric_Z", i=at, j=j), next_up, come)
    value = pf.congruence(same, f)
    fresh = arithmetic(goal, last, mp(below, here), value)
    down = by_order(j, m, past, fresh)
    step = pf.conjunction(discharge(early.conclusion, up), discharge(come.conclusion, down))
    all_k = range_induction(
        claim, discharge(le(before, hi), base), discharge(inside.conclusion, step)
    )
    there = mp(specialise(all_k, hi), arithmetic(le(before, hi), low, high), ring(le(hi, hi)))
    return implied(mp(pf.conjuncts(there)[1], high), low, high, others)


@derived
def product_of_two() -> Proof:
    """I ≠ j in the range, and f = 1 on it but at i and j → Πf = f(i) f(j)."""
    given = under(le(lo, i), le(i, hi), le(lo, j), le(j, hi))
    (apart,) = under(negation(eq(i, j)))
    (others,) = under(
        each(
            lo,
            hi,
            lambda k: implies(negation(eq(k, i)), negation(eq(k, j)), eq(f(k), 1)),
        )
    )

    def part(at: Term) -> Callable[[Term], Term]:
        return lambda k: add(1, mul(indicator(eq(k, at)), sub(f(k), 1)))

    def only(at: Term, low: Proof, high: Proof) -> Proof:
        k = pf.fresh("Z")
        (off,) = under(negation(eq(k, at)))
        k0, k1 = under(le(lo, k), le(k, hi))
        value = mp(axiom("indicator_false", p=eq(k, at)), off)
        one = discharge(off.conclusion, arithmetic(eq(part(at)(k), 1), value))
        rest = generalise(k, implied(one, k0, k1))
        found = mp(lemma("product_of_one", j=at, f=part(at)), low, high, rest)
        on = mp(axiom("indicator_true", p=eq(at, at)), ring(eq(at, at)))
        return arithmetic(eq(total_of("prod", part(at), hi), f(at)), found, on)

    k = pf.fresh("Z")
    k0, k1 = under(le(lo, k), le(k, hi))
    goal = eq(f(k), mul(part(i)(k), part(j)(k)))

    def value(at: Term, held: bool) -> Proof:
        q = eq(k, at)
        rule = axiom("indicator_true" if held else "indicator_false", p=q)
        return mp(rule, assume(q if held else negation(q)))

    both = [assume(eq(k, i)), assume(eq(k, j))]
    clash = mp(apart, arithmetic(eq(i, j), *both))
    split = by_cases(
        eq(k, i),
        by_cases(
            eq(k, j),
            absurd(goal, clash),
            arithmetic(goal, value(i, True), value(j, False)),
        ),
        by_cases(
            eq(k, j),
            arithmetic(goal, value(i, False), value(j, True)),
            arithmetic(
                goal,
                value(i, False),
                value(j, False),
                mp(each_at(others, k, k0, k1), *under(negation(eq(k, i)), negation(eq(k, j)))),
            ),
        ),
    )
    law = mp(
        lemma("product_congruence", g=lambda k: mul(part(i)(k), part(j)(k))),
        each_intro(k, lo, hi, split),
    )
    apart_product = pf.instance(
        ring(
            eq(
                ranged("prod", lo, hi, lambda k: mul(f(k), g(k))),
                mul(total_of("prod", f, hi), total_of("prod", g, hi)),
            )
        ),
        {"f": part(i), "g": part(j)},
    )
    ends = [only(i, *given[:2]), only(j, *given[2:])]
    moved = rewrite(
        ends[0],
        apart_product,
        lambda t: eq(
            ranged("prod", lo, hi, lambda k: mul(part(i)(k), part(j)(k))),
            mul(t, total_of("prod", part(j), hi)),
        ),
    )
    moved = rewrite(
        ends[1],
        moved,
        lambda t: eq(ranged("prod", lo, hi, lambda k: mul(part(i)(k), part(j)(k))), mul(f(i), t)),
    )
    return implied(pf.transitive(law, moved), *given, apart, others)


@derived
def independent_two() -> Proof:
    """X and Y independent → E[f(X) g(Y)] = E[f(X)] E[g(Y)]."""
    (given,) = under(
        forall(
            "R",
            lambda a: forall(
                "R",
                lambda b: eq(
                    mean(lambda w: mul(indicator(eq(X(w), a)), indicator(eq(Y(w), b)))),
                    mul(
                        mean(lambda w: indicator(eq(X(w), a))),
                        mean(lambda w: indicator(eq(Y(w), b))),
                    ),
                ),
            ),
        )
    )
    one, two = pf.whole(1), pf.whole(2)

    def mixed(k: Term, a: Term, b: Term) -> Term:
        return add(mul(sub(2, pf.real(k)), a), mul(sub(pf.real(k), 1), b))

    def family(k: Term, w: Term) -> Term:
        return mixed(k, X(w), Y(w))

    w, v = pf.fresh("W"), pf.fresh("W")

    def same(k: Term) -> Term:
        return eq(family(k, w), family(k, v))

    every = each(one, two, same)
    first, second = eq(X(w), X(v)), eq(Y(w), Y(v))
    k = pf.fresh("Z")
    k0, k1 = under(le(one, k), le(k, two))
    low, high = under(le(k, one), lt(one, k))
    at_one = mp(axiom("antisymmetric_Z", i=k, j=one), low, k0)
    up = mp(axiom("discrete", i=one, j=k), high)
    at_two = mp(axiom("antisymmetric_Z", i=k, j=two), k1, up)
    held = by_order(
        k,
        one,
        rewrite(symmetric(at_one), pf.convert(assume(first), same(one)), same),
        rewrite(symmetric(at_two), pf.convert(assume(second), same(two)), same),
    )
    goal = eq(indicator(every), mul(indicator(first), indicator(second)))
    values = [
        mp(axiom("indicator_true", p=q), found)
        for q, found in (
            (every, each_intro(k, one, two, held)),
            (first, assume(first)),
            (second, assume(second)),
        )
    ]

    def missing(q: Term, at: Term) -> Proof:
        (off,) = under(negation(q))
        inside = each_at(assume(every), at, ring(le(one, at)), ring(le(at, two)))
        wrong = discharge(every, mp(off, inside))
        facts = [
            mp(axiom("indicator_false", p=every), wrong),
            mp(axiom("indicator_false", p=q), off),
        ]
        return arithmetic(goal, *facts)

    split = by_cases(
        first,
        by_cases(second, arithmetic(goal, *values), missing(second, two)),
        missing(first, one),
    )
    joint = mp(
        lemma(
            "mean_congruence",
            f=lambda w: indicator(each(one, two, lambda k: eq(family(k, w), family(k, v)))),
            g=lambda w: mul(indicator(eq(X(w), X(v))), indicator(eq(Y(w), Y(v)))),
        ),
        generalise(w, split),
    )
    law = pf.transitive(joint, specialise(given, X(v), Y(v)))
    rule = axiom(
        "independent_product",
        lo=one,
        hi=two,
        X=family,
        f=lambda k, t: mixed(k, f(t), g(t)),
    )
    found = mp(rule, generalise(v, law))
    goal = eq(
        mean(lambda w: mul(f(X(w)), g(Y(w)))),
        mul(mean(lambda w: f(X(w))), mean(lambda w: g(Y(w)))),
    )
    return implied(pf.convert(found, goal), given)


@derived
def independent_pair() -> Proof:
    """X(lo), …, X(hi) independent, i ≠ j → E[f(X(i)) g(X(j))] = E[f(X(i))] E[g(X(j))]."""
    (given,) = under(product_law(lo, hi, X))
    inside = under(le(lo, i), le(i, hi), le(lo, j), le(j, hi))
    (apart,) = under(negation(eq(i, j)))

    def factor(k: Term, t: Term) -> Term:
        return add(
            1,
            mul(indicator(eq(k, i)), sub(f(t), 1)),
            mul(indicator(eq(k, j)), sub(g(t), 1)),
        )

    def values(at: Term, *held: bool) -> list[Proof]:
        out = []
        for other, on in zip((i, j), held, strict=True):
            q = eq(at, other)
            if on:
                shown = ring(q) if at is other else assume(q)
            elif at in (i, j):
                (meant,) = under(q)
                turned = pf.convert(meant, eq(i, j))
                shown = discharge(q, mp(apart, turned))
            else:
                shown = assume(negation(q))
            out.append(mp(axiom("indicator_true" if on else "indicator_false", p=q), shown))
        return out

    def reduced(whole: Callable[[Term], Term]) -> Proof:
        """Return Π whole(k) = whole(i) whole(j)."""
        k = pf.fresh("Z")
        k0, k1 = under(le(lo, k), le(k, hi))
        offs = under(negation(eq(k, i)), negation(eq(k, j)))
        one = arithmetic(eq(whole(k), 1), *values(k, False, False))
        rest = generalise(k, implied(one, k0, k1, *offs))
        return mp(lemma("product_of_two", f=whole), *inside, apart, rest)

    w = pf.fresh("W")
    pointwise = reduced(lambda k: factor(k, X(k, w)))
    on_i, on_j = values(i, True, False), values(j, False, True)
    product = arithmetic(
        eq(ranged("prod", lo, hi, lambda k: factor(k, X(k, w))), mul(f(X(i, w)), g(X(j, w)))),
        pointwise,
        *(
            arithmetic(eq(factor(at, X(at, w)), value(X(at, w))), *facts)
            for at, value, facts in ((i, f, on_i), (j, g, on_j))
        ),
    )
    left = mp(
        lemma(
            "mean_congruence",
            f=lambda w: ranged("prod", lo, hi, lambda k: factor(k, X(k, w))),
            g=lambda w: mul(f(X(i, w)), g(X(j, w))),
        ),
        generalise(w, product),
    )
    right = reduced(lambda k: mean(lambda w: factor(k, X(k, w))))

    def means_at(at: Term, value: Callable[[Term], Term], facts: Sequence[Proof]) -> Proof:
        goal = eq(mean(lambda w: factor(at, X(at, w))), mean(lambda w: value(X(at, w))))
        return arithmetic(goal, *facts)

    means = [means_at(i, f, on_i), means_at(j, g, on_j)]
    law = mp(axiom("independent_product", X=X, f=factor), given)
    goal = eq(
        mean(lambda w: mul(f(X(i, w)), g(X(j, w)))),
        mul(mean(lambda w: f(X(i, w))), mean(lambda w: g(X(j, w)))),
    )
    return implied(arithmetic(goal, left, right, law, *means), given, *inside, apart)


@derived
def square_of_independent_sum() -> Proof:
    """X(lo), …, X(hi) independent → the variance of Σ f(k, X(k)) is the sum of the variances."""
    (given,) = under(product_law(lo, hi, X))

    def value(k: Term, w: Term) -> Term:
        return f(k, X(k, w))

    def first(k: Term) -> Term:
        return mean(lambda w: value(k, w))

    def joint(a: Term, b: Term) -> Term:
        return mean(lambda w: mul(value(a, w), value(b, w)))

    def excess(k: Term) -> Term:
        return sub(joint(k, k), mul(first(k), first(k)))

    a, b = pf.fresh("Z"), pf.fresh("Z")
    inside = under(le(lo, a), le(a, hi), le(lo, b), le(b, hi))

    def claim(b: Term) -> Term:
        return eq(
            joint(a, b),
            add(mul(first(a), first(b)), mul(indicator(eq(b, a)), excess(b))),
        )

    on = mp(axiom("indicator_true", p=eq(a, a)), ring(eq(a, a)))
    (same,) = under(eq(b, a))
    equal = rewrite(symmetric(same), arithmetic(claim(a), on), claim)
    (off,) = under(negation(eq(b, a)))
    turned = under(eq(a, b))[0]
    apart = discharge(turned.conclusion, mp(off, symmetric(turned)))
    pair = mp(
        lemma("independent_pair", i=a, j=b, f=lambda t: f(a, t), g=lambda t: f(b, t)),
        given,
        *inside,
        apart,
    )
    gone = mp(axiom("indicator_false", p=eq(b, a)), off)
    every = by_cases(eq(b, a), equal, arithmetic(claim(b), pair, gone))
    inner = mp(
        lemma(
            "sum_congruence",
            f=lambda b: joint(a, b),
            g=lambda b: add(mul(first(a), first(b)), mul(indicator(eq(b, a)), excess(b))),
        ),
        each_intro(b, lo, hi, every),
    )
    delta = mp(lemma("sum_of_delta", j=a, f=excess), *inside[:2])
    row = arithmetic(
        eq(
            total_of("sum", lambda b: joint(a, b), hi),
            add(mul(first(a), total_of("sum", first, hi)), excess(a)),
        ),
        inner,
        delta,
    )
    outer = mp(
        lemma(
            "sum_congruence",
            f=lambda a: total_of("sum", lambda b: joint(a, b), hi),
            g=lambda a: add(mul(first(a), total_of("sum", first, hi)), excess(a)),
        ),
        each_intro(a, lo, hi, row),
    )
    goal = eq(
        mean(lambda w: power(total_of("sum", lambda k: value(k, w), hi), 2)),
        add(power(total_of("sum", first, hi), 2), total_of("sum", excess, hi)),
    )
    return implied(arithmetic(goal, outer), given)
