"""Gradient boosting against the algorithm of the chapter and against scikit-learn."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.ensemble import GradientBoostingClassifier as ReferenceClassifier
from sklearn.ensemble import GradientBoostingRegressor as ReferenceRegressor

from mlnotes._solvers import trees
from mlnotes.adaboost import (
    GradientBoostingClassifier,
    GradientBoostingRegressor,
    gradient_boosting,
)
from mlnotes.decision_trees import DecisionTreeRegressor, tree_predict
from tests.test_boxes import body_lines, run_alone

BOOSTED = [GradientBoostingClassifier, GradientBoostingRegressor]


def problem(seed: int, n: int | None = None) -> tuple[Any, Any, Any]:
    """Samples, labels -1 and +1, and targets."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(6, 40)) if n is None else n
    # Representable in single precision, to which scikit-learn rounds its input.
    X = rng.normal(size=(n, int(rng.integers(2, 5)))).astype(np.float32).astype(float)
    target = np.sin(2 * X[:, 0]) + X[:, 1] ** 2 + rng.normal(size=n) / 2
    signs = np.where(target > np.median(target), 1, -1)
    return X, signs, target


@pytest.mark.parametrize("seed", range(50))
def test_the_estimators_boost_as_the_chapter_does(seed: int) -> None:
    X, signs, target = problem(seed)
    new = np.random.default_rng(seed).normal(size=(20, X.shape[1]))
    options: dict[str, Any] = {
        "learning_rate": (0.1, 0.5, 1.0)[seed % 3],
        "max_depth": 1 + seed % 3,
    }
    start, steps = gradient_boosting(X, target, n_rounds=6, **options)
    model = GradientBoostingRegressor(6, **options).fit(X, target)
    expected = start + sum(tree_predict(tree, new) for tree in steps)
    np.testing.assert_allclose(model.predict(new), expected, atol=1e-10)
    start, steps = gradient_boosting(X, signs, "logistic", n_rounds=6, **options)
    classifier = GradientBoostingClassifier(6, **options).fit(X, signs)
    expected = start + sum(tree_predict(tree, new) for tree in steps)
    np.testing.assert_allclose(classifier.decision_function(new), expected, rtol=1e-7, atol=1e-9)


def test_the_algorithm_fits_into_a_box_and_runs_by_itself() -> None:
    X, signs, _ = problem(1)
    assert body_lines(gradient_boosting) <= 25
    start, steps = run_alone(gradient_boosting, X, signs, "logistic", n_rounds=3)
    other, others = gradient_boosting(X, signs, "logistic", n_rounds=3)
    assert start == other
    for left, right in zip(steps, others, strict=True):
        np.testing.assert_array_equal(tree_predict(left, X), tree_predict(right, X))


@pytest.mark.parametrize("depth", [1, 3])
def test_scores_are_those_of_scikit_learn(depth: int) -> None:
    for seed in range(4):
        X, signs, target = problem(seed, n=300)
        options: dict[str, Any] = {"max_depth": depth, "n_estimators": 15, "min_samples_leaf": 5}
        ours = GradientBoostingRegressor(**options).fit(X, target)
        theirs = ReferenceRegressor(**options, random_state=0).fit(X, target)
        np.testing.assert_allclose(ours.predict(X), theirs.predict(X), atol=1e-8)
        classifier = GradientBoostingClassifier(**options).fit(X, signs)
        reference = ReferenceClassifier(**options, random_state=0).fit(X, signs)
        loss = np.logaddexp(0.0, -signs * reference.decision_function(X)).mean()
        # Equal residuals make ties, which scikit-learn breaks by lot: only the loss agrees.
        assert classifier.training_losses_[-1] == pytest.approx(loss, rel=0.02)


@pytest.mark.parametrize("rate", [0.1, 0.7, 1.0])
def test_no_round_increases_the_squared_error(rate: float) -> None:
    for seed in range(10):
        X, _, target = problem(seed)
        model = GradientBoostingRegressor(15, learning_rate=rate).fit(X, target)
        losses = np.append(np.var(target), model.training_losses_)
        assert (np.diff(losses) <= 1e-12).all()
        assert losses[-1] == pytest.approx(np.mean((model.predict(X) - target) ** 2), abs=1e-12)


def test_the_first_round_at_full_rate_is_a_regression_tree() -> None:
    X, _, target = problem(2)
    boosted = GradientBoostingRegressor(1, learning_rate=1.0).fit(X, target)
    tree = DecisionTreeRegressor(max_depth=3).fit(X, target)
    np.testing.assert_allclose(boosted.predict(X), tree.predict(X))


def test_leaves_move_along_the_gradient_of_the_logistic_loss() -> None:
    X, signs, _ = problem(4)
    model = GradientBoostingClassifier(1, learning_rate=0.3).fit(X, signs)
    leaves, start = model.estimators_[0].apply(X), model.initial_score_
    assert start == pytest.approx(np.log((signs > 0).mean() / (signs < 0).mean()))

    def loss(step: float, inside: Any) -> float:
        return float(np.logaddexp(0.0, -signs[inside] * (start + step)).sum())

    for leaf in np.unique(leaves):
        inside = leaves == leaf
        h = 1e-4
        slope = (loss(h, inside) - loss(-h, inside)) / (2 * h)
        second = (loss(h, inside) - 2 * loss(0.0, inside) + loss(-h, inside)) / h**2
        step = model.estimators_[0].tree_.value[leaf, 0]
        assert step == pytest.approx(-0.3 * slope / second, rel=1e-4)


def test_stages_end_where_the_run_does() -> None:
    X, signs, target = problem(3)
    model = GradientBoostingRegressor(4).fit(X, target)
    *_, last = model.staged_predict(X)
    np.testing.assert_array_equal(last, model.predict(X))
    shorter = GradientBoostingRegressor(2).fit(X, target)
    np.testing.assert_array_equal(list(model.staged_predict(X))[1], shorter.predict(X))
    classifier = GradientBoostingClassifier(4).fit(X, signs)
    *_, last = classifier.staged_predict(X)
    np.testing.assert_array_equal(last, classifier.predict(X))
    *_, last = classifier.staged_decision_function(X)
    np.testing.assert_array_equal(last, classifier.decision_function(X))
    shares = classifier.predict_proba(X)
    np.testing.assert_allclose(shares.sum(axis=1), 1.0)
    np.testing.assert_allclose(np.log(shares[:, 1] / shares[:, 0]), last)


@pytest.mark.parametrize("cls", BOOSTED)
def test_boosting_without_a_compiler_is_the_same(
    cls: type[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    X, signs, target = problem(6)
    y = signs if cls is GradientBoostingClassifier else target
    compiled = cls(5, max_features=1).fit(X, y).predict(X)
    monkeypatch.setattr(trees._growing, "compiles", lambda: False)
    np.testing.assert_allclose(cls(5, max_features=1).fit(X, y).predict(X), compiled)


@pytest.mark.parametrize("cls", BOOSTED)
def test_whole_weights_are_repetitions(cls: type[Any]) -> None:
    for seed in range(8):
        X, signs, target = problem(seed)
        y = signs if cls is GradientBoostingClassifier else target
        counts = np.random.default_rng(seed).integers(0, 4, size=len(y))
        counts[[np.argmax(signs), np.argmin(signs)]] += 1
        weighted = cls(5).fit(X, y, counts)
        repeated = cls(5).fit(X.repeat(counts, axis=0), y.repeat(counts))
        np.testing.assert_allclose(weighted.predict(X), repeated.predict(X), atol=1e-9)
        np.testing.assert_allclose(weighted.training_losses_, repeated.training_losses_)


@pytest.mark.parametrize("unit", [2.0**-600, 2.0**1000])
def test_targets_of_any_size_are_boosted_alike(unit: float) -> None:
    X, _, target = problem(1)
    plain, scaled = (GradientBoostingRegressor(5).fit(X, scale * target) for scale in (1.0, unit))
    np.testing.assert_array_equal(scaled.predict(X), unit * plain.predict(X))


def test_importances_are_shares_and_find_what_matters() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 4))
    model = GradientBoostingRegressor(20).fit(X, X[:, 2] ** 2)
    assert model.feature_importances_.sum() == pytest.approx(1.0)
    assert model.feature_importances_[2] > 0.9


def test_many_rounds_on_separable_classes_stay_finite() -> None:
    X, y = np.arange(8.0)[:, None], np.repeat([0, 1], 4)
    model = GradientBoostingClassifier(3000, learning_rate=1.0, max_depth=1).fit(X, y)
    assert np.isfinite(model.decision_function(X)).all()
    assert model.score(X, y) == 1.0
    assert (np.diff(model.training_losses_) <= 0).all()


def test_bad_input_is_refused_with_what_to_do() -> None:
    X, y = [[0.0], [1.0]], [0, 1]
    with pytest.raises(ValueError, match="learning_rate must be a positive number"):
        GradientBoostingRegressor(learning_rate=0.0).fit(X, y)
    with pytest.raises(ValueError, match="Only binary"):
        GradientBoostingClassifier().fit([[0.0], [1.0], [2.0]], [0, 1, 2])
    with pytest.raises(ValueError, match=r"X contains NaN.*drop or impute"):
        GradientBoostingRegressor().fit([[np.nan], [1.0]], y)
    with pytest.raises(ValueError, match="labels of two classes"):
        gradient_boosting(X, [1, 1], "logistic")
    with pytest.raises(ValueError, match="loss must be 'squared_error' or 'logistic'"):
        gradient_boosting(X, y, "hinge")
