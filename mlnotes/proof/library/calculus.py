"""Lemmas on derivatives, tangents, chords and convex functions."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from itertools import product

from mlnotes.trusted.terms import Refused, Term

from .. import proofs as pf
from ..language import build, variable
from ..proofs import (
    Proof,
    absurd,
    add,
    assume,
    axiom,
    by_contradiction,
    by_order,
    discharge,
    each,
    each_at,
    eq,
    false,
    forall,
    generalise,
    implies,
    inv,
    le,
    lemma,
    lt,
    mp,
    mul,
    neg,
    rewrite,
    ring,
    specialise,
    sub,
    symmetric,
)
from .notation import (
    HALF,
    ZERO,
    arithmetic,
    convex,
    derived,
    exp,
    f,
    g,
    hi,
    implied,
    lo,
    m,
    under,
    x,
    y,
    z,
)
from .sums import range_induction, total_of


def slope(f: Callable[[Term], Term], at: Term, value: Term) -> Term:
    """Return that a function has a derivative at a point."""
    return build("deriv", (), [pf.bind("R", f), at, value])


def on(low: Term, high: Term, body: Callable[[Term], Term]) -> Term:
    """Return that something holds for every number of a closed interval."""
    return forall("R", lambda t: implies(le(low, t), le(t, high), body(t)))


def df(*args: Term) -> Term:
    """Return a value of the function df."""
    return variable("df", "R", args)


def ddf(*args: Term) -> Term:
    """Return a value of the function ddf."""
    return variable("ddf", "R", args)


@derived
def derivative_congruence() -> Proof:
    """F = g everywhere → a derivative of f at x is one of g."""
    same, given = under(forall("R", lambda t: eq(f(t), g(t))), slope(f, x, y))
    t = pf.fresh("R")
    low, high = sub(x, 1), add(x, 1)
    near = generalise(t, implied(specialise(same, t), *under(lt(low, t), lt(t, high))))
    rule = axiom("derivative_local", f=f, g=g, x=x, y=y, lo=low, hi=high)
    return implied(mp(rule, ring(lt(low, x)), ring(lt(x, high)), near, given), same, given)


@derived
def derivative_of_sum() -> Proof:
    """fₖ has derivative gₖ at x for every k of a range → Σₖ fₖ has derivative Σₖ gₖ."""
    (given,) = under(each(lo, hi, lambda k: slope(lambda t: f(k, t), x, g(k))))
    before, at = sub(lo, 1), add(m, 1)

    def part(t: Term) -> Callable[[Term], Term]:
        return lambda k: f(k, t)

    def total(top: Term) -> Callable[[Term], Term]:
        return lambda t: total_of("sum", part(t), top)

    def has(top: Term) -> Term:
        return slope(total(top), x, total_of("sum", g, top))

    def claim(top: Term) -> Term:
        return implies(le(top, hi), has(top))

    def moved(
        old: Callable[[Term], Term],
        new: Callable[[Term], Term],
        same: Callable[[Term], Proof],
        found: Proof,
        value: Proof,
    ) -> Proof:
        t = pf.fresh("R")
        rule = lemma("derivative_congruence", f=old, g=new, x=x, y=found.conclusion.args[2])
        there = mp(rule, generalise(t, same(t)), found)
        return rewrite(value, there, lambda w: slope(new, x, w))

    def at_empty(top: Term, outside: Proof) -> Proof:
        def gone(t: Term) -> Proof:
            return symmetric(mp(axiom("sum_empty", lo=lo, hi=top, f=part(t)), outside))

        nothing = symmetric(mp(axiom("sum_empty", lo=lo, hi=top, f=g), outside))
        flat = axiom("derivative_constant", x=x, y=ZERO)
        return moved(lambda t: ZERO, total(top), gone, flat, nothing)

    base = at_empty(before, ring(lt(before, lo)))
    h0, ih, inside = under(le(before, m), claim(m), le(at, hi))
    reached = arithmetic(le(lo, at), h0)
    now = mp(ih, arithmetic(le(m, hi), inside))
    term = each_at(given, at, reached, inside)
    rule = axiom(
        "derivative_sum", f=total(m), g=lambda t: f(at, t), x=x, y=total_of("sum", g, m), z=g(at)
    )
    both = mp(rule, now, term)

    def longer(t: Term) -> Proof:
        return symmetric(mp(axiom("sum_last", lo=lo, hi=m, f=part(t)), reached))

    last = symmetric(mp(axiom("sum_last", lo=lo, hi=m, f=g), reached))
    step = moved(lambda t: add(total(m)(t), f(at, t)), total(at), longer, both, last)
    all_k = range_induction(
        claim, discharge(le(before, hi), base), discharge(inside.conclusion, step)
    )
    upward, short = under(le(before, hi), lt(hi, before))
    big = mp(specialise(all_k, hi), upward, ring(le(hi, hi)))
    small = at_empty(hi, arithmetic(lt(hi, lo), short))
    return implied(by_order(before, hi, big, small), given)


def _restricted(given: Proof, low: Proof, high: Proof, t: Term) -> Proof:
    """Use what holds on an interval at a point of it."""
    return mp(specialise(given, t), low, high)


def _tilted(slopes: Proof, at: Term, sign: int, low: Term, high: Term) -> Proof:
    """From f' = df on [low, high] conclude the derivative of ±(f − df(at)·t) there."""
    t = pf.fresh("R")
    inside = under(le(low, t), le(t, high))
    here = mp(specialise(slopes, t), *inside)
    c = df(at)
    linear = mp(
        axiom("derivative_product", f=lambda s: mul(-1, c), g=lambda s: s, x=t, y=0, z=1),
        axiom("derivative_constant", x=t, y=mul(-1, c)),
        axiom("derivative_identity", x=t),
    )
    both = mp(
        axiom(
            "derivative_sum",
            f=f,
            g=lambda s: mul(mul(-1, c), s),
            x=t,
            y=df(t),
            z=linear.conclusion.args[2],
        ),
        here,
        linear,
    )
    if sign < 0:
        both = mp(
            axiom(
                "derivative_product",
                f=lambda s: pf.number(-1),
                g=lambda s: add(f(s), mul(mul(-1, c), s)),
                x=t,
                y=0,
                z=both.conclusion.args[2],
            ),
            axiom("derivative_constant", x=t, y=pf.number(-1)),
            both,
        )
    tidy = slope(lambda s: mul(sign, sub(f(s), mul(c, s))), t, mul(sign, sub(df(t), c)))
    return generalise(t, implied(pf.convert(both, tidy), *inside))


def _tangent_below(right: bool) -> Proof:
    """Derive f(x) + f'(x)(y - x) ≤ f(y) from f'' ≥ 0 between x and y, with y on one side of x."""
    low, high = (x, y) if right else (y, x)
    slopes = assume(on(low, high, lambda t: slope(f, t, df(t))))
    curvatures = assume(on(low, high, lambda t: slope(df, t, ddf(t))))
    signs = assume(on(low, high, lambda t: le(0, ddf(t))))
    order = assume(le(low, high))
    t, s = pf.fresh("R"), pf.fresh("R")
    after, until = under(le(low, t), le(t, high))
    # The slope at a point t in between is on the right side of the slope at x.
    a, b = (x, t) if right else (t, x)
    inner = under(le(a, s), le(s, b))
    bounds = (arithmetic(le(low, s), inner[0], after), arithmetic(le(s, high), inner[1], until))
    grows = mp(
        axiom("derivative_monotone", f=df, g=ddf, x=a, y=b),
        generalise(s, implied(_restricted(curvatures, *bounds, s), *inner)),
        generalise(s, implied(_restricted(signs, *bounds, s), *inner)),
        after if right else until,
    )
    sign = 1 if right else -1
    tilted = _tilted(slopes, x, sign, low, high)
    positive = arithmetic(le(0, mul(sign, sub(df(t), df(x)))), grows)
    rule = axiom(
        "derivative_monotone",
        f=lambda t: mul(sign, sub(f(t), mul(df(x), t))),
        g=lambda t: mul(sign, sub(df(t), df(x))),
        x=low,
        y=high,
    )
    found = mp(rule, tilted, generalise(t, implied(positive, after, until)), order)
    goal = le(add(f(x), mul(df(x), sub(y, x))), f(y))
    return implied(arithmetic(goal, found), slopes, curvatures, signs, order)


@derived
def tangent_below_right() -> Proof:
    """F'' ≥ 0 on [x, y] → f(x) + f'(x)(y − x) ≤ f(y)."""
    return _tangent_below(right=True)


@derived
def tangent_below_left() -> Proof:
    """F'' ≥ 0 on [y, x] → f(x) + f'(x)(y − x) ≤ f(y)."""
    return _tangent_below(right=False)


@derived
def strictly_increasing() -> Proof:
    """F' ≥ 0 on [x, y] → x < z < y → f'(z) > 0 → f(x) < f(y)."""
    slopes = assume(on(x, y, lambda t: slope(f, t, df(t))))
    signs = assume(on(x, y, lambda t: le(0, df(t))))
    after, until, steep = under(lt(x, z), lt(z, y), lt(0, df(z)))
    (flat,) = under(le(f(y), f(x)))
    t, s = pf.fresh("R"), pf.fresh("R")
    low, high = under(lt(x, t), lt(t, y))

    def monotone(a: Term, b: Term, order: Proof, *facts: Proof) -> Proof:
        inner = under(le(a, s), le(s, b))
        bounds = (arithmetic(le(x, s), inner[0], *facts), arithmetic(le(s, y), inner[1], *facts))
        return mp(
            axiom("derivative_monotone", f=f, g=df, x=a, y=b),
            generalise(s, implied(_restricted(slopes, *bounds, s), *inner)),
            generalise(s, implied(_restricted(signs, *bounds, s), *inner)),
            order,
        )

    first = monotone(x, t, arithmetic(le(x, t), low), low, high)
    second = monotone(t, y, arithmetic(le(t, y), high), low, high)
    level = mp(
        axiom("antisymmetric_R", x=f(x), y=f(t)),
        first,
        arithmetic(le(f(t), f(x)), second, flat),
    )
    constant = mp(
        axiom("derivative_local", f=lambda t: f(x), g=f, x=z, y=0, lo=x, hi=y),
        after,
        until,
        generalise(t, implied(level, low, high)),
        axiom("derivative_constant", x=z, y=f(x)),
    )
    here = _restricted(slopes, arithmetic(le(x, z), after), arithmetic(le(z, y), until), z)
    zero = mp(axiom("derivative_unique", f=f, x=z, y=0, z=df(z)), constant, here)
    wrong = arithmetic(false(), zero, steep)
    found = by_contradiction(lt(f(x), f(y)), wrong)
    return implied(found, slopes, signs, after, until, steep)


def _tangent_strictly_below(right: bool) -> Proof:
    """Derive f(x) + f'(x)(y - x) < f(y) from f'' > 0 between x and y, with y on one side of x."""
    low, high = (x, y) if right else (y, x)
    slopes = assume(on(low, high, lambda t: slope(f, t, df(t))))
    curvatures = assume(on(low, high, lambda t: slope(df, t, ddf(t))))
    signs = assume(on(low, high, lambda t: lt(0, ddf(t))))
    order = assume(lt(low, high))
    sign = 1 if right else -1
    s = pf.fresh("R")
    t = pf.fresh("R")

    def grows(t: Term, after: Proof, until: Proof, strict: bool) -> Proof:
        """Compare the slopes at x and at t."""
        a, b = (x, t) if right else (t, x)
        inner = under(le(a, s), le(s, b))
        bounds = (arithmetic(le(low, s), inner[0], after), arithmetic(le(s, high), inner[1], until))
        curvature = generalise(s, implied(_restricted(curvatures, *bounds, s), *inner))
        weak = arithmetic(le(0, ddf(s)), _restricted(signs, *bounds, s))
        upward = generalise(s, implied(weak, *inner))
        if not strict:
            rule = axiom("derivative_monotone", f=df, g=ddf, x=a, y=b)
            return mp(rule, curvature, upward, arithmetic(le(a, b), after if right else until))
        centre = mul(HALF, add(a, b))
        inside = arithmetic(lt(a, centre), after, until), arithmetic(lt(centre, b), after, until)
        there = _restricted(
            signs,
            arithmetic(le(low, centre), after, until),
            arithmetic(le(centre, high), after, until),
            centre,
        )
        rule = lemma("strictly_increasing", f=df, df=ddf, x=a, y=b, z=centre)
        return mp(rule, curvature, upward, *inside, there)

    after, until = under(le(low, t), le(t, high))
    tilted = _tilted(slopes, x, sign, low, high)
    rising = arithmetic(le(0, mul(sign, sub(df(t), df(x)))), grows(t, after, until, False))
    middle = mul(HALF, add(low, high))
    inside = arithmetic(lt(low, middle), order), arithmetic(lt(middle, high), order)
    steeper = grows(middle, *inside, True)
    steep = arithmetic(lt(0, mul(sign, sub(df(middle), df(x)))), steeper)
    rule = lemma(
        "strictly_increasing",
        f=lambda t: mul(sign, sub(f(t), mul(df(x), t))),
        df=lambda t: mul(sign, sub(df(t), df(x))),
        x=low,
        y=high,
        z=middle,
    )
    found = mp(rule, tilted, generalise(t, implied(rising, after, until)), *inside, steep)
    goal = lt(add(f(x), mul(df(x), sub(y, x))), f(y))
    return implied(arithmetic(goal, found), slopes, curvatures, signs, order)


@derived
def tangent_strictly_below_right() -> Proof:
    """F'' > 0 on [x, y] → x < y → f(x) + f'(x)(y − x) < f(y)."""
    return _tangent_strictly_below(right=True)


@derived
def tangent_strictly_below_left() -> Proof:
    """F'' > 0 on [y, x] → y < x → f(x) + f'(x)(y − x) < f(y)."""
    return _tangent_strictly_below(right=False)


@derived
def tangent_below_everywhere() -> Proof:
    """F'' ≥ 0 everywhere → f(x) + f'(x)(y − x) ≤ f(y)."""
    given = under(
        forall("R", lambda t: slope(f, t, df(t))),
        forall("R", lambda t: slope(df, t, ddf(t))),
        forall("R", lambda t: le(0, ddf(t))),
    )
    t = pf.fresh("R")

    def side(name: str, low: Term, high: Term, order: Proof) -> Proof:
        inside = under(le(low, t), le(t, high))
        there = [generalise(t, implied(specialise(h, t), *inside)) for h in given]
        return mp(lemma(name), *there, order)

    right = side("tangent_below_right", x, y, assume(le(x, y)))
    order = arithmetic(le(y, x), assume(lt(y, x)))
    return implied(by_order(x, y, right, side("tangent_below_left", y, x, order)), *given)


@derived
def chord_above() -> Proof:
    """F'' ≥ 0 everywhere → 0 ≤ z ≤ 1 → f(z x + (1 − z) y) ≤ z f(x) + (1 − z) f(y)."""
    given = under(
        forall("R", lambda t: slope(f, t, df(t))),
        forall("R", lambda t: slope(df, t, ddf(t))),
        forall("R", lambda t: le(0, ddf(t))),
    )
    share = under(le(0, z), le(z, 1))
    rest = sub(1, z)
    point = add(mul(z, x), mul(rest, y))
    ends = [mp(lemma("tangent_below_everywhere", x=point, y=end), *given) for end in (x, y)]
    goal = le(f(point), add(mul(z, f(x)), mul(rest, f(y))))
    found = pf.psatz(goal, (1, [share[0], ends[0]]), (1, [share[1], ends[1]]))
    return implied(found, *given, *share)


def w(*args: Term) -> Term:
    """Return a weight."""
    return variable("w", "R", args)


@derived
def weighted_chord() -> Proof:
    """F convex → 0 < y → 0 ≤ z → (y + z) f((y a + z b)/(y + z)) ≤ y f(a) + z f(b)."""
    given, first, second = under(convex("f"), lt(0, y), le(0, z))
    a, b = variable("a"), variable("b")
    total = add(y, z)
    positive = arithmetic(lt(0, total), first, second)
    one = mp(axiom("inverse", x=total), mp(lemma("not_zero_if_positive", x=total), positive))
    other = mp(lemma("inverse_positive", x=total), positive)
    share = mul(y, inv(total))
    low = arithmetic(le(0, share), first, other)
    high = pf.psatz(le(share, 1), (1, [second, other]), (1, [one]))
    chord = mp(specialise(given, a, b, share), low, high)
    point = add(mul(share, a), mul(sub(1, share), b))
    middle = mul(add(mul(y, a), mul(z, b)), inv(total))
    same = pf.congruence(arithmetic(eq(point, middle), one), f)
    below = arithmetic(le(f(middle), add(mul(share, f(a)), mul(sub(1, share), f(b)))), chord, same)
    goal = le(mul(total, f(middle)), add(mul(y, f(a)), mul(z, f(b))))
    parts = (1, [positive, below]), (mul(y, sub(f(a), f(b))), [one])
    return implied(pf.psatz(goal, *parts), given, first, second)


@derived
def jensen() -> Proof:
    """F convex → w ≥ 0 over a range → Σ w = 1 → f(Σ w g) ≤ Σ w f(g).

    By induction over the range with one more point, the mean itself, of weight one: so no sum of
    weights is divided by that may be zero.
    """
    (given,) = under(convex("f"))
    (signs, whole) = under(each(lo, hi, lambda k: le(0, w(k))), eq(total_of("sum", w, hi), 1))
    before, at = sub(lo, 1), add(m, 1)
    families = [w, lambda k: mul(w(k), g(k)), lambda k: mul(w(k), f(g(k)))]
    mean_ = total_of("sum", families[1], hi)

    def sums(t: Term) -> list[Term]:
        return [total_of("sum", family, t) for family in families]

    def point(t: Term) -> Term:
        weights, values, _ = sums(t)
        return mul(add(mean_, values), inv(add(1, weights)))

    def bounds(t: Term) -> tuple[Term, Term]:
        weights, _, values = sums(t)
        return le(0, weights), le(mul(add(1, weights), f(point(t))), add(f(mean_), values))

    def claim(t: Term) -> Term:
        return implies(le(t, hi), build("&", (), bounds(t)))

    outside = ring(lt(before, lo))
    empties = [mp(axiom("sum_empty", lo=lo, hi=before, f=family), outside) for family in families]
    one = pf.congruence(empties[0], lambda t: inv(add(1, t)))
    here = pf.congruence(arithmetic(eq(point(before), mean_), one, *empties), f)
    base = pf.conjunction(
        arithmetic(bounds(before)[0], *empties), arithmetic(bounds(before)[1], here, *empties)
    )
    h0, ih, inside = under(le(before, m), claim(m), le(at, hi))
    reached = arithmetic(le(lo, at), h0)
    sign = each_at(signs, at, reached, inside)
    lasts = [mp(axiom("sum_last", lo=lo, hi=m, f=family), reached) for family in families]
    weighed, below = pf.conjuncts(mp(ih, arithmetic(le(m, hi), inside)))
    heavy = add(1, sums(m)[0])
    positive = arithmetic(lt(0, heavy), weighed)
    unit = mp(axiom("inverse", x=heavy), mp(lemma("not_zero_if_positive", x=heavy), positive))
    rule = lemma("weighted_chord", y=heavy, z=w(at), a=point(m), b=g(at))
    chord = mp(pf.instance(rule, {"f": f}), given, positive, sign)
    total = pf.congruence(arithmetic(eq(add(heavy, w(at)), add(1, sums(at)[0])), lasts[0]), inv)
    reached_point = mul(add(mul(heavy, point(m)), mul(w(at), g(at))), inv(add(heavy, w(at))))
    moved = arithmetic(
        eq(reached_point, mul(add(mean_, sums(at)[1]), inv(add(heavy, w(at))))), unit, lasts[1]
    )
    same = pf.transitive(moved, pf.congruence(total, lambda t: mul(add(mean_, sums(at)[1]), t)))
    value = pf.congruence(same, f)
    larger = rewrite(
        value, chord, lambda t: le(mul(add(heavy, w(at)), t), chord.conclusion.args[1])
    )
    step = pf.conjunction(
        arithmetic(bounds(at)[0], lasts[0], weighed, sign),
        arithmetic(bounds(at)[1], larger, below, *lasts),
    )
    all_k = range_induction(
        claim, discharge(le(before, hi), base), discharge(inside.conclusion, step)
    )
    upward, short = under(le(before, hi), lt(hi, before))
    big = pf.conjuncts(mp(specialise(all_k, hi), upward, ring(le(hi, hi))))[1]
    two = pf.congruence(whole, lambda t: inv(add(1, t)))
    half = pf.congruence(arithmetic(eq(point(hi), mean_), two), f)
    goal = le(f(mean_), sums(hi)[2])
    found = arithmetic(goal, big, half, whole)
    none = mp(axiom("sum_empty", lo=lo, hi=hi, f=w), arithmetic(lt(hi, lo), short))
    wrong = absurd(goal, arithmetic(false(), none, whole))
    return implied(by_order(before, hi, found, wrong), given, signs, whole)


def _vector_convex() -> Term:
    """State that f is convex on vectors: f(tu + (1−t)v) ≤ t f(u) + (1−t) f(v)."""
    from ..derivatives import vector_convex

    return vector_convex("f")


def _added(goal: Term, *parts: tuple[Term, Proof]) -> Proof:
    """Prove an equation of vectors as a sum of multiples of equations, up to their signs."""
    for signs in product((1, -1), repeat=len(parts)):
        rows = [(mul(s, c), fact, None) for s, (c, fact) in zip(signs, parts, strict=True)]
        with contextlib.suppress(Refused):
            return pf.linear(goal, *rows)
    raise AssertionError(f"not found: {goal}")


@derived
def weighted_chord_of_vectors() -> Proof:
    """F convex → 0 < y → 0 ≤ z → (y + z) f((y u + z v)/(y + z)) ≤ y f(u) + z f(v)."""
    given, first, second = under(_vector_convex(), lt(0, y), le(0, z))
    u, v = variable("u", "V"), variable("v", "V")
    total = add(y, z)
    positive = arithmetic(lt(0, total), first, second)
    one = mp(axiom("inverse", x=total), mp(lemma("not_zero_if_positive", x=total), positive))
    other = mp(lemma("inverse_positive", x=total), positive)
    share = mul(y, inv(total))
    low = arithmetic(le(0, share), first, other)
    high = pf.psatz(le(share, 1), (1, [second, other]), (1, [one]))
    chord = mp(specialise(given, u, v, share), low, high)
    point = add(pf.scale(share, u), pf.scale(sub(1, share), v))
    middle = pf.scale(inv(total), add(pf.scale(y, u), pf.scale(z, v)))
    moved = pf.congruence(one, lambda t: pf.scale(t, v))
    same = pf.congruence(_added(eq(point, middle), (pf.number(1), moved)), f)
    below = arithmetic(le(f(middle), add(mul(share, f(u)), mul(sub(1, share), f(v)))), chord, same)
    goal = le(mul(total, f(middle)), add(mul(y, f(u)), mul(z, f(v))))
    parts = (1, [positive, below]), (mul(y, sub(f(u), f(v))), [one])
    return implied(pf.psatz(goal, *parts), given, first, second)


@derived
def jensen_of_vectors() -> Proof:
    """F convex → w ≥ 0 over a range → Σ w = 1 → f(Σ w v) ≤ Σ w f(v), for vectors v.

    By induction as for numbers, with one more point, the mean itself, of weight one.
    """
    (given,) = under(_vector_convex())
    (signs, whole) = under(each(lo, hi, lambda k: le(0, w(k))), eq(total_of("sum", w, hi), 1))
    before, at = sub(lo, 1), add(m, 1)

    def points(k: Term) -> Term:
        return variable("v", "V", [k])

    def moved(k: Term) -> Term:
        return pf.scale(w(k), points(k))

    def values(k: Term) -> Term:
        return mul(w(k), f(points(k)))

    mean_ = total_of("sum", moved, hi)

    def weight(t: Term) -> Term:
        return add(1, total_of("sum", w, t))

    def point(t: Term) -> Term:
        return pf.scale(inv(weight(t)), add(mean_, total_of("sum", moved, t)))

    def bounds(t: Term) -> tuple[Term, Term]:
        high = add(f(mean_), total_of("sum", values, t))
        return le(0, total_of("sum", w, t)), le(mul(weight(t), f(point(t))), high)

    def claim(t: Term) -> Term:
        return implies(le(t, hi), build("&", (), bounds(t)))

    outside = ring(lt(before, lo))
    none = [mp(axiom("sum_empty", lo=lo, hi=before, f=family), outside) for family in (w, values)]
    nothing = mp(axiom("vector_sum_empty", lo=lo, hi=before, f=moved), outside)
    start = add(mean_, total_of("sum", moved, before))
    one = pf.congruence(none[0], lambda t: pf.scale(inv(add(1, t)), start))
    here = _added(eq(point(before), mean_), (pf.number(1), one), (pf.number(1), nothing))
    value = pf.congruence(here, f)
    base = pf.conjunction(
        arithmetic(bounds(before)[0], *none), arithmetic(bounds(before)[1], value, *none)
    )
    h0, ih, inside = under(le(before, m), claim(m), le(at, hi))
    reached = arithmetic(le(lo, at), h0)
    sign = each_at(signs, at, reached, inside)
    lasts = [mp(axiom("sum_last", lo=lo, hi=m, f=family), reached) for family in (w, values)]
    last = mp(axiom("vector_sum_last", lo=lo, hi=m, f=moved), reached)
    weighed, below = pf.conjuncts(mp(ih, arithmetic(le(m, hi), inside)))
    heavy = weight(m)
    positive = arithmetic(lt(0, heavy), weighed)
    unit = mp(axiom("inverse", x=heavy), mp(lemma("not_zero_if_positive", x=heavy), positive))
    rule = lemma("weighted_chord_of_vectors", y=heavy, z=w(at), u=point(m), v=points(at))
    chord = mp(rule, given, positive, sign)
    total = add(heavy, w(at))
    same_weight = arithmetic(eq(total, weight(at)), lasts[0])
    middle = pf.scale(inv(total), add(pf.scale(heavy, point(m)), pf.scale(w(at), points(at))))
    end = add(mean_, total_of("sum", moved, at))
    whole_point = _added(
        eq(middle, point(at)),
        (
            pf.number(1),
            pf.congruence(
                unit,
                lambda t: pf.scale(inv(total), pf.scale(t, add(mean_, total_of("sum", moved, m)))),
            ),
        ),
        (inv(total), last),
        (pf.number(1), pf.congruence(same_weight, lambda t: pf.scale(inv(t), end))),
    )
    value = pf.congruence(whole_point, f)
    larger = rewrite(value, chord, lambda t: le(mul(total, t), chord.conclusion.args[1]))
    step = pf.conjunction(
        arithmetic(bounds(at)[0], lasts[0], weighed, sign),
        arithmetic(bounds(at)[1], larger, below, *lasts),
    )
    all_k = range_induction(
        claim, discharge(le(before, hi), base), discharge(inside.conclusion, step)
    )
    upward, short = under(le(before, hi), lt(hi, before))
    big = pf.conjuncts(mp(specialise(all_k, hi), upward, ring(le(hi, hi))))[1]
    two = pf.congruence(whole, lambda t: pf.scale(inv(add(1, t)), add(mean_, mean_)))
    half = pf.congruence(_added(eq(point(hi), mean_), (pf.number(1), two)), f)
    goal = le(f(mean_), total_of("sum", values, hi))
    found = arithmetic(goal, big, half, whole)
    empty = mp(axiom("sum_empty", lo=lo, hi=hi, f=w), arithmetic(lt(hi, lo), short))
    wrong = absurd(goal, arithmetic(false(), empty, whole))
    return implied(by_order(before, hi, found, wrong), given, signs, whole)


@derived
def exp_times_tangent() -> Proof:
    """(1 − x) exp x ≤ 1."""
    goal = le(mul(sub(1, x), exp(x)), 1)
    return arithmetic(goal, axiom("exp_tangent", x=neg(x)), lemma("exp_positive", x=x))
