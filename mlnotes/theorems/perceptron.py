"""Why the perceptron stops: at most R²‖θ*‖²/γ² mistakes, in any dimension and any order of points.

Around the theorem stand the geometry that its margin is about, the offset, the learning rate, the
loss of which the perceptron is a subgradient descent, its dual and its batch form, and what happens
where no hyperplane separates.

The mistakes of a run are numbered from 1 to k: the j-th one is made on a point ``x[j]`` with label
``y[j]`` and turns ``theta[j - 1]`` into ``theta[j]``. Nothing else about the run matters. The
theorems about it share the setting ``run`` and state what they need of it.
"""

from __future__ import annotations

from typing import Any

from mlnotes.proof import (
    Abs,
    Derivation,
    Eq,
    Ge,
    Gt,
    KroneckerDelta,
    Lambda,
    Le,
    Lt,
    Max,
    Rational,
    Setting,
    Sum,
    Theorem,
    apply,
    as_written,
    cases,
    dot,
    for_each,
    grad,
    impossible,
    indicator,
    indices,
    induction,
    integer_family,
    integers,
    monotone,
    norm,
    norm2,
    quantity,
    real_family,
    reals,
    sqrt,
    termwise,
    using,
    vector_family,
    vectors,
)
from mlnotes.theorems import proves

u, v, e = vectors("u v e")
before, point, target = vectors("theta x theta^*")
other, anywhere, on_plane = vectors("phi z p")
y, R, offset, t, p, q = reals("y R theta_0 t p q")
# The offset that belongs to the target.
shift = reals("theta_0^*")
gamma, eta, c = reals("gamma eta c", positive=True)
k, n, T = integers("k n T", positive=True)
i, j, m, r = indices("i j m r")
theta, phi, x, axis = vector_family("theta^() phi^() x e")
label = real_family("y")
# The number of the point at which each mistake is made, where the points are a list.
at = integer_family("a")

with as_written():
    START = Eq(theta[0], 0)
    UPDATES = for_each(j, 1, k, Eq(theta[j], theta[j - 1] + label[j] * x[j]))
    LABELS = for_each(j, 1, k, Eq(label[j] ** 2, 1))
    MISTAKES = for_each(j, 1, k, Le(label[j] * dot(theta[j - 1], x[j]), 0))
    RADIUS = for_each(j, 1, k, Le(norm2(x[j]), R**2))
    MARGIN = for_each(j, 1, k, Ge(label[j] * dot(target, x[j]), gamma))

    SCALED_UPDATES = for_each(j, 1, k, Eq(phi[j], phi[j - 1] + label[j] * (c * x[j])))
    FOOT = anywhere - (dot(before, anywhere) + offset) / norm2(before) * before
    EARLIER = for_each(i, 1, m - 1, Eq(dot(axis[i], axis[m]), 0))
    RATED_UPDATES = for_each(j, 1, k, Eq(phi[j], phi[j - 1] + eta * label[j] * x[j]))

# Axes of length one, orthogonal to each other and to the data.
AXES = for_each(i, 1, n, for_each(j, 1, n, Eq(dot(axis[i], axis[j]), KroneckerDelta(i, j))))
APART = for_each(i, 1, n, for_each(j, 1, n, Eq(dot(axis[i], x[j]), 0)))
SIGNS = for_each(i, 1, n, Eq(label[i] ** 2, 1))

INSIDE = for_each(i, 1, n, Le(norm2(x[i]), R**2))
CHOSEN = {"first": for_each(j, 1, k, Ge(at[j], 1)), "last": for_each(j, 1, k, Le(at[j], n))}
LABELS_AS_WEIGHTS = Sum(label[i] * axis[i], (i, 1, n))


def with_own_axis(i: Any) -> Any:
    """Return point i with its indicator appended, that is, with its own new axis added."""
    return x[i] + axis[i]


with as_written():
    OWN_UPDATES = for_each(
        j, 1, k, Eq(theta[j], theta[j - 1] + label[at[j]] * (x[at[j]] + axis[at[j]]))
    )
    OWN_MISTAKES = for_each(j, 1, k, Le(label[at[j]] * dot(theta[j - 1], with_own_axis(at[j])), 0))


def is_wrong(weights: Any, i: Any) -> Any:
    """Return one if the weights are wrong, or undecided, about point i, and zero otherwise."""
    return indicator(Le(label[i] * dot(weights, x[i]), 0))


# The number of points about which weights are wrong, and the sum of these signed points.
mistakes = quantity("m", before, is_=Sum(is_wrong(before, i), (i, 1, n)))
correction = quantity("g", before, is_=Sum(is_wrong(before, i) * label[i] * x[i], (i, 1, n)))


# Rounds of the batch perceptron on n points: each adds all the points that are wrong.
ROUNDS = for_each(r, 1, T, Eq(theta[r], theta[r - 1] + correction(theta[r - 1])))
MARGINS = for_each(i, 1, n, Ge(label[i] * dot(target, x[i]), gamma))
ALL_MISTAKES = quantity("M", is_=Sum(mistakes(theta[r - 1]), (r, 1, T)))

# A unit vector orthogonal to the data, along which a constant coordinate is appended.
BASIS = {
    "unit": Eq(norm2(e), 1),
    "weights": Eq(dot(before, e), 0),
    "point": Eq(dot(point, e), 0),
}

# Two points, (1, 0) and (0, 1), both positive: one mistake on each, and the bound is attained.
RUN = {
    theta: {0: [0, 0], 1: [1, 0], 2: [1, 1]},
    x: [[1, 0], [0, 1]],
    label: [1, 1],
    target: [1, 1],
    gamma: 1,
    R: 1,
    k: 2,
}

run = Setting(
    "run",
    given={
        "start": START,
        "updates": UPDATES,
        "labels": LABELS,
        "mistakes": MISTAKES,
        "radius": RADIUS,
        "margin": MARGIN,
    },
    witness=RUN,
)

RATED_RUN = {**RUN, eta: 2, phi: {0: [0, 0], 1: [2, 0], 2: [2, 2]}}

# The same two points with an axis of their own each.
OWN = {
    n: 2,
    k: 2,
    at: [1, 2],
    theta: {0: [0, 0, 0], 1: [1, 0, 0], 2: [1, -1, 0]},
    x: [[0, 0, 0], [0, 0, 0]],
    axis: [[1, 0, 0], [0, 1, 0]],
    label: [1, -1],
    R: 0,
}
own_run = Setting(
    "own run",
    given={
        "start": START,
        "updates": OWN_UPDATES,
        "mistakes": OWN_MISTAKES,
        "signs": SIGNS,
        "axes": AXES,
        "apart": APART,
        "radius": INSIDE,
        **CHOSEN,
    },
    witness=OWN,
)

# One point at 1 on the line, and the constant 1 appended to it.
OFFSET_RUN = {
    theta: {0: [0, 0], 1: [1, 1]},
    x: [[1, 0]],
    label: [1],
    target: [1, 0],
    shift: 1,
    gamma: 2,
    R: 1,
    k: 1,
    c: 1,
    e: [0, 1],
}

# One round of the batch perceptron on two points, both of them wrong at the start.
POINTS = {n: 2, x: [[1, 0], [0, 1]], label: [1, 1], target: [1, 1], gamma: 1, R: 1}
ROUND = {**POINTS, theta: {0: [0, 0], 1: [1, 1]}, T: 1}
points = Setting(
    "points", given={"signs": SIGNS, "radius": INSIDE, "margin": MARGINS}, witness=POINTS
)
rounds = points.with_(given={"start": START, "rounds": ROUNDS}, witness=ROUND, name="rounds")

# The line 3x + 4y = 10 and a point on it.
LINE = {before: [3, 4], offset: -10, on_plane: [2, 1]}


@proves("lem-foot-on-hyperplane")
def foot_on_hyperplane() -> Theorem:
    r"""Derive that a step along $\theta$ leads from any point to a point of the hyperplane."""
    return (
        Derivation(
            "foot of the perpendicular", given={"nonzero": Gt(norm2(before), 0)}, witness=LINE
        )
        .start(dot(before, FOOT) + offset)
        .equals(
            dot(before, anywhere)
            - (dot(before, anywhere) + offset) / norm2(before) * norm2(before)
            + offset,
            because="the inner product is linear",
        )
        .equals(0, because=r"$\lVert\theta\rVert^2$ cancels")
        .qed()
    )


@proves("lem-foot-distance")
def foot_distance() -> Theorem:
    r"""Derive how far the foot of the perpendicular is."""
    return (
        Derivation("distance of the foot", given={"nonzero": Gt(norm2(before), 0)}, witness=LINE)
        .start(norm2(anywhere - FOOT))
        .equals(
            (dot(before, anywhere) + offset) ** 2 / norm2(before),
            because=r"the step is $(\langle\theta,z\rangle+\theta_0)/\lVert\theta\rVert^2$ times "
            r"$\theta$",
        )
        .qed()
    )


@proves("thm-distance-to-hyperplane")
def distance_to_hyperplane() -> Theorem:
    r"""Derive that no point of the hyperplane is closer than the foot of the perpendicular."""
    return (
        Derivation(
            "distance to a hyperplane",
            given={"nonzero": Gt(norm2(before), 0), "plane": Eq(dot(before, on_plane) + offset, 0)},
            witness=LINE,
        )
        .start(norm2(anywhere - on_plane))
        .equals(
            (dot(before, anywhere) + offset) ** 2 / norm2(before) + norm2(FOOT - on_plane),
            because="Pythagoras",
        )
        .at_least(
            (dot(before, anywhere) + offset) ** 2 / norm2(before),
            because="equality where $p$ is the foot",
        )
        .qed()
    )


@proves("lem-right-side")
def right_side() -> Theorem:
    """Derive that on the right side of a hyperplane the signed product is the absolute value."""
    return (
        Derivation(
            "the signed product on the right side",
            given={"label": Eq(y**2, 1), "side": Ge(y * t, 0)},
            witness={y: -1, t: -2},
        )
        .start(Abs(t))
        .equals(sqrt(t**2), because="the root of a square")
        .equals(sqrt((y * t) ** 2), because="$y^2=1$", by=monotone(sqrt))
        .equals(y * t, because=r"$yt\ge0$")
        .qed()
    )


@proves("lem-gram-determinant")
def gram_determinant() -> Theorem:
    r"""Derive that $\lVert v\rVert^2$ times the Gram determinant of $u, v$ is nonnegative."""
    return (
        Derivation("Gram determinant")
        .start(norm2(v) * (norm2(u) * norm2(v) - dot(u, v) ** 2))
        .equals(
            norm2(norm2(v) * u - dot(u, v) * v),
            because=r"expand the square of $\lVert v\rVert^2u-\langle u,v\rangle v$",
        )
        .at_least(0, because="a squared norm is nonnegative")
        .qed()
    )


@proves("thm-cauchy-schwarz")
def cauchy_schwarz() -> Theorem:
    r"""Derive $|\langle u,v\rangle|\le\lVert u\rVert\lVert v\rVert$."""
    return (
        Derivation("Cauchy–Schwarz")
        .start(Abs(dot(u, v)))
        .at_most(
            sqrt(norm2(u) * norm2(v)),
            because=r"the Gram determinant is nonnegative, and the root is monotone",
            by=monotone(
                sqrt, by=cases((Gt(norm2(v), 0), apply(gram_determinant())), Le(norm2(v), 0))
            ),
        )
        .equals(norm(u) * norm(v), because="the root of a product")
        .qed()
    )


@proves("lem-cauchy-schwarz-equality")
def cauchy_schwarz_equality() -> Theorem:
    r"""Derive that equality makes $u$ and $v$ dependent."""
    equal = {"equal": Eq(Abs(dot(u, v)), norm(u) * norm(v))}
    witness = {u: [1, 2], v: [-3, -6]}
    difference = (
        Derivation("the difference", given=equal, witness=witness)
        .start(norm2(norm2(v) * u - dot(u, v) * v))
        .equals(norm2(v) * (norm2(u) * norm2(v) - dot(u, v) ** 2), because="the Gram determinant")
        .equals(0, because="the squares of both sides are equal")
        .qed()
    )
    return (
        Derivation("equality in Cauchy–Schwarz", given=equal, witness=witness)
        .start(norm2(v) * u)
        .equals(
            dot(u, v) * v,
            because=r"their difference has the squared length $\lVert v\rVert^2(\lVert u\rVert^2"
            r"\lVert v\rVert^2-\langle u,v\rangle^2)=0$",
            by=using(apply(difference)),
        )
        .qed()
    )


@proves("lem-cauchy-schwarz-dependent")
def cauchy_schwarz_dependent() -> Theorem:
    """Derive that a multiple of a vector, of either sign, gives equality."""
    factor = reals("c")
    return (
        Derivation("dependent vectors")
        .start(Abs(dot(factor * v, v)))
        .equals(norm(factor * v) * norm(v), because=r"both are $|c|\lVert v\rVert^2$")
        .qed()
    )


@proves("lem-update-raises-margin")
def update_raises_margin() -> Theorem:
    r"""Derive by how much an update raises the product that was not positive."""
    return (
        Derivation("an update raises the margin", given={"label": Eq(y**2, 1)}, witness={y: -1})
        .start(y * dot(before + y * point, point))
        .equals(y * dot(before, point) + y**2 * norm2(point), because="the inner product is linear")
        .equals(y * dot(before, point) + norm2(point), because=r"$y^2=1$")
        .qed()
    )


@proves("lem-norm-growth")
def norm_growth() -> Theorem:
    r"""Derive that a mistake adds at most $R^2$ to $\lVert\theta\rVert^2$."""
    mistake = Le(y * dot(before, point), 0)
    return (
        Derivation(
            "growth of the norm",
            given={"label": Eq(y**2, 1), "mistake": mistake, "radius": Le(norm2(point), R**2)},
            witness={y: 1, before: [1, 0], point: [0, 1], R: 1},
        )
        .start(norm2(before + y * point))
        .equals(
            norm2(before) + 2 * y * dot(before, point) + y**2 * norm2(point),
            because="expand the square",
        )
        .at_most(
            norm2(before) + norm2(point),
            because=r"a mistake means $y\langle\theta,x\rangle\le 0$, and $y^2=1$",
        )
        .at_most(norm2(before) + R**2, because=r"every point has norm at most $R$")
        .qed()
    )


@proves("lem-alignment-growth")
def alignment_growth() -> Theorem:
    r"""Derive that a mistake adds at least $\gamma$ to $\langle\theta,\theta^*\rangle$."""
    return (
        Derivation(
            "growth of the alignment",
            given={"margin": Ge(y * dot(target, point), gamma)},
            witness={y: 1, target: [1, 1], point: [0, 1], gamma: 1},
        )
        .start(dot(before + y * point, target))
        .equals(dot(before, target) + y * dot(target, point), because="the inner product is linear")
        .at_least(
            dot(before, target) + gamma,
            because=r"$\theta^*$ separates with margin $\gamma$",
        )
        .qed()
    )


@proves("lem-norm-after-k-mistakes")
def norm_after_k_mistakes() -> Theorem:
    r"""Derive $\lVert\theta^{(k)}\rVert^2\le kR^2$ by induction over the mistakes."""
    step = apply(norm_growth(), {before: theta[k], point: x[k + 1], y: label[k + 1], R: R})
    return (
        Derivation("norm after k mistakes", setting=run)
        .start(norm2(theta[k]))
        .at_most(
            k * R**2,
            because=r"$\theta^{(0)}=0$, and each of the $k$ mistakes adds at most $R^2$",
            by=induction(None, k, step=step),
        )
        .qed()
    )


@proves("lem-alignment-after-k-mistakes")
def alignment_after_k_mistakes() -> Theorem:
    r"""Derive $\langle\theta^{(k)},\theta^*\rangle\ge k\gamma$ by induction over the mistakes."""
    step = apply(alignment_growth(), {before: theta[k], point: x[k + 1], y: label[k + 1]})
    return (
        Derivation("alignment after k mistakes", setting=run)
        .start(dot(theta[k], target))
        .at_least(
            k * gamma,
            because=r"$\theta^{(0)}=0$, and each of the $k$ mistakes adds at least $\gamma$",
            by=induction(None, k, step=step),
        )
        .qed()
    )


@proves("lem-perceptron-both-growths")
def both_growths() -> Theorem:
    r"""Derive $k^2\gamma^2\le kR^2\lVert\theta^*\rVert^2$ by comparing the two growths."""
    return (
        Derivation("both growths together", setting=run)
        .start(k**2 * gamma**2)
        .at_most(
            dot(theta[k], target) ** 2,
            because=r"$\langle\theta^{(k)},\theta^*\rangle\ge k\gamma\ge 0$",
            by=using(apply(alignment_after_k_mistakes())),
        )
        .at_most(
            norm2(theta[k]) * norm2(target),
            because="Cauchy–Schwarz, squared",
            by=using(apply(cauchy_schwarz(), {u: theta[k], v: target})),
        )
        .at_most(
            k * R**2 * norm2(target),
            because=r"$\lVert\theta^{(k)}\rVert^2\le kR^2$",
            by=using(apply(norm_after_k_mistakes())),
        )
        .qed()
    )


@proves("thm-perceptron-convergence")
def convergence() -> Theorem:
    r"""Derive that the perceptron makes at most $R^2\lVert\theta^*\rVert^2/\gamma^2$ mistakes."""
    return (
        Derivation("perceptron convergence", setting=run)
        .start(k)
        .at_most(
            R**2 * norm2(target) / gamma**2,
            because=r"divide $k^2\gamma^2\le kR^2\lVert\theta^*\rVert^2$ by $k\gamma^2>0$",
            by=using(apply(both_growths())),
        )
        .qed()
    )


@proves("cor-perceptron-unit-margin")
def unit_margin() -> Theorem:
    r"""Derive the bound $1/\gamma^2$ for points in the unit ball and a separator of norm one."""
    one = Eq(norm2(target), 1)
    inside = for_each(j, 1, k, Le(norm2(x[j]), 1))
    return (
        Derivation(
            "convergence in the unit ball",
            given={"ball": inside, "unit": one},
            setting=run,
            witness={**RUN, target: [Rational(3, 5), Rational(4, 5)], gamma: Rational(3, 5)},
        )
        .start(k)
        .at_most(
            norm2(target) / gamma**2,
            because="the convergence theorem with $R=1$",
            by=apply(convergence(), {R: 1}),
        )
        .equals(1 / gamma**2, because=r"$\lVert\theta^*\rVert=1$")
        .qed()
    )


@proves("cor-perceptron-normalised")
def normalised_margin() -> Theorem:
    r"""Derive the bound $1/\rho^2$ with $\rho$ the margin of the data divided by their radius."""
    rho = reals("rho", positive=True)
    ratio = Eq(rho, gamma / (R * norm(target)))
    return (
        Derivation(
            "convergence in terms of one ratio",
            given={"length": Gt(R, 0), "target": Gt(norm(target), 0), "ratio": ratio},
            setting=run,
            witness={
                **RUN,
                target: [Rational(3, 5), Rational(4, 5)],
                gamma: Rational(3, 5),
                rho: Rational(3, 5),
            },
        )
        .start(k)
        .at_most(
            R**2 * norm2(target) / gamma**2,
            because="the convergence theorem",
            by=apply(convergence()),
        )
        .equals(1 / rho**2, because=r"$\rho=\gamma/(R\lVert\theta^*\rVert)$")
        .qed()
    )


@proves("lem-learning-rate-path")
def learning_rate_path() -> Theorem:
    r"""Derive where a run with learning rate $\eta$ is, if it makes the same mistakes."""
    return (
        Derivation(
            "the path with a learning rate",
            given={"updates": UPDATES, "rated": RATED_UPDATES},
            witness=RATED_RUN,
        )
        .start(phi[k])
        .equals(
            eta * theta[k] + (phi[0] - eta * theta[0]),
            because=r"each correction is $\eta$ times the other's",
            by=induction(None, k),
        )
        .qed()
    )


@proves("lem-common-rescaling")
def common_rescaling() -> Theorem:
    """Derive that one factor on all points passes through to the weights."""
    return (
        Derivation(
            "all points multiplied by one number",
            given={"scaled start": Eq(phi[0], 0), "scaled": SCALED_UPDATES},
            setting=run,
            witness={**RATED_RUN, c: 2},
        )
        .start(y * dot(phi[k], c * anywhere))
        .equals(
            y * dot(c * theta[k], c * anywhere),
            because=r"every correction carries the factor, so $\phi^{(k)}=c\,\theta^{(k)}$",
            by=using(apply(learning_rate_path(), {eta: c})),
        )
        .equals(c**2 * (y * dot(theta[k], anywhere)), because="the inner product is linear")
        .qed()
    )


@proves("lem-orthonormal-tie")
def orthonormal_tie() -> Theorem:
    """Derive that a point orthogonal to all earlier mistakes is a tie, and so a mistake."""
    return (
        Derivation(
            "a new direction",
            given={"orthogonal": EARLIER, "index": Ge(m, 1)},
            witness={m: 2, axis: [[1, 0], [0, 1]], label: [1, -1]},
        )
        .start(dot(Sum(label[i] * axis[i], (i, 1, m - 1)), axis[m]))
        .equals(
            Sum(label[i] * dot(axis[i], axis[m]), (i, 1, m - 1)),
            because="the inner product is linear",
        )
        .equals(0, because="every term is zero", by=termwise(i))
        .qed()
    )


@proves("lem-orthonormal-norm")
def orthonormal_norm() -> Theorem:
    r"""Derive that a signed sum of $n$ orthonormal vectors has squared length $n$."""
    return (
        Derivation(
            "length of a signed sum of axes",
            given={"axes": AXES, "signs": SIGNS},
            witness={n: 2, axis: [[1, 0], [0, 1]], label: [1, -1]},
        )
        .start(norm2(Sum(label[i] * axis[i], (i, 1, n))))
        .equals(
            Sum(label[i] * label[j] * dot(axis[i], axis[j]), (i, 1, n), (j, 1, n)),
            because="expand the square",
        )
        .equals(
            Sum(label[i] ** 2, (i, 1, n)),
            because="only the terms with $i=j$ are left",
        )
        .equals(n, because="each of them is one")
        .qed()
    )


@proves("lem-orthonormal-margin")
def orthonormal_margin() -> Theorem:
    """Derive that labels as weights of the new axes give every point the product one."""
    return (
        Derivation(
            "labels as weights",
            given={
                "axes": AXES,
                "signs": SIGNS,
                "apart": APART,
                "first": Ge(m, 1),
                "last": Le(m, n),
            },
            witness={
                n: 2,
                m: 2,
                axis: [[1, 0, 0], [0, 1, 0]],
                label: [1, -1],
                x: [[0, 0, 3], [0, 0, 4]],
            },
        )
        .start(label[m] * dot(Sum(label[i] * axis[i], (i, 1, n)), x[m] + axis[m]))
        .equals(
            Sum(label[m] * label[i] * (dot(axis[i], x[m]) + dot(axis[i], axis[m])), (i, 1, n)),
            because="the inner product is linear in both places",
        )
        .equals(
            Sum(label[m] * label[i] * KroneckerDelta(i, m), (i, 1, n)),
            because="the axes are orthonormal and orthogonal to the points",
            by=termwise(i),
        )
        .equals(1, because="what is left is $y_m^2$")
        .qed()
    )


@proves("lem-indicator-length")
def indicator_length() -> Theorem:
    r"""Derive $\lVert\theta^{(k)}\rVert^2\le k(R^2+1)$ where every point has an axis of its own."""
    some_point = {**OWN, m: 1}
    sign = (
        Derivation("a label", given=[SIGNS, Ge(m, 1), Le(m, n)], witness=some_point)
        .start(label[m] ** 2)
        .equals(1, because="labels are signs")
        .qed()
    )
    longer = (
        Derivation(
            "a point and its axis",
            given=[AXES, APART, INSIDE, Ge(m, 1), Le(m, n)],
            witness=some_point,
        )
        .start(norm2(with_own_axis(m)))
        .at_most(
            R**2 + 1,
            because="the radius grows by the new coordinate",
            by=apply(augmented_radius(), {point: x[m], e: axis[m], reals("c", nonzero=True): 1}),
        )
        .qed()
    )
    last = at[k + 1]
    values = {before: theta[k], point: with_own_axis(last), y: label[last], R: sqrt(R**2 + 1)}
    updated = Eq(norm2(theta[k + 1]), norm2(theta[k] + label[last] * with_own_axis(last)))
    step = using(
        apply(sign, {m: last}), apply(longer, {m: last}), updated, apply(norm_growth(), values)
    )
    return (
        Derivation("length with one axis a point", setting=own_run)
        .start(norm2(theta[k]))
        .at_most(
            k * (R**2 + 1),
            because="each mistake adds at most the new squared radius",
            by=induction(None, k, step=step),
        )
        .qed()
    )


@proves("lem-indicator-alignment")
def indicator_alignment() -> Theorem:
    r"""Derive $\langle\theta^{(k)},\sum_iy_ie_i\rangle\ge k$ where every point has its own axis."""
    last = at[k + 1]
    values = {
        before: theta[k],
        point: with_own_axis(last),
        y: label[last],
        target: LABELS_AS_WEIGHTS,
        gamma: 1,
    }
    step = using(apply(orthonormal_margin(), {m: last}), apply(alignment_growth(), values))
    return (
        Derivation("alignment with one axis a point", setting=own_run)
        .start(dot(theta[k], LABELS_AS_WEIGHTS))
        .at_least(k, because="each mistake adds the product one", by=induction(None, k, step=step))
        .qed()
    )


@proves("thm-indicator-bound")
def indicator_bound() -> Theorem:
    r"""Derive that with an indicator for each point at most $n(R^2+1)$ mistakes are made."""
    amount, rate = reals("M q", positive=True)
    values = {before: theta[k], target: LABELS_AS_WEIGHTS, gamma: 1, amount: k, rate: R**2 + 1}
    return (
        Derivation("mistakes with one indicator a point", setting=own_run)
        .start(k)
        .at_most(
            (R**2 + 1) * norm2(LABELS_AS_WEIGHTS),
            because="the two growths meet",
            by=using(
                apply(indicator_alignment()),
                apply(indicator_length()),
                apply(growths_meet(), values),
            ),
        )
        .equals(
            n * (R**2 + 1),
            because="the length of a signed sum of axes",
            by=using(apply(orthonormal_norm())),
        )
        .qed()
    )


@proves("thm-xor-not-separable")
def xor_is_not_separable() -> Theorem:
    """Derive that no line separates the two diagonals of a square."""
    first, second = reals("theta_1 theta_2")
    return impossible(
        "no line separates XOR",
        given={
            "first": Gt(first + second + offset, 0),
            "second": Gt(-first - second + offset, 0),
            "third": Lt(first - second + offset, 0),
            "fourth": Lt(-first + second + offset, 0),
        },
    )


@proves("thm-xor-third-feature")
def xor_with_a_product() -> Theorem:
    """Derive that the product of the coordinates separates the corners, with margin one."""
    x1, x2 = reals("x_1 x_2")
    return (
        Derivation(
            "XOR with a product",
            given={"first": Eq(x1**2, 1), "second": Eq(x2**2, 1), "label": Eq(y, -x1 * x2)},
            witness={x1: 1, x2: -1, y: 1},
        )
        .start(y * (0 * x1 + 0 * x2 - 1 * (x1 * x2)))
        .equals((x1 * x2) ** 2, because="the label is $-x_1x_2$")
        .equals(1, because="both factors are one")
        .qed()
    )


@proves("thm-offset-needed")
def offset_is_needed() -> Theorem:
    """Derive that no line through the origin separates 1, negative, from 2, positive."""
    weight = reals("theta_1")
    return impossible(
        "no threshold at the origin",
        given={"first": Lt(weight * 1, 0), "second": Gt(weight * 2, 0)},
    )


@proves("lem-update-with-offset")
def update_with_offset() -> Theorem:
    """Derive by how much an update of weights and offset raises the product."""
    return (
        Derivation("an update with an offset", given={"label": Eq(y**2, 1)}, witness={y: -1})
        .start(y * (dot(before + y * point, point) + offset + y))
        .equals(
            y * (dot(before, point) + offset) + y**2 * norm2(point) + y**2,
            because="the inner product is linear",
        )
        .equals(
            y * (dot(before, point) + offset) + norm2(point) + 1,
            because="$y^2=1$",
        )
        .qed()
    )


@proves("lem-augmentation")
def augmentation() -> Theorem:
    r"""Derive that a constant coordinate $c$ turns an affine rule into a homogeneous one."""
    c = reals("c", nonzero=True)
    return (
        Derivation(
            "augmented product", given=BASIS, witness={e: [0, 1], before: [2, 0], point: [3, 0]}
        )
        .start(dot(before + offset / c * e, point + c * e))
        .equals(
            dot(before, point)
            + c * dot(before, e)
            + offset / c * dot(e, point)
            + offset * norm2(e),
            because="the inner product is linear in both places",
        )
        .equals(
            dot(before, point) + offset,
            because=r"the new axis $e$ is a unit vector orthogonal to the data and to $\theta$",
        )
        .qed()
    )


@proves("lem-augmented-radius")
def augmented_radius() -> Theorem:
    r"""Derive that a constant coordinate $c$ raises the squared radius from $R^2$ to $R^2+c^2$."""
    c = reals("c", nonzero=True)
    return (
        Derivation(
            "augmented radius",
            given={
                "unit": Eq(norm2(e), 1),
                "point": Eq(dot(point, e), 0),
                "radius": Le(norm2(point), R**2),
            },
            witness={e: [0, 1], point: [3, 0], R: 3},
        )
        .start(norm2(point + c * e))
        .equals(norm2(point) + 2 * c * dot(point, e) + c**2 * norm2(e), because="expand the square")
        .equals(norm2(point) + c**2, because=r"$e$ is a unit vector orthogonal to the point")
        .at_most(R**2 + c**2, because=r"the point has norm at most $R$")
        .qed()
    )


@proves("lem-augmented-norm")
def augmented_norm() -> Theorem:
    r"""Derive $\lVert\theta^*+\frac{\theta_0^*}ce\rVert^2$ for a new axis $e$."""
    return (
        Derivation(
            "augmented weights",
            given={"unit": Eq(norm2(e), 1), "weights": Eq(dot(target, e), 0)},
            witness={e: [0, 1], target: [1, 0]},
        )
        .start(norm2(target + shift / c * e))
        .equals(
            norm2(target) + 2 * (shift / c) * dot(target, e) + shift**2 / c**2 * norm2(e),
            because="expand the square",
        )
        .equals(
            norm2(target) + shift**2 / c**2,
            because=r"$e$ is a unit vector orthogonal to $\theta^*$",
        )
        .qed()
    )


@proves("thm-perceptron-offset")
def convergence_with_offset() -> Theorem:
    r"""Derive the mistake bound for points with a constant coordinate $c$ appended."""
    with as_written():
        updates = for_each(j, 1, k, Eq(theta[j], theta[j - 1] + label[j] * (x[j] + c * e)))
        mistakes = for_each(j, 1, k, Le(label[j] * dot(theta[j - 1], x[j] + c * e), 0))
        margin = for_each(j, 1, k, Ge(label[j] * (dot(target, x[j]) + shift), gamma))
    values = {
        x: Lambda(j, x[j] + c * e),
        target: target + shift / c * e,
        R: sqrt(R**2 + c**2),
    }
    return (
        Derivation(
            "perceptron convergence with an offset",
            given={
                "start": START,
                "updates": updates,
                "labels": LABELS,
                "mistakes": mistakes,
                "radius": RADIUS,
                "margin": margin,
                "unit": Eq(norm2(e), 1),
                "target axis": Eq(dot(target, e), 0),
                "axis": for_each(j, 1, k, Eq(dot(x[j], e), 0)),
            },
            witness=OFFSET_RUN,
        )
        .start(k)
        .at_most(
            (R**2 + c**2) * norm2(target + shift / c * e) / gamma**2,
            because="the convergence theorem for the augmented points and weights",
            by=apply(convergence(), values),
        )
        .equals(
            (R**2 + c**2) * (norm2(target) + shift**2 / c**2) / gamma**2,
            because="the length of the augmented weights",
            by=using(apply(augmented_norm())),
        )
        .qed()
    )


@proves("lem-best-augmentation")
def best_augmentation() -> Theorem:
    r"""Derive the best mistake bound over the constant $c$ that is appended."""
    length, radius = reals("b R", positive=True)
    return (
        Derivation("best constant coordinate")
        .start((radius**2 + c**2) * (length**2 + shift**2 / c**2) / gamma**2)
        .equals(
            (radius * length + Abs(shift)) ** 2 / gamma**2
            + (c * length - radius * Abs(shift) / c) ** 2 / gamma**2,
            because="complete the square",
        )
        .at_least(
            (radius * length + Abs(shift)) ** 2 / gamma**2,
            because=r"with equality exactly for $c^2=R|\theta_0^*|/b$",
        )
        .qed()
    )


@proves("cor-perceptron-best-constant")
def best_constant_bound() -> Theorem:
    r"""Derive the mistake bound with an offset at the best constant $c$."""
    best = R * Abs(shift) / norm(target)
    return (
        Derivation(
            "convergence with the best constant",
            given={
                **{h.name: h.written for h in convergence_with_offset().own[:9]},
                "length": Gt(R, 0),
                "target": Gt(norm2(target), 0),
                "best": Eq(c**2, best),
            },
            witness=OFFSET_RUN,
        )
        .start(k)
        .at_most(
            (R**2 + c**2) * (norm2(target) + shift**2 / c**2) / gamma**2,
            because="convergence with an offset",
            by=apply(convergence_with_offset()),
        )
        .equals(
            (R**2 + best) * (norm2(target) + shift**2 / best) / gamma**2,
            because="the constant",
        )
        .equals(
            (R * norm(target) + Abs(shift)) ** 2 / gamma**2,
            because="the cross terms are equal",
        )
        .qed()
    )


@proves("thm-learning-rate")
def learning_rate() -> Theorem:
    r"""Derive what a learning rate changes in a product, from a common start."""
    return (
        Derivation(
            "what a learning rate changes",
            given={"updates": UPDATES, "rated": RATED_UPDATES, "start": Eq(phi[0], theta[0])},
            witness=RATED_RUN,
        )
        .start(y * dot(phi[k], anywhere))
        .equals(
            y * dot(eta * theta[k] + (1 - eta) * theta[0], anywhere),
            because="the path, with both starts the same",
            by=using(apply(learning_rate_path())),
        )
        .equals(
            eta * (y * dot(theta[k], anywhere)) + (1 - eta) * (y * dot(theta[0], anywhere)),
            because="the inner product is linear",
        )
        .qed()
    )


@proves("lem-two-rates")
def two_rates() -> Theorem:
    r"""Derive that a rate for the weights alone is another constant coordinate, $1/\sqrt\eta$."""
    return (
        Derivation("a rate for the weights alone")
        .start(
            dot(Sum(eta * label[j] * x[j], (j, 1, k)), anywhere) + Sum(label[j], (j, 1, k)),
        )
        .equals(
            eta * Sum(label[j] * (dot(x[j], anywhere) + 1 / eta), (j, 1, k)),
            because=r"take $\eta$ out of both sums",
        )
        .qed()
    )


@proves("lem-positive-part-convex")
def positive_part_is_convex() -> Theorem:
    r"""Derive that $\max(0,-m)$ is a convex function of the product $m$."""
    here, there = reals("m_1 m_2")
    return (
        Derivation(
            "the loss as a function of the product",
            given={"lower": Ge(t, 0), "upper": Le(t, 1)},
            witness={t: Rational(1, 2)},
        )
        .start(Max(0, -(t * here + (1 - t) * there)))
        .at_most(
            t * Max(0, -here) + (1 - t) * Max(0, -there),
            because="the right side is at least zero, and at least the linear function",
        )
        .qed()
    )


@proves("lem-perceptron-loss-convex")
def loss_is_convex() -> Theorem:
    """Derive that the perceptron loss is a convex function of the weights."""
    here, there = reals("m_1 m_2")
    products = {here: y * dot(before, point), there: y * dot(other, point)}
    return (
        Derivation(
            "the perceptron loss is convex",
            given={"lower": Ge(t, 0), "upper": Le(t, 1)},
            witness={t: Rational(1, 2)},
        )
        .start(Max(0, -y * dot(t * before + (1 - t) * other, point)))
        .equals(
            Max(0, -(t * (y * dot(before, point)) + (1 - t) * (y * dot(other, point)))),
            because="the inner product is linear",
        )
        .at_most(
            t * Max(0, -y * dot(before, point)) + (1 - t) * Max(0, -y * dot(other, point)),
            because="the loss is convex in the product",
            by=apply(positive_part_is_convex(), products),
        )
        .qed()
    )


@proves("lem-perceptron-subgradient")
def loss_subgradient() -> Theorem:
    r"""Derive that $-yx$ is a subgradient of the loss wherever the perceptron makes a mistake."""
    return (
        Derivation(
            "a subgradient at a mistake",
            given={"mistake": Le(y * dot(before, point), 0)},
            witness={y: 1, before: [1, 0], point: [0, 1]},
        )
        .start(Max(0, -y * dot(other, point)))
        .at_least(-y * dot(other, point), because="a maximum is at least both of its terms")
        .equals(
            -y * dot(before, point) + dot(-y * point, other - before),
            because="the linear function through its value at $\\theta$",
        )
        .equals(
            Max(0, -y * dot(before, point)) + dot(-y * point, other - before),
            because=r"at a mistake $-y\langle\theta,x\rangle\ge0$ is the loss",
        )
        .qed()
    )


@proves("thm-perceptron-as-sgd")
def perceptron_as_sgd() -> Theorem:
    r"""Derive that a step against the gradient of the loss at a mistake is the correction."""
    return (
        Derivation("the correction as a gradient step")
        .start(before - eta * grad(-y * dot(before, point), before))
        .equals(before - eta * (-y * point), because="the gradient of a linear function")
        .equals(before + eta * y * point, because="two signs")
        .qed()
    )


@proves("lem-dual-form")
def dual_form() -> Theorem:
    """Derive that the weights are the sum of the signed points at which mistakes were made."""
    return (
        Derivation("the weights as a sum of mistakes", setting=run)
        .start(theta[k])
        .equals(
            Sum(label[j] * x[j], (j, 1, k)),
            because=r"$\theta^{(0)}=0$, and each mistake adds its signed point",
            by=induction(None, k),
        )
        .qed()
    )


@proves("lem-round-all-wrong")
def round_is_all_wrong() -> Theorem:
    r"""Derive that the sum of the wrong points is wrong, or undecided, itself."""
    return (
        Derivation("a sum of mistakes")
        .start(dot(before, correction(before)))
        .equals(
            Sum(is_wrong(before, i) * (label[i] * dot(before, x[i])), (i, 1, n)),
            because="the inner product is linear",
        )
        .at_most(Sum(0, (i, 1, n)), because="mistakes only are counted", by=termwise(i))
        .equals(0, because="a sum of zeros")
        .qed()
    )


@proves("lem-round-alignment")
def round_alignment() -> Theorem:
    r"""Derive that each of the wrong points adds at least $\gamma$ to the alignment."""
    return (
        Derivation("alignment of a sum of mistakes", setting=points)
        .start(dot(correction(before), target))
        .equals(
            Sum(is_wrong(before, i) * (label[i] * dot(target, x[i])), (i, 1, n)),
            because="the inner product is linear",
        )
        .at_least(Sum(is_wrong(before, i) * gamma, (i, 1, n)), because="the margin", by=termwise(i))
        .equals(gamma * mistakes(before), because="a common factor")
        .qed()
    )


@proves("lem-round-length")
def round_length() -> Theorem:
    r"""Derive that the sum of $m$ signed points of length at most $R$ is at most $mR$ long."""
    pair = (
        Derivation(
            "two signed points",
            given=[Eq(p**2, 1), Eq(q**2, 1), Le(norm2(u), R**2), Le(norm2(v), R**2)],
            witness={p: 1, q: -1, u: [1, 0], v: [0, 1], R: 1},
        )
        .start(p * q * dot(u, v))
        .equals((norm2(u) + norm2(v) - norm2(p * u - q * v)) / 2, because="expand the square")
        .at_most(R**2, because="a squared norm is nonnegative")
        .qed()
    )
    both = is_wrong(before, i) * is_wrong(before, j)
    values = {p: label[i], q: label[j], u: x[i], v: x[j]}
    return (
        Derivation("length of a sum of mistakes", setting=points)
        .start(norm2(correction(before)))
        .equals(
            Sum(both * (label[i] * label[j] * dot(x[i], x[j])), (i, 1, n), (j, 1, n)),
            because="expand the square",
        )
        .at_most(
            Sum(both * R**2, (i, 1, n), (j, 1, n)),
            because="no two of them have an inner product above $R^2$",
            by=termwise(j, by=termwise(i, by=using(apply(pair, values)))),
        )
        .equals(mistakes(before) ** 2 * R**2, because="the pairs, counted")
        .qed()
    )


@proves("lem-round-growth")
def round_growth() -> Theorem:
    r"""Derive that a round with $m\le n$ mistakes adds at most $nmR^2$ to the squared length."""
    everything = Sum(1, (i, 1, n))
    made = mistakes(before)
    return (
        Derivation("growth in a round", setting=points)
        .start(norm2(before + correction(before)))
        .equals(
            norm2(before) + 2 * dot(before, correction(before)) + norm2(correction(before)),
            because="expand the square",
        )
        .at_most(
            norm2(before) + made**2 * R**2,
            because="points that are all wrong, none longer than $R$",
            by=using(apply(round_is_all_wrong()), apply(round_length())),
        )
        .at_most(
            norm2(before) + everything * made * R**2,
            because="there are no more mistakes than points",
            by=using(Le(made, everything), Ge(made, 0)),
        )
        .equals(norm2(before) + n * R**2 * made, because="which are $n$")
        .qed()
    )


@proves("lem-growths-meet")
def growths_meet() -> Theorem:
    """Derive a bound on anything that both growths are proportional to."""
    amount, rate = reals("M q", positive=True)
    return (
        Derivation(
            "two growths meet",
            given={
                "alignment": Ge(dot(before, target), gamma * amount),
                "length": Le(norm2(before), rate * amount),
            },
            witness={before: [1, 1], target: [1, 1], gamma: 1, amount: 2, rate: 1},
        )
        .start(amount)
        .equals(gamma**2 * amount**2 / (gamma**2 * amount), because="multiply and divide")
        .at_most(dot(before, target) ** 2 / (gamma**2 * amount), because="the alignment has grown")
        .at_most(
            norm2(before) * norm2(target) / (gamma**2 * amount),
            because="Cauchy–Schwarz, squared",
            by=using(apply(cauchy_schwarz(), {u: before, v: target})),
        )
        .at_most(rate * norm2(target) / gamma**2, because="the length has not")
        .qed()
    )


@proves("lem-batch-norm")
def batch_norm() -> Theorem:
    r"""Derive that the squared length is at most $nR^2$ times all mistakes, by induction."""
    return (
        Derivation("length after T rounds", setting=rounds)
        .start(norm2(theta[T]))
        .at_most(
            n * R**2 * ALL_MISTAKES,
            because="what a round adds is at most $nR^2$ for each of its mistakes",
            by=induction(None, T, step=apply(round_growth(), {before: theta[T]})),
        )
        .qed()
    )


@proves("lem-batch-alignment")
def batch_alignment() -> Theorem:
    r"""Derive $\langle\theta^{(T)},\theta^*\rangle\ge\gamma$ times all mistakes, by induction."""
    return (
        Derivation("alignment after T rounds", setting=rounds)
        .start(dot(theta[T], target))
        .at_least(
            gamma * ALL_MISTAKES,
            because=r"every mistake of every round adds at least $\gamma$",
            by=induction(None, T, step=apply(round_alignment(), {before: theta[T]})),
        )
        .qed()
    )


@proves("thm-batch-perceptron")
def batch_convergence() -> Theorem:
    r"""Derive that all rounds make at most $nR^2\lVert\theta^*\rVert^2/\gamma^2$ mistakes."""
    amount, rate = reals("M q", positive=True)
    meet = apply(growths_meet(), {before: theta[T], amount: ALL_MISTAKES, rate: n * R**2})
    return (
        Derivation(
            "batch convergence",
            given={"length": Gt(R, 0), "some": Gt(ALL_MISTAKES, 0)},
            setting=rounds,
        )
        .start(ALL_MISTAKES)
        .at_most(
            n * R**2 * norm2(target) / gamma**2,
            because="the two growths meet",
            by=using(apply(batch_alignment()), apply(batch_norm()), meet),
        )
        .qed()
    )
