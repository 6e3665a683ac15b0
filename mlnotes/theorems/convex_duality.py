"""Convexity and what it buys: operations that keep it, weak duality, and the KKT conditions.

A convex function ``f`` is one of vectors, in any dimension; ``g(u)`` is a subgradient of it at u.
Second derivatives are those along a segment, on which any function is one of a real variable. The
problem is to minimise ``f_0(x)`` where ``f_i(x) <= 0`` and ``h_j(x) = 0``, its Lagrangian is ``L``,
and ``d`` a lower bound of ``L`` at all points. Nothing is convex until the KKT conditions are.
"""

from __future__ import annotations

from typing import Any

from mlnotes.proof import (
    And,
    Derivation,
    Eq,
    Ge,
    Gt,
    Implies,
    KroneckerDelta,
    Lambda,
    Le,
    Lt,
    Max,
    Ne,
    Rational,
    Setting,
    Sum,
    Theorem,
    apply,
    derivative,
    dot,
    exp,
    for_all,
    for_each,
    function,
    impossible,
    indices,
    integers,
    log,
    minimise,
    monotone,
    norm,
    norm2,
    quantity,
    real_family,
    reals,
    second_order,
    sqrt,
    termwise,
    using,
    vector_family,
    vectors,
)
from mlnotes.theorems import proves
from mlnotes.theorems.perceptron import cauchy_schwarz

t, p, q, s, b, c, e = reals("t p q s b c e")
x, z, u, v, w, a = vectors("x z u v w a")
n, m, r, K = integers("n m r K", positive=True)
i, j, k = indices("i j k")
half = Rational(1, 2)

SHARE = {"share from": Ge(t, 0), "share to": Le(t, 1)}
BETWEEN = t * p + (1 - t) * q
MIDDLE = t * x + (1 - t) * z
THIRD = {t: Rational(1, 3), p: 0, q: 3, s: 2}


def chord(f: Any, first: Any, second: Any, share: Any) -> Any:
    """Return the height of a chord of a function between two points."""
    return share * f(first) + (1 - share) * f(second)


def convex(f: Any) -> Any:
    """State that no chord of a function of vectors lies below its graph."""
    below = Le(f(t * u + (1 - t) * v), chord(f, u, v, t))
    return for_all((u, v, t), Implies(And(Ge(t, 0), Le(t, 1)), below))


def concave(f: Any) -> Any:
    """State that no chord of a function of vectors lies above its graph."""
    above = Ge(f(t * u + (1 - t) * v), chord(f, u, v, t))
    return for_all((u, v, t), Implies(And(Ge(t, 0), Le(t, 1)), above))


f, f_1, f_2 = (function(name, of="vector") for name in ("f", "f_1", "f_2"))
g = function("g", of="vector", to="vector")
A = function("A", of="vector", to="vector")
curved = function("varphi", nonnegative_curvature=True)
bent = function("varphi", positive_curvature=True)

SUBGRADIENTS = for_all((u, v), Ge(f(v), f(u) + dot(g(u), v - u)))
LINEAR = for_all((u, v, s, t), Eq(A(s * u + t * v), s * A(u) + t * A(v)))
SQUARED = {f: lambda w: norm2(w), g: lambda w: 2 * w, t: half, x: [1], z: [-1]}
TWO = {f_1: lambda w: norm2(w), f_2: lambda w: 2 * norm2(w), t: half, x: [1], z: [-1]}

convex_function = Setting("a convex function", f, given={"convex": convex(f)}, witness=SQUARED)
subgradients = Setting(
    "a function with subgradients", f, g, given={"subgradients": SUBGRADIENTS}, witness=SQUARED
)
two_functions = Setting(
    "two convex functions",
    f_1,
    f_2,
    given={"first convex": convex(f_1), "second convex": convex(f_2)},
    witness=TWO,
)


# A point of the way from x to z that is as near to x as delta asks for.
delta = reals("delta", positive=True)
square = reals("Q", nonnegative=True)
LOCAL = for_all(u, Implies(Lt(norm2(u - x), delta**2), Ge(f(u), f(x))))
FOOT = {x: [0], z: [1], delta: 1}


def short(squared_way: Any) -> Any:
    """Return a share of the way that is shorter than delta."""
    return delta**2 / (delta**2 + squared_way)


@proves("lem-local-step")
def point_on_the_way() -> Theorem:
    r"""Derive that a point near a local minimum, on the way to another, bounds the other."""
    on_the_way = t * z + (1 - t) * x
    return (
        Derivation(
            "a point on the way",
            setting=convex_function,
            given={
                "local": LOCAL,
                "step": Gt(t, 0),
                "share": Le(t, 1),
                "near": Lt(norm2(on_the_way - x), delta**2),
            },
            witness={**FOOT, t: half},
        )
        .start(f(z))
        .at_least(
            f(x) + (f(on_the_way) - f(x)) / t,
            because="the chord from $x$ to $z$",
            by=convex(f).at(z, x, t),
        )
        .at_least(f(x), because="near $x$ nothing is below $f(x)$", by=LOCAL.at(on_the_way))
        .qed()
    )


@proves("thm-local-minimum")
def local_minimum_is_global() -> Theorem:
    r"""Derive that a local minimum of a convex function is a global one."""
    step = short(norm2(z - x))
    positive, share, shorter = (
        Derivation("a positive step").start(short(square)).greater_than(0).qed(),
        Derivation("a share").start(short(square)).at_most(1).qed(),
        Derivation("a short step").start(short(square) ** 2 * square).less_than(delta**2).qed(),
    )
    near = (
        Derivation("a point nearby")
        .start(norm2(step * z + (1 - step) * x - x))
        .equals(step**2 * norm2(z - x), because="the step is a multiple of the way")
        .less_than(delta**2, because="a short step", by=shorter(Q=norm2(z - x)))
        .qed()
    )
    bounds = (near, positive(Q=norm2(z - x)), share(Q=norm2(z - x)))
    return (
        Derivation(
            "a local minimum is global",
            setting=convex_function,
            given={"local": LOCAL},
            witness=FOOT,
        )
        .start(f(z))
        .at_least(
            f(x),
            because=r"a point on the way, at $t=\delta^2/(\delta^2+\lVert z-x\rVert^2)$",
            by=using(*bounds, point_on_the_way()(t=step)),
        )
        .qed()
    )


@proves("lem-tangents-give-chords")
def tangents_give_chords() -> Theorem:
    r"""Derive that a function above its tangents is below its chords, in any dimension."""
    y = MIDDLE
    return (
        Derivation("above its tangents, hence below its chords", setting=subgradients, given=SHARE)
        .start(t * f(x) + (1 - t) * f(z))
        .at_least(
            t * (f(y) + dot(g(y), x - y)) + (1 - t) * (f(y) + dot(g(y), z - y)),
            because="the tangent at the point between, at both ends",
            by=(SUBGRADIENTS.at(y, x), SUBGRADIENTS.at(y, z)),
        )
        .equals(f(y), because="the two differences cancel in the mean")
        .qed()
    )


@proves("lem-chords-give-slopes")
def chords_give_slopes() -> Theorem:
    r"""Derive that the slope of a convex function towards a point is at most that of the chord."""
    return (
        Derivation(
            "the first steps of a chord",
            setting=convex_function,
            given={"step": Gt(t, 0), "share": Le(t, 1)},
        )
        .start((f(x + t * (z - x)) - f(x)) / t)
        .at_most(
            (t * f(z) + (1 - t) * f(x) - f(x)) / t,
            because="below the chord, divided by a positive number",
            by=convex(f).at(z, x, t),
        )
        .equals(f(z) - f(x), because="what is left does not depend on $t$")
        .qed()
    )


@proves("lem-subgradient-zero")
def zero_subgradient() -> Theorem:
    r"""Derive that a point with the subgradient zero is a global minimum."""
    return (
        Derivation(
            "a horizontal tangent",
            setting=subgradients,
            given={"horizontal": Eq(g(x), 0)},
            witness={x: [0]},
        )
        .start(f(z))
        .at_least(f(x) + dot(g(x), z - x), because="above the tangent", by=SUBGRADIENTS.at(x, z))
        .equals(f(x), because="the tangent is horizontal")
        .qed()
    )


@proves("lem-subgradient-monotone")
def subgradients_are_monotone() -> Theorem:
    r"""Derive that subgradients turn towards the direction in which one walks."""
    return (
        Derivation("subgradients are monotone", setting=subgradients)
        .start(dot(g(z) - g(x), z - x))
        .equals(dot(g(z), z - x) - dot(g(x), z - x), because="the inner product is linear")
        .at_least(
            f(z) - f(x) + (f(x) - f(z)),
            because="both tangents",
            by=(SUBGRADIENTS.at(z, x), SUBGRADIENTS.at(x, z)),
        )
        .equals(0, because="the values cancel")
        .qed()
    )


@proves("lem-squared-norm-convex")
def squared_norm_convex() -> Theorem:
    r"""Derive that $\lVert\cdot\rVert^2$ lies below its chords, and by how much."""
    return (
        Derivation(
            "the squared norm is convex", given=SHARE, witness={t: half, x: [1, 0], z: [0, 1]}
        )
        .start(norm2(MIDDLE))
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
            given={**SHARE, "first inside": Lt(norm2(x), 1), "second inside": Lt(norm2(z), 1)},
            witness={t: half, x: [half, 0], z: [0, half]},
        )
        .start(norm2(MIDDLE))
        .at_most(
            t * norm2(x) + (1 - t) * norm2(z),
            because="the squared norm is convex",
            by=squared_norm_convex(),
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
            given={
                **SHARE,
                "first inside": Le(dot(a, x), b),
                "second inside": Le(dot(a, z), b),
            },
            witness={t: half, a: [1, 0], x: [1, 0], z: [0, 1], b: 1},
        )
        .start(dot(a, MIDDLE))
        .equals(t * dot(a, x) + (1 - t) * dot(a, z), because="the inner product is linear")
        .at_most(b, because=r"a mean of two numbers that are at most $b$")
        .qed()
    )


@proves("lem-affine-segment")
def affine_segment() -> Theorem:
    r"""Derive that an affine map takes the point between to the point between."""
    return (
        Derivation(
            "an affine map on a segment",
            given={"linear": LINEAR},
            witness={A: lambda w: 2 * w, t: half, x: [1], z: [0], w: [1]},
        )
        .start(A(MIDDLE) + w)
        .equals(
            t * A(x) + (1 - t) * A(z) + w,
            because="$A$ is linear",
            by=LINEAR.at(x, z, t, 1 - t),
        )
        .equals(
            t * (A(x) + w) + (1 - t) * (A(z) + w),
            because="the shares of $w$ add up to one",
        )
        .qed()
    )


@proves("lem-norm-convex")
def norm_convex() -> Theorem:
    r"""Derive the triangle inequality, from which every chord of a norm lies above it."""
    squares = (
        Derivation("triangle inequality, squared")
        .start(norm2(x + z))
        .equals(norm2(x) + 2 * dot(x, z) + norm2(z), because="expand the square")
        .at_most(
            norm2(x) + 2 * norm(x) * norm(z) + norm2(z),
            because="Cauchy–Schwarz",
            by=cauchy_schwarz()(u=x, v=z),
        )
        .equals((norm(x) + norm(z)) ** 2, because="the square of a sum")
        .qed()
    )
    return (
        Derivation("triangle inequality")
        .start(norm(x + z))
        .at_most(
            norm(x) + norm(z),
            because="triangle inequality, squared",
            by=monotone(sqrt, by=apply(squares)),
        )
        .qed()
    )


@proves("lem-convex-combination")
def nonnegative_combination() -> Theorem:
    r"""Derive that $cf_1+ef_2$ is convex for $c,e\ge 0$."""
    return (
        Derivation(
            "a nonnegative combination of convex functions",
            setting=two_functions,
            given={**SHARE, "first weight": Ge(c, 0), "second weight": Ge(e, 0)},
            witness={c: 1, e: 2},
        )
        .start(c * f_1(MIDDLE) + e * f_2(MIDDLE))
        .at_most(
            c * chord(f_1, x, z, t) + e * chord(f_2, x, z, t),
            because=r"both are convex, and $c,e\ge 0$",
            by=(convex(f_1).at(x, z, t), convex(f_2).at(x, z, t)),
        )
        .equals(
            t * (c * f_1(x) + e * f_2(x)) + (1 - t) * (c * f_1(z) + e * f_2(z)),
            because="collect what belongs to each end",
        )
        .qed()
    )


@proves("lem-convex-maximum")
def pointwise_maximum() -> Theorem:
    r"""Derive that $\max(f_1,f_2)$ is convex."""
    return (
        Derivation("the larger of two convex functions", setting=two_functions, given=SHARE)
        .start(Max(f_1(MIDDLE), f_2(MIDDLE)))
        .at_most(
            Max(chord(f_1, x, z, t), chord(f_2, x, z, t)),
            because="both are convex",
            by=(convex(f_1).at(x, z, t), convex(f_2).at(x, z, t)),
        )
        .at_most(
            t * Max(f_1(x), f_2(x)) + (1 - t) * Max(f_1(z), f_2(z)),
            because="each end is at most the larger of the two there",
        )
        .qed()
    )


@proves("lem-convex-affine")
def affine_composition() -> Theorem:
    r"""Derive that $x\mapsto f(Ax+w)$ is convex for every linear map $A$ and every vector $w$."""
    return (
        Derivation(
            "a convex function of an affine map",
            setting=convex_function,
            given={"linear": LINEAR, **SHARE},
            witness={A: lambda w: 2 * w, w: [1]},
        )
        .start(f(A(MIDDLE) + w))
        .equals(
            f(t * (A(x) + w) + (1 - t) * (A(z) + w)),
            because="an affine map takes the point between to the point between",
            by=affine_segment(),
        )
        .at_most(
            t * f(A(x) + w) + (1 - t) * f(A(z) + w),
            because="$f$ is convex",
            by=convex(f).at(A(x) + w, A(z) + w, t),
        )
        .qed()
    )


outer = function("psi")
BENT_UP = for_all(
    (p, q, t),
    Implies(And(Ge(t, 0), Le(t, 1)), Le(outer(BETWEEN), t * outer(p) + (1 - t) * outer(q))),
)
RISING = for_all((p, q), Implies(Le(p, q), Le(outer(p), outer(q))))
FALLING = for_all((p, q), Implies(Le(p, q), Ge(outer(p), outer(q))))


@proves("lem-convex-increasing")
def increasing_composition() -> Theorem:
    r"""Derive that a convex increasing function of a convex function is convex."""
    return (
        Derivation(
            "convex and increasing after convex",
            setting=convex_function,
            given={"outer": BENT_UP, "increasing": RISING, **SHARE},
            witness={outer: lambda s: s},
        )
        .start(outer(f(MIDDLE)))
        .at_most(
            outer(chord(f, x, z, t)),
            because="$f$ is convex and the outer function increases",
            by=using(convex(f).at(x, z, t), RISING.at(f(MIDDLE), chord(f, x, z, t))),
        )
        .at_most(
            t * outer(f(x)) + (1 - t) * outer(f(z)),
            because="the outer function is convex",
            by=BENT_UP.at(f(x), f(z), t),
        )
        .qed()
    )


@proves("lem-convex-decreasing")
def decreasing_composition() -> Theorem:
    r"""Derive that a convex decreasing function of a concave function is convex."""
    return (
        Derivation(
            "convex and decreasing after concave",
            given={"concave": concave(f), "outer": BENT_UP, "decreasing": FALLING, **SHARE},
            witness={**SQUARED, f: lambda w: -norm2(w), outer: lambda s: -s},
        )
        .start(outer(f(MIDDLE)))
        .at_most(
            outer(chord(f, x, z, t)),
            because="$f$ is concave and the outer function decreases",
            by=using(concave(f).at(x, z, t), FALLING.at(chord(f, x, z, t), f(MIDDLE))),
        )
        .at_most(
            t * outer(f(x)) + (1 - t) * outer(f(z)),
            because="the outer function is convex",
            by=BENT_UP.at(f(x), f(z), t),
        )
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
            given={**SHARE, "between": Eq(s, BETWEEN)},
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
            "the second differences of a convex function",
            setting=convex_function,
            given={"step": Gt(t, 0)},
            witness={w: [1]},
        )
        .start((f(x + t * w) - 2 * f(x) + f(x - t * w)) / t**2)
        .at_least(
            0,
            because="the chord over $x$, from $x-tw$ to $x+tw$, is not below $f$",
            by=convex(f).at(x + t * w, x - t * w, half),
        )
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
            given={
                "step": Gt(t, 0),
                "share": Lt(t, 1),
                "different": Lt(p, q),
                "between": Eq(s, BETWEEN),
            },
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


scalar = function("f", convex=True)


weights = real_family("c")
LAW = {
    "weights": for_each(i, 1, n, Ge(weights[i], 0)),
    "total": Eq(Sum(weights[i], (i, 1, n)), 1),
}


@proves("thm-jensen")
def jensen() -> Theorem:
    r"""Derive Jensen's inequality for a law on finitely many points."""
    values = real_family("s")
    return (
        Derivation(
            "Jensen's inequality",
            given=LAW,
            witness={n: 2, weights: [half, half], values: [0, 1], scalar: lambda v: v * v},
        )
        .start(scalar(Sum(weights[i] * values[i], (i, 1, n))))
        .at_most(
            Sum(weights[i] * scalar(values[i]), (i, 1, n)),
            because="$f$ is convex, and the weights are a law",
        )
        .qed()
    )


@proves("lem-jensen-tangent")
def jensen_by_a_tangent() -> Theorem:
    r"""Derive Jensen's inequality from one tangent, at the mean, in any dimension."""
    members = vector_family("x")
    mean = quantity("x_bar", is_=Sum(weights[i] * members[i], (i, 1, n)))
    return (
        Derivation(
            "Jensen's inequality from a tangent",
            setting=subgradients,
            given=LAW,
            witness={n: 2, weights: [half, half], members: [[0], [2]]},
        )
        .start(Sum(weights[i] * f(members[i]), (i, 1, n)))
        .at_least(
            Sum(weights[i] * (f(mean) + dot(g(mean), members[i] - mean)), (i, 1, n)),
            because="every value is above the tangent at the mean",
            by=termwise(i, by=SUBGRADIENTS.at(mean, members[i])),
        )
        .equals(f(mean), because="the weights sum to one, and the differences from the mean cancel")
        .qed()
    )


# A problem and its Lagrangian. The letters lambda and nu are the multipliers, d is a number below
# all values of the Lagrangian.
f_0 = function("f_0", of="vector")
con = function("f", of=("integer", "vector"))
equ = function("h", of=("integer", "vector"))
d = reals("d")
lam, nu, eta, omega = real_family("lambda nu eta omega")

PROBLEM = minimise(
    f_0(x),
    over=x,
    subject_to={
        "inequalities": for_each(i, 1, m, Le(con(i, x), 0)),
        "equations": for_each(j, 1, r, Eq(equ(j, x), 0)),
    },
    name="the problem",
)
lagrangian = quantity(
    "L",
    x,
    lam,
    nu,
    is_=f_0(x) + Sum(lam[i] * con(i, x), (i, 1, m)) + Sum(nu[j] * equ(j, x), (j, 1, r)),
)
NOT_NEGATIVE = for_each(i, 1, m, Ge(lam[i], 0))
BELOW = for_all(u, Le(d, lagrangian(u, lam, nu)))

# The least square of a number between -1 and 1; the equation holds everywhere.
DISC = {
    m: 1,
    r: 1,
    f_0: lambda w: norm2(w),
    con: lambda i, w: norm2(w) - 1,
    equ: lambda j, w: 0 * norm2(w),
    x: [0],
    lam: [0],
    nu: [5],
    d: 0,
}
feasible = Setting("a feasible point", given={"problem": PROBLEM}, witness=DISC)
below = Setting(
    "a bound of the Lagrangian",
    given={"multipliers": NOT_NEGATIVE, "bound": BELOW},
    witness=DISC,
)
bounded = feasible & below


@proves("thm-weak-duality")
def weak_duality() -> Theorem:
    r"""Derive that a lower bound of the Lagrangian is one of the objective at feasible points."""
    return (
        Derivation("weak duality", setting=bounded)
        .start(d)
        .at_most(
            lagrangian(x, lam, nu),
            because="$d$ is below the Lagrangian at every point",
            by=BELOW.at(x),
        )
        .equals(
            f_0(x) + Sum(lam[i] * con(i, x), (i, 1, m)),
            because=r"$h_j(x)=0$ at a feasible point",
        )
        .at_most(f_0(x), because=r"$\lambda_i\ge 0$ and $f_i(x)\le 0$", by=termwise(i))
        .qed()
    )


@proves("thm-price")
def price() -> Theorem:
    r"""Derive what a problem costs at least whose constraints give way."""
    room = real_family("epsilon")
    return (
        Derivation(
            "what the constraints are worth",
            setting=below,
            given={
                "relaxed": for_each(i, 1, m, Le(con(i, x), room[i])),
                "equations": for_each(j, 1, r, Eq(equ(j, x), 0)),
            },
            witness={room: [1]},
        )
        .start(f_0(x))
        .equals(
            lagrangian(x, lam, nu) - Sum(lam[i] * con(i, x), (i, 1, m)),
            because=r"$h_j(x)=0$",
        )
        .at_least(
            d - Sum(lam[i] * con(i, x), (i, 1, m)),
            because="$d$ is below the Lagrangian at every point",
            by=BELOW.at(x),
        )
        .at_least(
            d - Sum(lam[i] * room[i], (i, 1, m)),
            because=r"$\lambda_i\ge 0$ and $f_i(x)\le\varepsilon_i$",
            by=termwise(i),
        )
        .qed()
    )


@proves("lem-lagrangian-on-feasible")
def lagrangian_on_feasible() -> Theorem:
    r"""Derive that with equalities alone the Lagrangian is the objective at feasible points."""
    return (
        Derivation(
            "the Lagrangian where equations hold",
            given={"equations": for_each(j, 1, r, Eq(equ(j, x), 0))},
            witness=DISC,
        )
        .start(f_0(x) + Sum(nu[j] * equ(j, x), (j, 1, r)))
        .equals(f_0(x), because="every term of the sum is zero", by=termwise(j))
        .qed()
    )


@proves("lem-dual-concave")
def dual_is_concave() -> Theorem:
    r"""Derive that the dual function lies above its chords."""
    d_1, d_2 = reals("d_1 d_2")
    mixed, mixed_nu = real_family("alpha mu")
    here, there = lagrangian(x, lam, nu), lagrangian(x, eta, omega)
    return (
        Derivation(
            "the dual function is concave",
            given={
                **SHARE,
                "first bound": for_all(u, Le(d_1, lagrangian(u, lam, nu))),
                "second bound": for_all(u, Le(d_2, lagrangian(u, eta, omega))),
                "between": for_each(i, 1, m, Eq(mixed[i], t * lam[i] + (1 - t) * eta[i])),
                "between too": for_each(j, 1, r, Eq(mixed_nu[j], t * nu[j] + (1 - t) * omega[j])),
            },
            witness={
                **DISC,
                t: half,
                eta: [1],
                omega: [1],
                mixed: [half],
                mixed_nu: [3],
                d_1: 0,
                d_2: -1,
            },
        )
        .start(lagrangian(x, mixed, mixed_nu))
        .equals(t * here + (1 - t) * there, because="the Lagrangian is affine in the multipliers")
        .at_least(
            t * d_1 + (1 - t) * d_2,
            because="both bounds hold at $x$",
            by=(
                for_all(u, Le(d_1, lagrangian(u, lam, nu))).at(x),
                for_all(u, Le(d_2, lagrangian(u, eta, omega))).at(x),
            ),
        )
        .qed()
    )


PARABOLA = minimise(s**2, over=s, subject_to={"at least one": Ge(s, 1)}, name="the parabola")


@proves("lem-parabola-dual")
def parabola_dual() -> Theorem:
    r"""Derive the dual function of: minimise $s^2$ where $s\ge 1$."""
    price = reals("lambda")
    return (
        Derivation("dual of a parabola")
        .start(PARABOLA.lagrangian(**{"at least one": price}))
        .equals((s - price / 2) ** 2 + price - price**2 / 4, because="complete the square")
        .at_least(price - price**2 / 4, because=r"with equality at $s=\lambda/2$")
        .qed()
    )


# Subgradients g_i(x) of objective and inequalities; equations are affine, with gradients a_j(x).
g_0 = function("g_0", of="vector", to="vector")
slope, normal = (function(name, of=("integer", "vector"), to="vector") for name in "ga")
ABOVE = for_all(u, Ge(f_0(u), f_0(x) + dot(g_0(x), u - x)))
ABOVE_EACH = for_each(i, 1, m, for_all(u, Ge(con(i, u), con(i, x) + dot(slope(i, x), u - x))))
AFFINE = for_each(j, 1, r, for_all(u, Eq(equ(j, u), equ(j, x) + dot(normal(j, x), u - x))))
STATIONARY = Eq(
    g_0(x) + Sum(lam[i] * slope(i, x), (i, 1, m)) + Sum(nu[j] * normal(j, x), (j, 1, r)), 0
)
SLACKNESS = for_each(i, 1, m, Eq(lam[i] * con(i, x), 0))
kkt = feasible.with_(
    given={
        "objective": ABOVE,
        "constraints": ABOVE_EACH,
        "affine": AFFINE,
        "multipliers": NOT_NEGATIVE,
        "slackness": SLACKNESS,
        "stationary": STATIONARY,
    },
    witness={
        g_0: lambda w: 2 * w,
        slope: lambda i, w: 2 * w,
        normal: lambda j, w: 0 * w,
        z: [1],
    },
    name="a KKT point",
)


@proves("thm-kkt-no-gap")
def kkt_closes_the_gap() -> Theorem:
    r"""Derive that at a KKT point of a convex problem the Lagrangian is never below the value."""
    tangents = f_0(x) + dot(g_0(x), z - x)
    inequalities = Sum(lam[i] * (con(i, x) + dot(slope(i, x), z - x)), (i, 1, m))
    equations = Sum(nu[j] * dot(normal(j, x), z - x), (j, 1, r))
    return (
        Derivation("the KKT conditions close the gap", setting=kkt)
        .start(lagrangian(z, lam, nu))
        .equals(
            f_0(z) + Sum(lam[i] * con(i, z), (i, 1, m)) + equations,
            because="the equations are affine and hold at $x$",
            by=termwise(j, by=AFFINE.at(j, z)),
        )
        .at_least(
            tangents + Sum(lam[i] * con(i, z), (i, 1, m)) + equations,
            because="the objective is above its tangent at $x$",
            by=ABOVE.at(z),
        )
        .at_least(
            tangents + inequalities + equations,
            because=r"so are the constraints, and $\lambda_i\ge 0$",
            by=termwise(i, by=ABOVE_EACH.at(i, z)),
        )
        .equals(
            tangents + Sum(lam[i] * dot(slope(i, x), z - x), (i, 1, m)) + equations,
            because=r"complementary slackness: $\lambda_if_i(x)=0$",
        )
        .equals(f_0(x), because="stationarity, multiplied by the step from $x$ to $z$")
        .qed()
    )


@proves("thm-kkt-sufficient")
def kkt_sufficient() -> Theorem:
    r"""Derive that a KKT point of a convex problem is optimal."""
    return (
        Derivation(
            "the KKT conditions suffice",
            setting=kkt,
            given={"another": PROBLEM.feasible(x=z)},
            witness={z: [1]},
        )
        .start(f_0(z))
        .at_least(
            lagrangian(z, lam, nu),
            because=r"$z$ is feasible and $\lambda_i\ge 0$",
            by=_lagrangian_below()(x=z),
        )
        .at_least(f_0(x), because="the KKT conditions close the gap", by=kkt_closes_the_gap())
        .qed()
    )


def _lagrangian_below() -> Theorem:
    """Derive that the Lagrangian is at most the objective at feasible points."""
    return (
        Derivation(
            "the Lagrangian at feasible points",
            setting=feasible,
            given={"multipliers": NOT_NEGATIVE},
        )
        .start(lagrangian(x, lam, nu))
        .equals(
            f_0(x) + Sum(lam[i] * con(i, x), (i, 1, m)),
            because=r"$h_j(x)=0$ at a feasible point",
        )
        .at_most(f_0(x), because=r"$\lambda_i\ge 0$ and $f_i(x)\le 0$", by=termwise(i))
        .qed()
    )


@proves("thm-saddle-point")
def saddle_point() -> Theorem:
    r"""Derive that a KKT point of a convex problem is a saddle point of the Lagrangian."""
    return (
        Derivation(
            "a KKT point is a saddle point",
            setting=kkt,
            given={"other multipliers": for_each(i, 1, m, Ge(eta[i], 0))},
            witness={eta: [1], omega: [1]},
        )
        .start(lagrangian(x, eta, omega))
        .at_most(
            f_0(x),
            because="no multipliers make the Lagrangian larger at a feasible point",
            by=_lagrangian_below()(lambda_=eta, nu=omega),
        )
        .at_most(
            lagrangian(z, lam, nu),
            because="the KKT conditions close the gap",
            by=kkt_closes_the_gap(),
        )
        .qed()
    )


TIGHT = Eq(d, f_0(x))
INSIDE = {"from one": Ge(k, 1), "to the last": Le(k, m)}


@proves("lem-zero-gap-slackness")
def zero_gap_slackness() -> Theorem:
    r"""Derive complementary slackness of every constraint from a gap of zero."""
    terms = Sum(lam[i] * con(i, x), (i, 1, m))
    return (
        Derivation(
            "a zero gap leaves no slack",
            setting=bounded,
            given={"no gap": TIGHT, **INSIDE},
            witness={k: 1},
        )
        .start(lam[k] * con(k, x))
        .at_least(
            terms,
            because="the other terms of the sum are not positive",
            by=_one_term()(s=lambda i: lam[i] * con(i, x)),
        )
        .equals(lagrangian(x, lam, nu) - f_0(x), because="$h_j(x)=0$")
        .at_least(d - f_0(x), because="$d$ is below the Lagrangian", by=BELOW.at(x))
        .equals(0, because="no gap")
        .hence(Eq(lam[k] * con(k, x), 0), because="the product is not positive either")
        .qed()
    )


def _one_term() -> Theorem:
    """Derive that one term of a sum without positive terms is at least the sum."""
    terms = real_family("s")
    signs = {"not positive": for_each(i, 1, m, Le(terms[i], 0))}
    return (
        Derivation("one term of a sum", given={**INSIDE, **signs}, witness={k: 1, m: 1, terms: [0]})
        .start(Sum(terms[i], (i, 1, m)))
        .at_most(
            Sum(KroneckerDelta(i, k) * terms[i], (i, 1, m)),
            because="leave out what is not positive",
            by=termwise(i),
        )
        .equals(terms[k], because="one term is left")
        .qed()
    )


@proves("lem-inactive-multiplier")
def inactive_multiplier() -> Theorem:
    r"""Derive that an inactive constraint has multiplier zero (not the other way round)."""
    return (
        Derivation(
            "an inactive constraint costs nothing",
            given={"slack": Lt(con(i, x), 0), "slackness": Eq(lam[i] * con(i, x), 0)},
            witness={**DISC, i: 1},
        )
        .start(lam[i])
        .equals(0, because=r"divide $\lambda_if_i(x)=0$ by $f_i(x)<0$")
        .qed()
    )


@proves("thm-minimum-without-multiplier")
def minimum_without_multiplier() -> Theorem:
    r"""Derive that the least $s$ with $s^2\le 0$ has no multiplier."""
    price = reals("lambda")
    return impossible(
        "a minimum without a multiplier",
        given={"feasible": Le(s**2, 0), "stationary": Eq(1 + 2 * price * s, 0)},
        no=price,
        witness={s: 0},
    )


@proves("thm-gap-without-slater")
def gap_without_slater() -> Theorem:
    r"""Derive that no positive number bounds the Lagrangian of: least $e^{-p}$, $p^2/q\le 0$."""
    price = reals("lambda")
    return (
        Derivation(
            "a gap without Slater",
            given={
                "positive": Gt(d, 0),
                "multiplier": Ge(price, 0),
                "far": Eq(d * s, 1 + price),
            },
            witness={d: 1, price: 1, s: 2},
        )
        .start(exp(-s) + price / s)
        .less_than(
            1 / s + price / s,
            because=r"$e^s\ge 1+s>s$, and $s>0$",
            by=using(Gt(s, 0), Ge(exp(s), 1 + s)),
        )
        .equals(d, because=r"$ds=1+\lambda$")
        .qed()
    )


shares, counts = real_family("pi N", positive=True)
S = reals("S", positive=True)
SEEN = Eq(Sum(counts[k], (k, 1, K)), S)
THROWS = {K: 2, shares: [half, half], counts: [1, 3], S: 4}


@proves("thm-die-mle")
def die_mle() -> Theorem:
    r"""Derive that no die is more likely than the one with the relative frequencies."""
    ratio = shares[k] * S / counts[k]
    return (
        Derivation(
            "the most likely die",
            given={"at most one": Le(Sum(shares[k], (k, 1, K)), 1), "seen": SEEN},
            witness=THROWS,
        )
        .start(Sum(counts[k] * log(shares[k]), (k, 1, K)))
        .equals(
            Sum(counts[k] * log(counts[k] / S) + counts[k] * log(ratio), (k, 1, K)),
            because=r"$\pi_k=\frac{N_k}S\cdot\frac{\pi_kS}{N_k}$",
            by=termwise(k),
        )
        .at_most(
            Sum(counts[k] * log(counts[k] / S) + shares[k] * S - counts[k], (k, 1, K)),
            because=r"$\log u\le u-1$",
            by=termwise(k, by=using(Le(log(ratio), ratio - 1))),
        )
        .at_most(
            Sum(counts[k] * log(counts[k] / S), (k, 1, K)),
            because=r"$\sum_k\pi_k\le1$ and $\sum_kN_k=S$",
        )
        .qed()
    )


@proves("thm-squared-constraint-mle")
def squared_constraint_mle() -> Theorem:
    r"""Derive the maximum of $\sum_kN_k\log\pi_k$ on the positive part of the sphere."""
    return (
        Derivation(
            "the most likely point of a sphere",
            given={"at most one": Le(Sum(shares[k] ** 2, (k, 1, K)), 1), "seen": SEEN},
            witness={**THROWS, shares: [Rational(3, 5), Rational(4, 5)]},
        )
        .start(Sum(2 * counts[k] * log(shares[k]), (k, 1, K)))
        .equals(
            Sum(counts[k] * log(shares[k] ** 2), (k, 1, K)),
            because=r"put $u_k=\pi_k^2$",
            by=termwise(k),
        )
        .at_most(
            Sum(counts[k] * log(counts[k] / S), (k, 1, K)),
            because=r"the $u_k$ are the faces of a die",
            by=apply(die_mle(), {shares: Lambda(k, shares[k] ** 2)}),
        )
        .qed()
    )


# Ridge regression with residuals as variables of their own.
theta = vectors("theta")
points = vector_family("x")
y, xi, alpha = real_family("y xi alpha")
tau = reals("tau", positive=True)
FIT = Sum(alpha[i] * points[i], (i, 1, n))
RIDGE = minimise(
    tau * norm2(theta) + Sum(xi[i] ** 2, (i, 1, n)),
    over=(theta, xi),
    subject_to={"residuals": for_each(i, 1, n, Eq(xi[i], y[i] - dot(points[i], theta)))},
    name="ridge regression",
)
RIDGE_DUAL = RIDGE.dual(
    2 * tau * Sum(alpha[i] * y[i], (i, 1, n))
    - tau * norm2(FIT)
    - tau**2 * Sum(alpha[i] ** 2, (i, 1, n)),
    over=alpha,
    name="the dual of ridge regression",
)
RIDGE_LAGRANGIAN = RIDGE.value() + 2 * tau * Sum(
    alpha[i] * (y[i] - dot(points[i], theta) - xi[i]), (i, 1, n)
)
ridge = Setting(
    "ridge regression",
    given={"problem": RIDGE, "dual": RIDGE_DUAL},
    witness={n: 1, points: [[1]], y: [2], theta: [1], xi: [1], alpha: [1], tau: 1},
)


@proves("lem-ridge-dual")
def ridge_dual() -> Theorem:
    r"""Derive the dual of ridge regression by completing two squares."""
    return (
        Derivation("the dual of ridge regression")
        .start(RIDGE_LAGRANGIAN)
        .equals(
            RIDGE_DUAL.value()
            + tau * norm2(theta - FIT)
            + Sum((xi[i] - tau * alpha[i]) ** 2, (i, 1, n)),
            because=r"complete the squares in $\theta$ and in each $\xi_i$",
        )
        .at_least(
            RIDGE_DUAL.value(),
            because=r"with equality for $\theta=\sum_i\alpha_ix_i$ and $\xi_i=\tau\alpha_i$",
        )
        .qed()
    )


@proves("thm-ridge-weak-duality")
def ridge_weak_duality() -> Theorem:
    r"""Derive that every dual value of ridge regression is below every primal one."""
    return (
        Derivation("weak duality of ridge regression", setting=ridge)
        .start(RIDGE.value())
        .equals(RIDGE_LAGRANGIAN, because="the constraints hold: every added term is zero")
        .at_least(
            RIDGE_DUAL.value(),
            because="the dual is the least value of the Lagrangian",
            by=ridge_dual(),
        )
        .qed()
    )


@proves("thm-ridge-no-gap")
def ridge_no_gap() -> Theorem:
    r"""Derive that the gap of ridge regression closes where the multipliers are the residuals."""
    return (
        Derivation(
            "no gap in ridge regression",
            setting=ridge,
            given={
                "weights": Eq(theta, FIT),
                "multipliers": for_each(i, 1, n, Eq(xi[i], tau * alpha[i])),
            },
        )
        .start(RIDGE.value())
        .equals(RIDGE_LAGRANGIAN, because="the constraints hold: every added term is zero")
        .equals(
            RIDGE_DUAL.value()
            + tau * norm2(theta - FIT)
            + Sum((xi[i] - tau * alpha[i]) ** 2, (i, 1, n)),
            because="complete the squares",
        )
        .equals(RIDGE_DUAL.value(), because="both squares vanish")
        .qed()
    )
