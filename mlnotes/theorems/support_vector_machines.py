"""Support vector machines: the widest margin, the price of slack, the dual and its gap.

The hard margin minimises ½‖θ‖² under y_i(⟨θ, x_i⟩ + θ₀) ≥ 1; the soft one pays C ξ_i for a margin
of 1 − ξ_i. Both are problems in the sense of ``mlnotes.proof.minimise``, and so is the dual. The
gap between a primal and a dual value is a sum of three terms, ``duality_gap``; weak duality says
that none of them is negative, and the optimality conditions that all of them vanish. What these
conditions say of a single point goes one way only: a point on the margin may have α_i = 0.
"""

from __future__ import annotations

from typing import Any

from mlnotes.proof import (
    And,
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
    Setting,
    Sum,
    Theorem,
    apply,
    as_written,
    cases,
    dot,
    for_all,
    for_each,
    grad,
    indices,
    integers,
    minimise,
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
from mlnotes.theorems.library import cauchy_schwarz, parallelogram

n = integers("n", positive=True)
i, j, k, ell = indices("i j k l")
theta, h, u, v = vectors("theta h u v")
point, on_plane = vectors("x p")
x = vector_family("x")
y, alpha, xi, eta, mu = real_family("y alpha xi eta mu")
new, q = real_family("a q")
theta_0, b, c, s, t, z, z1, z2 = reals("theta_0 b c s t z z_1 z_2")
label, slack = reals("y xi")
C, C1, C2, gamma, curvature = reals("C C_1 C_2 gamma kappa", positive=True)
half = Rational(1, 2)


def margin(weights: Any, offset: Any, i: Any) -> Any:
    """Return the functional margin of point i."""
    return y[i] * (dot(weights, x[i]) + offset)


def hinge(weights: Any, offset: Any, i: Any) -> Any:
    """Return the hinge loss of point i."""
    return Max(0, 1 - margin(weights, offset, i))


def at(term: Any, values: dict[Any, Any]) -> Any:
    """Return a term at other values of its symbols."""
    return substitute(term, values)


MARGIN = margin(theta, theta_0, k)
with as_written():
    MARGINS = for_each(i, 1, n, Ge(margin(theta, theta_0, i), 1))
    SLACK_MARGINS = for_each(i, 1, n, Ge(margin(theta, theta_0, i), 1 - xi[i]))
    COMPLEMENTARY = for_each(i, 1, n, Eq(alpha[i] * (margin(theta, theta_0, i) - 1), 0))
    TOUCHING = for_each(i, 1, n, Eq(alpha[i] * (margin(theta, theta_0, i) - 1 + xi[i]), 0))
    UNPAID = for_each(i, 1, n, Eq((C - alpha[i]) * xi[i], 0))
SLACKS = for_each(i, 1, n, Ge(xi[i], 0))
BALANCED = Eq(Sum(alpha[i] * y[i], (i, 1, n)), 0)
SHARED = for_each(i, 1, n, Eq(alpha[i] + mu[i], C))
POSITIVE = for_each(i, 1, n, Ge(alpha[i], 0))
SIGNS = for_each(i, 1, n, Eq(y[i] ** 2, 1))

SPAN = Sum(alpha[i] * y[i] * x[i], (i, 1, n))
TOTAL = Sum(alpha[i], (i, 1, n))
WEIGHTS = Eq(theta, SPAN)
with as_written():
    DUAL = TOTAL - half * Sum(
        alpha[i] * alpha[j] * y[i] * y[j] * dot(x[i], x[j]), (i, 1, n), (j, 1, n)
    )
    PRIMAL = half * norm2(theta) + C * Sum(xi[i], (i, 1, n))

# What a plane with its slacks costs, what multipliers are worth, the losses of a plane without
# their price, and what the plane costs if each point is given the least slack that it needs.
primal = quantity("P", theta, xi, is_=PRIMAL)
dual = quantity("D", alpha, is_=DUAL)
losses = quantity("S", theta, theta_0, is_=Sum(hinge(theta, theta_0, i), (i, 1, n)))
with as_written():
    COST = half * norm2(theta) + C * Sum(hinge(theta, theta_0, i), (i, 1, n))
cost = quantity("J", theta, theta_0, is_=COST)

HARD = minimise(
    half * norm2(theta),
    over=(theta, theta_0),
    subject_to={"margins": MARGINS},
    name="the hard-margin problem",
)
SOFT = minimise(
    PRIMAL,
    over=(theta, theta_0, xi),
    subject_to={"margins": SLACK_MARGINS, "slacks": SLACKS},
    name="the soft-margin problem",
)
SOFT_DUAL = SOFT.dual(
    DUAL,
    over=alpha,
    subject_to={
        "balanced": BALANCED,
        "box": for_each(i, 1, n, And(Le(0, alpha[i]), Le(alpha[i], C))),
    },
    name="the dual problem",
)
HARD_DUAL = HARD.dual(
    DUAL, over=alpha, subject_to={"balanced": BALANCED, "signs": POSITIVE}, name="the hard dual"
)
hard_lagrangian = quantity("L_h", theta, theta_0, is_=HARD.lagrangian(margins=alpha))()
lagrangian = quantity("L", theta, theta_0, xi, is_=SOFT.lagrangian(margins=alpha, slacks=mu))
soft_lagrangian = lagrangian()

# (1, 0) and (-1, 0) with labels +, - and a third point (3, 0) beyond the margin.
SOLUTION = {
    n: 3,
    x: [[1, 0], [-1, 0], [3, 0]],
    y: [1, -1, 1],
    alpha: [half, half, 0],
    theta: [1, 0],
    theta_0: 0,
    xi: [0, 0, 0],
    mu: [half, half, 1],
    C: 1,
    k: 1,
}
# A point with margin 0 among others: it pays slack 1 and carries the full multiplier.
INSIDE = {
    **SOLUTION,
    x: [[3, 0], [-1, 0], [0, 0]],
    alpha: [0, 1, 1],
    xi: [0, 0, 1],
    k: 3,
}

hard = Setting("hard margin", given={"problem": HARD, "dual": HARD_DUAL}, witness=SOLUTION)
hard_optimum = hard.with_(
    given={"weights": WEIGHTS, "complementary": COMPLEMENTARY}, name="hard optimum"
)
soft = Setting("soft margin", given={"problem": SOFT, "dual": SOFT_DUAL}, witness=SOLUTION)
optimum = soft.with_(
    given={"weights": WEIGHTS, "touching": TOUCHING, "unpaid": UNPAID}, name="optimum"
)
HERE = {"first": Ge(k, 1), "last": Le(k, n)}


# Planes


@proves("lem-svm-distance")
def distance() -> Theorem:
    r"""Derive that no point of the plane is nearer than $|f(x)|/\lVert\theta\rVert$."""
    return (
        Derivation(
            "the distance to a plane",
            given={"plane": Eq(dot(theta, on_plane) + theta_0, 0)},
            witness={theta: [3, 4], on_plane: [0, 0], theta_0: 0},
        )
        .start((dot(theta, point) + theta_0) ** 2)
        .equals(
            dot(theta, point - on_plane) ** 2,
            because=r"$\theta_0=-\langle\theta,p\rangle$ on the plane",
        )
        .at_most(
            norm2(theta) * norm2(point - on_plane),
            because="Cauchy–Schwarz, squared",
            by=using(cauchy_schwarz()(u=theta, v=point - on_plane)),
        )
        .qed()
    )


@proves("lem-svm-foot")
def foot_of_the_perpendicular() -> Theorem:
    r"""Derive that the bound on the distance is attained, at the foot of the perpendicular."""
    nearest = point - (dot(theta, point) + theta_0) / norm2(theta) * theta
    return (
        Derivation("the foot", given={"nonzero": Gt(norm2(theta), 0)}, witness={theta: [3, 4]})
        .start(dot(theta, nearest) + theta_0)
        .equals(
            dot(theta, point)
            - (dot(theta, point) + theta_0) * norm2(theta) / norm2(theta)
            + theta_0,
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
            given={
                "label": Eq(label**2, 1),
                "margin": Ge(label * (dot(theta, point) + theta_0), gamma),
                "shift": And(Lt(-gamma, t), Lt(t, gamma)),
            },
            witness={label: -1, theta: [1, 0], point: [-2, 0], theta_0: 0, gamma: 2, t: 1},
        )
        .start(label * (dot(theta, point) + (theta_0 + t)))
        .equals(label * (dot(theta, point) + theta_0) + label * t, because="sort the terms")
        .at_least(gamma + label * t, because=r"the margin is at least $\gamma$")
        .greater_than(
            0,
            because=r"$yt>-\gamma$, since $y$ is $1$ or $-1$",
            by=cases(Eq(label, 1), Eq(label, -1)),
        )
        .qed()
    )


@proves("lem-svm-canonical")
def canonical() -> Theorem:
    r"""Derive that dividing by the margin makes it 1."""
    wide = for_each(i, 1, n, Ge(margin(theta, theta_0, i), gamma))
    return (
        Derivation(
            "the canonical form",
            given={**HERE, "margins": wide},
            witness={**SOLUTION, theta: [2, 0], gamma: 2},
        )
        .start(margin(theta / gamma, theta_0 / gamma, k))
        .equals(MARGIN / gamma, because="the margin is homogeneous")
        .at_least(1, because=r"it is at least $\gamma>0$")
        .qed()
    )


@proves("lem-svm-translation")
def translation() -> Theorem:
    r"""Derive that moving points and plane together changes no margin."""
    return (
        Derivation("a moved plane")
        .start(label * (dot(theta, point + v) + (theta_0 - dot(theta, v))))
        .equals(
            label * (dot(theta, point) + theta_0),
            because=r"the offset takes up $\langle\theta,v\rangle$",
        )
        .qed()
    )


# The soft margin, and its weights


@proves("lem-svm-least-slack")
def least_slack() -> Theorem:
    r"""Derive that no feasible slack is below the hinge loss."""
    return (
        Derivation(
            "the least slack",
            given={"sign": Ge(slack, 0), "margin": Ge(z, 1 - slack)},
            witness={slack: 1, z: half},
        )
        .start(slack)
        .at_least(Max(0, 1 - z), because=r"$\xi\ge 0$ and $\xi\ge 1-z$")
        .qed()
    )


@proves("lem-svm-slack-none")
def slack_none() -> Theorem:
    r"""Derive that a point on or beyond its margin needs no slack."""
    return (
        Derivation("on or beyond the margin", given={"beyond": Ge(z, 1)}, witness={z: 2})
        .start(Max(0, 1 - z))
        .equals(0, because=r"$1-z\le 0$")
        .qed()
    )


@proves("lem-svm-slack-violation")
def slack_violation() -> Theorem:
    r"""Derive that inside the margin the least slack is the violation itself."""
    return (
        Derivation("inside the margin", given={"inside": Lt(z, 1)}, witness={z: half})
        .start(Max(0, 1 - z))
        .equals(1 - z, because=r"$1-z>0$")
        .qed()
    )


# Two planes with their slacks, both feasible and neither dearer than any plane with the least
# slacks that it needs: both solve the soft-margin problem.
FIRST, SECOND = {"theta": u, "theta_0": b, "xi": xi}, {"theta": v, "theta_0": c, "xi": eta}
TWO_SOLUTIONS = {
    "first feasible": SOFT.feasible(**FIRST),
    "second feasible": SOFT.feasible(**SECOND),
    "first best": for_all((theta, theta_0), Le(primal(u, xi), cost(theta, theta_0))),
    "second best": for_all((theta, theta_0), Le(primal(v, eta), cost(theta, theta_0))),
}
MEAN = (u + v) / 2, (b + c) / 2
PAIR = {n: 1, x: [[0]], y: [1], u: [0], v: [0], b: 1, c: 2, xi: [0], eta: [0], C: 1, k: 1}


@proves("lem-svm-average-feasible")
def average_feasible() -> Theorem:
    r"""Derive that the mean of two feasible planes is feasible, with the mean of their slacks."""
    return (
        Derivation(
            "the mean of two planes",
            given={
                **HERE,
                "first feasible": TWO_SOLUTIONS["first feasible"],
                "second feasible": TWO_SOLUTIONS["second feasible"],
            },
            witness=PAIR,
        )
        .start(margin(*MEAN, k))
        .equals((margin(u, b, k) + margin(v, c, k)) / 2, because="margins are affine in the plane")
        .at_least(1 - (xi[k] + eta[k]) / 2, because="the mean of two inequalities")
        .qed()
    )


@proves("lem-svm-average-cost")
def average_cost() -> Theorem:
    r"""Derive by how much the mean of two different planes is cheaper."""
    feasible = {name: TWO_SOLUTIONS[name] for name in ("first feasible", "second feasible")}
    return (
        Derivation("the cost of the mean", given=feasible, witness=PAIR)
        .start(cost(*MEAN))
        .at_most(
            norm2(MEAN[0]) / 2 + C * Sum((xi[i] + eta[i]) / 2, (i, 1, n)),
            because="the mean of the slacks is feasible, and the hinge loss is the least slack",
            by=termwise(i, by=_mean_slack()(k=i)),
        )
        .equals(
            (primal(u, xi) + primal(v, eta)) / 2 - norm2(u - v) / 8,
            because="the parallelogram law",
            by=using(parallelogram()(u=u, v=v)),
        )
        .qed()
    )


def _mean_slack() -> Theorem:
    """Derive that the mean of two slacks is enough for the mean of two planes."""
    feasible = {name: TWO_SOLUTIONS[name] for name in ("first feasible", "second feasible")}
    return (
        Derivation("the mean of two slacks", given={**HERE, **feasible}, witness=PAIR)
        .start(hinge(*MEAN, k))
        .at_most(
            (xi[k] + eta[k]) / 2,
            because="no feasible slack is below the hinge loss",
            by=using(
                average_feasible(),
                least_slack()(xi=(xi[k] + eta[k]) / 2, z=margin(*MEAN, k)),
            ),
        )
        .qed()
    )


@proves("thm-svm-unique-weights")
def unique_weights() -> Theorem:
    r"""Derive that two optimal planes have the same weights."""
    best = [TWO_SOLUTIONS[name].at(*MEAN) for name in ("first best", "second best")]
    return (
        Derivation("the weights are unique", given=TWO_SOLUTIONS, witness=PAIR)
        .start(norm2(u - v))
        .at_most(
            4 * (primal(u, xi) + primal(v, eta)) - 8 * cost(*MEAN),
            because="the mean of the two planes is feasible, and its weights are shorter",
            by=using(average_cost()),
        )
        .at_most(0, because="neither of the two costs more than their mean", by=using(*best))
        .hence(Eq(u, v), because="only zero has no length")
        .qed()
    )


@proves("lem-svm-shorter-mean")
def shorter_mean() -> Theorem:
    r"""Derive that two vectors are equal if neither is longer than their mean."""
    return (
        Derivation(
            "the mean of two vectors",
            given={
                "first": Le(norm2(u), norm2(MEAN[0])),
                "second": Le(norm2(v), norm2(MEAN[0])),
            },
            witness={u: [1], v: [1]},
        )
        .start(norm2(u - v))
        .equals(
            2 * norm2(u) + 2 * norm2(v) - 4 * norm2(MEAN[0]),
            because="the parallelogram law",
            by=using(parallelogram()(u=u, v=v)),
        )
        .at_most(0, because="neither is longer than the mean")
        .hence(Eq(u, v), because="only zero has no length")
        .qed()
    )


# Two prices of slack, and a solution at each.
CHEAP, DEAR = (
    minimise(
        half * norm2(theta) + price * losses(theta, theta_0),
        over=(theta, theta_0),
        name=f"the soft-margin problem at the {name} price",
    )
    for price, name in ((C1, "lower"), (C2, "higher"))
)
PRICES = {
    "cheap": CHEAP.optimal(theta=u, theta_0=b),
    "dear": DEAR.optimal(theta=v, theta_0=c),
    "dearer": Lt(C1, C2),
}
DEARER = {n: 1, x: [[0]], y: [1], u: [0], v: [0], b: 1, c: 2, C1: 1, C2: 2}


@proves("thm-svm-slack-falls")
def slack_falls() -> Theorem:
    r"""Derive that total slack does not grow with its price."""
    return (
        Derivation("slack falls with its price", given=PRICES, witness=DEARER)
        .start(losses(v, c))
        .at_most(
            losses(u, b),
            because=r"each is the better one at its own price: add the two comparisons and divide "
            r"by $C_2-C_1>0$",
            by=using(PRICES["cheap"].at(v, c), PRICES["dear"].at(u, b)),
        )
        .qed()
    )


@proves("thm-svm-norm-grows")
def norm_grows() -> Theorem:
    r"""Derive that the norm of the weights does not fall with the price of slack."""
    return (
        Derivation("the norm grows with the price", given=PRICES, witness=DEARER)
        .start(norm2(u))
        .at_most(
            norm2(v) + 2 * C1 * (losses(v, c) - losses(u, b)),
            because=r"$(u,b)$ is the better one at the price $C_1$",
            by=using(PRICES["cheap"].at(v, c)),
        )
        .at_most(norm2(v), because="total slack did not grow", by=using(slack_falls()))
        .qed()
    )


# The hinge loss


@proves("lem-svm-hinge-dominates")
def hinge_dominates() -> Theorem:
    r"""Derive that the hinge loss is at least one on every error."""
    return (
        Derivation("the hinge on an error", given={"error": Le(z, 0)}, witness={z: -1})
        .start(Max(0, 1 - z))
        .at_least(1 - z, because="the larger of the two")
        .at_least(1, because=r"$z\le 0$")
        .qed()
    )


@proves("lem-svm-hinge-convex")
def hinge_convex() -> Theorem:
    r"""Derive that the hinge loss lies below its chords."""
    return (
        Derivation(
            "the hinge is convex",
            given={"share": And(Le(0, t), Le(t, 1))},
            witness={t: half, z1: 0, z2: 2},
        )
        .start(Max(0, 1 - (t * z1 + (1 - t) * z2)))
        .at_most(
            t * Max(0, 1 - z1) + (1 - t) * Max(0, 1 - z2),
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
            given={"inside": Lt(label * dot(theta, point), 1)},
            witness={label: 1, theta: [0], point: [1]},
        )
        .start(Max(0, 1 - label * dot(v, point)))
        .at_least(1 - label * dot(v, point), because="the larger of the two")
        .equals(
            Max(0, 1 - label * dot(theta, point)) + dot(-label * point, v - theta),
            because=r"at $\theta$ the larger of the two is $1-y\langle\theta,x\rangle$",
        )
        .qed()
    )


@proves("lem-svm-visit")
def one_visit() -> Theorem:
    r"""Derive that a visit keeps the weights a multiple of the sum of what was added."""
    rate = C * n / t
    return (
        Derivation(
            "one visit",
            given={"visits": Gt(t, 1), "weights": Eq(theta, C * n / (t - 1) * u)},
            witness={t: 2, C: 3, n: 1, u: [1, 0], theta: [3, 0]},
        )
        .start(theta - theta / t + rate * v)
        .equals((1 - 1 / t) * (C * n / (t - 1)) * u + rate * v, because="what the weights were")
        .equals(rate * (u + v), because=r"$(1-\frac1t)\frac1{t-1}=\frac1t$")
        .qed()
    )


# The Lagrangians


def _in_weights(title: str, lagrangian: Any, reason: str) -> Theorem:
    """Derive the gradient of a Lagrangian in the weights, and the remainder."""
    return (
        Derivation(title)
        .start(at(lagrangian, {theta: theta + h}) - lagrangian)
        .equals(
            dot(grad(lagrangian, theta), h) + norm2(h) / 2,
            because=r"the gradient in $\theta$ along $h$, and a remainder of second order",
        )
        .equals(dot(theta - SPAN, h) + norm2(h) / 2, because=reason)
        .qed()
    )


def _in_offset(title: str, lagrangian: Any) -> Theorem:
    r"""Derive that a Lagrangian is affine in the offset with slope $-\sum_i\alpha_iy_i$."""
    return (
        Derivation(title)
        .start(at(lagrangian, {theta_0: theta_0 + t}) - lagrangian)
        .equals(
            t * grad(lagrangian, theta_0), because=r"affine in $\theta_0$, so there is no remainder"
        )
        .equals(
            -t * Sum(alpha[i] * y[i], (i, 1, n)),
            because=r"bounded below in $t$ only if $\sum_i\alpha_iy_i=0$",
        )
        .qed()
    )


@proves("lem-svm-stationary-w")
def stationary_in_weights() -> Theorem:
    r"""Derive the gradient of the hard margin's Lagrangian in the weights."""
    return _in_weights(
        "the Lagrangian in the weights",
        hard_lagrangian,
        r"the gradient is $\theta-\sum_i\alpha_iy_ix_i$",
    )


@proves("lem-svm-stationary-b")
def stationary_in_offset() -> Theorem:
    r"""Derive that the hard margin's Lagrangian is affine in the offset."""
    return _in_offset("the Lagrangian in the offset", hard_lagrangian)


@proves("lem-svm-soft-stationary-w")
def soft_stationary_in_weights() -> Theorem:
    r"""Derive the gradient of the soft margin's Lagrangian in the weights."""
    return _in_weights(
        "the soft Lagrangian in the weights",
        soft_lagrangian,
        r"no slack is multiplied by $\theta$: the gradient is $\theta-\sum_i\alpha_iy_ix_i$",
    )


@proves("lem-svm-soft-stationary-b")
def soft_stationary_in_offset() -> Theorem:
    r"""Derive that the soft margin's Lagrangian is affine in the offset."""
    return _in_offset("the soft Lagrangian in the offset", soft_lagrangian)


@proves("lem-svm-soft-stationary-xi")
def soft_stationary_in_slack() -> Theorem:
    r"""Derive that the Lagrangian is affine in $\xi_k$ with slope $C-\alpha_k-\mu_k$."""
    moved = for_each(i, 1, n, Eq(eta[i], xi[i] + t * KroneckerDelta(i, k)))
    return (
        Derivation(
            "the soft Lagrangian in a slack",
            given={**HERE, "moved": moved},
            witness={k: 2, n: 2, xi: [0, 1], eta: [0, 3], t: 2},
        )
        .start(lagrangian(theta, theta_0, eta) - soft_lagrangian)
        .equals(
            Sum((C - alpha[i] - mu[i]) * (eta[i] - xi[i]), (i, 1, n)),
            because="each slack costs $C$ and stands in two constraints",
        )
        .equals(
            Sum((C - alpha[i] - mu[i]) * t * KroneckerDelta(i, k), (i, 1, n)),
            because=r"only $\xi_k$ is moved",
            by=termwise(i),
        )
        .equals(t * (C - alpha[k] - mu[k]), because="one term is left")
        .qed()
    )


# The duals


@proves("thm-svm-hard-dual")
def hard_dual() -> Theorem:
    r"""Derive that the hard Lagrangian exceeds the dual objective by a square."""
    return (
        Derivation("dual of the hard margin", setting=hard)
        .start(hard_lagrangian)
        .equals(
            norm2(theta) / 2 - dot(theta, SPAN) + TOTAL,
            because=r"sort the terms: the multipliers are balanced, $\sum_i\alpha_iy_i=0$",
        )
        .equals(TOTAL - norm2(SPAN) / 2 + norm2(theta - SPAN) / 2, because="complete the square")
        .equals(dual(alpha) + norm2(theta - SPAN) / 2, because="expand the squared norm of a sum")
        .qed()
    )


@proves("thm-svm-soft-dual")
def soft_dual() -> Theorem:
    r"""Derive that the soft Lagrangian exceeds the same dual objective by the same square."""
    return (
        Derivation("dual of the soft margin", setting=soft, given={"shared": SHARED})
        .start(soft_lagrangian)
        .equals(
            hard_lagrangian + Sum((C - alpha[i] - mu[i]) * xi[i], (i, 1, n)),
            because=r"collect what multiplies each $\xi_i$",
        )
        .equals(hard_lagrangian, because=r"$\alpha_i+\mu_i=C$")
        .equals(
            dual(alpha) + norm2(theta - SPAN) / 2,
            because="what is left is the Lagrangian of the hard margin",
            by=hard_dual(),
        )
        .qed()
    )


@proves("lem-svm-dual-box")
def dual_box() -> Theorem:
    r"""Derive $\alpha_i\le C$ from $\mu_i\ge 0$."""
    return (
        Derivation(
            "the box of the soft dual",
            given={**HERE, "shared": SHARED, "signs": for_each(i, 1, n, Ge(mu[i], 0))},
            witness=SOLUTION,
        )
        .start(alpha[k])
        .equals(C - mu[k], because=r"$\alpha_k+\mu_k=C$")
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


# The gap


def residual(i: Any) -> Any:
    """Return what a multiplier pays for a margin that is not touched."""
    return alpha[i] * (margin(theta, theta_0, i) - 1 + xi[i])


def unpaid(i: Any) -> Any:
    """Return what a slack pays for a multiplier that is not full."""
    return (C - alpha[i]) * xi[i]


with as_written():
    RESIDUALS = half * norm2(theta - SPAN) + Sum(residual(i), (i, 1, n)) + Sum(unpaid(i), (i, 1, n))


@proves("thm-svm-gap")
def duality_gap() -> Theorem:
    r"""Derive that the duality gap is a square and two sums of products."""
    return (
        Derivation("the duality gap", setting=soft)
        .start(primal(theta, xi) - dual(alpha))
        .equals(
            norm2(theta) / 2 - TOTAL + norm2(SPAN) / 2 + Sum(C * xi[i], (i, 1, n)),
            because="the quadratic form is a squared norm",
        )
        .equals(
            norm2(theta - SPAN) / 2
            + Sum(alpha[i] * margin(theta, theta_0, i), (i, 1, n))
            - TOTAL
            + Sum(C * xi[i], (i, 1, n)),
            because=r"complete the square and add $\theta_0\sum_i\alpha_iy_i=0$",
        )
        .equals(RESIDUALS, because=r"divide $C\xi_i$ into $\alpha_i\xi_i$ and $(C-\alpha_i)\xi_i$")
        .qed()
    )


@proves("thm-svm-soft-weak-duality")
def soft_weak_duality() -> Theorem:
    r"""Derive that no dual value exceeds the primal value of any feasible plane."""
    return (
        Derivation("weak duality of the soft margin", setting=soft)
        .start(dual(alpha))
        .equals(primal(theta, xi) - RESIDUALS, because="the gap", by=using(duality_gap()))
        .at_most(
            primal(theta, xi) - Sum(residual(i), (i, 1, n)) - Sum(unpaid(i), (i, 1, n)),
            because="a square is not negative",
        )
        .at_most(
            primal(theta, xi) - Sum(unpaid(i), (i, 1, n)),
            because=r"$\alpha_i\ge 0$ and every margin constraint holds",
            by=termwise(i),
        )
        .at_most(primal(theta, xi), because=r"$\alpha_i\le C$ and $\xi_i\ge 0$", by=termwise(i))
        .qed()
    )


@proves("thm-svm-soft-strong-duality")
def soft_zero_gap() -> Theorem:
    r"""Derive that the optimality conditions close the gap of the soft margin."""
    return (
        Derivation("zero gap of the soft margin", setting=optimum)
        .start(primal(theta, xi) - dual(alpha))
        .equals(RESIDUALS, because="the gap", by=duality_gap())
        .equals(
            Sum(residual(i), (i, 1, n)) + Sum(unpaid(i), (i, 1, n)),
            because=r"$\theta=\sum_i\alpha_iy_ix_i$",
        )
        .equals(0, because="every term of the two sums is zero")
        .hence(Eq(primal(theta, xi), dual(alpha)), because="the difference is zero")
        .qed()
    )


@proves("thm-svm-kkt-optimal")
def kkt_optimal() -> Theorem:
    r"""Derive that a plane which satisfies the optimality conditions solves the problem."""
    return (
        Derivation(
            "the optimality conditions suffice",
            given={
                "problem": SOFT,
                "dual": SOFT_DUAL,
                "weights": WEIGHTS,
                "touching": TOUCHING,
                "unpaid": UNPAID,
                "rival": SOFT.feasible(theta=u, theta_0=c, xi=eta),
            },
            witness={**SOLUTION, u: [half, 1], c: 0, eta: [1, 1, 0]},
        )
        .start(primal(theta, xi))
        .equals(dual(alpha), because="there is no gap", by=using(soft_zero_gap()))
        .at_most(
            primal(u, eta),
            because="weak duality, for the other plane",
            by=apply(soft_weak_duality(), {theta: u, theta_0: c, xi: eta}),
        )
        .qed()
    )


@proves("thm-svm-hard-weak-duality")
def hard_weak_duality() -> Theorem:
    r"""Derive that no dual value exceeds the primal value of any separating plane."""
    return (
        Derivation("weak duality of the hard margin", setting=hard)
        .start(dual(alpha))
        .at_most(dual(alpha) + norm2(theta - SPAN) / 2, because="a square is not negative")
        .equals(hard_lagrangian, because="the Lagrangian", by=using(hard_dual()))
        .at_most(
            half * norm2(theta),
            because=r"$\alpha_i\ge 0$ and every constraint holds",
            by=termwise(i),
        )
        .qed()
    )


@proves("thm-svm-hard-strong-duality")
def hard_zero_gap() -> Theorem:
    r"""Derive that the optimality conditions close the gap of the hard margin."""
    return (
        Derivation("zero gap of the hard margin", setting=hard_optimum)
        .start(dual(alpha))
        .equals(dual(alpha) + norm2(theta - SPAN) / 2, because=r"$\theta=\sum_i\alpha_iy_ix_i$")
        .equals(hard_lagrangian, because="the Lagrangian", by=using(hard_dual()))
        .equals(
            half * norm2(theta),
            because="complementary slackness: every term of the sum is zero",
            by=termwise(i),
        )
        .qed()
    )


@proves("lem-svm-norm-is-sum")
def norm_is_sum() -> Theorem:
    r"""Derive $\lVert\theta\rVert^2=\sum_i\alpha_i$ at the hard-margin optimum."""
    return (
        Derivation("squared norm of the optimum", setting=hard_optimum)
        .start(norm2(theta))
        .equals(dot(theta, SPAN), because=r"$\theta=\sum_i\alpha_iy_ix_i$ in one of the two places")
        .equals(
            Sum(alpha[i] * margin(theta, theta_0, i), (i, 1, n)),
            because=r"linearity, and $\theta_0\sum_i\alpha_iy_i=0$",
        )
        .equals(TOTAL, because=r"complementary slackness: $\alpha_iy_if(x_i)=\alpha_i$")
        .qed()
    )


@proves("thm-svm-large-price")
def large_price() -> Theorem:
    r"""Derive that the hard margin is optimal for the soft one once $C\ge\max_i\alpha_i$."""
    return (
        Derivation(
            "a price that nobody pays",
            setting=hard_optimum,
            given={
                "prices": for_each(i, 1, n, Le(alpha[i], C)),
                "rival": SOFT.feasible(theta=u, theta_0=c),
            },
            witness={u: [half, 1], c: 0, xi: [1, 1, 0]},
        )
        .start(half * norm2(theta))
        .equals(dual(alpha), because="the hard margin has no gap", by=using(hard_zero_gap()))
        .at_most(
            primal(u, xi),
            because=r"weak duality of the soft margin, since $0\le\alpha_i\le C$",
            by=apply(soft_weak_duality(), {theta: u, theta_0: c}),
        )
        .qed()
    )


# Where a point lies


@proves("lem-svm-hard-kkt")
def hard_kkt() -> Theorem:
    r"""Derive that $\alpha_k>0$ puts a point on the margin (not the other way round)."""
    return (
        Derivation(
            "a positive multiplier, hard margin",
            setting=hard_optimum,
            given={**HERE, "positive": Gt(alpha[k], 0)},
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
        Derivation(
            "no multiplier",
            setting=optimum,
            given={**HERE, "none": Eq(alpha[k], 0)},
            witness={k: 3},
        )
        .start(MARGIN)
        .at_least(1 - xi[k], because="the constraint")
        .equals(
            1,
            because=r"$(C-0)\,\xi_k=0$ and $C>0$ leave $\xi_k=0$",
            by=using(Eq((C - alpha[k]) * xi[k], 0), Eq(xi[k], 0)),
        )
        .qed()
    )


@proves("lem-svm-kkt-between")
def kkt_between() -> Theorem:
    r"""Derive that $0<\alpha_k<C$ puts a point on the margin."""
    return (
        Derivation(
            "a multiplier inside the box",
            setting=optimum,
            given={**HERE, "between": And(Lt(0, alpha[k]), Lt(alpha[k], C))},
        )
        .start(MARGIN)
        .equals(
            1 - xi[k],
            because=r"divide $\alpha_k(y_kf(x_k)-1+\xi_k)=0$ by $\alpha_k>0$",
            by=using(Eq(residual(k), 0), Eq(MARGIN - 1 + xi[k], 0)),
        )
        .equals(
            1,
            because=r"divide $(C-\alpha_k)\,\xi_k=0$ by $C-\alpha_k>0$",
            by=using(Gt(C - alpha[k], 0), Eq(unpaid(k), 0), Eq(xi[k], 0)),
        )
        .qed()
    )


@proves("lem-svm-kkt-full")
def kkt_full() -> Theorem:
    r"""Derive that $\alpha_k=C$ puts a point on the margin or on its wrong side."""
    return (
        Derivation(
            "a full multiplier",
            setting=optimum,
            given={**HERE, "full": Eq(alpha[k], C)},
            witness={C: half},
        )
        .start(MARGIN)
        .equals(
            1 - xi[k],
            because=r"divide $\alpha_k(y_kf(x_k)-1+\xi_k)=0$ by $\alpha_k=C>0$",
            by=using(Gt(alpha[k], 0), Eq(residual(k), 0), Eq(MARGIN - 1 + xi[k], 0)),
        )
        .at_most(1, because=r"$\xi_k\ge 0$")
        .qed()
    )


def _idle() -> Theorem:
    """Derive that a factor vanishes if the product does and the other factor is positive."""
    return (
        Derivation("an idle factor", given=[Gt(z, 0), Eq(s * z, 0)], witness={s: 0, z: 1})
        .start(s)
        .equals(0, because="divide by the other factor", by=using(Eq(s, 0)))
        .qed()
    )


@proves("lem-svm-kkt-beyond")
def kkt_beyond() -> Theorem:
    r"""Derive that a point beyond the margin has no multiplier."""
    return (
        Derivation(
            "beyond the margin",
            setting=optimum,
            given={**HERE, "beyond": Gt(MARGIN, 1)},
            witness={k: 3},
        )
        .start(alpha[k])
        .equals(
            0,
            because=r"$y_kf(x_k)-1+\xi_k>0$, and its product with $\alpha_k$ is zero",
            by=using(
                Gt(MARGIN - 1 + xi[k], 0),
                Eq(residual(k), 0),
                _idle()(s=alpha[k], z=MARGIN - 1 + xi[k]),
            ),
        )
        .qed()
    )


@proves("lem-svm-kkt-inside")
def kkt_inside() -> Theorem:
    r"""Derive that a point inside the margin has a full multiplier."""
    return (
        Derivation(
            "inside the margin",
            setting=optimum,
            given={**HERE, "inside": Lt(MARGIN, 1)},
            witness=INSIDE,
        )
        .start(alpha[k])
        .equals(
            C,
            because=r"$\xi_k\ge 1-y_kf(x_k)>0$, so $(C-\alpha_k)\,\xi_k=0$ leaves $\alpha_k=C$",
            by=using(Gt(xi[k], 0), Eq(unpaid(k), 0), _idle()(s=C - alpha[k], z=xi[k])),
        )
        .qed()
    )


@proves("lem-svm-slack-paid")
def slack_paid() -> Theorem:
    r"""Derive that no slack costs more than the hinge loss would."""
    loss = hinge(theta, theta_0, k)
    return (
        Derivation("what is paid for slack", setting=optimum, given=HERE, witness=INSIDE)
        .start(C * xi[k])
        .equals(
            alpha[k] * (1 - MARGIN),
            because="add the two products, which vanish",
            by=using(Eq(residual(k), 0), Eq(unpaid(k), 0)),
        )
        .at_most(alpha[k] * loss, because=r"$\alpha_k\ge 0$", by=using(Ge(alpha[k], 0)))
        .at_most(
            C * loss,
            because=r"$\alpha_k\le C$",
            by=using(Le(alpha[k], C), Ge(loss, 0)),
        )
        .qed()
    )


def _squeezed() -> Theorem:
    """Derive that a number is another if it is at least that and costs at most as much."""
    return (
        Derivation(
            "at least and at most",
            given=[Gt(t, 0), Le(t * s, t * z), Ge(s, z)],
            witness={t: 1, s: 2, z: 2},
        )
        .start(s)
        .equals(z, because="divide by the price")
        .qed()
    )


@proves("lem-svm-slack-is-hinge")
def slack_is_hinge() -> Theorem:
    r"""Derive that the slack is the hinge loss, $\xi_k=\max(0,1-y_kf(x_k))$."""
    loss = hinge(theta, theta_0, k)
    return (
        Derivation("the slack is the hinge loss", setting=optimum, given=HERE, witness=INSIDE)
        .start(xi[k])
        .equals(
            loss,
            because="no feasible slack is smaller, and none that is larger is paid for",
            by=using(
                slack_paid(),
                least_slack()(xi=xi[k], z=MARGIN),
                _squeezed()(t=C, s=xi[k], z=loss),
            ),
        )
        .qed()
    )


# A second plane with the same weights, and the offset c.
OTHER = margin(theta, c, k)
SAME_WEIGHTS = {**HERE, "second": HARD.feasible(theta_0=c)}


def _one_term() -> Theorem:
    """Derive that no term of a sum exceeds it if none from the first to the last is negative."""
    return (
        Derivation(
            "one term of a sum",
            given=[*HERE.values(), for_each(i, 1, n, Ge(q[i], 0))],
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
    room = alpha[i] * (margin(theta, c, i) - 1)
    return (
        Derivation("a second offset", setting=hard_optimum, given=SAME_WEIGHTS, witness={c: 0})
        .start(alpha[k] * (OTHER - 1))
        .at_most(
            Sum(room, (i, 1, n)),
            because="no term of this sum is negative",
            by=apply(_one_term(), {q: Lambda(i, room)}),
        )
        .equals(
            Sum(alpha[i] * (margin(theta, theta_0, i) - 1), (i, 1, n))
            + (c - theta_0) * Sum(alpha[i] * y[i], (i, 1, n)),
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
            setting=hard_optimum,
            given={**SAME_WEIGHTS, "positive": Gt(alpha[k], 0), "label": Eq(y[k] ** 2, 1)},
            witness={c: 0},
        )
        .start(c)
        .equals(y[k] * OTHER - dot(theta, x[k]), because="$y_k^2=1$")
        .equals(
            y[k] - dot(theta, x[k]),
            because="the second plane touches this point too",
            by=using(second_offset(), _squeezed()(t=alpha[k], s=OTHER, z=1)),
        )
        .equals(
            y[k] * MARGIN - dot(theta, x[k]),
            because="and so does the first",
            by=using(hard_kkt()),
        )
        .equals(theta_0, because="$y_k^2=1$")
        .qed()
    )


# Two multipliers, k and l, moved against each other by a step; a_i are the new ones.
CHANGE = KroneckerDelta(i, k) - KroneckerDelta(i, ell)
MOVED = {
    **HERE,
    "second first": Ge(ell, 1),
    "second last": Le(ell, n),
    "signs": SIGNS,
    "moved": for_each(i, 1, n, Eq(new[i], alpha[i] + t * y[i] * CHANGE)),
}
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
        .start(dual(new) - dual(alpha))
        .equals(
            at(TOTAL - norm2(SPAN) / 2, {alpha: new}) - TOTAL + norm2(SPAN) / 2,
            because="the quadratic form is a squared norm",
        )
        .equals(
            t * (y[k] - y[ell]) - norm2(SPAN + t * (x[k] - x[ell])) / 2 + norm2(SPAN) / 2,
            because=r"$y_i^2=1$: the combination of the points moves by $t(x_k-x_l)$",
            by=using(_moved_sum(), _moved_span()),
        )
        .equals(
            t * ((y[k] - dot(SPAN, x[k])) - (y[ell] - dot(SPAN, x[ell])))
            - t**2 * norm2(x[k] - x[ell]) / 2,
            because="expand the square",
        )
        .qed()
    )


@proves("lem-svm-two-multipliers")
def two_multipliers() -> Theorem:
    r"""Derive the best move of two multipliers against each other."""
    slope = (y[k] - dot(SPAN, x[k])) - (y[ell] - dot(SPAN, x[ell]))
    return (
        Derivation(
            "two multipliers",
            given={
                **MOVED,
                "slope": Eq(s, slope),
                "curvature": Eq(curvature, norm2(x[k] - x[ell])),
            },
            witness={**SWAPPED, s: 0, curvature: 4},
        )
        .start(dual(new) - dual(alpha))
        .equals(
            t * s - t**2 * curvature / 2,
            because="two multipliers moved against each other",
            by=using(moved_pair()),
        )
        .equals(
            s**2 / (2 * curvature) - curvature / 2 * (t - s / curvature) ** 2,
            because="complete the square",
        )
        .at_most(s**2 / (2 * curvature), because=r"with equality at $t=s/\kappa$")
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
