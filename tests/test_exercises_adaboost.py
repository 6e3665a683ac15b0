"""The exercises of the chapter: right answers pass, and what only looks like one does not."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from mlnotes.adaboost import AdaBoost
from mlnotes.decision_trees import DecisionStump
from mlnotes.proof import Rational, WrongStep, sqrt
from mlnotes.theorems import adaboost as ab
from tests.exercises import WORDS, exercise


@pytest.fixture(scope="module")
def lines() -> dict[str, Any]:
    return {
        "from_edge": exercise("adaboost", "from_edge", ab=ab, **WORDS),
        "tripled": exercise("adaboost", "tripled", ab=ab, np=np, **WORDS),
    }


half, gamma, e = Rational(1, 2), ab.gamma, ab.error
odds = (1 - e) / e
RIGHT = [
    ("from_edge", sqrt(1 - 4 * gamma**2)),
    ("from_edge", 2 * sqrt(Rational(1, 4) - gamma**2)),
    ("from_edge", sqrt(4 - 16 * gamma**2) / 2),
    ("tripled", (1 - e) / sqrt(odds) ** 3 + e * sqrt(odds) ** 3),
    ("tripled", (1 - e) * odds ** Rational(-3, 2) + e * odds ** Rational(3, 2)),
]
NEIGHBOURS = [
    ("from_edge", 2 * sqrt((gamma - half) * (-gamma - half)), "multiply out under the root"),
    ("from_edge", sqrt((1 - 2 * gamma) * (1 + 2 * gamma)), "multiply out under the root"),
    ("tripled", (2 * e**2 - 2 * e + 1) / sqrt(e * (1 - e)), "one term for the successes"),
]
WRONG = [
    ("from_edge", sqrt(1 - 2 * gamma**2)),
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


@pytest.fixture(scope="module")
def check_smallest() -> Any:
    return exercise(
        "adaboost",
        "check_smallest",
        np=np,
        math=math,
        Fraction=Fraction,
        AdaBoost=AdaBoost,
        DecisionStump=DecisionStump,
    )


def test_the_smallest_sample_has_three_points(check_smallest: Any) -> None:
    for labels in ([1, -1, 1], [-1, 1, -1]):
        assert "3 points" in check_smallest([[0.0], [1.0], [2.0]], labels)
    in_the_plane = [[0.0, 1.0], [1.0, 1.0], [2.0, 1.0]]
    assert "3 points" in check_smallest(in_the_plane, [1, -1, 1])
    row = np.arange(10.0)[:, None]
    with pytest.raises(AssertionError, match="there is a smaller sample"):
        check_smallest(row, [1, 1, 1, -1, -1, -1, 1, 1, 1, -1])


@pytest.mark.parametrize("points", [[[0.0], [1.0]], [[0.0], [0.0]], [[0.0, 1.0], [0.0, 2.0]]])
def test_on_two_points_the_best_stump_is_perfect_or_a_coin(
    points: list[list[float]], check_smallest: Any
) -> None:
    with pytest.raises(AssertionError, match="it does not start"):
        check_smallest(points, [1, -1])
