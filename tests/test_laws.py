"""What must not matter to an estimator: the order of rows and columns, units, origins, names."""

from __future__ import annotations

import itertools
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mlnotes._laws import LAWS, Laws
from tests.discovery import estimators

# Classes that overlap are no failure here.
pytestmark = pytest.mark.filterwarnings("ignore::mlnotes.exceptions.ConvergenceWarning")

ESTIMATORS = estimators()


def declared(cls: type[Any]) -> Laws:
    """What an estimator declares; without a declaration it obeys nothing, which fails below."""
    return getattr(cls, "_laws", None) or Laws(grid={"": []})


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
    names = ("decision_function", "predict_proba", "score_samples", "predict", "transform")
    return getattr(model, next(name for name in names if hasattr(model, name)))(points)


def law_of(law: str) -> Callable[[Callable[..., None]], Any]:
    """Try a law on every estimator that declares it, with samples that hypothesis seeds."""
    obeying = [cls for cls in ESTIMATORS if law in declared(cls).obeyed]
    assert law in LAWS
    assert obeying

    def decorate(test: Callable[..., None]) -> Any:
        seeded = settings(max_examples=12)(given(seed=st.integers(0, 10**6))(test))
        return pytest.mark.parametrize("cls", obeying, ids=lambda cls: cls.__name__)(seeded)

    return decorate


def fitted(cls: type[Any], X: Any, y: Any) -> Any:
    return cls(**cls._laws.parameters).fit(X, y)


def assert_same(found: Any, expected: Any) -> None:
    np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-7)


@pytest.mark.parametrize("cls", ESTIMATORS, ids=lambda cls: cls.__name__)
def test_every_estimator_declares_its_laws_itself(cls: type[Any]) -> None:
    """A subclass may obey less than its parent."""
    assert "_laws" in vars(cls), (
        f"declare _laws = Laws(...) on {cls.__name__}: see mlnotes/_laws.py"
    )
    known = cls().get_params()
    for parameters in (cls._laws.parameters, cls._laws.grid, cls._laws.unfinished):
        assert set(parameters) <= set(known)


def test_a_law_that_there_is_not_is_refused_with_those_there_are() -> None:
    with pytest.raises(ValueError, match="no law colour; there are: rows, columns, unit"):
        Laws("rows", "colour", grid={"tol": [1.0]})
    with pytest.raises(ValueError, match="one parameter"):
        Laws("rows", grid={})


@law_of("rows")
def test_the_order_of_the_rows_does_not_matter(cls: type[Any], seed: int) -> None:
    X, y, rng = sample(seed)
    order = rng.permutation(len(y))
    assert_same(said(fitted(cls, X[order], y[order]), X), said(fitted(cls, X, y), X))


@law_of("columns")
def test_the_order_of_the_columns_does_not_matter(cls: type[Any], seed: int) -> None:
    X, y, rng = sample(seed)
    moved = np.ascontiguousarray(X[:, rng.permutation(X.shape[1])])
    assert_same(said(fitted(cls, moved, y), moved), said(fitted(cls, X, y), X))


@law_of("unit")
def test_the_unit_of_the_features_does_not_matter(cls: type[Any], seed: int) -> None:
    X, y, rng = sample(seed)
    scaled = X * 2.0 ** int(rng.integers(-30, 30))
    found, expected = said(fitted(cls, scaled, y), scaled), said(fitted(cls, X, y), X)
    assert_same(found, expected)


@law_of("density")
def test_the_unit_of_the_features_adds_one_constant_to_log_densities(
    cls: type[Any], seed: int
) -> None:
    X, y, rng = sample(seed)
    scaled = X * 2.0 ** int(rng.integers(-30, 30))
    found, expected = said(fitted(cls, scaled, y), scaled), said(fitted(cls, X, y), X)
    assert_same(found - found[0], expected - expected[0])


@law_of("origin")
def test_the_origin_of_the_features_does_not_matter(cls: type[Any], seed: int) -> None:
    X, y, rng = sample(seed)
    shifted = X + rng.integers(-1000, 1000, size=X.shape[1])
    assert_same(said(fitted(cls, shifted, y), shifted), said(fitted(cls, X, y), X))


# To these zero is not a place like any other: parts and counts are measured from it, and features
# cut at it or at thresholds that are given.
ORIGIN_MATTERS = {"NMF", "BernoulliMixture", "SemiSupervisedNaiveBayes", "ThresholdERM"}

# These take steps along the samples as they are given, and say that they have not arrived.
SLOWED_BY_OFFSETS = {
    *("Perceptron", "AveragedPerceptron", "BatchPerceptron", "PocketPerceptron"),
    *("DualCoordinateSVM", "SubgradientSVM"),
}


@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize(
    "cls",
    [cls for cls in ESTIMATORS if cls.__name__ not in ORIGIN_MATTERS],
    ids=lambda cls: cls.__name__,
)
def test_an_offset_beyond_all_proportion_loses_what_floats_lose_or_is_warned_of(
    cls: type[Any],
) -> None:
    rng = np.random.default_rng(3)
    X = rng.integers(-96, 97, size=(40, 3)) / 32
    y = (X.sum(axis=1) + rng.normal(size=40) > 0).astype(int)
    offset = 2.0**40 * np.array([1.0, 0.0, -1.0])
    np.testing.assert_array_equal(X + offset - offset, X)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = said(fitted(cls, X + offset, y), X + offset)
    if cls.__name__ in SLOWED_BY_OFFSETS:
        assert caught
    else:
        # Predictions are sums of products with numbers of which the last digit is 2^-12.
        np.testing.assert_allclose(found, said(fitted(cls, X, y), X), atol=2e-3)
    assert {w.filename for w in caught} <= {__file__}


@law_of("labels")
def test_which_class_is_called_the_second_does_not_matter(cls: type[Any], seed: int) -> None:
    X, y, _ = sample(seed)
    model = fitted(cls, X, 1 - y)
    found, expected = said(model, X), said(fitted(cls, X, y), X)
    if hasattr(model, "decision_function"):
        assert_same(-found, expected) if found.ndim == 1 else assert_same(found[:, ::-1], expected)
    else:
        assert_same(1 - found, expected)
