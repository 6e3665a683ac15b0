"""No spoiled line of a theorem is certified that the independent evaluator finds false.

Of every line that relates numbers the relation is turned round, or the right side doubled, negated
or raised by one; a quarter of the lines, by turns, is put to the engine without its named rule.
What is certified, as 1/4 ≤ 1/2 is, is evaluated at the witness, if that has all values it needs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import evaluator as ev
import pytest

from mlnotes.proof import Derivation, Expr, ProofError, Theorem, Vacuous
from mlnotes.proof.language import relate
from mlnotes.theorems import registry
from tests.turns import mine

TURNED = {"=": "<", "≤": ">", "<": ">", "≥": "<", ">": "<"}
SECONDS = 0.1  # of the processor, for each line
Line = tuple[Derivation, Any, str, Any]


def spoiled(k: int, relation: str, right: Any) -> tuple[str, Any]:
    """Return a line with its relation, a factor, a sign or a summand changed."""
    changes = [(TURNED[relation], right), (relation, 2 * right), (relation, -right)]
    return [*changes, (relation, right + (-1 if relation in "≤<" else 1))][k % 4]


def lines_of_theorems(chapter: str) -> list[Line]:
    """Return the lines that relate two numbers in the derivations of a chapter's theorems."""
    mine = [derive for _, derive in registry() if derive.__module__ == chapter]
    for derive in mine:
        derive()  # and with it whatever it uses of other chapters
    told: list[Derivation] = []
    finish = Derivation.qed
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Derivation, "qed", lambda self: (told.append(self), finish(self))[1])
        for derive in mine:
            derive.cache_clear()  # type: ignore[attr-defined]
        for derive in mine:
            derive()
    out: list[Line] = []
    for derivation in told:
        left: Any = derivation.first
        for step in derivation.steps:
            right = step.expression
            if step.relation not in TURNED or not isinstance(right, Expr):
                continue
            if {left.sort, right.sort} <= {"R", "Z"}:
                out.append((derivation, left, step.relation, right))
            left = right
    return out


CHAPTERS = sorted({derive.__module__ for _, derive in registry()})


def put_to_the_engine(lines: list[tuple[int, Line]]) -> tuple[Counter[str], dict[str, str]]:
    """Spoil lines; return how often each answer came, and those certified with what they are."""
    answers: Counter[str] = Counter()
    certified = {}
    for k, (told, left, relation, right) in lines:
        sign, new = spoiled(k // 4, relation, right)
        given, witness = list(told.given), dict(told.witness)
        try:
            line = Derivation("spoiled", given=given, witness=witness, seconds=SECONDS).start(left)
            line.line(sign, new, because="spoiled").qed()
        except ProofError as refusal:
            answers[type(refusal).__name__] += 1
            continue
        try:
            found = str(ev.truth(relate(sign, left, new), witness, *given))
        except (ev.NoValue, AttributeError, TypeError, ProofError):
            found = "unread"
        answers[found] += 1
        certified[f"{told.title}, line {k}: {sign} {new}"] = found
    return answers, certified


@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda name: name.rpartition(".")[2])
def test_no_spoiled_line_is_certified_that_is_false_at_the_witness(
    chapter: str, record_property: Callable[[str, object], None]
) -> None:
    """And most are refuted with numbers, fewer where means are taken or any function is allowed."""
    lines = mine(list(enumerate(lines_of_theorems(chapter))))
    answers, certified = put_to_the_engine(lines)
    record_property("mutants", len(lines))
    record_property("survivors", list(certified))
    assert [line for line, found in certified.items() if found not in ("True", "unread")] == []
    assert answers.total() == len(lines)
    theorems = [derive() for _, derive in registry() if derive.__module__ == chapter]
    vague = any(theorem.assumptions or speaks_of_any_function(theorem) for theorem in theorems)
    # Two lines may be another way, because a chapter may have few.
    assert answers["WrongStep"] >= len(lines) / (4 if vague else 2) - 2, answers
    assert answers["unread"] <= len(lines) / 10 + 2, answers
    assert answers[Vacuous.__name__] <= len(lines) / 20 + 2, answers
    assert len(certified) <= len(lines) / 5 + 2, answers


def speaks_of_any_function(theorem: Theorem) -> bool:
    """Whether a hypothesis is about a function of vectors, known by its properties alone."""
    free = {variable for h in theorem.stated for variable in h.term.free}
    return any("V" in arguments for _, _, arguments in free)


@pytest.mark.parametrize(("chapter", "least"), [("perceptron", 60), ("adaboost", 50)])
def test_there_are_lines_to_spoil(chapter: str, least: int) -> None:
    assert len(lines_of_theorems(f"mlnotes.theorems.{chapter}")) >= least
