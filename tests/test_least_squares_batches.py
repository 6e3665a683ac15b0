"""Solvers to choose from, covariance, leverage and errors, and samples that come in batches."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mlnotes.data import load_diabetes
from mlnotes.exceptions import ConvergenceWarning
from mlnotes.least_squares import (
    LeastSquares,
    expected_errors,
    hat_matrix,
    least_squares_covariance,
)
from mlnotes.perceptron import augment
from mlnotes.regularised_least_squares import Ridge
from tests.test_least_squares import (
    assert_bounds_hold,
    errors,
    exact_solution,
    ill_conditioned,
    problem,
    relative_error,
)

SOLVERS = ["cholesky", "householder", "svd", "lsqr", "gauss-seidel", "gradient-descent"]


def sample(seed: int, n: int = 60, d: int = 4) -> tuple[Any, Any, Any]:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)) + rng.normal(size=d)
    return X, X @ rng.normal(size=d) + rng.normal(size=n), rng.uniform(0.5, 2, size=n)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("fit_intercept", [True, False])
@pytest.mark.parametrize("solver", SOLVERS)
def test_every_solver_finds_the_certified_solution(
    solver: str, fit_intercept: bool, weighted: bool
) -> None:
    for seed in range(10):
        X, y, weights = sample(seed)
        w = weights if weighted else None
        best = LeastSquares(fit_intercept=fit_intercept).fit(X, y, sample_weight=w)
        other = LeastSquares(fit_intercept=fit_intercept, solver=solver).fit(X, y, sample_weight=w)
        np.testing.assert_allclose(other.coef_, best.coef_, rtol=1e-6, atol=1e-8)
        assert other.intercept_ == pytest.approx(best.intercept_, rel=1e-6, abs=1e-8)
        assert other.residual_norm_ == pytest.approx(best.residual_norm_, rel=1e-9)
        np.testing.assert_allclose(other.covariance_, best.covariance_, rtol=1e-8)
        assert np.isinf(other.coef_error_bound_).all()
        assert best.n_iter_ == 1 <= other.n_iter_


@pytest.mark.parametrize("solver", SOLVERS)
def test_huge_offsets_and_constant_features_are_no_trouble_to_any_solver(solver: str) -> None:
    X, y, _ = sample(3)
    far = np.column_stack([X + 1e8, np.full(len(X), 0.1)])
    found = LeastSquares(solver=solver).fit(far, y)
    best = LeastSquares().fit(far, y)
    np.testing.assert_allclose(found.coef_, best.coef_, rtol=1e-6, atol=1e-8)
    assert found.coef_[-1] == 0.0
    np.testing.assert_allclose(found.predict(far), best.predict(far), atol=1e-5)


@pytest.mark.parametrize("solver", ["cholesky", "householder"])
def test_factorisations_refuse_features_that_depend_on_each_other(solver: str) -> None:
    X, y, _ = sample(0)
    with pytest.raises(ValueError, match="features in X are dependent"):
        LeastSquares(solver=solver).fit(np.column_stack([X, X[:, 0]]), y)
    shortest = LeastSquares(solver="svd").fit(np.column_stack([X, X[:, 0]]), y)
    assert shortest.coef_[0] == pytest.approx(shortest.coef_[-1])


@pytest.mark.parametrize("solver", ["lsqr", "gauss-seidel", "gradient-descent"])
def test_too_few_steps_are_reported(solver: str) -> None:
    X, y, _ = sample(0)
    X[:, 0] = X[:, 1] + 0.01 * X[:, 0]
    with pytest.warns(ConvergenceWarning, match=f"made 2 steps of {solver}"):
        LeastSquares(solver=solver, max_iter=2).fit(X, y)


def test_squaring_the_condition_number_costs_the_digits_that_the_certified_solver_keeps() -> None:
    X, y = ill_conditioned("vandermonde 8")
    exact = exact_solution(X, y)
    assert relative_error(LeastSquares().fit(X, y), exact) < 1e-14
    by_reflections = relative_error(LeastSquares(solver="householder").fit(X, y), exact)
    by_products = relative_error(LeastSquares(solver="cholesky").fit(X, y), exact)
    assert by_reflections < 1e-9
    assert by_products > 100 * by_reflections


@pytest.mark.parametrize("seed", range(50))
def test_covariance_leverage_and_errors_are_those_of_the_formulas(seed: int) -> None:
    X, y, weights = sample(seed, n=15 + seed, d=1 + seed % 5)
    n, p = len(y), X.shape[1] + 1
    model = LeastSquares().fit(X, y)
    residuals = y - model.predict(X)
    variance = residuals @ residuals / (n - p)
    assert model.noise_variance_ == pytest.approx(variance)
    assert model.residual_norm_ == pytest.approx(np.linalg.norm(residuals))
    assert model.in_sample_error_ == pytest.approx(variance * (1 - p / n))
    assert model.test_error_estimate_ == pytest.approx(expected_errors(n, p, variance).same_inputs)
    expected = least_squares_covariance(augment(X), variance)
    np.testing.assert_allclose(model.covariance_, expected, rtol=1e-9, atol=1e-14)
    np.testing.assert_allclose(model.leverage(X), hat_matrix(augment(X)).diagonal(), atol=1e-12)
    # An integer weight is that many copies.
    counts = np.random.default_rng(seed).integers(1, 4, size=n)
    weighted = LeastSquares().fit(X, y, sample_weight=counts)
    copied = LeastSquares().fit(np.repeat(X, counts, axis=0), np.repeat(y, counts))
    np.testing.assert_allclose(weighted.covariance_, copied.covariance_, rtol=1e-10)
    assert weighted.noise_variance_ == pytest.approx(copied.noise_variance_)
    assert weighted.leverage(X, counts).sum() == pytest.approx(p)
    root = np.sqrt(weights)
    heavy = LeastSquares().fit(X, y, sample_weight=weights)
    H = hat_matrix(augment(X) * root[:, None])
    np.testing.assert_allclose(heavy.leverage(X, weights), H.diagonal(), atol=1e-12)


def test_a_residual_that_nearly_vanishes_is_not_a_difference_of_large_numbers() -> None:
    X, _, _ = sample(1)
    y = 1e6 * (X @ [1.0, 2.0, 3.0, 4.0]) + 1e-6 * np.random.default_rng(0).normal(size=len(X))
    model = LeastSquares().fit(X, y)
    exact = [float(v) for v in exact_solution(X, y)]
    residual = y - X @ exact[1:] - exact[0]
    assert model.residual_norm_ == pytest.approx(np.linalg.norm(residual), rel=1e-2)
    batches = LeastSquares().partial_fit(X[:30], y[:30]).partial_fit(X[30:], y[30:])
    assert batches.residual_norm_ == pytest.approx(model.residual_norm_, rel=1e-2)


def test_what_is_not_determined_is_nan_and_leverage_is_still_the_projection() -> None:
    X, y, _ = sample(2)
    doubled = np.column_stack([X, X[:, 0]])
    model = LeastSquares().fit(doubled, y)
    assert np.isnan(model.covariance_).all()
    assert model.noise_variance_ == pytest.approx(LeastSquares().fit(X, y).noise_variance_)
    np.testing.assert_allclose(
        model.leverage(doubled), hat_matrix(augment(X)).diagonal(), atol=1e-10
    )
    few = LeastSquares().fit(doubled[:4], y[:4])
    assert math.isnan(few.noise_variance_)
    np.testing.assert_allclose(few.leverage(doubled[:4]), 1.0)


@given(st.integers(0, 10**9), st.sampled_from(["normal", "scales and offsets", "hilbert"]))
@settings(max_examples=60)
def test_batches_are_certified_whatever_their_order(seed: int, kind: str) -> None:
    X, y = problem(seed, kind)
    rng = np.random.default_rng(seed)
    weights = rng.uniform(0.1, 3, size=len(y)) if seed % 2 else None
    order = rng.permutation(len(y))
    model = LeastSquares()
    for part in np.array_split(order, int(rng.integers(1, 5))):
        if len(part):
            model.partial_fit(X[part], y[part], None if weights is None else weights[part])
    whole = LeastSquares().fit(X, y, sample_weight=weights)
    exact = exact_solution(X, y, weights) if whole.rank_ == X.shape[1] else None
    if exact is not None:
        for error, bound in zip(*errors(model, exact), strict=True):
            assert math.isinf(bound) or error <= Fraction(float(bound))
    far = np.abs(X.mean(axis=0)).max() > 1e8 * X.std(axis=0).min()
    if exact is None or far or whole.condition_number_ > 1e8:
        return
    assert_bounds_hold(model, exact)
    assert relative_error(model, exact) < 1e-12
    assert model.residual_norm_ == pytest.approx(whole.residual_norm_, rel=1e-5)


@pytest.mark.parametrize("seed", range(50))
@pytest.mark.parametrize("fit_intercept", [True, False])
def test_merging_is_fitting_to_all_samples(seed: int, fit_intercept: bool) -> None:
    X, y, weights = sample(seed)
    X[:, 0] = X[:, 0] * 1e3 + 1e8
    X[:, 1] *= 1e-4
    w = weights if seed % 3 else None
    models = []
    for part in np.array_split(np.arange(len(y)), [7, 30]):
        model = LeastSquares(fit_intercept=fit_intercept)
        models.append(model.partial_fit(X[part], y[part], None if w is None else w[part]))
    first = models[0].merge(models[1]).merge(models[2])
    whole = LeastSquares(fit_intercept=fit_intercept).fit(X, y, sample_weight=w)
    slack = first.coef_error_bound_ + whole.coef_error_bound_
    assert np.isfinite(slack).all()
    assert (np.abs(first.coef_ - whole.coef_) <= slack).all()
    np.testing.assert_allclose(first.coef_, whole.coef_, rtol=1e-11)
    np.testing.assert_allclose(first.covariance_, whole.covariance_, rtol=1e-6)
    assert first.rank_ == whole.rank_
    ridges = []
    for part in np.array_split(np.arange(len(y)), [7, 30]):
        ridge = Ridge(fit_intercept=fit_intercept)
        ridges.append(ridge.partial_fit(X[part], y[part], None if w is None else w[part]))
    merged = ridges[2].merge(ridges[0]).merge(ridges[1])
    whole_ridge = Ridge(fit_intercept=fit_intercept).fit(X, y, sample_weight=w)
    np.testing.assert_allclose(merged.coef_, whole_ridge.coef_, rtol=1e-6, atol=1e-10)
    assert merged.intercept_ == pytest.approx(whole_ridge.intercept_, rel=1e-6)
    assert merged.effective_parameters_ == pytest.approx(whole_ridge.effective_parameters_)


def test_batches_of_dependent_and_constant_features_have_the_shortest_weights() -> None:
    X, y, _ = sample(5)
    table = np.column_stack([X, X[:, 0], np.full(len(y), 0.1)])
    model = LeastSquares().partial_fit(table[:20], y[:20]).partial_fit(table[20:], y[20:])
    whole = LeastSquares().fit(table, y)
    assert model.rank_ == whole.rank_ == 4
    np.testing.assert_allclose(model.coef_, whole.coef_, rtol=1e-8)
    assert model.coef_[-1] == 0.0
    assert np.isinf(model.coef_error_bound_).any()
    few = LeastSquares().partial_fit(table[:3], y[:3])
    np.testing.assert_allclose(few.coef_, LeastSquares().fit(table[:3], y[:3]).coef_, rtol=1e-7)


def test_a_batch_refused_changes_nothing_and_fit_starts_anew() -> None:
    X, y, _ = sample(6)
    model = LeastSquares().partial_fit(X, y)
    before = model.coef_.copy()
    with pytest.raises(ValueError, match="contains NaN"):
        model.partial_fit(np.full((2, 4), np.nan), [0.0, 1.0])
    with pytest.raises(ValueError, match="features"):
        model.partial_fit(X[:, :2], y)
    np.testing.assert_array_equal(model.coef_, before)
    model.partial_fit(X, y)
    np.testing.assert_allclose(model.coef_, before, rtol=1e-13)
    assert model.residual_norm_ == pytest.approx(2**0.5 * LeastSquares().fit(X, y).residual_norm_)
    again = LeastSquares().fit(X[:10], y[:10]).partial_fit(X, y)
    np.testing.assert_allclose(again.coef_, before, rtol=1e-13)


@pytest.mark.parametrize("cls", [LeastSquares, Ridge])
def test_what_cannot_be_merged_is_refused_with_a_sentence(cls: type[Any]) -> None:
    X, y, _ = sample(7)
    model = cls().partial_fit(X, y)
    with pytest.raises(ValueError, match="fitted by partial_fit"):
        model.merge(cls().fit(X, y))
    with pytest.raises(ValueError, match="other has 2 features, but 4 are needed"):
        model.merge(cls().partial_fit(X[:, :2], y))
    with pytest.raises(TypeError, match=f"other must be a {cls.__name__}"):
        model.merge("another")
    with pytest.raises(ValueError, match="solver must be 'certified'"):
        LeastSquares(solver="svd").partial_fit(X, y)


def test_a_million_rows_pass_through_in_blocks() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(loc=[0.0, 1e8, -5.0], size=(1_000_000, 3))
    y = X @ [1.0, -2.0, 3.0] + rng.normal(size=len(X))
    model = LeastSquares().fit(X, y)
    np.testing.assert_allclose(model.coef_, [1.0, -2.0, 3.0], atol=0.005)
    assert model.coef_error_bound_.max() < 1e-12
    assert model.noise_variance_ == pytest.approx(1.0, abs=0.01)
    batches = LeastSquares()
    for part in np.array_split(np.arange(len(X)), 4):
        batches.partial_fit(X[part], y[part])
    slack = model.coef_error_bound_ + batches.coef_error_bound_
    assert (np.abs(batches.coef_ - model.coef_) <= slack).all()
    ridge = Ridge(penalty=1e-3).fit(X, y)
    np.testing.assert_allclose(ridge.coef_, model.coef_, rtol=1e-6)


def test_the_diabetes_patients_have_poorly_determined_weights_of_cholesterol() -> None:
    patients = load_diabetes()
    X = (patients.X - patients.X.mean(axis=0)) / patients.X.std(axis=0)
    model = LeastSquares().fit(X, patients.y)
    errors = dict(zip(patients.feature_names, np.sqrt(model.covariance_.diagonal()), strict=False))
    assert max(errors, key=lambda name: errors[name]) == "s1"
    assert errors["s1"] > 5 * errors["age"]
    # As the paper on least angle regression reports it: 54² of unexplained variance.
    assert math.sqrt(model.noise_variance_) == pytest.approx(54.15, abs=0.01)
