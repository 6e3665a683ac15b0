"""Rules of differentiation: proofs that a term has a derivative."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from mlnotes.trusted.normal import Monomial, normal, polynomial
from mlnotes.trusted.normal import build as from_polynomial
from mlnotes.trusted.terms import Term, close, fill, sizes

from .. import proofs as pf
from .. import words
from ..arithmetic import quotient
from ..errors import Unproved
from ..language import build, negated, variable
from ..proofs import (
    Proof,
    assume,
    axiom,
    convert,
    discharge,
    each_intro,
    eq,
    forall,
    generalise,
    implies,
    le,
    lemma,
    lt,
    mp,
    mul,
    specialise,
)
from ..search import Context

SMOOTH = {"exp": "derivative_exp", "log": "derivative_log", "sqrt": "derivative_sqrt"}


def has_derivative(body: Term, at: Term, value: Term) -> Term:
    """Return that the function with this body under a binder has a derivative at a point."""
    return build("deriv", (), [body, at, value])


def differentiable(name: str) -> Term:
    """Return that a function has a derivative everywhere, named by a prime."""

    def has(x: Term) -> Term:
        body = pf.bind("R", lambda t: variable(name, "R", [t]))
        return has_derivative(body, x, variable(name + "'", "R", [x]))

    return forall("R", has)


def plain(t: Term) -> str:
    """Return a term in plain text."""
    from ..rendering import plain

    return str(plain(t))


def mentions(t: Term, s: Term) -> bool:
    """Say whether a symbol occurs in a term."""
    return (s.data[0], s.data[1], ()) in t.free


def at_point(t: Term, s: Term, x: Term) -> Term:
    """Return a term with a value for a symbol."""
    return fill(close(t, s), (x,))


def differentiate(t: Term, s: Term, x: Term) -> Proof:
    """Prove what the derivative of a term in a symbol s is at x.

    Where a rule has a condition (a logarithm of a positive number, a reciprocal of a number that
    is not zero), the condition is a hypothesis of what is returned.
    """
    found = _derived(t, s, x)
    value = found.conclusion.args[2]
    return convert(found, has_derivative(close(t, s), x, normal(value)))


def _derived(t: Term, s: Term, x: Term) -> Proof:
    """Differentiate by the rule of the outermost operation, such as (fg)′ = f′g + fg′."""
    if not mentions(t, s):
        return axiom("derivative_constant", x=x, y=t)
    if t is s:
        return axiom("derivative_identity", x=x)
    if t.op == "+":
        return _folded("derivative_sum", t, s, x)
    if t.op == "*":
        return _folded("derivative_product", t, s, x)
    if t.op == "pow" and t.data[0] > 1:
        return _folded("derivative_product", build("*", (), t.args * t.data[0]), s, x)
    if t.op == "sum":
        return _sum(t, s, x)
    if t.op == "log" and t.args[0].op == "det":
        return _log_determinant(t, s, x)
    if t.op == "det":
        return _of_matrix("derivative_determinant", t.args[0], s, x)
    if t.op in SMOOTH or t.op == "inv":
        return _chain(t, s, x)
    if t.op == "v" and len(t.args) == 1 and t.args[0].sort == "R":
        return _chain(t, s, x)
    flat = normal(t)
    if t.op in ("dot", "pow", "prod", "tr") and flat.op != t.op:
        return differentiate(flat, s, x)
    if t.op == "tr":
        return _trace(flat, s, x)
    raise Unproved(f"{plain(t)} has no derivative by the rules known here")


def _folded(name: str, t: Term, s: Term, x: Term) -> Proof:
    """Differentiate a sum or product from the left."""
    left, found = t.args[0], differentiate(t.args[0], s, x)
    for right in t.args[1:]:
        more = differentiate(right, s, x)
        rule = axiom(
            name,
            f=function_of(left, s),
            g=function_of(right, s),
            x=x,
            y=found.conclusion.args[2],
            z=more.conclusion.args[2],
        )
        found = mp(rule, found, more)
        left = build(t.op, (), [left, right])
        value = normal(found.conclusion.args[2])
        found = convert(found, has_derivative(close(left, s), x, value))
    return found


def _chain(t: Term, s: Term, x: Term) -> Proof:
    """Differentiate a function of a term; the condition of its derivative is a hypothesis."""
    (inner,) = t.args
    before = differentiate(inner, s, x)
    at = at_point(inner, s, x)

    def outer(z: Term) -> Term:
        return build(t.op, t.data, [z])

    if t.op == "v":
        known = specialise(assume(differentiable(t.data[0])), at)
    elif t.op == "inv":
        known = mp(axiom("derivative_inv", x=at), assume(negated(eq(at, 0))))
    elif t.op == "exp":
        known = axiom("derivative_exp", x=at)
    else:
        known = mp(axiom(SMOOTH[t.op], x=at), assume(lt(0, at)))
    rule = axiom(
        "derivative_chain",
        f=outer,
        g=function_of(inner, s),
        x=x,
        y=known.conclusion.args[2],
        z=before.conclusion.args[2],
    )
    return mp(rule, before, known)


def _sum(t: Term, s: Term, x: Term) -> Proof:
    """Differentiate a sum term by term."""
    low, high, body = t.args
    if mentions(low, s) or mentions(high, s) or body.sort != "R":
        raise Unproved(f"{plain(t)} has no derivative by the rules known here")
    i = pf.fresh("Z", "i")
    found = differentiate(fill(body, (i,)), s, x)
    inside = assume(le(low, i)), assume(le(i, high))
    for h in sorted(found.hypotheses, key=lambda h: h.key):
        if mentions(h, i):
            every = forall("Z", ranged_over(low, high, h, i))
            found = mp(discharge(h, found), mp(specialise(assume(every), i), *inside))
    value = found.conclusion.args[2]
    rule = lemma(
        "derivative_of_sum",
        lo=low,
        hi=high,
        x=x,
        g=function_of(value, i),
        f=lambda k, u: fill(close(at_point(fill(body, (i,)), s, u), i), (k,)),
    )
    return mp(rule, each_intro(i, low, high, found))


def _trace(t: Term, s: Term, x: Term) -> Proof:
    """Differentiate the trace of a word in which s occurs in one inverse."""
    letters = words.letters_of(t)
    inside = [k for k, a in enumerate(letters) if mentions(a, s)]
    if len(inside) != 1 or letters[inside[0]].op != "minv":
        raise Unproved(f"{plain(t)} has no derivative by the rules known here")
    (k,) = inside
    a = letters[k].args[0]
    rest = [*letters[k + 1 :], *letters[:k]]
    other = words.product(*rest) if rest else build("I", (sizes(a.sort)[0],))
    return _of_matrix("derivative_matrix_inverse", a, s, x, D=other)


def _of_matrix(name: str, a: Term, s: Term, x: Term, **more: Term) -> Proof:
    """Use a law for a function of the matrix A + s B, whose value at x has an inverse."""
    parts: list[Term] = []
    for power in (0, 1):
        addends = []
        for word, p in words.words_of(a).items():
            kept = {}
            for m, c in p.items():
                powers = dict(m)
                if powers.pop(s, 0) == power:
                    kept[tuple(powers.items())] = c
                elif dict(m).get(s, 0) > 1 or any(mentions(b, s) for b in powers):
                    raise Unproved(f"{plain(a)} is not linear in the parameter")
            if kept:
                unit = word or (build("I", (sizes(a.sort)[0],)),)
                addends.append(pf.scale(from_polynomial(kept), words.product(*unit)))
        zero = build("zero", (a.sort,))
        parts.append(pf.add(*addends) if len(addends) > 1 else addends[0] if addends else zero)
    first, second = parts
    here = normal(pf.add(first, pf.scale(x, second)))
    inverse = build("minv", (), [here])
    n = sizes(a.sort)[0]
    given = assume(words.equation(words.product(here, inverse), build("I", (n,))))
    values = {"A": first, "B": second, "C": inverse, "x": x, **more}
    rule = lemma(name) if name == "derivative_determinant" else axiom(name)
    return mp(words.sized(rule, {"n": n}, **values), given)


def _log_determinant(t: Term, s: Term, x: Term) -> Proof:
    """Differentiate log det, where det A (1/det A) is one because det A is positive."""
    found = _chain(t, s, x)
    at = at_point(t.args[0], s, x)
    other = mp(lemma("not_zero_if_positive", x=at), assume(lt(0, at)))
    one = mp(axiom("inverse", x=at), other)
    value = polynomial(found.conclusion.args[2])
    pair = polynomial(mul(at, pf.inv(at)))
    ((unit, _),) = pair.items()
    kept: dict[Monomial, Fraction] = {}
    for m, c in value.items():
        rest = quotient(m, unit)
        if rest is None:
            raise Unproved("the derivative of a determinant is not a multiple of it")
        kept[rest] = c
    new = from_polynomial(kept)
    same = pf.psatz(eq(found.conclusion.args[2], new), (new, [one]))
    return with_value(found, new, same)


def ranged_over(low: Term, high: Term, h: Term, i: Term) -> Callable[[Term], Term]:
    """Return the function of an index that says h of the index of a range, in place of i."""
    return lambda k: implies(le(low, k), le(k, high), at_point(h, i, k))


def function_of(t: Term, s: Term) -> Callable[[Term], Term]:
    """Return the function of a symbol that a term is."""
    body = close(t, s)
    return lambda z: fill(body, (z,))


def with_value(found: Proof, value: Term, same: Proof) -> Proof:
    """Write a derivative in another form, to which it was shown to be equal."""
    body, at, _ = found.conclusion.args
    return pf.rewrite(same, found, lambda z: has_derivative(body, at, z))


def settled(context: Context, found: Proof) -> Proof:
    """Prove the conditions under which a derivative was found."""
    for h in sorted(found.hypotheses, key=lambda h: h.key):
        if normal(h) in context.known:
            shown = convert(context.known[normal(h)], h)
        elif h.op == "->" and h.args[1].op == "F" and h.args[0].op == "=":
            other = context.not_zero(h.args[0].args[0])
            if other is None:
                raise Unproved(f"nothing says that {plain(h.args[0].args[0])} is not zero")
            shown = convert(other, h)
        elif h.op == "<":
            positive = context.sign("positive", h.args[1])
            shown = convert(positive, h) if positive is not None else context.prove(h)
        elif h.op == "all" and h.args[0].op == "deriv":
            raise Unproved(f"nothing says that {h.args[0].args[0].data[0]} is differentiable")
        elif h.op == "all":
            i = pf.fresh(h.data[0], "i")
            inner = fill(h.args[0], (i,))
            shown = _settled_each(context, inner, i)
        else:
            shown = context.prove(h)
        if shown.conclusion is not h:
            shown = convert(shown, h)
        found = mp(discharge(h, found), shown)
    return found


def _settled_each(context: Context, p: Term, i: Term) -> Proof:
    """Prove a condition for every index of a range."""
    premises = []
    while p.op == "->" and p.args[1].op != "F":
        premises.append(p.args[0])
        p = p.args[1]
    inner = context.extended(*map(assume, premises))
    condition = settled(inner, assume(p))
    for h in reversed(premises):
        condition = discharge(h, condition)
    return generalise(i, condition)


def prove_derivative(context: Context, goal: Term) -> Proof:
    """Prove that a function has a given derivative at a point."""
    body, at, value = goal.args
    s = pf.fresh("R", "s")
    found = settled(context, differentiate(fill(body, (s,)), s, at))
    if normal(found.conclusion.args[2]) is normal(value):
        return convert(found, goal)
    same = context.prove(eq(found.conclusion.args[2], value))
    return convert(with_value(found, value, same), goal)
