"""Lemmas on order, reciprocals, absolute values, maxima and indicators."""

from __future__ import annotations

from mlnotes.trusted.terms import Term

from .. import proofs as pf
from ..language import build, variable
from ..proofs import (
    Proof,
    absurd,
    add,
    assume,
    axiom,
    by_cases,
    by_order,
    discharge,
    eq,
    false,
    inv,
    le,
    lemma,
    lt,
    mp,
    mul,
    neg,
    negation,
    power,
    rewrite,
    ring,
    sub,
    symmetric,
)
from .notation import (
    DERIVATIONS,
    ZERO,
    arithmetic,
    derived,
    i,
    implied,
    j,
    p,
    size,
    under,
    x,
    y,
    z,
)


@derived
def not_zero_if_positive() -> Proof:
    """0 < x → x ≠ 0."""
    positive, zero = under(lt(0, x), eq(x, 0))
    return implied(arithmetic(false(), positive, zero), positive, zero)


@derived
def not_zero_if_negative() -> Proof:
    """X < 0 → x ≠ 0."""
    negative, zero = under(lt(x, 0), eq(x, 0))
    return implied(arithmetic(false(), negative, zero), negative, zero)


@derived
def less_if_not_at_least() -> Proof:
    """¬(x ≤ y) → y < x."""
    (h,) = under(negation(le(x, y)))
    wrong = absurd(lt(y, x), mp(h, assume(le(x, y))))
    return implied(by_order(x, y, wrong, assume(lt(y, x))), h)


@derived
def at_most_if_not_less() -> Proof:
    """¬(x < y) → y ≤ x."""
    (h,) = under(negation(lt(x, y)))
    wrong = absurd(le(y, x), mp(h, assume(lt(x, y))))
    return implied(by_order(y, x, assume(le(y, x)), wrong), h)


@derived
def less_if_not_at_least_integers() -> Proof:
    """¬(i ≤ j) → j < i."""
    (h,) = under(negation(le(i, j)))
    wrong = absurd(lt(j, i), mp(h, assume(le(i, j))))
    return implied(by_order(i, j, wrong, assume(lt(j, i))), h)


@derived
def at_most_if_not_less_integers() -> Proof:
    """¬(i < j) → j ≤ i."""
    (h,) = under(negation(lt(i, j)))
    wrong = absurd(le(j, i), mp(h, assume(lt(i, j))))
    return implied(by_order(j, i, assume(le(j, i)), wrong), h)


@derived
def positive_if_not_zero() -> Proof:
    """0 ≤ x → x ≠ 0 → 0 < x."""
    at_least, other, below = under(le(0, x), negation(eq(x, 0)), le(x, 0))
    zero = mp(axiom("antisymmetric_R", x=x, y=0), below, at_least)
    wrong = absurd(lt(0, x), mp(other, zero))
    return implied(by_order(x, ZERO, wrong, assume(lt(0, x))), at_least, other)


@derived
def equal_integers() -> Proof:
    """I = j between reals → i = j between integers."""
    (same,) = under(eq(pf.real(i), pf.real(j)))
    up = mp(axiom("of_reflects_le", i=i, j=j), arithmetic(le(pf.real(i), pf.real(j)), same))
    down = mp(axiom("of_reflects_le", i=j, j=i), arithmetic(le(pf.real(j), pf.real(i)), same))
    return implied(mp(axiom("antisymmetric_Z", i=i, j=j), up, down), same)


def reciprocal(t: Term, positive: Proof) -> Proof:
    """From 0 < t conclude t·(1/t) = 1."""
    return mp(axiom("inverse", x=t), mp(lemma("not_zero_if_positive", x=t), positive))


@derived
def inverse_positive() -> Proof:
    """0 < x → 0 < 1/x."""
    (positive,) = under(lt(0, x))
    return implied(arithmetic(lt(0, inv(x)), positive, reciprocal(x, positive)), positive)


@derived
def inverse_nonnegative() -> Proof:
    """0 ≤ x → 0 ≤ 1/x; at zero it is zero."""
    at_least, positive, below = under(le(0, x), lt(0, x), le(x, 0))
    first = arithmetic(le(0, inv(x)), mp(lemma("inverse_positive", x=x), positive))
    zero = mp(axiom("antisymmetric_R", x=x, y=0), below, at_least)
    second = rewrite(symmetric(zero), ring(le(0, inv(ZERO))), lambda t: le(0, inv(t)))
    return implied(by_order(x, ZERO, second, first), at_least)


@derived
def inverse_negative() -> Proof:
    """X < 0 → 1/x < 0."""
    (negative,) = under(lt(x, 0))
    flipped = mp(lemma("inverse_positive", x=neg(x)), arithmetic(lt(0, neg(x)), negative))
    return implied(arithmetic(lt(inv(x), 0), flipped), negative)


@derived
def squares_order() -> Proof:
    """0 ≤ y → x² ≤ y² → x ≤ y."""
    at_least, squares = under(le(0, y), le(power(x, 2), power(y, 2)))
    return implied(arithmetic(le(x, y), at_least, squares), at_least, squares)


@derived
def squares_strict_order() -> Proof:
    """0 ≤ y → x² < y² → x < y."""
    at_least, squares = under(le(0, y), lt(power(x, 2), power(y, 2)))
    return implied(arithmetic(lt(x, y), at_least, squares), at_least, squares)


@derived
def squares_equal() -> Proof:
    """0 ≤ x → 0 ≤ y → x² = y² → x = y."""
    first, second, squares = under(le(0, x), le(0, y), eq(power(x, 2), power(y, 2)))
    below, above = (
        arithmetic(le(x, y), first, second, squares),
        arithmetic(le(y, x), first, second, squares),
    )
    return implied(mp(axiom("antisymmetric_R", x=x, y=y), below, above), first, second, squares)


@derived
def zero_if_square() -> Proof:
    """x² ≤ 0 → x = 0."""
    (flat,) = under(le(power(x, 2), 0))
    both = mp(axiom("antisymmetric_R", x=power(x, 2), y=0), flat, arithmetic(le(0, power(x, 2))))
    (other,) = under(negation(eq(x, 0)))
    one = mp(axiom("inverse", x=x), other)
    gone = pf.psatz(eq(mul(x, inv(x)), 0), (power(inv(x), 2), [both]))
    wrong = arithmetic(false(), gone, one)
    goal = eq(x, 0)
    return implied(by_cases(goal, assume(goal), absurd(goal, wrong)), flat)


def _by_sign(goal: Term, *facts: Proof) -> Proof:
    """Prove something about |x| for x ≥ 0 and for x < 0."""
    up, down = under(le(0, x), lt(x, 0))
    weak = arithmetic(le(x, 0), down)
    first = arithmetic(goal, up, mp(axiom("abs_nonnegative", x=x), up), *facts)
    second = arithmetic(goal, weak, mp(axiom("abs_nonpositive", x=x), weak), *facts)
    return by_order(ZERO, x, first, second)


@derived
def abs_at_least() -> Proof:
    """X ≤ |x|."""
    return _by_sign(le(x, size(x)))


@derived
def abs_at_least_opposite() -> Proof:
    """−x ≤ |x|."""
    return _by_sign(le(neg(x), size(x)))


@derived
def abs_at_least_zero() -> Proof:
    """0 ≤ |x|."""
    return _by_sign(le(0, size(x)))


@derived
def abs_squared() -> Proof:
    """|x|² = x²."""
    return _by_sign(eq(power(size(x), 2), power(x, 2)))


@derived
def abs_product() -> Proof:
    """|x y| = |x| |y|: both are nonnegative and have the same square."""
    product, sizes = mul(x, y), mul(size(x), size(y))
    squares = [lemma("abs_squared", x=t) for t in (product, x, y)]
    same = arithmetic(eq(power(size(product), 2), power(sizes, 2)), *squares)
    signs = [lemma("abs_at_least_zero", x=t) for t in (x, y)]
    rule = lemma("squares_equal", x=size(product), y=sizes)
    at_least = lemma("abs_at_least_zero", x=product)
    return mp(rule, at_least, arithmetic(le(0, sizes), *signs), same)


def _extreme(op: str) -> Term:
    """Return max(x, y) or min(x, y)."""
    return build(op, (), [x, y])


def _extreme_lemma(name: str, goal: Term) -> None:
    """State a law of the larger and the smaller of x and y, proved for x ≤ y and for y < x."""

    def derive() -> Proof:
        first, second = under(le(x, y), lt(y, x))
        weak = arithmetic(le(y, x), second)
        proofs = []
        for a, b, below in ((x, y, first), (y, x, weak)):
            values = [mp(axiom(n, x=a, y=b), below) for n in ("max_of", "min_of")]
            values = [pf.convert(w, eq(w.conclusion.args[0], w.conclusion.args[1])) for w in values]
            proofs.append(arithmetic(goal, below, *values))
        return by_order(x, y, *proofs)

    DERIVATIONS[name] = derive


_extreme_lemma("max_at_least", le(x, _extreme("max")))
_extreme_lemma("min_at_most", le(_extreme("min"), x))


def _extreme_bound(name: str, op: str, axiom_name: str, goal: Term, h1: Term, h2: Term) -> None:
    """State that both being on one side of a bound puts the larger, or smaller, there too."""

    def derive() -> Proof:
        a, b = under(h1, h2)
        first, second = under(le(x, y), lt(y, x))
        weak = arithmetic(le(y, x), second)
        one = arithmetic(goal, a, b, mp(axiom(axiom_name, x=x, y=y), first))
        other = arithmetic(goal, a, b, mp(axiom(axiom_name, x=y, y=x), weak))
        return implied(by_order(x, y, one, other), a, b)

    DERIVATIONS[name] = derive


_extreme_bound("max_at_most", "max", "max_of", le(_extreme("max"), z), le(x, z), le(y, z))
_extreme_bound("min_at_least", "min", "min_of", le(z, _extreme("min")), le(z, x), le(z, y))


@derived
def indicator_at_least_zero() -> Proof:
    """0 ≤ [p]."""
    t = build("ind", (), [p])
    yes, no = under(p, negation(p))
    first = arithmetic(le(0, t), mp(axiom("indicator_true", p=p), yes))
    return by_cases(p, first, arithmetic(le(0, t), mp(axiom("indicator_false", p=p), no)))


@derived
def indicator_at_most_one() -> Proof:
    """[p] ≤ 1."""
    t = build("ind", (), [p])
    yes, no = under(p, negation(p))
    first = arithmetic(le(t, 1), mp(axiom("indicator_true", p=p), yes))
    return by_cases(p, first, arithmetic(le(t, 1), mp(axiom("indicator_false", p=p), no)))


@derived
def indicator_of_either() -> Proof:
    """[p or q] ≤ [p] + [q]."""
    q = variable("q", "P")
    either = build("|", (), [p, q])
    first, second, both = (build("ind", (), [t]) for t in (p, q, either))
    goal = le(both, add(first, second))
    most = lemma("indicator_at_most_one", p=either)
    least = [lemma("indicator_at_least_zero", p=t) for t in (p, q)]

    def value(t: Term) -> Proof:
        return mp(axiom("indicator_true", p=t), assume(t))

    cases = [discharge(t, arithmetic(goal, most, value(t), *least)) for t in (p, q)]
    held = mp(axiom("or_elim", p=p, q=q, r=goal), assume(either), *cases)
    gone = mp(axiom("indicator_false", p=either), assume(negation(either)))
    return by_cases(either, held, arithmetic(goal, gone, *least))


@derived
def indicator_of_not() -> Proof:
    """[not p] = 1 − [p]."""
    other = negation(p)
    goal = eq(build("ind", (), [other]), sub(1, build("ind", (), [p])))
    held, absent = under(p, other)
    wrong = discharge(other, mp(assume(other), held))
    first = arithmetic(
        goal, mp(axiom("indicator_true", p=p), held), mp(axiom("indicator_false", p=other), wrong)
    )
    second = arithmetic(
        goal,
        mp(axiom("indicator_true", p=other), absent),
        mp(axiom("indicator_false", p=p), absent),
    )
    return by_cases(p, first, second)


@derived
def indicator_of_less() -> Proof:
    """[y < x] = 1 − [x ≤ y]."""
    low, high = le(x, y), lt(y, x)
    goal = eq(build("ind", (), [high]), sub(1, build("ind", (), [low])))
    (below, above) = under(low, high)
    other = discharge(high, arithmetic(false(), below, assume(high)))
    first = arithmetic(
        goal, mp(axiom("indicator_true", p=low), below), mp(axiom("indicator_false", p=high), other)
    )
    other = discharge(low, arithmetic(false(), assume(low), above))
    second = arithmetic(
        goal, mp(axiom("indicator_true", p=high), above), mp(axiom("indicator_false", p=low), other)
    )
    return by_order(x, y, first, second)
