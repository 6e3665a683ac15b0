"""The exercises of the chapter: right answers pass, and what only looks like one does not."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.sparse.csgraph import connected_components

from mlnotes.clustering import KMeans, agglomerate, lloyd
from mlnotes.proof import ProofError, norm2
from tests.exercises import WORDS, exercise


def test_the_price_of_a_point_may_be_written_in_any_way() -> None:
    joins = exercise("clustering", "joins", **WORDS)
    n, m, z = (joins.__globals__[name] for name in "nmz")
    part = 1 / (n + 1)
    assert joins(n * part**2 * norm2(z - m) + (n * part) ** 2 * norm2(z - m)).mark == "proved"
    with pytest.raises(ProofError):
        joins(n * part**2 * norm2(z - m) + n * part * norm2(z - m))
    with pytest.raises(AssertionError, match="repeats a line"):
        joins(n / (n + 1) * norm2(z - m))


def test_a_detour_costs_the_two_ways_less_a_square() -> None:
    words = {**WORDS, "z": WORDS["vectors"]("z")}
    detour = exercise("clustering", "detour", **words)
    t, u, v, z = (detour.__globals__[name] for name in "tuvz")
    both = (1 + t) * norm2(v - z) + (1 + 1 / t) * norm2(v - u)
    assert detour(both - t * norm2((v - z) + (v - u) / t)).mark == "proved"
    with pytest.raises(ProofError):
        detour(both - norm2((v - z) + (v - u)))
    with pytest.raises(AssertionError, match="repeats a line"):
        detour(both)


def test_a_program_must_end_at_a_fixed_point_of_k_means() -> None:
    check = exercise("clustering", "check_kmeans", np=np, KMeans=KMeans)
    assert "fixed points" in check(lambda X, centres: lloyd(X, centres, max_iter=1000))
    with pytest.raises(AssertionError, match=r"not a mean|nearer to another"):
        check(lambda X, centres: lloyd(X, centres, max_iter=1))
    with pytest.raises(AssertionError, match=r"nearer to another|not a mean"):
        check(lambda X, centres: (centres, np.zeros(len(X), dtype=int)))


def test_chains_are_the_components_of_the_near_pairs() -> None:
    check = exercise("clustering", "check_chains", np=np, agglomerate=agglomerate)

    def components(D: Any, height: float) -> Any:
        return connected_components(height >= D, directed=False)[1]

    assert check(components) == "the chains of 60 tables"
    with pytest.raises(AssertionError, match="other clusters"):
        check(lambda D, height: np.arange(len(D)))
    with pytest.raises(AssertionError, match="other clusters"):
        check(lambda D, height: components(D, 1.1 * height))
