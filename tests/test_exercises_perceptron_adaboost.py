"""The exercises of two chapters: right answers pass, and what only looks like one does not."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from mlnotes.adaboost import AdaBoost
from mlnotes.data import make_separable
from mlnotes.decision_trees import DecisionStump
from mlnotes.perceptron import Perceptron, novikoff_bound
from mlnotes.proof import Rational, WrongStep, dot, norm, norm2, sqrt
from mlnotes.theorems import adaboost as ab
from mlnotes.theorems import perceptron as pc
from tools.execution import read
from tools.paths import ROOT


def exercise(chapter: str, name: str, **names: Any) -> Any:
    """Return a function that a cell of a chapter defines, given the names it uses."""
    cells = read(ROOT / "book" / f"{chapter}.md").cells
    cell = next(c for c in cells if c.cell_type == "code" and f"def {name}(" in c.source)
    exec(cell.source, names)
    return names[name]


@pytest.fixture(scope="module")
def lines() -> dict[str, Any]:
    from mlnotes import proof

    words = {name: getattr(proof, name) for name in proof.__all__}
    rate = exercise("perceptron", "with_rate")
    return {
        "with_rate": rate,
        "from_any_start": exercise("perceptron", "from_any_start", **rate.__globals__),
        "from_edge": exercise("adaboost", "from_edge", ab=ab, **words),
        "tripled": exercise("adaboost", "tripled", ab=ab, np=np, **words),
    }


half, gamma, e = Rational(1, 2), ab.gamma, ab.error
odds = (1 - e) / e
cross = dot(pc.before, pc.point)
before2, point2 = norm2(pc.before), norm2(pc.point)
moved = pc.before + pc.eta * pc.y * pc.point
start = dot(pc.theta[0], pc.target)
RIGHT = [
    ("with_rate", before2 + 2 * pc.eta * pc.y * cross + pc.eta**2 * pc.y**2 * point2),
    ("with_rate", before2 + 2 * pc.eta * pc.y * cross + pc.eta**2 * point2),
    ("with_rate", before2 + pc.eta * (2 * pc.y * cross + pc.eta * point2)),
    ("from_any_start", start + pc.k * pc.gamma),
    ("from_edge", sqrt(1 - 4 * gamma**2)),
    ("from_edge", 2 * sqrt(Rational(1, 4) - gamma**2)),
    ("from_edge", sqrt(4 - 16 * gamma**2) / 2),
    ("tripled", (1 - e) / sqrt(odds) ** 3 + e * sqrt(odds) ** 3),
    ("tripled", (1 - e) * odds ** Rational(-3, 2) + e * odds ** Rational(3, 2)),
    ("tripled", e * sqrt(e / (1 - e)) + (1 - e) * sqrt(odds)),
]
NEIGHBOURS = [
    ("with_rate", norm2(-moved), "multiply it out"),
    ("with_rate", pc.y**2 * norm2(moved), "multiply it out"),
    ("from_any_start", dot(pc.theta[pc.k], 2 * pc.target) / 2, r"without theta\[k\]"),
    ("from_any_start", pc.k * pc.gamma - norm(pc.theta[0]) * norm(pc.target), "without norms"),
    ("from_edge", 2 * sqrt((gamma - half) * (-gamma - half)), "multiply out under the root"),
    ("from_edge", sqrt((1 - 2 * gamma) * (1 + 2 * gamma)), "multiply out under the root"),
    ("tripled", (2 * e**2 - 2 * e + 1) / sqrt(e * (1 - e)), "one term for the successes"),
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


def test_a_wrong_line_is_refuted(lines: dict[str, Any]) -> None:
    for name, line in [
        ("with_rate", before2 + pc.eta**2 * point2),
        ("from_edge", sqrt(1 - 2 * gamma**2)),
    ]:
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
