"""How far a mean strays: Markov, Chernoff, Hoeffding's lemma and Hoeffding's inequality.

One idea, used four times: an indicator lies under a function whose expectation is known.
"""

from __future__ import annotations

from mlnotes.proof import (
    Abs,
    Derivation,
    E,
    Eq,
    Ge,
    Gt,
    Le,
    Lt,
    P,
    Product,
    Rational,
    Sum,
    Theorem,
    apply,
    cases,
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

FAIR = [(0, Rational(1, 2)), (2, Rational(1, 2))]


@proves("thm-markov")
def markov() -> Theorem:
    r"""Derive Markov's inequality, $\Pr[Z\ge a]\le\mathbb E[Z]/a$ for $Z\ge 0$ and $a>0$."""
    return (
        Derivation("Markov's inequality", given=[Ge(Z, 0)], witness={Z: FAIR, level: 1})
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


@proves("thm-chebyshev")
def chebyshev() -> Theorem:
    r"""Derive Chebyshev's inequality from Markov's for the squared deviation."""
    order = (
        Derivation("squares keep the order", given=[Ge(z, 0)], witness={z: 2})
        .start(indicator(Ge(z, level)))
        .at_most(
            indicator(Ge(z**2, level**2)),
            because=r"$z\ge a>0$ gives $z^2\ge a^2$",
            by=cases((Ge(z, level), using(Ge(z**2, level**2))), Lt(z, level)),
        )
        .qed()
    )
    return (
        Derivation("Chebyshev's inequality")
        .start(P(Ge(Abs(Z - E(Z)), level)))
        .at_most(
            P(Ge((Z - E(Z)) ** 2, level**2)),
            because="squares keep the order of numbers that are not negative",
            by=termwise(by=apply(order, {z: Abs(Z - E(Z))})),
        )
        .at_most(
            E((Z - E(Z)) ** 2) / level**2,
            because="Markov's inequality for the squared deviation",
            by=apply(markov(), {Z: (Z - E(Z)) ** 2, level: level**2}),
        )
        .equals(
            (E(Z**2) - E(Z) ** 2) / level**2, because="expand the square; expectation is linear"
        )
        .qed()
    )


@proves("thm-chernoff")
def chernoff() -> Theorem:
    r"""Derive Chernoff's bound, $\Pr[Z\ge t]\le e^{-\lambda t}\,\mathbb E[e^{\lambda Z}]$."""
    increasing = (
        Derivation("the exponential increases", given=[Ge(z, t)], witness={z: 2, t: 1})
        .start(exp(rate * z))
        .at_least(exp(rate * t), because=r"$\lambda z\ge\lambda t$", by=monotone(exp))
        .qed()
    )
    return (
        Derivation("Chernoff's bound")
        .start(P(Ge(Z, t)))
        .at_most(
            P(Ge(exp(rate * Z), exp(rate * t))),
            because=r"$z\mapsto e^{\lambda z}$ is increasing for $\lambda>0$",
            by=termwise(by=cases((Ge(Z, t), using(apply(increasing, {z: Z}))), Lt(Z, t))),
        )
        .at_most(
            E(exp(rate * Z)) / exp(rate * t),
            because=r"Markov's inequality for $e^{\lambda Z}$",
            by=apply(markov(), {Z: exp(rate * Z), level: exp(rate * t)}),
        )
        .equals(exp(-rate * t) * E(exp(rate * Z)), because="one over an exponential")
        .qed()
    )


@proves("lem-exponential-is-convex")
def exponential_is_convex() -> Theorem:
    r"""Derive $e^{pu+qv}\le pe^u+qe^v$ for weights $p,q\ge 0$ with $p+q=1$."""
    return (
        Derivation(
            "the exponential is convex",
            given=[Ge(p, 0), Ge(q, 0), Eq(p + q, 1), Eq(p * u + q * v, m)],
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
            "under the chord", given=[Le(a, z), Le(z, b), Lt(a, b)], witness={a: -1, b: 2, z: 0}
        )
        .start(exp(lam * z))
        .at_most(
            (b - z) / (b - a) * exp(lam * a) + (z - a) / (b - a) * exp(lam * b),
            because="the exponential is convex, and $z$ is a weighted mean of $a$ and $b$",
            by=apply(exponential_is_convex(), {**weights, u: lam * a, v: lam * b, m: lam * z}),
        )
        .qed()
    )


@proves("lem-curvature")
def curvature() -> Theorem:
    r"""Derive $\log(1-p+pe^h)-ph\le h^2/8$ for $0<p<1$."""
    return (
        Derivation(
            "a quarter bounds the curvature",
            given=[Gt(p, 0), Lt(p, 1)],
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
    return (
        Derivation("two points", given=[Lt(a, 0), Gt(b, 0)], witness={a: -1, b: 2})
        .start(b / (b - a) * exp(lam * a) - a / (b - a) * exp(lam * b))
        .equals(
            exp(log(1 - share + share * exp(width)) - share * width),
            because=r"with $p=-a/(b-a)$ and $h=\lambda(b-a)$",
        )
        .at_most(
            exp(width**2 / 8),
            because="a quarter bounds the curvature",
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
            given=[Le(a, 0), Ge(b, 0), Lt(a, b)],
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
        Derivation("a mean is not below all outcomes", given=[Le(a, Z)], witness={Z: FAIR, a: 0})
        .start(a)
        .equals(E(a), because="the mean of a constant")
        .at_most(E(Z), because="for every outcome", by=termwise())
        .qed()
    )


@proves("lem-mean-below")
def mean_below() -> Theorem:
    r"""Derive that a mean is at most what bounds every outcome from above."""
    return (
        Derivation("a mean is not above all outcomes", given=[Le(Z, b)], witness={Z: FAIR, b: 2})
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
            given=[Le(a, Z), Le(Z, b), Lt(a, b), Eq(E(Z), 0)],
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
DEVIATION = Sum(X[i] - mu[i], (i, 1, n))
WIDTHS = Sum((high[i] - low[i]) ** 2, (i, 1, n))
total = reals("s", positive=True)
SAMPLE = [
    independent_family(X),
    for_each(i, 1, n, Eq(E(X[i]), mu[i])),
    for_each(i, 1, n, Le(low[i], X[i])),
    for_each(i, 1, n, Le(X[i], high[i])),
    for_each(i, 1, n, Lt(low[i], high[i])),
    Eq(total, WIDTHS),
]
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


@proves("lem-moment-generating-function")
def exponential_moment() -> Theorem:
    r"""Derive $\mathbb E[e^{\lambda\sum_i(X_i-\mu_i)}]\le e^{\lambda^2s/8}$ by independence."""
    return (
        Derivation("exponential moment of a sum", given=SAMPLE, witness=COINS)
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
        Derivation("upper tail at any rate", given=SAMPLE, witness=COINS)
        .start(P(Ge(DEVIATION, n * bound)))
        .at_most(
            exp(-rate * n * bound) * E(exp(rate * DEVIATION)),
            because="Chernoff's bound",
            by=apply(chernoff(), {Z: DEVIATION, t: n * bound}),
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
        Derivation("Hoeffding's inequality, upper tail", given=SAMPLE, witness=COINS)
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
        Derivation("Hoeffding's inequality, lower tail", given=SAMPLE, witness=COINS)
        .start(P(Ge(-DEVIATION, n * bound)))
        .at_most(
            exp(-best * n * bound) * E(exp(-best * DEVIATION)),
            because="Chernoff's bound for the negative",
            by=apply(chernoff(), {Z: -DEVIATION, t: n * bound, rate: best}),
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
        Derivation("Hoeffding's inequality", given=SAMPLE, witness=COINS)
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
