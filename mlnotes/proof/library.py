"""The library: lemmas about numbers, sums, products and means, derived from the axioms.

``python -m mlnotes.proof.library`` writes their certificates to ``mlnotes/trusted/library.json``,
where the kernel checks them before anything else. A lemma may use those above it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from fractions import Fraction
from pathlib import Path

from mlnotes import trusted
from mlnotes.trusted.terms import Term, fuel

from . import proofs as pf
from .arithmetic import combine, contradiction
from .language import BUDGET, build, variable
from .probability import product_law
from .proofs import (
    Proof,
    absurd,
    add,
    assume,
    axiom,
    by_cases,
    by_contradiction,
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
    inv,
    le,
    lemma,
    lt,
    mean,
    mp,
    mul,
    neg,
    negation,
    power,
    ranged,
    rewrite,
    ring,
    specialise,
    sub,
    symmetric,
)

LIBRARY = Path(trusted.__file__).with_name("library.json")
_DERIVATIONS: dict[str, Callable[[], Proof]] = {}
x, y, z = (variable(n) for n in "xyz")
i, j, m, lo, hi, mid = (variable(n, "Z") for n in ("i", "j", "m", "lo", "hi", "mid"))
u, v = variable("u", "V"), variable("v", "V")
p = variable("p", "P")
ZERO, HALF = pf.number(0), pf.number(Fraction(1, 2))


def derived(derive: Callable[[], Proof]) -> Callable[[], Proof]:
    """Register a derivation under the name of its function."""
    _DERIVATIONS[derive.__name__] = derive
    return derive


def under(*hypotheses: Term) -> tuple[Proof, ...]:
    """Return hypotheses as proofs."""
    return tuple(assume(h) for h in hypotheses)


def implied(found: Proof, *hypotheses: Proof) -> Proof:
    """Return the implication from hypotheses, the first one outermost."""
    for h in reversed(hypotheses):
        found = discharge(h.conclusion, found)
    return found


def arithmetic(goal: Term, *facts: Proof, products: int = 2) -> Proof:
    """Prove a relation by arithmetic."""
    found = combine(goal, facts) or combine(goal, facts, products=products)
    found = found or contradiction(goal, facts, products=products)
    if found is None:
        raise AssertionError(f"not found: {goal}")
    return found


def exp(t: Term) -> Term:
    """Return the exponential."""
    return build("exp", (), [t])


def log(t: Term) -> Term:
    """Return the logarithm."""
    return build("log", (), [t])


def sqrt(t: Term) -> Term:
    """Return the square root."""
    return build("sqrt", (), [t])


def size(t: Term) -> Term:
    """Return the absolute value."""
    return build("abs", (), [t])


def convex(name: str) -> Term:
    """Return that a function lies below its chords."""
    from .derivatives import property_of

    return property_of(name, "convex")[0]


def f(*args: Term) -> Term:
    """Return a value of the family or function f."""
    return variable("f", "R", args)


def g(*args: Term) -> Term:
    """Return a value of the family or function g."""
    return variable("g", "R", args)


# ---------------------------------------------------------------------- order and reciprocals


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
def inverse_antitone() -> Proof:
    """0 < x → x ≤ y → 1/y ≤ 1/x."""
    positive, below = under(lt(0, x), le(x, y))
    larger = arithmetic(lt(0, y), positive, below)
    at_x, at_y = reciprocal(x, positive), reciprocal(y, larger)
    signs = (
        mp(lemma("inverse_positive", x=x), positive),
        mp(lemma("inverse_positive", x=y), larger),
    )
    found = combine(le(inv(y), inv(x)), [below, *signs, at_x, at_y], products=3)
    assert found is not None
    return implied(found, positive, below)


@derived
def zero_if_product_zero() -> Proof:
    """X y = 0 → x ≠ 0 → y = 0."""
    product, other = under(eq(mul(x, y), 0), negation(eq(x, 0)))
    one = mp(axiom("inverse", x=x), other)
    found = pf.psatz(eq(y, 0), (inv(x), [product]), (neg(y), [one]))
    return implied(found, product, other)


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


# ---------------------------------------------------------------------- absolute value, max, min


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


@derived
def abs_at_most() -> Proof:
    """X ≤ y → −x ≤ y → |x| ≤ y."""
    up, down = under(le(x, y), le(neg(x), y))
    return implied(_by_sign(le(size(x), y), up, down), up, down)


def _extreme(op: str) -> Term:
    return build(op, (), [x, y])


def _extreme_lemma(name: str, goal: Term) -> None:
    def derive() -> Proof:
        first, second = under(le(x, y), lt(y, x))
        weak = arithmetic(le(y, x), second)
        proofs = []
        for a, b, below in ((x, y, first), (y, x, weak)):
            values = [mp(axiom(n, x=a, y=b), below) for n in ("max_of", "min_of")]
            values = [pf.convert(w, eq(w.conclusion.args[0], w.conclusion.args[1])) for w in values]
            proofs.append(arithmetic(goal, below, *values))
        return by_order(x, y, *proofs)

    _DERIVATIONS[name] = derive


_extreme_lemma("max_at_least", le(x, _extreme("max")))
_extreme_lemma("min_at_most", le(_extreme("min"), x))


def _extreme_bound(name: str, op: str, axiom_name: str, goal: Term, h1: Term, h2: Term) -> None:
    def derive() -> Proof:
        a, b = under(h1, h2)
        first, second = under(le(x, y), lt(y, x))
        weak = arithmetic(le(y, x), second)
        one = arithmetic(goal, a, b, mp(axiom(axiom_name, x=x, y=y), first))
        other = arithmetic(goal, a, b, mp(axiom(axiom_name, x=y, y=x), weak))
        return implied(by_order(x, y, one, other), a, b)

    _DERIVATIONS[name] = derive


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


# ---------------------------------------------------------------------- exp, log, root


@derived
def exp_positive() -> Proof:
    """0 < exp x: it is a square, and its product with exp(−x) is one."""
    (below,) = under(le(exp(x), 0))
    square = pf.psatz(le(0, exp(x)), (1, [], [exp(mul(HALF, x))]))
    zero = mp(axiom("antisymmetric_R", x=exp(x), y=0), below, square)
    wrong = arithmetic(false(), pf.psatz(eq(1, 0), (exp(neg(x)), [zero])))
    return by_contradiction(lt(0, exp(x)), wrong)


@derived
def exp_tangent_at() -> Proof:
    """exp(y) (1 + x − y) ≤ exp(x)."""
    tangent = axiom("exp_tangent", x=sub(x, y))
    goal = le(mul(exp(y), add(1, sub(x, y))), exp(x))
    return pf.psatz(goal, (1, [lemma("exp_positive", x=y), tangent]))


@derived
def exp_monotone() -> Proof:
    """X ≤ y → exp x ≤ exp y."""
    (below,) = under(le(x, y))
    facts = (axiom("exp_tangent", x=sub(y, x)), lemma("exp_positive", x=x), below)
    return implied(arithmetic(le(exp(x), exp(y)), *facts), below)


@derived
def exp_strictly_monotone() -> Proof:
    """X < y → exp x < exp y."""
    (below,) = under(lt(x, y))
    facts = (axiom("exp_tangent", x=sub(y, x)), lemma("exp_positive", x=x), below)
    return implied(arithmetic(lt(exp(x), exp(y)), *facts), below)


@derived
def exp_minus_log() -> Proof:
    """0 < x → exp(−log x) = 1/x."""
    (positive,) = under(lt(0, x))
    facts = (mp(axiom("exp_log", x=x), positive), reciprocal(x, positive))
    return implied(arithmetic(eq(exp(neg(log(x))), inv(x)), *facts), positive)


@derived
def log_tangent() -> Proof:
    """0 < x → log x ≤ x − 1."""
    (positive,) = under(lt(0, x))
    facts = (axiom("exp_tangent", x=log(x)), mp(axiom("exp_log", x=x), positive))
    return implied(arithmetic(le(log(x), sub(x, 1)), *facts), positive)


@derived
def log_tangent_below() -> Proof:
    """0 < x → 1 − 1/x ≤ log x."""
    (positive,) = under(lt(0, x))
    facts = (axiom("exp_tangent", x=neg(log(x))), mp(lemma("exp_minus_log", x=x), positive))
    return implied(arithmetic(le(sub(1, inv(x)), log(x)), *facts), positive)


@derived
def log_product() -> Proof:
    """0 < x → 0 < y → log(x y) = log x + log y."""
    first, second = under(lt(0, x), lt(0, y))
    values = (mp(axiom("exp_log", x=x), first), mp(axiom("exp_log", x=y), second))
    total = add(log(x), log(y))
    product = pf.psatz(eq(exp(total), mul(x, y)), (exp(log(y)), [values[0]]), (x, [values[1]]))
    found = rewrite(product, axiom("log_exp", x=total), lambda t: eq(log(t), total))
    return implied(found, first, second)


@derived
def log_inverse() -> Proof:
    """0 < x → log(1/x) = −log x."""
    (positive,) = under(lt(0, x))
    value = mp(lemma("exp_minus_log", x=x), positive)
    opposite = neg(log(x))
    found = rewrite(value, axiom("log_exp", x=opposite), lambda t: eq(log(t), opposite))
    return implied(found, positive)


@derived
def log_tangent_at() -> Proof:
    """0 < x → 0 < y → x (log y − log x) ≤ y − x."""
    first, second = under(lt(0, x), lt(0, y))
    other = mp(lemma("inverse_positive", x=x), first)
    ratio = mul(y, inv(x))
    positive = arithmetic(lt(0, ratio), second, other)
    facts = [
        mp(lemma("log_product", x=y, y=inv(x)), second, other),
        mp(lemma("log_inverse", x=x), first),
    ]
    logs = arithmetic(eq(log(ratio), sub(log(y), log(x))), *facts)
    tangent = mp(lemma("log_tangent", x=ratio), positive)
    one = mp(axiom("inverse", x=x), mp(lemma("not_zero_if_positive", x=x), first))
    below = arithmetic(le(sub(log(y), log(x)), sub(ratio, 1)), logs, tangent)
    goal = le(mul(x, sub(log(y), log(x))), sub(y, x))
    found = pf.psatz(goal, (1, [first, below]), (y, [one]))
    return implied(found, first, second)


def _log_monotone(op: str, opposite: str, rule: str) -> Proof:
    positive, below = under(lt(0, x), pf.relation(op, x, y))
    larger = arithmetic(lt(0, y), positive, below)
    values = (mp(axiom("exp_log", x=x), positive), mp(axiom("exp_log", x=y), larger))
    above = assume(pf.relation(opposite, log(y), log(x)))
    turned = mp(lemma(rule, x=log(y), y=log(x)), above)
    wrong = arithmetic(false(), turned, below, *values)
    return implied(by_contradiction(pf.relation(op, log(x), log(y)), wrong), positive, below)


@derived
def log_monotone() -> Proof:
    """0 < x → x ≤ y → log x ≤ log y."""
    return _log_monotone("<=", "<", "exp_strictly_monotone")


@derived
def log_strictly_monotone() -> Proof:
    """0 < x → x < y → log x < log y."""
    return _log_monotone("<", "<=", "exp_monotone")


@derived
def log_nonnegative() -> Proof:
    """1 ≤ x → 0 ≤ log x."""
    (given,) = under(le(1, x))
    one = pf.congruence(ring(eq(exp(ZERO), 1)), log)
    rule = lemma("log_monotone", x=pf.number(1), y=x)
    larger = mp(rule, ring(lt(0, 1)), given)
    return implied(arithmetic(le(0, log(x)), larger, one, axiom("log_exp", x=ZERO)), given)


@derived
def sqrt_positive() -> Proof:
    """0 < x → 0 < √x."""
    (positive,) = under(lt(0, x))
    square = mp(axiom("sqrt_square", x=x), arithmetic(le(0, x), positive))
    root = axiom("sqrt_nonnegative", x=x)
    (zero,) = under(eq(sqrt(x), 0))
    wrong = discharge(zero.conclusion, arithmetic(false(), positive, square, zero))
    return implied(mp(lemma("positive_if_not_zero", x=sqrt(x)), root, wrong), positive)


@derived
def sqrt_monotone() -> Proof:
    """0 ≤ x → x ≤ y → √x ≤ √y."""
    at_least, below = under(le(0, x), le(x, y))
    squares = (
        mp(axiom("sqrt_square", x=x), at_least),
        mp(axiom("sqrt_square", x=y), arithmetic(le(0, y), at_least, below)),
    )
    order = arithmetic(le(power(sqrt(x), 2), power(sqrt(y), 2)), below, *squares)
    rule = lemma("squares_order", x=sqrt(x), y=sqrt(y))
    return implied(mp(rule, axiom("sqrt_nonnegative", x=y), order), at_least, below)


@derived
def sqrt_of_square() -> Proof:
    """√(x²) = |x|."""
    square = power(x, 2)
    value = mp(axiom("sqrt_square", x=square), arithmetic(le(0, square)))
    goal = eq(power(sqrt(square), 2), power(size(x), 2))
    same = arithmetic(goal, value, lemma("abs_squared", x=x))
    rule = lemma("squares_equal", x=sqrt(square), y=size(x))
    return mp(rule, axiom("sqrt_nonnegative", x=square), lemma("abs_at_least_zero", x=x), same)


@derived
def sqrt_product() -> Proof:
    """0 ≤ x → 0 ≤ y → √(x y) = √x √y."""
    first, second = under(le(0, x), le(0, y))
    product, roots = mul(x, y), mul(sqrt(x), sqrt(y))
    values = (
        mp(axiom("sqrt_square", x=product), arithmetic(le(0, product), first, second)),
        mp(axiom("sqrt_square", x=x), first),
        mp(axiom("sqrt_square", x=y), second),
    )
    same = arithmetic(eq(power(sqrt(product), 2), power(roots, 2)), *values)
    signs = (axiom("sqrt_nonnegative", x=x), axiom("sqrt_nonnegative", x=y))
    rule = lemma("squares_equal", x=sqrt(product), y=roots)
    found = mp(rule, axiom("sqrt_nonnegative", x=product), arithmetic(le(0, roots), *signs), same)
    return implied(found, first, second)


@derived
def sqrt_inverse() -> Proof:
    """0 ≤ x → √(1/x) = 1/√x; at zero both are zero."""
    (at_least,) = under(le(0, x))
    roots = (sqrt(inv(x)), inv(sqrt(x)))
    inverse = mp(lemma("inverse_nonnegative", x=x), at_least)
    values = (mp(axiom("sqrt_square", x=inv(x)), inverse), mp(axiom("sqrt_square", x=x), at_least))
    other = rewrite(
        values[1],
        ring(eq(power(roots[1], 2), inv(mul(sqrt(x), sqrt(x))))),
        lambda t: eq(power(roots[1], 2), inv(t)),
    )
    same = arithmetic(eq(power(roots[0], 2), power(roots[1], 2)), values[0], other)
    signs = (
        axiom("sqrt_nonnegative", x=inv(x)),
        mp(lemma("inverse_nonnegative", x=sqrt(x)), axiom("sqrt_nonnegative", x=x)),
    )
    return implied(mp(lemma("squares_equal", x=roots[0], y=roots[1]), *signs, same), at_least)


@derived
def log_root() -> Proof:
    """0 < x → log √x = ½ log x."""
    (positive,) = under(lt(0, x))
    root = mp(lemma("sqrt_positive", x=x), positive)
    square = mp(axiom("sqrt_square", x=x), arithmetic(le(0, x), positive))
    twice = mp(lemma("log_product", x=sqrt(x), y=sqrt(x)), root, root)
    whole = rewrite(square, twice, lambda t: eq(log(t), add(log(sqrt(x)), log(sqrt(x)))))
    return implied(arithmetic(eq(log(sqrt(x)), mul(HALF, log(x))), whole), positive)


# ---------------------------------------------------------------------- sums and products


def _range_induction(claim: Callable[[Term], Term], base: Proof, step: Proof) -> Proof:
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
        given = [assume(each(lo, hi, h)) for h in hypotheses]
        before = sub(lo, 1)

        def claim(t: Term) -> Term:
            return implies(le(t, hi), conclusion(t))

        def empties(t: Term, outside: Proof) -> list[Proof]:
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
        all_k = _range_induction(claim, discharge(le(before, hi), base), step)
        upward = assume(le(before, hi))
        big = mp(specialise(all_k, hi), upward, ring(le(hi, hi)))
        short = assume(lt(hi, before))
        outside = arithmetic(lt(hi, lo), short)
        small = arithmetic(conclusion(hi), *empties(hi, outside))
        return implied(by_order(before, hi, big, small), *given)

    _DERIVATIONS[name] = derive


def _total(op: str, fam: Callable[[Term], Term], t: Term) -> Term:
    return ranged(op, lo, t, fam)


_ranged_lemma(
    "sum_congruence",
    "sum",
    [lambda k: eq(f(k), g(k))],
    lambda t: eq(_total("sum", f, t), _total("sum", g, t)),
    [f, g],
)
_ranged_lemma(
    "sum_monotone",
    "sum",
    [lambda k: le(f(k), g(k))],
    lambda t: le(_total("sum", f, t), _total("sum", g, t)),
    [f, g],
)
_ranged_lemma(
    "sum_nonnegative", "sum", [lambda k: le(0, f(k))], lambda t: le(0, _total("sum", f, t)), [f]
)
_ranged_lemma(
    "product_congruence",
    "prod",
    [lambda k: eq(f(k), g(k))],
    lambda t: eq(_total("prod", f, t), _total("prod", g, t)),
    [f, g],
)
_ranged_lemma(
    "product_positive", "prod", [lambda k: lt(0, f(k))], lambda t: lt(0, _total("prod", f, t)), [f]
)
_ranged_lemma(
    "product_nonnegative",
    "prod",
    [lambda k: le(0, f(k))],
    lambda t: le(0, _total("prod", f, t)),
    [f],
)


@derived
def product_monotone() -> Proof:
    """0 ≤ f ≤ g over a range → Πf ≤ Πg."""
    given = under(each(lo, hi, lambda k: le(0, f(k))), each(lo, hi, lambda k: le(f(k), g(k))))
    before, at = sub(lo, 1), add(m, 1)

    def bounds(t: Term) -> tuple[Term, Term]:
        products = _total("prod", f, t), _total("prod", g, t)
        return le(0, products[0]), le(*products)

    def claim(t: Term) -> Term:
        return implies(le(t, hi), build("&", (), bounds(t)))

    def empties(t: Term, outside: Proof) -> list[Proof]:
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
    all_k = _range_induction(claim, discharge(le(before, hi), base), step)
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
        product = _total("prod", f, t)
        return lt(0, product), eq(log(product), _total("sum", logs, t))

    def claim(t: Term) -> Term:
        return implies(le(t, hi), build("&", (), both(t)))

    def at_empty(t: Term, outside: Proof) -> Proof:
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
    split = mp(lemma("log_product", x=_total("prod", f, m), y=f(at)), positive, term)
    moved = rewrite(symmetric(last), split, lambda w: eq(log(w), split.conclusion.args[1]))
    step = pf.conjunction(
        arithmetic(both(at)[0], positive, term, last), arithmetic(both(at)[1], moved, value, total)
    )
    all_k = _range_induction(claim, discharge(le(before, hi), base), discharge(le(at, hi), step))
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
        return eq(_total("sum", fv, t), _total("sum", gv, t))

    def claim(t: Term) -> Term:
        return implies(le(t, hi), same(t))

    def together(t: Term, *facts: Proof) -> Proof:
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
        return [mp(axiom("vector_sum_empty", lo=lo, hi=t, f=fam), outside) for fam in (fv, gv)]

    base = together(before, *empties(before, ring(lt(before, lo))))
    h0, ih, inside = under(le(before, m), claim(m), le(at, hi))
    reached = arithmetic(le(lo, at), h0)
    term = each_at(given, at, reached, inside)
    lasts = [mp(axiom("vector_sum_last", lo=lo, hi=m, f=fam), reached) for fam in (fv, gv)]
    now = mp(ih, arithmetic(le(m, hi), inside))
    step = discharge(inside.conclusion, together(at, lasts[1], lasts[0], now, term))
    all_k = _range_induction(claim, discharge(le(before, hi), base), step)
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
        return eq(_total("sum", ones, t), pf.real(add(sub(t, lo), 1)))

    empty = mp(axiom("sum_empty", lo=lo, hi=before, f=ones), ring(lt(before, lo)))
    h0, ih = under(le(before, m), claim(m))
    last = mp(axiom("sum_last", lo=lo, hi=m, f=ones), arithmetic(le(lo, at), h0))
    all_k = _range_induction(
        claim, arithmetic(claim(before), empty), arithmetic(claim(at), ih, last)
    )
    (long,) = under(le(lo, add(hi, 1)))
    return implied(mp(specialise(all_k, hi), arithmetic(le(before, hi), long)), long)


@derived
def sum_split() -> Proof:
    """Lo ≤ mid + 1 → mid ≤ hi → the sum over lo…hi is that over lo…mid and that over the rest."""
    after, at = add(mid, 1), add(m, 1)

    def claim(t: Term) -> Term:
        return eq(_total("sum", f, t), add(_total("sum", f, mid), ranged("sum", after, t, f)))

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
    return arithmetic(eq(_total("sum", f, lo), f(lo)), empty, last)


@derived
def sum_first() -> Proof:
    """Lo ≤ hi → a sum is its first term and the rest."""
    (long,) = under(le(lo, hi))
    split = mp(lemma("sum_split", lo=lo, mid=lo, hi=hi), ring(le(lo, add(lo, 1))), long)
    goal = eq(_total("sum", f, hi), add(f(lo), ranged("sum", add(lo, 1), hi, f)))
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
    goal = lt(_total("sum", f, hi), _total("sum", g, hi))
    return implied(arithmetic(goal, order, term, *lasts), long, given)


@derived
def sum_positive() -> Proof:
    """Lo ≤ hi → f > 0 over the range → Σf > 0."""
    long, given = under(le(lo, hi), each(lo, hi, lambda k: lt(0, f(k))))
    rule = lemma("sum_strictly_monotone", lo=lo, hi=hi, f=lambda k: ZERO, g=f)
    found = mp(rule, long, given)
    return implied(pf.convert(found, lt(0, _total("sum", f, hi))), long, given)


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
    goal = le(f(j), _total("sum", f, hi))
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
    goal = eq(_total("sum", body, hi), f(j))
    return implied(arithmetic(goal, split, first, there, *zeros), low, high)


@derived
def sum_shift() -> Proof:
    """Σ f(k) over lo + j … hi + j = Σ f(k + j) over lo…hi."""
    before, at = sub(lo, 1), add(m, 1)

    def shifted(k: Term) -> Term:
        return f(add(k, j))

    def claim(t: Term) -> Term:
        return eq(ranged("sum", add(lo, j), add(t, j), f), _total("sum", shifted, t))

    def empties(t: Term, outside: Proof) -> list[Proof]:
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
    all_k = _range_induction(claim, base, arithmetic(claim(at), ih, *lasts))
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


# ---------------------------------------------------------------------- derivatives


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
        return lambda t: _total("sum", part(t), top)

    def has(top: Term) -> Term:
        return slope(total(top), x, _total("sum", g, top))

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
        "derivative_sum", f=total(m), g=lambda t: f(at, t), x=x, y=_total("sum", g, m), z=g(at)
    )
    both = mp(rule, now, term)

    def longer(t: Term) -> Proof:
        return symmetric(mp(axiom("sum_last", lo=lo, hi=m, f=part(t)), reached))

    last = symmetric(mp(axiom("sum_last", lo=lo, hi=m, f=g), reached))
    step = moved(lambda t: add(total(m)(t), f(at, t)), total(at), longer, both, last)
    all_k = _range_induction(
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
    low, high = (x, y) if right else (y, x)
    slopes = assume(on(low, high, lambda t: slope(f, t, df(t))))
    bends = assume(on(low, high, lambda t: slope(df, t, ddf(t))))
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
        generalise(s, implied(_restricted(bends, *bounds, s), *inner)),
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
    return implied(arithmetic(goal, found), slopes, bends, signs, order)


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
    low, high = (x, y) if right else (y, x)
    slopes = assume(on(low, high, lambda t: slope(f, t, df(t))))
    bends = assume(on(low, high, lambda t: slope(df, t, ddf(t))))
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
        bend = generalise(s, implied(_restricted(bends, *bounds, s), *inner))
        weak = arithmetic(le(0, ddf(s)), _restricted(signs, *bounds, s))
        upward = generalise(s, implied(weak, *inner))
        if not strict:
            rule = axiom("derivative_monotone", f=df, g=ddf, x=a, y=b)
            return mp(rule, bend, upward, arithmetic(le(a, b), after if right else until))
        centre = mul(HALF, add(a, b))
        inside = arithmetic(lt(a, centre), after, until), arithmetic(lt(centre, b), after, until)
        there = _restricted(
            signs,
            arithmetic(le(low, centre), after, until),
            arithmetic(le(centre, high), after, until),
            centre,
        )
        rule = lemma("strictly_increasing", f=df, df=ddf, x=a, y=b, z=centre)
        return mp(rule, bend, upward, *inside, there)

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
    return implied(arithmetic(goal, found), slopes, bends, signs, order)


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
    (signs, whole) = under(each(lo, hi, lambda k: le(0, w(k))), eq(_total("sum", w, hi), 1))
    before, at = sub(lo, 1), add(m, 1)
    families = [w, lambda k: mul(w(k), g(k)), lambda k: mul(w(k), f(g(k)))]
    mean_ = _total("sum", families[1], hi)

    def sums(t: Term) -> list[Term]:
        return [_total("sum", family, t) for family in families]

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
    all_k = _range_induction(
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


@derived
def exp_times_tangent() -> Proof:
    """(1 − x) exp x ≤ 1."""
    goal = le(mul(sub(1, x), exp(x)), 1)
    return arithmetic(goal, axiom("exp_tangent", x=neg(x)), lemma("exp_positive", x=x))


@derived
def exp_half_log() -> Proof:
    """0 < x → exp(log(x)/2) = √x."""
    (positive,) = under(lt(0, x))
    half = exp(mul(HALF, log(x)))
    at_least = arithmetic(le(0, x), positive)
    value = mp(axiom("exp_log", x=x), positive)
    square = arithmetic(
        eq(power(half, 2), power(sqrt(x), 2)), value, mp(axiom("sqrt_square", x=x), at_least)
    )
    signs = (
        arithmetic(le(0, half), lemma("exp_positive", x=mul(HALF, log(x)))),
        axiom("sqrt_nonnegative", x=x),
    )
    return implied(mp(lemma("squares_equal", x=half, y=sqrt(x)), *signs, square), positive)


# ---------------------------------------------------------------------- independence


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
        return implies(lt(t, j), eq(_total("prod", f, t), 1))

    def second(t: Term) -> Term:
        return implies(le(j, t), eq(_total("prod", f, t), f(j)))

    def claim(t: Term) -> Term:
        return implies(le(t, hi), build("&", (), [first(t), second(t)]))

    empty = mp(axiom("product_empty", lo=lo, hi=before, f=f), ring(lt(before, lo)))
    (reached,) = under(le(j, before))
    wrong = absurd(eq(_total("prod", f, before), f(j)), arithmetic(false(), reached, low))
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
    up = arithmetic(eq(_total("prod", f, at), 1), last, now, one(early))
    goal = eq(_total("prod", f, at), f(j))
    past = arithmetic(goal, last, mp(above, late), one(late))
    (come,) = under(le(j, at))
    next_up = mp(axiom("discrete", i=m, j=j), here)
    same = mp(axiom("antisymmetric_Z", i=at, j=j), next_up, come)
    value = pf.congruence(same, f)
    fresh = arithmetic(goal, last, mp(below, here), value)
    down = by_order(j, m, past, fresh)
    step = pf.conjunction(discharge(early.conclusion, up), discharge(come.conclusion, down))
    all_k = _range_induction(
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
        return arithmetic(eq(_total("prod", part(at), hi), f(at)), found, on)

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
                mul(_total("prod", f, hi), _total("prod", g, hi)),
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
            mul(t, _total("prod", part(j), hi)),
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
            _total("sum", lambda b: joint(a, b), hi),
            add(mul(first(a), _total("sum", first, hi)), excess(a)),
        ),
        inner,
        delta,
    )
    outer = mp(
        lemma(
            "sum_congruence",
            f=lambda a: _total("sum", lambda b: joint(a, b), hi),
            g=lambda a: add(mul(first(a), _total("sum", first, hi)), excess(a)),
        ),
        each_intro(a, lo, hi, row),
    )
    goal = eq(
        mean(lambda w: power(_total("sum", lambda k: value(k, w), hi), 2)),
        add(power(_total("sum", first, hi), 2), _total("sum", excess, hi)),
    )
    return implied(arithmetic(goal, outer), given)


# ---------------------------------------------------------------------- matrices


def matrix(name: str, rows: str, columns: str, *args: Term) -> Term:
    """Return a matrix, or a value of a random matrix."""
    return variable(name, f"M:{rows}:{columns}", args)


def unit(size: str) -> Term:
    """Return an identity matrix."""
    return build("I", (size,))


def times(*factors: Term) -> Term:
    """Return a product of matrices."""
    return build("mm", (), factors)


def transpose(t: Term) -> Term:
    """Return a transpose."""
    return build("T", (), [t])


def trace(*factors: Term) -> Term:
    """Return the trace of a product."""
    return build("tr", (), [times(*factors) if len(factors) > 1 else factors[0]])


def minus(a: Term, b: Term) -> Term:
    """Return a difference of matrices."""
    return build("+", (), [a, pf.scale(pf.number(-1), b)])


def equal(a: Term, b: Term) -> Term:
    """Return an equation of matrices."""
    return build("=", (), [a, b])


def zeros(rows: str, columns: str) -> Term:
    """Return a matrix of zeros."""
    return build("zero", (f"M:{rows}:{columns}",))


@derived
def equal_by_traces() -> Proof:
    """Tr AC = tr BC for every C → A = B: take (A − B)ᵀ for C."""
    a, b = matrix("A", "m", "n"), matrix("B", "m", "n")
    (given,) = under(forall("M:n:m", lambda c: eq(trace(a, c), trace(b, c))))
    gap = minus(a, b)
    flat = specialise(given, transpose(gap))
    goal = eq(trace(transpose(gap), gap), 0)
    zero = mp(pf.instance(axiom("trace_definite"), {"B": gap}), pf.psatz(goal, (1, [flat])))
    return implied(pf.linear(equal(a, b), (unit("m"), zero, unit("n"))), given)


def _mean_law(
    rows: str,
    columns: str,
    body: Callable[[Term], Term],
    value: Term,
    facts: Callable[[Term], Sequence[Proof]],
) -> Proof:
    """Prove that a mean of matrices has a value, from what facts(C) say of traces with C."""
    c = pf.fresh(f"M:{columns}:{rows}")
    left = mean(body)
    law = pf.sizes(axiom("mean_matrix"), {"m": rows, "n": columns})
    here = pf.instance(law, {"X": body, "B": c})
    same = arithmetic(eq(trace(left, c), trace(value, c)), here, *facts(c))
    rule = pf.sizes(lemma("equal_by_traces"), {"m": rows, "n": columns})
    return mp(pf.instance(rule, {"A": left, "B": value}), generalise(c, same))


@derived
def mean_of_matrix_product() -> Proof:
    """E[A X B] = A E[X] B."""
    a, b = matrix("A", "k", "m"), matrix("B", "n", "l")
    inner = mean(lambda o: matrix("X", "m", "n", o))

    def facts(c: Term) -> list[Proof]:
        values = {"X": lambda o: matrix("X", "m", "n", o), "B": times(b, c, a)}
        return [pf.instance(axiom("mean_matrix"), values)]

    return _mean_law(
        "k", "l", lambda o: times(a, matrix("X", "m", "n", o), b), times(a, inner, b), facts
    )


@derived
def mean_of_matrix_sum() -> Proof:
    """E[X + Y] = E[X] + E[Y]."""

    def first(o: Term) -> Term:
        return matrix("X", "m", "n", o)

    def second(o: Term) -> Term:
        return matrix("Y", "m", "n", o)

    def facts(c: Term) -> list[Proof]:
        return [axiom("mean_matrix", B=c, X=part) for part in (first, second)]

    value = build("+", (), [mean(first), mean(second)])
    return _mean_law("m", "n", lambda o: build("+", (), [first(o), second(o)]), value, facts)


@derived
def mean_of_matrix_constant() -> Proof:
    """E[A] = A."""
    a = matrix("A", "m", "n")
    return _mean_law("m", "n", lambda o: a, a, lambda c: [])


@derived
def definite_inverse() -> Proof:
    """VᵀAV has a trace > 0 for every V but zero → A A⁻¹ = I: A V = 0 makes V zero."""
    a, column = matrix("A", "n", "n"), "M:n:k"

    def none(t: Term) -> Term:
        return equal(t, zeros("n", "k"))

    (given,) = under(
        forall(
            column,
            lambda t: implies(negation(none(t)), lt(0, trace(transpose(t), a, t))),
        )
    )
    b = pf.fresh(column)
    flat, other = under(none(times(a, b)), negation(none(b)))
    positive = mp(specialise(given, b), other)
    gone = pf.congruence(flat, lambda t: trace(transpose(b), t))
    wrong = absurd(none(b), arithmetic(false(), positive, gone))
    every = generalise(b, implied(by_cases(none(b), assume(none(b)), wrong), flat))
    return implied(mp(pf.instance(axiom("injective_inverse"), {"A": a}), every), given)


@derived
def gram_definite() -> Proof:
    """0 < x → tr Vᵀ(BᵀB + x I)V > 0 for every V but zero."""
    b, column = matrix("B", "m", "n"), "M:n:k"
    (given,) = under(lt(0, x))
    t = pf.fresh(column)
    zero = equal(t, zeros("n", "k"))
    (other,) = under(negation(zero))
    size_ = trace(transpose(t), t)
    law = pf.sizes(axiom("trace_square"), {"m": "n", "n": "k"})
    own = pf.instance(law, {"B": t})
    moved = pf.instance(pf.sizes(axiom("trace_square"), {"n": "k"}), {"B": times(b, t)})
    definite = pf.instance(pf.sizes(axiom("trace_definite"), {"m": "n", "n": "k"}), {"B": t})
    none = discharge(eq(size_, 0), mp(other, mp(definite, assume(eq(size_, 0)))))
    positive = mp(lemma("positive_if_not_zero", x=size_), own, none)
    whole = build("+", (), [times(transpose(b), b), pf.scale(x, unit("n"))])
    goal = lt(0, trace(transpose(t), whole, t))
    found = pf.psatz(goal, (1, [moved]), (1, [given, positive]))
    return implied(generalise(t, discharge(other.conclusion, found)), given)


def write() -> None:
    """Derive all lemmas and write their certificates."""
    certificates = []
    for name, derive in _DERIVATIONS.items():
        fuel.left = BUDGET
        proof = derive()
        hypotheses = sorted(proof.hypotheses, key=lambda h: h.key)
        certificates.append(pf.certificate(name, proof, hypotheses))
        checked = trusted.check(certificates, library=False)
        fuel.left = BUDGET
        pf._LEMMAS.update(checked)
    text = ",\n".join(
        json.dumps(c, separators=(",", ":"), ensure_ascii=False) for c in certificates
    )
    LIBRARY.write_text(f"[\n{text}\n]\n", "utf-8")
    print(f"{len(certificates)} lemmas, {len(text) / 1024:.0f} KB")


if __name__ == "__main__":
    write()
