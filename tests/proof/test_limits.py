"""Limits as statements for every ε, and values that are known to exist: true and false lines."""

import pytest

from mlnotes.proof import (
    Abs,
    Derivation,
    Eq,
    Ge,
    Gt,
    IllTyped,
    Implies,
    Le,
    ProofError,
    Sum,
    cases,
    exists,
    for_all,
    for_each,
    function,
    indices,
    integers,
    obtain,
    real_family,
    reals,
    some,
    using,
)

n = integers("n", positive=True)
K = integers("k")
i, j = indices("i j")
a, b = real_family("a b")
x, y, c = reals("x y c")
epsilon = reals("epsilon", positive=True)
N = function("N", to="integer")
AT_ZERO = {a: lambda k: 0, x: 0, y: 0, c: 0, N: lambda e: 0}


def tends(family, limit):
    """State that from N(ε) on a sequence is within ε of its limit, for every ε."""
    return for_all((epsilon, K), Implies(Ge(K, N(epsilon)), Le(Abs(family[K] - limit), epsilon)))


LIMIT, BOUND = tends(a, x), for_all(K, Le(a[K], c))
CLOSE = for_all(epsilon, Le(x, y + 3 * epsilon))


def below(most, gap):
    """Derive that a limit of numbers up to c is at most c."""
    return (
        Derivation("a limit", given={"limit": LIMIT, "bound": BOUND}, witness=AT_ZERO)
        .start(x)
        .at_most(most, by=cases((Gt(x, c), using(LIMIT.at(gap, N(gap)), BOUND.at(N(gap))))))
        .qed()
    )


def test_a_limit_keeps_a_bound():
    assert below(c, (x - c) / 2).checked.steps > 0


def test_a_limit_need_not_be_smaller_than_the_bound():
    with pytest.raises(ProofError):
        below(c - 1, (x - c) / 2)


def test_a_distance_that_is_too_large_shows_nothing():
    with pytest.raises(ProofError):
        below(c, 2 * (x - c))


def test_what_holds_up_to_every_epsilon_holds():
    found = (
        Derivation("every ε", given=[CLOSE], witness={x: 0, y: 0})
        .start(x)
        .at_most(y, by=cases((Gt(x, y), CLOSE.at((x - y) / 6))))
        .qed()
    )
    assert found.checked.steps > 0


def test_what_holds_up_to_one_epsilon_need_not_hold():
    with pytest.raises(ProofError):
        Derivation("one ε", given=[Le(x, y + epsilon)], witness={x: 0, y: 0}).start(x).at_most(y)


SOME = some(i, 1, n, Ge(a[i], 2))
POSITIVE = for_each(i, 1, n, Ge(a[i], 0))
TOTAL = Sum(a[i], (i, 1, n))


def with_a_large_member(least, given):
    """Derive a bound from that one of the numbers is large."""
    return (
        Derivation("one is large", given=given, witness={n: 2, a: [2, 0]})
        .start(TOTAL)
        .at_least(least, by=obtain(j, SOME, by=using(Ge(TOTAL, a[j]))))
        .qed()
    )


def test_a_member_that_exists_is_given_a_name():
    assert with_a_large_member(2, [SOME, POSITIVE]).checked.steps > 0


def test_no_more_is_known_of_it_than_was_said():
    for least, given in ((3, [SOME, POSITIVE]), (2, [POSITIVE]), (2, [SOME])):
        with pytest.raises(ProofError):
            with_a_large_member(least, given)


def test_a_value_that_exists_is_given_a_name():
    multiple = exists(n, Eq(n * x, y))
    line = Derivation("a multiple", given=[multiple, Gt(x, 0)], witness={x: 1, y: 2}).start(y)
    assert line.at_least(x, by=obtain(n, multiple)).qed().checked.steps > 0
    with pytest.raises(ProofError):
        line.at_least(2 * x, by=obtain(n, multiple))


def test_only_a_symbol_can_stand_for_what_exists():
    with pytest.raises(IllTyped):
        obtain(x + 1, SOME)
