"""The exercises of the chapter: right answers pass, and what only looks like one does not."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest

from mlnotes.proof import E, ProofError, Rational, Sum
from mlnotes.theorems import learning_problem as theorems
from mlnotes.theorems.learning_problem import ell, i, n, risk
from tests.exercises import WORDS, exercise


@pytest.fixture(scope="module")
def weighted() -> Any:
    return exercise("learning_problem", "weighted", theorems=theorems, **WORDS)


def test_the_error_of_a_weighted_test_set_needs_weights_that_sum_to_one(weighted: Any) -> None:
    w = weighted.__globals__["w"]
    deviations = Sum(w[i] * (ell[i] - risk), (i, 1, n))
    assert weighted(E(deviations**2)).mark == "proved"
    with pytest.raises(ProofError):
        weighted(E(Sum(w[i] * ell[i], (i, 1, n)) ** 2))
    with pytest.raises(AssertionError, match="repeats a line"):
        weighted(E((Sum(w[i] * ell[i], (i, 1, n)) - risk) ** 2))


def test_twins_in_signs_add_up_to_one() -> None:
    sign_twins = exercise("learning_problem", "sign_twins", **WORDS)
    m, j, a, t = (sign_twins.__globals__[name] for name in "mjat")
    assert sign_twins(Sum(1, (j, 1, m)) / m).mark == "proved"
    with pytest.raises(ProofError):
        sign_twins(Sum(1 - t[j] * a[j], (j, 1, m)) / m)
    with pytest.raises(AssertionError, match="repeats a line"):
        sign_twins(1)


def test_more_labels_have_the_same_factor() -> None:
    more_labels = exercise("learning_problem", "more_labels", **WORDS)
    K, k, q = (more_labels.__globals__[name] for name in "Kkq")
    total = Sum(q[k], (k, 1, K))
    assert more_labels((1 - 1 / K) * total).mark == "proved"
    assert more_labels(total - total / K).mark == "proved"
    with pytest.raises(ProofError):
        more_labels(Rational(1, 2) * total)


def test_the_worst_target_is_wrong_everywhere_and_keeps_the_training_set() -> None:
    check = exercise("learning_problem", "check_worst", np=np, product=product)

    def worst(learner: Any, seen: list[int], labels: list[int], n_inputs: int) -> list[int]:
        out = [1 - learner(seen, labels, x) for x in range(n_inputs)]
        for x, label in zip(seen, labels, strict=True):
            out[x] = label
        return out

    assert check(worst) == "wrong about every new input"
    with pytest.raises(AssertionError, match="right about input"):
        check(lambda learner, seen, labels, n: constant(seen, labels, n))
    with pytest.raises(AssertionError, match="the training set changed"):
        check(lambda learner, seen, labels, n: [1 - learner(seen, labels, x) for x in range(n)])


def constant(seen: list[int], labels: list[int], n_inputs: int) -> list[int]:
    """Answer zero about every new input."""
    known = dict(zip(seen, labels, strict=True))
    return [known.get(x, 0) for x in range(n_inputs)]


def test_a_split_by_examples_is_no_split_by_groups() -> None:
    check = exercise("learning_problem", "check_groups", np=np)

    def by_groups(groups: Any, share: float, rng: Any) -> Any:
        names = np.unique(groups)
        test = rng.choice(names, round(share * len(names)), replace=False)
        held = np.isin(groups, test)
        return np.flatnonzero(~held), np.flatnonzero(held)

    def by_examples(groups: Any, share: float, rng: Any) -> Any:
        order = rng.permutation(len(groups))
        return np.split(order, [round((1 - share) * len(groups))])

    def the_first(groups: Any, share: float, rng: Any) -> Any:
        held = groups < 3
        return np.flatnonzero(~held), np.flatnonzero(held)

    assert check(by_groups) == "no group is in both parts"
    with pytest.raises(AssertionError, match="in both parts"):
        check(by_examples)
    with pytest.raises(AssertionError, match="always the same"):
        check(the_first)
