"""Derivations: lines that are checked as they are written, and theorems that come out of them."""

from __future__ import annotations

import dataclasses
import sys
import time
import weakref
from collections.abc import Mapping, Sequence
from typing import Any

import sympy as sp
from sympy.core.function import AppliedUndef
from sympy.core.relational import Relational
from sympy.matrices.expressions import MatrixExpr

from . import render
from .definedness import conditions
from .errors import IllTyped, ProofError, Undefined, Unproved, Vacuous, WrongStep
from .facts import conjuncts
from .models import (
    Model,
    NoValue,
    base_of,
    check_assumptions,
    confirmed,
    show,
    symbols_in,
    violated,
    witness_model,
)
from .normal import TooLarge, key
from .prove import (
    MANY_MODELS,
    QUICK_MODELS,
    WORK,
    Proof,
    Prover,
    counterexample,
    describe,
    require_defined,
    show_value,
)
from .rules import ASSUMED, FINITE, STRENGTH, Rule, checked_rule
from .terms import (
    BOOL,
    REAL,
    Expectation,
    MatrixExpectation,
    Probability,
    RandomFamily,
    RandomVariable,
    Vector,
    VectorFamily,
    differentiated,
    evaluating,
    in_words,
    is_random,
    kind,
    properties_of,
    statement,
)
from .terms import term as read
from .typed import evaluated, typed

RELATIONS = {"=": sp.Eq, "≤": sp.Le, "<": sp.Lt, "≥": sp.Ge, ">": sp.Gt}
_UP, _DOWN = {"≤", "<"}, {"≥", ">"}
# What each theorem said when it was made, so that a tampered one is found out.
_GENUINE: weakref.WeakKeyDictionary[Any, tuple[Any, ...]] = weakref.WeakKeyDictionary()
_SEAL = object()


@dataclasses.dataclass(frozen=True)
class Step:
    """One checked line.

    Attributes
    ----------
    relation : str
        How the line relates to the one before: ``=``, ``≤``, ``<``, ``≥`` or ``>``.
    expression : expression
        The new term.
    because : str
        The author's reason.
    method : str
        How the line was proved.
    detail : str
        The certificate, the cases or the theorem used.
    scope : str
        For what the line holds.
    mark : str
        ``"proved"``, ``"assumed"`` or ``"tested"``.
    seconds : float
        How long the check took.
    typed : expression
        The new term in the order and form in which its author typed it.
    assumes : tuple of str
        What the line takes for granted besides the hypotheses.
    """

    relation: str
    expression: Any
    because: str
    method: str
    detail: str
    scope: str
    mark: str
    seconds: float
    typed: Any
    assumes: tuple[str, ...] = ()


class Theorem:
    """What a derivation has proved. It comes from ``qed`` or ``impossible`` and nowhere else.

    Attributes
    ----------
    title : str
        Its name.
    statement : relation
        What it says.
    given : tuple of statements
        The hypotheses as they were written.
    hypotheses : tuple of statements
        The hypotheses together with the assumptions about its symbols.
    steps : tuple of Step
        The lines of the derivation.
    scope : str
        For what it holds; the weakest line decides.
    assumptions : tuple of str
        What is taken for granted besides the hypotheses.
    mark : str
        ``"proved"``, ``"assumed"`` or ``"tested"``; the weakest line decides.
    source : str
        The module and line where the derivation was written.
    typed : relation
        The statement in the form in which its author typed the first and the last line.
    """

    __slots__ = (
        "__weakref__",
        "assumptions",
        "first",
        "given",
        "hypotheses",
        "is_impossibility",
        "mark",
        "scope",
        "source",
        "statement",
        "steps",
        "title",
        "typed",
        "typed_first",
        "witness",
    )

    title: str
    statement: Any
    given: tuple[Any, ...]
    hypotheses: tuple[Any, ...]
    steps: tuple[Step, ...]
    scope: str
    assumptions: tuple[str, ...]
    mark: str
    source: str
    first: Any
    typed: Any
    typed_first: Any
    witness: dict[str, Any]
    is_impossibility: bool

    def __init__(self, seal: object = None, **fields: Any) -> None:
        if seal is not _SEAL:
            raise TypeError("a Theorem comes only from Derivation.qed() or impossible()")
        for name, value in fields.items():
            object.__setattr__(self, name, value)
        _GENUINE[self] = _content(self)

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError("a Theorem cannot be changed")

    def __delattr__(self, name: str) -> None:
        raise AttributeError("a Theorem cannot be changed")

    def __reduce__(self) -> Any:
        raise TypeError("a Theorem cannot be copied or pickled: run its derivation again")

    def mapping_of_sizes(self, value: Any, symbol: Any) -> dict[Any, Any]:
        """Return the sizes that a matrix takes when another matrix is put in its place."""
        found = kind(value)
        if not isinstance(found, tuple):
            return {}
        return dict(zip(symbol.shape, found, strict=True))

    def as_dict(self) -> dict[str, Any]:
        """Return everything about the theorem as plain data, for a ledger."""
        return render.as_dict(intact(self))

    def __str__(self) -> str:
        return render.text(intact(self))

    def __repr__(self) -> str:
        return f"<Theorem {self.title!r}: {self.statement}>"

    def _repr_latex_(self) -> str:
        return render.latex(intact(self))

    def _repr_html_(self) -> str:
        return render.html(intact(self))


def _content(theorem: Theorem) -> tuple[Any, ...]:
    """Return everything that a theorem says, down to the properties of its functions."""
    fields = {name: getattr(theorem, name) for name in Theorem.__slots__ if name != "__weakref__"}
    fields["steps"] = tuple(
        tuple(getattr(step, f.name) for f in dataclasses.fields(step)) for step in theorem.steps
    )
    fields["witness"] = tuple(theorem.witness.items())
    terms = [theorem.statement, *theorem.given, *(step.expression for step in theorem.steps)]
    functions = {f.func for e in terms for f in e.atoms(AppliedUndef)}
    declared = frozenset((f.__name__, properties_of(f)) for f in functions)
    return (*fields.items(), declared)


def intact(theorem: Theorem) -> Theorem:
    """Return a theorem if it still says what was proved."""
    if theorem not in _GENUINE:
        raise TypeError("this is not a Theorem that a derivation returned")
    if _content(theorem) != _GENUINE[theorem]:
        raise TypeError(f'the theorem "{theorem.title}" was changed after it was proved')
    return theorem


def genuine(theorem: Any) -> Theorem:
    """Return a theorem that can be applied, and refuse everything else."""
    if type(theorem) is not Theorem:
        raise TypeError("apply takes a Theorem that a derivation returned")
    intact(theorem)
    if theorem.is_impossibility:
        raise TypeError("an impossibility has no conclusion to apply")
    return theorem


class Derivation:
    """A chain of lines, each checked when it is written.

    Parameters
    ----------
    title : str
        What is derived.
    given : sequence of statements, default=()
        The hypotheses, written with ``Eq``, ``Le``, ``for_each`` and so on.
    witness : mapping, optional
        A value for every symbol, under which all hypotheses hold: it shows that they do not
        contradict each other, and every line is replayed on it. Required as soon as anything is
        given. Keys are the objects or their names; a value is a number, a sequence for a vector, a
        list of them (from index 1) or a dict for a family, rows for a matrix, an integer for a
        limit, a list of ``(value, probability)`` for a random variable, a callable for a function.
    z3 : bool, default=True
        Whether z3 may be asked, if it is installed.

    Examples
    --------
    >>> from mlnotes.proof import Derivation, Le, dot, norm2, reals, vectors
    >>> theta, x = vectors("theta x")
    >>> y = reals("y")
    >>> growth = (
    ...     Derivation(
    ...         "a mistake does not lengthen much",
    ...         given=[Le(y * dot(theta, x), 0)],
    ...         witness={theta: [1, 0], x: [-1, 2], y: 1},
    ...     )
    ...     .start(norm2(theta + y * x))
    ...     .equals(
    ...         norm2(theta) + 2 * y * dot(theta, x) + y**2 * norm2(x), because="expand the square"
    ...     )
    ...     .at_most(norm2(theta) + y**2 * norm2(x), because="the product is negative")
    ...     .qed()
    ... )
    >>> [step.method for step in growth.steps]
    ['normal form', 'signs']
    >>> growth.scope
    'any dimension'
    """

    @evaluating
    def __init__(
        self,
        title: str,
        given: Sequence[Any] = (),
        witness: Mapping[Any, Any] | None = None,
        *,
        z3: bool = True,
    ) -> None:
        self.title = str(title)
        self._given = tuple(check_given(given))
        self.source = _caller()
        self._steps: list[Step] = []
        self._first: Any = None
        self._typed: Any = None
        self._last: Any = None
        self._model = self._check_witness(witness)
        self._prover = Prover(self.given, self._model, z3)
        for s in self.given:
            require_defined(self._prover, s, conditions(s))

    # -------------------------------------------------------------- lines

    def start(self, term: Any) -> Derivation:
        """Write the first term."""
        return self._start(term, typed(term, sys._getframe(1)))

    @evaluating
    def _start(self, term: Any, twin: Any) -> Derivation:
        if self._first is not None:
            raise IllTyped("a derivation starts once; write another one for another chain")
        self._first = self._last = self._accept(term)
        self._typed = self._accept_typed(self._first, twin)
        return self

    def equals(self, term: Any, because: str = "", by: Rule | None = None) -> Derivation:
        """Write ``= term``."""
        return self._line("=", term, because, by, typed(term, sys._getframe(1)))

    def at_most(self, term: Any, because: str = "", by: Rule | None = None) -> Derivation:
        """Write ``≤ term``."""
        return self._line("≤", term, because, by, typed(term, sys._getframe(1)))

    def at_least(self, term: Any, because: str = "", by: Rule | None = None) -> Derivation:
        """Write ``≥ term``."""
        return self._line("≥", term, because, by, typed(term, sys._getframe(1)))

    def less_than(self, term: Any, because: str = "", by: Rule | None = None) -> Derivation:
        """Write ``< term``."""
        return self._line("<", term, because, by, typed(term, sys._getframe(1)))

    def greater_than(self, term: Any, because: str = "", by: Rule | None = None) -> Derivation:
        """Write ``> term``."""
        return self._line(">", term, because, by, typed(term, sys._getframe(1)))

    @evaluating
    def qed(self) -> Theorem:
        """Return the theorem that the first and the last term are related as the lines say."""
        if not self.steps:
            raise Unproved("there is no line to conclude from: write .start(...) and a line")
        conclusion = self._relation(self._direction(), self._first, self._last)
        for s in conjuncts(self.given):
            if _says_the_same(self._prover, s, conclusion):
                raise Vacuous(
                    f'"{self.title}" proves nothing: its conclusion is its hypothesis {s}'
                )
        return make_theorem(self, conclusion, impossibility=False)

    def _typed_conclusion(self) -> Any:
        relation = RELATIONS[self._direction()]
        return relation(self._typed, self.steps[-1].typed, evaluate=False)

    # -------------------------------------------------------------- checking

    def _accept(self, term: Any) -> Any:
        term = read(term)
        if isinstance(term, sp.logic.boolalg.BooleanAtom):
            raise IllTyped(f"{term} is a statement; a line is a term")
        found = kind(term)
        if found == BOOL:
            raise IllTyped(f"{term} is a statement; a line is a term")
        if self._first is not None and term != 0 and self._first != 0:
            expected = kind(self._first)
            if found != expected:
                raise IllTyped(f"the chain is about {expected}, the line {term} about {found}")
        require_defined(self._prover, term, conditions(term))
        return term

    def _accept_typed(self, term: Any, twin: Any) -> Any:
        """Return a term as it was typed, which must be defined, or the term itself."""
        if twin == term:
            return term
        try:
            same = kind(twin) == kind(term) and self._prover.normal.equal(twin, term)
        except (ProofError, TooLarge, TypeError, AttributeError, ValueError):
            return term
        if not same:
            return term
        known = set(conditions(term))
        asked = [evaluated(c) for c in conditions(twin)]
        require_defined(self._prover, twin, [c for c in asked if c not in known])
        return twin

    @evaluating
    def _line(self, op: str, term: Any, because: str, by: Rule | None, twin: Any) -> Derivation:
        started = time.perf_counter()
        if self._first is None:
            raise IllTyped("write .start(...) first")
        directions = {s.relation for s in self.steps} | {op}
        if directions & _UP and directions & _DOWN:
            raise WrongStep("a chain that mixes ≤ and ≥ relates nothing: keep to one direction")
        self._prover.budget.left = WORK
        term = self._accept(term)
        twin = self._accept_typed(term, twin)
        if op != "=" and kind(self._first) != REAL:
            raise IllTyped("only numbers are ordered: use .equals(...)")
        goal = self._relation(op, self._last, term)
        kind(goal)
        self._replay(goal)
        if by is None:
            proof = self._prover.prove(goal)
        else:
            try:
                proof = checked_rule(by).prove(self._prover, goal)
            except Unproved:
                self._prover._falsify(goal, 0, QUICK_MODELS)
                raise
            except WrongStep as wrong:
                # What a rule asks for may be false although the line is true.
                self._prover._falsify(goal, 0, MANY_MODELS)
                raise Unproved(f"this rule needs more than the line says: {wrong}") from wrong
        seconds = time.perf_counter() - started
        mark, assumes = ("proved", ()) if by is None else (by.mark, by.reasons)
        scope = line_scope(self.given, goal, mark, assumes)
        told = (str(because), proof.method, proof.detail, scope, mark, seconds, twin, assumes)
        self._steps.append(Step(op, term, *told))
        self._last = term
        return self

    def _relation(self, op: str, left: Any, right: Any) -> Any:
        if isinstance(left, MatrixExpr) and right == 0:
            right = sp.ZeroMatrix(*left.shape)
        if isinstance(right, MatrixExpr) and left == 0:
            left = sp.ZeroMatrix(*right.shape)
        return RELATIONS[op](left, right, evaluate=False)

    def _direction(self) -> str:
        used = {s.relation for s in self.steps}
        for op in ("<", ">", "≤", "≥"):
            if op in used:
                return op
        return "="

    def _replay(self, goal: Any) -> None:
        """Check a line on the witness."""
        if self._model is None:
            return
        model = self._model.copy()
        model.fill = True
        try:
            wrong = violated(goal, model)
        except NoValue as reason:
            raise Undefined(f"the line {goal} has no value at the witness: {reason}") from reason
        if wrong:
            raise WrongStep(
                describe(goal, self.given, model), counterexample(goal, self.given, model)
            )

    def _check_witness(self, witness: Mapping[Any, Any] | None) -> Model | None:
        if witness is None:
            if self.given:
                raise Vacuous(
                    f'"{self.title}" has hypotheses but no witness: give values for which they '
                    "hold, so that it is known to be about something"
                )
            return None
        model = witness_model(witness, self.given, [])
        for s in self.given:
            missing = sorted(str(x) for x in symbols_in(s) if not _has_value(model, x))
            if missing:
                raise Vacuous(f"the witness gives no value for {', '.join(missing)}")
        mentioned = set().union(*(symbols_in(s) for s in self.given)) if self.given else set()
        targets = {k for k in mentioned if isinstance(k, sp.Basic)}
        broken = check_assumptions(model, targets | {*model.integers})
        if broken:
            raise Vacuous(f"the witness breaks an assumption: {broken}")
        for s in self.given:
            try:
                fine = model.holds(s)
            except NoValue as reason:
                raise Vacuous(
                    f"at the witness the hypothesis {s} has no value: {reason}"
                ) from reason
            if not fine:
                raise Vacuous(f"the witness does not satisfy {s}{_values_at(model, s)}")
        try:
            rounded = not confirmed(witness, self.given)
        except NoValue as reason:
            raise Vacuous(f"at the witness a hypothesis has no value: {reason}") from reason
        if rounded:
            raise Vacuous("the witness satisfies the hypotheses only up to rounding")
        return model

    # -------------------------------------------------------------- showing

    def __str__(self) -> str:
        return render.text(self)

    def _repr_latex_(self) -> str:
        return render.latex(self)

    def _repr_html_(self) -> str:
        return render.html(self)

    @property
    def first(self) -> Any:
        """The first term."""
        return self._first

    @property
    def typed_first(self) -> Any:
        """The first term as it was typed."""
        return self._typed

    @property
    def given(self) -> tuple[Any, ...]:
        """The hypotheses as they were written."""
        return self._given

    @property
    def steps(self) -> tuple[Step, ...]:
        """The lines checked so far."""
        return tuple(self._steps)

    @property
    def hypotheses(self) -> tuple[Any, ...]:
        """The hypotheses and the assumptions about the symbols used so far."""
        return all_hypotheses(self.given, [self._first, *(s.expression for s in self.steps)])


def check_given(given: Sequence[Any]) -> list[Any]:
    """Return hypotheses after checking that each is a well-formed statement."""
    if isinstance(given, sp.Basic):
        raise IllTyped("given=[...] takes a list of statements")
    out = []
    for s in given:
        out.append(statement(s))
        kind(s)
    return out


def _has_value(model: Model, x: Any) -> bool:
    if x in model.integers or x in model.functions:
        return True
    origin = differentiated(x)
    if origin is not None:
        return _has_value(model, origin)
    return x in map(base_of, model.values)


def _values_at(model: Model, s: Any) -> str:
    if not isinstance(s, Relational) or is_random(s):
        return ""
    return (
        f": there {s.lhs} is {show(model.value(s.lhs))} and {s.rhs} is {show(model.value(s.rhs))}"
    )


def _says_the_same(prover: Prover, a: Any, b: Any) -> bool:
    """Say whether two relations have the same sides, up to a common factor and a turn."""
    if a == b:
        return True
    if not isinstance(a, Relational) or not isinstance(b, Relational) or isinstance(a, sp.Ne):
        return False
    if isinstance(a.lhs, MatrixExpr) or isinstance(b.lhs, MatrixExpr):
        return False
    turned = {sp.Le: sp.Ge, sp.Lt: sp.Gt, sp.Ge: sp.Le, sp.Gt: sp.Lt, sp.Eq: sp.Eq}
    pairs = [(b.lhs, b.rhs)] if a.func == b.func else []
    if turned.get(a.func) == b.func:
        pairs.append((b.rhs, b.lhs))
    try:
        sides = [prover.normal.polynomial(x) for x in (a.lhs, a.rhs)]
        for pair in pairs:
            others = [prover.normal.polynomial(x) for x in pair]
            ratios = {_ratio(p, q) for p, q in zip(sides, others, strict=True)} - {0}
            if len(ratios) == 1 and None not in ratios:
                (c,) = ratios
                if isinstance(a, sp.Eq) or (c is not None and c > 0):
                    return True
    except TooLarge:
        return False
    return False


def _ratio(p: Any, q: Any) -> Any:
    """Return c with p = c q, 0 if both are zero, None if there is none."""
    if not p and not q:
        return 0
    if p.keys() != q.keys():
        return None
    ratios = {p[m] / q[m] for m in p}
    return ratios.pop() if len(ratios) == 1 else None


def all_hypotheses(given: Sequence[Any], terms: Sequence[Any]) -> tuple[Any, ...]:
    """Return hypotheses followed by the assumptions that symbols carry."""
    mentioned: set[Any] = set()
    for e in [*given, *(t for t in terms if t is not None)]:
        mentioned |= symbols_in(e)
    out = list(given)
    strongest = (
        ("positive", sp.Gt),
        ("negative", sp.Lt),
        ("nonnegative", sp.Ge),
        ("nonpositive", sp.Le),
        ("nonzero", sp.Ne),
    )
    i = sp.Symbol("i", integer=True)
    for s in sorted((m for m in mentioned if isinstance(m, sp.Basic)), key=str):
        member = s[i] if isinstance(s, sp.IndexedBase) and not isinstance(s, VectorFamily) else s
        for name, relation in strongest:
            if getattr(s, f"is_{name}", None) is True:
                out.append(relation(member, 0, evaluate=False))
                break
    return tuple(dict.fromkeys(out))


def _origin(f: Any) -> Any:
    origin = differentiated(f)
    return f if origin is None else _origin(origin)


def standing_assumptions(given: Sequence[Any], terms: Sequence[Any]) -> tuple[str, ...]:
    """Return what a theorem takes for granted besides its hypotheses."""
    parts = [*given, *terms]
    out = []
    # A derivative has the properties that it has because of those of its function.
    functions = {_origin(f.func) for e in parts for f in e.atoms(AppliedUndef)}
    for f in sorted(functions, key=str):
        if properties_of(f):
            out.append(f"{f.__name__} is {in_words(properties_of(f))}")
    if any(e.atoms(Expectation, Probability, MatrixExpectation) for e in parts):
        out.append(FINITE)
    return tuple(out)


def line_scope(given: Sequence[Any], goal: Any, mark: str, assumes: Sequence[str] = ()) -> str:
    """Return for what a line holds, computed from what it mentions and takes for granted."""
    if mark == "tested":
        return "tested numerically only"
    parts = [goal, *given]
    mentioned = set().union(*(symbols_in(e) for e in parts))
    for m in [m for m in mentioned if isinstance(m, sp.MatrixSymbol)]:
        mentioned |= set().union(*(side.free_symbols for side in m.shape))
    sizes = sorted(
        str(s) for s in mentioned if isinstance(s, sp.Symbol) and s.is_integer and not is_random(s)
    )
    out = [f"any {s}" for s in sizes]
    if any(isinstance(s, (Vector, VectorFamily)) for s in mentioned):
        out.append("any dimension")
    if any(isinstance(s, (RandomVariable, RandomFamily)) for s in mentioned):
        out.append("any distribution")
    text = ", ".join(out) or "all reals"
    reasons = [a.removeprefix(ASSUMED) for a in assumes if a.startswith(ASSUMED)]
    return f"{text}, assumes {'; '.join(dict.fromkeys(reasons))}" if mark == "assumed" else text


def make_theorem(d: Derivation, conclusion: Any, *, impossibility: bool) -> Theorem:
    """Return the theorem of a finished derivation. Only this module calls it."""
    if type(d) is not Derivation:
        raise TypeError("a theorem comes from a Derivation, not from a class made out of it")
    terms = [] if impossibility else [d._first, *(s.expression for s in d.steps)]
    mark = max((s.mark for s in d.steps), key=STRENGTH.index, default="proved")
    assumes = [a for s in d.steps for a in s.assumes]
    scope = line_scope(d.given, conclusion, mark, assumes)
    assumptions = dict.fromkeys([*standing_assumptions(d.given, terms), *assumes])
    model = d._model
    values = counterexample(conclusion, d.given, model) if model is not None else {}
    return Theorem(
        _SEAL,
        title=d.title,
        statement=conclusion,
        given=tuple(d.given),
        hypotheses=all_hypotheses(d.given, terms),
        steps=tuple(d.steps),
        scope=scope,
        assumptions=tuple(assumptions),
        mark=mark,
        source=d.source,
        first=d._first,
        typed=conclusion if impossibility else d._typed_conclusion(),
        typed_first=d._typed,
        witness={k: show_value(v) for k, v in values.items()},
        is_impossibility=impossibility,
    )


@evaluating
def impossible(title: str, given: Sequence[Any], *, z3: bool = True) -> Theorem:
    """Prove that hypotheses cannot hold together, by an exact certificate.

    Examples
    --------
    >>> from mlnotes.proof import Gt, impossible, reals
    >>> a, b, c = reals("a b c")
    >>> xor = impossible(
    ...     "no line separates XOR",
    ...     given=[Gt(-c, 0), Gt(a + c, 0), Gt(b + c, 0), Gt(-a - b - c, 0)],
    ... )
    >>> xor.steps[0].method
    'certificate'
    """
    d = Derivation.__new__(Derivation)
    d.title, d._given, d.source = str(title), tuple(check_given(given)), _caller()
    d._steps, d._first, d._last, d._model, d._typed = [], None, None, None, None
    if not d.given:
        raise Vacuous("no hypotheses: nothing contradicts itself")
    started = time.perf_counter()
    d._prover = prover = Prover(d.given, None, z3)
    both = sp.And(*d.given, evaluate=False) if len(d.given) > 1 else d.given[0]
    goal = sp.Not(both, evaluate=False)
    proof = prover.contradictory()
    if proof is None:
        found = prover.search.counterexample(sp.Ne(sp.Integer(0), 0, evaluate=False), 0, 120)
        if found is not None:
            values = counterexample(both, d.given, found)
            listed = ", ".join(f"{k} = {show_value(v)}" for k, v in values.items())
            raise WrongStep(f"these hypotheses do hold together: {listed}", values)
        if prover._ask_z3(None, []):
            proof = Proof("z3", "real arithmetic over the atoms of the hypotheses")
    if proof is None:
        raise Unproved(f'"{title}": no contradiction was found', ["certificate", "z3"])
    scope = line_scope(d.given, both, "proved")
    seconds = time.perf_counter() - started
    d._steps = [
        Step(
            *("⊢", sp.false, "a contradiction", proof.method, proof.detail, scope),
            *("proved", seconds, sp.false),
        )
    ]
    return make_theorem(d, goal, impossibility=True)


def check_identity(
    left: Any, right: Any, given: Sequence[Any] = (), witness: Mapping[Any, Any] | None = None
) -> Theorem:
    """Prove that two terms are equal, as a derivation of one line.

    Examples
    --------
    >>> from mlnotes.proof import check_identity, reals
    >>> x, y = reals("x y")
    >>> check_identity((x + y) ** 2, x**2 + 2 * x * y + y**2).steps[0].method
    'normal form'
    """
    caller = sys._getframe(1)
    d = Derivation("identity", given, witness)._start(left, typed(left, caller))
    return d._line("=", right, "identity", None, typed(right, caller, 1)).qed()


def check_inequality(
    relation: Any,
    given: Sequence[Any] = (),
    witness: Mapping[Any, Any] | None = None,
    by: Rule | None = None,
) -> Theorem:
    """Prove one inequality (or equation), as a derivation of one line.

    Examples
    --------
    >>> from mlnotes.proof import Le, check_inequality, exp, reals
    >>> u = reals("u")
    >>> check_inequality(Le(1 - u, exp(-u))).steps[0].method
    'certificate'
    """
    twin = typed(relation, sys._getframe(1))
    relation = statement(relation)
    for op, cls in RELATIONS.items():
        if isinstance(relation, cls):
            left, right = twin.args if isinstance(twin, cls) else relation.args
            d = Derivation("inequality", given, witness)._start(relation.lhs, left)
            return d._line(op, relation.rhs, "inequality", by, right).qed()
    raise IllTyped(f"{relation} is not an equation or inequality")


def _caller() -> str:
    """Return the module and line outside this package where a derivation is written."""
    frame = sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").startswith(
        "mlnotes.proof"
    ):
        frame = frame.f_back
    return f"{frame.f_globals.get('__name__', '?')}:{frame.f_lineno}"


def sorted_statements(statements: Sequence[Any]) -> list[Any]:
    """Return statements in an order that does not depend on hashes."""
    return sorted(statements, key=key)
