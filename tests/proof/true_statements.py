"""True textbook steps, each with the rule an author would name where one is needed."""

from __future__ import annotations

from typing import Any

from claims import Claim, Gradient

from mlnotes.proof import (
    Abs,
    Eq,
    Ge,
    Gt,
    Implies,
    Integral,
    KroneckerDelta,
    Le,
    Lt,
    Max,
    Min,
    Ne,
    Or,
    Product,
    Rational,
    Sum,
    derivative,
    dot,
    eigenbasis,
    exp,
    expectation,
    for_all,
    for_each,
    function,
    identity,
    independent,
    independent_family,
    indicator,
    indices,
    integers,
    integrable,
    inverse,
    invertible,
    log,
    logdet,
    matrices,
    minimised_at,
    monotone,
    norm,
    norm2,
    points,
    positive_definite,
    probability,
    random_family,
    random_matrices,
    random_variables,
    real_family,
    reals,
    second_order,
    sqrt,
    termwise,
    trace,
    using,
    vector_family,
    vectors,
    zeros,
)

TRUE: list[Claim] = []
CANNOT: list[Claim] = []


def true(
    name: str,
    left: Any,
    operator: str,
    right: Any,
    *,
    given: list[Any] | None = None,
    witness: dict[Any, Any] | None = None,
    by: Any = None,
    chapter: str = "",
) -> None:
    TRUE.append(Claim(name, left, operator, right, given or [], witness, [], by, chapter))


def cannot(name: str, left: Any, operator: str, right: Any, **options: Any) -> None:
    """Note a true statement that the engine cannot prove yet."""
    chapter = options.pop("chapter", "")
    CANNOT.append(Claim(name, left, operator, right, source=chapter, **options))


half, third, quarter = Rational(1, 2), Rational(1, 3), Rational(1, 4)

theta, star, x, z, u, v, w = vectors("theta star x z u v w")
a, b, c, e, f, g, m, q, s, t, y = reals("a b c e f g m q s t y")
bias, lam, xi = reals("bias lam xi")
A0, B0, C0, D0, R, gamma, rho, sigma, tau = reals(
    "A0 B0 C0 D0 R gamma rho sigma tau", positive=True
)
n, k, d, K = integers("n k d K", positive=True)
i, j, r = indices("i j r")
xs, zs = vector_family("xs zs")
al, be, ys, hs, es, rs = real_family("al be ys hs es rs")
ps, qs, ws, vs = real_family("ps qs ws vs", positive=True)
A, B, C = matrices("A B C", n, n)
G = matrices("G", n, n, symmetric=True)
X = matrices("X", n, d)
Y = matrices("Y", n, 1)
beta = matrices("beta", d, 1)
S, T = random_variables("S T")
Xi = random_family("Xi")
E, P = expectation, probability

signs = [Eq(y**2, 1)]
unit = [Ge(q, 0), Le(q, 1)]
inside = [Gt(q, 0), Lt(q, 1)]
mean = Sum(xs[j], (j, 1, n)) / n
total = Sum(ps[i], (i, 1, n))
mass = Sum(ws[j], (j, 1, n))

# Inner products

true(
    "expand the square of an update",
    norm2(theta + y * x),
    "==",
    norm2(theta) + 2 * y * dot(theta, x) + norm2(x),
    given=signs,
    witness={y: 1, theta: (1, 0), x: (1, 1)},
    chapter="perceptron",
)
true(
    "an update raises the margin",
    y * dot(theta + y * x, x),
    "==",
    y * dot(theta, x) + norm2(x),
    given=signs,
    witness={y: -1, theta: (1, 0), x: (1, 1)},
    chapter="perceptron",
)
true("parallelogram law", norm2(u + v) + norm2(u - v), "==", 2 * norm2(u) + 2 * norm2(v))
true("polarisation", dot(u, v), "==", (norm2(u + v) - norm2(u - v)) / 4)
true(
    "Pythagoras",
    norm2(u + v),
    "==",
    norm2(u) + norm2(v),
    given=[Eq(dot(u, v), 0)],
    witness={u: (1, 0), v: (0, 2)},
    chapter="least_squares",
)
true(
    "length of a residual",
    norm2(u - dot(u, v) * v),
    "==",
    norm2(u) - dot(u, v) ** 2,
    given=[Eq(norm2(v), 1)],
    witness={u: (1, 2), v: (1, 0)},
    chapter="principal_components",
)
true(
    "residual orthogonal to its direction",
    dot(u - dot(u, v) * v, v),
    "==",
    0,
    given=[Eq(norm2(v), 1)],
    witness={u: (1, 2), v: (1, 0)},
    chapter="beyond_pca",
)
true(
    "perceptron growth",
    norm2(theta + y * x),
    "<=",
    norm2(theta) + R**2,
    given=[Eq(y**2, 1), Le(y * dot(theta, x), 0), Le(norm2(x), R**2)],
    witness={y: 1, theta: (1, 0), x: (-1, 1), R: 2},
    chapter="perceptron",
)
true(
    "perceptron progress",
    dot(theta + y * x, star),
    ">=",
    dot(theta, star) + gamma,
    given=[Ge(y * dot(x, star), gamma)],
    witness={y: 1, theta: (0, 0), x: (1, 1), star: (1, 0), gamma: half},
    chapter="perceptron",
)
true("Cauchy-Schwarz", dot(u, v) ** 2, "<=", norm2(u) * norm2(v))
true("Cauchy-Schwarz with norms", dot(u, v), "<=", norm(u) * norm(v))
true("Cauchy-Schwarz for the absolute value", Abs(dot(u, v)), "<=", norm(u) * norm(v))
true("triangle inequality", norm(u + v), "<=", norm(u) + norm(v))
true("reverse triangle inequality", norm(u) - norm(v), "<=", norm(u - v))
true("triangle inequality squared", norm2(u + v), "<=", (norm(u) + norm(v)) ** 2)
true("square of a sum of two vectors", norm2(u + v), "<=", 2 * norm2(u) + 2 * norm2(v))
true("inner product below the mean square", 2 * dot(u, v), "<=", norm2(u) + norm2(v))
true("Young with a weight", 2 * dot(u, v), "<=", tau * norm2(u) + norm2(v) / tau)
true(
    "Bessel for two vectors",
    dot(w, u) ** 2 + dot(w, v) ** 2,
    "<=",
    norm2(w),
    given=[Eq(norm2(u), 1), Eq(norm2(v), 1), Eq(dot(u, v), 0)],
    witness={u: (1, 0), v: (0, 1), w: (1, 1)},
    by=using(Ge(norm2(w - dot(w, u) * u - dot(w, v) * v), 0)),
    chapter="principal_components",
)
true(
    "projection shortens",
    norm2(u - dot(u, v) * v),
    "<=",
    norm2(u),
    given=[Eq(norm2(v), 1)],
    witness={u: (1, 2), v: (1, 0)},
)
true(
    "a squared norm is convex",
    norm2(q * u + (1 - q) * v),
    "<=",
    q * norm2(u) + (1 - q) * norm2(v),
    given=unit,
    witness={q: third, u: (1, 0), v: (0, 2)},
    chapter="convex_duality",
)
true(
    "strong convexity of a squared norm",
    norm2(q * u + (1 - q) * v),
    "==",
    q * norm2(u) + (1 - q) * norm2(v) - q * (1 - q) * norm2(u - v),
    chapter="convex_duality",
)
true("first-order bound of a squared norm", norm2(v), ">=", norm2(u) + 2 * dot(u, v - u))
true("three points", norm2(x - z), "==", norm2(x - w) + norm2(w - z) + 2 * dot(x - w, w - z))
true(
    "two steps at most double the squared distance",
    norm2(x - z),
    "<=",
    2 * norm2(x - w) + 2 * norm2(w - z),
    by=using(Ge(norm2((x - w) - (w - z)), 0)),
    chapter="clustering",
)
true(
    "Novikoff",
    k * gamma**2,
    "<=",
    R**2,
    given=[Ge(dot(theta, star), k * gamma), Le(norm2(theta), k * R**2), Eq(norm2(star), 1)],
    witness={k: 1, gamma: 1, R: 1, theta: (1,), star: (1,)},
    chapter="perceptron",
)
true(
    "distance to a hyperplane",
    Abs(dot(w, x) + bias),
    "<=",
    norm(w) * norm(x - z),
    given=[Eq(dot(w, z) + bias, 0)],
    witness={w: (1, 0), x: (2, 3), z: (1, 0), bias: -1},
    by=using(Eq(dot(w, x) + bias, dot(w, x - z)), Le(Abs(dot(w, x - z)), norm(w) * norm(x - z))),
    chapter="support_vector_machines",
)
true(
    "bounded inner product",
    dot(u, v),
    "<=",
    R**2,
    given=[Le(norm2(u), R**2), Le(norm2(v), R**2)],
    witness={u: (1,), v: (1,), R: 1},
    chapter="kernels",
)
true(
    "quadratic kernel",
    (1 + dot(x, z)) ** 2,
    "==",
    1 + 2 * dot(x, z) + dot(x, z) ** 2,
    chapter="kernels",
)
true("kernel distance", norm2(x - z), "==", norm2(x) - 2 * dot(x, z) + norm2(z), chapter="kernels")
true(
    "Gaussian kernel as a product",
    exp(-norm2(x - z) / (2 * tau)),
    "==",
    exp(-norm2(x) / (2 * tau)) * exp(-norm2(z) / (2 * tau)) * exp(dot(x, z) / tau),
    chapter="kernels",
)
true("Gaussian kernel below one", exp(-norm2(x - z) / (2 * tau)), "<=", 1, chapter="kernels")
true(
    "perpendicular bisector",
    norm2(x - u) - norm2(x - v),
    "==",
    2 * dot(v - u, x) + norm2(u) - norm2(v),
    chapter="nearest_neighbours",
)
true(
    "cone of the separator",
    dot(theta, star),
    "<=",
    norm(theta),
    given=[Eq(norm2(star), 1)],
    witness={theta: (1, 1), star: (1, 0)},
    chapter="perceptron",
)
true(
    "the hinge lies above its tangent",
    Max(0, 1 - y * dot(w + u, x)),
    ">=",
    1 - y * dot(w, x) - y * dot(u, x),
    chapter="support_vector_machines",
)
true(
    "gradient step on a quadratic",
    norm2(w - t * w),
    "<=",
    norm2(w),
    given=[Ge(t, 0), Le(t, 2)],
    witness={w: (1, 2), t: 1},
    chapter="gradient_descent",
)
true("descent along the negative gradient", dot(u, -gamma * u), "<=", 0, chapter="gradient_descent")
true(
    "distance to the optimum after a step",
    norm2(w - tau * g * u - z),
    "==",
    norm2(w - z) - 2 * tau * g * dot(u, w - z) + tau**2 * g**2 * norm2(u),
    chapter="gradient_descent",
)

# Sums over a sample

true(
    "linearity",
    Sum(al[i] + c * be[i], (i, 1, n)),
    "==",
    Sum(al[i], (i, 1, n)) + c * Sum(be[i], (i, 1, n)),
)
true("constant summed", Sum(c, (i, 0, n)), "==", (n + 1) * c)
true(
    "variance of a sample",
    Sum((al[i] - Sum(al[j], (j, 1, n)) / n) ** 2, (i, 1, n)),
    "==",
    Sum(al[i] ** 2, (i, 1, n)) - Sum(al[i], (i, 1, n)) ** 2 / n,
)
true(
    "pairwise squares",
    Sum((al[i] - al[j]) ** 2, (i, 1, n), (j, 1, n)),
    "==",
    2 * n * Sum(al[i] ** 2, (i, 1, n)) - 2 * Sum(al[i], (i, 1, n)) ** 2,
)
true(
    "within-cluster scatter",
    Sum(norm2(xs[i] - xs[j]), (i, 1, n), (j, 1, n)),
    "==",
    2 * n * Sum(norm2(xs[i] - mean), (i, 1, n)),
    chapter="clustering",
)
true(
    "scatter about another centre",
    Sum(norm2(xs[i] - u), (i, 1, n)),
    "==",
    Sum(norm2(xs[i] - mean), (i, 1, n)) + n * norm2(mean - u),
    chapter="clustering",
)
true(
    "delta picks the diagonal",
    Sum(KroneckerDelta(i, j) * al[i] * be[j], (i, 1, n), (j, 1, n)),
    "==",
    Sum(al[i] * be[i], (i, 1, n)),
)
true(
    "norm of a combination",
    norm2(Sum(al[i] * ys[i] * xs[i], (i, 1, n))),
    "==",
    Sum(al[i] * al[j] * ys[i] * ys[j] * dot(xs[i], xs[j]), (i, 1, n), (j, 1, n)),
    chapter="support_vector_machines",
)
combination = Sum(al[i] * ys[i] * xs[i], (i, 1, n))
true(
    "Lagrangian of the hard margin",
    norm2(combination) / 2
    - Sum(al[i] * (ys[i] * (dot(combination.xreplace({i: j}), xs[i]) + bias) - 1), (i, 1, n)),
    "==",
    Sum(al[i], (i, 1, n)) - norm2(combination) / 2,
    given=[Eq(Sum(al[i] * ys[i], (i, 1, n)), 0)],
    witness={n: 2, al: [1, 1], ys: [1, -1], xs: [(1, 0), (0, 1)], bias: 3},
    chapter="support_vector_machines",
)
true(
    "order of summation",
    Sum(al[i] * be[j] * dot(xs[i], zs[j]), (i, 1, n), (j, 1, K)),
    "==",
    dot(Sum(al[i] * xs[i], (i, 1, n)), Sum(be[j] * zs[j], (j, 1, K))),
)
true("residuals of a mean", Sum(al[i] - Sum(al[j], (j, 1, n)) / n, (i, 1, n)), "==", 0)
true(
    "errors from the edge",
    Sum(ws[i] * (1 - ys[i] * hs[i]) / 2, (i, 1, n)),
    "==",
    (1 - Sum(ws[i] * ys[i] * hs[i], (i, 1, n))) / 2,
    given=[Eq(Sum(ws[i], (i, 1, n)), 1)],
    witness={n: 2, ws: [half, half], ys: [1, -1], hs: [1, 1]},
    chapter="adaboost",
)
true(
    "mean minimises squares",
    Sum(norm2(xs[i] - mean), (i, 1, n)),
    "<=",
    Sum(norm2(xs[i] - u), (i, 1, n)),
    by=using(
        Eq(
            Sum(norm2(xs[i] - u), (i, 1, n)),
            Sum(norm2(xs[i] - mean), (i, 1, n)) + n * norm2(mean - u),
        )
    ),
    chapter="clustering",
)
true(
    "bounded norms add up",
    Sum(norm2(xs[i]), (i, 1, n)),
    "<=",
    n * R**2,
    given=[for_each(i, 1, n, Le(norm2(xs[i]), R**2))],
    witness={n: 2, xs: [(1,), (0,)], R: 1},
    chapter="perceptron",
)
true(
    "termwise comparison",
    Sum(al[i], (i, 1, n)),
    "<=",
    Sum(be[i], (i, 1, n)),
    given=[for_each(i, 1, n, Le(al[i], be[i]))],
    witness={n: 2, al: [0, 1], be: [1, 1]},
    by=termwise(i),
)
true(
    "weighted termwise comparison",
    Sum(ws[i] * al[i], (i, 1, n)),
    "<=",
    Sum(ws[i] * be[i], (i, 1, n)),
    given=[for_each(i, 1, n, Le(al[i], be[i]))],
    witness={n: 2, ws: [1, 2], al: [0, 1], be: [1, 1]},
    by=termwise(i),
)
true(
    "0-1 loss below the exponential loss",
    Sum(indicator(Le(al[i], 0)), (i, 1, n)),
    "<=",
    Sum(exp(-al[i]), (i, 1, n)),
    by=termwise(i),
    chapter="adaboost",
)
true(
    "0-1 loss below the hinge",
    Sum(indicator(Le(al[i], 0)), (i, 1, n)),
    "<=",
    Sum(Max(0, 1 - al[i]), (i, 1, n)),
    by=termwise(i),
    chapter="support_vector_machines",
)
true(
    "products below squares",
    Sum(al[i] * be[i], (i, 1, n)),
    "<=",
    Sum((al[i] ** 2 + be[i] ** 2) / 2, (i, 1, n)),
    by=termwise(i),
)
true(
    "sum of absolute values",
    Sum(al[i], (i, 1, n)),
    "<=",
    Sum(Abs(al[i]), (i, 1, n)),
    by=termwise(i),
)
true("a sum of squares", Sum(al[i] ** 2, (i, 1, n)), ">=", 0)
true(
    "a weighted mean stays below its bound",
    Sum(ps[i] * al[i], (i, 1, n)),
    "<=",
    c,
    given=[for_each(i, 1, n, Le(al[i], c)), Eq(total, 1)],
    witness={n: 2, ps: [half, half], al: [0, 1], c: 1},
)
true(
    "square of a weighted mean",
    Sum(ps[i] * al[i], (i, 1, n)) ** 2,
    "<=",
    Sum(ps[i] * al[i] ** 2, (i, 1, n)),
    given=[Eq(total, 1)],
    witness={n: 2, ps: [half, half], al: [0, 1]},
)
true(
    "mean square above squared mean",
    Sum(al[i], (i, 1, n)) ** 2,
    "<=",
    n * Sum(al[i] ** 2, (i, 1, n)),
)
true(
    "Cauchy-Schwarz for sums",
    Sum(al[i] * be[i], (i, 1, n)) ** 2,
    "<=",
    Sum(al[i] ** 2, (i, 1, n)) * Sum(be[i] ** 2, (i, 1, n)),
)
true(
    "Markov on a finite law",
    Sum(ps[i] * indicator(Ge(al[i], t)), (i, 1, n)),
    "<=",
    Sum(ps[i] * al[i] / t, (i, 1, n)),
    given=[for_each(i, 1, n, Ge(al[i], 0)), Gt(t, 0)],
    witness={n: 2, ps: [half, half], al: [0, 2], t: 1},
    by=termwise(i),
    chapter="concentration",
)
true(
    "Chebyshev on a finite law",
    Sum(ps[i] * indicator(Ge(Abs(al[i] - c), t)), (i, 1, n)),
    "<=",
    Sum(ps[i] * (al[i] - c) ** 2 / t**2, (i, 1, n)),
    given=[Gt(t, 0)],
    witness={n: 2, ps: [half, half], al: [0, 2], t: 1, c: 1},
    by=termwise(i),
    chapter="concentration",
)
true(
    "training error below the exponential bound",
    Sum(ps[i] * indicator(Le(ys[i] * hs[i], 0)), (i, 1, n)),
    "<=",
    Sum(ps[i] * exp(-ys[i] * hs[i]), (i, 1, n)),
    by=termwise(i),
    chapter="adaboost",
)
true(
    "dual constraint used twice",
    Sum(al[i] * ys[i] * (c + hs[i]), (i, 1, n)),
    "==",
    Sum(al[i] * ys[i] * hs[i], (i, 1, n)),
    given=[Eq(Sum(al[i] * ys[i], (i, 1, n)), 0)],
    witness={n: 2, al: [1, 1], ys: [1, -1], hs: [2, 3], c: 5},
    chapter="support_vector_machines",
)
true(
    "soft assignments sum to the sample size",
    Sum(ws[i], (i, 1, n)) * 0 + Sum(c * ps[i], (i, 1, n)),
    "==",
    c,
    given=[Eq(total, 1)],
    witness={n: 2, ps: [half, half], ws: [1, 1], c: 3},
)
true(
    "distance to a convex combination",
    norm2(x - Sum(ps[i] * xs[i], (i, 1, n))),
    "==",
    Sum(ps[i] * norm2(x - xs[i]), (i, 1, n))
    - Sum(ps[i] * norm2(xs[i] - Sum(ps[j] * xs[j], (j, 1, n))), (i, 1, n)),
    given=[Eq(total, 1)],
    witness={n: 2, ps: [half, half], xs: [(0,), (2,)], x: (1,)},
    chapter="bagging_and_forests",
)
true(
    "ambiguity decomposition bounds the ensemble",
    norm2(x - Sum(ps[i] * xs[i], (i, 1, n))),
    "<=",
    Sum(ps[i] * norm2(x - xs[i]), (i, 1, n)),
    given=[Eq(total, 1)],
    witness={n: 2, ps: [half, half], xs: [(0,), (2,)], x: (1,)},
    chapter="bagging_and_forests",
)
true(
    "normal equation of a slope",
    Sum((ys[i] - c * al[i]) * al[i], (i, 1, n)),
    "==",
    0,
    given=[
        Gt(Sum(al[i] ** 2, (i, 1, n)), 0),
        Eq(c * Sum(al[i] ** 2, (i, 1, n)), Sum(ys[i] * al[i], (i, 1, n))),
    ],
    witness={n: 1, ys: [2], al: [1], c: 2},
    chapter="least_squares",
)
true(
    "squared residuals at the least-squares slope",
    Sum((ys[i] - c * al[i]) ** 2, (i, 1, n)),
    "<=",
    Sum((ys[i] - b * al[i]) ** 2, (i, 1, n)),
    given=[Eq(c * Sum(al[i] ** 2, (i, 1, n)), Sum(ys[i] * al[i], (i, 1, n)))],
    witness={n: 1, ys: [2], al: [1], c: 2, b: 0},
    chapter="least_squares",
)

# Products

true("product of exponentials", Product(exp(al[i]), (i, 1, n)), "==", exp(Sum(al[i], (i, 1, n))))
true(
    "logarithm of a product",
    log(Product(ws[i], (i, 1, n))),
    "==",
    Sum(log(ws[i]), (i, 1, n)),
    chapter="naive_bayes",
)
true(
    "product of a constant", Product(C0 * ws[i], (i, 1, n)), "==", C0**n * Product(ws[i], (i, 1, n))
)
true(
    "product of complements",
    Product(1 - es[i], (i, 1, n)),
    "<=",
    Product(exp(-es[i]), (i, 1, n)),
    given=[for_each(i, 1, n, Le(es[i], 1))],
    witness={n: 2, es: [0, half]},
    by=termwise(i),
    chapter="pac_learning",
)
true(
    "AdaBoost bound",
    Product(sqrt(1 - 4 * es[i] ** 2), (i, 1, n)),
    "<=",
    Product(exp(-2 * es[i] ** 2), (i, 1, n)),
    given=[for_each(i, 1, n, Le(4 * es[i] ** 2, 1))],
    witness={n: 1, es: [quarter]},
    by=termwise(i),
    chapter="adaboost",
)
true(
    "product of probabilities",
    Product(es[i], (i, 1, n)),
    "<=",
    Product(Max(es[i], 1), (i, 1, n)),
    given=[for_each(i, 1, n, Ge(es[i], 0)), for_each(i, 1, n, Le(es[i], 1))],
    witness={n: 2, es: [half, 1]},
    by=termwise(i),
)
true(
    "Gaussian likelihood",
    -log(Product(exp(-(rs[i] ** 2) / (2 * sigma**2)) / sigma, (i, 1, n))),
    "==",
    Sum(rs[i] ** 2, (i, 1, n)) / (2 * sigma**2) + n * log(sigma),
    chapter="least_squares",
)
true(
    "Bernoulli likelihood",
    log(Product(A0 ** ys[i] * B0 ** (1 - ys[i]), (i, 1, n))),
    "==",
    Sum(ys[i], (i, 1, n)) * log(A0) + (n - Sum(ys[i], (i, 1, n))) * log(B0),
    chapter="naive_bayes",
)

# Means

true("arithmetic above geometric mean", sqrt(A0 * B0), "<=", (A0 + B0) / 2)
true("product below the squared mean", a * b, "<=", ((a + b) / 2) ** 2)
true("three squares", a * b + b * c + c * a, "<=", a**2 + b**2 + c**2)
true("arithmetic above geometric mean of three", 3 * A0 * B0 * C0, "<=", A0**3 + B0**3 + C0**3)
true("sum times sum of reciprocals", (A0 + B0) * (1 / A0 + 1 / B0), ">=", 4)
true("a number and its reciprocal", A0 + 1 / A0, ">=", 2)
true("harmonic below geometric mean", 2 * A0 * B0 / (A0 + B0), "<=", sqrt(A0 * B0))
true("square of a mean", ((a + b) / 2) ** 2, "<=", (a**2 + b**2) / 2)
true("Nesbitt", A0 / (B0 + C0) + B0 / (A0 + C0) + C0 / (A0 + B0), ">=", Rational(3, 2))
true("Cauchy-Schwarz in the plane", (a * c + b * e) ** 2, "<=", (a**2 + b**2) * (c**2 + e**2))
true("Titu", (a + b) ** 2 / (A0 + B0), "<=", a**2 / A0 + b**2 / B0)
true("Young with exponent three", A0 * B0**2, "<=", A0**3 / 3 + 2 * B0**3 / 3)
true("root of a sum", sqrt(A0 + B0), "<=", sqrt(A0) + sqrt(B0))
true("mean of roots", (sqrt(A0) + sqrt(B0)) / 2, "<=", sqrt((A0 + B0) / 2))
true("variance of a coin", q * (1 - q), "<=", quarter, chapter="concentration")
true("Bernoulli for a square", (1 + a) ** 2, ">=", 1 + 2 * a)
true(
    "union of two events",
    1 - (1 - q) * (1 - s),
    "<=",
    q + s,
    given=[Ge(q, 0), Ge(s, 0)],
    witness={q: half, s: half},
    chapter="pac_learning",
)
true(
    "Bernoulli's inequality for cubes",
    (1 + a) ** 3,
    ">=",
    1 + 3 * a,
    given=[Ge(a, -1)],
    witness={a: 0},
)
true(
    "variance of correlated voters",
    sigma**2 / n + (n - 1) * rho * sigma**2 / n,
    "==",
    (1 - rho) * sigma**2 / n + rho * sigma**2,
    chapter="bagging_and_forests",
)
true(
    "correlation limits averaging",
    rho * sigma**2,
    "<=",
    (1 - rho) * sigma**2 / n + rho * sigma**2,
    given=[Le(rho, 1)],
    witness={rho: half, sigma: 1, n: 3},
    chapter="bagging_and_forests",
)
true(
    "density gain",
    t**2 / A0 + (1 - t) ** 2 / (1 - A0),
    "==",
    1 + (t - A0) ** 2 / (A0 * (1 - A0)),
    given=[Lt(A0, 1)],
    witness={A0: half, t: quarter},
    chapter="density_estimation",
)
true(
    "a density split never loses",
    t**2 / A0 + (1 - t) ** 2 / (1 - A0),
    ">=",
    1,
    given=[Lt(A0, 1)],
    witness={A0: half, t: quarter},
    chapter="density_estimation",
)
true(
    "nearest neighbour error",
    1 - q**2 - (1 - q) ** 2,
    "==",
    2 * q * (1 - q),
    chapter="nearest_neighbours",
)
true(
    "Cover and Hart for two classes",
    1 - q**2 - (1 - q) ** 2,
    "<=",
    2 * Min(q, 1 - q),
    given=unit,
    witness={q: third},
    chapter="nearest_neighbours",
)
true(
    "Bayes error below the neighbour error",
    Min(q, 1 - q),
    "<=",
    2 * q * (1 - q),
    given=unit,
    witness={q: third},
    chapter="nearest_neighbours",
)
true(
    "Gini impurity is concave",
    2 * ((q + s) / 2) * (1 - (q + s) / 2),
    ">=",
    (2 * q * (1 - q) + 2 * s * (1 - s)) / 2,
    chapter="decision_trees",
)
true(
    "cost-sensitive threshold",
    A0 * (1 - q),
    "<=",
    B0 * q,
    given=[Ge(q, A0 / (A0 + B0))],
    witness={q: half, A0: 1, B0: 1},
    chapter="bayes_decisions",
)
true(
    "weighted error of a reduction",
    tau * q + 1 - q,
    "<=",
    tau,
    given=[*unit, Ge(tau, 1)],
    witness={q: half, tau: 2},
    chapter="reductions",
)
true(
    "threshold error",
    t**2 / 2 + (1 - t) ** 2 / 2,
    "==",
    quarter + (t - half) ** 2,
    chapter="bayes_decisions",
)
true("ridge shrinks", A0**2 / (A0**2 + tau), "<", 1, chapter="regularised_least_squares")
true(
    "hypergeometric below binomial",
    k * (k - 1) / (n * (n - 1)),
    "<=",
    k**2 / n**2,
    given=[Gt(n, 1), Le(k, n)],
    witness={n: 3, k: 2},
    chapter="robust_regression",
)
true(
    "PAC sample size",
    sqrt(2 * C0 / n),
    "<=",
    tau,
    given=[Ge(n, 2 * C0 / tau**2)],
    witness={n: 2, C0: 1, tau: 1},
    chapter="pac_learning",
)
true(
    "rates compose",
    A0 / (A0 + B0),
    "<=",
    A0 / (A0 + C0),
    given=[Le(C0, B0)],
    witness={A0: 1, B0: 2, C0: 1},
    chapter="model_assessment",
)

# Exponentials and logarithms

true("one minus u below its exponential", 1 - a, "<=", exp(-a), chapter="pac_learning")
true("exponential above its tangent", 1 + a, "<=", exp(a))
true("tangent of the exponential anywhere", exp(a) * (1 + b - a), "<=", exp(b))
true("logarithm below its tangent", log(A0), "<=", A0 - 1)
true("logarithm above its hyperbola", 1 - 1 / A0, "<=", log(A0))
true("logarithm of one plus u", log(1 + A0), "<=", A0)
true("logarithm below its argument", log(A0), "<", A0)
true("exponentials are positive", exp(a) + exp(b), ">", 0)
true("decay", exp(-A0), "<", 1)
true(
    "exponential is monotone",
    exp(a),
    "<=",
    exp(b),
    given=[Le(a, b)],
    witness={a: 0, b: 1},
    by=monotone(exp),
)
true(
    "logarithm is monotone",
    log(A0),
    "<=",
    log(B0),
    given=[Le(A0, B0)],
    witness={A0: 1, B0: 2},
    by=monotone(log),
)
true("root is monotone", sqrt(A0), "<=", sqrt(A0 + B0), by=monotone(sqrt))
true(
    "exponential is convex", exp((a + b) / 2), "<=", (exp(a) + exp(b)) / 2, chapter="convex_duality"
)
true(
    "logarithm is concave",
    (log(A0) + log(B0)) / 2,
    "<=",
    log((A0 + B0) / 2),
    chapter="convex_duality",
)
true("two sides of a coin", exp(s) + exp(-s), ">=", 2)
true(
    "hyperbolic cosine",
    (exp(s) + exp(-s)) / 2,
    "<=",
    exp(s**2 / 2),
    by=monotone(exp, by=second_order(s)),
    chapter="concentration",
)
true(
    "chord of the exponential",
    exp(q * s),
    "<=",
    1 - q + q * exp(s),
    given=unit,
    witness={q: half, s: 1},
    chapter="concentration",
)
true(
    "moment generating function of a coin",
    log(1 - q + q * exp(s)),
    "<=",
    q * (exp(s) - 1),
    given=unit,
    witness={q: half, s: 1},
    chapter="concentration",
)
true(
    "log-sum-exp above the maximum",
    log(exp(a) + exp(b)),
    ">=",
    Max(a, b),
    chapter="logistic_regression",
)
true(
    "log-sum-exp below the maximum plus log two",
    log(exp(a) + exp(b)),
    "<=",
    Max(a, b) + log(2),
    chapter="logistic_regression",
)
true("log-sum-exp above the mean", log(exp(a) + exp(b)), ">=", (a + b) / 2 + log(2))
true("softplus above the ramp", log(1 + exp(s)), ">=", Max(0, s), chapter="logistic_regression")
true("softplus is positive", log(1 + exp(s)), ">", 0, chapter="logistic_regression")
true("logistic is a probability", 1 / (1 + exp(-s)), "<", 1, chapter="logistic_regression")
true(
    "logistic symmetry",
    1 / (1 + exp(-s)) + 1 / (1 + exp(s)),
    "==",
    1,
    chapter="logistic_regression",
)
true(
    "logistic slope",
    exp(-s) / (1 + exp(-s)) ** 2,
    "==",
    (1 / (1 + exp(-s))) * (1 - 1 / (1 + exp(-s))),
    chapter="logistic_regression",
)
true(
    "logistic slope is small",
    exp(-s) / (1 + exp(-s)) ** 2,
    "<=",
    quarter,
    chapter="logistic_regression",
)
true(
    "logistic loss in bits bounds the 0-1 loss",
    log(2) * indicator(Le(m, 0)),
    "<=",
    log(1 + exp(-m)),
    chapter="logistic_regression",
)
true("0-1 loss below exp", indicator(Le(m, 0)), "<=", exp(-m), chapter="adaboost")
true(
    "optimal AdaBoost weight",
    q * exp(a) + (1 - q) * exp(-a),
    ">=",
    2 * sqrt(q * (1 - q)),
    given=inside,
    witness={q: quarter, a: 0},
    chapter="adaboost",
)
true(
    "AdaBoost normaliser",
    q * exp(log((1 - q) / q) / 2) + (1 - q) * exp(-log((1 - q) / q) / 2),
    "==",
    2 * sqrt(q * (1 - q)),
    given=inside,
    witness={q: quarter},
    chapter="adaboost",
)
true(
    "AdaBoost edge",
    sqrt(1 - 4 * g**2),
    "<=",
    exp(-2 * g**2),
    given=[Le(4 * g**2, 1)],
    witness={g: quarter},
    chapter="adaboost",
)
true(
    "Pinsker for two points",
    q * log(q / s) + (1 - q) * log((1 - q) / (1 - s)),
    ">=",
    2 * (q - s) ** 2,
    given=[*inside, Gt(s, 0), Lt(s, 1)],
    witness={q: half, s: quarter},
    by=second_order(q, at=s),
    chapter="concentration",
)
true(
    "entropy of a coin",
    -q * log(q) - (1 - q) * log(1 - q),
    "<=",
    log(2),
    given=inside,
    witness={q: quarter},
    by=minimised_at(q, half),
    chapter="decision_trees",
)
true(
    "Gini below the entropy",
    2 * q * (1 - q),
    "<=",
    -q * log(q) - (1 - q) * log(1 - q),
    given=inside,
    witness={q: quarter},
    chapter="decision_trees",
)
true("exponential minus its argument", exp(s) - s, ">=", 1, by=minimised_at(s, 0))
true("argument minus its logarithm", A0 - log(A0), ">=", 1, by=minimised_at(A0, 1))
true(
    "convex conjugate of the exponential",
    a * A0,
    "<=",
    exp(a) + A0 * log(A0) - A0,
    by=minimised_at(a, log(A0)),
)
true("Taylor bound of the exponential", exp(-A0), "<=", 1 - A0 + A0**2 / 2, by=second_order(A0))
true("entropy term", A0 * log(A0), ">=", A0 - 1)
true("divergence of two Poisson rates", A0 * log(A0 / B0) - A0 + B0, ">=", 0)
true(
    "Gibbs",
    Sum(ps[i] * log(ps[i] / qs[i]), (i, 1, n)),
    ">=",
    Sum(ps[i] - qs[i], (i, 1, n)),
    by=termwise(i),
    chapter="mixtures_and_em",
)
true(
    "divergence is nonnegative",
    Sum(ps[i] * log(ps[i] / qs[i]), (i, 1, n)),
    ">=",
    0,
    given=[Eq(total, 1), Eq(Sum(qs[i], (i, 1, n)), 1)],
    witness={n: 2, ps: [half, half], qs: [quarter, 3 * quarter]},
    chapter="mixtures_and_em",
)
true(
    "Jensen for the logarithm",
    Sum(ps[i] * log(ws[i]), (i, 1, n)),
    "<=",
    log(Sum(ps[i] * ws[i], (i, 1, n))),
    given=[Eq(total, 1)],
    witness={n: 2, ps: [half, half], ws: [1, 4]},
    chapter="mixtures_and_em",
)
true(
    "evidence lower bound",
    Sum(qs[i] * log(ws[i] / qs[i]), (i, 1, n)),
    "<=",
    log(Sum(ws[i], (i, 1, n))),
    given=[Eq(Sum(qs[i], (i, 1, n)), 1)],
    witness={n: 2, qs: [half, half], ws: [1, 2]},
    by=using(for_each(i, 1, n, Le(log(ws[i] / qs[i]), log(mass) + ws[i] / (qs[i] * mass) - 1))),
    chapter="mixtures_and_em",
)
true(
    "entropy below the logarithm of the alphabet",
    -Sum(ps[i] * log(ps[i]), (i, 1, n)),
    "<=",
    log(n),
    given=[Eq(total, 1)],
    witness={n: 2, ps: [quarter, 3 * quarter]},
    by=using(for_each(i, 1, n, Le(-log(ps[i]), log(n) + 1 / (n * ps[i]) - 1))),
    chapter="maximum_entropy",
)
true(
    "Jensen for the exponential",
    exp(Sum(ps[i] * al[i], (i, 1, n))),
    "<=",
    Sum(ps[i] * exp(al[i]), (i, 1, n)),
    given=[Eq(total, 1)],
    witness={n: 2, ps: [half, half], al: [0, 1]},
    chapter="concentration",
)
true(
    "log-sum-exp above each term",
    Sum(ps[i] * al[i], (i, 1, n)),
    "<=",
    log(Sum(ps[i] * exp(al[i]), (i, 1, n))),
    given=[Eq(total, 1)],
    witness={n: 2, ps: [half, half], al: [0, 1]},
    by=monotone(log),
)
true(
    "softmax sums to one",
    Sum(exp(al[k]) / Sum(exp(al[r]), (r, 1, K)), (k, 1, K)),
    "==",
    1,
    chapter="maximum_entropy",
)
true(
    "softmax ignores a shift",
    exp(a + c) / (exp(a + c) + exp(b + c)),
    "==",
    exp(a) / (exp(a) + exp(b)),
    chapter="maximum_entropy",
)
true(
    "posterior log-odds",
    log(A0 * B0 / (C0 * D0)),
    "==",
    log(A0 / C0) + log(B0 / D0),
    chapter="naive_bayes",
)
true(
    "chance that all are consistent",
    (1 - q) ** n,
    "<=",
    exp(-q * n),
    given=inside,
    witness={q: half, n: 2},
    by=monotone(exp),
    chapter="pac_learning",
)
true(
    "Chernoff for one point", indicator(Ge(a, t)), "<=", exp(tau * (a - t)), chapter="concentration"
)

# Indicators, maxima, absolute values

true(
    "hinge above the 0-1 loss",
    indicator(Le(m, 0)),
    "<=",
    Max(0, 1 - m),
    chapter="support_vector_machines",
)
true("hinge above its line", Max(0, 1 - m), ">=", 1 - m, chapter="support_vector_machines")
true(
    "hinge is convex",
    Max(0, 1 - (a + b) / 2),
    "<=",
    (Max(0, 1 - a) + Max(0, 1 - b)) / 2,
    chapter="support_vector_machines",
)
true(
    "hinge is Lipschitz",
    Max(0, 1 - a) - Max(0, 1 - b),
    "<=",
    Abs(a - b),
    chapter="support_vector_machines",
)
true("squared margin loss", indicator(Le(m, 0)), "<=", (1 - m) ** 2, chapter="learning_problem")
true("maximum by an absolute value", Max(a, b), "==", (a + b + Abs(a - b)) / 2)
true("minimum by an absolute value", Min(a, b), "==", (a + b - Abs(a - b)) / 2)
true("maximum and minimum", Max(a, b) + Min(a, b), "==", a + b)
true("absolute value as a maximum", Abs(a), "==", Max(a, -a))
true("maximum shifted", Max(a + c, b + c), "==", Max(a, b) + c)
true("maximum scaled", tau * Max(a, b), "==", Max(tau * a, tau * b))
true("absolute value of a sum of two", Abs(a + b), "<=", Abs(a) + Abs(b))
true("difference of absolute values", Abs(Abs(a) - Abs(b)), "<=", Abs(a - b))
true("absolute value of a product", Abs(a * b), "==", Abs(a) * Abs(b))
true("square of an absolute value", Abs(a) ** 2, "==", a**2)
true("maximum below the sum", Max(a, b), "<=", Abs(a) + Abs(b))
true(
    "Huber below the parabola",
    tau * Abs(a) - tau**2 / 2,
    "<=",
    a**2 / 2,
    chapter="robust_regression",
)
true(
    "Huber below the absolute value",
    a**2 / 2,
    "<=",
    tau * Abs(a) - tau**2 / 2 + tau**2 / 2,
    given=[Le(Abs(a), tau)],
    witness={a: half, tau: 1},
    chapter="robust_regression",
)
true("median of two", Abs(a - c) + Abs(b - c), ">=", Abs(a - b), chapter="robust_regression")
true("indicator squared", indicator(Le(a, b)) ** 2, "==", indicator(Le(a, b)))
true("indicator of the complement", indicator(Le(a, b)) + indicator(Gt(a, b)), "==", 1)
true("indicators multiply", indicator(Le(a, 0)) * indicator(Lt(a, 0)), "==", indicator(Lt(a, 0)))
true(
    "union bound for indicators",
    indicator(Or(Ge(a, t), Ge(b, t))),
    "<=",
    indicator(Ge(a, t)) + indicator(Ge(b, t)),
    chapter="pac_learning",
)
true(
    "half-open bins",
    indicator(Ge(t, a)) * indicator(Lt(t, b)) * indicator(Ge(t, b)),
    "==",
    0,
    chapter="density_estimation",
)
true("positive and negative part", Max(a, 0) - Max(-a, 0), "==", a)
true("soft threshold", Max(0, Abs(a) - tau), "<=", Abs(a), chapter="regularised_least_squares")
true("clipping", Min(Max(a, 0), 1), "<=", 1)
true("average of the extremes", Min(a, b), "<=", (a + b) / 2)
true(
    "complementary slackness",
    m,
    "==",
    1,
    given=[Gt(a, 0), Eq(a * (m - 1), 0)],
    witness={a: 1, m: 1},
    chapter="support_vector_machines",
)
true(
    "slack only at the bound",
    xi,
    "==",
    0,
    given=[Lt(a, C0), Eq((C0 - a) * xi, 0)],
    witness={a: 0, C0: 1, xi: 0},
    chapter="support_vector_machines",
)
true(
    "inactive constraints have no price",
    lam,
    "==",
    0,
    given=[Lt(f, 0), Eq(lam * f, 0)],
    witness={f: -1, lam: 0},
    chapter="convex_duality",
)
true(
    "weak duality",
    c,
    "<=",
    b,
    given=[Le(c, b + lam * f), Ge(lam, 0), Le(f, 0)],
    witness={c: 0, b: 1, lam: 1, f: -1},
    chapter="convex_duality",
)
true("dual of a parabola", lam - lam**2 / 4, "<=", 1, chapter="convex_duality")
true(
    "minimum of a quadratic",
    tau * t**2 - 2 * a * t,
    ">=",
    -(a**2) / tau,
    by=minimised_at(t, a / tau),
    chapter="regularised_least_squares",
)
true(
    "scalar ridge",
    (a - s * (a * s / (s**2 + tau))) ** 2 + tau * (a * s / (s**2 + tau)) ** 2,
    "<=",
    (a - s * c) ** 2 + tau * c**2,
    chapter="regularised_least_squares",
)

# Expectations and probabilities

law = {S: [(0, half), (2, half)]}
pair = {S: [(0, half), (2, half)], T: [(1, half), (-1, half)]}
true("variance by moments", E((S - E(S)) ** 2), "==", E(S**2) - E(S) ** 2, chapter="concentration")
true(
    "bias and variance",
    E((S - c) ** 2),
    "==",
    E((S - E(S)) ** 2) + (E(S) - c) ** 2,
    chapter="model_assessment",
)
true(
    "variance scales quadratically", E((c * S - c * E(S)) ** 2), "==", c**2 * (E(S**2) - E(S) ** 2)
)
true(
    "variances of independent variables add",
    E((S + T - E(S) - E(T)) ** 2),
    "==",
    E((S - E(S)) ** 2) + E((T - E(T)) ** 2),
    given=[independent(S, T)],
    witness=pair,
    chapter="bagging_and_forests",
)
true(
    "product of independent variables",
    E(S * T),
    "==",
    E(S) * E(T),
    given=[independent(S, T)],
    witness=pair,
)
true(
    "fresh responses",
    E((S - T) ** 2),
    "==",
    E(S**2) - 2 * E(S) * E(T) + E(T**2),
    given=[independent(S, T)],
    witness=pair,
    chapter="model_assessment",
)
true(
    "mean of a sample",
    E(Sum(Xi[i], (i, 1, n)) / n),
    "==",
    c,
    given=[for_each(i, 1, n, Eq(E(Xi[i]), c))],
    witness={n: 2, Xi: [[(0, half), (2, half)], [(1, 1)]], c: 1},
    chapter="concentration",
)
true(
    "variance of a sample mean",
    E((Sum(Xi[i], (i, 1, n)) / n - c) ** 2),
    "==",
    sigma**2 / n,
    given=[
        independent_family(Xi),
        for_each(i, 1, n, Eq(E(Xi[i]), c)),
        for_each(i, 1, n, Eq(E(Xi[i] ** 2), sigma**2 + c**2)),
    ],
    witness={n: 2, Xi: [[(-1, half), (1, half)], [(-1, half), (1, half)]], c: 0, sigma: 1},
    chapter="concentration",
)
true("square of a mean below the mean square", E(S) ** 2, "<=", E(S**2))
true("variance is nonnegative", E((S - E(S)) ** 2), ">=", 0)
true(
    "the mean minimises the expected square",
    E((S - E(S)) ** 2),
    "<=",
    E((S - c) ** 2),
    chapter="bayes_decisions",
)
true(
    "tangent under an expectation",
    E(exp(a) * (1 + S - a)),
    "<=",
    E(exp(S)),
    by=termwise(S),
    chapter="concentration",
)
true("Jensen for an expected square root", E(S) ** 2 + 1, "<=", E(S**2 + 1))
true(
    "expectations are monotone",
    E(S),
    "<=",
    E(T),
    given=[Le(S, T)],
    witness={S: [(0, half), (1, half)], T: [(1, 1)]},
    by=termwise(S),
)
true(
    "Markov",
    P(Ge(S, t)),
    "<=",
    E(S / t),
    given=[Ge(S, 0), Gt(t, 0)],
    witness={**law, t: 1},
    by=termwise(S),
    chapter="concentration",
)
true(
    "Chebyshev",
    P(Ge(Abs(S - c), t)),
    "<=",
    E((S - c) ** 2 / t**2),
    given=[Gt(t, 0)],
    witness={**law, c: 1, t: 1},
    by=termwise(S),
    chapter="concentration",
)
true("Chernoff", P(Ge(S, t)), "<=", E(exp(tau * (S - t))), by=termwise(S), chapter="concentration")
true(
    "union bound",
    P(Or(Ge(S, s), Ge(T, t))),
    "<=",
    P(Ge(S, s)) + P(Ge(T, t)),
    chapter="pac_learning",
)
true("probabilities are at most one", P(Ge(S, t)), "<=", 1)
true("complement", P(Ge(S, t)) + P(Lt(S, t)), "==", 1)
true("probability as an expectation", P(Ge(S, t)), "==", E(indicator(Ge(S, t))))
true("mean below the mean absolute value", E(S), "<=", E(Abs(S)), by=termwise(S))
true(
    "Cauchy-Schwarz for expectations",
    E(S * T) ** 2,
    "<=",
    E(S**2) * E(T**2),
    given=[Gt(E(T**2), 0)],
    witness=pair,
    by=using(Ge(E((E(T**2) * S - E(S * T) * T) ** 2), 0)),
)
true("mean of a maximum", E(Max(S, T)), ">=", E(S), by=termwise(S))
true(
    "error of an average of two",
    E(((S + T) / 2 - c) ** 2),
    "<=",
    (E((S - c) ** 2) + E((T - c) ** 2)) / 2,
    by=using(Ge(E((S - T) ** 2), 0)),
    chapter="bagging_and_forests",
)
true(
    "Hoeffding chord under an expectation",
    E(exp(s * S)),
    "<=",
    E(1 - S + S * exp(s)),
    given=[Ge(S, 0), Le(S, 1)],
    witness={S: [(0, half), (1, half)], s: 1},
    by=termwise(S),
    chapter="concentration",
)

# Convexity and declared functions

convex = function("convex_f", convex=True)
smooth = function("smooth_f", convex=True, differentiable=True)
rising = function("rising_f", increasing=True)
falling = function("falling_f", decreasing=True)
hollow = function("hollow_f", concave=True)
both = function("both_f", convex=True, increasing=True)
square = {"convex_f": lambda r: r * r}
true(
    "midpoint convexity",
    convex((a + b) / 2),
    "<=",
    (convex(a) + convex(b)) / 2,
    chapter="convex_duality",
)
true(
    "convex combination",
    convex(q * a + (1 - q) * b),
    "<=",
    q * convex(a) + (1 - q) * convex(b),
    given=unit,
    witness={q: third, a: 0, b: 1, **square},
    chapter="convex_duality",
)
true("midpoint concavity", hollow((a + b) / 2), ">=", (hollow(a) + hollow(b)) / 2)
true(
    "tangent of a convex function",
    smooth(b),
    ">=",
    smooth(a) + derivative(smooth)(a) * (b - a),
    chapter="convex_duality",
)
true(
    "slopes of a convex function",
    (derivative(smooth)(b) - derivative(smooth)(a)) * (b - a),
    ">=",
    0,
    chapter="convex_duality",
)
true(
    "increasing function",
    rising(a),
    "<=",
    rising(b),
    given=[Le(a, b)],
    witness={a: 0, b: 1, "rising_f": lambda r: r},
    by=monotone(rising),
)
true(
    "decreasing function",
    falling(b),
    "<=",
    falling(a),
    given=[Le(a, b)],
    witness={a: 0, b: 1, "falling_f": lambda r: -r},
    by=monotone(falling),
)
true(
    "increasing convex after convex",
    both(convex((a + b) / 2)),
    "<=",
    both((convex(a) + convex(b)) / 2),
    by=monotone(both),
    chapter="convex_duality",
)
true(
    "Jensen on a finite law",
    convex(Sum(ps[i] * al[i], (i, 1, n))),
    "<=",
    Sum(ps[i] * convex(al[i]), (i, 1, n)),
    given=[Eq(total, 1)],
    witness={n: 2, ps: [half, half], al: [0, 1], **square},
    chapter="convex_duality",
)
true(
    "tangent of a convex function under an expectation",
    E(smooth(a) + derivative(smooth)(a) * (S - a)),
    "<=",
    E(smooth(S)),
    by=termwise(S),
    chapter="convex_duality",
)
true(
    "sum of convex functions",
    convex((a + b) / 2) + ((a + b) / 2) ** 2,
    "<=",
    (convex(a) + a**2 + convex(b) + b**2) / 2,
    chapter="convex_duality",
)
true(
    "below a minimum nothing",
    smooth(a),
    "<=",
    smooth(b),
    given=[Eq(derivative(smooth)(a), 0)],
    witness={a: 0, b: 1, smooth: lambda r: r * r, derivative(smooth): lambda r: 2 * r},
    chapter="gradient_descent",
)

# Matrices

full = [invertible(X.T * X)]
tall = {n: 2, d: 1, X: [[1], [2]]}
hat = X * inverse(X.T * X) * X.T
true(
    "hat matrix is idempotent",
    hat * hat,
    "==",
    hat,
    given=full,
    witness=tall,
    chapter="least_squares",
)
true("hat matrix is symmetric", hat.T, "==", hat, given=full, witness=tall, chapter="least_squares")
true(
    "hat matrix keeps the columns",
    hat * X,
    "==",
    X,
    given=full,
    witness=tall,
    chapter="least_squares",
)
true(
    "residuals orthogonal to the columns",
    X.T * (Y - hat * Y),
    "==",
    zeros(d, 1),
    given=full,
    witness={**tall, Y: [[1], [0]]},
    chapter="least_squares",
)
true(
    "trace of the hat matrix",
    trace(hat),
    "==",
    d,
    given=full,
    witness=tall,
    chapter="least_squares",
)
true(
    "residual degrees of freedom",
    trace((identity(n) - hat) * (identity(n) - hat)),
    "==",
    n - d,
    given=full,
    witness=tall,
    chapter="least_squares",
)
true(
    "normal equations",
    X.T * X * (inverse(X.T * X) * X.T * Y),
    "==",
    X.T * Y,
    given=full,
    witness={**tall, Y: [[1], [0]]},
    chapter="least_squares",
)
ridge = X.T * X + tau * identity(d)
dual = X * X.T + tau * identity(n)
true(
    "push-through",
    inverse(ridge) * X.T,
    "==",
    X.T * inverse(dual),
    given=[invertible(ridge), invertible(dual)],
    witness={**tall, tau: 1},
    chapter="kernels",
)
true(
    "ridge normal equations",
    ridge * (X.T * inverse(dual) * Y),
    "==",
    X.T * Y,
    given=[invertible(dual)],
    witness={**tall, tau: 1, Y: [[1], [0]]},
    chapter="kernels",
)
true(
    "ridge bias",
    inverse(ridge) * X.T * X * beta - beta,
    "==",
    -tau * inverse(ridge) * beta,
    given=[invertible(ridge)],
    witness={**tall, tau: 1, beta: [[1]]},
    chapter="regularised_least_squares",
)
true("cyclic trace", trace(A * B * C), "==", trace(C * A * B), chapter="matrix_calculus")
true("trace of a transpose", trace(A * B), "==", trace(B.T * A.T), chapter="matrix_calculus")
true(
    "trace of a rectangular product",
    trace(X * X.T),
    "==",
    trace(X.T * X),
    chapter="matrix_calculus",
)
true(
    "inverse of a product",
    inverse(A * B),
    "==",
    inverse(B) * inverse(A),
    given=[invertible(A), invertible(B)],
    witness={n: 1, A: [[2]], B: [[3]]},
    chapter="matrix_calculus",
)
true(
    "inverse of a transpose",
    inverse(A.T),
    "==",
    inverse(A).T,
    given=[invertible(A)],
    witness={n: 2, A: [[1, 1], [0, 1]]},
    chapter="matrix_calculus",
)
small = identity(d) + X.T * inverse(A) * X
true(
    "Woodbury for a low-rank update",
    inverse(A + X * X.T),
    "==",
    inverse(A) - inverse(A) * X * inverse(small) * X.T * inverse(A),
    given=[invertible(A), invertible(A + X * X.T), invertible(small)],
    witness={**tall, A: [[1, 0], [0, 1]]},
    chapter="matrix_calculus",
)
true(
    "difference of inverses",
    inverse(A) - inverse(B),
    "==",
    inverse(A) * (B - A) * inverse(B),
    given=[invertible(A), invertible(B)],
    witness={n: 1, A: [[1]], B: [[2]]},
    chapter="matrix_calculus",
)
true("square of a sum of matrices", (A + B) * (A + B), "==", A * A + A * B + B * A + B * B)
true("transpose of three factors", (A * B * C).T, "==", C.T * B.T * A.T)
true("symmetric quadratic form", (X.T * G * X).T, "==", X.T * G * X)
true(
    "log determinant of an inverse",
    logdet(inverse(A)),
    "==",
    -logdet(A),
    given=[positive_definite(A)],
    witness={n: 1, A: [[2]]},
    chapter="matrix_calculus",
)
true(
    "log determinant of a multiple",
    logdet(tau * A),
    "==",
    n * log(tau) + logdet(A),
    given=[positive_definite(A)],
    witness={n: 1, A: [[2]], tau: 3},
    chapter="discriminant_analysis",
)
true("Frobenius norm", trace(A.T * A), ">=", 0, chapter="matrix_calculus")
true(
    "orthonormal columns keep lengths",
    trace(beta.T * X.T * X * beta),
    "==",
    trace(beta.T * beta),
    given=[Eq(X.T * X, identity(d))],
    witness={n: 2, d: 1, X: [[1], [0]], beta: [[2]]},
    chapter="principal_components",
)
true(
    "reconstruction error",
    trace((A - hat * A).T * (A - hat * A)),
    "==",
    trace(A.T * A) - trace(A.T * hat * A),
    given=full,
    witness={**tall, A: [[1, 0], [1, 1]]},
    chapter="principal_components",
)
# Gradients

true("gradient of a squared norm", Gradient(norm2(w), w), "==", 2 * w, chapter="matrix_calculus")
true("gradient of a fourth power", Gradient(norm2(w) ** 2, w), "==", 4 * norm2(w) * w)
true(
    "gradient of a squared loss",
    Gradient((y - dot(w, x)) ** 2 / 2, w),
    "==",
    -(y - dot(w, x)) * x,
    chapter="neural_networks",
)
true(
    "gradient of least squares",
    Gradient(Sum((dot(w, xs[i]) - ys[i]) ** 2, (i, 1, n)), w),
    "==",
    2 * Sum((dot(w, xs[i]) - ys[i]) * xs[i], (i, 1, n)),
    chapter="least_squares",
)
true(
    "gradient of the logistic loss",
    Gradient(Sum(log(1 + exp(-ys[i] * dot(w, xs[i]))), (i, 1, n)), w),
    "==",
    -Sum(ys[i] / (1 + exp(ys[i] * dot(w, xs[i]))) * xs[i], (i, 1, n)),
    chapter="logistic_regression",
)
true(
    "gradient of a ridge penalty",
    Gradient(tau * norm2(w - u), w),
    "==",
    2 * tau * (w - u),
    chapter="regularised_least_squares",
)
true(
    "gradient of an exponential loss",
    Gradient(Sum(exp(-ys[i] * dot(w, xs[i])), (i, 1, n)), w),
    "==",
    -Sum(ys[i] * exp(-ys[i] * dot(w, xs[i])) * xs[i], (i, 1, n)),
    chapter="adaboost",
)
true(
    "gradient of a Gaussian kernel",
    Gradient(exp(-norm2(w - x) / (2 * tau)), w),
    "==",
    exp(-norm2(w - x) / (2 * tau)) * (x - w) / tau,
    chapter="kernels",
)
true("gradient of a trace", Gradient(trace(A * B), A), "==", B.T, chapter="matrix_calculus")
true(
    "gradient of a quadratic trace",
    Gradient(trace(A.T * A), A),
    "==",
    2 * A,
    chapter="matrix_calculus",
)
true(
    "gradient of tr ABAtC",
    Gradient(trace(A * B * A.T * C), A),
    "==",
    C.T * A * B.T + C * A * B,
    chapter="matrix_calculus",
)
true(
    "gradient of the log determinant",
    Gradient(logdet(A), A),
    "==",
    inverse(A).T,
    given=[positive_definite(A)],
    witness={n: 1, A: [[2]]},
    chapter="matrix_calculus",
)
true(
    "gradient of an inverse",
    Gradient(trace(inverse(A) * B), A),
    "==",
    -(inverse(A) * B * inverse(A)).T,
    given=[invertible(A)],
    witness={n: 1, A: [[2]], B: [[1]]},
    chapter="matrix_calculus",
)
true(
    "gradient of the residual sum of squares",
    Gradient(trace((Y - X * beta).T * (Y - X * beta)), beta),
    "==",
    2 * X.T * (X * beta - Y),
    chapter="least_squares",
)
true(
    "gradient of the ridge objective",
    Gradient(trace((Y - X * beta).T * (Y - X * beta)) + tau * trace(beta.T * beta), beta),
    "==",
    2 * (X.T * X + tau * identity(d)) * beta - 2 * X.T * Y,
    chapter="regularised_least_squares",
)

# What the engine cannot prove yet

cannot(
    "softplus reflected", log(1 + exp(s)) - s, "==", log(1 + exp(-s)), chapter="logistic_regression"
)
true(
    "moment generating function of a sum",
    E(exp(tau * (S + T))),
    "==",
    E(exp(tau * S)) * E(exp(tau * T)),
    given=[independent(S, T)],
    witness={**pair, tau: 1},
    chapter="concentration",
)
cannot(
    "log determinant of a product",
    logdet(A * A),
    "==",
    2 * logdet(A),
    given=[positive_definite(A)],
    witness={n: 1, A: [[2]]},
    chapter="matrix_calculus",
)
cannot(
    "definite matrices have a positive trace",
    trace(A),
    ">",
    0,
    given=[positive_definite(A)],
    witness={n: 2, A: [[2, 1], [1, 2]]},
    chapter="kernels",
)

true(
    "Woodbury",
    inverse(A + B),
    "==",
    inverse(A) - inverse(A) * inverse(inverse(A) + inverse(B)) * inverse(A),
    given=[invertible(A), invertible(B), invertible(A + B), invertible(inverse(A) + inverse(B))],
    witness={n: 1, A: [[1]], B: [[1]]},
    chapter="matrix_calculus",
)
true("absolute value of a mean", Abs(E(S)), "<=", E(Abs(S)))
true("Jensen for an expected exponential", exp(E(S)), "<=", E(exp(S)))
cannot("Jensen for an expectation", convex(E(S)), "<=", E(convex(S)))
true("maximum of a mean", E(Max(S, 0)), ">=", Max(E(S), 0))
cannot("Bernoulli's inequality for any exponent", (1 + A0) ** n, ">=", 1 + n * A0)
cannot(
    "Gram determinant of three vectors",
    norm2(u) * norm2(v) * norm2(w) + 2 * dot(u, v) * dot(v, w) * dot(w, u),
    ">=",
    norm2(u) * dot(v, w) ** 2 + norm2(v) * dot(w, u) ** 2 + norm2(w) * dot(u, v) ** 2,
)
cannot(
    "power means over a sample", Sum(ws[i], (i, 1, n)) ** 3, "<=", n**2 * Sum(ws[i] ** 3, (i, 1, n))
)
cannot(
    "eigenvalue bound of a trace", trace(A.T * A * B.T * B), "<=", trace(A.T * A) * trace(B.T * B)
)

# Random columns, linear estimators, full rank and eigenbases

En, Ed = identity(n), identity(d)
H = matrices("H", d, n)
con, dir_ = matrices("con dir", d, 1)
frame = matrices("frame", d, k)
noise, other = random_matrices("noise other", n, 1)
guess = random_matrices("guess", d, 1)
spread = reals("spread", positive=True)
gram = X.T * X
solve = inverse(gram) * X.T
white = Eq(E(noise * noise.T), spread**2 * En)
ranked = invertible(gram)
flat = {n: 1, d: 1, X: [[1]], H: [[1]], con: [[1]], spread: 1}
coin = {**flat, noise: [([[1]], half), ([[-1]], half)]}
ends = eigenbasis(matrices("Sigma", d, d, symmetric=True), "lambda", "v")
form, vals, vecs = ends.matrix, ends.values, ends.vectors
upto = [Ge(j, 1), Le(j, d)]
plane = {d: 2, form: [[2, 0], [0, 1]], j: 1}
ridge = gram + spread * Ed


def square(a: Any) -> Any:
    return trace(a.T * a)


LINEAR = "least_squares"
true("a matrix comes out of a mean", E(H * noise), "==", H * E(noise), chapter=LINEAR)
true("the mean of a transpose", E(noise.T), "==", E(noise).T, chapter=LINEAR)
true("the mean of a shifted column", E(noise + Y), "==", E(noise) + Y, chapter=LINEAR)
true("cross moments turn round", E(noise * other.T).T, "==", E(other * noise.T), chapter=LINEAR)
true(
    "second moments about the mean",
    E((noise - E(noise)) * (noise - E(noise)).T),
    "==",
    E(noise * noise.T) - E(noise) * E(noise).T,
    chapter=LINEAR,
)
true(
    "length of a mean",
    E(square(noise - E(noise))),
    "==",
    E(square(noise)) - square(E(noise)),
    chapter=LINEAR,
)
true(
    "the mean closest to a column",
    E(square(noise - Y)),
    "==",
    E(square(noise - E(noise))) + square(E(noise) - Y),
    chapter=LINEAR,
)
true("the mean is closest", E(square(guess)), ">=", square(E(guess)), chapter=LINEAR)
true("trace of second moments", E(square(noise)), "==", trace(E(noise * noise.T)), chapter=LINEAR)
for title, left, right in (
    ("moments of a linear map", E((H * noise) * (H * noise).T), spread**2 * H * H.T),
    ("length of white noise", E(square(noise)), spread**2 * n),
    ("length of mapped noise", E(square(H * noise)), spread**2 * trace(H.T * H)),
    (
        "a direction of mapped noise",
        E(trace(con.T * H * noise) ** 2),
        spread**2 * square(H.T * con),
    ),
    ("noise in a quadratic form", E(trace(noise.T * X * H * noise)), spread**2 * trace(X * H)),
):
    true(title, left, "==", right, given=[white], witness=coin, chapter=LINEAR)
for title, left, right in (
    ("least squares of noise", E(solve * noise * noise.T * solve.T), spread**2 * inverse(gram)),
    ("noise that is fitted", E(trace(noise.T * X * solve * noise)), spread**2 * d),
    (
        "noise that is left",
        E(square(noise - X * solve * noise)),
        spread**2 * (n - d),
    ),
):
    true(title, left, "==", right, given=[ranked, white], witness=coin, chapter=LINEAR)
for title, left, right in (
    ("an exact fit", solve * X * con, con),
    ("what is left is orthogonal", X.T * (Y - X * solve * Y), zeros(d, 1)),
    ("the fit of a fit", X * solve * X * solve * Y, X * solve * Y),
    ("squares of fit and rest", square(X * solve * Y) + square(Y - X * solve * Y), square(Y)),
    ("trace of a hat matrix", trace(X * solve), d),
):
    given = {**flat, Y: [[2]]}
    true(title, left, "==", right, given=[ranked], witness=given, chapter=LINEAR)
true(
    "a fit is not longer",
    square(X * solve * Y),
    "<=",
    square(Y),
    given=[ranked],
    witness={**flat, Y: [[2]]},
    chapter=LINEAR,
)
true(
    "what another unbiased estimator adds",
    H * H.T - inverse(gram),
    "==",
    (H - solve) * (H - solve).T,
    given=[ranked, Eq(H * X, Ed)],
    witness=flat,
    chapter=LINEAR,
)
true(
    "a null vector of a Gram matrix",
    X * con,
    "==",
    zeros(n, 1),
    given=[Eq(gram * con, zeros(d, 1))],
    witness={**flat, con: [[0]]},
    chapter=LINEAR,
)
true(
    "a Gram matrix of full rank is definite",
    square(X * con),
    ">",
    0,
    given=[ranked, Ne(con, zeros(d, 1))],
    witness=flat,
    chapter=LINEAR,
)
true(
    "injective columns",
    inverse(gram) * gram,
    "==",
    Ed,
    given=[for_all(con, Implies(Eq(X * con, zeros(n, 1)), Eq(con, zeros(d, 1))))],
    witness={n: 1, d: 1, X: [[1]]},
    chapter=LINEAR,
)
true(
    "right for every parameter",
    H * X,
    "==",
    Ed,
    given=[for_all(con, Eq(H * X * con, con))],
    witness={n: 1, d: 1, X: [[1]], H: [[1]]},
    chapter=LINEAR,
)
RIDGE = "regularised_least_squares"
true(
    "bias of ridge regression",
    inverse(ridge) * gram * con - con,
    "==",
    -spread * inverse(ridge) * con,
    chapter=RIDGE,
)
true("ridge shrinks", inverse(ridge) * gram, "==", Ed - spread * inverse(ridge), chapter=RIDGE)
true(
    "ridge is ordinary least squares of shrunken data",
    inverse(ridge) * X.T,
    "==",
    X.T * inverse(X * X.T + spread * En),
    chapter=RIDGE,
)
PCA = "principal_components"
orthonormal = [Eq(frame.T * frame, identity(k))]
framed = {n: 1, d: 1, k: 1, X: [[2]], frame: [[1]]}
for title, left, right in (
    ("what a projection loses", square(X - X * frame * frame.T), square(X) - square(X * frame)),
    ("a projection keeps its image", frame * frame.T * frame, frame),
    ("size of a frame", square(frame), k),
):
    true(title, left, "==", right, given=orthonormal, witness=framed, chapter=PCA)
true(
    "a projection is not longer",
    square(X * frame),
    "<=",
    square(X),
    given=orthonormal,
    witness=framed,
    chapter=PCA,
)
true(
    "an eigenvector",
    form * vecs[j],
    "==",
    vals[j] * vecs[j],
    given=upto,
    witness=plane,
    chapter=PCA,
)
true(
    "an eigenvector from the left",
    vecs[j].T * form,
    "==",
    vals[j] * vecs[j].T,
    given=upto,
    witness=plane,
    chapter=PCA,
)
true(
    "the square of a matrix at an eigenvector",
    form * form * vecs[j],
    "==",
    vals[j] ** 2 * vecs[j],
    given=upto,
    witness=plane,
    chapter=PCA,
)
true(
    "trace and eigenvalues",
    trace(form),
    "==",
    Sum(vals[i], (i, 1, d)),
    given=upto,
    witness=plane,
    chapter=PCA,
)
true(
    "a value of a quadratic form",
    trace(vecs[j].T * form * vecs[j]),
    "==",
    vals[j],
    given=upto,
    witness=plane,
    chapter=PCA,
)
true(
    "a range cut in two",
    Sum(al[i], (i, 1, n + k)),
    "==",
    Sum(al[i], (i, 1, n)) + Sum(al[i], (i, n + 1, n + k)),
)
true("a range of one", Sum(al[i], (i, n + 1, n + 1)), "==", al[n + 1])

# Integrals over a measure space, and means given a value

pt = points("pt")
fp, gp, hp, dens = (function(name, of="point") for name in ("fp", "gp", "hp", "dens"))
classes = function("classes", of=("integer", "point"))
S, T = random_variables("S T")
rule = function("rule")
two_points = {fp: [1, 2], gp: [3, 1], hp: [1, 1], dens: [half, half]}


def exist(*functions: Any) -> list[Any]:
    return [integrable(h(pt), pt) for h in functions]


def integral(h: Any) -> Any:
    return Integral(h(pt), pt)


true(
    "an integral is linear",
    Integral(a * fp(pt) - b * gp(pt), pt),
    "==",
    a * integral(fp) - b * integral(gp),
    given=exist(fp, gp),
    witness={**two_points, a: 2, b: 1},
)
true(
    "an integral is monotone",
    integral(fp),
    "<=",
    integral(gp),
    given=[*exist(fp, gp), for_all(pt, Le(fp(pt), gp(pt)))],
    witness={fp: [1, 0], gp: [2, 1]},
)
true(
    "a bound under an integral by two functions",
    integral(fp),
    "<=",
    integral(gp) + 2 * integral(hp),
    given=[*exist(fp, gp, hp), for_all(pt, Le(fp(pt), gp(pt) + 2 * hp(pt)))],
    witness={fp: [1, 0], gp: [2, 1], hp: [0, 1]},
)
true(
    "an integral is at most that of the absolute value",
    Abs(integral(fp)),
    "<=",
    Integral(Abs(fp(pt)), pt),
    given=exist(fp),
    witness={fp: [-1, 2]},
)
true(
    "the smaller of two functions under an integral",
    Integral(Min(fp(pt), gp(pt)), pt),
    "<=",
    Min(integral(fp), integral(gp)),
    given=exist(fp, gp),
    witness=two_points,
)
true(
    "larger and smaller add up under an integral",
    Integral(Max(fp(pt), gp(pt)), pt) + Integral(Min(fp(pt), gp(pt)), pt),
    "==",
    integral(fp) + integral(gp),
    given=exist(fp, gp),
    witness=two_points,
)
true(
    "an integral over a part of a nonnegative function",
    Integral(fp(pt) * indicator(Ge(gp(pt), hp(pt))), pt),
    "<=",
    integral(fp),
    given=[*exist(fp, gp, hp), for_all(pt, Ge(fp(pt), 0))],
    witness=two_points,
)
true(
    "an integral over two parts",
    Integral(fp(pt) * indicator(Le(gp(pt), hp(pt))), pt)
    + Integral(fp(pt) * indicator(Gt(gp(pt), hp(pt))), pt),
    "==",
    integral(fp),
    given=exist(fp, gp, hp),
    witness=two_points,
)
true(
    "a mixture of densities has the total mass of its weights",
    Integral(Sum(al[i] * classes(i, pt), (i, 1, n)), pt),
    "==",
    Sum(al[i], (i, 1, n)),
    given=[
        for_each(i, 1, n, integrable(classes(i, pt), pt)),
        for_each(i, 1, n, Eq(Integral(classes(i, pt), pt), 1)),
    ],
    witness={n: 2, al: [1, 2], classes: [[half, half], [1, 0]]},
)
true(
    "the second moment of a density about a number",
    Integral((fp(pt) - c) ** 2 * dens(pt), pt),
    "==",
    Integral(fp(pt) ** 2 * dens(pt), pt) - 2 * c * Integral(fp(pt) * dens(pt), pt) + c**2,
    given=[
        integrable(fp(pt) ** 2 * dens(pt), pt),
        integrable(fp(pt) * dens(pt), pt),
        integrable(dens(pt), pt),
        Eq(integral(dens), 1),
    ],
    witness={**two_points, c: 1},
)
true(
    "relative entropy of densities is not negative",
    Integral(dens(pt) * (log(dens(pt)) - log(gp(pt))), pt),
    ">=",
    integral(dens) - integral(gp),
    given=[
        *exist(dens, gp),
        integrable(dens(pt) * (log(dens(pt)) - log(gp(pt))), pt),
        for_all(pt, Gt(dens(pt), 0)),
        for_all(pt, Gt(gp(pt), 0)),
    ],
    witness={dens: [1, 1], gp: [1, 1]},
)
true(
    "what is nowhere negative has no negative integral",
    Integral((fp(pt) - gp(pt)) ** 2, pt),
    ">=",
    0,
    given=[integrable((fp(pt) - gp(pt)) ** 2, pt)],
    witness=two_points,
)
true("tower rule", E(E(T, given=S)), "==", E(T))
true("known factor of a conditional mean", E(rule(S) * E(T, given=S)), "==", E(rule(S) * T))
true(
    "error of a rule beside that of the conditional mean",
    E((T - rule(S)) ** 2),
    "==",
    E((T - E(T, given=S)) ** 2) + E((E(T, given=S) - rule(S)) ** 2),
)
true(
    "total variance",
    E((T - E(T)) ** 2),
    "==",
    E((T - E(T, given=S)) ** 2) + E((E(T, given=S) - E(T)) ** 2),
)
true(
    "conditional mean at a value is linear",
    E(a * T + b * S, given=Eq(S, c)),
    "==",
    a * E(T, given=Eq(S, c)) + b * E(S, given=Eq(S, c)),
    given=[Gt(P(Eq(S, c)), 0)],
    witness={a: 1, b: 2, c: 0, S: [(0, half), (1, half)], T: [(1, half), (3, half)]},
)
true(
    "Bayes' formula",
    P(Eq(T, b), given=Eq(S, c)),
    "==",
    P(Eq(S, c), given=Eq(T, b)) * P(Eq(T, b)) / P(Eq(S, c)),
    given=[Gt(P(Eq(S, c)), 0), Gt(P(Eq(T, b)), 0)],
    witness={b: 1, c: 0, S: [(0, half), (1, half)], T: [(1, half), (3, half)]},
)
