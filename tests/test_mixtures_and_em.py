"""Mixtures and EM: likelihoods that never fall, exact updates, and what happens at the edges."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import logsumexp
from scipy.stats import multivariate_normal
from sklearn.mixture import GaussianMixture as Reference

from mlnotes import mixtures_and_em
from mlnotes.data import load_digits, make_mixture
from mlnotes.exceptions import ConvergenceWarning
from mlnotes.mixtures_and_em import (
    BernoulliMixture,
    GaussianMixture,
    bernoulli_log_joint,
    elbo,
    em_step,
    expectation_maximisation,
    gaussian_log_joint,
    log_evidence,
    responsibilities,
)

TYPES = ["full", "diag", "spherical", "tied"]
ILL = [[[1.0, 0.6], [0.6, 0.5]], [[0.3, 0.0], [0.0, 2.0]], [[0.5, -0.2], [-0.2, 0.4]]]


@pytest.fixture(scope="module")
def clouds() -> Any:
    """Three overlapping clouds of different shapes."""
    return make_mixture(
        400, [[0, 0], [3, 1], [0, 3]], covariances=ILL, weights=[0.5, 0.3, 0.2], random_state=0
    ).X


@pytest.fixture(scope="module")
def start(clouds: Any) -> tuple[Any, Any, Any]:
    return np.full(3, 1 / 3), clouds[:3], np.repeat(np.cov(clouds.T)[None], 3, axis=0)


def naive_em(X: Any, start: Any, steps: int) -> tuple[Any, Any, Any, list[float]]:
    """EM for full covariances as the formulas say it, point by point."""
    weights, means, covariances = (np.array(part) for part in start)
    values = []
    for _ in range(steps):
        columns = zip(weights, means, covariances, strict=True)
        joint = np.transpose(
            [np.log(w) + multivariate_normal(m, S).logpdf(X) for w, m, S in columns]
        )
        evidence = logsumexp(joint, axis=1)
        values.append(evidence.sum())
        r = np.exp(joint - evidence[:, None])
        masses = r.sum(axis=0)
        weights = masses / len(X)
        means = np.array([r[:, k] @ X / masses[k] for k in range(len(masses))])
        covariances = np.array(
            [
                sum(g * np.outer(x - m, x - m) for g, x in zip(r[:, k], X, strict=True)) / masses[k]
                for k, m in enumerate(means)
            ]
        )
    return weights, means, covariances, values


logs = st.floats(-800, 50)
tables = st.integers(1, 4).flatmap(
    lambda k: st.lists(st.lists(logs, min_size=k, max_size=k), min_size=1, max_size=5)
)


@given(tables)
def test_responsibilities_of_a_point_are_nonnegative_and_sum_to_one(table: Any) -> None:
    shares = responsibilities(table)
    assert (shares >= 0).all()
    np.testing.assert_allclose(shares.sum(axis=1), 1)


@given(tables)
def test_the_evidence_is_the_log_of_the_sum_without_underflow(table: Any) -> None:
    np.testing.assert_allclose(
        log_evidence(table), logsumexp(table, axis=1), rtol=1e-12, atol=1e-12
    )


@given(tables, st.integers(0, 1000))
def test_the_bound_is_below_the_log_likelihood_and_touches_at_the_posterior(
    table: Any, seed: int
) -> None:
    likelihood = log_evidence(table).sum()
    slack = 1e-10 * (1 + np.abs(table).sum())
    q = np.random.default_rng(seed).dirichlet(np.ones(len(table[0])), size=len(table))
    assert elbo(table, q) <= likelihood + slack
    assert elbo(table, responsibilities(table)) == pytest.approx(likelihood, abs=slack)


def test_a_bound_without_the_entropy_does_not_touch() -> None:
    # erratum-004-jensen-entropy
    joint = np.log([[0.2, 0.3]])
    q = responsibilities(joint)
    assert elbo(joint, q) == pytest.approx(np.log(0.5))
    assert (q * joint).sum() == pytest.approx(-1.3662, abs=1e-4)


def test_a_component_without_density_gets_no_share() -> None:
    np.testing.assert_array_equal(responsibilities([[0.0, -np.inf]]), [[1.0, 0.0]])
    assert elbo([[0.0, -np.inf]], [[1.0, 0.0]]) == 0.0
    assert elbo([[0.0, -np.inf]], [[0.5, 0.5]]) == -np.inf


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ([1.0], "a row for each point"),
        ([[np.nan, 0.0]], "log_joint must be a number"),
        ([[-np.inf, -np.inf]], "at least one of them finite"),
    ],
)
def test_a_table_that_is_none_is_refused(table: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        responsibilities(table)


def test_the_bound_refuses_what_is_no_distribution() -> None:
    with pytest.raises(ValueError, match="nonnegative, with sum 1"):
        elbo([[0.0, 0.0]], [[0.9, 0.9]])
    with pytest.raises(ValueError, match="shape"):
        elbo([[0.0, 0.0]], [[1.0]])


def test_gaussian_densities_are_those_of_scipy(clouds: Any, start: Any) -> None:
    expected = [
        np.log(w) + multivariate_normal(m, S).logpdf(clouds) for w, m, S in zip(*start, strict=True)
    ]
    np.testing.assert_allclose(gaussian_log_joint(clouds, *start), np.transpose(expected))


def test_a_mixture_density_integrates_to_one() -> None:
    grid = np.linspace(-15, 15, 6001)[:, None]
    joint = gaussian_log_joint(grid, [0.3, 0.7], [[-2.0], [3.0]], [[[0.5]], [[2.0]]])
    density = np.exp(log_evidence(joint))
    assert np.trapezoid(density, grid.ravel()) == pytest.approx(1.0, abs=1e-9)
    one = np.exp(joint)
    # erratum-002b-em-missing-sum: each summand alone is the joint density, of mass pi_k
    np.testing.assert_allclose(np.trapezoid(one, grid.ravel(), axis=0), [0.3, 0.7], atol=1e-9)


def test_bernoulli_probabilities_of_all_points_sum_to_one() -> None:
    corners = np.array([[a, b, c] for a in (0, 1) for b in (0, 1) for c in (0, 1)])
    theta = [[0.2, 0.5, 0.9], [0.7, 0.1, 0.4]]
    joint = bernoulli_log_joint(corners, [0.25, 0.75], theta)
    assert np.exp(joint).sum() == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("weights", "means", "covariances", "message"),
    [
        ([0.5, 0.6], [[0.0], [1.0]], [[[1.0]], [[1.0]]], "sum to 1"),
        ([0.5, 0.5], [[0.0], [1.0]], [[[1.0]], [[-1.0]]], "positive definite"),
        ([0.5, 0.5], [[0.0, 1.0], [1.0, 0.0]], [[[1.0]], [[1.0]]], "shape"),
    ],
)
def test_impossible_gaussians_are_refused(
    weights: Any, means: Any, covariances: Any, message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        gaussian_log_joint([[0.0]], weights, means, covariances)


def test_impossible_coins_are_refused() -> None:
    with pytest.raises(ValueError, match="zeros and ones"):
        bernoulli_log_joint([[0.5]], [1.0], [[0.5]])
    with pytest.raises(ValueError, match="strictly between"):
        bernoulli_log_joint([[1.0]], [1.0], [[1.0]])


def test_five_steps_are_those_of_the_formulas(clouds: Any, start: Any) -> None:
    weights, means, covariances, values = naive_em(clouds, start, 5)
    with pytest.warns(ConvergenceWarning):
        model = GaussianMixture(3, start=start, max_iter=5, tol=1e-12).fit(clouds)
    np.testing.assert_allclose(model.log_likelihoods_[:5], values, rtol=1e-11)
    np.testing.assert_allclose(model.weights_, weights, rtol=1e-9)
    np.testing.assert_allclose(model.means_, means, rtol=1e-8, atol=1e-9)
    np.testing.assert_allclose(model.covariances_, covariances, rtol=1e-8, atol=1e-9)


@pytest.mark.parametrize("kind", TYPES)
def test_same_start_same_likelihood_as_scikit_learn(kind: str, clouds: Any, start: Any) -> None:
    weights, means, covariances = start
    precisions = {
        "full": np.linalg.inv(covariances),
        "tied": np.linalg.inv(covariances[0]),
        "diag": 1 / np.diagonal(covariances, axis1=1, axis2=2),
        "spherical": np.full(3, 1 / np.trace(covariances[0]) * 2),
    }[kind]
    reference = Reference(
        3,
        covariance_type=kind,
        weights_init=weights,
        means_init=means,
        precisions_init=precisions,
        reg_covar=0.0,
        tol=1e-9,
        max_iter=5000,
    ).fit(clouds)
    if kind == "spherical":
        covariances = np.repeat(np.eye(2)[None] * np.trace(covariances[0]) / 2, 3, axis=0)
    ours = GaussianMixture(
        3,
        covariance_type=kind,
        start=(weights, means, covariances),
        tol=1e-9,
        max_iter=5000,
    ).fit(clouds)
    assert ours.score(clouds) == pytest.approx(reference.score(clouds), abs=1e-7)
    np.testing.assert_allclose(ours.means_, reference.means_, atol=1e-3)
    assert ours.covariances_.shape == reference.covariances_.shape
    np.testing.assert_allclose(ours.covariances_, reference.covariances_, atol=1e-3)
    # The criteria count the same parameters.
    assert ours.bic(clouds) == pytest.approx(reference.bic(clouds), abs=1e-3)
    assert ours.aic(clouds) == pytest.approx(reference.aic(clouds), abs=1e-3)


@settings(deadline=None, max_examples=25)
@given(
    st.integers(0, 10**6),
    st.sampled_from(TYPES),
    st.integers(1, 4),
    st.integers(1, 3),
    st.floats(-6, 6),
)
@pytest.mark.filterwarnings("ignore::mlnotes.exceptions.ConvergenceWarning")
def test_the_log_likelihood_never_falls(
    seed: int, kind: str, k: int, d: int, exponent: float
) -> None:
    rng = np.random.default_rng(seed)
    X = rng.standard_t(2, size=(30, d)) * 10**exponent + rng.normal() * 10**exponent
    model = GaussianMixture(k, covariance_type=kind, random_state=seed, max_iter=40).fit(X)
    gains = np.diff(model.log_likelihoods_)
    assert (gains >= -1e-6).all()
    assert model.log_likelihoods_[-1] == pytest.approx(model.score(X) * 30)


def test_a_step_that_is_not_of_em_is_noticed() -> None:
    with pytest.raises(ArithmeticError, match="thm-em-monotone"):
        expectation_maximisation(lambda t: (t, -t), lambda t: t + 1, 0.0)
    with pytest.raises(ArithmeticError, match="thm-em-monotone"):
        expectation_maximisation(lambda t: (t, float("nan")), lambda t: t, 0.0)


def test_a_run_says_how_it_ended() -> None:
    run = expectation_maximisation(lambda t: (t, -(t**2)), lambda t: t / 2, 1.0, max_iter=3)
    assert (run.n_iter, run.converged) == (3, False)
    np.testing.assert_array_equal(run.log_likelihoods, [-1, -1 / 4, -1 / 16, -1 / 64])
    run = expectation_maximisation(lambda t: (t, -(t**2)), lambda t: t / 2, 1.0, tol=0.2)
    assert run.converged
    with pytest.raises(ValueError, match="max_iter"):
        expectation_maximisation(lambda t: (t, 0.0), lambda t: t, 0.0, max_iter=0)


@pytest.mark.parametrize("kind", TYPES)
def test_a_fixed_point_is_a_stationary_point_of_the_likelihood(kind: str, clouds: Any) -> None:
    model = GaussianMixture(2, covariance_type=kind, tol=1e-13, max_iter=20000).fit(clouds)
    spread = model.covariances_
    full = {
        "full": lambda: spread,
        "tied": lambda: np.repeat(spread[None], 2, axis=0),
        "diag": lambda: np.array([np.diag(v) for v in spread]),
        "spherical": lambda: np.array([np.eye(2) * v for v in spread]),
    }[kind]()

    def likelihood(means: Any, weight: float) -> float:
        weights = [weight, 1 - weight]
        return float(log_evidence(gaussian_log_joint(clouds, weights, means, full)).sum())

    step = 1e-4
    weight = float(model.weights_[0])
    for entry in np.ndindex(2, 2):
        shift = np.zeros((2, 2))
        shift[entry] = step
        slope = likelihood(model.means_ + shift, weight) - likelihood(model.means_ - shift, weight)
        assert abs(slope / (2 * step)) < 1e-2
    slope = likelihood(model.means_, weight + step) - likelihood(model.means_, weight - step)
    assert abs(slope / (2 * step)) < 1e-2


@pytest.mark.parametrize("kind", TYPES)
def test_chunks_change_nothing_but_rounding(kind: str, clouds: Any) -> None:
    whole = GaussianMixture(3, covariance_type=kind, chunk_size=400).fit(clouds)
    for size in (1, 7, 399, None):
        model = GaussianMixture(3, covariance_type=kind, chunk_size=size).fit(clouds)
        assert model.n_iter_ == whole.n_iter_
        np.testing.assert_allclose(model.log_likelihoods_, whole.log_likelihoods_, rtol=1e-10)
        np.testing.assert_allclose(model.means_, whole.means_, rtol=1e-7, atol=1e-9)


def test_data_on_disk_give_the_same_result(tmp_path: Path, clouds: Any) -> None:
    stored = np.memmap(tmp_path / "clouds", dtype=np.float64, mode="w+", shape=clouds.shape)
    stored[:] = clouds
    stored.flush()
    model = GaussianMixture(3, chunk_size=50).fit(stored)
    np.testing.assert_array_equal(
        model.means_, GaussianMixture(3, chunk_size=50).fit(clouds).means_
    )


def test_units_and_offsets_change_nothing_but_units(clouds: Any) -> None:
    plain = GaussianMixture(3, tol=1e-6, max_iter=1000).fit(clouds)
    factors, offsets = np.array([1e-9, 1e5]), np.array([1e-3, 1e9])
    moved = GaussianMixture(3, tol=1e-6, max_iter=1000).fit(clouds * factors + offsets)
    np.testing.assert_allclose((moved.means_ - offsets) / factors, plain.means_, atol=1e-5)
    jacobian = len(clouds) * np.log(factors).sum()
    np.testing.assert_allclose(moved.log_likelihoods_ + jacobian, plain.log_likelihoods_, rtol=1e-6)


def test_a_collapse_is_held_up_and_reported() -> None:
    X = np.r_[np.random.default_rng(0).normal(size=30), [50.0] * 3][:, None]
    start = ([0.9, 0.1], [[0.0], [50.0]], [[[1.0]], [[1.0]]])
    with pytest.warns(ConvergenceWarning, match=r"component\(s\) \[1\] collapsed"):
        model = GaussianMixture(2, start=start).fit(X)
    np.testing.assert_array_equal(model.collapsed_, [False, True])
    assert model.covariances_[1, 0, 0] == pytest.approx(1e-6 * X.var())
    assert (np.diff(model.log_likelihoods_) >= 0).all()


def test_a_component_that_dies_keeps_its_place_and_is_reported(clouds: Any) -> None:
    far = ([0.5, 0.5], [[0.0, 1.0], [1e6, 1e6]], np.repeat(np.eye(2)[None], 2, axis=0))
    for kind in TYPES:
        with pytest.warns(ConvergenceWarning, match=r"lost component\(s\) \[1\]"):
            model = GaussianMixture(2, covariance_type=kind, start=far).fit(clouds)
        np.testing.assert_array_equal(model.empty_, [False, True])
        np.testing.assert_allclose(model.weights_, [1.0, 0.0])
        np.testing.assert_allclose(model.means_[0], clouds.mean(axis=0))
        assert np.isfinite(model.means_).all()
        assert (model.predict(clouds) == 0).all()


@pytest.mark.parametrize("kind", TYPES)
@pytest.mark.filterwarnings("ignore::mlnotes.exceptions.ConvergenceWarning")
def test_degenerate_data_give_finite_answers(kind: str) -> None:
    rng = np.random.default_rng(0)
    for X in (
        np.ones((6, 2)),
        np.column_stack([rng.normal(size=20), np.full(20, 1e12)]),
        rng.normal(size=(4, 9)),
        np.repeat(rng.normal(size=(3, 2)), 5, axis=0),
        rng.normal(size=(20, 2)) * 1e150,
        rng.normal(size=(20, 2)) * 1e-150,
    ):
        model = GaussianMixture(3, covariance_type=kind).fit(X)
        assert np.isfinite(model.log_likelihoods_).all()
        np.testing.assert_allclose(model.predict_proba(X).sum(axis=1), 1)
        assert np.isfinite(model.means_).all()


def test_more_starts_never_end_lower(clouds: Any) -> None:
    one = GaussianMixture(5, random_state=3).fit(clouds)
    many = GaussianMixture(5, random_state=3, n_init=8).fit(clouds)
    assert many.log_likelihoods_[-1] >= one.log_likelihoods_[-1]


def test_the_criterion_of_bayes_finds_the_number_of_clouds() -> None:
    sample = make_mixture(600, [[-5, 0], [5, 0], [0, 6]], random_state=1)
    scores = [GaussianMixture(k, n_init=3).fit(sample.X).bic(sample.X) for k in range(1, 6)]
    assert int(np.argmin(scores)) + 1 == 3


@pytest.mark.parametrize("kind", TYPES)
def test_samples_have_the_moments_of_the_mixture(kind: str, clouds: Any) -> None:
    model = GaussianMixture(3, covariance_type=kind).fit(clouds)
    X, components = model.sample(200_000, random_state=1)
    for k in range(3):
        mine = X[components == k]
        assert len(mine) / len(X) == pytest.approx(model.weights_[k], abs=0.006)
        np.testing.assert_allclose(mine.mean(axis=0), model.means_[k], atol=0.03)
    expected = model.covariances_[0] if kind != "tied" else model.covariances_
    found = np.cov(X[components == 0].T)
    if kind == "diag":
        found = np.diag(found)
    if kind == "spherical":
        found = np.diag(found).mean()
    np.testing.assert_allclose(found, expected, atol=0.06)


def test_components_are_those_of_the_data_when_they_lie_apart() -> None:
    sample = make_mixture(300, [[-8, 0], [8, 0], [0, 9]], random_state=0)
    labels = GaussianMixture(3).fit_predict(sample.X)
    assert len(set(zip(labels.tolist(), sample.y.tolist(), strict=True))) == 3


def test_a_large_sample_is_started_from_some_of_its_rows() -> None:
    sample = make_mixture(25_000, [[-8.0], [8.0]], random_state=0)
    model = GaussianMixture(2).fit(sample.X)
    np.testing.assert_allclose(np.sort(model.means_.ravel()), [-8, 8], atol=0.05)


def test_the_likelihood_of_free_variances_is_unbounded(clouds: Any) -> None:
    # erratum-002b-gmm-unbounded-likelihood: each shrinking by 10 gains d log 10
    values = []
    for sd in (1e-3, 1e-4, 1e-5, 1e-6):
        spread = [np.eye(2) * sd**2, np.cov(clouds.T)]
        means = [clouds[0], clouds.mean(axis=0)]
        joint = gaussian_log_joint(clouds, [0.5, 0.5], means, spread)
        values.append(log_evidence(joint).sum())
    np.testing.assert_allclose(np.diff(values), 2 * np.log(10), rtol=1e-3)


def test_small_variances_make_responsibilities_hard_as_the_bound_says(clouds: Any) -> None:
    centres = clouds[:3]
    distances = ((clouds[:, None] - centres) ** 2).sum(axis=2)
    nearest = np.sort(distances, axis=1)
    for variance in (1.0, 0.1, 0.01):
        joint = gaussian_log_joint(
            clouds, [1 / 3] * 3, centres, np.repeat(np.eye(2)[None] * variance, 3, axis=0)
        )
        shares = np.sort(responsibilities(joint), axis=1)
        # thm-hard-responsibilities, for the second nearest centre
        bound = np.exp((nearest[:, 0] - nearest[:, 1]) / (2 * variance))
        assert (shares[:, 1] <= bound + 1e-12).all()
        # lem-soft-minimum-above and -below: the k-means cost, up to 2 s log K for each point
        soft = -2 * variance * logsumexp(-distances / (2 * variance), axis=1)
        assert (soft <= nearest[:, 0] + 1e-12).all()
        assert (soft >= nearest[:, 0] - 2 * variance * np.log(3) - 1e-12).all()


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"n_components": 0}, "n_components"),
        ({"covariance_type": "round"}, "'full', 'diag', 'spherical' or 'tied'"),
        ({"tol": 0.0}, "tol"),
        ({"floor": -1.0}, "floor"),
        ({"chunk_size": 0}, "chunk_size"),
        ({"n_init": 0}, "n_init"),
        ({"start": ([1.0], [[0.0, 0.0]], [np.eye(2)])}, "n_components is 2"),
        ({"start": ([1.0], [[0.0, 0.0]])}, r"a tuple \(weights, means, covariances\)"),
        ({"start": "kmeans"}, r"a tuple \(weights, means, covariances\), got 'kmeans'"),
    ],
)
def test_impossible_parameters_are_refused(parameters: Any, message: str, clouds: Any) -> None:
    with pytest.raises(ValueError, match=message):
        GaussianMixture(**{"n_components": 2, **parameters}).fit(clouds)


@pytest.mark.parametrize("kind", TYPES)
def test_a_start_with_unequal_covariances_is_brought_into_the_family(
    kind: str, clouds: Any
) -> None:
    means = [[-1.0, 0.0], [1.0, 0.5]]
    spread = np.array([np.diag([1.0, 0.01]), np.diag([0.01, 1.0])])
    spread[0, 0, 1] = spread[0, 1, 0] = 0.05
    model = GaussianMixture(2, covariance_type=kind, start=([0.25, 0.75], means, spread)).fit(
        clouds
    )
    assert (np.diff(model.log_likelihoods_) >= -1e-9).all()
    own = {
        "full": spread,
        "diag": [np.diag(np.diag(part)) for part in spread],
        "spherical": [np.eye(2) * np.diag(part).mean() for part in spread],
        "tied": [0.25 * spread[0] + 0.75 * spread[1]] * 2,
    }[kind]
    table = gaussian_log_joint(clouds, [0.25, 0.75], means, own)
    np.testing.assert_allclose(model.log_likelihoods_[0], log_evidence(table).sum(), rtol=1e-9)


@pytest.mark.parametrize("kind", [GaussianMixture, BernoulliMixture])
def test_a_given_start_is_used_once(kind: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    runs = []
    run = mixtures_and_em.expectation_maximisation
    monkeypatch.setattr(
        "mlnotes.mixtures_and_em._base.expectation_maximisation",
        lambda *arguments, **options: runs.append(1) or run(*arguments, **options),
    )
    start: Any = ([0.5, 0.5], [[0.4] * 5, [0.6] * 5])
    X = BITS
    if kind is GaussianMixture:
        start, X = (*start, [np.eye(5)] * 2), np.random.default_rng(0).normal(size=(60, 5))
    kind(2, start=start, n_init=7).fit(X)
    assert len(runs) == 1
    kind(2, n_init=3).fit(X)
    assert len(runs) == 4


def test_fewer_points_than_components_are_refused() -> None:
    with pytest.raises(ValueError, match="minimum of 5"):
        GaussianMixture(5).fit([[0.0], [1.0]])


BITS = (np.random.default_rng(0).random((60, 5)) < 0.4).astype(float)


def test_a_bernoulli_step_is_that_of_the_formulas() -> None:
    weights, theta = np.array([0.3, 0.7]), np.random.default_rng(1).uniform(0.2, 0.8, (2, 5))
    joint = np.log(weights) + np.array(
        [[(np.log(t) @ x + np.log(1 - t) @ (1 - x)) for t in theta] for x in BITS]
    )
    r = np.exp(joint - logsumexp(joint, axis=1)[:, None])
    with pytest.warns(ConvergenceWarning):
        model = BernoulliMixture(2, start=(weights, theta), max_iter=1).fit(BITS)
    np.testing.assert_allclose(model.weights_, r.mean(axis=0))
    np.testing.assert_allclose(model.theta_, (r.T @ BITS) / r.sum(axis=0)[:, None])
    assert model.log_likelihoods_[0] == pytest.approx(logsumexp(joint, axis=1).sum())


@settings(deadline=None, max_examples=25)
@given(st.integers(0, 10**6), st.integers(1, 4), st.integers(1, 6))
@pytest.mark.filterwarnings("ignore::mlnotes.exceptions.ConvergenceWarning")
def test_the_log_likelihood_of_bits_never_falls(seed: int, k: int, d: int) -> None:
    rng = np.random.default_rng(seed)
    X = (rng.random((25, d)) < rng.random(d)).astype(float)
    model = BernoulliMixture(k, random_state=seed).fit(X)
    assert (np.diff(model.log_likelihoods_) >= -1e-9).all()
    assert model.log_likelihoods_[-1] == pytest.approx(model.score(X) * 25)


def test_handwritten_digits_fall_into_clusters_without_labels() -> None:
    digits = load_digits([0, 1])
    model = BernoulliMixture(2, threshold=digits.X.mean(), n_init=3).fit(digits.X)
    found = model.predict(digits.X)
    agreement = np.mean(found == (digits.y == digits.y.max()))
    assert max(agreement, 1 - agreement) > 0.95
    assert model.bic(digits.X) < BernoulliMixture(1, threshold=digits.X.mean()).fit(digits.X).bic(
        digits.X
    )


def test_drawn_bits_have_the_frequencies_of_the_mixture() -> None:
    model = BernoulliMixture(2, n_init=3).fit(BITS)
    X, components = model.sample(100_000, random_state=0)
    for k in range(2):
        np.testing.assert_allclose(X[components == k].mean(axis=0), model.theta_[k], atol=0.02)


def test_bits_in_chunks_give_the_same_result() -> None:
    whole = BernoulliMixture(3).fit(BITS)
    parts = BernoulliMixture(3, chunk_size=7).fit(BITS)
    np.testing.assert_allclose(parts.theta_, whole.theta_, rtol=1e-9)


def test_an_empty_coin_keeps_its_probabilities() -> None:
    start = ([1.0, 0.0], [[0.5] * 5, [0.2] * 5])
    with pytest.warns(ConvergenceWarning, match="lost component"):
        model = BernoulliMixture(2, start=start).fit(BITS)
    np.testing.assert_array_equal(model.theta_[1], [0.2] * 5)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"floor": 0.7}, "floor must be a number above 0 and below 0.5"),
        ({"start": ([0.5, 0.5], [[0.5], [0.5]])}, "5 features"),
        ({"start": ([0.5, 0.6], [[0.5] * 5] * 2)}, "sum to 1"),
        ({"start": ([0.5, 0.5],)}, r"a tuple \(weights, theta\)"),
        ({"start": ([0.5, 0.5], [[2.0] * 5, [-1.0] * 5])}, "strictly between 0 and 1"),
        ({"threshold": np.nan}, "threshold must be a finite number"),
    ],
)
def test_impossible_coin_parameters_are_refused(parameters: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        BernoulliMixture(2, **parameters).fit(BITS)


def test_an_iteration_of_the_estimator_is_a_step_of_em_on_random_problems() -> None:
    for seed in range(50):
        rng = np.random.default_rng(seed)
        k, d = int(rng.integers(1, 4)), int(rng.integers(1, 4))
        X = 3.0 * rng.normal(size=(30, d)) + rng.normal(size=d)
        first = np.full(k, 1 / k), X[:k], np.repeat(4.0 * np.eye(d)[None], k, axis=0)
        once, twice = em_step(X, *first), em_step(X, *em_step(X, *first))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            for n_steps, found in ((1, once), (2, twice)):
                model = GaussianMixture(k, start=first, max_iter=n_steps, tol=1e-12, floor=1e-9)
                model.fit(X)
                np.testing.assert_allclose(model.weights_, found[0], atol=1e-9)
                np.testing.assert_allclose(model.means_, found[1], atol=1e-8)
                np.testing.assert_allclose(model.covariances_, found[2], atol=1e-7)
        before, after = (log_evidence(gaussian_log_joint(X, *at)).sum() for at in (first, once))
        assert after >= before - 1e-9


def test_a_component_that_lost_all_points_has_no_step() -> None:
    far = [0.5, 0.5], [[0.0], [1e9]], [[[1.0]], [[1.0]]]
    with pytest.raises(ValueError, match="lost all points"):
        em_step([[0.0], [1.0]], *far)
