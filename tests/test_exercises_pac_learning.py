"""The exercises on PAC learning take right answers and no others."""

from __future__ import annotations

import math
from decimal import Decimal, localcontext
from typing import Any

import numpy as np
import pytest

from mlnotes import pac_learning as pac
from mlnotes.proof import ProofError, log, reals
from mlnotes.theorems import pac_learning as theorems
from mlnotes.theorems.pac_learning import N, delta, epsilon, n
from tests.exercises import WORDS, exercise

CHAPTER = "pac_learning"
tau = reals("tau", positive=True)


def checker(name: str, **names: Any) -> Any:
    derived = {"theorems": theorems, "N": N, "delta": delta, "epsilon": epsilon, "n": n}
    tools = {"np": np, "math": math, "pac": pac, "Decimal": Decimal, "localcontext": localcontext}
    return exercise(CHAPTER, name, **WORDS, **derived, **tools, **names)


def test_a_lazy_minimiser_pays_what_it_missed() -> None:
    lazy = checker("lazy")
    chosen, deviation, record = theorems.u, theorems.v, theorems.w
    best_record, best = theorems.z, theorems.best
    assert lazy(best_record + tau + deviation - best).mark == "proved"
    with pytest.raises(ProofError):
        lazy(best_record + deviation - best)
    for line in (chosen - best, record + deviation - best, 2 * deviation + tau):
        with pytest.raises(AssertionError, match="repeats"):
            lazy(line)


def test_the_exponent_is_large_enough_and_gives_the_failure() -> None:
    solve = checker("solve")
    assert solve(-log(N / delta)).mark == "proved"
    assert solve(log(delta) - log(N)).mark == "proved"
    for exponent in (-n * epsilon, -2 * log(N / delta), 0 * n):
        with pytest.raises(ProofError):
            solve(exponent)


def test_only_minimisers_pass() -> None:
    check = checker("check_learner")
    assert "a minimiser" in check(checker("my_learner", check_learner=check))

    def last(x: Any, y: Any, rules: Any) -> int:
        """Another way to break ties."""
        wrong = np.array([np.sum((x > t) != y) for t in rules])
        return int(np.flatnonzero(wrong == wrong.min())[-1])

    assert "a minimiser" in check(last)
    for wrong in (lambda x, y, rules: 8, lambda x, y, rules: int(np.argmin(np.abs(rules - 0.5)))):
        with pytest.raises(AssertionError, match="not a minimiser"):
            check(wrong)


def test_a_sample_size_is_tight_to_the_last_example() -> None:
    check = checker("check_size")
    solution = checker("my_size", check_size=check)
    assert "tight" in check(solution)
    with pytest.raises(AssertionError, match="one too many"):
        check(lambda *given: solution(*given) + 1)
    with pytest.raises(AssertionError, match="too few"):
        check(lambda *given: max(1, solution(*given) - 1))
    with pytest.raises(OverflowError):
        check(lambda c, e, d: math.ceil(2 / e**2 * math.log(float(2 * c) / d)))
