"""Decision trees: what was proved, and statements nearby that are false and refused."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product

import pytest
from mpmath import iv
from retelling import needed, refuted, sides, without

from mlnotes.proof import (
    Derivation,
    E,
    Ge,
    Iff,
    Le,
    Lt,
    Min,
    ProofError,
    Rational,
    Sum,
    WrongStep,
    log,
)
from mlnotes.theorems import decision_trees as trees
from mlnotes.theorems.decision_trees import (
    FLIP,
    MIXED,
    SUBTREE,
    THREE,
    TWO_GROUPS,
    TWO_SIDES,
    A,
    B,
    D,
    G,
    J,
    K,
    M,
    N,
    Q,
    T,
    Y,
    c,
    epsilon,
    eta,
    f,
    g,
    h,
    i,
    j,
    k,
    lam,
    leaves,
    loss,
    loss_alone,
    m,
    m_left,
    m_right,
    n,
    n_left,
    n_right,
    other_leaves,
    p,
    phi,
    price,
    q,
    r,
    s,
    share,
    sigma,
    size,
    squared_error,
    u,
    w,
    x,
    xi,
    y,
    z,
)

ANY_LAW = "any distribution on finitely many outcomes"
FINITE = ("expectations are over finitely many outcomes",)
half, third = Rational(1, 2), Rational(1, 3)
GINI = 1 - Sum(p[k] ** 2, (k, 1, K))
COIN = [(0, half), (1, half)]
ALONE = loss_alone + price
STATEMENTS = [
    (trees.leaf_mean, Ge(squared_error(c), squared_error(m)), "any n", ()),
    (
        trees.conditional_mean,
        Ge(E(B * (Y - c) ** 2), E(B * (Y - trees.a) ** 2)),
        ANY_LAW,
        FINITE,
    ),
    (
        trees.no_split_loses,
        Le(
            Sum(w[j] * (-Sum(phi(q[j, k]), (k, 1, K))), (j, 1, J)),
            -Sum(phi(p[k]), (k, 1, K)),
        ),
        "any J, any K",
        (),
    ),
    (trees.gini_lowest, Ge(GINI, 0), "any K", ()),
    (trees.gini_extremes, Le(GINI, 1 - 1 / K), "any K", ()),
    (
        trees.jensen,
        Le(
            phi(Sum(w[j] * trees.numbers[j], (j, 1, J))),
            Sum(w[j] * phi(trees.numbers[j]), (j, 1, J)),
        ),
        "any J",
        (),
    ),
    (
        trees.entropy_convex,
        Le(eta(lam * s + (1 - lam) * z), lam * eta(s) + (1 - lam) * eta(z)),
        "all reals",
        (),
    ),
    (
        trees.no_split_loses_entropy,
        Le(
            Sum(w[j] * (-Sum(eta(q[j, k]), (k, 1, K))), (j, 1, J)),
            -Sum(eta(p[k]), (k, 1, K)),
        ),
        "any J, any K",
        (),
    ),
    (trees.entropy_lowest, Ge(-Sum(eta(p[k]), (k, 1, K)), 0), "any K", ()),
    (trees.entropy_extremes, Le(-Sum(eta(p[k]), (k, 1, K)), log(K)), "any K", ()),
    (
        trees.gain_under_split_information,
        Le(trees.INFORMATION, -Sum(size[j] * log(size[j]), (j, 1, J))),
        "any J, any K",
        (),
    ),
    (
        trees.least_training_error,
        Ge(
            Sum(Sum(N[g, k] * (1 - A[g, k]), (k, 1, K)), (g, 1, G)),
            Sum(Sum(N[g, k], (k, 1, K)) - M[g], (g, 1, G)),
        ),
        "any G, any K",
        (),
    ),
    (trees.depth_bound, Le(r, D), "any D, any r", ()),
    (trees.increasing_map, Iff(Le(x, s), Le(h(x), h(s))), "all reals", ()),
    (
        trees.weakest_link,
        Iff(Le(ALONE, loss + price * leaves), Le((loss_alone - loss) / (leaves - 1), price)),
        "all reals",
        (),
    ),
    (trees.dearer_leaves, Le(other_leaves, leaves), "all reals", ()),
    (
        trees.best_pruned,
        Le(Min(ALONE, u + z), Min(ALONE, trees.left_cost + trees.right_cost)),
        "all reals",
        (),
    ),
]


@pytest.mark.parametrize(("derive", "statement", "scope", "assumptions"), STATEMENTS)
def test_statement_and_scope(derive, statement, scope, assumptions):
    theorem = derive()
    assert theorem.statement == statement
    assert (theorem.scope, theorem.mark) == (scope, "proved")
    assert theorem.assumptions == assumptions


def test_the_mean_of_one_two_six_is_better_than_one():
    assert sides(trees.leaf_mean(), THREE) == (26, 14)
    assert refuted(trees.leaf_mean(), THREE, squared_error(m) + 13)
    assert needed(trees.leaf_mean(), {**THREE, m: 1, c: 3}, 0)


def test_an_impurity_that_is_not_concave_may_rise():
    theorem = trees.no_split_loses()
    concave = {**trees.CHILDREN, phi: lambda v: -v * v}
    below = Sum(w[j] * (-Sum(phi(q[j, k]), (k, 1, K))), (j, 1, J))
    line = Derivation("retold", setting=trees.split, witness=concave).start(below)
    with pytest.raises(WrongStep):
        line.at_most(theorem.statement.parts[1], because="whatever the function")


def test_a_function_may_be_convex_between_zero_and_one_and_nowhere_else():
    """Three squares less a cube: the bounds on the numbers are needed."""
    theorem = trees.jensen()
    inside = {J: 2, w: [half, half], trees.numbers: [0, 1], phi: lambda v: 3 * v * v - v * v * v}
    assert sides(theorem, inside) == (Fraction(5, 8), 1)
    assert sides(theorem, {**inside, trees.numbers: [0, 4]}) == (4, -8)


def test_the_entropy_of_a_pure_child_is_zero():
    pure = {
        **trees.CHILDREN,
        q: {(1, 1): 1, (1, 2): 0, (2, 1): 0, (2, 2): 1},
        p: [half, half],
        eta: lambda v: v * iv.log(v) if v > 0 else 0 * v,
    }
    left, right = sides(trees.no_split_loses_entropy(), pure)
    assert left == 0
    assert math.isclose(right, math.log(2), rel_tol=1e-6)


def test_a_split_of_one_two_six_gains_what_the_means_say():
    theorem = trees.split_decrease()
    assert sides(theorem, TWO_SIDES) == (Fraction(27, 2), Fraction(27, 2))
    gap = (m_left - m_right) ** 2
    assert refuted(theorem, TWO_SIDES, n_left * n_right * gap / n**2)


def test_the_squared_error_from_sums_needs_the_division():
    theorem = trees.error_from_sums()
    assert sides(theorem, THREE) == (14, 14)
    squares = Sum(y[i] ** 2, (i, 1, n))
    assert refuted(theorem, THREE, squares - Sum(y[i], (i, 1, n)) ** 2)


def test_the_loss_of_a_tree_needs_a_partition():
    theorem = trees.population_loss()
    cells = {T: 1, trees.cell: [[(1, 1)]], Y: COIN, trees.answer: [half]}
    assert sides(theorem, cells) == (Fraction(1, 4), Fraction(1, 4))
    assert isinstance(without(theorem, {**cells, trees.cell: [[(0, 1)]]}, 0), ProofError)


def test_the_decrease_of_gini_weights_the_children():
    model = trees.CHILDREN
    theorem = trees.gini_decrease()
    assert sides(theorem, model) == (Fraction(1, 8), Fraction(1, 8))
    unweighted = Sum(Sum((q[j, k] - p[k]) ** 2, (k, 1, K)), (j, 1, J))
    assert refuted(theorem, model, unweighted)


def test_gini_counts_pairs_of_different_classes():
    theorem = trees.gini_draws()
    assert sides(theorem, {K: 2, p: [third, 2 * third]}) == (Fraction(4, 9), Fraction(4, 9))
    assert refuted(theorem, {K: 2, p: [half, half]}, Sum(p[k] ** 2, (k, 1, K)) - 1)


def test_gini_does_not_reach_one():
    assert refuted(trees.gini_extremes(), {K: 2, p: [half, half]}, 1 - 2 / K)
    assert needed(trees.gini_lowest(), {K: 1, p: [2]}, 1)


def test_a_divergence_is_measured_from_the_node():
    swapped = Sum(
        size[j] * Sum(trees.below[j, k] * log(share[k] / trees.below[j, k]), (k, 1, K)),
        (j, 1, J),
    )
    assert refuted(trees.information_gain(), MIXED, swapped)


def test_a_sum_of_maxima_is_at_least_the_maximum_of_sums():
    theorem = trees.split_accuracy()
    assert sides(theorem, {**TWO_GROUPS, k: 2}) == (4, 5)
    assert refuted(theorem, {**TWO_GROUPS, k: 1}, Sum(M[g], (g, 1, G)) / 2)


def test_a_repeated_feature_makes_a_path_longer_than_the_features():
    twice = {r: 2, D: 1, Q: {(1, 1): 1, (2, 1): 1}}
    assert needed(trees.depth_bound(), twice, 1)


def test_a_map_that_is_not_increasing_changes_answers():
    line = Derivation(
        "a decreasing map", given=[Le(x, s)], witness={x: 1, s: 2, h: lambda v: -v}
    ).start(h(x))
    with pytest.raises(WrongStep):
        line.at_most(h(s), because="not for every map")


NOISY = {n: 2, epsilon: [FLIP, FLIP], xi: [FLIP, FLIP], sigma: 1}


def refused(theorem, witness, right):
    """Say whether a line with another right side is refused, with or without a counterexample."""
    line = Derivation("retold", given=list(theorem.given), witness=witness)
    with pytest.raises(ProofError):
        line.start(theorem.statement.parts[0]).equals(right, because="retold")
    return True


def test_the_optimism_of_a_leaf_is_twice_the_variance():
    theorem = trees.optimism()
    assert theorem.scope == f"any n, {ANY_LAW}"
    assert refused(theorem, {**NOISY, f: [0, 1]}, 2 * sigma**2 / n)
    # All signs of two old noises and two new ones, about the values 0 and 1.
    gaps = []
    for signs in product([-1, 1], repeat=4):
        old = [signs[0], 1 + signs[1]]
        new = [signs[2], 1 + signs[3]]
        mean = Fraction(sum(old), 2)
        gaps.append(sum((v - mean) ** 2 for v in new) - sum((v - mean) ** 2 for v in old))
    assert sum(gaps) / len(gaps) == 2


def test_a_leaf_of_one_sample_has_twice_the_noise():
    theorem = trees.leaf_noise()
    one = {n: 1, i: 1, epsilon: [FLIP], xi: [FLIP], c: 3, sigma: 1}
    assert sides(theorem, one)[1] == 2
    assert refused(theorem, one, sigma**2)
    assert sum((new - old) ** 2 for new, old in product([-1, 1], repeat=2)) / 4 == 2


def test_leaves_have_no_order_of_prices_unless_both_trees_are_best():
    model = {
        price: 1,
        trees.other_price: 3,
        loss: 0,
        leaves: 1,
        trees.other_loss: 0,
        other_leaves: 3,
    }
    assert needed(trees.dearer_leaves(), model, 2)


def test_a_cheap_leaf_is_kept():
    line = Derivation("cheap", given=[Lt(1, leaves)], witness=SUBTREE).start(ALONE)
    with pytest.raises(WrongStep):
        line.at_most(loss + price * leaves, because="whatever the price")


def test_probabilities_other_than_the_shares_lose():
    theorem = trees.leaf_log_loss()
    assert theorem.scope == "any K"
    even = {K: 2, share: [third, 2 * third]}
    assert needed(theorem, {**even, trees.answers: [1, 1]}, 1)
