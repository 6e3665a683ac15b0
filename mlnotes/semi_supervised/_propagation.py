"""Label propagation on a graph of neighbours."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse
from scipy.sparse.linalg import splu

from mlnotes._constraints import Anything, Integer, Optional, Real
from mlnotes._laws import Laws
from mlnotes._numerics import exponent_of
from mlnotes.exceptions import warn_at_caller
from mlnotes.semi_supervised._base import ByProbability
from mlnotes.semi_supervised._mathematics import Edges, joined, log_weights, nearest, reach
from mlnotes.validation import Array


class LabelPropagation(ByProbability):
    r"""Label propagation: every unlabelled sample gets the average of its neighbours in a graph.

    Labels are fixed at labelled samples. At the others the probability of a class is the weighted
    average of its neighbours', :math:`f_u=\sum_jw_{uj}f_j/\sum_jw_{uj}`. These equations have one
    solution if a path leads from every sample to a labelled one (``thm-semi-unique``); it stays
    between the labels (``thm-semi-maximum-principle``) and varies least along the edges
    (``thm-semi-least-energy``). Sweep by sweep it is what :func:`label_propagation` tends to; here
    the linear system is solved. There is no ``sample_weight``: a label is fixed, however often it
    was seen. See the chapter :doc:`/book/semi_supervised`.

    Parameters
    ----------
    n_neighbours : int, optional
        Samples are joined if one of them is among so many nearest neighbours of the other, those
        at one distance taken together; None joins all pairs.
    bandwidth : float, optional
        The length :math:`\tau` in the weight :math:`\exp(-\lVert x_i-x_j\rVert^2/(2\tau^2))` of an
        edge; without it all edges weigh 1.
    unlabelled : object, default=-1
        The value in ``y`` that means "no label", not NaN; None says that every value is a label.

    Attributes
    ----------
    label_distributions_ : ndarray of shape (n_samples, n_classes)
        The probabilities of the classes at each sample, in the order of ``classes_``. Samples that
        no path joins to a labelled one have the shares of the labels.
    transduction_ : ndarray of shape (n_samples,)
        The labels given and found.
    reached_ : ndarray of shape (n_samples,)
        Whether a path leads to a labelled sample.
    classes_ : ndarray of shape (n_classes,)
        The labels, without ``unlabelled``.
    n_features_in_ : int
        The number of features seen in ``fit``.
    feature_names_in_ : ndarray of str
        Their names, if ``fit`` was given a data frame.

    Examples
    --------
    >>> X = [[0.0], [1.0], [2.0], [3.0], [4.0]]
    >>> model = LabelPropagation(n_neighbours=1).fit(X, [0, -1, -1, -1, 1])
    >>> model.label_distributions_[:, 1]
    array([0.  , 0.25, 0.5 , 0.75, 1.  ])
    >>> model.predict([[3.4]])
    array([1])
    """

    _constraints: ClassVar = {
        "n_neighbours": Optional(Integer(1)),
        "bandwidth": Optional(Real(above=0)),
        "unlabelled": Anything(),
    }
    # A bandwidth is in the units of the features; without it only the order of distances matters.
    _laws: ClassVar = Laws(
        "rows", "columns", "unit", "origin", "labels", grid={"n_neighbours": [7, 3]}
    )

    label_distributions_: Array
    transduction_: NDArray[Any]
    reached_: NDArray[np.bool_]

    def __init__(
        self,
        *,
        n_neighbours: int | None = 7,
        bandwidth: float | None = None,
        unlabelled: Any = -1,
    ) -> None:
        self.n_neighbours = n_neighbours
        self.bandwidth = bandwidth
        self.unlabelled = unlabelled

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Build the graph and solve for the labels of the unlabelled samples.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples.
        y : array-like of shape (n_samples,)
            Their labels, or ``unlabelled``.

        Returns
        -------
        self
            The fitted estimator.
        """
        points = self._fit_matrix(X)
        codes = self._fit_partial_codes(y, len(points))
        labelled = codes >= 0
        self._scale = exponent_of(points)
        self._points = np.ldexp(points, -self._scale)
        given = np.eye(len(self.classes_))[codes[labelled]]
        # Where no path leads, nothing is known but how frequent the classes are.
        distributions = np.tile(given.mean(axis=0), (len(points), 1))
        distributions[labelled] = given
        self.reached_ = labelled.copy()
        if not labelled.all():
            edges = joined(self._points, self.n_neighbours)
            steps = self._transitions(edges, len(points), len(points))
            self.reached_ = reach(steps, labelled)
            asked = self.reached_ & ~labelled
            found = _solve(steps[asked][:, asked], steps[asked][:, labelled] @ given)
            # All values being one is harmonic too: a row that does not sum to one is rounding.
            good = np.abs(found.sum(axis=1) - 1.0) < 1e-6
            rows = np.flatnonzero(asked)
            distributions[rows[good]] = np.clip(found[good], 0.0, 1.0)
            self.reached_[rows[~good]] = False
        self.label_distributions_ = distributions / distributions.sum(axis=1, keepdims=True)
        self.transduction_ = self.classes_[self.label_distributions_.argmax(axis=1)]
        if not self.reached_.all():
            warn_at_caller(
                f"{int((~self.reached_).sum())} samples are joined to no labelled one, or by edges "
                "that weigh next to nothing, and have the shares of the labels; raise n_neighbours "
                "or bandwidth, or label a sample of every cluster."
            )
        return self

    def _transitions(self, edges: Edges, rows: int, columns: int) -> sparse.csr_matrix:
        """Return the weights of the edges, divided by their sum at each node."""
        logs = log_weights(edges, self.bandwidth, self._scale)
        degrees = np.bincount(edges.rows, minlength=rows)
        ends = np.append(0, np.cumsum(degrees))
        joined_to_some = degrees > 0
        if not joined_to_some.any():
            return sparse.csr_matrix((rows, columns))
        # In units of the largest at each node, which cannot underflow. Edges are in order of rows.
        first, degrees = ends[:-1][joined_to_some], degrees[joined_to_some]
        weights = np.exp(logs - np.repeat(np.maximum.reduceat(logs, first), degrees))
        weights /= np.repeat(np.add.reduceat(weights, first), degrees)
        table = sparse.csr_matrix((weights, edges.columns, ends), shape=(rows, columns))
        table.eliminate_zeros()
        return table

    def predict_proba(self, X: ArrayLike) -> Array:
        """Return the average of each sample's neighbours among those of ``fit``.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            In the order of ``classes_``; each row sums to one.
        """
        new = np.ldexp(self._use_matrix(X), -self._scale)
        edges = nearest(self._points, new, self.n_neighbours)
        steps = self._transitions(edges, len(new), len(self._points))
        found = np.asarray(steps @ self.label_distributions_)
        # Too far from every sample for a distance: nothing is known but how frequent classes are.
        found[np.diff(steps.indptr) == 0] = self.label_distributions_.mean(axis=0)
        return found


def _solve(steps: sparse.csr_matrix, known: Array) -> Array:
    """Return the f with f = steps f + known, or NaN where rounding hides that there is one."""
    n = steps.shape[0]
    try:
        if steps.nnz > 0.1 * n * n:
            return np.linalg.solve(np.eye(n) - steps.toarray(), known)
        system = sparse.identity(n, format="csc") - steps.tocsc()
        return np.asarray(splu(system, permc_spec="MMD_AT_PLUS_A").solve(known))
    except (np.linalg.LinAlgError, RuntimeError):
        return np.full(known.shape, np.nan)
