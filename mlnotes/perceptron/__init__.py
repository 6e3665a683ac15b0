r"""The perceptron: learning a separating hyperplane from its own mistakes.

A vector :math:`\theta` predicts the sign of :math:`\langle\theta,x\rangle`. Whenever
:math:`y\langle\theta,x\rangle\le0`, the perceptron adds :math:`yx` to :math:`\theta`. If some
:math:`\theta^*` has :math:`y\langle\theta^*,x\rangle\ge\gamma>0` on all points and none is longer
than :math:`R`, this happens at most :math:`R^2\lVert\theta^*\rVert^2/\gamma^2` times, in whatever
order the points come (``thm-perceptron-convergence``). See the chapter :doc:`/book/perceptron`.
"""

from mlnotes.perceptron._algorithms import dual_perceptron, perceptron, pocket
from mlnotes.perceptron._estimators import (
    AveragedPerceptron,
    BatchPerceptron,
    Perceptron,
    PocketPerceptron,
)
from mlnotes.perceptron._mathematics import (
    augment,
    fewest_errors,
    functional_margin,
    geometric_margin,
    indicator_augment,
    is_linearly_separable,
    maximum_margin,
    novikoff_bound,
    perceptron_loss,
    radius,
    signed_distance,
)

__all__ = [
    "AveragedPerceptron",
    "BatchPerceptron",
    "Perceptron",
    "PocketPerceptron",
    "augment",
    "dual_perceptron",
    "fewest_errors",
    "functional_margin",
    "geometric_margin",
    "indicator_augment",
    "is_linearly_separable",
    "maximum_margin",
    "novikoff_bound",
    "perceptron",
    "perceptron_loss",
    "pocket",
    "radius",
    "signed_distance",
]
