"""Sample sizes to the last unit, guarantees against simulation, the learner against brute force."""

from __future__ import annotations

import math
from decimal import Decimal, localcontext
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mlnotes import pac_learning as pac
from mlnotes.concentration import binomial_tail, clopper_pearson, hoeffding_bound
from mlnotes.pac_learning import ThresholdERM

unit = st.floats(1e-3, 0.999)
sizes = st.integers(1, 10**30)


@given(sizes, unit, unit, st.booleans())
@settings(max_examples=150)
def test_the_sample_size_is_tight_to_the_last_unit(
    count: int, epsilon: float, delta: float, realisable: bool
) -> None:
    n = pac.pac_sample_size(count, epsilon, delta, realisable=realisable)
    assert isinstance(n, int)
    assert pac.pac_failure_bound(n, count, epsilon, realisable=realisable) <= delta
    if n > 1:
        assert pac.pac_failure_bound(n - 1, count, epsilon, realisable=realisable) > delta


@given(sizes, unit, unit, st.booleans())
@settings(max_examples=100)
def test_the_sample_size_is_the_theorems_in_fifty_digits(
    count: int, epsilon: float, delta: float, realisable: bool
) -> None:
    with localcontext() as context:
        context.prec = 50
        if realisable:
            size = (count / Decimal(delta)).ln() / Decimal(epsilon)
        else:
            size = 2 / Decimal(epsilon) ** 2 * (2 * count / Decimal(delta)).ln()
        whole = abs(size - size.to_integral_value()) < Decimal("1e-9") * max(size, 1)
        expected = max(1, int(size.to_integral_value(rounding="ROUND_CEILING")))
    if not whole:
        assert pac.pac_sample_size(count, epsilon, delta, realisable=realisable) == expected


def test_the_numbers_of_the_chapter() -> None:
    assert 2 / 0.1**2 * math.log(2 * 1000 / 0.05) == pytest.approx(2119.33, abs=0.01)
    assert pac.pac_sample_size(1000, 0.1, 0.05) == 2120
    assert pac.pac_error(2 * 2120, 1000, 0.05) == pytest.approx(0.0707, abs=1e-4)
    assert pac.pac_sample_size(10**100, 0.1, 0.05) == 46790
    assert pac.pac_sample_size(10**1000, 0.1, 0.05) == pytest.approx(
        200 * (1000 * math.log(10)), rel=1e-2
    )


@given(sizes, st.integers(1, 10**6), unit, st.booleans())
def test_the_error_form_undoes_the_failure_bound(
    count: int, n: int, delta: float, realisable: bool
) -> None:
    error = pac.pac_error(n, count, delta, realisable=realisable)
    assert 0 < error <= 1
    if error < 1:
        found = pac.pac_failure_bound(n, count, error, realisable=realisable)
        assert found == pytest.approx(delta, rel=1e-6)


def test_realisable_needs_fewer_examples_and_the_ratio_grows_like_one_over_epsilon() -> None:
    epsilon = np.array([0.2, 0.1, 0.05, 0.01])
    agnostic = pac.pac_sample_size(100, epsilon, 0.05)
    realisable = pac.pac_sample_size(100, epsilon, 0.05, realisable=True)
    assert (realisable < agnostic).all()
    logs = math.log(2 * 100 / 0.05) / math.log(100 / 0.05)
    np.testing.assert_allclose(agnostic / realisable * epsilon, 2 * logs, rtol=0.03)


@given(st.integers(1, 60), st.integers(0, 20))
@settings(max_examples=60)
def test_one_predictor_is_hoeffding_with_the_exact_tail_below(n: int, k: int) -> None:
    risk, gap = 0.3, (k + 1) / 40
    exact = binomial_tail(math.ceil(n * (risk + gap) - 1e-9), n, risk)
    assert exact <= hoeffding_bound(n, gap)
    assert pac.pac_failure_bound(n, 1, 2 * gap if gap <= 0.5 else 1.0) == pytest.approx(
        hoeffding_bound(n, gap if gap <= 0.5 else 0.5)
    )


@given(st.integers(1, 8), st.integers(1, 8), st.integers(0, 10**6))
@settings(max_examples=60)
def test_the_winner_is_the_first_of_the_rules_with_fewest_mistakes(
    n: int, rules: int, seed: int
) -> None:
    losses = np.random.default_rng(seed).integers(0, 2, size=(n, rules))
    mistakes = [sum(row[h] for row in losses.tolist()) for h in range(rules)]
    assert pac.empirical_risk_minimiser(losses) == mistakes.index(min(mistakes))


def simulated(n: int, target: float, noise: float, runs: int, seed: int, rules: Any) -> Any:
    """The experiment point by point, as one would describe it."""
    rng = np.random.default_rng(seed)
    chosen, deviations = [], []
    risks = noise + (1 - 2 * noise) * np.abs(rules - target)
    for _ in range(runs):
        x = rng.random(n)
        y = (x > target) ^ (rng.random(n) < noise)
        losses = (x[:, None] > rules) != y[:, None]
        chosen.append(pac.empirical_risk_minimiser(losses))
        deviations.append(pac.uniform_deviation(losses, risks))
    return np.array(chosen), np.array(deviations), risks


@pytest.mark.parametrize(("target", "noise"), [(0.5, 0.0), (0.37, 0.2), (0.0, 0.1), (1.0, 0.5)])
def test_the_experiment_has_the_law_of_the_one_point_by_point(target: float, noise: float) -> None:
    rules = np.array([0.0, 0.2, 0.45, 0.7, 1.0])
    runs = 4000
    fast = pac.threshold_experiment(25, rules, target=target, noise=noise, runs=runs)
    chosen, deviations, risks = simulated(25, target, noise, runs, 1, rules)
    np.testing.assert_allclose(fast.risks, risks)
    shares = np.bincount(fast.chosen, minlength=5) - np.bincount(chosen, minlength=5)
    assert np.abs(shares / runs).max() < 0.04
    assert fast.deviation.mean() == pytest.approx(deviations.mean(), abs=0.01)
    np.testing.assert_allclose(fast.excess, risks[fast.chosen] - risks.min())


@pytest.mark.parametrize("noise", [0.0, 0.1, 0.3])
@pytest.mark.parametrize("seed", range(3))
def test_the_guarantee_holds_in_simulation(noise: float, seed: int) -> None:
    rules, epsilon, delta, runs = np.linspace(0.05, 0.95, 10), 0.2, 0.1, 5000
    n = pac.pac_sample_size(len(rules), epsilon, delta)
    assert n == 265
    result = pac.threshold_experiment(
        n, rules, target=0.55, noise=noise, runs=runs, random_state=seed
    )
    failures = int((result.excess >= epsilon).sum())
    assert clopper_pearson(failures, runs, 1e-6)[0] <= delta
    assert failures == 0
    assert (result.excess <= 2 * result.deviation + 1e-12).all()
    for reach in (0.02, 0.05, 0.1):
        strayed = int((result.deviation >= reach).sum())
        bound = min(1.0, len(rules) * hoeffding_bound(n, reach))
        assert clopper_pearson(strayed, runs, 1e-6)[0] <= bound


def test_the_realisable_guarantee_holds_in_simulation() -> None:
    rules, epsilon, delta, runs = np.linspace(0, 1, 21), 0.1, 0.01, 20000
    n = pac.pac_sample_size(len(rules), epsilon, delta, realisable=True)
    result = pac.threshold_experiment(n, rules, target=0.5, runs=runs)
    failures = int((result.excess >= epsilon - 1e-12).sum())
    assert clopper_pearson(failures, runs, 1e-6)[0] <= delta
    few = pac.threshold_experiment(5, rules, target=0.5, runs=runs)
    assert (few.excess >= epsilon - 1e-12).mean() > delta


def test_a_hard_distribution_makes_few_examples_fail() -> None:
    """Two rules of nearly equal risk: what the bound guards against does happen."""
    result = pac.threshold_experiment(20, [0.0, 1.0], target=0.55, noise=0.25, runs=4000)
    assert result.risks[1] - result.risks[0] == pytest.approx(-0.05)
    assert (result.excess > 0.04).mean() > 0.25


def test_a_constant_rule_meets_one_pair_and_never_another_however_many_examples() -> None:
    for n in (10, 10**6):
        result = pac.threshold_experiment(n, [0.0], target=0.05, runs=200)
        risks = result.risks[result.chosen]
        assert (risks < 0.1).mean() >= 0.99
        assert (risks < 0.01).mean() == 0


def test_shrinking_edges_stall_and_a_fixed_edge_does_not() -> None:
    k = np.arange(1, 100001)
    stalled = np.prod(np.sqrt(1 - 4 / (k + 2.0) ** 2))
    assert stalled == pytest.approx(1 / math.sqrt(6), rel=1e-4)
    assert np.prod(np.full(2000, math.sqrt(1 - 4 * 0.1**2))) < 1e-17


def test_realisable_means_that_some_predictor_has_no_loss() -> None:
    assert pac.is_realisable([[0, 1], [0, 0]])
    assert not pac.is_realisable([[0, 1], [1, 0]])


def brute(X: Any, y: Any, grid: Any, weights: Any) -> tuple[float, int, float, int]:
    """Try every rule of the class in its order."""
    best: tuple[float, int, float, int] | None = None
    for j in range(X.shape[1]):
        for t in grid:
            for sign in (1, -1):
                predicted = np.where(X[:, j] > t, sign, -sign)
                risk = float(weights[predicted != y].sum() / weights.sum())
                if best is None or risk < best[0]:
                    best = risk, j, float(t), sign
    assert best is not None
    return best


@given(st.integers(0, 10**6), st.integers(2, 30), st.integers(1, 3), st.booleans())
@settings(max_examples=80)
def test_the_learner_finds_the_rule_that_brute_force_finds(
    seed: int, n: int, d: int, weighted: bool
) -> None:
    rng = np.random.default_rng(seed)
    X = rng.integers(-2, 3, size=(n, d)).astype(float)
    y = rng.choice([-1, 1], size=n)
    y[:2] = -1, 1
    weights = rng.integers(0, 4, size=n).astype(float) if weighted else np.ones(n)
    weights[:2] = 1
    grid = np.array([-2.0, -0.5, 1.0, 2.0])
    model = ThresholdERM(thresholds=grid).fit(X, y, weights if weighted else None)
    risk, feature, threshold, sign = brute(X, y, grid, weights)
    assert model.empirical_risk_ == pytest.approx(risk)
    assert (model.feature_, model.threshold_, model.sign_) == (feature, threshold, sign)
    wrong = model.predict(X) != y
    assert weights[wrong].sum() / weights.sum() == pytest.approx(risk)


def test_the_learner_reports_its_guarantee_unless_weights_spoil_it() -> None:
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(500, 3)), rng.choice(["a", "b"], size=500)
    model = ThresholdERM(delta=0.1).fit(X, y)
    assert model.n_predictors_ == 2 * 3 * 61
    assert model.error_bound_ == pac.pac_error(500, 366, 0.1)
    assert math.isnan(ThresholdERM().fit(X, y, np.full(500, 0.1)).error_bound_)


def test_a_common_factor_of_the_weights_changes_no_risk() -> None:
    X, y, weights = np.arange(6.0)[:, None], [0, 1, 0, 1, 1, 0], np.array([3, 1, 2, 5, 1, 1])
    plain = ThresholdERM().fit(X, y, weights)
    for factor in (2.0**-1060, 2.0**1021):
        assert ThresholdERM().fit(X, y, factor * weights).empirical_risk_ == plain.empirical_risk_


def test_rounded_weights_never_give_a_negative_risk() -> None:
    rng = np.random.default_rng(3)
    X = np.linspace(-2, 2, 40)[:, None]
    model = ThresholdERM().fit(X, X[:, 0] > 0.05, rng.random(40))
    assert model.empirical_risk_ == pytest.approx(0, abs=1e-15)
    assert model.empirical_risk_ >= 0


def test_a_point_on_the_threshold_counts_as_not_above() -> None:
    model = ThresholdERM(thresholds=[1.0]).fit([[1.0], [2.0]], [0, 1])
    assert model.predict([[1.0], [1.0 + 1e-9]]).tolist() == [0, 1]
    assert model.empirical_risk_ == 0


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: pac.pac_sample_size(0, 0.1, 0.1), "n_predictors must be a whole number"),
        (lambda: pac.pac_sample_size(2.5, 0.1, 0.1), "n_predictors must be a whole number"),
        (lambda: pac.pac_sample_size(math.nan, 0.1, 0.1), "n_predictors must be a whole number"),
        (lambda: pac.pac_sample_size(True, 0.1, 0.1), "n_predictors must be a whole number"),
        (lambda: pac.pac_sample_size(math.inf, 0.1, 0.1), "n_predictors must be a whole number"),
        (lambda: pac.pac_sample_size("a", 0.1, 0.1), "n_predictors must be a whole number"),
        (lambda: pac.pac_sample_size(None, 0.1, 0.1), "n_predictors must be a whole number"),
        (lambda: pac.pac_sample_size(5, 0.1, 0.1, realisable="no"), "realisable must be True"),
        (lambda: pac.pac_error(5, 5, 0.1, realisable=None), "realisable must be True or False"),
        (lambda: pac.threshold_experiment(5, [0.5], target=[0.1, 0.2]), "target must be one num"),
        (lambda: pac.pac_sample_size(5, 1.5, 0.1), "epsilon must be above 0 and at most 1"),
        (lambda: pac.pac_sample_size(5, 0.1, 0.0), "delta must be above 0 and below 1"),
        (lambda: pac.pac_error(5.5, 5, 0.1), "n must be a whole number"),
        (lambda: pac.uniform_deviation([[0, 1]], [0.5]), "risks has length 1"),
        (lambda: pac.is_realisable([[-1.0]]), "losses must be at least 0"),
        (lambda: pac.threshold_experiment(5, []), "at least one"),
        (lambda: pac.threshold_experiment(5, [0.5, 0.5]), "must be increasing"),
        (lambda: pac.threshold_experiment(5, [0.5], noise=0.6), "noise must be at least 0"),
        (lambda: ThresholdERM(thresholds=[]).fit([[0], [1]], [0, 1]), "thresholds is empty"),
        (lambda: ThresholdERM(delta=2).fit([[0], [1]], [0, 1]), "delta must be .*above 0"),
    ],
)
def test_what_is_outside_the_hypotheses_is_refused(call: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call()


def test_arguments_broadcast() -> None:
    table = pac.pac_sample_size([[10], [1000]], [0.1, 0.2, 0.3], 0.05)
    assert table.shape == (2, 3)
    assert table[1, 0] == pac.pac_sample_size(1000, 0.1, 0.05)
