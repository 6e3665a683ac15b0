"""Labelled and unlabelled points together: counting where labels are known, EM where not."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import logsumexp
from sklearn.naive_bayes import BernoulliNB

from mlnotes.exceptions import ConvergenceWarning
from mlnotes.semi_supervised import SemiSupervisedNaiveBayes

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
