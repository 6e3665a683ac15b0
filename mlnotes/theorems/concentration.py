"""How far a mean strays: Markov, Chebyshev, Chernoff, Hoeffding and Bernstein.

One idea, used again and again: an indicator lies under a function whose expectation is known.
"""

from __future__ import annotations

from mlnotes.proof import (
    Abs,
    Derivation,
    E,
    Eq,
    Ge,
    Gt,
    Lambda,
    Le,
    Lt,
    Max,
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
    function,
    grad,
    independent_family,
    indicator,
    indices,
    integers,
    log,
    minimised_at,
    monotone,
    random_family,
    random_variables,
    real_family,
    reals,
    second_order,
    termwise,
    using,
)
from mlnotes.theorems import proves

Z = random_variables("Z")
t, z, h, m, p, q, u, v = reals("t z h m p q u v")
lam = reals("lambda")
level, rate = reals("a lambda", positive=True)
a, b = reals("a b")

half = Rational(1, 2)
phi = function("phi", increasing=True, nonnegative=True)

FAIR = [(0, half), (2, half)]
COIN = [(0, half), (1, half)]
SIGN = [(-1, half), (1, half)]


@proves("thm-markov")
def markov() -> Theorem:
    r"""Derive Markov's inequality, $\Pr[Z\ge a]\le\mathbb E[Z]/a$ for $Z\ge 0$ and $a>0$."""
    return (
        Derivation("Markov's inequality", given={"sign": Ge(Z, 0)}, witness={Z: FAIR, level: 1})
        .start(P(Ge(Z, level)))
        .equals(E(indicator(Ge(Z, level))), because="a probability is the mean of an indicator")
        .at_most(
            E(Z / level),
            because=r"$\mathbf 1[Z\ge a]\le Z/a$ for every outcome, since $Z\ge 0$",
            by=termwise(),
        )
        .equals(E(Z) / level, because="expectation is linear")
        .qed()
    )


@proves("thm-markov-for-functions")
def markov_for_functions() -> Theorem:
    r"""Derive $\Pr[Z\ge t]\le\mathbb E[\phi(Z)]/\phi(t)$ for $\phi\ge 0$ that never falls."""
    order = (
        Derivation("it never falls", given=[Ge(z, t)], witness={z: 2, t: 1})
        .start(phi(z))
        .at_least(phi(t), because=r"$z\ge t$", by=monotone(phi))
        .qed()
    )
    reaches = (
        Derivation("it reaches its value")
        .start(indicator(Ge(z, t)))
        .at_most(
            indicator(Ge(phi(z), phi(t))),
            because=r"$z\ge t$ gives $\phi(z)\ge\phi(t)$",
            by=cases((Ge(z, t), using(apply(order))), Lt(z, t)),
        )
        .qed()
    )
    return (
        Derivation(
            "Markov's inequality for functions",
            given={"value": Gt(phi(t), 0)},
            witness={Z: FAIR, t: 1, phi: Lambda(z, exp(z))},
        )
        .start(P(Ge(Z, t)))
        .at_most(
            P(Ge(phi(Z), phi(t))),
            because=r"where $Z$ reaches $t$, $\phi(Z)$ reaches $\phi(t)$",
            by=termwise(by=apply(reaches, {z: Z})),
        )
        .at_most(
            E(phi(Z)) / phi(t),
            because=r"Markov's inequality for $\phi(Z)\ge 0$",
            by=apply(markov(), {Z: phi(Z), level: phi(t)}),
        )
        .qed()
    )


@proves("lem-variance")
def variance() -> Theorem:
    r"""Derive $\mathbb E[(Z-\mathbb EZ)^2]=\mathbb E[Z^2]-(\mathbb EZ)^2$."""
    return (
        Derivation("two forms of the variance")
        .start(E((Z - E(Z)) ** 2))
        .equals(
            E(Z**2) - 2 * E(Z) * E(Z) + E(Z) ** 2,
            because="expand the square; expectation is linear",
        )
        .equals(E(Z**2) - E(Z) ** 2, because="collect")
        .qed()
    )


@proves("thm-chebyshev")
def chebyshev() -> Theorem:
    r"""Derive $\Pr[|Z-m|\ge a]\le v/a^2$ with $v=\mathbb E[(Z-m)^2]$, for any $m$."""
    return (
        Derivation(
            "Chebyshev's inequality",
            given={"square": Eq(E((Z - m) ** 2), v)},
            witness={Z: FAIR, m: 1, v: 1},
        )
        .start(P(Ge(Abs(Z - m), level)))
        .at_most(
            E((Z - m) ** 2) / level**2,
            because=r"Markov for $\phi(z)=\max(z,0)^2$, which never falls",
            by=apply(
                markov_for_functions(),
                {Z: Abs(Z - m), t: level, phi: Lambda(z, Max(z, 0) ** 2)},
            ),
        )
        .equals(v / level**2, because="the mean of the square is $v$")
        .qed()
    )


@proves("thm-chernoff")
def chernoff() -> Theorem:
    r"""Derive Chernoff's bound, $\Pr[Z\ge t]\le e^{-\lambda t}\,\mathbb E[e^{\lambda Z}]$."""
    return (
        Derivation("Chernoff's bound", given={"rate": Ge(lam, 0)}, witness={lam: 1})
        .start(P(Ge(Z, t)))
        .at_most(
            E(exp(lam * Z)) / exp(lam * t),
            because=r"Markov for $\phi(z)=e^{\lambda z}$, which never falls since $\lambda\ge 0$",
            by=apply(markov_for_functions(), {phi: Lambda(z, exp(lam * z))}),
        )
        .equals(exp(-lam * t) * E(exp(lam * Z)), because="one over an exponential")
        .qed()
    )


@proves("lem-negative-rates")
def negative_rates() -> Theorem:
    r"""Derive $\lambda t-\psi\le 0$ for $\lambda\le 0$ and $t\ge\mathbb E[Z]$."""
    return (
        Derivation(
            "negative rates give nothing above the mean",
            given={"rate": Le(lam, 0), "above": Le(E(Z), t)},
            witness={Z: FAIR, t: 2, lam: -1},
        )
        .start(E(exp(lam * Z)))
        .at_least(
            E(exp(lam * t) * (1 + lam * (Z - t))),
            because=r"for every outcome the exponential lies above its tangent at $t$",
            by=termwise(),
        )
        .equals(exp(lam * t) * (1 + lam * (E(Z) - t)), because="expectation is linear")
        .at_least(exp(lam * t), because=r"$\lambda\le 0$ and $\mathbb E[Z]\le t$")
        .qed()
    )


@proves("lem-exponential-is-convex")
def exponential_is_convex() -> Theorem:
    r"""Derive $e^{pu+qv}\le pe^u+qe^v$ for weights $p,q\ge 0$ with $p+q=1$."""
    return (
        Derivation(
            "the exponential is convex",
            given={
                "first": Ge(p, 0),
                "second": Ge(q, 0),
                "weights": Eq(p + q, 1),
                "mean": Eq(p * u + q * v, m),
            },
            witness={p: Rational(1, 3), q: Rational(2, 3), u: 3, v: 0, m: 1},
        )
        .start(p * exp(u) + q * exp(v))
        .at_least(
            p * exp(m) * (1 + u - m) + q * exp(v),
            because="the exponential lies above its tangent at $m=pu+qv$",
        )
        .at_least(
            p * exp(m) * (1 + u - m) + q * exp(m) * (1 + v - m),
            because="the same at the other end",
        )
        .equals(exp(m) * (p + q + p * u + q * v - (p + q) * m), because="collect the terms")
        .equals(exp(m), because="$p+q=1$ and $pu+qv=m$")
        .qed()
    )


@proves("lem-chord")
def chord() -> Theorem:
    r"""Derive that $e^{\lambda z}$ lies under its chord over $[a,b]$."""
    weights = {p: (b - z) / (b - a), q: (z - a) / (b - a)}
    return (
        Derivation(
            "under the chord",
            given={"lower": Le(a, z), "upper": Le(z, b), "range": Lt(a, b)},
            witness={a: -1, b: 2, z: 0},
        )
        .start(exp(lam * z))
        .at_most(
            (b - z) / (b - a) * exp(lam * a) + (z - a) / (b - a) * exp(lam * b),
            because="the exponential is convex, and $z$ is a weighted mean of $a$ and $b$",
            by=apply(exponential_is_convex(), {**weights, u: lam * a, v: lam * b, m: lam * z}),
        )
        .qed()
    )


@proves("lem-second-derivative")
def second_derivative() -> Theorem:
    r"""Derive that the second derivative of $\log(1-p+pe^h)-ph$ in $h$ is at most $\frac14$."""
    with as_written():
        share = p * exp(h) / (1 - p + p * exp(h))
    return (
        Derivation(
            "second derivative of two points",
            given={"positive": Gt(p, 0), "below one": Lt(p, 1)},
            witness={p: Rational(1, 3)},
        )
        .start(grad(grad(log(1 - p + p * exp(h)) - p * h, h), h))
        .equals(share * (1 - share), because=r"it is $r(1-r)$ with $r=pe^h/(1-p+pe^h)$")
        .at_most(Rational(1, 4), because=r"$\frac14-r(1-r)=(r-\frac12)^2$")
        .qed()
    )


@proves("lem-curvature")
def curvature() -> Theorem:
    r"""Derive $\log(1-p+pe^h)-ph\le h^2/8$ for $0<p<1$."""
    return (
        Derivation(
            "a quarter bounds the curvature",
            given={"positive": Gt(p, 0), "below one": Lt(p, 1)},
            witness={p: Rational(1, 3)},
        )
        .start(log(1 - p + p * exp(h)) - p * h)
        .at_most(
            h**2 / 8,
            because=r"value and slope vanish at $0$; the second derivative is $r(1-r)\le\frac14$",
            by=second_order(h),
        )
        .qed()
    )


@proves("lem-hoeffding-two-points")
def two_points() -> Theorem:
    r"""Derive the bound on $(be^{\lambda a}-ae^{\lambda b})/(b-a)$ for $a<0<b$."""
    share, width = -a / (b - a), lam * (b - a)
    with as_written():
        moment = exp(lam * a + log(1 + a / (b - a) - a / (b - a) * exp(width)))
    return (
        Derivation("two points", given={"low": Lt(a, 0), "high": Gt(b, 0)}, witness={a: -1, b: 2})
        .start(b / (b - a) * exp(lam * a) - a / (b - a) * exp(lam * b))
        .equals(
            moment,
            because=r"take $e^{\lambda a}$ out",
        )
        .at_most(
            exp(width**2 / 8),
            because=r"a quarter bounds the curvature, at $p=-a/(b-a)$ and $h=\lambda(b-a)$",
            by=monotone(exp, by=apply(curvature(), {p: share, h: width})),
        )
        .equals(exp(lam**2 * (b - a) ** 2 / 8), because=r"$h=\lambda(b-a)$")
        .qed()
    )


@proves("lem-hoeffding-extremes")
def extremes() -> Theorem:
    r"""Derive the same bound for $a\le 0\le b$: at the ends the left side is one."""
    left = b / (b - a) * exp(lam * a) - a / (b - a) * exp(lam * b)
    bound = exp(lam**2 * (b - a) ** 2 / 8)
    at_zero = (
        Derivation("the exponential at zero", given=[Eq(z, 0)], witness={z: 0})
        .start(exp(lam * z))
        .equals(1, because="$e^0=1$", by=monotone(exp))
        .qed()
    )
    below = (
        Derivation("all weight on $a=0$", given=[Eq(a, 0), Gt(b, 0)], witness={a: 0, b: 2})
        .start(left)
        .equals(
            exp(lam * a) + a / (b - a) * (exp(lam * a) - exp(lam * b)),
            because=r"$b/(b-a)=1+a/(b-a)$",
        )
        .equals(exp(lam * a), because="$a=0$")
        .equals(1, because="$a=0$ again", by=apply(at_zero, {z: a}))
        .at_most(bound, because="the exponent is a square")
        .qed()
    )
    above = (
        Derivation("all weight on $b=0$", given=[Lt(a, 0), Eq(b, 0)], witness={a: -1, b: 0})
        .start(left)
        .equals(
            exp(lam * b) + b / (b - a) * (exp(lam * a) - exp(lam * b)),
            because=r"$-a/(b-a)=1-b/(b-a)$",
        )
        .equals(exp(lam * b), because="$b=0$")
        .equals(1, because="$b=0$ again", by=apply(at_zero, {z: b}))
        .at_most(bound, because="the exponent is a square")
        .qed()
    )
    return (
        Derivation(
            "two points, or one",
            given={"low": Le(a, 0), "high": Ge(b, 0), "range": Lt(a, b)},
            witness={a: -1, b: 2},
        )
        .start(left)
        .at_most(
            bound,
            because=r"$a<0<b$ is done; for $a=0$ or $b=0$ the left side is $1$",
            by=cases(
                (Ge(a, 0), apply(below)),
                (Lt(a, 0), cases((Le(b, 0), apply(above)), (Gt(b, 0), apply(two_points())))),
            ),
        )
        .qed()
    )


@proves("lem-mean-above")
def mean_above() -> Theorem:
    r"""Derive that a mean is at least what bounds every outcome from below."""
    return (
        Derivation(
            "a mean is not below all outcomes", given={"lower": Le(a, Z)}, witness={Z: FAIR, a: 0}
        )
        .start(a)
        .equals(E(a), because="the mean of a constant")
        .at_most(E(Z), because="for every outcome", by=termwise())
        .qed()
    )


@proves("lem-mean-below")
def mean_below() -> Theorem:
    r"""Derive that a mean is at most what bounds every outcome from above."""
    return (
        Derivation(
            "a mean is not above all outcomes", given={"upper": Le(Z, b)}, witness={Z: FAIR, b: 2}
        )
        .start(E(Z))
        .at_most(E(b), because="for every outcome", by=termwise())
        .equals(b, because="the mean of a constant")
        .qed()
    )


@proves("lem-hoeffding")
def hoeffding_lemma() -> Theorem:
    r"""Derive Hoeffding's lemma: $\mathbb E[e^{\lambda Z}]\le e^{\lambda^2(b-a)^2/8}$."""
    return (
        Derivation(
            "Hoeffding's lemma",
            given={
                "lower": Le(a, Z),
                "upper": Le(Z, b),
                "range": Lt(a, b),
                "centred": Eq(E(Z), 0),
            },
            witness={Z: [(-1, Rational(2, 3)), (2, Rational(1, 3))], a: -1, b: 2},
        )
        .start(E(exp(lam * Z)))
        .at_most(
            E((b - Z) / (b - a) * exp(lam * a) + (Z - a) / (b - a) * exp(lam * b)),
            because="for every outcome the exponential lies under its chord",
            by=termwise(by=apply(chord(), {z: Z})),
        )
        .equals(
            b / (b - a) * exp(lam * a) - a / (b - a) * exp(lam * b),
            because=r"expectation is linear, and $\mathbb E[Z]=0$",
        )
        .at_most(
            exp(lam**2 * (b - a) ** 2 / 8),
            because=r"the bound for two points; $a\le\mathbb E[Z]=0\le b$",
            by=using(apply(mean_above()), apply(mean_below()), apply(extremes())),
        )
        .qed()
    )


n = integers("n", positive=True)
i = indices("i")
X = random_family("X")
low, high, mu = real_family("a b mu")
bound = reals("epsilon", positive=True)
with as_written():
    DEVIATION = Sum(X[i] - mu[i], (i, 1, n))
    WIDTHS = Sum((high[i] - low[i]) ** 2, (i, 1, n))
total = reals("s", positive=True)
# Two independent variables that are not alike: a fair coin on {0, 1} and one on {0, 3}.
COINS = {
    n: 2,
    X: [
        [(0, Rational(1, 2)), (1, Rational(1, 2))],
        [(0, Rational(2, 3)), (3, Rational(1, 3))],
    ],
    mu: [Rational(1, 2), 1],
    low: [0, 0],
    high: [1, 3],
    total: 10,
}
bounded = Setting(
    "independent and bounded",
    given={
        "independent": independent_family(X),
        "means": for_each(i, 1, n, Eq(E(X[i]), mu[i])),
        "lower": for_each(i, 1, n, Le(low[i], X[i])),
        "upper": for_each(i, 1, n, Le(X[i], high[i])),
        "ranges": for_each(i, 1, n, Lt(low[i], high[i])),
        "widths": Eq(total, WIDTHS),
    },
    witness=COINS,
)


@proves("lem-moment-generating-function")
def exponential_moment() -> Theorem:
    r"""Derive $\mathbb E[e^{\lambda\sum_i(X_i-\mu_i)}]\le e^{\lambda^2s/8}$ by independence."""
    return (
        Derivation("exponential moment of a sum", setting=bounded)
        .start(E(exp(lam * DEVIATION)))
        .equals(
            Product(E(exp(lam * (X[i] - mu[i]))), (i, 1, n)),
            because="the exponential of a sum is a product, and the $X_i$ are independent",
        )
        .at_most(
            Product(exp(lam**2 * (high[i] - low[i]) ** 2 / 8), (i, 1, n)),
            because=r"Hoeffding's lemma for $X_i-\mu_i$, which lies in $[a_i-\mu_i,b_i-\mu_i]$",
            by=termwise(
                i,
                by=apply(
                    hoeffding_lemma(), {Z: X[i] - mu[i], a: low[i] - mu[i], b: high[i] - mu[i]}
                ),
            ),
        )
        .equals(exp(lam**2 * WIDTHS / 8), because="a product of exponentials")
        .equals(exp(lam**2 * total / 8), because=r"$s=\sum_i(b_i-a_i)^2$", by=monotone(exp))
        .qed()
    )


@proves("lem-hoeffding-any-rate")
def tail_at_any_rate() -> Theorem:
    r"""Derive the bound on the upper tail that each $\lambda>0$ gives."""
    return (
        Derivation("upper tail at any rate", setting=bounded)
        .start(P(Ge(DEVIATION, n * bound)))
        .at_most(
            exp(-rate * n * bound) * E(exp(rate * DEVIATION)),
            because="Chernoff's bound",
            by=apply(chernoff(), {Z: DEVIATION, t: n * bound, lam: rate}),
        )
        .at_most(
            exp(-rate * n * bound) * exp(rate**2 * total / 8),
            because="the exponential moment of the sum",
            by=using(apply(exponential_moment(), {lam: rate})),
        )
        .equals(exp(rate**2 * total / 8 - rate * n * bound), because="exponents add")
        .qed()
    )


@proves("lem-hoeffding-best-rate")
def best_rate() -> Theorem:
    r"""Derive that no $\lambda$ beats $4n\varepsilon/\sum_i(b_i-a_i)^2$."""
    return (
        Derivation("the best rate")
        .start(lam**2 * total / 8 - lam * n * bound)
        .equals(
            (lam - 4 * n * bound / total) ** 2 * total / 8 - 2 * n**2 * bound**2 / total,
            because=r"complete the square in $\lambda$",
        )
        .at_least(
            -2 * n**2 * bound**2 / total,
            because=r"a square is nonnegative, and zero for $\lambda=4n\varepsilon/s$",
        )
        .qed()
    )


@proves("thm-hoeffding-one-sided")
def hoeffding_upper() -> Theorem:
    r"""Derive Hoeffding's inequality for the upper tail."""
    best = 4 * n * bound / total
    return (
        Derivation("Hoeffding's inequality, upper tail", setting=bounded)
        .start(P(Ge(DEVIATION, n * bound)))
        .at_most(
            exp(best**2 * total / 8 - best * n * bound),
            because=r"the bound at $\lambda=4n\varepsilon/s$ with $s=\sum_i(b_i-a_i)^2$",
            by=apply(tail_at_any_rate(), {rate: best}),
        )
        .equals(exp(-2 * n**2 * bound**2 / total), because="simplify the exponent")
        .qed()
    )


@proves("lem-hoeffding-lower-tail")
def hoeffding_lower() -> Theorem:
    r"""Derive the same bound for the lower tail, with $-\lambda$ for $\lambda$."""
    best = 4 * n * bound / total
    return (
        Derivation("Hoeffding's inequality, lower tail", setting=bounded)
        .start(P(Ge(-DEVIATION, n * bound)))
        .at_most(
            exp(-best * n * bound) * E(exp(-best * DEVIATION)),
            because="Chernoff's bound for the negative",
            by=apply(chernoff(), {Z: -DEVIATION, t: n * bound, lam: best}),
        )
        .at_most(
            exp(-best * n * bound) * exp(best**2 * total / 8),
            because=r"the exponential moment of the sum at $-\lambda$",
            by=using(apply(exponential_moment(), {lam: -best})),
        )
        .equals(exp(-2 * n**2 * bound**2 / total), because="simplify the exponent")
        .qed()
    )


@proves("lem-two-tails")
def two_tails() -> Theorem:
    r"""Derive that a large deviation is a deviation to one of two sides."""
    one_side = (
        Derivation("a size is one of two", given=[Eq((u - z) * (u + z), 0)], witness={u: 2, z: -2})
        .start(indicator(Ge(u, t)))
        .at_most(
            indicator(Ge(z, t)) + indicator(Ge(-z, t)),
            because="$u$ is $z$ or $-z$",
            by=cases(Eq(u, z), Eq(u, -z)),
        )
        .qed()
    )
    return (
        Derivation("two tails")
        .start(P(Ge(Abs(Z), t)))
        .at_most(
            E(indicator(Ge(Z, t)) + indicator(Ge(-Z, t))),
            because=r"$|Z|$ is $Z$ or $-Z$",
            by=termwise(by=apply(one_side, {u: Abs(Z), z: Z})),
        )
        .equals(P(Ge(Z, t)) + P(Ge(-Z, t)), because="expectation is linear")
        .qed()
    )


@proves("thm-hoeffding")
def hoeffding() -> Theorem:
    r"""Derive Hoeffding's inequality for independent variables, each with its own range."""
    tail = exp(-2 * n**2 * bound**2 / total)
    return (
        Derivation("Hoeffding's inequality", setting=bounded)
        .start(P(Ge(Abs(DEVIATION), n * bound)))
        .at_most(
            P(Ge(DEVIATION, n * bound)) + P(Ge(-DEVIATION, n * bound)),
            because="a large deviation is one to either side",
            by=apply(two_tails(), {Z: DEVIATION, t: n * bound}),
        )
        .at_most(
            tail + P(Ge(-DEVIATION, n * bound)),
            because="the upper tail",
            by=using(apply(hoeffding_upper())),
        )
        .at_most(2 * tail, because="the lower tail", by=using(apply(hoeffding_lower())))
        .qed()
    )


mean, spread, psi, lowest, highest = reals("mu v psi a b")
sigma, delta = reals("sigma delta", positive=True)
with as_written():
    CENTRED = Sum(X[i] - mean, (i, 1, n))
    SPREAD = Eq(E((X[i] - mean) ** 2), spread)
DISTANCE = Abs(CENTRED)
INDEPENDENT = {
    "independent": independent_family(X),
    "means": for_each(i, 1, n, Eq(E(X[i]), mean)),
}
alike = Setting(
    "independent with one variance",
    given={**INDEPENDENT, "variances": for_each(i, 1, n, SPREAD)},
    witness={n: 2, X: [FAIR, FAIR], mean: 1, spread: 1},
)


def _sum_and_mean() -> Theorem:
    return (
        Derivation("sum and mean")
        .start(indicator(Ge(u / n, bound)))
        .at_most(indicator(Ge(u, n * bound)), because="multiply by $n>0$")
        .qed()
    )


@proves("cor-hoeffding-common-range")
def common_range() -> Theorem:
    r"""Derive $\Pr[|\frac1n\sum_iX_i-\mu|\ge\varepsilon]\le 2e^{-2n\varepsilon^2/(b-a)^2}$."""
    return (
        Derivation(
            "Hoeffding's inequality for one range",
            given={
                **INDEPENDENT,
                "lower": for_each(i, 1, n, Le(lowest, X[i])),
                "upper": for_each(i, 1, n, Le(X[i], highest)),
                "range": Lt(lowest, highest),
            },
            witness={n: 2, X: [FAIR, FAIR], mean: 1, lowest: 0, highest: 2},
        )
        .start(P(Ge(DISTANCE / n, bound)))
        .at_most(
            P(Ge(DISTANCE, n * bound)),
            because="the sum is $n$ times the mean",
            by=termwise(by=apply(_sum_and_mean(), {u: DISTANCE})),
        )
        .at_most(
            2 * exp(-2 * n**2 * bound**2 / (n * (highest - lowest) ** 2)),
            because=r"Hoeffding's inequality with every range $[a,b]$, so that $s=n(b-a)^2$",
            by=apply(
                hoeffding(),
                {
                    low: Lambda(i, lowest),
                    high: Lambda(i, highest),
                    mu: Lambda(i, mean),
                    total: n * (highest - lowest) ** 2,
                },
            ),
        )
        .equals(2 * exp(-2 * n * bound**2 / (highest - lowest) ** 2), because="cancel $n$")
        .qed()
    )


@proves("thm-hoeffding-unit-range")
def mean_on_unit_interval() -> Theorem:
    r"""Derive $\Pr[|\frac1n\sum_iX_i-\mu|\ge\varepsilon]\le 2e^{-2n\varepsilon^2}$ on $[0,1]$."""
    return (
        Derivation(
            "Hoeffding's inequality on the unit interval",
            given={
                **INDEPENDENT,
                "lower": for_each(i, 1, n, Le(0, X[i])),
                "upper": for_each(i, 1, n, Le(X[i], 1)),
            },
            witness={n: 2, X: [COIN, COIN], mean: half},
        )
        .start(P(Ge(DISTANCE / n, bound)))
        .at_most(
            2 * exp(-2 * n * bound**2),
            because="Hoeffding's inequality with the range $[0,1]$",
            by=apply(common_range(), {lowest: 0, highest: 1}),
        )
        .qed()
    )


@proves("lem-variance-of-a-sum")
def variance_of_a_sum() -> Theorem:
    r"""Derive $\mathbb E[(\sum_i(X_i-\mu))^2]=nv$ for independent $X_i$ of variance $v$."""
    return (
        Derivation("variance of a sum", setting=alike)
        .start(E(CENTRED**2))
        .equals(
            Sum(E((X[i] - mean) ** 2), (i, 1, n)),
            because="the mixed products have mean zero, since the $X_i$ are independent",
        )
        .equals(n * spread, because="$n$ equal terms")
        .qed()
    )


@proves("thm-chebyshev-mean")
def chebyshev_mean() -> Theorem:
    r"""Derive $\Pr[|\frac1n\sum_iX_i-\mu|\ge\varepsilon]\le v/(n\varepsilon^2)$."""
    return (
        Derivation("Chebyshev's inequality for a mean", setting=alike)
        .start(P(Ge(DISTANCE / n, bound)))
        .at_most(
            P(Ge(DISTANCE, n * bound)),
            because="the sum is $n$ times the mean",
            by=termwise(by=apply(_sum_and_mean(), {u: DISTANCE})),
        )
        .at_most(
            n * spread / (n * bound) ** 2,
            because="Chebyshev's inequality for the sum, of mean zero and variance $nv$",
            by=using(
                apply(variance_of_a_sum()),
                apply(chebyshev(), {Z: CENTRED, m: 0, v: n * spread, level: n * bound}),
            ),
        )
        .equals(spread / (n * bound**2), because="cancel $n$")
        .qed()
    )


@proves("thm-weak-law")
def weak_law() -> Theorem:
    r"""Derive the weak law with its rate: $n\ge v/(\delta\varepsilon^2)$ is enough."""
    return (
        Derivation(
            "weak law of large numbers",
            given={"enough": Ge(n, spread / (delta * bound**2))},
            witness={bound: 2, delta: half},
            setting=alike,
        )
        .start(P(Ge(DISTANCE / n, bound)))
        .at_most(
            spread / (n * bound**2),
            because="Chebyshev's inequality for a mean",
            by=apply(chebyshev_mean()),
        )
        .at_most(delta, because=r"$n\ge v/(\delta\varepsilon^2)$")
        .qed()
    )


@proves("thm-chernoff-sum")
def chernoff_sum() -> Theorem:
    r"""Derive $\Pr[\sum_iX_i\ge nt]\le e^{-n(\lambda t-\psi)}$ from one bound on all moments."""
    total = Sum(X[i], (i, 1, n))
    moments = for_each(i, 1, n, Le(E(exp(lam * X[i])), exp(psi)))
    witness = {n: 2, X: [[(0, 1)], [(0, 1)]], psi: 0, lam: 1}
    factors = (
        Derivation("factor by factor", given=[moments], witness=witness)
        .start(Product(E(exp(lam * X[i])), (i, 1, n)))
        .at_most(Product(exp(psi), (i, 1, n)), because="each moment", by=termwise(i))
        .qed()
    )
    return (
        Derivation(
            "Chernoff's bound for a sum",
            given={"independent": independent_family(X), "moments": moments, "rate": Ge(lam, 0)},
            witness=witness,
        )
        .start(P(Ge(total, n * t)))
        .at_most(
            exp(-lam * n * t) * E(exp(lam * total)),
            because="Chernoff's bound",
            by=apply(chernoff(), {Z: total, t: n * t}),
        )
        .equals(
            exp(-lam * n * t) * Product(E(exp(lam * X[i])), (i, 1, n)),
            because="the $X_i$ are independent",
        )
        .at_most(
            exp(-lam * n * t) * Product(exp(psi), (i, 1, n)),
            because=r"$\mathbb E[e^{\lambda X_i}]\le e^\psi$ for every $i$",
            by=using(apply(factors)),
        )
        .equals(exp(-n * (lam * t - psi)), because="exponents add")
        .qed()
    )


@proves("lem-gaussian-conjugate")
def gaussian_conjugate() -> Theorem:
    r"""Derive that $t^2/(2\sigma^2)$ is the largest $\lambda t-\lambda^2\sigma^2/2$."""
    return (
        Derivation("conjugate of a parabola")
        .start(lam * t - lam**2 * sigma**2 / 2)
        .equals(
            t**2 / (2 * sigma**2) - sigma**2 / 2 * (lam - t / sigma**2) ** 2,
            because=r"complete the square in $\lambda$",
        )
        .at_most(
            t**2 / (2 * sigma**2),
            because=r"a square is nonnegative, and zero for $\lambda=t/\sigma^2$",
        )
        .qed()
    )


@proves("lem-bernoulli-conjugate")
def bernoulli_conjugate() -> Theorem:
    r"""Derive that the relative entropy is the largest $\lambda t-\log(1-p+pe^\lambda)$."""
    best = log(t * (1 - p) / (p * (1 - t)))
    inside = {
        "positive": Gt(p, 0),
        "below one": Lt(p, 1),
        "level positive": Gt(t, 0),
        "level below one": Lt(t, 1),
    }
    witness = {p: half, t: Rational(3, 4)}
    least = (
        Derivation("the best rate of a coin", given=inside, witness=witness)
        .start(log(1 - p + p * exp(lam)) - lam * t)
        .at_least(
            log(1 - p + p * exp(best)) - best * t,
            because=r"it is convex in $\lambda$, and its slope vanishes at this rate",
            by=minimised_at(lam, best),
        )
        .qed()
    )
    return (
        Derivation("conjugate of a coin", given=inside, witness=witness)
        .start(lam * t - log(1 - p + p * exp(lam)))
        .at_most(
            best * t - log(1 - p + p * exp(best)),
            because=r"it is concave in $\lambda$, and its slope vanishes at this rate",
            by=using(apply(least)),
        )
        .equals(
            best * t - log((1 - p) / (1 - t)),
            because=r"put the rate in: $1-p+t(1-p)/(1-t)=(1-p)/(1-t)$",
        )
        .equals(
            t * log(t / p) + (1 - t) * log((1 - t) / (1 - p)),
            because="logarithms of products and quotients",
        )
        .qed()
    )


@proves("lem-sign-is-sub-gaussian")
def sign_is_sub_gaussian() -> Theorem:
    r"""Derive $\frac12(e^\lambda+e^{-\lambda})\le e^{\lambda^2/2}$ from the two points."""
    return (
        Derivation("a sign is sub-Gaussian")
        .start((exp(lam) + exp(-lam)) / 2)
        .at_most(
            exp(lam**2 / 2),
            because="the bound for two points, at $a=-1$ and $b=1$",
            by=apply(two_points(), {a: -1, b: 1}),
        )
        .qed()
    )


@proves("thm-sub-gaussian-tail")
def sub_gaussian_tail() -> Theorem:
    r"""Derive $\Pr[\sum_iX_i\ge n\varepsilon]\le e^{-n\varepsilon^2/(2\sigma^2)}$."""
    total = Sum(X[i], (i, 1, n))
    return (
        Derivation(
            "sub-Gaussian tail",
            given={
                "independent": independent_family(X),
                "moments": for_each(i, 1, n, Le(E(exp(lam * X[i])), exp(lam**2 * sigma**2 / 2))),
                "rate": Eq(lam, bound / sigma**2),
            },
            witness={n: 2, X: [SIGN, SIGN], sigma: 1, bound: 1, lam: 1},
        )
        .start(P(Ge(total, n * bound)))
        .at_most(
            exp(-n * (lam * bound - lam**2 * sigma**2 / 2)),
            because=r"Chernoff's bound for a sum, with $\psi=\lambda^2\sigma^2/2$",
            by=apply(chernoff_sum(), {t: bound, psi: lam**2 * sigma**2 / 2}),
        )
        .equals(
            exp(-n * bound**2 / (2 * sigma**2)),
            because=r"$\lambda=\varepsilon/\sigma^2$",
            by=monotone(exp),
        )
        .qed()
    )


@proves("lem-bernstein-exponential")
def bernstein_exponential() -> Theorem:
    r"""Derive $e^u(1-u/3)\le 1+\frac23u+\frac16u^2$ for every real $u$."""
    return (
        Derivation("the exponential under a fraction")
        .start(exp(u) * (1 - u / 3))
        .at_most(
            1 + 2 * u / 3 + u**2 / 6,
            because=r"value and slope agree at $0$; the gap bends by $\frac13(1-e^u(1-u))\ge 0$",
            by=second_order(u),
        )
        .qed()
    )


cap, slack, variances = reals("c d V", positive=True)
each = real_family("v")
SLACK = Eq(slack, 1 - lam * cap / 3)
with as_written():
    VARIANCES = {
        "independent": independent_family(X),
        "means": for_each(i, 1, n, Eq(E(X[i]), mu[i])),
        "cap": for_each(i, 1, n, Le(X[i] - mu[i], cap)),
        "variances": for_each(i, 1, n, Eq(E((X[i] - mu[i]) ** 2), each[i])),
        "sum": Eq(variances, Sum(each[i], (i, 1, n))),
    }
capped = Setting(
    "independent and capped",
    given=VARIANCES,
    witness={
        n: 2,
        X: COINS[X],
        mu: COINS[mu],
        cap: 2,
        each: [Rational(1, 4), 2],
        variances: Rational(9, 4),
    },
)


@proves("lem-bernstein-moment")
def bernstein_moment() -> Theorem:
    r"""Derive $\mathbb E[e^{\lambda Z}]\le e^{\lambda^2v/(2d)}$ with $d=1-\lambda c/3>0$."""
    pointwise = (
        Derivation(
            "for one outcome",
            given=[Le(z, cap), Ge(lam, 0), SLACK],
            witness={z: 1, cap: 1, lam: 1, slack: Rational(2, 3)},
        )
        .start(exp(lam * z))
        .at_most(
            (1 + 2 * lam * z / 3 + lam**2 * z**2 / 6) / (1 - lam * z / 3),
            because=r"the exponential lies under the fraction, and $1-\lambda z/3\ge d>0$",
            by=using(apply(bernstein_exponential(), {u: lam * z}), Gt(1 - lam * z / 3, 0)),
        )
        .equals(1 + lam * z + lam**2 * z**2 / 2 / (1 - lam * z / 3), because="divide")
        .at_most(1 + lam * z + lam**2 * z**2 / (2 * slack), because=r"$1-\lambda z/3\ge d$")
        .qed()
    )
    return (
        Derivation(
            "exponential moment by the variance",
            given={
                "cap": Le(Z, cap),
                "centred": Eq(E(Z), 0),
                "variance": Eq(E(Z**2), spread),
                "rate": Ge(lam, 0),
                "slack": SLACK,
            },
            witness={Z: SIGN, cap: 1, spread: 1, lam: 1, slack: Rational(2, 3)},
        )
        .start(E(exp(lam * Z)))
        .at_most(
            E(1 + lam * Z + lam**2 * Z**2 / (2 * slack)),
            because="for every outcome",
            by=termwise(by=apply(pointwise, {z: Z})),
        )
        .equals(
            1 + lam**2 * spread / (2 * slack),
            because=r"expectation is linear, and $\mathbb E[Z]=0$",
        )
        .at_most(exp(lam**2 * spread / (2 * slack)), because="$1+u\\le e^u$")
        .qed()
    )


@proves("lem-bernstein-sum")
def bernstein_sum() -> Theorem:
    r"""Derive $\mathbb E[e^{\lambda\sum_i(X_i-\mu_i)}]\le e^{\lambda^2V/(2d)}$ by independence."""
    return (
        Derivation(
            "exponential moment of a sum by its variance",
            given={"rate": Ge(lam, 0), "slack": SLACK},
            witness={lam: 1, slack: Rational(1, 3)},
            setting=capped,
        )
        .start(E(exp(lam * DEVIATION)))
        .equals(
            Product(E(exp(lam * (X[i] - mu[i]))), (i, 1, n)),
            because="the exponential of a sum is a product, and the $X_i$ are independent",
        )
        .at_most(
            Product(exp(lam**2 * each[i] / (2 * slack)), (i, 1, n)),
            because=r"the bound by the variance for each $X_i-\mu_i$",
            by=termwise(i, by=apply(bernstein_moment(), {Z: X[i] - mu[i], spread: each[i]})),
        )
        .equals(
            exp(lam**2 / (2 * slack) * Sum(each[i], (i, 1, n))),
            because="a product of exponentials",
        )
        .equals(exp(lam**2 * variances / (2 * slack)), because=r"$V=\sum_iv_i$", by=monotone(exp))
        .qed()
    )


@proves("thm-bernstein")
def bernstein() -> Theorem:
    r"""Derive Bernstein's inequality: the variance takes the place of the squared range."""
    scale = variances + cap * n * bound / 3
    best = n * bound / scale
    return (
        Derivation("Bernstein's inequality, upper tail", setting=capped)
        .start(P(Ge(DEVIATION, n * bound)))
        .at_most(
            exp(-best * n * bound) * E(exp(best * DEVIATION)),
            because=r"Chernoff's bound at $\lambda=n\varepsilon/(V+cn\varepsilon/3)$",
            by=apply(chernoff(), {Z: DEVIATION, t: n * bound, lam: best}),
        )
        .at_most(
            exp(-best * n * bound) * exp(best**2 * variances / (2 * variances / scale)),
            because=r"the exponential moment of the sum; here $d=V/(V+cn\varepsilon/3)$",
            by=using(apply(bernstein_sum(), {lam: best, slack: variances / scale})),
        )
        .equals(exp(-((n * bound) ** 2) / (2 * scale)), because="simplify the exponent")
        .qed()
    )


@proves("lem-bernstein-beats-hoeffding")
def bernstein_beats_hoeffding() -> Theorem:
    r"""Derive that Bernstein's exponent is the larger one if $v+c\varepsilon/3<(b-a)^2/4$."""
    return (
        Derivation(
            "when the variance pays",
            given={
                "small": Lt(spread + cap * bound / 3, (highest - lowest) ** 2 / 4),
                "variance": Ge(spread, 0),
                "range": Lt(lowest, highest),
            },
            witness={
                spread: Rational(1, 100),
                cap: 1,
                bound: Rational(1, 10),
                lowest: 0,
                highest: 1,
            },
        )
        .start(2 * n * bound**2 / (highest - lowest) ** 2)
        .less_than(
            n * bound**2 / (2 * (spread + cap * bound / 3)),
            because=r"one over each side of $4(v+c\varepsilon/3)<(b-a)^2$",
        )
        .qed()
    )


N = integers("N", positive=True)
j = indices("j")
deviation = random_family("D")
largest = random_variables("D^*")


@proves("thm-union-bound")
def union_bound() -> Theorem:
    r"""Derive the union bound: the largest deviation reaches $t$ only if some deviation does."""
    reached = Sum(indicator(Ge(deviation[j], t)), (j, 1, N))
    return (
        Derivation(
            "union bound",
            given={"one of them": Le(indicator(Ge(largest, t)), reached)},
            witness={N: 2, t: 1, largest: [(2, 1)], deviation: [[(2, 1)], [(0, 1)]]},
        )
        .start(P(Ge(largest, t)))
        .at_most(
            E(reached), because="whenever the largest reaches $t$, one of them does", by=termwise()
        )
        .equals(Sum(P(Ge(deviation[j], t)), (j, 1, N)), because="expectation is linear")
        .qed()
    )
