"""Gradient descent: how fast it comes down, from smoothness and convexity alone.

The function is ``f``, its gradient is the map ``g``, printed as a gradient, and a run is the
family ``theta^(j)``. Smooth means that a parabola of curvature L lies above the function at
every point, convex that a tangent lies below it, strongly convex that a parabola of curvature mu
does. A run is compared with any point ``z``, of which a minimum is the most interesting one.
"""

from __future__ import annotations

from typing import Any

from mlnotes.proof import (
    Derivation,
    Eq,
    Ge,
    Gt,
    Le,
    Product,
    Rational,
    Setting,
    Sum,
    Theorem,
    apply,
    derivative,
    dot,
    for_all,
    for_each,
    function,
    indices,
    induction,
    integers,
    log,
    norm,
    norm2,
    real_family,
    reals,
    sqrt,
    termwise,
    using,
    vector_family,
    vectors,
)
from mlnotes.theorems import proves
from mlnotes.theorems.convex_duality import curvature_gives_tangents, log_tangent
from mlnotes.theorems.perceptron import cauchy_schwarz

k, n = integers("k n", positive=True)
i, j = indices("i j")
u, v, z = vectors("u v z")
at, direction = vectors("theta v")
eta, L, mu = reals("eta L mu", positive=True)
best, G = reals("b G")
f = function("f", of="vector")
g = function("nabla f", of="vector", to="vector")
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


UNIT = Eq(norm(direction), 1)
SLOPE = Gt(norm(g(at)), 0)


@proves("thm-steepest-descent")
def steepest_descent() -> Theorem:
    r"""Derive that no unit vector descends faster than the negative gradient, to first order."""
    return (
        Derivation("the steepest direction", given={"unit": UNIT}, witness={**BOWL, direction: [1]})
        .start(dot(g(at), direction))
        .equals(-dot(-g(at), direction), because="two signs")
        .at_least(
            -norm(-g(at)) * norm(direction),
            because="Cauchy–Schwarz",
            by=cauchy_schwarz()(u=-g(at), v=direction),
        )
        .equals(-norm(g(at)), because="a unit vector, and a sign does not change a length")
        .qed()
    )


@proves("lem-steepest-attained")
def steepest_descent_is_attained() -> Theorem:
    r"""Derive that the negative gradient, made a unit vector, attains the bound."""
    return (
        Derivation("the bound is attained", given={"slope": SLOPE}, witness=BOWL)
        .start(dot(g(at), -g(at) / norm(g(at))))
        .equals(-norm2(g(at)) / norm(g(at)), because="the inner product is linear")
        .equals(-norm(g(at)), because="a squared length over a length")
        .qed()
    )


@proves("lem-steepest-length")
def steepest_direction_has_length_one() -> Theorem:
    r"""Derive that the negative gradient over its length is a unit vector."""
    return (
        Derivation("a unit vector", given={"slope": SLOPE}, witness=BOWL)
        .start(norm2(-g(at) / norm(g(at))))
        .equals(norm2(g(at)) / norm(g(at)) ** 2, because="a factor comes out squared")
        .equals(1, because="the squared length")
        .qed()
    )


@proves("thm-steepest-small-step")
def steepest_up_to_second_order() -> Theorem:
    r"""Derive by how much another direction can beat the steepest one, at a step of length eta."""
    steepest = at - eta * (g(at) / norm(g(at)))
    return (
        Derivation(
            "the steepest direction against another",
            setting=smooth,
            given={"convex": CONVEX, "slope": SLOPE, "unit": UNIT},
            witness={direction: [1]},
        )
        .start(f(steepest))
        .at_most(
            f(at) + dot(g(at), steepest - at) + L / 2 * norm2(steepest - at),
            because="the parabola above the function",
            by=SMOOTH.at(at, steepest),
        )
        .equals(
            f(at) - eta * norm(g(at)) + L / 2 * eta**2,
            because="the direction has length one and attains the bound",
        )
        .at_most(
            f(at) + eta * dot(g(at), direction) + L / 2 * eta**2,
            because="the steepest direction",
            by=using(steepest_descent()),
        )
        .at_most(
            f(at + eta * direction) + L / 2 * eta**2,
            because="the tangent below the function",
            by=CONVEX.at(at, at + eta * direction),
        )
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


# A convex function with a Lipschitz gradient, and equal small steps h from u.
LIPSCHITZ = for_all((u, v), Le(norm(g(v) - g(u)), L * norm(v - u)))
small = vectors("h")
count = reals("s", nonnegative=True)
lipschitz = Setting(
    "a convex function with a Lipschitz gradient",
    f,
    g,
    given={"convex": CONVEX, "lipschitz": LIPSCHITZ},
    witness={**BOWL, u: [0], v: [1], small: [1], count: 1},
)


@proves("lem-lipschitz-turn")
def gradient_turns_slowly() -> Theorem:
    r"""Derive how far a Lipschitz gradient has changed along a way, in the direction of the way."""
    away = u + count * small
    return (
        Derivation("how far the gradient turns", setting=lipschitz)
        .start(dot(g(away) - g(u), small))
        .at_most(
            norm(g(away) - g(u)) * norm(small),
            because="Cauchy–Schwarz",
            by=cauchy_schwarz()(u=g(away) - g(u), v=small),
        )
        .at_most(
            L * norm(away - u) * norm(small),
            because="the gradient is Lipschitz",
            by=LIPSCHITZ.at(u, away),
        )
        .equals(L * count * norm2(small), because="the way consists of $s$ small steps")
        .qed()
    )


@proves("lem-lipschitz-piece")
def one_piece() -> Theorem:
    r"""Derive how far a convex function rises on one small step of a way."""
    here, there = u + count * small, u + (count + 1) * small
    return (
        Derivation("one small step of the way", setting=lipschitz)
        .start(f(there))
        .at_most(
            f(here) + dot(g(there), small),
            because="the tangent at the end is below the function at the start",
            by=CONVEX.at(there, here),
        )
        .equals(
            f(here) + dot(g(u), small) + dot(g(there) - g(u), small),
            because="the inner product is linear",
        )
        .at_most(
            f(here) + dot(g(u), small) + L * (count + 1) * norm2(small),
            because="the gradient has not turned far",
            by=using(gradient_turns_slowly()(s=count + 1)),
        )
        .qed()
    )


m = integers("m", positive=True)


@proves("lem-lipschitz-way")
def whole_way() -> Theorem:
    r"""Derive how far a convex function rises on m small steps."""
    return (
        Derivation("the whole way", setting=lipschitz, witness={m: 1})
        .start(f(u + m * small))
        .at_most(
            f(u) + m * dot(g(u), small) + L * m * (m + 1) / 2 * norm2(small),
            because="one small step after the other",
            by=induction(None, m, step=one_piece()(s=m)),
        )
        .qed()
    )


@proves("thm-lipschitz-parabola")
def lipschitz_gives_parabola() -> Theorem:
    r"""Derive that a convex function with a Lipschitz gradient lies below parabolas."""
    piece = (v - u) / m
    return (
        Derivation(
            "a Lipschitz gradient, hence below a parabola", setting=lipschitz, witness={m: 1}
        )
        .start(f(v))
        .equals(f(u + m * piece), because="$m$ small steps lead from $u$ to $v$")
        .at_most(
            f(u) + m * dot(g(u), piece) + L * m * (m + 1) / 2 * norm2(piece),
            because="the whole way",
            by=whole_way()(h=piece),
        )
        .equals(
            f(u) + dot(g(u), v - u) + L / 2 * (1 + 1 / m) * norm2(v - u),
            because="collect",
        )
        .qed()
    )


@proves("lem-smooth-turn")
def gradients_of_a_smooth_function() -> Theorem:
    r"""Derive that a convex function below parabolas rises above its tangents where it bends."""
    turn = g(v) - g(u)
    back = v - turn / L
    return (
        Derivation("above the tangent by the turn", setting=smooth, given={"convex": CONVEX})
        .start(f(u) + dot(g(u), v - u))
        .equals(
            f(u) + dot(g(u), back - u) + dot(g(u), turn) / L,
            because="a step back from $v$, and what it changes",
        )
        .at_most(f(back) + dot(g(u), turn) / L, because="above the tangent", by=CONVEX.at(u, back))
        .at_most(
            f(v) + dot(g(v), back - v) + L / 2 * norm2(back - v) + dot(g(u), turn) / L,
            because="below the parabola",
            by=SMOOTH.at(v, back),
        )
        .equals(f(v) - norm2(turn) / (2 * L), because="collect")
        .qed()
    )


@proves("thm-smooth-lipschitz")
def parabola_gives_lipschitz() -> Theorem:
    r"""Derive that the gradient of a convex function below parabolas is Lipschitz."""
    turn = g(v) - g(u)
    by_both = (
        Derivation("seen from both ends", setting=smooth, given={"convex": CONVEX})
        .start(norm2(turn))
        .at_most(
            L * dot(turn, v - u),
            because="seen from both ends",
            by=using(
                gradients_of_a_smooth_function(),
                apply(gradients_of_a_smooth_function(), {u: v, v: u}),
            ),
        )
        .qed()
    )
    return (
        Derivation("smooth, hence a Lipschitz gradient", setting=smooth, given={"convex": CONVEX})
        .start(norm2(turn))
        .at_most(
            2 * L * dot(turn, v - u) - norm2(turn),
            because="seen from both ends",
            by=using(by_both),
        )
        .equals(L**2 * norm2(v - u) - norm2(turn - L * (v - u)), because="complete the square")
        .at_most(L**2 * norm2(v - u), because="a square is not negative")
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


@proves("thm-gradients-vanish")
def squared_slopes_are_paid_for() -> Theorem:
    r"""Derive that the squared gradients of a run add up to what the run has descended."""
    return (
        Derivation("the slopes of a run", setting=smooth, given={"short": SHORT, "steps": STEPS})
        .start(Sum(eta / 2 * norm2(g(theta[j - 1])), (j, 1, k)))
        .at_most(
            f(theta[0]) - f(theta[k]),
            because="a short step, $k$ times",
            by=induction(None, k, step=short_step_descends()(theta=theta[k])),
        )
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


price = reals("lambda", positive=True)


def penalised(w: Any) -> Any:
    """Return the function with a penalty on long weights."""
    return f(w) + price / 2 * norm2(w)


def penalised_slope(w: Any) -> Any:
    """Return the gradient of the function with the penalty."""
    return g(w) + price * w


@proves("lem-penalty-strong")
def penalty_makes_strongly_convex() -> Theorem:
    r"""Derive that a penalty makes a convex function strongly convex."""
    return (
        Derivation(
            "a penalty bends the function up", given={"convex": CONVEX}, witness={**BOWL, price: 1}
        )
        .start(penalised(v))
        .at_least(
            f(u) + dot(g(u), v - u) + price / 2 * norm2(v),
            because="above the tangent",
            by=CONVEX.at(u, v),
        )
        .equals(
            penalised(u) + dot(penalised_slope(u), v - u) + price / 2 * norm2(v - u),
            because="the penalty is its tangent and a square",
        )
        .qed()
    )


@proves("lem-penalty-smooth")
def penalty_adds_curvature() -> Theorem:
    r"""Derive that a penalty adds its factor to the curvature of a smooth function."""
    return (
        Derivation(
            "a penalty adds to the curvature",
            given={"smooth": SMOOTH},
            witness={**BOWL, price: 1},
        )
        .start(penalised(v))
        .at_most(
            f(u) + dot(g(u), v - u) + L / 2 * norm2(v - u) + price / 2 * norm2(v),
            because="below the parabola",
            by=SMOOTH.at(u, v),
        )
        .equals(
            penalised(u) + dot(penalised_slope(u), v - u) + (L + price) / 2 * norm2(v - u),
            because="the penalty is its tangent and a square",
        )
        .qed()
    )


UNIT_STEPS = for_each(j, 1, k, Eq(theta[j], theta[j - 1] - g(theta[j - 1]) / L))
factor = reals("q", nonnegative=True)
FACTOR = Eq(factor, 1 - mu / L)


def _named_rate() -> Theorem:
    r"""Derive the linear rate with a name for its factor."""
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
            "the linear rate, with a name for the factor",
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


@proves("thm-gradient-descent-linear")
def linear_rate() -> Theorem:
    r"""Derive that with strong convexity the gap shrinks by a factor at every step."""
    return (
        Derivation(
            "the linear rate", setting=strong, given={"steps": UNIT_STEPS, "order": Le(mu, L)}
        )
        .start(f(theta[k]) - f(z))
        .at_most(
            (1 - mu / L) ** k * (f(theta[0]) - f(z)),
            because="one step shrinks the gap, and induction over the steps",
            by=_named_rate()(q=1 - mu / L),
        )
        .qed()
    )


parts = function("f", of=("integer", "vector"))


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


TOTAL = Sum(rates[j], (j, 1, k))
SQUARES = Sum(rates[j] ** 2, (j, 1, k))
BEST = for_each(j, 1, k, Le(best, f(theta[j - 1])))


@proves("lem-subgradient-product")
def best_of_a_run() -> Theorem:
    r"""Derive the bound of subgradient descent before the division by the steps."""
    total, squares = TOTAL, SQUARES
    return (
        Derivation(
            "the best value, times the steps",
            setting=subgradient_run,
            given={"best": BEST},
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


@proves("thm-subgradient-bound")
def subgradient_bound() -> Theorem:
    r"""Derive how far above any value the best value of a run of subgradient descent is."""
    return (
        Derivation("the best value of a run", setting=subgradient_run, given={"best": BEST})
        .start(best - f(z))
        .at_most(
            (norm2(theta[0] - z) + G**2 * SQUARES) / (2 * TOTAL),
            because="the best value, times the steps; then divide",
            by=using(best_of_a_run()),
        )
        .qed()
    )


budget = reals("S")


@proves("cor-robbins-monro")
def robbins_monro() -> Theorem:
    r"""Derive that with bounded squares the bound falls like one over the sum of the steps."""
    return (
        Derivation(
            "bounded squares",
            setting=subgradient_run,
            given={"best": BEST, "squares": Le(SQUARES, budget)},
            witness={budget: 1},
        )
        .start(best - f(z))
        .at_most(
            (norm2(theta[0] - z) + G**2 * SQUARES) / (2 * TOTAL),
            because="the best value of a run",
            by=subgradient_bound(),
        )
        .at_most(
            (norm2(theta[0] - z) + G**2 * budget) / (2 * TOTAL), because="the squares are bounded"
        )
        .qed()
    )


# A sum over n examples with a penalty, and its gradients at one point.
loss = real_family("ell")
penalty = reals("R")
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


@proves("lem-sgd-step")
def one_stochastic_step() -> Theorem:
    r"""Derive how a stochastic subgradient step changes the squared distance on average."""
    mean_gap = Sum((parts(i, at) - parts(i, z)) / n, (i, 1, n))
    moved = Sum(norm2(at - eta * example_slope[i] - z) / n, (i, 1, n))
    return (
        Derivation(
            "one stochastic step, on average",
            given={
                "subgradients": for_each(
                    i, 1, n, Ge(parts(i, z), parts(i, at) + dot(example_slope[i], z - at))
                ),
                "bounded": for_each(i, 1, n, Le(norm2(example_slope[i]), G**2)),
            },
            witness={
                n: 1,
                parts: lambda number, w: norm2(w) / 2,
                eta: 1,
                at: [1],
                z: [0],
                G: 1,
                example_slope: [[1]],
            },
        )
        .start(moved)
        .equals(
            Sum(
                (
                    norm2(at - z)
                    - 2 * eta * dot(example_slope[i], at - z)
                    + eta**2 * norm2(example_slope[i])
                )
                / n,
                (i, 1, n),
            ),
            because="expand the squares",
        )
        .at_most(
            Sum(
                (norm2(at - z) - 2 * eta * (parts(i, at) - parts(i, z)) + eta**2 * G**2) / n,
                (i, 1, n),
            ),
            because="the tangents, and the bound of the slopes",
            by=termwise(i),
        )
        .equals(norm2(at - z) - 2 * eta * mean_gap + eta**2 * G**2, because="take the mean")
        .qed()
    )


# Means over all draws so far: of the squared distance, and of the gap.
mean_distance, mean_gaps = real_family("D delta")


@proves("thm-sgd-bound")
def stochastic_bound() -> Theorem:
    r"""Derive how small the mean gap of a stochastic run must become."""
    lowest = reals("b")
    step = {
        "progress": for_each(
            j,
            1,
            k,
            Le(
                mean_distance[j],
                mean_distance[j - 1] - 2 * rates[j] * mean_gaps[j - 1] + rates[j] ** 2 * G**2,
            ),
        ),
        "distance": Ge(mean_distance[k], 0),
    }
    start = {k: 1, mean_distance: {0: 1, 1: 0}, mean_gaps: {0: 1}, rates: [1], G: 1, lowest: 0}
    summed = (
        Derivation("the mean gaps of a run", given={"progress": step["progress"]}, witness=start)
        .start(Sum(2 * rates[j] * mean_gaps[j - 1], (j, 1, k)) + mean_distance[k])
        .at_most(
            mean_distance[0] + Sum(rates[j] ** 2 * G**2, (j, 1, k)),
            because="one step, $k$ times",
            by=induction(None, k),
        )
        .qed()
    )
    product = (
        Derivation(
            "the least mean gap, times the steps",
            given={**step, "best": for_each(j, 1, k, Le(lowest, mean_gaps[j - 1]))},
            witness=start,
        )
        .start(2 * TOTAL * lowest)
        .equals(Sum(2 * rates[j] * lowest, (j, 1, k)), because="put the factor inside")
        .at_most(
            Sum(2 * rates[j] * mean_gaps[j - 1], (j, 1, k)),
            because="no mean gap is below the least",
            by=termwise(j),
        )
        .at_most(
            mean_distance[0] + G**2 * SQUARES, because="the mean gaps of a run", by=using(summed)
        )
        .qed()
    )
    return (
        Derivation(
            "the least mean gap of a stochastic run",
            given={**step, "best": for_each(j, 1, k, Le(lowest, mean_gaps[j - 1]))},
            witness=start,
        )
        .start(lowest)
        .at_most(
            (mean_distance[0] + G**2 * SQUARES) / (2 * TOTAL),
            because="divide by the steps",
            by=using(product),
        )
        .qed()
    )


# Weights w that decay by the factor s_j and are pushed by a_j x_j; and the same, kept as c v.
decays, pushes = real_family("s a")
scales = real_family("c", positive=True)
plain, kept, points = vector_family("w v x")
DECAYING = {
    "plain": for_each(j, 1, k, Eq(plain[j], decays[j] * plain[j - 1] + pushes[j] * points[j])),
    "factor": for_each(j, 1, k, Eq(scales[j], decays[j] * scales[j - 1])),
    "kept": for_each(j, 1, k, Eq(kept[j], kept[j - 1] + pushes[j] / scales[j] * points[j])),
    "start": Eq(plain[0], scales[0] * kept[0]),
}


@proves("lem-lazy-step")
def one_lazy_step() -> Theorem:
    r"""Derive that a step on a number times a vector is the step on their product."""
    before, decay, push = reals("b s a")
    after = reals("c", positive=True)
    vector, point = vectors("v x")
    return (
        Derivation(
            "one lazy step",
            given={"factor": Eq(after, decay * before)},
            witness={before: 1, after: half, decay: half, push: 1, vector: [1], point: [1]},
        )
        .start(after * (vector + push / after * point))
        .equals(after * vector + push * point, because="the number cancels")
        .equals(decay * (before * vector) + push * point, because="the number has decayed")
        .qed()
    )


@proves("lem-lazy-weight-decay")
def lazy_weight_decay() -> Theorem:
    r"""Derive that weights kept as a number times a vector decay by changing the number alone."""
    return (
        Derivation(
            "lazy weight decay",
            given=DECAYING,
            witness={
                k: 1,
                decays: [half],
                pushes: [1],
                scales: {0: 1, 1: half},
                plain: {0: [1], 1: [3 * half]},
                kept: {0: [1], 1: [3]},
                points: [[1]],
            },
        )
        .start(plain[k])
        .equals(
            scales[k] * kept[k],
            because="one lazy step after the other",
            by=induction(
                None,
                k,
                step=one_lazy_step()(
                    b=scales[k],
                    c=scales[k + 1],
                    s=decays[k + 1],
                    a=pushes[k + 1],
                    v=kept[k],
                    x=points[k + 1],
                ),
            ),
        )
        .qed()
    )


@proves("lem-raw-gradient")
def raw_gradient() -> Theorem:
    r"""Derive that a step whose length is in proportion to the slope is a multiple of it."""
    return (
        Derivation("the raw gradient", given={"slope": Gt(norm(g(at)), 0)}, witness=BOWL)
        .start(eta * norm(g(at)) * (-g(at) / norm(g(at))))
        .equals(-eta * g(at), because="the length cancels")
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


@proves("lem-root-sum")
def roots_add_up() -> Theorem:
    r"""Derive that the steps $1/\sqrt j$ add up to at least $\sqrt k$."""
    return (
        Derivation("the sum of the root steps")
        .start(Sum(1 / sqrt(j), (j, 1, k)))
        .at_least(
            Sum(1 / sqrt(k), (j, 1, k)), because="the last step is the shortest", by=termwise(j)
        )
        .equals(sqrt(k), because="$k$ terms")
        .qed()
    )


@proves("lem-harmonic-sum")
def harmonic_sum() -> Theorem:
    r"""Derive that the sum of $1/j$ grows no faster than the logarithm."""
    number = reals("t", positive=True)
    step = (
        Derivation("one term more")
        .start(log(number) + 1 / (number + 1))
        .at_most(
            log(number + 1),
            because="the logarithm lies below its tangent",
            by=using(log_tangent()(p=number + 1, q=number)),
        )
        .qed()
    )
    return (
        Derivation("the harmonic sum")
        .start(Sum(1 / j, (j, 1, k)))
        .at_most(
            1 + log(k),
            because="one term after the other",
            by=induction(None, k, step=step(t=k), start=1),
        )
        .qed()
    )


# A run on the parabola a s^2 / 2, in one coordinate.
curvature = reals("a")
place = real_family("s^()")
ON_PARABOLA = for_each(j, 1, k, Eq(place[j], place[j - 1] - eta * (curvature * place[j - 1])))


@proves("lem-quadratic-run")
def run_on_a_parabola() -> Theorem:
    r"""Derive where a run on a parabola is after k steps."""
    return (
        Derivation(
            "a run on a parabola",
            given={"steps": ON_PARABOLA},
            witness={k: 1, eta: 1, curvature: 1, place: {0: 1, 1: 0}},
        )
        .start(place[k])
        .equals(
            (1 - eta * curvature) ** k * place[0],
            because="every step multiplies by the same number",
            by=induction(None, k),
        )
        .qed()
    )


@proves("lem-step-too-long")
def step_too_long() -> Theorem:
    r"""Derive when a step on a parabola leads up."""
    s = reals("s")
    return (
        Derivation("up or down")
        .start(curvature / 2 * ((1 - eta * curvature) * s) ** 2 - curvature / 2 * s**2)
        .equals(eta * curvature**2 / 2 * (eta * curvature - 2) * s**2, because="collect")
        .qed()
    )
