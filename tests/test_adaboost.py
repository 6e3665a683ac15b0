"""AdaBoost against the algorithm as one writes it down, and against its theorems."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize_scalar
from sklearn.ensemble import AdaBoostClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.tree import DecisionTreeClassifier

from mlnotes import adaboost
from mlnotes._solvers.boosting import boost
from mlnotes.adaboost import AdaBoost, Cascade
from mlnotes.adaboost._estimators import highest_threshold
from mlnotes.data import make_moons, make_noisy
from mlnotes.decision_trees import DecisionStump
from mlnotes.exceptions import ConvergenceWarning
from mlnotes.perceptron import Perceptron

XOR = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]]), np.array([-1, 1, 1, -1])
# Equal points, so that every stump is one of the two constants.
CONSTANTS = np.zeros((4, 1)), np.array([1, 1, 1, -1])


def noisy(seed: int, n: int = 60, d: int = 3, flip: float = 0.15) -> tuple[Any, Any]:
    sample = make_noisy(n, d, flip=flip, random_state=seed)
    return sample.X, sample.y


def naive(X: Any, y: Any, rounds: int) -> tuple[list[float], list[float], Any]:
    """AdaBoost on all stumps by brute force, with weights kept as exponentials of the score."""
    candidates = []
    for column in X.T:
        for value in [-math.inf, *np.unique(column)[:-1]]:
            above = np.where(column > value, 1.0, -1.0)
            candidates += [above, -above]
    errors, votes, score = [], [], np.zeros(len(y))
    for _ in range(rounds):
        w = np.exp(-y * score)
        w /= w.sum()
        shares = [w[h != y].sum() for h in candidates]
        best = int(np.argmin(shares))
        errors.append(shares[best])
        votes.append(0.5 * math.log((1 - shares[best]) / shares[best]))
        score = score + votes[-1] * candidates[best]
    return errors, votes, score


@pytest.mark.parametrize("seed", range(8))
def test_rounds_are_those_of_the_naive_algorithm(seed: int) -> None:
    X, y = noisy(seed)
    errors, votes, score = naive(X, y, 12)
    model = AdaBoost(n_estimators=12).fit(X, y)
    np.testing.assert_allclose(model.errors_, errors, rtol=1e-10)
    np.testing.assert_allclose(model.votes_, votes, rtol=1e-10)
    np.testing.assert_allclose(model.decision_function(X), score, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("seed", range(5))
def test_gini_stumps_and_votes_are_scikit_learns(seed: int) -> None:
    X, y = noisy(seed, n=300, d=5)
    X = X.astype(np.float32).astype(float)
    ours = AdaBoost(DecisionStump(criterion="gini"), n_estimators=30).fit(X, y)
    theirs = AdaBoostClassifier(n_estimators=30, random_state=0).fit(X, y)
    features = [stump.feature_ for stump in ours.estimators_]
    assert features == [tree.tree_.feature[0] for tree in theirs.estimators_]
    np.testing.assert_allclose(2 * ours.votes_, theirs.estimator_weights_, rtol=1e-8)
    np.testing.assert_array_equal(ours.predict(X), theirs.predict(X))


@given(st.integers(0, 10**6), st.integers(5, 40), st.floats(0.0, 0.4))
@settings(max_examples=40)
def test_training_error_is_under_the_normalisers_and_these_under_the_bound(
    seed: int, n: int, flip: float
) -> None:
    X, y = noisy(seed, n=n, d=2, flip=flip)
    y[:2] = -1, 1
    model = AdaBoost(n_estimators=20).fit(X, y)
    products = np.cumprod(model.normalisers_)
    bounds = np.exp(-2 * np.cumsum(model.edges_**2))
    assert (model.training_errors_ <= products + 1e-12).all()
    assert (products <= bounds * (1 + 1e-12)).all()
    assert model.training_error_bound_ == pytest.approx(bounds[-1])
    assert model.training_errors_[-1] == pytest.approx(1 - model.score(X, y), abs=1e-12)


@pytest.mark.parametrize("seed", range(5))
def test_the_mean_exponential_loss_is_the_product_of_normalisers_in_every_round(seed: int) -> None:
    X, y = noisy(seed)
    model = AdaBoost(n_estimators=25).fit(X, y)
    losses = [adaboost.exponential_loss(y * f).mean() for f in model.staged_decision_function(X)]
    np.testing.assert_allclose(losses, np.cumprod(model.normalisers_), rtol=1e-10)
    least = [adaboost.normaliser(error) for error in model.errors_]
    np.testing.assert_allclose(model.normalisers_, least, rtol=1e-12)


@pytest.mark.parametrize("seed", range(5))
def test_weights_unroll_to_the_scores_and_half_of_them_is_on_the_last_mistakes(seed: int) -> None:
    X, y = noisy(seed)
    model = AdaBoost(n_estimators=15).fit(X, y)
    unrolled = np.exp(-y * model.decision_function(X)) / len(y) / np.prod(model.normalisers_)
    np.testing.assert_allclose(model.weights_, unrolled, rtol=1e-10)
    assert model.weights_.sum() == pytest.approx(1.0)
    wrong = model.estimators_[-1].predict(X) != y
    assert model.weights_[wrong].sum() == pytest.approx(0.5, abs=1e-12)


def test_a_mistake_gains_and_a_success_loses_weight() -> None:
    X, y = noisy(3)
    before = AdaBoost(n_estimators=6).fit(X, y)
    after = AdaBoost(n_estimators=7).fit(X, y)
    error = after.errors_[-1]
    wrong = after.estimators_[-1].predict(X) != y
    factors = after.weights_ / before.weights_
    np.testing.assert_allclose(factors[wrong], 1 / (2 * error), rtol=1e-10)
    np.testing.assert_allclose(factors[~wrong], 1 / (2 * (1 - error)), rtol=1e-10)
    assert 1 / (2 * error) > 1 > 1 / (2 * (1 - error))


def test_punishing_mistakes_only_leaves_the_same_weights() -> None:
    w, wrong = np.array([0.1, 0.2, 0.3, 0.4]), np.array([False, False, True, False])
    vote = adaboost.vote_weight(w[wrong].sum())
    both = w * np.exp(np.where(wrong, vote, -vote))
    only = w * np.where(wrong, math.exp(2 * vote), 1.0)
    expected = [1 / 14, 1 / 7, 1 / 2, 2 / 7]
    np.testing.assert_allclose(both / both.sum(), expected)
    np.testing.assert_allclose(only / only.sum(), expected)


@pytest.mark.parametrize("seed", range(10))
def test_no_labelling_is_chosen_twice_in_a_row(seed: int) -> None:
    X, y = noisy(seed)
    model = AdaBoost(n_estimators=30).fit(X, y)
    answers = [stump.predict(X) for stump in model.estimators_]
    assert len(answers) > 1
    assert all((a != b).any() for a, b in itertools.pairwise(answers))


@pytest.mark.parametrize("seed", range(3))
def test_a_round_is_the_best_stage_of_exponential_loss(seed: int) -> None:
    X, y = noisy(seed, n=25, d=2)
    model = AdaBoost(n_estimators=4).fit(X, y)
    *_, before, after = model.staged_decision_function(X)
    reached = np.exp(-y * after).mean()
    best = math.inf
    for column in X.T:
        for value in [-math.inf, *np.unique(column)[:-1]]:
            h = np.where(column > value, 1.0, -1.0)
            found = minimize_scalar(lambda b, h=h: np.exp(-y * (before + b * h)).mean())
            best = min(best, found.fun)
    assert reached == pytest.approx(best, rel=1e-8)


@given(st.integers(0, 10**6), st.floats(-0.5, 0.9))
@settings(max_examples=40)
def test_the_share_of_small_margins_is_under_its_bound(seed: int, theta: float) -> None:
    X, y = noisy(seed, n=40, d=2)
    model = AdaBoost(n_estimators=15).fit(X, y)
    margins = model.margins(X, y)
    assert (np.abs(margins) <= 1 + 1e-12).all()
    share = adaboost.margin_distribution(margins, [theta])[0]
    assert share <= adaboost.margin_bound(model.errors_, theta) + 1e-12


def test_the_margin_bound_at_zero_is_the_product_of_normalisers() -> None:
    X, y = noisy(0)
    model = AdaBoost(n_estimators=10).fit(X, y)
    expected = pytest.approx(float(np.prod(model.normalisers_)))
    assert adaboost.margin_bound(model.errors_, 0.0) == expected
    with pytest.raises(ValueError, match="above 0 and below 1"):
        adaboost.margin_bound([0.0, 0.2], 0.1)


def test_the_margin_distribution_counts_margins_up_to_a_value() -> None:
    shares = adaboost.margin_distribution([-0.5, 0.0, 0.25, 1.0], [-1, -0.5, 0, 0.1, 1])
    assert shares.tolist() == [0.0, 0.25, 0.5, 0.5, 1.0]
    X, y = noisy(1)
    model = AdaBoost(n_estimators=9).fit(X, y)
    at_zero = adaboost.margin_distribution(model.margins(X, y), [0.0])[0]
    assert at_zero == pytest.approx(model.training_errors_[-1])


def test_no_mistake_is_left_after_the_promised_number_of_rounds() -> None:
    X = np.arange(10.0)[:, None]
    y = np.array([1, 1, 1, -1, -1, -1, 1, 1, 1, -1])
    model = AdaBoost(n_estimators=400).fit(X, y)
    gamma = model.edges_.min()
    assert gamma > 0
    rounds = adaboost.rounds_needed(10, gamma)
    assert rounds <= 400
    assert model.training_errors_[rounds - 1] == 0
    assert math.exp(-2 * rounds * gamma**2) < 1 / 10 <= math.exp(-2 * (rounds - 1) * gamma**2)
    # Ten points in a row need three stumps, and three rounds find them.
    assert model.training_errors_[2] == 0


def test_rounds_needed_is_the_first_whole_number_above_its_formula() -> None:
    assert adaboost.rounds_needed(60, 0.1) == 205
    assert adaboost.rounds_needed(1, 0.3) == 1
    # log(10) / (2 (1e-200)²), far beyond any float.
    assert len(str(adaboost.rounds_needed(10, 1e-200))) == 401
    for edge in (0.0, 0.6, math.nan):
        with pytest.raises(ValueError, match=r"edge must be a number above 0 and at most 0\.5"):
            adaboost.rounds_needed(10, edge)


@pytest.mark.parametrize("error", [0.01, 0.2, 0.4999, 0.7])
def test_the_vote_minimises_the_normaliser(error: float) -> None:
    found = minimize_scalar(lambda vote: adaboost.normaliser(error, vote))
    assert adaboost.vote_weight(error) == pytest.approx(found.x, abs=1e-6)
    assert adaboost.normaliser(error) == pytest.approx(found.fun)
    assert adaboost.vote_weight(1 - error) == pytest.approx(-adaboost.vote_weight(error))
    # Without the half Z is one, and the bound by the product says nothing.
    assert adaboost.normaliser(error, 2 * adaboost.vote_weight(error)) == pytest.approx(1)


def test_votes_at_the_ends_and_in_the_middle() -> None:
    assert adaboost.vote_weight(0) == math.inf
    assert adaboost.vote_weight(1) == -math.inf
    assert adaboost.vote_weight(0.5) == 0
    assert adaboost.vote_weight(5e-324) == pytest.approx(372.22, abs=0.01)
    for wrong in (-0.1, 1.1, math.nan):
        with pytest.raises(ValueError, match="error must be a number of at least 0 and at most 1"):
            adaboost.vote_weight(wrong)


def test_normalisers_at_the_ends_are_limits() -> None:
    assert adaboost.normaliser(0.0, adaboost.vote_weight(0.0)) == 0
    assert adaboost.normaliser(1.0, adaboost.vote_weight(1.0)) == 0
    assert adaboost.normaliser(0.0, 1.0) == math.exp(-1)
    assert adaboost.normaliser(0.2, 1000.0) == math.inf
    assert adaboost.normaliser(0.2, -math.inf) == math.inf
    assert adaboost.margin_bound([0.2] * 10, 1e6) == math.inf
    with pytest.raises(ValueError, match="vote must be a number"):
        adaboost.normaliser(0.2, math.nan)
    with pytest.raises(ValueError, match="theta must be a finite number"):
        adaboost.margin_bound([0.2], math.nan)


@pytest.mark.parametrize("nonsense", [-0.1, 2.0, 5.0])
def test_rates_that_are_no_shares_are_refused(nonsense: float) -> None:
    for call in (
        lambda: adaboost.training_error_bound([nonsense]),
        lambda: adaboost.cascade_rates([nonsense], [0.3]),
        lambda: adaboost.cascade_rates([0.9], [nonsense]),
        lambda: adaboost.cascade_cost([1.0], [nonsense]),
    ):
        with pytest.raises(ValueError, match="must be at least 0 and at most 1"):
            call()


def test_the_prediction_is_the_sign_of_the_votes() -> None:
    X, y = noisy(3)
    model = AdaBoost(n_estimators=7).fit(X, y)
    answers = np.array([h.predict(X) for h in model.estimators_])
    score = model.votes_ @ answers
    assert (model.votes_ > 0).all()
    assert (score != 0).all()
    np.testing.assert_array_equal(model.predict(X), np.sign(score))
    np.testing.assert_allclose(model.decision_function(X), score)


def test_a_classifier_without_mistake_ends_the_run_and_decides_alone() -> None:
    X, y = [[0.0], [1.0], [2.0], [3.0]], ["n", "n", "p", "p"]
    model = AdaBoost().fit(X, y)
    assert model.stopped_ == "perfect"
    assert model.votes_.tolist() == [math.inf]
    assert model.normalisers_.tolist() == [0.0]
    assert model.decision_function(X).tolist() == [-1, -1, 1, 1]
    assert model.margins(X, y).tolist() == [1, 1, 1, 1]
    assert model.training_error_bound_ == math.exp(-0.5)


class Scripted(DecisionStump):
    """A weak learner that is wrong at one point for two rounds, then never."""

    calls = 0

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Any:
        Scripted.calls += 1
        self.wrong_ = Scripted.calls - 1 if Scripted.calls < 3 else None
        self.truth_ = np.array(y)
        return self

    def predict(self, X: Any) -> Any:
        answers = self.truth_.copy()
        if self.wrong_ is not None:
            answers[self.wrong_] *= -1
        return answers


def test_earlier_votes_are_silenced_by_an_infinite_one() -> None:
    Scripted.calls = 0
    X, y = np.arange(5.0)[:, None], np.array([-1, 1, 1, -1, 1])
    model = AdaBoost(Scripted()).fit(X, y)
    assert model.stopped_ == "perfect"
    np.testing.assert_allclose(model.errors_, [1 / 5, 1 / 8, 0])
    np.testing.assert_array_equal(model.decision_function(X), y)
    stages = list(model.staged_decision_function(X))
    assert stages[0][0] == pytest.approx(math.log(4) / 2)
    np.testing.assert_array_equal(stages[-1], y)
    assert model.training_errors_.tolist() == [0.2, 0.2, 0.0]


def test_the_exam_of_five_questions() -> None:
    y = np.array([1, -1, 1, -1, 1])
    # The only stumps on equal points are constants: questions 2 and 4 are answered wrongly.
    model = AdaBoost().fit(np.zeros((5, 1)), y)
    assert model.votes_[0] == pytest.approx(0.5 * math.log(1.5))
    np.testing.assert_allclose(model.weights_, [1 / 6, 1 / 4, 1 / 6, 1 / 4, 1 / 6])
    assert model.stopped_ == "no edge"


def test_no_edge_at_all_is_a_warning_and_a_constant() -> None:
    with pytest.warns(ConvergenceWarning, match="nothing to boost"):
        model = AdaBoost().fit(*XOR)
    assert model.stopped_ == "no edge"
    assert model.estimators_ == []
    assert model.training_error_bound_ == 1
    assert set(model.predict(XOR[0])) == {-1}
    assert model.margins(*XOR).tolist() == [0, 0, 0, 0]


def test_the_run_stops_when_no_edge_is_left() -> None:
    model = AdaBoost().fit(*CONSTANTS)
    assert model.stopped_ == "no edge"
    assert model.errors_.tolist() == [0.25]
    np.testing.assert_allclose(model.weights_, [1 / 6, 1 / 6, 1 / 6, 1 / 2])
    assert model.training_errors_.tolist() == [0.25]


class Line(DecisionStump):
    """The best of 300 fixed lines by weighted error: a linear classifier that keeps an edge."""

    lines = np.random.default_rng(0).normal(size=(3, 300))

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Any:
        self.classes_ = np.unique(y)
        above = np.column_stack([X, np.ones(len(X))]) @ self.lines > 0
        right = sample_weight @ (above == (np.asarray(y) == self.classes_[1])[:, None])
        self.line_ = int(np.argmax(np.abs(right - sample_weight.sum() / 2)))
        self.flip_ = bool(right[self.line_] < sample_weight.sum() / 2)
        return self

    def predict(self, X: Any) -> Any:
        above = np.column_stack([X, np.ones(len(X))]) @ self.lines[:, self.line_] > 0
        return self.classes_[(above ^ self.flip_).astype(int)]


def test_boosted_linear_classifiers_solve_xor() -> None:
    X = np.random.default_rng(0).uniform(-1, 1, size=(200, 2))
    y = np.where(X[:, 0] * X[:, 1] > 0, "same", "other")
    model = AdaBoost(Line(), n_estimators=80).fit(X, y)
    assert model.training_errors_[0] > 0.25
    assert model.score(X, y) > 0.95
    # A fitted logistic regression does not minimise the weighted error, and soon has no edge.
    stuck = AdaBoost(LogisticRegression(), n_estimators=80).fit(X, y)
    assert stuck.stopped_ == "no edge"
    assert stuck.score(X, y) < 0.8


def test_any_learner_with_weights_will_do_and_stumps_of_either_kind_agree() -> None:
    X, y = noisy(2, n=80)

    class Slow(DecisionStump):
        """A stump that the fast path does not know."""

    fast, slow = AdaBoost(n_estimators=10).fit(X, y), AdaBoost(Slow(), n_estimators=10).fit(X, y)
    np.testing.assert_allclose(fast.votes_, slow.votes_, rtol=1e-10)
    np.testing.assert_allclose(fast.decision_function(X), slow.decision_function(X), rtol=1e-9)
    trees = AdaBoost(DecisionTreeClassifier(max_depth=2), n_estimators=20).fit(X, y)
    assert trees.training_errors_[-1] <= np.prod(trees.normalisers_)
    assert trees.get_params()["estimator__max_depth"] == 2
    with pytest.raises(ValueError, match=r"Perceptron.fit takes no sample_weight"):
        AdaBoost(Perceptron()).fit(X, y)


@pytest.mark.parametrize("seed", range(4))
def test_starting_weights_are_repetitions(seed: int) -> None:
    X, y = noisy(seed, n=30)
    counts = np.random.default_rng(seed).integers(0, 4, size=30)
    weighted = AdaBoost(n_estimators=8).fit(X, y, counts)
    repeated = AdaBoost(n_estimators=8).fit(np.repeat(X, counts, axis=0), np.repeat(y, counts))
    np.testing.assert_allclose(weighted.errors_, repeated.errors_, rtol=1e-9)
    np.testing.assert_allclose(weighted.decision_function(X), repeated.decision_function(X))
    np.testing.assert_allclose(weighted.training_errors_, repeated.training_errors_, atol=1e-12)
    assert (weighted.weights_[counts == 0] == 0).all()


def test_stages_are_shorter_runs() -> None:
    X, y = noisy(5)
    model = AdaBoost(n_estimators=6).fit(X, y)
    for rounds, (scores, labels) in enumerate(
        zip(model.staged_decision_function(X), model.staged_predict(X), strict=True), start=1
    ):
        shorter = AdaBoost(n_estimators=rounds).fit(X, y)
        np.testing.assert_allclose(scores, shorter.decision_function(X))
        np.testing.assert_array_equal(labels, shorter.predict(X))


def test_weights_too_small_for_a_float_make_no_classifier_perfect() -> None:
    y = np.array([1.0, 1.0, -1.0])
    w = np.array([1.0, 0.0, 0.0])
    rounds, errors, last, why = boost(lambda w: (None, np.ones(3)), y, w, 1)
    assert why == "rounds"
    assert math.isfinite(rounds[0].vote)
    assert np.isfinite(last).all()
    assert errors.tolist() == [0.0]


def test_label_noise_makes_the_test_error_rise() -> None:
    early, late = [], []
    for seed in range(8):
        X, y = noisy(seed, n=2100, d=2, flip=0.2)
        errors = [
            float((labels != y[100:]).mean())
            for labels in AdaBoost(n_estimators=300).fit(X[:100], y[:100]).staged_predict(X[100:])
        ]
        early.append(min(errors[:10]))
        late.append(errors[-1])
    assert np.mean(late) > np.mean(early) + 0.03


def test_bad_input_is_refused_with_what_to_do() -> None:
    X, y = noisy(0)
    with pytest.raises(ValueError, match="n_estimators must be an integer of at least 1"):
        AdaBoost(n_estimators=0).fit(X, y)
    with pytest.raises(ValueError, match="criterion must be"):
        AdaBoost(DecisionStump(criterion="best")).fit(X, y)
    with pytest.raises(TypeError, match="with fit and predict, got 'stump'"):
        AdaBoost("stump").fit(X, y)
    with pytest.raises(TypeError, match=r"not a class; pass DecisionStump\(\)"):
        AdaBoost(DecisionStump).fit(X, y)
    model = AdaBoost(n_estimators=2).fit(X, y)
    with pytest.raises(ValueError, match=r"one of the labels \[-1, 1\]"):
        model.margins(X, np.where(y > 0, "a", "b"))
    with pytest.raises(ValueError, match="inconsistent numbers of samples: X has 60 rows, y has 5"):
        model.margins(X, y[:5])


def faces(seed: int) -> tuple[Any, Any]:
    """A rare class among many clear negatives."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(600, 4))
    y = (X[:, 0] + 0.5 * X[:, 1] ** 2 + 0.3 * rng.normal(size=600) > 1.2).astype(int)
    return X, y


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("miss_rate", [0.0, 0.02, 0.1])
def test_no_stage_misses_more_than_it_may_and_rates_multiply(seed: int, miss_rate: float) -> None:
    X, y = faces(seed)
    model = Cascade(stage_sizes=(1, 3, 10), max_miss_rate=miss_rate).fit(X, y)
    stages = len(model.stages_)
    assert (model.detection_rates_ >= 1 - miss_rate - 1e-12).all()
    assert model.detection_rate_ >= (1 - miss_rate) ** stages - 1e-12
    predicted = model.predict(X)
    assert predicted[y == 1].mean() == pytest.approx(model.detection_rate_)
    assert predicted[y == 0].mean() == pytest.approx(model.false_positive_rate_)


def test_a_sample_is_positive_exactly_if_every_stage_accepts_it() -> None:
    X, y = faces(1)
    model = Cascade(stage_sizes=(2, 5, 20), max_miss_rate=0.02).fit(X, y)
    fresh, _ = faces(99)
    accepted = np.all(
        [
            stage.decision_function(fresh) > threshold
            for stage, threshold in zip(model.stages_, model.thresholds_, strict=True)
        ],
        axis=0,
    )
    np.testing.assert_array_equal(model.predict(fresh) == 1, accepted)
    np.testing.assert_array_equal(model.decision_function(fresh) > 0, accepted)


def test_thresholds_are_the_highest_allowed() -> None:
    X, y = faces(2)
    model = Cascade(stage_sizes=(4,), max_miss_rate=0.05).fit(X, y)
    scores = np.sort(model.stages_[0].decision_function(X)[y == 1])
    may_lose = max(m for m in range(len(scores)) if m / len(scores) <= 0.05)
    assert (scores <= model.thresholds_[0]).sum() <= may_lose
    higher = np.unique(scores[scores > model.thresholds_[0]])[0]
    assert (scores <= higher).sum() > may_lose


@pytest.mark.parametrize(("percent", "n"), [(29, 100), (57, 100), (7, 100), (1, 3), (0, 5)])
def test_a_stage_may_lose_exactly_the_share_that_it_is_given(percent: int, n: int) -> None:
    # 0.29 * 100 is 28.999999999999996 in floats, and yet 29 of 100 may go.
    scores = np.arange(float(n))
    threshold = highest_threshold(scores, np.ones(n, dtype=bool), percent / 100)
    assert (scores <= threshold).sum() == percent * n // 100


def test_the_mean_cost_is_that_of_the_formula() -> None:
    X, y = faces(3)
    model = Cascade(stage_sizes=(1, 4, 16), max_miss_rate=0.01).fit(X, y)
    negatives = X[y == 0]
    costs = [len(stage.estimators_) for stage in model.stages_]
    expected = adaboost.cascade_cost(costs, model.false_positive_rates_)
    assert model.cost(negatives).mean() == pytest.approx(expected)
    assert expected < sum(costs)


def test_rates_and_costs_of_a_face_detector() -> None:
    detected, passed = adaboost.cascade_rates([0.99] * 10, [0.3] * 10)
    assert detected == pytest.approx(0.99**10)
    assert passed == pytest.approx(0.3**10)
    assert adaboost.cascade_cost([1.0] * 50, [0.5] * 50) == pytest.approx(2.0)
    rates, _ = adaboost.cascade_rates([0.998, 0.99, 0.995], [1.0] * 3)
    assert rates == pytest.approx(0.98308, abs=1e-5)
    assert rates > 0.99**3
    with pytest.raises(ValueError, match="false_positive_rates has length 1"):
        adaboost.cascade_rates([0.9, 0.9], [0.5])


def test_a_cascade_stops_when_no_negative_is_left_or_no_edge_is_found() -> None:
    X, y = [[0.0], [1.0], [2.0], [3.0]], [0, 0, 1, 1]
    model = Cascade().fit(X, y)
    assert len(model.stages_) == 1
    assert (model.detection_rate_, model.false_positive_rate_) == (1.0, 0.0)
    with pytest.warns(ConvergenceWarning, match="nothing to boost"):
        stuck = Cascade().fit(*XOR)
    assert len(stuck.stages_) == 1
    assert (stuck.detection_rate_, stuck.false_positive_rate_) == (1.0, 1.0)
    assert set(stuck.predict(XOR[0])) == {1}


def test_a_cascade_refuses_rates_and_sizes_that_make_no_sense() -> None:
    X, y = faces(0)
    with pytest.raises(
        ValueError, match="max_miss_rate must be a number of at least 0 and below 1"
    ):
        Cascade(max_miss_rate=1.0).fit(X, y)
    with pytest.raises(TypeError, match="stage_sizes must be a sequence"):
        Cascade(stage_sizes=5).fit(X, y)
    with pytest.raises(ValueError, match="margins is empty"):
        adaboost.margin_distribution([], [0.0])
    with pytest.raises(ValueError, match="stage_sizes is empty"):
        Cascade(stage_sizes=()).fit(X, y)
    with pytest.raises(ValueError, match="each of stage_sizes must be an integer"):
        Cascade(stage_sizes=(1, 0)).fit(X, y)


def test_samples_that_the_first_stage_all_rejects_reach_no_second() -> None:
    X, y = faces(0)
    model = Cascade(stage_sizes=(3, 10), max_miss_rate=0.1).fit(X, y)
    assert len(model.stages_) == 2
    rejected = X[model.stages_[0].decision_function(X) <= model.thresholds_[0]]
    assert len(rejected) > 0
    assert set(model.predict(rejected).tolist()) == {model.classes_[0]}
    np.testing.assert_array_equal(model.cost(rejected), len(model.stages_[0].estimators_))


def test_a_cascade_takes_other_weak_learners() -> None:
    sample = make_moons(120, noise=0.2, random_state=0)
    model = Cascade(stage_sizes=(3, 6), estimator=DecisionTreeClassifier(max_depth=2))
    assert model.fit(sample.X, sample.y).score(sample.X, sample.y) > 0.85


@pytest.mark.parametrize("seed", range(60))
def test_boosting_agrees_with_the_algorithm_of_the_chapter(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n, d = int(rng.integers(6, 40)), int(rng.integers(1, 4))
    X = rng.normal(size=(n, d)).round(1 if seed % 2 else 6)
    y = np.append([-1, 1], rng.choice([-1, 1], size=n - 2))
    rounds = adaboost.adaboost(X, y, n_rounds=8)
    if not rounds:
        return
    model = AdaBoost(n_estimators=8).fit(X, y)
    np.testing.assert_allclose(model.votes_, [vote for vote, _ in rounds], rtol=1e-9)
    for weak, (_, (feature, threshold, sign)) in zip(model.estimators_, rounds, strict=True):
        answers = np.where(X[:, feature] > threshold, sign, -sign)
        np.testing.assert_array_equal(weak.decision_function(X), answers)
