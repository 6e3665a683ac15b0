"""No spoiled line of a theorem is certified that the independent evaluator finds false.

Of every line that relates numbers the relation is turned round, or the right side doubled, negated
or raised by one; a quarter of the lines, by turns, is put to the engine without its named rule.
What is certified, as 1/4 ≤ 1/2 is, is evaluated at the witness, if that has all values it needs.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import evaluator as ev
import pytest

from mlnotes.proof import Derivation, Expr, ProofError, Vacuous
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


def lines_of_theorems() -> list[Line]:
    """Return the lines that relate two numbers in the derivations of the book's theorems."""
    told: list[Derivation] = []
    finish = Derivation.qed
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Derivation, "qed", lambda self: (told.append(self), finish(self))[1])
        for _, derive in registry():
            derive.cache_clear()  # type: ignore[attr-defined]
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


def test_no_spoiled_line_is_certified_that_is_false_at_the_witness() -> None:
    every = list(enumerate(lines_of_theorems()))
    assert len(every) > 500
    answers: Counter[str] = Counter()
    false, true = [], 0
    for k, (told, left, relation, right) in mine(every):
        sign, new = spoiled(k // 4, relation, right)
        given, witness = list(told.given), dict(told.witness)
        try:
            line = Derivation("spoiled", given=given, witness=witness, seconds=SECONDS).start(left)
            line.line(sign, new, because="spoiled").qed()
        except ProofError as refusal:
            answers[type(refusal).__name__] += 1
            continue
        answers["certified"] += 1
        try:
            found = ev.truth(relate(sign, left, new), witness, *given)
            true += found is True
            if found is False:
                false.append((told.title, sign, new))
        except (ev.NoValue, AttributeError, TypeError, ProofError):
            answers["unread"] += 1
    assert not false
    assert true + answers["unread"] == answers["certified"]
    assert answers["unread"] < sum(answers.values()) / 10, answers
    assert answers["WrongStep"] > sum(answers.values()) / 2, answers
    assert answers[Vacuous.__name__] < sum(answers.values()) / 20, answers
    assert answers["certified"] < sum(answers.values()) / 5, answers
