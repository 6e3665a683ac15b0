"""Stumps against a search through all of them, trees against brute force and scikit-learn."""

from __future__ import annotations

import dataclasses
import functools
import itertools
import math
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.tree import DecisionTreeClassifier as ReferenceClassifier
from sklearn.tree import DecisionTreeRegressor as ReferenceRegressor

from mlnotes import decision_trees
from mlnotes._solvers import trees
from mlnotes._solvers.stumps import midpoint
from mlnotes.decision_trees import (
    DecisionStump,
    DecisionTreeClassifier,
    DecisionTreeRegressor,
    Node,
    Split,
    best_split,
    cart,
    gini,
    split_accuracy,
)


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
    theirs = ReferenceClassifier(max_depth=1).fit(X, y, weights)
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
    assert midpoint(big / 2, big) == 0.75 * big


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


# Trees.

CRITERIA = ("gini", "entropy", "squared_error")
MODES = {
    "compiled": lambda monkeypatch: None,
    "by levels": lambda monkeypatch: monkeypatch.setattr(trees._growing, "compiles", lambda: False),
    "plain loops": lambda monkeypatch: monkeypatch.setattr(
        trees._growing, "grow_by_loops", trees._growing.grow_by_loops.__wrapped__
    ),
}


@pytest.fixture(params=MODES)
def mode(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Every way to grow a tree; without numba the loops are asked for all the same."""
    monkeypatch.setattr(trees._growing, "compiles", lambda: True)
    MODES[request.param](monkeypatch)
    return str(request.param)


def problem(seed: int, criterion: str) -> tuple[Any, Any, dict[str, Any]]:
    """Samples with some equal values, labels of three classes or targets, and limits of a tree."""
    rng = np.random.default_rng(seed)
    n, d = int(rng.integers(2, 40)), int(rng.integers(1, 5))
    X = rng.normal(size=(n, d)).round(int(rng.integers(0, 3)))
    y = rng.integers(0, 3, size=n)
    y[:2] = 0, 1
    limits = {"max_depth": int(rng.integers(1, 8)), "min_samples_leaf": int(rng.integers(1, 4))}
    return X, rng.normal(size=n).round(1) if criterion == "squared_error" else y, limits


def estimator(criterion: str, **parameters: Any) -> Any:
    if criterion == "squared_error":
        return DecisionTreeRegressor(**parameters)
    return DecisionTreeClassifier(criterion=criterion, **parameters)


def reference(criterion: str, **parameters: Any) -> Any:
    if criterion == "squared_error":
        return ReferenceRegressor(random_state=0, **parameters)
    return ReferenceClassifier(criterion=criterion, random_state=0, **parameters)


def listed(node: Node) -> list[tuple[int, float, int]]:
    """The nodes in preorder: feature, threshold, samples."""
    if node.is_leaf:
        return [(-1, 0.0, node.n_samples)]
    assert node.left is not None
    assert node.right is not None
    first = (int(node.feature or 0), node.threshold, node.n_samples)
    return [first, *listed(node.left), *listed(node.right)]


def listed_arrays(tree: Any) -> list[tuple[int, float, int]]:
    arrays = (tree.feature, tree.threshold, tree.n_samples)
    return list(zip(*(array.tolist() for array in arrays), strict=True))


@pytest.mark.parametrize("criterion", CRITERIA)
@pytest.mark.parametrize("seed", range(60))
def test_the_estimator_grows_the_tree_of_the_chapter(seed: int, criterion: str) -> None:
    X, y, limits = problem(seed, criterion)
    model, tree = estimator(criterion, **limits).fit(X, y), cart(X, y, criterion, **limits)
    assert listed_arrays(model.tree_) == listed(tree)
    np.testing.assert_allclose(model.predict(X), decision_trees.tree_predict(tree, X), atol=1e-14)


def test_every_way_to_grow_a_tree_finds_the_same(mode: str) -> None:
    for seed in range(90):
        rng = np.random.default_rng(seed)
        criterion = CRITERIA[seed % 3]
        X, y, limits = problem(seed, criterion)
        weights = (None, rng.integers(1, 4, size=len(y)), rng.exponential(size=len(y)))[
            seed // 3 % 3
        ]
        limits["max_features"] = int(rng.integers(1, X.shape[1] + 1))
        tree = estimator(criterion, random_state=seed, **limits).fit(X, y, weights).tree_
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(trees._growing, "compiles", lambda: False)
            other = estimator(criterion, random_state=seed, **limits).fit(X, y, weights).tree_
        assert listed_arrays(tree) == listed_arrays(other)
        for left, right in zip(tree, other, strict=True):
            np.testing.assert_allclose(left, right, rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("weighted", [False, True])
def test_a_cut_that_is_left_out_by_the_bound_of_the_entropy_is_not_better(
    weighted: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Large nodes, where most cuts are left out; by levels every gain is computed."""
    for seed in range(3):
        rng = np.random.default_rng(seed)
        X = rng.normal(size=(240, 3))
        y = np.digitize(X[:, 0] + X[:, 1] * X[:, 2] + rng.normal(size=240), [-1.0, 0.5, 2.0])
        weights = rng.exponential(size=240) ** 2 if weighted else None
        grown = []
        for by_loops in (True, False):
            monkeypatch.setattr(trees._growing, "compiles", lambda by_loops=by_loops: by_loops)
            tree = DecisionTreeClassifier(criterion="entropy").fit(X, y, weights).tree_
            grown.append(listed_arrays(tree))
        assert grown[0] == grown[1]


@pytest.mark.parametrize("criterion", ["gini", "entropy"])
@pytest.mark.parametrize("n_classes", [3, 9, 300])
def test_counting_finds_the_cuts_that_sums_over_each_class_find(
    n_classes: int, criterion: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By levels equal weights are counted; with a weight of 2 each class is summed by itself."""
    rng = np.random.default_rng(n_classes)
    X = rng.normal(size=(900, 3)).round(1)
    y = np.append(rng.integers(0, n_classes, size=900 - n_classes), np.arange(n_classes))
    y[: len(y) // 3] = 1  # rare classes beside a frequent one
    rng.shuffle(y)
    by_loops = DecisionTreeClassifier(criterion=criterion).fit(X, y).tree_
    monkeypatch.setattr(trees._growing, "compiles", lambda: False)
    counted = DecisionTreeClassifier(criterion=criterion).fit(X, y).tree_
    summed = DecisionTreeClassifier(criterion=criterion).fit(X, y, np.full(900, 2.0)).tree_
    assert listed_arrays(counted) == listed_arrays(summed) == listed_arrays(by_loops)
    np.testing.assert_allclose(counted.impurity, summed.impurity, atol=1e-12)


def test_large_nodes_of_a_forests_tree_are_sorted_right(mode: str) -> None:
    rng = np.random.default_rng(0)
    # Ranks of more than eight bits, and nodes longer than what is sorted by insertion.
    X, y = rng.normal(size=(300, 4)), rng.normal(size=300)
    limits = {"max_features": 2, "max_depth": 4, "random_state": 3}
    tree = DecisionTreeRegressor(**limits).fit(X, y).tree_
    for node in np.flatnonzero(tree.feature >= 0):
        inside = reaching(tree, X, node)
        found = best_split(X[inside][:, [tree.feature[node]]], y[inside], "squared_error")
        assert found is not None
        assert found.threshold == tree.threshold[node]


def reaching(tree: Any, X: Any, node: int) -> Any:
    """Which samples come through a node."""
    parents = {
        int(child): t
        for t, pair in enumerate(zip(tree.left, tree.right, strict=True))
        for child in pair
        if child >= 0
    }
    inside = np.ones(len(X), dtype=bool)
    while node in parents:
        parent = parents[node]
        below = X[:, tree.feature[parent]] <= tree.threshold[parent]
        inside &= below if tree.left[parent] == node else ~below
        node = parent
    return inside


def decrease(X: Any, y: Any, feature: int, threshold: float, criterion: str) -> float:
    below = X[:, feature] <= threshold
    loss = decision_trees.node_loss
    return loss(y, criterion) - loss(y[below], criterion) - loss(y[~below], criterion)


def assert_same_up_to_ties(ours: Any, theirs: Any, X: Any, y: Any, criterion: str) -> int:
    """Walk down two trees at once; where the cuts differ they must be equally good. Count nodes."""
    stack, same = [(0, 0, np.arange(len(y)))], 0
    while stack:
        a, b, rows = stack.pop()
        cut, other = int(ours.feature[a]), max(int(theirs.feature[b]), -1)
        assert (cut < 0) == (other < 0)
        if cut < 0:
            np.testing.assert_allclose(ours.value[a], theirs.value[b].ravel(), atol=1e-12)
            continue
        below = X[rows, cut] <= ours.threshold[a]
        other_below = X[rows, other] <= theirs.threshold[b]
        if (below == other_below).all():
            same += 1
            stack.append((ours.left[a], theirs.children_left[b], rows[below]))
            stack.append((ours.right[a], theirs.children_right[b], rows[~below]))
            continue
        here = (X[rows], y[rows])
        first = decrease(*here, cut, ours.threshold[a], criterion)
        second = decrease(*here, other, theirs.threshold[b], criterion)
        assert first == pytest.approx(second, rel=1e-9, abs=1e-9)
    return same


@pytest.mark.parametrize("criterion", CRITERIA)
@pytest.mark.parametrize("limits", [{}, {"max_depth": 5}, {"min_samples_leaf": 7}], ids=str)
def test_trees_are_those_of_scikit_learn_up_to_ties(criterion: str, limits: dict[str, Any]) -> None:
    for seed in range(8):
        rng = np.random.default_rng(seed)
        # Representable in single precision, to which scikit-learn rounds its input.
        X = rng.normal(size=(300, 5)).astype(np.float32).astype(float)
        signal = np.sin(2 * X[:, 0]) + X[:, 1] * X[:, 2] + rng.normal(size=300) / 2
        y = signal if criterion == "squared_error" else np.digitize(signal, [-0.5, 0.5])
        y = y if seed % 2 or criterion == "squared_error" else (signal > 0).astype(int)
        ours = estimator(criterion, **limits).fit(X, y).tree_
        theirs = reference(criterion, **limits).fit(X, y).tree_
        assert assert_same_up_to_ties(ours, theirs, X, y, criterion) >= 3


def test_a_different_tree_is_told_from_one_with_ties() -> None:
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(100, 3)), rng.normal(size=100)
    ours = DecisionTreeRegressor(max_depth=3).fit(X, y).tree_
    theirs = ReferenceRegressor(max_depth=3).fit(X, -y * X[:, 0]).tree_
    with pytest.raises(AssertionError):
        assert_same_up_to_ties(ours, theirs, X, y, "squared_error")


@pytest.mark.parametrize("criterion", CRITERIA)
def test_no_cut_is_better_than_the_best_by_brute_force(criterion: str) -> None:
    for seed in range(40):
        X, y, _ = problem(seed, criterion)
        values = [
            decrease(X, y, k, threshold, criterion)
            for k in range(X.shape[1])
            for threshold in decision_trees.candidate_thresholds(X[:, k])
        ]
        found = best_split(X, y, criterion)
        if found is None:
            assert not values
            continue
        assert found.decrease == pytest.approx(max(values), abs=1e-12)
        assert decrease(X, y, found.feature, found.threshold, criterion) == pytest.approx(
            found.decrease, abs=1e-12
        )


def test_every_sample_reaches_exactly_one_leaf_and_no_path_is_longer_than_the_depth() -> None:
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(80, 3)), rng.integers(0, 2, size=80)
    model = DecisionTreeClassifier(max_depth=5).fit(X, y)
    tree, new = model.tree_, rng.normal(size=(200, 3))
    leaves = np.flatnonzero(tree.feature < 0)
    inside = np.array([reaching(tree, new, leaf) for leaf in leaves])
    np.testing.assert_array_equal(inside.sum(axis=0), 1)
    np.testing.assert_array_equal(leaves[inside.argmax(axis=0)], model.apply(new))
    assert model.depth_ == 5
    assert model.n_leaves_ == len(leaves)
    counts = np.bincount(model.apply(X), minlength=tree.n_nodes)
    np.testing.assert_array_equal(counts[leaves], tree.n_samples[leaves])


def test_walking_down_without_a_compiler_reaches_the_same_leaves(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(80, 3)), rng.normal(size=80)
    model = DecisionTreeRegressor().fit(X, y)
    compiled = model.apply(X)
    monkeypatch.setattr(trees._growing, "compiles", lambda: False)
    np.testing.assert_array_equal(model.apply(X), compiled)
    plain = trees._growing.find_leaves_by_loops.__wrapped__
    np.testing.assert_array_equal(plain(X, *model.tree_[:4]), compiled)


def test_limits_are_kept_in_every_node() -> None:
    rng = np.random.default_rng(2)
    X, y = rng.normal(size=(200, 3)).round(1), rng.integers(0, 3, size=200)
    tree = DecisionTreeClassifier(min_samples_split=20, min_samples_leaf=4).fit(X, y).tree_
    inner = tree.feature >= 0
    assert tree.n_samples[inner].min() >= 20
    assert tree.n_samples[~inner].min() >= 4
    assert (
        tree.n_samples[inner]
        == tree.n_samples[tree.left[inner]] + tree.n_samples[tree.right[inner]]
    ).all()


@pytest.mark.parametrize("seed", range(20))
def test_the_full_tree_makes_as_few_mistakes_as_any_function_of_the_features(seed: int) -> None:
    rng = np.random.default_rng(seed)
    X, y = rng.integers(0, 2, size=(60, 3)).astype(float), rng.integers(0, 3, size=60)
    y[:2] = 0, 1
    _, cell = np.unique(X, axis=0, return_inverse=True)
    right = sum(np.bincount(y[cell == c]).max() for c in range(cell.max() + 1))
    for criterion in ("gini", "entropy"):
        model = DecisionTreeClassifier(criterion=criterion).fit(X, y)
        assert round(model.score(X, y) * 60) == right
    target = rng.normal(size=60)
    means = np.array([target[cell == c].mean() for c in range(cell.max() + 1)])
    np.testing.assert_allclose(DecisionTreeRegressor().fit(X, target).predict(X), means[cell])


def test_xor_has_no_first_cut_that_gains_and_a_spurious_feature_goes_first() -> None:
    corners = np.array(list(itertools.product([0.0, 1.0], repeat=2)))
    y = [0, 1, 1, 0]
    assert best_split(corners, y) == Split(0, 0.5, 0.0)
    model = DecisionTreeClassifier().fit(corners, y)
    assert (model.depth_, model.score(corners, y)) == (2, 1.0)
    noisy = np.column_stack([corners, [0.3, 0.2, 0.1, 0.4]])
    assert DecisionTreeClassifier().fit(noisy, y).tree_.feature[0] == 2
    for k in range(2):
        assert split_accuracy(decision_trees.class_counts(corners[:, k], y)) == 0.5


def test_increasing_changes_of_the_features_change_no_answer() -> None:
    for seed in range(10):
        X, y, _ = problem(seed, "gini")
        plain, cubed = (DecisionTreeClassifier().fit(points, y) for points in (X, X**3))
        np.testing.assert_array_equal(plain.apply(X), cubed.apply(X**3))


@pytest.mark.parametrize("criterion", CRITERIA)
@pytest.mark.parametrize("seed", range(15))
def test_whole_weights_are_repetitions_for_trees_too(seed: int, criterion: str) -> None:
    X, y, limits = problem(seed, criterion)
    counts = np.random.default_rng(seed).integers(0, 4, size=len(y))
    counts[:2] += 1
    limits.pop("min_samples_leaf")  # counts samples, and a repeated one is several
    weighted = estimator(criterion, **limits).fit(X, y, counts)
    repeated = estimator(criterion, **limits).fit(X.repeat(counts, axis=0), y.repeat(counts))
    np.testing.assert_allclose(weighted.tree_.weight, repeated.tree_.n_samples)
    np.testing.assert_allclose(weighted.predict(X), repeated.predict(X), atol=1e-13)
    np.testing.assert_allclose(weighted.tree_.impurity, repeated.tree_.impurity, atol=1e-13)


def prunings(node: Node) -> Iterator[Node]:
    """Every tree that is left when some nodes become leaves."""
    yield dataclasses.replace(node, feature=None, left=None, right=None)
    if node.left is not None and node.right is not None:
        for left, right in itertools.product(prunings(node.left), prunings(node.right)):
            yield dataclasses.replace(node, left=left, right=right)


def cost(tree: Node, alpha: float) -> tuple[float, int]:
    leaves = decision_trees.tree_leaves(tree)
    loss = sum(leaf.loss for leaf in leaves) / tree.n_samples
    return round(loss + alpha * len(leaves), 12), len(leaves)


@pytest.mark.parametrize("criterion", CRITERIA)
@pytest.mark.parametrize("seed", range(20))
def test_no_pruned_tree_costs_less_by_brute_force(seed: int, criterion: str) -> None:
    rng = np.random.default_rng(seed)
    X, y, _ = problem(seed, criterion)
    X, y = X[:14], y[:14]
    tree = cart(X, y, criterion, max_depth=4)
    all_of_them = list(prunings(tree))
    path = estimator(criterion, max_depth=4).cost_complexity_pruning_path(X, y)
    between = (path.ccp_alphas[1:] + path.ccp_alphas[:-1]) / 2
    for alpha in [*rng.uniform(1e-3, 0.3, size=4), *between[between > 1e-9]]:
        best = min(cost(pruned, alpha) for pruned in all_of_them)
        assert cost(decision_trees.prune(tree, alpha), alpha) == best
        model = estimator(criterion, max_depth=4, ccp_alpha=alpha).fit(X, y)
        loss = model.tree_.weight @ np.where(model.tree_.feature < 0, model.tree_.impurity, 0.0)
        assert model.n_leaves_ == best[1]
        assert loss / len(y) + alpha * model.n_leaves_ == pytest.approx(best[0], abs=1e-11)


@pytest.mark.parametrize("criterion", CRITERIA)
def test_the_pruning_path_is_that_of_the_chapter_and_of_scikit_learn(criterion: str) -> None:
    for seed in range(20):
        X, y, limits = problem(seed, criterion)
        X = X.astype(np.float32).astype(float)
        path = estimator(criterion, **limits).cost_complexity_pruning_path(X, y)
        slow = decision_trees.cost_complexity_path(cart(X, y, criterion, **limits))
        np.testing.assert_allclose(path.ccp_alphas, [alpha for alpha, _ in slow], atol=1e-12)
        sizes = [len(decision_trees.tree_leaves(pruned)) for _, pruned in slow]
        assert path.n_leaves.tolist() == sizes
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 4)).astype(np.float32).astype(float)
    target = X[:, 0] + rng.normal(size=200)
    y = target if criterion == "squared_error" else np.digitize(target, [-0.5, 0.5])
    # Large leaves: between them there are no ties, which scikit-learn would break by lot.
    ours = estimator(criterion, min_samples_leaf=8).cost_complexity_pruning_path(X, y)
    theirs = reference(criterion, min_samples_leaf=8).cost_complexity_pruning_path(X, y)
    # Its entropy is in bits.
    unit = math.log(2) if criterion == "entropy" else 1.0
    np.testing.assert_allclose(ours.ccp_alphas, unit * theirs.ccp_alphas, atol=1e-12)
    np.testing.assert_allclose(ours.impurities, unit * theirs.impurities, atol=1e-12)


def test_a_tree_pruned_at_a_price_of_the_path_has_the_leaves_of_the_path() -> None:
    random = np.random.default_rng(0)
    X = random.uniform(size=(150, 1))
    y = np.sin(2 * np.pi * X[:, 0]) + random.normal(scale=0.4, size=150)
    path = DecisionTreeRegressor().cost_complexity_pruning_path(X, y)
    pruned = [DecisionTreeRegressor(ccp_alpha=a).fit(X, y).n_leaves_ for a in path.ccp_alphas]
    assert pruned == path.n_leaves.tolist()


@pytest.mark.parametrize("criterion", ["gini", "squared_error"])
@pytest.mark.parametrize("seed", range(20))
def test_no_pruned_tree_loses_less_on_a_second_sample_by_brute_force(
    seed: int, criterion: str
) -> None:
    X, y, _ = problem(seed, criterion)
    rng = np.random.default_rng(seed)
    X, y = X[:14], y[:14]
    new, truth = rng.normal(size=(25, X.shape[1])), rng.permutation(np.resize(y, 25))
    tree = cart(X, y, criterion, max_depth=4)
    squared = criterion == "squared_error"

    def lost(pruned: Node) -> tuple[float, int]:
        answers = decision_trees.tree_predict(pruned, new)
        wrong = (answers - truth) ** 2 if squared else answers != truth
        return round(float(np.sum(wrong)), 10), len(decision_trees.tree_leaves(pruned))

    best = min(map(lost, prunings(tree)))
    pruned = decision_trees.reduced_error_pruning(
        tree, new, truth, "squared_error" if squared else "zero_one"
    )
    assert lost(pruned)[0] == best[0]
    model = estimator(criterion, max_depth=4).fit(X, y).prune(new, truth)
    assert listed_arrays(model.tree_) == listed(pruned)
    if not squared:
        # A sample with ties has a smallest of the best trees, and that is the one.
        assert lost(pruned) == best


@pytest.mark.parametrize("criterion", CRITERIA)
def test_importances_are_scikit_learns_and_sum_to_one(criterion: str) -> None:
    rng = np.random.default_rng(3)
    X = rng.normal(size=(200, 4)).astype(np.float32).astype(float)
    target = X[:, 0] + X[:, 1] * X[:, 2] + rng.normal(size=200) / 4
    y = target if criterion == "squared_error" else np.digitize(target, [-0.5, 0.5])
    weights = rng.integers(1, 3, size=200)
    ours = estimator(criterion, min_samples_leaf=8).fit(X, y, weights).feature_importances_
    theirs = reference(criterion, min_samples_leaf=8).fit(X, y, weights).feature_importances_
    np.testing.assert_allclose(ours, theirs, atol=1e-10)
    assert ours.sum() == pytest.approx(1.0)
    flat = estimator(criterion).fit(np.ones((4, 2)), [0, 0, 1, 1])
    np.testing.assert_array_equal(flat.feature_importances_, [0.0, 0.0])


@pytest.mark.parametrize("unit", [2.0**-1040, 2.0**-600, 1.0, 2.0**1000])
def test_targets_of_any_size_have_the_same_tree(unit: float) -> None:
    X, y, limits = problem(4, "squared_error")
    y = np.round(8 * y)
    plain = DecisionTreeRegressor(**limits).fit(X, y)
    scaled = DecisionTreeRegressor(**limits).fit(X, unit * y)
    assert listed_arrays(scaled.tree_) == listed_arrays(plain.tree_)
    np.testing.assert_allclose(scaled.predict(X) / unit, plain.predict(X), rtol=1e-4, atol=1e-9)
    pruned = DecisionTreeRegressor(ccp_alpha=1e300).fit(X, y)
    assert pruned.n_leaves_ == 1


def test_an_offset_of_the_targets_changes_no_cut() -> None:
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 2)), rng.integers(-5, 5, size=60).astype(float)
    plain, moved = (DecisionTreeRegressor(max_depth=4).fit(X, y + c) for c in (0.0, 2.0**40))
    assert listed_arrays(plain.tree_) == listed_arrays(moved.tree_)


@pytest.mark.parametrize("scale", [1e-320, 1e-300, 1.0, 1e307])
def test_weights_of_any_size_have_the_same_tree(scale: float, mode: str) -> None:
    X, y, _ = problem(5, "gini")
    weights = np.random.default_rng(0).integers(1, 5, size=len(y))
    plain = DecisionTreeClassifier(max_depth=3).fit(X, y, weights)
    scaled = DecisionTreeClassifier(max_depth=3).fit(X, y, scale * weights)
    assert listed_arrays(scaled.tree_) == listed_arrays(plain.tree_)


@pytest.mark.parametrize("criterion", CRITERIA)
def test_a_weight_below_rounding_divides_by_nothing(criterion: str, mode: str) -> None:
    X, y = [[0.0], [1.0], [2.0], [3.0]], [0, 1, 2, 1]
    model = estimator(criterion).fit(X, y, [1.0, 1e-20, 1e-25, 1.0])
    np.testing.assert_allclose(model.predict(X), y)


def test_thresholds_of_trees_separate_neighbouring_and_huge_floats(mode: str) -> None:
    step, big = np.nextafter(1.0, 2.0), np.finfo(float).max
    assert DecisionTreeClassifier().fit([[1.0], [step]], [0, 1]).tree_.threshold[0] == 1.0
    assert DecisionTreeClassifier().fit([[-big], [big]], [0, 1]).tree_.threshold[0] == 0.0
    assert DecisionTreeRegressor().fit([[big / 2], [big]], [0, 1]).tree_.threshold[0] == 0.75 * big
    np.testing.assert_array_equal(decision_trees.candidate_thresholds([1.0, step]), [1.0])


def test_one_sample_and_constant_features_leave_one_leaf(mode: str) -> None:
    assert DecisionTreeRegressor().fit([[1.0, 2.0]], [7.0]).predict([[0.0, 0.0]]) == [7.0]
    model = DecisionTreeClassifier().fit(np.ones((5, 2)), ["b", "b", "a", "b", "a"])
    assert (model.n_leaves_, model.depth_) == (1, 0)
    np.testing.assert_allclose(model.predict_proba([[0.0, 0.0]]), [[0.4, 0.6]])
    assert model.predict([[0.0, 0.0]]).tolist() == ["b"]


def test_a_leaf_without_a_majority_answers_the_first_class() -> None:
    model = DecisionTreeClassifier().fit(np.ones((2, 1)), ["b", "a"])
    assert model.predict([[1.0]]).tolist() == ["a"]


def test_random_features_are_drawn_from_all_and_repeated_by_a_seed() -> None:
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(50, 5)), rng.normal(size=50)
    fit = DecisionTreeRegressor(max_features=1, max_depth=1, random_state=None)
    roots = [fit.set_params(random_state=s).fit(X, y).tree_.feature[0] for s in range(400)]
    # Each of five with probability 1/5: five standard deviations are 40 of 400.
    assert np.abs(np.bincount(roots, minlength=5) - 80).max() <= 40
    one, two = (DecisionTreeRegressor(max_features=2, random_state=7).fit(X, y) for _ in range(2))
    assert listed_arrays(one.tree_) == listed_arrays(two.tree_)
    other = DecisionTreeRegressor(max_features=2, random_state=8).fit(X, y)
    assert listed_arrays(one.tree_) != listed_arrays(other.tree_)


def test_a_node_whose_drawn_features_are_constant_tries_others(mode: str) -> None:
    X = np.column_stack([np.ones((6, 4)), np.arange(6.0)])
    for seed in range(5):
        model = DecisionTreeClassifier(max_features=1, random_state=seed).fit(X, [0, 1] * 3)
        assert model.score(X, [0, 1] * 3) == 1.0


def test_the_number_of_features_tried_follows_its_name() -> None:
    tried = trees._growing.features_to_try
    assert [tried(m, 20) for m in (None, "sqrt", "log2", 3, 1.0, 0.5, 0.01)] == [
        *(20, 4, 4, 3, 20, 10, 1)
    ]
    with pytest.raises(ValueError, match="max_features must be at most the number of features, 1"):
        DecisionTreeRegressor(max_features=2).fit([[1.0]], [1.0])
    with pytest.raises(ValueError, match=r"max_features must be .* pass a number of features"):
        DecisionTreeRegressor(max_features="all").fit([[1.0]], [1.0])


def test_missing_values_are_refused_with_what_to_do() -> None:
    for model in (DecisionTreeClassifier(), DecisionTreeRegressor()):
        with pytest.raises(ValueError, match=r"X contains NaN.*drop or impute"):
            model.fit([[np.nan], [1.0]], [0, 1])
        fitted = model.fit([[0.0], [1.0]], [0, 1])
        with pytest.raises(ValueError, match=r"X contains NaN.*drop or impute"):
            fitted.predict([[np.nan]])
        with pytest.raises(ValueError, match="inconsistent numbers of samples"):
            fitted.prune([[0.0]], [0, 1])


def test_a_pruned_regression_tree_predicts_noise_better_than_the_full_one() -> None:
    rng = np.random.default_rng(0)
    X, new = rng.uniform(-3, 3, size=(400, 1)), rng.uniform(-3, 3, size=(2000, 1))
    y = np.sin(X[:, 0]) + rng.normal(size=400) / 2
    full = DecisionTreeRegressor().fit(X[:300], y[:300])
    np.testing.assert_allclose(full.predict(X[:300]), y[:300], atol=1e-14)
    error = np.mean((full.predict(new) - np.sin(new[:, 0])) ** 2)
    pruned = full.prune(X[300:], y[300:])
    assert np.mean((pruned.predict(new) - np.sin(new[:, 0])) ** 2) < error / 3


# The plain functions.


@pytest.mark.parametrize("n_classes", [2, 3, 5])
def test_impurities_vanish_for_one_class_and_are_greatest_for_equal_shares(n_classes: int) -> None:
    pure, equal = np.eye(n_classes)[0], np.ones(n_classes)
    assert gini(pure) == decision_trees.entropy(pure) == 0
    assert gini(equal) == pytest.approx(1 - 1 / n_classes)
    assert decision_trees.entropy(equal) == pytest.approx(math.log(n_classes))
    others = np.random.default_rng(0).dirichlet(equal, size=200)
    assert gini(others).max() < gini(equal)
    assert decision_trees.entropy(others).max() < math.log(n_classes)


@given(st.integers(0, 10**6))
def test_no_split_increases_the_impurity(seed: int) -> None:
    rng = np.random.default_rng(seed)
    counts = rng.integers(0, 9, size=(int(rng.integers(1, 5)), int(rng.integers(1, 5))))
    counts[0, 0] += 1
    for impurity in (gini, decision_trees.entropy):
        assert decision_trees.impurity_decrease(counts, impurity) >= -1e-15
    assert split_accuracy(counts) >= counts.sum(axis=0).max() / counts.sum()


def test_the_gain_ratio_ranks_an_identity_below_a_good_question() -> None:
    bits = functools.partial(decision_trees.entropy, base=2)
    identity, question = np.repeat(np.eye(2), 7, axis=0), [[6, 1], [1, 6]]
    gains = [decision_trees.impurity_decrease(table, bits) for table in (question, identity)]
    assert gains == pytest.approx([0.408, 1.0], abs=5e-4)
    ratios = [decision_trees.gain_ratio(table) for table in (question, identity)]
    assert ratios == pytest.approx([0.408, 0.263], abs=5e-4)
    one, two = [[1, 4], [7, 4]], [[0, 1], [8, 7]]
    assert [decision_trees.impurity_decrease(table, bits) for table in (one, two)] == pytest.approx(
        [0.124, 0.066], abs=5e-4
    )
    assert list(map(decision_trees.gain_ratio, (one, two))) == pytest.approx(
        [0.139, 0.194], abs=5e-4
    )
    assert decision_trees.gain_ratio([[3, 4]]) == 0.0


def test_a_useless_coin_improves_the_training_accuracy_in_19_of_64_cases() -> None:
    assert split_accuracy(decision_trees.class_counts([1, 0, 0, 0], [1, 0, 0, 1])) == 0.75
    better = 0
    for tosses in itertools.product([0, 1], repeat=8):
        feature, label = tosses[:4], tosses[4:]
        baseline = max(sum(label), 4 - sum(label)) / 4
        better += split_accuracy(decision_trees.class_counts(feature, label)) > baseline
    assert Fraction(better, 2**8) == Fraction(19, 64)


def test_the_days_for_playing() -> None:
    labels = ["play"] * 5 + ["rest"] * 3
    assert decision_trees.majority_label(labels) == "play"
    assert split_accuracy([[4, 1], [1, 2]]) == 0.75
    assert split_accuracy([[2, 2], [3, 1]]) == 0.625


@given(st.lists(st.integers(-9, 9), min_size=1), st.lists(st.integers(-9, 9), min_size=1))
def test_a_split_decreases_the_squared_error_by_the_difference_of_the_means(
    left: list[int], right: list[int]
) -> None:
    loss = decision_trees.squared_error
    found = decision_trees.squared_error_decrease(left, right)
    assert found == pytest.approx(loss(left + right) - loss(left) - loss(right), abs=1e-9)
    assert loss(left) == pytest.approx(len(left) * np.var(left), abs=1e-9)


def test_the_mean_makes_the_loss_of_a_cell_least() -> None:
    rng = np.random.default_rng(0)
    # A function on a grid of 1000 points, in five cells of equal mass.
    f = rng.normal(size=1000)
    moments, masses = f.reshape(5, 200).sum(axis=1) / 1000, np.full(5, 0.2)
    means, second = moments / masses, np.mean(f**2)
    direct = np.mean((f - np.repeat(means, 200)) ** 2)
    assert decision_trees.population_loss(means, moments, masses, second) == pytest.approx(direct)
    for change in rng.normal(size=(20, 5)):
        assert decision_trees.population_loss(means + change, moments, masses, second) > direct
    assert decision_trees.leaf_mean([1.0, 2.0, 6.0], [1, 1, 2]) == 3.75


def inconsistent(X: Any, y: Any) -> bool:
    pairs = itertools.combinations(zip(X, y, strict=True), 2)
    return any((a == b).all() and p != q for (a, p), (b, q) in pairs)


@pytest.mark.parametrize("score", [split_accuracy, decision_trees.gain_ratio])
@pytest.mark.parametrize("seed", range(50))
def test_a_categorical_tree_is_wrong_only_where_equal_samples_have_different_labels(
    seed: int, score: Any
) -> None:
    rng = np.random.default_rng(seed)
    n, d = int(rng.integers(2, 15)), int(rng.integers(1, 4))
    X, y = rng.integers(0, 5, size=(n, d)), rng.integers(0, 2, size=n)
    tree = decision_trees.categorical_tree(X, y, score)
    assert tree.depth <= d
    answers = np.array([tree(x) for x in X.tolist()])
    _, cell = np.unique(X, axis=0, return_inverse=True)
    right = sum(np.bincount(y[cell == c]).max() for c in range(cell.max() + 1))
    assert (answers == y).sum() == right
    assert (right < n) == inconsistent(X, y)


def test_the_order_of_the_stack_does_not_change_the_tree(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nodes are cut one by one, whichever is next: by levels or in preorder."""
    X, y, _ = problem(11, "gini")
    tree = DecisionTreeClassifier().fit(X, y).tree_
    monkeypatch.setattr(trees._growing, "compiles", lambda: False)
    assert listed_arrays(DecisionTreeClassifier().fit(X, y).tree_) == listed_arrays(tree)
    assert listed(cart(X, y)) == listed_arrays(tree)
