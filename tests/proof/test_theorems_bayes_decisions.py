"""Bayes decisions: what was proved, and statements nearby that are false and refused."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest
from retelling import needed, refuted, sides

from mlnotes.proof import (
    Derivation,
    Eq,
    Ge,
    Gt,
    Iff,
    Integral,
    Le,
    Lt,
    ProofError,
    Rational,
    Sum,
    WrongStep,
    equivalence,
    prove,
    using,
)
from mlnotes.theorems import bayes_decisions as bayes
from mlnotes.theorems.bayes_decisions import (
    AT_A_THIRD,
    PENS,
    RARE,
    SEEN,
    UNEVEN,
    D,
    K,
    L,
    P,
    alarm,
    best,
    c,
    conditional,
    d,
    f,
    first_area,
    g,
    g_0,
    g_1,
    i,
    j,
    k,
    missed,
    n,
    one,
    p,
    p_0,
    p_1,
    pi,
    pi_0,
    pi_1,
    q,
    risk,
    second_area,
    t,
    w,
    z,
)

half, third, quarter = Rational(1, 2), Rational(1, 3), Rational(1, 4)
RISK_AT_INPUTS = Sum(w[i] * p[i, best[i]], (i, 1, n))
STATEMENTS = [
    (
        bayes.risk_is_an_average,
        Eq(Sum(Sum(P[i, k] * L[f[i], k], (k, 1, K)), (i, 1, n)), risk(f)),
        "any K, any n",
    ),
    (bayes.bayes_rule, Le(risk(best), risk(f)), "any D, any K, any n"),
    (
        bayes.coins_do_not_help,
        Le(
            risk(best),
            Sum(w[i] * Sum(q[i, d] * conditional[i, d], (d, 1, D)), (i, 1, n)),
        ),
        "any D, any K, any n",
    ),
    (
        bayes.bayes_rule_with_densities,
        Le(bayes.expected_loss(bayes.named_best), bayes.expected_loss(bayes.named)),
        "any D, any K, any measure space on which the integrals exist",
    ),
    (
        bayes.error_with_densities,
        Eq(
            bayes.expected_loss(bayes.named),
            1 - Integral(bayes.density(z) * bayes.posterior_at(bayes.named(z), z), z),
        ),
        "any K, any measure space on which the integrals exist",
    ),
    (bayes.bayes_error, Eq(risk(best), 1 - RISK_AT_INPUTS), "any K, any n"),
    (bayes.most_probable, Le(risk(best), risk(f)), "any K, any n"),
    (bayes.error_zero, Eq(p[j, best[j]], 1), "any j, any n"),
    (
        bayes.majority,
        Ge(1 - Sum(q[k] * pi[k], (k, 1, K)), 1 - pi[c]),
        "any K, any c",
    ),
    (bayes.majority_share, Le(1 - pi[c], 1 - 1 / K), "any K, any c"),
    (bayes.uniform_guess, Eq(1 - Sum(q[k] * pi[k], (k, 1, K)), 1 - 1 / K), "any K"),
    (bayes.features_help, Le(risk(best), 1 - pi[c]), "any K, any c, any n"),
    (
        bayes.evidence_cancels,
        Iff(Le(p[j], p[c]), Le(g[j] * pi[j], g[c] * pi[c])),
        "any K, any c, any j",
    ),
    (bayes.maximum_likelihood, Iff(Le(p[j], p[c]), Le(g[j], g[c])), "any K, any c, any j"),
    (
        bayes.odds,
        Iff(Lt((1 - one) * alarm, one * missed), Gt(one / (1 - one), alarm / missed)),
        "all reals",
    ),
    (
        bayes.likelihood_ratio,
        Iff(
            Lt(p_0 * alarm, p_1 * missed),
            Gt(g_1 / g_0, alarm / missed * (pi_0 / pi_1)),
        ),
        "all reals",
    ),
    (
        bayes.triangular,
        Eq(
            (first_area(t) - first_area(0)) + (second_area(1) - second_area(t)),
            quarter + (t - half) ** 2,
        ),
        "all reals",
    ),
]


@pytest.mark.parametrize(("derive", "statement", "scope"), STATEMENTS)
def test_statement_and_scope(derive, statement, scope):
    theorem = derive()
    assert theorem.statement == statement
    assert (theorem.scope, theorem.mark) == (scope, "proved")
    assert theorem.assumptions == ()


def test_naming_red_always_errs_for_every_second_pen_and_the_bayes_rule_for_two_of_seven():
    theorem = bayes.bayes_rule()
    assert sides(theorem, PENS) == (Fraction(2, 7), Fraction(1, 2))
    assert refuted(theorem, PENS, risk(f) - Rational(3, 10))
    # The four rules, in exact arithmetic.
    joint = [[Fraction(1, 7), Fraction(5, 14)], [Fraction(5, 14), Fraction(1, 7)]]
    errors = [sum(joint[x][1 - y] for x, y in enumerate(r)) for r in product((0, 1), repeat=2)]
    assert min(errors) == Fraction(2, 7)


def test_the_bayes_rule_needs_its_decisions_to_be_best():
    worst = {**PENS, best: [1, 2], f: [2, 1]}
    assert bayes.bayes_rule().given[3] == bayes.BEST["best"]
    assert needed(bayes.bayes_rule(), worst, 3)


def test_the_bayes_rule_needs_probabilities_of_inputs_that_are_not_negative():
    strange = {**PENS, w: [-1, 2], f: [1, 1]}
    assert needed(bayes.bayes_rule(), strange, 0)


DENSITIES = {**bayes.AT_POINTS, **bayes.BEST_AT, **bayes.RISKS}


@pytest.mark.parametrize("missing", DENSITIES)
def test_with_densities_every_hypothesis_is_needed(missing):
    def rule(given, more):
        line = Derivation("again", given=given, witness=bayes.PENS_AT)
        line = line.start(bayes.expected_loss(bayes.named_best))
        theorem = using(bayes.bayes_rule_with_densities())
        return line.at_most(bayes.expected_loss(bayes.named) - more, by=theorem)

    rule(DENSITIES, 0)
    with pytest.raises(ProofError):
        rule(DENSITIES, 1)
    with pytest.raises(ProofError):
        rule({name: h for name, h in DENSITIES.items() if name != missing}, 0)


def test_with_densities_the_pens_err_as_before():
    at = {**bayes.PENS_AT}
    assert sides(bayes.bayes_rule_with_densities(), at) == (Fraction(2, 7), Fraction(1, 2))
    assert sides(bayes.error_with_densities(), at) == (Fraction(1, 2), Fraction(1, 2))
    assert refuted(bayes.error_with_densities(), at, Rational(2, 7))


def test_no_region_pays_less_than_what_is_under_both_densities():
    at = bayes.two_densities.witness
    assert sides(bayes.every_region_errs(), at) == (Fraction(1, 2), Fraction(1))
    assert sides(bayes.best_region(), at) == (Fraction(1, 2), Fraction(1, 2))
    assert refuted(bayes.every_region_errs(), at, Rational(2, 5))
    assert [str(h) for h in bayes.best_region().given] == [
        "g_0(z) is integrable",
        "g_1(z) is integrable",
    ]


def test_the_conditional_error_is_not_the_probability_of_the_class_that_is_named():
    assert refuted(bayes.conditional_error(), {K: 2, p: [third, 2 * third], d: 1}, p[d])


def test_a_rule_with_loss_counts_its_mistakes():
    assert sides(bayes.error_of_a_rule(), PENS) == (Fraction(1, 2), Fraction(1, 2))
    assert refuted(bayes.bayes_error(), PENS, RISK_AT_INPUTS)


def test_guessing_as_often_as_classes_occur_is_worse_than_the_majority():
    matched = {K: 2, q: [Rational(9, 10), Rational(1, 10)], pi: [Rational(9, 10), Rational(1, 10)]}
    assert sides(bayes.majority(), {**matched, c: 1}) == (Fraction(18, 100), Fraction(1, 10))
    assert needed(bayes.majority(), {**UNEVEN, c: 2}, 2)


def test_the_majority_error_can_be_below_that_of_a_uniform_guess_but_not_above():
    assert refuted(bayes.majority_share(), UNEVEN, 1 - 1 / K, "==")
    assert refuted(bayes.majority_share(), UNEVEN, 1 - 1 / K, ">=")


def test_another_rule_may_err_more_often_than_a_guess():
    # What the notes print for every classifier: rule f, and not the Bayes rule.
    reversed_pens = {**PENS, f: [1, 2], pi: [half, half], c: 1}
    given = list(bayes.features_help().given)
    line = Derivation("every rule", given=given, witness=reversed_pens).start(risk(f))
    with pytest.raises(ProofError):
        line.at_most(1 - pi[c], because="printed")


def test_estimates_cost_at_most_their_distance():
    rough = {**PENS, f: [1, 1], q: {(1, 1): half, (1, 2): half, (2, 1): half, (2, 2): half}}
    left, right = sides(bayes.plug_in(), rough)
    assert (left, right) == (Fraction(3, 14), Fraction(3, 7))


def test_with_unequal_priors_the_likelihood_may_order_classes_otherwise():
    rare = {**SEEN, pi: [Rational(1, 10), Rational(9, 10)], p: [Rational(2, 11), Rational(9, 11)]}
    given = [*bayes.POSTERIORS.values(), *bayes.PAIR.values(), Le(g[j], g[c])]
    line = Derivation("without equal priors", given=given, witness=rare).start(p[j])
    with pytest.raises(WrongStep):
        line.at_most(p[c], because="not for every prior")


def test_the_ratio_of_costs_stands_the_right_way_up():
    given = {**bayes.INSIDE, "odds": Gt(one / (1 - one), missed / alarm)}
    with pytest.raises(WrongStep):
        prove(
            "upside down",
            Lt((1 - one) * alarm, one * missed),
            given=given,
            witness={one: 9 * Rational(1, 10), missed: 2, alarm: 1},
        )


def test_the_ratio_of_priors_stands_the_right_way_up():
    with pytest.raises(WrongStep):
        prove(
            "upside down",
            Lt(p_0 * alarm, p_1 * missed),
            given={"ratio": Gt(g_1 / g_0, alarm / missed * (pi_1 / pi_0))},
            setting=bayes.two_classes,
            witness=RARE,
        )


def test_costs_are_a_constant_times_errors_under_other_priors():
    model = {
        **RARE,
        missed: 3,
        bayes.rho_0: quarter,
        bayes.rho_1: 3 * quarter,
        n: 2,
        bayes.a: [1, 0],
        g: {(1, 0): third, (1, 1): 2 * third, (2, 0): 2 * third, (2, 1): third},
    }
    left, right = sides(bayes.costs_as_priors(), model)
    assert left == right == Fraction(1, 2) * Fraction(1, 3) + 3 * Fraction(1, 2) * Fraction(1, 3)


def test_a_threshold_with_the_printed_limits_has_another_error():
    printed = (first_area(1) - first_area(0)) + (second_area(1) - second_area(t))
    with pytest.raises(WrongStep):
        Derivation("printed").start(printed).equals(quarter + (t - half) ** 2)
    with pytest.raises(WrongStep):
        Derivation("no square").start(printed).equals(1 - t + t**2)


def test_both_triangular_rules_err_once_together():
    for level in (0, Rational(1, 3), 1):
        a, b = (
            sides(theorem, {t: level})[0]
            for theorem in (bayes.triangular(), bayes.reversed_triangular())
        )
        assert a + b == 1


def test_the_best_triangular_threshold_has_the_costs_the_right_way_up():
    theorem = bayes.triangular_costs()
    model = {missed: 3, alarm: 1, t: quarter}
    assert sides(theorem, model) == (Fraction(3, 8), Fraction(3, 8))
    total = missed + alarm
    wrong = missed * alarm / (2 * total) + total / 2 * (t - missed / total) ** 2
    assert refuted(theorem, model, wrong)


def test_where_a_wrong_decision_is_no_dearer_there_is_no_such_threshold():
    cheaper = Lt((1 - one) * L[1, 0] + one * L[1, 1], (1 - one) * L[0, 0] + one * L[0, 1])
    with pytest.raises(ProofError):
        equivalence(
            "always a threshold",
            prove(
                "forward",
                Gt(one, half),
                given={"cheaper": cheaper},
                witness={one: 1, L: {(0, 0): 0, (0, 1): 1, (1, 0): 1, (1, 1): 0}},
            ),
            prove("backward", cheaper, given={"p": Gt(one, half)}, witness=AT_A_THIRD),
        )


def test_two_of_three_probabilities_are_not_the_odds():
    given = {"law": Eq(p[1] + p[2] + p[3], 1), "p": Gt(p[2], 0), "q": Gt(p[3], 0)}
    line = Derivation(
        "three classes", given=given, witness={p: [half, Rational(3, 10), Rational(1, 5)]}
    ).start(p[1] / p[2])
    with pytest.raises(WrongStep):
        line.equals(p[1] / (p[2] + p[3]))
