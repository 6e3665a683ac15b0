"""The exercises on concentration take right answers and no others."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from mlnotes import concentration as co
from mlnotes.proof import E, ProofError, random_variables, reals
from mlnotes.theorems import concentration as theorems
from tests.exercises import WORDS, exercise

CHAPTER = "concentration"
Z = random_variables("Z")
a, s = reals("a s", positive=True)
low, high, m = theorems.a, theorems.b, theorems.m


def checker(name: str, **names: Any) -> Any:
    return exercise(CHAPTER, name, **WORDS, np=np, co=co, theorems=theorems, Z=Z, **names)


@pytest.mark.parametrize(
    "line", [(s + (s / a) ** 2) / (a + s / a) ** 2, (s * a**2 + s**2) / (a**2 + s) ** 2]
)
def test_the_expectation_may_be_written_in_any_way(line: Any) -> None:
    assert checker("one_side")(line).mark == "proved"


def test_the_expectation_has_to_be_taken_and_taken_rightly() -> None:
    one_side = checker("one_side")
    first = E((Z + s / a) ** 2) / (a + s / a) ** 2
    for line in (first, s / (s + a**2)):
        with pytest.raises(AssertionError, match="repeats"):
            one_side(line)
    with pytest.raises(AssertionError, match="take the expectation"):
        one_side((E(Z**2) + (s / a) ** 2) / (a + s / a) ** 2)
    with pytest.raises(ProofError):
        one_side(s / (a + s / a) ** 2)


def test_what_is_added_has_to_be_positive_and_to_have_a_known_mean() -> None:
    in_range = checker("in_range")
    square = (Z - m) ** 2
    assert in_range(square + (high - Z) * (Z - low)).mark == "proved"
    for term in (square + (high - Z), (high - Z) * (Z - low)):
        with pytest.raises(ProofError):
            in_range(term)
    with pytest.raises(AssertionError, match="repeats"):
        in_range(square)


def hoeffding(n: int, t: float, values: Any, chances: Any) -> float:
    bound = co.hoeffding_bound(n, t - chances @ values, np.ptp(values), two_sided=False)
    return float(bound)


def test_a_bound_lies_between_the_truth_and_hoeffding() -> None:
    check = checker("check_bound")
    assert "a bound" in check(hoeffding)
    assert "a bound" in check(checker("my_bound", check_bound=check))
    with pytest.raises(AssertionError, match="below the truth"):
        check(lambda *given: hoeffding(*given) ** 4)
    with pytest.raises(AssertionError, match="Hoeffding is better"):
        check(lambda *given: 1.0)


def wald(k: int, n: int) -> tuple[float, float]:
    """The interval of the normal approximation, which promises too much."""
    share = k / n
    radius = 1.96 * np.sqrt(share * (1 - share) / n)
    return share - radius, share + radius


def test_an_interval_covers_and_is_not_everything() -> None:
    check = checker("check_interval")
    assert "covers" in check(checker("my_interval", check_interval=check))
    with pytest.raises(AssertionError):
        check(wald)
    with pytest.raises(AssertionError, match="too wide"):
        check(lambda k, n: (0.0, 1.0))
