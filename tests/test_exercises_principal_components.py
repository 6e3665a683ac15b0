"""The exercises of the chapter: right answers pass, and what only looks like one does not."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from mlnotes.principal_components import PCA, centre_new_kernel, kernel_pca, pca
from mlnotes.principal_components import reconstruction_error as error
from mlnotes.proof import ProofError, trace
from tests.exercises import WORDS, exercise


def test_what_is_missed_may_be_written_in_any_way() -> None:
    misses = exercise("principal_components", "misses", **WORDS)
    W, z = (misses.__globals__[name] for name in "Wz")
    mixed = trace(z.T * W * W.T * z)
    assert misses(trace(z.T * z) - mixed - mixed + trace((W.T * z).T * (W.T * z))).mark == "proved"
    with pytest.raises(ProofError):
        misses(trace(z.T * z) - mixed + trace((W.T * z).T * (W.T * z)))
    with pytest.raises(AssertionError, match="repeats a line"):
        misses(trace(z.T * z) - trace((W.T * z).T * (W.T * z)))


def test_the_best_factor_is_the_quadratic_form() -> None:
    factor = exercise("principal_components", "factor", **WORDS)
    G, v, mu = (factor.__globals__[name] for name in ("G", "v", "mu"))
    value = trace(v.T * G * v)
    assert factor(trace(G * G) + (value - mu) ** 2 - value**2).mark == "proved"
    with pytest.raises(ProofError):
        factor(trace(G * G) - value**2 + (mu + value) ** 2)
    with pytest.raises(AssertionError, match="repeats a line"):
        factor(trace(G * G) - value**2)
    with pytest.raises(AssertionError, match="in a square"):
        factor(trace(G * G) - 2 * mu * value + mu**2)


def test_directions_must_lose_least() -> None:
    names: dict[str, Any] = {"np": np, "pca": pca, "reconstruction_error": error}
    check = exercise("principal_components", "check_pca", **names)
    assert "40 spaces" in check(lambda X, k: PCA(k).fit(X).components_.T)
    with pytest.raises(AssertionError, match="loses more"):
        check(lambda X, k: np.eye(X.shape[1])[:, :k])
    with pytest.raises(AssertionError, match="loses more"):
        check(lambda X, k: np.linalg.eigh(X.T @ X)[1][:, ::-1][:, :k])  # not centred
    with pytest.raises(AssertionError, match="not orthonormal"):
        check(lambda X, k: 2 * PCA(k).fit(X).components_.T)


def test_scores_of_a_new_point_use_the_mean_of_the_old_ones() -> None:
    names: dict[str, Any] = {"np": np, "kernel_pca": kernel_pca}
    check = exercise("principal_components", "check_project", **names)
    right = check(lambda kappa, K, A: (centre_new_kernel(kappa[None], K) @ A)[0])
    assert right == "the scores of 50 points"
    with pytest.raises(AssertionError, match="other scores"):
        check(lambda kappa, K, A: kappa @ A)
    with pytest.raises(AssertionError, match="other scores"):
        check(lambda kappa, K, A: (kappa - kappa.mean()) @ A)
