"""Logistic regression against naive formulas, scikit-learn, SciPy's optimiser and its theorems."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import approx_fprime, minimize
from scipy.stats import gumbel_r, multivariate_normal, norm
from sklearn.linear_model import LogisticRegression as Reference

from mlnotes import logistic_regression as lr
from mlnotes._solvers import first_order, logistic
from mlnotes.data import load_iris, make_noisy, make_separable
from mlnotes.exceptions import ConvergenceWarning
from mlnotes.logistic_regression import (
    GradientDescentLogisticRegression,
    LogisticRegression,
    StochasticLogisticRegression,
)
from mlnotes.perceptron import augment, is_linearly_separable
from mlnotes.support_vector_machines import LinearSVM

reals = st.floats(-30, 30)


def sample(n: int = 200, d: int = 3, k: int = 2, seed: int = 0) -> tuple[Any, Any]:
    """Labels drawn from a softmax model, hence not separable when n is large."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    scores = X @ rng.normal(size=(d, k)) + rng.gumbel(size=(n, k))
    return X, scores.argmax(axis=1)


def naive_objective(
    coef: Any, offset: Any, X: Any, y: Any, penalty: float, weights: Any = 1.0
) -> float:
    """The penalised negative log-likelihood as the chapter writes it, classes 0, 1, ..."""
    scores = X @ np.asarray(coef).T + offset
    if scores.ndim == 1:
        losses = np.log(1 + np.exp(-(2 * y - 1) * scores))
    else:
        losses = np.log(np.exp(scores).sum(axis=1)) - scores[np.arange(len(y)), y]
    return float((weights * losses).sum() + penalty / 2 * (np.asarray(coef) ** 2).sum())


@given(reals)
def test_the_logistic_function_keeps_its_identities(z: float) -> None:
    assert lr.sigmoid(z) == pytest.approx(1 / (1 + np.exp(-z)), rel=1e-14)
    assert 1 - lr.sigmoid(z) == pytest.approx(float(lr.sigmoid(-z)), abs=1e-15)
    assert np.tanh(z) == pytest.approx(2 * float(lr.sigmoid(2 * z)) - 1, abs=1e-15)
    assert lr.logistic_loss(z) == pytest.approx(-np.log(lr.sigmoid(z)), rel=1e-12, abs=1e-15)
    assert lr.irls_weights(z) == pytest.approx(float(lr.sigmoid(z) * lr.sigmoid(-z)), rel=1e-13)
    assert 0 < lr.irls_weights(z) <= 0.25 * (1 + 1e-15)


def test_nothing_overflows_at_scores_of_ten_thousand() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        np.testing.assert_array_equal(lr.sigmoid([-1e4, 1e4]), [0.0, 1.0])
        np.testing.assert_array_equal(lr.logistic_loss([-1e4, 1e4]), [1e4, 0.0])
        np.testing.assert_array_equal(lr.softmax([[1e4, -1e4, 0.0]]), [[1.0, 0.0, 0.0]])
        X, y = sample(50)
        model = LogisticRegression().fit(X, y)
        model.coef_, model.intercept_ = 1e4 * model.coef_, 0.0
        assert np.isfinite(model.predict_log_proba(X)).all()
        X, y = sample(50, k=3)
        softmax = LogisticRegression().fit(X, y)
        softmax.coef_ = 1e4 * softmax.coef_
        assert np.isfinite(softmax.predict_log_proba(X)).all()
        np.testing.assert_allclose(softmax.predict_proba(X).sum(axis=1), 1.0)


@given(st.floats(0.01, 5), st.floats(1.01, 5))
def test_larger_weights_move_probabilities_away_from_one_half(z: float, c: float) -> None:
    assert abs(lr.sigmoid(c * z) - 0.5) > abs(lr.sigmoid(z) - 0.5)
    assert abs(lr.sigmoid(-c * z) - 0.5) > abs(lr.sigmoid(-z) - 0.5)


@given(reals, reals)
def test_the_loss_falls_with_the_margin_and_never_vanishes(a: float, b: float) -> None:
    low, high = sorted((a, b))
    assert lr.logistic_loss(low) >= lr.logistic_loss(high) > 0
    # In base two it lies over the 0-1 loss; in base e it does not.
    assert lr.logistic_loss(low) / np.log(2) >= float(low <= 0)


def test_the_natural_loss_does_not_dominate_the_zero_one_loss() -> None:
    assert lr.logistic_loss(0.0) < 1 == pytest.approx(float(lr.logistic_loss(0.0)) / np.log(2))


@given(st.floats(0.01, 0.99), st.floats(0.01, 0.99))
def test_cross_entropy_is_least_at_the_truth(p: float, q: float) -> None:
    assert lr.cross_entropy(p, q) >= lr.cross_entropy(p, p) - 1e-15
    other = lr.cross_entropy(p, p)
    assert other == pytest.approx(-p * np.log(p) - (1 - p) * np.log(1 - p))


def test_likelihood_log_loss_and_cross_entropy_are_one_objective() -> None:
    X, labels = sample(30)
    y = 2 * labels - 1
    theta = np.array([0.3, -1.0, 0.5])
    probabilities = np.where(y == 1, lr.sigmoid(X @ theta), lr.sigmoid(-X @ theta))
    product = float(np.prod(probabilities))
    assert lr.log_likelihood(X, y, theta) == pytest.approx(np.log(product))
    loss = lr.logistic_loss(y * (X @ theta)).sum()
    entropy = lr.cross_entropy(labels, lr.sigmoid(X @ theta)).sum()
    assert -lr.log_likelihood(X, y, theta) == pytest.approx(loss) == pytest.approx(entropy)


def test_gradient_and_hessian_are_derivatives() -> None:
    X, labels = sample(40)
    y = 2 * labels - 1
    theta = np.array([0.3, -1.0, 0.5])
    slope = approx_fprime(theta, lambda t: -lr.log_likelihood(X, y, t), 1e-6)
    np.testing.assert_allclose(lr.gradient(X, y, theta), slope, atol=1e-3)
    bend = [approx_fprime(theta, lambda t, j=j: lr.gradient(X, y, t)[j], 1e-6) for j in range(3)]
    np.testing.assert_allclose(lr.hessian(X, theta), bend, atol=1e-4)
    p = lr.sigmoid(X @ theta)
    np.testing.assert_allclose(lr.gradient(X, y, theta), (p - labels) @ X, rtol=1e-12)


@given(st.integers(0, 10**6))
@settings(max_examples=30)
def test_the_hessian_lies_between_zero_and_its_lipschitz_constant(seed: int) -> None:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(rng.integers(1, 12), 4)) * 10.0 ** rng.uniform(-2, 2)
    values = np.linalg.eigvalsh(lr.hessian(X, rng.normal(size=4)))
    L = lr.lipschitz_constant(X)
    assert values[0] >= -1e-12 * L
    assert values[-1] <= L * (1 + 1e-12)
    assert (X**2).sum() / 4 * (1 + 1e-12) >= L


def test_misclassified_points_have_the_larger_factor_but_not_always_the_larger_pull() -> None:
    margins = np.linspace(-5, 5, 100)
    factor = lr.sigmoid(-margins)
    assert (factor[margins < 0] > 0.5).all()
    assert (factor[margins > 0] < 0.5).all()
    wrong = np.abs(lr.gradient([[0.1]], [-1], [1.0]))[0]
    right = np.abs(lr.gradient([[1.0]], [1], [1.0]))[0]
    assert wrong < right


@pytest.mark.parametrize("prior", [0.5, 0.9])
def test_the_posterior_of_two_gaussians_is_logistic(prior: float) -> None:
    rng = np.random.default_rng(0)
    root = rng.normal(size=(3, 3))
    S = root @ root.T + np.eye(3)
    negative, positive = rng.normal(size=(2, 3))
    theta, offset = lr.gaussian_log_odds(negative, positive, S, prior)
    X = rng.normal(size=(20, 3))
    up = prior * multivariate_normal(positive, S).pdf(X)
    down = (1 - prior) * multivariate_normal(negative, S).pdf(X)
    np.testing.assert_allclose(lr.sigmoid(X @ theta + offset), up / (up + down), rtol=1e-10)


def test_centred_and_balanced_gaussians_need_no_offset() -> None:
    S, m = np.array([[2, 0.5], [0.5, 1]]), np.array([1, 0.5])
    theta, offset = lr.gaussian_log_odds(-m, m, S)
    assert offset == 0
    np.testing.assert_allclose(theta, 2 * np.linalg.solve(S, m))
    x = np.array([0.3, -0.8])
    assert lr.sigmoid(theta @ x) == pytest.approx(0.450166, abs=1e-6)


def test_poisson_classes_have_linear_log_odds_too() -> None:
    from scipy.stats import poisson

    x = np.arange(15)
    posterior = poisson(5).pmf(x) / (poisson(5).pmf(x) + poisson(2).pmf(x))
    np.testing.assert_allclose(posterior, lr.sigmoid(x * np.log(2.5) - 3), rtol=1e-12)


def test_a_link_must_sum_to_one_over_both_labels() -> None:
    s = np.linspace(-3, 3, 13)
    for link in (lr.sigmoid, norm.cdf):
        np.testing.assert_allclose(link(s) + link(-s), 1.0)
    assert gumbel_r.cdf(1.0) + gumbel_r.cdf(-1.0) == pytest.approx(0.758, abs=1e-3)


@pytest.mark.parametrize("k", [2, 3, 5])
@pytest.mark.parametrize("fit_intercept", [True, False])
@pytest.mark.parametrize("penalty", [0.01, 1.0, 100.0])
def test_agrees_with_scikit_learn(k: int, fit_intercept: bool, penalty: float) -> None:
    X, y = sample(300, 4, k)
    ours = LogisticRegression(penalty=penalty, fit_intercept=fit_intercept).fit(X, y)
    theirs = Reference(C=1 / penalty, fit_intercept=fit_intercept, tol=1e-10, max_iter=10_000)
    theirs.fit(X, y)
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), atol=1e-5)
    np.testing.assert_allclose(np.atleast_2d(ours.coef_), theirs.coef_, atol=1e-4)
    there = naive_objective(
        theirs.coef_[0] if k == 2 else theirs.coef_,
        theirs.intercept_[0] if k == 2 else theirs.intercept_,
        X,
        y,
        penalty,
    )
    assert ours.objective_ <= there * (1 + 1e-12)
    assert naive_objective(ours.coef_, ours.intercept_, X, y, penalty) == pytest.approx(
        ours.objective_, rel=1e-12
    )


def test_agrees_with_a_general_optimiser_without_a_penalty() -> None:
    X, y = sample(60, 2)
    model = LogisticRegression(penalty=0.0).fit(X, y)
    found = minimize(
        lambda v: -lr.log_likelihood(augment(X), 2 * y - 1, v),
        np.zeros(3),
        jac=lambda v: lr.gradient(augment(X), 2 * y - 1, v),
        method="BFGS",
        options={"gtol": 1e-9},
    )
    np.testing.assert_allclose([*model.coef_, model.intercept_], found.x, atol=1e-6)


def test_the_score_equations_hold_at_the_optimum() -> None:
    X, y = sample(500, 5)
    model = LogisticRegression(penalty=0.0).fit(X, y)
    residual = y - model.predict_proba(X)[:, 1]
    np.testing.assert_allclose(residual @ augment(X), 0.0, atol=1e-7)


def test_an_offset_alone_has_a_closed_form() -> None:
    model = LogisticRegression(penalty=1.0).fit(np.zeros((4, 1)), [1, 1, 1, 0])
    assert model.coef_[0] == 0
    assert model.intercept_ == pytest.approx(np.log(3), rel=1e-9)


@pytest.mark.parametrize("tol", [1e-1, 1e-4, 1e-8, 1e-12])
@pytest.mark.parametrize("k", [2, 4])
def test_the_objective_is_that_of_the_weights_and_within_the_tolerance(k: int, tol: float) -> None:
    X, y = sample(400, 3, k)
    model = LogisticRegression(tol=tol).fit(X, y)
    log_probabilities = model.predict_log_proba(X)[np.arange(400), y]
    reached = 0.5 * (model.coef_**2).sum() - log_probabilities.sum()
    best = LogisticRegression(tol=1e-16).fit(X, y).objective_
    assert model.objective_ == pytest.approx(reached, rel=1e-12)
    assert -1e-13 <= reached / best - 1 <= tol


@pytest.mark.parametrize("k", [2, 3])
def test_a_part_that_misleads_is_corrected_by_all_points(k: int) -> None:
    X, y = sample(6000, 4, k)
    every = len(y) // (50 * (5 if k == 2 else 5 * k)) | 1
    cases = {
        "a feature that is never seen": (np.arange(6000) % every == 1, y),
        "one class only": (X[:, 3], np.where(np.arange(6000) % every == 0, 0, y)),
        "labels that are wrong": (X[:, 3], np.where(np.arange(6000) % every == 0, k - 1 - y, y)),
    }
    for name, (column, labels) in cases.items():
        X[:, 3] = column
        model = LogisticRegression(tol=1e-14).fit(X, labels)
        theirs = Reference(C=1.0, solver="newton-cholesky", tol=1e-10).fit(X, labels)
        np.testing.assert_allclose(
            model.predict_proba(X), theirs.predict_proba(X), atol=1e-6, err_msg=name
        )


def test_the_bfgs_update_satisfies_the_secant_equation() -> None:
    rng = np.random.default_rng(0)
    root, step = rng.normal(size=(4, 4)), rng.normal(size=4)
    inverse, hessian = root @ root.T, np.diag([1.0, 2.0, 3.0, 4.0])
    corrected = logistic._bfgs_update(inverse, step, hessian @ step)
    np.testing.assert_allclose(corrected @ hessian @ step, step, rtol=1e-12)
    np.testing.assert_allclose(corrected, corrected.T, atol=1e-14)
    assert np.linalg.eigvalsh(corrected).min() > 0
    # A slope that fell along the step would make it indefinite.
    assert logistic._bfgs_update(inverse, step, -hessian @ step) is inverse


@pytest.mark.parametrize("k", [2, 3])
def test_a_part_is_asked_first_where_it_has_something_to_say(
    k: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []
    newton = logistic.newton

    def counting(problem: Any, *rest: Any) -> Any:
        asked.append(problem.rows.shape[1])
        return newton(problem, *rest)

    monkeypatch.setattr(logistic, "newton", counting)
    rng = np.random.default_rng(5)
    X = rng.normal(size=(6000, 4))
    clear, chance = (X @ rng.normal(size=(4, k))).argmax(axis=1), rng.integers(k, size=6000)
    LogisticRegression().fit(X, clear)
    assert len(asked) == 2
    assert asked[0] < 1000
    assert asked[1] == 6000
    asked.clear()
    LogisticRegression().fit(X, chance)
    assert asked == [6000]


def test_points_of_a_part_that_hardly_count_do_no_harm() -> None:
    X, y = sample(6000, 4, 2)
    every = 6000 // 250 | 1
    weights = np.where(np.arange(6000) % every == 0, 1e-300, 1.0)
    counted = weights == 1
    for penalty in (0.0, 1.0):
        model = LogisticRegression(penalty=penalty).fit(X, y, weights)
        without = LogisticRegression(penalty=penalty).fit(X[counted], y[counted])
        np.testing.assert_allclose(model.coef_, without.coef_, rtol=1e-5)


@given(st.integers(0, 10**6))
@settings(max_examples=25)
def test_weights_count_as_repetitions(seed: int) -> None:
    rng = np.random.default_rng(seed)
    X, y = sample(30, 2, k=int(rng.integers(2, 4)), seed=seed)
    y[:3] = np.arange(3) % (y.max() + 1)
    weights = rng.integers(0, 4, size=30)
    weights[:3] = 1
    ours = LogisticRegression().fit(X, y, sample_weight=weights)
    again = LogisticRegression().fit(np.repeat(X, weights, axis=0), np.repeat(y, weights))
    np.testing.assert_allclose(ours.predict_proba(X), again.predict_proba(X), atol=1e-8)


def test_a_class_without_weight_is_no_class() -> None:
    X, y = sample(60, 2, 3)
    weights = (y != 1).astype(float)
    model = LogisticRegression().fit(X, y, sample_weight=weights)
    assert model.classes_.tolist() == [0, 2]
    with pytest.raises(ValueError, match="at least two classes"):
        LogisticRegression().fit(X, y, sample_weight=(y == 1).astype(float))


def test_two_class_softmax_is_the_logistic_function_of_the_difference() -> None:
    scores = np.random.default_rng(0).normal(size=(20, 2))
    expected = lr.sigmoid(scores[:, 1] - scores[:, 0])
    np.testing.assert_allclose(lr.softmax(scores)[:, 1], expected, rtol=1e-14)


def test_softmax_weights_sum_to_zero_over_the_classes() -> None:
    X, y = sample(200, 3, 4)
    model = LogisticRegression(penalty=0.1).fit(X, y)
    np.testing.assert_allclose(model.coef_.sum(axis=0), 0.0, atol=1e-9)
    assert np.sum(model.intercept_) == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize("scale", [1e-150, 1e-8, 1e8, 1e150])
@pytest.mark.parametrize("offset", [0.0, 1e7])
def test_units_and_origins_change_no_probability(scale: float, offset: float) -> None:
    X, y = sample(100, 2)
    plain = LogisticRegression(penalty=0.0).fit(X, y)
    other = LogisticRegression(penalty=0.0).fit(scale * (X + offset), y)
    np.testing.assert_allclose(
        other.predict_proba(scale * (X + offset)), plain.predict_proba(X), atol=1e-6
    )


def test_constant_columns_and_more_features_than_points_are_no_trouble() -> None:
    rng = np.random.default_rng(0)
    X, y = sample(100, 2)
    wide = np.column_stack([X, np.full(100, 1e6), X[:, 0]])
    model = LogisticRegression(penalty=0.0).fit(wide, y)
    plain = LogisticRegression(penalty=0.0).fit(X, y)
    np.testing.assert_allclose(model.predict_proba(wide), plain.predict_proba(X), atol=1e-7)
    assert model.coef_[2] == 0
    assert model.coef_[0] == pytest.approx(model.coef_[3])
    for nothing, labels in ((np.zeros((4, 2)), [0, 1, 0, 1]), (np.zeros((6, 1)), [0, 1, 2] * 2)):
        blind = LogisticRegression(penalty=0.0, fit_intercept=False).fit(nothing, labels)
        np.testing.assert_array_equal(blind.coef_, 0.0)
    few = rng.normal(size=(5, 50))
    fitted = LogisticRegression().fit(few, [0, 1, 0, 1, 1])
    assert np.isfinite(fitted.coef_).all()


@pytest.mark.filterwarnings("error::RuntimeWarning")
@pytest.mark.parametrize("k", [2, 3])
def test_features_near_the_largest_number_do_not_overflow(k: int) -> None:
    X, y = sample(100, 2, k)
    plain = LogisticRegression(penalty=0.0).fit(X, y)
    for penalty in (0.0, 1.0):  # a penalty of one is nothing beside squares of 1e300
        model = LogisticRegression(penalty=penalty).fit(1e300 * X, y)
        np.testing.assert_allclose(
            model.predict_proba(1e300 * X), plain.predict_proba(X), atol=1e-8
        )


def rare_features(seed: int) -> tuple[Any, Any]:
    """Draw points some of whose features are mostly zero, so that one may belong to one class."""
    rng = np.random.default_rng(seed)
    n, d = int(rng.integers(20, 1500)), int(rng.integers(1, 9))
    X = rng.normal(size=(n, d)) * 10 ** rng.uniform(-3, 3, d)
    X[:, : (d + 1) // 2] = rng.random((n, (d + 1) // 2)) < 0.02
    scores = (X - X.mean(axis=0)) / (X.std(axis=0) + 1e-12) @ rng.normal(size=d)
    y = np.where(scores * 10 ** rng.uniform(-1, 1) + rng.logistic(size=n) > 0, 1, -1)
    y[:2] = 1, -1
    return X, y


def test_a_fit_without_a_penalty_warns_exactly_if_there_is_a_direction_of_recession() -> None:
    expected, warned = [], []
    for seed in range(60):
        X, y = rare_features(seed)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            lr.LogisticRegression(penalty=0.0).fit(X, y)
        warned.append(any("separates the classes" in str(w.message) for w in caught))
        expected.append(lr.recession_direction(X, y) is not None)
    assert 10 < sum(expected) < 50
    assert warned == expected


@pytest.mark.parametrize("penalty", [1e-6, 1e-2, 1.0])
def test_newtons_method_ends_at_a_stationary_point_on_rare_features(penalty: float) -> None:
    for seed in range(60):
        X, y = rare_features(seed)
        model = lr.LogisticRegression(penalty=penalty, tol=1e-16).fit(X, y)
        usual = lr.LogisticRegression(penalty=penalty).fit(X, y)
        assert usual.objective_ <= model.objective_ * (1 + 1e-9)
        first = -y * lr.sigmoid(-y * (X @ model.coef_ + model.intercept_))
        slope = np.append(first @ X + penalty * model.coef_, first.sum())
        scale = np.append(np.abs(X).sum(axis=0), len(X))
        assert (np.abs(slope) <= 1e-8 * scale).all()


@pytest.mark.filterwarnings("ignore::mlnotes.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("seed", [42, 104, 120])
def test_points_far_on_the_wrong_side_do_not_throw_newtons_method_off(seed: int) -> None:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(1400, 4)) * 10 ** rng.uniform(-3, 3, 4)
    X[:, :2] = rng.random((1400, 2)) < 0.02
    Z = (X - X.mean(axis=0)) / X.std(axis=0)
    y = np.where(30 * Z @ rng.normal(size=4) + rng.logistic(size=1400) > 0, 1, -1)

    def loss(theta: Any) -> float:
        return float(lr.logistic_loss(y * (Z @ theta[1:] + theta[0])).sum())

    other = minimize(loss, np.zeros(5), method="L-BFGS-B")
    assert LogisticRegression(penalty=0.0).fit(X, y).objective_ <= 1.01 * other.fun


@pytest.mark.parametrize("k", [2, 3, 5])
@pytest.mark.parametrize("weighted", [False, True])
def test_no_hessian_exceeds_the_bound_on_all_of_them(k: int, weighted: bool) -> None:
    rng = np.random.default_rng(k)
    rows, codes = rng.normal(size=(3, 40)), rng.integers(k, size=40)
    weights = rng.random(40) if weighted else None
    for _ in range(20):
        size = 10 ** rng.uniform(-2, 1)
        if k == 2:
            problem: Any = logistic.BinaryProblem(rows, 2.0 * codes - 1, weights, np.zeros(3))
            beta = size * rng.normal(size=3)
        else:
            problem = logistic.SoftmaxProblem(rows, codes, weights, np.zeros(3), k)
            beta = size * rng.normal(size=(k, 3))
        second = problem.value(beta @ rows, beta)[2]
        room = problem.hessian(problem.curvature_bound()) - problem.hessian(second)
        assert np.linalg.eigvalsh(room).min() > -1e-9


def test_separable_data_without_a_penalty_warn_and_stay_bounded() -> None:
    for data in (
        ([[-2.0], [-1.0], [1.0], [2.0]], [0, 0, 1, 1]),
        ([[-2.0], [0.0], [0.0], [2.0]], [0, 0, 1, 1]),  # only up to two points on the boundary
        ([[-2.0], [0.0], [2.0]], [0, 1, 2]),
        make_separable(60, 3, margin=0.05, random_state=1)[:2],
        (np.random.default_rng(0).normal(size=(5, 9)), [0, 1, 1, 0, 1]),
    ):
        with pytest.warns(ConvergenceWarning, match="no maximum.*positive penalty"):
            model = LogisticRegression(penalty=0.0).fit(*data)
        assert np.isfinite(model.coef_).all()
        assert np.isfinite(model.predict_log_proba(data[0])).all()
        assert np.abs(model.decision_function(data[0])).max() < 1e4


@given(st.integers(0, 10**6))
@settings(max_examples=40, deadline=None)
def test_the_warning_agrees_with_the_linear_programme(seed: int) -> None:
    rng = np.random.default_rng(seed)
    X = rng.integers(-2, 3, size=(8, 2)).astype(float)
    y = rng.choice([-1, 1], size=8)
    y[:2] = -1, 1
    direction = lr.recession_direction(X, y)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        model = LogisticRegression(penalty=0.0).fit(X, y)
    assert bool(caught) == (direction is not None)
    if direction is None:  # then there is a minimum, and the slope vanishes there
        slope = lr.gradient(augment(X), y, [*model.coef_, model.intercept_])
        assert np.abs(slope).max() < 1e-8
    if direction is not None:
        gains = y * (augment(X) @ direction)
        assert gains.min() > -1e-8
        assert gains.max() > 1e-3
    if is_linearly_separable(X, y):
        assert direction is not None


def test_the_loss_tends_to_zero_along_a_separating_direction_and_only_there() -> None:
    X, y = np.array([[-1.0], [1.0]]), np.array([-1, 1])
    losses = [-lr.log_likelihood(X, y, [s]) for s in (1, 10, 50)]
    assert np.exp(-losses[0]) == pytest.approx(0.534, abs=1e-3)
    assert losses[2] < 2 * np.exp(-50.0) * 1.0000001 < losses[1]
    assert -lr.log_likelihood(augment(X), y, [50.0, 2500.0]) > 1000
    both = np.array([[-1.0], [1.0], [0.0], [0.0]])
    signs = np.array([-1, 1, -1, 1])
    assert -lr.log_likelihood(both, signs, [50.0]) == pytest.approx(2 * np.log(2))


@pytest.mark.parametrize("seed", range(5))
def test_the_infimum_theorem_holds_on_separable_data(seed: int) -> None:
    data = make_separable(40, 3, margin=0.1, random_state=seed)
    gamma = float((data.y * (data.X @ data.direction)).min())
    for c in (0.0, 1.0, 30.0):
        loss = -lr.log_likelihood(data.X, data.y, c * data.direction)
        assert loss <= 40 * np.exp(-c * gamma) * (1 + 1e-12)
        assert lr.gradient(data.X, data.y, c * data.direction) @ data.direction < 0


def test_penalised_weights_grow_without_bound_as_the_penalty_vanishes() -> None:
    data = make_separable(40, margin=0.1, random_state=0)
    lengths = [
        np.linalg.norm(LogisticRegression(penalty=lam).fit(data.X, data.y).coef_)
        for lam in (1.0, 1e-2, 1e-4, 1e-6)
    ]
    assert (np.diff(lengths) > 1).all()


@pytest.mark.parametrize("penalty", [1e-6, 1e-12, 1e-20])
def test_a_tiny_penalty_is_minimised_and_not_taken_for_none(penalty: float) -> None:
    data = make_separable(60, margin=0.1, random_state=2)
    model = LogisticRegression(penalty=penalty, tol=1e-16).fit(data.X, data.y)
    owed = lr.sigmoid(-data.y * model.decision_function(data.X))
    slope = penalty * model.coef_ - (data.y * owed) @ data.X
    assert np.abs(slope).max() < 1e-7 * penalty * np.linalg.norm(model.coef_)
    assert abs((data.y * owed).sum()) < 1e-7 * owed.sum()


def test_a_penalty_too_small_to_be_reached_is_a_warning() -> None:
    data = make_separable(60, margin=0.1, random_state=2)
    with pytest.warns(ConvergenceWarning, match="100 Newton steps and has not converged"):
        LogisticRegression(penalty=1e-300).fit(data.X, data.y)


@pytest.mark.parametrize("seed", range(3))
def test_the_direction_tends_to_that_of_the_widest_margin(seed: int) -> None:
    data = make_separable(40, 3, margin=0.1, random_state=seed)
    widest = LinearSVM(C=np.inf).fit(data.X, data.y).coef_
    away = []
    for penalty in (1.0, 1e-80, 1e-240):
        model = LogisticRegression(penalty=penalty, max_iter=1000).fit(data.X, data.y)
        unit = model.coef_ / np.linalg.norm(model.coef_)
        away.append(np.linalg.norm(unit - widest / np.linalg.norm(widest)))
    assert away[2] < away[1] < away[0] / 5
    assert away[2] < 0.001


@pytest.mark.parametrize("seed", range(4))
def test_the_margin_of_the_direction_is_nearly_the_widest(seed: int) -> None:
    data = make_separable(40, 2 + seed % 2, margin=0.1, random_state=seed)
    widest = 1 / np.linalg.norm(LinearSVM(C=np.inf).fit(data.X, data.y).coef_)
    for penalty in (1e-2, 1e-6, 1e-12, 1e-24):
        model = LogisticRegression(penalty=penalty).fit(data.X, data.y)
        length = np.linalg.norm(model.coef_)
        reached = (data.y * model.decision_function(data.X)).min() / length
        assert widest - np.log(2 * 40) / length <= reached <= widest * (1 + 1e-9)
        # and the length grows no faster than the logarithm of the inverse penalty
        assert length**2 <= 2 * 40 + (np.log(1 / penalty) / widest) ** 2


def test_the_softmax_loss_falls_towards_separation_at_all_weights() -> None:
    rng = np.random.default_rng(0)
    centres = 10 * np.eye(3)
    codes = np.arange(30) % 3
    X = centres[codes] + rng.normal(size=(30, 3))
    gains = X @ centres.T  # the scores gained per step in the direction of the centres
    others = np.where(np.eye(3, dtype=bool)[codes], -np.inf, gains)
    gamma = (gains[np.arange(30), codes] - others.max(axis=1)).min()
    assert gamma > 0
    for _ in range(20):
        P = lr.softmax(X @ (3 * rng.normal(size=(3, 3))).T)
        own = P[np.arange(30), codes]
        slope = (P * gains).sum(axis=1) - gains[np.arange(30), codes]
        assert (slope <= -gamma * (1 - own) + 1e-12).all()


def test_irls_is_newtons_method() -> None:
    X, labels = sample(60, 3)
    y = 2 * labels - 1
    theta = np.array([0.2, -0.1, 0.4])
    newton = theta - np.linalg.solve(lr.hessian(X, theta), lr.gradient(X, y, theta))
    np.testing.assert_allclose(lr.irls_step(X, y, theta), newton, rtol=1e-10)
    for _ in range(8):
        theta = lr.irls_step(X, y, theta)
    model = LogisticRegression(penalty=0.0, fit_intercept=False).fit(X, labels)
    np.testing.assert_allclose(theta, model.coef_, rtol=1e-8)


def test_newtons_slope_grows_by_one_for_each_step_on_separable_points() -> None:
    X, y = np.array([[-2.0], [-1.0], [1.0], [2.0]]), np.array([-1, -1, 1, 1])
    theta, path = np.zeros(1), []
    for _ in range(12):
        theta = lr.irls_step(X, y, theta)
        path.append(theta[0])
    assert path[0] == pytest.approx(1.2)
    np.testing.assert_allclose(np.diff(path[4:]), 1.0, atol=0.1)


@given(st.integers(0, 10**6), st.floats(0.0, 10.0))
@settings(max_examples=25)
def test_no_gradient_step_of_one_over_l_raises_the_objective(seed: int, penalty: float) -> None:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(20, 3)) * 10.0 ** rng.uniform(-1, 1, size=3)
    y = rng.choice([0, 1], size=20)
    y[:2] = 0, 1
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = GradientDescentLogisticRegression(penalty=penalty, max_iter=50).fit(X, y)
    assert (np.diff(model.objectives_) <= 1e-12 * model.objectives_[0]).all()
    assert model.learning_rate_ == 1 / model.lipschitz_


def test_each_gradient_step_gains_what_the_theorem_promises() -> None:
    X, labels = sample(50, 3)
    X, y = augment(X), 2 * labels - 1
    # The last coordinate is the offset, which the penalty spares.
    for ridge in (np.zeros(4), np.array([5.0, 5.0, 5.0, 0.0])):
        L, theta = lr.lipschitz_constant(X) + ridge.max(), np.array([3.0, -2.0, 1.0, 1.0])

        def objective(w: Any, ridge: Any = ridge) -> float:
            return -lr.log_likelihood(X, y, w) + float(ridge @ w**2) / 2

        for _ in range(20):
            g = lr.gradient(X, y, theta) + ridge * theta
            before, theta = objective(theta), theta - g / L
            assert objective(theta) <= before - g @ g / (2 * L) + 1e-12


def test_gradient_descent_reaches_newtons_minimum() -> None:
    X, y = sample(100, 3)
    slow = GradientDescentLogisticRegression(tol=1e-8).fit(X, y)
    fast = LogisticRegression().fit(X, y)
    np.testing.assert_allclose(slow.coef_, fast.coef_, atol=1e-6)
    assert slow.intercept_ == pytest.approx(fast.intercept_, abs=1e-6)
    np.testing.assert_allclose(slow.predict_proba(X), fast.predict_proba(X), atol=1e-6)


def test_a_step_far_beyond_the_constant_oscillates() -> None:
    X, y = sample(100, 3)
    with pytest.warns(ConvergenceWarning, match="gradient is not yet small"):
        model = GradientDescentLogisticRegression(learning_rate=1.0, max_iter=50).fit(X, y)
    assert (np.diff(model.objectives_) > 0).any()


def test_stochastic_descent_comes_close_to_the_minimum() -> None:
    X, y = sample(200, 3)
    best = LogisticRegression().fit(X, y)
    for batch_size in (1, 8):
        model = StochasticLogisticRegression(max_iter=60, batch_size=batch_size).fit(X, y)
        assert model.objectives_[-1] <= 1.01 * best.objective_
        assert len(model.objectives_) == model.n_iter_ + 1


@pytest.mark.parametrize("seed", range(50))
def test_estimators_agree_with_the_algorithms_of_the_chapter(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n, d = int(rng.integers(5, 60)), int(rng.integers(1, 6))
    X = rng.normal(size=(n, d)) * 10 ** rng.uniform(-1, 1, size=d) + rng.normal(size=d)
    codes = np.append([0, 1], rng.integers(2, size=n - 2))
    y, penalty = 2 * codes - 1, float(10 ** rng.uniform(-1, 1))
    free = {"penalty": penalty, "fit_intercept": False}
    by_newton = lr.newton(X, y, penalty=penalty)
    np.testing.assert_allclose(
        LogisticRegression(**free).fit(X, codes).coef_, by_newton, rtol=1e-5, atol=1e-7
    )
    steps = GradientDescentLogisticRegression(**free, tol=1e-300, max_iter=40)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        steps.fit(X, codes)
    by_steps = lr.gradient_descent(X, y, penalty=penalty, tol=1e-300, max_iter=40)
    np.testing.assert_allclose(steps.coef_, by_steps, rtol=1e-9, atol=1e-12)
    by_points = lr.sgd(X, y, rate=0.1, penalty=penalty, max_iter=3, random_state=seed)
    single = StochasticLogisticRegression(
        **free, learning_rate=0.1, max_iter=3, random_state=seed
    ).fit(X, codes)
    np.testing.assert_allclose(single.coef_, by_points, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("size", [1, 3, 100])
def test_an_epoch_is_the_same_compiled_and_in_numpy(
    size: int, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng(seed)
    Z = rng.normal(size=(20, 4)) * 10 ** rng.uniform(-2, 3)
    theta, shrinkage = rng.normal(size=4), rng.uniform(0.5, 1.0, size=4)
    order = rng.permutation(20)
    ways = []
    for compiled in (True, False):
        monkeypatch.setattr(first_order, "compiles", lambda compiled=compiled: compiled)
        ways.append(first_order.epoch(theta, Z, order, 0.3, shrinkage, size))
    np.testing.assert_allclose(*ways, rtol=1e-9)


@pytest.mark.parametrize("offset", [0.0, 1e4, -1e8])
def test_first_order_methods_do_not_mind_features_far_from_zero(offset: float) -> None:
    X, y = sample(300, 3)
    best = LogisticRegression().fit(X, y)
    for cls in (GradientDescentLogisticRegression, StochasticLogisticRegression):
        model = cls().fit(X + offset, y)
        assert model.objectives_[-1] <= 1.01 * best.objective_
        assert model.score(X + offset, y) >= best.score(X, y) - 0.02


def test_the_printed_update_without_the_label_runs_away() -> None:
    X, labels = sample(200, 3)
    theta, right = np.zeros(3), np.zeros(3)
    for x, t in zip(X, labels, strict=True):
        theta = theta + 0.5 * lr.sigmoid(theta @ x) * x
        right = right + 0.5 * (t - lr.sigmoid(right @ x)) * x
    assert np.linalg.norm(theta) > 5 * np.linalg.norm(right)


def test_single_gradients_average_to_the_batch_gradient() -> None:
    X, labels = sample(25, 3)
    y = 2 * labels - 1
    theta = np.array([1.0, 0.0, -0.5])
    singles = [lr.gradient(X[i : i + 1], y[i : i + 1], theta) for i in range(25)]
    np.testing.assert_allclose(np.mean(singles, axis=0) * 25, lr.gradient(X, y, theta))


def test_a_seed_decides_the_stochastic_run() -> None:
    X, y = sample(40)
    runs = [StochasticLogisticRegression(random_state=s).fit(X, y).coef_ for s in (0, 0, 1)]
    np.testing.assert_array_equal(runs[0], runs[1])
    assert not np.array_equal(runs[0], runs[2])
    generator = np.random.default_rng(0)
    again = StochasticLogisticRegression(random_state=generator).fit(X, y).coef_
    np.testing.assert_array_equal(runs[0], again)


def test_maximum_likelihood_errors_shrink_like_one_over_root_n() -> None:
    truth = np.array([1.0, -2.0])
    errors = {}
    for n in (200, 3200):
        rng = np.random.default_rng(0)
        found = []
        for _ in range(30):
            X = rng.normal(size=(n, 2))
            y = rng.random(n) < lr.sigmoid(X @ truth)
            found.append(LogisticRegression(penalty=0.0, fit_intercept=False).fit(X, y).coef_)
        errors[n] = np.sqrt(((np.array(found) - truth) ** 2).sum(axis=1).mean())
    assert 3 < errors[200] / errors[3200] < 6


def test_lda_and_logistic_regression_answer_outliers_differently() -> None:
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1], 200)
    X = rng.normal(size=(400, 2)) + 2.0 * (y[:, None] - 0.5) * [1.0, 0.0]
    far = np.where((rng.random(400) < 0.1) & (y == 1))[0]
    X[far] += [30.0, 30.0]
    means = [X[y == k].mean(axis=0) for k in (0, 1)]
    S = sum(np.cov(X[y == k].T) for k in (0, 1)) / 2
    theta, offset = lr.gaussian_log_odds(*means, (S + S.T) / 2)
    fresh = rng.normal(size=(4000, 2)) + 2.0 * (np.repeat([0, 1], 2000)[:, None] - 0.5) * [1, 0]
    truth = np.repeat([0, 1], 2000)
    lda = ((fresh @ theta + offset > 0) == truth).mean()
    logistic = LogisticRegression(penalty=0.0).fit(X, y).score(fresh, truth)
    assert logistic > lda + 0.03


def test_iris_is_learned_by_the_softmax() -> None:
    iris = load_iris()
    model = LogisticRegression(penalty=0.1).fit(iris.X, iris.y)
    assert model.score(iris.X, iris.y) > 0.96


def test_noisy_labels_give_probabilities_near_the_noise() -> None:
    data = make_noisy(4000, 2, flip=0.2, random_state=0)
    model = LogisticRegression().fit(data.X, data.y)
    assert 0.1 < 1 - model.score(data.X, data.y) < 0.3


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"penalty": -1.0}, "penalty must be a number of at least 0"),
        ({"penalty": "l2"}, "penalty must be a number of at least 0"),
        ({"tol": 0.0}, "tol must be a positive number"),
        ({"max_iter": 0}, "max_iter must be an integer"),
    ],
)
def test_bad_parameters_are_named(parameters: dict[str, Any], message: str) -> None:
    X, y = sample(20)
    with pytest.raises(ValueError, match=message):
        LogisticRegression(**parameters).fit(X, y)


def test_running_out_of_steps_is_a_warning() -> None:
    with pytest.warns(ConvergenceWarning, match="made 1 Newton steps and has not converged"):
        LogisticRegression(max_iter=1).fit(*sample(50))


def test_bad_input_gets_an_answer() -> None:
    with pytest.raises(ValueError, match="labels must be -1 or"):
        lr.log_likelihood([[1.0]], [0], [1.0])
    with pytest.raises(ValueError, match="p must be at least 0 and at most 1"):
        lr.cross_entropy([1.5], [0.5])
    with pytest.raises(ValueError, match="symmetric"):
        lr.gaussian_log_odds([0.0], [1.0], [[1.0, 2.0]])
    with pytest.raises(ValueError, match="positive definite"):
        lr.gaussian_log_odds([0.0, 0.0], [1.0, 0.0], [[1.0, 2.0], [2.0, 1.0]])
    for prior in (1.0, "a", [0.5]):
        with pytest.raises(ValueError, match="prior must be a number above 0 and below 1"):
            lr.gaussian_log_odds([0.0], [1.0], [[1.0]], prior=prior)
    for empty in ([], 3.0):
        with pytest.raises(ValueError, match="at least one class along the last axis"):
            lr.softmax(empty)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(ValueError, match="lower learning_rate"):
            GradientDescentLogisticRegression(learning_rate=1e3).fit(*sample(50))
    with pytest.raises(ValueError, match="underflowed"):
        lr.irls_step([[1.0]], [1], [1e4])
    with pytest.raises(ValueError, match="learning_rate must be a positive"):
        GradientDescentLogisticRegression(learning_rate=0.0).fit(*sample(20))
    for cls in (GradientDescentLogisticRegression, StochasticLogisticRegression):
        with pytest.raises(ValueError, match="scale them"):
            cls().fit([[1e200], [-1e200]], [0, 1])
    with pytest.raises(ValueError, match="overflowed"):
        StochasticLogisticRegression(learning_rate=1e300).fit([[1e200], [-1e200]], [0, 1])
    with pytest.raises(ValueError, match="Only binary"):
        StochasticLogisticRegression().fit([[1.0], [2.0], [3.0]], [0, 1, 2])


def test_first_order_methods_work_without_an_offset() -> None:
    X, y = sample(100, 2)
    reference = LogisticRegression(fit_intercept=False).fit(X, y)
    model = GradientDescentLogisticRegression(fit_intercept=False, tol=1e-8).fit(X, y)
    np.testing.assert_allclose(model.coef_, reference.coef_, atol=1e-6)
    assert model.intercept_ == 0.0
    weights = np.arange(100) % 3
    twice = GradientDescentLogisticRegression(tol=1e-9).fit(X, y, sample_weight=weights)
    again = LogisticRegression().fit(X, y, sample_weight=weights)
    np.testing.assert_allclose(twice.coef_, again.coef_, atol=1e-6)
