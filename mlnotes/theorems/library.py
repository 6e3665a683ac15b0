"""What several chapters use: inequalities between sums, logarithms and lengths.

Where a chapter tells the proof, the fact is only named here, so that the others find it:
``cauchy_schwarz``, ``exponential_tangent`` and ``log_tangent`` at any point, ``jensen`` for a
convex function, and ``gibbs``.
"""

from __future__ import annotations

from mlnotes.proof import (
    Derivation,
    Eq,
    Expr,
    Ge,
    Gt,
    KroneckerDelta,
    Le,
    Rational,
    Sum,
    Theorem,
    dot,
    for_all,
    function,
    indices,
    integers,
    log,
    matrices,
    norm2,
    positive_semidefinite,
    real_family,
    reals,
    termwise,
    trace,
    vectors,
)
from mlnotes.theorems import proves
from mlnotes.theorems.convex_duality import die_mle
from mlnotes.theorems.convex_duality import exponential_tangent as exponential_tangent
from mlnotes.theorems.convex_duality import jensen as jensen
from mlnotes.theorems.convex_duality import log_tangent as log_tangent
from mlnotes.theorems.maximum_entropy import gibbs as gibbs
from mlnotes.theorems.perceptron import cauchy_schwarz as cauchy_schwarz

i, j, k = indices("i j k")
n, d, K = integers("n d K", positive=True)
u, v, w, c = vectors("u v w c")
s, t, a, b = reals("s t a b")
L, x, y, A = reals("L x y A", positive=True)
p, q, alpha, beta = real_family("p q alpha beta", positive=True)
f = real_family("f", nonnegative=True)

FIRST = {k: 1, n: 2, f: [1, 0]}
EVEN = [Rational(1, 2), Rational(1, 2)]


@proves("lem-library-one-term")
def one_term() -> Theorem:
    """Derive that a term is at most a sum of terms that are not negative."""
    return (
        Derivation("one term", given={"member": Le(k, n), "from one": Ge(k, 1)}, witness=FIRST)
        .start(Sum(f[i], (i, 1, n)))
        .at_least(
            Sum(KroneckerDelta(i, k) * f[i], (i, 1, n)),
            "leave out what is not negative",
            by=termwise(i),
        )
        .equals(f[k], "one term is left")
        .qed()
    )


@proves("lem-library-parallelogram")
def parallelogram() -> Theorem:
    """Derive the law of the parallelogram."""
    return (
        Derivation("the law of the parallelogram")
        .start(norm2(u + v) + norm2(u - v))
        .equals(2 * norm2(u) + 2 * norm2(v), "the products cancel")
        .qed()
    )


@proves("lem-library-convex-combination")
def convex_combination() -> Theorem:
    """Derive by how much the square of a mean of two vectors is below the mean of the squares."""
    return (
        Derivation("the square of a mean")
        .start(norm2((1 - t) * u + t * v))
        .equals((1 - t) * norm2(u) + t * norm2(v) - t * (1 - t) * norm2(u - v), "expand")
        .qed()
    )


@proves("lem-library-completing-the-square")
def completing_the_square() -> Theorem:
    r"""Derive that a quadratic function of a vector is a square and a number."""
    return (
        Derivation("completing the square")
        .start(L * norm2(w) + 2 * dot(c, w))
        .equals(L * norm2(w + c / L) - norm2(c) / L, "expand the square")
        .qed()
    )


TOTALS = [Sum(alpha[k], (k, 1, n)), Sum(beta[k], (k, 1, n))]


@proves("lem-library-log-sum")
def log_sum() -> Theorem:
    """Derive the log-sum inequality."""
    ratio = TOTALS[0] / TOTALS[1]
    return (
        Derivation("the log-sum inequality")
        .start(Sum(alpha[k] * log(alpha[k] / beta[k]), (k, 1, n)))
        .equals(
            TOTALS[0] * log(ratio) + Sum(alpha[k] * log(alpha[k] / (beta[k] * ratio)), (k, 1, n)),
            "take out the logarithm of the ratio of the sums",
        )
        .at_least(
            TOTALS[0] * log(ratio) + Sum(alpha[k] - beta[k] * ratio, (k, 1, n)),
            r"the logarithm lies below its tangent at one",
            by=termwise(k, by=log_tangent()(p=1, q=beta[k] * ratio / alpha[k])),
        )
        .equals(TOTALS[0] * log(ratio), "the sum vanishes")
        .qed()
    )


@proves("lem-library-jensen-log")
def jensen_log() -> Theorem:
    r"""Derive Jensen's inequality for the logarithm of a finite mean."""
    mean = Sum(p[k] * alpha[k], (k, 1, n))
    return (
        Derivation(
            "Jensen's inequality for the logarithm",
            given={"total": Eq(Sum(p[k], (k, 1, n)), 1), "mean": Eq(mean, A)},
            witness={n: 2, p: EVEN, alpha: [1, 3], A: 2},
        )
        .start(Sum(p[k] * log(alpha[k]), (k, 1, n)))
        .at_most(
            Sum(p[k] * (log(A) + (alpha[k] - A) / A), (k, 1, n)),
            "the logarithm lies below its tangent at the mean",
            by=termwise(k, by=log_tangent()(p=A, q=alpha[k])),
        )
        .equals(log(A), "the weights sum to one, the numbers to their mean")
        .qed()
    )


theta, x_ = real_family("theta x", positive=True)
S = reals("S", positive=True)


@proves("lem-library-counts")
def counts() -> Theorem:
    """Derive that shares in proportion to counts are the most likely ones."""
    return (
        Derivation(
            "the most likely shares",
            given=[Le(Sum(theta[k], (k, 1, K)), 1), Eq(Sum(x_[k], (k, 1, K)), S)],
            witness={K: 2, theta: EVEN, x_: [1, 3], S: 4},
        )
        .start(Sum(x_[k] * log(theta[k]), (k, 1, K)))
        .at_most(
            Sum(x_[k] * log(x_[k] / S), (k, 1, K)),
            "the most likely die",
            by=die_mle()(pi=theta, N=x_),
        )
        .qed()
    )


F = function("f", of="vector")
G = function("g", of="vector", to="vector")
SMOOTH = for_all((u, v), Le(F(v), F(u) + dot(G(u), v - u) + L / 2 * norm2(v - u)))
HALF_SQUARE = {F: lambda w: norm2(w) / 2, G: lambda w: w, L: 1, w: [1]}


@proves("lem-library-descent")
def descent() -> Theorem:
    r"""Derive how much a gradient step of length $1/L$ gains on a function with curvature $L$."""
    return (
        Derivation("the descent lemma", given={"smooth": SMOOTH}, witness=HALF_SQUARE)
        .start(F(w - G(w) / L))
        .at_most(
            F(w) - dot(G(w), G(w) / L) + L / 2 * norm2(G(w) / L),
            "the bound at $w$, for the point after the step",
            by=SMOOTH.at(w, w - G(w) / L),
        )
        .equals(F(w) - norm2(G(w)) / (2 * L), "collect")
        .qed()
    )


M = matrices("A", d, d)
g, h = matrices("g h", d, 1)


def form(a: Expr, b: Expr) -> Expr:
    """Return the inner product of two columns in the metric of a matrix."""
    return trace(a.T * M * b)


METRIC = positive_semidefinite(M)
PLANE = {M: [[2, 0], [0, 1]], g: [1, 0], h: [1, 1], d: 2}
NAMED = {"square": Eq(b, form(h, h)), "product": Eq(a, form(g, h)), "positive": Gt(b, 0)}


@proves("lem-library-metric-square")
def metric_square() -> Theorem:
    r"""Derive the square, in a metric, of what $g$ has apart from its projection on $h$."""
    apart = b * g - a * h
    return (
        Derivation(
            "a square in a metric", given={"metric": METRIC, **NAMED}, witness={**PLANE, a: 2, b: 3}
        )
        .start(form(apart, apart))
        .equals(
            b**2 * form(g, g) - a * b * form(g, h) - a * b * form(h, g) + a**2 * form(h, h),
            "expand",
        )
        .equals(b * (b * form(g, g) - a**2), "the matrix is symmetric")
        .qed()
    )


@proves("lem-library-metric-cauchy-schwarz")
def metric_cauchy_schwarz() -> Theorem:
    r"""Derive the inequality of Cauchy and Schwarz in the metric of a matrix."""
    product, square = form(g, h), form(h, h)
    apart = square * g - product * h
    return (
        Derivation(
            "Cauchy–Schwarz in a metric",
            given={"metric": METRIC, "positive": Gt(square, 0)},
            witness=PLANE,
        )
        .start(product**2)
        .equals(
            form(g, g) * square - form(apart, apart) / square,
            "what $g$ has apart from its projection on $h$",
            by=metric_square()(a=product, b=square),
        )
        .at_most(form(g, g) * square, "a square is not negative", by=METRIC.at(apart))
        .qed()
    )
