"""A formula stands in for a declared function only if it is shown to be what is declared."""

import contextlib
import functools

import pytest
from mlnotes.proof.terms import subgradient
from sympy import Lambda, Tuple

from mlnotes.proof import (
    Abs,
    Derivation,
    E,
    Eq,
    Ge,
    Gt,
    IllTyped,
    Le,
    Max,
    Min,
    P,
    ProofError,
    Sum,
    Undefined,
    Unproved,
    apply,
    cases,
    derivative,
    exp,
    function,
    indicator,
    indices,
    integers,
    log,
    monotone,
    random_variables,
    real_family,
    reals,
    second_order,
    sqrt,
    termwise,
    using,
    vectors,
)
from mlnotes.proof.witnesses import Search
from mlnotes.theorems.concentration import markov_for_functions, phi

x, y, z, lam, c, t = reals("x y z lambda c t")
up = reals("u", positive=True)
i, j = indices("i j")
n = integers("n", positive=True)
k = integers("k", nonnegative=True)
d, e = real_family("d e")
vector = vectors("v")
Y, Z = random_variables("Y Z")
sloped = function("g", differentiable=True)
plain = function("h")


@contextlib.contextmanager
def searching(wanted):
    """Switch the search for counterexamples off, so that only the rules stand in the way."""
    with pytest.MonkeyPatch.context() as patch:
        if not wanted:
            patch.setattr(Search, "counterexample", lambda *_: None)
        yield


def chain(left, relation, right, by=None, given=(), witness=None):
    """Return the theorem of one line."""
    line = Derivation("t", given=list(given), witness=witness, z3=False).start(left)
    return getattr(line, relation)(right, because="?", by=by).qed()


def order(name):
    """Return the theorem of a function that never falls, or never rises, and the function."""
    f = function("f", **{name: True})
    relation = "at_most" if name == "increasing" else "at_least"
    known = {"given": [Le(x, y)], "witness": {x: 0, y: 1}}
    return chain(f(x), relation, f(y), monotone(f), **known), f


def middle(name):
    """Return the theorem of the middle of a chord of a convex or concave function."""
    f = function("f", **{name: True})
    relation = "at_most" if name == "convex" else "at_least"
    return chain(f((x + y) / 2), relation, (f(x) + f(y)) / 2), f


def sign(name):
    """Return the theorem that a function is not negative, or positive."""
    f = function("f", **{name: True})
    return chain(f(x), "at_least" if name == "nonnegative" else "greater_than", 0), f


def tangent(**properties):
    """Return the theorem of a tangent."""
    f = function("f", **properties)
    rule = None if "convex" in properties else second_order(y, at=x)
    return chain(f(y), "at_least", f(x) + derivative(f)(x) * (y - x), rule), f


def slope(name):
    """Return a theorem about a function of which no more is known than that it is smooth."""
    f = function("f", **{name: True})
    first = derivative(f)
    last = first if name == "differentiable" else derivative(first)
    return chain((last(x) + 1) ** 2, "equals", last(x) ** 2 + 2 * last(x) + 1), f


THEOREMS = {
    "increasing": order,
    "decreasing": order,
    "convex": middle,
    "concave": middle,
    "nonnegative": sign,
    "positive": sign,
    "differentiable": slope,
    "twice_differentiable": slope,
    "nonnegative_curvature": lambda name: tangent(**{name: True}),
    "positive_curvature": lambda name: tangent(**{name: True}),
}
WORDS = {
    "twice_differentiable": "twice differentiable",
    "nonnegative_curvature": "of nonnegative second derivative",
    "positive_curvature": "of positive second derivative",
}


@functools.cache
def theorem_about(name):
    """Return a theorem that needs one property of its function, and the function."""
    return THEOREMS[name](name)


def applied(name, formula, given=(), witness=None):
    """Use the theorem of a property for a formula, in a line that would hold without it."""
    theorem, f = theorem_about(name)
    known = {"given": [Le(x, y), *given], "witness": {x: 0, y: 1, **(witness or {})}}
    return chain(1 + c**2, "greater_than", 0, using(apply(theorem, {f: formula})), **known)


AT_LEAST_ZERO = {"given": [Ge(lam, 0)], "witness": {lam: 1}}
AT_MOST_ZERO = {"given": [Le(lam, 0)], "witness": {lam: -1}}
TRUE = [
    ("increasing", exp(lam * z), AT_LEAST_ZERO),
    ("increasing", exp(-lam * z), AT_MOST_ZERO),
    ("increasing", z, {}),
    ("increasing", 2 * z + c, {}),
    ("increasing", z**3 + c**2 * z, {}),
    ("increasing", Max(z, 0) ** 2, {}),
    ("increasing", Min(z, c), {}),
    ("decreasing", exp(-z) - z, {}),
    ("decreasing", exp(lam * z), AT_MOST_ZERO),
    ("convex", exp(lam * z), {}),
    ("convex", (z - c) ** 2, {}),
    ("convex", Abs(z), {}),
    ("convex", Max(z, c), {}),
    ("concave", z - z**2, {}),
    ("concave", Min(z, 0), {}),
    ("nonnegative", (z - c) ** 2, {}),
    ("nonnegative", Abs(z), {}),
    ("nonnegative", indicator(Ge(z, 0)), {}),
    ("positive", exp(c * z), {}),
    ("positive", 1 + z**2, {}),
    ("differentiable", sqrt(1 + z**2), {}),
    ("differentiable", sloped(2 * z), {}),
    ("twice_differentiable", z**3, {}),
    ("nonnegative_curvature", z**4 + c * z, {}),
    ("positive_curvature", z**2 + exp(z), {}),
]


@pytest.mark.parametrize(("name", "body", "known"), TRUE, ids=str)
def test_a_formula_that_is_as_declared_is_taken(name, body, known):
    assert applied(name, Lambda(z, body), **known).mark == "proved"


FALSE = [
    ("increasing", z**2, {}),
    ("increasing", -z, {}),
    ("increasing", z**3 - z, {}),
    ("increasing", exp(lam * z), {}),
    ("increasing", exp(lam * z), AT_MOST_ZERO),
    ("increasing", Abs(z), {}),
    ("increasing", indicator(Le(z, 0)), {}),
    ("increasing", plain(z), {}),
    ("decreasing", exp(lam * z), {}),
    ("decreasing", z**2, {}),
    ("decreasing", indicator(Ge(z, 0)), {}),
    ("convex", z**3, {}),
    ("convex", -(z**2), {}),
    ("convex", Min(z, 0), {}),
    ("convex", lam * z**2, {}),
    ("convex", indicator(Ge(z, 0)), {}),
    ("concave", z**2, {}),
    ("concave", Abs(z), {}),
    ("nonnegative", z, {}),
    ("nonnegative", z**2 - 1, {}),
    ("nonnegative", lam * exp(z), {}),
    ("positive", z**2, {}),
    ("positive", Max(z, 0), {}),
    ("positive", indicator(Ge(z, 0)), {}),
    ("differentiable", z**k, {}),
    ("twice_differentiable", z**n, {}),
    ("positive_curvature", z**4, {}),
    ("positive_curvature", z + c, {}),
    ("nonnegative_curvature", z**3, {}),
    ("nonnegative_curvature", -exp(z), {}),
    ("nonnegative_curvature", lam * z**2, {}),
]


@pytest.mark.parametrize(("name", "body", "known"), FALSE, ids=str)
def test_a_formula_that_is_not_as_declared_is_refused_by_name(name, body, known):
    with pytest.raises(Unproved, match=f"nothing shows that it is {WORDS.get(name, name)}$"):
        applied(name, Lambda(z, body), **known)


ROUGH = {
    "a corner": ("differentiable", Abs(z)),
    "a corner of a maximum": ("differentiable", Max(z, 0)),
    "a jump": ("differentiable", indicator(Ge(z, 0))),
    "a corner where c is zero": ("differentiable", sqrt(z**2 + c**2)),
    "a function of which nothing is declared": ("differentiable", plain(z)),
    "a slope with a corner": ("twice_differentiable", z * Abs(z)),
    "a function that is differentiable once": ("twice_differentiable", sloped(z)),
}


@pytest.mark.parametrize("where", ROUGH)
def test_what_is_not_smooth_is_not_put_for_what_is(where):
    name, body = ROUGH[where]
    with pytest.raises(ProofError):
        applied(name, Lambda(z, body))


UNDEFINED = {
    "a logarithm": log(z),
    "a root": sqrt(z),
    "a reciprocal": 1 / z,
    "a reciprocal of a square": 1 / (z - c) ** 2,
    "a power": exp(1) ** z * z**c,
}


@pytest.mark.parametrize("term", UNDEFINED)
def test_a_formula_has_to_have_a_value_everywhere(term):
    f = function("f")
    theorem = chain(f(x) - f(x) + x, "equals", x, given=[Eq(f(x), f(x))], witness={x: 1, f: exp})
    for known in ({}, {"given": [Gt(z, 0)], "witness": {z: 1}}):
        with pytest.raises(Undefined):
            chain(c, "equals", c + 0 * c, apply(theorem, {f: Lambda(z, UNDEFINED[term])}), **known)


def test_hypotheses_about_a_symbol_say_nothing_about_the_variable_of_that_name():
    theorem, f = order("increasing")
    known = {"given": [Le(x, y), Ge(z, 0), Ge(x, -9)], "witness": {x: 0, y: 1, z: 1}}
    with searching(False), pytest.raises(Unproved, match="increasing"):
        chain(x**2, "at_most", y**2, apply(theorem, {f: Lambda(z, z**2)}), **known)
    with searching(False), pytest.raises(Unproved, match="increasing"):
        chain(x**2, "at_most", y**2, apply(theorem, {f: Lambda(x, x**2)}), **known)


def test_hypotheses_about_the_other_symbols_count():
    theorem, f = order("increasing")
    rule = apply(theorem, {f: Lambda(z, exp(lam * z))})
    fall = apply(order("decreasing")[0], {order("decreasing")[1]: Lambda(z, exp(lam * z))})
    known = {"given": [Le(x, y)], "witness": {x: 0, y: 1}}
    # Each case knows the sign of the rate.
    split = cases((Ge(lam, 0), using(rule)), (Le(lam, 0), using(fall)))
    gap = lam * (exp(lam * y) - exp(lam * x))
    assert chain(gap, "at_least", 0, split, **known).mark == "proved"


ILL_TYPED = {
    "two variables": Lambda((x, z), x + z),
    "no variable": Lambda((), 1),
    "a pair as its variable": Lambda(Tuple(Tuple(z)), 2 * z),
    "an integer variable": Lambda(i, 2 * i),
    "a positive variable": Lambda(up, 2 * up),
    "a random variable": Lambda(Y, 2 * Y),
    "a vector variable": Lambda(vector, 1),
    "vectors as values": Lambda(z, z * vector),
    "statements as values": Lambda(z, Ge(z, 0)),
    "a number": lam,
}


@pytest.mark.parametrize("shape", ILL_TYPED)
def test_a_formula_is_a_number_for_every_number(shape):
    for name in ("increasing", "differentiable"):
        with pytest.raises(ProofError):
            applied(name, ILL_TYPED[shape])


# ---------------------------------------------------------------------- random terms


def tail(formula, bound, t=t, given=(), witness=None):
    """Claim a tail bound from Markov's inequality for a function."""
    rule = apply(markov_for_functions(), {phi: formula})
    return chain(P(Ge(Z, t)), "at_most", bound, rule, given, witness)


def test_markov_for_functions_takes_a_formula():
    rate = {"given": [Ge(lam, 0)], "witness": {lam: 1}}
    formula = Lambda(z, exp(lam * z))
    assert tail(formula, E(exp(lam * Z)) / exp(lam * t), **rate).mark == "proved"


RANDOM = {
    "a rate of unknown sign": (Lambda(z, exp(lam * z)), E(exp(lam * Z)) / exp(lam * t)),
    "a formula that varies with the outcome": (
        Lambda(z, exp(Y**2 * z)),
        E(exp(Y**2 * Z)) / exp(Y**2 * t),
    ),
    "a constant that varies with the outcome": (Lambda(z, exp(Y)), E(exp(Y)) / exp(Y)),
    "a variable under an expectation": (
        Lambda(z, E(exp(z + Y))),
        E(exp(Z + Y)) / E(exp(t + Y)),
    ),
    "a variable under a probability": (Lambda(z, 2 - P(Ge(Y, z))), 2 - P(Ge(Y, Z))),
    "a value that may be zero": (Lambda(z, Max(z, 0)), E(Max(Z, 0)) / (1 + Max(t, 0))),
}


@pytest.mark.parametrize("search", [True, False], ids=["searched", "unsearched"])
@pytest.mark.parametrize("why", RANDOM)
def test_a_formula_does_not_vary_with_the_outcome(why, search):
    formula, bound = RANDOM[why]
    with searching(search), pytest.raises(ProofError):
        tail(formula, bound)


def test_the_mean_of_another_variable_may_stand_in_a_formula():
    shifted = Lambda(z, exp(z - E(Y)))
    assert tail(shifted, E(exp(Z - E(Y))) / exp(t - E(Y))).mark == "proved"


# ---------------------------------------------------------------------- indices and derivatives


def test_a_formula_keeps_its_free_index_free():
    theorem = chain(Sum(plain(x), (i, 1, n)), "equals", n * plain(x))
    formula = Lambda(z, d[i] + z)
    right = chain(
        Sum(d[i] + x, (j, 1, n)), "equals", n * (d[i] + x), apply(theorem, {plain: formula})
    )
    assert right.mark == "proved"
    with searching(False), pytest.raises(ProofError):
        chain(Sum(d[i] + x, (i, 1, n)), "equals", n * (d[i] + x), apply(theorem, {plain: formula}))


def test_the_sum_in_a_formula_catches_no_index():
    theorem, f = theorem_about("increasing")
    rule = apply(theorem, {x: e[i], y: c, f: Lambda(z, Sum(z * d[i] ** 2, (i, 1, n)))})
    known = {"given": [Le(e[i], c)], "witness": {i: 1, e: [0, 0, 0], c: 1}}
    total = Sum(d[j] ** 2, (j, 1, n))
    assert chain(e[i] * total, "at_most", c * total, rule, **known).mark == "proved"
    caught = Sum(e[i] * d[i] ** 2, (i, 1, n))
    with searching(False), pytest.raises(ProofError):
        chain(caught, "at_most", c * total, rule, **known)


def test_a_formula_is_renamed_with_the_index_it_mentions():
    theorem, f = order("increasing")
    rates = [Ge(lam, 0), Le(x, y)]
    rule = termwise(i, by=apply(theorem, {f: Lambda(z, exp(d[i] ** 2 * z))}))
    left, right = (Sum(exp(d[i] ** 2 * at), (i, 1, n)) for at in (x, y))
    assert chain(left, "at_most", right, rule, rates, {lam: 1, x: 0, y: 1}).mark == "proved"


def test_the_derivative_goes_with_the_formula():
    theorem, f = tangent(convex=True, differentiable=True)
    rule = apply(theorem, {f: Lambda(z, z**2)})
    assert chain(y**2, "at_least", x**2 + 2 * x * (y - x), rule).mark == "proved"
    for wrong in (Lambda(z, z), Lambda(z, 2 * z)):
        with searching(False), pytest.raises(ProofError):
            chain(
                y**2,
                "at_least",
                x**2 + 3 * x * (y - x),
                apply(theorem, {f: Lambda(z, z**2), derivative(f): wrong}),
            )
    with pytest.raises(ProofError):
        chain(f(y), "at_least", f(x), apply(theorem, {derivative(f): Lambda(z, 0 * z)}))


def test_a_formula_may_mention_the_function_it_replaces():
    theorem, f = middle("convex")
    rule = apply(theorem, {f: Lambda(z, f(2 * z) + z)})
    ends = (f(2 * x) + x + f(2 * y) + y) / 2
    assert chain(f(x + y) + (x + y) / 2, "at_most", ends, rule).steps[0].method == "theorem"


def test_a_theorem_that_was_applied_to_a_formula_is_applied_again():
    theorem, f = order("increasing")
    known = {"given": [Le(x, y), Ge(lam, 0)], "witness": {x: 0, y: 1, lam: 1}}
    once = chain(
        exp(lam * x), "at_most", exp(lam * y), apply(theorem, {f: Lambda(z, exp(lam * z))}), **known
    )
    squares = apply(once, {lam: c**2})
    known = {"given": [Le(x, y)], "witness": {x: 0, y: 1}}
    assert chain(exp(c**2 * x), "at_most", exp(c**2 * y), squares, **known).mark == "proved"
    with searching(False), pytest.raises(Unproved):
        chain(exp(c * x), "at_most", exp(c * y), apply(once, {lam: c}), **known)


def test_the_subgradient_of_one_function_is_not_that_of_another():
    f, g = function("f", convex=True), function("g", convex=True)
    theorem = chain(f(y), "at_least", f(x) + subgradient(f)(x) * (y - x))
    for other, value in ((g, g), (Lambda(z, z**2), lambda at: at**2)):
        line = value(x) + subgradient(f)(x) * (y - x)
        with searching(False), pytest.raises(IllTyped, match="subgradient"):
            chain(value(y), "at_least", line, apply(theorem, {f: other}))
    for other, value in ((plain, plain(x)), (Lambda(z, c), c)):
        line = f(x) + value * (y - x)
        with searching(False), pytest.raises(IllTyped, match="subgradient"):
            chain(f(y), "at_least", line, apply(theorem, {subgradient(f): other}))
