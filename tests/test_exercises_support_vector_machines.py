"""The exercises on support vector machines take right answers and no others."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from mlnotes import support_vector_machines as svm
from mlnotes.proof import ProofError, Sum, dot, norm2
from mlnotes.theorems import support_vector_machines as th
from tests.exercises import WORDS, exercise

CHAPTER = "support_vector_machines"


def checker(name: str, **names: Any) -> Any:
    tools = {
        "np": np,
        "svm": svm,
        "th": th,
        "hinge_loss": svm.hinge_loss,
        "primal_objective": svm.primal_objective,
    }
    return exercise(CHAPTER, name, **WORDS, **tools, **names)


def test_the_gap_shows_its_square() -> None:
    gap = checker("gap")
    paid = Sum(th.C * th.xi[th.i], (th.i, 1, th.n))
    square = norm2(th.theta - th.SPAN) / 2
    assert gap(square + dot(th.theta, th.SPAN) - th.TOTAL + paid).mark == "proved"
    with pytest.raises(ProofError):
        gap(square - dot(th.theta, th.SPAN) - th.TOTAL + paid)
    with pytest.raises(AssertionError, match="the square is missing"):
        gap(norm2(th.theta) / 2 + norm2(th.SPAN) / 2 - th.TOTAL + paid)


def test_one_multiplier_stands_in_one_square() -> None:
    one = checker("one_multiplier")
    t, f, square = (one.__globals__[name] for name in ("t", "f", "square"))
    top = (1 - f) ** 2 / (2 * square)
    assert one(top - square / 2 * (t - (1 - f) / square) ** 2).mark == "proved"
    with pytest.raises(ProofError):
        one(top - square * (t - (1 - f) / square) ** 2)
    with pytest.raises(AssertionError, match="outside"):
        one(t * (1 - f) - t**2 * square / 2)
    with pytest.raises(AssertionError, match="one square"):
        one(top)


def test_only_multipliers_that_close_the_gap_pass() -> None:
    check = checker("check_machine")
    solution = checker("my_svm", check_machine=check)
    assert "one per cent" in check(solution)
    with pytest.raises(AssertionError, match="the gap is not closed"):
        check(lambda X, y, C: np.zeros(len(y)))
    with pytest.raises(AssertionError, match="outside the box"):
        check(lambda X, y, C: np.full(len(y), 2 * C))


def test_an_offset_that_costs_more_is_refused() -> None:
    check = checker("check_offset")
    assert "no offset" in check(checker("my_offset", check_offset=check))
    for wrong in (lambda scores, y, C: 0.0, lambda scores, y, C: float(np.mean(y - scores))):
        with pytest.raises(AssertionError):
            check(wrong)
