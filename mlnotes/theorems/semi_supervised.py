"""Labels for some points only: what the others add, and which guesses of their labels are safe.

Of n labelled points ``y[i, k]`` is 1 for the label of point i and 0 for the others; M points have
none, and u runs through them. ``b[i, k]`` and ``p[u, k]`` are joint densities of a point and a
class. Two classifiers that see different features err with the indicators A and B. For the
transductive support vector machine ``s[u]`` is the guessed sign of an unlabelled point ``z[u]``.

In a graph ``w[i, j]`` is the weight of an edge and ``f[i]`` a number at each node; ``lambda[i]`` is
zero at a node without a label and not zero at the others; ``v[0]``, ..., ``v[T]`` are the nodes of
a path.
"""

from __future__ import annotations

from typing import Any

from mlnotes.proof import (
    Abs,
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
    Max,
    Min,
    Ne,
    Rational,
    Setting,
    Sum,
    Theorem,
    apply,
    as_written,
    cases,
    dot,
    for_all,
    for_each,
    function,
    independent,
    indices,
    integer_family,
    integers,
    log,
    norm2,
    prove,
    quantity,
    random_variables,
    real_family,
    reals,
    termwise,
    using,
    vector_family,
    vectors,
)
from mlnotes.theorems import library, proves
from mlnotes.theorems import mixtures_and_em as mixtures

n, M, K = integers("n M K", positive=True)
i, j, k, l, u = indices("i j k l u")  # noqa: E741
half = Rational(1, 2)


def _table(rows: list[list[Any]]) -> dict[tuple[int, int], Any]:
    return {(i, k): v for i, row in enumerate(rows, 1) for k, v in enumerate(row, 1)}


# ------------------------------------------------------------------ what a conditional model sees

# The density of the inputs, which no parameter changes, and the conditional probabilities: that of
# the known label of point i, and those of all labels of point u.
g, h, label_probability, conditional = real_family("g h e t", positive=True)
ONE_OF_THEM = for_each(u, 1, M, Eq(Sum(conditional[u, k], (k, 1, K)), 1))


@proves("thm-semi-conditional")
def conditional_model() -> Theorem:
    r"""Derive that unlabelled points say nothing about the parameters of a conditional model."""
    return (
        Derivation(
            "what unlabelled points add to a conditional model",
            given={"probabilities": ONE_OF_THEM},
            witness={
                n: 1,
                M: 1,
                K: 2,
                g: [1],
                h: [half],
                label_probability: [half],
                conditional: _table([[half, half]]),
            },
        )
        .start(
            Sum(log(g[i] * label_probability[i]), (i, 1, n))
            + Sum(log(Sum(h[u] * conditional[u, k], (k, 1, K))), (u, 1, M))
        )
        .equals(
            Sum(log(g[i] * label_probability[i]), (i, 1, n)) + Sum(log(h[u]), (u, 1, M)),
            because="the probabilities of the labels of a point sum to one",
            by=using(ONE_OF_THEM),
        )
        .equals(
            Sum(log(label_probability[i]), (i, 1, n))
            + (Sum(log(g[i]), (i, 1, n)) + Sum(log(h[u]), (u, 1, M))),
            because="the logarithm of a product",
        )
        .qed()
    )


# ------------------------------------------------------------------ one bound for both sorts

b, p, q = real_family("b p q", positive=True)
y = real_family("y", nonnegative=True)
SEEN = Sum(y[i, k] * log(b[i, k]), (k, 1, K), (i, 1, n))
BOTH = {
    n: 1,
    M: 1,
    K: 2,
    y: _table([[1, 0]]),
    b: _table([[half, half]]),
    p: _table([[Rational(1, 5), Rational(3, 10)]]),
    q: _table([[half, half]]),
}
both_sorts = Setting(
    "both sorts of points",
    given={"guesses": for_each(u, 1, M, Eq(Sum(q[u, k], (k, 1, K)), 1))},
    witness=BOTH,
)
ELL = quantity("ell", is_=SEEN + Sum(log(Sum(p[u, l], (l, 1, K))), (u, 1, M)))
EXPECTED = quantity("Q", is_=SEEN + Sum(q[u, k] * log(p[u, k]), (k, 1, K), (u, 1, M)))
ENTROPY = quantity("H", is_=-Sum(q[u, k] * log(q[u, k]), (k, 1, K), (u, 1, M)))


@proves("thm-semi-bound")
def unified_bound() -> Theorem:
    r"""Derive that one sum over all points, with the entropy, is below the log-likelihood."""
    own = {mixtures.p: Lambda(k, p[u, k]), mixtures.q: Lambda(k, q[u, k])}
    return (
        Derivation("one bound for both sorts of points", setting=both_sorts)
        .start(EXPECTED + ENTROPY)
        .equals(
            SEEN + Sum(Sum(q[u, k] * log(p[u, k] / q[u, k]), (k, 1, K)), (u, 1, M)),
            because="the logarithm of a quotient",
        )
        .at_most(
            SEEN + Sum(log(Sum(p[u, l], (l, 1, K))), (u, 1, M)),
            because="the bound of one point, for each unlabelled one",
            by=termwise(u, by=apply(mixtures.lower_bound(), own)),
        )
        .equals(ELL, because="the log-likelihood")
        .qed()
    )


@proves("lem-semi-bound-tight")
def bound_is_tight() -> Theorem:
    r"""Derive that the bound touches where the guesses are the posterior probabilities."""
    posterior = for_each(u, 1, M, for_each(k, 1, K, Eq(q[u, k], p[u, k] / Sum(p[u, l], (l, 1, K)))))
    return (
        Derivation(
            "the bound touches",
            setting=both_sorts,
            given={"posterior": posterior},
            witness={q: _table([[Rational(2, 5), Rational(3, 5)]])},
        )
        .start(EXPECTED + ENTROPY)
        .equals(
            SEEN + Sum(Sum(q[u, k] * log(p[u, k] / q[u, k]), (k, 1, K)), (u, 1, M)),
            because="the logarithm of a quotient",
        )
        .equals(
            SEEN + Sum(Sum(q[u, k] * log(Sum(p[u, l], (l, 1, K))), (k, 1, K)), (u, 1, M)),
            because="$p_{u,k}/q_{u,k}$ is the density of the point, whatever $k$ is",
            by=termwise(u, by=termwise(k)),
        )
        .equals(ELL, because="the guesses sum to one")
        .qed()
    )


# ------------------------------------------------------------------ self-training

theta, theta_plus = vectors("theta theta^+")
told = function("a", of="vector")
density = function("p", of=["integer", "integer", "vector"])
guess, new_guess = integer_family("c c^+")


@proves("thm-semi-self-training")
def self_training_climbs() -> Theorem:
    r"""Derive that to guess the likeliest labels and to fit to them never lowers the likelihood."""
    relabelled = told(theta) + Sum(log(density(u, new_guess[u], theta)), (u, 1, M))
    refitted = told(theta_plus) + Sum(log(density(u, new_guess[u], theta_plus)), (u, 1, M))
    return (
        Derivation(
            "guess and fit",
            given={
                "positive": for_all((theta, u, k), Gt(density(u, k, theta), 0)),
                "guess": for_each(
                    u, 1, M, Ge(density(u, new_guess[u], theta), density(u, guess[u], theta))
                ),
                "fit": Ge(refitted, relabelled),
            },
            witness={
                M: 1,
                guess: [1],
                new_guess: [2],
                theta: [1],
                theta_plus: [1],
                told: lambda at: norm2(at),
                density: lambda u, k, at: (1 + norm2((k - 1) * at)) / 10,
            },
        )
        .start(refitted)
        .at_least(relabelled, because="the fit to the new guesses is no worse")
        .at_least(
            told(theta) + Sum(log(density(u, guess[u], theta)), (u, 1, M)),
            because="every new guess is at least as likely as the old one",
            by=termwise(u),
        )
        .qed()
    )


# ------------------------------------------------------------------ two views

# One where a classifier errs and zero where it is right, for points of one class.
A, B = random_variables("A B")
epsilon, delta = reals("epsilon delta", positive=True)
FLIP = [(0, half), (1, half)]
views = Setting(
    "two views",
    given={
        "independent": independent(A, B),
        "first rate": Eq(E(A), epsilon),
        "second rate": Eq(E(B), delta),
        "below one": Lt(epsilon, 1),
        "second below one": Lt(delta, 1),
    },
    witness={A: FLIP, B: FLIP, epsilon: half, delta: half},
)
AGREED = epsilon * delta / (epsilon * delta + (1 - epsilon) * (1 - delta))


@proves("thm-semi-agreement")
def agreement() -> Theorem:
    r"""Derive how often two classifiers are wrong where they agree."""
    return (
        Derivation("wrong where they agree", setting=views)
        .start(E(A * B) / E(A * B + (1 - A) * (1 - B)))
        .equals(AGREED, because="the errors are independent")
        .qed()
    )


@proves("lem-semi-agreement-helps")
def agreement_helps() -> Theorem:
    r"""Derive that agreement is better than one classifier if the other beats a coin."""
    return (
        Derivation(
            "agreement helps",
            given={"below one": Lt(epsilon, 1), "better than a coin": Lt(delta, half)},
            witness={epsilon: half, delta: Rational(1, 4)},
        )
        .start(AGREED)
        .less_than(
            epsilon,
            because=r"$\varepsilon(1-\varepsilon)(1-2\delta)$ over the denominator is positive",
        )
        .qed()
    )


# ------------------------------------------------------------------ transductive SVM

offset, offset_plus, t = reals("theta_0 theta_0^+ t")
C, D = reals("C C^'", positive=True)
x, z = vector_family("x z")
point = vectors("z")
sign, side = real_family("y s")


@proves("lem-semi-hinge-of-absolute")
def hinge_of_absolute() -> Theorem:
    r"""Derive that an unlabelled point pays as if it had the label that suits it better."""
    return (
        Derivation("the better of two labels")
        .start(Max(0, 1 - Abs(t)))
        .equals(
            Min(Max(0, 1 - t), Max(0, 1 + t)),
            because=r"$|t|$ is the larger of $t$ and $-t$",
            by=cases(Ge(t, 0), Le(t, 0)),
        )
        .qed()
    )


@proves("lem-semi-tsvm-not-convex")
def not_convex() -> Theorem:
    r"""Derive that the mean of two planes that keep a point outside the margin need not."""
    return prove(
        "not convex",
        And(
            Ge(Abs(dot(-theta, point) - offset), 1),
            Lt(Abs(dot((theta + (-theta)) / 2, point) + (offset - offset) / 2), 1),
        ),
        "the mean is zero",
        given={"outside": Ge(Abs(dot(theta, point) + offset), 1)},
        witness={theta: [1], offset: 0, point: [2]},
    )


# The objective of a plane without weights, by its offset.
level = quantity(
    "J_0",
    t,
    is_=C * Sum(Max(0, 1 - sign[i] * t), (i, 1, n)) + D * Sum(Max(0, 1 - Abs(t)), (u, 1, M)),
)


@proves("lem-semi-tsvm-ridge")
def ridge() -> Theorem:
    r"""Derive that without weights the objective is dearer at offset zero than on both sides."""
    label = reals("s")
    both = prove(
        "a labelled point",
        Eq(Max(0, 1 - label * t) + Max(0, 1 + label * t), 2),
        "neither maximum is zero",
        given={"label": Eq(label**2, 1), "above": Ge(t, -1), "below": Le(t, 1)},
        witness={label: 1, t: half},
        by=cases(Eq(label, 1), Eq(label, -1)),
    )
    given = {
        "labels": for_each(i, 1, n, Eq(sign[i] ** 2, 1)),
        "positive": Gt(t, 0),
        "at most one": Le(t, 1),
    }
    witness = {n: 1, M: 1, C: 1, D: 1, sign: [1], t: half}
    all_labelled = (
        Derivation("all labelled points", given=given, witness=witness)
        .start(Sum(Max(0, 1 - sign[i] * t) + Max(0, 1 + sign[i] * t), (i, 1, n)))
        .equals(
            Sum(2, (i, 1, n)), because="each pays two", by=termwise(i, by=using(both(s=sign[i])))
        )
        .equals(2 * n, because="count")
        .qed()
    )
    free = prove(
        "an unlabelled point",
        Eq(Max(0, 1 - Abs(t)), 1 - t),
        "it is inside the margin",
        given={"positive": Gt(t, 0), "at most one": Le(t, 1)},
        witness={t: half},
    )
    return (
        Derivation("a ridge", given=given, witness=witness)
        .start((level(t) + level(-t)) / 2)
        .equals(
            half * C * Sum(Max(0, 1 - sign[i] * t) + Max(0, 1 + sign[i] * t), (i, 1, n))
            + D * Sum(Max(0, 1 - Abs(t)), (u, 1, M)),
            because="collect; $|-t|=|t|$",
        )
        .equals(
            C * n + D * Sum(Max(0, 1 - Abs(t)), (u, 1, M)),
            because="on the two sides together a labelled point pays two",
            by=using(all_labelled),
        )
        .equals(
            C * n + D * Sum(1 - t, (u, 1, M)),
            because="on either side an unlabelled point pays $1-t$",
            by=using(free),
        )
        .equals(level(0) - D * M * t, because="at zero every point pays one")
        .qed()
    )


def _labelled_cost(weights: Any, shift: Any) -> Any:
    slack = Sum(Max(0, 1 - sign[i] * (dot(weights, x[i]) + shift)), (i, 1, n))
    return half * norm2(weights) + C * slack


def _free_slack(weights: Any, shift: Any) -> Any:
    return Sum(Max(0, 1 - Abs(dot(weights, z[u]) + shift)), (u, 1, M))


def _guessed_slack(weights: Any, shift: Any) -> Any:
    return Sum(Max(0, 1 - side[u] * (dot(weights, z[u]) + shift)), (u, 1, M))


transductive = quantity(
    "J", theta, offset, is_=_labelled_cost(theta, offset) + D * _free_slack(theta, offset)
)
guessed = quantity(
    "G", theta, offset, is_=_labelled_cost(theta, offset) + D * _guessed_slack(theta, offset)
)


def _guess_costs() -> Theorem:
    """Derive that a guessed label never pays less than the better one."""
    label = reals("s")
    larger = prove(
        "a sign",
        Le(label * t, Abs(t)),
        "a sign",
        given={"sign": Eq(label**2, 1)},
        witness={label: 1, t: 1},
        by=cases(Eq(label, 1), Eq(label, -1)),
    )
    return (
        Derivation("a guess costs", given={"sign": Eq(label**2, 1)}, witness={label: 1, t: 1})
        .start(Max(0, 1 - Abs(t)))
        .at_most(Max(0, 1 - label * t), because="a sign", by=using(larger))
        .qed()
    )


@proves("thm-semi-tsvm-descent")
def tsvm_descent() -> Theorem:
    r"""Derive that to guess the sides and to fit a margin to them never raises the objective."""
    return (
        Derivation(
            "guess the sides, fit the margin",
            given={
                "signs": for_each(u, 1, M, Eq(side[u] ** 2, 1)),
                "sides": for_each(
                    u,
                    1,
                    M,
                    Eq(side[u] * (dot(theta, z[u]) + offset), Abs(dot(theta, z[u]) + offset)),
                ),
                "fit": Le(guessed(theta_plus, offset_plus), guessed(theta, offset)),
            },
            witness={
                n: 1,
                M: 1,
                C: 1,
                D: 1,
                theta: [1],
                theta_plus: [1],
                offset: 0,
                offset_plus: 0,
                x: [[1]],
                z: [[-1]],
                sign: [1],
                side: [-1],
            },
        )
        .start(transductive(theta_plus, offset_plus))
        .at_most(
            guessed(theta_plus, offset_plus),
            because="a guess can only cost: no signed value is above the absolute one",
            by=termwise(
                u,
                by=using(
                    _guess_costs()(s=side[u], t=dot(theta_plus, z[u]) + offset_plus),
                ),
            ),
        )
        .at_most(guessed(theta, offset), because="the fit")
        .equals(
            transductive(theta, offset),
            because="the guesses are the sides on which the points lie",
            by=termwise(u),
        )
        .qed()
    )


# ------------------------------------------------------------------ a graph

w = real_family("w", nonnegative=True)
f, other = real_family("f f^'")
mark = real_family("lambda")
mean, bound = reals("m beta")
degree = reals("omega", positive=True)
SYMMETRIC = for_each(i, 1, n, for_each(j, 1, n, Eq(w[i, j], w[j, i])))


def _energy(of: Any) -> Any:
    return half * Sum(w[i, j] * (of(i) - of(j)) ** 2, (j, 1, n), (i, 1, n))


def _residual(of: Any, i: Any) -> Any:
    return Sum(w[i, j] * (of(i) - of(j)), (j, 1, n))


def f_of(i: Any) -> Any:
    """Return the number at a node."""
    return f[i]


def other_of(i: Any) -> Any:
    """Return the number of another function at a node."""
    return other[i]


# Two nodes, the second of which has a label.
EDGE = {n: 2, w: _table([[0, 1], [1, 0]]), mark: [0, 1], f: [1, 1], other: [1, 1]}
energy = quantity("D", f, is_=_energy(f_of))
graph = Setting("graph", given={"symmetric": SYMMETRIC}, witness=EDGE)
harmonic = Setting(
    "harmonic function",
    bases=[graph],
    given={
        "harmonic": for_each(i, 1, n, Implies(Eq(mark[i], 0), Eq(_residual(f_of, i), 0))),
    },
)


@proves("lem-semi-residual")
def energy_and_residual() -> Theorem:
    r"""Derive the sum over edges of products of differences as one over nodes."""
    return (
        Derivation("edges and nodes", setting=graph)
        .start(half * Sum(w[i, j] * (other[i] - other[j]) * (f[i] - f[j]), (j, 1, n), (i, 1, n)))
        .equals(
            half * Sum(w[i, j] * other[i] * (f[i] - f[j]), (j, 1, n), (i, 1, n))
            + half * Sum(w[i, j] * other[j] * (f[j] - f[i]), (j, 1, n), (i, 1, n)),
            because="multiply out",
        )
        .equals(
            Sum(other[i] * _residual(f_of, i), (i, 1, n)),
            because="the two sums are equal: exchange the names of the nodes",
        )
        .qed()
    )


@proves("lem-semi-energy-expansion")
def energy_expansion() -> Theorem:
    r"""Derive the energy of one function from that of another and of their difference."""
    change = Lambda(i, other[i] - f[i])
    return (
        Derivation("from one function to another", setting=graph)
        .start(_energy(other_of))
        .equals(
            _energy(f_of)
            + _energy(lambda i: other[i] - f[i])
            + Sum(
                w[i, j] * ((other[i] - f[i]) - (other[j] - f[j])) * (f[i] - f[j]),
                (j, 1, n),
                (i, 1, n),
            ),
            because="expand the squares",
        )
        .equals(
            _energy(f_of)
            + _energy(lambda i: other[i] - f[i])
            + 2 * Sum((other[i] - f[i]) * _residual(f_of, i), (i, 1, n)),
            because="edges and nodes",
            by=using(apply(energy_and_residual(), {other: change})),
        )
        .qed()
    )


AT_NODE = {"first": Ge(k, 1), "last": Le(k, n)}
with as_written():
    REPLACED = for_each(i, 1, n, Eq(other[i], f[i] + KroneckerDelta(i, k) * (mean - f[k])))
NODE = Setting(
    "one node",
    bases=[graph],
    given={
        **AT_NODE,
        "no loop": Eq(w[k, k], 0),
        "degree": Eq(Sum(w[k, j], (j, 1, n)), degree),
        "average": Eq(Sum(w[k, j] * f[j], (j, 1, n)), degree * mean),
        "others": REPLACED,
    },
    witness={k: 1, degree: 1, mean: 1},
)


def _balanced() -> Theorem:
    """Derive that the new number is the average of the neighbours, after as before."""
    return (
        Derivation("the new number is an average", setting=NODE)
        .start(_residual(other_of, k))
        .equals(
            Sum(w[k, j] * (mean - f[j]), (j, 1, n)) - w[k, k] * (mean - f[k]),
            because="only the number at the node is new",
        )
        .equals(0, because="the average")
        .qed()
    )


def _nothing_across() -> Theorem:
    """Derive that the change at the node and the new residuals are orthogonal."""
    return (
        Derivation("the change is orthogonal", setting=NODE)
        .start(Sum((f[i] - other[i]) * _residual(other_of, i), (i, 1, n)))
        .equals(
            Sum(KroneckerDelta(i, k) * (f[k] - mean) * _residual(other_of, i), (i, 1, n)),
            because="only one number is new",
            by=termwise(i),
        )
        .equals((f[k] - mean) * _residual(other_of, k), because="one term is left")
        .equals(0, because="the new number is an average", by=using(apply(_balanced())))
        .qed()
    )


def _own_energy() -> Theorem:
    """Derive the energy of the change at one node."""
    return (
        Derivation("the energy of the change", setting=NODE)
        .start(_energy(lambda i: f[i] - other[i]))
        .equals(
            _energy(lambda i: KroneckerDelta(i, k) * (f[k] - mean)),
            because="only one number is new",
            by=termwise(i, by=termwise(j)),
        )
        .equals(
            half * (f[k] - mean) ** 2 * (Sum(w[k, j], (j, 1, n)) + Sum(w[i, k], (i, 1, n))),
            because="the edges of the node",
        )
        .equals(degree * (f[k] - mean) ** 2, because="the degree")
        .qed()
    )


@proves("thm-semi-average-step")
def average_step() -> Theorem:
    r"""Derive by how much the energy falls if a node gets the average of its neighbours."""
    return (
        Derivation("one average", setting=NODE)
        .start(energy(f))
        .equals(
            energy(other)
            + _energy(lambda i: f[i] - other[i])
            + 2 * Sum((f[i] - other[i]) * _residual(other_of, i), (i, 1, n)),
            because="from one function to another",
            by=apply(energy_expansion(), {f: other, other: f}),
        )
        .equals(
            energy(other) + _energy(lambda i: f[i] - other[i]),
            because="the new number is an average: its residual vanishes",
            by=using(apply(_nothing_across())),
        )
        .equals(
            energy(other) + degree * (f[k] - mean) ** 2,
            because="only the edges of the node change",
            by=using(apply(_own_energy())),
        )
        .qed()
    )


def _not_negative(of: Any) -> Theorem:
    """Derive that an energy is not negative."""
    return (
        Derivation("an energy")
        .start(_energy(of))
        .at_least(
            half * Sum(Sum(0, (j, 1, n)), (i, 1, n)),
            because="no term is negative",
            by=termwise(i, by=termwise(j)),
        )
        .equals(0, because="zeros")
        .qed()
    )


SAME = {"same labels": for_each(i, 1, n, Implies(Ne(mark[i], 0), Eq(other[i], f[i])))}


def _change_or_residual() -> Theorem:
    """Derive that at each node the change or the residual vanishes."""
    return prove(
        "nothing changes at a label",
        Eq((other[k] - f[k]) * _residual(f_of, k), 0),
        "a node has a label or none",
        setting=harmonic,
        given={**SAME, **AT_NODE},
        witness={k: 1},
        by=cases(Ne(mark[k], 0), Eq(mark[k], 0)),
    )


def _orthogonal() -> Theorem:
    """Derive that change and residuals are orthogonal."""
    return (
        Derivation("the change is orthogonal", setting=harmonic, given=SAME)
        .start(Sum((other[i] - f[i]) * _residual(f_of, i), (i, 1, n)))
        .equals(
            Sum(0, (i, 1, n)),
            because="at each node one factor vanishes",
            by=termwise(i, by=using(apply(_change_or_residual(), {k: i}))),
        )
        .equals(0, because="a sum of zeros")
        .qed()
    )


@proves("lem-semi-pythagoras")
def pythagoras() -> Theorem:
    r"""Derive by how much a function with the same labels has more energy than a harmonic one."""
    return (
        Derivation("energies add up", setting=harmonic, given=SAME)
        .start(_energy(other_of))
        .equals(
            _energy(f_of)
            + _energy(lambda i: other[i] - f[i])
            + 2 * Sum((other[i] - f[i]) * _residual(f_of, i), (i, 1, n)),
            because="from one function to another",
            by=using(apply(energy_expansion())),
        )
        .equals(
            _energy(f_of) + _energy(lambda i: other[i] - f[i]),
            because="at each node the change or the residual vanishes",
            by=using(apply(_orthogonal())),
        )
        .qed()
    )


@proves("thm-semi-least-energy")
def least_energy() -> Theorem:
    r"""Derive that no function with the same labels has less energy than a harmonic one."""
    return (
        Derivation("the least energy", setting=harmonic, given=SAME)
        .start(energy(other))
        .equals(
            energy(f) + _energy(lambda i: other[i] - f[i]),
            because="energies add up",
            by=apply(pythagoras()),
        )
        .at_least(
            energy(f),
            because="an energy is not negative",
            by=using(apply(_not_negative(lambda i: other[i] - f[i]))),
        )
        .qed()
    )


FLAT = {
    "flat": Le(_energy(f_of), 0),
    **AT_NODE,
    "second first": Ge(l, 1),
    "second last": Le(l, n),
    "edge": Gt(w[k, l], 0),
}


def _one_edge() -> Theorem:
    """Derive that the term of one edge is at most all of them."""
    row = Lambda(i, Sum(w[i, j] * (f[i] - f[j]) ** 2, (j, 1, n)))
    cell = Lambda(j, w[k, j] * (f[k] - f[j]) ** 2)
    given = {name: FLAT[name] for name in ("first", "last", "second first", "second last")}
    return (
        Derivation("one edge of all", given=given, witness={**EDGE, k: 1, l: 2})
        .start(2 * _energy(f_of))
        .equals(Sum(Sum(w[i, j] * (f[i] - f[j]) ** 2, (j, 1, n)), (i, 1, n)), because="twice")
        .at_least(
            Sum(w[k, j] * (f[k] - f[j]) ** 2, (j, 1, n)),
            because="one node",
            by=apply(library.one_term(), {library.f: row, library.k: k}),
        )
        .at_least(
            w[k, l] * (f[k] - f[l]) ** 2,
            because="one edge",
            by=apply(library.one_term(), {library.f: cell, library.k: l}),
        )
        .qed()
    )


@proves("lem-semi-flat-edge")
def flat_edge() -> Theorem:
    r"""Derive that a function without energy has the same number at both ends of an edge."""
    square = prove(
        "no square",
        Le((f[k] - f[l]) ** 2, 0),
        "the weight is positive",
        given=FLAT,
        witness={**EDGE, k: 1, l: 2},
        by=using(apply(_one_edge())),
    )
    return (
        Derivation("across an edge", given=FLAT, witness={**EDGE, k: 1, l: 2})
        .start(f[k])
        .equals(f[l], because="a sum of squares vanishes only with each of them", by=using(square))
        .qed()
    )


T = integers("T", positive=True)
r = indices("r")
node = integer_family("v")
PATH = {
    "from one": for_each(r, 0, T, Ge(node[r], 1)),
    "to n": for_each(r, 0, T, Le(node[r], n)),
    "edges": for_each(r, 1, T, Gt(w[node[r - 1], node[r]], 0)),
}
STEP = {T: 1, node: {0: 1, 1: 2}}


@proves("lem-semi-flat-path")
def flat_path() -> Theorem:
    r"""Derive that a function without energy has the same number at both ends of a path."""
    return (
        Derivation(
            "along a path", given={"flat": Le(_energy(f_of), 0), **PATH}, witness={**EDGE, **STEP}
        )
        .start(f[node[0]])
        .equals(
            f[node[T]] + Sum(f[node[r - 1]] - f[node[r]], (r, 1, T)),
            because="the differences telescope",
        )
        .equals(
            f[node[T]] + Sum(0, (r, 1, T)),
            because="across an edge nothing changes",
            by=termwise(r, by=using(apply(flat_edge(), {k: node[r - 1], l: node[r]}))),
        )
        .equals(f[node[T]], because="a sum of zeros")
        .qed()
    )


def _same_at_a_label() -> Theorem:
    """Derive that the two functions agree at one labelled node."""
    return (
        Derivation(
            "the same label",
            given={**SAME, **AT_NODE, "labelled": Ne(mark[k], 0)},
            witness={**EDGE, k: 2},
        )
        .start(other[k] - f[k])
        .equals(0, because="the same label")
        .qed()
    )


@proves("thm-semi-unique")
def unique() -> Theorem:
    r"""Derive that two harmonic functions with the same labels agree wherever a path leads."""
    change = Lambda(i, other[i] - f[i])
    other_harmonic = for_each(i, 1, n, Implies(Eq(mark[i], 0), Eq(_residual(other_of, i), 0)))
    given = {**SAME, "also harmonic": other_harmonic}
    flat = prove(
        "no energy",
        Le(_energy(lambda i: other[i] - f[i]), 0),
        "each has the least energy",
        setting=harmonic,
        given=given,
        by=using(apply(pythagoras()), apply(pythagoras(), {f: other, other: f})),
    )
    return (
        Derivation(
            "one harmonic function",
            setting=harmonic,
            given={**given, **PATH, "end": Ne(mark[node[T]], 0)},
            witness=STEP,
        )
        .start(other[node[0]] - f[node[0]])
        .equals(
            other[node[T]] - f[node[T]],
            because="along a path nothing changes",
            by=using(apply(flat), apply(flat_path(), {f: change})),
        )
        .equals(
            0,
            because="at its end both have the label",
            by=using(apply(_same_at_a_label(), {k: node[T]})),
        )
        .hence(Eq(other[node[0]], f[node[0]]), because="the difference is zero")
        .qed()
    )


BELOW = {"labels": for_each(i, 1, n, Implies(Ne(mark[i], 0), Le(f[i], bound)))}


def _excess(i: Any) -> Any:
    return Max(0, f[i] - bound)


def _excess_varies_less() -> Theorem:
    """Derive that what exceeds a bound varies no more than the numbers themselves."""
    s, t, b = reals("s t b")
    difference = Max(0, s - b) - Max(0, t - b)
    return prove(
        "the excess varies less",
        Le(difference**2, difference * (s - t)),
        "by cases",
        witness={},
        by=cases(
            And(Ge(s, b), Ge(t, b)),
            And(Ge(s, b), Le(t, b)),
            And(Le(s, b), Ge(t, b)),
            And(Le(s, b), Le(t, b)),
        ),
    )


def _no_excess_and_residual() -> Theorem:
    """Derive that at each node the excess or the residual vanishes."""
    return prove(
        "no excess at a label",
        Eq(_excess(k) * _residual(f_of, k), 0),
        "by cases",
        setting=harmonic,
        given={**BELOW, **AT_NODE},
        witness={k: 1, bound: 1},
        by=cases(Ne(mark[k], 0), Eq(mark[k], 0)),
    )


def _no_excess() -> Theorem:
    """Derive that the excess over the labels has no energy."""
    return (
        Derivation("the excess has no energy", setting=harmonic, given=BELOW, witness={bound: 1})
        .start(_energy(_excess))
        .at_most(
            half * Sum(w[i, j] * (_excess(i) - _excess(j)) * (f[i] - f[j]), (j, 1, n), (i, 1, n)),
            because="the excess varies no more than the function",
            by=termwise(
                i, by=termwise(j, by=using(_excess_varies_less()(s=f[i], t=f[j], b=bound)))
            ),
        )
        .equals(
            Sum(_excess(i) * _residual(f_of, i), (i, 1, n)),
            because="edges and nodes",
            by=apply(energy_and_residual(), {other: Lambda(i, _excess(i))}),
        )
        .equals(
            Sum(0, (i, 1, n)),
            because="at each node the excess or the residual vanishes",
            by=termwise(i, by=using(apply(_no_excess_and_residual(), {k: i}))),
        )
        .equals(0, because="a sum of zeros")
        .qed()
    )


@proves("thm-semi-maximum-principle")
def maximum_principle() -> Theorem:
    r"""Derive that a harmonic function is nowhere above the largest label."""
    return (
        Derivation(
            "the maximum principle",
            setting=harmonic,
            given={**BELOW, **PATH, "end": Ne(mark[node[T]], 0)},
            witness={**STEP, bound: 1},
        )
        .start(f[node[0]])
        .at_most(bound + _excess(node[0]), because="what exceeds the bound is the excess")
        .equals(
            bound + _excess(node[T]),
            because="along a path the excess does not change, for it has no energy",
            by=using(apply(_no_excess()), apply(flat_path(), {f: Lambda(i, _excess(i))})),
        )
        .equals(bound, because="at its end there is a label, and no excess")
        .qed()
    )
