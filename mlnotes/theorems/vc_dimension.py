r"""How many behaviours a class can have: sums over subsets, shattering, Sauer's lemma.

Points are numbered 1, …, m. A hypothesis matters only by the set of the points that it calls
positive, so a class is a set of subsets of {1, …, m}: of those S for which ``C[S]`` is one. It
*shatters* a set T of points if each subset of T is what some member of the class has of T; its VC
dimension is the size of the largest set that it shatters.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mlnotes.proof import (
    Derivation,
    Eq,
    Expr,
    Ge,
    Implies,
    Le,
    Product,
    Sum,
    Theorem,
    binomial,
    cases,
    contains,
    for_all,
    for_each,
    indicator,
    indices,
    induction,
    integers,
    joined,
    real_family,
    shattered_sets,
    shatters,
    subsets,
    termwise,
    using,
)
from mlnotes.theorems import proves

if TYPE_CHECKING:
    from mlnotes.proof.language import Statement

i, S, T = indices("i S T")
m, d = integers("m d", nonnegative=True)
k, q = integers("k q", positive=True)
bound = integers("q")
a, f, C = real_family("a f C")
SUBSET = {"from zero": Ge(S, 0), "of the points": Le(S, subsets(S, m)[2])}
EMPTY_SET = {m: 1, S: 0}
NONE = {"nothing": Le(bound, 0)}


def has(s: Expr, point: Expr) -> Expr:
    """Return one if a point is in a set and zero otherwise."""
    return indicator(contains(s, point))


def size(s: Expr, points: Expr) -> Expr:
    """Return how many of the points are in a set."""
    return Sum(has(s, i), (i, 1, points))


def product(s: Expr, points: Expr) -> Expr:
    """Return the product of a over the points in a set."""
    return Product(1 + has(s, i) * (a[i] - 1), (i, 1, points))


def small(points: Expr, most: Expr) -> Expr:
    """Return how many sets have at most so many members."""
    return Sum(indicator(Le(size(T, points), most)), subsets(T, points))


def binomials(points: Expr | int, most: Expr) -> Expr:
    """Return the binomial coefficients of so many points, up to some index, together."""
    return Sum(binomial(points, i), (i, 0, most))


@proves("lem-vc-one-point-more")
def one_point_more() -> Theorem:
    """Derive that a sum over subsets is one over the sets without the last point and with it."""
    return (
        Derivation("sums over subsets")
        .start(Sum(f[S], subsets(S, m + 1)))
        .equals(
            Sum(f[S] + f[joined(S, m + 1)], subsets(S, m)),
            "the last point is in a set or not",
        )
        .qed()
    )


@proves("lem-vc-number-of-subsets")
def number_of_subsets() -> Theorem:
    """Derive how many subsets there are."""
    return (
        Derivation("how many subsets there are")
        .start(Sum(1, subsets(S, m)))
        .equals(2**m, "each point doubles the number", by=induction(None, m))
        .qed()
    )


@proves("lem-vc-product-over-subset")
def product_over_subset() -> Theorem:
    """Derive what the products over a set of the first points become with the last point."""
    return (
        Derivation("a product over a set", given=SUBSET, witness=EMPTY_SET)
        .start(product(S, m + 1) + product(joined(S, m + 1), m + 1))
        .equals(
            product(S, m) * (1 + has(S, m + 1) * (a[m + 1] - 1))
            + product(joined(S, m + 1), m) * (1 + has(joined(S, m + 1), m + 1) * (a[m + 1] - 1)),
            "take off the last factor",
        )
        .equals(
            product(S, m) + product(joined(S, m + 1), m) * a[m + 1],
            "the last point is in the second set alone",
        )
        .equals(
            product(S, m) + product(S, m) * a[m + 1],
            "both sets have the same first points",
            by=termwise(i),
        )
        .equals((1 + a[m + 1]) * product(S, m), "collect")
        .qed()
    )


@proves("lem-vc-one-factor-more")
def one_factor_more() -> Theorem:
    """Derive what one point more does to the sum over all sets of the products over a set."""
    return (
        Derivation("one factor more")
        .start(Sum(product(S, m + 1), subsets(S, m + 1)))
        .equals(
            Sum(product(S, m + 1) + product(joined(S, m + 1), m + 1), subsets(S, m)),
            "the last point is in a set or not",
            by=one_point_more()(f=lambda s: product(s, m + 1)),
        )
        .equals(
            Sum((1 + a[m + 1]) * product(S, m), subsets(S, m)),
            "take out the last factor",
            by=termwise(S, by=product_over_subset()(S=S)),
        )
        .equals((1 + a[m + 1]) * Sum(product(S, m), subsets(S, m)), "collect")
        .qed()
    )


@proves("lem-vc-product-formula")
def product_formula() -> Theorem:
    r"""Derive that a product of sums $1+a_i$ is the sum over all sets of the products of $a_i$."""
    return (
        Derivation("the product formula")
        .start(Sum(product(S, m), subsets(S, m)))
        .equals(
            Product(1 + a[i], (i, 1, m)),
            "each point gives one factor",
            by=induction(None, m, one_factor_more()(m=m)),
        )
        .qed()
    )


@proves("lem-vc-size")
def size_without() -> Theorem:
    """Derive that a set of the first points is as large as before where there is one point more."""
    return (
        Derivation("a set without the last point", given=SUBSET, witness=EMPTY_SET)
        .start(size(S, m + 1))
        .equals(size(S, m) + has(S, m + 1), "the last point by itself")
        .equals(size(S, m), "it is not in the set")
        .qed()
    )


@proves("lem-vc-size-joined")
def size_with() -> Theorem:
    """Derive that a set with the last point has one member more."""
    return (
        Derivation("a set with the last point", given=SUBSET, witness=EMPTY_SET)
        .start(size(joined(S, m + 1), m + 1))
        .equals(
            size(joined(S, m + 1), m) + has(joined(S, m + 1), m + 1), "the last point by itself"
        )
        .equals(size(S, m) + 1, "it is in the set, and the others are as before")
        .qed()
    )


@proves("lem-vc-small-sets")
def small_sets() -> Theorem:
    """Derive how many small sets there are with one point more."""

    def is_small(s: Expr, points: Expr, most: Expr) -> Expr:
        return indicator(Le(size(s, points), most))

    return (
        Derivation("small sets of one point more")
        .start(small(m + 1, bound))
        .equals(
            Sum(
                is_small(T, m + 1, bound) + is_small(joined(T, m + 1), m + 1, bound), subsets(T, m)
            ),
            "the last point is in a set or not",
            by=one_point_more()(f=lambda s: is_small(s, m + 1, bound)),
        )
        .equals(
            Sum(is_small(T, m, bound) + is_small(T, m, bound - 1), subsets(T, m)),
            "with it a set may have one of the others less",
            by=termwise(T, by=[size_without()(S=T), size_with()(S=T)]),
        )
        .equals(small(m, bound) + small(m, bound - 1), "two sums")
        .qed()
    )


@proves("lem-vc-no-small-sets")
def no_small_sets() -> Theorem:
    """Derive that no set has less than no members."""
    return (
        Derivation("no set has less than no members", given=NONE, witness={m: 1, bound: 0})
        .start(small(m, bound - 1))
        .equals(Sum(0 * T, subsets(T, m)), "a sum of indicators is not negative", by=termwise(T))
        .equals(0, "nothing is left")
        .qed()
    )


@proves("lem-vc-pascal")
def pascal() -> Theorem:
    """Derive Pascal's rule for sums of binomial coefficients."""
    return (
        Derivation("Pascal's rule for sums")
        .start(binomials(m + 1, q))
        .equals(binomial(m + 1, 0) + Sum(binomial(m + 1, i), (i, 1, q)), "the first by itself")
        .equals(
            binomial(m, 0) + Sum(binomial(m, i) + binomial(m, i - 1), (i, 1, q)),
            "Pascal's rule",
            by=termwise(i),
        )
        .equals(
            binomial(m, 0) + Sum(binomial(m, i), (i, 1, q)) + Sum(binomial(m, i), (i, 0, q - 1)),
            "two sums, and the second counted from zero",
        )
        .equals(binomials(m, q) + binomials(m, q - 1), "the first belongs to the first sum")
        .qed()
    )


@proves("lem-vc-pascal-at-zero")
def pascal_at_zero() -> Theorem:
    """Derive that the first binomial coefficient is the same for every number of points."""
    return (
        Derivation("the first coefficient", given=NONE, witness={m: 1, bound: 0})
        .start(binomials(m + 1, bound))
        .equals(binomials(m, bound), "the empty set is one set", by=termwise(i))
        .qed()
    )


@proves("lem-vc-no-points-coefficient")
def coefficient_of_nothing() -> Theorem:
    """Derive that nothing has no subset with members."""
    return (
        Derivation("subsets of nothing")
        .start(binomial(0, k))
        .equals(0, "the first factor is zero", by=induction(None, k, start=1))
        .qed()
    )


@proves("lem-vc-no-points")
def subsets_of_nothing() -> Theorem:
    """Derive that nothing has one subset, of any size up to a bound."""
    return (
        Derivation("one subset of nothing")
        .start(binomials(0, d))
        .equals(binomial(0, 0) + Sum(binomial(0, i), (i, 1, d)), "the first by itself")
        .equals(
            binomial(0, 0) + Sum(0 * i, (i, 1, d)),
            "the others are zero",
            by=termwise(i, by=coefficient_of_nothing()(k=i)),
        )
        .equals(1, "the empty set")
        .qed()
    )


@proves("lem-vc-subsets-by-size")
def subsets_by_size() -> Theorem:
    """Derive how many sets have at most so many members, by induction with Pascal's rule."""
    count = for_all(d, Eq(small(m, d), binomials(m, d)))
    step = cases(
        (
            Ge(d, 1),
            using(small_sets()(m=m, q=d), count.at(d), count.at(d - 1), pascal()(m=m, q=d)),
        ),
        (
            Le(d, 0),
            using(
                small_sets()(m=m, q=d),
                count.at(d),
                no_small_sets()(m=m, q=d),
                pascal_at_zero()(m=m, q=d),
            ),
        ),
    )
    return (
        Derivation("subsets by their size")
        .hence(
            count,
            "with the last point or without it, which is Pascal's rule",
            by=induction(count, m, step, base=subsets_of_nothing()),
        )
        .qed()
    )


def in_class(s: Expr) -> Statement:
    """State that a set is in the class."""
    return Eq(C[s], 1)


MEMBERS = Sum(indicator(in_class(S)), subsets(S, m))
SHATTERED = Sum(indicator(shatters(in_class, T, m)), subsets(T, m))
DIMENSION = for_each(*subsets(T, m), Implies(shatters(in_class, T, m), Le(size(T, m), d)))


@proves("lem-vc-shattered-sets")
def pajor() -> Theorem:
    """Derive that a class shatters at least as many sets as it has members."""
    # By induction over the points. Where a class has a set of the first points both with the last
    # one and without it, the set is put into two classes, else into the first of them only. Their
    # numbers of members add up to that of the class; what the first shatters the class shatters,
    # and what the second shatters the class shatters together with the last point.
    return (
        Derivation("Pajor's lemma")
        .start(MEMBERS)
        .at_most(
            SHATTERED,
            "take off the last point: the members that have a twin count twice on both sides",
            by=shattered_sets(in_class, m),
        )
        .qed()
    )


@proves("thm-vc-sauer")
def sauer() -> Theorem:
    """Derive Sauer's lemma: a class of small dimension has few behaviours."""
    return (
        Derivation(
            "Sauer's lemma",
            given={"dimension": DIMENSION},
            witness={m: 2, d: 1, C: {0: 1, 1: 1, 2: 1, 3: 0}},
        )
        .start(MEMBERS)
        .at_most(SHATTERED, "it shatters as many sets", by=pajor())
        .at_most(
            small(m, d),
            "it shatters no set with more members than its dimension",
            by=termwise(T, by=cases((shatters(in_class, T, m), DIMENSION.at(T)))),
        )
        .equals(binomials(m, d), "count them by their size", by=subsets_by_size())
        .qed()
    )
