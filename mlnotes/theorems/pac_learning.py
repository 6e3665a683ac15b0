"""Why a finite class can be learnt: n ≥ (2/ε²) log(2N/δ) examples suffice for N predictors.

If some predictor never errs, n ≥ log(N/δ)/ε are enough.

Predictor j has loss ``ell[j, i]`` in [0, 1] on example i and risk ``R[j]``; ``deviation[j]`` is how
far its empirical risk is from that. The examples are independent; the losses of different
predictors on one example are not, and need not be.
"""

from __future__ import annotations

from typing import Any

from mlnotes.proof import (
    Abs,
    Derivation,
    E,
    Eq,
    Expr,
    Ge,
    Gt,
    KroneckerDelta,
    Lambda,
    Le,
    P,
    Product,
    Rational,
    Setting,
    Sum,
    Theorem,
    apply,
    as_written,
    cases,
    exp,
    for_each,
    independent_family,
    indicator,
    indices,
    induction,
    integers,
    log,
    monotone,
    quantity,
    random_family,
    random_variables,
    real_family,
    reals,
    termwise,
    using,
)
from mlnotes.theorems import concentration, proves

n, N, M, m = integers("n N M m", positive=True)
i, j, k = indices("i j k")
ell = random_family("ell")
R, edge = real_family("R gamma")
largest, chosen, chosen_mean, best_mean = random_variables("D^* R_erm L_erm L_best")
best, r = reals("R_best r")
# The same for one sample: risk and empirical risk of the chosen, largest deviation, and so on.
u, v, w, z = reals("R_erm D^* L_erm L_best")
half = Rational(1, 2)
COIN = [(0, half), (1, half)]
epsilon, delta = reals("epsilon delta", positive=True)


with as_written():
    WON = {
        "near chosen": Le(Abs(w - u), v),
        "near best": Le(Abs(z - best), v),
        "minimal": Le(w, z),
    }


@proves("lem-erm-excess-risk")
def excess_risk() -> Theorem:
    r"""Derive that minimising the empirical risk costs at most twice the largest deviation."""
    return (
        Derivation(
            "excess risk",
            given=WON,
            witness={v: 1, w: 1, u: 2, z: 1, best: 1},
        )
        .start(u - best)
        .equals((u - w) + (w - z) + (z - best), because="add and subtract both empirical risks")
        .at_most(
            v + (w - z) + (z - best), because="the chosen predictor's risks differ by at most $D^*$"
        )
        .at_most(v + 0 + (z - best), because="it has the least empirical risk")
        .at_most(v + v, because="so do those of the best predictor")
        .equals(2 * v, because="collect")
        .qed()
    )


@proves("lem-half-deviation")
def half_deviation() -> Theorem:
    r"""Derive that an excess risk of $\varepsilon$ needs a deviation of $\varepsilon/2$."""
    excess = indicator(Ge(u - best, epsilon))
    return (
        Derivation(
            "half of the excess",
            given=WON,
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


with as_written():
    deviation = quantity("D", j, is_=Abs(Sum(ell[j, i] - R[j], (i, 1, n))) / n)
    UNIFORM = Le(
        indicator(Ge(largest, epsilon / 2)),
        Sum(indicator(Ge(deviation[j], epsilon / 2)), (j, 1, N)),
    )
    MINIMISER = {
        "near chosen": Le(Abs(chosen_mean - chosen), largest),
        "near best": Le(Abs(best_mean - best), largest),
        "minimal": Le(chosen_mean, best_mean),
    }


def losses(count: Expr) -> dict[str, Any]:
    """Return what is known of the losses of predictors 1, …, count."""
    return {
        "independent": for_each(j, 1, count, independent_family(Lambda(i, ell[j, i]))),
        "risk": for_each(j, 1, count, for_each(i, 1, n, Eq(E(ell[j, i]), R[j]))),
        "positive": for_each(j, 1, count, for_each(i, 1, n, Le(0, ell[j, i]))),
        "at most one": for_each(j, 1, count, for_each(i, 1, n, Le(ell[j, i], 1))),
    }


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


finite = Setting("finite class", given={**losses(N), "largest": UNIFORM}, witness=TOSSES)


@proves("thm-uniform-convergence")
def uniform_convergence() -> Theorem:
    r"""Derive $\Pr[D^*\ge\varepsilon/2]\le 2Ne^{-n\varepsilon^2/2}$ for the largest deviation."""
    return (
        Derivation("uniform convergence", setting=finite)
        .start(P(Ge(largest, epsilon / 2)))
        .at_most(
            Sum(P(Ge(deviation[j], epsilon / 2)), (j, 1, N)),
            because="the union bound over the class",
            by=apply(
                concentration.union_bound(),
                {concentration.t: epsilon / 2, concentration.deviation: Lambda(j, deviation[j])},
            ),
        )
        .at_most(
            Sum(2 * exp(-2 * n * (epsilon / 2) ** 2), (j, 1, N)),
            because="Hoeffding's inequality for each predictor",
            by=termwise(
                j,
                by=apply(
                    concentration.mean_on_unit_interval(),
                    {
                        concentration.X: Lambda(i, ell[j, i]),
                        concentration.mean: R[j],
                        concentration.bound: epsilon / 2,
                    },
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
            setting=finite,
            given={**MINIMISER, "enough": ENOUGH},
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
            given={"enough": ENOUGH},
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
            setting=finite,
            given={**MINIMISER, "error": Eq(epsilon**2, 2 * log(2 * N / delta) / n)},
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


X = concentration.X
t = real_family("t")
LOSSES = Sum(X[i], (i, 1, n))
SAME_RISK = {
    "independent": independent_family(X),
    "risk": for_each(i, 1, n, Eq(E(X[i]), r)),
    "positive": for_each(i, 1, n, Le(0, X[i])),
    "at most one": for_each(i, 1, n, Le(X[i], 1)),
}


@proves("lem-no-loss-product")
def no_loss_product() -> Theorem:
    r"""Derive $\mathbf 1[\sum_it_i\le 0]\le\prod_i(1-t_i)$ for losses $t_i$ in $[0,1]$."""
    total, product = Sum(t[i], (i, 1, n)), Product(1 - t[i], (i, 1, n))
    losses = {
        "positive": for_each(i, 1, n, Le(0, t[i])),
        "at most one": for_each(i, 1, n, Le(t[i], 1)),
    }
    none = {**losses, "none": Le(total, 0)}
    nothing = {n: 2, t: [0, 0]}
    each = (
        Derivation(
            "no single loss",
            given={**none, "from": Ge(k, 1), "to": Le(k, n)},
            witness={**nothing, k: 1},
        )
        .start(t[k])
        .equals(Sum(KroneckerDelta(i, k) * t[i], (i, 1, n)), because="one term of the sum")
        .at_most(total, because="the other terms are not negative", by=termwise(i))
        .at_most(0, because="the losses sum to zero")
        .qed()
    )
    one = (
        Derivation("the product without a loss", given=none, witness=nothing)
        .start(product)
        .at_least(
            Product(1, (i, 1, n)),
            because="no loss is positive",
            by=termwise(i, by=apply(each, {k: i})),
        )
        .equals(1, because="a product of ones")
        .qed()
    )
    return (
        Derivation("no loss, as a product", given=losses, witness=nothing)
        .start(indicator(Le(total, 0)))
        .at_most(
            product,
            because="without a loss the product is one, and it is never negative",
            by=cases((Le(total, 0), using(apply(one))), Gt(total, 0)),
        )
        .qed()
    )


@proves("lem-no-loss-by-luck")
def no_loss_by_luck() -> Theorem:
    r"""Derive $\Pr[\sum_iX_i\le 0]\le e^{-nr}$ for independent losses with the mean $r$."""
    return (
        Derivation("no loss by luck", given=SAME_RISK, witness={n: 2, X: [COIN, COIN], r: half})
        .start(P(Le(LOSSES, 0)))
        .at_most(
            E(Product(1 - X[i], (i, 1, n))),
            because="for every outcome the product is above the indicator",
            by=termwise(by=apply(no_loss_product(), {t: Lambda(i, X[i])})),
        )
        .equals(Product(E(1 - X[i]), (i, 1, n)), because="the examples are independent")
        .at_most(
            Product(exp(-r), (i, 1, n)),
            because=r"the mean of each factor is $1-r\le e^{-r}$",
            by=termwise(i),
        )
        .equals(exp(-n * r), because="a product of exponentials")
        .qed()
    )


@proves("thm-pac-realisable")
def realisable() -> Theorem:
    r"""Derive that $n\ge\frac1\varepsilon\log\frac N\delta$ examples suffice if one never errs."""
    # The M predictors listed are those with risk at least ε, at most N in number. The chosen one
    # makes no error on the sample, so it has such a risk only if one of them makes none.
    lucky = Sum(indicator(Le(Sum(ell[j, i], (i, 1, n)), 0)), (j, 1, M))
    enough = Ge(n, log(N / delta) / epsilon)
    size = (
        Derivation(
            "sample size without noise", given=[enough], witness={n: 3, N: 2, epsilon: 1, delta: 1}
        )
        .start(N * exp(-n * epsilon))
        .at_most(
            N * exp(-log(N / delta)),
            because=r"$n\varepsilon\ge\log(N/\delta)$",
            by=monotone(exp),
        )
        .equals(delta, because="the exponential undoes the logarithm")
        .qed()
    )
    survivor = (
        Derivation("no bad predictor survives", given=[Ge(r, epsilon)], witness={r: 1, epsilon: 1})
        .start(exp(-n * r))
        .at_most(exp(-n * epsilon), because=r"$r\ge\varepsilon$", by=monotone(exp))
        .qed()
    )
    return (
        Derivation(
            "a realisable finite class",
            given={
                **losses(M),
                "bad": for_each(j, 1, M, Ge(R[j], epsilon)),
                "count": Le(M, N),
                "survivor": Le(indicator(Ge(chosen, epsilon)), lucky),
                "enough": enough,
            },
            witness={
                M: 1,
                N: 2,
                n: 3,
                ell: {(1, 1): COIN, (1, 2): COIN, (1, 3): COIN},
                R: [half],
                chosen: [(0, 1)],
                epsilon: half,
                delta: 1,
            },
        )
        .start(P(Ge(chosen, epsilon)))
        .at_most(
            E(lucky),
            because="the chosen one makes no error on the sample",
            by=termwise(),
        )
        .equals(
            Sum(P(Le(Sum(ell[j, i], (i, 1, n)), 0)), (j, 1, M)), because="expectation is linear"
        )
        .at_most(
            Sum(exp(-n * R[j]), (j, 1, M)),
            because="no loss by luck, for each of them",
            by=termwise(j, by=apply(no_loss_by_luck(), {X: Lambda(i, ell[j, i]), r: R[j]})),
        )
        .at_most(
            Sum(exp(-n * epsilon), (j, 1, M)),
            because=r"each has risk at least $\varepsilon$",
            by=termwise(j, by=apply(survivor, {r: R[j]})),
        )
        .equals(M * exp(-n * epsilon), because="the same bound $M$ times")
        .at_most(N * exp(-n * epsilon), because=r"$M\le N$")
        .at_most(delta, because=r"$n\varepsilon\ge\log(N/\delta)$", by=apply(size))
        .qed()
    )


@proves("lem-shrinking-edges")
def shrinking_edges() -> Theorem:
    r"""Derive $\prod_k(1-4\gamma_k^2)>\frac16$ for the edges $\gamma_k=1/(k+2)$."""
    return (
        Derivation(
            "edges that shrink",
            given={"edges": for_each(k, 1, m, Eq(edge[k], 1 / (k + 2)))},
            witness={m: 2, edge: [Rational(1, 3), Rational(1, 4)]},
        )
        .start(Product(1 - 4 * edge[k] ** 2, (k, 1, m)))
        .equals(
            (m + 3) * (m + 4) / (6 * (m + 1) * (m + 2)),
            because=r"$1-4/(k+2)^2=k(k+4)/(k+2)^2$, and neighbours cancel",
            by=induction(None, m),
        )
        .greater_than(Rational(1, 6), because="$(m+3)(m+4)>(m+1)(m+2)$")
        .qed()
    )
