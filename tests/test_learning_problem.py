"""Risks as expectations, no free lunch for every learner, and what dimension does to distances."""

from __future__ import annotations

import itertools
from fractions import Fraction

import numpy as np
import pytest

from mlnotes.bayes_decisions import risk
from mlnotes.learning_problem import (
    Memoriser,
    absolute_loss,
    active_threshold,
    boundary_share,
    distance_contrast,
    empirical_risk,
    generalisation_gap,
    margin_loss,
    no_free_lunch_average,
    squared_loss,
    true_risk,
    zero_one_loss,
)

SEEDS = range(50)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_empirical_risk_of_a_fixed_hypothesis_is_unbiased(seed):
    rng = np.random.default_rng(seed)
    joint = rng.dirichlet(np.ones(6)).reshape(3, 2)
    f = rng.integers(0, 2, 3)
    cells = list(itertools.product(range(3), range(2)))
    mean = sum(
        joint[a] * joint[b] * empirical_risk([a[1], b[1]], f[[a[0], b[0]]])
        for a, b in itertools.product(cells, cells)
    )
    assert mean == pytest.approx(true_risk(f, joint))


@pytest.mark.parametrize("seed", SEEDS)
def test_the_risk_of_the_chosen_hypothesis_is_underestimated(seed):
    rng = np.random.default_rng(seed)
    joint = np.full((4, 2), 1 / 8)  # labels are coins
    x, y = rng.integers(0, 4, 6), rng.integers(0, 2, 6)
    rules = list(itertools.product((0, 1), repeat=4))
    chosen = min(rules, key=lambda f: empirical_risk(y, np.array(f)[x]))
    assert generalisation_gap(empirical_risk(y, np.array(chosen)[x]), true_risk(chosen, joint)) >= 0


@pytest.mark.parametrize("seed", SEEDS)
def test_the_best_risk_lies_between_the_record_and_the_risk_of_the_chosen(seed):
    """Over all samples of three examples, each weighted by its probability."""
    rng = np.random.default_rng(seed)
    joint = rng.dirichlet(np.ones(6)).reshape(3, 2)
    rules = rng.permutation(list(itertools.product((0, 1), repeat=3)))[:4]
    risks = [true_risk(f, joint) for f in rules]
    cells = list(itertools.product(range(3), range(2)))
    record = chosen = 0.0
    for sample in itertools.product(cells, repeat=3):
        x, y = np.transpose(sample)
        seen = [empirical_risk(y, f[x]) for f in rules]
        winner, weight = int(np.argmin(seen)), np.prod([joint[c] for c in sample])
        record, chosen = record + weight * seen[winner], chosen + weight * risks[winner]
    assert record < min(risks) - 1e-3  # with four different rules luck always plays a part
    assert min(risks) <= chosen + 1e-12


@pytest.mark.parametrize("seed", SEEDS)
def test_the_true_risk_agrees_with_the_risk_of_a_decision(seed):
    rng = np.random.default_rng(seed)
    joint = rng.dirichlet(np.ones(12)).reshape(4, 3)
    f = rng.integers(0, 3, 4)
    assert true_risk(f, joint) == pytest.approx(risk(f, joint))
    squares = [[(d - y) ** 2 for y in range(3)] for d in range(3)]
    assert true_risk(f, joint, squared_loss) == pytest.approx(risk(f, joint, squares))


def test_losses_are_what_they_say():
    assert zero_one_loss([1, 2], [1, 3]).tolist() == [0, 1]
    assert squared_loss([1, 2], [1, -1]).tolist() == [0, 9]
    assert absolute_loss([1, 2], [1, -1]).tolist() == [0, 3]
    assert margin_loss([0.0, 1e-300, -1e-300]).tolist() == [1, 0, 1]


def test_an_undecided_score_is_wrong_although_a_sign_of_zero_is_neither_label():
    for y in (-1, 1):
        assert margin_loss(y * 0.0) == 1


def learners(seed):
    """A learner that says what a random table says about everything it was given."""
    answers = {}
    rng = np.random.default_rng(seed)

    def learner(inputs, labels, new):
        return answers.setdefault((*inputs, *labels, new), int(rng.integers(2)))

    return learner


@pytest.mark.parametrize("seed", SEEDS)
def test_every_learner_averages_one_half_off_its_training_set(seed):
    training = np.random.default_rng(seed).choice(6, 1 + seed % 5, replace=False)
    assert no_free_lunch_average(learners(seed), 6, training) == Fraction(1, 2)


def test_a_learner_that_sees_the_target_would_not():
    # the theorem is about learners that see labels of the training set alone
    cheat = iter([0, 1])  # the targets on one input, in the order in which they are tried
    assert no_free_lunch_average(lambda inputs, labels, new: next(cheat), 1, []) == 0


def test_the_memoriser_is_right_about_what_it_saw_and_guesses_the_rest():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(50, 3)), rng.integers(0, 2, 50)
    memory = Memoriser(default=0).fit(X, y)
    assert empirical_risk(y, memory.predict(X)) == 0
    assert (memory.predict(X + 1) == 0).all()
    assert memory.predict([[-0.0, 1.0, 2.0]]).tolist() == [0]


def test_the_memoriser_knows_zero_with_either_sign():
    assert Memoriser(default="?").fit([[0.0]], ["a"]).predict([[-0.0]]).tolist() == ["a"]


@pytest.mark.parametrize("tolerance", [0.4, 1e-2, 1e-9])
@pytest.mark.parametrize("threshold", [0.0, 0.3, 0.999, 1.0])
def test_asking_costs_the_logarithm_of_the_precision(threshold, tolerance):
    found, asked = active_threshold(lambda x: x > threshold, tolerance)
    assert abs(found - threshold) <= tolerance
    assert asked == max(0, int(np.ceil(np.log2(0.5 / tolerance))))


def test_a_precision_below_that_of_floats_ends():
    found, _ = active_threshold(lambda x: x > 0.3, 1e-300)
    assert found == pytest.approx(0.3, abs=1e-15)


def test_nearly_all_of_a_large_cube_is_close_to_its_boundary():
    d = np.array([1, 2, 10, 1000])
    np.testing.assert_allclose(boundary_share(d, 0.1), 1 - 0.8**d)
    assert boundary_share(3, 0.5) == 1
    assert boundary_share(3, 0.0) == 0


def test_distances_lose_their_contrast():
    ratios = [distance_contrast(d, random_state=0) for d in (1, 10, 100, 1000)]
    assert ratios == sorted(ratios)
    assert ratios[-1] > 0.7


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: zero_one_loss([1], [1, 2]), ValueError, "shape"),
        (lambda: squared_loss([1], ["a"]), (TypeError, ValueError), "prediction"),
        (lambda: empirical_risk([], []), ValueError, "empty"),
        (lambda: empirical_risk([1], [1], 3), TypeError, "loss must be a function"),
        (lambda: true_risk([0], [[0.5, 0.6]]), ValueError, "joint"),
        (lambda: true_risk([0, 1], [[0.5, 0.5]]), ValueError, "prediction"),
        (lambda: no_free_lunch_average(3, 4, [0]), TypeError, "learner"),
        (lambda: no_free_lunch_average(max, 30, [0]), ValueError, "at most 20"),
        (lambda: no_free_lunch_average(max, 2, [0, 1]), ValueError, "leaves no input"),
        (lambda: active_threshold(lambda x: True, 0.0), ValueError, "tolerance"),
        (lambda: boundary_share(0, 0.1), ValueError, "dimension"),
        (lambda: distance_contrast(2, 1), ValueError, "n_points"),
        (lambda: Memoriser().fit([[1]], [1, 2]), ValueError, "y must have 1 labels"),
    ],
)
def test_bad_input_is_named(call, error, message):
    with pytest.raises(error, match=message):
        call()
