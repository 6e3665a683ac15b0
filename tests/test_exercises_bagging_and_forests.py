"""The exercises of the chapter: right answers pass, and what only looks like one does not."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from mlnotes.bagging_and_forests import bagging
from mlnotes.decision_trees import cart, tree_predict
from mlnotes.proof import E, ProofError, Rational, random_variables, reals
from tests.exercises import WORDS, exercise


def test_the_gain_of_three_voters_may_be_written_in_any_way() -> None:
    check = exercise("bagging_and_forests", "three_voters", **WORDS)
    p = check.__globals__["p"]
    assert check(p + p * (1 - p) * (2 * p - 1)).mark == "proved"
    with pytest.raises(ProofError):
        check(p + p * (1 - p) * (2 * p + 1))
    with pytest.raises(AssertionError, match="repeats a line"):
        check(p)
    for line in (3 * p**2 - 2 * p**3, p + 3 * p**2 - 2 * p**3 - p):
        with pytest.raises(AssertionError, match="p and a product"):
            check(line)


def test_the_plain_average_of_two_members_is_the_best() -> None:
    check = exercise("bagging_and_forests", "two_weights", **WORDS)
    w, rho, sigma = (check.__globals__[name] for name in ("w", "rho", "sigma"))
    plain, off = (1 + rho) * sigma**2 / 2, (w - Rational(1, 2)) ** 2
    assert check(plain + 2 * (1 - rho) * sigma**2 * off).mark == "proved"
    with pytest.raises(ProofError):
        check(plain + (1 - rho) * sigma**2 * off)
    with pytest.raises(AssertionError, match="repeats a line"):
        check(plain)
    with pytest.raises(AssertionError, match="in a square"):
        check(sigma**2 * (w**2 + (1 - w) ** 2 + 2 * w * (1 - w) * rho))


def test_a_member_of_a_small_enough_variance_helps() -> None:
    A, B = random_variables("A B")
    check = exercise("bagging_and_forests", "bad_member", **{**WORDS, "A": A, "B": B})
    a, b = reals("a b")
    assert check(a - (3 * a - b) / 4).mark == "proved"
    with pytest.raises(ProofError):
        check(a - (3 * a - b) / 2)
    with pytest.raises(AssertionError, match="take the expectation"):
        check(2 * E(((A + B) / 2) ** 2) - E(((A + B) / 2) ** 2))


def test_an_error_on_samples_that_were_seen_is_not_out_of_bag() -> None:
    names = {"np": np, "bagging": bagging, "cart": cart, "tree_predict": tree_predict}
    check = exercise("bagging_and_forests", "check_oob", **names)

    def by_list(members: Any, X: Any, y: Any) -> float:
        wrong = []
        for i, label in enumerate(y):
            votes = [predict(X[[i]])[0] for rows, predict in members if i not in set(rows)]
            if votes:
                wrong.append(sum(votes) * label <= 0)
        return float(np.mean(wrong))

    assert check(by_list) == "the out-of-bag error"

    def of_all(members: Any, X: Any, y: Any) -> float:
        votes = np.sum([predict(X) for _, predict in members], axis=0)
        return float(np.mean(votes * y <= 0))

    with pytest.raises(AssertionError, match="another error"):
        check(of_all)
