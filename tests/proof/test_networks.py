"""Back-propagation: the chain rule through units, and through any number of layers."""

import pytest

from mlnotes.proof import (
    Derivation,
    Eq,
    Ge,
    Le,
    ProofError,
    Sum,
    derivative,
    for_each,
    function,
    grad,
    indices,
    induction,
    integers,
    real_family,
    termwise,
)

depth, n, m = integers("L n m", positive=True)
i, j, layer, p, q = indices("i j l p q")
w, x, h, c = real_family("w x h c")
delta, moves, slope = real_family("delta a' s")
phi, f = (function(name, differentiable=True) for name in ("phi", "f"))
INPUT = {"from one": Ge(q, 1), "to n": Le(q, n)}
UNIT = {"unit from one": Ge(p, 1), "unit to m": Le(p, m)}
VALUES = {
    **{n: 1, m: 1, q: 1, p: 1, w: {(1, 1): 1}, h: [1], x: [1], c: [1]},
    **{phi: lambda t: t, f: lambda t: t},
}


def unit(number, inputs):
    """Return what a unit gets."""
    return Sum(w[number, j] * inputs[j], (j, 1, n))


scores = Sum(c[i] * phi(unit(i, x)), (i, 1, m))
outer = derivative(f)(scores)
TRUE = {
    "a unit by an input": (phi(unit(p, h)), h[q], derivative(phi)(unit(p, h)) * w[p, q], INPUT),
    "a network by a weight": (
        f(scores),
        w[p, q],
        outer * c[p] * derivative(phi)(unit(p, x)) * x[q],
        {**INPUT, **UNIT},
    ),
    "a network by an input": (
        f(scores),
        x[q],
        outer * Sum(c[i] * derivative(phi)(unit(i, x)) * w[i, q], (i, 1, m)),
        INPUT,
    ),
}
FALSE = {
    "a unit by an input": (phi(unit(p, h)), h[q], derivative(phi)(unit(p, h)) * h[q], INPUT),
    "a network by a weight": (
        f(scores),
        w[p, q],
        c[p] * derivative(phi)(unit(p, x)) * x[q],
        {**INPUT, **UNIT},
    ),
    "a network by an input": (
        f(scores),
        x[q],
        outer * Sum(c[i] * w[i, q], (i, 1, m)),
        INPUT,
    ),
    "an input that is not there": (
        f(scores),
        x[q],
        outer * Sum(c[i] * derivative(phi)(unit(i, x)) * w[i, q], (i, 1, m)),
        {"from one": Ge(q, 1)},
    ),
}


def slope_is(of, along, value, given):
    """Derive a gradient."""
    return (
        Derivation("the chain rule", given=given, witness=VALUES)
        .start(grad(of, along, given=list(given.values())))
        .equals(value)
        .qed()
    )


@pytest.mark.parametrize("name", TRUE)
def test_the_chain_rule_goes_through_units(name):
    assert slope_is(*TRUE[name]).checked.steps > 0


@pytest.mark.parametrize("name", FALSE)
def test_a_wrong_slope_is_refused(name):
    with pytest.raises(ProofError):
        slope_is(*FALSE[name])


# A unit i of layer l + 1 moves by s Σ_j w_{i,j} a'_j where the units of layer l move by a'.
FORWARD = for_each(
    layer,
    0,
    depth - 1,
    for_each(
        i,
        1,
        n,
        Eq(moves[layer + 1, i], slope[layer, i] * Sum(w[layer, i, j] * moves[layer, j], (j, 1, n))),
    ),
)
BACKWARD = for_each(
    layer,
    0,
    depth - 1,
    for_each(
        j,
        1,
        n,
        Eq(delta[layer, j], Sum(delta[layer + 1, i] * slope[layer, i] * w[layer, i, j], (i, 1, n))),
    ),
)
WRONG = for_each(
    layer,
    0,
    depth - 1,
    for_each(
        j,
        1,
        n,
        Eq(delta[layer, j], Sum(delta[layer + 1, i] * slope[layer, i] * w[layer, j, i], (i, 1, n))),
    ),
)
LAYERS = {
    **{depth: 1, n: 2, w: {(0, a, b): int(a == b) for a in (1, 2) for b in (1, 2)}},
    slope: {(0, 1): 1, (0, 2): 1},
    **{family: {(a, b): 1 for a in (0, 1) for b in (1, 2)} for family in (moves, delta)},
}


def change(at):
    """Return how the loss changes, from one layer."""
    return Sum(delta[at, i] * moves[at, i], (i, 1, n))


def one_layer(backward):
    """Derive that the change of the loss is the same, seen from two layers."""
    given = {
        "forward": FORWARD,
        "backward": backward,
        "low": Ge(layer, 0),
        "high": Le(layer, depth - 1),
    }
    term = delta[layer + 1, i] * slope[layer, i] * w[layer, i, j] * moves[layer, j]
    return (
        Derivation("one layer", given=given, witness={**LAYERS, layer: 0})
        .start(change(layer + 1))
        .equals(Sum(Sum(term, (j, 1, n)), (i, 1, n)), by=termwise(i))
        .equals(Sum(Sum(term, (i, 1, n)), (j, 1, n)))
        .equals(Sum(delta[layer, j] * moves[layer, j], (j, 1, n)), by=termwise(j))
        .qed()
    )


def test_back_propagation_at_any_depth():
    found = (
        Derivation("all layers", given={"forward": FORWARD, "backward": BACKWARD}, witness=LAYERS)
        .start(change(depth))
        .equals(change(0), by=induction(None, depth, step=one_layer(BACKWARD)(l=depth)))
        .qed()
    )
    assert "any L" in found.scope


def test_weights_the_wrong_way_round_are_refused():
    with pytest.raises(ProofError):
        one_layer(WRONG)
