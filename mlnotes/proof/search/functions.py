"""Exponentials, logarithms, roots and what else has laws of its own."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from mlnotes.trusted.normal import build, normal, plus, polynomial, vector
from mlnotes.trusted.rules import difference
from mlnotes.trusted.terms import Refused, Term, fill, shift, sizes

from .. import proofs as pf
from ..arithmetic import combine
from ..language import binomial_of
from ..proofs import Proof, axiom, each_intro, eq, generalise, le, lemma, lt, mp, mul, psatz
from .terms import atoms_of, function, square_root, subterms, sum_congruence

if TYPE_CHECKING:
    from .context import Context

PLACES = 6  # indices of a goal at which a term of a sum is looked for


def compare_exponentials(context: Context, goal: Term) -> Proof | None:
    """Compare two exponentials by their exponents."""
    if goal.op not in ("<=", "<") or goal.args[0].sort != "R":
        return None
    p = difference(goal, "R")
    ends = []
    for m, c in p.items():
        if m and (len(m) != 1 or m[0][0].op != "exp" or m[0][1] != 1):
            return None
        ends.append((c, m[0][0].args[0] if m else pf.number(0)))
    if len(ends) != 2 or ends[0][0] != -ends[1][0] or not any(p):
        return None
    (_, small), (_, large) = sorted(ends)
    inner = context.attempt(pf.relation(goal.op, small, large))
    if inner is None:
        return None
    name = "exp_monotone" if goal.op == "<=" else "exp_strictly_monotone"
    return combine(goal, [mp(lemma(name, x=small, y=large), inner)])


def compare_logarithms(context: Context, goal: Term) -> Proof | None:
    """Compare two logarithms by their arguments."""
    if goal.op not in ("<=", "<") or goal.args[0].sort != "R":
        return None
    p = difference(goal, "R")
    logs = [m[0][0] for m in p if len(m) == 1 and m[0][0].op == "log" and m[0][1] == 1]
    if len(p) != 2 or len(logs) != 2 or sum(p.values()) != 0:
        return None
    # The normal form of log x may have lost the form in which x is seen to be positive.
    written = {normal(t): t for t in subterms(goal) if t.op == "log"}
    small, large = (written.get(a, a).args[0] for a in sorted(logs, key=lambda a: p[((a, 1),)]))
    positive = context.sign("positive", small)
    below = context.attempt(pf.relation(goal.op, small, large)) if positive is not None else None
    if below is None:
        return None
    name = "log_monotone" if goal.op == "<=" else "log_strictly_monotone"
    return combine(goal, [mp(lemma(name, x=small, y=large), positive, below)])


def exponentiated(context: Context, goal: Term) -> Proof | None:
    """Prove t ≤ log u by exp t ≤ u, or log u ≤ t by u ≤ exp t."""
    if goal.op != "<=" or goal.args[0].sort != "R" or context.depth > 4 or context.exponentiated:
        return None
    p = difference(goal, "R")
    for m, c in p.items():
        if len(m) != 1 or m[0][0].op != "log" or m[0][1] != 1:
            continue
        u = m[0][0].args[0]
        rest = plus({}, {n: k for n, k in p.items() if n != m}, -1 / c)
        if len(polynomial(u)) < 2 and u.op != "sum":
            continue
        t = build(rest)
        raised = pf.build("exp", (), [t])
        ends = (raised, u) if c > 0 else (u, raised)
        inner = context.extended()
        inner.exponentiated = True
        positive = inner.sign("positive", ends[0])
        below = inner.attempt(le(*ends)) if positive is not None else None
        if below is not None:
            order = mp(lemma("log_monotone", x=ends[0], y=ends[1]), positive, below)
            return combine(goal, [order, axiom("log_exp", x=t)])
    return None


def _jensen_of_vectors(context: Context, goal: Term, left: Term) -> Proof | None:
    """Compare a convex function of a weighted mean of vectors with the mean of its values."""
    from ..derivatives import vector_convex

    convex = context.known.get(normal(vector_convex(left.data[0])))
    parts = vector(left.args[0])
    if convex is None or len(parts) != 1:
        return None
    ((total, scale),) = parts.items()
    if total.op != "sum":
        return None
    low, high, body = total.args
    inside = vector(body)
    ((at, factor),) = inside.items()
    weight = mul(shift(build(scale), 1), build(factor))
    i, inner = context.opened(low, high)
    sign = inner.sign("nonnegative", fill(weight, (i,)))
    whole = context.attempt(eq(pf.build("sum", (), [low, high, weight]), 1))
    if sign is None or whole is None:
        return None
    rule = lemma("jensen_of_vectors", lo=low, hi=high, w=function(weight), v=function(at))
    rule = pf.instance(rule, {"f": lambda t: pf.build("v", left.data, [t])})
    return combine(goal, [mp(rule, convex, each_intro(i, low, high, sign), whole)])


def by_jensen(context: Context, goal: Term) -> Proof | None:
    """Compare a convex function of a weighted mean with the mean of its values."""
    left = goal.args[0] if goal.op == "<=" else goal
    if goal.op == "<=" and left.op == "v" and [a.sort for a in left.args] == ["V"]:
        return _jensen_of_vectors(context, goal, left)
    if left.op != "v" or len(left.args) != 1 or left.args[0].op != "sum":
        return None
    from ..derivatives import property_of

    convex = context.known.get(normal(property_of(left.data[0], "convex")[0]))
    low, high, body = left.args[0].args
    if convex is None or body.op != "*" or len(body.args) != 2:
        return None
    i, inner = context.opened(low, high)
    for k in (0, 1):
        sign = inner.sign("nonnegative", fill(body.args[k], (i,)))
        total = pf.build("sum", (), [low, high, body.args[k]])
        whole = context.attempt(eq(total, 1)) if sign is not None else None
        if sign is None or whole is None:
            continue
        rule = lemma(
            "jensen",
            lo=low,
            hi=high,
            w=function(body.args[k]),
            g=function(body.args[1 - k]),
            f=lambda t: pf.build("v", left.data, [t]),
        )
        return combine(goal, [mp(rule, convex, each_intro(i, low, high, sign), whole)])
    return None


def _tangents(context: Context, goal: Term) -> list[Proof]:
    """Return that the exponentials of a goal lie above their tangents at each other."""
    found = [a.args[0] for a in atoms_of(goal) if a.op == "exp"]
    if not 0 < len(found) <= 3:
        return []
    at_zero = [lemma("exp_tangent_at", x=pf.number(0), y=y) for y in found]
    return at_zero + [lemma("exp_tangent_at", x=x, y=y) for x in found for y in found if x is not y]


def _log_tangents(context: Context, goal: Term) -> list[Proof]:
    """Return that the logarithms of an inequality lie below their tangents at each other."""
    if goal.op not in ("<=", "<"):
        return []
    found = [a.args[0] for a in atoms_of(goal) if a.op == "log"]
    if found and context.unrolled is not None:
        # A step of an induction compares with what was known before.
        known = [a for f in context.facts for a in atoms_of(f.conclusion)]
        found += [a.args[0] for a in known if a.op == "log"]
    found = list(dict.fromkeys(x.args[0] if x.op == "inv" else x for x in found))
    if not 1 < len(found) <= 4:
        return []
    signs = {x: context.sign("positive", x) for x in found}
    if None in signs.values():
        return []
    names = ["log_tangent_at"] if context.unrolled is None else ["log_tangent_line"]
    return [
        mp(lemma(name, x=x, y=y), signs[x], signs[y])
        for x in found
        for y in found
        for name in names
        if x is not y
    ]


def written_facts(context: Context, goal: Term) -> list[Proof]:
    """Return facts about squares, logarithms and roots in the form that is written."""
    out = [*_written_squares(goal), *_tangents(context, goal), *_log_tangents(context, goal)]
    out += [*_variances(goal), *_pascal(context, goal), *_one_term(context, goal)]
    out += _powers(context, goal)
    for t in subterms(goal):
        if t.op in ("sum", "E") and t.sort == "R" and len(polynomial(t.args[-1])) > 1:
            out += _written_sum(context, t)
            if t.op == "sum" and context.universal:
                out += _known_terms(context, t)
        if t.op in ("log", "sqrt") and t.args[0].op in (
            "*",
            "inv",
            "sqrt",
            "pow",
            "prod",
            "exp",
            "q",
        ):
            out += _unfolded(context, t)
    return out


def _pascal(context: Context, goal: Term) -> Iterator[Proof]:
    """Return Pascal's rule for a binomial beside which one of a smaller set is written."""
    written = {t: n for t in subterms(goal) if (n := binomial_of(t)) is not None}
    for t, n in written.items():
        before = pf.sub(n, 1)
        if any(normal(m) is normal(before) for m in written.values()):
            long = context.quick(le(1, t.args[1]))
            if long is not None:
                yield mp(lemma("pascal", i=before, j=t.args[1]), long)


def _powers(context: Context, goal: Term) -> Iterator[Proof]:
    """Return that a power is at least one, or at most that of an exponential which is written."""
    if goal.op not in ("<=", "<"):
        return
    parts = dict.fromkeys(subterms(goal))
    exponentials = any(t.op == "exp" for t in parts)
    for t in parts:
        if t.op != "prod" or t.loose or t.args[0] is not pf.whole(1) or 0 in t.args[2].indices:
            continue
        base, m = shift(t.args[2], -1), t.args[1]
        start = context.quick(le(0, m))
        large = context.sign("nonnegative", pf.sub(base, 1)) if start is not None else None
        if large is not None and base.op != "exp":
            large = psatz(le(1, base), (1, [large]))
            yield mp(lemma("power_at_least_one", x=base, m=m), large, start)
        sign = context.sign("nonnegative", base) if exponentials and start is not None else None
        if sign is not None and base.op != "exp":
            rule = lemma("power_below_exponential", x=base, m=m)
            yield _short(context, t, mp(rule, psatz(le(0, base), (1, [sign])), start))


def _short(context: Context, power: Term, below: Proof) -> Proof:
    """Return xᵐ ≤ exp t with what cancels in t cancelled, as n (1/n) does."""
    (exponent,) = below.conclusion.args[1].args
    found = context.reduced(exponent)
    if found is None:
        return below
    return pf.rewrite(found[0], below, lambda t: le(power, pf.build("exp", (), [t])))


def _one_term(context: Context, goal: Term) -> Iterator[Proof]:
    """Return that a sum of nonnegative terms is at least the one that a goal mentions beside it."""
    if goal.op not in ("<=", "<") or goal.args[0].sort != "R":
        return
    parts = dict.fromkeys(subterms(goal))
    places = [j for j in parts if j.sort == "Z" and j.loose == 0][:PLACES]
    alone = set(difference(goal, "R"))
    for t in parts:
        if t.op != "sum" or t.sort != "R" or t.loose:
            continue
        low, high, body = t.args
        for j in places:
            if polynomial(body).keys() & alone or not alone & polynomial(fill(body, (j,))).keys():
                continue
            inside = [context.quick(le(low, j)), context.quick(le(j, high))]
            i, inner = context.opened(low, high)
            sign = inner.sign("nonnegative", fill(body, (i,))) if None not in inside else None
            if sign is not None:
                signs = each_intro(i, low, high, psatz(le(0, fill(body, (i,))), (1, [sign])))
                rule = lemma("one_term_at_most_sum", lo=low, hi=high, j=j, f=function(body))
                yield mp(rule, *inside, signs)


def _known_terms(context: Context, t: Term) -> list[Proof]:
    """Return a sum whose terms, as they are written, are one side of a known equation."""
    low, high, body = t.args
    i, inner = context.opened(low, high)
    value = fill(body, (i,))
    for f in inner.instances_for(eq(value, 0)):
        p = f.conclusion
        if p.op == "=" and p.args[0].sort == "R" and normal(p.args[0]) is normal(value):
            equation = pf.convert(f, eq(value, p.args[1]))
            g = pf.abstracted(p.args[1], [i])
            return [sum_congruence(low, high, i, equation, body, g)]
    return []


def _written_sum(context: Context, t: Term) -> list[Proof]:
    """Return that a sum or mean of what is written as nonnegative is nonnegative."""
    if t.op == "E":
        w = pf.fresh("W", "ω")
        sign = context.extended().sign("nonnegative", fill(t.args[0], (w,)))
        if sign is None:
            return []
        return [mp(lemma("mean_nonnegative", f=function(t.args[0])), generalise(w, sign))]
    low, high, body = t.args
    i, inner = context.opened(low, high)
    sign = inner.sign("nonnegative", fill(body, (i,)))
    if sign is None:
        return []
    rule = lemma("sum_nonnegative", lo=low, hi=high, f=function(body))
    return [mp(rule, each_intro(i, low, high, sign))]


def _unfolded(context: Context, t: Term) -> list[Proof]:
    """Return the law for the logarithm or root of a product, quotient or power."""
    x = t.args[0]
    kind = "positive" if t.op == "log" else "nonnegative"
    found: Proof | None = None
    if x.op == "exp" and t.op == "log":
        return [axiom("log_exp", x=x.args[0])]
    if x.op == "*":
        y = x.args[1] if len(x.args) == 2 else mul(*x.args[1:])
        signs = [context.sign(kind, s) for s in (x.args[0], y)]
        if None in signs:
            return []
        found = mp(lemma(f"{t.op}_product", x=x.args[0], y=y), *signs)
        found = pf.convert(found, eq(t, found.conclusion.args[1]))
    elif x.op == "q":
        above, below = (pf.number(k) for k in x.data)
        if t.op != "log" or x.data[0] < 1 or x.data[1] == 1:
            return []
        written = mul(above, pf.inv(below)) if x.data[0] > 1 else pf.inv(below)
        return _unfolded(context, pf.build("log", (), [written]))
    elif x.op in ("inv", "sqrt", "pow"):
        inner = x.args[0]
        sign = context.sign(kind, inner)
        if sign is None:
            return []
        if x.op == "pow":
            return _unfolded_power(context, t)
        name = {"inv": "inverse", "sqrt": "root"}[x.op]
        if (t.op, name) == ("sqrt", "root"):
            return []
        found = mp(lemma(f"{t.op}_{name}", x=inner), sign)
    elif x.op == "prod" and t.op == "log":
        i, opened = context.opened(*x.args[:2])
        sign = opened.sign("positive", fill(x.args[2], (i,)))
        if sign is None:
            return []
        rule = lemma("log_of_product", lo=x.args[0], hi=x.args[1], f=function(x.args[2]))
        found = mp(rule, each_intro(i, x.args[0], x.args[1], sign))
    if found is None:
        return []
    out = [found]
    if x.op == "prod" and 0 not in x.args[2].indices:
        # A power: its logarithm is a multiple, once the factors are counted.
        out += context.facts_of_sum(pf.build("sum", (), [*x.args[:2], pf.number(1)]))
    for s in subterms(found.conclusion.args[1]):
        if s.op == t.op and s.args[0].op in ("*", "inv", "sqrt", "pow", "prod", "exp"):
            out += _unfolded(context, s)
    return out


def _unfolded_power(context: Context, t: Term) -> list[Proof]:
    """Return what f(xⁿ) is by the rule of a product, xⁿ being x·xⁿ⁻¹."""
    (n,), (base,) = t.args[0].data, t.args[0].args
    if n < 2:
        return []
    rest = base if n == 2 else pf.power(base, n - 1)
    product = pf.build(t.op, (), [mul(base, rest)])
    found = _unfolded(context, product)
    return [pf.convert(f, eq(t, f.conclusion.args[1])) if f is found[0] else f for f in found]


def _exponential(context: Context, x: Term) -> Iterator[Proof]:
    """Yield exp(x) > 0, the tangent 1 + x ≤ exp(x), and exp(±log y) = y^(±1)."""
    yield lemma("exp_positive", x=x)
    if context.depth <= 3:
        yield axiom("exp_tangent", x=x)
    for m, c in polynomial(x).items():
        if len(m) == 1 and m[0][0].op == "log" and m[0][1] == 1 and abs(c) == 1:
            y = m[0][0].args[0]
            positive = context.sign("positive", y)
            if positive is None and context.depth <= 1 and len(polynomial(y)) > 1:
                positive = context.attempt(lt(0, y))
            if positive is not None:
                name = "exp_log" if c == 1 else "exp_minus_log"
                rule = axiom(name, x=y) if c == 1 else lemma(name, x=y)
                undone = mp(rule, positive)
                yield undone
                rest = plus(polynomial(x), {m: c}, Fraction(-1))
                if rest:
                    other = pf.build("exp", (), [build(rest)])
                    whole = pf.build("exp", (), [x])
                    value = undone.conclusion.args[1]
                    yield psatz(eq(whole, mul(other, value)), (other, [undone]))


def _logarithm(context: Context, x: Term) -> Iterator[Proof]:
    """Yield, for x > 0, the tangents of log at 1, exp(log x) = x, and logarithms of products."""
    positive = context.sign("positive", x)
    if x.op == "exp":
        yield axiom("log_exp", x=x.args[0])
    if positive is None:
        return
    yield mp(lemma("log_tangent", x=x), positive)
    yield mp(lemma("log_tangent_below", x=x), positive)
    yield mp(axiom("exp_log", x=x), positive)
    if any(a.op == "sum" for m in polynomial(x) for a, _ in m):
        simpler = context.reduced(x)
        if simpler is not None:
            yield pf.congruence(simpler[0], lambda t: pf.build("log", (), [t]))
    if len(polynomial(x)) > 1:
        above = context.sign("nonnegative", pf.sub(x, 1))
        if above is not None:
            large = psatz(le(1, x), above)
            yield mp(lemma("log_nonnegative", x=x), large)
    yield from _log_factors(context, x)


def _log_factors(context: Context, x: Term) -> Iterator[Proof]:
    """Write the logarithm of a product as a sum."""
    p = polynomial(x)
    if len(p) != 1:
        return
    ((m, c),) = p.items()
    factors = [pf.number(c)] if c != 1 else []
    for a, k in m:
        factors += [a] * k
    if x.op == "inv" or (len(factors) == 1 and factors[0].op == "inv"):
        y = factors[0].args[0]
        positive = context.sign("positive", y)
        if positive is not None:
            yield pf.convert(
                mp(lemma("log_inverse", x=y), positive),
                eq(pf.build("log", (), [x]), pf.neg(pf.build("log", (), [y]))),
            )
        return
    while len(factors) > 1:
        first, rest = factors[0], factors[1:]
        y = rest[0] if len(rest) == 1 else mul(*rest)
        signs = [context.sign("positive", t) for t in (first, y)]
        if None in signs:
            return
        yield mp(lemma("log_product", x=first, y=y), *signs)
        if first.op == "inv":
            yield from _log_factors(context, first)
        factors = rest
    if factors and factors[0].op == "inv" and x.op != "inv":
        yield from _log_factors(context, factors[0])


def _root(context: Context, x: Term) -> Iterator[Proof]:
    """Yield √x ≥ 0, its square, and the roots of squares and of products."""
    yield axiom("sqrt_nonnegative", x=x)
    sign = context.sign("nonnegative", x)
    if sign is not None:
        yield mp(axiom("sqrt_square", x=x), sign)
    positive = context.sign("positive", x)
    if positive is not None:
        yield mp(lemma("sqrt_positive", x=x), positive)
    p = polynomial(x)
    if len(p) != 1:
        return
    ((m, c),) = p.items()
    root = square_root(p)
    if root is not None:
        yield pf.convert(
            lemma("sqrt_of_square", x=root),
            eq(pf.build("sqrt", (), [x]), pf.build("abs", (), [root])),
        )
        return
    factors = ([pf.number(c)] if c != 1 else []) + [a if k == 1 else pf.power(a, k) for a, k in m]
    if len(factors) > 1:
        y = factors[1] if len(factors) == 2 else mul(*factors[1:])
        signs = [context.sign("nonnegative", t) for t in (factors[0], y)]
        if None not in signs:
            yield mp(lemma("sqrt_product", x=factors[0], y=y), *signs)


def _absolute(context: Context, x: Term) -> Iterator[Proof]:
    """Yield |x| ≥ x, |x| ≥ -x, |x| ≥ 0, |x|² = x², and |xy| = |x||y| for products."""
    yield lemma("abs_at_least", x=x)
    yield lemma("abs_at_least_opposite", x=x)
    yield lemma("abs_at_least_zero", x=x)
    yield lemma("abs_squared", x=x)
    p = polynomial(x)
    if len(p) == 1:
        ((m, c),) = p.items()
        factors = ([pf.number(c)] if c != 1 else []) + [
            a if k == 1 else pf.power(a, k) for a, k in m
        ]
        if len(factors) > 1:
            y = factors[1] if len(factors) == 2 else mul(*factors[1:])
            yield lemma("abs_product", x=factors[0], y=y)
    up = context.sign("nonnegative", x)
    if up is not None:
        yield mp(axiom("abs_nonnegative", x=x), up)
        return
    down = context.sign("nonnegative", pf.neg(x))
    if down is not None:
        weak = combine(le(x, 0), [down])
        assert weak is not None
        yield mp(axiom("abs_nonpositive", x=x), weak)


def _reciprocal(context: Context, x: Term) -> Iterator[Proof]:
    """Yield x · (1/x) = 1 where x is not zero, and the sign of 1/x from that of x."""
    other = context.not_zero(x)
    if other is not None:
        yield mp(axiom("inverse", x=x), other)
    positive = context.sign("positive", x)
    if positive is not None:
        yield mp(lemma("inverse_positive", x=x), positive)
        return
    sign = context.sign("nonnegative", x)
    if sign is not None:
        yield mp(lemma("inverse_nonnegative", x=x), sign)
        return
    if other is not None and len(polynomial(x)) > 1:
        opposite = context.sign("positive", pf.neg(x))
        if opposite is not None:
            negative = combine(lt(x, 0), [opposite])
            assert negative is not None
            below = mp(lemma("inverse_negative", x=x), negative)
            yield pf.convert(below, lt(0, pf.neg(pf.inv(x))))


def extreme(context: Context, a: Term) -> Iterator[Proof]:
    """Return what is known of a maximum or a minimum."""
    x, y = a.args
    for s, t in ((x, y), (y, x)):
        if a.op == "max":
            yield pf.convert(lemma("max_at_least", x=s, y=t), le(s, a))
        else:
            yield pf.convert(lemma("min_at_most", x=s, y=t), le(a, s))
        below = context.quick(le(s, t))
        if below is None and not polynomial(s):
            below = context.structural_sign("nonnegative", le(0, t), polynomial(t))
        if below is not None:
            found = mp(axiom(f"{a.op}_of", x=s, y=t), below)
            yield pf.convert(found, eq(a, found.conclusion.args[1]))


FUNCTIONS: dict[str, Callable[[Context, Term], Iterator[Proof]]] = {
    "exp": _exponential,
    "log": _logarithm,
    "sqrt": _root,
    "abs": _absolute,
    "inv": _reciprocal,
}


def powers_of_exponentials(atoms: Iterable[Term], facts: Iterable[Proof]) -> list[Proof]:
    """Return what known exponentials say about their powers: eˣ = s and e³ˣ = s³."""
    wanted = [(a, polynomial(a.args[0])) for a in atoms if a.op == "exp"]
    out = []
    for fact in facts if wanted else ():
        if fact.conclusion.op != "=" or not any(s.op == "exp" for s in fact.conclusion.args):
            continue
        fact = fact if fact.conclusion.args[0].op == "exp" else pf.symmetric(fact)
        base, value = fact.conclusion.args
        p = polynomial(base.args[0])
        for atom, q in wanted:
            times_ = q[next(iter(q))] / p[next(iter(q))] if {*p} == {*q} and p else Fraction(1)
            power = abs(int(times_))
            if times_ == 1 or power != abs(times_) or q != {m: times_ * c for m, c in p.items()}:
                continue

            def raised(x: Term, power: int = power, down: bool = times_ < 0) -> Term:
                x = pf.build("pow", (power,), [x])
                return pf.build("inv", (), [x]) if down else x

            with contextlib.suppress(Refused):
                same = pf.congruence(fact, raised)
                out.append(pf.convert(same, eq(atom, raised(value))))
    return out


def _variances(goal: Term) -> list[Proof]:
    """Return that the variances of what has a squared mean in an inequality are nonnegative."""
    if goal.op not in ("<=", "<") or goal.args[0].sort != "R":
        return []
    out = []
    for m in difference(goal, "R"):
        for a, k in m:
            if a.op == "E" and k == 2:
                w = pf.fresh("W", "ω")
                gap = pf.sub(fill(a.args[0], (w,)), a)
                square = pf.power(gap, 2)
                sign = psatz(le(0, square), (1, [], [gap]))
                body = pf.abstracted(square, [w])
                rule = lemma("mean_nonnegative", f=function(body))
                out.append(mp(rule, generalise(w, sign)))
    return out


def _is_gram(factors: Sequence[Term]) -> bool:
    """Say whether a product is written BᵀB."""
    return len(factors) == 2 and factors[0].op == "T" and factors[0].args[0] is factors[1]


def _written_squares(goal: Term) -> list[Proof]:
    """Return that what is written as a square is nonnegative."""
    out = []
    for t in subterms(goal):
        if t.op == "dot" and t.args[0] is t.args[1] and t.args[0].op != "v":
            out.append(axiom("square_nonnegative", u=t.args[0]))
        elif t.op == "pow" and t.sort == "R" and t.data[0] % 2 == 0 and t.args[0].op == "+":
            root = t.args[0] if t.data[0] == 2 else pf.power(t.args[0], t.data[0] // 2)
            out.append(psatz(le(0, t), (1, [], [root])))
        elif t.op == "tr" and t.args[0].op == "mm" and _is_gram(t.args[0].args):
            second = t.args[0].args[-1]
            names = dict(zip("mn", sizes(second.sort), strict=True))
            out.append(pf.instance(pf.sizes(axiom("trace_square"), names), {"B": second}))
        elif t.op == "pow" and t.data[0] == 2 and t.args[0].op == "dot":
            first, second = t.args[0].args
            out.append(lemma("cauchy_schwarz", u=first, v=second))
    return out
