"""What a search finds does not depend on the machine, nor on what was done before it."""

from __future__ import annotations

import gc
import itertools
import time
from typing import Any

import pytest

from mlnotes.proof import (
    Derivation,
    Sum,
    Unproved,
    WrongStep,
    dot,
    indices,
    integers,
    norm2,
    real_family,
    reals,
    termwise,
    using,
    vector_family,
    vectors,
)
from mlnotes.proof.language import BUDGET
from mlnotes.proof.search import context
from mlnotes.trusted.terms import fuel

i, j, k = indices("i j k")
n = integers("n", positive=True)
a, b = real_family("a b")
x = vector_family("x")
u, v = vectors("u v")
s, t = reals("s t")


def schwarz() -> Any:
    """Tell Cauchy–Schwarz for vectors, which takes some thousand steps."""
    return Derivation("a product of vectors").start(dot(u, v) ** 2).at_most(norm2(u) * norm2(v))


def powers() -> Any:
    """Tell that a fourth power of a sum is at most eight times the sum of the powers."""
    return Derivation("fourth powers").start((s + t) ** 4).at_most(8 * (s**4 + t**4))


@pytest.mark.parametrize("tell", [schwarz, powers])
def test_a_slow_clock_loses_no_line(tell, monkeypatch):
    ticks = itertools.count(step=1000)
    monkeypatch.setattr(time, "process_time", lambda: float(next(ticks)))
    monkeypatch.setattr(time, "perf_counter", lambda: float(next(ticks)))
    assert tell().qed().checked.steps > 0


def work(tell: Any) -> list[int]:
    """Return the steps that each line of a derivation takes."""
    done: list[int] = []
    limited = context.limited

    class Counted:
        def __init__(self, steps: int) -> None:
            self.steps, self.inner = steps, limited(steps)

        def __enter__(self) -> None:
            self.inner.__enter__()

        def __exit__(self, *error: Any) -> Any:
            done.append(self.steps - fuel.left)
            return self.inner.__exit__(*error)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(context, "limited", Counted)
        tell()
    return done


@pytest.mark.parametrize("tell", [schwarz, powers])
def test_a_line_takes_the_same_work_whatever_was_done_before(tell):
    first = work(tell)
    Derivation("another").start(s * t * (s + t)).equals(s**2 * t + s * t**2).qed()
    again = work(tell)
    # A term that nobody wrote before is a little dearer.
    assert 0.9 * sum(first) <= sum(again) <= sum(first)
    assert again == work(tell)
    assert sum(again) > 100


def test_a_search_that_has_used_its_work_gives_up_and_says_so(monkeypatch):
    monkeypatch.setattr(context, "SECONDS", 1e-4)
    with pytest.raises(Unproved, match=r"more work|the work that a line may take"):
        schwarz()
    assert fuel.left == BUDGET


def test_memory_is_not_swept_during_a_search():
    with context.Context().working():
        assert not gc.isenabled()
    assert gc.isenabled()


def test_a_false_line_is_refuted_whatever_the_clock_says(monkeypatch):
    ticks = itertools.count(step=1e-3)
    monkeypatch.setattr(time, "process_time", lambda: float(next(ticks)))
    with pytest.raises(WrongStep):
        Derivation("false").start(dot(u, v) ** 2).at_least(norm2(u) * norm2(v))


def pairs(outside: Any, inside: Any) -> Any:
    """Return the sum of (a_i − b_j)² in a letter for the sum outside and one for that inside."""
    return Sum(Sum((a[inside] - b[outside]) ** 2, (inside, 1, n)), (outside, 1, n))


def expanded(outside: Any, inside: Any) -> Any:
    """Return it with the inner sums multiplied out, as a rule may be told that speaks of b_j."""
    squares = Sum(a[inside] ** 2, (inside, 1, n))
    product = 2 * b[outside] * Sum(a[inside], (inside, 1, n))
    return Sum(squares - product + n * b[outside] ** 2, (outside, 1, n))


def shifted() -> Any:
    """Return the theorem on one place t, Σ (a_i − t)² multiplied out."""
    told = Derivation("about one place").start(Sum((a[i] - t) ** 2, (i, 1, n)))
    squares = Sum(a[i] ** 2, (i, 1, n))
    return told.equals(squares - 2 * t * Sum(a[i], (i, 1, n)) + n * t**2).qed()


@pytest.mark.parametrize(("outside", "inside"), [(j, i), (i, j), (k, i), (i, k)])
def test_a_rule_speaks_of_the_index_of_its_author_whatever_others_called_it(outside, inside):
    # The same two terms, as somebody else wrote them first.
    assert pairs(i, j).term is pairs(outside, inside).term
    assert expanded(i, j).term is expanded(outside, inside).term
    theorem = shifted()
    (
        Derivation("about all places")
        .start(pairs(outside, inside))
        .equals(
            expanded(outside, inside),
            by=termwise(outside, by=using(theorem(t=b[outside]))),
        )
        .qed()
    )
