"""Terms without a meaning or without a value are refused before anything is proved about them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import sympy as sp

from mlnotes.proof import (
    Abs,
    Derivation,
    E,
    Eq,
    Ge,
    Gt,
    IllTyped,
    Le,
    Lt,
    Ne,
    Product,
    Rational,
    Sum,
    Undefined,
    Unproved,
    WrongStep,
    apply,
    as_written,
    cases,
    check_identity,
    dot,
    exp,
    for_each,
    function,
    grad,
    identity,
    impossible,
    independent,
    independent_family,
    indicator,
    indices,
    integers,
    inverse,
    invertible,
    log,
    logdet,
    matrices,
    norm,
    norm2,
    positive_definite,
    random_variables,
    real_family,
    reals,
    sqrt,
    stationary_points,
    trace,
    using,
    vector_family,
    vectors,
    zeros,
)

a, b, c, q = reals("a b c q")
p = reals("p", positive=True)
n, m = integers("n m", positive=True)
i, j = indices("i j")
al = real_family("al")
ps = real_family("ps", positive=True)
u, v = vectors("u v")
xs = vector_family("xs")
A, B = matrices("A B", n, n)
X = matrices("X", n, m)
S = random_variables("S")


def with_as_written(build: Callable[[], Any]) -> Any:
    with as_written():
        return build()


UNDEFINED: dict[str, Any] = {
    "a reciprocal": 1 / a,
    "a reciprocal of a difference": 1 / (a - b),
    "a quotient that cancels": with_as_written(lambda: a / a),
    "a hidden zero": with_as_written(lambda: (a - a) / (a - a)),
    "a reciprocal of a square": 1 / a**2,
    "a negative power of a sum": 1 / Sum(al[i], (i, 1, n)),
    "a product of reciprocals": Product(1 / al[i], (i, 1, n)),
    "a sum that starts at a pole": Sum(1 / (i - 1), (i, 1, n)),
    "a sum that starts at zero": Sum(1 / i, (i, 0, n)),
    "a count that may vanish": 1 / (n - 1),
    "a logarithm of a real": log(a),
    "a logarithm of a square": log(a**2),
    "a logarithm of a count that may vanish": log(n - 1),
    "a logarithm of a sum": log(Sum(al[i], (i, 1, n))),
    "a logarithm of a difference": log(p - 1),
    "a logarithm under a sum": Sum(log(al[i]), (i, 1, n)),
    "a root of a real": sqrt(a),
    "a root of one minus a real": sqrt(1 - q),
    "a root of an inner product": sqrt(dot(u, v)),
    "a root under a logarithm": log(sqrt(a)),
    "a normalised vector": dot(u, v) / norm(u),
    "a real power of a real": a**b,
    "a real power of a half": a ** Rational(1, 2),
    "a reciprocal of an indicator": 1 / indicator(Ge(a, 0)),
    "a reciprocal of an absolute value": 1 / Abs(a),
    "a reciprocal of an exponential minus one": 1 / (exp(a) - 1),
    "an inverse": trace(inverse(A)),
    "an inverse of a product": trace(inverse(A * B)),
    "an inverse of a Gram matrix": trace(inverse(X.T * X)),
    "a log determinant": logdet(A),
    "a log determinant of a product": logdet(A * B),
    "a mean reciprocal": E(1 / S),
    "a mean logarithm": E(log(S)),
}


@pytest.mark.parametrize("name", UNDEFINED)
def test_a_term_that_may_have_no_value_is_undefined(name: str) -> None:
    term = UNDEFINED[name]
    with pytest.raises(Undefined):
        Derivation(name).start(term).equals(term, because="as it is").qed()


@pytest.mark.parametrize("name", UNDEFINED)
def test_a_term_that_may_have_no_value_is_undefined_as_a_later_line(name: str) -> None:
    term = UNDEFINED[name]
    with pytest.raises(Undefined):
        Derivation(name).start(a).equals(term, because="jump").qed()


DEFINED: dict[str, tuple[Any, list[Any], dict[Any, Any]]] = {
    "a reciprocal of a positive number": (1 / p, [], {}),
    "a reciprocal of a nonzero number": (1 / a, [Ne(a, 0)], {a: 1}),
    "a reciprocal of a positive sum": (1 / Sum(ps[i], (i, 1, n)), [], {}),
    "a reciprocal of one plus a square": (1 / (1 + a**2), [], {}),
    "a reciprocal of one plus an exponential": (1 / (1 + exp(a)), [], {}),
    "a harmonic sum": (Sum(1 / i, (i, 1, n)), [], {}),
    "a logarithm of one plus an exponential": (log(1 + exp(a)), [], {}),
    "a logarithm inside an interval": (log(1 - a), [Gt(a, 0), Le(2 * a, 1)], {a: Rational(1, 4)}),
    "a logarithm of positive members": (
        Sum(log(al[i]), (i, 1, n)),
        [for_each(i, 1, n, Gt(al[i], 0))],
        {n: 2, al: [1, 2]},
    ),
    "a root of a sum of squares": (sqrt(a**2 + b**2), [], {}),
    "a normalised vector": (dot(u, v) / norm(u), [Gt(norm2(u), 0)], {u: (1, 0), v: (1, 1)}),
    "an inverse that was assumed": (trace(inverse(A)), [invertible(A)], {n: 1, A: [[2]]}),
}


@pytest.mark.parametrize("name", DEFINED)
def test_a_term_that_has_a_value_is_accepted(name: str) -> None:
    term, given, witness = DEFINED[name]
    chain = Derivation(name, given=given, witness=witness).start(term)
    assert chain.equals(term, because="same").qed().steps


ILL_TYPED: dict[str, Callable[[], Any]] = {
    "a vector plus a number": lambda: norm2(u + a),
    "a product of vectors": lambda: Derivation("t").start(u * v),
    "a square of a vector": lambda: Derivation("t").start(u**2),
    "an inner product with a number": lambda: dot(u, a),
    "an inner product of a family with a matrix": lambda: dot(xs[i], A),
    "a vector equal to a number": lambda: Derivation("t").start(u).equals(a, because="no").qed(),
    "an exponential of a vector": lambda: Derivation("t").start(exp(u)),
    "a matrix product of wrong shapes": lambda: Derivation("t").start(trace(X * X)),
    "a trace of a rectangular matrix": lambda: trace(X),
    "an inverse of a rectangular matrix": lambda: inverse(X),
    "an infinite sum": lambda: Derivation("t").start(Sum(al[i], (i, 1, sp.oo))),
    "a sum over a real": lambda: Derivation("t").start(Sum(a, (a, 1, n))),
    "a complex symbol": lambda: Derivation("t").start(sp.Symbol("z")),
    "a rounded number": lambda: Derivation("t").start(a + 0.1),
    "an order of vectors": lambda: Derivation("t").start(u).at_most(v, because="no").qed(),
    "a hypothesis that is a number": lambda: Derivation("t", given=[a], witness={a: 1}),
    "a hypothesis that is true": lambda: Derivation("t", given=[True], witness={a: 1}),
    "a hypothesis between a vector and a number": lambda: Derivation(
        "t", given=[Eq(u, a)], witness={u: (1,), a: 1}
    ),
}

REFUSED_IN_WORDS: dict[str, tuple[Callable[[], Any], str]] = {
    "nothing": (lambda: Derivation("t").start(None), "None is not a term"),
    "a list": (lambda: Derivation("t").start([a]), "is not a term"),
    "nothing in an identity": (lambda: check_identity(None, a), "None is not a term"),
    "half a formula": (lambda: Derivation("t").start("a+"), "cannot be read as a term"),
    "nothing in a relation": (lambda: Le(None, a), "None is not a term"),
    "nothing to differentiate": (lambda: grad(None, a), "None is not a term"),
    "nothing in place of a symbol": (
        lambda: apply(check_identity(a + b, b + a), {a: None}),
        "None is not a term",
    ),
    "signs that exclude each other": (
        lambda: reals("x", positive=True, negative=True),
        "no number is negative and positive at once",
    ),
    "a misspelt sign": (lambda: reals("x", postive=True), "postive=True means nothing"),
    "a sign that is denied": (lambda: reals("x", positive=False), "positive=False means nothing"),
    "an even integer": (lambda: integers("e", even=True), "even=True means nothing"),
    "a family of primes": (lambda: real_family("e", prime=True), "prime=True means nothing"),
    "an even integer that SymPy made": (
        lambda: Derivation("t").start(sp.Symbol("e", integer=True, even=True)),
        "assumes more than a sign",
    ),
    "an irrational that SymPy made": (
        lambda: Derivation("t").start(sp.Symbol("e", real=True, irrational=True)),
        "assumes more than a sign",
    ),
    "a family of odd integers that SymPy made": (
        lambda: Derivation("t").start(sp.IndexedBase("e", integer=True, odd=True)[i]),
        "assumes more than a sign",
    ),
    "a real size": (lambda: trace(identity(a)), "not known to be a nonnegative integer"),
    "a size that may be negative": (
        lambda: matrices("Q", integers("l"), n),
        "not known to be a nonnegative integer",
    ),
    "a size below one that may be zero": (
        lambda: zeros(n - 2, n),
        "not known to be a nonnegative integer",
    ),
    "an identity of real size that SymPy made": (
        lambda: Derivation("t").start(trace(sp.MatMul(sp.Identity(a), sp.Identity(a)))),
        "not known to be a nonnegative integer",
    ),
    "a range that depends on its own index": (
        lambda: Derivation("t").start(Sum(al[i], (i, 1, i))),
        "depends on i itself",
    ),
    "a hypothesis whose range depends on its own index": (
        lambda: Derivation("t", given=[for_each(i, 1, i, Ge(al[i], 0))], witness={al: [1], i: 1}),
        "depends on i itself",
    ),
    "a family with too many indices": (
        lambda: apply_to_family(sp.Lambda((i, j), al[i])),
        "takes 2 arguments and is given 1",
    ),
    "a derivative in a member with too many indices": (
        lambda: grad(Sum(al[i], (i, 1, n)), al[i, j]),
        "different numbers of indices",
    ),
    "a mean of a statement": (
        lambda: Derivation("t").start(E(Ge(S, 0))),
        "the mean of a statement",
    ),
    "a statement for all indices as a line": (
        lambda: Derivation("t").start(for_each(i, 1, n, Ge(al[i], 0))),
        "a line is a term",
    ),
    "a Kronecker delta with a range": (
        lambda: Derivation("t").start(sp.KroneckerDelta(i, j, (1, n))),
        "compares two indices",
    ),
    "a sum over a member of a family": (
        lambda: Derivation("t").start(Sum(al[1], (sp.IndexedBase("l", integer=True)[1], 1, n))),
        "is not an integer: make it with indices",
    ),
    "a function of two numbers": (
        lambda: Derivation("t").start(function("f")(a, b)),
        "takes one number",
    ),
    "a rule among the facts": (
        lambda: Derivation("t").start(a**2).at_least(0, by=using(using(Ge(a**2, 0)))),
        "takes statements and apply",
    ),
    "a case about a vector": (
        lambda: Derivation("t").start(a**2).at_least(0, by=cases(Ge(u, 0), Le(u, 0))),
        "orders what is not a number",
    ),
    "a comparison of a statement": (lambda: Ge(Ge(a, 0), b), "not a term to compare"),
    "an equation of statements": (
        lambda: Derivation("t", given=[sp.Eq(Ge(a, 0), Ge(b, 0), evaluate=False)]),
        "compares statements",
    ),
    "a symmetric matrix that is not square": (
        lambda: matrices("M", n, m, symmetric=True),
        "a symmetric matrix is square",
    ),
    "one term that is independent": (lambda: independent(S), "two or more random terms"),
    "numbers that are independent": (lambda: independent(a, b), "two or more random terms"),
    "a family of numbers that is independent": (
        lambda: independent_family(al),
        "is not a random family",
    ),
    "a number that is positive definite": (lambda: positive_definite(a), "is not a matrix"),
    "a hyperbolic function": (lambda: Derivation("t").start(sp.tanh(a)), "with exp: the engine"),
    "a matrix compared with the number zero": (
        lambda: Derivation("t", given=[sp.Eq(A, 0, evaluate=False)]),
        r"compare a matrix with zeros\(rows, columns\)",
    ),
    "an index that need not be an integer": (
        lambda: Derivation("t").start(al[a]),
        "not known to be an integer",
    ),
    "a connective that is not in the language": (
        lambda: Derivation("t", given=[sp.Xor(Ge(a, 0), Ge(b, 0), evaluate=False)]),
        "Xor is not a statement of the language",
    ),
    "a product that is not in the language": (
        lambda: Derivation("t").start(trace(sp.HadamardProduct(A, B))),
        "HadamardProduct is not part of the language",
    ),
    "a vector times a matrix": (
        lambda: Derivation("t").start(trace(sp.MatMul(u, A, evaluate=False))),
        "multiplies a matrix by a vector",
    ),
    "truth as a line": (lambda: Derivation("t").start(sp.true), "a line is a term"),
    "a hypothesis that is not in a list": (
        lambda: Derivation("t", given=Ge(a, 0)),
        "takes a list of statements",
    ),
    "a number in place of a family": (
        lambda: apply_to_family(a),
        "give another family or a Lambda of the index",
    ),
}


def apply_to_family(value: Any) -> Any:
    total = check_identity(Sum(ps[i] + al[i], (i, 1, n)), Sum(al[j] + ps[j], (j, 1, n)))
    return Derivation("t").start(a).equals(a, by=apply(total, {al: value}))


@pytest.mark.parametrize("name", REFUSED_IN_WORDS)
def test_what_has_no_meaning_is_refused_in_words(name: str) -> None:
    build, words = REFUSED_IN_WORDS[name]
    with pytest.raises(IllTyped, match=words):
        build()


UNPROVED: dict[str, tuple[Callable[[], Any], str]] = {
    "a size that need not be an integer": (
        lambda: (
            Derivation("t")
            .start(a)
            .equals(
                a,
                by=apply(
                    check_identity(Sum(al[i], (i, 1, n)), Sum(al[j], (j, 1, n))),
                    {n: p},
                ),
            )
        ),
        "n cannot be p: it is not known to be an integer",
    ),
    "hypotheses of which nothing is known": (
        lambda: impossible("t", given=[Gt(exp(exp(a)), exp(exp(b))), Lt(exp(a), exp(b) - a**4)]),
        "no contradiction was found",
    ),
    "an equation without a solution in sight": (
        lambda: stationary_points(exp(a) * a**3 + log(2 + a**2) * a + a, a),
        "no stationary point",
    ),
    "a factor that depends on the matrix": (
        lambda: grad(trace(trace(A) * A), A),
        r"the factor tr\(A\) .* depends on A",
    ),
}


@pytest.mark.parametrize("name", UNPROVED)
def test_what_is_beyond_the_rules_is_not_proved_and_says_why(name: str) -> None:
    build, words = UNPROVED[name]
    with pytest.raises(Unproved, match=words):
        build()


def test_zero_stands_for_the_matrix_of_zeros_beside_a_matrix() -> None:
    assert Derivation("t").start(A - A).equals(0).steps[0].mark == "proved"
    with pytest.raises(WrongStep):
        Derivation("t").start(A).equals(0)


@pytest.mark.parametrize("name", ILL_TYPED)
def test_a_term_without_meaning_is_ill_typed(name: str) -> None:
    with pytest.raises((IllTyped, TypeError)):
        ILL_TYPED[name]()
