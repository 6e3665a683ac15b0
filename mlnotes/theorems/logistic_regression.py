"""Logistic regression: linear log-odds, the gradient of the loss, and why the loss is convex."""

from __future__ import annotations

from typing import Any

from mlnotes.proof import (
    Derivation,
    Eq,
    Sum,
    Theorem,
    apply,
    dot,
    exp,
    for_each,
    grad,
    indices,
    integers,
    log,
    monotone,
    real_family,
    reals,
    termwise,
    using,
    vector_family,
    vectors,
)
from mlnotes.theorems import proves

n = integers("n", positive=True)
i = indices("i")
z, offset = reals("z theta_0")
theta, u = vectors("theta u")
point = vectors("x")
x = vector_family("x")
y = real_family("y")

SIGNS = for_each(i, 1, n, Eq(y[i] ** 2, 1))

# Two points on either side of the origin, and an undecided predictor.
PAIR = {n: 2, x: [[1, 0], [-1, 1]], y: [1, -1], theta: [0, 0], offset: 0, u: [1, 2]}


def logistic(score: Any) -> Any:
    """Return the logistic function of a score."""
    return 1 / (1 + exp(-score))


def _margin(i: Any) -> Any:
    return y[i] * (dot(theta, x[i]) + offset)


LOSS = Sum(log(1 + exp(-_margin(i))), (i, 1, n))


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


@proves("thm-logistic-convex")
def hessian() -> Theorem:
    r"""Derive that the second derivative of the loss along any direction is nonnegative."""
    along = dot(gradient().statement.rhs, u)
    steep = exp(-_margin(i)) / (1 + exp(-_margin(i))) ** 2
    return (
        Derivation("the loss is convex", given=[SIGNS], witness=PAIR)
        .start(dot(grad(along, theta), u))
        .equals(
            Sum(y[i] ** 2 * steep * dot(x[i], u) ** 2, (i, 1, n)),
            because="differentiate the gradient once more, along the direction",
        )
        .equals(
            Sum(
                y[i] ** 2 * logistic(_margin(i)) * logistic(-_margin(i)) * dot(x[i], u) ** 2,
                (i, 1, n),
            ),
            because=r"$\sigma'(z)=\sigma(z)\sigma(-z)$",
            by=termwise(i),
        )
        .equals(
            Sum(logistic(_margin(i)) * logistic(-_margin(i)) * dot(x[i], u) ** 2, (i, 1, n)),
            because="a label squared is one",
        )
        .at_least(0, because="every term is a product of positive numbers and a square")
        .qed()
    )
