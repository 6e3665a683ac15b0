"""The derivations about mixtures and EM say what they should, and nothing near it that is false."""

import math
import operator
from fractions import Fraction

import pytest
from evaluator import evaluate
from evaluator import gradient as numeric_gradient
from retelling import needed, plain, refuted, sides, tell, without

from mlnotes.proof import (
    Derivation,
    ProofError,
    Rational,
    Sum,
    Unproved,
    WrongStep,
    exp,
    inverse,
    log,
    norm2,
    trace,
)
from mlnotes.proof.rendering import tex
from mlnotes.theorems import mixtures_and_em as em
from mlnotes.theorems.mixtures_and_em import (
    AT_POSTERIOR,
    BITS,
    ELBO,
    EVIDENCE,
    GAUSSIAN,
    HALF_LABELLED,
    PAIR,
    POINT,
    SCATTER,
    SHARED,
    TWO_CENTRES,
    TWO_POINTS,
    TWO_SORTS,
    K,
    N,
    S,
    Sigma,
    W,
    X,
    centre,
    d,
    heads,
    i,
    j,
    k,
    l,
    mean,
    n,
    ones,
    p,
    phi,
    pi,
    point,
    q,
    r,
    rho,
    share,
    tosses,
    value,
    weight,
    x,
)


def test_the_bound_in_numbers():
    # erratum-004-jensen-entropy: joint probabilities 1/5 and 3/10, log-sum -0.6931
    assert sides(em.decomposition(), POINT) == pytest.approx((math.log(0.5), math.log(0.5)))
    bound = 0.5 * math.log(0.4) + 0.5 * math.log(0.6)
    assert sides(em.lower_bound(), POINT) == pytest.approx((bound, math.log(0.5)))
    assert sides(em.tight_at_the_posterior(), AT_POSTERIOR) == pytest.approx((math.log(0.5),) * 2)


def test_the_likelihoods_of_two_points_in_numbers():
    # Densities 1/10 and 1/10 at both points; the second component becomes twice as dense.
    before, after = 2 * math.log(0.2), 2 * math.log(0.3)
    assert sides(em.em_is_monotone(), IN_NUMBERS) == pytest.approx((after, before))
    gained = math.log(2)  # in the expectation: half of log 2 at each of the two points
    gap = math.log(3 / 2) + math.log(3 / 4)  # shares (1/2, 1/2) against (1/3, 2/3), twice
    assert sides(em.gain(), IN_NUMBERS) == pytest.approx((after - before, gained + gap))
    assert sides(em.divergence_is_not_negative(), IN_NUMBERS) == pytest.approx((gap, 0))
    bound = sides(em.bound_of_all_points(), IN_NUMBERS)
    assert bound == pytest.approx((after - gap, after))
    assert sides(em.old_likelihood(), IN_NUMBERS) == pytest.approx((before, before))
    assert sides(em.new_likelihood(), IN_NUMBERS) == pytest.approx((after, after))


def test_the_updates_in_numbers():
    assert sides(em.weights_multiplier(), SHARED) == (2, 2)
    assert sides(em.weights_update(), SHARED) == (Fraction(3, 8), Fraction(3, 8))
    assert sides(em.bernoulli_update(), BITS) == (Fraction(1, 3), Fraction(1, 3))
    assert sides(em.mean_update(), UNEQUAL) == ([[4]], [[4]])
    assert sides(em.covariance_update(), UNEQUAL) == ([[3]], [[3]])


def test_the_gradients_of_a_gaussian_are_those_of_its_log_likelihood():
    for theorem, variable in ((em.mean_gradient(), mean), (em.covariance_gradient(), Sigma)):
        expected = plain(numeric_gradient(GAUSSIAN, variable, ELSEWHERE))
        for side in sides(theorem, ELSEWHERE):
            assert side[0] == pytest.approx(expected[0], abs=1e-6)


def test_the_best_parameters_in_numbers():
    other = {**SHARED, pi: [Fraction(1, 2)] * 2}
    best = 0.75 * math.log(3 / 8) + 1.25 * math.log(5 / 8)
    assert sides(em.weights_are_best(), other) == pytest.approx((2 * math.log(0.5), best))
    best = 0.25 * math.log(1 / 3) + 0.5 * math.log(2 / 3)
    at = {**BITS, phi: {(1, 1): Fraction(1, 2)}}
    assert sides(em.bernoulli_update_is_best(), at) == pytest.approx((0.75 * math.log(0.5), best))
    line = {n: 2, weight: [1, 3], point: [[0], [4]], centre: [0]}
    assert sides(em.weighted_mean(), line) == (48, 9 + 3)  # the average is 3


def test_labelled_and_unlabelled_points_in_numbers():
    # One point of class 1 and two quarters of a point: 3/2 of 3.
    assert sides(em.priors_multiplier(), HALF_LABELLED) == (3, 3)
    assert sides(em.priors_update(), HALF_LABELLED) == (Fraction(1, 2), Fraction(1, 2))
    assert sides(em.features_update(), TWO_SORTS) == (Fraction(1, 2), Fraction(1, 2))
    skewed = {**HALF_LABELLED, rho: [Fraction(1, 4), Fraction(3, 4)]}
    value = 1.5 * math.log(1 / 4) + 1.5 * math.log(3 / 4)
    assert sides(em.priors_are_best(), skewed) == pytest.approx((value, 3 * math.log(0.5)))
    off = {**TWO_SORTS, phi: {(1, 1): Fraction(1, 4)}}
    value = math.log(1 / 4) + math.log(3 / 4)
    assert sides(em.features_are_best(), off) == pytest.approx((value, 2 * math.log(0.5)))


def test_the_slopes_of_the_likelihood_in_numbers():
    # Shares 1/4 and 3/4 that move with speeds 1 and 5.
    at = {n: 1, K: 2, p: {(1, 1): 1, (1, 2): 3}, em.h: {(1, 1): 1, (1, 2): 5}, em.t: 0}
    assert sides(em.gradient_identity(), at) == (4, 4)
    # The responsibilities stay at those of time zero, wherever the densities go.
    assert sides(em.expected_slope(), {**at, em.start: 0, em.t: 7}) == (4, 4)
    lone = {n: 2, K: 2, k: 2, r: em._table([[1, 2], [3, 4]]), em.h: [5, 6]}
    assert sides(em.one_component_moves(), lone) == (34, 34)
    assert sides(em.fixed_points_are_stationary(), em.HALF_WAY) == ([0], 0)
    assert sides(em.fixed_point_of_any_model(), em.BALANCED) == (0, 0)


def test_variances_and_covariances_in_numbers():
    at = {N: 2, em.spread: 6, em.variance: 1}
    assert sides(em.variance_is_best(), at) == pytest.approx((-3, -math.log(3) - 1))
    at = {d: 1, Sigma: [[2]], S: [[6]], em.eigenvalue: [3]}
    assert sides(em.logdet_tangent(), at) == pytest.approx((math.log(3), 2))
    at = {**UNEQUAL, Sigma: [[1]], S: [[3]], em.eigenvalue: [3]}
    assert sides(em.covariance_is_best(), at) == pytest.approx((-6, -2 * math.log(3) - 2))


def test_shrinking_variances_in_numbers():
    bumps = math.exp(-0.5) + math.exp(-2)
    assert sides(em.one_term(), TWO_CENTRES) == (5, 1)
    share, bound = math.exp(-2) / bumps, math.exp(-0.5)
    assert sides(em.responsibilities_harden(), TWO_CENTRES) == pytest.approx((share, bound))
    soft = -2 * math.log(bumps)
    assert sides(em.soft_minimum_from_above(), TWO_CENTRES) == pytest.approx((soft, 1))
    low = 1 - 2 * math.log(2)
    assert sides(em.soft_minimum_from_below(), TWO_CENTRES) == pytest.approx((soft, low))
    at = {**TWO_CENTRES, em.epsilon: Rational(2, 3)}
    assert sides(em.responsibilities_vanish(), at) == pytest.approx((share, 2 / 3))
    # erratum-002b-gmm-unbounded-likelihood: a spike of height 1/s² on the first of two points
    assert sides(em.likelihood_is_unbounded(), SPIKE) == pytest.approx(
        (math.log(101) + math.log(102), math.log(100) + math.log(2))
    )
    assert sides(em.likelihood_reaches_any_level(), {**SPIKE, em.t: 5}) == pytest.approx(
        (math.log(101) + math.log(102), 5)
    )


def test_the_cost_of_k_means_in_numbers():
    # Two points, at squared distances (1, 4) and (9, 0) from the centres; a factor of 3.
    at = {n: 2, K: 2, em.nearest: [1, 2], em.s: Fraction(1, 2), em.factor: 3}
    at[em.delta] = {(1, 1): 1, (1, 2): 4, (2, 1): 9, (2, 2): 0}
    densities = 3 * (math.exp(-1) + math.exp(-4)), 3 * (math.exp(-9) + 1)
    value = -sum(map(math.log, densities))
    above, below = 1 - 2 * math.log(3), 1 - 2 * math.log(6)
    assert below < value < above
    assert sides(em.likelihood_under_cost(), at) == pytest.approx((value, above))
    assert sides(em.likelihood_over_cost(), at) == pytest.approx((value, below))


def test_a_floor_in_numbers():
    # Below the floor 2 an eigenvalue 1 is raised to 2; a variance of 4 is not as good.
    at = {em.along: 1, em.precision: Rational(1, 4), em.floor: 2, em.raised: 2}
    assert sides(em.raised_variance(), at) == pytest.approx(
        (1 / 4 + math.log(4), math.log(2) + 1 / 2)
    )
    at = {d: 1, Sigma: [[4]], S: [[1]], em.ALONG: [1], em.RAISED: [2], em.floor: 2}
    at |= {em.PRECISION: [Rational(1, 4)]}
    assert sides(em.floored_covariance_is_best(), at) == pytest.approx(
        (math.log(4) + 1 / 4, math.log(2) + 1 / 2)
    )


def test_a_covariance_below_the_floor_may_be_better_and_a_kept_eigenvalue_worse():
    for position in (0, 1, 2):
        assert needed(em.raised_variance(), em.LOW, position)


def test_a_variance_that_is_not_small_leaves_a_share_and_a_wide_spike_a_low_likelihood():
    assert needed(em.responsibilities_vanish(), em.CLOSE, 5)
    assert needed(em.likelihood_reaches_any_level(), em.LONE_SPIKE, 1)


mass = Sum(r[i, k], (i, 1, n))
has = Sum(r[i, k] * x[i, j], (i, 1, n))
average = Sum(weight[j] * point[j], (j, 1, n)) / Sum(weight[j], (j, 1, n))
posterior = p[k] / EVIDENCE
theta, theta_plus, nu, Q = em.theta, em.theta_plus, em.nu, em.expected
H, KL = em.entropy(theta), em.divergence(theta, theta_plus)
TOLD = {**TWO_POINTS, em.told: lambda at: norm2(at)}
# The same for the independent evaluator, which knows no formulas.
IN_NUMBERS = {
    **TWO_POINTS,
    em.density: lambda i, k, at: (1 + ((k - 1) * at[0]) ** 2) / 10,
    em.told: lambda at: at[0] ** 2,
}
HEADS = {em.number: 1, tosses: 3, value: Rational(1, 3)}
COIN = {share: Rational(1, 3), value: Rational(1, 2)}
TOSSES = {heads: 1, tosses: 3, value: Rational(1, 2)}
own_description = share * log(share) + (1 - share) * log(1 - share)
ELSEWHERE = {**PAIR, mean: [[1]], Sigma: [[2]]}
# Responsibilities 1 and 3 for the points 1 and 5: mean 4, variance 3.
UNEQUAL = {**PAIR, X: [[1], [5]], W: [[1, 0], [0, 3]], N: 4, mean: [[4]], Sigma: [[3]]}
ONE_EIGENVALUE = {d: 1, Sigma: [[1]], S: [[2]], em.eigenvalue: [2]}
LARGE_EIGENVALUE = {d: 1, Sigma: [[Rational(1, 4)]], S: [[1]], em.eigenvalue: [4]}
SPIKE = {n: 2, em.D: 2, em.s: Fraction(1, 10), em.height: [1, 1], em.rest: [1, 2]}
WRONG = [
    (em.decomposition, POINT, ELBO - Sum(q[k] * log(q[k] / posterior), (k, 1, K))),
    # erratum-004-jensen-entropy: the entropy of q must not be dropped
    (em.decomposition, POINT, Sum(q[k] * log(p[k]), (k, 1, K))),
    (em.lower_bound, POINT, log(EVIDENCE) - Rational(1, 10)),
    (em.lower_bound, POINT, Sum(q[k] * log(p[k]), (k, 1, K))),
    # erratum-002b-em-missing-sum: one joint probability is not the marginal one
    (em.tight_at_the_posterior, AT_POSTERIOR, log(p[1])),
    (em.tight_at_the_posterior, AT_POSTERIOR, EVIDENCE),
    (em.expectation_splits, {}, em._each(r[i, k] * log(pi[k]))),
    (em.expectation_splits, {}, em._each(r[i, k] * log(pi[k]) * log(em.component[i, k]))),
    (em.shares_multiplier, em.in_proportion.witness, K),
    (em.stationary_shares, em.in_proportion.witness, em.count[k]),
    (em.stationary_shares, em.in_proportion.witness, em.count[k] / nu / 2),
    (em.weights_multiplier, SHARED, K),
    (em.weights_multiplier, SHARED, -n),
    (em.weights_update, SHARED, mass),
    (em.weights_update, SHARED, 1 - mass / n),
    (em.weights_are_best, SHARED, em._log_shares(em._mass, lambda c: pi[c] / 2)),
    (em.weights_are_best, SHARED, Sum(r[i, l] * log(r[i, l] / 2), (l, 1, K), (i, 1, n))),
    (em.coin_cross_entropy, COIN, own_description - Rational(1, 100)),
    (em.coin_cross_entropy, COIN, 2 * own_description),
    (em.coin_counts, TOSSES, heads * log(heads) + (tosses - heads) * log(tosses - heads) - 2),
    (em.coin_counts, TOSSES, heads * log(heads / tosses) - heads),
    (em.coin_slope, HEADS, 1 - em.number / tosses),
    (em.bernoulli_update, BITS, has / n),
    (em.bernoulli_update, BITS, 1 - has / mass),
    (em.bernoulli_update_is_best, BITS, 2 * em._bernoulli_term(em.phi_of)),
    (em.bernoulli_update_is_best, BITS, em._bernoulli_term(em.phi_of) - Rational(1, 10)),
    (em.weighted_mean, {}, Sum(weight[i] * norm2(point[i]), (i, 1, n))),
    (em.weighted_mean, {}, Sum(norm2(point[i] - average), (i, 1, n))),
    (em.mean_gradient, ELSEWHERE, inverse(Sigma) * (N * mean - X.T * W * ones)),
    (em.mean_gradient, ELSEWHERE, X.T * W * ones - N * mean),
    (em.mean_update, UNEQUAL, X.T * W * ones),
    (em.mean_update, UNEQUAL, X.T * ones / n),
    (em.covariance_gradient, PAIR, -N * inverse(Sigma) / 2 + SCATTER / 2),
    (
        em.covariance_gradient,
        PAIR,
        N * inverse(Sigma) / 2 + inverse(Sigma) * SCATTER * inverse(Sigma),
    ),
    (em.covariance_update, PAIR, SCATTER),
    (em.covariance_update, PAIR, X.T * W * X / N),
    (em.gradient_identity, {}, Sum(em.h[i, k], (k, 1, K), (i, 1, n))),
    (em.gradient_identity, {}, Sum(p[i, k] * em.h[i, k], (k, 1, K), (i, 1, n))),
    # the slope of the expectation has the responsibilities of the E-step, not those of now
    (em.expected_slope, {}, em._each(em.moving_posterior(i, k, em.t) * em.h[i, k])),
    (em.one_component_moves, {K: 1, k: 1, r: em._table([[1]])}, Sum(em.single[i], (i, 1, n))),
    (em.priors_multiplier, HALF_LABELLED, n),
    (em.priors_multiplier, HALF_LABELLED, em.M),
    # only the labelled points, or a sum that forgets how many there are
    (em.priors_update, HALF_LABELLED, Sum(em.y[i, k], (i, 1, n)) / n),
    (em.priors_update, HALF_LABELLED, em._members(k) / n),
    (em.priors_are_best, HALF_LABELLED, em._log_shares(em._members, lambda c: rho[c] / 2)),
    (em.features_update, TWO_SORTS, em._having(k, j) / (n + em.M)),
    (em.features_update, TWO_SORTS, em._having(k, j)),
    (em.features_are_best, TWO_SORTS, 2 * em._features_term(em.phi_of)),
    (em.log_tangent, {}, em.ratio - 2),
    (em.variance_is_best, {}, -N * log(em.spread / N) / 2 - N),
    (em.variance_is_best, {}, -N * log(em.spread) / 2 - N / 2),
    (em.logdet_tangent, ONE_EIGENVALUE, trace(inverse(Sigma) * S) - 2 * d),
    (em.logdet_tangent, LARGE_EIGENVALUE, trace(S) - d),
    (em.one_term, TWO_CENTRES, 2 * q[em.b]),
    (em.responsibilities_harden, TWO_CENTRES, exp(-em.gap / em.s)),
    (em.soft_minimum_from_above, TWO_CENTRES, em.delta[em.b] - 2 * em.s * log(K)),
    (em.soft_minimum_from_below, TWO_CENTRES, em.delta[em.b]),
    # the factor of the density must not be dropped
    (em.likelihood_under_cost, em.ONE_POINT, em.COST),
    (em.likelihood_over_cost, em.ONE_POINT, em.COST - 2 * em.s * n * log(K)),
    (em.likelihood_over_cost, em.ONE_POINT, em.COST - 2 * em.s * n * log(em.factor)),
    (
        em.likelihood_is_unbounded,
        em.LONE_SPIKE,
        log(em.height[1]) + Sum(log(em.rest[i]), (i, 2, n)),
    ),
    (em.responsibilities_vanish, em.CLOSE, em.epsilon - 1),
    (em.raised_variance, em.LOW, log(em.raised) + 1),
    (em.floored_covariance_is_best, em.ONE_AXIS, Sum(log(em.RAISED[j]) + 2, (j, 1, d))),
]

# About any model: the densities are a function, of which no counterexample is searched.
WRONG_OF_MODELS = [
    (em.new_likelihood, Q(theta_plus, theta) + H),
    (em.new_likelihood, Q(theta_plus, theta) + KL),
    (em.old_likelihood, Q(theta, theta)),
    (em.old_likelihood, Q(theta, theta) - H),
    (em.divergence_is_not_negative, Rational(1, 5)),
    (em.bound_of_all_points, em.likelihood(theta)),
    (em.gain, Q(theta_plus, theta)),
    # the inequality of the textbooks is not an equation
    (em.gain, Q(theta_plus, theta) - Q(theta, theta)),
    (em.gain, Q(theta_plus, theta) - Q(theta, theta) - KL),
    (em.em_is_monotone, em.likelihood(theta) + 1),
    (em.em_is_monotone, em.likelihood(theta) / 2),
    (em.monotone_with_labels, em.told(theta_plus) + em.likelihood(theta) + 1),
]


@pytest.mark.parametrize(("theorem", "witness", "right"), WRONG)
def test_a_wrong_right_side_is_refused_with_a_counterexample(theorem, witness, right):
    assert refuted(theorem(), witness, right)


@pytest.mark.parametrize(("theorem", "right"), WRONG_OF_MODELS)
def test_a_wrong_right_side_about_any_model_is_false_and_refused(theorem, right):
    left, _ = sides(theorem(), IN_NUMBERS)
    holds = {"=": math.isclose, "≤": operator.le, "≥": operator.ge}[theorem().statement.shown]
    assert holds(*map(float, sides(theorem(), IN_NUMBERS)))
    assert not holds(float(left), float(plain(evaluate(right, IN_NUMBERS))))
    with pytest.raises(ProofError):
        tell(theorem(), list(theorem().given), TOLD, theorem().statement.shown, right)


def test_parameters_and_their_successors_are_told_apart():
    assert tex(Q(theta_plus, theta)) == r"Q(\theta^{+} \mid \theta)"
    assert Q(theta_plus=theta, theta=theta_plus).term == Q(theta, theta_plus).term


def test_the_bound_touches_at_the_posterior_only():
    assert needed(em.tight_at_the_posterior(), AT_POSTERIOR, 0)


def test_the_cost_counts_the_nearest_centre():
    assert needed(em.likelihood_over_cost(), em.ONE_POINT, 2)


def test_without_a_spike_the_likelihood_is_not_lifted():
    assert needed(em.likelihood_is_unbounded(), em.LONE_SPIKE, 0)


def test_likelihood_can_fall_when_the_m_step_lowers_the_expectation():
    assert isinstance(without(em.em_is_monotone(), TWO_POINTS, 1), Unproved)
    back = {**IN_NUMBERS, theta: [1], theta_plus: [0]}
    after, before = sides(em.em_is_monotone(), back)
    assert after < before
    assert plain(evaluate(Q(theta_plus, theta), back)) < plain(evaluate(Q(theta, theta), back))


def test_labels_do_not_help_where_the_expectation_falls():
    assert isinstance(without(em.monotone_with_labels(), TOLD, 1), Unproved)
    back = {**IN_NUMBERS, theta: [1], theta_plus: [0]}
    after, before = sides(em.monotone_with_labels(), back)
    assert after < before


def test_a_centre_that_has_not_settled_feels_a_pull():
    assert needed(em.fixed_points_are_stationary(), em.HALF_WAY, 2)


def test_the_likelihood_has_a_slope_where_either_step_is_not_done():
    for position in (0, 1):
        assert needed(em.fixed_point_of_any_model(), em.BALANCED, position)


def test_the_best_covariance_rests_on_what_is_said_of_the_eigenvalues():
    for position in (2, 3):
        # The inequality is true without it, but nothing here would prove it.
        refusal = without(em.logdet_tangent(), ONE_EIGENVALUE, position)
        assert isinstance(refusal, Unproved)


def test_the_minimum_of_the_distances_is_needed_from_below():
    assert needed(em.soft_minimum_from_below(), TWO_CENTRES, 2)
    assert needed(em.responsibilities_harden(), TWO_CENTRES, 4)


def test_bounds_are_not_turned_round():
    assert refuted(em.lower_bound(), POINT, log(EVIDENCE), ">=")
    assert refuted(em.weighted_mean(), {}, em.weighted_mean().statement.rhs, "<=")


def test_shares_with_another_denominator_do_not_sum_to_one():
    # erratum-002b-em-gamma-subscripts: part of the denominator with the index of the numerator
    wrong = p[k] * q[k] / Sum(p[l] * q[k], (l, 1, K))
    line = Derivation("shares").start(Sum(wrong * p[k], (k, 1, K)))
    with pytest.raises(WrongStep) as refusal:
        line.equals(1, because="not normalised")
    assert refusal.value.counterexample
