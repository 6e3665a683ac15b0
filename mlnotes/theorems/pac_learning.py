"""Why a finite class can be learnt: n ≥ (2/ε²) log(2N/δ) examples suffice for N predictors.

Predictor j has loss ``ell[j, i]`` in [0, 1] on example i, risk ``R[j]`` and mean loss on the
sample. The examples are independent; the losses of different predictors on one example are not,
and need not be.
"""

from __future__ import annotations

from sympy import Lambda

from mlnotes.proof import (
    Abs,
    Derivation,
    E,
    Eq,
    Ge,
    Le,
    P,
    Rational,
    Sum,
    Theorem,
    apply,
    exp,
    for_each,
    independent_family,
    indicator,
    indices,
    integers,
    log,
    monotone,
    random_family,
    random_variables,
    real_family,
    reals,
    termwise,
    using,
)
from mlnotes.theorems import concentration, proves

n, N = integers("n N", positive=True)
i, j = indices("i j")
ell = random_family("ell")
deviation = random_family("D")
R = real_family("R")
largest, chosen, chosen_mean, best_mean = random_variables("D^* R_erm L_erm L_best")
best, mu, t = reals("R_best mu t")
# The same quantities for one outcome: risk and mean of the chosen, largest deviation, mean of best.
u, v, w, z = reals("r d l l^*")
half = Rational(1, 2)
COIN = [(0, half), (1, half)]
epsilon, delta = reals("epsilon delta", positive=True)


@proves("thm-hoeffding-unit-range")
def mean_on_unit_interval() -> Theorem:
    r"""Derive $\Pr[|\frac1n\sum_iX_i-\mu|\ge\varepsilon]\le 2e^{-2n\varepsilon^2}$ on $[0,1]$."""
    X, total = concentration.X, reals("s")
    rescaled = (
        Derivation("sum and mean")
        .start(indicator(Ge(total / n, epsilon)))
        .at_most(indicator(Ge(total, n * epsilon)), because="multiply by $n>0$")
        .qed()
    )
    distance = Abs(Sum(X[i] - mu, (i, 1, n)))
    return (
        Derivation(
            "Hoeffding's inequality on the unit interval",
            given=[
                independent_family(X),
                for_each(i, 1, n, Eq(E(X[i]), mu)),
                for_each(i, 1, n, Le(0, X[i])),
                for_each(i, 1, n, Le(X[i], 1)),
            ],
            witness={n: 2, X: [COIN, COIN], mu: half},
        )
        .start(P(Ge(distance / n, epsilon)))
        .at_most(
            P(Ge(distance, n * epsilon)),
            because="the sum is $n$ times the mean",
            by=termwise(by=apply(rescaled, {total: distance})),
        )
        .at_most(
            2 * exp(-2 * n**2 * epsilon**2 / n),
            because=r"Hoeffding's inequality with every range $[0,1]$, so that $s=n$",
            by=apply(
                concentration.hoeffding(),
                {
                    concentration.low: Lambda(i, 0),
                    concentration.high: Lambda(i, 1),
                    concentration.mu: Lambda(i, mu),
                    concentration.total: n,
                },
            ),
        )
        .equals(2 * exp(-2 * n * epsilon**2), because="simplify the exponent")
        .qed()
    )


@proves("thm-union-bound")
def union_bound() -> Theorem:
    r"""Derive the union bound: the largest deviation reaches $t$ only if some deviation does."""
    reached = Sum(indicator(Ge(deviation[j], t)), (j, 1, N))
    return (
        Derivation(
            "union bound",
            given=[Le(indicator(Ge(largest, t)), reached)],
            witness={N: 2, t: 1, largest: [(2, 1)], deviation: [[(2, 1)], [(0, 1)]]},
        )
        .start(P(Ge(largest, t)))
        .at_most(
            E(reached), because="whenever the largest reaches $t$, one of them does", by=termwise()
        )
        .equals(Sum(P(Ge(deviation[j], t)), (j, 1, N)), because="expectation is linear")
        .qed()
    )


@proves("lem-erm-excess-risk")
def excess_risk() -> Theorem:
    r"""Derive that minimising the empirical risk costs at most twice the largest deviation."""
    return (
        Derivation(
            "excess risk",
            given=[
                Le(Abs(w - u), v),
                Le(Abs(z - best), v),
                Le(w, z),
            ],
            witness={v: 1, w: 1, u: 2, z: 1, best: 1},
        )
        .start(u - best)
        .at_most(w + v - best, because="the chosen predictor's risk is near its mean")
        .at_most(z + v - best, because="it has the least empirical risk")
        .at_most(2 * v, because="the best predictor's mean is near its risk")
        .qed()
    )


@proves("lem-half-deviation")
def half_deviation() -> Theorem:
    r"""Derive that an excess risk of $\varepsilon$ needs a deviation of $\varepsilon/2$."""
    excess = indicator(Ge(u - best, epsilon))
    return (
        Derivation(
            "half of the excess",
            given=[Le(Abs(w - u), v), Le(Abs(z - best), v), Le(w, z)],
            witness={v: 1, w: 1, u: 2, z: 1, best: 1},
        )
        .start(excess)
        .at_most(
            indicator(Ge(v, epsilon / 2)),
            because="the excess risk is at most twice the largest deviation",
            by=using(apply(excess_risk())),
        )
        .qed()
    )


CLASS = [
    for_each(j, 1, N, independent_family(Lambda(i, ell[j, i]))),
    for_each(j, 1, N, for_each(i, 1, n, Eq(E(ell[j, i]), R[j]))),
    for_each(j, 1, N, for_each(i, 1, n, Le(0, ell[j, i]))),
    for_each(j, 1, N, for_each(i, 1, n, Le(ell[j, i], 1))),
]
GAP = Abs(Sum(ell[j, i] - R[j], (i, 1, n))) / n
UNIFORM = Le(
    indicator(Ge(largest, epsilon / 2)),
    Sum(indicator(Ge(GAP, epsilon / 2)), (j, 1, N)),
)
MINIMISER = [
    Le(Abs(chosen_mean - chosen), largest),
    Le(Abs(best_mean - best), largest),
    Le(chosen_mean, best_mean),
]
ENOUGH = Ge(n, 2 / epsilon**2 * log(2 * N / delta))
# Two predictors that flip coins on two examples: no mean strays from its risk by more than 1/2.
TOSSES = {
    N: 2,
    n: 2,
    ell: {(1, 1): COIN, (1, 2): COIN, (2, 1): COIN, (2, 2): COIN},
    R: [half, half],
    largest: [(half, 1)],
    chosen: [(half, 1)],
    chosen_mean: [(half, 1)],
    best_mean: [(half, 1)],
    best: half,
    epsilon: Rational(3, 2),
    delta: half,
}


@proves("thm-uniform-convergence")
def uniform_convergence() -> Theorem:
    r"""Derive $\Pr[D^*\ge\varepsilon/2]\le 2Ne^{-n\varepsilon^2/2}$ for the largest deviation."""
    return (
        Derivation("uniform convergence", given=[*CLASS, UNIFORM], witness=TOSSES)
        .start(P(Ge(largest, epsilon / 2)))
        .at_most(
            Sum(P(Ge(GAP, epsilon / 2)), (j, 1, N)),
            because="the union bound over the class",
            by=apply(union_bound(), {t: epsilon / 2, deviation: Lambda(j, GAP)}),
        )
        .at_most(
            Sum(2 * exp(-2 * n * (epsilon / 2) ** 2), (j, 1, N)),
            because="Hoeffding's inequality for each predictor",
            by=termwise(
                j,
                by=apply(
                    mean_on_unit_interval(),
                    {concentration.X: Lambda(i, ell[j, i]), mu: R[j], epsilon: epsilon / 2},
                ),
            ),
        )
        .equals(2 * N * exp(-n * epsilon**2 / 2), because="the same bound $N$ times")
        .qed()
    )


@proves("thm-pac-finite-class")
def finite_class() -> Theorem:
    r"""Derive that $n\ge\frac2{\varepsilon^2}\log\frac{2N}\delta$ examples suffice."""
    return (
        Derivation(
            "a finite class is learnable",
            given=[*CLASS, UNIFORM, *MINIMISER, ENOUGH],
            witness=TOSSES,
        )
        .start(P(Ge(chosen - best, epsilon)))
        .at_most(
            P(Ge(largest, epsilon / 2)),
            because="an excess risk of $\\varepsilon$ needs a deviation of half of it",
            by=termwise(
                by=apply(
                    half_deviation(),
                    {u: chosen, v: largest, best: best, w: chosen_mean, z: best_mean},
                )
            ),
        )
        .at_most(
            2 * N * exp(-n * epsilon**2 / 2),
            because="uniform convergence",
            by=apply(uniform_convergence()),
        )
        .at_most(
            delta,
            because=r"$n\varepsilon^2/2\ge\log(2N/\delta)$",
            by=apply(sample_size()),
        )
        .qed()
    )


@proves("lem-sample-size")
def sample_size() -> Theorem:
    r"""Derive $2Ne^{-n\varepsilon^2/2}\le\delta$ from the sample size."""
    return (
        Derivation(
            "sample size",
            given=[ENOUGH],
            witness={n: 2, N: 2, epsilon: Rational(3, 2), delta: half},
        )
        .start(2 * N * exp(-n * epsilon**2 / 2))
        .at_most(
            2 * N * exp(-log(2 * N / delta)),
            because=r"$n\varepsilon^2/2\ge\log(2N/\delta)$",
            by=monotone(exp),
        )
        .equals(delta, because="the exponential undoes the logarithm")
        .qed()
    )


@proves("cor-pac-error-form")
def error_form() -> Theorem:
    r"""Derive the excess risk that $n$ examples leave with probability $1-\delta$."""
    return (
        Derivation(
            "excess risk after n examples",
            given=[*CLASS, UNIFORM, *MINIMISER, Eq(epsilon**2, 2 * log(2 * N / delta) / n)],
            witness={**TOSSES, delta: 4 * exp(Rational(-9, 4))},
        )
        .start(P(Ge(chosen - best, epsilon)))
        .at_most(
            delta,
            because=r"the finite class: $n=\frac2{\varepsilon^2}\log\frac{2N}\delta$ is enough",
            by=apply(finite_class()),
        )
        .qed()
    )
