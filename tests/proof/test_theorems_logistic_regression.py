"""The derivations about logistic regression say what they should, and nothing near it."""

import math

import pytest
from evaluator import gradient as numeric_gradient
from retelling import plain, refuted, sides

from mlnotes.proof import Derivation, Sum, WrongStep, dot, exp, log
from mlnotes.theorems import logistic_regression as lr
from mlnotes.theorems.logistic_regression import (
    LOSS,
    PAIR,
    _margin,
    i,
    logistic,
    n,
    offset,
    point,
    theta,
    u,
    x,
    y,
    z,
)

SCOPES = {
    lr.symmetry: "all reals",
    lr.logit: "all reals",
    lr.log_odds: "any dimension",
    lr.loss: "all reals",
    lr.gradient: "any n, any dimension",
    lr.gradient_offset: "any n, any dimension",
    lr.slope: "all reals",
    lr.hessian: "any n, any dimension",
}
MODEL = {n: 2, x: [[1, 2], [-1, 1]], y: [1, -1], theta: [2, -1], offset: 1, u: [1, 2]}


@pytest.mark.parametrize("theorem", SCOPES, ids=lambda f: f.__name__)
def test_every_theorem_is_proved_in_its_scope_without_z3(theorem):
    assert theorem().scope == SCOPES[theorem]
    assert theorem().mark == "proved"
    assert theorem().assumptions == ()
    assert not theorem().as_dict()["needs_z3"]


def sigmoid(t):
    return 1 / (1 + math.exp(-t))


def test_scores_and_odds_in_numbers():
    assert sides(lr.symmetry(), {z: 2}) == pytest.approx((sigmoid(-2), sigmoid(-2)))
    assert sides(lr.logit(), {z: 2}) == pytest.approx((2, 2))
    model = {theta: [2, -1], point: [1, 3], offset: 4}
    assert sides(lr.log_odds(), model) == pytest.approx((3, 3))
    assert sides(lr.loss(), {z: -1}) == pytest.approx((-math.log(sigmoid(-1)),) * 2)
    assert sides(lr.slope(), {z: 2}) == pytest.approx((sigmoid(2) * sigmoid(-2),) * 2)


def test_the_gradients_are_those_of_the_loss():
    expected = plain(numeric_gradient(LOSS, theta, MODEL))
    for side in sides(lr.gradient(), MODEL):
        assert side == pytest.approx(expected, abs=1e-6)
    # margins 1 · (0 + 1) = 1 and -1 · (-3 + 1) = 2, by hand
    offset_slope = -sigmoid(-1) + sigmoid(-2)
    assert sides(lr.gradient_offset(), MODEL) == pytest.approx((offset_slope, offset_slope))


def test_the_second_derivative_along_a_direction_in_numbers():
    expected = sigmoid(1) * sigmoid(-1) * 5**2 + sigmoid(2) * sigmoid(-2) * 1**2
    assert sides(lr.hessian(), MODEL) == pytest.approx((expected, 0))


score = dot(theta, point) + offset
each = (i, 1, n)
WRONG = [
    (lr.symmetry, {}, logistic(z)),
    (lr.symmetry, {}, 1 / (1 + exp(-z))),
    (lr.logit, {}, -z),
    (lr.logit, {}, 2 * z),
    (lr.log_odds, {}, dot(theta, point)),
    (lr.log_odds, {}, -score),
    (lr.loss, {}, log(1 + exp(z))),
    (lr.loss, {}, exp(-z)),
    # erratum-002-logistic-gradient-sign
    (lr.gradient, {}, Sum(y[i] * (1 - logistic(_margin(i))) * x[i], each)),
    (lr.gradient, {}, -Sum(y[i] * logistic(_margin(i)) * x[i], each)),
    (lr.gradient_offset, {}, -Sum(1 - logistic(_margin(i)), each)),
    (lr.gradient_offset, {}, Sum(y[i] * (1 - logistic(_margin(i))), each)),
    (lr.slope, {}, logistic(z)),
    (lr.slope, {}, logistic(z) ** 2),
    (lr.hessian, PAIR, Sum(dot(x[i], u) ** 2, each)),
    (lr.hessian, PAIR, 1),
]


@pytest.mark.parametrize(("theorem", "witness", "right"), WRONG)
def test_a_wrong_right_side_is_refused_with_a_counterexample(theorem, witness, right):
    assert refuted(theorem(), witness, right)


def test_the_loss_is_not_concave():
    assert refuted(lr.hessian(), PAIR, 0, "<=")


def test_labels_that_are_not_signs_change_the_second_derivative():
    _, with_squares, without_squares, _ = (s.expression for s in lr.hessian().steps)
    line = Derivation("labels", z3=False).start(with_squares)
    with pytest.raises(WrongStep) as refusal:
        line.equals(without_squares, because="without the signs")
    assert refusal.value.counterexample
