"""Clustering: what was proved, and statements nearby that are false and refused."""

from __future__ import annotations

from fractions import Fraction

import pytest
from retelling import needed, refuted, sides, without

from mlnotes.proof import (
    Abs,
    Derivation,
    Eq,
    Ge,
    Le,
    Lt,
    Max,
    Min,
    ProofError,
    Rational,
    Sum,
    WrongStep,
    norm2,
)
from mlnotes.theorems import clustering
from mlnotes.theorems.clustering import (
    ELSEWHERE,
    FLAT,
    ONE_CHOSEN,
    PAIR,
    PAIR_AND_ONE,
    ROUND,
    THREE,
    TWO_POINTS,
    TWO_ROUNDS,
    F,
    J,
    K,
    M,
    N,
    Q,
    T,
    between,
    c,
    centre,
    cost,
    delta,
    i,
    j,
    k,
    m,
    mean,
    n,
    nearest,
    pairs,
    r,
    size_a,
    size_b,
    size_c,
    squares,
    to_a,
    to_b,
    u,
    v,
    x,
    z,
)

half = Rational(1, 2)
MOVES = Sum(N[k] * norm2(m[k] - c[k]), (k, 1, K))
NEW_COST = Sum(norm2(x[i] - m[nearest[i]]), (i, 1, n))
STATEMENTS = [
    (
        clustering.squares_about_a_place,
        Eq(squares(centre), squares(mean) + n * norm2(mean - centre)),
        "any n, any dimension",
    ),
    (clustering.mean_step, Ge(cost(c), cost(m)), "any K, any n, any dimension"),
    (
        clustering.assignment_step,
        Le(
            Sum(delta[i, nearest[i]], (i, 1, n)),
            Sum(Sum(r[i, k] * delta[i, k], (k, 1, K)), (i, 1, n)),
        ),
        "any K, any n",
    ),
    (clustering.descent, Le(NEW_COST, cost(c) - MOVES), "any K, any n, any dimension"),
    (clustering.stops, Le(T, M), "any M, any T"),
    (
        clustering.within_between,
        Eq(squares(z), cost(m) + Sum(N[k] * norm2(m[k] - z), (k, 1, K))),
        "any K, any n, any dimension",
    ),
    (clustering.pairwise, Eq(pairs(), 2 * n * squares(mean)), "any n, any dimension"),
    (
        clustering.single,
        Eq(Min(to_a, to_b), (to_a + to_b - Abs(to_a - to_b)) / 2),
        "all reals",
    ),
    (
        clustering.complete,
        Eq(Max(to_a, to_b), (to_a + to_b + Abs(to_a - to_b)) / 2),
        "all reals",
    ),
    (
        clustering.monotone_average,
        Le(between, (size_a * to_a + size_b * to_b) / (size_a + size_b)),
        "all reals",
    ),
]


@pytest.mark.parametrize(("derive", "statement", "scope"), STATEMENTS)
def test_statement_and_scope(derive, statement, scope):
    theorem = derive()
    assert theorem.statement == statement
    assert (theorem.scope, theorem.mark) == (scope, "proved")
    assert theorem.assumptions == ()


def test_the_squares_about_the_origin_are_those_about_the_mean_and_more():
    # Squared lengths 0, 4 and 25; about (2, 1) they are 5, 1 and 8.
    theorem = clustering.squares_about_a_place()
    assert sides(theorem, THREE) == (29, 29)
    assert refuted(theorem, THREE, squares(mean) + norm2(mean - centre))
    assert needed(theorem, {**THREE, mean: [0, 0]}, 0)


def test_centres_beside_the_means_cost_their_sizes_times_the_squares_of_the_distances():
    model = {**PAIR_AND_ONE, **ELSEWHERE}
    assert sides(clustering.cost_of_centres(), model) == (5, 5)
    unweighted = cost(m) + Sum(norm2(m[k] - c[k]), (k, 1, K))
    assert refuted(clustering.cost_of_centres(), model, unweighted)


def test_a_negative_membership_turns_the_best_centre_into_the_worst():
    model = {n: 1, K: 1, x: [[0]], r: {(1, 1): -1}, N: [-1], m: [[0]], c: [[1]]}
    assert needed(clustering.mean_step(), model, 0)


def test_another_assignment_costs_no_less_than_the_nearest():
    theorem = clustering.assignment_step()
    assert sides(theorem, TWO_POINTS) == (3, Fraction(15, 2))
    # Memberships that sum to less than one would cost less.
    light = {**TWO_POINTS, r: {(1, 1): 0, (1, 2): 0, (2, 1): 0, (2, 2): 0}}
    positions = [
        at for at, h in enumerate(theorem.given) if h == clustering.CLUSTERS["one cluster"]
    ]
    assert needed(theorem, light, *positions)


def test_a_round_lowers_the_cost_by_the_moves_and_not_by_twice_as_much():
    model = {**PAIR_AND_ONE, **ROUND}
    theorem = clustering.descent()
    assert sides(theorem, model) == (2, 2)
    assert refuted(theorem, model, cost(c) - 2 * MOVES)


def test_a_cost_that_does_not_fall_lets_an_assignment_come_back():
    theorem = clustering.stops()
    assert sides(theorem, TWO_ROUNDS) == (2, 2)
    forever = {T: 2, M: 1, J: [1, 1], F: [1], Q: {(1, 1): 1, (2, 1): 1}}
    assert isinstance(without(theorem, forever, 0), ProofError)
    assert refuted(theorem, TWO_ROUNDS, M - 1)


def test_the_rectangle_costs_the_square_of_its_sides_more():
    theorem = clustering.rectangle()
    assert sides(theorem, FLAT) == (16, 16)
    assert refuted(theorem, FLAT, norm2(u) / norm2(v) - 1)
    assert needed(clustering.rectangle_stays(), {u: [1], v: [-1]}, 0)


def test_a_tie_is_not_clear_enough_for_a_small_move():
    theorem = clustering.no_change()
    point, mean_b, mean_k = clustering.point, clustering.mean_b, clustering.mean_k
    moved, other, epsilon = clustering.moved, clustering.other, clustering.epsilon
    tied = {point: [0], mean_b: [1], mean_k: [-1], moved: [2], other: [-1], epsilon: 1}
    assert needed(theorem, tied, 0)


def test_pairs_count_the_squares_as_often_as_there_are_points():
    model = {n: 3, x: [[0], [2], [4]], mean: [2]}
    assert sides(clustering.pairwise(), model) == (48, 48)
    assert refuted(clustering.pairwise(), model, n * squares(mean))
    assert sides(clustering.pairs_within(), PAIR_AND_ONE) == (4, 4)
    assert refuted(clustering.pairs_within(), PAIR_AND_ONE, cost(m))


def test_the_best_point_costs_at_most_twice_the_mean_and_may_cost_twice():
    model = {n: 2, x: [[0], [2]], mean: [1], clustering.l: 1}
    assert sides(clustering.medoid_at_most_twice(), model) == (4, 4)
    assert refuted(clustering.medoid_at_most_twice(), model, squares(mean))


def test_a_draw_by_squared_distance_costs_at_most_eight_times_the_mean():
    # Points 0 and 2, a centre at 3: the squares 9 and 1 leave 1 or 4.
    left, right = sides(clustering.one_step(), ONE_CHOSEN)
    assert (left, right) == (Fraction(9, 10) * 1 + Fraction(1, 10) * 4, 16)
    assert refuted(clustering.one_step(), ONE_CHOSEN, squares(mean) / 2)


def test_a_uniform_draw_costs_twice_the_mean():
    model = {n: 3, x: [[0], [0], [3]], mean: [1]}
    assert sides(clustering.uniform_start(), model) == (12, 12)
    assert refuted(clustering.uniform_start(), model, squares(mean))


def test_two_far_points_need_not_both_be_far_from_their_centre():
    theorem = clustering.furthest_first()
    model = {u: [0], v: [2], z: [0], clustering.radius: 2}
    assert sides(theorem, model) == (2, 4)
    assert needed(theorem, {**model, v: [0]}, 0)


def test_a_merger_costs_the_product_of_the_sizes_over_their_sum():
    model = {size_a: 1, size_b: 2, u: [0], v: [3]}
    assert sides(clustering.merger(), model) == (6, 6)
    assert refuted(clustering.merger(), model, size_a * size_b * norm2(u - v))


def test_the_mean_of_a_union_needs_the_distance_of_its_parts():
    model = {size_a: 1, size_b: 1, u: [1], v: [-1], z: [0]}
    assert sides(clustering.centroid(), model) == (0, 0)
    without_last = (size_a * norm2(u - z) + size_b * norm2(v - z)) / (size_a + size_b)
    assert refuted(clustering.centroid(), model, without_last)


def test_wards_distance_of_a_union_agrees_with_its_definition():
    model = {size_a: 1, size_b: 2, size_c: 3, u: [0], v: [3], z: [6]}
    # The union has three points about 2: 2 * 3 * 3 / 6 * 16.
    assert sides(clustering.ward(), model) == (48, 48)


def test_centroids_of_a_union_may_be_nearer_than_its_parts_were():
    line = Derivation("centroids", given=[Le(between, to_a), Le(between, to_b)], witness=PAIR)
    union = (to_a + to_b) / 2 - between / 4
    with pytest.raises(WrongStep):
        line.start(between).at_most(union, because="as for averages")
    assert needed(clustering.monotone_ward(), {**PAIR, between: 9}, 0, 1)


def test_costs_fall_over_several_rounds_and_no_assignment_returns():
    falling = clustering.falling()
    assert falling.statement == Lt(J[clustering.s + clustering.rounds], J[clustering.s])
    assert clustering.no_return().statement == Eq(Q[clustering.s, j] * Q[clustering.t, j], 0)
