"""Random forests, for classes and for targets."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlnotes._constraints import OneOf
from mlnotes._laws import Laws
from mlnotes._numerics import scale_by_power_of_two
from mlnotes._solvers.bootstrap import run_all
from mlnotes._solvers.trees import (
    DEVIATION,
    LIMITS,
    SortedSamples,
    Tree,
    criterion_of,
    find_leaves,
    growth_of,
    limits_of,
    scale_tree,
)
from mlnotes.bagging_and_forests._base import Ensemble
from mlnotes.base import Classifier, Regressor
from mlnotes.decision_trees import DecisionTreeClassifier, DecisionTreeRegressor
from mlnotes.validation import (
    Array,
    check_target,
    check_weights,
    rows_that_count,
)


class _Forest(Ensemble):
    """Trees for which few features compete in each node."""

    _constraints: ClassVar = {**Ensemble._constraints, **LIMITS}

    def _grow(self, X: Array, target: Array, criterion: int, n_classes: int) -> list[Tree]:
        """Return a tree for each bootstrap sample."""
        samples, growth = SortedSamples(X), growth_of(self, criterion, n_classes, X.shape[1])

        def grow(seed: int) -> Tree:
            counts = self._bootstrap.counts(seed)
            return samples.grow(target, growth, weights=counts, seed=seed)

        return run_all(grow, self._seeds, self.n_jobs)

    def _values(self, member: int, X: Array) -> Array:
        """Return what a tree says about validated samples."""
        tree: Tree = self.estimators_[member].tree_
        return tree.value[find_leaves(tree, X)]

    def _mean_values(self, X: ArrayLike) -> Array:
        """Return the mean of what the trees say."""
        points, halvings = self._use_matrix(X), self._halvings
        total = np.ldexp(self._values(0, points), -halvings)
        for member in range(1, len(self.estimators_)):
            total += np.ldexp(self._values(member, points), -halvings)
        return np.ldexp(total / len(self.estimators_), halvings)

    @property
    def feature_importances_(self) -> Array:
        """The mean over the trees of the share of each feature in the decrease of impurity."""
        self._check_fitted()
        found = [tree.feature_importances_ for tree in self.estimators_]
        return np.asarray(np.mean(found, axis=0))


class RandomForestClassifier(_Forest, Classifier):
    r"""A random forest for classes: the mean of the shares that many random trees find.

    Each tree grows on a bootstrap sample, and in each of its nodes only a few features, drawn anew,
    compete for the next cut: worse trees, but less alike, whose average varies less. The samples
    that a tree has not seen, about 37 %, test it. Samples are drawn in an order of their values, so
    that the order in which they are given does not matter. See the chapters on decision trees,
    bagging and forests.

    Missing values are refused: drop or impute them first.

    Parameters
    ----------
    n_estimators : int
        The number of trees, :math:`T`.
    criterion : {"gini", "entropy"}
        The impurity that cuts decrease.
    max_depth : int, optional
        The greatest number of questions on a path.
    min_samples_split : int
        A node with fewer samples is a leaf.
    min_samples_leaf : int
        No cut leaves fewer samples than these on a side; one that is drawn twice is one.
    max_features : int, float, {"sqrt", "log2"}, optional
        How many features, or what share of them, compete in each node, drawn at random; all if
        None.
    oob_score : bool
        Whether to predict each sample by the trees that have not seen it.
    n_jobs : int, optional
        How many trees grow at a time, in threads of joblib; -1 for as many as there are
        processors. Without joblib they grow one after the other. The forest is the same.
    random_state : int, numpy.random.Generator or None
        Draws samples and features.

    Attributes
    ----------
    estimators_ : list of DecisionTreeClassifier
        The members.
    estimators_samples_ : list of ndarray
        The rows that each of them was trained on.
    oob_decision_function_ : ndarray of shape (n_samples, n_classes)
        The shares found by the trees that have not seen a sample, with ``oob_score=True``;
        NaN for a sample that all of them have seen.
    oob_score_ : float
        The accuracy of these; only with ``oob_score=True``.
    feature_importances_ : ndarray of shape (n_features,)
        The share of each feature in the decrease of impurity, averaged over the trees.
    classes_ : ndarray of shape (n_classes,)
        The labels in ascending order.
    n_features_in_ : int
        The number of features seen in ``fit``.
    feature_names_in_ : ndarray of str
        Their names, if ``fit`` was given a data frame.

    Examples
    --------
    >>> from mlnotes.data import make_moons
    >>> sample = make_moons(200, noise=0.2, random_state=0)
    >>> model = RandomForestClassifier(50, oob_score=True, random_state=0)
    >>> model.fit(sample.X, sample.y).score(sample.X, sample.y)
    1.0
    >>> 0.85 < model.oob_score_ < 1
    True
    """

    _constraints: ClassVar = {**_Forest._constraints, "criterion": OneOf("gini", "entropy")}
    # Bootstrap samples are drawn in an order of the samples, labels included.
    _laws: ClassVar = Laws(
        "rows", "unit", "origin", parameters={"n_estimators": 5}, grid={"n_estimators": [2, 1]}
    )

    oob_decision_function_: Array
    oob_score_: float

    def __init__(
        self,
        n_estimators: int = 100,
        *,
        criterion: str = "gini",
        max_depth: int | None = None,
        min_samples_split: int = 2,
        min_samples_leaf: int = 1,
        max_features: int | float | str | None = "sqrt",
        oob_score: bool = False,
        n_jobs: int | None = None,
        random_state: int | np.random.Generator | None = 0,
    ) -> None:
        self.n_estimators = n_estimators
        self.criterion = criterion
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.max_features = max_features
        self.oob_score = oob_score
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Grow the trees.

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
        n_classes = len(self.classes_)
        criterion = criterion_of(self.criterion, n_classes)
        trees = self._grow(points, codes.astype(float), criterion, n_classes)
        self.estimators_ = []
        for tree, seed in zip(trees, self._seeds, strict=True):
            parameters = {**limits_of(self), "random_state": seed}
            member = DecisionTreeClassifier(criterion=self.criterion, **parameters).set_tree(tree)
            member.classes_, member.n_features_in_ = self.classes_, self.n_features_in_
            self.estimators_.append(member)
        if self.oob_score:
            found = self._out_of_bag(points, len(matrix), n_classes, self._values)
            self.oob_decision_function_ = found
            self.oob_score_ = self._accuracy(found, codes, given)
        return self

    def predict_proba(self, X: ArrayLike) -> Array:
        """Return the mean of the shares that the trees find.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            A column for each of ``classes_``.
        """
        return self._mean_values(X)

    def predict(self, X: ArrayLike) -> NDArray[Any]:
        """Return the class with the greatest mean share.

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


class RandomForestRegressor(_Forest, Regressor):
    r"""A random forest for targets: the mean of what many random regression trees say.

    Each tree grows on a bootstrap sample, and in each of its nodes some of the features, drawn
    anew, compete for the next cut. The samples that a tree has not seen, about 37 %, test it.
    Samples are drawn in an order of their values, so that the order in which they are given does
    not matter. See the chapters on decision trees, bagging and forests.

    Missing values are refused: drop or impute them first.

    Parameters
    ----------
    n_estimators : int
        The number of trees, :math:`T`.
    max_depth : int, optional
        The greatest number of questions on a path.
    min_samples_split : int
        A node with fewer samples is a leaf.
    min_samples_leaf : int
        No cut leaves fewer samples than these on a side; one that is drawn twice is one.
    max_features : int, float, {"sqrt", "log2"}, optional
        How many features, or what share of them, compete in each node, drawn at random; all if
        None.
    oob_score : bool
        Whether to predict each sample by the trees that have not seen it.
    n_jobs : int, optional
        How many trees grow at a time, in threads of joblib; -1 for as many as there are
        processors. Without joblib they grow one after the other. The forest is the same.
    random_state : int, numpy.random.Generator or None
        Draws samples and features.

    Attributes
    ----------
    estimators_ : list of DecisionTreeRegressor
        The members.
    estimators_samples_ : list of ndarray
        The rows that each of them was trained on.
    oob_prediction_ : ndarray of shape (n_samples,)
        The mean of the trees that have not seen a sample, with ``oob_score=True``;
        NaN for a sample that all of them have seen.
    oob_score_ : float
        The coefficient of determination of these; only with ``oob_score=True``.
    feature_importances_ : ndarray of shape (n_features,)
        The share of each feature in the decrease of impurity, averaged over the trees.
    n_features_in_ : int
        The number of features seen in ``fit``.
    feature_names_in_ : ndarray of str
        Their names, if ``fit`` was given a data frame.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.linspace(-3.0, 3.0, 100)[:, None]
    >>> model = RandomForestRegressor(50, random_state=0).fit(X, np.sin(X[:, 0]))
    >>> bool(np.abs(model.predict(X) - np.sin(X[:, 0])).max() < 0.1)
    True
    """

    # Bootstrap samples are drawn in an order of the samples, labels included.
    _laws: ClassVar = Laws(
        "rows", "unit", "origin", parameters={"n_estimators": 5}, grid={"n_estimators": [2, 1]}
    )

    oob_prediction_: Array
    oob_score_: float

    def __init__(
        self,
        n_estimators: int = 100,
        *,
        max_depth: int | None = None,
        min_samples_split: int = 2,
        min_samples_leaf: int = 1,
        max_features: int | float | str | None = 1.0,
        oob_score: bool = False,
        n_jobs: int | None = None,
        random_state: int | np.random.Generator | None = 0,
    ) -> None:
        self.n_estimators = n_estimators
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.max_features = max_features
        self.oob_score = oob_score
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Grow the trees.

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
        # In a unit of their size, in which no square overflows.
        scaled, exponent = scale_by_power_of_two(target, least_exponent=-1000)
        trees = self._grow(points, scaled, DEVIATION, 1)
        self.estimators_ = []
        for tree, seed in zip(trees, self._seeds, strict=True):
            parameters = {**limits_of(self), "random_state": seed}
            member = DecisionTreeRegressor(**parameters).set_tree(scale_tree(tree, exponent))
            member.n_features_in_ = self.n_features_in_
            self.estimators_.append(member)
        if self.oob_score:
            found = self._out_of_bag(points, len(matrix), 1, self._values)[:, 0]
            self.oob_prediction_ = found
            self.oob_score_ = self._determination(found, target, given)
        return self

    def predict(self, X: ArrayLike) -> Array:
        """Return the mean of what the trees say.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples.

        Returns
        -------
        ndarray of shape (n_samples,)
            The predicted targets.
        """
        return self._mean_values(X)[:, 0]
