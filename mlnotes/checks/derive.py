"""Derivations with missing lines: what a student writes into a gap is proved or refuted."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from mlnotes.checks.results import Item, Result, Task
from mlnotes.proof import Derivation, Sum, Theorem, indices, rendering
from mlnotes.proof.errors import IllTyped, ProofError, TooLarge, Unproved, WrongStep
from mlnotes.proof.forms import mentions, monomials, stands_in
from mlnotes.proof.language import Expr, term_of
from mlnotes.proof.named_rules import Rule
from mlnotes.proof.notation import Tex

RELATIONS = {"=": "=", "==": "=", "<=": "≤", "≤": "≤", "<": "<", ">=": "≥", "≥": "≥", ">": ">"}
STRICT = {"<", ">"}
# How long a line is looked at, in seconds of the processor. Right lines take a small part of it.
SECONDS = 2.0


@dataclasses.dataclass(frozen=True)
class Line:
    """A line of a derivation, written out or left to the student.

    Attributes
    ----------
    relation : str
        How it relates to the line before: ``=``, ``≤``, ``<``, ``≥`` or ``>``; empty for the first.
    term : expression or None
        The term, or None where it is missing.
    because : str
        The reason that is printed.
    by : tuple of rules
        Rules of :mod:`mlnotes.proof` by which the step to this line may also be proved.
    points : float
        What a missing line is worth.
    hint : str
        What is said when it is missing or cannot be proved.
    form : callable, optional
        Says whether a term has the form that the step is about, which neither neighbour has: the
        engine cannot tell a step of equality from a neighbour to which a zero was added.
    form_hint : str
        What is said when the form is another one.
    ask_relation : bool
        Whether the student also chooses the relation, as ``("≤", term)``.
    """

    relation: str = ""
    term: Any = None
    because: str = ""
    by: tuple[Rule | tuple[Theorem, ...], ...] = ()
    points: float = 1
    hint: str = ""
    form: Callable[[Any], bool] | None = None
    form_hint: str = ""
    ask_relation: bool = False


@dataclasses.dataclass(frozen=True, repr=False)
class Derive(Task):
    """A derivation in which lines are missing.

    Attributes
    ----------
    name : str
        The task, and the name under which the student keeps the lines.
    title : str
        What is derived.
    given : sequence of statements
        The hypotheses.
    witness : mapping
        Values that satisfy them.
    lines : sequence of Line
        The derivation. The missing lines are called a, b, c in their order.
    vocabulary : mapping
        The symbols by the names under which the student uses them.
    """

    name: str
    title: str
    given: Sequence[Any]
    witness: Mapping[Any, Any] | None
    lines: Sequence[Line]
    vocabulary: Mapping[str, Any]

    kind = "derive"

    @property
    def blanks(self) -> dict[str, int]:
        """The position of each missing line."""
        missing = [k for k, line in enumerate(self.lines) if line.term is None]
        return {chr(ord("a") + n): k for n, k in enumerate(missing)}

    @property
    def items(self) -> list[tuple[str, float]]:
        """What can earn points, and how many."""
        return [(f"line ({name})", self.lines[k].points) for name, k in self.blanks.items()]

    def check(self, answer: Any, seconds: float = SECONDS) -> Result:
        """Check the lines of a student.

        Parameters
        ----------
        answer : mapping
            A term, or a relation and a term, for each missing line; ``...`` leaves it out.
        seconds : float, default=2.0
            How much of the processor's time goes into proving one line.

        Returns
        -------
        Result
            An item for each missing line, with the engine's counterexample where it is false.
        """
        if not isinstance(answer, Mapping):
            return self.untried(
                f"{self.name} should be a dictionary such as {{'a': ..., 'b': ...}}."
            )
        chain: dict[int, tuple[str, Any]] = {
            k: (line.relation, term_of(line.term))
            for k, line in enumerate(self.lines)
            if line.term is not None
        }
        items = []
        for name, k in self.blanks.items():
            hint = self._judge(k, answer.get(name, ...), chain, seconds)
            items.append(Item(f"line ({name})", self.lines[k].points, not hint, hint))
        return Result(self.name, tuple(items))

    def _judge(self, k: int, answer: Any, chain: dict[int, tuple[str, Any]], seconds: float) -> str:
        """Return what is wrong with a line; put it into the chain if nothing is."""
        line, clock = self.lines[k], _Clock(seconds)
        if answer is ... or answer is None:
            return f"This line is missing. {line.hint}".strip()
        try:
            relation, term = self._read(line, answer)
            before = max(n for n in chain if n < k)
            after = min(n for n in chain if n > k)
            self._require_a_step(k, relation, term, chain, before, after)
            has_form = line.form is None or line.form(term)
            try:
                self._prove(k, before, relation, chain[before][1], term, clock)
                onward = self._relation(k, after, chain)
                self._prove(after, k, onward, term, chain[after][1], clock)
                if has_form and "=" not in (relation, onward):
                    self._require_a_gain(chain[before][1], term, clock)
                    self._require_a_gain(term, chain[after][1], clock)
            except _Refuted:
                raise
            except _Refused:
                if has_form:
                    raise
            if not has_form:
                raise _Refused(line.form_hint or line.hint or "The step is not done yet.")
        except _Refused as refusal:
            return str(refusal)
        except (ArithmeticError, AttributeError, RecursionError, TypeError, ValueError):
            # A student may write terms that no one has thought of; grading goes on.
            return "Nothing here can make sense of this line: is there a simpler one?"
        chain[k] = (relation, term)
        return ""

    def _read(self, line: Line, answer: Any) -> tuple[str, Any]:
        relation = line.relation
        if isinstance(answer, tuple):
            if len(answer) != 2 or answer[0] not in RELATIONS:
                raise _Refused('A line with its relation is written as ("≤", term).')
            relation, answer = RELATIONS[answer[0]], answer[1]
            strong_enough = relation in {line.relation, "="} or (
                relation in STRICT and RELATIONS[f"{relation}="] == line.relation
            )
            if not strong_enough:
                raise _Refused(f"With {relation} the chain no longer shows what it should.")
        elif line.ask_relation:
            raise _Refused('Here the relation is asked for too: write ("≤", term).')
        try:
            return relation, term_of(answer)
        except IllTyped:
            raise _Refused("This is not a term of the derivation.") from None

    def _relation(self, k: int, after: int, chain: Mapping[int, tuple[str, Any]]) -> str:
        """Return how a line relates to a later one across the lines that are still missing."""
        between = range(k + 1, after + 1)
        steps = {chain[n][0] if n in chain else self.lines[n].relation for n in between}
        return next((r for r in ("<", ">", "≤", "≥") if r in steps), "=")

    def _require_a_step(
        self,
        k: int,
        relation: str,
        term: Any,
        chain: Mapping[int, tuple[str, Any]],
        before: int,
        after: int,
    ) -> None:
        """Refuse a line that repeats or only mixes its neighbours."""
        line, above, below = self.lines[k], chain[before][1], chain[after][1]
        if term in (above, below):
            raise _Refused("This only repeats a line that is already there.")
        onward = self._relation(k, after, chain)
        try:
            p, q, r = (monomials(e) for e in (above, term, below))
        except TooLarge:
            raise _Refused(
                f"This line is too large to decide: is there a simpler one? {line.hint}"
            ) from None
        except ProofError as error:
            raise _Refused(f"This line has no meaning here: {error}.") from None
        if (relation != "=" and p == q) or (onward != "=" and q == r):
            raise _Refused(
                "This only rewrites a line that is already there: the step is still to be taken."
            )
        if p != r and "=" not in (relation, onward) and _is_mixture(p, q, r):
            raise _Refused("This only mixes the lines above and below it, which is no step.")

    def _start(self, term: Any, clock: _Clock) -> Derivation:
        """Return the start of a derivation whose lines share a clock."""
        derivation = Derivation(self.title, self.given, self.witness, seconds=clock.left)
        return derivation.start(term)

    def _require_a_gain(self, left: Any, right: Any, clock: _Clock) -> None:
        """Refuse a step of inequality whose two sides are equal under the hypotheses."""
        try:
            self._start(left, clock).equals(right)
        except ProofError:
            return
        raise _Refused(
            "Given the facts, this equals a line that is already there: no step is made."
        )

    def _prove(
        self, k: int, before: int, relation: str, left: Any, right: Any, clock: _Clock
    ) -> None:
        """Refuse a step that is false, or that nothing proves although no line is missing."""
        rules = self.lines[k].by
        if k - before > 1:
            # Lines are missing in between: it need not be proved, and is only not to be false.
            clock = _Clock(clock.seconds / 5)
        attempts: list[tuple[tuple[Any, Any], ...]] = [((right, rule),) for rule in rules]
        if (spread := _spread(left, right)) is not None:
            attempts += [((spread, rule), (right, None)) for rule in rules]
        for attempt in [*attempts, ((right, None),)]:
            try:
                derivation = self._start(left, clock)
                for n, (term, rule) in enumerate(attempt):
                    derivation.line("=" if n else relation, term, by=rule)
                return
            except WrongStep as wrong:
                told = f"The step from {rendering.plain(left)} is refuted: {wrong}."
                raise _Refuted(told) from None
            except ProofError as error:
                if attempt[0][1] is None and not isinstance(error, Unproved):
                    raise _Refused(f"This line has no meaning here: {error}.") from None
        if k - before == 1 and clock.is_over:
            raise _Refused(
                f"In {clock.seconds:g} seconds this could not be decided: is there a simpler line? "
                + self.lines[k].hint
            )
        if k - before == 1:
            raise _Refused(
                "Nothing refutes the step but nothing here proves it either: take a smaller one. "
                + self.lines[k].hint
            )

    def __str__(self) -> str:
        rows = [f"  given {rendering.plain(statement)}" for statement in self.given]
        names = {k: name for name, k in self.blanks.items()}
        for k, line in enumerate(self.lines):
            sign = "?" if line.ask_relation else line.relation
            shown = f"({names[k]})" if k in names else rendering.plain(term_of(line.term))
            because = f"   [{line.because}]" if line.because else ""
            rows.append(f"  {sign or ' '} {shown}{because}")
        return "\n".join([self.title, *rows])

    __repr__ = __str__

    def _repr_latex_(self) -> str:
        rows = []
        names = {k: name for name, k in self.blanks.items()}
        for k, line in enumerate(self.lines):
            sign = r"\;?\;" if line.ask_relation else Tex.signs.get(line.relation, "")
            shown = (
                rf"\boxed{{\text{{({names[k]})}}}}"
                if k in names
                else rendering.tex(term_of(line.term))
            )
            reason = rf" && \text{{{rendering.reason_tex(line.because)}}}" if line.because else ""
            rows.append(f"& {sign} {shown}{reason}")
        body = " \\\\\n".join(rows)
        given = "".join(rf"\text{{given }}\; {rendering.tex(s)} \\" + "\n" for s in self.given)
        lines = f"\\begin{{aligned}}\n{body}\n\\end{{aligned}}"
        return f"$$\n\\begin{{array}}{{l}}\n{given}{lines}\n\\end{{array}}\n$$"


class _Refused(Exception):
    """A line that earns nothing, with the reason."""


class _Refuted(_Refused):
    """A line that is false, with numbers: whatever its form, this is said first."""


class _Clock:
    """Seconds of the processor that a line may take, whatever is tried on it."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._end = time.process_time() + seconds

    @property
    def left(self) -> float:
        """What is left of them."""
        return max(0.0, self._end - time.process_time())

    @property
    def is_over(self) -> bool:
        """Whether the time is up."""
        return self.left == 0


def _spread(left: Expr, right: Expr) -> Expr | None:
    """Return a term as a sum of equal terms, if it is compared with a sum over as many."""
    if left.term.op != "sum" or right.term.op == "sum" or right.sort == "V":
        return None
    low, high, _ = left.term.args
    if low.op != "z" or low.data != (1,):
        return None
    many = Expr(high, left.assumes)
    return Sum(right / many, (indices("i"), 1, many))


def _is_mixture(p: Mapping[Any, Any], q: Mapping[Any, Any], r: Mapping[Any, Any]) -> bool:
    """Say whether q = p + t (r - p) for some number t."""
    zero = Fraction(0)
    monomials = {*p, *q, *r}
    run = {m: r.get(m, zero) - p.get(m, zero) for m in monomials}
    rise = {m: q.get(m, zero) - p.get(m, zero) for m in monomials}
    along = next((m for m in monomials if run[m]), None)
    if along is None:
        return False
    t = rise[along] / run[along]
    return all(rise[m] == t * run[m] for m in monomials)


def shaped(has: Sequence[Any] = (), without: Sequence[Any] = ()) -> Callable[[Any], bool]:
    """Return the question whether a term has some parts and does without others.

    What cancels does not count as a part that a term has.

    Examples
    --------
    >>> from mlnotes.checks.derive import shaped
    >>> from mlnotes.proof import reals
    >>> a, b = reals("a b")
    >>> shaped(has=[a], without=[b])(a + 1), shaped(has=[a], without=[b])(a + b)
    (True, False)
    """

    def is_shaped(term: Any) -> bool:
        return all(mentions(term, p) for p in has) and not any(
            stands_in(term, p) or mentions(term, p) for p in without
        )

    return is_shaped
