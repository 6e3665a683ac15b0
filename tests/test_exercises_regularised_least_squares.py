"""The exercises of the chapter: right answers pass, and what only looks like one does not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from mlnotes.proof import Abs, ProofError, Sum, norm2
from mlnotes.regularised_least_squares import coordinate_descent
from mlnotes.theorems.regularised_least_squares import (
    b,
    c,
    d,
    fit,
    j,
    lam,
    residual,
    sigma,
    theta,
    y,
)
from tests.exercises import exercise

CHAPTER = "regularised_least_squares"
Solver = Callable[[Any, Any], Any]


def test_the_residual_is_shorter_by_the_fit_and_the_weights() -> None:
    shorter = exercise(CHAPTER, "shorter")
    line = norm2(y) - 2 * lam * Sum(theta[j] ** 2, (j, 1, d)) - norm2(fit(theta))
    assert shorter(line).mark == "proved"
    with pytest.raises(ProofError):
        shorter(norm2(y) - lam * Sum(theta[j] ** 2, (j, 1, d)) - norm2(fit(theta)))
    with pytest.raises(AssertionError, match="repeats a line"):
        shorter(norm2(residual(theta)))


def test_in_one_direction_the_bias_is_replaced() -> None:
    one_direction = exercise(CHAPTER, "one_direction")
    mu = one_direction.__globals__["mu"]
    line = sigma**2 * (mu + lam) / (mu + lam) ** 2
    assert one_direction(line).mark == "proved"
    with pytest.raises(ProofError):
        one_direction(sigma**2 * mu / (mu + lam) ** 2)
    with pytest.raises(AssertionError, match="repeats a line"):
        one_direction(sigma**2 / (mu + lam))


def test_the_absolute_value_is_replaced_by_the_number() -> None:
    threshold = exercise(CHAPTER, "threshold")
    assert threshold((b - c) ** 2 / 2 + lam * b).mark == "proved"
    with pytest.raises(ProofError):
        threshold((b - c) ** 2 / 2 - lam * b)
    with pytest.raises(AssertionError, match="repeats a line"):
        threshold(lam**2 / 2 + lam * (c - lam))
    first = (b - c) ** 2 / 2 + lam * Abs(b)
    with pytest.raises(AssertionError, match="bound the absolute value"):
        threshold(2 * first - first)
    with pytest.raises(AssertionError, match="gone too early"):
        threshold(lam * c - lam**2 / 2)


def test_a_path_must_be_right_and_take_one_decomposition() -> None:
    check = exercise(CHAPTER, "check_path", np=np)

    def by_eigenvalues(X: Any, y: Any, prices: Any) -> Any:
        values, V = np.linalg.eigh(X.T @ X)
        return (V.T @ X.T @ y / (values + np.asarray(prices)[:, None])) @ V.T

    def one_by_one(X: Any, y: Any, prices: Any) -> Any:
        square = X.T @ X
        return [np.linalg.solve(square + p * np.eye(len(square)), X.T @ y) for p in prices]

    def unsquared(X: Any, y: Any, prices: Any) -> Any:
        U, s, Vt = np.linalg.svd(X, full_matrices=False)
        return s / (s + np.asarray(prices)[:, None]) * (U.T @ y) @ Vt

    assert check(by_eigenvalues) == "fifty prices, one decomposition"
    with pytest.raises(AssertionError, match="more than one decomposition"):
        check(one_by_one)
    with pytest.raises(AssertionError, match="not the minimum"):
        check(unsquared)
    assert np.linalg.svd.__module__ != __name__  # the counters are gone


def test_a_certificate_must_look_at_every_column() -> None:
    check = exercise(CHAPTER, "check_certificate", np=np, coordinate_descent=coordinate_descent)

    def right(X: Any, y: Any, weights: Any, price: float) -> bool:
        pull = X.T @ (y - X @ weights)
        tight = np.abs(weights * pull - price * np.abs(weights)).max() < 1e-6
        return bool(tight and np.abs(pull).max() <= price + 1e-6)

    def largest(X: Any, y: Any, weights: Any, price: float) -> bool:
        return bool(np.abs(X.T @ (y - X @ weights)).max() <= price + 1e-6)

    assert check(right) == "solutions pass and nothing else does"
    with pytest.raises(AssertionError):
        check(largest)
    with pytest.raises(AssertionError, match="zero is not"):
        check(lambda X, y, weights, price: True)


def test_a_stack_must_leave_the_offset_free() -> None:
    check = exercise(CHAPTER, "check_stack", np=np)

    def bordered(X: Any, y: Any, price: float, least_squares: Solver) -> Any:
        n, d = X.shape
        top = np.column_stack([X, np.ones(n)])
        below = np.column_stack([np.sqrt(price) * np.eye(d), np.zeros(d)])
        found = least_squares(np.vstack([top, below]), np.r_[y, np.zeros(d)])
        return found[:d], found[d]

    def paid(X: Any, y: Any, price: float, least_squares: Solver) -> Any:
        n, d = X.shape
        top = np.column_stack([X, np.ones(n)])
        stacked = np.vstack([top, np.sqrt(price) * np.eye(d + 1)])
        found = least_squares(stacked, np.r_[y, np.zeros(d + 1)])
        return found[:d], found[d]

    def rootless(X: Any, y: Any, price: float, least_squares: Solver) -> Any:
        middle, d = X.mean(axis=0), X.shape[1]
        tall = np.vstack([X - middle, price * np.eye(d)])
        weights = least_squares(tall, np.r_[y - y.mean(), np.zeros(d)])
        return weights, y.mean() - middle @ weights

    assert check(bordered) == "ridge regression"
    with pytest.raises(AssertionError, match="the offset is not free"):
        check(paid)
    with pytest.raises(AssertionError, match="not the minimum"):
        check(rootless)
