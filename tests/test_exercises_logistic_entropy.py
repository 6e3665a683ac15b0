"""The missing lines of two chapters: right answers pass, and what only looks like one does not."""

from __future__ import annotations

from typing import Any

import pytest
from sympy import Lambda, Mul

from mlnotes import proof
from mlnotes.proof import Rational, Sum, WrongStep, dot, exp, log
from mlnotes.theorems import logistic_regression as lr
from mlnotes.theorems.logistic_regression import c, gamma, i, n, target, x, y, z
from mlnotes.theorems.maximum_entropy import K, k, q, s
from tests.test_exercises_perceptron_adaboost import exercise

WORDS = {name: getattr(proof, name) for name in proof.__all__} | {"Mul": Mul, "Lambda": Lambda}


@pytest.fixture(scope="module")
def lines() -> dict[str, Any]:
    names = {"derived": lr, "c": c, "gamma": gamma, "i": i, "n": n, "x": x, "z": z}
    names |= {"logistic": lr.logistic}
    gibbs = exercise("maximum_entropy", "gibbs", **WORDS)
    return {
        "slope": exercise("logistic_regression", "slope", **WORDS, **names),
        "decay": exercise("logistic_regression", "decay", **WORDS, **names),
        "gibbs": gibbs,
        "at_most_log": exercise("maximum_entropy", "at_most_log", **gibbs.__globals__),
    }


sigma = lr.logistic
each, every = (i, 1, n), (k, 1, K)
scaled = exp(-y[i] * dot(c * target, x[i]))
RIGHT = [
    ("slope", sigma(z) * sigma(-z)),
    ("slope", (1 - exp(-z) / (1 + exp(-z))) * sigma(-z)),
    ("decay", Sum(scaled, each)),
    ("decay", Sum(exp(-c * y[i] * dot(target, x[i])), each)),
    ("gibbs", Sum(q[k] - s[k], every)),
    ("gibbs", Sum(q[k] * (1 - s[k] / q[k]), every)),
    ("at_most_log", log(K) - Sum(q[k] * log(q[k] * K), every)),
    ("at_most_log", -Sum(q[k] * log(K * q[k]), every) + log(K)),
]
NEIGHBOURS = [
    ("slope", exp(-z) / (1 + exp(-z)) ** 2, "one factor in exp"),
    ("slope", sigma(z) ** 2 * exp(-z), "one factor in exp"),
    ("slope", sigma(z) - sigma(z) ** 2, "one factor in exp"),
    ("slope", 1 / (exp(z) + 2 + exp(-z)), "one factor in exp"),
    ("decay", Sum(log(1 + scaled), each), "without a logarithm"),
    ("decay", Sum(exp(-c * gamma), each), "gone too early"),
    ("decay", n * exp(-c * gamma), "one sum"),
    ("gibbs", Sum(q[k] * log(q[k]) - q[k] * log(s[k]), every), "without a logarithm"),
    ("gibbs", Rational(0), "one sum"),
    ("at_most_log", -2 * Sum(q[k] * log(q[k]) / 2, every), "under one logarithm"),
    ("at_most_log", log(K) * Sum(q[k], every), "under one logarithm"),
]
WRONG = [
    ("slope", -sigma(z) * sigma(-z)),
    ("decay", Sum(exp(y[i] * dot(c * target, x[i])), each)),
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
