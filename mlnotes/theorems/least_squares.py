"""Least squares: who minimises, what the hat matrix does, and how far the errors shrink.

The points are the rows of an n × d matrix X that is given, not random; the noise is a random column
with uncorrelated entries of one variance. Nothing is assumed about its law, not even a mean.
"""

from __future__ import annotations

from typing import Any

from mlnotes.proof import (
    Derivation,
    E,
    Eq,
    Rational,
    Theorem,
    apply,
    dimensions,
    grad,
    identity,
    inverse,
    invertible,
    matrices,
    random_matrices,
    reals,
    trace,
    using,
    zeros,
)
from mlnotes.theorems import proves

n, d = dimensions("n d")
X = matrices("X", n, d)
y = matrices("y", n, 1)
w, v = matrices("w v", d, 1)
noise, fresh = random_matrices("epsilon epsilon'", n, 1)
sigma, lam = reals("sigma lambda", positive=True)

I = identity(n)  # noqa: E741
gram = X.T * X
solution = inverse(gram) * X.T * y
hat = X * inverse(gram) * X.T

FULL_RANK = invertible(gram)
NORMAL = Eq(X.T * X * v, X.T * y)
WHITE = Eq(E(noise * noise.T), sigma**2 * I)
WHITE_AGAIN = Eq(E(fresh * fresh.T), sigma**2 * I)
UNCORRELATED = Eq(E(noise * fresh.T), zeros(n, n))

# Three points on a line, x = 0, 1, 2 with a column of ones; the fitted line is 5/6 + 3x/2.
LINE = {n: 3, d: 2, X: [[1, 0], [1, 1], [1, 2]], y: [[1], [2], [4]]}
FITTED = {v: [[Rational(5, 6)], [Rational(3, 2)]], w: [[1], [1]]}

# Signs whose columns are orthogonal: equally likely, they have mean zero and are uncorrelated.
SIGNS = [[1, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]]


def _column(entries: list[int]) -> list[list[int]]:
    return [[entry] for entry in entries]


LAW = [(_column(row), Rational(1, 4)) for row in SIGNS]
NOISE = {**LINE, w: [[1], [1]], sigma: 1, noise: LAW}


def _square(m: Any) -> Any:
    """Return the squared length of a column."""
    return trace(m.T * m)


@proves("lem-least-squares-gradient")
def gradient() -> Theorem:
    r"""Derive the gradient of the mean squared error, with the exact remainder."""
    loss = _square(X * w - y) / n
    return (
        Derivation("gradient of the mean squared error")
        .start(_square(X * (w + v) - y) / n - loss)
        .equals(
            trace(grad(loss, w).T * v) + _square(X * v) / n,
            because="the part that is linear in the step, and what is left of the square",
        )
        .equals(
            trace((2 * X.T * (X * w - y) / n).T * v) + _square(X * v) / n,
            because=r"the gradient is $\frac2nX^\top(Xw-y)$",
        )
        .qed()
    )


@proves("lem-normal-equations-solved")
def normal_equations_solved() -> Theorem:
    r"""Derive that $(X^\top X)^{-1}X^\top y$ solves the normal equations."""
    return (
        Derivation("a solution of the normal equations", given=[FULL_RANK], witness=LINE)
        .start(gram * inverse(gram) * X.T * y)
        .equals(X.T * y, because=r"$X^\top X$ meets its inverse")
        .qed()
    )


@proves("lem-residual-orthogonal")
def residual_orthogonal() -> Theorem:
    r"""Derive that the residual is orthogonal to every column of $X$."""
    return (
        Derivation("orthogonal residual", given=[NORMAL], witness={**LINE, **FITTED})
        .start(X.T * (y - X * v))
        .equals(zeros(d, 1), because="these are the normal equations")
        .qed()
    )


@proves("thm-normal-equations")
def normal_equations_minimise() -> Theorem:
    r"""Derive that a solution of the normal equations has the least squared error."""
    return (
        Derivation("least squares", given=[NORMAL], witness={**LINE, **FITTED})
        .start(_square(y - X * w))
        .equals(
            _square(y - X * v) + _square(X * (w - v)),
            because="the residual is orthogonal to what the columns can reach",
            by=using(apply(residual_orthogonal())),
        )
        .at_least(_square(y - X * v), because="a squared length is nonnegative")
        .qed()
    )


@proves("cor-least-squares-unique")
def solution_is_unique() -> Theorem:
    r"""Derive that with full column rank the normal equations have one solution."""
    return (
        Derivation("the one solution", given=[FULL_RANK, NORMAL], witness={**LINE, **FITTED})
        .start(v)
        .equals(inverse(gram) * gram * v, because=r"$(X^\top X)^{-1}X^\top X$ is the identity")
        .equals(solution, because="the normal equations")
        .qed()
    )


@proves("thm-push-through")
def push_through() -> Theorem:
    r"""Derive $(X^\top X+\lambda I)^{-1}X^\top=X^\top(XX^\top+\lambda I)^{-1}$."""
    primal, dual = X.T * X + lam * identity(d), X * X.T + lam * I
    return (
        Derivation("push-through identity")
        .start(inverse(primal) * X.T)
        .equals(
            inverse(primal) * X.T * dual * inverse(dual),
            because=r"$XX^\top+\lambda I$ is positive definite, hence invertible",
        )
        .equals(
            inverse(primal) * primal * X.T * inverse(dual),
            because=r"$X^\top(XX^\top+\lambda I)=(X^\top X+\lambda I)X^\top$",
        )
        .equals(X.T * inverse(dual), because="a matrix meets its inverse")
        .qed()
    )


@proves("lem-hat-symmetric")
def hat_symmetric() -> Theorem:
    r"""Derive that the hat matrix is symmetric."""
    return (
        Derivation("the hat matrix is symmetric", given=[FULL_RANK], witness=LINE)
        .start(hat.T)
        .equals(
            X * inverse(gram).T * X.T,
            because="transposing turns the factors and their order",
        )
        .equals(hat, because=r"$X^\top X$ is symmetric, and so is its inverse")
        .qed()
    )


@proves("lem-hat-idempotent")
def hat_idempotent() -> Theorem:
    r"""Derive that projecting twice is projecting once."""
    return (
        Derivation("the hat matrix is idempotent", given=[FULL_RANK], witness=LINE)
        .start(hat * hat)
        .equals(
            X * inverse(gram) * gram * inverse(gram) * X.T,
            because="multiplication is associative",
        )
        .equals(hat, because=r"$X^\top X$ meets its inverse")
        .qed()
    )


@proves("lem-hat-trace")
def hat_trace() -> Theorem:
    r"""Derive that with full column rank the hat matrix has trace $d$."""
    return (
        Derivation("trace of the hat matrix", given=[FULL_RANK], witness=LINE)
        .start(trace(hat))
        .equals(trace(inverse(gram) * X.T * X), because="the trace is cyclic")
        .equals(trace(identity(d)), because=r"$X^\top X$ meets its inverse")
        .equals(d, because="there are $d$ ones on the diagonal")
        .qed()
    )


@proves("lem-residual-is-projected-noise")
def residual_is_projected_noise() -> Theorem:
    r"""Derive that the residuals are the noise without its projection."""
    response = X * w + noise
    return (
        Derivation("residuals and noise", given=[FULL_RANK], witness=NOISE)
        .start(response - hat * response)
        .equals((I - hat) * X * w + (I - hat) * noise, because="the response is signal and noise")
        .equals((I - hat) * noise, because="the hat matrix keeps the columns of $X$")
        .qed()
    )


@proves("thm-in-sample-error")
def in_sample_error() -> Theorem:
    r"""Derive that the expected mean squared residual is $\sigma^2(1-d/n)$."""
    response = X * w + noise
    return (
        Derivation("expected in-sample error", given=[FULL_RANK, WHITE], witness=NOISE)
        .start(E(_square(response - hat * response)) / n)
        .equals(
            E(trace(noise.T * (I - hat) * noise)) / n,
            because="the residual is projected noise, and projecting twice is projecting once",
            by=using(apply(residual_is_projected_noise())),
        )
        .equals(E(trace((I - hat) * noise * noise.T)) / n, because="the trace is cyclic")
        .equals(
            sigma**2 * trace(I - hat) / n,
            because=r"expectation is linear, $\mathbb E[\varepsilon\varepsilon^\top]=\sigma^2I$",
        )
        .equals(
            sigma**2 * (1 - d / n),
            because=r"the traces of $I$ and of the hat matrix are $n$ and $d$",
            by=using(apply(hat_trace())),
        )
        .qed()
    )


@proves("thm-fixed-design-test-error")
def fixed_design_test_error() -> Theorem:
    r"""Derive that with fresh noise at the same points the error is $\sigma^2(1+d/n)$."""
    return (
        Derivation(
            "expected error at the same points",
            given=[FULL_RANK, WHITE, WHITE_AGAIN, UNCORRELATED],
            witness={**NOISE, fresh: LAW},
        )
        .start(E(_square(hat * (X * w + noise) - (X * w + fresh))) / n)
        .equals(
            E(_square(hat * noise - fresh)) / n, because="the hat matrix keeps the columns of $X$"
        )
        .equals(
            (E(trace(hat * noise * noise.T)) + E(trace(fresh * fresh.T))) / n,
            because="the two noises are uncorrelated; projecting twice is projecting once",
        )
        .equals(
            sigma**2 * (trace(hat) + trace(I)) / n,
            because=r"$\mathbb E[\varepsilon\varepsilon^\top]=\sigma^2I$ for both noises",
        )
        .equals(
            sigma**2 * (1 + d / n),
            because="the traces are $d$ and $n$",
            by=using(apply(hat_trace())),
        )
        .qed()
    )


@proves("thm-least-squares-unbiased")
def unbiased() -> Theorem:
    r"""Derive that least squares is right on average if the noise has mean zero."""
    return (
        Derivation(
            "least squares is unbiased",
            given=[FULL_RANK, Eq(E(noise), zeros(n, 1))],
            witness=NOISE,
        )
        .start(E(inverse(gram) * X.T * (X * w + noise)))
        .equals(
            w + inverse(gram) * X.T * E(noise), because="expectation is linear and $X$ is given"
        )
        .equals(w, because="the noise has mean zero")
        .qed()
    )
