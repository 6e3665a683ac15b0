"""Derivations from other textbooks, told as a lecturer tells them.

They measure the reach of the engine and are not adapted to it: each follows its source line by
line. A name that ``mlnotes.proof`` does not have fails only where it is used, so that a derivation
that cannot be stated counts as one that is not proved.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import mlnotes.proof as pf
from mlnotes.proof import (
    Abs,
    Derivation,
    Eq,
    Ge,
    Gt,
    KroneckerDelta,
    Le,
    Lt,
    Max,
    Product,
    Rational,
    Sum,
    Theorem,
    cases,
    dot,
    exp,
    expectation,
    for_each,
    grad,
    identity,
    independent,
    independent_family,
    indicator,
    indices,
    induction,
    integers,
    inverse,
    log,
    logdet,
    matrices,
    monotone,
    norm,
    norm2,
    probability,
    random_family,
    random_variables,
    real_family,
    reals,
    second_order,
    sqrt,
    termwise,
    trace,
    vector_family,
    vectors,
)

E, P = expectation, probability
DERIVATIONS: dict[str, tuple[str, Callable[[], Theorem]]] = {}


def told(name: str, source: str) -> Callable[[Callable[[], Theorem]], Callable[[], Theorem]]:
    """Register a derivation under a name, with the book that tells it."""

    def register(derive: Callable[[], Theorem]) -> Callable[[], Theorem]:
        DERIVATIONS[name] = (source, derive)
        return derive

    return register


half = Rational(1, 2)


def uniform(*values: Any) -> list[tuple[Any, Any]]:
    """Return a distribution that gives the same probability to some values."""
    return [(value, Rational(1, len(values))) for value in values]


u, v, w, x, z, p, g, star = vectors("u v w x z p g x^*")
a, b, c, s, t, y, q, h = reals("a b c s t y q h")
L, eta, G, D, R, gamma, eps, mu, sigma = reals("L eta G D R gamma epsilon mu sigma", positive=True)
n, m, k, T, K, d, N = integers("n m k T K d N", positive=True)
i, j, l, r = indices("i j l r")  # noqa: E741
xs, gs, us, cs = vector_family("x g u c")
fs, hs, ys, al, be = real_family("f h y alpha beta")
ps, qs, ws, ls = real_family("p q w l", positive=True)
X, Y, Z = random_variables("X Y Z")
Xs, Ys = random_family("X Y")


# ------------------------------------------------------------------------------ optimisation


@told("one step of gradient descent", "Nesterov, Lectures on convex optimization, 2.1")
def one_gradient_step() -> Theorem:
    return (
        Derivation(
            "distance after a step",
            given=[Ge(dot(g, x - star), h)],
            witness={g: [1, 0], x: [1, 0], star: [0, 0], h: 1},
        )
        .start(norm2(x - eta * g - star))
        .equals(
            norm2(x - star) - 2 * eta * dot(g, x - star) + eta**2 * norm2(g),
            because="expand the square",
        )
        .at_most(norm2(x - star) - 2 * eta * h + eta**2 * norm2(g), because="convexity")
        .qed()
    )


@told("regret of online gradient descent", "Hazan, Introduction to online convex optimization, 3.1")
def online_gradient_descent() -> Theorem:
    steps = for_each(i, 1, T, Eq(xs[i + 1], xs[i] - eta * gs[i]))
    losses = for_each(i, 1, T, Le(hs[i], dot(gs[i], xs[i] - star)))
    bounded = for_each(i, 1, T, Le(norm2(gs[i]), G**2))
    return (
        Derivation(
            "regret of online gradient descent",
            given=[steps, losses, bounded, Le(norm2(xs[1] - star), D**2)],
            witness={
                T: 1,
                xs: {1: [1], 2: [0]},
                gs: [[1]],
                star: [0],
                hs: [1],
                eta: 1,
                G: 1,
                D: 1,
            },
        )
        .start(Sum(hs[i], (i, 1, T)))
        .at_most(Sum(dot(gs[i], xs[i] - star), (i, 1, T)), because="convexity of each loss")
        .equals(
            Sum(
                (norm2(xs[i] - star) - norm2(xs[i + 1] - star)) / (2 * eta)
                + eta / 2 * norm2(gs[i]),
                (i, 1, T),
            ),
            because="expand the square of the step",
        )
        .equals(
            (norm2(xs[1] - star) - norm2(xs[T + 1] - star)) / (2 * eta)
            + eta / 2 * Sum(norm2(gs[i]), (i, 1, T)),
            because="the distances telescope",
        )
        .at_most(D**2 / (2 * eta) + eta * G**2 * T / 2, because="drop the last distance; gradients")
        .qed()
    )


@told("a gradient step on a smooth function", "Bubeck, Convex optimization, 3.2")
def smooth_step() -> Theorem:
    f, df = pf.vector_function("f"), pf.vector_map("f'")
    smooth = pf.for_all((u, v), Le(f(v), f(u) + dot(df(u), v - u) + L / 2 * norm2(v - u)))
    return (
        Derivation(
            "descent on a smooth function",
            given=[smooth],
            witness={f: lambda u: norm2(u) / 2, df: lambda u: u, L: 1},
        )
        .start(f(x - df(x) / L))
        .at_most(
            f(x) + dot(df(x), -df(x) / L) + L / 2 * norm2(df(x) / L),
            because="smoothness, for the point after the step",
        )
        .equals(f(x) - norm2(df(x)) / (2 * L), because="collect")
        .qed()
    )


@told("strong convexity bounds the gap", "Boyd and Vandenberghe, 9.1.2")
def gradient_dominates() -> Theorem:
    f, df = pf.vector_function("f"), pf.vector_map("f'")
    strong = pf.for_all((u, v), Ge(f(v), f(u) + dot(df(u), v - u) + mu / 2 * norm2(v - u)))
    return (
        Derivation(
            "the gap and the gradient",
            given=[strong],
            witness={f: lambda u: norm2(u) / 2, df: lambda u: u, mu: 1},
        )
        .start(f(x) - f(star))
        .at_most(
            -dot(df(x), star - x) - mu / 2 * norm2(star - x), because="strong convexity at $x$"
        )
        .at_most(norm2(df(x)) / (2 * mu), because="complete the square")
        .qed()
    )


@told("gradient descent converges linearly", "Bubeck, Convex optimization, 3.4")
def linear_rate() -> Theorem:
    gap = real_family("h")
    contraction = for_each(i, 0, k - 1, Le(gap[i + 1], (1 - mu / L) * gap[i]))
    return (
        Derivation(
            "linear rate",
            given=[contraction, Le(mu, L)],
            witness={k: 1, mu: 1, L: 2, gap: {0: 1, 1: half}},
        )
        .start(gap[k])
        .at_most(
            (1 - mu / L) ** k * gap[0],
            because="by induction on the number of steps",
            by=induction(None, k),
        )
        .qed()
    )


@told("gradient descent on smooth convex functions", "Bubeck, Convex optimization, 3.3")
def sublinear_rate() -> Theorem:
    steps = for_each(i, 1, k, Eq(xs[i + 1], xs[i] - gs[i] / L))
    descent = for_each(i, 1, k, Le(fs[i + 1], fs[i] - norm2(gs[i]) / (2 * L)))
    convex = for_each(i, 1, k, Le(fs[i] - t, dot(gs[i], xs[i] - star)))
    monotone_values = for_each(i, 1, k, Le(fs[k + 1], fs[i + 1]))
    return (
        Derivation(
            "rate of gradient descent",
            given=[steps, descent, convex, monotone_values],
            witness={
                k: 1,
                L: 1,
                xs: {1: [1], 2: [0]},
                gs: [[1]],
                star: [0],
                fs: {1: half, 2: 0},
                t: 0,
            },
        )
        .start(k * (fs[k + 1] - t))
        .at_most(
            Sum(fs[i + 1] - t, (i, 1, k)),
            because="the last value is the least",
        )
        .at_most(
            Sum(L / 2 * (norm2(xs[i] - star) - norm2(xs[i + 1] - star)), (i, 1, k)),
            because="descent, then convexity, then the square of the step",
            by=termwise(i),
        )
        .equals(L / 2 * (norm2(xs[1] - star) - norm2(xs[k + 1] - star)), because="telescope")
        .at_most(L / 2 * norm2(xs[1] - star), because="a square is not negative")
        .qed()
    )


@told("Frank–Wolfe, one step", "Jaggi, Revisiting Frank–Wolfe, 2013")
def frank_wolfe_step() -> Theorem:
    value, after, best = reals("f f^+ f^*")
    return (
        Derivation(
            "one step of Frank–Wolfe",
            given=[
                Le(after, value + q * dot(g, p - x) + L / 2 * q**2 * norm2(p - x)),
                Le(dot(g, p - x), dot(g, star - x)),
                Le(dot(g, star - x), best - value),
                Le(norm2(p - x), D**2),
                Ge(q, 0),
            ],
            witness={
                value: 1,
                after: 0,
                best: 0,
                g: [1],
                x: [1],
                p: [0],
                star: [0],
                q: 1,
                L: 1,
                D: 1,
            },
        )
        .start(after - best)
        .at_most(
            value - best + q * dot(g, p - x) + L / 2 * q**2 * norm2(p - x), because="smoothness"
        )
        .at_most(
            value - best + q * dot(g, star - x) + L / 2 * q**2 * D**2,
            because="the vertex minimises the linear form; the diameter",
        )
        .at_most((1 - q) * (value - best) + L / 2 * q**2 * D**2, because="convexity")
        .qed()
    )


@told("Frank–Wolfe, rate", "Jaggi, Revisiting Frank–Wolfe, 2013")
def frank_wolfe_rate() -> Theorem:
    gap = real_family("h")
    step = for_each(i, 0, k - 1, Le(gap[i + 1], (1 - 2 / (i + 2)) * gap[i] + 2 * c / (i + 2) ** 2))
    return (
        Derivation(
            "rate of Frank–Wolfe",
            given=[step, Ge(c, 0), Le(gap[0], c)],
            witness={k: 1, c: 1, gap: {0: 1, 1: half}},
        )
        .start(gap[k])
        .at_most(
            2 * c / (k + 2),
            because="by induction",
            by=induction(None, k),
        )
        .qed()
    )


@told("three-point identity of Bregman divergences", "Beck and Teboulle, Mirror descent, 2003")
def three_points() -> Theorem:
    phi, dphi = pf.vector_function("phi"), pf.vector_map("phi'")

    def bregman(at: Any, of: Any) -> Any:
        return phi(at) - phi(of) - dot(dphi(of), at - of)

    return (
        Derivation("three points")
        .start(bregman(u, x) + bregman(x, z) - bregman(u, z))
        .equals(
            -dot(dphi(x), u - x) - dot(dphi(z), x - z) + dot(dphi(z), u - z),
            because="the values of $\\phi$ cancel",
        )
        .equals(dot(dphi(z) - dphi(x), u - x), because="collect")
        .qed()
    )


@told("the potential of Hedge falls", "Cesa-Bianchi and Lugosi, Prediction, 2.2")
def hedge_potential() -> Theorem:
    loss = real_family("l")
    mean = Sum(ws[i] * loss[i], (i, 1, n)) / Sum(ws[i], (i, 1, n))
    return (
        Derivation(
            "one round of Hedge",
            given=[for_each(i, 1, n, Ge(loss[i], 0)), for_each(i, 1, n, Le(loss[i], 1))],
            witness={n: 2, ws: [1, 1], loss: [0, 1], eta: 1},
        )
        .start(Sum(ws[i] * exp(-eta * loss[i]), (i, 1, n)))
        .at_most(
            Sum(ws[i] * (1 - (1 - exp(-eta)) * loss[i]), (i, 1, n)),
            because="a convex function lies below its chord on $[0,1]$",
            by=termwise(i),
        )
        .equals(
            Sum(ws[i], (i, 1, n)) * (1 - (1 - exp(-eta)) * mean),
            because="the definition of the mean",
        )
        .at_most(Sum(ws[i], (i, 1, n)) * exp(-(1 - exp(-eta)) * mean), because="$1-u\\le e^{-u}$")
        .qed()
    )


@told("projections do not expand", "Bauschke and Combettes, 4.1")
def nonexpansive() -> Theorem:
    return (
        Derivation(
            "projections do not expand",
            given=[Le(dot(u - p, w - p), 0), Le(dot(v - w, p - w), 0)],
            witness={u: [2], p: [1], v: [0], w: [0]},
        )
        .start(norm2(p - w))
        .equals(
            dot(u - v, p - w) - dot(u - p, p - w) + dot(v - w, p - w),
            because="$p-w=(u-v)-(u-p)+(v-w)$",
        )
        .at_most(dot(u - v, p - w), because="the obtuse angles of both projections")
        .qed()
    )


@told("projections do not expand, lengths", "Bauschke and Combettes, 4.1")
def nonexpansive_lengths() -> Theorem:
    return (
        Derivation(
            "lengths of projections",
            given=[Le(norm2(p - w), dot(u - v, p - w))],
            witness={u: [2], p: [1], v: [0], w: [0]},
        )
        .start(norm(p - w))
        .at_most(norm(u - v), because="Cauchy–Schwarz, divided by the length")
        .qed()
    )


@told("exact line search on a quadratic", "Nocedal and Wright, 3.3")
def exact_line_search() -> Theorem:
    A = matrices("A", d, d, symmetric=True)
    gm = matrices("g", d, 1)
    curvature, slope = trace(gm.T * A * gm), trace(gm.T * gm)
    return (
        Derivation(
            "the best step",
            given=[Gt(curvature, 0)],
            witness={d: 1, A: [[2]], gm: [[1]]},
        )
        .start(-t * slope + t**2 / 2 * curvature)
        .at_least(-(slope**2) / (2 * curvature), because="complete the square in $t$")
        .qed()
    )


@told("Newton's method solves a quadratic in one step", "Nocedal and Wright, 3.3")
def newton_step() -> Theorem:
    A = matrices("A", d, d, symmetric=True)
    xm, bm = matrices("x b", d, 1)
    return (
        Derivation(
            "Newton on a quadratic",
            given=[pf.invertible(A)],
            witness={d: 1, A: [[2]], xm: [[1]], bm: [[3]]},
        )
        .start(A * (xm - inverse(A) * (A * xm - bm)) - bm)
        .equals(A * xm - A * inverse(A) * (A * xm - bm) - bm, because="multiply out")
        .equals(A * xm - (A * xm - bm) - bm, because="$AA^{-1}=I$")
        .equals(pf.zeros(d, 1), because="collect")
        .qed()
    )


@told("the average iterate", "Shalev-Shwartz and Ben-David, 14.1")
def average_iterate() -> Theorem:
    f = pf.vector_function("f", convex=True)
    return (
        Derivation("the average iterate", witness={f: lambda u: norm2(u)})
        .start(f(Sum(xs[i], (i, 1, n)) / n))
        .at_most(Sum(f(xs[i]), (i, 1, n)) / n, because="Jensen's inequality")
        .qed()
    )


@told("stochastic gradients, in expectation", "Shalev-Shwartz and Ben-David, 14.3")
def stochastic_gradient() -> Theorem:
    V = pf.random_vectors("V")
    return (
        Derivation(
            "a stochastic step",
            given=[Eq(E(V), g), Le(E(norm2(V)), G**2)],
            witness={V: uniform([1]), g: [1], G: 1, x: [0], star: [0]},
        )
        .start(E(norm2(x - eta * V - star)))
        .equals(
            norm2(x - star) - 2 * eta * dot(E(V), x - star) + eta**2 * E(norm2(V)),
            because="expand; expectation is linear",
        )
        .at_most(
            norm2(x - star) - 2 * eta * dot(g, x - star) + eta**2 * G**2,
            because="unbiased, bounded",
        )
        .qed()
    )


@told("Young's inequality with a parameter", "Boucheron, Lugosi and Massart, 2.2")
def young() -> Theorem:
    return (
        Derivation("Young's inequality")
        .start(a * b)
        .at_most(
            a * b + (eps * a - b) ** 2 / (2 * eps), because="a square divided by a positive number"
        )
        .equals(eps * a**2 / 2 + b**2 / (2 * eps), because="expand")
        .qed()
    )


@told("the soft threshold", "Hastie, Tibshirani and Wainwright, 2.4")
def soft_threshold() -> Theorem:
    lam = reals("lambda", positive=True)
    best = Max(a - lam, 0) - Max(-a - lam, 0)
    return (
        Derivation("the soft threshold minimises")
        .start((best - a) ** 2 / 2 + lam * Abs(best))
        .at_most(
            (t - a) ** 2 / 2 + lam * Abs(t),
            because="three cases of $a$, two of $t$",
            by=cases(Ge(a, lam), Le(a, -lam)),
        )
        .qed()
    )


# ------------------------------------------------------------------------------ online learning


@told("the perceptron with a margin", "Collins and Duffy; Li and Long, 2000")
def margin_perceptron() -> Theorem:
    theta, label = vector_family("theta"), real_family("y")
    run = [
        Eq(theta[0], 0),
        for_each(j, 1, k, Eq(theta[j], theta[j - 1] + label[j] * xs[j])),
        for_each(j, 1, k, Eq(label[j] ** 2, 1)),
        for_each(j, 1, k, Le(label[j] * dot(theta[j - 1], xs[j]), b)),
        for_each(j, 1, k, Le(norm2(xs[j]), R**2)),
    ]
    return (
        Derivation(
            "length under a margin",
            given=run,
            witness={
                k: 1,
                theta: {0: [0], 1: [1]},
                label: [1],
                xs: [[1]],
                b: 1,
                R: 1,
            },
        )
        .start(norm2(theta[k]))
        .equals(
            Sum(norm2(theta[j]) - norm2(theta[j - 1]), (j, 1, k)),
            because="telescope, and $\\theta_0=0$",
        )
        .equals(
            Sum(2 * label[j] * dot(theta[j - 1], xs[j]) + norm2(xs[j]), (j, 1, k)),
            because="expand each square",
        )
        .at_most(k * (2 * b + R**2), because="every term is at most $2b+R^2$")
        .qed()
    )


@told("mistakes and hinge losses", "Freund and Schapire, Large margin perceptron, 1999")
def mistakes_and_hinges() -> Theorem:
    theta, label, xi = vector_family("theta"), real_family("y"), real_family("xi")
    run = [
        Eq(theta[0], 0),
        for_each(j, 1, k, Eq(theta[j], theta[j - 1] + label[j] * xs[j])),
        for_each(j, 1, k, Ge(label[j] * dot(star, xs[j]), gamma - xi[j])),
    ]
    return (
        Derivation(
            "progress with slack",
            given=run,
            witness={
                k: 1,
                theta: {0: [0], 1: [1]},
                label: [1],
                xs: [[1]],
                xi: [0],
                gamma: 1,
                star: [1],
            },
        )
        .start(dot(theta[k], star))
        .equals(Sum(dot(theta[j] - theta[j - 1], star), (j, 1, k)), because="telescope from zero")
        .equals(Sum(label[j] * dot(star, xs[j]), (j, 1, k)), because="the update")
        .at_least(k * gamma - Sum(xi[j], (j, 1, k)), because="the margin up to its slack")
        .qed()
    )


@told("the halving algorithm", "Shalev-Shwartz and Ben-David, 21.1")
def halving() -> Theorem:
    left = real_family("V")
    return (
        Derivation(
            "halving",
            given=[
                Eq(left[0], N),
                for_each(j, 1, k, Le(left[j], left[j - 1] / 2)),
                Ge(left[k], 1),
            ],
            witness={N: 2, k: 1, left: {0: 2, 1: 1}},
        )
        .start(1)
        .at_most(left[k], because="the right hypothesis is never removed")
        .at_most(
            N / Rational(2) ** k,
            because="each mistake removes half",
            by=induction(None, k),
        )
        .qed()
    )


@told("weighted majority", "Littlestone and Warmuth, 1994")
def weighted_majority() -> Theorem:
    total = real_family("W")
    return (
        Derivation(
            "weighted majority",
            given=[
                Eq(total[0], n),
                for_each(j, 1, m, Le(total[j], Rational(3, 4) * total[j - 1])),
                Le((half) ** k, total[m]),
            ],
            witness={n: 2, m: 1, k: 1, total: {0: 2, 1: 1}},
        )
        .start((half) ** k)
        .at_most(total[m], because="the weight of the best expert is part of the total")
        .at_most(
            Rational(3, 4) ** m * n,
            because="every mistake costs a quarter of the weight",
            by=induction(None, m),
        )
        .qed()
    )


@told("passive–aggressive updates", "Crammer et al., 2006")
def passive_aggressive() -> Theorem:
    tau, loss = reals("tau ell")
    return (
        Derivation(
            "progress of a passive–aggressive step",
            given=[
                Eq(y**2, 1),
                Eq(loss, 1 - y * dot(w, x)),
                Eq(tau * norm2(x), loss),
                Ge(y * dot(u, x), 1),
                Ge(tau, 0),
            ],
            witness={y: 1, w: [0], x: [1], u: [1], tau: 1, loss: 1},
        )
        .start(norm2(w - u) - norm2(w + tau * y * x - u))
        .equals(-2 * tau * y * dot(w - u, x) - tau**2 * norm2(x), because="expand both squares")
        .at_least(2 * tau * loss - tau * loss, because="the target has no loss")
        .equals(tau**2 * norm2(x), because="the definition of $\\tau$")
        .qed()
    )


# ------------------------------------------------------------------------------ probability


@told("Chebyshev's inequality", "Mitzenmacher and Upfal, 3.3")
def chebyshev() -> Theorem:
    return (
        Derivation("Chebyshev's inequality", given=[Gt(a, 0)], witness={a: 1, X: uniform(0, 1)})
        .start(P(Ge(Abs(X - E(X)), a)))
        .at_most(
            E((X - E(X)) ** 2 / a**2),
            because="the indicator is below the square",
            by=termwise(),
        )
        .equals(E((X - E(X)) ** 2) / a**2, because="the constant comes out")
        .qed()
    )


@told("Cantelli's inequality", "Boucheron, Lugosi and Massart, 2.10")
def cantelli() -> Theorem:
    variance = E((X - E(X)) ** 2)
    return (
        Derivation(
            "Cantelli's inequality",
            given=[Gt(a, 0), Ge(b, 0)],
            witness={a: 1, b: 0, X: uniform(0, 1)},
        )
        .start(P(Ge(X - E(X), a)))
        .at_most(
            E((X - E(X) + b) ** 2 / (a + b) ** 2),
            because="where the deviation is at least $a$, the square is at least $(a+b)^2$",
            by=termwise(),
        )
        .equals((variance + b**2) / (a + b) ** 2, because="the mixed term has mean zero")
        .qed()
    )


@told("variance of a mean", "Wasserman, All of statistics, 3.3")
def variance_of_mean() -> Theorem:
    return (
        Derivation(
            "variance of a mean",
            given=[
                independent_family(Xs),
                for_each(i, 1, n, Eq(E(Xs[i]), mu)),
                for_each(i, 1, n, Eq(E((Xs[i] - mu) ** 2), sigma**2)),
            ],
            witness={n: 1, Xs: [uniform(0, 2)], mu: 1, sigma: 1},
        )
        .start(E((Sum(Xs[i], (i, 1, n)) / n - mu) ** 2))
        .equals(E(Sum(Xs[i] - mu, (i, 1, n)) ** 2) / n**2, because="put the mean into the sum")
        .equals(
            Sum(E((Xs[i] - mu) ** 2), (i, 1, n)) / n**2,
            because="products of different ones have mean zero",
        )
        .equals(sigma**2 / n, because="$n$ equal terms")
        .qed()
    )


@told("Rademacher complexity of a ball", "Mohri, Rostamizadeh and Talwalkar, 5.4")
def rademacher_ball() -> Theorem:
    signs = random_family("sigma")
    return (
        Derivation(
            "length of a random sum",
            given=[
                independent_family(signs),
                for_each(i, 1, n, Eq(E(signs[i]), 0)),
                for_each(i, 1, n, Eq(signs[i] ** 2, 1)),
                for_each(i, 1, n, Le(norm2(xs[i]), R**2)),
            ],
            witness={n: 1, signs: [uniform(1, -1)], xs: [[1]], R: 1},
        )
        .start(E(norm2(Sum(signs[i] * xs[i], (i, 1, n)))))
        .equals(
            Sum(Sum(E(signs[i] * signs[j]) * dot(xs[i], xs[j]), (j, 1, n)), (i, 1, n)),
            because="expand",
        )
        .equals(Sum(norm2(xs[i]), (i, 1, n)), because="different signs are independent")
        .at_most(n * R**2, because="every point is inside the ball")
        .qed()
    )


@told("Jensen for the root", "Mohri, Rostamizadeh and Talwalkar, 5.4")
def root_of_mean() -> Theorem:
    return (
        Derivation(
            "the mean is below the root mean square",
            given=[Ge(X, 0)],
            witness={X: uniform(0, 1)},
        )
        .start(E(X))
        .equals(sqrt(E(X) ** 2), because="the mean is not negative")
        .at_most(sqrt(E(X**2)), because="the variance is not negative", by=monotone(sqrt))
        .qed()
    )


@told("Massart's lemma", "Shalev-Shwartz and Ben-David, 26.1")
def massart() -> Theorem:
    top = random_variables("M")
    return (
        Derivation(
            "the largest of finitely many",
            given=[
                Gt(t, 0),
                Le(exp(t * top), Sum(exp(t * Ys[j]), (j, 1, N))),
                for_each(j, 1, N, Le(E(exp(t * Ys[j])), exp(t**2 * sigma**2 / 2))),
            ],
            witness={N: 1, t: 1, sigma: 1, top: uniform(0), Ys: [uniform(0)]},
        )
        .start(t * E(top))
        .equals(log(exp(E(t * top))), because="logarithm of the exponential")
        .at_most(log(E(exp(t * top))), because="Jensen's inequality")
        .at_most(log(Sum(E(exp(t * Ys[j])), (j, 1, N))), because="the largest is below the sum")
        .at_most(log(N * exp(t**2 * sigma**2 / 2)), because="each is sub-Gaussian")
        .equals(log(N) + t**2 * sigma**2 / 2, because="laws of the logarithm")
        .qed()
    )


@told("the Paley–Zygmund inequality", "Boucheron, Lugosi and Massart, exercise 2.4")
def paley_zygmund() -> Theorem:
    above = indicator(Gt(X, q * E(X)))
    return (
        Derivation(
            "Paley–Zygmund",
            given=[Ge(X, 0), Ge(q, 0), Le(q, 1)],
            witness={X: uniform(0, 1), q: half},
        )
        .start(((1 - q) * E(X)) ** 2)
        .at_most(E(X * above) ** 2, because="where it is small, $X$ contributes at most $q\\,E X$")
        .at_most(E(X**2) * E(above**2), because="Cauchy–Schwarz")
        .equals(E(X**2) * P(Gt(X, q * E(X))), because="an indicator is its own square")
        .qed()
    )


@told("the union bound", "Mitzenmacher and Upfal, 1.2")
def union_bound() -> Theorem:
    return (
        Derivation(
            "the union bound",
            given=[for_each(i, 1, n, Le(P(Gt(Xs[i], a)), b))],
            witness={n: 1, Xs: [uniform(0, 2)], a: 1, b: half},
        )
        .start(P(pf.some(i, 1, n, Gt(Xs[i], a))))
        .at_most(Sum(P(Gt(Xs[i], a)), (i, 1, n)), because="one of them holds")
        .at_most(n * b, because="each is rare")
        .qed()
    )


@told("variance by an independent copy", "Boucheron, Lugosi and Massart, 3.1")
def independent_copy() -> Theorem:
    return (
        Derivation(
            "variance by a copy",
            given=[independent(X, Y), Eq(E(X), E(Y)), Eq(E(X**2), E(Y**2))],
            witness={X: uniform(0, 1), Y: uniform(0, 1)},
        )
        .start(half * E((X - Y) ** 2))
        .equals(half * (E(X**2) - 2 * E(X) * E(Y) + E(Y**2)), because="expand; independence")
        .equals(E(X**2) - E(X) ** 2, because="equal moments")
        .equals(E((X - E(X)) ** 2), because="the variance")
        .qed()
    )


@told("bias and variance of an estimator", "Wasserman, All of statistics, 6.3")
def mean_squared_error() -> Theorem:
    return (
        Derivation("mean squared error")
        .start(E((X - a) ** 2))
        .equals(E((X - E(X) + E(X) - a) ** 2), because="add and subtract the mean")
        .equals(E((X - E(X)) ** 2) + (E(X) - a) ** 2, because="the mixed term has mean zero")
        .qed()
    )


@told("the risk of James and Stein", "Efron and Hastie, Computer age statistical inference, 7.1")
def james_stein() -> Theorem:
    V = pf.random_vectors("X")
    theta = vectors("mu")
    shrunk = (1 - (d - 2) / norm2(V)) * V
    return (
        Derivation(
            "the risk of James and Stein",
            given=[
                Gt(norm2(V), 0),
                Eq(E(norm2(V - theta)), d),
                Eq(E(dot(V - theta, V) / norm2(V)), (d - 2) * E(1 / norm2(V))),
            ],
            witness={
                d: 3,
                V: [([half], Rational(8, 45)), ([2], Rational(32, 45)), ([1], Rational(1, 9))],
                theta: [0],
            },
        )
        .start(E(norm2(shrunk - theta)))
        .equals(
            E(
                norm2(V - theta)
                - 2 * (d - 2) * dot(V - theta, V) / norm2(V)
                + (d - 2) ** 2 / norm2(V)
            ),
            because="expand the square",
        )
        .equals(
            d - 2 * (d - 2) * (d - 2) * E(1 / norm2(V)) + (d - 2) ** 2 * E(1 / norm2(V)),
            because="Stein's identity",
        )
        .equals(d - (d - 2) ** 2 * E(1 / norm2(V)), because="collect")
        .qed()
    )


@told("variance of the bootstrap mean", "Efron and Tibshirani, 6.2")
def bootstrap_variance() -> Theorem:
    mean = Sum(ys[i], (i, 1, n)) / n
    return (
        Derivation(
            "variance of the bootstrap mean",
            given=[
                independent_family(Xs),
                for_each(j, 1, n, Eq(E(Xs[j]), mean)),
                for_each(j, 1, n, Eq(E(Xs[j] ** 2), Sum(ys[i] ** 2, (i, 1, n)) / n)),
            ],
            witness={n: 1, ys: [2], Xs: [uniform(2)]},
        )
        .start(E((Sum(Xs[j], (j, 1, n)) / n - mean) ** 2))
        .equals(
            Sum(E((Xs[j] - mean) ** 2), (j, 1, n)) / n**2,
            because="draws are independent with this mean",
        )
        .equals(
            Sum(Sum((ys[i] - mean) ** 2, (i, 1, n)) / n, (j, 1, n)) / n**2,
            because="a draw is one of the points",
        )
        .equals(Sum((ys[i] - mean) ** 2, (i, 1, n)) / n**2, because="$n$ equal terms")
        .qed()
    )


@told("the law of total variance", "Wasserman, All of statistics, 3.5")
def total_variance() -> Theorem:
    weight, centre, spread = real_family("p", positive=True), real_family("m"), real_family("v")
    mean = Sum(weight[i] * centre[i], (i, 1, K))
    return (
        Derivation(
            "total variance",
            given=[Eq(Sum(weight[i], (i, 1, K)), 1)],
            witness={K: 1, weight: [1], centre: [0], spread: [1]},
        )
        .start(Sum(weight[i] * (spread[i] + centre[i] ** 2), (i, 1, K)) - mean**2)
        .equals(
            Sum(weight[i] * spread[i], (i, 1, K))
            + Sum(weight[i] * (centre[i] - mean) ** 2, (i, 1, K)),
            because="within and between",
        )
        .qed()
    )


@told("reversed scores", "Fawcett, An introduction to ROC analysis, 2006")
def reversed_auc() -> Theorem:
    pos, neg = real_family("a b")

    def auc(above: Any, below: Any) -> Any:
        wins = indicator(Gt(above, below)) + half * indicator(Eq(above, below))
        return Sum(Sum(wins, (j, 1, m)), (i, 1, n)) / (n * m)

    return (
        Derivation("reversed scores")
        .start(auc(pos[i], neg[j]) + auc(neg[j], pos[i]))
        .equals(
            Sum(Sum(1, (j, 1, m)), (i, 1, n)) / (n * m),
            because="of two numbers one is larger, or they are equal",
        )
        .equals(1, because="count the pairs")
        .qed()
    )


@told("Chernoff's bound", "Mitzenmacher and Upfal, 4.1")
def chernoff() -> Theorem:
    return (
        Derivation("Chernoff's bound", given=[Gt(t, 0)], witness={t: 1, a: 0, X: uniform(0, 1)})
        .start(P(Ge(X, a)))
        .at_most(
            E(exp(t * (X - a))), because="the indicator is below the exponential", by=termwise()
        )
        .equals(exp(-t * a) * E(exp(t * X)), because="the constant comes out")
        .qed()
    )


# ------------------------------------------------------------------------------ information


@told("the log-sum inequality", "Cover and Thomas, 2.7")
def log_sum() -> Theorem:
    total_p, total_q = Sum(ps[j], (j, 1, n)), Sum(qs[j], (j, 1, n))
    return (
        Derivation("the log-sum inequality")
        .start(Sum(ps[i] * log(ps[i] / qs[i]), (i, 1, n)))
        .equals(
            total_p * log(total_p / total_q)
            + Sum(ps[i] * log((ps[i] / total_p) / (qs[i] / total_q)), (i, 1, n)),
            because="divide both by their totals",
        )
        .at_least(
            total_p * log(total_p / total_q)
            + Sum(ps[i] * (1 - (qs[i] / total_q) / (ps[i] / total_p)), (i, 1, n)),
            because="$\\log u\\ge1-1/u$",
        )
        .equals(total_p * log(total_p / total_q), because="both totals are spent")
        .qed()
    )


@told("entropy is at most the logarithm of the count", "MacKay, Information theory, 2.4")
def entropy_bound() -> Theorem:
    return (
        Derivation(
            "largest entropy",
            given=[Eq(Sum(ps[i], (i, 1, n)), 1)],
            witness={n: 2, ps: [half, half]},
        )
        .start(-Sum(ps[i] * log(ps[i]), (i, 1, n)))
        .equals(log(n) + Sum(ps[i] * log(1 / (n * ps[i])), (i, 1, n)), because="the total is one")
        .at_most(
            log(n) + Sum(ps[i] * (1 / (n * ps[i]) - 1), (i, 1, n)), because="$\\log u\\le u-1$"
        )
        .equals(log(n), because="both sums are one")
        .qed()
    )


@told("Kraft's inequality bounds the length", "Cover and Thomas, 5.3")
def code_length() -> Theorem:
    return (
        Derivation(
            "no code is shorter than the entropy",
            given=[
                Eq(Sum(ps[i], (i, 1, n)), 1),
                Le(Sum(exp(-ls[i]), (i, 1, n)), 1),
            ],
            witness={n: 1, ps: [1], ls: [1]},
        )
        .start(Sum(ps[i] * ls[i], (i, 1, n)))
        .equals(
            -Sum(ps[i] * log(ps[i]), (i, 1, n)) + Sum(ps[i] * log(ps[i] / exp(-ls[i])), (i, 1, n)),
            because="$l=-\\log e^{-l}$",
        )
        .at_least(
            -Sum(ps[i] * log(ps[i]), (i, 1, n)) + Sum(ps[i] * (1 - exp(-ls[i]) / ps[i]), (i, 1, n)),
            because="$\\log u\\ge1-1/u$",
        )
        .at_least(-Sum(ps[i] * log(ps[i]), (i, 1, n)), because="Kraft's inequality")
        .qed()
    )


@told("mutual information is not negative", "Cover and Thomas, 2.6")
def mutual_information() -> Theorem:
    joint = real_family("p", positive=True)
    row, column = Sum(joint[i, l], (l, 1, m)), Sum(joint[r, j], (r, 1, n))
    return (
        Derivation(
            "mutual information",
            given=[Eq(Sum(Sum(joint[i, j], (j, 1, m)), (i, 1, n)), 1)],
            witness={n: 1, m: 1, joint: {(1, 1): 1}},
        )
        .start(Sum(Sum(joint[i, j] * log(joint[i, j] / (row * column)), (j, 1, m)), (i, 1, n)))
        .at_least(
            Sum(Sum(joint[i, j] * (1 - row * column / joint[i, j]), (j, 1, m)), (i, 1, n)),
            because="$\\log u\\ge1-1/u$",
        )
        .equals(0, because="the products of the margins add up to one")
        .qed()
    )


@told("Pinsker's inequality for coins", "Cover and Thomas, 11.6")
def pinsker_coins() -> Theorem:
    inside = [Gt(q, 0), Lt(q, 1), Gt(a, 0), Lt(a, 1)]
    return (
        Derivation("Pinsker for coins", given=inside, witness={q: half, a: half})
        .start(2 * (a - q) ** 2)
        .at_most(
            a * log(a / q) + (1 - a) * log((1 - a) / (1 - q)),
            because="both vanish at $q=a$, and the difference falls before and grows after it",
            by=second_order(a, at=q),
        )
        .qed()
    )


# ------------------------------------------------------------------------------ matrices


A, B, C = matrices("A B C", n, n)
S = matrices("S", n, n, symmetric=True)
U, W = matrices("U W", n, k)
col, row_ = matrices("u v", n, 1)
XX = matrices("X", n, d)
yy = matrices("y", n, 1)
bb = matrices("b", d, 1)


@told("the Sherman–Morrison formula", "Golub and Van Loan, 2.1")
def sherman_morrison() -> Theorem:
    scale = 1 + trace(row_.T * inverse(A) * col)
    return (
        Derivation(
            "Sherman–Morrison",
            given=[pf.invertible(A), Gt(scale, 0)],
            witness={n: 1, A: [[1]], col: [[1]], row_: [[1]]},
        )
        .start((A + col * row_.T) * (inverse(A) - inverse(A) * col * row_.T * inverse(A) / scale))
        .equals(
            identity(n)
            + col * row_.T * inverse(A)
            - col * row_.T * inverse(A) / scale
            - col * (row_.T * inverse(A) * col) * row_.T * inverse(A) / scale,
            because="multiply out",
        )
        .equals(
            identity(n) + col * row_.T * inverse(A) - scale * (col * row_.T * inverse(A)) / scale,
            because="the matrix $v^\\top A^{-1}u$ is a number",
        )
        .equals(identity(n), because="the scale cancels")
        .qed()
    )


@told("the Woodbury identity", "Golub and Van Loan, 2.1")
def woodbury() -> Theorem:
    core = identity(k) + W.T * inverse(A) * U
    return (
        Derivation(
            "Woodbury",
            given=[pf.invertible(A), pf.invertible(core)],
            witness={n: 1, k: 1, A: [[1]], U: [[1]], W: [[1]]},
        )
        .start((A + U * W.T) * (inverse(A) - inverse(A) * U * inverse(core) * W.T * inverse(A)))
        .equals(
            identity(n) + U * W.T * inverse(A) - U * core * inverse(core) * W.T * inverse(A),
            because="multiply out and collect",
        )
        .equals(identity(n), because="the core cancels")
        .qed()
    )


@told("recursive least squares", "Ljung, System identification, 11.2")
def recursive_least_squares() -> Theorem:
    Pm = matrices("P", d, d, symmetric=True)
    xm = matrices("x", d, 1)
    scale = 1 + trace(xm.T * Pm * xm)
    gain = Pm * xm / scale
    return (
        Derivation(
            "the gain",
            given=[Gt(scale, 0)],
            witness={d: 1, Pm: [[1]], xm: [[1]]},
        )
        .start((Pm - gain * xm.T * Pm) * xm)
        .equals(Pm * xm - Pm * xm * (xm.T * Pm * xm) / scale, because="put the gain in")
        .equals(Pm * xm * (scale - (scale - 1)) / scale, because="$x^\\top Px$ is a number")
        .equals(gain, because="collect")
        .qed()
    )


@told("leave one out without refitting", "Hastie, Tibshirani and Friedman, 7.10")
def leave_one_out() -> Theorem:
    Pm = matrices("P", d, d, symmetric=True)
    xm, theta = matrices("x theta", d, 1)
    lever = trace(xm.T * Pm * xm)
    without = Pm + Pm * xm * xm.T * Pm / (1 - lever)
    return (
        Derivation(
            "leave one out",
            given=[Lt(lever, 1)],
            witness={d: 1, Pm: [[half]], xm: [[1]], theta: [[1]], y: 1},
        )
        .start(y - trace(xm.T * (theta + without * xm * (trace(xm.T * theta) - y))))
        .equals(
            (y - trace(xm.T * theta)) * (1 + lever + lever**2 / (1 - lever)),
            because="$x^\\top Px$ is the leverage",
        )
        .equals((y - trace(xm.T * theta)) / (1 - lever), because="a common denominator")
        .qed()
    )


@told("the hat matrix projects", "Seber and Lee, Linear regression analysis, 3.1")
def hat_matrix() -> Theorem:
    gram = XX.T * XX
    H = XX * inverse(gram) * XX.T
    return (
        Derivation(
            "trace of the hat matrix",
            given=[pf.invertible(gram)],
            witness={n: 1, d: 1, XX: [[1]]},
        )
        .start(trace(H * H))
        .equals(trace(XX * inverse(gram) * gram * inverse(gram) * XX.T), because="write out")
        .equals(trace(XX * inverse(gram) * XX.T), because="the inverse cancels")
        .equals(trace(inverse(gram) * gram), because="the trace is cyclic")
        .equals(d, because="the trace of the identity")
        .qed()
    )


@told("Gauss and Markov", "Seber and Lee, Linear regression analysis, 3.2")
def gauss_markov() -> Theorem:
    cm = matrices("c", n, 1)
    gram = XX.T * XX
    best = XX * inverse(gram) * bb
    return (
        Derivation(
            "Gauss–Markov",
            given=[pf.invertible(gram), Eq(XX.T * cm, bb)],
            witness={n: 1, d: 1, XX: [[1]], cm: [[1]], bb: [[1]]},
        )
        .start(trace(cm.T * cm))
        .equals(
            trace((cm - best).T * (cm - best))
            + 2 * trace((cm - best).T * best)
            + trace(best.T * best),
            because="put $c=(c-c_0)+c_0$",
        )
        .equals(
            trace((cm - best).T * (cm - best)) + trace(best.T * best),
            because="$X^\\top c=X^\\top c_0=b$, so the mixed term vanishes",
        )
        .at_least(trace(best.T * best), because="a sum of squares")
        .qed()
    )


@told("ridge regression as least squares on more rows", "Hastie, Tibshirani and Friedman, ex. 3.12")
def ridge_rows() -> Theorem:
    lam = reals("lambda", positive=True)
    return (
        Derivation("ridge by completion")
        .start(
            trace((yy - XX * bb).T * (yy - XX * bb)) + trace((sqrt(lam) * bb).T * (sqrt(lam) * bb))
        )
        .equals(
            trace((yy - XX * bb).T * (yy - XX * bb)) + lam * trace(bb.T * bb),
            because="the root is squared",
        )
        .qed()
    )


@told("kernel ridge regression", "Schölkopf and Smola, 4.6")
def push_through() -> Theorem:
    lam = reals("lambda", positive=True)
    small, large = XX.T * XX + lam * identity(d), XX * XX.T + lam * identity(n)
    return (
        Derivation(
            "push through",
            given=[pf.invertible(small), pf.invertible(large)],
            witness={n: 1, d: 1, XX: [[1]], lam: 1},
        )
        .start(inverse(small) * XX.T)
        .equals(inverse(small) * XX.T * large * inverse(large), because="multiply by $I$")
        .equals(
            inverse(small) * small * XX.T * inverse(large),
            because="both products are $X^\\top XX^\\top+\\lambda X^\\top$",
        )
        .equals(XX.T * inverse(large), because="cancel")
        .qed()
    )


@told("reconstruction by an orthonormal frame", "Bishop, Pattern recognition, 12.1")
def reconstruction() -> Theorem:
    V = matrices("V", n, k)
    data = matrices("X", n, m)
    return (
        Derivation(
            "reconstruction error",
            given=[Eq(V.T * V, identity(k))],
            witness={n: 1, k: 1, m: 1, V: [[1]], data: [[2]]},
        )
        .start(trace((data - V * V.T * data).T * (data - V * V.T * data)))
        .equals(
            trace(data.T * data)
            - 2 * trace(data.T * V * V.T * data)
            + trace(data.T * V * (V.T * V) * V.T * data),
            because="multiply out",
        )
        .equals(
            trace(data.T * data) - trace(V.T * data * data.T * V),
            because="$V^\\top V=I$, and the trace is cyclic",
        )
        .qed()
    )


@told("the best direction of a quadratic form", "Horn and Johnson, 4.2")
def rayleigh() -> Theorem:
    lam = real_family("lambda")
    coordinate = real_family("c")
    return (
        Derivation(
            "Rayleigh's quotient",
            given=[
                for_each(i, 1, d, Le(lam[i], lam[1])),
                Eq(Sum(coordinate[i] ** 2, (i, 1, d)), 1),
            ],
            witness={d: 1, lam: [2], coordinate: [1]},
        )
        .start(Sum(lam[i] * coordinate[i] ** 2, (i, 1, d)))
        .at_most(Sum(lam[1] * coordinate[i] ** 2, (i, 1, d)), because="the first is the largest")
        .equals(lam[1], because="the squares add up to one")
        .qed()
    )


@told("the quadratic form in an eigenbasis", "Horn and Johnson, 4.2")
def quadratic_form_in_eigenbasis() -> Theorem:
    basis = pf.eigenbasis(S, "lambda", "v")
    xm = matrices("x", n, 1)
    return (
        Derivation(
            "largest eigenvalue",
            given=[for_each(i, 1, n, Le(basis.values[i], basis.values[1]))],
            witness={n: 1, S: [[2]], xm: [[1]]},
        )
        .start(trace(xm.T * S * xm))
        .equals(
            Sum(basis.values[i] * trace(basis.vectors[i].T * xm) ** 2, (i, 1, n)),
            because="expand $x$ in the eigenvectors",
        )
        .at_most(
            Sum(basis.values[1] * trace(basis.vectors[i].T * xm) ** 2, (i, 1, n)),
            because="the first eigenvalue is the largest",
        )
        .equals(basis.values[1] * trace(xm.T * xm), because="Parseval")
        .qed()
    )


@told("Nyström's error is positive semidefinite", "Williams and Seeger, 2001")
def nystroem() -> Theorem:
    F = matrices("F", n, d)
    Z_ = matrices("Z", d, k)
    core = Z_.T * Z_
    zm = matrices("z", n, 1)
    projector = identity(d) - Z_ * inverse(core) * Z_.T
    return (
        Derivation(
            "Nyström's error",
            given=[pf.invertible(core)],
            witness={n: 1, d: 1, k: 1, F: [[1]], Z_: [[1]], zm: [[1]]},
        )
        .start(trace(zm.T * (F * F.T - F * Z_ * inverse(core) * Z_.T * F.T) * zm))
        .equals(trace(zm.T * F * projector * F.T * zm), because="collect")
        .equals(
            trace((projector * F.T * zm).T * (projector * F.T * zm)),
            because="a projector is symmetric and its own square",
        )
        .at_least(0, because="a sum of squares")
        .qed()
    )


@told("completing the square with a Schur complement", "Boyd and Vandenberghe, A.5.5")
def schur_complement() -> Theorem:
    Bm = matrices("B", n, k)
    xm, zm = matrices("x", n, 1), matrices("z", k, 1)
    return (
        Derivation(
            "completing the square",
            given=[pf.invertible(S)],
            witness={n: 1, k: 1, S: [[2]], Bm: [[1]], xm: [[1]], zm: [[1]]},
        )
        .start(trace(xm.T * S * xm) + 2 * trace(xm.T * Bm * zm))
        .equals(
            trace((xm + inverse(S) * Bm * zm).T * S * (xm + inverse(S) * Bm * zm))
            - trace(zm.T * Bm.T * inverse(S) * Bm * zm),
            because="complete the square",
        )
        .qed()
    )


@told("the posterior in factor analysis", "Bishop, Pattern recognition, 12.2.4")
def factor_analysis() -> Theorem:
    load = matrices("Lambda", n, k)
    Psi = matrices("Psi", n, n, symmetric=True)
    small = identity(k) + load.T * inverse(Psi) * load
    large = load * load.T + Psi
    return (
        Derivation(
            "two forms of the posterior mean",
            given=[pf.invertible(Psi), pf.invertible(small), pf.invertible(large)],
            witness={n: 1, k: 1, load: [[1]], Psi: [[1]]},
        )
        .start(inverse(small) * load.T * inverse(Psi))
        .equals(
            inverse(small) * load.T * inverse(Psi) * large * inverse(large), because="insert $I$"
        )
        .equals(
            inverse(small) * (load.T * inverse(Psi) * load + identity(k)) * load.T * inverse(large),
            because="multiply out",
        )
        .equals(load.T * inverse(large), because="cancel")
        .qed()
    )


@told("Fisher's direction", "Duda, Hart and Stork, 3.8.2")
def fisher_direction() -> Theorem:
    Wm = matrices("W", d, d, symmetric=True)
    wm, mm = matrices("w m", d, 1)
    return (
        Derivation(
            "Fisher's criterion",
            given=[pf.positive_definite(Wm)],
            witness={d: 1, Wm: [[2]], wm: [[1]], mm: [[1]]},
        )
        .start(trace(wm.T * mm) ** 2)
        .equals(trace(wm.T * Wm * (inverse(Wm) * mm)) ** 2, because="insert $WW^{-1}$")
        .at_most(
            trace(wm.T * Wm * wm) * trace(mm.T * inverse(Wm) * mm),
            because="Cauchy–Schwarz in the metric of $W$",
        )
        .qed()
    )


@told("the gradient of a Gaussian log-likelihood", "Petersen and Pedersen, 9")
def gaussian_gradient() -> Theorem:
    Lam = matrices("Lambda", n, n, symmetric=True)
    return (
        Derivation(
            "gradient in the precision",
            given=[pf.positive_definite(Lam)],
            witness={n: 1, Lam: [[1]], S: [[2]]},
        )
        .start(grad(logdet(Lam) - trace(S * Lam), Lam))
        .equals(inverse(Lam) - S, because="both rules")
        .qed()
    )


# ------------------------------------------------------------------------------ clustering and EM


@told("within and between", "Hastie, Tibshirani and Friedman, 14.3.6")
def within_and_between() -> Theorem:
    centre = Sum(xs[j], (j, 1, n)) / n
    return (
        Derivation("squares about any point")
        .start(Sum(norm2(xs[i] - z), (i, 1, n)))
        .equals(
            Sum(norm2(xs[i] - centre), (i, 1, n)) + n * norm2(centre - z),
            because="the mixed term vanishes at the mean",
        )
        .qed()
    )


@told("the pairwise identity", "Hastie, Tibshirani and Friedman, 14.3.6")
def pairwise_identity() -> Theorem:
    centre = Sum(xs[l], (l, 1, n)) / n
    return (
        Derivation("pairs and the mean")
        .start(Sum(Sum(norm2(xs[i] - xs[j]), (j, 1, n)), (i, 1, n)) / (2 * n))
        .equals(Sum(norm2(xs[i]), (i, 1, n)) - norm2(Sum(xs[i], (i, 1, n))) / n, because="expand")
        .equals(Sum(norm2(xs[i] - centre), (i, 1, n)), because="expand backwards")
        .qed()
    )


@told("the price of a uniform centre", "Arthur and Vassilvitskii, k-means++, 2007")
def uniform_centre() -> Theorem:
    centre = Sum(xs[l], (l, 1, n)) / n
    return (
        Derivation("a random point as centre")
        .start(Sum(Sum(norm2(xs[i] - xs[j]), (i, 1, n)), (j, 1, n)) / n)
        .equals(
            Sum(Sum(norm2(xs[i] - centre), (i, 1, n)) + n * norm2(centre - xs[j]), (j, 1, n)) / n,
            because="squares about a point",
        )
        .equals(2 * Sum(norm2(xs[i] - centre), (i, 1, n)), because="the same sum twice")
        .qed()
    )


@told("the price of a merger", "Ward, 1963")
def ward() -> Theorem:
    one, two = integers("n_1 n_2", positive=True)
    both = (one * u + two * v) / (one + two)
    return (
        Derivation("Ward's cost")
        .start(one * norm2(u - both) + two * norm2(v - both))
        .equals(
            one * norm2(two * (u - v) / (one + two)) + two * norm2(one * (v - u) / (one + two)),
            because="the mean divides the segment",
        )
        .equals(one * two / (one + two) * norm2(u - v), because="collect")
        .qed()
    )


@told("EM climbs", "McLachlan and Krishnan, 3.2")
def em_climbs() -> Theorem:
    old, new = real_family("p p^+", positive=True)
    before, after = Sum(old[j], (j, 1, K)), Sum(new[j], (j, 1, K))
    return (
        Derivation("EM climbs")
        .start(log(after) - log(before))
        .equals(
            log(Sum(old[l] / before * (new[l] / old[l]), (l, 1, K))),
            because="multiply and divide by the old joint probabilities",
        )
        .at_least(
            Sum(old[l] / before * log(new[l] / old[l]), (l, 1, K)), because="Jensen's inequality"
        )
        .qed()
    )


# ------------------------------------------------------------------------------ boosting, games


@told("weak duality of matrix games", "Schapire and Freund, Boosting, 6.1")
def weak_minimax() -> Theorem:
    M = real_family("M")
    row, column = real_family("p q")
    payoff = Sum(Sum(row[i] * M[i, j] * column[j], (j, 1, m)), (i, 1, n))
    return (
        Derivation(
            "weak duality",
            given=[
                for_each(i, 1, n, Ge(row[i], 0)),
                for_each(j, 1, m, Ge(column[j], 0)),
                Eq(Sum(row[i], (i, 1, n)), 1),
                Eq(Sum(column[j], (j, 1, m)), 1),
                for_each(i, 1, n, Le(Sum(M[i, j] * column[j], (j, 1, m)), b)),
                for_each(j, 1, m, Ge(Sum(row[i] * M[i, j], (i, 1, n)), a)),
            ],
            witness={n: 1, m: 1, row: [1], column: [1], M: {(1, 1): 1}, a: 1, b: 1},
        )
        .start(a)
        .equals(Sum(a * column[j], (j, 1, m)), because="the column strategy sums to one")
        .at_most(payoff, because="against every column the row player gets at least $a$")
        .equals(Sum(row[i] * Sum(M[i, j] * column[j], (j, 1, m)), (i, 1, n)), because="sum by rows")
        .at_most(Sum(row[i] * b, (i, 1, n)), because="against every row at most $b$")
        .equals(b, because="the row strategy sums to one")
        .qed()
    )


@told("boosting and margins", "Schapire and Freund, Boosting, 5.2")
def boosting_margins() -> Theorem:
    F, label = real_family("F y")
    return (
        Derivation(
            "points with a small margin",
            given=[Gt(s, 0)],
            witness={n: 1, s: 1, t: 0, F: [1], label: [1]},
        )
        .start(Sum(indicator(Le(label[i] * F[i], t * s)), (i, 1, n)) / n)
        .at_most(
            Sum(exp(t * s - label[i] * F[i]), (i, 1, n)) / n,
            because="the exponential is above the indicator",
            by=termwise(i),
        )
        .equals(exp(t * s) * Sum(exp(-label[i] * F[i]), (i, 1, n)) / n, because="a constant factor")
        .qed()
    )


@told("the edge of a weak rule", "Schapire and Freund, Boosting, 3.1")
def boosting_edge() -> Theorem:
    return (
        Derivation(
            "normaliser and edge",
            given=[Ge(h, -half), Le(h, half)],
            witness={h: 0},
        )
        .start(2 * sqrt((half - h) * (half + h)))
        .equals(sqrt(1 - 4 * h**2), because="multiply out")
        .at_most(sqrt(exp(-4 * h**2)), because="$1-u\\le e^{-u}$", by=monotone(sqrt))
        .equals(exp(-2 * h**2), because="the root halves the exponent")
        .qed()
    )


@told("variance of a correlated average", "Hastie, Tibshirani and Friedman, 15.2")
def correlated_average() -> Theorem:
    rho = reals("rho")
    centred = [
        for_each(
            i,
            1,
            n,
            for_each(
                j, 1, n, Eq(E(Xs[i] * Xs[j]), sigma**2 * (rho + (1 - rho) * KroneckerDelta(i, j)))
            ),
        )
    ]
    return (
        Derivation(
            "variance of an average",
            given=centred,
            witness={n: 1, Xs: [uniform(1, -1)], rho: 0, sigma: 1},
        )
        .start(E((Sum(Xs[i], (i, 1, n)) / n) ** 2))
        .equals(
            Sum(Sum(E(Xs[i] * Xs[j]), (j, 1, n)), (i, 1, n)) / n**2, because="expand the square"
        )
        .equals(sigma**2 * (n**2 * rho + n * (1 - rho)) / n**2, because="count the pairs")
        .equals(rho * sigma**2 + (1 - rho) * sigma**2 / n, because="divide")
        .qed()
    )


# ------------------------------------------------------------------------------ calculus, counting


@told("the slope of the logistic function", "Goodfellow, Bengio and Courville, 3.10")
def logistic_slope() -> Theorem:
    return (
        Derivation("the slope of the logistic function")
        .start(grad(1 / (1 + exp(-t)), t))
        .equals(exp(-t) / (1 + exp(-t)) ** 2, because="the chain rule")
        .equals(1 / (1 + exp(-t)) * (1 - 1 / (1 + exp(-t))), because="collect")
        .at_most(Rational(1, 4), because="a product of two numbers with sum one")
        .qed()
    )


@told("the gradient of the cross-entropy", "Goodfellow, Bengio and Courville, 6.2")
def softmax_gradient() -> Theorem:
    scores = real_family("z")
    cross_entropy = log(Sum(exp(scores[j]), (j, 1, K))) - scores[k]
    return (
        Derivation(
            "gradient of the cross-entropy",
            given=[Ge(k, 1), Le(k, K), Ge(l, 1), Le(l, K)],
            witness={K: 2, k: 1, scores: [0, 0], l: 1},
        )
        .start(grad(cross_entropy, scores[l], given=[Ge(l, 1), Le(l, K)]))
        .equals(
            exp(scores[l]) / Sum(exp(scores[j]), (j, 1, K)) - KroneckerDelta(l, k),
            because="the chain rule",
        )
        .qed()
    )


@told("backpropagation through two layers", "Goodfellow, Bengio and Courville, 6.5")
def two_layers() -> Theorem:
    f = pf.function("f", differentiable=True)
    act = pf.function("phi", differentiable=True)
    return (
        Derivation("two layers", witness={f: lambda t: t, act: lambda t: t})
        .start(grad(f(a * act(b * t)), t))
        .equals(
            pf.derivative(f)(a * act(b * t)) * a * pf.derivative(act)(b * t) * b,
            because="the chain rule twice",
        )
        .qed()
    )


@told("the geometric sum", "Graham, Knuth and Patashnik, 2.3")
def geometric_sum() -> Theorem:
    return (
        Derivation("the geometric sum", given=[Lt(t, 1)], witness={t: half, n: 1})
        .start(Sum(t**i, (i, 0, n)))
        .equals(
            (1 - t ** (n + 1)) / (1 - t),
            because="by induction",
            by=induction(None, n),
        )
        .qed()
    )


@told("the harmonic sum", "Graham, Knuth and Patashnik, 6.3")
def harmonic_sum() -> Theorem:
    return (
        Derivation("the harmonic sum")
        .start(Sum(1 / i, (i, 1, n)))
        .at_most(
            1 + log(n),
            because="by induction: $1/(m+1)\\le\\log\\frac{m+1}m$",
            by=induction(None, n, start=1),
        )
        .qed()
    )


@told("subsets are counted by powers of two", "Graham, Knuth and Patashnik, 5.1")
def binomial_sum() -> Theorem:
    return (
        Derivation("all subsets")
        .start(Sum(pf.binomial(n, i), (i, 0, n)))
        .equals(
            Rational(2) ** n,
            because="Pascal's rule and induction",
            by=induction(None, n),
        )
        .qed()
    )


@told("the growth of small subsets", "Shalev-Shwartz and Ben-David, A.2")
def small_subsets() -> Theorem:
    return (
        Derivation(
            "few small subsets",
            given=[Ge(n, d)],
            witness={n: 1, d: 1},
        )
        .start(Sum(pf.binomial(n, i), (i, 0, d)))
        .at_most(
            Sum(pf.binomial(n, i) * (n / d) ** (d - i), (i, 0, d)),
            because="the factor is at least one",
        )
        .at_most(
            (n / d) ** d * Sum(pf.binomial(n, i) * (d / n) ** i, (i, 0, n)),
            because="more terms, none negative",
        )
        .equals((n / d) ** d * (1 + d / n) ** n, because="the binomial theorem")
        .at_most((n / d) ** d * exp(d), because="$1+u\\le e^u$")
        .qed()
    )


@told("the maximum and its soft version", "Boyd and Vandenberghe, 3.1.5")
def soft_maximum() -> Theorem:
    values = real_family("z")
    top = pf.maximum(values[i], (i, 1, n))
    return (
        Derivation("the soft maximum")
        .start(top)
        .equals(log(exp(top)), because="logarithm of the exponential")
        .at_most(log(Sum(exp(values[i]), (i, 1, n))), because="one term of the sum")
        .at_most(log(n * exp(top)), because="every term is at most the largest")
        .equals(top + log(n), because="laws of the logarithm")
        .qed()
    )


@told("the variance behind the log-partition function", "Wainwright and Jordan, 3.1")
def log_partition_curvature() -> Theorem:
    feature = real_family("T")
    total = Sum(ps[j] * exp(t * feature[j]), (j, 1, n))
    mean = Sum(ps[i] * exp(t * feature[i]) * feature[i], (i, 1, n)) / total
    return (
        Derivation("slope of the log-partition function")
        .start(grad(log(total), t))
        .equals(mean, because="the chain rule")
        .qed()
    )


@told("Cauchy–Schwarz for sums", "Steele, The Cauchy–Schwarz master class, 1")
def cauchy_sums() -> Theorem:
    return (
        Derivation("Cauchy–Schwarz for sums")
        .start(Sum(al[i] * be[i], (i, 1, n)) ** 2)
        .equals(
            Sum(al[i] ** 2, (i, 1, n)) * Sum(be[i] ** 2, (i, 1, n))
            - half * Sum(Sum((al[i] * be[j] - al[j] * be[i]) ** 2, (j, 1, n)), (i, 1, n)),
            because="Lagrange's identity",
        )
        .at_most(Sum(al[i] ** 2, (i, 1, n)) * Sum(be[i] ** 2, (i, 1, n)), because="squares")
        .qed()
    )


@told("weights multiply", "Arora, Hazan and Kale, Multiplicative weights, 2012")
def multiplicative_weights() -> Theorem:
    cost = real_family("m")
    return (
        Derivation(
            "weights multiply",
            given=[
                Le(eps, half),
                for_each(i, 1, T, Ge(cost[i], 0)),
                for_each(i, 1, T, Le(cost[i], 1)),
            ],
            witness={T: 1, eps: half, cost: [1]},
        )
        .start(Product(1 - eps * cost[i], (i, 1, T)))
        .at_most(
            Product(exp(-eps * cost[i]), (i, 1, T)), because="$1-u\\le e^{-u}$", by=termwise(i)
        )
        .equals(exp(-eps * Sum(cost[i], (i, 1, T))), because="exponents add")
        .qed()
    )
