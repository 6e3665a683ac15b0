"""The exercises of the chapter: right answers pass, and what only looks like one does not."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from mlnotes.gradient_descent import gradient_descent
from mlnotes.proof import ProofError, dot, norm2
from mlnotes.theorems.gradient_descent import L, at, eta, f, g, mu, u, v, z
from tests.exercises import exercise


def test_a_longer_step_gains_what_the_lemma_says_and_no_more() -> None:
    longer = exercise("gradient_descent", "longer")
    assert longer(f(at) - 3 * norm2(g(at)) / (8 * L)).mark == "proved"
    with pytest.raises(ProofError):
        longer(f(at) - norm2(g(at)) / (2 * L))
    with pytest.raises(AssertionError, match="repeats a line"):
        longer(f(at))
    step = at - 3 / (2 * L) * g(at)
    for line in (2 * f(at) - f(at), 2 * f(step) - f(step)):
        with pytest.raises(AssertionError, match="what does the step gain"):
            longer(line)


def test_a_step_comes_closer_by_the_gap_after_it() -> None:
    closer = exercise("gradient_descent", "closer")
    after = at - eta * g(at)
    assert closer(norm2(at - z) - 2 * eta * (f(after) - f(z))).mark == "proved"
    with pytest.raises(ProofError):
        closer(norm2(at - z) - 3 * eta * (f(after) - f(z)))
    with pytest.raises(AssertionError, match="repeats a line"):
        closer(norm2(at - z))
    with pytest.raises(AssertionError, match="where is the gap"):
        closer(2 * norm2(at - z) - norm2(at - z))


def test_gradients_of_a_strongly_convex_function_are_apart() -> None:
    apart = exercise("gradient_descent", "apart")
    line = f(v) - f(u) + mu / 2 * norm2(v - u) - dot(g(u), v - u)
    assert apart(line).mark == "proved"
    with pytest.raises(ProofError):
        apart(f(v) - f(u) + mu * norm2(v - u) - dot(g(u), v - u))
    with pytest.raises(AssertionError, match="repeats a line"):
        apart(mu * norm2(v - u))
    first = dot(g(v) - g(u), v - u)
    for copy in (2 * first - first, mu * norm2(v - u) / 2 + mu * norm2(v - u) / 2):
        with pytest.raises(AssertionError, match="where are the values"):
            apart(copy)


def test_plain_descent_is_not_ten_times_closer() -> None:
    check = exercise("gradient_descent", "check_descent", np=np, gradient_descent=gradient_descent)

    def heavy_ball(gradient: Any, start: Any, L: float, mu: float, n_steps: int) -> Any:
        rate = 4 / (np.sqrt(L) + np.sqrt(mu)) ** 2
        beta = ((np.sqrt(L) - np.sqrt(mu)) / (np.sqrt(L) + np.sqrt(mu))) ** 2
        last = theta = start
        for _ in range(n_steps):
            last, theta = theta, theta - rate * gradient(theta) + beta * (theta - last)
        return theta

    def plain(gradient: Any, start: Any, L: float, mu: float, n_steps: int) -> Any:
        return gradient_descent(gradient, start, 2 / (L + mu), n_steps)[-1]

    def greedy(gradient: Any, start: Any, L: float, mu: float, n_steps: int) -> Any:
        return gradient_descent(gradient, start, 1 / L, 20 * n_steps)[-1]

    assert check(heavy_ball) == "ten times closer than gradient descent"
    with pytest.raises(AssertionError, match="not ten times closer"):
        check(plain)
    with pytest.raises(AssertionError, match="too many gradients"):
        check(greedy)


def test_a_share_must_be_unbiased_and_of_one_example() -> None:
    check = exercise("gradient_descent", "check_share", np=np)

    def share(x: Any, y: float, theta: Any, penalty: float, n: int) -> Any:
        return x * (theta @ x - y) + penalty * theta / n

    def whole_penalty(x: Any, y: float, theta: Any, penalty: float, n: int) -> Any:
        return x * (theta @ x - y) + penalty * theta

    assert check(share) == "unbiased"
    with pytest.raises(AssertionError, match="the mean is not right"):
        check(whole_penalty)
