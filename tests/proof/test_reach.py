"""Textbook steps that arithmetic alone does not find, and false ones beside them."""

import pytest

from mlnotes.proof import (
    Derivation,
    E,
    Ge,
    Lt,
    Max,
    Or,
    P,
    WrongStep,
    dimensions,
    dot,
    exp,
    identity,
    inverse,
    invertible,
    log,
    matrices,
    norm,
    norm2,
    random_variables,
    reals,
    vectors,
)

a, b, t = reals("a b t")
u, v, w = vectors("u v w")
S, T = random_variables("S T")
d = dimensions("d")
A, B = matrices("A B", d, d)
SQUARE = {d: 1, A: [[2]], B: [[3]]}


def line(left, relation, right, given=(), witness=None):
    """Derive one line."""
    return Derivation("line", given=given, witness=witness).start(left).line(relation, right).qed()


TRUE = {
    "square of a sum": (norm2(u + v), "≤", 2 * norm2(u) + 2 * norm2(v)),
    "three vectors": (dot(u, v) + dot(v, w) + dot(u, w), "≤", norm2(u) + norm2(v) + norm2(w)),
    "Cauchy–Schwarz": (dot(u, v), "≤", norm(u) * norm(v)),
    "variance": (E(S) ** 2, "≤", E(S**2)),
    "union bound": (P(Or(Ge(S, a), Ge(T, b))), "≤", P(Ge(S, a)) + P(Ge(T, b))),
    "complement": (P(Ge(S, t)) + P(Lt(S, t)), "=", 1),
    "soft maximum from below": (log(exp(a) + exp(b)), "≥", Max(a, b)),
    "soft maximum from above": (log(exp(a) + exp(b)), "≤", Max(a, b) + log(2)),
}
FALSE = {
    "square of a sum": (norm2(u + v), "≤", norm2(u) + norm2(v)),
    "three vectors": (2 * (dot(u, v) + dot(v, w) + dot(u, w)), "≤", norm2(u) + norm2(v)),
    "variance": (E(S**2), "≤", E(S) ** 2),
    "union bound": (P(Or(Ge(S, a), Ge(T, b))), "≤", P(Ge(S, a))),
    "complement": (P(Ge(S, t)) + P(Lt(S, t + 1)), "=", 1),
    "soft maximum from below": (log(exp(a) + exp(b)), "≤", Max(a, b)),
}


@pytest.mark.parametrize("name", TRUE)
def test_true_steps_are_certified(name):
    assert line(*TRUE[name]).checked.steps > 0


@pytest.mark.parametrize("name", FALSE)
def test_false_steps_are_refuted(name):
    with pytest.raises(WrongStep):
        line(*FALSE[name])


def test_the_inverse_of_a_product_turns_the_order():
    given = [invertible(A), invertible(B)]
    assert line(inverse(A * B), "=", inverse(B) * inverse(A), given, SQUARE).checked
    with pytest.raises(WrongStep):
        line(inverse(A * B), "=", inverse(A) * inverse(B), given, SQUARE)


def test_products_and_transposes_of_invertible_matrices_are_invertible():
    given = [invertible(A), invertible(B)]
    assert line(A.T * inverse(A.T), "=", identity(d), given, SQUARE).checked
    assert line(A * B * A * inverse(A * B * A), "=", identity(d), given, SQUARE).checked
