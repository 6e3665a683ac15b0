"""The derivations about least squares say what they should, and nothing near it that is false."""

from fractions import Fraction

from retelling import needed, refuted, sides

from mlnotes.proof import E, Eq, identity, inverse, trace, zeros
from mlnotes.theorems import least_squares as ls
from mlnotes.theorems.least_squares import (
    FITTED,
    LINE,
    NOISE,
    I,
    X,
    _square,
    d,
    fresh,
    gram,
    hat,
    lam,
    n,
    noise,
    sigma,
    solution,
    v,
    w,
    y,
)

FIT = {**LINE, **FITTED}
PAIRS = [((a, b), p * q) for a, p in NOISE[noise] for b, q in NOISE[noise]]
THEOREMS = [
    ls.gradient,
    ls.normal_equations_solved,
    ls.residual_orthogonal,
    ls.normal_equations_minimise,
    ls.solution_is_unique,
    ls.push_through,
    ls.hat_symmetric,
    ls.hat_idempotent,
    ls.hat_trace,
    ls.residual_is_projected_noise,
    ls.in_sample_error,
    ls.fixed_design_test_error,
    ls.unbiased,
]


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
        assert sides(theorem, LINE) == (expected, expected)
    assert sides(ls.hat_trace(), LINE) == (2, 2)


def test_push_through_at_three_points():
    left, right = sides(ls.push_through(), {**LINE, lam: 1})
    # (XᵀX + I)⁻¹ = ((4, 3), (3, 6))⁻¹ = ((6, -3), (-3, 4))/15
    assert left == right == [[Fraction(c, 15) for c in row] for row in ([6, 3, 0], [-3, 1, 5])]


WRONG = [
    # erratum-003-gradient-one-over-n: the factor 1/n on one term only
    (ls.gradient, FIT, trace((2 * X.T * X * w / n - 2 * X.T * y).T * v) + _square(X * v) / n),
    (ls.gradient, FIT, trace((2 * X.T * (X * w - y) / n).T * v)),
    (ls.normal_equations_solved, LINE, 2 * X.T * y),
    (ls.normal_equations_solved, LINE, gram * X.T * y),
    # erratum-002-normal-equation-name: it is the residual that is normal, not the solution
    (ls.residual_orthogonal, FIT, X.T * X * v),
    (ls.residual_orthogonal, FIT, X.T * y),
    (ls.normal_equations_minimise, FIT, _square(y)),
    (ls.normal_equations_minimise, FIT, 2 * _square(y - X * v)),
    (ls.solution_is_unique, FIT, inverse(gram) * X.T * X * w),
    (ls.solution_is_unique, FIT, 2 * solution),
    (ls.push_through, {}, X.T * inverse(X * X.T + 2 * lam * I)),
    (ls.push_through, {}, X.T * inverse(lam * X * X.T + I)),
    (ls.hat_symmetric, LINE, I - hat),
    (ls.hat_symmetric, LINE, 2 * hat),
    (ls.hat_idempotent, LINE, 2 * hat),
    (ls.hat_idempotent, LINE, I - hat),
    (ls.hat_trace, LINE, n),
    # the offset counted once more
    (ls.hat_trace, LINE, d + 1),
    (ls.residual_is_projected_noise, NOISE, noise),
    (ls.residual_is_projected_noise, NOISE, hat * noise),
    # erratum-002-residuals-are-not-noise: the residuals are smaller than the noise
    (ls.in_sample_error, NOISE, sigma**2),
    (ls.in_sample_error, NOISE, sigma**2 * (1 + d / n)),
    (ls.in_sample_error, NOISE, sigma**2 * (1 - (d + 1) / n)),
    # erratum-003-test-h-epsilon-prime: the fresh noise is not projected
    (ls.fixed_design_test_error, {**NOISE, fresh: NOISE[noise]}, 2 * sigma**2 * d / n),
    (ls.fixed_design_test_error, {**NOISE, fresh: NOISE[noise]}, sigma**2 * (1 - d / n)),
    # erratum-002-ols-mean: the mean is the true parameter, not the estimate
    (ls.unbiased, NOISE, inverse(gram) * X.T * (X * w) + w),
    (ls.unbiased, NOISE, zeros(d, 1)),
]


def test_the_minimum_is_not_a_maximum():
    assert refuted(ls.normal_equations_minimise(), FIT, _square(y - X * v), "<=")
    assert refuted(ls.normal_equations_minimise(), FIT, _square(y - X * v), "==")


def test_full_rank_and_the_law_of_the_noise_are_needed():
    # erratum-000-normal-equations-rank, erratum-003-trace-needs-full-rank
    assert needed(ls.hat_trace(), LINE, 0)
    assert needed(ls.solution_is_unique(), FIT, 1)
    assert needed(ls.normal_equations_minimise(), FIT, 0)
    # erratum-003-noise-independence: equal variances, no correlation
    assert needed(ls.in_sample_error(), NOISE, 1)
    assert needed(ls.unbiased(), NOISE, 1)


def test_no_mean_of_the_noise_is_assumed_where_none_is_needed():
    zero_mean = Eq(E(noise), zeros(n, 1))
    assert zero_mean not in ls.in_sample_error().given
    assert ls.unbiased().given[1] == zero_mean
    assert identity(n) == I
