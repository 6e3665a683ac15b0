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

from mlnotes.decision_trees._algorithms import (
    Node,
    Question,
    Split,
    best_split,
    best_stump,
    cart,
    categorical_tree,
    cost_complexity_path,
    prune,
    reduced_error_pruning,
    tree_leaves,
    tree_predict,
)
from mlnotes.decision_trees._estimators import (
    DecisionTreeClassifier,
    DecisionTreeRegressor,
    PruningPath,
)
from mlnotes.decision_trees._mathematics import (
    candidate_thresholds,
    class_counts,
    count_stumps,
    entropy,
    gain_ratio,
    gini,
    impurity_decrease,
    leaf_mean,
    majority_label,
    node_loss,
    population_loss,
    split_accuracy,
    squared_error,
    squared_error_decrease,
)
from mlnotes.decision_trees._stump import DecisionStump

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
