"""The algorithms of the chapter on least squares against exact rationals, NumPy and SciPy."""

from __future__ import annotations

import ast
import inspect
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import scipy.linalg
import scipy.sparse.linalg

from mlnotes import least_squares as ls
from mlnotes.least_squares import _algorithms

SEEDS = range(60)


def problem(seed: int) -> tuple[Any, Any]:
    """A random matrix with independent columns, moderately conditioned, and targets."""
    rng = np.random.default_rng(seed)
    d = int(rng.integers(1, 7))
    n = d + int(rng.integers(0, 15))
    X = rng.normal(size=(n, d)) * 2.0 ** rng.integers(-3, 4, size=d) + rng.integers(-2, 3, size=d)
    return X, rng.normal(size=n)


def definite(seed: int) -> Any:
    X, _ = problem(seed)
    return X.T @ X + 0.1 * np.eye(X.shape[1])


def exact_least_squares(X: Any, y: Any) -> Any:
    """The solution of the normal equations in rationals, rounded at the very end."""
    rows = [[Fraction(float(v)) for v in row] for row in X]
    target = [Fraction(float(v)) for v in y]
    d = len(rows[0])
    M = [
        [sum(row[i] * row[j] for row in rows) for j in range(d)]
        + [sum(row[i] * t for row, t in zip(rows, target, strict=True))]
        for i in range(d)
    ]
    for i in range(d):
        M[i] = [entry / M[i][i] for entry in M[i]]
        for r in range(d):
            if r != i:
                M[r] = [p - M[r][i] * q for p, q in zip(M[r], M[i], strict=True)]
    return np.array([float(row[d]) for row in M])


@pytest.mark.parametrize("seed", SEEDS)
def test_cholesky_is_the_triangle_of_lapack(seed: int) -> None:
    A = definite(seed)
    R = ls.cholesky(A)
    np.testing.assert_allclose(R, scipy.linalg.cholesky(A), rtol=1e-9, atol=1e-11)
    np.testing.assert_allclose(R.T @ R, A, rtol=1e-13, atol=1e-13 * np.abs(A).max())


@pytest.mark.parametrize("seed", SEEDS)
def test_cholesky_refuses_whatever_is_not_positive_definite(seed: int) -> None:
    A = definite(seed)
    shifted = A - np.linalg.eigvalsh(A)[-1] * 1.5 * np.eye(len(A))
    with pytest.raises(ValueError, match="A is not positive definite"):
        ls.cholesky(shifted)
    twice = np.block([[A, A], [A, A]])
    with pytest.raises(ValueError, match="A is not positive definite"):
        ls.cholesky(twice)
    if len(A) > 1:
        A[0, 1] += 1 + abs(A[0, 1])
        with pytest.raises(ValueError, match="A must be symmetric"):
            ls.cholesky(A)


@pytest.mark.parametrize("seed", SEEDS)
def test_substitution_solves_triangles(seed: int) -> None:
    R, b = np.linalg.cholesky(definite(seed)).T, np.random.default_rng(seed).normal(size=9)
    b = b[: len(R)]
    dirty = R + np.tril(np.ones_like(R), -1)  # what is below the diagonal is not read
    z, theta = ls.forward_substitution(dirty, b), ls.back_substitution(dirty, b)
    np.testing.assert_allclose(R.T @ z, b, atol=1e-10)
    np.testing.assert_allclose(z, scipy.linalg.solve_triangular(R, b, trans=1), rtol=1e-8)
    np.testing.assert_allclose(theta, scipy.linalg.solve_triangular(R, b), rtol=1e-8)
    R[-1, -1] = 0.0
    for substitution in (ls.forward_substitution, ls.back_substitution):
        with pytest.raises(ValueError, match="R has a zero on its diagonal"):
            substitution(R, b)


@pytest.mark.parametrize("seed", SEEDS)
def test_every_way_to_the_solution_leads_to_the_exact_one(seed: int) -> None:
    X, y = problem(seed)
    exact = exact_least_squares(X, y)
    condition = np.linalg.cond(X)
    n, d = X.shape
    R, z = ls.householder_qr(X, y)
    found = {
        "qr": (ls.least_squares(X, y), 1),
        "householder": (ls.back_substitution(R, z[:d]), 1),
        "svd": (ls.svd_least_squares(X, y), 1),
        "pseudo-inverse": (ls.pseudo_inverse(X) @ y, 1),
        "lsqr": (ls.lsqr(X, y, 20 * d)[-1], 1),
    }
    if condition < 1e5:
        found["cholesky"] = (ls.solve_normal_equations(X, y), 2)
    for name, (theta, power) in found.items():
        # With a residual the condition number enters squared, whatever the method.
        slack = 1e-13 * condition ** (2 if n > d else power) + 1e-13 * condition
        gap = np.linalg.norm(theta - exact)
        assert gap <= slack * (np.linalg.norm(exact) + 1e-3), name


@pytest.mark.parametrize("seed", SEEDS)
def test_householder_reflections_are_a_qr_factorisation(seed: int) -> None:
    X, y = problem(seed)
    n, d = X.shape
    R, Qt = ls.householder_qr(X, np.eye(n))
    np.testing.assert_allclose(Qt @ Qt.T, np.eye(n), atol=1e-13)
    np.testing.assert_allclose(Qt.T[:, :d] @ R, X, atol=1e-13 * np.abs(X).max() * d)
    assert not np.tril(R, -1).any()
    np.testing.assert_allclose(np.abs(R), np.abs(np.linalg.qr(X)[1]), rtol=1e-6, atol=1e-10)
    z = ls.householder_qr(X, y)[1]
    residual = y - X @ np.linalg.lstsq(X, y)[0]
    assert np.linalg.norm(z[d:]) == pytest.approx(np.linalg.norm(residual), abs=1e-12)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_gram_matrix_needs_no_more_than_a_row_at_a_time(seed: int) -> None:
    X, _ = problem(seed)
    np.testing.assert_allclose(ls.gram_by_rows(iter(X)), X.T @ X, rtol=1e-12, atol=1e-13)


@pytest.mark.parametrize("seed", SEEDS)
def test_dependent_columns_get_the_shortest_weights(seed: int) -> None:
    X, y = problem(seed)
    wide = X @ np.random.default_rng(seed).normal(size=(X.shape[1], X.shape[1] + 3))
    shortest = np.linalg.pinv(wide, rcond=1e-10) @ y
    np.testing.assert_allclose(ls.svd_least_squares(wide, y), shortest, rtol=1e-5, atol=1e-7)
    inverse = ls.pseudo_inverse(wide)
    # Penrose's four conditions.
    scale = np.abs(wide).max() * np.abs(inverse).max()
    np.testing.assert_allclose(wide @ inverse @ wide, wide, atol=1e-10 * np.abs(wide).max() * scale)
    for projection in (wide @ inverse, inverse @ wide):
        np.testing.assert_allclose(projection, projection.T, atol=1e-10 * scale)
        np.testing.assert_allclose(projection @ projection, projection, atol=1e-10 * scale**2)


@pytest.mark.parametrize("seed", SEEDS)
def test_turned_columns_are_the_decomposition_of_lapack(seed: int) -> None:
    X, _ = problem(seed)
    rng = np.random.default_rng(seed)
    dependent = X @ rng.integers(-2, 3, size=(X.shape[1], X.shape[1] + 2))
    for A in (X, X.T, dependent, np.outer(X[:, 0], X[0])):
        U, gamma, V = ls.jacobi_svd(A)
        rank = int(np.linalg.matrix_rank(A))
        assert U.shape == (len(A), rank)
        assert V.shape == (A.shape[1], rank)
        scale = np.linalg.norm(A)
        np.testing.assert_allclose(gamma, np.linalg.svd(A)[1][:rank], rtol=0, atol=1e-14 * scale)
        np.testing.assert_allclose((U * gamma) @ V.T, A, atol=1e-14 * scale)
        for basis in (U, V):
            np.testing.assert_allclose(basis.T @ basis, np.eye(rank), atol=1e-9)


def test_a_matrix_of_zeros_has_no_singular_values() -> None:
    U, gamma, V = ls.jacobi_svd(np.zeros((3, 2)))
    assert (U.shape, gamma.shape, V.shape) == ((3, 0), (0,), (2, 0))
    assert ls.svd_least_squares(np.zeros((3, 2)), [1.0, 2.0, 3.0]).tolist() == [0.0, 0.0]


@pytest.mark.parametrize("seed", SEEDS)
def test_golub_and_kahan_find_bases_in_which_the_matrix_is_bidiagonal(seed: int) -> None:
    X, y = problem(seed)
    d = X.shape[1]
    for steps in range(1, d + 1):
        U, B, V = ls.golub_kahan(X, y, steps)
        t = V.shape[1]
        assert t <= steps
        assert B.shape == (U.shape[1], t)
        np.testing.assert_allclose(X @ V, U @ B, atol=1e-11 * np.abs(X).max() * d)
        np.testing.assert_allclose(U.T @ U, np.eye(U.shape[1]), atol=1e-12)
        np.testing.assert_allclose(V.T @ V, np.eye(t), atol=1e-12)
        assert not np.tril(B, -2).any()
        assert not np.triu(B, 1).any()
    np.testing.assert_allclose(U[:, 0], y / np.linalg.norm(y))


def test_golub_and_kahan_end_after_as_many_steps_as_there_are_singular_values() -> None:
    rng = np.random.default_rng(0)
    Q, _ = np.linalg.qr(rng.normal(size=(12, 6)))
    W, _ = np.linalg.qr(rng.normal(size=(6, 6)))
    X = Q @ np.diag([3.0, 3.0, 3.0, 1.0, 1.0, 1.0]) @ W
    for y, shape in ((rng.normal(size=12), (3, 2)), (X @ rng.normal(size=6), (2, 2))):
        U, B, V = ls.golub_kahan(X, y, 6)
        assert B.shape == shape
        np.testing.assert_allclose(X @ V, U @ B, atol=1e-12)
    with pytest.raises(ValueError, match="y is zero"):
        ls.golub_kahan(X, np.zeros(12), 2)
    with pytest.raises(ValueError, match="the product of X and y is zero"):
        ls.golub_kahan([[0.0], [1.0]], [1.0, 0.0], 1)


@pytest.mark.parametrize("seed", SEEDS)
def test_lsqr_takes_the_steps_of_scipy(seed: int) -> None:
    X, y = problem(seed)
    d = X.shape[1]
    path = ls.lsqr(X, y)
    assert len(path) <= d + 1
    for steps in range(1, len(path)):
        theirs = scipy.sparse.linalg.lsqr(X, y, atol=0, btol=0, conlim=0, iter_lim=steps)[0]
        np.testing.assert_allclose(path[steps], theirs, rtol=1e-6, atol=1e-9)
    residuals = np.linalg.norm(y[:, None] - X @ path.T, axis=0)
    assert (np.diff(residuals) <= 1e-12).all()


def test_lsqr_ends_after_as_many_steps_as_there_are_singular_values() -> None:
    rng = np.random.default_rng(1)
    Q, _ = np.linalg.qr(rng.normal(size=(30, 10)))
    X = Q * np.repeat([5.0, 1.0], 5)
    y = rng.normal(size=30)
    path = ls.lsqr(X, y, 10)
    np.testing.assert_allclose(path[2], np.linalg.lstsq(X, y)[0], atol=1e-14)
    assert np.linalg.norm(path[1] - path[2]) > 1e-2
    assert len(path) <= 4


@pytest.mark.parametrize("form", ["sparse", "operator"])
def test_lsqr_asks_for_products_alone(form: str) -> None:
    X, y = problem(5)
    products = {
        "sparse": scipy.sparse.csr_array(X),
        "operator": scipy.sparse.linalg.aslinearoperator(X),
    }
    found, expected = ls.lsqr(products[form], y), ls.lsqr(X, y)
    np.testing.assert_allclose(found[:4], expected[:4], rtol=1e-6)
    with pytest.raises(ValueError, match="y has length"):
        ls.lsqr(products[form], y[1:])


def test_lsqr_stays_at_zero_where_zero_is_best() -> None:
    assert ls.lsqr([[1.0], [1.0]], [1.0, -1.0]).tolist() == [[0.0]]
    assert ls.lsqr([[1.0], [1.0]], [0.0, 0.0]).tolist() == [[0.0]]


@pytest.mark.parametrize("seed", SEEDS)
def test_sweeps_of_gauss_and_seidel_lower_the_sum_of_squares_to_its_least(seed: int) -> None:
    X, y = problem(seed)
    X = X + np.eye(*X.shape) * np.abs(X).max() * 2  # the fewer sweeps suffice
    path = ls.gauss_seidel(X, y, 3000)
    squares = ((y[:, None] - X @ path.T) ** 2).sum(axis=0)
    assert (np.diff(squares) <= 1e-12 * squares[0]).all()
    np.testing.assert_allclose(path[-1], exact_least_squares(X, y), rtol=1e-6, atol=1e-9)
    # One sweep, as the definition says it.
    theta = np.zeros(X.shape[1])
    for j in range(X.shape[1]):
        others = np.delete(np.arange(X.shape[1]), j)
        theta[j] = X[:, j] @ (y - X[:, others] @ theta[others]) / (X[:, j] @ X[:, j])
    np.testing.assert_allclose(path[1], theta, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_line_goes_through_the_centroid_and_fits_best(seed: int) -> None:
    rng = np.random.default_rng(seed)
    x, y = rng.normal(size=8) * 3 + 5, rng.normal(size=8) - 4
    slope, intercept = ls.fit_line(x, y)
    assert slope * x.mean() + intercept == pytest.approx(y.mean(), abs=1e-13)
    exact = exact_least_squares(np.column_stack([x, np.ones(8)]), y)
    np.testing.assert_allclose([slope, intercept], exact, rtol=1e-11)


@pytest.mark.parametrize("seed", SEEDS)
def test_merging_triangles_is_fitting_to_all_rows(seed: int) -> None:
    X, y = problem(seed)
    table = np.column_stack([X, y])
    table = np.vstack([table, table[::-1] * 0.5 + 1])
    k = table.shape[1]
    cut = max(k, len(table) // 2)
    parts = [
        np.linalg.qr(np.vstack([part, np.zeros((k, k))]))[1] for part in np.split(table, [cut])
    ]
    T = ls.merge_triangles(*parts)
    np.testing.assert_allclose(T.T @ T, table.T @ table, atol=1e-11 * np.abs(table).max() ** 2 * 20)
    np.testing.assert_allclose(T, ls.merge_triangles(parts[1], parts[0]), rtol=1e-6, atol=1e-9)
    assert (T.diagonal() >= 0).all()
    theta = ls.back_substitution(T[:-1, :-1], T[:-1, -1])
    np.testing.assert_allclose(theta, exact_least_squares(table[:, :-1], table[:, -1]), rtol=1e-5)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_hat_matrix_projects_onto_the_columns(seed: int) -> None:
    X, y = problem(seed)
    H = ls.hat_matrix(X)
    np.testing.assert_allclose(H @ X, X, atol=1e-11 * np.abs(X).max())
    np.testing.assert_allclose(H, H.T, atol=1e-14)
    np.testing.assert_allclose(H @ H, H, atol=1e-12)
    assert H.trace() == pytest.approx(X.shape[1])
    np.testing.assert_allclose(H @ y, X @ ls.least_squares(X, y), atol=1e-10)
    np.testing.assert_allclose(ls.leverages(X), H.diagonal(), atol=1e-13)
    doubled = np.column_stack([X, X[:, 0]])
    assert ls.hat_matrix(doubled).trace() == pytest.approx(X.shape[1])


@pytest.mark.parametrize("seed", SEEDS)
def test_covariances_and_condition_numbers_are_those_of_the_normal_equations(seed: int) -> None:
    X, _ = problem(seed)
    condition = ls.condition_number(X)
    assert condition == pytest.approx(np.linalg.cond(X))
    assert ls.condition_number(X.T @ X) == pytest.approx(condition**2, rel=1e-5)
    covariance = ls.least_squares_covariance(X, 0.25)
    np.testing.assert_allclose(covariance @ (X.T @ X), np.eye(X.shape[1]) / 4, atol=1e-6)
    doubled = np.column_stack([X, X[:, 0]])
    assert ls.condition_number(doubled) == np.inf
    with pytest.raises(ValueError, match="columns of X are dependent"):
        ls.least_squares_covariance(doubled)


def test_the_covariance_is_that_of_simulated_fits() -> None:
    rng = np.random.default_rng(0)
    X = np.column_stack([np.arange(5.0), np.ones(5)])
    fits = rng.normal(scale=0.5, size=(20_000, 5)) @ ls.pseudo_inverse(X).T
    expected = ls.least_squares_covariance(X, 0.25)
    np.testing.assert_allclose(np.cov(fits.T), expected, rtol=0.05)


@pytest.mark.parametrize(("n", "d"), [(12, 4), (20, 4), (50, 4), (15, 1)])
def test_expected_errors_are_the_means_of_simulated_ones(n: int, d: int) -> None:
    rng = np.random.default_rng(n)
    expected = ls.expected_errors(n, d + 1, 2.0)
    sums = np.zeros((3, 4000))
    for run in range(sums.shape[1]):
        X = np.column_stack([rng.normal(size=(n, d)), np.ones(n)])
        noise, again = rng.normal(scale=2**0.5, size=(2, n))
        theta = np.linalg.lstsq(X, noise)[0]
        sums[0, run] = np.mean((noise - X @ theta) ** 2)
        sums[1, run] = np.mean((again - X @ theta) ** 2)
        sums[2, run] = 2.0 + theta @ theta  # over new Gaussian inputs, exactly
    errors = sums.std(axis=1) / sums.shape[1] ** 0.5
    assert (np.abs(sums.mean(axis=1) - expected) <= 4 * errors).all()


def test_expected_errors_are_infinite_where_their_mean_does_not_exist() -> None:
    assert ls.expected_errors(6, 5).gaussian_inputs == np.inf
    assert ls.expected_errors(7, 5).gaussian_inputs < np.inf
    with pytest.raises(ValueError, match="n_parameters"):
        ls.expected_errors(3, 4)


def test_the_likelihood_is_the_density_of_the_targets() -> None:
    from scipy.stats import norm

    X, y = problem(3)
    theta = np.full(X.shape[1], 0.3)
    expected = norm.logpdf(y, loc=X @ theta, scale=0.7).sum()
    assert ls.gaussian_log_likelihood(theta, X, y, 0.49) == pytest.approx(expected)


@pytest.mark.parametrize("rate", [4.0, 20.0])
def test_anscombe_makes_the_variance_of_counts_nearly_one(rate: float) -> None:
    counts = np.random.default_rng(0).poisson(rate, size=200_000)
    assert ls.anscombe_transform(counts).var() == pytest.approx(1, abs=0.02)
    assert abs(np.sqrt(counts).var() * 4 - 1) > abs(ls.anscombe_transform(counts).var() - 1)


@pytest.mark.parametrize("angle", [0.0, 0.2, np.pi / 4, 1.2, 2.5])
def test_a_ray_through_the_whole_image_weighs_as_much_as_it_is_long(angle: float) -> None:
    A = ls.tomography_matrix(64, [angle])
    middle = A.sum(axis=1)[31:33].mean()
    # It leaves through the nearer pair of sides.
    assert middle == pytest.approx(64 / max(abs(np.cos(angle)), abs(np.sin(angle))), rel=0.05)


def test_rows_are_rays_and_columns_are_pixels() -> None:
    A = ls.tomography_matrix(5, [0.0, np.pi / 2], n_sensors=7).toarray()
    assert A.shape == (14, 25)
    image = np.arange(25.0).reshape(5, 5)
    np.testing.assert_allclose((A @ image.ravel())[1:6], image.sum(axis=0), atol=1e-12)
    np.testing.assert_allclose((A @ image.ravel())[8:13], image.sum(axis=1), atol=1e-12)
    # Each weight by its definition.
    A = ls.tomography_matrix(4, [0.7], n_sensors=6).toarray()
    for i in range(6):
        for k in range(4):
            for row in range(4):
                u, v, s = k - 1.5, row - 1.5, i - 2.5
                t = u * np.cos(0.7) + v * np.sin(0.7) - s
                assert A[i, k + 4 * row] == pytest.approx(max(0, 1 - abs(t)), abs=1e-14)


def test_lsqr_reconstructs_the_phantom_the_better_the_more_angles() -> None:
    image = ls.phantom(24)
    gaps = []
    for n_angles in (4, 24, 48):
        A = ls.tomography_matrix(24, np.arange(n_angles) * np.pi / n_angles, n_sensors=34)
        found = ls.lsqr(A, A @ image.ravel(), 200)[-1]
        gaps.append(np.linalg.norm(found - image.ravel()) / np.linalg.norm(image))
    assert gaps[0] > 4 * gaps[1] > 16 * gaps[2]
    assert gaps[2] < 0.02


BOXED = [
    name
    for name in ls.__all__
    if inspect.isfunction(getattr(ls, name)) and hasattr(_algorithms, name)
]


@pytest.mark.parametrize("name", BOXED)
def test_a_boxed_algorithm_has_at_most_25_lines(name: str) -> None:
    (function,) = ast.parse(inspect.getsource(getattr(ls, name))).body
    assert isinstance(function, ast.FunctionDef)
    first = function.body[1]  # after the docstring
    assert function.end_lineno is not None
    assert function.end_lineno - first.lineno + 1 <= 25
