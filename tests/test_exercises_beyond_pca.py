"""The exercises of the chapter: right answers pass, and what only looks like one does not."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from mlnotes.beyond_pca import generalised_kl
from mlnotes.proof import ProofError, WrongStep, dot, log, norm2, trace
from tests.exercises import WORDS, exercise


def of_chapter(name: str) -> tuple[Any, dict[str, Any]]:
    found = exercise("beyond_pca", name, **WORDS)
    return found, found.__globals__


def test_the_error_of_two_neighbours_may_be_written_in_any_way() -> None:
    check, cell = of_chapter("pair")
    u, x, y, t = (cell[name] for name in "uxyt")
    right = norm2(u - y) - 2 * t * dot(u - y, x - y) + t**2 * norm2(x - y)
    assert check(right).mark == "proved"
    with pytest.raises(WrongStep):
        check(norm2(u - y) + 2 * t * dot(u - y, x - y) + t**2 * norm2(x - y))
    with pytest.raises(AssertionError, match="repeats a line"):
        check(norm2(u - y - t * (x - y)))
    for line in (norm2(u - t * x - (1 - t) * y), norm2(u - y - t * (x - y))):
        with pytest.raises(AssertionError, match="multiply the square out"):
            check(2 * line - line)


def test_a_turned_embedding_needs_the_rotation_at_the_right_place() -> None:
    check, cell = of_chapter("turned")
    Y, M, Q = cell["Y"], cell["M"], cell["Q"]
    assert check(trace(Q * Q.T * Y.T * M * Y)).mark == "proved"
    with pytest.raises(ProofError):
        check(trace(Q * Q.T * Q * Q.T * Y.T * M * Y) * 2)
    with pytest.raises(AssertionError, match="should stand in it"):
        check(trace(Q.T * Y.T * M * Y * Q))


def test_the_best_amount_subtracts_a_divergence() -> None:
    check, cell = of_chapter("amount")
    a, p, s = cell["a"], cell["p"], cell["s"]
    assert check(p * log(p / s) - p - (p * log(p / (s * a)) - p + s * a)).mark == "proved"
    with pytest.raises(ProofError):
        check(p * log(p / s) - p - (p * log(p / (s * a)) + p - s * a))
    with pytest.raises(AssertionError, match="repeats a line"):
        check(p * log(p / s) - p)
    with pytest.raises(AssertionError, match="a divergence should be"):
        check(2 * (p * log(a) - s * a) - (p * log(a) - s * a))


def test_a_program_for_the_updates_is_held_to_the_theorem() -> None:
    check = exercise("beyond_pca", "check_nmf", np=np, generalised_kl=generalised_kl)

    def run(X: Any, A: Any, B: Any, sweeps: int, late: bool = True) -> Any:
        for _ in range(sweeps):
            old = A
            A = A * ((X / (A @ B.T)) @ B) / B.sum(axis=0)
            used = A if late else old
            B = B * ((X / (used @ B.T)).T @ used) / used.sum(axis=0)
        return A, B

    assert check(run) == "20 tables"
    with pytest.raises(AssertionError):
        check(lambda X, A, B, sweeps: run(X, A, B, sweeps, late=False))
    with pytest.raises(AssertionError, match="nothing was gained"):
        check(lambda X, A, B, sweeps: (A, B))
    with pytest.raises(AssertionError):
        check(lambda X, A, B, sweeps: (A * 1.1, B * 1.1))


def test_whitening_uses_the_covariance() -> None:
    check, cell = of_chapter("white")
    B, S, W = cell["B"], cell["S"], cell["W"]
    for line in (W * S * W.T, W * B * B.T * W.T):
        assert check(line).mark == "proved"
    with pytest.raises(ProofError):
        check(W.T * S * W)
    with pytest.raises(AssertionError, match="repeats a line"):
        check((W * B) * (W * B).T)
