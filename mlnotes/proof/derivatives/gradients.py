"""Gradients: found by the rules of differentiation, and proved where they are used."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from mlnotes.trusted.normal import Monomial, normal, polynomial
from mlnotes.trusted.normal import build as from_polynomial
from mlnotes.trusted.terms import Refused, Term, close, fill, instantiate, sizes

from .. import proofs as pf
from .. import words
from ..errors import IllTyped, Unproved
from ..language import (
    BASES,
    EXTREMA,
    Definition,
    Expr,
    build,
    define,
    in_sort,
    number,
    replaced,
    say,
    shown_in_sort,
    statement,
    term_of,
    unfolded,
    variable,
    variable_of,
)
from ..proofs import (
    Proof,
    assume,
    convert,
    discharge,
    each_intro,
    eq,
    forall,
    generalise,
    le,
    mp,
    mul,
    specialise,
)
from ..search import Context
from .differentiation import (
    at_point,
    differentiate,
    has_derivative,
    mentions,
    ranged_over,
    settled,
    with_value,
)

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
        names = {variable_of(k): in_sort(k.sort, term_of(v)) for k, v in values.items()}
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
    x, t = w.term, in_sort("R", f)
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
    return Gradient(_named(shown_in_sort("R", f), w.folded, result), carried, says)


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
    """Conclude a fact for all h; hypotheses that mention h are assumed for all h."""
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
    """Return the sums among the atoms of a number written as a polynomial."""
    return [a for m in polynomial(value) for a, _ in m if a.op == "sum"]


def _delta(context: Context, a: Term) -> Proof | None:
    """Return Σₖ [k = i]·f(k) = f(i) for a sum with a Kronecker delta, or None."""
    try:
        return context.delta(a)
    except (Unproved, Refused):
        return None


def _replaced(p: Any, a: Term, by: Any) -> Term:
    """Return the polynomial p with the polynomial ``by`` in the place of the atom a."""
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
    """Return g where the monomial is the inner product of g and the direction h."""
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
        if (a in EXTREMA or a in BASES) and mentions(a, i):
            what = EXTREMA[a].index if a in EXTREMA else BASES[a].values
            raise IllTyped(f"{what!r} depends on {i.data[0]}, which is bound: declare a family")
        if a in FOUND and mentions(a, i):
            fact = FOUND[a]
            inside = assume(le(low, i)), assume(le(i, high))
            for h in sorted(fact.hypotheses, key=lambda h: h.key):
                same = [p for p in inside if normal(p.conclusion) is normal(h)]
                if same:
                    fact = mp(discharge(h, fact), same[0])
                elif mentions(h, i):
                    every = forall("Z", ranged_over(low, high, h, i))
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
