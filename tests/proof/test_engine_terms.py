"""What the language accepts, and what it refuses."""

import pytest
import sympy as sp
from mlnotes.proof.terms import derivative, fresh_symbol, kind, substitute

from mlnotes.proof import (
    E,
    Eq,
    Ge,
    Gt,
    IllTyped,
    Le,
    P,
    Product,
    Sum,
    Undefined,
    as_written,
    dot,
    exp,
    for_each,
    function,
    indices,
    integers,
    inverse,
    matrices,
    norm2,
    random_variables,
    real_family,
    reals,
    trace,
    vector_family,
    vectors,
)

theta, x = vectors("theta x")
y, c = reals("y c")
p = reals("p", positive=True)
i, j = indices("i j")
n, d = integers("n d", positive=True)
a, b = real_family("a b")
xs = vector_family("x")
A, B = matrices("A B", n, d)
X = random_variables("X")


@pytest.mark.parametrize(
    ("term", "expected"),
    [
        (norm2(theta + y * x), "real"),
        (y * theta + x, "vector"),
        (Sum(a[i] * xs[i], (i, 1, n)), "vector"),
        (E(X * theta), "vector"),
        (A.T * B, (d, d)),
        (sp.Integer(0), "real"),
    ],
)
def test_a_term_has_its_kind(term, expected):
    assert kind(term) == expected


@pytest.mark.parametrize(
    "build",
    [
        lambda: kind(theta + y),
        lambda: kind(theta * x),
        lambda: kind(theta**2),
        lambda: dot(theta, y),
        lambda: kind(exp(theta)),
        lambda: kind(Product(xs[i], (i, 1, n))),
        lambda: kind(A * B),
        lambda: trace(A),
        lambda: inverse(A),
        lambda: kind(sp.Symbol("z")),
        lambda: kind(sp.Float("0.1") * y),
        lambda: kind(Sum(a[i], (i, 1, y))),
        lambda: kind(Le(theta, x)),
        lambda: kind(Eq(theta, y)),
        lambda: kind(sp.Integral(y, y)),
        lambda: for_each(y, 1, n, Ge(a[i], 0)),
        lambda: E(X * random_variables("Y"), X),
        lambda: function("f", smooth=True),
        lambda: derivative(function("f", convex=True)),
        lambda: reals(""),
    ],
)
def test_what_means_nothing_is_refused(build):
    with pytest.raises(IllTyped):
        build()


def test_infinities_and_imaginary_numbers_are_undefined():
    for term in (sp.sqrt(-1) * y, y + sp.zoo, sp.oo * p):
        with pytest.raises(Undefined):
            kind(term)


def test_a_relation_is_never_evaluated_away():
    assert Gt(p, 0) not in (True, sp.true)
    assert substitute(Gt(p, y), {y: 0}) not in (True, sp.true)


def test_substitution_does_not_capture_an_index():
    replaced = substitute(Sum(a[i] * c, (i, 1, n)), {c: b[i]})
    assert b[i] in replaced.atoms(sp.Indexed)
    assert i in replaced.free_symbols
    assert i not in [limit[0] for limit in replaced.limits]


def test_substitution_leaves_a_shadowed_index_alone():
    inner = Sum(a[i], (i, 1, n))
    assert substitute(inner + a[i], {i: 3}) == inner + a[3]


def test_substitution_replaces_families_and_functions():
    f, g = function("f"), function("g")
    assert substitute(Sum(a[i], (i, 1, n)), {a: sp.Lambda(j, y * j)}) == Sum(y * i, (i, 1, n))
    assert substitute(f(y), {f: g}) == g(y)


def test_a_generic_symbol_is_new():
    first = fresh_symbol("i", [a[i]], integer=True)
    second = fresh_symbol("i", [a[first]], integer=True)
    assert len({i, first, second}) == 3


def test_terms_can_be_kept_as_written():
    with as_written():
        term = y / y
    assert term != 1


def test_functions_with_different_properties_differ():
    assert function("f") != function("f", convex=True)


def test_probabilities_and_means_print():
    assert str(P(Ge(X, c))) == "P[X >= c]"
    assert str(E(X**2)) == "E[X**2]"
