"""The exercises on semi-supervised learning take right answers and no others."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from mlnotes.proof import Max, ProofError, Rational, reals
from tests.exercises import WORDS, exercise

CHAPTER = "semi_supervised"
t = reals("t")
f1, f2 = reals("f_1 f_2")
eps = reals("epsilon", positive=True)


def checker(name: str, **names: Any) -> Any:
    return exercise(CHAPTER, name, **WORDS, np=np, **names)


def test_agreement_takes_any_true_line_and_no_false_one() -> None:
    agreed = checker("agreed")
    denominator = eps**2 + (1 - eps) ** 2
    assert agreed(eps * (eps / denominator)).mark == "proved"
    with pytest.raises(ProofError):
        agreed(eps / denominator)
    with pytest.raises(AssertionError, match="repeats"):
        agreed(eps)


def test_the_other_label_costs_twice_the_value() -> None:
    other = checker("other_label")
    assert other((1 + t) - (1 - t)).mark == "proved"
    with pytest.raises(ProofError):
        other(1 + t)
    with pytest.raises(AssertionError, match="repeats"):
        other(2 * t)
    with pytest.raises(AssertionError, match="without a maximum"):
        other(Max(0, 1 + t) - (1 - t))


def test_a_row_of_nodes_is_solved() -> None:
    row = checker("row")
    assert row(f2 / 2).mark == "proved"
    with pytest.raises(ProofError):
        row(f2)
    with pytest.raises(AssertionError, match="repeats"):
        row(Rational(1, 3))
    for line in (2 * f1 - f1, f1 + f2 - 2 * f1):
        with pytest.raises(AssertionError, match="with f2"):
            row(line)


def test_only_harmonic_functions_pass() -> None:
    check = checker("check_harmonic")

    def solve(W: Any, y: Any) -> Any:
        m = len(y)
        L = np.diag(W.sum(axis=1)) - W
        return np.r_[y, np.linalg.solve(L[m:, m:], W[m:, :m] @ y)]

    def flat(W: Any, y: Any) -> Any:
        return np.r_[y, np.full(len(W) - len(y), y.mean())]

    assert "average" in check(solve)
    with pytest.raises(AssertionError, match="not an average"):
        check(flat)
    with pytest.raises(AssertionError, match="changed"):
        check(lambda W, y: np.zeros(len(W)))
