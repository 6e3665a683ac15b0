"""The derivations about least squares say what they should, and nothing near it that is false."""

from fractions import Fraction

import pytest
from retelling import needed, refuted, sides, without

from mlnotes.proof import (
    E,
    Eq,
    Rational,
    Sum,
    Unproved,
    WrongStep,
    identity,
    inverse,
    log,
    reals,
    trace,
    unit_column,
    zeros,
)
from mlnotes.theorems import least_squares as ls
from mlnotes.theorems import registry
from mlnotes.theorems.least_squares import (
    CENTRE,
    ENDED,
    FITTED,
    FLAT,
    LINE,
    NOISE,
    PROJECTOR,
    PSEUDO,
    TRIANGLE,
    C,
    H,
    I,
    X,
    _square,
    d,
    fit,
    fresh,
    gram,
    hat,
    i,
    lam,
    n,
    noise,
    residual,
    sigma,
    solution,
    theta,
    true,
    u,
    x,
    y,
)

FIT = {**LINE, **FITTED}
PROJECTED = {**PROJECTOR, **NOISE}
HALF = Rational(1, 2)
COIN = [([[1]], HALF), ([[-1]], HALF)]
NEW = {**NOISE, x: [[1], [1]], ls.z: COIN}
MINE = [(name, prove) for name, prove in registry() if prove.__module__ == ls.__name__]


@pytest.mark.parametrize(("name", "derive"), MINE, ids=[name for name, _ in MINE])
def test_every_theorem_is_proved_for_all_sizes(name, derive):
    theorem = derive()
    assert theorem.mark == "proved"
    no_size = {"lem-beer-lambert", "lem-pixel-numbers", "lem-triangle-weights"}
    assert "any " in theorem.scope or name in no_size


# ---------------------------------------------------------------------- against numbers by hand


def test_the_log_likelihood_of_three_points():
    model = {**LINE, theta: [[1], [1]], sigma: 2, ls.circle: 3}
    left, right = sides(ls.gaussian_likelihood(), model)
    assert left == pytest.approx(right) == pytest.approx(-1.5 * 3.17805383034795 - 1 / 8)


def test_the_residual_sum_of_squares_of_the_fitted_line():
    left, right = sides(ls.normal_equations_minimise(), FIT)
    residuals = [1 - Fraction(5, 6), 2 - Fraction(7, 3), 4 - Fraction(23, 6)]
    assert right == sum(r * r for r in residuals) == Fraction(1, 6)
    assert left == 0 + 0 + 1  # the line 1 + x misses the last point by 1


def test_the_fitted_line():
    assert sides(ls.solution_is_unique(), FIT)[1] == [[Fraction(5, 6)], [Fraction(3, 2)]]


def test_the_hat_matrix_of_three_points():
    third = Fraction(1, 6)
    expected = [[5 * third, 2 * third, -third], [2 * third] * 3, [-third, 2 * third, 5 * third]]
    for theorem in (ls.hat_symmetric(), ls.hat_idempotent()):
        assert sides(theorem, PROJECTOR) == (expected, expected)
    assert sides(ls.hat_trace(), PROJECTOR) == (2, 2)
    assert sides(ls.pythagoras(), PROJECTOR) == (21, 21)


def test_push_through_at_three_points():
    left, right = sides(ls.push_through(), {**LINE, lam: 1})
    # (XᵀX + I)⁻¹ = ((4, 3), (3, 6))⁻¹ = ((6, -3), (-3, 4))/15
    assert left == right == [[Fraction(c, 15) for c in row] for row in ([6, 3, 0], [-3, 1, 5])]


def test_the_covariance_of_a_line():
    # (XᵀX)⁻¹ = ((3, 3), (3, 5))⁻¹ = ((5, -3), (-3, 3))/6
    expected = [[Fraction(c, 6) for c in row] for row in ([5, -3], [-3, 3])]
    assert sides(ls.covariance(), NOISE) == (expected, expected)
    assert sides(ls.squared_error_of_weights(), NOISE) == (Fraction(8, 6), Fraction(8, 6))


def test_the_errors_of_a_line_through_three_points():
    assert sides(ls.in_sample_error(), PROJECTED) == (Fraction(1, 3), Fraction(1, 3))
    pairs = {**PROJECTED, fresh: NOISE[noise]}
    # Fresh noise that is the same noise is not uncorrelated with it: the formula is not for it.
    assert sides(ls.fixed_design_test_error(), pairs)[1] == Fraction(5, 3)
    # xᵀ(XᵀX)⁻¹x at x = 1 is 1/3, the mean of the three points
    assert sides(ls.new_point_error(), NEW)[1] == Fraction(4, 3)


def test_another_unbiased_estimator_has_the_larger_variance():
    # The line through the first and the last point: offset y₁, slope (y₃ - y₁)/2.
    ends = [[1, 0, 0], [-HALF, 0, HALF]]
    model = {**NOISE, C: ends, u: [[0], [1]]}
    assert sides(ls.gauss_markov(), model) == (Fraction(1, 2), Fraction(1, 2))
    offset = {**model, u: [[1], [0]]}
    assert sides(ls.gauss_markov(), offset) == (1, Fraction(5, 6))
    assert sides(ls.gauss_markov_lengths(), offset) == (1, Fraction(5, 6))


def test_the_shortest_solution_is_shorter_than_another():
    assert sides(ls.shortest_solution(), FLAT) == (26, 1)


def test_the_offset_that_is_best_is_the_mean_of_what_is_left():
    # y - x - 1 is 0, 0, 1 with the mean 1/3; the offset 1 misses by 1, 1, 0
    left, right = sides(ls.centroid(), {**CENTRE, ls.offset: 1, theta: [[1], [1]]})
    assert (left, right) == (2, Fraction(2, 3))


def test_a_reflection_of_the_plane():
    model = {n: 2, ls.source: [[3], [4]], ls.target: [[5], [0]]}
    assert sides(ls.reflection_maps(), model) == ([[5], [0]], [[5], [0]])


def test_two_columns_are_turned_into_a_right_angle():
    # (1, 0) and (1, 1): t² + t = 1. With the tangent one half the angle is not yet right.
    turned = {n: 2, ls.mirror: [[1], [0]], ls.other_column: [[1], [1]]}
    half = {**turned, ls.tangent: HALF}
    assert sides(ls.jacobi_turn(), half) == (Fraction(1, 4), 0)
    assert needed(ls.jacobi_turn(), half, 0)


def test_the_split_of_the_squares_by_an_orthonormal_column():
    # y = (1, 1) has the length 7/5 along (3, 4)/5 and 1/5 across it; 5·1 misses 7/5 by 18/5
    assert sides(ls.qr_solution(), TRIANGLE)[1] == Fraction(1, 25) + Fraction(324, 25)


def test_two_sets_of_points():
    model = {
        **{n: 1, ls.m: 1, d: 1, X: [[1]], ls.more: [[1]], y: [[1]], ls.targets: [[3]]},
        **{fit: [[2]], theta: [[0]]},
    }
    assert sides(ls.merge(), model) == (10, 2)


def test_a_ray_and_pixels():
    ray = {d: 2, ls.absorbed: [1, 2], ls.path: [3, HALF], ls.incoming: 7}
    assert sides(ls.beer_lambert(), ray) == (4, 4)
    quarter = {ls.s: Rational(1, 4)}
    assert sides(ls.triangle_weights(), quarter) == (1, 1)


# ---------------------------------------------------------------------- nearby and false

VARIANCE = 2 * ls.circle * sigma**2
WRONG = [
    # erratum-002-gaussian-nll-constant: the sign of the constant
    (
        ls.gaussian_likelihood,
        {**LINE, theta: [[1], [1]], sigma: 1, ls.circle: 3},
        n * log(VARIANCE) / 2 - _square(y - X * theta) / (2 * sigma**2),
    ),
    (
        ls.gaussian_likelihood,
        {**LINE, theta: [[1], [1]], sigma: 1, ls.circle: 3},
        -n * log(VARIANCE) / 2 - _square(y - X * theta) / sigma**2,
    ),
    (ls.sum_of_squared_residuals, {**LINE, theta: [[1], [1]]}, _square(y) - _square(X * theta)),
    # erratum-003-gradient-one-over-n: the factor 1/n on one term only
    (
        ls.gradient,
        {**FIT, u: [[1], [0]]},
        trace((2 * X.T * X * theta / n - 2 * X.T * y).T * u) + _square(X * u) / n,
    ),
    (ls.gradient, {**FIT, u: [[1], [0]]}, trace((2 * X.T * (X * theta - y) / n).T * u)),
    (ls.normal_equations_solved, LINE, 2 * X.T * y),
    (ls.normal_equations_solved, LINE, gram * X.T * y),
    # erratum-002-normal-equation-name: it is the residual that is normal, not the solution
    (ls.residual_orthogonal, FIT, X.T * X * fit),
    (ls.residual_orthogonal, FIT, X.T * y),
    (ls.normal_equations_minimise, FIT, _square(y)),
    (ls.normal_equations_minimise, FIT, 2 * _square(y - X * fit)),
    (ls.solution_is_unique, FIT, inverse(gram) * X.T * X * theta),
    (ls.solution_is_unique, FIT, 2 * solution),
    (ls.push_through, {}, X.T * inverse(X * X.T + 2 * lam * I)),
    (ls.push_through, {}, X.T * inverse(lam * X * X.T + I)),
    (ls.svd_solves, FLAT, ls.V * ls.U.T * y),
    (ls.shortest_solution, FLAT, _square(fit) + _square(ls.shortest)),
    (ls.hat_of_any_rank, FLAT, d),
    (ls.hat_symmetric, PROJECTOR, I - H),
    (ls.hat_symmetric, PROJECTOR, 2 * H),
    (ls.hat_idempotent, PROJECTOR, 2 * H),
    (ls.hat_idempotent, PROJECTOR, I - H),
    (ls.hat_trace, PROJECTOR, n),
    # the offset counted once more
    (ls.hat_trace, PROJECTOR, d + 1),
    (ls.pythagoras, PROJECTOR, _square(H * y) - _square(y - H * y)),
    (ls.residual_is_projected_noise, PROJECTED, noise),
    (ls.residual_is_projected_noise, PROJECTED, H * noise),
    # erratum-002-residuals-are-not-noise: the residuals are smaller than the noise, and correlated
    (ls.residual_covariance, PROJECTED, sigma**2 * I),
    (ls.residual_covariance, PROJECTED, sigma**2 * H),
    (ls.in_sample_error, PROJECTED, sigma**2),
    (ls.in_sample_error, PROJECTED, sigma**2 * (1 + d / n)),
    (ls.in_sample_error, PROJECTED, sigma**2 * (1 - (d + 1) / n)),
    # erratum-003-test-h-epsilon-prime: the fresh noise is not projected
    (ls.fixed_design_test_error, {**PROJECTED, fresh: NOISE[noise]}, 2 * sigma**2 * d / n),
    (ls.fixed_design_test_error, {**PROJECTED, fresh: NOISE[noise]}, sigma**2 * (1 - d / n)),
    (ls.new_point_error, NEW, sigma**2 * (1 + d / n)),
    # erratum-002-ols-mean: the mean is the true parameter, not the estimate
    (ls.unbiased, NOISE, inverse(gram) * X.T * (X * true) + true),
    (ls.unbiased, NOISE, zeros(d, 1)),
    (ls.covariance, NOISE, sigma**2 * gram),
    (ls.covariance, NOISE, sigma**2 * identity(d)),
    (ls.squared_error_of_weights, NOISE, sigma**2 * trace(gram)),
    (ls.mean_of_a_linear_estimator, {**NOISE, C: [[1, 0, 0], [0, 1, 0]]}, true),
    (ls.gauss_markov, {**NOISE, C: PSEUDO, u: [[1], [0]]}, sigma**2 * trace(u.T * u)),
    (ls.linear_in_the_targets, {**LINE}, X.T * y),
    (ls.qr_solution, TRIANGLE, _square(y - X * theta) + _square(ls.Q.T * y)),
    (ls.qr_solves, {**TRIANGLE, fit: [[Rational(7, 25)]]}, ls.Q.T * y),
    (ls.lsqr_ends, ENDED, 2 * X.T * y),
    (ls.remainder_is_orthogonal, {**ENDED, ls.last: [[0], [1]]}, ls.bidiagonal.T * ls.last),
    (ls.lsqr_small_problem, ENDED, _square(ls.start_entries)),
    (ls.gauss_seidel_step, {**LINE, theta: [[0], [0]], ls.j: 1}, _square(y - X * theta)),
    (ls.most_likely_is_least, {**FIT, sigma: 1, ls.circle: 3}, 0 * _square(y - X * theta)),
    # erratum-002-beer-lambert-sign
    (
        ls.beer_lambert,
        {d: 1, ls.absorbed: [1], ls.path: [1], ls.incoming: 2},
        -Sum(ls.absorbed[ls.j] * ls.path[ls.j], (ls.j, 1, d)),
    ),
    (ls.triangle_weights, {ls.s: Rational(1, 4)}, 2),
]


@pytest.mark.parametrize(("derive", "witness", "right"), WRONG)
def test_a_formula_near_the_theorem_is_refused(derive, witness, right):
    assert refuted(derive(), witness, right)


def test_the_minimum_is_not_a_maximum():
    assert refuted(ls.normal_equations_minimise(), FIT, _square(y - X * fit), "<=")
    assert refuted(ls.normal_equations_minimise(), FIT, _square(y - X * fit), "==")


def test_full_rank_and_the_law_of_the_noise_are_needed():
    # erratum-000-normal-equations-rank, erratum-003-trace-needs-full-rank
    assert needed(ls.hat_trace(), PROJECTOR, 0)
    assert needed(ls.solution_is_unique(), FIT, 1)
    assert needed(ls.normal_equations_minimise(), FIT, 0)
    # erratum-003-noise-independence: equal variances, no correlation
    white = [h.name for h in ls.in_sample_error().stated].index("white")
    assert needed(ls.in_sample_error(), PROJECTED, white)
    assert needed(ls.unbiased(), NOISE, 1)


def test_gauss_and_markov_need_an_unbiased_estimator():
    theorem = ls.gauss_markov()
    unbiased = [h.name for h in theorem.stated].index("unbiased")
    nothing = {**NOISE, C: [[0, 0, 0], [0, 0, 0]], true: [[0], [0]], u: [[1], [0]]}
    assert isinstance(without(theorem, nothing, unbiased), WrongStep | Unproved)
    assert sides(theorem, nothing)[0] == 0 < sides(theorem, nothing)[1]


def test_no_mean_of_the_noise_is_assumed_where_none_is_needed():
    zero_mean = Eq(E(noise), zeros(n, 1))
    for theorem in (ls.in_sample_error(), ls.covariance(), ls.gauss_markov()):
        assert zero_mean not in theorem.given
    assert zero_mean in ls.unbiased().given


def test_the_end_of_lsqr_needs_both_products_to_stay_in_the_spans():
    names = [h.name for h in ls.lsqr_ends().stated]
    plane = {
        **{n: 2, d: 2, ls.steps: 1, ls.reached: 2, X: [[1, 1], [1, 0]], y: [[1], [0]]},
        **{ls.left_basis: [[1, 0], [0, 1]], ls.right_basis: [[1], [0]]},
        **{ls.bidiagonal: [[1], [1]], ls.start_entries: [[1], [0]], ls.weights: [[HALF]]},
    }
    for name, model in (
        ("forward", {**ENDED, X: [[2], [0], [1]]}),
        ("start", {**ENDED, y: [[4], [4], [0]]}),
        ("backward", plane),
        ("small", {**ENDED, ls.weights: [[1]]}),
    ):
        assert needed(ls.lsqr_ends(), model, names.index(name)), name
    # One step of the algorithm itself: U has a column more than V, as on most data.
    assert sides(ls.lsqr_ends(), ENDED) == ([[6]], [[6]])


def test_dependent_columns_leave_the_solution_open():
    model = {n: 1, d: 2, X: [[1, 1]], y: [[2]], fit: [[1], [1]], u: [[1], [-1]]}
    assert sides(ls.dependent_columns_shift(), model) == ([[2], [2]], [[2], [2]])
    assert without(ls.invertible_gram_means_independent(), {**LINE, u: [[0], [0]]}, 0)


def test_letters_stand_for_what_they_should():
    assert hat == X * inverse(gram) * X.T
    assert residual(i) == trace(unit_column(n, i).T * (y - X * theta))
    assert reals("theta_0") == ls.offset
