"""The derivations about maximum entropy say what they should, and nothing near it that is false."""

import math
from fractions import Fraction

import pytest
from retelling import needed, refuted, sides

from mlnotes.proof import Derivation, Eq, Sum, WrongStep, dot, exp, log, sqrt
from mlnotes.theorems import maximum_entropy as me
from mlnotes.theorems.maximum_entropy import (
    COIN,
    K,
    f,
    gibbs,
    i,
    k,
    l,
    lam,
    model,
    mu,
    n,
    normaliser,
    p,
    q,
    s,
    score,
    x,
)

LAWS = {K: 2, q: [Fraction(1, 2)] * 2, s: [Fraction(1, 4), Fraction(3, 4)]}
BINARY = {**COIN, x: [[1]]}


def test_the_divergence_in_numbers():
    divergence = 0.5 * math.log(2) + 0.5 * math.log(2 / 3)
    assert sides(gibbs(), LAWS) == pytest.approx((divergence, 0))


def test_the_second_law_of_gibbs_inequality_may_lack_outcomes_and_have_no_more_than_one():
    # q = (1, 0) against s = (1/4, 3/4): the first outcome alone
    assert sides(gibbs(), {K: 1, q: [1], s: [Fraction(1, 4)]}) == pytest.approx((math.log(4), 0))
    assert needed(gibbs(), LAWS, 1)


def test_the_divergence_exceeds_the_distance_of_the_roots_in_numbers():
    laws = [Fraction(9, 25), Fraction(16, 25)]
    at = {K: 2, q: laws, s: laws[::-1]}
    divergence = 0.36 * math.log(0.36 / 0.64) + 0.64 * math.log(0.64 / 0.36)
    assert sides(me.gibbs_with_distance(), at) == pytest.approx((divergence, 0.08))
    distance = Sum((sqrt(q[k]) - sqrt(s[k])) ** 2, (k, 1, K))
    assert refuted(me.gibbs_with_distance(), at, 8 * distance)
    assert needed(me.gibbs_with_distance(), at, 0)
    assert needed(me.gibbs_with_distance(), at, 1)


WEATHER = {
    n: 2,
    K: 3,
    i: 2,
    k: 1,
    lam: [1, -1],
    f: {
        (1, 1): [1, 0],
        (1, 2): [0, 1],
        (1, 3): [0, 0],
        (2, 1): [2, 0],
        (2, 2): [0, 2],
        (2, 3): [1, 1],
    },
}
FIRST = [math.exp(t) / (math.exp(1) + math.exp(-1) + 1) for t in (1, -1, 0)]
SECOND = [math.exp(t) / (math.exp(2) + math.exp(-2) + 1) for t in (2, -2, 0)]
FITTED = {(r + 1, c + 1): law[c] for r, law in enumerate((FIRST, SECOND)) for c in range(3)}


def test_the_model_in_numbers():
    right = sides(me.maximum_entropy_form(), {**WEATHER, q: {(2, 1): 1}})[1]
    assert right == pytest.approx(SECOND[0])


def test_logistic_regression_in_numbers():
    at = {i: 1, lam: [2, 1], x: [[1, -3]], q: {(1, 1): 1}}
    assert sides(me.binary_case(), at)[1] == pytest.approx(1 / (1 + math.e))


def test_where_the_totals_are_those_of_the_model_the_dual_is_its_entropy():
    # Totals of the weather: first feature 1·p_11 + 2·p_21 + 1·p_23, second p_12 + 2·p_22 + p_23.
    totals = [
        FIRST[0] + 2 * SECOND[0] + SECOND[2],
        FIRST[1] + 2 * SECOND[1] + SECOND[2],
    ]
    entropy = -sum(t * math.log(t) for t in (*FIRST, *SECOND))
    at = {**WEATHER, p: FITTED, me.total: totals}
    assert sides(me.no_duality_gap(), at) == pytest.approx((entropy, entropy))
    assert refuted(me.no_duality_gap(), COIN, me.entropy(p) + 1)
    assert needed(me.no_duality_gap(), {**COIN, me.total: [0]}, 1)


def test_the_dual_in_numbers():
    seen = {(1, 1): 0, (1, 2): 1, (1, 3): 0, (2, 1): 1, (2, 2): 0, (2, 3): 0}
    first = math.exp(1) + math.exp(-1) + 1
    second = math.exp(2) + math.exp(-2) + 1
    likelihood = -math.log(math.exp(-1) / first) - math.log(math.exp(2) / second)
    at = {**WEATHER, p: FITTED, me.t: seen, me.total: [2, 1]}
    assert sides(me.dual_is_likelihood(), at) == pytest.approx((likelihood, likelihood))
    law = {(r, c): Fraction(1, 3) for r in (1, 2) for c in (1, 2, 3)}
    # the uniform law has totals 1/3 + 1 and 1/3 + 1, at which the dual loses its linear part
    uniform, dual = 2 * math.log(3), math.log(first) + math.log(second)
    at = {**WEATHER, q: law, me.total: [Fraction(4, 3)] * 2}
    assert sides(me.weak_duality(), at) == pytest.approx((uniform, dual))


def test_the_dual_exceeds_the_entropy_of_a_fair_coin_by_its_divergence_from_the_model():
    even = {(1, 1): Fraction(1, 2), (1, 2): Fraction(1, 2)}
    gap = math.log(4) - math.log(3) / 2 - math.log(2)
    at = {**COIN, q: even, me.total: [Fraction(1, 2)]}
    assert sides(me.dual_gap(), at) == pytest.approx((gap, gap))
    assert gap == pytest.approx(math.log(2 / 3) / 2 + math.log(2) / 2)


terms = ((k, 1, K), (i, 1, n))
divergence = Sum(q[i, k] * log(q[i, k] / p[i, k]), *terms)
WRONG = [
    (me.gibbs, LAWS, 1),
    (me.gibbs, LAWS, Sum((q[k] - s[k]) ** 2, (k, 1, K)) * 2),
    # erratum-004-maxent-normalisation: without its multiplier nothing normalises
    (me.stationarity, COIN, -log(q[i, k]) - 1 + score(i, k)),
    # erratum-004-maxent-derivative-sums: one entry keeps one term, not the double sum
    (me.stationarity, COIN, Sum(-log(q[i, l]) - 1 + score(i, l), (l, 1, K)) + mu[i]),
    (me.exponential_form, COIN, exp(score(i, k) + mu[i])),
    (me.exponential_form, COIN, exp(-score(i, k) + mu[i] - 1)),
    (me.multiplier, COIN, Sum(exp(-score(i, l)), (l, 1, K))),
    (me.multiplier, COIN, 1 / normaliser[i]),
    # erratum-004-maxent-one-over-e: 1/e does not normalise
    (me.maximum_entropy_form, COIN, exp(score(i, k) - 1)),
    # erratum-004-maxent-weight-sign
    (me.maximum_entropy_form, COIN, exp(-score(i, k)) / Sum(exp(-score(i, l)), (l, 1, K))),
    (me.entropy_gap, COIN, -divergence + 1),
    (me.entropy_gap, COIN, divergence + log(2)),
    (me.maximum_entropy_is_largest, COIN, me.entropy(p) - 1),
    (me.maximum_entropy_is_largest, COIN, me.entropy(p) / 2),
    (me.dual_gap, COIN, -divergence + 1),
    (me.divergence_of_tables, COIN, 1),
    (me.binary_case, BINARY, 1 / (1 + exp(dot(lam, x[i])))),
    (me.binary_case, BINARY, exp(dot(lam, x[i]))),
    (me.uniform_is_largest, LAWS, log(K) / 2),
    (me.weak_duality, COIN, me.dual(lam) - 1),
    (me.weak_duality, COIN, Sum(log(normaliser[i]), (i, 1, n)) + dot(lam, me.total) - 1),
    (me.dual_gradient, COIN, me.total - Sum(model(i, k) * f[i, k], *terms)),
]


@pytest.mark.parametrize(("theorem", "witness", "right"), WRONG)
def test_a_wrong_right_side_is_refused_with_a_counterexample(theorem, witness, right):
    assert refuted(theorem(), witness, right)


def test_without_normalisation_the_divergence_may_be_negative():
    line = Derivation("no law", given=gibbs().given[:1], witness=LAWS)
    with pytest.raises(WrongStep) as refusal:
        line.start(gibbs().statement.lhs).at_least(0, because="not normalised")
    assert refusal.value.counterexample


def test_the_gap_needs_the_totals_the_distribution_and_the_model():
    even = {(1, 1): Fraction(1, 2), (1, 2): Fraction(1, 2)}
    theorem = me.entropy_gap()
    assert [h.name for h in theorem.stated][:4] == [
        *("problem moments", "problem normalised", "model", "matched"),
    ]
    assert needed(theorem, {**COIN, q: even}, 0)
    assert needed(theorem, {**COIN, q: {(1, 1): Fraction(3, 4), (1, 2): 1}}, 1)
    uniform = {**COIN, p: even, q: even, me.total: [Fraction(1, 2)]}
    assert needed(theorem, uniform, 2)
    assert needed(theorem, {**COIN, q: even, me.total: [Fraction(1, 2)]}, 3)


def test_the_only_table_with_as_much_entropy_is_the_model():
    theorem = me.maximum_entropy_is_unique()
    assert theorem.statement == Eq(q[i, k], p[i, k])
    even = {(1, 1): Fraction(1, 2), (1, 2): Fraction(1, 2)}
    position = [h.name for h in theorem.stated].index("matched")
    # The fair coin has more entropy than the model, and other totals.
    assert needed(theorem, {**COIN, q: even, me.total: [Fraction(1, 2)]}, position)
    free = {
        k: 1,
        K: 3,
        f: {(1, 1): [1], (1, 2): [1], (1, 3): [0]},
        lam: [0],
        me.total: [Fraction(2, 3)],
    }
    flat = {(1, c): Fraction(1, 3) for c in (1, 2, 3)}
    tilted = {(1, 1): Fraction(1, 2), (1, 2): Fraction(1, 6), (1, 3): Fraction(1, 3)}
    position = [h.name for h in theorem.stated].index("as large")
    assert needed(theorem, {**COIN, **free, p: flat, q: tilted}, position)


def test_the_problem_is_shown_as_one():
    shown = me.weak_duality().part("problem")
    assert shown.startswith("\\begin{aligned}\n\\max_{q} \\quad & H(q)")
    assert "subject to" in shown
