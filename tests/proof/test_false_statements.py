"""No false statement is proved, and most are refuted by a case that can be checked by hand."""

from __future__ import annotations

import functools
from collections import Counter
from typing import Any

import evaluator as ev
import pytest
from claims import Claim, Gradient, skeleton
from false_statements import FALSE
from mlnotes.proof.prove import Prover
from replay import as_model
from sampling import satisfies, terms_of, truth

from mlnotes.proof import Eq, Ge, Gt, Le, Lt, ProofError, Unproved, WrongStep, grad

RELATIONS = {"==": Eq, "<=": Le, "<": Lt, ">=": Ge, ">": Gt}
BY_NAME = {claim.name: claim for claim in FALSE}


@functools.cache
def verdict(name: str) -> Any:
    """Return what the engine answers: a Theorem or the exception."""
    try:
        return BY_NAME[name].check()
    except ProofError as refusal:
        return refusal


def test_there_are_enough_false_statements() -> None:
    assert len(FALSE) == len(BY_NAME) >= 165
    assert sum("/erratum-" in claim.source for claim in FALSE) >= 80


def test_no_two_false_statements_differ_only_in_names_or_numbers() -> None:
    shapes = Counter(map(skeleton, FALSE))
    assert [shape for shape, count in shapes.items() if count > 1] == []


@pytest.mark.parametrize("claim", FALSE, ids=lambda claim: claim.name)
def test_the_model_given_refutes_the_statement(claim: Claim) -> None:
    (model,) = claim.models
    assert ev.admissible(model, terms_of(claim))
    assert satisfies(model, claim.given)
    assert truth(claim, model) is False


@pytest.mark.parametrize(
    "claim", [claim for claim in FALSE if claim.given], ids=lambda claim: claim.name
)
def test_the_witness_satisfies_the_hypotheses(claim: Claim) -> None:
    assert claim.witness is not None
    assert ev.admissible(claim.witness, terms_of(claim))
    assert satisfies(claim.witness, claim.given)


def test_most_witnesses_do_not_betray_the_slip() -> None:
    """A witness that already refutes the line would make the search for one too easy."""
    telling = [c.name for c in FALSE if c.given and truth(c, c.witness or {}) is False]
    assert len(telling) < len(FALSE) / 10


@pytest.mark.parametrize("claim", FALSE, ids=lambda claim: claim.name)
def test_the_engine_refuses_the_statement(claim: Claim) -> None:
    answer = verdict(claim.name)
    assert isinstance(answer, WrongStep | Unproved), f"{claim.name}: {answer!r}"
    if isinstance(answer, WrongStep):
        assert answer.counterexample, f"{claim.name}: {answer}"
        model = as_model(answer.counterexample, terms_of(claim))
        assert ev.admissible(model, terms_of(claim))
        assert satisfies(model, claim.given), f"{claim.name}: {answer.counterexample}"
        assert truth(claim, model) is False, f"{claim.name}: {answer.counterexample}"


@pytest.mark.slow
@pytest.mark.parametrize("claim", FALSE, ids=lambda claim: claim.name)
def test_the_provers_alone_do_not_prove_the_statement(claim: Claim) -> None:
    """Without the search for counterexamples in front of them, which refutes most at once."""
    left = claim.left
    if isinstance(left, Gradient):
        left = grad(left.term, left.variable)
    with pytest.raises(ProofError):
        Prover(claim.given).prove(RELATIONS[claim.operator](left, claim.right), falsify=False)


def test_at_least_four_in_five_come_with_a_counterexample() -> None:
    shown = [c.name for c in FALSE if isinstance(verdict(c.name), WrongStep)]
    assert len(shown) >= 0.8 * len(FALSE)
