"""The derivations about logistic regression say what they should, and nothing near it."""

import math

import pytest
from evaluator import gradient as numeric_gradient
from retelling import needed, plain, refuted, sides, without

from mlnotes.proof import Derivation, Lt, Rational, Sum, WrongStep, dot, exp, log, norm2
from mlnotes.theorems import logistic_regression as lr
from mlnotes.theorems.logistic_regression import (
    LOSS,
    PAIR,
    along,
    c,
    i,
    logistic,
    margins,
    n,
    offset,
    point,
    t,
    theta,
    u,
    x,
    y,
    z,
)

MODEL = {n: 2, x: [[1, 2], [-1, 1]], y: [1, -1], theta: [2, -1], offset: 1, u: [1, 2]}


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


def test_the_second_derivatives_are_those_of_the_loss_in_weights_and_offset_together():
    # The direction (u, c) = ((1, 2), -3) changes the scores 0 + 1 and -3 + 1 by 5 - 3 and 1 - 3.
    at = {**MODEL, c: -3, t: 0, lr.penalty: 4}

    def loss(t):
        (w_1, w_2), w_0 = (2 + t, -1 + 2 * t), 1 - 3 * t
        margins = (w_1 + 2 * w_2 + w_0, w_1 - w_2 - w_0)
        return sum(math.log(1 + math.exp(-m)) for m in margins)

    def penalised(t):
        return loss(t) + 2 * ((2 + t) ** 2 + (-1 + 2 * t) ** 2)

    h = 1e-3
    bends = [(f(h) - 2 * f(0) + f(-h)) / h**2 for f in (loss, penalised)]
    weights = [sigmoid(1) * sigmoid(-1), sigmoid(2) * sigmoid(-2)]
    exact = sum(weight * 4 for weight in weights)
    assert bends == pytest.approx([exact, exact + 4 * 5], abs=1e-5)
    slope = -sum(sigmoid(-margin) * 2 for margin in (1, 2))
    assert (loss(h) - loss(-h)) / (2 * h) == pytest.approx(slope, abs=1e-5)
    assert sides(lr.first_derivative(), at) == pytest.approx((slope, slope))
    assert sides(lr.second_derivative(), at) == pytest.approx((exact, exact))
    assert sides(lr.hessian(), at) == pytest.approx((exact, 0))
    assert sides(lr.penalised_curvature(), at) == pytest.approx((exact + 20, exact + 20))
    assert sides(lr.penalised_weights(), at) == pytest.approx((exact + 20, 0))
    # with t = 1 the margins of the line are those of the moved weights
    moved = sides(lr.margin_on_a_line(), {**at, i: 2, t: 1})
    assert moved == pytest.approx((3 - 1 + 2, 2 + 2))


def test_the_log_odds_of_two_gaussians_in_numbers():
    at = {
        point: [1, 2],
        lr.mu_1: [2, 0],
        lr.mu_0: [-1, 1],
        lr.pi_1: 3,
        lr.pi_0: 1,
        lr.base: 1,
    }
    # squared distances 1 + 4 and 4 + 1; the priors are as three to one
    assert sides(lr.gaussian_log_odds(), at) == pytest.approx((math.log(3), math.log(3)))


def test_the_gradient_turns_as_fast_as_its_constant_allows_and_no_faster():
    # One point, x = 2 with label 1, and no offset: the gradient is -2 sigma(-2 theta), and its
    # derivative in the offset half of that. The squares are (2 u + c)^2 <= 5 (u^2 + c^2).
    here = {n: 1, x: [[2]], y: [1], theta: [0], offset: 0, u: [1], c: 0, lr.L: Rational(5, 4)}
    at = {**here, lr.g: [-1], lr.g_0: Rational(-1, 2)}
    owed = 1 / (1 + exp(2))
    at |= {lr.moved_gradient: [-2 * owed], lr.moved_slope: -owed}
    turned = 1 - 2 * sigmoid(-2)
    size = turned**2 * 5 / 4
    assert sides(lr.lipschitz(), at) == pytest.approx((size, 25 / 16))
    assert sides(lr.turn(), at) == pytest.approx((turned**2, turned))
    # At zero the curvature along (2, 1) is L: a small step that way turns the gradient by nearly
    # L times its length.
    owed = 1 / (1 + exp(Rational(1, 2)))
    at |= {u: [Rational(1, 5)], c: Rational(1, 10)}
    at |= {lr.moved_gradient: [-2 * owed], lr.moved_slope: -owed}
    step = norm2(u) + c**2
    assert refuted(lr.lipschitz(), at, Rational(9, 10) * lr.L**2 * step)
    gained = dot(lr.moved_gradient - lr.g, u) + (lr.moved_slope - lr.g_0) * c
    assert refuted(lr.turn(), at, Rational(9, 10) * gained)
    # Other vectors are not gradients, and a smaller number is no bound on the squares.
    names = list(lr.TWO_GRADIENTS)
    for name, wrong in {
        "gradient": {lr.g: [3]},
        "slope": {lr.g_0: 3},
        "moved gradient": {lr.moved_gradient: [3]},
        "moved slope": {lr.moved_slope: 3},
        "curvature": {lr.L: Rational(1, 2)},
    }.items():
        assert needed(lr.lipschitz(), {**at, **wrong}, names.index(name)), name


def test_the_loss_lies_between_its_tangent_planes_and_the_parabolas_in_numbers():
    at = {lr.margin: 1, lr.s: -3}
    tangent = math.log(1 + math.exp(-1)) + 3 * sigmoid(-1)
    expected = (math.log(1 + math.exp(2)), tangent)
    assert sides(lr.above_a_tangent(), at) == pytest.approx(expected)
    assert sides(lr.under_a_parabola(), at) == pytest.approx((expected[0], tangent + 9 / 8))
    at = {n: 1, x: [[2]], y: [1], theta: [0], offset: 0, u: [1], c: 1}
    loss, promised = math.log(1 + math.exp(-3)), math.log(2) - 1 - 0.5
    assert sides(lr.minorised(), at) == pytest.approx((loss, promised))
    assert sides(lr.majorised(), at) == pytest.approx((loss, promised + 9 / 8))


def test_a_step_of_one_over_the_constant_gains_in_numbers():
    # As above, with a penalty of one: at theta = 1 the objective is log(1 + e^-2) + 1/2.
    slope = 1 - 2 * sigmoid(-2)
    at = {n: 1, x: [[2]], y: [1], theta: [1], offset: 0, lr.penalty: 1, lr.L: Rational(9, 4)}
    at |= {lr.g: [slope], lr.g_0: -sigmoid(-2)}
    left, right = sides(lr.descent(), at)
    weights, shift = 1 - slope / 2.25, sigmoid(-2) / 2.25
    after = math.log(1 + math.exp(-2 * weights - shift)) + weights**2 / 2
    gain = (slope**2 + sigmoid(-2) ** 2) / 4.5
    assert left == pytest.approx(after)
    assert right == pytest.approx(math.log(1 + math.exp(-2)) + 0.5 - gain)
    assert left < right


def test_what_no_point_notices_changes_nothing_and_what_one_notices_pays():
    # The margins are 1 and -2; nothing moves.
    at = {n: 2, x: [[1], [2]], y: [1, -1], theta: [1], offset: 0, u: [0], c: 0, t: 5}
    losses = math.log(1 + math.exp(-1)) + math.log(1 + math.exp(2))
    assert sides(lr.flat(), at) == pytest.approx((losses, losses))
    assert needed(lr.flat(), {**PAIR, u: [0, 0]}, 0)
    # The direction (-3, 6) raises the first margin by 3 and leaves the second where it is.
    at |= {u: [-3], c: 6, t: 0, lr.k: 1}
    assert sides(lr.falls_if_no_margin_does(), at) == pytest.approx((-3 * sigmoid(-1), 0))
    curved = sigmoid(1) * sigmoid(-1) * 9
    assert sides(lr.strictly_convex(), at) == pytest.approx((curved, 0))
    # A margin that falls may cost more than is gained, and if none moves nothing is.
    there = {n: 2, x: [[5], [1]], y: [1, 1], theta: [1], offset: 0, t: 0, lr.k: 1}
    worse = {**there, u: [1], c: -2}
    assert needed(lr.falls_if_no_margin_does(), worse, 2)
    still = {**there, u: [0], c: 0}
    assert without(lr.falls_if_no_margin_does(), still, 3)
    assert without(lr.strictly_convex(), {**PAIR, lr.k: 1}, 2)


def test_the_penalty_bends_every_direction_and_without_it_one_stays_flat():
    # Two points at zero: only the offset is noticed, so that moving the weights bends nothing.
    flat = {n: 2, x: [[0], [0]], y: [1, -1], theta: [0], offset: 0, u: [1], c: 0, t: 0}
    assert sides(lr.penalised_unique(), {**flat, lr.penalty: 3}) == pytest.approx((3, 0))
    assert sides(lr.penalised_offset(), {**flat, u: [0], c: 2, lr.penalty: 3}) == pytest.approx(
        (2, 0)
    )
    assert needed(lr.penalised_unique(), {**flat, lr.penalty: 0}, 1)
    still = {**flat, u: [0], lr.penalty: 1}
    assert needed(lr.penalised_unique(), still, 2)


def test_the_weighted_fit_has_the_least_weighted_squares_in_numbers():
    # The weighted mean of 0 and 4 with weights 3 and 1 is 1.
    at = {n: 2, x: [[0], [0]], lr.weights: [3, 1], lr.working: [0, 4], theta: [0], offset: 1}
    at |= {lr.other: [5], lr.other_offset: 2}
    assert sides(lr.weighted_least_squares(), at) == (3 * 4 + 4, 3 + 9)
    negative = {**at, lr.weights: [-3, 1], offset: -2}
    assert needed(lr.weighted_least_squares(), negative, 0)
    assert needed(lr.weighted_least_squares(), {**at, offset: 0, lr.other_offset: 1}, 2)
    # The same with the number 1 for a feature, in the place of the offset.
    feature = {n: 2, x: [[1], [1]], lr.weights: [3, 1], lr.working: [0, 4], offset: 0}
    feature |= {theta: [1], lr.other: [2], lr.other_offset: 0}
    assert needed(lr.weighted_least_squares(), {**feature, theta: [0], lr.other: [1]}, 1, 2)


def test_newton_from_zero_fits_the_responses_in_numbers():
    # Two labels against one: the weights are 1/4, the responses 2, 2, -2, and their mean is 2/3.
    at = {**lr.TWO_TO_ONE, lr.other_offset: 1}
    least = (2 * (4 / 3) ** 2 + (8 / 3) ** 2) / 4
    assert sides(lr.newton_is_irls(), at) == pytest.approx((least, (1 + 1 + 9) / 4))
    assert needed(lr.newton_is_irls(), {**at, c: 5}, 1)


def test_the_means_of_balanced_and_centred_classes_in_numbers():
    at = {n: 2, x: [[1], [3]], lr.others: [[-5], [1]], lr.mu_0: [2], lr.mu_1: [-2]}
    assert sides(lr.centred_means(), at) == ([2], [2])
    for hypothesis in (0, 1, 2):
        assert needed(lr.centred_means(), at, hypothesis)


def test_the_loss_vanishes_along_a_separating_vector_in_numbers():
    # The scores of the separating vector are 2 - 1 and -1 - 1.
    at = {n: 2, x: [[2], [-1]], y: [1, -1], lr.target: [1], lr.target_offset: -1}
    at |= {lr.gamma: 1, c: 3, theta: [0], offset: 0}
    loss = math.log(1 + math.exp(-3)) + math.log(1 + math.exp(-6))
    assert sides(lr.infimum(), at) == pytest.approx((loss, 2 * math.exp(-3)))
    slope = -sigmoid(0) * 1 - sigmoid(0) * 2
    assert sides(lr.falls_along_a_separator(), at) == pytest.approx((slope, 0))
    assert lr.no_minimiser().is_impossibility


def test_points_on_the_wrong_side_bring_the_minimum_back():
    # One point and both labels: at zero the gradient vanishes, and nothing separates them.
    both = {n: 2, x: [[1], [1]], y: [1, -1], theta: [0], offset: 0}
    assert sides(lr.gradient(), both) == ([0], [0])
    line = Derivation("no margin", given=[Lt(lr.gamma, 1)], witness={**both, lr.gamma: half})
    left, _ = lr.falls_along_a_separator().statement.parts
    with pytest.raises(WrongStep):
        line.start(left).less_than(0, because="without a separating vector")


def test_the_softmax_in_numbers():
    at = {lr.K: 3, lr.k: 2, lr.score: [0, 1, 2], c: 5}
    expected = math.e / (1 + math.e + math.e**2)
    assert sides(lr.softmax_shift(), at) == pytest.approx((expected, expected))
    assert sides(lr.softmax_of_two(), {lr.a: 3, lr.b: 1}) == pytest.approx((sigmoid(2),) * 2)


half = Rational(1, 2)
BEATEN = {**lr.SEPARABLE, theta: [1, 0], lr.k: 1}
THREE = {lr.K: 3, lr.k: 2, lr.score: [0, 1, 2], lr.rates: [1, 3, 0], t: 0, lr.gamma: 2}


def test_what_beats_a_separating_vector_has_nearly_its_margin_in_numbers():
    # theta = 3 costs what 3 times the target costs; its first point has the margin 3.
    at = {n: 2, x: [[1], [-2]], y: [1, -1], lr.target: [1], lr.gamma: 1, c: 3}
    at |= {offset: 0, lr.target_offset: 0}
    left, right = sides(lr.widest_margin(), {**at, theta: [3], lr.k: 1})
    assert (left, right) == pytest.approx((math.exp(-3) / 2, 2 * math.exp(-3)))
    assert sides(lr.widest_margin(), {**at, theta: [3], lr.k: 2})[0] == pytest.approx(
        math.exp(-6) / 2
    )
    for hypothesis in (0, 2):  # the target separates; theta costs no more
        assert needed(lr.widest_margin(), BEATEN, hypothesis)


def test_the_softmax_loss_bends_and_falls_in_numbers():
    chances = [math.exp(s) / (1 + math.e + math.e**2) for s in (0, 1, 2)]
    mean = chances[0] + 3 * chances[1]
    variance = chances[0] + 9 * chances[1] - mean**2
    assert sides(lr.softmax_convex(), THREE) == pytest.approx((variance, 0))

    def loss(t):
        return math.log(math.exp(t) + math.exp(1 + 3 * t) + math.exp(2)) - (1 + 3 * t)

    h = 1e-3
    assert (loss(h) - 2 * loss(0) + loss(-h)) / h**2 == pytest.approx(variance, abs=1e-4)
    slope = (loss(h) - loss(-h)) / (2 * h)
    assert sides(lr.softmax_falls(), THREE) == pytest.approx(
        (slope, -2 * (1 - chances[1])), abs=1e-4
    )
    assert needed(lr.softmax_falls(), THREE, 2)


def test_the_weights_of_the_classes_sum_to_zero_in_numbers():
    theorem = lr.softmax_weights_sum_to_zero()
    at = {
        n: 1,
        lr.K: 2,
        lr.lam: 3,
        x: [[2]],
        lr.probability: {(1, 1): Rational(1, 4), (1, 2): Rational(3, 4)},
        lr.seen: {(1, 1): 1, (1, 2): 0},
        lr.classes: [[Rational(1, 2)], [Rational(-1, 2)]],
    }
    # 3 θ_1 = (1 - 1/4) · 2
    assert sides(theorem, at)[0] == [0]
    assert needed(theorem, at, 0)


score = dot(theta, point) + offset
each = (i, 1, n)
ONLY_OFFSET = {n: 1, x: [[0]], y: [1], theta: [0], offset: 0, u: [0], c: 1, t: 0}
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
    (lr.gradient, {}, Sum(y[i] * (1 - logistic(margins[i])) * x[i], each)),
    (lr.gradient, {}, -Sum(y[i] * logistic(margins[i]) * x[i], each)),
    (lr.gradient_offset, {}, -Sum(1 - logistic(margins[i]), each)),
    (lr.gradient_offset, {}, Sum(y[i] * (1 - logistic(margins[i])), each)),
    (lr.slope, {}, logistic(z)),
    (lr.slope, {}, logistic(z) ** 2),
    (lr.hessian, PAIR, Sum(dot(x[i], u) ** 2, each)),
    (lr.second_derivative, {}, Sum(lr.curvature(t, i) * along[i], each)),
    (lr.penalised_curvature, {}, lr.BEND + lr.penalty * norm2(u) / 2),
    (lr.margin_on_a_line, {}, margins[i] + t * y[i] * dot(x[i], u)),
    (lr.strictly_convex, {**PAIR, lr.k: 1}, 1),
    (lr.penalised_weights, {**PAIR, lr.penalty: 1}, 2 * lr.penalty * norm2(u)),
    (lr.tanh_identity, {}, 2 * logistic(z) - 1),
    (lr.loss_dominates, {z: -1}, 1),
    # the natural logarithm does not dominate the 0-1 loss (erratum-004-logistic-base-two)
    (lr.likelihood, {}, Sum(log(1 + exp(margins[i])), each)),
    # erratum-003-exercise36-brackets: the minus sign has to reach both terms
    (lr.cross_entropy, lr.EVEN, t * log(1 + exp(-z)) - (1 - t) * log(1 + exp(z))),
    (
        lr.gaussian_log_odds,
        {},
        # erratum-002-logistic-weight-underbrace: half of the weight is missing
        dot(lr.mu_1 - lr.mu_0, point) / 2
        + (norm2(lr.mu_0) - norm2(lr.mu_1)) / 2
        + log(lr.pi_1 / lr.pi_0),
    ),
    (
        lr.gaussian_log_odds,
        {},
        dot(lr.mu_1 - lr.mu_0, point) + (norm2(lr.mu_0) - norm2(lr.mu_1)) / 2,
    ),
    (lr.at_most_a_quarter, {}, Rational(1, 5)),
    (lr.curvature_bound, ONLY_OFFSET, Sum((norm2(x[i]) + 1) * (norm2(u) + c**2) / 5, each)),
    # the offset is forgotten
    (lr.curvature_bound, PAIR, Sum(norm2(x[i]) * norm2(u) / 4, each)),
    (lr.under_a_parabola, {}, log(1 + exp(-lr.margin)) - logistic(-lr.margin) * lr.s),
    (lr.infimum, lr.SEPARABLE, exp(-c * lr.gamma) / 2),
    (lr.falls_along_a_separator, lr.SEPARABLE, -lr.gamma * n),
    (lr.softmax_of_two, {}, logistic(lr.b - lr.a)),
    (lr.cross_entropy_least, {lr.p: Rational(1, 2), lr.q: Rational(1, 4)}, log(2)),
    (lr.hessian, PAIR, 1),
    (lr.softmax_convex, {lr.k: 1, lr.K: 2}, 1),
    (lr.loss_above_half_exponential, {z: 0}, log(1 + exp(-z)) - Rational(1, 4)),
    (lr.widest_margin, BEATEN, exp(-c * lr.gamma) / 4),
    (lr.newton_is_irls, lr.TWO_TO_ONE, 0),
    (lr.softmax_falls, THREE, -2 * lr.gamma),
]


@pytest.mark.parametrize(("theorem", "witness", "right"), WRONG)
def test_a_wrong_right_side_is_refused_with_a_counterexample(theorem, witness, right):
    assert refuted(theorem(), witness, right)


def test_the_loss_is_not_concave():
    assert refuted(lr.hessian(), PAIR, 0, "<=")


def test_the_hypotheses_are_needed():
    assert needed(lr.steeper(), {z: 1, c: 2}, 0)
    assert needed(lr.steeper(), {z: 1, c: 2}, 1)
    assert needed(lr.falls_along_a_separator(), lr.SEPARABLE, 0)
    assert needed(lr.infimum(), lr.SEPARABLE, 0)


def test_labels_that_are_not_signs_change_the_second_derivative():
    with_squares, without_squares, _ = (s.expression for s in lr.hessian().steps)
    line = Derivation("labels", witness=PAIR)
    with pytest.raises(WrongStep) as refusal:
        line.start(with_squares).equals(without_squares, because="without the signs")
    assert refusal.value.counterexample


def test_a_step_longer_than_the_curvature_allows_may_fail():
    theorem = lr.descent()
    witness = {**PAIR, lr.g: [-1, half], lr.g_0: 0, lr.L: 10, lr.penalty: 1}
    assert needed(theorem, witness, 2)
