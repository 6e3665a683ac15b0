"""The rules of matrix calculus: what was proved, and statements nearby that are refused."""

from __future__ import annotations

import numpy as np
import pytest
from retelling import needed, refuted, sides, tell, without

from mlnotes.matrix_calculus import gradient_error
from mlnotes.proof import (
    Derivation,
    Eq,
    Ge,
    ProofError,
    Unproved,
    Vacuous,
    WrongStep,
    det,
    dot,
    grad,
    identity,
    inverse,
    logdet,
    matrices,
    norm,
    norm2,
    reals,
    trace,
    unit_column,
)
from mlnotes.theorems import matrix_calculus as mc
from mlnotes.theorems.matrix_calculus import (
    A,
    B,
    C,
    F,
    G,
    H,
    Lambda,
    S,
    X,
    b,
    d,
    inner,
    n,
    other,
    square,
    theta,
    w,
    y,
)

ANY_SIZE = "any d, any n"
t = reals("t")
ENTRY = unit_column(d, mc.i) * unit_column(d, mc.j).T
RECTANGLE = {
    n: 2,
    d: 2,
    A: [[1, 2], [0, 1]],
    B: [[1, 3], [2, -1]],
    inner: [[1, 3], [2, -1]],
    C: [[0, 1], [2, 1]],
    H: [[1, 0], [1, -1]],
}
COLUMNS = {d: 2, square: [[1, 2], [0, 3]], w: [[1], [1]], b: [[2], [-1]], mc.moved: [[1], [-2]]}
LINE = {n: 2, d: 2, X: [[1, 0], [1, 2]], y: [[1], [2]], theta: [[3], [1]]}
STATEMENTS = [
    (mc.trace_is_cyclic, Eq(trace(A * B), trace(B * A)), ANY_SIZE),
    (mc.gradient_is_unique, Eq(F, G), ANY_SIZE),
    (mc.trace_gradient, Eq(grad(trace(A * B), A), B.T), ANY_SIZE),
    (
        mc.sandwich_gradient,
        Eq(grad(trace(A * inner * A.T * C), A), C * A * inner + C.T * A * inner.T),
        ANY_SIZE,
    ),
    (mc.linear_form_gradient, Eq(grad(trace(b.T * w), w), b), "any d"),
    (
        mc.quadratic_form_gradient,
        Eq(grad(trace(w.T * square * w), w), (square + square.T) * w),
        "any d",
    ),
    (
        mc.determinant_gradient,
        Eq(grad(det(square), square), det(square) * inverse(square).T),
        "any d",
    ),
    (
        mc.determinant_of_one_entry,
        Eq(det(square + t * ENTRY), det(square) + t * (det(square + ENTRY) - det(square))),
        "any d, any i, any j",
    ),
    (mc.logdet_gradient, Eq(grad(logdet(square), square), inverse(square).T), "any d"),
    (mc.gaussian_stationary, Eq(inverse(Lambda), S), "any d"),
    (mc.length_gradient, Eq(grad(norm(mc.x), mc.x), mc.x / norm(mc.x)), "any dimension"),
    (mc.gradient_is_perpendicular, Eq(dot(mc.g(mc.x), mc.tangent), 0), "any dimension"),
]


@pytest.mark.parametrize(("derive", "statement", "scope"), STATEMENTS)
def test_statement_and_scope(derive, statement, scope):
    theorem = derive()
    assert theorem.statement == statement
    assert (theorem.scope, theorem.mark) == (scope, "proved")


D, TURN = mc.turned, matrices("H", d, n)
TURNED = {n: 1, d: 2, G: [[1, 2]], TURN: [[3], [4]]}
MIRRORED = trace(unit_column(d, mc.i).T * mc.symmetric * unit_column(d, mc.j))

# A rule, a point, and formulas near it that are false: a transpose, a factor or a sign is wrong.
NEARBY = [
    (mc.trace_is_cyclic, RECTANGLE, [trace(A * A.T), 2 * trace(B * A), -trace(B * A)]),
    (mc.trace_gradient, RECTANGLE, [A, 2 * B.T, -B.T]),
    (
        mc.sandwich_gradient,
        RECTANGLE,
        [
            2 * C * A * inner,
            C * A * inner + C.T * A * inner,
            C * A * inner + C * A * inner.T,
            C * A * inner - C.T * A * inner.T,
        ],
    ),
    (
        mc.sandwich_gradient_transposed,
        {**RECTANGLE, D: [[1, 0], [2, 1]]},
        [
            inner.T * D * C.T,
            2 * inner * D * C,
            inner.T * D * C + inner * D * C.T,
            inner.T * D * C.T - inner * D * C,
        ],
    ),
    (mc.slope_of_a_transpose, TURNED, [trace(G.T * G), -trace(TURN * G), 2 * trace(TURN * G)]),
    (
        mc.symmetric_parameter,
        {d: 2, mc.symmetric: [[1, 2], [2, 3]], mc.i: 1, mc.j: 2},
        [MIRRORED, 4 * MIRRORED, -2 * MIRRORED],
    ),
    (mc.length_gradient, {mc.x: [3, 4]}, [mc.x, mc.x / norm2(mc.x), -mc.x / norm(mc.x)]),
    (mc.linear_form_gradient, COLUMNS, [w, 2 * b, -b]),
    (
        mc.quadratic_form_gradient,
        COLUMNS,
        [2 * square * w, square * w, (square - square.T) * w, 2 * square.T * w],
    ),
    (
        mc.squared_error_gradient,
        LINE,
        [X.T * (y - X * theta), 2 * X.T * (X * theta - y), X.T * X * theta + X.T * y],
    ),
    (
        mc.inverse_gradient,
        mc.PAIR,
        [
            (inverse(square) * other * inverse(square)).T,
            -inverse(square) * other * inverse(square),
            -((inverse(square) * other.T * inverse(square)).T),
        ],
    ),
    (
        mc.determinant_gradient,
        mc.PAIR,
        [det(square) * inverse(square), inverse(square).T, 2 * det(square) * inverse(square).T],
    ),
    (
        mc.determinant_of_one_entry,
        {d: 2, square: [[1, 2], [2, 4]], mc.i: 1, mc.j: 2, t: 3},
        [
            det(square) + t * det(square + ENTRY),
            det(square) + t**2 * (det(square + ENTRY) - det(square)),
            det(square) - t * (det(square + ENTRY) - det(square)),
        ],
    ),
    (
        mc.logdet_gradient,
        mc.PAIR,
        [inverse(square), det(square) * inverse(square).T, -inverse(square).T, identity(d)],
    ),
    (
        mc.gaussian_gradient,
        {d: 1, Lambda: [[2]], S: [[3]]},
        [inverse(Lambda) - S, (S - inverse(Lambda)) / 2, (Lambda - S) / 2],
    ),
]


@pytest.mark.parametrize(("derive", "witness", "wrong"), NEARBY)
def test_a_formula_near_the_rule_is_refused_with_a_counterexample(derive, witness, wrong):
    for right in wrong:
        assert refuted(derive(), witness, right)


@pytest.mark.parametrize("derive", [mc.inverse_gradient, mc.determinant_gradient])
def test_a_rule_with_an_inverse_is_not_proved_where_there_may_be_none(derive):
    assert isinstance(without(derive(), mc.PAIR, 0), Unproved)


def test_log_det_has_no_gradient_where_the_determinant_may_be_zero_or_negative():
    assert without(mc.logdet_gradient(), mc.PAIR, 0)
    for weaker in (Ge(det(square), 0), Eq(det(square) ** 2, 4)):
        with pytest.raises(ProofError):
            (
                Derivation("weaker", given=[weaker], witness=mc.PAIR)
                .start(grad(logdet(square), square))
                .equals(inverse(square).T)
            )


def test_the_length_has_no_gradient_at_the_origin():
    assert isinstance(without(mc.length_gradient(), {mc.x: [3, 4]}, 0), Unproved)


def test_a_negative_determinant_does_not_satisfy_the_hypothesis_of_log_det():
    with pytest.raises(Vacuous):
        Derivation("no", given=mc.POSITIVE, witness={d: 2, square: [[0, 1], [1, 0]]})


def test_slopes_along_one_direction_do_not_determine_a_gradient():
    one = Eq(trace(F.T * H), trace(G.T * H))
    with pytest.raises(WrongStep):
        (Derivation("one slope", given=[one], witness={**mc.ONE, H: [[1]]}).start(F).equals(G))


def test_the_expansions_hold_exactly_at_numbers():
    for derive, model in (
        (mc.sandwich_expansion, RECTANGLE),
        (mc.quadratic_expansion, COLUMNS),
        (mc.squared_error_by_traces, LINE),
    ):
        left, right = sides(derive(), model)
        assert left == right != 0


def as_array(value):
    return np.array(value, dtype=float)


def test_gradients_of_theorems_agree_with_numerical_ones():
    """The same statements, by values of the functions alone."""
    a, m, c = (as_array(RECTANGLE[s]) for s in (A, inner, C))
    _, right = sides(mc.sandwich_gradient(), RECTANGLE)
    assert gradient_error(lambda z: np.trace(z @ m @ z.T @ c), lambda z: as_array(right), a) == 0
    p, q = (as_array(mc.PAIR[s]) for s in (square, other))
    for derive, f in (
        (mc.inverse_gradient, lambda z: np.trace(np.linalg.solve(z, q))),
        (mc.determinant_gradient, np.linalg.det),
        (mc.logdet_gradient, lambda z: np.linalg.slogdet(z)[1]),
    ):
        _, right = sides(derive(), mc.PAIR)
        assert gradient_error(f, lambda z, g=right: as_array(g), p) == 0
        assert gradient_error(f, lambda z, g=right: -as_array(g), p) > 0.1


def test_the_bound_of_a_chord_is_attained_and_has_no_smaller_constant():
    theorem, at = mc.gradient_and_chord(), {**mc.HALF_SQUARE, mc.x: [1], mc.z: [-1]}
    left, right = sides(
        theorem, {**at, mc.f: lambda v: sum(e * e for e in v) / 2, mc.g: lambda v: v}
    )
    assert left == right == 2
    with pytest.raises(ProofError):
        tell(theorem, list(theorem.given), at, "<=", mc.L / 3 * norm2(mc.z - mc.x))


def test_a_curve_that_leaves_the_level_set_may_have_a_slope():
    theorem = mc.gradient_is_perpendicular()
    with pytest.raises(ProofError):
        (
            Derivation("any curve", given=[*theorem.given[:1]], witness=mc.STILL)
            .start(dot(mc.g(mc.x), mc.tangent))
            .equals(0)
        )


def test_a_central_difference_is_no_better_than_its_bound():
    theorem = mc.central_difference()
    exact = {**mc.QUOTIENT, mc.f: lambda v: sum(e * e for e in v) / 2, mc.g: lambda v: v}
    assert sides(theorem, exact) == (0, pytest.approx(1 / 6))
    with pytest.raises(ProofError):
        (
            Derivation("no rounding", setting=mc.difference)
            .start(theorem.statement.parts[0])
            .at_most(mc.bend * mc.step**2 / 6)
        )


def test_the_best_step_has_no_better_bound():
    theorem = mc.best_step()
    at = {mc.bend: 3, mc.best: 1, mc.epsilon: 1, mc.step: 1}
    assert sides(theorem, at) == (1.5, 1.5)
    assert refuted(theorem, at, mc.bend * mc.best**2)
    assert needed(theorem, at, 0)
