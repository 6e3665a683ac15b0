"""The smallest tree: one question about one feature, as boosting asks for it in each round."""

from __future__ import annotations

from typing import ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from mlnotes._constraints import OneOf
from mlnotes._laws import Laws
from mlnotes._numerics import distribution
from mlnotes._solvers.stumps import SortedFeatures, Stump
from mlnotes.base import BinaryClassifier
from mlnotes.validation import (
    Array,
    check_weights,
    rows_that_count,
)


class DecisionStump(BinaryClassifier):
    r"""The best question about one feature: a decision tree with one node.

    Among all stumps :math:`h(x)=s\operatorname{sgn}(x_k-\theta_0)` and the two constants it finds
    one of least weighted error, without a search: one sort of each feature and one cumulative sum.
    Errors of :math:`n` samples that differ by at most :math:`2n` times the unit of rounding,
    :math:`2.2\cdot10^{-16}`, of the total weight count as equal, and of equals the first is taken.
    The error is never above one half, since with any classifier its opposite is a stump too.
    See the chapter :doc:`/book/adaboost`.

    Parameters
    ----------
    criterion : {"error", "gini"}
        What a cut makes small: the weighted error, or Gini's impurity as trees do. A stump that is
        best by Gini's may answer the same on both sides.

    Attributes
    ----------
    feature_ : int
        The feature :math:`k` asked about.
    threshold_ : float
        :math:`\theta_0`, half-way between two values of the feature; minus infinity for a constant.
    answers_ : ndarray of shape (2,)
        The answers -1 or +1 up to the threshold and above it.
    error_ : float
        The weighted share of the sample that is answered wrongly.
    classes_ : ndarray of shape (2,)
        The labels, the negative one first.
    n_features_in_ : int
        The number of features seen in ``fit``.
    feature_names_in_ : ndarray of str
        Their names, if ``fit`` was given a data frame.

    Examples
    --------
    >>> model = DecisionStump().fit([[1.0, 5.0], [2.0, 1.0], [3.0, 4.0]], ["a", "a", "b"])
    >>> model.feature_, model.threshold_, model.error_
    (0, 2.5, 0.0)
    >>> model.predict([[2.6, 0.0]])
    array(['b'], dtype='<U1')
    """

    _constraints: ClassVar = {"criterion": OneOf("error", "gini")}
    # Of equally good stumps the first feature wins, so that the order of the columns may decide.
    _laws: ClassVar = Laws("rows", "unit", "origin", grid={"criterion": ["error", "gini"]})

    feature_: int
    threshold_: float
    answers_: Array
    error_: float

    def __init__(self, *, criterion: str = "error") -> None:
        self.criterion = criterion

    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Find the best stump.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples.
        y : array-like of shape (n_samples,)
            Their labels, of two classes.
        sample_weight : array-like of shape (n_samples,), optional
            How often each sample counts; a sample of weight zero is left out.

        Returns
        -------
        self
            The fitted estimator.
        """
        points = self._fit_matrix(X)
        given = check_weights(sample_weight, len(points))
        signs = self._fit_signs(y, len(points), given)
        # A sample of weight zero is no sample: it must not offer a threshold either.
        kept = rows_that_count(given, len(points))
        points, weights = points[kept], distribution(given, len(points))[kept]
        stump = SortedFeatures(points).best_stump(signs, weights, self.criterion)
        return self.set_stump(stump, float(weights[stump(points) != signs].sum()))

    def set_stump(self, stump: Stump, error: float) -> Self:
        """Take over a stump that was found elsewhere, as boosting does for all its rounds.

        Parameters
        ----------
        stump : Stump
            A feature, a threshold and the answers up to it and above it.
        error : float
            Its weighted error.

        Returns
        -------
        self
            The fitted estimator.
        """
        self.feature_ = stump.feature
        self.threshold_ = stump.threshold
        self.answers_ = np.array([stump.below, stump.above])
        self.error_ = error
        return self

    @property
    def stump_(self) -> Stump:
        """Feature, threshold and answers, as a function of validated samples."""
        return Stump(self.feature_, self.threshold_, *self.answers_.tolist())

    def decision_function(self, X: ArrayLike) -> Array:
        """Return the answer -1 or +1 for each sample.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples.

        Returns
        -------
        ndarray of shape (n_samples,)
            +1 stands for the second of ``classes_``.
        """
        points = self._use_matrix(X)
        return self.stump_(points)
