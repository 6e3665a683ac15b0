r"""Gradients of functions of vectors and matrices, without indices.

G is the gradient of f at A if t ↦ f(A + t H) has the derivative tr GᵀH at 0 for every H of the
shape of A: that is what the kernel is asked to prove wherever ∇ stands in a statement. Around the
rules stand what makes them usable: a gradient is unique, a number is its trace and a trace is
cyclic, a gradient is perpendicular to the level set, and how far a difference quotient is off.
"""

from __future__ import annotations

from mlnotes.proof import (
    Abs,
    Derivation,
    Eq,
    Expr,
    Gt,
    Le,
    Setting,
    Theorem,
    det,
    dimensions,
    dot,
    for_all,
    function,
    grad,
    indices,
    inverse,
    invertible,
    logdet,
    matrices,
    norm,
    norm2,
    positive_definite,
    quantity,
    reals,
    trace,
    unit_column,
    using,
    vectors,
    zeros,
)
from mlnotes.theorems import proves

n, d = dimensions("n d")
i, j = indices("i j")

# Rectangular matrices of one shape, a factor of the transposed shape, and squares of both sizes.
A, F, G, H = matrices("A F G H", n, d)
B = matrices("B", d, n)
inner = matrices("B", d, d)
C = matrices("C", n, n)
turned = matrices("D", d, n)
# A square matrix at which functions of square matrices are differentiated, and another.
square, other = matrices("A B", d, d)
w, b = matrices("w b", d, 1)
moved = matrices("u", d, 1)

# Least squares: the points are the rows of X.
X = matrices("X", n, d)
y = matrices("y", n, 1)
theta = matrices("theta", d, 1)

# A Gaussian of mean zero: precision and scatter.
Lambda, S = matrices("Lambda S", d, d, symmetric=True)

PAIR = {d: 2, square: [[1, 1], [0, 2]], other: [[1, 2], [3, 4]]}
ONE = {n: 1, d: 1, F: [[1]], G: [[1]]}


@proves("lem-trace-cyclic")
def trace_is_cyclic() -> Theorem:
    r"""Derive that the trace of a product does not depend on which factor stands first."""
    return (
        Derivation("the trace is cyclic")
        .start(trace(A * B))
        .equals(trace(B * A), because=r"both are $\sum_{i,j}A_{ij}B_{ji}$")
        .qed()
    )


@proves("lem-gradient-entry")
def entry_is_a_slope() -> Theorem:
    r"""Derive that the slope along the unit matrix $e_ie_j^\top$ is an entry of the gradient."""
    row, column = unit_column(n, i), unit_column(d, j)
    return (
        Derivation("an entry is a slope")
        .start(trace(G.T * (row * column.T)))
        .equals(trace(row.T * G * column), because="the trace is cyclic, and so is its transpose")
        .qed()
    )


SLOPES = for_all(H, Eq(trace(F.T * H), trace(G.T * H)))


@proves("thm-gradient-unique")
def gradient_is_unique() -> Theorem:
    r"""Derive that two matrices with the same slopes in all directions are equal."""
    return (
        Derivation("one gradient at most", given={"slopes": SLOPES}, witness=ONE)
        .start(F)
        .equals(
            G,
            because="in the direction $F-G$ the two slopes differ by a sum of squares",
            by=SLOPES.at(F - G),
        )
        .qed()
    )


@proves("thm-gradient-trace")
def trace_gradient() -> Theorem:
    r"""Derive the gradient of $\operatorname{tr}(AB)$."""
    return (
        Derivation("gradient of the trace of a product")
        .start(grad(trace(A * B), A))
        .equals(B.T, because=r"$\operatorname{tr}(HB)=\operatorname{tr}((B^\top)^\top H)$")
        .qed()
    )


def sandwich(M: Expr) -> Expr:
    """Return the trace of a matrix between two others and itself."""
    return trace(M * inner * M.T * C)


@proves("lem-sandwich-expansion")
def sandwich_expansion() -> Theorem:
    r"""Derive what a step adds to $\operatorname{tr}(ABA^\top C)$: a linear and a square part."""
    return (
        Derivation("a step of the sandwich")
        .start(sandwich(A + H))
        .equals(
            sandwich(A)
            + trace(H * inner * A.T * C)
            + trace(A * inner * H.T * C)
            + trace(H * inner * H.T * C),
            because="multiply out",
        )
        .equals(
            sandwich(A)
            + trace((C * A * inner + C.T * A * inner.T).T * H)
            + trace(H * inner * H.T * C),
            because="turn both linear terms so that $H$ stands last",
        )
        .qed()
    )


@proves("thm-gradient-trace-sandwich")
def sandwich_gradient() -> Theorem:
    r"""Derive the gradient of $\operatorname{tr}(ABA^\top C)$."""
    return (
        Derivation("gradient of the sandwich")
        .start(grad(sandwich(A), A))
        .equals(
            C * A * inner + C.T * A * inner.T,
            because="once for each place where $A$ stands",
        )
        .qed()
    )


@proves("lem-gradient-transpose")
def slope_of_a_transpose() -> Theorem:
    r"""Derive which gradient has the slopes of $f(D^\top)$, if $G$ has those of $f$."""
    step = matrices("H", d, n)
    return (
        Derivation("a transposed step")
        .start(trace(G.T * step.T))
        .equals(trace(step * G), because="a matrix and its transpose have one trace")
        .equals(trace(G.T.T * step), because="the trace is cyclic")
        .qed()
    )


@proves("lem-gradient-sandwich-transposed")
def sandwich_gradient_transposed() -> Theorem:
    r"""Derive the gradient of $\operatorname{tr}(ABA^\top C)$ in the transpose $D=A^\top$."""
    return (
        Derivation("gradient of the sandwich in the transpose")
        .start(grad(trace(turned.T * inner * turned * C), turned))
        .equals(
            inner.T * turned * C.T + inner * turned * C,
            because="once for each place where $D$ stands",
        )
        .qed()
    )


@proves("lem-gradient-linear-form")
def linear_form_gradient() -> Theorem:
    r"""Derive the gradient of $b^\top w$."""
    return (
        Derivation("gradient of a linear form")
        .start(grad(trace(b.T * w), w))
        .equals(b, because=r"the step $u$ adds $b^\top u$")
        .qed()
    )


@proves("cor-gradient-quadratic-form")
def quadratic_form_gradient() -> Theorem:
    r"""Derive the gradient of $w^\top Aw$ for any square matrix."""
    return (
        Derivation("gradient of a quadratic form")
        .start(grad(trace(w.T * square * w), w))
        .equals(square * w + square.T * w, because="once for each place where $w$ stands")
        .equals((square + square.T) * w, because="collect")
        .qed()
    )


@proves("lem-quadratic-expansion")
def quadratic_expansion() -> Theorem:
    r"""Derive what a step adds to a quadratic form."""
    return (
        Derivation("a step of a quadratic form")
        .start(trace((w + moved).T * square * (w + moved)))
        .equals(
            trace(w.T * square * w)
            + trace(((square + square.T) * w).T * moved)
            + trace(moved.T * square * moved),
            because="multiply out, and turn both linear terms",
        )
        .qed()
    )


RESIDUAL = X * theta - y
_error = quantity("J", theta, is_=trace(RESIDUAL.T * RESIDUAL) / 2)
ERROR = _error(theta)


@proves("lem-squared-error-traces")
def squared_error_by_traces() -> Theorem:
    r"""Derive the squared error as three traces: the two mixed terms are one number."""
    return (
        Derivation("the squared error as traces")
        .start(ERROR)
        .equals(
            (
                trace(theta.T * X.T * X * theta)
                - trace(theta.T * X.T * y)
                - trace(y.T * X * theta)
                + trace(y.T * y)
            )
            / 2,
            because="multiply out",
        )
        .equals(
            (trace(theta.T * X.T * X * theta) - 2 * trace(y.T * X * theta) + trace(y.T * y)) / 2,
            because="a number is its own transpose, so the two terms in the middle are equal",
        )
        .qed()
    )


@proves("thm-squared-error-gradient")
def squared_error_gradient() -> Theorem:
    r"""Derive the gradient of the squared error."""
    return (
        Derivation("gradient of the squared error")
        .start(grad(ERROR, theta))
        .equals(
            (X.T * X * theta + X.T * X * theta - 2 * X.T * y) / 2,
            because=r"the quadratic form of $X^\top X$, which is symmetric, and a linear form",
        )
        .equals(X.T * (X * theta - y), because="collect")
        .qed()
    )


INVERTIBLE = {"invertible": invertible(square)}
POSITIVE = {"positive": Gt(det(square), 0)}


@proves("lem-inverse-step")
def inverse_step() -> Theorem:
    r"""Derive by how much the inverse changes when the matrix takes a step."""
    step = matrices("H", d, d)
    return (
        Derivation(
            "a step of the inverse",
            given={**INVERTIBLE, "after": invertible(square + step)},
            witness={**PAIR, step: [[1, 0], [0, 1]]},
        )
        .start(inverse(square + step) - inverse(square))
        .equals(
            inverse(square + step) * square * inverse(square)
            - inverse(square + step) * (square + step) * inverse(square),
            because="multiply by an inverse and its matrix",
        )
        .equals(-inverse(square + step) * step * inverse(square), because="$A$ cancels")
        .qed()
    )


@proves("thm-gradient-inverse")
def inverse_gradient() -> Theorem:
    r"""Derive the gradient of $\operatorname{tr}(A^{-1}B)$."""
    return (
        Derivation("gradient of the trace with an inverse", given=INVERTIBLE, witness=PAIR)
        .start(grad(trace(inverse(square) * other), square))
        .equals(
            -((inverse(square) * other * inverse(square)).T),
            because="the inverse moves by $-A^{-1}HA^{-1}$",
        )
        .qed()
    )


@proves("thm-gradient-determinant")
def determinant_gradient() -> Theorem:
    r"""Derive the gradient of the determinant where the matrix is invertible."""
    return (
        Derivation("gradient of the determinant", given=INVERTIBLE, witness=PAIR)
        .start(grad(det(square), square))
        .equals(
            det(square) * inverse(square).T,
            because=r"Jacobi: the slope along $H$ is $\det(A)\operatorname{tr}(A^{-1}H)$",
        )
        .qed()
    )


@proves("thm-gradient-cofactors")
def determinant_of_one_entry() -> Theorem:
    r"""Derive that the determinant of any square matrix is linear in each of its entries."""
    row, column, step = unit_column(d, i), unit_column(d, j), reals("t")
    unit = row * column.T
    return (
        Derivation("the determinant along one entry")
        .start(det(square + step * unit))
        .equals(
            det(square) + step * (det(square + unit) - det(square)),
            because="the step has rank one",
        )
        .qed()
    )


@proves("thm-gradient-logdet")
def logdet_gradient() -> Theorem:
    r"""Derive the gradient of the logarithm of a positive determinant."""
    return (
        Derivation("gradient of log det", given=POSITIVE, witness=PAIR)
        .start(grad(logdet(square), square))
        .equals(inverse(square).T, because=r"chain rule: divide $\nabla\det A$ by $\det A$")
        .qed()
    )


DEFINITE = {"definite": positive_definite(Lambda)}
_likelihood = quantity("ell", Lambda, is_=(logdet(Lambda) - trace(S * Lambda)) / 2)
LIKELIHOOD = _likelihood(Lambda)
UNIT = {d: 1, Lambda: [[1]], S: [[1]]}


@proves("thm-gradient-gaussian")
def gaussian_gradient() -> Theorem:
    r"""Derive the gradient of a Gaussian log-likelihood in the precision matrix."""
    return (
        Derivation("gradient in the precision", given=DEFINITE, witness=UNIT)
        .start(grad(LIKELIHOOD, Lambda, given=[*DEFINITE.values()]))
        .equals(
            (inverse(Lambda) - S) / 2,
            because="the rules for log det and for the trace; both matrices are symmetric",
        )
        .qed()
    )


@proves("cor-gaussian-stationary")
def gaussian_stationary() -> Theorem:
    r"""Derive that the gradient vanishes only where the covariance is the scatter."""
    slope = grad(LIKELIHOOD, Lambda, given=[*DEFINITE.values()])
    return (
        Derivation(
            "the stationary precision",
            given={**DEFINITE, "stationary": Eq(slope, zeros(d, d))},
            witness=UNIT,
        )
        .start(inverse(Lambda))
        .equals(S, because="twice a vanishing gradient vanishes")
        .qed()
    )


# Symmetric matrices: one parameter stands in two entries.
symmetric = matrices("G", d, d, symmetric=True)


@proves("lem-symmetric-entry")
def symmetric_parameter() -> Theorem:
    r"""Derive the slope along a step that moves two mirrored entries of a symmetric matrix."""
    row, column = unit_column(d, i), unit_column(d, j)
    return (
        Derivation("two mirrored entries")
        .start(trace(symmetric.T * (row * column.T + column * row.T)))
        .equals(
            trace(row.T * symmetric * column) + trace(column.T * symmetric * row),
            because="an entry is a slope",
        )
        .equals(2 * trace(row.T * symmetric * column), because="the gradient is symmetric")
        .qed()
    )


# Functions of a vector whose slope changes by at most L for each unit of the way.
f = function("f", of="vector")
g = function("g", of="vector", to="vector")
u, v, x, z, tangent = vectors("u v x z tau")
L = reals("L", positive=True)
with_tangents = for_all((u, v), Le(Abs(f(v) - f(u) - dot(g(u), v - u)), L / 2 * norm2(v - u)))
SMOOTH = {"smooth": with_tangents}
HALF_SQUARE = {f: lambda w: norm2(w) / 2, g: lambda w: w, L: 1}


@proves("lem-gradient-norm")
def length_gradient() -> Theorem:
    r"""Derive that the gradient of the length of a vector is the unit vector along it."""
    return (
        Derivation("gradient of the length", given={"nonzero": Gt(norm(x), 0)}, witness={x: [1]})
        .start(grad(norm(x), x))
        .equals(x / norm(x), because=r"chain rule: $\nabla\lVert x\rVert^2=2x$ over twice the root")
        .qed()
    )


@proves("thm-level-set-chord")
def gradient_and_chord() -> Theorem:
    r"""Derive that the gradient is nearly perpendicular to short chords of a level set."""
    return (
        Derivation(
            "gradient and chord",
            given={**SMOOTH, "level": Eq(f(z), f(x))},
            witness={**HALF_SQUARE, x: [1], z: [-1]},
        )
        .start(Abs(dot(g(x), z - x)))
        .equals(Abs(f(z) - f(x) - dot(g(x), z - x)), because="on a level set the values are equal")
        .at_most(
            L / 2 * norm2(z - x),
            because="the tangent plane misses the function by a square at most",
            by=with_tangents.at(x, z),
        )
        .qed()
    )


c = function("c", to="vector")
t = reals("t")
slope, price = reals("a beta", nonnegative=True)
R, passed = reals("R t", nonnegative=True)
WAY = {
    "level": Eq(f(z), f(x)),
    "way": Le(norm(z - x - passed * tangent), R * passed**2),
    "short": Le(passed, 1),
}
STANDING = {**HALF_SQUARE, x: [1], z: [1], tangent: [0], passed: 1, R: 1}


@proves("lem-curve-way")
def way_along_a_curve() -> Theorem:
    r"""Derive how far a curve has gone after a short time."""
    missed = z - x - passed * tangent
    return (
        Derivation(
            "the way after a short time",
            given={name: WAY[name] for name in ("way", "short")},
            witness=STANDING,
        )
        .start(norm2(z - x))
        .equals(norm2(passed * tangent + missed), because="tangent, and what it misses")
        .equals(
            2 * norm2(passed * tangent) + 2 * norm2(missed) - norm2(passed * tangent - missed),
            because="parallelogram",
        )
        .at_most(
            2 * passed**2 * norm2(tangent) + 2 * norm(missed) ** 2,
            because="a square is left out",
        )
        .at_most(
            2 * passed**2 * norm2(tangent) + 2 * (R * passed**2) ** 2, because="how much it misses"
        )
        .at_most(2 * passed**2 * (norm2(tangent) + R**2), because="the time is at most one")
        .qed()
    )


@proves("lem-curve-slope")
def slope_along_a_curve() -> Theorem:
    r"""Derive how small the slope along a curve in the level set is, seen after a short time."""
    missed = z - x - passed * tangent
    return (
        Derivation("the slope after a short time", given={**SMOOTH, **WAY}, witness=STANDING)
        .start(passed * Abs(dot(g(x), tangent)))
        .equals(Abs(dot(g(x), z - x) - dot(g(x), missed)), because="chord, and what it misses")
        .at_most(
            Abs(dot(g(x), z - x)) + Abs(dot(g(x), missed)),
            because="triangle inequality",
        )
        .at_most(
            L / 2 * norm2(z - x) + Abs(dot(g(x), missed)),
            because="gradient and chord",
            by=using(gradient_and_chord()),
        )
        .at_most(
            L / 2 * norm2(z - x) + norm(g(x)) * norm(missed),
            because="Cauchy–Schwarz",
        )
        .at_most(
            L / 2 * norm2(z - x) + norm(g(x)) * (R * passed**2),
            because="how much the tangent misses",
        )
        .at_most(
            L * passed**2 * (norm2(tangent) + R**2) + norm(g(x)) * (R * passed**2),
            because="the way after a short time",
            by=using(way_along_a_curve()),
        )
        .equals(passed**2 * (L * (norm2(tangent) + R**2) + norm(g(x)) * R), because="collect")
        .qed()
    )


CURVE = {
    "level": for_all(t, Eq(f(c(t)), f(x))),
    "curve": for_all(t, Le(norm(c(t) - x - t * tangent), R * t**2)),
}


ALONG = {**SMOOTH, **CURVE}
STILL = {**HALF_SQUARE, x: [0, 0], tangent: [0, 0], R: 1, c: lambda t: 0}
NAMED = {
    "slope": Eq(slope, Abs(dot(g(x), tangent))),
    "price": Eq(price, L * (norm2(tangent) + R**2) + norm(g(x)) * R),
}


@proves("lem-short-time")
def short_time() -> Theorem:
    r"""Derive that the time at which the slope will be looked at is short."""
    return (
        Derivation("a short time")
        .start(slope / (price + slope + 1))
        .equals(1 - (price + 1) / (price + slope + 1), because="split the numerator")
        .at_most(1, because="a quotient of positive numbers is left out")
        .qed()
    )


@proves("lem-curve-time")
def slope_at_a_time() -> Theorem:
    r"""Derive how small the slope along a curve in the level set is, seen at one short time."""
    return (
        Derivation(
            "the slope at one time",
            given={**ALONG, **NAMED, "short": Le(passed, 1)},
            witness={**STILL, slope: 0, price: 1, passed: 1},
        )
        .start(passed * slope)
        .equals(passed * Abs(dot(g(x), tangent)), because="the slope")
        .at_most(
            passed**2 * (L * (norm2(tangent) + R**2) + norm(g(x)) * R),
            because="the slope after a short time",
            by=slope_along_a_curve()(z=c(passed)),
        )
        .equals(passed**2 * price, because="the price")
        .qed()
    )


@proves("lem-level-set-named")
def slope_vanishes() -> Theorem:
    r"""Derive that the slope along a curve in the level set vanishes."""
    time = slope / (price + slope + 1)
    return (
        Derivation(
            "no slope along the curve",
            given={**ALONG, **NAMED},
            witness={**STILL, slope: 0, price: 1},
        )
        .start(slope**2)
        .at_most(slope**2 * (slope + 1), because="a slope is not negative")
        .equals(
            (time * slope - time**2 * price) * (price + slope + 1) ** 2,
            because="the denominators cancel",
        )
        .at_most(
            0,
            because="the slope at a time that is short",
            by=using(slope_at_a_time()(t=time), short_time()),
        )
        .qed()
    )


@proves("thm-level-set")
def gradient_is_perpendicular() -> Theorem:
    r"""Derive that the gradient is perpendicular to every curve in the level set."""
    flat = slope_vanishes()(
        a=Abs(dot(g(x), tangent)), beta=L * (norm2(tangent) + R**2) + norm(g(x)) * R
    )
    return (
        Derivation("the gradient is perpendicular to the level set", given=ALONG, witness=STILL)
        .start(dot(g(x), tangent))
        .equals(0, because="there is no slope along the curve", by=using(flat))
        .qed()
    )


# One step of a difference quotient: what is computed, and by how much it is rounded.
kappa, computed_ahead, computed_behind = reals("kappa p q")
step, best, bend = reals("h s M", positive=True)
epsilon = reals("epsilon", nonnegative=True)


# The parabola that touches the function along the direction v.
parabola = quantity("T", step, is_=f(x) + step * dot(g(x), v) + step**2 / 2 * kappa)

STEP = {
    "ahead": Le(Abs(f(x + step * v) - parabola(step)), bend * step**3 / 6),
    "behind": Le(Abs(f(x - step * v) - parabola(-step)), bend * step**3 / 6),
    "computed ahead": Le(Abs(computed_ahead - f(x + step * v)), epsilon),
    "computed behind": Le(Abs(computed_behind - f(x - step * v)), epsilon),
}
QUOTIENT = {
    f: lambda w: norm2(w) / 2,
    g: lambda w: w,
    x: [1],
    v: [1],
    kappa: 1,
    step: 1,
    bend: 1,
    epsilon: 0,
    computed_ahead: 2,
    computed_behind: 0,
}
difference = Setting("difference", given=STEP, witness=QUOTIENT)


@proves("thm-central-difference")
def central_difference() -> Theorem:
    r"""Derive how far a central difference of rounded values is from the slope."""
    return (
        Derivation("error of a central difference", setting=difference)
        .start(Abs((computed_ahead - computed_behind) / (2 * step) - dot(g(x), v)))
        .equals(
            Abs((computed_ahead - parabola(step)) - (computed_behind - parabola(-step)))
            / (2 * step),
            because="value and curvature cancel, the slopes add up",
        )
        .at_most(
            (Abs(computed_ahead - parabola(step)) + Abs(computed_behind - parabola(-step)))
            / (2 * step),
            because="triangle inequality",
        )
        .at_most(
            (2 * epsilon + bend * step**3 / 3) / (2 * step),
            because="at both ends rounding, and what the parabola misses",
        )
        .equals(bend * step**2 / 6 + epsilon / step, because="collect")
        .qed()
    )


@proves("lem-positive-square")
def positive_square() -> Theorem:
    r"""Derive that a positive multiple of a square is not negative."""
    factor, root = reals("beta", positive=True), reals("t")
    return (
        Derivation("a positive multiple of a square")
        .start(factor * root**2)
        .at_least(0, because="no factor is negative")
        .qed()
    )


@proves("lem-best-step")
def best_step() -> Theorem:
    r"""Derive the step at which the bound on the error is least."""
    away = (step - best) ** 2
    return (
        Derivation(
            "the best step",
            given={"balance": Eq(epsilon, bend * best**3 / 3)},
            witness={bend: 3, best: 1, epsilon: 1, step: 1},
        )
        .start(bend * step**2 / 6 + epsilon / step)
        .equals(
            bend * best**2 / 2 + bend / 6 * away + bend * best / (3 * step) * away,
            because=r"put $\varepsilon=Ms^3/3$ and split off squares",
        )
        .at_least(
            bend * best**2 / 2 + bend / 6 * away,
            because="a square is left out",
            by=using(positive_square()(beta=bend * best / (3 * step), t=step - best)),
        )
        .at_least(bend * best**2 / 2, because="and another")
        .qed()
    )
