"""The exercises of the chapter: right answers pass, and what only looks like one does not."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from mlnotes.least_squares import least_squares
from mlnotes.perceptron import augment
from mlnotes.proof import ProofError, inverse, trace
from mlnotes.theorems import least_squares as ls
from mlnotes.theorems.least_squares import H, I, X, d, fit, n, noise, sigma, theta, true, x, y
from tests.exercises import WORDS, exercise

NAMES = {**WORDS, "ls": ls, "H": H, "I": I, "X": X, "d": d, "fit": fit, "n": n, "noise": noise}
NAMES |= {"sigma": sigma, "theta": theta, "true": true, "x": x, "y": y, "np": np}


def test_pythagoras_in_a_metric_is_the_missing_line() -> None:
    names = dict(NAMES)
    weighted = exercise("least_squares", "weighted", **names)
    Omega = weighted.__globals__["Omega"]
    left, away = y - X * fit, X * (theta - fit)
    right = trace(left.T * Omega * left) + trace(away.T * Omega * away)
    assert weighted(right).mark == "proved"
    with pytest.raises(ProofError):
        weighted(trace(left.T * Omega * left) + 2 * trace(away.T * Omega * away))
    with pytest.raises(AssertionError, match="repeats a line"):
        weighted(trace(left.T * Omega * left))


def test_the_variance_of_a_prediction_is_seen_from_the_point() -> None:
    prediction = exercise("least_squares", "prediction", **NAMES)
    assert prediction(sigma**2 * trace(x.T * inverse(X.T * X) * x)).mark == "proved"
    for wrong in (sigma**2 * trace(x.T * x), sigma**2 * (1 + trace(x.T * inverse(X.T * X) * x))):
        with pytest.raises(ProofError):
            prediction(wrong)
    error = x.T * (ls.estimate - true)
    with pytest.raises(AssertionError, match="no expectation"):
        prediction(WORDS["E"](trace(error.T * error)))


def test_the_mean_of_the_squared_residuals_is_a_trace() -> None:
    variance = exercise("least_squares", "variance", **NAMES)
    assert variance(sigma**2 * trace(I - H)).mark == "proved"
    with pytest.raises(ProofError):
        variance(sigma**2 * trace(H))
    with pytest.raises(AssertionError, match="keep the trace"):
        variance(sigma**2 * n - sigma**2 * d)
    with pytest.raises(AssertionError, match="repeats a line"):
        variance(sigma**2 * (n - d))


def test_leaving_one_out_takes_one_fit() -> None:
    check = exercise("least_squares", "check_leave_one_out", np=np)

    def residuals(X: Any, y: Any) -> Any:
        return y - X @ np.linalg.lstsq(X, y, rcond=None)[0]

    def refitted(X: Any, y: Any) -> Any:
        rests = [np.arange(len(y)) != i for i in range(len(y))]
        thetas = [np.linalg.lstsq(X[r], y[r], rcond=None)[0] for r in rests]
        return y - np.einsum("ij,ij->i", X, thetas)

    def by_leverage(X: Any, y: Any) -> Any:
        Q, _ = np.linalg.qr(X)
        return (y - Q @ (Q.T @ y)) / (1 - (Q**2).sum(axis=1))

    assert check(by_leverage) == "as if every point had been left out"
    with pytest.raises(AssertionError, match="not the residuals"):
        check(residuals)
    with pytest.raises(AssertionError, match="calls of a solver"):
        check(refitted)


def test_a_stream_is_fitted_in_one_pass() -> None:
    check = exercise("least_squares", "check_stream", np=np)

    def sums(stream: Any, d: int) -> Any:
        gram, right = np.zeros((d, d)), np.zeros(d)
        for row, target in stream:
            gram += np.outer(row, row)
            right += target * row
        return np.linalg.solve(gram, right)

    def keeps(stream: Any, d: int) -> Any:
        rows, targets = zip(*stream, strict=True)
        return np.linalg.lstsq(np.array(rows), np.array(targets), rcond=None)[0]

    assert check(sums) == "fitted in one pass"
    with pytest.raises(AssertionError, match="not least squares"):
        check(keeps)
    with pytest.raises(AssertionError, match="one weight a column"):
        check(lambda stream, d: np.zeros(d + 1))


def test_a_mirror_must_not_cancel_digits() -> None:
    check = exercise("least_squares", "check_mirror", np=np)

    def away(a: Any) -> Any:
        q = a.copy()
        q[0] += np.copysign(np.linalg.norm(a), a[0])
        return q / np.linalg.norm(q)

    def towards(a: Any) -> Any:
        q = a.copy()
        q[0] -= np.copysign(np.linalg.norm(a), a[0])
        return q / np.linalg.norm(q)

    assert check(away) == "on the axis to the last digit"
    with pytest.raises(AssertionError), np.errstate(all="ignore"):
        check(towards)


def test_one_point_turns_the_line_and_cannot_hide() -> None:
    names = {"np": np, "least_squares": least_squares, "augment": augment}
    check = exercise("least_squares", "check_outlier", **names)
    assert check(30, -60).startswith("slope -")
    with pytest.raises(AssertionError, match="still"):
        check(30, 20)
    residuals = []
    for place in np.linspace(0, 30, 13):
        for height in np.linspace(-100, 100, 41):
            try:
                said = check(place, height)
            except AssertionError:
                continue
            residuals.append(float(said.rpartition(" ")[2]))
    assert len(residuals) > 10
    assert min(residuals) > 2
