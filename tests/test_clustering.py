"""k-means against scikit-learn's, and its starting centres: rows of the data, far apart."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.cluster import KMeans

from mlnotes.clustering import kmeans_plus_plus, lloyd
from mlnotes.data import make_mixture

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
        theirs = KMeans(4, init=start, n_init=1, algorithm="lloyd", tol=0.0).fit(X)
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
