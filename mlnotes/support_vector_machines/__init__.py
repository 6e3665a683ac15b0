r"""Support vector machines: the separating hyperplane that keeps the largest distance.

The soft margin minimises :math:`\frac12\lVert\theta\rVert^2+C\sum_i\xi_i` where
:math:`y_i(\langle\theta,x_i\rangle+\theta_0)\ge1-\xi_i` and :math:`\xi_i\ge0`. Its dual maximises
:math:`\sum_i\alpha_i-\frac12\lVert\sum_i\alpha_iy_ix_i\rVert^2` where :math:`0\le\alpha_i\le C` and
:math:`\sum_i\alpha_iy_i=0` (``thm-svm-soft-dual``). No dual value exceeds a primal one
(``thm-svm-gap``), so their difference bounds the error of any answer: every estimator here stops on
that gap and reports it. See the chapter :doc:`/book/support_vector_machines`.
"""

from mlnotes.logistic_regression import logistic_loss
from mlnotes.support_vector_machines._algorithms import dual_coordinate_ascent, pegasos, smo
from mlnotes.support_vector_machines._kernel import KernelSVM
from mlnotes.support_vector_machines._linear import DualCoordinateSVM, LinearSVM, SubgradientSVM
from mlnotes.support_vector_machines._mathematics import (
    canonicalise,
    dual_objective,
    hinge_loss,
    hinge_subgradient,
    offset_interval,
    primal_objective,
    squared_hinge_loss,
    svm_kkt_residuals,
)

__all__ = [
    "DualCoordinateSVM",
    "KernelSVM",
    "LinearSVM",
    "SubgradientSVM",
    "canonicalise",
    "dual_coordinate_ascent",
    "dual_objective",
    "hinge_loss",
    "hinge_subgradient",
    "logistic_loss",
    "offset_interval",
    "pegasos",
    "primal_objective",
    "smo",
    "squared_hinge_loss",
    "svm_kkt_residuals",
]
