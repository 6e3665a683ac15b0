"""The exercises on mixtures and EM take right answers and no others."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from mlnotes.mixtures_and_em import (
    expectation_maximisation,
    gaussian_log_joint,
    log_evidence,
    responsibilities,
)
from mlnotes.proof import ProofError, Sum, log
from tests.exercises import WORDS, exercise

CHAPTER = "mixtures_and_em"
TOOLS: dict[str, Any] = {
    "np": np,
    "expectation_maximisation": expectation_maximisation,
    "gaussian_log_joint": gaussian_log_joint,
    "log_evidence": log_evidence,
    "responsibilities": responsibilities,
}


@pytest.fixture(scope="module")
def names() -> dict[str, Any]:
    """What the cells of the two derivations define."""
    touch = exercise(CHAPTER, "touch", **WORDS)
    found: dict[str, Any] = exercise(CHAPTER, "best_variance", **touch.__globals__).__globals__
    return found


def test_the_bound_touches_by_one_line(names: dict[str, Any]) -> None:
    touch, k, K = names["touch"], names["k"], names["K"]
    posterior, evidence, p = names["posterior"], names["EVIDENCE"], names["p"]
    assert touch(Sum(posterior * log(evidence), (k, 1, K))).mark == "proved"
    with pytest.raises(AssertionError, match="repeats"):
        touch(log(evidence))
    with pytest.raises(AssertionError, match="keep the sum"):
        touch(2 * log(evidence) - log(evidence))
    with pytest.raises(ProofError):
        touch(Sum(posterior * log(p[k]), (k, 1, K)))


def test_the_tangent_is_taken_where_it_touches(names: dict[str, Any]) -> None:
    best, N, spread, variance = (names[n] for n in ("best_variance", "N", "spread", "variance"))
    u = spread / (N * variance)
    line = -N * log(spread / N) / 2 + N * (log(u) - u) / 2
    assert best(line, u).mark == "proved"
    for other in (1 / u, 2 * u, N):
        with pytest.raises(AssertionError, match="another u"):
            best(line, other)
    with pytest.raises(ProofError):
        best(line - N, u)
    with pytest.raises(AssertionError, match="repeats"):
        best(-N * log(variance) / 2 - spread / (2 * variance), u)


def test_an_m_step_for_counts_ends_where_the_slope_vanishes() -> None:
    check = exercise(CHAPTER, "check_poisson", **TOOLS)
    solution = exercise(CHAPTER, "poisson_m_step", np=np, check_poisson=check)
    assert "never fell" in check(solution)

    def idle(counts: Any, r: Any) -> Any:
        return np.array([0.5, 0.5]), np.array([2.0, 8.0])

    def heavy(counts: Any, r: Any) -> Any:
        weights, rates = solution(counts, r)
        return 2 * weights, rates

    for wrong in (idle, heavy):
        with pytest.raises(AssertionError):
            check(wrong)


def test_a_shared_covariance_is_that_of_the_new_means() -> None:
    check = exercise(CHAPTER, "check_tied", **TOOLS)
    solution = exercise(CHAPTER, "tied_step", **TOOLS, check_tied=check)
    assert "M-step" in check(solution)

    def old_means(points: Any, weights: Any, means: Any, covariance: Any) -> Any:
        new = solution(points, weights, means, covariance)
        r = responsibilities(gaussian_log_joint(points, weights, means, [covariance] * 2))
        away = points - means[:, None]
        return *new[:2], np.einsum("nk,kni,knj->ij", r, away, away) / len(points)

    def idle(*parameters: Any) -> Any:
        return parameters[1:]

    for wrong in (old_means, idle):
        with pytest.raises(AssertionError):
            check(wrong)
