"""The rules of matrix calculus against numerical gradients, and those against exact ones."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from mlnotes.matrix_calculus import (
    central_difference,
    det_gradient,
    gradient_error,
    inverse_trace_gradient,
    logdet_gradient,
    numerical_gradient,
    quadratic_form_gradient,
    sandwich_trace_gradient,
    trace_gradient,
)

SEEDS = range(50)


@pytest.mark.parametrize("seed", SEEDS)
def test_every_rule_agrees_with_the_numerical_gradient(seed):
    rng = np.random.default_rng(seed)
    n, d = rng.integers(1, 5, 2)
    A, B, C, w = (rng.normal(size=s) for s in ((n, d), (d, d), (n, n), d))
    rules = [
        (lambda M: np.trace(M @ A.T), lambda M: trace_gradient(A.T), A),
        (lambda M: np.trace(M @ B @ M.T @ C), lambda M: sandwich_trace_gradient(M, B, C), A),
        (lambda v: v @ B @ v, lambda v: quadratic_form_gradient(B, v), w),
        (np.linalg.det, det_gradient, C),
        (
            lambda M: np.trace(np.linalg.solve(M, C)),
            lambda M: inverse_trace_gradient(M, C),
            C @ C.T + np.eye(n),
        ),
        (lambda M: np.linalg.slogdet(M)[1], logdet_gradient, C @ C.T + np.eye(n)),
    ]
    for f, gradient, point in rules:
        assert gradient_error(f, gradient, point) <= 1e-11


@pytest.mark.parametrize("seed", SEEDS)
def test_a_wrong_rule_is_told_from_the_right_one(seed):
    rng = np.random.default_rng(seed)
    B, w = rng.normal(size=(3, 3)), rng.normal(size=3)
    assert gradient_error(lambda w: w @ B @ w, lambda w: 2 * B @ w, w) > 1e-3


@pytest.mark.parametrize("seed", SEEDS)
def test_a_central_difference_is_exact_on_quadratic_functions_for_every_step(seed):
    rng = np.random.default_rng(seed)
    B, w = rng.integers(-3, 4, (3, 3)), rng.integers(-3, 4, 3).astype(float)
    for h in (2.0**-10, 0.5, 4.0):
        found = central_difference(lambda w: w @ B @ w, w, h)
        np.testing.assert_array_equal(found, quadratic_form_gradient(B, w))


@pytest.mark.parametrize("k", range(1, 27))
def test_a_central_difference_is_off_by_no_more_than_its_bound(k):
    h, third, rounding = 2.0**-k, np.exp(1 + 2.0**-k), 2.0**-52 * np.e
    (found,) = central_difference(lambda v: float(np.exp(v[0])), [1.0], h)
    assert abs(found - np.e) <= third * h**2 / 6 + rounding / h + 2.0**-52 * np.e


@pytest.mark.parametrize("seed", SEEDS)
def test_the_derivative_of_a_transpose_is_the_transpose(seed):
    rng = np.random.default_rng(seed)
    A, B, C = (rng.normal(size=s) for s in ((2, 3), (3, 3), (2, 2)))

    def f(M):
        return np.trace(M @ B @ M.T @ C)

    turned = numerical_gradient(lambda D: f(D.T), A.T).value
    np.testing.assert_allclose(turned, B.T @ A.T @ C.T + B @ A.T @ C, atol=1e-8)
    np.testing.assert_allclose(turned, sandwich_trace_gradient(A, B, C).T, atol=1e-8)


def cofactors(A):
    """The signed minors, in exact arithmetic."""
    n = len(A)
    rows = [[Fraction(a) for a in row] for row in A]

    def det(M):
        if not M:
            return Fraction(1)
        return sum(
            (-1) ** j * M[0][j] * det([row[:j] + row[j + 1 :] for row in M[1:]])
            for j in range(len(M))
        )

    return [
        [
            (-1) ** (i + j) * det([r[:j] + r[j + 1 :] for k, r in enumerate(rows) if k != i])
            for j in range(n)
        ]
        for i in range(n)
    ]


@pytest.mark.parametrize("rank", [0, 1, 2, 3, 4])
@pytest.mark.parametrize("seed", range(10))
def test_the_gradient_of_the_determinant_is_the_cofactor_matrix_at_every_rank(seed, rank):
    rng = np.random.default_rng(seed)
    A = (rng.integers(-3, 4, (4, rank)) @ rng.integers(-3, 4, (rank, 4))).astype(float)
    exact = np.array(cofactors(A), dtype=float)
    np.testing.assert_allclose(det_gradient(A), exact, atol=1e-9 * max(1.0, np.abs(exact).max()))


def test_the_printed_formula_fails_for_a_singular_matrix_where_the_gradient_exists():
    A = np.array([[1.0, 2.0], [2.0, 4.0]])
    assert gradient_error(np.linalg.det, det_gradient, A) == 0
    with pytest.raises(np.linalg.LinAlgError):
        np.linalg.inv(A)


@pytest.mark.parametrize(
    ("f", "derivative", "x"),
    [
        (np.exp, np.exp, 1.0),
        (np.exp, np.exp, 20.0),
        (np.sin, np.cos, 1e3),
        (np.log, lambda x: 1 / x, 2.0),
        (np.arctan, lambda x: 1 / (1 + x * x), -1e4),
        (lambda x: x**7, lambda x: 7 * x**6, 3.0),
        (lambda x: 1e12 + x, lambda x: 1.0, 0.0),
    ],
)
def test_the_estimated_error_covers_the_true_one(f, derivative, x):
    found = numerical_gradient(lambda v: float(f(v[0])), [x])
    assert abs(found.value[0] - derivative(x)) <= 10 * found.error[0]


@pytest.mark.parametrize("x", [0.05, 1e-3, 1e-6])
@pytest.mark.parametrize("log", [np.log, math.log])
def test_steps_stay_inside_the_domain(log, x):
    found = numerical_gradient(lambda v: float(log(v[0])), [x])
    assert abs(found.value[0] * x - 1) <= 1e-10
    assert abs(found.value[0] - 1 / x) <= 10 * found.error[0]


@pytest.mark.parametrize("slope", [1e3, 1e4, 3e4])
def test_the_estimated_error_is_large_where_all_steps_are_too_long(slope):
    found = numerical_gradient(lambda v: float(np.tanh(slope * v[0])), [0.0])
    assert abs(found.value[0] - slope) <= 10 * found.error[0]


def test_ten_digits_where_the_function_is_smooth():
    found = numerical_gradient(lambda v: float(np.exp(v).sum()), np.linspace(-2, 2, 7))
    np.testing.assert_allclose(found.value, np.exp(np.linspace(-2, 2, 7)), rtol=1e-10)


def test_a_kink_shows_in_the_estimated_error():
    found = numerical_gradient(lambda v: abs(v[0] - 0.01), [0.0])
    assert found.error[0] > 1e-6 or found.value[0] == pytest.approx(-1.0)


def test_bad_input_is_named():
    with pytest.raises(TypeError, match="f must be a function of an array"):
        numerical_gradient(3, [1.0])
    with pytest.raises(ValueError, match="take a point inside its domain"):
        numerical_gradient(lambda v: float("nan"), [0.0])
    with pytest.raises(ValueError, match="f must return a number"):
        numerical_gradient(lambda v: v, [0.0, 1.0])
    with pytest.raises(ValueError, match="a gradient has the shape of its point"):
        gradient_error(lambda v: v @ v, lambda v: 2.0, [1.0, 2.0])
    with pytest.raises(ValueError, match="positive determinant"):
        logdet_gradient([[0.0, 1.0], [1.0, 0.0]])
    with pytest.raises(ValueError, match="A has the shape"):
        sandwich_trace_gradient([[1.0, 2.0]], [[1.0]], [[1.0]])
    with pytest.raises(ValueError, match="they must be equal"):
        inverse_trace_gradient([[1.0]], [[1.0, 2.0], [3.0, 4.0]])
    with pytest.raises(ValueError, match="must be invertible"):
        inverse_trace_gradient([[1.0, 1.0], [1.0, 1.0]], np.eye(2))
    with pytest.raises(ValueError, match="h must be"):
        central_difference(lambda v: v @ v, [1.0], 0.0)
    with pytest.raises(ValueError, match="w has the shape"):
        quadratic_form_gradient([[1.0]], [1.0, 2.0])
