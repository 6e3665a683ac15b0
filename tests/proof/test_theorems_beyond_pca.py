"""Beyond principal components: what was proved, and false statements nearby that are refused."""

from __future__ import annotations

from fractions import Fraction
from math import log

import pytest
from retelling import needed, refuted, sides, tell, without

from mlnotes.proof import (
    Abs,
    Derivation,
    E,
    Eq,
    Ge,
    Integral,
    Le,
    ProofError,
    Rational,
    WrongStep,
    det,
    dot,
    exp,
    identity,
    norm2,
    trace,
)
from mlnotes.proof import log as logarithm
from mlnotes.theorems import beyond_pca as bp
from mlnotes.theorems.beyond_pca import K, d, half, i, j, k, n

STATEMENTS = [
    (
        bp.centring_distances,
        Eq(
            -half * (norm2(bp.x[i] - bp.x[j]) - bp.from_point(i) - bp.from_point(j) + bp.of_pairs),
            dot(bp.x[i] - bp.mean, bp.x[j] - bp.mean),
        ),
        "any i, any j, any n, any dimension",
    ),
    (
        bp.weights_by_a_system,
        Ge(norm2(bp.place - bp._reached(bp.v)), norm2(bp.place - bp._reached(bp.w))),
        "any J, any dimension",
    ),
    (
        bp.bottom_eigenvectors,
        Ge(trace(bp.Y.T * bp.M * bp.Y), trace(bp.Lambda_)),
        "any K, any n",
    ),
    (bp.factors_are_not_unique, None, "any K, any d, any n"),
    (
        bp.update_never_lowers,
        Ge(bp.fit(bp.new, bp.b), bp.fit(bp.a, bp.b)),
        "any K, any d, any n",
    ),
    (
        bp.sweep_never_lowers,
        Ge(bp.fit(bp.new, bp.newb), bp.fit(bp.a, bp.b)),
        "any K, any d, any n",
    ),
    (bp.conditions_are_sufficient, None, "any K, any dimension"),
    (bp.information_is_not_negative, None, "any d, any n"),
    (
        bp.unmixing_is_orthogonal,
        Eq(bp.V.T * bp.V, identity(K)),
        "any K, any d, any distribution on finitely many outcomes",
    ),
    (
        bp.gaussians_cannot_be_separated,
        Eq(bp._bells(bp.turn * bp.point), bp._bells(bp.point)),
        "any d",
    ),
    (bp.gaussian_has_most_entropy, None, "any n"),
    (
        bp.gaussian_density_has_most_entropy,
        Le(
            -Integral(bp.density(bp.z) * logarithm(bp.density(bp.z)), bp.z),
            half + logarithm(bp.root * bp.sigma),
        ),
        "any measure space on which the integrals exist",
    ),
    (
        bp.newton_step,
        None,
        "any dimension",
    ),
]


@pytest.mark.parametrize(("derive", "statement", "scope"), STATEMENTS)
def test_statement_and_scope(derive, statement, scope):
    theorem = derive()
    assert statement is None or theorem.statement == statement
    assert (theorem.scope, theorem.mark) == (scope, "proved")


def test_distances_give_inner_products_about_the_mean_and_not_about_the_origin():
    theorem = bp.centring_distances()
    # The points (0, 0) and (2, 0), seen from their mean with (4, 3), which is (2, 1).
    left, right = sides(theorem, {**bp.THREE, i: 1, j: 2})
    assert left == right == 1
    about_origin = dot(bp.x[i], bp.x[j])
    assert refuted(theorem, bp.THREE, about_origin)
    assert refuted(theorem, bp.THREE, 2 * dot(bp.x[i] - bp.mean, bp.x[j] - bp.mean))
    assert needed(theorem, {**bp.THREE, bp.mean: [0, 0]}, 0)


def test_weights_of_the_local_system_are_best_only_if_both_sum_to_one():
    theorem = bp.weights_by_a_system()
    # From (1, 1) the point (1, 0) is reached by 2/3 and 1/3, and (3/2, 0) by halves.
    assert sides(theorem, bp.NEIGHBOURS) == (Fraction(5, 4), 1)
    other = list(theorem.given).index(bp.OTHER["other"])
    free = {**bp.NEIGHBOURS, bp.place: [3, 3], bp.v: [0, 1]}
    assert isinstance(without(theorem, free, other), ProofError)


def test_the_gap_of_other_weights_is_exact():
    theorem = bp.weights_gap()
    left, right = sides(theorem, bp.NEIGHBOURS)
    assert left == right == Fraction(5, 4)
    assert refuted(theorem, bp.NEIGHBOURS, norm2(bp.place - bp._reached(bp.w)))


def test_rows_that_do_not_sum_to_one_leave_the_constant_column_a_cost():
    theorem = bp.constants_cost_nothing()
    witness = {n: 2, bp.W: [[0, 2], [1, 0]], bp.ones: [[1], [1]]}
    assert needed(theorem, witness, 0)


def test_an_embedding_that_is_no_frame_can_cost_less_than_the_bottom_eigenvectors():
    theorem = bp.bottom_eigenvectors()
    at = list(theorem.given).index(bp.FRAME["frame"])
    collapsed = {**bp.FOUR, bp.Y: [[0]] * 4}
    assert needed(theorem, collapsed, at)
    centred = list(theorem.given).index(bp.FRAME["centred"])
    assert needed(theorem, {**bp.FOUR, bp.Y: [[half]] * 4}, centred)


def test_the_bottom_eigenvectors_must_be_the_bottom_ones():
    theorem = bp.bottom_eigenvectors()
    # The eigenvalue 2 in place of 1, with the level at 2: one raised eigenvalue stays at 1.
    upper = {**bp.FOUR, bp.U: bp._signs("+-+-"), bp.Lambda_: [[2]], bp.level: 2}
    at = list(theorem.given).index(bp.HIGH["high"])
    assert needed(theorem, {**upper, bp.Y: bp._signs("++--")}, at)


def test_an_update_climbs_and_a_step_twice_as_long_need_not():
    theorem = bp.update_never_lowers()
    before, after = (
        sides(theorem, bp.TINY)[1],
        sides(theorem, bp.TINY)[0],
    )
    # Counts 1 and 3 with the mean 1 before and 2 after the update.
    assert float(before) == pytest.approx(-2)
    assert float(after) == pytest.approx(4 * log(2) - 4)
    far = {**bp.TINY, bp.new: {(1, 1): 8}}
    assert needed(theorem, far, 0)


def test_a_sweep_needs_the_new_factor_in_the_second_update():
    theorem = bp.sweep_never_lowers()
    second = list(theorem.given).index(bp.BOTH["second update"])
    # The second factor from the old first one: the mean counts are 4 and 12 instead of 1 and 3.
    old = {**bp.TINY_BOTH, bp.new: {(1, 1): 2}, bp.newb: {(1, 1): 9, (2, 1): 27}}
    assert needed(theorem, old, second)


def test_the_likelihood_falls_by_the_divergence():
    theorem = bp.likelihood_and_divergence()
    left, right = sides(theorem, bp.ONE_CELL)
    assert float(left) == pytest.approx(2 * log(3) - 3 - log(2)) == float(right)
    assert refuted(theorem, bp.ONE_CELL, bp.poisson(bp.seen))
    assert refuted(theorem, bp.ONE_CELL, -bp.kl(bp.seen, bp.rate))


def test_amounts_that_violate_a_condition_are_not_the_best():
    theorem = bp.conditions_are_sufficient()
    slope = list(theorem.given).index(bp.NNLS["slope"])
    slack = list(theorem.given).index(bp.NNLS["slack"])
    wrong = {**bp.FOLDED, bp.given_amount: [0, 0], bp.other_amount: [2, 0]}
    assert needed(theorem, wrong, slope)
    assert needed(theorem, {**bp.FOLDED, bp.given_amount: [3, 0], bp.other_amount: [2, 0]}, slack)


def test_the_information_of_a_table_is_that_of_its_entropies():
    theorem = bp.information_by_entropies()
    left, right = sides(theorem, bp.FIFTHS)
    by_hand = 0.5 * log(0.5 / 0.36) + 0.2 * log(0.1 / 0.24) + 0.3 * log(0.3 / 0.16)
    assert float(left) == pytest.approx(by_hand) == float(right)
    swapped = bp._cells(
        bp.row(i) * bp.column(j) * logarithm(bp.row(i) * bp.column(j) / bp.joint[i, j])
    )
    assert refuted(theorem, bp.FIFTHS, swapped)


def test_the_information_may_be_negative_if_the_table_is_not_one():
    theorem = bp.information_is_not_negative()
    table = {**bp.FIFTHS, bp.joint: {key: 4 * v for key, v in bp.FIFTHS[bp.joint].items()}}
    assert needed(theorem, table, 0)


def test_the_entropy_under_a_map_needs_the_size_of_the_determinant():
    theorem = bp.entropy_under_a_map()
    witness = {d: 1, bp.square: [[-2]], bp.before: [(2, 1)], bp.behind: [(1, 1)]}
    bare = -E(logarithm(bp.before)) + logarithm(det(bp.square))
    with pytest.raises(ProofError):
        tell(theorem, list(theorem.given), witness, "=", bare)
    with pytest.raises(WrongStep):
        tell(
            theorem,
            list(theorem.given),
            witness,
            "=",
            -E(logarithm(bp.before)) - logarithm(Abs(det(bp.square))),
        )


def test_unmixing_is_orthogonal_only_on_white_data():
    theorem = bp.unmixing_is_orthogonal()
    white = list(theorem.given).index(bp.WHITE["white"])
    loud = {
        **{d: 1, K: 1, bp.V: [[half]]},
        bp.X: [([[2]], half), ([[-2]], half)],
    }
    assert needed(theorem, loud, white)


def test_a_stretch_is_no_rotation_and_changes_the_bells():
    theorem = bp.gaussians_cannot_be_separated()
    stretched = {d: 2, bp.turn: [[2, 0], [0, 1]], bp.point: [[1], [2]]}
    assert needed(theorem, stretched, 0)
    left, right = sides(theorem, {d: 2, bp.turn: [[0, -1], [1, 0]], bp.point: [[1], [2]]})
    assert float(left) == pytest.approx(float(right)) == pytest.approx(0.0820849986)


def test_the_excess_of_a_mixture_is_smaller_than_the_mean_of_the_excesses():
    theorem = bp.mixtures_are_closer_to_gaussian()
    # Two coins, excess -2 each, with the weights 3/5 and 4/5.
    left, right = sides(theorem, bp.COINS)
    assert left == right == -2 * (Fraction(81, 625) + Fraction(256, 625))
    S, T = bp.first_part, bp.second_part
    squares = bp.alpha**2 * (E(S**4) - 3) + bp.beta**2 * (E(T**4) - 3)
    with pytest.raises(ProofError):
        tell(theorem, list(theorem.given), bp.COINS, "=", squares)
    circle = list(theorem.given).index(bp.ON_CIRCLE["circle"])
    wide = {**bp.COINS, bp.alpha: 1, bp.beta: 1}
    assert sides(theorem, wide) == (5, -4)
    assert isinstance(without(theorem, wide, circle), ProofError)


def test_the_bell_has_the_largest_entropy_only_among_laws_of_its_variance():
    theorem = bp.gaussian_has_most_entropy()
    variance = list(theorem.given).index(bp.SAME["variance"])
    grid = {bp.N: 3, bp.value: [-1, 0, 1], bp.sigma: half}
    even = {**grid, bp.weights: [Rational(1, 3)] * 3}
    assert needed(theorem, even, variance)


def test_a_density_of_a_larger_second_moment_can_have_more_entropy_than_the_bell():
    theorem = bp.gaussian_density_has_most_entropy()
    s, p, q = bp.coordinate, bp.density, bp.gauss
    # Ten points at 3, of density 1/10 each: log 10 exceeds 1/2 + log 2.
    wide = {s: [3] * 10, bp.sigma: 1, bp.root: 2}
    wide |= {p: [Rational(1, 10)] * 10, q: [exp(-Rational(9, 2)) / 2] * 10}
    variance = list(theorem.given).index(bp.SIZES["variance"])
    assert needed(theorem, wide, variance)
    # With all of the second moment right, a bell of too much mass is none.
    heavy = {s: [1], bp.sigma: 1, bp.root: Rational(1, 10)}
    heavy |= {p: [1], q: [10 * exp(-half)]}
    assert needed(theorem, heavy, list(theorem.given).index(bp.SIZES["gauss"]))
    # Two points that have the whole mass each.
    double = {s: [1, 1], bp.sigma: 1, bp.root: 3, p: [half, half], q: [exp(-half) / 3] * 2}
    assert sides(theorem, double)[0] == pytest.approx(log(2))


def test_fasticas_step_is_newtons_up_to_a_factor():
    theorem = bp.newton_step()
    at = {bp.direction: [1, 0], bp.pull: [0, 1], bp.bent: 2, bp.price: 1}
    assert sides(theorem, at) == ([-2, 1], [-2, 1])
    assert refuted(theorem, at, bp.pull + bp.bent * bp.direction)


def test_the_others_pull_as_well_if_their_mean_is_not_zero():
    theorem = bp.sources_are_fixed()
    S, T = bp.first_part, bp.second_part
    biased = {S: [(1, 1)], T: [(1, 1)], bp.g: lambda t: t, bp.alpha: 1}
    at = list(theorem.given).index(Eq(E(T), 0))
    assert sides(theorem, biased) == (2, 1)
    assert isinstance(without(theorem, biased, at), ProofError)


def test_factors_and_noise_that_are_correlated_add_to_the_covariance():
    theorem = bp.covariance_of_factors_and_noise()
    assert refuted(theorem, WITH_FACTORS, bp.B * bp.B.T)
    with pytest.raises(ProofError):
        Derivation("noise alone", given=bp.FACTORS, witness=WITH_FACTORS).start(
            E(bp.noise * bp.noise.T)
        ).equals(identity(d))


WITH_FACTORS = {
    **{d: 1, K: 1, bp.B: [[2]], bp.Psi: [[Rational(1, 4)]]},
    bp.factors: [([[1]], half), ([[-1]], half)],
    bp.noise: [([[half]], half), ([[-half]], half)],
}


def test_an_update_of_zero_stays_zero_and_none_is_negative():
    theorem = bp.update_is_positive()
    assert theorem.statement == Ge(bp.a[i, k] * bp.update(bp.a, bp.b), 0)
    with pytest.raises(ProofError):
        Derivation("at least one").start(theorem.statement.parts[0]).at_least(1)


def test_what_gram_and_schmidt_leave_is_orthogonal_to_unit_vectors_only():
    theorem = bp.orthogonalised()
    long = {bp.P: 1, k: 1, bp.found: [[2, 0]], bp.pull: [2, 3]}
    assert needed(theorem, long, 0)


def test_a_bound_on_one_term_is_attained_where_the_numbers_agree():
    theorem = bp.one_cell_of_information()
    assert sides(theorem, {bp.y: 2, bp.s: 2}) == (0, 0)
    with pytest.raises(ProofError):
        Derivation("too much").start(theorem.statement.parts[0]).at_least(bp.y - bp.s + 1)
