"""The derivations about PAC learning say what they should, and nothing near it that is false."""

import pytest
from retelling import needed, refuted, sides

from mlnotes.proof import (
    Derivation,
    Ge,
    Le,
    P,
    Product,
    Rational,
    Sum,
    WrongStep,
    exp,
    for_each,
    indicator,
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
    ell,
    epsilon,
    i,
    largest,
    n,
    r,
    t,
    u,
    v,
    w,
    z,
)

FINITE = ("expectations are over finitely many outcomes",)
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


def test_the_product_above_the_indicator_needs_losses_of_at_most_one():
    theorem, total = pac.no_loss_product(), Sum(t[i], (i, 1, n))
    assert theorem.statement == Le(indicator(Le(total, 0)), Product(1 - t[i], (i, 1, n)))
    assert (theorem.scope, theorem.mark, theorem.assumptions) == ("any n", "proved", ())
    unbounded = Derivation(
        "losses above one", given=[for_each(i, 1, n, Ge(t[i], 0))], witness={n: 1, t: [2]}
    ).start(indicator(Le(total, 0)))
    with pytest.raises(WrongStep) as refusal:
        unbounded.at_most(Product(1 - t[i], (i, 1, n)), because="without the bound")
    assert refusal.value.counterexample


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


def test_half_the_realisable_sample_size_is_not_enough():
    line = Derivation(
        "too few",
        given=[Ge(n, log(N / delta) / (2 * epsilon))],
        witness={n: 2, N: 2, epsilon: HALF, delta: HALF},
    ).start(N * exp(-n * epsilon))
    with pytest.raises(WrongStep):
        line.at_most(delta, because="half as many")
