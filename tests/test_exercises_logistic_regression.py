"""The exercises of the chapter: right answers pass, and what only looks like one does not."""

from __future__ import annotations

from typing import Any

import pytest

from mlnotes.proof import Sum, Unproved, WrongStep, exp, log
from mlnotes.theorems import logistic_regression as lr
from mlnotes.theorems.logistic_regression import (
    c,
    gamma,
    i,
    n,
    scored,
    target,
    target_offset,
    x,
    y,
    z,
)
from tests.exercises import WORDS, exercise


@pytest.fixture(scope="module")
def lines() -> dict[str, Any]:
    names = {"derived": lr, "c": c, "gamma": gamma, "i": i, "n": n, "x": x, "z": z}
    names |= {"logistic": lr.logistic}
    return {
        name: exercise("logistic_regression", name, **WORDS, **names) for name in ("slope", "decay")
    }


sigma = lr.logistic
each = (i, 1, n)
moved = scored(c * target, c * target_offset, i)
scaled = exp(-y[i] * moved)
RIGHT = [
    ("slope", sigma(z) * sigma(-z)),
    ("slope", (1 - exp(-z) / (1 + exp(-z))) * sigma(-z)),
    ("decay", Sum(scaled, each)),
    ("decay", Sum(exp(-c * y[i] * scored(target, target_offset, i)), each)),
]
NEIGHBOURS = [
    ("slope", exp(-z) / (1 + exp(-z)) ** 2, "one factor in exp"),
    ("slope", sigma(z) ** 2 * exp(-z), "one factor in exp"),
    ("slope", sigma(z) - sigma(z) ** 2, "one factor in exp"),
    ("slope", 1 / (exp(z) + 2 + exp(-z)), "one factor in exp"),
    ("decay", Sum(log(1 + scaled), each), "without a logarithm"),
    ("decay", Sum(exp(-c * gamma), each), "gone too early"),
    ("decay", n * exp(-c * gamma), "one sum"),
]
WRONG = [
    ("slope", -sigma(z) * sigma(-z)),
    ("decay", Sum(exp(y[i] * moved), each)),
    # the offset is forgotten
    ("decay", Sum(exp(-c * y[i] * scored(target, 0, i)), each)),
]


@pytest.mark.parametrize(("name", "line"), RIGHT)
def test_a_right_line_passes_however_it_is_written(
    name: str, line: Any, lines: dict[str, Any]
) -> None:
    assert lines[name](line).mark == "proved"


@pytest.mark.parametrize(("name", "line", "message"), NEIGHBOURS)
def test_a_neighbour_in_other_words_is_refused(
    name: str, line: Any, message: str, lines: dict[str, Any]
) -> None:
    with pytest.raises(AssertionError, match=message):
        lines[name](line)


@pytest.mark.parametrize(("name", "line"), WRONG)
def test_a_wrong_line_is_refuted(name: str, line: Any, lines: dict[str, Any]) -> None:
    with pytest.raises((WrongStep, Unproved)):
        lines[name](line)
