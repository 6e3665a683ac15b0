"""What all support vector machines share: prices of slack, and evidence for the answer."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mlnotes.base import BinaryClassifier
from mlnotes.convex_duality import KKTResiduals
from mlnotes.exceptions import ConvergenceWarning, warn_at_caller
from mlnotes.validation import Array, rows_that_count

# Prices of slack whose sums and squares floats can hold.
MIN_C, MAX_C = 1e-150, 1e150


class SolverReport(NamedTuple):
    """What a solver reports: multipliers, their values, the gaps on the way and the steps."""

    alpha: Array
    primal: float
    dual: float
    gaps: list[float]
    n_iter: int


class BaseSVM(BinaryClassifier):
    """What all support vector machines share: reading the problem, reporting the evidence."""

    C: float
    tol: float
    max_iter: int

    alpha_: Array
    support_: NDArray[np.intp]
    objective_: float
    dual_objective_: float
    dual_gap_: float
    gaps_: Array
    kkt_residuals_: KKTResiduals
    n_iter_: int

    def _prices(self, weights: Array | None, n: int) -> tuple[NDArray[np.intp], Array]:
        """Return the rows of positive weight and the price of slack at each of them."""
        rows = rows_that_count(weights, n)
        if weights is None:
            return rows, np.full(n, float(self.C))
        with np.errstate(over="ignore"):
            prices = self.C * weights[rows]
        if math.isfinite(self.C) and not (MIN_C <= prices.min() <= prices.max() <= MAX_C):
            raise ValueError(
                "C times sample_weight, the price of slack, must be 0 or between "
                f"{MIN_C:g} and {MAX_C:g}, got {prices.min():.1e} to {prices.max():.1e}; "
                "scale the weights, or leave samples out with weight 0."
            )
        return rows, prices

    def _keep(self, n: int, rows: NDArray[np.intp], found: SolverReport) -> None:
        """Set what every solver reports, and warn if the gap is not closed."""
        self.alpha_ = np.zeros(n)
        self.alpha_[rows] = found.alpha
        self.support_ = np.flatnonzero(self.alpha_ > 0)
        self.objective_ = found.primal
        self.dual_objective_ = found.dual
        self.dual_gap_ = max(found.primal - found.dual, 0.0)
        self.gaps_ = np.array(found.gaps)
        self.n_iter_ = found.n_iter
        share = self.dual_gap_ / found.primal if math.isfinite(found.primal) else math.inf
        if share > self.tol:
            warn_at_caller(
                f"{type(self).__name__} stopped after {self.n_iter_} iterations with a duality "
                f"gap of {share:.1e} times the objective, above "
                f"tol={self.tol:g}. Raise max_iter or tol, or scale the features.",
                ConvergenceWarning,
            )
