"""Forests against their trees, out-of-bag errors against brute force, votes against enumeration."""

from __future__ import annotations

import itertools
import math
import subprocess
import sys
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.ensemble import RandomForestClassifier as ReferenceClassifier
from sklearn.ensemble import RandomForestRegressor as ReferenceRegressor

from mlnotes import bagging_and_forests as forests
from mlnotes._solvers import trees
from mlnotes._solvers.bootstrap import run_all
from mlnotes.bagging_and_forests import (
    Bagging,
    BaggingRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
    bagging,
    bootstrap,
    majority_vote,
    out_of_bag_votes,
)
from mlnotes.decision_trees import (
    DecisionTreeClassifier,
    DecisionTreeRegressor,
    cart,
    tree_predict,
)
from mlnotes.least_squares import LeastSquares
from mlnotes.perceptron import Perceptron
from tests.test_boxes import body_lines, run_alone

# Few members leave some samples without a prediction, which is tested by itself.
pytestmark = pytest.mark.filterwarnings("ignore:.*have no out-of-bag prediction")

ENSEMBLES = [Bagging, BaggingRegressor, RandomForestClassifier, RandomForestRegressor]


def problem(seed: int, n: int | None = None) -> tuple[Any, Any, Any]:
    """Samples in ascending order of the first feature, labels of three classes, and targets."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(8, 40)) if n is None else n
    X = rng.normal(size=(n, int(rng.integers(2, 5))))
    X = X[np.argsort(X[:, 0])]
    y = np.digitize(X[:, 0] + X[:, 1] ** 2 + rng.normal(size=n) / 2, [0.0, 1.0])
    y[:2] = 0, 1
    return X, y, X[:, 0] + X[:, 1] ** 2 + rng.normal(size=n) / 2


def target_of(cls: type[Any], y: Any, target: Any) -> Any:
    return target if "Regressor" in cls.__name__ else y


def grown(X: Any, y: Any) -> Any:
    """Learn as the chapter does: a function that predicts."""
    if (y == y[0]).all():
        return lambda points: np.full(len(points), y[0])
    tree = cart(X, y)
    return lambda points: tree_predict(tree, points)


@pytest.mark.parametrize("seed", range(50))
def test_bagging_votes_and_tests_itself_as_the_box_of_the_chapter_does(seed: int) -> None:
    X, y, _ = problem(seed)
    model = Bagging(n_estimators=9, random_state=seed, oob_score=True).fit(X, y)
    members = [(rows, grown(X[rows], y[rows])) for rows in model.estimators_samples_]
    new = np.random.default_rng(seed).normal(size=(30, X.shape[1]))
    expected = majority_vote([predict(new) for _, predict in members])
    np.testing.assert_array_equal(model.predict(new), expected)
    for votes, shares in zip(
        out_of_bag_votes(members, X), model.oob_decision_function_, strict=True
    ):
        counts = np.bincount(votes, minlength=len(model.classes_)) if votes else np.full(1, np.nan)
        np.testing.assert_allclose(shares, counts / max(len(votes), 1) + 0 * shares)


@pytest.mark.parametrize("seed", range(50))
def test_bagging_draws_as_the_box_of_the_chapter_does(seed: int) -> None:
    X, y, _ = problem(seed)
    n, new = len(y), np.random.default_rng(seed).normal(size=(10, X.shape[1]))
    model = RandomForestClassifier(3, random_state=seed).fit(X, y)
    for member, rows in zip(model.estimators_, model.estimators_samples_, strict=True):
        np.testing.assert_array_equal(rows, bootstrap(n, member.random_state))
    rng = np.random.default_rng(seed)
    for rows, predict in bagging(X, y, grown, n_estimators=4, random_state=seed):
        places = rng.random(n)  # the row is the first whose stretch of the line ends beyond
        expected = np.searchsorted(np.arange(1, n + 1), n * places, side="right")
        np.testing.assert_array_equal(rows, expected)
        if len(set(y[rows])) > 1:
            tree = DecisionTreeClassifier().fit(X[rows], y[rows])
            np.testing.assert_array_equal(predict(new), tree.predict(new))


def test_bagging_and_the_bootstrap_fit_into_their_boxes_and_run_by_themselves() -> None:
    X, y, _ = problem(1)
    assert max(body_lines(bagging), body_lines(bootstrap)) <= 25
    np.testing.assert_array_equal(run_alone(bootstrap, 9, 1), bootstrap(9, 1))
    alone, here = run_alone(bagging, X, y, grown, 3), bagging(X, y, grown, 3)
    for (rows, predict), (others, other) in zip(alone, here, strict=True):
        np.testing.assert_array_equal(rows, others)
        np.testing.assert_array_equal(predict(X), other(X))


@pytest.mark.parametrize("cls", ENSEMBLES)
@pytest.mark.parametrize("seed", range(12))
def test_out_of_bag_predictions_are_those_of_members_that_have_not_seen_a_sample(
    cls: type[Any], seed: int
) -> None:
    X, y, target = problem(seed, n=30)
    truth = target_of(cls, y, target)
    # In no order, so that rows must be found again.
    order = np.random.default_rng(seed).permutation(30)
    X, truth = X[order], truth[order]
    model = cls(n_estimators=12, oob_score=True, random_state=seed).fit(X, truth)
    for i in range(30):
        votes = []
        for member, rows in zip(model.estimators_, model.estimators_samples_, strict=True):
            if i not in rows:
                soft = cls is RandomForestClassifier
                predict = member.predict_proba if soft else member.predict
                votes.append(predict(X[i : i + 1])[0])
        if cls._kind == "regressor":
            expected = np.mean(votes) if votes else np.nan
            assert model.oob_prediction_[i] == pytest.approx(expected, nan_ok=True)
        elif cls is Bagging:
            shares = [np.mean(np.array(votes) == c) for c in model.classes_]
            np.testing.assert_allclose(model.oob_decision_function_[i], shares)
        else:
            np.testing.assert_allclose(model.oob_decision_function_[i], np.mean(votes, axis=0))
    if cls._kind == "regressor":
        rest = truth - model.oob_prediction_
        known = ~np.isnan(rest)
        share = 1 - np.mean(rest[known] ** 2) / np.var(truth[known])
        assert model.oob_score_ == pytest.approx(share)
    else:
        known = ~np.isnan(model.oob_decision_function_[:, 0])
        answers = model.classes_[model.oob_decision_function_[known].argmax(axis=1)]
        assert model.oob_score_ == pytest.approx(np.mean(answers == truth[known]))


@pytest.mark.parametrize("compiled", [True, False])
def test_a_forest_is_the_mean_of_trees_grown_on_its_bootstrap_samples(
    compiled: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    X, y, target = problem(5, n=60)
    new = np.random.default_rng(5).normal(size=(20, X.shape[1]))
    reference = RandomForestClassifier(6, random_state=5).fit(X, y)
    if not compiled:
        monkeypatch.setattr(trees._growing, "compiles", lambda: False)
    model = RandomForestClassifier(6, random_state=5).fit(X, y)
    np.testing.assert_allclose(model.predict_proba(new), reference.predict_proba(new))
    shares = []
    for member, rows in zip(model.estimators_, model.estimators_samples_, strict=True):
        counts = np.bincount(rows, minlength=60)
        tree = DecisionTreeClassifier(max_features="sqrt")
        alone = grow_alone(tree, X, y, counts, member.random_state)
        np.testing.assert_array_equal(alone.feature, member.tree_.feature)
        np.testing.assert_array_equal(alone.threshold, member.tree_.threshold)
        shares.append(member.predict_proba(new))
    np.testing.assert_allclose(model.predict_proba(new), np.mean(shares, axis=0))
    forest = RandomForestRegressor(6, random_state=5).fit(X, target)
    means = np.mean([member.predict(new) for member in forest.estimators_], axis=0)
    np.testing.assert_allclose(forest.predict(new), means)
    importances = np.mean([member.feature_importances_ for member in forest.estimators_], axis=0)
    np.testing.assert_allclose(forest.feature_importances_, importances)
    assert forest.feature_importances_.sum() == pytest.approx(1.0)


def grow_alone(model: Any, X: Any, y: Any, counts: Any, seed: int) -> Any:
    """Grow a tree on the rows that were drawn alone, from the state of a member."""
    kept = np.flatnonzero(counts)
    growth = trees.growth_of(model, trees.criterion_of("gini", 3), 3, X.shape[1])
    samples = trees.SortedSamples(X[kept])
    return samples.grow(y[kept].astype(float), growth, weights=counts[kept] * 1.0, seed=seed)


@pytest.mark.parametrize("cls", ENSEMBLES)
def test_neither_order_nor_repetition_of_samples_matters(cls: type[Any]) -> None:
    for seed in range(5):
        X, y, target = problem(seed, n=25)
        truth = target_of(cls, y, target)
        rng = np.random.default_rng(seed)
        X = X.round(0) if seed % 2 else X  # with equal rows of different labels
        counts = rng.integers(0, 4, size=25)
        counts[:2] += 1
        order = rng.permutation(counts.sum())
        weighted = cls(n_estimators=5).fit(X, truth, counts)
        repeated = cls(n_estimators=5).fit(
            X.repeat(counts, axis=0)[order], truth.repeat(counts)[order]
        )
        np.testing.assert_allclose(weighted.predict(X), repeated.predict(X), atol=1e-12)


@pytest.mark.parametrize("cls", ENSEMBLES)
def test_threads_change_nothing(cls: type[Any]) -> None:
    X, y, target = problem(2, n=40)
    truth = target_of(cls, y, target)
    one, two = (cls(n_estimators=6, n_jobs=jobs).fit(X, truth) for jobs in (None, 2))
    np.testing.assert_array_equal(one.predict(X), two.predict(X))


def test_without_joblib_members_are_trained_one_after_the_other() -> None:
    program = (
        "import sys; sys.modules['joblib'] = None\n"
        "from mlnotes._solvers.bootstrap import run_all\n"
        "print(run_all(abs, [-1, -2, -3], 2))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[1, 2, 3]"
    assert run_all(abs, [-1, -2, -3], 2) == [1, 2, 3]


@pytest.mark.parametrize("cls", ENSEMBLES)
def test_a_seed_repeats_an_ensemble_and_another_gives_another(cls: type[Any]) -> None:
    X, y, target = problem(7, n=40)
    truth = target_of(cls, y, target)
    one, two, three = (cls(n_estimators=3, random_state=s).fit(X, truth) for s in (1, 1, 2))
    for a, b in zip(one.estimators_samples_, two.estimators_samples_, strict=True):
        np.testing.assert_array_equal(a, b)
    assert any(
        (a != b).any()
        for a, b in zip(one.estimators_samples_, three.estimators_samples_, strict=True)
    )


def test_bagging_takes_any_estimator_and_gives_each_copy_its_own_seed() -> None:
    X, y, target = problem(1, n=40)
    labels = (y > 0).astype(int)
    model = Bagging(DecisionTreeClassifier(max_features=1), n_estimators=4).fit(X, labels)
    assert len({member.random_state for member in model.estimators_}) == 4
    line = BaggingRegressor(LeastSquares(), n_estimators=7).fit(X, target)
    slopes = np.mean([member.coef_ for member in line.estimators_], axis=0)
    offset = np.mean([member.intercept_ for member in line.estimators_])
    np.testing.assert_allclose(line.predict(X), X @ slopes + offset)
    separable = Bagging(Perceptron(), n_estimators=5).fit(X, X[:, 0] > 0)
    assert separable.score(X, X[:, 0] > 0) > 0.9


def test_a_bootstrap_sample_of_one_class_is_drawn_again() -> None:
    X, y = np.arange(6.0)[:, None], [0, 0, 0, 0, 0, 1]
    model = Bagging(n_estimators=30).fit(X, y)
    assert all(5 in rows for rows in model.estimators_samples_)
    with pytest.raises(ValueError, match="100 bootstrap samples were all of one class"):
        Bagging(n_estimators=2).fit(X, y, [1.0, 1.0, 1.0, 1.0, 1.0, 1e-12])


def test_bad_input_is_refused_with_what_to_do() -> None:
    X, y, _ = problem(0)
    with pytest.raises(TypeError, match=r"estimator must be a classifier and not a class; pass "):
        Bagging(DecisionTreeClassifier).fit(X, y)
    with pytest.raises(TypeError, match="estimator must be a regressor with fit and predict"):
        BaggingRegressor(3).fit(X, y)
    with pytest.raises(ValueError, match=r"n_jobs must be .* pass a number of threads"):
        RandomForestClassifier(n_jobs=0).fit(X, y)
    with pytest.raises(ValueError, match=r"X contains NaN.*drop or impute"):
        RandomForestRegressor().fit([[np.nan], [1.0]], [0.0, 1.0])
    with pytest.raises(ValueError, match="scale sample_weight, for instance to a mean of 1"):
        RandomForestClassifier().fit(X, y, np.full(len(y), 1e300))
    with pytest.warns(UserWarning, match="divide it by its mean"):
        RandomForestClassifier(2).fit(X, y, np.full(len(y), 1e-3))
    with pytest.warns(UserWarning, match=r"drawn for every member.*raise n_estimators"):
        model = RandomForestClassifier(1, oob_score=True).fit(X, y)
    assert np.isnan(model.oob_decision_function_).any()


@pytest.mark.parametrize("cls", ENSEMBLES)
def test_without_any_out_of_bag_prediction_the_score_is_unknown(cls: type[Any]) -> None:
    X, y = [[0.0], [1.0]], [0, 1]
    model = cls(n_estimators=1, oob_score=True)
    for seed in range(20):
        model.set_params(random_state=seed).fit(X, y)
        if set(model.estimators_samples_[0]) == {0, 1}:
            break
    assert math.isnan(model.oob_score_)


@pytest.mark.parametrize("unit", [2.0**-600, 2.0**1000])
def test_forests_know_no_unit_of_the_targets(unit: float) -> None:
    X, _, target = problem(4, n=30)
    plain, scaled = (
        RandomForestRegressor(5, oob_score=True, random_state=2).fit(X, scale * target)
        for scale in (1.0, unit)
    )
    np.testing.assert_array_equal(scaled.predict(X), unit * plain.predict(X))
    assert scaled.oob_score_ == pytest.approx(plain.oob_score_)


def test_forests_predict_as_well_as_scikit_learns() -> None:
    rng = np.random.default_rng(0)
    X, new = rng.normal(size=(500, 8)), rng.normal(size=(4000, 8))

    def signal(points: Any) -> Any:
        return np.sin(2 * points[:, 0]) + points[:, 1] ** 2 - points[:, 2] * points[:, 3]

    y, truth = signal(X) + rng.normal(size=500) / 2, signal(new)
    ours = np.mean(
        [RandomForestRegressor(60, random_state=s).fit(X, y).score(new, truth) for s in range(4)]
    )
    theirs = np.mean(
        [ReferenceRegressor(60, random_state=s).fit(X, y).score(new, truth) for s in range(4)]
    )
    assert ours > theirs - 0.01
    labels, answers = y > 1, truth > 1
    ours = np.mean(
        [
            RandomForestClassifier(60, random_state=s).fit(X, labels).score(new, answers)
            for s in range(4)
        ]
    )
    theirs = np.mean(
        [
            ReferenceClassifier(60, random_state=s).fit(X, labels).score(new, answers)
            for s in range(4)
        ]
    )
    assert ours > theirs - 0.01


def test_a_forest_predicts_better_than_one_pruned_tree() -> None:
    rng = np.random.default_rng(1)
    X, new = rng.uniform(-1, 1, size=(600, 5)), rng.uniform(-1, 1, size=(2000, 5))

    def signal(points: Any) -> Any:
        return 2 * np.sin(3 * points[:, 0] * points[:, 1]) + points[:, 2] + points[:, 3]

    y = signal(X) + rng.normal(size=600) / 2
    pruned = DecisionTreeRegressor().fit(X[:400], y[:400]).prune(X[400:], y[400:])
    forest = RandomForestRegressor(50).fit(X, y)
    errors = [np.mean((model.predict(new) - signal(new)) ** 2) for model in (forest, pruned)]
    assert errors[0] < 0.7 * errors[1]


def test_fewer_features_make_the_trees_less_alike() -> None:
    X, _, target = problem(0, n=400)
    new = np.random.default_rng(9).normal(size=(500, X.shape[1]))
    found = []
    for tried in (1, None):
        forest = RandomForestRegressor(30, max_features=tried).fit(X, target)
        errors = [member.predict(new) for member in forest.estimators_]
        found.append(forests.average_correlation(errors))
    assert found[0] < found[1] - 0.05


# The plain functions.


def test_a_bootstrap_sample_draws_every_row_alike() -> None:
    rng = np.random.default_rng(0)
    counts = sum(np.bincount(bootstrap(10, rng), minlength=10) for _ in range(2000))
    # Each of 20 000 draws with probability 1/10: five standard deviations are 212.
    assert np.abs(counts - 2000).max() < 212
    unique = np.mean([len(set(bootstrap(10, rng).tolist())) / 10 for _ in range(2000)])
    assert unique == pytest.approx(forests.inclusion_probability(10), abs=0.02)


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_the_inclusion_probability_by_enumeration(n: int) -> None:
    for draws in range(4):
        samples = list(itertools.product(range(n), repeat=draws))
        share = Fraction(sum(0 in sample for sample in samples), len(samples))
        assert forests.inclusion_probability(n, draws) == pytest.approx(float(share))
    assert 1 - forests.inclusion_probability(10**9) == pytest.approx(math.exp(-1), abs=1e-8)


@given(st.integers(1, 8), st.fractions(0, 1))
def test_the_error_of_a_vote_by_enumeration(voters: int, p: Fraction) -> None:
    error = ties = Fraction(0)
    for right in itertools.product([0, 1], repeat=voters):
        probability = p ** sum(right) * (1 - p) ** (voters - sum(right))
        error += probability * (2 * sum(right) < voters)
        ties += probability * (2 * sum(right) == voters)
    for share in (0, Fraction(1, 2), 1):
        found = forests.majority_vote_error(voters, float(p), ties=float(share))
        assert found == pytest.approx(float(error + share * ties), abs=1e-12)
    worst = forests.majority_vote_error(voters, float(p), ties=1.0)
    if p > Fraction(1, 2):
        assert worst <= forests.majority_vote_bound(voters, float(p)) + 1e-12


def test_the_vote_of_a_hundred_is_wrong_less_often_than_the_rule_of_three_sigma_says() -> None:
    error = forests.majority_vote_error
    assert error(100, 2 / 3, ties=0) == pytest.approx(1.989e-4, rel=1e-3)
    assert error(100, 2 / 3) == pytest.approx(3.09e-4, rel=1e-3)
    assert [error(T, 2 / 3) for T in (1, 11, 101)] == pytest.approx(
        [0.3333, 0.1221, 0.00027], abs=5e-5
    )
    assert 1 - error(11, 0.6) == pytest.approx(0.753, abs=5e-4)
    assert 1 - error(11, 0.4) == pytest.approx(0.247, abs=5e-4)


@given(st.integers(2, 6), st.integers(2, 9), st.integers(0, 10**6))
def test_the_variance_of_an_average_follows_from_the_average_correlation(
    members: int, n: int, seed: int
) -> None:
    values = np.random.default_rng(seed).normal(size=(members, n))
    rho = forests.average_correlation(values)
    covariances = np.cov(values, bias=True)
    above = covariances[np.triu_indices(members, 1)].mean()
    assert rho == pytest.approx(above / np.diag(covariances).mean(), abs=1e-9)
    variance = forests.ensemble_variance(float(np.diag(covariances).mean()), rho, members)
    assert variance == pytest.approx(values.mean(axis=0).var(), abs=1e-12)


def test_an_average_of_one_varies_like_one_and_of_many_not_below_the_floor() -> None:
    variance = forests.ensemble_variance
    assert variance(2.0, 0.7, 1) == pytest.approx(2.0)
    assert variance(1.0, 0.3, 10) == pytest.approx(0.37)
    assert variance(1.0, 0.3, 25) == pytest.approx(0.328)
    assert variance(1.0, 0.3, 10**9) == pytest.approx(0.3)
    assert variance(1.0, 0.0, 10) == pytest.approx(0.1)
    assert variance(1.0, -1 / 9, 10) == pytest.approx(0.0, abs=1e-15)
    with pytest.raises(ValueError, match="correlation must be at least"):
        variance(1.0, -0.5, 10)
    assert forests.average_correlation([[1.0, 1.0], [2.0, 2.0]]) == 1.0


def test_the_size_of_an_ensemble_leaves_a_tenth() -> None:
    for rho in (0.05, 0.205, 0.5):
        size = forests.ensemble_size(rho)
        left = forests.ensemble_variance(1.0, rho, size) - rho
        assert left <= rho / 10 * (1 + 1e-9)
        assert size == 1 or forests.ensemble_variance(1.0, rho, size - 1) - rho > rho / 10
    assert forests.ensemble_size(1.0) == 1
    with pytest.raises(ValueError, match="no finite number of members"):
        forests.ensemble_size(1e-320)


def test_the_probability_to_miss_all_informative_features_by_enumeration() -> None:
    for d, k, m in itertools.product(range(1, 6), range(6), range(6)):
        if max(k, m) <= d:
            draws = list(itertools.combinations(range(d), m))
            share = Fraction(sum(all(j >= k for j in draw) for draw in draws), len(draws))
            assert forests.miss_probability(d, k, m) == pytest.approx(float(share))
    with pytest.raises(ValueError, match="at most n_features, 3"):
        forests.miss_probability(3, 4, 1)
