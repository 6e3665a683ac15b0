"""Embeddings by distances and by neighbours, non-negative factors, sources, causes."""

from __future__ import annotations

import inspect
import warnings
from typing import Any

import numpy as np
import pytest
from scipy.optimize import nnls
from scipy.spatial.distance import cdist, pdist, squareform
from scipy.stats import multivariate_normal
from sklearn.cross_decomposition import CCA
from sklearn.decomposition import NMF as NMFReference
from sklearn.decomposition import FactorAnalysis as FactorReference
from sklearn.decomposition import FastICA as ICAReference
from sklearn.manifold import LocallyLinearEmbedding as LLEReference

import mlnotes.beyond_pca as chapter
from mlnotes.beyond_pca import (
    LLE,
    MDS,
    NMF,
    FactorAnalysis,
    FastICA,
    canonical_correlations,
    classical_mds,
    contrast_function,
    factor_analysis,
    fastica,
    fold_in,
    frobenius_loss,
    gaussian_entropy,
    gaussian_mutual_information,
    generalised_kl,
    lle,
    lle_matrix,
    lle_weights,
    mutual_information,
    nearest_neighbours,
    negentropy,
    negentropy_approx,
    nmf,
    nmf_init,
    nmf_step,
    poisson_log_likelihood,
    stress,
)
from mlnotes.data import make_sounds, make_swiss_roll, make_topics
from mlnotes.exceptions import ConvergenceWarning
from mlnotes.principal_components import PCA, fix_signs, whiten

SEEDS = range(60)
BOXED = (
    *("classical_mds", "lle", "nmf_step", "nmf", "fold_in", "fastica", "factor_analysis"),
    "canonical_correlations",
)


@pytest.mark.parametrize("name", BOXED)
def test_no_boxed_algorithm_has_more_than_25_lines(name: str) -> None:
    function = getattr(chapter, name)
    body = inspect.getsource(function).split('"""')[2]
    assert len(body.strip().splitlines()) <= 25


# Distances.


def test_points_with_given_distances_are_found() -> None:
    for seed in SEEDS:
        rng = np.random.default_rng(seed)
        n, d = int(rng.integers(3, 20)), int(rng.integers(1, 4))
        X = rng.normal(size=(n, d)) * 10.0 ** rng.integers(-3, 4)
        table = squareform(pdist(X))
        k = min(d, n - 1)
        T, eigenvalues = classical_mds(table, k)
        np.testing.assert_allclose(squareform(pdist(T)), table, atol=1e-6 * table.max())
        scores = PCA(k).fit_transform(X)
        np.testing.assert_allclose(np.abs(T), np.abs(scores), atol=1e-6 * table.max())
        assert np.abs(eigenvalues[k:]).max(initial=0) < 1e-9 * eigenvalues[0]
        assert stress(table, T) < 1e-10 * table.max() ** 2 * n**2


def test_both_ways_to_scale_agree_and_place_new_samples() -> None:
    for seed in SEEDS:
        rng = np.random.default_rng(seed)
        X, new = rng.normal(size=(15, 4)) + 5, rng.normal(size=(3, 4))
        k = int(rng.integers(1, 4))
        by_samples = MDS(k).fit(X)
        by_table = MDS(k, dissimilarity="precomputed").fit(cdist(X, X))
        np.testing.assert_allclose(
            np.abs(by_table.embedding_), np.abs(by_samples.embedding_), atol=1e-8
        )
        np.testing.assert_allclose(by_table.eigenvalues_, by_samples.eigenvalues_)
        assert by_table.strain_ == pytest.approx(by_samples.strain_)
        turned = np.sign((by_table.embedding_ * by_samples.embedding_).sum(axis=0))
        np.testing.assert_allclose(
            by_table.transform(cdist(new, X)), by_samples.transform(new) * turned, atol=1e-8
        )
        np.testing.assert_allclose(by_table.transform(cdist(X, X)), by_table.embedding_, atol=1e-8)


def test_many_samples_are_placed_by_their_distances_as_few_are() -> None:
    X = np.random.default_rng(0).normal(size=(400, 3)) * [3.0, 2.0, 1.0]
    model = MDS(2, dissimilarity="precomputed").fit(cdist(X, X))
    np.testing.assert_allclose(
        np.abs(model.embedding_), np.abs(MDS(2).fit(X).embedding_), atol=1e-8
    )


def test_distances_that_no_points_have_leave_a_coordinate_at_zero() -> None:
    # In a circle of four cities the way round is no straight line.
    around = [
        [0.0, 1.0, 2.0, 1.0],
        [1.0, 0.0, 1.0, 2.0],
        [2.0, 1.0, 0.0, 1.0],
        [1.0, 2.0, 1.0, 0.0],
    ]
    T, eigenvalues = classical_mds(around, 4)
    assert eigenvalues[-1] < -0.5
    assert (T[:, -1] == 0).all()
    model = MDS(4, dissimilarity="precomputed").fit(around)
    assert (model.embedding_[:, -1] == 0).all()
    assert (MDS(3).fit([[0.0], [1.0], [4.0]]).embedding_[:, 1:] == 0).all()
    with pytest.raises(ValueError, match="n_components=3 must be at most n_samples=2"):
        MDS(3).fit([[0.0], [1.0]])


# Neighbours.


def test_neighbours_are_the_nearest_by_tree_and_by_products() -> None:
    for seed in SEEDS:
        rng = np.random.default_rng(seed)
        n, d = int(rng.integers(5, 120)), int(rng.choice([1, 2, 3, 12, 30]))
        X = rng.normal(size=(n, d)) @ rng.normal(size=(d, d)) + 1e6
        if seed % 3 == 0:
            X = rng.normal(size=(n, min(d, 3))) @ rng.normal(size=(min(d, 3), d))
        k = int(rng.integers(1, min(n, 12)))
        found = nearest_neighbours(X, k)
        table = squareform(pdist(X))
        np.fill_diagonal(table, np.inf)
        np.testing.assert_allclose(
            np.take_along_axis(table, found, axis=1), np.sort(table, axis=1)[:, :k], rtol=1e-6
        )


def test_a_point_is_not_its_own_neighbour_even_among_equals() -> None:
    for n in (5, 80):
        found = nearest_neighbours(np.ones((n, 2)), 3)
        assert not (found == np.arange(n)[:, None]).any()
        assert all(len(set(row)) == 3 for row in found.tolist())
    with pytest.raises(ValueError, match="X has 1 point, which has no neighbours"):
        nearest_neighbours([[1.0]], 1)


def test_weights_solve_the_constrained_least_squares_problem() -> None:
    for seed in SEEDS:
        rng = np.random.default_rng(seed)
        k, d = 3, 5
        X = rng.normal(size=(k + 1, d))
        weights = lle_weights(X, [[1, 2, 3]], reg=0.0, points=X[:1])[0]
        # With w_3 = 1 - w_1 - w_2 it is a least-squares problem without a constraint.
        base = X[1:3] - X[3]
        free = np.linalg.lstsq(base.T, X[0] - X[3], rcond=None)[0]
        np.testing.assert_allclose(weights, [*free, 1 - free.sum()], atol=1e-8)


def test_weights_do_not_change_if_the_points_are_turned_moved_and_scaled() -> None:
    for seed in SEEDS:
        rng = np.random.default_rng(seed)
        X = rng.normal(size=(12, 3))
        neighbours = nearest_neighbours(X, 5)
        turn = np.linalg.qr(rng.normal(size=(3, 3)))[0]
        moved = float(rng.uniform(0.1, 10)) * X @ turn + rng.normal(size=3)
        np.testing.assert_allclose(
            lle_weights(moved, neighbours), lle_weights(X, neighbours), atol=1e-8
        )


def test_neighbours_at_the_same_place_get_equal_weights() -> None:
    np.testing.assert_allclose(lle_weights(np.ones((3, 2)), [[1, 2], [0, 2], [0, 1]]), 0.5)
    with pytest.raises(ValueError, match="reg must be above 0"):
        lle_weights([[0.0], [1.0], [3.0]], [[1, 2], [0, 2], [0, 1]], reg=0.0)
    with pytest.raises(ValueError, match="points must have 1 features"):
        lle_weights([[0.0], [1.0]], [[0, 1]], points=[[1.0, 2.0]])
    with pytest.raises(ValueError, match="neighbours must have a row for each"):
        lle_weights([[0.0], [1.0]], [[1]])
    with pytest.raises(ValueError, match="weights and neighbours must have one shape"):
        lle_matrix([[0.5, 0.5]], [[0]])


def embedded(seed: int) -> tuple[Any, int, int]:
    rng = np.random.default_rng(seed)
    n, d = int(rng.integers(12, 40)), int(rng.integers(2, 5))
    return rng.normal(size=(n, d)), int(rng.integers(1, 3)), int(rng.integers(4, 8))


def test_the_embedding_is_feasible_and_no_other_is_cheaper() -> None:
    for seed in SEEDS:
        X, k, neighbours = embedded(seed)
        n = len(X)
        T = lle(X, k, neighbours)
        rows = nearest_neighbours(X, neighbours)
        M = lle_matrix(lle_weights(X, rows), rows)
        np.testing.assert_allclose(M @ np.ones(n), 0, atol=1e-9)
        np.testing.assert_allclose(T.sum(axis=0), 0, atol=1e-6)
        np.testing.assert_allclose(T.T @ T / n, np.eye(k), atol=1e-9)
        cost = np.trace(T.T @ M @ T)
        rng = np.random.default_rng(seed)
        for _ in range(20):
            other = rng.normal(size=(n, k))
            other = np.linalg.qr(other - other.mean(axis=0))[0] * np.sqrt(n)
            assert np.trace(other.T @ M @ other) >= cost * (1 - 1e-9)


def test_the_estimator_embeds_as_the_textbook_and_as_scikit_learn_does() -> None:
    compared = 0
    for seed in SEEDS:
        X, k, neighbours = embedded(seed)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            model = LLE(k, n_neighbours=neighbours).fit(X)
        if model.n_neighbours_ > neighbours:
            continue
        T = lle(X, k, neighbours)
        rows = nearest_neighbours(X, neighbours)
        M = lle_matrix(lle_weights(X, rows), rows)
        assert model.reconstruction_error_ == pytest.approx(np.trace(T.T @ M @ T), rel=1e-6)
        theirs = LLEReference(n_neighbors=neighbours, n_components=k, eigen_solver="dense").fit(X)
        assert model.eigenvalues_.sum() == pytest.approx(theirs.reconstruction_error_, rel=1e-6)
        gaps = np.diff(np.linalg.eigvalsh(M)[: k + 2])
        if gaps.min() > 1e-6:
            np.testing.assert_allclose(model.embedding_, T, atol=1e-4)
        compared += 1
    assert compared >= 50


def test_a_large_problem_has_the_eigenvectors_of_the_whole_matrix() -> None:
    X = make_swiss_roll(400, random_state=0).X
    model = LLE(2, n_neighbours=12).fit(X)
    np.testing.assert_allclose(np.abs(model.embedding_), np.abs(lle(X, 2, 12)), atol=1e-4)
    np.testing.assert_allclose(model.embedding_.T @ model.embedding_ / 400, np.eye(2), atol=1e-9)


def test_a_swiss_roll_is_unrolled() -> None:
    roll = make_swiss_roll(1500, random_state=0)
    model = LLE(2, n_neighbours=12).fit(roll.X)
    along = np.abs(np.corrcoef(model.embedding_.T, roll.position[:, 0])[:2, 2]).max()
    across = np.abs(np.corrcoef(PCA(2).fit_transform(roll.X).T, roll.position[:, 0])[:2, 2]).max()
    assert across < 0.6 < 0.9 < along
    new = make_swiss_roll(200, random_state=1)
    found = model.transform(new.X)
    nearest = cdist(new.X, roll.X).argmin(axis=1)
    assert np.abs(found - model.embedding_[nearest]).max() < 0.5
    np.testing.assert_array_equal(model.transform(roll.X[:50]), model.embedding_[:50])


def test_separate_parts_get_more_neighbours_until_they_hang_together() -> None:
    rng = np.random.default_rng(0)
    X = np.vstack([rng.normal(size=(20, 2)), rng.normal(size=(15, 2)) + 50])
    with pytest.warns(UserWarning, match=r"LLE took 15 neighbours .* n_neighbours=4"):
        model = LLE(1, n_neighbours=4).fit(X)
    assert model.n_neighbours_ == 15  # with 14, those of the smaller part are all among themselves
    assert model.weights_.shape == model.neighbours_.shape == (35, 15)
    np.testing.assert_allclose(model.embedding_.mean(), 0, atol=1e-9)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert LLE(1, n_neighbours=15).fit(X).n_neighbours_ == 15
        assert LLE(1, n_neighbours=99).fit(X).n_neighbours_ == 34
    same = LLE(1, n_neighbours=3).fit(np.ones((5, 2)))
    assert np.isfinite(same.embedding_).all()
    with pytest.raises(ValueError, match="n_components=5 must be below n_samples=5"):
        LLE(5).fit(np.eye(5))


# Factors without signs.


def counts(seed: int) -> tuple[Any, int]:
    rng = np.random.default_rng(seed)
    n, d, k = int(rng.integers(4, 15)), int(rng.integers(3, 10)), int(rng.integers(1, 4))
    X = rng.poisson(4 * rng.gamma(1.0, size=(n, k)) @ rng.gamma(1.0, size=(k, d))).astype(float)
    X[0, 0] = 0.0
    return X, k


@pytest.mark.parametrize("loss", ["kl", "frobenius"])
def test_updates_are_scikit_learns_and_never_raise_the_loss(loss: str) -> None:
    value = generalised_kl if loss == "kl" else frobenius_loss
    name = "kullback-leibler" if loss == "kl" else loss
    for seed in SEEDS:
        X, k = counts(seed)
        T, W = nmf_init(X, k, random_state=seed)
        theirs = NMFReference(k, init="custom", solver="mu", beta_loss=name, max_iter=30, tol=0.0)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            scores = theirs.fit_transform(X, W=T.copy(), H=np.ascontiguousarray(W.T))
        values = [value(X, T @ W.T)]
        for _ in range(30):
            T, W = nmf_step(X, T, W, loss=loss)
            values.append(value(X, T @ W.T))
        assert (np.diff(values) <= 1e-9 * values[0]).all()
        np.testing.assert_allclose(T @ W.T, scores @ theirs.components_, rtol=1e-4, atol=1e-6)
        again = nmf(X, k, loss=loss, max_iter=30, init=nmf_init(X, k, random_state=seed))
        np.testing.assert_allclose(again[0] @ again[1].T, T @ W.T)


def test_updating_both_factors_from_the_old_ones_runs_in_a_circle() -> None:
    """As the notes print it: from (1, 1) the product for X = 4 is 16 and 1 by turns."""
    T = W = np.ones((1, 1))
    products = []
    for _ in range(4):
        ratio = 4.0 / (T * W)
        T, W = T * ratio, W * ratio
        products.append(float(T[0, 0] * W[0, 0]))
    assert products == [16.0, 1.0, 16.0, 1.0]
    T, W = nmf_step([[4.0]], [[1.0]], [[1.0]])
    assert float(T[0, 0] * W[0, 0]) == 4.0


@pytest.mark.parametrize("compiles", [True, False])
@pytest.mark.parametrize("loss", ["kl", "frobenius"])
def test_the_estimators_loss_never_rises_and_is_that_of_its_factors(
    loss: str, compiles: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not compiles:
        monkeypatch.setattr("mlnotes._solvers.nmf.compiles", lambda: False)
    value = generalised_kl if loss == "kl" else frobenius_loss
    for seed in range(50 if compiles else 5):
        X, k = counts(seed)
        model = NMF(k, loss=loss, tol=1e-6, max_iter=20_000, random_state=seed).fit(X)
        assert (np.diff(model.losses_) <= 1e-9 * model.losses_[0]).all()
        assert (model.components_ >= 0).all()
        # New scores for the topics found are no worse than those found together with them.
        best = value(X, model.inverse_transform(model.transform(X)))
        assert best <= model.loss_ * (1 + 1e-9) + 1e-9 * model.losses_[0]
        assert -len(X) * model.score(X) == pytest.approx(best)


def test_the_multiplicative_estimator_follows_the_textbooks_updates() -> None:
    for seed in range(50):
        X, k = counts(seed)
        start = nmf_init(X, k, random_state=seed)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            model = NMF(k, init=start, max_iter=20, tol=0.0).fit(X)
        T, W = nmf(X, k, max_iter=20, init=start)
        np.testing.assert_allclose(model.components_, W.T, rtol=1e-9, atol=1e-12)
        assert model.loss_ == pytest.approx(generalised_kl(X, T @ W.T))


def test_scores_of_new_documents_satisfy_the_optimality_conditions() -> None:
    for seed in SEEDS:
        X, k = counts(seed)
        rng = np.random.default_rng(seed)
        W = rng.gamma(0.5, size=(X.shape[1], k))
        T = fold_in(X, W)
        slope = (T @ W.T - X) @ W
        assert (T >= 0).all()
        assert (slope >= -1e-8 * np.abs(X).max()).all()
        np.testing.assert_allclose(T * slope, 0, atol=1e-7 * (1 + np.abs(X).max() ** 2))
        np.testing.assert_allclose(T[0], nnls(W, X[0])[0])
        model = NMF(k).fit(X)
        model.components_ = W.T
        scores = model.transform(X)
        means = scores @ W.T
        slope = W.sum(axis=0) - np.divide(X, means, where=means > 0, out=np.zeros_like(X)) @ W
        scale = W.sum(axis=0)
        assert (scores >= 0).all()
        assert (slope >= -1e-6 * scale).all()
        np.testing.assert_allclose(scores * slope, 0, atol=1e-6 * (1 + X.max()))


def test_a_document_without_words_is_about_nothing() -> None:
    model = NMF(2).fit(make_topics(50, random_state=0).X)
    assert (model.transform(np.zeros((1, 12))) == 0).all()
    assert (NMF(2, loss="frobenius").fit(np.eye(3)).transform(np.zeros((2, 3))) == 0).all()
    empty = NMF(2).fit(np.zeros((4, 3)))
    assert empty.loss_ == 0
    assert np.isfinite(empty.transform(np.zeros((1, 3)))).all()


def test_factors_are_not_unique() -> None:
    X, _ = counts(0)
    T, W = nmf(X, 2)
    scale = np.array([3.0, 0.2])
    np.testing.assert_allclose((T * scale) @ (W / scale).T, T @ W.T)


def test_topics_are_found_up_to_their_order() -> None:
    sample = make_topics(300, length=200, random_state=0)
    model = NMF(3, max_iter=3000, tol=1e-8).fit(sample.X)
    found = model.components_ / model.components_.sum(axis=1, keepdims=True)
    distances = cdist(found, sample.topics, "cityblock")
    assert sorted(distances.argmin(axis=1).tolist()) == [0, 1, 2]
    assert distances.min(axis=1).max() < 0.1


@pytest.mark.parametrize("method", ["random", "kmeans", "acol"])
def test_every_start_is_positive_and_has_the_mean_of_the_table(method: str) -> None:
    for seed in range(20):
        X, k = counts(seed)
        T, W = nmf_init(X, k, method=method, random_state=seed)
        assert T.min() > 0
        assert W.min() > 0
        assert (T @ W.T).mean() == pytest.approx(X.mean())
        assert NMF(k, init=method, max_iter=5000).fit(X).loss_ >= 0
    assert nmf_init(np.zeros((3, 2)), 2, method=method)[1].shape == (2, 2)


def test_what_is_no_factorisation_is_refused() -> None:
    with pytest.raises(ValueError, match="Negative values in data passed to NMF"):
        NMF(1).fit([[1.0, -1.0], [1.0, 1.0]])
    with pytest.raises(ValueError, match="init has 1 components, and n_components is 2"):
        NMF(2, init=([[1.0], [1.0]], [[1.0]])).fit([[1.0], [2.0]])
    with pytest.raises(ValueError, match="init must be one of"):
        NMF(2, init="best").fit([[1.0], [2.0]])
    with pytest.raises(ValueError, match="n_components=3 must be at most n_samples=2"):
        NMF(3, init="kmeans").fit([[1.0], [2.0]])
    with pytest.raises(ValueError, match="T and W must have a row for each row and column"):
        nmf_step([[1.0]], [[1.0], [1.0]], [[1.0]])
    with pytest.raises(ValueError, match="T has 1 columns, but NMF has 2 components"):
        NMF(2).fit(np.eye(3)).inverse_transform([[1.0]])
    with pytest.warns(ConvergenceWarning, match="NMF made 1 steps"):
        NMF(2, max_iter=1).fit(counts(0)[0])


def test_the_divergence_is_a_difference_of_poisson_likelihoods() -> None:
    for seed in SEEDS:
        X, _ = counts(seed)
        M = np.random.default_rng(seed).gamma(2.0, size=X.shape)
        gap = poisson_log_likelihood(X, X) - poisson_log_likelihood(X, M)
        assert generalised_kl(X, M) == pytest.approx(gap)
        assert generalised_kl(X, X) == 0
    assert generalised_kl([[1.0]], [[0.0]]) == np.inf
    assert generalised_kl([[0.0]], [[0.0]]) == 0


# Independent sources.


def aligned(found: Any, sources: Any) -> Any:
    """The correlation of every found source with the true one that it resembles most."""
    k = found.shape[1]
    table = np.abs(np.corrcoef(found.T, sources.T)[:k, k:])
    assert len(set(table.argmax(axis=1).tolist())) == k
    return table.max(axis=1)


def test_sounds_are_unmixed_but_not_by_principal_components() -> None:
    for seed in range(50):
        sample = make_sounds(2000, random_state=seed)
        assert aligned(FastICA().fit_transform(sample.X), sample.sources).min() > 0.99
    assert aligned(fastica(sample.X)[0], sample.sources).min() > 0.99
    k = 3
    table = np.corrcoef(PCA().fit_transform(sample.X).T, sample.sources.T)[:k, k:]
    assert np.abs(table).max(axis=1).min() < 0.9


@pytest.mark.parametrize("name", ["logcosh", "exp"])
@pytest.mark.parametrize("algorithm", ["parallel", "deflation"])
def test_sources_and_mixing_are_scikit_learns(name: str, algorithm: str) -> None:
    for seed in range(25):
        rng = np.random.default_rng(seed)
        d = int(rng.integers(2, 4))
        S = np.where(np.arange(d) % 2, rng.laplace(size=(1500, d)), rng.uniform(-1, 1, (1500, d)))
        X = S @ rng.normal(size=(d, d)) + rng.normal(size=d)
        model = FastICA(contrast=name, algorithm=algorithm, tol=1e-10).fit(X)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            fun = {"logcosh": "logcosh", "exp": "exp"}[name]
            theirs = ICAReference(
                whiten="unit-variance",
                fun=fun,
                algorithm=algorithm,
                tol=1e-12,
                max_iter=2000,
                random_state=seed,
            ).fit(X)
        found, expected = model.transform(X), theirs.transform(X)
        np.testing.assert_allclose(found.T @ found / len(X), np.eye(d), atol=1e-8)
        np.testing.assert_allclose(model.inverse_transform(found), X, atol=1e-8)
        np.testing.assert_allclose(model.components_ @ model.mixing_, np.eye(d), atol=1e-8)
        if algorithm == "parallel":
            assert aligned(found, expected).min() > 1 - 1e-6


def test_the_textbooks_sources_are_a_fixed_point_of_newtons_step() -> None:
    for seed in range(50):
        rng = np.random.default_rng(seed)
        X = np.column_stack([rng.laplace(size=800), rng.uniform(size=800)]) @ rng.normal(
            size=(2, 2)
        )
        S, W = fastica(X, random_state=seed)
        Z, _ = whiten(X)
        np.testing.assert_allclose(W.T @ W, np.eye(2), atol=1e-9)
        np.testing.assert_allclose(S, Z @ W, atol=1e-9)
        _, slope, curvature = contrast_function(Z @ W[:, 0])
        step = Z.T @ slope / len(Z) - curvature.mean() * W[:, 0]
        assert abs(step @ W[:, 0]) / np.linalg.norm(step) == pytest.approx(1, abs=1e-6)


def test_fewer_sources_are_those_of_the_leading_components() -> None:
    sample = make_sounds(2000, random_state=0)
    wide = np.column_stack([sample.X, sample.X @ [1.0, 1.0, 0.0]])
    model = FastICA().fit(wide)
    assert model.n_components_ == 3
    assert aligned(model.transform(wide), sample.sources).min() > 0.99
    np.testing.assert_allclose(model.inverse_transform(model.transform(wide)), wide, atol=1e-8)
    two = FastICA(2).fit(sample.X)
    np.testing.assert_allclose(
        two.inverse_transform(two.transform(sample.X)),
        PCA(2).fit(sample.X).inverse_transform(PCA(2).fit_transform(sample.X)),
        atol=1e-8,
    )
    with pytest.raises(ValueError, match="n_components=4 must be at most 3"):
        FastICA(4).fit(wide)
    with pytest.raises(ValueError, match="X does not vary"):
        FastICA().fit(np.ones((5, 2)))
    with pytest.warns(ConvergenceWarning, match="FastICA made 1 steps"):
        FastICA(max_iter=1).fit(np.random.default_rng(0).normal(size=(30, 3)))


@pytest.mark.parametrize("name", ["logcosh", "exp"])
def test_the_derivatives_of_the_contrast_are_its_derivatives(name: str) -> None:
    r = np.linspace(-5, 5, 101)
    h = 1e-5
    values, slope, curvature = contrast_function(r, name)
    up, down = contrast_function(r + h, name), contrast_function(r - h, name)
    np.testing.assert_allclose(slope, (up[0] - down[0]) / (2 * h), atol=1e-8)
    np.testing.assert_allclose(curvature, (up[1] - down[1]) / (2 * h), atol=1e-8)
    far = contrast_function(1e300, name)
    assert all(np.isfinite(part) for part in far)
    assert values.min() >= (0 if name == "logcosh" else -1)


def test_negentropy_is_that_of_known_distributions() -> None:
    for seed in SEEDS:
        width = float(np.random.default_rng(seed).uniform(0.01, 50))
        assert negentropy(np.log(width), width**2 / 12) == pytest.approx(0.1765, abs=1e-4)
        assert negentropy(1 + np.log(2 * width), 2 * width**2) == pytest.approx(0.0724, abs=1e-4)
        assert negentropy(gaussian_entropy([[width]]), width) == pytest.approx(0, abs=1e-12)
    rng = np.random.default_rng(0)
    for name in ("logcosh", "exp"):
        gaussian = negentropy_approx(rng.normal(size=10**5), name)
        assert negentropy_approx(rng.laplace(size=10**5), name) > 20 * gaussian
        assert negentropy_approx(rng.uniform(size=10**5), name) > 20 * gaussian
    with pytest.raises(ValueError, match="x must vary"):
        negentropy_approx([1.0, 1.0])


def test_mutual_information_is_a_difference_of_entropies_and_zero_if_independent() -> None:
    def entropy(p: Any) -> float:
        return -float(sum(x * np.log(x) for x in np.ravel(p) if x > 0))

    for seed in SEEDS:
        P = np.random.default_rng(seed).dirichlet([0.3] * 6).reshape(2, 3)
        gap = entropy(P.sum(axis=0)) + entropy(P.sum(axis=1)) - entropy(P)
        assert mutual_information(P) == pytest.approx(gap, abs=1e-12)
        product = np.outer(P.sum(axis=1), P.sum(axis=0))
        assert mutual_information(product) == pytest.approx(0, abs=1e-12)
    with pytest.raises(ValueError, match="P must sum to 1"):
        mutual_information([[0.5, 0.1]])


def test_gaussian_information_is_a_sum_of_entropies_less_the_joint_one() -> None:
    for seed in SEEDS:
        rng = np.random.default_rng(seed)
        A = rng.normal(size=(3, 4))
        C = A @ A.T
        single = sum(gaussian_entropy([[v]]) for v in C.diagonal())
        assert gaussian_mutual_information(C) == pytest.approx(single - gaussian_entropy(C))
        assert gaussian_entropy(C) == pytest.approx(multivariate_normal(cov=C).entropy())
        rho = float(rng.uniform(-0.99, 0.99))
        pair = gaussian_mutual_information([[1.0, rho], [rho, 1.0]])
        assert pair == pytest.approx(-0.5 * np.log(1 - rho**2))
    with pytest.raises(ValueError, match="covariance must be symmetric and positive definite"):
        gaussian_entropy([[1.0, 1.0], [1.0, 1.0]])


# Factors and canonical directions.


def caused(seed: int) -> Any:
    rng = np.random.default_rng(seed)
    d = int(rng.integers(5, 8))
    X = rng.normal(size=(200, 2)) @ rng.normal(size=(2, d))
    return X + rng.normal(size=(200, d)) * rng.uniform(0.5, 1.5, size=d) + rng.normal(size=d)


def test_em_and_the_estimator_reach_nearly_one_likelihood_which_never_falls() -> None:
    alike = 0
    for seed in range(50):
        X = caused(seed)
        W, psi, em = factor_analysis(X, 2, max_iter=3000, tol=1e-9)
        model = FactorAnalysis(2).fit(X)
        assert (np.diff(em) >= -1e-10).all()
        assert (np.diff(model.log_likelihoods_) >= -1e-10).all()
        # Where the noise of a feature vanishes there may be several maxima.
        assert abs(model.log_likelihoods_[-1] - em[-1]) < 5e-3
        if abs(model.log_likelihoods_[-1] - em[-1]) < 1e-7:
            np.testing.assert_allclose(model.noise_variance_, psi, rtol=2e-2)
            np.testing.assert_allclose(
                model.get_covariance(), W @ W.T + np.diag(psi), atol=1e-2 * psi.max()
            )
            alike += 1
        assert model.score(X) == pytest.approx(model.log_likelihoods_[-1])
    assert alike >= 25


def test_densities_and_factors_are_those_of_the_model() -> None:
    for seed in range(50):
        X = caused(seed)
        model = FactorAnalysis(2).fit(X)
        C, W = model.get_covariance(), model.components_
        np.testing.assert_allclose(
            model.score_samples(X[:5]), multivariate_normal(model.mean_, C).logpdf(X[:5])
        )
        np.testing.assert_allclose(
            model.transform(X[:5]), (X[:5] - model.mean_) @ np.linalg.solve(C, W.T), atol=1e-8
        )
        theirs = FactorReference(2, tol=1e-4, max_iter=3000, svd_method="lapack").fit(X)
        assert model.score(X) >= theirs.score(X) - 1e-5


def test_a_constant_feature_has_no_noise_and_a_copied_one_very_little() -> None:
    X = caused(0)
    padded = np.column_stack([X, np.full(len(X), 3.0)])
    model = FactorAnalysis(2).fit(padded)
    assert model.noise_variance_[-1] == 0
    assert (model.components_[:, -1] == 0).all()
    np.testing.assert_allclose(
        model.score_samples(padded), FactorAnalysis(2).fit(X).score_samples(X), rtol=1e-6
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        copied = FactorAnalysis(1).fit(np.column_stack([X[:, 0], X[:, 0], X[:, 1:]]))
    assert 0 < copied.noise_variance_[0] < 1e-3 * X[:, 0].var()
    assert np.isfinite(copied.score(np.column_stack([X[:, 0], X[:, 0], X[:, 1:]])))
    with pytest.raises(ValueError, match="n_components=3 must be at most n_features=2"):
        FactorAnalysis(3).fit(np.eye(4)[:, :2])
    with pytest.raises(ValueError, match="X must vary in every feature"):
        factor_analysis([[1.0, 2.0], [1.0, 3.0], [1.0, 5.0]], 1)


def test_canonical_correlations_are_the_largest_there_are() -> None:
    for seed in SEEDS:
        rng = np.random.default_rng(seed)
        n, d, e = 60, int(rng.integers(1, 4)), int(rng.integers(1, 4))
        shared = rng.normal(size=(n, 1))
        X, Y = shared + rng.normal(size=(n, d)), shared + rng.normal(size=(n, e))
        correlations, A, B = canonical_correlations(X, Y)
        left, right = (X - X.mean(axis=0)) @ A, (Y - Y.mean(axis=0)) @ B
        k = min(d, e)
        np.testing.assert_allclose(left.T @ left / n, np.eye(k), atol=1e-9)
        np.testing.assert_allclose(left.T @ right / n, np.diag(correlations), atol=1e-9)

        C = np.cov(np.column_stack([X, Y]).T)
        of_X, of_Y, both = C[:d, :d], C[d:, d:], C[:d, d:]
        squares = np.linalg.solve(of_X, both) @ np.linalg.solve(of_Y, both.T)
        expected = np.sort(np.linalg.eigvals(squares).real)[::-1][:k]
        np.testing.assert_allclose(correlations**2, expected, atol=1e-9)
        for _ in range(20):
            a, b = rng.normal(size=d), rng.normal(size=e)
            assert abs(np.corrcoef(X @ a, Y @ b)[0, 1]) <= correlations[0] + 1e-9
    theirs = CCA(1, max_iter=10_000, tol=1e-12).fit(X, Y)
    nearly = abs(np.corrcoef(*(s[:, 0] for s in theirs.transform(X, Y)))[0, 1])
    assert correlations[0] == pytest.approx(nearly, abs=1e-5)
    with pytest.raises(ValueError, match="Y does not vary in every direction"):
        canonical_correlations(X, np.ones((n, 2)))
    with pytest.raises(ValueError, match="X and Y must have as many rows"):
        canonical_correlations(X, Y[:-1])


def test_the_signs_of_an_embedding_follow_the_rule() -> None:
    X = make_swiss_roll(60, random_state=0).X
    for found in (lle(X, 2, 8), MDS(2, dissimilarity="precomputed").fit(cdist(X, X)).embedding_):
        np.testing.assert_array_equal(found, fix_signs(found))


@pytest.mark.parametrize("n", [12, 400])
def test_equal_eigenvalues_have_one_answer(n: int) -> None:
    """Points spread evenly over a circle: cosine and sine come together, in any rotation."""
    angles = np.arange(n) * 2 * np.pi / n
    ring = np.column_stack([np.cos(angles), np.sin(angles)])
    table = cdist(ring, ring)
    np.testing.assert_allclose(
        MDS(2, dissimilarity="precomputed").fit(table).embedding_, ring, atol=1e-6
    )
    rng = np.random.default_rng(0)
    for k in (1, 2):
        # Weights of exactly one half, so that the eigenvalues are equal up to rounding.
        found = LLE(k, n_neighbours=2).fit(ring).embedding_
        np.testing.assert_allclose(found, np.sqrt(2) * ring[:, :k], atol=1e-4)
        moved = ring + 1e-15 * rng.normal(size=ring.shape)
        again = LLE(k, n_neighbours=2).fit(moved).embedding_
        np.testing.assert_allclose(again, found, atol=1e-4)
