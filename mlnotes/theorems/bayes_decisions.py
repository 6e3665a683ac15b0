r"""Bayes decisions: no rule has a smaller risk than the one that minimises it input by input.

There are n inputs and K classes. Input i has the probability ``w[i]`` and class k the posterior
probability ``p[i, k]`` there; the decision d costs ``L[d, k]`` under class k. A rule makes the
decision ``f[i]`` at input i. At one input the index of the input is left out: what is said of one
input holds for densities too, with their values at x.
"""

from __future__ import annotations

from typing import Any

from mlnotes.proof import (
    Abs,
    Derivation,
    Eq,
    Ge,
    Gt,
    Integral,
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
    as_written,
    equivalence,
    exp,
    for_all,
    for_each,
    function,
    grad,
    indicator,
    indices,
    integer_family,
    integers,
    integrable,
    log,
    points,
    prove,
    quantity,
    real_family,
    reals,
    termwise,
    using,
)
from mlnotes.theorems import proves

n, K, D = integers("n K D", positive=True)
i, j, k, l, c, d = indices("i j k l c d")  # noqa: E741
w, p, P, L, pi, q, g = real_family("w p P L pi q g")
f, best = integer_family("f f^*")
half, quarter, third = Rational(1, 2), Rational(1, 4), Rational(1, 3)

# ------------------------------------------------------------------ the risk of a rule

# What decision d costs on average at input i, and what a rule costs on average.
conditional = quantity("r", i, d, is_=Sum(p[i, k] * L[d, k], (k, 1, K)))
risk = quantity("R", f, is_=Sum(w[i] * conditional[i, f[i]], (i, 1, n)))

WEIGHTS = {"weights": for_each(i, 1, n, Ge(w[i], 0))}
JOINT = {"joint": for_each(i, 1, n, for_each(k, 1, K, Eq(P[i, k], w[i] * p[i, k])))}
CHOICES = {
    "first": for_each(i, 1, n, Ge(f[i], 1)),
    "last": for_each(i, 1, n, Le(f[i], D)),
}
BEST = {
    "best": for_each(i, 1, n, for_each(d, 1, D, Le(conditional[i, best[i]], conditional[i, d])))
}
# Two pens, ballpoint and fineliner, two colours, and a mistake costs one.
PENS = {
    n: 2,
    K: 2,
    D: 2,
    w: [half, half],
    p: {
        (1, 1): Rational(2, 7),
        (1, 2): Rational(5, 7),
        (2, 1): Rational(5, 7),
        (2, 2): Rational(2, 7),
    },
    P: {
        (1, 1): Rational(1, 7),
        (1, 2): Rational(5, 14),
        (2, 1): Rational(5, 14),
        (2, 2): Rational(1, 7),
    },
    L: {(1, 1): 0, (1, 2): 1, (2, 1): 1, (2, 2): 0},
    f: [1, 1],
    best: [2, 1],
}
decision = Setting("decision", given={**WEIGHTS, **CHOICES, **BEST}, witness=PENS)


@proves("thm-bayes-risk-average")
def risk_is_an_average() -> Theorem:
    r"""Derive that the risk of a rule is the average of its conditional risks."""
    return (
        Derivation("the risk is an average", given=JOINT, witness=PENS)
        .start(Sum(Sum(P[i, k] * L[f[i], k], (k, 1, K)), (i, 1, n)))
        .equals(
            Sum(Sum(w[i] * p[i, k] * L[f[i], k], (k, 1, K)), (i, 1, n)),
            because="first the input, then the class",
            by=termwise(i),
        )
        .equals(risk(f), because="the probability of the input is a factor of each inner sum")
        .qed()
    )


@proves("lem-bayes-one-input")
def one_input() -> Theorem:
    r"""Derive that at one input no decision of a rule is better than that of the Bayes rule."""
    return (
        Derivation(
            "at one input",
            setting=decision,
            given={"from": Ge(i, 1), "to": Le(i, n)},
            witness={i: 1},
        )
        .start(conditional[i, best[i]])
        .at_most(
            conditional[i, f[i]],
            because="the decision of the other rule is one of those compared",
            by=using(BEST["best"].at(i, f[i])),
        )
        .qed()
    )


@proves("thm-bayes-rule")
def bayes_rule() -> Theorem:
    r"""Derive that no rule has a smaller risk than the Bayes rule."""
    return (
        Derivation("no rule has a smaller risk", setting=decision)
        .start(risk(best))
        .at_most(
            risk(f),
            because="at every input, and the probabilities of inputs are not negative",
            by=termwise(i, by=using(apply(one_input(), {i: i}))),
        )
        .qed()
    )


@proves("thm-bayes-coin")
def coins_do_not_help() -> Theorem:
    r"""Derive that a rule that draws its decision by lot has no smaller risk."""
    lot = Sum(w[i] * Sum(q[i, d] * conditional[i, d], (d, 1, D)), (i, 1, n))
    lots = {
        "chances": for_each(i, 1, n, for_each(d, 1, D, Ge(q[i, d], 0))),
        "lot": for_each(i, 1, n, Eq(Sum(q[i, d], (d, 1, D)), 1)),
    }
    drawn = {q: {(1, 1): half, (1, 2): half, (2, 1): 1, (2, 2): 0}}
    at_one = (
        Derivation(
            "at one input",
            setting=decision,
            given={**lots, "from": Ge(i, 1), "to": Le(i, n)},
            witness={**drawn, i: 1},
        )
        .start(conditional[i, best[i]])
        .equals(Sum(q[i, d] * conditional[i, best[i]], (d, 1, D)), because="the chances sum to one")
        .at_most(
            Sum(q[i, d] * conditional[i, d], (d, 1, D)),
            because="every decision costs at least as much",
            by=termwise(d, by=using(BEST["best"].at(i, d))),
        )
        .qed()
    )
    return (
        Derivation("lots do not help", setting=decision, given=lots, witness=drawn)
        .start(risk(best))
        .at_most(lot, because="at every input", by=termwise(i, by=using(apply(at_one, {i: i}))))
        .qed()
    )


# ------------------------------------------------------------------ inputs with a density

# The inputs are the points of a measure space, such as vectors with their volume.
z = points("z")
density = function("w", of="point")
posterior_at = function("p", of=("integer", "point"))
named, named_best = (function(rule, of="point", to="integer") for rule in ("f", "f^*"))
conditional_at = quantity("r", d, z, is_=Sum(posterior_at(k, z) * L[d, k], (k, 1, K)))
# What a rule costs on average: the density of an input times the conditional risk there.
expected_loss = quantity("R", named, is_=Integral(density(z) * conditional_at(named(z), z), z))

AT_POINTS = {
    "density": for_all(z, Ge(density(z), 0)),
    "first": for_all(z, Ge(named(z), 1)),
    "last": for_all(z, Le(named(z), D)),
}
BEST_AT = {
    "best": for_all(
        z,
        for_each(d, 1, D, Le(conditional_at(named_best(z), z), conditional_at(d, z))),
    ),
}
RISKS = {
    "risk": integrable(density(z) * conditional_at(named(z), z), z),
    "best risk": integrable(density(z) * conditional_at(named_best(z), z), z),
}
# The pens once more: two points, each of measure one.
PENS_AT = {
    K: 2,
    D: 2,
    density: [half, half],
    posterior_at: [[Rational(2, 7), Rational(5, 7)], [Rational(5, 7), Rational(2, 7)]],
    L: {(1, 1): 0, (1, 2): 1, (2, 1): 1, (2, 2): 0},
    named: [1, 1],
    named_best: [2, 1],
}
densities = Setting(
    "inputs with a density", given={**AT_POINTS, **BEST_AT, **RISKS}, witness=PENS_AT
)


@proves("thm-bayes-rule-density")
def bayes_rule_with_densities() -> Theorem:
    r"""Derive that no rule has a smaller risk than the Bayes rule where inputs have a density."""
    return (
        Derivation("no rule has a smaller risk, with densities", setting=densities)
        .start(expected_loss(named_best))
        .at_most(
            expected_loss(named),
            because="at every point, and a density is not negative",
            by=termwise(z, by=using(BEST_AT["best"].at(z, named(z)), AT_POINTS["density"].at(z))),
        )
        .qed()
    )


# ------------------------------------------------------------------ counting errors

LAW = {"law": Eq(Sum(p[k], (k, 1, K)), 1)}
ONE_INPUT = {K: 2, p: [third, 2 * third], d: 1}


@proves("lem-bayes-zero-one")
def conditional_error() -> Theorem:
    r"""Derive the conditional error: all but the probability of the class that is named."""
    return (
        Derivation(
            "the conditional error",
            given={**LAW, "from": Ge(d, 1), "to": Le(d, K)},
            witness=ONE_INPUT,
        )
        .start(Sum(p[k] * (1 - KroneckerDelta(d, k)), (k, 1, K)))
        .equals(Sum(p[k], (k, 1, K)) - p[d], because="the true class costs nothing")
        .equals(1 - p[d], because="the probabilities sum to one")
        .qed()
    )


# The most probable class at every input.
TOP = {"top": for_each(i, 1, n, for_each(k, 1, K, Le(p[i, k], p[i, best[i]])))}
LAWS = {
    "inputs": Eq(Sum(w[i], (i, 1, n)), 1),
    "laws": for_each(i, 1, n, Eq(Sum(p[i, k], (k, 1, K)), 1)),
}
NAMED = {
    "first": for_each(i, 1, n, Ge(f[i], 1)),
    "last": for_each(i, 1, n, Le(f[i], K)),
    "first best": for_each(i, 1, n, Ge(best[i], 1)),
    "last best": for_each(i, 1, n, Le(best[i], K)),
}
COUNTED = {"errors": for_each(d, 1, K, for_each(k, 1, K, Eq(L[d, k], 1 - KroneckerDelta(d, k))))}
counting = Setting("counting", given={**WEIGHTS, **LAWS, **COUNTED, **NAMED, **TOP}, witness=PENS)


def _error_of_a_rule(rule: Any, names: tuple[str, str]) -> Theorem:
    """Derive the error of a rule from the probabilities of the classes that it names."""
    stated = {**LAWS, **COUNTED, **{name: NAMED[name] for name in names}}
    at_one = (
        Derivation(
            "at one input",
            given={**stated, "from": Ge(i, 1), "to": Le(i, n)},
            witness={**PENS, i: 1},
        )
        .start(conditional[i, rule[i]])
        .equals(
            Sum(p[i, k] * (1 - KroneckerDelta(rule[i], k)), (k, 1, K)),
            because="a mistake costs one",
            by=termwise(k, by=using(COUNTED["errors"].at(rule[i], k))),
        )
        .equals(
            1 - p[i, rule[i]],
            because="the conditional error",
            by=apply(conditional_error(), {d: rule[i], p: Lambda(k, p[i, k])}),
        )
        .qed()
    )
    return (
        Derivation("the error of a rule", given=stated, witness=PENS)
        .start(risk(rule))
        .equals(
            Sum(w[i] * (1 - p[i, rule[i]]), (i, 1, n)),
            because="the conditional error",
            by=termwise(i, by=using(apply(at_one, {i: i}))),
        )
        .equals(
            1 - Sum(w[i] * p[i, rule[i]], (i, 1, n)),
            because="the probabilities of the inputs sum to one",
        )
        .qed()
    )


@proves("lem-bayes-error-of-a-rule")
def error_of_a_rule() -> Theorem:
    r"""Derive the error of a rule from the probabilities of the classes that it names."""
    return _error_of_a_rule(f, ("first", "last"))


@proves("thm-bayes-error-value")
def bayes_error() -> Theorem:
    r"""Derive the Bayes error, the error of naming the most probable class."""
    return _error_of_a_rule(best, ("first best", "last best"))


LAW_AT = {
    "laws": for_all(z, Eq(Sum(posterior_at(k, z), (k, 1, K)), 1)),
    "classes": for_all(z, Le(named(z), K)),
    "first": AT_POINTS["first"],
}
RIGHT_AT = {
    "risk": RISKS["risk"],
    "density integrable": integrable(density(z), z),
    "whole": Eq(Integral(density(z), z), 1),
    "named": integrable(density(z) * posterior_at(named(z), z), z),
}


@proves("thm-bayes-error-density")
def error_with_densities() -> Theorem:
    r"""Derive the error of a rule from the posteriors of the classes that it names."""
    at_one = (
        Derivation("at one point", given={**LAW_AT, **COUNTED}, witness={**PENS_AT, z: 1})
        .start(conditional_at(named(z), z))
        .equals(
            Sum(posterior_at(k, z) * (1 - KroneckerDelta(named(z), k)), (k, 1, K)),
            because="a mistake costs one",
            by=termwise(k, by=using(COUNTED["errors"].at(named(z), k))),
        )
        .equals(
            1 - posterior_at(named(z), z),
            because="the conditional error",
            by=apply(conditional_error(), {d: named(z), p: Lambda(k, posterior_at(k, z))}),
        )
        .qed()
    )
    return (
        Derivation(
            "the error of a rule, with densities",
            given={**LAW_AT, **COUNTED, **RIGHT_AT},
            witness=PENS_AT,
        )
        .start(expected_loss(named))
        .equals(
            Integral(density(z) * (1 - posterior_at(named(z), z)), z),
            because="the conditional error",
            by=termwise(z, by=using(apply(at_one, {z: z}))),
        )
        .equals(
            Integral(density(z), z) - Integral(density(z) * posterior_at(named(z), z), z),
            because="an integral is linear",
        )
        .equals(
            1 - Integral(density(z) * posterior_at(named(z), z), z),
            because="a density has the integral one",
        )
        .qed()
    )


# Two classes with densities; a region of the inputs is where a score is not negative.
density_0, density_1, score = (function(name, of="point") for name in ("g_0", "g_1", "s"))
prior_0, prior_1 = reals("pi_0 pi_1")
inside, outside = indicator(Ge(score(z), 0)), indicator(Lt(score(z), 0))
two_densities = Setting(
    "two densities",
    given={
        "first density": integrable(density_0(z), z),
        "second density": integrable(density_1(z), z),
    },
    witness={
        **{density_0: [1, half], density_1: [half, 1], score: [1, -1]},
        **{prior_0: half, prior_1: half},
    },
)
smaller = Integral(Min(prior_0 * density_0(z), prior_1 * density_1(z)), z)


@proves("thm-bayes-two-densities")
def every_region_errs() -> Theorem:
    r"""Derive that a region errs at least on what lies under both weighted densities."""
    return (
        Derivation(
            "every region errs",
            setting=two_densities,
            given={
                "first part": integrable(density_0(z) * inside, z),
                "second part": integrable(density_1(z) * outside, z),
            },
        )
        .start(smaller)
        .at_most(
            Integral(prior_0 * density_0(z) * inside + prior_1 * density_1(z) * outside, z),
            because="at every point one of the two is paid, and neither is smaller",
            by=termwise(z),
        )
        .equals(
            prior_0 * Integral(density_0(z) * inside, z)
            + prior_1 * Integral(density_1(z) * outside, z),
            because="an integral is linear",
        )
        .qed()
    )


@proves("lem-bayes-best-region")
def best_region() -> Theorem:
    r"""Derive the error of the region in which the second class is at least as probable."""
    pair = prior_1 * density_1(z), prior_0 * density_0(z)
    first = density_0(z) * indicator(Ge(*pair))
    second = density_1(z) * indicator(Lt(*pair))
    return (
        Derivation("the best region", setting=two_densities)
        .start(prior_0 * Integral(first, z) + prior_1 * Integral(second, z))
        .equals(Integral(prior_0 * first + prior_1 * second, z), because="an integral is linear")
        .equals(
            smaller,
            because="at every point the smaller of the two is paid",
            by=termwise(z),
        )
        .qed()
    )


@proves("thm-bayes-most-probable")
def most_probable() -> Theorem:
    r"""Derive that no rule errs less often than the one that names the most probable class."""
    at_one = (
        Derivation(
            "at one input",
            setting=counting,
            given={"from": Ge(i, 1), "to": Le(i, n)},
            witness={i: 1},
        )
        .start(p[i, f[i]])
        .at_most(
            p[i, best[i]],
            because="the class that the rule names is one of those compared",
            by=using(TOP["top"].at(i, f[i])),
        )
        .qed()
    )
    return (
        Derivation("no rule errs less often", setting=counting)
        .start(risk(best))
        .equals(
            1 - Sum(w[i] * p[i, best[i]], (i, 1, n)), because="the Bayes error", by=bayes_error()
        )
        .at_most(
            1 - Sum(w[i] * p[i, f[i]], (i, 1, n)),
            because="at every input no class is more probable",
            by=using(_weighted(at_one)),
        )
        .equals(risk(f), because="the error of the other rule", by=error_of_a_rule())
        .qed()
    )


def _weighted(at_one: Theorem) -> Theorem:
    """Derive that the most probable classes have the largest weighted sum."""
    return (
        Derivation("the largest weighted sum", setting=counting)
        .start(Sum(w[i] * p[i, f[i]], (i, 1, n)))
        .at_most(
            Sum(w[i] * p[i, best[i]], (i, 1, n)),
            because="at every input",
            by=termwise(i, by=using(apply(at_one, {i: i}))),
        )
        .qed()
    )


@proves("cor-bayes-likelihood-error")
def likelihood_error() -> Theorem:
    r"""Derive the Bayes error from the likelihoods alone where the classes are equally frequent."""
    equal = {"equal": for_each(i, 1, n, for_each(k, 1, K, Eq(w[i] * p[i, k], g[i, k] / K)))}
    likely = {
        g: {
            (1, 1): Rational(2, 7),
            (1, 2): Rational(5, 7),
            (2, 1): Rational(5, 7),
            (2, 2): Rational(2, 7),
        }
    }
    named = {name: NAMED[name] for name in ("first best", "last best")}
    at_one = (
        Derivation(
            "at one input",
            given={**equal, **named, "from": Ge(i, 1), "to": Le(i, n)},
            witness={**PENS, **likely, i: 1},
        )
        .start(w[i] * p[i, best[i]])
        .equals(
            g[i, best[i]] / K,
            because="likelihood times prior",
            by=using(equal["equal"].at(i, best[i])),
        )
        .qed()
    )
    in_all = (
        Derivation("in all", given={**equal, **named}, witness={**PENS, **likely})
        .start(Sum(w[i] * p[i, best[i]], (i, 1, n)))
        .equals(
            Sum(g[i, best[i]] / K, (i, 1, n)),
            because="at every input",
            by=termwise(i, by=using(apply(at_one, {i: i}))),
        )
        .qed()
    )
    return (
        Derivation("equally frequent classes", setting=counting, given=equal, witness=likely)
        .start(risk(best))
        .equals(
            1 - Sum(w[i] * p[i, best[i]], (i, 1, n)), because="the Bayes error", by=bayes_error()
        )
        .equals(
            1 - Sum(g[i, best[i]] / K, (i, 1, n)),
            because="likelihood times prior",
            by=using(in_all),
        )
        .equals(1 - 1 / K * Sum(g[i, best[i]], (i, 1, n)), because="take out the prior")
        .qed()
    )


@proves("thm-bayes-error-zero")
def error_zero() -> Theorem:
    r"""Derive that the Bayes error is zero only if every input that occurs determines its class."""
    possible = {"possible": for_each(i, 1, n, Le(p[i, best[i]], 1))}
    none = {"no error": Eq(Sum(w[i] * (1 - p[i, best[i]]), (i, 1, n)), 0)}
    sure = {n: 1, K: 2, w: [1], p: {(1, 1): 1, (1, 2): 0}, best: [1], j: 1}
    given = {**WEIGHTS, **possible, **none, "from": Ge(j, 1), "to": Le(j, n)}
    at_one = (
        Derivation("no error at any input", given=given, witness=sure)
        .start(w[j] * (1 - p[j, best[j]]))
        .equals(
            Sum(KroneckerDelta(j, i) * (w[i] * (1 - p[i, best[i]])), (i, 1, n)),
            because="a sum with one term",
        )
        .at_most(
            Sum(w[i] * (1 - p[i, best[i]]), (i, 1, n)),
            because="one of the terms, of which none is negative",
            by=termwise(i),
        )
        .equals(0, because="there is no error")
        .qed()
    )
    return (
        Derivation("no error, no doubt", given={**given, "occurs": Gt(w[j], 0)}, witness=sure)
        .hence(
            Eq(p[j, best[j]], 1),
            because="at every input the product vanishes, and the input occurs",
            by=using(at_one),
        )
        .qed()
    )


# ------------------------------------------------------------------ guessing

GUESS = {
    "chances": for_each(k, 1, K, Ge(q[k], 0)),
    "guess": Eq(Sum(q[k], (k, 1, K)), 1),
}
PRIOR = {"prior": Eq(Sum(pi[k], (k, 1, K)), 1)}
MAJORITY = {"majority": for_each(k, 1, K, Le(pi[k], pi[c]))}
MEMBER = {"from": Ge(c, 1), "to": Le(c, K)}
UNEVEN = {K: 2, q: [half, half], pi: [2 * third, third], c: 1}


@proves("thm-bayes-majority")
def majority() -> Theorem:
    r"""Derive that no guess errs less often than naming the most frequent class."""
    return (
        Derivation("no guess beats the majority", given={**GUESS, **MAJORITY}, witness=UNEVEN)
        .start(1 - Sum(q[k] * pi[k], (k, 1, K)))
        .at_least(
            1 - Sum(q[k] * pi[c], (k, 1, K)), because="no class is more frequent", by=termwise(k)
        )
        .equals(1 - pi[c], because="the chances sum to one")
        .qed()
    )


@proves("lem-bayes-majority-share")
def majority_share() -> Theorem:
    r"""Derive that naming the most frequent class errs at most as often as a uniform guess."""
    return (
        Derivation("the majority is large", given={**PRIOR, **MAJORITY}, witness=UNEVEN)
        .start(1 - pi[c])
        .equals(1 - Sum(pi[c], (k, 1, K)) / K, because="a mean of equal numbers")
        .at_most(1 - Sum(pi[k], (k, 1, K)) / K, because="no class is more frequent")
        .equals(1 - 1 / K, because="the priors sum to one")
        .qed()
    )


@proves("lem-bayes-uniform-guess")
def uniform_guess() -> Theorem:
    r"""Derive that with equal priors every guess errs equally often."""
    return (
        Derivation(
            "equal priors",
            given={"guess": GUESS["guess"], "equal": for_each(k, 1, K, Eq(pi[k], 1 / K))},
            witness={K: 2, q: [third, 2 * third], pi: [half, half]},
        )
        .start(1 - Sum(q[k] * pi[k], (k, 1, K)))
        .equals(1 - Sum(q[k] * (1 / K), (k, 1, K)), because="equal priors", by=termwise(k))
        .equals(1 - 1 / K, because="the chances sum to one")
        .qed()
    )


PRIORS = {"priors": for_each(k, 1, K, Eq(pi[k], Sum(w[i] * p[i, k], (i, 1, n))))}


@proves("thm-bayes-features-help")
def features_help() -> Theorem:
    r"""Derive that the Bayes rule errs at most as often as naming one class for all inputs."""
    at_one = (
        Derivation(
            "at one input",
            setting=counting,
            given={"from": Ge(i, 1), "to": Le(i, n), "from one": Ge(c, 1), "to all": Le(c, K)},
            witness={i: 1, c: 1},
        )
        .start(p[i, c])
        .at_most(p[i, best[i]], because="the most probable class", by=using(TOP["top"].at(i, c)))
        .qed()
    )
    weighted = (
        Derivation(
            "in all", setting=counting, given={"from": Ge(c, 1), "to": Le(c, K)}, witness={c: 1}
        )
        .start(Sum(w[i] * p[i, c], (i, 1, n)))
        .at_most(
            Sum(w[i] * p[i, best[i]], (i, 1, n)),
            because="at every input",
            by=termwise(i, by=using(apply(at_one, {i: i}))),
        )
        .qed()
    )
    return (
        Derivation(
            "features do not hurt",
            setting=counting,
            given={**PRIORS, **MEMBER},
            witness={pi: [half, half], c: 1},
        )
        .start(risk(best))
        .equals(
            1 - Sum(w[i] * p[i, best[i]], (i, 1, n)), because="the Bayes error", by=bayes_error()
        )
        .at_most(
            1 - Sum(w[i] * p[i, c], (i, 1, n)),
            because="the most probable class has at least the probability of class $c$",
            by=using(apply(weighted, {c: c})),
        )
        .equals(1 - pi[c], because=r"$\pi_c$ is the probability of class $c$ over all inputs")
        .qed()
    )


# ------------------------------------------------------------------ a plug-in rule


@proves("thm-bayes-plug-in")
def plug_in() -> Theorem:
    r"""Derive how much more a rule errs that takes estimates for the probabilities."""
    chosen = {"chosen": for_each(i, 1, n, Le(q[i, best[i]], q[i, f[i]]))}
    distance = Abs(p[i, best[i]] - q[i, best[i]]) + Abs(p[i, f[i]] - q[i, f[i]])
    rough = {q: {(1, 1): half, (1, 2): half, (2, 1): half, (2, 2): half}}
    at_one = (
        Derivation(
            "at one input",
            given={**chosen, "from": Ge(i, 1), "to": Le(i, n)},
            witness={**PENS, **rough, i: 1},
        )
        .start(p[i, best[i]] - p[i, f[i]])
        .equals(
            (p[i, best[i]] - q[i, best[i]])
            + (q[i, best[i]] - q[i, f[i]])
            + (q[i, f[i]] - p[i, f[i]]),
            because="go through the estimates",
        )
        .at_most(
            (p[i, best[i]] - q[i, best[i]]) + 0 + (q[i, f[i]] - p[i, f[i]]),
            because="by the estimates the chosen class is at least as probable",
            by=using(chosen["chosen"].at(i)),
        )
        .at_most(distance, because="a number is at most its absolute value")
        .qed()
    )
    return (
        Derivation(
            "the price of estimates",
            setting=counting,
            given=chosen,
            witness=rough,
        )
        .start(risk(f) - risk(best))
        .equals(
            Sum(w[i] * (p[i, best[i]] - p[i, f[i]]), (i, 1, n)),
            because="the errors of both rules",
            by=using(error_of_a_rule(), bayes_error()),
        )
        .at_most(
            Sum(w[i] * distance, (i, 1, n)),
            because="at every input",
            by=termwise(i, by=using(apply(at_one, {i: i}))),
        )
        .qed()
    )


# ------------------------------------------------------------------ from likelihoods to decisions

# Class k has the prior pi_k, and p(x | k), a probability or a density, is g_k at the input.
EVIDENCE = Sum(g[l] * pi[l], (l, 1, K))
POSTERIORS = {
    "posteriors": for_each(k, 1, K, Eq(p[k], g[k] * pi[k] / EVIDENCE)),
    "evidence": Gt(EVIDENCE, 0),
}
PAIR = {"from": Ge(j, 1), "to": Le(j, K), "from one": Ge(c, 1), "to all": Le(c, K)}
SEEN = {
    K: 2,
    g: [2, 1],
    pi: [half, half],
    p: [2 * third, third],
    j: 2,
    c: 1,
}
likelihoods = Setting("likelihoods", given=POSTERIORS, witness=SEEN)


@proves("lem-bayes-formula")
def bayes_formula() -> Theorem:
    r"""Derive that the posteriors of Bayes' formula sum to one."""
    return (
        Derivation("posteriors sum to one", setting=likelihoods)
        .start(Sum(p[k], (k, 1, K)))
        .equals(Sum(g[k] * pi[k] / EVIDENCE, (k, 1, K)), because="Bayes' formula", by=termwise(k))
        .equals(1, because="the evidence is the sum of the numerators")
        .qed()
    )


def _joint_order() -> Theorem:
    """Derive that likelihood times prior is in the order of the posteriors."""
    return prove(
        "the same order",
        Le(g[j] * pi[j], g[c] * pi[c]),
        "multiply by the evidence",
        setting=likelihoods,
        given={**PAIR, "order": Le(p[j], p[c])},
        witness=SEEN,
        by=using(POSTERIORS["posteriors"].at(j), POSTERIORS["posteriors"].at(c)),
    )


@proves("thm-bayes-evidence-cancels")
def evidence_cancels() -> Theorem:
    r"""Derive that likelihood times prior orders the classes as the posterior does."""
    joint = Le(g[j] * pi[j], g[c] * pi[c])
    order = Le(p[j], p[c])
    forward = _joint_order()
    backward = prove(
        "and back",
        order,
        "divide by the evidence",
        setting=likelihoods,
        given={**PAIR, "joint": joint},
        witness=SEEN,
        by=using(POSTERIORS["posteriors"].at(j), POSTERIORS["posteriors"].at(c)),
    )
    return equivalence("the evidence cancels", forward, backward)


@proves("cor-bayes-maximum-likelihood")
def maximum_likelihood() -> Theorem:
    r"""Derive that with equal priors the likelihood orders the classes as the posterior does."""
    equal = {"equal": for_each(k, 1, K, Eq(pi[k], 1 / K))}
    likelihood = Le(g[j], g[c])
    order = Le(p[j], p[c])
    given = {**equal, **PAIR}
    known = (
        POSTERIORS["posteriors"].at(j),
        POSTERIORS["posteriors"].at(c),
        equal["equal"].at(j),
        equal["equal"].at(c),
    )
    products = prove(
        "products in the same order",
        Le(g[j] / K, g[c] / K),
        "the evidence cancels",
        setting=likelihoods,
        given={**given, "order": order},
        witness=SEEN,
        by=using(*known, _joint_order()),
    )
    forward = prove(
        "the same order",
        likelihood,
        "equal priors cancel",
        setting=likelihoods,
        given={**given, "order": order},
        witness=SEEN,
        by=using(products),
    )
    backward = prove(
        "and back",
        order,
        "equal priors cancel",
        setting=likelihoods,
        given={**given, "likelihood": likelihood},
        witness=SEEN,
        by=using(*known),
    )
    return equivalence("maximum likelihood", forward, backward)


# ------------------------------------------------------------------ two classes and their costs

# At one input class one has the probability p. L_FN is what it costs to overlook class one, and
# L_FP what a false alarm costs.
one = reals("p")
missed, alarm = reals("L_FN L_FP", positive=True)
INSIDE = {"possible": Gt(one, 0), "not sure": Lt(one, 1)}
AT_A_THIRD = {one: third, missed: 4, alarm: 1}


@proves("thm-bayes-odds")
def odds() -> Theorem:
    r"""Derive that an alarm costs less exactly if the odds exceed the ratio of the costs."""
    with as_written():
        cheaper = Lt((1 - one) * alarm, one * missed)
        exceeds = Gt(one / (1 - one), alarm / missed)
    forward = prove(
        "large odds",
        exceeds,
        "divide by both positive factors",
        given={**INSIDE, "cheaper": cheaper},
        witness=AT_A_THIRD,
    )
    backward = prove(
        "cheap alarms",
        cheaper,
        "multiply by both positive factors",
        given={**INSIDE, "odds": exceeds},
        witness=AT_A_THIRD,
    )
    return equivalence("odds against costs", forward, backward)


@proves("cor-bayes-probability-threshold")
def probability_threshold() -> Theorem:
    r"""Derive the same threshold for the probability itself."""
    with as_written():
        cheaper = Lt((1 - one) * alarm, one * missed)
        exceeds = Gt(one, alarm / (alarm + missed))
    forward = prove(
        "a large probability",
        exceeds,
        "collect what has $p$ in it",
        given={"cheaper": cheaper},
        witness=AT_A_THIRD,
    )
    backward = prove(
        "a cheap alarm",
        cheaper,
        "multiply by the sum of the costs",
        given={"exceeds": exceeds},
        witness=AT_A_THIRD,
    )
    return equivalence("probability against costs", forward, backward)


g_0, g_1, pi_0, pi_1 = reals("g_0 g_1 pi_0 pi_1", positive=True)
p_0, p_1, rho_0, rho_1 = reals("p_0 p_1 rho_0 rho_1")
TWO = {
    "zero": Eq(p_0, g_0 * pi_0 / (g_0 * pi_0 + g_1 * pi_1)),
    "one": Eq(p_1, g_1 * pi_1 / (g_0 * pi_0 + g_1 * pi_1)),
}
RARE = {
    g_0: 1,
    g_1: 2,
    pi_0: half,
    pi_1: half,
    p_0: third,
    p_1: 2 * third,
    missed: 1,
    alarm: 1,
}
two_classes = Setting("two classes", given=TWO, witness=RARE)


@proves("lem-bayes-posterior-odds")
def posterior_odds() -> Theorem:
    r"""Derive that the odds are the likelihood ratio times the ratio of the priors."""
    return (
        Derivation("posterior odds", setting=two_classes, given={"not zero": Gt(p_0, 0)})
        .start(p_1 / p_0)
        .equals(
            (g_1 * pi_1 / (g_0 * pi_0 + g_1 * pi_1)) / (g_0 * pi_0 / (g_0 * pi_0 + g_1 * pi_1)),
            because="Bayes' formula for both classes",
        )
        .equals(g_1 / g_0 * (pi_1 / pi_0), because="the evidence cancels")
        .qed()
    )


@proves("thm-bayes-likelihood-ratio")
def likelihood_ratio() -> Theorem:
    r"""Derive the likelihood ratio from which on an alarm costs less."""
    with as_written():
        cheaper = Lt(p_0 * alarm, p_1 * missed)
        exceeds = Gt(g_1 / g_0, alarm / missed * (pi_0 / pi_1))
    forward = prove(
        "a large ratio",
        exceeds,
        "divide by positive factors",
        setting=two_classes,
        given={"cheaper": cheaper},
        by=using(_cheaper_without_evidence()),
    )
    backward = prove(
        "a cheap alarm",
        cheaper,
        "multiply by positive factors",
        setting=two_classes,
        given={"ratio": exceeds},
    )
    return equivalence("the likelihood ratio", forward, backward)


def _cheaper_without_evidence() -> Theorem:
    """Derive that the evidence does not matter for which decision is cheaper."""
    return prove(
        "without the evidence",
        Lt(g_0 * pi_0 * alarm, g_1 * pi_1 * missed),
        "multiply by the evidence",
        setting=two_classes,
        given={"cheaper": Lt(p_0 * alarm, p_1 * missed)},
    )


# A rule sounds an alarm at input i with the probability a_i; g_{i,0} and g_{i,1} are likelihoods.
a = real_family("a")
u, v = reals("u v")
# What the rule pays if class zero has the weight u and class one the weight v.
wrong = quantity("W", u, v, is_=Sum(a[i] * u * g[i, 0] + (1 - a[i]) * v * g[i, 1], (i, 1, n)))
CHANGED = {
    "changed zero": Eq(rho_0, alarm * pi_0 / (alarm * pi_0 + missed * pi_1)),
    "changed one": Eq(rho_1, missed * pi_1 / (alarm * pi_0 + missed * pi_1)),
}


@proves("lem-bayes-changed-threshold")
def changed_threshold() -> Theorem:
    r"""Derive that the changed priors have the same threshold without costs."""
    return (
        Derivation(
            "the same threshold",
            given={**CHANGED, "not zero": Gt(rho_1, 0)},
            witness={**RARE, rho_0: half, rho_1: half},
        )
        .start(alarm / missed * (pi_0 / pi_1))
        .equals(alarm * pi_0 / (missed * pi_1), because="one fraction")
        .equals(rho_0 / rho_1, because="the denominator of the changed priors cancels")
        .qed()
    )


@proves("thm-bayes-costs-as-priors")
def costs_as_priors() -> Theorem:
    r"""Derive that the risk is a constant times the error under changed priors."""
    total = alarm * pi_0 + missed * pi_1
    return (
        Derivation(
            "costs act as priors",
            given=CHANGED,
            witness={
                **RARE,
                rho_0: half,
                rho_1: half,
                n: 1,
                a: [1],
                g: {(1, 0): 1, (1, 1): 1},
            },
        )
        .start(wrong(alarm * pi_0, missed * pi_1))
        .equals(
            total * wrong(rho_0, rho_1),
            because="take out the sum of the two weights; the quotients are the changed priors",
        )
        .qed()
    )


# What each of two decisions costs under each of two classes: L_{d,k}, the decision first.
@proves("thm-bayes-two-by-two")
def two_by_two() -> Theorem:
    r"""Derive the threshold for a matrix of costs in which right decisions cost something too."""
    cheaper = Lt((1 - one) * L[1, 0] + one * L[1, 1], (1 - one) * L[0, 0] + one * L[0, 1])
    exceeds = Gt(one, (L[1, 0] - L[0, 0]) / ((L[1, 0] - L[0, 0]) + (L[0, 1] - L[1, 1])))
    dearer = {"dearer": Gt((L[1, 0] - L[0, 0]) + (L[0, 1] - L[1, 1]), 0)}
    witness = {one: third, L: {(0, 0): 0, (0, 1): 4, (1, 0): 1, (1, 1): 0}}
    forward = prove(
        "a large probability",
        exceeds,
        "collect what has $p$ in it",
        given={**dearer, "cheaper": cheaper},
        witness=witness,
    )
    backward = prove(
        "a cheap alarm",
        cheaper,
        "multiply by the denominator",
        given={**dearer, "exceeds": exceeds},
        witness=witness,
    )
    return equivalence("two by two", forward, backward)


@proves("lem-bayes-log-odds")
def log_odds() -> Theorem:
    r"""Derive that the logistic function undoes the log-odds."""
    return (
        Derivation("the logistic function undoes the log-odds", given=INSIDE, witness={one: third})
        .start(1 / (1 + exp(-log(one / (1 - one)))))
        .equals(1 / (1 + (1 - one) / one), because="the exponential of a logarithm")
        .equals(one, because="simplify")
        .qed()
    )


# ------------------------------------------------------------------ the triangular problem

x, t = reals("x t")
# Antiderivatives of the two posteriors x and 1 - x.
first_area = quantity("F", x, is_=x**2 / 2)
second_area = quantity("G", x, is_=x - x**2 / 2)


@proves("lem-bayes-triangular-posterior")
def triangular_posterior() -> Theorem:
    r"""Derive the posterior of class one in the triangular problem."""
    return (
        Derivation("the posterior is x itself")
        .start(2 * x * half / ((2 - 2 * x) * half + 2 * x * half))
        .equals(x, because="the evidence is one")
        .qed()
    )


@proves("lem-bayes-first-area")
def first_slope() -> Theorem:
    r"""Derive that $F$ is an antiderivative of $x$."""
    return (
        Derivation("an area of errors")
        .start(grad(first_area(x), x))
        .equals(x, because="the derivative of a square")
        .qed()
    )


@proves("lem-bayes-second-area")
def second_slope() -> Theorem:
    r"""Derive that $G$ is an antiderivative of $1-x$."""
    return (
        Derivation("the other area of errors")
        .start(grad(second_area(x), x))
        .equals(1 - x, because="term by term")
        .qed()
    )


THRESHOLD = {"from zero": Ge(t, 0), "to one": Le(t, 1)}


@proves("thm-bayes-triangular")
def triangular() -> Theorem:
    r"""Derive the error of a threshold in the triangular problem."""
    return (
        Derivation("a parabola", given=THRESHOLD, witness={t: half})
        .start((first_area(t) - first_area(0)) + (second_area(1) - second_area(t)))
        .equals(t**2 / 2 + (1 - t) ** 2 / 2, because="two triangles")
        .equals(quarter + (t - half) ** 2, because="complete the square")
        .qed()
    )


@proves("lem-bayes-triangular-reversed")
def reversed_triangular() -> Theorem:
    r"""Derive the error of the reversed rule in the triangular problem."""
    return (
        Derivation("the parabola upside down", given=THRESHOLD, witness={t: half})
        .start((second_area(t) - second_area(0)) + (first_area(1) - first_area(t)))
        .equals(half + t - t**2, because="put in the antiderivatives")
        .equals(Rational(3, 4) - (t - half) ** 2, because="complete the square")
        .qed()
    )


@proves("thm-bayes-triangular-costs")
def triangular_costs() -> Theorem:
    r"""Derive the risk of a threshold in the triangular problem with costs."""
    total = missed + alarm
    return (
        Derivation("a parabola with costs", given=THRESHOLD, witness={t: half, missed: 2, alarm: 1})
        .start(missed * (first_area(t) - first_area(0)) + alarm * (second_area(1) - second_area(t)))
        .equals(
            missed * t**2 / 2 + alarm * (1 - t) ** 2 / 2, because="two triangles, each paid for"
        )
        .equals(
            missed * alarm / (2 * total) + total / 2 * (t - alarm / total) ** 2,
            because="complete the square",
        )
        .qed()
    )
