"""Gradient boosting: descent in the space of functions, by trees."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit

from mlnotes._constraints import Integer, RandomState, Real
from mlnotes._laws import Laws
from mlnotes._numerics import scale_by_power_of_two
from mlnotes._solvers.gradient_boosting import boost_gradient
from mlnotes._solvers.trees import (
    DEVIATION,
    LIMITS,
    Tree,
    find_leaves,
    growth_of,
    limits_of,
    samples_that_count,
    scale_tree,
)
from mlnotes.base import BinaryClassifier, Estimator, Regressor
from mlnotes.decision_trees import DecisionTreeRegressor
from mlnotes.validation import (
    Array,
    check_random_state,
    check_target,
    check_weights,
    rows_that_count,
)


class _GradientBoosting(Estimator):
    """A sum of trees, each fitted to the negative gradient of the loss."""

    _constraints: ClassVar = {
        "n_estimators": Integer(1),
        "learning_rate": Real(above=0),
        **LIMITS,
        "random_state": RandomState(),
    }

    n_estimators: int
    learning_rate: float
    max_depth: int | None
    min_samples_split: int
    min_samples_leaf: int
    max_features: int | float | str | None
    random_state: int | np.random.Generator | None

    estimators_: list[DecisionTreeRegressor]
    initial_score_: float
    training_losses_: Array

    def _boost(
        self, X: Array, target: Array, weights: Array | None, *, logistic: bool, exponent: int = 0
    ) -> None:
        """Run the rounds on samples that count, for targets divided by two to the exponent."""
        growth = growth_of(self, DEVIATION, 1, X.shape[1])
        random = check_random_state(self.random_state)
        seeds = random.integers(2**31, size=int(self.n_estimators)).tolist()
        rate = float(self.learning_rate)
        found = boost_gradient(
            X, target, weights, growth, logistic=logistic, rate=rate, seeds=seeds
        )
        self.initial_score_ = float(np.ldexp(found.start, exponent))
        with np.errstate(over="ignore"):
            self.training_losses_ = np.ldexp(found.losses, 2 * exponent)
        self.estimators_ = []
        for tree, seed in zip(found.trees, seeds, strict=True):
            member = DecisionTreeRegressor(**limits_of(self), random_state=seed)
            member.n_features_in_ = self.n_features_in_
            self.estimators_.append(member.set_tree(scale_tree(tree, exponent)))

    def _staged_scores(self, X: ArrayLike) -> Iterator[Array]:
        """Yield the scores after each round."""
        points = self._use_matrix(X)
        score = np.full(len(points), self.initial_score_)
        for member in self.estimators_:
            tree: Tree = member.tree_
            score = score + tree.value[find_leaves(tree, points), 0]
            yield score

    def _scores(self, X: ArrayLike) -> Array:
        """Return the scores after the last round."""
        *_, last = self._staged_scores(X)
        return last

    @property
    def feature_importances_(self) -> Array:
        """The mean over the trees of the share of each feature in the decrease of impurity."""
        self._check_fitted()
        found = [tree.feature_importances_ for tree in self.estimators_]
        return np.asarray(np.mean(found, axis=0))


class GradientBoostingRegressor(_GradientBoosting, Regressor):
    r"""Gradient boosting for the squared error: each tree is fitted to what is left over.

    The negative gradient of :math:`\frac12(y-f)^2` with respect to the prediction is the residual
    :math:`y-f`. So each round fits a regression tree to the residuals and adds a share
    :math:`\nu` of it: a step of gradient descent in the space of functions, in the direction that a
    tree can take. With :math:`\nu\le1` no round increases the training error.
    See the chapter :doc:`/book/adaboost`.

    Parameters
    ----------
    n_estimators : int
        The number of rounds, :math:`M`.
    learning_rate : float
        :math:`\nu`, the share of Newton's step that each round takes.
    max_depth : int, optional
        The greatest number of questions on a path of a tree.
    min_samples_split : int
        A node with fewer samples is a leaf.
    min_samples_leaf : int
        No cut leaves fewer samples than these on a side.
    max_features : int, float, {"sqrt", "log2"}, optional
        How many features, or what share of them, compete in each node, drawn at random; all if
        None.
    random_state : int, numpy.random.Generator or None
        Draws the features; has no effect if all compete.

    Attributes
    ----------
    estimators_ : list of DecisionTreeRegressor
        The trees, with the steps of their leaves as values.
    initial_score_ : float
        What is predicted before the first round: the mean of the targets.
    training_losses_ : ndarray of shape (n_estimators,)
        The mean squared error on the sample after each round.
    feature_importances_ : ndarray of shape (n_features,)
        The share of each feature in the decrease of impurity, averaged over the trees.
    n_features_in_ : int
        The number of features seen in ``fit``.
    feature_names_in_ : ndarray of str
        Their names, if ``fit`` was given a data frame.

    Examples
    --------
    >>> X, y = [[0.0], [1.0], [2.0], [3.0]], [0.0, 0.0, 4.0, 4.0]
    >>> model = GradientBoostingRegressor(2, learning_rate=0.5).fit(X, y)
    >>> model.predict(X).tolist(), model.training_losses_.tolist()
    ([0.5, 0.5, 3.5, 3.5], [1.0, 0.25])
    """

    # Of equally good splits the first feature wins.
    _laws: ClassVar = Laws(
        "rows",
        "unit",
        "origin",
        "labels",
        parameters={"n_estimators": 5},
        grid={"learning_rate": [0.5, 0.1]},
    )

    def __init__(
        self,
        n_estimators: int = 100,
        *,
        learning_rate: float = 0.1,
        max_depth: int | None = 3,
        min_samples_split: int = 2,
        min_samples_leaf: int = 1,
        max_features: int | float | str | None = None,
        random_state: int | np.random.Generator | None = 0,
    ) -> None:
        self.n_estimators = n_estimators
        self.learning_rate = learning_rate
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.max_features = max_features
        self.random_state = random_state

    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Fit one tree after the other.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples.
        y : array-like of shape (n_samples,)
            Their targets.
        sample_weight : array-like of shape (n_samples,), optional
            How often each sample counts; a sample of weight zero is left out.

        Returns
        -------
        self
            The fitted estimator.
        """
        points = self._fit_matrix(X)
        given = check_weights(sample_weight, len(points))
        target = check_target(y, len(points), owner=type(self).__name__)
        target = target[rows_that_count(given, len(points))]
        points, weights = samples_that_count(points, given)
        # In a unit of their size, in which no square overflows.
        scaled, exponent = scale_by_power_of_two(target, least_exponent=-1000)
        self._boost(points, scaled, weights, logistic=False, exponent=exponent)
        return self

    def predict(self, X: ArrayLike) -> Array:
        """Return the sum of what the trees say.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples.

        Returns
        -------
        ndarray of shape (n_samples,)
            The predicted targets.
        """
        return self._scores(X)

    def staged_predict(self, X: ArrayLike) -> Iterator[Array]:
        """Yield the predictions after each round.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples.

        Yields
        ------
        ndarray of shape (n_samples,)
            As :meth:`predict` would return them had the run ended there.
        """
        yield from self._staged_scores(X)


class GradientBoostingClassifier(_GradientBoosting, BinaryClassifier):
    r"""Gradient boosting for the logistic loss of two classes.

    The score :math:`f(x)` stands for the probability :math:`p=\sigma(f)`. With labels 0 and 1 the
    negative gradient of the loss is :math:`y-p`; a regression tree is fitted to it, and each of its
    leaves moves by a share :math:`\nu` of Newton's step :math:`\sum_i(y_i-p_i)/\sum_ip_i(1-p_i)`.
    AdaBoost goes down the exponential loss, by classifiers that answer -1 or +1.
    See the chapter :doc:`/book/adaboost`.

    Parameters
    ----------
    n_estimators : int
        The number of rounds, :math:`M`.
    learning_rate : float
        :math:`\nu`, the share of Newton's step that each round takes.
    max_depth : int, optional
        The greatest number of questions on a path of a tree.
    min_samples_split : int
        A node with fewer samples is a leaf.
    min_samples_leaf : int
        No cut leaves fewer samples than these on a side.
    max_features : int, float, {"sqrt", "log2"}, optional
        How many features, or what share of them, compete in each node, drawn at random; all if
        None.
    random_state : int, numpy.random.Generator or None
        Draws the features; has no effect if all compete.

    Attributes
    ----------
    estimators_ : list of DecisionTreeRegressor
        The trees, with the steps of their leaves as values.
    initial_score_ : float
        What is predicted before the first round: the logarithm of the odds of the second class.
    training_losses_ : ndarray of shape (n_estimators,)
        The mean logistic loss on the sample after each round.
    feature_importances_ : ndarray of shape (n_features,)
        The share of each feature in the decrease of impurity, averaged over the trees.
    classes_ : ndarray of shape (2,)
        The labels, the negative one first.
    n_features_in_ : int
        The number of features seen in ``fit``.
    feature_names_in_ : ndarray of str
        Their names, if ``fit`` was given a data frame.

    Examples
    --------
    >>> X, y = [[0.0], [1.0], [2.0], [3.0]], ["a", "a", "b", "b"]
    >>> model = GradientBoostingClassifier(1, learning_rate=1.0).fit(X, y)
    >>> model.decision_function(X).tolist()
    [-2.0, -2.0, 2.0, 2.0]
    >>> model.predict_proba([[5.0]]).round(3)
    array([[0.119, 0.881]])
    """

    # Of equally good splits the first feature wins.
    _laws: ClassVar = Laws(
        "rows",
        "unit",
        "origin",
        "labels",
        parameters={"n_estimators": 5},
        grid={"learning_rate": [0.5, 0.1]},
    )

    def __init__(
        self,
        n_estimators: int = 100,
        *,
        learning_rate: float = 0.1,
        max_depth: int | None = 3,
        min_samples_split: int = 2,
        min_samples_leaf: int = 1,
        max_features: int | float | str | None = None,
        random_state: int | np.random.Generator | None = 0,
    ) -> None:
        self.n_estimators = n_estimators
        self.learning_rate = learning_rate
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.max_features = max_features
        self.random_state = random_state

    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Fit one tree after the other.

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
        points, weights = samples_that_count(points, given)
        self._boost(points, (signs > 0).astype(np.float64), weights, logistic=True)
        return self

    def decision_function(self, X: ArrayLike) -> Array:
        """Return the score, the logarithm of the odds of the second class.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples.

        Returns
        -------
        ndarray of shape (n_samples,)
            Positive for the second of ``classes_``.
        """
        return self._scores(X)

    def predict_proba(self, X: ArrayLike) -> Array:
        """Return the probability of each class.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples.

        Returns
        -------
        ndarray of shape (n_samples, 2)
            A column for each of ``classes_``.
        """
        score = self.decision_function(X)
        return np.column_stack([expit(-score), expit(score)])

    def staged_decision_function(self, X: ArrayLike) -> Iterator[Array]:
        """Yield the scores after each round.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples.

        Yields
        ------
        ndarray of shape (n_samples,)
            As :meth:`decision_function` would return them had the run ended there.
        """
        yield from self._staged_scores(X)

    def staged_predict(self, X: ArrayLike) -> Iterator[NDArray[Any]]:
        """Yield the predicted classes after each round.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples.

        Yields
        ------
        ndarray of shape (n_samples,)
            Entries of ``classes_``.
        """
        for score in self._staged_scores(X):
            yield self.classes_[(score > 0).astype(np.intp)]
