"""The algorithms of the chapter: the best cut, growing with a stack, pruning."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlnotes._solvers.stumps import midpoint
from mlnotes.decision_trees._mathematics import (
    class_counts,
    leaf_mean,
    loss_of_sums,
    majority_label,
    node_loss,
    split_accuracy,
)
from mlnotes.validation import (
    Array,
    check_categories,
    check_count,
    check_matrix,
    check_option,
    check_scalar,
    check_signs,
    check_target,
    check_value,
    check_weights,
)


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
    X: ArrayLike,
    y: ArrayLike,
    criterion: str = "gini",
    *,
    min_samples_leaf: int = 1,
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
    amounts, loss = loss_of_sums(y, n, criterion)
    total, best = amounts.sum(axis=0), None
    tie = 1e-12 * loss(total)
    least = check_count(min_samples_leaf, "min_samples_leaf")
    sizes = np.arange(1, n)
    for k in range(d):
        order = np.argsort(points[:, k], kind="stable")
        values = points[order, k]
        left = np.cumsum(amounts[order], axis=0)[:-1]
        decrease = loss(total) - loss(left) - loss(total - left)
        cut = (sizes >= least) & (n - sizes >= least)
        cut &= values[:-1] < values[1:]
        if not cut.any():
            continue
        good = decrease >= decrease[cut].max() - tie
        first = int(np.argmax(cut & good))
        if best is None or decrease[first] > best.decrease + tie:
            threshold = midpoint(values[first], values[first + 1])
            gain = max(float(decrease[first]), 0.0)
            best = Split(k, threshold, gain)
    return best


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
    sign = 1.0 if balance >= 0 else -1.0
    best, found = abs(balance), (0, -np.inf, sign)
    for k in range(d if n > 1 else 0):
        order = np.argsort(points[:, k], kind="stable")
        values = points[order, k]
        edges = balance - 2 * np.cumsum(signed[order])[:-1]
        edges[values[1:] <= values[:-1]] = 0.0
        size = np.abs(edges)
        cut = int(np.argmax(size >= size.max() - equal))
        if size[cut] > best + equal:
            low, high = values[cut], values[cut + 1]
            middle = 0.5 * low + 0.5 * high
            threshold = float(middle if middle < high else low)
            sign = float(np.sign(edges[cut]))
            best, found = size[cut], (k, threshold, sign)
    return found


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

    @classmethod
    def leaf(cls, y: ArrayLike, criterion: str = "gini") -> Node:
        """Return a leaf for samples with the targets ``y``: it answers their mean or majority."""
        answer = leaf_mean(y) if criterion == "squared_error" else majority_label(y)
        return cls(answer, len(np.asarray(y)), node_loss(y, criterion))

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
    options = "gini", "entropy", "squared_error"
    check_option(criterion, "criterion", *options)
    if criterion == "squared_error":
        target = check_target(y, len(points))
    else:
        target = check_categories(y, "y", n=len(points))
    if max_depth is not None:
        check_count(max_depth, "max_depth", at_least=0)
    root, least = Node.leaf(target, criterion), min_samples_leaf
    stack = [(root, points, target, 0)]
    while stack:
        node, x, t, depth = stack.pop()
        if depth == max_depth or (t == t[0]).all():
            continue
        split = best_split(x, t, criterion, min_samples_leaf=least)
        if split is None:
            continue
        node.feature, node.threshold, _ = split
        low = x[:, split.feature] <= split.threshold
        node.left = Node.leaf(t[low], criterion)
        node.right = Node.leaf(t[~low], criterion)
        stack.append((node.left, x[low], t[low], depth + 1))
        stack.append((node.right, x[~low], t[~low], depth + 1))
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
    check_option(criterion, "criterion", "zero_one", "squared_error")
    squared = criterion == "squared_error"
    target = check_target(y, len(points)) if squared else check_categories(y, "y", n=len(points))
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
    X: ArrayLike,
    y: ArrayLike,
    score: Callable[[Array], float] = split_accuracy,
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
    values = check_categories(X, "X", dimensions=2)
    labels = check_categories(y, "y", n=len(values))

    def grow(rows: NDArray[np.intp], among: list[int]) -> Question:
        own = labels[rows]
        node = Question(majority_label(own))
        if (own == own[0]).all() or not among:
            return node
        tables = [class_counts(values[rows, k], own) for k in among]
        scores = [check_value(score, t, "score") for t in tables]
        node.feature = among[int(np.argmax(scores))]
        remaining = [k for k in among if k != node.feature]
        for value in np.unique(values[rows, node.feature]).tolist():
            chosen = rows[values[rows, node.feature] == value]
            node.children[value] = grow(chosen, remaining)
        return node

    n, d = values.shape
    return grow(np.arange(n), list(range(d)))


def _check_tree(tree: Any) -> None:
    if not isinstance(tree, Node):
        raise TypeError(f"tree must be a Node, as cart returns it, got {tree!r}.")


def _features_asked(tree: Node) -> set[int]:
    """Return the features that a tree asks about."""
    if tree.left is None or tree.right is None or tree.feature is None:
        return set()
    return {tree.feature} | _features_asked(tree.left) | _features_asked(tree.right)
