"""The dual of the support vector machine, hard and soft, for any number of points in any dimension.

The hard margin minimises ½‖w‖² under y_i(⟨w, x_i⟩ + b) ≥ 1; the soft one pays C ξ_i for a margin
of 1 − ξ_i. Stationarity of the Lagrangian removes w, b and ξ; complementary slackness says where
each point lies. Every implication goes one way only: a point on the margin may have α_i = 0.
"""

from __future__ import annotations

from typing import Any

from sympy import Lambda

from mlnotes.proof import (
    Derivation,
    Eq,
    Ge,
    Gt,
    KroneckerDelta,
    Le,
    Lt,
    Max,
    Rational,
    Sum,
    Theorem,
    apply,
    cases,
    dot,
    for_each,
    grad,
    indices,
    integers,
    lagrangian,
    norm2,
    real_family,
    reals,
    termwise,
    using,
    vector_family,
    vectors,
)
from mlnotes.proof.terms import substitute
from mlnotes.theorems import proves

n = integers("n", positive=True)
i, j, k = indices("i j k")
w, h = vectors("w h")
x = vector_family("x")
y, alpha, xi, mu = real_family("y alpha xi mu")
b, f, s, t, C = reals("b f s t C")
half = Rational(1, 2)

MARGINS = for_each(i, 1, n, Ge(y[i] * (dot(w, x[i]) + b), 1))
SLACK_MARGINS = for_each(i, 1, n, Ge(y[i] * (dot(w, x[i]) + b), 1 - xi[i]))
SLACKS = for_each(i, 1, n, Ge(xi[i], 0))
HARD = lagrangian(norm2(w) / 2, [MARGINS], [alpha])
SOFT = lagrangian(norm2(w) / 2 + C * Sum(xi[i], (i, 1, n)), [SLACK_MARGINS, SLACKS], [alpha, mu])

IN_B = Eq(Sum(alpha[i] * y[i], (i, 1, n)), 0)
IN_XI = for_each(i, 1, n, Eq(alpha[i] + mu[i], C))
DUAL = Sum(alpha[i], (i, 1, n)) - half * Sum(
    alpha[i] * alpha[j] * y[i] * y[j] * dot(x[i], x[j]), (i, 1, n), (j, 1, n)
)

SPAN = Sum(alpha[i] * y[i] * x[i], (i, 1, n))
TOTAL = Sum(alpha[i], (i, 1, n))
IN_W = Eq(w, SPAN)
POSITIVE = for_each(i, 1, n, Ge(alpha[i], 0))
COMPLEMENTARY = for_each(i, 1, n, Eq(alpha[i] * (y[i] * (dot(w, x[i]) + b) - 1), 0))

# The KKT conditions of the soft margin at one point k.
HERE = [Ge(k, 1), Le(k, n)]
MARGIN = y[k] * (dot(w, x[k]) + b)
KKT = [
    Gt(C, 0),
    Ge(alpha[k], 0),
    Ge(mu[k], 0),
    Ge(xi[k], 0),
    Ge(MARGIN, 1 - xi[k]),
    Eq(alpha[k] + mu[k], C),
    Eq(alpha[k] * (MARGIN - 1 + xi[k]), 0),
    Eq(mu[k] * xi[k], 0),
]
NO_SLACK = using(Gt(mu[k], 0), Eq(xi[k], 0))

# (1, 0) and (-1, 0) with labels +, - and a third point (3, 0) beyond the margin: w = (1, 0), b = 0.
SOLUTION = {
    n: 3,
    x: [[1, 0], [-1, 0], [3, 0]],
    y: [1, -1, 1],
    alpha: [half, half, 0],
    w: [1, 0],
    b: 0,
    xi: [0, 0, 0],
    mu: [half, half, 1],
    C: 1,
}


# One point too many on the wrong side: it pays slack 2 and carries the full multiplier.
INSIDE = {
    n: 3,
    x: [[1, 0], [-1, 0], [-1, 1]],
    y: [1, -1, 1],
    w: [1, 0],
    b: 0,
    xi: [0, 0, 2],
    alpha: [half, 1, 1],
    mu: [half, 0, 0],
    C: 1,
    k: 3,
}


def at(term: Any, values: dict[Any, Any]) -> Any:
    """Return a term at other values of its symbols."""
    return substitute(term, values)


@proves("lem-svm-stationary-w")
def stationary_in_w() -> Theorem:
    r"""Derive the gradient of the Lagrangian in $w$, with the remainder that makes it convex."""
    return (
        Derivation("the Lagrangian in w")
        .start(at(HARD, {w: w + h}) - HARD)
        .equals(
            dot(grad(HARD, w), h) + norm2(h) / 2,
            because=r"the gradient in $w$ along $h$, and a remainder of second order",
        )
        .equals(
            dot(w - SPAN, h) + norm2(h) / 2,
            because=r"the gradient is $w-\sum_i\alpha_iy_ix_i$: zero for $w=\sum_i\alpha_iy_ix_i$",
        )
        .qed()
    )


@proves("lem-svm-stationary-b")
def stationary_in_b() -> Theorem:
    r"""Derive that the Lagrangian is affine in $b$ with slope $-\sum_i\alpha_iy_i$."""
    return (
        Derivation("the Lagrangian in b")
        .start(at(HARD, {b: b + t}) - HARD)
        .equals(t * grad(HARD, b), because="affine in $b$, so there is no remainder")
        .equals(
            -t * Sum(alpha[i] * y[i], (i, 1, n)),
            because=r"bounded below in $t$ only if $\sum_i\alpha_iy_i=0$",
        )
        .qed()
    )


@proves("lem-svm-soft-stationary-w")
def soft_stationary_in_w() -> Theorem:
    r"""Derive the gradient in $w$ of the soft margin's Lagrangian."""
    return (
        Derivation("the soft Lagrangian in w")
        .start(at(SOFT, {w: w + h}) - SOFT)
        .equals(
            dot(grad(SOFT, w), h) + norm2(h) / 2,
            because=r"the gradient in $w$ along $h$, and a remainder of second order",
        )
        .equals(
            dot(w - SPAN, h) + norm2(h) / 2,
            because=r"the slacks do not meet $w$: the gradient is as for the hard margin",
        )
        .qed()
    )


@proves("lem-svm-soft-stationary-b")
def soft_stationary_in_b() -> Theorem:
    r"""Derive that the soft margin's Lagrangian has the same slope in $b$."""
    return (
        Derivation("the soft Lagrangian in b")
        .start(at(SOFT, {b: b + t}) - SOFT)
        .equals(t * grad(SOFT, b), because="affine in $b$, so there is no remainder")
        .equals(
            -t * Sum(alpha[i] * y[i], (i, 1, n)),
            because=r"bounded below in $t$ only if $\sum_i\alpha_iy_i=0$",
        )
        .qed()
    )


@proves("lem-svm-soft-stationary-xi")
def soft_stationary_in_xi() -> Theorem:
    r"""Derive that the Lagrangian is affine in $\xi_k$ with slope $C-\alpha_k-\mu_k$."""
    inside = [Ge(k, 1), Le(k, n)]
    moved = Lambda(i, xi[i] + t * KroneckerDelta(i, k))
    return (
        Derivation("the soft Lagrangian in a slack", given=inside, witness={k: 2, n: 3})
        .start(at(SOFT, {xi: moved}) - SOFT)
        .equals(
            t * grad(SOFT, xi[k], given=inside),
            because=r"affine in $\xi_k$, so there is no remainder",
        )
        .equals(
            t * (C - alpha[k] - mu[k]),
            because=r"$\xi_k$ costs $C$ and stands in two constraints of its own",
        )
        .qed()
    )


@proves("thm-svm-hard-dual")
def hard_dual() -> Theorem:
    r"""Derive the dual objective of the hard margin by eliminating $w$ and $b$."""
    return (
        Derivation("dual of the hard margin", given=[IN_W, IN_B], witness=SOLUTION)
        .start(HARD)
        .equals(
            norm2(w) / 2 - dot(w, SPAN) - b * Sum(alpha[i] * y[i], (i, 1, n)) + TOTAL,
            because="sort the terms of the Lagrangian",
        )
        .equals(
            norm2(w) / 2 - dot(w, SPAN) + TOTAL,
            because=r"stationarity in $b$: $\sum_i\alpha_iy_i=0$",
        )
        .equals(
            TOTAL - norm2(SPAN) / 2,
            because=r"stationarity in $w$: $w=\sum_i\alpha_iy_ix_i$",
        )
        .equals(DUAL, because="expand the squared norm of a sum")
        .qed()
    )


@proves("thm-svm-soft-dual")
def soft_dual() -> Theorem:
    r"""Derive that the soft margin has the same dual objective: $\xi$ drops out."""
    return (
        Derivation("dual of the soft margin", given=[IN_W, IN_B, IN_XI], witness=SOLUTION)
        .start(SOFT)
        .equals(
            HARD + Sum((C - alpha[i] - mu[i]) * xi[i], (i, 1, n)),
            because=r"collect what multiplies each $\xi_i$",
        )
        .equals(HARD, because=r"stationarity in $\xi$: $C-\alpha_i-\mu_i=0$")
        .equals(
            DUAL,
            because="what is left is the Lagrangian of the hard margin",
            by=apply(hard_dual()),
        )
        .qed()
    )


@proves("lem-svm-dual-box")
def dual_box() -> Theorem:
    r"""Derive $\alpha_i\le C$ from $\mu_i\ge 0$."""
    return (
        Derivation(
            "the box of the soft dual",
            given=[*HERE, IN_XI, for_each(i, 1, n, Ge(mu[i], 0))],
            witness={**SOLUTION, k: 1},
        )
        .start(alpha[k])
        .equals(C - mu[k], because=r"stationarity in $\xi_k$")
        .at_most(C, because=r"$\mu_k\ge 0$")
        .qed()
    )


@proves("lem-svm-dual-concave")
def dual_concave() -> Theorem:
    r"""Derive that the quadratic part of the dual is a squared norm, so the dual is concave."""
    return (
        Derivation("the quadratic form of the dual")
        .start(
            Sum(alpha[i] * alpha[j] * y[i] * y[j] * dot(x[i], x[j]), (i, 1, n), (j, 1, n)),
        )
        .equals(norm2(SPAN), because="the inner product is linear in both places")
        .at_least(0, because="a squared norm is nonnegative")
        .qed()
    )


@proves("thm-svm-hard-weak-duality")
def hard_weak_duality() -> Theorem:
    r"""Derive that no dual value exceeds the primal value of any separating $(w,b)$."""
    return (
        Derivation(
            "weak duality of the hard margin",
            given=[MARGINS, IN_B, POSITIVE],
            witness={**SOLUTION, w: [2, 1], b: Rational(1, 2)},
        )
        .start(DUAL)
        .equals(TOTAL - norm2(SPAN) / 2, because="the quadratic form is a squared norm")
        .at_most(
            TOTAL - norm2(SPAN) / 2 + norm2(w - SPAN) / 2,
            because="a squared norm is nonnegative",
        )
        .equals(HARD, because=r"expand the square and add $-b\sum_i\alpha_iy_i=0$")
        .at_most(
            norm2(w) / 2,
            because=r"$\alpha_i\ge 0$ and every constraint holds",
            by=termwise(i),
        )
        .qed()
    )


@proves("thm-svm-soft-weak-duality")
def soft_weak_duality() -> Theorem:
    r"""Derive that no dual value exceeds the primal value of any feasible $(w,b,\xi)$."""
    return (
        Derivation(
            "weak duality of the soft margin",
            given=[SLACK_MARGINS, SLACKS, IN_B, POSITIVE, for_each(i, 1, n, Le(alpha[i], C))],
            witness={**SOLUTION, w: [half, 1], b: 0, xi: [1, 1, 0]},
        )
        .start(DUAL)
        .equals(TOTAL - norm2(SPAN) / 2, because="the quadratic form is a squared norm")
        .at_most(
            TOTAL - norm2(SPAN) / 2 + norm2(w - SPAN) / 2,
            because="a squared norm is nonnegative",
        )
        .equals(HARD, because=r"expand the square and add $-b\sum_i\alpha_iy_i=0$")
        .at_most(
            norm2(w) / 2 + Sum(alpha[i] * xi[i], (i, 1, n)),
            because=r"$1-y_if(x_i)\le\xi_i$ and $\alpha_i\ge 0$",
            by=termwise(i),
        )
        .at_most(
            norm2(w) / 2 + Sum(C * xi[i], (i, 1, n)),
            because=r"$\alpha_i\le C$ and $\xi_i\ge 0$",
            by=termwise(i),
        )
        .equals(norm2(w) / 2 + C * Sum(xi[i], (i, 1, n)), because="the price is the same for all")
        .qed()
    )


@proves("thm-svm-hard-strong-duality")
def hard_zero_gap() -> Theorem:
    r"""Derive that the KKT conditions close the gap: primal and dual values agree."""
    return (
        Derivation(
            "zero gap of the hard margin", given=[IN_W, IN_B, COMPLEMENTARY], witness=SOLUTION
        )
        .start(DUAL)
        .equals(
            HARD,
            because="the dual value is the Lagrangian at the stationary point",
            by=apply(hard_dual()),
        )
        .equals(
            norm2(w) / 2,
            because="complementary slackness: every term of the sum is zero",
            by=termwise(i),
        )
        .qed()
    )


@proves("lem-svm-norm-is-sum")
def norm_is_sum() -> Theorem:
    r"""Derive $\lVert w\rVert^2=\sum_i\alpha_i$ at the hard-margin optimum."""
    return (
        Derivation(
            "squared norm of the optimum", given=[IN_W, IN_B, COMPLEMENTARY], witness=SOLUTION
        )
        .start(norm2(w))
        .equals(dot(w, SPAN), because=r"$w=\sum_i\alpha_iy_ix_i$ in one of the two places")
        .equals(
            Sum(alpha[i] * y[i] * (dot(w, x[i]) + b), (i, 1, n)),
            because=r"linearity, and $b\sum_i\alpha_iy_i=0$",
        )
        .equals(TOTAL, because=r"complementary slackness: $\alpha_iy_if(x_i)=\alpha_i$")
        .qed()
    )


@proves("lem-svm-hard-kkt")
def hard_kkt() -> Theorem:
    r"""Derive that $\alpha_k>0$ puts a point on the margin (not the other way round)."""
    return (
        Derivation(
            "a positive multiplier, hard margin",
            given=[*HERE, COMPLEMENTARY, Gt(alpha[k], 0)],
            witness={**SOLUTION, k: 1},
        )
        .start(MARGIN)
        .equals(
            1,
            because=r"divide $\alpha_k(y_kf(x_k)-1)=0$ by $\alpha_k>0$",
            by=using(Eq(alpha[k] * (MARGIN - 1), 0)),
        )
        .qed()
    )


@proves("lem-svm-kkt-zero")
def kkt_zero() -> Theorem:
    r"""Derive that $\alpha_k=0$ puts a point on or beyond the margin."""
    return (
        Derivation("no multiplier", given=[*KKT, Eq(alpha[k], 0)], witness={**SOLUTION, k: 3})
        .start(MARGIN)
        .at_least(1 - xi[k], because="the constraint")
        .equals(1, because=r"$\mu_k=C>0$, so $\mu_k\xi_k=0$ leaves $\xi_k=0$", by=NO_SLACK)
        .qed()
    )


@proves("lem-svm-kkt-between")
def kkt_between() -> Theorem:
    r"""Derive that $0<\alpha_k<C$ puts a point on the margin."""
    return (
        Derivation(
            "a multiplier inside the box",
            given=[*KKT, Gt(alpha[k], 0), Lt(alpha[k], C)],
            witness={**SOLUTION, k: 1},
        )
        .start(MARGIN)
        .equals(1 - xi[k], because=r"divide $\alpha_k(y_kf(x_k)-1+\xi_k)=0$ by $\alpha_k>0$")
        .equals(1, because=r"$\mu_k=C-\alpha_k>0$, so $\xi_k=0$", by=NO_SLACK)
        .qed()
    )


@proves("lem-svm-kkt-full")
def kkt_full() -> Theorem:
    r"""Derive that $\alpha_k=C$ puts a point on the margin or on its wrong side."""
    return (
        Derivation(
            "a full multiplier",
            given=[*KKT, Eq(alpha[k], C)],
            witness={
                **SOLUTION,
                C: half,
                mu: [0, 0, half],
                k: 1,
            },
        )
        .start(MARGIN)
        .equals(1 - xi[k], because=r"divide $\alpha_k(y_kf(x_k)-1+\xi_k)=0$ by $\alpha_k=C>0$")
        .at_most(1, because=r"$\xi_k\ge 0$")
        .qed()
    )


@proves("lem-svm-kkt-beyond")
def kkt_beyond() -> Theorem:
    r"""Derive that a point beyond the margin has no multiplier."""
    return (
        Derivation("beyond the margin", given=[*KKT, Gt(MARGIN, 1)], witness={**SOLUTION, k: 3})
        .start(alpha[k])
        .equals(
            0,
            because=r"$y_kf(x_k)-1+\xi_k>0$, and its product with $\alpha_k$ is zero",
            by=cases(Gt(alpha[k], 0), Le(alpha[k], 0)),
        )
        .qed()
    )


@proves("lem-svm-kkt-inside")
def kkt_inside() -> Theorem:
    r"""Derive that a point inside the margin has a full multiplier."""
    return (
        Derivation("inside the margin", given=[*KKT, Lt(MARGIN, 1)], witness=INSIDE)
        .start(alpha[k])
        .equals(C - mu[k], because=r"stationarity in $\xi_k$")
        .equals(
            C,
            because=r"$\xi_k\ge 1-y_kf(x_k)>0$, so $\mu_k\xi_k=0$ leaves $\mu_k=0$",
            by=using(Gt(xi[k], 0), Eq(mu[k], 0)),
        )
        .qed()
    )


@proves("lem-svm-tight-slack")
def tight_slack() -> Theorem:
    r"""Derive that a slack which just fills the gap to the margin is the hinge loss."""
    return (
        Derivation("a tight slack", given=[Ge(s, 0), Eq(f - 1 + s, 0)], witness={s: 2, f: -1})
        .start(s)
        .equals(1 - f, because="the margin constraint is tight")
        .equals(Max(0, 1 - f), because="it is not negative")
        .qed()
    )


@proves("lem-svm-no-slack")
def no_slack() -> Theorem:
    r"""Derive that no slack is the hinge loss where the margin is met without it."""
    return (
        Derivation("no slack", given=[Eq(s, 0), Ge(f, 1 - s)], witness={s: 0, f: 3})
        .start(s)
        .equals(0, because="no slack")
        .equals(Max(0, 1 - f), because=r"$1-f\le s=0$")
        .qed()
    )


@proves("lem-svm-slack-is-hinge")
def slack_is_hinge() -> Theorem:
    r"""Derive that the slack is the hinge loss, $\xi_k=\max(0,1-y_kf(x_k))$."""
    return (
        Derivation("the slack is the hinge loss", given=KKT, witness=INSIDE)
        .start(xi[k])
        .equals(
            Max(0, 1 - MARGIN),
            because=r"$\xi_k$ is at least both, and one of its two constraints is tight",
            by=cases(
                (Gt(alpha[k], 0), apply(tight_slack(), {s: xi[k], f: MARGIN})),
                (Le(alpha[k], 0), apply(no_slack(), {s: xi[k], f: MARGIN})),
            ),
        )
        .qed()
    )
