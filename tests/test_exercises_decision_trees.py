"""The exercises of the chapter: right answers pass, and what only looks like one does not."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest

from mlnotes.decision_trees import cart, prune, tree_leaves
from mlnotes.proof import E, ProofError, Rational, Sum
from mlnotes.theorems import decision_trees as theorems
from mlnotes.theorems.decision_trees import epsilon, j, n, sigma, xi
from tests.exercises import WORDS, exercise


@pytest.fixture(scope="module")
def two_classes() -> Any:
    return exercise("decision_trees", "two_classes", **WORDS)


@pytest.fixture(scope="module")
def shrunken() -> Any:
    return exercise("decision_trees", "shrunken", theorems=theorems, **WORDS)


def test_the_impurity_of_two_classes_may_be_written_in_any_way(two_classes: Any) -> None:
    p = two_classes.__globals__["p"]
    for line in (2 * p * (1 - p), 2 * p - 2 * p**2, Rational(1, 2) - 2 * (p - Rational(1, 2)) ** 2):
        assert two_classes(line).mark == "proved"
    with pytest.raises(ProofError):
        two_classes(p * (1 - p))
    with pytest.raises(AssertionError, match="repeats a line"):
        two_classes(1 - p**2 - (1 - p) ** 2)


def test_the_flattery_of_a_shrunken_leaf_is_multiplied(shrunken: Any) -> None:
    lam = shrunken.__globals__["lam"]
    noises = Sum(epsilon[j], (j, 1, n))
    assert shrunken(2 * lam * E(noises**2) / n).mark == "proved"
    with pytest.raises(ProofError):
        shrunken(2 * lam**2 * E(noises**2) / n)
    with pytest.raises(AssertionError, match="repeats a line"):
        shrunken(2 * lam * sigma**2)
    with pytest.raises(AssertionError, match="leave the expectation"):
        shrunken(4 * lam * sigma**2 - 2 * lam * sigma**2)
    with pytest.raises(AssertionError, match="something new"):
        shrunken(2 * lam * E(noises**2) / n + E(xi[1]))


def test_a_cut_in_the_middle_is_not_the_best() -> None:
    check = exercise("decision_trees", "check_cut", np=np)

    def by_loop(x: Any, y: Any) -> float:
        def loss(s: float) -> float:
            return float(sum(len(t) * t.var() for t in (y[x <= s], y[x > s])))

        return float(min(np.unique(x)[:-1].tolist(), key=loss))

    assert check(by_loop) == "no threshold is better"
    with pytest.raises(AssertionError, match="not the best"):
        check(lambda x, y: 3.5)
    with pytest.raises(AssertionError, match="a side is empty"):
        check(lambda x, y: 9.0)


def test_a_pruned_tree_must_be_the_cheapest() -> None:
    names = {"np": np, "cart": cart, "tree_leaves": tree_leaves, "dataclasses": dataclasses}
    check = exercise("decision_trees", "check_prune", **names)
    as_leaf = check.__globals__["as_leaf"]

    def package(tree: Any, alpha: float) -> Any:
        """Prune by the package, whose price is that of a mean loss, without its threshold."""
        found = prune(tree, alpha / tree.n_samples)

        def like(node: Any, given: Any) -> Any:
            if node.is_leaf:
                return as_leaf(given) if not given.is_leaf else given
            left, right = like(node.left, given.left), like(node.right, given.right)
            return dataclasses.replace(given, left=left, right=right)

        return like(found, tree)

    assert check(package) == "no pruned tree is cheaper"
    with pytest.raises(AssertionError, match="too expensive"):
        check(lambda tree, alpha: tree)
    with pytest.raises(AssertionError, match="too expensive"):
        check(lambda tree, alpha: as_leaf(tree))
