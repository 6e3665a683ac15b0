"""Sauer's lemma and what it rests on: what the theorems say, and what is nearby and false."""

from math import comb

import pytest

from mlnotes.proof import Derivation, Implies, Le, ProofError, Sum, for_each, shatters, subsets
from mlnotes.theorems import vc_dimension
from mlnotes.theorems.vc_dimension import (
    DIMENSION,
    MEMBERS,
    C,
    T,
    binomials,
    d,
    in_class,
    m,
    product,
    size,
    small,
)

WITNESS = {m: 2, d: 1, C: {0: 1, 1: 1, 2: 1, 3: 0}}
SAYS = {
    vc_dimension.number_of_subsets: r"\sum_{S \subseteq \{1,\dots,m\}} 1 = 2^{m}",
    vc_dimension.product_formula: (
        r"\sum_{S \subseteq \{1,\dots,m\}} \prod_{i=1}^{m} "
        r"(1 + \mathbf{1}[i \in S] (a_{i} - 1)) = \prod_{i=1}^{m} (1 + a_{i})"
    ),
    vc_dimension.sauer: (
        r"\sum_{S \subseteq \{1,\dots,m\}} \mathbf{1}[C_{S} = 1] \le "
        r"\sum_{i=0}^{d} \binom{m}{i}"
    ),
}


@pytest.mark.parametrize("derive", SAYS, ids=lambda x: x.__name__)
def test_what_a_theorem_says(derive):
    assert derive().part("conclusion") == SAYS[derive]


def test_sauer_supposes_the_dimension_and_nothing_else_of_the_class():
    about = [h for h in vc_dimension.sauer().checked.hypotheses if ("C", "R", ("Z",)) in h.free]
    assert [h is DIMENSION.term for h in about] == [True]


def test_no_axiom_speaks_of_subsets_or_shattering():
    assert vc_dimension.sauer().checked.axioms >= {"induction"}
    assert not any("shatter" in a or "subset" in a for a in vc_dimension.sauer().checked.axioms)


def behaviours(points, members):
    """Return the largest size of a set that a class shatters."""

    def shattered(t):
        return {s & t for s in members} == {u for u in range(2**points) if u & ~t == 0}

    return max(bin(t).count("1") for t in range(2**points) if shattered(t))


@pytest.mark.parametrize("points", [1, 2, 3])
def test_sauer_holds_for_every_class_of_few_points(points):
    for chosen in range(1, 2 ** (2**points)):
        members = [s for s in range(2**points) if chosen >> s & 1]
        most = behaviours(points, members)
        assert len(members) <= sum(comb(points, j) for j in range(most + 1))


NEARBY = {
    "one less": binomials(m, d) - 1,
    "a smaller dimension": binomials(m, d - 1),
    "only the largest sets": binomials(m, d) - binomials(m, d - 1),
    "a point less": binomials(m - 1, d),
}


@pytest.mark.parametrize("name", NEARBY)
def test_what_is_nearby_and_false_is_refused(name):
    line = Derivation("not so", given={"dimension": DIMENSION}, witness=WITNESS).start(MEMBERS)
    with pytest.raises(ProofError):
        line.at_most(NEARBY[name], by=vc_dimension.sauer())


def test_without_the_dimension_the_line_is_refused():
    with pytest.raises(ProofError):
        Derivation("any class").start(MEMBERS).at_most(binomials(m, d), by=vc_dimension.sauer())


def test_a_dimension_of_other_sets_is_not_enough():
    other = for_each(*subsets(T, m), Implies(shatters(in_class, T, m), Le(size(T, m), d + 1)))
    line = Derivation("a larger one", given=[other], witness=WITNESS).start(MEMBERS)
    with pytest.raises(ProofError):
        line.at_most(binomials(m, d), by=vc_dimension.sauer())


@pytest.mark.parametrize("wrong", [small(m, d) - 1, small(m, d - 1), 2 * small(m, d)])
def test_other_counts_of_small_sets_are_refused(wrong):
    with pytest.raises(ProofError):
        Derivation("not so").start(wrong).equals(binomials(m, d), by=vc_dimension.subsets_by_size())


def test_another_product_formula_is_refused():
    sets = subsets(T, m)
    with pytest.raises(ProofError):
        Derivation("not so").start(Sum(product(T, m), sets)).equals(
            Sum(1, sets), by=vc_dimension.product_formula()
        )
