"""What a line rests on is never lost: the weakest rule anywhere inside decides its mark."""

from __future__ import annotations

import pytest

from mlnotes.proof import (
    Derivation,
    Ge,
    Le,
    Lt,
    Sum,
    Theorem,
    apply,
    assumed,
    cases,
    exp,
    indices,
    integers,
    monotone,
    real_family,
    reals,
    termwise,
    using,
)
from mlnotes.proof import tested as only_tested
from mlnotes.proof.named_rules import Rule

a, b = reals("a b")
n = integers("n", positive=True)
i = indices("i")
x, y = real_family("x y")
BELOW = [Le(a, b)]


def taken_on_trust() -> Theorem:
    return Derivation("t").start(a**2).at_least(0, because="?", by=assumed("a textbook")).qed()


@pytest.mark.parametrize(
    ("rule", "mark"),
    [
        (using(Ge(a**2, 0)), "proved"),
        (using(apply(taken_on_trust())), "assumed"),
        (using(using(apply(taken_on_trust()))), "assumed"),
        (cases((Lt(a, 0), only_tested()), Ge(a, 0)), "tested"),
        (cases((Lt(a, 0), assumed("a textbook")), (Ge(a, 0), only_tested())), "tested"),
        (monotone(exp, by=assumed("a textbook")), "assumed"),
        (termwise(i, by=only_tested()), "tested"),
        (termwise(i, by=monotone(exp, by=using(apply(taken_on_trust())))), "assumed"),
    ],
)
def test_a_rule_is_as_weak_as_the_weakest_rule_inside_it(rule: Rule, mark: str) -> None:
    assert rule.mark == mark


def test_a_theorem_says_what_an_inner_rule_took_on_trust() -> None:
    theorem = (
        Derivation("squares")
        .start(a**2)
        .at_least(0, because="?", by=using(apply(taken_on_trust())))
        .qed()
    )
    assert theorem.mark == "assumed"
    assert "assumes" in theorem.scope
    assert theorem.assumptions


def test_a_theorem_says_that_an_inner_rule_only_tested() -> None:
    theorem = (
        Derivation("sums")
        .start(Sum(-(x[i] ** 2), (i, 1, n)))
        .at_most(Sum(y[i] ** 2, (i, 1, n)), because="?", by=termwise(i, by=only_tested()))
        .qed()
    )
    assert theorem.mark == "tested"
    assert theorem.scope == "tested numerically only"
