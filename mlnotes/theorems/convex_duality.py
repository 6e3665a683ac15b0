"""Convexity and what it buys: operations that keep it, weak duality, and the KKT conditions.

Functions of one real variable stand for functions of many: convexity is a statement about the
segment between two points, and along it any function is one of a real variable. Where a gradient is
needed, points are vectors of any dimension and functions are given by their values.
"""

from __future__ import annotations

from typing import Any

from mlnotes.proof import (
    Derivation,
    Eq,
    Ge,
    Gt,
    Lambda,
    Le,
    Lt,
    Max,
    Ne,
    Rational,
    Sum,
    Theorem,
    apply,
    derivative,
    dot,
    exp,
    for_each,
    function,
    impossible,
    indices,
    integers,
    log,
    monotone,
    norm,
    norm2,
    real_family,
    reals,
    second_order,
    termwise,
    using,
    vector_family,
    vectors,
)
from mlnotes.theorems import proves
from mlnotes.theorems.perceptron import cauchy_schwarz
from mlnotes.theorems.perceptron import u as u_
from mlnotes.theorems.perceptron import v as v_

t, p, q, s, c, e = reals("t p q s c e")
x, z, a = vectors("x z a")
n, m, r, K = integers("n m r K", positive=True)
i, j, k = indices("i j k")
half = Rational(1, 2)

f = function("f", convex=True)
g = function("g", convex=True)
rising = function("g_+", convex=True, increasing=True)
falling = function("g_-", convex=True, decreasing=True)
concave = function("h", concave=True)
curved = function("varphi", nonnegative_curvature=True)
bent = function("varphi", positive_curvature=True)

SHARE = [Ge(t, 0), Le(t, 1)]
BETWEEN = t * p + (1 - t) * q
THIRD = {t: Rational(1, 3), p: 0, q: 3, s: 2}
SQUARE = {t: Rational(1, 3), p: 0, q: 3, f: lambda s: s * s}


@proves("lem-squared-norm-convex")
def squared_norm_convex() -> Theorem:
    r"""Derive that $\lVert\cdot\rVert^2$ lies below its chords, and by how much."""
    return (
        Derivation(
            "the squared norm is convex", given=SHARE, witness={t: half, x: [1, 0], z: [0, 1]}
        )
        .start(norm2(t * x + (1 - t) * z))
        .equals(
            t * norm2(x) + (1 - t) * norm2(z) - t * (1 - t) * norm2(x - z),
            because="expand both sides",
        )
        .at_most(t * norm2(x) + (1 - t) * norm2(z), because=r"$t(1-t)\ge 0$")
        .qed()
    )


@proves("lem-open-ball-convex")
def open_ball_convex() -> Theorem:
    r"""Derive that the open unit ball contains the segment between any two of its points."""
    return (
        Derivation(
            "the open unit ball is convex",
            given=[*SHARE, Lt(norm2(x), 1), Lt(norm2(z), 1)],
            witness={t: half, x: [half, 0], z: [0, half]},
        )
        .start(norm2(t * x + (1 - t) * z))
        .at_most(
            t * norm2(x) + (1 - t) * norm2(z),
            because="the squared norm is convex",
            by=apply(squared_norm_convex()),
        )
        .less_than(1, because="a mean of two numbers below one")
        .qed()
    )


@proves("lem-half-space-convex")
def half_space_convex() -> Theorem:
    r"""Derive that a half-space contains the segment between any two of its points."""
    return (
        Derivation(
            "a half-space is convex",
            given=[*SHARE, Le(dot(a, x), c), Le(dot(a, z), c)],
            witness={t: half, a: [1, 0], x: [1, 0], z: [0, 1], c: 1},
        )
        .start(dot(a, t * x + (1 - t) * z))
        .equals(t * dot(a, x) + (1 - t) * dot(a, z), because="the inner product is linear")
        .at_most(c, because=r"a mean of two numbers that are at most $c$")
        .qed()
    )


@proves("lem-affine-segment")
def affine_segment() -> Theorem:
    r"""Derive that an affine function takes the point between to the value between."""
    return (
        Derivation("an affine function on a segment")
        .start(dot(a, t * x + (1 - t) * z) + e)
        .equals(
            t * (dot(a, x) + e) + (1 - t) * (dot(a, z) + e),
            because="linear in the point, and the shares of $e$ add up to one",
        )
        .qed()
    )


@proves("lem-norm-convex")
def norm_convex() -> Theorem:
    r"""Derive the triangle inequality, from which every chord of a norm lies above it."""
    return (
        Derivation("triangle inequality, squared")
        .start(norm2(x + z))
        .equals(norm2(x) + 2 * dot(x, z) + norm2(z), because="expand the square")
        .at_most(
            norm2(x) + 2 * norm(x) * norm(z) + norm2(z),
            because="Cauchy–Schwarz",
            by=using(apply(cauchy_schwarz(), {u_: x, v_: z})),
        )
        .equals((norm(x) + norm(z)) ** 2, because="the square of a sum")
        .qed()
    )


@proves("lem-convex-combination")
def nonnegative_combination() -> Theorem:
    r"""Derive that $cf+eg$ is convex for $c,e\ge 0$."""
    return (
        Derivation(
            "a nonnegative combination of convex functions",
            given=[*SHARE, Ge(c, 0), Ge(e, 0)],
            witness={**SQUARE, c: 1, e: 2, g: lambda s: 2 * s},
        )
        .start(c * f(BETWEEN) + e * g(BETWEEN))
        .at_most(
            c * (t * f(p) + (1 - t) * f(q)) + e * (t * g(p) + (1 - t) * g(q)),
            because=r"both are convex, and $c,e\ge 0$",
            by=using(
                Le(f(BETWEEN), t * f(p) + (1 - t) * f(q)),
                Le(g(BETWEEN), t * g(p) + (1 - t) * g(q)),
            ),
        )
        .equals(
            t * (c * f(p) + e * g(p)) + (1 - t) * (c * f(q) + e * g(q)),
            because="collect what belongs to each end",
        )
        .qed()
    )


@proves("lem-convex-maximum")
def pointwise_maximum() -> Theorem:
    r"""Derive that $\max(f,g)$ is convex."""
    ends = t * Max(f(p), g(p)) + (1 - t) * Max(f(q), g(q))
    return (
        Derivation(
            "the larger of two convex functions",
            given=SHARE,
            witness={**SQUARE, g: lambda s: 2 * s},
        )
        .start(Max(f(BETWEEN), g(BETWEEN)))
        .at_most(
            Max(t * f(p) + (1 - t) * f(q), t * g(p) + (1 - t) * g(q)),
            because="both are convex",
            by=using(
                Le(f(BETWEEN), t * f(p) + (1 - t) * f(q)),
                Le(g(BETWEEN), t * g(p) + (1 - t) * g(q)),
            ),
        )
        .at_most(ends, because="each end is at most the larger of the two there")
        .qed()
    )


@proves("lem-convex-affine")
def affine_composition() -> Theorem:
    r"""Derive that $x\mapsto f(\langle a,x\rangle+e)$ is convex, in any dimension."""
    return (
        Derivation(
            "a convex function of an affine one",
            given=SHARE,
            witness={t: half, a: [2, 0], x: [1, 0], z: [0, 1], e: 1, f: lambda s: s * s},
        )
        .start(f(dot(a, t * x + (1 - t) * z) + e))
        .equals(
            f(t * (dot(a, x) + e) + (1 - t) * (dot(a, z) + e)),
            because="an affine function takes the point between to the value between",
        )
        .at_most(t * f(dot(a, x) + e) + (1 - t) * f(dot(a, z) + e), because="$f$ is convex")
        .qed()
    )


@proves("lem-convex-increasing")
def increasing_composition() -> Theorem:
    r"""Derive that a convex increasing function of a convex function is convex."""
    return (
        Derivation(
            "convex and increasing after convex",
            given=SHARE,
            witness={**SQUARE, rising: lambda s: s},
        )
        .start(rising(f(BETWEEN)))
        .at_most(
            rising(t * f(p) + (1 - t) * f(q)),
            because="$f$ is convex and the outer function increases",
            by=monotone(rising),
        )
        .at_most(t * rising(f(p)) + (1 - t) * rising(f(q)), because="the outer function is convex")
        .qed()
    )


@proves("lem-convex-decreasing")
def decreasing_composition() -> Theorem:
    r"""Derive that a convex decreasing function of a concave function is convex."""
    return (
        Derivation(
            "convex and decreasing after concave",
            given=SHARE,
            witness={t: half, p: 0, q: 1, falling: lambda s: -s, concave: lambda s: s},
        )
        .start(falling(concave(BETWEEN)))
        .at_most(
            falling(t * concave(p) + (1 - t) * concave(q)),
            because="$h$ is concave and the outer function decreases",
            by=monotone(falling),
        )
        .at_most(
            t * falling(concave(p)) + (1 - t) * falling(concave(q)),
            because="the outer function is convex",
        )
        .qed()
    )


# The value of f at x, at z and between them, and its slope there.
at_x, at_z, at_y = reals("f_x f_z f_y")
slope = vectors("g")


@proves("lem-tangents-give-chords")
def tangents_give_chords() -> Theorem:
    r"""Derive that a function above its tangents is below its chords, in any dimension."""
    y = t * x + (1 - t) * z
    return (
        Derivation(
            "above its tangents, hence below its chords",
            given=[
                *SHARE,
                Ge(at_x, at_y + dot(slope, x - y)),
                Ge(at_z, at_y + dot(slope, z - y)),
            ],
            witness={t: half, x: [1], z: [-1], slope: [0], at_x: 1, at_z: 1, at_y: 0},
        )
        .start(t * at_x + (1 - t) * at_z)
        .at_least(
            t * (at_y + dot(slope, x - y)) + (1 - t) * (at_y + dot(slope, z - y)),
            because="the tangent at the point between, at both ends",
        )
        .equals(at_y, because="the two differences cancel in the mean")
        .qed()
    )


@proves("lem-chords-give-slopes")
def chords_give_slopes() -> Theorem:
    r"""Derive that the slope of a convex function towards a point is at most that of the chord."""
    return (
        Derivation(
            "the first steps of a chord",
            given=[Gt(t, 0), Le(t, 1), Le(at_y, t * at_z + (1 - t) * at_x)],
            witness={t: half, at_x: 1, at_z: 0, at_y: 0},
        )
        .start((at_y - at_x) / t)
        .at_most(
            (t * at_z + (1 - t) * at_x - at_x) / t,
            because="below the chord, divided by a positive number",
        )
        .equals(at_z - at_x, because="what is left does not depend on $t$")
        .qed()
    )


@proves("lem-curvature-gives-tangents")
def curvature_gives_tangents() -> Theorem:
    r"""Derive that a function with $\varphi''\ge 0$ lies above all its tangents."""
    return (
        Derivation("no negative curvature, hence above its tangents")
        .start(curved(q))
        .at_least(
            curved(p) + derivative(curved)(p) * (q - p),
            because=r"the gap and its slope vanish at $q=p$, and $\varphi''\ge0$ on the way",
            by=second_order(q, at=p),
        )
        .qed()
    )


@proves("thm-second-order")
def curvature_gives_chords() -> Theorem:
    r"""Derive that a function with $\varphi''\ge 0$ is convex."""
    tangents = curvature_gives_tangents()
    at, slope = curved(s), derivative(curved)(s)
    return (
        Derivation(
            "no negative curvature, hence below its chords",
            given=[*SHARE, Eq(s, BETWEEN)],
            witness=THIRD,
        )
        .start(t * curved(p) + (1 - t) * curved(q))
        .at_least(
            t * (at + slope * (p - s)) + (1 - t) * (at + slope * (q - s)),
            because="the tangent at $s$, at both ends",
            by=using(apply(tangents, {p: s, q: p}), apply(tangents, {p: s})),
        )
        .equals(at, because="the two differences cancel in the mean")
        .qed()
    )


@proves("lem-chords-give-curvature")
def chords_give_curvature() -> Theorem:
    r"""Derive that the second differences of a convex function are not negative."""
    return (
        Derivation(
            "the second differences of a convex function", given=[Gt(t, 0)], witness={t: half}
        )
        .start((f(p + t) - 2 * f(p) + f(p - t)) / t**2)
        .at_least(0, because="the chord over $p$, from $p-t$ to $p+t$, is not below $f$")
        .qed()
    )


@proves("lem-positive-curvature")
def positive_curvature_gives_strict_chords() -> Theorem:
    r"""Derive that a function with $\varphi''>0$ is strictly convex."""
    tangents = (
        Derivation(
            "positive curvature, hence strictly above its tangents",
            given=[Ne(p, q)],
            witness={p: 0, q: 1},
        )
        .start(bent(q))
        .greater_than(
            bent(p) + derivative(bent)(p) * (q - p),
            because=r"the gap and its slope vanish at $q=p$, and $\varphi''>0$ on the way",
            by=second_order(q, at=p),
        )
        .qed()
    )
    at, slope = bent(s), derivative(bent)(s)
    return (
        Derivation(
            "positive curvature, hence strictly below its chords",
            given=[Gt(t, 0), Lt(t, 1), Lt(p, q), Eq(s, BETWEEN)],
            witness=THIRD,
        )
        .start(t * bent(p) + (1 - t) * bent(q))
        .greater_than(
            t * (at + slope * (p - s)) + (1 - t) * (at + slope * (q - s)),
            because="the tangent at $s$, which is neither end",
            by=using(apply(tangents, {p: s, q: p}), apply(tangents, {p: s})),
        )
        .equals(at, because="the two differences cancel in the mean")
        .qed()
    )


@proves("lem-tangent-of-square")
def tangent_of_square() -> Theorem:
    r"""Derive by how much a squared norm exceeds its tangent."""
    return (
        Derivation("the squared norm and its tangent")
        .start(norm2(z) - norm2(x) - dot(2 * x, z - x))
        .equals(norm2(z - x), because="expand and collect")
        .at_least(0, because="a squared norm")
        .qed()
    )


@proves("lem-exp-convex")
def exponential_tangent() -> Theorem:
    r"""Derive that the exponential lies above all its tangents."""
    return (
        Derivation("the exponential and its tangents")
        .start(exp(q))
        .equals(exp(p) * exp(q - p), because="the exponent of a sum")
        .at_least(
            exp(p) * (1 + (q - p)), because=r"$e^s\ge 1+s$", by=using(Ge(exp(q - p), 1 + (q - p)))
        )
        .qed()
    )


@proves("lem-fourth-power-convex")
def fourth_power_tangent() -> Theorem:
    r"""Derive that $s^4$ lies above all its tangents, although its curvature vanishes at 0."""
    return (
        Derivation("the fourth power and its tangents")
        .start(q**4)
        .equals(
            p**4 + 4 * p**3 * (q - p) + (q - p) ** 2 * ((q + p) ** 2 + 2 * p**2),
            because="expand both sides",
        )
        .at_least(p**4 + 4 * p**3 * (q - p), because="a product of squares is not negative")
        .qed()
    )


positive, other_positive = reals("p q", positive=True)


@proves("lem-reciprocal-convex")
def reciprocal_tangent() -> Theorem:
    r"""Derive that $1/s$ lies above its tangents for $s>0$."""
    return (
        Derivation("the reciprocal and its tangents")
        .start(1 / other_positive)
        .equals(
            1 / positive
            - (other_positive - positive) / positive**2
            + (other_positive - positive) ** 2 / (positive**2 * other_positive),
            because="one denominator for all",
        )
        .at_least(
            1 / positive - (other_positive - positive) / positive**2,
            because="what is left out is not negative",
        )
        .qed()
    )


@proves("lem-log-concave")
def log_tangent() -> Theorem:
    r"""Derive that the logarithm lies below all its tangents."""
    ratio = other_positive / positive
    return (
        Derivation("the logarithm and its tangents")
        .start(log(other_positive))
        .equals(log(positive) + log(ratio), because="the logarithm of a product")
        .at_most(
            log(positive) + (ratio - 1),
            because=r"$\log u\le u-1$",
            by=using(Le(log(ratio), ratio - 1)),
        )
        .equals(
            log(positive) + (other_positive - positive) / positive,
            because=r"the slope at $p$ is $1/p$",
        )
        .qed()
    )


@proves("thm-jensen")
def jensen() -> Theorem:
    r"""Derive Jensen's inequality for a law on finitely many points."""
    w, s = real_family("w s")
    return (
        Derivation(
            "Jensen's inequality",
            given=[for_each(i, 1, n, Ge(w[i], 0)), Eq(Sum(w[i], (i, 1, n)), 1)],
            witness={n: 2, w: [half, half], s: [0, 1], f: lambda v: v * v},
        )
        .start(f(Sum(w[i] * s[i], (i, 1, n))))
        .at_most(
            Sum(w[i] * f(s[i]), (i, 1, n)),
            because="$f$ is convex, and the weights are a law",
        )
        .qed()
    )


@proves("lem-jensen-tangent")
def jensen_by_a_tangent() -> Theorem:
    r"""Derive Jensen's inequality from one tangent, at the mean, in any dimension."""
    w, values = real_family("w f")
    members = vector_family("x")
    mean = Sum(w[i] * members[i], (i, 1, n))
    return (
        Derivation(
            "Jensen's inequality from a tangent",
            given=[
                for_each(i, 1, n, Ge(w[i], 0)),
                Eq(Sum(w[i], (i, 1, n)), 1),
                for_each(i, 1, n, Ge(values[i], at_y + dot(slope, members[i] - mean))),
            ],
            witness={
                n: 2, w: [half, half], members: [[0], [2]], values: [0, 4], at_y: 1, slope: [2],
            },
        )
        .start(Sum(w[i] * values[i], (i, 1, n)))
        .at_least(
            Sum(w[i] * (at_y + dot(slope, members[i] - mean)), (i, 1, n)),
            because="every value is above the tangent at the mean",
            by=termwise(i),
        )
        .equals(at_y, because="the weights sum to one, and the differences from the mean cancel")
        .qed()
    )  # fmt: skip


# A programme at a feasible point: values of objective and constraints, and a lower bound L.
value, bound, least = reals("f_0 d L")
lam, nu, ineq, eq = real_family("lambda nu f h")
MULTIPLIERS = for_each(i, 1, m, Ge(lam[i], 0))
FEASIBLE = [for_each(i, 1, m, Le(ineq[i], 0)), for_each(j, 1, r, Eq(eq[j], 0))]
LAGRANGIAN = value + Sum(lam[i] * ineq[i], (i, 1, m)) + Sum(nu[j] * eq[j], (j, 1, r))
PARABOLA = {
    m: 1,
    r: 1,
    lam: [2],
    nu: [5],
    ineq: [-1],
    eq: [0],
    value: 4,
    bound: 1,
}


@proves("thm-weak-duality")
def weak_duality() -> Theorem:
    r"""Derive that a lower bound of the Lagrangian is one of the objective at feasible points."""
    return (
        Derivation(
            "weak duality",
            given=[MULTIPLIERS, *FEASIBLE, Le(bound, LAGRANGIAN)],
            witness=PARABOLA,
        )
        .start(bound)
        .at_most(LAGRANGIAN, because="the dual value is below the Lagrangian at every point")
        .equals(
            value + Sum(lam[i] * ineq[i], (i, 1, m)),
            because=r"$h_j(x)=0$ at a feasible point",
        )
        .at_most(
            value,
            because=r"$\lambda_i\ge 0$ and $f_i(x)\le 0$",
            by=termwise(i),
        )
        .qed()
    )


@proves("lem-lagrangian-on-feasible")
def lagrangian_on_feasible() -> Theorem:
    r"""Derive that with equalities alone the Lagrangian is the objective at feasible points."""
    return (
        Derivation(
            "the Lagrangian where equalities hold",
            given=[for_each(j, 1, r, Eq(eq[j], 0))],
            witness={r: 2, nu: [3, -1], eq: [0, 0], value: 4},
        )
        .start(value + Sum(nu[j] * eq[j], (j, 1, r)))
        .equals(value, because="every term of the sum is zero", by=termwise(j))
        .qed()
    )


# Two sets of multipliers at one point, and lower bounds of their Lagrangians.
other_lam, other_nu = real_family("eta omega")
g_here, g_there = reals("g_1 g_2")


def lagrangian_at(prices: Any, equality_prices: Any) -> Any:
    """Return the Lagrangian at the point for given multipliers."""
    return value + Sum(prices(i) * ineq[i], (i, 1, m)) + Sum(equality_prices(j) * eq[j], (j, 1, r))


@proves("lem-dual-concave")
def dual_is_concave() -> Theorem:
    r"""Derive that the least of affine functions lies above its chords."""
    here = lagrangian_at(lambda i: lam[i], lambda j: nu[j])
    there = lagrangian_at(lambda i: other_lam[i], lambda j: other_nu[j])
    return (
        Derivation(
            "the dual function is concave",
            given=[*SHARE, Le(g_here, here), Le(g_there, there)],
            witness={
                **PARABOLA, t: half, other_lam: [1], other_nu: [0], g_here: 1, g_there: 2,
            },
        )
        .start(
            lagrangian_at(
                lambda i: t * lam[i] + (1 - t) * other_lam[i],
                lambda j: t * nu[j] + (1 - t) * other_nu[j],
            )
        )
        .equals(t * here + (1 - t) * there, because="the Lagrangian is affine in the multipliers")
        .at_least(
            t * g_here + (1 - t) * g_there,
            because="the dual function is the least value of the Lagrangian",
        )
        .qed()
    )  # fmt: skip


@proves("lem-parabola-dual")
def parabola_dual() -> Theorem:
    r"""Derive the dual function of: minimise $s^2$ where $s\ge 1$."""
    s, mult = reals("s lambda")
    return (
        Derivation("dual of a parabola")
        .start(s**2 + mult * (1 - s))
        .equals((s - mult / 2) ** 2 + mult - mult**2 / 4, because="complete the square")
        .at_least(mult - mult**2 / 4, because=r"with equality at $s=\lambda/2$")
        .qed()
    )


# A convex programme through its tangents at x: z is any other feasible point.
new = real_family("F")
slopes, normals = vector_family("g a")
start_slope = vectors("g_0")
other = reals("F_0")

TANGENTS = [
    Ge(other, value + dot(start_slope, z - x)),
    for_each(i, 1, m, Ge(new[i], ineq[i] + dot(slopes[i], z - x))),
]
STATIONARY = Eq(
    start_slope + Sum(lam[i] * slopes[i], (i, 1, m)) + Sum(nu[j] * normals[j], (j, 1, r)), 0
)
SLACKNESS = for_each(i, 1, m, Eq(lam[i] * ineq[i], 0))


@proves("thm-kkt-sufficient")
def kkt_sufficient() -> Theorem:
    r"""Derive that a KKT point of a convex programme is optimal."""
    linear = Sum(-lam[i] * dot(slopes[i], z - x), (i, 1, m))
    affine = Sum(-nu[j] * dot(normals[j], z - x), (j, 1, r))
    return (
        Derivation(
            "the KKT conditions suffice",
            given=[
                *TANGENTS,
                for_each(i, 1, m, Le(new[i], 0)),
                for_each(j, 1, r, Eq(dot(normals[j], z - x), 0)),
                MULTIPLIERS,
                SLACKNESS,
                STATIONARY,
            ],
            # Minimise s₁² + s₂² where 1 - s₁ ≤ 0 and s₂ = 0: x = (1, 0), λ = 2, ν = 0; z = (2, 0).
            witness={
                m: 1,
                r: 1,
                x: [1, 0],
                z: [2, 0],
                value: 1,
                other: 4,
                start_slope: [2, 0],
                slopes: [[-1, 0]],
                normals: [[0, 1]],
                ineq: [0],
                new: [-1],
                lam: [2],
                nu: [0],
            },
        )
        .start(other)
        .at_least(value + dot(start_slope, z - x), because="the objective is above its tangent")
        .equals(
            value + linear + affine,
            because="stationarity, multiplied by the step from $x$ to $z$",
        )
        .equals(value + linear, because="both points meet the equalities, which are affine")
        .at_least(
            value + Sum(-lam[i] * (new[i] - ineq[i]), (i, 1, m)),
            because=r"the constraints are above their tangents, and $\lambda_i\ge 0$",
            by=termwise(i),
        )
        .equals(
            value + Sum(-lam[i] * new[i], (i, 1, m)),
            because=r"complementary slackness: $\lambda_if_i(x)=0$",
        )
        .at_least(value, because=r"$z$ is feasible and $\lambda_i\ge 0$", by=termwise(i))
        .qed()
    )


@proves("lem-zero-gap-slackness")
def zero_gap_slackness() -> Theorem:
    r"""Derive complementary slackness for one constraint from a gap of zero."""
    rest = reals("r")
    mult, con = reals("lambda f")
    return (
        Derivation(
            "a zero gap leaves no slack",
            given=[
                Ge(mult, 0),
                Le(con, 0),
                Le(rest, 0),
                Le(bound, value + mult * con + rest),
                Eq(bound, value),
            ],
            witness={mult: 2, con: 0, rest: 0, bound: 1, value: 1},
        )
        .start(mult * con)
        .equals(0, because="neither this term nor the rest may be negative, and none is positive")
        .qed()
    )


@proves("lem-inactive-multiplier")
def inactive_multiplier() -> Theorem:
    r"""Derive that an inactive constraint has multiplier zero (not the other way round)."""
    mult, con = reals("lambda f")
    return (
        Derivation(
            "an inactive constraint costs nothing",
            given=[Lt(con, 0), Eq(mult * con, 0)],
            witness={con: -1, mult: 0},
        )
        .start(mult)
        .equals(0, because=r"divide $\lambda f=0$ by $f<0$")
        .qed()
    )


@proves("thm-minimum-without-multiplier")
def minimum_without_multiplier() -> Theorem:
    r"""Derive that the least $s$ with $s^2\le 0$ has no multiplier."""
    s, mult = reals("s lambda")
    return impossible(
        "a minimum without a multiplier", given=[Le(s**2, 0), Eq(1 + 2 * mult * s, 0)]
    )


@proves("thm-gap-without-slater")
def gap_without_slater() -> Theorem:
    r"""Derive that no positive number bounds the Lagrangian of: least $e^{-x}$, $x^2/y\le 0$."""
    mult = reals("lambda")
    return (
        Derivation(
            "a gap without Slater",
            given=[Gt(bound, 0), Ge(mult, 0), Eq(bound * s, 1 + mult)],
            witness={bound: 1, mult: 1, s: 2},
        )
        .start(exp(-s) + mult / s)
        .less_than(
            1 / s + mult / s,
            because=r"$e^s\ge 1+s>s$, and $s>0$",
            by=using(Gt(s, 0), Ge(exp(s), 1 + s)),
        )
        .equals(bound, because=r"$ds=1+\lambda$")
        .qed()
    )


theta, counts = real_family("theta x", positive=True)
S = reals("S", positive=True)
SEEN = Eq(Sum(counts[k], (k, 1, K)), S)


@proves("thm-die-mle")
def die_mle() -> Theorem:
    r"""Derive that no die is more likely than the one with the relative frequencies."""
    ratio = theta[k] * S / counts[k]
    return (
        Derivation(
            "the most likely die",
            given=[Le(Sum(theta[k], (k, 1, K)), 1), SEEN],
            witness={K: 2, theta: [half, half], counts: [1, 3], S: 4},
        )
        .start(Sum(counts[k] * log(theta[k]), (k, 1, K)))
        .equals(
            Sum(counts[k] * log(counts[k] / S) + counts[k] * log(ratio), (k, 1, K)),
            because=r"$\theta_k=\frac{x_k}S\cdot\frac{\theta_kS}{x_k}$",
            by=termwise(k),
        )
        .at_most(
            Sum(counts[k] * log(counts[k] / S) + theta[k] * S - counts[k], (k, 1, K)),
            because=r"$\log u\le u-1$",
            by=termwise(k, by=using(Le(log(ratio), ratio - 1))),
        )
        .at_most(
            Sum(counts[k] * log(counts[k] / S), (k, 1, K)),
            because=r"$\sum_k\theta_k\le1$ and $\sum_kx_k=S$",
        )
        .qed()
    )


@proves("thm-squared-constraint-mle")
def squared_constraint_mle() -> Theorem:
    r"""Derive the maximum of $\sum_kx_k\log\theta_k$ on the positive part of the sphere."""
    return (
        Derivation(
            "the most likely point of a sphere",
            given=[Le(Sum(theta[k] ** 2, (k, 1, K)), 1), SEEN],
            witness={K: 2, theta: [Rational(3, 5), Rational(4, 5)], counts: [1, 3], S: 4},
        )
        .start(Sum(2 * counts[k] * log(theta[k]), (k, 1, K)))
        .equals(
            Sum(counts[k] * log(theta[k] ** 2), (k, 1, K)),
            because=r"put $u_k=\theta_k^2$",
            by=termwise(k),
        )
        .at_most(
            Sum(counts[k] * log(counts[k] / S), (k, 1, K)),
            because=r"the $u_k$ are the faces of a die",
            by=apply(die_mle(), {theta: Lambda(k, theta[k] ** 2)}),
        )
        .qed()
    )


# Ridge regression with residuals as variables of their own.
beta = vectors("beta")
points = vector_family("x")
y, xi, alpha = real_family("y xi alpha")
tau = reals("tau", positive=True)
FIT = Sum(alpha[i] * points[i], (i, 1, n))
RIDGE = tau * norm2(beta) + Sum(xi[i] ** 2, (i, 1, n))
RIDGE_LAGRANGIAN = RIDGE + 2 * tau * Sum(
    alpha[i] * (y[i] - dot(points[i], beta) - xi[i]), (i, 1, n)
)
RIDGE_DUAL = (
    2 * tau * Sum(alpha[i] * y[i], (i, 1, n))
    - tau * norm2(FIT)
    - tau**2 * Sum(alpha[i] ** 2, (i, 1, n))
)


@proves("lem-ridge-dual")
def ridge_dual() -> Theorem:
    r"""Derive the dual of ridge regression by completing two squares."""
    return (
        Derivation("the dual of ridge regression")
        .start(RIDGE_LAGRANGIAN)
        .equals(
            RIDGE_DUAL + tau * norm2(beta - FIT) + Sum((xi[i] - tau * alpha[i]) ** 2, (i, 1, n)),
            because=r"complete the squares in $\beta$ and in each $\xi_i$",
        )
        .at_least(
            RIDGE_DUAL,
            because=r"with equality for $\beta=\sum_i\alpha_ix_i$ and $\xi_i=\tau\alpha_i$",
        )
        .qed()
    )


@proves("thm-ridge-weak-duality")
def ridge_weak_duality() -> Theorem:
    r"""Derive that every dual value of ridge regression is below every primal one."""
    return (
        Derivation(
            "weak duality of ridge regression",
            given=[for_each(i, 1, n, Eq(xi[i], y[i] - dot(points[i], beta)))],
            witness={n: 1, points: [[1]], y: [2], beta: [1], xi: [1], alpha: [1], tau: 1},
        )
        .start(RIDGE)
        .equals(RIDGE_LAGRANGIAN, because="the constraints hold: every added term is zero")
        .at_least(
            RIDGE_DUAL,
            because="the dual is the least value of the Lagrangian",
            by=apply(ridge_dual()),
        )
        .qed()
    )
