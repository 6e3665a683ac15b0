"""Mixtures and EM: a bound that touches the likelihood, and the updates that raise it.

For one point, ``p[k]`` is its joint density with component k, so that its own density is their sum;
``q[k]`` is any distribution over the components. For n points and any model, ``p(i, k, theta)`` is
the joint density at the parameters theta. Log-likelihood, responsibilities and expected
log-likelihood are then functions of the parameters: ell(theta), r(i, k, theta) and Q(theta^+ |
theta). In the M-step the responsibilities are fixed numbers ``r[i, k]``.

Weights of components and priors of classes are both shares in proportion to counts, and features of
components and of classes are both coins: each fact is proved once and applied to both. Where some
points carry a label, ``y[i, k]`` is 1 for the label of point i and 0 for the others, and
``r[u, k]`` is the responsibility for point u of the M points without one.

A Gaussian component is treated with matrices: the rows of X are the points, e is the column of
ones, and W the diagonal matrix of the responsibilities of the component, which add up to N.
"""

from __future__ import annotations

from typing import Any

from mlnotes.proof import (
    Derivation,
    Eq,
    Ge,
    Gt,
    KroneckerDelta,
    Lambda,
    Le,
    Lt,
    Rational,
    Setting,
    Sum,
    Theorem,
    apply,
    dimensions,
    exp,
    for_all,
    for_each,
    function,
    grad,
    identity,
    indices,
    integer_family,
    integers,
    inverse,
    lagrangian,
    log,
    logdet,
    matrices,
    monotone,
    norm2,
    positive_definite,
    quantity,
    real_family,
    reals,
    termwise,
    trace,
    using,
    vector_family,
    vectors,
    zeros,
)
from mlnotes.theorems import library, proves

n, K, D = integers("n K d", positive=True)
i, j, k, l = indices("i j k l")  # noqa: E741
p, q, r = real_family("p q r", positive=True)
pi, component = real_family("pi c", positive=True)
x = real_family("x")
nu = reals("nu")
share, value, heads, tosses = reals("a t A B", positive=True)

COMPONENT = {"from one": Ge(k, 1), "to K": Le(k, K)}


def _over(term: Any) -> Any:
    return Sum(term, (k, 1, K))


def _table(rows: list[list[Any]]) -> dict[tuple[int, int], Any]:
    return {(i, k): v for i, row in enumerate(rows, 1) for k, v in enumerate(row, 1)}


EVIDENCE = Sum(p[l], (l, 1, K))
ELBO = _over(q[k] * log(p[k] / q[k]))
BOUND = quantity("F", q, is_=ELBO)
_one_posterior = quantity("r", k, is_=p[k] / EVIDENCE)
DIVERGENCE = _over(q[k] * log(q[k] / _one_posterior(k)))

# A point with joint probabilities 1/5 and 3/10, and a guess that favours neither component.
POINT = {
    K: 2,
    p: [Rational(1, 5), Rational(3, 10)],
    q: [Rational(1, 2), Rational(1, 2)],
}
AT_POSTERIOR = {**POINT, q: [Rational(2, 5), Rational(3, 5)]}
one_point = Setting("one point", given={"distribution": Eq(_over(q[k]), 1)}, witness=POINT)


@proves("thm-elbo")
def decomposition() -> Theorem:
    r"""Derive that the log-likelihood is the lower bound plus a divergence."""
    return (
        Derivation("log-likelihood, bound and divergence", setting=one_point)
        .start(log(EVIDENCE))
        .equals(_over(q[k] * log(EVIDENCE)), because="$q$ sums to one")
        .equals(
            _over(q[k] * (log(p[k] / q[k]) + log(q[k] / _one_posterior(k)))),
            because="$p_k/r_k$ is the density of the point; multiply and divide by $q_k$",
        )
        .equals(BOUND(q) + DIVERGENCE, because="split the sum")
        .qed()
    )


@proves("cor-elbo-bound")
def lower_bound() -> Theorem:
    r"""Derive that the bound is never above the log-likelihood."""
    posterior = Lambda(k, p[k] / EVIDENCE)
    return (
        Derivation("the bound is below", setting=one_point)
        .start(BOUND(q))
        .at_most(
            BOUND(q) + DIVERGENCE,
            because="Gibbs' inequality: a divergence is not negative",
            by=library.gibbs()(s=posterior),
        )
        .equals(
            log(EVIDENCE),
            because="log-likelihood, bound and divergence",
            by=using(apply(decomposition())),
        )
        .qed()
    )


@proves("lem-elbo-tight")
def tight_at_the_posterior() -> Theorem:
    r"""Derive that the bound touches the log-likelihood where $q$ is the posterior."""
    posterior = for_each(k, 1, K, Eq(q[k], _one_posterior(k)))
    return (
        Derivation("the bound touches", given={"posterior": posterior}, witness=AT_POSTERIOR)
        .start(BOUND(q))
        .equals(
            _over(_one_posterior(k) * log(p[k] / _one_posterior(k))),
            because="$q$ is the posterior",
        )
        .equals(
            _over(_one_posterior(k) * log(EVIDENCE)),
            because="$p_k/r_k$ is the density of the point, whatever $k$ is",
        )
        .equals(log(EVIDENCE), because="the posterior sums to one")
        .qed()
    )


def _each(term: Any) -> Any:
    return Sum(term, (k, 1, K), (i, 1, n))


# Any model: p(i, k, theta) is the joint density of point i and component k at the parameters theta,
# whatever these are.
theta, theta_plus = vectors("theta theta^+")
density = function("p", of=["integer", "integer", "vector"])
likelihood = quantity("ell", theta, is_=Sum(log(Sum(density(i, l, theta), (l, 1, K))), (i, 1, n)))
posterior = quantity(
    "r", i, k, theta, is_=density(i, k, theta) / Sum(density(i, l, theta), (l, 1, K))
)
# The expected complete log-likelihood under the responsibilities at theta, and their entropy.
expected = quantity(
    "Q",
    theta_plus,
    is_=_each(posterior(i, k, theta) * log(density(i, k, theta_plus))),
    given=[theta],
)
entropy = quantity("H", theta, is_=-_each(posterior(i, k, theta) * log(posterior(i, k, theta))))
# How far the responsibilities at theta are from those at other parameters.
divergence = quantity(
    "KL",
    theta,
    is_=_each(posterior(i, k, theta) * log(posterior(i, k, theta) / posterior(i, k, theta_plus))),
    given=[theta_plus],
)

# Two points and two components on a line of parameters: the step from 0 to 1 makes the second
# component twice as dense.
TWO_POINTS = {
    n: 2,
    K: 2,
    theta: [0],
    theta_plus: [1],
    density: lambda i, k, at: (1 + norm2((k - 1) * at)) / 10,
}
model = Setting(
    "any model",
    given={"positive": for_all((theta, i, k), Gt(density(i, k, theta), 0))},
    witness=TWO_POINTS,
)
NOT_LOWERED = {"m-step": Ge(expected(theta_plus, theta), expected(theta, theta))}


def _at_each_point(fact: Theorem, at: Any) -> Any:
    """Apply what is known of one point, with the responsibilities at theta, to all of them."""
    joint, shares = Lambda(k, density(i, k, at)), Lambda(k, posterior(i, k, theta))
    return termwise(i, by=apply(fact, {p: joint, q: shares}))


@proves("lem-em-new-likelihood")
def new_likelihood() -> Theorem:
    r"""Derive the log-likelihood anywhere from the responsibilities at $\theta$."""
    bound = posterior(i, k, theta) * log(density(i, k, theta_plus) / posterior(i, k, theta))
    gap = posterior(i, k, theta) * log(posterior(i, k, theta) / posterior(i, k, theta_plus))
    return (
        Derivation("log-likelihood elsewhere", setting=model)
        .start(likelihood(theta_plus))
        .equals(
            Sum(_over(bound) + _over(gap), (i, 1, n)),
            because="bound and divergence, at every point",
            by=_at_each_point(decomposition(), theta_plus),
        )
        .equals(
            expected(theta_plus, theta) + entropy(theta) + divergence(theta, theta_plus),
            because="the logarithm of a quotient",
        )
        .qed()
    )


@proves("lem-em-old-likelihood")
def old_likelihood() -> Theorem:
    r"""Derive the log-likelihood at $\theta$ from the responsibilities there."""
    return (
        Derivation("log-likelihood at the same parameters", setting=model)
        .start(likelihood(theta))
        .equals(
            _each(posterior(i, k, theta) * log(density(i, k, theta) / posterior(i, k, theta))),
            because="the bound touches at every point",
            by=_at_each_point(tight_at_the_posterior(), theta),
        )
        .equals(expected(theta, theta) + entropy(theta), because="the logarithm of a quotient")
        .qed()
    )


@proves("lem-em-divergence")
def divergence_is_not_negative() -> Theorem:
    r"""Derive that responsibilities at other parameters have a divergence that is not negative."""
    one = library.gibbs()(
        q=Lambda(k, posterior(i, k, theta)), s=Lambda(k, posterior(i, k, theta_plus))
    )
    return (
        Derivation("divergence of responsibilities", setting=model)
        .start(divergence(theta, theta_plus))
        .at_least(
            Sum(0, (i, 1, n)), because="Gibbs' inequality, at every point", by=termwise(i, by=one)
        )
        .equals(0, because="a sum of zeros")
        .qed()
    )


@proves("cor-em-bound")
def bound_of_all_points() -> Theorem:
    r"""Derive that the bound for all points lies below the log-likelihood, everywhere."""
    return (
        Derivation("the bound for all points", setting=model)
        .start(expected(theta_plus, theta) + entropy(theta))
        .at_most(
            expected(theta_plus, theta) + entropy(theta) + divergence(theta, theta_plus),
            because="a divergence is not negative",
            by=using(apply(divergence_is_not_negative())),
        )
        .equals(
            likelihood(theta_plus),
            because="log-likelihood elsewhere",
            by=using(apply(new_likelihood())),
        )
        .qed()
    )


@proves("thm-em-gain")
def gain() -> Theorem:
    r"""Derive what the log-likelihood gains when the parameters move."""
    return (
        Derivation("gain of a step", setting=model)
        .start(likelihood(theta_plus) - likelihood(theta))
        .equals(
            expected(theta_plus, theta)
            + entropy(theta)
            + divergence(theta, theta_plus)
            - likelihood(theta),
            because=r"the log-likelihood at $\theta^+$",
            by=using(apply(new_likelihood())),
        )
        .equals(
            expected(theta_plus, theta) - expected(theta, theta) + divergence(theta, theta_plus),
            because=r"the log-likelihood at $\theta$: the entropies cancel",
            by=using(apply(old_likelihood())),
        )
        .qed()
    )


_GAINED = (gain, divergence_is_not_negative)


@proves("thm-em-monotone")
def em_is_monotone() -> Theorem:
    r"""Derive that a step that does not lower the expectation does not lower the likelihood."""
    return (
        Derivation("EM climbs", setting=model, given=NOT_LOWERED)
        .start(likelihood(theta_plus))
        .at_least(
            likelihood(theta),
            because="gain of a step: neither part is negative",
            by=using(*(apply(fact()) for fact in _GAINED)),
        )
        .qed()
    )


told = function("a", of="vector")


@proves("cor-em-monotone-labelled")
def monotone_with_labels() -> Theorem:
    r"""Derive that labelled points, whose log-likelihood is simply added, change nothing."""
    before, after = (told(at) + expected(at, theta) for at in (theta, theta_plus))
    return (
        Derivation(
            "EM with labels climbs",
            setting=model,
            given={"m-step": Ge(after, before)},
            witness={told: lambda at: norm2(at)},
        )
        .start(told(theta_plus) + likelihood(theta_plus))
        .at_least(
            told(theta) + likelihood(theta),
            because="gain of a step: the M-step does not lower the sum of both parts",
            by=using(*(apply(fact()) for fact in _GAINED)),
        )
        .qed()
    )


# Along a curve of parameters, t being the time: the logarithms of the joint densities p[i, k] move
# with the speeds h[i, k].
t, start = reals("t s")
h = real_family("h")


def _moved(i: Any, k: Any, t: Any) -> Any:
    return p[i, k] * exp(t * h[i, k])


moving_likelihood = quantity("ell", t, is_=Sum(log(Sum(_moved(i, l, t), (l, 1, K))), (i, 1, n)))
moving_posterior = quantity("r", i, k, t, is_=_moved(i, k, t) / Sum(_moved(i, l, t), (l, 1, K)))
moving_expected = quantity(
    "Q", t, is_=_each(moving_posterior(i, k, start) * log(_moved(i, k, t))), given=[start]
)


@proves("thm-mixture-gradient")
def gradient_identity() -> Theorem:
    r"""Derive that every point moves the log-likelihood by its responsibilities."""
    return (
        Derivation("slope of the log-likelihood")
        .start(grad(moving_likelihood(t), t))
        .equals(
            _each(moving_posterior(i, k, t) * h[i, k]),
            because=r"the derivative of $\log\sum_kp_k$ is $\sum_kp_k(\log p_k)'/\sum_lp_l$",
        )
        .qed()
    )


@proves("thm-soft-memberships")
def expected_slope() -> Theorem:
    r"""Derive the slope of the expectation under responsibilities that stay where they are."""
    return (
        Derivation("slope of the expectation")
        .start(grad(moving_expected(t, start), t))
        .equals(
            _each(moving_posterior(i, k, start) * h[i, k]),
            because="the responsibilities are fixed: only the logarithms move",
        )
        .qed()
    )


# Two points and one component, which pull it to either side.
BALANCED = {
    **{n: 2, K: 1, p: {(1, 1): 1, (2, 1): 1}},
    **{start: 0, t: 0, h: {(1, 1): 1, (2, 1): -1}},
}


@proves("thm-em-stationary")
def fixed_point_of_any_model() -> Theorem:
    r"""Derive that the likelihood is stationary wherever the M-step has nothing to gain."""
    return (
        Derivation(
            "fixed points are stationary",
            given={
                "e-step": Eq(start, t),
                "m-step": Eq(grad(moving_expected(t, start), t), 0),
            },
            witness=BALANCED,
        )
        .start(grad(moving_likelihood(t), t))
        .equals(
            _each(moving_posterior(i, k, t) * h[i, k]),
            because="slope of the log-likelihood",
            by=gradient_identity(),
        )
        .equals(
            _each(moving_posterior(i, k, start) * h[i, k]),
            because="the responsibilities are those of the present",
        )
        .equals(
            grad(moving_expected(t, start), t),
            because="slope of the expectation",
            by=expected_slope(),
        )
        .equals(0, because="the M-step is stationary in this direction")
        .qed()
    )


single = real_family("h")


@proves("lem-one-component")
def one_component_moves() -> Theorem:
    r"""Derive the weighted maximum-likelihood problem of one component."""
    return (
        Derivation("one component moves", given=COMPONENT, witness={K: 1, k: 1, r: _table([[1]])})
        .start(Sum(r[i, l] * KroneckerDelta(l, k) * single[i], (l, 1, K), (i, 1, n)))
        .equals(
            Sum(r[i, k] * single[i], (i, 1, n)),
            because="the other components stay where they are",
        )
        .qed()
    )


count = real_family("N", positive=True)
total = reals("B", positive=True)


@proves("lem-m-step-splits")
def expectation_splits() -> Theorem:
    r"""Derive that the weights and the components can be maximised apart."""
    return (
        Derivation("weights and components apart")
        .start(_each(r[i, k] * log(pi[k] * component[i, k])))
        .equals(
            _over(_mass(k) * log(pi[k])) + _each(r[i, k] * log(component[i, k])),
            because="the logarithm of a product",
        )
        .qed()
    )


# How many points a component answers for.
_mass = quantity("N", k, is_=Sum(r[i, k], (i, 1, n)))


# Weights of components and priors of classes are both shares, in proportion to counts: ``of(k)`` of
# ``total`` points.


def _log_shares(of: Any, shares: Any) -> Any:
    return Sum(of(l) * log(shares(l)), (l, 1, K))


def _stationary_shares(of: Any, shares: Any) -> dict[str, Any]:
    """Say that shares sum to one and that their Lagrangian is stationary in each of them."""
    one = Eq(Sum(shares[l], (l, 1, K)), 1)
    written = lagrangian(_log_shares(of, lambda c: shares[c]), [one], [-nu])
    slope = grad(quantity("L", shares, is_=written)(shares), shares[l], given=[Ge(l, 1), Le(l, K)])
    return {"shares": one, "stationary": for_each(l, 1, K, Eq(slope, 0))}


in_proportion = Setting(
    "shares",
    given={
        **_stationary_shares(lambda c: count[c], pi),
        "total": Eq(Sum(count[l], (l, 1, K)), total),
    },
    witness={K: 2, k: 1, pi: [Rational(1, 4), Rational(3, 4)], count: [1, 3], total: 4, nu: 4},
)


@proves("lem-shares-multiplier")
def shares_multiplier() -> Theorem:
    r"""Derive that the multiplier of shares is the sum of the counts."""
    return (
        Derivation("multiplier of shares", setting=in_proportion)
        .start(nu)
        .equals(Sum(nu * pi[l], (l, 1, K)), because="the shares sum to one")
        .equals(
            Sum(count[l], (l, 1, K)),
            because=r"the derivative $N_l/\pi_l-\nu$ vanishes",
        )
        .equals(total, because="the sum of the counts")
        .qed()
    )


@proves("lem-shares")
def stationary_shares() -> Theorem:
    r"""Derive that stationary shares are in proportion to the counts."""
    return (
        Derivation("stationary shares", setting=in_proportion, given=COMPONENT)
        .start(pi[k])
        .equals(
            pi[k] * nu / total,
            because="the multiplier is the sum of the counts",
            by=(shares_multiplier(),),
        )
        .equals(count[k] / total, because="the derivative vanishes")
        .qed()
    )


RESPONSIBLE = for_each(i, 1, n, Eq(Sum(r[i, l], (l, 1, K)), 1))
SHARED = {
    n: 2,
    K: 2,
    k: 1,
    r: _table([[Rational(1, 4), Rational(3, 4)], [Rational(1, 2), Rational(1, 2)]]),
    pi: [Rational(3, 8), Rational(5, 8)],
    nu: 2,
}
shared_out = Setting("responsibilities", given={"responsibilities": RESPONSIBLE}, witness=SHARED)


@proves("lem-mixture-weights-multiplier")
def weights_multiplier() -> Theorem:
    r"""Derive that the multiplier of the weights is the number of points."""
    line = Derivation(
        "multiplier of the weights", setting=shared_out, given=_stationary_shares(_mass, pi)
    )
    found = shares_multiplier()(N=_mass, B=n)
    return line.start(nu).equals(n, because="multiplier of shares", by=found).qed()


@proves("thm-mixture-weights")
def weights_update() -> Theorem:
    r"""Derive that a stationary weight is the average responsibility."""
    line = Derivation(
        "update of the weights",
        setting=shared_out,
        given={**COMPONENT, **_stationary_shares(_mass, pi)},
    )
    found = stationary_shares()(N=_mass, B=n)
    return line.start(pi[k]).equals(_mass(k) / n, because="stationary shares", by=found).qed()


def _best_shares(line: Derivation, of: Any, shares: Any, points: Any) -> Theorem:
    """Derive that no other shares are more likely than those in proportion to counts."""
    return (
        line.start(_log_shares(of, lambda c: shares[c]))
        .at_most(
            _log_shares(of, lambda c: of(c) / points),
            because="shares in proportion to counts are the most likely ones",
            by=library.counts()(x=of, theta=shares, S=points),
        )
        .qed()
    )


@proves("thm-mixture-weights-optimal")
def weights_are_best() -> Theorem:
    r"""Derive that no other weights have a larger expected log-likelihood."""
    one = Eq(Sum(pi[l], (l, 1, K)), 1)
    line = Derivation("the best weights", setting=shared_out, given={"weights": one})
    return _best_shares(line, _mass, pi, n)


# Features that are there or not: a coin for each of them, in every component or class.
phi, frequencies = real_family("phi psi", positive=True)
_ones = quantity("A", k, j, is_=Sum(r[i, k] * x[i, j], (i, 1, n)))
FEATURE = {**COMPONENT, "from first": Ge(j, 1), "to d": Le(j, D)}
BELOW_ONE = {"below one": for_each(k, 1, K, for_each(j, 1, D, Lt(phi[k, j], 1)))}


def _mixed(ones: Any, points: Any) -> dict[str, Any]:
    """Say that every feature is found in some points of a component, but not in all."""
    return {
        "some": for_each(k, 1, K, for_each(j, 1, D, Gt(ones(k, j), 0))),
        "not all": for_each(k, 1, K, for_each(j, 1, D, Lt(ones(k, j), points(k)))),
        "frequencies": for_each(
            k, 1, K, for_each(j, 1, D, Eq(frequencies[k, j], ones(k, j) / points(k)))
        ),
    }


def _coins(share: Any, feature: Any, of: Any) -> Any:
    """Return what one point says of the coins of all components."""
    cell = feature(j) * log(of(k, j)) + (1 - feature(j)) * log(1 - of(k, j))
    return Sum(share(k) * cell, (j, 1, D), (k, 1, K))


def _bernoulli_term(of: Any) -> Any:
    return Sum(_coins(lambda k: r[i, k], lambda j: x[i, j], of), (i, 1, n))


# Two points of one component; the first has the feature, and counts half as much.
BITS = {
    n: 2,
    K: 1,
    D: 1,
    k: 1,
    j: 1,
    r: _table([[Rational(1, 4)], [Rational(1, 2)]]),
    x: _table([[1], [0]]),
    phi: _table([[Rational(1, 3)]]),
    frequencies: _table([[Rational(1, 3)]]),
}


@proves("lem-coin-cross-entropy")
def coin_cross_entropy() -> Theorem:
    r"""Derive that a coin is best described by its own probability."""
    return (
        Derivation(
            "a coin and its description",
            given={"share below one": Lt(share, 1), "value below one": Lt(value, 1)},
            witness={share: Rational(1, 3), value: Rational(1, 2)},
        )
        .start(share * log(value) + (1 - share) * log(1 - value))
        .at_most(
            share * log(share) + (1 - share) * log(1 - share),
            because=r"$\log t\le\log a+(t-a)/a$ for both sides of the coin",
        )
        .qed()
    )


def _tossed(value: Any) -> Any:
    return heads * log(value) + (tosses - heads) * log(1 - value)


TOSSED = {"some tails": Lt(heads, tosses), "value below one": Lt(value, 1)}


@proves("lem-coin-counts")
def coin_counts() -> Theorem:
    r"""Derive that counts of heads and tails are best described by their frequency."""
    return (
        Derivation(
            "counts and their description",
            given=TOSSED,
            witness={heads: 1, tosses: 3, value: Rational(1, 2)},
        )
        .start(_tossed(value))
        .at_most(
            _tossed(heads / tosses),
            because="a coin and its description, times the number of tosses",
            by=apply(coin_cross_entropy(), {share: heads / tosses}),
        )
        .qed()
    )


def _coin_frequency() -> Theorem:
    """Give the frequency a name."""
    return (
        Derivation(
            "counts and their frequency",
            given={**TOSSED, "frequency": Eq(share, heads / tosses)},
            witness={heads: 1, tosses: 3, value: Rational(1, 2), share: Rational(1, 3)},
        )
        .start(_tossed(value))
        .at_most(_tossed(heads / tosses), by=coin_counts())
        .equals(_tossed(share), because="the frequency")
        .qed()
    )


number = reals("A", nonnegative=True)


@proves("lem-coin-slope")
def coin_slope() -> Theorem:
    r"""Derive that only the frequency of heads makes the slope of the counts vanish."""
    slope = number / value - (tosses - number) / (1 - value)
    return (
        Derivation(
            "slope of the counts",
            given={"value below one": Lt(value, 1), "stationary": Eq(slope, 0)},
            witness={number: 1, tosses: 3, value: Rational(1, 3)},
        )
        .start(value)
        .equals(number / tosses, because="clear the denominators")
        .qed()
    )


def _stationary_coin(term: Any, ones: Any, points: Any, title: str, witness: Any) -> Theorem:
    """Derive that a stationary probability of a feature is its frequency."""
    inside = {**FEATURE, **BELOW_ONE}
    slope = grad(quantity("Q", phi, is_=term(phi_of))(phi), phi[k, j], given=[*inside.values()])
    has, of = ones(k, j), points(k)
    collected = (
        Derivation("slope in one probability", given=inside, witness=witness)
        .start(slope)
        .equals(
            has / phi[k, j] - (of - has) / (1 - phi[k, j]),
            because="collect the points that have the feature, and the others",
        )
        .qed()
    )
    return (
        Derivation(
            title,
            given={**inside, "stationary": Eq(slope, 0)},
            witness=witness,
        )
        .start(phi[k, j])
        .equals(
            has / of,
            because=r"the derivative is $A/\phi-(N-A)/(1-\phi)$, and it vanishes",
            by=using(
                apply(collected), apply(coin_slope(), {number: has, tosses: of, value: phi[k, j]})
            ),
        )
        .qed()
    )


def phi_of(k: Any, j: Any) -> Any:
    """Return the probability of a feature in a component."""
    return phi[k, j]


def _best_coins(line: Derivation, term: Any, ones: Any, points: Any) -> Theorem:
    """Derive that no other probabilities of features are more likely than their frequencies."""

    def counted(of: Any) -> Any:
        cell = ones(k, j) * log(of[k, j]) + (points(k) - ones(k, j)) * log(1 - of[k, j])
        return Sum(cell, (j, 1, D), (k, 1, K))

    described = quantity("Q", phi, is_=term(phi_of))
    values = {heads: ones(k, j), tosses: points(k), value: phi[k, j], share: frequencies[k, j]}
    return (
        line.start(described(phi))
        .equals(counted(phi), because="collect the points")
        .at_most(
            counted(frequencies),
            because="counts and their description, feature by feature",
            by=termwise(j, by=apply(_coin_frequency(), values)),
        )
        .equals(described(frequencies), because="and back to the points")
        .qed()
    )


@proves("thm-bernoulli-m-step")
def bernoulli_update() -> Theorem:
    r"""Derive that a stationary Bernoulli parameter is the weighted frequency of the feature."""
    return _stationary_coin(_bernoulli_term, _ones, _mass, "update of a Bernoulli mixture", BITS)


@proves("thm-bernoulli-m-step-optimal")
def bernoulli_update_is_best() -> Theorem:
    r"""Derive that no other Bernoulli parameters have a larger expected log-likelihood."""
    line = Derivation(
        "the best Bernoulli parameters",
        given={**BELOW_ONE, **_mixed(_ones, _mass)},
        witness=BITS,
    )
    return _best_coins(line, _bernoulli_term, _ones, _mass)


# Some points carry a label: the counts are then those of the labels and, for the M other points,
# of the responsibilities.
M = integers("M", positive=True)
u = indices("u")
y = real_family("y", nonnegative=True)
z = real_family("z")
rho = real_family("rho", positive=True)
_members = quantity("N", k, is_=Sum(y[i, k], (i, 1, n)) + Sum(r[u, k], (u, 1, M)))
_having = quantity(
    "A", k, j, is_=Sum(y[i, k] * x[i, j], (i, 1, n)) + Sum(r[u, k] * z[u, j], (u, 1, M))
)

# One point of the first class, and two that are thought to belong to the second.
HALF_LABELLED = {
    n: 1,
    M: 2,
    K: 2,
    k: 1,
    y: _table([[1, 0]]),
    r: _table([[Rational(1, 4), Rational(3, 4)], [Rational(1, 4), Rational(3, 4)]]),
    rho: [Rational(1, 2), Rational(1, 2)],
    nu: 3,
}
half_labelled = Setting(
    "half labelled",
    given={
        "labels": for_each(i, 1, n, Eq(Sum(y[i, l], (l, 1, K)), 1)),
        "responsibilities": for_each(u, 1, M, Eq(Sum(r[u, l], (l, 1, K)), 1)),
    },
    witness=HALF_LABELLED,
)


@proves("lem-semi-supervised-multiplier")
def priors_multiplier() -> Theorem:
    r"""Derive that the multiplier of the priors is the number of points, labelled or not."""
    line = Derivation(
        "multiplier of the priors", setting=half_labelled, given=_stationary_shares(_members, rho)
    )
    found = shares_multiplier()(pi=rho, N=_members, B=n + M)
    return line.start(nu).equals(n + M, because="multiplier of shares", by=found).qed()


@proves("thm-semi-supervised-priors")
def priors_update() -> Theorem:
    r"""Derive that a stationary prior is the share of a class among all points."""
    line = Derivation(
        "update of the priors",
        setting=half_labelled,
        given={**COMPONENT, **_stationary_shares(_members, rho)},
    )
    found = stationary_shares()(pi=rho, N=_members, B=n + M)
    return (
        line.start(rho[k])
        .equals(_members(k) / (n + M), because="stationary shares", by=found)
        .qed()
    )


@proves("thm-semi-supervised-priors-optimal")
def priors_are_best() -> Theorem:
    r"""Derive that no other priors have a larger expected log-likelihood."""
    one = Eq(Sum(rho[l], (l, 1, K)), 1)
    line = Derivation("the best priors", setting=half_labelled, given={"priors": one})
    return _best_shares(line, _members, rho, n + M)


def _features_term(of: Any) -> Any:
    labelled = Sum(_coins(lambda k: y[i, k], lambda j: x[i, j], of), (i, 1, n))
    return labelled + Sum(_coins(lambda k: r[u, k], lambda j: z[u, j], of), (u, 1, M))


# A labelled point that has the feature, and another without a label that has it not.
TWO_SORTS = {
    n: 1,
    M: 1,
    K: 1,
    D: 1,
    k: 1,
    j: 1,
    y: _table([[1]]),
    r: _table([[1]]),
    x: _table([[1]]),
    z: _table([[0]]),
    phi: _table([[Rational(1, 2)]]),
    frequencies: _table([[Rational(1, 2)]]),
}


@proves("thm-semi-supervised-features")
def features_update() -> Theorem:
    r"""Derive that a stationary feature probability is a frequency among labelled and guessed."""
    return _stationary_coin(_features_term, _having, _members, "update of the features", TWO_SORTS)


@proves("thm-semi-supervised-features-optimal")
def features_are_best() -> Theorem:
    r"""Derive that no other feature probabilities have a larger expected log-likelihood."""
    line = Derivation(
        "the best feature probabilities",
        given={**BELOW_ONE, **_mixed(_having, _members)},
        witness=TWO_SORTS,
    )
    return _best_coins(line, _features_term, _having, _members)


weight = real_family("r", positive=True)
point = vector_family("x")
centre = vectors("mu")
TOTAL = Sum(weight[i], (i, 1, n))
AVERAGE = Sum(weight[i] * point[i], (i, 1, n)) / TOTAL


@proves("thm-weighted-mean")
def weighted_mean() -> Theorem:
    r"""Derive that the weighted average has the least weighted squared distance, in any norm."""
    return (
        Derivation("the weighted average is nearest")
        .start(Sum(weight[i] * norm2(point[i] - centre), (i, 1, n)))
        .equals(
            Sum(weight[i] * norm2(point[i] - AVERAGE.xreplace({i: j})), (i, 1, n))
            + TOTAL * norm2(AVERAGE - centre),
            because="expand about the average: the cross terms add up to zero",
        )
        .at_least(
            Sum(weight[i] * norm2(point[i] - AVERAGE.xreplace({i: j})), (i, 1, n)),
            because="weights are positive, a squared length is nonnegative",
        )
        .qed()
    )


variances = real_family("s", positive=True)
centres = vector_family("mu")


def _sphere(i: Any, k: Any) -> Any:
    """Return the joint density of a point and a spherical component, up to a common factor."""
    return pi[k] * exp(-norm2(point[i] - centres[k]) / (2 * variances[k]))


_sphere_share = quantity("r", i, k, is_=_sphere(i, k) / Sum(_sphere(i, l), (l, 1, K)))
SPHERES = Sum(log(Sum(_sphere(i, l), (l, 1, K))), (i, 1, n))
PULLED = Sum(_sphere_share(i, k) * point[i], (i, 1, n)) / Sum(_sphere_share(i, k), (i, 1, n))
SETTLED = {**COMPONENT, "settled": Eq(centres[k], PULLED)}
# Two points and one component, which has settled half-way.
HALF_WAY = {n: 2, K: 1, k: 1, point: [[0], [2]], centres: [[1]], variances: [1], pi: [1]}


@proves("thm-em-fixed-points")
def fixed_points_are_stationary() -> Theorem:
    r"""Derive that the likelihood is stationary in a centre that its own M-step leaves alone."""
    return (
        Derivation("centres that have settled", given=SETTLED, witness=HALF_WAY)
        .start(grad(SPHERES, centres[k], given=[*COMPONENT.values()]))
        .equals(
            Sum(_sphere_share(i, k) * (point[i] - centres[k]), (i, 1, n)) / variances[k],
            because="slope of the log-likelihood: each point pulls with its responsibility",
        )
        .equals(
            Sum(_sphere_share(i, k), (i, 1, n)) / variances[k] * (PULLED - centres[k]),
            because="collect what pulls, and what is pulled",
        )
        .equals(0, because="the centre is the weighted average of the points")
        .qed()
    )


# The number of points, now as that of the rows of a matrix.
rows, d = dimensions("n d")
X = matrices("X", rows, d)
ones = matrices("e", rows, 1)
mean = matrices("m", d, 1)
W = matrices("W", rows, rows, symmetric=True)
Sigma = matrices("Sigma", d, d, symmetric=True)
N = reals("N", positive=True)

DEVIATIONS = X - ones * mean.T
_scatter = quantity("T", mean, is_=DEVIATIONS.T * W * DEVIATIONS)
SCATTER = _scatter(mean)
# What the expected log-likelihood says of one component, but for a constant.
_gaussian = quantity(
    "G", mean, Sigma, is_=-N / 2 * logdet(Sigma) - trace(inverse(Sigma) * SCATTER) / 2
)
GAUSSIAN = _gaussian(mean, Sigma)
DEFINITE = {"definite": positive_definite(Sigma)}
MASS = {"mass": Eq(ones.T * W * ones, N * identity(1))}

# Two points of full responsibility, 1 and 3: mean 2, variance 1.
PAIR = {
    rows: 2,
    d: 1,
    X: [[1], [3]],
    ones: [[1], [1]],
    mean: [[2]],
    W: [[1, 0], [0, 1]],
    Sigma: [[1]],
    N: 2,
}


@proves("lem-gaussian-mean-gradient")
def mean_gradient() -> Theorem:
    r"""Derive the gradient of the expected log-likelihood in the mean of a component."""
    return (
        Derivation("gradient in the mean", given={**DEFINITE, **MASS}, witness=PAIR)
        .start(grad(GAUSSIAN, mean, given=[*DEFINITE.values()]))
        .equals(
            inverse(Sigma) * DEVIATIONS.T * W * ones, because="the quadratic form has two factors"
        )
        .equals(
            inverse(Sigma) * (X.T * W * ones - N * mean),
            because="the responsibilities add up to $N$",
        )
        .qed()
    )


@proves("thm-gaussian-mean")
def mean_update() -> Theorem:
    r"""Derive that a stationary mean is the weighted average of the points."""
    slope = grad(GAUSSIAN, mean, given=[*DEFINITE.values()])
    return (
        Derivation(
            "update of the mean",
            given={**DEFINITE, **MASS, "stationary": Eq(slope, zeros(d, 1))},
            witness=PAIR,
        )
        .start(mean)
        .equals(
            X.T * W * ones / N,
            because=r"multiply the vanishing gradient by $\Sigma$ and divide by $N$",
            by=using(apply(mean_gradient())),
        )
        .qed()
    )


@proves("lem-gaussian-covariance-gradient")
def covariance_gradient() -> Theorem:
    r"""Derive the gradient of the expected log-likelihood in the covariance of a component."""
    return (
        Derivation("gradient in the covariance", given=DEFINITE, witness=PAIR)
        .start(grad(GAUSSIAN, Sigma, given=[*DEFINITE.values()]))
        .equals(
            -N / 2 * inverse(Sigma) + inverse(Sigma) * SCATTER * inverse(Sigma) / 2,
            because=r"$\nabla\log\det\Sigma=\Sigma^{-1}$, and the inverse turns the sign",
        )
        .qed()
    )


@proves("thm-gaussian-covariance")
def covariance_update() -> Theorem:
    r"""Derive that a stationary covariance is the weighted scatter about the mean."""
    slope = grad(GAUSSIAN, Sigma, given=[*DEFINITE.values()])
    return (
        Derivation(
            "update of the covariance",
            given={**DEFINITE, "stationary": Eq(slope, zeros(d, d))},
            witness=PAIR,
        )
        .start(Sigma)
        .equals(
            SCATTER / N,
            because=r"multiply the vanishing gradient by $\Sigma$ from both sides",
        )
        .qed()
    )


ratio, spread, variance = reals("u A v", positive=True)


@proves("lem-log-tangent")
def log_tangent() -> Theorem:
    r"""Derive that the logarithm is below its tangent at one."""
    return (
        Derivation("tangent of the logarithm")
        .start(log(ratio))
        .at_most(
            ratio - 1,
            because="the logarithm is concave, with value 0 and slope 1 at 1",
            by=library.log_tangent()(p=1, q=ratio),
        )
        .qed()
    )


@proves("thm-variance-optimal")
def variance_is_best() -> Theorem:
    r"""Derive that a variance is best estimated by the average squared deviation."""
    return (
        Derivation("the best variance")
        .start(-N / 2 * log(variance) - spread / (2 * variance))
        .equals(
            -N / 2 * log(spread / N)
            + N / 2 * (log(spread / (N * variance)) - spread / (N * variance)),
            because=r"compare the variance with $A/N$",
        )
        .at_most(
            -N / 2 * log(spread / N) - N / 2,
            because="tangent of the logarithm",
            by=using(apply(log_tangent(), {ratio: spread / (N * variance)})),
        )
        .qed()
    )


S = matrices("S", d, d, symmetric=True)
eigenvalue = real_family("lambda", positive=True)

# What linear algebra says of the eigenvalues of a product of positive definite matrices: they are
# positive, their product is its determinant and their sum is its trace.
EIGENVALUES = {
    **DEFINITE,
    "definite scatter": positive_definite(S),
    "determinant": Eq(logdet(S) - logdet(Sigma), Sum(log(eigenvalue[j]), (j, 1, d))),
    "trace": Eq(trace(inverse(Sigma) * S), Sum(eigenvalue[j], (j, 1, d))),
}


@proves("lem-logdet-tangent")
def logdet_tangent() -> Theorem:
    r"""Derive that log det is below its tangent, from what the eigenvalues add up to."""
    return (
        Derivation(
            "tangent of the log-determinant",
            given=EIGENVALUES,
            witness={d: 1, Sigma: [[1]], S: [[2]], eigenvalue: [2]},
        )
        .start(logdet(S) - logdet(Sigma))
        .equals(
            Sum(log(eigenvalue[j]), (j, 1, d)),
            because=r"the determinant of $\Sigma^{-1}S$ is the product of its eigenvalues",
        )
        .at_most(
            Sum(eigenvalue[j] - 1, (j, 1, d)),
            because="tangent of the logarithm, at every eigenvalue",
            by=termwise(j, by=apply(log_tangent(), {ratio: eigenvalue[j]})),
        )
        .equals(trace(inverse(Sigma) * S) - d, because="the trace is their sum")
        .qed()
    )


@proves("thm-gaussian-covariance-optimal")
def covariance_is_best() -> Theorem:
    r"""Derive that no other covariance has a larger expected log-likelihood."""
    return (
        Derivation(
            "the best covariance",
            given={**EIGENVALUES, "scatter": Eq(SCATTER, N * S)},
            witness={**PAIR, S: [[1]], eigenvalue: [1]},
        )
        .start(GAUSSIAN)
        .equals(
            -N / 2 * logdet(Sigma) - N / 2 * trace(inverse(Sigma) * S),
            because="$S$ is the average scatter",
        )
        .at_most(
            -N / 2 * logdet(S) - N / 2 * d,
            because="tangent of the log-determinant",
            by=using(apply(logdet_tangent())),
        )
        .equals(
            _gaussian(mean, S),
            because=r"$\operatorname{tr}(S^{-1}S)=d$: this is the value at $\Sigma=S$",
        )
        .qed()
    )


quotient_part, other_part = reals("u v", nonnegative=True)
divisor = reals("w", positive=True)
floor = reals("f", positive=True)
along = reals("lambda", nonnegative=True)
precision, raised = reals("w v", positive=True)
ALONG = real_family("lambda", nonnegative=True)
PRECISION, RAISED = real_family("w v", positive=True)
LOW = {along: 0, precision: 1, floor: 1, raised: 1}


@proves("lem-nonnegative-quotient")
def _nonnegative_quotient() -> Theorem:
    r"""Derive that a quotient of nonnegative numbers is nonnegative."""
    return (
        Derivation("a nonnegative quotient")
        .start(quotient_part * other_part / divisor)
        .at_least(0, because="no sign is negative")
        .qed()
    )


def _is_raised(value: Any, above: Any) -> dict[str, Any]:
    """Say that a value was raised to the floor if it lay below it, and kept if not."""
    return {"not lowered": Ge(above, value), "raised": Eq((above - value) * (above - floor), 0)}


@proves("lem-variance-floor")
def raised_variance() -> Theorem:
    r"""Derive the best variance above a floor, along one axis."""
    return (
        Derivation(
            "the best variance above a floor",
            given={"floor": Le(precision * floor, 1), **_is_raised(along, raised)},
            witness=LOW,
        )
        .start(along * precision - log(precision))
        .at_least(
            along * precision - raised * precision + log(raised) + 1,
            because="tangent of the logarithm",
            by=using(apply(log_tangent(), {ratio: raised * precision})),
        )
        .equals(
            log(raised) + along / raised + (raised - along) * (1 - precision * raised) / raised,
            because="sort the terms",
        )
        .equals(
            log(raised) + along / raised + (raised - along) * (1 - precision * floor) / raised,
            because=r"$v$ is $\lambda$ or the floor",
        )
        .at_least(
            log(raised) + along / raised,
            because="the precision is at most that of the floor",
            by=using(
                apply(
                    _nonnegative_quotient(),
                    {
                        quotient_part: raised - along,
                        other_part: 1 - precision * floor,
                        divisor: raised,
                    },
                )
            ),
        )
        .qed()
    )


# Linear algebra, in the axes of S: w[j] is the diagonal of the inverse of Sigma, and a determinant
# is at most the product of the diagonal, which is Hadamard's inequality.
IN_THE_AXES = {
    "hadamard": Ge(logdet(Sigma), -Sum(log(PRECISION[j]), (j, 1, d))),
    "trace": Eq(trace(inverse(Sigma) * S), Sum(ALONG[j] * PRECISION[j], (j, 1, d))),
    "floor": for_each(j, 1, d, Le(PRECISION[j] * floor, 1)),
}
ONE_AXIS = {d: 1, Sigma: [[1]], S: [[2]], ALONG: [2], RAISED: [2], PRECISION: [1], floor: 1}


@proves("thm-covariance-floor")
def floored_covariance_is_best() -> Theorem:
    r"""Derive that raising the small eigenvalues of the scatter is best above a floor."""
    return (
        Derivation(
            "the best covariance above a floor",
            given={
                **DEFINITE,
                **IN_THE_AXES,
                **{
                    name: for_each(j, 1, d, fact)
                    for name, fact in _is_raised(ALONG[j], RAISED[j]).items()
                },
            },
            witness=ONE_AXIS,
        )
        .start(logdet(Sigma) + trace(inverse(Sigma) * S))
        .at_least(
            Sum(ALONG[j] * PRECISION[j] - log(PRECISION[j]), (j, 1, d)),
            because="Hadamard's inequality, in the axes of $S$",
        )
        .at_least(
            Sum(log(RAISED[j]) + ALONG[j] / RAISED[j], (j, 1, d)),
            because="the best variance along every axis",
            by=termwise(
                j,
                by=apply(
                    raised_variance(),
                    {along: ALONG[j], precision: PRECISION[j], raised: RAISED[j]},
                ),
            ),
        )
        .qed()
    )


s, gap = reals("s g", positive=True)
b = indices("b")
delta = real_family("delta")
height = real_family("a", nonnegative=True)
rest = real_family("c", positive=True)
CHOSEN = {"b from one": Ge(b, 1), "b to K": Le(b, K)}
NEAREST = {**CHOSEN, "nearest": for_each(l, 1, K, Le(delta[b], delta[l]))}
FARTHER = {**CHOSEN, **COMPONENT, "farther": Ge(delta[k], delta[b] + gap)}
# A point at squared distance 1 from the first centre and 4 from the second.
TWO_CENTRES = {K: 2, b: 1, k: 2, delta: [1, 4], s: 1, gap: 1, q: [1, 4]}


def _bump(l: Any) -> Any:  # noqa: E741
    """Return the density of a spherical component, up to a factor that all of them share."""
    return exp(-delta[l] / (2 * s))


BUMPS = Sum(_bump(l), (l, 1, K))
SPHERE_SHARE = quantity("r", k, is_=_bump(k) / BUMPS)(k)


@proves("lem-one-term")
def one_term() -> Theorem:
    r"""Derive that a sum of positive terms is at least each of them."""
    return (
        Derivation("one term of a sum", given=CHOSEN, witness=TWO_CENTRES)
        .start(Sum(q[l], (l, 1, K)))
        .at_least(
            q[b],
            because="leave out what is positive",
            by=library.one_term()(f=q, k=b, n=K),
        )
        .qed()
    )


@proves("thm-hard-responsibilities")
def responsibilities_harden() -> Theorem:
    r"""Derive that a component that is not nearest loses its share as the variance shrinks."""
    return (
        Derivation(
            "responsibilities become hard",
            given=FARTHER,
            witness=TWO_CENTRES,
        )
        .start(SPHERE_SHARE)
        .at_most(
            _bump(k) / _bump(b),
            because="one term of a sum: the denominator",
            by=using(apply(one_term(), {q: Lambda(l, _bump(l))})),
        )
        .equals(exp((delta[b] - delta[k]) / (2 * s)), because="a quotient of exponentials")
        .at_most(exp(-gap / (2 * s)), because="component $b$ is nearer by $g$", by=monotone(exp))
        .qed()
    )


epsilon = reals("epsilon", positive=True)
CLOSE = {**TWO_CENTRES, epsilon: 1}


@proves("cor-hard-responsibilities")
def responsibilities_vanish() -> Theorem:
    r"""Derive from which variance on a component that is not nearest has a share below epsilon."""
    return (
        Derivation(
            "a share below any bound",
            given={**FARTHER, "small": Le(2 * s * log(1 / epsilon), gap)},
            witness=CLOSE,
        )
        .start(SPHERE_SHARE)
        .at_most(
            exp(-gap / (2 * s)),
            because="responsibilities become hard",
            by=using(apply(responsibilities_harden())),
        )
        .at_most(exp(-log(1 / epsilon)), because="the variance is small enough", by=monotone(exp))
        .equals(epsilon, because="the exponential undoes the logarithm")
        .qed()
    )


@proves("lem-soft-minimum-above")
def soft_minimum_from_above() -> Theorem:
    r"""Derive that the soft minimum of the distances is at most each of them."""
    return (
        Derivation("soft minimum, from above", given=CHOSEN, witness=TWO_CENTRES)
        .start(-2 * s * log(BUMPS))
        .at_most(
            -2 * s * log(_bump(b)),
            because="one term of a sum",
            by=using(apply(_one_bump())),
        )
        .equals(delta[b], because="the logarithm undoes the exponential")
        .qed()
    )


@proves("lem-one-bump")
def _one_bump() -> Theorem:
    r"""Derive the same for the logarithm of a sum of exponentials."""
    return (
        Derivation("one term, in the logarithm", given=CHOSEN, witness=TWO_CENTRES)
        .start(log(BUMPS))
        .at_least(
            log(_bump(b)),
            because="one term of a sum",
            by=monotone(log, by=apply(one_term(), {q: Lambda(l, _bump(l))})),
        )
        .qed()
    )


@proves("lem-soft-minimum-below")
def soft_minimum_from_below() -> Theorem:
    r"""Derive that the soft minimum falls short of the minimum by little."""
    return (
        Derivation("soft minimum, from below", given=NEAREST, witness=TWO_CENTRES)
        .start(-2 * s * log(BUMPS))
        .at_least(
            -2 * s * log(Sum(_bump(b), (l, 1, K))),
            because="no distance is smaller",
            by=using(apply(_no_larger_bump())),
        )
        .equals(-2 * s * log(K * _bump(b)), because="$K$ equal terms")
        .equals(delta[b] - 2 * s * log(K), because="the logarithm of a product")
        .qed()
    )


@proves("lem-no-larger-bump")
def _no_larger_bump() -> Theorem:
    r"""Derive that a sum of exponentials is at most the number of terms times the largest."""
    return (
        Derivation("the largest term", given=NEAREST, witness=TWO_CENTRES)
        .start(log(BUMPS))
        .at_most(
            log(Sum(_bump(b), (l, 1, K))),
            because="no distance is smaller",
            by=monotone(log, by=termwise(l)),
        )
        .qed()
    )


# The cost of k-means gives point i to its nearest centre, whose number is b[i].
nearest = integer_family("b")
factor = reals("c", positive=True)


def _scaled(of: Any) -> Any:
    """Return the density of a point up to its true factor, from its squared distances."""
    return Sum(factor * exp(-of(l) / (2 * s)), (l, 1, K))


SCALED_LIKELIHOOD = quantity("ell", is_=Sum(log(_scaled(lambda c: delta[i, c])), (i, 1, n)))
COST = quantity("J", is_=Sum(delta[i, nearest[i]], (i, 1, n)))
GIVEN_AWAY = {
    "b from one": for_each(i, 1, n, Ge(nearest[i], 1)),
    "b to K": for_each(i, 1, n, Le(nearest[i], K)),
}
TO_NEAREST = {
    **GIVEN_AWAY,
    "nearest": for_each(i, 1, n, for_each(l, 1, K, Le(delta[i, nearest[i]], delta[i, l]))),
}
ONE_POINT = {n: 1, K: 2, nearest: [1], delta: {(1, 1): 1, (1, 2): 4}, s: 1, factor: 1}


def _of_one_point(given: dict[str, Any], bound: Any, fact: Theorem) -> Any:
    """Prove the bound of one point, from that of its soft minimum, for each of the points."""
    one = -2 * s * log(_scaled(lambda c: delta[c]))
    apart = (
        Derivation("a factor apart")
        .start(one)
        .equals(-2 * s * log(factor * BUMPS), because="the factor is common", by=monotone(log))
        .equals(-2 * s * log(BUMPS) - 2 * s * log(factor), because="the logarithm of a product")
        .qed()
    )
    line = (
        Derivation("one point", given=given, witness={**TWO_CENTRES, factor: 1})
        .start(one)
        .equals(
            -2 * s * log(BUMPS) - 2 * s * log(factor),
            because="take out the factor",
            by=using(apply(apart)),
        )
    )
    of_one = bound(line, using(apply(fact))).qed()
    return termwise(i, by=apply(of_one, {delta: Lambda(l, delta[i, l]), b: nearest[i]}))


@proves("thm-kmeans-cost-above")
def likelihood_under_cost() -> Theorem:
    r"""Derive that $-2s$ times the log-likelihood is at most the cost of k-means, shifted."""
    each = _of_one_point(
        CHOSEN,
        lambda line, by: line.at_most(delta[b] - 2 * s * log(factor), because="above", by=by),
        soft_minimum_from_above(),
    )
    return (
        Derivation("the likelihood and the cost, from above", given=GIVEN_AWAY, witness=ONE_POINT)
        .start(-2 * s * SCALED_LIKELIHOOD)
        .equals(Sum(-2 * s * log(_scaled(lambda c: delta[i, c])), (i, 1, n)), because="definition")
        .at_most(
            Sum(delta[i, nearest[i]] - 2 * s * log(factor), (i, 1, n)),
            because="the soft minimum is at most the minimum, at every point",
            by=each,
        )
        .equals(COST - 2 * s * n * log(factor), because="the factor is the same at all points")
        .qed()
    )


@proves("thm-kmeans-cost-below")
def likelihood_over_cost() -> Theorem:
    r"""Derive that $-2s$ times the log-likelihood is hardly less than the cost, shifted."""
    each = _of_one_point(
        NEAREST,
        lambda line, by: line.at_least(
            delta[b] - 2 * s * log(K) - 2 * s * log(factor), because="below", by=by
        ).equals(delta[b] - 2 * s * log(factor * K), because="the logarithm of a product"),
        soft_minimum_from_below(),
    )
    return (
        Derivation("the likelihood and the cost, from below", given=TO_NEAREST, witness=ONE_POINT)
        .start(-2 * s * SCALED_LIKELIHOOD)
        .equals(Sum(-2 * s * log(_scaled(lambda c: delta[i, c])), (i, 1, n)), because="definition")
        .at_least(
            Sum(delta[i, nearest[i]] - 2 * s * log(factor * K), (i, 1, n)),
            because="the soft minimum is little less than the minimum, at every point",
            by=each,
        )
        .equals(COST - 2 * s * n * log(factor * K), because="collect what all points share")
        .qed()
    )


# A spike of width s gives height[i] / s**D to point i, the rest of the mixture gives rest[i].
SPIKED = quantity(
    "ell", is_=log(height[1] / s**D + rest[1]) + Sum(log(height[i] / s**D + rest[i]), (i, 2, n))
)
LEFT_OVER = Sum(log(rest[i]), (i, 2, n))
SPIKE = {"spike": Gt(height[1], 0)}
LONE_SPIKE = {n: 1, D: 1, s: 1, t: 0, height: [1], rest: [1]}


@proves("thm-mixture-unbounded")
def likelihood_is_unbounded() -> Theorem:
    r"""Derive that a component on a data point raises the likelihood without limit."""
    return (
        Derivation("a spike on a data point", given=SPIKE, witness=LONE_SPIKE)
        .start(SPIKED)
        .at_least(
            log(height[1] / s**D) + Sum(log(height[i] / s**D + rest[i]), (i, 2, n)),
            because="at its own point the spike alone",
        )
        .at_least(
            log(height[1] / s**D) + LEFT_OVER,
            because="at the others the other components alone",
            by=termwise(i),
        )
        .equals(log(height[1]) - D * log(s) + LEFT_OVER, because="the logarithm of a quotient")
        .qed()
    )


@proves("cor-mixture-unbounded")
def likelihood_reaches_any_level() -> Theorem:
    r"""Derive how narrow a spike lifts the likelihood above a given level."""
    return (
        Derivation(
            "a spike that is narrow enough",
            given={**SPIKE, "narrow": Le(D * log(s), log(height[1]) + LEFT_OVER - t)},
            witness=LONE_SPIKE,
        )
        .start(SPIKED)
        .at_least(
            log(height[1]) - D * log(s) + LEFT_OVER,
            because="a spike on a data point",
            by=using(apply(likelihood_is_unbounded())),
        )
        .at_least(t, because="$s$ is small enough")
        .qed()
    )
