"""Regularised least squares against closed forms, exact rationals, scikit-learn and SciPy."""

from __future__ import annotations

import ast
import inspect
from itertools import combinations
from typing import Any

import numpy as np
import pytest
import scipy.optimize
from sklearn import linear_model as theirs

from mlnotes import regularised_least_squares as rls
from mlnotes.regularised_least_squares import _algorithms

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
