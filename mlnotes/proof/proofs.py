"""Proofs under construction: every step is run by the kernel's rules, and written down.

A :class:`Proof` is what has been shown so far and how; :func:`certificate` writes all its steps as
the plain data that :func:`mlnotes.trusted.check` reads. Nothing here is trusted.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextvars import ContextVar
from functools import cache
from itertools import count
from typing import Any

from mlnotes.trusted import axiom_statements, rules
from mlnotes.trusted.certificates import Checked, _library
from mlnotes.trusted.terms import Term, Variable, close, fuel

from .language import FRESH
from .language import build as build
from .language import number as number
from .language import variable as variable

_NUMBERS: ContextVar[Iterator[int] | None] = ContextVar("numbers", default=None)
_OUTSIDE = count(1)  # of theorems that have a label


class Proof:
    """A theorem of the kernel and the step that gave it."""

    __slots__ = ("conclusion", "given", "hypotheses", "rule")

    def __init__(self, theorem: rules.Theorem, rule: str, *given: Any) -> None:
        self.hypotheses, self.conclusion = theorem
        self.rule, self.given = rule, given

    @property
    def theorem(self) -> rules.Theorem:
        """The hypotheses and the conclusion, for the kernel's rules."""
        return self.hypotheses, self.conclusion

    def __repr__(self) -> str:
        return f"<{len(self.hypotheses)} hypotheses ⊢ {self.conclusion}>"


# ---------------------------------------------------------------------- terms


def fresh(sort: str, name: str = "t") -> Term:
    """Return a variable that occurs nowhere else."""
    return variable(f"{name}{FRESH}{next(_NUMBERS.get() or _OUTSIDE)}", sort)


@contextlib.contextmanager
def numbered_anew() -> Iterator[None]:
    """Count fresh variables from one, so that a search does not depend on those before it.

    What was found elsewhere may have the same names: only theorems are used from there, which have
    no fresh variables.
    """
    token = _NUMBERS.set(count(1))
    try:
        yield
    finally:
        _NUMBERS.reset(token)


def real(x: Any) -> Term:
    """Return a number or term as a real term."""
    if isinstance(x, Term):
        return build("of", (), [x]) if x.sort == "Z" else x
    return number(x)


def whole(x: Any) -> Term:
    """Return a whole number or term as an integer term."""
    return x if isinstance(x, Term) else build("z", (x,))


def add(*terms: Any) -> Term:
    """Return a sum."""
    if any(isinstance(t, Term) and t.sort not in ("R", "Z") for t in terms):
        return build("+", (), terms)
    if any(isinstance(t, Term) for t in terms) and all(
        not isinstance(t, Term) or t.sort == "Z" for t in terms
    ):
        return build("+", (), [whole(t) for t in terms])
    return build("+", (), [real(t) for t in terms])


def mul(*factors: Any) -> Term:
    """Return a product of numbers."""
    if any(isinstance(t, Term) for t in factors) and all(
        not isinstance(t, Term) or t.sort == "Z" for t in factors
    ):
        return build("*", (), [whole(t) for t in factors])
    return build("*", (), [real(t) for t in factors])


def scale(c: Any, v: Term) -> Term:
    """Return a multiple of a vector or matrix."""
    return build("sc", (), [real(c), v])


def neg(x: Any) -> Term:
    """Return the opposite."""
    if isinstance(x, Term) and x.sort not in ("R", "Z"):
        return scale(-1, x)
    return mul(-1, x)


def sub(a: Any, b: Any) -> Term:
    """Return a difference."""
    return add(a, neg(b)) if isinstance(b, Term) else add(a, -b)


def inv(x: Any) -> Term:
    """Return the reciprocal."""
    return build("inv", (), [real(x)])


def power(x: Term, n: int) -> Term:
    """Return a power."""
    return build("pow", (n,), [x])


def relation(op: str, a: Any, b: Any) -> Term:
    """Return a relation, of integers if both sides are."""
    terms = [t for t in (a, b) if isinstance(t, Term)]
    if terms and all(t.sort == "Z" for t in terms):
        return build(op, (), [whole(a), whole(b)])
    if any(t.sort not in ("R", "Z") for t in terms):
        return build(op, (), [a, b])
    return build(op, (), [real(a), real(b)])


def eq(a: Any, b: Any) -> Term:
    """Return an equation."""
    return relation("=", a, b)


def le(a: Any, b: Any) -> Term:
    """Return a ≤ b."""
    return relation("<=", a, b)


def lt(a: Any, b: Any) -> Term:
    """Return a < b."""
    return relation("<", a, b)


def implies(*parts: Term) -> Term:
    """Return p → (q → …)."""
    out = parts[-1]
    for p in reversed(parts[:-1]):
        out = build("->", (), [p, out])
    return out


def false() -> Term:
    """Return the contradiction."""
    return build("F")


def negation(p: Term) -> Term:
    """Return that p does not hold."""
    return implies(p, false())


def bind(sort: str, body: Callable[[Term], Term]) -> Term:
    """Return the body of a binder, from a function of the bound variable."""
    x = fresh(sort)
    return close(body(x), x)


def ranged(op: str, low: Any, high: Any, body: Callable[[Term], Term]) -> Term:
    """Return a sum or product over a range."""
    return build(op, (), [whole(low), whole(high), bind("Z", body)])


def forall(sort: str, body: Callable[[Term], Term]) -> Term:
    """Return that something holds for all values of a sort."""
    return build("all", (sort,), [bind(sort, body)])


def each(low: Any, high: Any, body: Callable[[Term], Term]) -> Term:
    """Return that something holds for every index of a range."""
    return forall("Z", lambda i: implies(le(whole(low), i), le(i, whole(high)), body(i)))


def mean(body: Callable[[Term], Term]) -> Term:
    """Return an expectation."""
    return build("E", (), [bind("W", body)])


def integral(body: Callable[[Term], Term]) -> Term:
    """Return an integral."""
    return build("int", (), [bind("U", body)])


def integrable(body: Callable[[Term], Term]) -> Term:
    """Return that a function of points is integrable."""
    return build("integrable", (), [bind("U", body)])


# ---------------------------------------------------------------------- rules


def assume(p: Term) -> Proof:
    """Take a proposition as a hypothesis."""
    return Proof(rules.assume(p), "assume", p)


def discharge(p: Term, proof: Proof) -> Proof:
    """Turn a hypothesis into a premise."""
    return Proof(rules.discharge(p, proof.theorem), "discharge", p, proof)


def mp(implication: Proof, *premises: Proof | None) -> Proof:
    """Use an implication, converting premises to the form that it asks for."""
    for premise in premises:
        if premise is None:
            raise TypeError("a premise was not proved")
        wanted = implication.conclusion.args[0]
        found = convert(premise, wanted)
        given = rules.modus_ponens(implication.theorem, found.theorem)
        implication = Proof(given, "mp", implication, found)
    return implication


def generalise(x: Term, proof: Proof) -> Proof:
    """Conclude for all values of a variable."""
    return Proof(rules.generalise(x, proof.theorem), "generalise", x, proof)


def specialise(proof: Proof, *values: Term) -> Proof:
    """Conclude for particular values."""
    for value in values:
        proof = Proof(rules.specialise(proof.theorem, value), "specialise", proof, value)
    return proof


def convert(proof: Proof, p: Term) -> Proof:
    """Restate a conclusion in a form with the same normal form."""
    if proof.conclusion is p:
        return proof
    return Proof(rules.convert(proof.theorem, p), "convert", proof, p)


def ring(p: Term) -> Proof:
    """Prove a relation by calculation."""
    return Proof(rules.ring(p), "ring", p)


Part = tuple[Any, Sequence[Proof], Sequence[Term]]


def psatz(goal: Term, *parts: Any) -> Proof:
    """Prove a relation as a combination; a part is a fact, (c, facts) or (c, facts, squares)."""
    integral = goal.op != "F" and goal.args[0].sort == "Z"
    rows: list[Part] = []
    for part in parts:
        c, facts, *squares = (1, [part]) if isinstance(part, Proof) else part
        c = (whole(c) if integral else real(c)) if not isinstance(c, Term) else c
        c = real(c) if not integral else c
        rows.append((c, tuple(facts), tuple(squares[0]) if squares else ()))
    found = rules.positivstellensatz(goal, [(c, [f.theorem for f in fs], s) for c, fs, s in rows])
    return Proof(found, "psatz", goal, tuple(rows))


def linear(goal: Term, *parts: tuple[Term, Proof, Term | None]) -> Proof:
    """Prove an equation of vectors or matrices as a combination of equations."""
    found = rules.linear(goal, [(a, f.theorem, b) for a, f, b in parts])
    return Proof(found, "linear", goal, tuple(parts))


def substitute(proof: Proof, bodies: Sequence[tuple[Variable, Term]]) -> Proof:
    """Replace free variables by bodies, whose loose indices are the arguments."""
    if not bodies:
        return proof
    return Proof(rules.substitute(proof.theorem, bodies), "substitute", proof, tuple(bodies))


def sizes(proof: Proof, names: Mapping[str, str]) -> Proof:
    """Rename sizes of matrices."""
    return Proof(
        rules.rename_sizes(proof.theorem, list(dict(names).items())), "sizes", proof, dict(names)
    )


def axiom(name: str, **values: Any) -> Proof:
    """Use an axiom for particular values of its variables."""
    proof = Proof((frozenset(), axiom_statements()[name]), "axiom", name)
    return instance(proof, values)


def lemma(name: str, **values: Any) -> Proof:
    """Use a lemma of the library for particular values of its variables."""
    found = _LEMMAS.get(name) or library()[name]
    return instance(cite(found), values)


_LEMMAS: dict[str, Checked] = {}


@cache
def library() -> Mapping[str, Checked]:
    """Return the checked lemmas of the library."""
    before = fuel.left
    found = _library()
    fuel.left = before
    return found


def cite(found: Checked) -> Proof:
    """Use a theorem that was checked before."""
    theorem = frozenset(found.hypotheses), found.conclusion
    return Proof(theorem, "cite", found.name, tuple(found.hypotheses), found.conclusion)


def instance(proof: Proof, values: Mapping[str, Any]) -> Proof:
    """Replace free variables, named by their names, by terms or by functions of their arguments."""
    bodies = []
    free = frozenset[Variable]().union(proof.conclusion.free, *(h.free for h in proof.hypotheses))
    for name, value in values.items():
        found = [v for v in free if v[0] == name]
        if len(found) != 1:
            raise KeyError(f"{name} names {len(found)} variables of this theorem")
        _, sort, arguments = found[0]
        if callable(value):
            value = abstract(arguments, value)
        elif not isinstance(value, Term):
            value = whole(value) if sort == "Z" else number(value)
        bodies.append((found[0], value))
    return substitute(proof, bodies)


def abstract(arguments: Sequence[str], body: Callable[..., Term]) -> Term:
    """Return the body of a function: its loose index k is argument k."""
    variables = [fresh(s) for s in arguments]
    return abstracted(body(*variables), variables)


def abstracted(t: Term, variables: Sequence[Term]) -> Term:
    """Return a term in which variables are loose indices, the first one 0."""
    for x in reversed(variables):
        t = close(t, x)
    return t


# ---------------------------------------------------------------------- small steps


def cases(either: Proof, first: Proof, second: Proof) -> Proof:
    """From p or q, p → r and q → r conclude r."""
    p, q = either.conclusion.args
    rule = axiom("or_elim", p=p, q=q, r=first.conclusion.args[1])
    return mp(rule, either, first, second)


def by_cases(p: Term, first: Proof, second: Proof) -> Proof:
    """Conclude what was proved under p and under not p."""
    either = axiom("excluded_middle", p=p)
    return cases(either, discharge(p, first), discharge(negation(p), second))


def by_order(x: Term, y: Term, first: Proof, second: Proof) -> Proof:
    """Conclude what was proved under x ≤ y and under y < x."""
    either = axiom("total_Z", i=x, j=y) if x.sort == "Z" else axiom("total_R", x=x, y=y)
    return cases(either, discharge(le(x, y), first), discharge(lt(y, x), second))


def absurd(goal: Term, contradiction: Proof) -> Proof:
    """Conclude anything from a contradiction."""
    return mp(axiom("ex_falso", p=goal), contradiction)


def by_contradiction(goal: Term, contradiction: Proof) -> Proof:
    """Conclude a ≤ b or a < b from a contradiction under its opposite."""
    a, b = goal.args
    if goal.op == "<=":
        return by_order(a, b, assume(goal), absurd(goal, contradiction))
    return by_order(b, a, absurd(goal, contradiction), assume(goal))


def conjunction(*proofs: Proof) -> Proof:
    """Prove that several things hold together."""
    out = proofs[0]
    for p in proofs[1:]:
        out = mp(axiom("and_intro", p=out.conclusion, q=p.conclusion), out, p)
    return out


def conjuncts(proof: Proof) -> list[Proof]:
    """Return the parts of a conjunction."""
    if proof.conclusion.op != "&":
        return [proof]
    p, q = proof.conclusion.args
    left = mp(axiom("and_left", p=p, q=q), proof)
    right = mp(axiom("and_right", p=p, q=q), proof)
    return [*conjuncts(left), *conjuncts(right)]


_LEIBNIZ = {"R": ("x", "y"), "Z": ("i", "j"), "V": ("u", "v")}


def rewrite(equation: Proof, proof: Proof, context: Callable[[Term], Term]) -> Proof:
    """From a = b and context(a) conclude context(b)."""
    a, b = equation.conclusion.args
    if a.sort in _LEIBNIZ:
        x, y = _LEIBNIZ[a.sort]
        rule = axiom(f"leibniz_{a.sort}", **{x: a, y: b, "P": context})
    else:
        rule = matrix_leibniz(a, b, context)
    return mp(rule, equation, proof)


def matrix_leibniz(a: Term, b: Term, context: Callable[[Term], Term]) -> Proof:
    """Return the substitution of equals for matrices of the sizes of a."""
    _, m, n = a.sort.split(":")
    rule = sizes(axiom("leibniz_M"), {"m": m, "n": n})
    return instance(rule, {"A": a, "B": b, "P": context})


def symmetric(equation: Proof) -> Proof:
    """Turn an equation round."""
    a, b = equation.conclusion.args
    return convert(equation, build("=", (), [b, a]))


def reflexive(t: Term) -> Proof:
    """Prove t = t."""
    return ring(build("=", (), [t, t]))


def congruence(equation: Proof, context: Callable[[Term], Term]) -> Proof:
    """From a = b conclude context(a) = context(b), for terms that are not propositions."""
    a, _ = equation.conclusion.args
    left = context(a)
    return rewrite(equation, reflexive(left), lambda z: build("=", (), [left, context(z)]))


def transitive(first: Proof, second: Proof) -> Proof:
    """From a = b and b = c conclude a = c."""
    a, b = first.conclusion.args
    b2, c = second.conclusion.args
    if b is not b2:
        second = convert(second, build("=", (), [b, c]))
    return rewrite(second, first, lambda z: build("=", (), [a, z]))


def each_at(proof: Proof, index: Term, low: Proof, high: Proof) -> Proof:
    """Use something that holds for every index of a range at one index."""
    return mp(specialise(proof, index), low, high)


def each_intro(index: Term, low: Term, high: Term, proof: Proof) -> Proof:
    """Conclude for every index of a range what was proved for a generic one."""
    inner = discharge(le(index, high), proof)
    return generalise(index, discharge(le(low, index), inner))


# ---------------------------------------------------------------------- certificates


class _Table:
    """Rows of terms and steps, each written once."""

    def __init__(self) -> None:
        self.terms: list[list[Any]] = []
        self.steps: list[list[Any]] = []
        self._terms: dict[Term, int] = {}
        self._steps: dict[Any, int] = {}
        self._proofs: dict[int, int] = {}
        self._names: dict[str, str] = {}

    def name(self, name: str) -> str:
        """Return the name of a variable; fresh ones are numbered as they are written."""
        letter, mark, _ = name.partition(FRESH)
        if not mark:
            return name
        return self._names.setdefault(name, f"{letter}{mark}{len(self._names) + 1}")

    def term(self, t: Term) -> int:
        """Return the row of a term."""
        row = self._terms.get(t)
        if row is None:
            args = [self.term(a) for a in t.args]
            row = self._terms[t] = len(self.terms)
            data = (self.name(t.data[0]), *t.data[1:]) if t.op == "v" else t.data
            self.terms.append([t.op, *data, *args])
        return row

    def step(self, proof: Proof) -> int:
        """Return the row of a step; deep proofs are written without recursion."""
        stack = [proof]
        while stack:
            top = stack[-1]
            missing = [p for p in _premises(top) if id(p) not in self._proofs]
            if missing:
                stack += missing
                continue
            stack.pop()
            if id(top) not in self._proofs:
                row = [top.rule, *self._arguments(top)]
                key = _frozen(row)
                if key not in self._steps:
                    self._steps[key] = len(self.steps)
                    self.steps.append(row)
                self._proofs[id(top)] = self._steps[key]
        return self._proofs[id(proof)]

    def _arguments(self, proof: Proof) -> list[Any]:
        given = proof.given
        if proof.rule == "axiom":
            return [given[0]]
        if proof.rule == "cite":
            name, hypotheses, conclusion = given
            return [name, [self.term(h) for h in hypotheses], self.term(conclusion)]
        if proof.rule == "substitute":
            source, bodies = given
            rows = [[self.name(n), s, list(a), self.term(b)] for (n, s, a), b in bodies]
            return [self._proofs[id(source)], rows]
        if proof.rule == "sizes":
            return [self._proofs[id(given[0])], [list(pair) for pair in given[1].items()]]
        if proof.rule == "psatz":
            goal, parts = given
            rows = [
                [self.term(c), [self._proofs[id(f)] for f in fs], [self.term(s) for s in squares]]
                for c, fs, squares in parts
            ]
            return [self.term(goal), rows]
        if proof.rule == "linear":
            goal, parts = given
            rows = [
                [self.term(a), self._proofs[id(f)], None if b is None else self.term(b)]
                for a, f, b in parts
            ]
            return [self.term(goal), rows]
        return [self._proofs[id(g)] if isinstance(g, Proof) else self.term(g) for g in given]


def _premises(proof: Proof) -> list[Proof]:
    """Return the proofs that the last step of a proof uses."""
    if proof.rule == "psatz":
        return [f for _, facts, _ in proof.given[1] for f in facts]
    if proof.rule == "linear":
        return [f for _, f, _ in proof.given[1]]
    return [g for g in proof.given if isinstance(g, Proof)]


def _frozen(value: Any) -> Any:
    """Return nested lists as nested tuples."""
    return tuple(map(_frozen, value)) if isinstance(value, list) else value


def written_down(proof: Proof) -> tuple[dict[str, Any], int]:
    """Return a proof as plain data, and the row of its last step."""
    out = certificate("a line", proof, sorted(proof.hypotheses, key=lambda h: h.key))
    return out, len(out["steps"]) - 1


def certificate(
    name: str, proof: Proof, hypotheses: Sequence[Term], lines: Sequence[Proof] = ()
) -> dict[str, Any]:
    """Return a proof as plain data, stating these hypotheses, with all lines among its steps."""
    table = _Table()
    for line in lines:
        table.step(line)
    row = table.step(proof)
    if row != len(table.steps) - 1:
        # The claim is the last step, also where another step needs it.
        table.steps.append(["convert", row, table.term(proof.conclusion)])
    rows = [table.term(h) for h in hypotheses]
    conclusion = table.term(proof.conclusion)
    return {
        "name": name,
        "hypotheses": rows,
        "conclusion": conclusion,
        "terms": table.terms,
        "steps": table.steps,
    }
