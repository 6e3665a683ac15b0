"""The exercises on convexity and duality take right answers and no others."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from mlnotes.convex_duality import dual_function, quadratic_program, solve_quadratic_program
from mlnotes.proof import ProofError, dot, norm2
from tests.exercises import WORDS, exercise

CHAPTER = "convex_duality"


@pytest.fixture(scope="module")
def names() -> dict[str, Any]:
    """What the cells of the two derivations define."""
    distance = exercise(CHAPTER, "distance", **WORDS)
    found: dict[str, Any] = exercise(CHAPTER, "dual_of_a_line", **distance.__globals__).__globals__
    return found


def test_the_missing_line_shows_the_slope_and_is_true(names: dict[str, Any]) -> None:
    u, v, slope, m = (names[name] for name in ("u", "v", "slope", "m"))
    gap = names["at_v"] - names["at_u"]
    distance = names["distance"]
    assert distance(gap - dot(slope, v - u)).mark == "proved"
    with pytest.raises(AssertionError, match="still show the slope"):
        distance(2 * gap)
    for line in (gap, m / 2 * norm2(v - u)):
        with pytest.raises(AssertionError, match="repeats"):
            distance(line)
    with pytest.raises(ProofError):
        distance(gap - dot(slope, v - u) - m * norm2(v - u))


def test_the_square_is_completed(names: dict[str, Any]) -> None:
    a, c, nu, x = (names[name] for name in ("a", "c", "nu", "u"))
    rest = nu * c - nu**2 * norm2(a) / 2
    complete = names["dual_of_a_line"]
    assert complete(norm2(x - nu * a) / 2 + rest).mark == "proved"
    with pytest.raises(ProofError):
        complete(norm2(x + nu * a) / 2 + rest)
    with pytest.raises(AssertionError, match="more than one product"):
        complete(norm2(x) / 2 + nu * (c - dot(a, x)))
    with pytest.raises(AssertionError, match="more than one product"):
        complete(rest)


def test_a_projection_comes_with_its_multipliers() -> None:
    check = exercise(CHAPTER, "check_projection", np=np, quadratic_program=quadratic_program)
    solution = exercise(CHAPTER, "project", np=np, check_projection=check)
    assert "optimal" in check(solution)
    for wrong in (
        lambda c: (np.clip(c, 0, 1), np.zeros(8)),
        lambda c: (np.clip(c, 0, 1), np.r_[np.maximum(c - 1, 0), np.maximum(-c, 0)]),
        lambda c: (c, np.zeros(8)),
    ):
        with pytest.raises(AssertionError):
            check(wrong)


def test_only_multipliers_that_close_the_gap_are_a_certificate() -> None:
    check = exercise(
        CHAPTER,
        "check_certificate",
        np=np,
        dual_function=dual_function,
        solve_quadratic_program=solve_quadratic_program,
    )
    solution = exercise(CHAPTER, "certificate", np=np, check_certificate=check)
    assert "the optimum" in check(solution)
    for wrong in (
        lambda P, q, G, h: np.zeros(len(h)),
        lambda P, q, G, h: -np.ones(len(h)),
        lambda P, q, G, h: 2 * solution(P, q, G, h),
    ):
        with pytest.raises(AssertionError):
            check(wrong)
