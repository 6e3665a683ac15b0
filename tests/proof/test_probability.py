"""Independence and means on finite spaces: what follows is certified, what does not is refused."""

from __future__ import annotations

import random
from collections.abc import Iterable
from fractions import Fraction
from itertools import product
from math import prod
from typing import Any

import pytest

from mlnotes.proof import (
    Abs,
    Derivation,
    E,
    Eq,
    Ge,
    Gt,
    Lambda,
    Le,
    P,
    Product,
    Rational,
    Sum,
    Theorem,
    exp,
    for_each,
    independent,
    independent_family,
    indicator,
    indices,
    integers,
    random_family,
    random_variables,
    reals,
    termwise,
)
from mlnotes.proof.errors import IllTyped, ProofError, Vacuous
from mlnotes.trusted import axiom_statements

X, Y = random_variables("X Y")
F = random_family("F")
i, j = indices("i j")
n = integers("n", positive=True)
a, t = reals("a t", positive=True)
m = reals("m")
HALF = Rational(1, 2)
COIN = [(0, HALF), (1, HALF)]
SIGN = [(-1, HALF), (1, HALF)]
TWO = {X: COIN, Y: SIGN}
FAMILY = {n: 2, F: [COIN, SIGN]}


def line(start, end, given, witness, relation="=", by=None) -> Theorem:
    """Return the theorem of one line."""
    return Derivation("line", given, witness).start(start).line(relation, end, "", by).qed()


def test_independent_numbers_have_means_of_products():
    theorem = line(E(X * Y), E(X) * E(Y), [independent(X, Y)], TWO)
    cited = {s[1] for s in theorem.certificate["steps"] if s[0] == "cite"}
    assert "independent_two" in cited


def test_independence_holds_for_functions_of_the_numbers():
    both = indicator(Ge(X, m)) * indicator(Le(Y, a))
    for left, right in (
        (E(X**2 * exp(Y)), E(X**2) * E(exp(Y))),
        (E(exp(X + 2 * Y)), E(exp(X)) * E(exp(2 * Y))),
        (E(both), P(Ge(X, m)) * P(Le(Y, a))),
    ):
        theorem = line(left, right, [independent(X, Y)], TWO)
        assert "independent_product" in theorem.checked.axioms


@pytest.mark.parametrize(
    ("left", "right"),
    [(E(X * Y), E(X) * E(Y)), (E(X**2), E(X) ** 2), (E(exp(X + Y)), E(exp(X)) * E(exp(Y)))],
)
def test_means_of_products_need_independence(left, right):
    with pytest.raises(ProofError):
        line(left, right, [], {})


def test_a_number_is_not_independent_of_itself_twice():
    with pytest.raises(ProofError):
        line(E(X * X * Y), E(X) * E(X) * E(Y), [independent(X, Y)], TWO)
    with pytest.raises(ProofError):
        line(E(exp(X * Y)), E(exp(X)) * E(exp(Y)), [independent(X, Y)], TWO)


def test_families_split_products_and_exponentials_of_sums():
    given = [independent_family(F)]
    for left, right in (
        (E(Product(F[i] ** 2, (i, 1, n))), Product(E(F[i] ** 2), (i, 1, n))),
        (E(exp(t * Sum(F[i], (i, 1, n)))), Product(E(exp(t * F[i])), (i, 1, n))),
    ):
        assert "independent_product" in line(left, right, given, FAMILY).checked.axioms


def test_families_that_are_not_independent_do_not_split():
    with pytest.raises(ProofError):
        line(E(Product(F[i], (i, 1, n))), Product(E(F[i]), (i, 1, n)), [], {})
    with pytest.raises(ProofError):
        line(
            E(exp(Sum(F[i], (i, 1, n)) ** 2)),
            Product(E(exp(F[i] ** 2)), (i, 1, n)),
            [independent_family(F)],
            FAMILY,
        )


def test_two_members_of_a_family_are_independent_if_they_are_two():
    given = [independent_family(F)]
    line(E(F[1] * F[2]), E(F[1]) * E(F[2]), given, FAMILY)
    with pytest.raises(ProofError):
        line(E(F[1] * F[1]), E(F[1]) * E(F[1]), given, FAMILY)
    with pytest.raises(ProofError):
        line(E(F[i] * F[j]), E(F[i]) * E(F[j]), given, {**FAMILY, i: 1, j: 2})


def test_the_variance_of_a_sum_is_the_sum_of_variances():
    given = [independent_family(F), for_each(i, 1, n, Eq(E(F[i]), m))]
    witness = {n: 2, F: [COIN, COIN], m: HALF}
    centred = Sum(F[i] - m, (i, 1, n))
    line(E(centred**2), Sum(E((F[i] - m) ** 2), (i, 1, n)), given, witness)
    with pytest.raises(ProofError):
        line(E(centred**2), Sum(E((F[i] - m) ** 2), (i, 1, n)), given[1:], witness)
    with pytest.raises(ProofError):
        line(E(centred**2), 2 * Sum(E((F[i] - m) ** 2), (i, 1, n)), given, witness)


def test_independence_within_rows_says_nothing_across_rows():
    G = random_family("G")
    rows = [for_each(j, 1, n, independent_family(Lambda(i, G[j, i])))]
    witness = {n: 1, G: {(1, 1): COIN, (1, 2): SIGN}}
    row = E(exp(Sum(G[1, i], (i, 1, n))))
    line(row, Product(E(exp(G[1, i])), (i, 1, n)), rows, witness)
    with pytest.raises(ProofError):
        line(E(exp(Sum(G[i, 1], (i, 1, n)))), Product(E(exp(G[i, 1])), (i, 1, n)), rows, witness)


def test_hypotheses_about_random_numbers_hold_for_every_outcome():
    theorem = line(P(Ge(X, a)), E(X / a), [Ge(X, 0)], {X: COIN, a: 1}, "≤", termwise())
    (hypothesis,) = [h for h in theorem.checked.hypotheses if h.op == "all"]
    assert hypothesis.data == ("W",)
    with pytest.raises(ProofError):
        line(P(Ge(X, a)), E(X / a), [], {}, "≤", termwise())
    assert "finitely many outcomes" in theorem.scope


def test_means_of_absolute_values():
    line(E(Abs(X) ** 2), E(X**2), [], {})
    with pytest.raises(ProofError):
        line(E(Abs(X)), E(X), [], {})


def test_a_witness_that_is_not_independent_is_refused():
    with pytest.raises(Vacuous):
        line(E(X * X * Y), E(X**2) * E(Y), [independent(X, Y), Eq(X, Y)], {X: COIN, Y: COIN})
    with pytest.raises(Vacuous):
        line(E(X), E(X) + 0, [independent(X, 2 * X)], {X: COIN})


def test_what_is_not_random_is_not_independent():
    for wrong in (lambda: independent(X), lambda: independent(X, m), lambda: independent_family(X)):
        with pytest.raises(IllTyped):
            wrong()


Space = tuple[list[Fraction], list[list[int]]]


def _space(rng: random.Random, independent_rows: bool) -> Space:
    """Return weights of outcomes and the values of two random numbers at them."""
    if not independent_rows:
        raw = [rng.randint(0, 2) for _ in range(4)]
        raw = raw if sum(raw) else [1] * 4
        values = [[rng.randint(0, 1) for _ in raw] for _ in range(2)]
        return [Fraction(k, sum(raw)) for k in raw], values
    left, right = (
        [Fraction(k, 6) for k in rng.choice(c)] for c in (([6], [2, 4]), ([0, 6], [1, 2, 3]))
    )
    pairs = list(product(range(len(left)), range(len(right))))
    values = [[k - 1 for k, _ in pairs], [2 * q for _, q in pairs]]
    return [left[k] * right[q] for k, q in pairs], values


def _mean(weights: list[Fraction], values: Iterable[Any]) -> Fraction:
    return sum((p * x for p, x in zip(weights, values, strict=True)), Fraction(0))


def _is_product(weights: list[Fraction], rows: list[list[int]]) -> bool:
    """Say whether the premise of the axiom holds."""
    for v in range(len(weights)):
        joint = _mean(weights, (all(r[w] == r[v] for r in rows) for w in range(len(weights))))
        if joint != prod(_mean(weights, (x == row[v] for x in row)) for row in rows):
            return False
    return True


def test_the_axiom_holds_on_random_finite_spaces():
    """Random tables, and pairs that are independent by construction, in exact fractions."""
    assert "independent_product" in axiom_statements()
    rng = random.Random(3)
    held = refuted = 0
    for trial in range(400):
        weights, rows = _space(rng, bool(trial % 2))
        tables = [{x: Fraction(rng.randint(-5, 5), 3) for x in range(-1, 6)} for _ in rows]
        moved = [[f[x] for x in row] for f, row in zip(tables, rows, strict=True)]
        joint = _mean(weights, (a * b for a, b in zip(*moved, strict=True)))
        splits = joint == prod(_mean(weights, row) for row in moved)
        if _is_product(weights, rows):
            held += 1
            assert splits
        else:
            refuted += not splits
    assert held > 200
    assert refuted > 20


CLASSES = {
    "one of them": Eq(Sum(indicator(Eq(Y, i)), (i, 1, n)), 1),
    "possible": for_each(i, 1, n, Gt(P(Eq(Y, i)), 0)),
}
LABELS = {n: 2, Y: [(1, HALF), (2, HALF)], X: COIN}


def given_class(k):
    """Return the mean of X given that the class is k."""
    return E(X * indicator(Eq(Y, k))) / P(Eq(Y, k))


def test_the_mean_is_the_mean_of_the_conditional_means():
    told = (
        Derivation("total expectation", CLASSES, LABELS)
        .start(E(X))
        .equals(E(X * Sum(indicator(Eq(Y, i)), (i, 1, n))), "there is one class")
        .equals(Sum(E(X * indicator(Eq(Y, i))), (i, 1, n)), "the mean is linear")
        .equals(Sum(P(Eq(Y, i)) * given_class(i), (i, 1, n)), "every class is possible")
    )
    assert told.qed().checked.steps > 0
    with pytest.raises(ProofError):
        line(E(X), Sum(given_class(i), (i, 1, n)) / n, CLASSES, LABELS)


def test_a_conditional_mean_needs_a_class_that_is_possible():
    with pytest.raises(ProofError, match="not zero"):
        line(P(Eq(Y, 1)) * given_class(1), E(X * indicator(Eq(Y, 1))), [], {})
    inside = {**CLASSES, "from one": Ge(j, 1), "to n": Le(j, n)}
    found = line(P(Eq(Y, j)) * given_class(j), E(X * indicator(Eq(Y, j))), inside, {**LABELS, j: 1})
    assert found.checked.steps > 0
    with pytest.raises(ProofError, match="not zero"):
        line(given_class(j), given_class(j) + 0, {**CLASSES, "j": Ge(j, 1)}, {**LABELS, j: 1})
