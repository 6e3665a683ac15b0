"""Means given an event, and given the value that a random number has."""

from __future__ import annotations

from fractions import Fraction

import pytest

from mlnotes.proof import (
    Derivation,
    E,
    Eq,
    Ge,
    Gt,
    IllTyped,
    P,
    Rational,
    Undefined,
    WrongStep,
    function,
    random_variables,
    reals,
    vectors,
)
from mlnotes.proof.evaluate import Model, value
from mlnotes.proof.rendering import plain

X, Y, Z = random_variables("X Y Z")
a, b = reals("a b")
h = function("h")
best = E(Y, given=X)
half = Rational(1, 2)
coins = {X: [(0, half), (1, half)], Y: [(1, half), (3, half)], a: 1}
# X is 0, 0, 1 and Y is 1, 3, 7, with the probabilities 1/4, 1/4, 1/2.
model = Model(
    {
        ("X", "R", ("W",)): {(0,): 0, (1,): 0, (2,): 1},
        ("Y", "R", ("W",)): {(0,): 1, (1,): 3, (2,): 7},
        ("a", "R", ()): 0,
    },
    weights=(Fraction(1, 4), Fraction(1, 4), Fraction(1, 2)),
)


def test_a_page_shows_what_is_given():
    assert plain(best) == "E[Y | X]"
    assert plain(E(best)) == "E[E[Y | X]]"
    assert plain(E(Y + 1, given=Ge(X, a))) == "E[Y + 1 | X ≥ a]"
    assert plain(P(Eq(Y, b), given=Eq(X, a))) == "P[Y = b | X = a]"
    assert plain(P(Gt(Y, 0), given=X)) == "P[Y > 0 | X]"


def test_the_mean_given_a_value_averages_the_outcomes_with_that_value():
    assert value(E(Y, given=Eq(X, a)).term, model) == 2
    assert value(P(Eq(Y, 3), given=Eq(X, a)).term, model) == Fraction(1, 2)
    assert value(E(best**2).term, model) == Fraction(2**2 + 7**2, 2)


@pytest.mark.parametrize("given", [a, vectors("u"), Rational(1, 2)])
def test_what_is_neither_event_nor_random_is_refused(given):
    with pytest.raises(IllTyped, match="event"):
        E(Y, given=given)


def test_the_tower_rule():
    theorem = Derivation("tower").start(E(best)).equals(E(Y)).qed()
    assert theorem.scope == "any distribution on finitely many outcomes"
    assert "E[Y | X]" in str(theorem)


def test_a_function_of_what_is_given_comes_out():
    theorem = Derivation("known").start(E(h(X) * best)).equals(E(h(X) * Y)).qed()
    assert theorem.mark == "proved"
    with pytest.raises(WrongStep):
        Derivation("unknown").start(E(Z * best)).equals(E(Z * Y))


def test_the_conditional_mean_is_the_best_rule():
    theorem = (
        Derivation("best")
        .start(E((Y - h(X)) ** 2))
        .equals(E((Y - best) ** 2) + E((best - h(X)) ** 2))
        .at_least(E((Y - best) ** 2))
        .qed()
    )
    assert theorem.mark == "proved"


def test_total_variance():
    split = E((Y - best) ** 2) + E((best - E(Y)) ** 2)
    assert Derivation("v").start(E((Y - E(Y)) ** 2)).equals(split).qed().mark == "proved"
    with pytest.raises(WrongStep):
        Derivation("v").start(E((Y - E(Y)) ** 2)).equals(E((Y - best) ** 2))


def test_given_a_value_its_probability_has_to_be_positive():
    line = E(2 * Y, given=Eq(X, a))
    with pytest.raises(Undefined, match=r"P\[X = a\] is not zero"):
        Derivation("undefined").start(line)
    given = [Gt(P(Eq(X, a)), 0)]
    theorem = Derivation("linear", given=given, witness=coins).start(line)
    assert theorem.equals(2 * E(Y, given=Eq(X, a))).qed().mark == "proved"


def test_only_the_probability_of_the_own_value_need_not_be_positive():
    with pytest.raises(Undefined, match="not zero"):
        Derivation("another chance").start(E(Y / P(Eq(Z, a))))


def test_a_value_is_looked_for_among_those_that_occur():
    given = [Gt(P(Eq(X, a)), 0)]
    line = Derivation("given one", given=given, witness=coins).start(E(X * Y, given=Eq(X, a)))
    with pytest.raises(WrongStep, match="a = "):
        line.equals(E(Y, given=Eq(X, a)))
    assert line.equals(a * E(Y, given=Eq(X, a))).qed().mark == "proved"
