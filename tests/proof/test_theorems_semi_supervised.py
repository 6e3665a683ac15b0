"""Semi-supervised learning: what was proved, and statements nearby that are false and refused."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from retelling import needed, refuted, sides, without

from mlnotes.proof import (
    Abs,
    Derivation,
    E,
    Eq,
    Le,
    Lt,
    Max,
    Min,
    ProofError,
    Rational,
    WrongStep,
    dot,
    independent,
    prove,
)
from mlnotes.theorems import semi_supervised as semi
from mlnotes.theorems.semi_supervised import (
    EDGE,
    STEP,
    A,
    B,
    C,
    D,
    T,
    bound,
    delta,
    energy,
    epsilon,
    f,
    guessed,
    half,
    k,
    mark,
    mean,
    n,
    node,
    offset,
    other,
    point,
    t,
    theta,
    transductive,
    w,
)

STATEMENTS = [
    (semi.unified_bound, Le(semi.EXPECTED + semi.ENTROPY, semi.ELL), "any K, any M, any n"),
    (semi.bound_is_tight, Eq(semi.EXPECTED + semi.ENTROPY, semi.ELL), "any K, any M, any n"),
    (
        semi.hinge_of_absolute,
        Eq(Max(0, 1 - Abs(t)), Min(Max(0, 1 - t), Max(0, 1 + t))),
        "all reals",
    ),
    (
        semi.tsvm_descent,
        Le(
            transductive(semi.theta_plus, semi.offset_plus),
            transductive(theta, offset),
        ),
        "any M, any n, any dimension",
    ),
    (
        semi.ridge,
        Eq((semi.level(t) + semi.level(-t)) / 2, semi.level(0) - D * semi.M * t),
        "any M, any n",
    ),
    (semi.agreement_helps, Lt(semi.AGREED, epsilon), "all reals"),
    (
        semi.average_step,
        Eq(energy(f), energy(other) + semi.degree * (f[k] - mean) ** 2),
        "any k, any n",
    ),
    (semi.unique, Eq(other[node[0]], f[node[0]]), "any T, any n"),
    (semi.maximum_principle, Le(f[node[0]], bound), "any T, any n"),
    (semi.flat_path, Eq(f[node[0]], f[node[T]]), "any T, any n"),
]


@pytest.mark.parametrize(
    ("proof", "statement", "scope"), STATEMENTS, ids=[s[0].__name__ for s in STATEMENTS]
)
def test_what_was_proved(proof: Any, statement: Any, scope: str) -> None:
    theorem = proof()
    assert theorem.statement == statement
    assert (theorem.scope, theorem.mark) == (scope, "proved")


def test_the_numbers_of_two_agreeing_classifiers() -> None:
    fifth = Rational(1, 5)
    left, right = sides(semi.agreement_helps(), {epsilon: fifth, delta: fifth})
    assert (left, right) == (Fraction(1, 17), Fraction(1, 5))


def test_agreement_of_copies_proves_nothing() -> None:
    """Without independence the errors may be the same ones."""
    with pytest.raises(ProofError):
        (
            Derivation(
                "copies",
                given=[Eq(E(A), epsilon), Eq(E(B), delta), Lt(epsilon, 1), Lt(delta, 1)],
                witness={
                    A: [(0, half), (1, half)],
                    B: [(0, half), (1, half)],
                    epsilon: half,
                    delta: half,
                },
            )
            .start(E(A * B) / E(A * B + (1 - A) * (1 - B)))
            .equals(semi.AGREED, because="not independent")
        )
    assert independent(A, B) in list(semi.agreement().given)


def test_a_coin_as_the_second_view_does_not_help() -> None:
    assert refuted(semi.agreement_helps(), {epsilon: half, delta: half / 2}, epsilon / 2)
    assert needed(semi.agreement_helps(), {epsilon: half, delta: half / 2}, 1)


def test_the_loss_of_an_unlabelled_point_is_not_that_of_its_first_label() -> None:
    assert refuted(semi.hinge_of_absolute(), {}, Max(0, 1 - t))


def test_a_margin_that_keeps_a_point_out_does_not_make_the_mean_do_so() -> None:
    with pytest.raises(WrongStep):
        prove(
            "convex",
            Le(1, Abs(dot((theta + (-theta)) / 2, point) + (offset - offset) / 2)),
            "false",
            given={"outside": Le(1, Abs(dot(theta, point) + offset))},
            witness={theta: [1], offset: 0, point: [2]},
        )


def test_far_from_zero_the_ridge_is_lower_and_labels_alone_have_none() -> None:
    witness = {n: 1, semi.M: 1, C: 1, D: 1, semi.sign: [1], t: half}
    assert refuted(semi.ridge(), witness, semi.level(0))
    given = semi.ridge().given
    (at_most,) = (place for place, known in enumerate(given) if known == Le(t, 1))
    assert needed(semi.ridge(), witness, at_most)


def test_guesses_against_the_sides_may_raise_the_objective() -> None:
    theorem = semi.tsvm_descent()
    witness = {
        n: 1,
        semi.M: 1,
        C: 1,
        D: 1,
        theta: [1],
        semi.theta_plus: [1],
        offset: 0,
        semi.offset_plus: 0,
        semi.x: [[1]],
        semi.z: [[-1]],
        semi.sign: [1],
        semi.side: [-1],
    }
    assert refuted(theorem, witness, guessed(theta, offset) / 2)


def test_the_energy_does_not_fall_by_twice_as_much() -> None:
    witness = {**EDGE, k: 1, semi.degree: 1, mean: 1}
    wrong = energy(other) + 2 * semi.degree * (f[k] - mean) ** 2
    assert refuted(semi.average_step(), witness, wrong)


def test_without_a_labelled_end_the_path_proves_nothing() -> None:
    theorem = semi.maximum_principle()
    (end,) = (
        place
        for place, given in enumerate(theorem.given)
        if str(given).startswith(str(mark[node[T]]))
    )
    assert isinstance(without(theorem, {**EDGE, **STEP, bound: 1}, end), ProofError)


def test_without_symmetry_or_edges_two_functions_may_differ() -> None:
    with pytest.raises(ProofError):
        (
            Derivation(
                "no edges",
                given=[Le(energy(f), 0)],
                witness={n: 2, w: {(i, j): 0 for i in (1, 2) for j in (1, 2)}, f: [0, 1]},
            )
            .start(f[1])
            .equals(f[2], because="nothing joins them")
        )


def test_the_bound_is_not_above_the_likelihood() -> None:
    with pytest.raises(ProofError):
        (
            Derivation("above", setting=semi.both_sorts)
            .start(semi.EXPECTED + semi.ENTROPY)
            .at_least(semi.ELL, because="false")
        )
