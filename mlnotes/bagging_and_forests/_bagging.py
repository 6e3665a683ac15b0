"""Bagging of any estimator: a vote of classifiers, a mean of regressors."""

from __future__ import annotations

import copy
import inspect
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlnotes._constraints import (
    Anything,
)
from mlnotes._laws import Laws
from mlnotes._solvers.bootstrap import run_all
from mlnotes.bagging_and_forests._base import Ensemble
from mlnotes.base import Classifier, Regressor
from mlnotes.decision_trees import DecisionTreeClassifier, DecisionTreeRegressor
from mlnotes.validation import (
    Array,
    check_target,
    check_weights,
    rows_that_count,
)

# How often a bootstrap sample of one class is drawn again.
ATTEMPTS = 100


class _Bagging(Ensemble):
    """Copies of one estimator, trained on bootstrap samples."""

    _constraints: ClassVar = {"estimator": Anything(), **Ensemble._constraints}

    estimator: Any

    def _base(self, default: Any, kind: str) -> Any:
        """Return the estimator to copy."""
        base = default if self.estimator is None else self.estimator
        if inspect.isclass(base):
            raise TypeError(f"estimator must be a {kind} and not a class; pass {base.__name__}().")
        if not (hasattr(base, "fit") and hasattr(base, "predict")):
            raise TypeError(
                f"estimator must be a {kind} with fit and predict, got {base!r}; leave it out for "
                "decision trees."
            )
        return base

    def _train(self, base: Any, X: Array, y: NDArray[Any]) -> list[Any]:
        """Return a copy of the estimator trained on each bootstrap sample."""

        def train(seed: int) -> Any:
            model = copy.deepcopy(base)
            if hasattr(model, "get_params") and "random_state" in model.get_params(deep=False):
                model.set_params(random_state=seed)
            rows = self._bootstrap.rows(seed)
            return model.fit(X[rows], y[rows])

        return run_all(train, self._seeds, self.n_jobs)


class Bagging(_Bagging, Classifier):
    r"""Bagging: a majority vote of classifiers, each trained on a bootstrap sample of its own.

    It helps where members overfit, each in its own way: then their vote varies less than each of
    them, and is right more often if each is right more often than not. A bootstrap sample of one
    class alone is drawn again. Samples are drawn in an order of their values, so that the order in
    which they are given does not matter. See the chapters on decision trees, bagging and forests.

    Parameters
    ----------
    estimator : object, optional
        Any classifier with ``fit`` and ``predict``; a
        :class:`mlnotes.decision_trees.DecisionTreeClassifier` if not given. If it has a
        ``random_state`` each copy has its own.
    n_estimators : int
        The number of members, :math:`M`.
    oob_score : bool
        Whether to predict each sample by the members that have not seen it.
    n_jobs : int, optional
        How many members are trained at a time, in threads of joblib; -1 for as many as there are
        processors. Without joblib they are trained one after the other.
    random_state : int, numpy.random.Generator or None
        Draws the samples.

    Attributes
    ----------
    estimators_ : list of object
        The members.
    estimators_samples_ : list of ndarray
        The rows that each of them was trained on.
    oob_decision_function_ : ndarray of shape (n_samples, n_classes)
        The shares of votes of members that have not seen a sample, with ``oob_score=True``;
        NaN for a sample that all of them have seen.
    oob_score_ : float
        The accuracy of these; only with ``oob_score=True``.
    classes_ : ndarray of shape (n_classes,)
        The labels in ascending order.
    n_features_in_ : int
        The number of features seen in ``fit``.
    feature_names_in_ : ndarray of str
        Their names, if ``fit`` was given a data frame.

    Examples
    --------
    >>> from mlnotes.data import make_noisy
    >>> from mlnotes.perceptron import PocketPerceptron
    >>> sample = make_noisy(200, 2, flip=0.1, random_state=0)
    >>> model = Bagging(PocketPerceptron(), random_state=0).fit(sample.X, sample.y)
    >>> 0.85 < model.score(sample.X, sample.y) < 0.95
    True
    """

    # Bootstrap samples are drawn in an order of the samples, labels included.
    _laws: ClassVar = Laws(
        "rows", "unit", "origin", parameters={"n_estimators": 5}, grid={"n_estimators": [2, 1]}
    )

    oob_decision_function_: Array
    oob_score_: float

    def __init__(
        self,
        estimator: Any = None,
        *,
        n_estimators: int = 25,
        oob_score: bool = False,
        n_jobs: int | None = None,
        random_state: int | np.random.Generator | None = 0,
    ) -> None:
        self.estimator = estimator
        self.n_estimators = n_estimators
        self.oob_score = oob_score
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Train the members.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples.
        y : array-like of shape (n_samples,)
            Their labels, of at least two classes.
        sample_weight : array-like of shape (n_samples,), optional
            How often each sample counts. A bootstrap sample draws as often as they count together,
            each as likely as it counts.

        Returns
        -------
        self
            The fitted estimator.
        """
        matrix = self._fit_matrix(X)
        given = check_weights(sample_weight, len(matrix))
        codes = self._fit_codes(y, len(matrix), given)
        points = self._prepare(matrix, codes.astype(float), given)
        base = self._base(DecisionTreeClassifier(), "classifier")
        self._seeds = [self._seed_of_two_classes(seed, codes) for seed in self._seeds]
        self.estimators_ = self._train(base, points, self.classes_[codes])
        if self.oob_score:
            n_classes = len(self.classes_)
            found = self._out_of_bag(points, len(matrix), n_classes, self._votes)
            self.oob_decision_function_ = found
            self.oob_score_ = self._accuracy(found, codes, given)
        return self

    def _seed_of_two_classes(self, seed: int, codes: NDArray[np.intp]) -> int:
        """Return a seed whose bootstrap sample has more than one class."""
        for attempt in range(seed, seed + ATTEMPTS):
            drawn = codes[self._bootstrap.rows(attempt)]
            if (drawn != drawn[0]).any():
                return attempt
        raise ValueError(
            f"{ATTEMPTS} bootstrap samples were all of one class; there are too few samples of the "
            "others; add some, or scale their sample_weight up."
        )

    def _votes(self, member: int, X: Array) -> Array:
        """Return one for the class that a member predicts, and zero for the others."""
        return np.asarray(
            self.estimators_[member].predict(X)[:, None] == self.classes_, dtype=float
        )

    def predict_proba(self, X: ArrayLike) -> Array:
        """Return the share of votes for each class.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            A column for each of ``classes_``.
        """
        points = self._use_matrix(X)
        votes = [self._votes(member, points) for member in range(len(self.estimators_))]
        return np.asarray(np.mean(votes, axis=0))

    def predict(self, X: ArrayLike) -> NDArray[Any]:
        """Return the class with the most votes.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples.

        Returns
        -------
        ndarray of shape (n_samples,)
            Entries of ``classes_``; of equals the first.
        """
        shares = self.predict_proba(X)
        return np.asarray(self.classes_[shares.argmax(axis=1)])


class BaggingRegressor(_Bagging, Regressor):
    r"""Bagging: the mean of regressors, each trained on a bootstrap sample of its own.

    The variance of the mean is :math:`\rho\sigma^2+\frac{1-\rho}T\sigma^2`, so that it helps where
    members vary much and are not alike. Samples are drawn in an order of their values, so that the
    order in which they are given does not matter. See the chapters on decision trees, bagging and
    forests.

    Parameters
    ----------
    estimator : object, optional
        Any regressor with ``fit`` and ``predict``; a
        :class:`mlnotes.decision_trees.DecisionTreeRegressor` if not given. If it has a
        ``random_state`` each copy has its own.
    n_estimators : int
        The number of members, :math:`T`.
    oob_score : bool
        Whether to predict each sample by the members that have not seen it.
    n_jobs : int, optional
        How many members are trained at a time, in threads of joblib; -1 for as many as there are
        processors. Without joblib they are trained one after the other.
    random_state : int, numpy.random.Generator or None
        Draws the samples.

    Attributes
    ----------
    estimators_ : list of object
        The members.
    estimators_samples_ : list of ndarray
        The rows that each of them was trained on.
    oob_prediction_ : ndarray of shape (n_samples,)
        The mean of members that have not seen a sample, with ``oob_score=True``;
        NaN for a sample that all of them have seen.
    oob_score_ : float
        The coefficient of determination of these; only with ``oob_score=True``.
    n_features_in_ : int
        The number of features seen in ``fit``.
    feature_names_in_ : ndarray of str
        Their names, if ``fit`` was given a data frame.

    Examples
    --------
    >>> from mlnotes.least_squares import LeastSquares
    >>> X, y = [[0.0], [1.0], [2.0], [3.0]], [0.0, 2.0, 4.0, 6.0]
    >>> model = BaggingRegressor(LeastSquares(), n_estimators=5, random_state=1).fit(X, y)
    >>> model.predict([[5.0]]).round(6)
    array([10.])
    """

    # Bootstrap samples are drawn in an order of the samples, labels included.
    _laws: ClassVar = Laws(
        "rows", "unit", "origin", parameters={"n_estimators": 5}, grid={"n_estimators": [2, 1]}
    )

    oob_prediction_: Array
    oob_score_: float

    def __init__(
        self,
        estimator: Any = None,
        *,
        n_estimators: int = 25,
        oob_score: bool = False,
        n_jobs: int | None = None,
        random_state: int | np.random.Generator | None = 0,
    ) -> None:
        self.estimator = estimator
        self.n_estimators = n_estimators
        self.oob_score = oob_score
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Train the members.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples.
        y : array-like of shape (n_samples,)
            Their targets.
        sample_weight : array-like of shape (n_samples,), optional
            How often each sample counts. A bootstrap sample draws as often as they count together,
            each as likely as it counts.

        Returns
        -------
        self
            The fitted estimator.
        """
        matrix = self._fit_matrix(X)
        given = check_weights(sample_weight, len(matrix))
        whole = check_target(y, len(matrix), owner=type(self).__name__)
        target = whole[rows_that_count(given, len(matrix))]
        points = self._prepare(matrix, target, given)
        base = self._base(DecisionTreeRegressor(), "regressor")
        self.estimators_ = self._train(base, points, target)
        if self.oob_score:
            found = self._out_of_bag(points, len(matrix), 1, self._predictions)[:, 0]
            self.oob_prediction_ = found
            self.oob_score_ = self._determination(found, target, given)
        return self

    def _predictions(self, member: int, X: Array) -> Array:
        """Return what a member says, as a column."""
        return np.asarray(self.estimators_[member].predict(X), dtype=float)[:, None]

    def predict(self, X: ArrayLike) -> Array:
        """Return the mean of what the members say.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples.

        Returns
        -------
        ndarray of shape (n_samples,)
            The predicted targets.
        """
        points, halvings = self._use_matrix(X), self._halvings
        members = range(len(self.estimators_))
        found = [np.ldexp(self._predictions(member, points)[:, 0], -halvings) for member in members]
        return np.asarray(np.ldexp(np.mean(found, axis=0), halvings))
