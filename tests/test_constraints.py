"""Parameter constraints: declared on the class, checked in one place, before anything else."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from mlnotes import _constraints as c
from mlnotes.base import Estimator

CASES: list[tuple[c.Constraint, list[Any], list[Any], str]] = [
    (
        c.Real(above=0),
        [1, 0.5, np.float32(2), Fraction(1, 3)],
        [0, -1.0, math.nan, math.inf, "1", None, True, 1j, 10**400, [1.0]],
        "a positive number",
    ),
    (c.Real(least=0, below=1), [0, 0.5], [1, -1e-9], "a number of at least 0 and below 1"),
    (c.Real(above=0, infinite=True), [math.inf, 3], [-math.inf, 0], "a positive number"),
    (c.Integer(1), [1, np.int64(7), 10**30], [0, 1.0, True, "2", None], "an integer of at least 1"),
    (c.Integer(0, 5), [0, 5], [6, -1], "an integer of at least 0 and at most 5"),
    (c.Boolean(), [True, np.False_], [0, 1, "yes", None], "True or False"),
    (c.OneOf("a", "b"), ["a", "b"], ["c", None, 1, ["a"]], "'a' or 'b'"),
    (c.OneOf("a", or_callable=True), ["a", len], ["b", 3], "'a' or a function"),
    (c.Function("a point"), [len, int], [3, "len", None], "a function of a point"),
    (c.Optional(c.Integer(2)), [None, 2], [1, "x"], "an integer of at least 2, or None"),
    (
        c.RandomState(),
        [0, np.int32(5), np.random.default_rng(0), None],
        [-1, 1.5, "0", np.random.RandomState(0)],
        "a nonnegative integer or a numpy.random.Generator",
    ),
    (c.Anything(), [None, object()], [], "anything"),
]


@pytest.mark.parametrize(
    ("constraint", "good", "bad", "words"), CASES, ids=[str(words) for *_, words in CASES]
)
def test_a_constraint_admits_what_its_words_say(
    constraint: c.Constraint, good: list[Any], bad: list[Any], words: str
) -> None:
    assert str(constraint) == words
    for value in good:
        constraint.check(value, "rate")
    for value in bad:
        with pytest.raises(ValueError, match=r"^rate must be ") as caught:
            constraint.check(value, "rate")
        assert words in str(caught.value)
        assert repr(value) in str(caught.value)


class Rated(Estimator):
    _constraints = {"rate": c.Real(above=0, hint="it is the factor η")}  # noqa: RUF012

    def __init__(self, rate: Any = 1.0) -> None:
        self.rate = rate

    def fit(self, X: Any, y: Any = None) -> Rated:
        self.seen_ = len(self._fit_matrix(X))
        return self


def test_constraints_are_checked_before_the_data_and_name_the_parameter() -> None:
    with pytest.raises(ValueError, match=r"^rate must be a positive number, got 0; it is the fac"):
        Rated(0).fit("no data at all")
    assert Rated(2).fit([[1.0]]).seen_ == 1
