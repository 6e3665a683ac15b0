"""The derivations about PAC learning say what they should, and nothing near it that is false."""

import pytest
from retelling import needed, refuted, sides
from sympy import Lambda

from mlnotes.proof import (
    Abs,
    Derivation,
    Ge,
    Le,
    P,
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
    deviation,
    ell,
    epsilon,
    i,
    j,
    largest,
    mu,
    n,
    t,
    u,
    v,
    w,
    z,
)

FINITE = ("all expectations that occur exist and are finite",)
MEAN = Abs(Sum(X[i] - mu, (i, 1, n))) / n
STATEMENTS = [
    (pac.mean_on_unit_interval, Le(P(Ge(MEAN, epsilon)), 2 * exp(-2 * n * epsilon**2)), "n"),
    (pac.union_bound, Le(P(Ge(largest, t)), Sum(P(Ge(deviation[j], t)), (j, 1, N))), "N"),
    (
        pac.uniform_convergence,
        Le(P(Ge(largest, epsilon / 2)), 2 * N * exp(-n * epsilon**2 / 2)),
        "N n",
    ),
    (pac.finite_class, Le(P(Ge(chosen - best, epsilon)), delta), "N n"),
    (pac.error_form, Le(P(Ge(chosen - best, epsilon)), delta), "N n"),
]


@pytest.mark.parametrize(("derive", "statement", "sizes"), STATEMENTS)
def test_statement_and_scope(derive, statement, sizes):
    theorem = derive()
    assert theorem.statement == statement
    assert theorem.scope == ", ".join([*(f"any {s}" for s in sizes.split()), "any distribution"])
    assert theorem.mark == "proved"
    assert theorem.assumptions == FINITE
    assert not theorem.as_dict()["needs_z3"]


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


def test_a_union_bound_without_the_union_or_with_a_mean_is_refused():
    witness = {N: 2, t: 1, largest: [(2, 1)], deviation: [[(2, 1)], [(0, 1)]]}
    assert refuted(pac.union_bound(), witness, Sum(P(Ge(deviation[j], t)), (j, 1, N)) / N)
    none = {**witness, deviation: [[(0, 1)], [(0, 1)]]}
    assert needed(pac.union_bound(), none, 0)


def test_a_bound_for_one_predictor_does_not_serve_a_class():
    assert TOSSES[N] == 2
    assert refuted(
        pac.sample_size(),
        {n: 2, N: 2, epsilon: Rational(3, 2), delta: Rational(1, 2)},
        delta / N,
    )
