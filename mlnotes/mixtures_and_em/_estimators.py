"""Mixtures of Gaussians and of products of Bernoulli distributions, fitted by EM."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlnotes._constraints import OneOf, Real
from mlnotes._laws import Laws
from mlnotes._numerics import is_constant
from mlnotes._solvers.mixtures import (
    DIAGONAL,
    Bernoullis,
    Counts,
    Gaussians,
    Moments,
    assign_to_largest,
    bernoulli_counts,
    bernoulli_m_step,
    gaussian_m_step,
    gaussian_moments,
    gaussians,
    normalise_log_joint,
    restrict,
)
from mlnotes.mixtures_and_em._algorithms import EMRun
from mlnotes.mixtures_and_em._base import SHARED_CONSTRAINTS, BaseMixture
from mlnotes.mixtures_and_em._mathematics import check_gaussians, check_probabilities, check_shares
from mlnotes.validation import Array, check_count, check_random_state


def _parts_of_start(start: Any, *names: str) -> tuple[Any, ...]:
    """Return the parts of a start, which are as many as they have names."""
    if not isinstance(start, (tuple, list)) or len(start) != len(names):
        raise ValueError(f"start must be a tuple ({', '.join(names)}), got {start!r}.")
    return tuple(start)


class GaussianMixture(BaseMixture[Gaussians, Moments]):
    r"""A mixture of Gaussians, fitted by EM.

    The density is :math:`\sum_k\pi_k\mathcal N(x\mid\mu_k,\Sigma_k)`. The M-step is
    :math:`\pi_k=N_k/n`, :math:`\mu_k=\sum_ir_{ik}x_i/N_k` and
    :math:`\Sigma_k=\sum_ir_{ik}(x_i-\mu_k)(x_i-\mu_k)^\top/N_k` with
    :math:`N_k=\sum_ir_{ik}` (``thm-mixture-weights``, ``thm-gaussian-mean``,
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
        **SHARED_CONSTRAINTS,
    }
    # The starts are drawn from the rows. In a component that collapses upon a point rounding
    # decides.
    _laws: ClassVar = Laws(
        "columns",
        "density",
        "origin",
        parameters={"max_iter": 20, "floor": 0.1},
        grid={"tol": [0.001, 0.1]},
        unfinished={"max_iter": 1, "tol": 1e-12},
    )

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
        varies = ~is_constant(spread, self._centre)
        if self.covariance_type == "spherical":
            largest = spread[varies].max(initial=0.0)
            common = largest * np.sqrt(np.mean((spread / largest) ** 2)) if largest > 0 else 1.0
            self._scale = np.full(X.shape[1], common)
        else:
            self._scale = np.where(varies, spread, 1.0)

    def _scaled_rows(self, X: Array) -> Array:
        return np.asarray((X - self._centre) / self._scale)

    def _initialise(self, X: Array, rng: np.random.Generator) -> Gaussians:
        k, d = self.n_components, X.shape[1]
        if self.start is not None:
            parts = _parts_of_start(self.start, "weights", "means", "covariances")
            weights, means, covariances = check_gaussians(parts[0], parts[1], parts[2], d)
            if len(weights) != k:
                raise ValueError(f"start has {len(weights)} components, but n_components is {k}.")
            units = covariances / np.outer(self._scale, self._scale)
            start = restrict(units, weights, self.covariance_type)
            return gaussians(weights, self._scaled_rows(means), start, self.floor)
        diagonal = self.covariance_type in DIAGONAL
        unit = np.ones((k, d)) if diagonal else np.repeat(np.eye(d)[None], k, axis=0)
        spheres = gaussians(np.full(k, 1 / k), self._centres(X, rng), unit)
        nearest = gaussian_moments(
            self._chunks(X), spheres, self.covariance_type, assign_to_largest
        )
        return self._m_step(nearest[0])

    def _e_step(self, X: Array, parameters: Gaussians) -> tuple[Moments, float]:
        moments, total = gaussian_moments(
            self._chunks(X), parameters, self.covariance_type, normalise_log_joint
        )
        return moments, total - len(X) * float(np.log(self._scale).sum())

    def _m_step(self, statistics: Moments) -> Gaussians:
        return gaussian_m_step(statistics, self.covariance_type, self.floor)

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


class BernoulliMixture(BaseMixture[Bernoullis, Counts]):
    r"""A mixture of products of Bernoulli distributions, for zeros and ones, fitted by EM.

    Within a component the features are independent: :math:`p_k(x)=\prod_j\theta_{kj}^{x_j}
    (1-\theta_{kj})^{1-x_j}`. The M-step is :math:`\pi_k=N_k/n` and
    :math:`\theta_{kj}=\sum_ir_{ik}x_{ij}/N_k` (``thm-mixture-weights``,
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

    _constraints: ClassVar = {
        "threshold": Real(),
        "floor": Real(above=0, below=0.5),
        **SHARED_CONSTRAINTS,
    }
    # The starts are drawn from the rows; what is present is a matter of zero. Between zeros and
    # ones there are ties, and rounding decides.
    _laws: ClassVar = Laws("unit", grid={"tol": [0.001, 0.1]})

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
        """Learn nothing: zeros and ones have no units."""

    def _scaled_rows(self, X: Array) -> Array:
        return np.greater(X, self.threshold).astype(np.float64)

    def _initialise(self, X: Array, rng: np.random.Generator) -> Bernoullis:
        if self.start is not None:
            shares, probabilities = _parts_of_start(self.start, "weights", "theta")
            theta = check_probabilities(probabilities)
            if theta.shape != (self.n_components, X.shape[1]):
                raise ValueError(
                    f"theta in start has shape {theta.shape}, but there are {self.n_components} "
                    f"components and {X.shape[1]} features."
                )
            weights = check_shares(shares, self.n_components)
            return Bernoullis(weights, theta.clip(self.floor, 1 - self.floor))
        centres = self._centres(X, rng)
        near = Bernoullis(np.full(len(centres), 1 / len(centres)), 0.25 + 0.5 * centres)
        counts = bernoulli_counts(self._chunks(X), near, assign_to_largest)[0]
        # One more sample of each kind: a feature that all nearest points share is not yet certain.
        return Bernoullis(near.weights, (counts.ones + 1) / (counts.masses[:, None] + 2))

    def _e_step(self, X: Array, parameters: Bernoullis) -> tuple[Counts, float]:
        return bernoulli_counts(self._chunks(X), parameters, normalise_log_joint)

    def _m_step(self, statistics: Counts) -> Bernoullis:
        return bernoulli_m_step(statistics, self.floor)

    def _log_joint(self, rows: Array, parameters: Bernoullis) -> Array:
        return parameters.log_joint(rows)

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
