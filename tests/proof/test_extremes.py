"""The largest and the smallest of a family: what follows from where they stand, what does not."""

import pytest

from mlnotes.proof import (
    Abs,
    Derivation,
    Eq,
    Ge,
    IllTyped,
    Le,
    Sum,
    Vacuous,
    WrongStep,
    argmax,
    argmin,
    exp,
    for_all,
    for_each,
    indices,
    integers,
    log,
    maximum,
    minimum,
    random_family,
    real_family,
    reals,
)

i, k = indices("i k")
n = integers("n", positive=True)
z, w = real_family("z w")
c = reals("c")
top, least = maximum(z[i], (i, 1, n)), minimum(z[i], (i, 1, n))
HERE = [Ge(k, 1), Le(k, n)]
AT = {n: 2, k: 1, z: [1, 2]}


def line(left, relation, right, given=(), witness=None):
    """Derive one line."""
    return Derivation("line", given=given, witness=witness).start(left).line(relation, right).qed()


TRUE = {
    "a member is below the largest": (z[k], "≤", top, HERE, AT),
    "a member is above the smallest": (z[k], "≥", least, HERE, AT),
    "the smallest is below the largest": (least, "≤", top),
    "a mean is below the largest": (Sum(z[i], (i, 1, n)) / n, "≤", top),
    "signs turn the largest into the smallest": (least, "=", -maximum(-z[i], (i, 1, n))),
    "the largest of sums": (
        maximum(z[i] + w[i], (i, 1, n)),
        "≤",
        maximum(z[i], (i, 1, n), "j^*") + maximum(w[i], (i, 1, n), "k^*"),
    ),
    "a factor": (
        maximum(c * z[i], (i, 1, n)),
        "=",
        c * maximum(z[i], (i, 1, n), "j^*"),
        [Ge(c, 0)],
        {**AT, c: 1},
    ),
    "the nearest": (Abs(z[argmin(Abs(z[i]), (i, 1, n))]), "≤", Abs(z[k]), HERE, AT),
    "where the largest stands": (argmax(z[i], (i, 1, n)), "≤", n),
    "one of nonnegative numbers is at most their sum": (
        top,
        "≤",
        Sum(z[i], (i, 1, n)),
        [for_each(i, 1, n, Ge(z[i], 0))],
        AT,
    ),
}
FALSE = {
    "a member outside of the range": (z[k], "≤", top, [Ge(k, 1)], {n: 1, k: 2, z: [1, 2]}),
    "the largest below a mean": (top, "≤", Sum(z[i], (i, 1, n)) / n),
    "the largest of sums": (
        maximum(z[i] + w[i], (i, 1, n)),
        "≥",
        maximum(z[i], (i, 1, n), "j^*") + maximum(w[i], (i, 1, n), "k^*"),
    ),
    "a factor of any sign": (
        maximum(c * z[i], (i, 1, n)),
        "=",
        c * maximum(z[i], (i, 1, n), "j^*"),
    ),
    "the nearest has not the smallest value": (z[argmin(Abs(z[i]), (i, 1, n), "j")], "≤", least),
    "the largest of any numbers is at most their sum": (top, "≤", Sum(z[i], (i, 1, n))),
}


@pytest.mark.parametrize("name", TRUE)
def test_true_lines_are_certified(name):
    assert line(*TRUE[name]).checked.steps > 0


@pytest.mark.parametrize("name", FALSE)
def test_false_lines_are_refuted(name):
    with pytest.raises(WrongStep):
        line(*FALSE[name])


def test_the_soft_maximum():
    derivation = (
        Derivation("soft")
        .start(top)
        .at_most(log(Sum(exp(z[i]), (i, 1, n))), "one term of the sum")
        .at_most(log(n * exp(top)), "every term is at most the largest")
        .equals(top + log(n), "laws of the logarithm")
    )
    theorem = derivation.qed()
    assert "given i^* ≥ 1; i^* ≤ n; z_i ≤ z_{i^*} for i = 1, …, n" in str(theorem)


def test_an_empty_range_has_no_largest_member():
    m = integers("m")
    with pytest.raises(Vacuous):
        line(maximum(z[i], (i, 1, m)), "≤", c, [Eq(m, 0), Eq(c, 0)], {m: 0, c: 0, z: [1]})


def test_two_extrema_need_two_names():
    with pytest.raises(IllTyped, match="two extrema"):
        line(maximum(z[i] + w[i], (i, 1, n)), "≤", top + maximum(w[i], (i, 1, n), "j^*"))


def test_a_place_that_depends_on_what_is_bound_is_refused():
    """One place for all rows, or for all outcomes, would be a much stronger supposition."""
    table, noise = real_family("a"), random_family("N")
    row = maximum(table[k, i], (i, 1, n))
    with pytest.raises(IllTyped, match="bound"):
        Sum(row, (k, 1, n))
    with pytest.raises(IllTyped, match="bound"):
        for_each(k, 1, n, Le(row, c))
    with pytest.raises(IllTyped, match="quantified"):
        for_all(c, Le(maximum(c * z[i], (i, 1, n)), 1))
    with pytest.raises(IllTyped, match="outcome"):
        maximum(noise[i], (i, 1, n))
    assert line(row, "≥", table[k, 1], [Ge(k, 1)], {n: 2, k: 1, table: lambda *_: 0}).checked
