"""Why AdaBoost's training error falls: the error is at most exp(−2 Σ (½ − ε_m)²).

Round m meets the weights ``w[m - 1, i]``, finds predictions ``h[m, i]`` of ±1 with weighted error
``epsilon[m]``, gives them the vote ``alpha[m]`` and leaves the weights ``w[m, i]``. The bound needs
0 < ε_m < 1; only a vote that helps (α_m > 0) needs ε_m < ½.
"""

from __future__ import annotations

from typing import Any

from sympy import Lambda

from mlnotes.proof import (
    Derivation,
    Eq,
    Ge,
    Gt,
    Le,
    Lt,
    Ne,
    Product,
    Rational,
    Sum,
    Theorem,
    apply,
    cases,
    exp,
    for_each,
    indicator,
    indices,
    induction,
    integers,
    log,
    minimised_at,
    monotone,
    real_family,
    reals,
    sqrt,
    termwise,
    using,
)
from mlnotes.theorems import proves

half = Rational(1, 2)
n, M = integers("n M", positive=True)
i, m, r, point = indices("i m r t")
y, h, alpha, w, epsilon = real_family("y h alpha w epsilon")
Z = real_family("Z", positive=True)
v, g = real_family("v g")
p, q, s = reals("p q s")
a = reals("alpha")
error = reals("epsilon")


def score(i: Any, rounds: Any = M) -> Any:
    """Return the sum of the votes for point i."""
    return Sum(alpha[m] * h[m, i], (m, 1, rounds))


START = for_each(i, 1, n, Eq(w[0, i], 1 / n))
REWEIGHTED = for_each(
    m,
    1,
    M,
    for_each(i, 1, n, Eq(w[m, i], w[m - 1, i] * exp(-alpha[m] * y[i] * h[m, i]) / Z[m])),
)
NORMALISED = for_each(
    m, 1, M, Eq(Z[m], Sum(w[m - 1, i] * exp(-alpha[m] * y[i] * h[m, i]), (i, 1, n)))
)
WRONG = indicator(Ne(y[i], h[m, i]))
ROUNDS = [
    for_each(i, 1, n, Eq(y[i] ** 2, 1)),
    for_each(m, 1, M, for_each(i, 1, n, Eq(h[m, i] ** 2, 1))),
    START,
    REWEIGHTED,
    NORMALISED,
    for_each(m, 1, M, Eq(epsilon[m], Sum(w[m - 1, i] * WRONG, (i, 1, n)))),
    for_each(m, 1, M, Gt(epsilon[m], 0)),
    for_each(m, 1, M, Lt(epsilon[m], 1)),
    for_each(m, 1, M, Eq(alpha[m], log((1 - epsilon[m]) / epsilon[m]) / 2)),
]
# Four points with labels +, +, +, - and one constant classifier: weighted error 1/4.
ONE_ROUND = {
    n: 4,
    M: 1,
    y: [1, 1, 1, -1],
    h: {(1, i): 1 for i in (1, 2, 3, 4)},
    alpha: [log(3) / 2],
    Z: [sqrt(3) / 2],
    w: {
        **{(0, i): Rational(1, 4) for i in (1, 2, 3, 4)},
        **{(1, i): Rational(1, 6) for i in (1, 2, 3)},
        (1, 4): half,
    },
    epsilon: [Rational(1, 4)],
}


@proves("lem-adaboost-unrolled-weights")
def unrolled_weights() -> Theorem:
    r"""Derive the weights after $M$ rounds from the scores, by induction over the rounds."""
    return (
        Derivation(
            "unrolled weights",
            given=[START, REWEIGHTED, Ge(point, 1), Le(point, n)],
            witness={**ONE_ROUND, point: 2},
        )
        .start(w[M, point])
        .equals(
            exp(-y[point] * score(point)) / (n * Product(Z[m], (m, 1, M))),
            because="each round multiplies by one exponential and divides by one $Z_m$",
            by=induction(None, M),
        )
        .qed()
    )


@proves("lem-zero-one-under-exponential")
def zero_one_under_exponential() -> Theorem:
    r"""Derive that the 0–1 loss lies under the exponential loss."""
    return (
        Derivation("0–1 loss under exponential loss")
        .start(indicator(Le(s, 0)))
        .at_most(
            exp(-s),
            because=r"for $s\le 0$ the exponential is at least $1$, elsewhere it is positive",
        )
        .qed()
    )


@proves("lem-adaboost-weights-sum-to-one")
def weights_sum_to_one() -> Theorem:
    r"""Derive that the weights after $r$ rounds sum to one, by induction over the rounds."""
    return (
        Derivation(
            "weights sum to one",
            given=[START, REWEIGHTED, NORMALISED, Ge(r, 0), Le(r, M)],
            witness={**ONE_ROUND, r: 1},
        )
        .start(Sum(w[r, i], (i, 1, n)))
        .equals(
            1,
            because="they start as $1/n$ each, and every round divides by their sum",
            by=induction(None, r),
        )
        .qed()
    )


@proves("thm-adaboost-error-under-normalisers")
def error_under_normalisers() -> Theorem:
    r"""Derive that the training error is at most $\prod_m Z_m$."""
    product = Product(Z[m], (m, 1, M))
    return (
        Derivation(
            "training error under the product of normalisers",
            given=[START, REWEIGHTED, NORMALISED],
            witness=ONE_ROUND,
        )
        .start(Sum(indicator(Le(y[i] * score(i), 0)), (i, 1, n)) / n)
        .at_most(
            Sum(exp(-y[i] * score(i)), (i, 1, n)) / n,
            because="the 0–1 loss lies under the exponential loss, point by point",
            by=termwise(i, by=apply(zero_one_under_exponential(), {s: y[i] * score(i)})),
        )
        .equals(
            Sum(n * w[M, i] * product, (i, 1, n)) / n,
            because="the unrolled weights, multiplied out",
            by=termwise(i, by=using(apply(unrolled_weights(), {point: i}))),
        )
        .equals(product * Sum(w[M, i], (i, 1, n)), because="take the common factors out")
        .equals(
            product, because="the weights sum to one", by=using(apply(weights_sum_to_one(), {r: M}))
        )
        .qed()
    )


@proves("lem-adaboost-one-vote")
def one_vote() -> Theorem:
    r"""Derive the factor of one point: $e^{-\alpha}$ if right and $e^\alpha$ if wrong."""
    wrong = indicator(Ne(p, q))
    return (
        Derivation(
            "the factor of one point", given=[Eq(p**2, 1), Eq(q**2, 1)], witness={p: 1, q: -1}
        )
        .start(exp(-a * p * q))
        .equals(
            exp(-a * (1 - 2 * wrong)),
            because="two signs are equal, with product $1$, or opposite, with product $-1$",
            by=monotone(exp, by=cases(Eq(p, q), Eq(p, -q))),
        )
        .equals((1 - wrong) * exp(-a) + wrong * exp(a), because="an indicator is zero or one")
        .qed()
    )


@proves("lem-adaboost-normaliser")
def normaliser() -> Theorem:
    r"""Derive $\sum_i v_ie^{-\alpha y_ig_i}=(1-\varepsilon)e^{-\alpha}+\varepsilon e^\alpha$."""
    wrong = indicator(Ne(y[i], g[i]))
    return (
        Derivation(
            "the normaliser of a round",
            given=[
                for_each(i, 1, n, Eq(y[i] ** 2, 1)),
                for_each(i, 1, n, Eq(g[i] ** 2, 1)),
                Eq(Sum(v[i], (i, 1, n)), 1),
                Eq(Sum(v[i] * wrong, (i, 1, n)), error),
            ],
            witness={
                n: 4,
                y: [1, 1, 1, -1],
                g: [1, 1, 1, 1],
                v: [Rational(1, 4)] * 4,
                error: Rational(1, 4),
            },
        )
        .start(Sum(v[i] * exp(-a * y[i] * g[i]), (i, 1, n)))
        .equals(
            Sum(v[i] * ((1 - wrong) * exp(-a) + wrong * exp(a)), (i, 1, n)),
            because="point by point, right or wrong",
            by=termwise(i, by=using(apply(one_vote(), {p: y[i], q: g[i]}))),
        )
        .equals(
            (Sum(v[i], (i, 1, n)) - Sum(v[i] * wrong, (i, 1, n))) * exp(-a)
            + Sum(v[i] * wrong, (i, 1, n)) * exp(a),
            because="take the two exponentials out of the sums",
        )
        .equals(
            (1 - error) * exp(-a) + error * exp(a),
            because=r"the weights sum to one and their mistakes to $\varepsilon$",
        )
        .qed()
    )


BETWEEN = [Gt(error, 0), Lt(error, 1)]


@proves("lem-adaboost-vote")
def best_vote() -> Theorem:
    r"""Derive that the vote $\frac12\log\frac{1-\varepsilon}\varepsilon$ makes $Z$ least."""
    best = log((1 - error) / error) / 2
    return (
        Derivation("the minimising vote", given=BETWEEN, witness={error: Rational(1, 4)})
        .start((1 - error) * exp(-a) + error * exp(a))
        .at_least(
            (1 - error) * exp(-best) + error * exp(best),
            because="convex in $\\alpha$, with slope zero at this vote",
            by=minimised_at(a, best),
        )
        .equals(
            2 * sqrt(error * (1 - error)),
            because=r"$e^{\alpha}=\sqrt{(1-\varepsilon)/\varepsilon}$ at this vote",
        )
        .qed()
    )


VOTE = Eq(a, log((1 - error) / error) / 2)
VOTED = {error: Rational(1, 4), a: log(3) / 2}


@proves("lem-adaboost-vote-exponential")
def vote_exponential() -> Theorem:
    r"""Derive $e^\alpha=\sqrt{(1-\varepsilon)/\varepsilon}$ for AdaBoost's vote."""
    return (
        Derivation("the exponential of the vote", given=[*BETWEEN, VOTE], witness=VOTED)
        .start(exp(a))
        .equals(
            sqrt((1 - error) / error),
            because="half a logarithm is the logarithm of the root",
            by=monotone(exp),
        )
        .qed()
    )


@proves("lem-adaboost-least-normaliser")
def least_normaliser() -> Theorem:
    r"""Derive the normaliser at AdaBoost's vote, $2\sqrt{\varepsilon(1-\varepsilon)}$."""
    return (
        Derivation("the least normaliser", given=[*BETWEEN, VOTE], witness=VOTED)
        .start((1 - error) * exp(-a) + error * exp(a))
        .equals(
            (1 - error) / sqrt((1 - error) / error) + error * sqrt((1 - error) / error),
            because=r"$e^{\alpha}=\sqrt{(1-\varepsilon)/\varepsilon}$ at this vote",
            by=using(apply(vote_exponential())),
        )
        .equals(2 * sqrt(error * (1 - error)), because="both terms are the same root")
        .qed()
    )


@proves("lem-adaboost-normaliser-bound")
def normaliser_bound() -> Theorem:
    r"""Derive $2\sqrt{\varepsilon(1-\varepsilon)}\le e^{-2(1/2-\varepsilon)^2}$."""
    return (
        Derivation("a round's factor", given=BETWEEN, witness={error: Rational(1, 4)})
        .start(2 * sqrt(error * (1 - error)))
        .equals(sqrt(1 - 4 * (half - error) ** 2), because="complete the square under the root")
        .at_most(
            sqrt(exp(-4 * (half - error) ** 2)),
            because=r"$1-u\le e^{-u}$ with $u=4(\frac12-\varepsilon)^2$",
            by=monotone(sqrt),
        )
        .equals(exp(-2 * (half - error) ** 2), because="the root halves the exponent")
        .qed()
    )


@proves("thm-adaboost-training-error")
def training_error() -> Theorem:
    r"""Derive that the training error is at most $\exp(-2\sum_m(\frac12-\varepsilon_m)^2)$."""
    edges = Sum((half - epsilon[m]) ** 2, (m, 1, M))
    return (
        Derivation(
            "training error of AdaBoost",
            given=ROUNDS,
            witness=ONE_ROUND,
        )
        .start(Sum(indicator(Le(y[i] * score(i), 0)), (i, 1, n)) / n)
        .at_most(
            Product(Z[m], (m, 1, M)),
            because="the training error is at most the product of the normalisers",
            by=apply(error_under_normalisers()),
        )
        .equals(
            Product((1 - epsilon[m]) * exp(-alpha[m]) + epsilon[m] * exp(alpha[m]), (m, 1, M)),
            because=r"each $Z_m$ in terms of the weighted error $\varepsilon_m$",
            by=termwise(
                m,
                by=using(
                    apply(weights_sum_to_one(), {r: m - 1}),
                    apply(
                        normaliser(),
                        {
                            v: Lambda(i, w[m - 1, i]),
                            g: Lambda(i, h[m, i]),
                            a: alpha[m],
                            error: epsilon[m],
                        },
                    ),
                ),
            ),
        )
        .equals(
            Product(2 * sqrt(epsilon[m] * (1 - epsilon[m])), (m, 1, M)),
            because="the vote of each round makes its normaliser least",
            by=termwise(m, by=apply(least_normaliser(), {error: epsilon[m], a: alpha[m]})),
        )
        .at_most(
            Product(exp(-2 * (half - epsilon[m]) ** 2), (m, 1, M)),
            because="each factor is at most the exponential of its edge",
            by=termwise(m, by=apply(normaliser_bound(), {error: epsilon[m]})),
        )
        .equals(exp(-2 * edges), because="a product of exponentials")
        .qed()
    )


@proves("cor-adaboost-weak-learning")
def weak_learning() -> Theorem:
    r"""Derive the bound $e^{-2M\gamma^2}$ when every round has an edge of at least $\gamma$."""
    edge = reals("gamma", positive=True)
    one_edge = (
        Derivation(
            "a squared edge",
            given=[Le(error, half - edge)],
            witness={error: Rational(1, 4), edge: Rational(1, 4)},
        )
        .start(-2 * (half - error) ** 2)
        .at_most(-2 * edge**2, because=r"$\frac12-\varepsilon\ge\gamma>0$ may be squared")
        .qed()
    )
    return (
        Derivation(
            "training error under weak learning",
            given=[*ROUNDS, for_each(m, 1, M, Le(epsilon[m], half - edge))],
            witness={**ONE_ROUND, edge: Rational(1, 4)},
        )
        .start(Sum(indicator(Le(y[i] * score(i), 0)), (i, 1, n)) / n)
        .at_most(
            exp(Sum(-2 * (half - epsilon[m]) ** 2, (m, 1, M))),
            because="the bound on the training error",
            by=apply(training_error()),
        )
        .at_most(
            exp(Sum(-2 * edge**2, (m, 1, M))),
            because=r"every edge $\frac12-\varepsilon_m$ is at least $\gamma>0$",
            by=monotone(exp, by=termwise(m, by=apply(one_edge, {error: epsilon[m]}))),
        )
        .equals(exp(-2 * M * edge**2), because="a constant summed $M$ times")
        .qed()
    )


@proves("lem-adaboost-half-weight")
def half_weight() -> Theorem:
    r"""Derive that a classifier has weighted error one half under the weights it leaves."""
    total = (1 - error) * exp(-a) + error * exp(a)
    return (
        Derivation("half of the new weight", given=[*BETWEEN, VOTE], witness=VOTED)
        .start(error * exp(a) / total)
        .equals(
            error * sqrt((1 - error) / error) / (2 * sqrt(error * (1 - error))),
            because=r"the mistakes' weight and the normaliser at AdaBoost's vote",
            by=using(apply(vote_exponential()), apply(least_normaliser())),
        )
        .equals(half, because="numerator and half the denominator are the same root")
        .qed()
    )
