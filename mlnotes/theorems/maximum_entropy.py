"""Maximum entropy: matching feature averages and assuming nothing else gives logistic regression.

There are n inputs and K labels; ``q[i, k]`` is the probability of label k at input i, and
``f[i, k]`` the vector of features of that pair. The conditions are that the features have a given
total and that the probabilities of each input sum to one: the setting ``maximum entropy``. On a
finite sample this is ordinary calculus, with one multiplier ``lambda`` (a vector) for the features
and one ``mu[i]`` for each input. The log-linear model with these multipliers is ``p[i, k]``. That
the dual exceeds an entropy by a divergence, ``dual_gap``, is what the rest follows from.
"""

from __future__ import annotations

import functools
from typing import Any

from mlnotes.proof import (
    Derivation,
    Eq,
    Ge,
    KroneckerDelta,
    Lambda,
    Le,
    Rational,
    Setting,
    Sum,
    Theorem,
    apply,
    dot,
    exp,
    for_each,
    grad,
    indices,
    integers,
    log,
    maximise,
    monotone,
    quantity,
    real_family,
    reals,
    sqrt,
    termwise,
    using,
    vector_family,
    vectors,
)
from mlnotes.theorems import proves
from mlnotes.theorems.logistic_regression import logistic

n, K = integers("n K", positive=True)
i, j, k, l = indices("i j k l")  # noqa: E741
lam, total = vectors("lambda F")
f, x = vector_family("f x")
p, q, s = real_family("p q s", positive=True)
g = real_family("g", nonnegative=True)
u, v = reals("u v", positive=True)
mu, t = real_family("mu t")

ROW = {"from the first input": Ge(i, 1), "to the last input": Le(i, n)}
CELL = {**ROW, "from the first label": Ge(k, 1), "to the last label": Le(k, K)}


def _all(term: Any) -> Any:
    """Return the sum over all inputs and labels."""
    return Sum(term, (k, 1, K), (i, 1, n))


def score(i: Any, k: Any) -> Any:
    """Return the linear score of a label."""
    return dot(lam, f[i, k])


# What normalises the model at an input, and the probability of a label under the model.
normaliser = quantity("Z", i, is_=Sum(exp(score(i, l)), (l, 1, K)))


def model(i: Any, k: Any) -> Any:
    """Return the probability of a label under the maximum-entropy model."""
    return exp(score(i, k)) / normaliser[i]


# The entropy of a table of probabilities, and the divergence of one table from another.
entropy = quantity("H", q, is_=-_all(q[i, k] * log(q[i, k])))
divergence = quantity("KL", q, is_=_all(q[i, k] * log(q[i, k] / p[i, k])), given=[p])

PROBLEM = maximise(
    entropy(q),
    over=q,
    subject_to={
        "moments": Eq(_all(q[i, k] * f[i, k]), total),
        "normalised": for_each(i, 1, n, Eq(Sum(q[i, k], (k, 1, K)), 1)),
    },
    name="the maximum-entropy problem",
)
MODEL = {"model": for_each(i, 1, n, for_each(k, 1, K, Eq(p[i, k], model(i, k))))}
MATCHED = {"matched": Eq(_all(p[i, k] * f[i, k]), total)}

lagrangian = quantity(
    "L",
    q,
    lam,
    mu,
    is_=entropy(q)
    + dot(lam, _all(q[i, k] * f[i, k]) - total)
    + Sum(mu[i] * (Sum(q[i, k], (k, 1, K)) - 1), (i, 1, n)),
)
# What the normalisers cost, less what the moments ask for.
dual = quantity("D", lam, is_=Sum(log(normaliser[i]), (i, 1, n)) - dot(lam, total))

# One input and two labels, the first three times as likely as the second.
COIN = {
    i: 1,
    k: 1,
    n: 1,
    K: 2,
    lam: [log(3)],
    f: {(1, 1): [1], (1, 2): [0]},
    mu: [1 - log(4)],
    p: {(1, 1): Rational(3, 4), (1, 2): Rational(1, 4)},
    q: {(1, 1): Rational(3, 4), (1, 2): Rational(1, 4)},
    total: [Rational(3, 4)],
}
maximum_entropy = Setting("maximum entropy", given={"problem": PROBLEM}, witness=COIN)


@functools.cache
def _stationary() -> Any:
    """Return the hypothesis that the Lagrangian is stationary in every probability."""
    inside = [Ge(j, 1), Le(j, n), Ge(l, 1), Le(l, K)]
    slope = grad(lagrangian(q, lam, mu), q[j, l], given=inside)
    return {"stationary": for_each(j, 1, n, for_each(l, 1, K, Eq(slope, 0)))}


def _divergence_exceeds_totals() -> Theorem:
    r"""Derive that a divergence is at least the difference of the totals."""
    return (
        Derivation("divergence and totals")
        .start(Sum(q[k] * log(q[k] / s[k]), (k, 1, K)))
        .at_least(
            Sum(q[k] - s[k], (k, 1, K)),
            because=r"$\log u\ge 1-1/u$, for every term",
            by=termwise(k),
        )
        .qed()
    )


# The second law may sum to less than one, so that outcomes which the first excludes, and which add
# nothing to the divergence, can be left out.
TWO_LAWS = {"first": Eq(Sum(q[k], (k, 1, K)), 1), "second": Le(Sum(s[k], (k, 1, K)), 1)}


@proves("lem-gibbs")
def gibbs() -> Theorem:
    r"""Derive that the divergence of one distribution from another is not negative."""
    return (
        Derivation(
            "Gibbs' inequality",
            given=TWO_LAWS,
            witness={
                K: 2,
                q: [Rational(1, 2), Rational(1, 2)],
                s: [Rational(1, 4), Rational(3, 4)],
            },
        )
        .start(Sum(q[k] * log(q[k] / s[k]), (k, 1, K)))
        .at_least(
            Sum(q[k] - s[k], (k, 1, K)),
            because=r"$\log u\ge 1-1/u$, for every term",
            by=_divergence_exceeds_totals(),
        )
        .at_least(0, because="$q$ sums to one and $s$ to at most one")
        .qed()
    )


@proves("lem-gibbs-equality")
def gibbs_with_distance() -> Theorem:
    r"""Derive that a divergence is at least the squared distance of the roots."""
    return (
        Derivation(
            "no divergence without a difference",
            given=TWO_LAWS,
            witness={
                K: 2,
                q: [Rational(9, 25), Rational(16, 25)],
                s: [Rational(16, 25), Rational(9, 25)],
            },
        )
        .start(Sum(q[k] * log(q[k] / s[k]), (k, 1, K)))
        .equals(
            Sum(2 * q[k] * log(sqrt(q[k]) / sqrt(s[k])), (k, 1, K)),
            because="the logarithm of a square",
            by=termwise(k),
        )
        .at_least(
            Sum(2 * q[k] * (1 - sqrt(s[k]) / sqrt(q[k])), (k, 1, K)),
            because=r"$\log u\ge 1-1/u$ for $u=\sqrt{q_k}/\sqrt{s_k}$",
            by=termwise(k),
        )
        .equals(
            Sum((sqrt(q[k]) - sqrt(s[k])) ** 2 + q[k] - s[k], (k, 1, K)),
            because="complete the square",
            by=termwise(k),
        )
        .at_least(
            Sum((sqrt(q[k]) - sqrt(s[k])) ** 2, (k, 1, K)),
            because="$q$ sums to one and $s$ to at most one",
        )
        .qed()
    )


@proves("lem-maxent-stationarity")
def stationarity() -> Theorem:
    r"""Derive the derivative of the Lagrangian in one probability."""
    return (
        Derivation("derivative of the Lagrangian", given=CELL, witness=COIN)
        .start(grad(lagrangian(q, lam, mu), q[i, k], given=list(CELL.values())))
        .equals(
            -log(q[i, k]) - 1 + score(i, k) + mu[i],
            because="of each sum the derivative keeps the one term in which $q_{i,k}$ stands",
        )
        .qed()
    )


@proves("lem-maxent-exponential-form")
def exponential_form() -> Theorem:
    r"""Derive that where the Lagrangian is stationary the probabilities are exponentials."""
    return (
        Derivation("exponential form", given={**CELL, **_stationary()}, witness=COIN)
        .start(q[i, k])
        .equals(
            exp(score(i, k) + mu[i] - 1),
            because="solve the vanishing derivative for $\\log q_{i,k}$",
            by=monotone(exp),
        )
        .qed()
    )


@proves("lem-maxent-normaliser")
def multiplier() -> Theorem:
    r"""Derive that the multiplier of the normalisation is the logarithm of the normaliser."""
    return (
        Derivation(
            "the normaliser",
            setting=maximum_entropy,
            given={**ROW, **_stationary()},
        )
        .start(exp(1 - mu[i]))
        .equals(exp(1 - mu[i]) * Sum(q[i, l], (l, 1, K)), because="the probabilities sum to one")
        .equals(
            exp(1 - mu[i]) * Sum(exp(score(i, l) + mu[i] - 1), (l, 1, K)),
            because="every one of them is an exponential",
            by=termwise(l, by=exponential_form()(k=l)),
        )
        .equals(normaliser[i], because=r"$\mu_i$ cancels")
        .qed()
    )


@proves("thm-maximum-entropy")
def maximum_entropy_form() -> Theorem:
    r"""Derive that a stationary point is $e^{\langle\lambda,f\rangle}$, normalised by input."""
    return (
        Derivation(
            "maximum-entropy form",
            setting=maximum_entropy,
            given={**CELL, **_stationary()},
        )
        .start(q[i, k])
        .equals(
            exp(score(i, k) + mu[i] - 1),
            because="exponential form",
            by=exponential_form(),
        )
        .equals(exp(score(i, k)) / exp(1 - mu[i]), because="the exponential of a difference")
        .equals(
            model(i, k),
            because=r"$e^{1-\mu_i}=Z_i$, as the probabilities sum to one",
            by=multiplier(),
        )
        .qed()
    )


def _logarithm() -> Theorem:
    """Derive the logarithm of the model."""
    return (
        Derivation("logarithm of the model", given={**CELL, **MODEL}, witness=COIN)
        .start(log(p[i, k]))
        .equals(log(model(i, k)), because="the model", by=monotone(log))
        .equals(score(i, k) - log(normaliser[i]), because="the logarithm of a quotient")
        .qed()
    )


def _sum_of_model() -> Theorem:
    """Derive that the model sums to one at every input."""
    return (
        Derivation("sum of the model", given={**ROW, **MODEL}, witness=COIN)
        .start(Sum(p[i, k], (k, 1, K)))
        .equals(Sum(model(i, k), (k, 1, K)), because="the model", by=termwise(k))
        .equals(1, because="the normaliser is the sum of the exponentials")
        .qed()
    )


LOGARITHM = "the logarithm of the model is a score minus the logarithm of the normaliser"
LOGS = Sum(log(normaliser[i]), (i, 1, n))


def _at_each_label(theorem: Theorem) -> Any:
    return termwise(i, by=termwise(k, by=using(apply(theorem, {i: i, k: k}))))


@functools.cache
def _entropy_of_model() -> Theorem:
    """Derive the entropy of the model from its features and normalisers."""
    return (
        Derivation("entropy of the model", given=MODEL, witness=COIN)
        .start(entropy(p))
        .equals(_all(-p[i, k] * log(p[i, k])), because="a sign")
        .equals(
            _all(p[i, k] * (log(normaliser[i]) - score(i, k))),
            because=LOGARITHM,
            by=_at_each_label(_logarithm()),
        )
        .equals(
            Sum(log(normaliser[i]) * Sum(p[i, k], (k, 1, K)), (i, 1, n))
            - dot(lam, _all(p[i, k] * f[i, k])),
            because="the normaliser does not depend on the label",
        )
        .equals(
            LOGS - dot(lam, _all(p[i, k] * f[i, k])),
            because="the model sums to one",
            by=termwise(i, by=using(apply(_sum_of_model(), {i: i}))),
        )
        .qed()
    )


@proves("thm-maxent-dual-gap")
def dual_gap() -> Theorem:
    r"""Derive that the dual exceeds an entropy by a divergence from the model."""
    return (
        Derivation("the dual and an entropy", setting=maximum_entropy, given=MODEL)
        .start(dual(lam) - entropy(q))
        .equals(
            LOGS - _all(q[i, k] * score(i, k)) - entropy(q),
            because="$q$ has the totals $F$",
        )
        .equals(
            _all(q[i, k] * (log(q[i, k]) - (score(i, k) - log(normaliser[i])))),
            because="collect the terms of each input and label: $q$ sums to one",
        )
        .equals(divergence(q, p), because=LOGARITHM, by=_at_each_label(_logarithm()))
        .qed()
    )


@proves("lem-maxent-divergence")
def divergence_of_tables() -> Theorem:
    r"""Derive that the divergence of a table from the model is not negative."""
    return (
        Derivation("divergence of a table", setting=maximum_entropy, given=MODEL)
        .start(divergence(q, p))
        .at_least(
            Sum(Sum(q[i, k], (k, 1, K)) - Sum(p[i, k], (k, 1, K)), (i, 1, n)),
            because=r"$\log u\ge 1-1/u$, at every input",
            by=termwise(
                i,
                by=apply(
                    _divergence_exceeds_totals(), {q: Lambda(k, q[i, k]), s: Lambda(k, p[i, k])}
                ),
            ),
        )
        .equals(
            0,
            because="both sum to one",
            by=termwise(i, by=using(apply(_sum_of_model(), {i: i}))),
        )
        .qed()
    )


@proves("thm-maxent-weak-duality")
def weak_duality() -> Theorem:
    r"""Derive that the dual is at least the entropy of every distribution with these totals."""
    return (
        Derivation("weak duality", setting=maximum_entropy)
        .start(entropy(q))
        .equals(
            dual(lam) - _all(q[i, k] * log(q[i, k] / model(i, k))),
            because="the dual and an entropy",
            by=using(apply(dual_gap(), {p: Lambda((i, k), model(i, k))})),
        )
        .at_most(
            dual(lam),
            because="Gibbs' inequality at every input",
            by=using(apply(divergence_of_tables(), {p: Lambda((i, k), model(i, k))})),
        )
        .qed()
    )


@proves("lem-maxent-no-gap")
def no_duality_gap() -> Theorem:
    r"""Derive that where the model has the totals asked for the dual is its entropy."""
    return (
        Derivation("no gap", given={**MODEL, **MATCHED}, witness=COIN)
        .start(dual(lam))
        .equals(LOGS - dot(lam, _all(p[i, k] * f[i, k])), because="the model has these totals")
        .equals(
            entropy(p),
            because=r"the mean of $-\log p_{i,k}=\log Z_i-\langle\lambda,f_{i,k}\rangle$ under $p$",
            by=using(_entropy_of_model()),
        )
        .qed()
    )


@proves("lem-entropy-gap")
def entropy_gap() -> Theorem:
    r"""Derive that with the same feature totals the gap of the entropies is a divergence."""
    return (
        Derivation("gap of the entropies", setting=maximum_entropy, given={**MODEL, **MATCHED})
        .start(entropy(p) - entropy(q))
        .equals(dual(lam) - entropy(q), because="no gap", by=using(no_duality_gap()))
        .equals(divergence(q, p), because="the dual and an entropy", by=dual_gap())
        .qed()
    )


@proves("thm-maximum-entropy-optimal")
def maximum_entropy_is_largest() -> Theorem:
    r"""Derive that no distribution with the same feature totals has a larger entropy."""
    return (
        Derivation("largest entropy", setting=maximum_entropy, given={**MODEL, **MATCHED})
        .start(entropy(q))
        .at_most(dual(lam), because="weak duality", by=weak_duality())
        .equals(entropy(p), because="no gap", by=no_duality_gap())
        .qed()
    )


def _one_term() -> Theorem:
    """Derive that a term is at most a sum of terms that are not negative."""
    return (
        Derivation(
            "one term", given={"from": Ge(k, 1), "to": Le(k, K)}, witness={k: 1, K: 1, g: [1]}
        )
        .start(Sum(g[l], (l, 1, K)))
        .at_least(
            Sum(KroneckerDelta(l, k) * g[l], (l, 1, K)),
            because="leave out what is not negative",
            by=termwise(l),
        )
        .equals(g[k], because="one term is left")
        .qed()
    )


def _equal_roots() -> Theorem:
    """Derive that numbers whose roots are not apart are equal."""
    close = {"close": Le((sqrt(u) - sqrt(v)) ** 2, 0)}
    roots = (
        Derivation("equal roots", given=close, witness={u: 1, v: 1})
        .start(sqrt(u) - sqrt(v))
        .equals(0, because="no square is negative")
        .qed()
    )
    return (
        Derivation("equal numbers", given=close, witness={u: 1, v: 1})
        .start(u)
        .equals((sqrt(v) + (sqrt(u) - sqrt(v))) ** 2, because="the square of a root")
        .equals(v, because="the roots are equal", by=using(roots))
        .qed()
    )


@proves("cor-maxent-unique")
def maximum_entropy_is_unique() -> Theorem:
    r"""Derive that whatever has as much entropy as the model is the model."""

    def apart(i: Any, k: Any) -> Any:
        return (sqrt(q[i, k]) - sqrt(p[i, k])) ** 2

    row = Sum(apart(i, l), (l, 1, K))
    rows = Sum(apart(j, l), (l, 1, K), (j, 1, n))
    at = {q: Lambda(k, q[j, k]), s: Lambda(k, p[j, k])}
    return (
        Derivation(
            "the only one",
            setting=maximum_entropy,
            given={**MODEL, **MATCHED, "as large": Ge(entropy(q), entropy(p)), **CELL},
        )
        .start(apart(i, k))
        .at_most(
            row,
            because="one label of all",
            by=apply(_one_term(), {g: Lambda(l, apart(i, l))}),
        )
        .at_most(
            rows,
            because="one input of all",
            by=apply(_one_term(), {k: i, K: n, g: Lambda(j, Sum(apart(j, l), (l, 1, K)))}),
        )
        .at_most(
            divergence(q, p),
            because="no divergence without a difference, at every input",
            by=termwise(j, by=apply(gibbs_with_distance(), at)),
        )
        .equals(entropy(p) - entropy(q), because="gap of the entropies", by=entropy_gap())
        .at_most(0, because="$q$ has as much entropy")
        .hence(Eq(q[i, k], p[i, k]), because="equal roots", by=_equal_roots()(u=q[i, k], v=p[i, k]))
        .qed()
    )


@proves("lem-entropy-uniform")
def uniform_is_largest() -> Theorem:
    r"""Derive that no distribution on $K$ outcomes has more entropy than the uniform one."""
    return (
        Derivation(
            "at most the logarithm of K",
            given={"first": TWO_LAWS["first"]},
            witness={K: 2, q: [Rational(1, 4), Rational(3, 4)]},
        )
        .start(-Sum(q[k] * log(q[k]), (k, 1, K)))
        .equals(
            Sum(q[k] * log(K) - q[k] * log(q[k] / (1 / K)), (k, 1, K)),
            because="the logarithm of a quotient",
        )
        .equals(log(K) - Sum(q[k] * log(q[k] / (1 / K)), (k, 1, K)), because="$q$ sums to one")
        .at_most(
            log(K),
            because="Gibbs' inequality against the uniform distribution",
            by=using(apply(gibbs(), {s: Lambda(k, 1 / K)})),
        )
        .qed()
    )


@proves("lem-maxent-dual-value")
def dual_value() -> Theorem:
    r"""Derive that the Lagrangian at the maximum-entropy form is the dual."""
    slack = Sum(mu[i] * (Sum(p[i, k], (k, 1, K)) - 1), (i, 1, n))
    return (
        Derivation("the form put back", given=MODEL, witness=COIN)
        .start(lagrangian(p, lam, mu))
        .equals(
            dual(lam) + slack,
            because="entropy of the model",
            by=using(_entropy_of_model()),
        )
        .equals(dual(lam), because="the model sums to one", by=using(_no_slack()))
        .qed()
    )


def _no_slack() -> Theorem:
    """Derive that the multipliers of the normalisation meet nothing at the model."""
    return (
        Derivation("no slack", given=MODEL, witness=COIN)
        .start(Sum(mu[i] * (Sum(p[i, k], (k, 1, K)) - 1), (i, 1, n)))
        .equals(
            0,
            because="every bracket vanishes",
            by=termwise(i, by=using(apply(_sum_of_model(), {i: i}))),
        )
        .qed()
    )


@proves("thm-maxent-dual-likelihood")
def dual_is_likelihood() -> Theorem:
    r"""Derive that the dual is the negative log-likelihood of the log-linear model."""
    # The i-th of the n inputs was seen with the label whose indicator is t[i, k].
    return (
        Derivation(
            "dual and likelihood",
            given={
                **MODEL,
                "one label": for_each(i, 1, n, Eq(Sum(t[i, k], (k, 1, K)), 1)),
                "totals": Eq(total, _all(t[i, k] * f[i, k])),
            },
            witness={**COIN, t: {(1, 1): 1, (1, 2): 0}, total: [1]},
        )
        .start(-_all(t[i, k] * log(p[i, k])))
        .equals(_all(-t[i, k] * log(p[i, k])), because="a sign")
        .equals(
            _all(t[i, k] * (log(normaliser[i]) - score(i, k))),
            because=LOGARITHM,
            by=_at_each_label(_logarithm()),
        )
        .equals(dual(lam), because="one label was seen at every input")
        .qed()
    )


@proves("lem-maxent-dual-gradient")
def dual_gradient() -> Theorem:
    r"""Derive that the gradient of the dual is the difference of the feature totals."""
    return (
        Derivation("gradient of the dual", given=MODEL, witness=COIN)
        .start(grad(dual(lam), lam))
        .equals(
            _all(model(i, k) * f[i, k]) - total,
            because="the slope of $\\log Z_i$ is the average of the features under the model",
        )
        .equals(_all(p[i, k] * f[i, k]) - total, because="the model")
        .qed()
    )


# Two labels, of which the second has no features.
TWO_LABELS = {
    "two": Eq(K, 2),
    "first features": for_each(i, 1, n, Eq(f[i, 1], x[i])),
    "second features": for_each(i, 1, n, Eq(f[i, 2], 0)),
}
TWO = {**COIN, x: [[1]]}


def _normaliser_of_two() -> Theorem:
    """Derive the normaliser of two labels."""
    return (
        Derivation("two labels", given={**ROW, **TWO_LABELS}, witness=TWO)
        .start(normaliser[i])
        .equals(Sum(exp(score(i, l)), (l, 1, 2)), because="two labels")
        .equals(exp(score(i, 1)) + exp(score(i, 2)), because="two terms")
        .equals(exp(dot(lam, x[i])) + 1, because="the second label has score 0")
        .qed()
    )


@proves("thm-maxent-is-logistic")
def binary_case() -> Theorem:
    r"""Derive that with two labels and features $[y=1]\,x$ the model is logistic regression."""
    return (
        Derivation(
            "logistic regression",
            setting=maximum_entropy,
            given={**ROW, **_stationary(), **TWO_LABELS},
            witness=TWO,
        )
        .start(q[i, 1])
        .equals(model(i, 1), because="maximum-entropy form", by=maximum_entropy_form()(k=1))
        .equals(exp(dot(lam, x[i])) / normaliser[i], because="the features of the first label")
        .equals(
            exp(dot(lam, x[i])) / (exp(dot(lam, x[i])) + 1),
            because="the second label has score 0",
            by=using(_normaliser_of_two()),
        )
        .equals(logistic(dot(lam, x[i])), because=r"divide by $e^{\langle\lambda,x_i\rangle}$")
        .qed()
    )
