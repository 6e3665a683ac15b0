"""Decision trees: what a leaf should answer, why no split loses, and what a leaf costs.

A node holds n points with targets ``y[i]``; a split sends the share ``t[i]`` (0 or 1) of each of
them to the left. For classes, ``p[k]`` is the share of class k in a node, ``w[j]`` the share of the
points that go to child j, and ``q[j, k]`` the share of class k there: the setting ``split``.
"""

from __future__ import annotations

from typing import Any

from mlnotes.proof import (
    And,
    Derivation,
    E,
    Eq,
    Ge,
    Gt,
    Implies,
    KroneckerDelta,
    Lambda,
    Le,
    Lt,
    Min,
    Rational,
    Setting,
    Sum,
    Theorem,
    apply,
    cases,
    equivalence,
    for_all,
    for_each,
    function,
    independent_family,
    indices,
    induction,
    integers,
    log,
    monotone,
    prove,
    quantity,
    random_family,
    random_variables,
    real_family,
    reals,
    termwise,
    using,
)
from mlnotes.theorems import proves
from mlnotes.theorems.maximum_entropy import gibbs
from mlnotes.theorems.maximum_entropy import q as first_law
from mlnotes.theorems.maximum_entropy import s as second_law

n, K, J, G, T, D, r = integers("n K J G T D r", positive=True)
i, j, k, l, g = indices("i j k l g")  # noqa: E741
c, m = reals("c m")
y, t = real_family("y t")
half, third, quarter = Rational(1, 2), Rational(1, 3), Rational(1, 4)

# ------------------------------------------------------------------ leaves and their answers

MEAN = {"mean": Eq(m, Sum(y[i], (i, 1, n)) / n)}
THREE = {n: 3, y: [1, 2, 6], m: 3, c: 1}


def squared_error(answer: Any) -> Any:
    """Return the squared error of a leaf with this answer."""
    return Sum((y[i] - answer) ** 2, (i, 1, n))


@proves("lem-tree-leaf-parabola")
def leaf_parabola() -> Theorem:
    r"""Derive that the squared error of a leaf is a parabola about the mean."""
    return (
        Derivation("the squared error of a leaf", given=MEAN, witness=THREE)
        .start(squared_error(c))
        .equals(
            squared_error(m) + 2 * (m - c) * (Sum(y[i], (i, 1, n)) - n * m) + n * (m - c) ** 2,
            because="go from $y_i$ to $c$ through $m$ and expand",
        )
        .equals(squared_error(m) + n * (m - c) ** 2, because="$m$ is the mean")
        .qed()
    )


@proves("thm-tree-leaf-mean")
def leaf_mean() -> Theorem:
    r"""Derive that no answer of a leaf has a smaller squared error than the mean."""
    return (
        Derivation("the answer of a leaf", given=MEAN, witness=THREE)
        .start(squared_error(c))
        .equals(
            squared_error(m) + n * (m - c) ** 2, because="the parabola", by=using(leaf_parabola())
        )
        .at_least(squared_error(m), because="a square is not negative")
        .qed()
    )


@proves("lem-tree-error-from-sums")
def error_from_sums() -> Theorem:
    r"""Derive the squared error at the mean from three sums."""
    return (
        Derivation("the squared error from sums", given=MEAN, witness=THREE)
        .start(squared_error(m))
        .equals(
            Sum(y[i] ** 2, (i, 1, n)) - 2 * m * Sum(y[i], (i, 1, n)) + n * m**2, because="expand"
        )
        .equals(
            Sum(y[i] ** 2, (i, 1, n)) - Sum(y[i], (i, 1, n)) ** 2 / n, because="$m$ is the mean"
        )
        .qed()
    )


# A random target Y; B is one where the point falls into a cell, and B_l belongs to the l-th cell.
Y, B, one = random_variables("Y B Z")
cell = random_family("B")
answer, f = real_family("c f")
a = reals("a")
COIN = [(0, half), (1, half)]


@proves("lem-tree-population-parabola")
def population_parabola() -> Theorem:
    r"""Derive the expected squared error of an answer in a cell."""
    return (
        Derivation(
            "the expected squared error in a cell",
            given={"mean": Eq(a * E(B), E(B * Y))},
            witness={B: COIN, Y: COIN, a: half, c: 0},
        )
        .start(E(B * (Y - c) ** 2))
        .equals(
            E(B * (Y - a) ** 2) + 2 * (a - c) * (E(B * Y) - a * E(B)) + (a - c) ** 2 * E(B),
            because="go from $Y$ to $c$ through $a$ and expand",
        )
        .equals(
            E(B * (Y - a) ** 2) + (a - c) ** 2 * E(B),
            because="$a$ is the mean of $Y$ in the cell",
        )
        .qed()
    )


@proves("thm-tree-conditional-mean")
def conditional_mean() -> Theorem:
    r"""Derive that no answer in a cell has a smaller expected squared error than the mean there."""
    return (
        Derivation(
            "the best answer in a cell",
            given={"cell": Ge(B, 0), "mean": Eq(a * E(B), E(B * Y))},
            witness={B: COIN, Y: COIN, a: half, c: 0},
        )
        .start(E(B * (Y - c) ** 2))
        .equals(
            E(B * (Y - a) ** 2) + (a - c) ** 2 * E(B),
            because="the parabola",
            by=using(population_parabola()),
        )
        .at_least(E(B * (Y - a) ** 2), because="the cell has a probability, which is not negative")
        .qed()
    )


@proves("thm-tree-population-loss")
def population_loss() -> Theorem:
    r"""Derive the expected squared error of a tree from the masses and moments of its cells."""
    return (
        Derivation(
            "the expected squared error of a tree",
            given={"partition": Eq(Sum(cell[l], (l, 1, T)), 1)},
            witness={T: 1, cell: [[(1, 1)]], Y: COIN, answer: [half]},
        )
        .start(E(Sum(cell[l] * (Y - answer[l]) ** 2, (l, 1, T))))
        .equals(
            E(Y**2 * Sum(cell[l], (l, 1, T)))
            - 2 * Sum(answer[l] * E(cell[l] * Y), (l, 1, T))
            + Sum(answer[l] ** 2 * E(cell[l]), (l, 1, T)),
            because="expand the squares; expectation is linear",
        )
        .equals(
            E(Y**2)
            - 2 * Sum(answer[l] * E(cell[l] * Y), (l, 1, T))
            + Sum(answer[l] ** 2 * E(cell[l]), (l, 1, T)),
            because="exactly one cell holds the point",
            by=using(apply(_times_one(), {one: Sum(cell[l], (l, 1, T))})),
        )
        .qed()
    )


def _times_one() -> Theorem:
    """Derive that a factor that is always one changes no expectation."""
    return (
        Derivation("times one", given={"one": Eq(one, 1)}, witness={one: [(1, 1)], Y: COIN})
        .start(E(Y**2 * one))
        .equals(E(Y**2), because="always one")
        .qed()
    )


# ------------------------------------------------------------------ splits

n_left, n_right = reals("n_L n_R", positive=True)
m_left, m_right = reals("m_L m_R")
SIDES = {
    "left size": Eq(Sum(t[i], (i, 1, n)), n_left),
    "right size": Eq(Sum(1 - t[i], (i, 1, n)), n_right),
    "left mean": Eq(Sum(t[i] * y[i], (i, 1, n)), n_left * m_left),
    "right mean": Eq(Sum((1 - t[i]) * y[i], (i, 1, n)), n_right * m_right),
}
TWO_SIDES = {**THREE, t: [1, 1, 0], n_left: 2, n_right: 1, m_left: Rational(3, 2), m_right: 6}
LEFT = Sum(t[i] * (y[i] - m_left) ** 2, (i, 1, n))
RIGHT = Sum((1 - t[i]) * (y[i] - m_right) ** 2, (i, 1, n))


@proves("thm-tree-split-decrease")
def split_decrease() -> Theorem:
    r"""Derive by how much a split decreases the squared error."""
    gap = n_left * (m - m_left) ** 2 + n_right * (m - m_right) ** 2
    return (
        Derivation("the gain of a split", given={**MEAN, **SIDES}, witness=TWO_SIDES)
        .start(squared_error(m) - LEFT - RIGHT)
        .equals(gap, because="the parabola on either side")
        .equals(
            n_left * n_right / (n_left + n_right) * (m_left - m_right) ** 2,
            because="$m$ is the mean of the two means, weighted by the sizes",
            by=using(_mean_of_means()),
        )
        .qed()
    )


def _mean_of_means() -> Theorem:
    """Derive the mean of a node from those of its sides."""
    return (
        Derivation("the mean of the means", given={**MEAN, **SIDES}, witness=TWO_SIDES)
        .start(m)
        .equals(
            (n_left * m_left + n_right * m_right) / (n_left + n_right),
            because="the sums and the sizes add up",
        )
        .qed()
    )


p = real_family("p")
q, w = real_family("q w")
LAW = {"law": Eq(Sum(p[k], (k, 1, K)), 1)}
SPLIT = {
    "sizes": for_each(j, 1, J, Ge(w[j], 0)),
    "all": Eq(Sum(w[j], (j, 1, J)), 1),
    "mixture": for_each(k, 1, K, Eq(p[k], Sum(w[j] * q[j, k], (j, 1, J)))),
}
CHILDREN = {
    K: 2,
    J: 2,
    w: [half, half],
    q: {(1, 1): 1, (1, 2): 0, (2, 1): half, (2, 2): half},
    p: [Rational(3, 4), quarter],
}
split = Setting("split", given=SPLIT, witness=CHILDREN)
# A function that is convex on the interval in which shares lie.
phi = function("varphi")
s, z, lam = reals("s z lambda")


def no_chord_below(f: Any) -> Any:
    """State that between zero and one no chord of a function lies below its graph."""
    return Implies(
        And(Le(0, s), Le(s, 1), Le(0, z), Le(z, 1), Le(0, lam), Le(lam, 1)),
        Le(f(lam * s + (1 - lam) * z), lam * f(s) + (1 - lam) * f(z)),
    )


CONVEX = for_all((s, z, lam), no_chord_below(phi))
SHARES_BELOW = {
    "at least zero": for_each(j, 1, J, for_each(k, 1, K, Le(0, q[j, k]))),
    "at most one": for_each(j, 1, J, for_each(k, 1, K, Le(q[j, k], 1))),
}
A_LINE = {phi: lambda share: 1 - share}


@proves("thm-tree-concave-impurity")
def no_split_loses() -> Theorem:
    r"""Derive that a split never increases $-\sum_k\varphi(p_k)$ with a convex $\varphi$."""
    return (
        Derivation(
            "no split increases the impurity",
            setting=split,
            given={**SHARES_BELOW, "convex": CONVEX},
            witness=A_LINE,
        )
        .start(Sum(w[j] * (-Sum(phi(q[j, k]), (k, 1, K))), (j, 1, J)))
        .equals(
            -Sum(Sum(w[j] * phi(q[j, k]), (j, 1, J)), (k, 1, K)),
            because="sum over the children first",
        )
        .at_most(
            -Sum(phi(Sum(w[j] * q[j, k], (j, 1, J))), (k, 1, K)),
            because=r"Jensen's inequality for every class: $\varphi$ is convex",
            by=using(_jensen_for_every_class()),
        )
        .equals(
            -Sum(phi(p[k]), (k, 1, K)),
            because="the shares of the node are the means of those of its children",
            by=using(_shares_of_the_node()),
        )
        .qed()
    )


def _jensen_for_every_class() -> Theorem:
    """Derive Jensen's inequality for every class."""
    return (
        Derivation(
            "Jensen's inequality for every class",
            setting=split,
            given={**SHARES_BELOW, "convex": CONVEX},
            witness=A_LINE,
        )
        .start(Sum(phi(Sum(w[j] * q[j, k], (j, 1, J))), (k, 1, K)))
        .at_most(
            Sum(Sum(w[j] * phi(q[j, k]), (j, 1, J)), (k, 1, K)),
            because=r"$\varphi$ is convex",
            by=termwise(k, by=using(apply(jensen(), {numbers: Lambda(j, q[j, k])}))),
        )
        .qed()
    )


# Numbers b[1], ..., b[J] between zero and one join their mean one by one: the mean itself, with the
# weight one, keeps what is divided by above zero.
numbers = real_family("b")
joined = integers("a")
heavy, light, u, x = reals("U V u x")
NUMBERS = {
    "sizes": SPLIT["sizes"],
    "all": SPLIT["all"],
    "at least zero": for_each(j, 1, J, Le(0, numbers[j])),
    "at most one": for_each(j, 1, J, Le(numbers[j], 1)),
}
TWO_NUMBERS = {J: 2, w: [half, half], numbers: [0, 1]}
MEAN_NUMBER = Sum(w[j] * numbers[j], (j, 1, J))


def _weight(count: Any) -> Any:
    """Return the weight of the mean and of the first numbers."""
    return 1 + Sum(w[j], (j, 1, count))


def _sum(count: Any) -> Any:
    """Return the mean and the first numbers, added up with their weights."""
    return MEAN_NUMBER + Sum(w[j] * numbers[j], (j, 1, count))


def _below_the_graph(count: Any) -> Any:
    """Return the weight times the value at the mean of what has joined."""
    return _weight(count) * phi(_sum(count) / _weight(count))


@proves("lem-tree-jensen")
def jensen() -> Theorem:
    r"""Derive Jensen's inequality for a function that is convex between zero and one."""
    return (
        Derivation(
            "Jensen's inequality on an interval",
            given={**NUMBERS, "convex": CONVEX},
            witness={**TWO_NUMBERS, **A_LINE},
        )
        .start(phi(MEAN_NUMBER))
        .equals(
            _below_the_graph(J) - phi(MEAN_NUMBER),
            because="together with the numbers the mean has the weight two",
            by=using(apply(_weight_two(), {c: Sum(w[j], (j, 1, J)), m: MEAN_NUMBER})),
        )
        .at_most(
            Sum(w[j] * phi(numbers[j]), (j, 1, J)),
            because="the numbers join the mean one by one, and no chord lies below the graph",
            by=using(apply(_all_joined(), {joined: J})),
        )
        .qed()
    )


def _weight_two() -> Theorem:
    """Derive the value at the mean of a number and of itself, with equal weights."""
    return (
        Derivation("twice", given={"one": Eq(c, 1)}, witness={c: 1, m: half, **A_LINE})
        .start((1 + c) * phi((m + m) / (1 + c)))
        .equals(2 * phi(m), because="the weights are one")
        .qed()
    )


def _chord() -> Theorem:
    """Derive that the value at a mean of two numbers is at most that of the chord."""
    return (
        Derivation(
            "a chord",
            given={
                "convex": CONVEX,
                "heavy": Gt(heavy, 0),
                "light": Ge(light, 0),
                "sum from": Ge(u, 0),
                "sum to": Le(u, heavy),
                "number from": Ge(x, 0),
                "number to": Le(x, 1),
            },
            witness={**A_LINE, heavy: 1, light: 1, u: 0, x: 1},
        )
        .start((heavy + light) * phi((u + light * x) / (heavy + light)))
        .equals(
            (heavy + light)
            * phi(heavy / (heavy + light) * (u / heavy) + (1 - heavy / (heavy + light)) * x),
            because="as a mean",
        )
        .at_most(
            (heavy + light)
            * (heavy / (heavy + light) * phi(u / heavy) + (1 - heavy / (heavy + light)) * phi(x)),
            because="no chord lies below the graph",
            by=using(CONVEX.at(u / heavy, x, heavy / (heavy + light))),
        )
        .equals(heavy * phi(u / heavy) + light * phi(x), because="multiply")
        .qed()
    )


def _all_joined() -> Theorem:
    """Derive that the numbers which have joined lie above the graph at their mean."""
    given = {**NUMBERS, "convex": CONVEX, "from": Ge(joined, 0)}
    witness = {**TWO_NUMBERS, **A_LINE, joined: 0}

    def partial(title: str, claim: Any) -> Theorem:
        return prove(
            title,
            claim,
            "add them up one by one",
            given={**NUMBERS, "from": Ge(joined, 0), "to": Le(joined, J)},
            witness={**TWO_NUMBERS, joined: 0},
            by=induction(None, joined),
        )

    sum_of_weights = Sum(w[j], (j, 1, joined))
    sum_of_numbers = Sum(w[j] * numbers[j], (j, 1, joined))
    mean_at_most_one = (
        Derivation("the mean", given=NUMBERS, witness=TWO_NUMBERS)
        .start(MEAN_NUMBER)
        .at_most(Sum(w[j], (j, 1, J)), because="no number is above one", by=termwise(j))
        .equals(1, because="the weights sum to one")
        .qed()
    )
    next_size, next_number = w[joined + 1], numbers[joined + 1]
    one_more = (
        Derivation(
            "one more number",
            given={**given, "room": Le(joined + 1, J)},
            witness=witness,
        )
        .start(_below_the_graph(joined + 1))
        .equals(
            (_weight(joined) + next_size)
            * phi((_sum(joined) + next_size * next_number) / (_weight(joined) + next_size)),
            because="the last terms",
        )
        .at_most(
            _below_the_graph(joined) + next_size * phi(next_number),
            because="a chord",
            by=using(
                partial("weights are not negative", Ge(sum_of_weights, 0)),
                partial("sums are not negative", Ge(sum_of_numbers, 0)),
                partial("sums are at most the weights", Le(sum_of_numbers, sum_of_weights)),
                mean_at_most_one,
                apply(
                    _chord(),
                    {heavy: _weight(joined), light: next_size, u: _sum(joined), x: next_number},
                ),
            ),
        )
        .qed()
    )
    return prove(
        "all that have joined",
        Le(
            _below_the_graph(joined),
            phi(MEAN_NUMBER) + Sum(w[j] * phi(numbers[j]), (j, 1, joined)),
        ),
        "one by one",
        given={**given, "to": Le(joined, J)},
        witness=witness,
        by=induction(None, joined, step=apply(one_more, {joined: joined})),
    )


def _shares_of_the_node() -> Theorem:
    """Derive the impurity of the node from the shares of its children."""
    return (
        Derivation("the shares of the node", setting=split, witness=A_LINE)
        .start(Sum(phi(p[k]), (k, 1, K)))
        .equals(
            Sum(phi(Sum(w[j] * q[j, k], (j, 1, J))), (k, 1, K)),
            because="mixture",
            by=termwise(k),
        )
        .qed()
    )


def gini(shares: Any) -> Any:
    """Return Gini's impurity of shares."""
    return 1 - Sum(shares(k) ** 2, (k, 1, K))


@proves("thm-tree-gini-decrease")
def gini_decrease() -> Theorem:
    r"""Derive that the decrease of Gini's impurity is a mean squared distance of shares."""
    return (
        Derivation("the decrease of Gini's impurity", setting=split)
        .start(gini(lambda k: p[k]) - Sum(w[j] * gini(lambda k: q[j, k]), (j, 1, J)))
        .equals(
            Sum(Sum(w[j] * q[j, k] ** 2, (j, 1, J)) - p[k] ** 2, (k, 1, K)),
            because="the sizes sum to one",
        )
        .equals(
            Sum(Sum(w[j] * (q[j, k] - p[k]) ** 2, (j, 1, J)), (k, 1, K)),
            because="the shares of the node are the means of those of its children",
            by=termwise(k, by=using(apply(_spread_of_shares(), {k: k}))),
        )
        .equals(
            Sum(w[j] * Sum((q[j, k] - p[k]) ** 2, (k, 1, K)), (j, 1, J)),
            because="sum over the classes first",
        )
        .qed()
    )


def _spread_of_shares() -> Theorem:
    """Derive that the variance of the children's shares is a mean square less a squared mean."""
    return (
        Derivation(
            "the spread of the shares",
            setting=split,
            given={"from": Ge(k, 1), "to": Le(k, K)},
            witness={k: 1},
        )
        .start(Sum(w[j] * (q[j, k] - p[k]) ** 2, (j, 1, J)))
        .equals(
            Sum(w[j] * q[j, k] ** 2, (j, 1, J))
            - 2 * p[k] * Sum(w[j] * q[j, k], (j, 1, J))
            + p[k] ** 2 * Sum(w[j], (j, 1, J)),
            because="expand",
        )
        .equals(
            Sum(w[j] * q[j, k] ** 2, (j, 1, J)) - p[k] ** 2,
            because="the mean of the shares is $p_k$, and the sizes sum to one",
        )
        .qed()
    )


@proves("lem-tree-gini-draws")
def gini_draws() -> Theorem:
    r"""Derive that Gini's impurity is the chance that two draws differ."""
    return (
        Derivation("two draws", given=LAW, witness={K: 2, p: [half, half]})
        .start(Sum(Sum(p[k] * p[l] * (1 - KroneckerDelta(k, l)), (l, 1, K)), (k, 1, K)))
        .equals(
            Sum(p[k], (k, 1, K)) * Sum(p[l], (l, 1, K)) - Sum(p[k] ** 2, (k, 1, K)),
            because="leave out the pairs of one class",
        )
        .equals(gini(lambda k: p[k]), because="the shares sum to one")
        .qed()
    )


SHARES = {"shares": for_each(k, 1, K, Ge(p[k], 0)), **LAW}
ONE_THIRD = {K: 2, p: [third, 2 * third]}


@proves("lem-tree-gini-lowest")
def gini_lowest() -> Theorem:
    r"""Derive that Gini's impurity is not negative."""
    return (
        Derivation("at least zero", given=SHARES, witness=ONE_THIRD)
        .start(gini(lambda k: p[k]))
        .equals(
            Sum(p[k] * (Sum(p[l], (l, 1, K)) - p[k]), (k, 1, K)), because="the shares sum to one"
        )
        .at_least(
            0,
            because="a share is at most the sum of all",
            by=termwise(k, by=using(apply(_one_share(), {k: k}))),
        )
        .qed()
    )


def _one_share() -> Theorem:
    """Derive that a share is not negative and at most the sum of all."""
    return (
        Derivation(
            "one share",
            given={**SHARES, "from": Ge(k, 1), "to": Le(k, K)},
            witness={**ONE_THIRD, k: 1},
        )
        .start(p[k])
        .equals(Sum(KroneckerDelta(k, l) * p[l], (l, 1, K)), because="one term")
        .at_most(Sum(p[l], (l, 1, K)), because="the others are not negative", by=termwise(l))
        .qed()
    )


@proves("thm-tree-gini-extremes")
def gini_extremes() -> Theorem:
    r"""Derive that Gini's impurity is greatest for equal shares."""
    return (
        Derivation("greatest for equal shares", given=LAW, witness=ONE_THIRD)
        .start(gini(lambda k: p[k]))
        .equals(
            1 - 1 / K - Sum((p[k] - 1 / K) ** 2, (k, 1, K)),
            because="expand: the shares sum to one",
        )
        .at_most(1 - 1 / K, because="squares are not negative")
        .qed()
    )


# ------------------------------------------------------------------ the entropy

share, below, answers = real_family("p q c", positive=True)
size = real_family("w", positive=True)
POSITIVE_SPLIT = {
    "all": Eq(Sum(size[j], (j, 1, J)), 1),
    "mixture": for_each(k, 1, K, Eq(share[k], Sum(size[j] * below[j, k], (j, 1, J)))),
    "laws": for_each(j, 1, J, Eq(Sum(below[j, k], (k, 1, K)), 1)),
}
MIXED = {
    K: 2,
    J: 2,
    size: [half, half],
    below: {(1, 1): 3 * quarter, (1, 2): quarter, (2, 1): quarter, (2, 2): 3 * quarter},
    share: [half, half],
}
positive_split = Setting("split with every class", given=POSITIVE_SPLIT, witness=MIXED)


def entropy(shares: Any) -> Any:
    """Return the entropy of shares."""
    return -Sum(shares(k) * log(shares(k)), (k, 1, K))


INFORMATION = entropy(lambda k: share[k]) - Sum(size[j] * entropy(lambda k: below[j, k]), (j, 1, J))
DIVERGENCES = Sum(size[j] * Sum(below[j, k] * log(below[j, k] / share[k]), (k, 1, K)), (j, 1, J))


@proves("thm-tree-information-gain")
def information_gain() -> Theorem:
    r"""Derive that the decrease of the entropy is a mean divergence."""
    return (
        Derivation(
            "the information gain",
            given={"mixture": POSITIVE_SPLIT["mixture"]},
            witness=MIXED,
        )
        .start(INFORMATION)
        .equals(
            -Sum(Sum(size[j] * below[j, k], (j, 1, J)) * log(share[k]), (k, 1, K))
            - Sum(size[j] * entropy(lambda k: below[j, k]), (j, 1, J)),
            because="the shares of the node are the means of those of its children",
            by=using(POSITIVE_SPLIT["mixture"]),
        )
        .equals(DIVERGENCES, because="collect what belongs to each child and class")
        .qed()
    )


@proves("lem-tree-gain-under-split-information")
def gain_under_split_information() -> Theorem:
    r"""Derive that the information gain is at most the entropy of the split itself."""
    return (
        Derivation("the gain ratio is at most one", setting=positive_split)
        .start(INFORMATION)
        .equals(DIVERGENCES, because="the information gain", by=using(information_gain()))
        .at_most(
            Sum(size[j] * Sum(below[j, k] * log(1 / size[j]), (k, 1, K)), (j, 1, J)),
            because="no child has more of a class than the node: $w_jq_{j,k}\\le p_k$",
            by=termwise(j, by=termwise(k, by=using(apply(_more_than_a_part(), {j: j, k: k})))),
        )
        .equals(
            -Sum(size[j] * log(size[j]), (j, 1, J)),
            because="the shares of each child sum to one",
        )
        .qed()
    )


def _part_of_the_node() -> Theorem:
    """Derive that a child has no more of a class than the node."""
    return (
        Derivation(
            "a part of the node",
            setting=positive_split,
            given={"child": Ge(j, 1), "last": Le(j, J), "from": Ge(k, 1), "to": Le(k, K)},
            witness={j: 1, k: 1},
        )
        .start(size[j] * below[j, k])
        .equals(Sum(KroneckerDelta(j, l) * size[l] * below[l, k], (l, 1, J)), because="one child")
        .at_most(
            Sum(size[l] * below[l, k], (l, 1, J)),
            because="the others are not negative",
            by=termwise(l),
        )
        .equals(share[k], because="mixture")
        .qed()
    )


def _more_than_a_part() -> Theorem:
    """Derive that the logarithm of a share over that of the node is at most that of one by w."""
    return (
        Derivation(
            "a logarithm",
            setting=positive_split,
            given={"child": Ge(j, 1), "last": Le(j, J), "from": Ge(k, 1), "to": Le(k, K)},
            witness={j: 1, k: 1},
        )
        .start(log(below[j, k] / share[k]))
        .at_most(
            log(1 / size[j]),
            because="a part of the node",
            by=monotone(log, by=using(_part_of_the_node())),
        )
        .qed()
    )


# What a class contributes to minus the entropy: s log s, and nothing where the class is missing.
eta = function("eta")
CONTRIBUTION = {
    "nothing": Eq(eta(0), 0),
    "contribution": for_all(s, Implies(Gt(s, 0), Eq(eta(s), s * log(s)))),
}
S_LOG_S = {eta: Lambda(x, x * log(x))}


def _tangent() -> Theorem:
    """Derive that s log s lies above its tangents, at zero too."""
    return prove(
        "a tangent",
        Ge(eta(s), s * log(m) + s - m),
        "$\\log u\\ge1-1/u$",
        given={**CONTRIBUTION, "share": Ge(s, 0), "touched": Gt(m, 0)},
        witness={**S_LOG_S, s: 1, m: 1},
        by=cases(
            Eq(s, 0),
            (Gt(s, 0), using(CONTRIBUTION["contribution"].at(s), Ge(log(s / m), 1 - m / s))),
        ),
    )


@proves("lem-tree-entropy-convex")
def entropy_convex() -> Theorem:
    r"""Derive that $s\log s$ is convex, at zero too."""
    between = lam * s + (1 - lam) * z
    given = {
        **CONTRIBUTION,
        "first": Ge(s, 0),
        "second": Ge(z, 0),
        "from": Le(0, lam),
        "to": Le(lam, 1),
    }
    witness = {**S_LOG_S, s: 1, z: 1, lam: half}
    inside = (
        Derivation("a mean above zero", given={**given, "mean": Gt(between, 0)}, witness=witness)
        .start(lam * eta(s) + (1 - lam) * eta(z))
        .at_least(
            lam * (s * log(between) + s - between) + (1 - lam) * (z * log(between) + z - between),
            because="the tangent at the mean",
            by=using(apply(_tangent(), {s: s, m: between}), apply(_tangent(), {s: z, m: between})),
        )
        .equals(between * log(between), because="collect")
        .equals(eta(between), because="what a class contributes", by=using(_at(between)))
        .qed()
    )
    return prove(
        "convex",
        Le(eta(between), lam * eta(s) + (1 - lam) * eta(z)),
        "the tangent at the mean; where the mean is zero, nothing is left on either side",
        given=given,
        witness=witness,
        by=cases(
            (Gt(between, 0), using(inside)),
            (
                Eq(between, 0),
                using(
                    apply(_missing(), {m: between}),
                    Eq(lam * s, 0),
                    Eq((1 - lam) * z, 0),
                    apply(_no_part(), {lam: lam, s: s}),
                    apply(_no_part(), {lam: 1 - lam, s: z}),
                ),
            ),
        ),
    )


def _at(value: Any) -> Any:
    """Return what a class with this share contributes."""
    return CONTRIBUTION["contribution"].at(value)


def _missing() -> Theorem:
    """Derive that a class whose share is zero contributes nothing."""
    return prove(
        "a missing class",
        Eq(eta(m), 0),
        "by definition",
        given={**CONTRIBUTION, "none": Eq(m, 0)},
        witness={**S_LOG_S, m: 0},
    )


def _no_part() -> Theorem:
    """Derive that where a part of a share is zero the same part of its contribution is."""
    return prove(
        "no part",
        Eq(lam * eta(s), 0),
        "one of the factors is zero",
        given={**CONTRIBUTION, "none": Eq(lam * s, 0)},
        witness={**S_LOG_S, s: 0, lam: 0},
        by=cases((Eq(s, 0), using(apply(_missing(), {m: s}))), Eq(lam, 0)),
    )


def _entropy_convex_everywhere() -> Theorem:
    """State the convexity for all numbers and all means: one of them after the other."""
    found = entropy_convex()
    for names in ((lam,), (z, lam), (s, z, lam)):
        found = prove(
            "convex between zero and one",
            for_all(names, no_chord_below(eta)),
            "the lemma, for all of them",
            given=CONTRIBUTION,
            witness={**S_LOG_S, s: 1, z: 1, lam: half},
            by=using(apply(found, {names[0]: names[0]})),
        )
    return found


@proves("cor-tree-entropy-decrease")
def no_split_loses_entropy() -> Theorem:
    r"""Derive that a split never increases the entropy, whether or not classes are missing."""
    return (
        Derivation(
            "no split increases the entropy",
            setting=split,
            given={**SHARES_BELOW, **CONTRIBUTION},
            witness=S_LOG_S,
        )
        .start(Sum(w[j] * (-Sum(eta(q[j, k]), (k, 1, K))), (j, 1, J)))
        .at_most(
            -Sum(eta(p[k]), (k, 1, K)),
            because=r"$s\log s$ is convex",
            by=using(
                _entropy_convex_everywhere(),
                apply(no_split_loses(), {phi: Lambda(x, eta(x))}),
            ),
        )
        .qed()
    )


SHARES_AND_CONTRIBUTION = {**CONTRIBUTION, **SHARES}
A_MISSING_CLASS = {**S_LOG_S, K: 2, p: [0, 1]}


@proves("lem-tree-entropy-lowest")
def entropy_lowest() -> Theorem:
    r"""Derive that the entropy is not negative."""
    log_not_positive = prove(
        "nothing positive",
        Le(eta(m), 0),
        "no share is above one",
        given={**CONTRIBUTION, "from": Ge(m, 0), "to": Le(m, 1)},
        witness={**S_LOG_S, m: 0},
        by=cases(Eq(m, 0), (Gt(m, 0), using(_at(m), Le(log(m), log(1))))),
    )
    return (
        Derivation("at least zero", given=SHARES_AND_CONTRIBUTION, witness=A_MISSING_CLASS)
        .start(-Sum(eta(p[k]), (k, 1, K)))
        .equals(Sum(-eta(p[k]), (k, 1, K)), because="a sign")
        .at_least(
            0,
            because="no share is above one",
            by=termwise(
                k, by=using(apply(_at_most_all(), {k: k}), apply(log_not_positive, {m: p[k]}))
            ),
        )
        .qed()
    )


def _at_most_all() -> Theorem:
    """Derive that a share is at most one."""
    return (
        Derivation(
            "at most one",
            given={**SHARES, "from": Ge(k, 1), "to": Le(k, K)},
            witness={**ONE_THIRD, k: 1},
        )
        .start(p[k])
        .at_most(Sum(p[l], (l, 1, K)), because="one of them", by=using(apply(_one_share(), {k: k})))
        .equals(1, because="the shares sum to one")
        .qed()
    )


@proves("thm-tree-entropy-extremes")
def entropy_extremes() -> Theorem:
    r"""Derive that the entropy is greatest for equal shares."""
    return (
        Derivation(
            "greatest for equal shares", given=SHARES_AND_CONTRIBUTION, witness=A_MISSING_CLASS
        )
        .start(-Sum(eta(p[k]), (k, 1, K)))
        .equals(Sum(-eta(p[k]), (k, 1, K)), because="a sign")
        .at_most(
            Sum(-(p[k] * log(1 / K) + p[k] - 1 / K), (k, 1, K)),
            because=r"$s\log s$ lies above its tangent at $1/K$",
            by=termwise(k, by=using(apply(_tangent(), {s: p[k], m: 1 / K}))),
        )
        .equals(log(K), because="the shares sum to one")
        .qed()
    )


@proves("lem-tree-leaf-log-loss")
def leaf_log_loss() -> Theorem:
    r"""Derive that no probabilities have a smaller log loss in a leaf than the shares."""
    return (
        Derivation(
            "the log loss of a leaf",
            given={
                "law": Eq(Sum(share[k], (k, 1, K)), 1),
                "answers": Eq(Sum(answers[k], (k, 1, K)), 1),
            },
            witness={K: 2, share: [third, 2 * third], answers: [half, half]},
        )
        .start(-Sum(share[k] * log(answers[k]), (k, 1, K)))
        .equals(
            entropy(lambda k: share[k]) + Sum(share[k] * log(share[k] / answers[k]), (k, 1, K)),
            because="the logarithm of a quotient",
        )
        .at_least(
            entropy(lambda k: share[k]),
            because="Gibbs' inequality",
            by=using(
                apply(gibbs(), {first_law: Lambda(k, share[k]), second_law: Lambda(k, answers[k])})
            ),
        )
        .qed()
    )


# ------------------------------------------------------------------ the full tree

# Group g holds the points whose features are equal: N[g, k] of them are of class k, M[g] of the
# most frequent one; A[g, k] is the probability with which a classifier answers k to them.
N, M, A = real_family("N M A")
GROUPS = {
    "answers": for_each(g, 1, G, for_each(k, 1, K, Ge(A[g, k], 0))),
    "one answer": for_each(g, 1, G, Eq(Sum(A[g, k], (k, 1, K)), 1)),
    "majority": for_each(g, 1, G, for_each(k, 1, K, Le(N[g, k], M[g]))),
}
COUNTS = {(1, 1): 2, (1, 2): 1, (2, 1): 0, (2, 2): 3}
ANSWERS = {(1, 1): 1, (1, 2): 0, (2, 1): half, (2, 2): half}
TWO_GROUPS = {G: 2, K: 2, N: COUNTS, M: [2, 3], A: ANSWERS}


@proves("thm-tree-least-training-error")
def least_training_error() -> Theorem:
    r"""Derive that no function of the features makes fewer mistakes than the majorities."""
    return (
        Derivation("the least training error", given=GROUPS, witness=TWO_GROUPS)
        .start(Sum(Sum(N[g, k] * (1 - A[g, k]), (k, 1, K)), (g, 1, G)))
        .equals(
            Sum(Sum(N[g, k], (k, 1, K)) - Sum(A[g, k] * N[g, k], (k, 1, K)), (g, 1, G)),
            because="all points less those answered correctly",
        )
        .at_least(
            Sum(Sum(N[g, k], (k, 1, K)) - Sum(A[g, k] * M[g], (k, 1, K)), (g, 1, G)),
            because="no class is more frequent than the majority",
            by=termwise(g, by=using(apply(_right_at_most(), {g: g}))),
        )
        .equals(
            Sum(Sum(N[g, k], (k, 1, K)) - M[g], (g, 1, G)),
            because="equal features have one answer",
            by=termwise(g),
        )
        .qed()
    )


def _right_at_most() -> Theorem:
    """Derive that in a group at most the majority is answered correctly."""
    return (
        Derivation(
            "right at most",
            given={**GROUPS, "first": Ge(g, 1), "last": Le(g, G)},
            witness={**TWO_GROUPS, g: 1},
        )
        .start(Sum(A[g, k] * N[g, k], (k, 1, K)))
        .at_most(
            Sum(A[g, k] * M[g], (k, 1, K)),
            because="no class is more frequent than the majority",
            by=termwise(k),
        )
        .qed()
    )


@proves("lem-tree-split-accuracy")
def split_accuracy() -> Theorem:
    r"""Derive that the majorities of the children are right at least as often as that of all."""
    return (
        Derivation(
            "majorities of the children",
            given={
                "majority": for_each(g, 1, G, for_each(k, 1, K, Le(N[g, k], M[g]))),
                "from": Ge(k, 1),
                "to": Le(k, K),
            },
            witness={**TWO_GROUPS, k: 1},
        )
        .start(Sum(N[g, k], (g, 1, G)))
        .at_most(
            Sum(M[g], (g, 1, G)),
            because="no class is more frequent than the majority",
            by=termwise(g),
        )
        .qed()
    )


# ------------------------------------------------------------------ depth

# Question j on a path asks about feature k where Q[j, k] is one.
Q = real_family("Q")


@proves("lem-tree-depth")
def depth_bound() -> Theorem:
    r"""Derive that a path that repeats no feature has at most as many questions as features."""
    return (
        Derivation(
            "depth of a categorical tree",
            given={
                "one feature": for_each(j, 1, r, Eq(Sum(Q[j, k], (k, 1, D)), 1)),
                "no repetition": for_each(k, 1, D, Le(Sum(Q[j, k], (j, 1, r)), 1)),
            },
            witness={r: 1, D: 2, Q: {(1, 1): 1, (1, 2): 0}},
        )
        .start(r)
        .equals(
            Sum(Sum(Q[j, k], (k, 1, D)), (j, 1, r)),
            because="every question is about one feature",
        )
        .equals(Sum(Sum(Q[j, k], (j, 1, r)), (k, 1, D)), because="sum over the questions first")
        .at_most(Sum(1, (k, 1, D)), because="no feature is asked about twice", by=termwise(k))
        .equals(D, because="count")
        .qed()
    )


# ------------------------------------------------------------------ increasing maps

h = function("h")
INCREASING = {"increasing": for_all((u, z), Implies(Lt(u, z), Lt(h(u), h(z))))}
DOUBLED = {h: lambda u: 2 * u, x: 1, s: 2}


@proves("thm-tree-increasing-map")
def increasing_map() -> Theorem:
    r"""Derive that an increasing map of a feature leaves every answer to a question the same."""
    forward = prove(
        "a smaller value stays smaller",
        Le(h(x), h(s)),
        "$h$ is increasing",
        given={**INCREASING, "at most": Le(x, s)},
        witness=DOUBLED,
        by=cases(Lt(x, s), Eq(x, s)),
    )
    backward = prove(
        "and comes from a smaller one",
        Le(x, s),
        "if $x>s$, then $h(x)>h(s)$",
        given={**INCREASING, "image": Le(h(x), h(s))},
        witness=DOUBLED,
        by=cases(Le(x, s), (Gt(x, s), using(INCREASING["increasing"].at(s, x)))),
    )
    return equivalence("the same side", forward, backward)


# ------------------------------------------------------------------ optimism

epsilon, xi = random_family("epsilon xi")
sigma = reals("sigma", positive=True)
FLIP = [(-1, half), (1, half)]
NOISE = {
    "independent": independent_family(epsilon),
    "centred": for_each(i, 1, n, Eq(E(epsilon[i]), 0)),
    "variance": for_each(i, 1, n, Eq(E(epsilon[i] ** 2), sigma**2)),
}
FRESH = {
    "fresh centred": for_each(i, 1, n, Eq(E(xi[i]), 0)),
    "fresh variance": for_each(i, 1, n, Eq(E(xi[i] ** 2), sigma**2)),
    "uncorrelated": for_each(i, 1, n, for_each(j, 1, n, Eq(E(epsilon[i] * xi[j]), 0))),
}
leaf = Setting(
    "noisy leaf",
    given={**NOISE, **FRESH},
    witness={n: 2, epsilon: [FLIP, FLIP], xi: [FLIP, FLIP], sigma: 1},
)
ANSWER = quantity("m", is_=Sum(f[j] + epsilon[j], (j, 1, n)) / n)
NOISES = Sum(epsilon[j], (j, 1, n))


@proves("lem-tree-noise-of-a-sum")
def noise_of_a_sum() -> Theorem:
    r"""Derive the mean square of a sum of independent noises."""
    return (
        Derivation(
            "a sum of noises",
            given=NOISE,
            witness={n: 2, epsilon: [FLIP, FLIP], sigma: 1},
        )
        .start(E(NOISES**2))
        .equals(
            Sum(E(epsilon[j] ** 2), (j, 1, n)),
            because="products of independent noises have mean zero",
        )
        .equals(n * sigma**2, because="the variances")
        .qed()
    )


@proves("thm-tree-optimism")
def optimism() -> Theorem:
    r"""Derive by how much a leaf is better on its own points than on new ones."""
    again = Sum((f[i] + xi[i] - ANSWER) ** 2, (i, 1, n))
    training = Sum((f[i] + epsilon[i] - ANSWER) ** 2, (i, 1, n))
    return (
        Derivation("the optimism of a leaf", setting=leaf, witness={f: [0, 1]})
        .start(E(again) - E(training))
        .equals(
            2 * E(NOISES**2) / n,
            because=r"the new noise is uncorrelated with the answer, the old one is part of it",
        )
        .equals(2 * sigma**2, because="a sum of noises", by=using(noise_of_a_sum()))
        .qed()
    )


@proves("thm-tree-leaf-noise")
def leaf_noise() -> Theorem:
    r"""Derive the expected error of a leaf on a new point where the truth is constant."""
    mean = quantity("m", is_=Sum(c + epsilon[j], (j, 1, n)) / n)
    return (
        Derivation(
            "the error of a leaf",
            setting=leaf,
            given={"first": Ge(i, 1), "last": Le(i, n)},
            witness={c: 3, i: 1},
        )
        .start(E((c + xi[i] - mean) ** 2))
        .equals(
            sigma**2 + E(NOISES**2) / n**2,
            because="the new noise is uncorrelated with the mean of the old ones",
        )
        .equals(
            sigma**2 + sigma**2 / n,
            because="a sum of noises",
            by=using(noise_of_a_sum()),
        )
        .qed()
    )


# ------------------------------------------------------------------ pruning

# A node alone loses L_0; the tree below it loses L_1 with T_1 leaves, another one L_2 with T_2.
loss_alone, loss, other_loss = reals("L_0 L_1 L_2")
leaves, other_leaves = reals("T_1 T_2")
price, other_price = reals("alpha beta")
SUBTREE = {loss_alone: 4, loss: 1, leaves: 3, price: 2}


@proves("lem-tree-weakest-link")
def weakest_link() -> Theorem:
    r"""Derive the price of a leaf from which on a node alone is no dearer than its subtree."""
    more = {"leaves": Gt(leaves, 1)}
    costs = Le(loss_alone + price, loss + price * leaves)
    link = Le((loss_alone - loss) / (leaves - 1), price)
    forward = prove(
        "no dearer", link, "subtract and divide", given={**more, "costs": costs}, witness=SUBTREE
    )
    backward = prove(
        "dear leaves", costs, "multiply and add", given={**more, "link": link}, witness=SUBTREE
    )
    return equivalence("the weakest link", forward, backward)


@proves("thm-tree-dearer-leaves")
def dearer_leaves() -> Theorem:
    r"""Derive that a higher price of a leaf never buys more leaves."""
    return (
        Derivation(
            "dearer leaves",
            given={
                "dearer": Lt(price, other_price),
                "best": Le(loss + price * leaves, other_loss + price * other_leaves),
                "best again": Le(
                    other_loss + other_price * other_leaves, loss + other_price * leaves
                ),
            },
            witness={
                price: 1,
                other_price: 3,
                loss: 0,
                leaves: 3,
                other_loss: 4,
                other_leaves: 1,
            },
        )
        .hence(Le(other_leaves, leaves), because="add the two inequalities")
        .qed()
    )


# The best pruned trees below the two children cost u and z, others C_L and C_R.
left_cost, right_cost = reals("C_L C_R")


@proves("lem-tree-best-pruned")
def best_pruned() -> Theorem:
    r"""Derive that the recursion from the leaves up finds the cheapest pruned tree."""
    alone = loss_alone + price
    return (
        Derivation(
            "bottom up",
            given={"left side": Le(u, left_cost), "right side": Le(z, right_cost)},
            witness={left_cost: 1, right_cost: 2, u: 1, z: 1, loss_alone: 3, price: 1},
        )
        .start(Min(alone, u + z))
        .at_most(
            Min(alone, left_cost + right_cost),
            because="either side is pruned by itself, and the costs add up",
        )
        .qed()
    )
