"""Lemmas on exponentials, logarithms and roots."""

from __future__ import annotations

from .. import proofs as pf
from ..proofs import (
    Proof,
    add,
    assume,
    axiom,
    by_contradiction,
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
    power,
    rewrite,
    ring,
    sub,
)
from .notation import HALF, ZERO, arithmetic, derived, exp, implied, log, size, sqrt, under, x, y
from .order import reciprocal


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
    """Prove 0 < x → x ≤ y → log x ≤ log y, or both with <, from the order of exp."""
    positive, below = under(lt(0, x), pf.relation(op, x, y))
    larger = arithmetic(lt(0, y), positive, below)
    values = (mp(axiom("exp_log", x=x), positive), mp(axiom("exp_log", x=y), larger))
    above = assume(pf.relation(opposite, log(y), log(x)))
    turned = mp(lemma(rule, x=log(y), y=log(x)), above)
    wrong = arithmetic(false(), turned, below, *values)
    return implied(by_contradiction(pf.relation(op, log(x), log(y)), wrong), positive, below)


@derived
def log_tangent_line() -> Proof:
    """0 < x → 0 < y → log y ≤ log x + y/x − 1."""
    first, second = under(lt(0, x), lt(0, y))
    other = mp(lemma("inverse_positive", x=x), first)
    ratio = mul(y, inv(x))
    both = pf.psatz(lt(0, ratio), (1, [second, other]))
    tangent = mp(lemma("log_tangent", x=ratio), both)
    split = mp(lemma("log_product", x=y, y=inv(x)), second, other)
    turned = mp(lemma("log_inverse", x=x), first)
    goal = le(log(y), add(log(x), ratio, -1))
    return implied(arithmetic(goal, tangent, split, turned, products=1), first, second)


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
