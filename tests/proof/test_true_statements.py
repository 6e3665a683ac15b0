"""Textbook steps the engine has to prove, and how."""

from __future__ import annotations

import functools
import statistics
import time
from collections import Counter
from typing import Any

import pytest
from claims import Claim, skeleton
from sampling import satisfies, trials, truth
from true_statements import CANNOT, TRUE

from mlnotes.proof import ProofError, Undefined, Unproved

BY_NAME = {claim.name: claim for claim in TRUE}


@functools.cache
def verdict(name: str) -> tuple[Any, float]:
    """Return what the engine answers and the seconds it took."""
    start = time.process_time()
    try:
        answer: Any = BY_NAME[name].check()
    except ProofError as refusal:
        answer = refusal
    return answer, time.process_time() - start


def method(name: str) -> str:
    theorem, _ = verdict(name)
    return str(theorem.steps[-1].method)


def test_no_two_true_statements_differ_only_in_names_or_numbers() -> None:
    assert len(TRUE) == len(BY_NAME)
    shapes = Counter(map(skeleton, TRUE))
    assert [shape for shape, count in shapes.items() if count > 1] == []


@pytest.mark.parametrize("claim", TRUE, ids=lambda claim: claim.name)
def test_the_independent_evaluator_finds_no_exception(claim: Claim) -> None:
    found = 0
    if claim.given:
        assert claim.witness is not None
        assert satisfies(claim.witness, claim.given)
        assert truth(claim, claim.witness) is True
        found += 1
    for model, answer in trials(claim, seed=1, tries=60, wanted=8):
        assert answer is True, model
        found += 1
    assert found > 0


@pytest.mark.parametrize("claim", TRUE, ids=lambda claim: claim.name)
def test_the_engine_proves_the_statement(claim: Claim) -> None:
    theorem, _ = verdict(claim.name)
    assert not isinstance(theorem, ProofError), theorem
    assert method(claim.name)


def test_most_steps_need_more_than_the_normal_form(record_property: Any) -> None:
    methods = Counter(method(claim.name) for claim in TRUE)
    record_property("methods", dict(methods))
    beyond = [claim.name for claim in TRUE if method(claim.name) != "normal form"]
    assert len(TRUE) >= 165
    assert len(beyond) >= 100


def test_half_of_the_steps_take_less_than_fifty_milliseconds(record_property: Any) -> None:
    seconds = [verdict(claim.name)[1] for claim in TRUE]
    record_property("median_seconds", statistics.median(seconds))
    assert statistics.median(seconds) < 0.05


@pytest.mark.parametrize("claim", CANNOT, ids=lambda claim: claim.name)
def test_what_the_engine_cannot_prove_is_true_and_not_called_wrong(claim: Claim) -> None:
    """The list of gaps is honest: true statements, answered with "unproved", never with "wrong"."""
    answers = [answer for _, answer in trials(claim, seed=1, tries=60, wanted=8)]
    assert answers or claim.given
    assert all(answer is True for answer in answers)
    with pytest.raises((Unproved, Undefined)):
        claim.check()
