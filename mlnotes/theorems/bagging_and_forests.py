r"""Bagging and forests: what a bootstrap sample misses, why votes help, and where averages stop.

``Z[t]`` is what member t of an ensemble says at one point, for t from 1 to T; of voters it is one
where voter t is right and zero where not. In the setting ``ensemble``, ``sigma**2`` is the mean
variance of a member and ``rho`` the mean covariance of two different members divided by it.
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
    KroneckerDelta,
    Lambda,
    Le,
    Lt,
    P,
    Product,
    Rational,
    Setting,
    Sum,
    Theorem,
    apply,
    as_written,
    cases,
    equivalence,
    exp,
    for_each,
    independent_family,
    indicator,
    indices,
    induction,
    integers,
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
from mlnotes.theorems.concentration import (
    X,
    chebyshev,
    high,
    hoeffding_lower,
    hoeffding_upper,
    level,
    low,
    mu,
)
from mlnotes.theorems.concentration import Z as variable
from mlnotes.theorems.concentration import bound as deviation
from mlnotes.theorems.concentration import m as middle
from mlnotes.theorems.concentration import n as count
from mlnotes.theorems.concentration import total as widths
from mlnotes.theorems.concentration import v as spread
from mlnotes.theorems.model_assessment import prediction, prediction_error, truth

n, T, d, m = integers("n T d m", positive=True)
i, j, s, t = indices("i j s t")
half = Rational(1, 2)
COIN = [(0, half), (1, half)]

# ------------------------------------------------------------------ the bootstrap

B = random_family("B")
u = reals("u")
MISS = 1 - 1 / n


@proves("thm-bootstrap-miss")
def bootstrap_miss() -> Theorem:
    r"""Derive the probability that none of $n$ draws hits a given sample."""
    return (
        Derivation(
            "what a bootstrap sample misses",
            given={
                "independent": independent_family(B),
                "draws": for_each(j, 1, n, Eq(E(B[j]), MISS)),
            },
            witness={n: 2, B: [COIN, COIN]},
        )
        .start(E(Product(B[j], (j, 1, n))))
        .equals(Product(E(B[j]), (j, 1, n)), because="the draws are independent")
        .equals(Product(MISS, (j, 1, n)), because="each draw misses it with this probability")
        .equals(MISS**n, because="$n$ equal factors")
        .qed()
    )


@proves("lem-bootstrap-miss-above")
def miss_above() -> Theorem:
    r"""Derive $(1-\frac1n)^n\le1/e$."""
    return (
        Derivation("at most one over e")
        .start(MISS**n)
        .at_most(exp(-1 / n) ** n, because=r"$1-u\le e^{-u}$ at $u=1/n$")
        .equals(exp(-1), because="exponents multiply")
        .qed()
    )


@proves("lem-bootstrap-miss-below")
def miss_below() -> Theorem:
    r"""Derive $(1-\frac1n)^n\ge(1-\frac1n)/e$."""
    with as_written():
        share = 1 - 1 / (m + 1)
    tangent = (
        Derivation("one factor")
        .start(exp(-1 / m))
        .equals(1 / exp(1 / m), because="one over an exponential")
        .at_most(1 / (1 + 1 / m), because=r"$1+u\le e^u$ at $u=1/m$")
        .equals(share, because="common denominator")
        .qed()
    )
    several = (
        Derivation("one factor fewer")
        .start(exp(-1))
        .equals(Product(exp(-1 / m), (j, 1, m)), because="exponents add")
        .at_most(
            Product(share, (j, 1, m)), because="factor by factor", by=termwise(j, by=apply(tangent))
        )
        .equals(share**m, because="equal factors")
        .qed()
    )
    power = (
        Derivation("a power")
        .start(u**m * u)
        .equals(
            u ** (m + 1),
            because="one factor more",
            by=induction(Eq(u ** (m + 1), u**m * u), m),
        )
        .qed()
    )
    one_more = (
        Derivation("one factor more")
        .start(exp(-1) * share)
        .at_most(share**m * share, because="one factor fewer", by=using(apply(several)))
        .equals(share ** (m + 1), because="one factor more", by=apply(power, {u: share}))
        .qed()
    )
    return (
        Derivation("hardly less", given={"two": Ge(n, 2)}, witness={n: 2})
        .start(exp(-1) * MISS)
        .at_most(
            MISS**n,
            because=r"$e^{-1/(n-1)}\le1-\frac1n$ for $n-1$ of the factors",
            by=apply(one_more, {m: n - 1}),
        )
        .qed()
    )


# ------------------------------------------------------------------ votes

Z = random_family("Z")
p = reals("p")
RIGHT = Sum(Z[t], (t, 1, T))
VOTERS = {
    "independent": independent_family(Z),
    "votes": for_each(t, 1, T, Eq(Z[t] ** 2, Z[t])),
    "chance": for_each(t, 1, T, Eq(E(Z[t]), p)),
}
THREE = {T: 3, Z: [[(0, Rational(1, 3)), (1, Rational(2, 3))]] * 3, p: Rational(2, 3)}
BAD = {T: 3, Z: [[(0, Rational(2, 3)), (1, Rational(1, 3))]] * 3, p: Rational(1, 3)}
voters = Setting("independent voters", given=VOTERS, witness=THREE)


@proves("lem-vote-mean")
def vote_mean() -> Theorem:
    r"""Derive the mean of the share of right votes."""
    return (
        Derivation("the mean share", setting=voters)
        .start(E(RIGHT / T))
        .equals(Sum(E(Z[t]), (t, 1, T)) / T, because="expectation is linear")
        .equals(p, because="$T$ equal terms")
        .qed()
    )


def _one_vote() -> Theorem:
    """Derive the variance of one vote."""
    return (
        Derivation(
            "one vote",
            given={
                "votes": for_each(t, 1, T, Eq(Z[t] ** 2, Z[t])),
                "chance": for_each(t, 1, T, Eq(E(Z[t]), p)),
            },
            witness=THREE,
        )
        .start(Sum(E((Z[t] - p) ** 2), (t, 1, T)))
        .equals(Sum(E(Z[t] ** 2) - 2 * p * E(Z[t]) + p**2, (t, 1, T)), because="expand")
        .equals(Sum(E(Z[t]) - 2 * p * E(Z[t]) + p**2, (t, 1, T)), because="a vote is zero or one")
        .equals(T * p * (1 - p), because="the chance of each")
        .qed()
    )


@proves("thm-vote-variance")
def vote_variance() -> Theorem:
    r"""Derive the variance of the share of right votes, $p(1-p)/T$."""
    return (
        Derivation("the variance of the share", setting=voters)
        .start(E((RIGHT / T - p) ** 2))
        .equals(E(Sum(Z[t] - p, (t, 1, T)) ** 2) / T**2, because="take the deviations together")
        .equals(
            Sum(E((Z[t] - p) ** 2), (t, 1, T)) / T**2,
            because="products of independent deviations have mean zero",
        )
        .equals(
            p * (1 - p) / T,
            because="a vote that is right with probability $p$ has the variance $p(1-p)$",
            by=using(apply(_one_vote())),
        )
        .qed()
    )


UNIT = {X: Z, count: T, low: Lambda(t, 0), high: Lambda(t, 1), mu: Lambda(t, p), widths: T}


@proves("thm-vote-hoeffding")
def vote_hoeffding() -> Theorem:
    r"""Derive that a majority of good voters is rarely wrong."""
    gap = Sum(Z[t] - p, (t, 1, T))
    reached = (
        Derivation("too few right votes")
        .start(indicator(Le(RIGHT, T / 2)))
        .at_most(indicator(Ge(-gap, T * (p - half))), because="subtract both sides from $Tp$")
        .qed()
    )
    return (
        Derivation(
            "a majority of good voters", setting=voters, given={"better": Gt(p, half)}, witness={}
        )
        .start(P(Le(RIGHT, T / 2)))
        .at_most(
            P(Ge(-gap, T * (p - half))),
            because="at most half are right where the deviation is large",
            by=termwise(by=apply(reached)),
        )
        .at_most(
            exp(-2 * T**2 * (p - half) ** 2 / T),
            because="Hoeffding's inequality with every range $[0,1]$",
            by=apply(hoeffding_lower(), {**UNIT, deviation: p - half}),
        )
        .equals(exp(-2 * T * (p - half) ** 2), because="cancel $T$")
        .qed()
    )


@proves("thm-vote-bad")
def vote_bad() -> Theorem:
    r"""Derive that a majority of bad voters is rarely right."""
    gap = Sum(Z[t] - p, (t, 1, T))
    reached = (
        Derivation("many right votes")
        .start(indicator(Ge(RIGHT, T / 2)))
        .at_most(indicator(Ge(gap, T * (half - p))), because="subtract $Tp$ on both sides")
        .qed()
    )
    return (
        Derivation(
            "a majority of bad voters",
            setting=voters,
            given={"worse": Lt(p, half)},
            witness=BAD,
        )
        .start(P(Ge(RIGHT, T / 2)))
        .at_most(
            P(Ge(gap, T * (half - p))),
            because="half are right only where the deviation is large",
            by=termwise(by=apply(reached)),
        )
        .at_most(
            exp(-2 * T**2 * (half - p) ** 2 / T),
            because="Hoeffding's inequality with every range $[0,1]$",
            by=apply(hoeffding_upper(), {**UNIT, deviation: half - p}),
        )
        .equals(exp(-2 * T * (half - p) ** 2), because="cancel $T$")
        .qed()
    )


# ------------------------------------------------------------------ averages of correlated members

center = real_family("mu")
rho = reals("rho")
sigma = reals("sigma", positive=True)


covariance = quantity("kappa", s, t, is_=E((Z[s] - center[s]) * (Z[t] - center[t])))


AVERAGE = quantity("bar_Z", is_=Sum(Z[t], (t, 1, T)) / T)
MIDDLE = quantity("bar_mu", is_=Sum(center[t], (t, 1, T)) / T)
ALL = Sum(Sum(covariance[s, t], (t, 1, T)), (s, 1, T))
OTHERS = Sum(Sum((1 - KroneckerDelta(s, t)) * covariance[s, t], (t, 1, T)), (s, 1, T))
MOMENTS = {
    "means": for_each(t, 1, T, Eq(E(Z[t]), center[t])),
    "variances": Eq(Sum(covariance[t, t], (t, 1, T)) / T, sigma**2),
    "covariances": Eq(OTHERS, T * (T - 1) * rho * sigma**2),
}
FLIP = [(-1, half), (1, half)]
PAIR = {T: 2, Z: [FLIP, FLIP], center: [0, 0], sigma: 1, rho: 0}
ensemble = Setting("ensemble", given=MOMENTS, witness=PAIR)


@proves("lem-ensemble-covariances")
def all_covariances() -> Theorem:
    r"""Derive that the variance of a sum is the sum of all covariances."""
    return (
        Derivation("variance of a sum")
        .start(E((Sum(Z[t], (t, 1, T)) - Sum(center[t], (t, 1, T))) ** 2))
        .equals(E(Sum(Z[t] - center[t], (t, 1, T)) ** 2), because="member by member")
        .equals(ALL, because="multiply out; expectation is linear")
        .qed()
    )


@proves("thm-ensemble-variance")
def ensemble_variance() -> Theorem:
    r"""Derive the variance of an average of correlated members."""
    return (
        Derivation("variance of an average", setting=ensemble)
        .start(E((AVERAGE - MIDDLE) ** 2))
        .equals(
            E((Sum(Z[t], (t, 1, T)) - Sum(center[t], (t, 1, T))) ** 2) / T**2,
            because="take the factor out",
        )
        .equals(ALL / T**2, because="all covariances", by=using(apply(all_covariances())))
        .equals(
            (Sum(covariance[t, t], (t, 1, T)) + OTHERS) / T**2,
            because="each member with itself, and with the others",
        )
        .equals(
            (T * sigma**2 + T * (T - 1) * rho * sigma**2) / T**2,
            because=r"what $\sigma^2$ and $\rho$ are",
        )
        .equals(rho * sigma**2 + (1 - rho) * sigma**2 / T, because="collect")
        .qed()
    )


W = random_variables("W")
v = real_family("v")


def _mean_of_squares() -> Theorem:
    """Derive that a mean of squares is not negative."""
    return (
        Derivation("a mean of squares")
        .start(E(W**2))
        .at_least(E(0), because="for every outcome", by=termwise())
        .equals(0, because="the mean of a constant")
        .qed()
    )


def _square_of_a_mean() -> Theorem:
    """Derive that the square of a mean is at most the mean of the squares."""
    mean = Sum(v[t], (t, 1, T)) / T
    return (
        Derivation("the square of a mean")
        .start(Sum(v[t] ** 2, (t, 1, T)) / T)
        .equals(mean**2 + Sum((v[t] - mean) ** 2, (t, 1, T)) / T, because="expand about the mean")
        .at_least(mean**2, because="squares are not negative")
        .qed()
    )


@proves("lem-ensemble-lowest-correlation")
def lowest_correlation() -> Theorem:
    r"""Derive that members cannot all be strongly opposed: $1+(T-1)\rho\ge0$."""
    return (
        Derivation("opposed members", setting=ensemble)
        .start(1 + (T - 1) * rho)
        .equals(T / sigma**2 * (rho * sigma**2 + (1 - rho) * sigma**2 / T), because="divide")
        .equals(
            T / sigma**2 * E((AVERAGE - MIDDLE) ** 2),
            because="the variance of an average",
            by=using(ensemble_variance()),
        )
        .at_least(
            0,
            because="a mean of squares is not negative",
            by=using(apply(_mean_of_squares(), {W: AVERAGE - MIDDLE})),
        )
        .qed()
    )


@proves("lem-ensemble-highest-correlation")
def highest_correlation() -> Theorem:
    r"""Derive that an average varies no more than its members do on average."""
    return (
        Derivation("an average varies less", setting=ensemble)
        .start(E((AVERAGE - MIDDLE) ** 2))
        .equals(E((Sum(Z[t] - center[t], (t, 1, T)) / T) ** 2), because="member by member")
        .at_most(
            E(Sum((Z[t] - center[t]) ** 2, (t, 1, T)) / T),
            because="the square of a mean is at most the mean of the squares",
            by=termwise(by=apply(_square_of_a_mean(), {v: Lambda(t, Z[t] - center[t])})),
        )
        .equals(Sum(E((Z[t] - center[t]) ** 2), (t, 1, T)) / T, because="expectation is linear")
        .equals(sigma**2, because=r"what $\sigma^2$ is")
        .qed()
    )


FALLS = Le(rho * sigma**2 + (1 - rho) * sigma**2 / T, sigma**2)


def _not_above_one() -> Theorem:
    """Derive the bound on the correlation from that on the variance."""
    gap, factor = reals("a b")
    positive = (
        Derivation(
            "a positive factor",
            given=[Ge(gap * factor, 0), Gt(factor, 0)],
            witness={gap: 1, factor: 1},
        )
        .hence(Ge(gap, 0), because="divide")
        .qed()
    )
    product = (
        Derivation("multiply", given=[FALLS], witness={T: 2, sigma: 1, rho: 0})
        .start((1 - rho) * (sigma**2 * (1 - 1 / T)))
        .equals(sigma**2 - (rho * sigma**2 + (1 - rho) * sigma**2 / T), because="expand")
        .at_least(0, because="the average varies no more")
        .qed()
    )
    return (
        Derivation("at most one", given=[FALLS, Ge(T, 2)], witness={T: 2, sigma: 1, rho: 0})
        .start(1 - rho)
        .at_least(
            0,
            because="the average varies no more than one member",
            by=using(
                apply(product),
                apply(positive, {gap: 1 - rho, factor: sigma**2 * (1 - 1 / T)}),
            ),
        )
        .qed()
    )


@proves("lem-ensemble-correlation-at-most-one")
def correlation_at_most_one() -> Theorem:
    r"""Derive that the mean covariance of two members is at most their mean variance."""
    falls = (
        Derivation("it falls", setting=ensemble)
        .start(rho * sigma**2 + (1 - rho) * sigma**2 / T)
        .equals(
            E((AVERAGE - MIDDLE) ** 2),
            because="the variance of an average",
            by=using(ensemble_variance()),
        )
        .at_most(sigma**2, because="an average varies no more", by=using(highest_correlation()))
        .qed()
    )
    return (
        Derivation("at most one", setting=ensemble, given={"two": Ge(T, 2)}, witness={})
        .start(rho)
        .at_most(
            1,
            because="an average varies no more than its members do on average",
            by=using(apply(falls), apply(_not_above_one())),
        )
        .qed()
    )


@proves("cor-ensemble-floor")
def floor() -> Theorem:
    r"""Derive that the variance of an average stays above the mean covariance of two members."""
    return (
        Derivation("the floor", setting=ensemble, given={"two": Ge(T, 2)}, witness={})
        .start(E((AVERAGE - MIDDLE) ** 2))
        .equals(
            rho * sigma**2 + (1 - rho) * sigma**2 / T,
            because="the variance of an average",
            by=using(ensemble_variance()),
        )
        .at_least(
            rho * sigma**2,
            because=r"$\rho\le1$",
            by=using(correlation_at_most_one()),
        )
        .qed()
    )


@proves("cor-ensemble-uncorrelated")
def uncorrelated() -> Theorem:
    r"""Derive that the average of uncorrelated members has the variance $\sigma^2/T$."""
    return (
        Derivation(
            "uncorrelated members", setting=ensemble, given={"uncorrelated": Eq(rho, 0)}, witness={}
        )
        .start(E((AVERAGE - MIDDLE) ** 2))
        .equals(
            rho * sigma**2 + (1 - rho) * sigma**2 / T,
            because="the variance of an average",
            by=using(ensemble_variance()),
        )
        .equals(sigma**2 / T, because=r"$\rho=0$")
        .qed()
    )


y = reals("y")


@proves("thm-ensemble-error")
def ensemble_error() -> Theorem:
    r"""Derive the expected squared error of an average: the bias stays, the variance falls."""
    return (
        Derivation("the error of an average", setting=ensemble)
        .start(E((y - AVERAGE) ** 2))
        .equals(
            (y - E(AVERAGE)) ** 2 + E((AVERAGE - E(AVERAGE)) ** 2),
            because="expand about the mean",
            by=apply(prediction_error(), {truth: y, prediction: AVERAGE}),
        )
        .equals(
            (y - MIDDLE) ** 2 + E((AVERAGE - MIDDLE) ** 2),
            because="expectation is linear",
        )
        .equals(
            (y - MIDDLE) ** 2 + rho * sigma**2 + (1 - rho) * sigma**2 / T,
            because="the variance of an average",
            by=using(ensemble_variance()),
        )
        .qed()
    )


margin = reals("gamma", positive=True)
AHEAD = {"margin": Eq(MIDDLE, half + margin)}


@proves("thm-ensemble-vote")
def correlated_vote() -> Theorem:
    r"""Derive a bound on the error of a majority of voters that need not be independent."""
    share, mean = reals("a b")
    reached = (
        Derivation(
            "too few right votes",
            given=[Eq(mean, half + margin)],
            witness={mean: 1, margin: half},
        )
        .start(indicator(Le(share, half)))
        .at_most(
            indicator(Ge(Abs(share - mean), margin)),
            because="the share is below its mean by the margin at least",
            by=cases(
                (Le(share, half), using(Ge(Abs(share - mean), mean - share))),
                Gt(share, half),
            ),
        )
        .qed()
    )
    return (
        Derivation(
            "a majority of correlated voters",
            setting=ensemble,
            given=AHEAD,
            witness={center: [1, 1], margin: half, Z: [[(0, half), (2, half)]] * 2},
        )
        .start(P(Le(AVERAGE, half)))
        .at_most(
            P(Ge(Abs(AVERAGE - MIDDLE), margin)),
            because="the share is below its mean by the margin at least",
            by=termwise(by=apply(reached, {share: AVERAGE, mean: MIDDLE})),
        )
        .at_most(
            (rho * sigma**2 + (1 - rho) * sigma**2 / T) / margin**2,
            because="Chebyshev's inequality, with the variance of an average",
            by=using(
                ensemble_variance(),
                apply(
                    chebyshev(),
                    {
                        variable: AVERAGE,
                        middle: MIDDLE,
                        spread: rho * sigma**2 + (1 - rho) * sigma**2 / T,
                        level: margin,
                    },
                ),
            ),
        )
        .qed()
    )


c = reals("c", positive=True)


@proves("cor-ensemble-size")
def ensemble_size() -> Theorem:
    r"""Derive how many members make what can be averaged away a $c$-th of what stays."""
    positive = {"positive": Gt(rho, 0)}
    witness = {rho: half, T: 3, c: 2}
    small = Le((1 - rho) / T, rho / c)
    many = Ge(T, c * (1 - rho) / rho)
    less, more, factor = reals("a b w")
    times = (
        Derivation(
            "times", given=[Le(less, more), Gt(factor, 0)], witness={less: 0, more: 1, factor: 1}
        )
        .start(factor * less)
        .at_most(factor * more, because="multiply")
        .qed()
    )
    multiplied = (
        Derivation("multiply", given={**positive, "small": small}, witness=witness)
        .start(c * (1 - rho) / rho)
        .equals(T * c / rho * ((1 - rho) / T), because="expand")
        .at_most(
            T * c / rho * (rho / c),
            because="little is left",
            by=apply(times, {less: (1 - rho) / T, more: rho / c, factor: T * c / rho}),
        )
        .equals(T, because="cancel")
        .qed()
    )
    forward = prove(
        "many members",
        many,
        "multiply",
        given={**positive, "small": small},
        witness=witness,
        by=apply(multiplied),
    )
    backward = prove(
        "little left", small, "divide", given={**positive, "many": many}, witness=witness
    )
    return equivalence("the size of an ensemble", forward, backward)


f = real_family("f")


@proves("thm-ensemble-ambiguity")
def ambiguity() -> Theorem:
    r"""Derive that the average errs less than its members, by as much as they disagree."""
    mean = quantity("bar_f", is_=Sum(f[t], (t, 1, T)) / T)
    return (
        Derivation("the error of an average")
        .start((y - mean) ** 2)
        .equals(
            Sum((y - f[t]) ** 2, (t, 1, T)) / T - Sum((f[t] - mean) ** 2, (t, 1, T)) / T,
            because="expand",
        )
        .qed()
    )


@proves("cor-out-of-bag-variance")
def fewer_members() -> Theorem:
    r"""Derive that fewer members average less away."""
    return (
        Derivation(
            "fewer members",
            given={"fewer": Le(m, T), "at most one": Le(rho, 1)},
            witness={m: 1, T: 2, rho: half, sigma: 1},
        )
        .start((1 - rho) * sigma**2 / m)
        .at_least((1 - rho) * sigma**2 / T, because=r"$m\le T$")
        .qed()
    )


k, r = integers("k r", positive=True)


@proves("lem-forest-miss")
def forest_miss() -> Theorem:
    r"""Derive that few of the tries miss all informative features."""
    step = (
        Derivation(
            "one draw more",
            given=[Ge(u, 1), Le(u, r), Le(r + k, d)],
            witness={u: 1, r: 1, k: 1, d: 2},
        )
        .start(1 - k / (d - u + 1))
        .at_most(1 - k / d, because="fewer features are left")
        .qed()
    )
    return (
        Derivation(
            "no informative feature", given={"room": Le(r + k, d)}, witness={r: 1, k: 1, d: 2}
        )
        .start(Product(1 - k / (d - j + 1), (j, 1, r)))
        .at_most(
            Product(1 - k / d, (j, 1, r)),
            because="each draw leaves fewer features",
            by=termwise(j, by=apply(step, {u: j})),
        )
        .at_most(Product(exp(-k / d), (j, 1, r)), because=r"$1-u\le e^{-u}$", by=termwise(j))
        .equals(exp(-k * r / d), because="exponents add")
        .qed()
    )


# ------------------------------------------------------------------ what trees of a forest share

K = integers("K", positive=True)
w, q = real_family("w q")
l = indices("l")  # noqa: E741
PLAIN = Sum(w[l] * q[l], (l, 1, K))
LAW = {"law": Eq(Sum(w[l], (l, 1, K)), 1), "chances": for_each(l, 1, K, Ge(w[l], 0))}
TWO_SETS = {K: 2, w: [half, half], q: [0, 2]}


@proves("thm-forest-shared-data")
def shared_data() -> Theorem:
    r"""Derive that two trees of a forest covary as much as the forest without end varies."""
    mean = quantity("bar_q", is_=PLAIN)
    return (
        Derivation("what two trees share", given=LAW, witness=TWO_SETS)
        .start(Sum(w[l] * q[l] ** 2, (l, 1, K)) - mean**2)
        .equals(Sum(w[l] * (q[l] - mean) ** 2, (l, 1, K)), because="the probabilities sum to one")
        .qed()
    )


@proves("lem-forest-correlation-nonnegative")
def shared_nonnegative() -> Theorem:
    r"""Derive that two trees of a forest are never negatively correlated."""
    mean = quantity("bar_q", is_=PLAIN)
    return (
        Derivation("never opposed", given=LAW, witness=TWO_SETS)
        .start(Sum(w[l] * (q[l] - mean) ** 2, (l, 1, K)))
        .at_least(0, because="probabilities and squares are not negative")
        .qed()
    )


# ------------------------------------------------------------------ densities

h, g, density = real_family("h g f")
CELLS = {
    "volumes": for_each(l, 1, K, Ge(h[l], 0)),
    "densities": for_each(t, 1, T, Eq(Sum(h[l] * density[t, l], (l, 1, K)), 1)),
}
TWO_CELLS = {
    T: 2,
    K: 2,
    h: [half, half],
    density: {(1, 1): 2, (1, 2): 0, (2, 1): 0, (2, 2): 2},
    g: [1, 1],
}


def mixed(cell: Any) -> Any:
    """Return the average of the densities in a cell."""
    return Sum(density[t, cell], (t, 1, T)) / T


@proves("lem-forest-density-mass")
def density_mass() -> Theorem:
    r"""Derive that an average of densities is a density."""
    return (
        Derivation(
            "an average of densities",
            given={"densities": CELLS["densities"]},
            witness={key: TWO_CELLS[key] for key in (T, K, h, density)},
        )
        .start(Sum(h[l] * mixed(l), (l, 1, K)))
        .equals(
            Sum(Sum(h[l] * density[t, l], (l, 1, K)), (t, 1, T)) / T,
            because="sum over the cells first",
        )
        .equals(1, because="each of them is a density")
        .qed()
    )


@proves("thm-forest-density-error")
def density_error() -> Theorem:
    r"""Derive that an average of densities errs no more than its members on average."""
    one_cell = (
        Derivation("one cell")
        .start((g[l] - mixed(l)) ** 2)
        .at_most(
            Sum((g[l] - density[t, l]) ** 2, (t, 1, T)) / T,
            because="the square of a mean",
            by=apply(_square_of_a_mean(), {v: Lambda(t, g[l] - density[t, l])}),
        )
        .qed()
    )
    return (
        Derivation(
            "the error of a density forest",
            given={"volumes": CELLS["volumes"]},
            witness={key: TWO_CELLS[key] for key in (T, K, h, density, g)},
        )
        .start(Sum(h[l] * (g[l] - mixed(l)) ** 2, (l, 1, K)))
        .at_most(
            Sum(h[l] * (Sum((g[l] - density[t, l]) ** 2, (t, 1, T)) / T), (l, 1, K)),
            because="in every cell the square of a mean is at most the mean of the squares",
            by=termwise(l, by=using(apply(one_cell))),
        )
        .equals(
            Sum(Sum(h[l] * (g[l] - density[t, l]) ** 2, (l, 1, K)), (t, 1, T)) / T,
            because="sum over the cells first",
        )
        .qed()
    )
