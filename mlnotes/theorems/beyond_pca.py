r"""What is kept of the data: distances, local weights, counts, independence.

The points are ``x[i]``, or the rows of X. Locally linear embedding has a matrix W of weights, whose
rows sum to one, and embeds the points as the rows of Y. Non-negative factors and independent
components share the model X ≈ A Bᵀ: ``a[i, k]`` says how much of part k is in point i, and
``b[j, k]`` how much feature j has in part k. Where columns of numbers are meant, e is the column of
ones. Random columns are x, with a finite law; V unmixes them.
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
    Integral,
    KroneckerDelta,
    Lambda,
    Le,
    Ne,
    Product,
    Rational,
    Setting,
    Sum,
    Theorem,
    apply,
    cases,
    det,
    dimensions,
    dot,
    exp,
    for_all,
    for_each,
    function,
    identity,
    independent,
    indices,
    integers,
    integrable,
    inverse,
    invertible,
    log,
    matrices,
    matrix_family,
    norm2,
    points,
    positive_semidefinite,
    quantity,
    random_matrices,
    random_variables,
    real_family,
    reals,
    sqrt,
    termwise,
    trace,
    unit_column,
    using,
    vector_family,
    vectors,
    zeros,
)
from mlnotes.theorems import library, proves
from mlnotes.theorems.maximum_entropy import K as gibbs_size
from mlnotes.theorems.maximum_entropy import q as gibbs_first
from mlnotes.theorems.maximum_entropy import s as gibbs_second

n, d, K, J = dimensions("n d K J")
# The same as limits of sums, where rows and columns may change places.
N, D, P, L = integers("n d K J", positive=True)
i, j, k, l = indices("i j k l")  # noqa: E741
half = Rational(1, 2)

# ------------------------------------------------------------------ distances

x = vector_family("x")
mean = vectors("m")
MEAN = {"mean": Eq(mean, Sum(x[i], (i, 1, N)) / N)}
THREE = {N: 3, x: [[0, 0], [2, 0], [4, 3]], mean: [2, 1], i: 1, j: 2}


# The mean squared distance of a point from all points, and that of all pairs.
from_point = quantity("delta", i, is_=Sum(norm2(x[i] - x[l]), (l, 1, N)) / N)
of_pairs = quantity("Delta", is_=Sum(norm2(x[k] - x[l]), (k, 1, N), (l, 1, N)) / N**2)
SPREAD = Sum(norm2(x[l] - mean), (l, 1, N)) / N


@proves("lem-mds-from-point")
def distances_from_a_point() -> Theorem:
    r"""Derive the mean squared distance of one point from all points."""
    return (
        Derivation("from one point", given=MEAN, witness=THREE)
        .start(from_point(i))
        .equals(
            norm2(x[i] - mean) + SPREAD + 2 * dot(x[i] - mean, N * mean - Sum(x[l], (l, 1, N))) / N,
            because="go through the mean and expand",
        )
        .equals(norm2(x[i] - mean) + SPREAD, because="$m$ is the mean")
        .qed()
    )


@proves("lem-mds-pairs")
def distances_of_pairs() -> Theorem:
    r"""Derive the mean squared distance of all pairs."""
    return (
        Derivation("all pairs", given=MEAN, witness=THREE)
        .start(of_pairs)
        .equals(
            Sum(from_point(k), (k, 1, N)) / N,
            because="the mean of the means",
        )
        .equals(
            Sum(norm2(x[k] - mean) + SPREAD, (k, 1, N)) / N,
            because="from one point",
            by=termwise(k, by=using(distances_from_a_point()(i=k))),
        )
        .equals(2 * SPREAD, because="both terms are the same mean")
        .qed()
    )


@proves("thm-mds-centring")
def centring_distances() -> Theorem:
    r"""Derive the inner products of centred points from squared distances."""
    return (
        Derivation("inner products from distances", given=MEAN, witness=THREE)
        .start(-half * (norm2(x[i] - x[j]) - from_point(i) - from_point(j) + of_pairs))
        .equals(
            -half
            * (norm2((x[i] - mean) - (x[j] - mean)) - norm2(x[i] - mean) - norm2(x[j] - mean)),
            because="from one point, and all pairs: the mean squared lengths cancel",
            by=using(distances_from_a_point(), distances_from_a_point()(i=j), distances_of_pairs()),
        )
        .equals(dot(x[i] - mean, x[j] - mean), because="the law of cosines")
        .qed()
    )


# The same with matrices: the rows of X are centred points, the columns of V directions.
centred = matrices("X", n, d)
V = matrices("V", d, K)
Lambda_ = matrices("Lambda", K, K, symmetric=True)


@proves("lem-mds-pca")
def scores_are_eigenvectors() -> Theorem:
    r"""Derive that principal scores are eigenvectors of the inner products."""
    return (
        Derivation(
            "scores are eigenvectors",
            given={"directions": Eq(centred.T * centred * V, V * Lambda_)},
            witness={n: 1, d: 1, K: 1, centred: [[2]], V: [[1]], Lambda_: [[4]]},
        )
        .start(centred * centred.T * (centred * V))
        .equals(centred * V * Lambda_, because=r"the last three factors are $V\Lambda$")
        .qed()
    )


# ------------------------------------------------------------------ local weights

place = vectors("u")
w, v = real_family("w v")
mu = reals("mu")


def _reached(weights: Any) -> Any:
    """Return what weights make of the neighbours."""
    return Sum(weights[j] * x[j], (j, 1, L))


def local(j: Any, l: Any) -> Any:  # noqa: E741
    """Return the inner product of two neighbours, seen from the point."""
    return dot(x[j] - place, x[l] - place)


NEIGHBOURS = {
    L: 2,
    place: [1, 1],
    x: [[0, 0], [3, 0]],
    w: [Rational(2, 3), Rational(1, 3)],
    v: [half, half],
    mu: 1,
}
ONE = {"one": Eq(Sum(w[j], (j, 1, L)), 1)}
SYSTEM = {
    "system": for_each(j, 1, L, Eq(Sum(local(j, l) * w[l], (l, 1, L)), mu)),
    **ONE,
}
OTHER = {"other": Eq(Sum(v[j], (j, 1, L)), 1)}


@proves("lem-lle-error")
def reconstruction_error() -> Theorem:
    r"""Derive the squared error of a reconstruction from the local inner products."""
    return (
        Derivation("error of a reconstruction", given=ONE, witness=NEIGHBOURS)
        .start(norm2(place - _reached(w)))
        .equals(
            norm2(Sum(w[j], (j, 1, L)) * place - _reached(w)),
            because="the weights sum to one",
        )
        .equals(
            Sum(w[j] * w[l] * local(j, l), (j, 1, L), (l, 1, L)),
            because="multiply out",
        )
        .qed()
    )


@proves("lem-lle-gap")
def weights_gap() -> Theorem:
    r"""Derive how much other weights lose against the solution of the local system."""
    return (
        Derivation("what other weights lose", given={**SYSTEM, **OTHER}, witness=NEIGHBOURS)
        .start(norm2(place - _reached(v)))
        .equals(
            norm2(place - _reached(w))
            + norm2(_reached(v) - _reached(w))
            + 2 * dot(_reached(v) - _reached(w), _reached(w) - place),
            because="go from $w$ to $v$ and expand",
        )
        .equals(
            norm2(place - _reached(w))
            + norm2(_reached(v) - _reached(w))
            + 2 * Sum((v[j] - w[j]) * Sum(local(j, l) * w[l], (l, 1, L)), (j, 1, L)),
            because="both weights sum to one: subtract $u$ from every neighbour",
        )
        .equals(
            norm2(place - _reached(w))
            + norm2(_reached(v) - _reached(w))
            + 2 * Sum((v[j] - w[j]) * mu, (j, 1, L)),
            because="the system",
            by=termwise(j),
        )
        .equals(
            norm2(place - _reached(w)) + norm2(_reached(v) - _reached(w)),
            because="both weights sum to one",
        )
        .qed()
    )


@proves("thm-lle-weights")
def weights_by_a_system() -> Theorem:
    r"""Derive that the solution of the local system reconstructs best."""
    return (
        Derivation("the best weights", given={**SYSTEM, **OTHER}, witness=NEIGHBOURS)
        .start(norm2(place - _reached(v)))
        .equals(
            norm2(place - _reached(w)) + norm2(_reached(v) - _reached(w)),
            because="what other weights lose",
            by=using(weights_gap()),
        )
        .at_least(norm2(place - _reached(w)), because="a square is not negative")
        .qed()
    )


# As a column of J numbers, with the local matrix G.
G = matrices("G", J, J)
e = matrices("e", J, 1)


@proves("lem-lle-solution")
def solution_of_the_system() -> Theorem:
    r"""Derive that $G^{-1}e$, divided by its sum, sums to one."""
    total = trace(e.T * inverse(G) * e)
    return (
        Derivation(
            "the normalised solution",
            given={"invertible": invertible(G), "sum": Ne(total, 0)},
            witness={J: 2, G: [[2, 0], [0, 1]], e: [[1], [1]]},
        )
        .start(trace(e.T * (inverse(G) * e / total)))
        .equals(total / total, because="take out the number")
        .equals(1, because="it is not zero")
        .qed()
    )


# The same neighbours after a rotation, a change of scale and a shift.
turn = matrices("Q", d, d)
columns = matrix_family("z", d, 1)
shift = matrices("h", d, 1)
scale = reals("s")
ROTATION = {"rotation": Eq(turn.T * turn, identity(d))}


@proves("lem-lle-invariance")
def weights_are_invariant() -> Theorem:
    r"""Derive that a similarity multiplies all local inner products by one number."""

    def moved(p: Any) -> Any:
        return scale * turn * p + shift

    return (
        Derivation(
            "after a similarity",
            given=ROTATION,
            witness={
                d: 2,
                turn: [[0, -1], [1, 0]],
                scale: 2,
                shift: [[1], [1]],
                columns: {1: [[1], [1]], 2: [[0], [2]], 3: [[1], [0]]},
                i: 3,
                j: 1,
                l: 2,
            },
        )
        .start(
            trace(
                (moved(columns[j]) - moved(columns[i])).T * (moved(columns[l]) - moved(columns[i]))
            )
        )
        .equals(
            scale**2
            * trace((columns[j] - columns[i]).T * turn.T * turn * (columns[l] - columns[i])),
            because="the shift cancels",
        )
        .equals(
            scale**2 * trace((columns[j] - columns[i]).T * (columns[l] - columns[i])),
            because="a rotation keeps inner products",
        )
        .qed()
    )


# ------------------------------------------------------------------ the embedding

W = matrices("W", n, n)
Y = matrices("Y", n, K)
ones = matrices("e", n, 1)
I = identity(n)  # noqa: E741
COST = (I - W).T * (I - W)


table = matrices("R", n, K)


def _rows(of: Any) -> Any:
    """Return the sum of the squared lengths of the rows."""
    return Sum(trace((of.T * unit_column(n, i)).T * (of.T * unit_column(n, i))), (i, 1, n))


@proves("lem-lle-rows")
def squared_rows() -> Theorem:
    r"""Derive that the squared lengths of the rows add up to a trace."""
    return (
        Derivation("the squares of the rows")
        .start(_rows(table))
        .equals(trace(table.T * table), because="both are the sum of all squared entries")
        .qed()
    )


@proves("thm-lle-trace")
def embedding_cost() -> Theorem:
    r"""Derive the cost of an embedding as a trace."""
    return (
        Derivation("the cost as a trace")
        .start(_rows(Y - W * Y))
        .equals(
            trace((Y - W * Y).T * (Y - W * Y)),
            because="the squares of the rows",
            by=squared_rows()(R=Y - W * Y),
        )
        .equals(trace(Y.T * COST * Y), because="take out $Y$ on both sides")
        .qed()
    )


@proves("lem-lle-trivial")
def constants_cost_nothing() -> Theorem:
    r"""Derive that the constant column is an eigenvector with the eigenvalue zero."""
    return (
        Derivation(
            "the constant column",
            given={"rows": Eq(W * ones, ones)},
            witness={n: 2, W: [[0, 1], [1, 0]], ones: [[1], [1]]},
        )
        .start(COST * ones)
        .equals((I - W).T * (ones - W * ones), because="multiply out")
        .equals(zeros(n, 1), because="rows that sum to one")
        .qed()
    )


M = matrices("M", n, n, symmetric=True)
U = matrices("U", n, K)
level = reals("c")
saving = level * identity(K) - Lambda_
FRAME = {"frame": Eq(Y.T * Y, identity(K)), "centred": Eq(Y.T * ones, zeros(K, 1))}
CHOSEN = {
    "orthonormal": Eq(U.T * U, identity(K)),
    "eigenvectors": Eq(M * U, U * Lambda_),
}
LOW = {"low": positive_semidefinite(saving)}
# M with the chosen eigenvalues and that of the constant column raised to the level.
RAISED = M + U * saving * U.T + level / n * (ones * ones.T)
HIGH = {"high": positive_semidefinite(RAISED - level * I)}


def _signs(*rows: str) -> Any:
    """Return a column of signs, each divided by two."""
    return [[half if s == "+" else -half] for s in rows[0]]


# Four points; the columns ++--, +-+- and +--+ have the eigenvalues 1, 2 and 2.
def _four() -> list[list[Any]]:
    columns = (("++--", 1), ("+-+-", 2), ("+--+", 2))

    def entry(g: int, h: int) -> Any:
        return sum((v * Rational(1 if c[g] == c[h] else -1, 4) for c, v in columns), Rational(0))

    return [[entry(g, h) for h in range(4)] for g in range(4)]


FOUR = {
    n: 4,
    K: 1,
    M: _four(),
    ones: [[1]] * 4,
    U: _signs("++--"),
    Lambda_: [[1]],
    level: 1,
    Y: _signs("+-+-"),
}


def _form_of_a_matrix(rows: Any, columns: Any) -> Theorem:
    """Derive that a positive semidefinite form is not negative on a matrix of these sizes."""
    form, of = matrices("G", rows, rows), matrices("R", rows, columns)
    semidefinite = positive_semidefinite(form)

    def column(k: Any) -> Any:
        return of * unit_column(columns, k)

    return (
        Derivation(
            "a form on a matrix",
            given={"semidefinite": semidefinite},
            witness={n: 1, K: 1, form: [[1]], of: [[1]]},
        )
        .start(trace(of.T * form * of))
        .equals(
            Sum(trace(column(k).T * form * column(k)), (k, 1, columns)),
            because="one column at a time",
        )
        .at_least(
            Sum(0, (k, 1, columns)),
            because="no column has a negative form",
            by=termwise(k, by=semidefinite.at(column(k))),
        )
        .equals(0, because="a sum of zeros")
        .qed()
    )


@proves("lem-lle-square")
def form_of_a_matrix() -> Theorem:
    r"""Derive that a positive semidefinite form is not negative on a matrix either."""
    return _form_of_a_matrix(n, K)


@proves("lem-lle-saved")
def what_the_eigenvectors_save() -> Theorem:
    r"""Derive that an embedding saves at most what the eigenvectors save."""
    missed = U - Y * Y.T * U
    return (
        Derivation(
            "what the eigenvectors save",
            given={
                "frame": FRAME["frame"],
                "orthonormal": CHOSEN["orthonormal"],
                **LOW,
            },
            witness=FOUR,
        )
        .start(trace(Y.T * (U * saving * U.T) * Y))
        .equals(
            trace(saving) - trace(missed * saving * missed.T),
            because="split off what $Y$ misses of the eigenvectors",
        )
        .at_most(
            trace(saving),
            because="no chosen eigenvalue is above the level",
            by=_form_of_a_matrix(K, n)(G=saving, R=missed.T),
        )
        .equals(level * K - trace(Lambda_), because="the trace of the unit matrix")
        .qed()
    )


@proves("thm-lle-bottom")
def bottom_eigenvectors() -> Theorem:
    r"""Derive that no centred frame costs less than the bottom eigenvectors."""
    return (
        Derivation(
            "the bottom eigenvectors",
            given={**FRAME, "orthonormal": CHOSEN["orthonormal"], **LOW, **HIGH},
            witness=FOUR,
        )
        .start(trace(Y.T * M * Y))
        .equals(
            trace(Y.T * (RAISED - level * I) * Y)
            + level * trace(Y.T * Y)
            - trace(Y.T * (U * saving * U.T) * Y),
            because="raise the low eigenvalues, and take it back; $Y$ is centred",
        )
        .at_least(
            level * trace(Y.T * Y) - trace(Y.T * (U * saving * U.T) * Y),
            because="no raised eigenvalue is below the level",
            by=form_of_a_matrix()(G=RAISED - level * I, R=Y),
        )
        .at_least(
            level * K - (level * K - trace(Lambda_)),
            because="what the eigenvectors save",
            by=using(what_the_eigenvectors_save()),
        )
        .equals(trace(Lambda_), because="collect")
        .qed()
    )


@proves("lem-lle-attained")
def bottom_is_attained() -> Theorem:
    r"""Derive that eigenvectors cost the sum of their eigenvalues."""
    return (
        Derivation(
            "the cost of eigenvectors",
            given={k: CHOSEN[k] for k in ("orthonormal", "eigenvectors")},
            witness=FOUR,
        )
        .start(trace(U.T * M * U))
        .equals(trace(U.T * U * Lambda_), because="eigenvectors")
        .equals(trace(Lambda_), because="the columns are orthonormal")
        .qed()
    )


# ------------------------------------------------------------------ two factors

A = matrices("A", n, K)
B = matrices("B", d, K)
C = matrices("C", K, K)


@proves("thm-factor-ambiguity")
def factors_are_not_unique() -> Theorem:
    r"""Derive that any invertible matrix can be moved from one factor to the other."""
    return (
        Derivation(
            "two factors",
            given={"invertible": invertible(C)},
            witness={n: 1, d: 1, K: 1, A: [[1]], B: [[2]], C: [[2]]},
        )
        .start((A * C) * (B * inverse(C).T).T)
        .equals(A * C * inverse(C) * B.T, because="transposes")
        .equals(A * B.T, because="$C$ meets its inverse")
        .qed()
    )


# ------------------------------------------------------------------ counts

count = real_family("x", nonnegative=True)
rate = real_family("nu", positive=True)
factorial = real_family("f", positive=True)


def _cells(term: Any) -> Any:
    return Sum(term, (j, 1, D), (i, 1, N))


seen = real_family("x", positive=True)
poisson = quantity(
    "ell",
    rate,
    is_=_cells(log(exp(-rate[i, j]) * exp(seen[i, j] * log(rate[i, j])) / factorial[i, j])),
)
kl = quantity(
    "D",
    seen,
    is_=_cells(seen[i, j] * log(seen[i, j] / rate[i, j]) - seen[i, j] + rate[i, j]),
    given=[rate],
)
ONE_CELL = {N: 1, D: 1, seen: {(1, 1): 2}, rate: {(1, 1): 3}, factorial: {(1, 1): 2}}


@proves("thm-nmf-likelihood")
def likelihood_and_divergence() -> Theorem:
    r"""Derive that the likelihood of means is a number less the divergence of the counts."""
    return (
        Derivation("likelihood and divergence", witness=ONE_CELL)
        .start(poisson(rate))
        .equals(
            _cells(seen[i, j] * log(rate[i, j]) - rate[i, j] - log(factorial[i, j])),
            because="the logarithm of a product",
        )
        .equals(
            _cells(seen[i, j] * log(seen[i, j]) - seen[i, j] - log(factorial[i, j]))
            - _cells(seen[i, j] * log(seen[i, j] / rate[i, j]) - seen[i, j] + rate[i, j]),
            because="add and subtract what does not depend on the means",
        )
        .equals(
            _cells(seen[i, j] * log(seen[i, j]) - seen[i, j] - log(factorial[i, j]))
            - kl(seen, rate),
            because="the divergence",
        )
        .qed()
    )


y, s = reals("y s", positive=True)


@proves("lem-nmf-divergence")
def divergence_of_one() -> Theorem:
    r"""Derive that the divergence of one positive number from another is not negative."""
    return (
        Derivation("divergence of two numbers")
        .start(y * log(y / s) - y + s)
        .at_least(0, because=r"$\log u\ge1-1/u$ for $u=y/s$")
        .qed()
    )


# The factors before and after an update of the first.
a, b = real_family("a b", positive=True)
new = real_family("a^+", positive=True)
newb = real_family("b^+", positive=True)
mean_count = quantity("nu", i, j, is_=Sum(a[i, l] * b[j, l], (l, 1, P)))


# The log-likelihood of two factors, up to a constant.
_inner = Sum(a[i, l] * b[j, l], (l, 1, P))
fit = quantity("F", a, b, is_=_cells(count[i, j] * log(_inner) - _inner))


def update(a: Any, b: Any) -> Any:
    """Return the factor by which the update multiplies."""
    inner = Sum(a[i, l] * b[j, l], (l, 1, P))
    return Sum(b[j, k] * count[i, j] / inner, (j, 1, D)) / Sum(b[j, k], (j, 1, D))


_factor = Sum(b[j, k] * count[i, j] / mean_count(i, j), (j, 1, D)) / Sum(b[j, k], (j, 1, D))
UPDATED = {
    "update": for_each(i, 1, N, for_each(k, 1, P, Eq(new[i, k], a[i, k] * _factor))),
}
TINY = {
    N: 1,
    D: 2,
    P: 1,
    count: {(1, 1): 1, (1, 2): 3},
    a: {(1, 1): 1},
    b: {(1, 1): 1, (2, 1): 1},
    new: {(1, 1): 2},
}

old, after = real_family("alpha beta", positive=True)


@proves("lem-nmf-bound")
def logarithm_of_a_sum() -> Theorem:
    r"""Derive how far the logarithm of a sum rises if its terms are multiplied."""
    total = Sum(old[l], (l, 1, P))
    return (
        Derivation("the logarithm of a sum")
        .start(log(Sum(old[k] * after[k], (k, 1, P))))
        .equals(
            log(total) + log(Sum(old[k] / total * after[k], (k, 1, P))),
            because="take out the old sum",
        )
        .at_least(
            log(total) + Sum(old[k] / total * log(after[k]), (k, 1, P)),
            because="Jensen's inequality: the logarithm of a mean",
            by=using(
                apply(
                    library.jensen_log(),
                    {
                        library.n: P,
                        library.p: Lambda(k, old[k] / total),
                        library.alpha: Lambda(k, after[k]),
                        library.A: Sum(old[k] / total * after[k], (k, 1, P)),
                    },
                )
            ),
        )
        .qed()
    )


UPDATE = Setting("update", given=UPDATED, witness=TINY)
weight = quantity("s", k, is_=Sum(b[j, k], (j, 1, D)))
STEPS = Sum(
    weight(k) * (new[i, k] * log(new[i, k] / a[i, k]) - new[i, k] + a[i, k]),
    (k, 1, P),
    (i, 1, N),
)


def _responsibility(i: Any, j: Any, k: Any) -> Any:
    return a[i, k] * b[j, k] / mean_count(i, j)


@proves("lem-nmf-cell")
def gain_of_a_cell() -> Theorem:
    r"""Derive what the logarithm of one mean count gains."""
    return (
        Derivation("one mean count")
        .start(log(Sum(new[i, l] * b[j, l], (l, 1, P))))
        .equals(
            log(Sum(a[i, l] * b[j, l] * (new[i, l] / a[i, l]), (l, 1, P))),
            because="each term is multiplied",
        )
        .at_least(
            log(mean_count(i, j))
            + Sum(_responsibility(i, j, k) * log(new[i, k] / a[i, k]), (k, 1, P)),
            because="the logarithm of a sum",
            by=apply(
                logarithm_of_a_sum(),
                {old: Lambda(l, a[i, l] * b[j, l]), after: Lambda(l, new[i, l] / a[i, l])},
            ),
        )
        .qed()
    )


first, second, paid = reals("p q r")
times = reals("t", nonnegative=True)


def _multiplied_bound() -> Theorem:
    """Derive that a bound can be multiplied by a number that is not negative."""
    return (
        Derivation(
            "a bound, multiplied",
            given={"bound": Ge(first, second)},
            witness={first: 2, second: 1, times: 1},
        )
        .start(times * first - paid)
        .at_least(times * second - paid, because="the factor is not negative")
        .qed()
    )


@proves("lem-nmf-counted")
def gain_of_a_cell_counted() -> Theorem:
    r"""Derive what one cell adds at least to the likelihood after the update."""
    inner = Sum(new[i, l] * b[j, l], (l, 1, P))
    bound = log(mean_count(i, j)) + Sum(
        _responsibility(i, j, k) * log(new[i, k] / a[i, k]), (k, 1, P)
    )
    return (
        Derivation("one cell")
        .start(count[i, j] * log(inner) - inner)
        .at_least(
            count[i, j] * bound - inner,
            because="one mean count, and no count is negative",
            by=using(
                gain_of_a_cell(),
                _multiplied_bound()(p=log(inner), q=bound, t=count[i, j], r=inner),
            ),
        )
        .qed()
    )


@proves("lem-nmf-parts")
def updated_parts() -> Theorem:
    r"""Derive which counts the update gives to a part."""
    return (
        Derivation(
            "the counts of a part",
            setting=UPDATE,
            given={"i": Ge(i, 1), "to n": Le(i, N), "k": Ge(k, 1), "to K": Le(k, P)},
            witness={i: 1, k: 1},
        )
        .start(Sum(count[i, j] * _responsibility(i, j, k), (j, 1, D)))
        .equals(
            a[i, k]
            * (Sum(b[j, k] * count[i, j] / mean_count(i, j), (j, 1, D)) / weight(k))
            * weight(k),
            because="multiply and divide by the weight",
        )
        .equals(weight(k) * new[i, k], because="the update")
        .qed()
    )


given_to, gained, level_of = real_family("r t q")


@proves("lem-nmf-order")
def parts_last() -> Theorem:
    r"""Derive how a bound on every cell adds up if the parts are summed last."""
    return (
        Derivation("parts last")
        .start(
            _cells(
                count[i, j] * (level_of[i, j] + Sum(given_to[i, j, k] * gained[i, k], (k, 1, P)))
                - Sum(new[i, l] * b[j, l], (l, 1, P))
            )
        )
        .equals(
            _cells(count[i, j] * level_of[i, j] - Sum(a[i, l] * b[j, l], (l, 1, P)))
            + Sum(
                gained[i, k] * Sum(count[i, j] * given_to[i, j, k], (j, 1, D))
                - weight(k) * new[i, k]
                + weight(k) * a[i, k],
                (k, 1, P),
                (i, 1, N),
            ),
            because="subtract and add the old mean counts; sum over the features first",
        )
        .qed()
    )


@proves("lem-nmf-gain")
def gain_of_an_update() -> Theorem:
    r"""Derive what the likelihood gains at least by an update."""
    return (
        Derivation("the gain of an update", setting=UPDATE)
        .start(fit(new, b))
        .at_least(
            _cells(
                count[i, j]
                * (
                    log(mean_count(i, j))
                    + Sum(_responsibility(i, j, k) * log(new[i, k] / a[i, k]), (k, 1, P))
                )
                - Sum(new[i, l] * b[j, l], (l, 1, P))
            ),
            because="one mean count, everywhere",
            by=termwise(i, by=termwise(j, by=apply(gain_of_a_cell_counted(), {i: i, j: j}))),
        )
        .equals(
            fit(a, b)
            + Sum(
                log(new[i, k] / a[i, k]) * Sum(count[i, j] * _responsibility(i, j, k), (j, 1, D))
                - weight(k) * new[i, k]
                + weight(k) * a[i, k],
                (k, 1, P),
                (i, 1, N),
            ),
            because="parts last",
            by=apply(
                parts_last(),
                {
                    level_of: Lambda((i, j), log(mean_count(i, j))),
                    given_to: Lambda((i, j, k), _responsibility(i, j, k)),
                    gained: Lambda((i, k), log(new[i, k] / a[i, k])),
                },
            ),
        )
        .equals(
            fit(a, b) + STEPS,
            because="the counts of a part",
            by=termwise(i, by=termwise(k, by=using(apply(updated_parts(), {i: i, k: k})))),
        )
        .qed()
    )


@proves("thm-nmf-monotone")
def update_never_lowers() -> Theorem:
    r"""Derive that the update of one factor never lowers the likelihood."""
    return (
        Derivation("updates climb", setting=UPDATE)
        .start(fit(new, b))
        .at_least(fit(a, b) + STEPS, because="the gain of an update", by=using(gain_of_an_update()))
        .at_least(
            fit(a, b),
            because="no divergence is negative",
            by=termwise(i, by=termwise(k, by=using(divergence_of_one()(y=new[i, k], s=a[i, k])))),
        )
        .qed()
    )


# Both factors, one after the other.
BOTH = {
    **UPDATED,
    "second update": for_each(
        j,
        1,
        D,
        for_each(
            k,
            1,
            P,
            Eq(
                newb[j, k],
                b[j, k]
                * (
                    Sum(
                        new[i, k] * count[i, j] / Sum(b[j, l] * new[i, l], (l, 1, P)),
                        (i, 1, N),
                    )
                    / Sum(new[i, k], (i, 1, N))
                ),
            ),
        ),
    ),
}
TINY_BOTH = {**TINY, newb: {(1, 1): half, (2, 1): Rational(3, 2)}}


@proves("lem-nmf-turned")
def turned_update() -> Theorem:
    r"""Derive the same of the second factor: the table is turned over."""
    transposed = Lambda((j, i), count[i, j])
    return (
        Derivation("the table turned over", given=BOTH, witness=TINY_BOTH)
        .start(
            Sum(
                count[i, j] * log(Sum(newb[j, l] * new[i, l], (l, 1, P)))
                - Sum(newb[j, l] * new[i, l], (l, 1, P)),
                (i, 1, N),
                (j, 1, D),
            )
        )
        .at_least(
            Sum(
                count[i, j] * log(Sum(b[j, l] * new[i, l], (l, 1, P)))
                - Sum(b[j, l] * new[i, l], (l, 1, P)),
                (i, 1, N),
                (j, 1, D),
            ),
            because="updates climb, with the rows and columns of the table exchanged",
            by=apply(
                update_never_lowers(),
                {N: D, D: N, a: b, b: new, new: newb, count: transposed},
            ),
        )
        .qed()
    )


@proves("cor-nmf-sweep")
def sweep_never_lowers() -> Theorem:
    r"""Derive that a sweep over both factors never lowers the likelihood."""
    return (
        Derivation("a sweep climbs", given=BOTH, witness=TINY_BOTH)
        .start(fit(new, newb))
        .equals(
            Sum(
                count[i, j] * log(Sum(newb[j, l] * new[i, l], (l, 1, P)))
                - Sum(newb[j, l] * new[i, l], (l, 1, P)),
                (i, 1, N),
                (j, 1, D),
            ),
            because="turn the table over",
        )
        .at_least(fit(new, b), because="the table turned over", by=using(turned_update()))
        .at_least(fit(a, b), because="updates climb", by=using(update_never_lowers()))
        .qed()
    )


@proves("lem-nmf-positive")
def update_is_positive() -> Theorem:
    r"""Derive that an update keeps a factor from becoming negative."""
    return (
        Derivation("nothing becomes negative")
        .start(a[i, k] * update(a, b))
        .at_least(0, because="sums, products and quotients of numbers that are not negative")
        .qed()
    )


slope = Sum(b[j, k] * count[i, j] / Sum(a[i, l] * b[j, l], (l, 1, P)), (j, 1, D)) - Sum(
    b[j, k], (j, 1, D)
)


@proves("lem-nmf-step")
def update_as_a_step() -> Theorem:
    r"""Derive the update as a step along the slope."""
    return (
        Derivation("the update as a step")
        .start(a[i, k] * update(a, b))
        .equals(
            a[i, k] + a[i, k] / Sum(b[j, k], (j, 1, D)) * slope,
            because="add and subtract one",
        )
        .qed()
    )


@proves("lem-nmf-fixed")
def fixed_points() -> Theorem:
    r"""Derive that the slope vanishes at a positive number which the update leaves alone."""
    return (
        Derivation(
            "fixed points",
            given={"fixed": Eq(a[i, k] * update(a, b), a[i, k])},
            witness={
                **{N: 1, D: 1, P: 1, i: 1, k: 1},
                **{count: {(1, 1): 2}, a: {(1, 1): 2}, b: {(1, 1): 1}},
            },
        )
        .start(slope)
        .equals(
            Sum(b[j, k], (j, 1, D)) / a[i, k] * (a[i, k] * update(a, b) - a[i, k]),
            because="the update as a step",
        )
        .equals(0, because="it changes nothing")
        .qed()
    )


# ------------------------------------------------------------------ a new document

document = vectors("u")
part = vector_family("b")
given_amount, other_amount = real_family("a v", nonnegative=True)
mixed = Sum(given_amount[k] * part[k], (k, 1, P))
NNLS = {
    "slope": for_each(k, 1, P, Ge(dot(part[k], mixed - document), 0)),
    "slack": for_each(k, 1, P, Eq(given_amount[k] * dot(part[k], mixed - document), 0)),
}
FOLDED = {
    P: 2,
    part: [[1, 0], [1, 1]],
    document: [2, -1],
    given_amount: [2, 0],
    other_amount: [1, 1],
}


@proves("lem-nnls-gap")
def other_amounts_lose() -> Theorem:
    r"""Derive how much other amounts lose."""
    other = Sum(other_amount[k] * part[k], (k, 1, P))
    return (
        Derivation("what other amounts lose", given={"slack": NNLS["slack"]}, witness=FOLDED)
        .start(norm2(document - other))
        .equals(
            norm2(document - mixed)
            + norm2(other - mixed)
            + 2 * Sum(other_amount[k] * dot(part[k], mixed - document), (k, 1, P))
            - 2 * Sum(given_amount[k] * dot(part[k], mixed - document), (k, 1, P)),
            because="go through the first mixture and expand",
        )
        .equals(
            norm2(document - mixed)
            + norm2(other - mixed)
            + 2 * Sum(other_amount[k] * dot(part[k], mixed - document), (k, 1, P)),
            because="an amount or its slope is zero",
        )
        .qed()
    )


@proves("thm-nnls")
def conditions_are_sufficient() -> Theorem:
    r"""Derive that amounts which satisfy the conditions reconstruct best."""
    other = Sum(other_amount[k] * part[k], (k, 1, P))
    return (
        Derivation("the best amounts", given=NNLS, witness=FOLDED)
        .start(norm2(document - other))
        .equals(
            norm2(document - mixed)
            + norm2(other - mixed)
            + 2 * Sum(other_amount[k] * dot(part[k], mixed - document), (k, 1, P)),
            because="what other amounts lose",
            by=using(other_amounts_lose()),
        )
        .at_least(
            norm2(document - mixed) + norm2(other - mixed) + 2 * Sum(0, (k, 1, P)),
            because="no amount and no slope is negative",
            by=termwise(k),
        )
        .at_least(norm2(document - mixed), because="a square is not negative")
        .qed()
    )


# ------------------------------------------------------------------ independence and entropy

joint = real_family("p", positive=True)
row = quantity("rho", i, is_=Sum(joint[i, j], (j, 1, D)))
column = quantity("chi", j, is_=Sum(joint[i, j], (i, 1, N)))
TABLE = {"table": Eq(_cells(joint[i, j]), 1)}
FIFTHS = {
    N: 2,
    D: 2,
    joint: {
        (1, 1): half,
        (1, 2): Rational(1, 10),
        (2, 1): Rational(1, 10),
        (2, 2): Rational(3, 10),
    },
}
of_rows = quantity("H_1", is_=-Sum(row(i) * log(row(i)), (i, 1, N)))
of_columns = quantity("H_2", is_=-Sum(column(j) * log(column(j)), (j, 1, D)))
of_table = quantity("H", is_=-_cells(joint[i, j] * log(joint[i, j])))
ENTROPIES = of_rows + of_columns - of_table
INFORMATION = _cells(joint[i, j] * log(joint[i, j] / (row(i) * column(j))))


@proves("lem-ica-entropies")
def information_by_entropies() -> Theorem:
    r"""Derive the mutual information from three entropies."""
    return (
        Derivation("information by entropies")
        .start(ENTROPIES)
        .equals(
            _cells(joint[i, j] * (log(joint[i, j]) - log(row(i)) - log(column(j)))),
            because="a row total is the sum of its row, a column total of its column",
        )
        .equals(INFORMATION, because="the logarithm of a quotient")
        .qed()
    )


@proves("lem-ica-cell")
def one_cell_of_information() -> Theorem:
    r"""Derive a bound on one term by the distance of two roots."""
    return (
        Derivation("one term")
        .start(y * log(y / s))
        .equals(2 * y * log(sqrt(y) / sqrt(s)), because="the logarithm of a square")
        .at_least(
            2 * y * (1 - sqrt(s) / sqrt(y)),
            because=r"$\log u\ge1-1/u$ for $u=\sqrt y/\sqrt s$",
        )
        .equals((sqrt(y) - sqrt(s)) ** 2 + y - s, because="complete the square")
        .qed()
    )


@proves("thm-ica-information")
def information_is_not_negative() -> Theorem:
    r"""Derive that the entropies of the parts exceed that of the whole, unless independent."""
    return (
        Derivation("independence and entropy", given=TABLE, witness=FIFTHS)
        .start(ENTROPIES)
        .equals(
            INFORMATION, because="information by entropies", by=using(information_by_entropies())
        )
        .at_least(
            _cells(
                (sqrt(joint[i, j]) - sqrt(row(i) * column(j))) ** 2
                + joint[i, j]
                - row(i) * column(j)
            ),
            because="one term, everywhere",
            by=termwise(
                i,
                by=termwise(
                    j,
                    by=using(one_cell_of_information()(y=joint[i, j], s=row(i) * column(j))),
                ),
            ),
        )
        .equals(
            _cells((sqrt(joint[i, j]) - sqrt(row(i) * column(j))) ** 2)
            + _cells(joint[i, j])
            - Sum(row(i), (i, 1, N)) * Sum(column(j), (j, 1, D)),
            because="add up",
        )
        .equals(
            _cells((sqrt(joint[i, j]) - sqrt(row(i) * column(j))) ** 2),
            because="all three totals are one",
        )
        .qed()
    )


# Densities p of x and q of y = Vᵀx at the outcome, by the formula for the change of variables.
before, behind = random_variables("p q")
square = matrices("V", d, d)
DENSITIES = {
    "positive": Gt(before, 0),
    "invertible": Gt(Abs(det(square)), 0),
    "change of variables": Eq(behind, before / Abs(det(square))),
}


@proves("thm-ica-entropy-map")
def entropy_under_a_map() -> Theorem:
    r"""Derive how a linear map changes the entropy."""
    return (
        Derivation(
            "entropy under a linear map",
            given=DENSITIES,
            witness={
                d: 1,
                square: [[-2]],
                before: [(2, 1)],
                behind: [(1, 1)],
            },
        )
        .start(-E(log(behind)))
        .equals(-E(log(before / Abs(det(square)))), because="the change of variables")
        .equals(-E(log(before)) + log(Abs(det(square))), because="the logarithm of a quotient")
        .qed()
    )


first_part, second_part = random_variables("S T")


@proves("lem-ica-uncorrelated")
def independent_is_uncorrelated() -> Theorem:
    r"""Derive that independent numbers are uncorrelated."""
    return (
        Derivation(
            "independent numbers are uncorrelated",
            given={"independent": independent(first_part, second_part)},
            witness={first_part: [(0, half), (1, half)], second_part: [(-1, half), (1, half)]},
        )
        .start(E((first_part - E(first_part)) * (second_part - E(second_part))))
        .equals(E(first_part * second_part) - E(first_part) * E(second_part), because="expand")
        .equals(0, because="the mean of the product is the product of the means")
        .qed()
    )


X = random_matrices("z", d, 1)
unmix = V
WHITE = {"white": Eq(E(X * X.T), identity(d))}


@proves("thm-ica-orthogonal")
def unmixing_is_orthogonal() -> Theorem:
    r"""Derive that what turns white columns into white columns is orthogonal."""
    return (
        Derivation(
            "the unmixing is orthogonal",
            given={**WHITE, "sources": Eq(E(unmix.T * X * (unmix.T * X).T), identity(K))},
            witness={
                d: 1,
                K: 1,
                X: [([[1]], half), ([[-1]], half)],
                unmix: [[-1]],
            },
        )
        .start(unmix.T * unmix)
        .equals(unmix.T * E(X * X.T) * unmix, because="white")
        .equals(E(unmix.T * X * (unmix.T * X).T), because="numbers move out of the mean")
        .equals(identity(K), because="the sources are white")
        .qed()
    )


point = matrices("z", d, 1)


def _bells(of: Any) -> Any:
    """Return the product of the Gaussian bells of all entries."""
    return Product(exp(-(trace(unit_column(d, k).T * of) ** 2) / 2), (k, 1, d))


def _bells_of_length(of: Any) -> Theorem:
    """Derive that a product of bells depends on the length alone."""
    return (
        Derivation("bells and length")
        .start(_bells(of))
        .equals(
            exp(-Sum(trace(unit_column(d, k).T * of) ** 2, (k, 1, d)) / 2),
            because="a product of exponentials",
        )
        .equals(exp(-trace(of.T * of) / 2), because="the squared entries add up to the length")
        .qed()
    )


@proves("lem-ica-bells")
def bells_of_length() -> Theorem:
    r"""Derive that a product of bells depends on the length alone."""
    return _bells_of_length(point)


@proves("thm-ica-gaussian")
def gaussians_cannot_be_separated() -> Theorem:
    r"""Derive that the density of white Gaussians is a product in every rotated basis."""
    return (
        Derivation(
            "rotated Gaussians",
            given=ROTATION,
            witness={d: 2, turn: [[0, -1], [1, 0]], point: [[1], [2]]},
        )
        .start(_bells(turn * point))
        .equals(
            exp(-trace((turn * point).T * (turn * point)) / 2),
            because="bells and length",
            by=bells_of_length()(z=turn * point),
        )
        .equals(exp(-trace(point.T * point) / 2), because="a rotation keeps lengths")
        .equals(_bells(point), because="bells and length", by=bells_of_length())
        .qed()
    )


# Two independent sources of mean zero and variance one, mixed with the weights alpha and beta.
alpha, beta = reals("alpha beta")
SOURCES = {
    "independent": independent(first_part, second_part),
    "centred": Eq(E(first_part), 0),
    "centred too": Eq(E(second_part), 0),
    "unit": Eq(E(first_part**2), 1),
    "unit too": Eq(E(second_part**2), 1),
}
ON_CIRCLE = {"circle": Eq(alpha**2 + beta**2, 1)}
COINS = {
    first_part: [(-1, half), (1, half)],
    second_part: [(-1, half), (1, half)],
    alpha: Rational(3, 5),
    beta: Rational(4, 5),
}


@proves("lem-ica-fourth")
def fourth_moment() -> Theorem:
    r"""Derive the fourth moment of a mixture."""
    S, T = first_part, second_part
    return (
        Derivation("the fourth moment of a mixture", given=SOURCES, witness=COINS)
        .start(E((alpha * S + beta * T) ** 4))
        .equals(
            alpha**4 * E(S**4)
            + 4 * alpha**3 * beta * E(S**3) * E(T)
            + 6 * alpha**2 * beta**2 * E(S**2) * E(T**2)
            + 4 * alpha * beta**3 * E(S) * E(T**3)
            + beta**4 * E(T**4),
            because="expand; means of products are products of means",
        )
        .equals(
            alpha**4 * E(S**4) + 6 * alpha**2 * beta**2 + beta**4 * E(T**4),
            because="mean zero and variance one",
        )
        .qed()
    )


@proves("thm-ica-kurtosis")
def mixtures_are_closer_to_gaussian() -> Theorem:
    r"""Derive the excess of a mixture from those of its sources."""
    S, T = first_part, second_part
    return (
        Derivation("the excess of a mixture", given={**SOURCES, **ON_CIRCLE}, witness=COINS)
        .start(E((alpha * S + beta * T) ** 4) - 3)
        .equals(
            alpha**4 * E(S**4) + 6 * alpha**2 * beta**2 + beta**4 * E(T**4) - 3,
            because="the fourth moment of a mixture",
            by=using(fourth_moment()),
        )
        .equals(
            alpha**4 * (E(S**4) - 3) + beta**4 * (E(T**4) - 3),
            because=r"$3=3(\alpha^2+\beta^2)^2$",
        )
        .qed()
    )


excess, one_excess, other_excess = reals("kappa kappa_1 kappa_2")
top = reals("c", nonnegative=True)


one_weight = reals("q", nonnegative=True)


def _triangle() -> Theorem:
    """Derive the triangle inequality of two numbers."""
    return (
        Derivation("the triangle inequality")
        .start(Abs(one_excess + other_excess))
        .at_most(Abs(one_excess) + Abs(other_excess), because="triangle inequality")
        .qed()
    )


def _scaled() -> Theorem:
    """Derive that a factor that is not negative moves out of the absolute value."""
    return (
        Derivation("a factor moves out")
        .start(Abs(one_weight * one_excess))
        .equals(
            one_weight * Abs(one_excess),
            because="it is not negative",
            by=cases(Ge(one_excess, 0), Le(one_excess, 0)),
        )
        .qed()
    )


def _bounded() -> Theorem:
    """Derive that a weighted bound is a bound times the weight."""
    return (
        Derivation(
            "a weighted bound",
            given={"first": Le(Abs(one_excess), top)},
            witness={one_excess: 1, top: 2},
        )
        .start(one_weight * Abs(one_excess))
        .at_most(one_weight * top, because="the weight is not negative")
        .qed()
    )


@proves("lem-ica-weights")
def weights_on_a_circle() -> Theorem:
    r"""Derive that fourth powers of weights on a circle make a number no larger."""
    return (
        Derivation(
            "weights on a circle",
            given={
                **ON_CIRCLE,
                "sum": Eq(excess, alpha**4 * one_excess + beta**4 * other_excess),
                "first": Le(Abs(one_excess), top),
                "second": Le(Abs(other_excess), top),
            },
            witness={
                **{alpha: Rational(3, 5), beta: Rational(4, 5)},
                **{one_excess: 0, other_excess: 0, excess: 0, top: 2},
            },
        )
        .start(Abs(excess))
        .equals(Abs(alpha**4 * one_excess + beta**4 * other_excess), because="the sum")
        .at_most(
            Abs(alpha**4 * one_excess) + Abs(beta**4 * other_excess),
            because="triangle inequality",
            by=using(
                apply(
                    _triangle(),
                    {one_excess: alpha**4 * one_excess, other_excess: beta**4 * other_excess},
                )
            ),
        )
        .equals(
            alpha**4 * Abs(one_excess) + beta**4 * Abs(other_excess),
            because="fourth powers are not negative",
            by=using(
                apply(_scaled(), {one_weight: alpha**4}),
                apply(_scaled(), {one_weight: beta**4, one_excess: other_excess}),
            ),
        )
        .at_most(
            alpha**4 * top + beta**4 * top,
            because="neither is larger",
            by=using(
                apply(_bounded(), {one_weight: alpha**4}),
                apply(_bounded(), {one_weight: beta**4, one_excess: other_excess}),
            ),
        )
        .equals((1 - 2 * alpha**2 * beta**2) * top, because="the weights lie on a circle")
        .at_most(top, because="a square is left out")
        .qed()
    )


@proves("cor-ica-kurtosis")
def excess_is_largest_at_a_source() -> Theorem:
    r"""Derive that no mixture has a larger excess than the larger of its sources."""
    S, T = first_part, second_part
    mixture = E((alpha * S + beta * T) ** 4) - 3
    return (
        Derivation(
            "sources have the largest excess",
            given={
                **SOURCES,
                **ON_CIRCLE,
                "first": Le(Abs(E(S**4) - 3), top),
                "second": Le(Abs(E(T**4) - 3), top),
            },
            witness={**COINS, top: 2},
        )
        .start(Abs(mixture))
        .at_most(
            top,
            because="the excess of a mixture, with weights on a circle",
            by=using(
                mixtures_are_closer_to_gaussian(),
                apply(
                    weights_on_a_circle(),
                    {excess: mixture, one_excess: E(S**4) - 3, other_excess: E(T**4) - 3},
                ),
            ),
        )
        .qed()
    )


# ------------------------------------------------------------------ maximum entropy

value = real_family("s")
weights = real_family("p", positive=True)
sigma = reals("sigma", positive=True)
normaliser = quantity("Z", is_=Sum(exp(-(value[l] ** 2) / (2 * sigma**2)), (l, 1, N)))
bell = quantity("q", i, is_=exp(-(value[i] ** 2) / (2 * sigma**2)) / normaliser)
SAME = {
    "law": Eq(Sum(weights[i], (i, 1, N)), 1),
    "variance": Eq(
        Sum(weights[i] * value[i] ** 2, (i, 1, N)), Sum(bell(i) * value[i] ** 2, (i, 1, N))
    ),
}
EVEN_GRID = {N: 2, value: [-1, 1], weights: [half, half], sigma: 1}


@proves("lem-ica-bell-law")
def bell_is_a_law() -> Theorem:
    r"""Derive that the bell on the grid is a distribution."""
    return (
        Derivation("the bell is a distribution")
        .start(Sum(bell(i), (i, 1, N)))
        .equals(1, because="it is divided by its sum")
        .qed()
    )


@proves("lem-ica-bell-entropy")
def cross_entropy_of_the_bell() -> Theorem:
    r"""Derive the mean of the logarithm of the bell under any distribution."""
    return (
        Derivation("the logarithm of the bell", given={"law": SAME["law"]}, witness=EVEN_GRID)
        .start(Sum(weights[i] * log(bell(i)), (i, 1, N)))
        .equals(
            Sum(weights[i] * (-(value[i] ** 2) / (2 * sigma**2) - log(normaliser)), (i, 1, N)),
            because="the logarithm of a quotient",
        )
        .equals(
            -Sum(weights[i] * value[i] ** 2, (i, 1, N)) / (2 * sigma**2) - log(normaliser),
            because="the weights sum to one",
        )
        .qed()
    )


@proves("thm-gaussian-entropy")
def gaussian_has_most_entropy() -> Theorem:
    r"""Derive that no distribution with the same variance has more entropy than the bell."""
    return (
        Derivation("the largest entropy", given=SAME, witness=EVEN_GRID)
        .start(-Sum(weights[i] * log(weights[i]), (i, 1, N)))
        .at_most(
            -Sum(weights[i] * log(bell(i)), (i, 1, N)),
            because="Gibbs' inequality",
            by=using(
                bell_is_a_law(),
                apply(
                    library.gibbs(),
                    {
                        gibbs_size: N,
                        gibbs_first: Lambda(i, weights[i]),
                        gibbs_second: Lambda(i, bell(i)),
                    },
                ),
            ),
        )
        .equals(
            Sum(weights[i] * value[i] ** 2, (i, 1, N)) / (2 * sigma**2) + log(normaliser),
            because="the logarithm of the bell",
            by=using(cross_entropy_of_the_bell()),
        )
        .equals(
            Sum(bell(i) * value[i] ** 2, (i, 1, N)) / (2 * sigma**2) + log(normaliser),
            because="the same variance",
        )
        .equals(
            -Sum(bell(i) * log(bell(i)), (i, 1, N)),
            because="the logarithm of the bell, under the bell itself",
            by=using(
                bell_is_a_law(), apply(cross_entropy_of_the_bell(), {weights: Lambda(i, bell(i))})
            ),
        )
        .qed()
    )


# The same for densities: p and that of a Gaussian, q, at the points where p is positive.
z, spot = points("z"), reals("s")
root = reals("c", positive=True)
coordinate, density, gauss = (function(name, of="point") for name in ("s", "p", "q"))
SIZES = {
    "positive": for_all(z, Gt(density(z), 0)),
    "bell": for_all(z, Eq(gauss(z), exp(-(coordinate(z) ** 2) / (2 * sigma**2)) / (root * sigma))),
    "mass": Eq(Integral(density(z), z), 1),
    "variance": Eq(Integral(density(z) * coordinate(z) ** 2, z), sigma**2),
    "gauss": Le(Integral(gauss(z), z), 1),
    "p exists": integrable(density(z), z),
    "variance exists": integrable(density(z) * coordinate(z) ** 2, z),
    "q exists": integrable(gauss(z), z),
    "entropy exists": integrable(density(z) * log(density(z)), z),
}
# Two points, each with half of the mass.
SPOTS = {
    coordinate: [1, -1],
    density: [half, half],
    gauss: [exp(-half) / 2, exp(-half) / 2],
    sigma: 1,
    root: 2,
}


def _log_of_a_bell() -> Theorem:
    """Derive the logarithm of a Gaussian density at one place."""
    return (
        Derivation("the logarithm at one place")
        .start(log(exp(-(spot**2) / (2 * sigma**2)) / (root * sigma)))
        .equals(
            log(exp(-(spot**2) / (2 * sigma**2))) - log(root * sigma),
            because="the logarithm of a quotient",
        )
        .equals(
            -(spot**2) / (2 * sigma**2) - log(root * sigma),
            because="the logarithm undoes the exponential",
        )
        .qed()
    )


def _at_one_point() -> Theorem:
    """Derive what the entropy is compared with at one point."""
    p, q = reals("p q", positive=True)
    below = (
        Derivation("the tangent of the logarithm")
        .start(-p * log(p))
        .equals(p * log(q / p) - p * log(q), because="go through the Gaussian density")
        .at_most(p * (q / p - 1) - p * log(q), because=r"$\log u\le u-1$ for $u=q/p$")
        .equals(q - p - p * log(q), because="multiply out")
        .qed()
    )
    bell = exp(-(spot**2) / (2 * sigma**2)) / (root * sigma)
    return (
        Derivation("at one point")
        .start(-p * log(p))
        .at_most(bell - p - p * log(bell), because="the tangent", by=below(q=bell))
        .equals(
            p * (spot**2 / (2 * sigma**2) + log(root * sigma)) + bell - p,
            because="the logarithm of the Gaussian density",
            by=using(_log_of_a_bell()),
        )
        .qed()
    )


@proves("thm-gaussian-density")
def gaussian_density_has_most_entropy() -> Theorem:
    r"""Derive that no density with a given second moment has more entropy than the Gaussian."""
    entropy = density(z) * log(density(z))
    bound = density(z) * (coordinate(z) ** 2 / (2 * sigma**2) + log(root * sigma))
    return (
        Derivation("the largest entropy of a density", given=SIZES, witness=SPOTS)
        .start(-Integral(entropy, z))
        .equals(Integral(-entropy, z), because="an integral is linear")
        .at_most(
            Integral(bound + gauss(z) - density(z), z),
            because=r"$\log u\le u-1$ for $u=q/p$, at every point",
            by=termwise(
                z,
                by=using(
                    _at_one_point()(p=density(z), s=coordinate(z)),
                    SIZES["bell"].at(z),
                ),
            ),
        )
        .equals(
            Integral(density(z) * coordinate(z) ** 2, z) / (2 * sigma**2)
            + log(root * sigma) * Integral(density(z), z)
            + Integral(gauss(z), z)
            - Integral(density(z), z),
            because="an integral is linear",
        )
        .at_most(
            half + log(root * sigma),
            because="the second moment, the mass of $p$ and that of the Gaussian, at most one",
        )
        .qed()
    )


# ------------------------------------------------------------------ one unit of FastICA

direction, pull = vectors("theta u")
bent, price = reals("t mu")


@proves("thm-fastica-step")
def newton_step() -> Theorem:
    r"""Derive FastICA's step from Newton's, up to a factor."""
    return (
        Derivation(
            "the Newton step",
            given={"regular": Ne(bent - price, 0)},
            witness={direction: [1, 0], pull: [0, 1], bent: 2, price: 1},
        )
        .start((price - bent) * (direction - (pull - price * direction) / (bent - price)))
        .equals(
            (price - bent) * direction + (pull - price * direction),
            because="multiply out",
        )
        .equals(pull - bent * direction, because="the multiplier cancels")
        .qed()
    )


found = vector_family("theta")
ORTHONORMAL = {
    "orthonormal": for_each(
        k, 1, P, for_each(l, 1, P, Eq(dot(found[k], found[l]), KroneckerDelta(k, l)))
    )
}


@proves("lem-fastica-orthogonal")
def orthogonalised() -> Theorem:
    r"""Derive that what Gram and Schmidt leave is orthogonal to what was found."""
    left = pull - Sum(dot(pull, found[l]) * found[l], (l, 1, P))
    return (
        Derivation(
            "what is left is orthogonal",
            given={**ORTHONORMAL, "from one": Ge(k, 1), "to K": Le(k, P)},
            witness={P: 1, k: 1, found: [[1, 0]], pull: [2, 3]},
        )
        .start(dot(left, found[k]))
        .equals(
            dot(pull, found[k]) - Sum(dot(pull, found[l]) * dot(found[k], found[l]), (l, 1, P)),
            because="multiply out",
        )
        .equals(
            dot(pull, found[k]) - Sum(dot(pull, found[l]) * KroneckerDelta(k, l), (l, 1, P)),
            because="orthonormal",
            by=termwise(l),
        )
        .equals(0, because="one term is left")
        .qed()
    )


g = function("g")


@proves("lem-fastica-fixed")
def sources_are_fixed() -> Theorem:
    r"""Derive that the other sources add nothing to the pull towards a source."""
    return (
        Derivation(
            "a source pulls towards itself",
            given={
                "independent": independent(first_part, second_part),
                "centred": Eq(E(second_part), 0),
            },
            witness={
                first_part: [(-1, half), (1, half)],
                second_part: [(-1, half), (1, half)],
                g: lambda t: t,
                alpha: 1,
            },
        )
        .start(E((alpha * first_part + second_part) * g(first_part)))
        .equals(
            alpha * E(first_part * g(first_part)) + E(second_part) * E(g(first_part)),
            because="independent: the mean of a product is the product of the means",
        )
        .equals(alpha * E(first_part * g(first_part)), because="the others have mean zero")
        .qed()
    )


# ------------------------------------------------------------------ factors and noise

factors = random_matrices("tau", K, 1)
noise = random_matrices("epsilon", d, 1)
Psi = matrices("Psi", d, d)
FACTORS = {
    "white factors": Eq(E(factors * factors.T), identity(K)),
    "noise": Eq(E(noise * noise.T), Psi),
    "apart": Eq(E(factors * noise.T), zeros(K, d)),
    "apart too": Eq(E(noise * factors.T), zeros(d, K)),
}


@proves("lem-factor-covariance")
def covariance_of_factors_and_noise() -> Theorem:
    r"""Derive the covariance of a few factors and noise."""
    mixture = B * factors + noise
    return (
        Derivation(
            "factors and noise",
            given=FACTORS,
            witness={
                **{d: 1, K: 1, B: [[2]], Psi: [[1]]},
                factors: [([[1]], half), ([[-1]], half)],
                noise: [([[1]], half), ([[-1]], half)],
            },
        )
        .start(E(mixture * mixture.T))
        .equals(
            B * E(factors * factors.T) * B.T
            + B * E(factors * noise.T)
            + E(noise * factors.T) * B.T
            + E(noise * noise.T),
            because="multiply out",
        )
        .equals(B * B.T + Psi, because="white factors, apart from the noise")
        .qed()
    )
