"""What all mixtures share: fitting from several starts, prediction, comparison."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from typing import Any, Generic, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlnotes._constraints import Anything, Integer, Optional, RandomState, Real
from mlnotes._numerics import ROUNDOFF
from mlnotes._solvers.mixtures import EMPTY, normalise_log_joint
from mlnotes.base import Estimator
from mlnotes.clustering import kmeans_plus_plus
from mlnotes.exceptions import ConvergenceWarning, warn_at_caller
from mlnotes.mixtures_and_em._algorithms import EMRun, P, S, expectation_maximisation
from mlnotes.validation import Array, check_random_state

# Parameters that all mixtures have.
SHARED_CONSTRAINTS = {
    "n_components": Integer(1),
    "start": Anything(),
    "n_init": Integer(1),
    "max_iter": Integer(1),
    "tol": Real(above=0),
    "chunk_size": Optional(Integer(1)),
    "random_state": RandomState(),
}

# Rows from which the first centres are drawn: more would change little and cost a copy of the data.
START_ROWS = 20_000
# A chunk of this many numbers, in all components together, stays in the cache of a processor.
CHUNK_NUMBERS = 60_000


class BaseMixture(Estimator, Generic[P, S]):
    """Fitting, prediction and comparison of mixtures; a subclass says what the components are."""

    _kind = "density_estimator"

    n_components: int
    start: Any
    n_init: int
    max_iter: int
    tol: float
    floor: float
    chunk_size: int | None
    random_state: Any

    log_likelihoods_: Array
    n_iter_: int
    converged_: bool
    empty_: NDArray[np.bool_]
    weights_: Array
    _fitted: Any

    @abstractmethod
    def _prepare(self, X: Array) -> None:
        """Learn the units in which the components are fitted."""

    @abstractmethod
    def _scaled_rows(self, X: Array) -> Array:
        """Return some rows in those units."""

    @abstractmethod
    def _initialise(self, X: Array, rng: np.random.Generator) -> P:
        """Return parameters to start from."""

    @abstractmethod
    def _e_step(self, X: Array, parameters: P) -> tuple[S, float]:
        """Return the expected statistics and the log-likelihood."""

    @abstractmethod
    def _m_step(self, statistics: S) -> P:
        """Return the parameters that maximise the expected log-likelihood."""

    @abstractmethod
    def _log_joint(self, rows: Array, parameters: P) -> Array:
        """Return the log-joint densities (components, points) of rows in the units of the data."""

    @abstractmethod
    def _keep(self, run: EMRun) -> None:
        """Set the fitted attributes in the units of the data."""

    @abstractmethod
    def _n_parameters(self) -> int:
        """Return the number of free parameters."""

    def _chunks(self, X: Array) -> Iterator[Array]:
        """Yield the rows in the units of the components, a chunk at a time."""
        n, d = X.shape
        fitting = max(64, CHUNK_NUMBERS // (d * self.n_components))
        size = fitting if self.chunk_size is None else self.chunk_size
        for begin in range(0, n, size):
            yield self._scaled_rows(X[begin : begin + size])

    def _centres(self, X: Array, rng: np.random.Generator) -> Array:
        """Return the centres that k-means++ chooses among the rows, or among a sample of them."""
        few = X
        if len(X) > START_ROWS:
            few = X[np.sort(rng.choice(len(X), START_ROWS, replace=False))]
        return kmeans_plus_plus(self._scaled_rows(few), self.n_components, random_state=rng)[0]

    def fit(self, X: ArrayLike, y: None = None) -> Self:
        """Run EM from each start and keep the run that ended highest.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples. A :class:`numpy.memmap` of float64 is read chunk by chunk, never as a whole.
        y : None
            Ignored: which component a sample came from is not known.

        Returns
        -------
        self
            The fitted estimator.
        """
        points = self._fit_matrix(X, min_samples=max(2, self.n_components))
        starts = self.n_init if self.start is None else 1
        rng = check_random_state(self.random_state)
        self._prepare(points)
        n, d = points.shape
        runs = [
            expectation_maximisation(
                lambda parameters: self._e_step(points, parameters),
                self._m_step,
                self._initialise(points, rng),
                max_iter=self.max_iter,
                tol=n * self.tol,
                # Beside variances as small as the floor, a squared distance loses that many digits.
                rounding=8 * n * d * ROUNDOFF / self.floor,
            )
            for _ in range(starts)
        ]
        best = max(runs, key=lambda run: float(run.log_likelihoods[-1]))
        self._fitted = best.parameters
        self.log_likelihoods_ = best.log_likelihoods
        self.n_iter_ = best.n_iter
        self.converged_ = best.converged
        self._keep(best)
        self.empty_ = self.weights_ * n < EMPTY
        self._report()
        return self

    def _report(self) -> None:
        if not self.converged_:
            self._warn(
                f"did not converge in {self.n_iter_} iterations; raise max_iter, or tol if a rough "
                "fit will do."
            )
        if self.empty_.any():
            self._warn(
                f"lost component(s) {np.flatnonzero(self.empty_).tolist()}: no sample belongs to "
                "them any more; ask for fewer components or for more starts with n_init."
            )

    def _warn(self, message: str) -> None:
        warn_at_caller(f"{type(self).__name__} {message}", ConvergenceWarning)

    def fit_predict(self, X: ArrayLike, y: None = None) -> NDArray[np.intp]:
        """Fit and return the most probable component of each sample.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples.
        y : None
            Ignored.

        Returns
        -------
        ndarray of shape (n_samples,)
            Numbers of components.
        """
        return self.fit(X).predict(X)

    def _joint(self, X: ArrayLike) -> Array:
        """Return the log-joint densities (components, points) of new samples."""
        points = self._use_matrix(X)
        chunks = [self._log_joint(rows, self._fitted) for rows in self._chunks(points)]
        return np.concatenate(chunks, axis=1)

    def score_samples(self, X: ArrayLike) -> Array:
        """Return the log-density of each sample.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples.

        Returns
        -------
        ndarray of shape (n_samples,)
            Logarithms of densities, in the units of the data.
        """
        return normalise_log_joint(self._joint(X))

    def score(self, X: ArrayLike, y: None = None) -> float:
        """Return the mean log-density of the samples.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples.
        y : None
            Ignored.

        Returns
        -------
        float
            The log-likelihood, divided by the number of samples.
        """
        return float(self.score_samples(X).mean())

    def predict_proba(self, X: ArrayLike) -> Array:
        """Return the responsibilities of the components for each sample.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples.

        Returns
        -------
        ndarray of shape (n_samples, n_components)
            Each row sums to one.
        """
        shares = self._joint(X)
        normalise_log_joint(shares)
        return shares.T

    def predict(self, X: ArrayLike) -> NDArray[np.intp]:
        """Return the component with the greatest responsibility for each sample.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples.

        Returns
        -------
        ndarray of shape (n_samples,)
            Numbers of components.
        """
        return np.asarray(self._joint(X).argmax(axis=0))

    def aic(self, X: ArrayLike) -> float:
        """Return Akaike's criterion: twice the parameters minus twice the log-likelihood.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples.

        Returns
        -------
        float
            Less is better.
        """
        return 2.0 * self._n_parameters() - 2.0 * float(self.score_samples(X).sum())

    def bic(self, X: ArrayLike) -> float:
        """Return the Bayesian criterion: log n times the parameters minus twice the log-likelihood.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples.

        Returns
        -------
        float
            Less is better.
        """
        values = self.score_samples(X)
        return float(self._n_parameters() * np.log(len(values)) - 2.0 * values.sum())
