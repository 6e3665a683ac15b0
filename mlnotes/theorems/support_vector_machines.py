"""The dual of the support vector machine, hard and soft, for any number of points in any dimension.

The hard margin minimises ½‖w‖² under y_i(⟨w, x_i⟩ + b) ≥ 1; the soft one pays C ξ_i for a margin
of 1 − ξ_i. Stationarity of the Lagrangian removes w, b and ξ; complementary slackness says where
each point lies. Every implication goes one way only: a point on the margin may have α_i = 0.
"""

from __future__ import annotations

from typing import Any

from mlnotes.proof import (
    Derivation,
    Eq,
    Ge,
    Gt,
    KroneckerDelta,
    Lambda,
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
    quantity,
    real_family,
    reals,
    sqrt,
    substitute,
    termwise,
    using,
    vector_family,
    vectors,
)
from mlnotes.theorems import proves
from mlnotes.theorems.perceptron import cauchy_schwarz
from mlnotes.theorems.perceptron import u as first
from mlnotes.theorems.perceptron import v as second

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
HARD = quantity("L", w, b, is_=lagrangian(norm2(w) / 2, [MARGINS], [alpha]))()
SOFT = quantity(
    "L_C",
    w,
    b,
    xi,
    is_=lagrangian(norm2(w) / 2 + C * Sum(xi[i], (i, 1, n)), [SLACK_MARGINS, SLACKS], [alpha, mu]),
)()

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


def _in_w(title: str, cost: Any, reason: str) -> Theorem:
    """Derive the gradient of a Lagrangian in $w$, with the remainder that makes it convex."""
    return (
        Derivation(title)
        .start(at(cost, {w: w + h}) - cost)
        .equals(
            dot(grad(cost, w), h) + norm2(h) / 2,
            because=r"the gradient in $w$ along $h$, and a remainder of second order",
        )
        .equals(dot(w - SPAN, h) + norm2(h) / 2, because=reason)
        .qed()
    )


def _in_b(title: str, cost: Any) -> Theorem:
    r"""Derive that a Lagrangian is affine in $b$ with slope $-\sum_i\alpha_iy_i$."""
    return (
        Derivation(title)
        .start(at(cost, {b: b + t}) - cost)
        .equals(t * grad(cost, b), because="affine in $b$, so there is no remainder")
        .equals(
            -t * Sum(alpha[i] * y[i], (i, 1, n)),
            because=r"bounded below in $t$ only if $\sum_i\alpha_iy_i=0$",
        )
        .qed()
    )


@proves("lem-svm-stationary-w")
def stationary_in_w() -> Theorem:
    r"""Derive the gradient of the Lagrangian in $w$, with the remainder that makes it convex."""
    return _in_w(
        "the Lagrangian in w",
        HARD,
        r"the gradient is $w-\sum_i\alpha_iy_ix_i$: zero for $w=\sum_i\alpha_iy_ix_i$",
    )


@proves("lem-svm-stationary-b")
def stationary_in_b() -> Theorem:
    r"""Derive that the Lagrangian is affine in $b$ with slope $-\sum_i\alpha_iy_i$."""
    return _in_b("the Lagrangian in b", HARD)


@proves("lem-svm-soft-stationary-w")
def soft_stationary_in_w() -> Theorem:
    r"""Derive the gradient in $w$ of the soft margin's Lagrangian."""
    return _in_w(
        "the soft Lagrangian in w",
        SOFT,
        r"the slacks do not meet $w$: the gradient is as for the hard margin",
    )


@proves("lem-svm-soft-stationary-b")
def soft_stationary_in_b() -> Theorem:
    r"""Derive that the soft margin's Lagrangian has the same slope in $b$."""
    return _in_b("the soft Lagrangian in b", SOFT)


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
        .equals(
            1,
            because=r"$\mu_k=C>0$, so $\mu_k\xi_k=0$ leaves $\xi_k=0$",
            by=using(Eq(mu[k], C), Gt(mu[k], 0), Eq(xi[k], 0)),
        )
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


def _idle() -> Theorem:
    """Derive that a factor vanishes if the product does and the other factor is positive."""
    return (
        Derivation("an idle factor", given=[Gt(f, 0), Eq(s * f, 0)], witness={s: 0, f: 1})
        .start(s)
        .equals(0, because="divide by the other factor", by=using(Eq(s, 0)))
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
            by=apply(_idle(), {s: alpha[k], f: MARGIN - 1 + xi[k]}),
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


@proves("lem-svm-slack-paid")
def slack_paid() -> Theorem:
    r"""Derive that no slack costs more than the hinge loss would."""
    return (
        Derivation("what is paid for slack", given=KKT, witness=INSIDE)
        .start(C * xi[k])
        .equals(
            alpha[k] * (1 - MARGIN),
            because=r"$C=\alpha_k+\mu_k$, and both products vanish",
        )
        .at_most(alpha[k] * Max(0, 1 - MARGIN), because=r"$\alpha_k\ge 0$")
        .at_most(
            C * Max(0, 1 - MARGIN),
            because=r"$\alpha_k=C-\mu_k\le C$",
            by=using(Le(alpha[k], C), Ge(Max(0, 1 - MARGIN), 0)),
        )
        .qed()
    )


def _squeezed() -> Theorem:
    """Derive that a number is another if it is at least that and costs at most as much."""
    return (
        Derivation(
            "at least and at most",
            given=[Gt(C, 0), Le(C * s, C * f), Ge(s, f)],
            witness={C: 1, s: 2, f: 2},
        )
        .start(s)
        .equals(f, because="divide by the price")
        .qed()
    )


@proves("lem-svm-slack-is-hinge")
def slack_is_hinge() -> Theorem:
    r"""Derive that the slack is the hinge loss, $\xi_k=\max(0,1-y_kf(x_k))$."""
    hinge = Max(0, 1 - MARGIN)
    return (
        Derivation("the slack is the hinge loss", given=KKT, witness=INSIDE)
        .start(xi[k])
        .equals(
            hinge,
            because="no feasible slack is smaller, and none that is larger is paid for",
            by=using(
                apply(slack_paid()),
                apply(least_slack(), {s: xi[k], f: MARGIN}),
                apply(_squeezed(), {s: xi[k], f: hinge}),
            ),
        )
        .qed()
    )


# Two optimal planes of the soft margin, and a competitor at another price of slack.
u, v, point, foot = vectors("u v x z")
c, label = reals("c y")
gamma = reals("gamma", positive=True)
shift = reals("t")
eta = real_family("eta")


@proves("lem-svm-canonical")
def canonical() -> Theorem:
    r"""Derive that dividing by the margin makes it 1."""
    return (
        Derivation(
            "the canonical form",
            given=[Ge(label * (dot(u, point) + c), gamma)],
            witness={label: 1, u: [2, 0], point: [3, 0], c: 0, gamma: 6},
        )
        .start(label * (dot(u / gamma, point) + c / gamma))
        .equals(label * (dot(u, point) + c) / gamma, because="the margin is homogeneous")
        .at_least(1, because=r"it is at least $\gamma>0$")
        .qed()
    )


@proves("lem-svm-distance")
def distance() -> Theorem:
    r"""Derive that no point of the plane is nearer than $|f(x)|/\lVert w\rVert$."""
    return (
        Derivation(
            "the distance to a plane",
            given=[Eq(dot(u, foot) + c, 0)],
            witness={u: [3, 4], foot: [0, 0], c: 0},
        )
        .start((dot(u, point) + c) ** 2)
        .equals(dot(u, point - foot) ** 2, because=r"$c=-\langle u,z\rangle$ on the plane")
        .at_most(
            norm2(u) * norm2(point - foot),
            because="Cauchy–Schwarz, squared",
            by=using(apply(cauchy_schwarz(), {first: u, second: point - foot})),
        )
        .qed()
    )


@proves("lem-svm-foot")
def foot_of_the_perpendicular() -> Theorem:
    r"""Derive that the bound on the distance is attained, at the foot of the perpendicular."""
    nearest = point - (dot(u, point) + c) / norm2(u) * u
    return (
        Derivation("the foot", given=[Gt(norm2(u), 0)], witness={u: [3, 4]})
        .start(dot(u, nearest) + c)
        .equals(
            dot(u, point) - (dot(u, point) + c) * norm2(u) / norm2(u) + c,
            because="the inner product is linear",
        )
        .equals(0, because="the foot is on the plane")
        .qed()
    )


@proves("lem-svm-nearby")
def nearby() -> Theorem:
    r"""Derive that a plane with margin $\gamma$ still separates when its offset moves by less."""
    return (
        Derivation(
            "room for more planes",
            given=[
                Eq(label**2, 1),
                Ge(label * (dot(u, point) + c), gamma),
                Gt(shift, -gamma),
                Lt(shift, gamma),
            ],
            witness={label: -1, u: [1, 0], point: [-2, 0], c: 0, gamma: 2, shift: 1},
        )
        .start(label * (dot(u, point) + (c + shift)))
        .equals(label * (dot(u, point) + c) + label * shift, because="sort the terms")
        .at_least(gamma + label * shift, because=r"the margin is at least $\gamma$")
        .greater_than(
            0,
            because=r"$yt>-\gamma$, since $y$ is $1$ or $-1$",
            by=cases(Eq(label, 1), Eq(label, -1)),
        )
        .qed()
    )


@proves("lem-svm-translation")
def translation() -> Theorem:
    r"""Derive that moving points and plane together changes no margin."""
    return (
        Derivation("a moved plane")
        .start(label * (dot(u, point + v) + (c - dot(u, v))))
        .equals(label * (dot(u, point) + c), because=r"the offset takes up $\langle u,v\rangle$")
        .qed()
    )


value = reals("p")
b_u, b_v = reals("b_u b_v")
FEASIBLE_U = for_each(i, 1, n, Ge(y[i] * (dot(u, x[i]) + b_u), 1 - xi[i]))
FEASIBLE_V = for_each(i, 1, n, Ge(y[i] * (dot(v, x[i]) + b_v), 1 - eta[i]))
PAIR = {
    n: 2,
    x: [[1], [-1]],
    y: [1, -1],
    u: [half],
    v: [half],
    b_u: 0,
    b_v: half,
    xi: [half, half],
    eta: [0, 1],
    C: Rational(1, 4),
    value: Rational(3, 8),
}


@proves("lem-svm-average-feasible")
def average_feasible() -> Theorem:
    r"""Derive that the mean of two feasible planes is feasible, with the mean of their slacks."""
    return (
        Derivation(
            "the mean of two planes",
            given=[*HERE, FEASIBLE_U, FEASIBLE_V],
            witness={**PAIR, k: 1},
        )
        .start(y[k] * (dot((u + v) / 2, x[k]) + (b_u + b_v) / 2))
        .equals(
            (y[k] * (dot(u, x[k]) + b_u) + y[k] * (dot(v, x[k]) + b_v)) / 2,
            because="margins are affine in the plane",
        )
        .at_least(1 - (xi[k] + eta[k]) / 2, because="the mean of two inequalities")
        .qed()
    )


@proves("thm-svm-unique-weights")
def unique_weights() -> Theorem:
    r"""Derive that two optimal planes have the same weights."""
    paid_u, paid_v = C * Sum(xi[i], (i, 1, n)), C * Sum(eta[i], (i, 1, n))
    mean = C * Sum((xi[i] + eta[i]) / 2, (i, 1, n))
    return (
        Derivation(
            "the weights are unique",
            given=[
                Eq(norm2(u) / 2 + paid_u, value),
                Eq(norm2(v) / 2 + paid_v, value),
                Ge(norm2((u + v) / 2) / 2 + mean, value),
            ],
            witness=PAIR,
        )
        .start(norm2(u - v))
        .equals(
            2 * norm2(u) + 2 * norm2(v) - 4 * norm2((u + v) / 2), because="the parallelogram law"
        )
        .equals(
            8 * (value - (norm2((u + v) / 2) / 2 + mean)),
            because="both planes cost $p$, and slacks are averaged",
        )
        .at_most(0, because="their mean, being feasible, does not cost less")
        .hence(Eq(u, v), because="only zero has no length")
        .qed()
    )


# A second feasible plane with the same weights and the offset c.
q = real_family("q")
SECOND = y[k] * (dot(w, x[k]) + c)
SAME_WEIGHTS = [
    *HERE,
    IN_B,
    COMPLEMENTARY,
    POSITIVE,
    for_each(i, 1, n, Ge(y[i] * (dot(w, x[i]) + c), 1)),
]


def _one_term() -> Theorem:
    """Derive that no term of a sum exceeds it if none is negative."""
    return (
        Derivation(
            "one term of a sum",
            given=[*HERE, for_each(i, 1, n, Ge(q[i], 0))],
            witness={n: 2, k: 1, q: [1, 0]},
        )
        .start(q[k])
        .equals(Sum(KroneckerDelta(i, k) * q[i], (i, 1, n)), because="all others times zero")
        .at_most(Sum(q[i], (i, 1, n)), because="none is negative", by=termwise(i))
        .qed()
    )


@proves("lem-svm-second-offset")
def second_offset() -> Theorem:
    r"""Derive that a second offset leaves no room where a multiplier is positive."""
    room = alpha[i] * (y[i] * (dot(w, x[i]) + c) - 1)
    return (
        Derivation("a second offset", given=SAME_WEIGHTS, witness={**SOLUTION, c: 0, k: 1})
        .start(alpha[k] * (SECOND - 1))
        .at_most(
            Sum(room, (i, 1, n)),
            because="no term of this sum is negative",
            by=apply(_one_term(), {q: Lambda(i, room)}),
        )
        .equals(
            Sum(alpha[i] * (y[i] * (dot(w, x[i]) + b) - 1), (i, 1, n))
            + (c - b) * Sum(alpha[i] * y[i], (i, 1, n)),
            because="from one offset to the other",
        )
        .equals(0, because=r"complementary slackness, and $\sum_i\alpha_iy_i=0$")
        .qed()
    )


@proves("thm-svm-unique-offset")
def unique_offset() -> Theorem:
    r"""Derive that the offset of the hard margin is unique, once some multiplier is positive."""
    return (
        Derivation(
            "the offset is unique",
            given=[*SAME_WEIGHTS, Gt(alpha[k], 0), Eq(y[k] ** 2, 1)],
            witness={**SOLUTION, c: 0, k: 1},
        )
        .start(c)
        .equals(y[k] * SECOND - dot(w, x[k]), because="$y_k^2=1$")
        .equals(
            y[k] - dot(w, x[k]),
            because="the second plane touches this point too",
            by=using(apply(second_offset()), apply(_squeezed(), {C: alpha[k], s: SECOND, f: 1})),
        )
        .equals(
            y[k] * MARGIN - dot(w, x[k]),
            because="and so does the first",
            by=using(apply(hard_kkt())),
        )
        .equals(b, because="$y_k^2=1$")
        .qed()
    )


z, z1, z2 = reals("z z_1 z_2")
share = reals("t")


@proves("lem-svm-least-slack")
def least_slack() -> Theorem:
    r"""Derive that no feasible slack is below the hinge loss."""
    return (
        Derivation("the least slack", given=[Ge(s, 0), Ge(f, 1 - s)], witness={s: 1, f: half})
        .start(s)
        .at_least(Max(0, 1 - f), because=r"$s\ge 0$ and $s\ge 1-f$")
        .qed()
    )


@proves("lem-svm-slack-none")
def slack_none() -> Theorem:
    r"""Derive that a point on or beyond its margin needs no slack."""
    return (
        Derivation("on or beyond the margin", given=[Ge(z, 1)], witness={z: 2})
        .start(Max(0, 1 - z))
        .equals(0, because=r"$1-z\le 0$")
        .qed()
    )


@proves("lem-svm-slack-violation")
def slack_violation() -> Theorem:
    r"""Derive that inside the margin the least slack is the violation itself."""
    return (
        Derivation("inside the margin", given=[Lt(z, 1)], witness={z: half})
        .start(Max(0, 1 - z))
        .equals(1 - z, because=r"$1-z>0$")
        .qed()
    )


@proves("lem-svm-hinge-dominates")
def hinge_dominates() -> Theorem:
    r"""Derive that the hinge loss is at least one on every error."""
    return (
        Derivation("the hinge on an error", given=[Le(z, 0)], witness={z: -1})
        .start(Max(0, 1 - z))
        .at_least(1 - z, because="the larger of the two")
        .at_least(1, because=r"$z\le 0$")
        .qed()
    )


@proves("lem-svm-hinge-convex")
def hinge_convex() -> Theorem:
    r"""Derive that the hinge loss lies below its chords."""
    between = share * z1 + (1 - share) * z2
    return (
        Derivation(
            "the hinge is convex",
            given=[Ge(share, 0), Le(share, 1)],
            witness={share: half, z1: 0, z2: 2},
        )
        .start(Max(0, 1 - between))
        .at_most(
            share * Max(0, 1 - z1) + (1 - share) * Max(0, 1 - z2),
            because="both $0$ and $1-z$ are affine, and each is at most the larger",
        )
        .qed()
    )


@proves("lem-svm-subgradient")
def hinge_subgradient() -> Theorem:
    r"""Derive that $-yx$ is a subgradient of the hinge loss wherever the margin is below 1."""
    return (
        Derivation(
            "a slope of the hinge",
            given=[Lt(label * dot(u, point), 1)],
            witness={label: 1, u: [0], point: [1]},
        )
        .start(Max(0, 1 - label * dot(v, point)))
        .at_least(1 - label * dot(v, point), because="the larger of the two")
        .equals(
            Max(0, 1 - label * dot(u, point)) + dot(-label * point, v - u),
            because=r"at $u$ the larger of the two is $1-y\langle u,x\rangle$",
        )
        .qed()
    )


visits = reals("t")
total, added = vectors("s g")


@proves("lem-svm-visit")
def one_visit() -> Theorem:
    r"""Derive that a visit keeps the weights a multiple of the sum of what was added."""
    rate = C / visits
    return (
        Derivation(
            "one visit",
            given=[Gt(visits, 1), Eq(w, C / (visits - 1) * total)],
            witness={visits: 2, C: 3, total: [1, 0], w: [3, 0]},
        )
        .start(w - w / visits + rate * added)
        .equals(
            (1 - 1 / visits) * (C / (visits - 1)) * total + rate * added,
            because="what the weights were",
        )
        .equals(rate * (total + added), because=r"$(1-\frac1t)\frac1{t-1}=\frac1t$")
        .qed()
    )


# At the price C₁ the optimum has ½‖w‖² = a_1 and total slack s_1; at C₂ they are a_2 and s_2.
a1, a2, s1, s2, C1, C2 = reals("a_1 a_2 s_1 s_2 C_1 C_2")
PRICES = [
    Ge(C1, 0),
    Lt(C1, C2),
    Le(a1 + C1 * s1, a2 + C1 * s2),
    Le(a2 + C2 * s2, a1 + C2 * s1),
]
DEARER = {C1: 1, C2: 2, a1: 0, s1: 2, a2: 1, s2: 1}


@proves("thm-svm-slack-falls")
def slack_falls() -> Theorem:
    r"""Derive that total slack does not grow with its price."""
    return (
        Derivation("slack falls with its price", given=PRICES, witness=DEARER)
        .start(s2)
        .at_most(s1, because=r"add the two comparisons and divide by $C_2-C_1>0$")
        .qed()
    )


@proves("thm-svm-norm-grows")
def norm_grows() -> Theorem:
    r"""Derive that the norm of the weights does not fall with the price of slack."""
    return (
        Derivation("the norm grows with the price", given=PRICES, witness=DEARER)
        .start(a1)
        .at_most(a2 + C1 * (s2 - s1), because=r"optimality at $C_1$")
        .at_most(
            a2,
            because="total slack did not grow",
            by=using(apply(slack_falls())),
        )
        .qed()
    )


@proves("thm-svm-soft-strong-duality")
def soft_zero_gap() -> Theorem:
    r"""Derive that the KKT conditions close the gap of the soft margin."""
    slack = for_each(i, 1, n, Eq(alpha[i] * (y[i] * (dot(w, x[i]) + b) - 1 + xi[i]), 0))
    paid = for_each(i, 1, n, Eq(mu[i] * xi[i], 0))
    return (
        Derivation(
            "zero gap of the soft margin",
            given=[IN_W, IN_B, IN_XI, slack, paid],
            witness=SOLUTION,
        )
        .start(DUAL)
        .equals(
            SOFT,
            because="the dual value is the Lagrangian at the stationary point",
            by=apply(soft_dual()),
        )
        .equals(
            norm2(w) / 2
            + C * Sum(xi[i], (i, 1, n))
            - Sum(alpha[i] * (y[i] * (dot(w, x[i]) + b) - 1 + xi[i]), (i, 1, n))
            - Sum(mu[i] * xi[i], (i, 1, n)),
            because="collect the terms of each constraint",
        )
        .equals(
            norm2(w) / 2 + C * Sum(xi[i], (i, 1, n)),
            because="complementary slackness: every term of the two sums is zero",
        )
        .qed()
    )


@proves("thm-svm-large-price")
def large_price() -> Theorem:
    r"""Derive that the hard margin is optimal for the soft one once $C\ge\max_i\alpha_i$."""
    return (
        Derivation(
            "a price that nobody pays",
            given=[
                IN_W,
                IN_B,
                COMPLEMENTARY,
                POSITIVE,
                for_each(i, 1, n, Le(alpha[i], C)),
                for_each(i, 1, n, Ge(y[i] * (dot(u, x[i]) + c), 1 - xi[i])),
                SLACKS,
            ],
            witness={**SOLUTION, u: [half, 1], c: 0, xi: [1, 1, 0]},
        )
        .start(norm2(w) / 2)
        .equals(DUAL, because="the hard margin has no gap", by=apply(hard_zero_gap()))
        .at_most(
            norm2(u) / 2 + C * Sum(xi[i], (i, 1, n)),
            because=r"weak duality of the soft margin, since $0\le\alpha_i\le C$",
            by=apply(soft_weak_duality(), {w: u, b: c}),
        )
        .qed()
    )


# Two multipliers, k and l, moved against each other by a step; a_i are the new ones.
ell = indices("l")
new = real_family("a")
BOTH = [Ge(k, 1), Le(k, n), Ge(ell, 1), Le(ell, n)]
LABELS = for_each(i, 1, n, Eq(y[i] ** 2, 1))


CHANGE = KroneckerDelta(i, k) - KroneckerDelta(i, ell)
MOVED = [*BOTH, LABELS, for_each(i, 1, n, Eq(new[i], alpha[i] + t * y[i] * CHANGE))]
SWAPPED = {**SOLUTION, k: 1, ell: 2, t: half, new: [1, 1, 0]}


def _moved_sum() -> Theorem:
    """Derive by how much the sum of the multipliers changes."""
    return (
        Derivation("the sum of the moved multipliers", given=MOVED, witness=SWAPPED)
        .start(at(TOTAL, {alpha: new}))
        .equals(
            Sum(alpha[i] + t * y[i] * CHANGE, (i, 1, n)),
            because="the new multipliers",
            by=termwise(i),
        )
        .equals(TOTAL + t * (y[k] - y[ell]), because="only two of them are moved")
        .qed()
    )


def _moved_span() -> Theorem:
    """Derive by how much the combination of the points moves."""
    return (
        Derivation("the combination of the points", given=MOVED, witness=SWAPPED)
        .start(at(SPAN, {alpha: new}))
        .equals(
            Sum((alpha[i] * y[i] + t * CHANGE) * x[i], (i, 1, n)),
            because="the new multipliers, and $y_i^2=1$",
            by=termwise(i),
        )
        .equals(SPAN + t * (x[k] - x[ell]), because="only two of them are moved")
        .qed()
    )


@proves("lem-svm-pair")
def moved_pair() -> Theorem:
    r"""Derive how the dual changes when two multipliers are moved against each other."""
    return (
        Derivation("two multipliers, moved", given=MOVED, witness=SWAPPED)
        .start(at(TOTAL - norm2(SPAN) / 2, {alpha: new}) - TOTAL + norm2(SPAN) / 2)
        .equals(
            t * (y[k] - y[ell]) - norm2(SPAN + t * (x[k] - x[ell])) / 2 + norm2(SPAN) / 2,
            because=r"$y_i^2=1$: the combination of the points moves by $t(x_k-x_l)$",
            by=using(apply(_moved_sum()), apply(_moved_span())),
        )
        .equals(
            t * ((y[k] - dot(SPAN, x[k])) - (y[ell] - dot(SPAN, x[ell])))
            - t**2 * norm2(x[k] - x[ell]) / 2,
            because="expand the square",
        )
        .qed()
    )


d, step = reals("d t")
curvature = reals("eta", positive=True)


@proves("lem-svm-two-multipliers")
def two_multipliers() -> Theorem:
    r"""Derive the best move of two multipliers against each other."""
    return (
        Derivation("two multipliers")
        .start(step * d - step**2 * curvature / 2)
        .equals(
            d**2 / (2 * curvature) - curvature / 2 * (step - d / curvature) ** 2,
            because="complete the square",
        )
        .at_most(d**2 / (2 * curvature), because=r"with equality at $t=d/\eta$")
        .qed()
    )


@proves("lem-svm-quadratic-kernel")
def quadratic_kernel() -> Theorem:
    r"""Derive the features of the quadratic kernel in the plane."""
    p1, p2, q1, q2 = reals("p_1 p_2 q_1 q_2")
    return (
        Derivation("six features in one product")
        .start((p1 * q1 + p2 * q2 + 1) ** 2)
        .equals(
            1
            + (sqrt(2) * p1) * (sqrt(2) * q1)
            + (sqrt(2) * p2) * (sqrt(2) * q2)
            + p1**2 * q1**2
            + p2**2 * q2**2
            + (sqrt(2) * p1 * p2) * (sqrt(2) * q1 * q2),
            because=r"the features are $1,\sqrt2p_1,\sqrt2p_2,p_1^2,p_2^2,\sqrt2p_1p_2$",
        )
        .qed()
    )
