"""The derivations about concentration say what they should, and nothing near it that is false."""

import pytest
from retelling import needed, refuted, sides

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
    P,
    ProofError,
    Rational,
    Sum,
    WrongStep,
    apply,
    exp,
    log,
)
from mlnotes.theorems import concentration as ct
from mlnotes.theorems.concentration import (
    N,
    X,
    Z,
    a,
    b,
    bound,
    cap,
    delta,
    deviation,
    high,
    highest,
    i,
    j,
    lam,
    largest,
    level,
    low,
    lowest,
    mean,
    mu,
    n,
    p,
    psi,
    sigma,
    slack,
    spread,
    t,
    total,
    u,
    variances,
)

FINITE = ("expectations are over finitely many outcomes",)
HALF = Rational(1, 2)
DEVIATION = Sum(X[i] - mu[i], (i, 1, n))
SUM = Sum(X[i], (i, 1, n))
MEAN = Abs(Sum(X[i] - mean, (i, 1, n))) / n
TAIL = exp(-2 * n**2 * bound**2 / total)
FLIP = [(-1, HALF), (1, HALF)]
CENTRED = {Z: [(-1, Rational(2, 3)), (2, Rational(1, 3))], a: -1, b: 2, lam: 1}
SIGN = {
    n: 1,
    X: [[(-1, HALF), (1, HALF)]],
    mu: [0],
    low: [-1],
    high: [1],
    total: 4,
    bound: Rational(9, 10),
}
STATEMENTS = [
    (ct.markov, Le(P(Ge(Z, level)), E(Z) / level), "any distribution on finitely many outcomes"),
    (
        ct.chebyshev,
        Le(P(Ge(Abs(Z - ct.m), level)), ct.v / level**2),
        "any distribution on finitely many outcomes",
    ),
    (
        ct.variance,
        Eq(E((Z - E(Z)) ** 2), E(Z**2) - E(Z) ** 2),
        "any distribution on finitely many outcomes",
    ),
    (
        ct.chernoff,
        Le(P(Ge(Z, t)), exp(-lam * t) * E(exp(lam * Z))),
        "any distribution on finitely many outcomes",
    ),
    (
        ct.negative_rates,
        Ge(E(exp(lam * Z)), exp(lam * t)),
        "any distribution on finitely many outcomes",
    ),
    (
        ct.hoeffding_lemma,
        Le(E(exp(lam * Z)), exp(lam**2 * (b - a) ** 2 / 8)),
        "any distribution on finitely many outcomes",
    ),
    (
        ct.hoeffding_upper,
        Le(P(Ge(DEVIATION, n * bound)), TAIL),
        "any n, any distribution on finitely many outcomes",
    ),
    (
        ct.hoeffding,
        Le(P(Ge(Abs(DEVIATION), n * bound)), 2 * TAIL),
        "any n, any distribution on finitely many outcomes",
    ),
    (
        ct.common_range,
        Le(P(Ge(MEAN, bound)), 2 * exp(-2 * n * bound**2 / (highest - lowest) ** 2)),
        "any n, any distribution on finitely many outcomes",
    ),
    (
        ct.mean_on_unit_interval,
        Le(P(Ge(MEAN, bound)), 2 * exp(-2 * n * bound**2)),
        "any n, any distribution on finitely many outcomes",
    ),
    (
        ct.chebyshev_mean,
        Le(P(Ge(MEAN, bound)), spread / (n * bound**2)),
        "any n, any distribution on finitely many outcomes",
    ),
    (
        ct.weak_law,
        Le(P(Ge(MEAN, bound)), delta),
        "any n, any distribution on finitely many outcomes",
    ),
    (
        ct.chernoff_sum,
        Le(P(Ge(SUM, n * t)), exp(-n * (lam * t - psi))),
        "any n, any distribution on finitely many outcomes",
    ),
    (
        ct.sub_gaussian_tail,
        Le(P(Ge(SUM, n * bound)), exp(-n * bound**2 / (2 * sigma**2))),
        "any n, any distribution on finitely many outcomes",
    ),
    (
        ct.bernstein,
        Le(
            P(Ge(DEVIATION, n * bound)),
            exp(-((n * bound) ** 2) / (2 * (variances + cap * n * bound / 3))),
        ),
        "any n, any distribution on finitely many outcomes",
    ),
    (
        ct.union_bound,
        Le(P(Ge(largest, t)), Sum(P(Ge(deviation[j], t)), (j, 1, N))),
        "any N, any distribution on finitely many outcomes",
    ),
]
CALCULUS = [
    (ct.gaussian_conjugate, Le(lam * t - lam**2 * sigma**2 / 2, t**2 / (2 * sigma**2))),
    (
        ct.bernoulli_conjugate,
        Le(
            lam * t - log(1 - p + p * exp(lam)),
            t * log(t / p) + (1 - t) * log((1 - t) / (1 - p)),
        ),
    ),
    (ct.sign_is_sub_gaussian, Le((exp(lam) + exp(-lam)) / 2, exp(lam**2 / 2))),
    (ct.bernstein_exponential, Le(exp(u) * (1 - u / 3), 1 + 2 * u / 3 + u**2 / 6)),
]


def test_markov_needs_a_nonnegative_variable():
    assert needed(ct.markov(), {Z: [(-2, HALF), (1, HALF)], level: 1}, 0)


def test_chebyshev_is_tight_on_two_points():
    pair = {Z: [(9, HALF), (11, HALF)], ct.m: 10, ct.v: 1, level: 1}
    assert sides(ct.chebyshev(), pair) == (1, 1)
    assert refuted(ct.chebyshev(), pair, ct.v / (2 * level) ** 2)
    assert needed(ct.chebyshev(), {**pair, ct.v: HALF}, 0)


def test_hoeffdings_lemma_with_another_constant_or_no_square_is_refused():
    fair = {Z: [(-1, HALF), (1, HALF)], a: -1, b: 1, lam: HALF}
    assert refuted(ct.hoeffding_lemma(), fair, exp(lam**2 * (b - a) ** 2 / 9))
    assert refuted(ct.hoeffding_lemma(), {**fair, lam: 3}, exp(lam * (b - a) ** 2 / 8))


def test_hoeffdings_lemma_needs_a_centred_variable_in_its_range():
    assert needed(ct.hoeffding_lemma(), {**CENTRED, Z: [(1, HALF), (2, HALF)]}, 3)
    wide = {**CENTRED, Z: [(-1, Rational(9, 10)), (9, Rational(1, 10))]}
    assert needed(ct.hoeffding_lemma(), wide, 1)


def test_hoeffdings_lemma_covers_a_constant_at_the_end_of_its_range():
    """A mean at the end of the range, as for a predictor that never errs, is not left out."""
    assert sides(ct.hoeffding_lemma(), {Z: [(0, 1)], a: 0, b: 1, lam: 2})[0] == 1
    assert Le(a, 0) not in ct.hoeffding_lemma().given


@pytest.mark.parametrize(("derive", "statement", "scope"), STATEMENTS)
def test_statement_about_a_random_variable(derive, statement, scope):
    theorem = derive()
    assert theorem.statement == statement
    assert theorem.scope == scope
    assert theorem.assumptions == FINITE
    assert theorem.mark == "proved"


@pytest.mark.parametrize(("derive", "statement"), CALCULUS)
def test_statement_about_real_numbers(derive, statement):
    theorem = derive()
    assert theorem.statement == statement
    assert theorem.scope == "all reals"
    assert theorem.mark == "proved"


UNFIT = {
    "a square falls": ct.z**2,
    "a line is negative": ct.z,
    "a rate of unknown sign": exp(lam * ct.z),
    "a negative rate": exp(-ct.z),
}


@pytest.mark.parametrize("unfit", UNFIT.values(), ids=UNFIT.keys())
def test_markov_for_functions_refuses_what_falls_or_is_negative(unfit):
    rule = apply(ct.markov_for_functions(), {ct.phi: Lambda(ct.z, unfit)})
    values = unfit.subs({ct.z: Z}), unfit.subs({ct.z: t})
    line = Derivation("unfit", given=[Gt(values[1], 0)], witness={t: 1, lam: 1})
    with pytest.raises(ProofError):
        line.start(P(Ge(Z, t))).at_most(E(values[0]) / values[1], because="unfit", by=rule)


def test_the_square_on_all_reals_does_not_keep_the_order():
    line = Derivation("printed", given=[Lt(t, 0)], witness={t: -2, Z: [(0, 1)]}).start(P(Ge(Z, t)))
    with pytest.raises(WrongStep):
        line.at_most(E(Z**2) / t**2, because="a square, at a negative level")


def test_below_the_mean_a_negative_rate_gives_a_false_bound():
    """Why the conjugate bounds the tail only above the mean."""
    coin = {Z: [(0, HALF), (1, HALF)], t: 0, lam: -1}
    assert needed(ct.negative_rates(), coin, 1)
    assert needed(ct.negative_rates(), {**coin, t: 1, lam: 1}, 0)


def test_a_sign_is_not_sub_gaussian_with_less_variance():
    assert refuted(ct.sign_is_sub_gaussian(), None, exp(lam**2 / 3))


def test_bernstein_beats_hoeffding_only_for_a_small_variance():
    theorem = ct.bernstein_beats_hoeffding()
    hoeffding, bernstein = theorem.statement.parts
    assert {hoeffding, bernstein} == {
        2 * n * bound**2 / (highest - lowest) ** 2,
        n * bound**2 / (2 * (spread + cap * bound / 3)),
    }
    large = {spread: HALF, cap: 1, bound: HALF, lowest: 0, highest: 1, n: 1}
    assert needed(theorem, large, 0)


def test_bernsteins_moment_needs_its_slack():
    assert refuted(
        ct.bernstein_moment(),
        {Z: FLIP, cap: 1, spread: 1, lam: 1, slack: Rational(2, 3)},
        exp(lam**2 * spread / (4 * slack)),
    )


def test_a_union_bound_without_the_union_or_with_a_mean_is_refused():
    witness = {N: 2, t: 1, largest: [(2, 1)], deviation: [[(2, 1)], [(0, 1)]]}
    assert refuted(ct.union_bound(), witness, Sum(P(Ge(deviation[j], t)), (j, 1, N)) / N)
    none = {**witness, deviation: [[(0, 1)], [(0, 1)]]}
    assert needed(ct.union_bound(), none, 0)
