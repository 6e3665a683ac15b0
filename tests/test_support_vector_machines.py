"""Support vector machines against other solvers, their theorems, and awkward data."""

from __future__ import annotations

import math
import warnings
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize
from scipy.stats import norm as normal
from sklearn.svm import SVC, LinearSVC

from mlnotes._solvers import linear_svm, sample_by_sample, svm_interior_point
from mlnotes._solvers import smo as smo_solver
from mlnotes.convex_duality import solve_quadratic_program
from mlnotes.data import make_xor
from mlnotes.exceptions import ConvergenceWarning, NotFittedError
from mlnotes.kernels import (
    gaussian_kernel,
    linear_kernel,
    polynomial_features,
    polynomial_kernel,
)
from mlnotes.perceptron import Perceptron, signed_distance
from mlnotes.support_vector_machines import (
    DualCoordinateSVM,
    KernelSVM,
    LinearSVM,
    SubgradientSVM,
    canonicalise,
    dual_coordinate_ascent,
    dual_objective,
    hinge_loss,
    hinge_subgradient,
    logistic_loss,
    offset_interval,
    pegasos,
    primal_objective,
    smo,
    squared_hinge_loss,
    svm_kkt_residuals,
)

FOUR = np.array([[1.0, 0], [2, 1], [-1, 0], [-2, -1]]), np.array([1, 1, -1, -1])
FREE_OFFSET = [LinearSVM, lambda **k: KernelSVM(kernel="linear", tol=1e-8, **k)]
MARGINS = np.linspace(-3, 3, 61)


def noisy(seed: int, n: int = 30, d: int = 2) -> tuple[Any, Any]:
    """Two overlapping clouds."""
    rng = np.random.default_rng(seed)
    y = np.where(rng.uniform(size=n) < 0.5, 1, -1)
    y[:2] = 1, -1
    return rng.normal(size=(n, d)) + y[:, None], y


def separated(seed: int, n: int = 20, d: int = 2) -> tuple[Any, Any]:
    """Two clouds on both sides of a hyperplane."""
    X, y = noisy(seed, n, d)
    return X + 5.0 * y[:, None], y


def oracle(X: Any, y: Any, C: float) -> Any:
    """The soft margin as a general quadratic programme in weights, offset and slacks."""
    n, d = X.shape
    size = d + 1 + n
    P = np.zeros((size, size))
    P[:d, :d] = np.eye(d)
    q = np.r_[np.zeros(d + 1), np.full(n, C)]
    margins = np.hstack([-y[:, None] * X, -y[:, None], -np.eye(n)])
    slacks = np.hstack([np.zeros((n, d + 1)), -np.eye(n)])
    return solve_quadratic_program(
        P, q, np.vstack([margins, slacks]), np.r_[-np.ones(n), np.zeros(n)], tol=1e-9
    )


@pytest.mark.parametrize("made", FREE_OFFSET)
@pytest.mark.parametrize("C", [0.05, 1.0, 20.0])
def test_the_solution_is_that_of_the_quadratic_programme(made: Any, C: float) -> None:
    for seed in range(3):
        X, y = noisy(seed)
        model = made(C=C).fit(X, y)
        exact = oracle(X, y, C)
        assert model.objective_ == pytest.approx(exact.primal, rel=1e-6)
        theta = model.coef_ if hasattr(model, "coef_") else model.dual_coef_ @ X[model.support_]
        np.testing.assert_allclose(theta, exact.x[:2], atol=1e-4)


@given(st.integers(0, 10**6), st.sampled_from([0.03, 1.0, 50.0]), st.booleans())
@settings(max_examples=30, deadline=None)
def test_the_gap_is_closed_and_the_kkt_conditions_hold(seed: int, C: float, offset: bool) -> None:
    X, y = noisy(seed)
    model = LinearSVM(C=C, fit_intercept=offset).fit(X, y)
    assert 0 <= model.dual_gap_ <= 1e-10 * model.objective_
    assert max(model.kkt_residuals_) < 1e-4 * C
    assert ((model.alpha_ >= 0) & (model.alpha_ <= C)).all()
    value = primal_objective(X, y, model.coef_, model.intercept_, C=C)
    assert value == pytest.approx(model.objective_, rel=1e-9)
    if offset:
        assert abs(y @ model.alpha_) < 1e-8 * C
        assert dual_objective(linear_kernel(X), y, model.alpha_) <= value * (1 + 1e-12)


@given(st.integers(0, 10**6), st.sampled_from(["gaussian", "polynomial", "linear"]))
@settings(max_examples=30, deadline=None)
def test_smo_reaches_scikit_learns_dual_objective(seed: int, kernel: str) -> None:
    X, y = noisy(seed, n=40)
    model = KernelSVM(kernel=kernel, C=3.0, bandwidth=1.5, tol=1e-8).fit(X, y)
    name = {"gaussian": "rbf", "polynomial": "poly", "linear": "linear"}[kernel]
    gamma = 1 / (2 * 1.5**2) if kernel == "gaussian" else 1.0
    theirs = SVC(C=3.0, kernel=name, gamma=gamma, coef0=1.0, degree=2, tol=1e-8).fit(X, y)
    gram = {
        "gaussian": gaussian_kernel(X, bandwidth=1.5),
        "polynomial": polynomial_kernel(X),
        "linear": linear_kernel(X),
    }[kernel]
    alpha = np.zeros(len(y))
    alpha[theirs.support_] = np.abs(theirs.dual_coef_[0])
    assert model.dual_objective_ == pytest.approx(dual_objective(gram, y, alpha), rel=1e-6)
    assert dual_objective(gram, y, model.alpha_) == pytest.approx(model.dual_objective_, rel=1e-9)
    assert model.dual_gap_ <= 1e-8 * model.objective_
    np.testing.assert_allclose(
        model.decision_function(X) - model.intercept_,
        theirs.decision_function(X) - theirs.intercept_[0],
        atol=1e-3,
    )


def test_shrinking_a_small_cache_and_many_points_change_nothing() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(1500, 4))
    y = np.where(X[:, 0] * X[:, 1] + 0.3 * rng.normal(size=1500) > 0, 1, -1)
    theirs = SVC(C=5.0, tol=1e-5).fit(X, y)
    for settings_ in ({}, {"cache_size": 0.1}, {"tol": 1e-6}):
        model = KernelSVM(C=5.0, **settings_).fit(X, y)
        gram = gaussian_kernel(X, bandwidth=model.bandwidth_)
        alpha = np.zeros(len(y))
        alpha[theirs.support_] = np.abs(theirs.dual_coef_[0])
        assert model.dual_objective_ == pytest.approx(dual_objective(gram, y, alpha), rel=1e-6)
        assert model.dual_gap_ <= model.tol * model.objective_
        # The gap that was reported is the gap of these multipliers.
        margins = y * model.decision_function(X)
        beta = y * model.alpha_
        primal = 0.5 * beta @ gram @ beta + 5.0 * hinge_loss(margins).sum()
        assert primal == pytest.approx(model.objective_, rel=1e-9)


def test_the_default_bandwidth_is_scikit_learns_scale() -> None:
    X, y = noisy(0)
    assert 1 / (2 * KernelSVM().fit(X, y).bandwidth_ ** 2) == pytest.approx(1 / (2 * X.var()))


def test_a_default_bandwidth_that_follows_the_means_alone_is_warned_of() -> None:
    X, y = noisy(0)
    far = X + np.array([0.0, 100.0])[: X.shape[1]]
    with pytest.warns(UserWarning, match=r"default bandwidth.*99\.5% .*Subtract the means first"):
        KernelSVM().fit(far, y)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        KernelSVM(bandwidth=1.0).fit(far, y)
        KernelSVM().fit(X + 100.0, y)  # one mean of all features
        KernelSVM().fit(np.tile([0.0, 100.0], (len(y), 1)), y)  # nothing to tell apart


@given(st.integers(0, 10**6))
@settings(max_examples=15, deadline=None)
def test_the_hard_margin_is_the_largest_distance(seed: int) -> None:
    X, y = separated(seed)
    model = LinearSVM(C=math.inf).fit(X, y)
    distances = y * signed_distance(X, model.coef_, model.intercept_)
    assert distances.min() == pytest.approx(model.margin_, rel=1e-6)
    assert model.coef_ @ model.coef_ == pytest.approx(model.alpha_.sum(), rel=1e-5)
    best = 0.0
    for angle in np.linspace(0, 2 * np.pi, 721):
        scores = X @ [np.cos(angle), np.sin(angle)]
        best = max(best, 0.5 * (scores[y > 0].min() - scores[y < 0].max()))
    assert best <= model.margin_ * (1 + 1e-9)
    assert best == pytest.approx(model.margin_, rel=1e-2)
    assert model.margin_ >= (y * signed_distance(X, *_perceptron(X, y))).min()


def _perceptron(X: Any, y: Any) -> tuple[Any, float]:
    found = Perceptron().fit(X, y)
    return found.coef_, found.intercept_


def test_from_the_largest_multiplier_on_the_price_does_not_matter() -> None:
    X, y = FOUR
    expected = {0.1: 0.44, 0.4: 0.8, 0.5: 1.0, 0.6: 1.0, 10.0: 1.0, math.inf: 1.0}
    for C, first in expected.items():
        model = LinearSVM(C=C).fit(X, y)
        assert model.coef_[0] == pytest.approx(first, abs=1e-4)
    np.testing.assert_allclose(model.alpha_, [0.5, 0, 0.5, 0], atol=1e-6)
    assert (model.objective_, model.dual_objective_) == (pytest.approx(0.5), pytest.approx(0.5))


@given(st.integers(0, 10**6))
@settings(max_examples=15, deadline=None)
def test_slack_falls_and_the_norm_grows_with_the_price(seed: int) -> None:
    X, y = noisy(seed)
    slacks, norms = [], []
    for C in (0.01, 0.1, 1.0, 10.0, 100.0):
        model = LinearSVM(C=C).fit(X, y)
        slacks.append(hinge_loss(y * model.decision_function(X)).sum())
        norms.append(model.coef_ @ model.coef_)
    assert (np.diff(slacks) <= 1e-6 * (1 + np.array(slacks[1:]))).all()
    assert (np.diff(norms) >= -1e-6 * (1 + np.array(norms[1:]))).all()


def test_the_number_of_errors_may_grow_with_the_price() -> None:
    X = np.array(
        [
            [-0.6, -1.4], [-1.7, 1], [-0.6, 5.5], [3.7, -0.4], [-0.7, 3.4], [-3.8, -0.9],
            [1.9, -1.8], [-1, -0.7], [1.3, 0.3],
        ]
    )  # fmt: skip
    y = np.array([1, -1, -1, 1, -1, -1, -1, -1, 1])
    errors = [int((LinearSVM(C=C).fit(X, y).predict(X) != y).sum()) for C in (0.1, 0.5)]
    assert errors == [2, 3]


@pytest.mark.parametrize("made", FREE_OFFSET)
def test_the_offset_need_not_be_unique(made: Any) -> None:
    model = made(C=0.25).fit([[1.0], [-1.0]], [1, -1])
    assert model.offset_interval_ == (pytest.approx(-0.5), pytest.approx(0.5))
    assert model.intercept_ == pytest.approx(0.0, abs=1e-9)
    for offset in (-0.5, 0.0, 0.3, 0.5):
        value = primal_objective([[1.0], [-1.0]], [1, -1], [0.5], offset, C=0.25)
        assert value == pytest.approx(0.375)
    assert primal_objective([[1.0], [-1.0]], [1, -1], [0.5], 0.51, C=0.25) > 0.3751


@given(st.integers(0, 10**6))
@settings(max_examples=15, deadline=None)
def test_refitting_on_the_support_vectors_keeps_the_weights(seed: int) -> None:
    X, y = noisy(seed, n=40)
    model = LinearSVM().fit(X, y)
    again = LinearSVM().fit(X[model.support_], y[model.support_])
    np.testing.assert_allclose(again.coef_, model.coef_, atol=1e-4)
    assert again.objective_ == pytest.approx(model.objective_, rel=1e-8)


def test_a_support_vector_may_be_moved_without_effect() -> None:
    y = np.array([1, 1, 1, -1])
    for third in ([1.0, 0.0], [1.0, 0.4], [5.0, 0.0], [3.0, 7.0]):
        X = np.array([[1.0, -1], [1, 1], third, [-1, 0]])
        model = LinearSVM(C=math.inf).fit(X, y)
        np.testing.assert_allclose([*model.coef_, model.intercept_], [1, 0, 0], atol=1e-5)


@given(st.integers(0, 10**6))
@settings(max_examples=15, deadline=None)
def test_moving_all_points_moves_only_the_offset(seed: int) -> None:
    X, y = noisy(seed)
    shift = np.array([1e6, -3e5])
    here, there = LinearSVM().fit(X, y), LinearSVM().fit(X + shift, y)
    np.testing.assert_allclose(there.coef_, here.coef_, atol=1e-4)
    np.testing.assert_allclose(
        there.decision_function(X + shift), here.decision_function(X), atol=1e-3
    )
    scaled = LinearSVM(C=1e-8).fit(1e4 * X, y)
    np.testing.assert_allclose(1e4 * scaled.coef_, here.coef_, atol=1e-6)


@pytest.mark.parametrize("far", [1e4, 1e9, 1e60])
def test_samples_far_apart_keep_their_gaussian_kernel(far: float) -> None:
    near = np.array([[0.0], [1.0], [2.0], [3.0]])
    X = np.vstack([near, far + far * near])
    y = np.tile([0, 1], 4)
    model = KernelSVM(bandwidth=0.5, C=10.0).fit(X, y)
    alone = KernelSVM(bandwidth=0.5, C=10.0).fit(near, y[:4])
    assert model.score(X, y) == 1.0
    gram = np.exp(-2 * (near - near.T) ** 2)
    expected = gram @ model.dual_coef_[: len(near)] + model.intercept_
    np.testing.assert_allclose(model.decision_function(near), expected, atol=1e-8)
    # What is far away changes these scores only through the common offset.
    moved = alone.decision_function(near) - alone.intercept_
    np.testing.assert_allclose(expected - model.intercept_, moved, atol=0.1)


@pytest.mark.parametrize("kernel", ["linear", "polynomial", "gaussian"])
def test_a_kernel_beyond_any_float_is_refused(kernel: str) -> None:
    X = 1e200 * np.array([[0.0, 1.0], [1.0, 3.0], [5.0, 4.0], [6.0, 7.0]])
    with pytest.raises(ValueError, match=f"the {kernel} kernel of these samples exceeds any float"):
        KernelSVM(kernel=kernel, bandwidth=1.0).fit(X, [0, 0, 1, 1])


@pytest.mark.parametrize("far", [1e6, 1e7, 1e8])
def test_the_linear_kernel_sees_no_difference_far_from_the_origin(far: float) -> None:
    X, y = far + np.arange(4.0)[:, None], [0, 1, 0, 1]
    kernel, linear = KernelSVM(kernel="linear").fit(X, y), LinearSVM().fit(X, y)
    assert kernel.objective_ == pytest.approx(26 / 9, rel=1e-6)
    assert linear.objective_ == pytest.approx(26 / 9, rel=1e-6)
    np.testing.assert_allclose(kernel.decision_function(X), [-1, -1 / 3, 1 / 3, 1], atol=1e-6)
    assert kernel.intercept_ == pytest.approx(linear.intercept_, rel=1e-6)


@pytest.mark.parametrize("far", [1e6, 1e8])
def test_a_kernel_whose_digits_are_lost_is_not_certified(far: float) -> None:
    # Centring would change the polynomial, so that the points must be taken as they are.
    X, y = far + np.arange(4.0)[:, None], [0, 1, 0, 1]
    with pytest.warns(ConvergenceWarning, match="rounding may move the objective"):
        model = KernelSVM(kernel="polynomial").fit(X, y)
    assert model.dual_objective_ <= 2.7 <= model.objective_
    near = KernelSVM(kernel="polynomial").fit(np.arange(4.0)[:, None], y)
    assert near.dual_gap_ <= 1e-3 * near.objective_


@given(st.integers(0, 10**6), st.sampled_from(["gaussian", "polynomial", "linear"]))
@settings(max_examples=20, deadline=None)
def test_the_evidence_of_a_kernel_machine_belongs_to_its_multipliers(
    seed: int, kernel: str
) -> None:
    X, y = noisy(seed)
    model = KernelSVM(kernel=kernel, bandwidth=1.0, C=2.0).fit(X, y)
    gram = {
        "gaussian": gaussian_kernel(X),
        "polynomial": polynomial_kernel(X),
        "linear": linear_kernel(X),
    }[kernel]
    beta = y * model.alpha_
    margins = y * (gram @ beta + model.intercept_)
    slack = hinge_loss(margins)
    value = 0.5 * beta @ gram @ beta + 2.0 * slack.sum()
    assert model.objective_ == pytest.approx(value, rel=1e-9)
    assert model.dual_objective_ == pytest.approx(dual_objective(gram, y, model.alpha_), rel=1e-9)
    found = model.kkt_residuals_
    assert found.stationarity == pytest.approx(abs(beta.sum()), abs=1e-12)
    assert (found.primal, found.dual) == (0.0, 0.0)
    products = np.maximum(model.alpha_ * np.abs(margins - 1 + slack), (2 - model.alpha_) * slack)
    assert found.complementarity == pytest.approx(products.max(), abs=1e-9)
    # The gap is the products, summed (their exercise in the chapter): none of them exceeds it.
    assert found.complementarity <= model.dual_gap_ + 1e-9


def test_kkt_residuals_detect_unbalanced_multipliers(monkeypatch: pytest.MonkeyPatch) -> None:
    solver = linear_svm.solve_margin

    def unbalanced(Z: Any, labels: Any, *rest: Any) -> Any:
        found = solver(Z, labels, *rest)
        alpha = np.where(labels > 0, found.alpha / 2, found.alpha)
        return found._replace(alpha=alpha, theta=alpha @ Z)

    monkeypatch.setattr(linear_svm, "solve_margin", unbalanced)
    X, y = noisy(0)
    with pytest.warns(ConvergenceWarning, match="duality gap"):
        model = LinearSVM().fit(X, y)
    assert abs(y @ model.alpha_) > 1
    assert model.kkt_residuals_.stationarity >= abs(y @ model.alpha_)


@given(st.integers(0, 10**6), st.sampled_from(["gaussian", "polynomial", "linear"]))
@settings(max_examples=15, deadline=None)
def test_smo_stops_where_the_three_cases_hold(seed: int, kernel: str) -> None:
    X, y = noisy(seed)
    model = KernelSVM(kernel=kernel, bandwidth=1.0, C=2.0, tol=1e-9).fit(X, y)
    margins, alpha = y * model.decision_function(X), model.alpha_
    assert (margins[alpha < 1e-7] >= 1 - 1e-4).all()
    assert (margins[alpha > 2 - 1e-7] <= 1 + 1e-4).all()
    inside = (alpha > 1e-7) & (alpha < 2 - 1e-7)
    np.testing.assert_allclose(margins[inside], 1, atol=1e-4)


HARD = {
    "far from the origin": ("linear", [[1000.0], [1001.0]], [0, 1], 2.0),
    "farther": ("linear", [[1e8], [1e8 + 2]], [0, 1], 0.5),
    "a narrow gap": (
        "linear", [[1, 1e-3], [-1, 1e-3], [1, -1e-3], [-1, -1e-3]], [0, 0, 1, 1], 5e5,
    ),
    "close to each other": ("gaussian", [[0.0], [1e-3]], [0, 1], 1 / -math.expm1(-5e-7)),
    "small": ("linear", [[1e-9], [-1e-9]], [0, 1], 5e17),
    "large": ("linear", [[1e9], [-1e9]], [0, 1], 5e-19),
}  # fmt: skip


@pytest.mark.parametrize("name", HARD)
def test_a_hard_margin_is_found_wherever_and_however_small_it_is(name: str) -> None:
    kernel, X, y, value = HARD[name]
    model = KernelSVM(kernel=kernel, C=math.inf, bandwidth=1.0).fit(X, y)
    assert model.objective_ == pytest.approx(value, rel=1e-3)
    assert model.dual_objective_ == pytest.approx(value, rel=1e-3)
    assert (model.predict(X) == y).all()
    assert model.offset_interval_[0] == model.offset_interval_[1] == model.intercept_
    assert model.kkt_residuals_.primal < 1e-3


def test_the_hard_margin_of_a_kernel_is_that_of_its_features() -> None:
    X, y = make_xor(60, noise=0.25, random_state=0)
    implicit = KernelSVM(kernel="polynomial", C=math.inf, tol=1e-6).fit(X, y)
    explicit = LinearSVM(C=math.inf).fit(polynomial_features(X), y)
    assert implicit.objective_ == pytest.approx(explicit.objective_, rel=1e-5)
    weights = np.arange(60) % 3 + 1.0
    weighted = KernelSVM(kernel="polynomial", C=math.inf, tol=1e-6).fit(X, y, weights)
    assert weighted.objective_ == pytest.approx(explicit.objective_, rel=1e-5)


@pytest.mark.parametrize(
    ("kernel", "X", "y"),
    [
        ("polynomial", np.arange(5.0)[:, None], [0, 1, 0, 1, 0]),
        ("gaussian", [[0.0], [1e-9]], [0, 1]),
        ("gaussian", [[0.0], [0.0], [1.0]], [0, 1, 1]),
        ("linear", [[1e8], [1e8 + 1], [1e8 + 2]], [0, 1, 0]),
    ],
)
def test_a_margin_below_rounding_is_refused(kernel: str, X: Any, y: Any) -> None:
    with pytest.raises(ValueError, match="no surface of this kernel separates"):
        KernelSVM(kernel=kernel, C=math.inf, bandwidth=1.0).fit(X, y)


def _constant(value: float) -> Any:
    return lambda A, B: np.full((len(A), len(B)), value)


@pytest.mark.parametrize(
    ("gram", "words"),
    [
        ([[-1.0, 0.0], [0.0, -1.0]], "a squared length, is -1"),
        ([[1.0, 5.0], [0.0, 1.0]], "not symmetric"),
        ([[1.0, 5.0], [5.0, 1.0]], "a squared distance, is -8"),
        ([[1, 0.9, 0.9], [0.9, 1, -0.1], [0.9, -0.1, 1]], "has the eigenvalue"),
    ],
)
def test_a_matrix_that_is_no_gram_matrix_is_refused(gram: Any, words: str) -> None:
    y = [0, 1, 1][: len(gram)]
    with pytest.raises(ValueError, match=words):
        KernelSVM(kernel="precomputed").fit(gram, y)
    with pytest.raises(ValueError, match=words):
        KernelSVM(kernel=lambda A, B: np.array(gram)[np.ix_(_row(A), _row(B))]).fit(
            np.arange(len(gram))[:, None], y
        )


def _row(points: Any) -> Any:
    return points[:, 0].astype(int)


def test_a_kernel_must_return_finite_numbers_and_keep_its_promise_beyond_the_first_points() -> None:
    X, y = noisy(0, n=300)
    with pytest.raises(ValueError, match="not finite"):
        KernelSVM(kernel=_constant(math.nan)).fit(X, y)

    def late(A: Any, B: Any) -> Any:
        """A kernel for the first 200 points only."""
        far = (np.abs(A).max(axis=1) > 50)[:, None] & (np.abs(B).max(axis=1) > 50)
        apart = (A[:, None] != B).any(axis=2)
        return np.where(far & apart, 9.0, gaussian_kernel(A, B))

    X[250:] += 100
    with pytest.raises(ValueError, match="a squared distance"):
        KernelSVM(kernel=late).fit(X, y)


def test_fewer_points_than_dimensions() -> None:
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(10, 40)), np.array([1, -1] * 5)
    wide, kernel = LinearSVM().fit(X, y), KernelSVM(kernel="linear").fit(X, y)
    assert wide.objective_ == pytest.approx(kernel.objective_, rel=1e-6)
    np.testing.assert_allclose(wide.decision_function(X), kernel.decision_function(X), atol=1e-4)


def test_duplicate_points_with_opposite_labels() -> None:
    X, y = [[0.0], [0.0], [1.0], [-1.0]], [1, -1, 1, -1]
    for made in FREE_OFFSET:
        model = made(C=1.0).fit(X, y)
        assert model.dual_gap_ <= 1e-3 * model.objective_
        np.testing.assert_allclose(model.decision_function([[1.0], [-1.0]]), [1, -1], atol=1e-4)
    constant = LinearSVM().fit([[2.0], [2.0], [2.0]], [1, -1, 1])
    np.testing.assert_allclose(constant.coef_, 0, atol=1e-12)
    assert constant.margin_ > 1e6
    assert constant.predict([[2.0]]) == [1]
    assert KernelSVM().fit([[2.0], [2.0], [2.0]], [1, -1, 1]).predict([[2.0]]) == [1]


@pytest.mark.parametrize("made", [*FREE_OFFSET, KernelSVM])
@pytest.mark.parametrize("value", [0.0, 0.1, 1e6 / 3])
def test_points_that_do_not_differ_leave_the_offset_to_the_larger_class(
    made: Any, value: float
) -> None:
    # The mean of equal numbers is rounded, and must not give them a spread. Warnings are errors.
    X, y = np.full((30, 2), value), np.repeat([1, -1], [18, 12])
    model = made(C=3.0).fit(X, y)
    assert model.objective_ == pytest.approx(72.0)
    assert model.dual_objective_ == pytest.approx(72.0)
    np.testing.assert_allclose(model.decision_function(X), 1.0)
    if isinstance(model, LinearSVM):
        assert (model.coef_ == 0).all()
    if model.get_params().get("kernel") == "gaussian":
        assert model.bandwidth_ == 1.0


@pytest.mark.parametrize("C", [1e-6, 1e-12, 1e-20, 1e-30])
def test_slack_may_be_as_cheap_as_one_likes(C: float) -> None:
    X, y = noisy(0)
    y[:12] = 1
    model = LinearSVM(C=C).fit(X, y)  # warnings are errors
    assert model.n_iter_ <= 12
    assert model.dual_gap_ <= 1e-10 * model.objective_
    assert model.objective_ == pytest.approx(2 * C * (y < 0).sum(), rel=1e-4)


def cheapest_weights(rare: Any, common: Any, most: float | None) -> Any:
    """The weights over C as C vanishes: the multipliers of the rarer class are all C.

    Those of the other class, each at most ``most`` times C, have the same sum and the least length.
    """
    whole = rare.sum(axis=0)
    found = minimize(
        lambda shares: 0.5 * float(((shares @ common - whole) ** 2).sum()),
        np.full(len(common), len(rare) / len(common)),
        jac=lambda shares: common @ (shares @ common - whole),
        bounds=[(0, most)] * len(common),
        constraints={"type": "eq", "fun": lambda shares: shares.sum() - len(rare)},
        method="SLSQP",
        options={"ftol": 1e-14},
    )
    return found.x @ common - whole


@pytest.mark.parametrize("C", [1e-3, 1e-5, 1e-8, 1e-12, 1e-20, 1e-140])
def test_below_some_price_the_weights_are_proportional_to_it(C: float) -> None:
    X, y = noisy(0)
    y[:12] = 1
    limit = cheapest_weights(X[y < 0], X[y > 0], 1.0)
    kernel = KernelSVM(kernel="linear", C=C).fit(X, y)
    for coef in (LinearSVM(C=C).fit(X, y).coef_, kernel.dual_coef_ @ kernel.support_vectors_):
        np.testing.assert_allclose(coef / C, limit, rtol=1e-5)


@pytest.mark.filterwarnings("ignore::mlnotes.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("weight", [1e-5, 1e-12, 1e-140])
def test_a_class_of_little_weight_costs_no_digits(weight: float) -> None:
    X, y = noisy(0)
    y[:12] = 1
    X = X + 2 * y[:, None]
    limit = cheapest_weights(X[y < 0], X[y > 0], None)
    model = LinearSVM().fit(X, y, sample_weight=np.where(y < 0, weight, 1.0))
    np.testing.assert_allclose(model.coef_ / weight, limit, rtol=1e-4)
    # All but the few are on the side of the many.
    assert model.intercept_ == pytest.approx(1, abs=100 * weight)
    low, high = model.offset_interval_
    assert low <= high


@pytest.mark.parametrize("made", [LinearSVM, KernelSVM, DualCoordinateSVM, SubgradientSVM])
def test_a_price_whose_square_floats_cannot_hold_is_refused(made: Any) -> None:
    for C in (1e-200, 1e200):
        with pytest.raises(ValueError, match=r"C must be .* 1e-150 and at most 1e\+150, got 1e"):
            made(C=C).fit(*FOUR)


@pytest.mark.parametrize("made", [LinearSVM, lambda **k: KernelSVM(kernel="linear", **k)])
def test_an_infinite_price_needs_separable_data(made: Any) -> None:
    with pytest.raises(ValueError, match=r"hard margin \(C=inf\) has no solution"):
        made(C=math.inf).fit([[0.0], [1.0], [2.0]], [1, -1, 1])
    X, y = FOUR
    assert made(C=math.inf).fit(X, y).objective_ == pytest.approx(0.5, rel=1e-5)


def test_a_failed_hard_margin_leaves_the_machine_unfitted() -> None:
    model = KernelSVM(kernel="linear", C=math.inf)
    with pytest.raises(ValueError, match="C=inf"):
        model.fit([[0.0], [1.0], [2.0]], [1, -1, 1])
    with pytest.raises(NotFittedError):
        model.predict([[0.0]])


def test_weights_multiply_the_price_of_slack() -> None:
    X, y = noisy(3)
    weights = np.random.default_rng(0).integers(0, 3, size=len(y))
    weights[:2] = 1
    repeated = np.repeat(np.arange(len(y)), weights)
    for made in (LinearSVM, KernelSVM):
        weighted = made().fit(X, y, sample_weight=weights)
        plain = made().fit(X[repeated], y[repeated])
        np.testing.assert_allclose(
            weighted.decision_function(X), plain.decision_function(X), atol=1e-4
        )
        assert (weighted.alpha_[weights == 0] == 0).all()
        with pytest.raises(ValueError, match="of at least two classes"):
            made().fit(X, y, sample_weight=(y > 0).astype(float))


def test_a_kernel_may_be_a_function_or_its_matrix() -> None:
    X, y = noisy(1, n=40)
    new = noisy(2, n=7)[0]
    named = KernelSVM(kernel="polynomial", C=2.0).fit(X, y)
    called = KernelSVM(kernel=polynomial_kernel, C=2.0).fit(X, y)
    matrix = KernelSVM(kernel="precomputed", C=2.0).fit(polynomial_kernel(X), y)
    explicit = LinearSVM(C=2.0).fit(polynomial_features(X), y)
    expected = named.decision_function(new)
    np.testing.assert_allclose(called.decision_function(new), expected, atol=1e-6)
    np.testing.assert_allclose(
        matrix.decision_function(polynomial_kernel(new, X)), expected, atol=1e-6
    )
    np.testing.assert_allclose(
        explicit.decision_function(polynomial_features(new)), expected, atol=1e-3
    )
    assert matrix.__sklearn_tags__().input_tags.pairwise
    half = KernelSVM(kernel="precomputed").fit(polynomial_kernel(X), y, np.arange(40) % 3)
    assert half.dual_gap_ <= 1e-3 * half.objective_


def test_a_narrow_gaussian_machine_is_a_nearest_neighbour_rule() -> None:
    X, y = noisy(5, n=40)
    model = KernelSVM(bandwidth=0.02, C=10.0).fit(X, y)
    close = X + 0.005
    nearest = ((close[:, None] - X) ** 2).sum(axis=2).argmin(axis=1)
    np.testing.assert_array_equal(model.predict(close), y[nearest])


def test_the_quadratic_kernel_solves_noisy_xor_down_to_the_bayes_error() -> None:
    spread = 0.5
    train, test = (make_xor(n, noise=spread, random_state=n) for n in (400, 4000))
    linear = LinearSVM().fit(train.X, train.y).score(test.X, test.y)
    quadratic = KernelSVM(kernel="polynomial").fit(train.X, train.y).score(test.X, test.y)
    bayes = 2 * normal.cdf(-1 / spread) * normal.cdf(1 / spread)
    assert linear < 0.75
    assert 1 - quadratic == pytest.approx(bayes, abs=0.02)


def test_noise_makes_support_vectors_and_a_bandwidth_must_be_chosen() -> None:
    used, moved = [], []
    for noise in (0.2, 0.4, 0.8):
        model = KernelSVM(bandwidth=0.7).fit(*make_xor(400, noise=noise, random_state=0))
        used.append(len(model.support_))
        moved.append(model.n_iter_)
    assert used == sorted(used)
    assert used[0] < used[-1] / 3
    assert moved[0] < moved[-1]
    X, y = make_xor(200, noise=0.5, random_state=0)
    new = make_xor(2000, noise=0.5, random_state=1)
    fold = np.arange(200) // 4 % 5

    def missed(width: float) -> float:
        parts = [
            KernelSVM(bandwidth=width).fit(X[fold != k], y[fold != k]).predict(X[fold == k])
            for k in range(5)
        ]
        return float(
            np.mean(np.concatenate(parts) != np.concatenate([y[fold == k] for k in range(5)]))
        )

    errors = {
        width: (missed(width), 1 - KernelSVM(bandwidth=width).fit(X, y).score(*new))
        for width in (0.05, 0.7, 20.0)
    }
    assert min(errors, key=lambda w: errors[w][0]) == min(errors, key=lambda w: errors[w][1]) == 0.7
    assert errors[0.7][1] < 0.1 < min(errors[0.05][1], errors[20.0][1])


@given(st.integers(0, 10**6))
@settings(max_examples=10, deadline=None)
def test_dual_coordinate_descent_solves_the_problem_with_a_penalised_offset(seed: int) -> None:
    X, y = noisy(seed)
    model = DualCoordinateSVM(tol=1e-7).fit(X, y)
    augmented = LinearSVM(fit_intercept=False).fit(np.hstack([X, np.ones((len(X), 1))]), y)
    assert model.objective_ == pytest.approx(augmented.objective_, rel=1e-6)
    theirs = LinearSVC(loss="hinge", tol=1e-8, max_iter=10**6).fit(X, y)
    np.testing.assert_allclose(model.coef_, theirs.coef_[0], atol=1e-2)
    assert max(model.kkt_residuals_) < 1e-2


def test_a_penalised_offset_is_another_problem() -> None:
    X, y = np.array([[10.0], [11], [13], [14]]), np.array([-1, -1, 1, 1])
    free, merged = LinearSVM(C=0.01).fit(X, y), DualCoordinateSVM(C=0.01).fit(X, y)
    assert -free.intercept_ / free.coef_[0] == pytest.approx(12.0, abs=1e-3)
    assert (free.predict(X) == y).all()
    assert (merged.predict(X) != y).sum() == 2


@given(st.integers(0, 10**6))
@settings(max_examples=10, deadline=None)
def test_subgradient_descent_keeps_a_feasible_dual_point(seed: int) -> None:
    X, y = noisy(seed)
    model = SubgradientSVM(C=0.5, tol=0.02).fit(X, y)
    exact = DualCoordinateSVM(C=0.5, tol=1e-6).fit(X, y)
    assert ((model.alpha_ >= 0) & (model.alpha_ <= 0.5)).all()
    assert model.dual_objective_ <= exact.objective_ * (1 + 1e-9)
    assert exact.objective_ <= model.objective_ <= 1.03 * exact.objective_
    assert model.kkt_residuals_.stationarity < 1e-9


class Replayed(np.random.Generator):
    """A generator that returns the orders in which the estimator visits its samples."""

    def __init__(self, seed: int) -> None:
        super().__init__(np.random.PCG64(seed))
        self.seed = int(np.random.default_rng(seed).integers(2**sample_by_sample.BITS))
        self.order: list[int] = []

    def permutation(self, n: int) -> Any:  # type: ignore[override]
        self.order = self.order or list(range(n))
        self.seed = sample_by_sample._shuffle(self.order, n, self.seed)
        assert sorted(self.order) == list(range(n))
        return np.array(self.order)


def test_subgradient_descent_is_the_algorithm_of_the_chapter() -> None:
    for seed in range(50):
        X, y = noisy(seed, n=25)
        with pytest.warns(ConvergenceWarning, match="duality gap"):
            model = SubgradientSVM(C=0.7, tol=1e-12, max_iter=7, random_state=seed).fit(X, y)
        theta = pegasos(X, y, C=0.7, n_passes=7, random_state=Replayed(seed))
        np.testing.assert_allclose([*model.coef_, model.intercept_], theta, atol=1e-12)


@pytest.mark.parametrize("cls", [DualCoordinateSVM, SubgradientSVM, LinearSVM, KernelSVM])
def test_a_run_that_is_too_short_says_so(cls: Any) -> None:
    X, y = noisy(0)
    with pytest.warns(ConvergenceWarning, match="duality gap"):
        cls(max_iter=1, tol=1e-9).fit(X, y)


def test_a_short_run_counts_the_pairs_it_moved() -> None:
    X, y = noisy(0, n=300)
    with pytest.warns(ConvergenceWarning, match="stopped after 40 iterations"):
        model = KernelSVM(max_iter=40, tol=1e-9).fit(X, y)
    assert model.n_iter_ == 40
    with pytest.warns(ConvergenceWarning, match="gap of inf"):
        KernelSVM(kernel="polynomial", C=math.inf, max_iter=1).fit(*make_xor(20, random_state=0))


@pytest.mark.parametrize("cls", [DualCoordinateSVM, SubgradientSVM])
def test_solvers_for_a_finite_price_say_who_takes_an_infinite_one(cls: Any) -> None:
    with pytest.raises(ValueError, match=r"C must be .*, got inf; .* use LinearSVM\(C=inf\)"):
        cls(C=math.inf).fit(*FOUR)
    with pytest.raises(ValueError, match="random_state must be a nonnegative integer"):
        cls(random_state="x").fit(*FOUR)


def test_a_point_at_the_origin_pays_in_full_without_an_offset() -> None:
    model = DualCoordinateSVM(C=2.0, fit_intercept=False).fit([[0.0], [1.0], [-1.0]], [1, 1, -1])
    assert model.alpha_[0] == 2.0
    assert model.intercept_ == 0.0


def test_losses_at_chosen_margins() -> None:
    np.testing.assert_array_equal(hinge_loss([-2, 0, 1, 3]), [3, 1, 0, 0])
    np.testing.assert_array_equal(squared_hinge_loss([-2, 0, 1, 3]), [9, 1, 0, 0])
    np.testing.assert_allclose(logistic_loss(0.0), math.log(2))
    wrong = MARGINS <= 0
    for loss in (hinge_loss, squared_hinge_loss, lambda z: logistic_loss(z) / math.log(2)):
        assert (loss(MARGINS) >= wrong).all()
        middle = loss(0.5 * (MARGINS[:-2] + MARGINS[2:]))
        assert (middle <= 0.5 * (loss(MARGINS[:-2]) + loss(MARGINS[2:])) + 1e-12).all()


def test_the_subgradient_is_the_gradient_where_there_is_one() -> None:
    X, y, theta, offset = np.array([[1.0, 2.0]]), [1], np.array([0.1, -0.2]), 0.05
    found = hinge_subgradient(X, y, theta, offset)[0]
    step = 1e-6
    for k, direction in enumerate(np.eye(3)):
        up = np.r_[theta, offset] + step * direction
        down = np.r_[theta, offset] - step * direction
        difference = hinge_loss(X @ up[:2] + up[2]) - hinge_loss(X @ down[:2] + down[2])
        assert found[k] == pytest.approx(difference[0] / (2 * step), abs=1e-6)


def test_only_a_separating_plane_has_a_canonical_form() -> None:
    X, y = FOUR
    theta, offset = canonicalise(X, y, [7.0, 0.0], 0.0)
    assert (y * (X @ theta + offset)).min() == pytest.approx(1.0)
    with pytest.raises(ValueError, match="strictly on its right side"):
        canonicalise([[1, 0], [0, 1], [-1, -1]], [1, 1, -1], [0.0, 1.0])


def test_offsets_are_the_weighted_quantile_of_the_kinks() -> None:
    rng = np.random.default_rng(0)
    for _ in range(20):
        scores, y = rng.normal(size=9), rng.choice([-1, 1], size=9)
        y[:2] = 1, -1
        prices = rng.integers(1, 4, size=9).astype(float)

        def cost(b: float, s: Any = scores, y: Any = y, C: Any = prices) -> float:
            return float(C @ hinge_loss(y * (s + b)))

        low, high = offset_interval(scores, y, prices)
        grid = np.linspace(-6, 6, 2001)
        best = min(map(cost, grid))
        assert cost(low) <= best + 1e-12
        assert cost(high) == pytest.approx(cost(low))
        assert cost(low - 1e-3) > cost(low)
        assert cost(high + 1e-3) > cost(high)
    # Whichever class is cheap: the other one decides, and its dearest point is at margin 1.
    for cheap in (1e-8, 1e-13, 1e-200):
        assert offset_interval([0.5, 1.0, 4.0], [1, 1, -1], [1.0, 1.0, cheap]) == (0.5, 0.5)
        assert offset_interval([0.5, 1.0, -4.0], [-1, -1, 1], [1.0, 1.0, cheap]) == (-2.0, -2.0)
    with pytest.raises(ValueError, match="one class"):
        offset_interval([1.0, 2.0], [1, 1])
    assert offset_interval([4.0, 1.0], [1, -1], C=math.inf) == (-3.0, -2.0)
    with pytest.raises(ValueError, match="no offset gives every margin 1"):
        offset_interval([1.0, 2.0], [1, -1], C=math.inf)


def test_residuals_name_what_fails() -> None:
    X, y = [[1.0], [-1.0]], [1, -1]
    assert svm_kkt_residuals(X, y, [1.0], 0.0, [0.5, 0.2]).stationarity == pytest.approx(0.3)
    assert svm_kkt_residuals(X, y, [1.0], 0.0, [0.5, 0.5], C=0.4).dual == pytest.approx(0.1)
    assert svm_kkt_residuals(X, y, [2.0], 0.0, [1.0, 1.0]).complementarity == 1.0
    hard = svm_kkt_residuals(X, y, [0.5], 0.0, [0.25, 0.25], C=math.inf)
    assert hard.primal == 0.5


def test_values_and_residuals_name_a_wrong_price_or_matrix() -> None:
    X, y = [[1.0], [-1.0]], [1, -1]
    for wrong, words in (
        ([1.0, 1.0, 1.0], "one for each of 2"), (-1.0, "C must be at least 0"),
        (math.nan, "C must be at least 0"), ("a", "C must hold numbers"),
    ):  # fmt: skip
        with pytest.raises(ValueError, match=words):
            primal_objective(X, y, [1.0], C=wrong)
        with pytest.raises(ValueError, match=words):
            offset_interval([1.0, -1.0], y, C=wrong)
        with pytest.raises(ValueError, match=words):
            svm_kkt_residuals(X, y, [1.0], 0.0, [0.5, 0.5], C=wrong)
    assert primal_objective(X, y, [1.0], C=math.inf) == 0.5
    assert primal_objective(X, y, [0.5], C=math.inf) == math.inf
    with pytest.raises(ValueError, match="gram must be square"):
        dual_objective([[1.0, 0.0]], [1], [0.5])


@pytest.mark.parametrize(
    ("settings_", "words"),
    [
        ({"C": 0.0}, "C must be a number of at least 1e-150"),
        ({"C": -math.inf}, "C must be a number of at least 1e-150"),
        ({"tol": 0.0}, "tol must be"),
        ({"max_iter": 0}, "max_iter must be"),
        ({"kernel": "cubic"}, "kernel must be 'gaussian', .* or a function"),
        ({"kernel": "precomputed"}, "square Gram matrix"),
        ({"kernel": lambda A, B: np.zeros(3)}, "one row for each of the first"),
        ({"bandwidth": -1.0}, "bandwidth must be"),
        ({"cache_size": 0.0}, "cache_size must be"),
    ],
)
def test_bad_parameters_are_named(settings_: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        KernelSVM(**settings_).fit(*FOUR)


def test_labels_may_be_any_two_values_and_must_be_two() -> None:
    X, _ = FOUR
    for cls in (LinearSVM, KernelSVM, DualCoordinateSVM, SubgradientSVM):
        model = cls().fit(X, ["b", "b", "a", "a"])
        assert model.predict(X).tolist() == ["b", "b", "a", "a"]
        with pytest.raises(ValueError, match="1 class"):
            cls().fit(X, [1, 1, 1, 1])


@pytest.mark.parametrize("kernel", ["linear", "gaussian", "polynomial"])
def test_the_estimator_finds_the_multipliers_of_smo_on_random_problems(kernel: str) -> None:
    for seed in range(20):
        X, y = noisy(seed, n=25)
        C = 10.0 ** (seed % 3 - 1)
        gram = {
            "linear": linear_kernel(X),
            "gaussian": gaussian_kernel(X),
            "polynomial": polynomial_kernel(X),
        }[kernel]
        alpha, offset = smo(gram, y, C=C, tol=1e-6)
        model = KernelSVM(kernel=kernel, C=C, bandwidth=1.0, tol=1e-9).fit(X, y)
        assert model.dual_objective_ == pytest.approx(dual_objective(gram, y, alpha), rel=1e-6)
        np.testing.assert_allclose(
            model.decision_function(X), gram @ (y * alpha) + offset, atol=1e-3 * max(1.0, C)
        )


def test_smo_refuses_what_is_no_gram_matrix() -> None:
    with pytest.raises(ValueError, match="gram must be square"):
        smo([[1.0, 2.0]], [1])
    with pytest.raises(ValueError, match="labels must be -1 or"):
        smo(np.eye(2), [0, 1])


@pytest.mark.parametrize("fit_intercept", [True, False])
def test_the_estimator_finds_what_dual_coordinate_ascent_finds(fit_intercept: bool) -> None:
    for seed in range(30):
        X, y = noisy(seed, n=20)
        C = 10.0 ** (seed % 3 - 3)
        theta, alpha = dual_coordinate_ascent(
            X, y, C=C, fit_intercept=fit_intercept, n_passes=100, random_state=seed
        )
        model = DualCoordinateSVM(C=C, fit_intercept=fit_intercept, tol=1e-10).fit(X, y)
        dual = alpha.sum() - 0.5 * theta @ theta
        assert (1 - 1e-3) * model.objective_ <= dual <= (1 + 1e-9) * model.objective_
        np.testing.assert_allclose(model.coef_, theta[:2], atol=0.05)
        assert ((alpha >= 0) & (alpha <= C)).all()


def test_a_coordinate_step_divides_by_the_squared_length_and_one_for_the_offset() -> None:
    # One visit of one point at 2 from zero weights: 1 / (4 + 1) with an offset, 1 / 4 without.
    point = [[2.0]]
    for fit_intercept, expected in ((True, 1 / 5), (False, 1 / 4)):
        _, alpha = dual_coordinate_ascent(point, [1], fit_intercept=fit_intercept, n_passes=1)
        assert alpha == pytest.approx([expected])


def test_pegasos_keeps_the_weights_of_the_lemma() -> None:
    X, y = noisy(3)
    Z = y[:, None] * np.column_stack([X, np.ones(len(X))])
    order = np.concatenate([rng.permutation(30) for rng in [np.random.default_rng(5)] * 4])
    total = np.zeros(3)
    for t, i in enumerate(order):
        if t == 0 or 2.0 * 30 / t * (Z[i] @ total) < 1:
            total += Z[i]
    theta = pegasos(X, y, C=2.0, n_passes=4, random_state=5)
    np.testing.assert_allclose(theta, 2.0 * 30 / len(order) * total, rtol=1e-9)


@pytest.mark.parametrize("solver", ["ascend_dual", "descend_subgradients"])
def test_compiled_loops_and_those_over_rows_agree(
    solver: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not sample_by_sample.compiles():
        pytest.skip("nothing is compiled here")
    run = getattr(sample_by_sample, solver)
    for seed in range(20):
        X, y = noisy(seed, n=15 + seed)
        Z = y[:, None] * X
        compiled = run(Z, 0.5, 1e-3, 200, np.random.default_rng(seed))
        with monkeypatch.context() as patch:
            patch.setattr(sample_by_sample, "compiles", lambda: False)
            plain = run(Z, 0.5, 1e-3, 200, np.random.default_rng(seed))
        np.testing.assert_allclose(compiled.theta, plain.theta, atol=1e-9)
        np.testing.assert_allclose(compiled.alpha, plain.alpha, atol=1e-9)
        assert compiled.gaps[-1] == pytest.approx(plain.gaps[-1], abs=1e-9)


def test_pairs_move_alike_with_and_without_compiled_loops(monkeypatch: pytest.MonkeyPatch) -> None:
    if not smo_solver.compiles():
        pytest.skip("nothing is compiled here")
    for n in (30, 450):
        X, y = noisy(1, n=n)
        compiled = KernelSVM(C=3.0).fit(X, y)
        with monkeypatch.context() as patch:
            patch.setattr(smo_solver, "compiles", lambda: False)
            plain = KernelSVM(C=3.0).fit(X, y)
        np.testing.assert_allclose(compiled.alpha_, plain.alpha_, atol=1e-6)
        assert compiled.n_iter_ == pytest.approx(plain.n_iter_, rel=0.1)


@pytest.mark.parametrize("offset", [True, False])
def test_newton_steps_over_entries_are_those_over_arrays(
    offset: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not svm_interior_point.compiles():
        pytest.skip("nothing is compiled here")
    for seed in range(20):
        X, y = noisy(seed, n=12 + seed)
        settings_ = {"C": 10.0 ** (seed % 5 - 2), "fit_intercept": offset}
        compiled = LinearSVM(**settings_).fit(X, y)
        with monkeypatch.context() as patch:
            patch.setattr(svm_interior_point, "MAX_LOOP_SIZE", 0)
            plain = LinearSVM(**settings_).fit(X, y)
        np.testing.assert_allclose(compiled.coef_, plain.coef_, atol=1e-7)
        assert compiled.n_iter_ == pytest.approx(plain.n_iter_, abs=1)


@pytest.mark.parametrize("scale", [1e-160, 1e-150, 1e149, 1e150, 1e152])
@pytest.mark.parametrize("C", [1e-3, 1.0, math.inf])
def test_a_linear_kernel_of_extreme_scale_overflows_nowhere(scale: float, C: float) -> None:
    X, y = separated(0)
    with warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)
        warnings.simplefilter("ignore", UserWarning)
        if math.isinf(C) and scale < 1:
            with pytest.raises(ValueError, match="scale the features"):
                KernelSVM(kernel="linear", C=C).fit(scale * X, y)
            return
        model = KernelSVM(kernel="linear", C=C).fit(scale * X, y)
    if scale > 1:
        assert model.score(scale * X, y) == 1.0
