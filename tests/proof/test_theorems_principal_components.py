"""Principal components: what was proved, and statements nearby that are false and refused."""

from __future__ import annotations

import numpy as np
import pytest
from retelling import needed, refuted, sides, tell, without

from mlnotes.proof import (
    Derivation,
    Eq,
    Ge,
    KroneckerDelta,
    Le,
    ProofError,
    Rational,
    Sum,
    Vacuous,
    WrongStep,
    identity,
    trace,
    zeros,
)
from mlnotes.theorems import principal_components as pc
from mlnotes.theorems.principal_components import (
    AXES,
    CROSS,
    FOUR,
    THREE,
    G,
    K,
    Kc,
    M,
    Phi,
    R,
    S,
    U,
    W,
    X,
    Y,
    about,
    centre,
    d,
    gap,
    i,
    j,
    joint,
    k,
    kappa,
    lam,
    mean,
    mu,
    mus,
    n,
    ones,
    p,
    phi,
    q,
    sigma,
    square,
    t,
    top,
    u,
    v,
    vs,
    x,
    y,
)

TOP = {k: 1, W: [[1], [0]]}
SECOND = {k: 1, W: [[0], [1]]}
half = Rational(1, 2)
kept = trace(W.T * S * W)
largest = Sum(lam[j], (j, 1, k))
loss = square(G - mu * v * v.T)
STATEMENTS = [
    (pc.ky_fan, Le(kept, largest), "any d, any k"),
    (
        pc.reconstruction,
        Ge(square(X - X * W * W.T), square(X - X * top)),
        "any d, any k, any n",
    ),
    (pc.eckart_young, Ge(square(X - Y * W.T), square(X - X * top)), "any d, any k, any n"),
    (
        pc.error,
        Eq(square(X - X * top), Sum(lam[k + j], (j, 1, d - k))),
        "any d, any k, any n",
    ),
    (
        pc.gap_theorem,
        Le(gap / 2 * square(W * W.T - top), largest - kept),
        "any d, any k",
    ),
    (pc.stationary, Eq(G * v, mu * v), "any n"),
    (
        pc.rank_one,
        Ge(loss, square(G - mus[1] * vs[1] * vs[1].T)),
        "any d, any n",
    ),
    (
        pc.decorrelation,
        Eq(trace((X * u[i]).T * (X * u[j])), lam[j] * KroneckerDelta(i, j)),
        "any d, any i, any j, any n",
    ),
    (pc.kernel_coefficients, Eq(Kc * (U * pc.inverse(R)), U * R), "any k, any n"),
    (
        pc.merge,
        Eq(
            about(x, joint, n) + about(y, joint, q),
            about(x, mean, n) + about(y, t, q) + n * q / (n + q) * (mean - t) * (mean - t).T,
        ),
        "any d, any n, any q",
    ),
]


@pytest.mark.parametrize(("derive", "statement", "scope"), STATEMENTS)
def test_statement_and_scope(derive, statement, scope):
    theorem = derive()
    assert theorem.statement == statement
    assert (theorem.scope, theorem.mark) == (scope, "proved")


def test_no_theorem_is_about_particular_sizes():
    for derive in vars(pc).values():
        if hasattr(derive, "cache_info") and hasattr(derive, "__wrapped__"):
            assert derive().scope.startswith("any")


DATA = {**AXES, n: 3, X: [[1, 0], [-1, 0], [0, 1]]}
NEW_POINT = {n: 2, p: 1, Phi: [[1], [3]], phi: [[2]], K: [[1, 3], [3, 9]], kappa: [[2], [6]]}
CONSTANT = {n: 1, ones: [[1]]}
TWO_ONES = {n: 2, ones: [[1], [1]], K: [[1, 3], [3, 9]]}
WHITE = {
    d: 2,
    n: 2,
    X: [[2, 2], [-2, 2]],
    S: [[8, 0], [0, 8]],
    lam: [8, 8],
    u: AXES[u],
    sigma: [2, 2],
    i: 1,
    j: 1,
}
NEARBY = [
    (pc.ky_fan, {**AXES, **TOP}, [largest / 2, lam[d] * k, largest - trace(W.T * W) * half]),
    (pc.reconstruction, {**DATA, **TOP}, [2 * square(X - X * top), trace(S)]),
    (pc.eckart_young, {**DATA, **TOP, Y: [[1], [-1], [0]]}, [2 * square(X - X * top), trace(S)]),
    (pc.error, {**DATA, k: 1}, [Sum(lam[j], (j, 1, k)), Sum(lam[j], (j, 1, d - k)), trace(S)]),
    (pc.total, AXES, [Sum(lam[j], (j, 1, d - 1)), 2 * trace(S)]),
    (pc.pythagoras, {d: 2, **pc.POINTS, **SECOND}, [square(X), square(X) + square(X * W)]),
    (pc.gap_theorem, {**AXES, **SECOND, gap: 1}, [half * (largest - kept), 0]),
    (
        pc.decorrelation,
        {**DATA, i: 1, j: 1},
        [lam[j] * KroneckerDelta(i, j) / n, lam[j] ** 2, 0],
    ),
    (pc.whitening, WHITE, [KroneckerDelta(i, j) / n, KroneckerDelta(i, j) * n, 0]),
    (
        pc.loss_gradient,
        {n: 1, G: [[3]], mu: 2, v: [[1]]},
        [-4 * mu * G * v + 2 * mu**2 * trace(v.T * v) * v, -2 * mu * G * v, zeros(n, 1)],
    ),
    (
        pc.loss_at_eigenvector,
        {n: 1, G: [[3]], mu: 3, v: [[1]]},
        [trace(G * G) - 2 * mu**2, trace(G * G) + mu**2],
    ),
    (pc.rank_one, {**CROSS, v: [[1], [0]], mu: 1}, [loss + 1, trace(G * G)]),
    (pc.deflation, {**CROSS, j: 1}, [mus[j] * vs[j], -mus[j] * vs[j]]),
    (pc.duality, pc.DUAL_LINE | {v: [[1]]}, [pc.length**2 * v, v]),
    (
        pc.kernel_centring,
        {**NEW_POINT, ones: [[1], [1]]},
        [K, M * K, K - ones * ones.T * K / n - K * ones * ones.T / n],
    ),
    (
        pc.kernel_new,
        {**NEW_POINT, ones: [[1], [1]]},
        [kappa, M * kappa, kappa - K * ones / n - trace(ones.T * kappa) / n * ones],
    ),
    (pc.kernel_null, TWO_ONES, [K * ones, ones]),
    (pc.kernel_coefficients, pc.ONE_COMPONENT, [U, U * R * R]),
    (
        pc.merge,
        FOUR,
        [
            about(x, mean, n) + about(y, t, q),
            about(x, mean, n) + about(y, t, q) + (n + q) * (mean - t) * (mean - t).T,
            about(x, mean, n) + about(y, t, q) + n * q / (n + q) * (mean - joint) * (mean - t).T,
        ],
    ),
    (pc.uncentred, THREE, [about(x, mean, n), about(x, mean, n) + mean * mean.T]),
]


@pytest.mark.parametrize(("derive", "witness", "wrong"), NEARBY)
def test_a_formula_near_the_right_one_is_refused_with_a_counterexample(derive, witness, wrong):
    for right in wrong:
        assert refuted(derive(), witness, right)


def test_ky_fan_needs_an_orthonormal_frame_and_decreasing_eigenvalues():
    theorem = pc.ky_fan()
    names = [str(h) for h in theorem.given]
    frame, order = names.index("Wᵀ W = I"), names.index("λ_{j+1} ≤ λ_j for j = 1, …, d - 1")
    assert needed(theorem, {**AXES, k: 1, W: [[2], [0]]}, frame)
    assert needed(theorem, {**AXES, S: [[1, 0], [0, 2]], lam: [1, 2], **SECOND}, order)


def test_ky_fan_is_attained_by_the_first_eigenvectors_and_by_no_others_here():
    theorem = pc.ky_fan()
    assert sides(theorem, {**AXES, **TOP}) == (2, 2)
    assert sides(theorem, {**AXES, **SECOND}) == (1, 2)


def test_the_gap_theorem_is_attained():
    """The frame across has distance √2 from the best, and loses the gap: nothing is given away."""
    left, right = sides(pc.gap_theorem(), {**AXES, **SECOND, gap: 1})
    assert left == right == 1


def test_without_a_gap_another_frame_may_be_as_good():
    theorem, equal = pc.gap_theorem(), {**AXES, S: [[2, 0], [0, 2]], lam: [2, 2], **SECOND}
    with pytest.raises(Vacuous):
        tell(theorem, list(theorem.given), {**equal, gap: 1}, "<=", largest - kept)
    assert sides(theorem, {**equal, gap: 0})[1] == 0


def test_a_stationary_direction_with_a_factor_zero_is_anything():
    """At μ = 0 every column is stationary: the notes divide by μ without saying so."""
    theorem = pc.stationary()
    positive = [str(h) for h in theorem.given].index("μ > 0")
    assert isinstance(without(theorem, pc.TWO, positive), ProofError)
    still = [Eq(trace(v.T * v), 1), Eq(pc.grad(loss, v), zeros(n, 1))]
    with pytest.raises(WrongStep):
        (
            Derivation("zero", given=[*still, Eq(mu, 0)], witness={**pc.TWO, mu: 0})
            .start(G * v)
            .equals(mu * v)
        )


def test_the_mean_is_the_best_offset_and_others_are_worse():
    theorem = pc.centring()
    left, right = sides(theorem, {**THREE, **TOP})
    assert left > right
    at_the_mean = sides(theorem, {**THREE, **TOP, centre: [[2], [1]]})
    assert at_the_mean[0] == at_the_mean[1]
    total = [Eq(mean, Sum(x[i], (i, 1, n))), theorem.given[1]]
    with pytest.raises(WrongStep):
        tell(
            theorem,
            total,
            {**THREE, **TOP, mean: [[6], [3]], centre: [[2], [1]]},
            ">=",
            theorem.statement.parts[1],
        )


def test_kernel_centring_agrees_with_numpy():
    features = np.array([[1.0, 2.0], [3.0, -1.0], [0.0, 5.0]])
    gram = features @ features.T
    model = {n: 3, p: 2, Phi: features.astype(int).tolist(), K: gram.astype(int).tolist()}
    left, right = sides(pc.kernel_centring(), {**model, ones: [[1], [1], [1]]})
    centred = features - features.mean(axis=0)
    assert np.allclose(np.array(left, float), centred @ centred.T)
    assert np.allclose(np.array(right, float), centred @ centred.T)


def test_coefficients_need_eigenvalues_that_are_not_zero():
    assert isinstance(without(pc.kernel_coefficients(), pc.ONE_COMPONENT, 1), ProofError)


def test_the_square_of_a_projection_needs_a_frame():
    theorem = pc.bessel()
    assert needed(theorem, {**pc.TURNED, d: 2, pc.column: [[1], [2]]}, 0)
    with pytest.raises(WrongStep):
        tell(
            theorem,
            [Eq(W.T * W, 2 * identity(k))],
            {d: 2, k: 2, W: [[1, 1], [1, -1]], pc.column: [[1], [0]]},
            "<=",
            trace(pc.column.T * pc.column),
        )
