"""The derivations about concentration say what they should, and nothing near it that is false."""

import pytest
from retelling import needed, refuted, sides

from mlnotes.proof import Abs, E, Eq, Ge, Le, P, Rational, Sum, exp, independent_family
from mlnotes.theorems import concentration as ct
from mlnotes.theorems.concentration import (
    COINS,
    FAIR,
    X,
    Z,
    a,
    b,
    bound,
    high,
    i,
    lam,
    level,
    low,
    mu,
    n,
    rate,
    t,
    total,
)

FINITE = ("all expectations that occur exist and are finite",)
HALF = Rational(1, 2)
DEVIATION = Sum(X[i] - mu[i], (i, 1, n))
TAIL = exp(-2 * n**2 * bound**2 / total)
CENTRED = {Z: [(-1, Rational(2, 3)), (2, Rational(1, 3))], a: -1, b: 2, lam: 1}
SIGN = {
    n: 1,
    X: [[(-1, HALF), (1, HALF)]],
    mu: [0],
    low: [-1],
    high: [1],
    total: 4,
    bound: Rational(9, 10),
}
STATEMENTS = [
    (ct.markov, Le(P(Ge(Z, level)), E(Z) / level), "any distribution"),
    (
        ct.chebyshev,
        Le(P(Ge(Abs(Z - E(Z)), level)), (E(Z**2) - E(Z) ** 2) / level**2),
        "any distribution",
    ),
    (ct.chernoff, Le(P(Ge(Z, t)), exp(-rate * t) * E(exp(rate * Z))), "any distribution"),
    (ct.hoeffding_lemma, Le(E(exp(lam * Z)), exp(lam**2 * (b - a) ** 2 / 8)), "any distribution"),
    (ct.hoeffding_upper, Le(P(Ge(DEVIATION, n * bound)), TAIL), "any n, any distribution"),
    (ct.hoeffding, Le(P(Ge(Abs(DEVIATION), n * bound)), 2 * TAIL), "any n, any distribution"),
]


@pytest.mark.parametrize(("derive", "statement", "scope"), STATEMENTS)
def test_statement_and_scope(derive, statement, scope):
    theorem = derive()
    assert theorem.statement == statement
    assert theorem.scope == scope
    assert theorem.mark == "proved"
    assert theorem.assumptions == FINITE
    assert not theorem.as_dict()["needs_z3"]


def test_hoeffding_needs_independence_and_not_identical_distributions():
    given = ct.hoeffding().given
    assert given[0] == independent_family(X)
    assert Eq(total, Sum((high[i] - low[i]) ** 2, (i, 1, n))) in given
    assert sides(ct.hoeffding(), {**COINS, bound: 1})[0] == Rational(1, 3) * HALF


def test_markov_is_tight_on_two_points():
    assert sides(ct.markov(), {Z: FAIR, level: 2}) == (HALF, HALF)
    assert refuted(ct.markov(), {Z: FAIR, level: 2}, E(Z) / level, "<")
    assert refuted(ct.markov(), {Z: FAIR, level: 2}, E(Z) / level**2)


def test_markov_needs_a_nonnegative_variable():
    assert needed(ct.markov(), {Z: [(-2, HALF), (1, HALF)], level: 1}, 0)


def test_chebyshev_is_tight_on_two_points():
    assert refuted(
        ct.chebyshev(), {Z: [(9, HALF), (11, HALF)], level: 1}, E(Z**2) / (9 * level) ** 2
    )


def test_hoeffdings_lemma_with_another_constant_or_no_square_is_refused():
    fair = {Z: [(-1, HALF), (1, HALF)], a: -1, b: 1, lam: HALF}
    assert refuted(ct.hoeffding_lemma(), fair, exp(lam**2 * (b - a) ** 2 / 9))
    assert refuted(ct.hoeffding_lemma(), {**fair, lam: 3}, exp(lam * (b - a) ** 2 / 8))


def test_hoeffdings_lemma_needs_a_centred_variable_in_its_range():
    assert needed(ct.hoeffding_lemma(), {**CENTRED, Z: [(1, HALF), (2, HALF)]}, 3)
    wide = {**CENTRED, Z: [(-1, Rational(9, 10)), (9, Rational(1, 10))]}
    assert needed(ct.hoeffding_lemma(), wide, 1)


def test_hoeffdings_lemma_covers_a_constant_at_the_end_of_its_range():
    """A mean at the end of the range, as for a predictor that never errs, is not left out."""
    assert sides(ct.hoeffding_lemma(), {Z: [(0, 1)], a: 0, b: 1, lam: 2})[0] == 1
    assert Le(a, 0) not in ct.hoeffding_lemma().given


def test_two_tails_need_the_factor_two():
    assert refuted(ct.hoeffding(), SIGN, TAIL)
    assert sides(ct.hoeffding(), SIGN)[0] == 1


def test_an_exponent_that_forgets_the_deviation_or_is_too_large_is_refused():
    narrow = {**SIGN, bound: Rational(1, 10)}
    assert refuted(ct.hoeffding_upper(), narrow, exp(-8 * n**2 / total))
    assert refuted(ct.hoeffding_upper(), SIGN, exp(-8 * n**2 * bound**2 / total))
