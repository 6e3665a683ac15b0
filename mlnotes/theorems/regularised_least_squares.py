r"""Regularised least squares: what a penalty does to the weights, and what it buys.

Two languages meet here. Where weights are sought, the targets are a vector ``y``, the columns of
the data are vectors ``a_j`` and the weights numbers ``theta_j``, so that ``Sum(theta_j a_j)`` is
the fit. Where means and variances are taken, the data are a matrix ``X``, the response is
``X theta^* + epsilon``, and ridge regression is the matrix that turns it into weights. The ridge
objective is a squared length plus ``lambda`` times the sum of the squared weights, that of the
lasso half a squared length plus ``lambda`` times the sum of the absolute weights.
"""

from __future__ import annotations

from typing import Any

from mlnotes.proof import (
    Abs,
    Derivation,
    E,
    Eq,
    Ge,
    Gt,
    KroneckerDelta,
    Le,
    Lt,
    Max,
    Rational,
    Setting,
    Sum,
    Theorem,
    apply,
    cases,
    dot,
    exp,
    for_all,
    for_each,
    function,
    grad,
    identity,
    indices,
    integers,
    inverse,
    invertible,
    log,
    matrices,
    matrix_family,
    norm,
    norm2,
    quantity,
    random_matrices,
    real_family,
    reals,
    sqrt,
    termwise,
    trace,
    using,
    vector_family,
    vectors,
    zeros,
)
from mlnotes.theorems import proves

n, d, m = integers("n d m", positive=True)
i, j, k = indices("i j k")
y, e, r, u, v = vectors("y e r u v")
a = vector_family("a")
theta, w, s = real_family("theta w s")
lam = reals("lambda", positive=True)
b, c, t = reals("b c t")
half = Rational(1, 2)


def fit(weights: Any) -> Any:
    """Return the combination of the columns with these weights."""
    return Sum(weights[j] * a[j], (j, 1, d))


def residual(weights: Any) -> Any:
    """Return what a combination of the columns leaves of the targets."""
    return y - fit(weights)


def ridge_objective(weights: Any) -> Any:
    """Return the squared error plus the price of the squared weights."""
    return norm2(residual(weights)) + lam * Sum(weights[j] ** 2, (j, 1, d))


def lasso_objective(weights: Any) -> Any:
    """Return half the squared error plus the price of the absolute weights."""
    return norm2(residual(weights)) / 2 + lam * Sum(Abs(weights[j]), (j, 1, d))


MOVE = Sum((w[j] - theta[j]) * a[j], (j, 1, d))
PULL = Sum((w[j] - theta[j]) * dot(a[j], residual(theta)), (j, 1, d))
ONE = {d: 1, y: [2], a: [[1]], theta: [1], lam: 1}


@proves("lem-residuals-apart")
def residuals_apart() -> Theorem:
    r"""Derive what a change of the weights does to the squared error."""
    return (
        Derivation("two residuals")
        .start(norm2(residual(w)))
        .equals(norm2(residual(theta) - MOVE), because="what the change of the weights adds")
        .equals(norm2(residual(theta)) - 2 * PULL + norm2(MOVE), because="expand the square")
        .qed()
    )


# ---------------------------------------------------------------------- the offset

offset = reals("theta_0")
ones = Eq(norm2(e), n)
MEAN = quantity("bar_y", is_=dot(e, y) / n)
means = quantity("bar_a", j, is_=dot(e, a[j]) / n)
OFFSET = {n: 2, d: 1, e: [1, 1], y: [1, 3], a: [[0, 1]], theta: [1], offset: 1}


@proves("thm-offset-centred")
def offset_by_centring() -> Theorem:
    r"""Derive that the best offset is the mean of what is left, and that centring finds it."""
    centred = y - MEAN * e
    columns = Sum(theta[j] * (a[j] - means[j] * e), (j, 1, d))
    missing = MEAN - Sum(theta[j] * means[j], (j, 1, d)) - offset
    return (
        Derivation("an offset by centring", given={"ones": ones}, witness=OFFSET)
        .start(norm2(y - fit(theta) - offset * e))
        .equals(
            norm2(centred - columns + missing * e),
            because="take the mean out of the targets and of every column",
        )
        .equals(
            norm2(centred - columns) + n * missing**2,
            because="what is centred is perpendicular to the column of ones",
        )
        .qed()
    )


@proves("lem-offset-shift")
def offset_shifts() -> Theorem:
    r"""Derive that targets moved by a constant are met by moving the offset."""
    return (
        Derivation("a shift of the targets")
        .start(norm2(y + c * e - fit(theta) - (offset + c) * e))
        .equals(norm2(y - fit(theta) - offset * e), because="the two shifts cancel")
        .qed()
    )


# ---------------------------------------------------------------------- ridge weights

NORMAL = {"normal": for_each(j, 1, d, Eq(dot(a[j], residual(theta)), lam * theta[j]))}
ridge = Setting("ridge weights", given=NORMAL, witness={**ONE, w: [0]})


@proves("thm-ridge-solution")
def ridge_solution() -> Theorem:
    r"""Derive by how much other weights are worse than those of the normal equations."""
    return (
        Derivation("ridge regression", setting=ridge)
        .start(ridge_objective(w))
        .equals(
            norm2(residual(theta)) - 2 * PULL + norm2(MOVE) + lam * Sum(w[j] ** 2, (j, 1, d)),
            because="two residuals",
            by=using(residuals_apart()),
        )
        .equals(
            norm2(residual(theta))
            - 2 * lam * Sum((w[j] - theta[j]) * theta[j], (j, 1, d))
            + norm2(MOVE)
            + lam * Sum(w[j] ** 2, (j, 1, d)),
            because="the normal equations",
        )
        .equals(
            ridge_objective(theta) + norm2(MOVE) + lam * Sum((w[j] - theta[j]) ** 2, (j, 1, d)),
            because="complete the squares of the weights",
        )
        .qed()
    )


# Columns and targets with d rows more, which hold sqrt(lambda) times an identity, and zeros.
tall = vector_family("h")
target = vectors("z")


def of_pairs(value: Any) -> Any:
    """Return the sum over all pairs of columns, times both weights."""
    return Sum(w[j] * Sum(w[k] * value(j, k), (k, 1, d)), (j, 1, d))


STACKED = {
    "columns": for_each(
        j,
        1,
        d,
        for_each(k, 1, d, Eq(dot(tall[j], tall[k]), dot(a[j], a[k]) + lam * KroneckerDelta(j, k))),
    ),
    "targets": for_each(j, 1, d, Eq(dot(tall[j], target), dot(a[j], y))),
    "length": Eq(norm2(target), norm2(y)),
}


TALL = {d: 1, y: [2, 0], a: [[1, 0]], w: [1], lam: 1, tall: [[1, 1]], target: [2, 0]}


@proves("thm-ridge-stacked")
def ridge_is_stacked_least_squares() -> Theorem:
    r"""Derive that ridge regression is least squares with rows added."""
    return (
        Derivation(
            "stacked least squares",
            given=STACKED,
            witness=TALL,
        )
        .start(norm2(target - Sum(w[j] * tall[j], (j, 1, d))))
        .equals(
            norm2(target)
            - 2 * Sum(w[j] * dot(tall[j], target), (j, 1, d))
            + of_pairs(lambda j, k: dot(tall[j], tall[k])),
            because="expand the square",
        )
        .equals(
            norm2(y)
            - 2 * Sum(w[j] * dot(a[j], y), (j, 1, d))
            + of_pairs(lambda j, k: dot(a[j], a[k]) + lam * KroneckerDelta(j, k)),
            because="what the added rows change",
        )
        .equals(ridge_objective(w), because="collect")
        .qed()
    )


@proves("thm-ridge-budget")
def ridge_is_best_within_its_budget() -> Theorem:
    r"""Derive that weights which keep the budget of the ridge weights and fit as well are these."""
    given = {
        "budget": Le(Sum(w[j] ** 2, (j, 1, d)), Sum(theta[j] ** 2, (j, 1, d))),
        "as good": Le(norm2(residual(w)), norm2(residual(theta))),
    }
    return (
        Derivation("best within the budget", setting=ridge, given=given, witness={w: ONE[theta]})
        .start(lam * Sum((w[j] - theta[j]) ** 2, (j, 1, d)))
        .equals(
            ridge_objective(w) - ridge_objective(theta) - norm2(MOVE),
            because="ridge regression",
            by=using(ridge_solution()),
        )
        .at_most(
            norm2(residual(w)) + lam * Sum(theta[j] ** 2, (j, 1, d)) - ridge_objective(theta),
            because="the budget is kept, and a square is not negative",
        )
        .at_most(0, because="the weights fit as well")
        .qed()
    )


@proves("lem-ridge-residual-shorter")
def ridge_residual_is_shorter() -> Theorem:
    r"""Derive that the residual of ridge regression is not longer than the targets."""
    return (
        Derivation("a residual is shorter", setting=ridge)
        .start(norm2(residual(theta)))
        .equals(
            norm2(y)
            - 2 * Sum(theta[j] * dot(a[j], residual(theta)), (j, 1, d))
            - norm2(fit(theta)),
            because="the targets are the residual and the fit",
        )
        .equals(
            norm2(y) - 2 * lam * Sum(theta[j] ** 2, (j, 1, d)) - norm2(fit(theta)),
            because="the normal equations",
        )
        .at_most(norm2(y), because="squares are not negative")
        .qed()
    )


rho = reals("rho")
ALIKE = {"first": Eq(dot(u, r), lam * b), "second": Eq(dot(v, r), lam * c)}
SHORTER = {"shorter": Le(norm(r), norm(y))}
UNIT = {"one": Eq(norm2(u), 1), "other": Eq(norm2(v), 1), "correlation": Eq(dot(u, v), rho)}


@proves("lem-unit-distance")
def distance_of_units() -> Theorem:
    r"""Derive how far two unit vectors with a given correlation are apart."""
    return (
        Derivation(
            "two unit vectors",
            given={**UNIT, "at most one": Le(rho, 1)},
            witness={u: [1], v: [1], rho: 1},
        )
        .start(norm(u - v))
        .equals(sqrt(2 * (1 - rho)), because="expand the square")
        .qed()
    )


@proves("lem-ridge-difference")
def ridge_difference() -> Theorem:
    r"""Derive that the weights of two columns differ by no more than the columns do."""
    return (
        Derivation(
            "weights and columns",
            given=ALIKE | SHORTER,
            witness={u: [1], v: [1], r: [1], lam: 1, b: 1, c: 1, y: [2]},
        )
        .start(lam * Abs(b - c))
        .equals(Abs(dot(u - v, r)), because="the two normal equations")
        .at_most(norm(u - v) * norm(r), because="Cauchy–Schwarz")
        .at_most(norm(u - v) * norm(y), because="the residual is not longer than the targets")
        .qed()
    )


@proves("thm-ridge-equalises")
def ridge_equalises() -> Theorem:
    r"""Derive that ridge regression gives similar weights to two similar columns."""
    return (
        Derivation(
            "similar columns have similar weights",
            given={**ALIKE, **UNIT, "at most one": Le(rho, 1), **SHORTER},
            witness={u: [1], v: [1], r: [1], lam: 1, b: 1, c: 1, y: [2], rho: 1},
        )
        .start(lam * Abs(b - c))
        .at_most(norm(u - v) * norm(y), because="weights and columns", by=ridge_difference())
        .equals(
            sqrt(2 * (1 - rho)) * norm(y),
            because="two unit vectors",
            by=using(distance_of_units()),
        )
        .qed()
    )


# ---------------------------------------------------------------------- penalty and constraint

loss = function("ell", of="vector")
size = function("R", of="vector")
kappa = reals("kappa", positive=True)
LEAST = for_all(r, Ge(loss(r) + lam * size(r), loss(u) + lam * size(u)))
LEAST_DEARER = for_all(r, Ge(loss(r) + kappa * size(r), loss(v) + kappa * size(v)))
SQUARES = {loss: lambda z: norm2(z), size: lambda z: norm2(z), u: [0], v: [0], lam: 1}


@proves("thm-penalised-constrained")
def penalised_is_constrained() -> Theorem:
    r"""Derive that who minimises with a penalty minimises under a constraint."""
    return (
        Derivation(
            "a penalty is a constraint",
            given={"penalised": LEAST, "allowed": Le(size(v), size(u))},
            witness=SQUARES,
        )
        .start(loss(v))
        .at_least(
            loss(u) + lam * (size(u) - size(v)),
            because="no other point has a smaller sum",
            by=LEAST.at(v),
        )
        .at_least(loss(u), because="and $v$ pays no more than $u$")
        .qed()
    )


@proves("lem-constrained-loss")
def morozov() -> Theorem:
    r"""Derive that who minimises with a penalty is smallest among those that fit as well."""
    return (
        Derivation(
            "the smallest that fits as well",
            given={"penalised": LEAST, "as good": Le(loss(v), loss(u))},
            witness=SQUARES,
        )
        .start(size(v))
        .at_least(
            size(u) + (loss(u) - loss(v)) / lam,
            because="no other point has a smaller sum",
            by=LEAST.at(v),
        )
        .at_least(size(u), because="and $v$ loses no more than $u$")
        .qed()
    )


@proves("lem-penalty-monotone")
def dearer_is_smaller() -> Theorem:
    r"""Derive that a dearer penalty leaves a solution that is not larger."""
    return (
        Derivation(
            "dearer, hence smaller",
            given={"first": LEAST, "second": LEAST_DEARER, "order": Lt(lam, kappa)},
            witness={**SQUARES, kappa: 2},
        )
        .start(size(v))
        .at_most(
            size(u),
            because="each is best at its own price; add the two",
            by=using(LEAST.at(v), LEAST_DEARER.at(u)),
        )
        .qed()
    )


# ---------------------------------------------------------------------- stability

rest = function("f", of="vector")
bound = reals("L", positive=True)
# At a minimum the slope of the losses is that of the penalty with the other sign.
ALL = for_all(r, Ge(rest(r) + loss(r), rest(u) + loss(u) - lam * dot(u, r - u)))
WITHOUT = for_all(r, Ge(rest(r), rest(v) - lam * dot(v, r - v)))
STABLE = {"all": ALL, "without": WITHOUT, "lipschitz": Le(loss(v) - loss(u), bound * norm(v - u))}
STILL = {rest: lambda z: 0 * norm2(z), loss: lambda z: 0 * norm2(z), u: [0], v: [0], lam: 1}


@proves("lem-stability-square")
def stability_before_division() -> Theorem:
    r"""Derive how far one example moves a penalised solution, before dividing by the distance."""
    return (
        Derivation("one example more", given=STABLE, witness={**STILL, bound: 1})
        .start(lam * norm2(v - u))
        .at_most(
            loss(v) - loss(u),
            because="both are minima; add the two inequalities",
            by=using(ALL.at(v), WITHOUT.at(u)),
        )
        .at_most(bound * norm(v - u), because="the loss changes slowly")
        .qed()
    )


@proves("thm-ridge-stable")
def penalised_solutions_are_stable() -> Theorem:
    r"""Derive that one example moves a penalised solution by at most L over lambda."""
    length = reals("c", nonnegative=True)
    divided = (
        Derivation(
            "divide by the distance",
            given={"square": Le(lam * length**2, bound * length)},
            witness={lam: 1, bound: 1, length: 1},
        )
        .start(length)
        .at_most(bound / lam, by=cases(Gt(length, 0), Le(length, 0)))
        .qed()
    )
    return (
        Derivation("one example moves little", given=STABLE, witness={**STILL, bound: 1})
        .start(norm(v - u))
        .at_most(
            bound / lam,
            because="one example more; divide by the distance",
            by=using(stability_before_division(), divided(c=norm(v - u))),
        )
        .qed()
    )


# ---------------------------------------------------------------------- bias and variance

X = matrices("X", n, d)
truth = matrices("theta^*", d, 1)
error = matrices("epsilon", n, 1)
noise = random_matrices("epsilon", n, 1)
q = matrices("q", d, 1)
g = matrices("g", n, 1)
qs = matrix_family("q", d, 1)
mu = reals("mu", nonnegative=True)
positive = reals("mu", positive=True)
mus = real_family("mu", positive=True)
sigma = reals("sigma", positive=True)

gram = X.T * X
penalised = gram + lam * identity(d)
FULL_RANK = {"full rank": invertible(gram)}
EIGEN = {"eigen": Eq(gram * q, mu * q)}
EIGEN_POSITIVE = {"eigen": Eq(gram * q, positive * q)}
LENGTH_ONE = {"unit": Eq(trace(q.T * q), 1)}
WHITE = {
    "mean": Eq(E(noise), zeros(n, 1)),
    "white": Eq(E(noise * noise.T), sigma**2 * identity(n)),
}
BASIS = {
    "eigen": for_each(i, 1, d, Eq(gram * qs[i], mus[i] * qs[i])),
    "unit": for_each(i, 1, d, Eq(trace(qs[i].T * qs[i]), 1)),
    "basis": Eq(Sum(qs[i] * qs[i].T, (i, 1, d)), identity(d)),
}
QUARTER = Rational(1, 4)
SIGNS = [([[1], [1]], QUARTER), ([[1], [-1]], QUARTER), ([[-1], [1]], QUARTER)]
TWO = {
    n: 2,
    d: 2,
    X: [[1, 0], [0, 2]],
    lam: 1,
    truth: [[1], [1]],
}
NOISY = {**TWO, noise: [*SIGNS, ([[-1], [-1]], QUARTER)], sigma: 1}
AXIS = {q: [[1], [0]], mu: 1}
AXIS_POSITIVE = {q: [[1], [0]], positive: 1}
AXES = {qs: [[[1], [0]], [[0], [1]]], mus: [1, 4]}


def ridge_weights(eps: Any) -> Any:
    """Return the ridge weights of the response with this noise."""
    return inverse(penalised) * X.T * (X * truth + eps)


def plain_weights(eps: Any) -> Any:
    """Return the weights of least squares of the response with this noise."""
    return inverse(gram) * X.T * (X * truth + eps)


def along(direction: Any, weights: Any) -> Any:
    """Return the coordinate of weights in a direction."""
    return trace(direction.T * weights)


def squared(column: Any) -> Any:
    """Return the squared length of a column."""
    return trace(column.T * column)


@proves("thm-ridge-bias")
def ridge_bias() -> Theorem:
    r"""Derive how far from the truth the mean of the ridge weights is."""
    return (
        Derivation("the bias of ridge regression", given={"mean": WHITE["mean"]}, witness=NOISY)
        .start(E(ridge_weights(noise) - truth))
        .equals(
            inverse(penalised) * gram * truth - truth,
            because="expectation is linear, and the noise has mean zero",
        )
        .equals(
            inverse(penalised) * (penalised - lam * identity(d)) * truth - truth,
            because="add the penalty and take it away",
        )
        .equals(-lam * inverse(penalised) * truth, because="a matrix meets its inverse")
        .qed()
    )


@proves("thm-ridge-damping")
def ridge_damps() -> Theorem:
    r"""Derive by which factor ridge regression damps each eigenvector."""
    return (
        Derivation("each direction is damped", given=EIGEN, witness={**TWO, **AXIS})
        .start(inverse(penalised) * gram * q)
        .equals(mu * inverse(penalised) * q, because="$q$ is an eigenvector")
        .equals(
            mu / (mu + lam) * inverse(penalised) * penalised * q,
            because=r"it is one of $X^\top X+\lambda I$ as well, with $\mu+\lambda$",
        )
        .equals(mu / (mu + lam) * q, because="a matrix meets its inverse")
        .qed()
    )


shrunk = inverse(penalised) * X.T * g


@proves("lem-ridge-length")
def ridge_length() -> Theorem:
    r"""Derive the squared length of the ridge weights in the eigenbasis."""
    witness = {**TWO, **AXIS, g: [[1], [1]]}
    before = (
        Derivation("before the division", given=EIGEN, witness=witness)
        .start((mu + lam) * along(q, shrunk))
        .equals(trace(q.T * penalised * shrunk), because="$q$ is an eigenvector")
        .equals(along(q, X.T * g), because="a matrix meets its inverse")
        .qed()
    )
    one = (
        Derivation("one direction", given=EIGEN, witness=witness)
        .start(along(q, shrunk) ** 2)
        .equals((along(q, X.T * g) / (mu + lam)) ** 2, because="divide", by=using(before))
        .equals(along(q, X.T * g) ** 2 / (mu + lam) ** 2, because="the square of a quotient")
        .qed()
    )
    return (
        Derivation(
            "how long the ridge weights are",
            given={"eigen": BASIS["eigen"], "basis": BASIS["basis"]},
            witness={**TWO, **AXES, g: [[1], [1]]},
        )
        .start(squared(shrunk))
        .equals(
            Sum(along(qs[i], shrunk) ** 2, (i, 1, d)),
            because="Parseval",
            by=using(apply(parseval(), {truth: shrunk})),
        )
        .equals(
            Sum(along(qs[i], X.T * g) ** 2 / (mus[i] + lam) ** 2, (i, 1, d)),
            because="each direction is damped by itself",
            by=termwise(i, by=apply(one, {q: qs[i], mu: mus[i]})),
        )
        .qed()
    )


@proves("lem-ridge-error-along")
def ridge_error_along() -> Theorem:
    r"""Derive the error of the ridge weights in the direction of an eigenvector."""
    before = (
        Derivation("before the division", given=EIGEN, witness={**TWO, **AXIS, error: [[1], [1]]})
        .start((mu + lam) * along(q, ridge_weights(error) - truth))
        .equals(
            trace(q.T * penalised * (ridge_weights(error) - truth)),
            because=r"$q$ is an eigenvector of $X^\top X+\lambda I$",
        )
        .equals(
            trace((X * q).T * error) - lam * along(q, truth), because="a matrix meets its inverse"
        )
        .qed()
    )
    return (
        Derivation(
            "the error in one direction", given=EIGEN, witness={**TWO, **AXIS, error: [[1], [1]]}
        )
        .start(along(q, ridge_weights(error) - truth))
        .equals(
            (trace((X * q).T * error) - lam * along(q, truth)) / (mu + lam),
            because=r"multiply by $X^\top X+\lambda I$",
            by=using(before),
        )
        .qed()
    )


@proves("lem-white-square")
def white_square() -> Theorem:
    r"""Derive the mean square of a linear function of white noise plus a number."""
    return (
        Derivation(
            "the mean square of noise and a number",
            given=WHITE,
            witness={n: 2, noise: NOISY[noise], sigma: 1, g: [[1], [1]], c: 1},
        )
        .start(E((trace(g.T * noise) + c) ** 2))
        .equals(
            E(trace(g.T * noise * noise.T * g)) + 2 * c * E(trace(g.T * noise)) + c**2,
            because="expand the square",
        )
        .equals(
            trace(g.T * E(noise * noise.T) * g) + 2 * c * trace(g.T * E(noise)) + c**2,
            because="expectation is linear",
        )
        .equals(sigma**2 * squared(g) + c**2, because="the noise is white")
        .qed()
    )


def mean_square(value: Any, coordinate: Any) -> Any:
    """Return variance and squared bias in the direction of an eigenvector."""
    return (sigma**2 * value + lam**2 * coordinate**2) / (value + lam) ** 2


@proves("thm-ridge-error-along")
def ridge_mean_square_along() -> Theorem:
    r"""Derive the mean squared error of ridge regression in one direction."""
    raw = trace((X * q).T * noise) - lam * along(q, truth)
    stretched = (
        Derivation(
            "how long the image of an eigenvector is",
            given={**EIGEN, **LENGTH_ONE},
            witness={**TWO, **AXIS},
        )
        .start(squared(X * q))
        .equals(trace(q.T * (gram * q)), because="the product is associative")
        .equals(mu * squared(q), because="an eigenvector")
        .equals(mu, because="of length one")
        .qed()
    )
    return (
        Derivation(
            "variance and squared bias in one direction",
            given={**EIGEN, **LENGTH_ONE, **WHITE},
            witness={**NOISY, **AXIS},
        )
        .start(E(along(q, ridge_weights(noise) - truth) ** 2))
        .equals(
            E((raw / (mu + lam)) ** 2),
            because="the error in one direction",
            by=termwise(by=apply(ridge_error_along(), {error: noise})),
        )
        .equals(E(raw**2) / (mu + lam) ** 2, because="the denominator is not random")
        .equals(
            (sigma**2 * squared(X * q) + (lam * along(q, truth)) ** 2) / (mu + lam) ** 2,
            because="the mean square of noise and a number",
            by=using(white_square()(g=X * q, c=-lam * along(q, truth))),
        )
        .equals(
            mean_square(mu, along(q, truth)),
            because="how long the image of an eigenvector is",
            by=using(stretched),
        )
        .qed()
    )


@proves("lem-parseval")
def parseval() -> Theorem:
    r"""Derive that the squared coordinates in an orthonormal basis add up to the squared length."""
    return (
        Derivation(
            "Parseval",
            given={"basis": BASIS["basis"]},
            witness={d: 2, qs: AXES[qs], truth: [[1], [1]]},
        )
        .start(squared(truth))
        .equals(Sum(along(qs[i], truth) ** 2, (i, 1, d)), because="put the identity between")
        .qed()
    )


@proves("thm-ridge-mse")
def ridge_mse() -> Theorem:
    r"""Derive the mean squared error of the ridge weights in the eigenbasis."""
    miss = ridge_weights(noise) - truth
    return (
        Derivation(
            "the mean squared error of ridge regression",
            given={**BASIS, **WHITE},
            witness={**NOISY, **AXES},
        )
        .start(E(squared(miss)))
        .equals(
            E(Sum(along(qs[i], miss) ** 2, (i, 1, d))),
            because="Parseval",
            by=termwise(by=apply(parseval(), {truth: miss})),
        )
        .equals(Sum(E(along(qs[i], miss) ** 2), (i, 1, d)), because="expectation is linear")
        .equals(
            Sum(mean_square(mus[i], along(qs[i], truth)), (i, 1, d)),
            because="variance and squared bias in one direction",
            by=termwise(i, by=apply(ridge_mean_square_along(), {q: qs[i], mu: mus[i]})),
        )
        .qed()
    )


@proves("lem-least-squares-error-along")
def plain_error_along() -> Theorem:
    r"""Derive the mean squared error of least squares in one direction."""
    before = (
        Derivation(
            "the error of least squares in one direction",
            given={**FULL_RANK, **EIGEN_POSITIVE},
            witness={**TWO, **AXIS_POSITIVE, error: [[1], [1]]},
        )
        .start(positive * along(q, plain_weights(error) - truth))
        .equals(trace(q.T * gram * (plain_weights(error) - truth)), because="$q$ is an eigenvector")
        .equals(trace((X * q).T * error), because="a matrix meets its inverse")
        .qed()
    )
    divided = (
        Derivation(
            "divided",
            given={**FULL_RANK, **EIGEN_POSITIVE},
            witness={**TWO, **AXIS_POSITIVE, error: [[1], [1]]},
        )
        .start(along(q, plain_weights(error) - truth))
        .equals(trace((X * q).T * error) / positive, by=using(before))
        .qed()
    )
    stretched = (
        Derivation(
            "how long the image is",
            given={**EIGEN_POSITIVE, **LENGTH_ONE},
            witness={**TWO, **AXIS_POSITIVE},
        )
        .start(squared(X * q))
        .equals(trace(q.T * (gram * q)))
        .equals(positive * squared(q))
        .equals(positive)
        .qed()
    )
    return (
        Derivation(
            "the variance of least squares in one direction",
            given={**FULL_RANK, **EIGEN_POSITIVE, **LENGTH_ONE, **WHITE},
            witness={**NOISY, **AXIS_POSITIVE},
        )
        .start(E(along(q, plain_weights(noise) - truth) ** 2))
        .equals(
            E((trace((X * q).T * noise) / positive) ** 2),
            because=r"multiply by $X^\top X$",
            by=termwise(by=apply(divided, {error: noise})),
        )
        .equals(
            E((trace((X * q).T * noise) + 0) ** 2) / positive**2,
            because="the denominator is not random",
        )
        .equals(
            sigma**2 * squared(X * q) / positive**2,
            because="the mean square of noise",
            by=using(white_square()(g=X * q, c=0)),
        )
        .equals(
            sigma**2 / positive,
            because="how long the image of an eigenvector is",
            by=using(stretched),
        )
        .qed()
    )


@proves("lem-least-squares-mse")
def plain_mse() -> Theorem:
    r"""Derive the mean squared error of least squares in the eigenbasis."""
    miss = plain_weights(noise) - truth
    return (
        Derivation(
            "the mean squared error of least squares",
            given={**FULL_RANK, **BASIS, **WHITE},
            witness={**NOISY, **AXES},
        )
        .start(E(squared(miss)))
        .equals(
            E(Sum(along(qs[i], miss) ** 2, (i, 1, d))),
            because="Parseval",
            by=termwise(by=apply(parseval(), {truth: miss})),
        )
        .equals(Sum(E(along(qs[i], miss) ** 2), (i, 1, d)), because="expectation is linear")
        .equals(
            Sum(sigma**2 / mus[i], (i, 1, d)),
            because="the variance in one direction",
            by=termwise(i, by=apply(plain_error_along(), {q: qs[i], positive: mus[i]})),
        )
        .qed()
    )


@proves("lem-ridge-wins-along")
def ridge_wins_along() -> Theorem:
    r"""Derive that a small penalty lowers the mean squared error in every direction."""
    return (
        Derivation(
            "a small penalty wins in one direction",
            given={"small": Le(lam * b**2, 2 * sigma**2)},
            witness={positive: 1, lam: 1, b: 1, sigma: 1},
        )
        .start(mean_square(positive, b))
        .equals(
            sigma**2 / positive
            - lam
            * (lam * sigma**2 + positive * (2 * sigma**2 - lam * b**2))
            / (positive * (positive + lam) ** 2),
            because="put both over one denominator",
        )
        .less_than(sigma**2 / positive, because="what is taken away is positive")
        .qed()
    )


SMALL = {"small": Le(lam * squared(truth), 2 * sigma**2)}


@proves("lem-coordinate-shorter")
def coordinate_is_shorter() -> Theorem:
    r"""Derive that a coordinate along a unit vector is not longer than the vector."""
    return (
        Derivation(
            "a coordinate", given=LENGTH_ONE, witness={d: 2, q: [[1], [0]], truth: [[1], [1]]}
        )
        .start(along(q, truth) ** 2)
        .equals(
            squared(truth) - squared(truth - along(q, truth) * q),
            because="take the part along $q$ away",
        )
        .at_most(squared(truth), because="a squared length is not negative")
        .qed()
    )


@proves("thm-ridge-wins")
def ridge_wins() -> Theorem:
    r"""Derive that ridge regression with a small penalty has the smaller mean squared error."""
    small_along = (
        Derivation(
            "small in every direction",
            given={**LENGTH_ONE, **SMALL},
            witness={d: 2, q: [[1], [0]], truth: [[1], [1]], lam: 1, sigma: 1},
        )
        .start(lam * along(q, truth) ** 2)
        .at_most(lam * squared(truth), by=using(coordinate_is_shorter()))
        .at_most(2 * sigma**2)
        .qed()
    )
    one = (
        Derivation(
            "one direction",
            given={**LENGTH_ONE, **SMALL},
            witness={d: 2, q: [[1], [0]], truth: [[1], [1]], lam: 1, sigma: 1, positive: 1},
        )
        .start(mean_square(positive, along(q, truth)))
        .less_than(
            sigma**2 / positive,
            by=using(small_along, ridge_wins_along()(b=along(q, truth))),
        )
        .qed()
    )
    return (
        Derivation(
            "some penalty always wins",
            given={**FULL_RANK, **BASIS, **WHITE, **SMALL},
            witness={**NOISY, **AXES},
        )
        .start(E(squared(ridge_weights(noise) - truth)))
        .equals(
            Sum(mean_square(mus[i], along(qs[i], truth)), (i, 1, d)),
            because="the mean squared error of ridge regression",
            by=using(ridge_mse()),
        )
        .less_than(
            Sum(sigma**2 / mus[i], (i, 1, d)),
            because="a small penalty wins in every direction",
            by=termwise(i, by=apply(one, {q: qs[i], positive: mus[i]})),
        )
        .equals(
            E(squared(plain_weights(noise) - truth)),
            because="the mean squared error of least squares",
            by=using(plain_mse()),
        )
        .qed()
    )


coordinates = real_family("c")
small_penalty = reals("t")


@proves("lem-ridge-mse-slope")
def mse_falls_at_zero() -> Theorem:
    r"""Derive how fast the mean squared error falls when a penalty is begun."""
    value = Sum(
        (sigma**2 * mus[i] + small_penalty**2 * coordinates[i] ** 2)
        / (mus[i] + small_penalty) ** 2,
        (i, 1, d),
    )
    start = Eq(small_penalty, 0)
    return (
        Derivation(
            "the slope at no penalty",
            given={"start": start},
            witness={d: 1, mus: [1], coordinates: [1], sigma: 1, small_penalty: 0},
        )
        .start(grad(value, small_penalty, given=[start]))
        .equals(-2 * sigma**2 * Sum(1 / mus[i] ** 2, (i, 1, d)), because="the quotient rule at 0")
        .qed()
    )


U, W, D = matrices("U", n, d), matrices("V", d, d), matrices("Lambda", d, d)
PRODUCT = {"product": Eq(X, U * D * W.T)}
SVD = {
    **PRODUCT,
    "columns": Eq(U.T * U, identity(d)),
    "basis": Eq(W.T * W, identity(d)),
}


@proves("thm-ridge-svd")
def ridge_by_svd() -> Theorem:
    r"""Derive ridge regression from a singular value decomposition."""
    middle = D.T * D + lam * identity(d)
    witness = {**TWO, U: [[1, 0], [0, 1]], W: [[1, 0], [0, 1]], D: [[1, 0], [0, 2]]}
    transposed = (
        Derivation("the transpose", given=PRODUCT, witness=witness)
        .start(X.T)
        .equals((U * D * W.T).T)
        .equals(W * D.T * U.T)
        .qed()
    )
    squares = (
        Derivation("the Gram matrix", given=SVD, witness=witness)
        .start(gram * W)
        .equals((U * D * W.T).T * (U * D * W.T) * W)
        .equals(W * D.T * (U.T * U) * D * (W.T * W))
        .equals(W * D.T * D)
        .qed()
    )
    turned = (
        Derivation("the Gram matrix and the penalty", given=SVD, witness=witness)
        .start(penalised * W)
        .equals(gram * W + lam * W)
        .equals(W * middle, by=using(squares))
        .qed()
    )
    return (
        Derivation("ridge regression by singular values", given=SVD, witness=witness)
        .start(inverse(penalised) * X.T)
        .equals(
            inverse(penalised) * (W * D.T * U.T),
            because="the transpose of the product",
            by=using(transposed),
        )
        .equals(
            inverse(penalised) * (W * middle) * inverse(middle) * D.T * U.T,
            because="a matrix meets its inverse",
        )
        .equals(
            inverse(penalised) * (penalised * W) * inverse(middle) * D.T * U.T,
            because=r"$X^\top XV=V\Lambda^\top\Lambda$",
            by=using(turned),
        )
        .equals(W * inverse(middle) * D.T * U.T, because="a matrix meets its inverse")
        .qed()
    )


rho_columns = reals("N", positive=True)


@proves("lem-collinear-variance")
def collinear_variance() -> Theorem:
    r"""Derive the variance of a weight of least squares beside a correlated column."""
    reader = (u - rho * v) / (rho_columns * (1 - rho**2))
    return (
        Derivation(
            "two correlated columns",
            given={
                "one": Eq(norm2(u), rho_columns),
                "other": Eq(norm2(v), rho_columns),
                "correlation": Eq(dot(u, v), rho_columns * rho),
                "apart": Lt(rho**2, 1),
            },
            witness={u: [1, 0], v: [0, 1], rho_columns: 1, rho: 0},
        )
        .start(norm2(reader))
        .equals(1 / (rho_columns * (1 - rho**2)), because="expand the square")
        .qed()
    )


# ---------------------------------------------------------------------- soft threshold


soft = quantity("S_lambda", c, is_=Max(c - lam, 0) - Max(-c - lam, 0))


@proves("thm-soft-threshold")
def soft_threshold() -> Theorem:
    r"""Derive that the soft threshold minimises a parabola plus an absolute value."""
    return (
        Derivation("the soft threshold")
        .start((b - c) ** 2 / 2 + lam * Abs(b))
        .at_least(
            (soft(c) - c) ** 2 / 2 + lam * Abs(soft(c)) + (b - soft(c)) ** 2 / 2,
            because=r"for $c\ge\lambda$, for $c\le-\lambda$ and between",
            by=cases(Ge(c, lam), Le(c, -lam)),
        )
        .qed()
    )


@proves("lem-coordinate-step")
def coordinate_step() -> Theorem:
    r"""Derive that in one weight the objective of the lasso is a parabola and an absolute value."""
    centre = dot(u, r) / norm2(u)
    return (
        Derivation(
            "one weight of the lasso",
            given={"column": Gt(norm2(u), 0)},
            witness={u: [1], r: [1], b: 1, lam: 1},
        )
        .start(norm2(r - b * u) / 2 + lam * Abs(b))
        .equals(
            norm2(u) * ((b - centre) ** 2 / 2 + lam / norm2(u) * Abs(b))
            + norm2(r) / 2
            - dot(u, r) ** 2 / (2 * norm2(u)),
            because="complete the square",
        )
        .qed()
    )


@proves("lem-block-zero")
def block_is_zero() -> Theorem:
    r"""Derive that a group of weights stays zero if what pulls at it is short."""
    return (
        Derivation(
            "a group that is left out",
            given={"short": Le(norm(v), lam)},
            witness={u: [1], v: [1], lam: 1},
        )
        .start(norm2(u - v) / 2 + lam * norm(u))
        .at_least(norm2(u - v) / 2 + norm(v) * norm(u), because=r"$\lVert v\rVert\le\lambda$")
        .at_least(norm2(u) / 2 + norm2(v) / 2, because="Cauchy–Schwarz")
        .qed()
    )


@proves("lem-block-shrinks")
def block_shrinks() -> Theorem:
    r"""Derive that a group of weights shrinks as one, without turning."""
    shrunk = (1 - lam / norm(v)) * v
    return (
        Derivation(
            "a group that shrinks",
            given={"long": Ge(norm(v), lam)},
            witness={u: [1], v: [2], lam: 1},
        )
        .start(norm2(u - v) / 2 + lam * norm(u))
        .at_least(norm2(u - v) / 2 + lam * (dot(v, u) / norm(v)), because="Cauchy–Schwarz")
        .equals(
            norm2(shrunk - v) / 2 + lam * (norm(v) - lam) + norm2(u - shrunk) / 2,
            because="complete the square",
        )
        .qed()
    )


# ---------------------------------------------------------------------- the lasso

OPTIMAL = {
    "bounded": for_each(j, 1, d, Le(Abs(dot(a[j], residual(theta))), lam)),
    "tight": for_each(j, 1, d, Eq(theta[j] * dot(a[j], residual(theta)), lam * Abs(theta[j]))),
}
LASSO_ONE = {d: 1, y: [2], a: [[1]], theta: [1], w: [0], lam: 1}
lasso = Setting("lasso weights", given=OPTIMAL, witness=LASSO_ONE)


@proves("thm-lasso-optimality")
def lasso_optimality() -> Theorem:
    r"""Derive that the conditions on the correlations make weights optimal, and by how much."""
    return (
        Derivation("optimal weights of the lasso", setting=lasso)
        .start(lasso_objective(w))
        .equals(
            norm2(residual(theta)) / 2 - PULL + norm2(MOVE) / 2 + lam * Sum(Abs(w[j]), (j, 1, d)),
            because="two residuals",
            by=using(residuals_apart()),
        )
        .equals(
            norm2(residual(theta)) / 2
            + Sum(theta[j] * dot(a[j], residual(theta)), (j, 1, d))
            + Sum(lam * Abs(w[j]) - w[j] * dot(a[j], residual(theta)), (j, 1, d))
            + norm2(MOVE) / 2,
            because="sort the terms",
        )
        .at_least(
            norm2(residual(theta)) / 2
            + Sum(theta[j] * dot(a[j], residual(theta)), (j, 1, d))
            + norm2(MOVE) / 2,
            because=r"no correlation exceeds $\lambda$",
        )
        .equals(
            lasso_objective(theta) + norm2(MOVE) / 2,
            because="weights that are not zero have the largest correlation",
        )
        .qed()
    )


TWINS = {d: 2, y: [2], a: [[1], [1]], theta: [1, 0], w: [0, 1], lam: 1}


@proves("cor-lasso-fit-unique")
def lasso_fit_is_unique() -> Theorem:
    r"""Derive that all optimal weights of the lasso have the same fit."""
    return (
        Derivation(
            "the fit of the lasso is unique",
            setting=lasso,
            given={"as good": Le(lasso_objective(w), lasso_objective(theta))},
            witness=TWINS,
        )
        .start(fit(w))
        .equals(fit(theta) + MOVE, because="what the weights differ by")
        .equals(
            fit(theta),
            because="other weights are worse by half the squared change of the fit",
            by=using(lasso_optimality()),
        )
        .qed()
    )


BEST_STEP = for_all(t, Ge(norm2(r - t * u) / 2 + lam * Abs(b + t), norm2(r) / 2 + lam * Abs(b)))
STEP = {"least": BEST_STEP}
COLUMN = {"column": Gt(norm2(u), 0)}
RESTING = {u: [1], r: [0], lam: 1, b: 0}
TIGHT = {u: [1], r: [1], lam: 1, b: 1}
forward = reals("c", nonnegative=True)


@proves("lem-lasso-step-up")
def no_step_up_pays() -> Theorem:
    r"""Derive what a step up would gain if the weights are optimal."""
    triangle = (
        Derivation("the triangle inequality", witness={b: 1, forward: 1})
        .start(Abs(b + forward))
        .at_most(Abs(b) + forward)
        .qed()
    )
    loose = (
        Derivation("a step up", given=STEP, witness={**RESTING, forward: 1})
        .start(norm2(r) / 2 + lam * Abs(b))
        .at_most(norm2(r - forward * u) / 2 + lam * Abs(b + forward), by=BEST_STEP.at(forward))
        .at_most(norm2(r - forward * u) / 2 + lam * (Abs(b) + forward), by=using(triangle))
        .equals(
            norm2(r) / 2
            - forward * dot(u, r)
            + forward**2 * norm2(u) / 2
            + lam * (Abs(b) + forward),
            because="expand the square",
        )
        .qed()
    )
    return (
        Derivation("no step up pays", given=STEP, witness={**RESTING, forward: 1})
        .start(forward * (dot(u, r) - lam))
        .equals(forward * dot(u, r) - forward * lam, because="multiply out")
        .at_most(
            forward**2 * norm2(u) / 2,
            because="the price rises by no more than the step",
            by=using(loose),
        )
        .qed()
    )


@proves("thm-lasso-necessary")
def lasso_conditions_are_necessary() -> Theorem:
    r"""Derive that with optimal weights no column is correlated more than lambda."""
    step = (dot(u, r) - lam) / norm2(u)
    steep = (
        Derivation(
            "a steep column",
            given={**STEP, **COLUMN, "steep": Ge(dot(u, r), lam)},
            witness=TIGHT,
        )
        .start(step * (dot(u, r) - lam))
        .at_most(step**2 * norm2(u) / 2, by=no_step_up_pays()(c=step))
        .qed()
    )
    return (
        Derivation("no column is steeper than the price", given={**STEP, **COLUMN}, witness=RESTING)
        .start(dot(u, r))
        .at_most(
            lam,
            because=r"otherwise a step of $(\langle u,r\rangle-\lambda)/\lVert u\rVert^2$ pays",
            by=cases((Ge(dot(u, r), lam), using(steep)), (Le(dot(u, r), lam), None)),
        )
        .qed()
    )


BEGUN = {"begun": Gt(b, 0)}


@proves("lem-lasso-step-down")
def no_step_down_pays() -> Theorem:
    r"""Derive what a step towards zero would gain if the weights are optimal."""
    within = {"within": Le(forward, b)}
    loose = (
        Derivation("a step down", given={**STEP, **within}, witness={**RESTING, forward: 0})
        .start(norm2(r) / 2 + lam * Abs(b))
        .at_most(norm2(r + forward * u) / 2 + lam * Abs(b - forward), by=BEST_STEP.at(-forward))
        .equals(norm2(r + forward * u) / 2 + lam * (b - forward))
        .equals(
            norm2(r) / 2 + forward * dot(u, r) + forward**2 * norm2(u) / 2 + lam * (b - forward)
        )
        .qed()
    )
    return (
        Derivation("no step down pays", given={**STEP, **within}, witness={**RESTING, forward: 0})
        .start(forward * (lam - dot(u, r)))
        .equals(forward * lam - forward * dot(u, r), because="multiply out")
        .at_most(
            forward**2 * norm2(u) / 2,
            because="the price falls by as much as the step",
            by=using(loose),
        )
        .qed()
    )


@proves("thm-lasso-tight")
def lasso_weights_are_tight() -> Theorem:
    r"""Derive that the column of a positive optimal weight is correlated by lambda at least."""
    excess, square, weight = reals("gamma rho nu", positive=True)
    some = {excess: 1, square: 1, weight: 1}
    loose = reals("gamma", nonnegative=True)
    step = weight * excess / (excess + weight * square)
    looser = weight * loose / (loose + weight * square)
    short, ahead, gain = (
        Derivation("a short step", witness=some).start(looser).at_most(weight).qed(),
        Derivation("a step", witness=some).start(looser).at_least(0).qed(),
        Derivation("a step that pays", witness=some)
        .start(step * excess - step**2 * square / 2)
        .equals(step * excess * (1 - weight * square / (2 * (excess + weight * square))))
        .greater_than(0)
        .qed(),
    )
    slack = lam - dot(u, r)
    there = b * slack / (slack + b * norm2(u))
    values = {"gamma": slack, "rho": norm2(u), "nu": b}
    given = {**STEP, **COLUMN, **BEGUN}
    bounded = (
        Derivation(
            "what the step gains",
            given={**given, "slack": Ge(slack, 0)},
            witness=TIGHT,
        )
        .start(there * slack)
        .at_most(
            there**2 * norm2(u) / 2,
            by=using(short(**values), ahead(**values), no_step_down_pays()(c=there)),
        )
        .qed()
    )
    return (
        Derivation("no column of a weight is slacker than the price", given=given, witness=TIGHT)
        .start(lam - dot(u, r))
        .at_most(
            0,
            because="otherwise a short step towards zero pays",
            by=cases((Gt(slack, 0), using(bounded, gain(**values))), (Le(slack, 0), None)),
        )
        .qed()
    )


@proves("thm-lasso-gap")
def lasso_gap() -> Theorem:
    r"""Derive a lower bound of the objective of the lasso from any vector."""
    return (
        Derivation(
            "a lower bound of the lasso",
            given={"dual": for_each(j, 1, d, Le(Abs(dot(a[j], u)), lam))},
            witness={d: 1, y: [2], a: [[1]], w: [1], lam: 1, u: [1]},
        )
        .start(lasso_objective(w))
        .at_least(
            norm2(residual(w)) / 2 + Sum(w[j] * dot(a[j], u), (j, 1, d)),
            because=r"no column is correlated with $u$ by more than $\lambda$",
            by=termwise(j),
        )
        .equals(
            norm2(residual(w) - u) / 2 + norm2(y) / 2 - norm2(y - u) / 2,
            because="complete the square",
        )
        .at_least(norm2(y) / 2 - norm2(y - u) / 2, because="a square is not negative")
        .qed()
    )


ORTHONORMAL = {
    "orthonormal": for_each(j, 1, d, for_each(k, 1, d, Eq(dot(a[j], a[k]), KroneckerDelta(j, k)))),
    "from one": Ge(i, 1),
    "member": Le(i, d),
}


@proves("lem-orthonormal-correlation")
def orthonormal_correlation() -> Theorem:
    r"""Derive that with orthonormal columns each weight sees its own column alone."""
    return (
        Derivation(
            "orthonormal columns",
            given=ORTHONORMAL,
            witness={d: 1, a: [[1]], y: [2], theta: [1], i: 1},
        )
        .start(dot(a[i], residual(theta)))
        .equals(
            dot(a[i], y) - Sum(theta[j] * dot(a[i], a[j]), (j, 1, d)),
            because="the inner product is linear",
        )
        .equals(
            dot(a[i], y) - Sum(theta[j] * KroneckerDelta(i, j), (j, 1, d)),
            because="the columns are orthonormal",
        )
        .equals(dot(a[i], y) - theta[i], because="one term is left")
        .qed()
    )


# ---------------------------------------------------------------------- the path

SHARE = {"share from": Ge(t, 0), "share to": Le(t, 1)}
OPTIMAL_THERE = {
    "bounded there": for_each(j, 1, d, Le(Abs(dot(a[j], residual(w))), kappa)),
    "tight there": for_each(j, 1, d, Eq(w[j] * dot(a[j], residual(w)), kappa * Abs(w[j]))),
}
SAME_SIGNS = {
    "signs": for_each(j, 1, d, Eq(w[j] * dot(a[j], residual(theta)), lam * Abs(w[j]))),
    "signs there": for_each(j, 1, d, Eq(theta[j] * dot(a[j], residual(w)), kappa * Abs(theta[j]))),
}
other = real_family("b")
# The price and the weights between the two ends.
MIXED_PRICE = quantity("bar_lambda", is_=(1 - t) * lam + t * kappa)
between = quantity("bar_theta", j, is_=(1 - t) * theta[j] + t * w[j])


def mixed(index: Any) -> Any:
    """Return a weight between those at the two ends."""
    return between[index]


MIXED_FIT = Sum(mixed(j) * a[j], (j, 1, d))
PIECE = {
    d: 1,
    y: [3],
    a: [[1]],
    theta: [1],
    w: [2],
    lam: 2,
    kappa: 1,
    t: half,
}


@proves("lem-mixed-absolute")
def mixed_absolute() -> Theorem:
    r"""Derive that the absolute value of a mean is at most the mean of the absolute values."""
    return (
        Derivation("the triangle inequality", given=SHARE, witness={b: 1, c: 1, t: half})
        .start(Abs((1 - t) * b + t * c))
        .at_most(Abs((1 - t) * b) + Abs(t * c), because="the triangle inequality")
        .equals((1 - t) * Abs(b) + t * Abs(c), because="neither share is negative")
        .qed()
    )


@proves("lem-lasso-between-bounded")
def between_bounded() -> Theorem:
    r"""Derive that between two optimal weights no correlation exceeds the mixed price."""
    return (
        Derivation(
            "correlations between two knots",
            given={
                **OPTIMAL,
                **OPTIMAL_THERE,
                **SHARE,
                "from one": Ge(i, 1),
                "member": Le(i, d),
            },
            witness={**PIECE, i: 1},
        )
        .start(Abs(dot(a[i], y - MIXED_FIT)))
        .equals(
            Abs((1 - t) * dot(a[i], residual(theta)) + t * dot(a[i], residual(w))),
            because="the residual is mixed like the weights",
        )
        .at_most(
            (1 - t) * Abs(dot(a[i], residual(theta))) + t * Abs(dot(a[i], residual(w))),
            because="the triangle inequality",
            by=mixed_absolute()(b=dot(a[i], residual(theta)), c=dot(a[i], residual(w))),
        )
        .at_most(MIXED_PRICE, because="both ends are optimal")
        .qed()
    )


@proves("lem-lasso-between-tight")
def between_tight() -> Theorem:
    r"""Derive that between two optimal weights with the same signs the conditions are tight."""
    price = reals("nu")
    sign = (
        Derivation("a mixed price", given=SHARE, witness={t: half, lam: 1, kappa: 1})
        .start(MIXED_PRICE)
        .at_least(0)
        .qed()
    )
    priced = (
        Derivation(
            "the triangle inequality, priced",
            given={**SHARE, "price": Ge(price, 0)},
            witness={b: 1, c: 1, t: half, price: 1},
        )
        .start(price * ((1 - t) * Abs(b) + t * Abs(c)))
        .at_least(price * Abs((1 - t) * b + t * c), by=using(mixed_absolute()))
        .qed()
    )
    return (
        Derivation(
            "tight between two knots",
            given={
                **OPTIMAL,
                **OPTIMAL_THERE,
                **SAME_SIGNS,
                **SHARE,
                "from one": Ge(i, 1),
                "member": Le(i, d),
            },
            witness={**PIECE, i: 1},
        )
        .start(mixed(i) * dot(a[i], y - MIXED_FIT))
        .equals(
            mixed(i) * ((1 - t) * dot(a[i], residual(theta)) + t * dot(a[i], residual(w))),
            because="the residual is mixed like the weights",
        )
        .equals(
            MIXED_PRICE * ((1 - t) * Abs(theta[i]) + t * Abs(w[i])),
            because="multiply out; the signs fit both ends",
        )
        .at_least(
            MIXED_PRICE * Abs(mixed(i)),
            because="the triangle inequality",
            by=using(sign, priced(b=theta[i], c=w[i], nu=MIXED_PRICE)),
        )
        .qed()
    )


@proves("thm-lasso-path-linear")
def path_is_linear() -> Theorem:
    r"""Derive that the lasso is solved between two solutions whose signs fit each other."""
    rest_between = y - MIXED_FIT
    others = Sum(other[j] * a[j], (j, 1, d))
    capped = (
        Derivation(
            "a weight and its correlation",
            given={
                **OPTIMAL,
                **OPTIMAL_THERE,
                **SHARE,
                "from one": Ge(i, 1),
                "member": Le(i, d),
            },
            witness={**PIECE, i: 1, other: [1]},
        )
        .start(other[i] * dot(a[i], rest_between))
        .at_most(Abs(other[i]) * Abs(dot(a[i], rest_between)))
        .at_most(MIXED_PRICE * Abs(other[i]), by=using(between_bounded()))
        .qed()
    )
    return (
        Derivation(
            "straight between two knots",
            given={**OPTIMAL, **OPTIMAL_THERE, **SAME_SIGNS, **SHARE},
            witness={**PIECE, other: [0]},
        )
        .start(norm2(y - others) / 2 + MIXED_PRICE * Sum(Abs(other[j]), (j, 1, d)))
        .equals(
            norm2(y - others) / 2 + Sum(MIXED_PRICE * Abs(other[j]), (j, 1, d)),
            because="put the price inside",
        )
        .at_least(
            norm2(y - others) / 2 + Sum(other[j] * dot(a[j], rest_between), (j, 1, d)),
            because="no correlation exceeds the mixed price",
            by=termwise(j, by=apply(capped, {i: j})),
        )
        .equals(
            norm2(MIXED_FIT - others) / 2
            + norm2(rest_between) / 2
            + Sum(mixed(j) * dot(a[j], rest_between), (j, 1, d)),
            because="expand the squares around the mixed fit",
        )
        .at_least(
            norm2(MIXED_FIT - others) / 2
            + norm2(rest_between) / 2
            + Sum(MIXED_PRICE * Abs(mixed(j)), (j, 1, d)),
            because="tight between two knots",
            by=termwise(j, by=apply(between_tight(), {i: j})),
        )
        .at_least(
            norm2(rest_between) / 2 + MIXED_PRICE * Sum(Abs(mixed(j)), (j, 1, d)),
            because="a square is not negative",
        )
        .qed()
    )


# ---------------------------------------------------------------------- least angle regression

delta = real_family("delta")
gamma = reals("gamma")
DIRECTION = Sum(delta[j] * a[j], (j, 1, d))


@proves("thm-lars-step")
def lars_step() -> Theorem:
    r"""Derive that on the way of least angle regression active correlations fall together."""
    return (
        Derivation(
            "a step of least angle regression",
            given={
                "correlation": Eq(dot(a[i], residual(theta)), lam * s[i]),
                "direction": Eq(dot(a[i], DIRECTION), s[i]),
            },
            witness={
                d: 1,
                y: [2],
                a: [[1]],
                theta: [1],
                s: [1],
                lam: 1,
                delta: [1],
                gamma: half,
                i: 1,
            },
        )
        .start(dot(a[i], y - Sum((theta[j] + gamma * delta[j]) * a[j], (j, 1, d))))
        .equals(
            dot(a[i], residual(theta)) - gamma * dot(a[i], DIRECTION),
            because="the inner product is linear",
        )
        .equals((lam - gamma) * s[i], because="both are in proportion to the sign")
        .qed()
    )


speed, signed = reals("delta s")


@proves("lem-lars-sign")
def speeds_of_an_event() -> Theorem:
    r"""Derive what the speed of a column is that enters, or was that of one that leaves."""
    return (
        Derivation(
            "the speed of one column",
            given={
                "sign": Eq(signed**2, 1),
                "with": Eq(dot(u + v, r + speed * v), signed),
                "apart": Eq(dot(u, v), 0),
                "others": Eq(dot(r, v), 0),
            },
            witness={u: [1, 0], v: [0, 1], r: [half, 0], speed: half, signed: 1},
        )
        .start(signed * speed * norm2(v))
        .equals(
            signed * (dot(u + v, r + speed * v) - dot(u + v, r)),
            because="the inner product is linear",
        )
        .equals(1 - signed * dot(u + v, r), because="a sign squared is one")
        .qed()
    )


@proves("lem-lasso-misled")
def lasso_is_misled() -> Theorem:
    r"""Derive that a third column can be correlated too much with what two true ones leave."""
    return (
        Derivation(
            "a column that misleads the lasso",
            given={"misleading": Gt(dot(r, u) + dot(r, v), 1)},
            witness={u: [1, 0], v: [0, 1], r: [1, 1], lam: half},
        )
        .start(dot(r, (u + v) - ((1 - lam) * u + (1 - lam) * v)))
        .equals(lam * (dot(r, u) + dot(r, v)), because="the residual of the right two")
        .greater_than(lam, because="the third column resembles both")
        .qed()
    )


# ---------------------------------------------------------------------- variants


@proves("lem-elastic-net")
def elastic_net() -> Theorem:
    r"""Derive that the elastic net is the lasso with rows added."""
    return (
        Derivation(
            "the elastic net",
            given=STACKED,
            witness={
                d: 1,
                y: [2, 0],
                a: [[1, 0]],
                w: [1],
                lam: 1,
                tall: [[1, 1]],
                target: [2, 0],
                kappa: 1,
            },
        )
        .start(norm2(target - Sum(w[j] * tall[j], (j, 1, d))) + kappa * Sum(Abs(w[j]), (j, 1, d)))
        .equals(
            ridge_objective(w) + kappa * Sum(Abs(w[j]), (j, 1, d)),
            because="stacked least squares",
            by=using(ridge_is_stacked_least_squares()),
        )
        .qed()
    )


def sum_objective(weights: Any) -> Any:
    """Return the objective of the lasso where no weight is negative."""
    return norm2(residual(weights)) / 2 + lam * Sum(weights[j], (j, 1, d))


@proves("lem-nonnegative-lasso")
def nonnegative_lasso() -> Theorem:
    r"""Derive when weights that are not negative are optimal among all such weights."""
    return (
        Derivation(
            "the non-negative lasso",
            given={
                "bounded": for_each(j, 1, d, Le(dot(a[j], residual(theta)), lam)),
                "tight": for_each(
                    j, 1, d, Eq(theta[j] * dot(a[j], residual(theta)), lam * theta[j])
                ),
                "feasible": for_each(j, 1, d, Ge(w[j], 0)),
            },
            witness=LASSO_ONE,
        )
        .start(sum_objective(w))
        .equals(
            norm2(residual(theta)) / 2 - PULL + norm2(MOVE) / 2 + lam * Sum(w[j], (j, 1, d)),
            because="two residuals",
            by=using(residuals_apart()),
        )
        .equals(
            norm2(residual(theta)) / 2
            + Sum(theta[j] * dot(a[j], residual(theta)), (j, 1, d))
            + Sum(w[j] * (lam - dot(a[j], residual(theta))), (j, 1, d))
            + norm2(MOVE) / 2,
            because="sort the terms",
        )
        .at_least(
            norm2(residual(theta)) / 2
            + Sum(theta[j] * dot(a[j], residual(theta)), (j, 1, d))
            + norm2(MOVE) / 2,
            because=r"neither factor is negative",
        )
        .at_least(sum_objective(theta), because="tight where a weight is not zero")
        .qed()
    )


# ---------------------------------------------------------------------- pursuit


@proves("thm-pursuit-gain")
def pursuit_gain() -> Theorem:
    r"""Derive how much a new column of length one lowers the squared residual at least."""
    fresh = dot(v, r) / norm2(v)
    return (
        Derivation(
            "a step of matching pursuit",
            given={
                "unit": Eq(norm2(u + v), 1),
                "seen": Eq(dot(u, r), 0),
                "apart": Eq(dot(u, v), 0),
                "new": Gt(norm2(v), 0),
            },
            witness={u: [0, 0], v: [1, 0], r: [1, 1]},
        )
        .start(norm2(r - fresh * v))
        .equals(norm2(r) - dot(v, r) ** 2 / norm2(v), because="take the part along $v$ away")
        .at_most(norm2(r) - dot(v, r) ** 2, because="the new part of a unit vector is not longer")
        .equals(
            norm2(r) - dot(u + v, r) ** 2,
            because="the residual is perpendicular to the rest of the column",
        )
        .qed()
    )


@proves("lem-pursuit-no-repeat")
def no_column_twice() -> Theorem:
    r"""Derive that after a step the residual has no correlation left with the new column."""
    return (
        Derivation(
            "no column twice",
            given={
                "seen": Eq(dot(u, r), 0),
                "apart": Eq(dot(u, v), 0),
                "new": Gt(norm2(v), 0),
            },
            witness={u: [0, 0], v: [1, 0], r: [1, 1]},
        )
        .start(dot(u + v, r - dot(v, r) / norm2(v) * v))
        .equals(dot(u, r) + dot(v, r) - dot(v, r), because="the inner product is linear")
        .equals(0, because="the rest of the column was perpendicular before")
        .qed()
    )


rotation = matrices("H", n, n)
turn = matrices("Q", d, d)


@proves("lem-pursuit-rotated")
def rotated_correlations() -> Theorem:
    r"""Derive that correlations are kept if columns and residual are rotated together."""
    return (
        Derivation(
            "rotate both",
            given={"rotation": Eq(rotation.T * rotation, identity(n))},
            witness={**TWO, rotation: [[0, 1], [1, 0]], g: [[1], [0]]},
        )
        .start((rotation * X).T * (rotation * g))
        .equals(X.T * rotation.T * rotation * g, because="transposing turns the factors")
        .equals(X.T * g, because="a rotation meets its transpose")
        .qed()
    )


@proves("lem-rotation-length")
def rotation_keeps_length() -> Theorem:
    r"""Derive that an orthogonal matrix keeps the length of weights."""
    return (
        Derivation(
            "rotate the weights",
            given={"rotation": Eq(turn.T * turn, identity(d))},
            witness={d: 2, turn: [[0, 1], [1, 0]], truth: [[1], [0]]},
        )
        .start(squared(turn * truth))
        .equals(trace(truth.T * (turn.T * turn) * truth), because="the product is associative")
        .equals(squared(truth), because="a rotation meets its transpose")
        .qed()
    )


power = reals("p", positive=True)


@proves("thm-lp-no-norm")
def below_one_is_no_norm() -> Theorem:
    r"""Derive that below one the sum of two unit vectors is longer than two."""
    return (
        Derivation(
            "the diagonal is too long", given={"below one": Lt(power, 1)}, witness={power: half}
        )
        .start(exp(log(2) / power))
        .greater_than(exp(log(2)), because=r"$1/p>1$, and the exponential rises")
        .equals(2, because="the exponential undoes the logarithm")
        .qed()
    )
