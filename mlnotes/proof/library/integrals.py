"""Lemmas on integrals over a measure space, and on means given the value of a random number."""

from __future__ import annotations

from collections.abc import Callable

from mlnotes.trusted.terms import Term

from .. import proofs as pf
from ..language import build, variable
from ..proofs import (
    Proof,
    add,
    axiom,
    discharge,
    each,
    each_at,
    eq,
    forall,
    generalise,
    implies,
    integrable,
    integral,
    le,
    lemma,
    lt,
    mean,
    mp,
    mul,
    neg,
    negation,
    ranged,
    ring,
    specialise,
    sub,
)
from .independence import indicator
from .notation import HALF, arithmetic, derived, f, g, hi, implied, lo, m, size, under
from .sums import range_induction


def _difference(t: Term) -> Term:
    return sub(g(t), f(t))


def _integrable_difference(first: Proof, second: Proof) -> Proof:
    """Return that g − f is integrable, where f and g are."""
    turned = mp(axiom("integrable_multiple", c=-1, f=f), first)
    return mp(axiom("integrable_sum", f=g, g=lambda t: neg(f(t))), second, turned)


@derived
def integral_monotone() -> Proof:
    """F ≤ g everywhere, both integrable → ∫f ≤ ∫g."""
    given, first, second = under(
        forall("U", lambda t: le(f(t), g(t))), integrable(f), integrable(g)
    )
    t = pf.fresh("U")
    gap = generalise(t, arithmetic(le(0, _difference(t)), specialise(given, t)))
    sign = mp(axiom("integral_nonnegative", f=_difference), gap)
    turned = mp(axiom("integrable_multiple", c=-1, f=f), first)
    total = mp(axiom("integral_sum", f=g, g=lambda t: neg(f(t))), second, turned)
    scaled = axiom("integral_multiple", c=-1, f=f)
    return implied(
        arithmetic(le(integral(f), integral(g)), sign, total, scaled), given, first, second
    )


def _extreme(op: str) -> Proof:
    """Derive that the larger or smaller of two functions is integrable, by |g − f|."""
    first, second = under(integrable(f), integrable(g))
    sign = 1 if op == "max" else -1
    gap = _integrable_difference(first, second)

    def apart(t: Term) -> Term:
        return mul(sign, size(_difference(t)))

    wide = mp(axiom("integrable_absolute", f=_difference), gap)
    wide = mp(axiom("integrable_multiple", c=sign, f=lambda t: size(_difference(t))), wide)
    both = mp(axiom("integrable_sum", f=f, g=g), first, second)
    whole = mp(axiom("integrable_sum", f=lambda t: add(f(t), g(t)), g=apart), both, wide)

    def twice(t: Term) -> Term:
        return add(f(t), g(t), apart(t))

    half = mp(axiom("integrable_multiple", c=HALF, f=twice), whole)
    t = pf.fresh("U")
    low, high = under(le(f(t), g(t)), lt(g(t), f(t)))
    value = build(op, (), [f(t), g(t)])
    goal = eq(mul(HALF, twice(t)), value)
    weak = arithmetic(le(g(t), f(t)), high)
    up = arithmetic(
        goal,
        mp(axiom(f"{op}_of", x=f(t), y=g(t)), low),
        mp(axiom("abs_nonnegative", x=_difference(t)), arithmetic(le(0, _difference(t)), low)),
    )
    turned = mp(axiom(f"{op}_of", x=g(t), y=f(t)), weak)
    down = arithmetic(
        goal,
        turned,
        mp(axiom("abs_nonpositive", x=_difference(t)), arithmetic(le(_difference(t), 0), high)),
    )
    same = generalise(t, pf.by_order(f(t), g(t), up, down))
    rule = axiom(
        "integrable_congruence",
        f=lambda t: mul(HALF, twice(t)),
        g=lambda t: build(op, (), [f(t), g(t)]),
    )
    return implied(mp(rule, same, half), first, second)


@derived
def integrable_max() -> Proof:
    """F and g integrable → max(f, g) integrable."""
    return _extreme("max")


@derived
def integrable_min() -> Proof:
    """F and g integrable → min(f, g) integrable."""
    return _extreme("min")


@derived
def integrable_strict_part() -> Proof:
    """F and g integrable → f [0 < g] integrable: what is left of f without [0 ≤ −g]."""
    first, second = under(integrable(f), integrable(g))

    def opposite(t: Term) -> Term:
        return neg(g(t))

    def cut(t: Term) -> Term:
        return mul(f(t), indicator(le(0, opposite(t))))

    turned = mp(axiom("integrable_multiple", c=-1, f=g), second)
    part = mp(axiom("integrable_part", f=f, g=opposite), first, turned)
    minus = mp(axiom("integrable_multiple", c=-1, f=cut), part)
    rest = mp(axiom("integrable_sum", f=f, g=lambda t: neg(cut(t))), first, minus)
    t = pf.fresh("U")
    law = lemma("indicator_of_less", x=g(t), y=pf.number(0))
    strict = mul(f(t), indicator(lt(0, g(t))))
    same = pf.psatz(eq(add(f(t), neg(cut(t))), strict), (neg(f(t)), [law]))
    rule = axiom(
        "integrable_congruence",
        f=lambda t: add(f(t), neg(cut(t))),
        g=lambda t: mul(f(t), indicator(lt(0, g(t)))),
    )
    return implied(mp(rule, generalise(t, same), rest), first, second)


def _over_range() -> tuple[Proof, Proof]:
    """Derive that a finite sum of integrable functions is so, and the value of its integral."""
    (given,) = under(each(lo, hi, lambda k: integrable(lambda t: f(k, t))))
    before, at = sub(lo, 1), add(m, 1)

    def up_to(n: Term) -> Callable[[Term], Term]:
        return lambda t: ranged("sum", lo, n, lambda k: f(k, t))

    def says(n: Term) -> Term:
        value = ranged("sum", lo, n, lambda k: integral(lambda t: f(k, t)))
        return build("&", (), [integrable(up_to(n)), eq(integral(up_to(n)), value)])

    def claim(n: Term) -> Term:
        return implies(le(n, hi), says(n))

    t = pf.fresh("U")
    outside = ring(lt(before, lo))
    nothing = mp(axiom("sum_empty", lo=lo, hi=before, f=lambda k: f(k, t)), outside)
    none = mp(
        axiom("sum_empty", lo=lo, hi=before, f=lambda k: integral(lambda t: f(k, t))),
        outside,
    )
    zero = pf.number(0)
    empty = generalise(t, pf.symmetric(nothing))
    base = mp(
        axiom("integrable_congruence", f=lambda t: zero, g=up_to(before)),
        empty,
        axiom("integrable_zero"),
    )
    flat = mp(axiom("integral_congruence", f=lambda t: zero, g=up_to(before)), empty)
    no_value = axiom("integral_multiple", c=0, f=lambda t: zero)
    start = pf.conjunction(base, arithmetic(says(before).args[1], flat, none, no_value))
    h0, ih, inside = under(le(before, m), claim(m), le(at, hi))
    reached = arithmetic(le(lo, at), h0)
    there, value = pf.conjuncts(mp(ih, arithmetic(le(m, hi), inside)))
    new = each_at(given, at, reached, inside)
    last = mp(axiom("sum_last", lo=lo, hi=m, f=lambda k: f(k, t)), reached)

    def longer(t: Term) -> Term:
        return add(up_to(m)(t), f(at, t))

    both = mp(axiom("integrable_sum", f=up_to(m), g=lambda t: f(at, t)), there, new)
    total = mp(axiom("integral_sum", f=up_to(m), g=lambda t: f(at, t)), there, new)
    turn = generalise(t, pf.symmetric(last))
    now = mp(axiom("integrable_congruence", f=longer, g=up_to(at)), turn, both)
    same = mp(axiom("integral_congruence", f=longer, g=up_to(at)), turn)
    values = mp(axiom("sum_last", lo=lo, hi=m, f=lambda k: integral(lambda t: f(k, t))), reached)
    step = pf.conjunction(now, arithmetic(says(at).args[1], same, total, value, values))
    all_n = range_induction(
        claim, discharge(le(before, hi), start), discharge(inside.conclusion, step)
    )
    upward, short = under(le(before, hi), lt(hi, before))
    big = mp(specialise(all_n, hi), upward, ring(le(hi, hi)))
    less = arithmetic(lt(hi, lo), short)
    bare = generalise(
        t, pf.symmetric(mp(axiom("sum_empty", lo=lo, hi=hi, f=lambda k: f(k, t)), less))
    )
    small = pf.conjunction(
        mp(
            axiom("integrable_congruence", f=lambda t: zero, g=up_to(hi)),
            bare,
            axiom("integrable_zero"),
        ),
        arithmetic(
            says(hi).args[1],
            mp(axiom("integral_congruence", f=lambda t: zero, g=up_to(hi)), bare),
            mp(axiom("sum_empty", lo=lo, hi=hi, f=lambda k: integral(lambda t: f(k, t))), less),
            no_value,
        ),
    )
    whole = pf.by_order(before, hi, big, small)
    first, second = pf.conjuncts(whole)
    return implied(first, given), implied(second, given)


@derived
def integrable_range() -> Proof:
    """F(k, ·) integrable for every k of a range → Σ f(k, ·) integrable."""
    return _over_range()[0]


@derived
def integral_range() -> Proof:
    """F(k, ·) integrable for every k of a range → ∫ Σ f(k, x) dx = Σ ∫ f(k, x) dx."""
    return _over_range()[1]


# ---------------------------------------------------------------------- means given a value


def _x(w: Term) -> Term:
    return variable("X", "R", [w])


def _y(w: Term) -> Term:
    return variable("Y", "R", [w])


def _same(w: Term, v: Term) -> Term:
    """Return the indicator that X has at w the value that it has at v."""
    return indicator(eq(_x(w), _x(v)))


def _chance(v: Term) -> Term:
    """Return the probability of the value that X has at v."""
    return mean(lambda w: _same(w, v))


@derived
def mean_at_improbable() -> Proof:
    """E[Z; the value of X has probability 0] = 0, by Cauchy and Schwarz."""

    def event(v: Term) -> Term:
        return indicator(eq(_chance(v), 0))

    rule = lemma("cauchy_schwarz_means", f=_y, g=event)
    never = axiom("improbable_values", X=_x)
    v = pf.fresh("W")
    yes, no = under(eq(_chance(v), 0), negation(eq(_chance(v), 0)))
    goal = eq(mul(event(v), event(v)), event(v))
    p = yes.conclusion
    same = pf.by_cases(
        p,
        arithmetic(goal, mp(axiom("indicator_true", p=p), yes), products=2),
        arithmetic(goal, mp(axiom("indicator_false", p=p), no), products=2),
    )
    square = mp(
        lemma("mean_congruence", f=lambda v: mul(event(v), event(v)), g=event),
        generalise(v, same),
    )
    total = mean(lambda v: mul(_y(v), event(v)))
    rest = mean(lambda v: mul(_y(v), _y(v)))
    flat = pf.psatz(le(pf.power(total, 2), 0), (1, [rule]), (rest, [square]), (rest, [never]))
    return mp(lemma("zero_if_square", x=total), flat)


@derived
def mean_of_conditional_mean() -> Proof:
    """E[h(X) E[Y | X]] = E[h(X) Y]: outcomes with one value of X are averaged together."""

    def h(t: Term) -> Term:
        return variable("h", "R", [t])

    v, w = pf.fresh("W"), pf.fresh("W")

    def term(v: Term, w: Term) -> Term:
        return mul(h(_x(v)), pf.inv(_chance(v)), _y(w), _same(w, v))

    def turned(v: Term, w: Term) -> Term:
        return mul(h(_x(w)), pf.inv(_chance(w)), _y(w), _same(v, w))

    p = eq(_x(w), _x(v))
    yes, no = under(p, negation(p))

    def put(z: Term) -> Term:
        chance = mean(lambda o: indicator(eq(_x(o), z)))
        return mul(h(z), pf.inv(chance), _y(w), _same(w, v))

    moved = pf.symmetric(pf.congruence(yes, put))
    on = pf.convert(moved, eq(term(v, w), turned(v, w)))
    off = mp(axiom("indicator_false", p=p), no)
    factors = [mul(h(_x(s)), pf.inv(_chance(s)), _y(w)) for s in (v, w)]
    away = pf.psatz(eq(term(v, w), turned(v, w)), (sub(*factors), [off]))
    alike = pf.by_cases(p, on, away)
    inner = mp(
        lemma("mean_congruence", f=lambda s: term(s, w), g=lambda s: turned(s, w)),
        generalise(v, alike),
    )
    outer = mp(
        lemma(
            "mean_congruence",
            f=lambda o: mean(lambda s: term(s, o)),
            g=lambda o: mean(lambda s: turned(s, o)),
        ),
        generalise(w, inner),
    )
    swap = axiom("mean_exchange", f=term)

    def product(o: Term) -> Term:
        return mul(h(_x(o)), _y(o))

    def cancelled(o: Term) -> Term:
        return mul(product(o), pf.inv(_chance(o)), _chance(o))

    def kept(o: Term) -> Term:
        return sub(product(o), mul(product(o), indicator(eq(_chance(o), 0))))

    zero = eq(_chance(w), 0)
    there, gone = under(negation(zero), zero)
    whole = mp(axiom("inverse", x=_chance(w)), there)
    none = mp(axiom("indicator_false", p=zero), there)
    one = mp(axiom("indicator_true", p=zero), gone)
    goal = eq(cancelled(w), kept(w))
    live = pf.psatz(goal, (product(w), [whole]), (product(w), [none]))
    dead = pf.psatz(goal, (mul(product(w), pf.inv(_chance(w))), [gone]), (product(w), [one]))
    cancel = mp(
        lemma("mean_congruence", f=cancelled, g=kept),
        generalise(w, pf.by_cases(zero, dead, live)),
    )
    improbable = lemma("mean_at_improbable", X=_x, Y=product)
    left = mean(
        lambda v: mul(h(_x(v)), mean(lambda w: mul(_y(w), _same(w, v))), pf.inv(_chance(v)))
    )
    return arithmetic(eq(left, mean(product)), swap, outer, cancel, improbable)
