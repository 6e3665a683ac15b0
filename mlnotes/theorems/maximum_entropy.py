"""Maximum entropy: matching feature averages and assuming nothing else gives logistic regression.

There are n inputs and K labels; ``p[i, k]`` is the probability of label k at input i, and
``f[i, k]`` the vector of features of that pair. The conditions are that the features have a given
total and that the probabilities of each input sum to one. On a finite sample this is ordinary
calculus, with one multiplier ``lambda`` (a vector) for the features and one ``mu[i]`` for each
input.
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
    Sum,
    Theorem,
    apply,
    as_written,
    dot,
    exp,
    for_each,
    grad,
    indices,
    integers,
    log,
    monotone,
    real_family,
    reals,
    substitute,
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
a, b = real_family("a b", positive=True)
mu, t = real_family("mu t")
value = reals("Lambda")

ROW = [Ge(i, 1), Le(i, n)]
CELL = [*ROW, Ge(k, 1), Le(k, K)]


def score(i: Any, k: Any) -> Any:
    """Return the linear score of a label."""
    return dot(lam, f[i, k])


def normaliser(i: Any) -> Any:
    """Return the sum of the exponentials of the scores at an input."""
    return Sum(exp(score(i, l)), (l, 1, K))


def model(i: Any, k: Any) -> Any:
    """Return the probability of a label under the maximum-entropy model."""
    return exp(score(i, k)) / normaliser(i)


def _all(term: Any) -> Any:
    return Sum(term, (k, 1, K), (i, 1, n))


LAGRANGIAN = (
    -_all(p[i, k] * log(p[i, k]))
    + dot(lam, _all(p[i, k] * f[i, k]) - total)
    + Sum(mu[i] * (Sum(p[i, k], (k, 1, K)) - 1), (i, 1, n))
)

NORMALISED = for_each(j, 1, n, Eq(Sum(p[j, l], (l, 1, K)), 1))
DISTRIBUTION = for_each(i, 1, n, Eq(Sum(q[i, k], (k, 1, K)), 1))
MODEL = for_each(i, 1, n, for_each(k, 1, K, Eq(p[i, k], model(i, k))))
SAME_FEATURES = Eq(_all(q[i, k] * f[i, k]), _all(p[i, k] * f[i, k]))

# One input and two labels, the first three times as likely as the second.
LOG3 = log(3)
COIN = {
    i: 1,
    k: 1,
    n: 1,
    K: 2,
    lam: [LOG3],
    f: {(1, 1): [1], (1, 2): [0]},
    mu: [1 - log(4)],
    p: {(1, 1): Rational(3, 4), (1, 2): Rational(1, 4)},
    q: {(1, 1): Rational(3, 4), (1, 2): Rational(1, 4)},
}


@functools.cache
def _stationary() -> Any:
    """Return the hypothesis that the Lagrangian is stationary in every probability."""
    inside = [Ge(j, 1), Le(j, n), Ge(l, 1), Le(l, K)]
    slope = grad(LAGRANGIAN, p[j, l], given=inside)
    return for_each(j, 1, n, for_each(l, 1, K, Eq(slope, 0)))


def _entropy(of: Any) -> Any:
    return -_all(of[i, k] * log(of[i, k]))


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


@proves("lem-gibbs")
def gibbs() -> Theorem:
    r"""Derive that the divergence of one distribution from another is not negative."""
    # The second may sum to less than one, so that outcomes which the first excludes, and which add
    # nothing to the divergence, can be left out.
    return (
        Derivation(
            "Gibbs' inequality",
            given=[Eq(Sum(q[k], (k, 1, K)), 1), Le(Sum(s[k], (k, 1, K)), 1)],
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
            by=apply(_divergence_exceeds_totals()),
        )
        .at_least(0, because="the first sums to one, the second to at most one")
        .qed()
    )


@proves("lem-gibbs-equality")
def gibbs_with_distance() -> Theorem:
    r"""Derive that a divergence is at least the squared distance of the roots."""
    return (
        Derivation(
            "no divergence without a difference",
            given=[Eq(Sum(a[k] ** 2, (k, 1, K)), 1), Eq(Sum(b[k] ** 2, (k, 1, K)), 1)],
            witness={
                K: 2,
                a: [Rational(3, 5), Rational(4, 5)],
                b: [Rational(4, 5), Rational(3, 5)],
            },
        )
        .start(Sum(a[k] ** 2 * log(a[k] ** 2 / b[k] ** 2), (k, 1, K)))
        .equals(
            Sum(2 * a[k] ** 2 * log(a[k] / b[k]), (k, 1, K)), because="the logarithm of a square"
        )
        .at_least(
            Sum(2 * a[k] ** 2 - 2 * a[k] * b[k], (k, 1, K)),
            because=r"$\log u\ge 1-1/u$ for $u=a_k/b_k$",
            by=termwise(k),
        )
        .equals(Sum((a[k] - b[k]) ** 2, (k, 1, K)), because="both sums of squares are one")
        .qed()
    )


@proves("lem-maxent-stationarity")
def stationarity() -> Theorem:
    r"""Derive the derivative of the Lagrangian in one probability."""
    return (
        Derivation("derivative of the Lagrangian", given=CELL, witness=COIN)
        .start(grad(LAGRANGIAN, p[i, k], given=CELL))
        .equals(
            -log(p[i, k]) - 1 + score(i, k) + mu[i],
            because="of each sum the derivative keeps the one term in which $p_{i,k}$ stands",
        )
        .qed()
    )


@proves("lem-maxent-exponential-form")
def exponential_form() -> Theorem:
    r"""Derive that where the Lagrangian is stationary the probabilities are exponentials."""
    return (
        Derivation("exponential form", given=[*CELL, _stationary()], witness=COIN)
        .start(p[i, k])
        .equals(
            exp(score(i, k) + mu[i] - 1),
            because="solve the vanishing derivative for $\\log p_{i,k}$",
            by=monotone(exp),
        )
        .qed()
    )


@proves("lem-maxent-normaliser")
def multiplier() -> Theorem:
    r"""Derive that the multiplier of the normalisation is the logarithm of the normaliser."""
    return (
        Derivation("the normaliser", given=[*ROW, _stationary(), NORMALISED], witness=COIN)
        .start(exp(1 - mu[i]))
        .equals(exp(1 - mu[i]) * Sum(p[i, l], (l, 1, K)), because="the probabilities sum to one")
        .equals(
            exp(1 - mu[i]) * Sum(exp(score(i, l) + mu[i] - 1), (l, 1, K)),
            because="every one of them is an exponential",
            by=termwise(l, by=apply(exponential_form(), {k: l})),
        )
        .equals(normaliser(i), because=r"$\mu_i$ cancels")
        .qed()
    )


@proves("thm-maximum-entropy")
def maximum_entropy_form() -> Theorem:
    r"""Derive that a stationary point is $e^{\langle\lambda,f\rangle}$, normalised by input."""
    return (
        Derivation("maximum-entropy form", given=[*CELL, _stationary(), NORMALISED], witness=COIN)
        .start(p[i, k])
        .equals(
            exp(score(i, k) + mu[i] - 1),
            because="exponential form",
            by=apply(exponential_form()),
        )
        .equals(exp(score(i, k)) / exp(1 - mu[i]), because="the exponential of a difference")
        .equals(exp(score(i, k)) / normaliser(i), because="the normaliser", by=apply(multiplier()))
        .qed()
    )


def _logarithm() -> Theorem:
    """Derive the logarithm of the model."""
    return (
        Derivation("logarithm of the model", given=[*CELL, MODEL], witness=COIN)
        .start(log(p[i, k]))
        .equals(log(model(i, k)), because="the model", by=monotone(log))
        .equals(score(i, k) - log(normaliser(i)), because="the logarithm of a quotient")
        .qed()
    )


def _sum_of_model() -> Theorem:
    """Derive that the model sums to one at every input."""
    return (
        Derivation("sum of the model", given=[*ROW, MODEL], witness=COIN)
        .start(Sum(p[i, k], (k, 1, K)))
        .equals(Sum(model(i, k), (k, 1, K)), because="the model", by=termwise(k))
        .equals(1, because="the normaliser is the sum of the exponentials")
        .qed()
    )


LOGARITHM = "the logarithm of the model is a score minus the logarithm of the normaliser"


def _at_each_label(theorem: Theorem) -> Any:
    return termwise(i, by=termwise(k, by=using(apply(theorem, {i: i, k: k}))))


@functools.cache
def _entropy_of_model() -> Theorem:
    """Derive the entropy of the model from its features and normalisers."""
    logs = Sum(log(normaliser(i)), (i, 1, n))
    features = dot(lam, _all(p[i, k] * f[i, k]))
    return (
        Derivation("entropy of the model", given=[MODEL], witness=COIN)
        .start(_entropy(p))
        .equals(_all(-p[i, k] * log(p[i, k])), because="a sign")
        .equals(
            _all(p[i, k] * (log(normaliser(i)) - score(i, k))),
            because=LOGARITHM,
            by=_at_each_label(_logarithm()),
        )
        .equals(
            Sum(log(normaliser(i)) * Sum(p[i, k], (k, 1, K)), (i, 1, n)) - features,
            because="the normaliser does not depend on the label",
        )
        .equals(
            logs - features,
            because="the model sums to one",
            by=termwise(i, by=using(apply(_sum_of_model(), {i: i}))),
        )
        .qed()
    )


@proves("lem-entropy-gap")
def entropy_gap() -> Theorem:
    r"""Derive that with the same feature totals the gap of the entropies is a divergence."""
    features = dot(lam, _all(p[i, k] * f[i, k]))
    others = dot(lam, _all(q[i, k] * f[i, k]))
    logs = Sum(log(normaliser(i)), (i, 1, n))
    return (
        Derivation("gap of the entropies", given=[MODEL, DISTRIBUTION, SAME_FEATURES], witness=COIN)
        .start(_entropy(p) - _entropy(q))
        .equals(
            logs - features - _entropy(q),
            because="entropy of the model",
            by=using(apply(_entropy_of_model())),
        )
        .equals(logs - others - _entropy(q), because="both have the same feature totals")
        .equals(
            _all(q[i, k] * (log(q[i, k]) - (score(i, k) - log(normaliser(i))))),
            because="collect the terms: $q$ sums to one",
        )
        .equals(
            _all(q[i, k] * log(q[i, k] / p[i, k])),
            because="logarithm of the model",
            by=_at_each_label(_logarithm()),
        )
        .qed()
    )


@proves("thm-maximum-entropy-optimal")
def maximum_entropy_is_largest() -> Theorem:
    r"""Derive that no distribution with the same feature totals has a larger entropy."""
    with as_written():
        difference = Sum(q[i, k], (k, 1, K)) - Sum(p[i, k], (k, 1, K))
    return (
        Derivation("largest entropy", given=[MODEL, DISTRIBUTION, SAME_FEATURES], witness=COIN)
        .start(_entropy(p) - _entropy(q))
        .equals(
            _all(q[i, k] * log(q[i, k] / p[i, k])),
            because="gap of the entropies",
            by=apply(entropy_gap()),
        )
        .at_least(
            Sum(difference, (i, 1, n)),
            because="Gibbs' inequality at every input",
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


@proves("lem-entropy-uniform")
def uniform_is_largest() -> Theorem:
    r"""Derive that no distribution on $K$ outcomes has more entropy than the uniform one."""
    return (
        Derivation(
            "at most the logarithm of K",
            given=[Eq(Sum(q[k], (k, 1, K)), 1)],
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


def _dual() -> Any:
    """Return the dual: what the normalisers cost, less what the moments ask for."""
    return Sum(log(normaliser(i)), (i, 1, n)) - dot(lam, total)


@proves("lem-maxent-dual-value")
def dual_value() -> Theorem:
    r"""Derive that the Lagrangian at the maximum-entropy form is the dual."""
    slack = Sum(mu[i] * (Sum(p[i, k], (k, 1, K)) - 1), (i, 1, n))
    return (
        Derivation(
            "the form put back",
            given=[MODEL, Eq(value, LAGRANGIAN)],
            witness={**COIN, total: [0], value: log(4)},
        )
        .start(value)
        .equals(
            _dual() + slack,
            because="entropy of the model",
            by=using(apply(_entropy_of_model())),
        )
        .equals(
            _dual(),
            because="the model sums to one",
            by=using(apply(_no_slack())),
        )
        .qed()
    )


def _no_slack() -> Theorem:
    """Derive that the multipliers of the normalisation meet nothing at the model."""
    return (
        Derivation("no slack", given=[MODEL], witness=COIN)
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
    seen = for_each(i, 1, n, Eq(Sum(t[i, k], (k, 1, K)), 1))
    totals = Eq(total, _all(t[i, k] * f[i, k]))
    return (
        Derivation(
            "dual and likelihood",
            given=[MODEL, seen, totals],
            witness={**COIN, t: {(1, 1): 1, (1, 2): 0}, total: [1]},
        )
        .start(_all(-t[i, k] * log(p[i, k])))
        .equals(
            _all(t[i, k] * (log(normaliser(i)) - score(i, k))),
            because=LOGARITHM,
            by=_at_each_label(_logarithm()),
        )
        .equals(_dual(), because="one label was seen at every input")
        .qed()
    )


@proves("lem-maxent-dual-gradient")
def dual_gradient() -> Theorem:
    r"""Derive that the gradient of the dual is the difference of the feature totals."""
    return (
        Derivation("gradient of the dual")
        .start(grad(_dual(), lam))
        .equals(
            _all(model(i, k) * f[i, k]) - total,
            because="the slope of $\\log Z$ is the average of the features under the model",
        )
        .qed()
    )


@proves("thm-maxent-weak-duality")
def weak_duality() -> Theorem:
    r"""Derive that the dual is at least the entropy of every distribution with these totals."""
    met = Eq(_all(q[i, k] * f[i, k]), total)
    return (
        Derivation(
            "weak duality",
            given=[DISTRIBUTION, met],
            witness={**COIN, total: [Rational(3, 4)]},
        )
        .start(_dual() - _entropy(q))
        .equals(
            Sum(log(normaliser(i)), (i, 1, n))
            - _all(q[i, k] * dot(lam, f[i, k]))
            + _all(q[i, k] * log(q[i, k])),
            because="the distribution has these totals",
        )
        .equals(
            _all(q[i, k] * (log(q[i, k]) - dot(lam, f[i, k]) + log(normaliser(i)))),
            because="collect the terms of each input and label: $q$ sums to one",
        )
        .equals(
            _all(q[i, k] * log(q[i, k] / model(i, k))),
            because="the logarithm of a quotient",
            by=termwise(i, by=termwise(k)),
        )
        .at_least(
            0,
            because="Gibbs' inequality at every input",
            by=termwise(i, by=apply(gibbs(), {q: Lambda(k, q[i, k]), s: Lambda(k, model(i, k))})),
        )
        .qed()
    )


@proves("lem-maxent-no-gap")
def no_duality_gap() -> Theorem:
    r"""Derive that where the model has the totals asked for the dual is its entropy."""
    features = dot(lam, _all(p[i, k] * f[i, k]))
    return (
        Derivation(
            "no gap",
            given=[MODEL, Eq(_all(p[i, k] * f[i, k]), total)],
            witness={**COIN, total: [Rational(3, 4)]},
        )
        .start(_dual())
        .equals(Sum(log(normaliser(i)), (i, 1, n)) - features, because="the model has these totals")
        .equals(_entropy(p), because="entropy of the model", by=using(apply(_entropy_of_model())))
        .qed()
    )


@proves("thm-maxent-is-logistic")
def binary_case() -> Theorem:
    r"""Derive that with two labels and features $[y=1]\,x$ the model is logistic regression."""
    features = Lambda((i, k), KroneckerDelta(k, 1) * x[i])
    two_labels = [substitute(h, {K: 2, f: features}) for h in (_stationary(), NORMALISED)]
    return (
        Derivation(
            "logistic regression",
            given=[*ROW, *two_labels],
            witness={**COIN, x: [[1]]},
        )
        .start(p[i, 1])
        .equals(
            exp(dot(lam, x[i])) / (exp(dot(lam, x[i])) + 1),
            because="maximum-entropy form: the second label has score 0",
            by=apply(maximum_entropy_form(), {K: 2, k: 1, f: features}),
        )
        .equals(logistic(dot(lam, x[i])), because=r"divide by $e^{\langle\lambda,x_i\rangle}$")
        .qed()
    )
