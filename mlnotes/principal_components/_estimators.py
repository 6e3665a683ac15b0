"""What is fitted: principal components of points, of features behind a kernel, of spoilt tables."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from mlnotes._constraints import AnyOf, Boolean, Integer, OneOf, Optional, Real
from mlnotes._laws import Laws
from mlnotes._numerics import ROUNDOFF, weighted_mean
from mlnotes._solvers.kernel_rows import Kernel, check_gram
from mlnotes._solvers.principal_components import (
    Summary,
    leading_eigenpairs,
    merge,
    spectrum,
    summarise,
)
from mlnotes._solvers.robust_pca import low_rank_plus_sparse
from mlnotes.base import Transformer
from mlnotes.exceptions import ConvergenceWarning, NotFittedError, warn_at_caller
from mlnotes.validation import Array, check_matrix, check_weights


class _Projection(Transformer):
    """Scores along orthonormal directions from a centre."""

    _squares = True

    mean_: Array
    components_: Array

    @property
    def _n_features_out(self) -> int:
        return len(self.components_)

    def _transform(self, X: Array) -> Array:
        return np.asarray((X - self.mean_) @ self.components_.T)

    def _check_scores(self, T: ArrayLike) -> Array:
        self._check_fitted()
        scores = check_matrix(T, name="T")
        if scores.shape[1] != len(self.components_):
            raise ValueError(
                f"T has {scores.shape[1]} columns, but {type(self).__name__} has "
                f"{len(self.components_)} components."
            )
        return scores

    def inverse_transform(self, T: ArrayLike) -> Array:
        r"""Return the points that have given scores: :math:`\bar x+UT_i`.

        Parameters
        ----------
        T : array-like of shape (n_samples, n_components)
            Scores, as from ``transform``.

        Returns
        -------
        ndarray of shape (n_samples, n_features)
            Of the points with these scores the one nearest to the mean.
        """
        return np.asarray(self._check_scores(T) @ self.components_ + self.mean_)

    def score(self, X: ArrayLike, y: ArrayLike | None = None) -> float:
        """Return minus the mean squared distance of the samples from their projections.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples.
        y : None
            Ignored.

        Returns
        -------
        float
            Not positive; the larger, the less is lost.
        """
        points = self._use_matrix(X)
        centred = points - self.mean_
        lost = centred - (centred @ self.components_.T) @ self.components_
        return -float((lost**2).sum(axis=1).mean())


class PCA(_Projection):
    r"""Principal components: the orthonormal directions along which samples vary most.

    The projection to the first k of them loses less, in the sum of squares, than that to any other
    k directions. They are the right singular vectors of the centred samples, computed from a
    triangular factor of these, so that no scatter matrix squares the rounding errors. See the
    chapter on principal components.

    Every direction is turned so that its entry largest in absolute value, the first if several are,
    is positive. If several directions have the same variance, any basis of their span would do: the
    first taken is the projection to it of the feature whose projection is longest, and so on.
    Directions without variance are chosen in the same way; a feature that does not vary gets weight
    0 in all others.

    Parameters
    ----------
    n_components : int or float, optional
        How many components; or, if between 0 and 1, the least share of the variance that they must
        explain; or all along which the samples vary, one at least.
    whiten : bool
        Whether to scale the scores to variance 1. Those along a direction without variance stay 0.

    Attributes
    ----------
    components_ : ndarray of shape (n_components_, n_features)
        The directions, one a row.
    mean_ : ndarray of shape (n_features,)
        The mean of the samples.
    explained_variance_ : ndarray of shape (n_components_,)
        The variance along each direction: the eigenvalue of the scatter matrix over the number of
        samples.
    explained_variance_ratio_ : ndarray of shape (n_components_,)
        Its share of the total; 0 if the samples do not vary.
    singular_values_ : ndarray of shape (n_components_,)
        The roots of the eigenvalues of the scatter matrix.
    reconstruction_error_ : float
        The sum of squared distances of the samples from their projections: the sum of the
        eigenvalues left out.
    n_components_ : int
        How many components there are.
    n_samples_seen_ : float
        The number of samples, or the sum of their weights.
    n_features_in_ : int
        The number of features.
    feature_names_in_ : ndarray of str
        Their names, if ``fit`` was given a data frame.

    Examples
    --------
    >>> model = PCA(1).fit([[0.0, 1.0], [3.0, 5.0]])
    >>> model.components_.round(6), model.explained_variance_.round(6)
    (array([[0.6, 0.8]]), array([6.25]))
    >>> left, right = PCA().fit([[0.0, 1.0]]), PCA().fit([[3.0, 5.0]])
    >>> left.merge(right).explained_variance_.round(6)
    array([6.25])
    """

    _constraints: ClassVar = {
        "n_components": Optional(
            AnyOf(
                Integer(1),
                Real(above=0, below=1),
                hint="pass how many, or which share of the variance",
            )
        ),
        "whiten": Boolean(),
    }
    _laws: ClassVar = Laws(
        "rows",
        "columns",
        "unit",
        "origin",
        parameters={"whiten": True},
        grid={"n_components": [1, 2]},
    )

    explained_variance_: Array
    explained_variance_ratio_: Array
    singular_values_: Array
    reconstruction_error_: float
    n_components_: int
    n_samples_seen_: float
    _summary: Summary

    def __init__(self, n_components: int | float | None = None, *, whiten: bool = False) -> None:
        self.n_components = n_components
        self.whiten = whiten

    def fit(
        self, X: ArrayLike, y: ArrayLike | None = None, sample_weight: ArrayLike | None = None
    ) -> Self:
        """Find the directions of largest variance.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples.
        y : None
            Ignored.
        sample_weight : array-like of shape (n_samples,), optional
            How often each sample counts.

        Returns
        -------
        self
            The fitted estimator.
        """
        points = self._fit_matrix(X)
        self._keep(summarise(points, check_weights(sample_weight, len(points))), points.shape)
        return self

    def partial_fit(
        self, X: ArrayLike, y: ArrayLike | None = None, sample_weight: ArrayLike | None = None
    ) -> Self:
        """Add samples to those seen before: the result is that of one ``fit`` to all of them.

        As long as fewer samples than ``n_components`` were seen there are fewer components.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            More samples, one at least.
        y : None
            Ignored.
        sample_weight : array-like of shape (n_samples,), optional
            How often each sample counts.

        Returns
        -------
        self
            The estimator itself.
        """
        first = not self.__sklearn_is_fitted__()
        points = self._fit_matrix(X) if first else self._use_matrix(X)
        found = summarise(points, check_weights(sample_weight, len(points)))
        self._keep(found if first else merge(self._summary, found))
        return self

    def merge(self, other: PCA) -> Self:
        r"""Add the samples that another estimator has seen: the result is that of one ``fit``.

        With :math:`n_a,n_b` samples of means :math:`m_a,m_b` and scatter matrices :math:`S_a,S_b`,
        :math:`S=S_a+S_b+\frac{n_an_b}{n_a+n_b}(m_a-m_b)(m_a-m_b)^\top`.

        Parameters
        ----------
        other : PCA
            Fitted to other samples of the same features.

        Returns
        -------
        self
            The estimator itself; ``other`` is left as it is.
        """
        self._check_fitted()
        if not isinstance(other, PCA):
            raise TypeError(f"other must be a PCA, got {other!r}.")
        if not other.__sklearn_is_fitted__():
            raise NotFittedError("other is not fitted yet; call its fit first.")
        if other.n_features_in_ != self.n_features_in_:
            raise ValueError(
                f"other has seen {other.n_features_in_} features, this PCA {self.n_features_in_}."
            )
        self._keep(merge(self._summary, other._summary))
        return self

    def _keep(self, summary: Summary, shape: tuple[int, ...] | None = None) -> None:
        """Learn from a summary; ``shape`` is that of all samples, which must suffice."""
        d = len(summary.mean)
        most = min(len(summary.factor), d) if shape is None else min(shape)
        asked = self.n_components
        counted = isinstance(asked, int | np.integer)
        if counted and shape is not None and asked > most:  # type: ignore[operator]
            raise ValueError(
                f"n_components={asked} must be at most {most}, for n_samples={shape[0]} and "
                f"n_features={shape[1]}."
            )
        found = spectrum(summary.factor, most)
        varying = max(1, found.rank)
        k = min(int(asked), most) if counted else varying  # type: ignore[arg-type]
        variances = found.values**2 / summary.weight
        total = variances.sum()
        ratios = variances / total if total > 0 else np.zeros_like(variances)
        if isinstance(asked, float):
            k = min(
                int(np.searchsorted(np.cumsum(ratios), asked * (1 - 4 * ROUNDOFF))) + 1, varying
            )
        self._summary = summary
        self.mean_ = summary.mean
        self.components_ = found.directions[:k].copy()
        self.singular_values_ = found.values[:k]
        self.explained_variance_ = variances[:k]
        self.explained_variance_ratio_ = ratios[:k]
        self.reconstruction_error_ = float((found.values[k:] ** 2).sum())
        self.n_components_ = k
        self.n_samples_seen_ = summary.weight

    def _scale(self) -> Array:
        """Return the standard deviation of each score, or one where there is no whitening."""
        if not self.whiten:
            return np.ones(self.n_components_)
        return np.sqrt(self.explained_variance_)

    def _transform(self, X: Array) -> Array:
        scores, scale = super()._transform(X), self._scale()
        varies = scale > 0
        scores[:, ~varies] = 0.0
        scores[:, varies] /= scale[varies]
        return scores

    def inverse_transform(self, T: ArrayLike) -> Array:
        r"""Return the points that have given scores: :math:`\bar x+UT_i`.

        Parameters
        ----------
        T : array-like of shape (n_samples, n_components)
            Scores, as from ``transform``; whitened ones are scaled back first.

        Returns
        -------
        ndarray of shape (n_samples, n_features)
            Of the points with these scores the one nearest to the mean.
        """
        return super().inverse_transform(self._check_scores(T) * self._scale())


class KernelPCA(Transformer):
    r"""Principal components in the space of features, of which only a kernel is known.

    The kernel matrix is centred, :math:`K'=MKM`, and decomposed, :math:`K'=U\Lambda U^\top`: the
    training scores are :math:`U\Lambda^{1/2}`, and those of new points :math:`k'U\Lambda^{-1/2}`
    with their centred kernel values. Of a large matrix only the leading eigenvectors are computed.
    See the chapter on principal components.

    Signs are those of :class:`PCA`. Where several eigenvalues are equal, the first eigenvector is
    the projection to their span of the unit column, one for each sample, whose projection is
    longest, and so on.

    There is no ``sample_weight``: pass a sample that counts twice twice.

    Parameters
    ----------
    n_components : int, optional
        How many components; with None as many as there are eigenvalues that are not 0. Scores along
        a component whose eigenvalue is 0 are 0.
    kernel : {"gaussian", "polynomial", "linear", "precomputed"} or callable
        A callable gets two sets of points and returns the matrix of their kernel values. With
        ``"precomputed"``, ``fit`` gets the kernel matrix of the samples, and ``transform`` the
        matrix of kernel values between new samples (rows) and all training samples (columns).
    bandwidth : float, optional
        The length :math:`\tau` of the Gaussian kernel :math:`\exp(-\lVert x-x'\rVert^2/2\tau^2)`;
        if not given, :math:`2\tau^2` is the sum of the variances of the features.
    degree, constant : int and float
        Of the polynomial kernel :math:`(\langle x,x'\rangle+c)^p`.

    Attributes
    ----------
    eigenvalues_ : ndarray of shape (n_components_,)
        The leading eigenvalues of the centred kernel matrix; rounding below 0 counts as 0.
    coefficients_ : ndarray of shape (n_samples, n_components_)
        :math:`U\Lambda^{-1/2}`; 0 where the eigenvalue is 0.
    n_components_ : int
        How many components there are.
    bandwidth_ : float
        The :math:`\tau` used.
    samples_ : ndarray of shape (n_samples, n_features)
        The training samples; empty for a precomputed kernel.
    n_features_in_ : int
        The number of features.
    feature_names_in_ : ndarray of str
        Their names, if ``fit`` was given a data frame.

    Examples
    --------
    >>> rings = [[0.0, 1.0], [0.0, -1.0], [3.0, 0.0], [-3.0, 0.0], [0.0, 3.0], [0.0, -3.0]]
    >>> KernelPCA(2, kernel="polynomial").fit_transform(rings)[:, 1].round(2) > 0
    array([ True,  True, False, False, False, False])
    """

    _squares = True
    _constraints: ClassVar = {
        "n_components": Optional(Integer(1)),
        "kernel": OneOf("gaussian", "polynomial", "linear", "precomputed", or_callable=True),
        "bandwidth": Optional(Real(above=0)),
        "degree": Integer(1),
        "constant": Real(least=0, hint="below 0 the polynomial is not a kernel"),
    }
    _laws: ClassVar = Laws("rows", "columns", "unit", "origin", grid={"n_components": [1, 2]})

    eigenvalues_: Array
    coefficients_: Array
    n_components_: int
    bandwidth_: float
    samples_: Array
    _means: Array

    def __init__(
        self,
        n_components: int | None = 2,
        *,
        kernel: str | Callable[[Array, Array], ArrayLike] = "gaussian",
        bandwidth: float | None = None,
        degree: int = 2,
        constant: float = 1.0,
    ) -> None:
        self.n_components = n_components
        self.kernel = kernel
        self.bandwidth = bandwidth
        self.degree = degree
        self.constant = constant

    def fit(self, X: ArrayLike, y: ArrayLike | None = None) -> Self:
        """Find the leading components of the features of the samples.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples, or their kernel matrix.
        y : None
            Ignored.

        Returns
        -------
        self
            The fitted estimator.
        """
        points = self._fit_matrix(X)
        n = len(points)
        if self.n_components is not None and self.n_components > n:
            raise ValueError(f"n_components={self.n_components} must be at most n_samples={n}.")
        self.bandwidth_ = self._width(points)
        self.samples_ = points[:0] if self._precomputed else points
        K = self._gram(points)
        self._means = K.mean(axis=0)
        asked = n if self.n_components is None else self.n_components
        eigenvalues, U = leading_eigenpairs(K, asked)
        least = ROUNDOFF * n * max(float(eigenvalues[0]), float(np.abs(K).max()) * ROUNDOFF)
        positive = eigenvalues > least
        if self.n_components is None:
            asked = max(1, int(np.count_nonzero(positive)))
        self.eigenvalues_ = np.where(positive, eigenvalues, 0.0)[:asked]
        roots = np.sqrt(np.where(positive, eigenvalues, 1.0))
        self.coefficients_ = np.where(positive, U / roots, 0.0)[:, :asked]
        self.n_components_ = asked
        return self

    @property
    def _precomputed(self) -> bool:
        return isinstance(self.kernel, str) and self.kernel == "precomputed"

    def _width(self, points: Array) -> float:
        if self.bandwidth is not None:
            return float(self.bandwidth)
        variance = float(((points - weighted_mean(points)) ** 2).mean(axis=0).sum())
        return float(np.sqrt(variance / 2)) if variance > 0 else 1.0

    def _values(self, A: Array, B: Array) -> Array:
        kernel = Kernel(self.kernel, self.bandwidth_, int(self.degree), float(self.constant))
        return kernel(A, B)

    def _gram(self, points: Array) -> Array:
        if self._precomputed:
            if points.shape[0] != points.shape[1]:
                raise ValueError(
                    "with kernel='precomputed', X must be the square kernel matrix of the samples, "
                    f"got shape {points.shape}."
                )
            check_gram(points)
            return points
        K = self._values(points, points)
        if callable(self.kernel):
            check_gram(K)
        return K

    @property
    def _n_features_out(self) -> int:
        return self.n_components_

    def _transform(self, X: Array) -> Array:
        values = X if self._precomputed else self._values(X, self.samples_)
        centred = values - self._means
        centred -= centred.mean(axis=1, keepdims=True)
        return np.asarray(centred @ self.coefficients_)


class RobustPCA(_Projection):
    r"""Principal components of samples of which some entries are grossly wrong.

    The table of samples, about the medians of the features, is split into one of low rank and a
    sparse one, :math:`X=L+S` with :math:`\lVert L\rVert_*+\lambda\sum_{ij}|S_{ij}|` as small as
    possible (principal component pursuit, by the alternating direction method of multipliers). The
    components are those of L. See the chapter on principal components.

    There is no ``sample_weight``: pass a sample that counts twice twice.

    Parameters
    ----------
    n_components : int, optional
        The greatest number of components; the rank of L if not given or if that is less.
    lam : float, optional
        The price of an entry of S; :math:`1/\sqrt{\max(n,d)}` if not given.
    max_iter : int
        The greatest number of steps.
    tol : float
        Stop when :math:`\lVert X-L-S\rVert_F` is at most this times :math:`\lVert X\rVert_F`, and
        the last step changed S by no more.

    Attributes
    ----------
    components_ : ndarray of shape (n_components_, n_features)
        The directions, one a row.
    mean_ : ndarray of shape (n_features,)
        The mean of the samples less their sparse part.
    low_rank_, sparse_ : ndarray of shape (n_samples, n_features)
        The two parts; ``low_rank_ + sparse_`` are the samples, up to ``tol``.
    objective_ : float
        What was minimised, at the end.
    rank_ : int
        The rank of L.
    n_components_ : int
        How many components there are.
    n_iter_ : int
        How many steps were made.
    n_features_in_ : int
        The number of features.
    feature_names_in_ : ndarray of str
        Their names, if ``fit`` was given a data frame.

    Examples
    --------
    >>> X = np.outer(np.cos(np.arange(30.0)), np.sin(np.arange(20.0)))
    >>> X[3, 4] += 50.0
    >>> model = RobustPCA().fit(X)
    >>> np.argwhere(np.abs(model.sparse_) > 1e-3), model.rank_
    (array([[3, 4]]), 1)
    """

    _constraints: ClassVar = {
        "n_components": Optional(Integer(1)),
        "lam": Optional(Real(above=0, most=1e9)),
        "max_iter": Integer(1),
        "tol": Real(above=0),
    }
    _laws: ClassVar = Laws(
        "rows",
        "columns",
        "origin",
        # At a lower price of sparse entries some samples have no part of low rank.
        parameters={"n_components": 1, "lam": 0.3, "tol": 1e-10},
        grid={"n_components": [1, 2]},
        unfinished={"max_iter": 2},
    )

    low_rank_: Array
    sparse_: Array
    objective_: float
    rank_: int
    n_components_: int
    n_iter_: int

    def __init__(
        self,
        n_components: int | None = None,
        *,
        lam: float | None = None,
        max_iter: int = 1000,
        tol: float = 1e-7,
    ) -> None:
        self.n_components = n_components
        self.lam = lam
        self.max_iter = max_iter
        self.tol = tol

    def fit(self, X: ArrayLike, y: ArrayLike | None = None) -> Self:
        """Split the samples and find the components of the part of low rank.

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
        if self.n_components is not None and self.n_components > min(n, d):
            raise ValueError(
                f"n_components={self.n_components} must be at most {min(n, d)}, for n_samples={n} "
                f"and n_features={d}."
            )
        centre = np.median(points, axis=0)
        price = 1 / np.sqrt(max(n, d)) if self.lam is None else float(self.lam)
        split = low_rank_plus_sparse(points - centre, price, self.max_iter, self.tol)
        self.rank_, self.n_iter_, self.objective_ = split.rank, split.n_iter, split.objective
        self.low_rank_, self.sparse_ = split.low_rank + centre, split.sparse
        summary = summarise(self.low_rank_, None)
        most = max(1, self.rank_)
        k = most if self.n_components is None else min(int(self.n_components), most)
        self.mean_ = summary.mean
        self.components_ = spectrum(summary.factor, k).directions[:k].copy()
        self.n_components_ = k
        if not split.converged:
            warn_at_caller(
                f"RobustPCA made {split.n_iter} steps and the parts still change; raise max_iter "
                "or tol.",
                ConvergenceWarning,
            )
        return self
