"""Tables as products of factors: parts that add up, sources that were mixed, causes with noise."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlnotes._constraints import AnyOf, Anything, Integer, OneOf, Optional, RandomState, Real
from mlnotes._laws import Laws
from mlnotes._numerics import is_constant
from mlnotes._solvers.latent import fit_factors, unmix
from mlnotes._solvers.nmf import divergence, factorise, scores_of, squares
from mlnotes._solvers.principal_components import orient, spectrum, summarise
from mlnotes.base import Transformer
from mlnotes.beyond_pca._mathematics import STARTS, check_factors, check_nonnegative, nmf_init
from mlnotes.exceptions import ConvergenceWarning, warn_at_caller
from mlnotes.validation import Array, check_matrix, check_random_state


class _Factors(Transformer):
    """What all factorisations say of scores and of runs that were stopped."""

    _squares = True

    components_: Array

    @property
    def _n_features_out(self) -> int:
        return len(self.components_)

    def _check_scores(self, T: ArrayLike) -> Array:
        self._check_fitted()
        scores = check_matrix(T, name="T")
        if scores.shape[1] != len(self.components_):
            raise ValueError(
                f"T has {scores.shape[1]} columns, but {type(self).__name__} has "
                f"{len(self.components_)} components."
            )
        return scores

    def _warn_unfinished(self, n_iter: int) -> None:
        warn_at_caller(
            f"{type(self).__name__} made {n_iter} steps and still changes; raise max_iter or tol.",
            ConvergenceWarning,
        )


class NMF(_Factors):
    r"""Non-negative matrix factorisation: :math:`X\approx TW^\top` with no negative entry.

    The divergence is that of Poisson counts with means :math:`TW^\top`; it is made smaller by the
    multiplicative updates of both factors. Squares are made smaller by setting the columns of both
    factors to their best values in turn. Neither ever raises the loss; what they reach depends on
    the start. New rows get the scores of least loss for the topics found. See the chapter beyond
    PCA.

    For squares scikit-learn is faster, at the same loss, where loops are not compiled (by the extra
    ``fast``), and on counts in tens of thousands of rows even where they are.

    There is no ``sample_weight``: pass a sample that counts twice twice.

    Parameters
    ----------
    n_components : int
        How many topics. With as many as features or samples the factorisation is exact and says
        nothing.
    loss : {"kl", "frobenius"}
        The generalised divergence, :math:`\sum_{ij}X_{ij}\log\frac{X_{ij}}{M_{ij}}-X_{ij}+M_{ij}`
        with :math:`M=TW^\top`, or half the sum of squares.
    init : {"random", "kmeans", "acol"} or tuple of array-like
        How to choose the topics to start from: random numbers, the centres of k-means, averages of
        rows drawn at random; or the factors T and W themselves.
    max_iter : int
        The greatest number of updates of both factors.
    tol : float
        Stop when the loss falls in an update by no more than this times the loss at the start.
    random_state : int or numpy.random.Generator
        Seed of the start.

    Attributes
    ----------
    components_ : ndarray of shape (n_components, n_features)
        The topics :math:`W^\top`, one a row.
    losses_ : ndarray
        The loss at the start and after every tenth update; it never rises.
    loss_ : float
        The loss at the end, of the scores found together with the topics.
    n_iter_ : int
        How many updates were made.
    n_features_in_ : int
        The number of features.
    feature_names_in_ : ndarray of str
        Their names, if ``fit`` was given a data frame.

    Examples
    --------
    >>> X = [[4.0, 2.0, 0.0], [2.0, 1.0, 0.0], [0.0, 0.0, 3.0]]
    >>> model = NMF(2).fit(X)
    >>> model.inverse_transform(model.transform(X)).round(2)
    array([[4., 2., 0.],
           [2., 1., 0.],
           [0., 0., 3.]])
    """

    _constraints: ClassVar = {
        "n_components": Integer(1),
        "loss": OneOf("kl", "frobenius"),
        "init": AnyOf(OneOf(*STARTS), Anything()),
        "max_iter": Integer(1),
        "tol": Real(least=0),
        "random_state": RandomState(),
    }
    # Scores have the unit of the features, and starts are drawn from the rows.
    _laws: ClassVar = Laws(grid={"n_components": [1, 2]}, unfinished={"max_iter": 1})

    losses_: Array
    loss_: float
    n_iter_: int

    def __init__(
        self,
        n_components: int = 2,
        *,
        loss: str = "kl",
        init: Any = "random",
        max_iter: int = 1000,
        tol: float = 1e-6,
        random_state: int | np.random.Generator = 0,
    ) -> None:
        self.n_components = n_components
        self.loss = loss
        self.init = init
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.positive_only = True
        return tags

    def fit(self, X: ArrayLike, y: ArrayLike | None = None) -> Self:
        """Find factors whose product is near the samples.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples, no entry negative.
        y : None
            Ignored.

        Returns
        -------
        self
            The fitted estimator.
        """
        table = self._check_counts(self._fit_matrix(X))
        T, W = self._start(table)
        found = factorise(table, T, W, self.loss, int(self.max_iter), self.tol)
        self.components_ = np.ascontiguousarray(found.topics.T)
        self.losses_, self.loss_ = found.losses, float(found.losses[-1])
        self.n_iter_ = found.n_iter
        if not found.converged:
            self._warn_unfinished(found.n_iter)
        return self

    def _start(self, table: Array) -> tuple[Array, Array]:
        k = int(self.n_components)
        rng = check_random_state(self.random_state)
        if isinstance(self.init, str) and self.init in STARTS:
            if self.init == "kmeans" and k > len(table):
                raise ValueError(
                    f"n_components={k} must be at most n_samples={len(table)} for init='kmeans'."
                )
            return nmf_init(table, k, method=self.init, random_state=rng)
        if not isinstance(self.init, tuple) or len(self.init) != 2:
            raise ValueError(
                f"init must be one of {', '.join(STARTS)} or a pair of factors, got {self.init!r}."
            )
        _, T, W = check_factors(table, *self.init)
        if T.shape[1] != k:
            raise ValueError(f"init has {T.shape[1]} components, and n_components is {k}.")
        return T, W

    def _check_counts(self, X: Array) -> Array:
        # Products of a frame, which keeps its columns together, would round differently.
        return np.ascontiguousarray(check_nonnegative(X, "X", type(self).__name__))

    def _transform(self, X: Array) -> Array:
        return scores_of(self._check_counts(X), np.ascontiguousarray(self.components_.T), self.loss)

    def inverse_transform(self, T: ArrayLike) -> Array:
        r"""Return the rows that scores stand for, :math:`TW^\top`.

        Parameters
        ----------
        T : array-like of shape (n_samples, n_components)
            Scores, as from ``transform``.

        Returns
        -------
        ndarray of shape (n_samples, n_features)
            The products.
        """
        return np.asarray(self._check_scores(T) @ self.components_)

    def score(self, X: ArrayLike, y: ArrayLike | None = None) -> float:
        """Return minus the mean loss of the samples, with their best scores.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples.
        y : None
            Ignored.

        Returns
        -------
        float
            Not positive.
        """
        table = self._use_matrix(X)
        T, W = self._transform(table), self.components_.T
        value = divergence if self.loss == "kl" else squares
        return -value(table, T, W) / len(table)


class FastICA(_Factors):
    r"""Independent components: sources that were mixed, found where they look least Gaussian.

    Samples are centred and whitened; what is left to find is orthogonal. Newton's step
    :math:`w\leftarrow\frac1n\sum_iz_iG'(\langle w,z_i\rangle)
    -\frac1n\sum_iG''(\langle w,z_i\rangle)\,w` and orthogonalisation alternate, for all components
    together or for one after the other. Order and signs of sources cannot be known, nor their
    sizes; at most one may be Gaussian. See the chapter beyond PCA.

    Where the sources are rare events, nearly always zero, more steps are needed, and scikit-learn
    may be as fast.

    There is no ``sample_weight``: pass a sample that counts twice twice.

    Parameters
    ----------
    n_components : int, optional
        How many sources; as many as the directions along which the samples vary if not given.
        With fewer, only the leading principal components are unmixed.
    contrast : {"logcosh", "exp"}
        The function G: :math:`\log\cosh r` or :math:`-e^{-r^2/2}`.
    algorithm : {"parallel", "deflation"}
        All sources together, or one after the other.
    max_iter : int
        The greatest number of steps.
    tol : float
        Stop when no step turns a direction by more: :math:`1-|\langle w,w_{\text{new}}\rangle|`.
    random_state : int or numpy.random.Generator
        Seed of the start.

    Attributes
    ----------
    components_ : ndarray of shape (n_components_, n_features)
        What maps centred samples to sources of mean 0 and variance 1.
    mixing_ : ndarray of shape (n_features, n_components_)
        What maps sources to samples: its pseudo-inverse.
    mean_ : ndarray of shape (n_features,)
        The mean of the samples.
    whitening_ : ndarray of shape (n_components_, n_features)
        What maps centred samples to whitened ones.
    n_components_ : int
        How many sources there are.
    n_iter_ : int
        How many steps were made, of the component that took most if one after the other.
    n_features_in_ : int
        The number of features.
    feature_names_in_ : ndarray of str
        Their names, if ``fit`` was given a data frame.

    Examples
    --------
    >>> sources = np.random.default_rng(0).uniform(-1, 1, size=(1000, 2))
    >>> model = FastICA().fit(sources @ [[1.0, 0.5], [0.5, 1.0]])
    >>> (np.abs(model.mixing_) * np.sqrt(3)).round(1)
    array([[1. , 0.5],
           [0.5, 1. ]])
    """

    _constraints: ClassVar = {
        "n_components": Optional(Integer(1)),
        "contrast": OneOf("logcosh", "exp"),
        "algorithm": OneOf("parallel", "deflation"),
        "max_iter": Integer(1),
        "tol": Real(above=0),
        "random_state": RandomState(),
    }
    # So few samples as laws are tried on may have no definite answer.
    _laws: ClassVar = Laws("unit", grid={"n_components": [1, 2]}, unfinished={"max_iter": 1})

    mixing_: Array
    mean_: Array
    whitening_: Array
    n_components_: int
    n_iter_: int

    def __init__(
        self,
        n_components: int | None = None,
        *,
        contrast: str = "logcosh",
        algorithm: str = "parallel",
        max_iter: int = 500,
        tol: float = 1e-6,
        random_state: int | np.random.Generator = 0,
    ) -> None:
        self.n_components = n_components
        self.contrast = contrast
        self.algorithm = algorithm
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state

    def fit(self, X: ArrayLike, y: ArrayLike | None = None) -> Self:
        """Find the directions along which the samples look least Gaussian.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Mixtures of the sources.
        y : None
            Ignored.

        Returns
        -------
        self
            The fitted estimator.
        """
        points = self._fit_matrix(X, min_samples=2)
        n, d = points.shape
        summary = summarise(points, None)
        found = spectrum(summary.factor, 1)
        if found.rank == 0:
            raise ValueError(
                "X does not vary: there are no sources to find in n identical samples."
            )
        k = found.rank if self.n_components is None else int(self.n_components)
        if k > found.rank:
            raise ValueError(
                f"n_components={k} must be at most {found.rank}, the number of directions along "
                f"which X varies, for n_samples={n} and n_features={d}."
            )
        scale = found.values[:k, None] / np.sqrt(n)
        self.mean_, self.whitening_ = summary.mean, found.directions[:k] / scale
        Z = (points - self.mean_) @ self.whitening_.T
        start = check_random_state(self.random_state).standard_normal((k, k))
        run = unmix(
            Z, start, self.contrast, self.algorithm == "parallel", int(self.max_iter), self.tol
        )
        columns = self._ordered(run.columns, found.directions[:k].T * scale.T)
        self.components_ = columns.T @ self.whitening_
        self.mixing_ = (found.directions[:k].T * scale.T) @ columns
        self.n_components_, self.n_iter_ = k, run.n_iter
        if not run.converged:
            self._warn_unfinished(run.n_iter)
        return self

    @staticmethod
    def _ordered(columns: Array, back: Array) -> Array:
        """Turn every column so that the largest entry of its mixing weights is positive."""
        mixing = back @ columns
        signs = np.sign((orient(mixing) * mixing).sum(axis=0))
        return np.asarray(columns * np.where(signs == 0, 1.0, signs))

    def _transform(self, X: Array) -> Array:
        return np.asarray((X - self.mean_) @ self.components_.T)

    def inverse_transform(self, T: ArrayLike) -> Array:
        """Mix sources again.

        Parameters
        ----------
        T : array-like of shape (n_samples, n_components)
            Sources, as from ``transform``.

        Returns
        -------
        ndarray of shape (n_samples, n_features)
            Samples; those of ``fit``, if no component was left out.
        """
        return np.asarray(self._check_scores(T) @ self.mixing_.T + self.mean_)


class FactorAnalysis(_Factors):
    r"""Factor analysis: :math:`x=\mu+Wz+\varepsilon`, with a variance of the noise per feature.

    The factors z are independent standard Gaussians, so that x is Gaussian with the covariance
    :math:`WW^\top+\Psi`, :math:`\Psi` diagonal. For given noise the best loadings are known; over
    the noise the likelihood is maximised by Newton's method, in fewer steps than EM takes. See the
    chapter beyond PCA.

    A feature that does not vary has no loadings and no noise, and densities leave it out. Where the
    likelihood has no maximum because the noise of a feature vanishes, it is kept at ``floor``.

    There is no ``sample_weight``: pass a sample that counts twice twice.

    Parameters
    ----------
    n_components : int
        How many factors.
    max_iter : int
        The greatest number of steps.
    tol : float
        Stop when the mean log-likelihood rises by no more than this share of it in a step.
    floor : float
        The least variance of the noise of a feature, as a share of the feature's variance.

    Attributes
    ----------
    components_ : ndarray of shape (n_components, n_features)
        The loadings :math:`W^\top`, one factor a row; any rotation of them is as likely.
    noise_variance_ : ndarray of shape (n_features,)
        The diagonal of :math:`\Psi`.
    mean_ : ndarray of shape (n_features,)
        The mean of the samples.
    log_likelihoods_ : ndarray
        The mean log-likelihood at the start and after each step; it never falls.
    n_iter_ : int
        How many steps were made.
    n_features_in_ : int
        The number of features.
    feature_names_in_ : ndarray of str
        Their names, if ``fit`` was given a data frame.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(500, 1)) * [3.0, 2.0, 1.0] + rng.normal(size=(500, 3))
    >>> FactorAnalysis(1).fit(X).noise_variance_.round(1)
    array([1.3, 0.9, 0.9])
    """

    _constraints: ClassVar = {
        "n_components": Integer(1),
        "max_iter": Integer(1),
        "tol": Real(least=0),
        "floor": Real(above=0, below=1),
    }
    # Where the likelihood is flat, rounding decides where the search stops.
    _laws: ClassVar = Laws(
        "density",
        grid={"n_components": [1, 2]},
        unfinished={"n_components": 1, "max_iter": 1},
    )

    noise_variance_: Array
    mean_: Array
    log_likelihoods_: Array
    n_iter_: int
    _varies: NDArray[np.bool_]

    def __init__(
        self,
        n_components: int = 1,
        *,
        max_iter: int = 1000,
        tol: float = 1e-10,
        floor: float = 1e-6,
    ) -> None:
        self.n_components = n_components
        self.max_iter = max_iter
        self.tol = tol
        self.floor = floor

    def fit(self, X: ArrayLike, y: ArrayLike | None = None) -> Self:
        """Maximise the likelihood of the samples.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples.
        y : None
            Ignored.

        Returns
        -------
        self
            The fitted estimator.
        """
        points = self._fit_matrix(X, min_samples=2)
        n, d = points.shape
        if self.n_components > d:
            raise ValueError(f"n_components={self.n_components} must be at most n_features={d}.")
        summary = summarise(points, None)
        factor = summary.factor / np.sqrt(n)
        deviations = np.sqrt((factor**2).sum(axis=0))
        varies = ~is_constant(deviations, summary.mean)
        scaled = factor[:, varies] / deviations[varies]
        k = min(int(self.n_components), int(varies.sum()))
        if k == 0:  # all samples are the same point
            self.components_, self.noise_variance_ = (
                np.zeros((int(self.n_components), d)),
                np.zeros(d),
            )
            self.mean_, self._varies = summary.mean, varies
            self.log_likelihoods_, self.n_iter_ = np.zeros(1), 0
            return self
        found = fit_factors(scaled.T @ scaled, k, int(self.max_iter), self.tol, self.floor)
        loadings = np.zeros((int(self.n_components), d))
        loadings[:k, varies] = found.loadings.T * deviations[varies]
        self.components_, self.noise_variance_ = loadings, np.zeros(d)
        self.noise_variance_[varies] = found.noise * deviations[varies] ** 2
        self.mean_, self._varies = summary.mean, varies
        self.log_likelihoods_ = found.log_likelihoods - np.log(deviations[varies]).sum()
        self.n_iter_ = len(found.log_likelihoods) - 1
        if not found.converged:
            self._warn_unfinished(self.n_iter_)
        return self

    def get_covariance(self) -> Array:
        r"""Return the covariance of the model, :math:`WW^\top+\Psi`.

        Returns
        -------
        ndarray of shape (n_features, n_features)
            Its diagonal is that of the samples' covariance at the maximum.
        """
        self._check_fitted()
        W = self.components_
        return np.asarray(W.T @ W + np.diag(self.noise_variance_))

    def _scaled(self, X: Array) -> tuple[Array, Array]:
        """Return centred samples and loadings (d, k) in units of the noise."""
        roots = np.sqrt(self.noise_variance_[self._varies])
        centred = (X[:, self._varies] - self.mean_[self._varies]) / roots
        return centred, self.components_[:, self._varies].T / roots[:, None]

    def _transform(self, X: Array) -> Array:
        centred, W = self._scaled(X)
        inner = np.eye(W.shape[1]) + W.T @ W
        return np.asarray(np.linalg.solve(inner, W.T @ centred.T).T)

    def score_samples(self, X: ArrayLike) -> Array:
        """Return the log-density of each sample.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples.

        Returns
        -------
        ndarray of shape (n_samples,)
            Of the features that vary.
        """
        points = self._use_matrix(X)
        centred, W = self._scaled(points)
        inner = np.eye(W.shape[1]) + W.T @ W
        products = centred @ W
        solved = np.linalg.solve(inner, products.T).T
        with np.errstate(over="ignore", invalid="ignore"):
            lengths = (centred**2).sum(axis=1) - (products * solved).sum(axis=1)
        if not np.isfinite(lengths).all():
            raise ValueError(
                "X is so far from the samples of fit that its squares overflow; divide X by a "
                "power of ten."
            )
        noise = self.noise_variance_[self._varies]
        log_det = np.log(noise).sum() + np.linalg.slogdet(inner)[1]
        return np.asarray(-0.5 * (len(noise) * np.log(2 * np.pi) + log_det + lengths))

    def score(self, X: ArrayLike, y: ArrayLike | None = None) -> float:
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
            The mean log-likelihood.
        """
        return float(self.score_samples(X).mean())
