"""Two objects that are printed alike are refused: x = 1 and x = 2 would show that x < x."""

import pytest

from mlnotes.proof import (
    Derivation,
    E,
    Eq,
    IllTyped,
    Le,
    dimensions,
    function,
    identity,
    impossible,
    indices,
    integers,
    matrices,
    prove,
    random_variables,
    real_family,
    reals,
    trace,
    vectors,
)

i = indices("i")
x, y = reals("x y")
n = integers("n", positive=True)


def below(one, other, **values):
    """Derive from one = 1 and other = 2 that one is less than the other."""
    return (
        Derivation("below", given=[Eq(one, 1), Eq(other, 2)], witness={one: 1, other: 2})
        .start(one)
        .less_than(other)
        .qed()
    )


def test_different_names_are_what_they_are():
    assert below(x, y).checked.steps > 0


@pytest.mark.parametrize("other", [integers("x"), reals("varepsilon")], ids=["integer", "letter"])
def test_two_symbols_that_are_printed_alike_are_refused(other):
    one = x if other.sort == "Z" else reals("epsilon")
    with pytest.raises(IllTyped, match="two objects called"):
        below(one, other)


def test_a_number_and_a_random_variable_of_its_name_are_refused():
    with pytest.raises(IllTyped, match="two objects called x"):
        Derivation("both").start(x - E(random_variables("x"))).equals(
            -E(random_variables("x")) + x
        ).qed()


def test_a_symbol_and_the_member_of_a_family_that_is_printed_like_it_are_refused():
    family = real_family("x")
    with pytest.raises(IllTyped, match="printed alike"):
        (
            Derivation(
                "below",
                given=[Eq(reals("x_1"), 1), Eq(family[1], 2)],
                witness={reals("x_1"): 1, family: [2]},
            )
            .start(reals("x_1"))
            .less_than(family[1])
            .qed()
        )
    assert below(reals("x_1"), reals("x_2")).checked.steps > 0


def test_a_size_and_an_integer_of_its_name_are_the_same_or_refused():
    size = dimensions("n")
    with pytest.raises(IllTyped, match="a size and another object called n"):
        Derivation("one size", given=[Eq(n, 2)], witness={n: 2}).start(
            trace(identity(size)) * n
        ).equals(2 * size).qed()
    A = matrices("A", n, n)
    theorem = Derivation("one size").start(trace(A + identity(n))).equals(trace(A) + n).qed()
    assert "n = n" in {h.tex for h in theorem.trivial}


def test_hypotheses_that_contradict_each_other_only_in_print_are_refused():
    with pytest.raises(IllTyped, match="two objects called x"):
        impossible("below and not", given=[Le(x, 0), Le(1 - integers("x"), 0), Le(1, x)])


def test_a_vector_a_family_and_a_function_may_share_a_letter():
    v, family, f = vectors("x"), real_family("x"), function("x")
    told = Derivation("three").start(family[1] + f(1) + 0 * family[2])
    assert told.equals(f(1) + family[1]).qed().checked.steps > 0
    assert prove("a vector", Eq(v + v, 2 * v)).checked.steps > 0
