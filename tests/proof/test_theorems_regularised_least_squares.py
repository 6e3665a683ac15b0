"""What a penalty does to the weights: what was proved, and statements nearby that are refused."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from retelling import needed, refuted, sides, without

from mlnotes.proof import Abs, Max, dot, inverse, norm2
from mlnotes.theorems import regularised_least_squares as rls
from mlnotes.theorems.regularised_least_squares import (
    AXES,
    LASSO_ONE,
    NOISY,
    PIECE,
    SQUARES,
    a,
    b,
    c,
    d,
    e,
    lam,
    mu,
    mus,
    n,
    q,
    qs,
    r,
    sigma,
    theta,
    truth,
    u,
    v,
    w,
    y,
)

HALF = Fraction(1, 2)
COLUMNS = "any d, any dimension"
MATRICES = "any d, any n, any distribution on finitely many outcomes"
PROVED = [
    (rls.offset_by_centring, {"ones"}, "any d, any n, any dimension"),
    (rls.ridge_solution, {"normal"}, COLUMNS),
    (rls.ridge_is_stacked_least_squares, {"columns", "targets", "length"}, COLUMNS),
    (rls.ridge_bias, {"mean"}, MATRICES),
    (rls.ridge_mse, {"eigen", "unit", "basis", "mean", "white"}, MATRICES),
    (
        rls.ridge_wins,
        {"full rank", "eigen", "unit", "basis", "mean", "white", "small"},
        MATRICES,
    ),
    (rls.ridge_by_svd, {"product", "columns", "basis"}, "any d, any n"),
    (rls.penalised_is_constrained, {"penalised", "allowed"}, "any dimension"),
    (rls.soft_threshold, set(), "all reals"),
    (rls.lasso_optimality, {"bounded", "tight"}, COLUMNS),
    (rls.lasso_conditions_are_necessary, {"least", "column"}, "any dimension"),
    (rls.lasso_weights_are_tight, {"least", "column", "begun"}, "any dimension"),
    (rls.lasso_fit_is_unique, {"bounded", "tight", "as good"}, COLUMNS),
    (rls.lasso_gap, {"dual"}, COLUMNS),
    (rls.pursuit_gain, {"unit", "seen", "apart", "new"}, "any dimension"),
    (rls.below_one_is_no_norm, {"below one"}, "all reals"),
]


@pytest.mark.parametrize(("derive", "hypotheses", "scope"), PROVED)
def test_what_is_proved_supposes_no_more_than_it_says(derive, hypotheses, scope):
    theorem = derive()
    assert theorem.mark == "proved"
    sizes = {"n", "d"}
    signs = {h.name for h in theorem.stated} - hypotheses - sizes
    assert all(name.endswith(("positive", "nonnegative")) for name in signs)
    assert theorem.scope == scope


# One column (1, 1), targets (1, 3), one ridge weight at the price 2: (1 + 3)/(2 + 2) = 1.
ONE_COLUMN = {d: 1, y: [1, 3], a: [[1, 1]], theta: [1], w: [2], lam: 2}


def test_other_weights_are_worse_by_two_squares():
    assert sides(rls.ridge_solution(), ONE_COLUMN) == (10, 10)
    theorem = rls.ridge_solution()
    right = rls.ridge_objective(theta) + norm2(rls.MOVE)
    assert refuted(theorem, ONE_COLUMN, right)
    assert needed(theorem, {**ONE_COLUMN, theta: [0]}, 0)


def test_the_best_offset_is_a_mean_of_residuals():
    model = {n: 2, d: 1, e: [1, 1], y: [1, 4], a: [[0, 2]], theta: [1], rls.offset: 1}
    left, right = sides(rls.offset_by_centring(), model)
    assert left == right == 1
    moved = {**model, rls.offset: Fraction(3, 2)}
    assert sides(rls.offset_by_centring(), moved) == (HALF, HALF)


def test_the_damped_direction_is_that_of_numpy():
    X, truth_ = np.diag([1.0, 2.0]), np.array([1.0, 1.0])
    for price in (0.5, 1.0, 4.0):
        operator = np.linalg.solve(X.T @ X + price * np.eye(2), X.T)
        model = {
            **NOISY,
            **AXES,
            lam: Fraction(price),
        }
        left, right = sides(rls.ridge_mse(), model)
        variance = np.trace(operator @ operator.T)
        bias = operator @ X @ truth_ - truth_
        assert float(left) == pytest.approx(variance + bias @ bias)
        assert left == right


def test_a_small_penalty_wins_and_a_large_one_need_not():
    theorem = rls.ridge_wins()
    for price in (Fraction(1, 10), HALF, 1):
        left, right = sides(theorem, {**NOISY, **AXES, lam: price})
        assert left < right == Fraction(5, 4)
    ridge, plain = sides(theorem, {**NOISY, **AXES, lam: 10})
    assert ridge > plain


def test_the_bound_on_the_penalty_is_needed_in_one_direction():
    theorem = rls.ridge_wins_along()
    far = {rls.positive: 1, lam: 10, b: 2, sigma: 1}
    ridge, plain = sides(theorem, far)
    assert ridge > plain
    assert needed(theorem, far, 0)


def test_the_slope_at_no_penalty_is_negative():
    model = {d: 2, mus: [1, 2], rls.coordinates: [3, 5], sigma: 1, rls.small_penalty: 0}
    assert sides(rls.mse_falls_at_zero(), model)[1] == Fraction(-5, 2)


def test_the_bias_is_not_that_of_twice_the_penalty():
    theorem = rls.ridge_bias()
    right = -2 * lam * inverse(rls.penalised) * truth
    assert refuted(theorem, NOISY, right)


def test_a_penalty_is_a_constraint_and_a_dearer_one_a_tighter():
    assert needed(rls.penalised_is_constrained(), {**SQUARES, u: [1], v: [0]}, 0)
    squares = {
        rls.loss: lambda z: sum((x - 1) * (x - 1) for x in z),
        rls.size: lambda z: sum(x * x for x in z),
    }
    prices = {lam: 1, u: [HALF], rls.kappa: 3, v: [Fraction(1, 4)]}
    assert sides(rls.dearer_is_smaller(), squares | prices) == (Fraction(1, 16), Fraction(1, 4))


def test_ridge_weights_are_alone_within_their_budget():
    theorem = rls.ridge_is_best_within_its_budget()
    names = [h.name for h in theorem.stated]
    model = {**ONE_COLUMN, theta: [1], w: [1]}
    assert sides(theorem, model) == (0, 0)
    longer, worse = {**model, w: [2]}, {**model, w: [0]}
    assert needed(theorem, longer, names.index("budget"))
    assert needed(theorem, worse, names.index("as good"))


def test_the_length_of_the_ridge_weights_falls_with_the_price():
    one = {rls.X: [[1, 0], [0, 2]], n: 2, d: 2, rls.g: [[1], [1]], **AXES}
    lengths = [sides(rls.ridge_length(), {**one, lam: price}) for price in (1, 2)]
    assert lengths[0] == (Fraction(1, 4) + Fraction(4, 25),) * 2
    assert lengths[1] == (Fraction(1, 9) + Fraction(1, 9),) * 2
    assert refuted(rls.ridge_length(), {**one, lam: 1}, norm2(u))


def test_a_soft_threshold_is_neither_a_hard_one_nor_a_shrunk_one():
    theorem = rls.soft_threshold()
    for value in (-3, -1, HALF, 2):
        left, right = sides(theorem, {b: 1, c: value, lam: 1})
        assert left >= right
    shrunk = c / (1 + lam)
    right = (shrunk - c) ** 2 / 2 + lam * Abs(shrunk) + (b - shrunk) ** 2 / 2
    assert refuted(theorem, {b: 0, c: 1, lam: 1}, right)
    hard = Max(c - lam, 0)
    right = (hard - c) ** 2 / 2 + lam * Abs(hard) + (b - hard) ** 2 / 2
    assert refuted(theorem, {b: -2, c: -3, lam: 1}, right)


def test_weights_of_the_lasso_are_optimal_by_half_the_square_of_the_change():
    theorem = rls.lasso_optimality()
    assert sides(theorem, LASSO_ONE) == (2, 2)
    slack = {**LASSO_ONE, theta: [HALF]}
    assert needed(theorem, slack, 0, 1)
    right = rls.lasso_objective(theta) + norm2(rls.MOVE)
    assert refuted(theorem, LASSO_ONE, right)


def test_twins_share_a_fit_and_not_their_weights():
    twins = {**rls.TWINS, theta: [HALF, HALF], w: [0, 1]}
    assert sides(rls.lasso_fit_is_unique(), twins) == ([1], [1])


def test_a_step_up_pays_where_the_column_is_steep():
    steep = {u: [1], r: [3], lam: 1, b: 0}
    left, right = sides(rls.lasso_conditions_are_necessary(), steep)
    assert left > right
    slack = {u: [1], r: [0], lam: 1, b: 1}
    assert sides(rls.lasso_weights_are_tight(), slack)[0] > 0


def test_between_two_knots_the_weights_are_mixed():
    theorem = rls.path_is_linear()
    model = {**PIECE, rls.other: [0]}
    left, right = sides(theorem, model)
    assert (left, right) == (Fraction(9, 2), Fraction(27, 8))
    best = {**model, rls.other: [Fraction(3, 2)]}
    assert sides(theorem, best) == (Fraction(27, 8), Fraction(27, 8))
    other_sign = {**PIECE, w: [-2], rls.other: [0]}
    left, right = sides(theorem, {**other_sign, y: [3]})
    assert right != Fraction(27, 8)


def test_a_step_of_pursuit_gains_the_squared_correlation_at_least():
    tilted = {u: [Fraction(3, 5), 0, 0], v: [0, Fraction(4, 5), 0], r: [0, 1, 1]}
    left, right = sides(rls.pursuit_gain(), tilted)
    assert (left, right) == (1, Fraction(34, 25))
    left, right = sides(rls.pursuit_gain(), {**tilted, r: [1, 1, 1]})
    assert left > right  # where the residual is not perpendicular to the columns chosen before


def test_rotated_columns_need_a_rotated_residual():
    theorem = rls.rotated_correlations()
    model = {**rls.TWO, rls.rotation: [[0, 1], [1, 0]], rls.g: [[1], [0]]}
    left, right = sides(theorem, model)
    assert left == right
    wrong = (rls.rotation * rls.X).T * rls.g
    assert refuted(theorem, model, wrong)


def test_one_example_moves_the_minimum_by_its_slope_over_the_price():
    # Alone the penalty has its minimum at 0; a loss that falls with the slope 3 moves it to 3/λ.
    theorem = rls.penalised_solutions_are_stable()
    model = {
        **{rls.rest: lambda z: 0 * norm2(z), rls.loss: lambda z: -3 * dot(z, [1])},
        **{u: [6], v: [0], lam: HALF, rls.bound: 3},
    }
    assert sides(theorem, model) == (6, 6)
    names = [h.name for h in theorem.stated]
    for name, change in (("all", {u: [7]}), ("without", {v: [-1]})):
        left, right = sides(theorem, {**model, **change})
        assert left > right
        assert without(theorem, {**model, **change}, names.index(name))


def test_below_one_the_diagonal_is_longer_than_the_way_around():
    left, right = sides(rls.below_one_is_no_norm(), {rls.power: HALF})
    assert (left, right) == (4, 2)
    assert sides(rls.below_one_is_no_norm(), {rls.power: 1}) == (2, 2)


def test_similar_columns_have_similar_weights():
    model = {
        u: [1, 0],
        v: [Fraction(3, 5), Fraction(4, 5)],
        r: [1, 0],
        y: [2, 0],
        lam: 1,
        b: 1,
        c: Fraction(3, 5),
        rls.rho: Fraction(3, 5),
    }
    left, right = sides(rls.ridge_equalises(), model)
    assert left == Fraction(2, 5)
    assert float(right) == pytest.approx(2 * np.sqrt(0.8))


def test_white_noise_has_the_variance_of_its_reader():
    model = {n: 2, rls.noise: NOISY[rls.noise], sigma: 1, rls.g: [[1], [2]], c: 3}
    assert sides(rls.white_square(), model) == (14, 14)
    theorem = rls.white_square()
    without_number = sigma**2 * rls.squared(rls.g)
    assert refuted(theorem, model, without_number)


def test_eigenvectors_are_damped_one_by_one():
    for axis, value in (([[1], [0]], 1), ([[0], [1]], 4)):
        model = {**rls.TWO, q: axis, mu: value}
        left, right = sides(rls.ridge_damps(), model)
        assert left == right
        assert max(entry for row in right for entry in row) == Fraction(value, value + 1)
    assert sides(rls.parseval(), {d: 2, qs: AXES[qs], truth: [[3], [4]]}) == (25, 25)


def test_a_column_that_catches_up_enters_with_its_sign_and_one_that_leaves_falls_behind():
    # Two columns of length one with the correlation 3/5, both with positive correlations.
    names = {u: [Fraction(3, 5), 0], v: [0, Fraction(4, 5)], r: [1, 0]}
    both = {**names, rls.speed: Fraction(5, 8), rls.signed: 1}
    assert sides(rls.speeds_of_an_event(), both) == (Fraction(2, 5), Fraction(2, 5))
    for wrong in (0, 1 + dot(u + v, r), dot(u + v, r)):
        assert refuted(rls.speeds_of_an_event(), both, wrong)
    given = [h.name for h in rls.speeds_of_an_event().stated]
    assert needed(rls.speeds_of_an_event(), {**both, rls.speed: 1}, given.index("with"))


def test_correlations_of_active_columns_fall_together():
    left, right = sides(
        rls.lars_step(),
        {**rls.ONE, rls.s: [1], rls.delta: [1], rls.gamma: HALF, rls.i: 1},
    )
    assert left == right == HALF
