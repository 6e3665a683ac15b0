"""Lemmas on sums, products and means, by induction over their ranges."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from mlnotes import trusted
from mlnotes.trusted.terms import Term, fill

from .. import proofs as pf
from ..language import build, variable
from ..proofs import (
    Proof,
    add,
    assume,
    axiom,
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
    neg,
    power,
    ranged,
    rewrite,
    ring,
    specialise,
    sub,
    symmetric,
)
from .notation import (
    DERIVATIONS,
    ZERO,
    arithmetic,
    derived,
    exp,
    f,
    g,
    hi,
    implied,
    j,
    lo,
    log,
    m,
    mid,
    u,
    under,
    v,
    x,
)


def range_induction(claim: Callable[[Term], Term], base: Proof, step: Proof) -> Proof:
    """Conclude claim(hi) for any lo and hi from claim(lo − 1), a step, and empty ranges.

    ``base`` proves claim(lo − 1); ``step`` proves claim(m + 1) from lo − 1 ≤ m and claim(m).
    """
    before = sub(lo, 1)
    h0, ih = under(le(before, m), claim(m))
    generic = generalise(m, implied(step, h0, ih))
    return mp(axiom("induction", lo=before, P=claim), base, generic)


def _ranged_lemma(
    name: str,
    op: str,
    hypotheses: list[Callable[[Term], Term]],
    conclusion: Callable[[Term], Term],
    families: list[Callable[[Term], Term]],
) -> None:
    """Derive a lemma about sums or products over lo…hi by induction over the upper limit.

    ``hypotheses`` hold for every index of the range; ``conclusion(hi)`` speaks of the sums or
    products of ``families`` up to hi.
    """
    empty, last = ("sum_empty", "sum_last") if op == "sum" else ("product_empty", "product_last")

    def derive() -> Proof:
        """Prove the lemma: by induction where the range is not empty, and where it is."""
        given = [assume(each(lo, hi, h)) for h in hypotheses]
        before = sub(lo, 1)

        def claim(t: Term) -> Term:
            """State t ≤ hi → conclusion(t)."""
            return implies(le(t, hi), conclusion(t))

        def empties(t: Term, outside: Proof) -> list[Proof]:
            """Return that the sums up to t are 0, or the products 1: the range is empty."""
            return [mp(axiom(empty, lo=lo, hi=t, f=fam), outside) for fam in families]

        base = arithmetic(conclusion(before), *empties(before, ring(lt(before, lo))))
        at = add(m, 1)
        h0, ih, inside = under(le(before, m), claim(m), le(at, hi))
        reached = arithmetic(le(lo, at), h0)
        terms = [each_at(h, at, reached, inside) for h in given]
        lasts = [mp(axiom(last, lo=lo, hi=m, f=fam), reached) for fam in families]
        now = mp(ih, arithmetic(le(m, hi), inside))
        stepped = arithmetic(conclusion(at), now, *terms, *lasts)
        step = discharge(inside.conclusion, stepped)
        all_k = range_induction(claim, discharge(le(before, hi), base), step)
        upward = assume(le(before, hi))
        big = mp(specialise(all_k, hi), upward, ring(le(hi, hi)))
        short = assume(lt(hi, before))
        outside = arithmetic(lt(hi, lo), short)
        small = arithmetic(conclusion(hi), *empties(hi, outside))
        return implied(by_order(before, hi, big, small), *given)

    DERIVATIONS[name] = derive


def total_of(op: str, fam: Callable[[Term], Term], t: Term) -> Term:
    """Return the sum or product of a family up to a limit."""
    return ranged(op, lo, t, fam)


_ranged_lemma(
    "sum_congruence",
    "sum",
    [lambda k: eq(f(k), g(k))],
    lambda t: eq(total_of("sum", f, t), total_of("sum", g, t)),
    [f, g],
)
_ranged_lemma(
    "sum_monotone",
    "sum",
    [lambda k: le(f(k), g(k))],
    lambda t: le(total_of("sum", f, t), total_of("sum", g, t)),
    [f, g],
)
_ranged_lemma(
    "sum_nonnegative", "sum", [lambda k: le(0, f(k))], lambda t: le(0, total_of("sum", f, t)), [f]
)
_ranged_lemma(
    "product_congruence",
    "prod",
    [lambda k: eq(f(k), g(k))],
    lambda t: eq(total_of("prod", f, t), total_of("prod", g, t)),
    [f, g],
)
_ranged_lemma(
    "product_positive",
    "prod",
    [lambda k: lt(0, f(k))],
    lambda t: lt(0, total_of("prod", f, t)),
    [f],
)
_ranged_lemma(
    "product_nonnegative",
    "prod",
    [lambda k: le(0, f(k))],
    lambda t: le(0, total_of("prod", f, t)),
    [f],
)


@derived
def product_monotone() -> Proof:
    """0 ≤ f ≤ g over a range → Πf ≤ Πg."""
    given = under(each(lo, hi, lambda k: le(0, f(k))), each(lo, hi, lambda k: le(f(k), g(k))))
    before, at = sub(lo, 1), add(m, 1)

    def bounds(t: Term) -> tuple[Term, Term]:
        """State 0 ≤ Πf and Πf ≤ Πg, of products up to t."""
        products = total_of("prod", f, t), total_of("prod", g, t)
        return le(0, products[0]), le(*products)

    def claim(t: Term) -> Term:
        """State t ≤ hi → 0 ≤ Πf and Πf ≤ Πg, of products up to t."""
        return implies(le(t, hi), build("&", (), bounds(t)))

    def empties(t: Term, outside: Proof) -> list[Proof]:
        """Return Πf = 1 and Πg = 1, of products up to t: the range is empty."""
        return [mp(axiom("product_empty", lo=lo, hi=t, f=fam), outside) for fam in (f, g)]

    def both(t: Term, *facts: Proof) -> Proof:
        return pf.conjunction(*(arithmetic(goal, *facts) for goal in bounds(t)))

    base = both(before, *empties(before, ring(lt(before, lo))))
    h0, ih, inside = under(le(before, m), claim(m), le(at, hi))
    reached = arithmetic(le(lo, at), h0)
    terms = [each_at(h, at, reached, inside) for h in given]
    lasts = [mp(axiom("product_last", lo=lo, hi=m, f=fam), reached) for fam in (f, g)]
    now = pf.conjuncts(mp(ih, arithmetic(le(m, hi), inside)))
    step = discharge(inside.conclusion, both(at, *now, *terms, *lasts))
    all_k = range_induction(claim, discharge(le(before, hi), base), step)
    upward, short = under(le(before, hi), lt(hi, before))
    big = pf.conjuncts(mp(specialise(all_k, hi), upward, ring(le(hi, hi))))[1]
    small = arithmetic(bounds(hi)[1], *empties(hi, arithmetic(lt(hi, lo), short)))
    return implied(by_order(before, hi, big, small), *given)


@derived
def log_of_product() -> Proof:
    """F > 0 over a range → log Πf = Σ log f."""
    (given,) = under(each(lo, hi, lambda k: lt(0, f(k))))
    before, at = sub(lo, 1), add(m, 1)

    def logs(k: Term) -> Term:
        return log(f(k))

    def both(t: Term) -> tuple[Term, Term]:
        """State 0 < Πf and log Πf = Σ log f, of products and sums up to t."""
        product = total_of("prod", f, t)
        return lt(0, product), eq(log(product), total_of("sum", logs, t))

    def claim(t: Term) -> Term:
        """State t ≤ hi → 0 < Πf and log Πf = Σ log f, up to t."""
        return implies(le(t, hi), build("&", (), both(t)))

    def at_empty(t: Term, outside: Proof) -> Proof:
        """Return 0 < Πf and log Πf = Σ log f of an empty range: log 1 = 0."""
        one = mp(axiom("product_empty", lo=lo, hi=t, f=f), outside)
        nothing = mp(axiom("sum_empty", lo=lo, hi=t, f=logs), outside)
        zero = arithmetic(eq(log(exp(ZERO)), 0), axiom("log_exp", x=ZERO))
        value = rewrite(
            symmetric(one), pf.convert(zero, eq(log(pf.number(1)), 0)), lambda w: eq(log(w), 0)
        )
        return pf.conjunction(arithmetic(both(t)[0], one), arithmetic(both(t)[1], value, nothing))

    base = at_empty(before, ring(lt(before, lo)))
    h0, ih, inside = under(le(before, m), claim(m), le(at, hi))
    reached = arithmetic(le(lo, at), h0)
    term = each_at(given, at, reached, inside)
    last = mp(axiom("product_last", lo=lo, hi=m, f=f), reached)
    total = mp(axiom("sum_last", lo=lo, hi=m, f=logs), reached)
    positive, value = pf.conjuncts(mp(ih, arithmetic(le(m, hi), inside)))
    split = mp(lemma("log_product", x=total_of("prod", f, m), y=f(at)), positive, term)
    moved = rewrite(symmetric(last), split, lambda w: eq(log(w), split.conclusion.args[1]))
    step = pf.conjunction(
        arithmetic(both(at)[0], positive, term, last), arithmetic(both(at)[1], moved, value, total)
    )
    all_k = range_induction(claim, discharge(le(before, hi), base), discharge(le(at, hi), step))
    upward, short = under(le(before, hi), lt(hi, before))
    big = pf.conjuncts(mp(specialise(all_k, hi), upward, ring(le(hi, hi))))[1]
    small = pf.conjuncts(at_empty(hi, arithmetic(lt(hi, lo), short)))[1]
    return implied(by_order(before, hi, big, small), given)


@derived
def vector_sum_congruence() -> Proof:
    """F = g over a range → Σf = Σg, for vectors."""

    def fv(k: Term) -> Term:
        return variable("f", "V", [k])

    def gv(k: Term) -> Term:
        return variable("g", "V", [k])

    (given,) = under(each(lo, hi, lambda k: eq(fv(k), gv(k))))
    before, at = sub(lo, 1), add(m, 1)

    def same(t: Term) -> Term:
        """State Σf = Σg, of sums up to t."""
        return eq(total_of("sum", fv, t), total_of("sum", gv, t))

    def claim(t: Term) -> Term:
        """State t ≤ hi → Σf = Σg, of sums up to t."""
        return implies(le(t, hi), same(t))

    def together(t: Term, *facts: Proof) -> Proof:
        """Return Σf = Σg up to t as the facts added up with signs that make it."""
        one = pf.number(1)
        for signs in ((1, 1, 1, 1), (-1, 1, 1, 1), (1, -1, 1, 1), (1, 1, -1, 1), (1, 1, 1, -1)):
            for flip in (1, -1):
                parts = [
                    (pf.number(flip * c), fact, None) for c, fact in zip(signs, facts, strict=False)
                ]
                try:
                    return pf.linear(same(t), *parts)
                except trusted.Refused:
                    continue
        raise AssertionError(one)

    def empties(t: Term, outside: Proof) -> list[Proof]:
        """Return Σf = 0 and Σg = 0, of sums up to t: the range is empty."""
        return [mp(axiom("vector_sum_empty", lo=lo, hi=t, f=fam), outside) for fam in (fv, gv)]

    base = together(before, *empties(before, ring(lt(before, lo))))
    h0, ih, inside = under(le(before, m), claim(m), le(at, hi))
    reached = arithmetic(le(lo, at), h0)
    term = each_at(given, at, reached, inside)
    lasts = [mp(axiom("vector_sum_last", lo=lo, hi=m, f=fam), reached) for fam in (fv, gv)]
    now = mp(ih, arithmetic(le(m, hi), inside))
    step = discharge(inside.conclusion, together(at, lasts[1], lasts[0], now, term))
    all_k = range_induction(claim, discharge(le(before, hi), base), step)
    upward, short = under(le(before, hi), lt(hi, before))
    big = mp(specialise(all_k, hi), upward, ring(le(hi, hi)))
    small = together(hi, *empties(hi, arithmetic(lt(hi, lo), short)))
    return implied(by_order(before, hi, big, small), given)


@derived
def sum_count() -> Proof:
    """Lo ≤ hi + 1 → Σ 1 = hi − lo + 1."""
    before, at = sub(lo, 1), add(m, 1)

    def ones(k: Term) -> Term:
        return pf.number(1)

    def claim(t: Term) -> Term:
        """State Σ 1 = t − lo + 1, of the sum up to t."""
        return eq(total_of("sum", ones, t), pf.real(add(sub(t, lo), 1)))

    empty = mp(axiom("sum_empty", lo=lo, hi=before, f=ones), ring(lt(before, lo)))
    h0, ih = under(le(before, m), claim(m))
    last = mp(axiom("sum_last", lo=lo, hi=m, f=ones), arithmetic(le(lo, at), h0))
    all_k = range_induction(
        claim, arithmetic(claim(before), empty), arithmetic(claim(at), ih, last)
    )
    (long,) = under(le(lo, add(hi, 1)))
    return implied(mp(specialise(all_k, hi), arithmetic(le(before, hi), long)), long)


@derived
def sum_split() -> Proof:
    """Lo ≤ mid + 1 → mid ≤ hi → the sum over lo…hi is that over lo…mid and that over the rest."""
    after, at = add(mid, 1), add(m, 1)

    def claim(t: Term) -> Term:
        """State that the sum over lo…t is that over lo…mid and that over mid + 1…t."""
        return eq(total_of("sum", f, t), add(total_of("sum", f, mid), ranged("sum", after, t, f)))

    first, second, h0, ih = under(le(lo, after), le(mid, hi), le(mid, m), claim(m))
    empty = mp(axiom("sum_empty", lo=after, hi=mid, f=f), ring(lt(mid, after)))
    lasts = (
        mp(axiom("sum_last", lo=lo, hi=m, f=f), arithmetic(le(lo, at), first, h0)),
        mp(axiom("sum_last", lo=after, hi=m, f=f), arithmetic(le(after, at), h0)),
    )
    step = generalise(m, implied(arithmetic(claim(at), ih, *lasts), h0, ih))
    all_k = mp(axiom("induction", lo=mid, P=claim), arithmetic(claim(mid), empty), step)
    return implied(mp(specialise(all_k, hi), second), first, second)


@derived
def sum_single() -> Proof:
    """Σ from lo to lo = f(lo)."""
    before = sub(lo, 1)
    empty = mp(axiom("sum_empty", lo=lo, hi=before, f=f), ring(lt(before, lo)))
    last = mp(axiom("sum_last", lo=lo, hi=before, f=f), ring(le(lo, add(before, 1))))
    return arithmetic(eq(total_of("sum", f, lo), f(lo)), empty, last)


@derived
def sum_first() -> Proof:
    """Lo ≤ hi → a sum is its first term and the rest."""
    (long,) = under(le(lo, hi))
    split = mp(lemma("sum_split", lo=lo, mid=lo, hi=hi), ring(le(lo, add(lo, 1))), long)
    goal = eq(total_of("sum", f, hi), add(f(lo), ranged("sum", add(lo, 1), hi, f)))
    return implied(arithmetic(goal, split, lemma("sum_single")), long)


@derived
def sum_strictly_monotone() -> Proof:
    """Lo ≤ hi → f < g over the range → Σf < Σg."""
    long, given = under(le(lo, hi), each(lo, hi, lambda k: lt(f(k), g(k))))
    before = sub(hi, 1)
    k = pf.fresh("Z")
    k0, k1 = under(le(lo, k), le(k, before))
    inner = each_at(given, k, k0, arithmetic(le(k, hi), k1))
    weak = each_intro(k, lo, before, arithmetic(le(f(k), g(k)), inner))
    order = mp(lemma("sum_monotone", lo=lo, hi=before), weak)
    lasts = [
        mp(axiom("sum_last", lo=lo, hi=before, f=fam), arithmetic(le(lo, add(before, 1)), long))
        for fam in (f, g)
    ]
    term = each_at(given, hi, long, ring(le(hi, hi)))
    goal = lt(total_of("sum", f, hi), total_of("sum", g, hi))
    return implied(arithmetic(goal, order, term, *lasts), long, given)


@derived
def sum_positive() -> Proof:
    """Lo ≤ hi → f > 0 over the range → Σf > 0."""
    long, given = under(le(lo, hi), each(lo, hi, lambda k: lt(0, f(k))))
    rule = lemma("sum_strictly_monotone", lo=lo, hi=hi, f=lambda k: ZERO, g=f)
    found = mp(rule, long, given)
    return implied(pf.convert(found, lt(0, total_of("sum", f, hi))), long, given)


@derived
def one_term_at_most_sum() -> Proof:
    """Lo ≤ j ≤ hi → f ≥ 0 over the range → f(j) ≤ Σf."""
    low, high, given = under(le(lo, j), le(j, hi), each(lo, hi, lambda k: le(0, f(k))))
    before, after = sub(j, 1), add(j, 1)
    split = mp(
        lemma("sum_split", mid=before),
        arithmetic(le(lo, add(before, 1)), low),
        arithmetic(le(before, hi), high),
    )
    first = mp(lemma("sum_first", lo=add(before, 1)), arithmetic(le(add(before, 1), hi), high))
    signs = []
    for a, b in ((lo, before), (after, hi)):
        k = pf.fresh("Z")
        k0, k1 = under(le(a, k), le(k, b))
        inside = each_at(given, k, arithmetic(le(lo, k), k0, low), arithmetic(le(k, hi), k1, high))
        signs.append(mp(lemma("sum_nonnegative", lo=a, hi=b), each_intro(k, a, b, inside)))
    goal = le(f(j), total_of("sum", f, hi))
    return implied(arithmetic(goal, split, first, *signs), low, high, given)


@derived
def sum_of_delta() -> Proof:
    """Lo ≤ j ≤ hi → Σₖ [k = j] f(k) = f(j)."""
    low, high = under(le(lo, j), le(j, hi))
    before, after = sub(j, 1), add(j, 1)

    def body(k: Term) -> Term:
        return mul(build("ind", (), [eq(k, j)]), f(k))

    split = mp(
        lemma("sum_split", mid=before, f=body),
        arithmetic(le(lo, add(before, 1)), low),
        arithmetic(le(before, hi), high),
    )
    first = mp(
        lemma("sum_first", lo=add(before, 1), f=body), arithmetic(le(add(before, 1), hi), high)
    )
    zeros = []
    for a, b in ((lo, before), (after, hi)):
        k = pf.fresh("Z")
        k0, k1 = under(le(a, k), le(k, b))
        (same,) = under(eq(k, j))
        off = discharge(same.conclusion, arithmetic(false(), same, k0, k1))
        value = mp(axiom("indicator_false", p=eq(k, j)), off)
        gone = arithmetic(eq(body(k), 0), value)
        zeros.append(
            mp(
                lemma("sum_congruence", lo=a, hi=b, f=body, g=lambda k: ZERO),
                each_intro(k, a, b, gone),
            )
        )
    on = mp(axiom("indicator_true", p=eq(j, j)), ring(eq(j, j)))
    there = pf.convert(on, eq(build("ind", (), [eq(add(before, 1), j)]), 1))
    goal = eq(total_of("sum", body, hi), f(j))
    return implied(arithmetic(goal, split, first, there, *zeros), low, high)


@derived
def sum_shift() -> Proof:
    """Σ f(k) over lo + j … hi + j = Σ f(k + j) over lo…hi."""
    before, at = sub(lo, 1), add(m, 1)

    def shifted(k: Term) -> Term:
        return f(add(k, j))

    def claim(t: Term) -> Term:
        """State Σ f(k) over lo + j … t + j = Σ f(k + j) over lo…t."""
        return eq(ranged("sum", add(lo, j), add(t, j), f), total_of("sum", shifted, t))

    def empties(t: Term, outside: Proof) -> list[Proof]:
        """Return that both sums up to t are 0: their ranges are empty."""
        moved = arithmetic(lt(add(t, j), add(lo, j)), outside)
        return [
            mp(axiom("sum_empty", lo=add(lo, j), hi=add(t, j), f=f), moved),
            mp(axiom("sum_empty", lo=lo, hi=t, f=shifted), outside),
        ]

    h0, ih = under(le(before, m), claim(m))
    reached = arithmetic(le(lo, at), h0)
    lasts = (
        mp(
            axiom("sum_last", lo=add(lo, j), hi=add(m, j), f=f),
            arithmetic(le(add(lo, j), add(add(m, j), 1)), reached),
        ),
        mp(axiom("sum_last", lo=lo, hi=m, f=shifted), reached),
    )
    base = arithmetic(claim(before), *empties(before, ring(lt(before, lo))))
    all_k = range_induction(claim, base, arithmetic(claim(at), ih, *lasts))
    upward, short = under(le(before, hi), lt(hi, before))
    big = mp(specialise(all_k, hi), upward)
    small = arithmetic(claim(hi), *empties(hi, arithmetic(lt(hi, lo), short)))
    return by_order(before, hi, big, small)


@derived
def mean_congruence() -> Proof:
    """X = Y at every outcome → E X = E Y."""
    w = pf.fresh("W")
    (given,) = under(forall("W", lambda w: eq(f(w), g(w))))
    at = specialise(given, w)
    up = mp(axiom("mean_monotone", X=f, Y=g), generalise(w, arithmetic(le(f(w), g(w)), at)))
    down = mp(axiom("mean_monotone", X=g, Y=f), generalise(w, arithmetic(le(g(w), f(w)), at)))
    rule = axiom("antisymmetric_R", x=mean(f), y=mean(g))
    return implied(mp(rule, up, down), given)


@derived
def mean_nonnegative() -> Proof:
    """X ≥ 0 at every outcome → E X ≥ 0."""
    (given,) = under(forall("W", lambda w: le(0, f(w))))
    return implied(mp(axiom("mean_monotone", X=lambda w: ZERO, Y=f), given), given)


@derived
def cauchy_schwarz() -> Proof:
    """⟨u, v⟩² ≤ ‖u‖² ‖v‖²."""
    uu, uv, vv = (build("dot", (), pair) for pair in ((u, u), (u, v), (v, v)))
    goal = le(power(uv, 2), mul(uu, vv))
    positive, flat = under(lt(0, vv), le(vv, 0))
    gram = axiom("square_nonnegative", u=add(pf.scale(vv, u), pf.scale(neg(uv), v)))
    first = arithmetic(goal, positive, gram)
    zero = mp(axiom("antisymmetric_R", x=vv, y=0), flat, axiom("square_nonnegative", u=v))
    gone = symmetric(mp(axiom("square_definite", u=v), zero))

    def bound(t: Term) -> Term:
        """State ⟨u, t⟩² ≤ ‖u‖² ‖t‖²."""
        return le(power(build("dot", (), [u, t]), 2), mul(uu, build("dot", (), [t, t])))

    second = rewrite(gone, ring(bound(build("zero", ("V",)))), bound)
    return by_order(vv, ZERO, second, first)


@derived
def equal_vectors() -> Proof:
    """‖u − v‖² ≤ 0 → u = v."""
    apart = sub(u, v)
    (given,) = under(le(build("dot", (), [apart, apart]), 0))
    zero = mp(
        axiom("antisymmetric_R", x=build("dot", (), [apart, apart]), y=0),
        given,
        axiom("square_nonnegative", u=apart),
    )
    gone = mp(axiom("square_definite", u=apart), zero)
    return implied(pf.convert(gone, eq(u, v)), given)


Family = Callable[..., Term]


def w(k: Term) -> Term:
    """Return a weight."""
    return variable("w", "R", [k])


@derived
def cauchy_schwarz_sums() -> Proof:
    """W ≥ 0 over a range → (Σ w f g)² ≤ (Σ w f²)(Σ w g²): a sum of squares is what is left."""
    (given,) = under(each(lo, hi, lambda k: le(0, w(k))))
    a, b = pf.fresh("Z"), pf.fresh("Z")
    a0, a1, b0, b1 = under(le(lo, a), le(a, hi), le(lo, b), le(b, hi))
    signs = each_at(given, a, a0, a1), each_at(given, b, b0, b1)

    def term(s: Term, t: Term) -> Term:
        """Return w(s) w(t) (f(s) g(t) − f(t) g(s))²."""
        return mul(w(s), w(t), power(sub(mul(f(s), g(t)), mul(f(t), g(s))), 2))

    root = sub(mul(f(a), g(b)), mul(f(b), g(a)))
    inner = pf.psatz(le(0, term(a, b)), (1, list(signs), [root]))
    rule = lemma("sum_nonnegative", f=lambda t: term(a, t))
    row = mp(rule, each_intro(b, lo, hi, inner))
    rule = lemma("sum_nonnegative", f=lambda s: ranged("sum", lo, hi, lambda t: term(s, t)))
    whole = mp(rule, each_intro(a, lo, hi, row))

    def weighed(x: Family, y: Family) -> Term:
        """Return Σ w x y."""
        return total_of("sum", lambda k: mul(w(k), x(k), y(k)), hi)

    sums = [weighed(*pair) for pair in ((f, g), (f, f), (g, g))]
    goal = le(power(sums[0], 2), mul(*sums[1:]))
    return implied(pf.psatz(goal, (pf.number(Fraction(1, 2)), [whole])), given)


@derived
def cauchy_schwarz_means() -> Proof:
    """(E f g)² ≤ (E f²)(E g²): the mean over two outcomes of a square is what is left."""
    a, b = pf.fresh("W"), pf.fresh("W")

    def term(s: Term, t: Term) -> Term:
        """Return (f(s) g(t) − f(t) g(s))²."""
        return power(sub(mul(f(s), g(t)), mul(f(t), g(s))), 2)

    root = sub(mul(f(a), g(b)), mul(f(b), g(a)))
    inner = pf.psatz(le(0, term(a, b)), (1, [], [root]))
    row = mp(lemma("mean_nonnegative", f=lambda t: term(a, t)), generalise(b, inner))
    rule = lemma("mean_nonnegative", f=lambda s: mean(lambda t: term(s, t)))
    whole = mp(rule, generalise(a, row))

    def product(x: Family, y: Family) -> Term:
        """Return E[x y]."""
        return mean(lambda o: mul(x(o), y(o)))

    means = [product(*pair) for pair in ((f, g), (f, f), (g, g))]
    goal = le(power(means[0], 2), mul(*means[1:]))
    return pf.psatz(goal, (pf.number(Fraction(1, 2)), [whole]))


@derived
def mean_positive() -> Proof:
    """X > 0 at every outcome → E X > 0: its product with E[1/X] is at least one."""
    o = pf.fresh("W")
    (given,) = under(forall("W", lambda t: lt(0, f(t))))

    def root(t: Term) -> Term:
        """Return the root of f."""
        return build("sqrt", (), [f(t)])

    def other(t: Term) -> Term:
        """Return one over the root of f."""
        return build("inv", (), [root(t)])

    rule = lemma("cauchy_schwarz_means", f=root, g=other)
    at = specialise(given, o)
    half = mp(lemma("sqrt_positive", x=f(o)), at)
    weak = arithmetic(le(0, f(o)), at)
    unit = mp(axiom("inverse", x=root(o)), mp(lemma("not_zero_if_positive", x=root(o)), half))
    square = mp(axiom("sqrt_square", x=f(o)), weak)
    ones = mp(
        lemma("mean_congruence", f=lambda t: mul(root(t), other(t)), g=lambda t: pf.number(1)),
        generalise(o, unit),
    )
    values = mp(
        lemma("mean_congruence", f=lambda t: mul(root(t), root(t)), g=f), generalise(o, square)
    )
    inverses = mean(lambda t: mul(other(t), other(t)))
    low = arithmetic(le(1, mul(mean(f), inverses)), rule, ones, values, products=1)
    sign = mp(lemma("mean_nonnegative", f=f), generalise(o, weak))
    zero = assume(eq(mean(f), 0))
    wrong = pf.psatz(false(), (1, []), (1, [low]), (inverses, [zero]))
    none = discharge(zero.conclusion, wrong)
    return implied(mp(lemma("positive_if_not_zero", x=mean(f)), sign, none), given)


@derived
def product_of_lengths() -> Proof:
    """⟨u, v⟩ ≤ ‖u‖ ‖v‖."""
    uu, uv, vv = (build("dot", (), pair) for pair in ((u, u), (u, v), (v, v)))
    roots = [build("sqrt", (), [t]) for t in (uu, vv)]
    signs = [axiom("sqrt_nonnegative", x=t) for t in (uu, vv)]
    squares = [
        mp(axiom("sqrt_square", x=build("dot", (), [t, t])), axiom("square_nonnegative", u=t))
        for t in (u, v)
    ]
    below = arithmetic(
        le(power(uv, 2), power(mul(*roots), 2)), lemma("cauchy_schwarz"), *squares, products=1
    )
    both = pf.psatz(le(0, mul(*roots)), (1, signs))
    sized = mp(lemma("squares_order", x=uv, y=mul(*roots)), both, below)
    return pf.convert(sized, le(uv, mul(*roots)))


@derived
def off_diagonal_zero() -> Proof:
    """f(i, j) = 0 for i ≠ j of a range → Σᵢ Σⱼ f(i, j) = Σᵢ f(i, i)."""

    def zero(s: Term, t: Term) -> Term:
        """State s ≠ t → f(s, t) = 0."""
        return implies(pf.negation(eq(s, t)), eq(f(s, t), 0))

    (given,) = under(each(lo, hi, lambda s: each(lo, hi, lambda t: zero(s, t))))
    s, t = pf.fresh("Z"), pf.fresh("Z")
    s0, s1, t0, t1 = under(le(lo, s), le(s, hi), le(lo, t), le(t, hi))
    here, apart = under(eq(t, s), pf.negation(eq(t, s)))
    on = mp(axiom("indicator_true", p=eq(t, s)), here)
    off = mp(axiom("indicator_false", p=eq(t, s)), apart)
    none = mp(each_at(each_at(given, s, s0, s1), t, t0, t1), apart)
    goal = eq(f(s, t), mul(build("ind", (), [eq(t, s)]), f(s, t)))
    same = pf.by_cases(here.conclusion, arithmetic(goal, on), arithmetic(goal, off, none))
    rule = lemma(
        "sum_congruence",
        f=lambda k: f(s, k),
        g=lambda k: mul(build("ind", (), [eq(k, s)]), f(s, k)),
    )
    row = mp(rule, each_intro(t, lo, hi, same))
    single = mp(lemma("sum_of_delta", j=s, f=lambda k: f(s, k)), s0, s1)
    whole = arithmetic(eq(total_of("sum", lambda k: f(s, k), hi), f(s, s)), row, single)
    rule = lemma(
        "sum_congruence",
        f=lambda r: total_of("sum", lambda k: f(r, k), hi),
        g=lambda r: f(r, r),
    )
    return implied(mp(rule, each_intro(s, lo, hi, whole)), given)


@derived
def indicator_of_some() -> Proof:
    """[p(k) for some k of a range] ≤ Σ [p(k)]."""

    def event(k: Term) -> Term:
        return variable("p", "P", [k])

    def one(k: Term) -> Term:
        return build("ind", (), [event(k)])

    every = each(lo, hi, lambda k: pf.negation(event(k)))
    some, total_ = pf.negation(every), total_of("sum", one, hi)
    large, small = under(le(1, total_), lt(total_, 1))
    whole = build("ind", (), [some])
    below = arithmetic(le(whole, total_), large, lemma("indicator_at_most_one", p=some))
    # If the sum is less than one, none of its terms is one.
    k, r = pf.fresh("Z"), pf.fresh("Z")
    k0, k1, held = under(le(lo, k), le(k, hi), event(k))
    sign = each_intro(r, lo, hi, lemma("indicator_at_least_zero", p=event(r)))
    term = mp(lemma("one_term_at_most_sum", j=k, f=one), k0, k1, sign)
    on = mp(axiom("indicator_true", p=event(k)), held)
    none = discharge(held.conclusion, arithmetic(false(), term, on, small))
    nowhere = each_intro(k, lo, hi, none)
    wrong = discharge(some, mp(assume(some), nowhere))
    off = mp(axiom("indicator_false", p=some), wrong)
    sign = mp(lemma("sum_nonnegative", f=one), each_intro(r, lo, hi, sign_of(r, event)))
    above = arithmetic(le(whole, total_), off, sign)
    return by_order(pf.number(1), total_, below, above)


def sign_of(k: Term, event: Callable[[Term], Term]) -> Proof:
    """Return that an indicator is not negative."""
    return lemma("indicator_at_least_zero", p=event(k))


# ---------------------------------------------------------------------- binomials


def choose(n: Term, k: Term) -> Term:
    """Return the number of subsets of k of n things, Π (n + 1 − i)/i over i from 1 to k."""
    from ..language import choose as written

    return written(n, k)


def raised(t: Term, k: Term) -> Term:
    """Return the product of k factors t."""
    return ranged("prod", 1, k, lambda r: t)


def _one_factor_more(k: Term, *known: Proof) -> Proof:
    """Return xᵏ⁺¹ = xᵏ x."""
    one = pf.whole(1)
    rule = axiom("product_last", lo=one, hi=k, f=lambda r: x)
    return mp(rule, arithmetic(le(one, add(k, 1)), *known))


@derived
def power_of_sum() -> Proof:
    """0 ≤ i → 0 ≤ m → xⁱ⁺ᵐ = xⁱ xᵐ."""
    zero, i = pf.whole(0), variable("i", "Z")

    def claim(k: Term) -> Term:
        """State xⁱ⁺ᵏ = xⁱ xᵏ."""
        return eq(raised(x, add(i, k)), mul(raised(x, i), raised(x, k)))

    first, h0, ih = under(le(zero, i), le(zero, m), claim(m))
    lasts = _one_factor_more(add(i, m), first, h0), _one_factor_more(m, h0)
    step = pf.psatz(
        claim(add(m, 1)),
        (1, [lasts[0]]),
        (x, [ih]),
        (pf.neg(raised(x, i)), [lasts[1]]),
    )
    generic = generalise(m, implied(step, h0, ih))
    all_m = mp(axiom("induction", lo=zero, P=claim), ring(claim(zero)), generic)
    (start,) = under(le(zero, m))
    return implied(mp(specialise(all_m, m), start), first, start)


@derived
def power_at_least_one() -> Proof:
    """1 ≤ x → 0 ≤ m → 1 ≤ xᵐ."""
    zero = pf.whole(0)

    def claim(k: Term) -> Term:
        """State 1 ≤ xᵏ."""
        return le(1, raised(x, k))

    large, h0, ih = under(le(1, x), le(zero, m), claim(m))
    last = _one_factor_more(m, h0)
    step = arithmetic(claim(add(m, 1)), ih, large, last, products=2)
    generic = generalise(m, implied(step, h0, ih))
    all_m = mp(axiom("induction", lo=zero, P=claim), ring(claim(zero)), generic)
    (start,) = under(le(zero, m))
    return implied(mp(specialise(all_m, m), start), large, start)


@derived
def power_below_exponential() -> Proof:
    """0 ≤ x → 0 ≤ m → xᵐ ≤ exp(m (x − 1)): each factor is at most exp(x − 1)."""
    (sign,) = under(le(0, x))
    one, factor = pf.whole(1), exp(sub(x, 1))
    k = pf.fresh("Z")
    rule = lemma("product_monotone", lo=one, hi=m, f=lambda r: x, g=lambda r: factor)
    below = arithmetic(le(x, factor), axiom("exp_tangent", x=sub(x, 1)))
    found = mp(rule, each_intro(k, one, m, sign), each_intro(k, one, m, below))
    (long,) = under(le(pf.whole(0), m))
    count = mp(lemma("sum_count", lo=one, hi=m), arithmetic(le(one, add(m, 1)), long))
    total = ranged("sum", one, m, lambda r: pf.number(1))
    found = pf.convert(found, le(raised(x, m), exp(mul(total, sub(x, 1)))))
    found = rewrite(count, found, lambda t: le(raised(x, m), exp(mul(t, sub(x, 1)))))
    return implied(pf.convert(found, le(raised(x, m), exp(mul(pf.real(m), sub(x, 1))))), sign, long)


def _choose_last(n: Term, k: Term, long: Proof) -> Proof:
    """Return C(n, k + 1) = C(n, k) (n − k)/(k + 1)."""
    body = choose(n, k).args[2]
    rule = axiom("product_last", lo=pf.whole(1), hi=k, f=lambda r: fill(body, (r,)))
    return mp(rule, long)


@derived
def pascal() -> Proof:
    """1 ≤ j → C(i + 1, j) = C(i, j) + C(i, j − 1), by induction over j."""
    n, one = variable("i", "Z"), pf.whole(1)

    def claim(k: Term) -> Term:
        """State C(n + 1, k) = C(n, k) + C(n, k − 1)."""
        return eq(choose(add(n, 1), k), add(choose(n, k), choose(n, sub(k, 1))))

    h0, ih = under(le(one, m), claim(m))
    at = add(m, 1)
    real = pf.real(m)
    long = arithmetic(le(one, at), h0)
    before = arithmetic(le(one, add(sub(m, 1), 1)), h0)
    lasts = [
        pf.convert(_choose_last(add(n, 1), m, long), _last_form(add(n, 1), m)),
        pf.convert(_choose_last(n, m, long), _last_form(n, m)),
        pf.convert(_choose_last(n, sub(m, 1), before), _last_form(n, sub(m, 1))),
    ]
    positive = arithmetic(lt(0, real), h0)
    units = []
    for t in (real, add(real, 1)):
        sign = arithmetic(lt(0, t), positive)
        units.append(mp(axiom("inverse", x=t), mp(lemma("not_zero_if_positive", x=t), sign)))
    step = arithmetic(claim(at), ih, *lasts, *units, products=1)
    generic = generalise(m, implied(step, h0, ih))
    all_k = mp(axiom("induction", lo=one, P=claim), pf.ring(claim(one)), generic)
    (long,) = under(le(one, j))
    return implied(mp(specialise(all_k, j), long), long)


def _last_form(n: Term, k: Term) -> Term:
    """State C(n, k + 1) = C(n, k) (n − k)/(k + 1)."""
    at = add(k, 1)
    factor = mul(pf.real(sub(n, k)), build("inv", (), [pf.real(at)]))
    return eq(choose(n, at), mul(choose(n, k), factor))


@derived
def binomial_theorem() -> Proof:
    """0 ≤ m → Σ C(m, k) xᵏ over k from 0 to m = (1 + x)ᵐ, by induction and Pascal's rule."""
    zero, one = pf.whole(0), pf.whole(1)
    x = variable("x")

    def term(n: Term, k: Term) -> Term:
        """Return C(n, k) xᵏ."""
        return mul(choose(n, k), raised(x, k))

    def total(n: Term, low: Term, high: Term) -> Term:
        """Return Σ C(n, k) xᵏ over k from low to high."""
        return ranged("sum", low, high, lambda k: term(n, k))

    def claim(n: Term) -> Term:
        """State Σ C(n, k) xᵏ = (1 + x)ⁿ over k from 0 to n."""
        return eq(total(n, zero, n), raised(add(1, x), n))

    h0, ih = under(le(zero, m), claim(m))
    at = add(m, 1)
    long = arithmetic(le(zero, at), h0)
    reached = arithmetic(le(one, at), h0)

    def with_first(n: Term) -> Proof:
        """Return Σ C(n, k) xᵏ over 0…m + 1 as its first term and the rest."""
        return mp(lemma("sum_first", lo=zero, hi=at, f=lambda k: term(n, k)), long)

    firsts = [with_first(n) for n in (at, m)]
    last = mp(axiom("sum_last", lo=zero, hi=m, f=lambda k: term(m, k)), long)
    gone = pf.convert(_choose_last(m, m, reached), _last_form(m, m))
    k = pf.fresh("Z")
    (k0,) = under(le(one, k))

    def before(r: Term) -> Term:
        """Return C(m, r − 1) xʳ."""
        return mul(choose(m, sub(r, 1)), raised(x, r))

    split = mp(lemma("pascal", i=m, j=k), k0)
    goal = eq(term(at, k), add(term(m, k), before(k)))
    inside = pf.psatz(goal, (raised(x, k), [split]))
    rule = lemma(
        "sum_congruence",
        lo=one,
        hi=at,
        f=lambda r: term(at, r),
        g=lambda r: add(term(m, r), before(r)),
    )
    parts = mp(rule, each_intro(k, one, at, inside))
    shifted = lemma("sum_shift", lo=zero, hi=m, j=one, f=before)
    (r0,) = under(le(zero, k))
    grown = mp(
        axiom("product_last", lo=one, hi=k, f=lambda r: x), arithmetic(le(one, add(k, 1)), r0)
    )
    moved = pf.psatz(eq(before(add(k, 1)), mul(x, term(m, k))), (choose(m, k), [grown]))
    rule = lemma(
        "sum_congruence",
        lo=zero,
        hi=m,
        f=lambda r: before(add(r, 1)),
        g=lambda r: mul(x, term(m, r)),
    )
    scaled = mp(rule, each_intro(k, zero, m, moved))
    power_ = mp(axiom("product_last", lo=one, hi=m, f=lambda r: add(1, x)), reached)
    whole, same = total(at, zero, at), total(m, one, at)
    lower = ranged("sum", one, at, before)
    first = arithmetic(eq(whole, add(1, same, lower)), firsts[0], parts)
    second = arithmetic(eq(same, sub(total(m, zero, m), 1)), firsts[1], last, gone)
    third = arithmetic(eq(lower, mul(x, total(m, zero, m))), shifted, scaled)
    step = arithmetic(claim(at), first, second, third, ih, power_)
    generic = generalise(m, implied(step, h0, ih))
    all_n = mp(axiom("induction", lo=zero, P=claim), pf.ring(claim(zero)), generic)
    (start,) = under(le(zero, m))
    return implied(mp(specialise(all_n, m), start), start)
