"""Logistic regression: its model, its loss, why that is convex, and when it has a minimum.

The n points are ``x[i]`` with labels ``y[i]``, which are 1 or -1; the weights are ``theta`` and the
offset is ``theta_0``. The margin ``m[i]`` is a label times a score, ``ell`` the loss of all points
and ``F`` the loss with a penalty. Weights and offset move together in a direction ``(u, c)``, which
changes the margins at the rates ``a[i]``.
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
    Ne,
    Product,
    Rational,
    Setting,
    Sum,
    Theorem,
    apply,
    cases,
    dimensions,
    dot,
    exp,
    for_each,
    grad,
    impossible,
    indices,
    integers,
    inverse,
    invertible,
    log,
    matrices,
    monotone,
    norm2,
    quantity,
    real_family,
    reals,
    second_order,
    termwise,
    using,
    vector_family,
    vectors,
)
from mlnotes.theorems import proves

n, K = integers("n K", positive=True)
i, j, k, l = indices("i j k l")  # noqa: E741
z, offset, other_offset, a, b, c, t, s = reals("z theta_0 phi_0 a b c t s")
p, q, margin = reals("p q m")
lam, gamma, omega_0, L = reals("lambda gamma omega_0 L", positive=True)
penalty = reals("lambda")
pi_1, pi_0, base = reals("pi_1 pi_0 h", positive=True)
theta, u, v, g, moved_gradient, target, other = vectors("theta u v g g' theta^* phi")
target_offset, g_0, moved_slope = reals("theta_0^* g_0 g'_0")
point, mu_1, mu_0, eta_1, eta_0 = vectors("x mu_1 mu_0 eta_1 eta_0")
A_1, A_0 = reals("A_1 A_0")
x, others = vector_family("x x'")
classes = vector_family("theta")
y, score, rates, label, weights, part = real_family("y s a t omega q")
probability, seen, working = real_family("p t b")
rows, columns = dimensions("n d")
X = matrices("X", rows, columns)
residual = matrices("r", rows, 1)
column = matrices("w", columns, 1)
Omega = matrices("Omega", rows, rows)

half, quarter = Rational(1, 2), Rational(1, 4)


def logistic(score: Any) -> Any:
    """Return the logistic function of a score."""
    return 1 / (1 + exp(-score))


def scored(weights: Any, offset: Any, i: Any) -> Any:
    """Return the score of a point."""
    return dot(weights, x[i]) + offset


# The logistic function, the margin of a point, the loss of all points, and with a penalty.
sigma = quantity("sigma", z, is_=logistic(z))
margins = quantity("m", i, is_=y[i] * scored(theta, offset, i))
ell = quantity("ell", theta, offset, is_=Sum(log(1 + exp(-margins[i])), (i, 1, n)))
F = quantity("F", theta, offset, is_=ell(theta, offset) + penalty * norm2(theta) / 2)
LOSS, PENALISED = ell(theta, offset), F(theta, offset)

# In the direction (u, c) the margin of a point changes at the rate a[i]; at t its weight is omega.
along = quantity("a", i, is_=y[i] * scored(u, c, i))
MOVED = margins[i] + t * along[i]
curvature = quantity("omega", t, i, is_=sigma(MOVED) * sigma(-MOVED))
curvature_here = quantity("omega", i, is_=sigma(margins[i]) * sigma(-margins[i]))
ON_LINE = ell(theta + t * u, offset + t * c)
PENALISED_ON_LINE = F(theta + t * u, offset + t * c)
BEND = Sum(curvature(t, i) * along[i] ** 2, (i, 1, n))

# Two points on either side of the origin, the direction (1, 2), and a vector that separates.
PAIR = {n: 2, x: [[1, 0], [-1, 1]], y: [1, -1], theta: [0, 0], offset: 0, u: [1, 2], c: 0, t: 0}
SEPARABLE = {**PAIR, target: [1, 0], target_offset: 0, gamma: 1, c: 1}
# An undecided score.
EVEN = {z: 0, q: half}

SIGNS = {"labels": for_each(i, 1, n, Eq(y[i] ** 2, 1))}
SEPARATED = {
    "separated": for_each(i, 1, n, Ge(y[i] * scored(target, target_offset, i), gamma)),
}
ONE_POINT = {"from the first": Ge(k, 1), "to the last": Le(k, n)}
CLASS = {"from the first class": Ge(k, 1), "to the last class": Le(k, K)}

sample = Setting("a sample", given=SIGNS, witness=PAIR)
separable = Setting("a separable sample", given=SEPARATED, witness=SEPARABLE)


def _twice(objective: Any) -> Any:
    """Return the second derivative along the line."""
    return grad(grad(objective, t), t)


@proves("lem-logistic-range")
def range_above() -> Theorem:
    r"""Derive $\sigma(z)<1$."""
    return (
        Derivation("below one")
        .start(sigma(z))
        .less_than(1, because="the denominator exceeds one by an exponential")
        .qed()
    )


@proves("lem-logistic-positive")
def range_below() -> Theorem:
    r"""Derive $\sigma(z)>0$."""
    return (
        Derivation("above zero")
        .start(sigma(z))
        .greater_than(0, because="an exponential is positive")
        .qed()
    )


@proves("lem-logistic-steeper")
def steeper() -> Theorem:
    r"""Derive that larger weights move a probability further away from one half."""
    return (
        Derivation("steeper", given={"side": Gt(z, 0), "factor": Gt(c, 1)}, witness={z: 1, c: 2})
        .start(sigma(c * z))
        .greater_than(sigma(z), because=r"$e^{-cz}<e^{-z}$")
        .qed()
    )


@proves("lem-tanh-logistic")
def tanh_identity() -> Theorem:
    r"""Derive $\tanh z=2\sigma(2z)-1$."""
    return (
        Derivation("hyperbolic tangent")
        .start((exp(z) - exp(-z)) / (exp(z) + exp(-z)))
        .equals((1 - exp(-2 * z)) / (1 + exp(-2 * z)), because=r"divide above and below by $e^z$")
        .equals(2 * sigma(2 * z) - 1, because=r"$1-u=2-(1+u)$")
        .qed()
    )


@proves("lem-logistic-symmetry")
def symmetry() -> Theorem:
    r"""Derive $1-\sigma(z)=\sigma(-z)$."""
    return (
        Derivation("the other class")
        .start(1 - sigma(z))
        .equals(exp(-z) / (1 + exp(-z)), because="a common denominator")
        .equals(sigma(-z), because=r"multiply above and below by $e^z$")
        .qed()
    )


@proves("lem-logit")
def logit() -> Theorem:
    r"""Derive that the logarithm of $\sigma(z)/\sigma(-z)$ is $z$."""
    return (
        Derivation("log-odds of a score")
        .start(log(sigma(z) / sigma(-z)))
        .equals(z, because=r"$1+e^z=e^z(1+e^{-z})$", by=monotone(log))
        .qed()
    )


@proves("thm-logistic-log-odds")
def log_odds() -> Theorem:
    r"""Derive that the log-odds are an affine function of the point."""
    score = dot(theta, point) + offset
    return (
        Derivation("log-odds")
        .start(log(sigma(score) / (1 - sigma(score))))
        .equals(
            log(sigma(score) / sigma(-score)),
            because=r"the other class has probability $1-\sigma(z)=\sigma(-z)$",
            by=monotone(log, by=using(symmetry()(z=score))),
        )
        .equals(score, because="log-odds of a score", by=logit()(z=score))
        .qed()
    )


@proves("lem-logistic-loss")
def loss() -> Theorem:
    r"""Derive that the negative log-likelihood of a margin is the logistic loss."""
    return (
        Derivation("logistic loss")
        .start(-log(sigma(z)))
        .equals(log(1 + exp(-z)), because="the logarithm of an inverse")
        .qed()
    )


@proves("lem-logistic-loss-positive")
def loss_is_positive() -> Theorem:
    r"""Derive that the logistic loss never vanishes."""
    return (
        Derivation("never zero")
        .start(log(1 + exp(-z)))
        .greater_than(0, because="the logarithm of a number above one")
        .qed()
    )


@proves("lem-logistic-loss-dominates")
def loss_dominates() -> Theorem:
    r"""Derive that on a mistake the loss is at least $\log 2$."""
    return (
        Derivation("on a mistake", given={"mistake": Le(z, 0)}, witness={z: -1})
        .start(log(1 + exp(-z)))
        .at_least(log(2), because=r"$e^{-z}\ge 1$ for $z\le 0$", by=monotone(log))
        .qed()
    )


@proves("lem-logistic-loss-linear")
def loss_above_line() -> Theorem:
    r"""Derive that the loss of a margin is at least minus the margin."""
    return (
        Derivation("at least linear")
        .start(log(1 + exp(-z)))
        .at_least(-z, because=r"$1+e^{-z}\ge e^{-z}$", by=monotone(log))
        .qed()
    )


@proves("thm-logistic-likelihood")
def likelihood() -> Theorem:
    r"""Derive that the negative log-likelihood is the sum of the losses."""
    return (
        Derivation("negative log-likelihood")
        .start(-log(Product(sigma(margins[i]), (i, 1, n))))
        .equals(
            Sum(-log(sigma(margins[i])), (i, 1, n)),
            because="the logarithm of a product of positive factors",
        )
        .equals(
            Sum(log(1 + exp(-margins[i])), (i, 1, n)),
            because="logistic loss",
            by=termwise(i, by=loss()(z=margins[i])),
        )
        .qed()
    )


@proves("lem-cross-entropy")
def cross_entropy() -> Theorem:
    r"""Derive the cross-entropy of a label and a probability that comes from a score."""
    given = {"model": Eq(q, sigma(z))}

    def logarithm(of: Any, is_: Any) -> Theorem:
        return (
            Derivation("logarithm of a reciprocal", given=given, witness=EVEN)
            .start(log(1 / of))
            .equals(log(is_), because="the reciprocal is a sum", by=monotone(log))
            .qed()
        )

    return (
        Derivation("cross-entropy of a score", given=given, witness=EVEN)
        .start(t * log(1 / q) + (1 - t) * log(1 / (1 - q)))
        .equals(
            t * log(1 + exp(-z)) + (1 - t) * log(1 + exp(z)),
            because=r"$\frac1q=1+e^{-z}$ and $\frac1{1-q}=1+e^z$",
            by=using(logarithm(q, 1 + exp(-z)), logarithm(1 - q, 1 + exp(z))),
        )
        .qed()
    )


def _loss_of_label() -> Theorem:
    r"""Derive that the two terms of the cross-entropy are one logistic loss."""

    def of_sign(sign: int) -> Theorem:
        return (
            Derivation("loss of a sign", given=[Eq(a, sign)], witness={a: sign})
            .start(log(1 + exp(-a * z)))
            .equals(log(1 + exp(-sign * z)), because="the sign", by=monotone(log))
            .qed()
        )

    return (
        Derivation("loss of a label", given=[Eq(t**2, t), Eq(a, 2 * t - 1)], witness={t: 1, a: 1})
        .start(t * log(1 + exp(-z)) + (1 - t) * log(1 + exp(z)))
        .equals(
            log(1 + exp(-a * z)),
            because="one of the two terms is there",
            by=cases((Eq(t, 0), using(of_sign(-1))), (Eq(t, 1), using(of_sign(1)))),
        )
        .qed()
    )


@proves("thm-one-objective")
def one_objective() -> Theorem:
    r"""Derive that the cross-entropies of all labels add up to the logistic losses."""
    return (
        Derivation(
            "one objective",
            given={
                "indicators": for_each(i, 1, n, Eq(label[i] ** 2, label[i])),
                "labels": for_each(i, 1, n, Eq(y[i], 2 * label[i] - 1)),
            },
            witness={n: 2, label: [1, 0], y: [1, -1], score: [1, 2]},
        )
        .start(
            Sum(
                label[i] * log(1 + exp(-score[i])) + (1 - label[i]) * log(1 + exp(score[i])),
                (i, 1, n),
            )
        )
        .equals(
            Sum(log(1 + exp(-y[i] * score[i])), (i, 1, n)),
            because="of the two terms of a label one is there",
            by=termwise(i, by=apply(_loss_of_label(), {t: label[i], a: y[i], z: score[i]})),
        )
        .qed()
    )


@proves("lem-cross-entropy-least")
def cross_entropy_least() -> Theorem:
    r"""Derive that the cross-entropy is least where the model is the truth."""
    return (
        Derivation(
            "least cross-entropy",
            given={
                "p positive": Gt(p, 0),
                "p below one": Lt(p, 1),
                "q positive": Gt(q, 0),
                "q below one": Lt(q, 1),
            },
            witness={p: half, q: quarter},
        )
        .start(p * log(1 / q) + (1 - p) * log(1 / (1 - q)))
        .at_least(
            p * log(1 / p) + (1 - p) * log(1 / (1 - p)),
            because=r"$\log u\le u-1$ for $u=q/p$ and for $u=(1-q)/(1-p)$",
        )
        .qed()
    )


@proves("thm-exponential-family-log-odds")
def exponential_family() -> Theorem:
    r"""Derive that two laws of one exponential family have affine log-odds."""
    return (
        Derivation("log-odds in an exponential family")
        .start(
            log(
                (pi_1 * (base * exp(dot(eta_1, point) - A_1)))
                / (pi_0 * (base * exp(dot(eta_0, point) - A_0)))
            )
        )
        .equals(
            dot(eta_1 - eta_0, point) - (A_1 - A_0) + log(pi_1 / pi_0),
            because="the common factor cancels, and the logarithm undoes the exponentials",
        )
        .qed()
    )


@proves("thm-gaussian-log-odds")
def gaussian_log_odds() -> Theorem:
    r"""Derive the log-odds of two Gaussians with one covariance."""
    return (
        Derivation("log-odds of two Gaussians")
        .start(
            log(
                (pi_1 * (base * exp(-norm2(point - mu_1) / 2)))
                / (pi_0 * (base * exp(-norm2(point - mu_0) / 2)))
            )
        )
        .equals(
            (norm2(point - mu_0) - norm2(point - mu_1)) / 2 + log(pi_1 / pi_0),
            because="the common factor cancels, and the logarithm undoes the exponentials",
        )
        .equals(
            dot(mu_1 - mu_0, point) + (norm2(mu_0) - norm2(mu_1)) / 2 + log(pi_1 / pi_0),
            because=r"expand the squares: $\lVert x\rVert^2$ cancels",
        )
        .qed()
    )


@proves("lem-centred-means")
def centred_means() -> Theorem:
    r"""Derive that the means of two balanced classes of centred data are opposite."""
    negative, positive = Sum(x[i], (i, 1, n)), Sum(others[i], (i, 1, n))
    return (
        Derivation(
            "balanced and centred",
            given={
                "negative mean": Eq(mu_0, negative / n),
                "positive mean": Eq(mu_1, positive / n),
                "centred": Eq(negative + positive, 0),
            },
            witness={
                n: 2,
                x: [[1, 0], [1, 2]],
                others: [[-2, -1], [0, -1]],
                mu_0: [1, 1],
                mu_1: [-1, -1],
            },
        )
        .start(mu_0)
        .equals(negative / n, because="the mean of one class")
        .equals(-positive / n, because="all points together sum to zero")
        .equals(-mu_1, because="the mean of the other, which is as large")
        .qed()
    )


@proves("lem-logistic-slope")
def slope() -> Theorem:
    r"""Derive $\sigma'(z)=\sigma(z)(1-\sigma(z))$."""
    return (
        Derivation("slope of the logistic function")
        .start(grad(sigma(z), z))
        .equals(sigma(z) * sigma(-z), because=r"multiply above and below by $e^z$")
        .equals(
            sigma(z) * (1 - sigma(z)),
            because=r"$\sigma(-z)=1-\sigma(z)$",
            by=using(symmetry()),
        )
        .qed()
    )


@proves("thm-logistic-gradient")
def gradient() -> Theorem:
    r"""Derive the gradient of the logistic loss in the weights."""
    return (
        Derivation("gradient in the weights")
        .start(grad(LOSS, theta))
        .equals(
            -Sum(sigma(-margins[i]) * y[i] * x[i], (i, 1, n)),
            because=r"the slope of $\log(1+e^{-z})$ is $-\sigma(-z)$",
        )
        .equals(
            -Sum((1 - sigma(margins[i])) * y[i] * x[i], (i, 1, n)),
            because=r"$\sigma(-z)=1-\sigma(z)$: what the model leaves to the wrong label",
        )
        .qed()
    )


@proves("lem-logistic-gradient-offset")
def gradient_offset() -> Theorem:
    r"""Derive the derivative of the logistic loss in the offset."""
    return (
        Derivation("derivative in the offset")
        .start(grad(LOSS, offset))
        .equals(
            -Sum((1 - sigma(margins[i])) * y[i], (i, 1, n)),
            because="as for the weights, with the number 1 for a point",
        )
        .qed()
    )


@proves("lem-logistic-line")
def margin_on_a_line() -> Theorem:
    r"""Derive how a margin changes when weights and offset move along a line."""
    return (
        Derivation("a margin on a line")
        .start(y[i] * scored(theta + t * u, offset + t * c, i))
        .equals(MOVED, because="the inner product is linear")
        .qed()
    )


@proves("lem-logistic-first-derivative")
def first_derivative() -> Theorem:
    r"""Derive the slope of the loss along a line of weights and offset."""
    return (
        Derivation("slope of the loss")
        .start(grad(ON_LINE, t))
        .equals(
            -Sum(sigma(-MOVED) * along[i], (i, 1, n)),
            because=r"the slope of $\log(1+e^{-z})$ is $-\sigma(-z)$",
        )
        .qed()
    )


@proves("lem-logistic-second-derivative")
def second_derivative() -> Theorem:
    r"""Derive the second derivative of the loss along a line of weights and offset."""
    return (
        Derivation("curvature of the loss")
        .start(_twice(ON_LINE))
        .equals(BEND, because=r"the slope of $-\sigma(-z)$ is $\sigma(z)\sigma(-z)$")
        .qed()
    )


@proves("thm-logistic-convex")
def hessian() -> Theorem:
    r"""Derive that the loss is convex in weights and offset together."""
    return (
        Derivation("the loss is convex", setting=sample, given=SIGNS)
        .start(_twice(ON_LINE))
        .equals(BEND, because="curvature of the loss", by=second_derivative())
        .equals(
            Sum(curvature(t, i) * scored(u, c, i) ** 2, (i, 1, n)),
            because="a label squared is one",
            by=termwise(i),
        )
        .at_least(0, because="every term is a product of positive numbers and a square")
        .qed()
    )


@proves("lem-logistic-quarter")
def at_most_a_quarter() -> Theorem:
    r"""Derive $\sigma(z)\sigma(-z)\le\frac14$."""
    return (
        Derivation("at most a quarter")
        .start(sigma(z) * sigma(-z))
        .equals(quarter - (sigma(z) - half) ** 2, because="complete the square")
        .at_most(quarter, because="with equality on the boundary, where $z=0$")
        .qed()
    )


def _longer_cauchy_schwarz() -> Theorem:
    r"""Derive the inequality of Cauchy and Schwarz for a point with a constant coordinate."""
    return (
        Derivation("Cauchy–Schwarz with an offset")
        .start((dot(u, point) + c) ** 2)
        .equals(
            dot(u, point) ** 2 + norm2(u) + c**2 * norm2(point) + c**2 - norm2(u - c * point),
            because="expand",
        )
        .at_most(
            norm2(u) * norm2(point) + norm2(u) + c**2 * norm2(point) + c**2,
            because="Cauchy–Schwarz, and a square is not negative",
        )
        .equals((norm2(point) + 1) * (norm2(u) + c**2), because="collect")
        .qed()
    )


@proves("thm-logistic-curvature")
def curvature_bound() -> Theorem:
    r"""Derive that the curvature of the loss is at most a quarter of the squares."""
    return (
        Derivation("bounded curvature", setting=sample, given=SIGNS)
        .start(_twice(ON_LINE))
        .equals(BEND, because="curvature of the loss", by=second_derivative())
        .equals(
            Sum(curvature(t, i) * scored(u, c, i) ** 2, (i, 1, n)),
            because="a label squared is one",
            by=termwise(i),
        )
        .at_most(
            Sum(quarter * scored(u, c, i) ** 2, (i, 1, n)),
            because="every weight is at most a quarter",
            by=termwise(
                i,
                by=larger_weight()(a=quarter, b=curvature(t, i), t=scored(u, c, i)),
            ),
        )
        .at_most(
            Sum(quarter * ((norm2(x[i]) + 1) * (norm2(u) + c**2)), (i, 1, n)),
            because="Cauchy–Schwarz",
            by=termwise(i, by=using(_longer_cauchy_schwarz()(x=x[i]))),
        )
        .qed()
    )


@proves("lem-larger-weight")
def larger_weight() -> Theorem:
    r"""Derive that a larger weight makes a square larger."""
    return (
        Derivation("a larger weight", given={"larger": Ge(a, b)}, witness={a: 1, b: 0})
        .start(b * t**2)
        .at_most(a * t**2, because="a square is not negative")
        .qed()
    )


@proves("lem-logistic-least-weight")
def least_weight() -> Theorem:
    r"""Derive that the curvature is at least the smallest weight times the squares."""
    return (
        Derivation(
            "the smallest weight",
            given={"least": for_each(i, 1, n, Ge(curvature(t, i), omega_0))},
            witness={**PAIR, omega_0: quarter},
        )
        .start(_twice(ON_LINE))
        .equals(BEND, because="curvature of the loss", by=second_derivative())
        .at_least(
            Sum(omega_0 * along[i] ** 2, (i, 1, n)),
            because=r"every weight is at least $\omega_0$",
            by=termwise(i, by=larger_weight()(a=curvature(t, i), b=omega_0, t=along[i])),
        )
        .equals(omega_0 * Sum(along[i] ** 2, (i, 1, n)), because="a common factor")
        .qed()
    )


def _one_term() -> Theorem:
    """Derive that no term of a sum exceeds it if none is negative."""
    return (
        Derivation(
            "one term of a sum",
            given={**ONE_POINT, "none negative": for_each(i, 1, n, Ge(part[i], 0))},
            witness={n: 2, k: 1, part: [1, 0]},
        )
        .start(Sum(part[i], (i, 1, n)))
        .at_least(
            Sum(KroneckerDelta(i, k) * part[i], (i, 1, n)),
            because="leave out what is not negative",
            by=termwise(i),
        )
        .equals(part[k], because="one term is left")
        .qed()
    )


def _square() -> Theorem:
    """Derive that the square of a number other than zero is positive."""
    return (
        Derivation("a square", given={"nonzero": Ne(a, 0)}, witness={a: 1})
        .start(a**2)
        .greater_than(0, because="of either sign", by=cases(Gt(a, 0), Lt(a, 0)))
        .qed()
    )


@proves("thm-logistic-strictly-convex")
def strictly_convex() -> Theorem:
    r"""Derive that the loss is curved in every direction that some point notices."""
    terms = Lambda(i, curvature(t, i) * along[i] ** 2)
    return (
        Derivation(
            "strict convexity",
            given={**ONE_POINT, "noticed": Ne(along[k], 0)},
            witness={**PAIR, k: 1},
        )
        .start(_twice(ON_LINE))
        .equals(BEND, because="curvature of the loss", by=second_derivative())
        .at_least(
            curvature(t, k) * along[k] ** 2,
            because="no term is negative",
            by=apply(_one_term(), {part: terms}),
        )
        .greater_than(
            0, because="the point $k$ notices the direction", by=using(_square()(a=along[k]))
        )
        .qed()
    )


@proves("lem-logistic-flat")
def flat() -> Theorem:
    r"""Derive that the loss is constant in a direction that no point notices."""
    return (
        Derivation(
            "flat",
            given={"unnoticed": for_each(i, 1, n, Eq(along[i], 0))},
            witness={**PAIR, u: [0, 0]},
        )
        .start(ON_LINE)
        .equals(LOSS, because="no margin moves", by=termwise(i, by=monotone(log)))
        .qed()
    )


@proves("lem-logistic-penalised-curvature")
def penalised_curvature() -> Theorem:
    r"""Derive that the penalty adds its factor to the curvature in the weights."""
    return (
        Derivation("curvature with a penalty")
        .start(_twice(PENALISED_ON_LINE))
        .equals(
            _twice(ON_LINE) + penalty * norm2(u),
            because=r"of $\frac\lambda2\lVert\theta+tu\rVert^2$ the term in $t^2$ remains",
        )
        .equals(
            BEND + penalty * norm2(u),
            because="curvature of the loss",
            by=using(second_derivative()),
        )
        .qed()
    )


@proves("lem-logistic-unique-weights")
def penalised_weights() -> Theorem:
    r"""Derive that the penalised loss is curved in every direction that moves the weights."""
    return (
        Derivation(
            "curved in the weights",
            given={"penalty": Gt(penalty, 0), "moves": Gt(norm2(u), 0)},
            witness={**PAIR, penalty: 1},
        )
        .start(_twice(PENALISED_ON_LINE))
        .equals(
            BEND + penalty * norm2(u),
            because="curvature with a penalty",
            by=penalised_curvature(),
        )
        .at_least(penalty * norm2(u), because="weights are positive, squares are not negative")
        .greater_than(0, because=r"$u\ne 0$")
        .qed()
    )


@proves("lem-logistic-unique-offset")
def penalised_offset() -> Theorem:
    r"""Derive that the penalised loss is curved in the offset, which has no penalty."""
    return (
        Derivation(
            "curved in the offset",
            given={**SIGNS, "weights rest": Eq(u, 0), "moves": Ne(c, 0)},
            witness={**PAIR, u: [0, 0], c: 1, penalty: 1},
        )
        .start(_twice(PENALISED_ON_LINE))
        .equals(
            BEND + penalty * norm2(u),
            because="curvature with a penalty",
            by=penalised_curvature(),
        )
        .equals(BEND, because="$u=0$")
        .equals(
            Sum(curvature(t, i) * c**2, (i, 1, n)),
            because="$a_i=y_ic$, and a label squared is one",
            by=termwise(i),
        )
        .greater_than(
            0, because=r"$c\ne 0$, and every weight is positive", by=using(_square()(a=c))
        )
        .qed()
    )


@proves("thm-logistic-unique")
def penalised_unique() -> Theorem:
    r"""Derive that the penalised loss is curved in every direction."""
    return (
        Derivation(
            "curved in every direction",
            given={
                **SIGNS,
                "penalty": Gt(penalty, 0),
                "moves": Gt(norm2(u) + c**2, 0),
            },
            witness={**PAIR, penalty: 1},
        )
        .start(_twice(PENALISED_ON_LINE))
        .greater_than(
            0,
            because="the weights move, or the offset does",
            by=cases(
                (Gt(norm2(u), 0), penalised_weights()),
                (Le(norm2(u), 0), penalised_offset()),
            ),
        )
        .qed()
    )


@proves("lem-logistic-parabola")
def under_a_parabola() -> Theorem:
    r"""Derive that the loss stays under a parabola of curvature one quarter."""
    return (
        Derivation("under a parabola")
        .start(log(1 + exp(-(margin + s))))
        .at_most(
            log(1 + exp(-margin)) - sigma(-margin) * s + s**2 / 8,
            because=r"value and slope agree at $s=0$, and no curvature exceeds $\frac14$",
            by=second_order(s),
        )
        .qed()
    )


@proves("lem-logistic-tangent")
def above_a_tangent() -> Theorem:
    r"""Derive that the loss stays above its tangents."""
    return (
        Derivation("above a tangent")
        .start(log(1 + exp(-(margin + s))))
        .at_least(
            log(1 + exp(-margin)) - sigma(-margin) * s,
            because=r"value and slope agree at $s=0$, and no curvature is negative",
            by=second_order(s),
        )
        .qed()
    )


# What the gradient promises of a step (u, c), and the squares that bound what it misses.
PROMISED = LOSS + dot(grad(LOSS, theta), u) + grad(LOSS, offset) * c
STEPPED = ell(theta + u, offset + c)


def _squares(direction: Any, shift: Any) -> Any:
    return Sum(scored(direction, shift, i) ** 2, (i, 1, n))


@proves("thm-logistic-minorised")
def minorised() -> Theorem:
    r"""Derive that the loss after any step is at least what the gradient promises."""
    return (
        Derivation("above the tangent plane")
        .start(STEPPED)
        .at_least(
            Sum(log(1 + exp(-margins[i])) - sigma(-margins[i]) * along[i], (i, 1, n)),
            because="above a tangent, at every point",
            by=termwise(i, by=above_a_tangent()(m=margins[i], s=along[i])),
        )
        .equals(PROMISED, because="the linear terms are those of the gradient")
        .qed()
    )


def _under_parabolas() -> Theorem:
    r"""Derive a bound on the loss after any step in which the rates of the margins stand."""
    return (
        Derivation("under a parabola, at every point")
        .start(STEPPED)
        .at_most(
            Sum(
                log(1 + exp(-margins[i])) - sigma(-margins[i]) * along[i] + along[i] ** 2 / 8,
                (i, 1, n),
            ),
            because="under a parabola, at every point",
            by=termwise(i, by=under_a_parabola()(m=margins[i], s=along[i])),
        )
        .equals(
            LOSS
            - Sum(sigma(-margins[i]) * along[i], (i, 1, n))
            + Sum(along[i] ** 2, (i, 1, n)) / 8,
            because="one sum after the other",
        )
        .qed()
    )


@proves("thm-logistic-majorised")
def majorised() -> Theorem:
    r"""Derive a quadratic bound on the loss after any step."""
    return (
        Derivation("loss after a step", setting=sample, given=SIGNS)
        .start(STEPPED)
        .at_most(
            LOSS
            - Sum(sigma(-margins[i]) * along[i], (i, 1, n))
            + Sum(along[i] ** 2, (i, 1, n)) / 8,
            because="under a parabola, at every point",
            by=_under_parabolas(),
        )
        .equals(
            PROMISED + _squares(u, c) / 8,
            because="the linear terms are those of the gradient, and a label squared is one",
        )
        .qed()
    )


# The gradients at (theta, theta_0) and after the step (u, c), and a bound on the curvature.
TURN, TURN_0 = moved_gradient - g, moved_slope - g_0
TWO_GRADIENTS = {
    **SIGNS,
    "gradient": Eq(g, grad(LOSS, theta)),
    "slope": Eq(g_0, grad(LOSS, offset)),
    "moved gradient": Eq(moved_gradient, grad(STEPPED, theta)),
    "moved slope": Eq(moved_slope, grad(STEPPED, offset)),
    "curvature": Le(_squares(TURN, TURN_0), 4 * L * (norm2(TURN) + TURN_0**2)),
}
TURNED = {
    **PAIR,
    u: [1, 0],
    g: [-1, half],
    g_0: 0,
    moved_gradient: [-2 / (1 + exp(1)), 1 / (1 + exp(1))],
    moved_slope: 0,
    L: 10,
}


def _further_step() -> Theorem:
    """Derive a bound on the loss after two steps from the gradient between them."""
    return (
        Derivation("a further step", given=SIGNS, witness={**PAIR, v: [1, 0], b: 0})
        .start(ell(theta + (u - v), offset + (c - b)))
        .at_most(
            STEPPED - dot(grad(STEPPED, theta), v) - grad(STEPPED, offset) * b + _squares(v, b) / 8,
            because="loss after a step",
            by=using(apply(majorised(), {theta: theta + u, offset: offset + c, u: -v, c: -b})),
        )
        .qed()
    )


def _detour() -> Theorem:
    """Derive by how much the loss exceeds its tangent plane, by way of a further step."""
    both = {name: h for name, h in TWO_GRADIENTS.items() if name != "curvature"}
    return (
        Derivation("a detour", given=both, witness={**TURNED, v: [1, 0], b: 0})
        .start(LOSS + dot(g, u) + g_0 * c)
        .equals(
            LOSS
            + dot(grad(LOSS, theta), u - v)
            + grad(LOSS, offset) * (c - b)
            + dot(g, v)
            + g_0 * b,
            because="there and back",
        )
        .at_most(
            ell(theta + (u - v), offset + (c - b)) + dot(g, v) + g_0 * b,
            because="above the tangent plane",
            by=using(apply(minorised(), {u: u - v, c: c - b})),
        )
        .at_most(
            STEPPED
            - dot(grad(STEPPED, theta), v)
            - grad(STEPPED, offset) * b
            + _squares(v, b) / 8
            + dot(g, v)
            + g_0 * b,
            because="a further step",
            by=using(_further_step()),
        )
        .equals(
            STEPPED - dot(TURN, v) - TURN_0 * b + _squares(v, b) / 8,
            because="the inner product is linear",
        )
        .qed()
    )


def _above_by_the_turn() -> Theorem:
    """Derive by how much the loss exceeds its tangent plane where the gradient has turned."""
    back, back_0 = TURN / L, TURN_0 / L
    size = norm2(TURN) + TURN_0**2
    return (
        Derivation("above by the turn", given=TWO_GRADIENTS, witness=TURNED)
        .start(LOSS + dot(g, u) + g_0 * c)
        .at_most(
            STEPPED - dot(TURN, back) - TURN_0 * back_0 + _squares(back, back_0) / 8,
            because="a detour",
            by=apply(_detour(), {v: back, b: back_0}),
        )
        .equals(
            STEPPED - size / L + _squares(TURN, TURN_0) / (8 * L**2),
            because="the inner product is linear",
        )
        .at_most(STEPPED - size / (2 * L), because="$L$ bounds a quarter of the squares")
        .qed()
    )


@proves("lem-logistic-turn")
def turn() -> Theorem:
    r"""Derive that the gradient turns no faster than $L$ allows, along the way."""
    turned = {
        theta: theta + u,
        offset: offset + c,
        u: -u,
        c: -c,
        g: moved_gradient,
        g_0: moved_slope,
        moved_gradient: g,
        moved_slope: g_0,
    }
    size = norm2(TURN) + TURN_0**2
    return (
        Derivation("two gradients", given=TWO_GRADIENTS, witness=TURNED)
        .start(size / L)
        .at_most(
            size / (2 * L) + STEPPED - LOSS - dot(g, u) - g_0 * c,
            because=r"seen from $\theta$",
            by=using(_above_by_the_turn()),
        )
        .at_most(
            dot(moved_gradient, u) + moved_slope * c - dot(g, u) - g_0 * c,
            because=r"seen from $\theta+u$",
            by=using(apply(_above_by_the_turn(), turned)),
        )
        .equals(dot(TURN, u) + TURN_0 * c, because="the inner product is linear")
        .qed()
    )


@proves("thm-logistic-lipschitz")
def lipschitz() -> Theorem:
    r"""Derive that $L$ is a Lipschitz constant of the gradient."""
    return (
        Derivation("Lipschitz constant", given=TWO_GRADIENTS, witness=TURNED)
        .start(norm2(TURN) + TURN_0**2)
        .at_most(
            2 * L * (dot(TURN, u) + TURN_0 * c) - (norm2(TURN) + TURN_0**2),
            because="two gradients",
            by=using(turn()),
        )
        .equals(
            L**2 * (norm2(u) + c**2) - norm2(TURN - L * u) - (TURN_0 - L * c) ** 2,
            because="complete the squares",
        )
        .at_most(L**2 * (norm2(u) + c**2), because="squares are not negative")
        .qed()
    )


@proves("thm-logistic-descent")
def descent() -> Theorem:
    r"""Derive by how much a gradient step of length $1/L$ lowers the penalised loss."""
    step, step_0 = -g / L, -g_0 / L
    size = norm2(g) + g_0**2
    return (
        Derivation(
            "a gradient step",
            given={
                **SIGNS,
                "penalty": Ge(penalty, 0),
                "curvature": Le(_squares(g, g_0), 4 * (L - penalty) * size),
                "gradient": Eq(g, grad(PENALISED, theta)),
                "slope": Eq(g_0, grad(PENALISED, offset)),
            },
            witness={**PAIR, g: [-1, half], g_0: 0, L: 10, penalty: 1},
        )
        .start(F(theta - g / L, offset - g_0 / L))
        .at_most(
            LOSS
            + dot(grad(LOSS, theta), step)
            + grad(LOSS, offset) * step_0
            + _squares(g, g_0) / (8 * L**2)
            + penalty * norm2(theta - g / L) / 2,
            because="loss after a step",
            by=using(apply(majorised(), {u: step, c: step_0})),
        )
        .equals(
            PENALISED - size / L + _squares(g, g_0) / (8 * L**2) + penalty * norm2(g) / (2 * L**2),
            because="$g$ and $g_0$ are the derivatives of loss and penalty together",
        )
        .at_most(
            PENALISED
            - size / L
            + 4 * (L - penalty) * size / (8 * L**2)
            + penalty * norm2(g) / (2 * L**2),
            because=r"$L-\lambda$ bounds a quarter of the squares",
        )
        .equals(
            PENALISED - size / (2 * L) - penalty * g_0**2 / (2 * L**2),
            because="collect the terms",
        )
        .at_most(PENALISED - size / (2 * L), because="a square is not negative")
        .qed()
    )


@proves("lem-logistic-falls")
def falls_along_a_separator() -> Theorem:
    r"""Derive that on separable data the loss falls along a separating vector, everywhere."""
    return (
        Derivation("the loss falls along a separating vector", setting=separable, given=SEPARATED)
        .start(dot(grad(LOSS, theta), target) + grad(LOSS, offset) * target_offset)
        .equals(
            Sum(-sigma(-margins[i]) * (y[i] * scored(target, target_offset, i)), (i, 1, n)),
            because=r"the slope of $\log(1+e^{-z})$ is $-\sigma(-z)$",
        )
        .at_most(
            Sum(-sigma(-margins[i]) * gamma, (i, 1, n)),
            because=r"every point is on its side by at least $\gamma$",
            by=termwise(i),
        )
        .less_than(0, because="every probability is positive")
        .qed()
    )


@proves("thm-logistic-no-minimiser")
def no_minimiser() -> Theorem:
    r"""Derive that on separable data no weights and offset make the gradient vanish."""
    slope = dot(grad(LOSS, theta), target) + grad(LOSS, offset) * target_offset
    return impossible(
        "no minimum",
        given={
            **SEPARATED,
            "gradient": Eq(grad(LOSS, theta), 0),
            "slope": Eq(grad(LOSS, offset), 0),
        },
        no=(theta, offset),
        witness=SEPARABLE,
        because="the slope in the direction of the separating vector is negative",
        by=using(Eq(slope, 0), falls_along_a_separator()),
    )


@proves("thm-logistic-weakly-separable")
def falls_if_no_margin_does() -> Theorem:
    r"""Derive that the loss falls in a direction that lowers no margin and raises one."""
    terms = Lambda(i, sigma(-MOVED) * along[i])
    return (
        Derivation(
            "some points on the boundary",
            given={
                **ONE_POINT,
                "no margin falls": for_each(i, 1, n, Ge(along[i], 0)),
                "one rises": Gt(along[k], 0),
            },
            witness={**PAIR, u: [1, 1], k: 1},
        )
        .start(grad(ON_LINE, t))
        .equals(
            -Sum(sigma(-MOVED) * along[i], (i, 1, n)),
            because="slope of the loss",
            by=first_derivative(),
        )
        .at_most(
            -(sigma(-(margins[k] + t * along[k])) * along[k]),
            because="no term of the sum is negative",
            by=using(apply(_one_term(), {part: terms})),
        )
        .less_than(0, because="one margin rises")
        .qed()
    )


@proves("thm-logistic-infimum")
def infimum() -> Theorem:
    r"""Derive how fast the loss vanishes along a separating vector."""
    return (
        Derivation("the loss vanishes", setting=separable, given={**SEPARATED, "length": Ge(c, 0)})
        .start(ell(c * target, c * target_offset))
        .at_most(
            Sum(exp(-y[i] * scored(c * target, c * target_offset, i)), (i, 1, n)),
            because=r"$\log(1+u)\le u$",
            by=termwise(i),
        )
        .at_most(
            Sum(exp(-c * gamma), (i, 1, n)),
            because=r"every point is on its side by at least $\gamma$",
            by=termwise(i, by=monotone(exp)),
        )
        .equals(n * exp(-c * gamma), because="a sum of equal terms")
        .qed()
    )


@proves("lem-logistic-loss-half")
def loss_above_half_exponential() -> Theorem:
    r"""Derive that on the right side the loss is at least $\frac12e^{-z}$."""
    return (
        Derivation("half of an exponential", given={"right side": Ge(z, 0)}, witness={z: 0})
        .start(exp(-z) / 2)
        .at_most(sigma(-z), because=r"$1+e^{-z}\le 2$")
        .at_most(log(1 + exp(-z)), because=r"$\log u\ge 1-1/u$ for $u=1+e^{-z}$")
        .qed()
    )


@proves("thm-logistic-widest")
def widest_margin() -> Theorem:
    r"""Derive that weights which beat a separating vector have nearly its margin."""
    losses = Lambda(i, log(1 + exp(-margins[i])))
    return (
        Derivation(
            "nearly the widest margin",
            given={
                **SEPARATED,
                "length": Ge(c, 0),
                "no dearer": Le(LOSS, ell(c * target, c * target_offset)),
                **ONE_POINT,
                "right side": Ge(margins[k], 0),
            },
            witness={**SEPARABLE, theta: [1, 0], k: 1},
        )
        .start(exp(-margins[k]) / 2)
        .at_most(
            log(1 + exp(-margins[k])),
            because="half of an exponential",
            by=loss_above_half_exponential()(z=margins[k]),
        )
        .at_most(LOSS, because="one term of a sum", by=apply(_one_term(), {part: losses}))
        .at_most(
            ell(c * target, c * target_offset),
            because=r"$(\theta,\theta_0)$ costs no more than $(c\theta^*,c\theta_0^*)$",
        )
        .at_most(n * exp(-c * gamma), because="the loss vanishes", by=infimum())
        .qed()
    )


@proves("thm-logistic-one-class")
def one_class() -> Theorem:
    r"""Derive that with one class only the loss falls in the offset, everywhere."""
    return (
        Derivation(
            "one class only",
            given={"one class": for_each(i, 1, n, Eq(y[i], 1))},
            witness={**PAIR, y: [1, 1]},
        )
        .start(grad(PENALISED, offset))
        .equals(-Sum(sigma(-margins[i]) * y[i], (i, 1, n)), because="the slope of every loss")
        .equals(-Sum(sigma(-margins[i]), (i, 1, n)), because="all labels are $1$", by=termwise(i))
        .less_than(0, because="every probability is positive")
        .qed()
    )


# The weighted squares of least squares with the weights omega[i] and the responses b[i].
def _weighted(weights: Any, shift: Any, omega: Any, response: Any) -> Any:
    return Sum(omega * (response - scored(weights, shift, i)) ** 2, (i, 1, n))


@proves("lem-weighted-least-squares")
def weighted_least_squares() -> Theorem:
    r"""Derive that a solution of the weighted normal equations has the least weighted squares."""

    def squares(of: Any, shift: Any) -> Any:
        return _weighted(of, shift, weights[i], working[i])

    rest = weights[i] * (working[i] - scored(theta, offset, i))
    return (
        Derivation(
            "weighted least squares",
            given={
                "weights": for_each(i, 1, n, Ge(weights[i], 0)),
                "normal equations": Eq(Sum(rest * x[i], (i, 1, n)), 0),
                "normal equation of the offset": Eq(Sum(rest, (i, 1, n)), 0),
            },
            witness={
                **PAIR,
                weights: [quarter, quarter],
                working: [0, 0],
                other: [1, 2],
                other_offset: 0,
            },
        )
        .start(squares(other, other_offset))
        .equals(
            squares(theta, offset)
            + Sum(weights[i] * scored(other - theta, other_offset - offset, i) ** 2, (i, 1, n)),
            because="the mixed terms are those of the normal equations",
        )
        .at_least(squares(theta, offset), because="weights are not negative")
        .qed()
    )


# The scores, moved by what each point still owes its label, measured in its weight.
response = quantity(
    "b", i, is_=scored(theta, offset, i) + y[i] * sigma(-margins[i]) / curvature_here[i]
)
weighted = quantity(
    "Q",
    other,
    other_offset,
    is_=Sum(curvature_here[i] * (response[i] - scored(other, other_offset, i)) ** 2, (i, 1, n)),
)
NEWTON = {
    "newton": Eq(Sum(curvature_here[i] * scored(u, c, i) * x[i], (i, 1, n)), -grad(LOSS, theta)),
    "newton of the offset": Eq(
        Sum(curvature_here[i] * scored(u, c, i), (i, 1, n)), -grad(LOSS, offset)
    ),
}
# Two labels against one at the same place, and Newton's step from zero.
TWO_TO_ONE = {
    n: 3,
    x: [[0], [0], [0]],
    y: [1, 1, -1],
    theta: [0],
    offset: 0,
    u: [0],
    c: Rational(2, 3),
    other: [0],
    other_offset: 1,
}


@proves("thm-newton-irls")
def newton_is_irls() -> Theorem:
    r"""Derive that Newton's step is a weighted least-squares fit."""
    rest = curvature_here[i] * (response[i] - scored(theta + u, offset + c, i))
    owed = y[i] * sigma(-margins[i]) - curvature_here[i] * scored(u, c, i)
    weights_vanish = (
        Derivation("normal equations of the weights", given=NEWTON, witness=TWO_TO_ONE)
        .start(Sum(rest * x[i], (i, 1, n)))
        .equals(Sum(owed * x[i], (i, 1, n)), because="the response", by=termwise(i))
        .equals(
            -grad(LOSS, theta) - Sum(curvature_here[i] * scored(u, c, i) * x[i], (i, 1, n)),
            because="gradient in the weights",
        )
        .equals(0, because="Newton's equations")
        .qed()
    )
    offset_vanishes = (
        Derivation("normal equation of the offset", given=NEWTON, witness=TWO_TO_ONE)
        .start(Sum(rest, (i, 1, n)))
        .equals(Sum(owed, (i, 1, n)), because="the response", by=termwise(i))
        .equals(
            -grad(LOSS, offset) - Sum(curvature_here[i] * scored(u, c, i), (i, 1, n)),
            because="derivative in the offset",
        )
        .equals(0, because="Newton's equations")
        .qed()
    )
    least = apply(
        weighted_least_squares(),
        {
            theta: theta + u,
            offset: offset + c,
            weights: Lambda(i, curvature_here[i]),
            working: Lambda(i, response[i]),
        },
    )
    return (
        Derivation("reweighted least squares", given=NEWTON, witness=TWO_TO_ONE)
        .start(weighted(theta + u, offset + c))
        .at_most(
            weighted(other, other_offset),
            because="weighted least squares",
            by=using(weights_vanish, offset_vanishes, least),
        )
        .qed()
    )


@proves("lem-newton-matrix")
def newton_in_matrices() -> Theorem:
    r"""Derive Newton's step as a formula with matrices."""
    bend = X.T * Omega * X
    return (
        Derivation(
            "reweighted least squares in matrices",
            given={"weights": invertible(Omega), "rank": invertible(bend)},
            witness={
                rows: 2,
                columns: 1,
                X: [[1], [2]],
                residual: [[half], [-half]],
                column: [[0]],
                Omega: [[quarter, 0], [0, quarter]],
            },
        )
        .start(column + inverse(bend) * X.T * residual)
        .equals(
            inverse(bend) * X.T * Omega * X * column + inverse(bend) * X.T * residual,
            because=r"$X^\top\Omega X$ meets its inverse",
        )
        .equals(
            inverse(bend) * X.T * Omega * (X * column + inverse(Omega) * residual),
            because=r"$\Omega\Omega^{-1}$ is the identity",
        )
        .qed()
    )


@proves("lem-softmax-shift")
def softmax_shift() -> Theorem:
    r"""Derive that a number added to all scores changes no probability."""
    return (
        Derivation("shifted scores", given=CLASS, witness={k: 1, K: 2})
        .start(exp(score[k] + c) / Sum(exp(score[l] + c), (l, 1, K)))
        .equals(
            exp(score[k]) / Sum(exp(score[l]), (l, 1, K)),
            because=r"$e^c$ cancels above and below",
        )
        .qed()
    )


@proves("lem-softmax-two")
def softmax_of_two() -> Theorem:
    r"""Derive that the softmax of two scores is the logistic function of their difference."""
    return (
        Derivation("two classes")
        .start(exp(a) / (exp(a) + exp(b)))
        .equals(sigma(a - b), because=r"divide above and below by $e^a$")
        .qed()
    )


# The loss of one point in the weights of all classes, and the probability of a class.
softmax_loss = quantity(
    "ell",
    classes,
    is_=log(Sum(exp(dot(classes[l], point)), (l, 1, K)))
    - Sum(label[l] * dot(classes[l], point), (l, 1, K)),
)
softmax = quantity(
    "p", k, is_=exp(dot(classes[k], point)) / Sum(exp(dot(classes[l], point)), (l, 1, K))
)


@proves("thm-softmax-gradient")
def softmax_gradient() -> Theorem:
    r"""Derive the gradient of the loss of one point in the weights of one class."""
    return (
        Derivation(
            "gradient of the softmax loss",
            given=CLASS,
            witness={k: 1, K: 2, classes: [[1], [0]], point: [1], label: [1, 0]},
        )
        .start(grad(softmax_loss(classes), classes[k], given=list(CLASS.values())))
        .equals(
            (softmax[k] - label[k]) * point,
            because="what the model gives to the class, less what it should",
        )
        .qed()
    )


# The scores move along a line, s[l] + t a[l]; the point belongs to class k.
EXPONENTIALS = Sum(exp(score[l] + t * rates[l]), (l, 1, K))
softmax_line = quantity("ell", t, is_=log(EXPONENTIALS) - (score[k] + t * rates[k]))
moved = quantity("p", t, j, is_=exp(score[j] + t * rates[j]) / EXPONENTIALS)


@proves("thm-softmax-convex")
def softmax_convex() -> Theorem:
    r"""Derive that the softmax loss is convex along every line: its curvature is a variance."""
    mean = Sum(moved(t, l) * rates[l], (l, 1, K))
    return (
        Derivation("a variance", given=CLASS, witness={k: 1, K: 2})
        .start(_twice(softmax_line(t)))
        .equals(
            Sum(moved(t, j) * rates[j] ** 2, (j, 1, K)) - mean**2,
            because="mean of the squares less square of the mean",
        )
        .equals(
            Sum(moved(t, j) * (rates[j] - mean) ** 2, (j, 1, K)),
            because="the probabilities sum to one",
        )
        .at_least(0, because="a mean of squares")
        .qed()
    )


@proves("thm-softmax-no-minimiser")
def softmax_falls() -> Theorem:
    r"""Derive that the loss falls where the score of the right class gains on every other."""
    ahead = for_each(l, 1, K, Ge(rates[k] - rates[l], gamma * (1 - KroneckerDelta(l, k))))
    return (
        Derivation(
            "the softmax loss falls",
            given={**CLASS, "ahead": ahead},
            witness={k: 1, K: 2, rates: [1, 0], gamma: 1, score: [0, 0], t: 0},
        )
        .start(grad(softmax_line(t), t))
        .equals(
            Sum(moved(t, l) * (rates[l] - rates[k]), (l, 1, K)),
            because="the probabilities sum to one",
        )
        .at_most(
            Sum(-moved(t, l) * gamma * (1 - KroneckerDelta(l, k)), (l, 1, K)),
            because=r"class $k$ gains at least $\gamma$ on every other",
            by=termwise(l),
        )
        .equals(-gamma * (1 - moved(t, k)), because="the probabilities sum to one")
        .qed()
    )


@proves("lem-softmax-sum-zero")
def softmax_weights_sum_to_zero() -> Theorem:
    r"""Derive that where the penalised gradient vanishes the weights of the classes sum to zero."""

    def balanced(k: Any) -> Any:
        return Sum((seen[i, k] - probability[i, k]) * x[i], (i, 1, n)) / lam

    def sums_to_one(law: Any) -> Any:
        return for_each(i, 1, n, Eq(Sum(law[i, k], (k, 1, K)), 1))

    return (
        Derivation(
            "weights that sum to zero",
            given={
                "stationary": for_each(k, 1, K, Eq(classes[k], balanced(k))),
                "probabilities": sums_to_one(probability),
                "indicators": sums_to_one(seen),
            },
            witness={
                n: 1,
                K: 2,
                lam: 1,
                x: [[2]],
                probability: {(1, 1): half, (1, 2): half},
                seen: {(1, 1): 1, (1, 2): 0},
                classes: [[1], [-1]],
            },
        )
        .start(Sum(classes[k], (k, 1, K)))
        .equals(
            Sum(balanced(k), (k, 1, K)),
            because="every gradient vanishes",
            by=termwise(k),
        )
        .equals(
            Sum((Sum(seen[i, k], (k, 1, K)) - Sum(probability[i, k], (k, 1, K))) * x[i], (i, 1, n))
            / lam,
            because="sum over the classes first",
        )
        .equals(0, because="for every point both the probabilities and the indicators sum to one")
        .qed()
    )
