"""The exercises of the chapter: right answers pass, and what only looks like one does not."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

from mlnotes.data import make_separable
from mlnotes.perceptron import Perceptron, novikoff_bound
from mlnotes.proof import WrongStep, dot, norm, norm2
from mlnotes.theorems import perceptron as pc
from tests.exercises import exercise


@pytest.fixture(scope="module")
def lines() -> dict[str, Any]:
    rate = exercise("perceptron", "with_rate")
    any_start = exercise("perceptron", "from_any_start", **rate.__globals__)
    return {"with_rate": rate, "from_any_start": any_start}


cross = dot(pc.before, pc.point)
before2, point2 = norm2(pc.before), norm2(pc.point)
moved = pc.before + pc.eta * pc.y * pc.point
start = dot(pc.theta[0], pc.target)
RIGHT = [
    ("with_rate", before2 + 2 * pc.eta * pc.y * cross + pc.eta**2 * pc.y**2 * point2),
    ("with_rate", before2 + 2 * pc.eta * pc.y * cross + pc.eta**2 * point2),
    ("with_rate", before2 + pc.eta * (2 * pc.y * cross + pc.eta * point2)),
    ("from_any_start", start + pc.k * pc.gamma),
]
NEIGHBOURS = [
    ("with_rate", norm2(-moved), "multiply it out"),
    ("with_rate", pc.y**2 * norm2(moved), "multiply it out"),
    ("from_any_start", dot(pc.theta[pc.k], 2 * pc.target) / 2, r"without theta\[k\]"),
    ("from_any_start", pc.k * pc.gamma - norm(pc.theta[0]) * norm(pc.target), "without norms"),
]
WRONG = [
    ("with_rate", before2 + pc.eta**2 * point2),
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


def test_the_worst_point_is_mostly_that_of_two_corrections_ago() -> None:
    """The rule of the solution makes more mistakes than the cycle, for the reason it gives."""
    rule = exercise(
        "perceptron",
        "my_perceptron",
        np=np,
        data=make_separable(40, margin=0.1, random_state=0),
        novikoff_bound=novikoff_bound,
        check_rule=lambda rule: "",
    )
    returns, opposite, more = [], [], 0
    for seed in range(20):
        X, y, *_ = make_separable(50, 3, margin=0.05, random_state=seed)
        rows = rule(X, y)
        Z = y[:, None] * X / np.linalg.norm(X, axis=1, keepdims=True)
        returns += [a == b for a, b in zip(rows, rows[2:], strict=False)]
        opposite += [Z[a] @ Z[b] for a, b in itertools.pairwise(rows)]
        more += len(rows) - Perceptron(fit_intercept=False).fit(X, y).n_mistakes_
    assert np.mean(returns) > 0.5
    assert np.mean(opposite) < -0.8
    assert more > 0
