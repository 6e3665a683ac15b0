"""The derivations about the perceptron say what they should, and nothing near it that is false."""

import pytest
from retelling import needed, refuted, sides

from mlnotes.proof import Abs, Eq, Ge, Gt, Le, dot, norm, norm2
from mlnotes.theorems import perceptron as pc
from mlnotes.theorems.perceptron import (
    RUN,
    R,
    before,
    e,
    gamma,
    k,
    n,
    point,
    target,
    theta,
    u,
    v,
    y,
)

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
    (pc.indicator_bound, Le(k, n * (R**2 + 1)), "any k, any n, any dimension"),
    (
        pc.convergence_with_offset,
        Le(
            k,
            (R**2 + pc.c**2) * (norm2(target) + pc.shift**2 / pc.c**2) / gamma**2,
        ),
        "any k, any dimension",
    ),
    (
        pc.best_constant_bound,
        Le(k, (R * norm(target) + Abs(pc.shift)) ** 2 / gamma**2),
        "any k, any dimension",
    ),
    (
        pc.augmented_norm,
        Eq(norm2(target + pc.shift / pc.c * e), norm2(target) + pc.shift**2 / pc.c**2),
        "any dimension",
    ),
    (pc.indicator_length, Le(norm2(theta[k]), k * (R**2 + 1)), "any k, any n, any dimension"),
    (
        pc.indicator_alignment,
        Ge(dot(theta[k], pc.LABELS_AS_WEIGHTS), k),
        "any k, any n, any dimension",
    ),
    (pc.round_is_all_wrong, Le(dot(before, pc.correction(before)), 0), "any n, any dimension"),
    (
        pc.round_length,
        Le(norm2(pc.correction(before)), pc.mistakes(before) ** 2 * R**2),
        "any n, any dimension",
    ),
    (
        pc.round_alignment,
        Ge(dot(pc.correction(before), target), gamma * pc.mistakes(before)),
        "any n, any dimension",
    ),
    (
        pc.batch_convergence,
        Le(pc.ALL_MISTAKES, n * R**2 * norm2(target) / gamma**2),
        "any T, any n, any dimension",
    ),
    (
        pc.distance_to_hyperplane,
        Ge(
            norm2(pc.anywhere - pc.on_plane),
            (dot(before, pc.anywhere) + pc.offset) ** 2 / norm2(before),
        ),
        "any dimension",
    ),
    (pc.perceptron_as_sgd, None, "any dimension"),
    (pc.loss_is_convex, None, "any dimension"),
    (pc.loss_subgradient, None, "any dimension"),
    (pc.learning_rate, None, "any k, any dimension"),
    (pc.common_rescaling, None, "any k, any dimension"),
    (pc.dual_form, None, "any k, any dimension"),
]


@pytest.mark.parametrize(("derive", "statement", "scope"), STATEMENTS)
def test_statement_and_scope(derive, statement, scope):
    theorem = derive()
    assert statement is None or theorem.statement == statement
    assert theorem.scope == scope
    assert theorem.mark == "proved"
    assert theorem.assumptions == ()


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


def test_a_learning_rate_matters_where_the_start_is_not_zero():
    from_elsewhere = {
        **RUN,
        theta: {0: [1, 0], 1: [2, 0], 2: [2, 1]},
        pc.phi: {0: [1, 0], 1: [3, 0], 2: [3, 2]},
        pc.eta: 2,
        pc.anywhere: [1, 0],
        y: 1,
    }
    assert sides(pc.learning_rate(), from_elsewhere) == (3, 3)
    assert refuted(
        pc.learning_rate(), pc.RATED_RUN, pc.eta * (y * dot(theta[k], pc.anywhere)), "=="
    )


def test_the_distance_is_not_the_unnormalised_product():
    product = (dot(before, pc.anywhere) + pc.offset) ** 2
    assert refuted(pc.distance_to_hyperplane(), pc.LINE, product)
    assert needed(pc.distance_to_hyperplane(), pc.LINE, 1)
    far = {**pc.LINE, pc.anywhere: [0, 0]}
    assert sides(pc.foot_distance(), far) == (4, 4)


def test_the_subgradient_needs_the_mistake():
    assert needed(pc.loss_subgradient(), {y: 1, before: [1, 0], point: [0, 1]}, 0)


def test_each_factor_of_the_batch_bound_is_needed():
    # Two equal points, both wrong: their sum is twice as long as one of them.
    twins = {n: 2, pc.x: [[1, 0], [1, 0]], pc.label: [1, 1], R: 1, before: [0, 0]}
    assert sides(pc.round_growth(), twins) == (4, 4)
    assert refuted(pc.round_growth(), twins, norm2(before) + R**2 * pc.mistakes(before))
    assert refuted(pc.batch_convergence(), pc.ROUND, R**2 * norm2(target) / (2 * gamma**2))


def test_a_round_adds_what_is_wrong_and_nothing_else():
    """The hypotheses of the batch theorem are about the points and the algorithm only."""
    assert set(pc.batch_convergence().given) == {
        pc.START,
        pc.ROUNDS,
        pc.SIGNS,
        pc.INSIDE,
        pc.MARGINS,
        Gt(R, 0),
        Gt(pc.ALL_MISTAKES, 0),
    }
    # The first point is right for the weights, the second is not.
    one_wrong = {n: 2, pc.x: [[1, 0], [0, 1]], pc.label: [1, -1], before: [1, 1]}
    assert sides(pc.round_is_all_wrong(), one_wrong) == (-1, 0)
    margin = {**one_wrong, target: [1, -2], gamma: 1}
    assert sides(pc.round_alignment(), margin) == (2, 1)
    assert needed(pc.round_length(), {**one_wrong, R: 1}, 1)


def test_the_bound_with_an_offset_is_that_of_the_augmented_points():
    theorem = pc.convergence_with_offset()
    assert sides(theorem, pc.OFFSET_RUN) == (1, 1)
    printed = (R**2 + pc.c**2) * norm2(target) / gamma**2
    assert refuted(theorem, pc.OFFSET_RUN, printed)
    assert refuted(
        theorem, pc.OFFSET_RUN, R**2 * (norm2(target) + pc.shift**2 / pc.c**2) / gamma**2
    )
    assert refuted(pc.augmented_norm(), {e: [0, 1], target: [1, 0]}, norm2(target))


def test_the_indicator_bound_is_about_points_and_what_was_appended():
    """Radius, margin and norm of the new points are derived, not assumed."""
    assert set(pc.indicator_bound().given) == set(pc.own_run.given)
    assert sides(pc.indicator_bound(), pc.OWN) == (2, 2)
    assert refuted(pc.indicator_bound(), pc.OWN, n * R**2)
    assert refuted(pc.indicator_length(), pc.OWN, k * R**2)
    for given in pc.CHOSEN.values():
        assert given in pc.indicator_bound().given


def test_a_signed_sum_of_axes_attains_the_bound():
    axes = {n: 3, pc.axis: [[1, 0, 0], [0, 1, 0], [0, 0, 1]], pc.label: [1, -1, 1]}
    assert sides(pc.orthonormal_norm(), axes) == (3, 3)
    assert refuted(pc.orthonormal_norm(), axes, n - 1)
