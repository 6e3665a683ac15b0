"""Rates that theorems promise, the limits of the step, and stochastic steps with a lazy penalty."""

from __future__ import annotations

import math

import numpy as np
import pytest
import sympy
from scipy.optimize import linprog

from mlnotes.exceptions import ConvergenceWarning
from mlnotes.gradient_descent import (
    SGD,
    GradientDescent,
    gradient_descent,
    sgd,
    smooth_convex_bound,
    steepest_direction,
    step_schedule,
    strongly_convex_bound,
    subgradient_bound,
    subgradient_descent,
)
from mlnotes.logistic_regression import GradientDescentLogisticRegression
from mlnotes.matrix_calculus import numerical_gradient

SEEDS = range(50)


def quadratic(rng, d, least=0.0):
    """A random convex quadratic with its extreme curvatures and its minimiser."""
    Q, _ = np.linalg.qr(rng.normal(size=(d, d)))
    curvatures = least + rng.exponential(size=d)
    A, best = Q * curvatures @ Q.T, rng.normal(size=d)

    def f(x):
        return 0.5 * (x - best) @ A @ (x - best)

    return f, lambda x: A @ (x - best), best, curvatures.max(), curvatures.min()


@pytest.mark.parametrize("seed", SEEDS)
def test_a_smooth_convex_function_is_within_its_bound_after_every_step(seed):
    rng = np.random.default_rng(seed)
    f, gradient, best, L, _ = quadratic(rng, 4)
    path = gradient_descent(gradient, rng.normal(size=4), 1 / L, 30)
    values = np.array([f(x) for x in path])
    assert (np.diff(values) <= 1e-12).all()
    distance = np.linalg.norm(path[0] - best)
    for k in range(1, 31):
        assert values[k] <= smooth_convex_bound(distance, 1 / L, k) + 1e-12


@pytest.mark.parametrize("seed", SEEDS)
def test_a_strongly_convex_function_approaches_its_minimum_geometrically(seed):
    rng = np.random.default_rng(seed)
    f, gradient, _, L, mu = quadratic(rng, 4, least=0.2)
    path = gradient_descent(gradient, rng.normal(size=4), 1 / L, 30)
    for k in range(31):
        bound = strongly_convex_bound(f(path[0]), L, mu, k)
        assert f(path[k]) <= bound * (1 + 1e-9) + 1e-12


@pytest.mark.parametrize(("rate", "grows"), [(0.49, False), (0.99, False), (1.01, True)])
def test_steps_longer_than_two_over_the_curvature_diverge(rate, grows):
    path = gradient_descent(lambda x: 2 * x, [1.0], rate, 200)  # the curvature is 2
    assert (abs(path[-1, 0]) > 1) == grows


def test_at_exactly_two_over_the_curvature_the_path_comes_back():
    assert gradient_descent(lambda x: 2 * x, [1.0], 1.0, 10).ravel().tolist() == [1, -1] * 5 + [1]


@pytest.mark.parametrize("seed", SEEDS)
def test_the_best_of_the_subgradient_steps_is_within_its_bound(seed):
    rng = np.random.default_rng(seed)
    slopes, offsets = rng.normal(size=(6, 3)), rng.normal(size=6)
    slopes -= slopes.mean(axis=0)  # so that the largest of the planes has a minimum

    def f(x):
        return float((slopes @ x + offsets).max())

    rows = np.hstack([slopes, -np.ones((6, 1))])
    lp = linprog([0, 0, 0, 1], rows, -offsets, bounds=[(None, None)] * 4)
    rates = [step_schedule("root", 0.5)(k) for k in range(1, 200)]
    start = rng.normal(size=3)
    _, values = subgradient_descent(
        f, lambda x: slopes[(slopes @ x + offsets).argmax()], start, rates
    )
    G = np.linalg.norm(slopes, axis=1).max()
    distance = np.linalg.norm(start - lp.x[:3])
    for k in (1, 10, 199):
        assert values[k] - lp.fun <= subgradient_bound(distance, G, rates[:k]) + 1e-9


def test_the_root_schedule_has_the_better_bound_although_its_squares_do_not_sum():
    k = np.arange(1, 10**6 + 1)
    inverse, root = (subgradient_bound(1, 1, s) for s in (1 / k, 1 / np.sqrt(k)))
    assert root < inverse
    assert (root, inverse) == pytest.approx((0.00385, 0.0919), rel=0.01)


@pytest.mark.parametrize("seed", range(20))
def test_no_unit_vector_descends_faster_at_first_order(seed):
    rng = np.random.default_rng(seed)
    g = rng.normal(size=5)
    others = rng.normal(size=(2000, 5))
    others /= np.linalg.norm(others, axis=1, keepdims=True)
    assert g @ steepest_direction(g) == pytest.approx(-np.linalg.norm(g))
    assert (others @ g >= g @ steepest_direction(g) - 1e-12).all()


def test_a_stationary_point_has_no_steepest_direction():
    with pytest.raises(ValueError, match="stationary"):
        steepest_direction([0.0, 0.0])


def test_the_schedules_are_what_they_say():
    assert [step_schedule("inverse")(k) for k in (1, 2, 4)] == [1, 1 / 2, 1 / 4]
    assert step_schedule("root", 3.0, delay=8)(1) == 1
    assert step_schedule("constant", 0.1)(10**6) == 0.1
    with pytest.raises(ValueError, match="kind must be one of constant, inverse, root"):
        step_schedule("linear")


@pytest.mark.parametrize("seed", SEEDS)
def test_backtracking_never_rises_and_finds_the_minimum(seed):
    rng = np.random.default_rng(seed)
    f, gradient, best, *_ = quadratic(rng, 3, least=0.05)
    found = GradientDescent(tol=1e-9).minimise(f, gradient, 10 * rng.normal(size=3))
    assert found.reason == "gradient"
    assert (np.diff(found.values) <= 0).all()
    np.testing.assert_allclose(found.x, best, atol=1e-6)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_fixed_rate_follows_the_boxed_algorithm(seed):
    f, gradient, best, L, _ = quadratic(np.random.default_rng(seed), 3)
    path = gradient_descent(gradient, [1.0, 2.0, 3.0], 0.5 / L, 7)
    shrinks = np.eye(3) - 0.5 / L * np.column_stack([gradient(best + e) for e in np.eye(3)])
    for k, x in enumerate(path):
        expected = best + np.linalg.matrix_power(shrinks, k) @ (path[0] - best)
        np.testing.assert_allclose(x, expected, atol=1e-12)
    found = GradientDescent(0.5 / L, max_iter=7, tol=0).minimise(f, gradient, [1.0, 2.0, 3.0])
    np.testing.assert_array_equal(found.x, path[-1])
    assert (found.n_iter, found.reason) == (7, "iterations")


@pytest.mark.parametrize("rate", [0.05, "backtracking"])
def test_an_objective_that_returns_its_gradient_takes_the_same_path(rate):
    f, gradient, *_ = quadratic(np.random.default_rng(2), 3)
    calls = []

    def pair(x):
        calls.append(x)
        return f(x), gradient(x)

    optimiser = GradientDescent(rate, max_iter=20, tol=0)
    apart = optimiser.minimise(f, gradient, [1.0, 2.0, 3.0])
    together = optimiser.minimise(pair, True, [1.0, 2.0, 3.0])
    np.testing.assert_array_equal(together.x, apart.x)
    np.testing.assert_array_equal(together.values, apart.values)
    if rate == 0.05:
        assert len(calls) == together.n_iter + 1  # one computation for each point


def test_logistic_regression_by_gradient_descent_follows_the_boxed_algorithm():
    rng = np.random.default_rng(4)
    X, y = rng.normal(size=(40, 3)), np.where(rng.random(40) < 0.5, 1, -1)
    model = GradientDescentLogisticRegression(
        penalty=0.5, fit_intercept=False, learning_rate=0.02, max_iter=30, tol=1e-12
    )
    with pytest.warns(ConvergenceWarning):
        model.fit(X, y)

    def gradient(theta):
        return -X.T @ (y / (1 + np.exp(y * (X @ theta)))) + 0.5 * theta

    path = gradient_descent(gradient, np.zeros(3), 0.02, 30)
    np.testing.assert_allclose(model.coef_, path[-1], rtol=1e-12)


def test_the_gradient_has_the_derivative_in_every_coordinate():
    z = sympy.symbols("z1:4")
    f = z[0] ** 2 + 3 * z[1] + sympy.sin(z[1] * z[2])
    gradient = [sympy.diff(f, one) for one in z]
    value, slopes = (sympy.lambdify(z, e, "numpy") for e in (f, gradient))
    at = np.random.default_rng(6).normal(size=3)
    np.testing.assert_allclose(slopes(*at), numerical_gradient(lambda x: value(*x), at).value)


def test_why_a_run_ended_is_told():
    def f(x):
        return float(x @ x)

    huge = GradientDescent(10.0).minimise(f, lambda x: 2 * x, [1e150])
    assert huge.reason == "diverged"
    flat = GradientDescent().minimise(lambda x: 1.0, lambda x: np.ones(1), [0.0])
    assert flat.reason == "stalled"
    plateau = GradientDescent(tol=1e-5).minimise(
        lambda w: 1 - math.exp(-float(w @ w)), lambda w: 2 * w * math.exp(-float(w @ w)), [4.0]
    )
    assert plateau.reason == "gradient"
    assert plateau.values[-1] > 0.99  # a small gradient is no small value


def test_where_a_descent_ends_depends_on_its_start():
    def f(w):
        return float((w[0] ** 2 - 1) ** 2 + 0.3 * w[0])

    def gradient(w):
        return 4 * w * (w**2 - 1) + 0.3

    right, left = (GradientDescent(0.01).minimise(f, gradient, [s]) for s in (1.2, -1.2))
    assert right.values[-1] > 0.29 > 0 > left.values[-1]


@pytest.mark.parametrize("seed", SEEDS)
def test_the_lazy_penalty_takes_the_same_path(seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(12, 6)) * (rng.random((12, 6)) < 0.4)
    y = rng.normal(size=12)
    options = {
        "penalty": float(rng.choice([0.0, 0.1, 5.0])),
        "schedule": step_schedule("inverse", 0.5, delay=2),
        "n_epochs": 5,
        "random_state": seed,
    }
    lazy, plain = (SGD(lambda y, s: s - y, lazy=b, **options).minimise(X, y) for b in (True, False))
    np.testing.assert_allclose(lazy, plain, rtol=1e-9, atol=1e-12)


def test_a_penalty_that_erases_the_weights_is_survived():
    X, y = np.eye(2), np.array([1.0, 2.0])
    options = {"penalty": 4.0, "schedule": step_schedule("constant", 0.5), "n_epochs": 3}
    lazy, plain = (
        SGD(lambda y, s: s - y, lazy=b, shuffle=False, **options).minimise(X, y)
        for b in (True, False)
    )
    np.testing.assert_allclose(lazy, plain)


@pytest.mark.parametrize("seed", range(20))
def test_the_mean_of_the_stochastic_gradients_is_the_gradient(seed):
    rng = np.random.default_rng(seed)
    n, X, y, w = 8, rng.normal(size=(8, 3)), rng.normal(size=8), rng.normal(size=3)
    penalty = 0.7
    whole = X.T @ (X @ w - y) + penalty * w
    shares = [(X[i] @ w - y[i]) * X[i] + penalty / n * w for i in range(n)]
    np.testing.assert_allclose(np.mean(shares, axis=0), whole / n)
    # one plain step of SGD on example i is a step against its share
    step = SGD(
        lambda y, s: s - y,
        penalty=penalty,
        schedule=step_schedule("constant", 0.01),
        n_epochs=1,
        shuffle=False,
        lazy=False,
    ).minimise(X[:1], y[:1], start=w)
    np.testing.assert_allclose(step, w - 0.01 * ((X[0] @ w - y[0]) * X[0] + penalty * w))


def test_the_weights_of_an_order_are_those_of_the_seed():
    X, y = np.random.default_rng(0).normal(size=(9, 2)), np.arange(9.0)
    first, second = (
        SGD(lambda y, s: s - y, random_state=s).minimise(X, y)
        for s in (3, np.random.default_rng(3))
    )
    np.testing.assert_array_equal(first, second)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_estimator_takes_the_steps_of_the_boxed_algorithm(seed):
    rng = np.random.default_rng(seed)
    n, X, y = 9, rng.normal(size=(9, 4)), rng.normal(size=9)
    penalty, schedule = float(rng.choice([0.0, 0.3])), step_schedule("inverse", 0.2, delay=3)

    def gradient(theta, i):
        return (X[i] @ theta - y[i]) * X[i] + penalty / n * theta

    path = sgd(gradient, np.zeros(4), n, schedule, 3, seed)
    options = {"penalty": penalty, "schedule": schedule, "n_epochs": 3, "random_state": seed}
    found = SGD(lambda y, s: s - y, **options).minimise(X, y)
    np.testing.assert_allclose(found, path[-1], rtol=1e-10, atol=1e-12)


def test_one_at_a_time_reaches_the_mean():
    points = np.random.default_rng(1).normal(size=40)
    path = sgd(lambda theta, i: theta - points[i], [0.0], 40, step_schedule("inverse"), 1, 0)
    assert path[-1, 0] == pytest.approx(points.mean())  # a/k with a = 1 averages exactly


def test_bad_input_is_named():
    with pytest.raises(ValueError, match="rate must be a positive number or 'backtracking'"):
        GradientDescent("newton")
    with pytest.raises(ValueError, match="start"):
        gradient_descent(lambda x: x, [[1.0]], 0.1, 1)
    with pytest.raises(ValueError, match="rate must be"):
        gradient_descent(lambda x: x, [1.0], -0.1, 1)
    with pytest.raises(ValueError, match="rates must be"):
        subgradient_descent(lambda x: abs(x[0]), np.sign, [1.0], [0.5, 0.0])
    with pytest.raises(ValueError, match="convexity"):
        strongly_convex_bound(1.0, 1.0, 2.0, 1)
    with pytest.raises(ValueError, match="start has 1 entries"):
        SGD(lambda y, s: s - y).minimise([[1.0, 2.0]], [1.0], start=[0.0])
    with pytest.raises(TypeError, match="slope must be a function of a label and a score"):
        SGD(3)
    with pytest.raises(ValueError, match="n_epochs"):
        SGD(lambda y, s: s - y, n_epochs=-1)
