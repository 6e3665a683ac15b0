"""Bagging and forests: what was proved, and statements nearby that are false and refused."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product

import pytest
from retelling import needed, refuted, sides, without

from mlnotes.proof import Derivation, E, Eq, Ge, Iff, Le, P, ProofError, Rational, Sum, exp
from mlnotes.theorems import bagging_and_forests as forests
from mlnotes.theorems.bagging_and_forests import (
    AVERAGE,
    COIN,
    MIDDLE,
    MISS,
    PAIR,
    RIGHT,
    THREE,
    TWO_CELLS,
    TWO_SETS,
    B,
    K,
    T,
    Z,
    c,
    center,
    d,
    density,
    f,
    g,
    h,
    half,
    k,
    l,
    m,
    n,
    p,
    q,
    r,
    rho,
    sigma,
    t,
    w,
    y,
)

ANY_LAW = "any distribution on finitely many outcomes"
VARIANCE = E((AVERAGE - MIDDLE) ** 2)
TWO_TERMS = rho * sigma**2 + (1 - rho) * sigma**2 / T
STATEMENTS = [
    (forests.miss_above, Le(MISS**n, exp(-1)), "any n"),
    (forests.miss_below, Le(exp(-1) * MISS, MISS**n), "any n"),
    (forests.vote_mean, Eq(E(RIGHT / T), p), f"any T, {ANY_LAW}"),
    (forests.vote_variance, Eq(E((RIGHT / T - p) ** 2), p * (1 - p) / T), f"any T, {ANY_LAW}"),
    (
        forests.vote_hoeffding,
        Le(P(Le(RIGHT, T / 2)), exp(-2 * T * (p - half) ** 2)),
        f"any T, {ANY_LAW}",
    ),
    (
        forests.vote_bad,
        Le(P(Ge(RIGHT, T / 2)), exp(-2 * T * (half - p) ** 2)),
        f"any T, {ANY_LAW}",
    ),
    (forests.ensemble_variance, Eq(VARIANCE, TWO_TERMS), f"any T, {ANY_LAW}"),
    (forests.highest_correlation, Le(VARIANCE, sigma**2), f"any T, {ANY_LAW}"),
    (forests.correlation_at_most_one, Le(rho, 1), f"any T, {ANY_LAW}"),
    (forests.lowest_correlation, Ge(1 + (T - 1) * rho, 0), f"any T, {ANY_LAW}"),
    (forests.floor, Ge(VARIANCE, rho * sigma**2), f"any T, {ANY_LAW}"),
    (forests.uncorrelated, Eq(VARIANCE, sigma**2 / T), f"any T, {ANY_LAW}"),
    (
        forests.ensemble_error,
        Eq(E((y - AVERAGE) ** 2), (y - MIDDLE) ** 2 + rho * sigma**2 + (1 - rho) * sigma**2 / T),
        f"any T, {ANY_LAW}",
    ),
    (
        forests.correlated_vote,
        Le(P(Le(AVERAGE, half)), TWO_TERMS / forests.margin**2),
        f"any T, {ANY_LAW}",
    ),
    (
        forests.ensemble_size,
        Iff(Le((1 - rho) / T, rho / c), Ge(T, c * (1 - rho) / rho)),
        "any T",
    ),
    (
        forests.fewer_members,
        Ge((1 - rho) * sigma**2 / m, (1 - rho) * sigma**2 / T),
        "any T, any m",
    ),
    (forests.density_mass, Eq(Sum(h[l] * forests.mixed(l), (l, 1, K)), 1), "any K, any T"),
]


@pytest.mark.parametrize(("derive", "statement", "scope"), STATEMENTS)
def test_statement_and_scope(derive, statement, scope):
    theorem = derive()
    assert theorem.statement == statement
    assert (theorem.scope, theorem.mark) == (scope, "proved")


def test_every_theorem_of_the_chapter_is_certified():
    found = [
        f()
        for f in vars(forests).values()
        if getattr(f, "__module__", "") == forests.__name__ and hasattr(f, "cache_info")
    ]
    assert len(found) == 24
    assert {theorem.mark for theorem in found} == {"proved"}


@pytest.mark.parametrize("size", [2, 3, 10])
def test_the_missed_share_lies_between_its_bounds(size):
    share = (1 - 1 / size) ** size
    assert (1 - 1 / size) / math.e <= share <= 1 / math.e
    assert refuted(forests.miss_above(), {n: size}, exp(-1) * (1 - 1 / n))
    assert refuted(forests.miss_below(), {n: size}, exp(-1) * (1 - 2 / n))


def test_draws_that_copy_each_other_miss_more_often():
    theorem = forests.bootstrap_miss()
    two = {n: 2, B: [COIN, COIN]}
    assert sides(theorem, two) == (Fraction(1, 4), Fraction(1, 4))
    assert isinstance(without(theorem, two, 0), ProofError)
    hits = [all(draw != 0 for draw in draws) for draws in product(range(3), repeat=3)]
    assert Fraction(sum(hits), 27) == (1 - Fraction(1, 3)) ** 3


def test_a_vote_that_is_worse_than_a_coin_does_not_gain():
    tenth = Rational(1, 10)
    for theorem, chance in ((forests.vote_hoeffding(), tenth), (forests.vote_bad(), 1 - tenth)):
        model = {T: 3, Z: [[(0, 1 - chance), (1, chance)]] * 3, p: chance}
        left, right = sides(theorem, model)
        assert left == Fraction(972, 1000)
        assert left > 2 * right
    # Three voters by enumeration: at most one right.
    third = Fraction(1, 3)
    assert sides(forests.vote_hoeffding(), THREE)[0] == third**3 + 3 * third**2 * (1 - third)


def test_three_voters_have_a_third_of_the_variance_of_one():
    assert sides(forests.vote_variance(), THREE) == (Fraction(2, 27), Fraction(2, 27))
    assert refused(forests.vote_variance(), THREE, p * (1 - p))


def refused(theorem, witness, right):
    """Say whether a line with another right side is refused, with or without a counterexample."""
    line = Derivation("retold", given=list(theorem.given), witness=witness)
    with pytest.raises(ProofError):
        line.start(theorem.statement.parts[0]).equals(right, because="retold")
    return True


def test_the_variance_of_an_average_as_it_is_printed_is_refused():
    theorem = forests.ensemble_variance()
    printed = (1 - rho) / T * sigma**2 + (T - 1) * rho * sigma**2 / T
    flip = [(-1, half), (1, half)]
    one = {T: 1, Z: [flip], center: [0], sigma: 1, rho: half}
    assert sides(theorem, one) == (1, 1)
    assert refused(theorem, one, printed)
    assert sides(theorem, PAIR) == (Fraction(1, 2), Fraction(1, 2))
    assert refused(theorem, PAIR, sigma**2)


def test_an_average_of_correlated_members_stays_above_the_floor():
    theorem = forests.floor()
    assert sides(theorem, PAIR) == (Fraction(1, 2), 0)
    line = Derivation("retold", given=list(theorem.given), witness=PAIR).start(VARIANCE)
    with pytest.raises(ProofError):
        line.at_most(rho * sigma**2, because="the wrong way round")


def test_two_members_may_be_opposed_and_three_not_as_much():
    opposed = forests.lowest_correlation()
    assert opposed.statement == Ge(1 + (T - 1) * rho, 0)
    with pytest.raises(ProofError):
        Derivation("retold", given=list(opposed.given), witness=PAIR).start(rho).at_least(
            0, because="not always"
        )


def test_correlated_voters_may_all_be_wrong_together():
    theorem = forests.correlated_vote()
    half_right = [(0, Rational(1, 4)), (1, Rational(3, 4))]
    model = {T: 1, Z: [half_right], center: [Rational(3, 4)], forests.margin: Rational(1, 4)}
    model |= {rho: 0, sigma: 1}
    assert sides(theorem, model) == (Fraction(1, 4), 16)
    line = Derivation("retold", given=list(theorem.given), witness={**PAIR, **AHEAD})
    with pytest.raises(ProofError):
        line.start(P(Le(AVERAGE, half))).at_most(
            (1 - rho) * sigma**2 / T / forests.margin**2, because="as if they were uncorrelated"
        )


AHEAD = {center: [1, 1], forests.margin: half, Z: [[(0, half), (2, half)]] * 2}


def test_the_disagreement_of_members_is_what_an_average_gains():
    two = {T: 2, f: [0, 4], y: 1}
    assert sides(forests.ambiguity(), two) == (1, 1)
    assert refuted(forests.ambiguity(), two, Sum((y - f[t]) ** 2, (t, 1, T)) / T)


def test_the_size_needs_a_positive_correlation():
    size = forests.ensemble_size()
    assert [h.term for h in size.stated]
    assert size.mark == "proved"
    line = Derivation("retold", given=[Ge(T, c * (1 - rho))], witness={T: 1, c: 1, rho: half})
    with pytest.raises(ProofError):
        line.start((1 - rho) * sigma**2 / T).at_most(rho * sigma**2 / c, because="not without rho")


def test_fewer_members_vary_more_unless_they_agree_completely():
    assert needed(forests.fewer_members(), {m: 2, T: 1, rho: half, sigma: 1}, 0)
    assert needed(forests.fewer_members(), {m: 1, T: 2, rho: 2, sigma: 1}, 1)


def test_the_chance_to_miss_falls_exponentially_and_needs_room():
    theorem = forests.forest_miss()
    left, right = sides(theorem, {d: 10, k: 2, r: 3})
    assert left == Fraction(8 * 7 * 6, 10 * 9 * 8)
    assert right == pytest.approx(math.exp(-0.6))
    assert refuted(theorem, {d: 10, k: 2, r: 3}, exp(-2 * k * r / d))


def test_two_trees_share_what_the_data_decide():
    theorem = forests.shared_data()
    assert sides(theorem, TWO_SETS) == (1, 1)
    assert needed(theorem, {**TWO_SETS, w: [1, 1]}, 0)
    assert needed(forests.shared_nonnegative(), {K: 2, w: [2, -1], q: [0, 2]}, 1)


def test_an_average_of_densities_is_one_and_errs_less():
    cells = {key: TWO_CELLS[key] for key in (T, K, h, density, g)}
    assert sides(forests.density_error(), cells) == (0, 1)
    assert needed(forests.density_error(), {**cells, h: [Rational(-1), half]}, 0)
    assert sides(forests.density_mass(), cells) == (1, 1)
