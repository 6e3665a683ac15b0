"""Maximum entropy against a primal optimiser, logistic regression and the theorems of duality."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize

from mlnotes import maximum_entropy as me
from mlnotes.exceptions import ConvergenceWarning
from mlnotes.logistic_regression import LogisticRegression
from mlnotes.maximum_entropy import MaximumEntropy

FACES = np.arange(1.0, 7.0)[:, None]
# The five points of the errata, with the features [y = 1] and [y = 1]·x.
FIVE_X = np.array([[0.0], [1.0], [1.0], [0.0], [2.0]])
FIVE_Y = np.array([1, 1, 1, 0, 0])


def laws(seed: int, n: int = 4, k: int = 3) -> Any:
    return np.random.default_rng(seed).dirichlet(np.ones(k), size=n)


def table(seed: int, n: int = 4, k: int = 3, m: int = 2) -> Any:
    return np.random.default_rng(seed).normal(size=(n, k, m))


def noisy(seed: int = 0, n: int = 200, k: int = 2) -> tuple[Any, Any]:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 3))
    return X, (X @ rng.normal(size=(3, k)) + rng.gumbel(size=(n, k))).argmax(axis=1)


@given(st.integers(0, 10**6), st.integers(2, 8))
def test_entropy_lies_between_zero_and_the_logarithm_of_the_outcomes(seed: int, k: int) -> None:
    p = laws(seed, 5, k)
    assert (me.entropy(p) >= 0).all()
    assert (me.entropy(p) <= np.log(k) + 1e-12).all()
    assert me.entropy(np.full(k, 1 / k)) == pytest.approx(np.log(k))
    assert me.entropy(np.eye(k)).tolist() == [0.0] * k


@given(st.integers(0, 10**6))
def test_gibbs_inequality(seed: int) -> None:
    p, q = laws(seed), laws(seed + 1)
    assert (me.kl_divergence(p, q) >= 0).all()
    np.testing.assert_array_equal(me.kl_divergence(p, p), 0.0)
    assert me.kl_divergence([1.0, 0.0], [0.0, 1.0]) == np.inf
    # Outcomes that p excludes cost nothing, and the inequality stays; so does its sharper form.
    p[:, 0] = 0.0
    p /= p.sum(axis=1, keepdims=True)
    apart = ((np.sqrt(p) - np.sqrt(q)) ** 2).sum(axis=1)
    assert (me.kl_divergence(p, q) >= apart - 1e-12).all()


@given(st.integers(0, 10**6))
@settings(max_examples=40)
def test_a_distribution_with_zeros_obeys_both_theorems_too(seed: int) -> None:
    rng = np.random.default_rng(seed)
    F, q = table(seed), np.eye(3)[rng.integers(0, 3, size=4)]
    q[0] = [0.5, 0.5, 0.0]
    moments = me.feature_expectations(F, q)
    bound = me.dual_objective(F, moments, rng.normal(size=2))
    assert bound >= me.entropy(q).mean() - 1e-12


@given(st.integers(0, 10**6))
@settings(max_examples=40)
def test_the_moments_are_matched_to_ten_digits(seed: int) -> None:
    F = table(seed)
    moments = me.feature_expectations(F, laws(seed))
    found = me.maximise_entropy(F, moments)
    reached = me.feature_expectations(F, found.probabilities)
    np.testing.assert_allclose(reached, moments, rtol=0, atol=1e-10)
    assert found.moment_gap <= 1e-10
    np.testing.assert_allclose(
        found.probabilities, me.log_linear_model(F, found.multipliers), atol=1e-12
    )


@given(st.integers(0, 10**6))
@settings(max_examples=40)
def test_the_gap_of_the_entropies_is_the_divergence(seed: int) -> None:
    F, q = table(seed), laws(seed)
    found = me.maximise_entropy(F, me.feature_expectations(F, q))
    gap = found.entropy - me.entropy(q).mean()
    assert gap == pytest.approx(me.kl_divergence(q, found.probabilities).mean(), abs=1e-9)
    assert gap >= -1e-12


@given(st.integers(0, 10**6), st.integers(0, 10**6))
@settings(max_examples=40)
def test_weak_duality_and_no_gap_at_the_solution(seed: int, other: int) -> None:
    F, q = table(seed), laws(seed)
    moments = me.feature_expectations(F, q)
    multipliers = np.random.default_rng(other).normal(size=2)
    assert me.dual_objective(F, moments, multipliers) >= me.entropy(q).mean() - 1e-12
    found = me.maximise_entropy(F, moments)
    assert found.dual == pytest.approx(found.entropy, abs=1e-9)
    assert me.dual_objective(F, moments, found.multipliers) == pytest.approx(found.dual)


def test_the_primal_solved_by_a_general_optimiser_is_the_same_distribution() -> None:
    F, q = table(3), laws(3)
    moments = me.feature_expectations(F, q)
    flat = minimize(
        lambda p: float((p * np.log(p)).sum()),
        q.ravel(),
        jac=lambda p: np.log(p) + 1,
        bounds=[(1e-9, 1)] * q.size,
        constraints=[
            {"type": "eq", "fun": lambda p: p.reshape(q.shape).sum(axis=1) - 1},
            {
                "type": "eq",
                "fun": lambda p: np.einsum("ik,ikm->m", p.reshape(q.shape), F) / len(F) - moments,
            },
        ],
        method="SLSQP",
        options={"ftol": 1e-14, "maxiter": 500},
    )
    found = me.maximise_entropy(F, moments)
    np.testing.assert_allclose(found.probabilities, flat.x.reshape(q.shape), atol=1e-5)


def test_without_information_the_answer_is_uniform() -> None:
    found = me.maximise_entropy(np.zeros((5, 3, 1)), [0.0])
    np.testing.assert_allclose(found.probabilities, 1 / 3)
    assert found.interior
    fair = me.maximise_entropy(FACES, [3.5])
    np.testing.assert_allclose(fair.probabilities, 1 / 6)


def test_the_empirical_conditional_matches_every_moment_and_may_be_the_answer() -> None:
    # One feature for every input and label leaves nothing free: the table of frequencies.
    X, y = np.array([0, 0, 0, 1, 1]), np.array([0, 1, 1, 0, 1])
    F = np.zeros((5, 2, 4))
    for i, x in enumerate(X):
        for k in (0, 1):
            F[i, k, 2 * x + k] = 1
    moments = me.feature_expectations(F, np.eye(2)[y])
    found = me.maximise_entropy(F, moments)
    np.testing.assert_allclose(found.probabilities[0], [1 / 3, 2 / 3], atol=1e-10)
    np.testing.assert_allclose(found.probabilities[4], [1 / 2, 1 / 2], atol=1e-10)
    frequencies = np.where(X[:, None] == 0, [[1 / 3, 2 / 3]], [[1 / 2, 1 / 2]])
    np.testing.assert_allclose(me.feature_expectations(F, frequencies), moments)


@pytest.mark.parametrize("mean", [6.0001, 7.0, 0.9, -100.0])
def test_impossible_moments_are_refused(mean: float) -> None:
    with pytest.raises(ValueError, match=r"no distribution has these moments: the dual is neg"):
        me.maximise_entropy(FACES, [mean])


def test_impossible_moments_of_several_features_are_refused() -> None:
    # Each moment alone is possible, but no law has mean 2 and mean square 1.
    both = np.column_stack([FACES[:, 0], FACES[:, 0] ** 2])
    with pytest.raises(ValueError, match="no distribution has these moments"):
        me.maximise_entropy(both, [2.0, 1.0])
    with pytest.raises(ValueError, match="feature 1 does not depend on the label"):
        me.maximise_entropy(np.column_stack([FACES, np.ones(6)]), [3.0, 2.0])


@pytest.mark.parametrize("dependent", ["copy", "combination", "none"])
def test_moments_of_a_distribution_are_matched_with_at_least_its_entropy(dependent: str) -> None:
    # Features on scales of 12 decades, around a common value that may be a million million times
    # their spread. Then rounding spoils the moments, most of all those of combinations that hardly
    # vary, and to match these to the last digit would cost entropy.
    far_away = 0
    for seed in range(250):
        rng = np.random.default_rng(seed)
        n, K, m = (int(k) for k in rng.integers((1, 2, 2), (6, 7, 7)))
        F = rng.normal(size=(n, K, m)) * 10 ** rng.uniform(-6, 6, m) + 10 ** rng.uniform(-6, 6)
        if dependent == "copy":
            F[:, :, 0] = 1.7 * F[:, :, 1]
        elif dependent == "combination":
            F[:, :, 0] = F[:, :, 1:] @ rng.normal(size=m - 1)
        P = np.exp(rng.normal(size=(n, K)) * 10 ** rng.uniform(-1, 2))
        P /= P.sum(axis=1, keepdims=True)
        found = me.maximise_entropy(F, np.einsum("ik,ikm->m", P, F) / n)
        np.testing.assert_allclose(found.probabilities.sum(axis=1), 1)
        assert found.converged
        spread = np.abs(F - F.mean(axis=1, keepdims=True)).max(axis=(0, 1))
        ratio = (np.abs(F).max(axis=(0, 1)) / spread).max()
        far_away += ratio > 1e5
        assert found.entropy >= me.entropy(P).mean() - 1e-10 - 1e-16 * ratio
    assert far_away > 50


def test_moments_that_break_a_relation_of_the_features_are_refused() -> None:
    # Three indicators of which one must hold sum to one, and so do their averages.
    with pytest.raises(ValueError, match=r"features \[0, 1, 2\], centred .* are linearly dep"):
        me.maximise_entropy(np.eye(3), [0.5, 0.3, 0.4])
    twice = np.column_stack([FACES, 2 * FACES])
    with pytest.raises(ValueError, match="no distribution has these moments: features"):
        me.maximise_entropy(twice, [3.0, 6.5])
    kept = me.maximise_entropy(twice, [3.0, 6.0])
    np.testing.assert_allclose(kept.probabilities, me.maximise_entropy(FACES, [3.0]).probabilities)
    assert me.maximise_entropy(np.eye(3), [0.5, 0.3, 0.2]).moment_gap < 1e-12


@given(st.integers(0, 10_000))
def test_moments_that_some_distribution_has_are_never_refused(seed: int) -> None:
    # More features than labels, on very different scales and around a large common value.
    rng = np.random.default_rng(seed)
    n, K, d = rng.integers(1, 6), rng.integers(2, 5), rng.integers(1, 8)
    F = rng.normal(size=(n, K, d)) * 10.0 ** rng.uniform(-4, 4, size=d)
    F += 10.0 ** rng.uniform(-3, 5) * rng.normal(size=d)
    F[..., -1] = F[..., 0] * rng.choice([0.0, 1.0, -3.7])
    moments = me.feature_expectations(F, rng.dirichlet(np.full(K, 5.0), size=n))
    assert me.maximise_entropy(F, moments).converged


def test_running_out_of_steps_is_not_taken_for_the_boundary() -> None:
    with pytest.warns(ConvergenceWarning, match=r"made 2 Newton steps .* raise max_iter") as told:
        found = me.maximise_entropy(FACES, [4.5], max_iter=2)
    assert len(told) == 1
    assert not found.converged
    assert not found.interior
    assert found.moment_gap > 1e-4
    with pytest.warns(ConvergenceWarning, match="MaximumEntropy made 1 Newton steps") as told:
        MaximumEntropy(max_iter=1).fit(*noisy())
    assert len(told) == 1
    edge = me.maximise_entropy(FACES, [6.0])
    assert edge.converged
    assert not edge.interior


def test_moments_on_the_boundary_are_reported_and_stay_bounded() -> None:
    found = me.maximise_entropy(FACES, [6.0])
    assert not found.interior
    assert found.moment_gap < 1e-6
    assert 5 < found.multipliers[0] < 100
    near = me.maximise_entropy(FACES, [5.999])
    assert near.interior
    assert near.moment_gap <= 1e-10


@pytest.mark.parametrize("k", [2, 3])
def test_the_same_classifier_as_logistic_regression_to_eight_digits(k: int) -> None:
    X, y = noisy(k=k)
    road = MaximumEntropy().fit(X, y)
    other = LogisticRegression(penalty=0.0).fit(X, y)
    np.testing.assert_allclose(road.predict_proba(X), other.predict_proba(X), rtol=0, atol=1e-8)
    assert road.moment_gap_ <= 1e-10
    if k == 2:
        weights = [*other.coef_, other.intercept_]
        np.testing.assert_allclose(road.multipliers_, weights, rtol=0, atol=1e-8)


def test_the_five_point_example() -> None:
    model = MaximumEntropy(lambda X, c: np.array([[[0, 0], [1, x]] for (x,) in X])).fit(
        FIVE_X, FIVE_Y
    )
    np.testing.assert_allclose(model.moments_, [0.6, 0.4])
    reached = me.feature_expectations(
        np.array([[[0, 0], [1, x]] for (x,) in FIVE_X]), model.predict_proba(FIVE_X)
    )
    np.testing.assert_allclose(reached, model.moments_, atol=1e-12)
    lr = LogisticRegression(penalty=0.0).fit(FIVE_X, FIVE_Y)
    np.testing.assert_allclose(model.multipliers_, [lr.intercept_, lr.coef_[0]], atol=1e-8)
    # Without a normaliser the printed form sums to something else at every input.
    printed = 1 / np.e + np.exp(np.array([[1, x] for x in (0, 1, 2)]) @ model.multipliers_ - 1)
    np.testing.assert_allclose(printed, [1.279, 0.866, 0.640], atol=1e-3)


def test_weights_count_as_repetitions() -> None:
    X, y = noisy(n=60)
    weights = np.arange(60) % 3
    ours = MaximumEntropy().fit(X, y, sample_weight=weights)
    again = MaximumEntropy().fit(np.repeat(X, weights, axis=0), np.repeat(y, weights))
    np.testing.assert_allclose(ours.multipliers_, again.multipliers_, atol=1e-9)


def test_separable_classes_warn_and_stay_bounded() -> None:
    with pytest.warns(ConvergenceWarning, match="only in the limit"):
        model = MaximumEntropy().fit([[-1.0], [-2.0], [1.0], [2.0]], [0, 0, 1, 1])
    assert np.isfinite(model.multipliers_).all()
    assert model.score([[-1.0], [-2.0], [1.0], [2.0]], [0, 0, 1, 1]) == 1.0
    assert model.moment_gap_ < 1e-6


def test_fewer_features_have_more_entropy() -> None:
    X, y = noisy()
    all_of_them = MaximumEntropy().fit(X, y).entropy_
    fewer = MaximumEntropy(fit_intercept=False).fit(X, y).entropy_
    assert all_of_them < fewer < np.log(2)


def test_bad_input_gets_an_answer() -> None:
    with pytest.raises(ValueError, match="sum to one"):
        me.entropy([0.5, 0.6])
    with pytest.raises(ValueError, match="sum to one"):
        me.kl_divergence([0.5, 0.5], [0.5, -0.5])
    with pytest.raises(ValueError, match="must have shape"):
        me.maximise_entropy([1.0, 2.0], [1.0])
    with pytest.raises(ValueError, match="features must be finite, got nan"):
        me.maximise_entropy([[np.nan], [1.0]], [1.0])
    with pytest.raises(ValueError, match="features must be finite, got nan"):
        me.log_linear_model([[np.nan], [1.0]], [1.0])
    with pytest.raises(ValueError, match="features must have shape"):
        me.log_linear_model(3.0, [1.0])
    with pytest.raises(ValueError, match="p must hold probabilities"):
        me.feature_expectations(FACES, [5.0] * 6)
    with pytest.raises(ValueError, match=r"p must have shape \(1, 6\)"):
        me.feature_expectations(FACES, [0.5, 0.5])
    with pytest.raises(ValueError, match="features must be a function of the samples"):
        MaximumEntropy("abc").fit(FIVE_X, FIVE_Y)
    with pytest.raises(ValueError, match="moments has length 2"):
        me.maximise_entropy(FACES, [1.0, 2.0])
    with pytest.raises(ValueError, match=r"here \(5, 2, any\)"):
        MaximumEntropy(lambda X, c: np.zeros((5, 3, 1))).fit(FIVE_X, FIVE_Y)
    with pytest.raises(ValueError, match="at least two classes"):
        MaximumEntropy().fit(FIVE_X, FIVE_Y, sample_weight=FIVE_Y)


@pytest.mark.parametrize("seed", range(50))
def test_the_solver_agrees_with_the_algorithm_of_the_chapter(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n, K, m = (int(k) for k in rng.integers((1, 2, 1), (8, 5, 4)))
    F = rng.normal(size=(n, K, m))
    moments = me.feature_expectations(F, rng.dirichlet(np.ones(K), size=n))
    by_steps = me.log_linear_model(F, me.minimise_dual(F, moments))
    found = me.maximise_entropy(F, moments)
    np.testing.assert_allclose(found.probabilities, by_steps, atol=1e-6)
    assert found.entropy == pytest.approx(float(me.entropy(by_steps).mean()), abs=1e-8)


def test_the_algorithm_of_the_chapter_refuses_impossible_moments() -> None:
    with pytest.raises(ValueError, match="the dual is negative"):
        me.minimise_dual(FACES, [6.5])


def products(X: Any, classes: Any) -> Any:
    """The features that the estimator has by default, as a table of pairs."""
    rows = np.column_stack([X, np.ones(len(X))])
    F = np.zeros((len(X), len(classes), len(classes) - 1, rows.shape[1]))
    for k in range(1, len(classes)):
        F[:, k, k - 1] = rows
    return F.reshape(len(X), len(classes), -1)


@pytest.mark.parametrize("seed", range(50))
def test_products_without_a_table_give_the_model_of_the_table(seed: int) -> None:
    rng = np.random.default_rng(seed)
    K, d = int(rng.integers(2, 5)), int(rng.integers(1, 4))
    X = rng.normal(size=(40 * K, d)) * 10 ** rng.uniform(-2, 2)
    y = np.append(np.arange(K), rng.integers(K, size=39 * K))
    weights = rng.integers(1, 4, size=len(y)).astype(float) if seed % 2 else None
    plain = MaximumEntropy().fit(X, y, weights)
    table = MaximumEntropy(products).fit(X, y, weights)
    np.testing.assert_allclose(plain.predict_proba(X), table.predict_proba(X), atol=1e-8)
    np.testing.assert_allclose(plain.moments_, table.moments_, rtol=1e-12, atol=1e-12)
    sizes = np.abs(products(X, range(K))).max(axis=(0, 1))
    np.testing.assert_allclose(
        plain.multipliers_ * sizes, table.multipliers_ * sizes, rtol=1e-5, atol=1e-7
    )
    assert plain.entropy_ == pytest.approx(table.entropy_, abs=1e-9)
    assert plain.moment_gap_ <= 1e-11 * sizes.max()


@pytest.mark.parametrize("offset", [1e6, 1e9, 1e12])
def test_features_far_from_zero_are_matched_or_a_warning_is_given(offset: float) -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 2))
    y = (X[:, 0] + rng.normal(size=300) > 0).astype(int)
    near, far = X + offset - offset, X + offset
    reference = MaximumEntropy().fit(near, y)
    model = MaximumEntropy().fit(far, y)
    scores = 300 * np.finfo(float).eps * offset
    np.testing.assert_allclose(
        model.predict_proba(far), reference.predict_proba(near), atol=1e-8 + scores
    )
    assert model.moment_gap_ <= 1e-11 * offset
    if offset == 1e12:
        with pytest.warns(ConvergenceWarning, match="centre the features"):
            MaximumEntropy(products).fit(far, y)
