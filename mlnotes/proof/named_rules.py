"""Named rules for lines that arithmetic alone does not prove.

A rule reduces a line to simpler goals and puts their proofs together by lemmas of the library. What
it returns is a proof that the kernel's rules made, so a rule need not be trusted.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from mlnotes.trusted.certificates import Checked
from mlnotes.trusted.normal import normal
from mlnotes.trusted.terms import Term, Variable, fill, instantiate

from . import proofs as pf
from .arithmetic import combine
from .errors import IllTyped, Unproved
from .language import (
    NAMES,
    OUTCOME,
    Expr,
    Family,
    Function,
    Lambda,
    Statement,
    Written,
    exp,
    identifier,
    in_sort,
    log,
    replaced,
    sqrt,
    statement,
    term_of,
    variable,
    variable_of,
)
from .merging import merged, merged_vectors
from .proofs import Proof, assume, axiom, discharge, eq, le, lemma, mp, negation
from .search import Context, subterms

if TYPE_CHECKING:
    from .derivations import Theorem

Renaming = Mapping[Variable, Term]


class Rule:
    """A way to prove a line; its word is how a page names it."""

    word = ""

    def prove(self, context: Context, goal: Term) -> Proof:
        """Return a proof of the goal or raise Unproved."""
        raise NotImplementedError

    def facts(self, context: Context) -> list[Proof]:
        """Return what the rule offers to arithmetic."""
        raise IllTyped(
            f"{type(self).__name__.strip('_').lower()} is not a fact: write by=… with it"
        )

    def renamed(self, names: Renaming) -> Rule:
        """Return the rule for other values of some variables."""
        return self

    def opened(self, symbol: Expr, value: Term) -> Rule:
        """Return the rule where a symbol that a goal binds has a value."""
        return self.renamed({variable_of(symbol): value})

    def written(self) -> list[Written]:
        """Return the terms and statements in the rule, which carry hypotheses of their symbols."""
        out: list[Written] = []
        pending = list(vars(self).values())
        while pending:
            value = pending.pop()
            if isinstance(value, Rule):
                out += value.written()
            elif isinstance(value, Written):
                out.append(value)
            elif isinstance(value, Lambda):
                out.append(value.body)
            elif isinstance(value, Mapping):
                pending += value.values()
            elif isinstance(value, (tuple, list)):
                pending += value
        return out


def prove_with(context: Context, goal: Term, rule: Rule | None) -> Proof:
    """Prove a goal by a rule, or by search where there is none."""
    if rule is None:
        return context.prove(goal)
    rule = as_rule(rule)
    ways = [partial(rule.prove, context, goal)]
    if goal.op == "all" and goal.data[0] != "W":
        ways += [partial(_prove_for_all, context, goal, rule, name) for name in NAMES.get(goal, ())]
    return _first(ways)


def _first(ways: Sequence[Callable[[], Proof]]) -> Proof:
    """Return what the first way proves that does not end in a refusal."""
    for way in ways[:-1]:
        with contextlib.suppress(Unproved):
            return way()
    return ways[-1]()


def _prove_for_all(context: Context, goal: Term, rule: Rule, name: str) -> Proof:
    """Prove of all values of a symbol what a theorem says of the symbol: of a fresh value."""
    symbol, x = variable(name, goal.data[0]), pf.fresh(goal.data[0], "a")
    opened = rule.opened(Expr(symbol), x)
    inside = fill(goal.args[0], (x,))
    premises: list[Term] = []
    while inside.op == "->" and inside.args[1].op != "F":
        premises.append(inside.args[0])
        inside = inside.args[1]
    inner = context.extended(*map(pf.assume, premises))
    found = prove_with(inner, inside, opened)
    for p in reversed(premises):
        found = discharge(p, found)
    return pf.generalise(x, found)


def as_rule(rule: Any) -> Rule:
    """Return a rule: a theorem as it stands, a statement to prove first, or several of these."""
    from .derivations import Theorem

    if isinstance(rule, Theorem):
        return _Apply(rule, {})
    if isinstance(rule, (tuple, list)):
        return _Using(rule)
    if isinstance(rule, Statement):
        return _Using((rule,))
    if not isinstance(rule, Rule):
        raise IllTyped(
            f"by={rule!r} is not a rule: write a theorem, theorem(x=...), termwise(...) and so on"
        )
    return rule


def _moved(value: Any, names: Renaming) -> Any:
    """Return a term or statement with variables replaced."""
    if isinstance(value, Expr):
        return Expr(replaced(value, names), value.assumes)
    if isinstance(value, Statement):
        return Statement(
            replaced(value, names),
            value.assumes,
            value.shown,
            tuple(_moved(p, names) for p in value.parts),
        )
    if isinstance(value, Lambda):
        out = Lambda.__new__(Lambda)
        out.variables, out.body = value.variables, _moved(value.body, names)
        return out
    return value


def substitute(value: Any, values: Mapping[Any, Any]) -> Any:
    """Return a term or statement with symbols replaced by terms, or families by formulas."""
    bodies = [pair for k, v in values.items() for pair in substitution(k, v, value.term.free)]
    return _moved(value, dict(bodies))


# ---------------------------------------------------------------------- apply and using


class _Apply(Rule):
    word = "theorem"

    def __init__(self, theorem: Theorem, values: Mapping[Any, Any]) -> None:
        self.theorem, self.values = theorem, dict(values)

    def renamed(self, names: Renaming) -> Rule:
        return _Apply(self.theorem, {k: _moved(v, names) for k, v in self.values.items()})

    def opened(self, symbol: Expr, value: Term) -> Rule:
        checked = self._checked()
        found = {variable_of(symbol): value}
        values = {k: _moved(v, found) for k, v in self.values.items()}
        says = [checked.conclusion, *checked.hypotheses]
        if any(variable_of(symbol) in p.free for p in says):
            values.setdefault(symbol, Expr(value))
        return _Apply(self.theorem, values)

    def facts(self, context: Context) -> list[Proof]:
        """Return the theorem's conclusion at these values, its hypotheses there being proved."""
        checked = self._checked()
        instance = pf.substitute(pf.cite(checked), self._bodies(checked))
        for h in sorted(instance.hypotheses, key=lambda h: h.key):
            try:
                shown = context.prove(h)
            except Unproved as reason:
                from .rendering import plain

                raise Unproved(
                    f'"{self.theorem.title}" cannot be applied: its hypothesis {plain(h)} '
                    f"is not known here ({reason})"
                ) from reason
            if shown.conclusion is not h:
                shown = pf.convert(shown, h)
            instance = mp(discharge(h, instance), shown)
        return [instance]

    def _checked(self) -> Checked:
        """Return what the kernel has checked of the theorem."""
        if self.theorem.checked is None:
            raise Unproved(
                f'"{self.theorem.title}" is not certified yet, so that nothing may use it'
            )
        return self.theorem.checked

    def _bodies(self, checked: Checked) -> list[tuple[Variable, Term]]:
        """Return what each variable of the theorem is replaced by."""
        free = frozenset[Variable]().union(
            checked.conclusion.free, *(h.free for h in checked.hypotheses)
        )
        return [pair for k, v in self.values.items() for pair in substitution(k, v, free)]

    def prove(self, context: Context, goal: Term) -> Proof:
        """Prove a goal from the theorem, written out where it speaks of max, min or [p]."""
        (fact,) = self.facts(context)
        if normal(fact.conclusion) is normal(goal):
            return pf.convert(fact, goal)
        facts = [fact]
        # A theorem with gradients says of them too what they are gradients of.
        said = pf.conjuncts(fact)[0]
        parts = {t.op for t in subterms(said.conclusion)}
        if not parts.isdisjoint(("max", "min", "abs", "ind")):
            simpler = context.forward(_written_out(said) if "ind" in parts else said)
            facts += [simpler] if simpler is not fact else []
        return context.focused(*facts).prove(goal)


def _written_out(fact: Proof) -> Proof:
    """Return a relation of numbers with sums between numerals written out."""
    p = fact.conclusion
    if p.op not in ("=", "<=", "<") or p.args[0].sort != "R":
        return fact
    return pf.convert(fact, pf.relation(p.op, *map(normal, p.args)))


def substitution(symbol: Any, value: Any, free: frozenset[Variable]) -> list[tuple[Variable, Term]]:
    """Return what to put for the variables of a theorem that a symbol names."""
    if isinstance(symbol, Expr):
        wanted = [variable_of(symbol)]
    elif isinstance(symbol, Family):
        wanted = [v for v in free if v[0] == symbol.name and v[1] == symbol.sort and v[2]]
    elif isinstance(symbol, Function):
        wanted = [variable_of(symbol)]
    else:
        raise IllTyped(f"{symbol!r} is not a symbol of the theorem")
    out = []
    for v in wanted:
        _, sort, arguments = v
        if isinstance(value, Lambda):
            variables = [x.term for x in value.variables]
            if arguments[-1:] == ("W",) and len(variables) == len(arguments) - 1:
                variables.append(variable(*OUTCOME))
            if len(variables) != len(arguments):
                raise IllTyped(f"{symbol!r} takes {len(arguments)} arguments")
            body = pf.abstracted(in_sort(sort, value.body), variables)
        elif isinstance(value, (Family, Function)):
            name = value.name
            generic = [pf.fresh(s) for s in arguments]
            body = pf.abstracted(variable(name, sort, generic), generic)
        else:
            term = in_sort(sort, term_of(value))
            if arguments == ("W",):
                omega = variable("ω", "W")
                body = pf.abstracted(term, [omega])
            elif arguments:
                raise IllTyped(f"{symbol!r} is a family: put a family or a Lambda for it")
            else:
                body = term
        out.append((v, body))
    return out


def apply(theorem: Theorem, values: Mapping[Any, Any] | None = None) -> Rule:
    """Use a theorem for particular values of its symbols; its hypotheses are proved here."""
    return _Apply(theorem, values or {})


def apply_named(theorem: Theorem, values: Mapping[str, Any]) -> Rule:
    """Use a theorem for particular values of its symbols, which are found by their names."""
    terms = [theorem.statement.term, *(h.term for h in theorem.stated)]
    free = frozenset[Variable]().union(*(t.free for t in terms))
    names: dict[str, list[Variable]] = {}
    for v in sorted(free):
        names.setdefault(identifier(v[0]), []).append(v)
    found: dict[Any, Any] = {}
    for name, value in values.items():
        if name not in names:
            known = ", ".join(names)
            raise IllTyped(f'"{theorem.title}" speaks of {known}, not of {name}')
        for v in names[name]:
            found[_symbol(v)] = _formula(v, value)
    return _Apply(theorem, found)


def _symbol(v: Variable) -> Any:
    """Return the symbol that a variable of the kernel came from."""
    name, sort, arguments = v
    if arguments and not {"Z", "W"} & {*arguments}:
        return Function(name, {}, arguments, sort)
    if "Z" in arguments:
        return Family(name, sort, random=arguments[-1:] == ("W",))
    return Expr(variable(name, sort, [variable(*OUTCOME)] if arguments else ()))


def _formula(v: Variable, value: Any) -> Any:
    """Return a value; a Python function becomes a formula in the indices of the variable."""
    if isinstance(value, (Function, Lambda)) or not callable(value):
        return value
    bound = [Expr(pf.fresh(s)) for s in v[2] if s != "W"]
    return Lambda(bound, value(*bound))


class _Using(Rule):
    word = "facts"

    def __init__(self, parts: Sequence[Any]) -> None:
        self.parts = tuple(parts)

    def renamed(self, names: Renaming) -> Rule:
        return _Using(
            [p.renamed(names) if isinstance(p, Rule) else _moved(p, names) for p in self.parts]
        )

    def facts(self, context: Context) -> list[Proof]:
        """Return what each part says, each proved with those before it."""
        out: list[Proof] = []
        for part in self.parts:
            now = context.extended(*out)
            if isinstance(part, Statement):
                out.append(now.prove(part.term))
            else:
                out += as_rule(part).facts(now)
        return out

    def prove(self, context: Context, goal: Term) -> Proof:
        """Prove a goal from these facts."""
        return context.focused(*self.facts(context)).prove(goal)


def using(*facts: Any) -> Rule:
    """Add theorems or statements, which are proved first, to what arithmetic may use."""
    return _Using(facts)


class _Instance(Rule):
    def __init__(self, claim: Statement, values: Sequence[Any]) -> None:
        self.claim, self.values = claim, tuple(term_of(v) for v in values)

    def renamed(self, names: Renaming) -> Rule:
        return _Instance(_moved(self.claim, names), [_moved(v, names) for v in self.values])

    def facts(self, context: Context) -> list[Proof]:
        """Return p(v) from ∀x p(x), for the values given."""
        found = []
        for fact in pf.conjuncts(context.prove(self.claim.term)):
            if fact.conclusion.op == "all":
                found += pf.conjuncts(self._at_values(context, fact))
        if not found:
            raise IllTyped(f"{self.claim!r} is not about all values of something")
        return found

    def _at_values(self, context: Context, fact: Proof) -> Proof:
        """Return the fact at the values, its premises there being proved."""
        for value in self.values:
            fact = self._without_premises(context, fact)
            if fact.conclusion.op != "all":
                raise IllTyped(f"{self.claim!r} takes fewer values than {len(self.values)}")
            fact = pf.specialise(fact, in_sort(fact.conclusion.data[0], value))
        return self._without_premises(context, fact)

    def _without_premises(self, context: Context, fact: Proof) -> Proof:
        """Prove what a statement supposes of the values."""
        while fact.conclusion.op == "->" and fact.conclusion.args[1].op != "F":
            fact = mp(fact, context.prove(fact.conclusion.args[0]))
        return fact

    def prove(self, context: Context, goal: Term) -> Proof:
        """Prove a goal from these instances."""
        return context.focused(*self.facts(context)).prove(goal)


def instance(claim: Statement, values: Sequence[Any]) -> Rule:
    """Use a statement at particular values; what it supposes of them is proved here."""
    return _Instance(claim, values)


# ---------------------------------------------------------------------- termwise


class _Termwise(Rule):
    word = "term by term"

    def __init__(self, index: Any, inner: Rule | None) -> None:
        self.index, self.inner = index, inner

    def renamed(self, names: Renaming) -> Rule:
        return _Termwise(self.index, self.inner.renamed(names) if self.inner else None)

    def prove(self, context: Context, goal: Term) -> Proof:
        """Prove Σ f ≤ Σ g from f(k) ≤ g(k) for every k; the same of =, of Π and of E."""
        try:
            left, right, factor = _aligned(context, goal)
        except Unproved:
            apart = merged_vectors if goal.args[0].sort == "V" else merged
            found = apart(context, goal) if self.inner is None else None
            if found is None:
                raise
            return found
        aim = pf.relation(goal.op, left, right) if left.sort != "V" else eq(left, right)

        def inner(context: Context, aim: Term, at: Term) -> Proof | None:
            rule = self.inner
            a, b = aim.args
            deeper = a.op == b.op and a.op in ("sum", "prod", "E", "int")
            if rule is None:
                if deeper:
                    return context.attempt(aim) or _Termwise(None, None).prove(context, aim)
                return context.prove(aim)
            if at.sort == "W":
                return prove_with(context, aim, rule.renamed({(*OUTCOME, ()): at}))
            if self.index is None or at.sort not in ("Z", "U"):
                return prove_with(context, aim, rule)
            index = variable_of(self.index)
            ways = [partial(prove_with, context, aim, rule.renamed({index: at}))]
            names = dict.fromkeys(NAMES.get(left, ()))
            if a.op == left.op and names.keys() - {index[0]}:
                # The rule may speak of the index of the sums inside; others may have called the
                # same sum outside by that name.
                outer = rule.renamed(
                    {(name, at.sort, ()): at for name in names if name != index[0]}
                )
                inside = partial(_Termwise(self.index, outer).prove, context, aim)
                ways = [*ways, inside] if index[0] in names else [inside, *ways]
            return _first(ways)

        found = context.compare(aim, inner)
        if found is None:
            raise Unproved("termwise: the two sides do not range over the same")
        if normal(found.conclusion) is normal(goal):
            return pf.convert(found, goal)
        facts = [found]
        if factor is not None:
            facts.append(factor)
        done = combine(goal, facts, products=2) if left.sort != "V" else None
        return done or context.extended(*facts).prove(goal)


def _addends(t: Term) -> list[Term]:
    """Return a, b, c of a + (b + c)."""
    return [a for part in t.args for a in _addends(part)] if t.op == "+" else [t]


def _aligned(context: Context, goal: Term) -> tuple[Term, Term, Proof | None]:
    """Strip what two sides share, down to one sum, product or expectation each."""
    sides = [_addends(t) for t in goal.args]
    for a in list(sides[0]):
        for b in sides[1]:
            if normal(a) is normal(b):
                sides[0].remove(a)
                sides[1].remove(b)
                break
    zero = pf.number(0)
    sides = [[t for t in side if normal(t) is not normal(zero)] for side in sides]
    if any(len(side) > 1 for side in sides) or not any(sides):
        raise Unproved("termwise: the sides differ by more than one sum, product or expectation")
    heads: list[Term | None] = []
    factors: list[Term | None] = []
    for side in sides:
        if not side:
            heads.append(None)
            factors.append(None)
            continue
        parts = list(side[0].args) if side[0].op in ("*", "sc") else [side[0]]
        big = [p for p in parts if p.op in ("sum", "prod", "E", "int")]
        if len(big) != 1:
            raise Unproved("termwise: write the line with one sum, product or expectation per side")
        heads.append(big[0])
        rest = [p for p in parts if p is not big[0]]
        factors.append(pf.mul(*rest) if len(rest) > 1 else rest[0] if rest else None)
    model = heads[0] or heads[1]
    assert model is not None
    for k in (0, 1):
        if heads[k] is None:
            body = pf.number(0) if model.args[-1].sort == "R" else pf.build("zero", ("V",))
            heads[k] = pf.build(model.op, (), [*model.args[:-1], body])
            factors[k] = factors[1 - k]
    left, right = heads
    assert left is not None
    assert right is not None
    if left.op != right.op:
        raise Unproved("termwise: the sides are of different kinds")
    common = [normal(f) if f is not None else normal(pf.number(1)) for f in factors]
    if common[0] is not common[1]:
        raise Unproved("termwise: the factors of the two sides differ")
    sign = None
    if goal.op != "=" and factors[0] is not None:
        sign = context.sign("positive", factors[0]) or context.sign("nonnegative", factors[0])
        if sign is None:
            raise Unproved("termwise: the common factor is not known to be nonnegative")
    return left, right, sign


def termwise(index: Any = None, by: Any = None) -> Rule:
    """Compare two sums, products or expectations term by term, for a generic index or outcome."""
    return _Termwise(index, as_rule(by) if by is not None else None)


# ---------------------------------------------------------------------- monotone


class _Monotone(Rule):
    word = "monotone"

    def __init__(self, function: Any, inner: Rule | None) -> None:
        self.function, self.inner = function, inner

    def renamed(self, names: Renaming) -> Rule:
        return _Monotone(self.function, self.inner.renamed(names) if self.inner else None)

    def prove(self, context: Context, goal: Term) -> Proof:
        """Prove a ≤ b by an increasing function: √, exp, log, or one that is declared so."""
        if self.function is sqrt:
            return self._by_squares(context, goal)
        if self.function is exp:
            return self._by_logarithms(context, goal)
        if self.function is log:
            return self._by_exponentials(context, goal)
        if isinstance(self.function, Function):
            return self._by_arguments(context, goal, self.function)
        raise Unproved(f"monotone knows exp, log and sqrt, not {self.function!r}")

    def _by_arguments(self, context: Context, goal: Term, f: Function) -> Proof:
        """Prove f(s) ≤ f(t) from s ≤ t, or from t ≤ s where f is decreasing."""
        a, b = goal.args
        if goal.op not in ("<=", "=") or any(t.op != "v" or t.data[0] != f.name for t in (a, b)):
            raise Unproved(f"monotone: write the line as {f.name}(a) ≤ {f.name}(b)")
        (s,), (t,) = a.args, b.args
        if goal.op == "=":
            same = prove_with(context, eq(s, t), self.inner)
            return pf.congruence(same, lambda z: variable(f.name, "R", [z]))
        for name, x, y in (("increasing", s, t), ("decreasing", t, s)):
            if f.declared.get(name):
                (rule,) = (h for h in Function(f.name, {name: True}).hypotheses())
                known = context.prove(rule)
                inner = prove_with(context, le(x, y), self.inner)
                return pf.convert(mp(pf.specialise(known, x, y), inner), goal)
        raise Unproved(f"monotone: {f.name} is not declared increasing or decreasing")

    def _by_squares(self, context: Context, goal: Term) -> Proof:
        """Prove a ≤ b from a² ≤ b² for numbers that are not negative."""
        a, b = goal.args
        equations, sides = [], []
        for t in (a, b):
            nonnegative = context.sign("nonnegative", t)
            if t.op == "sqrt":
                x = t.args[0]
                inside = context.sign("nonnegative", x)
                if inside is None:
                    raise Unproved("monotone: what stands under the root may be negative")
                equations.append(mp(axiom("sqrt_square", x=x), inside))
                sides.append(x)
            elif nonnegative is None:
                raise Unproved("monotone: a side may be negative")
            else:
                sides.append(pf.power(t, 2))
        inner = prove_with(context, pf.relation(goal.op, *sides), self.inner)
        squares = combine(pf.relation(goal.op, pf.power(a, 2), pf.power(b, 2)), [inner, *equations])
        assert squares is not None
        signs = [context.sign("nonnegative", t) for t in (a, b)]
        if goal.op == "=":
            return mp(lemma("squares_equal", x=a, y=b), *signs, squares)
        name = "squares_order" if goal.op == "<=" else "squares_strict_order"
        return mp(lemma(name, x=a, y=b), signs[1], squares)

    def _by_exponents(self, context: Context, goal: Term) -> Proof | None:
        """Compare two multiples of exponentials by a common factor that is not negative."""
        if goal.op != "<=":
            return None
        exponents, factors = [], []
        for t in goal.args:
            parts = list(t.args) if t.op == "*" else [t]
            powers = [p for p in parts if p.op == "exp"]
            if len(powers) != 1 or len(parts) < 2:
                return None
            rest = [p for p in parts if p is not powers[0]]
            exponents.append(powers[0].args[0])
            factors.append(pf.mul(*rest) if len(rest) > 1 else rest[0])
        sign = context.sign("nonnegative", factors[0])
        if normal(factors[0]) is not normal(factors[1]) or sign is None:
            return None
        inner = prove_with(context, le(*exponents), self.inner)
        moved = mp(lemma("exp_monotone", x=exponents[0], y=exponents[1]), inner)
        return pf.psatz(goal, (1, [sign, moved]))

    def _by_logarithms(self, context: Context, goal: Term) -> Proof:
        """Prove a ≤ b from log a ≤ log b for positive numbers."""
        found = self._by_exponents(context, goal)
        if found is not None:
            return found
        logs, values = [], []
        for t in goal.args:
            if t.op == "exp":
                logs.append(t.args[0])
                values.append(pf.reflexive(t))
                continue
            positive = context.sign("positive", t)
            if positive is None:
                raise Unproved("monotone: a side may be negative or zero")
            logs.append(pf.build("log", (), [t]))
            values.append(mp(axiom("exp_log", x=t), positive))
        inner = prove_with(context, pf.relation(goal.op, *logs), self.inner)
        if goal.op == "=":
            moved = pf.congruence(inner, lambda t: pf.build("exp", (), [t]))
        else:
            name = "exp_monotone" if goal.op == "<=" else "exp_strictly_monotone"
            moved = mp(lemma(name, x=logs[0], y=logs[1]), inner)
        found = combine(goal, [moved, *values])
        if found is None:
            raise Unproved("monotone: the exponentials do not fit the line")
        return found

    def _by_exponentials(self, context: Context, goal: Term) -> Proof:
        """Prove log a ≤ log b from a ≤ b for positive numbers."""
        sides = [t.args[0] if t.op == "log" else pf.build("exp", (), [t]) for t in goal.args]
        positive = [context.sign("positive", s) for s in sides]
        if None in positive:
            raise Unproved("monotone: what stands under a logarithm may be negative or zero")
        inner = prove_with(context, pf.relation(goal.op, *sides), self.inner)
        if goal.op == "=":
            moved = pf.congruence(inner, lambda t: pf.build("log", (), [t]))
        else:
            name = "log_monotone" if goal.op == "<=" else "log_strictly_monotone"
            moved = mp(lemma(name, x=sides[0], y=sides[1]), positive[0], inner)
        values = [axiom("log_exp", x=s.args[0]) for s in sides if s.op == "exp"]
        found = combine(goal, [moved, *values])
        if found is None:
            raise Unproved("monotone: the logarithms do not fit the line")
        return found


def monotone(f: Any, by: Rule | None = None) -> Rule:
    """Compare ``f(a)`` and ``f(b)`` by a and b, for exp, log or sqrt."""
    return _Monotone(f, by)


# ---------------------------------------------------------------------- cases


class _Cases(Rule):
    word = "cases"

    def __init__(self, alternatives: Sequence[tuple[Statement, Rule | None]]) -> None:
        self.alternatives = tuple(alternatives)

    def renamed(self, names: Renaming) -> Rule:
        return _Cases(
            [(_moved(s, names), r.renamed(names) if r else None) for s, r in self.alternatives]
        )

    def prove(self, context: Context, goal: Term) -> Proof:
        """Prove a goal in each of the cases, which cover everything."""
        return self._from(context, goal, self.alternatives)

    def _from(self, context: Context, goal: Term, left: Any) -> Proof:
        """Prove a goal from p and from ¬p, p being the first of the cases that are left."""
        if not left:
            wrong = context.contradiction()
            found = context.attempt(goal) if wrong is None else None
            if wrong is None and found is None:
                wrong = context.attempt(pf.false())
            if wrong is not None:
                return pf.absurd(goal, wrong)
            if found is None:
                raise Unproved(
                    "cases: the cases do not cover everything, and what is left is not proved"
                )
            return found
        (case, rule), *rest = left
        p = case.term
        yes = prove_with(context.extended(assume(p)), goal, rule)
        no = self._from(context.extended(assume(negation(p))), goal, rest)
        return pf.by_cases(p, yes, no)


def cases(*alternatives: Any) -> Rule:
    """Prove a line in each of several cases, and where none of them holds, if that can be."""
    out = []
    for a in alternatives:
        case, rule = a if isinstance(a, tuple) else (a, None)
        out.append((statement(case), as_rule(rule) if rule is not None else None))
    return _Cases(out)


# ---------------------------------------------------------------------- induction


class _Induction(Rule):
    word = "induction"

    def __init__(
        self, claim: Statement | None, k: Expr, step: Rule | None, start: int, base: Rule | None
    ) -> None:
        self.claim, self.k, self.step, self.start, self.base = claim, k, step, start, base

    def renamed(self, names: Renaming) -> Rule:
        step, base = (rule.renamed(names) if rule else None for rule in (self.step, self.base))
        return _Induction(_moved(self.claim, names), _moved(self.k, names), step, self.start, base)

    def prove(self, context: Context, goal: Term) -> Proof:
        """Prove p(k) from p(start) and from p(m) → p(m + 1)."""
        k = self.k.term
        name = variable_of(self.k)
        claim = self.claim.term if self.claim is not None else goal
        low = pf.whole(self.start)

        def at(t: Term) -> Term:
            return instantiate(claim, {name: t})

        def bounded(t: Term) -> Term:
            return pf.implies(le(t, k), at(t))

        called = next(iter(NAMES.get(claim, ())), "")
        first = self.base.renamed({name: low}) if self.base is not None else None
        base = _part(context, at(low), first, called)
        m = pf.fresh("Z", "m")
        after = pf.add(m, 1)
        from_low, inside = assume(le(low, m)), assume(le(after, k))
        hypothesis = assume(bounded(m))
        reached = combine(le(m, k), [inside])
        assert reached is not None
        now = context.extended(from_low, inside, mp(hypothesis, reached))
        now.unrolled = after
        step = self.step.renamed({name: m}) if self.step is not None else None
        shown = _part(now, at(after), step, called)
        for h in (inside, hypothesis, from_low):
            shown = discharge(h.conclusion, shown)
        rule = axiom("induction", lo=low, P=bounded)
        every = mp(rule, discharge(le(low, k), base), pf.generalise(m, shown))
        long = context.attempt(le(low, k))
        if long is None:
            raise Unproved(f"induction: nothing says that it starts at {self.start} or later")
        done = mp(pf.specialise(every, k), long, pf.ring(le(k, k)))
        if self.claim is None:
            return done
        return context.extended(done).prove(goal)


def _part(context: Context, goal: Term, rule: Rule | None, name: str) -> Proof:
    """Prove the start or the step of an induction; for all values of a symbol, of a fresh one."""
    if rule is None:
        return context.prove(goal)
    if goal.op == "all" and name:
        return _prove_for_all(context, goal, rule, name)
    return context.extended(*rule.facts(context)).prove(goal)


def induction(claim: Any, k: Expr, step: Any = None, start: Any = 0, base: Any = None) -> Rule:
    """Prove a line for every k from ``start`` on; ``step`` is used to go from k to k + 1.

    Where the claim says something of all values of a symbol, ``step`` may speak of the symbol, and
    use the claim at other values of it: ``claim.at(d)``, ``claim.at(d - 1)``.
    """
    found = None if claim is None else statement(claim)
    rules = (as_rule(rule) if rule is not None else None for rule in (step, base))
    first, last = rules
    return _Induction(found, k, first, int(start), last)


# ---------------------------------------------------------------------- let


class _Let(Rule):
    word = "let"

    def __init__(self, symbol: Expr, value: Expr, inner: Rule | None) -> None:
        self.symbol, self.value, self.inner = symbol, value, inner

    def renamed(self, names: Renaming) -> Rule:
        inner = self.inner.renamed(names) if self.inner else None
        return _Let(self.symbol, _moved(self.value, names), inner)

    def prove(self, context: Context, goal: Term) -> Proof:
        """Prove a goal in which the symbol stands for its value."""
        return prove_with(context, goal, self.inner)


def let(u: Any, value: Any, by: Rule | None = None) -> Rule:
    """Give a name to a term in what follows."""
    return _Let(u, term_of(value), by)


__all__ = ["apply", "cases", "induction", "let", "monotone", "substitute", "termwise", "using"]
