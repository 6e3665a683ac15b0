"""The derivations about SVMs say what they should, and nothing near it that is false."""

from fractions import Fraction

import evaluator as ev
import pytest
from retelling import needed, refuted, sides, without

from mlnotes.proof import (
    Derivation,
    Eq,
    Ge,
    Gt,
    Le,
    Max,
    Rational,
    Sum,
    Unproved,
    WrongStep,
    dot,
    indicator,
    norm2,
    reals,
)
from mlnotes.theorems import support_vector_machines as svm
from mlnotes.theorems.support_vector_machines import (
    INSIDE,
    MARGIN,
    SOLUTION,
    C,
    alpha,
    c,
    dual,
    h,
    i,
    j,
    k,
    mu,
    n,
    optimum,
    primal,
    theta,
    theta_0,
    u,
    v,
    x,
    xi,
    y,
)

TOTAL = Sum(alpha[i], (i, 1, n))
QUADRATIC = Sum(alpha[i] * alpha[j] * y[i] * y[j] * dot(x[i], x[j]), (i, 1, n), (j, 1, n))
DUAL = TOTAL - Rational(1, 2) * QUADRATIC
SPAN = Sum(alpha[i] * y[i] * x[i], (i, 1, n))
HALF = Rational(1, 2)
COST = norm2(theta) / 2 + C * Sum(xi[i], (i, 1, n))
FULL = {**SOLUTION, C: HALF}
STATEMENTS = [
    (svm.hard_weak_duality, Le(dual(alpha), HALF * norm2(theta))),
    (svm.soft_weak_duality, Le(dual(alpha), primal(theta, xi))),
    (svm.hard_zero_gap, Eq(dual(alpha), HALF * norm2(theta))),
    (svm.norm_is_sum, Eq(norm2(theta), TOTAL)),
    (svm.dual_concave, Ge(QUADRATIC, 0)),
    (svm.dual_box, Le(alpha[k], C)),
    (svm.hard_kkt, Eq(MARGIN, 1)),
    (svm.kkt_zero, Ge(MARGIN, 1)),
    (svm.kkt_between, Eq(MARGIN, 1)),
    (svm.kkt_full, Le(MARGIN, 1)),
    (svm.kkt_beyond, Eq(alpha[k], 0)),
    (svm.kkt_inside, Eq(alpha[k], C)),
    (svm.slack_is_hinge, Eq(xi[k], Max(0, 1 - MARGIN))),
    (svm.soft_zero_gap, Eq(primal(theta, xi), dual(alpha))),
    (svm.large_price, Le(HALF * norm2(theta), primal(u, xi))),
    (svm.unique_weights, Eq(u, v)),
    (svm.shorter_mean, Eq(u, v)),
    (svm.kkt_optimal, Le(primal(theta, xi), primal(u, svm.eta))),
    (svm.second_offset, Le(alpha[k] * (svm.OTHER - 1), 0)),
    (svm.unique_offset, Eq(c, theta_0)),
    (svm.slack_falls, Le(svm.losses(v, c), svm.losses(u, svm.b))),
    (svm.norm_grows, Le(norm2(u), norm2(v))),
    (svm.hinge_dominates, Ge(Max(0, 1 - svm.z), 1)),
    (svm.slack_none, Eq(Max(0, 1 - svm.z), 0)),
    (svm.slack_violation, Eq(Max(0, 1 - svm.z), 1 - svm.z)),
    (svm.nearby, Gt(svm.label * (dot(theta, svm.point) + (theta_0 + svm.t)), 0)),
]


def position(theorem, name):
    """Return where a hypothesis stands among those that a theorem states."""
    return [h.name for h in theorem.stated].index(name)


@pytest.mark.parametrize(("derive", "statement"), STATEMENTS)
def test_statement(derive, statement):
    theorem = derive()
    assert theorem.statement == statement
    assert theorem.mark == "proved"
    assert theorem.assumptions == ()


def test_the_page_defines_what_it_abbreviates():
    at = {**SOLUTION, alpha: [2, 1, 3], xi: [1, 2, 0], theta: [2, 1]}
    for short, written in ((dual(alpha), DUAL), (primal(theta, xi), COST)):
        assert ev.evaluate(short, at) == ev.evaluate(written, at)


@pytest.mark.parametrize("derive", [svm.hard_dual, svm.soft_dual, svm.duality_gap])
def test_the_duals_hold_for_any_number_of_points_in_any_dimension(derive):
    assert derive().scope == "any n, any dimension"
    # One class alone: the multipliers cannot balance, and the offset is felt.
    alone = {**SOLUTION, n: 1, x: [[1, 0]], y: [1], alpha: [1], mu: [0], theta_0: 2, xi: [0]}
    assert needed(derive(), alone, position(derive(), "dual balanced"))


def test_the_problems_are_shown_as_problems():
    shown = svm.soft.part("dual")
    assert r"\max_{\alpha}" in shown
    assert r"0 \le \alpha_{i} \le C" in shown
    assert r"\min_{\theta, \theta_{0}, \xi}" in svm.soft.part("problem")


def test_stationarity_is_an_expansion_of_the_lagrangian_itself():
    expansion = svm.stationary_in_weights().statement
    assert expansion.rhs == dot(theta - SPAN, h) + norm2(h) / 2
    left, right = sides(svm.stationary_in_weights(), {**SOLUTION, theta: [2, 5], h: [1, -3]})
    assert left == right


def test_duals_with_a_wrong_factor_or_sign_are_refused():
    square = norm2(theta - SPAN) / 2
    for wrong in (TOTAL - QUADRATIC, TOTAL + QUADRATIC / 2, QUADRATIC / 2 - TOTAL):
        assert refuted(svm.hard_dual(), SOLUTION, wrong + square)
        assert refuted(svm.soft_dual(), SOLUTION, wrong + square)
    assert refuted(svm.hard_dual(), {**SOLUTION, theta: [0, 0]}, dual(alpha))


def test_eliminating_the_slacks_needs_their_stationarity():
    theorem = svm.soft_dual()
    wrong = {**SOLUTION, xi: [1, 0, 0], mu: [0, 0, 0]}
    assert needed(theorem, wrong, position(theorem, "shared"))


def test_the_gap_has_three_parts_and_none_may_be_left_out():
    theorem = svm.duality_gap()
    at = {**SOLUTION, theta: [1, 2], alpha: [HALF, HALF, 0], xi: [1, 1, 0], theta_0: 1}
    left, right = sides(theorem, at)
    assert left == right
    square = HALF * norm2(theta - SPAN)
    touching = Sum(svm.residual(i), (i, 1, n))
    unpaid = Sum(svm.unpaid(i), (i, 1, n))
    for parts in (square + touching, square + unpaid, touching + unpaid):
        assert refuted(theorem, at, parts)


@pytest.mark.parametrize("name", ["problem margins", "problem slacks", "dual box"])
def test_weak_duality_needs_feasible_planes_and_multipliers(name):
    theorem = svm.soft_weak_duality()
    wrong = {
        "problem margins": {**SOLUTION, theta: [0, 0]},
        "problem slacks": {**SOLUTION, theta: [3, 0], xi: [-2, -2, -2], C: 9},
        "dual box": {**SOLUTION, theta: [0, 0], xi: [1, 1, 1], C: Rational(1, 10)},
    }[name]
    assert needed(theorem, wrong, position(theorem, name))


def test_a_full_multiplier_does_not_put_a_point_strictly_inside():
    assert refuted(svm.kkt_full(), FULL, 1, "<")
    assert refuted(svm.kkt_zero(), {**SOLUTION, k: 3}, 1, "==")


def at_an_optimum(**more):
    return [*optimum.given, *svm.HERE.values(), *more.values()]


def test_a_point_on_the_margin_may_have_no_multiplier():
    line = Derivation(
        "on the margin",
        given=at_an_optimum(on=Eq(MARGIN, 1)),
        witness={**SOLUTION, x: [[1, 0], [-1, 0], [1, 5]], k: 3},
    ).start(alpha[k])
    with pytest.raises(WrongStep) as refusal:
        line.greater_than(0, because="printed: on the margin, so 0 < α < C")
    assert refusal.value.counterexample


def test_the_derivative_in_a_multiplier_need_not_vanish():
    line = Derivation("printed", given=at_an_optimum(), witness={**SOLUTION, k: 3})
    with pytest.raises(WrongStep):
        line.start(MARGIN - 1 + xi[k]).equals(0, because="printed: the derivative in α vanishes")


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("touching", {xi: [0, 0, 3]}),
        ("unpaid", {alpha: [0, 0, 0], xi: [0, 0, 3]}),
        ("problem margins", {alpha: [0, 0, 0], xi: [0, 0, 0]}),
    ],
)
def test_the_hinge_needs_feasibility_and_both_slackness_conditions(name, change):
    theorem = svm.slack_is_hinge()
    assert needed(theorem, {**INSIDE, **change}, position(theorem, name))


def test_strong_duality_is_not_claimed_without_complementary_slackness():
    theorem = svm.hard_zero_gap()
    slack = {**SOLUTION, theta_0: 1, alpha: [1, 1, 0], theta: [2, 0]}
    assert needed(theorem, slack, position(theorem, "complementary"))
    theorem = svm.soft_zero_gap()
    for name, wrong in (
        ("touching", {**SOLUTION, theta: [2, 0], alpha: [1, 1, 0]}),
        ("unpaid", {**SOLUTION, theta: [0, 0], alpha: [0, 0, 0], xi: [1, 1, 1]}),
    ):
        assert needed(theorem, wrong, position(theorem, name))


def test_uniqueness_needs_two_solutions():
    theorem = svm.unique_weights()
    for name in ("first best", "second best", "second feasible"):
        assert without(theorem, svm.PAIR, position(theorem, name))
    with pytest.raises((Unproved, WrongStep)):
        Derivation("offsets", given=list(theorem.given), witness=svm.PAIR).start(svm.b).equals(
            c, because="claimed: the offset is unique too"
        )


def test_only_total_slack_and_norm_are_monotone_in_the_price():
    theorem = svm.slack_falls()
    assert [h.name for h in theorem.stated][:3] == ["cheap", "dear", "dearer"]
    for name in ("cheap", "dear", "dearer"):
        assert without(theorem, svm.DEARER, position(theorem, name))
    with pytest.raises((Unproved, WrongStep)):
        Derivation("strictly", given=list(theorem.given), witness=svm.DEARER).start(
            svm.losses(v, c)
        ).less_than(svm.losses(u, svm.b), because="claimed: a higher price always buys")


def test_a_price_below_the_largest_multiplier_may_be_paid():
    theorem = svm.large_price()
    cheap = {**SOLUTION, C: Rational(1, 10), u: [0, 0], c: 0, xi: [1, 1, 1]}
    assert needed(theorem, cheap, position(theorem, "prices"))


def test_the_best_move_of_two_multipliers_is_attained():
    theorem = svm.two_multipliers()
    # From zero multipliers, the pair at ±1 moves by s/κ = 2/4.
    best = {**svm.SWAPPED, alpha: [0, 0, 0], svm.new: [HALF, HALF, 0], svm.s: 2, svm.curvature: 4}
    assert sides(theorem, best) == (Fraction(1, 2),) * 2
    assert refuted(theorem, best, svm.s**2 / (4 * svm.curvature))
    assert needed(theorem, {**best, svm.curvature: 8}, position(theorem, "curvature"))


def test_the_slope_of_the_hinge_points_from_the_point_and_only_below_margin_one():
    theorem = svm.hinge_subgradient()
    assert theorem.scope == "any dimension"
    at = {svm.label: 1, theta: [0], v: [2], svm.point: [1]}
    assert sides(theorem, at) == (0, -1)
    printed = Max(0, 1 - svm.label * dot(theta, svm.point)) + dot(svm.label * svm.point, v - theta)
    assert refuted(theorem, at, printed)
    assert needed(theorem, {**at, theta: [2], v: [0]}, 0)


def test_a_visit_needs_weights_of_the_right_length():
    theorem = svm.one_visit()
    at = {svm.t: 2, C: 3, n: 1, u: [1, 0], theta: [3, 0], v: [0, 1]}
    left, right = theorem.statement.parts
    assert left.has(theta)
    assert not right.has(theta)
    assert needed(theorem, {**at, theta: [4, 0]}, 1)
    assert refuted(theorem, at, C * n * (u + v) / (svm.t + 1))


def test_the_distance_is_attained_at_the_foot():
    foot = svm.foot_of_the_perpendicular()
    assert sides(foot, {theta: [3, 4], svm.point: [5, 5], theta_0: 1}) == (0, 0)
    at = {theta: [3, 4], svm.point: [3, 4], svm.on_plane: [0, 0], theta_0: 0}
    assert sides(svm.distance(), at) == (625, 625)


@pytest.mark.parametrize(("label", "shift"), [(1, -2), (-1, 2)])
def test_a_plane_may_not_be_moved_by_its_whole_margin(label, shift):
    on_the_plane = {
        svm.label: label,
        theta: [1, 0],
        svm.point: [2 * label, 0],
        theta_0: 0,
        svm.gamma: 2,
        svm.t: shift,
    }
    assert needed(svm.nearby(), on_the_plane, position(svm.nearby(), "shift"))


def test_a_slack_tells_on_which_side_of_its_margin_a_point_is():
    assert needed(svm.slack_none(), {svm.z: HALF}, 0)
    assert needed(svm.slack_violation(), {svm.z: 2}, 0)


def test_the_offset_needs_balance_a_multiplier_and_a_plane_that_separates():
    theorem = svm.unique_offset()
    moved = {**SOLUTION, c: HALF, k: 1}
    # The second plane with offset ½ cuts into the margin of the point at -1.
    assert needed(theorem, moved, position(theorem, "second"))
    # One class alone: nothing holds the plane from the other side.
    alone = {**moved, n: 1, x: [[1, 0]], y: [1], alpha: [1]}
    assert needed(theorem, alone, position(theorem, "dual balanced"))
    # No multiplier decides nothing.
    assert needed(theorem, {**alone, alpha: [0]}, position(theorem, "positive"))


def test_the_zero_one_loss_is_not_convex() -> None:
    u, v = reals("u v")
    chord = (indicator(Le(u, 0)) + indicator(Le(v, 0))) / 2
    with pytest.raises(WrongStep):
        Derivation("chord").start(indicator(Le((u + v) / 2, 0))).at_most(chord, because="claimed")
