"""Points placed anew: by their distances, or by their neighbours."""

from __future__ import annotations

from typing import ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from mlnotes._constraints import Integer, OneOf, Real
from mlnotes._laws import Laws
from mlnotes._numerics import ROUNDOFF
from mlnotes._solvers.embedding import bottom_eigenvectors, connected_neighbours
from mlnotes._solvers.neighbours import Indices, local_weights, nearest
from mlnotes._solvers.principal_components import leading_eigenpairs, spectrum, summarise
from mlnotes.base import Transformer
from mlnotes.exceptions import warn_at_caller
from mlnotes.principal_components import double_centre
from mlnotes.validation import Array, check_distances


class MDS(Transformer):
    r"""Classical multidimensional scaling: points whose inner products come nearest to given ones.

    Distances become inner products, :math:`B=-\frac12M\Delta^{(2)}M`, and of these the leading
    eigenvectors give coordinates, :math:`T=U\Lambda^{1/2}`. For Euclidean distances between samples
    these are their principal components, by which they are computed. A new sample is placed by its
    distances from the others, :math:`-\frac12(\delta^2-\overline{\Delta^2})U\Lambda^{-1/2}`. See
    the chapter beyond PCA. Where several eigenvalues are equal, coordinates are chosen as by
    :class:`~mlnotes.principal_components.PCA`, or as by
    :class:`~mlnotes.principal_components.KernelPCA` if distances are given.

    There is no ``sample_weight``: pass a sample that counts twice twice.

    Parameters
    ----------
    n_components : int
        In how many dimensions. Coordinates whose eigenvalue is not positive are 0.
    dissimilarity : {"euclidean", "precomputed"}
        With ``"precomputed"``, ``fit`` gets the distances between all pairs of samples, and
        ``transform`` those of new samples (rows) from all training samples (columns).

    Attributes
    ----------
    embedding_ : ndarray of shape (n_samples, n_components)
        The samples, centred.
    eigenvalues_ : ndarray of shape (n_components,)
        The leading eigenvalues of B, possibly negative ones if no points have these distances.
    strain_ : float
        :math:`\lVert B-TT^\top\rVert_F^2`, which no other points make smaller.
    n_features_in_ : int
        The number of features.
    feature_names_in_ : ndarray of str
        Their names, if ``fit`` was given a data frame.

    Examples
    --------
    >>> square = [[0.0, 0.0], [0.0, 3.0], [4.0, 0.0], [4.0, 3.0]]
    >>> MDS(1).fit(square).embedding_.ravel().round(6)
    array([-2., -2.,  2.,  2.])
    """

    _squares = True
    _constraints: ClassVar = {
        "n_components": Integer(1),
        "dissimilarity": OneOf("euclidean", "precomputed"),
    }
    # Coordinates have the unit of the features.
    _laws: ClassVar = Laws("rows", "columns", "origin", grid={"n_components": [1, 2]})

    embedding_: Array
    eigenvalues_: Array
    strain_: float
    _mean: Array
    _map: Array

    def __init__(self, n_components: int = 2, *, dissimilarity: str = "euclidean") -> None:
        self.n_components = n_components
        self.dissimilarity = dissimilarity

    def fit(self, X: ArrayLike, y: ArrayLike | None = None) -> Self:
        """Place the samples.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples, or their distances.
        y : None
            Ignored.

        Returns
        -------
        self
            The fitted estimator.
        """
        points = self._fit_matrix(X, min_samples=2)
        if self.n_components > len(points):
            raise ValueError(
                f"n_components={self.n_components} must be at most n_samples={len(points)}."
            )
        if self.dissimilarity == "precomputed":
            self._place_by_distances(check_distances(points))
        else:
            self._place_by_components(points)
        return self

    def _place_by_components(self, points: Array) -> None:
        k = self.n_components
        summary = summarise(points, None)
        found = spectrum(summary.factor, min(points.shape))
        eigenvalues = np.zeros(k)
        eigenvalues[: len(found.values)] = found.values[:k] ** 2
        directions = np.zeros((points.shape[1], k))
        kept = min(k, found.rank)
        directions[:, :kept] = found.directions[:kept].T
        self._mean, self._map = summary.mean, directions
        self.eigenvalues_ = eigenvalues
        with np.errstate(over="ignore"):
            self.strain_ = float((found.values[k:] ** 4).sum())
        self.embedding_ = self._transform(points)

    def _place_by_distances(self, table: Array) -> None:
        k = self.n_components
        B = double_centre(-(table**2) / 2)
        values, U = leading_eigenpairs(-(table**2) / 2, k)
        positive = values > ROUNDOFF * len(B) * np.abs(B).max()
        roots = np.sqrt(np.where(positive, values, 1.0))
        self._mean, self._map = (table**2).mean(axis=0), np.where(positive, U / roots, 0.0)
        self.eigenvalues_ = values
        self.embedding_ = np.where(positive, U * roots, 0.0)
        self.strain_ = float(((B - self.embedding_ @ self.embedding_.T) ** 2).sum())

    @property
    def _n_features_out(self) -> int:
        return int(self._map.shape[1])

    def _transform(self, X: Array) -> Array:
        if self.dissimilarity == "precomputed":
            return np.asarray(-0.5 * (X**2 - self._mean) @ self._map)
        return np.asarray((X - self._mean) @ self._map)


class LLE(Transformer):
    r"""Local linear embedding: each point remains the same combination of its neighbours.

    The weights :math:`w_i`, of sum one, that best reconstruct a point from its nearest neighbours
    are found by a linear system each. The new coordinates T are the eigenvectors of
    :math:`M=(I-W)^\top(I-W)` with the least eigenvalues after the constant one, times
    :math:`\sqrt n`, so that :math:`1^\top T=0` and :math:`\frac1nT^\top T=I`. A new sample gets the
    same combination of the new coordinates of its neighbours, and one at the place of a training
    sample gets that one's coordinates. See the chapter beyond PCA. Where several eigenvalues are
    equal, eigenvectors are chosen as by :class:`~mlnotes.principal_components.KernelPCA`.

    Where neighbours do not hang together (some points reach none of the others), each part could be
    moved at no cost and the coordinates would only say which part a point is in. Then all points
    get as many more neighbours as it takes, and a warning says so.

    There is no ``sample_weight``: neighbours are counted.

    Parameters
    ----------
    n_components : int
        In how many dimensions.
    n_neighbours : int
        From how many neighbours each point is reconstructed; all others if there are fewer.
    reg : float
        This times the trace is added to the diagonal of each local Gram matrix.

    Attributes
    ----------
    embedding_ : ndarray of shape (n_samples, n_components)
        The new coordinates of the samples.
    weights_ : ndarray of shape (n_samples, n_neighbours_)
        The weights of the neighbours.
    neighbours_ : ndarray of int of shape (n_samples, n_neighbours_)
        The neighbours, the nearest first.
    n_neighbours_ : int
        How many there are.
    eigenvalues_ : ndarray of shape (n_components,)
        The least eigenvalues after 0, ascending.
    reconstruction_error_ : float
        Their sum times the number of samples: :math:`\sum_i\lVert T_i-\sum_jW_{ij}T_j\rVert^2`.
    samples_ : ndarray of shape (n_samples, n_features)
        The samples, among which new ones look for neighbours.
    n_features_in_ : int
        The number of features.
    feature_names_in_ : ndarray of str
        Their names, if ``fit`` was given a data frame.

    Examples
    --------
    >>> t = np.linspace(0, 3, 40)
    >>> spiral = np.column_stack([t * np.cos(t), t * np.sin(t)])
    >>> found = LLE(1, n_neighbours=4).fit(spiral).embedding_[:, 0]
    >>> bool((np.diff(found) > 0).all() or (np.diff(found) < 0).all())
    True
    """

    _squares = True
    _constraints: ClassVar = {
        "n_components": Integer(1),
        "n_neighbours": Integer(1),
        "reg": Real(above=0, most=1e9),
    }
    # Of equally near neighbours the first are taken, and rounding decides which are equally near.
    _laws: ClassVar = Laws("unit", grid={"n_components": [1, 2]})

    embedding_: Array
    weights_: Array
    neighbours_: Indices
    n_neighbours_: int
    eigenvalues_: Array
    reconstruction_error_: float
    samples_: Array

    def __init__(self, n_components: int = 2, *, n_neighbours: int = 10, reg: float = 1e-3) -> None:
        self.n_components = n_components
        self.n_neighbours = n_neighbours
        self.reg = reg

    def fit(self, X: ArrayLike, y: ArrayLike | None = None) -> Self:
        """Find the weights and the coordinates that respect them.

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
        n = len(points)
        if self.n_components >= n:
            raise ValueError(
                f"n_components={self.n_components} must be below n_samples={n}: after the constant "
                "there are no more eigenvectors."
            )
        asked = min(int(self.n_neighbours), n - 1)
        neighbours, k = connected_neighbours(lambda m: nearest(points, None, m), asked, n)
        if k > asked:
            warn_at_caller(
                f"LLE took {k} neighbours of each sample: with n_neighbours={asked} they fall into "
                "separate parts, which no embedding can place relative to each other."
            )
        self.weights_ = local_weights(points, neighbours, points, self.reg)
        self.eigenvalues_, vectors = bottom_eigenvectors(
            self.weights_, neighbours, int(self.n_components)
        )
        self.embedding_ = np.sqrt(n) * vectors
        self.reconstruction_error_ = float(n * self.eigenvalues_.sum())
        self.neighbours_, self.n_neighbours_, self.samples_ = neighbours, k, points
        return self

    @property
    def _n_features_out(self) -> int:
        return int(self.embedding_.shape[1])

    def _transform(self, X: Array) -> Array:
        neighbours = nearest(self.samples_, X, self.n_neighbours_)
        weights = local_weights(self.samples_, neighbours, X, self.reg)
        found = np.einsum("ij,ijk->ik", weights, self.embedding_[neighbours])
        first = neighbours[:, 0]
        same = (self.samples_[first] == X).all(axis=1)
        found[same] = self.embedding_[first[same]]
        return np.asarray(found)
