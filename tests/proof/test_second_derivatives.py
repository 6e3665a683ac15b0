"""What a declared second derivative proves, and what it does not: with and without the search."""

import contextlib

import pytest

from mlnotes.proof import (
    Abs,
    Derivation,
    Ge,
    Gt,
    Le,
    Lt,
    Max,
    Ne,
    ProofError,
    Rational,
    Unproved,
    Vacuous,
    WrongStep,
    derivations,
    derivative,
    exp,
    function,
    log,
    minimised_at,
    monotone,
    reals,
    second_order,
)

p, q, x, z = reals("p q x z")
curved = function("phi", nonnegative_curvature=True)
bent = function("phi", positive_curvature=True)
smooth = function("phi", twice_differentiable=True)
sloped = function("phi", differentiable=True)
plain = function("g")


def chain(left, relation, right, by=None, given=(), witness=None):
    """Return the theorem of one line."""
    line = Derivation("t", given=list(given), witness=witness).start(left)
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
    assert above_its_tangents().mark == "proved"
    assert above_its_tangents(bent).mark == "proved"


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
        curved(z), "at_least", curved(x) + derivative(curved)(z) * (z - x)
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
            patch.setattr(derivations, "counterexample", lambda *_, **__: None)
        yield


@pytest.mark.parametrize("search", [True, False], ids=["searched", "unsearched"])
@pytest.mark.parametrize("name", FALSE)
def test_false_statements_about_second_derivatives_are_refused(name, search):
    with searching(search), pytest.raises((Unproved, WrongStep)):
        FALSE[name]()


def test_a_strict_line_needs_curvature_on_the_whole_way():
    # The curvature of the fourth power vanishes at 0, where the way begins.
    apart = [Ne(x, 0)], {x: 1}
    with pytest.raises(ProofError):
        chain(x**4, "greater_than", 0, second_order(x), *apart)
    assert chain(x**4 + x**2, "greater_than", 0, second_order(x), *apart).steps[0].method


WITNESSES = {
    "a cap for a bowl": (curved, lambda s: -s * s),
    "a cubic": (curved, lambda s: s**3),
    "a line": (bent, lambda s: s),
    "a fourth power": (bent, lambda s: s**4),
    "a corner": (smooth, lambda s: Abs(s)),
    "a jump of the slope's slope": (curved, lambda s: Max(s, 0) ** 2),
}


@pytest.mark.parametrize("name", WITNESSES)
def test_a_witness_must_be_curved_as_declared(name):
    f, formula = WITNESSES[name]
    with pytest.raises(Vacuous):
        Derivation("t", given=[Ge(f(x), -9)], witness={x: 1, f: formula})


def test_a_witness_that_is_curved_as_declared_is_taken():
    for f, formula in ((curved, lambda s: s**4), (bent, exp), (smooth, lambda s: s**3)):
        assert Derivation("t", given=[Gt(f(x) + 9, 0)], witness={x: 1, f: formula}).given


def test_reciprocals_of_sums_with_a_common_factor_are_split():
    """Pinsker's inequality for two coins; with 3 for 2 it is false."""
    a, q = reals("a q")
    given = [Gt(q, 0), Lt(q, 1), Gt(a, 0), Lt(a, 1)]
    divergence = a * log(a / q) + (1 - a) * log((1 - a) / (1 - q))

    def bound(factor):
        told = Derivation("coins", given, {q: Rational(1, 2), a: Rational(1, 2)})
        return told.start(factor * (a - q) ** 2).at_most(divergence, by=second_order(a, at=q)).qed()

    assert bound(2).checked.steps > 0
    with pytest.raises(WrongStep):
        bound(3)
