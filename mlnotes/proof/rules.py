"""Named rules for lines that arithmetic alone does not prove.

A rule reduces a line to simpler statements, which are then proved in the usual way. Each one is a
theorem of analysis with its conditions checked; none of them assumes anything silently.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

import sympy as sp
from sympy.core.function import AppliedUndef, FunctionClass, UndefinedFunction
from sympy.core.relational import Relational

from .calculus import derive
from .definedness import conditions
from .errors import IllTyped, Undefined, Unproved, WrongStep
from .facts import conjuncts
from .normal import nonnegative_integer
from .prove import Proof, Prover, mixes_outcomes, negation, require_defined
from .terms import (
    REAL,
    SIGNS,
    VECTOR,
    Eq,
    Expectation,
    ForEach,
    Ge,
    Gt,
    Indicator,
    Le,
    Lt,
    MatrixExpectation,
    Ne,
    Probability,
    Subgradient,
    SymmetricMatrix,
    derivative,
    differentiated,
    fresh_symbol,
    in_words,
    is_random,
    kind,
    member,
    properties_of,
    statement,
    substitute,
    term,
)

if TYPE_CHECKING:
    from .derivation import Theorem

STRICT = (sp.Lt, sp.Gt)
MEANS = (Expectation, Probability, MatrixExpectation)


# From what is proved to what is only tested.
STRENGTH = ("proved", "assumed", "tested")
# How a theorem says what it takes for granted besides its hypotheses.
ASSUMED = "assumed: "
FINITE = "all expectations that occur exist and are finite"


class Rule:
    """A way to prove a line: one of those that this module makes, and no other."""

    __slots__ = ()

    @property
    def mark(self) -> str:
        """The weakest mark of all rules inside the rule."""
        marks = [rule.mark for rule in self._inside()]
        return max(marks, key=STRENGTH.index, default="proved")

    @property
    def reasons(self) -> tuple[str, ...]:
        """What the rule and the rules inside it take for granted, in words."""
        return tuple(dict.fromkeys(r for rule in self._inside() for r in rule.reasons))

    def _inside(self) -> list[Rule]:
        fields = type(self).__dict__["__slots__"]
        return list(_rules_in(tuple(getattr(self, name) for name in fields)))

    def prove(self, prover: Prover, goal: Any) -> Proof:
        """Return a proof of the goal or raise Unproved."""
        raise NotImplementedError

    def rename(self, mapping: Mapping[Any, Any]) -> Rule:
        """Return the rule for other names of the symbols it mentions."""
        return self


def _rules_in(value: Any) -> Iterator[Rule]:
    """Yield the rules that a value holds."""
    if isinstance(value, Rule):
        yield value
    elif isinstance(value, (tuple, list)):
        for part in value:
            yield from _rules_in(part)


def checked_rule(rule: Any) -> Rule:
    """Return a rule if it and all rules inside it are of this module, which one has to trust."""
    if type(rule) not in _RULES:
        raise IllTyped(f"by={rule!r} is not a rule of mlnotes.proof")
    for inner in rule._inside():
        checked_rule(inner)
    return rule  # type: ignore[no-any-return]


def _claimed(value: Any) -> Any:
    """Return a statement that has a meaning."""
    kind(statement(value))
    return value


def _relation(goal: Any, left: Any, right: Any) -> Any:
    return goal.func(left, right, evaluate=False)


def _prove_with(prover: Prover, goal: Any, rule: Rule | None) -> Proof:
    return prover.prove(goal) if rule is None else checked_rule(rule).prove(prover, goal)


# ---------------------------------------------------------------------- termwise


@dataclasses.dataclass(frozen=True, slots=True)
class _Termwise(Rule):
    index: Any
    inner: Rule | None

    def rename(self, mapping: Mapping[Any, Any]) -> Rule:
        inner = self.inner.rename(mapping) if self.inner else None
        return _Termwise(self.index, inner)

    def prove(self, prover: Prover, goal: Any) -> Proof:
        left, right = self._align(prover, goal)
        if isinstance(left, Expectation):
            inside = _relation(goal, left.args[0], right.args[0])
            proof = _prove_with(prover, inside, self.inner)
            return Proof("termwise", f"for every outcome, {proof}", proof.used)
        shared = min(len(left.limits), len(right.limits))
        for side in (left, right):
            at = [limit[0] for limit in side.limits]
            if self.index in at:
                shared = min(shared, len(at) - at.index(self.index))
        (f, outer), (g, other) = _outermost(left, shared), _outermost(right, shared)
        names: dict[Any, Any] = {}
        mapping: dict[Any, Any] = {}
        extra, nonempty = [], True
        for (i, lo, hi), (j, low, high) in zip(reversed(outer), reversed(other), strict=True):
            lo, hi = substitute(lo, names), substitute(hi, names)
            low, high = substitute(low, mapping), substitute(high, mapping)
            if not (prover.normal.equal(lo, low) and prover.normal.equal(hi, high)):
                raise Unproved(f"termwise: the ranges {lo}…{hi} and {low}…{high} differ")
            fresh = fresh_symbol(i.name, [goal, *prover.given, *names.values()], integer=True)
            names[i] = fresh
            mapping[j] = fresh
            extra += [Ge(fresh, lo), Le(fresh, hi)]
            nonempty = nonempty and nonnegative_integer(hi - lo)
        if isinstance(goal, STRICT) and not nonempty:
            raise Unproved("termwise: a strict inequality needs a range that is not empty")
        a, b = substitute(f, names), substitute(g, mapping)
        inner = prover.extended(extra)
        renamed = {self.index: next(iter(names.values())), **names}
        rule = self.inner.rename(renamed) if self.inner else None
        proof = _prove_with(inner, _relation(goal, a, b), rule)
        detail = f"for every {', '.join(str(i) for i in names)}, {proof}"
        if isinstance(left, sp.Product) and not isinstance(goal, sp.Eq):
            small = a if isinstance(goal, (sp.Le, sp.Lt)) else b
            inner.prove(Ge(small, 0))
            detail += "; the factors are nonnegative"
        return Proof("termwise", detail, proof.used)

    def _align(self, prover: Prover, goal: Any) -> tuple[Any, Any]:
        """Strip what the two sides share, down to one sum, product or expectation each."""
        left = [_as_mean(a) for a in sp.Add.make_args(goal.lhs)]
        right = [_as_mean(a) for a in sp.Add.make_args(goal.rhs)]
        for a in list(left):
            for b in right:
                if a == b:
                    left.remove(a)
                    right.remove(b)
                    break
        left = [a for a in left if a != 0]
        right = [a for a in right if a != 0]
        if len(left) > 1 or len(right) > 1 or not (left or right):
            raise Unproved(
                "termwise: the sides differ by more than one sum, product or expectation"
            )
        factors = [list(sp.Mul.make_args(x[0])) if x else [] for x in (left, right)]
        heads = [
            [f for f in fs if isinstance(f, (sp.Sum, sp.Product, Expectation))] for fs in factors
        ]
        if any(len(h) > 1 for h in heads) or not any(heads):
            raise Unproved("termwise: write the line with one sum, product or expectation per side")
        outside = []
        for fs, h in zip(factors, heads, strict=True):
            outside.append(sp.Mul(*[f for f in fs if f not in h]))
        model = heads[0][0] if heads[0] else heads[1][0]
        out = []
        for fs, h in zip(factors, heads, strict=True):
            if h:
                out.append(h[0])
            elif not fs:
                out.append(_constant_like(model, sp.Integer(0)))
            else:
                raise Unproved("termwise: one side is not a sum, product or expectation")
        if type(out[0]) is not type(out[1]):
            raise Unproved("termwise: the sides are of different kinds")
        if factors[0] and factors[1] and not prover.normal.equal(outside[0], outside[1]):
            raise Unproved(f"termwise: the factors {outside[0]} and {outside[1]} differ")
        shared = outside[0] if factors[0] else outside[1]
        if not isinstance(goal, sp.Eq) and shared != 1:
            prover.prove(Gt(shared, 0) if isinstance(goal, STRICT) else Ge(shared, 0))
        return out[0], out[1]


def _outermost(e: Any, count: int) -> tuple[Any, Any]:
    """Return the body of the ``count`` outermost sums, and their limits."""
    inner, outer = e.limits[: len(e.limits) - count], e.limits[len(e.limits) - count :]
    return (e.func(e.function, *inner) if inner else e.function), outer


def _as_mean(e: Any) -> Any:
    return e.replace(
        lambda x: isinstance(x, Probability), lambda x: Expectation(Indicator(x.args[0]))
    )


def _constant_like(model: Any, value: Any) -> Any:
    if isinstance(model, Expectation):
        return Expectation(value)
    if isinstance(model, sp.Product):
        raise Unproved("termwise: a product is compared with a product")
    return sp.Sum(value, *model.limits)


def termwise(index: Any = None, by: Rule | None = None) -> Rule:
    """Compare two sums, products or expectations term by term, for a generic index or outcome.

    Of sums inside sums, those outside ``index`` and its own are opened. Products also need
    nonnegative factors. ``by`` proves the generic term.
    """
    return _Termwise(index, by)


# ---------------------------------------------------------------------- monotone


@dataclasses.dataclass(frozen=True, slots=True)
class _Monotone(Rule):
    function: Any
    inner: Rule | None

    def prove(self, prover: Prover, goal: Any) -> Proof:
        f, flip = self.function, False
        if isinstance(f, UndefinedFunction):
            declared = properties_of(f)
            if isinstance(goal, STRICT) or not {"increasing", "decreasing"} & set(declared):
                raise Unproved(
                    f"{f} is not declared increasing or decreasing, or the line is strict"
                )
            flip = "decreasing" in declared
            if not all(isinstance(x, f) for x in (goal.lhs, goal.rhs)):
                raise Unproved(f"monotone: both sides have to be values of {f}")
            a, b = goal.lhs.args[0], goal.rhs.args[0]
        elif f is sp.exp:
            a, b = (self._log(prover, x) for x in (goal.lhs, goal.rhs))
        elif f is sp.log:
            a, b = (x.args[0] if isinstance(x, sp.log) else sp.exp(x) for x in goal.args)
        elif f is sp.sqrt:
            a, b = (self._square(prover, x) for x in (goal.lhs, goal.rhs))
        else:
            raise Unproved(f"monotone knows exp, log, sqrt and declared functions, not {f}")
        inner = _relation(goal, b, a) if flip else _relation(goal, a, b)
        require_defined(prover, inner, conditions(inner))
        proof = _prove_with(prover, inner, self.inner)
        return Proof(
            "monotone", f"{getattr(f, '__name__', f)}, since {inner} by {proof}", proof.used
        )

    def _log(self, prover: Prover, e: Any) -> Any:
        if isinstance(e, sp.exp):
            return e.args[0]
        prover.prove(Gt(e, 0))
        return sp.expand_log(sp.log(e))

    def _square(self, prover: Prover, e: Any) -> Any:
        if isinstance(e, sp.Pow) and e.exp == sp.Rational(1, 2):
            return e.base
        prover.prove(Ge(e, 0))
        return e**2


def monotone(f: Any, by: Rule | None = None) -> Rule:
    """Compare ``f(a)`` and ``f(b)`` by a and b: for exp, log, sqrt or a declared function.

    Equal values follow from equal arguments in the same way.
    """
    return _Monotone(f, by)


# ---------------------------------------------------------------------- calculus


@dataclasses.dataclass(frozen=True, slots=True)
class _SecondOrder(Rule):
    variable: Any
    at: Any
    name: str

    def prove(self, prover: Prover, goal: Any) -> Proof:
        x, x0 = term(self.variable), term(self.at)
        if not isinstance(goal, (sp.Le, sp.Ge, *STRICT)):
            raise Unproved(f"{self.name} proves ≤, ≥, < and >")
        if not isinstance(x, sp.Symbol) or kind(x) != REAL or kind(x0) != REAL:
            raise IllTyped(f"{self.name}: {x} and {x0} have to be a real symbol and a number")
        require_defined(prover, x0, conditions(x0))
        if x in x0.free_symbols:
            raise Unproved(f"{self.name}: the point {x0} depends on {x}")
        if x.is_integer or is_random(x):
            raise Unproved(f"{self.name}: {x} does not range over an interval")
        gap = goal.gts - goal.lts
        if any(x in m.free_symbols for m in gap.atoms(Expectation)):
            raise Unproved(f"{self.name}: it would differentiate under an expectation")
        between = fresh_symbol(x.name, [goal, *prover.given], real=True)
        on = self._segment(prover, between)
        f = substitute(gap, {x: between})
        for c in conditions(f):
            on.prove(_strictly(c))
        first = derive(f, between)
        second = derive(first, between)
        for c in dict.fromkeys([*conditions(first), *conditions(second)]):
            on.prove(c)
        value, slope = (substitute(g, {between: x0}) for g in (f, first))
        prover.prove(Eq(value, 0))
        prover.prove(Eq(slope, 0))
        if isinstance(goal, STRICT):
            prover.prove(Ne(x, x0))
        bend = Gt(second, 0) if isinstance(goal, STRICT) else Ge(second, 0)
        proof = on.prove(bend)
        sign = ">" if isinstance(goal, STRICT) else "≥"
        detail = (
            f"value and slope vanish at {x} = {x0}; the second derivative is {sign} 0 by {proof}"
        )
        return Proof(self.name, detail, proof.used)

    def _segment(self, prover: Prover, between: Any) -> Prover:
        """Return a prover about a point between x0 and x.

        Hypotheses about x that are affine in x and hold at both ends hold in between; the other
        hypotheses about x are dropped.
        """
        x, x0 = self.variable, sp.sympify(self.at)
        kept = [s for s in conjuncts(prover.given) if x not in s.free_symbols]
        # What is known of x is not known on the way, so that the normal form must not use it.
        apart = Prover(kept, None, prover.use_z3, prover.budget)
        for s in conjuncts(prover.given):
            if x not in s.free_symbols or not isinstance(s, (sp.Le, sp.Lt, sp.Ge, sp.Gt)):
                continue
            gap = substitute(s.lhs - s.rhs, {x: between})
            if any(between in c.free_symbols for c in conditions(gap)):
                continue
            try:
                bend = derive(derive(gap, between), between)
            except Unproved:
                continue
            at = _relation(s, substitute(gap, {between: x0}), sp.Integer(0))
            if apart.normal.equal(bend, 0) and prover.holds(at):
                kept.append(_relation(s, gap, sp.Integer(0)))
        for name in ("positive", "nonnegative", "negative", "nonpositive"):
            if getattr(x, f"is_{name}"):
                relation = {"positive": Gt, "nonnegative": Ge, "negative": Lt, "nonpositive": Le}
                at = relation[name](x0, 0)
                if prover.holds(at):
                    kept.append(relation[name](between, 0))
                elif x0 == 0:
                    weak = Ge if name in ("positive", "nonnegative") else Le
                    kept.append(weak(between, 0))
        return Prover(kept, None, prover.use_z3, prover.budget)


def _strictly(condition: Any) -> Any:
    """Return the condition under which a term is not only defined but smooth."""
    if isinstance(condition, ForEach):
        return ForEach(*condition.args[:3], _strictly(condition.relation))
    return Gt(condition.lhs, condition.rhs) if isinstance(condition, sp.Ge) else condition


def second_order(x: Any, at: Any = 0) -> Rule:
    """Prove ``f ≤ g`` in x because ``g - f`` and its slope vanish at a point and it is convex.

    The second derivative is shown nonnegative on the whole segment between the point and x, where
    ``g - f`` has to be defined and smooth. For ``f < g`` it is shown positive there, and x to be
    another point.
    """
    return _SecondOrder(x, at, "second order")


def minimised_at(x: Any, x0: Any) -> Rule:
    """Prove that a convex function of x is at least its value at a stationary point x0."""
    return _SecondOrder(x, x0, "minimised at")


# ---------------------------------------------------------------------- cases


@dataclasses.dataclass(frozen=True, slots=True)
class _Cases(Rule):
    alternatives: tuple[Any, ...]

    def rename(self, mapping: Mapping[Any, Any]) -> Rule:
        renamed = [
            (substitute(c, mapping), r.rename(mapping) if r else None) for c, r in self._pairs()
        ]
        return _Cases(tuple(renamed))

    def _pairs(self) -> list[tuple[Any, Rule | None]]:
        return [
            (_claimed(a[0]), a[1]) if isinstance(a, tuple) else (_claimed(a), None)
            for a in self.alternatives
        ]

    def prove(self, prover: Prover, goal: Any) -> Proof:
        pairs = self._pairs()
        for c, _ in pairs:
            # A case split on log(x) would otherwise smuggle in x > 0.
            require_defined(prover, c, conditions(c))
        if mixes_outcomes([c for c, _ in pairs], [goal, *prover.given]):
            raise Unproved("cases about one outcome of a random term, in a line about expectations")
        none = Prover(
            [*prover.given, *(negation(c) for c, _ in pairs)], None, prover.use_z3, prover.budget
        )
        if not contradiction(none):
            raise Unproved(
                f"the cases {', '.join(str(c) for c, _ in pairs)} may leave something out"
            )
        parts = []
        for c, rule in pairs:
            inner = prover.extended([c])
            if contradiction(inner):
                parts.append(f"{c}: cannot occur")
                continue
            proof = _prove_with(inner, goal, rule)
            parts.append(f"{c}: {proof}")
        return Proof("cases", "; ".join(parts))


def contradiction(prover: Prover) -> bool:
    """Say whether the hypotheses of a prover are shown to contradict each other."""
    return prover.contradictory() is not None or prover._ask_z3(None, [])


def cases(*alternatives: Any) -> Rule:
    """Prove a line in each of several cases that are shown to leave nothing out.

    Each alternative is a statement or a pair of a statement and a rule.
    """
    if not alternatives:
        raise IllTyped("cases(...) needs at least one case")
    return _Cases(alternatives)


# ---------------------------------------------------------------------- induction


@dataclasses.dataclass(frozen=True, slots=True)
class _Induction(Rule):
    claim: Any
    k: Any
    step: Rule | None
    start: Any

    def rename(self, mapping: Mapping[Any, Any]) -> Rule:
        step = self.step.rename(mapping) if self.step else None
        return _Induction(substitute(self.claim, mapping), self.k, step, self.start)

    def prove(self, prover: Prover, goal: Any) -> Proof:
        claim = _claimed(self.claim) if self.claim is not None else goal
        start = term(self.start)
        if not (isinstance(self.k, sp.Symbol) and self.k.is_integer):
            raise IllTyped(f"induction runs over an integer symbol, not {self.k}")
        if not start.is_Integer:
            raise IllTyped(f"induction starts at a number, not at {start}")
        taken = [goal, claim, *prover.given]
        m = fresh_symbol(self.k.name, taken, integer=True, nonnegative=bool(start >= 0))
        if not prover.holds(Ge(self.k, start)):
            raise Unproved(f"induction from {start}: nothing shows that {self.k} ≥ {start}")
        first = substitute(claim, {self.k: start})
        require_defined(prover, first, conditions(first))
        base = prover.prove(first)
        known = [Ge(m, start), Le(m, self.k - 1), substitute(claim, {self.k: m})]
        inner = prover.extended(known)
        following = substitute(claim, {self.k: m + 1})
        require_defined(inner, following, conditions(following))
        rule = self.step.rename({self.k: m}) if self.step else None
        step = _prove_with(inner, following, rule)
        detail = f"{self.k} = {start}: {base}; from {self.k} to {self.k} + 1: {step}"
        if claim != goal:
            last = prover.extended([claim]).prove(goal)
            detail += f"; hence the line: {last}"
        return Proof("induction", detail)


def induction(claim: Any, k: Any, step: Rule | None = None, start: Any = 0) -> Rule:
    """Prove a claim about k by induction from ``start``.

    The hypotheses of the derivation stay as they are: the claim is shown for every m from ``start``
    to k. ``step`` proves the claim for k + 1 from the claim for k. With ``claim=None`` the line
    itself is the claim.
    """
    return _Induction(claim, k, step, start)


# ---------------------------------------------------------------------- theorems and abbreviations


@dataclasses.dataclass(frozen=True, slots=True)
class _Apply(Rule):
    theorem: Any
    mapping: tuple[tuple[Any, Any], ...]

    @property
    def mark(self) -> str:
        """A line rests on what the theorem rests on."""
        return str(self.theorem.mark)

    @property
    def reasons(self) -> tuple[str, ...]:
        """What the theorem takes for granted besides its hypotheses, in its own words."""
        return tuple(a for a in self.theorem.assumptions if a == FINITE or a.startswith(ASSUMED))

    def rename(self, mapping: Mapping[Any, Any]) -> Rule:
        return _Apply(self.theorem, tuple((k, substitute(v, mapping)) for k, v in self.mapping))

    def conclusion(self, prover: Prover) -> Any:
        """Return the conclusion for these values, after proving every hypothesis for them."""
        _genuine(self.theorem)
        mapping = dict(self.mapping)
        said = [self.theorem.statement, *self.theorem.given]
        applied = {a.func for s in said for a in s.atoms(AppliedUndef)}
        subgradients = [f for f in applied if isinstance(f, Subgradient)]
        for symbol, value in self.mapping:
            where = f'in "{self.theorem.title}", {symbol} cannot be {value}: '
            _check_fits(prover, symbol, value, where, mapping)
            if any(symbol in (f, f._kwargs["subgradient_of"]) for f in subgradients):
                raise IllTyped(where + "the theorem speaks of a subgradient")
            if randomises(symbol, value, said):
                raise Unproved(
                    f'in "{self.theorem.title}", {symbol} does not vary with the outcome, so it '
                    f"cannot be {value} under an expectation"
                )
        for h in self.theorem.given:
            needed = substitute(h, mapping)
            try:
                # A hypothesis that holds has a value, which the theorem may have used.
                require_defined(prover, needed, conditions(needed))
                prover.prove(needed)
            except (Undefined, Unproved, WrongStep) as reason:
                raise Unproved(
                    f'the hypothesis {needed} of "{self.theorem.title}" does not follow here: '
                    "prove it or add it to given=[...]"
                ) from reason
        return substitute(self.theorem.statement, mapping)

    def prove(self, prover: Prover, goal: Any) -> Proof:
        conclusion = self.conclusion(prover)
        name = f'"{self.theorem.title}"'
        if conclusion == goal or _same_line(prover, conclusion, goal):
            return Proof("theorem", name, (name,))
        proof = prover.extended([conclusion]).prove(goal)
        return Proof("theorem", f"{name}, then {proof}", (name, *proof.used))


def _same_line(prover: Prover, a: Any, b: Any) -> bool:
    if not isinstance(a, Relational) or type(a) is not type(b) or kind(a.lhs - a.rhs) != REAL:
        return False
    return prover.normal.equal(a.lhs, b.lhs) and prover.normal.equal(a.rhs, b.rhs)


def randomises(symbol: Any, value: Any, statements: Iterable[Any]) -> bool:
    """Say whether a value would put randomness where an expectation has none: E[c S] = c E[S]."""
    if isinstance(value, FunctionClass):
        return False
    body = value.expr if isinstance(value, sp.Lambda) else value
    varies = not isinstance(symbol, FunctionClass) and is_random(symbol)
    return not varies and bool(is_random(body)) and any(s.has(*MEANS) for s in statements)


def _genuine(theorem: Any) -> Any:
    from .derivation import genuine

    return genuine(theorem)


def _check_fits(
    prover: Prover, symbol: Any, value: Any, where: str, mapping: Mapping[Any, Any]
) -> None:
    """Make sure that a value is of the kind of the symbol and meets its assumptions."""
    origin = differentiated(symbol)
    if origin is not None:
        # The derivative goes with its function, which is checked in its own turn.
        function = mapping.get(origin)
        if function is None or value != _derivative_for(function):
            raise IllTyped(where + f"it goes with {origin}, so give a function for that")
        return
    if isinstance(symbol, UndefinedFunction) and isinstance(value, sp.Lambda):
        _check_formula(prover, symbol, value, where)
        return
    if isinstance(symbol, UndefinedFunction):
        have = set(properties_of(value))
        if value is sp.exp:
            have = {"convex", "increasing", "positive", "nonnegative", "positive_curvature"}
            have |= {"differentiable", "twice_differentiable", "nonnegative_curvature"}
        missing = set(properties_of(symbol)) - have
        if missing or not (isinstance(value, UndefinedFunction) or value is sp.exp):
            raise Unproved(where + f"it is not declared {in_words(sorted(missing))}")
        return
    if isinstance(symbol, sp.IndexedBase):
        _check_family(prover, symbol, value, where)
        return
    expected, found = kind(symbol), kind(value)
    if isinstance(expected, tuple):
        expected = tuple(substitute(s, mapping) for s in expected)
    if expected != found and not (value == 0 and expected == VECTOR):
        raise IllTyped(where + f"one is {expected}, the other {found}")
    require_defined(prover, value, conditions(value))
    if isinstance(symbol, SymmetricMatrix) and not prover.holds(Eq(value, sp.Transpose(value))):
        raise Unproved(where + "nothing shows that it is symmetric")
    if isinstance(symbol, sp.Symbol):
        _check_assumptions(prover, symbol, value, where)


def _derivative_for(function: Any) -> Any:
    if isinstance(function, sp.Lambda) and len(function.variables) == 1:
        return sp.Lambda(function.variables, derive(function.expr, *function.variables))
    return function if function is sp.exp else derivative(function)


def _check_formula(prover: Prover, symbol: Any, value: sp.Lambda, where: str) -> None:
    """Make sure that a formula has a value everywhere and is as the function is declared."""
    plain = sp.Tuple(*(sp.Symbol(v.name, real=True) for v in value.variables))
    # SymPy has one identity, whose variable it makes up.
    if len(plain) != 1 or (value.signature != plain and value is not sp.S.IdentityFunction):
        raise IllTyped(where + "give a Lambda of one real variable")
    (variable,) = value.variables
    if any(variable in mean.free_symbols for mean in value.expr.atoms(*MEANS)):
        raise Unproved(where + "its variable stands under an expectation")
    u = fresh_symbol("u", [value, *prover.given], real=True)
    body = member(value, [u])
    if kind(body) != REAL:
        raise IllTyped(where + "its values are not numbers")
    require_defined(prover, body, conditions(body))
    for name in properties_of(symbol):
        if not _shown(prover, name, value, u):
            raise Unproved(where + f"nothing shows that it is {in_words([name])}")


def _shown(prover: Prover, name: str, f: sp.Lambda, u: Any) -> bool:
    """Say whether a formula is proved to have a property, for all reals."""
    here = member(f, [u])
    if name in ("nonnegative", "positive"):
        return prover.holds(Ge(here, 0) if name == "nonnegative" else Gt(here, 0))
    slope = _derivative_everywhere(prover, here, u)
    if name == "differentiable":
        return slope is not None
    v, t = (fresh_symbol(letter, [f, *prover.given], real=True) for letter in "vt")
    there = member(f, [v])
    if name in ("increasing", "decreasing"):
        order = Le if name == "increasing" else Ge
        if slope is not None and prover.holds(order(0, slope)):
            return True
        return prover.extended([Le(u, v)]).holds(order(here, there))
    bend = None if slope is None else _derivative_everywhere(prover, slope, u)
    if name == "twice_differentiable":
        return bend is not None
    sign = Gt if name == "positive_curvature" else Le if name == "concave" else Ge
    if bend is not None and prover.holds(sign(bend, 0)):
        return True
    if name not in ("convex", "concave"):
        return False
    between, chord = member(f, [t * u + (1 - t) * v]), t * here + (1 - t) * there
    return prover.extended([Ge(t, 0), Le(t, 1)]).holds(sign(chord, between))


def _derivative_everywhere(prover: Prover, e: Any, u: Any) -> Any:
    """Return the derivative of a term, None where nothing shows that it has one for every u."""
    try:
        slope = derive(e, u)
    except Unproved:
        return None
    needed = [*map(_strictly, conditions(e)), *conditions(slope)]
    return slope if all(map(prover.holds, needed)) else None


def _check_assumptions(prover: Prover, symbol: Any, value: Any, where: str) -> None:
    if symbol.is_integer and not value.is_integer:
        raise Unproved(where + "it is not known to be an integer")
    for name, build in zip(SIGNS, (Gt, Lt, Ge, Le, Ne), strict=True):
        if getattr(symbol, f"is_{name}") and not prover.holds(build(value, 0)):
            raise Unproved(where + f"nothing shows that it is {name}")


def _check_family(prover: Prover, symbol: Any, value: Any, where: str) -> None:
    if not isinstance(value, (sp.Lambda, sp.IndexedBase)):
        raise IllTyped(where + "give another family or a Lambda of the index")
    names = value.variables if isinstance(value, sp.Lambda) else [sp.Symbol("i", integer=True)]
    at: list[Any] = []
    for i in names:
        at.append(fresh_symbol(i.name, [value, *at, *prover.given], integer=True))
    new, like = member(value, at), symbol[tuple(at)]
    if kind(new) != kind(like):
        raise IllTyped(where + "it is of another kind")
    require_defined(prover, new, conditions(new))
    _check_assumptions(prover, like, new, where)


def _named(value: Any) -> Any:
    return value if isinstance(value, FunctionClass) else term(value)


def apply(theorem: Theorem, values: Mapping[Any, Any] | None = None) -> Rule:
    """Use a proved theorem for particular values of its symbols.

    Every hypothesis of the theorem is proved for these values from the hypotheses at hand, and so
    are the assumptions about its symbols. The line then has to be the conclusion, or to follow from
    it. In the place of a function stands one with the same properties, or a ``Lambda`` of one real
    variable, of which each property is proved for all reals.

    Examples
    --------
    >>> from mlnotes.proof import Derivation, apply, reals
    >>> u, v = reals("u v")
    >>> bound = Derivation("product").start(u * (1 - u)).at_most("1/4", because="a square").qed()
    >>> line = Derivation("use").start(v**2 * (1 - v**2))
    >>> line.at_most("1/4", because="u = v²", by=apply(bound, {u: v**2})).qed().steps[0].method
    'theorem'
    """
    _genuine(theorem)
    mapping = {_named(k): _named(v) for k, v in (values or {}).items()}
    for symbol, value in list(mapping.items()):
        whole = (sp.Symbol, sp.IndexedBase, sp.MatrixSymbol, UndefinedFunction)
        if not isinstance(symbol, whole):
            raise IllTyped(
                f"apply replaces symbols, families, matrices and functions, not {symbol}"
            )
        while isinstance(symbol, UndefinedFunction) and "differentiable" in properties_of(symbol):
            symbol, value = derivative(symbol), _derivative_for(value)
            mapping[symbol] = value
        if isinstance(symbol, sp.MatrixSymbol):
            # The sizes of a matrix go with it: what was said for n holds for the new size.
            for side, size in theorem.mapping_of_sizes(value, symbol).items():
                if side.is_Symbol:
                    mapping.setdefault(side, size)
    return _Apply(theorem, tuple(mapping.items()))


@dataclasses.dataclass(frozen=True, slots=True)
class _Let(Rule):
    symbol: Any
    value: Any
    inner: Rule | None

    def prove(self, prover: Prover, goal: Any) -> Proof:
        u, value = term(self.symbol), term(self.value)
        if not isinstance(u, (sp.Symbol, sp.MatrixSymbol)):
            raise IllTyped(f"let: {u} is not a single symbol, vector or matrix")
        if any(u in s.free_symbols or s.has(u) for s in [goal, *prover.given]):
            raise Unproved(f"let: {u} is already in use")
        if randomises(u, value, [goal, *prover.given]):
            raise Unproved(f"let: {u} does not vary with the outcome, but {value} does")
        _check_fits(prover, u, value, f"let: {u} cannot stand for {value}: ", {})
        new = substitute(goal, {value: u})
        if new == goal:
            raise Unproved(f"let: {value} does not occur in the line as it is written")
        given = [substitute(s, {value: u}) for s in prover.given]
        proof = _prove_with(Prover(given, None, prover.use_z3, prover.budget), new, self.inner)
        return Proof("let", f"{u} = {value}: {proof}", proof.used)


def let(u: Any, value: Any, by: Rule | None = None) -> Rule:
    """Prove a line for any u in place of a term that occurs in it."""
    return _Let(u, term(value), by)


@dataclasses.dataclass(frozen=True, slots=True)
class _Using(Rule):
    facts: tuple[Any, ...]

    def rename(self, mapping: Mapping[Any, Any]) -> Rule:
        renamed = [
            f.rename(mapping) if isinstance(f, Rule) else substitute(f, mapping) for f in self.facts
        ]
        return _Using(tuple(renamed))

    def prove(self, prover: Prover, goal: Any) -> Proof:
        shown: list[Any] = []
        names: list[str] = []
        for f in self.facts:
            if isinstance(f, _Apply):
                shown.append(f.conclusion(prover.extended(shown)))
                names.append(f'"{f.theorem.title}"')
            elif isinstance(f, Rule):
                raise IllTyped("using(...) takes statements and apply(...)")
            else:
                require_defined(prover, f, conditions(f))
                names.append(f"{f} by {prover.extended(shown).prove(f)}")
                shown.append(f)
        proof = prover.extended(shown).prove(goal)
        return Proof("using", f"{'; '.join(names)}; then {proof}", proof.used)


def using(*facts: Any) -> Rule:
    """Prove a line from intermediate statements, each of which is proved (or applied) first."""
    return _Using(tuple(f if isinstance(f, Rule) else _claimed(f) for f in facts))


@dataclasses.dataclass(frozen=True, slots=True)
class _Tested(Rule):
    @property
    def mark(self) -> str:
        """Nothing is proved."""
        return "tested"

    def prove(self, prover: Prover, goal: Any) -> Proof:
        prover._falsify(goal, 0, 300)
        count = sum(1 for _ in prover.search.models(goal, 0, 60))
        if not count:
            raise Unproved("no case satisfies the hypotheses, so nothing was tested")
        return Proof("tested numerically only", f"{count} cases")


def tested() -> Rule:
    """Mark a line as tested on concrete cases only: it is not proved, and says so."""
    return _Tested()


@dataclasses.dataclass(frozen=True, slots=True)
class _Assumed(Rule):
    reason: str

    @property
    def mark(self) -> str:
        """The line is taken for granted."""
        return "assumed"

    @property
    def reasons(self) -> tuple[str, ...]:
        """Why it is."""
        return (ASSUMED + self.reason,)

    def prove(self, prover: Prover, goal: Any) -> Proof:
        prover._falsify(goal, 0, 100)
        return Proof("assumed", self.reason)


def assumed(reason: str) -> Rule:
    """Mark a line as assumed, with the reason or reference; the theorem then says so."""
    if not reason.strip():
        raise IllTyped("assumed(...) needs a reason or a reference")
    return _Assumed(reason)


_RULES = frozenset(
    {
        _Apply,
        _Assumed,
        _Cases,
        _Induction,
        _Let,
        _Monotone,
        _SecondOrder,
        _Termwise,
        _Tested,
        _Using,
    }
)
