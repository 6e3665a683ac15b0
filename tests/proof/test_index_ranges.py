"""A hypothesis for all indices is used inside its range, also at a shifted index, not outside."""

import pytest

from mlnotes.proof import (
    Derivation,
    Eq,
    Ge,
    Le,
    Sum,
    Unproved,
    WrongStep,
    derivations,
    for_each,
    indices,
    integers,
    real_family,
    reals,
    vector_family,
)

a, b, c = real_family("a b c")
d = reals("d", nonzero=True)
x = vector_family("x")
n = integers("n", positive=True)
i, j, m = indices("i j m")


@pytest.fixture(autouse=True, params=[True, False], ids=["searched", "unsearched"])
def searching(request, monkeypatch):
    """Refuse with and without the search for counterexamples."""
    if not request.param:
        monkeypatch.setattr(derivations, "counterexample", lambda *_, **__: None)


WITNESS = {a: {k: k for k in range(-3, 8)}, b: dict.fromkeys(range(-3, 8), 0), n: 3}


def derive(index, low, high, *, hypothesis=None):
    """Show a[index] ≥ b[index] for low ≤ m ≤ high from the hypothesis for 1, …, n."""
    stated = hypothesis if hypothesis is not None else for_each(j, 1, n, Ge(a[j], b[j]))
    return (
        Derivation(
            "shift", given=[stated, Ge(m, low), Le(m, high)], witness={**WITNESS, m: int(low) + 1}
        )
        .start(a[index])
        .at_least(b[index], because="the hypothesis at this index")
        .qed()
    )


@pytest.mark.parametrize(
    ("index", "low", "high"),
    [(m, 1, n), (m + 1, 0, n - 1), (m - 1, 2, n), (n - m, 0, n - 1), (n + 1 - m, 1, n)],
)
def test_a_shifted_index_inside_the_range_is_covered(index, low, high):
    assert derive(index, low, high).mark == "proved"


@pytest.mark.parametrize(
    ("index", "low", "high"),
    [
        (m, 0, n),
        (m, 1, n + 1),
        (m + 1, 0, n),
        (m + 1, -1, n - 1),
        (m - 1, 1, n),
        (n - m, 0, n),
        (2 * m, 1, n - 1),
    ],
)
def test_a_shifted_index_that_may_leave_the_range_is_not_covered(index, low, high):
    with pytest.raises((Unproved, WrongStep)):
        derive(index, low, high)


def test_the_pattern_of_a_hypothesis_may_itself_be_shifted():
    stated = for_each(j, 1, n, Ge(a[j - 1], b[j]))
    d = Derivation("s", given=[stated, Ge(m, 0), Le(m, n - 1)], witness={**WITNESS, m: 1})
    assert d.start(a[m]).at_least(b[m + 1], because="at j = m + 1").qed().mark == "proved"
    d = Derivation("s", given=[stated, Ge(m, 0), Le(m, n)], witness={**WITNESS, m: 1})
    with pytest.raises((Unproved, WrongStep)):
        d.start(a[m]).at_least(b[m + 1], because="m + 1 may be n + 1")


def test_ranges_that_refer_to_each_other_do_not_loop():
    given = [for_each(j, 1, n, Ge(a[j], 0)), Ge(i, m), Le(i, n), Ge(m, i), Le(m, n)]
    d = Derivation("loop", given=given, witness={**WITNESS, i: 2, m: 2})
    with pytest.raises((Unproved, WrongStep)):
        d.start(a[i]).at_least(0, because="i may be below 1")


def test_a_vector_recursion_is_unfolded_inside_its_range_only():
    given = [for_each(j, 1, n, Eq(x[j], x[j - 1])), Ge(m, 0), Le(m, n - 1)]
    witness = {x: {k: [1, 2] for k in range(-1, 6)}, n: 3, m: 1}
    step = Derivation("step", given=given, witness=witness).start(x[m + 1])
    assert step.equals(x[m], because="the recursion").qed().mark == "proved"
    with pytest.raises((Unproved, WrongStep)):
        Derivation("step", given=given, witness=witness).start(x[m]).equals(
            x[m - 1], because="not at m = 0"
        )


def test_a_hypothesis_about_a_sum_is_used_as_a_whole_sum():
    """The index of a sum in a hypothesis stays bound when the hypothesis meets a line."""
    given = [for_each(j, 1, n, Eq(b[j], Sum(a[i] * c[j], (i, 1, n)))), Eq(Sum(a[i], (i, 1, n)), 2)]
    witness = {n: 1, a: {1: 2}, b: {1: 2}, c: {1: 1}, d: 1}
    line = Derivation("sum", given=given, witness=witness).start(Sum(a[i] * c[n], (i, 1, n)) / d)
    assert line.equals(b[n] / d, because="the hypothesis at n").qed().mark == "proved"
    line = Derivation("sum", given=given, witness=witness).start(Sum(a[i] * c[i], (i, 1, n)) / d)
    with pytest.raises((Unproved, WrongStep)):
        line.equals(b[n] / d, because="the index is caught")
