r"""Mixtures and expectation maximisation: fitting what would be easy if the labels were known.

A mixture has the density :math:`\sum_k\pi_kp_k(x)`; which component a point came from is not
recorded. EM guesses it softly (the E-step: responsibilities
:math:`\gamma_{ik}=\pi_kp_k(x_i)/\sum_l\pi_lp_l(x_i)`), refits every component to its share of the
points (the M-step), and repeats. The log-likelihood never falls (``thm-em-monotone``). See the
chapter :doc:`/book/mixtures_and_em`.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, NamedTuple, Self, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import xlogy

from mlnotes._constraints import Integer, OneOf, Optional, RandomState, Real
from mlnotes._solvers.mixtures import (
    Gaussians,
    Moments,
    assign_to_largest,
    bernoulli_table,
    gaussians,
    normalise_log_joint,
)
from mlnotes.base import Estimator
from mlnotes.clustering import kmeans_plus_plus
from mlnotes.exceptions import ConvergenceWarning, warn_at_caller
from mlnotes.validation import (
    Array,
    _as_numbers,
    check_count,
    check_matrix,
    check_numbers,
    check_random_state,
    check_vector,
)

__all__ = [
    "BernoulliMixture",
    "EMRun",
    "GaussianMixture",
    "bernoulli_log_joint",
    "elbo",
    "em_step",
    "expectation_maximisation",
    "gaussian_log_joint",
    "log_evidence",
    "responsibilities",
]

# Parameters that all mixtures have.
COMMON = {
    "n_components": Integer(1),
    "n_init": Integer(1),
    "max_iter": Integer(1),
    "tol": Real(above=0),
    "chunk_size": Optional(Integer(1)),
    "random_state": RandomState(),
}

P = TypeVar("P")
S = TypeVar("S")

# Rows from which the first centres are drawn: more would change little and cost a copy of the data.
_START_ROWS = 20_000
# A chunk of this many numbers, in all components together, stays in the cache of a processor.
_CHUNK_NUMBERS = 60_000


def log_evidence(log_joint: ArrayLike) -> Array:
    r"""Return :math:`\log p(x_i)=\log\sum_kp(x_i,k)` from the logarithms of the joint densities.

    Parameters
    ----------
    log_joint : array-like of shape (n_samples, n_components)
        :math:`\log p(x_i,k)=\log\pi_k+\log p_k(x_i)`; minus infinity is allowed.

    Returns
    -------
    ndarray of shape (n_samples,)
        Without underflow, however small the densities.

    Examples
    --------
    >>> log_evidence(np.log([[0.2, 0.3]])).round(4)
    array([-0.6931])
    >>> log_evidence([[-1000.0, -1000.0]])
    array([-999.306...])
    """
    return normalise_log_joint(_table(log_joint).T.copy())


def responsibilities(log_joint: ArrayLike) -> Array:
    r"""Return :math:`\gamma_{ik}=p(x_i,k)/\sum_lp(x_i,l)`: the E-step.

    Parameters
    ----------
    log_joint : array-like of shape (n_samples, n_components)
        Logarithms of the joint densities.

    Returns
    -------
    ndarray of shape (n_samples, n_components)
        Each row sums to one.

    Examples
    --------
    >>> responsibilities(np.log([[0.2, 0.3]]))
    array([[0.4, 0.6]])
    """
    table = _table(log_joint)
    joint = np.exp(table - table.max(axis=1, keepdims=True))
    return np.asarray(joint / joint.sum(axis=1, keepdims=True))


def elbo(log_joint: ArrayLike, q: ArrayLike) -> float:
    r"""Return :math:`\sum_i\sum_kq_{ik}\log\frac{p(x_i,k)}{q_{ik}}`, a bound of the log-likelihood.

    It is at most the log-likelihood (``cor-elbo-bound``) and equals it where every row of ``q`` is
    the posterior (``lem-elbo-tight``). The entropy of ``q`` belongs to it: without it the bound
    would hold and never touch.

    Parameters
    ----------
    log_joint : array-like of shape (n_samples, n_components)
        Logarithms of the joint densities.
    q : array-like of shape (n_samples, n_components)
        A distribution over the components for each point.

    Returns
    -------
    float
        Minus infinity if ``q`` gives weight to a component with density zero.

    Examples
    --------
    >>> joint = np.log([[0.2, 0.3]])
    >>> round(elbo(joint, [[0.5, 0.5]]), 4), round(elbo(joint, [[0.4, 0.6]]), 4)
    (-0.7136, -0.6931)
    """
    table = _table(log_joint)
    weights = check_matrix(q, name="q")
    if weights.shape != table.shape:
        raise ValueError(f"q has shape {weights.shape}, but log_joint has {table.shape}.")
    if (weights < 0).any() or not np.allclose(weights.sum(axis=1), 1):
        raise ValueError("every row of q must be a distribution: nonnegative, with sum 1.")
    expected = np.where(weights > 0, weights * np.where(weights > 0, table, 0.0), 0.0)
    return float(expected.sum() - xlogy(weights, weights).sum())


def gaussian_log_joint(
    X: ArrayLike, weights: ArrayLike, means: ArrayLike, covariances: ArrayLike
) -> Array:
    r"""Return :math:`\log\pi_k+\log\mathcal N(x_i\mid\mu_k,\Sigma_k)` of each point and component.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Points.
    weights : array-like of shape (n_components,)
        Mixture weights, which sum to one.
    means : array-like of shape (n_components, n_features)
        Means.
    covariances : array-like of shape (n_components, n_features, n_features)
        Symmetric positive definite matrices.

    Returns
    -------
    ndarray of shape (n_samples, n_components)
        What :func:`responsibilities` and :func:`log_evidence` take.

    Examples
    --------
    >>> joint = gaussian_log_joint([[1.0]], [0.3, 0.7], [[0.0], [3.0]], [[[1.0]], [[1.0]]])
    >>> np.exp(joint).round(4), np.exp(log_evidence(joint)).round(4)
    (array([[0.0726, 0.0378]]), array([0.1104]))
    """
    points = check_matrix(X)
    log_joint = gaussians(*_check_gaussians(weights, means, covariances, points.shape[1]))
    return log_joint.log_joint(points)[0].T


def bernoulli_log_joint(X: ArrayLike, weights: ArrayLike, theta: ArrayLike) -> Array:
    r"""Return :math:`\log\pi_k+\sum_j\log\theta_{kj}^{x_{ij}}(1-\theta_{kj})^{1-x_{ij}}`.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Zeros and ones.
    weights : array-like of shape (n_components,)
        Mixture weights, which sum to one.
    theta : array-like of shape (n_components, n_features)
        Probabilities of a one, strictly between 0 and 1.

    Returns
    -------
    ndarray of shape (n_samples, n_components)
        What :func:`responsibilities` and :func:`log_evidence` take.

    Examples
    --------
    >>> np.exp(bernoulli_log_joint([[1, 0]], [0.5, 0.5], [[0.5, 0.5], [0.8, 0.4]]))
    array([[0.125, 0.24 ]])
    """
    points = check_matrix(X)
    if not np.isin(points, (0.0, 1.0)).all():
        raise ValueError("X must hold zeros and ones only; compare it with a threshold first.")
    probabilities = _check_probabilities(theta)
    shares = _check_weights(weights, len(probabilities))
    with np.errstate(divide="ignore"):
        return bernoulli_table(points, np.log(shares), probabilities).T


def em_step(
    X: ArrayLike, weights: ArrayLike, means: ArrayLike, covariances: ArrayLike
) -> tuple[Array, Array, Array]:
    r"""Make one step of EM for a mixture of Gaussians: see ``alg-em``.

    The E-step computes the responsibilities :math:`\gamma_{ik}`. With :math:`N_k=\sum_i\gamma_{ik}`
    the M-step is :math:`\pi_k=N_k/n`, :math:`\mu_k=\sum_i\gamma_{ik}x_i/N_k` and
    :math:`\Sigma_k=\sum_i\gamma_{ik}(x_i-\mu_k)(x_i-\mu_k)^\top/N_k`. :class:`GaussianMixture`
    repeats it, with a floor under the variances.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Points.
    weights : array-like of shape (n_components,)
        Mixture weights, which sum to one.
    means : array-like of shape (n_components, n_features)
        Means.
    covariances : array-like of shape (n_components, n_features, n_features)
        Symmetric positive definite matrices.

    Returns
    -------
    weights, means, covariances : ndarray
        The new parameters, whose log-likelihood is not lower (``thm-em-monotone``).

    Examples
    --------
    >>> X, start = [[0.0], [1.0], [4.0], [5.0]], ([0.5, 0.5], [[1.0], [4.0]], [[[1.0]], [[1.0]]])
    >>> weights, means, covariances = em_step(X, *start)
    >>> weights, means.ravel().round(1) + 0.0
    (array([0.5, 0.5]), array([0.5, 4.5]))
    """
    points = check_matrix(X)
    gamma = responsibilities(gaussian_log_joint(points, weights, means, covariances))
    masses = gamma.sum(axis=0)
    if not masses.all():
        raise ValueError("a component has lost all points of X; move its means, or drop it.")
    centres = gamma.T @ points / masses[:, None]
    deviations = points[:, None] - centres  # (n, k, d)
    scatter = np.einsum("nk,nki,nkj->kij", gamma, deviations, deviations)
    return masses / len(points), centres, scatter / masses[:, None, None]


@dataclass(frozen=True)
class EMRun:
    """What :func:`expectation_maximisation` found.

    Attributes
    ----------
    parameters
        Those after the last M-step.
    log_likelihoods : ndarray
        The log-likelihood before each M-step and, last, that of ``parameters``.
    n_iter : int
        The number of M-steps.
    converged : bool
        Whether the last gain was below the tolerance.

    Examples
    --------
    >>> run = expectation_maximisation(lambda x: (x, 4.0 - (x - 2.0) ** 2), lambda x: 2.0, 0.0)
    >>> run.parameters, run.log_likelihoods[:2].tolist(), run.converged
    (2.0, [0.0, 4.0], True)
    """

    parameters: Any
    log_likelihoods: Array
    n_iter: int
    converged: bool


def expectation_maximisation(
    e_step: Callable[[P], tuple[S, float]],
    m_step: Callable[[S], P],
    start: P,
    *,
    max_iter: int = 100,
    tol: float = 1e-3,
    rounding: float = 1e-9,
) -> EMRun:
    r"""Alternate the two steps of EM, whatever the model, and see that no step loses likelihood.

    Parameters
    ----------
    e_step : callable
        Maps parameters to the expected statistics that the M-step needs and to the log-likelihood.
    m_step : callable
        Maps those statistics to parameters that do not lower the expected log-likelihood.
    start
        Parameters to start from.
    max_iter : int
        The greatest number of M-steps.
    tol : float
        The run ends after a step that gained less than this.
    rounding : float
        What rounding may cost. A greater loss contradicts ``thm-em-monotone``: the steps are then
        not those of EM, and an :class:`ArithmeticError` says so.

    Returns
    -------
    EMRun
        The last parameters, the log-likelihoods on the way, and whether it converged.

    Examples
    --------
    Two coins, one of which was tossed in each of three bouts of ten tosses; which one is unknown.

    >>> heads, tosses = np.array([9.0, 8.0, 2.0]), 10.0
    >>> def e_step(theta):
    ...     joint = np.outer(heads, np.log(theta)) + np.outer(tosses - heads, np.log(1 - theta))
    ...     return responsibilities(joint), log_evidence(joint).sum()
    >>> def m_step(r):
    ...     return heads @ r / (tosses * r.sum(axis=0))
    >>> run = expectation_maximisation(e_step, m_step, np.array([0.6, 0.5]), max_iter=50)
    >>> run.parameters.round(2), bool((np.diff(run.log_likelihoods) >= 0).all())
    (array([0.85, 0.2 ]), True)
    """
    limit = check_count(max_iter, "max_iter")
    parameters, converged = start, False
    values: list[float] = []
    for step in range(limit + 1):
        statistics, value = e_step(parameters)
        if np.isnan(value) or (values and value < values[-1] - rounding):
            raise ArithmeticError(
                f"the log-likelihood went from {values[-1:]} to {value!r}, which no EM step can "
                "do (thm-em-monotone): the M-step does not maximise what the E-step expects."
            )
        values.append(float(value))
        if converged or step == limit:
            break
        converged = step > 0 and values[-1] - values[-2] < tol
        parameters = m_step(statistics)
    return EMRun(parameters, np.array(values), len(values) - 1, converged)


def _table(log_joint: ArrayLike) -> Array:
    table = _as_numbers(log_joint, "log_joint")
    if table.ndim != 2 or table.size == 0:
        raise ValueError(
            f"log_joint must have a row for each point and a column for each component, got shape "
            f"{table.shape}."
        )
    if np.isnan(table).any() or np.isposinf(table).any() or np.isneginf(table).all(axis=1).any():
        raise ValueError(
            "log_joint must hold logarithms of densities, at least one of them finite in each row."
        )
    return table


def _check_weights(weights: ArrayLike, k: int) -> Array:
    shares = check_vector(weights, k, name="weights")
    if (shares < 0).any() or not np.isclose(shares.sum(), 1):
        raise ValueError("weights must be nonnegative and sum to 1; divide them by their sum.")
    return shares


def _check_probabilities(theta: ArrayLike) -> Array:
    probabilities = check_matrix(theta, name="theta")
    if (probabilities <= 0).any() or (probabilities >= 1).any():
        raise ValueError("theta must lie strictly between 0 and 1; move 0 and 1 inside a little.")
    return probabilities


def _parts_of_start(start: Any, *names: str) -> tuple[Any, ...]:
    """Return the parts of a start, which are as many as they have names."""
    if not isinstance(start, (tuple, list)) or len(start) != len(names):
        raise ValueError(f"start must be a tuple ({', '.join(names)}), got {start!r}.")
    return tuple(start)


def _check_gaussians(
    weights: ArrayLike, means: ArrayLike, covariances: ArrayLike, d: int
) -> tuple[Array, Array, Array]:
    centres = check_matrix(means, name="means")
    k = len(centres)
    spread = check_numbers(covariances, "covariances")
    if centres.shape[1] != d or spread.shape != (k, d, d):
        raise ValueError(
            f"for {d} features means must have shape (k, {d}) and covariances (k, {d}, {d}), got "
            f"{centres.shape} and {spread.shape}."
        )
    if not np.allclose(spread, spread.transpose(0, 2, 1)) or np.linalg.eigvalsh(spread).min() <= 0:
        raise ValueError("covariances must be symmetric and positive definite.")
    return _check_weights(weights, k), centres, spread


class _Mixture(Estimator, Generic[P, S]):
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
        """Check the parameters and learn the units in which the components are fitted."""

    @abstractmethod
    def _rows(self, X: Array) -> Array:
        """Return some rows in those units."""

    @abstractmethod
    def _first(self, X: Array, rng: np.random.Generator) -> P:
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
        fitting = max(64, _CHUNK_NUMBERS // (d * self.n_components))
        size = fitting if self.chunk_size is None else self.chunk_size
        for begin in range(0, n, size):
            yield self._rows(X[begin : begin + size])

    def _centres(self, X: Array, rng: np.random.Generator) -> Array:
        """Return the centres that k-means++ chooses among the rows, or among a sample of them."""
        few = X
        if len(X) > _START_ROWS:
            few = X[np.sort(rng.choice(len(X), _START_ROWS, replace=False))]
        return kmeans_plus_plus(self._rows(few), self.n_components, random_state=rng)[0]

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
                self._first(points, rng),
                max_iter=self.max_iter,
                tol=n * self.tol,
                # Beside variances as small as the floor, a squared distance loses that many digits.
                rounding=8 * n * d * np.finfo(float).eps / self.floor,
            )
            for _ in range(starts)
        ]
        best = max(runs, key=lambda run: float(run.log_likelihoods[-1]))
        self._fitted = best.parameters
        self.log_likelihoods_ = best.log_likelihoods
        self.n_iter_ = best.n_iter
        self.converged_ = best.converged
        self._keep(best)
        self.empty_ = self.weights_ * n < _EMPTY
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


# Below this mass of all its points together a component is empty: its moments have no digits left.
_EMPTY = 1e-200


class GaussianMixture(_Mixture[Gaussians, Moments]):
    r"""A mixture of Gaussians, fitted by EM.

    The density is :math:`\sum_k\pi_k\mathcal N(x\mid\mu_k,\Sigma_k)`. The M-step is
    :math:`\pi_k=N_k/n`, :math:`\mu_k=\sum_i\gamma_{ik}x_i/N_k` and
    :math:`\Sigma_k=\sum_i\gamma_{ik}(x_i-\mu_k)(x_i-\mu_k)^\top/N_k` with
    :math:`N_k=\sum_i\gamma_{ik}` (``thm-mixture-weights``, ``thm-gaussian-mean``,
    ``thm-gaussian-covariance``). The likelihood of free covariances has no maximum
    (``thm-mixture-unbounded``), so no variance may fall below a floor; among the covariances above
    it the M-step still finds the best, and the likelihood still never falls. See the chapter
    :doc:`/book/mixtures_and_em`.

    There is no ``sample_weight``: the starts are drawn among the samples, so that one of weight two
    and two copies of it would be different fits.

    Parameters
    ----------
    n_components : int
        The number of components.
    covariance_type : {"full", "diag", "spherical", "tied"}
        A matrix for each component, variances of the features for each, one variance for each, or
        one matrix for all.
    start : tuple (weights, means, covariances), optional
        Where to start, with covariances of shape (n_components, n_features, n_features), of which
        the weighted mean is taken if they are tied, the diagonals if they are diagonal, and the
        mean of each diagonal if they are spherical. If not given, the points nearest to each centre
        of k-means++ are its first share.
    n_init : int
        How often to start; the best run is kept. A given ``start`` is used once.
    max_iter : int
        The greatest number of iterations of a run.
    tol : float
        A run ends when an iteration gains less log-likelihood than this per sample.
    floor : float
        The least variance in any direction, relative to the variance of the features.
    chunk_size : int, optional
        How many samples are treated at once; by default as many as fit a processor's cache. The
        result depends on it by rounding only, and the memory used beside the data does not grow
        with their number.
    random_state : int or numpy.random.Generator
        Seed of the starts.

    Attributes
    ----------
    weights_ : ndarray of shape (n_components,)
        The weights :math:`\pi_k`.
    means_ : ndarray of shape (n_components, n_features)
        The means.
    covariances_ : ndarray
        Of shape (k, d, d), (k, d), (k,) or (d, d) for full, diag, spherical and tied.
    log_likelihoods_ : ndarray of shape (n_iter_ + 1,)
        The log-likelihood of the start and after each iteration; it never falls.
    n_iter_ : int
        The number of iterations.
    converged_ : bool
        Whether the last iteration gained less than ``tol``.
    collapsed_ : ndarray of shape (n_components,)
        Which components are held up by the floor: without it their likelihood would be unbounded.
    empty_ : ndarray of shape (n_components,)
        Which components have lost all their samples.
    n_features_in_ : int
        The number of features seen in ``fit``.
    feature_names_in_ : ndarray of str
        Their names, if ``fit`` was given a data frame.

    Examples
    --------
    >>> from mlnotes.data import make_mixture
    >>> sample = make_mixture(300, [[-4.0], [4.0]], weights=[0.25, 0.75], random_state=0)
    >>> model = GaussianMixture(2).fit(sample.X)
    >>> order = model.means_.ravel().argsort()
    >>> model.means_.ravel()[order].round(1), model.weights_[order].round(2)
    (array([-3.9,  4. ]), array([0.22, 0.78]))
    >>> bool((np.diff(model.log_likelihoods_) >= 0).all())
    True
    """

    _squares = True
    _constraints: ClassVar = {
        "covariance_type": OneOf("full", "diag", "spherical", "tied"),
        "floor": Real(above=0),
        **COMMON,
    }

    means_: Array
    covariances_: Array
    collapsed_: NDArray[np.bool_]
    _centre: Array
    _scale: Array

    def __init__(
        self,
        n_components: int = 2,
        *,
        covariance_type: str = "full",
        start: tuple[ArrayLike, ArrayLike, ArrayLike] | None = None,
        n_init: int = 1,
        max_iter: int = 200,
        tol: float = 1e-3,
        floor: float = 1e-6,
        chunk_size: int | None = None,
        random_state: int | np.random.Generator = 0,
    ) -> None:
        self.n_components = n_components
        self.covariance_type = covariance_type
        self.start = start
        self.n_init = n_init
        self.max_iter = max_iter
        self.tol = tol
        self.floor = floor
        self.chunk_size = chunk_size
        self.random_state = random_state

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
        return super().fit(X)

    def _prepare(self, X: Array) -> None:
        # Features are measured in their standard deviations from their means, chunk by chunk:
        # neither a common offset nor a unit then costs digits. A sphere allows one unit only.
        self._centre = X.mean(axis=0)
        self._scale = np.ones(X.shape[1])
        farthest = np.max([np.abs(Z).max(axis=0) for Z in self._chunks(X)], axis=0)
        self._scale = np.where(farthest > 0, farthest, 1.0)
        spread = np.sqrt(sum((Z**2).sum(axis=0) for Z in self._chunks(X)) / len(X)) * self._scale
        varies = spread > 16 * np.finfo(float).eps * np.abs(self._centre)
        if self.covariance_type == "spherical":
            largest = spread[varies].max(initial=0.0)
            common = largest * np.sqrt(np.mean((spread / largest) ** 2)) if largest > 0 else 1.0
            self._scale = np.full(X.shape[1], common)
        else:
            self._scale = np.where(varies, spread, 1.0)

    def _rows(self, X: Array) -> Array:
        return np.asarray((X - self._centre) / self._scale)

    def _first(self, X: Array, rng: np.random.Generator) -> Gaussians:
        k, d = self.n_components, X.shape[1]
        if self.start is not None:
            parts = _parts_of_start(self.start, "weights", "means", "covariances")
            weights, means, covariances = _check_gaussians(parts[0], parts[1], parts[2], d)
            if len(weights) != k:
                raise ValueError(f"start has {len(weights)} components, but n_components is {k}.")
            units = covariances / np.outer(self._scale, self._scale)
            return gaussians(weights, self._rows(means), self._admitted(units, weights), self.floor)
        axes = self.covariance_type in ("diag", "spherical")
        unit = np.ones((k, d)) if axes else np.repeat(np.eye(d)[None], k, axis=0)
        spheres = gaussians(np.full(k, 1 / k), self._centres(X, rng), unit)
        return self._m_step(self._moments(X, spheres, assign_to_largest)[0])

    def _admitted(self, covariances: Array, weights: Array) -> Array:
        """Return the covariances of a start as ``covariance_type`` has them."""
        if self.covariance_type == "full":
            return covariances
        if self.covariance_type == "tied":
            return np.tensordot(weights, covariances, axes=1)[None]
        variances = np.diagonal(covariances, axis1=1, axis2=2)
        if self.covariance_type == "diag":
            return np.asarray(variances)
        return np.repeat(variances.mean(axis=1, keepdims=True), variances.shape[1], axis=1)

    def _moments(
        self, X: Array, about: Gaussians, share: Callable[[Array], Array] = normalise_log_joint
    ) -> tuple[Moments, float]:
        """Add up the moments of all chunks, each point weighted as ``share`` says, in place."""
        k, d = about.means.shape
        axes = self.covariance_type in ("diag", "spherical")
        masses, first = np.zeros(k), np.zeros((k, d))
        second = np.zeros((k, d) if axes else (k, d, d))
        total = 0.0
        for Z in self._chunks(X):
            weights, deviations = about.log_joint(Z)
            total += float(share(weights).sum())
            masses += weights.sum(axis=1)
            first += np.matmul(weights[:, None], deviations)[:, 0]
            np.sqrt(weights, out=weights)
            deviations *= weights[:, :, None]
            if axes:
                second += np.einsum("kcd,kcd->kd", deviations, deviations)
            else:
                second += deviations.transpose(0, 2, 1) @ deviations
        return Moments(masses, first, second, about), total

    def _e_step(self, X: Array, parameters: Gaussians) -> tuple[Moments, float]:
        moments, total = self._moments(X, parameters)
        return moments, total - len(X) * float(np.log(self._scale).sum())

    def _m_step(self, statistics: Moments) -> Gaussians:
        masses, first, second, about = statistics
        n = masses.sum()
        alive = masses > _EMPTY
        safe = np.where(alive, masses, 1.0)
        shift = np.where(alive[:, None], first / safe[:, None], 0.0)
        means = about.means + shift
        if second.ndim == 2:
            spread = second / safe[:, None] - shift**2
            if self.covariance_type == "spherical":
                spread = np.repeat(spread.mean(axis=1, keepdims=True), spread.shape[1], axis=1)
        else:
            spread = second / safe[:, None, None] - shift[:, :, None] * shift[:, None]
            if self.covariance_type == "tied":
                pooled = np.tensordot(masses / n, spread, axes=1)
                return gaussians(masses / n, means, pooled[None], self.floor)
        # An empty component keeps its place and its shape; its weight is zero.
        shape = (-1,) + (1,) * (spread.ndim - 1)
        spread = np.where(alive.reshape(shape), spread, about.covariances)
        return gaussians(np.where(alive, masses, 0.0) / n, means, spread, self.floor)

    def _log_joint(self, rows: Array, parameters: Gaussians) -> Array:
        with np.errstate(over="ignore", invalid="ignore"):
            table = parameters.log_joint(rows)[0] - np.log(self._scale).sum()
        if not np.isfinite(table.max(axis=0)).all():
            raise ValueError(
                "a sample is so far from those that were fitted that the logarithm of its density "
                "exceeds any float; leave it out, or scale it as they were."
            )
        return np.asarray(table)

    def _keep(self, run: EMRun) -> None:
        weights, means, covariances, _, _, floored = run.parameters
        self.weights_ = weights
        self.means_ = means * self._scale + self._centre
        if covariances.ndim == 3:
            self.covariances_ = covariances * np.outer(self._scale, self._scale)
        else:
            self.covariances_ = covariances * self._scale**2
        if self.covariance_type == "tied":
            self.covariances_ = self.covariances_[0]
        if self.covariance_type == "spherical":
            self.covariances_ = self.covariances_[:, 0]
        self.collapsed_ = np.broadcast_to(floored, weights.shape) & (weights > 0)

    def _report(self) -> None:
        super()._report()
        if self.collapsed_.any():
            self._warn(
                f"component(s) {np.flatnonzero(self.collapsed_).tolist()} collapsed: only the "
                "floor keeps the likelihood bounded; ask for fewer components, another "
                "covariance_type, more starts with n_init, or raise floor."
            )

    def _n_parameters(self) -> int:
        k, d = self.n_components, self.n_features_in_
        matrix = d * (d + 1) // 2
        shapes = {"full": k * matrix, "tied": matrix, "diag": k * d, "spherical": k}
        return k - 1 + k * d + shapes[self.covariance_type]

    def sample(
        self, n_samples: int = 1, *, random_state: int | np.random.Generator = 0
    ) -> tuple[Array, NDArray[np.intp]]:
        """Draw from the fitted mixture.

        Parameters
        ----------
        n_samples : int
            How many samples to draw.
        random_state : int or numpy.random.Generator
            Seed.

        Returns
        -------
        X : ndarray of shape (n_samples, n_features)
            The samples, in random order.
        components : ndarray of shape (n_samples,)
            The component that each came from.
        """
        self._check_fitted()
        n = check_count(n_samples, "n_samples")
        rng = check_random_state(random_state)
        fitted: Gaussians = self._fitted
        components = rng.choice(self.n_components, size=n, p=fitted.weights)
        noise = rng.normal(size=(n, self.n_features_in_))
        if fitted.whitening.ndim == 3:
            # The columns of the inverse of a whitening matrix A = V / √λ are those of V √λ.
            roots = np.linalg.inv(fitted.whitening).transpose(0, 2, 1)
            roots = np.broadcast_to(roots, (self.n_components, *roots.shape[1:]))
            noise = np.einsum("ni,nij->nj", noise, roots[components].transpose(0, 2, 1))
        else:
            noise = noise / fitted.whitening[components]
        drawn = fitted.means[components] + noise
        return drawn * self._scale + self._centre, components


class _Coins(NamedTuple):
    """Bernoulli components: their weights and the probabilities of a one in each feature."""

    weights: Array
    theta: Array


class _Counts(NamedTuple):
    """How many points each component has, and how many of them have each feature."""

    masses: Array
    ones: Array
    before: _Coins


class BernoulliMixture(_Mixture[_Coins, _Counts]):
    r"""A mixture of products of Bernoulli distributions, for zeros and ones, fitted by EM.

    Within a component the features are independent: :math:`p_k(x)=\prod_j\theta_{kj}^{x_j}
    (1-\theta_{kj})^{1-x_j}`. The M-step is :math:`\pi_k=N_k/n` and
    :math:`\theta_{kj}=\sum_i\gamma_{ik}x_{ij}/N_k` (``thm-mixture-weights``,
    ``thm-bernoulli-m-step``), kept ``floor`` away from 0 and 1. See the chapter
    :doc:`/book/mixtures_and_em`.

    There is no ``sample_weight``, for the reason given at :class:`GaussianMixture`.

    Parameters
    ----------
    n_components : int
        The number of components.
    threshold : float
        What is greater counts as a one.
    start : tuple (weights, theta), optional
        Where to start. If not given, the points nearest to each centre of k-means++ are its first
        share.
    n_init : int
        How often to start; the best run is kept. A given ``start`` is used once.
    max_iter : int
        The greatest number of iterations of a run.
    tol : float
        A run ends when an iteration gains less log-likelihood than this per sample.
    floor : float
        The least probability of a zero or a one.
    chunk_size : int, optional
        How many samples are treated at once; the result depends on it by rounding only.
    random_state : int or numpy.random.Generator
        Seed of the starts.

    Attributes
    ----------
    weights_ : ndarray of shape (n_components,)
        The weights :math:`\pi_k`.
    theta_ : ndarray of shape (n_components, n_features)
        The probabilities of a one.
    log_likelihoods_ : ndarray of shape (n_iter_ + 1,)
        The log-likelihood of the start and after each iteration; it never falls.
    n_iter_ : int
        The number of iterations.
    converged_ : bool
        Whether the last iteration gained less than ``tol``.
    empty_ : ndarray of shape (n_components,)
        Which components have lost all their samples.
    n_features_in_ : int
        The number of features seen in ``fit``.
    feature_names_in_ : ndarray of str
        Their names, if ``fit`` was given a data frame.

    Examples
    --------
    >>> X = [[1, 1, 0, 0]] * 3 + [[0, 0, 1, 1]]
    >>> model = BernoulliMixture(2).fit(X)
    >>> sorted(model.weights_.round(2).tolist())
    [0.25, 0.75]
    """

    _constraints: ClassVar = {"floor": Real(above=0, below=0.5), **COMMON}

    theta_: Array

    def __init__(
        self,
        n_components: int = 2,
        *,
        threshold: float = 0.0,
        start: tuple[ArrayLike, ArrayLike] | None = None,
        n_init: int = 1,
        max_iter: int = 200,
        tol: float = 1e-3,
        floor: float = 1e-6,
        chunk_size: int | None = None,
        random_state: int | np.random.Generator = 0,
    ) -> None:
        self.n_components = n_components
        self.threshold = threshold
        self.start = start
        self.n_init = n_init
        self.max_iter = max_iter
        self.tol = tol
        self.floor = floor
        self.chunk_size = chunk_size
        self.random_state = random_state

    def fit(self, X: ArrayLike, y: None = None) -> Self:
        """Run EM from each start and keep the run that ended highest.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples; what exceeds ``threshold`` is a one.
        y : None
            Ignored: which component a sample came from is not known.

        Returns
        -------
        self
            The fitted estimator.
        """
        return super().fit(X)

    def _prepare(self, X: Array) -> None:
        if np.isnan(self.threshold):
            raise ValueError("threshold must be a number, got NaN, which no value exceeds.")

    def _rows(self, X: Array) -> Array:
        return np.greater(X, self.threshold).astype(np.float64)

    def _first(self, X: Array, rng: np.random.Generator) -> _Coins:
        if self.start is not None:
            shares, probabilities = _parts_of_start(self.start, "weights", "theta")
            theta = _check_probabilities(probabilities)
            if theta.shape != (self.n_components, X.shape[1]):
                raise ValueError(
                    f"theta in start has shape {theta.shape}, but there are {self.n_components} "
                    f"components and {X.shape[1]} features."
                )
            weights = _check_weights(shares, self.n_components)
            return _Coins(weights, theta.clip(self.floor, 1 - self.floor))
        centres = self._centres(X, rng)
        near = _Coins(np.full(len(centres), 1 / len(centres)), 0.25 + 0.5 * centres)
        counts = self._counts(X, near, assign_to_largest)[0]
        # One more sample of each kind: a feature that all nearest points share is not yet certain.
        return _Coins(near.weights, (counts.ones + 1) / (counts.masses[:, None] + 2))

    def _counts(
        self, X: Array, coins: _Coins, share: Callable[[Array], Array] = normalise_log_joint
    ) -> tuple[_Counts, float]:
        masses, ones = np.zeros(len(coins.weights)), np.zeros(coins.theta.shape)
        total = 0.0
        for Z in self._chunks(X):
            weights = self._log_joint(Z, coins)
            total += float(share(weights).sum())
            masses += weights.sum(axis=1)
            ones += weights @ Z
        return _Counts(masses, ones, coins), total

    def _e_step(self, X: Array, parameters: _Coins) -> tuple[_Counts, float]:
        return self._counts(X, parameters)

    def _m_step(self, statistics: _Counts) -> _Coins:
        masses, ones, before = statistics
        alive = masses > _EMPTY
        frequencies = ones / np.where(alive, masses, 1.0)[:, None]
        theta = np.where(alive[:, None], frequencies, before.theta)
        weights = np.where(alive, masses, 0.0) / masses.sum()
        return _Coins(weights, theta.clip(self.floor, 1 - self.floor))

    def _log_joint(self, rows: Array, parameters: _Coins) -> Array:
        with np.errstate(divide="ignore"):
            return bernoulli_table(rows, np.log(parameters.weights), parameters.theta)

    def _keep(self, run: EMRun) -> None:
        self.weights_, self.theta_ = run.parameters

    def _n_parameters(self) -> int:
        return self.n_components * (self.n_features_in_ + 1) - 1

    def sample(
        self, n_samples: int = 1, *, random_state: int | np.random.Generator = 0
    ) -> tuple[Array, NDArray[np.intp]]:
        """Draw from the fitted mixture.

        Parameters
        ----------
        n_samples : int
            How many samples to draw.
        random_state : int or numpy.random.Generator
            Seed.

        Returns
        -------
        X : ndarray of shape (n_samples, n_features)
            Zeros and ones.
        components : ndarray of shape (n_samples,)
            The component that each sample came from.
        """
        self._check_fitted()
        n = check_count(n_samples, "n_samples")
        rng = check_random_state(random_state)
        components = rng.choice(self.n_components, size=n, p=self.weights_)
        draws = rng.random((n, self.n_features_in_))
        return (draws < self.theta_[components]).astype(np.float64), components
