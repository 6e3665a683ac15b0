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
    Lambda,
    Le,
    Ne,
    Product,
    Rational,
    Sum,
    Undefined,
    Vacuous,
    WrongStep,
    apply,
    cases,
    check_identity,
    derivations,
    dimensions,
    dot,
    exp,
    for_each,
    function,
    grad,
    identity,
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
    trace,
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


UNDEFINED: dict[str, Any] = {
    "a reciprocal": 1 / a,
    "a reciprocal of a difference": 1 / (a - b),
    "a quotient that cancels": a / a,
    "a hidden zero": (a - a) / (a - a),
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
        Derivation(name).start(term).equals(term + a - a, because="as it is").qed()


@pytest.mark.parametrize("name", UNDEFINED)
def test_a_term_that_may_have_no_value_is_undefined_as_a_later_line(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where values are looked at first, they show already that the line is false."""
    monkeypatch.setattr(derivations, "counterexample", lambda *_, **__: None)
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
    assert chain.equals(term + a - a, because="same").qed().steps


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
    "half a formula": (lambda: Derivation("t").start("a+"), "is not a term"),
    "nothing in a relation": (lambda: Le(None, a), "None is not a term"),
    "nothing to differentiate": (lambda: grad(None, a), "None is not a term"),
    "nothing in place of a symbol": (
        lambda: (
            Derivation("t")
            .start(a**2)
            .at_least(0, by=apply(check_identity((a + 1) * b, a * b + b), {a: None}))
        ),
        "None is not a term",
    ),
    "a number that is not finite": (lambda: a + float("nan"), "nan is not a number"),
    "truth as a number": (lambda: a + True, "True"),
    "a misspelt sign": (lambda: reals("x", postive=True), "postive=True is not understood"),
    "a sign that is denied": (lambda: reals("x", positive=False), "positive=False"),
    "an even integer": (lambda: integers("e", even=True), "even=True is not understood"),
    "a member of a family of primes": (
        lambda: Derivation("t").start(real_family("e", prime=True)[1]),
        "prime=True is not understood",
    ),
    "an odd property of a function": (
        lambda: Derivation("t").start(function("f", bounded=True)(a)),
        "bounded is not a property of a function",
    ),
    "a real size": (lambda: trace(identity(a)), "a is no size"),
    "a size below one that may be zero": (lambda: zeros(n - 2, n), "n - 2 is no size"),
    "a size that is zero": (lambda: identity(0), "0 is no size"),
    "a mean of a statement": (lambda: Derivation("t").start(E(Ge(S, 0))), "is not a term"),
    "a statement for all indices as a line": (
        lambda: Derivation("t").start(for_each(i, 1, n, Ge(al[i], 0))),
        "is not a term",
    ),
    "a function of two numbers": (
        lambda: Derivation("t").start(function("f")(a, b)),
        "is a function of 1 arguments",
    ),
    "a case about a vector": (
        lambda: Derivation("t").start(a**2).at_least(0, by=cases(Ge(u, 0), Le(u, 0))),
        "only numbers are ordered",
    ),
    "a comparison of a statement": (lambda: Ge(Ge(a, 0), b), "is not a term"),
    "a symmetric matrix that is not square": (
        lambda: matrices("M", n, m, symmetric=True),
        "= of",
    ),
    "one term that is independent": (lambda: independent(S), "takes two random numbers"),
    "numbers that are independent": (lambda: independent(a, b), "is not a random number"),
    "a family of numbers that is independent": (
        lambda: independent_family(al),
        "is not a random family",
    ),
    "a number that is positive definite": (lambda: positive_definite(a), "not a square matrix"),
    "an index that need not be an integer": (
        lambda: Derivation("t").start(al[a]),
        "where an integer is expected",
    ),
    "truth as a line": (lambda: Derivation("t").start(True), "True is not a term"),
    "a number in place of a family": (lambda: apply_to_family(a), "family"),
    "a family with too many indices": (lambda: apply_to_family(Lambda((i, j), al[i])), "al"),
    "a symbol of SymPy": (lambda: a + sp.Symbol("a", real=True), "a"),
    "a hyperbolic function of SymPy": (lambda: sp.tanh(a), "there is no value for a"),
    "infinity": (lambda: Derivation("t").start(Sum(al[i], (i, 1, sp.oo))), "oo is not a term"),
}


def apply_to_family(value: Any) -> Any:
    total = check_identity(Sum(ps[i] + al[i], (i, 1, n)), Sum(al[j] + ps[j], (j, 1, n)))
    return Derivation("t").start(a**2).at_least(0, by=apply(total, {al: value}))


@pytest.mark.parametrize("name", REFUSED_IN_WORDS)
def test_what_has_no_meaning_is_refused_in_words(name: str) -> None:
    build, words = REFUSED_IN_WORDS[name]
    with pytest.raises((IllTyped, TypeError), match=words):
        build()


def test_a_matrix_is_the_matrix_of_zeros_only_if_it_is() -> None:
    assert Derivation("t").start(A - A).equals(zeros(n, n)).steps[0].mark == "proved"
    with pytest.raises(WrongStep):
        Derivation("t").start(A).equals(zeros(n, n))


@pytest.mark.parametrize("name", ILL_TYPED)
def test_a_term_without_meaning_is_ill_typed(name: str) -> None:
    with pytest.raises((IllTyped, TypeError)):
        ILL_TYPED[name]()


SIZES: dict[str, Callable[[], Derivation]] = {
    "a negative size": lambda: sized(integers("l", negative=True)),
    "a size that is not positive": lambda: sized(integers("l", nonpositive=True)),
    **{
        f"a size that is given as {value}": lambda value=value: sized(
            integers("l"), given=[Eq(integers("l"), value)], witness={"l": value}
        )
        for value in (0, -1)
    },
    "a dimension that is zero": lambda: sized(
        dimensions("l"), given=[Eq(dimensions("l"), 0)], witness={dimensions("l"): 0}
    ),
    "a trace of an identity that is zero": lambda: sized(
        integers("l"), given=[Eq(trace(identity(integers("l"))), 0)], witness={"l": 0}
    ),
}


def sized(size: Any, **supposed: Any) -> Derivation:
    """Start to derive something false with an identity matrix of a size."""
    return Derivation("t", **supposed).start(a + 0 * trace(identity(size)))


@pytest.mark.parametrize("name", SIZES)
def test_no_matrix_has_less_than_one_row(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every size is at least one for the kernel, so that anything follows from a smaller one."""
    monkeypatch.setattr(derivations, "counterexample", lambda *_, **__: None)
    with pytest.raises(Vacuous):
        SIZES[name]().at_most(a - 1).qed()
