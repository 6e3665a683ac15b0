"""Tail bounds against exact rational tails, their inverses against exact logarithms."""

from __future__ import annotations

import itertools
import math
from decimal import Decimal, localcontext
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from mlnotes import concentration as co
from mlnotes.concentration._bounds import bernstein_rate, hoeffding_rate
from mlnotes.concentration._tails import lower_tail

unit = st.floats(1e-3, 0.999)
counts = st.integers(1, 400)


def exact_tail(n: int, p: Fraction, epsilon: Fraction, *, two_sided: bool = True) -> Fraction:
    """Sum the binomial probabilities of all counts that stray by ε, in fractions."""

    def strays(k: int) -> bool:
        gap = Fraction(k, n) - p
        return gap >= epsilon or (two_sided and -gap >= epsilon)

    return sum(
        (math.comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(n + 1) if strays(k)),
        Fraction(0),
    )


def enumerated(laws: list[list[tuple[Any, Any]]]) -> list[tuple[Any, Any]]:
    """All values of a sum of independent variables, with their probabilities."""
    return [
        (sum(value for value, _ in outcome), math.prod(chance for _, chance in outcome))
        for outcome in itertools.product(*laws)
    ]


@pytest.mark.parametrize("n", [1, 2, 7, 40])
@pytest.mark.parametrize("p", ["0", "0.01", "0.3", "0.5", "1"])
@pytest.mark.parametrize("epsilon", ["0.05", "0.1", "0.2", "0.5", "0.7"])
@pytest.mark.parametrize("two_sided", [True, False])
def test_the_tail_of_a_mean_is_the_sum_of_binomial_terms(
    n: int, p: str, epsilon: str, two_sided: bool
) -> None:
    expected = exact_tail(n, Fraction(p), Fraction(epsilon), two_sided=two_sided)
    found = co.sample_mean_tail(n, float(p), float(epsilon), two_sided=two_sided)
    assert found == pytest.approx(float(expected), rel=1e-12, abs=0)


def test_a_count_exactly_at_the_deviation_is_counted() -> None:
    assert 0.3 - 0.1 < 0.2  # so that floats would leave out two successes of ten
    assert co.sample_mean_tail(10, 0.3, 0.1) == pytest.approx(
        float(exact_tail(10, Fraction(3, 10), Fraction(1, 10))), rel=1e-13
    )


def test_a_tiny_tail_keeps_its_digits() -> None:
    expected = exact_tail(400, Fraction(1, 2), Fraction(2, 5))
    assert expected < Fraction(1, 10**60)
    assert co.sample_mean_tail(400, 0.5, 0.4) == pytest.approx(float(expected), rel=1e-10)


@pytest.mark.parametrize(
    ("k", "n", "p"),
    [(2097, 2131, 0.7041), (533, 570, 0.2568), (1242, 1276, 0.5708), (900, 900, 0.5)],
)
def test_a_tiny_tail_of_few_terms_does_not_vanish_before_it_must(k: int, n: int, p: float) -> None:
    """Here a power of p times a power of 1 - p is too small for a float, and the tail is not."""
    chance = Fraction(p)
    terms = [math.comb(n, s) * chance**s * (1 - chance) ** (n - s) for s in range(k, n + 1)]
    assert 0 < sum(terms) < Fraction(1, 10**200)
    assert co.binomial_tail(k, n, p) == pytest.approx(float(sum(terms)), rel=1e-11, abs=0)
    mirrored = co.binomial_tail([k, k], n, [p, 0.0])
    assert mirrored[1] == 0.0
    low = Fraction(1.0 - p)
    below = [math.comb(n, s) * low**s * (1 - low) ** (n - s) for s in range(n - k + 1)]
    found = lower_tail(np.array(n - k), np.array(n), np.array(1.0 - p))
    assert float(found) == pytest.approx(float(sum(below)), rel=1e-11, abs=0)


@given(st.integers(-3, 45), st.integers(1, 40), st.fractions(0, 1, max_denominator=64))
@settings(max_examples=60)
def test_binomial_tails_are_sums_of_fractions(k: int, n: int, p: Fraction) -> None:
    terms = [math.comb(n, s) * p**s * (1 - p) ** (n - s) for s in range(max(k, 0), n + 1)]
    assert co.binomial_tail(k, n, float(p)) == pytest.approx(float(sum(terms)), rel=1e-10)


@given(st.integers(1, 60), st.integers(0, 50), st.integers(1, 50))
@settings(max_examples=80)
def test_every_bound_is_above_the_exact_tail_of_a_coin(n: int, p50: int, e50: int) -> None:
    p, epsilon = Fraction(p50, 50), Fraction(e50, 50)
    mean, gap = float(p), float(epsilon)
    both = float(exact_tail(n, p, epsilon))
    upper = float(exact_tail(n, p, epsilon, two_sided=False))
    variance = mean * (1 - mean)
    slack = 1 + 1e-9
    assert both <= co.hoeffding_bound(n, gap) * slack
    assert upper <= co.hoeffding_bound(n, gap, two_sided=False) * slack
    assert both <= co.chebyshev_bound(variance, gap, n) * slack
    assert both <= co.bernstein_bound(n, gap, variance, 1.0) * slack
    cap = max(1 - mean, 1e-3)
    assert upper <= co.bernstein_bound(n, gap, variance, cap, two_sided=False) * slack
    assert upper <= co.sub_gaussian_bound(n, gap, 0.5, two_sided=False) * slack
    if 0 < mean < 1:
        assert upper <= co.chernoff_bound(n, mean + gap, [0, 1], [1 - mean, mean]) * slack
        assert upper <= np.exp(-n * co.bernoulli_divergence(min(mean + gap, 1.0), mean)) * slack


def test_hoeffding_holds_for_variables_that_are_not_alike() -> None:
    tops = [1, 2, 3, 4, 1, 2, 3, 4]
    chances = [Fraction(k, 10) for k in range(1, 9)]
    laws = [[(0, 1 - p), (b, p)] for b, p in zip(tops, chances, strict=True)]
    centre = sum(b * p for b, p in zip(tops, chances, strict=True))
    outcomes = enumerated(laws)
    width = co.effective_width([0] * 8, tops)
    for epsilon, digits in [("0.3", 0.498), ("0.6", 0.193), ("1", 0.0244)]:
        reach = 8 * Fraction(epsilon)
        exact = sum(chance for value, chance in outcomes if abs(value - centre) >= reach)
        assert float(exact) == pytest.approx(digits, rel=2e-3)
        bound = co.hoeffding_bound(8, float(epsilon), width)
        assert float(exact) <= bound
        printed = 2 * math.exp(-2 * 64 * float(epsilon) ** 2 / sum(b * b for b in tops))
        assert bound == pytest.approx(min(1.0, printed))


def test_bernstein_holds_for_variables_that_are_not_alike() -> None:
    laws = [[(0, 1 - p), (b, p)] for b, p in [(1, 0.1), (3, 0.05), (2, 0.2), (5, 0.02), (1, 0.5)]]
    means = [sum(v * c for v, c in law) for law in laws]
    variance = np.mean(
        [sum((v - m) ** 2 * c for v, c in law) for law, m in zip(laws, means, strict=True)]
    )
    cap = max(law[1][0] - m for law, m in zip(laws, means, strict=True))
    for epsilon in (0.2, 0.5, 1.0, 1.5):
        exact = sum(c for v, c in enumerated(laws) if v - sum(means) >= 5 * epsilon - 1e-12)
        assert exact <= co.bernstein_bound(5, epsilon, variance, cap, two_sided=False)


@pytest.mark.parametrize(("low", "high"), [(0.0, 1.0), (-1.0, 1.0), (-0.25, 3.0)])
def test_hoeffdings_lemma_holds_for_centred_laws_in_a_range(low: float, high: float) -> None:
    rng = np.random.default_rng(0)
    rates = np.linspace(-6, 6, 41)
    for _ in range(50):
        values = rng.uniform(low, high, size=4)
        weights = rng.dirichlet(np.full(4, 0.5))
        centred = values - weights @ values
        found = co.cumulant_generating_function(rates, centred, weights)
        assert (found <= rates**2 * (high - low) ** 2 / 8 + 1e-12).all()


def test_the_constant_of_hoeffdings_lemma_is_the_best() -> None:
    """A fair coin reaches the bound as the rate goes to zero."""
    rate = 1e-3
    psi = co.cumulant_generating_function(rate, [-0.5, 0.5])
    assert psi / rate**2 == pytest.approx(1 / 8, rel=1e-5)


def test_a_sign_is_sub_gaussian_and_two_sided_gaussian_tails_are_bounded() -> None:
    rates = np.linspace(-30, 30, 1201)
    assert (co.cumulant_generating_function(rates, [-1, 1]) <= rates**2 / 2 + 1e-12).all()
    n, sigma = np.array([1, 4, 25])[:, None], 1.7
    epsilon = np.linspace(0.01, 3, 60)
    exact = 2 * stats.norm.sf(epsilon * np.sqrt(n) / sigma)
    assert (exact <= co.sub_gaussian_bound(n, epsilon, sigma)).all()


def test_the_factor_two_of_two_tails_is_needed() -> None:
    for n, exact in [(1, 1.0), (2, 0.5)]:
        one_rate = np.exp(-n * co.rate_function(0.9, [-1, 1]))
        assert one_rate < exact <= 2 * one_rate


@pytest.mark.parametrize("n", [1, 2, 5, 9])
def test_two_chernoff_tails_bound_both_sides_of_a_skew_law(n: int) -> None:
    values, chances = [0, 1, 5], [Fraction(6, 10), Fraction(3, 10), Fraction(1, 10)]
    law = list(zip(values, chances, strict=True))
    mean = sum(v * c for v, c in law)
    weights = [float(c) for c in chances]
    for epsilon in (Fraction(1, 10), Fraction(1, 2), Fraction(7, 10), Fraction(2)):
        exact = sum(c for v, c in enumerated([law] * n) if abs(v - n * mean) >= n * epsilon)
        reach = float(mean + epsilon), float(mean - epsilon)
        rates = co.rate_function(reach, values, weights)
        assert (rates > 0).all()
        assert float(exact) <= 2 * math.exp(-n * min(rates))


def test_markov_and_chebyshev_are_attained_on_their_extremal_laws() -> None:
    # Z is 0 or a; and Y is -b, 0 or b with the rest of the mass in the middle.
    assert co.markov_bound(0.25 * 3.0, 3.0) == 0.25
    b, share = 2.0, 0.125
    assert co.chebyshev_bound(2 * share * b**2, b) == 2 * share


def test_the_union_bound_holds_and_is_attained_by_disjoint_events() -> None:
    rng = np.random.default_rng(1)
    for _ in range(200):
        chances = rng.dirichlet(np.ones(8))
        events = rng.random((4, 8)) < 0.3
        union = chances[events.any(axis=0)].sum()
        assert union <= co.union_bound(np.minimum(events @ chances, 1)) + 1e-12
    assert co.union_bound([0.2, 0.3]) == 0.5
    assert co.union_bound([0.7, 0.7]) == 1.0


@given(st.floats(0.01, 0.99), st.floats(0.0, 1.0))
@settings(max_examples=60)
def test_the_rate_function_of_a_coin_is_the_relative_entropy(p: float, t: float) -> None:
    expected = co.bernoulli_divergence(t, p)
    assert co.rate_function(t, [0, 1], [1 - p, p]) == pytest.approx(expected, rel=1e-7, abs=1e-12)


@given(st.floats(-0.999, 0.999))
@settings(max_examples=40)
def test_the_rate_function_of_a_sign_has_its_closed_form(t: float) -> None:
    expected = (1 + t) / 2 * math.log1p(t) + (1 - t) / 2 * math.log1p(-t)
    assert co.rate_function(t, [-1, 1]) == pytest.approx(expected, rel=1e-7, abs=1e-12)


@given(st.integers(0, 10**6), st.floats(-4, 4), st.floats(-5, 5))
@settings(max_examples=60)
def test_a_rate_function_is_above_every_one_of_its_lines(seed: int, t: float, rate: float) -> None:
    rng = np.random.default_rng(seed)
    values, weights = rng.normal(size=5), rng.dirichlet(np.ones(5))
    conjugate = co.rate_function(t, values, weights)
    line = rate * t - co.cumulant_generating_function(rate, values, weights)
    assert conjugate >= line - 1e-10
    assert co.rate_function(float(weights @ values), values, weights) == pytest.approx(0, abs=1e-12)


def test_the_rate_function_does_not_change_with_the_unit_of_measurement() -> None:
    values, weights = np.array([0.0, 1.0, 5.0]), np.array([0.5, 0.3, 0.2])
    t = np.linspace(0, 5, 11)
    np.testing.assert_allclose(
        co.rate_function(1e8 + 1e3 * t, 1e8 + 1e3 * values, weights),
        co.rate_function(t, values, weights),
        rtol=1e-6,
        atol=1e-9,
    )


def test_a_rate_function_ends_at_the_ends_of_its_law() -> None:
    found = co.rate_function([-0.1, 0.0, 1.0, 1.1], [0, 1, 2], [0.25, 0.75, 0.0])
    np.testing.assert_allclose(found, [np.inf, math.log(4), math.log(4 / 3), np.inf])
    np.testing.assert_array_equal(co.rate_function([2.0, 2.5], [2.0]), [0.0, np.inf])
    np.testing.assert_array_equal(co.bernoulli_divergence([0, 1, 0.5, 0.5], [0, 1, 0, 0.5])[:2], 0)
    assert co.bernoulli_divergence(0.5, 0.0) == np.inf


def test_the_generating_function_of_a_gaussian_and_its_conjugate_are_parabolas() -> None:
    x, rate, t = sp.symbols("x lambda t", real=True)
    sigma = sp.symbols("sigma", positive=True)
    density = sp.exp(-(x**2) / (2 * sigma**2)) / (sigma * sp.sqrt(2 * sp.pi))
    moment = sp.integrate(sp.exp(rate * x) * density, (x, -sp.oo, sp.oo))
    assert sp.simplify(moment - sp.exp(rate**2 * sigma**2 / 2)) == 0
    line = rate * t - rate**2 * sigma**2 / 2
    (best,) = sp.solve(sp.diff(line, rate), rate)
    assert sp.simplify(line.subs(rate, best) - t**2 / (2 * sigma**2)) == 0


def test_chernoff_for_a_sum_is_the_minimum_over_rates() -> None:
    values, weights = [0, 1, 4], [0.5, 0.3, 0.2]
    rates = np.linspace(0, 5, 20001)
    for t in (1.2, 2.0, 3.5):
        exponents = rates * t - co.cumulant_generating_function(rates, values, weights)
        expected = math.exp(-3 * exponents.max())
        assert co.chernoff_bound(3, t, values, weights) == pytest.approx(expected, rel=1e-6)


def test_chernoff_is_refused_below_the_mean_where_it_is_false() -> None:
    exact, formula = 1.0, math.exp(-co.rate_function(0.0, [0, 1]))
    assert formula == pytest.approx(0.5)
    assert exact > formula
    with pytest.raises(ValueError, match=r"must not be below the mean 0\.5"):
        co.chernoff_bound(1, 0.0, [0, 1])
    gaussian = stats.norm.sf(-math.sqrt(10)), math.exp(-10 / 2)
    assert gaussian[0] > 0.999 > 0.0068 > gaussian[1]


def test_the_central_limit_is_approached_and_misses_rare_events() -> None:
    limit = co.clt_tail(0.5, math.sqrt(0.21))
    assert limit == pytest.approx(2 * stats.norm.cdf(-0.5 / math.sqrt(0.21)))
    n = np.array([20, 200, 2000, 20000])
    tails = np.array([co.sample_mean_tail(int(k), 0.3, 0.5 / math.sqrt(k)) for k in n])
    assert abs(tails[-1] - limit) < 0.003
    assert (np.abs(tails - limit)[1:] < np.abs(tails - limit)[0]).all()
    sigma = math.sqrt(0.01 * 0.99)
    rare = co.sample_mean_tail(1000, 0.01, 4.5 * sigma / math.sqrt(1000))
    assert rare > 6 * co.clt_tail(4.5)


def test_the_weak_law_brings_the_exact_tail_below_any_level() -> None:
    for delta in (0.5, 0.1, 0.01):
        n = co.chebyshev_sample_size(0.21, 0.1, delta)
        assert co.sample_mean_tail(n, 0.3, 0.1) <= delta
    tails = co.sample_mean_tail([10, 100, 1000, 10000], 0.3, 0.1)
    assert (np.diff(tails) < 0).all()
    assert tails[-1] < 1e-90


@given(unit, unit, st.floats(0.1, 10), st.booleans())
@settings(max_examples=150)
def test_the_hoeffding_sample_size_is_tight_to_the_last_unit(
    epsilon: float, delta: float, width: float, two_sided: bool
) -> None:
    n = co.hoeffding_sample_size(epsilon, delta, width, two_sided=two_sided)
    assert isinstance(n, int)
    assert co.hoeffding_bound(n, epsilon, width, two_sided=two_sided) <= delta
    if n > 1:
        assert co.hoeffding_bound(n - 1, epsilon, width, two_sided=two_sided) > delta


@given(unit, unit)
@settings(max_examples=100)
def test_the_hoeffding_sample_size_is_that_of_fifty_digits(epsilon: float, delta: float) -> None:
    with localcontext() as context:
        context.prec = 50
        size = (2 / Decimal(delta)).ln() / (2 * Decimal(epsilon) ** 2)
        expected = max(1, int(size.to_integral_value(rounding="ROUND_CEILING")))
        whole = abs(size - size.to_integral_value()) < Decimal("1e-9") * max(size, 1)
    if not whole:
        assert co.hoeffding_sample_size(epsilon, delta) == expected


@given(unit, unit, st.floats(0, 2), st.floats(0.1, 3))
@settings(max_examples=100)
def test_the_bernstein_sample_size_is_that_of_fifty_digits(
    epsilon: float, delta: float, variance: float, cap: float
) -> None:
    with localcontext() as context:
        context.prec = 50
        scale = 2 * (Decimal(variance) + Decimal(cap) * Decimal(epsilon) / 3)
        size = (2 / Decimal(delta)).ln() * scale / Decimal(epsilon) ** 2
        expected = max(1, int(size.to_integral_value(rounding="ROUND_CEILING")))
        whole = abs(size - size.to_integral_value()) < Decimal("1e-9") * max(size, 1)
    if not whole:
        assert co.bernstein_sample_size(epsilon, delta, variance, cap) == expected


@given(st.integers(0, 64), st.integers(1, 16), st.integers(1, 15))
@settings(max_examples=100)
def test_the_chebyshev_sample_size_is_that_of_fractions_also_where_it_is_whole(
    v: int, e: int, d: int
) -> None:
    size = Fraction(v, 16) / Fraction(d, 16) / Fraction(e, 16) ** 2
    assert co.chebyshev_sample_size(v / 16, e / 16, d / 16) == max(1, math.ceil(size))


@given(st.floats(3e-7, 1e-5), unit)
@settings(max_examples=100)
def test_a_sample_size_beyond_the_digits_of_a_float_is_one_off_at_most(
    epsilon: float, delta: float
) -> None:
    with localcontext() as context:
        context.prec = 50
        size = (2 / Decimal(delta)).ln() / (2 * Decimal(epsilon) ** 2)
    assert abs(co.hoeffding_sample_size(epsilon, delta) - math.ceil(size)) <= 1


def test_the_rate_function_of_values_whose_difference_overflows() -> None:
    assert co.rate_function(0.0, [-1e308, 1e308]) == pytest.approx(0.0, abs=1e-15)
    expected = co.rate_function(0.5, [-1.0, 1.0])
    assert co.rate_function(0.5e308, [-1e308, 1e308]) == pytest.approx(expected)


@given(unit, unit, st.floats(0, 2), st.floats(0.1, 3), st.booleans())
@settings(max_examples=100)
def test_the_bernstein_sample_size_is_tight_to_the_last_unit(
    epsilon: float, delta: float, variance: float, cap: float, two_sided: bool
) -> None:
    n = co.bernstein_sample_size(epsilon, delta, variance, cap, two_sided=two_sided)
    assert co.bernstein_bound(n, epsilon, variance, cap, two_sided=two_sided) <= delta
    if n > 1:
        assert co.bernstein_bound(n - 1, epsilon, variance, cap, two_sided=two_sided) > delta


@given(st.floats(0, 5), unit, unit)
@settings(max_examples=100)
def test_the_chebyshev_sample_size_is_tight_to_the_last_unit(
    variance: float, epsilon: float, delta: float
) -> None:
    n = co.chebyshev_sample_size(variance, epsilon, delta)
    assert co.chebyshev_bound(variance, epsilon, n) <= delta
    if n > 1:
        assert co.chebyshev_bound(variance, epsilon, n - 1) > delta


@given(counts, unit, st.booleans())
def test_a_bound_and_its_sample_size_undo_each_other(n: int, epsilon: float, two: bool) -> None:
    delta = co.hoeffding_bound(n, epsilon, two_sided=two)
    if 1e-300 < delta < 1:
        assert co.hoeffding_sample_size(epsilon, delta, two_sided=two) == n


@given(counts, unit, st.floats(0, 2), st.floats(0.1, 3), st.booleans())
def test_radii_undo_the_bounds(
    n: int, delta: float, variance: float, cap: float, two: bool
) -> None:
    radius = co.hoeffding_radius(n, delta, cap, two_sided=two)
    assert co.hoeffding_bound(n, radius, cap, two_sided=two) == pytest.approx(delta)
    radius = co.bernstein_radius(n, delta, variance, cap, two_sided=two)
    assert co.bernstein_bound(n, radius, variance, cap, two_sided=two) == pytest.approx(delta)


@given(counts, unit, st.floats(0, 0.5), st.floats(0.1, 1))
def test_bernstein_is_smaller_exactly_where_the_lemma_says(
    n: int, epsilon: float, variance: float, cap: float
) -> None:
    bernstein = bernstein_rate(epsilon, variance, cap)
    hoeffding = hoeffding_rate(epsilon, 1.0)
    excess = variance + cap * epsilon / 3 - 0.25
    if abs(excess) > 1e-12:
        assert (bernstein > hoeffding) == (excess < 0)


def test_clopper_pearson_covers_as_often_as_promised() -> None:
    n, delta = 23, 0.1
    k = np.arange(n + 1)
    low, high = co.clopper_pearson(k, n, delta)
    for p in np.linspace(0.001, 0.999, 333):
        chances = stats.binom.pmf(k, n, p)
        assert chances[(low <= p) & (p <= high)].sum() >= 1 - delta


@given(st.integers(1, 40), st.integers(0, 40), st.floats(1e-6, 0.999))
@settings(max_examples=80)
def test_the_ends_of_clopper_pearson_solve_their_equations_in_fractions(
    n: int, k: int, delta: float
) -> None:
    k = min(k, n)
    low, high = co.clopper_pearson(k, n, delta)
    half = Fraction(delta) / 2

    def chance(p: Fraction, counts: range) -> float:
        total = sum(math.comb(n, s) * p**s * (1 - p) ** (n - s) for s in counts)
        return float(total / half)

    assert 0 <= low <= k / n <= high <= 1
    assert (low == 0) == (k == 0)
    assert (high == 1) == (k == n)
    if k > 0:
        assert chance(Fraction(low), range(k, n + 1)) == pytest.approx(1, rel=1e-7)
    if k < n:
        assert chance(Fraction(high), range(k + 1)) == pytest.approx(1, rel=1e-7)


def test_the_ends_of_clopper_pearson_have_tails_of_half_of_delta() -> None:
    low, high = co.clopper_pearson([3, 17], 20, 0.05)
    np.testing.assert_allclose(co.binomial_tail([3, 17], 20, low), 0.025)
    np.testing.assert_allclose(1 - co.binomial_tail([4, 18], 20, high), 0.025)
    assert co.clopper_pearson(0, 5)[0] == 0.0
    assert co.clopper_pearson(5, 5)[1] == 1.0


def test_arguments_broadcast_and_one_number_gives_a_float() -> None:
    n, epsilon = np.array([10, 20])[:, None], [0.1, 0.2, 0.3]
    table = co.hoeffding_bound(n, epsilon)
    assert table.shape == (2, 3)
    assert table[1, 2] == co.hoeffding_bound(20, 0.3)
    assert isinstance(co.hoeffding_bound(20, 0.3), float)
    sizes = co.hoeffding_sample_size(epsilon, 0.05)
    assert sizes.dtype == np.int64
    assert sizes.tolist() == [co.hoeffding_sample_size(e, 0.05) for e in epsilon]
    assert co.chernoff_bound(n, [0.6, 0.7], [0, 1]).shape == (2, 2)


def test_bounds_are_cut_off_at_one() -> None:
    assert co.hoeffding_bound(1, 0.1) == 1.0
    assert co.bernstein_bound(1, 0.1, 1.0) == 1.0
    assert co.chebyshev_bound(1.0, 0.1) == 1.0
    assert co.markov_bound(5.0, 1.0) == 1.0


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: co.markov_bound(1.0, -1.0), "level must be above 0, got -1"),
        (lambda: co.markov_bound(-1.0, 1.0), "mean must be at least 0"),
        (lambda: co.chebyshev_bound(1.0, 0.0), "epsilon must be above 0"),
        (lambda: co.hoeffding_bound(10, -0.1), "epsilon must be above 0"),
        (lambda: co.hoeffding_bound(10.5, 0.1), "n must be a whole number and at least 1"),
        (lambda: co.hoeffding_bound(0, 0.1), "n must be a whole number and at least 1"),
        (lambda: co.hoeffding_bound(10, 0.1, width=0), "width must be above 0"),
        (lambda: co.hoeffding_bound([10, np.nan], 0.1), "got nan"),
        (lambda: co.hoeffding_sample_size(0.1, 1.0), "delta must be above 0 and below 1"),
        (lambda: co.hoeffding_sample_size(1e-9, 0.1), "more than 2\\*\\*46 samples"),
        (lambda: co.hoeffding_sample_size(1e-200, 0.1), "more than 2\\*\\*46 samples"),
        (lambda: co.hoeffding_radius(10, 0.0), "delta must be above 0"),
        (lambda: co.bernstein_bound(10, 0.1, -1.0), "variance must be at least 0"),
        (lambda: co.sub_gaussian_bound(10, 0.1, -1.0), "sigma must be above 0"),
        (lambda: co.effective_width([0, 1], [1, 1]), "low < high"),
        (lambda: co.effective_width([], []), "at least one range"),
        (lambda: co.rate_function(0.5, []), "values is empty"),
        (lambda: co.rate_function(0.5, [0, 1], [0.5, 0.6]), "add up to 1, got a sum of 1.1"),
        (lambda: co.rate_function(0.5, [0, 1], [-0.5, 1.5]), "nonnegative"),
        (lambda: co.union_bound([0.5, 1.5]), "at most 1"),
        (lambda: co.bernoulli_divergence(1.5, 0.5), "q must be at least 0 and at most 1"),
        (lambda: co.binomial_tail(1.5, 3, 0.5), "k must be a whole number"),
        (lambda: co.clopper_pearson(4, 3), "k must not exceed n"),
        (lambda: co.hoeffding_bound(10, 0.1, two_sided="no"), "two_sided must be True or False"),
        (lambda: co.sample_mean_tail(10, 0.5, 0.1, two_sided=0), "two_sided must be True or Fal"),
        (lambda: co.clt_tail(-1.0), "alpha must be at least 0"),
        (lambda: co.sample_mean_tail(10, 0.5, 0.0), "epsilon must be above 0"),
    ],
)
def test_what_is_outside_the_hypotheses_is_refused(call: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call()
