"""The stump against a search through all stumps in exact arithmetic."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.tree import DecisionTreeClassifier

from mlnotes import decision_trees
from mlnotes._solvers.stumps import half_way
from mlnotes.decision_trees import DecisionStump


def all_stumps(X: Any) -> list[list[int]]:
    """The predictions of every stump on a sample, the two constants included."""
    answers = []
    for column in np.asarray(X).T:
        for value in [-math.inf, *sorted(set(column.tolist()))[:-1]]:
            above = [1 if entry > value else -1 for entry in column]
            answers += [above, [-answer for answer in above]]
    return answers


def least_error(X: Any, y: Any, weights: list[Fraction]) -> Fraction:
    """The least weighted error of any stump, exactly."""
    errors = [
        sum((w for w, h, label in zip(weights, answer, y, strict=True) if h != label), Fraction(0))
        for answer in all_stumps(X)
    ]
    return min(errors) / sum(weights)


def sample(seed: int, n: int, d: int, kind: str) -> tuple[Any, Any, list[Fraction]]:
    rng = np.random.default_rng(seed)
    X = {
        "ties": lambda: rng.integers(0, 3, size=(n, d)).astype(float),
        "floats": lambda: rng.normal(size=(n, d)),
        "offset": lambda: 1e12 + rng.normal(size=(n, d)),
        "tiny steps": lambda: np.nextafter(1.0, 2.0) ** rng.integers(0, 3, size=(n, d)),
    }[kind]()
    y = rng.choice([-1, 1], size=n)
    y[:2] = -1, 1
    return X, y, [Fraction(int(k), 8) for k in rng.integers(1, 9, size=n)]


@given(
    st.integers(0, 10**6),
    st.integers(2, 10),
    st.integers(1, 3),
    st.sampled_from(["ties", "floats", "offset", "tiny steps"]),
)
@settings(max_examples=120)
def test_no_stump_has_a_smaller_weighted_error(seed: int, n: int, d: int, kind: str) -> None:
    X, y, weights = sample(seed, n, d, kind)
    model = DecisionStump().fit(X, y, [float(w) for w in weights])
    wrong = model.predict(X) != y
    share = sum((w for w, miss in zip(weights, wrong, strict=True) if miss), Fraction(0))
    share /= sum(weights)
    assert share == least_error(X, y, weights)
    assert model.error_ == pytest.approx(float(share), abs=1e-14)
    assert model.error_ <= 0.5


@pytest.mark.parametrize("seed", range(20))
def test_cuts_by_gini_are_those_of_scikit_learns_tree(seed: int) -> None:
    rng = np.random.default_rng(seed)
    # Representable in single precision, to which scikit-learn rounds its input.
    X = rng.normal(size=(60, 4)).astype(np.float32).astype(float)
    y = np.where(X[:, 1] + rng.normal(size=60) > 0, 1, -1)
    weights = rng.exponential(size=60)
    ours = DecisionStump(criterion="gini").fit(X, y, weights)
    theirs = DecisionTreeClassifier(max_depth=1).fit(X, y, weights)
    assert ours.feature_ == theirs.tree_.feature[0]
    assert ours.threshold_ == pytest.approx(theirs.tree_.threshold[0], rel=1e-6)
    np.testing.assert_array_equal(ours.predict(X), theirs.predict(X))


def test_a_cut_by_gini_may_answer_the_same_on_both_sides() -> None:
    X = np.arange(10.0)[:, None]
    y = [1, 1, 1, 1, 1, 1, 1, 1, -1, 1]
    model = DecisionStump(criterion="gini").fit(X, y)
    assert math.isfinite(model.threshold_)
    np.testing.assert_array_equal(model.answers_, [1, 1])


@pytest.mark.parametrize(("n", "d"), [(4, 1), (5, 2), (7, 3)])
def test_labellings_are_at_most_two_for_each_cut_and_two_constants(n: int, d: int) -> None:
    X = np.random.default_rng(n).normal(size=(n, d))
    count = decision_trees.count_stumps(X)
    assert count == len({tuple(answer) for answer in all_stumps(X)})
    assert count <= 2 * d * (n - 1) + 2
    assert decision_trees.count_stumps(X[:, :1]) == 2 * n


def test_labellings_are_counted_on_equal_values_and_equal_points() -> None:
    X = [[1.0, 1.0], [1.0, 2.0], [2.0, 2.0], [2.0, 2.0]]
    assert decision_trees.count_stumps(X) == 6
    assert decision_trees.count_stumps([[3.0], [3.0]]) == 2


def test_a_threshold_never_falls_between_equal_values() -> None:
    model = DecisionStump().fit([[0.0], [1.0], [1.0], [1.0]], [-1, -1, 1, 1])
    assert model.threshold_ == 0.5
    assert model.error_ == 0.25


def test_a_threshold_separates_neighbouring_and_huge_floats() -> None:
    step = np.nextafter(1.0, 2.0)
    model = DecisionStump().fit([[1.0], [step]], [-1, 1])
    assert 1.0 <= model.threshold_ < step
    big = np.finfo(float).max
    model = DecisionStump().fit([[-big], [big]], [1, -1])
    assert model.threshold_ == 0.0
    assert model.error_ == 0.0
    assert half_way(big / 2, big) == 0.75 * big


def test_constant_features_and_one_sample_leave_the_majority() -> None:
    model = DecisionStump().fit(np.ones((5, 2)), ["b", "b", "a", "b", "a"])
    assert model.threshold_ == -math.inf
    assert model.error_ == pytest.approx(0.4)
    assert set(model.predict([[0.0, 9.0]])) == {"b"}
    heavy = DecisionStump().fit([[1.0], [2.0]], [0, 1], [1.0, 1e-320])
    assert heavy.predict([[5.0]]).tolist() == [0]


def test_of_equally_good_stumps_the_first_is_kept_whatever_the_rounding() -> None:
    rng = np.random.default_rng(0)
    column = rng.permutation(12).astype(float)
    X = np.column_stack([column, column])
    y = np.where(column >= 6, 1, -1)
    for scale in (1.0, 0.1, 1 / 3):
        model = DecisionStump().fit(X, y, np.full(12, scale))
        assert (model.feature_, model.threshold_) == (0, 5.5)
    # A constant is as good as any cut here and comes first.
    assert DecisionStump().fit([[0.0], [1.0], [2.0], [3.0]], [1, -1, 1, 1]).threshold_ == -math.inf


@pytest.mark.parametrize("light", [1e-18, 5e-16, 1e-15, 1e-14, 1e-9])
def test_an_error_is_the_least_but_for_two_units_of_rounding_a_sample(light: float) -> None:
    model = DecisionStump().fit([[0.0], [1.0]], [-1, 1], sample_weight=[light, 1.0])
    # The cut between the two points is never wrong.
    assert model.error_ <= 2 * 2 * np.finfo(float).eps
    assert (model.error_ == 0) == (light > 2 * 2 * np.finfo(float).eps)


@given(st.integers(0, 10**6))
@settings(max_examples=40)
def test_whole_weights_are_repetitions_and_zero_weights_absences(seed: int) -> None:
    rng = np.random.default_rng(seed)
    X, y, _ = sample(seed, 9, 2, "floats")
    counts = rng.integers(0, 4, size=9)
    counts[:2] += 1
    weighted = DecisionStump().fit(X, y, counts)
    repeated = DecisionStump().fit(np.repeat(X, counts, axis=0), np.repeat(y, counts))
    assert weighted.stump_ == repeated.stump_


def test_an_increasing_change_of_a_feature_changes_no_answer() -> None:
    for seed in range(10):
        X, y, _ = sample(seed, 30, 3, "floats")
        plain = DecisionStump().fit(X, y)
        cubed = DecisionStump().fit(X**3, y)
        assert plain.feature_ == cubed.feature_
        np.testing.assert_array_equal(plain.predict(X), cubed.predict(X**3))


def test_xor_leaves_every_stump_at_one_half() -> None:
    corners = list(itertools.product([0.0, 1.0], repeat=2))
    assert DecisionStump().fit(corners, [1, -1, -1, 1]).error_ == 0.5


def test_huge_weights_do_not_overflow() -> None:
    model = DecisionStump().fit([[0.0], [1.0], [2.0]], [1, 1, -1], [1e308, 1e308, 1e308])
    assert model.error_ == 0.0


def test_bad_input_is_refused_with_what_to_do() -> None:
    X, y = [[0.0], [1.0]], [0, 1]
    with pytest.raises(ValueError, match="criterion must be 'error' or 'gini', got 'entropy'"):
        DecisionStump(criterion="entropy").fit(X, y)
    with pytest.raises(ValueError, match="must not be negative"):
        DecisionStump().fit(X, y, [1.0, -1.0])
    with pytest.raises(ValueError, match="two classes"):
        DecisionStump().fit(X, [1, 1])
    with pytest.raises(ValueError, match="Only binary"):
        DecisionStump().fit([[0.0], [1.0], [2.0]], [0, 1, 2])
    with pytest.raises(ValueError, match="NaN"):
        DecisionStump().fit([[np.nan], [1.0]], y)


@pytest.mark.parametrize("seed", range(60))
def test_the_estimator_finds_the_stump_of_the_chapter(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n, d = int(rng.integers(2, 30)), int(rng.integers(1, 4))
    X = rng.normal(size=(n, d)).round(1)
    y = np.append([-1, 1], rng.choice([-1, 1], size=n - 2))
    weights = rng.uniform(0.1, 1.0, size=n) if seed % 2 else None
    feature, threshold, sign = decision_trees.best_stump(X, y, weights)
    model = DecisionStump().fit(X, y, weights)
    answers = np.where(X[:, feature] > threshold, sign, -sign)
    np.testing.assert_array_equal(model.decision_function(X), answers)
    assert model.threshold_ == threshold
