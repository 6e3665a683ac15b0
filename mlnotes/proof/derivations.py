"""Derivations: lines that are proved as they are written, and theorems with their certificates."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import FrameType
from typing import Any

from mlnotes.trusted import certificates as kernel
from mlnotes.trusted.certificates import Checked
from mlnotes.trusted.normal import normal
from mlnotes.trusted.terms import Refused, Term, Variable, fill, instantiate
from mlnotes.trusted.terms import sizes as sizes_of

from . import derivatives, rendering
from . import proofs as pf
from .definedness import Definedness, demands, is_partial
from .errors import FailedLine, IllTyped, ProofError, Undefined, Unproved, Vacuous, WrongStep
from .falsify import TRIES, counterexample
from .forms import parts
from .language import (
    BASES,
    EXTREMA,
    Expr,
    Statement,
    own_count,
    relate,
    statement,
    term_of,
    variable,
)
from .letters import check_letters
from .logic import Iff
from .missing import missing
from .named_rules import Rule, apply_named, as_rule, prove_with
from .proofs import Proof, assume
from .recorded import (
    RENEW,
    Certificate,
    Recorded,
    definedness_of,
    foundations,
    is_stating,
    recorded,
    title_of,
    unlabelled,
)
from .search import Context
from .settings import Given, Hypothesis, Parts, Setting, Supposed
from .witnesses import (
    Model,
    check_extremes,
    check_signs,
    check_witness,
    describe,
    formulas_of,
    readable,
    with_eigenvectors,
    with_extremes,
    witness_model,
    zeros_of,
)

REFUTING = 0.4  # for looking for a counterexample, in seconds of a usual processor
_UP, _DOWN = {"≤", "<"}, {"≥", ">"}


@dataclass(frozen=True)
class Step:
    """One proved line: how it relates to the one before, the term, and the author's reason."""

    relation: str
    expression: Expr | Statement
    because: str
    method: str
    detail: str
    scope: str
    mark: str
    seconds: float
    says: Term


class Theorem(Parts):
    """What a derivation has proved, with the certificate that the kernel checked.

    It states what its author wrote in it, and of the hypotheses of its setting those that its proof
    needs. One that was only stated has no certificate until :meth:`named` finds a recorded one.

    Attributes
    ----------
    title : str
        What its author calls it.
    statement : Statement
        The conclusion.
    stated : tuple of Hypothesis
        The hypotheses.
    steps : tuple of Step
        The lines.
    witness : dict
        Values for which the hypotheses hold, as text.
    certificate : dict or None
        What the kernel read; None where there is none yet.
    checked : Checked or None
        What the kernel says of it.
    """

    def __init__(
        self,
        title: str,
        statement: Statement,
        stated: Iterable[Hypothesis],
        steps: Sequence[Step],
        first: Expr | None,
        proof: Proof | None,
        source: str,
        witness: Mapping[str, str] | None = None,
        lines: Sequence[Proof] = (),
        defined: Definedness | None = None,
    ) -> None:
        self.title, self.statement, self.stated = title, statement, tuple(stated)
        self.steps, self.first = tuple(steps), first
        self.source, self.witness = source, dict(witness or {})
        self.is_impossibility = statement.term.op == "F"
        self.certificate: Certificate | None = None
        self.checked: Checked | None = None
        self.check_seconds = 0.0
        self.defined = defined or Definedness()
        if proof is not None:
            hypotheses = [h.term for h in self.stated]
            name = unlabelled(title, (*hypotheses, proof.conclusion))
            self._check(pf.certificate(name, proof, hypotheses, lines))

    def certificate_of_definedness(self, label: str) -> Certificate | None:
        """Return a certificate that what is displayed makes sense; None if that is plain."""
        found = list(self.defined.proofs.values())
        if not found:
            return None
        hypotheses = [h.term for h in self.stated]
        return pf.certificate(label, pf.conjunction(*found), hypotheses, found)

    def _check(self, certificate: Certificate) -> None:
        """Have the kernel read the certificate, with those that it cites taken as checked."""
        known = {**kernel._library(), **_NAMED}
        started = time.perf_counter()
        with own_count():
            self.checked = kernel._check(json.loads(json.dumps(certificate)), known)
        self.check_seconds = time.perf_counter() - started
        self.certificate = certificate
        _NAMED[self.checked.name] = self.checked
        CERTIFICATES[self.checked.name] = certificate

    def named(self, label: str) -> Theorem:
        """Give the theorem the label of the book, before anything cites it."""
        if self.checked is None:
            self._look_up(label)
        elif self.checked.name != label:
            assert self.certificate is not None
            self._check({**self.certificate, "name": label})
        return self

    def _look_up(self, label: str) -> None:
        """Take the recorded certificate, if it proves what the derivation says now."""
        found = recorded(label)
        if found is None:
            self.steps = tuple(replace(s, mark="uncertified") for s in self.steps)
            return
        says = found.checked.conclusion
        while says is not self.statement.term and says.op == "&":
            # A theorem with gradients says of them too what they are gradients of.
            says = says.args[0]
        same = says is self.statement.term
        # Of its setting a theorem states what its proof needed when it was found.
        stated = [h for h in self.stated if not h.setting or h.term in found.checked.hypotheses]
        if not same or set(found.checked.hypotheses) != {h.term for h in stated}:
            raise Unproved(f"the certificate of {label} is about another statement: {RENEW}")
        self.steps = tuple(self._found(label, s, found) for s in self.steps)
        self._look_up_definedness(label)
        self.certificate, self.checked = found.certificate, found.checked
        self.check_seconds, self.stated = found.seconds, tuple(stated)
        _NAMED[label] = found.checked

    def _look_up_definedness(self, label: str) -> None:
        """Demand a recorded proof that what is displayed makes sense."""
        known = definedness_of(label)
        fits = known is not None and {h.term for h in self.stated} >= set(known.hypotheses)
        proved = known.proved if known is not None and fits else {}
        for t in self.defined.displayed:
            if not all(p in proved for p in demands(t)):
                said = rendering.plain(t)
                raise Undefined(
                    f"no certificate says that “{said}” in {label} makes sense: {RENEW}"
                )

    def _found(self, label: str, step: Step, found: Recorded) -> Step:
        """Return a line with what its certificate says of it."""
        at = found.checked.proved.get(step.says)
        if at is None:
            raise Unproved(
                f"the certificate of {label} does not prove its line "
                f"“{step.relation} {rendering.plain(step.expression.term)}”: {RENEW}"
            )
        method, detail = _told(step.method, *foundations(found.certificate, at))
        return replace(step, method=method, detail=detail)

    @property
    def given(self) -> tuple[Statement, ...]:
        """The hypotheses that were written as statements."""
        return tuple(h.written for h in self.stated if isinstance(h.written, Statement))

    @property
    def hypotheses(self) -> tuple[Any, ...]:
        """All hypotheses, those that symbols abbreviate among them."""
        return tuple(h.written for h in self.stated)

    @property
    def mark(self) -> str:
        """``proved`` with a certificate, ``uncertified`` without."""
        return "uncertified" if self.checked is None else "proved"

    @property
    def assumptions(self) -> tuple[str, ...]:
        """What is taken for granted besides the hypotheses: nothing, but for expectations."""
        return (FINITE,) if any("W" in a for t in self._terms() for _, _, a in t.free) else ()

    @property
    def scope(self) -> str:
        """For what the theorem holds, read off its statement."""
        return scope_of(self._terms())

    def _terms(self) -> list[Term]:
        """Return the statement and the hypotheses as terms."""
        return [self.statement.term, *(h.term for h in self.stated)]

    def as_dict(self) -> dict[str, Any]:
        """Return the theorem as plain data."""
        return rendering.as_dict(self)

    def __call__(self, **values: Any) -> Rule:
        """Use the theorem for particular values of its symbols, by the names of the symbols.

        A symbol ``theta^*`` is called ``theta_star``. For a family or function put another one, or
        a Python function of its indices: ``jensen(p=weights, x=lambda i: log(q[i]))``.
        """
        return apply_named(self, values)

    def __repr__(self) -> str:
        return f"<Theorem {self.title!r}>"

    def __str__(self) -> str:
        return rendering.text(self)

    def _repr_latex_(self) -> str:
        return rendering.latex(self)

    def _repr_html_(self) -> str:
        return rendering.html(self)


def _told(word: str, rules: Iterable[str], names: Sequence[str], size: int) -> tuple[str, str]:
    """Return in a word how a line is proved, and what its proof is made of."""
    if not word:
        by_sums = {"psatz", "linear"} & set(rules)
        word = "lemmas" if names else "arithmetic" if by_sums else "calculation"
    used = ", ".join(title_of(name).replace("_", " ") for name in names)
    steps = "1 step" if size == 1 else f"{size} steps"
    return word, f"{steps}, using {used}" if used else steps


FINITE = "expectations are over finitely many outcomes"
_NAMED: dict[str, Checked] = {}
# All certificates made so far, each after those that it cites.
CERTIFICATES: dict[str, Certificate] = {}


def scope_of(propositions: Iterable[Term]) -> str:
    """Return for what propositions hold, from what they mention."""
    said = list(propositions)
    free = frozenset().union(*(p.free for p in said))
    shapes = {n for _, s, _ in free for n in sizes_of(s) if not n.isdigit()}
    sizes = sorted({n for n, s, a in free if s == "Z" and not a} | shapes)
    out = [f"any {n}" for n in sizes]
    if any(s == "V" for _, s, _ in free):
        out.append("any dimension")
    if any("W" in a for _, _, a in free):
        out.append("any distribution on finitely many outcomes")
    if any("U" in a for _, _, a in free):
        supposed = any(True for p in said for _ in parts(p, "integrable"))
        out.append("any measure space" + " on which the integrals exist" * supposed)
    return ", ".join(out) or "all reals"


class Derivation:
    """A chain of lines, each proved when it is written.

    Parameters
    ----------
    title : str
        What is derived.
    given : sequence of statements, default=()
        The hypotheses.
    witness : mapping, optional
        Values for which they hold, by symbol; needed as soon as anything is given.
    seconds : float, optional
        How much work a line may take, in seconds of a usual processor; 2.4 by default.

    Examples
    --------
    >>> from mlnotes.proof import Derivation, dot, norm2, vectors
    >>> u, v = vectors("u v")
    >>> square = norm2(u) + 2 * dot(u, v) + norm2(v)
    >>> Derivation("a square").start(norm2(u + v)).equals(square).qed().scope
    'any dimension'
    """

    def __init__(
        self,
        title: str,
        given: Given = (),
        witness: Mapping[Any, Any] | None = None,
        setting: Setting | None = None,
        seconds: float | None = None,
    ) -> None:
        self.title, self.seconds = str(title), seconds
        self.supposed = Supposed(self.title, given, setting)
        self.given = self.supposed.given
        self.source = _caller()
        self.first: Expr | None = None
        self.last: Expr | None = None
        self.steps: list[Step] = []
        self._proofs: list[tuple[str, Proof]] = []
        self._assumed: dict[Term, None] = {}
        self._defined = Definedness()
        self._needed: set[Term] = set()
        self._concluded: tuple[Statement, Proof | None] | None = None
        self._gradients: dict[Term, Proof | None] = {}
        self.context = Context()
        with self.context.working():
            for s in self.given:
                self._assume(s)
            for s in self.given:
                self.context.add(assume(s.term))
            self._prove_gradients()
        self.witness = {**(setting.witness if setting else {}), **(witness or {})}
        if self.given and not self.witness and witness is None:
            raise Vacuous(
                f'"{self.title}" has hypotheses but no witness: give values for which they hold'
            )
        self._witnessed = (len(self._assumed), self._check_witness())

    def _assume(self, written: Any) -> None:
        """Take in the hypotheses that the symbols of a term abbreviate."""
        for a in written.assumes:
            if derivatives.is_found(a):
                self._gradients.setdefault(a, None)
            elif a not in self._assumed:
                self._assumed[a] = None
                self.context.add(assume(a))

    def _prove_gradients(self) -> None:
        """Prove of the gradients in what was written that they are gradients."""
        if is_stating():
            return
        for says, known in self._gradients.items():
            if known is None:
                self._gradients[says] = derivatives.proved(self.context, says)

    def start(self, term: Any) -> Derivation:
        """Write the first term."""
        if self.first is not None:
            raise IllTyped("a derivation starts once; write another one for another chain")
        self.first = self.last = term_of(term)
        with self.context.working():
            self._assume(self.first)
            if is_stating():
                self._defined.displayed[self.first.term] = None
            else:
                self._prove_gradients()
                self._defined.require(self.first.term, self.context)
        return self

    def equals(self, term: Any, because: str = "", by: Any = None) -> Derivation:
        """Write ``= term``."""
        return self.line("=", term, because, by)

    def at_most(self, term: Any, because: str = "", by: Any = None) -> Derivation:
        """Write ``≤ term``."""
        return self.line("≤", term, because, by)

    def at_least(self, term: Any, because: str = "", by: Any = None) -> Derivation:
        """Write ``≥ term``."""
        return self.line("≥", term, because, by)

    def less_than(self, term: Any, because: str = "", by: Any = None) -> Derivation:
        """Write ``< term``."""
        return self.line("<", term, because, by)

    def greater_than(self, term: Any, because: str = "", by: Any = None) -> Derivation:
        """Write ``> term``."""
        return self.line(">", term, because, by)

    def line(self, shown: str, term: Any, because: str = "", by: Any = None) -> Derivation:
        """Write a line with any relation sign."""
        if self.first is None or self.last is None:
            raise IllTyped("write .start(...) first")
        if self._concluded is not None:
            raise IllTyped("a line after the conclusion: write it before .hence(...)")
        new = term_of(term)
        try:
            self._write(shown, self.last, new, str(because), by)
        except ProofError as error:
            file = _author().f_code.co_filename
            error.line = FailedLine(self, shown, new, str(because), file)
            raise
        return self

    def _write(self, shown: str, last: Expr, new: Expr, because: str, by: Any) -> None:
        """Prove or state a line, and append it."""
        started = time.process_time()
        signs = {s.relation for s in self.steps} | {shown}
        if signs & _UP and signs & _DOWN:
            raise WrongStep("a chain that mixes ≤ and ≥ relates nothing: keep to one direction")
        if new.folded is last.folded:
            raise IllTyped(f"this line repeats the one before it: {new!r}")
        goal = relate(shown, last, new)
        self._assume(new)
        rule = None if by is None else as_rule(by)
        for written in rule.written() if rule is not None else ():
            self._assume(written)
        method, detail = rule.word if rule is not None else "", ""
        if is_stating():
            self._defined.displayed[new.term] = None
            proof = assume(goal.term)
        else:
            proof = self._prove(goal.term, new.term, rule)
            method, detail = _told(method, *foundations(*pf.written_down(proof)))
        self._proofs.append((shown, proof))
        seconds = time.process_time() - started
        scope = scope_of([goal.term, *(s.term for s in self.given), *self._assumed])
        told = (because, method, detail, scope, "proved", seconds, goal.term)
        self.steps.append(Step(shown, new, *told))
        self.last = new

    def hence(self, conclusion: Any, because: str = "", by: Any = None) -> Derivation:
        """Conclude a statement from the lines so far: that two vectors are equal, for instance.

        Without lines, the statement is proved from the hypotheses.
        """
        if self._concluded is not None:
            raise IllTyped("a derivation concludes once")
        started = time.process_time()
        goal = statement(conclusion)
        self._assume(goal)
        rule = None if by is None else as_rule(by)
        for written in rule.written() if rule is not None else ():
            self._assume(written)
        proof = None
        method, detail = rule.word if rule is not None else "", ""
        if is_stating():
            self._defined.displayed[goal.term] = None
        else:
            proof = self._prove_conclusion(goal.term, rule)
            method, detail = _told(method, *foundations(*pf.written_down(proof)))
        self._concluded = goal, proof
        scope = scope_of([goal.term, *(s.term for s in self.given), *self._assumed])
        seconds = time.process_time() - started
        told = (str(because), method, detail, scope, "proved", seconds, goal.term)
        self.steps.append(Step("⇒", goal, *told))
        return self

    def _prove_conclusion(self, goal: Term, rule: Rule | None) -> Proof:
        """Prove what is concluded from the chain of lines."""
        before = self.context
        if self.steps:
            relation = self._relation()
            self.context = before.extended(self._chained(relation.term, relation.shown))
        try:
            if goal.op == "=" and goal.args[0].sort == "V" and rule is None:
                u, v = goal.args
                with self.context.working(self.seconds):
                    apart = pf.build("dot", (), [pf.sub(u, v)] * 2)
                    near = self.context.attempt(pf.le(apart, 0))
                if near is not None:
                    return pf.mp(pf.lemma("equal_vectors", u=u, v=v), near)
            return self._prove(goal, goal, rule)
        finally:
            self.context = before

    def _relation(self) -> Statement:
        """Return how the first term and the last one are related."""
        assert self.first is not None
        assert self.last is not None
        used = {s.relation for s in self.steps}
        shown = next((op for op in ("<", ">", "≤", "≥") if op in used), "=")
        return relate(shown, self.first, self.last)

    def _prove(self, goal: Term, new: Term, rule: Rule | None) -> Proof:
        """Prove a line, unless values show that it is false."""
        # The witness and one more case take a moment, and a search for a proof of what is false
        # takes all its time.
        self._refute(goal, tries=2, seconds=0.1)
        try:
            with self.context.working(self.seconds):
                self._prove_gradients()
                self._defined.require(new, self.context)
                return pf.convert(prove_with(self.context, goal, rule), goal)
        except Unproved as reason:
            self._refute(goal)
            raise self._explained(goal, reason) from reason
        except (Refused, RecursionError) as reason:
            self._refute(goal)
            deep = isinstance(reason, RecursionError)
            why = "it went too deep" if deep else str(reason)
            raise Unproved(f"the search gave up, {why}: split the line") from reason

    def _explained(self, goal: Term, reason: Unproved) -> Unproved:
        """Return a refusal that names what the line may lack."""
        hints = missing(self.context, goal)
        return Unproved("; ".join([str(reason), *hints]), reason.tried) if hints else reason

    def _refute(self, goal: Term, tries: int = TRIES, seconds: float = REFUTING) -> None:
        """Raise WrongStep if there are values at which a line is false."""
        hypotheses = [*(s.term for s in self.given), *self._assumed]
        model = self._witness_model([goal, *hypotheses])
        wrong = counterexample(hypotheses, goal, model, tries, seconds)
        if wrong is not None:
            raise WrongStep(*describe(goal, hypotheses, wrong)) from None

    def _witness_model(self, mentioning: Sequence[Term]) -> Model | None:
        """Return the author's witness as a model of the symbols, or None without one."""
        if not self.witness:
            return None
        values = with_extremes(with_eigenvectors(self.witness, self._assumed), self._assumed)
        return witness_model(values, mentioning)

    def _check_witness(self) -> dict[str, str]:
        """Demand values at which all hypotheses hold, so that they do not contradict each other."""
        properties = [p for p in self._assumed if any(a == ("R",) for _, _, a in p.free)]
        derivatives.check_properties(self.title, properties, self.witness)
        check_signs(self.title, self._assumed)
        check_extremes(self.title, self._assumed)
        if not self.given and not any(p in BASES or p in EXTREMA for p in self._assumed):
            return {}
        mentioned = _free(s.term for s in self.given)
        values = with_eigenvectors(self.witness or zeros_of(self._assumed), self._assumed)
        told = {k.term.data[0] for k in values if isinstance(k, Expr) and k.term.op == "v"}
        told |= {EXTREMA[p].index.term.data[0] for p in self._assumed if p in EXTREMA}
        for p in (p for p in self._assumed if len(p.free) == 1):
            # A symbol of which only a sign is assumed may be one, or minus one.
            for name, sort, arguments in p.free - mentioned:
                if sort in ("R", "Z") and not arguments and p.op != "=" and name not in told:
                    values.setdefault(name, -1 if p.args[0].op == "v" else 1)
        values = with_extremes(values, self._assumed)
        hypotheses = [*(s.term for s in self.given), *self._assumed]
        return _held_at(values, self.title, [h for h in hypotheses if h not in properties])

    def qed(self) -> Theorem:
        """Return the theorem that the first and the last term are related as the lines say."""
        if not self.steps:
            raise Unproved("there is no line to conclude from: write .start(...) and a line")
        seen, witness = self._witnessed
        if seen < len(self._assumed):
            witness = self._check_witness()
        if self._concluded is not None:
            conclusion, proof = self._concluded
            shown = ""
        else:
            conclusion = self._relation()
            shown = conclusion.shown
            proof = self._chained(conclusion.term, shown) if not is_stating() else None
        for s in self.given:
            if _says_the_same(s.term, conclusion.term):
                raise Vacuous(f'"{self.title}" proves nothing: its conclusion is a hypothesis')
        if proof is not None:
            proof = self._with_gradients(proof, shown)
            lines = (*(p for _, p in self._proofs), *self._defined.proofs.values())
            self._needed |= proof.hypotheses.union(*(p.hypotheses for p in lines))
            self._require_hypotheses()
        supposed = self.supposed.stated(self._assumed, None)
        said = [conclusion.term, *(h.term for h in supposed), *(s.says for s in self.steps)]
        check_letters(self.title, said)
        theorem = Theorem(
            self.title,
            conclusion,
            self.supposed.stated(self._assumed, None if is_stating() else self._needed),
            self.steps,
            self.first,
            proof,
            self.source,
            witness,
            [p for _, p in self._proofs],
            self._defined,
        )
        theorem.problems = self.supposed.problems
        _ = theorem.quantities  # a name with two meanings is refused
        return theorem

    def _require_hypotheses(self) -> None:
        """Prove that the hypotheses make sense to a reader where all of them hold, or refuse them.

        What only that needs of a setting is stated too.
        """
        before = -1
        while before < len(self._needed):
            before = len(self._needed)
            stated = [h.term for h in self.supposed.stated(self._assumed, self._needed)]
            partial = [p for p in stated if is_partial(p)]
            if not partial:
                return
            context = Context()
            with context.working(self.seconds):
                for p in stated:
                    context.add(assume(p))
                for p in partial:
                    try:
                        Definedness().require(p, context)
                    except Undefined:
                        defined = Definedness()
                        defined.require(p, self.context)
                        self._needed.update(*(q.hypotheses for q in defined.proofs.values()))

    def _with_gradients(self, proof: Proof, shown: str) -> Proof:
        """Add to a conclusion what the gradients in it are gradients of.

        Where the first term is a gradient and the last one equals it, the last one is the gradient.
        """
        facts = {p: f for p, f in self._gradients.items() if f is not None}
        if isinstance(self.first, derivatives.Gradient) and shown == "=":
            first = facts.pop(self.first.says(self.first.term))
            last = derivatives.renamed(self.first, first, proof)
            facts[last.conclusion] = last
        return pf.conjunction(proof, *facts.values())

    def _chained(self, goal: Term, shown: str) -> Proof:
        """Prove a R c from the lines a R b and b R c by transitivity."""
        if len(self._proofs) == 1:
            return pf.convert(self._proofs[0][1], goal)
        if goal.args[0].sort not in ("R", "Z"):
            out = self._proofs[0][1]
            for _, proof in self._proofs[1:]:
                out = pf.transitive(out, proof)
            return pf.convert(out, goal)
        flip = -1 if shown in _DOWN else 1
        real = goal
        if goal.args[0].sort == "Z":
            return self.context.extended(*(p for _, p in self._proofs)).prove(goal)
        parts = [(flip if proof.conclusion.op == "=" else 1, [proof]) for _, proof in self._proofs]
        return pf.psatz(real, *parts)

    @property
    def hypotheses(self) -> tuple[Any, ...]:
        """The hypotheses, and those that the symbols used so far abbreviate."""
        return (*self.given, *self._assumed)

    def __str__(self) -> str:
        return rendering.text(self)

    def _repr_latex_(self) -> str:
        return rendering.latex(self)

    def _repr_html_(self) -> str:
        return rendering.html(self)


def _held_at(values: Mapping[Any, Any], title: str, hypotheses: list[Term]) -> dict[str, str]:
    """Demand that hypotheses hold at the values of a witness, and return these."""
    formulas = formulas_of(values)

    def shown(equations: list[Term], p: Term) -> bool:
        return _holds(equations, instantiate(p, formulas))

    model = witness_model(values, hypotheses)
    check_witness(title, hypotheses, model, shown)
    return readable(model, hypotheses)


def _holds(equations: list[Term], p: Term) -> bool:
    """Say whether a proposition can be proved from the values of a witness.

    Vectors of which it speaks may have to be compared with those of the witness.
    """
    context = Context(map(assume, equations))
    known = [
        variable(name, "V") for name, s, at in sorted(_free(equations)) if (s, at) == ("V", ())
    ]
    while p.op in ("all", "->", "&"):
        if p.op == "&":
            return all(_holds(equations, q) for q in p.args)
        if p.op == "->":
            context = context.extended(assume(p.args[0]))
            p = p.args[1]
            continue
        x = pf.fresh(p.data[0], "a")
        apart = [pf.sub(x, v) for v in known] if x.sort == "V" else []
        context = context.extended(*(pf.axiom("square_nonnegative", u=u) for u in apart))
        known += [x] if x.sort == "V" else []
        p = fill(p.args[0], (x,))
    return context.attempt(p) is not None


def _free(terms: Iterable[Term]) -> frozenset[Variable]:
    """Return the variables that are free in some terms."""
    return frozenset[Variable]().union(*(t.free for t in terms))


def _says_the_same(p: Term, q: Term) -> bool:
    """Say whether two relations have the same sides."""
    if p.op != q.op or p.op not in ("=", "<=", "<"):
        return p is q
    sides = [tuple(normal(t) for t in r.args) for r in (p, q)]
    return sides[0] == sides[1] or (p.op == "=" and sides[0] == sides[1][::-1])


def prove(
    title: str,
    conclusion: Any,
    because: str = "",
    given: Given = (),
    witness: Mapping[Any, Any] | None = None,
    setting: Setting | None = None,
    by: Any = None,
) -> Theorem:
    """Prove a statement of any form, as a derivation that consists of its conclusion."""
    return Derivation(title, given, witness, setting).hence(conclusion, because, by).qed()


def impossible(
    title: str,
    given: Given = (),
    setting: Setting | None = None,
    no: Any = (),
    witness: Mapping[Any, Any] | None = None,
    because: str = "",
    by: Any = None,
) -> Theorem:
    """Prove that hypotheses cannot hold together.

    Parameters
    ----------
    title : str
        What the theorem is called.
    given : mapping of names to statements, or sequence of statements
        The hypotheses.
    setting : Setting
        Hypotheses that are shared with other theorems.
    no : symbol or sequence of symbols or families
        What there is none of: a page shows "there is no θ with …", where … are the hypotheses that
        speak of θ. The others need a ``witness``, because something has to satisfy them.
    witness : mapping
        Values at which the hypotheses hold that do not speak of what there is none of.
    because : str
        The reason that a page gives.
    by : rule
        How it is proved, where search alone does not find it.
    """
    symbols = tuple(no) if isinstance(no, (tuple, list)) else (no,)
    supposed = Supposed(title, given, setting, absent=symbols)
    if not supposed.given:
        raise Vacuous("no hypotheses: nothing contradicts itself")
    context = Context()
    assumed: dict[Term, None] = {}
    for s in supposed.given:
        for a in s.assumes:
            if not derivatives.is_found(a):
                assumed[a] = None
    started = time.process_time()
    proof = None
    with context.working():
        for p in [*assumed, *(s.term for s in supposed.given)]:
            context.add(assume(p))
        if not is_stating():
            proof = prove_with(context, pf.false(), None if by is None else as_rule(by))
            _require_each([*assumed, *(s.term for s in supposed.given)])
    # What is refuted is impossible; what it is added to must not be, nor what is declared of that.
    kept = [h.term for h in supposed.hypotheses if not h.is_refuted and (symbols or h.setting)]
    declared = [p for p in assumed if not supposed.is_absent(p)]
    properties = [p for p in declared if any(a == ("R",) for _, _, a in p.free)]
    values = {**(setting.witness if setting else {}), **(witness or {})}
    derivatives.check_properties(title, properties, values)
    check_signs(title, declared)
    decided = [p for p in declared if p not in properties and p.free <= _free(kept)]
    _held_at(values, title, [*kept, *decided])
    scope = scope_of([s.term for s in supposed.given])
    method, detail = ("", "") if proof is None else _told("", *foundations(*pf.written_down(proof)))
    seconds = time.process_time() - started
    told = (because or "a contradiction", method, detail, scope, "proved", seconds, pf.false())
    step = Step("⊢", term_of(0), *told)
    stated = supposed.stated(assumed, proof.hypotheses if proof is not None else None)
    check_letters(title, [h.term for h in supposed.stated(assumed, None)])
    return Theorem(title, supposed.refutation(stated), stated, [step], None, proof, _caller())


def _require_each(hypotheses: Sequence[Term]) -> None:
    """Prove that hypotheses make sense where the others hold, or refuse them.

    Where all of those hold that contradict each other, anything makes sense.
    """
    for p in filter(is_partial, hypotheses):
        _require_sense(p, [q for q in hypotheses if q is not p])


def _require_sense(p: Term, hypotheses: Iterable[Term]) -> None:
    """Prove that a statement makes sense where hypotheses hold, or refuse it."""
    context = Context()
    with context.working():
        for q in hypotheses:
            context.add(assume(q))
        Definedness().require(p, context)


def equivalence(
    title: str, forward: Theorem, backward: Theorem, witness: Mapping[Any, Any] | None = None
) -> Theorem:
    """Put two theorems together, of which each concludes what the other one supposes.

    Where each has hypotheses that the other one has not, a witness shows that they fit together.
    """
    (p,) = _supposed_by(forward, backward)
    (q,) = _supposed_by(backward, forward)
    conclusion = Iff(p.written, q.written)
    proof = None
    if not is_stating():
        sides = []
        for theorem, supposed, concluded in ((forward, p, q), (backward, q, p)):
            if theorem.checked is None:
                raise Unproved(f'"{theorem.title}" is not certified yet')
            cited = pf.conjuncts(pf.cite(theorem.checked))[0]
            sides.append(pf.discharge(supposed.term, pf.convert(cited, concluded.term)))
        proof = pf.conjunction(*sides)
    stated = {h.term: h for t in (forward, backward) for h in t.stated if h not in (p, q)}
    if proof is not None:
        _require_sense(conclusion.term, stated)
    apart = [stated.keys() - {h.term for h in t.stated} for t in (forward, backward)]
    if all(apart):
        check_witness(title, list(stated), witness_model(witness or {}, list(stated)))
    scope = scope_of([conclusion.term, *stated])
    told = (
        (forward, _directed("from left to right", forward), p, q),
        (backward, _directed("from right to left", backward), q, p),
    )
    steps = [
        Step(
            *("⇒", theorem.statement, because, "theorem", theorem.title, scope, "proved", 0.0),
            pf.build("->", (), [supposed.term, concluded.term]),
        )
        for theorem, because, supposed, concluded in told
    ]
    check_letters(title, [conclusion.term, *stated])
    return Theorem(title, conclusion, stated.values(), steps, None, proof, _caller())


def _directed(way: str, theorem: Theorem) -> str:
    """Return the reason for one direction of an equivalence, if a single line proves it."""
    return f"{way}: {theorem.steps[0].because}" if len(theorem.steps) == 1 else way


def _supposed_by(theorem: Theorem, other: Theorem) -> list[Hypothesis]:
    """Return the hypothesis of a theorem that another one concludes."""
    out = [h for h in theorem.stated if _says_the_same(h.term, other.statement.term)]
    if not out or isinstance(out[0].written, Term):
        raise IllTyped(f'"{theorem.title}" does not suppose what "{other.title}" concludes')
    return out[:1]


def check_identity(
    left: Any, right: Any, given: Sequence[Any] = (), witness: Any = None
) -> Theorem:
    """Prove that two terms are equal, as a derivation of one line."""
    return Derivation("identity", given, witness).start(left).equals(right, "identity").qed()


def check_inequality(
    relation: Any, given: Sequence[Any] = (), witness: Any = None, by: Rule | None = None
) -> Theorem:
    """Prove one relation, as a derivation of one line."""
    relation = statement(relation)
    if relation.shown not in ("=", "≤", "<", "≥", ">"):
        raise IllTyped("this is not an equation or inequality")
    left, right = relation.parts
    d = Derivation("inequality", given, witness).start(left)
    return d.line(relation.shown, right, "inequality", by).qed()


def _author() -> FrameType:
    """Return the frame that called this package."""
    frame = sys._getframe(1)
    inside = __name__.rpartition(".")[0]
    while frame.f_back is not None and frame.f_globals.get("__name__", "").startswith(inside):
        frame = frame.f_back
    return frame


def _caller() -> str:
    """Return the module and the line where a derivation is written."""
    frame = _author()
    return f"{frame.f_globals.get('__name__', '?')}:{frame.f_lineno}"


__all__ = [
    "Derivation",
    "Step",
    "Theorem",
    "check_identity",
    "check_inequality",
    "equivalence",
    "impossible",
    "prove",
]
