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
    (gd.linear_rate, {"smooth", "strong", "steps", "factor"}),
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
    quarter = {**RUN, L: 2, mu: 1, gd.factor: HALF, theta: {0: [1], 1: [HALF]}, k: 1}
    assert sides(gd.linear_rate(), quarter) == (0.125, 0.25)
    assert sides(gd.gap_below_slope(), RUN) == (0, 0)


def test_a_run_of_subgradient_steps():
    at_corner = {
        f: lambda v: abs(v[0].mid), k: 2, z: [0], gd.best: 1, gd.G: 1,
        gd.rates: [1, 1], theta: {0: [1], 1: [0], 2: [-1]},
    }  # fmt: skip
    assert sides(gd.subgradient_bound(), at_corner) == (4, 3)  # 1 is not the best value


def test_the_share_of_the_penalty_is_that_of_all_examples():
    theorem = gd.shared_regulariser()
    values = {n: 2, gd.loss: [1, 2], gd.price: 4, gd.penalty: 3}
    assert sides(theorem, values) == (15, 15)
    assert refuted(theorem, values, gd.Sum(gd.loss[gd.i], (gd.i, 1, n)))


def test_a_decaying_rate_telescopes():
    assert sides(gd.rate_decay(), {k: 4}) == (Fraction(1, 5), Fraction(1, 5))


def test_lazy_decay_is_eager_decay():
    a, s, c = gd.reals("a s c")
    w, x = gd.vectors("w x")
    left, right = sides(gd.lazy_weight_decay(), {a: 1, s: HALF, c: 2, w: [1, 3], x: [1, 0]})
    assert left == right == [2, 3]


def test_the_descent_lemma_is_attained_and_so_has_no_better_constant():
    for rate in (HALF, 1, Rational(3, 2)):
        value, bound = sides(gd.one_step_descends(), {**RUN, eta: rate})
        assert value == bound
