"""The derivations about the perceptron say what they should, and nothing near it that is false."""

from fractions import Fraction

import pytest
from retelling import needed, refuted, sides

from mlnotes.proof import Abs, Eq, Ge, Gt, Le, Lt, WrongStep, dot, impossible, norm, norm2, reals
from mlnotes.theorems import perceptron as pc
from mlnotes.theorems.perceptron import RUN, R, before, e, gamma, k, point, target, theta, u, v, y

MISTAKE = {y: 1, before: [1, 0], point: [0, 1], R: 1, target: [1, 1], gamma: 1}
HALVED = {**RUN, target: ["1/2", "1/2"], gamma: "1/2"}
STATEMENTS = [
    (pc.cauchy_schwarz, Le(Abs(dot(u, v)), norm(u) * norm(v)), "any dimension"),
    (pc.norm_growth, Le(norm2(before + y * point), norm2(before) + R**2), "any dimension"),
    (
        pc.alignment_growth,
        Ge(dot(before + y * point, target), dot(before, target) + gamma),
        "any dimension",
    ),
    (pc.norm_after_k_mistakes, Le(norm2(theta[k]), k * R**2), "any k, any dimension"),
    (pc.alignment_after_k_mistakes, Ge(dot(theta[k], target), k * gamma), "any k, any dimension"),
    (pc.convergence, Le(k, R**2 * norm2(target) / gamma**2), "any k, any dimension"),
    (pc.unit_margin, Le(k, 1 / gamma**2), "any k, any dimension"),
]


@pytest.mark.parametrize(("derive", "statement", "scope"), STATEMENTS)
def test_statement_and_scope(derive, statement, scope):
    theorem = derive()
    assert theorem.statement == statement
    assert theorem.scope == scope
    assert theorem.mark == "proved"
    assert theorem.assumptions == ()
    assert not theorem.as_dict()["needs_z3"]


def test_the_bound_is_attained_on_orthonormal_points():
    assert sides(pc.convergence(), RUN) == (2, 2)


def test_the_hypotheses_of_convergence_are_those_of_a_run_of_mistakes():
    assert set(pc.convergence().given) == {
        pc.START,
        pc.UPDATES,
        pc.LABELS,
        pc.MISTAKES,
        pc.RADIUS,
        pc.MARGIN,
    }


def test_the_printed_bound_with_gamma_under_the_root_is_refused():
    assert refuted(pc.convergence(), HALVED, R**2 * norm2(target) / gamma)
    assert refuted(pc.convergence(), RUN, R**2 * norm2(target) / (2 * gamma**2))
    assert refuted(pc.convergence(), RUN, R**2 * norm2(target) / gamma**2, "<")


def test_wrong_growths_are_refused():
    assert refuted(pc.norm_growth(), {**MISTAKE, R: 2}, norm2(before) + R)
    assert refuted(pc.norm_growth(), MISTAKE, norm2(before) - R**2)
    assert refuted(pc.alignment_growth(), MISTAKE, dot(before, target) + 2 * gamma)
    assert refuted(pc.norm_after_k_mistakes(), RUN, (k - 1) * R**2)
    assert refuted(pc.update_raises_margin(), {y: -1}, y * dot(before, point))


@pytest.mark.parametrize("position", range(3))
def test_every_hypothesis_of_the_norm_growth_is_needed(position):
    assert needed(pc.norm_growth(), MISTAKE, position)


def test_equality_in_cauchy_schwarz_is_not_claimed():
    assert refuted(pc.cauchy_schwarz(), {}, norm(u) * norm(v), "==")
    assert sides(pc.cauchy_schwarz(), {u: [1, 2], v: [-3, -6]}) == (15, 15)


def test_three_corners_of_xor_are_separable():
    w1, w2, b = reals("w_1 w_2 b")
    corners = [Gt(w1 + w2 + b, 0), Gt(-w1 - w2 + b, 0), Lt(w1 - w2 + b, 0)]
    assert set(corners) < set(pc.xor_is_not_separable().given)
    with pytest.raises(WrongStep) as refusal:
        impossible("three corners", given=corners)
    assert refusal.value.counterexample


def test_appending_one_does_not_give_the_radius_of_appending_c():
    c = reals("c", nonzero=True)
    witness = {e: [0, 1], before: [2, 0], point: [3, 0], R: 3, c: "1/2"}
    assert refuted(pc.augmented_radius(), witness, R**2)
    assert refuted(pc.augmented_radius(), witness, R**2 + c)
    assert pc.augmented_radius().statement == Le(norm2(point + c * e), R**2 + c**2)
    assert sides(pc.augmented_radius(), witness) == (Fraction(37, 4), Fraction(37, 4))
    assert Eq(norm2(e), 1) in pc.augmentation().given
