"""Properties of functions: convex, monotone, differentiable, as hypotheses of theorems."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from mlnotes.trusted.normal import normal, polynomial
from mlnotes.trusted.terms import Refused, Term, Variable, close, instantiate

from .. import proofs as pf
from ..errors import IllTyped, Unproved, Vacuous
from ..language import Expr, Function, build, exp, number, term_of, variable
from ..proofs import Proof, convert, forall, generalise, implies, le, lemma, mp, mul, specialise
from ..search import Context
from .differentiation import (
    differentiable,
    differentiate,
    function_of,
    plain,
    settled,
)


def _chords(name: str, sign: int) -> Term:
    """State f(tx + (1−t)y) ≤ t·f(x) + (1−t)·f(y) for 0 ≤ t ≤ 1; ≥ if ``sign`` is negative."""

    def below(x: Term, y: Term, t: Term) -> Term:
        """State the inequality for two points and one t."""
        rest = pf.sub(1, t)
        point = pf.add(mul(t, x), mul(rest, y))
        chord = pf.add(mul(t, variable(name, "R", [x])), mul(rest, variable(name, "R", [y])))
        sides = variable(name, "R", [point]), chord
        return implies(le(0, t), le(t, 1), le(*(sides if sign > 0 else sides[::-1])))

    return forall("R", lambda x: forall("R", lambda y: forall("R", lambda t: below(x, y, t))))


def _order(name: str, sign: int) -> Term:
    """State x ≤ y → f(x) ≤ f(y) for all x and y; ≥ if ``sign`` is negative."""

    def ordered(x: Term, y: Term) -> Term:
        """State the implication for two points."""
        values = variable(name, "R", [x]), variable(name, "R", [y])
        return implies(le(x, y), le(*(values if sign > 0 else values[::-1])))

    return forall("R", lambda x: forall("R", lambda y: ordered(x, y)))


def _signed(name: str, op: str) -> Term:
    """State 0 ≤ f(x), or 0 < f(x), for all x."""
    return forall("R", lambda x: pf.relation(op, 0, variable(name, "R", [x])))


PROPERTIES: dict[str, Callable[[str], tuple[Term, ...]]] = {
    "convex": lambda f: (_chords(f, 1),),
    "concave": lambda f: (_chords(f, -1),),
    "increasing": lambda f: (_order(f, 1),),
    "decreasing": lambda f: (_order(f, -1),),
    "positive": lambda f: (_signed(f, "<"),),
    "nonnegative": lambda f: (_signed(f, "<="),),
    "differentiable": lambda f: (differentiable(f),),
    "twice_differentiable": lambda f: (differentiable(f), differentiable(f + "'")),
    "nonnegative_curvature": lambda f: (
        differentiable(f),
        differentiable(f + "'"),
        _signed(f + "''", "<="),
    ),
    "positive_curvature": lambda f: (
        differentiable(f),
        differentiable(f + "'"),
        _signed(f + "''", "<"),
    ),
}


def vector_convex(name: str) -> Term:
    """Return that a function of a vector lies below its chords."""

    def below(u: Term, v: Term, t: Term) -> Term:
        rest = pf.sub(1, t)
        point = pf.add(pf.scale(t, u), pf.scale(rest, v))
        values = [variable(name, "R", [z]) for z in (u, v)]
        chord = pf.add(mul(t, values[0]), mul(rest, values[1]))
        return implies(le(0, t), le(t, 1), le(variable(name, "R", [point]), chord))

    return forall("V", lambda u: forall("V", lambda v: forall("R", lambda t: below(u, v, t))))


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
    if not isinstance(f, Function) or differentiable(f.name) not in f.hypotheses():
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
                + " and ".join(map(plain, wanted))
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
    curvature = specialise(second, x).conclusion.args[2]
    sign = context.attempt(le(0, curvature))
    if sign is None:
        return None
    rule = lemma(
        "chord_above",
        f=function_of(body, x),
        df=function_of(slope, x),
        ddf=function_of(curvature, x),
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
        signs = context.quick(le(0, s)), context.quick(le(s, 1))
        if None not in signs:
            found = [mp(specialise(rule, a, b, s), *signs) for rule in rules]
            value = build("v", (rules[0].conclusion and _name(rules[0]), "R"), [c])
            return [_at(f, value) for f in found]
    return []


def _name(rule: Proof) -> str:
    """Return the name of the one function that a rule speaks of."""
    (name,) = {v[0] for v in rule.conclusion.free}
    return name


def _at(fact: Proof, value: Term) -> Proof:
    """Write the value in between as it was written in the goal."""
    sides = [value if t.op == "v" else t for t in fact.conclusion.args]
    return convert(fact, build(fact.conclusion.op, (), sides))
