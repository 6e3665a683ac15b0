"""What a declared second derivative proves, and what it does not: with and without the search."""

import contextlib

import pytest
from mlnotes.proof.terms import IMPLIED, properties_of

from mlnotes.proof import (
    Abs,
    Derivation,
    Ge,
    Gt,
    IllTyped,
    Le,
    Lt,
    Max,
    Ne,
    ProofError,
    Unproved,
    Vacuous,
    apply,
    derivative,
    exp,
    function,
    grad,
    minimised_at,
    monotone,
    reals,
    render,
    second_order,
)
from mlnotes.proof.witnesses import LIBRARY, Search

p, q, x, z = reals("p q x z")
curved = function("phi", nonnegative_curvature=True)
bent = function("phi", positive_curvature=True)
smooth = function("phi", twice_differentiable=True)
sloped = function("phi", differentiable=True)
plain = function("g")


def chain(left, relation, right, by=None, given=(), witness=None):
    """Return the theorem of one line."""
    line = Derivation("t", given=list(given), witness=witness, z3=False).start(left)
    return getattr(line, relation)(right, because="?", by=by).qed()


def tangent(f, at, point):
    """Return the height at a point of the tangent of f somewhere else."""
    return f(at) + derivative(f)(at) * (point - at)


def above_its_tangents(f=curved):
    return chain(f(z), "at_least", tangent(f, x, z), second_order(z, at=x))


def strictly_above_its_tangents():
    apart = {"given": [Ne(z, x)], "witness": {z: 1, x: 0}}
    return chain(bent(z), "greater_than", tangent(bent, x, z), second_order(z, at=x), **apart)


def test_curvature_gives_tangents():
    theorem = above_its_tangents()
    assert theorem.statement == Ge(curved(z), tangent(curved, x, z))
    assert theorem.mark == "proved"
    assert theorem.assumptions == ("phi is of nonnegative second derivative",)
    assert above_its_tangents(bent).assumptions == ("phi is of positive second derivative",)


def test_a_curved_function_is_least_where_its_slope_vanishes():
    bowl = curved(z) - derivative(curved)(x) * z
    lowest = curved(x) - derivative(curved)(x) * x
    assert chain(bowl, "at_least", lowest, minimised_at(z, x)).mark == "proved"


def test_positive_curvature_gives_strict_tangents_away_from_the_point():
    assert strictly_above_its_tangents().mark == "proved"


def test_the_second_derivative_has_the_declared_sign():
    second = derivative(derivative(curved))(x)
    assert chain(second, "at_least", 0).mark == "proved"
    assert chain(derivative(derivative(bent))(x), "greater_than", 0).mark == "proved"
    assert grad(derivative(curved)(x), x) == second


def test_what_a_property_implies_is_declared_with_it():
    assert set(properties_of(bent)) == {*IMPLIED, *IMPLIED.values()}
    assert set(properties_of(smooth)) == {"twice_differentiable", "differentiable"}
    assert "convex" not in properties_of(bent)


def test_a_curved_function_may_be_replaced_by_one_that_is_declared_so():
    g = function("g", positive_curvature=True)
    theorem = above_its_tangents()
    assert chain(g(z), "at_least", tangent(g, x, z), apply(theorem, {curved: g})).steps
    assert chain(exp(z), "at_least", exp(x) * (1 + z - x), apply(theorem, {curved: exp})).steps


def test_the_second_derivative_follows_its_function():
    second = derivative(derivative(curved))
    steep = {"given": [Ge(second(x), 1)], "witness": {x: 1, curved: lambda s: s * s}}
    theorem = chain(second(x) ** 2, "at_least", 1, **steep)
    twice = derivative(derivative(bent))
    for g, at in ((exp, exp), (bent, twice)):
        known = {"given": [Ge(at(x), 1)], "witness": {x: 1, bent: lambda s: s * s}}
        assert chain(at(x) ** 2, "at_least", 1, apply(theorem, {curved: g}), **known).steps


def between(f):
    return f((x + z) / 2), "at_most", (f(x) + f(z)) / 2


FALSE = {
    "a curved function increases": lambda: chain(
        curved(x), "at_most", curved(z), given=[Le(x, z)], witness={x: 0, z: 1}
    ),
    "a curved function increases, by its rule": lambda: chain(
        curved(x), "at_most", curved(z), monotone(curved), [Le(x, z)], {x: 0, z: 1}
    ),
    "a curved function is nonnegative": lambda: chain(curved(x), "at_least", 0),
    "its slope is nonnegative": lambda: chain(derivative(curved)(x), "at_least", 0),
    "its curvature is positive": lambda: chain(
        derivative(derivative(curved))(x), "greater_than", 0
    ),
    "its curvature is at most one": lambda: chain(derivative(derivative(curved))(x), "at_most", 1),
    "a curved function is below its tangents": lambda: chain(
        curved(z), "at_most", tangent(curved, x, z), second_order(z, at=x)
    ),
    "a curved function is strictly above its tangents": lambda: chain(
        curved(z), "greater_than", tangent(curved, x, z), second_order(z, at=x),
        [Ne(z, x)], {z: 1, x: 0},
    ),
    "a bent function is strictly above its tangent where it touches": lambda: chain(
        bent(z), "greater_than", tangent(bent, x, z), second_order(z, at=x)
    ),
    "a tangent with the slope of the other point": lambda: chain(
        curved(z), "at_least", curved(x) + derivative(curved)(z) * (z - x), second_order(z, at=x)
    ),
    "a tangent twice as steep": lambda: chain(
        curved(z), "at_least", curved(x) + 2 * derivative(curved)(x) * (z - x),
        second_order(z, at=x),
    ),
    "any twice differentiable function is above its tangents": lambda: above_its_tangents(smooth),
    "a twice differentiable function is convex": lambda: chain(*between(smooth)),
    "a cubic by the rule": lambda: chain(
        x**3, "greater_than", 3 * x - 2, second_order(x, at=1), [Ne(x, 1)], {x: 2}
    ),
    "a strict line through a point where nothing is gained": lambda: chain(
        x**2, "greater_than", 2 * x - 1, second_order(x, at=1)
    ),
}  # fmt: skip


@contextlib.contextmanager
def searching(wanted):
    """Switch the search for counterexamples off, so that only the rules stand in the way."""
    with pytest.MonkeyPatch.context() as patch:
        if not wanted:
            patch.setattr(Search, "counterexample", lambda *_: None)
        yield


@pytest.mark.parametrize("search", [True, False], ids=["searched", "unsearched"])
@pytest.mark.parametrize("name", FALSE)
def test_false_statements_about_second_derivatives_are_refused(name, search):
    with searching(search), pytest.raises(ProofError):
        FALSE[name]()


def test_a_strict_line_needs_curvature_on_the_whole_way():
    # The curvature of the fourth power vanishes at 0, where the way begins.
    apart = [Ne(x, 0)], {x: 1}
    with pytest.raises(ProofError):
        chain(x**4, "greater_than", 0, second_order(x), *apart)
    assert chain(x**4 + x**2, "greater_than", 0, second_order(x), *apart).steps[0].method


NOT_DECLARED_SO = {
    "nothing": plain,
    "differentiable": function("g", differentiable=True),
    "twice differentiable": function("g", twice_differentiable=True),
    "convex": function("g", convex=True),
    "convex and twice differentiable": function("g", convex=True, twice_differentiable=True),
}


@pytest.mark.parametrize("known", NOT_DECLARED_SO)
def test_a_function_that_is_not_declared_so_is_not_put_in_its_place(known):
    g = NOT_DECLARED_SO[known]
    with searching(False), pytest.raises(ProofError, match="declared"):
        chain(*between(g), apply(chain_of_chords(), {curved: g}))


def chain_of_chords():
    half = (x + z) / 2
    return chain(
        curved(half), "at_most", curved(x) - derivative(curved)(half) * (x - half),
        apply(above_its_tangents(), {x: half, z: x}),
    )  # fmt: skip


def test_a_derivative_is_not_replaced_without_its_function():
    theorem = chain(curved(x) + derivative(derivative(curved))(x), "at_least", curved(x))
    first, second = derivative(curved), derivative(derivative(curved))
    g = function("g", nonnegative_curvature=True)
    for symbol, value in ((first, derivative(g)), (second, derivative(derivative(g)))):
        with pytest.raises(IllTyped, match="give a function for that"):
            chain(curved(x) + value(x), "at_least", curved(x), apply(theorem, {symbol: value}))


def test_a_function_has_a_second_derivative_only_if_it_is_declared():
    for f in (sloped, function("f", convex=True, differentiable=True)):
        with pytest.raises(IllTyped, match="not declared differentiable"):
            derivative(derivative(f))
        with pytest.raises(Unproved, match="no derivative"):
            grad(derivative(f)(x), x)
    with pytest.raises(IllTyped, match="not declared differentiable"):
        derivative(derivative(derivative(bent)))


WITNESSES = {
    "a cap for a bowl": (curved, lambda s: -s * s, "nonnegative_curvature"),
    "a cubic": (curved, lambda s: s**3, "nonnegative_curvature"),
    "a line": (bent, lambda s: s, "positive_curvature"),
    "a fourth power": (bent, lambda s: s**4, "positive_curvature"),
    "a corner": (smooth, lambda s: Abs(s), "twice differentiable"),
    "a jump of the slope's slope": (curved, lambda s: Max(s, 0) ** 2, "twice differentiable"),
}


@pytest.mark.parametrize("name", WITNESSES)
def test_a_witness_must_be_curved_as_declared(name):
    f, formula, broken = WITNESSES[name]
    with pytest.raises(Vacuous, match=broken):
        Derivation("t", given=[Ge(f(x), f(x))], witness={x: 1, f: formula})


def test_a_witness_that_is_curved_as_declared_is_taken():
    for f, formula in ((curved, lambda s: s**4), (bent, exp), (smooth, lambda s: s**3)):
        assert Derivation("t", given=[Gt(f(x) + 9, 0)], witness={x: 1, f: formula}).given


def test_every_example_of_a_curved_function_is_one():
    examples = [formula for known, formula in LIBRARY if "nonnegative_curvature" in known]
    assert len(examples) > 3
    for known, formula in LIBRARY:
        for f in (curved, bent, smooth):
            if set(properties_of(f)) <= known:
                assert Derivation("t", given=[Lt(x, 1)], witness={x: 0, f: formula}).given


def test_derivatives_are_printed_with_primes():
    assert render.tex(derivative(curved)(x)) == r"\phi'{\left(x \right)}"
    assert render.tex(derivative(derivative(curved))(x)) == r"\phi''{\left(x \right)}"
    assert render.tex(plain(x)) == r"g{\left(x \right)}"
