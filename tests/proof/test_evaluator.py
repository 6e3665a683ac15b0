"""The evaluator on cases worked out by hand: everything else is judged by it."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import evaluator as ev
import pytest
from sympy import Lambda

from mlnotes.proof import (
    Abs,
    E,
    Eq,
    Ge,
    KroneckerDelta,
    Le,
    Max,
    Min,
    P,
    Product,
    Rational,
    Sum,
    dot,
    exp,
    for_each,
    function,
    identity,
    independent,
    independent_family,
    indicator,
    indices,
    integers,
    inverse,
    log,
    logdet,
    matrices,
    norm,
    positive_definite,
    positive_semidefinite,
    random_family,
    random_variables,
    real_family,
    reals,
    sqrt,
    trace,
    vector_family,
    vectors,
)

half = Rational(1, 2)
x, y = reals("x y")
n, m = integers("n m", positive=True)
i, j = indices("i j")
a, r = real_family("a r")
u, v = vectors("u v")
xs = vector_family("xs")
A, B = matrices("A B", n, n)
S, T = random_variables("S T")
X = random_family("X")
f = function("f", convex=True)

VALUES: list[tuple[Any, dict[Any, Any], Fraction]] = [
    (Sum(i**2, (i, 1, n)), {n: 4}, Fraction(30)),
    (Sum(i, (i, 3, n)), {n: 2}, Fraction(0)),
    (Product(i, (i, 1, n)), {n: 5}, Fraction(120)),
    (Product(a[i], (i, 2, n)), {n: 1, a: [7]}, Fraction(1)),
    (Sum(a[j], (j, 1, i), (i, 1, n)), {n: 3, a: [1, 10, 100]}, Fraction(3 + 20 + 100)),
    (
        Sum(r[i, j] * KroneckerDelta(i, j), (i, 1, n), (j, 1, n)),
        {n: 2, r: [[1, 2], [3, 4]]},
        Fraction(5),
    ),
    (dot(u + 2 * v, v), {u: (1, 2), v: (3, 4)}, Fraction(61)),
    (norm(u), {u: (3, 4)}, Fraction(5)),
    (dot(Sum(xs[i], (i, 1, n)), u), {n: 2, xs: [(1, 0), (0, 1)], u: (2, 5)}, Fraction(7)),
    (Max(x, y) - Min(x, y) + Abs(x), {x: -3, y: 1}, Fraction(7)),
    (indicator(Le(x, 0)) + 2 * indicator(Ge(x, 1)), {x: 0}, Fraction(1)),
    (sqrt(x) ** 3 / y, {x: Fraction(1, 4), y: 2}, Fraction(1, 16)),
    (trace(A * B.T), {n: 2, A: [[1, 2], [3, 4]], B: [[5, 6], [7, 8]]}, Fraction(70)),
    (trace(inverse(A)), {n: 2, A: [[2, 1], [1, 1]]}, Fraction(3)),
    (trace(identity(n) + A), {n: 2, A: [[0, 9], [9, 0]]}, Fraction(2)),
    (E(S**2) - E(S) ** 2, {S: [(0, half), (2, half)]}, Fraction(1)),
    (E(S * T), {(S, T): [((0, 0), half), ((1, 1), half)]}, Fraction(1, 2)),
    (E(S * T), {S: [(0, half), (1, half)], T: [(0, half), (1, half)]}, Fraction(1, 4)),
    (P(Ge(S, 1)), {S: [(0, Rational(1, 4)), (3, Rational(3, 4))]}, Fraction(3, 4)),
    (E(Sum(X[i], (i, 1, n)) ** 2), {n: 2, X: [[(-1, half), (1, half)]] * 2}, Fraction(2)),
    (
        E(Sum(X[i, j], (j, 1, n)) * X[2, 1]),
        {n: 2, i: 1, X: {(1, 1): [(3, 1)], (1, 2): [(4, 1)], (2, 1): [(0, half), (2, half)]}},
        Fraction(7),
    ),
    (r[1, 2] - r[2, 1], {r: {(1, 2): 5, (2, 1): 3}}, Fraction(2)),
    (f(x) + 1, {x: 3, "f": lambda t: t * t}, Fraction(10)),
]


@pytest.mark.parametrize(("term", "model", "value"), VALUES, ids=[str(v[0]) for v in VALUES])
def test_rational_values_are_exact(term: Any, model: dict[Any, Any], value: Fraction) -> None:
    assert ev.evaluate(term, model) == value


@pytest.mark.parametrize(
    ("term", "model", "below", "above"),
    [
        (exp(x), {x: 1}, "2.718281828", "2.718281829"),
        (log(x), {x: 2}, "0.693147180", "0.693147181"),
        (sqrt(x), {x: 2}, "1.414213562", "1.414213563"),
        (logdet(A), {n: 2, A: [[2, 1], [1, 2]]}, "1.098612288", "1.098612289"),
    ],
)
def test_irrational_values_are_enclosed(term: Any, model: Any, below: str, above: str) -> None:
    value = ev.evaluate(term, model)
    assert ev.compare(value, ">", Fraction(below)) is True
    assert ev.compare(value, "<", Fraction(above)) is True
    assert ev.compare(value, "==", Fraction(above)) is False


def test_what_cannot_be_decided_is_not_decided() -> None:
    assert ev.compare(ev.evaluate(exp(x), {x: log(3)}), "==", Fraction(3)) is None
    assert ev.compare(ev.evaluate(exp(x), {x: -1000}), "==", Fraction(0)) is False


@pytest.mark.parametrize(
    ("term", "model"),
    [
        (1 / x, {x: 0}),
        (log(x), {x: -1}),
        (log(x), {x: 0}),
        (sqrt(x), {x: -1}),
        (trace(inverse(A)), {n: 2, A: [[1, 1], [1, 1]]}),
        (logdet(A), {n: 1, A: [[-1]]}),
        (S, {S: [(0, 1)]}),
    ],
)
def test_terms_without_a_value_have_none(term: Any, model: dict[Any, Any]) -> None:
    with pytest.raises(ev.NoValue):
        ev.evaluate(term, model)


def test_a_model_has_to_be_complete() -> None:
    with pytest.raises(KeyError):
        ev.evaluate(x + y, {x: 1})
    with pytest.raises(KeyError):
        ev.evaluate(Sum(a[i], (i, 1, n)), {n: 3, a: [1, 2]})


def test_shapes_that_do_not_fit_are_told_apart_from_missing_values() -> None:
    for term in (u + v, dot(u, v)):
        with pytest.raises(ev.Mismatch):
            ev.evaluate(term, {u: (1, 2), v: (3,)})
    with pytest.raises(ev.Mismatch):
        ev.holds(Eq(u, v), {u: (1, 2), v: (3,)})


def test_statements_are_decided() -> None:
    bound = for_each(i, 1, n, Le(a[i], 2))
    assert ev.holds(bound, {n: 2, a: [1, 2]}) is True
    assert ev.holds(bound, {n: 3, a: [1, 2, 3]}) is False
    assert ev.holds(Eq(u, 2 * v), {u: (2, 4), v: (1, 2)}) is True
    assert ev.holds(positive_definite(A), {n: 2, A: [[2, 1], [1, 2]]}) is True
    assert ev.holds(positive_definite(A), {n: 2, A: [[1, 1], [1, 1]]}) is False
    assert ev.holds(positive_definite(A), {n: 2, A: [[2, 1], [0, 2]]}) is False
    assert ev.holds(positive_semidefinite(A), {n: 2, A: [[0, 0], [0, -1]]}) is False
    assert ev.holds(positive_semidefinite(A), {n: 2, A: [[1, 1], [1, 1]]}) is True
    assert ev.holds(Ge(S, 0), {S: [(0, half), (1, half)]}) is True
    assert ev.holds(Ge(S, 0), {S: [(-1, half), (1, half)]}) is False


def test_independence_is_a_property_of_the_joint_law() -> None:
    apart = {S: [(0, half), (1, half)], T: [(0, half), (1, half)]}
    tied = {(S, T): [((0, 0), half), ((1, 1), half)]}
    assert ev.holds(independent(S, T), apart) is True
    assert ev.holds(independent(S, T), tied) is False
    assert ev.holds(independent_family(X), {X: [[(0, half), (1, half)]] * 2}) is True


def test_independence_within_rows_leaves_open_how_rows_depend() -> None:
    coin = [(0, half), (1, half)]
    rows = for_each(i, 1, n, independent_family(Lambda(j, X[i, j])))
    apart = {n: 2, X: {(1, 1): coin, (1, 2): coin, (2, 1): coin, (2, 2): coin}}
    columns = [({(1, 1): a, (1, 2): b, (2, 1): a, (2, 2): b}, half * half)
               for a in (0, 1) for b in (0, 1)]  # fmt: skip
    twins = {n: 2, X: [((point,), p) for point, p in columns]}
    tied = {n: 2, X: [(({(1, 1): a, (1, 2): a, (2, 1): 0, (2, 2): 0},), half) for a in (0, 1)]}
    assert ev.holds(rows, apart) is True
    assert ev.holds(rows, twins) is True
    assert ev.holds(rows, tied) is False
    assert ev.holds(independent_family(X), apart) is True
    assert ev.holds(independent_family(X), twins) is False


def test_declarations_are_respected() -> None:
    positive = reals("p", positive=True)
    assert ev.admissible({positive: 1}, [positive])
    assert not ev.admissible({positive: 0}, [positive])
    assert not ev.admissible({n: Fraction(1, 2)}, [n])
    assert ev.admissible({"f": lambda t: t * t}, [f(x)])
    assert not ev.admissible({"f": lambda t: -t * t}, [f(x)])


def test_gradients_by_differences() -> None:
    slope = ev.gradient(dot(u, u) ** 2, u, {u: (1, 2)})
    assert [round(float(ev.interval(s).mid), 8) for s in slope] == [20.0, 40.0]
