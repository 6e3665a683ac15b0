"""Independence within every row of a random family says nothing about different rows."""

import pytest

from mlnotes.proof import (
    Derivation,
    E,
    Ge,
    IllTyped,
    Lambda,
    Le,
    Product,
    Rational,
    Sum,
    Unproved,
    apply,
    derivations,
    exp,
    for_each,
    independent_family,
    indices,
    integers,
    prove,
    random_family,
    random_variables,
    real_family,
)

X, ell = random_family("X ell")
c = real_family("c")
n, N = integers("n N", positive=True)
i, j, k = indices("i j k")
ROWS = for_each(j, 1, N, independent_family(Lambda(i, ell[j, i])))
COIN = [(0, Rational(1, 2)), (1, Rational(1, 2))]
TOSSES = {N: 2, n: 2, ell: {(a, b): COIN for a in (1, 2) for b in (1, 2)}}
FIRST = {**TOSSES, k: 1}


@pytest.fixture(autouse=True)
def unsearched(monkeypatch):
    """Switch the search for counterexamples off, so that nothing is refused for its falsity."""
    monkeypatch.setattr(derivations, "counterexample", lambda *_, **__: None)


def moment(row):
    return E(exp(Sum(row(i), (i, 1, n))))


def moments(row):
    return Product(E(exp(row(i))), (i, 1, n))


def test_a_theorem_about_an_independent_family_holds_for_a_row():
    whole, row = Lambda(i, X[i]), Lambda(i, ell[k, i])
    rule = (
        Derivation("moments", given=[independent_family(X)], witness={X: [COIN, COIN], n: 2})
        .start(moment(whole))
        .equals(moments(whole), because="independent")
        .qed()
    )
    given, witness = [ROWS, Ge(k, 1), Le(k, N)], {**TOSSES, k: 1}
    d = Derivation("row", given=given, witness=witness).start(moment(row))
    d.equals(moments(row), because="row k", by=apply(rule, {X: row}))
    assert d.qed().mark == "proved"
    column = Lambda(i, ell[i, k])
    d = Derivation("column", given=given, witness=witness).start(moment(column))
    with pytest.raises(Unproved):
        d.equals(moments(column), because="not a row", by=apply(rule, {X: column}))


@pytest.mark.parametrize(
    "rows",
    [
        Lambda(i, ell[i, k]),
        Lambda(i, ell[k + N, i]),
        Lambda(i, ell[i, i]),
    ],
)
def test_columns_diagonals_and_rows_out_of_range_are_not_covered(rows):
    with pytest.raises(Unproved):
        prove("t", independent_family(rows), given=[ROWS, Ge(k, 1), Le(k, N)], witness=FIRST)


def test_a_row_that_may_be_out_of_range_is_not_covered():
    row = independent_family(Lambda(i, ell[k, i]))
    with pytest.raises(Unproved):
        prove("t", row, given=[ROWS, Ge(k, 0), Le(k, N)], witness=FIRST)
    assert prove("t", row, given=[ROWS, Ge(k, 1), Le(k, N)], witness=FIRST).mark == "proved"


def test_different_rows_are_not_taken_to_be_independent():
    d = Derivation("rows", given=[ROWS], witness=TOSSES).start(E(ell[1, 1] * ell[2, 1]))
    with pytest.raises(Unproved):
        d.equals(E(ell[1, 1]) * E(ell[2, 1]), because="nothing says so")


def test_only_members_of_a_random_family_can_be_declared_independent():
    Y = random_variables("Y")
    for wrong in (Lambda(i, c[i]), Lambda(i, Y), Lambda(i, ell[1, 2]), Lambda(i, ell[1, i] + 1)):
        with pytest.raises(IllTyped):
            independent_family(wrong)


def test_the_index_of_a_row_is_not_captured():
    moved = for_each(i, 1, N, independent_family(Lambda(k, ell[i, k])))
    row = independent_family(Lambda(i, ell[k, i]))
    assert prove("t", row, given=[moved, Ge(k, 1), Le(k, N)], witness=FIRST).mark == "proved"
