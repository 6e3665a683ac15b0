"""The exercises of the chapter: right answers pass, and what only looks like one does not."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from mlnotes.proof import ProofError, WrongStep, det, grad, identity, inverse, trace
from mlnotes.theorems import matrix_calculus as rules
from mlnotes.theorems.matrix_calculus import Lambda, S, X, d, n, theta, y
from tests.exercises import WORDS, exercise

NAMES = {**WORDS, "rules": rules, "Lambda": Lambda, "S": S, "X": X, "d": d, "n": n}
NAMES |= {"theta": theta, "y": y}


def of_chapter(name: str) -> tuple[Any, dict[str, Any]]:
    found = exercise("matrix_calculus", name, **NAMES)
    return found, found.__globals__


def refuses(check: Any, *wrong: Any) -> None:
    for gradient in wrong:
        with pytest.raises(WrongStep):
            check(gradient)


def test_the_gradient_for_several_outputs_may_be_written_in_any_way() -> None:
    check, cell = of_chapter("several_outputs")
    W, Y = cell["W"], cell["Y"]
    for gradient in (2 * X.T * (X * W - Y), 2 * X.T * X * W - 2 * X.T * Y):
        assert check(gradient).mark == "proved"
    refuses(check, X.T * (X * W - Y), 2 * X.T * (Y - X * W))
    with pytest.raises(AssertionError, match="write the gradient out"):
        check(1 * grad(trace((X * W - Y).T * (X * W - Y)), W))


def test_the_gradient_of_ridge_regression() -> None:
    check, cell = of_chapter("ridge")
    lam = cell["lam"]
    for gradient in (
        X.T * (X * theta - y) + lam * theta,
        (X.T * X + lam * identity(d)) * theta - X.T * y,
    ):
        assert check(gradient).mark == "proved"
    refuses(check, X.T * (X * theta - y), X.T * (X * theta - y) + 2 * lam * theta)


def test_weighted_least_squares_is_multiplied_out() -> None:
    check, cell = of_chapter("weighted")
    Omega = cell["Omega"]
    quadratic, constant = trace(theta.T * X.T * Omega * X * theta), trace(y.T * Omega * y)
    mixed = trace(y.T * Omega * X * theta)
    assert check(quadratic / 2 - mixed + constant / 2).mark == "proved"
    assert check((quadratic - 2 * trace(theta.T * X.T * Omega * y) + constant) / 2).mark == "proved"
    with pytest.raises(ProofError):
        check(quadratic / 2 - mixed / 2 + constant / 2)
    with pytest.raises(AssertionError, match="multiply it out"):
        check(trace((X * theta - y).T * Omega * (X * theta - y)) / 2)
    with pytest.raises(AssertionError, match="repeats a line"):
        check((quadratic - trace(theta.T * X.T * Omega * y) - mixed + constant) / 2)
    with pytest.raises(AssertionError, match="three terms"):
        check((quadratic - mixed - trace(theta.T * X.T * Omega * y) + constant) / 2)


def test_the_sign_in_the_mean_matters() -> None:
    check, cell = of_chapter("in_the_mean")
    x, m = cell["x"], cell["m"]
    assert check(Lambda * (x - m)).mark == "proved"
    assert check((Lambda + Lambda.T) * (x - m) / 2).mark == "proved"
    refuses(check, Lambda * (m - x), Lambda * (x - m) / 2)


def test_the_gradient_in_the_covariance() -> None:
    check, cell = of_chapter("in_the_covariance")
    Sigma = cell["Sigma"]
    right = (inverse(Sigma) * S * inverse(Sigma) - inverse(Sigma)) / 2
    assert check(right).mark == "proved"
    assert check(inverse(Sigma) * (S - Sigma) * inverse(Sigma) / 2).mark == "proved"
    refuses(check, -right, (S - inverse(Sigma)) / 2, (S - Sigma) / 2)


def test_the_gradient_of_a_squared_determinant() -> None:
    check, cell = of_chapter("squared_determinant")
    A = cell["A"]
    assert check(2 * det(A) ** 2 * inverse(A).T).mark == "proved"
    refuses(check, 2 * det(A) * inverse(A).T, 2 * det(A) ** 2 * inverse(A))


def test_the_bound_of_a_one_sided_difference() -> None:
    check, cell = of_chapter("one_sided")
    h, L, epsilon = cell["h"], cell["L"], cell["epsilon"]
    assert check((epsilon + epsilon + L * h**2 / 2) / h).mark == "proved"
    with pytest.raises(ProofError):
        check((epsilon + L * h**2 / 2) / h)
    with pytest.raises(AssertionError, match="repeats a line"):
        check(L * h / 2 + 2 * epsilon / h)


def test_three_matrices_whose_order_matters() -> None:
    check = exercise("matrix_calculus", "check_circle", np=np)
    assert check([[0, 1], [0, 0]], [[0, 0], [1, 0]], [[1, 0], [0, 0]]).startswith("tr(ABC) = 1")
    with pytest.raises(AssertionError, match="are equal"):
        check(np.eye(2), np.eye(2), np.eye(2))
    with pytest.raises(AssertionError, match="zeros and ones"):
        check([[2, 0], [0, 0]], np.eye(2), np.eye(2))


def test_a_checker_that_says_the_same_always_is_seen() -> None:
    check = exercise("matrix_calculus", "check_checker", np=np)

    def relative(f: Any, gradient: Any, x: Any, size: float = 1e-6) -> bool:
        found = [(f(x + 1e-5 * e) - f(x - 1e-5 * e)) / 2e-5 for e in np.eye(len(x))]
        gap = np.abs(gradient(x) - np.array(found)).max()
        return bool(gap <= size * (1 + np.abs(found).max()))

    assert check(relative) == "right formulas pass, wrong ones do not"
    with pytest.raises(AssertionError, match="wrong passed"):
        check(lambda f, gradient, x: True)
    with pytest.raises(AssertionError, match="right refused"):
        check(lambda f, gradient, x: False)
    with pytest.raises(AssertionError, match="right refused"):
        check(lambda f, gradient, x: relative(f, gradient, x, size=1e-16))
