"""Why the perceptron stops: at most R²‖θ*‖²/γ² mistakes, in any dimension and any order of points.

The mistakes of a run are numbered from 1 to k: the j-th one is made on a point ``x[j]`` with label
``y[j]`` and turns ``theta[j - 1]`` into ``theta[j]``. Nothing else about the run matters.
"""

from __future__ import annotations

from mlnotes.proof import (
    Abs,
    Derivation,
    Eq,
    Ge,
    Gt,
    Le,
    Lt,
    Rational,
    Theorem,
    apply,
    as_written,
    cases,
    dot,
    for_each,
    impossible,
    indices,
    induction,
    integers,
    monotone,
    norm,
    norm2,
    real_family,
    reals,
    sqrt,
    using,
    vector_family,
    vectors,
)
from mlnotes.theorems import proves

u, v, e = vectors("u v e")
before, point, target = vectors("theta x theta^*")
y, R = reals("y R")
gamma = reals("gamma", positive=True)
k = integers("k", positive=True)
j = indices("j")
theta, x = vector_family("theta x")
label = real_family("y")

with as_written():
    START = Eq(theta[0], 0)
    UPDATES = for_each(j, 1, k, Eq(theta[j], theta[j - 1] + label[j] * x[j]))
    LABELS = for_each(j, 1, k, Eq(label[j] ** 2, 1))
    MISTAKES = for_each(j, 1, k, Le(label[j] * dot(theta[j - 1], x[j]), 0))
    RADIUS = for_each(j, 1, k, Le(norm2(x[j]), R**2))
    MARGIN = for_each(j, 1, k, Ge(label[j] * dot(target, x[j]), gamma))

# A unit vector orthogonal to the data, along which a constant coordinate is appended.
BASIS = [Eq(norm2(e), 1), Eq(dot(before, e), 0), Eq(dot(point, e), 0)]

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


@proves("lem-update-raises-margin")
def update_raises_margin() -> Theorem:
    r"""Derive by how much an update raises the product that was not positive."""
    return (
        Derivation("an update raises the margin", given=[Eq(y**2, 1)], witness={y: -1})
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
            given=[Eq(y**2, 1), mistake, Le(norm2(point), R**2)],
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
            given=[Ge(y * dot(target, point), gamma)],
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
    r"""Derive $\lVert\theta_k\rVert^2\le kR^2$ by induction over the mistakes."""
    step = apply(norm_growth(), {before: theta[k], point: x[k + 1], y: label[k + 1], R: R})
    return (
        Derivation(
            "norm after k mistakes",
            given=[START, UPDATES, LABELS, MISTAKES, RADIUS],
            witness=RUN,
        )
        .start(norm2(theta[k]))
        .at_most(
            k * R**2,
            because=r"$\theta_0=0$, and each of the $k$ mistakes adds at most $R^2$",
            by=induction(None, k, step=step),
        )
        .qed()
    )


@proves("lem-alignment-after-k-mistakes")
def alignment_after_k_mistakes() -> Theorem:
    r"""Derive $\langle\theta_k,\theta^*\rangle\ge k\gamma$ by induction over the mistakes."""
    step = apply(alignment_growth(), {before: theta[k], point: x[k + 1], y: label[k + 1]})
    return (
        Derivation("alignment after k mistakes", given=[START, UPDATES, MARGIN], witness=RUN)
        .start(dot(theta[k], target))
        .at_least(
            k * gamma,
            because=r"$\theta_0=0$, and each of the $k$ mistakes adds at least $\gamma$",
            by=induction(None, k, step=step),
        )
        .qed()
    )


@proves("lem-perceptron-both-growths")
def both_growths() -> Theorem:
    r"""Derive $k^2\gamma^2\le kR^2\lVert\theta^*\rVert^2$ by comparing the two growths."""
    return (
        Derivation(
            "both growths together",
            given=[START, UPDATES, LABELS, MISTAKES, RADIUS, MARGIN],
            witness=RUN,
        )
        .start(k**2 * gamma**2)
        .at_most(
            dot(theta[k], target) ** 2,
            because=r"$\langle\theta_k,\theta^*\rangle\ge k\gamma\ge 0$",
            by=using(apply(alignment_after_k_mistakes())),
        )
        .at_most(
            norm2(theta[k]) * norm2(target),
            because="Cauchy–Schwarz, squared",
            by=using(apply(cauchy_schwarz(), {u: theta[k], v: target})),
        )
        .at_most(
            k * R**2 * norm2(target),
            because=r"$\lVert\theta_k\rVert^2\le kR^2$",
            by=using(apply(norm_after_k_mistakes())),
        )
        .qed()
    )


@proves("thm-perceptron-convergence")
def convergence() -> Theorem:
    r"""Derive that the perceptron makes at most $R^2\lVert\theta^*\rVert^2/\gamma^2$ mistakes."""
    return (
        Derivation(
            "perceptron convergence",
            given=[START, UPDATES, LABELS, MISTAKES, RADIUS, MARGIN],
            witness=RUN,
        )
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
            given=[START, UPDATES, LABELS, MISTAKES, inside, MARGIN, one],
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


@proves("thm-xor-not-separable")
def xor_is_not_separable() -> Theorem:
    """Derive that no line separates the two diagonals of a square."""
    w1, w2, b = reals("w_1 w_2 b")
    return impossible(
        "no line separates XOR",
        given=[Gt(w1 + w2 + b, 0), Gt(-w1 - w2 + b, 0), Lt(w1 - w2 + b, 0), Lt(-w1 + w2 + b, 0)],
    )


@proves("lem-augmentation")
def augmentation() -> Theorem:
    r"""Derive that a constant coordinate $c$ turns an affine rule into a homogeneous one."""
    offset = reals("theta_0")
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
            given=[*BASIS, Le(norm2(point), R**2)],
            witness={e: [0, 1], before: [2, 0], point: [3, 0], R: 3},
        )
        .start(norm2(point + c * e))
        .equals(norm2(point) + 2 * c * dot(point, e) + c**2 * norm2(e), because="expand the square")
        .equals(norm2(point) + c**2, because=r"$e$ is a unit vector orthogonal to the point")
        .at_most(R**2 + c**2, because=r"the point has norm at most $R$")
        .qed()
    )


@proves("lem-best-augmentation")
def best_augmentation() -> Theorem:
    r"""Derive the best mistake bound over the constant $c$ that is appended."""
    T, r, c = reals("T R c", positive=True)
    offset = reals("theta_0")
    return (
        Derivation("best constant coordinate")
        .start((r**2 + c**2) * (T**2 + offset**2 / c**2) / gamma**2)
        .equals(
            (r * T + Abs(offset)) ** 2 / gamma**2 + (c * T - r * Abs(offset) / c) ** 2 / gamma**2,
            because="complete the square",
        )
        .at_least(
            (r * T + Abs(offset)) ** 2 / gamma**2,
            because=r"with equality exactly for $c^2=R|\theta_0|/T$",
        )
        .qed()
    )
