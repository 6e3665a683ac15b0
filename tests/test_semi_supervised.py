"""Labelled and unlabelled points together: counting where labels are known, EM where not."""

from __future__ import annotations

import itertools
import warnings
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import logsumexp
from sklearn.naive_bayes import BernoulliNB
from sklearn.semi_supervised import LabelPropagation as SklearnPropagation
from sklearn.semi_supervised import SelfTrainingClassifier

from mlnotes.data import make_moons
from mlnotes.exceptions import ConvergenceWarning
from mlnotes.logistic_regression import LogisticRegression
from mlnotes.semi_supervised import (
    CoTraining,
    LabelPropagation,
    SelfTraining,
    SemiSupervisedNaiveBayes,
    TransductiveSVM,
    agreement_error,
    co_training,
    dirichlet_energy,
    harmonic_solution,
    label_propagation,
    neighbour_graph,
    self_training,
    transductive_objective,
    transductive_svm,
)
from mlnotes.support_vector_machines import LinearSVM

THETA = np.array([[0.2, 0.7, 0.4, 0.9], [0.8, 0.3, 0.6, 0.5]])


def drawn(seed: int, n: int, rho: float = 0.4) -> tuple[Any, Any]:
    rng = np.random.default_rng(seed)
    y = (rng.random(n) < rho).astype(int)
    return (rng.random((n, 4)) < THETA[y]).astype(float), y


def with_hidden(y: Any, labelled: int) -> Any:
    partly = np.full(len(y), -1)
    partly[:labelled] = y[:labelled]
    return partly


def log_likelihood(X: Any, y: Any, priors: Any, theta: Any) -> float:
    """The likelihood as the model says it: one joint probability, or the sum over the labels."""
    total = 0.0
    for x, label in zip(X, y, strict=True):
        joint = np.log(priors) + np.log(np.where(x, theta, 1 - theta)).sum(axis=1)
        total += joint[label] if label >= 0 else logsumexp(joint)
    return float(total)


def test_with_all_labels_it_counts_as_naive_bayes_does() -> None:
    X, y = drawn(0, 300)
    model = SemiSupervisedNaiveBayes().fit(X, y)
    np.testing.assert_allclose(model.priors_, [np.mean(y == 0), np.mean(y == 1)])
    for c in (0, 1):
        np.testing.assert_allclose(model.theta_[c], X[y == c].mean(axis=0))
    reference = BernoulliNB(alpha=1e-9, force_alpha=True).fit(X, y)
    np.testing.assert_allclose(model.predict_proba(X), reference.predict_proba(X), atol=1e-7)
    assert model.n_labelled_ == 300


def test_the_likelihood_is_that_of_both_sorts_of_points() -> None:
    X, y = drawn(1, 120)
    partly = with_hidden(y, 20)
    model = SemiSupervisedNaiveBayes().fit(X, partly)
    expected = log_likelihood(X, partly, model.priors_, model.theta_)
    assert model.log_likelihoods_[-1] == pytest.approx(expected)
    labelled = SemiSupervisedNaiveBayes().fit(X[:20], y[:20])
    before = log_likelihood(X, partly, labelled.priors_, labelled.theta_)
    assert model.log_likelihoods_[0] == pytest.approx(before)


def test_one_step_is_that_of_the_derivation() -> None:
    X, y = drawn(2, 60)
    partly = with_hidden(y, 15)
    first = SemiSupervisedNaiveBayes().fit(X[:15], y[:15])
    q = np.where(partly[:, None] >= 0, np.eye(2)[partly], first.predict_proba(X))
    with pytest.warns(ConvergenceWarning, match="did not converge in 1"):
        model = SemiSupervisedNaiveBayes(max_iter=1).fit(X, partly)
    # thm-semi-supervised-priors and thm-semi-supervised-features
    np.testing.assert_allclose(model.priors_, q.sum(axis=0) / 60)
    np.testing.assert_allclose(model.theta_, (q.T @ X / q.sum(axis=0)[:, None]).clip(1e-3, 0.999))


@settings(deadline=None, max_examples=25)
@given(st.integers(0, 10**6), st.integers(2, 4), st.integers(1, 6))
def test_the_log_likelihood_never_falls(seed: int, classes: int, d: int) -> None:
    rng = np.random.default_rng(seed)
    X = (rng.random((40, d)) < 0.5).astype(float)
    y = np.r_[np.arange(classes), np.full(40 - classes, -1)]
    model = SemiSupervisedNaiveBayes(max_iter=2000, tol=1e-4).fit(X, y)
    assert (np.diff(model.log_likelihoods_) >= -1e-9).all()


@pytest.mark.parametrize("unit", [1.0, 2.0**-1000, 2.0**1015])
def test_weights_are_copies_of_labelled_and_unlabelled_points(unit: float) -> None:
    rng = np.random.default_rng(3)
    X = rng.integers(0, 2, size=(30, 4))
    y = rng.choice([-1, 0, 1], size=30)
    weights = rng.integers(0, 4, size=30)
    copies = np.repeat(np.arange(30), weights)
    weighted = SemiSupervisedNaiveBayes().fit(X, y, sample_weight=unit * weights)
    expected = SemiSupervisedNaiveBayes().fit(X[copies], y[copies])
    assert weighted.n_iter_ == expected.n_iter_ > 1
    assert weighted.n_labelled_ == (y[weights > 0] >= 0).sum()
    np.testing.assert_allclose(weighted.priors_, expected.priors_, rtol=1e-12)
    np.testing.assert_allclose(weighted.theta_, expected.theta_, rtol=1e-12)
    np.testing.assert_allclose(
        weighted.log_likelihoods_ / unit, expected.log_likelihoods_, rtol=1e-12
    )


def test_unlabelled_points_help_where_the_model_is_right() -> None:
    X, y = drawn(3, 4000)
    test_X, test_y = drawn(4, 4000)
    gains = []
    for begin in range(0, 200, 20):
        mine = np.r_[begin : begin + 20, 500:4000]
        few = SemiSupervisedNaiveBayes().fit(X[mine[:20]], y[mine[:20]])
        many = SemiSupervisedNaiveBayes().fit(X[mine], with_hidden(y[mine], 20))
        gains.append(many.score(test_X, test_y) - few.score(test_X, test_y))
    assert np.mean(gains) > 0.02


def test_unlabelled_points_hurt_where_the_model_is_wrong() -> None:
    # Four copies of one hidden coin dominate: without labels it is the better explanation.
    rng = np.random.default_rng(0)
    y = rng.integers(2, size=2000)
    coin = rng.integers(2, size=2000)
    X = np.column_stack([np.where(rng.random(2000) < 0.9, y, 1 - y), *[coin] * 4]).astype(float)
    few = SemiSupervisedNaiveBayes().fit(X[:100], y[:100])
    many = SemiSupervisedNaiveBayes().fit(X, with_hidden(y, 100))
    assert few.score(X, y) > 0.85
    assert many.score(X, y) < 0.6
    assert (np.diff(many.log_likelihoods_) >= -1e-9).all()


def test_signs_as_labels_are_refused_and_the_parameter_is_named() -> None:
    with pytest.raises(ValueError, match="pass unlabelled=None"):
        SemiSupervisedNaiveBayes().fit([[0.0], [1.0]], [-1, 1])


def test_another_value_may_mean_unlabelled() -> None:
    X, y = drawn(5, 80)
    numbers = SemiSupervisedNaiveBayes().fit(X, with_hidden(y, 30))
    signs = np.where(np.arange(80) < 30, 2 * y - 1, 0)
    other = SemiSupervisedNaiveBayes(unlabelled=0).fit(X, signs)
    np.testing.assert_array_equal(other.classes_, [-1, 1])
    np.testing.assert_allclose(other.theta_, numbers.theta_)
    words = np.where(np.arange(80) < 30, np.array(["ham", "spam"])[y], "?")
    named = SemiSupervisedNaiveBayes(unlabelled="?").fit(X, words)
    assert named.classes_.tolist() == ["ham", "spam"]
    np.testing.assert_allclose(named.theta_, numbers.theta_)
    # A word is never mistaken for the number that means unlabelled.
    assert SemiSupervisedNaiveBayes().fit(X, words).classes_.tolist() == ["?", "ham", "spam"]
    both = SemiSupervisedNaiveBayes(unlabelled=None).fit(X, 2 * y - 1)
    np.testing.assert_array_equal(both.classes_, [-1, 1])


def test_a_feature_never_seen_does_not_forbid_a_class() -> None:
    model = SemiSupervisedNaiveBayes().fit([[1, 0], [0, 0], [1, 0], [0, 0]], [1, 0, 1, 0])
    assert np.isfinite(model.predict_log_proba([[1, 1], [0, 1]])).all()
    np.testing.assert_allclose(model.predict_proba([[1, 1]]).sum(), 1)


def test_impossible_parameters_are_refused() -> None:
    for parameters, message in (({"floor": 0.5}, "floor"), ({"tol": -1.0}, "tol")):
        with pytest.raises(ValueError, match=message):
            SemiSupervisedNaiveBayes(**parameters).fit([[0], [1]], [0, 1])


@pytest.mark.parametrize("missing", [np.nan, None])
def test_a_value_that_equals_nothing_cannot_mean_unlabelled(missing: Any) -> None:
    X, y = [[0, 1], [1, 0], [1, 1]], [0, 1, missing]
    for unlabelled in (-1, missing):
        with pytest.raises(ValueError, match="name it with unlabelled="):
            SemiSupervisedNaiveBayes(unlabelled=unlabelled).fit(X, y)


def test_no_value_exceeds_a_threshold_that_is_no_number() -> None:
    with pytest.raises(ValueError, match="threshold must be a finite number"):
        SemiSupervisedNaiveBayes(threshold=np.nan).fit([[0, 1], [1, 0]], [0, 1])


# ------------------------------------------------------------------ self-training


def blobs(seed: int, n: int = 40, d: int = 2, classes: int = 2, known: int = 3) -> Any:
    """Clouds that overlap, and labels of which few are shown."""
    rng = np.random.default_rng(seed)
    y = np.r_[np.repeat(np.arange(classes), known), rng.integers(classes, size=n - known * classes)]
    centres = rng.normal(scale=2.0, size=(classes, d))
    X = centres[y] + rng.normal(size=(n, d))
    return X, y, np.where(np.arange(n) < known * classes, y, -1)


def soft(X: Any, y: Any) -> Any:
    return LogisticRegression().fit(X, y).predict_proba


def hard(X: Any, y: Any) -> Any:
    return LogisticRegression().fit(X, y).predict


@pytest.mark.parametrize("seed", range(50))
def test_self_training_adds_what_scikit_learns_adds_in_the_same_rounds(seed: int) -> None:
    X, _, partly = blobs(seed, classes=2 + seed % 2)
    model = SelfTraining(threshold=0.8).fit(X, partly)
    theirs = SelfTrainingClassifier(LogisticRegression(), threshold=0.8).fit(X, partly)
    np.testing.assert_array_equal(model.transduction_, theirs.transduction_)
    np.testing.assert_array_equal(model.labelled_iter_, theirs.labeled_iter_)
    np.testing.assert_allclose(model.predict_proba(X), theirs.predict_proba(X))
    assert model.termination_condition_.replace("lled", "led") == theirs.termination_condition_


@pytest.mark.parametrize("seed", range(50))
def test_the_boxed_self_training_ends_with_the_training_set_of_the_estimator(seed: int) -> None:
    X, _, partly = blobs(seed)
    model = SelfTraining().fit(X, partly)
    seen = partly >= 0
    points, labels = self_training(X[seen], partly[seen], X[~seen], soft)
    order = np.argsort(model.labelled_iter_[model.labelled_iter_ >= 0], kind="stable")
    mine = np.flatnonzero(model.labelled_iter_ >= 0)[order]
    np.testing.assert_array_equal(points, X[mine])
    np.testing.assert_array_equal(labels, model.transduction_[mine])


def test_self_training_that_is_never_sure_adds_nothing() -> None:
    X, _, partly = blobs(0)
    model = SelfTraining(threshold=1 - 1e-12).fit(X, partly)
    np.testing.assert_array_equal(model.transduction_, partly)
    assert model.termination_condition_ == "no_change"
    believing = SelfTraining(threshold=0.0).fit(X, partly)
    assert believing.n_iter_ == 2
    assert believing.termination_condition_ == "all_labelled"


@pytest.mark.parametrize("cls", [SelfTraining, CoTraining])
def test_what_gives_no_probabilities_is_refused(cls: type[Any]) -> None:
    X, _, partly = blobs(0)
    for estimator, message in (
        (LogisticRegression, r"not a class; pass LogisticRegression\(\)"),
        (LinearSVM(), "fit and predict_proba"),
    ):
        with pytest.raises(TypeError, match=message):
            cls(estimator).fit(X, partly)


# ------------------------------------------------------------------ co-training


def test_the_error_where_two_agree_is_that_of_independent_coins() -> None:
    rng = np.random.default_rng(0)
    for first, second in rng.uniform(0.05, 0.6, size=(50, 2)):
        wrong = rng.random((40_000, 2)) < (first, second)
        agree = wrong[:, 0] == wrong[:, 1]
        found = wrong[agree, 0].mean()
        assert abs(found - agreement_error(first, second)) < 5 * np.sqrt(0.25 / agree.sum())
    assert agreement_error(0.2, 0.2) == pytest.approx(0.04 / 0.68)
    assert agreement_error(0.3, 0.5) == pytest.approx(0.3)
    with pytest.raises(ValueError, match="never agree"):
        agreement_error(1.0, 0.0)


@pytest.mark.parametrize("seed", range(50))
def test_the_boxed_co_training_ends_with_the_training_set_of_the_estimator(seed: int) -> None:
    X, _, partly = blobs(seed, d=4, classes=2 + seed % 2)
    model = CoTraining().fit(X, partly)
    seen = partly >= 0
    ends = co_training(X[seen, :2], X[seen, 2:], partly[seen], X[~seen, :2], X[~seen, 2:], hard)
    order = np.argsort(model.labelled_iter_[model.labelled_iter_ >= 0], kind="stable")
    mine = np.flatnonzero(model.labelled_iter_ >= 0)[order]
    for found, expected in zip(
        ends, (X[mine, :2], X[mine, 2:], model.transduction_[mine]), strict=True
    ):
        np.testing.assert_array_equal(found, expected)


def test_agreed_labels_are_better_where_views_are_independent_and_not_where_they_are_copies() -> (
    None
):
    rng = np.random.default_rng(1)
    y = rng.integers(2, size=4000)
    first = (2 * y - 1)[:, None] + 1.2 * rng.normal(size=(4000, 1))
    other = (2 * y - 1)[:, None] + 1.2 * rng.normal(size=(4000, 1))
    partly = np.where(np.arange(4000) < 100, y, -1)
    error = {}
    for name, second in (("independent", other), ("copies", first)):
        model = CoTraining(max_iter=1).fit(np.hstack([first, second]), partly)
        added = model.labelled_iter_ == 1
        error[name] = np.mean(model.transduction_[added] != y[added])
    alone = np.mean((first[:, 0] > 0) != y)
    assert error["independent"] < 0.4 * alone
    assert error["copies"] > 0.9 * alone


def test_co_training_multiplies_the_odds_of_the_views() -> None:
    X, _, partly = blobs(3, d=3)
    model = CoTraining(views=([0], [1, 2])).fit(X, partly)
    one = model.estimators_[0].predict_proba(X[:, :1])
    two = model.estimators_[1].predict_proba(X[:, 1:])
    product = one * two / model.priors_
    np.testing.assert_allclose(model.predict_proba(X), product / product.sum(axis=1, keepdims=True))
    for views in ([0], ([0], []), ([0], [3]), 3, ([0], [1.5]), "ab"):
        with pytest.raises(ValueError, match="views must be two sequences of columns from 0 to 2"):
            CoTraining(views=views).fit(X, partly)  # type: ignore[arg-type]


def test_one_feature_belongs_to_both_views() -> None:
    X, _, partly = blobs(4, d=5)
    views = CoTraining().fit(X, partly).views_
    assert [view.tolist() for view in views] == [[0, 1, 2], [2, 3, 4]]
    assert CoTraining().fit(X[:, :1], partly).score(X[:, :1], partly) >= 0


# ------------------------------------------------------------------ transductive SVM


def few_points(seed: int) -> Any:
    rng = np.random.default_rng(seed)
    y = np.repeat([-1.0, 1.0], 2)
    X = rng.normal(size=(4, 2)) + y[:, None]
    Z = rng.normal(size=(5, 2)) + rng.choice([-1.0, 1.0], size=(5, 1))
    return X, y, Z


@pytest.mark.parametrize("seed", range(50))
def test_the_least_objective_is_that_of_the_best_labelling(seed: int) -> None:
    X, y, Z = few_points(seed)
    points = np.vstack([X, Z])
    price = np.r_[np.ones(4), np.full(5, 0.5)]
    values = {}
    for guesses in itertools.product((-1.0, 1.0), repeat=5):
        machine = LinearSVM().fit(points, np.r_[y, guesses], sample_weight=price)
        values[guesses] = machine.objective_
        # A guess can only cost: the better side is free to choose.
        theirs = transductive_objective(
            X, y, Z, machine.coef_, machine.intercept_, C_unlabelled=0.5
        )
        assert theirs <= machine.objective_ + 1e-7
    theta, offset, found = transductive_svm(X, y, Z, C_unlabelled=0.5)
    reached = transductive_objective(X, y, Z, theta, offset, C_unlabelled=0.5)
    assert reached == pytest.approx(values[tuple(found)], rel=1e-6)
    assert reached >= min(values.values()) - 1e-7
    model = TransductiveSVM(C_unlabelled=0.5, unlabelled=0).fit(points, np.r_[y, np.zeros(5)])
    assert model.objectives_[-1] >= min(values.values()) - 1e-7
    assert (np.diff(model.objectives_) <= 1e-8).all()


def test_the_objective_is_dearer_in_the_middle_than_on_both_sides() -> None:
    for seed in range(20):
        X, y, Z = few_points(seed)
        t = 1 - np.random.default_rng(seed).random()
        below, middle, above = (
            transductive_objective(X, y, Z, [0.0, 0.0], offset, C=2.0, C_unlabelled=0.5)
            for offset in (-t, 0.0, t)
        )
        assert middle - (below + above) / 2 == pytest.approx(0.5 * len(Z) * t)


def test_most_runs_end_at_the_least_objective_and_not_all() -> None:
    hits = []
    for seed in range(60):
        X, y, Z = few_points(seed)
        points = np.vstack([X, Z])
        best = min(
            LinearSVM().fit(points, np.r_[y, guesses]).objective_
            for guesses in itertools.product((-1.0, 1.0), repeat=5)
        )
        model = TransductiveSVM(C_unlabelled=1.0, unlabelled=0)
        model.fit(points, np.r_[y, np.zeros(5)])
        hits.append(model.objectives_[-1] < best + 1e-6)
    assert 0.5 < np.mean(hits) < 1


def test_the_default_price_gives_both_sums_the_same_weight() -> None:
    X, _, partly = blobs(5)
    by_default = TransductiveSVM(C=2.0).fit(X, partly)
    known, hidden = (partly >= 0).sum(), (partly < 0).sum()
    named = TransductiveSVM(C=2.0, C_unlabelled=2.0 * known / hidden).fit(X, partly)
    np.testing.assert_array_equal(by_default.coef_, named.coef_)
    assert named.C_unlabelled * hidden == pytest.approx(2.0 * known)


def test_without_unlabelled_points_it_is_the_support_vector_machine() -> None:
    X, y, _ = blobs(6)
    model, machine = TransductiveSVM().fit(X, y), LinearSVM().fit(X, y)
    np.testing.assert_array_equal(model.coef_, machine.coef_)
    assert model.objectives_.tolist() == [machine.objective_]


def test_three_classes_are_too_many_for_a_hyperplane() -> None:
    X, _, partly = blobs(7, classes=3)
    with pytest.raises(ValueError, match="Only binary classification is supported"):
        TransductiveSVM().fit(X, partly)


def test_guesses_that_still_change_are_reported() -> None:
    X, _, partly = blobs(8, n=60, known=2)
    with pytest.warns(ConvergenceWarning, match="raise max_iter"):
        model = TransductiveSVM(max_iter=1).fit(X, partly)
    assert not model.converged_


# ------------------------------------------------------------------ label propagation


def random_graph(seed: int) -> Any:
    """A connected graph and numbers for two of its nodes, which come first."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(3, 15))
    W = np.triu(rng.random((n, n)) * (rng.random((n, n)) < 0.5), 1)
    W[np.arange(n - 1), np.arange(1, n)] += 0.1  # a path joins all nodes
    order = rng.permutation(n)
    return (W + W.T)[np.ix_(order, order)], rng.normal(size=2)


@pytest.mark.parametrize("seed", range(50))
def test_averages_tend_to_the_solution_of_the_linear_system(seed: int) -> None:
    W, y = random_graph(seed)
    f = harmonic_solution(W, y)
    swept = label_propagation(W, y, tol=1e-13, max_sweeps=10**5)
    np.testing.assert_allclose(swept, f, atol=1e-9)
    residual = (np.diag(W.sum(axis=1)) - W) @ f
    assert np.abs(residual[2:]).max() < 1e-10
    # The maximum principle, and the least energy among functions with these labels.
    assert f.max() <= y.max() + 1e-12
    assert f.min() >= y.min() - 1e-12
    rng = np.random.default_rng(seed)
    for _ in range(5):
        other = f + np.r_[0.0, 0.0, rng.normal(size=len(f) - 2)]
        assert dirichlet_energy(W, other) > dirichlet_energy(W, f)


@pytest.mark.parametrize("seed", range(50))
def test_the_estimator_solves_the_system_of_its_graph(seed: int) -> None:
    X, _, partly = blobs(seed, n=30, classes=2 + seed % 3)
    bandwidth = None if seed % 2 else 1.5
    n_neighbours = None if seed % 4 == 0 else 6
    model = LabelPropagation(n_neighbours=n_neighbours, bandwidth=bandwidth)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model.fit(X, partly)
    W = neighbour_graph(X, n_neighbours, bandwidth)
    known = partly >= 0
    order = np.r_[np.flatnonzero(known), np.flatnonzero(~known & model.reached_)]
    for c, label in enumerate(model.classes_):
        expected = harmonic_solution(
            W[np.ix_(order, order)], (partly[known] == label).astype(float)
        )
        np.testing.assert_allclose(model.label_distributions_[order, c], expected, atol=1e-8)
    np.testing.assert_allclose(model.label_distributions_.sum(axis=1), 1.0)


def test_scikit_learns_iteration_tends_to_the_same_labels() -> None:
    X, _, partly = blobs(1, n=60, classes=3)
    model = LabelPropagation(n_neighbours=None, bandwidth=1.0).fit(X, partly)
    theirs = SklearnPropagation(kernel="rbf", gamma=0.5, tol=1e-12, max_iter=10**5).fit(X, partly)
    np.testing.assert_allclose(model.label_distributions_, theirs.label_distributions_, atol=1e-6)


def test_a_random_walk_from_a_node_ends_at_label_one_as_often_as_its_value_says() -> None:
    W, _ = random_graph(11)
    f = harmonic_solution(W, [1.0, 0.0])
    P = W / W.sum(axis=1, keepdims=True)
    P[:2] = np.eye(len(W))[:2]
    ends = np.linalg.matrix_power(P, 2**14)
    np.testing.assert_allclose(ends[:, 0], f, atol=1e-9)
    np.testing.assert_allclose(ends[:, 1], 1 - f, atol=1e-9)


def test_labels_follow_the_moons_where_a_line_cannot() -> None:
    sample = make_moons(300, noise=0.06, random_state=0)
    partly = np.full(300, 0)
    for sign in (-1, 1):
        partly[np.flatnonzero(sample.y == sign)[0]] = sign
    model = LabelPropagation(n_neighbours=12, unlabelled=0).fit(sample.X, partly)
    assert model.reached_.all()
    assert np.mean(model.transduction_ == sample.y) == 1.0
    assert LinearSVM().fit(sample.X, sample.y).score(sample.X, sample.y) < 0.95


def test_points_that_no_path_reaches_get_the_shares_of_the_labels() -> None:
    X = np.array([[0.0], [0.1], [0.2], [1.0], [1.1], [1.2], [9.0], [9.1], [9.2]])
    y = np.array([0, -1, -1, 1, -1, 1, -1, -1, -1])
    with pytest.warns(UserWarning, match="3 samples are joined to no labelled one"):
        model = LabelPropagation(n_neighbours=2).fit(X, y)
    np.testing.assert_array_equal(model.reached_, X.ravel() < 5)
    np.testing.assert_allclose(model.label_distributions_[-1], [1 / 3, 2 / 3])
    with pytest.warns(UserWarning, match="joined"):
        LabelPropagation(n_neighbours=None, bandwidth=1e-3).fit(X, y)


@pytest.mark.parametrize("unit", [2.0**-900, 1.0, 2.0**900])
def test_neither_huge_nor_tiny_units_change_the_labels(unit: float) -> None:
    X, _, partly = blobs(2)
    for parameters in ({}, {"n_neighbours": None, "bandwidth": 1.0}):
        plain = LabelPropagation(**parameters).fit(X, partly)
        if "bandwidth" in parameters:
            parameters = {**parameters, "bandwidth": unit}
        scaled = LabelPropagation(**parameters).fit(unit * X, partly)
        np.testing.assert_array_equal(scaled.label_distributions_, plain.label_distributions_)
        np.testing.assert_array_equal(scaled.predict_proba(unit * X), plain.predict_proba(X))


def test_a_graph_that_leaves_a_node_without_labels_is_refused() -> None:
    W = np.zeros((3, 3))
    W[0, 1] = W[1, 0] = 1.0
    with pytest.raises(ValueError, match="from node 2 no path"):
        harmonic_solution(W, [0.0])
    assert label_propagation(W, [5.0]).tolist() == [5.0, 5.0, 5.0]
    with pytest.raises(ValueError, match="symmetric with nonnegative"):
        harmonic_solution(np.triu(W), [0.0])
    for solve in (harmonic_solution, label_propagation):
        with pytest.raises(ValueError, match="y"):
            solve(W, [0.0, 1.0, 2.0, 3.0])
        with pytest.raises(ValueError, match="nonnegative"):
            solve(-W, [0.0])


@pytest.mark.parametrize("cls", [SelfTraining, CoTraining, TransductiveSVM, LabelPropagation])
def test_any_value_may_mean_unlabelled_and_signs_are_refused_by_default(cls: type[Any]) -> None:
    X, _, partly = blobs(9)
    numbers = cls().fit(X, partly).predict(X)
    words = np.where(partly < 0, "?", np.array(["no", "yes"])[partly])
    named = cls(unlabelled="?").fit(X, words)
    assert named.predict(X).tolist() == np.array(["no", "yes"])[numbers].tolist()
    with pytest.raises(ValueError, match="pass unlabelled=None"):
        cls().fit(X, np.where(partly == 1, 1, -1))
    with pytest.raises(ValueError, match="name it with unlabelled="):
        cls().fit(X, np.where(partly < 0, np.nan, partly))
