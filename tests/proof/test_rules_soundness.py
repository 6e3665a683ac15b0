"""Attacks on single rules and methods: what they prove is so, what is not so they refuse."""

import pytest

from mlnotes.proof import (
    Derivation,
    Eq,
    Ge,
    Le,
    Lt,
    Ne,
    ProofError,
    cases,
    exp,
    impossible,
    indicator,
    monotone,
    reals,
    sqrt,
)

a, g, y = reals("a g y")
b, z = reals("b z")
BETWEEN = [Le(a, z), Le(z, b), Lt(a, b)]
INSIDE = {a: 0, b: 3, z: 1}
SIGNS = [Eq(y**2, 1), Eq(g**2, 1)]
WITNESS = {y: 1, g: -1}


def test_terms_apart_from_zero_whose_product_is_zero_contradict_each_other():
    theorem = impossible("no third root", given=[Eq(y**2, 1), Ne(y, 1), Ne(y, -1)], z3=False)
    assert theorem.steps[0].method == "certificate"


def test_a_hypothesis_is_multiplied_by_what_its_own_multiples_contain():
    theorem = impossible("0 = 1", given=[Le(y**2, 0), Eq(1 + 2 * g * y, 0)], z3=False)
    assert theorem.steps[0].method == "certificate"


@pytest.mark.parametrize(
    "given",
    [
        [Eq(y**2, 1), Ne(y, 1)],
        [Eq(y**2, 4), Ne(y, 1), Ne(y, -1)],
        [Ne(y, 1), Ne(y, -1)],
        [Eq(y * g, 0), Ne(y, 0)],
        [Le(y**2, 1), Eq(1 + 2 * g * y, 0)],
    ],
)
def test_terms_apart_from_zero_that_can_be_so_do_not(given):
    with pytest.raises(ProofError):
        impossible("possible", given=given, z3=False)


def test_two_signs_are_equal_or_opposite():
    line = Derivation("signs", given=SIGNS, witness=WITNESS, z3=False).start(y * g)
    line = line.equals(
        1 - 2 * indicator(Ne(y, g)), because="by cases", by=cases(Eq(y, g), Eq(y, -g))
    )
    assert line.qed().mark == "proved"


def test_cases_that_leave_a_sign_out_are_refused():
    line = Derivation("signs", given=SIGNS, witness=WITNESS, z3=False).start(y * g)
    with pytest.raises(ProofError):
        line.equals(-1, because="only one case", by=cases(Eq(y, -g)))
    line = Derivation("signs", given=SIGNS, witness=WITNESS, z3=False).start(y * g)
    with pytest.raises(ProofError):
        line.equals(-1 + a - a, because="unequal", by=cases(Ne(y, g)))


def test_equal_arguments_have_equal_values():
    given, witness = [Eq(y * g, 1)], {y: 2, g: "1/2"}
    line = Derivation("congruence", given=given, witness=witness, z3=False)
    line.start(exp(-a * y * g)).equals(exp(-a), because="y g = 1", by=monotone(exp))
    assert line.steps[0].method == "monotone"


def test_unequal_arguments_and_roots_of_another_sign_are_refused():
    given, witness = [Eq(y * g, 1)], {y: 2, g: "1/2"}
    line = Derivation("congruence", given=given, witness=witness).start(exp(-a * y * g))
    with pytest.raises(ProofError):
        line.equals(exp(a), because="wrong sign", by=monotone(exp))
    line = Derivation("roots", given=[Ge(y**2, 0)], witness={y: 2}).start(sqrt(y**2))
    with pytest.raises(ProofError):
        line.equals(y, because="only for y ≥ 0", by=monotone(sqrt))
    line = Derivation("logs", given=[Lt(y, 0)], witness={y: -2}).start(y)
    with pytest.raises(ProofError):
        line.equals(-y, because="no logarithm", by=monotone(exp))


@pytest.mark.parametrize(
    ("numerator", "power"), [(b - z, 1), (z - a, 1), (a - z, 2), ((z - b) * (a - b), 2)]
)
def test_a_denominator_known_by_its_sign_is_cleared(numerator, power):
    sign = 1 if power == 1 else -1 if numerator == a - z else 1
    d = Derivation("ratio", given=BETWEEN, witness=INSIDE, z3=False).start(
        sign * numerator / (b - a) ** power
    )
    assert d.at_least(0, because="both have the same sign").qed().mark == "proved"


@pytest.mark.parametrize("power", [1, 2, 3])
def test_clearing_a_denominator_never_turns_a_sign_round(power):
    for denominator in (b - a, a - b):
        truth = 1 if denominator == b - a or power == 2 else -1
        for numerator in (b - z, z - b):
            value = truth * (1 if numerator == b - z else -1)
            d = Derivation("ratio", given=BETWEEN, witness=INSIDE, z3=False)
            d.start(numerator / denominator**power)
            if value > 0:
                d.at_least(0, because="same sign")
            else:
                with pytest.raises(ProofError):
                    d.at_least(0, because="opposite signs")
