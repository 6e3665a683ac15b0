"""Contradictory hypotheses prove anything, so nothing may be derived from them."""

from __future__ import annotations

import math
from typing import Any

import pytest

from mlnotes.proof import (
    Abs,
    Derivation,
    E,
    Eq,
    Ge,
    Gt,
    Le,
    Lt,
    Max,
    Ne,
    P,
    ProofError,
    Rational,
    Sum,
    Vacuous,
    derivations,
    dot,
    exp,
    for_each,
    function,
    independent,
    indices,
    integer_family,
    integers,
    inverse,
    invertible,
    log,
    logdet,
    matrices,
    norm2,
    positive_definite,
    random_variables,
    real_family,
    reals,
    sqrt,
    trace,
    vectors,
)

half = Rational(1, 2)
ROOT_OF_TWO = Rational(math.isqrt(2 * 10**100), 10**50)
a, b, c = reals("a b c")
p = reals("p", positive=True)
n, k, m = integers("n k m", positive=True)
i, j = indices("i j")
al, be = real_family("al be")
ps = real_family("ps", positive=True)
u, v = vectors("u v")
A, B = matrices("A B", n, n)
symmetric = matrices("symmetric", n, n, symmetric=True)
S, T = random_variables("S T")
convex = function("convex_f", convex=True)
rising = function("rising_f", increasing=True)

PLANTED: dict[str, tuple[list[Any], dict[Any, Any]]] = {
    "two bounds that cross": ([Gt(a, 1), Lt(a, 0)], {a: 2}),
    "two equations": ([Eq(a, 0), Eq(a, 1)], {a: 0}),
    "through a square": ([Eq(a**2, -1)], {a: 1}),
    "through a product": ([Gt(a * b, 0), Gt(a, 0), Lt(b, 0)], {a: 1, b: 1}),
    "through a cycle": ([Lt(a, b), Lt(b, c), Lt(c, a)], {a: 0, b: 1, c: 2}),
    "through an inequation": ([Eq(a, b), Ne(a, b)], {a: 1, b: 1}),
    "through a sum": (
        [for_each(i, 1, n, Ge(al[i], 2)), Eq(Sum(al[i], (i, 1, n)), 1)],
        {n: 1, al: [1]},
    ),
    "through a sum of squares": (
        [Eq(Sum(al[i] ** 2, (i, 1, n)), 0), Gt(Sum(al[i], (i, 1, n)), 0)],
        {n: 2, al: [1, 0]},
    ),
    "through a nested sum": (
        [Lt(Sum(al[i] * al[j], (i, 1, n), (j, 1, n)), 0)],
        {n: 2, al: [1, -1]},
    ),
    "through a weighted sum": (
        [for_each(i, 1, n, Eq(al[i], 0)), Eq(Sum(ps[i] * al[i], (i, 1, n)), 1)],
        {n: 2, ps: [1, 1], al: [0, 0]},
    ),
    "between integers": ([Gt(k, 1), Lt(k, 2)], {k: 1}),
    "parity": ([Eq(2 * k, 2 * m + 1)], {k: 1, m: 1}),
    "an integer between two": ([Eq(4 * k, 6)], {k: Rational(3, 2)}),
    "division by zero": ([Eq(a, 0), Eq(1 / a, 1)], {a: 0}),
    "a reciprocal that vanishes": ([Eq(1 / a, 0)], {a: 1}),
    "division by a vanishing sum": (
        [Eq(Sum(al[i], (i, 1, n)), 0), Eq(1 / Sum(al[i], (i, 1, n)), 2)],
        {n: 2, al: [1, -1]},
    ),
    "logarithm of a negative number": ([Le(a, -1), Eq(log(a), 0)], {a: -1}),
    "root of a negative number": ([Lt(a, 0), Ge(sqrt(a), 0)], {a: -1}),
    "an exponential that vanishes": ([Eq(exp(a), 0)], {a: -1000}),
    "an absolute value below zero": ([Lt(Abs(a), 0)], {a: 0}),
    "a maximum below its argument": ([Lt(Max(a, b), a)], {a: 0, b: 1}),
    "against an assumption": ([Lt(p, 0)], {p: -1}),
    "a negative norm": ([Lt(norm2(u), 0)], {u: (0, 0)}),
    "against Cauchy-Schwarz": (
        [Eq(norm2(u), 1), Eq(norm2(v), 1), Eq(dot(u, v), 2)],
        {u: (1, 0), v: (1, 0)},
    ),
    "parallel and orthogonal": (
        [Eq(v, 2 * u), Eq(dot(u, v), 0), Gt(norm2(u), 0)],
        {u: (1, 0), v: (2, 0)},
    ),
    "a singular matrix with an inverse": (
        [invertible(A), Eq(trace(A), 0), Eq(n, 1)],
        {n: 1, A: [[0]]},
    ),
    "definite with a negative trace": ([positive_definite(A), Lt(trace(A), 0)], {n: 1, A: [[1]]}),
    "definite without symmetry": ([positive_definite(A)], {n: 2, A: [[1, 1], [0, 1]]}),
    "an inverse that is none": (
        [invertible(A), Eq(trace(A * inverse(A)), n + 1)],
        {n: 1, A: [[1]]},
    ),
    "a variance below zero": ([Lt(E(S**2) - E(S) ** 2, 0)], {S: [(0, half), (1, half)]}),
    "a probability above one": ([Gt(P(Ge(S, 0)), 1)], {S: [(0, 1)]}),
    "independent copies that are not": (
        [independent(S, T), Eq(E(S * T), 1), Eq(E(S), 0)],
        {S: [(1, half), (-1, half)], T: [(1, half), (-1, half)]},
    ),
    "a law that is none": ([Eq(E(S), 2)], {S: [(1, 1), (1, 1)]}),
    "a negative probability": ([Eq(E(S), 2)], {S: [(1, 2), (0, -1)]}),
    "a convex function with a hump": (
        [Eq(convex(0), 0), Eq(convex(2), 0), Eq(convex(1), 1)],
        {"convex_f": lambda r: 2 * r - r**2},
    ),
    "an exponential that swallows one": ([Eq(exp(a), exp(a) + 1)], {a: 200}),
    "an exponential too small to be seen": ([Eq(sqrt(1 + exp(-a)), 1)], {a: 9000}),
    "a power too large to be compared": (
        [Eq((exp(a) + 1) ** 30, (exp(a) + 1) ** 30 + 1)],
        {a: 9000},
    ),
    "a root with fifty digits": (
        [Eq(a, 2), Eq(sqrt(a), ROOT_OF_TWO)],
        {a: 2},
    ),
    "independent of itself": (
        [independent(S, S), Eq(E(S), 0), Eq(E(S**2), 1)],
        {S: [(1, half), (-1, half)]},
    ),
    "independent of its own sum": (
        [independent(S, S + T), Eq(E(S), 0), Eq(E(T), 0), Eq(E(S**2), 1)],
        {S: [(1, half), (-1, half)], T: [(1, half), (-1, half)]},
    ),
    "a symmetric matrix that is none": (
        [Eq(trace(symmetric * A) - trace(symmetric.T * A), 1)],
        {symmetric: [[0, 1], [0, 0]], A: [[0, 0], [1, 0]], n: 2},
    ),
    "a matrix of another size": (
        [positive_definite(A), Eq(logdet(2 * A), logdet(A) + log(2)), Eq(n, 2)],
        {A: [[1]], n: 2},
    ),
    "an increasing function that falls": (
        [Gt(rising(0), rising(1))],
        {"rising_f": lambda r: -r},
    ),
}


# The kernel's functions are total: these hold where a logarithm or a root has no value.
BY_CONVENTION = {"logarithm of a negative number", "root of a negative number"}


@pytest.mark.parametrize("name", sorted(PLANTED.keys() - BY_CONVENTION))
def test_contradictory_hypotheses_are_vacuous(name: str) -> None:
    given, witness = PLANTED[name]
    with pytest.raises(Vacuous):
        Derivation(name, given=given, witness=witness).start(a**2).at_least(0).qed()


@pytest.mark.parametrize("name", PLANTED)
def test_nothing_false_follows_from_contradictory_hypotheses(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever the witness, 0 = 1 must not become a theorem, with or without counterexamples."""
    monkeypatch.setattr(derivations, "counterexample", lambda *_, **__: None)
    given, witness = PLANTED[name]
    for tried in (witness, {}, {**witness, a: 3, b: 4, c: 5}):
        with pytest.raises(ProofError):
            Derivation(name, given=given, witness=tried).start(a - a).equals(
                1 + a - a, because="ex falso"
            ).qed()


@pytest.mark.parametrize(
    "witness",
    [{}, {a: 1}, {a: 1, b: "one"}, {a: 1, b: (1, 2)}, {a: 1, b: float("nan")}, {a: 1, b: 3}],
    ids=["none", "incomplete", "a word", "a vector", "not a number", "violating"],
)
def test_a_witness_has_to_satisfy_every_hypothesis(witness: dict[Any, Any]) -> None:
    with pytest.raises(ProofError):
        Derivation("bound", given=[Le(a, 2), Le(b, 2)], witness=witness).start(a + b).at_most(
            4, because="add"
        ).qed()


def test_a_good_witness_is_accepted() -> None:
    theorem = (
        Derivation("bound", given=[Le(a, 2), Le(b, 2)], witness={a: 1, b: 2})
        .start(a + b)
        .at_most(4, because="add")
        .qed()
    )
    assert theorem.steps


def test_an_irrational_witness_is_compared_with_all_the_digits_it_needs() -> None:
    given = [Eq(exp(a), b), Eq(c**2, 2), Gt(c, 0)]
    fine = Derivation("t", given=given, witness={a: log(3), b: 3, c: sqrt(2)})
    assert fine.start(exp(2 * a)).equals(b**2, because="the square of the first").qed()


@pytest.mark.parametrize("wrong", ["10", ["one half", 0], ["", 0], [["1", "x"], 0], ["1/2", 0]])
def test_words_in_the_witness_of_a_family_are_no_numbers(wrong: Any) -> None:
    given = [for_each(i, 1, n, Le(al[i], 1))]
    with pytest.raises(Vacuous):
        Derivation("t", given=given, witness={n: 2, al: wrong})


@pytest.mark.parametrize("target", [u, S], ids=["a vector", "a random variable"])
def test_words_in_a_witness_are_no_vectors_and_no_laws(target: Any) -> None:
    statement = Le(norm2(u), 1) if target is u else Le(S, 1)
    with pytest.raises(Vacuous):
        Derivation("t", given=[statement], witness={target: "10"})


DECLARED: dict[str, Any] = {
    "a family": real_family("d", positive=True, negative=True)[1],
    "a member with a free index": real_family("d", positive=True, nonpositive=True)[i],
    "a family of integers": integer_family("d", positive=True, negative=True)[1],
    "an integer": integers("d", nonnegative=True, negative=True),
    "a sum": Sum(real_family("d", positive=True, negative=True)[i], (i, 1, n)),
    "two declarations of a name": reals("d", positive=True) * reals("d", negative=True),
    "two families of a name": real_family("d", positive=True)[1]
    + real_family("d", negative=True)[1],
    "integers between integers": integers("d", positive=True) * integers("d", negative=True),
    "a family under two indices": real_family("d", positive=True, negative=True)[i, j],
    "a curved function that is concave": function("d", positive_curvature=True, concave=True)(a),
    "a function that rises, falls and curves": function(
        "d", increasing=True, decreasing=True, positive_curvature=True
    )(a),
    "two declarations of a function": function("d", concave=True)(a)
    + function("d", positive_curvature=True)(b),
    "a function and its derivative": function("d", differentiable=True, decreasing=True)(a)
    + function("d'", positive=True)(a),
}


@pytest.mark.parametrize("name", DECLARED)
@pytest.mark.parametrize("given", [False, True], ids=["nothing given", "something given"])
def test_declarations_that_exclude_each_other_prove_nothing(
    name: str, given: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(derivations, "counterexample", lambda *_, **__: None)
    term = DECLARED[name]
    supposed = {"given": [Ge(a, 1)], "witness": {a: 1, n: 1, i: 1, j: 1}} if given else {}
    with pytest.raises(Vacuous):
        Derivation(name, **supposed).start(term + a**2).at_least(term).qed()
    with pytest.raises(ProofError):
        Derivation(name, **supposed).start(term).at_most(term - 1).qed()
