"""The Bayes rule against all rules there are, in exact arithmetic, and the triangular problem."""

from __future__ import annotations

import itertools
from fractions import Fraction

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.optimize import linprog

from mlnotes.bayes_decisions import (
    TriangularProblem,
    bayes_error,
    bayes_rule,
    class_priors,
    conditional_risk,
    guess_error,
    likelihood_ratio_threshold,
    log_odds,
    majority_error,
    odds_threshold,
    posterior,
    risk,
    zero_one_loss_matrix,
)

SEEDS = range(50)


def random_table(rng, inputs, classes):
    """A joint table of fractions that sums to one exactly."""
    counts = rng.integers(0, 7, (inputs, classes))
    counts[:, 0] += 1
    total = int(counts.sum())
    return [[Fraction(int(c), total) for c in row] for row in counts]


def exact_risk(rule, table, loss):
    return sum(
        p * loss[d][y] for d, row in zip(rule, table, strict=True) for y, p in enumerate(row)
    )


@pytest.mark.parametrize("seed", SEEDS)
def test_no_rule_has_a_smaller_risk_than_the_bayes_rule(seed):
    rng = np.random.default_rng(seed)
    classes, decisions = int(rng.integers(2, 4)), int(rng.integers(2, 4))
    table = random_table(rng, 3, classes)
    loss = [[Fraction(int(c)) for c in row] for row in rng.integers(0, 6, (decisions, classes))]
    rules = itertools.product(range(decisions), repeat=3)
    least = min(exact_risk(rule, table, loss) for rule in rules)
    joint = np.array(table, dtype=float)
    matrix = np.array(loss, dtype=float)
    chosen = bayes_rule(joint / joint.sum(axis=1, keepdims=True), matrix)
    assert exact_risk(chosen.decisions, table, loss) == least
    assert bayes_error(joint, matrix) == pytest.approx(float(least))
    assert risk(chosen.decisions, joint, matrix) == pytest.approx(float(least))
    assert chosen.risks @ joint.sum(axis=1) == pytest.approx(float(least))


@pytest.mark.parametrize("seed", SEEDS)
def test_where_errors_are_counted_the_rule_picks_the_most_probable_class(seed):
    rng = np.random.default_rng(seed)
    joint = np.array(random_table(rng, 4, 3), dtype=float)
    conditional = joint / joint.sum(axis=1, keepdims=True)
    chosen = bayes_rule(conditional)
    np.testing.assert_allclose(chosen.risks, 1 - conditional.max(axis=1), atol=1e-12)
    assert risk(chosen.decisions, joint) == pytest.approx(bayes_error(joint))
    assert bayes_error(joint) <= majority_error(joint.sum(axis=0)) + 1e-12


@pytest.mark.parametrize("seed", range(5))
def test_the_risk_is_the_mean_loss_of_many_draws(seed):
    rng = np.random.default_rng(seed)
    joint, loss = rng.dirichlet(np.ones(12)).reshape(4, 3), rng.normal(size=(2, 3))
    rule = rng.integers(0, 2, size=4)
    x, y = np.divmod(rng.choice(12, size=40_000, p=joint.ravel()), 3)
    losses = loss[rule[x], y]
    assert abs(losses.mean() - risk(rule, joint, loss)) < 5 * losses.std() / 200


def test_the_error_is_zero_exactly_where_the_input_determines_the_class():
    assert bayes_error([[0.5, 0.0], [0.0, 0.5]]) == 0
    assert bayes_error([[0.5, 0.01], [0.0, 0.49]]) > 0


@pytest.mark.parametrize("seed", SEEDS)
def test_the_odds_threshold_decides_as_the_conditional_risks_do(seed):
    rng = np.random.default_rng(seed)
    right = rng.normal(size=2)
    wrong = right + rng.exponential(size=2)
    loss = np.array([[right[0], wrong[1]], [wrong[0], right[1]]])
    p = rng.random(200)
    risks = conditional_risk(np.column_stack([1 - p, p]), loss)
    np.testing.assert_array_equal(p / (1 - p) > odds_threshold(loss), risks[:, 1] < risks[:, 0])


@pytest.mark.parametrize("seed", SEEDS)
def test_a_ratio_of_losses_acts_like_a_ratio_of_priors(seed):
    rng = np.random.default_rng(seed)
    false_positive, false_negative = rng.exponential(size=2)
    priors = rng.dirichlet([1, 1])
    weighted = priors * [false_positive, false_negative]
    assert likelihood_ratio_threshold(
        priors, [[0, false_negative], [false_positive, 0]]
    ) == pytest.approx(likelihood_ratio_threshold(weighted / weighted.sum()))


@pytest.mark.parametrize("seed", SEEDS)
def test_the_likelihood_ratio_decides_as_the_posterior_does(seed):
    rng = np.random.default_rng(seed)
    likelihoods, priors = rng.exponential(size=(50, 2)), rng.dirichlet([2, 2])
    chosen = bayes_rule(posterior(likelihoods, priors)).decisions
    ratio = likelihoods[:, 1] / likelihoods[:, 0]
    np.testing.assert_array_equal(chosen == 1, ratio > likelihood_ratio_threshold(priors))


def test_the_posterior_of_rare_inputs_keeps_its_digits():
    table = [[2e-310, 6e-310], [1e300, 3e300]]
    np.testing.assert_allclose(posterior(table, [0.5, 0.5]), [[0.25, 0.75]] * 2, rtol=1e-10)


def test_pens():
    np.testing.assert_allclose(posterior([[2 / 7, 5 / 7]], [0.5, 0.5]), [[2 / 7, 5 / 7]])
    assert bayes_error([[1 / 7, 5 / 14], [5 / 14, 1 / 7]]) == pytest.approx(2 / 7)


@pytest.mark.parametrize("seed", SEEDS)
def test_no_guess_beats_the_majority(seed):
    rng = np.random.default_rng(seed)
    priors = rng.dirichlet(np.ones(4))
    best = linprog(-priors, A_eq=np.ones((1, 4)), b_eq=[1], bounds=(0, 1))
    assert majority_error(priors) == pytest.approx(1 + best.fun)
    assert guess_error(rng.dirichlet(np.ones(4)), priors) >= majority_error(priors) - 1e-12
    assert majority_error(priors) <= 3 / 4


def test_with_equal_priors_every_guess_is_as_good():
    for guess in ([1, 0, 0], [0.2, 0.3, 0.5]):
        assert guess_error(guess, [1 / 3] * 3) == pytest.approx(2 / 3)


@pytest.mark.parametrize("costs", [(1.0, 1.0), (3.0, 1.0), (0.5, 2.0)])
@pytest.mark.parametrize("t", [0.0, 0.2, 0.5, 0.9, 1.0])
def test_the_triangular_risks_are_their_integrals(t, costs):
    problem = TriangularProblem(*costs)
    below = quad(lambda x: x, 0, t)[0], quad(lambda x: 1 - x, 0, t)[0]
    above = quad(lambda x: x, t, 1)[0], quad(lambda x: 1 - x, t, 1)[0]
    usual = costs[0] * below[0] + costs[1] * above[1]
    other = costs[0] * above[0] + costs[1] * below[1]
    assert problem.threshold_risk(t) == pytest.approx(usual)
    assert problem.threshold_risk(t, reversed=True) == pytest.approx(other)
    assert problem.bayes_risk <= problem.threshold_risk(t) + 1e-15


def test_the_triangular_errors_are_parabolas():
    problem = TriangularProblem()
    for t in np.linspace(0, 1, 11):
        assert problem.threshold_risk(t) == pytest.approx(1 / 4 + (t - 1 / 2) ** 2)
        assert problem.threshold_risk(t, reversed=True) == pytest.approx(3 / 4 - (t - 1 / 2) ** 2)
    assert (problem.best_threshold, problem.bayes_risk) == (0.5, 0.25)


def test_the_triangular_posterior_matches_bayes_formula():
    x = np.linspace(0, 1, 9)
    np.testing.assert_allclose(
        TriangularProblem().posterior(x), posterior(np.column_stack([2 - 2 * x, 2 * x]), [0.5, 0.5])
    )


def test_log_odds_invert_the_logistic_function():
    s = np.array([-30.0, -1.0, 0.0, 2.0])
    np.testing.assert_allclose(log_odds(1 / (1 + np.exp(-s))), s)
    assert log_odds(0.0) == -np.inf


def test_priors_are_frequencies():
    classes, priors = class_priors([2, 1, 2, 2])
    assert (classes.tolist(), priors.tolist()) == ([1, 2], [0.25, 0.75])


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: posterior([[1.0, 0.0]], [0.0, 1.0]), "input 0 is impossible"),
        (lambda: posterior([[1.0, -1.0]], [0.5, 0.5]), "likelihoods must not be negative"),
        (lambda: bayes_rule([[0.5, 0.6]]), "posteriors: each row must sum to one"),
        (lambda: bayes_rule([[0.5, 0.5]], [[1.0]]), "loss must have a column"),
        (lambda: risk([0], [[0.5, 0.4]]), "joint must sum to one"),
        (lambda: risk([0, 0], [[0.5, 0.5]]), "decisions must have 1 entries"),
        (lambda: risk([2], [[0.5, 0.5]]), "decisions must be"),
        (lambda: odds_threshold([[0, 1], [0, 0]]), "must cost more"),
        (lambda: odds_threshold([[0, 1]]), r"shape \(2, 2\)"),
        (lambda: likelihood_ratio_threshold([1.0, 0.0]), "priors must both be positive"),
        (lambda: zero_one_loss_matrix(0), "n_classes"),
        (lambda: class_priors([]), "labels"),
        (lambda: TriangularProblem(false_negative=-1.0), "false_negative"),
        (lambda: TriangularProblem().threshold_risk(2.0), "threshold"),
    ],
)
def test_bad_input_is_named(call, message):
    with pytest.raises(ValueError, match=message):
        call()
