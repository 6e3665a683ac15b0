"""What must not matter to an estimator: the order of rows and columns, units, origins, names."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.discovery import estimators

# Classes that overlap are no failure here.
pytestmark = pytest.mark.filterwarnings("ignore::mlnotes.exceptions.ConvergenceWarning")

# The laws that an estimator obeys, with these parameters. What it does not obey is said beside it.
ROWS, COLUMNS, UNIT, ORIGIN, LABELS = "rows", "columns", "unit", "origin", "labels"
LAWS: dict[str, tuple[dict[str, Any], set[str]]] = {
    # Of equally good stumps the first feature wins, so that the order of the columns may decide.
    # Bootstrap samples are drawn in an order of the samples, labels included.
    "AdaBoost": ({"n_estimators": 5}, {ROWS, UNIT, ORIGIN}),
    "Cascade": ({}, {ROWS, UNIT, ORIGIN}),
    "Bagging": ({"n_estimators": 5}, {ROWS, UNIT, ORIGIN}),
    "BaggingRegressor": ({"n_estimators": 5}, {ROWS, UNIT, ORIGIN}),
    "RandomForestClassifier": ({"n_estimators": 5}, {ROWS, UNIT, ORIGIN}),
    "RandomForestRegressor": ({"n_estimators": 5}, {ROWS, UNIT, ORIGIN}),
    "DecisionStump": ({}, {ROWS, UNIT, ORIGIN}),
    "DecisionTreeClassifier": ({}, {ROWS, UNIT, ORIGIN, LABELS}),
    "DecisionTreeRegressor": ({}, {ROWS, UNIT, ORIGIN, LABELS}),
    "GradientBoostingClassifier": ({"n_estimators": 5}, {ROWS, UNIT, ORIGIN, LABELS}),
    "GradientBoostingRegressor": ({"n_estimators": 5}, {ROWS, UNIT, ORIGIN, LABELS}),
    "LeastSquares": ({}, {ROWS, COLUMNS, UNIT, ORIGIN, LABELS}),
    # A penalty is in the units of the features; a path of steps, unlike its end, has an origin.
    "GradientDescentLogisticRegression": ({"max_iter": 100}, {ROWS, COLUMNS, LABELS}),
    "LogisticRegression": ({}, {ROWS, COLUMNS, ORIGIN, LABELS}),
    "StochasticLogisticRegression": ({"max_iter": 5}, {COLUMNS, LABELS}),
    "MaximumEntropy": ({}, {ROWS, COLUMNS, UNIT, ORIGIN, LABELS}),
    # The starts are drawn from the rows; what is present is a matter of zero. Between zeros and
    # ones there are ties, and in a component that collapses upon a point: there rounding decides.
    "BernoulliMixture": ({}, {UNIT}),
    "GaussianMixture": ({"max_iter": 20, "floor": 0.1}, {COLUMNS, UNIT, ORIGIN}),
    # The grid of thresholds is in the units of the features.
    "ThresholdERM": ({}, {ROWS}),
    # The constant coordinate of the offset has a unit.
    "AveragedPerceptron": ({"max_iter": 20}, {COLUMNS, LABELS}),
    "BatchPerceptron": ({"max_iter": 20}, {ROWS, COLUMNS, LABELS}),
    "Perceptron": ({"max_iter": 20}, {COLUMNS, LABELS}),
    "PocketPerceptron": ({"max_updates": 50}, {COLUMNS, LABELS}),
    "SemiSupervisedNaiveBayes": ({}, {ROWS, COLUMNS, UNIT}),
    # A price of slack is in the units of the features; samples are visited in a random order.
    "DualCoordinateSVM": ({"max_iter": 5}, {COLUMNS, LABELS}),
    "SubgradientSVM": ({"max_iter": 5}, {COLUMNS, LABELS}),
    "LinearSVM": ({}, {ROWS, COLUMNS, ORIGIN, LABELS}),
    # The default bandwidth follows the unit, but is measured about one mean of all features.
    "KernelSVM": ({"tol": 1e-9, "bandwidth": 2.0}, {ROWS, COLUMNS, ORIGIN, LABELS}),
}
ESTIMATORS = {cls.__name__: cls for cls in estimators()}


def sample(seed: int) -> tuple[Any, Any, np.random.Generator]:
    """Points of two classes that no hyperplane separates: some far out are of both."""
    rng = np.random.default_rng(seed)
    d = int(rng.integers(1, 4))
    corners = np.array(list(itertools.product((-3.0, 3.0), repeat=d)))
    corners *= rng.uniform(1.0, 1.5, size=(len(corners), 1))
    y = np.r_[rng.permutation(np.repeat([0, 1], [8, 7])), np.repeat([0, 1], len(corners))]
    X = rng.normal(size=(15, d)) + y[:15, None] / 2
    return np.vstack([X, corners, corners]), y, rng


def said(model: Any, points: Any) -> Any:
    """What a fitted model says about points, in as much detail as it can."""
    names = ("decision_function", "predict_proba", "score_samples", "predict")
    return getattr(model, next(name for name in names if hasattr(model, name)))(points)


def obeying(law: str) -> list[str]:
    return [name for name, (_, laws) in LAWS.items() if law in laws]


def law_of(law: str) -> Callable[[Callable[..., None]], Any]:
    """Try a law on every estimator that obeys it, with samples that hypothesis seeds."""

    def decorate(test: Callable[..., None]) -> Any:
        seeded = settings(max_examples=12)(given(seed=st.integers(0, 10**6))(test))
        return pytest.mark.parametrize("name", obeying(law))(seeded)

    return decorate


def fitted(name: str, X: Any, y: Any) -> Any:
    return ESTIMATORS[name](**LAWS[name][0]).fit(X, y)


def assert_same(found: Any, expected: Any) -> None:
    np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-7)


def test_every_estimator_is_in_the_table_above() -> None:
    assert set(LAWS) == set(ESTIMATORS)


@law_of(ROWS)
def test_the_order_of_the_rows_does_not_matter(name: str, seed: int) -> None:
    X, y, rng = sample(seed)
    order = rng.permutation(len(y))
    assert_same(said(fitted(name, X[order], y[order]), X), said(fitted(name, X, y), X))


@law_of(COLUMNS)
def test_the_order_of_the_columns_does_not_matter(name: str, seed: int) -> None:
    X, y, rng = sample(seed)
    moved = np.ascontiguousarray(X[:, rng.permutation(X.shape[1])])
    assert_same(said(fitted(name, moved, y), moved), said(fitted(name, X, y), X))


@law_of(UNIT)
def test_the_unit_of_the_features_does_not_matter(name: str, seed: int) -> None:
    X, y, rng = sample(seed)
    scaled = X * 2.0 ** int(rng.integers(-30, 30))
    found, expected = said(fitted(name, scaled, y), scaled), said(fitted(name, X, y), X)
    # A density is one over the unit of every feature, the same factor for all samples.
    density = name == "GaussianMixture"
    assert_same(found - density * found[0], expected - density * expected[0])


@law_of(ORIGIN)
def test_the_origin_of_the_features_does_not_matter(name: str, seed: int) -> None:
    X, y, rng = sample(seed)
    shifted = X + rng.integers(-1000, 1000, size=X.shape[1])
    assert_same(said(fitted(name, shifted, y), shifted), said(fitted(name, X, y), X))


@law_of(LABELS)
def test_which_class_is_called_the_second_does_not_matter(name: str, seed: int) -> None:
    X, y, _ = sample(seed)
    model = fitted(name, X, 1 - y)
    found, expected = said(model, X), said(fitted(name, X, y), X)
    if hasattr(model, "decision_function"):
        assert_same(-found, expected) if found.ndim == 1 else assert_same(found[:, ::-1], expected)
    else:
        assert_same(1 - found, expected)
