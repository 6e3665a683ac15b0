"""Logistic regression: its model, its loss, why that is convex, and when it has a minimum.

The n points are ``x[i]`` with labels ``y[i]``, which are 1 or -1; the weights are ``theta`` and the
offset is ``theta_0``. A margin is a label times a score. Where a theorem speaks of points without
an offset, a constant coordinate among theirs makes up for it.
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
    Product,
    Rational,
    Sum,
    Theorem,
    apply,
    as_written,
    cases,
    dimensions,
    dot,
    exp,
    for_each,
    grad,
    indices,
    integers,
    inverse,
    invertible,
    log,
    matrices,
    monotone,
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

n, K = integers("n K", positive=True)
i, j, k, l = indices("i j k l")  # noqa: E741
z, offset, step, margin, a, b, c, t = reals("z theta_0 delta m a b c t")
p, q = reals("p q")
lam, gamma, omega_0, L = reals("lambda gamma omega_0 L", positive=True)
penalty = reals("lambda")
pi_1, pi_0, base = reals("pi_1 pi_0 h", positive=True)
theta, u, h, g, moved_gradient, target, unit = vectors("theta u h g g' theta^* e")
before, after = reals("F F_+")
point, m_1, m_0, eta_1, eta_0 = vectors("x m_1 m_0 eta_1 eta_0")
A_1, A_0 = reals("A_1 A_0")
x, others = vector_family("x x'")
classes = vector_family("theta")
y, margins, score, along, label, omega, part = real_family("y m s a t omega q")
probability, seen, working = real_family("p t b")
rows, columns = dimensions("n d")
X = matrices("X", rows, columns)
residual = matrices("r", rows, 1)
w = matrices("w", columns, 1)
Omega = matrices("Omega", rows, rows)

half, quarter_ = Rational(1, 2), Rational(1, 4)

SIGNS = for_each(i, 1, n, Eq(y[i] ** 2, 1))
SEPARATED = for_each(i, 1, n, Ge(y[i] * dot(target, x[i]), gamma))
CLASS = [Ge(k, 1), Le(k, K)]
POINT = [Ge(i, 1), Le(i, n)]
ONE_POINT = [Ge(k, 1), Le(k, n)]

# An undecided score, and two points on either side of the origin.
EVEN = {z: 0, q: half}
PAIR = {n: 2, x: [[1, 0], [-1, 1]], y: [1, -1], theta: [0, 0], offset: 0, u: [1, 2]}
SEPARABLE = {**PAIR, target: [1, 0], gamma: 1, c: 1}
# The same points on the way in the direction (u, c), where the margins change by a.
ON_THE_WAY = {
    **PAIR,
    c: 0,
    t: 0,
    margins: [0, 0],
    along: [1, -1],
    omega: [quarter_, quarter_],
    omega_0: quarter_,
    lam: 1,
}


def logistic(score: Any) -> Any:
    """Return the logistic function of a score."""
    return 1 / (1 + exp(-score))


def _margin(i: Any) -> Any:
    return y[i] * (dot(theta, x[i]) + offset)


def _through_origin(weights: Any, i: Any) -> Any:
    return y[i] * dot(weights, x[i])


def _loss(weights: Any) -> Any:
    """Return the loss without an offset."""
    return Sum(log(1 + exp(-_through_origin(weights, i))), (i, 1, n))


def _squares(direction: Any) -> Any:
    return Sum(dot(x[i], direction) ** 2, (i, 1, n))


def _ridge(weights: Any) -> Any:
    """Return the penalty, which spares the weight of the unit vector e of the offset."""
    return penalty * (norm2(weights) - dot(unit, weights) ** 2) / 2


LOSS = Sum(log(1 + exp(-_margin(i))), (i, 1, n))

# Along the line (theta + t u, theta_0 + t c) the margins are m[i] + t a[i].
MOVED = margins[i] + t * along[i]
WEIGHT = logistic(MOVED) * logistic(-MOVED)
LOSS_ON_LINE = Sum(log(1 + exp(-MOVED)), (i, 1, n))
BEND = Sum(WEIGHT * along[i] ** 2, (i, 1, n))
NOTICED = dot(x[i], u) + c
SLOPES = for_each(i, 1, n, Eq(along[i], y[i] * NOTICED))
CURVED = [for_each(i, 1, n, Eq(omega[i], WEIGHT)), for_each(i, 1, n, Ge(omega[i], omega_0))]
SQUARES = Sum(along[i] ** 2, (i, 1, n))


def _bend_of(objective: Any) -> Any:
    """Return the second derivative along the line."""
    return grad(grad(objective, t), t)


def _penalised() -> Any:
    return LOSS_ON_LINE + lam * norm2(theta + t * u) / 2


@proves("lem-logistic-range")
def range_above() -> Theorem:
    r"""Derive $\sigma(z)<1$."""
    return (
        Derivation("below one")
        .start(logistic(z))
        .less_than(1, because="the denominator exceeds one by an exponential")
        .qed()
    )


@proves("lem-logistic-positive")
def range_below() -> Theorem:
    r"""Derive $\sigma(z)>0$."""
    return (
        Derivation("above zero")
        .start(logistic(z))
        .greater_than(0, because="an exponential is positive")
        .qed()
    )


@proves("lem-logistic-steeper")
def steeper() -> Theorem:
    r"""Derive that larger weights move a probability further away from one half."""
    return (
        Derivation("steeper", given=[Gt(z, 0), Gt(c, 1)], witness={z: 1, c: 2})
        .start(logistic(c * z))
        .greater_than(logistic(z), because=r"$e^{-cz}<e^{-z}$")
        .qed()
    )


@proves("lem-tanh-logistic")
def tanh_identity() -> Theorem:
    r"""Derive $\tanh z=2\sigma(2z)-1$."""
    return (
        Derivation("hyperbolic tangent")
        .start((exp(z) - exp(-z)) / (exp(z) + exp(-z)))
        .equals((1 - exp(-2 * z)) / (1 + exp(-2 * z)), because=r"divide above and below by $e^z$")
        .equals(2 * logistic(2 * z) - 1, because=r"$1-u=2-(1+u)$")
        .qed()
    )


@proves("lem-logistic-symmetry")
def symmetry() -> Theorem:
    r"""Derive $1-\sigma(z)=\sigma(-z)$."""
    return (
        Derivation("the other class")
        .start(1 - logistic(z))
        .equals(exp(-z) / (1 + exp(-z)), because="a common denominator")
        .equals(logistic(-z), because=r"multiply above and below by $e^z$")
        .qed()
    )


@proves("lem-logit")
def logit() -> Theorem:
    r"""Derive that the logarithm of $\sigma(z)/\sigma(-z)$ is $z$."""
    return (
        Derivation("log-odds of a score")
        .start(log(logistic(z) / logistic(-z)))
        .equals(z, because=r"$1+e^z=e^z(1+e^{-z})$", by=monotone(log))
        .qed()
    )


@proves("thm-logistic-log-odds")
def log_odds() -> Theorem:
    r"""Derive that the log-odds are an affine function of the point."""
    score = dot(theta, point) + offset
    return (
        Derivation("log-odds")
        .start(log(logistic(score) / (1 - logistic(score))))
        .equals(
            log(logistic(score) / logistic(-score)),
            because=r"the other class has probability $1-\sigma(z)=\sigma(-z)$",
            by=monotone(log, by=using(apply(symmetry(), {z: score}))),
        )
        .equals(score, because="log-odds of a score", by=apply(logit(), {z: score}))
        .qed()
    )


@proves("lem-logistic-loss")
def loss() -> Theorem:
    r"""Derive that the negative log-likelihood of a margin is the logistic loss."""
    return (
        Derivation("logistic loss")
        .start(-log(logistic(z)))
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
        Derivation("on a mistake", given=[Le(z, 0)], witness={z: -1})
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
        .start(-log(Product(logistic(margins[i]), (i, 1, n))))
        .equals(
            Sum(-log(logistic(margins[i])), (i, 1, n)),
            because="the logarithm of a product of positive factors",
        )
        .equals(
            Sum(log(1 + exp(-margins[i])), (i, 1, n)),
            because="logistic loss",
            by=termwise(i, by=apply(loss(), {z: margins[i]})),
        )
        .qed()
    )


@proves("lem-cross-entropy")
def cross_entropy() -> Theorem:
    r"""Derive the cross-entropy of a label and a probability that comes from a score."""

    def logarithm(of: Any, is_: Any) -> Theorem:
        return (
            Derivation("logarithm of a reciprocal", given=[Eq(q, logistic(z))], witness=EVEN)
            .start(log(1 / of))
            .equals(log(is_), because="the reciprocal is a sum", by=monotone(log))
            .qed()
        )

    return (
        Derivation("cross-entropy of a score", given=[Eq(q, logistic(z))], witness=EVEN)
        .start(t * log(1 / q) + (1 - t) * log(1 / (1 - q)))
        .equals(
            t * log(1 + exp(-z)) + (1 - t) * log(1 + exp(z)),
            because=r"$\frac1q=1+e^{-z}$ and $\frac1{1-q}=1+e^z$",
            by=using(apply(logarithm(q, 1 + exp(-z))), apply(logarithm(1 - q, 1 + exp(z)))),
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
            by=cases(
                (Eq(t, 0), using(apply(of_sign(-1)))),
                (Eq(t, 1), using(apply(of_sign(1)))),
            ),
        )
        .qed()
    )


@proves("thm-one-objective")
def one_objective() -> Theorem:
    r"""Derive that the cross-entropies of all labels add up to the logistic losses."""
    return (
        Derivation(
            "one objective",
            given=[
                for_each(i, 1, n, Eq(label[i] ** 2, label[i])),
                for_each(i, 1, n, Eq(y[i], 2 * label[i] - 1)),
            ],
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
    inside = [Gt(p, 0), Gt(1, p), Gt(q, 0), Gt(1, q)]
    return (
        Derivation("least cross-entropy", given=inside, witness={p: half, q: quarter_})
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
                (pi_1 * base * exp(dot(eta_1, point) - A_1))
                / (pi_0 * base * exp(dot(eta_0, point) - A_0))
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
                (pi_1 * base * exp(-norm2(point - m_1) / 2))
                / (pi_0 * base * exp(-norm2(point - m_0) / 2))
            )
        )
        .equals(
            (norm2(point - m_0) - norm2(point - m_1)) / 2 + log(pi_1 / pi_0),
            because="the common factor cancels, and the logarithm undoes the exponentials",
        )
        .equals(
            dot(m_1 - m_0, point) + (norm2(m_0) - norm2(m_1)) / 2 + log(pi_1 / pi_0),
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
            given=[Eq(m_0, negative / n), Eq(m_1, positive / n), Eq(negative + positive, 0)],
            witness={
                n: 2,
                x: [[1, 0], [1, 2]],
                others: [[-2, -1], [0, -1]],
                m_0: [1, 1],
                m_1: [-1, -1],
            },
        )
        .start(m_0)
        .equals(negative / n, because="the mean of one class")
        .equals(-positive / n, because="all points together sum to zero")
        .equals(-m_1, because="the mean of the other, which is as large")
        .qed()
    )


@proves("thm-logistic-gradient")
def gradient() -> Theorem:
    r"""Derive the gradient of the logistic loss in the weights."""
    return (
        Derivation("gradient in the weights")
        .start(grad(LOSS, theta))
        .equals(
            Sum(-y[i] * logistic(-_margin(i)) * x[i], (i, 1, n)),
            because=r"the slope of $\log(1+e^{-z})$ is $-\sigma(-z)$",
            by=termwise(i),
        )
        .equals(
            Sum(-y[i] * (1 - logistic(_margin(i))) * x[i], (i, 1, n)),
            because=r"$\sigma(-z)=1-\sigma(z)$: what the model leaves to the wrong label",
            by=termwise(i),
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
            -Sum(y[i] * (1 - logistic(_margin(i))), (i, 1, n)),
            because=r"as for the weights, with the constant coordinate 1 for a point",
        )
        .qed()
    )


@proves("lem-logistic-slope")
def slope() -> Theorem:
    r"""Derive $\sigma'(z)=\sigma(z)(1-\sigma(z))$."""
    return (
        Derivation("slope of the logistic function")
        .start(grad(logistic(z), z))
        .equals(logistic(z) * logistic(-z), because=r"multiply above and below by $e^z$")
        .equals(
            logistic(z) * (1 - logistic(z)),
            because=r"$\sigma(-z)=1-\sigma(z)$",
            by=using(apply(symmetry())),
        )
        .qed()
    )


@proves("lem-logistic-line")
def margin_on_a_line() -> Theorem:
    r"""Derive how a margin changes when weights and offset move along a line."""
    return (
        Derivation("a margin on a line", given=POINT, witness={**ON_THE_WAY, i: 1})
        .start(y[i] * (dot(theta + t * u, x[i]) + (offset + t * c)))
        .equals(
            y[i] * (dot(theta, x[i]) + offset) + t * (y[i] * NOTICED),
            because="the inner product is linear",
        )
        .qed()
    )


@proves("lem-logistic-second-derivative")
def second_derivative() -> Theorem:
    r"""Derive the second derivative of the loss along a line of weights and offset."""
    return (
        Derivation("curvature of the loss")
        .start(_bend_of(LOSS_ON_LINE))
        .equals(BEND, because=r"the slope of $-\sigma(-z)$ is $\sigma(z)\sigma(-z)$")
        .qed()
    )


@proves("thm-logistic-convex")
def hessian() -> Theorem:
    r"""Derive that the loss is convex in weights and offset together."""
    return (
        Derivation("the loss is convex", given=[SIGNS, SLOPES], witness=ON_THE_WAY)
        .start(_bend_of(LOSS_ON_LINE))
        .equals(BEND, because="curvature of the loss", by=apply(second_derivative()))
        .equals(
            Sum(WEIGHT * NOTICED**2, (i, 1, n)),
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
        .start(logistic(z) * logistic(-z))
        .equals(quarter_ - (logistic(z) - half) ** 2, because="complete the square")
        .at_most(quarter_, because="with equality on the boundary, where $z=0$")
        .qed()
    )


@proves("thm-logistic-curvature")
def curvature_bound() -> Theorem:
    r"""Derive that the curvature of the loss is at most a quarter of the squares."""
    weight = logistic(_margin(i)) * logistic(-_margin(i))
    return (
        Derivation("bounded curvature")
        .start(Sum(weight * dot(x[i], u) ** 2, (i, 1, n)))
        .at_most(
            Sum(quarter_ * dot(x[i], u) ** 2, (i, 1, n)),
            because="every weight is at most a quarter",
            by=termwise(
                i,
                by=apply(
                    larger_weight(),
                    {a: quarter_, b: weight, t: dot(x[i], u)},
                ),
            ),
        )
        .at_most(
            Sum(quarter_ * norm2(x[i]) * norm2(u), (i, 1, n)),
            because="Cauchy–Schwarz",
            by=termwise(i),
        )
        .qed()
    )


@proves("lem-larger-weight")
def larger_weight() -> Theorem:
    r"""Derive that a larger weight makes a square larger."""
    return (
        Derivation("a larger weight", given=[Ge(a, b)], witness={a: 1, b: 0})
        .start(b * t**2)
        .at_most(a * t**2, because="a square is not negative")
        .qed()
    )


@proves("lem-logistic-least-weight")
def least_weight() -> Theorem:
    r"""Derive that the curvature is at least the smallest weight times the squares."""
    return (
        Derivation("the smallest weight", given=CURVED, witness=ON_THE_WAY)
        .start(BEND)
        .equals(
            Sum(omega[i] * along[i] ** 2, (i, 1, n)),
            because=r"write $\omega_i$ for the weights",
            by=termwise(i),
        )
        .at_least(
            Sum(omega_0 * along[i] ** 2, (i, 1, n)),
            because=r"every weight is at least $\omega_0$",
            by=termwise(i, by=apply(larger_weight(), {a: omega[i], b: omega_0, t: along[i]})),
        )
        .equals(omega_0 * SQUARES, because="a common factor")
        .qed()
    )


@proves("thm-logistic-strictly-convex")
def strictly_convex() -> Theorem:
    r"""Derive that the loss is curved in every direction that some point notices."""
    return (
        Derivation("strict convexity", given=[*CURVED, Gt(SQUARES, 0)], witness=ON_THE_WAY)
        .start(_bend_of(LOSS_ON_LINE))
        .equals(BEND, because="curvature of the loss", by=apply(second_derivative()))
        .at_least(omega_0 * SQUARES, because="the smallest weight", by=apply(least_weight()))
        .greater_than(0, because="some point notices the direction")
        .qed()
    )


@proves("lem-logistic-flat")
def flat() -> Theorem:
    r"""Derive that the loss is constant in a direction that no point notices."""
    return (
        Derivation(
            "flat", given=[for_each(i, 1, n, Eq(along[i], 0))], witness={n: 2, along: [0, 0]}
        )
        .start(LOSS_ON_LINE)
        .equals(
            Sum(log(1 + exp(-margins[i])), (i, 1, n)),
            because="no margin moves",
            by=termwise(i, by=monotone(log)),
        )
        .qed()
    )


@proves("lem-logistic-penalised-curvature")
def penalised_curvature() -> Theorem:
    r"""Derive that the penalty adds its factor to the curvature in the weights."""
    return (
        Derivation("curvature with a penalty")
        .start(_bend_of(_penalised()))
        .equals(
            _bend_of(LOSS_ON_LINE) + lam * norm2(u),
            because=r"of $\frac\lambda2\lVert\theta+tu\rVert^2$ the term in $t^2$ remains",
        )
        .equals(
            BEND + lam * norm2(u),
            because="curvature of the loss",
            by=using(apply(second_derivative())),
        )
        .qed()
    )


@proves("thm-logistic-unique")
def penalised_weights() -> Theorem:
    r"""Derive that the penalised loss is curved in every direction that moves the weights."""
    return (
        Derivation("curved in the weights", given=[Gt(norm2(u), 0)], witness=ON_THE_WAY)
        .start(_bend_of(_penalised()))
        .equals(
            BEND + lam * norm2(u),
            because="curvature with a penalty",
            by=apply(penalised_curvature()),
        )
        .at_least(lam * norm2(u), because="weights are positive, squares are not negative")
        .greater_than(0, because=r"$u\ne 0$")
        .qed()
    )


@proves("lem-logistic-unique-offset")
def penalised_offset() -> Theorem:
    r"""Derive that the penalised loss is curved in the offset, which has no penalty."""
    only_offset = [SIGNS, SLOPES, Eq(u, 0)]
    witness = {**ON_THE_WAY, u: [0, 0], c: 1}
    squares = (
        Derivation("only the offset moves", given=only_offset, witness=witness)
        .start(SQUARES)
        .equals(Sum(c**2, (i, 1, n)), because="$a_i=y_ic$", by=termwise(i))
        .equals(n * c**2, because="a sum of equal terms")
        .qed()
    )
    return (
        Derivation(
            "curved in the offset",
            given=[*CURVED, *only_offset, Gt(c**2, 0)],
            witness=witness,
        )
        .start(_bend_of(_penalised()))
        .equals(
            BEND + lam * norm2(u),
            because="curvature with a penalty",
            by=apply(penalised_curvature()),
        )
        .equals(BEND, because="$u=0$")
        .at_least(omega_0 * SQUARES, because="the smallest weight", by=apply(least_weight()))
        .equals(omega_0 * (n * c**2), because="only the offset moves", by=using(apply(squares)))
        .greater_than(0, because=r"$c\ne 0$")
        .qed()
    )


@proves("lem-logistic-parabola")
def under_a_parabola() -> Theorem:
    r"""Derive that the loss stays under a parabola of curvature one quarter."""
    return (
        Derivation("under a parabola")
        .start(log(1 + exp(-(margin + step))))
        .at_most(
            log(1 + exp(-margin)) - logistic(-margin) * step + step**2 / 8,
            because=r"value and slope agree at $\delta=0$, and no curvature exceeds $\frac14$",
            by=second_order(step),
        )
        .qed()
    )


@proves("lem-logistic-tangent")
def above_a_tangent() -> Theorem:
    r"""Derive that the loss stays above its tangents."""
    return (
        Derivation("above a tangent")
        .start(log(1 + exp(-(margin + step))))
        .at_least(
            log(1 + exp(-margin)) - logistic(-margin) * step,
            because=r"value and slope agree at $\delta=0$, and no curvature is negative",
            by=second_order(step),
        )
        .qed()
    )


@proves("thm-logistic-minorised")
def minorised() -> Theorem:
    r"""Derive that the loss after any step is at least what the gradient promises."""
    inside, change = _through_origin(theta, i), y[i] * dot(x[i], h)
    slope = grad(_loss(theta), theta)
    return (
        Derivation(
            "above the tangent plane",
            given=[Eq(g, slope)],
            witness={**PAIR, h: [1, 2], g: [-1, half]},
        )
        .start(_loss(theta + h))
        .at_least(
            Sum(log(1 + exp(-inside)) - logistic(-inside) * change, (i, 1, n)),
            because="above a tangent, at every point",
            by=termwise(i, by=apply(above_a_tangent(), {margin: inside, step: change})),
        )
        .equals(_loss(theta) + dot(slope, h), because="the linear terms are those of the gradient")
        .equals(_loss(theta) + dot(g, h), because="$g$ is the gradient")
        .qed()
    )


@proves("thm-logistic-majorised")
def majorised() -> Theorem:
    r"""Derive a quadratic bound on the loss after any step."""
    inside, change = _through_origin(theta, i), y[i] * dot(x[i], h)
    slope, squares = grad(_loss(theta), theta), _squares(h)
    return (
        Derivation(
            "loss after a step",
            given=[SIGNS, Eq(g, slope)],
            witness={**PAIR, h: [1, 2], g: [-1, half]},
        )
        .start(_loss(theta + h))
        .at_most(
            Sum(log(1 + exp(-inside)) - logistic(-inside) * change + change**2 / 8, (i, 1, n)),
            because="under a parabola, at every point",
            by=termwise(i, by=apply(under_a_parabola(), {margin: inside, step: change})),
        )
        .equals(
            _loss(theta) + dot(slope, h) + squares / 8,
            because="the linear terms are those of the gradient, and a label squared is one",
        )
        .equals(_loss(theta) + dot(g, h) + squares / 8, because="$g$ is the gradient")
        .qed()
    )


# The gradients at theta and at theta + h, and a bound on the squares along their difference.
with as_written():
    TURN = moved_gradient - g
    TWO_GRADIENTS = [
        SIGNS,
        Eq(g, grad(_loss(theta), theta)),
        Eq(moved_gradient, grad(_loss(theta + h), theta)),
        Le(_squares(TURN), 4 * L * norm2(TURN)),
    ]
TURNED = {
    **PAIR,
    h: [1, 0],
    g: [-1, half],
    moved_gradient: [-2 / (1 + exp(1)), 1 / (1 + exp(1))],
    L: 10,
}


def _above_by_the_turn() -> Theorem:
    """Derive by how much the loss exceeds its tangent plane where the gradient has turned."""
    back = TURN / L
    return (
        Derivation("above by the turn", given=TWO_GRADIENTS, witness=TURNED)
        .start(_loss(theta) + dot(g, h))
        .equals(_loss(theta) + dot(g, h - back) + dot(g, back), because="there and back")
        .at_most(
            _loss(theta + (h - back)) + dot(g, back),
            because="above the tangent plane",
            by=using(apply(minorised(), {h: h - back})),
        )
        .at_most(
            _loss(theta + h)
            - dot(moved_gradient, back)
            + _squares(TURN) / (8 * L**2)
            + dot(g, back),
            because="loss after a step",
            by=using(apply(majorised(), {theta: theta + h, h: -back, g: moved_gradient})),
        )
        .at_most(
            _loss(theta + h) - norm2(TURN) / (2 * L),
            because="$L$ bounds a quarter of the squares",
        )
        .qed()
    )


@proves("lem-logistic-turn")
def turn() -> Theorem:
    r"""Derive that the gradient turns no faster than $L$ allows, along the way."""
    turned = {theta: theta + h, h: -h, g: moved_gradient, moved_gradient: g}
    return (
        Derivation("two gradients", given=TWO_GRADIENTS, witness=TURNED)
        .start(norm2(TURN) / L)
        .at_most(
            norm2(TURN) / (2 * L) + _loss(theta + h) - _loss(theta) - dot(g, h),
            because=r"seen from $\theta$",
            by=using(apply(_above_by_the_turn())),
        )
        .at_most(
            dot(moved_gradient, h) - dot(g, h),
            because=r"seen from $\theta+h$",
            by=using(apply(_above_by_the_turn(), turned)),
        )
        .equals(dot(TURN, h), because="the inner product is linear")
        .qed()
    )


@proves("thm-logistic-lipschitz")
def lipschitz() -> Theorem:
    r"""Derive that $L$ is a Lipschitz constant of the gradient."""
    return (
        Derivation("Lipschitz constant", given=TWO_GRADIENTS, witness=TURNED)
        .start(norm2(TURN))
        .at_most(
            2 * L * dot(TURN, h) - norm2(TURN), because="two gradients", by=using(apply(turn()))
        )
        .equals(L**2 * norm2(h) - norm2(TURN - L * h), because="complete the square")
        .at_most(L**2 * norm2(h), because="a square is not negative")
        .qed()
    )


@proves("thm-logistic-descent")
def descent() -> Theorem:
    r"""Derive by how much a gradient step of length $1/L$ lowers the penalised loss."""
    with as_written():
        arrived = theta - g / L
        objective = _loss(theta) + _ridge(theta)
        reached = _loss(arrived) + _ridge(arrived)
    slope = g - penalty * (theta - dot(unit, theta) * unit)
    squares = _squares(g)
    lower = log(1 + exp(-Rational(1, 10))) + log(1 + exp(-Rational(3, 20))) + Rational(1, 200)
    return (
        Derivation(
            "a gradient step",
            given=[
                SIGNS,
                Ge(penalty, 0),
                Eq(before, objective),
                Eq(after, reached),
                Eq(g, grad(objective, theta)),
                Le(squares, 4 * (L - penalty) * norm2(g)),
            ],
            witness={
                **PAIR,
                g: [-1, half],
                L: 10,
                penalty: 1,
                unit: [0, 1],
                before: 2 * log(2),
                after: lower,
            },
        )
        .start(after)
        .equals(reached, because="the objective after the step")
        .at_most(
            _loss(theta) - dot(slope, g / L) + squares / (8 * L**2) + _ridge(arrived),
            because="loss after a step",
            by=using(apply(majorised(), {h: -g / L, g: slope})),
        )
        .equals(
            before - norm2(g) / L + squares / (8 * L**2) + _ridge(g) / L**2,
            because="$g$ is the gradient of loss and penalty together",
        )
        .at_most(
            before - norm2(g) / L + 4 * (L - penalty) * norm2(g) / (8 * L**2) + _ridge(g) / L**2,
            because=r"$L-\lambda$ bounds a quarter of the squares in the direction of $g$",
        )
        .equals(
            before - norm2(g) / (2 * L) - penalty * dot(unit, g) ** 2 / (2 * L**2),
            because="collect the terms",
        )
        .at_most(before - norm2(g) / (2 * L), because="a square is not negative")
        .qed()
    )


@proves("thm-logistic-no-minimiser")
def no_minimiser() -> Theorem:
    r"""Derive that on separable data the loss falls along a separating vector, everywhere."""
    weight = logistic(-_through_origin(theta, i))
    return (
        Derivation("the loss falls for ever", given=[SEPARATED], witness=SEPARABLE)
        .start(dot(grad(_loss(theta), theta), target))
        .equals(
            Sum(-weight * y[i] * dot(target, x[i]), (i, 1, n)),
            because=r"the slope of $\log(1+e^{-z})$ is $-\sigma(-z)$",
        )
        .at_most(
            Sum(-weight * gamma, (i, 1, n)),
            because=r"$\theta^*$ separates with margin $\gamma$",
            by=termwise(i),
        )
        .less_than(0, because="every probability is positive")
        .qed()
    )


@proves("thm-logistic-weakly-separable")
def falls_if_no_margin_does() -> Theorem:
    r"""Derive that the loss falls in a direction that lowers no margin and raises one."""
    weight = logistic(-MOVED)
    return (
        Derivation(
            "some points on the boundary",
            given=[
                for_each(i, 1, n, Ge(along[i], 0)),
                Gt(Sum(along[i], (i, 1, n)), 0),
                for_each(i, 1, n, Eq(omega[i], weight)),
                for_each(i, 1, n, Ge(omega[i], omega_0)),
            ],
            witness={**ON_THE_WAY, along: [1, 0], omega: [half, half]},
        )
        .start(grad(LOSS_ON_LINE, t))
        .equals(
            Sum(-weight * along[i], (i, 1, n)),
            because=r"the slope of $\log(1+e^{-z})$ is $-\sigma(-z)$",
        )
        .equals(
            Sum(-omega[i] * along[i], (i, 1, n)),
            because=r"write $\omega_i$ for the probabilities",
            by=termwise(i),
        )
        .at_most(
            Sum(-omega_0 * along[i], (i, 1, n)),
            because=r"each of them is at least $\omega_0$",
            by=termwise(i),
        )
        .equals(-omega_0 * Sum(along[i], (i, 1, n)), because="a common factor")
        .less_than(0, because="some margin grows")
        .qed()
    )


@proves("thm-logistic-infimum")
def infimum() -> Theorem:
    r"""Derive how fast the loss vanishes along a separating vector."""
    return (
        Derivation("the loss vanishes", given=[SEPARATED, Ge(c, 0)], witness=SEPARABLE)
        .start(_loss(c * target))
        .at_most(
            Sum(exp(-_through_origin(c * target, i)), (i, 1, n)),
            because=r"$\log(1+u)\le u$",
            by=termwise(i),
        )
        .at_most(
            Sum(exp(-c * gamma), (i, 1, n)),
            because=r"$\theta^*$ separates with margin $\gamma$",
            by=termwise(i, by=monotone(exp)),
        )
        .equals(n * exp(-c * gamma), because="a sum of equal terms")
        .qed()
    )


@proves("lem-logistic-loss-half")
def loss_above_half_exponential() -> Theorem:
    r"""Derive that on the right side the loss is at least $\frac12e^{-z}$."""
    return (
        Derivation("half of an exponential", given=[Ge(z, 0)], witness={z: 0})
        .start(exp(-z) / 2)
        .at_most(logistic(-z), because=r"$1+e^{-z}\le 2$")
        .at_most(log(1 + exp(-z)), because=r"$\log u\ge 1-1/u$ for $u=1+e^{-z}$")
        .qed()
    )


def _one_term() -> Theorem:
    """Derive that no term of a sum exceeds it if none is negative."""
    return (
        Derivation(
            "one term of a sum",
            given=[*ONE_POINT, for_each(i, 1, n, Ge(part[i], 0))],
            witness={n: 2, k: 1, part: [1, 0]},
        )
        .start(part[k])
        .equals(Sum(KroneckerDelta(i, k) * part[i], (i, 1, n)), because="all others times zero")
        .at_most(Sum(part[i], (i, 1, n)), because="none is negative", by=termwise(i))
        .qed()
    )


@proves("thm-logistic-widest")
def widest_margin() -> Theorem:
    r"""Derive that weights which beat a separating vector have nearly its margin."""
    least = _through_origin(theta, k)
    losses = Lambda(i, log(1 + exp(-_through_origin(theta, i))))
    return (
        Derivation(
            "nearly the widest margin",
            given=[
                SEPARATED,
                Ge(c, 0),
                Le(_loss(theta), _loss(c * target)),
                *ONE_POINT,
                Ge(least, 0),
            ],
            witness={**SEPARABLE, theta: [1, 0], k: 1},
        )
        .start(exp(-least) / 2)
        .at_most(
            log(1 + exp(-least)),
            because="half of an exponential",
            by=apply(loss_above_half_exponential(), {z: least}),
        )
        .at_most(
            _loss(theta),
            because="one term of a sum",
            by=apply(_one_term(), {part: losses}),
        )
        .at_most(_loss(c * target), because=r"$\theta$ costs no more than $c\theta^*$")
        .at_most(n * exp(-c * gamma), because="the loss vanishes", by=apply(infimum()))
        .qed()
    )


@proves("thm-logistic-one-class")
def one_class() -> Theorem:
    r"""Derive that with one class only the loss falls in the offset, everywhere."""
    score = dot(theta, x[i]) + offset
    return (
        Derivation("one class only")
        .start(grad(Sum(log(1 + exp(-score)), (i, 1, n)), offset))
        .equals(-Sum(logistic(-score), (i, 1, n)), because="the slope of every loss")
        .less_than(0, because="every probability is positive")
        .qed()
    )


@proves("thm-newton-irls")
def newton_is_irls() -> Theorem:
    r"""Derive that Newton's step is a weighted least-squares fit."""
    bend = X.T * Omega * X
    return (
        Derivation(
            "reweighted least squares",
            given=[invertible(Omega), invertible(bend)],
            witness={
                rows: 2,
                columns: 1,
                X: [[1], [2]],
                residual: [[half], [-half]],
                w: [[0]],
                Omega: [[quarter_, 0], [0, quarter_]],
            },
        )
        .start(w + inverse(bend) * X.T * residual)
        .equals(
            inverse(bend) * X.T * Omega * X * w + inverse(bend) * X.T * residual,
            because=r"$X^\top\Omega X$ meets its inverse",
        )
        .equals(
            inverse(bend) * X.T * Omega * (X * w + inverse(Omega) * residual),
            because=r"$\Omega\Omega^{-1}$ is the identity",
        )
        .qed()
    )


@proves("lem-weighted-least-squares")
def weighted_least_squares() -> Theorem:
    r"""Derive that a solution of the weighted normal equations has the least weighted squares."""

    def squares(weights: Any) -> Any:
        return Sum(omega[i] * (working[i] - dot(weights, x[i])) ** 2, (i, 1, n))

    normal = Sum(omega[i] * (working[i] - dot(theta, x[i])) * x[i], (i, 1, n))
    return (
        Derivation(
            "weighted least squares",
            given=[for_each(i, 1, n, Ge(omega[i], 0)), Eq(normal, 0)],
            witness={**ON_THE_WAY, working: [0, 0]},
        )
        .start(squares(u))
        .equals(
            squares(theta) + Sum(omega[i] * dot(u - theta, x[i]) ** 2, (i, 1, n)),
            because="the mixed terms are those of the normal equations",
        )
        .at_least(squares(theta), because="weights are not negative")
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
        .equals(logistic(a - b), because=r"divide above and below by $e^a$")
        .qed()
    )


def _softmax(k: Any) -> Any:
    return exp(dot(classes[k], point)) / Sum(exp(dot(classes[l], point)), (l, 1, K))


@proves("thm-softmax-gradient")
def softmax_gradient() -> Theorem:
    r"""Derive the gradient of the loss of one point in the weights of one class."""
    scores = Sum(exp(dot(classes[l], point)), (l, 1, K))
    cost = log(scores) - Sum(label[l] * dot(classes[l], point), (l, 1, K))
    return (
        Derivation(
            "gradient of the softmax loss",
            given=CLASS,
            witness={k: 1, K: 2, classes: [[1], [0]], point: [1], label: [1, 0]},
        )
        .start(grad(cost, classes[k], given=CLASS))
        .equals(
            (_softmax(k) - label[k]) * point,
            because="what the model gives to the class, less what it should",
        )
        .qed()
    )


# The scores move along a line, s[l] + t a[l]; the point belongs to class k.
EXPONENTIALS = Sum(exp(score[l] + t * along[l]), (l, 1, K))
SOFTMAX_LOSS = log(EXPONENTIALS) - (score[k] + t * along[k])


def _moved(k: Any) -> Any:
    """Return the probability of a class on the way."""
    return exp(score[k] + t * along[k]) / EXPONENTIALS


@proves("thm-softmax-convex")
def softmax_convex() -> Theorem:
    r"""Derive that the softmax loss is convex along every line: its curvature is a variance."""
    mean = Sum(_moved(l) * along[l], (l, 1, K))
    return (
        Derivation("a variance", given=CLASS, witness={k: 1, K: 2})
        .start(_bend_of(SOFTMAX_LOSS))
        .equals(
            Sum(_moved(j) * along[j] ** 2, (j, 1, K)) - mean**2,
            because="mean of the squares less square of the mean",
        )
        .equals(
            Sum(_moved(j) * (along[j] - mean) ** 2, (j, 1, K)),
            because="the probabilities sum to one",
        )
        .at_least(0, because="a mean of squares")
        .qed()
    )


@proves("thm-softmax-no-minimiser")
def softmax_falls() -> Theorem:
    r"""Derive that the loss falls where the score of the right class gains on every other."""
    ahead = for_each(l, 1, K, Ge(along[k] - along[l], gamma * (1 - KroneckerDelta(l, k))))
    return (
        Derivation(
            "the softmax loss falls",
            given=[*CLASS, ahead],
            witness={k: 1, K: 2, along: [1, 0], gamma: 1, score: [0, 0], t: 0},
        )
        .start(grad(SOFTMAX_LOSS, t))
        .equals(
            Sum(_moved(l) * (along[l] - along[k]), (l, 1, K)),
            because="the probabilities sum to one",
        )
        .at_most(
            Sum(-_moved(l) * gamma * (1 - KroneckerDelta(l, k)), (l, 1, K)),
            because=r"class $k$ gains at least $\gamma$ on every other",
            by=termwise(l),
        )
        .equals(-gamma * (1 - _moved(k)), because="the probabilities sum to one")
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
            given=[
                for_each(k, 1, K, Eq(classes[k], balanced(k))),
                sums_to_one(probability),
                sums_to_one(seen),
            ],
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
