r"""Decision trees: one question about one feature after the other, and an answer at the end.

A tree cuts the space into boxes and answers the same within each: the mean of the targets there,
which makes the squared error least, or the shares of the classes. It is grown greedily. Of all
thresholds between two values of a feature the one is taken that decreases the impurity most, and
both sides are cut in the same way. Grown to the end it repeats its sample, noise and all; a penalty
on leaves or a second sample says what to cut back.

:func:`cart` is that algorithm on one screen. :class:`DecisionTreeClassifier` and
:class:`DecisionTreeRegressor` grow the same trees from one sort of the features. The smallest tree
is a stump: sorted once, the :math:`n` values of a feature leave at most :math:`n-1` places for its
threshold, and cumulative sums of weighted labels give the weighted error at all of them. Boosting
asks for the best one in each round: see the chapter :doc:`/book/adaboost`.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlnotes._constraints import AnyOf, Integer, OneOf, Optional, RandomState, Real
from mlnotes._numerics import distribution, exponent_of, scale_by_power_of_two
from mlnotes._solvers.stumps import SortedFeatures, Stump, half_way
from mlnotes._solvers.trees import (
    DEVIATION,
    SortedSamples,
    Tree,
    collapse,
    collapsing_alphas,
    criterion_of,
    find_leaves,
    growth_of,
    in_unit,
    losses_on,
    not_worth_keeping,
    samples_that_count,
)
from mlnotes.base import BinaryClassifier, Classifier, Estimator, Regressor
from mlnotes.validation import (
    Array,
    check_callable,
    check_count,
    check_matrix,
    check_numbers,
    check_random_state,
    check_scalar,
    check_signs,
    check_target,
    check_vector,
    check_weights,
    rows_that_count,
)

__all__ = [
    "DecisionStump",
    "DecisionTreeClassifier",
    "DecisionTreeRegressor",
    "Node",
    "PruningPath",
    "Question",
    "Split",
    "best_split",
    "best_stump",
    "candidate_thresholds",
    "cart",
    "categorical_tree",
    "class_counts",
    "cost_complexity_path",
    "count_stumps",
    "entropy",
    "gain_ratio",
    "gini",
    "impurity_decrease",
    "leaf_mean",
    "majority_label",
    "node_loss",
    "population_loss",
    "prune",
    "reduced_error_pruning",
    "split_accuracy",
    "squared_error",
    "squared_error_decrease",
    "tree_leaves",
    "tree_predict",
]


def entropy(frequencies: ArrayLike, *, base: float = math.e) -> Any:
    r"""Return the entropy :math:`-\sum_kp_k\log p_k` of frequencies of classes.

    Zero for one class alone, and at most :math:`\log C`, for :math:`C` classes of one frequency.

    Parameters
    ----------
    frequencies : array-like of shape (..., n_classes)
        Probabilities or counts; they are divided by their sum.
    base : float
        Of the logarithm; 2 gives bits.

    Returns
    -------
    float or ndarray of shape (...)
        The entropy of each row.

    Examples
    --------
    >>> entropy([7, 7], base=2)
    1.0
    >>> entropy([[1.0, 0.0], [0.5, 0.5]]).round(3)
    array([0.   , 0.693])
    """
    p = _shares(frequencies, "frequencies")
    base = check_scalar(base, "base", above=1)
    logs = np.log(p, where=p > 0, out=np.zeros_like(p))
    found = np.maximum(-(p * logs).sum(axis=-1) / math.log(base), 0.0)
    return found if p.ndim > 1 else float(found)


def gini(frequencies: ArrayLike) -> Any:
    r"""Return Gini's impurity :math:`1-\sum_kp_k^2` of frequencies of classes.

    It is the probability that two samples drawn at random, with replacement, are of different
    classes: zero for one class alone, and at most :math:`(C-1)/C`.

    Parameters
    ----------
    frequencies : array-like of shape (..., n_classes)
        Probabilities or counts; they are divided by their sum.

    Returns
    -------
    float or ndarray of shape (...)
        The impurity of each row.

    Examples
    --------
    >>> gini([1, 1]), gini([5, 0, 0]), gini([1, 1, 1, 1, 1]).__round__(6)
    (0.5, 0.0, 0.8)
    """
    p = _shares(frequencies, "frequencies")
    found = (p * (1 - p)).sum(axis=-1)
    return found if p.ndim > 1 else float(found)


def impurity_decrease(counts: ArrayLike, impurity: Callable[[Array], Any] = gini) -> float:
    r"""Return by how much a split decreases the impurity, :math:`I(t)-\sum_c\frac{N_c}NI(c)`.

    Never negative if the impurity is concave. With the entropy it is the information gain.

    Parameters
    ----------
    counts : array-like of shape (n_children, n_classes)
        How many samples of each class go to each child; one child for each answer.
    impurity : callable
        A function of the frequencies of the classes, such as :func:`gini` or :func:`entropy`.

    Returns
    -------
    float
        The impurity of the node less the mean of its children's.

    Examples
    --------
    >>> impurity_decrease([[2, 0], [0, 2]])
    0.5
    >>> impurity_decrease([[1, 1], [1, 1]])
    0.0
    """
    table = _check_table(counts)
    sizes = table.sum(axis=1)
    children = [
        n * number_of(impurity, row, "impurity") for n, row in zip(sizes, table, strict=True) if n
    ]
    whole = number_of(impurity, table.sum(axis=0), "impurity")
    return whole - float(sum(children) / sizes.sum())


def gain_ratio(counts: ArrayLike) -> float:
    r"""Return C4.5's gain ratio: the information gain over the entropy of the split itself.

    A split into many small children gains much, because each is nearly pure, and informs little.
    The entropy of the children's sizes is what it costs to say into which of them a sample goes.

    Parameters
    ----------
    counts : array-like of shape (n_children, n_classes)
        How many samples of each class go to each child.

    Returns
    -------
    float
        At most 1. Zero for a split with one child, which tells nothing.

    Examples
    --------
    >>> import numpy as np
    >>> identity = np.repeat(np.eye(2), 7, axis=0)  # fourteen samples, a child each
    >>> round(gain_ratio(identity), 3), round(gain_ratio([[6, 1], [1, 6]]), 3)
    (0.263, 0.408)
    """
    table = _check_table(counts)
    information = entropy(table.sum(axis=1))
    return impurity_decrease(table, entropy) / information if information > 0 else 0.0


def class_counts(values: ArrayLike, y: ArrayLike) -> Array:
    """Return how many samples of each class have each value of a feature.

    Parameters
    ----------
    values : array-like of shape (n_samples,)
        A value for each sample: a number or a string.
    y : array-like of shape (n_samples,)
        Their labels.

    Returns
    -------
    ndarray of shape (n_values, n_classes)
        Values and classes in ascending order.

    Examples
    --------
    >>> class_counts(["wind", "calm", "calm"], [0, 1, 1])
    array([[0., 2.],
           [1., 0.]])
    """
    answers = _check_categories(values, "values")
    labels = _check_categories(y, "y")
    if len(labels) != len(answers):
        raise ValueError(f"values and y must be as many, got {len(answers)} and {len(labels)}.")
    children, child = np.unique(answers, return_inverse=True)
    classes, code = np.unique(labels, return_inverse=True)
    table = np.zeros((len(children), len(classes)))
    np.add.at(table, (child, code), 1.0)
    return table


def split_accuracy(counts: ArrayLike) -> float:
    r"""Return the training accuracy of a split whose children each answer their majority.

    Never below that of the majority of all, since a sum of maxima is at least the maximum of sums.

    Parameters
    ----------
    counts : array-like of shape (n_children, n_classes)
        How many samples of each class go to each child.

    Returns
    -------
    float
        The share of samples that are answered correctly.

    Examples
    --------
    Of five days without sun four were for playing, of three sunny ones one:

    >>> split_accuracy([[1, 4], [2, 1]])
    0.75
    >>> split_accuracy([[0, 1, 2], [4, 0, 1]])
    0.75
    """
    table = _check_table(counts)
    return float(table.max(axis=1).sum() / table.sum())


def majority_label(y: ArrayLike) -> Any:
    """Return the most frequent label; of several the first in their order.

    Parameters
    ----------
    y : array-like of shape (n_samples,)
        Labels.

    Returns
    -------
    object
        One of the labels.

    Examples
    --------
    >>> majority_label(["play", "rest", "play"])
    'play'
    """
    labels = _check_categories(y, "y")
    classes, counts = np.unique(labels, return_counts=True)
    return classes[np.argmax(counts)].item()


def leaf_mean(y: ArrayLike, weights: ArrayLike | None = None) -> float:
    r"""Return the value of a leaf that makes :math:`\sum_iw_i(f-y_i)^2` least: the mean.

    Parameters
    ----------
    y : array-like of shape (n_samples,)
        The targets in the leaf.
    weights : array-like of shape (n_samples,), optional
        How often each of them counts.

    Returns
    -------
    float
        The (weighted) mean.

    Examples
    --------
    >>> leaf_mean([1.0, 2.0, 6.0])
    3.0
    """
    target = _check_some(y, "y")
    shares = distribution(check_weights(weights, len(target), name="weights"), len(target))
    mean = float(shares @ target)
    return mean + float(shares @ (target - mean))


def squared_error(y: ArrayLike, value: float | None = None) -> float:
    r"""Return the loss of a leaf, :math:`\sum_i(f-y_i)^2`; at the mean unless a value is given.

    Parameters
    ----------
    y : array-like of shape (n_samples,)
        The targets in the leaf.
    value : float, optional
        What the leaf answers; the mean if not given.

    Returns
    -------
    float
        At the mean, the number of targets times their variance.

    Examples
    --------
    >>> squared_error([1.0, 2.0, 6.0]), squared_error([1.0, 2.0, 6.0], value=1.0)
    (14.0, 26.0)
    """
    target = _check_some(y, "y")
    answer = leaf_mean(target) if value is None else check_scalar(value, "value")
    return float(((target - answer) ** 2).sum())


def node_loss(y: ArrayLike, criterion: str = "gini") -> float:
    """Return the loss of a node: the number of its samples times their impurity.

    Parameters
    ----------
    y : array-like of shape (n_samples,)
        Labels; for ``"squared_error"`` targets.
    criterion : {"gini", "entropy", "squared_error"}
        The impurity: of the labels, or the variance of the targets.

    Returns
    -------
    float
        Zero for a pure node.

    Examples
    --------
    >>> node_loss(["a", "a", "b", "b"]), node_loss([1.0, 2.0, 6.0], "squared_error")
    (2.0, 14.0)
    """
    target = check_targets(y, None, criterion)
    if criterion == "squared_error":
        return squared_error(target)
    counts = np.unique(target, return_counts=True)[1]
    return len(target) * float(gini(counts) if criterion == "gini" else entropy(counts))


def squared_error_decrease(left: ArrayLike, right: ArrayLike) -> float:
    r"""Return by how much a split decreases the loss, :math:`\frac{N_LN_R}N(f_L-f_R)^2`.

    Parameters
    ----------
    left, right : array-like of shape (n_samples,)
        The targets that go to each side.

    Returns
    -------
    float
        The loss of the node less that of both leaves; never negative.

    Examples
    --------
    >>> squared_error_decrease([1.0, 2.0], [6.0])
    13.5
    >>> squared_error([1.0, 2.0, 6.0]) - squared_error([1.0, 2.0]) - squared_error([6.0])
    13.5
    """
    below, above = _check_some(left, "left"), _check_some(right, "right")
    n_left, n_right = len(below), len(above)
    return n_left * n_right / (n_left + n_right) * (leaf_mean(below) - leaf_mean(above)) ** 2


def population_loss(
    values: ArrayLike, moments: ArrayLike, masses: ArrayLike, second_moment: float
) -> float:
    r"""Return the expected squared error :math:`c-2\sum_lf_l\int_lfp+\sum_lf_l^2\int_lp`.

    That of the answers :math:`f_l` in the cells of a partition to a function :math:`f` under the
    density :math:`p`. It is least where each answer is the mean of :math:`f` in its cell.

    Parameters
    ----------
    values : array-like of shape (n_cells,)
        The answers :math:`f_l`.
    moments : array-like of shape (n_cells,)
        The integrals of :math:`fp` over the cells.
    masses : array-like of shape (n_cells,)
        The probabilities of the cells.
    second_moment : float
        :math:`c`, the expectation of :math:`f^2`.

    Returns
    -------
    float
        The expectation of :math:`(f(X)-f_{l(X)})^2`.

    Examples
    --------
    For :math:`f(x)=x`, uniformly distributed, and two halves:

    >>> round(population_loss([0.25, 0.75], [1 / 8, 3 / 8], [0.5, 0.5], 1 / 3), 6)
    0.020833
    """
    answers = check_vector(values, name="values")
    first = check_vector(moments, len(answers), name="moments")
    mass = check_vector(masses, len(answers), name="masses")
    constant = check_scalar(second_moment, "second_moment", least=0)
    return float(constant - 2 * answers @ first + answers**2 @ mass)


def candidate_thresholds(values: ArrayLike) -> Array:
    """Return the middles between neighbouring different values: one threshold for each way to cut.

    Parameters
    ----------
    values : array-like of shape (n_samples,)
        The values of a feature.

    Returns
    -------
    ndarray of shape (n_different - 1,)
        In ascending order; each is at least the value below it and less than the one above.

    Examples
    --------
    >>> candidate_thresholds([3.0, 1.0, 1.0, 2.0])
    array([1.5, 2.5])
    """
    different = np.unique(check_vector(values, name="values"))
    below, above = different[:-1], different[1:]
    middles = 0.5 * below + 0.5 * above
    return np.where((below <= middles) & (middles < above), middles, below)


class Split(NamedTuple):
    """A question, whether a feature is at most a threshold, and by how much it decreases the loss.

    Examples
    --------
    >>> best_split([[1.0], [2.0], [3.0]], ["a", "a", "b"])._asdict()
    {'feature': 0, 'threshold': 2.5, 'decrease': 1.333...}
    """

    feature: int
    threshold: float
    decrease: float


def best_split(
    X: ArrayLike, y: ArrayLike, criterion: str = "gini", *, min_samples_leaf: int = 1
) -> Split | None:
    r"""Find the cut that decreases the loss most: one sort and cumulative sums for each feature.

    The loss of a node is its size times its impurity. Decreases that differ by less than
    :math:`10^{-12}` of the loss are equal, and of equals the first is taken.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Samples.
    y : array-like of shape (n_samples,)
        Their labels; for ``"squared_error"`` targets.
    criterion : {"gini", "entropy", "squared_error"}
        The impurity: of the labels, or the variance of the targets.
    min_samples_leaf : int
        The least number of samples on each side.

    Returns
    -------
    Split or None
        None if there is no cut.

    Examples
    --------
    >>> best_split([[0.0, 5.0], [1.0, 1.0], [2.0, 4.0]], [1.0, 2.0, 6.0], "squared_error")
    Split(feature=0, threshold=1.5, decrease=13.5)
    """
    points = check_matrix(X)
    n, d = points.shape
    amounts, loss = _loss_of_sums(y, n, criterion)
    total, best, tie = amounts.sum(axis=0), None, 1e-12 * loss(amounts.sum(axis=0))
    least = check_count(min_samples_leaf, "min_samples_leaf")
    sizes = np.arange(1, n)
    for k in range(d):
        order = np.argsort(points[:, k], kind="stable")
        values, left = points[order, k], np.cumsum(amounts[order], axis=0)[:-1]
        decrease = loss(total) - loss(left) - loss(total - left)
        cut = (values[:-1] < values[1:]) & (sizes >= least) & (n - sizes >= least)
        if not cut.any():
            continue
        first = int(np.argmax(cut & (decrease >= decrease[cut].max() - tie)))
        if best is None or decrease[first] > best.decrease + tie:
            threshold = half_way(values[first], values[first + 1])
            best = Split(k, threshold, max(float(decrease[first]), 0.0))
    return best


@dataclass
class Node:
    """A node of a tree, with all that is below it; a leaf has no feature and nothing below.

    Parameters
    ----------
    prediction : object
        What it answers: the majority label, or the mean.
    n_samples : int
        How many samples of those the tree was grown from reach it.
    loss : float
        Their number times their impurity.
    feature : int, optional
        The feature asked about.
    threshold : float
        The answer is on the left where the feature is at most this.
    left, right : Node, optional
        The children.

    Examples
    --------
    >>> Node("a", n_samples=3, loss=0.0).is_leaf
    True
    """

    prediction: Any
    n_samples: int
    loss: float
    feature: int | None = None
    threshold: float = math.nan
    left: Node | None = None
    right: Node | None = None

    @property
    def is_leaf(self) -> bool:
        """Whether nothing is below."""
        return self.feature is None


def cart(
    X: ArrayLike,
    y: ArrayLike,
    criterion: str = "gini",
    *,
    max_depth: int | None = None,
    min_samples_leaf: int = 1,
) -> Node:
    r"""Grow a binary tree with a stack, as the box of the chapter says.

    A node becomes a leaf if it is pure, at the greatest depth, or cannot be cut.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Samples.
    y : array-like of shape (n_samples,)
        Their labels; for ``"squared_error"`` targets.
    criterion : {"gini", "entropy", "squared_error"}
        The impurity that splits decrease.
    max_depth : int, optional
        The greatest number of questions on a path.
    min_samples_leaf : int
        The least number of samples in a leaf.

    Returns
    -------
    Node
        The root.

    Examples
    --------
    >>> tree = cart([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]], ["a", "b", "b", "a"])
    >>> tree.feature, tree.threshold, tree.left.feature, len(tree_leaves(tree))
    (0, 0.5, 1, 4)
    """
    points = check_matrix(X)
    target = check_targets(y, len(points), criterion)
    summarise = leaf_mean if criterion == "squared_error" else majority_label
    deepest = math.inf if max_depth is None else check_count(max_depth, "max_depth", at_least=0)

    def leaf(rows: NDArray[np.intp]) -> Node:
        return Node(summarise(target[rows]), len(rows), node_loss(target[rows], criterion))

    rows = np.arange(len(points))
    root = leaf(rows)
    stack = [(root, rows, 0)]
    while stack:
        node, rows, depth = stack.pop()
        if depth == deepest or (target[rows] == target[rows[0]]).all():
            continue
        split = best_split(points[rows], target[rows], criterion, min_samples_leaf=min_samples_leaf)
        if split is None:
            continue
        node.feature, node.threshold = split.feature, split.threshold
        goes_left = points[rows, split.feature] <= split.threshold
        node.left, node.right = leaf(rows[goes_left]), leaf(rows[~goes_left])
        stack += [
            (node.left, rows[goes_left], depth + 1),
            (node.right, rows[~goes_left], depth + 1),
        ]
    return root


def tree_leaves(tree: Node) -> list[Node]:
    """Return the leaves of a tree from left to right.

    Parameters
    ----------
    tree : Node
        The root.

    Returns
    -------
    list of Node
        The root alone if nothing is below it.

    Examples
    --------
    >>> [leaf.prediction for leaf in tree_leaves(cart([[0.0], [1.0], [2.0]], ["a", "b", "a"]))]
    ['a', 'b', 'a']
    """
    _check_tree(tree)
    if tree.left is None or tree.right is None:
        return [tree]
    return tree_leaves(tree.left) + tree_leaves(tree.right)


def tree_predict(tree: Node, X: ArrayLike) -> NDArray[Any]:
    """Return the answer of the leaf that each sample reaches.

    Parameters
    ----------
    tree : Node
        The root.
    X : array-like of shape (n_samples, n_features)
        Samples.

    Returns
    -------
    ndarray of shape (n_samples,)
        Labels or numbers.

    Examples
    --------
    >>> tree_predict(cart([[0.0], [1.0], [2.0]], ["a", "b", "a"]), [[0.9], [7.0]]).tolist()
    ['b', 'a']
    """
    _check_tree(tree)
    points = check_matrix(X)

    def answer(x: Array) -> Any:
        node = tree
        while node.left is not None and node.right is not None:
            node = node.left if x[node.feature] <= node.threshold else node.right
        return node.prediction

    if max(_features_asked(tree), default=-1) >= points.shape[1]:
        raise ValueError(f"X has {points.shape[1]} features, and the tree asks about another one.")
    return np.array([answer(x) for x in points])


def prune(tree: Node, alpha: float) -> Node:
    r"""Return the smallest pruned tree that makes :math:`\frac1n\sum_l L_l+\alpha|T|` least.

    From the leaves up: a node whose loss as a leaf is at most that of the best pruned tree below
    it, with a penalty :math:`\alpha` for each leaf, becomes a leaf.

    Parameters
    ----------
    tree : Node
        The root of a grown tree, which is left as it is.
    alpha : float
        The price of a leaf, at least 0.

    Returns
    -------
    Node
        The root of the pruned tree.

    Examples
    --------
    >>> tree = cart([[0.0], [1.0], [2.0], [3.0]], [0.0, 1.0, 5.0, 6.0], "squared_error")
    >>> [len(tree_leaves(prune(tree, alpha))) for alpha in (0.1, 0.2, 7.0)]
    [4, 2, 1]
    """
    _check_tree(tree)
    price = check_scalar(alpha, "alpha", least=0) * tree.n_samples
    tie = 1e-12 * tree.loss

    def best(node: Node) -> tuple[Node, float]:
        alone = dataclasses.replace(node, feature=None, threshold=math.nan, left=None, right=None)
        if node.left is None or node.right is None:
            return alone, node.loss + price
        (left, cost_left), (right, cost_right) = best(node.left), best(node.right)
        if node.loss + price <= cost_left + cost_right + tie:
            return alone, node.loss + price
        return dataclasses.replace(node, left=left, right=right), cost_left + cost_right

    return best(tree)[0]


def cost_complexity_path(tree: Node) -> list[tuple[float, Node]]:
    r"""Return the prices of a leaf at which the best pruned tree changes, and these trees.

    The weakest link is the node with the least :math:`(L_t-\sum_{l\in T_t}L_l)/n(|T_t|-1)`, the
    loss that a leaf below it saves. At that price it is pruned, and then the next one is sought.

    Parameters
    ----------
    tree : Node
        The root of a grown tree.

    Returns
    -------
    list of (alpha, Node)
        In ascending order, from the tree pruned at price zero to the root alone.

    Examples
    --------
    >>> tree = cart([[0.0], [1.0], [2.0], [3.0]], [0.0, 1.0, 5.0, 6.0], "squared_error")
    >>> [(alpha, len(tree_leaves(pruned))) for alpha, pruned in cost_complexity_path(tree)]
    [(0.0, 4), (0.125, 2), (6.25, 1)]
    """
    _check_tree(tree)

    def links(node: Node) -> list[float]:
        if node.left is None or node.right is None:
            return []
        below = tree_leaves(node)
        saved = node.loss - sum(leaf.loss for leaf in below)
        return [saved / (len(below) - 1), *links(node.left), *links(node.right)]

    path = [(0.0, prune(tree, 0.0))]
    while not path[-1][1].is_leaf:
        alpha = min(links(path[-1][1])) / tree.n_samples
        path.append((alpha, prune(path[-1][1], alpha)))
    return path


def reduced_error_pruning(
    tree: Node, X: ArrayLike, y: ArrayLike, criterion: str = "zero_one"
) -> Node:
    r"""Prune a tree by a second sample: what does not help there becomes a leaf.

    The optimism of a subtree is what it loses on new samples beyond what it lost on those it was
    grown from. From the leaves up, a subtree that loses no less on the new sample than its node
    alone would has more optimism than advantage, and is replaced by the node.

    Parameters
    ----------
    tree : Node
        The root of a grown tree, which is left as it is.
    X : array-like of shape (n_samples, n_features)
        Samples that the tree was not grown from.
    y : array-like of shape (n_samples,)
        Their labels or targets.
    criterion : {"zero_one", "squared_error"}
        What is lost by a wrong answer.

    Returns
    -------
    Node
        The root of the pruned tree. Where no new sample arrives nothing is lost, and a leaf is
        left.

    Examples
    --------
    >>> tree = cart([[0.0], [1.0], [2.0], [3.0]], ["a", "b", "a", "b"])
    >>> pruned = reduced_error_pruning(tree, [[0.0], [1.0], [2.5], [3.0]], ["a", "b", "b", "b"])
    >>> [leaf.prediction for leaf in tree_leaves(pruned)]
    ['a', 'b']
    """
    _check_tree(tree)
    points = check_matrix(X)
    OneOf("zero_one", "squared_error").check(criterion, "criterion")
    squared = criterion == "squared_error"
    target = check_targets(y, len(points), "squared_error" if squared else "gini")
    if max(_features_asked(tree), default=-1) >= points.shape[1]:
        raise ValueError(f"X has {points.shape[1]} features, and the tree asks about another one.")

    def best(node: Node, rows: NDArray[np.intp]) -> tuple[Node, float]:
        wrong = (
            (target[rows] - node.prediction) ** 2 if squared else target[rows] != node.prediction
        )
        lost, alone = (
            float(np.sum(wrong)),
            dataclasses.replace(node, feature=None, threshold=math.nan),
        )
        alone.left = alone.right = None
        if node.left is None or node.right is None:
            return alone, lost
        goes_left = points[rows, node.feature] <= node.threshold
        left, lost_left = best(node.left, rows[goes_left])
        right, lost_right = best(node.right, rows[~goes_left])
        if lost <= lost_left + lost_right:
            return alone, lost
        return dataclasses.replace(node, left=left, right=right), lost_left + lost_right

    return best(tree, np.arange(len(points)))[0]


@dataclass
class Question:
    """A node of a tree with a child for each value of a feature; a leaf has no feature.

    Parameters
    ----------
    prediction : object
        The majority label of the samples that reach it.
    feature : int, optional
        The feature asked about.
    children : dict
        For each value of the feature that was seen, the tree below.

    Examples
    --------
    >>> Question("rest", 0, {"sunny": Question("play")})(["sunny"])
    'play'
    >>> Question("rest", 0, {"sunny": Question("play")})(["foggy"])
    'rest'
    """

    prediction: Any
    feature: int | None = None
    children: dict[Any, Question] = dataclasses.field(default_factory=dict)

    def __call__(self, x: Any) -> Any:
        """Return the answer for one sample; where a value is new, the majority so far."""
        if self.feature is None or x[self.feature] not in self.children:
            return self.prediction
        return self.children[x[self.feature]](x)

    @property
    def depth(self) -> int:
        """The number of questions on the longest path."""
        return max((1 + child.depth for child in self.children.values()), default=0)


def categorical_tree(
    X: ArrayLike, y: ArrayLike, score: Callable[[Array], float] = split_accuracy
) -> Question:
    r"""Grow a tree that asks for the value of a feature, and about no feature twice on a path.

    A node becomes a leaf if its labels are equal or no feature is left. So its depth is at most the
    number of features, whatever the number of their values.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Values of any kind that can be sorted.
    y : array-like of shape (n_samples,)
        Labels.
    score : callable
        A function of the counts of the classes in each child, such as :func:`split_accuracy` or
        :func:`gain_ratio`. The feature with the highest score is asked about; of equals the first.

    Returns
    -------
    Question
        The root.

    Examples
    --------
    >>> tree = categorical_tree([["sun", "wind"], ["sun", "calm"], ["rain", "calm"]], [0, 0, 1])
    >>> tree.feature, tree(["rain", "wind"]), tree.depth
    (0, 1, 1)
    """
    values = check_categories(X)
    labels = check_targets(y, len(values), "gini")

    def grow(rows: NDArray[np.intp], features: list[int]) -> Question:
        node = Question(majority_label(labels[rows]))
        if (labels[rows] == labels[rows[0]]).all() or not features:
            return node
        tables = [class_counts(values[rows, k], labels[rows]) for k in features]
        node.feature = features[
            int(np.argmax([number_of(score, table, "score") for table in tables]))
        ]
        remaining = [k for k in features if k != node.feature]
        for value in np.unique(values[rows, node.feature]).tolist():
            chosen = rows[values[rows, node.feature] == value]
            node.children[value] = grow(chosen, remaining)
        return node

    return grow(np.arange(len(values)), list(range(values.shape[1])))


def best_stump(
    X: ArrayLike, y: ArrayLike, weights: ArrayLike | None = None
) -> tuple[int, float, float]:
    r"""Find the stump of least weighted error: one sort and one cumulative sum a feature.

    With answers -1 up to a threshold and +1 above it the sum of :math:`w_iy_ih(x_i)` is that of
    all :math:`w_iy_i` less twice that of those below; with the opposite answers it is minus that.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Points.
    y : array-like of shape (n_samples,)
        Labels -1 and +1.
    weights : array-like of shape (n_samples,), optional
        How much each point counts; equal if not given.

    Returns
    -------
    feature : int
        The feature :math:`k`.
    threshold : float
        :math:`\theta_0`; minus infinity for a constant.
    sign : float
        The answer where :math:`x_k>\theta_0`; elsewhere it is the opposite.

    Examples
    --------
    >>> best_stump([[1.0, 5.0], [2.0, 1.0], [3.0, 4.0]], [-1, -1, 1])
    (0, 2.5, 1.0)
    """
    points = check_matrix(X)
    n, d = points.shape
    signs = check_signs(y, n)
    given = check_weights(weights, n, name="weights")
    w = np.ones(n) if given is None else given / given.max()
    signed, equal = signs * w, 4 * n * np.finfo(float).eps * w.sum()
    balance = float(signed.sum())
    best, found = abs(balance), (0, -np.inf, 1.0 if balance >= 0 else -1.0)
    for k in range(d):
        order = np.argsort(points[:, k], kind="stable")
        values = points[order, k]
        edges = balance - 2 * np.cumsum(signed[order])[:-1]
        edges[values[1:] <= values[:-1]] = 0.0
        size = np.abs(edges)
        cut = int(np.argmax(size >= size.max(initial=0.0) - equal)) if n > 1 else 0
        if n > 1 and size[cut] > best + equal:
            middle = 0.5 * values[cut] + 0.5 * values[cut + 1]
            threshold = middle if middle < values[cut + 1] else values[cut]
            best, found = size[cut], (k, float(threshold), float(np.sign(edges[cut])))
    return found


def count_stumps(X: ArrayLike) -> int:
    r"""Return how many different labellings of the points stumps can produce.

    There are two constants, and two orientations for each way to cut a feature between two of its
    values; :math:`2d(n-1)+2` if all values differ and no two features cut alike.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Points.

    Returns
    -------
    int
        The number of distinct vectors of predictions.

    Examples
    --------
    >>> count_stumps([[1.0], [2.0], [3.0], [4.0]])
    8
    """
    columns = np.unique(check_matrix(X), axis=0).T
    above = {tuple(column > value) for column in columns for value in column}
    # The largest value of a column cuts nothing off and stands for the constants.
    return len(above | {tuple(not answer for answer in pattern) for pattern in above})


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


MAX_FEATURES = AnyOf(
    Integer(1),
    Real(above=0, most=1),
    Optional(OneOf("sqrt", "log2")),
    hint="pass a number of features, a share of them, or None for all",
)


class _DecisionTree(Estimator):
    """What classifiers and regressors have in common: a tree, its size, its pruning."""

    _constraints: ClassVar = {
        "max_depth": Optional(Integer(1)),
        "min_samples_split": Integer(2),
        "min_samples_leaf": Integer(1),
        "max_features": MAX_FEATURES,
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
    mistakes on its sample as any function of the features can. See the chapters
    :doc:`/book/adaboost` for its smallest case; it grows the trees of a random forest too.

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
    random_state : int, numpy.random.Generator, optional
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

    def __init__(
        self,
        *,
        criterion: str = "gini",
        max_depth: int | None = None,
        min_samples_split: int = 2,
        min_samples_leaf: int = 1,
        max_features: int | float | str | None = None,
        ccp_alpha: float = 0.0,
        random_state: int | np.random.Generator | None = None,
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
        labels = check_targets(y, len(self._use_matrix(X)), "gini")

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
    :doc:`/book/adaboost` for its smallest case; it grows the trees of a random forest too.

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
    random_state : int, numpy.random.Generator, optional
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

    def __init__(
        self,
        *,
        max_depth: int | None = None,
        min_samples_split: int = 2,
        min_samples_leaf: int = 1,
        max_features: int | float | str | None = None,
        ccp_alpha: float = 0.0,
        random_state: int | np.random.Generator | None = None,
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
        price = min(math.log2(self.ccp_alpha) - 2 * exponent, 10.0) if self.ccp_alpha else -math.inf
        return self.set_tree(in_unit(self._pruned(tree, 2.0**price), exponent))

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


def check_targets(y: ArrayLike | None, n: int | None, criterion: str) -> NDArray[Any]:
    """Return labels or, for the squared error, targets: as many as there are samples."""
    OneOf("gini", "entropy", "squared_error").check(criterion, "criterion")
    if criterion == "squared_error":
        return check_target(y, n, owner="This method") if n is not None else _check_some(y, "y")
    labels = _check_categories(y, "y")
    if n is not None and len(labels) != n:
        raise ValueError(
            f"X and y have inconsistent numbers of samples: X has {n} rows, y has {len(labels)}."
        )
    return labels


def number_of(function: Callable[[Array], Any], argument: Array, name: str) -> float:
    """Return the value of a function that was passed under this name."""
    check_callable(function, name, "frequencies or counts of classes")
    try:
        return float(function(argument))
    except (TypeError, ValueError) as error:
        raise ValueError(f"{name} must return a number: {error}.") from error


def check_categories(X: ArrayLike) -> NDArray[Any]:
    """Return a matrix of values that can be sorted."""
    return _check_categories(X, "X", dimensions=2)


def _check_categories(values: Any, name: str, dimensions: int = 1) -> NDArray[Any]:
    """Return an array, not empty, of numbers or of strings."""
    try:
        array = np.asarray(values)
    except ValueError as error:
        raise ValueError(f"{name} must be an array of numbers or strings: {error}.") from error
    if array.dtype.kind == "O" and all(isinstance(entry, str) for entry in array.flat):
        array = array.astype(str)
    if array.dtype.kind not in "biufU" or array.ndim != dimensions or not array.size:
        raise ValueError(
            f"{name} must hold numbers or strings in {dimensions} dimension"
            f"{'s' if dimensions > 1 else ''}, at least one, got {array.dtype} of shape "
            f"{array.shape}."
        )
    if array.dtype.kind == "f" and np.isnan(array).any():
        raise ValueError(f"Input {name} contains NaN; drop or impute such values first.")
    return array


def _check_some(values: Any, name: str) -> Array:
    """Return a vector that is not empty."""
    vector = check_vector(values, name=name)
    if not len(vector):
        raise ValueError(f"{name} is empty; pass the value of at least one sample.")
    return vector


def _shares(values: Any, name: str) -> Array:
    """Return nonnegative numbers over the sum of their row."""
    array = check_numbers(values, name, least=0)
    if not array.ndim or not array.shape[-1] or not (array.sum(axis=-1) > 0).all():
        raise ValueError(f"{name} must hold a positive number for some class, in every row.")
    scaled = scale_by_power_of_two(array)[0] if np.isinf(array.sum(axis=-1)).any() else array
    return np.asarray(scaled / scaled.sum(axis=-1, keepdims=True))


def _check_table(counts: Any) -> Array:
    """Return counts of classes in children, of at least one sample."""
    table = check_numbers(counts, "counts", least=0)
    if table.ndim != 2 or not 0 < table.sum() < np.inf:
        raise ValueError(
            "counts must be a table with a row for each child and a column for each class, and a "
            f"finite positive sum, got shape {table.shape}."
        )
    return table


def _check_tree(tree: Any) -> None:
    if not isinstance(tree, Node):
        raise TypeError(f"tree must be a Node, as cart returns it, got {tree!r}.")


def _features_asked(tree: Node) -> set[int]:
    """Return the features that a tree asks about."""
    if tree.left is None or tree.right is None or tree.feature is None:
        return set()
    return {tree.feature} | _features_asked(tree.left) | _features_asked(tree.right)


def _loss_of_sums(y: ArrayLike, n: int, criterion: str) -> tuple[Array, Callable[[Array], Any]]:
    """Return what of each sample is summed, and the loss of a node as a function of the sums."""
    target = check_targets(y, n, criterion)
    if criterion == "squared_error":
        deviation = target - leaf_mean(target)
        amounts = np.column_stack([np.ones(n), deviation, deviation**2])
        # Of n deviations with sum s and sum of squares q, the squared error is q - s²/n.
        return amounts, lambda sums: sums[..., 2] - sums[..., 1] ** 2 / sums[..., 0]
    impurity = gini if criterion == "gini" else entropy
    amounts = (target[:, None] == np.unique(target)).astype(float)
    return amounts, lambda sums: sums.sum(axis=-1) * impurity(sums)
