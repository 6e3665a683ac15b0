"""Least squares against exact rational solutions; its error bound holds on every one of them."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mlnotes import least_squares
from mlnotes._solvers import least_squares as solver
from mlnotes.exceptions import NotFittedError
from mlnotes.least_squares import LeastSquares


def exact_solution(X: Any, y: Any, weights: Any = None, *, intercept: bool = True) -> Any:
    """The intercept and the weights, by Gauss elimination of the normal equations in rationals."""
    rows = [[Fraction(1)] * intercept + [Fraction(float(v)) for v in row] for row in X]
    target = [Fraction(float(v)) for v in y]
    w = [Fraction(float(v)) for v in (np.ones(len(y)) if weights is None else weights)]
    k = len(rows[0])
    M = [
        [sum(c * row[i] * row[j] for c, row in zip(w, rows, strict=True)) for j in range(k)]
        + [sum(c * row[i] * t for c, row, t in zip(w, rows, target, strict=True))]
        for i in range(k)
    ]
    for i in range(k):
        pivot = max(range(i, k), key=lambda r: abs(M[r][i]))
        M[i], M[pivot] = M[pivot], M[i]
        for r in range(k):
            if r != i and M[r][i]:
                factor = M[r][i] / M[i][i]
                M[r] = [p - factor * q for p, q in zip(M[r], M[i], strict=True)]
    solution = [M[i][k] / M[i][i] for i in range(k)]
    return solution if intercept else [Fraction(0), *solution]


def errors(model: LeastSquares, exact: Any) -> tuple[list[Fraction], list[float]]:
    """How far each parameter is from the exact one, and the bounds that the model gives."""
    found = [model.intercept_, *model.coef_]
    bounds = [model.intercept_error_bound_, *model.coef_error_bound_]
    return [abs(Fraction(float(f)) - e) for f, e in zip(found, exact, strict=True)], bounds


def assert_bounds_hold(model: LeastSquares, exact: Any) -> None:
    for error, bound in zip(*errors(model, exact), strict=True):
        assert math.isfinite(bound)
        assert error <= Fraction(float(bound))


def relative_error(model: LeastSquares, exact: Any) -> float:
    return max(float(e / abs(x)) for e, x in zip(errors(model, exact)[0], exact, strict=True) if x)


def problem(seed: int, kind: str) -> tuple[Any, Any]:
    rng = np.random.default_rng(seed)
    n = int(rng.integers(5, 25))
    d = int(rng.integers(2, min(n - 1, 7)))
    X = rng.normal(size=(n, d))
    if kind == "scales and offsets":
        X = X * 10.0 ** rng.integers(-8, 8, size=d) + 10.0 ** rng.integers(-3, 9, size=d)
    elif kind == "vandermonde":
        X = np.vander(np.linspace(0, 1, n) + 0.01 * rng.normal(), d + 1)[:, :-1]
    elif kind == "nearly dependent":
        X[:, -1] = X[:, 0] + 10.0 ** -rng.integers(1, 12) * rng.normal(size=n)
    elif kind == "hilbert":
        X = 1 / (np.arange(n)[:, None] + np.arange(d) + rng.uniform(0.5, 1.5))
    elif kind == "integers":
        X = rng.integers(-4, 5, size=(n, d)) + np.eye(n, d) * 3
    elif kind == "sparse":
        X = np.where(rng.random((n, d)) < 0.6, 0.0, X)
        X[:d] += np.eye(d)
    y = rng.normal(size=n) * 10.0 ** rng.integers(-5, 5) + 10.0 ** rng.integers(-5, 8)
    return X, y


KINDS = [
    "normal",
    "scales and offsets",
    "vandermonde",
    "nearly dependent",
    "hilbert",
    "integers",
    "sparse",
]


@given(st.integers(0, 10**9), st.sampled_from(KINDS), st.booleans(), st.booleans())
@settings(max_examples=250)
def test_the_error_bound_always_holds(
    seed: int, kind: str, fit_intercept: bool, weighted: bool
) -> None:
    X, y = problem(seed, kind)
    rng = np.random.default_rng(seed)
    weights = 10.0 ** rng.uniform(-4, 4) * rng.uniform(0.1, 3, size=len(y)) if weighted else None
    model = LeastSquares(fit_intercept=fit_intercept).fit(X, y, sample_weight=weights)
    if model.rank_ < X.shape[1]:
        assert np.isinf(model.coef_error_bound_).any()
        return
    exact = exact_solution(X, y, weights, intercept=fit_intercept)
    for error, bound in zip(*errors(model, exact), strict=True):
        assert math.isinf(bound) or error <= Fraction(float(bound))
    if model.condition_number_ < 1e12:
        assert_bounds_hold(model, exact)


def ill_conditioned(name: str) -> tuple[Any, Any]:
    rng = np.random.default_rng(7)
    if name.startswith("vandermonde"):
        degree, n = int(name.split()[1]), 40
        t = np.linspace(0, 1, n)
        return np.vander(t, degree + 1, increasing=True)[:, 1:], np.sin(3 * t) + rng.normal(size=n)
    d, n = int(name.split()[1]), 30
    return 1 / (np.arange(n)[:, None] + np.arange(d) + 1.0), rng.normal(size=n)


def true_condition(X: Any) -> float:
    """The condition number of the centred columns of unit length, in 60 digits."""
    import mpmath

    with mpmath.workdps(60):
        A = mpmath.matrix(X.tolist())
        for j in range(A.cols):
            mean = mpmath.fsum(A[:, j]) / A.rows
            length = mpmath.sqrt(mpmath.fsum((A[i, j] - mean) ** 2 for i in range(A.rows)))
            for i in range(A.rows):
                A[i, j] = (A[i, j] - mean) / length
        values = mpmath.eigsy(A.T * A, eigvals_only=True)
        return float(mpmath.sqrt(max(values) / min(values)))


@pytest.mark.parametrize(
    ("name", "condition"),
    [("vandermonde 13", 1e9), ("vandermonde 14", 1e10), ("hilbert 9", 1e9), ("hilbert 10", 1e10)],
)
def test_eight_digits_are_right_at_condition_number_1e10(name: str, condition: float) -> None:
    X, y = ill_conditioned(name)
    assert true_condition(X) > condition
    model = LeastSquares().fit(X, y)
    exact = exact_solution(X, y)
    assert relative_error(model, exact) < 1e-8
    assert_bounds_hold(model, exact)


@pytest.mark.parametrize("name", ["vandermonde 5", "vandermonde 8", "hilbert 4", "hilbert 5"])
def test_moderate_condition_numbers_cost_nothing(name: str) -> None:
    X, y = ill_conditioned(name)
    assert true_condition(X) > 1e3
    model = LeastSquares().fit(X, y)
    exact = exact_solution(X, y)
    assert relative_error(model, exact) < 2**-52
    assert_bounds_hold(model, exact)
    bounds = errors(model, exact)[1]
    assert max(b / abs(float(x)) for b, x in zip(bounds, exact, strict=True)) < 2**-51


def test_the_reported_condition_number_is_the_true_one_up_to_scaling() -> None:
    for name in ("vandermonde 6", "hilbert 5"):
        X, y = ill_conditioned(name)
        assert LeastSquares().fit(X, y).condition_number_ == pytest.approx(
            true_condition(X), rel=0.9
        )


def test_a_polynomial_with_integer_coefficients_is_found_to_the_last_digit() -> None:
    x = np.arange(21.0)
    X = np.vander(x, 6, increasing=True)[:, 1:]
    model = LeastSquares().fit(X, X.sum(axis=1) + 1)
    np.testing.assert_array_equal(model.coef_, np.ones(5))
    assert model.intercept_ == 1.0


@pytest.mark.parametrize("weighted", [False, True])
def test_many_samples_pass_through_in_blocks(
    weighted: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(loc=[1e6, 0.0], size=(2500, 2))
    y = X @ [1.0, 2.0] + rng.normal(size=2500)
    weights = rng.random(2500) if weighted else None
    exact = exact_solution(X, y, weights)
    for block in (4096, 1024, 7):
        monkeypatch.setattr(solver, "BLOCK", block)
        model = LeastSquares().fit(X, y, sample_weight=weights)
        assert_bounds_hold(model, exact)
        assert relative_error(model, exact) < 1e-15


def test_reflections_in_blocks_serve_ill_conditioned_samples(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    X, y = ill_conditioned("vandermonde 10")
    exact = exact_solution(X, y)
    for block in (100, 16, 5):
        monkeypatch.setattr(solver, "BLOCK", block)
        model = LeastSquares().fit(X, y)
        assert model.condition_number_ > 1e6
        assert_bounds_hold(model, exact)


@pytest.mark.parametrize("factor", [0.8, 1.0, 1.2, 1.35, 2.0])
def test_the_bound_holds_whatever_stands_for_the_inverse_of_R(factor: float) -> None:
    X, y = ill_conditioned("vandermonde 5")
    table, _ = solver._centred_table(X, y, None, True)
    equations = solver.normal_equations(table, bits=60)
    R, z, _ = solver._triangle(table, equations, 1)
    V = factor * np.linalg.inv(R)
    high, low, radius = solver._refined(equations, V, V @ z, bits=60)
    scaled = np.ldexp(X, -table.exponents[:-1]) - table.shifts[:-1]
    exact = exact_solution(scaled, np.ldexp(y, -table.exponents[-1]) - table.shifts[-1])
    reach = radius * np.linalg.norm(V, axis=1)
    for h, low_part, e, bound in zip(high, low, exact, reach, strict=True):
        error = abs(Fraction(float(h)) + Fraction(float(low_part)) - e)
        assert math.isinf(bound) or error <= Fraction(float(bound))
    # V'GV = factor² I: beyond 2 nothing can be promised, and nothing is.
    assert math.isinf(radius) == (factor == 2.0)
    assert abs(factor**2 - 1) <= solver._distance_from_identity(
        type(equations)(*(part[:-1, :-1] for part in equations)), V, 3
    )


def test_with_one_unknown_the_bound_is_sharp() -> None:
    # Half of the right inverse refines too slowly and is given up at once: the error is known.
    x, y = np.array([[1.0], [2.0], [4.0]]) / 8, np.array([1.0, 3.0, 4.0]) / 8
    table, _ = solver._centred_table(x, y, None, False)
    equations = solver.normal_equations(table, bits=20)
    R, z, _ = solver._triangle(table, equations, 0)
    V = 0.5 / R
    high, low, radius = solver._refined(equations, V, V @ z, bits=20)
    error = float(z[0] / R[0, 0] - high[0] - low[0])
    assert error == pytest.approx(float(z[0] / R[0, 0]) / 2)
    assert error <= radius * V[0, 0] <= 1.05 * error


def test_the_residual_counts_what_is_not_known_of_the_equations() -> None:
    rng = np.random.default_rng(0)
    G, c, x, tiny = rng.normal(size=(3, 3)), rng.normal(size=3), rng.normal(size=3), 2.0**-60
    low_G, low_c, low_x = tiny * rng.normal(size=(3, 3)), tiny * G[0], tiny * G[1]
    known = solver.Doubled(G, low_G, np.full((3, 3), 1e-3))
    side = solver.Doubled(c, low_c, np.full(3, 1e-4))
    g, error = solver._residual(known, side, x, low_x)
    assert (error >= 1e-4 + 1e-3 * np.abs(x).sum()).all()
    assert (error <= 1.02 * (1e-4 + 1e-3 * np.abs(x).sum())).all()
    # And where all is known, only its own rounding.
    nothing = solver.Doubled(G, low_G, np.zeros((3, 3)))
    g, error = solver._residual(nothing, side._replace(error=np.zeros(3)), x, low_x)
    for i in range(3):
        exact = Fraction(c[i]) + Fraction(low_c[i])
        for j in range(3):
            entry = Fraction(G[i, j]) + Fraction(low_G[i, j])
            exact -= entry * (Fraction(x[j]) + Fraction(low_x[j]))
        assert abs(Fraction(g[i]) - exact) <= Fraction(error[i])
        assert error[i] < 2.0**-52 * abs(g[i])


def test_both_ways_to_the_distance_from_the_identity_bound_it() -> None:
    rng = np.random.default_rng(0)
    G = rng.normal(size=(4, 9))
    G = G @ G.T
    zero = np.zeros((4, 4))
    known = solver.Doubled(G, zero, zero)
    V = np.linalg.inv(np.linalg.cholesky(G).T) * 1.01
    truth = np.linalg.norm(V.T @ G @ V - np.eye(4), 2)
    for pieces in (0, 1, 3):
        bound = solver._distance_from_identity(known, V, pieces)
        assert truth <= bound <= 4.1 * truth
    # What is not known about G counts.
    vague = solver.Doubled(G, zero, zero + 0.1)
    spread = np.abs(V).T @ (zero + 0.1) @ np.abs(V)
    for pieces in (0, 2):
        wider = solver._distance_from_identity(vague, V, pieces)
        assert wider >= spread.sum(axis=1).max()


def test_residuals_are_orthogonal_to_the_features() -> None:
    rng = np.random.default_rng(3)
    X, y, w = rng.normal(size=(50, 4)) + 5, rng.normal(size=50), rng.random(50)
    model = LeastSquares().fit(X, y, sample_weight=w)
    residual = w * (y - model.predict(X))
    np.testing.assert_allclose(X.T @ residual, 0, atol=1e-12)
    assert abs(residual.sum()) < 1e-13


def test_any_other_weights_have_a_larger_sum_of_squares() -> None:
    rng = np.random.default_rng(4)
    X, y = rng.normal(size=(30, 3)), rng.normal(size=30)
    model = LeastSquares().fit(X, y)
    least = np.sum((y - model.predict(X)) ** 2)
    for _ in range(50):
        step = 1e-3 * rng.normal(size=4)
        other = y - X @ (model.coef_ + step[1:]) - model.intercept_ - step[0]
        assert np.sum(other**2) > least


@given(st.integers(0, 10**6))
@settings(max_examples=40)
def test_the_order_of_the_samples_changes_nothing_beyond_the_bounds(seed: int) -> None:
    X, y = problem(seed, "scales and offsets")
    order = np.random.default_rng(seed).permutation(len(y))
    first, second = LeastSquares().fit(X, y), LeastSquares().fit(X[order], y[order])
    slack = first.coef_error_bound_ + second.coef_error_bound_
    assert (np.abs(first.coef_ - second.coef_) <= slack).all()
    gap = abs(first.intercept_ - second.intercept_)
    assert gap <= first.intercept_error_bound_ + second.intercept_error_bound_


@given(st.integers(0, 10**6), st.lists(st.integers(-200, 200), min_size=7, max_size=7))
@settings(max_examples=40)
def test_powers_of_two_as_units_change_no_digit(seed: int, exponents: list[int]) -> None:
    X, y = problem(seed, "normal")
    units = np.array(exponents[: X.shape[1]])
    model = LeastSquares().fit(X, y)
    scaled = LeastSquares().fit(np.ldexp(X, units), np.ldexp(y, exponents[-1]))
    np.testing.assert_array_equal(scaled.coef_, np.ldexp(model.coef_, exponents[-1] - units))
    assert scaled.intercept_ == math.ldexp(model.intercept_, exponents[-1])


@given(st.integers(0, 10**6), st.integers(-(10**6), 10**6), st.integers(-(10**6), 10**6))
@settings(max_examples=40)
def test_translations_move_only_the_intercept(seed: int, shift: int, lift: int) -> None:
    X, y = problem(seed, "integers")
    y = np.round(y)
    model, moved = LeastSquares().fit(X, y), LeastSquares().fit(X + shift, y + lift)
    if model.rank_ < X.shape[1]:
        return
    slack = model.coef_error_bound_ + moved.coef_error_bound_
    assert (np.abs(model.coef_ - moved.coef_) <= slack).all()
    expected = Fraction(model.intercept_) + lift - shift * sum(map(Fraction, model.coef_.tolist()))
    bound = model.intercept_error_bound_ + moved.intercept_error_bound_
    bound += abs(shift) * float(model.coef_error_bound_.sum())
    assert abs(Fraction(moved.intercept_) - expected) <= Fraction(bound) * Fraction(101, 100)


@pytest.mark.parametrize("offset", [1e7, -1e7, 1e12])
def test_huge_offsets_cost_no_digits_but_those_of_the_data(offset: float) -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 3)) + offset
    y = X @ [1.0, -2.0, 3.0] + rng.normal(size=40)
    model = LeastSquares().fit(X, y)
    exact = exact_solution(X, y)
    assert_bounds_hold(model, exact)
    assert relative_error(model, exact) < 1e-14


@pytest.mark.parametrize("exponent", [-1060, -1000, -500, 500, 1010])
def test_extreme_scales_neither_overflow_nor_underflow(exponent: int) -> None:
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(20, 3)), rng.normal(size=20)
    X = np.ldexp(X, exponent)
    y = np.ldexp(y, min(exponent, 1000))
    model = LeastSquares().fit(X, y)
    assert_bounds_hold(model, exact_solution(X, y))


def test_weights_beyond_the_range_of_floats_are_refused_or_zero_within_their_bound() -> None:
    x = np.array([0.0, 1.0, 2.0, 4.0])
    with pytest.raises(ValueError, match="weights exceed any float; multiply X, or divide y"):
        (large := LeastSquares()).fit(np.ldexp(x, -800)[:, None], np.ldexp(x, 800))
    with pytest.raises(NotFittedError):
        large.predict(x[:, None])
    small = LeastSquares().fit(np.ldexp(x, 800)[:, None], np.ldexp(x, -800))
    assert small.coef_[0] == 0.0
    assert 0 < small.coef_error_bound_[0] < 1e-320


def test_integer_weights_are_copies_and_zero_weights_absences() -> None:
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(12, 2)), rng.normal(size=12)
    counts = rng.integers(0, 4, size=12)
    weighted = LeastSquares().fit(X, y, sample_weight=counts)
    copied = LeastSquares().fit(np.repeat(X, counts, axis=0), np.repeat(y, counts))
    slack = weighted.coef_error_bound_ + copied.coef_error_bound_
    assert (np.abs(weighted.coef_ - copied.coef_) <= slack).all()
    assert_bounds_hold(weighted, exact_solution(X, y, counts))


def test_a_common_factor_of_the_weights_changes_nothing() -> None:
    rng = np.random.default_rng(1)
    X, y, w = rng.normal(size=(12, 2)), rng.normal(size=12), rng.random(12)
    model = LeastSquares().fit(X, y, sample_weight=w)
    for factor in (2.0**-900, 2.0**900):
        other = LeastSquares().fit(X, y, sample_weight=factor * w)
        np.testing.assert_array_equal(other.coef_, model.coef_)


def test_a_feature_that_does_not_vary_has_weight_zero_and_costs_nothing() -> None:
    rng = np.random.default_rng(2)
    X, y = rng.normal(size=(9, 2)), rng.normal(size=9)
    plain = LeastSquares().fit(X, y)
    # Some numbers are not the rounded mean of nine copies of themselves.
    share = np.full(9, 1 / 9)
    level = next(v for v in np.linspace(0.1, 1, 50) if share @ np.full(9, v) != v)
    padded = LeastSquares().fit(np.column_stack([X[:, 0], np.full(9, level), X[:, 1]]), y)
    np.testing.assert_array_equal(padded.coef_, [plain.coef_[0], 0.0, plain.coef_[1]])
    assert padded.coef_error_bound_[1] == 0.0
    assert padded.intercept_ == plain.intercept_
    assert np.isfinite(padded.coef_error_bound_).all()
    assert padded.rank_ == 2
    # Without an intercept, only zeros do not vary.
    assert LeastSquares(fit_intercept=False).fit(np.full((9, 1), 0.1), y).coef_[0] != 0.0


def test_nothing_that_varies_leaves_the_mean() -> None:
    model = LeastSquares().fit(np.full((4, 2), 3.0), [1.0, 2.0, 3.0, 6.0])
    np.testing.assert_array_equal(model.coef_, [0.0, 0.0])
    assert model.intercept_ == 3.0
    assert model.rank_ == 0
    assert model.condition_number_ == 1.0
    through_zero = LeastSquares(fit_intercept=False).fit(np.zeros((3, 2)), [1.0, 2.0, 3.0])
    np.testing.assert_array_equal(through_zero.coef_, [0.0, 0.0])
    np.testing.assert_array_equal(through_zero.coef_error_bound_, [0.0, 0.0])
    assert through_zero.intercept_ == 0.0


def shortest(X: Any, y: Any, weights: Any = None) -> Any:
    """The shortest minimiser, by the pseudo-inverse of the centred data."""
    w = np.ones(len(y)) if weights is None else weights
    mean, level = w @ X / w.sum(), w @ y / w.sum()
    root = np.sqrt(w)
    coef = np.linalg.pinv(root[:, None] * (X - mean)) @ (root * (y - level))
    return coef, level - mean @ coef


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("shape", [(20, 5), (4, 9), (2, 3), (1100, 6)])
def test_dependent_features_give_the_shortest_solution(
    shape: tuple[int, int], weighted: bool
) -> None:
    rng = np.random.default_rng(0)
    n, d = shape
    X = rng.normal(size=(n, 2)) @ rng.normal(size=(2, d)) + rng.normal(size=d)
    y = rng.normal(size=n)
    weights = rng.uniform(0.5, 2.0, size=n) if weighted else None
    model = LeastSquares().fit(X, y, sample_weight=weights)
    coef, intercept = shortest(X, y, weights)
    assert model.rank_ == min(2, n - 1)
    np.testing.assert_allclose(model.coef_, coef, rtol=1e-9, atol=1e-12)
    assert model.intercept_ == pytest.approx(intercept, rel=1e-9)
    assert np.isinf(model.coef_error_bound_).all()
    assert math.isinf(model.intercept_error_bound_)
    assert math.isinf(model.condition_number_)


def test_fewer_samples_than_features_are_met_exactly_by_the_shortest_weights() -> None:
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(5, 12)), rng.normal(size=5)
    model = LeastSquares().fit(X, y)
    np.testing.assert_allclose(model.predict(X), y, atol=1e-12)
    np.testing.assert_allclose(model.coef_, shortest(X, y)[0], rtol=1e-9)
    assert LeastSquares(fit_intercept=False).fit(X, y).rank_ == 5


def test_a_duplicated_feature_shares_its_weight() -> None:
    x = np.array([0.0, 1.0, 2.0, 5.0])
    y = np.array([1.0, 0.0, 2.0, 3.0])
    single = LeastSquares().fit(x[:, None], y)
    double = LeastSquares().fit(np.column_stack([x, x]), y)
    np.testing.assert_allclose(double.coef_, [single.coef_[0] / 2] * 2, rtol=1e-14)
    assert double.intercept_ == pytest.approx(single.intercept_, rel=1e-13)


def test_the_shortest_solution_is_shortest_in_the_units_given() -> None:
    x = np.array([0.0, 1.0, 2.0, 5.0])
    y = np.array([1.0, 0.0, 2.0, 3.0])
    slope = LeastSquares().fit(x[:, None], y).coef_[0]
    model = LeastSquares().fit(np.column_stack([x, 1000 * x]), y)
    # a + 1000 b = slope with least a² + b² has (a, b) proportional to (1, 1000).
    np.testing.assert_allclose(model.coef_, slope * np.array([1, 1000]) / 1000001, rtol=1e-10)


def test_duplicated_samples_are_no_trouble() -> None:
    X = np.repeat([[1.0, 2.0], [3.0, 1.0], [0.0, 5.0]], 4, axis=0)
    y = np.tile([1.0, 2.0, 3.0, 4.0], 3)
    model = LeastSquares().fit(X, y)
    assert_bounds_hold(model, exact_solution(X, y))


def test_one_sample_is_met_by_its_own_level() -> None:
    model = LeastSquares().fit([[3.0, 4.0]], [7.0])
    np.testing.assert_array_equal(model.coef_, [0.0, 0.0])
    assert model.intercept_ == 7.0
    through_zero = LeastSquares(fit_intercept=False).fit([[3.0, 4.0]], [25.0])
    np.testing.assert_allclose(through_zero.coef_, [3.0, 4.0])


def test_no_promise_is_made_where_none_can_be_kept() -> None:
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(5, 2)), rng.normal(size=5)
    X[:, 1] = X[:, 0] + 2.0**-46 * np.round(8 * rng.normal(size=5))
    model = LeastSquares().fit(X, y)
    assert model.rank_ == 2
    assert model.condition_number_ > 1e13
    exact = exact_solution(X, y)
    assert np.isinf(model.coef_error_bound_).all() or relative_error(model, exact) < 1e-2
    for error, bound in zip(*errors(model, exact), strict=True):
        assert math.isinf(bound) or error <= Fraction(float(bound))


def test_agrees_with_numpy_on_ordinary_data() -> None:
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(200, 5)), rng.normal(size=200)
    table = np.column_stack([np.ones(200), X])
    expected = np.linalg.lstsq(table, y, rcond=None)[0]
    model = LeastSquares().fit(X, y)
    np.testing.assert_allclose([model.intercept_, *model.coef_], expected, rtol=1e-11)
    np.testing.assert_allclose(model.predict(X), table @ expected, rtol=1e-11, atol=1e-13)
    without = LeastSquares(fit_intercept=False).fit(X, y)
    np.testing.assert_allclose(without.coef_, np.linalg.lstsq(X, y, rcond=None)[0], rtol=1e-11)
    assert without.intercept_ == 0.0


def test_column_extremes_do_not_depend_on_how_the_matrix_lies_in_memory() -> None:
    rng = np.random.default_rng(0)
    for n in (1, 7, 8, 9, 100):
        X = rng.normal(size=(n, 3))
        for laid in (X, np.asfortranarray(X), np.repeat(X, 2, axis=0)[::2]):
            low, high = solver._extremes(laid)
            np.testing.assert_array_equal(low, X.min(axis=0))
            np.testing.assert_array_equal(high, X.max(axis=0))


@pytest.mark.parametrize("seed", range(50))
def test_the_estimator_agrees_with_the_algorithm_of_the_chapter(seed: int) -> None:
    rng = np.random.default_rng(seed)
    d = int(rng.integers(1, 6))
    X = rng.normal(size=(d + int(rng.integers(1, 30)), d))
    y = rng.normal(size=len(X))
    expected = least_squares.least_squares(X, y)
    np.testing.assert_allclose(
        LeastSquares(fit_intercept=False).fit(X, y).coef_, expected, rtol=1e-9, atol=1e-10
    )
    offset = least_squares.least_squares(np.column_stack([X, np.ones(len(X))]), y)
    model = LeastSquares().fit(X, y)
    np.testing.assert_allclose(
        np.append(model.coef_, model.intercept_), offset, rtol=1e-6, atol=1e-8
    )
    with pytest.raises(ValueError, match="features in X are dependent"):
        least_squares.least_squares(np.column_stack([X, X[:, 0]]), y)
