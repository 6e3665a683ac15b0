"""The learning problem: what was proved, and statements nearby that are false and refused."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import evaluator as ev
import pytest
from retelling import needed, operator, plain, refuted, sides, tell, without

from mlnotes.proof import E, Eq, ProofError, Rational, Sum, Theorem, indicator
from mlnotes.theorems import learning_problem as learning
from mlnotes.theorems.learning_problem import (
    COIN,
    REPEATER,
    K,
    N,
    R,
    X,
    Y,
    agreement,
    answers,
    best_sample,
    d,
    deviation,
    ell,
    epsilon,
    error,
    f,
    half,
    hit,
    i,
    j,
    k,
    label,
    least,
    loss,
    m,
    n,
    own,
    own_sample,
    pattern,
    rho,
    risk,
    row,
    s,
    sigma,
    t,
    table,
    tolerance,
    truth,
    twin,
)

quarter = Rational(1, 4)
COINS = {n: 2, ell: [COIN, COIN], risk: half}
NINE_OF_TEN = [(0, Rational(1, 10)), (1, Rational(9, 10))]


def refused(theorem: Theorem, model: dict[Any, Any], right: Any) -> bool:
    """Say whether a right side that the model refutes is not proved: no search goes over laws."""
    with pytest.raises(ProofError):
        tell(theorem, list(theorem.given), model, operator(theorem), right)
    left, wrong = sides(theorem, model)[0], plain(ev.evaluate(right, model))
    return left > wrong if operator(theorem) == "<=" else left != wrong


def test_no_free_lunch_speaks_of_all_targets_and_of_any_table():
    theorem = learning.no_free_lunch()
    assert theorem.statement == Eq(E(Sum(error(answers[j], t[n + j]), (j, 1, m)) / m), half)
    assert (theorem.scope, theorem.mark) == (
        "any K, any m, any n, any distribution on finitely many outcomes",
        "proved",
    )
    stated = {h.name for h in theorem.stated}
    assert stated == {"independent", "fair", "n positive", "m positive", "K positive"}
    assert sides(theorem, REPEATER) == (Fraction(1, 2), Fraction(1, 2))
    assert refused(theorem, REPEATER, Rational(1, 3))


def test_no_free_lunch_needs_fair_labels():
    """A learner that always answers one errs less where ones are more frequent."""
    always = {**REPEATER, table: {(1, 1): 1, (2, 1): 1}, t: [NINE_OF_TEN, NINE_OF_TEN]}
    assert isinstance(without(learning.no_free_lunch(), always, 1), ProofError)


def test_every_target_has_the_same_probability():
    model = {N: 2, t: [COIN, COIN], pattern: [0, 1]}
    theorem = learning.every_target()
    assert sides(theorem, model) == (Fraction(1, 4), Fraction(1, 4))
    assert refused(theorem, model, half)
    assert isinstance(without(theorem, {**model, pattern: [0, 2]}, 1), ProofError)


def test_twins_are_opposite_on_every_new_input():
    model = {m: 2, label: [0, 1], twin: [1, 0], learning.answer: [0, half]}
    theorem = learning.twins()
    assert sides(theorem, model) == (1, 1)
    assert needed(theorem, {**model, twin: [0, 1]}, 0)


def test_the_answer_may_be_any_number_but_no_unseen_label_may_be_read():
    theorem = learning.new_input()
    assert sides(theorem, {**REPEATER, j: 1}) == (Fraction(1, 2), Fraction(1, 2))
    assert refused(theorem, {**REPEATER, j: 1}, quarter)


def test_the_empirical_risk_is_unbiased_with_or_without_independence():
    theorem = learning.unbiased()
    assert sides(theorem, COINS) == (Fraction(1, 2), Fraction(1, 2))
    assert {h.name for h in theorem.stated} == {"risk", "n positive"}
    assert isinstance(without(theorem, {**COINS, risk: 1}, 0), ProofError)


def test_the_error_of_an_empirical_risk_falls_with_the_size_of_the_sample():
    theorem = learning.mean_square()
    model = {**COINS, sigma: half}
    assert sides(theorem, model) == (Fraction(1, 8), Fraction(1, 8))
    assert refused(theorem, model, sigma**2 / n**2)
    assert isinstance(without(theorem, model, 0), ProofError)


@pytest.mark.parametrize(("together", "left"), [(0, Fraction(1, 8)), (1, Fraction(1, 4))])
def test_copies_do_not_make_a_sample_larger(together, left):
    """Two independent coins have half the variance of one; a coin and its copy have all of it."""
    theorem = learning.correlated()
    model = {**COINS, sigma: half, rho: together}
    assert sides(theorem, model)[1] == left
    assert refuted(theorem, {**model, rho: 0}, sigma**2 * rho)


def test_a_share_of_errors_has_at_most_the_variance_of_a_coin():
    theorem = learning.loss_variance()
    model = {loss: NINE_OF_TEN, risk: Rational(9, 10)}
    assert sides(theorem, model) == (Fraction(9, 100), Fraction(1, 4))
    assert refuted(theorem, {loss: COIN, risk: half}, Rational(1, 5))
    assert sides(learning.held_out(), COINS) == (Fraction(1, 8), Fraction(1, 8))
    assert refused(learning.held_out(), COINS, 1 / (5 * n))


def test_the_chosen_predictor_looks_better_than_it_is():
    """In a class of one nothing is chosen, and both sides are equal; that the choice is minimal
    is needed.
    """
    theorem = learning.optimism()
    single = {N: 1, learning.L: [COIN], R: [half], s: [[(1, 1)]], k: 1}
    assert sides(theorem, single) == (Fraction(1, 2), Fraction(1, 2))
    assert {h.name for h in theorem.stated if h.setting} == {
        "unbiased",
        "choice",
        "one",
        "minimal",
    }
    assert isinstance(without(theorem, single, 3), ProofError)
    assert refuted(learning.flattering(), single, R[k] - quarter)


def test_a_new_input_is_likely_to_be_new_in_a_large_space():
    model = {n: 2, N: 2, hit: [COIN, COIN]}
    theorem = learning.unseen()
    assert sides(theorem, model) == (Fraction(1, 4), Fraction(1, 4))
    assert refused(theorem, model, 1 - n / N + quarter / 2)


def test_spurious_features_are_as_many_as_features_over_labellings():
    model = {d: 1, n: 2, agreement: {(1, 1): COIN, (1, 2): COIN}}
    theorem = learning.spurious()
    assert sides(theorem, model) == (Fraction(1, 4), Fraction(1, 4))
    assert refused(theorem, model, d * half)


def test_the_excess_risk_has_two_deviations_and_what_the_search_left():
    model = {
        own: 2,
        learning.best: 1,
        least: 0,
        own_sample: 1,
        best_sample: 2,
        deviation: 1,
        tolerance: 0,
    }
    theorem = learning.decomposition()
    assert sides(theorem, model) == (2, 3)
    assert refuted(theorem, {**model, own: 3, own_sample: 2}, (learning.best - least) + deviation)
    assert needed(theorem, {**model, own: 9, own_sample: 8}, 2)


# The target is 0 or 2, whatever the feature is, and the answer always 0.
DICE = {X: COIN, Y: [(0, half), (2, half)], f: lambda _: 0}


def test_squared_risk_is_noise_and_distance():
    theorem = learning.regression_function()
    assert sides(theorem, DICE) == (2, 2)
    noise = E((Y - E(Y, given=X)) ** 2)
    assert refuted(theorem, DICE, noise)
    assert theorem.scope == "any distribution on finitely many outcomes"
    assert theorem.given == ()


def test_a_factor_that_the_features_determine_comes_out():
    assert sides(learning.tower(), {**DICE, f: lambda s: s}) == (Fraction(1, 2), Fraction(1, 2))
    assert refuted(learning.tower(), {**DICE, f: lambda s: s}, E(Y) * E(Y))


def test_the_variance_is_noise_and_the_variance_of_the_means():
    assert sides(learning.total_variance(), DICE) == (1, 1)
    assert refuted(learning.total_variance(), DICE, E((E(Y, given=X) - E(Y)) ** 2))


def test_bias_and_variance_add_up():
    model = {N: 1, learning.F: [COIN], truth: [0], learning.mass: [1]}
    theorem = learning.bias_variance()
    assert sides(theorem, model) == (Fraction(1, 2), Fraction(1, 2))
    variance_alone = Sum(learning.mass[i] * E((learning.F[i] - E(learning.F[i])) ** 2), (i, 1, N))
    assert refuted(theorem, model, variance_alone)


def test_the_inner_cube_shrinks_exponentially():
    theorem = learning.cube()
    left, right = sides(theorem, {epsilon: quarter, d: 2})
    assert left == Fraction(1, 4)
    assert left < right < 0.37
    assert refuted(theorem, {epsilon: quarter, d: 2}, quarter**d)


def test_a_mistake_in_signs_is_half_of_one_less_the_product():
    theorem = learning.codes()
    model = {learning.sign: 1, learning.answer_sign: -1}
    assert sides(theorem, model) == (1, 1)
    swapped = indicator(Eq(learning.sign, learning.answer_sign))
    assert refuted(theorem, model, swapped)


def test_a_table_may_have_as_many_rows_as_there_are_training_sets():
    """Of two training inputs there are four labellings; a table with all of them is a learner."""
    labellings = {(1, 1): 0, (1, 2): 0, (2, 1): 0, (2, 2): 1}
    labellings |= {(3, 1): 1, (3, 2): 0, (4, 1): 1, (4, 2): 1}
    majority = {(1, 1): 0, (2, 1): half, (3, 1): half, (4, 1): 1}
    model = {n: 2, m: 1, K: 4, t: [COIN, COIN, COIN], row: labellings, table: majority}
    assert sides(learning.no_free_lunch(), model) == (Fraction(1, 2), Fraction(1, 2))
    assert f is not truth
