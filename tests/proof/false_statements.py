"""False statements: slips of the five sets of notes and errors every student makes once.

Each has a model in which its hypotheses hold and its conclusion fails. ``source`` is
``chapter/erratum`` where the slip is printed in the notes. Where there are hypotheses, the witness
satisfies them without betraying the slip wherever that is possible.
"""

from __future__ import annotations

from typing import Any

from claims import Claim, Gradient

from mlnotes.proof import (
    Abs,
    Eq,
    Ge,
    Gt,
    Integral,
    KroneckerDelta,
    Le,
    Lt,
    Max,
    Min,
    Ne,
    Product,
    Rational,
    Sum,
    dot,
    exp,
    expectation,
    for_all,
    for_each,
    function,
    identity,
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
    norm,
    norm2,
    points,
    positive_definite,
    positive_semidefinite,
    probability,
    random_family,
    random_variables,
    real_family,
    reals,
    sqrt,
    trace,
    vector_family,
    vectors,
    zeros,
)

FALSE: list[Claim] = []


def false(
    name: str,
    left: Any,
    operator: str,
    right: Any,
    model: dict[Any, Any],
    *,
    given: list[Any] | None = None,
    witness: dict[Any, Any] | None = None,
    source: str = "classic",
) -> None:
    FALSE.append(Claim(name, left, operator, right, given or [], witness, [model], None, source))


half, third, quarter = Rational(1, 2), Rational(1, 3), Rational(1, 4)

theta, star, x, z, u, v, w, h = vectors("theta star x z u v w h")
a, b, c, e, f, g, m, q, s, t, y = reals("a b c e f g m q s t y")
bias, eta, lam, nu, xi = reals("bias eta lam nu xi")
A0, B0, C0, D0, R, gamma, rho, sigma, tau = reals(
    "A0 B0 C0 D0 R gamma rho sigma tau", positive=True
)
n, k, d, K = integers("n k d K", positive=True)
i, j, r = indices("i j r")
xs, zs = vector_family("xs"), vector_family("zs")
al, be, ys, hs, es, rs = real_family("al be ys hs es rs")
ps, qs, ws, vs = real_family("ps qs ws vs", positive=True)
phi = real_family("phi", positive=True)
A, B, C = matrices("A B C", n, n)
X = matrices("X", n, d)
Y, W = matrices("Y W", n, 1)
beta = matrices("beta", d, 1)
S, T = random_variables("S T")
Xi = random_family("Xi")
E, P = expectation, probability

signs = [Eq(y**2, 1)]
weights = [for_each(i, 1, n, Ge(ws[i], 0)), Eq(Sum(ws[i], (i, 1, n)), 1)]

# Inner products

false(
    "square of a sum without its cross term",
    norm2(theta + y * x),
    "==",
    norm2(theta) + norm2(x),
    {theta: (1, 0), x: (1, 0), y: 1},
    given=signs,
    witness={y: 1, theta: (1, 0), x: (0, 1)},
)
false(
    "perceptron growth without a mistake",
    norm2(theta + y * x),
    "<=",
    norm2(theta) + R**2,
    {theta: (1, 0), x: (1, 0), y: 1, R: 1},
    given=[Eq(y**2, 1), Le(norm2(x), R**2)],
    witness={y: 1, theta: (0, 1), x: (1, 0), R: 1},
)
false(
    "an update raises the margin by one",
    y * dot(theta + y * x, x),
    "==",
    y * dot(theta, x) + 1,
    {theta: (1, 0), x: (2, 0), y: 1},
    given=signs,
    witness={y: 1, theta: (0, 1), x: (1, 0)},
)
false(
    "old and new vector under one letter",
    dot(w, star),
    ">=",
    dot(w, star) + gamma,
    {w: (1,), star: (1,), gamma: 1},
    source="perceptron/erratum-001-updated-vector-symbol",
)
false(
    "margin under the root",
    k * gamma / (tau * sqrt(k * R**2)),
    "==",
    sqrt(k * gamma) / (tau * R),
    {k: 1, gamma: 4, tau: 1, R: 1},
    source="perceptron/erratum-000-perceptron-sqrt-k-gamma",
)
false(
    "radius after appending a one",
    norm2(x) + 1,
    "<=",
    R**2 + c**2,
    {x: (1,), R: 1, c: 0},
    given=[Le(norm2(x), R**2)],
    witness={x: (1,), R: 1, c: 1},
    source="perceptron/erratum-000-offset-radius",
)
false(
    "margin of a wrong classifier is no distance",
    y * dot(theta, x) / norm(theta),
    "==",
    Abs(dot(theta, x)) / norm(theta),
    {theta: (1,), x: (-1,), y: 1},
    given=[Eq(y**2, 1), Gt(norm2(theta), 0)],
    witness={theta: (1,), x: (1,), y: 1},
    source="perceptron/erratum-000-geometric-margin-sign",
)
false(
    "every point is classified correctly",
    y * (dot(w, x) + bias),
    ">",
    0,
    {w: (-1, -1), bias: 0, x: (1, 2), y: 1},
    given=signs,
    witness={w: (1,), bias: 0, x: (1,), y: 1},
    source="perceptron/erratum-001-true-label-positive",
)
false(
    "equality in Cauchy-Schwarz for every multiple",
    dot(u, c * u),
    "==",
    norm(u) * norm(c * u),
    {u: (1, 2), c: -3},
    source="perceptron/erratum-000-cauchy-equality",
)
false(
    "distance in the augmented space",
    Abs(dot(w, x) + bias) / sqrt(norm2(w) + bias**2),
    "==",
    Abs(dot(w, x) + bias) / norm(w),
    {w: (1,), bias: -2, x: (4,)},
    given=[Gt(norm2(w), 0)],
    witness={w: (1,), bias: 0, x: (4,)},
    source="perceptron/erratum-001-margin-augmented",
)
false(
    "signed distance is nonnegative",
    (dot(w, z) + bias) / norm(w),
    ">=",
    0,
    {w: (3, 4), bias: -10, z: (0, 0)},
    given=[Gt(norm2(w), 0)],
    witness={w: (3, 4), bias: 10, z: (0, 0)},
    source="perceptron/erratum-004-distance-absolute-value",
)
false(
    "triangle inequality turned round", norm(u + v), ">=", norm(u) + norm(v), {u: (1, 0), v: (0, 1)}
)
false(
    "norm of a difference below the difference of norms",
    norm(u - v),
    "<=",
    norm(u) - norm(v),
    {u: (0, 1), v: (1, 0)},
)
false(
    "Cauchy-Schwarz with squared norms",
    dot(u, v),
    "<=",
    norm2(u) * norm2(v),
    {u: (half,), v: (half,)},
)
false(
    "parallelogram law without its two",
    norm2(u + v) + norm2(u - v),
    "==",
    norm2(u) + norm2(v),
    {u: (1, 0), v: (0, 1)},
)
false(
    "polarisation over two", dot(u, v), "==", (norm2(u + v) - norm2(u - v)) / 2, {u: (1,), v: (1,)}
)
false(
    "acute angle shortens the sum",
    norm2(u + v),
    "<=",
    norm2(u) + norm2(v),
    {u: (1,), v: (1,)},
    given=[Ge(dot(u, v), 0)],
    witness={u: (1, 0), v: (0, 1)},
)
false(
    "squared distances obey no triangle inequality",
    norm2(x - z),
    "<=",
    norm2(x - w) + norm2(w - z),
    {x: (0,), w: (1,), z: (2,)},
    source="discriminant_analysis/erratum-002-mahalanobis-squared",
)
false(
    "Cauchy-Schwarz as an equation",
    dot(u, v) ** 2,
    "==",
    norm2(u) * norm2(v),
    {u: (1, 0), v: (1, 1)},
)
false(
    "bisector orthogonal to both points",
    norm2(x - u),
    "==",
    norm2(x - v),
    {u: (1, 0, 0), v: (0, 2, 0), x: (0, 0, 1)},
    given=[Eq(dot(u, x), 0), Eq(dot(v, x), 0)],
    witness={u: (1, 0, 0), v: (0, 1, 0), x: (0, 0, 1)},
    source="nearest_neighbours/erratum-004-perpendicular-to-both-points",
)
false(
    "projection on a vector that is no unit vector",
    norm2(u - dot(u, v) * v),
    "==",
    norm2(u) - dot(u, v) ** 2,
    {u: (1,), v: (2,)},
)
false(
    "orthogonalisation without normalisation",
    dot(u - dot(u, v) * v, v),
    "==",
    0,
    {u: (1,), v: (2,)},
    source="beyond_pca/erratum-002b-fastica-orthogonalisation",
)
false("scaling a squared norm linearly", norm2(c * u), "==", c * norm2(u), {c: 2, u: (1,)})
false("scaling a norm by a negative number", norm(c * u), "==", c * norm(u), {c: -1, u: (1,)})
false(
    "quadratic kernel without its two",
    (1 + dot(x, z)) ** 2,
    "==",
    1 + dot(x, z) + dot(x, z) ** 2,
    {x: (1,), z: (3,)},
    source="kernels/erratum-004-kernel-expansion",
)
false(
    "Gaussian kernel without its minus",
    exp(norm2(x - z) / (2 * tau**2)),
    "<=",
    1,
    {x: (0,), z: (1,), tau: 1},
    source="kernels/erratum-002b-gaussian-kernel-sign",
)
false(
    "length scale that is a squared length",
    exp(-norm2(C0 * x - C0 * z) / (2 * C0 * tau)),
    "==",
    exp(-norm2(x - z) / (2 * tau)),
    {x: (0,), z: (2,), C0: 100, tau: 2},
    source="kernels/erratum-000-rbf-length-scale",
)
false(
    "steepest descent with a lost sign",
    eta * dot(g * u, v),
    ">=",
    eta * norm(g * u),
    {eta: 1, g: 1, u: (1,), v: (-1,)},
    given=[Eq(norm2(v), 1), Gt(eta, 0)],
    witness={eta: 1, g: 1, u: (1,), v: (1,)},
    source="gradient_descent/erratum-003-delta-e-sign",
)
false(
    "length of a feature scaled by the eigenvalue",
    norm2(lam * v),
    "==",
    lam,
    {lam: 2, v: (1,)},
    given=[Eq(norm2(v), 1)],
    witness={lam: 1, v: (1,)},
    source="principal_components/erratum-002b-pca-feature-scaling",
)
false(
    "orthogonality is transitive",
    dot(u, w),
    "==",
    0,
    {u: (1, 0), v: (0, 1), w: (1, 0)},
    given=[Eq(dot(u, v), 0), Eq(dot(v, w), 0)],
    witness={u: (1, 0, 0), v: (0, 1, 0), w: (0, 0, 1)},
)
false(
    "a longer vector has the larger inner product",
    dot(u, w),
    "<=",
    dot(v, w),
    {u: (0,), v: (-1,), w: (1,)},
    given=[Le(norm2(u), norm2(v))],
    witness={u: (0,), v: (1,), w: (1,)},
)
false(
    "Bessel for vectors that are not orthogonal",
    dot(w, u) ** 2 + dot(w, v) ** 2,
    "<=",
    norm2(w),
    {u: (1,), v: (1,), w: (1,)},
    given=[Eq(norm2(u), 1), Eq(norm2(v), 1)],
    witness={u: (1, 0), v: (0, 1), w: (1, 1)},
)
false(
    "a gradient step never overshoots",
    norm2(w - eta * (w - z)),
    "<=",
    norm2(w),
    {w: (0,), z: (1,), eta: 1},
    given=[Gt(eta, 0)],
    witness={w: (1,), z: (0,), eta: 1},
    source="gradient_descent/erratum-000-gd-guarantee",
)
false(
    "subgradient of the hinge with the wrong sign",
    Max(0, 1 - y * dot(w + h, x)),
    ">=",
    Max(0, 1 - y * dot(w, x)) + y * dot(h, x),
    {w: (0,), h: (1,), x: (1,), y: 1},
    given=[Eq(y**2, 1), Lt(y * dot(w, x), 1)],
    witness={w: (0,), h: (-1,), x: (1,), y: 1},
    source="support_vector_machines/erratum-004-hinge-gradient-sign",
)

# Sums over a sample

false(
    "sum of products as a product of sums",
    Sum(al[i] * be[i], (i, 1, n)),
    "==",
    Sum(al[i], (i, 1, n)) * Sum(be[i], (i, 1, n)),
    {n: 2, al: [1, 1], be: [1, 1]},
)
false(
    "square of a sum termwise",
    Sum(al[i], (i, 1, n)) ** 2,
    "==",
    Sum(al[i] ** 2, (i, 1, n)),
    {n: 2, al: [1, 1]},
)
false(
    "constant added once for all terms",
    Sum(al[i] + c, (i, 1, n)),
    "==",
    Sum(al[i], (i, 1, n)) + c,
    {n: 2, al: [0, 0], c: 1},
)
false(
    "square of the mean above the mean square",
    (Sum(al[i], (i, 1, n)) / n) ** 2,
    ">=",
    Sum(al[i] ** 2, (i, 1, n)) / n,
    {n: 2, al: [1, -1]},
)
false("sum of the first integers", Sum(i, (i, 1, n)), "==", Rational(1, 2) * n**2, {n: 1})
false(
    "one term too many",
    Sum(al[i], (i, 0, n)),
    "==",
    Sum(al[i], (i, 1, n)),
    {n: 1, al: {0: 1, 1: 1}},
)
false("constant summed from zero", Sum(c, (i, 0, n)), "==", n * c, {n: 1, c: 1})
false(
    "double sum collapsed to its diagonal",
    Sum(al[i] * be[j], (i, 1, n), (j, 1, n)),
    "==",
    Sum(al[i] * be[i], (i, 1, n)),
    {n: 2, al: [1, 1], be: [1, 1]},
    source="kernels/erratum-004-hashing-bias",
)
false(
    "delta forgotten",
    Sum(KroneckerDelta(i, j) * al[i] * be[j], (i, 1, n), (j, 1, n)),
    "==",
    Sum(al[i], (i, 1, n)) * Sum(be[j], (j, 1, n)),
    {n: 2, al: [1, 1], be: [1, 1]},
)
false(
    "pairwise squares without the square of the sum",
    Sum((al[i] - al[j]) ** 2, (i, 1, n), (j, 1, n)),
    "==",
    2 * n * Sum(al[i] ** 2, (i, 1, n)),
    {n: 1, al: [1]},
)
false(
    "within-cluster scatter counted once",
    Sum(norm2(xs[i] - xs[j]), (i, 1, n), (j, 1, n)),
    "==",
    n * Sum(norm2(xs[i] - Sum(xs[j], (j, 1, n)) / n), (i, 1, n)),
    {n: 2, xs: [(0,), (2,)]},
    source="clustering/erratum-002b-kmeans-objective",
)
false(
    "any centre is as good as another",
    Sum(norm2(xs[i] - u), (i, 1, n)),
    "<=",
    Sum(norm2(xs[i] - v), (i, 1, n)),
    {n: 1, xs: [(0,)], u: (1,), v: (0,)},
)
false(
    "the mean minimises plain distances",
    Sum(Abs(al[i] - Sum(al[j], (j, 1, n)) / n), (i, 1, n)),
    "<=",
    Sum(Abs(al[i] - c), (i, 1, n)),
    {n: 3, al: [0, 0, 10], c: 0},
    source="clustering/erratum-004-kmeans-unsquared-score",
)
false(
    "edge taken for the error",
    Sum(ws[i] * ys[i] * hs[i], (i, 1, n)),
    "==",
    Sum(ws[i] * indicator(Le(ys[i] * hs[i], 0)), (i, 1, n)),
    {n: 1, ws: [1], ys: [1], hs: [1]},
    given=[for_each(i, 1, n, Eq(ys[i] ** 2, 1)), for_each(i, 1, n, Eq(hs[i] ** 2, 1))],
    witness={n: 2, ws: [2, 1], ys: [1, 1], hs: [1, -1]},
    source="adaboost/erratum-001-adaboost-err",
)
false(
    "weights of right and wrong points with signs swapped",
    Sum(-ys[i] * hs[i] * ws[i], (i, 1, n)),
    "==",
    Sum(ws[i] * indicator(Gt(ys[i] * hs[i], 0)), (i, 1, n))
    - Sum(ws[i] * indicator(Lt(ys[i] * hs[i], 0)), (i, 1, n)),
    {n: 1, ws: [1], ys: [1], hs: [1]},
    given=[for_each(i, 1, n, Eq(ys[i] ** 2, 1)), for_each(i, 1, n, Eq(hs[i] ** 2, 1))],
    witness={n: 2, ws: [1, 1], ys: [1, 1], hs: [1, -1]},
    source="adaboost/erratum-000-half-weight-sign",
)
false(
    "Cauchy-Schwarz against ones without n",
    Sum(al[i], (i, 1, n)) ** 2,
    "<=",
    Sum(al[i] ** 2, (i, 1, n)),
    {n: 2, al: [1, 1]},
)
false(
    "one-norm below the two-norm",
    Sum(Abs(al[i]), (i, 1, n)),
    "<=",
    sqrt(Sum(al[i] ** 2, (i, 1, n))),
    {n: 2, al: [1, 1]},
)
false(
    "weights divided by their norm",
    Sum(ws[i], (i, 1, n)) / sqrt(Sum(ws[i] ** 2, (i, 1, n))),
    "==",
    1,
    {n: 2, ws: [3, 4]},
    source="beyond_pca/erratum-002b-lle-normalisation",
)
false(
    "penalty divided by the running index",
    Sum(lam / i, (i, 1, n)),
    "==",
    lam,
    {n: 2, lam: 1},
    source="gradient_descent/erratum-004-sgd-lambda-over-n",
)
false(
    "constraint inside the sum",
    Sum(al[i] * log(ws[i]) + lam * (ws[i] ** 2 - 1), (i, 1, n)),
    "==",
    Sum(al[i] * log(ws[i]), (i, 1, n)) + lam * (Sum(ws[i] ** 2, (i, 1, n)) - 1),
    {n: 2, al: [0, 0], ws: [1, 1], lam: 1},
    source="convex_duality/erratum-004-lagrangian-missing-sum",
)
false(
    "multiplier with the sign of the wrong side",
    Sum(al[i], (i, 1, n)) / (2 * lam),
    "==",
    1,
    {n: 1, al: [2], lam: -1},
    given=[Eq(lam, -Sum(al[i], (i, 1, n)) / 2), Ne(lam, 0)],
    witness={n: 1, al: [2], lam: -1},
    source="convex_duality/erratum-004-constraint-sum-sign",
)
false(
    "expectation without its weight",
    Sum(al[i], (i, 1, n)),
    "==",
    Sum(al[i], (i, 1, n)) / n,
    {n: 2, al: [1, 1]},
    source="maximum_entropy/erratum-004-expectation-missing-weight",
)
false(
    "pairwise costs of unbalanced classes",
    Sum((al[i] + al[j]) ** 2, (i, 1, n), (j, 1, n)),
    "==",
    4 * Sum(al[i] ** 2, (i, 1, n)) * n,
    {n: 2, al: [1, 0]},
    source="reductions/erratum-004-ava-balanced-classes",
)
false(
    "quotient pulled out of the sum",
    Sum(al[i] * be[i] / ws[i], (i, 1, n)),
    "==",
    Sum(al[i] * be[i], (i, 1, n)) / Sum(ws[i], (i, 1, n)),
    {n: 2, al: [1, 1], be: [1, 1], ws: [1, 1]},
    source="beyond_pca/erratum-002b-nmf-parentheses",
)
false(
    "kernel regression that averages the kernel",
    Sum(al[i] * ws[i], (i, 1, n)) / Sum(ws[j], (j, 1, n)),
    "==",
    Sum(ws[i] ** 2, (i, 1, n)) / Sum(ws[j], (j, 1, n)),
    {n: 1, al: [2], ws: [1]},
    source="kernels/erratum-002b-kernel-regression-weights",
)
false(
    "difference of histograms vanishes when squared",
    Sum((ps[i] - qs[i]) ** 2, (i, 1, n)),
    "==",
    0,
    {n: 2, ps: [quarter, 3 * quarter], qs: [half, half]},
    given=[Eq(Sum(ps[i], (i, 1, n)), 1), Eq(Sum(qs[i], (i, 1, n)), 1)],
    witness={n: 1, ps: [1], qs: [1]},
    source="density_estimation/erratum-002-cv-bin-width-square",
)
false(
    "responsibilities with the wrong subscript",
    Sum(ps[k] * phi[k, k] / Sum(ps[r] * phi[r, k], (r, 1, K)), (k, 1, K)),
    "==",
    1,
    {K: 2, ps: [half, half], phi: [[1, 1], [2, 1]]},
    source="mixtures_and_em/erratum-002b-em-gamma-subscripts",
)
false(
    "marginal without its sum",
    Sum(ps[k] * phi[k, 1], (k, 1, K)),
    "==",
    ps[1] * phi[1, 1],
    {K: 2, ps: [half, half], phi: [[1], [1]]},
    source="mixtures_and_em/erratum-002b-em-missing-sum",
)
false(
    "normal equations of regression with one equation",
    Sum(ys[i] - c * al[i], (i, 1, n)),
    "==",
    0,
    {n: 2, al: [1, 2], ys: [1, 1], c: Rational(3, 5)},
    given=[Eq(Sum((ys[i] - c * al[i]) * al[i], (i, 1, n)), 0)],
    witness={n: 1, al: [1], ys: [1], c: 1},
    source="robust_regression/erratum-002b-regression-psi-missing-x",
)
false(
    "fitted values equal the observed ones",
    Sum((ys[i] - c) ** 2, (i, 1, n)),
    "==",
    0,
    {n: 2, ys: [0, 2], c: 1},
    given=[Eq(c, Sum(ys[i], (i, 1, n)) / n)],
    witness={n: 1, ys: [1], c: 1},
    source="least_squares/erratum-001-prediction-symbol",
)
false(
    "sum with the index of the first point",
    Sum(be[1] * al[1], (i, 1, n)),
    "==",
    Sum(al[i] * be[i], (i, 1, n)),
    {n: 2, al: [1, 0], be: [1, 0]},
    source="least_squares/erratum-001-sum-index",
)
false(
    "inner limits forgotten",
    Sum(Sum(al[j], (j, 1, i)), (i, 1, n)),
    "==",
    n * Sum(al[i], (i, 1, n)),
    {n: 2, al: [0, 1]},
)
false(
    "weighted sums ordered by unweighted ones",
    Sum(ws[i] * al[i], (i, 1, n)),
    "<=",
    Sum(ws[i] * be[i], (i, 1, n)),
    {n: 2, ws: [2, 1], al: [1, 0], be: [0, 1]},
    given=[Le(Sum(al[i], (i, 1, n)), Sum(be[i], (i, 1, n)))],
    witness={n: 1, ws: [1], al: [0], be: [1]},
)
false(
    "total slack counts the violations",
    Sum(indicator(Gt(es[i], 0)), (i, 1, n)),
    "<=",
    Sum(es[i], (i, 1, n)),
    {n: 1, es: [half]},
    given=[for_each(i, 1, n, Ge(es[i], 0))],
    witness={n: 1, es: [1]},
    source="support_vector_machines/erratum-000-c-fewer-violations",
)
false(
    "Chebyshev's sum inequality without order",
    Sum(al[i], (i, 1, n)) * Sum(be[i], (i, 1, n)),
    "<=",
    n * Sum(al[i] * be[i], (i, 1, n)),
    {n: 2, al: [0, 1], be: [1, 0]},
)
false(
    "empty start of a telescoping sum",
    Sum(al[i + 1] - al[i], (i, 1, n)),
    "==",
    al[n],
    {n: 1, al: {1: 1, 2: 3}},
)

# Exponentials and logarithms

false(
    "exponential of a sum over a sample",
    Sum(exp(al[i]), (i, 1, n)),
    "==",
    exp(Sum(al[i], (i, 1, n))),
    {n: 2, al: [0, 0]},
)
false(
    "logarithm of a sum as a sum of logarithms",
    log(Sum(ws[i], (i, 1, n))),
    "==",
    Sum(log(ws[i]), (i, 1, n)),
    {n: 2, ws: [1, 1]},
)
false(
    "Jensen for the logarithm turned round",
    log(Sum(ps[i] * ws[i], (i, 1, n))),
    "<=",
    Sum(ps[i] * log(ws[i]), (i, 1, n)),
    {n: 2, ps: [half, half], ws: [1, 4]},
    given=[Eq(Sum(ps[i], (i, 1, n)), 1)],
    witness={n: 1, ps: [1], ws: [1]},
)
false(
    "lower bound that forgets the entropy",
    log(Sum(ws[i], (i, 1, n))),
    "==",
    Sum(qs[i] * log(ws[i]), (i, 1, n)),
    {n: 2, ws: [1, 1], qs: [half, half]},
    given=[Eq(Sum(qs[i], (i, 1, n)), 1)],
    witness={n: 1, ws: [2], qs: [1]},
    source="mixtures_and_em/erratum-004-jensen-entropy",
)
false(
    "bound that is tight for every q",
    log(Sum(ws[i], (i, 1, n))),
    "==",
    Sum(qs[i] * log(ws[i] / qs[i]), (i, 1, n)),
    {n: 2, ws: [1, 2], qs: [half, half]},
    given=[Eq(Sum(qs[i], (i, 1, n)), 1)],
    witness={n: 1, ws: [2], qs: [1]},
)
false(
    "divergence with the ratio upside down",
    Sum(qs[i] * log(ps[i] / qs[i]), (i, 1, n)),
    ">=",
    0,
    {n: 2, ps: [quarter, 3 * quarter], qs: [half, half]},
    given=[Eq(Sum(ps[i], (i, 1, n)), 1), Eq(Sum(qs[i], (i, 1, n)), 1)],
    witness={n: 1, ps: [1], qs: [1]},
)
false(
    "divergence is symmetric",
    Sum(ps[i] * log(ps[i] / qs[i]), (i, 1, n)),
    "==",
    Sum(qs[i] * log(qs[i] / ps[i]), (i, 1, n)),
    {n: 2, ps: [quarter, 3 * quarter], qs: [half, half]},
    given=[Eq(Sum(ps[i], (i, 1, n)), 1), Eq(Sum(qs[i], (i, 1, n)), 1)],
    witness={n: 1, ps: [1], qs: [1]},
    source="beyond_pca/erratum-002b-ica-kl-order",
)
false(
    "entropy above the logarithm of the alphabet",
    -Sum(ps[i] * log(ps[i]), (i, 1, n)),
    ">=",
    log(n),
    {n: 2, ps: [quarter, 3 * quarter]},
    given=[Eq(Sum(ps[i], (i, 1, n)), 1)],
    witness={n: 2, ps: [half, half]},
)
false(
    "Pinsker with twice the constant",
    q * log(q / s) + (1 - q) * log((1 - q) / (1 - s)),
    ">=",
    4 * (q - s) ** 2,
    {q: half, s: Rational(3, 5)},
    given=[Gt(q, 0), Lt(q, 1), Gt(s, 0), Lt(s, 1)],
    witness={q: half, s: half},
)
false("one minus u above its exponential", 1 - a, ">=", exp(-a), {a: 1})
false("second-order Taylor bound for every sign", exp(a), "<=", 1 + a + a**2 / 2, {a: 1})
false("logarithm above its tangent", log(1 + A0), ">=", A0, {A0: 1})
false("lower and upper bound of the logarithm swapped", log(A0), "<=", 1 - 1 / A0, {A0: 2})
false("maximum above log-sum-exp", log(exp(a) + exp(b)), "<=", Max(a, b), {a: 0, b: 0})
false(
    "log-sum-exp always a log two above",
    log(exp(a) + exp(b)),
    ">=",
    Max(a, b) + log(2),
    {a: 0, b: 1},
)
false(
    "hyperbolic cosine with too small a rate",
    (exp(s) + exp(-s)) / 2,
    "<=",
    exp(s**2 / 4),
    {s: 1},
    source="classic",
)
false(
    "Gumbel link sums to one",
    exp(-exp(-s)) + exp(-exp(s)),
    "==",
    1,
    {s: 1},
    source="logistic_regression/erratum-004-any-squashing-function",
)
false(
    "natural logistic loss bounds the 0-1 loss",
    log(1 + exp(-m)),
    ">=",
    indicator(Le(m, 0)),
    {m: 0},
    source="logistic_regression/erratum-004-logistic-base-two",
)
false(
    "logistic argument without its two",
    1 / (1 + exp(-2 * s)),
    "==",
    1 / (1 + exp(-s)),
    {s: 1},
    source="logistic_regression/erratum-002-logistic-weight-underbrace",
)
false(
    "truncated hyperbolic tangent",
    (exp(s) - exp(-s)) / (exp(s) + exp(-s)),
    "==",
    2 * s / (2 + s**2),
    {s: 1},
    source="logistic_regression/erratum-003-tanh-denominator",
)
false(
    "normaliser with the wrong sign",
    -Sum(log(nu**2 * exp(-(rs[i] ** 2) / (2 * sigma**2))), (i, 1, n)),
    "==",
    Sum(rs[i] ** 2, (i, 1, n)) / (2 * sigma**2) + n * log(nu**2),
    {n: 1, nu: 2, rs: [0], sigma: 1},
    given=[Ne(nu, 0)],
    witness={n: 1, nu: 1, rs: [0], sigma: 1},
    source="least_squares/erratum-002-gaussian-nll-constant",
)
false(
    "negative log density without its half",
    -log(exp(-((t - s) ** 2) / (2 * sigma**2))),
    "==",
    (t - s) ** 2 / sigma**2,
    {t: 1, s: 0, sigma: 1},
    source="robust_regression/erratum-002b-gaussian-rho-half",
)
false(
    "likelihood taken for its logarithm",
    Product(exp(al[i]), (i, 1, n)),
    "==",
    Sum(al[i], (i, 1, n)),
    {n: 1, al: [0]},
    source="naive_bayes/erratum-004-bernoulli-log-missing",
)
false(
    "all points have the density of the first",
    Product(ws[i], (i, 1, n)),
    "==",
    ws[1] ** n,
    {n: 2, ws: [1, 2]},
    source="model_assessment/erratum-002-training-set-density",
)
false(
    "AdaBoost weight without its half",
    e * exp(a) + (1 - e) * exp(-a),
    "==",
    2 * sqrt(e * (1 - e)),
    {e: quarter, a: log(3)},
    given=[Gt(e, 0), Lt(e, half), Eq(exp(a), (1 - e) / e)],
    witness={e: quarter, a: log(3)},
    source="adaboost/erratum-004-adaboost-half",
)
false(
    "normaliser with a lost line",
    (1 - e) * exp(-a) * exp(a) * e,
    "==",
    e * exp(a) + (1 - e) * exp(-a),
    {e: quarter, a: 0},
    given=[Gt(e, 0), Lt(e, 1)],
    witness={e: quarter, a: 1},
    source="adaboost/erratum-000-adaboost-step3-lost-term",
)
false(
    "exponential loss without its minus",
    indicator(Le(y * f, 0)),
    "<=",
    exp(y * f),
    {y: 1, f: -1},
    source="adaboost/erratum-002b-adaboost-exp-sign",
)
false(
    "best classifier whatever the sign of its weight",
    (exp(b) - exp(-b)) * s,
    "<=",
    (exp(b) - exp(-b)) * t,
    {b: -1, s: 0, t: 1},
    given=[Le(s, t)],
    witness={b: 1, s: 0, t: 1},
    source="adaboost/erratum-002b-adaboost-beta-positive",
)
false(
    "edges that shrink are enough",
    sqrt(1 - 4 * g**2),
    "<=",
    1 - 2 * g,
    {g: quarter},
    given=[Gt(g, 0), Lt(g, half)],
    witness={g: quarter},
    source="pac_learning/erratum-004-weak-learning-edge",
)
false(
    "Hoeffding without the factor one over n",
    exp(-2 * n * tau**2 / Sum((al[i] - be[i]) ** 2, (i, 1, n))),
    "==",
    exp(-2 * n**2 * tau**2 / Sum((al[i] - be[i]) ** 2, (i, 1, n))),
    {n: 2, tau: 1, al: [1, 1], be: [0, 0]},
    given=[Gt(Sum((al[i] - be[i]) ** 2, (i, 1, n)), 0)],
    witness={n: 1, tau: 1, al: [1], be: [0]},
    source="concentration/erratum-000-hoeffding-one-over-n",
)
false(
    "two tails for the price of one",
    indicator(Ge(Abs(a), t)),
    "<=",
    exp(s * a - s * t),
    {a: -2, t: 1, s: 1},
    given=[Gt(s, 0), Gt(t, 0)],
    witness={a: 2, t: 1, s: 1},
    source="concentration/erratum-000-large-deviations",
)
false(
    "power above its exponential bound",
    (1 - q) ** n,
    ">=",
    exp(-q * n),
    {q: half, n: 1},
    given=[Gt(q, 0), Lt(q, 1)],
    witness={q: half, n: 1},
)
false(
    "PAC sample size turned round",
    tau,
    "<=",
    sqrt(2 * C0 / n),
    {tau: 1, C0: 1, n: 8},
    given=[Ge(n, 2 * C0 / tau**2)],
    witness={tau: 1, C0: 1, n: 2},
    source="pac_learning/erratum-000-pac-inequality-direction",
)
false(
    "maximum entropy normalised by e",
    Sum(exp(-al[k] - 1), (k, 1, K)),
    "==",
    1,
    {K: 2, al: [0, 0]},
    source="maximum_entropy/erratum-004-maxent-one-over-e",
)
false(
    "summed stationarity taken pointwise",
    log(ws[1]) + 1,
    "==",
    0,
    {K: 2, ws: [1, exp(-2)]},
    given=[Eq(Sum(log(ws[k]) + 1, (k, 1, K)), 0)],
    witness={K: 1, ws: [exp(-1)]},
    source="maximum_entropy/erratum-004-maxent-derivative-sums",
)
false(
    "log-odds without the prior",
    log(A0 * B0 / (C0 * D0)),
    "==",
    log(A0 / C0),
    {A0: 1, B0: 1, C0: 1, D0: 3},
    source="naive_bayes/erratum-004-llr-versus-log-odds",
)
false("harmonic sum below the logarithm", Sum(1 / i, (i, 1, n)), "<=", log(n), {n: 1})
false("exponential of a product", exp(a * b), "==", exp(a) * exp(b), {a: 1, b: 1})
false(
    "exponential is convex the wrong way",
    exp((a + b) / 2),
    ">=",
    (exp(a) + exp(b)) / 2,
    {a: 0, b: 2},
)
false("difference of exponentials below the difference", exp(a) - exp(b), "<=", a - b, {a: 2, b: 0})
false("logarithm of a difference", log(A0 + B0) - log(B0), "==", log(A0), {A0: 1, B0: 2})
false(
    "binary entropy above its quadratic bound",
    -q * log(q) - (1 - q) * log(1 - q),
    ">=",
    4 * q * (1 - q),
    {q: half},
    given=[Gt(q, 0), Lt(q, 1)],
    witness={q: half},
)
false("soft maximum below the mean", log((exp(a) + exp(b)) / 2), "<=", (a + b) / 2, {a: 0, b: 2})
false(
    "one over the logarithm is convex below one",
    1 / log((s + t) / 2),
    "<=",
    (1 / log(s) + 1 / log(t)) / 2,
    {s: Rational(3, 10), t: Rational(7, 10)},
    given=[Gt(s, 0), Lt(s, 1), Gt(t, 0), Lt(t, 1)],
    witness={s: half, t: half},
    source="convex_duality/erratum-004-one-over-log",
)

# Means, products, probabilities

false("geometric above arithmetic mean", sqrt(A0 * B0), ">=", (A0 + B0) / 2, {A0: 1, B0: 4})
false("harmonic above geometric mean", 2 * A0 * B0 / (A0 + B0), ">=", sqrt(A0 * B0), {A0: 1, B0: 4})
false("Young with too small a constant", a * b, "<=", a**2 / 2 + b**2 / 4, {a: 1, b: 1})
false("root is subtractive", sqrt(A0 + B0), "==", sqrt(A0) + sqrt(B0), {A0: 1, B0: 1})
false("Bernoulli's inequality turned round", (1 + A0) ** n, "<=", 1 + n * A0, {A0: 1, n: 2})
false("union bound as an equation", 1 - (1 - q) * (1 - s), "==", q + s, {q: half, s: half})
false(
    "product below one plus the sum",
    Product(1 + ws[i], (i, 1, n)),
    "<=",
    1 + Sum(ws[i], (i, 1, n)),
    {n: 2, ws: [1, 1]},
)
false(
    "product of complements below one minus the sum",
    Product(1 - es[i], (i, 1, n)),
    "<=",
    1 - Sum(es[i], (i, 1, n)),
    {n: 2, es: [half, half]},
    given=[for_each(i, 1, n, Ge(es[i], 0)), for_each(i, 1, n, Le(es[i], 1))],
    witness={n: 1, es: [half]},
)
false(
    "guaranteed detection rate taken for the rate",
    Product(1 - es[i], (i, 1, n)),
    "==",
    (1 - e) ** n,
    {n: 1, es: [0], e: half},
    given=[for_each(i, 1, n, Le(es[i], e)), Lt(e, 1)],
    witness={n: 1, es: [half], e: half},
    source="adaboost/erratum-002b-cascade-tpr",
)
false(
    "variance of an average with two forms mixed",
    (1 - rho) / n * sigma**2 + (n - 1) * rho * sigma**2 / n,
    "==",
    sigma**2 / n + (n - 1) * rho * sigma**2 / n,
    {n: 1, rho: half, sigma: 1},
    source="bagging_and_forests/erratum-002b-ensemble-variance",
)
false(
    "averaging always beats the correlation",
    sigma**2 / n + (n - 1) * rho * sigma**2 / n,
    "<=",
    sigma**2 / n,
    {n: 2, rho: 1, sigma: 1},
    source="bagging_and_forests/erratum-004-bagging-variance-hypotheses",
)
false(
    "Markov at a negative threshold",
    Sum(ws[i] * indicator(Ge(al[i], t)), (i, 1, n)),
    "<=",
    Sum(ws[i] * al[i], (i, 1, n)) / t,
    {n: 1, ws: [1], al: [1], t: -1},
    given=[for_each(i, 1, n, Ge(al[i], 0)), Eq(Sum(ws[i], (i, 1, n)), 1), Ne(t, 0)],
    witness={n: 1, ws: [1], al: [1], t: 1},
    source="concentration/erratum-000-markov-positive-t",
)
false(
    "Markov through a square on the whole line",
    indicator(Ge(a, t)),
    "<=",
    a**2 / t**2,
    {a: 0, t: -2},
    given=[Ne(t, 0)],
    witness={a: 2, t: 1},
    source="concentration/erratum-000-markov-functions-positive",
)
false(
    "Chebyshev without its minus",
    Sum(ws[i] * indicator(Ge(Abs(al[i] * c), t)), (i, 1, n)),
    "<=",
    Sum(ws[i] * (al[i] - c) ** 2, (i, 1, n)) / t**2,
    {n: 1, ws: [1], al: [10], c: 10, t: 5},
    given=[Eq(Sum(ws[i], (i, 1, n)), 1), Eq(Sum(ws[i] * al[i], (i, 1, n)), c), Gt(t, 0)],
    witness={n: 1, ws: [1], al: [0], c: 0, t: 1},
    source="concentration/erratum-000-chebyshev-minus",
)
false(
    "mean of reciprocals",
    Sum(ws[i] / vs[i], (i, 1, n)),
    "==",
    1 / Sum(ws[i] * vs[i], (i, 1, n)),
    {n: 2, ws: [half, half], vs: [1, 2]},
    given=[Eq(Sum(ws[i], (i, 1, n)), 1)],
    witness={n: 1, ws: [1], vs: [2]},
)
false(
    "overlapping blocks still sum to one",
    q**2 + (1 - q) ** 2,
    "==",
    1,
    {q: half},
    source="naive_bayes/erratum-002-posterior-factorisation-disjoint-y",
)
false(
    "pairwise ratio taken for the odds",
    A0 / B0,
    "==",
    A0 / (1 - A0),
    {A0: half, B0: quarter},
    given=[Lt(A0 + B0, 1)],
    witness={A0: quarter, B0: half},
    source="bayes_decisions/erratum-002-odds-vs-pairwise-ratio",
)
false(
    "error of a threshold with wrong limits",
    1 - t + t**2 / 2,
    "==",
    quarter + (t - half) ** 2,
    {t: half},
    source="bayes_decisions/erratum-002-threshold-integral",
)
false(
    "loss ratio upside down",
    A0 * (1 - q),
    "<=",
    B0 * q,
    {A0: 4, B0: 1, q: half},
    given=[Gt(q, 0), Lt(q, 1), Gt(q / (1 - q), B0 / A0)],
    witness={A0: 1, B0: 1, q: 3 * quarter},
    source="bayes_decisions/erratum-002b-risk-lnp",
)
false(
    "specificity taken for precision",
    A0 / (A0 + B0),
    "==",
    C0 / (C0 + B0),
    {A0: 8, B0: 90, C0: 900},
    source="model_assessment/erratum-004-sensitivity-specificity",
)
false(
    "nearest neighbour errs exactly twice as often",
    1 - q**2 - (1 - q) ** 2,
    "==",
    2 * Min(q, 1 - q),
    {q: quarter},
    given=[Ge(q, 0), Le(q, 1)],
    witness={q: 0},
    source="nearest_neighbours/erratum-002-nn-limit-equality",
)
false(
    "cost factor below one",
    tau * q + 1 - q,
    "<=",
    tau,
    {tau: half, q: half},
    given=[Ge(q, 0), Le(q, 1)],
    witness={tau: 2, q: half},
    source="reductions/erratum-004-alpha-at-least-one",
)
false(
    "the cost factor is attained",
    tau * q + 1 - q,
    ">=",
    tau,
    {tau: 2, q: half},
    given=[Ge(q, 0), Le(q, 1), Gt(tau, 1)],
    witness={tau: 2, q: 1},
    source="reductions/erratum-004-subsampling-cannot-do-better",
)
false(
    "error of a tree from the average of its nodes",
    A0 + B0,
    "<=",
    2 * (A0 + B0 + C0) / 3,
    {A0: 3, B0: 1, C0: 1},
    source="reductions/erratum-004-tree-average-error",
)
false(
    "density gain without its one",
    q**2 / t + (1 - q) ** 2 / (1 - t),
    "==",
    (q - t) ** 2 / (t * (1 - t)),
    {q: half, t: half},
    given=[Gt(t, 0), Lt(t, 1)],
    witness={q: half, t: quarter},
    source="density_estimation/erratum-002-density-tree-loss-sign",
)
false(
    "mass of a child relative to its parent",
    (A0 / B0) ** 2 / tau,
    "==",
    (A0 / (B0 + C0)) ** 2 / tau,
    {A0: 1, B0: 1, C0: 1, tau: 1},
    source="density_estimation/erratum-002-density-tree-mass-normalisation",
)
false(
    "sampling without replacement",
    k * (k - 1) / (n * (n - 1)),
    "==",
    k**2 / n**2,
    {k: 1, n: 2},
    given=[Gt(n, 1)],
    witness={k: 2, n: 2},
    source="robust_regression/erratum-002b-ransac-without-replacement",
)
false(
    "bin probability times its width",
    tau * q,
    "==",
    q,
    {tau: half, q: 1},
    source="density_estimation/erratum-002-bin-probability-times-width",
)
false(
    "product of fractions",
    A0 / B0 + C0 / D0,
    "==",
    (A0 + C0) / (B0 + D0),
    {A0: 1, B0: 1, C0: 1, D0: 1},
)
false("one over a sum", 1 / (A0 + B0), "==", 1 / A0 + 1 / B0, {A0: 1, B0: 1})
false(
    "geometric sum with the wrong exponent",
    (1 - tau) * Sum(tau**i, (i, 0, n)),
    "==",
    1 - tau**n,
    {tau: half, n: 1},
)

# Expectations

false(
    "variance as a product",
    E((S - E(S)) ** 2),
    "==",
    E(S**2) * E(S) ** 2,
    {S: [(0, half), (2, half)]},
    source="concentration/erratum-000-variance-minus",
)
false(
    "bias in place of its square",
    E((S - c) ** 2),
    "==",
    E((S - E(S)) ** 2) + (E(S) - c),
    {S: [(0, 1)], c: 2},
    source="model_assessment/erratum-002-bias-squared",
)
false(
    "expectation of a product of dependent variables",
    E(S * T),
    "==",
    E(S) * E(T),
    {(S, T): [((0, 0), half), ((1, 1), half)]},
    source="semi_supervised/erratum-004-cotraining-independence",
)
false(
    "variances of dependent variables add",
    E((S + T - E(S) - E(T)) ** 2),
    "==",
    E((S - E(S)) ** 2) + E((T - E(T)) ** 2),
    {(S, T): [((0, 0), half), ((1, 1), half)]},
)
false(
    "square of the mean is the mean square", E(S**2), "==", E(S) ** 2, {S: [(0, half), (2, half)]}
)
false(
    "variance scales linearly",
    E((c * S - c * E(S)) ** 2),
    "==",
    c * E((S - E(S)) ** 2),
    {S: [(0, half), (2, half)], c: 2},
)
false("expectation shifts like a variance", E(S + c), "==", E(S), {S: [(0, 1)], c: 1})
false(
    "exponential of the mean above the mean exponential",
    E(exp(S)),
    "<=",
    exp(E(S)),
    {S: [(0, half), (2, half)]},
)
false(
    "averaging does not reduce the variance",
    E((Sum(Xi[i], (i, 1, n)) / n - c) ** 2),
    "==",
    sigma**2,
    {n: 2, Xi: [[(-1, half), (1, half)], [(-1, half), (1, half)]], c: 0, sigma: 1},
    given=[
        independent_family(Xi),
        for_each(i, 1, n, Eq(E(Xi[i]), c)),
        for_each(i, 1, n, Eq(E((Xi[i] - c) ** 2), sigma**2)),
    ],
    witness={n: 1, Xi: [[(-1, half), (1, half)]], c: 0, sigma: 1},
)
false(
    "maximum-likelihood variance is unbiased",
    E(Sum((Xi[i] - Sum(Xi[j], (j, 1, n)) / n) ** 2, (i, 1, n)) / n),
    "==",
    sigma**2,
    {n: 1, Xi: [[(-1, half), (1, half)]], c: 0, sigma: 1},
    given=[
        independent_family(Xi),
        for_each(i, 1, n, Eq(E(Xi[i]), c)),
        for_each(i, 1, n, Eq(E((Xi[i] - c) ** 2), sigma**2)),
    ],
    witness={n: 1, Xi: [[(-1, half), (1, half)]], c: 0, sigma: 1},
    source="model_assessment/erratum-000-ml-low-bias",
)
false(
    "second moment of a sum of variables that are not centred",
    E(Sum(Xi[i], (i, 1, n)) ** 2),
    "==",
    Sum(E(Xi[i] ** 2), (i, 1, n)),
    {n: 2, Xi: [[(1, 1)], [(1, 1)]]},
    given=[independent_family(Xi)],
    witness={n: 1, Xi: [[(1, 1)]]},
)
false(
    "both tails with the atom counted twice",
    P(Le(S, t)) + P(Ge(S, t)),
    "==",
    1,
    {S: [(0, 1)], t: 0},
)
false(
    "Markov as an equation",
    P(Ge(S, t)),
    "==",
    E(S) / t,
    {S: [(0, 1)], t: -1},
    given=[Ne(t, 0)],
    witness={S: [(1, 1)], t: 1},
)
false("probability of a smaller event", P(Ge(S, 1)), "<=", P(Ge(S, 2)), {S: [(1, 1)]})
false("mean of an absolute value", E(Abs(S)), "==", Abs(E(S)), {S: [(-1, half), (1, half)]})
false("mean of a maximum", E(Max(S, 0)), "<=", Max(E(S), 0), {S: [(-1, half), (1, half)]})
false(
    "covariance of a variable with itself",
    E(S * T) - E(S) * E(T),
    ">=",
    0,
    {(S, T): [((0, 1), half), ((1, 0), half)]},
)
false(
    "conditional average over the same responses",
    E((S - T) ** 2),
    "==",
    E(S**2) + E(T**2),
    {S: [(1, 1)], T: [(1, 1)]},
    source="model_assessment/erratum-002b-err-in-independent-copy",
)

# Convexity and declared functions

convex = function("convex_f", convex=True)
rising = function("rising_f", increasing=True)
false(
    "convexity turned round",
    convex((a + b) / 2),
    ">=",
    (convex(a) + convex(b)) / 2,
    {a: -1, b: 1, "convex_f": lambda r: r * r},
)
false(
    "increasing functions ignore their argument",
    rising(a),
    "<=",
    rising(b),
    {a: 1, b: 0, "rising_f": lambda r: r},
)
false(
    "convex functions are subadditive",
    convex(a + b),
    "<=",
    convex(a) + convex(b),
    {a: 1, b: 1, "convex_f": lambda r: r * r},
)
false(
    "convex functions are positively homogeneous",
    convex(2 * a),
    "==",
    2 * convex(a),
    {a: 1, "convex_f": lambda r: r * r},
)
false(
    "convex combination with weights that do not sum to one",
    convex(q * a + s * b),
    "<=",
    q * convex(a) + s * convex(b),
    {q: 2, s: 2, a: 1, b: 1, "convex_f": lambda r: r * r},
    given=[Ge(q, 0), Ge(s, 0)],
    witness={q: half, s: half, a: 1, b: 1, "convex_f": lambda r: r * r},
)
false(
    "multiplier zero means inactive",
    f,
    "<",
    0,
    {f: 0, lam: 0},
    given=[Le(f, 0), Eq(lam, 0), Eq(lam * f, 0)],
    witness={f: -1, lam: 0},
    source="convex_duality/erratum-000-inactive-zero-multiplier",
)
false(
    "dual bound without a sign on the multiplier",
    -(lam**2) / 4 - lam,
    "<=",
    0,
    {lam: -2},
    source="convex_duality/erratum-000-dual-lambda-nonneg",
)
false(
    "stationarity with the wrong power",
    -a / t**2,
    "==",
    2 * lam * t,
    {a: 2, t: 2, lam: -quarter},
    given=[Ne(t, 0), Eq(a / t + 2 * lam * t, 0)],
    witness={a: 1, t: 1, lam: -half},
    source="convex_duality/erratum-004-theta-squared-line",
)
false(
    "on the margin the multiplier is positive",
    a,
    ">",
    0,
    {a: 0, m: 1, C0: 1},
    given=[Ge(a, 0), Le(a, C0), Eq(m, 1), Eq(a * (m - 1), 0)],
    witness={a: half, m: 1, C0: 1},
    source="support_vector_machines/erratum-002b-kkt-margin-case",
)
false(
    "derivative in a multiplier vanishes",
    m - 1 + xi,
    "==",
    0,
    {m: 3, xi: 0, a: 0},
    given=[Ge(a, 0), Ge(xi, 0), Ge(m - 1 + xi, 0), Eq(a * (m - 1 + xi), 0)],
    witness={m: 1, xi: 0, a: 1},
    source="support_vector_machines/erratum-002b-kkt-dual-gradient",
)
false(
    "ridge solution with twice the penalty",
    (t - s * (s * t / (s**2 + tau))) ** 2 + tau / 2 * (s * t / (s**2 + tau)) ** 2,
    "<=",
    (t - s * c) ** 2 + tau / 2 * c**2,
    {s: 1, t: 1, tau: 2, c: half},
    source="regularised_least_squares/erratum-000-ridge-factor-two",
)
false(
    "a penalty that costs nothing",
    norm2(c * w),
    "==",
    norm2(w),
    {c: half, w: (1,)},
    given=[Gt(c, 0)],
    witness={c: 1, w: (1,)},
    source="regularised_least_squares/erratum-004-zero-one-scale-invariant",
)
false(
    "squares that are never positive",
    c**2,
    "<=",
    0,
    {c: half},
    source="convex_duality/erratum-004-theta-square-nonpositive",
)
false(
    "concave quadratic below its minimum",
    s**2 - t**2,
    ">=",
    0,
    {s: 0, t: 1},
    source="least_squares/erratum-001-quadratic-minimum",
)
false(
    "gradient step of any length descends",
    (t - 2 * eta * t) ** 2,
    "<=",
    t**2,
    {t: 1, eta: 2},
    given=[Gt(eta, 0)],
    witness={t: 1, eta: half},
)
false(
    "difference printed for a product",
    (a - g) - b,
    "==",
    -(a - g) * b,
    {a: 1, g: 0, b: 0},
    source="neural_networks/erratum-004-backprop-minus-for-times",
)
false(
    "affine taken for linear",
    c * (a + b) + e,
    "==",
    (c * a + e) + (c * b + e),
    {c: 1, a: 1, b: 1, e: 1},
    source="convex_duality/erratum-000-affine-linear",
)

# Indicators, maxima, absolute values

false(
    "hinge with its cases reversed",
    Max(0, 1 - m),
    "==",
    Min(0, 1 - m),
    {m: 0},
    source="support_vector_machines/erratum-004-hinge-cases",
)
false(
    "correct points pay no slack",
    Max(0, 1 - m),
    "==",
    0,
    {m: half},
    given=[Gt(m, 0)],
    witness={m: 1},
    source="support_vector_machines/erratum-002b-slack-correctly-classified",
)
false(
    "squared hinge above the hinge",
    Max(0, 1 - m) ** 2,
    ">=",
    Max(0, 1 - m),
    {m: half},
    source="support_vector_machines/erratum-002b-squared-hinge-smooth",
)
false(
    "Huber weight from the loss",
    (2 * tau * Abs(a) - tau**2) / a**2,
    "==",
    tau / Abs(a),
    {tau: 1, a: 2},
    given=[Gt(Abs(a), tau)],
    witness={tau: 1, a: 2},
    source="robust_regression/erratum-002b-huber-weight",
)
false(
    "biweight below its parabola",
    1 - (1 - a**2) ** 3,
    "<=",
    a**2,
    {a: half},
    source="robust_regression/erratum-002b-biweight-scaling",
)
false("absolute value of a sum", Abs(a + b), "==", Abs(a) + Abs(b), {a: 1, b: -1})
false("difference of absolute values", Abs(a) - Abs(b), ">=", Abs(a - b), {a: 0, b: 1})
false(
    "sup norm without absolute values",
    Max(a, b),
    "==",
    Max(Abs(a), Abs(b)),
    {a: -3, b: 1},
    source="regularised_least_squares/erratum-004-linf-absolute",
)
false("maximum shifted in one argument", Max(a + c, b), "==", Max(a, b) + c, {a: 0, b: 1, c: 1})
false(
    "maximum scaled by a negative number",
    c * Max(a, b),
    "==",
    Max(c * a, c * b),
    {c: -1, a: 0, b: 1},
)
false("maximum by a square", Max(a, b), "==", (a + b) / 2 + (a - b) ** 2 / 2, {a: 0, b: 2})
false("product of the maximum and the minimum", Max(a, b) + Min(a, b), "==", a * b, {a: 1, b: 1})
false(
    "sign at zero",
    indicator(Le(m, 0)),
    "==",
    indicator(Lt(m, 0)),
    {m: 0},
    source="learning_problem/erratum-000-sgn-zero",
)
false(
    "loss of the margin reversed",
    indicator(Ge(m, 0)),
    "==",
    indicator(Le(m, 0)),
    {m: 1},
    source="learning_problem/erratum-004-margin-loss-reversed",
)
false(
    "perceptron loss bounds the 0-1 loss",
    indicator(Le(m, 0)),
    "<=",
    Max(0, -m),
    {m: 0},
    source="perceptron/erratum-001-perceptron-loss-trivial-minimum",
)
false(
    "closed bins are disjoint",
    indicator(Ge(t, a)) * indicator(Le(t, b)) * indicator(Ge(t, b)) * indicator(Le(t, c)),
    "==",
    0,
    {a: 0, b: 1, c: 2, t: 1},
    given=[Lt(a, b), Lt(b, c)],
    witness={a: 0, b: 1, c: 2, t: 0},
    source="density_estimation/erratum-002-histogram-closed-bins",
)
false(
    "indicator of a sum",
    indicator(Ge(a, 0)) * indicator(Ge(b, 0)),
    "==",
    indicator(Ge(a + b, 0)),
    {a: 2, b: -1},
)
false(
    "root of two with both signs",
    t,
    ">=",
    sqrt(2),
    {t: -2},
    given=[Gt(t**2, 2)],
    witness={t: 2},
    source="convex_duality/erratum-004-plus-minus-root-two",
)
false("root of a square", sqrt(t**2), "==", t, {t: -1})
false(
    "soft threshold of a small coefficient",
    Max(0, Abs(a) - tau),
    "==",
    Abs(a) - tau,
    {a: half, tau: 1},
)
false(
    "swapped pairs charged when they agree",
    indicator(Lt(a, b)) * indicator(Lt(s, t)),
    "==",
    indicator(Lt(a, b)) * indicator(Lt(t, s)),
    {a: 0, b: 1, s: 0, t: 1},
    source="reductions/erratum-004-ranking-objective",
)
false(
    "median of two minimises nothing else",
    Abs(a - c) + Abs(b - c),
    "==",
    Abs(a - b),
    {a: 0, b: 1, c: 2},
    source="robust_regression/erratum-002b-lad-nonunique",
)

# Matrices

two = {"A": [[1, 1], [0, 1]], "B": [[1, 0], [1, 1]], n: 2}
false("matrices commute", A * B, "==", B * A, two)
false("transpose keeps the order", (A * B).T, "==", A.T * B.T, two)
false(
    "inverse keeps the order",
    inverse(A * B),
    "==",
    inverse(A) * inverse(B),
    two,
    given=[invertible(A), invertible(B)],
    witness={n: 1, A: [[2]], B: [[3]]},
    source="least_squares/erratum-002-householder-order",
)
false(
    "trace of a product",
    trace(A * B),
    "==",
    trace(A) * trace(B),
    {n: 2, A: [[1, 0], [0, 1]], B: [[1, 0], [0, 1]]},
)
false(
    "trace under a transposition",
    trace(A * B * C),
    "==",
    trace(A * C * B),
    {n: 2, A: [[1, 0], [0, 0]], B: [[0, 1], [0, 0]], C: [[0, 0], [1, 0]]},
)
false("square of a sum of matrices", (A + B) * (A + B), "==", A * A + 2 * A * B + B * B, two)
false(
    "inverse of a sum",
    inverse(A + B),
    "==",
    inverse(A) + inverse(B),
    {n: 1, A: [[1]], B: [[1]]},
    given=[invertible(A), invertible(B), invertible(A + B)],
    witness={n: 1, A: [[1]], B: [[2]]},
)
false(
    "push-through with the identity lost",
    inverse(X.T * X + identity(d)) * X.T,
    "==",
    X.T * inverse(X * X.T + 2 * identity(n)),
    {n: 1, d: 1, X: [[1]]},
    given=[invertible(X.T * X + identity(d)), invertible(X * X.T + 2 * identity(n))],
    witness={n: 1, d: 1, X: [[0]]},
)
false(
    "Woodbury with a plus",
    inverse(A + B),
    "==",
    inverse(A) + inverse(A) * inverse(inverse(A) + inverse(B)) * inverse(A),
    {n: 1, A: [[1]], B: [[1]]},
    given=[invertible(A), invertible(B), invertible(A + B), invertible(inverse(A) + inverse(B))],
    witness={n: 1, A: [[1]], B: [[1]]},
)
false(
    "trace of the hat matrix is the sample size",
    trace(X * inverse(X.T * X) * X.T),
    "==",
    n,
    {n: 2, d: 1, X: [[1], [0]]},
    given=[invertible(X.T * X)],
    witness={n: 1, d: 1, X: [[1]]},
    source="least_squares/erratum-003-trace-needs-full-rank",
)
false(
    "hat matrix is the identity",
    X * inverse(X.T * X) * X.T,
    "==",
    identity(n),
    {n: 2, d: 1, X: [[1], [0]]},
    given=[invertible(X.T * X)],
    witness={n: 1, d: 1, X: [[1]]},
    source="principal_components/erratum-002b-pca-projection-formula",
)
false(
    "fresh noise is projected too",
    trace((identity(n) - X * inverse(X.T * X) * X.T) * (identity(n) - X * inverse(X.T * X) * X.T)),
    "==",
    n + d,
    {n: 1, d: 1, X: [[1]]},
    given=[invertible(X.T * X)],
    witness={n: 1, d: 1, X: [[1]]},
    source="least_squares/erratum-003-test-h-epsilon-prime",
)
false(
    "ridge satisfies the ordinary normal equations",
    X.T * X * (inverse(X.T * X + identity(d)) * X.T * Y),
    "==",
    X.T * Y,
    {n: 1, d: 1, X: [[1]], Y: [[1]]},
    given=[invertible(X.T * X + identity(d))],
    witness={n: 1, d: 1, X: [[1]], Y: [[0]]},
    source="kernels/erratum-002b-ridge-footnote-normal-equations",
)
false(
    "ridge bias with the wrong sign",
    inverse(X.T * X + identity(d)) * X.T * X * beta - beta,
    "==",
    inverse(X.T * X + identity(d)) * beta,
    {n: 1, d: 1, X: [[1]], beta: [[1]]},
    given=[invertible(X.T * X + identity(d))],
    witness={n: 1, d: 1, X: [[1]], beta: [[0]]},
    source="regularised_least_squares/erratum-000-bias-formula-misplaced",
)
false(
    "residual orthogonal to the responses",
    Y.T * (Y - X * inverse(X.T * X) * X.T * Y),
    "==",
    zeros(1, 1),
    {n: 2, d: 1, X: [[1], [0]], Y: [[0], [1]]},
    given=[invertible(X.T * X)],
    witness={n: 1, d: 1, X: [[1]], Y: [[1]]},
    source="least_squares/erratum-002-normal-equation-name",
)
false(
    "log determinant of a sum",
    logdet(A + B),
    "==",
    logdet(A) + logdet(B),
    {n: 1, A: [[1]], B: [[1]]},
    given=[positive_definite(A), positive_definite(B), positive_definite(A + B)],
    witness={n: 1, A: [[2]], B: [[2]]},
)
false(
    "log determinant scales once",
    logdet(2 * A),
    "==",
    log(2) + logdet(A),
    {n: 2, A: [[1, 0], [0, 1]]},
    given=[positive_definite(A), positive_definite(2 * A)],
    witness={n: 1, A: [[1]]},
)
false(
    "log determinant of an inverse",
    logdet(inverse(A)),
    "==",
    logdet(A),
    {n: 1, A: [[2]]},
    given=[positive_definite(A), positive_definite(inverse(A))],
    witness={n: 1, A: [[1]]},
)
false(
    "semidefinite with the sign reversed",
    trace(A),
    "<=",
    0,
    {n: 1, A: [[1]]},
    given=[positive_semidefinite(A)],
    witness={n: 1, A: [[0]]},
    source="kernels/erratum-004-psd-sign",
)
false(
    "nonnegative forms are symmetric",
    A,
    "==",
    A.T,
    {n: 2, A: [[1, 1], [-1, 1]]},
    source="kernels/erratum-000-psd-symmetry",
)
false(
    "orthonormal columns make orthonormal rows",
    X * X.T,
    "==",
    identity(n),
    {n: 2, d: 1, X: [[1], [0]]},
    given=[Eq(X.T * X, identity(d))],
    witness={n: 1, d: 1, X: [[1]]},
    source="principal_components/erratum-002b-pca-svd-notation",
)
false(
    "Frobenius inner product without a transpose",
    trace(A * A),
    ">=",
    0,
    {n: 2, A: [[0, 1], [-1, 0]]},
)
false(
    "product of symmetric matrices is symmetric",
    (A * A.T * B * B.T).T,
    "==",
    A * A.T * B * B.T,
    two,
)
false(
    "cancelling a singular factor",
    B,
    "==",
    C,
    {n: 1, A: [[0]], B: [[1]], C: [[0]]},
    given=[Eq(A * B, A * C)],
    witness={n: 1, A: [[1]], B: [[1]], C: [[1]]},
    source="least_squares/erratum-000-normal-equations-rank",
)
false(
    "inertia tensor taken for the scatter",
    trace(trace(A) * identity(n) - A),
    "==",
    trace(A),
    {n: 1, A: [[1]]},
    source="robust_regression/erratum-002-inertia-tensor",
)

# Gradients

false("gradient of a squared norm without its two", Gradient(norm2(w), w), "==", w, {w: (1,)})
false("gradient of a fourth power", Gradient(norm2(w) ** 2, w), "==", 2 * norm2(w) * w, {w: (1,)})
false(
    "squared loss with the sign of the residual",
    Gradient((y - dot(w, x)) ** 2 / 2, w),
    "==",
    (y - dot(w, x)) * x,
    {w: (0,), x: (1,), y: 1},
    source="neural_networks/erratum-004-squared-loss-derivative-sign",
)
false(
    "one over n in front of the first term only",
    Gradient(Sum((dot(w, xs[i]) - ys[i]) ** 2, (i, 1, n)) / n, w),
    "==",
    2 * Sum(dot(w, xs[i]) * xs[i], (i, 1, n)) / n - 2 * Sum(ys[i] * xs[i], (i, 1, n)),
    {n: 2, w: (0,), xs: [(1,), (1,)], ys: [1, 1]},
    source="least_squares/erratum-003-gradient-one-over-n",
)
false(
    "gradient of the logistic loss with the sign of the likelihood",
    Gradient(Sum(log(1 + exp(-ys[i] * dot(w, xs[i]))), (i, 1, n)), w),
    "==",
    Sum(ys[i] / (1 + exp(ys[i] * dot(w, xs[i]))) * xs[i], (i, 1, n)),
    {n: 1, w: (0,), xs: [(1,)], ys: [1]},
    source="logistic_regression/erratum-002-logistic-gradient-sign",
)
false(
    "gradient of a penalty without its factor",
    Gradient(lam * norm2(w - u), w),
    "==",
    lam * (w - u),
    {lam: 1, w: (1,), u: (0,)},
)
false(
    "gradient of a trace without its transpose",
    Gradient(trace(A * B), A),
    "==",
    B,
    {n: 2, A: [[0, 0], [0, 0]], B: [[0, 1], [0, 0]]},
)
false(
    "gradient of the log determinant without its inverse",
    Gradient(logdet(A), A),
    "==",
    A,
    {n: 1, A: [[2]]},
    given=[positive_definite(A)],
    witness={n: 1, A: [[1]]},
    source="matrix_calculus/erratum-001-det-gradient-singular",
)
false(
    "gradient of a quadratic form of a general matrix",
    Gradient(trace(beta.T * X.T * X * beta), beta),
    "==",
    X.T * X * beta,
    {n: 1, d: 1, X: [[1]], beta: [[1]]},
)
false(
    "dual of ridge with the sign of the response",
    Gradient(trace(Y.T * A * A.T * Y) - 2 * trace(W.T * Y), Y),
    "==",
    2 * A * A.T * Y + 2 * W,
    {n: 1, A: [[1]], W: [[1]], Y: [[0]]},
    source="kernels/erratum-002b-ridge-dual-gradient-sign",
)

# Integrals over a measure space, and means given a value

pt = points("pt")
fp, gp, hp, dens = (function(name, of="point") for name in ("fp", "gp", "hp", "dens"))
classes = function("classes", of=("integer", "point"))
rule = function("rule")
two_points = {fp: [1, 2], gp: [3, 1], hp: [1, 1], dens: [half, half]}
coins = {S: [(0, half), (1, half)], T: [(0, half), (2, half)]}


def exist(*functions: Any) -> list[Any]:
    return [integrable(h(pt), pt) for h in functions]


def integral(h: Any) -> Any:
    return Integral(h(pt), pt)


false(
    "integral of a product",
    Integral(fp(pt) * gp(pt), pt),
    "==",
    integral(fp) * integral(gp),
    two_points,
    given=[*exist(fp, gp), integrable(fp(pt) * gp(pt), pt)],
    witness={fp: [1, 0], gp: [1, 0]},
)
false(
    "integral of a square",
    Integral(fp(pt) ** 2, pt),
    "<=",
    integral(fp) ** 2,
    {fp: [1, -1]},
    given=[*exist(fp), integrable(fp(pt) ** 2, pt)],
    witness={fp: [1, 2]},
)
false(
    "an integral without the sign of its factor",
    Integral(a * fp(pt), pt),
    "<=",
    Abs(a) * integral(fp),
    {fp: [-1, 0], a: -1},
    given=exist(fp),
    witness={fp: [1, 2], a: 1},
)
false(
    "an integral of absolute values is at most the absolute value",
    Integral(Abs(fp(pt)), pt),
    "<=",
    Abs(integral(fp)),
    {fp: [1, -1]},
    given=exist(fp),
    witness={fp: [1, 2]},
)
false(
    "the larger of two functions under an integral",
    Integral(Max(fp(pt), gp(pt)), pt),
    "<=",
    Max(integral(fp), integral(gp)),
    {fp: [1, 0], gp: [0, 1]},
    given=exist(fp, gp),
    witness={fp: [1, 2], gp: [0, 1]},
)
false(
    "a part of a function that changes sign",
    Integral(fp(pt) * indicator(Ge(gp(pt), 0)), pt),
    "<=",
    integral(fp),
    {fp: [1, -1], gp: [1, -1]},
    given=exist(fp, gp),
    witness=two_points,
)
false(
    "two parts that overlap",
    Integral(fp(pt) * indicator(Le(gp(pt), hp(pt))), pt)
    + Integral(fp(pt) * indicator(Ge(gp(pt), hp(pt))), pt),
    "==",
    integral(fp),
    {fp: [1, 1], gp: [0, 1], hp: [0, 0]},
    given=exist(fp, gp, hp),
    witness=two_points | {hp: [2, 2]},
)
false(
    "a constant comes out of an integral without the measure",
    Integral(c * dens(pt) + dens(pt), pt),
    "==",
    c + integral(dens),
    {dens: [1, 1], c: 1},
    given=exist(dens),
    witness={dens: [half, half], c: 1},
)
false(
    "order of integrals gives order of functions at a point",
    fp(pt),
    "<=",
    gp(pt),
    {fp: [1, 0], gp: [0, 2], pt: 1},
    given=[*exist(fp, gp), Le(integral(fp), integral(gp))],
    witness={fp: [0, 0], gp: [1, 1], pt: 1},
)
false(
    "a mixture of functions that are no densities",
    Integral(Sum(al[i] * classes(i, pt), (i, 1, n)), pt),
    "==",
    Sum(al[i], (i, 1, n)),
    {n: 1, al: [1], classes: [[1, 1]]},
    given=[for_each(i, 1, n, integrable(classes(i, pt), pt))],
    witness={n: 1, al: [1], classes: [[half, half]]},
)
false(
    "a sum is integrable where its terms are not",
    integral(fp),
    "==",
    Integral(fp(pt) + gp(pt), pt) - integral(gp),
    {fp: [1, 1], gp: [0, -1], "masses": [1, None]},
    given=[integrable(fp(pt) + gp(pt), pt)],
    witness=two_points,
)
false(
    "an integral is monotone for functions that are not integrable",
    integral(fp),
    "<=",
    integral(gp),
    {fp: [1, 0], gp: [1, 1], "masses": [1, None]},
    given=[*exist(fp), for_all(pt, Le(fp(pt), gp(pt)))],
    witness={fp: [0, 0], gp: [1, 1]},
)
false(
    "a constant has an integral",
    Integral(dens(pt) - dens(pt) + 1, pt),
    "==",
    1,
    {dens: [1, 0]},
    given=[*exist(dens), Eq(integral(dens), 1)],
    witness={dens: [1]},
)
false("conditional mean of a square", E(E(S + T, given=S) ** 2), "==", E((S + T) ** 2), coins)
false("a conditional mean is the mean", E(S * E(S + T, given=S)), "==", E(S) * E(S + T), coins)
false(
    "total variance without the variance of the conditional mean",
    E((S + T - E(S + T)) ** 2),
    "==",
    E((S + T - E(S + T, given=S)) ** 2),
    coins,
)
false(
    "a rule is better than the conditional mean",
    E((S + T - rule(S)) ** 2),
    "<",
    E((S + T - E(S + T, given=S)) ** 2),
    {**coins, rule: lambda s: s},
)
false(
    "Bayes' formula without the prior",
    P(Eq(T, b), given=Eq(S, c)),
    "==",
    P(Eq(S, c), given=Eq(T, b)),
    {b: 0, c: 0, S: [(0, half), (1, half)], T: [(0, quarter), (1, 3 * quarter)]},
    given=[Gt(P(Eq(S, c)), 0), Gt(P(Eq(T, b)), 0)],
    witness={b: 0, c: 0, S: [(0, half), (1, half)], T: [(0, half), (1, half)]},
)
