"""Clustering: why k-means descends and stops, what a start costs, and what mergers preserve.

Point i is ``x[i]``; ``r[i, k]`` is one if it belongs to cluster k and zero otherwise. Cluster k has
``N[k]`` points, their mean is ``m[k]``, and its centre ``c[k]`` may stand anywhere. The mean is
given by ``N[k] * m[k]``: where a cluster is empty, every vector will do. All this is the setting
``clusters``. What is proved of distances of any kind is proved of ``delta[i, k]``.
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
    Min,
    Rational,
    Setting,
    Sum,
    Theorem,
    apply,
    cases,
    dot,
    for_each,
    indices,
    induction,
    integer_family,
    integers,
    norm,
    norm2,
    prove,
    quantity,
    real_family,
    reals,
    termwise,
    using,
    vector_family,
    vectors,
)
from mlnotes.theorems import proves

n, K, T, M = integers("n K T M", positive=True)
i, j, k, l, s, t = indices("i j k l s t")  # noqa: E741
x, c, m = vector_family("x c m")
r, N, delta = real_family("r N delta")
nearest = integer_family("b")
half = Rational(1, 2)

# ------------------------------------------------------------------ one cluster

# The mean of all points, and any other place for a centre.
mean, centre, z = vectors("m c z")
MEAN = {"mean": Eq(mean, Sum(x[i], (i, 1, n)) / n)}
THREE = {n: 3, x: [[0, 0], [2, 0], [4, 3]], mean: [2, 1], centre: [0, 0]}


def squares(place: Any) -> Any:
    """Return the sum of the squared distances of all points from a place."""
    return Sum(norm2(x[i] - place), (i, 1, n))


@proves("lem-cluster-squares")
def squares_about_a_place() -> Theorem:
    r"""Derive how the sum of squares about a place depends on the place."""
    return (
        Derivation("squares about a place", given=MEAN, witness=THREE)
        .start(squares(centre))
        .equals(
            squares(mean)
            + 2 * dot(Sum(x[i], (i, 1, n)) - n * mean, mean - centre)
            + n * norm2(mean - centre),
            because="go from $x_i$ to $c$ through $m$ and expand",
        )
        .equals(squares(mean) + n * norm2(mean - centre), because="$m$ is the mean")
        .qed()
    )


# ------------------------------------------------------------------ a clustering

CLUSTERS = {
    "memberships": for_each(i, 1, n, for_each(k, 1, K, Ge(r[i, k], 0))),
    "one cluster": for_each(i, 1, n, Eq(Sum(r[i, k], (k, 1, K)), 1)),
    "sizes": for_each(k, 1, K, Eq(Sum(r[i, k], (i, 1, n)), N[k])),
    "means": for_each(k, 1, K, Eq(Sum(r[i, k] * x[i], (i, 1, n)), N[k] * m[k])),
}
# 0 and 2 in the first cluster, 9 in the second.
MEMBERS = {(1, 1): 1, (1, 2): 0, (2, 1): 1, (2, 2): 0, (3, 1): 0, (3, 2): 1}
PAIR_AND_ONE = {n: 3, K: 2, x: [[0], [2], [9]], r: MEMBERS, N: [2, 1], m: [[1], [9]]}
clusters = Setting("clusters", given=CLUSTERS, witness=PAIR_AND_ONE)
ELSEWHERE = {c: [[0], [8]]}


def cost(centres: Any) -> Any:
    """Return the cost of a clustering with these centres."""
    return Sum(Sum(r[i, k] * norm2(x[i] - centres[k]), (i, 1, n)), (k, 1, K))


def _one_cluster() -> Theorem:
    """Derive how the cost of one cluster depends on its centre."""
    return (
        Derivation(
            "one cluster",
            setting=clusters,
            given={"first": Ge(k, 1), "last": Le(k, K)},
            witness={**ELSEWHERE, k: 1},
        )
        .start(Sum(r[i, k] * norm2(x[i] - c[k]), (i, 1, n)))
        .equals(
            Sum(r[i, k] * norm2(x[i] - m[k]), (i, 1, n))
            + 2 * dot(Sum(r[i, k] * x[i], (i, 1, n)) - Sum(r[i, k], (i, 1, n)) * m[k], m[k] - c[k])
            + Sum(r[i, k], (i, 1, n)) * norm2(m[k] - c[k]),
            because="through the mean",
        )
        .equals(
            Sum(r[i, k] * norm2(x[i] - m[k]), (i, 1, n)) + N[k] * norm2(m[k] - c[k]),
            because="size and mean",
        )
        .qed()
    )


def _all_clusters() -> Theorem:
    """Derive how the cost of all clusters depends on their centres, one cluster after the other."""
    return (
        Derivation("all clusters", setting=clusters, witness=ELSEWHERE)
        .start(cost(c))
        .equals(
            Sum(
                Sum(r[i, k] * norm2(x[i] - m[k]), (i, 1, n)) + N[k] * norm2(m[k] - c[k]), (k, 1, K)
            ),
            because="one by one",
            by=termwise(k, by=using(apply(_one_cluster(), {k: k}))),
        )
        .qed()
    )


@proves("lem-kmeans-centres")
def cost_of_centres() -> Theorem:
    r"""Derive by how much the cost is greater with other centres than with the means."""
    return (
        Derivation("centres beside the means", setting=clusters, witness=ELSEWHERE)
        .start(cost(c))
        .equals(
            cost(m) + Sum(N[k] * norm2(m[k] - c[k]), (k, 1, K)),
            because="the sum of squares about a place, in every cluster",
            by=using(_all_clusters()),
        )
        .qed()
    )


def _size_not_negative() -> Theorem:
    """Derive that no cluster has a negative number of points."""
    return (
        Derivation(
            "sizes", setting=clusters, given={"first": Ge(k, 1), "last": Le(k, K)}, witness={k: 1}
        )
        .start(N[k])
        .equals(Sum(r[i, k], (i, 1, n)), because="the size")
        .at_least(0, because="memberships are not negative", by=termwise(i))
        .qed()
    )


def _moves_not_negative() -> Theorem:
    """Derive that the weighted squares of the moves are not negative."""
    return (
        Derivation("moves", setting=clusters, witness=ELSEWHERE)
        .start(Sum(N[k] * norm2(m[k] - c[k]), (k, 1, K)))
        .at_least(
            0,
            because="sizes are not negative",
            by=termwise(k, by=using(apply(_size_not_negative(), {k: k}))),
        )
        .qed()
    )


@proves("thm-kmeans-mean-step")
def mean_step() -> Theorem:
    r"""Derive that for given clusters no centres are better than the means."""
    return (
        Derivation("the means are the best centres", setting=clusters, witness=ELSEWHERE)
        .start(cost(c))
        .equals(
            cost(m) + Sum(N[k] * norm2(m[k] - c[k]), (k, 1, K)),
            because="the sum of squares about a place, in every cluster",
            by=using(cost_of_centres()),
        )
        .at_least(cost(m), because="squares are not negative", by=using(_moves_not_negative()))
        .qed()
    )


NEAREST = {
    "b from one": for_each(i, 1, n, Ge(nearest[i], 1)),
    "b to K": for_each(i, 1, n, Le(nearest[i], K)),
    "nearest": for_each(i, 1, n, for_each(k, 1, K, Le(delta[i, nearest[i]], delta[i, k]))),
}
ANY_ASSIGNMENT = {name: CLUSTERS[name] for name in ("memberships", "one cluster")}
DISTANCES = {(1, 1): 1, (1, 2): 5, (2, 1): 3, (2, 2): 2}
TWO_POINTS = {
    n: 2,
    K: 2,
    delta: DISTANCES,
    nearest: [1, 2],
    r: {(1, 1): 0, (1, 2): 1, (2, 1): half, (2, 2): half},
}


def _one_point() -> Theorem:
    """Derive that no memberships of one point cost less than its nearest centre."""
    return (
        Derivation(
            "one point",
            given={**NEAREST, **ANY_ASSIGNMENT, "first": Ge(i, 1), "last": Le(i, n)},
            witness={**TWO_POINTS, i: 1},
        )
        .start(delta[i, nearest[i]])
        .equals(
            Sum(r[i, k] * delta[i, nearest[i]], (k, 1, K)), because="the memberships sum to one"
        )
        .at_most(
            Sum(r[i, k] * delta[i, k], (k, 1, K)), because="no centre is nearer", by=termwise(k)
        )
        .qed()
    )


@proves("thm-kmeans-assignment-step")
def assignment_step() -> Theorem:
    r"""Derive that for given centres no assignment costs less than that to the nearest."""
    return (
        Derivation(
            "the nearest centre is the best",
            given={**NEAREST, **ANY_ASSIGNMENT},
            witness=TWO_POINTS,
        )
        .start(Sum(delta[i, nearest[i]], (i, 1, n)))
        .at_most(
            Sum(Sum(r[i, k] * delta[i, k], (k, 1, K)), (i, 1, n)),
            because="each point by itself: a mean of numbers is at least the least of them",
            by=termwise(i, by=using(apply(_one_point(), {i: i}))),
        )
        .qed()
    )


NEW = {
    "b from one": NEAREST["b from one"],
    "b to K": NEAREST["b to K"],
    "nearest": for_each(
        i, 1, n, for_each(k, 1, K, Le(norm2(x[i] - m[nearest[i]]), norm2(x[i] - m[k])))
    ),
}
ROUND = {**ELSEWHERE, nearest: [1, 1, 2]}


@proves("thm-kmeans-descent")
def descent() -> Theorem:
    r"""Derive by how much a round of k-means lowers the cost at least."""
    return (
        Derivation("a round of k-means", setting=clusters, given=NEW, witness=ROUND)
        .start(Sum(norm2(x[i] - m[nearest[i]]), (i, 1, n)))
        .at_most(
            Sum(Sum(r[i, k] * norm2(x[i] - m[k]), (k, 1, K)), (i, 1, n)),
            because="the nearest mean is the best",
            by=apply(
                assignment_step(),
                {delta: Lambda((i, k), norm2(x[i] - m[k]))},
            ),
        )
        .equals(cost(m), because="sum over the points first")
        .equals(
            cost(c) - Sum(N[k] * norm2(m[k] - c[k]), (k, 1, K)),
            because="the means are the best centres",
            by=using(cost_of_centres()),
        )
        .qed()
    )


# ------------------------------------------------------------------ the end

# J[t] is the cost at the end of round t, Q[t, j] is one if it ends with assignment j, whose cost is
# F[j]; there are M assignments.
J, Q, F = real_family("J Q F")
rounds = integers("a", positive=True)
RUN = {
    "falling": for_each(t, 2, T, Lt(J[t], J[t - 1])),
    "zero or one": for_each(t, 1, T, for_each(j, 1, M, Eq(Q[t, j] ** 2, Q[t, j]))),
    "one assignment": for_each(t, 1, T, Eq(Sum(Q[t, j], (j, 1, M)), 1)),
    "cost": for_each(t, 1, T, for_each(j, 1, M, Eq(Q[t, j] * J[t], Q[t, j] * F[j]))),
}
TWO_ROUNDS = {
    T: 2,
    M: 2,
    J: [3, 1],
    F: [3, 1],
    Q: {(1, 1): 1, (1, 2): 0, (2, 1): 0, (2, 2): 1},
}
run = Setting("falling run", given=RUN, witness=TWO_ROUNDS)


@proves("lem-kmeans-falling")
def falling() -> Theorem:
    r"""Derive that after rounds that each lower the cost it is lower than before all of them."""
    return prove(
        "costs that fall",
        Lt(J[s + rounds], J[s]),
        "each round lowers the cost",
        setting=run,
        given={"first": Ge(s, 1), "last": Le(s + rounds, T)},
        witness={s: 1, rounds: 1},
        by=induction(None, rounds, start=1),
    )


def _never_both() -> Theorem:
    """Derive that of two numbers one is zero if each goes with its own value."""
    first, second, high, low, value = reals("p q u w z")
    return (
        Derivation(
            "never both",
            given=[
                Eq(first * high, first * value),
                Eq(second * low, second * value),
                Lt(low, high),
            ],
            witness={first: 1, second: 0, high: 2, low: 1, value: 2},
        )
        .start(first * second)
        .equals((second * (first * high) - first * (second * low)) / (high - low), because="cancel")
        .equals(
            (second * (first * value) - first * (second * value)) / (high - low),
            because="each goes with its value",
        )
        .equals(0, because="cancel")
        .qed()
    )


@proves("lem-kmeans-no-return")
def no_return() -> Theorem:
    r"""Derive that no assignment ends two rounds."""
    given = {
        "round": Ge(s, 1),
        "later": Lt(s, t),
        "end": Le(t, T),
        "from": Ge(j, 1),
        "to": Le(j, M),
    }
    return (
        Derivation("no return", setting=run, given=given, witness={s: 1, t: 2, j: 1})
        .start(Q[s, j] * Q[t, j])
        .equals(
            0,
            because="an assignment has one cost, and the later round ends with a smaller one",
            by=using(apply(falling(), {s: s, rounds: t - s}), _never_both_at()),
        )
        .qed()
    )


def _never_both_at() -> Any:
    high, low, first, second, value = reals("u w p q z")
    return apply(
        _never_both(), {first: Q[s, j], second: Q[t, j], high: J[s], low: J[t], value: F[j]}
    )


def _visits() -> Theorem:
    """Derive that an assignment ends at most one round."""
    given = {"first": Ge(j, 1), "last": Le(j, M)}
    one_term = {**given, "s1": Ge(s, 1), "sT": Le(s, T), "t1": Ge(t, 1), "tT": Le(t, T)}
    product = (
        Derivation("two rounds", setting=run, given=one_term, witness={j: 1, s: 1, t: 1})
        .start(Q[s, j] * Q[t, j])
        .equals(
            KroneckerDelta(s, t) * Q[t, j],
            because="no return",
            by=cases(
                (Lt(s, t), using(apply(no_return(), {s: s, t: t}))),
                (Lt(t, s), using(apply(no_return(), {s: t, t: s}))),
                (Le(s, t), using(Eq(s, t))),
            ),
        )
        .qed()
    )
    square = (
        Derivation("a square", setting=run, given=given, witness={j: 1})
        .start(Sum(Q[t, j], (t, 1, T)) ** 2)
        .equals(Sum(Sum(Q[s, j] * Q[t, j], (s, 1, T)), (t, 1, T)), because="expand")
        .equals(
            Sum(Sum(KroneckerDelta(s, t) * Q[t, j], (s, 1, T)), (t, 1, T)),
            because="no return",
            by=termwise(t, by=termwise(s, by=using(apply(product, {s: s, t: t})))),
        )
        .equals(Sum(Q[t, j], (t, 1, T)), because="one term")
        .qed()
    )
    return (
        Derivation("visits", setting=run, given=given, witness={j: 1})
        .start(Sum(Q[t, j], (t, 1, T)))
        .at_most(1, because="a number that is its own square", by=using(square))
        .qed()
    )


@proves("thm-kmeans-stops")
def stops() -> Theorem:
    r"""Derive that there are no more rounds that lower the cost than assignments."""
    return (
        Derivation("rounds and assignments", setting=run)
        .start(T)
        .equals(
            Sum(Sum(Q[t, j], (j, 1, M)), (t, 1, T)), because="every round ends with one assignment"
        )
        .equals(Sum(Sum(Q[t, j], (t, 1, T)), (j, 1, M)), because="count by assignments")
        .at_most(
            Sum(1, (j, 1, M)),
            because="no assignment comes twice",
            by=termwise(j, by=using(apply(_visits(), {j: j}))),
        )
        .equals(M, because="count")
        .qed()
    )


@proves("lem-kmeans-running-mean")
def running_mean() -> Theorem:
    r"""Derive how a mean moves when one more point comes."""
    return (
        Derivation("one more point", given=MEAN, witness={**THREE, z: [2, 5]})
        .start((Sum(x[i], (i, 1, n)) + z) / (n + 1))
        .equals((n * mean + z) / (n + 1), because="$m$ is the mean of the others")
        .equals(mean + 1 / (n + 1) * (z - mean), because="collect")
        .qed()
    )


# ------------------------------------------------------------------ where it ends

u, v = vectors("u v")
RECTANGLE = {"right angle": Eq(dot(u, v), 0)}
FLAT = {u: [2, 0], v: [0, half]}


# The costs of the four corners with the centres v and -v, and with the centres u and -u.
COST_V = quantity(
    "J_v",
    is_=norm2((u + v) - v) + norm2((-u + v) - v) + norm2((u - v) + v) + norm2((-u - v) + v),
)
COST_U = quantity(
    "J_u",
    is_=norm2((u + v) - u) + norm2((u - v) - u) + norm2((-u + v) + u) + norm2((-u - v) + u),
)


@proves("lem-kmeans-rectangle-stays")
def rectangle_stays() -> Theorem:
    r"""Derive that the corners of a rectangle stay with the middles of two opposite sides."""
    return (
        Derivation(
            "a corner stays",
            given={**RECTANGLE, "apart": Gt(norm2(v), 0)},
            witness=FLAT,
        )
        .start(norm2((u + v) - v))
        .equals(norm2((u + v) + v) - 4 * norm2(v), because="expand; the cross terms vanish")
        .less_than(norm2((u + v) + v), because="$v$ is not zero")
        .qed()
    )


@proves("thm-kmeans-rectangle")
def rectangle() -> Theorem:
    r"""Derive the costs of the two clusterings of a rectangle."""
    return (
        Derivation(
            "two ways to halve a rectangle",
            given={"apart": Gt(norm2(v), 0)},
            witness=FLAT,
        )
        .start(COST_V / COST_U)
        .equals(4 * norm2(u) / (4 * norm2(v)), because="each corner is half a side away")
        .equals(norm2(u) / norm2(v), because="cancel")
        .qed()
    )


moved, other, mean_b, mean_k = vectors("c_b c_k m_b m_k")
point = vectors("x")
epsilon = reals("epsilon", positive=True)


def _triangle() -> Theorem:
    """Derive that a detour is not shorter."""
    return (
        Derivation("the triangle inequality")
        .start(norm(u - z))
        .equals(norm((u - v) + (v - z)), because="through $v$")
        .at_most(norm(u - v) + norm(v - z), because="the triangle inequality")
        .qed()
    )


@proves("lem-kmeans-no-change")
def no_change() -> Theorem:
    r"""Derive that a point which is clearly nearest to one mean stays with it after small moves."""
    return (
        Derivation(
            "small moves change no assignment",
            given={
                "clear": Le(norm(point - mean_b) + 2 * epsilon, norm(point - mean_k)),
                "own": Le(norm(moved - mean_b), epsilon),
                "other": Le(norm(other - mean_k), epsilon),
            },
            witness={
                point: [0],
                mean_b: [1],
                mean_k: [4],
                moved: [1],
                other: [4],
                epsilon: 1,
            },
        )
        .start(norm(point - moved))
        .at_most(
            norm(point - mean_b) + norm(moved - mean_b),
            because="the triangle inequality",
        )
        .at_most(norm(point - mean_k) - epsilon, because="the gap, and the first move")
        .at_most(
            norm(point - other) + norm(other - mean_k) - epsilon,
            because="the triangle inequality",
            by=using(apply(_triangle(), {u: point, v: other, z: mean_k})),
        )
        .at_most(norm(point - other), because="the second move")
        .qed()
    )


# ------------------------------------------------------------------ within, between, pairs


@proves("thm-cluster-within-between")
def within_between() -> Theorem:
    r"""Derive that the squares within and between the clusters add up to the total."""
    return (
        Derivation("within and between", setting=clusters, witness={z: [4]})
        .start(squares(z))
        .equals(
            Sum(Sum(r[i, k] * norm2(x[i] - z), (k, 1, K)), (i, 1, n)),
            because="every point is in one cluster",
            by=termwise(i, by=using(apply(_once(), {i: i}))),
        )
        .equals(
            Sum(Sum(r[i, k] * norm2(x[i] - z), (i, 1, n)), (k, 1, K)),
            because="sum over the points first",
        )
        .equals(
            cost(m) + Sum(N[k] * norm2(m[k] - z), (k, 1, K)),
            because="the sum of squares about a place, in every cluster",
            by=apply(cost_of_centres(), {c: Lambda(k, z)}),
        )
        .qed()
    )


def _once() -> Theorem:
    """Derive that a point counts once, however it is shared."""
    return (
        Derivation(
            "a point counts once",
            setting=clusters,
            given={"first": Ge(i, 1), "last": Le(i, n)},
            witness={z: [4], i: 1},
        )
        .start(norm2(x[i] - z))
        .equals(Sum(r[i, k] * norm2(x[i] - z), (k, 1, K)), because="one cluster")
        .qed()
    )


def pairs() -> Any:
    """Return the sum of the squared distances of all ordered pairs."""
    return Sum(Sum(norm2(x[i] - x[j]), (i, 1, n)), (j, 1, n))


@proves("thm-cluster-pairs")
def pairwise() -> Theorem:
    r"""Derive that the squares of all pairs are those about the mean, many times."""
    return (
        Derivation("pairs and the mean", given=MEAN, witness={n: 2, x: [[0], [2]], mean: [1]})
        .start(pairs())
        .equals(
            Sum(squares(mean) + n * norm2(mean - x[j]), (j, 1, n)),
            because="the sum of squares about each of the points",
            by=termwise(j, by=using(apply(squares_about_a_place(), {centre: x[j]}))),
        )
        .equals(2 * n * squares(mean), because="the same sum twice")
        .qed()
    )


def _pairs_of_one() -> Theorem:
    """Derive the squares of the pairs of one cluster."""
    return (
        Derivation(
            "pairs of one cluster",
            setting=clusters,
            given={"first": Ge(k, 1), "last": Le(k, K)},
            witness={k: 1},
        )
        .start(Sum(Sum(r[i, k] * r[j, k] * norm2(x[i] - x[j]), (i, 1, n)), (j, 1, n)))
        .equals(
            Sum(
                r[j, k]
                * (
                    Sum(r[i, k] * norm2(x[i] - m[k]), (i, 1, n))
                    + 2
                    * dot(
                        Sum(r[i, k] * x[i], (i, 1, n)) - Sum(r[i, k], (i, 1, n)) * m[k],
                        m[k] - x[j],
                    )
                    + Sum(r[i, k], (i, 1, n)) * norm2(m[k] - x[j])
                ),
                (j, 1, n),
            ),
            because="through the mean",
        )
        .equals(
            Sum(
                r[j, k]
                * (
                    Sum(r[i, k] * norm2(x[i] - m[k]), (i, 1, n))
                    + Sum(r[i, k], (i, 1, n)) * norm2(m[k] - x[j])
                ),
                (j, 1, n),
            ),
            because="the mean",
        )
        .equals(
            2 * Sum(r[i, k], (i, 1, n)) * Sum(r[i, k] * norm2(x[i] - m[k]), (i, 1, n)),
            because="the same sum twice",
        )
        .equals(2 * N[k] * Sum(r[i, k] * norm2(x[i] - m[k]), (i, 1, n)), because="the size")
        .qed()
    )


@proves("thm-cluster-pairs-within")
def pairs_within() -> Theorem:
    r"""Derive that pairs within clusters weigh the squares of a cluster by its size."""
    return (
        Derivation("pairs within clusters", setting=clusters)
        .start(
            half
            * Sum(Sum(Sum(r[i, k] * r[j, k] * norm2(x[i] - x[j]), (i, 1, n)), (j, 1, n)), (k, 1, K))
        )
        .equals(
            half * Sum(2 * N[k] * Sum(r[i, k] * norm2(x[i] - m[k]), (i, 1, n)), (k, 1, K)),
            because="pairs and the mean, in every cluster",
            by=using(_pairs_of_all()),
        )
        .equals(
            Sum(N[k] * Sum(r[i, k] * norm2(x[i] - m[k]), (i, 1, n)), (k, 1, K)),
            because="cancel",
        )
        .qed()
    )


def _pairs_of_all() -> Theorem:
    return (
        Derivation("pairs of all clusters", setting=clusters)
        .start(
            Sum(Sum(Sum(r[i, k] * r[j, k] * norm2(x[i] - x[j]), (i, 1, n)), (j, 1, n)), (k, 1, K))
        )
        .equals(
            Sum(2 * N[k] * Sum(r[i, k] * norm2(x[i] - m[k]), (i, 1, n)), (k, 1, K)),
            because="one by one",
            by=termwise(k, by=using(apply(_pairs_of_one(), {k: k}))),
        )
        .qed()
    )


@proves("thm-cluster-pair-split")
def pair_split() -> Theorem:
    r"""Derive that distances of any kind split into those within clusters and those between."""
    apart = Sum(Sum((1 - Sum(r[i, k] * r[j, k], (k, 1, K))) * delta[i, j], (i, 1, n)), (j, 1, n))
    return (
        Derivation("pairs within and between")
        .start(half * Sum(Sum(delta[i, j], (i, 1, n)), (j, 1, n)))
        .equals(
            half * Sum(Sum(Sum(r[i, k] * r[j, k] * delta[i, j], (i, 1, n)), (j, 1, n)), (k, 1, K))
            + half * apart,
            because="a pair is in one cluster, or it is not",
        )
        .qed()
    )


@proves("thm-cluster-medoid")
def medoid_at_most_twice() -> Theorem:
    r"""Derive that the best of the points costs at most twice what the mean costs."""
    return (
        Derivation(
            "the best point",
            given={
                **MEAN,
                "first": Ge(l, 1),
                "last": Le(l, n),
                "best": for_each(j, 1, n, Le(squares(x[l]), squares(x[j]))),
            },
            witness={n: 2, x: [[0], [2]], mean: [1], l: 1},
        )
        .start(squares(x[l]))
        .equals(Sum(squares(x[l]), (j, 1, n)) / n, because="a mean of equal numbers")
        .at_most(Sum(squares(x[j]), (j, 1, n)) / n, because="no point is better", by=termwise(j))
        .equals(2 * squares(mean), because="pairs and the mean", by=using(pairwise()))
        .qed()
    )


# ------------------------------------------------------------------ starts

total, reach, chance, kept = reals("S R p q")


@proves("lem-kmeanspp-two-steps")
def two_steps() -> Theorem:
    r"""Derive that a way through another point at most doubles the squares of its two parts."""
    return (
        Derivation("two steps")
        .start(norm2(u - z))
        .equals(
            2 * norm2(v - z) + 2 * norm2(v - u) - norm2((v - z) + (v - u)),
            because="the law of the parallelogram",
        )
        .at_most(2 * norm2(v - z) + 2 * norm2(v - u), because="a square is not negative")
        .qed()
    )


def _one_draw() -> Theorem:
    """Derive the bound for one point that may be drawn, from the numbers that matter."""
    return (
        Derivation(
            "one draw",
            given={
                "drawn": Le(n * chance, 2 * total + 2 * reach),
                "kept": Ge(kept, 0),
                "at most before": Le(kept, total),
                "at most new": Le(kept, reach),
            },
            witness={n: 1, chance: 1, total: 1, reach: 1, kept: 1},
        )
        .start(n * chance * kept)
        .at_most((2 * total + 2 * reach) * kept, because="the chance")
        .equals(2 * total * kept + 2 * reach * kept, because="expand")
        .at_most(2 * total * reach + 2 * reach * total, because="both bounds")
        .equals(4 * total * reach, because="collect")
        .qed()
    )


@proves("thm-kmeanspp-uniform")
def uniform_start() -> Theorem:
    r"""Derive the mean cost of a cluster whose centre is drawn uniformly from its points."""
    return (
        Derivation("a point as centre", given=MEAN, witness={n: 2, x: [[0], [2]], mean: [1]})
        .start(Sum(squares(x[j]), (j, 1, n)) / n)
        .equals(2 * squares(mean), because="pairs and the mean", by=using(pairwise()))
        .qed()
    )


# Points of a cluster, and the squared distances w[i] from the nearest of the centres so far.
CHOSEN = {
    "b from one": NEAREST["b from one"],
    "b to K": NEAREST["b to K"],
    "nearest": for_each(
        i, 1, n, for_each(k, 1, K, Le(norm2(x[i] - c[nearest[i]]), norm2(x[i] - c[k])))
    ),
    "not done": Gt(Sum(norm2(x[i] - c[nearest[i]]), (i, 1, n)), 0),
}
ONE_CHOSEN = {n: 2, K: 1, x: [[0], [2]], mean: [1], c: [[3]], nearest: [1, 1]}
seeding = Setting("seeding", given={**CHOSEN, **MEAN}, witness=ONE_CHOSEN)
left = quantity("w", i, is_=norm2(x[i] - c[nearest[i]]))
WHOLE = Sum(left(i), (i, 1, n))
THIS = {"first": Ge(j, 1), "last": Le(j, n)}


def after(j: Any) -> Any:
    """Return what a cluster costs if point j becomes a centre as well."""
    return Sum(Min(left(i), norm2(x[i] - x[j])), (i, 1, n))


def _through_another() -> Theorem:
    """Derive that the way to a centre through another point is at most doubled in squares."""
    return (
        Derivation(
            "through another point",
            setting=seeding,
            given={**THIS, "from": Ge(i, 1), "to": Le(i, n)},
            witness={i: 1, j: 1},
        )
        .start(left(j))
        .at_most(
            norm2(x[j] - c[nearest[i]]),
            because="no centre is nearer to $x_j$",
            by=CHOSEN["nearest"].at(j, nearest[i]),
        )
        .at_most(
            2 * left(i) + 2 * norm2(x[i] - x[j]),
            because="through $x_i$",
            by=using(apply(two_steps(), {u: x[j], v: x[i], z: c[nearest[i]]})),
        )
        .qed()
    )


def _drawn_at() -> Theorem:
    """Derive the bound for the point with number j."""

    def fact(title: str) -> Derivation:
        return Derivation(title, setting=seeding, given=THIS, witness={j: 1})

    drawn = (
        fact("its chance")
        .start(n * left(j))
        .equals(Sum(left(j), (i, 1, n)), because="count")
        .at_most(
            Sum(2 * left(i) + 2 * norm2(x[i] - x[j]), (i, 1, n)),
            because="two steps",
            by=termwise(i, by=using(apply(_through_another(), {i: i}))),
        )
        .equals(2 * WHOLE + 2 * squares(x[j]), because="two sums")
        .qed()
    )
    before = (
        fact("at most before")
        .start(after(j))
        .at_most(WHOLE, because="the lesser", by=termwise(i))
        .qed()
    )
    new = (
        fact("at most new")
        .start(after(j))
        .at_most(squares(x[j]), because="the lesser", by=termwise(i))
        .qed()
    )
    positive = (
        fact("not negative")
        .start(after(j))
        .at_least(0, because="both are not negative", by=termwise(i))
        .qed()
    )
    values = {chance: left(j), kept: after(j), total: WHOLE, reach: squares(x[j])}
    return (
        fact("one draw")
        .start(n * left(j) * after(j))
        .at_most(
            4 * WHOLE * squares(x[j]),
            because="one draw",
            by=using(drawn, before, new, positive, apply(_one_draw(), values)),
        )
        .qed()
    )


def _all_draws() -> Theorem:
    """Derive the sum of the bounds of all draws."""
    return (
        Derivation("all draws", setting=seeding)
        .start(Sum(n * left(j) * after(j), (j, 1, n)))
        .at_most(
            Sum(4 * WHOLE * squares(x[j]), (j, 1, n)),
            because="each of them",
            by=termwise(j, by=using(apply(_drawn_at(), {j: j}))),
        )
        .qed()
    )


@proves("thm-kmeanspp-one-step")
def one_step() -> Theorem:
    r"""Derive the expected cost of a cluster after a centre is drawn in it by squared distance."""
    return (
        Derivation("a draw by squared distance", setting=seeding)
        .start(Sum(left(j) / WHOLE * after(j), (j, 1, n)))
        .equals(Sum(n * left(j) * after(j), (j, 1, n)) / (n * WHOLE), because="common factors")
        .at_most(
            Sum(4 * WHOLE * squares(x[j]), (j, 1, n)) / (n * WHOLE),
            because="each term is at most four times the two sums",
            by=using(_all_draws()),
        )
        .equals(4 * pairs() / n, because="cancel")
        .equals(8 * squares(mean), because="pairs and the mean", by=using(pairwise()))
        .qed()
    )


radius = reals("R")


@proves("lem-furthest-first")
def furthest_first() -> Theorem:
    r"""Derive that of two points far apart one is far from every centre that they share."""
    return (
        Derivation(
            "two far points with one centre",
            given={"apart": Ge(norm(u - v), radius)},
            witness={u: [0], v: [2], z: [1], radius: 2},
        )
        .start(radius)
        .at_most(norm(u - v), because="they are far apart")
        .at_most(norm(u - z) + norm(v - z), because="the triangle inequality")
        .at_most(2 * Max(norm(u - z), norm(v - z)), because="the greater, twice")
        .qed()
    )


# ------------------------------------------------------------------ mergers

# Clusters A, B and C with the means u, v and z; C is at the distance delta_A from A and delta_B
# from B, and A is at the distance delta from B.
size_a, size_b, size_c = reals("N_A N_B N_C", positive=True)
to_a, to_b, between = reals("delta_A delta_B delta")
A, B, C = integers("A B C", positive=True)
alpha, beta = real_family("alpha beta")
PAIR = {to_a: 3, to_b: 5, between: 2, size_a: 1, size_b: 2, size_c: 1}


@proves("lem-linkage-single")
def single() -> Theorem:
    r"""Derive the lesser of two numbers without a minimum."""
    return prove(
        "the lesser",
        Eq(Min(to_a, to_b), (to_a + to_b - Abs(to_a - to_b)) / 2),
        "half the sum less half the difference",
        by=cases(Le(to_a, to_b), Ge(to_a, to_b)),
    )


@proves("lem-linkage-complete")
def complete() -> Theorem:
    r"""Derive the greater of two numbers without a maximum."""
    return prove(
        "the greater",
        Eq(Max(to_a, to_b), (to_a + to_b + Abs(to_a - to_b)) / 2),
        "half the sum and half the difference",
        by=cases(Le(to_a, to_b), Ge(to_a, to_b)),
    )


ALL_A = Sum(Sum(alpha[i, l], (i, 1, A)), (l, 1, C))
ALL_B = Sum(Sum(beta[j, l], (j, 1, B)), (l, 1, C))
MEAN_A = quantity("delta_A", is_=ALL_A / (A * C))
MEAN_B = quantity("delta_B", is_=ALL_B / (B * C))


@proves("lem-linkage-average")
def average() -> Theorem:
    r"""Derive the mean distance of a union from those of its parts."""
    return (
        Derivation("the mean over a union")
        .start((ALL_A + ALL_B) / ((A + B) * C))
        .equals((A * MEAN_A + B * MEAN_B) / (A + B), because="the sums over the two parts")
        .qed()
    )


BOTH = (size_a * u + size_b * v) / (size_a + size_b)


@proves("lem-linkage-centroid")
def centroid() -> Theorem:
    r"""Derive the squared distance of the mean of a union."""
    whole = size_a + size_b
    return (
        Derivation("the mean of a union")
        .start(norm2(BOTH - z))
        .equals(
            size_a / whole * norm2(u - z)
            + size_b / whole * norm2(v - z)
            - size_a * size_b / whole**2 * norm2(u - v),
            because="the square of a weighted mean of $u-z$ and $v-z$",
        )
        .qed()
    )


# Ward's distances: twice what the merger of two clusters adds to the sum of squares.
WARD_A = quantity("W_A", is_=2 * size_a * size_c / (size_a + size_c) * norm2(u - z))
WARD_B = quantity("W_B", is_=2 * size_b * size_c / (size_b + size_c) * norm2(v - z))
WARD = quantity("W", is_=2 * size_a * size_b / (size_a + size_b) * norm2(u - v))
WARD_UNION = quantity(
    "W_U",
    is_=2 * (size_a + size_b) * size_c / (size_a + size_b + size_c) * norm2(BOTH - z),
)


@proves("lem-linkage-ward")
def ward() -> Theorem:
    r"""Derive Ward's distance of a union from those of its parts."""
    whole = size_a + size_b + size_c
    return (
        Derivation("Ward's distance of a union")
        .start(WARD_UNION)
        .equals(
            ((size_a + size_c) * WARD_A + (size_b + size_c) * WARD_B - size_c * WARD) / whole,
            because="the mean of a union, and collect",
            by=using(centroid()),
        )
        .qed()
    )


@proves("thm-cluster-merger")
def merger() -> Theorem:
    r"""Derive what the merger of two clusters adds to the sum of squares within."""
    return (
        Derivation("the price of a merger")
        .start(size_a * norm2(u - BOTH) + size_b * norm2(v - BOTH))
        .equals(
            size_a * norm2(size_b / (size_a + size_b) * (u - v))
            + size_b * norm2(size_a / (size_a + size_b) * (v - u)),
            because="the mean divides the segment from $u$ to $v$",
        )
        .equals(size_a * size_b / (size_a + size_b) * norm2(u - v), because="collect")
        .qed()
    )


LEAST = {"least A": Le(between, to_a), "least B": Le(between, to_b)}


@proves("thm-linkage-monotone")
def monotone_average() -> Theorem:
    r"""Derive that with average linkage a merger leaves no smaller distance behind."""
    return (
        Derivation("no distance falls below the merger", given=LEAST, witness=PAIR)
        .start(between)
        .equals(
            (size_a * between + size_b * between) / (size_a + size_b),
            because="a mean of equal numbers",
        )
        .at_most(
            (size_a * to_a + size_b * to_b) / (size_a + size_b),
            because="the two merged clusters were the nearest",
        )
        .qed()
    )


@proves("lem-linkage-ward-monotone")
def monotone_ward() -> Theorem:
    r"""Derive the same for Ward's distance."""
    whole = size_a + size_b + size_c
    new = ((size_a + size_c) * to_a + (size_b + size_c) * to_b - size_c * between) / whole
    return (
        Derivation("Ward's distances", given=LEAST, witness=PAIR)
        .start(between)
        .equals(
            ((size_a + size_c) * between + (size_b + size_c) * between - size_c * between) / whole,
            because="collect",
        )
        .at_most(new, because="the two merged clusters were the nearest")
        .qed()
    )
