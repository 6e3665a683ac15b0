"""k-means against scikit-learn's, and its starting centres: rows of the data, far apart."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.sparse.csgraph import minimum_spanning_tree
from scipy.spatial.distance import cdist
from sklearn.cluster import KMeans as Reference

from mlnotes.clustering import (
    AgglomerativeClustering,
    KMeans,
    KMedoids,
    MiniBatchKMeans,
    agglomerate,
    cut_dendrogram,
    furthest_first,
    k_medoids,
    kmeans_objective,
    kmeans_plus_plus,
    lance_williams,
    lloyd,
    medoid,
    single_linkage_mst,
    stirling2,
    within_between,
)
from mlnotes.data import make_mixture
from mlnotes.exceptions import ConvergenceWarning

CORNERS = [[0.0, 0.0], [9.0, 0.0], [0.0, 9.0], [9.0, 9.0]]


def test_centres_are_rows_of_the_data_and_none_is_chosen_twice() -> None:
    X = np.random.default_rng(0).normal(size=(40, 3))
    centres, chosen = kmeans_plus_plus(X, 40, random_state=1)
    np.testing.assert_array_equal(centres, X[chosen])
    assert sorted(chosen.tolist()) == list(range(40))


def test_every_cloud_far_from_the_others_gets_a_centre() -> None:
    sample = make_mixture(400, CORNERS, covariances=0.01, random_state=0)
    for seed in range(20):
        _, chosen = kmeans_plus_plus(sample.X, 4, random_state=seed)
        assert set(sample.y[chosen].tolist()) == {0, 1, 2, 3}


def test_the_second_centre_is_drawn_in_proportion_to_the_squared_distance() -> None:
    # From 0 the squared distances are 1 and 9, from 1 they are 1 and 4, from 3 they are 9 and 4.
    draws = [
        tuple(kmeans_plus_plus([[0.0], [1.0], [3.0]], 2, n_trials=1, random_state=seed)[1].tolist())
        for seed in range(3000)
    ]
    from_zero = [second for first, second in draws if first == 0]
    share = np.mean([second == 2 for second in from_zero])
    # Four standard deviations of a share of 0.9 among that many draws.
    assert abs(share - 0.9) < 4 * np.sqrt(0.9 * 0.1 / len(from_zero))


def test_equal_points_and_huge_offsets_do_no_harm() -> None:
    centres, chosen = kmeans_plus_plus(np.ones((5, 2)), 3, random_state=0)
    np.testing.assert_array_equal(centres, np.ones((3, 2)))
    assert len(set(chosen.tolist())) == 3
    near = np.array(CORNERS) + 1e9
    assert len(set(kmeans_plus_plus(near, 4, random_state=0)[1].tolist())) == 4
    tiny = np.array(CORNERS) * 1e-200
    assert len(set(kmeans_plus_plus(tiny, 4, random_state=0)[1].tolist())) == 4


def test_more_centres_than_points_are_refused() -> None:
    with pytest.raises(ValueError, match="only 2 points"):
        kmeans_plus_plus([[0.0], [1.0]], 3)


def test_lloyd_ends_where_scikit_learns_k_means_ends() -> None:
    for seed in range(50):
        rng = np.random.default_rng(seed)
        X = rng.normal(size=(40, 2))
        start = X[:4]
        theirs = Reference(4, init=start, n_init=1, algorithm="lloyd", tol=0.0).fit(X)
        centres, labels = lloyd(X, start)
        np.testing.assert_allclose(centres, theirs.cluster_centers_, atol=1e-9)
        np.testing.assert_array_equal(labels, theirs.labels_)


def test_the_cost_of_k_means_never_rises() -> None:
    X = np.random.default_rng(0).normal(size=(60, 3))
    costs = []
    for steps in range(1, 12):
        centres, _ = lloyd(X, X[:5], max_iter=steps)
        costs.append(((X[:, None] - centres) ** 2).sum(axis=2).min(axis=1).sum())
    assert (np.diff(costs) <= 1e-9).all()
    assert costs[-1] < costs[0]


def test_a_centre_without_points_stays_and_bad_centres_are_refused() -> None:
    centres, labels = lloyd([[0.0], [1.0]], [[0.5], [99.0]])
    assert centres.ravel().tolist() == [0.5, 99.0]
    assert set(labels.tolist()) == {0}
    with pytest.raises(ValueError, match="centres must have 1 features"):
        lloyd([[0.0], [1.0]], [[0.0, 1.0]])


def problem(seed: int) -> Any:
    rng = np.random.default_rng(seed)
    n, d, k = int(rng.integers(10, 80)), int(rng.integers(1, 5)), int(rng.integers(1, 6))
    X = rng.normal(size=(n, d)) + 3 * rng.integers(0, 3, size=(n, 1))
    return X, X[rng.choice(n, k, replace=False)]


@pytest.mark.parametrize("compiles", [True, False])
def test_k_means_ends_where_lloyds_plain_iteration_ends(
    compiles: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not compiles:
        monkeypatch.setattr("mlnotes._solvers.kmeans.compiles", lambda: False)
    compared = 0
    for seed in range(80):
        X, start = problem(seed)
        centres, labels = lloyd(X, start)
        if len(np.unique(labels)) < len(start):
            continue  # the estimator gives an empty cluster a point
        model = KMeans(len(start), init=start, tol=0).fit(X)
        np.testing.assert_allclose(model.cluster_centers_, centres, atol=1e-9)
        np.testing.assert_array_equal(model.labels_, labels)
        assert model.inertia_ == pytest.approx(kmeans_objective(X, centres))
        compared += 1
    assert compared >= 50


def test_k_means_stops_at_both_halves_of_a_rectangle() -> None:
    corners = np.array([[0.0, 0.0], [0.0, 1.0], [4.0, 0.0], [4.0, 1.0]])
    for start, cost in ((corners[:2], 16.0), (corners[[0, 2]], 1.0)):
        assert kmeans_objective(corners, lloyd(corners, start)[0]) == cost
        assert KMeans(2, init=start, tol=0).fit(corners).inertia_ == pytest.approx(cost)


def test_one_cluster_costs_the_total_and_one_for_each_point_nothing() -> None:
    X = np.random.default_rng(0).normal(size=(6, 2))
    least = [
        min(
            within_between(X, labels)[0]
            for labels in itertools.product(range(k), repeat=6)
            if len(set(labels)) == k
        )
        for k in range(1, 7)
    ]
    assert KMeans(1).fit(X).inertia_ == pytest.approx(least[0])
    assert least[0] == pytest.approx(float(((X - X.mean(axis=0)) ** 2).sum()))
    assert KMeans(6).fit(X).inertia_ == pytest.approx(0.0, abs=1e-12)
    assert (np.diff(least) < 0).all()


@pytest.mark.parametrize("cls", [KMeans, MiniBatchKMeans])
def test_a_new_point_goes_to_the_nearest_centre(cls: Any) -> None:
    for seed in range(20):
        X, start = problem(seed)
        model = cls(len(start), init=start).fit(X)
        new = 4 * np.random.default_rng(seed).normal(size=(50, X.shape[1]))
        nearest = cdist(new, model.cluster_centers_).argmin(axis=1)
        np.testing.assert_array_equal(model.predict(new), nearest)


def test_the_best_of_many_runs_is_the_best_partition() -> None:
    for seed in range(10):
        X = np.random.default_rng(seed).normal(size=(7, 2))
        least = min(
            within_between(X, [int(bit) for bit in f"{code:07b}"])[0] for code in range(1, 64)
        )
        assert KMeans(2, n_init=30).fit(X).inertia_ == pytest.approx(least)


def test_an_empty_cluster_gets_the_point_farthest_from_its_centre() -> None:
    # From these centres the second cluster is empty after the first assignment.
    X = np.array([[0.0], [1.0], [2.0], [10.0]])
    model = KMeans(2, init=[[1.0], [1000.0]], tol=0).fit(X)
    assert sorted(model.cluster_centers_.ravel().tolist()) == [1.0, 10.0]
    centres, _ = lloyd(X, [[1.0], [1000.0]])
    assert centres[1, 0] == 1000.0  # the plain iteration leaves it where it is


def test_weights_are_repetitions_and_the_order_of_the_rows_does_not_matter() -> None:
    for seed in range(20):
        X, _ = problem(seed)
        weights = np.random.default_rng(seed).integers(0, 3, size=len(X))
        weights[:3] = 1
        repeated = np.random.default_rng(seed).permutation(np.repeat(X, weights, axis=0))
        weighted = KMeans(3).fit(X, sample_weight=weights)
        np.testing.assert_allclose(
            KMeans(3).fit(repeated).cluster_centers_, weighted.cluster_centers_, atol=1e-9
        )


def test_a_huge_offset_does_not_blur_the_clusters() -> None:
    X = np.array([[0.0], [1.0], [9.0], [10.0]]) + 1e9
    model = KMeans(2).fit(X)
    assert sorted((model.cluster_centers_.ravel() - 1e9).tolist()) == [0.5, 9.5]
    assert model.inertia_ == 1.0


def test_fewer_points_than_clusters_that_differ_are_told() -> None:
    with pytest.warns(ConvergenceWarning, match="2 distinct clusters, fewer than n_clusters=3"):
        KMeans(3).fit([[0.0], [0.0], [1.0], [1.0]])
    with pytest.raises(ValueError, match="n_samples=2 should be >= n_clusters=3"):
        KMeans(3).fit([[0.0], [1.0]])
    with pytest.raises(ValueError, match="init must have a row for each of 2 clusters"):
        KMeans(2, init=[[0.0]]).fit([[0.0], [1.0]])


def test_a_centre_of_small_batches_is_the_mean_of_all_that_was_assigned_to_it() -> None:
    rng = np.random.default_rng(0)
    model = MiniBatchKMeans(3, init=rng.normal(size=(3, 2)))
    sums, counts = np.zeros((3, 2)), np.zeros(3)
    for _ in range(20):
        batch = rng.normal(size=(10, 2))
        before = model.cluster_centers_ if counts.any() else np.asarray(model.init)
        nearest = ((batch[:, None] - before) ** 2).sum(axis=2).argmin(axis=1)
        np.add.at(sums, nearest, batch)
        np.add.at(counts, nearest, 1)
        model.partial_fit(batch)
        seen = counts > 0
        expected = sums[seen] / counts[seen, None]
        np.testing.assert_allclose(model.cluster_centers_[seen], expected, atol=1e-12)
    np.testing.assert_array_equal(model.counts_, counts)


def test_small_batches_find_clear_clusters() -> None:
    sample = make_mixture(4000, CORNERS, covariances=0.01, random_state=0)
    model = MiniBatchKMeans(4, batch_size=100, max_iter=2).fit(sample.X)
    found = model.cluster_centers_[np.lexsort(model.cluster_centers_.round().T)]
    np.testing.assert_allclose(found, sorted(CORNERS, key=lambda c: c[::-1]), atol=0.1)


def test_furthest_first_takes_the_outlier() -> None:
    X = np.r_[np.random.default_rng(0).normal(size=(50, 2)), [[100.0, 0.0]]]
    for seed in range(20):
        assert 50 in furthest_first(X, 2, random_state=seed)[1]
    _, chosen = furthest_first(X, 51, random_state=0)
    assert sorted(chosen.tolist()) == list(range(51))


def test_furthest_first_covers_with_at_most_twice_the_least_radius() -> None:
    for seed in range(20):
        X = np.random.default_rng(seed).normal(size=(9, 2))
        table = cdist(X, X)
        _, chosen = furthest_first(X, 3, random_state=seed)
        radius = table[:, chosen].min(axis=1).max()
        pairs = table[np.ix_(chosen, chosen)][np.triu_indices(3, 1)]
        assert pairs.min() >= radius  # the next point is no farther than these are apart
        least = min(
            table[:, list(rows)].min(axis=1).max() for rows in itertools.combinations(range(9), 3)
        )
        assert radius <= 2 * least


def test_medoids_that_still_change_are_reported_with_their_nearest_points() -> None:
    X = np.random.default_rng(0).normal(size=(80, 2))
    with pytest.warns(ConvergenceWarning, match="made 1 iterations and its medoids still change"):
        model = KMedoids(4, n_init=1, max_iter=1).fit(X)
    to_medoids = cdist(X, X[model.medoid_indices_])
    np.testing.assert_array_equal(model.labels_, to_medoids.argmin(axis=1))
    assert model.inertia_ == pytest.approx(to_medoids.min(axis=1).sum())


def test_no_member_of_a_cluster_is_a_better_medoid() -> None:
    for seed in range(30):
        X, start = problem(seed)
        distances = cdist(X, X, "cityblock")
        medoids, labels = k_medoids(distances, np.arange(len(start)))
        for k, m in enumerate(medoids):
            members = np.flatnonzero(labels == k)
            assert m == members[medoid(distances[np.ix_(members, members)])] or np.isclose(
                distances[m, members].sum(), distances[np.ix_(members, members)].sum(axis=1).min()
            )
        np.testing.assert_allclose(
            distances[np.arange(len(X)), medoids[labels]], distances[:, medoids].min(axis=1)
        )


def test_medoids_need_no_coordinates() -> None:
    words = ["cat", "cut", "cot", "house", "mouse", "horse"]
    differ = [
        [sum(a != b for a, b in zip(u.ljust(5), v.ljust(5), strict=True)) for v in words]
        for u in words
    ]
    model = KMedoids(2, metric="precomputed").fit(differ)
    assert len(set(model.labels_[:3])) == len(set(model.labels_[3:])) == 1
    assert model.labels_[0] != model.labels_[3]


@pytest.mark.parametrize("name", ["single", "complete", "average", "centroid", "ward"])
def test_mergers_are_those_of_scipy(name: str) -> None:
    for seed in range(50):
        X = np.random.default_rng(seed).normal(size=(12, 2))
        squared = name in ("centroid", "ward")
        mergers = agglomerate(cdist(X, X) ** (2 if squared else 1), name)
        expected = linkage(X, name)
        np.testing.assert_array_equal(mergers[:, [0, 1, 3]], expected[:, [0, 1, 3]])
        heights = np.sqrt(mergers[:, 2]) if squared else mergers[:, 2]
        np.testing.assert_allclose(heights, expected[:, 2])


def test_the_distance_of_a_union_follows_from_those_of_its_parts() -> None:
    for seed in range(50):
        rng = np.random.default_rng(seed)
        parts = [rng.normal(size=(int(rng.integers(1, 5)), 2)) for _ in range(3)]
        sizes = [len(p) for p in parts]

        def between(a: Any, b: Any, name: str) -> float:
            table = cdist(a, b)
            square = float(((a.mean(axis=0) - b.mean(axis=0)) ** 2).sum())
            return {
                "single": float(table.min()),
                "complete": float(table.max()),
                "average": float(table.mean()),
                "centroid": square,
                "ward": 2 * len(a) * len(b) / (len(a) + len(b)) * square,
            }[name]

        i, j, other = parts
        for name in ("single", "complete", "average", "centroid", "ward"):
            d = [between(a, b, name) for a, b in ((i, other), (j, other), (i, j))]
            expected = between(np.vstack([i, j]), other, name)
            assert lance_williams(name, *d, *sizes) == pytest.approx(expected)


def test_the_minimum_spanning_tree_has_the_heights_of_single_linkage() -> None:
    for seed in range(50):
        X = np.random.default_rng(seed).normal(size=(15, 3))
        edges = single_linkage_mst(cdist(X, X))
        np.testing.assert_allclose(edges[:, 2], linkage(X, "single")[:, 2])
        assert edges[:, 2].sum() == pytest.approx(minimum_spanning_tree(cdist(X, X)).sum())


def test_a_cut_has_as_many_clusters_as_asked_for() -> None:
    for seed in range(20):
        X = np.random.default_rng(seed).normal(size=(12, 2))
        mergers = linkage(X, "average")
        for k in range(1, 13):
            found = cut_dendrogram(mergers, k)
            expected = fcluster(mergers, k, "maxclust")
            assert len(np.unique(found)) == k
            same = found[:, None] == found
            np.testing.assert_array_equal(same, expected[:, None] == expected)


def test_a_new_sample_joins_the_cluster_that_the_linkage_calls_nearest() -> None:
    X = np.array([[0.0], [1.0], [2.0], [3.0], [7.0]])
    far = [[4.6]]
    answers = {
        name: int(AgglomerativeClustering(2, linkage=name).fit(X).predict(far)[0])
        for name in ("single", "complete", "average", "centroid", "ward")
    }
    # Its nearest neighbour is 3, but 7 is nearer than the mean of the others and their far end.
    assert answers == {"single": 0, "complete": 1, "average": 1, "centroid": 1, "ward": 1}


def test_within_and_between_add_up_to_the_total() -> None:
    for seed in range(20):
        X, _ = problem(seed)
        labels = np.random.default_rng(seed).integers(0, 3, size=len(X))
        total = float(((X - X.mean(axis=0)) ** 2).sum())
        assert sum(within_between(X, labels)) == pytest.approx(total)


def test_partitions_are_counted_exactly() -> None:
    for n in range(7):
        for k in range(8):
            maps = itertools.product(range(k), repeat=n)
            onto = sum(len(set(found)) == k for found in maps)
            assert stirling2(n, k) * math.factorial(k) == onto
