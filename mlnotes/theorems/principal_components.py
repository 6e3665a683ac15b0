r"""Principal components: the best rank-one fit, Ky Fan's inequality, whitening, kernels, merging.

The rows of the n × d matrix X are the points, S is the scatter matrix XᵀX and G the Gram matrix
XXᵀ. That S has an orthonormal basis of eigenvectors u₁, …, u_d with eigenvalues λ₁ ≥ … ≥ λ_d is the
spectral theorem, which is supposed and not proved: the setting ``components`` states what it says.
The columns of the d × k matrix W are any orthonormal frame, WᵀW = I.
"""

from __future__ import annotations

from typing import Any

from mlnotes.proof import (
    Derivation,
    Eq,
    Expr,
    Ge,
    Gt,
    KroneckerDelta,
    Lambda,
    Le,
    Lt,
    Setting,
    Sum,
    Theorem,
    apply,
    cases,
    eigenbasis,
    for_each,
    grad,
    identity,
    indices,
    induction,
    integers,
    inverse,
    invertible,
    matrices,
    matrix_family,
    prove,
    quantity,
    real_family,
    reals,
    termwise,
    trace,
    using,
    zeros,
)
from mlnotes.theorems import proves

n, d, k, p = integers("n d k p", positive=True)
m = integers("m", nonnegative=True)
i, j, l = indices("i j l")  # noqa: E741

X = matrices("X", n, d)
S = matrices("S", d, d)
G = matrices("G", n, n, symmetric=True)
W = matrices("W", d, k)


def square(A: Expr) -> Expr:
    """Return the sum of the squares of all entries."""
    return trace(A.T * A)


# ------------------------------------------------------------------ centring

x = matrix_family("x", d, 1)
mean, centre = matrices("m c", d, 1)
MEAN = {"mean": Eq(mean, Sum(x[i], (i, 1, n)) / n)}
FRAME = {"frame": Eq(W.T * W, identity(k))}
THREE = {n: 3, d: 2, x: [[[0], [0]], [[2], [0]], [[4], [3]]], mean: [[2], [1]], centre: [[0], [0]]}
AXIS = {k: 1, W: [[1], [0]]}
moment = Sum(x[i] * x[i].T, (i, 1, n))
scatter_about_mean = Sum((x[i] - mean) * (x[i] - mean).T, (i, 1, n))


@proves("lem-pca-uncentred")
def uncentred() -> Theorem:
    r"""Derive what the second moments have that the scatter about the mean has not."""
    return (
        Derivation("moments and scatter", given=MEAN, witness=THREE)
        .start(moment)
        .equals(
            scatter_about_mean
            + (Sum(x[i], (i, 1, n)) - n * mean) * mean.T
            + mean * (Sum(x[i], (i, 1, n)) - n * mean).T
            + n * mean * mean.T,
            because="go to $x_i$ through the mean and multiply out",
        )
        .equals(
            scatter_about_mean + n * mean * mean.T, because="the deviations from the mean cancel"
        )
        .qed()
    )


def missed(point: Any) -> Any:
    """Return what the projection onto the frame misses of a column."""
    return point - W * W.T * point


@proves("thm-pca-centring")
def centring() -> Theorem:
    r"""Derive that the mean is the best offset, whatever the directions are."""
    return (
        Derivation(
            "the mean is the best offset", given={**MEAN, **FRAME}, witness={**THREE, **AXIS}
        )
        .start(Sum(square(missed(x[i] - centre)), (i, 1, n)))
        .equals(
            Sum(square(missed(x[i] - mean)), (i, 1, n))
            + 2 * trace(missed(Sum(x[i], (i, 1, n)) - n * mean).T * missed(mean - centre))
            + n * square(missed(mean - centre)),
            because="go from $x_i$ to $c$ through the mean",
        )
        .equals(
            Sum(square(missed(x[i] - mean)), (i, 1, n)) + n * square(missed(mean - centre)),
            because="the deviations from the mean cancel",
        )
        .at_least(Sum(square(missed(x[i] - mean)), (i, 1, n)), because="a square is not negative")
        .qed()
    )


# ------------------------------------------------------------------ the best feature

v, z = matrices("v z", n, 1)
mu, first = reals("mu lambda_1")
B = matrices("B", n, n)
LOSS = square(G - mu * v * v.T)
UNIT = {"unit": Eq(trace(v.T * v), 1)}
TWO = {n: 2, G: [[2, 0], [0, 1]], v: [[1], [0]], mu: 2}


@proves("lem-pca-frobenius")
def frobenius() -> Theorem:
    r"""Derive by how much the squared Frobenius norm exceeds the trace of the square."""
    return (
        Derivation("norm and trace")
        .start(square(B - B.T))
        .equals(
            trace(B.T * B) - trace(B.T * B.T) - trace(B * B) + trace(B * B.T),
            because="multiply out",
        )
        .equals(
            2 * (square(B) - trace(B * B)), because="a trace is cyclic, and that of a transpose"
        )
        .qed()
    )


length = reals("r", positive=True)


@proves("lem-pca-reparametrisation")
def reparametrisation() -> Theorem:
    r"""Derive the feature as a unit column and a number that is not negative."""
    return (
        Derivation(
            "length and direction",
            given={"length": Eq(length**2, trace(z.T * z))},
            witness={n: 1, z: [[2]], length: 2},
        )
        .start(z * z.T)
        .equals(
            length**2 * (z / length) * (z / length).T,
            because="divide by the length, and multiply by its square",
        )
        .qed()
    )


@proves("lem-pca-unit")
def unit_direction() -> Theorem:
    r"""Derive that a column divided by its length has the length one."""
    return (
        Derivation(
            "a unit column",
            given={"length": Eq(length**2, trace(z.T * z))},
            witness={n: 1, z: [[2]], length: 2},
        )
        .start(trace((z / length).T * (z / length)))
        .equals(trace(z.T * z) / length**2, because="take the number out")
        .equals(1, because="the length")
        .qed()
    )


@proves("lem-pca-loss")
def loss_expansion() -> Theorem:
    r"""Derive the loss of a rank-one fit as three traces."""
    return (
        Derivation("the loss of a rank-one fit")
        .start(LOSS)
        .equals(
            trace(G * G) - 2 * mu * trace(G * v * v.T) + mu**2 * trace(v * v.T * v * v.T),
            because="multiply out; $G$ is symmetric",
        )
        .equals(
            trace(G * G) - 2 * mu * trace(v.T * G * v) + mu**2 * trace(v.T * v) ** 2,
            because="the trace is cyclic, and a number is its own trace",
        )
        .qed()
    )


@proves("lem-pca-gradient")
def loss_gradient() -> Theorem:
    r"""Derive the gradient of the loss in the direction."""
    return (
        Derivation("gradient of the loss")
        .start(grad(LOSS, v))
        .equals(
            -4 * mu * G * v + 4 * mu**2 * trace(v.T * v) * v,
            because="a quadratic form, and the square of one",
        )
        .qed()
    )


@proves("thm-pca-stationary")
def stationary() -> Theorem:
    r"""Derive that a stationary unit column is an eigenvector."""
    return (
        Derivation(
            "stationary directions",
            given={
                **UNIT,
                "positive": Gt(mu, 0),
                "stationary": Eq(grad(LOSS, v), zeros(n, 1)),
            },
            witness=TWO,
        )
        .start(G * v)
        .equals(
            mu * v - (-4 * mu * G * v + 4 * mu**2 * v) / (4 * mu),
            because="the other terms cancel",
        )
        .equals(
            mu * v - (-4 * mu * G * v + 4 * mu**2 * trace(v.T * v) * v) / (4 * mu),
            because="$v$ has the length one",
        )
        .equals(
            mu * v - grad(LOSS, v) / (4 * mu),
            because="the gradient of the loss",
            by=using(loss_gradient()),
        )
        .equals(mu * v, because="the gradient vanishes")
        .qed()
    )


EIGEN = {"eigenvector": Eq(G * v, mu * v)}


@proves("lem-pca-loss-at-eigenvector")
def loss_at_eigenvector() -> Theorem:
    r"""Derive the loss at an eigenvector."""
    return (
        Derivation("the loss at an eigenvector", given={**UNIT, **EIGEN}, witness=TWO)
        .start(LOSS)
        .equals(
            trace(G * G) - 2 * mu * trace(v.T * G * v) + mu**2 * trace(v.T * v) ** 2,
            because="the loss of a rank-one fit",
            by=using(loss_expansion()),
        )
        .equals(trace(G * G) - mu**2, because="put in the eigenvector")
        .qed()
    )


# ------------------------------------------------------------------ the components

basis = eigenbasis(S, "lambda", "u")
lam, u = basis.values, basis.vectors
COMPONENTS = {
    "orthonormal": for_each(
        i, 1, d, for_each(j, 1, d, Eq(trace(u[i].T * u[j]), KroneckerDelta(i, j)))
    ),
    "complete": Eq(Sum(u[j] * u[j].T, (j, 1, d)), identity(d)),
    "spectral": Eq(S, Sum(lam[j] * (u[j] * u[j].T), (j, 1, d))),
    "decreasing": for_each(j, 1, d - 1, Le(lam[j + 1], lam[j])),
}
AXES = {d: 2, S: [[2, 0], [0, 1]], lam: [2, 1], u: [[[1], [0]], [[0], [1]]]}
components = Setting("components", given=COMPONENTS, witness=AXES)
TURNED = {k: 1, W: [[0], [1]]}
POINTS = {n: 3, X: [[1, 0], [-1, 0], [0, 1]]}

# A sum up to k + m in two parts, and numbers that decrease.
a = real_family("a")
steps = integers("m", positive=True)


def _split() -> Theorem:
    """Derive that a sum is that of its first k terms and that of the rest."""
    return prove(
        "the first terms and the rest",
        Eq(Sum(a[j], (j, 1, k + m)), Sum(a[j], (j, 1, k)) + Sum(a[k + j], (j, 1, m))),
        "one term more",
        by=induction(None, m),
    )


def split_at(term: Any) -> Any:
    """Return that the sum of a term over 1…d is that over 1…k and that over the rest."""
    return apply(_split(), {m: d - k, a: Lambda(j, term(j))})


numbers = real_family("b")
FALLING = {"decreasing": for_each(j, 1, d - 1, Le(numbers[j + 1], numbers[j]))}


def _falling() -> Theorem:
    """Derive that numbers each at most the one before are at most all before."""
    return prove(
        "numbers that decrease",
        Le(numbers[i + steps], numbers[i]),
        "step by step",
        given={**FALLING, "first": Ge(i, 1), "last": Le(i + steps, d)},
        witness={d: 2, i: 1, steps: 1, numbers: [2, 1]},
        by=induction(None, steps, start=1),
    )


FITS = {"fits": Le(k, d)}


def _up_to() -> Theorem:
    """Derive that of numbers that decrease a later one is at most an earlier one."""
    return prove(
        "later and earlier",
        Le(numbers[j], numbers[i]),
        "the same one, or some steps further",
        given={**FALLING, "first": Ge(i, 1), "order": Le(i, j), "last": Le(j, d)},
        witness={d: 2, i: 1, j: 2, numbers: [2, 1]},
        by=cases(
            (Lt(i, j), using(apply(_falling(), {i: i, steps: j - i}))),
            (Le(j, i), using(Eq(i, j))),
        ),
    )


column = matrices("z", d, 1)
ANY_COLUMN = {**TURNED, d: 2, column: [[1], [2]]}


def shadow(q: Expr) -> Expr:
    """Return the squared length of the projection of a column onto the frame."""
    return trace(q.T * W * W.T * q)


@proves("lem-pca-distance")
def distance() -> Theorem:
    r"""Derive the squared length of a column from what a frame keeps and what it misses."""
    return (
        Derivation("kept and missed", given=FRAME, witness=ANY_COLUMN)
        .start(square(column))
        .equals(
            square(W.T * column) + square(missed(column)),
            because="multiply out; $W^\\top W=I$",
        )
        .qed()
    )


@proves("lem-pca-bessel")
def bessel() -> Theorem:
    r"""Derive that a projection is not longer than the column."""
    return (
        Derivation("a projection is not longer", given=FRAME, witness=ANY_COLUMN)
        .start(shadow(column))
        .equals(square(column) - square(missed(column)), because="kept and missed")
        .at_most(square(column), because="a square is not negative")
        .qed()
    )


def _not_negative() -> Theorem:
    """Derive that the squared length of a projection is not negative."""
    return (
        Derivation("a squared length", witness=ANY_COLUMN)
        .start(shadow(column))
        .equals(square(W.T * column), because="a squared length")
        .at_least(0, because="a square is not negative")
        .qed()
    )


@proves("lem-pca-shares")
def shares() -> Theorem:
    r"""Derive that the shares of a frame in the eigenvectors add up to its number of columns."""
    return (
        Derivation(
            "the shares of a frame", setting=components, given=FRAME, witness={**AXES, **TURNED}
        )
        .start(Sum(shadow(u[j]), (j, 1, d)))
        .equals(
            trace(W.T * Sum(u[j] * u[j].T, (j, 1, d)) * W),
            because="turn each trace, and take the frame out of the sum",
        )
        .equals(trace(W.T * W), because="the eigenvectors are a basis")
        .equals(k, because="the frame has $k$ columns")
        .qed()
    )


@proves("lem-pca-form")
def form() -> Theorem:
    r"""Derive the squares that a frame keeps as a sum over the eigenvectors."""
    return (
        Derivation("what a frame keeps", setting=components, witness={**AXES, **TURNED})
        .start(trace(W.T * S * W))
        .equals(
            trace(W.T * Sum(lam[j] * (u[j] * u[j].T), (j, 1, d)) * W),
            because="the spectral theorem",
        )
        .equals(
            Sum(lam[j] * shadow(u[j]), (j, 1, d)),
            because="take the frame into the sum, and turn each trace",
        )
        .qed()
    )


def _share_at_most_one() -> Theorem:
    """Derive that a share is at most one."""
    given = {**FRAME, "first": Ge(j, 1), "last": Le(j, d)}
    return (
        Derivation(
            "a share and one", setting=components, given=given, witness={**AXES, **TURNED, j: 1}
        )
        .start(shadow(u[j]))
        .at_most(
            square(u[j]),
            because="a projection is not longer",
            by=using(apply(bessel(), {column: u[j]})),
        )
        .equals(1, because="an eigenvector has the length one")
        .qed()
    )


def _ordered(low: Any, high: Any) -> Any:
    """Return that the eigenvalue with the higher number is not greater."""
    return apply(_up_to(), {numbers: lam, i: low, j: high})


def _before() -> Theorem:
    """Derive that what a term up to k lacks is not negative."""
    given = {**FRAME, **FITS, "first": Ge(j, 1), "last": Le(j, k)}
    return (
        Derivation(
            "a term up to k", setting=components, given=given, witness={**AXES, **TURNED, j: 1}
        )
        .start((1 - shadow(u[j])) * (lam[j] - lam[k]))
        .at_least(
            0,
            because="no share exceeds one, and eigenvalues decrease",
            by=using(apply(_share_at_most_one(), {j: j}), _ordered(j, k)),
        )
        .qed()
    )


def _after() -> Theorem:
    """Derive that a term after k costs something."""
    given = {**FRAME, **FITS, "first": Ge(j, 1), "last": Le(j, d - k)}
    return (
        Derivation(
            "a term after k", setting=components, given=given, witness={**AXES, **TURNED, j: 1}
        )
        .start(shadow(u[k + j]) * (lam[k] - lam[k + j]))
        .at_least(
            0,
            because="no share is negative, and eigenvalues decrease",
            by=using(apply(_not_negative(), {column: u[k + j]}), _ordered(k, k + j)),
        )
        .qed()
    )


lacking = Sum((1 - shadow(u[j])) * (lam[j] - lam[k]), (j, 1, k))
wasted = Sum(shadow(u[k + j]) * (lam[k] - lam[k + j]), (j, 1, d - k))


@proves("lem-ky-fan-excess")
def excess() -> Theorem:
    r"""Derive exactly how far a frame stays below the greatest eigenvalues."""
    terms = Sum(shadow(u[j]) * (lam[j] - lam[k]), (j, 1, d))
    return (
        Derivation(
            "how far a frame stays below",
            setting=components,
            given={**FRAME, **FITS},
            witness={**AXES, **TURNED},
        )
        .start(trace(W.T * S * W))
        .equals(
            Sum(lam[j] * shadow(u[j]), (j, 1, d)),
            because="expand in the eigenvectors",
            by=using(form()),
        )
        .equals(k * lam[k] + terms, because="the shares add up to $k$", by=using(shares()))
        .equals(
            k * lam[k] + Sum(shadow(u[j]) * (lam[j] - lam[k]), (j, 1, k)) - wasted,
            because="the first $k$ terms and the rest",
            by=using(split_at(lambda j: shadow(u[j]) * (lam[j] - lam[k]))),
        )
        .equals(
            Sum(lam[j], (j, 1, k)) - lacking - wasted,
            because="add and subtract the first $k$ eigenvalues",
        )
        .qed()
    )


def _not_lacking() -> Theorem:
    """Derive that the terms up to k lack nothing negative."""
    return (
        Derivation(
            "the terms up to k",
            setting=components,
            given={**FRAME, **FITS},
            witness={**AXES, **TURNED},
        )
        .start(lacking)
        .at_least(0, because="term by term", by=termwise(j, by=using(apply(_before(), {j: j}))))
        .qed()
    )


def _not_wasted() -> Theorem:
    """Derive that the terms after k cost something."""
    return (
        Derivation(
            "the terms after k",
            setting=components,
            given={**FRAME, **FITS},
            witness={**AXES, **TURNED},
        )
        .start(wasted)
        .at_least(0, because="term by term", by=termwise(j, by=using(apply(_after(), {j: j}))))
        .qed()
    )


@proves("thm-ky-fan")
def ky_fan() -> Theorem:
    r"""Derive Ky Fan's inequality for every orthonormal frame."""
    return (
        Derivation(
            "Ky Fan's inequality",
            setting=components,
            given={**FRAME, **FITS},
            witness={**AXES, **TURNED},
        )
        .start(trace(W.T * S * W))
        .equals(
            Sum(lam[j], (j, 1, k)) - lacking - wasted,
            because="how far a frame stays below",
            by=using(excess()),
        )
        .at_most(
            Sum(lam[j], (j, 1, k)) - wasted,
            because="up to $k$ no share exceeds one, and no eigenvalue is less than $\\lambda_k$",
            by=using(_not_lacking()),
        )
        .at_most(
            Sum(lam[j], (j, 1, k)),
            because="after $k$ no share is negative, and no eigenvalue exceeds $\\lambda_k$",
            by=using(_not_wasted()),
        )
        .qed()
    )


# ------------------------------------------------------------------ reconstruction

SCATTER = {"scatter": Eq(S, X.T * X)}
_top = quantity("P", k, is_=Sum(u[j] * u[j].T, (j, 1, k)))
top = _top[k]
DATA = {**AXES, **TURNED, n: 3, X: [[1, 0], [-1, 0], [0, 1]]}


INDEX = {"from one": Ge(j, 1), "to d": Le(j, d)}


other = matrices("z", d, 1)


def _along() -> Theorem:
    """Derive what the scatter matrix makes of an eigenvector, seen along any column."""
    return (
        Derivation(
            "along a column",
            setting=components,
            given=INDEX,
            witness={**AXES, j: 1, other: [[1], [2]]},
        )
        .start(trace(other.T * S * u[j]))
        .equals(lam[j] * trace(other.T * u[j]), because="the eigenvectors are orthonormal")
        .qed()
    )


def _nothing_else() -> Theorem:
    """Derive that nothing of the image of an eigenvector is beside it."""
    beside = S * u[j] - lam[j] * u[j]
    return (
        Derivation("beside", setting=components, given=INDEX, witness={**AXES, j: 1})
        .start(square(beside))
        .equals(
            trace(beside.T * S * u[j]) - lam[j] * trace(beside.T * u[j]), because="multiply out"
        )
        .equals(0, because="along every column", by=using(apply(_along(), {other: beside})))
        .qed()
    )


@proves("lem-pca-eigenvectors")
def eigenvectors() -> Theorem:
    r"""Derive that the columns of the basis are eigenvectors."""
    return (
        Derivation("eigenvectors", setting=components, given=INDEX, witness={**AXES, j: 1})
        .start(S * u[j])
        .equals(
            lam[j] * u[j],
            because="in $\\sum_l\\lambda_lu_l(u_l^\\top u_j)$ one term is left",
            by=using(_nothing_else()),
        )
        .qed()
    )


@proves("thm-pca-decorrelation")
def decorrelation() -> Theorem:
    r"""Derive that the principal features are uncorrelated, with the eigenvalues as squares."""
    given = {"scatter": Eq(S, X.T * X), "i1": Ge(i, 1), "id": Le(i, d), **INDEX}
    return (
        Derivation(
            "uncorrelated features",
            setting=components,
            given=given,
            witness={**AXES, **POINTS, i: 1, j: 2},
        )
        .start(trace((X * u[i]).T * (X * u[j])))
        .equals(trace(u[i].T * S * u[j]), because="the scatter matrix")
        .equals(lam[j] * trace(u[i].T * u[j]), because="an eigenvector", by=using(eigenvectors()))
        .equals(lam[j] * KroneckerDelta(i, j), because="the eigenvectors are orthonormal")
        .qed()
    )


block = matrices("Z", d, d)


def _stays() -> Theorem:
    """Derive that the projection leaves the first eigenvectors alone, seen along any column."""
    given = {**FITS, "from one": Ge(j, 1), "to k": Le(j, k)}
    return (
        Derivation(
            "the first eigenvectors stay",
            setting=components,
            given=given,
            witness={**AXES, k: 1, j: 1, other: [[1], [2]]},
        )
        .start(trace(other.T * top * u[j]))
        .equals(
            Sum(trace(u[l].T * u[j]) * trace(other.T * u[l]), (l, 1, k)),
            because="take the columns into the sum",
        )
        .equals(
            Sum(KroneckerDelta(l, j) * trace(other.T * u[l]), (l, 1, k)),
            because="the eigenvectors are orthonormal",
            by=termwise(l),
        )
        .equals(trace(other.T * u[j]), because="one term is left")
        .qed()
    )


def _twice() -> Theorem:
    """Derive that to project twice is to project, seen in any trace."""
    return (
        Derivation(
            "project twice",
            setting=components,
            given=FITS,
            witness={**AXES, k: 1, block: [[1, 2], [3, 4]]},
        )
        .start(trace(block.T * (top.T * top)))
        .equals(
            Sum(trace((block * u[j]).T * top * u[j]), (j, 1, k)),
            because="take the other factors into one of the sums",
        )
        .equals(
            Sum(trace((block * u[j]).T * u[j]), (j, 1, k)),
            because="the first eigenvectors stay",
            by=termwise(j, by=using(apply(_stays(), {other: block * u[j], j: j}))),
        )
        .equals(trace(block.T * top), because="take the factor out of the sum")
        .qed()
    )


def _no_difference() -> Theorem:
    """Derive that nothing distinguishes projecting twice and projecting."""
    difference = top.T * top - top
    return (
        Derivation("no difference", setting=components, given=FITS, witness={**AXES, k: 1})
        .start(square(difference))
        .equals(
            trace(difference.T * (top.T * top)) - trace(difference.T * top), because="multiply out"
        )
        .equals(0, because="in every trace", by=using(apply(_twice(), {block: difference})))
        .qed()
    )


@proves("lem-pca-projection")
def projection() -> Theorem:
    r"""Derive that the sum over the first eigenvectors is an orthogonal projection."""
    return (
        Derivation("the projection", setting=components, given=FITS, witness={**AXES, k: 1})
        .start(top.T * top)
        .equals(
            top,
            because="in $\\sum_{i,j}u_i(u_i^\\top u_j)u_j^\\top$ the terms with $i=j$ are left",
            by=using(_no_difference()),
        )
        .qed()
    )


@proves("lem-pca-pythagoras")
def pythagoras() -> Theorem:
    r"""Derive the reconstruction error from what the frame keeps."""
    return (
        Derivation("the reconstruction error", given=FRAME, witness={**POINTS, d: 2, **TURNED})
        .start(square(X - X * W * W.T))
        .equals(square(X) - square(X * W), because="multiply out; $W^\\top W=I$")
        .qed()
    )


@proves("lem-pca-total")
def total() -> Theorem:
    r"""Derive that the eigenvalues add up to the trace."""
    return (
        Derivation("the total", setting=components, witness=AXES)
        .start(trace(S))
        .equals(
            Sum(lam[j] * trace(u[j].T * u[j]), (j, 1, d)),
            because="the spectral theorem, and the trace is cyclic",
        )
        .equals(Sum(lam[j], (j, 1, d)), because="an eigenvector has the length one")
        .qed()
    )


@proves("lem-pca-kept")
def kept() -> Theorem:
    r"""Derive what the projection onto the first eigenvectors keeps."""
    return (
        Derivation("what is kept", setting=components, given=FITS, witness={**AXES, k: 1})
        .start(trace(S * top))
        .equals(Sum(trace(u[j].T * S * u[j]), (j, 1, k)), because="take the sum out of the trace")
        .equals(
            Sum(lam[j], (j, 1, k)),
            because="the eigenvectors",
            by=termwise(j, by=using(apply(eigenvectors(), {j: j}))),
        )
        .qed()
    )


def _top_square() -> Theorem:
    """Derive what the projected data keep of the squares."""
    return (
        Derivation(
            "the projected data", setting=components, given=FITS, witness={**AXES, **POINTS, k: 1}
        )
        .start(square(X * top))
        .equals(trace(X.T * X * (top * top.T)), because="turn the trace")
        .equals(trace(X.T * X * (top.T * top)), because="the projection is symmetric")
        .equals(
            trace(X.T * X * top), because="to project twice is to project", by=using(projection())
        )
        .qed()
    )


@proves("lem-pca-error")
def error() -> Theorem:
    r"""Derive the reconstruction error of the first eigenvectors."""
    return (
        Derivation(
            "the error of the first eigenvectors",
            setting=components,
            given={**SCATTER, **FITS},
            witness={**AXES, **POINTS, k: 1},
        )
        .start(square(X - X * top))
        .equals(
            square(X) - 2 * trace(X.T * X * top) + square(X * top),
            because="multiply out",
        )
        .equals(
            trace(X.T * X) - trace(X.T * X * top),
            because="to project twice is to project",
            by=using(_top_square()),
        )
        .equals(trace(S) - trace(S * top), because="the scatter matrix")
        .equals(
            Sum(lam[j], (j, 1, d)) - Sum(lam[j], (j, 1, k)),
            because="the total, and what is kept",
            by=using(total(), kept()),
        )
        .equals(
            Sum(lam[k + j], (j, 1, d - k)),
            because="the first $k$ terms cancel",
            by=using(split_at(lambda j: lam[j])),
        )
        .qed()
    )


@proves("thm-pca-reconstruction")
def reconstruction() -> Theorem:
    r"""Derive that no projection of rank k loses less than that onto the first eigenvectors."""
    return (
        Derivation(
            "the least reconstruction error",
            setting=components,
            given={**SCATTER, **FRAME, **FITS},
            witness=DATA,
        )
        .start(square(X - X * W * W.T))
        .equals(square(X) - square(X * W), because="multiply out", by=using(pythagoras()))
        .equals(trace(S) - trace(W.T * S * W), because="the scatter matrix")
        .at_least(
            Sum(lam[j], (j, 1, d)) - Sum(lam[j], (j, 1, k)),
            because="the total, and Ky Fan's inequality",
            by=using(total(), ky_fan()),
        )
        .equals(
            Sum(lam[k + j], (j, 1, d - k)),
            because="the first $k$ terms cancel",
            by=using(split_at(lambda j: lam[j])),
        )
        .equals(
            square(X - X * top), because="the error of the first eigenvectors", by=using(error())
        )
        .qed()
    )


Y = matrices("Y", n, k)


@proves("thm-eckart-young")
def eckart_young() -> Theorem:
    r"""Derive that no matrix of rank k is nearer than the projected data."""
    return (
        Derivation(
            "Eckart and Young",
            setting=components,
            given={**SCATTER, **FRAME, **FITS},
            witness={**DATA, Y: [[1], [0], [0]]},
        )
        .start(square(X - Y * W.T))
        .equals(
            square(X - X * W * W.T) + square(X * W - Y),
            because="go from $X$ to $YW^\\top$ through $XWW^\\top$",
        )
        .at_least(square(X - X * W * W.T), because="a square is not negative")
        .at_least(
            square(X - X * top),
            because="the least reconstruction error",
            by=using(reconstruction()),
        )
        .qed()
    )


# ------------------------------------------------------------------ unique if there is a gap

gap = reals("gamma", nonnegative=True)
GAP = {
    "gap": Ge(lam[k] - lam[k + 1], gap),
    "room": Le(k + 1, d),
}


def _wasted_at_least() -> Theorem:
    """Derive what a term after k costs if there is a gap."""
    given = {**FRAME, **GAP, "first": Ge(j, 1), "last": Le(j, d - k)}
    return (
        Derivation(
            "a term beyond the gap",
            setting=components,
            given=given,
            witness={**AXES, **TURNED, gap: 1, j: 1},
        )
        .start(shadow(u[k + j]) * (lam[k] - lam[k + j]))
        .at_least(
            gap * shadow(u[k + j]),
            because="no share is negative, and eigenvalues decrease",
            by=using(apply(_not_negative(), {column: u[k + j]}), _ordered(k + 1, k + j)),
        )
        .qed()
    )


def _wasted_in_all() -> Theorem:
    """Derive what the terms after k cost if there is a gap."""
    return (
        Derivation(
            "the terms beyond the gap",
            setting=components,
            given={**FRAME, **GAP},
            witness={**AXES, **TURNED, gap: 1},
        )
        .start(wasted)
        .at_least(
            Sum(gap * shadow(u[k + j]), (j, 1, d - k)),
            because="term by term",
            by=termwise(j, by=using(apply(_wasted_at_least(), {j: j}))),
        )
        .equals(
            gap * (Sum(shadow(u[j]), (j, 1, d)) - Sum(shadow(u[j]), (j, 1, k))),
            because="the rest is the whole without the first $k$ terms",
            by=using(split_at(lambda j: shadow(u[j]))),
        )
        .equals(
            gap * (k - Sum(shadow(u[j]), (j, 1, k))),
            because="the shares add up to $k$",
            by=using(shares()),
        )
        .qed()
    )


def _distance_of_projections() -> Theorem:
    """Derive the distance of two projections from the shares."""
    return (
        Derivation(
            "the distance of two projections",
            setting=components,
            given={**FRAME, **FITS},
            witness={**AXES, **TURNED},
        )
        .start(square(W * W.T - top))
        .equals(
            trace(W.T * W * (W.T * W)) - 2 * trace(W.T * top * W) + trace(top.T * top),
            because="multiply out, and turn the traces",
        )
        .equals(
            k - 2 * trace(W.T * top * W) + trace(top),
            because="both are projections",
            by=using(projection()),
        )
        .equals(
            k - 2 * Sum(shadow(u[j]), (j, 1, k)) + Sum(trace(u[j].T * u[j]), (j, 1, k)),
            because="take the sums out of the traces",
        )
        .equals(2 * (k - Sum(shadow(u[j]), (j, 1, k))), because="an eigenvector has the length one")
        .qed()
    )


@proves("thm-pca-gap")
def gap_theorem() -> Theorem:
    r"""Derive that a frame that loses little is near the first eigenvectors, if there is a gap."""
    return (
        Derivation(
            "near the best is near in space",
            setting=components,
            given={**FRAME, **GAP},
            witness={**AXES, **TURNED, gap: 1},
        )
        .start(gap / 2 * square(W * W.T - top))
        .equals(
            gap * (k - Sum(shadow(u[j]), (j, 1, k))),
            because="the distance of two projections",
            by=using(_distance_of_projections()),
        )
        .at_most(wasted, because="the terms beyond the gap", by=using(_wasted_in_all()))
        .at_most(lacking + wasted, because="the terms up to $k$", by=using(_not_lacking()))
        .equals(
            Sum(lam[j], (j, 1, k)) - trace(W.T * S * W),
            because="how far a frame stays below",
            by=using(excess()),
        )
        .qed()
    )


# ------------------------------------------------------------------ other axes, whitening, SVD

V, D = matrices("V D", d, d)


@proves("lem-pca-axes")
def axes() -> Theorem:
    r"""Derive that axes along which features are uncorrelated are eigenvectors."""
    return (
        Derivation(
            "uncorrelated axes",
            given={
                "orthogonal": Eq(V * V.T, identity(d)),
                "uncorrelated": Eq(V.T * S * V, D),
            },
            witness={d: 2, V: [[1, 0], [0, 1]], S: [[2, 0], [0, 1]], D: [[2, 0], [0, 1]]},
        )
        .start(S * V)
        .equals(V * V.T * S * V, because="$VV^\\top$ is the unit matrix")
        .equals(V * D, because="the features are uncorrelated")
        .qed()
    )


POSITIVE = {"positive": for_each(j, 1, d, Gt(lam[j], 0))}
BOTH = {"i1": Ge(i, 1), "id": Le(i, d), **INDEX}
sigma = real_family("sigma", positive=True)
SCALES = {"scales": for_each(j, 1, d, Eq(n * sigma[j] ** 2, lam[j]))}


@proves("thm-pca-whitening")
def whitening() -> Theorem:
    r"""Derive that principal features over their standard deviations have unit covariance."""
    return (
        Derivation(
            "whitening",
            setting=components,
            given={**SCATTER, **SCALES, **BOTH},
            witness={
                d: 2,
                n: 2,
                X: [[2, 2], [-2, 2]],
                S: [[8, 0], [0, 8]],
                lam: [8, 8],
                u: AXES[u],
                sigma: [2, 2],
                i: 1,
                j: 2,
            },
        )
        .start(trace((X * u[i] / sigma[i]).T * (X * u[j] / sigma[j])) / n)
        .equals(
            trace((X * u[i]).T * (X * u[j])) / (n * sigma[i] * sigma[j]),
            because="take the numbers out",
        )
        .equals(
            lam[j] * KroneckerDelta(i, j) / (n * sigma[i] * sigma[j]),
            because="uncorrelated features",
            by=using(decorrelation()),
        )
        .equals(
            sigma[j] / sigma[i] * KroneckerDelta(i, j),
            because="$\\lambda_j=n\\sigma_j^2$",
        )
        .equals(
            KroneckerDelta(i, j),
            because="for $i=j$ the quotient is one",
            by=cases(Lt(i, j), Lt(j, i), (Le(i, j), using(Eq(i, j)))),
        )
        .qed()
    )


A = matrices("A", n, k)
middle = matrices("D", k, k, symmetric=True)


@proves("lem-pca-svd")
def singular_values() -> Theorem:
    r"""Derive that right singular vectors are eigenvectors of the scatter matrix."""
    return (
        Derivation(
            "singular values",
            given={"svd": Eq(X, A * middle * W.T), "left frame": Eq(A.T * A, identity(k)), **FRAME},
            witness={
                n: 2,
                d: 2,
                k: 1,
                X: [[2, 0], [0, 0]],
                A: [[1], [0]],
                middle: [[2]],
                W: [[1], [0]],
            },
        )
        .start(X.T * X * W)
        .equals((A * middle * W.T).T * (A * middle * W.T) * W, because="put in the decomposition")
        .equals(W * middle * (A.T * A) * middle * (W.T * W), because="transpose the first product")
        .equals(W * middle * middle, because="both frames are orthonormal")
        .qed()
    )


# ------------------------------------------------------------------ the Gram matrix

# Here G need not be supposed to be symmetric: its eigenbasis says so.
products = matrices("G", n, n)
gram_basis = eigenbasis(products, "lambda", "v")
mus, vs = gram_basis.values, gram_basis.vectors
GRAM = {
    "gram": Eq(products, X * X.T),
    "orthonormal": for_each(
        i, 1, n, for_each(j, 1, n, Eq(trace(vs[i].T * vs[j]), KroneckerDelta(i, j)))
    ),
    "complete": Eq(Sum(vs[j] * vs[j].T, (j, 1, n)), identity(n)),
    "spectral": Eq(products, Sum(mus[j] * (vs[j] * vs[j].T), (j, 1, n))),
    "largest": for_each(j, 1, n, Le(mus[j], mus[1])),
}
CROSS = {
    n: 2,
    d: 1,
    X: [[1], [0]],
    products: [[1, 0], [0, 0]],
    mus: [1, 0],
    vs: [[[1], [0]], [[0], [1]]],
}
gram = Setting("gram", given=GRAM, witness=CROSS)
CANDIDATE = {**CROSS, v: [[0], [1]], mu: 1}


@proves("lem-pca-rayleigh")
def rayleigh() -> Theorem:
    r"""Derive that no unit column exceeds the largest eigenvalue."""
    return (
        Derivation("the largest value", setting=gram, given=UNIT, witness=CANDIDATE)
        .start(trace(v.T * products * v))
        .equals(
            Sum(mus[j] * trace(vs[j].T * v) ** 2, (j, 1, n)), because="expand in the eigenvectors"
        )
        .at_most(
            Sum(mus[1] * trace(vs[j].T * v) ** 2, (j, 1, n)),
            because="the first eigenvalue is the largest",
            by=termwise(j),
        )
        .equals(mus[1] * trace(v.T * v), because="the eigenvectors are a basis")
        .equals(mus[1], because="of length one")
        .qed()
    )


def _form_not_negative() -> Theorem:
    """Derive that the quadratic form of a Gram matrix is not negative."""
    return (
        Derivation("a squared length", setting=gram, witness=CANDIDATE)
        .start(trace(v.T * products * v))
        .equals(square(X.T * v), because="the Gram matrix")
        .at_least(0, because="a square is not negative")
        .qed()
    )


def _square_at_most() -> Theorem:
    """Derive that the square of the quadratic form is at most that of the largest eigenvalue."""
    value = trace(v.T * products * v)
    return (
        Derivation("squares", setting=gram, given=UNIT, witness=CANDIDATE)
        .start(value**2)
        .at_most(
            mus[1] ** 2,
            because="between zero and the largest eigenvalue",
            by=using(rayleigh(), _form_not_negative()),
        )
        .qed()
    )


def _first_unit() -> Theorem:
    """Derive that the first eigenvector has the length one."""
    return (
        Derivation("the first eigenvector", setting=gram, witness=CROSS)
        .start(trace(vs[1].T * vs[1]))
        .equals(1, because="orthonormal")
        .qed()
    )


def _gram_along() -> Theorem:
    """Derive what the Gram matrix makes of an eigenvector, seen along any column."""
    return (
        Derivation(
            "along a column",
            setting=gram,
            given={"from one": Ge(j, 1), "to n": Le(j, n)},
            witness={**CROSS, j: 1, z: [[1], [2]]},
        )
        .start(trace(z.T * products * vs[j]))
        .equals(mus[j] * trace(z.T * vs[j]), because="the eigenvectors are orthonormal")
        .qed()
    )


def _first_value() -> Theorem:
    """Derive the quadratic form at the first eigenvector."""
    return (
        Derivation("the first value", setting=gram, witness=CROSS)
        .start(trace(vs[1].T * products * vs[1]))
        .equals(
            mus[1] * trace(vs[1].T * vs[1]),
            because="an eigenvector",
            by=using(apply(_gram_along(), {z: vs[1], j: 1})),
        )
        .equals(mus[1], because="of length one", by=using(_first_unit()))
        .qed()
    )


best = square(products - mus[1] * vs[1] * vs[1].T)


@proves("thm-pca-rank-one")
def rank_one() -> Theorem:
    r"""Derive that no fit by one column is better than that by the first eigenvector."""
    value = trace(v.T * products * v)
    return (
        Derivation("the best feature", setting=gram, given=UNIT, witness=CANDIDATE)
        .start(square(products - mu * v * v.T))
        .equals(
            trace(products * products) - 2 * mu * value + mu**2 * trace(v.T * v) ** 2,
            because="the loss of a rank-one fit",
            by=using(loss_expansion()),
        )
        .equals(
            trace(products * products) - value**2 + (mu - value) ** 2,
            because="complete the square; $v$ has the length one",
        )
        .at_least(trace(products * products) - value**2, because="a square is not negative")
        .at_least(
            trace(products * products) - mus[1] ** 2,
            because="between zero and the largest eigenvalue",
            by=using(_square_at_most()),
        )
        .equals(
            trace(products * products)
            - 2 * mus[1] * trace(vs[1].T * products * vs[1])
            + mus[1] ** 2 * trace(vs[1].T * vs[1]) ** 2,
            because="the value and the length of the first eigenvector",
            by=using(_first_value(), _first_unit()),
        )
        .equals(
            best,
            because="the loss of a rank-one fit",
            by=using(apply(loss_expansion(), {mu: mus[1], v: vs[1]})),
        )
        .qed()
    )


residual = products - mus[1] * vs[1] * vs[1].T
PLACE = {"from one": Ge(j, 1), "to n": Le(j, n)}


def _deflated() -> Theorem:
    """Derive what the residual makes of an eigenvector, seen along any column."""
    return (
        Derivation(
            "deflation along a column",
            setting=gram,
            given=PLACE,
            witness={**CROSS, j: 1, z: [[1], [2]]},
        )
        .start(trace(z.T * residual * vs[j]))
        .equals(
            trace(z.T * products * vs[j]) - mus[1] * trace(z.T * vs[1]) * trace(vs[1].T * vs[j]),
            because="multiply out",
        )
        .equals(
            mus[j] * trace(z.T * vs[j]) - mus[1] * trace(z.T * vs[1]) * KroneckerDelta(j, 1),
            because="eigenvectors are orthonormal",
            by=using(_gram_along()),
        )
        .equals(
            (1 - KroneckerDelta(j, 1)) * mus[j] * trace(z.T * vs[j]),
            because="for $j=1$ both terms agree",
            by=cases(Lt(1, j), (Le(j, 1), using(Eq(j, 1)))),
        )
        .qed()
    )


def _deflated_square() -> Theorem:
    """Derive that the residual adds nothing beside the eigenvector."""
    value = (1 - KroneckerDelta(j, 1)) * mus[j]
    beside = residual * vs[j] - value * vs[j]
    return (
        Derivation("nothing beside", setting=gram, given=PLACE, witness={**CROSS, j: 1})
        .start(square(beside))
        .equals(
            trace(beside.T * residual * vs[j]) - value * trace(beside.T * vs[j]),
            because="multiply out",
        )
        .equals(0, because="along every column", by=using(apply(_deflated(), {z: beside})))
        .qed()
    )


@proves("thm-pca-deflation")
def deflation() -> Theorem:
    r"""Derive that the residual has the same eigenvectors, and zero for the first eigenvalue."""
    return (
        Derivation("deflation", setting=gram, given=PLACE, witness={**CROSS, j: 1})
        .start(residual * vs[j])
        .equals(
            (1 - KroneckerDelta(j, 1)) * mus[j] * vs[j],
            because="the eigenvectors are orthonormal",
            by=using(_deflated_square()),
        )
        .qed()
    )


direction = matrices("u", d, 1)
DUAL = {
    "eigenvector": Eq(X * X.T * v, length**2 * v),
    "direction": Eq(direction, X.T * v / length),
}
DUAL_LINE = {n: 1, d: 1, X: [[2]], v: [[1]], length: 2, direction: [[1]]}


@proves("lem-pca-dual-direction")
def dual_direction() -> Theorem:
    r"""Derive that an eigenvector of the Gram matrix gives one of the scatter matrix."""
    return (
        Derivation("the direction", given=DUAL, witness=DUAL_LINE)
        .start(X.T * X * direction)
        .equals(X.T * (X * X.T * v) / length, because="the direction")
        .equals(length**2 * (X.T * v / length), because="an eigenvector of the Gram matrix")
        .equals(length**2 * direction, because="the direction")
        .qed()
    )


@proves("lem-pca-dual-length")
def dual_length() -> Theorem:
    r"""Derive that the direction has the length one."""
    return (
        Derivation("the length of the direction", given={**DUAL, **UNIT}, witness=DUAL_LINE)
        .start(trace(direction.T * direction))
        .equals(trace(v.T * (X * X.T * v)) / length**2, because="the direction")
        .equals(trace(v.T * v), because="an eigenvector of the Gram matrix")
        .equals(1, because="of length one")
        .qed()
    )


@proves("thm-pca-duality")
def duality() -> Theorem:
    r"""Derive the feature from the direction: it is the eigenvector times the singular value."""
    return (
        Derivation("feature and direction", given=DUAL, witness=DUAL_LINE)
        .start(X * direction)
        .equals(X * X.T * v / length, because="the direction")
        .equals(length * v, because="an eigenvector of the Gram matrix")
        .qed()
    )


# ------------------------------------------------------------------ kernels

Phi = matrices("Phi", n, p)
phi = matrices("phi", p, 1)
# The column of n ones, and the matrix that takes the mean off every column.
ones = matrices("e", n, 1)
ONES = {"ones": Eq(trace(ones.T * ones), n)}
M = quantity("M", is_=identity(n) - ones * ones.T / n)


ONE_ROW = {n: 1, ones: [[1]]}


@proves("lem-centring-matrix")
def centring_matrix() -> Theorem:
    r"""Derive that the centring matrix is an orthogonal projection."""
    return (
        Derivation("the centring matrix", given=ONES, witness=ONE_ROW)
        .start(M.T * M)
        .equals(
            identity(n) - 2 * ones * ones.T / n + trace(ones.T * ones) * (ones * ones.T) / n**2,
            because="multiply out",
        )
        .equals(M, because="there are $n$ ones")
        .qed()
    )


@proves("lem-centring-ones")
def centring_ones() -> Theorem:
    r"""Derive that centring takes a constant column to zero."""
    return (
        Derivation("a constant column", given=ONES, witness=ONE_ROW)
        .start(M * ones)
        .equals(ones - trace(ones.T * ones) / n * ones, because="multiply out")
        .equals(zeros(n, 1), because="there are $n$ ones")
        .qed()
    )


K = matrices("K", n, n)
kappa = matrices("kappa", n, 1)
KERNEL = {"kernel": Eq(K, Phi * Phi.T)}
NEW = {"new": Eq(kappa, Phi * phi)}
ONE_POINT = {n: 1, p: 1, Phi: [[2]], phi: [[3]], K: [[4]], kappa: [[6]]}


@proves("thm-kernel-centring")
def kernel_centring() -> Theorem:
    r"""Derive the Gram matrix of centred features from the kernel matrix."""
    return (
        Derivation("the centred kernel matrix", given=KERNEL, witness=ONE_POINT)
        .start((M * Phi) * (M * Phi).T)
        .equals(M * K * M, because="the kernel matrix; $M$ is symmetric")
        .equals(
            K
            - ones * ones.T * K / n
            - K * ones * ones.T / n
            + trace(ones.T * K * ones) * (ones * ones.T) / n**2,
            because="multiply out",
        )
        .qed()
    )


@proves("lem-kernel-null")
def kernel_null() -> Theorem:
    r"""Derive that the centred kernel matrix takes the column of ones to zero."""
    return (
        Derivation("an eigenvalue that is zero", given=ONES, witness={**ONE_ROW, K: [[2]]})
        .start(M * K * M * ones)
        .equals(zeros(n, 1), because="a constant column", by=using(centring_ones()))
        .qed()
    )


@proves("thm-kernel-new")
def kernel_new() -> Theorem:
    r"""Derive the centred inner products of a new point from the kernel."""
    return (
        Derivation("a new point", given={**KERNEL, **NEW}, witness=ONE_POINT)
        .start(M * Phi * (phi - Phi.T * ones / n))
        .equals(M * (kappa - K * ones / n), because="the kernel")
        .equals(
            kappa
            - K * ones / n
            - trace(ones.T * kappa) / n * ones
            + trace(ones.T * K * ones) / n**2 * ones,
            because="multiply out",
        )
        .qed()
    )


# k components of the centred kernel matrix: eigenvectors in the columns of U, roots of their
# eigenvalues in the diagonal matrix R.
U = matrices("U", n, k)
R = matrices("R", k, k, symmetric=True)
Kc = matrices("K'", n, n)
KERNEL_COMPONENTS = {
    "eigenvectors": Eq(Kc * U, U * R * R),
    "roots": invertible(R),
}
ONE_COMPONENT = {n: 2, k: 1, Kc: [[4, 0], [0, 0]], U: [[1], [0]], R: [[2]]}


@proves("thm-kernel-coefficients")
def kernel_coefficients() -> Theorem:
    r"""Derive the coefficients that make the scores out of the kernel matrix."""
    return (
        Derivation("coefficients", given=KERNEL_COMPONENTS, witness=ONE_COMPONENT)
        .start(Kc * (U * inverse(R)))
        .equals(U * R * R * inverse(R), because="eigenvectors")
        .equals(U * R, because="the inverse cancels")
        .qed()
    )


C = matrices("C", n, p)
axis = matrices("w", p, 1)


@proves("thm-kernel-score")
def kernel_score() -> Theorem:
    r"""Derive the coordinate of a centred point on a component from its inner products."""
    return (
        Derivation(
            "the coordinate of a point",
            given={"direction": Eq(axis, C.T * v / length), "point": Eq(kappa, C * phi)},
            witness={
                n: 1,
                p: 1,
                C: [[2]],
                v: [[1]],
                length: 2,
                axis: [[1]],
                phi: [[3]],
                kappa: [[6]],
            },
        )
        .start(trace(phi.T * axis))
        .equals(trace((C * phi).T * v) / length, because="the direction")
        .equals(trace(kappa.T * v) / length, because="the inner products")
        .qed()
    )


@proves("lem-kernel-full")
def kernel_full() -> Theorem:
    r"""Derive that the scores of all components have the centred kernel as inner products."""
    return (
        Derivation(
            "all components",
            given={
                "eigenvectors": KERNEL_COMPONENTS["eigenvectors"],
                "complete": Eq(Kc * U * U.T, Kc),
            },
            witness=ONE_COMPONENT,
        )
        .start(U * R * (U * R).T)
        .equals(U * R * R * U.T, because="$R$ is symmetric")
        .equals(Kc * U * U.T, because="eigenvectors")
        .equals(Kc, because="the components that are left out have the eigenvalue zero")
        .qed()
    )


# ------------------------------------------------------------------ merging

y = matrix_family("y", d, 1)
q = integers("q", positive=True)
t, joint = matrices("t c", d, 1)
MERGE = {
    **MEAN,
    "other mean": Eq(t, Sum(y[j], (j, 1, q)) / q),
    "joint": Eq(joint, (n * mean + q * t) / (n + q)),
}
FOUR = {
    n: 2,
    q: 2,
    d: 1,
    x: [[[0]], [[2]]],
    y: [[[4]], [[6]]],
    mean: [[1]],
    t: [[5]],
    joint: [[3]],
}
union = Setting("union", given=MERGE, witness=FOUR)


def about(family: Any, place: Any, size: Any) -> Any:
    """Return the scatter of a family of columns about a place."""
    return Sum((family[i] - place) * (family[i] - place).T, (i, 1, size))


rest = Sum(x[i], (i, 1, n)) - n * mean


def _deviations(turned: bool) -> Theorem:
    """Derive that the deviations from the mean cancel, before a row or, turned, after a column."""
    left = centre * rest.T if turned else rest * centre.T
    return (
        Derivation("the deviations cancel", given=MEAN, witness=THREE)
        .start(left)
        .equals(zeros(d, d), because="the mean", by=using(Eq(square(left), 0)))
        .qed()
    )


@proves("lem-pca-shifted-scatter")
def shifted() -> Theorem:
    r"""Derive the scatter about any place from that about the mean."""
    way = {centre: mean - centre}
    return (
        Derivation("the scatter about a place", given=MEAN, witness=THREE)
        .start(about(x, centre, n))
        .equals(
            about(x, mean, n)
            + rest * (mean - centre).T
            + (mean - centre) * rest.T
            + n * (mean - centre) * (mean - centre).T,
            because="go through the mean and multiply out",
        )
        .equals(
            about(x, mean, n) + n * (mean - centre) * (mean - centre).T,
            because="the deviations from the mean cancel",
            by=using(apply(_deviations(False), way), apply(_deviations(True), way)),
        )
        .qed()
    )


@proves("thm-pca-merge")
def merge() -> Theorem:
    r"""Derive the scatter of two sets together from their sizes, means and scatters."""
    return (
        Derivation("two sets together", setting=union)
        .start(about(x, joint, n) + about(y, joint, q))
        .equals(
            about(x, mean, n)
            + n * (mean - joint) * (mean - joint).T
            + about(y, t, q)
            + q * (t - joint) * (t - joint).T,
            because="the scatter about a place, for each set",
            by=using(
                apply(shifted(), {centre: joint}),
                apply(shifted(), {x: y, mean: t, n: q, centre: joint}),
            ),
        )
        .equals(
            about(x, mean, n) + about(y, t, q) + n * q / (n + q) * (mean - t) * (mean - t).T,
            because="the joint mean divides the way between the means",
        )
        .qed()
    )
