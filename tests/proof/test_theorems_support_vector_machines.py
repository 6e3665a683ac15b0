"""The derivations about SVMs say what they should, and nothing near it that is false."""

import pytest
from retelling import needed, refuted, sides

from mlnotes.proof import (
    Derivation,
    Eq,
    Ge,
    Gt,
    Le,
    Max,
    Rational,
    Sum,
    WrongStep,
    dot,
    indicator,
    norm2,
    reals,
)
from mlnotes.theorems import support_vector_machines as svm
from mlnotes.theorems.support_vector_machines import (
    INSIDE,
    KKT,
    MARGIN,
    SOLUTION,
    C,
    alpha,
    b,
    h,
    i,
    j,
    k,
    mu,
    n,
    w,
    x,
    xi,
    y,
)

TOTAL = Sum(alpha[i], (i, 1, n))
QUADRATIC = Sum(alpha[i] * alpha[j] * y[i] * y[j] * dot(x[i], x[j]), (i, 1, n), (j, 1, n))
DUAL = TOTAL - Rational(1, 2) * QUADRATIC
SPAN = Sum(alpha[i] * y[i] * x[i], (i, 1, n))
HALF = Rational(1, 2)
FULL = {**SOLUTION, C: HALF, mu: [0, 0, HALF], k: 1}
STATEMENTS = [
    (svm.hard_weak_duality, Le(DUAL, norm2(w) / 2)),
    (svm.soft_weak_duality, Le(DUAL, norm2(w) / 2 + C * Sum(xi[i], (i, 1, n)))),
    (svm.hard_zero_gap, Eq(DUAL, norm2(w) / 2)),
    (svm.norm_is_sum, Eq(norm2(w), TOTAL)),
    (svm.dual_concave, Ge(QUADRATIC, 0)),
    (svm.dual_box, Le(alpha[k], C)),
    (svm.hard_kkt, Eq(MARGIN, 1)),
    (svm.kkt_zero, Ge(MARGIN, 1)),
    (svm.kkt_between, Eq(MARGIN, 1)),
    (svm.kkt_full, Le(MARGIN, 1)),
    (svm.kkt_beyond, Eq(alpha[k], 0)),
    (svm.kkt_inside, Eq(alpha[k], C)),
    (svm.slack_is_hinge, Eq(xi[k], Max(0, 1 - MARGIN))),
    (svm.soft_zero_gap, Eq(DUAL, norm2(w) / 2 + C * Sum(xi[i], (i, 1, n)))),
    (svm.large_price, Le(norm2(w) / 2, norm2(svm.u) / 2 + C * Sum(xi[i], (i, 1, n)))),
    (svm.unique_weights, Eq(svm.u, svm.v)),
    (svm.second_offset, Le(alpha[k] * (svm.SECOND - 1), 0)),
    (svm.unique_offset, Eq(svm.c, b)),
    (svm.norm_grows, Le(svm.a1, svm.a2)),
    (svm.hinge_dominates, Ge(Max(0, 1 - svm.z), 1)),
    (svm.slack_none, Eq(Max(0, 1 - svm.z), 0)),
    (svm.slack_violation, Eq(Max(0, 1 - svm.z), 1 - svm.z)),
    (svm.nearby, Gt(svm.label * (dot(svm.u, svm.point) + (svm.c + svm.shift)), 0)),
]


@pytest.mark.parametrize(("derive", "statement"), STATEMENTS)
def test_statement(derive, statement):
    theorem = derive()
    assert theorem.statement == statement
    assert theorem.mark == "proved"
    assert theorem.assumptions == ()


@pytest.mark.parametrize("derive", [svm.hard_dual, svm.soft_dual, svm.hard_zero_gap])
def test_the_duals_hold_for_any_number_of_points_in_any_dimension(derive):
    assert derive().scope == "any n, any dimension"
    assert derive().statement.parts[0 if derive is svm.hard_zero_gap else 1] == DUAL


def test_stationarity_is_an_expansion_of_the_lagrangian_itself():
    expansion = svm.stationary_in_w().statement
    assert expansion.rhs == dot(w - SPAN, h) + norm2(h) / 2
    left, right = sides(svm.stationary_in_w(), {**SOLUTION, w: [2, 5], h: [1, -3]})
    assert left == right


def test_duals_with_a_wrong_factor_or_sign_are_refused():
    for wrong in (TOTAL - QUADRATIC, TOTAL + QUADRATIC / 2, QUADRATIC / 2 - TOTAL):
        assert refuted(svm.hard_dual(), SOLUTION, wrong)
        assert refuted(svm.soft_dual(), SOLUTION, wrong)


def test_eliminating_b_and_the_slacks_needs_their_stationarity():
    assert needed(svm.hard_dual(), {**SOLUTION, b: 2, alpha: [1, 0, 0]}, 1)
    assert needed(svm.soft_dual(), {**SOLUTION, xi: [1, 0, 0]}, 2)


def test_a_full_multiplier_does_not_put_a_point_strictly_inside():
    assert refuted(svm.kkt_full(), FULL, 1, "<")
    assert refuted(svm.kkt_zero(), {**SOLUTION, k: 3}, 1, "==")


def test_a_point_on_the_margin_may_have_no_multiplier():
    line = Derivation(
        "on the margin",
        given=[*KKT, Eq(MARGIN, 1)],
        witness={**SOLUTION, x: [[1, 0], [-1, 0], [1, 5]], k: 3},
    ).start(alpha[k])
    with pytest.raises(WrongStep) as refusal:
        line.greater_than(0, because="printed: on the margin, so 0 < α < C")
    assert refusal.value.counterexample


def test_the_derivative_in_a_multiplier_need_not_vanish():
    line = Derivation("printed", given=list(KKT), witness={**SOLUTION, k: 3}).start(
        MARGIN - 1 + xi[k]
    )
    with pytest.raises(WrongStep):
        line.equals(0, because="printed: the derivative in α vanishes")


@pytest.mark.parametrize("position", [5, 6, 7])
def test_the_hinge_needs_stationarity_and_both_slackness_conditions(position):
    witness = {**INSIDE, xi: [0, 0, 3]} if position != 5 else {**INSIDE, mu: [0, 0, 0]}
    if position == 6:
        witness = {**witness, mu: [0, 0, 0], alpha: [0, 0, 1]}
    if position == 7:
        witness = {**witness, alpha: [0, 0, 0], mu: [1, 1, 1]}
    if position == 5:
        witness = {**witness, alpha: [0, 0, 0], xi: [0, 0, 3]}
    assert needed(svm.slack_is_hinge(), witness, position)


def test_strong_duality_is_not_claimed_without_complementary_slackness():
    assert needed(svm.hard_zero_gap(), {**SOLUTION, b: 1, alpha: [1, 1, 0], w: [2, 0]}, 2)
    assert Gt(C, 0) in svm.kkt_full().given


@pytest.mark.parametrize(("position", "u", "v"), [(0, 3, 1), (1, 1, 3), (2, 1, -1)])
def test_uniqueness_needs_equal_costs_and_an_optimal_mean(position, u, v):
    free = {**svm.PAIR, C: 0, svm.value: HALF, svm.u: [u], svm.v: [v]}
    assert needed(svm.unique_weights(), free, position)


def test_only_total_slack_and_norm_are_monotone_in_the_price():
    assert refuted(svm.slack_falls(), svm.DEARER, svm.s1, "==")
    one_price = {svm.C1: 1, svm.C2: 1, svm.a1: 1, svm.s1: 0, svm.a2: 0, svm.s2: 1}
    assert needed(svm.slack_falls(), one_price, 1)


def test_a_price_below_the_largest_multiplier_may_be_paid():
    theorem = svm.large_price()
    cheap = {**SOLUTION, C: Rational(1, 10), svm.u: [0, 0], svm.c: 0, xi: [1, 1, 1]}
    assert needed(theorem, cheap, 4)


def test_the_best_move_of_two_multipliers_is_attained():
    left, right = sides(svm.two_multipliers(), {svm.step: 2, svm.d: 6, svm.curvature: 3})
    assert left == right == 6
    assert refuted(svm.two_multipliers(), {}, svm.d**2 / (4 * svm.curvature))


def test_the_slope_of_the_hinge_points_from_the_point_and_only_below_margin_one():
    theorem = svm.hinge_subgradient()
    assert theorem.scope == "any dimension"
    at = {svm.label: 1, svm.u: [0], svm.v: [2], svm.point: [1]}
    assert sides(theorem, at) == (0, -1)
    printed = Max(0, 1 - svm.label * dot(svm.u, svm.point)) + dot(
        svm.label * svm.point, svm.v - svm.u
    )
    assert refuted(theorem, at, printed)
    assert needed(theorem, {**at, svm.u: [2], svm.v: [0]}, 0)


def test_a_visit_needs_weights_of_the_right_length():
    theorem = svm.one_visit()
    at = {svm.visits: 2, C: 3, svm.total: [1, 0], w: [3, 0], svm.added: [0, 1]}
    left, right = theorem.statement.parts
    assert left.has(w)
    assert not right.has(w)
    assert needed(theorem, {**at, w: [4, 0]}, 1)
    assert refuted(theorem, at, C * (svm.total + svm.added) / (svm.visits + 1))


def test_the_distance_is_attained_at_the_foot():
    assert sides(svm.foot_of_the_perpendicular(), {svm.u: [3, 4], svm.point: [5, 5], svm.c: 1}) == (
        0,
        0,
    )
    at = {svm.u: [3, 4], svm.point: [3, 4], svm.foot: [0, 0], svm.c: 0}
    assert sides(svm.distance(), at) == (625, 625)


@pytest.mark.parametrize(("label", "shift", "position"), [(1, -2, 2), (-1, 2, 3)])
def test_a_plane_may_not_be_moved_by_its_whole_margin(label, shift, position):
    on_the_plane = {
        svm.label: label,
        svm.u: [1, 0],
        svm.point: [2 * label, 0],
        svm.c: 0,
        svm.gamma: 2,
        svm.shift: shift,
    }
    assert needed(svm.nearby(), on_the_plane, position)


def test_a_slack_tells_on_which_side_of_its_margin_a_point_is():
    assert needed(svm.slack_none(), {svm.z: HALF}, 0)
    assert needed(svm.slack_violation(), {svm.z: 2}, 0)


def test_the_offset_needs_balance_a_multiplier_and_a_plane_that_separates():
    theorem = svm.unique_offset()
    moved = {**SOLUTION, svm.c: HALF, k: 1}
    # The second plane with offset ½ cuts into the margin of the point at -1.
    assert needed(theorem, moved, 5)
    # One class alone: nothing holds the plane from the other side.
    alone = {**moved, n: 1, x: [[1, 0]], y: [1], alpha: [1]}
    assert needed(theorem, alone, 2)
    # No multiplier, or labels that are not ±1, decide nothing.
    assert needed(theorem, {**alone, alpha: [0]}, 6)


def test_the_zero_one_loss_is_not_convex() -> None:
    u, v = reals("u v")
    chord = (indicator(Le(u, 0)) + indicator(Le(v, 0))) / 2
    with pytest.raises(WrongStep):
        Derivation("chord").start(indicator(Le((u + v) / 2, 0))).at_most(chord, because="claimed")
