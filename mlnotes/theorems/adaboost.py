"""Why AdaBoost's training error falls: the error is at most exp(−2 Σ (½ − ε_m)²).

Round m meets the weights ``w[m - 1, i]``, finds predictions ``h[m, i]`` of ±1 with weighted error
``epsilon[m]``, gives them the vote ``alpha[m]`` and leaves the weights ``w[m, i]``. The bound needs
0 < ε_m < 1; only a vote that helps (α_m > 0) needs ε_m < ½. What concerns a single round is said
about any weights ``v[i]`` and predictions ``g[i]``.
"""

from __future__ import annotations

from typing import Any

from mlnotes.proof import (
    Derivation,
    Eq,
    Ge,
    Gt,
    Lambda,
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
    grad,
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
n, M, T = integers("n M T", positive=True)
i, m, r, point, stage, earlier = indices("i m r t t s")
y, h, alpha, w, epsilon = real_family("y h alpha w epsilon")
Z = real_family("Z", positive=True)
v, g, k, F, d, mu = real_family("v g k F d mu")
p, q, s, c, beta, phi, theta, K, P = reals("p q s c beta phi theta K P")
gamma = reals("gamma", positive=True)
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


RUN = [START, REWEIGHTED, NORMALISED]
# One classifier that is right about all four points, with the vote log 2.
ALL_RIGHT = {
    y: [1, 1, 1, 1],
    alpha: [log(2)],
    Z: [half],
    w: {(at, i): Rational(1, 4) for at in (0, 1) for i in (1, 2, 3, 4)},
}


@proves("lem-adaboost-mean-exponential-loss")
def mean_exponential_loss() -> Theorem:
    r"""Derive that the mean exponential loss of the score is exactly $\prod_m Z_m$."""
    product = Product(Z[m], (m, 1, M))
    return (
        Derivation("mean exponential loss", given=RUN, witness=ONE_ROUND)
        .start(Sum(exp(-y[i] * score(i)), (i, 1, n)) / n)
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


@proves("thm-adaboost-error-under-normalisers")
def error_under_normalisers() -> Theorem:
    r"""Derive that the training error is at most $\prod_m Z_m$."""
    return (
        Derivation("training error under the product of normalisers", given=RUN, witness=ONE_ROUND)
        .start(Sum(indicator(Le(y[i] * score(i), 0)), (i, 1, n)) / n)
        .at_most(
            Sum(exp(-y[i] * score(i)), (i, 1, n)) / n,
            because="the 0–1 loss lies under the exponential loss, point by point",
            by=termwise(i, by=apply(zero_one_under_exponential(), {s: y[i] * score(i)})),
        )
        .equals(
            Product(Z[m], (m, 1, M)),
            because="the mean exponential loss is the product of the normalisers",
            by=apply(mean_exponential_loss()),
        )
        .qed()
    )


@proves("thm-adaboost-no-mistake")
def no_mistake() -> Theorem:
    r"""Derive that a vote without a mistake needs normalisers with a product below $1$."""
    return (
        Derivation(
            "no mistake",
            given=[*RUN, for_each(i, 1, n, Gt(y[i] * score(i), 0))],
            witness={**ONE_ROUND, **ALL_RIGHT},
        )
        .start(Product(Z[m], (m, 1, M)))
        .equals(
            Sum(exp(-y[i] * score(i)), (i, 1, n)) / n,
            because="the product of the normalisers is the mean exponential loss",
            by=using(apply(mean_exponential_loss())),
        )
        .less_than(
            Sum(1, (i, 1, n)) / n,
            because=r"$e^{-s}<1$ where $s>0$, point by point",
            by=termwise(i, by=monotone(exp)),
        )
        .equals(1, because="a mean of ones")
        .qed()
    )


@proves("thm-adaboost-margins")
def margins() -> Theorem:
    r"""Derive that a mean exponential loss of $P$ leaves few margins at or below $c$."""
    return (
        Derivation(
            "few small margins",
            given=[Eq(Sum(exp(-mu[i]), (i, 1, n)) / n, P)],
            witness={n: 2, mu: [0, log(2)], P: Rational(3, 4), c: 0},
        )
        .start(Sum(indicator(Le(mu[i] - c, 0)), (i, 1, n)) / n)
        .at_most(
            Sum(exp(-(mu[i] - c)), (i, 1, n)) / n,
            because="the 0–1 loss lies under the exponential loss, also when shifted",
            by=termwise(i, by=apply(zero_one_under_exponential(), {s: mu[i] - c})),
        )
        .equals(
            exp(c) * (Sum(exp(-mu[i]), (i, 1, n)) / n),
            because="the shift is the same for every point",
        )
        .equals(exp(c) * P, because="the mean exponential loss")
        .qed()
    )


@proves("cor-adaboost-normalised-margins")
def normalised_margins() -> Theorem:
    r"""Derive the bound $\prod_me^{\theta\alpha_m}Z_m$ on normalised margins up to $\theta$."""
    total, product = Sum(alpha[m], (m, 1, M)), Product(Z[m], (m, 1, M))
    scaled = (
        Derivation("a margin, normalised", given=[Gt(c, 0)], witness={c: 1})
        .start(indicator(Le(s / c, theta)))
        .equals(
            indicator(Le(s - theta * c, 0)),
            because="multiply by a positive number",
            by=cases(Le(s / c, theta), Gt(s / c, theta)),
        )
        .qed()
    )
    return (
        Derivation(
            "few small normalised margins",
            given=[*RUN, Gt(total, 0)],
            witness={**ONE_ROUND, theta: half},
        )
        .start(Sum(indicator(Le(y[i] * score(i) / total, theta)), (i, 1, n)) / n)
        .equals(
            Sum(indicator(Le(y[i] * score(i) - theta * total, 0)), (i, 1, n)) / n,
            because="multiply by the sum of the votes",
            by=termwise(i, by=using(apply(scaled, {s: y[i] * score(i), c: total}))),
        )
        .at_most(
            exp(theta * total) * product,
            because=r"few small margins, with $c=\theta\sum_m\alpha_m$",
            by=using(
                apply(mean_exponential_loss()),
                apply(
                    margins(),
                    {mu: Lambda(i, y[i] * score(i)), c: theta * total, P: product},
                ),
            ),
        )
        .equals(Product(exp(theta * alpha[m]) * Z[m], (m, 1, M)), because="round by round")
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


@proves("lem-adaboost-product-of-signs")
def product_of_signs() -> Theorem:
    r"""Derive that the product of two signs is $1$ minus twice the indicator of a mistake."""
    return (
        Derivation("two signs", given=[Eq(p**2, 1), Eq(q**2, 1)], witness={p: 1, q: -1})
        .start(p * q)
        .equals(
            1 - 2 * indicator(Ne(p, q)),
            because="equal signs have product $1$, opposite ones $-1$",
            by=cases(Eq(p, q), Eq(p, -q)),
        )
        .qed()
    )


MISTAKE = indicator(Ne(y[i], g[i]))
SIGNS = [for_each(i, 1, n, Eq(y[i] ** 2, 1)), for_each(i, 1, n, Eq(g[i] ** 2, 1))]
WEIGHED = [
    *SIGNS,
    Eq(Sum(v[i], (i, 1, n)), 1),
    Eq(Sum(v[i] * MISTAKE, (i, 1, n)), error),
]
QUARTER_WRONG = {
    n: 4,
    y: [1, 1, 1, -1],
    g: [1, 1, 1, 1],
    v: [Rational(1, 4)] * 4,
    error: Rational(1, 4),
}


@proves("lem-adaboost-edge")
def edge() -> Theorem:
    r"""Derive $\sum_iv_iy_ig_i=1-2\varepsilon$, the correlation of labels and predictions."""
    return (
        Derivation("the edge of a classifier", given=WEIGHED, witness=QUARTER_WRONG)
        .start(Sum(v[i] * y[i] * g[i], (i, 1, n)))
        .equals(
            Sum(v[i] * (1 - 2 * MISTAKE), (i, 1, n)),
            because="point by point, right or wrong",
            by=termwise(i, by=using(apply(product_of_signs(), {p: y[i], q: g[i]}))),
        )
        .equals(Sum(v[i], (i, 1, n)) - 2 * Sum(v[i] * MISTAKE, (i, 1, n)), because="split the sum")
        .equals(
            1 - 2 * error, because=r"the weights sum to one and their mistakes to $\varepsilon$"
        )
        .qed()
    )


@proves("lem-adaboost-normaliser")
def normaliser() -> Theorem:
    r"""Derive $\sum_i v_ie^{-\alpha y_ig_i}=(1-\varepsilon)e^{-\alpha}+\varepsilon e^\alpha$."""
    return (
        Derivation("the normaliser of a round", given=WEIGHED, witness=QUARTER_WRONG)
        .start(Sum(v[i] * exp(-a * y[i] * g[i]), (i, 1, n)))
        .equals(
            Sum(v[i] * ((1 - MISTAKE) * exp(-a) + MISTAKE * exp(a)), (i, 1, n)),
            because="point by point, right or wrong",
            by=termwise(i, by=using(apply(one_vote(), {p: y[i], q: g[i]}))),
        )
        .equals(
            (Sum(v[i], (i, 1, n)) - Sum(v[i] * MISTAKE, (i, 1, n))) * exp(-a)
            + Sum(v[i] * MISTAKE, (i, 1, n)) * exp(a),
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


@proves("lem-adaboost-positive-vote")
def positive_vote() -> Theorem:
    r"""Derive that the vote is positive for a weighted error below one half."""
    given, witness = [Gt(error, 0), Lt(error, half)], {error: Rational(1, 4)}
    odds = (
        Derivation("positive log odds", given=given, witness=witness)
        .start(log((1 - error) / error))
        .greater_than(
            0,
            because=r"$1-\varepsilon>\varepsilon$, so the odds exceed $1$",
            by=monotone(log),
        )
        .qed()
    )
    return (
        Derivation("a positive vote", given=given, witness=witness)
        .start(log((1 - error) / error) / 2)
        .greater_than(0, because="half of a positive number", by=apply(odds))
        .qed()
    )


@proves("lem-adaboost-no-vote")
def no_vote() -> Theorem:
    r"""Derive that the vote is not positive for a weighted error of one half or more."""
    given, witness = [Ge(error, half), Lt(error, 1)], {error: Rational(3, 4)}
    odds = (
        Derivation("log odds not positive", given=given, witness=witness)
        .start(log((1 - error) / error))
        .at_most(
            0,
            because=r"$1-\varepsilon\le\varepsilon$, so the odds are at most $1$",
            by=monotone(log),
        )
        .qed()
    )
    return (
        Derivation("no positive vote", given=given, witness=witness)
        .start(log((1 - error) / error) / 2)
        .at_most(0, because="half of it", by=apply(odds))
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


@proves("lem-exponential-tangent")
def exponential_tangent() -> Theorem:
    r"""Derive $1+a\le e^a$ for every real $a$."""
    return (
        Derivation("the tangent of the exponential at zero")
        .start(1 + s)
        .at_most(exp(s), because="a convex function lies above its tangent")
        .qed()
    )


@proves("lem-logarithm-tangent")
def logarithm_tangent() -> Theorem:
    r"""Derive $\log(1+a)\le a$ for $a>-1$."""
    return (
        Derivation("the tangent of the logarithm at one", given=[Gt(s, -1)], witness={s: 1})
        .start(log(1 + s))
        .at_most(s, because="a concave function lies below its tangent")
        .qed()
    )


@proves("lem-adaboost-normaliser-bound")
def normaliser_bound() -> Theorem:
    r"""Derive $2\sqrt{\varepsilon(1-\varepsilon)}\le e^{-2(1/2-\varepsilon)^2}$."""
    square = 4 * (half - error) ** 2
    return (
        Derivation("a round's factor", given=BETWEEN, witness={error: Rational(1, 4)})
        .start(2 * sqrt(error * (1 - error)))
        .equals(sqrt(1 - 4 * (half - error) ** 2), because="complete the square under the root")
        .at_most(
            sqrt(exp(-4 * (half - error) ** 2)),
            because=r"$1+a\le e^a$ with $a=-4(\frac12-\varepsilon)^2$",
            by=monotone(sqrt, by=apply(exponential_tangent(), {s: -square})),
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


WEAK_LEARNING = [*ROUNDS, for_each(m, 1, M, Le(epsilon[m], half - gamma))]


@proves("cor-adaboost-weak-learning")
def weak_learning() -> Theorem:
    r"""Derive the bound $e^{-2M\gamma^2}$ when every round has an edge of at least $\gamma$."""
    one_edge = (
        Derivation(
            "a squared edge",
            given=[Le(error, half - gamma)],
            witness={error: Rational(1, 4), gamma: Rational(1, 4)},
        )
        .start(-2 * (half - error) ** 2)
        .at_most(-2 * gamma**2, because=r"$\frac12-\varepsilon\ge\gamma>0$ may be squared")
        .qed()
    )
    return (
        Derivation(
            "training error under weak learning",
            given=WEAK_LEARNING,
            witness={**ONE_ROUND, gamma: Rational(1, 4)},
        )
        .start(Sum(indicator(Le(y[i] * score(i), 0)), (i, 1, n)) / n)
        .at_most(
            exp(Sum(-2 * (half - epsilon[m]) ** 2, (m, 1, M))),
            because="the bound on the training error",
            by=apply(training_error()),
        )
        .at_most(
            exp(Sum(-2 * gamma**2, (m, 1, M))),
            because=r"every edge $\frac12-\varepsilon_m$ is at least $\gamma>0$",
            by=monotone(exp, by=termwise(m, by=apply(one_edge, {error: epsilon[m]}))),
        )
        .equals(exp(-2 * M * gamma**2), because="a constant summed $M$ times")
        .qed()
    )


@proves("lem-adaboost-rounds-from-bound")
def rounds_from_bound() -> Theorem:
    r"""Derive how long the bound $e^{-2M\gamma^2}$ leaves room for $K\ge1$ of $n$ mistakes."""
    bound = Le(K / n, exp(-2 * M * gamma**2))
    witness = {n: 4, M: 1, gamma: Rational(1, 4), K: 1}
    logarithms = (
        Derivation("take logarithms", given=[Ge(K, 1), bound], witness=witness)
        .start(-2 * M * gamma**2)
        .at_least(
            -log(n),
            because=r"$e^{-2M\gamma^2}$ is at least $K/n$, which is at least $1/n$",
            by=monotone(log),
        )
        .qed()
    )
    return (
        Derivation("rounds that a bound allows", given=[Ge(K, 1), bound], witness=witness)
        .start(M)
        .at_most(
            log(n) / (2 * gamma**2),
            because=r"divide by $-2\gamma^2$",
            by=using(apply(logarithms)),
        )
        .qed()
    )


MISTAKES_LEFT = Sum(indicator(Le(y[i] * score(i), 0)), (i, 1, n))


@proves("cor-adaboost-rounds-with-a-mistake")
def rounds_with_a_mistake() -> Theorem:
    r"""Derive that a mistake can be left for at most $\log n/(2\gamma^2)$ rounds."""
    return (
        Derivation(
            "rounds with a mistake left",
            given=[*WEAK_LEARNING, Ge(MISTAKES_LEFT, 1)],
            witness={**ONE_ROUND, gamma: Rational(1, 4)},
        )
        .start(M)
        .at_most(
            log(n) / (2 * gamma**2),
            because="the training error under weak learning leaves room for no more",
            by=using(apply(weak_learning()), apply(rounds_from_bound(), {K: MISTAKES_LEFT})),
        )
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


@proves("thm-adaboost-half-weight")
def half_of_the_weight() -> Theorem:
    r"""Derive that the mistakes of the last classifier carry half of the new weights."""
    factor = exp(-a * y[i] * g[i])
    wrong = indicator(Ne(p, q))
    one_mistake = (
        Derivation(
            "the factor of one mistake", given=[Eq(p**2, 1), Eq(q**2, 1)], witness={p: 1, q: -1}
        )
        .start(wrong * exp(-a * p * q))
        .equals(
            wrong * ((1 - wrong) * exp(-a) + wrong * exp(a)),
            because="right or wrong",
            by=using(apply(one_vote())),
        )
        .equals(wrong * exp(a), because="an indicator is its own square")
        .qed()
    )
    return (
        Derivation(
            "half of the new weight is wrong",
            given=[*WEIGHED, *BETWEEN, VOTE],
            witness={**QUARTER_WRONG, **VOTED},
        )
        .start(Sum(v[i] * MISTAKE * factor, (i, 1, n)))
        .equals(
            Sum(v[i] * MISTAKE * exp(a), (i, 1, n)),
            because=r"a mistake is multiplied by $e^\alpha$",
            by=termwise(i, by=using(apply(one_mistake, {p: y[i], q: g[i]}))),
        )
        .equals(error * exp(a), because=r"the mistakes weigh $\varepsilon$")
        .equals(
            error * sqrt((1 - error) / error),
            because="the exponential of the vote",
            by=using(apply(vote_exponential())),
        )
        .equals(sqrt(error * (1 - error)), because="take the error under the root")
        .equals(
            ((1 - error) * exp(-a) + error * exp(a)) / 2,
            because="half of the normaliser",
            by=using(apply(least_normaliser())),
        )
        .equals(
            Sum(v[i] * factor, (i, 1, n)) / 2,
            because="which is the sum of all new weights",
            by=using(apply(normaliser())),
        )
        .qed()
    )


@proves("lem-adaboost-mistake-gains")
def mistake_gains() -> Theorem:
    r"""Derive that one round multiplies the weight of a mistake by $1/(2\varepsilon)$."""
    total = (1 - error) * exp(-a) + error * exp(a)
    return (
        Derivation("what a mistake gains", given=[*BETWEEN, VOTE], witness=VOTED)
        .start(exp(a) / total)
        .equals(
            sqrt((1 - error) / error) / (2 * sqrt(error * (1 - error))),
            because="the exponential of the vote and the normaliser",
            by=using(apply(vote_exponential()), apply(least_normaliser())),
        )
        .equals(1 / (2 * error), because=r"cancel the root of $1-\varepsilon$")
        .qed()
    )


@proves("lem-adaboost-success-loses")
def success_loses() -> Theorem:
    r"""Derive that one round multiplies the weight of a success by $1/(2(1-\varepsilon))$."""
    total = (1 - error) * exp(-a) + error * exp(a)
    return (
        Derivation("what a success loses", given=[*BETWEEN, VOTE], witness=VOTED)
        .start(exp(-a) / total)
        .equals(
            1 / (sqrt((1 - error) / error) * 2 * sqrt(error * (1 - error))),
            because="the exponential of the vote and the normaliser",
            by=using(apply(vote_exponential()), apply(least_normaliser())),
        )
        .equals(1 / (2 * (1 - error)), because=r"cancel the root of $\varepsilon$")
        .qed()
    )


WHOLE_VOTE = Eq(a, log((1 - error) / error))
WHOLE_VOTED = {error: Rational(1, 4), a: log(3)}


@proves("lem-adaboost-whole-vote-exponential")
def whole_vote_exponential() -> Theorem:
    r"""Derive $e^\alpha=(1-\varepsilon)/\varepsilon$ for a vote without the half."""
    return (
        Derivation("a vote without the half", given=[*BETWEEN, WHOLE_VOTE], witness=WHOLE_VOTED)
        .start(exp(a))
        .equals((1 - error) / error, because="the vote is a logarithm", by=monotone(exp))
        .qed()
    )


@proves("thm-adaboost-whole-vote")
def whole_vote() -> Theorem:
    r"""Derive that without the half in the vote the normaliser is $1$, whatever the error."""
    return (
        Derivation(
            "the normaliser without the half", given=[*BETWEEN, WHOLE_VOTE], witness=WHOLE_VOTED
        )
        .start((1 - error) * exp(-a) + error * exp(a))
        .equals(
            (1 - error) * (error / (1 - error)) + error * ((1 - error) / error),
            because="the exponential of the vote and its reciprocal",
            by=using(apply(whole_vote_exponential())),
        )
        .equals(1, because=r"$\varepsilon+(1-\varepsilon)$")
        .qed()
    )


@proves("lem-adaboost-whole-vote-overshoots")
def whole_vote_overshoots() -> Theorem:
    r"""Derive that without the half the last classifier has error $1-\varepsilon$ afterwards."""
    total = (1 - error) * exp(-a) + error * exp(a)
    return (
        Derivation("the overshoot", given=[*BETWEEN, WHOLE_VOTE], witness=WHOLE_VOTED)
        .start(error * exp(a) / total)
        .equals(
            error * ((1 - error) / error),
            because="the normaliser is one",
            by=using(apply(whole_vote_exponential()), apply(whole_vote())),
        )
        .equals(1 - error, because=r"cancel $\varepsilon$")
        .qed()
    )


@proves("lem-adaboost-indicator-factor")
def indicator_factor() -> Theorem:
    r"""Derive that punishing mistakes only, by $e^{2\alpha}$, differs by a constant factor."""
    wrong = indicator(Ne(p, q))
    return (
        Derivation("mistakes only", given=[Eq(p**2, 1), Eq(q**2, 1)], witness={p: 1, q: -1})
        .start(exp(2 * a * wrong))
        .equals(exp(a) * exp(-a * (1 - 2 * wrong)), because=r"split off $e^\alpha$")
        .equals(
            exp(a) * exp(-a * p * q),
            because="the product of two signs",
            by=using(apply(product_of_signs())),
        )
        .qed()
    )


@proves("thm-adaboost-indicator-form")
def indicator_form() -> Theorem:
    r"""Derive that both ways to change the weights agree once the weights are normalised."""
    factor = exp(-a * y[i] * g[i])
    both, only = reals("Z Y", positive=True)
    totals = [
        Eq(Sum(v[i] * factor, (i, 1, n)), both),
        Eq(Sum(v[i] * exp(2 * a * MISTAKE), (i, 1, n)), only),
    ]
    witness = {**QUARTER_WRONG, a: log(3) / 2, both: sqrt(3) / 2, only: Rational(3, 2)}
    proportional = (
        Derivation("both totals", given=[*SIGNS, *totals], witness=witness)
        .start(only)
        .equals(Sum(v[i] * exp(2 * a * MISTAKE), (i, 1, n)), because="mistakes only")
        .equals(
            Sum(v[i] * exp(a) * factor, (i, 1, n)),
            because=r"every factor differs by the same $e^\alpha$",
            by=termwise(i, by=using(apply(indicator_factor(), {p: y[i], q: g[i]}))),
        )
        .equals(exp(a) * Sum(v[i] * factor, (i, 1, n)), because="take it out of the sum")
        .equals(exp(a) * both, because="the other total")
        .qed()
    )
    mistake = indicator(Ne(y[point], g[point]))
    return (
        Derivation(
            "the indicator form",
            given=[*SIGNS, *totals, Ge(point, 1), Le(point, n)],
            witness={**witness, point: 4},
        )
        .start(v[point] * exp(2 * a * mistake) / only)
        .equals(
            v[point] * exp(2 * a * mistake) / (exp(a) * both),
            because=r"the totals differ by the factor $e^\alpha$",
            by=using(apply(proportional)),
        )
        .equals(
            v[point] * exp(a) * exp(-a * y[point] * g[point]) / (exp(a) * both),
            because="and so does every weight",
            by=using(apply(indicator_factor(), {p: y[point], q: g[point]})),
        )
        .equals(v[point] * exp(-a * y[point] * g[point]) / both, because="which cancels")
        .qed()
    )


# Two points of which the constant +1 gets the second wrong, with weights 1 and 3.
STAGE = {
    n: 2,
    y: [1, -1],
    g: [1, 1],
    F: [0, log(3)],
    error: Rational(3, 4),
    reals("W", positive=True): 4,
    beta: -1,
}


@proves("lem-stagewise-loss")
def stagewise_loss() -> Theorem:
    r"""Derive what adding $\beta g$ to a score $F$ does to the exponential loss."""
    u = exp(-y[i] * F[i])
    return (
        Derivation(
            "exponential loss of one more classifier",
            given=SIGNS,
            witness={n: 2, y: [1, -1], g: [1, 1], F: [0, 1], beta: 1},
        )
        .start(Sum(exp(-y[i] * (F[i] + beta * g[i])), (i, 1, n)))
        .equals(
            Sum(u * exp(-beta * y[i] * g[i]), (i, 1, n)),
            because="the earlier score becomes a weight",
        )
        .equals(
            Sum(u * ((1 - MISTAKE) * exp(-beta) + MISTAKE * exp(beta)), (i, 1, n)),
            because="point by point, right or wrong",
            by=termwise(i, by=using(apply(one_vote(), {p: y[i], q: g[i], a: beta}))),
        )
        .equals(
            exp(-beta) * Sum(u, (i, 1, n)) + (exp(beta) - exp(-beta)) * Sum(u * MISTAKE, (i, 1, n)),
            because="collect what the mistakes add",
        )
        .qed()
    )


@proves("thm-stagewise-learner")
def stagewise_learner() -> Theorem:
    r"""Derive that for any $\beta\ge0$ the smaller weighted error gives the smaller loss."""
    u = exp(-y[i] * F[i])
    other = indicator(Ne(y[i], k[i]))
    total = Sum(u, (i, 1, n))
    W, few, many = reals("W U V")
    rises = (
        Derivation("two exponentials", given=[Ge(beta, 0)], witness={beta: 1})
        .start(exp(-beta))
        .at_most(exp(beta), because=r"$-\beta\le\beta$", by=monotone(exp))
        .qed()
    )
    ordered = (
        Derivation(
            "fewer mistakes", given=[Ge(beta, 0), Le(few, many)], witness={beta: 1, few: 1, many: 2}
        )
        .start(exp(-beta) * W + (exp(beta) - exp(-beta)) * few)
        .at_most(
            exp(-beta) * W + (exp(beta) - exp(-beta)) * many,
            because="the factor of the mistakes is not negative",
            by=using(apply(rises)),
        )
        .qed()
    )
    mistakes, others = Sum(u * MISTAKE, (i, 1, n)), Sum(u * other, (i, 1, n))
    return (
        Derivation(
            "the weak learner's task",
            given=[
                *SIGNS,
                for_each(i, 1, n, Eq(k[i] ** 2, 1)),
                Ge(beta, 0),
                Le(mistakes, others),
            ],
            witness={n: 2, y: [1, -1], g: [1, 1], k: [-1, -1], F: [0, -1], beta: 1},
        )
        .start(Sum(exp(-y[i] * (F[i] + beta * g[i])), (i, 1, n)))
        .equals(
            exp(-beta) * total + (exp(beta) - exp(-beta)) * mistakes,
            because="the loss of one more classifier",
            by=apply(stagewise_loss()),
        )
        .at_most(
            exp(-beta) * total + (exp(beta) - exp(-beta)) * others,
            because="fewer mistakes, by weight",
            by=apply(ordered, {W: total, few: mistakes, many: others}),
        )
        .equals(
            Sum(exp(-y[i] * (F[i] + beta * k[i])), (i, 1, n)),
            because="the loss of the other classifier",
            by=using(apply(stagewise_loss(), {g: k})),
        )
        .qed()
    )


@proves("thm-stagewise-vote")
def stagewise_vote() -> Theorem:
    r"""Derive the least exponential loss that adding a multiple of a classifier can reach."""
    W = reals("W", positive=True)
    u = exp(-y[i] * F[i])
    total, missed = Sum(u, (i, 1, n)), Sum(u * MISTAKE, (i, 1, n))
    return (
        Derivation(
            "the vote of a new classifier",
            given=[*SIGNS, Eq(total, W), Eq(missed, error * W), *BETWEEN],
            witness=STAGE,
        )
        .start(Sum(exp(-y[i] * (F[i] + beta * g[i])), (i, 1, n)))
        .equals(
            exp(-beta) * total + (exp(beta) - exp(-beta)) * missed,
            because="the loss of one more classifier",
            by=apply(stagewise_loss()),
        )
        .equals(
            ((1 - error) * exp(-beta) + error * exp(beta)) * W, because="collect the exponentials"
        )
        .at_least(
            2 * sqrt(error * (1 - error)) * W,
            because="no vote has a smaller normaliser",
            by=using(apply(best_vote(), {a: beta})),
        )
        .qed()
    )


@proves("lem-stagewise-slope")
def stagewise_slope() -> Theorem:
    r"""Derive the slope of the exponential loss in the direction of a classifier."""
    return (
        Derivation("slope along a classifier")
        .start(grad(Sum(exp(-y[i] * (F[i] + beta * g[i])), (i, 1, n)), beta))
        .equals(
            -Sum(exp(-y[i] * (F[i] + beta * g[i])) * y[i] * g[i], (i, 1, n)),
            because="differentiate term by term",
        )
        .qed()
    )


@proves("lem-squared-loss-slope")
def squared_loss_slope() -> Theorem:
    r"""Derive that for squared loss the negative gradient is the residual."""
    return (
        Derivation("slope of the squared loss")
        .start(grad(Sum((y[i] - F[i] - beta * g[i]) ** 2, (i, 1, n)) / 2, beta))
        .equals(
            -Sum((y[i] - F[i] - beta * g[i]) * g[i], (i, 1, n)),
            because="differentiate term by term",
        )
        .qed()
    )


# The negative gradient rho at the points, a direction g no longer than it, and the mean of rho in a
# leaf, delta, which a round with the rate eta moves the leaf by.
rho = real_family("rho")
eta, delta = reals("eta delta")


@proves("lem-logistic-loss-slope")
def logistic_loss_slope() -> Theorem:
    r"""Derive the slope of the logistic loss along a function."""
    return (
        Derivation("slope of the logistic loss")
        .start(grad(Sum(log(1 + exp(-y[i] * (F[i] + beta * g[i]))), (i, 1, n)), beta))
        .equals(
            -Sum(y[i] / (1 + exp(y[i] * (F[i] + beta * g[i]))) * g[i], (i, 1, n)),
            because="differentiate term by term",
        )
        .qed()
    )


@proves("thm-steepest-direction")
def steepest_direction() -> Theorem:
    r"""Derive that no direction of the same length descends more steeply than the gradient."""
    square = Sum(rho[i] ** 2, (i, 1, n))
    return (
        Derivation(
            "the steepest direction",
            given={"length": Le(Sum(g[i] ** 2, (i, 1, n)), square)},
            witness={n: 2, g: [1, 0], rho: [1, 1]},
        )
        .start(Sum(rho[i] * g[i], (i, 1, n)))
        .equals(
            square / 2 + Sum(g[i] ** 2, (i, 1, n)) / 2 - Sum((rho[i] - g[i]) ** 2, (i, 1, n)) / 2,
            because="expand the last square",
        )
        .at_most(square, because="$g$ is no longer, and a square is not negative")
        .qed()
    )


@proves("thm-boosting-leaf-step")
def boosting_leaf_step() -> Theorem:
    r"""Derive by how much a round of boosting lowers the squared error in a leaf."""
    squares, total = Sum(rho[i] ** 2, (i, 1, n)), Sum(rho[i], (i, 1, n))
    return (
        Derivation(
            "a step of a leaf",
            given={"mean": Eq(delta, total / n)},
            witness={n: 3, rho: [1, 2, 6], delta: 3, eta: 1},
        )
        .start(Sum((rho[i] - eta * delta) ** 2, (i, 1, n)))
        .equals(squares - 2 * eta * delta * total + n * eta**2 * delta**2, because="expand")
        .equals(
            squares - eta * (2 - eta) * n * delta**2,
            because=r"the residuals sum to $n\delta$",
        )
        .qed()
    )


@proves("lem-cascade-detection")
def cascade_detection() -> Theorem:
    r"""Derive that $T$ stages that miss at most $\varepsilon$ each detect $(1-\varepsilon)^T$."""
    return (
        Derivation(
            "detection rate of a cascade",
            given=[for_each(stage, 1, T, Ge(d[stage], 1 - error)), Le(error, 1)],
            witness={T: 2, d: [Rational(9, 10), 1], error: Rational(1, 5)},
        )
        .start(Product(d[stage], (stage, 1, T)))
        .at_least(Product(1 - error, (stage, 1, T)), because="stage by stage", by=termwise(stage))
        .equals((1 - error) ** T, because="equal factors", by=induction(None, T))
        .qed()
    )


@proves("lem-cascade-cost")
def cascade_cost() -> Theorem:
    r"""Derive the mean number of stages when each passes on a share $\varphi$."""
    return (
        Derivation("mean number of stages", given=[Lt(phi, 1)], witness={phi: half, T: 2})
        .start(Sum(Product(phi, (earlier, 1, stage - 1)), (stage, 1, T)))
        .equals(
            (1 - Product(phi, (earlier, 1, T))) / (1 - phi),
            because="a geometric sum",
            by=induction(None, T),
        )
        .qed()
    )
