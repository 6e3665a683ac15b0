"""The derivations about AdaBoost say what they should, and nothing near it that is false."""

import pytest
from retelling import needed, refuted, sides

from mlnotes.proof import (
    Derivation,
    Eq,
    Ge,
    Le,
    Product,
    Rational,
    Sum,
    WrongStep,
    exp,
    indicator,
    log,
    reals,
    sqrt,
)
from mlnotes.theorems import adaboost as ab
from mlnotes.theorems.adaboost import (
    BETWEEN,
    ONE_ROUND,
    VOTE,
    VOTED,
    M,
    Z,
    a,
    alpha,
    epsilon,
    error,
    h,
    i,
    m,
    n,
    point,
    s,
    w,
    y,
)

SCORE = Sum(alpha[m] * h[m, i], (m, 1, M))
ERROR = Sum(indicator(Le(y[i] * SCORE, 0)), (i, 1, n)) / n
EDGES = Sum((Rational(1, 2) - epsilon[m]) ** 2, (m, 1, M))
edge = reals("gamma", positive=True)
STATEMENTS = [
    (ab.zero_one_under_exponential, Le(indicator(Le(s, 0)), exp(-s)), "all reals"),
    (ab.error_under_normalisers, Le(ERROR, Product(Z[m], (m, 1, M))), "any M, any n"),
    (
        ab.best_vote,
        Ge((1 - error) * exp(-a) + error * exp(a), 2 * sqrt(error * (1 - error))),
        "all reals",
    ),
    (
        ab.least_normaliser,
        Eq((1 - error) * exp(-a) + error * exp(a), 2 * sqrt(error * (1 - error))),
        "all reals",
    ),
    (
        ab.normaliser_bound,
        Le(2 * sqrt(error * (1 - error)), exp(-2 * (Rational(1, 2) - error) ** 2)),
        "all reals",
    ),
    (ab.training_error, Le(ERROR, exp(-2 * EDGES)), "any M, any n"),
    (ab.weak_learning, Le(ERROR, exp(-2 * M * edge**2)), "any M, any n"),
]


@pytest.mark.parametrize(("derive", "statement", "scope"), STATEMENTS)
def test_statement_and_scope(derive, statement, scope):
    theorem = derive()
    assert theorem.statement == statement
    assert theorem.scope == scope
    assert theorem.mark == "proved"
    assert theorem.assumptions == ()
    assert not theorem.as_dict()["needs_z3"]


def test_one_round_with_three_of_four_points_right():
    left, right = sides(ab.training_error(), ONE_ROUND)
    assert left == Rational(1, 4)
    assert right == pytest.approx(2.718281828459045 ** (-1 / 8))
    left, right = sides(ab.unrolled_weights(), {**ONE_ROUND, point: 4})
    assert left == pytest.approx(0.5)
    assert right == pytest.approx(0.5)


def test_the_hypotheses_fix_the_rounds_and_not_the_bound():
    assert not any(g.has(EDGES) for g in ab.training_error().given)
    assert len(ab.training_error().given) == 9


def test_a_larger_constant_in_the_exponent_is_refused():
    half = Rational(1, 2)
    assert refuted(ab.normaliser_bound(), {error: "1/100"}, exp(-5 * (half - error) ** 2))
    assert refuted(ab.normaliser_bound(), {error: "1/4"}, exp(-2 * (half - error)))


def test_a_vote_without_the_half_does_not_give_the_least_normaliser():
    printed = [*BETWEEN, Eq(a, log((1 - error) / error))]
    line = Derivation("printed vote", given=printed, witness={error: "1/4", a: log(3)})
    line.start((1 - error) * exp(-a) + error * exp(a))
    with pytest.raises(WrongStep) as refusal:
        line.equals(2 * sqrt(error * (1 - error)), because="printed: no half in the vote")
    assert refusal.value.counterexample


def test_the_lost_plus_sign_of_the_normaliser_is_refused():
    assert refuted(ab.least_normaliser(), VOTED, error * (1 - error))
    line = Derivation("printed", given=[*BETWEEN, VOTE], witness=VOTED)
    line.start((1 - error) * exp(-a) * error * exp(a))
    with pytest.raises(WrongStep):
        line.equals(2 * sqrt(error * (1 - error)), because="printed: the plus is lost")


def test_a_loss_that_rewards_mistakes_is_refused():
    assert refuted(ab.zero_one_under_exponential(), {s: -1}, exp(s))


def test_unrolled_weights_start_from_one_over_n():
    wrong = exp(-y[point] * Sum(alpha[m] * h[m, point], (m, 1, M))) / Product(Z[m], (m, 1, M))
    assert refuted(ab.unrolled_weights(), {**ONE_ROUND, point: 2}, wrong)
    elsewhere = {**ONE_ROUND, w: {**ONE_ROUND[w], (1, 2): 3}, point: 2}
    assert needed(ab.unrolled_weights(), elsewhere, 1)


def test_the_new_weighted_error_is_one_half_and_not_the_old_one():
    assert refuted(ab.half_weight(), VOTED, error)
    assert sides(ab.half_weight(), VOTED)[0] == pytest.approx(0.5)
