"""Derivatives: gradients, declared properties of functions, and proofs by the second derivative.

A gradient has its meaning from the kernel's proposition ``deriv``: g is the gradient of f at w if
t ↦ f(w + t h) has the derivative ⟨g, h⟩ at 0 for every h; for a number x, if f has the derivative g
at x; for a matrix W, if t ↦ f(W + t H) has the derivative tr GᵀH at 0 for every H;
for a member x[k] of a family, if t ↦ f with x[k] + t (or x[k] + t h) in its place does.
:func:`grad` finds g by the rules of differentiation and stands for it in terms; that it is the
gradient is proved in every derivation that uses it, and part of what its theorem says. Nothing here
is trusted.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from mlnotes.trusted.normal import Monomial, normal, polynomial
from mlnotes.trusted.normal import build as from_polynomial
from mlnotes.trusted.terms import Refused, Term, Variable, close, fill, instantiate, sizes

from . import proofs as pf
from . import words
from .arithmetic import quotient
from .errors import IllTyped, Unproved, Vacuous
from .language import (
    Definition,
    Expr,
    Family,
    Function,
    Statement,
    Sum,
    _as,
    _shown,
    build,
    define,
    exp,
    negated,
    number,
    replaced,
    say,
    statement,
    term_of,
    unfolded,
    variable,
    variable_of,
)
from .named_rules import Renaming, Rule
from .proofs import (
    Proof,
    assume,
    axiom,
    by_order,
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
from .search import Context, _subterms

# ---------------------------------------------------------------------- derivatives

SMOOTH = {"exp": "derivative_exp", "log": "derivative_log", "sqrt": "derivative_sqrt"}


def has_derivative(body: Term, at: Term, value: Term) -> Term:
    """Return that the function with this body under a binder has a derivative at a point."""
    return build("deriv", (), [body, at, value])


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
    raise Unproved(f"{_plain(t)} has no derivative by the rules known here")


def _folded(name: str, t: Term, s: Term, x: Term) -> Proof:
    """Differentiate a sum or product from the left."""
    left, found = t.args[0], differentiate(t.args[0], s, x)
    for right in t.args[1:]:
        more = differentiate(right, s, x)
        rule = axiom(
            name,
            f=_function(left, s),
            g=_function(right, s),
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
        g=_function(inner, s),
        x=x,
        y=known.conclusion.args[2],
        z=before.conclusion.args[2],
    )
    return mp(rule, before, known)


def _sum(t: Term, s: Term, x: Term) -> Proof:
    """Differentiate a sum term by term."""
    low, high, body = t.args
    if mentions(low, s) or mentions(high, s) or body.sort != "R":
        raise Unproved(f"{_plain(t)} has no derivative by the rules known here")
    i = pf.fresh("Z", "i")
    found = differentiate(fill(body, (i,)), s, x)
    inside = assume(le(low, i)), assume(le(i, high))
    for h in sorted(found.hypotheses, key=lambda h: h.key):
        if mentions(h, i):
            every = forall("Z", _ranged(low, high, h, i))
            found = mp(discharge(h, found), mp(specialise(assume(every), i), *inside))
    value = found.conclusion.args[2]
    rule = lemma(
        "derivative_of_sum",
        lo=low,
        hi=high,
        x=x,
        g=_function(value, i),
        f=lambda k, u: fill(close(at_point(fill(body, (i,)), s, u), i), (k,)),
    )
    return mp(rule, each_intro(i, low, high, found))


def _trace(t: Term, s: Term, x: Term) -> Proof:
    """Differentiate the trace of a word in which s occurs in one inverse."""
    letters = words.letters_of(t)
    inside = [k for k, a in enumerate(letters) if mentions(a, s)]
    if len(inside) != 1 or letters[inside[0]].op != "minv":
        raise Unproved(f"{_plain(t)} has no derivative by the rules known here")
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
                    raise Unproved(f"{_plain(a)} is not linear in the parameter")
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
    return mp(words.sized(axiom(name), {"n": n}, **values), given)


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


def _ranged(low: Term, high: Term, h: Term, i: Term) -> Callable[[Term], Term]:
    return lambda k: implies(le(low, k), le(k, high), at_point(h, i, k))


def _function(t: Term, s: Term) -> Callable[[Term], Term]:
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
                raise Unproved(f"nothing says that {_plain(h.args[0].args[0])} is not zero")
            shown = convert(other, h)
        elif h.op == "<":
            positive = context.sign("positive", h.args[1])
            shown = convert(positive, h) if positive is not None else context.prove(h)
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


# ---------------------------------------------------------------------- gradients

# What a gradient that stands in a term is: proved where the term is used, and never assumed.
FOUND: dict[Term, Proof] = {}


class Gradient(Expr):
    """The gradient of a term, which knows of what it is one."""

    __slots__ = ("says",)
    says: Callable[[Term], Term]

    def __init__(self, folded: Term, assumes: Sequence[Term], says: Callable[[Term], Term]) -> None:
        super().__init__(folded, assumes)
        self.says = says

    def xreplace(self, values: Mapping[Any, Any]) -> Gradient:
        """Return the gradient for particular values of real symbols."""
        names = {variable_of(k): _as(k.sort, term_of(v)) for k, v in values.items()}
        fact = pf.substitute(FOUND[self.says(self.term)], list(names.items()))
        FOUND[fact.conclusion] = fact
        rest = [a for a in self.assumes if a not in FOUND]

        def says(g: Term) -> Term:
            return instantiate(self.says(g), names)

        return Gradient(replaced(self, names), [*rest, fact.conclusion], says)


def grad(f: Any, w: Any, given: Sequence[Any] = ()) -> Gradient:
    """Return the gradient of a number in a number, a vector or a member of a family.

    Parameters
    ----------
    f : expression
        The term.
    w : symbol or member of a family
        What it is differentiated in. For a member ``a[k]`` give the range of k in ``given``.
    given : sequence of statements, default=()
        What says that the index of a member is in the range of the sums in f.
    """
    f, w = term_of(f), term_of(w)
    if f.sort not in ("R", "Z"):
        raise IllTyped(f"{f!r} is {say(f.sort)}: only numbers have gradients")
    x, t = w.term, _as("R", f)
    linear = x.sort in ("R", "V") or (sizes(x.sort) and not x.args)
    if x.op != "v" or not linear or any(a.sort != "Z" for a in x.args):
        raise IllTyped(f"{w!r} is not a number, a vector, a matrix or a member of a family")
    s = pf.fresh("R", "s")
    h = pf.fresh(x.sort if x.sort != "R" else "V", "h")
    if x.sort == "R" and not x.args:
        moved, at = at_point(t, x, s), x
    else:
        moved, at = _moved_along(t, x, s, h), number(0)
    found = differentiate(moved, s, at)
    found = _without_deltas(found, [statement(g).term for g in given])
    body, _, value = found.conclusion.args
    if x.sort == "R":

        def says(g: Term) -> Term:
            return has_derivative(body, at, g)

        result, fact = value, found
    else:
        result = _stripped(value, h)
        fact = convert(found, has_derivative(body, at, _along(result, h)))
        fact = _generalised(fact, h)

        def says(g: Term) -> Term:
            along = has_derivative(body, at, _along(g, h))
            return build("all", (h.sort,), [close(along, h)])

    FOUND[fact.conclusion] = fact
    carried = [*f.assumes, *w.assumes, fact.conclusion]
    return Gradient(_named(_shown("R", f), w.folded, result), carried, says)


def _named(f: Term, w: Term, value: Term) -> Term:
    """Return the name ∇f of a gradient, which a page shows before it is evaluated."""
    free = sorted(v for v in unfolded(f).free | f.free | w.free | value.free if not v[2])
    variables = tuple(variable(*v[:2]) for v in free)
    body, written, along = (pf.abstracted(t, variables) for t in (value, f, w))
    shown = Definition("∇", variables, body, written, form="gradient", along=(w, along))
    return define(value.sort, shown)


def _along(g: Term, h: Term) -> Term:
    """Return the slope in a direction: the inner product of a gradient with it."""
    if h.sort == "V":
        return build("dot", (), [g, h])
    return build("tr", (), [build("mm", (), [build("T", (), [g]), h])])


def _generalised(fact: Proof, h: Term) -> Proof:
    for p in sorted(fact.hypotheses, key=lambda p: p.key):
        if mentions(p, h):
            every = build("all", (h.sort,), [close(p, h)])
            fact = mp(discharge(p, fact), specialise(assume(every), h))
    return generalise(h, fact)


def _moved_along(t: Term, x: Term, s: Term, h: Term) -> Term:
    """Return a term with s, or s h, added to a vector or to one member of a family."""
    name, sort = x.data
    generic = [pf.fresh("Z", "i") for _ in x.args]
    step = [build("ind", (), [eq(i, k)]) for i, k in zip(generic, x.args, strict=True)]
    change = mul(s, *step) if step else s
    change = pf.scale(change, h) if sort != "R" else change
    body = pf.add(variable(name, sort, generic), change)
    return instantiate(t, {variable_of(Expr(x)): pf.abstracted(body, generic)})


def _without_deltas(found: Proof, given: Sequence[Term]) -> Proof:
    """Write Σₖ [k = j] f(k) as f(j) in a derivative, where j is in the range of the sum."""
    context = Context(map(assume, given))
    for _ in range(20):
        value = found.conclusion.args[2]
        same = next((d for a in _sums(value) if (d := _delta(context, a)) is not None), None)
        if same is None:
            return found
        a = same.conclusion.args[0]
        p = polynomial(value)
        new = _replaced(p, a, polynomial(same.conclusion.args[1]))
        equal = pf.psatz(eq(value, new), *_multiples(value, new, same))
        found = with_value(found, new, equal)
    return found


def _sums(value: Term) -> list[Term]:
    return [a for m in polynomial(value) for a, _ in m if a.op == "sum"]


def _delta(context: Context, a: Term) -> Proof | None:
    try:
        return context._delta(a)
    except (Unproved, Refused):
        return None


def _replaced(p: Any, a: Term, by: Any) -> Term:
    from mlnotes.trusted.normal import plus, times

    out: Any = {}
    for m, c in p.items():
        power = dict(m).get(a, 0)
        rest: Any = {tuple(f for f in m if f[0] is not a): c}
        for _ in range(power):
            rest = times(rest, by)
        out = plus(out, rest)
    return from_polynomial(out)


def _multiples(value: Term, new: Term, same: Proof) -> list[tuple[Term, list[Proof]]]:
    """Return the multiple of a = b by which a polynomial that is linear in a changes."""
    a = same.conclusion.args[0]
    factor = {}
    for m, c in polynomial(value).items():
        powers = dict(m)
        if powers.get(a) == 1:
            factor[tuple(f for f in m if f[0] is not a)] = c
        elif a in powers:
            raise Unproved("a derivative with a power of a sum of deltas")
    return [(from_polynomial(factor), [same])]


def _stripped(value: Term, h: Term) -> Term:
    """Return v from a term that is ⟨v, h⟩ by calculation."""
    parts = []
    for m, c in polynomial(value).items():
        part = _stripped_monomial(m, h)
        parts.append(part if c == 1 else pf.scale(number(c), part))
    if not parts:
        return build("zero", (h.sort,))
    return parts[0] if len(parts) == 1 else build("+", (), parts)


def _stripped_monomial(m: Monomial, h: Term) -> Term:
    along = [(a, k) for a, k in m if mentions(a, h)]
    if len(along) != 1 or along[0][1] != 1 or along[0][0].op not in ("dot", "sum", "tr"):
        raise Unproved("the derivative is not linear in the direction")
    a = along[0][0]
    rest = [f for f in m if f[0] is not a]
    if a.op == "tr":
        inner = _stripped_word(words.letters_of(a), h)
    elif a.op == "dot":
        if h not in a.args:
            raise Unproved("the derivative is not linear in the direction")
        inner = a.args[1] if a.args[0] is h else a.args[0]
        if mentions(inner, h):
            raise Unproved("the derivative is not linear in the direction")
    else:
        low, high, body = a.args
        i = pf.fresh("Z", "i")
        inner = build("sum", (), [low, high, close(_stripped(fill(body, (i,)), h), i)])
    if not rest:
        return inner
    return pf.scale(from_polynomial({tuple(rest): Fraction(1)}), inner)


def _stripped_word(letters: Sequence[Term], h: Term) -> Term:
    """Return G from a word whose trace is that of GᵀH."""
    if h not in letters:
        back = normal(build("T", (), [words.product(*letters)]))
        letters = back.args if back.op == "mm" else (back,)
    if sum(mentions(a, h) for a in letters) != 1 or h not in letters:
        raise Unproved("the derivative is not linear in the direction")
    k = list(letters).index(h)
    rest = [*letters[k + 1 :], *letters[:k]]
    if not rest:
        return build("I", (sizes(h.sort)[0],))
    return normal(build("T", (), [words.product(*rest)]))


def is_found(p: Term) -> bool:
    """Say whether a proposition is what a gradient says, to be proved and not assumed."""
    return p in FOUND


def proved(context: Context, p: Term) -> Proof:
    """Prove what a gradient says."""
    return settled(context, FOUND[p])


def under_index(assumes: Sequence[Term], i: Term, low: Term, high: Term) -> tuple[Term, ...]:
    """Return what terms carry, where the index of a sum or quantifier is bound."""
    out = []
    for a in assumes:
        if a in FOUND and mentions(a, i):
            fact = FOUND[a]
            inside = assume(le(low, i)), assume(le(i, high))
            for h in sorted(fact.hypotheses, key=lambda h: h.key):
                same = [p for p in inside if normal(p.conclusion) is normal(h)]
                if same:
                    fact = mp(discharge(h, fact), same[0])
                elif mentions(h, i):
                    every = forall("Z", _ranged(low, high, h, i))
                    fact = mp(discharge(h, fact), mp(specialise(assume(every), i), *inside))
            fact = each_intro(i, low, high, fact)
            FOUND[fact.conclusion] = fact
            out.append(fact.conclusion)
        else:
            out.append(a)
    return tuple(out)


def renamed(gradient: Gradient, says: Proof, same: Proof) -> Proof:
    """Conclude that what equals a gradient is the gradient."""
    value = same.conclusion.args[1]
    if value.sort == "R":
        return pf.rewrite(same, says, gradient.says)
    return convert(pf.rewrite(same, says, gradient.says), gradient.says(value))


# ---------------------------------------------------------------------- functions


def differentiable(name: str) -> Term:
    """Return that a function has a derivative everywhere, named by a prime."""
    return _everywhere(name)


def _everywhere(name: str) -> Term:
    def has(x: Term) -> Term:
        body = pf.bind("R", lambda t: variable(name, "R", [t]))
        return has_derivative(body, x, variable(name + "'", "R", [x]))

    return forall("R", has)


def _chords(name: str, sign: int) -> Term:
    def below(x: Term, y: Term, t: Term) -> Term:
        rest = pf.sub(1, t)
        point = pf.add(mul(t, x), mul(rest, y))
        chord = pf.add(mul(t, variable(name, "R", [x])), mul(rest, variable(name, "R", [y])))
        sides = variable(name, "R", [point]), chord
        return implies(le(0, t), le(t, 1), le(*(sides if sign > 0 else sides[::-1])))

    return forall("R", lambda x: forall("R", lambda y: forall("R", lambda t: below(x, y, t))))


def _order(name: str, sign: int) -> Term:
    def ordered(x: Term, y: Term) -> Term:
        values = variable(name, "R", [x]), variable(name, "R", [y])
        return implies(le(x, y), le(*(values if sign > 0 else values[::-1])))

    return forall("R", lambda x: forall("R", lambda y: ordered(x, y)))


def _signed(name: str, op: str) -> Term:
    return forall("R", lambda x: pf.relation(op, 0, variable(name, "R", [x])))


PROPERTIES: dict[str, Callable[[str], tuple[Term, ...]]] = {
    "convex": lambda f: (_chords(f, 1),),
    "concave": lambda f: (_chords(f, -1),),
    "increasing": lambda f: (_order(f, 1),),
    "decreasing": lambda f: (_order(f, -1),),
    "positive": lambda f: (_signed(f, "<"),),
    "nonnegative": lambda f: (_signed(f, "<="),),
    "differentiable": lambda f: (_everywhere(f),),
    "twice_differentiable": lambda f: (_everywhere(f), _everywhere(f + "'")),
    "nonnegative_curvature": lambda f: (
        _everywhere(f),
        _everywhere(f + "'"),
        _signed(f + "''", "<="),
    ),
    "positive_curvature": lambda f: (_everywhere(f), _everywhere(f + "'"), _signed(f + "''", "<")),
}


def property_of(name: str, what: str) -> tuple[Term, ...]:
    """Return the hypotheses that a declared property of a function abbreviates."""
    if what not in PROPERTIES:
        raise IllTyped(f"{what} is not a property of a function: use {', '.join(PROPERTIES)}")
    return PROPERTIES[what](name)


class Derivative(Function):
    """The derivative of a function that was declared to have one."""

    __slots__ = ("origin",)

    def __init__(self, origin: Function) -> None:
        super().__init__(origin.name + "'")
        self.origin = origin

    def hypotheses(self) -> tuple[Term, ...]:
        """Return what is declared of the function: that this is its derivative, and more."""
        return self.origin.hypotheses()


def derivative(f: Function) -> Derivative:
    """Return the derivative of a function that is declared differentiable, as a function."""
    if not isinstance(f, Function) or _everywhere(f.name) not in f.hypotheses():
        raise IllTyped(f"{f!r} was not declared differentiable")
    return Derivative(f)


# Functions of which a witness may be made where its author names none.
EXAMPLES: tuple[Callable[[Expr], Expr], ...] = (
    lambda x: x**2,
    lambda x: exp(x),
    lambda x: exp(-x),
    lambda x: 2 * x + 1,
    lambda x: 1 - x,
    lambda x: -(x**2),
)


def check_properties(title: str, properties: Sequence[Term], witness: Mapping[Any, Any]) -> None:
    """Demand for every function of a theorem one that is shown to have all assumed properties."""
    names = dict.fromkeys(v[0].rstrip("'") for p in properties for v in p.free)
    named = {getattr(k, "name", k): v for k, v in witness.items()}
    for name in names:
        wanted = [p for p in properties if any(v[0].rstrip("'") == name for v in p.free)]
        candidates = [named[name]] if name in named else EXAMPLES
        if not any(callable(f) and _has_all(name, f, wanted) for f in candidates):
            raise Vacuous(
                f'the witness of "{title}" gives no function that is shown to satisfy '
                + " and ".join(map(_plain, wanted))
            )


def _has_all(name: str, f: Callable[[Expr], Any], properties: Sequence[Term]) -> bool:
    """Say whether a function is shown to have properties."""
    x = pf.fresh("R", "x")
    try:
        body = pf.real(term_of(f(Expr(x))).term)
    except IllTyped:
        return False
    bodies: dict[Variable, Term] = {(name, "R", ("R",)): close(body, x)}
    try:
        first = settled(Context(), differentiate(body, x, x))
        slope = first.conclusion.args[2]
        second = settled(Context(), differentiate(slope, x, x))
        bodies[name + "'", "R", ("R",)] = close(slope, x)
        bodies[name + "''", "R", ("R",)] = close(second.conclusion.args[2], x)
        found = generalise(x, first), generalise(x, second), body, slope, x
    except (Unproved, Refused):
        found = None
    for p in properties:
        goal = instantiate(p, bodies)
        context = Context()
        if p is _chords(name, 1) and found is not None and _curved(context, found) is not None:
            continue
        if context.attempt(goal) is None:
            return False
    return True


def _curved(context: Context, curved: tuple[Proof, Proof, Term, Term, Term]) -> Proof | None:
    """Prove by the second derivative that a function is below its chords."""
    first, second, body, slope, x = curved
    bend = specialise(second, x).conclusion.args[2]
    sign = context.attempt(le(0, bend))
    if sign is None:
        return None
    rule = lemma(
        "chord_above", f=_function(body, x), df=_function(slope, x), ddf=_function(bend, x)
    )
    return mp(rule, first, second, generalise(x, sign))


def chord_instances(context: Context, members: Sequence[Term]) -> list[Proof]:
    """Return what convexity says of a value of a function between two others."""
    out = []
    known = {fact.conclusion: fact for fact in context.universal}
    values: dict[str, dict[Term, None]] = {}
    for t in members:
        if len(t.args) == 1 and t.args[0].sort == "R":
            values.setdefault(t.data[0], {})[t] = None
    for name, found in values.items():
        rules = [known[p] for p in (_chords(name, 1), _chords(name, -1)) if p in known]
        if not rules or len(found) < 3:
            continue
        for c in list(found)[:6]:
            for a in list(found)[:6]:
                for b in list(found)[:6]:
                    if len({a, b, c}) == 3:
                        out += _chord(context, rules, *(t.args[0] for t in (c, a, b)))
    return out


def _chord(context: Context, rules: Sequence[Proof], c: Term, a: Term, b: Term) -> list[Proof]:
    """Return a ≤ chord for c = s a + (1 − s) b, where s is one half or a symbol of c."""
    half = number(Fraction(1, 2))
    factors = [half, *dict.fromkeys(f for m in polynomial(c) for f, _ in m if f.sort == "R")]
    for s in factors:
        if normal(pf.add(mul(s, a), mul(pf.sub(1, s), b))) is not normal(c):
            continue
        if s is half and a.key > b.key:
            continue
        signs = context._quick(le(0, s)), context._quick(le(s, 1))
        if None not in signs:
            found = [mp(specialise(rule, a, b, s), *signs) for rule in rules]
            value = build("v", (rules[0].conclusion and _name(rules[0]), "R"), [c])
            return [_at(f, value) for f in found]
    return []


def _name(rule: Proof) -> str:
    (name,) = {v[0] for v in rule.conclusion.free}
    return name


def _at(fact: Proof, value: Term) -> Proof:
    """Write the value in between as it was written in the goal."""
    sides = [value if t.op == "v" else t for t in fact.conclusion.args]
    return convert(fact, build(fact.conclusion.op, (), sides))


# ---------------------------------------------------------------------- second order


class _SecondOrder(Rule):
    word = "second derivative"

    def __init__(self, x: Any, at: Any, name: str) -> None:
        self.x, self.at, self.name = term_of(x), term_of(at), name

    def renamed(self, names: Renaming) -> Rule:
        moved = instantiate(self.at.term, dict(names))
        return _SecondOrder(self.x, Expr(moved, self.at.assumes), self.name)

    def prove(self, context: Context, goal: Term) -> Proof:
        x, x0 = self.x.term, _as("R", self.at)
        if goal.op not in ("<=", "<") or goal.args[0].sort != "R":
            raise Unproved(f"{self.name} proves ≤, ≥, < and >")
        if x.op != "v" or x.args or x.sort != "R":
            raise IllTyped(f"{self.name}: {self.x!r} is not a real symbol")
        if mentions(x0, x):
            raise Unproved(f"{self.name}: the point depends on {self.x!r}")
        left, right = goal.args
        gap = pf.sub(right, left)
        t = pf.fresh("R", "t")
        here = at_point(gap, x, t)
        first = differentiate(here, t, t)
        slope = first.conclusion.args[2]
        second = differentiate(slope, t, t)
        bend = second.conclusion.args[2]
        there = context.extended(*_about_point(context, x0))
        value = there.prove(eq(at_point(gap, x, x0), 0))
        level = there.prove(eq(at_point(slope, t, x0), 0))
        strict = goal.op == "<"
        sign = pf.relation(goal.op, number(0), bend)
        sides = []
        everywhere = self._on(context.extended(), first, second, sign)
        for right_of in (True, False):
            low, high = (x0, x) if right_of else (x, x0)
            inside = assume(le(low, t)), assume(le(t, high))
            side = assume(le(low, high) if right_of else lt(low, high))
            parts = everywhere
            if parts is None:
                parts = self._on(context.extended(side, *inside), first, second, sign, must=True)
            assert parts is not None
            order = side
            if strict:
                order = _apart(context, low, high, side)
            elif not right_of:
                order = pf.psatz(le(low, high), side)
            every = [generalise(t, discharge(le(low, t), discharge(le(t, high), p))) for p in parts]
            name = f"tangent_{'strictly_' if strict else ''}below_{'right' if right_of else 'left'}"
            rule = lemma(
                name,
                f=_function(here, t),
                df=_function(slope, t),
                ddf=_function(bend, t),
                x=x0,
                y=x,
            )
            above = mp(rule, *every, order)
            move = pf.sub(x, x0)
            sides.append(pf.psatz(goal, above, (-1, [value]), (pf.neg(move), [level])))
        return by_order(x0, x, *sides)

    def _on(
        self, context: Context, first: Proof, second: Proof, sign: Term, *, must: bool = False
    ) -> tuple[Proof, Proof, Proof] | None:
        """Prove the derivatives and the sign of the second one at a generic point."""
        try:
            parts = settled(context, first), settled(context, second)
            found = context.attempt(sign)
            if found is None:
                tangents = [
                    lemma("exp_times_tangent", x=a.args[0])
                    for m in polynomial(sign.args[1])
                    for a, _ in m
                    if a.op == "exp"
                ]
                found = context.extended(*tangents).prove(sign)
            return *parts, found
        except (Unproved, Refused):
            if must:
                raise
            return None


def _about_point(context: Context, x0: Term) -> list[Proof]:
    """Return what logarithms and reciprocals in a point are, as they are written there."""
    out = []
    for t in _subterms(x0):
        if t.op == "log":
            positive = context.sign("positive", t.args[0])
            if positive is not None:
                out.append(mp(axiom("exp_log", x=t.args[0]), positive))
        elif t.op == "inv":
            other = context.not_zero(t.args[0])
            if other is not None:
                out.append(mp(axiom("inverse", x=t.args[0]), other))
    return out


def _apart(context: Context, low: Term, high: Term, order: Proof) -> Proof:
    """Prove low < high from an order and that the two differ."""
    if order.conclusion.op == "<":
        return order
    gap = pf.sub(high, low)
    other = context.not_zero(gap)
    if other is None:
        raise Unproved("nothing says that the symbol differs from the point")
    rule = lemma("positive_if_not_zero", x=gap)
    return convert(mp(rule, pf.psatz(le(0, gap), order), other), lt(low, high))


def second_order(x: Any, at: Any = 0) -> Rule:
    """Prove ``f ≤ g`` in x because ``g − f`` and its slope vanish at a point and it is convex.

    The second derivative is shown nonnegative on the segment between the point and x; for ``f < g``
    it is shown positive there, and x to be another point.
    """
    return _SecondOrder(x, at, "second_order")


def minimised_at(x: Any, x0: Any) -> Rule:
    """Prove that a convex function of x is at least its value at a stationary point x0."""
    return _SecondOrder(x, x0, "minimised_at")


# ---------------------------------------------------------------------- Lagrangians


def lagrangian(objective: Any, constraints: Sequence[Any], multipliers: Sequence[Any]) -> Expr:
    """Return the Lagrangian of minimising an objective under constraints.

    An equation ``g = h`` and ``g ≤ h`` add ``λ (g − h)``, ``g ≥ h`` adds ``λ (h − g)``. A
    constraint
    for all indices takes a family as its multiplier and adds a sum.
    """
    if len(constraints) != len(multipliers):
        raise IllTyped("one multiplier for each constraint")
    total = term_of(objective)
    for c, m in zip(constraints, multipliers, strict=True):
        total = total + _penalty(statement(c), m)
    return total


def _penalty(c: Statement, multiplier: Any) -> Expr:
    if c.shown == "each":
        index, low, high, body = c.parts
        if not isinstance(multiplier, Family) or multiplier.sort != "R":
            raise IllTyped("a constraint for all indices needs a family of numbers as multiplier")
        return Sum(_penalty(body, multiplier[index]), (index, low, high))
    if c.shown not in ("=", "≤", "≥"):
        raise IllTyped(f"{c!r} is not an equation or a weak inequality")
    left, right = c.parts if c.shown != "≥" else c.parts[::-1]
    return term_of(multiplier) * (term_of(left) - term_of(right))


def _plain(t: Term) -> str:
    from .rendering import plain

    return str(plain(t))
