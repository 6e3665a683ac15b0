"""Decision trees that are fitted, for classes and for targets."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlnotes._constraints import OneOf, RandomState, Real
from mlnotes._laws import Laws
from mlnotes._numerics import exponent_of, scale_by_power_of_two
from mlnotes._solvers.trees import (
    DEVIATION,
    LIMITS,
    SortedSamples,
    Tree,
    collapse,
    collapsing_alphas,
    criterion_of,
    find_leaves,
    growth_of,
    losses_on,
    not_worth_keeping,
    samples_that_count,
    scale_tree,
)
from mlnotes.base import Classifier, Estimator, Regressor
from mlnotes.validation import (
    Array,
    check_categories,
    check_random_state,
    check_target,
    check_weights,
    rows_that_count,
)


class PruningPath(NamedTuple):
    """The prices of a leaf at which the best pruned tree changes.

    Examples
    --------
    >>> model, X, y = DecisionTreeRegressor(), [[0.0], [1.0], [2.0], [3.0]], [0.0, 1.0, 5.0, 6.0]
    >>> model.cost_complexity_pruning_path(X, y)._asdict()
    {'ccp_alphas': array([0.   , 0.125, 6.25 ]), 'impurities': array([0.  , 0.25, 6.5 ]), \
'n_leaves': array([4, 2, 1])}
    """

    ccp_alphas: Array
    impurities: Array
    n_leaves: NDArray[np.int64]


class _DecisionTree(Estimator):
    """What classifiers and regressors have in common: a tree, its size, its pruning."""

    _constraints: ClassVar = {
        **LIMITS,
        "ccp_alpha": Real(least=0),
        "random_state": RandomState(),
    }

    tree_: Tree

    criterion: str
    max_depth: int | None
    min_samples_split: int
    min_samples_leaf: int
    max_features: int | float | str | None
    ccp_alpha: float
    random_state: int | np.random.Generator | None

    def _grow(
        self,
        X: Array,
        target: Array,
        weights: Array | None,
        criterion: int,
        n_classes: int,
    ) -> Tree:
        """Grow a tree of samples that count."""
        growth = growth_of(self, criterion, n_classes, X.shape[1])
        seed = int(check_random_state(self.random_state).integers(2**31))
        return SortedSamples(X).grow(target, growth, weights=weights, seed=seed)

    def _pruned(self, tree: Tree, alpha: float) -> Tree:
        return collapse(tree, collapsing_alphas(tree) <= alpha) if alpha > 0 else tree

    def set_tree(self, tree: Tree) -> Self:
        """Take over a tree that was grown elsewhere, as a forest does for all its trees.

        Parameters
        ----------
        tree : Tree
            Arrays over the nodes.

        Returns
        -------
        self
            The fitted estimator.
        """
        self.tree_ = tree
        return self

    @property
    def depth_(self) -> int:
        """The number of questions on the longest path."""
        self._check_fitted()
        return self.tree_.depth

    @property
    def n_leaves_(self) -> int:
        """The number of leaves."""
        self._check_fitted()
        return self.tree_.n_leaves

    @property
    def feature_importances_(self) -> Array:
        """The share of each feature in the total decrease of impurity."""
        self._check_fitted()
        return self.tree_.importances(self.n_features_in_)

    def apply(self, X: ArrayLike) -> NDArray[np.int64]:
        """Return the leaf that each sample reaches.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples.

        Returns
        -------
        ndarray of shape (n_samples,)
            Positions in the arrays of ``tree_``.
        """
        points = self._use_matrix(X)
        return find_leaves(self.tree_, points)

    def cost_complexity_pruning_path(
        self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> PruningPath:
        r"""Return the values of ``ccp_alpha`` at which the pruned tree of a sample changes.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples.
        y : array-like of shape (n_samples,)
            Their labels or targets.
        sample_weight : array-like of shape (n_samples,), optional
            How often each sample counts.

        Returns
        -------
        PruningPath
            Ascending ``ccp_alphas`` from zero, and for each of them the mean impurity of the leaves
            and their number. The estimator itself is not changed.
        """
        grown = type(self)(**{**self.get_params(deep=False), "ccp_alpha": 0.0})
        tree = grown.fit(X, y, sample_weight).tree_  # type: ignore[attr-defined]
        inner = tree.feature >= 0
        pruned_at = collapsing_alphas(tree)
        alphas = np.unique(np.append(0.0, pruned_at[inner]))
        # A node is a leaf from its own price on, until its parent is one.
        first = np.where(inner, np.searchsorted(alphas, pruned_at), 0)
        last = np.full(tree.n_nodes, len(alphas))
        for children in (tree.left, tree.right):
            last[children[inner]] = first[inner]
        loss = tree.weight * tree.impurity / tree.weight[0]

        def total(amounts: Array) -> Array:
            steps = np.bincount(first, weights=amounts, minlength=len(alphas) + 1)
            steps -= np.bincount(last, weights=amounts, minlength=len(alphas) + 1)
            return np.asarray(np.cumsum(steps)[:-1], dtype=np.float64)

        n_leaves = total(np.ones(tree.n_nodes)).round().astype(np.int64)
        return PruningPath(alphas, np.maximum(total(loss), 0.0), n_leaves)

    def _prune(self, X: ArrayLike, loss: Callable[[Array, NDArray[np.intp]], Array]) -> Self:
        """Replace by leaves what does not help on a second sample."""
        points = self._use_matrix(X)
        lost = losses_on(self.tree_, points, loss)
        return self.set_tree(collapse(self.tree_, not_worth_keeping(self.tree_, lost)))


class DecisionTreeClassifier(_DecisionTree, Classifier):
    r"""A decision tree for classes, grown by CART.

    Each inner node asks whether a feature is at most a threshold; a leaf answers with the shares of
    the classes among the samples that reached it. The tree grows greedily: of all cuts between two
    values of a feature the one with the greatest decrease of impurity is taken, also if it is zero.
    Decreases that differ by less than :math:`10^{-12}` of the loss of the node are equal, and of
    equals the first feature and the lowest threshold win. Without limits the tree makes as few
    mistakes on its sample as any function of the features can. See the chapter
    :doc:`/book/decision_trees`; it grows the trees of a random forest too.

    Missing values are refused: drop or impute them first.

    Parameters
    ----------
    criterion : {"gini", "entropy"}
        The impurity that cuts decrease; the entropy with the natural logarithm.
    max_depth : int, optional
        The greatest number of questions on a path.
    min_samples_split : int
        A node with fewer samples is a leaf.
    min_samples_leaf : int
        No cut leaves fewer samples than these on a side.
    max_features : int, float, {"sqrt", "log2"}, optional
        How many features, or what share of them, compete in each node, drawn at random; all if not
        given. If all that were drawn are constant, others are.
    ccp_alpha : float
        The price of a leaf: of all pruned trees the one with the least mean impurity plus this
        price for each leaf is kept. Zero prunes nothing.
    random_state : int, numpy.random.Generator or None
        Draws the features; has no effect if all compete.

    Attributes
    ----------
    tree_ : Tree
        Arrays over the nodes, in preorder: ``feature`` (-1 for a leaf), ``threshold``, ``left``,
        ``right``, ``value``, ``impurity``, ``weight`` and ``n_samples``.
    depth_ : int
        The number of questions on the longest path.
    n_leaves_ : int
        The number of leaves.
    feature_importances_ : ndarray of shape (n_features,)
        The share of each feature in the total decrease of impurity; zeros if the root is a leaf.
    classes_ : ndarray of shape (n_classes,)
        The labels in ascending order.
    n_features_in_ : int
        The number of features seen in ``fit``.
    feature_names_in_ : ndarray of str
        Their names, if ``fit`` was given a data frame.

    Examples
    --------
    >>> X, y = [[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]], ["a", "b", "b", "a"]
    >>> model = DecisionTreeClassifier().fit(X, y)
    >>> model.depth_, model.n_leaves_, model.score(X, y)
    (2, 4, 1.0)
    >>> DecisionTreeClassifier(max_depth=1).fit(X, y).predict_proba([[0.0, 7.0]])
    array([[0.5, 0.5]])
    """

    _constraints: ClassVar = {"criterion": OneOf("gini", "entropy"), **_DecisionTree._constraints}
    # Of equally good splits the first feature wins.
    _laws: ClassVar = Laws("rows", "unit", "origin", "labels", grid={"max_depth": [2, 1]})

    def __init__(
        self,
        *,
        criterion: str = "gini",
        max_depth: int | None = None,
        min_samples_split: int = 2,
        min_samples_leaf: int = 1,
        max_features: int | float | str | None = None,
        ccp_alpha: float = 0.0,
        random_state: int | np.random.Generator | None = 0,
    ) -> None:
        self.criterion = criterion
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.max_features = max_features
        self.ccp_alpha = ccp_alpha
        self.random_state = random_state

    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Grow the tree, and prune it if leaves have a price.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples.
        y : array-like of shape (n_samples,)
            Their labels, of at least two classes.
        sample_weight : array-like of shape (n_samples,), optional
            How often each sample counts; a sample of weight zero is left out.

        Returns
        -------
        self
            The fitted estimator.
        """
        points = self._fit_matrix(X)
        given = check_weights(sample_weight, len(points))
        codes = self._fit_codes(y, len(points), given)
        points, weights = samples_that_count(points, given)
        n_classes = len(self.classes_)
        criterion = criterion_of(self.criterion, n_classes)
        tree = self._grow(points, codes.astype(float), weights, criterion, n_classes)
        return self.set_tree(self._pruned(tree, float(self.ccp_alpha)))

    def predict_proba(self, X: ArrayLike) -> Array:
        """Return the shares of the classes in the leaf that each sample reaches.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            A column for each of ``classes_``.
        """
        leaves = self.apply(X)
        return self.tree_.value[leaves]

    def predict(self, X: ArrayLike) -> NDArray[Any]:
        """Return the majority class of the leaf that each sample reaches.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples.

        Returns
        -------
        ndarray of shape (n_samples,)
            Entries of ``classes_``; of equally frequent ones the first.
        """
        leaves = self.apply(X)
        return np.asarray(self.classes_[self.tree_.value.argmax(axis=1)[leaves]])

    def prune(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Prune the tree by a second sample: what makes no fewer mistakes there becomes a leaf.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples that the tree was not grown from.
        y : array-like of shape (n_samples,)
            Their labels.

        Returns
        -------
        self
            The estimator with its tree pruned.
        """
        labels = check_categories(y, "y", n=len(self._use_matrix(X)))

        def mistakes(value: Array, rows: NDArray[np.intp]) -> Array:
            return np.asarray(self.classes_[value.argmax(axis=1)] != labels[rows], dtype=float)

        return self._prune(X, mistakes)


class DecisionTreeRegressor(_DecisionTree, Regressor):
    r"""A regression tree, grown by CART: the mean of the targets in each box of a partition.

    Each inner node asks whether a feature is at most a threshold; a leaf answers with the mean of
    the targets that reached it, which makes the squared error least. The tree grows greedily: of
    all cuts between two values of a feature the one with the least squared error on both sides
    together is taken. Errors that differ by less than :math:`10^{-12}` of that of the node are
    equal, and of equals the first feature and the lowest threshold win. See the chapter
    :doc:`/book/decision_trees`; it grows the trees of a random forest too.

    Missing values are refused: drop or impute them first.

    Parameters
    ----------
    max_depth : int, optional
        The greatest number of questions on a path.
    min_samples_split : int
        A node with fewer samples is a leaf.
    min_samples_leaf : int
        No cut leaves fewer samples than these on a side.
    max_features : int, float, {"sqrt", "log2"}, optional
        How many features, or what share of them, compete in each node, drawn at random; all if not
        given. If all that were drawn are constant, others are.
    ccp_alpha : float
        The price of a leaf: of all pruned trees the one with the least mean squared error plus this
        price for each leaf is kept. Zero prunes nothing.
    random_state : int, numpy.random.Generator or None
        Draws the features; has no effect if all compete.

    Attributes
    ----------
    tree_ : Tree
        Arrays over the nodes, in preorder: ``feature`` (-1 for a leaf), ``threshold``, ``left``,
        ``right``, ``value``, ``impurity``, ``weight`` and ``n_samples``.
    depth_ : int
        The number of questions on the longest path.
    n_leaves_ : int
        The number of leaves.
    feature_importances_ : ndarray of shape (n_features,)
        The share of each feature in the total decrease of impurity; zeros if the root is a leaf.
    n_features_in_ : int
        The number of features seen in ``fit``.
    feature_names_in_ : ndarray of str
        Their names, if ``fit`` was given a data frame.

    Examples
    --------
    >>> model = DecisionTreeRegressor(max_depth=1).fit([[0.0], [1.0], [2.0]], [1.0, 2.0, 6.0])
    >>> model.predict([[0.3], [9.0]])
    array([1.5, 6. ])
    """

    # Of equally good splits the first feature wins.
    _laws: ClassVar = Laws("rows", "unit", "origin", "labels", grid={"max_depth": [2, 1]})

    def __init__(
        self,
        *,
        max_depth: int | None = None,
        min_samples_split: int = 2,
        min_samples_leaf: int = 1,
        max_features: int | float | str | None = None,
        ccp_alpha: float = 0.0,
        random_state: int | np.random.Generator | None = 0,
    ) -> None:
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.max_features = max_features
        self.ccp_alpha = ccp_alpha
        self.random_state = random_state

    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Grow the tree, and prune it if leaves have a price.

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
        tree = self._grow(points, scaled, weights, DEVIATION, 1)
        # A price above that of the root, which may overflow in that unit, prunes as much as it.
        mantissa, power = math.frexp(self.ccp_alpha)
        price = math.ldexp(mantissa, min(power - 2 * exponent, 10))
        return self.set_tree(scale_tree(self._pruned(tree, price), exponent))

    def predict(self, X: ArrayLike) -> Array:
        """Return the mean of the targets in the leaf that each sample reaches.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples.

        Returns
        -------
        ndarray of shape (n_samples,)
            The predicted targets.
        """
        leaves = self.apply(X)
        return np.asarray(self.tree_.value[leaves, 0])

    def prune(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Prune the tree by a second sample: what decreases no squared error becomes a leaf.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples that the tree was not grown from.
        y : array-like of shape (n_samples,)
            Their targets.

        Returns
        -------
        self
            The estimator with its tree pruned.
        """
        target = check_target(y, len(self._use_matrix(X)), owner=type(self).__name__)
        unit = exponent_of(target, self.tree_.value)

        def squares(value: Array, rows: NDArray[np.intp]) -> Array:
            return np.asarray((np.ldexp(value[:, 0], -unit) - np.ldexp(target[rows], -unit)) ** 2)

        return self._prune(X, squares)
