"""What all ensembles have in common: bootstrap samples and the error outside of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from mlnotes._constraints import (
    AnyOf,
    Boolean,
    Integer,
    Optional,
    RandomState,
)
from mlnotes._numerics import coefficient_of_determination, exponent_of
from mlnotes._solvers.bootstrap import Bootstrap, make_bootstrap
from mlnotes.base import Estimator
from mlnotes.exceptions import warn_at_caller
from mlnotes.validation import (
    Array,
    check_random_state,
    rows_that_count,
)

N_JOBS = Optional(
    AnyOf(Integer(1), Integer(-1, -1), hint="pass a number of threads, or -1 for all processors")
)


class Ensemble(Estimator):
    """Members that are trained on bootstrap samples of their own."""

    _constraints: ClassVar = {
        "n_estimators": Integer(1),
        "oob_score": Boolean(),
        "n_jobs": N_JOBS,
        "random_state": RandomState(),
    }

    estimators_: list[Any]

    n_estimators: int
    oob_score: bool
    n_jobs: int | None
    random_state: int | np.random.Generator | None

    _bootstrap: Bootstrap
    _rows: NDArray[np.intp]
    _seeds: list[int]

    def _prepare(self, X: Array, target: Array, given: Array | None) -> Array:
        """Choose the bootstrap samples of rows that count, and return these rows of X."""
        self._rows = rows_that_count(given, len(X))
        points = X[self._rows] if given is not None else X
        weights = None if given is None else given[self._rows]
        self._bootstrap = make_bootstrap(points, target, weights)
        if self._bootstrap.n_draws < len(points) / 2:
            warn_at_caller(
                f"sample_weight says that {len(points)} samples count {self._bootstrap.n_draws} "
                "times together, and a bootstrap sample draws no more; divide it by its mean."
            )
        random = check_random_state(self.random_state)
        self._seeds = random.integers(2**31, size=int(self.n_estimators)).tolist()
        return points

    @property
    def estimators_samples_(self) -> list[NDArray[np.intp]]:
        """The rows that each member was trained on, one drawn twice twice."""
        self._check_fitted()
        return [self._rows[self._bootstrap.rows(seed)] for seed in self._seeds]

    @property
    def _halvings(self) -> int:
        """How often to halve what the members say, so that its sum is not above the largest."""
        return exponent_of(len(self._seeds))

    def _out_of_bag(
        self, X: Array, n: int, width: int, predict: Callable[[int, Array], Array]
    ) -> Array:
        """Return the mean of what the members say that have not seen a sample; NaN of none."""
        total, voters = np.zeros((len(X), width)), np.zeros(len(X))
        halvings = self._halvings
        for member, seed in enumerate(self._seeds):
            unseen = np.flatnonzero(self._bootstrap.counts(seed) == 0)
            if len(unseen):
                total[unseen] += np.ldexp(predict(member, X[unseen]), -halvings)
                voters[unseen] += 1
        if not voters.all():
            warn_at_caller(
                f"{int((voters == 0).sum())} of {len(X)} samples were drawn for every member and "
                "have no out-of-bag prediction; raise n_estimators."
            )
        means = np.full((n, width), np.nan)
        seen = np.flatnonzero(voters)
        means[self._rows[seen]] = np.ldexp(total[seen] / voters[seen, None], halvings)
        return means

    def _accuracy(self, found: Array, codes: NDArray[np.intp], given: Array | None) -> float:
        """Return the accuracy of the predictions that there are."""
        found = found[self._rows]
        known = ~np.isnan(found[:, 0])
        right = found[known].argmax(axis=1) == codes[known]
        weights = None if given is None else given[self._rows][known]
        return float(np.average(right, weights=weights)) if known.any() else float("nan")

    def _determination(self, found: Array, target: Array, given: Array | None) -> float:
        """Return the coefficient of determination of the predictions that there are."""
        known = ~np.isnan(found[self._rows])
        if not known.any():
            return float("nan")
        weights = None if given is None else given[self._rows][known]
        return coefficient_of_determination(target[known], found[self._rows][known], weights)
