"""Regularised least squares against closed forms, exact rationals, scikit-learn and SciPy."""

from __future__ import annotations

import ast
import inspect
from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np
import pytest
import scipy.optimize
from sklearn import linear_model as theirs
from sklearn.base import clone

from mlnotes import regularised_least_squares as rls
from mlnotes._solvers import penalised
from mlnotes.data import load_diabetes
from mlnotes.exceptions import ConvergenceWarning
from mlnotes.least_squares import LeastSquares
from mlnotes.regularised_least_squares import (
    LARS,
    Lasso,
    NonNegativeOMP,
    OrthogonalMatchingPursuit,
    Ridge,
    _algorithms,
)

SEEDS = range(60)


def problem(seed: int, *, more: int = 4) -> tuple[Any, Any, float]:
    rng = np.random.default_rng(seed)
    d = int(rng.integers(1, 8))
    n = d + int(rng.integers(more, 20))
    X = rng.normal(size=(n, d)) @ (np.eye(d) + 0.15 * rng.normal(size=(d, d)))
    y = X @ np.where(rng.random(d) < 0.5, 0.0, rng.normal(size=d)) + 0.5 * rng.normal(size=n)
    return X, y, float(10.0 ** rng.uniform(-2, 1.5))


def assert_solves_lasso(theta: Any, X: Any, y: Any, penalty: float, atol: float = 1e-9) -> None:
    """The conditions that a minimiser satisfies, and no other point."""
    correlations = X.T @ (y - X @ theta)
    scale = 1 + np.abs(X.T @ y).max()
    assert np.abs(correlations).max() <= penalty + atol * scale
    active = theta != 0
    np.testing.assert_allclose(
        correlations[active], penalty * np.sign(theta[active]), atol=atol * scale
    )


@pytest.mark.parametrize("seed", SEEDS)
def test_ridge_is_the_closed_form_whichever_way_it_is_found(seed: int) -> None:
    X, y, penalty = problem(seed)
    d = X.shape[1]
    closed = np.linalg.solve(X.T @ X + penalty * np.eye(d), X.T @ y)
    for found in (rls.ridge(X, y, penalty), rls.stacked_ridge(X, y, penalty)):
        np.testing.assert_allclose(found, closed, rtol=1e-7, atol=1e-10)
    np.testing.assert_allclose(rls.ridge(X, y, 0.0), np.linalg.lstsq(X, y)[0], rtol=1e-6)
    # What the notes add instead, a matrix of ones, gives something else.
    if d > 1:
        assert np.abs(np.linalg.solve(X.T @ X + penalty, X.T @ y) - closed).max() > 1e-6


@pytest.mark.parametrize("seed", SEEDS)
def test_bias_and_variance_of_ridge_are_those_of_the_linear_map(seed: int) -> None:
    X, _, penalty = problem(seed)
    d = X.shape[1]
    truth = np.random.default_rng(seed).normal(size=d)
    inverse = np.linalg.inv(X.T @ X + penalty * np.eye(d))
    bias = -penalty * inverse @ truth
    covariance = 0.5 * inverse @ X.T @ X @ inverse
    found = rls.ridge_errors(X, truth, penalty, 0.5)
    np.testing.assert_allclose(found, [bias @ bias, np.trace(covariance)], rtol=1e-8)
    # Along the part of the weights that no point sees there is nothing but bias.
    wide = np.column_stack([X, np.zeros(len(X))])
    assert rls.ridge_errors(wide, np.append(truth, 2.0), penalty, 0.5)[0] == pytest.approx(
        bias @ bias + 4.0
    )
    trace = np.trace(X @ inverse @ X.T)
    assert rls.effective_parameters(X, penalty) == pytest.approx(trace)


@pytest.mark.parametrize("seed", SEEDS)
def test_some_penalty_beats_none(seed: int) -> None:
    X, _, _ = problem(seed)
    truth = np.random.default_rng(seed).normal(size=X.shape[1])
    # Hoerl and Kennard: any penalty below 2σ²/‖θ‖² does.
    for share in (0.01, 0.5, 0.99):
        penalty = share * 2 * 0.3 / (truth @ truth)
        assert sum(rls.ridge_errors(X, truth, penalty, 0.3)) < sum(
            rls.ridge_errors(X, truth, 0.0, 0.3)
        )


@pytest.mark.parametrize("seed", SEEDS)
def test_a_bound_on_the_length_is_a_penalty(seed: int) -> None:
    X, y, _ = problem(seed)
    longest = np.linalg.norm(np.linalg.lstsq(X, y)[0])
    for share in (0.9, 0.5, 1e-6):
        penalty = rls.ridge_penalty_for_norm(X, y, share * longest)
        assert penalty > 0
        found = np.linalg.norm(rls.ridge(X, y, penalty))
        assert found == pytest.approx(share * longest, rel=1e-9)
    assert rls.ridge_penalty_for_norm(X, y, 1.01 * longest) == 0.0


@pytest.mark.parametrize("seed", SEEDS)
def test_a_soft_threshold_minimises_a_parabola_with_a_kink(seed: int) -> None:
    rng = np.random.default_rng(seed)
    x, t = rng.normal(scale=2), rng.random()
    grid = np.append(np.linspace(-6, 6, 4001), [rls.soft_threshold(x, t), 0.0])
    values = (grid - x) ** 2 / 2 + t * np.abs(grid)
    assert values[-2] <= values.min() + 1e-15


@pytest.mark.parametrize("seed", SEEDS)
def test_three_ways_lead_to_the_lasso(seed: int) -> None:
    X, y, penalty = problem(seed)
    n = len(y)
    reference = theirs.Lasso(penalty / n, fit_intercept=False, tol=1e-14, max_iter=100_000)
    expected = reference.fit(X, y).coef_
    penalties, path = rls.lars(X, y)
    on_path = [np.interp(penalty, penalties[::-1], w[::-1]) for w in path.T]
    for found in (
        rls.coordinate_descent(X, y, penalty, 600)[-1],
        rls.fista(X, y, penalty, 1500)[-1],
        on_path,
    ):
        np.testing.assert_allclose(found, expected, atol=1e-6)
    assert_solves_lasso(rls.coordinate_descent(X, y, penalty, 600)[-1], X, y, penalty)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_lasso_objective_falls_and_the_gap_bounds_what_is_left(seed: int) -> None:
    X, y, penalty = problem(seed)
    path = rls.coordinate_descent(X, y, penalty, 600)
    objectives = np.array([rls.lasso_objective(theta, X, y, penalty) for theta in path])
    assert (np.diff(objectives) <= 1e-10 * objectives[0]).all()
    gaps = np.array([rls.lasso_gap(theta, X, y, penalty) for theta in path])
    assert (gaps >= objectives - objectives[-1] - 1e-10 * objectives[0]).all()
    assert gaps[-1] <= 1e-9 * objectives[0]
    elsewhere = path[-1] + 0.1
    assert rls.lasso_gap(elsewhere, X, y, penalty) > 1e-4


@pytest.mark.parametrize("seed", SEEDS)
def test_every_knot_of_lars_solves_the_lasso_and_so_does_the_middle_between_two(seed: int) -> None:
    X, y, _ = problem(seed)
    penalties, path = rls.lars(X, y)
    assert penalties[-1] == 0.0
    assert (np.diff(penalties) <= 0).all()
    for k in range(len(penalties)):
        assert_solves_lasso(path[k], X, y, penalties[k])
        middle = (path[k] + path[k - 1]) / 2, (penalties[k] + penalties[k - 1]) / 2
        if k:
            assert_solves_lasso(middle[0], X, y, middle[1])
    np.testing.assert_allclose(path[-1], np.linalg.lstsq(X, y)[0], rtol=1e-6, atol=1e-9)


def assert_solves_lasso_along(penalties: Any, path: Any, X: Any, y: Any) -> None:
    """At the knots, and at some places between two of them."""
    for share in (0.0, 0.01, 0.25, 0.5, 0.75, 0.99):
        between = share * path[:-1] + (1 - share) * path[1:]
        for penalty, theta in zip(
            share * penalties[:-1] + (1 - share) * penalties[1:], between, strict=True
        ):
            assert_solves_lasso(theta, X, y, penalty, atol=1e-7)


def correlated(seed: int) -> tuple[Any, Any]:
    """A problem on whose path weights change their sign."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(12, 6)) @ rng.normal(size=(6, 6))
    return X, rng.normal(size=12) * 3


def test_without_the_drop_rule_the_path_ends_the_same_but_is_no_lasso_path() -> None:
    changed = 0
    for seed in SEEDS:
        X, y = correlated(seed)
        with_rule, without = rls.lars(X, y), rls.lars(X, y, drop=False)
        np.testing.assert_allclose(without[1][-1], with_rule[1][-1], rtol=1e-5, atol=1e-7)
        assert len(without[0]) == X.shape[1] + 1  # each column enters once
        if len(with_rule[0]) > len(without[0]):
            changed += 1
            with pytest.raises(AssertionError):
                assert_solves_lasso_along(*without, X, y)
        assert_solves_lasso_along(*with_rule, X, y)
    assert changed > 20


@pytest.mark.parametrize("seed", SEEDS)
def test_pursuit_is_that_of_scikit_learn_and_reflections_find_the_same(seed: int) -> None:
    X, y, _ = problem(seed)
    lengths = np.linalg.norm(X, axis=0)
    d = X.shape[1]
    chosen, path = rls.orthogonal_matching_pursuit(X, y, d)
    assert len(set(chosen.tolist())) == len(chosen) == d
    for k in range(1, d + 1):
        expected = theirs.orthogonal_mp(X / lengths, y, n_nonzero_coefs=k) / lengths
        np.testing.assert_allclose(path[k], expected, rtol=1e-6, atol=1e-9)
        columns, theta = rls.omp_by_qr(X, y, k)
        assert columns.tolist() == chosen[:k].tolist()
        np.testing.assert_allclose(theta, path[k], rtol=1e-6, atol=1e-9)
    residuals = y[:, None] - X @ path.T
    assert (np.diff((residuals**2).sum(axis=0)) <= 1e-12).all()
    for k in range(1, d + 1):
        np.testing.assert_allclose(X[:, chosen[:k]].T @ residuals[:, k], 0, atol=1e-9)


def test_pursuit_stops_where_nothing_is_left_to_explain() -> None:
    X = np.eye(4)[:, :3]
    for y, count in ((X @ [0.0, 2.0, 0.0], 1), (np.eye(4)[3], 0), (np.zeros(4), 0)):
        assert len(rls.orthogonal_matching_pursuit(X, y, 3)[0]) == count
        assert len(rls.omp_by_qr(X, y, 3)[0]) == count
        assert len(rls.nonnegative_omp(X, y, 3)[0]) == count


@pytest.mark.parametrize("seed", SEEDS)
def test_nonnegative_least_squares_is_that_of_scipy(seed: int) -> None:
    X, y, _ = problem(seed)
    found = rls.nonnegative_least_squares(X, y)
    np.testing.assert_allclose(found, scipy.optimize.nnls(X, y)[0], rtol=1e-6, atol=1e-8)
    assert (found >= 0).all()


@pytest.mark.parametrize("seed", SEEDS)
def test_nonnegative_pursuit_adds_columns_that_help_and_refits_with_signs(seed: int) -> None:
    X, y, _ = problem(seed)
    X = np.abs(X)
    previous = y @ y
    for k in range(1, X.shape[1] + 1):
        chosen, theta = rls.nonnegative_omp(X, y, k)
        assert (theta >= 0).all()
        assert set(np.flatnonzero(theta)) <= set(chosen.tolist())
        if len(chosen):
            expected = scipy.optimize.nnls(X[:, chosen], y)[0]
            np.testing.assert_allclose(theta[chosen], expected, rtol=1e-6, atol=1e-8)
        squares = np.sum((y - X @ theta) ** 2)
        assert squares <= previous * (1 + 1e-12)
        previous = squares
    first = rls.nonnegative_omp(X, y, 1)[0]
    cosines = X.T @ y / np.linalg.norm(X, axis=0)
    assert first.tolist() == ([int(cosines.argmax())] if cosines.max() > 0 else [])


@pytest.mark.parametrize("seed", SEEDS)
def test_the_best_subset_is_at_least_as_good_as_any_other(seed: int) -> None:
    X, y, _ = problem(seed)
    d = X.shape[1]
    k = (d + 1) // 2
    chosen, theta = rls.best_subset(X, y, k)
    least = np.sum((y - X @ theta) ** 2)
    assert np.count_nonzero(theta) <= k == len(chosen)
    for columns in map(list, combinations(range(d), k)):
        fit = np.linalg.lstsq(X[:, columns], y)[0]
        assert least <= np.sum((y - X[:, columns] @ fit) ** 2) * (1 + 1e-12)
    greedy = rls.orthogonal_matching_pursuit(X, y, k)[1][-1]
    assert least <= np.sum((y - X @ greedy) ** 2) * (1 + 1e-12)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_norm_is_that_of_the_definition(seed: int) -> None:
    rng = np.random.default_rng(seed)
    w, p = rng.normal(size=5), rng.uniform(0.3, 6)
    assert rls.lp_norm(w, p) == pytest.approx(np.sum(np.abs(w) ** p) ** (1 / p))
    assert rls.lp_norm(w, np.inf) == np.abs(w).max()
    assert rls.lp_norm(1e200 * w, p) == pytest.approx(1e200 * rls.lp_norm(w, p))


def test_the_irrepresentable_condition_says_whether_the_lasso_finds_the_support() -> None:
    right = 0
    for seed in SEEDS:
        rng = np.random.default_rng(seed)
        X = rng.normal(size=(20, 4))
        X[:, 3] += rng.uniform(0, 2) * (X[:, 0] + X[:, 1])
        value = rls.irrepresentable(X, [0, 1], [1, 1])
        penalties, path = rls.lars(X, X[:, 0] + X[:, 1])
        assert penalties[-2] > 1e-9
        within = [*path[:-1], (path[-1] + path[-2]) / 2]
        found = any(set(np.flatnonzero(np.abs(theta) > 1e-9)) == {0, 1} for theta in within)
        assert found == (value < 1)
        right += found
    assert 10 < right < 50


def test_a_dictionary_is_found_again_up_to_order_and_sign() -> None:
    rng = np.random.default_rng(0)
    D = rng.normal(size=(12, 6))
    D /= np.linalg.norm(D, axis=0)
    codes = np.zeros((6, 120))
    for code in codes.T:
        code[rng.choice(6, 2, replace=False)] = rng.choice([-1, 1], 2) * rng.uniform(1, 2, 2)
    found, weights, errors = rls.dictionary_learning(D @ codes, 6, 2, 30, random_state=3)
    assert (errors[:, 1] <= errors[:, 0] * (1 + 1e-9)).all()
    assert (np.count_nonzero(weights, axis=0) <= 2).all()
    np.testing.assert_allclose(np.linalg.norm(found, axis=0), 1)
    assert errors[-1, 1] < 0.2 * errors[0, 0]
    assert np.abs(found.T @ D).max(axis=0).mean() > 0.9


BOXED = [name for name in rls.__all__ if hasattr(_algorithms, name)]


@pytest.mark.parametrize("name", BOXED)
def test_a_boxed_algorithm_has_at_most_25_lines(name: str) -> None:
    (function,) = ast.parse(inspect.getsource(getattr(rls, name))).body
    assert isinstance(function, ast.FunctionDef)
    assert function.end_lineno is not None
    assert function.end_lineno - function.body[1].lineno + 1 <= 25


# The estimators.


def regression(seed: int, offset: float = 0.0) -> tuple[Any, Any, Any]:
    rng = np.random.default_rng(seed)
    n, d = int(rng.integers(3, 40)), int(rng.integers(1, 15))
    X = rng.normal(size=(n, d)) @ (np.eye(d) + 0.3 * rng.normal(size=(d, d))) + offset
    y = rng.normal(size=n) + 5 + X[:, 0] - offset
    return X, y, rng.uniform(0.1, 2, size=n) if seed % 2 else None


@pytest.mark.parametrize("seed", SEEDS)
def test_ridge_is_that_of_scikit_learn_for_any_shape_and_weights(seed: int) -> None:
    X, y, weights = regression(seed)
    for penalty in (0.01, 1.0, 100.0):
        model = Ridge(penalty=penalty).fit(X, y, sample_weight=weights)
        other = theirs.Ridge(alpha=penalty, solver="svd").fit(X, y, sample_weight=weights)
        np.testing.assert_allclose(model.coef_, other.coef_, rtol=1e-7, atol=1e-9)
        assert model.intercept_ == pytest.approx(other.intercept_, rel=1e-8)
        root = np.ones(len(y)) if weights is None else np.sqrt(weights)
        centred = root[:, None] * (X - np.average(X, axis=0, weights=weights))
        expected = rls.effective_parameters(centred, penalty)
        assert model.effective_parameters_ == pytest.approx(expected)
    penalties = [0.0, 0.01, 1.0, 100.0]
    path = rls.ridge_path(X, y, penalties, sample_weight=weights)
    np.testing.assert_allclose(path.coefs[3], model.coef_, rtol=1e-7, atol=1e-10)
    assert path.intercepts[3] == pytest.approx(model.intercept_)
    shortest = LeastSquares().fit(X, y, sample_weight=weights)
    np.testing.assert_allclose(path.coefs[0], shortest.coef_, rtol=1e-6, atol=1e-8)
    assert (np.diff(np.linalg.norm(path.coefs, axis=1)) <= 1e-12).all()


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("offset", [0.0, 1e8])
def test_lasso_path_and_lars_agree_and_the_gap_says_so(seed: int, offset: float) -> None:
    X, y, weights = regression(seed, offset)
    penalty = float(10 ** np.random.default_rng(seed).uniform(-2, 1))
    root = np.ones(len(y)) if weights is None else np.sqrt(weights)
    A = root[:, None] * (X - np.average(X, axis=0, weights=weights))
    b = root * (y - np.average(y, weights=weights))
    model = Lasso(penalty=penalty).fit(X, y, sample_weight=weights)
    assert model.dual_gap_ <= 1e-10 * (b @ b) / 2
    path = rls.lasso_path(X, y, sample_weight=weights)
    objective = rls.lasso_objective(model.coef_, A, b, penalty)
    assert model.objective_ == pytest.approx(objective, rel=1e-6)
    for coef in (path.at(penalty)[0], LARS(penalty=penalty).fit(X, y, weights).coef_):
        assert rls.lasso_objective(coef, A, b, penalty) == pytest.approx(objective, rel=1e-6)
    np.testing.assert_allclose(
        X @ path.at(penalty)[0] + path.at(penalty)[1], model.predict(X), atol=1e-5
    )
    assert_solves_lasso(model.coef_, A, b, penalty, atol=1e-6)
    assert not path.at(2 * path.penalties[0])[0].any()
    for k in range(1, len(path.penalties)):
        assert_solves_lasso(path.coefs[k], A, b, path.penalties[k], atol=1e-6)


@pytest.mark.parametrize("seed", SEEDS)
def test_signs_may_be_asked_for(seed: int) -> None:
    X, y, _ = regression(seed)
    model = Lasso(penalty=0.5, positive=True).fit(X, y)
    assert (model.coef_ >= 0).all()
    n = len(y)
    other = theirs.Lasso(0.5 / n, positive=True, tol=1e-12, max_iter=200_000).fit(X, y)

    def objective(fitted: Any) -> float:
        return rls.lasso_objective(fitted.coef_, X - X.mean(axis=0), y - y.mean(), 0.5)

    assert objective(model) <= objective(other) * (1 + 1e-9)


@pytest.mark.parametrize("compiled", [True, False])
def test_compiled_and_plain_sweeps_do_the_same(
    compiled: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(penalised, "compiles", lambda: compiled)
    for seed in range(20):
        X, y, _ = regression(seed)
        A, b = X - X.mean(axis=0), y - y.mean()
        for positive in (False, True):
            model = Lasso(penalty=0.3, positive=positive, tol=1e-13).fit(X, y)
            step = -A.T @ (b - A @ model.coef_) + 0.3
            if positive:
                assert (step >= -1e-6).all()
                np.testing.assert_allclose(step[model.coef_ > 0], 0, atol=1e-6)
            else:
                assert_solves_lasso(model.coef_, A, b, 0.3, atol=1e-6)


def test_more_features_than_can_be_multiplied_enter_one_working_set_after_another() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(80, 1500))
    y = X[:, :8] @ rng.normal(size=8) * 3 + rng.normal(size=80)
    penalty = 0.2 * np.abs((X - X.mean(axis=0)).T @ (y - y.mean())).max()
    model = Lasso(penalty=penalty).fit(X, y)
    A, b = X - X.mean(axis=0), y - y.mean()
    assert_solves_lasso(model.coef_, A, b, penalty, atol=1e-6)
    on_path = LARS(penalty=penalty).fit(X, y)
    np.testing.assert_allclose(on_path.coef_, model.coef_, atol=1e-6)
    assert 0 < np.count_nonzero(model.coef_) < 80
    whole = rls.lasso_path(X, y)
    np.testing.assert_allclose(X @ whole.coefs[-1] + whole.intercepts[-1], y, atol=1e-7)


@pytest.mark.parametrize("seed", SEEDS)
def test_duplicated_and_constant_features_are_no_trouble(seed: int) -> None:
    X, y, _ = regression(seed)
    table = np.column_stack([X, X[:, 0], np.full(len(y), 0.1)])
    for one in (Ridge(), Lasso(penalty=0.3), LARS(penalty=0.3), LARS()):
        wide, plain = clone(one).fit(table, y), clone(one).fit(X, y)
        assert wide.coef_[-1] == 0.0
        if isinstance(one, Ridge):
            assert wide.coef_[0] == pytest.approx(wide.coef_[-2])
        else:
            # Copies have the weights of one feature, in whatever shares, so that the fit is its.
            np.testing.assert_allclose(wide.predict(table), plain.predict(X), atol=1e-5)
    chosen = OrthogonalMatchingPursuit(n_nonzero=table.shape[1]).fit(table, y).support_
    assert not {0, X.shape[1]} <= set(chosen.tolist())
    assert table.shape[1] - 1 not in chosen


def apart(seed: int, exponent: int) -> tuple[Any, Any, Any]:
    """Features that differ in length by so many powers of ten, well conditioned otherwise."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(60, 4)) + 1
    X[:, 3] += 0.5 * X[:, 0]
    scales = 10.0 ** np.array([0, exponent, 0, -exponent // 3])
    return X, scales, X @ [1.0, -2.0, 0.5, 1.0] + rng.normal(size=60)


@pytest.mark.parametrize("exponent", [3, 8, 17, 40])
def test_ridge_keeps_its_digits_whatever_the_units_of_the_features(exponent: int) -> None:
    for seed in range(10):
        X, scales, y = apart(seed, exponent)
        A, b = X - X.mean(axis=0), y - y.mean()
        for penalty in (0.0, 1.0, 1e6):
            # For theta times scales the price of each weight is over the square of its scale.
            kernel = A.T @ A + np.diag(penalty / scales**2)
            exact = np.linalg.solve(kernel, A.T @ b)
            model = Ridge(penalty=penalty).fit(X * scales, y)
            batches = Ridge(penalty=penalty).partial_fit(X[:20] * scales, y[:20])
            batches.partial_fit(X[20:] * scales, y[20:])
            path = rls.ridge_path(X * scales, y, [penalty, 10 * penalty])
            for coef in (model.coef_, batches.coef_, path.coefs[0]):
                np.testing.assert_allclose(coef * scales, exact, rtol=1e-9, atol=1e-11)
            free = np.trace(np.linalg.solve(kernel, A.T @ A))
            assert model.effective_parameters_ == pytest.approx(free, rel=1e-9)
            assert batches.effective_parameters_ == pytest.approx(free, rel=1e-9)


def test_the_path_reaches_least_squares_or_says_which_feature_is_too_short() -> None:
    for exponent in (3, 6, 9):
        X, scales, y = apart(0, exponent)
        end = LARS().fit(X * scales, y)
        exact = np.linalg.lstsq(X - X.mean(axis=0), y - y.mean())[0]
        np.testing.assert_allclose(end.coef_ * scales, exact, rtol=1e-10)
    with pytest.warns(ConvergenceWarning, match="before feature 0 enters"):
        LARS().fit(X * [1.0, 1e20, 1.0, 1.0], y)


@pytest.mark.parametrize("seed", SEEDS)
def test_pursuit_by_products_or_by_columns_is_that_of_the_box(seed: int) -> None:
    X, y, weights = regression(seed)
    k = max(1, min(X.shape) // 2)
    root = np.ones(len(y)) if weights is None else np.sqrt(weights)
    A = root[:, None] * (X - np.average(X, axis=0, weights=weights))
    b = root * (y - np.average(y, weights=weights))
    chosen, path = rls.orthogonal_matching_pursuit(A, b, k)
    model = OrthogonalMatchingPursuit(n_nonzero=k).fit(X, y, sample_weight=weights)
    assert model.support_.tolist() == chosen.tolist()
    np.testing.assert_allclose(model.coef_, path[-1], rtol=1e-6, atol=1e-9)
    columns, theta = penalised.pursue(A, b, k)
    assert columns.tolist() == chosen.tolist()
    np.testing.assert_allclose(theta, path[-1], rtol=1e-6, atol=1e-9)
    signed = NonNegativeOMP(n_nonzero=k).fit(X, y, sample_weight=weights)
    np.testing.assert_allclose(signed.coef_, rls.nonnegative_omp(A, b, k)[1], atol=1e-8)


@pytest.mark.parametrize("cls", [Ridge, Lasso, LARS, OrthogonalMatchingPursuit, NonNegativeOMP])
def test_a_constant_target_leaves_its_mean(cls: type[Any]) -> None:
    X = np.random.default_rng(0).normal(size=(9, 3))
    model = cls().fit(X, np.full(9, 0.1))
    np.testing.assert_allclose(model.coef_, 0, atol=1e-15)
    assert model.intercept_ == pytest.approx(0.1)
    alone = cls().fit(X[:1], [3.0])
    np.testing.assert_array_equal(alone.coef_, 0)
    assert alone.intercept_ == 3.0


@pytest.mark.parametrize("cls", [Ridge, Lasso, LARS, OrthogonalMatchingPursuit, NonNegativeOMP])
def test_shifting_the_target_shifts_the_offset_alone(cls: type[Any]) -> None:
    X, y, _ = regression(4)
    first, second = cls().fit(X, y), cls().fit(X, y + 100)
    np.testing.assert_allclose(second.coef_, first.coef_, rtol=1e-6, atol=1e-9)
    assert second.intercept_ == pytest.approx(first.intercept_ + 100)


@pytest.mark.parametrize("cls", [Ridge, Lasso, LARS, OrthogonalMatchingPursuit])
def test_sizes_beyond_what_can_be_squared_are_refused_and_targets_are_not(cls: type[Any]) -> None:
    X, y, _ = regression(2)
    with pytest.raises(ValueError, match="squares of the entries of X"):
        cls().fit(1e200 * X, y)
    plain, large = cls(), cls()
    if cls is Lasso:
        large.set_params(penalty=2.0**900)
    elif cls is LARS:
        plain.set_params(penalty=0.1)
        large.set_params(penalty=0.1 * 2.0**900)
    plain.fit(X, y)
    large.fit(X, 2.0**900 * y)
    np.testing.assert_allclose(large.coef_, 2.0**900 * plain.coef_, rtol=1e-9)


def test_a_million_rows_are_no_trouble() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(loc=[0.0, 1e8, 0.0], size=(1_000_000, 3))
    y = X @ [1.0, -2.0, 0.0] + rng.normal(size=len(X))
    lasso = Lasso(penalty=1e5).fit(X, y)
    np.testing.assert_allclose(lasso.coef_, [0.9, -1.9, 0.0], atol=0.01)
    assert lasso.coef_[2] == 0.0
    np.testing.assert_allclose(LARS(penalty=1e5).fit(X, y).coef_, lasso.coef_, atol=1e-7)
    assert OrthogonalMatchingPursuit(n_nonzero=1).fit(X, y).support_.tolist() == [1]


def test_the_first_features_of_the_diabetes_patients_are_those_of_the_paper() -> None:
    patients = load_diabetes()
    X = (patients.X - patients.X.mean(axis=0)) / patients.X.std(axis=0)
    model = LARS().fit(X, patients.y)
    # Efron, Hastie, Johnstone and Tibshirani: 3, 9, 4, 7, then 2, 10, 5, 8, 6, 1; then 7 leaves and
    # returns on the path of the lasso.
    supports = [set(np.flatnonzero(coef).tolist()) for coef in model.coefs_]
    entries = [j for k in range(1, len(supports)) for j in supports[k] - supports[k - 1]]
    assert entries == [2, 8, 3, 6, 1, 9, 4, 7, 5, 0, 6]
    assert len(model.penalties_) == 13


@pytest.mark.parametrize("offset", [0.0, 1e3, 1e8])
def test_products_are_exact_even_if_the_samples_looked_at_first_mislead(offset: float) -> None:
    """Every sixth sample is far away, and counts for nothing: those are the ones looked at."""
    rng = np.random.default_rng(0)
    X, y = offset + rng.normal(size=(300, 2)), rng.normal(size=300) - offset
    weights = np.ones(300)
    X[::6] += 1e7
    weights[::6] = 2.0**-60
    found = penalised.moments(X, y, weights, True)
    table = [[Fraction(float(v)) for v in column] for column in (*X.T, y)]
    counts = [Fraction(float(w)) for w in weights]
    total = sum(counts, Fraction(0))
    means = [sum(c * v for c, v in zip(counts, column, strict=True)) / total for column in table]
    apart = [[v - m for v in column] for column, m in zip(table, means, strict=True)]
    exact = np.array(
        [
            [float(sum(c * v * w for c, v, w in zip(counts, p, q, strict=True))) for q in apart]
            for p in apart
        ]
    )
    np.testing.assert_allclose(found.gram, exact[:2, :2], rtol=1e-12, atol=1e-11)
    np.testing.assert_allclose(found.side, exact[:2, 2], rtol=1e-12, atol=1e-11)
    assert found.square == pytest.approx(exact[2, 2], rel=1e-12)
    np.testing.assert_allclose([*found.mean, found.level], [float(m) for m in means], rtol=1e-14)
