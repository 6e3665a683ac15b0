"""The numerical rules that all methods share."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from scipy.special import logsumexp
from sklearn.metrics import r2_score

from mlnotes import _numerics as num


@pytest.mark.parametrize("size", [5e-324, 1e-300, 3.0, 1e300, 1.7e308])
def test_scaling_by_a_power_of_two_is_exact_and_ends_below_one(size: float) -> None:
    values = np.array([-size, size / 3, 0.0])
    scaled, exponent = num.scale_by_power_of_two(values)
    assert 0.5 <= np.abs(scaled).max() < 1
    assert [Fraction(v) for v in values] == [Fraction(s) * Fraction(2) ** exponent for s in scaled]
    assert num.scale_by_power_of_two(np.zeros(2))[1] == 0
    assert num.scale_by_power_of_two(values, least_exponent=-10)[1] == max(exponent, -10)
    np.testing.assert_array_equal(scaled, np.ldexp(values, -exponent))
    same, _ = num.scale_by_power_of_two(values, out=values)
    assert same is values
    np.testing.assert_array_equal(values, scaled)


@pytest.mark.parametrize("unit", [1e-320, 1e-200, 1.0, 1e200, 1e307])
def test_norms_survive_squares_that_overflow_or_underflow(unit: float) -> None:
    rows = unit * np.array([[3.0, 4.0], [0.0, 0.0], [-5.0, 12.0]])
    np.testing.assert_allclose(num.row_norms(rows), unit * np.array([5.0, 0.0, 13.0]), rtol=1e-3)
    assert num.norm(rows[2]) == pytest.approx(13 * unit, rel=1e-3)
    assert num.norm(np.array([])) == 0.0


def test_log_sum_exp_agrees_with_scipy_on_ordinary_extreme_and_empty_sums() -> None:
    rng = np.random.default_rng(0)
    table = rng.normal(size=(40, 3)) * 10.0 ** rng.integers(-3, 4, size=(40, 1))
    table[3] = -np.inf
    table[4, 0] = -np.inf
    np.testing.assert_allclose(num.log_sum_exp(table), logsumexp(table, axis=1), rtol=1e-14)
    np.testing.assert_allclose(num.log_sum_exp(table, axis=0), logsumexp(table, axis=0), rtol=1e-14)
    assert num.log_sum_exp(table, keepdims=True).shape == (40, 1)
    finite = table[5:]
    np.testing.assert_allclose(num.softmax(finite).sum(axis=1), 1.0, rtol=1e-14)
    np.testing.assert_allclose(
        num.log_softmax(finite), finite - num.log_sum_exp(finite, keepdims=True), atol=1e-9
    )


@pytest.mark.parametrize("offset", [0.0, 1.0, 1e8, 1e12, -3e15])
def test_a_column_is_constant_exactly_if_it_varies_by_rounding_alone(offset: float) -> None:
    rng = np.random.default_rng(1)
    for n in (2, 7, 1000, 10_007):
        same = np.full((n, 1), offset + 0.1)
        mean = num.weighted_mean(same)
        assert num.is_constant(np.abs(same - mean).max(axis=0), mean).all()
        step = 100 * np.spacing(abs(offset) + 0.1)
        varies = same + step * rng.choice([-1.0, 1.0], size=(n, 1))
        varies[0], varies[1] = same[0] + step, same[1] - step
        mean = num.weighted_mean(varies)
        assert not num.is_constant(np.abs(varies - mean).max(axis=0), mean).any()


def test_weighted_means_are_exact_to_rounding_at_any_offset() -> None:
    rng = np.random.default_rng(2)
    X = rng.normal(loc=[0.0, 1e6, -1e12], size=(500, 3))
    weights = rng.uniform(0.1, 2.0, size=500)
    exact = [
        float(
            sum((Fraction(w) * Fraction(x) for w, x in zip(weights, column, strict=True)))
            / sum(map(Fraction, weights))
        )
        for column in X.T
    ]
    error = np.abs(num.weighted_mean(X, weights) - exact)
    assert (error <= 2 * np.spacing(np.abs(exact)) + 1e-17 * 500).all()


def test_the_mean_of_one_number_is_this_number() -> None:
    rng = np.random.default_rng(3)
    for n in (1, 2, 3, 10, 999):
        row = rng.normal(size=20) * 10.0 ** rng.integers(-20, 20, size=20)
        np.testing.assert_array_equal(num.weighted_mean(np.tile(row, (n, 1))), row)


@pytest.mark.parametrize("seed", range(50))
def test_the_numerical_rank_is_that_of_the_factors_whatever_the_unit(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n, d = rng.integers(1, 12, size=2)
    rank = int(rng.integers(0, min(n, d) + 1))
    X = rng.normal(size=(n, rank)) @ rng.normal(size=(rank, d)) * 10.0 ** rng.integers(-200, 200)
    singular_values = np.linalg.svd(X, compute_uv=False)
    assert num.numerical_rank(singular_values, max(n, d)) == rank
    assert num.numerical_rank(np.array([]), 3) == 0


def test_determination_is_that_of_the_field_and_knows_constants() -> None:
    rng = np.random.default_rng(4)
    truth, weights = rng.normal(size=50), rng.integers(0, 4, size=50).astype(float)
    predicted = truth + rng.normal(size=50) / 3
    found = num.coefficient_of_determination(truth, predicted, weights)
    assert found == pytest.approx(r2_score(truth, predicted, sample_weight=weights), rel=1e-12)
    same = np.full(50, 0.1)
    assert num.coefficient_of_determination(same, same.cumsum() / np.arange(1, 51)) == 1.0
    assert num.coefficient_of_determination(same, same + 1e-12) == 0.0
    # A target that differs at samples of weight zero alone is constant.
    odd = np.where(weights > 0, same, 5.0)
    assert num.coefficient_of_determination(odd, same, weights) == 1.0


def test_gram_matrices_in_blocks_are_those_in_one_piece() -> None:
    rng = np.random.default_rng(3)
    rows, weights = rng.normal(size=(4, 9001)), rng.uniform(size=9001)
    np.testing.assert_allclose(num.weighted_gram(rows, weights), (rows * weights) @ rows.T)
    covered = [i for block in num.blocks(9001, 4) for i in range(9001)[block]]
    assert covered == list(range(9001))


def test_separating_directions_exist_exactly_if_a_plane_separates() -> None:
    separable = np.array([[1.0, 0.2], [0.5, -0.3], [2.0, 1.0]])
    theta = num.separating_direction(separable, strictly=True)
    assert theta is not None
    assert (separable @ theta > 0).all()
    touching = np.array([[1.0, 0.0], [0.0, 1.0], [0.0, -1.0]])
    weak = num.separating_direction(touching, strictly=False)
    assert weak is not None
    assert (touching @ weak >= -1e-9).all()
    assert (touching @ weak).max() > 0
    strict = num.separating_direction(touching, strictly=True)
    assert strict is not None
    assert (touching @ strict).min() <= 1e-9
    opposed = np.array([[1.0, 0.0], [-1.0, 0.0]])
    assert num.separating_direction(opposed, strictly=False) is None


def test_exponents_are_those_of_the_largest_absolute_value() -> None:
    assert num.exponent_of([0.75, -6.0], 2.0) == 3
    assert num.exponent_of(np.array([])) == 0
    assert math.ldexp(1.0, num.exponent_of(1.0)) == 2.0
