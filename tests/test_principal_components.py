"""Principal components in every way there is: merged, whitened, behind a kernel, robust."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np
import pytest
from scipy.linalg import subspace_angles
from sklearn.decomposition import PCA as Reference
from sklearn.decomposition import KernelPCA as KernelReference

import mlnotes.principal_components as chapter
from mlnotes.data import load_digits
from mlnotes.exceptions import ConvergenceWarning, NotFittedError
from mlnotes.kernels import gaussian_kernel, polynomial_features, polynomial_kernel
from mlnotes.principal_components import (
    PCA,
    KernelPCA,
    RobustPCA,
    centre_new_kernel,
    centring_matrix,
    deflation,
    double_centre,
    eigenfaces,
    explained_variance,
    explained_variance_ratio,
    fix_signs,
    kernel_pca,
    merge_moments,
    moments,
    pca,
    pca_gram,
    pca_svd,
    power_iteration,
    principal_component_pursuit,
    reconstruct,
    reconstruction_error,
    singular_value_threshold,
    soft_threshold,
    whiten,
)

SEEDS = range(60)


def problem(seed: int) -> tuple[Any, int]:
    """Points in general position, fewer than features or more, and how many components to take."""
    rng = np.random.default_rng(seed)
    n, d = int(rng.integers(3, 30)), int(rng.integers(1, 9))
    X = rng.normal(size=(n, d)) @ rng.normal(size=(d, d)) + 10 * rng.normal(size=d)
    return X, int(rng.integers(1, min(n - 1, d) + 1))


def test_no_boxed_algorithm_has_more_than_25_lines() -> None:
    for name in ("pca", "pca_gram", "pca_svd", "power_iteration", "deflation", "whiten"):
        assert length(getattr(chapter, name)) <= 25, name
    for name in ("kernel_pca", "principal_component_pursuit", "eigenfaces"):
        assert length(getattr(chapter, name)) <= 25, name


def length(function: Any) -> int:
    """The lines of a function without its docstring."""
    source = inspect.getsource(function)
    body = source.replace(inspect.getdoc(function) or "", "")
    documented = (function.__doc__ or "").count("\n") + 1
    return len(body.splitlines()) - (documented if body == source else 1)


def test_three_ways_to_principal_components_agree_with_scikit_learn() -> None:
    for seed in SEEDS:
        X, k = problem(seed)
        theirs = Reference(k).fit(X)
        expected = fix_signs(theirs.components_.T)
        for way in (pca, pca_gram, pca_svd):
            scores, U, eigenvalues = way(X, k)
            np.testing.assert_allclose(U, expected, atol=1e-6)
            np.testing.assert_allclose(eigenvalues, theirs.singular_values_**2, rtol=1e-8)
            np.testing.assert_allclose(scores, (X - X.mean(axis=0)) @ U, atol=1e-9)
        model = PCA(k).fit(X)
        np.testing.assert_allclose(model.components_, expected.T, atol=1e-8)
        np.testing.assert_allclose(model.singular_values_, theirs.singular_values_, rtol=1e-10)
        np.testing.assert_allclose(model.transform(X), (X - X.mean(axis=0)) @ expected, atol=1e-6)


def test_what_the_projection_loses_is_the_sum_of_the_other_eigenvalues() -> None:
    for seed in SEEDS:
        X, k = problem(seed)
        _, U, _ = pca_svd(X, k)
        rest = np.linalg.svd(X - X.mean(axis=0), compute_uv=False)[k:] ** 2
        model = PCA(k).fit(X)
        lost = [
            reconstruction_error(X, U),
            float(((X - reconstruct(X, U)) ** 2).sum()),
            model.reconstruction_error_,
            -len(X) * model.score(X),
            float(((X - model.inverse_transform(model.transform(X))) ** 2).sum()),
        ]
        np.testing.assert_allclose(lost, rest.sum(), atol=1e-9 * float((X**2).sum()))


def test_no_other_frame_loses_less() -> None:
    for seed in SEEDS:
        X, k = problem(seed)
        least = PCA(k).fit(X).reconstruction_error_
        rng = np.random.default_rng(seed)
        for _ in range(20):
            frame = np.linalg.qr(rng.normal(size=(X.shape[1], k)))[0]
            assert reconstruction_error(X, frame) >= least * (1 - 1e-9) - 1e-9


def test_scores_are_uncorrelated_and_whitened_ones_have_the_identity_as_covariance() -> None:
    for seed in SEEDS:
        X, k = problem(seed)
        n = len(X)
        model = PCA(k).fit(X)
        scores = model.transform(X)
        scale = model.explained_variance_[0]
        np.testing.assert_allclose(
            scores.T @ scores / n, np.diag(model.explained_variance_), atol=1e-10 * scale
        )
        np.testing.assert_allclose(
            model.explained_variance_, explained_variance(X, model.components_.T)
        )
        np.testing.assert_allclose(
            model.explained_variance_ratio_, explained_variance_ratio(X, model.components_.T)
        )
        white = PCA(k, whiten=True).fit(X)
        Z = white.transform(X)
        np.testing.assert_allclose(Z.T @ Z / n, np.eye(k), atol=1e-8)
        np.testing.assert_allclose(
            white.inverse_transform(Z), model.inverse_transform(scores), atol=1e-8
        )


def test_whitening_gives_variance_one_and_not_one_over_n() -> None:
    for seed in SEEDS:
        rng = np.random.default_rng(seed)
        d = int(rng.integers(1, 6))
        X = rng.normal(size=(d + 2 + int(rng.integers(30)), d)) @ rng.normal(size=(d, d))
        Z, T = whiten(X)
        np.testing.assert_allclose(Z, (X - X.mean(axis=0)) @ T, atol=1e-8)
        np.testing.assert_allclose(Z.T @ Z / len(X), np.eye(d), atol=1e-8)
    with pytest.raises(ValueError, match="X does not vary in every direction"):
        whiten([[0.0, 0.0], [1.0, 1.0], [2.0, 2.0], [5.0, 5.0]])
    with pytest.raises(ValueError, match="X does not vary in every direction"):
        whiten([[0.0, 1.0], [1.0, 1.5]])


def test_the_power_iteration_finds_the_largest_eigenvalue_and_deflation_the_others() -> None:
    for seed in SEEDS:
        rng = np.random.default_rng(seed)
        d = int(rng.integers(1, 7))
        Q = np.linalg.qr(rng.normal(size=(d, d)))[0]
        true = 2.0 ** -np.arange(d) * rng.choice([-1.0, 1.0], size=d)
        A = (Q * true) @ Q.T
        eigenvalue, v = power_iteration(A)
        assert eigenvalue == pytest.approx(true[0])
        np.testing.assert_allclose(v, fix_signs(Q[:, :1])[:, 0], atol=1e-9)
        eigenvalues, V = deflation(A, d)
        np.testing.assert_allclose(eigenvalues, true, atol=1e-10)
        np.testing.assert_allclose(np.abs(V.T @ Q), np.eye(d), atol=1e-7)
    assert power_iteration(np.zeros((2, 2)))[0] == 0.0
    with pytest.raises(ValueError, match="A must be symmetric"):
        power_iteration([[0.0, 1.0], [0.0, 0.0]])


def test_moments_of_a_union_follow_from_those_of_its_parts() -> None:
    for seed in SEEDS:
        X, _ = problem(seed)
        weights = np.random.default_rng(seed).integers(1, 4, size=len(X)).astype(float)
        cut = len(X) // 2
        both = merge_moments(moments(X[:cut], weights[:cut]), moments(X[cut:], weights[cut:]))
        whole = moments(np.repeat(X, weights.astype(int), axis=0))
        for found, expected in zip(both, whole, strict=True):
            np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-9)
    with pytest.raises(TypeError, match="b must be Moments"):
        merge_moments(moments([[1.0]]), 3)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="as many features"):
        merge_moments(moments([[1.0]]), moments([[1.0, 2.0]]))


def same_components(a: PCA, b: PCA) -> None:
    np.testing.assert_allclose(a.mean_, b.mean_, atol=1e-9)
    np.testing.assert_allclose(a.explained_variance_, b.explained_variance_, rtol=1e-9)
    np.testing.assert_allclose(a.components_, b.components_, atol=1e-6)
    assert a.n_samples_seen_ == b.n_samples_seen_


def test_merged_and_partial_fits_are_one_fit_to_all_samples() -> None:
    for seed in SEEDS:
        X, k = problem(seed)
        whole = PCA(k).fit(X)
        cuts = np.sort(np.random.default_rng(seed).integers(1, len(X), size=2))
        parts = [part for part in np.split(X, cuts) if len(part)]
        growing = PCA(k)
        for part in parts:
            growing.partial_fit(part)
        same_components(growing, whole)
        merged = PCA(k).partial_fit(parts[0])
        for part in parts[1:]:
            merged.merge(PCA().fit(part))
        same_components(merged, whole)


def test_a_merger_is_refused_where_there_is_nothing_to_merge() -> None:
    model = PCA().fit([[0.0, 1.0], [1.0, 0.0]])
    with pytest.raises(TypeError, match="other must be a PCA"):
        model.merge(3)  # type: ignore[arg-type]
    with pytest.raises(NotFittedError, match="other is not fitted"):
        model.merge(PCA())
    with pytest.raises(ValueError, match="other has seen 1 features, this PCA 2"):
        model.merge(PCA().fit([[0.0], [1.0]]))
    with pytest.raises(NotFittedError):
        PCA().merge(model)


def test_weights_are_repetitions() -> None:
    for seed in SEEDS:
        X, k = problem(seed)
        weights = np.random.default_rng(seed).integers(0, 3, size=len(X))
        weights[: k + 1] = 2
        same_components(
            PCA(k).fit(X, sample_weight=weights), PCA(k).fit(np.repeat(X, weights, axis=0))
        )


def test_small_variances_keep_their_digits() -> None:
    """By the scatter matrix, which squares rounding errors, the last one would have none left."""
    rng = np.random.default_rng(0)
    left = np.linalg.qr(np.column_stack([np.ones(200), rng.normal(size=(200, 3))]))[0][:, 1:]
    right = np.linalg.qr(rng.normal(size=(3, 3)))[0]
    for smallest in (1e-2, 1e-6, 1e-10):
        true = np.array([1.0, 1e-1, smallest])
        model = PCA(3).fit((left * true) @ right.T)
        np.testing.assert_allclose(model.singular_values_, true, rtol=1e-15 / smallest)


def test_equal_variances_have_one_answer_whatever_the_order_of_the_samples() -> None:
    corners = np.array([[1.0, 1.0, 0.0], [1.0, -1.0, 0.0], [-1.0, 1.0, 0.0], [-1.0, -1.0, 0.0]])
    model = PCA().fit(corners)
    np.testing.assert_allclose(model.components_, np.eye(3)[:2], atol=1e-12)
    rng = np.random.default_rng(0)
    turn = np.linalg.qr(rng.normal(size=(5, 5)))[0][:, :3]
    sphere = np.vstack([np.eye(3), -np.eye(3)]) @ turn.T
    first = PCA(3).fit(sphere).components_
    assert np.max(subspace_angles(first.T, turn)) < 1e-7
    for _ in range(50):
        again = PCA(3).fit(rng.permutation(sphere)).components_
        np.testing.assert_allclose(again, first, atol=1e-9)
        two = PCA(2).fit(rng.permutation(sphere)).components_
        np.testing.assert_allclose(two, first[:2], atol=1e-9)


def test_a_constant_feature_has_no_part_in_any_component_that_varies() -> None:
    X = np.random.default_rng(0).normal(size=(40, 3))
    X[:, 1] = 0.1
    model = PCA().fit(X)
    assert model.n_components_ == 2
    assert (model.components_[:, 1] == 0).all()
    padded = PCA(3, whiten=True).fit(X)
    np.testing.assert_array_equal(padded.components_[2], [0.0, 1.0, 0.0])
    assert padded.explained_variance_[2] == 0
    assert (padded.transform(X)[:, 2] == 0).all()
    np.testing.assert_allclose(padded.inverse_transform(padded.transform(X)), X)


def test_samples_that_do_not_vary_have_components_without_variance() -> None:
    model = PCA(2, whiten=True).fit(np.full((5, 3), 7.3))
    np.testing.assert_array_equal(model.components_, np.eye(3)[:2])
    assert model.explained_variance_ratio_.tolist() == [0.0, 0.0]
    np.testing.assert_array_equal(model.transform([[1.0, 2.0, 3.0]]), [[0.0, 0.0]])
    assert PCA().fit([[1.0, 2.0]]).components_.tolist() == [[1.0, 0.0]]


def test_fewer_samples_than_features_have_one_component_less_than_samples() -> None:
    for seed in SEEDS:
        rng = np.random.default_rng(seed)
        n = int(rng.integers(2, 6))
        X = rng.normal(size=(n, 9))
        model = PCA().fit(X)
        assert model.n_components_ == n - 1
        np.testing.assert_allclose(model.inverse_transform(model.transform(X)), X, atol=1e-9)
        padded = PCA(n).fit(X)
        np.testing.assert_allclose(padded.components_ @ padded.components_.T, np.eye(n), atol=1e-9)
        assert padded.explained_variance_[-1] == 0


def test_offsets_and_units_do_not_blur_the_components() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(100, 2)) @ np.diag([3.0, 1.0])
    near = PCA().fit(X).components_
    np.testing.assert_allclose(PCA().fit(X + 2.0**30).components_, near, atol=1e-6)
    for unit in (2.0**-480, 2.0**480):
        np.testing.assert_allclose(PCA().fit(unit * X).components_, near, atol=1e-12)


def test_components_can_be_chosen_by_the_share_of_variance_they_explain() -> None:
    X = np.diag([3.0, 2.0, 1.0, 0.0]) - np.diag([3.0, 2.0, 1.0, 0.0]).mean(axis=0)
    for seed in range(20):
        share = float(np.random.default_rng(seed).uniform(0.05, 0.999))
        model = PCA(share).fit(X)
        shares = PCA().fit(X).explained_variance_ratio_.cumsum()
        assert shares[model.n_components_ - 1] >= share
        assert model.n_components_ == 1 or shares[model.n_components_ - 2] < share
    for bad in (0, 1.5, 0.0, "all"):
        with pytest.raises(ValueError, match="n_components must be"):
            PCA(bad).fit(X)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="n_components=5 must be at most 4"):
        PCA(5).fit(X)
    with pytest.raises(ValueError, match="T has 1 columns, but PCA has 3 components"):
        PCA().fit(X).inverse_transform([[1.0]])


def test_the_sign_of_a_direction_does_not_depend_on_rounding() -> None:
    tie = np.array([[-1.0], [1.0]]) / np.sqrt(2)
    for nudge in (-1e-15, 0.0, 1e-15):
        assert fix_signs(tie * [[1 + nudge], [1.0]])[0, 0] > 0


def test_centring_a_kernel_matrix_is_centring_the_features() -> None:
    for seed in SEEDS:
        X, _ = problem(seed)
        X = X / np.abs(X).max()
        new = np.random.default_rng(seed).normal(size=(4, X.shape[1]))
        F, G = polynomial_features(X), polynomial_features(new)
        K, K_new = polynomial_kernel(X), polynomial_kernel(new, X)
        M = centring_matrix(len(X))
        centred, centred_new = F - F.mean(axis=0), G - F.mean(axis=0)
        np.testing.assert_allclose(double_centre(K), M @ K @ M, atol=1e-10)
        np.testing.assert_allclose(double_centre(K), centred @ centred.T, atol=1e-10)
        np.testing.assert_allclose(
            centre_new_kernel(K_new, K), centred_new @ centred.T, atol=1e-9 * np.abs(K_new).max()
        )
    with pytest.raises(ValueError, match="K_new must have a column for each of the 2"):
        centre_new_kernel([[1.0]], np.eye(2))


def test_kernel_components_are_those_of_the_features() -> None:
    for seed in SEEDS:
        X, k = problem(seed)
        X = X / np.abs(X).max()
        F = polynomial_features(X)
        k = min(k, len(X) - 2)
        if k < 1:
            continue
        expected, U, eigenvalues = pca_svd(F, k)
        if eigenvalues[-1] < 1e-6 * eigenvalues[0]:
            continue
        scores, A, found = kernel_pca(polynomial_kernel(X), k)
        np.testing.assert_allclose(found, eigenvalues, rtol=1e-6)
        np.testing.assert_allclose(np.abs(scores), np.abs(expected), atol=1e-5)
        np.testing.assert_allclose(double_centre(polynomial_kernel(X)) @ A, scores, atol=1e-7)
        model = KernelPCA(k, kernel="polynomial").fit(X)
        np.testing.assert_allclose(model.transform(X), scores, atol=1e-7)
        new = np.random.default_rng(seed).normal(size=(3, X.shape[1]))
        of_new = (polynomial_features(new) - F.mean(axis=0)) @ U
        np.testing.assert_allclose(
            np.abs(model.transform(new)), np.abs(of_new), atol=1e-4 * np.abs(of_new).max()
        )


def test_leading_components_of_a_large_kernel_matrix_are_scikit_learns() -> None:
    X = np.random.default_rng(0).normal(size=(500, 3))
    gamma = 1 / X.var(axis=0).sum()
    theirs = KernelReference(5, kernel="rbf", gamma=gamma, eigen_solver="dense").fit(X)
    model = KernelPCA(5).fit(X)
    np.testing.assert_allclose(model.eigenvalues_, theirs.eigenvalues_, rtol=1e-9)
    new = X[:7] + 0.1
    np.testing.assert_allclose(
        np.abs(model.transform(new)), np.abs(theirs.transform(new)), atol=1e-7
    )
    width = model.bandwidth_
    given = KernelPCA(5, kernel=lambda A, B: gaussian_kernel(A, B, bandwidth=width)).fit(X)
    np.testing.assert_allclose(given.transform(new), model.transform(new), atol=1e-9)
    K = gaussian_kernel(X, bandwidth=width)
    table = KernelPCA(5, kernel="precomputed").fit(K)
    np.testing.assert_allclose(
        table.transform(gaussian_kernel(new, X, bandwidth=width)), model.transform(new), atol=1e-9
    )


def test_a_kernel_component_without_variance_scores_zero() -> None:
    model = KernelPCA(3, kernel="linear").fit([[0.0], [1.0], [2.0], [4.0]])
    assert model.eigenvalues_[1:].tolist() == [0.0, 0.0]
    assert (model.transform([[3.0]])[:, 1:] == 0).all()
    assert KernelPCA(None, kernel="linear").fit([[0.0], [1.0], [2.0]]).n_components_ == 1
    same = KernelPCA().fit(np.ones((4, 2)))
    assert (same.transform(np.ones((2, 2))) == 0).all()
    with pytest.raises(ValueError, match="only 1 of the largest eigenvalues are not 0"):
        kernel_pca([[0.0, 0.0], [0.0, 4.0]], 2)
    with pytest.raises(ValueError, match="n_components=9 must be at most n_samples=4"):
        KernelPCA(9).fit(np.ones((4, 2)))
    with pytest.raises(ValueError, match="square kernel matrix"):
        KernelPCA(1, kernel="precomputed").fit(np.ones((4, 2)))


def planted(seed: int, n: int, d: int) -> tuple[Any, Any, Any]:
    rng = np.random.default_rng(seed)
    r = int(rng.integers(1, 3))
    L = rng.normal(size=(n, r)) @ rng.normal(size=(r, d))
    S = np.zeros((n, d))  # one entry, at most, of a row and of a column
    S[rng.permutation(n)[:d], rng.permutation(d)] = rng.choice([-10.0, 10.0], size=d)
    return L + S, L, S


def test_a_planted_split_is_recovered_exactly() -> None:
    for seed in range(10):
        X, L, S = planted(seed, 70, 60)
        model = RobustPCA(tol=1e-8).fit(X)
        np.testing.assert_allclose(model.low_rank_, L, atol=1e-5)
        np.testing.assert_allclose(model.sparse_, S, atol=1e-5)
    found = principal_component_pursuit(X)
    np.testing.assert_allclose(found[0], L, atol=1e-5)
    np.testing.assert_allclose(found[1], S, atol=1e-5)


def test_no_planted_split_is_cheaper_than_the_one_found() -> None:
    for seed in range(50):
        X, L, S = planted(seed, 20, 15)
        centre = np.median(X, axis=0)
        nuclear = np.linalg.svd(L - centre, compute_uv=False).sum()
        planted_objective = nuclear + np.abs(S).sum() / np.sqrt(20)
        model = RobustPCA(tol=1e-6).fit(X)
        assert model.objective_ <= planted_objective * (1 + 1e-5)
        np.testing.assert_allclose(model.low_rank_ + model.sparse_, X, atol=1e-3)


def test_the_pursuit_and_the_estimator_reach_one_objective() -> None:
    for seed in range(50):
        rng = np.random.default_rng(seed)
        X = rng.normal(size=(8, 5))
        X -= np.median(X, axis=0)
        price = float(rng.uniform(0.2, 0.7))
        L, S = principal_component_pursuit(X, price, max_iter=5000)
        objective = np.linalg.svd(L, compute_uv=False).sum() + price * np.abs(S).sum()
        model = RobustPCA(lam=price, tol=1e-9, max_iter=20_000).fit(X)
        assert model.objective_ == pytest.approx(objective, rel=1e-5)
        np.testing.assert_allclose(model.low_rank_ + model.sparse_, X, atol=1e-7)


def test_the_pursuit_does_not_stop_where_the_parts_add_up_but_cost_too_much() -> None:
    """A single entry is cheaper as a sparse matrix than as one of rank one."""
    corner = np.zeros((8, 8))
    corner[0, 0] = 10.0
    L, S = principal_component_pursuit(corner)
    np.testing.assert_allclose(L, 0.0, atol=1e-9)
    np.testing.assert_allclose(S, corner, atol=1e-9)


def test_spikes_turn_ordinary_components_but_not_robust_ones() -> None:
    rng = np.random.default_rng(0)
    direction = np.ones(20) / np.sqrt(20)
    X = np.outer(rng.normal(size=200), direction)
    spoilt = X.copy()
    spoilt[:10, 0] += 30.0
    ordinary = abs(PCA(1).fit(spoilt).components_[0] @ direction)
    robust = abs(RobustPCA(1).fit(spoilt).components_[0] @ direction)
    assert ordinary < 0.5 < 0.999 < robust


def test_robust_components_stop_early_with_a_warning_and_refuse_too_many() -> None:
    with pytest.warns(ConvergenceWarning, match="RobustPCA made 2 steps"):
        RobustPCA(max_iter=2).fit(np.random.default_rng(0).normal(size=(9, 4)))
    with pytest.raises(ValueError, match="n_components=5 must be at most 4"):
        RobustPCA(5).fit(np.ones((9, 4)))
    model = RobustPCA().fit(np.ones((4, 3)))
    assert (model.rank_, model.n_iter_) == (0, 0)
    assert (model.transform(np.ones((2, 3))) == 0).all()


def test_thresholds_minimise_what_they_are_said_to_minimise() -> None:
    for seed in SEEDS:
        rng = np.random.default_rng(seed)
        A, tau = rng.normal(size=(4, 3)), float(rng.uniform(0, 2))

        def sparse(S: Any, A: Any = A, tau: float = tau) -> float:
            return float(0.5 * ((A - S) ** 2).sum() + tau * np.abs(S).sum())

        def low(L: Any, A: Any = A, tau: float = tau) -> float:
            nuclear = np.linalg.svd(L, compute_uv=False).sum()
            return float(0.5 * ((A - L) ** 2).sum() + tau * nuclear)

        for cost, found in (
            (sparse, soft_threshold(A, tau)),
            (low, singular_value_threshold(A, tau)),
        ):
            others = found + 0.1 * rng.normal(size=(50, 4, 3))
            assert all(cost(other) >= cost(found) for other in others)


def test_digits_are_recognised_by_their_nearest_neighbour_among_few_components() -> None:
    digits = load_digits()
    X, y = digits.X, digits.y
    found = eigenfaces(X[:1000], y[:1000], X[1000:1300], 20)
    assert np.mean(found == y[1000:1300]) > 0.93
    with pytest.raises(ValueError, match="X_new must have 64 features"):
        eigenfaces(X[:10], y[:10], X[:2, :3], 2)


def test_frames_that_are_none_are_refused() -> None:
    with pytest.raises(ValueError, match="U must have orthonormal columns"):
        reconstruct(np.eye(3), np.ones((3, 1)))
    with pytest.raises(ValueError, match="U must have a row for each of the 3 features"):
        reconstruction_error(np.eye(3), np.eye(2))
    assert explained_variance_ratio(np.ones((3, 2)), np.eye(2)).tolist() == [0.0, 0.0]


@pytest.mark.parametrize("n", [12, 400])
def test_equal_eigenvalues_of_a_kernel_matrix_have_one_answer(n: int) -> None:
    """Points spread evenly over a circle: cosine and sine come together, in any rotation."""
    angles = np.arange(n) * 2 * np.pi / n
    ring = np.column_stack([np.cos(angles), np.sin(angles)])
    rng = np.random.default_rng(0)
    for k in (1, 2, 4):
        model = KernelPCA(k, bandwidth=1.0).fit(ring)
        scores = model.transform(ring)
        assert abs(scores[0, 0] - np.abs(scores).max()) < 1e-6
        if k > 1:
            assert abs(model.eigenvalues_[0] - model.eigenvalues_[1]) < 1e-9 * n
            assert abs(scores[0, 1]) < 1e-6
        for _ in range(5):
            moved = ring + 1e-14 * rng.normal(size=ring.shape)
            again = KernelPCA(k, bandwidth=1.0).fit(moved).transform(ring)
            np.testing.assert_allclose(again, scores, atol=1e-5)
