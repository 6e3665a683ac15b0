r"""Growing, using and pruning decision trees.

Every feature is sorted once. A *key* holds the rank of a value in its upper half and the row of the
sample in its lower half, so that sorted keys are sorted samples and equal values are equal ranks. A
node is a segment of the keys, the same for every feature, and a split is a stable partition of that
segment: nothing is sorted again. The grower exists twice: as a loop over nodes, to be compiled, and
by levels of the tree in NumPy where nothing is. Both find the same tree.

Where only a few features are tried in a node, as in a forest, it is cheaper to sort the samples of
the node by these than to keep all features in order; the loop does that if it is given one line of
keys.

The gain of a cut is the decrease of weight times impurity. For the squared error, with deviations
from the mean of the node, it is :math:`S_L^2W/(W_LW_R)`, where :math:`S_L` is their weighted sum on
the left. With labels 0 and 1 Gini's impurity is twice the variance, so that two classes need
nothing else.
"""

from __future__ import annotations

from ._growing import (
    LIMITS,
    SortedSamples,
    criterion_of,
    find_leaves,
    growth_of,
    limits_of,
    samples_that_count,
)
from ._pruning import collapse, collapsing_alphas, losses_on, not_worth_keeping
from ._tree import DEVIATION, Growth, Tree, scale_tree

__all__ = [
    "DEVIATION",
    "LIMITS",
    "Growth",
    "SortedSamples",
    "Tree",
    "collapse",
    "collapsing_alphas",
    "criterion_of",
    "find_leaves",
    "growth_of",
    "limits_of",
    "losses_on",
    "not_worth_keeping",
    "samples_that_count",
    "scale_tree",
]
