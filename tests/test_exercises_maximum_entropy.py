"""The exercises of the chapter: right answers pass, and what only looks like one does not."""

from __future__ import annotations

from typing import Any

import pytest

from mlnotes.proof import Rational, Sum, WrongStep, log
from mlnotes.theorems.maximum_entropy import K, k, q, s
from tests.exercises import WORDS, exercise


@pytest.fixture(scope="module")
def lines() -> dict[str, Any]:
    gibbs = exercise("maximum_entropy", "gibbs", **WORDS)
    at_most_log = exercise("maximum_entropy", "at_most_log", **gibbs.__globals__)
    return {"gibbs": gibbs, "at_most_log": at_most_log}


every = (k, 1, K)
RIGHT = [
    ("gibbs", Sum(q[k] - s[k], every)),
    ("at_most_log", log(K) - Sum(q[k] * log(q[k] / (1 / K)), every)),
    ("at_most_log", -Sum(q[k] * log(q[k] / (1 / K)), every) + log(K)),
]
NEIGHBOURS = [
    ("gibbs", Sum(q[k] * log(q[k]) - q[k] * log(s[k]), every), "without a logarithm"),
    ("gibbs", Rational(0), "one sum"),
    ("at_most_log", -2 * Sum(q[k] * log(q[k]) / 2, every), "under one logarithm"),
    ("at_most_log", log(K) * Sum(q[k], every), "under one logarithm"),
]
WRONG = [
    ("gibbs", Sum(2 * q[k] - s[k], every)),
    ("at_most_log", log(K) - Sum(q[k] * log(q[k] / K), every)),
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
    with pytest.raises(WrongStep):
        lines[name](line)
