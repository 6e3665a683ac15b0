"""The rates of gradient descent are what they should be, and nothing near them is true."""

from fractions import Fraction

import pytest
from retelling import refuted, sides

from mlnotes.proof import Rational
from mlnotes.theorems import gradient_descent as gd
from mlnotes.theorems.gradient_descent import BOWL, L, eta, f, g, k, mu, n, theta, z

HALF = Rational(1, 2)
PROVED = [
    (gd.one_step_descends, {"smooth"}),
    (gd.step_towards_any_point, {"smooth", "convex", "short"}),
    (gd.sublinear_rate, {"smooth", "convex", "short", "steps"}),
    (gd.gap_below_slope, {"strong"}),
    (gd.linear_rate, {"smooth", "strong", "steps", "order"}),
    (gd.squared_slopes_are_paid_for, {"smooth", "short", "steps"}),
    (gd.lipschitz_gives_parabola, {"convex", "lipschitz"}),
    (gd.parabola_gives_lipschitz, {"smooth", "convex"}),
    (gd.steepest_up_to_second_order, {"smooth", "convex", "slope", "unit"}),
    (gd.penalty_makes_strongly_convex, {"convex"}),
    (gd.robbins_monro, {"steps", "subgradients", "bounded", "best", "squares"}),
    (gd.subgradient_bound, {"steps", "subgradients", "bounded", "best"}),
]


def half_square(v):
    return sum(entry * entry for entry in v) / 2


def itself(v):
    return v


RUN = {**BOWL, f: half_square, g: itself}


@pytest.mark.parametrize(("derive", "hypotheses"), PROVED)
def test_rates_are_proved_from_smoothness_and_convexity_alone(derive, hypotheses):
    theorem = derive()
    assert theorem.mark == "proved"
    signs = {h.name for h in theorem.stated} - hypotheses
    assert all(name.endswith(("positive", "nonnegative")) for name in signs)
    assert "any dimension" in theorem.scope


def test_one_step_of_length_one_reaches_the_minimum_of_half_a_square():
    assert sides(gd.one_step_descends(), RUN) == (0, 0)
    assert sides(gd.short_step_descends(), {**RUN, eta: HALF}) == (0.125, 0.25)
    assert sides(gd.sublinear_rate(), RUN) == (0, 0.5)


def test_a_step_of_twice_the_length_gains_nothing_and_a_longer_one_loses():
    assert sides(gd.one_step_descends(), {**RUN, eta: 2}) == (0.5, 0.5)
    after, before = sides(gd.short_step_descends(), {**RUN, eta: 3})
    assert after > before  # without the hypothesis that the step is short


def test_the_linear_rate_is_attained_by_a_parabola():
    # Half a square has the curvatures one and two between which its own lies.
    quarter = {**RUN, L: 2, mu: 1, theta: {0: [1], 1: [HALF]}, k: 1}
    assert sides(gd.linear_rate(), quarter) == (0.125, 0.25)
    assert sides(gd.gap_below_slope(), RUN) == (0, 0)


def test_a_run_of_subgradient_steps():
    at_corner = {
        f: lambda v: abs(v[0].mid), k: 2, z: [0], gd.G: 1, gd.best: 0,
        gd.rates: [1, 1], theta: {0: [1], 1: [0], 2: [-1]},
    }  # fmt: skip
    assert sides(gd.subgradient_bound(), at_corner) == (0, 0.75)
    assert sides(gd.robbins_monro(), {**at_corner, gd.budget: 3}) == (0, 1)
    not_the_best = {**at_corner, gd.best: 1}
    value, bound = sides(gd.subgradient_bound(), not_the_best)
    assert value > bound


def test_the_parabola_of_a_lipschitz_gradient_is_approached_piece_by_piece():
    far = {**RUN, gd.u: [0], gd.v: [2]}
    theorem = gd.lipschitz_gives_parabola()
    assert [sides(theorem, {**far, gd.m: m})[1] for m in (1, 2, 4)] == [4, 3, 2.5]
    assert sides(theorem, {**far, gd.m: 4})[0] == 2  # so no curvature below L would do


def test_a_short_run_pays_for_its_slopes():
    two = {**RUN, eta: HALF, k: 2, theta: {0: [1], 1: [HALF], 2: [HALF / 2]}}
    paid, descended = sides(gd.squared_slopes_are_paid_for(), two)
    assert paid == 0.3125 < descended == 0.46875


def test_another_direction_beats_the_steepest_one_by_less_than_the_parabola():
    on_half_a_square = {**RUN, eta: 1, gd.at: [2, 0], gd.direction: [0, 1]}
    assert sides(gd.steepest_up_to_second_order(), on_half_a_square) == (0.5, 3)
    same = {**on_half_a_square, gd.direction: [-1, 0]}
    assert sides(gd.steepest_up_to_second_order(), same) == (0.5, 1)


def test_a_run_on_a_parabola_turns_at_one_over_its_curvature_and_leaves_at_two():
    def run(rate):
        places = {0: 1, 3: (1 - rate) ** 3}
        model = {eta: rate, gd.curvature: 1, k: 3, gd.place: places}
        left, right = sides(gd.run_on_a_parabola(), model)
        assert left == right
        return right

    reached = [run(rate) for rate in (HALF, 1, Rational(3, 2), 2, 3)]
    assert reached == [0.125, 0, -0.125, -1, -8]
    s = gd.reals("s")
    change = [sides(gd.step_too_long(), {eta: e, gd.curvature: 1, s: 1})[0] for e in (1, 2, 3)]
    assert change == [-0.5, 0, 1.5]


def test_a_penalty_bends_a_plane_up():
    plane = {f: lambda v: v[0], g: lambda v: [1], gd.u: [0], gd.v: [1], gd.price: 1}
    # attained, so that the constant of strong convexity is the price and no more
    assert sides(gd.penalty_makes_strongly_convex(), plane) == (1.5, 1.5)


def test_the_mean_progress_of_a_stochastic_step():
    values = {
        n: 2, gd.at: [1], z: [0], eta: HALF, gd.G: 2, gd.example_slope: [[2], [0]],
        gd.parts: lambda number, v: v[0] * v[0] if number == 1 else 0,
    }  # fmt: skip
    theorem = gd.one_stochastic_step()
    assert {h.name for h in theorem.stated} >= {"subgradients", "bounded"}
    assert sides(theorem, values) == (0.5, 1.5)


def test_sums_of_steps():
    assert sides(gd.roots_add_up(), {k: 4})[1] == 2
    harmonic, logarithm = sides(gd.harmonic_sum(), {k: 4})
    assert harmonic == pytest.approx(25 / 12)
    assert harmonic < logarithm == pytest.approx(2.386, abs=1e-3)


def test_the_share_of_the_penalty_is_that_of_all_examples():
    theorem = gd.shared_regulariser()
    values = {n: 2, gd.loss: [1, 2], gd.price: 4, gd.penalty: 3}
    assert sides(theorem, values) == (15, 15)
    assert refuted(theorem, values, gd.Sum(gd.loss[gd.i], (gd.i, 1, n)))


def test_a_decaying_rate_telescopes():
    assert sides(gd.rate_decay(), {k: 4}) == (Fraction(1, 5), Fraction(1, 5))


def test_lazy_decay_is_eager_decay():
    values = {
        k: 2, gd.decays: [HALF, HALF], gd.pushes: [1, 1], gd.points: [[1, 0], [1, 0]],
        gd.scales: {0: 2, 1: 1, 2: HALF}, gd.kept: {0: [1, 3], 1: [2, 3], 2: [4, 3]},
        gd.plain: {0: [2, 6], 1: [2, 3], 2: [2, 3 * HALF]},
    }  # fmt: skip
    left, right = sides(gd.lazy_weight_decay(), values)
    assert left == right == [2, 1.5]


def test_the_descent_lemma_is_attained_and_so_has_no_better_constant():
    for rate in (HALF, 1, Rational(3, 2)):
        value, bound = sides(gd.one_step_descends(), {**RUN, eta: rate})
        assert value == bound
