r"""Convex programmes: Lagrangian, dual, and the conditions that certify an optimum.

A convex programme minimises a convex :math:`f_0(x)` where convex :math:`f_i(x)\le0` and affine
:math:`h_j(x)=0`. Every :math:`\lambda\ge0` and :math:`\nu` give a lower bound
:math:`D(\lambda,\nu)=\inf_xL(x,\lambda,\nu)` on the optimum (``thm-weak-duality``), and a point at
which the four conditions of Karush, Kuhn and Tucker hold is optimal (``thm-kkt-sufficient``). So a
solver need not be trusted: :func:`kkt_residuals` and the gap judge its answer, whoever it was. See
the chapter :doc:`/book/convex_duality`.
"""

from mlnotes.convex_duality._algorithms import (
    QuadraticSolution,
    RidgeCertificate,
    ridge_dual_ascent,
    solve_quadratic_program,
)
from mlnotes.convex_duality._conditions import (
    KKTResiduals,
    kkt_residuals,
)
from mlnotes.convex_duality._mathematics import (
    chord_excess,
    find_escape,
    is_positive_semidefinite,
)
from mlnotes.convex_duality._probabilities import (
    categorical_mle,
    squared_constraint_dual,
    squared_constraint_mle,
)
from mlnotes.convex_duality._programs import (
    ConvexProgram,
    dual_function,
    lagrangian,
    quadratic_program,
)

__all__ = [
    "ConvexProgram",
    "KKTResiduals",
    "QuadraticSolution",
    "RidgeCertificate",
    "categorical_mle",
    "chord_excess",
    "dual_function",
    "find_escape",
    "is_positive_semidefinite",
    "kkt_residuals",
    "lagrangian",
    "quadratic_program",
    "ridge_dual_ascent",
    "solve_quadratic_program",
    "squared_constraint_dual",
    "squared_constraint_mle",
]
