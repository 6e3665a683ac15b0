"""No false statement is proved, and most are refuted by a case that can be checked by hand."""

from __future__ import annotations

import functools
from collections import Counter
from typing import Any

import evaluator as ev
import pytest
from claims import Claim, skeleton
from false_statements import FALSE

from mlnotes.proof import ProofError, WrongStep, derivations
from mlnotes.proof.definedness import Definedness

BY_NAME = {claim.name: claim for claim in FALSE}
# What the independent evaluator has no words for: dependent variables, all vectors, 0 log 0.
UNREAD = 20


@functools.cache
def verdict(name: str) -> Any:
    """Return what the engine answers: a Theorem or the exception."""
    try:
        return BY_NAME[name].check()
    except ProofError as refusal:
        return refusal


def test_there_are_enough_false_statements() -> None:
    assert len(FALSE) == len(BY_NAME) >= 230
    assert sum("/erratum-" in claim.source for claim in FALSE) >= 80


def test_no_two_false_statements_differ_only_in_names_or_numbers() -> None:
    shapes = Counter(map(skeleton, FALSE))
    assert [shape for shape, count in shapes.items() if count > 1] == []


def refuted_by(claim: Claim, model: Any) -> bool | None:
    """Say whether the hypotheses hold in a model and the line does not; None if unread."""
    try:
        line = claim.statement
        held = [ev.truth(h, model, line, *claim.given) for h in claim.given]
        return all(h is True for h in held) and ev.truth(line, model, *claim.given) is False
    except (ev.NoValue, AttributeError, TypeError, ProofError):
        return None


def test_the_models_given_refute_the_statements() -> None:
    answers = Counter(refuted_by(claim, claim.models[0]) for claim in FALSE)
    assert answers[True] >= len(FALSE) - UNREAD
    assert answers[False] <= 2  # values that are equal up to rounding only


@pytest.mark.parametrize("claim", FALSE, ids=lambda claim: claim.name)
def test_the_engine_refuses_the_statement(claim: Claim) -> None:
    answer = verdict(claim.name)
    assert isinstance(answer, ProofError), f"{claim.name}: {answer!r}"
    if isinstance(answer, WrongStep):
        assert answer.counterexample, f"{claim.name}: {answer}"


@pytest.mark.parametrize("claim", FALSE, ids=lambda claim: claim.name)
def test_the_search_alone_does_not_prove_the_statement(
    claim: Claim, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without looking for counterexamples, and without asking that displayed terms make sense."""
    monkeypatch.setattr(derivations, "counterexample", lambda *_, **__: None)
    monkeypatch.setattr(Definedness, "require", lambda *_: None)
    with pytest.raises(ProofError):
        claim.check()


def test_at_least_four_in_five_come_with_a_counterexample() -> None:
    shown = [c.name for c in FALSE if isinstance(verdict(c.name), WrongStep)]
    assert len(shown) >= 0.8 * len(FALSE)
