"""Kernels against their definitions, and far from the origin."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics.pairwise import rbf_kernel

from mlnotes.convex_duality import is_positive_semidefinite
from mlnotes.kernels import (
    gaussian_kernel,
    linear_kernel,
    polynomial_features,
    polynomial_kernel,
)


def sample(seed: int, n: int = 12, d: int = 3) -> Any:
    return np.random.default_rng(seed).normal(size=(n, d))


@given(st.integers(0, 10**6))
@settings(max_examples=25)
def test_every_gram_matrix_is_positive_semidefinite(seed: int) -> None:
    X = sample(seed)
    for gram in (
        linear_kernel(X),
        polynomial_kernel(X, degree=3, constant=0.5),
        gaussian_kernel(X, bandwidth=0.7),
    ):
        assert is_positive_semidefinite(gram)


def test_a_negative_constant_or_an_inverted_sign_would_not_give_a_kernel() -> None:
    X = np.array([[0.5], [1.0]])
    assert not is_positive_semidefinite((X @ X.T - 1) ** 3)
    assert not is_positive_semidefinite(1 / gaussian_kernel(X))
    with pytest.raises(ValueError, match="at least 0"):
        polynomial_kernel(X, constant=-1.0)
    with pytest.raises(ValueError, match="at least 0"):
        polynomial_features(X, constant=-1.0)
    with pytest.raises(ValueError, match="constant must be a finite number"):
        polynomial_kernel(X, constant="a")


def test_the_quadratic_kernel_is_the_inner_product_of_its_features() -> None:
    X, Y = sample(1), sample(2, n=5)
    for constant in (0.0, 1.0, 2.5):
        explicit = (
            polynomial_features(X, constant=constant) @ polynomial_features(Y, constant=constant).T
        )
        np.testing.assert_allclose(polynomial_kernel(X, Y, constant=constant), explicit)


def test_gaussian_values_are_those_of_the_formula_also_far_from_the_origin() -> None:
    X, Y = sample(3), sample(4, n=7)
    np.testing.assert_allclose(
        gaussian_kernel(X, Y, bandwidth=0.8), rbf_kernel(X, Y, gamma=1 / (2 * 0.8**2))
    )
    direct = np.exp(-0.5 * ((X[:, None] - X) ** 2).sum(axis=2))
    # Integers plus 2^20 are exact: only the formula could lose digits.
    whole = np.round(8 * X) / 8
    near, far = gaussian_kernel(whole), gaussian_kernel(whole + 2.0**20)
    np.testing.assert_allclose(far, near, rtol=1e-9)
    np.testing.assert_allclose(gaussian_kernel(X), direct, rtol=1e-12)
    assert (np.diag(far) == 1).all()


def test_points_of_different_spaces_are_refused() -> None:
    with pytest.raises(ValueError, match="points of one space"):
        linear_kernel([[1.0]], [[1.0, 2.0]])
    with pytest.raises(ValueError, match="bandwidth"):
        gaussian_kernel([[1.0]], bandwidth=0.0)


@pytest.mark.parametrize("far", [1e3, 1e6, 1e9, 1e160])
def test_a_point_far_away_costs_the_others_no_digit(far: float) -> None:
    X = np.array([[0.0, 1.0], [1.0, 0.5], [far, far], [far, 1.0]])
    near = np.array([[0.25, 0.25]])
    squares = ((X[:, None] - X[:2]) ** 2).sum(axis=2)
    with np.errstate(over="ignore"):
        gram, across = gaussian_kernel(X), gaussian_kernel(near, X)
    np.testing.assert_allclose(gram[:2, :2], np.exp(-squares[:2] / 2), rtol=1e-9)
    np.testing.assert_array_equal(gram[:2, 2:], 0.0)
    expected = np.exp(-((near - X[:2]) ** 2).sum(axis=1) / 2)
    np.testing.assert_allclose(across[0, :2], expected, rtol=1e-9)
