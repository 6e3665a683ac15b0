"""Gradient descent: how fast it comes down, from smoothness and convexity alone.

The function is ``f``, its gradient or a subgradient at a point is ``g``, and a run is the family
``theta^(j)``. Smooth means that a parabola of curvature L lies above the function at every point,
convex that a tangent lies below it, strongly convex that a parabola of curvature mu does. A run is
compared with any point ``z``, of which a minimum is the most interesting one.
"""

from __future__ import annotations

from typing import Any

from mlnotes.proof import (
    Derivation,
    Eq,
    Ge,
    Gt,
    Le,
    Ne,
    Product,
    Rational,
    Setting,
    Sum,
    Theorem,
    derivative,
    dot,
    for_all,
    for_each,
    function,
    indices,
    induction,
    integers,
    norm,
    norm2,
    real_family,
    reals,
    termwise,
    using,
    vector_family,
    vectors,
)
from mlnotes.theorems import proves
from mlnotes.theorems.convex_duality import curvature_gives_tangents
from mlnotes.theorems.perceptron import cauchy_schwarz

k, n = integers("k n", positive=True)
i, j = indices("i j")
u, v, z = vectors("u v z")
at, direction = vectors("theta v")
eta, L, mu = reals("eta L mu", positive=True)
best, G = reals("b G")
f = function("f", of="vector")
g = function("g", of="vector", to="vector")
theta = vector_family("theta^()")
half = Rational(1, 2)

SMOOTH = for_all((u, v), Le(f(v), f(u) + dot(g(u), v - u) + L / 2 * norm2(v - u)))
CONVEX = for_all((u, v), Ge(f(v), f(u) + dot(g(u), v - u)))
STRONG = for_all((u, v), Ge(f(v), f(u) + dot(g(u), v - u) + mu / 2 * norm2(v - u)))
SHORT = Le(eta * L, 1)
STEPS = for_each(j, 1, k, Eq(theta[j], theta[j - 1] - eta * g(theta[j - 1])))

# Half a square: one step of length one reaches its minimum.
BOWL = {
    f: lambda w: norm2(w) / 2,
    g: lambda w: w,
    L: 1,
    mu: 1,
    eta: 1,
    k: 1,
    at: [1],
    z: [0],
    theta: {0: [1], 1: [0]},
}
smooth = Setting("a smooth function", f, g, given={"smooth": SMOOTH}, witness=BOWL)
descent = smooth.with_(
    given={"convex": CONVEX, "short": SHORT, "steps": STEPS}, name="gradient descent"
)
strong = Setting(
    "a smooth and strongly convex function",
    f,
    g,
    given={"smooth": SMOOTH, "strong": STRONG},
    witness=BOWL,
)


@proves("lem-steepest-descent")
def steepest_descent() -> Theorem:
    r"""Derive that no unit vector descends faster than the negative gradient, to first order."""
    return (
        Derivation(
            "the steepest direction",
            given={"unit": Eq(norm(direction), 1)},
            witness={direction: [1], u: [1]},
        )
        .start(dot(u, direction))
        .equals(-dot(-u, direction), because="two signs")
        .at_least(
            -norm(-u) * norm(direction),
            because="Cauchy–Schwarz",
            by=cauchy_schwarz()(u=-u, v=direction),
        )
        .equals(-norm(u), because="a unit vector, and a sign does not change a length")
        .qed()
    )


@proves("lem-steepest-attained")
def steepest_descent_is_attained() -> Theorem:
    r"""Derive that the negative gradient, made a unit vector, attains the bound."""
    return (
        Derivation("the bound is attained", given={"slope": Gt(norm(u), 0)}, witness={u: [1]})
        .start(dot(u, -u / norm(u)))
        .equals(-norm2(u) / norm(u), because="the inner product is linear")
        .equals(-norm(u), because="a squared length over a length")
        .qed()
    )


@proves("lem-curvature-gives-parabola")
def curvature_gives_parabola() -> Theorem:
    r"""Derive that a function of one number whose curvature is at most L lies below a parabola."""
    gap = function("varphi", nonnegative_curvature=True)
    p, q = reals("p q")

    def curve(s: Any) -> Any:
        """Return a function that the convex one completes to a parabola."""
        return L / 2 * s**2 - gap(s)

    def slope(s: Any) -> Any:
        return L * s - derivative(gap)(s)

    return (
        Derivation("bounded curvature, hence below a parabola")
        .start(curve(q))
        .at_most(
            L / 2 * q**2 - (gap(p) + derivative(gap)(p) * (q - p)),
            because="the convex function is above its tangent",
            by=curvature_gives_tangents(),
        )
        .equals(curve(p) + slope(p) * (q - p) + L / 2 * (q - p) ** 2, because="collect")
        .qed()
    )


@proves("lem-descent")
def one_step_descends() -> Theorem:
    r"""Derive how much a gradient step gains on a smooth function."""
    after = at - eta * g(at)
    return (
        Derivation("the descent lemma", setting=smooth)
        .start(f(after))
        .at_most(
            f(at) + dot(g(at), after - at) + L / 2 * norm2(after - at),
            because="the parabola above the function, at the point after the step",
            by=SMOOTH.at(at, after),
        )
        .equals(f(at) - eta * (1 - eta * L / 2) * norm2(g(at)), because="collect")
        .qed()
    )


@proves("lem-descent-short")
def short_step_descends() -> Theorem:
    r"""Derive that a step of length at most $1/L$ gains half of what the slope promises."""
    after = at - eta * g(at)
    return (
        Derivation("a short step", setting=smooth, given={"short": SHORT})
        .start(f(after))
        .at_most(
            f(at) - eta * (1 - eta * L / 2) * norm2(g(at)),
            because="the descent lemma",
            by=one_step_descends(),
        )
        .at_most(f(at) - eta / 2 * norm2(g(at)), because=r"$\eta L\le1$")
        .qed()
    )


@proves("lem-step-towards")
def step_towards_any_point() -> Theorem:
    r"""Derive that a short step on a convex function pays with the distance to any point."""
    after = at - eta * g(at)
    return (
        Derivation(
            "a step and a distance", setting=smooth, given={"convex": CONVEX, "short": SHORT}
        )
        .start(f(after))
        .at_most(f(at) - eta / 2 * norm2(g(at)), because="a short step", by=short_step_descends())
        .at_most(
            f(z) + dot(g(at), at - z) - eta / 2 * norm2(g(at)),
            because="the tangent at $\\theta$ is below $f(z)$",
            by=CONVEX.at(at, z),
        )
        .equals(
            f(z) + (norm2(at - z) - norm2(after - z)) / (2 * eta), because="complete the square"
        )
        .qed()
    )


def potential(steps: Any, value: Any, point: Any) -> Any:
    """Return what never rises in a run: the gap times twice its time, and a squared distance."""
    return 2 * eta * steps * (value - f(z)) + norm2(point - z)


@proves("lem-potential-step")
def potential_never_rises() -> Theorem:
    r"""Derive that a step adds nothing to the gap times its time plus the squared distance."""
    after = at - eta * g(at)
    steps = reals("s", nonnegative=True)
    return (
        Derivation(
            "a quantity that never rises",
            setting=smooth,
            given={"convex": CONVEX, "short": SHORT},
            witness={steps: 1},
        )
        .start(potential(steps + 1, f(after), after))
        .equals(
            2 * eta * steps * (f(after) - f(z)) + 2 * eta * (f(after) - f(z)) + norm2(after - z),
            because="one time more",
        )
        .at_most(
            2 * eta * steps * (f(at) - f(z)) + 2 * eta * (f(after) - f(z)) + norm2(after - z),
            because="a short step descends",
            by=using(_descends()),
        )
        .at_most(
            potential(steps, f(at), at),
            because="a step and a distance",
            by=using(step_towards_any_point()),
        )
        .qed()
    )


def _descends() -> Theorem:
    """Derive that a short step does not ascend."""
    return (
        Derivation("a short step descends", setting=smooth, given={"short": SHORT})
        .start(f(at - eta * g(at)))
        .at_most(f(at) - eta / 2 * norm2(g(at)), because="a short step", by=short_step_descends())
        .at_most(f(at), because="a square is left out")
        .qed()
    )


@proves("thm-gradient-descent-sublinear")
def sublinear_rate() -> Theorem:
    r"""Derive that k steps of gradient descent are at most $\lVert\cdot\rVert^2/(2\eta k)$ off."""
    after_k = (
        Derivation("after k steps", setting=descent)
        .start(potential(k, f(theta[k]), theta[k]))
        .at_most(
            norm2(theta[0] - z),
            because="a quantity that never rises",
            by=induction(None, k, step=potential_never_rises()(theta=theta[k], s=k)),
        )
        .qed()
    )
    return (
        Derivation("the rate of gradient descent", setting=descent)
        .start(f(theta[k]) - f(z))
        .at_most(
            (norm2(theta[0] - z) - norm2(theta[k] - z)) / (2 * eta * k),
            because="after $k$ steps",
            by=using(after_k),
        )
        .at_most(norm2(theta[0] - z) / (2 * eta * k), because="a squared distance is left out")
        .qed()
    )


@proves("lem-strong-gap")
def gap_below_slope() -> Theorem:
    r"""Derive that with strong convexity a small slope means a small gap."""
    return (
        Derivation("slope and gap", given={"strong": STRONG}, witness=BOWL)
        .start(f(z))
        .at_least(
            f(at) + dot(g(at), z - at) + mu / 2 * norm2(z - at),
            because="the parabola below the function",
            by=STRONG.at(at, z),
        )
        .equals(
            f(at) - norm2(g(at)) / (2 * mu) + mu / 2 * norm2(z - at + g(at) / mu),
            because="complete the square",
        )
        .at_least(f(at) - norm2(g(at)) / (2 * mu), because="a square is not negative")
        .qed()
    )


@proves("lem-strong-step")
def one_step_contracts() -> Theorem:
    r"""Derive that a step of length $1/L$ shrinks the gap by the factor $1-\mu/L$."""
    after = at - g(at) / L
    return (
        Derivation("one step shrinks the gap", setting=strong)
        .start(f(after) - f(z))
        .at_most(
            f(at) - norm2(g(at)) / (2 * L) - f(z),
            because="the descent lemma with $\\eta=1/L$",
            by=one_step_descends()(eta=1 / L),
        )
        .at_most(
            f(at) - mu / L * (f(at) - f(z)) - f(z),
            because="slope and gap",
            by=gap_below_slope(),
        )
        .equals((1 - mu / L) * (f(at) - f(z)), because="collect")
        .qed()
    )


UNIT_STEPS = for_each(j, 1, k, Eq(theta[j], theta[j - 1] - g(theta[j - 1]) / L))
factor = reals("q", nonnegative=True)
FACTOR = Eq(factor, 1 - mu / L)


@proves("thm-gradient-descent-linear")
def linear_rate() -> Theorem:
    r"""Derive that with strong convexity the gap shrinks by a factor at every step."""
    step = (
        Derivation(
            "one step, with a name for the factor",
            setting=strong,
            given={"factor": FACTOR},
            witness={factor: 0},
        )
        .start(f(at - g(at) / L) - f(z))
        .at_most(
            (1 - mu / L) * (f(at) - f(z)),
            because="one step shrinks the gap",
            by=one_step_contracts(),
        )
        .equals(factor * (f(at) - f(z)), because="the factor")
        .qed()
    )
    return (
        Derivation(
            "the linear rate",
            setting=strong,
            given={"steps": UNIT_STEPS, "factor": FACTOR},
            witness={factor: 0},
        )
        .start(f(theta[k]) - f(z))
        .at_most(
            factor**k * (f(theta[0]) - f(z)),
            because="one step shrinks the gap",
            by=induction(None, k, step=step(theta=theta[k])),
        )
        .qed()
    )


# Subgradient steps of lengths eta_j, and a number that is below all values of the run.
rates = real_family("eta", positive=True)
slopes = vector_family("g")
SUB_STEPS = for_each(j, 1, k, Eq(theta[j], theta[j - 1] - rates[j] * slopes[j]))
SUBGRADIENTS = for_each(j, 1, k, Ge(f(z), f(theta[j - 1]) + dot(slopes[j], z - theta[j - 1])))
BOUNDED = for_each(j, 1, k, Le(norm2(slopes[j]), G**2))
SUB_RUN = {
    f: lambda w: norm2(w) / 2,
    k: 1,
    theta: {0: [1], 1: [0]},
    rates: [1],
    slopes: [[1]],
    G: 1,
    z: [0],
    best: half,
}
subgradient_run = Setting(
    "a run of subgradient descent",
    given={"steps": SUB_STEPS, "subgradients": SUBGRADIENTS, "bounded": BOUNDED},
    witness=SUB_RUN,
)


@proves("lem-subgradient-step")
def one_subgradient_step() -> Theorem:
    r"""Derive how a subgradient step changes the distance to any point."""
    slope = vectors("g")
    return (
        Derivation(
            "one subgradient step",
            given={
                "subgradient": Ge(f(z), f(at) + dot(slope, z - at)),
                "bounded": Le(norm2(slope), G**2),
            },
            witness={**BOWL, slope: [1], G: 1},
        )
        .start(norm2(at - eta * slope - z))
        .equals(
            norm2(at - z) - 2 * eta * dot(slope, at - z) + eta**2 * norm2(slope),
            because="expand the square",
        )
        .at_most(
            norm2(at - z) - 2 * eta * (f(at) - f(z)) + eta**2 * G**2,
            because="the tangent, and the bound of the slopes",
        )
        .qed()
    )


@proves("lem-subgradient-sum")
def subgradient_sum() -> Theorem:
    r"""Derive what the gaps of a run of subgradient descent add up to at most."""
    gaps = Sum(2 * rates[j] * (f(theta[j - 1]) - f(z)), (j, 1, k))
    noise = Sum(rates[j] ** 2 * G**2, (j, 1, k))
    step = one_subgradient_step()(theta=theta[k], eta=rates[k + 1], g=slopes[k + 1])
    return (
        Derivation("the gaps of a run", setting=subgradient_run)
        .start(gaps + norm2(theta[k] - z))
        .at_most(
            norm2(theta[0] - z) + noise,
            because="one subgradient step, $k$ times",
            by=induction(None, k, step=step),
        )
        .qed()
    )


@proves("thm-subgradient-bound")
def subgradient_bound() -> Theorem:
    r"""Derive how far above any value the best value of a run of subgradient descent is."""
    total = Sum(rates[j], (j, 1, k))
    squares = Sum(rates[j] ** 2, (j, 1, k))
    return (
        Derivation(
            "the best value of a run",
            setting=subgradient_run,
            given={"best": for_each(j, 1, k, Le(best, f(theta[j - 1])))},
        )
        .start(2 * total * (best - f(z)))
        .equals(Sum(2 * rates[j] * (best - f(z)), (j, 1, k)), because="put the factor inside")
        .at_most(
            Sum(2 * rates[j] * (f(theta[j - 1]) - f(z)), (j, 1, k)),
            because="no value of the run is below the best",
            by=termwise(j),
        )
        .at_most(
            norm2(theta[0] - z) + Sum(rates[j] ** 2 * G**2, (j, 1, k)) - norm2(theta[k] - z),
            because="the gaps of a run",
            by=subgradient_sum(),
        )
        .at_most(norm2(theta[0] - z) + G**2 * squares, because="a squared distance is left out")
        .qed()
    )


# A sum over n examples with a penalty, and its gradients at one point.
loss = real_family("ell")
penalty = reals("R")
price = reals("lambda")
example_slope = vector_family("g")
penalty_slope = vectors("w")


@proves("lem-shared-regulariser")
def shared_regulariser() -> Theorem:
    r"""Derive that a penalty may be shared among the examples."""
    return (
        Derivation("a penalty for each example")
        .start(Sum(loss[i] + price / n * penalty, (i, 1, n)))
        .equals(Sum(loss[i], (i, 1, n)) + price * penalty, because=r"$n\cdot\lambda/n=\lambda$")
        .qed()
    )


@proves("thm-sgd-unbiased")
def sgd_is_unbiased() -> Theorem:
    r"""Derive that the mean of the stochastic gradients is the gradient over n."""
    return (
        Derivation("stochastic gradients are unbiased")
        .start(Sum((example_slope[i] + price / n * penalty_slope) / n, (i, 1, n)))
        .equals(
            (Sum(example_slope[i], (i, 1, n)) + price * penalty_slope) / n,
            because="each example is drawn with probability $1/n$",
        )
        .qed()
    )


@proves("lem-lazy-weight-decay")
def lazy_weight_decay() -> Theorem:
    r"""Derive that weights kept as a number times a vector decay by changing the number alone."""
    scale, decay, push = reals("c s a")
    vector, point = vectors("w x")
    return (
        Derivation(
            "lazy weight decay",
            given={"scale": Ne(scale, 0), "decay": Ne(decay, 0)},
            witness={scale: 1, decay: half, push: 1, vector: [1], point: [1]},
        )
        .start(decay * scale * (vector + push / (decay * scale) * point))
        .equals(decay * (scale * vector) + push * point, because="the number cancels")
        .qed()
    )


@proves("lem-raw-gradient")
def raw_gradient() -> Theorem:
    r"""Derive that a step whose length is in proportion to the slope is a multiple of it."""
    return (
        Derivation("the raw gradient", given={"slope": Gt(norm(u), 0)}, witness={u: [1]})
        .start(eta * norm(u) * (-u / norm(u)))
        .equals(-eta * u, because="the length cancels")
        .qed()
    )


@proves("lem-rate-decay")
def rate_decay() -> Theorem:
    r"""Derive that factors t/(t+1) make a rate fall like $1/t$."""
    return (
        Derivation("a decaying rate")
        .start(Product(j / (j + 1), (j, 1, k)))
        .equals(1 / (k + 1), because="each factor cancels the one before", by=induction(None, k))
        .qed()
    )


@proves("lem-quadratic-step")
def step_on_a_parabola() -> Theorem:
    r"""Derive the factor by which a step multiplies the distance to the minimum of a parabola."""
    a, s = reals("a s")
    return (
        Derivation("a step on a parabola")
        .start(s - eta * (a * s))
        .equals((1 - eta * a) * s, because="collect")
        .qed()
    )
