"""Functions of vectors: smooth and convex are defined, and used at particular points."""

from __future__ import annotations

import pytest

from mlnotes.proof import (
    Derivation,
    Ge,
    IllTyped,
    Le,
    Unproved,
    Vacuous,
    WrongStep,
    dot,
    for_all,
    function,
    norm2,
    reals,
    vectors,
)
from mlnotes.proof.rendering import plain

u, v, w, z = vectors("u v w z")
L = reals("L", positive=True)
f = function("f", of="vector")
g = function("g", of="vector", to="vector")
SMOOTH = for_all((u, v), Le(f(v), f(u) + dot(g(u), v - u) + L / 2 * norm2(v - u)))
CONVEX = for_all((u, v), Ge(f(v), f(u) + dot(g(u), v - u)))
HALF_SQUARE = {f: lambda w: norm2(w) / 2, g: lambda w: w, L: 1, w: [1], z: [0]}


def step(**changed):
    given = {"smooth": SMOOTH, "convex": CONVEX}
    return Derivation("a step", given=given, witness={**HALF_SQUARE, **changed}).start(
        f(w - g(w) / L)
    )


def test_a_gradient_step_descends():
    by = SMOOTH.at(w, w - g(w) / L)
    theorem = step().at_most(f(w) - norm2(g(w)) / (2 * L), "smooth", by=by).qed()
    assert plain(theorem.statement) == "f(w - g(w)/L) ≤ f(w) - ‖g(w)‖²/(2 L)"
    with pytest.raises(Unproved):
        step().at_most(f(w) - norm2(g(w)) / L, "too much", by=by)


def test_a_step_and_a_tangent_bound_the_distance_to_any_point():
    theorem = (
        step()
        .at_most(f(w) - norm2(g(w)) / (2 * L), "smooth", by=SMOOTH.at(w, w - g(w) / L))
        .at_most(
            f(z) + L / 2 * (norm2(w - z) - norm2(w - g(w) / L - z)), "convex", by=CONVEX.at(w, z)
        )
        .qed()
    )
    assert [h.name for h in theorem.own] == ["smooth", "convex", "L positive"]


def test_a_witness_has_the_properties_at_all_vectors():
    line = Derivation("a step", given={"smooth": SMOOTH}, witness={**HALF_SQUARE, L: 1, w: [1]})
    assert line.start(f(w)).at_most(f(w) + 1, "one more").qed()
    twice = {f: lambda w: norm2(w), g: lambda w: 2 * w, L: 1, w: [1]}
    with pytest.raises(Vacuous):
        Derivation("a step", given={"smooth": SMOOTH}, witness=twice).start(f(w)).at_most(
            f(w) + 1, "one more"
        ).qed()


def test_a_statement_takes_as_many_values_as_it_has_symbols():
    with pytest.raises((IllTyped, Unproved)):
        step().at_most(f(w), "three", by=SMOOTH.at(w, z, w))
    with pytest.raises(IllTyped, match="not about all values"):
        step().at_most(f(w), "none", by=Le(0, 1).at(w))


def test_what_follows_from_no_property_is_refused():
    line = Derivation("nothing").start(f(w))
    with pytest.raises((Unproved, WrongStep)):
        line.at_most(f(z), "not so")


def test_what_is_no_function_is_refused():
    with pytest.raises(IllTyped, match="not of 'matrix'"):
        function("f", of="matrix")
    with pytest.raises(IllTyped, match="a function of a vector may be convex"):
        function("f", of="vector", increasing=True)
    with pytest.raises(IllTyped, match="function of 1 arguments"):
        f(u, v)
    with pytest.raises(IllTyped, match="a number and stands where a vector"):
        f(L)


def test_a_theorem_is_applied_to_another_function():
    line = Derivation("descent", given={"smooth": SMOOTH}, witness=HALF_SQUARE)
    line = line.start(f(w - g(w) / L))
    by = SMOOTH.at(w, w - g(w) / L)
    descent = line.at_most(f(w) - norm2(g(w)) / (2 * L), "smooth", by=by).qed()
    theorem = (
        Derivation("a square")
        .start(norm2(w - w) / 2)
        .at_most(
            norm2(w) / 2 - norm2(w) / 2,
            "a step to the minimum",
            by=descent(f=lambda w: norm2(w) / 2, g=lambda w: w, L=1),
        )
        .qed()
    )
    assert theorem.checked.cites
