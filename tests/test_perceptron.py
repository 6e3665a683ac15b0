"""The perceptrons against naive loops in exact arithmetic, and against their theorem."""

from __future__ import annotations

import math
import warnings
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize
from sklearn.linear_model import Perceptron as Reference

from mlnotes import perceptron, proof
from mlnotes._solvers import perceptron as search
from mlnotes.exceptions import ConvergenceWarning
from mlnotes.perceptron import (
    AveragedPerceptron,
    BatchPerceptron,
    Perceptron,
    PocketPerceptron,
)

XOR = np.array([[0, 0], [0, 1], [1, 0], [1, 1]]), np.array([-1, 1, 1, -1])


def naive(X: Any, y: Any, max_iter: int, *, start: Any = None, rate: float = 1.0) -> Any:
    """The perceptron as one writes it on the board; signs of inner products are exact."""
    theta = np.zeros(X.shape[1]) if start is None else np.array(start, dtype=float)
    history, path = [], []
    passes, clean = 0, False
    while not clean and passes < max_iter:
        passes, clean = passes + 1, True
        for i in range(len(X)):
            inner = sum(
                Fraction(float(t)) * Fraction(float(v)) for t, v in zip(theta, X[i], strict=True)
            )
            if y[i] * inner <= 0:
                theta = theta + rate * y[i] * X[i]
                history.append(i)
                clean = False
            path.append(theta)
    return theta, history, passes, np.array(path)


def separable(seed: int, n: int = 40, d: int = 3, gap: float = 0.3) -> tuple[Any, Any, Any]:
    """Points on both sides of a hyperplane through 0, none closer to it than ``gap``."""
    rng = np.random.default_rng(seed)
    theta = rng.normal(size=d)
    theta /= np.linalg.norm(theta)
    X = rng.normal(size=(n, d))
    y = np.where(X @ theta > 0, 1, -1)
    y[0], y[1] = 1, -1
    X -= np.outer(X @ theta, theta)
    X += (y * (gap + rng.exponential(size=n)))[:, None] * theta
    return X, y, theta


def largest_margin(X: Any, y: Any) -> float:
    """The maximum geometric margin: minimise |theta|² subject to y <theta, x> >= 1."""
    Z = y[:, None] * X
    found = minimize(
        lambda t: t @ t,
        np.linalg.lstsq(Z, np.full(len(Z), 2.0), rcond=None)[0],
        jac=lambda t: 2 * t,
        constraints={"type": "ineq", "fun": lambda t: Z @ t - 1, "jac": lambda t: Z},
        method="SLSQP",
        options={"maxiter": 500, "ftol": 1e-14},
    )
    return float((Z @ found.x).min() / np.linalg.norm(found.x))


@given(
    st.integers(2, 12),
    st.integers(1, 3),
    st.integers(0, 10**6),
    st.sampled_from(["integers", "ties", "floats", "scaled"]),
    st.booleans(),
)
@settings(max_examples=120)
def test_mistakes_and_weights_are_those_of_the_naive_loop(
    n: int, d: int, seed: int, kind: str, fit_intercept: bool
) -> None:
    rng = np.random.default_rng(seed)
    X = {
        "integers": lambda: rng.integers(-3, 4, size=(n, d)).astype(float),
        "ties": lambda: rng.integers(-1, 2, size=(n, d)) / 3.0,
        "floats": lambda: rng.normal(size=(n, d)),
        "scaled": lambda: rng.normal(size=(n, d)) * 10.0 ** rng.integers(-140, 140, size=(1, d)),
    }[kind]()
    y = rng.choice([-1, 1], size=n)
    y[:2] = -1, 1
    Z = perceptron.augment(X) if fit_intercept else X
    theta, history, passes, _ = naive(Z, y, 6)
    model = Perceptron(fit_intercept=fit_intercept, max_iter=6)
    if (y * (Z @ theta) <= 0).any():
        with pytest.warns(ConvergenceWarning):
            model.fit(X, y)
    else:
        model.fit(X, y)
    assert model.mistakes_.tolist() == history
    np.testing.assert_array_equal(model.coef_, theta[:d])
    assert model.intercept_ == (theta[d] if fit_intercept else 0.0)
    assert model.n_iter_ == passes


def test_points_on_the_hyperplane_are_mistakes() -> None:
    # After the first point theta = (1, 0), on which the second lies at right angles.
    model = Perceptron(fit_intercept=False).fit([[1.0, 0.0], [0.0, -1.0]], [1, -1])
    assert model.mistakes_.tolist() == [0, 1]
    np.testing.assert_array_equal(model.coef_, [1.0, 1.0])


def test_near_ties_are_decided_exactly_where_rounding_gets_the_sign_wrong() -> None:
    # The inner product of theta with the second point is 2**-60, but sums to 0 in any float order
    # that meets 1 and -1 last, and to 2**-60 in another.
    x = np.array([1.0, -1.0, 2.0**-30, 0.0])
    theta = np.array([1.0, 1.0, 2.0**-30, 0.0])
    assert not search.is_mistake(x, theta)
    assert search.is_mistake(-x, theta)
    assert search.is_mistake(np.array([1.0, -1.0, 0.0, 0.0]), theta)
    noise = np.random.default_rng(0).normal(size=(300, 4))
    exact = [sum(Fraction(float(v)) for v in row) <= 0 for row in noise]
    assert [search.is_mistake(row, np.ones(4)) for row in noise] == exact


def test_a_run_full_of_near_ties_is_the_exact_one() -> None:
    # Ten thirds of the same three numbers cancel up to rounding, in every order differently.
    rng = np.random.default_rng(3)
    X = rng.choice([0.1, 0.2, 0.3, -0.1, -0.2, -0.3], size=(200, 6))
    y = rng.choice([-1, 1], size=200)
    theta, history, _, _ = naive(X, y, 3)
    with pytest.warns(ConvergenceWarning):
        model = Perceptron(fit_intercept=False, max_iter=3).fit(X, y)
    assert model.mistakes_.tolist() == history
    np.testing.assert_array_equal(model.coef_, theta)


def test_agrees_with_scikit_learn_on_the_same_passes() -> None:
    X, y, _ = separable(5, n=500, d=10, gap=0.05)
    ours = Perceptron().fit(X, y)
    theirs = Reference(shuffle=False, tol=None, max_iter=ours.n_iter_).fit(X, y)
    np.testing.assert_allclose(ours.coef_, theirs.coef_[0], rtol=1e-12)
    assert ours.intercept_ == theirs.intercept_[0]


@given(st.integers(0, 10**6), st.floats(0.05, 2.0), st.integers(1, 6))
@settings(max_examples=60)
def test_mistakes_never_exceed_the_novikoff_bound(seed: int, gap: float, d: int) -> None:
    X, y, theta = separable(seed, d=d, gap=gap)
    model = Perceptron(fit_intercept=False).fit(X, y)
    bound = perceptron.novikoff_bound(
        perceptron.radius(X),
        perceptron.functional_margin(X, y, theta),
        float(np.linalg.norm(theta)),
    )
    assert 1 <= model.n_mistakes_ <= bound
    assert model.n_mistakes_ <= model.mistake_bound_
    assert (model.predict(X) == y).all()
    assert model.margin_ > 0


@pytest.mark.parametrize("seed", range(5))
def test_the_bound_of_the_largest_margin_holds_too_and_is_the_smallest(seed: int) -> None:
    X, y, theta = separable(seed)
    best = largest_margin(X, y)
    assert best >= perceptron.geometric_margin(X, y, theta) - 1e-9
    model = Perceptron(fit_intercept=False).fit(X, y)
    smallest = perceptron.novikoff_bound(perceptron.radius(X), best)
    assert model.n_mistakes_ <= smallest
    assert model.mistake_bound_ >= smallest * (1 - 1e-9)


@pytest.mark.parametrize("d", [2, 4, 9, 16])
def test_the_bound_is_attained_by_orthonormal_points(d: int) -> None:
    y = np.ones(d)
    y[-1] = -1
    X = y[:, None] * np.eye(d)
    model = Perceptron(fit_intercept=False).fit(X, y)
    assert model.n_mistakes_ == d
    assert model.mistake_bound_ == d


@pytest.mark.parametrize("seed", range(10))
def test_both_growth_lemmas_hold_after_every_mistake(seed: int) -> None:
    X, y, theta = separable(seed)
    gamma = perceptron.functional_margin(X, y, theta)
    R = perceptron.radius(X)
    history = Perceptron(fit_intercept=False).fit(X, y).mistakes_
    path = np.cumsum(y[history, None] * X[history], axis=0)
    k = np.arange(1, len(path) + 1)
    assert (path @ theta >= k * gamma * (1 - 1e-12)).all()
    assert (np.sum(path**2, axis=1) <= k * R**2 * (1 + 1e-12)).all()


@given(st.integers(0, 10**6), st.integers(-300, 300))
@settings(max_examples=40)
def test_a_common_scale_of_the_data_changes_no_mistake(seed: int, exponent: int) -> None:
    X, y, _ = separable(seed, n=15)
    model = Perceptron(fit_intercept=False).fit(X, y)
    scaled = Perceptron(fit_intercept=False).fit(np.ldexp(X, exponent), y)
    np.testing.assert_array_equal(scaled.mistakes_, model.mistakes_)
    np.testing.assert_array_equal(scaled.coef_, np.ldexp(model.coef_, exponent))
    assert scaled.mistake_bound_ == model.mistake_bound_
    assert scaled.margin_ == math.ldexp(model.margin_, exponent)
    assert scaled.radius_ == math.ldexp(model.radius_, exponent)


def test_scaling_each_point_by_its_own_length_may_be_another_run() -> None:
    def changed(seed: int) -> bool:
        X, y, _ = separable(seed)
        unit = X / np.linalg.norm(X, axis=1)[:, None]
        first, second = (Perceptron(fit_intercept=False).fit(P, y) for P in (X, unit))
        return first.mistakes_.tolist() != second.mistakes_.tolist()

    assert any(changed(seed) for seed in range(10))


@pytest.mark.parametrize("rate", [0.125, 8.0])
def test_a_learning_rate_only_rescales_the_weights_from_a_zero_start(rate: float) -> None:
    X, y, _ = separable(2)
    plain = Perceptron().fit(X, y)
    slow = Perceptron(learning_rate=rate).fit(X, y)
    np.testing.assert_array_equal(slow.mistakes_, plain.mistakes_)
    np.testing.assert_array_equal(slow.coef_, rate * plain.coef_)
    assert slow.intercept_ == rate * plain.intercept_


def test_a_learning_rate_matters_from_another_start_as_in_the_naive_loop() -> None:
    X, y, _ = separable(4, d=2, gap=0.1)
    start = [3.0, -3.0]
    runs = []
    for rate in (1.0, 0.1):
        model = Perceptron(fit_intercept=False, start=start, learning_rate=rate).fit(X, y)
        theta, history, _, _ = naive(X, y, 1000, start=start, rate=rate)
        assert model.mistakes_.tolist() == history
        np.testing.assert_allclose(model.coef_, theta, rtol=1e-13)
        assert model.mistake_bound_ == math.inf
        runs.append(history)
    assert runs[0] != runs[1]


def test_a_start_that_separates_makes_no_mistake() -> None:
    X, y, theta = separable(3)
    model = Perceptron(fit_intercept=False, start=theta).fit(X, y)
    assert model.n_mistakes_ == 0
    assert model.n_iter_ == 1
    np.testing.assert_array_equal(model.coef_, theta)


def test_passes_are_at_most_one_more_than_mistakes() -> None:
    for seed in range(10):
        X, y, _ = separable(seed)
        model = Perceptron().fit(X, y)
        assert model.n_iter_ <= model.n_mistakes_ + 1


def test_data_that_are_not_separable_end_with_a_clear_warning() -> None:
    with pytest.warns(ConvergenceWarning, match=r"made 7 passes.*PocketPerceptron.*add features"):
        model = Perceptron(max_iter=7).fit(*XOR)
    assert model.n_iter_ == 7
    assert model.margin_ <= 0
    assert model.mistake_bound_ == math.inf
    with pytest.warns(ConvergenceWarning, match="BatchPerceptron made 9 passes"):
        BatchPerceptron(max_iter=9).fit(*XOR)


def test_a_run_cut_short_after_it_had_separated_is_not_blamed() -> None:
    X, y = [[1.0], [-1.0]], [1, -1]
    assert Perceptron(fit_intercept=False).fit(X, y).n_iter_ == 2
    model = Perceptron(fit_intercept=False, max_iter=1).fit(X, y)
    assert model.n_iter_ == 1
    assert model.margin_ == 1.0


def test_the_dual_counts_rebuild_the_weights() -> None:
    X, y, _ = separable(6)
    model = Perceptron().fit(X, y)
    assert model.counts_.sum() == model.n_mistakes_
    rebuilt = (model.counts_ * y) @ perceptron.augment(X)
    np.testing.assert_allclose(rebuilt, [*model.coef_, model.intercept_], rtol=1e-12)


def test_the_dual_perceptron_makes_the_same_mistakes_from_inner_products() -> None:
    rng = np.random.default_rng(0)
    for _ in range(20):
        X = rng.integers(-3, 4, size=(12, 4)).astype(float)
        y = rng.choice([-1, 1], size=12)
        theta, history, _, _ = naive(X, y, 30)
        counts, separated = perceptron.dual_perceptron(X @ X.T, y, max_iter=30)
        np.testing.assert_array_equal(counts, np.bincount(history, minlength=12))
        assert separated == bool((y * (X @ theta) > 0).all())


def test_the_dual_perceptron_gives_up_on_xor_but_not_with_a_product_kernel() -> None:
    X, y = XOR
    gram = 1.0 + X @ X.T
    assert perceptron.dual_perceptron(gram, y, max_iter=50)[1] is False
    assert perceptron.dual_perceptron(gram**2, y)[1] is True
    with pytest.raises(ValueError, match="gram must be square"):
        perceptron.dual_perceptron(gram[:2], y)


def test_the_averaged_weights_are_the_mean_over_all_visits() -> None:
    for seed in range(5):
        X, y, _ = separable(seed)
        _, history, passes, path = naive(perceptron.augment(X), y, 1000)
        model = AveragedPerceptron().fit(X, y)
        assert model.mistakes_.tolist() == history
        assert model.n_iter_ == passes
        np.testing.assert_allclose([*model.coef_, model.intercept_], path.mean(axis=0), rtol=1e-12)


def test_the_average_starts_where_the_run_starts() -> None:
    X, y, _ = separable(4, d=2, gap=0.1)
    start, rate = [3.0, -3.0], 0.5
    _, _, _, path = naive(X, y, 1000, start=start, rate=rate)
    model = AveragedPerceptron(fit_intercept=False, start=start, learning_rate=rate).fit(X, y)
    np.testing.assert_allclose(model.coef_, path.mean(axis=0), rtol=1e-12)


def test_the_average_warns_when_the_run_did_not_end() -> None:
    with pytest.warns(ConvergenceWarning, match="AveragedPerceptron made 5 passes"):
        AveragedPerceptron(max_iter=5).fit(*XOR)


@pytest.mark.parametrize("seed", range(8))
def test_the_batch_perceptron_adds_all_mistakes_and_keeps_its_bound(seed: int) -> None:
    X, y, _ = separable(seed)
    Z = y[:, None] * perceptron.augment(X)
    theta, rounds = np.zeros(Z.shape[1]), []
    while True:
        wrong = [z for z in Z if z @ theta <= 0]
        rounds.append(len(wrong))
        if not wrong:
            break
        theta = theta + sum(wrong)
    model = BatchPerceptron().fit(X, y)
    assert model.mistakes_per_round_.tolist() == rounds
    assert model.n_mistakes_ == sum(rounds) <= model.mistake_bound_
    assert model.n_iter_ == len(rounds)
    np.testing.assert_allclose([*model.coef_, model.intercept_], theta, rtol=1e-9)


def test_the_batch_perceptron_may_need_more_mistakes_than_the_online_one() -> None:
    # A thousand equal points all count in the first round; the other one must make up for them.
    X = np.array([[1.0, 0.0]] * 1000 + [[0.5, -0.1]])
    y = np.array([1] * 1000 + [-1])
    theta = np.array([1.0, 10.0])
    bound = perceptron.novikoff_bound(
        perceptron.radius(X), perceptron.functional_margin(X, y, theta), math.sqrt(101)
    )
    online = Perceptron(fit_intercept=False).fit(X, y)
    batch = BatchPerceptron(fit_intercept=False, max_iter=10**4).fit(X, y)
    assert online.n_mistakes_ <= bound < batch.n_mistakes_ <= len(y) * bound
    for model, factor in ((online, 1), (batch, len(y))):
        own = perceptron.novikoff_bound(model.radius_, model.margin_)
        assert model.mistake_bound_ == pytest.approx(factor * own, rel=1e-9)


@pytest.mark.filterwarnings("ignore::mlnotes.exceptions.ConvergenceWarning")
@given(st.integers(0, 10**6))
@settings(max_examples=25)
def test_the_order_of_the_rows_does_not_matter_to_the_batch_perceptron(seed: int) -> None:
    X, y, _ = separable(seed)
    X = np.round(8 * X) / 8  # sums of eighths are exact in every order
    order = np.random.default_rng(seed).permutation(len(y))
    first = BatchPerceptron(max_iter=20).fit(X, y)
    second = BatchPerceptron(max_iter=20).fit(X[order], y[order])
    np.testing.assert_array_equal(first.coef_, second.coef_)
    np.testing.assert_array_equal(first.mistakes_per_round_, second.mistakes_per_round_)


@pytest.mark.parametrize("seed", range(6))
def test_the_pocket_holds_the_best_weights_of_the_naive_run(seed: int) -> None:
    rng = np.random.default_rng(seed)
    X, y, _ = separable(seed)
    y = np.where(rng.random(len(y)) < 0.15, -y, y)
    Z = perceptron.augment(X)
    _, history, _, _ = naive(Z, y, 50)
    weights = np.vstack([np.zeros((1, 4)), np.cumsum(y[history, None] * Z[history], axis=0)])[:61]
    errors = [float(np.mean(y * (Z @ w) <= 0)) for w in weights]
    model = PocketPerceptron(max_updates=60).fit(X, y)
    assert model.mistakes_.tolist() == history[:60]
    np.testing.assert_allclose(model.errors_, errors)
    np.testing.assert_allclose(model.pocket_errors_, np.minimum.accumulate(errors))
    best = weights[int(np.argmin(errors))]
    np.testing.assert_allclose([*model.coef_, model.intercept_], best, rtol=1e-12)
    assert 1 - model.score(X, y) <= min(errors) + 1e-12


def test_the_pocket_never_gets_worse_while_the_perceptron_does() -> None:
    rng = np.random.default_rng(0)
    X, y, _ = separable(0, n=100)
    y = np.where(rng.random(100) < 0.1, -y, y)
    model = PocketPerceptron().fit(X, y)
    assert (np.diff(model.pocket_errors_) <= 0).all()
    assert (np.diff(model.errors_) > 0).any()
    assert model.errors_[-200:].max() > model.pocket_errors_[-1]


def test_the_pocket_ends_early_on_separable_data() -> None:
    X, y, _ = separable(0)
    model = PocketPerceptron().fit(X, y)
    assert model.pocket_errors_[-1] == 0
    assert model.n_mistakes_ == Perceptron().fit(X, y).n_mistakes_ < 1000


@pytest.mark.parametrize("cls", [Perceptron, PocketPerceptron])
def test_features_far_from_the_origin_are_named_as_the_reason(cls: Any) -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 2))
    y = np.where(X.sum(axis=1) + rng.normal(size=60) > 0, 1, -1)
    model = cls(**({"max_iter": 5} if cls is Perceptron else {"max_updates": 20}))
    with pytest.warns(ConvergenceWarning, match=r"means of the features.*Subtract the means"):
        model.fit(X + np.array([0.0, 30.0]), y)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        model.fit(X + np.array([0.0, 3.0]), y)
    assert not any("Subtract" in str(w.message) for w in caught)
    # Where there is no mistake left there is no reason to look for.
    assert cls().fit(X + np.array([0.0, 30.0]), np.where(X[:, 0] > 0, 1, -1)).n_mistakes_ > 0


def test_the_pocket_cannot_beat_the_fewest_errors_possible() -> None:
    # No line has more than three of the four points of XOR strictly on their right sides.
    model = PocketPerceptron(max_updates=100).fit(*XOR)
    assert model.pocket_errors_[-1] >= 0.25


@pytest.mark.parametrize("cls", [Perceptron, BatchPerceptron, PocketPerceptron])
def test_limit_cases_have_a_defined_answer(cls: type[Any]) -> None:
    constant = cls().fit([[7.0, 0.0], [7.0, 1.0]], [0, 1])
    assert (constant.predict([[7.0, 0.0], [7.0, 1.0]]) == [0, 1]).all()
    wide = cls().fit([[1.0, 0, 0, 0, 0], [0, 1.0, 0, 0, 0]], ["a", "b"])
    assert (wide.predict(np.eye(2, 5)) == ["a", "b"]).all()
    twice = cls().fit([[1.0], [1.0], [-1.0], [-1.0]], [1, 1, 0, 0])
    assert twice.score([[1.0], [-1.0]], [1, 0]) == 1.0
    for scale in (1e-300, 1e-160, 1e160, 1e300):
        X = scale * np.array([[1.0, 2.0], [3.0, 1.0], [-1.0, -1.0], [-2.0, 0.5]])
        extreme = cls(fit_intercept=False).fit(X, [1, 1, 0, 0])
        assert (extreme.predict(X) == [1, 1, 0, 0]).all()
        assert not np.isnan(extreme.decision_function(X)).any()
        assert np.isfinite(extreme.radius_)
        assert extreme.margin_ > 0


def test_points_of_zero_length_can_never_be_right() -> None:
    with pytest.warns(ConvergenceWarning, match="3 of 3"):
        model = Perceptron(fit_intercept=False, max_iter=3).fit(np.zeros((3, 2)), [0, 1, 1])
    assert model.margin_ == 0.0
    assert model.radius_ == 0.0
    np.testing.assert_array_equal(model.coef_, [0.0, 0.0])


def test_margins_are_distances() -> None:
    X, y = [[3.0, 4.0], [-3.0, 0.0]], [1, -1]
    assert perceptron.functional_margin(X, y, [1.0, 0.0]) == 3.0
    assert perceptron.functional_margin(X, y, [10.0, 0.0]) == 30.0
    assert perceptron.geometric_margin(X, y, [10.0, 0.0]) == 3.0
    assert perceptron.geometric_margin(X, y, [0.0, 1.0]) == 0.0
    assert perceptron.geometric_margin(X, [1, 1], [1.0, 0.0]) == -3.0
    # The distance is that to the nearest point of the hyperplane, here found by hand.
    np.testing.assert_allclose(perceptron.signed_distance([[2.0, 1.0]], [3.0, 4.0], 5.0), [3.0])
    with pytest.raises(ValueError, match="Expected 2D array"):
        perceptron.geometric_margin([], [], [])
    for formula in (perceptron.geometric_margin, perceptron.signed_distance):
        arguments = (
            (X, y, [0.0, 0.0]) if formula is perceptron.geometric_margin else (X, [0.0, 0.0])
        )
        with pytest.raises(ValueError, match="theta is zero"):
            formula(*arguments)


def test_radius_and_margin_survive_extreme_scales() -> None:
    assert perceptron.radius([[3e200, 4e200]]) == pytest.approx(5e200, rel=1e-15)
    assert perceptron.radius([[3e-200, 4e-200]]) == pytest.approx(5e-200, rel=1e-15)
    assert perceptron.radius([[0.0, 0.0]]) == 0.0
    assert perceptron.signed_distance([[1.0, 0.0]], [3e200, 4e200])[0] == pytest.approx(0.6)


def test_the_augmented_radius_is_that_of_the_formula() -> None:
    X, _, _ = separable(0)
    for c in (1.0, 2.5):
        augmented = perceptron.augment(X, c)
        assert (augmented[:, -1] == c).all()
        assert perceptron.radius(augmented) ** 2 == pytest.approx(perceptron.radius(X) ** 2 + c**2)


def test_the_bound_is_infinite_without_a_margin_and_overflows_gracefully() -> None:
    assert perceptron.novikoff_bound(1.0, 0.0) == math.inf
    assert perceptron.novikoff_bound(1.0, -1.0) == math.inf
    assert perceptron.novikoff_bound(1e200, 1e-200) == math.inf
    assert perceptron.novikoff_bound(3.0, 2.0, 4.0) == 36.0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((-1.0, 1.0), "radius must be a number of at least 0.*pass a length"),
        ((1.0, 1.0, -3.0), "norm must be a number of at least 0.*pass a length"),
        ((math.inf, 1.0), "radius must be a number of at least 0.*pass a length"),
        ((1.0, math.nan), "margin must be a finite number"),
    ],
)
def test_a_bound_of_no_lengths_is_refused(arguments: tuple[float, ...], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        perceptron.novikoff_bound(*arguments)


def test_a_prediction_is_right_exactly_where_the_signed_product_is_positive() -> None:
    values = range(-2, 3)
    for w, b, x, label in product(values, values, values, (-1, 1)):
        predicted = (w * x + b > 0) - (w * x + b < 0)
        margin = perceptron.functional_margin(perceptron.augment([[x]]), [label], [w, b])
        # On the hyperplane the prediction is 0, which is neither label.
        assert (margin > 0) == (predicted == label)


def test_the_perceptron_is_subgradient_descent_on_its_loss() -> None:
    X, y, theta = separable(0)
    theta = -theta
    loss = perceptron.perceptron_loss(X, y, theta)
    np.testing.assert_allclose(loss, np.maximum(0, -y * (X @ theta)))
    assert (perceptron.perceptron_loss(X, y, 0 * theta) == 0).all()
    i = int(np.argmax(loss))
    step = 1e-6
    gradient = [
        (
            perceptron.perceptron_loss(X, y, theta + step * e)[i]
            - perceptron.perceptron_loss(X, y, theta - step * e)[i]
        )
        / (2 * step)
        for e in np.eye(3)
    ]
    np.testing.assert_allclose(gradient, -y[i] * X[i], rtol=1e-6)


def test_a_constant_that_is_no_number_and_a_gram_matrix_of_none_are_refused() -> None:
    for constant in (math.nan, math.inf):
        with pytest.raises(ValueError, match="constant must be a finite number"):
            perceptron.augment([[1.0]], constant)
    with pytest.raises(ValueError, match="gram must be symmetric"):
        perceptron.dual_perceptron([[1.0, 0.5], [0.0, 1.0]], [1, -1])
    rounded = np.array([[1.0, 0.1 + 0.2], [0.3, 1.0]])
    assert perceptron.dual_perceptron(rounded, [1, 1])[1]


@pytest.mark.parametrize("rate", [1e308, 1e-308])
def test_a_rate_that_leaves_the_range_of_floats_is_refused(rate: float) -> None:
    X, y, _ = separable(0)
    with pytest.raises(
        ValueError, match="learning_rate must be a number of at least 1e-100 and at most"
    ):
        Perceptron(learning_rate=rate).fit(X, y)
    widest = Perceptron(learning_rate=1e100 if rate > 1 else 1e-100).fit(X, y)
    plain = Perceptron().fit(X, y)
    np.testing.assert_array_equal(widest.mistakes_, plain.mistakes_)
    with pytest.raises(ValueError, match="The weights exceed any float"):
        Perceptron(fit_intercept=False, learning_rate=1e100).fit([[1e300], [-1e300]], [1, -1])


def test_separability_is_decided_on_both_sides_of_the_line() -> None:
    X, y = XOR
    assert not perceptron.is_linearly_separable(X, y)
    product = np.column_stack([X, X[:, 0] * X[:, 1]])
    assert perceptron.is_linearly_separable(product, y)
    # Without an offset, points on one ray with both labels are not separable; with one they are.
    ray = [[1.0], [2.0]]
    assert not perceptron.is_linearly_separable(ray, [-1, 1], fit_intercept=False)
    assert perceptron.is_linearly_separable(ray, [-1, 1])
    # A narrow gap is a gap.
    for gap in (1e-4, 1e-8):
        assert perceptron.is_linearly_separable([[0.5], [0.5 + gap]], [-1, 1])
    # Equal points with different labels, and a point at the origin.
    assert not perceptron.is_linearly_separable([[1.0], [1.0]], [-1, 1])
    assert not perceptron.is_linearly_separable([[0.0], [1.0]], [1, 1], fit_intercept=False)


@pytest.mark.parametrize("seed", range(10))
def test_separability_agrees_with_the_run_of_the_perceptron(seed: int) -> None:
    X, y, _ = separable(seed, gap=0.2)
    assert perceptron.is_linearly_separable(X, y, fit_intercept=False)
    rng = np.random.default_rng(seed)
    X, y = rng.integers(-2, 3, size=(8, 2)), rng.choice([-1, 1], size=8)
    Z = perceptron.augment(X)
    theta, _, _, _ = naive(Z, y, 300)
    assert perceptron.is_linearly_separable(X, y) == bool((y * (Z @ theta) > 0).all())


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"max_iter": 0}, "max_iter must be an integer"),
        ({"learning_rate": -1.0}, "learning_rate must be a number of at least 1e-100"),
        ({"start": [1.0]}, "start has length 1, but length 4"),
    ],
)
def test_bad_parameters_are_refused_in_fit(parameters: dict[str, Any], message: str) -> None:
    X, y, _ = separable(0)
    with pytest.raises(ValueError, match=message):
        Perceptron(**parameters).fit(X, y)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("scale", [1e-3, 1.0, 1e6])
def test_the_maximum_margin_is_that_of_a_quadratic_programme(seed: int, scale: float) -> None:
    X, y, _ = separable(seed)
    margin, theta = perceptron.maximum_margin(scale * X, y)
    assert margin == pytest.approx(scale * largest_margin(X, y), rel=1e-6)
    assert perceptron.geometric_margin(scale * X, y, theta) == pytest.approx(margin, rel=1e-9)


@given(st.integers(0, 10**6), st.integers(1, 4), st.floats(0.01, 0.5))
@settings(max_examples=25, deadline=None)
def test_no_perceptron_has_a_larger_margin_than_the_maximum(seed: int, d: int, gap: float) -> None:
    X, y, _ = separable(seed, n=15, d=d, gap=gap)
    model = Perceptron(fit_intercept=False, max_iter=10**5).fit(X, y)
    margin, _ = perceptron.maximum_margin(X, y)
    assert model.margin_ <= margin * (1 + 1e-9)
    assert model.n_mistakes_ <= perceptron.novikoff_bound(perceptron.radius(X), margin) + 1e-6


@pytest.mark.parametrize("exponent", range(-9, -1))
@pytest.mark.parametrize("turn", [0.0, 0.7])
def test_a_small_margin_is_found_to_as_many_digits_as_the_data_have(
    exponent: int, turn: float
) -> None:
    height = 10.0**exponent
    flat = np.array([[1.0, height], [-1.0, height], [0.3, 2 * height]])
    rotation = np.array([[math.cos(turn), -math.sin(turn)], [math.sin(turn), math.cos(turn)]])
    margin, theta = perceptron.maximum_margin(flat @ rotation, [1, 1, 1])
    # The rotated points are rounded at 1e-16, which is this share of their margin.
    assert margin == pytest.approx(height, rel=4e-16 / height)
    np.testing.assert_allclose(theta, [0.0, 1.0] @ rotation, atol=4e-16 / height)


@given(st.integers(0, 10**6))
@settings(max_examples=60)
def test_there_is_a_margin_exactly_where_a_linear_programme_separates(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n, d = rng.integers(2, 30), rng.integers(1, 5)
    X, y = rng.integers(-2, 3, size=(n, d)).astype(float), rng.choice([-1, 1], n)
    margin, theta = perceptron.maximum_margin(X, y)
    assert (margin > 0) == perceptron.is_linearly_separable(X, y, fit_intercept=False)
    assert (margin > 0) == bool(theta.any())


def test_data_that_no_hyperplane_separates_have_no_margin() -> None:
    X, y = XOR
    for points in (X, perceptron.augment(X), np.zeros((4, 2))):
        margin, theta = perceptron.maximum_margin(points, y)
        assert margin == 0.0
        assert not theta.any()


def test_an_indicator_for_each_point_separates_even_equal_points_with_different_labels() -> None:
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(12, 2)), rng.choice([-1, 1], size=12)
    X[1], y[:2] = X[0], (1, -1)
    assert not perceptron.is_linearly_separable(X, y)
    apart = perceptron.indicator_augment(X)
    labels = np.append(np.zeros(2), y)
    np.testing.assert_array_equal(y * (apart @ labels), np.ones(12))
    assert perceptron.radius(apart) ** 2 == pytest.approx(perceptron.radius(X) ** 2 + 1)
    best, _ = perceptron.maximum_margin(apart, y)
    assert best >= 1 / math.sqrt(12) - 1e-12
    model = Perceptron(fit_intercept=False).fit(apart, y)
    assert model.n_mistakes_ <= 12 * (perceptron.radius(X) ** 2 + 1)
    # A new point has no indicator: the labels that were learnt by heart do not speak about it.
    new = np.append(rng.normal(size=2), np.zeros(12))
    assert new @ labels == 0


@pytest.mark.parametrize("seed", range(4))
def test_the_fewest_errors_are_those_of_all_sign_patterns_of_a_fine_fan_of_lines(seed: int) -> None:
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(7, 2)), rng.choice([-1, 1], size=7)
    # Through 0 in the plane every dichotomy is met by a normal next to one orthogonal to a point.
    angles = np.arctan2(X[:, 0], -X[:, 1])
    around = np.concatenate([angles + turn + side for turn in (0, np.pi) for side in (-1e-6, 1e-6)])
    normals = np.column_stack([np.cos(around), np.sin(around)])
    expected = ((y[:, None] * (X @ normals.T)) <= 0).sum(axis=0).min()
    assert perceptron.fewest_errors(X, y, fit_intercept=False) == expected


def test_the_fewest_errors_of_limit_cases() -> None:
    X, y = XOR
    assert perceptron.fewest_errors(X, y) == 1
    assert perceptron.fewest_errors(X, [1, 1, 1, -1]) == 0
    assert perceptron.fewest_errors(np.zeros((3, 1)), [1, 1, -1], fit_intercept=False) == 3


@pytest.mark.parametrize("seed", range(5))
def test_an_offset_is_the_weight_of_a_constant_coordinate(seed: int) -> None:
    X, y, _ = separable(seed)
    X = X + 0.1
    affine = Perceptron(max_iter=5000).fit(X, y)
    homogeneous = Perceptron(fit_intercept=False, max_iter=5000).fit(perceptron.augment(X), y)
    np.testing.assert_array_equal(affine.mistakes_, homogeneous.mistakes_)
    np.testing.assert_array_equal(np.append(affine.coef_, affine.intercept_), homogeneous.coef_)


@pytest.mark.parametrize("rate", [0.25, 4.0])
def test_a_rate_for_the_weights_alone_is_another_constant_coordinate(rate: float) -> None:
    X, y, _ = separable(2)
    X = X + 0.1
    theta, offset, mistakes = np.zeros(3), 0.0, []
    clean = False
    while not clean:
        clean = True
        for i in range(len(X)):
            if y[i] * (X[i] @ theta + offset) <= 0:
                theta, offset = theta + rate * y[i] * X[i], offset + y[i]
                mistakes.append(i)
                clean = False
    constant = 1 / math.sqrt(rate)
    model = Perceptron(fit_intercept=False, max_iter=5000).fit(perceptron.augment(X, constant), y)
    assert model.mistakes_.tolist() == mistakes
    ordinary = Perceptron(max_iter=5000).fit(X, y)
    assert ordinary.mistakes_.tolist() != mistakes


@given(st.integers(0, 10**6), st.floats(0.1, 10))
@settings(max_examples=25, deadline=None)
def test_predictions_depend_on_the_direction_of_the_weights_alone(seed: int, factor: float) -> None:
    X, _, theta = separable(seed, n=10)
    signs = np.sign(perceptron.signed_distance(X, theta, 0.2))
    np.testing.assert_array_equal(
        np.sign(perceptron.signed_distance(X, factor * theta, factor * 0.2)), signs
    )
    np.testing.assert_array_equal(
        np.sign(perceptron.signed_distance(X, -factor * theta, -factor * 0.2)), -signs
    )


def test_a_large_offset_decides_alone() -> None:
    X, _, theta = separable(0)
    reach = np.abs(X @ theta).max() + 1
    assert (perceptron.signed_distance(X, theta, -reach) < 0).all()
    assert (perceptron.signed_distance(X, theta, reach) > 0).all()


def test_subgradient_steps_on_the_loss_are_the_run_of_the_perceptron() -> None:
    X, y, _ = separable(1)
    theta = np.zeros(3)
    for _ in range(50):
        for i in range(len(X)):
            active = y[i] * (X[i] @ theta) <= 0
            theta = theta - (-y[i] * X[i]) * active
    np.testing.assert_allclose(Perceptron(fit_intercept=False).fit(X, y).coef_, theta, atol=1e-12)


def test_on_xor_the_run_comes_back_to_where_it_was() -> None:
    X, y = XOR
    Z = y[:, None] * perceptron.augment(X)
    theta, seen = np.zeros(3), {}
    for passes in range(100):
        if tuple(theta) in seen:
            break
        seen[tuple(theta)] = passes
        for z in Z:
            if z @ theta <= 0:
                theta = theta + z
    assert passes - seen[tuple(theta)] > 0
    assert max(np.linalg.norm(state) for state in seen) <= 2


def test_the_weights_stay_bounded_where_no_hyperplane_separates() -> None:
    rng = np.random.default_rng(0)
    X, y = rng.uniform(-1, 1, size=(20, 2)), rng.choice([-1, 1], size=20)
    assert not perceptron.is_linearly_separable(X, y)
    sizes = []
    for passes in (10, 100, 1000, 5000):
        with pytest.warns(ConvergenceWarning):
            model = Perceptron(max_iter=passes).fit(X, y)
        path = np.cumsum((y[:, None] * perceptron.augment(X))[model.mistakes_], axis=0)
        sizes.append(np.linalg.norm(path, axis=1).max())
    # Five hundred times as many corrections do not make the weights a tenth longer.
    assert sizes[-1] < 1.1 * sizes[0]
    assert sizes[-1] < 0.05 * math.sqrt(model.n_mistakes_) * model.radius_


def test_the_pocket_beats_as_many_random_lines() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 10))
    y = np.where(X @ rng.normal(size=10) > 0, 1, -1)
    y[:20] *= -1
    pocket = PocketPerceptron(max_updates=1000).fit(X, y)
    normals = rng.normal(size=(1000, 11))
    errors = (y[:, None] * (perceptron.augment(X) @ normals.T) <= 0).mean(axis=0)
    assert pocket.pocket_errors_[-1] < errors.min()
    assert (np.diff(pocket.pocket_errors_) <= 0).all()


def test_the_loss_in_two_cases_is_the_larger_of_two_numbers() -> None:
    z = proof.reals("z")
    loss = proof.Max(0, -z)
    cases = ((proof.Gt(z, 0), 0, 1), (proof.Le(z, 0), -z, -1))
    for case, value, witness in cases:
        start = proof.Derivation("a case", given=[case], witness={z: witness}).start(loss)
        theorem = start.equals(value, because="one of the two is larger").qed()
        assert {step.mark for step in theorem.steps} == {"proved"}
    with pytest.raises(proof.WrongStep):
        proof.Derivation("both cases").start(loss).equals(-z, because="not for a right point")


@pytest.mark.filterwarnings("ignore::mlnotes.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("seed", range(60))
def test_estimators_agree_with_the_algorithms_of_the_chapter(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n, d = int(rng.integers(2, 15)), int(rng.integers(1, 5))
    X = rng.integers(-4, 5, size=(n, d)).astype(float)
    y = np.append([-1, 1], rng.choice([-1, 1], size=n - 2))
    theta, mistakes = perceptron.perceptron(X, y, max_iter=20)
    model = Perceptron(fit_intercept=False, max_iter=20).fit(X, y)
    assert model.mistakes_.tolist() == mistakes.tolist()
    np.testing.assert_array_equal(model.coef_, theta)
    kept, errors = perceptron.pocket(perceptron.augment(X), y, max_updates=30)
    pocketed = perceptron.PocketPerceptron(max_updates=30).fit(X, y)
    np.testing.assert_array_equal(np.append(pocketed.coef_, pocketed.intercept_), kept)
    assert round(float(pocketed.pocket_errors_[-1]) * n) == errors
