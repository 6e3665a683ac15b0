"""Textbook steps that the engine has to certify, and those that it cannot yet."""

from __future__ import annotations

import functools
import statistics
import time
from collections import Counter
from typing import Any

import evaluator as ev
import pytest
from claims import Claim, skeleton
from true_statements import CANNOT, TRUE

from mlnotes.proof import ProofError, Theorem, Undefined, Unproved

# True in one line, but not found in one line yet.
BEYOND = {
    "Nesbitt",
    "Novikoff",
    "Young with exponent three",
    "a fit is not longer",
    "a projection is not longer",
    "a weighted mean stays below its bound",
    "ambiguity decomposition bounds the ensemble",
    "arithmetic above geometric mean of three",
    "below a minimum nothing",
    "chance that all are consistent",
    "entropy below the logarithm of the alphabet",
    "log determinant of a multiple",
    "log determinant of an inverse",
    "mean minimises squares",
    "moment generating function of a coin",
    "optimal AdaBoost weight",
    "scalar ridge",
    "slopes of a convex function",
    "squared residuals at the least-squares slope",
    "tangent of a convex function",
    "tangent of a convex function under an expectation",
    "the mean is closest",
}
BY_NAME = {claim.name: claim for claim in (*TRUE, *CANNOT)}
REACHED = [claim for claim in TRUE if claim.name not in BEYOND]
MISSED = [claim for claim in (*TRUE, *CANNOT) if claim not in REACHED]


@functools.cache
def verdict(name: str) -> tuple[Any, float]:
    """Return what the engine answers and the seconds it took."""
    claim = BY_NAME[name]
    start = time.process_time()
    try:
        answer: Any = claim.check()
    except ProofError as refusal:
        answer = refusal
    return answer, time.process_time() - start


def test_no_two_true_statements_differ_only_in_names_or_numbers() -> None:
    shapes = Counter(map(skeleton, TRUE))
    assert [shape for shape, count in shapes.items() if count > 1] == []
    assert len(REACHED) >= 300


def read(claim: Claim) -> bool | None:
    """Say what the independent evaluator says at the witness; None where it has no words for it."""
    try:
        line = claim.statement
        held = [ev.truth(h, claim.witness or {}, line, *claim.given) for h in claim.given]
        return all(h is True for h in held) and ev.truth(line, claim.witness or {}, *claim.given)
    except (ev.NoValue, AttributeError, TypeError, ProofError):
        return None


def test_the_independent_evaluator_finds_no_exception_at_the_witnesses() -> None:
    answers = Counter(read(claim) for claim in (*TRUE, *CANNOT) if claim.given)
    assert answers[False] == 0
    assert answers[True] >= 90


@pytest.mark.parametrize("claim", REACHED, ids=lambda claim: claim.name)
def test_the_engine_certifies_the_statement(claim: Claim) -> None:
    theorem, _ = verdict(claim.name)
    assert isinstance(theorem, Theorem), theorem
    assert theorem.mark == "proved"
    assert theorem.checked is not None
    assert theorem.checked.conclusion is not None


def test_most_steps_need_more_than_calculation() -> None:
    methods = Counter(verdict(claim.name)[0].steps[-1].method for claim in REACHED)
    assert sum(methods.values()) - methods["calculation"] >= 120


def test_half_of_the_steps_take_less_than_fifty_milliseconds() -> None:
    assert statistics.median(verdict(claim.name)[1] for claim in REACHED) < 0.05


@pytest.mark.parametrize("claim", MISSED, ids=lambda claim: claim.name)
def test_what_the_engine_cannot_prove_is_not_called_wrong(claim: Claim) -> None:
    """The list of gaps is honest: answered with "unproved" or "undefined", never with "wrong"."""
    answer, _ = verdict(claim.name)
    assert isinstance(answer, Unproved | Undefined), answer
