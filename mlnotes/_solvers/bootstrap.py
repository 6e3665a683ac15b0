"""Bootstrap samples that depend on no order of the rows, and members trained side by side."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from mlnotes.validation import Array

T = TypeVar("T")

# A bootstrap sample of more draws would not fit into memory.
MAX_DRAWS = 10**8


class Bootstrap(NamedTuple):
    """How bootstrap samples are drawn: from rows in an order of their own, by cumulated weights.

    Draws are places on a line on which every row has a stretch as long as its weight. The order is
    that of the values of the rows, so that neither the order in which they were given matters nor
    whether a row stands twice or counts twice.
    """

    order: NDArray[np.intp]
    ends: Array
    n_draws: int

    def rows(self, seed: int) -> NDArray[np.intp]:
        """Return the rows of one bootstrap sample, in the numbering of the caller."""
        places = np.random.default_rng(seed).random(self.n_draws) * self.ends[-1]
        drawn = np.searchsorted(self.ends, places, side="right")
        return np.asarray(self.order[np.minimum(drawn, len(self.order) - 1)])

    def counts(self, seed: int) -> Array:
        """Return how often each row is drawn."""
        return np.bincount(self.rows(seed), minlength=len(self.order)).astype(np.float64)


def make_bootstrap(X: Array, target: Array, weights: Array | None) -> Bootstrap:
    """Return the bootstrap of samples that count, as many draws as they count together."""
    order = np.argsort(X[:, 0], kind="stable")
    first = X[order, 0]
    if (first[1:] == first[:-1]).any():
        order = np.lexsort((target, *X.T[::-1]))
    if weights is None:
        return Bootstrap(order, np.arange(1.0, len(X) + 1), len(X))
    total = float(weights.sum())
    if not total <= MAX_DRAWS:
        raise ValueError(
            f"sample_weight says how often each sample counts, together {total:.3g} times, and a "
            "bootstrap sample draws that often; scale sample_weight, for instance to a mean of 1."
        )
    return Bootstrap(order, np.cumsum(weights[order]), max(1, round(total)))


def run_all(function: Callable[[Any], T], arguments: Iterable[Any], n_jobs: int | None) -> list[T]:
    """Return the values at all arguments, by several threads if joblib is there to run them."""
    if n_jobs is None or n_jobs == 1:
        return [function(argument) for argument in arguments]
    try:
        from joblib import Parallel, delayed
    except ImportError:
        return [function(argument) for argument in arguments]
    # Compiled loops and NumPy let other threads run meanwhile, and share the samples.
    jobs = (delayed(function)(argument) for argument in arguments)
    return list(Parallel(n_jobs=n_jobs, prefer="threads")(jobs))
