"""Sums over subsets, their members, and shattering: what is certified and what is refused."""

import itertools

import pytest

from mlnotes.proof import (
    Derivation,
    Eq,
    Ge,
    IllTyped,
    Le,
    Product,
    ProofError,
    Sum,
    Vacuous,
    WrongStep,
    contains,
    for_each,
    indicator,
    indices,
    induction,
    integers,
    joined,
    real_family,
    reals,
    shattered_sets,
    shatters,
    subsets,
    termwise,
)
from mlnotes.proof.evaluate import Model, holds, value
from mlnotes.proof.language import SUBSETS
from mlnotes.proof.rendering import plain, tex
from mlnotes.theorems import vc_dimension

S, T, i = indices("S T i")
n = integers("n", nonnegative=True)
a, f, C = real_family("a f C")
x = reals("x")
IN = {"from zero": Ge(S, 0), "small": Le(S, subsets(S, n)[2])}
AT = {n: 2, S: 1}
ALL = subsets(S, n)
MORE = subsets(S, n + 1)


def has(s, point):
    """Return the indicator of a member."""
    return indicator(contains(s, point))


def size(s, points):
    """Return the number of members."""
    return Sum(has(s, i), (i, 1, points))


def line(left, relation, right, by=None, given=None, witness=None):
    """Derive one line."""
    chain = Derivation("line", given=given or {}, witness=witness).start(left)
    return chain.line(relation, right, by=by).qed()


TRUE = {
    "one point more": (Sum(f[S], MORE), "=", Sum(f[S] + f[joined(S, n + 1)], ALL), None, {}),
    "none": (Sum(f[S], subsets(S, 0)), "=", f[0], None, {}),
    "how many": (Sum(x, ALL), "=", 2**n * x, induction(None, n), {}),
    "the last point is not in it": (has(S, n + 1), "=", 0, None, IN),
    "the last point is in it": (has(joined(S, n + 1), n + 1), "=", 1, None, IN),
    "the others stay": (
        Sum(a[i] * has(joined(S, n + 1), i), (i, 1, n)),
        "=",
        Sum(a[i] * has(S, i), (i, 1, n)),
        termwise(i),
        IN,
    ),
    "a sum of larger terms": (
        Sum(f[S], ALL),
        "≤",
        Sum(f[S] + f[S] ** 2 + 1, ALL),
        termwise(S),
        {},
    ),
    "what many sets have": (
        Sum(size(S, n), ALL),
        "≤",
        Sum(Sum(1 + 0 * i, (i, 1, n)), ALL),
        termwise(S, by=termwise(i)),
        {},
    ),
}
FALSE = {
    "one point more": (Sum(f[S], MORE), "=", Sum(2 * f[S], ALL), None, {}),
    "none": (Sum(f[S], subsets(S, 0)), "=", 0, None, {}),
    "how many": (Sum(x, ALL), "=", n**2 * x, induction(None, n), {}),
    "how many for n": (Sum(1, ALL), "≤", 2 * n, None, {}),
    "the last point is not in it": (has(S, n), "=", 0, None, IN),
    "the last point is in it": (has(joined(S, n + 1), n), "=", 1, None, IN),
    "any point": (has(joined(S, n + 1), i), "=", has(S, i), None, IN),
    "not a subset": (has(S, n + 1), "=", 0, None, {"from zero": Ge(S, 0)}),
    "what many sets have": (Sum(size(S, n), ALL), "=", n * 2**n, None, {}),
}


@pytest.mark.parametrize("name", TRUE)
def test_true_lines_are_certified(name):
    left, relation, right, by, given = TRUE[name]
    assert line(left, relation, right, by, given, AT if given else None).checked.steps > 0


@pytest.mark.parametrize("name", FALSE)
def test_false_lines_are_refused(name):
    left, relation, right, by, given = FALSE[name]
    with pytest.raises(ProofError):
        line(left, relation, right, by, given, AT if given else None)


def test_the_numbers_of_subsets_are_binary_numbers():
    sets = {value_of_set(s, 4) for s in range(16)}
    assert sets == {frozenset(t) for k in range(5) for t in itertools.combinations(range(1, 5), k)}
    assert value_of_set(5, 4) == {1, 3}
    assert value(joined(1, 3).term, Model()) == 5


def value_of_set(number, points):
    """Return the members of the set of a number, from the model."""
    return frozenset(i for i in range(1, points + 1) if holds(contains(number, i).term, Model()))


def test_what_is_supposed_of_subsets_is_stated_and_holds_in_every_model():
    assert set(SUBSETS) <= set(vc_dimension.one_point_more().checked.hypotheses)
    assert [plain(law) for law in SUBSETS] == [
        "2⁰ = 1",
        "2^(k+1) = 2 · 2^k for k = 0, 1, …",
        "1[k + 1 ∈ S] = 0 for k = 0, 1, … and S ⊆ {1,…,k}",
        "1[k + 1 ∈ S ∪ {k + 1}] = 1 for k = 0, 1, … and S ⊆ {1,…,k}",
        "1[i ∈ S ∪ {k + 1}] = 1[i ∈ S] for k = 0, 1, … and S ⊆ {1,…,k} and i = 1, …, k",
    ]
    for k, s in itertools.product(range(4), range(8)):
        if s < 2**k:
            assert value_of_set(s + 2**k, k + 1) == value_of_set(s, k) | {k + 1}


def test_no_author_can_give_the_members_of_sets_other_meanings():
    for name in ("∈", "2ⁿ"):
        with pytest.raises(IllTyped):
            real_family(name)


def test_hypotheses_that_contradict_what_subsets_are_have_no_witness():
    with pytest.raises(Vacuous):
        Derivation("no", given=[Eq(has(1, 1), 0)], witness={n: 1})


def test_a_range_of_subsets_and_a_joined_point_are_shown_as_sets():
    shown = tex(Sum(f[joined(S, n + 1)], ALL).term)
    assert shown == r"\sum_{S \subseteq \{1,\dots,n\}} f_{S \cup \{n+1\}}"
    assert plain(contains(S, i).term) == "i ∈ S"
    assert plain(for_each(*ALL, Le(f[S], 1)).term) == "f_S ≤ 1 for S ⊆ {1,…,n}"


# ---------------------------------------------------------------------- shattering


def in_class(s):
    """State that a set is in the class."""
    return Eq(C[s], 1)


def shattered(members, points):
    """Return the sets that a class shatters, from the definition."""
    return [
        t
        for t in range(2**points)
        if {s & t for s in members} == {u for u in range(2**points) if u & ~t == 0}
    ]


@pytest.mark.parametrize("points", [1, 2, 3])
def test_shattering_is_what_the_definition_says(points):
    for chosen in range(0, 2 ** (2**points), 7 if points == 3 else 1):
        members = [s for s in range(2**points) if chosen >> s & 1]
        model = Model({("C", "R", ("Z",)): {(s,): int(s in members) for s in range(2**points)}})
        found = [t for t in range(2**points) if holds(shatters(in_class, t, points).term, model)]
        assert found == shattered(members, points)


def members_and_shattered():
    """Return how many members a class has, and how many sets it shatters."""
    return (
        Sum(indicator(in_class(S)), ALL),
        Sum(indicator(shatters(in_class, T, n)), subsets(T, n)),
    )


def test_a_class_shatters_as_many_sets_as_it_has_members():
    members, many = members_and_shattered()
    found = line(members, "≤", many, shattered_sets(in_class, n))
    assert found.checked.axioms >= {"induction", "excluded_middle"}


@pytest.mark.parametrize("less", [1, n])
def test_it_need_not_shatter_more_nor_fewer(less):
    members, many = members_and_shattered()
    with pytest.raises(WrongStep):
        line(members, "≤", many - less, shattered_sets(in_class, n))


def test_it_may_shatter_more_than_it_has_members():
    members, many = members_and_shattered()
    with pytest.raises(ProofError):
        line(many, "≤", members, shattered_sets(in_class, n))


def test_the_product_over_a_set_is_that_of_its_members():
    product = vc_dimension.product(S, n)
    values = {(1,): 2, (2,): 7, (3,): 5}
    model = Model({("S", "Z", ()): 5, ("n", "Z", ()): 3, ("a", "R", ("Z",)): values})
    assert value(product.term, model) == 10
    assert value(Product(1 + a[i], (i, 1, n)).term, model) == 3 * 8 * 6
