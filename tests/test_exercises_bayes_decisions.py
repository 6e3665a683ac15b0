"""The exercises of the chapter: right answers pass, and what only looks like one does not."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest

from mlnotes.bayes_decisions import bayes_rule
from mlnotes.proof import ProofError, Rational, Sum
from tests.exercises import WORDS, exercise


def test_two_labels_differ_at_least_as_often_as_the_smaller_posterior() -> None:
    check = exercise("bayes_decisions", "smaller", **WORDS)
    p = check.__globals__["p"]
    for line in (p + p * (1 - 2 * p), 2 * p - 2 * p**2):
        assert check(line).mark == "proved"
    with pytest.raises(ProofError):
        check(p + p * (1 - p))
    with pytest.raises(AssertionError, match="repeats a line"):
        check(p)


def test_matching_the_priors_is_no_better_than_the_majority() -> None:
    check = exercise("bayes_decisions", "matching", **WORDS)
    names = check.__globals__
    pi, k, c, K = (names[name] for name in ("pi", "k", "c", "K"))
    assert check(1 - Sum(pi[k] * pi[c], (k, 1, K))).mark == "proved"
    assert check(1 - pi[c] * Sum(pi[k], (k, 1, K))).mark == "proved"
    with pytest.raises(ProofError):
        check(1 - Sum(pi[c] ** 2, (k, 1, K)))
    with pytest.raises(AssertionError, match="repeats a line"):
        check(1 - pi[c])


def test_the_skewed_threshold_has_one_square() -> None:
    check = exercise("bayes_decisions", "skewed", **WORDS)
    prior, t = check.__globals__["prior"], check.__globals__["t"]
    assert check(prior * (1 - prior) + (t - (1 - prior)) ** 2).mark == "proved"
    assert check(prior - prior**2 + (prior + t - 1) ** 2).mark == "proved"
    with pytest.raises(ProofError):
        check(Rational(1, 4) + (t - (1 - prior)) ** 2)
    with pytest.raises(AssertionError, match="repeats a line"):
        check(prior * (1 - prior))
    first = prior * t**2 + (1 - prior) * (1 - t) ** 2
    for line in (2 * first - first, prior - 2 * (1 - prior) * t + t**2 - prior + (1 - prior)):
        with pytest.raises(AssertionError, match="in a square"):
            check(line)


def test_a_rule_must_be_best_at_every_input() -> None:
    check = exercise("bayes_decisions", "check_rule", np=np, product=product)

    def package(joint: Any, loss: Any) -> Any:
        return bayes_rule(joint / joint.sum(axis=1, keepdims=True), loss).decisions

    assert check(package) == "no rule is better"
    with pytest.raises(AssertionError, match="another rule is better"):
        check(lambda joint, loss: np.zeros(len(joint), dtype=int))
    with pytest.raises(AssertionError, match="one decision for each input"):
        check(lambda joint, loss: [0])
