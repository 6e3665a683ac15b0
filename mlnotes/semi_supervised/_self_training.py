"""Self-training and co-training: classifiers that add to their own training set."""

from __future__ import annotations

import copy
import inspect
import operator
from collections.abc import Sequence
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlnotes._constraints import Anything, Integer, Real
from mlnotes._laws import Laws
from mlnotes._numerics import log_softmax
from mlnotes.logistic_regression import LogisticRegression
from mlnotes.semi_supervised._base import ByProbability
from mlnotes.validation import Array


def _probabilistic(estimator: Any) -> Any:
    """Return the classifier to copy, which must give probabilities."""
    base = LogisticRegression() if estimator is None else estimator
    if inspect.isclass(base):
        raise TypeError(f"estimator must be a classifier and not a class; pass {base.__name__}().")
    if not (hasattr(base, "fit") and hasattr(base, "predict_proba")):
        raise TypeError(
            f"estimator must be a classifier with fit and predict_proba, got {base!r}; leave it "
            "out for logistic regression."
        )
    return base


class SelfTraining(ByProbability):
    r"""Self-training: a classifier adds the labels of which it is sure to its own training set.

    In every round a copy of the estimator is trained on the samples that have a label; unlabelled
    samples whose largest class probability is above ``threshold`` then get the label it says, and
    keep it. What is learned from its own guesses can reveal features that the labelled samples
    alone do not, and it can make a mistake permanent. There is no ``sample_weight``: not every
    classifier that may be passed has weights. See the chapter :doc:`/book/semi_supervised`.

    Parameters
    ----------
    estimator : object, optional
        A classifier with ``fit`` and ``predict_proba``; logistic regression if it is left out.
    threshold : float
        The probability above which a label is believed; 0 believes all of them at once.
    max_iter : int
        The greatest number of rounds.
    unlabelled : object, default=-1
        The value in ``y`` that means "no label", not NaN; None says that every value is a label.

    Attributes
    ----------
    estimator_ : object
        The classifier trained last, on all samples that have a label at the end.
    transduction_ : ndarray of shape (n_samples,)
        The labels given and guessed; ``unlabelled`` where the classifier was never sure.
    labelled_iter_ : ndarray of shape (n_samples,)
        The round in which each sample got its label, 0 for a given one, -1 for none.
    n_iter_ : int
        How often the classifier was trained.
    termination_condition_ : str
        ``"no_change"``, ``"all_labelled"`` or ``"max_iter"``.
    classes_ : ndarray of shape (n_classes,)
        The labels, without ``unlabelled``.
    n_features_in_ : int
        The number of features seen in ``fit``.
    feature_names_in_ : ndarray of str
        Their names, if ``fit`` was given a data frame.

    Examples
    --------
    >>> X = [[-4.0], [-2.0], [-1.5], [1.5], [2.0], [4.0]]
    >>> model = SelfTraining().fit(X, [0, -1, -1, -1, -1, 1])
    >>> model.transduction_, model.labelled_iter_
    (array([0, 0, 0, 1, 1, 1]), array([0, 1, 2, 2, 1, 0]))
    """

    _constraints: ClassVar = {
        "estimator": Anything(),
        "threshold": Real(least=0, below=1),
        "max_iter": Integer(1),
        "unlabelled": Anything(),
    }
    # What logistic regression obeys.
    _laws: ClassVar = Laws("rows", "columns", "origin", grid={"threshold": [0.75, 0.9]})

    estimator_: Any
    transduction_: NDArray[Any]
    labelled_iter_: NDArray[np.intp]
    n_iter_: int
    termination_condition_: str

    def __init__(
        self,
        estimator: Any = None,
        *,
        threshold: float = 0.75,
        max_iter: int = 10,
        unlabelled: Any = -1,
    ) -> None:
        self.estimator = estimator
        self.threshold = threshold
        self.max_iter = max_iter
        self.unlabelled = unlabelled

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Train on the labelled samples, then on those that the classifier has labelled.

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
        base = _probabilistic(self.estimator)
        rounds = np.where(codes >= 0, 0, -1)
        self.n_iter_, self.termination_condition_ = 1, "max_iter"
        model = self._train(base, points, codes)
        for number in range(1, int(self.max_iter) + 1):
            if (codes >= 0).all():
                break
            rest = np.flatnonzero(codes < 0)
            proba = np.asarray(model.predict_proba(points[rest]))
            sure = proba.max(axis=1) > self.threshold
            if not sure.any():
                self.termination_condition_ = "no_change"
                break
            codes[rest[sure]] = proba[sure].argmax(axis=1)
            rounds[rest[sure]] = number
            model = self._train(base, points, codes)
            self.n_iter_ += 1
        if (codes >= 0).all():
            self.termination_condition_ = "all_labelled"
        self.estimator_, self.labelled_iter_ = model, rounds
        self.transduction_ = self._transduced(codes)
        return self

    def _train(self, base: Any, points: Array, codes: NDArray[np.intp]) -> Any:
        labelled = codes >= 0
        return copy.deepcopy(base).fit(points[labelled], self.classes_[codes[labelled]])

    def predict_proba(self, X: ArrayLike) -> Array:
        """Return the class probabilities of each sample.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            In the order of ``classes_``; each row sums to one.
        """
        points = self._use_matrix(X)
        return np.asarray(self.estimator_.predict_proba(points))


class CoTraining(ByProbability):
    r"""Co-training: two classifiers with features of their own label what they agree on.

    The features are split into two views. In every round a copy of the estimator is trained on
    each view of the samples that have a label, and unlabelled samples for which both copies say
    the same get that label. If the views are independent given the label, agreement is strong
    evidence (``thm-semi-agreement``), and :math:`p(y\mid x)` is proportional to
    :math:`p(y\mid x^1)\,p(y\mid x^2)/p(y)`, by which the fitted model predicts. There is no
    ``sample_weight``: not every classifier that may be passed has weights. See the chapter
    :doc:`/book/semi_supervised`.

    Parameters
    ----------
    estimator : object, optional
        A classifier with ``fit`` and ``predict_proba``; logistic regression if it is left out.
    views : pair of sequences of int, optional
        The columns of either view. If it is left out, the first half of the columns and the second
        half, of an odd number the middle one in both.
    max_iter : int
        The greatest number of rounds.
    unlabelled : object, default=-1
        The value in ``y`` that means "no label", not NaN; None says that every value is a label.

    Attributes
    ----------
    estimators_ : list
        The two classifiers.
    views_ : list of ndarray
        The columns that each of them sees.
    priors_ : ndarray of shape (n_classes,)
        The shares of the classes among all samples that have a label at the end.
    transduction_ : ndarray of shape (n_samples,)
        The labels given and guessed; ``unlabelled`` where the classifiers never agreed.
    labelled_iter_ : ndarray of shape (n_samples,)
        The round in which each sample got its label, 0 for a given one, -1 for none.
    n_iter_ : int
        How often the two classifiers were trained.
    classes_ : ndarray of shape (n_classes,)
        The labels, without ``unlabelled``.
    n_features_in_ : int
        The number of features seen in ``fit``.
    feature_names_in_ : ndarray of str
        Their names, if ``fit`` was given a data frame.

    Examples
    --------
    >>> X = [[-1.0, -2.0], [1.0, 2.0], [-1.0, -1.0], [2.0, 1.0], [1.0, -1.0]]
    >>> CoTraining().fit(X, [0, 1, -1, -1, -1]).transduction_
    array([ 0,  1,  0,  1, -1])
    """

    _constraints: ClassVar = {
        "estimator": Anything(),
        "views": Anything(),
        "max_iter": Integer(1),
        "unlabelled": Anything(),
    }
    # What logistic regression obeys, but for the order of the columns, which makes the views.
    _laws: ClassVar = Laws("rows", "origin", grid={"max_iter": [10, 1]})

    estimators_: list[Any]
    views_: list[NDArray[np.intp]]
    priors_: Array
    transduction_: NDArray[Any]
    labelled_iter_: NDArray[np.intp]
    n_iter_: int

    def __init__(
        self,
        estimator: Any = None,
        *,
        views: tuple[Sequence[int], Sequence[int]] | None = None,
        max_iter: int = 10,
        unlabelled: Any = -1,
    ) -> None:
        self.estimator = estimator
        self.views = views
        self.max_iter = max_iter
        self.unlabelled = unlabelled

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Train two classifiers on the labelled samples, then on what they agree on too.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples, both views side by side.
        y : array-like of shape (n_samples,)
            Their labels, or ``unlabelled``.

        Returns
        -------
        self
            The fitted estimator.
        """
        points = self._fit_matrix(X)
        codes = self._fit_partial_codes(y, len(points))
        base = _probabilistic(self.estimator)
        self.views_ = self._columns(points.shape[1])
        rounds = np.where(codes >= 0, 0, -1)
        self.n_iter_ = 1
        models = self._train(base, points, codes)
        for number in range(1, int(self.max_iter) + 1):
            if (codes >= 0).all():
                break
            rest = np.flatnonzero(codes < 0)
            one, two = (
                np.asarray(model.predict_proba(points[rest][:, view])).argmax(axis=1)
                for model, view in zip(models, self.views_, strict=True)
            )
            agree = one == two
            if not agree.any():
                break
            codes[rest[agree]], rounds[rest[agree]] = one[agree], number
            models = self._train(base, points, codes)
            self.n_iter_ += 1
        self.estimators_, self.labelled_iter_ = models, rounds
        self.priors_ = np.bincount(codes[codes >= 0]) / (codes >= 0).sum()
        self.transduction_ = self._transduced(codes)
        return self

    def _columns(self, d: int) -> list[NDArray[np.intp]]:
        """Return the columns of the two views."""
        if self.views is None:
            half = -(-d // 2)
            return [np.arange(half), np.arange(d - half, d)]
        try:
            views = [[operator.index(column) for column in view] for view in self.views]
        except TypeError:
            views = []
        if len(views) != 2 or not all(views) or not all(0 <= c < d for v in views for c in v):
            raise ValueError(
                f"views must be two sequences of columns from 0 to {d - 1}, neither of them empty, "
                f"got {self.views!r}."
            )
        return [np.array(view, dtype=np.intp) for view in views]

    def _train(self, base: Any, points: Array, codes: NDArray[np.intp]) -> list[Any]:
        labelled = codes >= 0
        labels = self.classes_[codes[labelled]]
        return [
            copy.deepcopy(base).fit(points[np.ix_(labelled, view)], labels) for view in self.views_
        ]

    def predict_proba(self, X: ArrayLike) -> Array:
        """Return the class probabilities of each sample, as if the views were independent.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples, both views side by side.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            In the order of ``classes_``; each row sums to one.
        """
        points = self._use_matrix(X)
        scores = -np.log(self.priors_)[None]
        for model, view in zip(self.estimators_, self.views_, strict=True):
            proba = np.asarray(model.predict_proba(points[:, view]))
            scores = scores + np.log(np.maximum(proba, np.finfo(float).tiny))
        return np.asarray(np.exp(log_softmax(scores)))
