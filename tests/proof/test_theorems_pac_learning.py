"""The derivations about PAC learning say what they should, and nothing near it that is false."""

import pytest
from retelling import needed, refuted, sides

from mlnotes.proof import (
    Derivation,
    Ge,
    Gt,
    Lambda,
    Le,
    P,
    Product,
    Rational,
    Sum,
    WrongStep,
    exp,
    for_each,
    independent_family,
    log,
)
from mlnotes.theorems import pac_learning as pac
from mlnotes.theorems.concentration import X
from mlnotes.theorems.pac_learning import (
    TOSSES,
    N,
    best,
    chosen,
    delta,
    edge,
    ell,
    epsilon,
    i,
    j,
    k,
    largest,
    m,
    n,
    r,
    survival,
    u,
    v,
    w,
    z,
)

FINITE = ("all expectations that occur exist and are finite",)
HALF = Rational(1, 2)
COIN = [(0, HALF), (1, HALF)]
LOSSES = Sum(X[i], (i, 1, n))
STATEMENTS = [
    (
        pac.uniform_convergence,
        Le(P(Ge(largest, epsilon / 2)), 2 * N * exp(-n * epsilon**2 / 2)),
        "N n",
    ),
    (pac.finite_class, Le(P(Ge(chosen - best, epsilon)), delta), "N n"),
    (pac.error_form, Le(P(Ge(chosen - best, epsilon)), delta), "N n"),
    (pac.no_loss_at_any_rate, Le(P(Le(LOSSES, 0)), exp(-n * r * (1 - survival))), "n"),
    (pac.no_loss_by_luck, Le(P(Le(LOSSES, 0)), exp(-n * r)), "n"),
    (pac.realisable, Le(P(Ge(chosen, epsilon)), delta), "M N n"),
]


@pytest.mark.parametrize(("derive", "statement", "sizes"), STATEMENTS)
def test_statement_and_scope(derive, statement, sizes):
    theorem = derive()
    assert theorem.statement == statement
    assert theorem.scope == ", ".join(
        [*(f"any {s}" for s in sizes.split()), "any distribution on finitely many outcomes"]
    )
    assert theorem.mark == "proved"
    assert theorem.assumptions == FINITE


def test_the_sample_size_is_a_hypothesis_and_so_is_the_union():
    given = pac.finite_class().given
    assert Ge(n, 2 / epsilon**2 * log(2 * N / delta)) in given
    assert pac.UNIFORM in given
    assert for_each(j, 1, N, independent_family(Lambda(i, ell[j, i]))) in given
    assert independent_family(ell) not in given


def test_half_the_sample_size_is_not_enough():
    line = Derivation(
        "too few",
        given=[Ge(n, 1 / epsilon**2 * log(2 * N / delta))],
        witness={n: 1, N: 2, epsilon: Rational(3, 2), delta: Rational(1, 2)},
    ).start(2 * N * exp(-n * epsilon**2 / 2))
    with pytest.raises(WrongStep) as refusal:
        line.at_most(delta, because="printed without the two")
    assert refusal.value.counterexample


def test_the_printed_direction_of_the_error_form_is_refused():
    line = Derivation(
        "printed",
        given=[pac.ENOUGH],
        witness={n: 8, N: 2, epsilon: Rational(3, 2), delta: Rational(1, 2)},
    ).start(epsilon**2)
    with pytest.raises(WrongStep):
        line.at_most(2 * log(2 * N / delta) / n, because="printed: ε is below the root")


def test_an_excess_risk_of_one_deviation_is_not_enough():
    witness = {v: 1, w: 1, u: 2, z: 1, best: 0}
    assert refuted(pac.excess_risk(), witness, v)
    assert sides(pac.excess_risk(), witness) == (2, 2)


@pytest.mark.parametrize("position", range(3))
def test_every_condition_on_the_minimiser_is_needed(position):
    witness = [{w: -1}, {z: 5, w: 2, u: 3}, {w: 3, u: 4}][position]
    assert needed(pac.excess_risk(), {v: 1, w: 1, u: 2, z: 1, best: 0, **witness}, position)


def test_a_bound_for_one_predictor_does_not_serve_a_class():
    assert TOSSES[N] == 2
    assert refuted(
        pac.sample_size(),
        {n: 2, N: 2, epsilon: Rational(3, 2), delta: Rational(1, 2)},
        delta / N,
    )


def test_the_excess_risk_is_split_into_three_terms():
    first = pac.excess_risk().steps[0]
    assert first.method == "normal form"
    assert [step.relation for step in pac.excess_risk().steps] == ["=", "≤", "≤", "≤", "="]


SURVIVOR = {
    pac.M: 1,
    N: 1,
    n: 2,
    ell: {(1, 1): COIN, (1, 2): COIN},
    pac.R: [HALF],
    chosen: [(HALF, 1)],
    epsilon: HALF,
    delta: HALF,
}


def test_the_realisable_sample_size_may_be_reached():
    assert Ge(n, log(N / delta) / epsilon) in pac.realisable().given


def test_the_realisable_case_needs_losses_of_that_mean_and_a_choice_without_error():
    assert needed(pac.realisable(), {**SURVIVOR, ell: {(1, 1): [(0, 1)], (1, 2): [(0, 1)]}}, 1)
    assert needed(pac.realisable(), SURVIVOR, 6)


def test_half_the_realisable_sample_size_is_not_enough():
    line = Derivation(
        "too few",
        given=[Ge(n, log(N / delta) / (2 * epsilon))],
        witness={n: 2, N: 2, epsilon: HALF, delta: HALF},
    ).start(N * exp(-n * epsilon))
    with pytest.raises(WrongStep):
        line.at_most(delta, because="half as many")


def test_a_predictor_without_risk_has_no_loss_for_sure():
    never_wrong = {n: 3, X: [[(0, 1)]] * 3, r: 0}
    assert sides(pac.no_loss_by_luck(), {**never_wrong, r: 0}) == (1, 1)
    assert needed(pac.no_loss_by_luck(), {**never_wrong, r: HALF}, 1)


def test_survival_by_luck_has_the_rate_of_the_textbook_and_no_better_one():
    witness = {n: 2, X: [[(0, Rational(99, 100)), (1, Rational(1, 100))]] * 2, r: Rational(1, 100)}
    left, right = sides(pac.no_loss_by_luck(), witness)
    assert left == Rational(99, 100) ** 2 <= right
    assert refuted(pac.no_loss_by_luck(), witness, exp(-Rational(3, 2) * n * r))


def test_a_faster_rate_of_survival_is_refused():
    witness = {n: 2, X: [COIN] * 2, r: HALF, survival: Rational(1, 100)}
    assert refuted(pac.no_loss_at_any_rate(), witness, exp(-2 * n * r * (1 - survival)))
    left, right = sides(pac.no_loss_at_any_rate(), witness)
    assert left == Rational(1, 4)
    assert left <= right


def test_shrinking_edges_leave_more_than_a_sixth_and_nothing_larger():
    theorem = pac.shrinking_edges()
    assert theorem.statement == Gt(Product(1 - 4 * edge[k] ** 2, (k, 1, m)), Rational(1, 6))
    assert theorem.scope == "any m"
    witness = {m: 40, edge: [Rational(1, j + 2) for j in range(1, 41)]}
    assert sides(theorem, witness)[0] == Rational(43 * 44, 6 * 41 * 42)
    assert refuted(theorem, witness, Rational(1, 5))
