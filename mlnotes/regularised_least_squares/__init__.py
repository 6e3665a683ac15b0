r"""Regularised least squares: ridge, lasso and the path between them, greedy selection.

Weights that are too free follow the noise. Ridge regression adds
:math:`\lambda\lVert\theta\rVert_2^2` to the sum of squares and shrinks all of them; the lasso adds
:math:`\lambda\lVert\theta\rVert_1` and sets some to zero; matching pursuit lets only a few enter.
The offset is never penalised. See the book's chapter on regularised least squares.
"""

from mlnotes.regularised_least_squares._algorithms import (
    best_subset,
    coordinate_descent,
    dictionary_learning,
    fista,
    lars,
    nonnegative_least_squares,
    nonnegative_omp,
    omp_by_qr,
    orthogonal_matching_pursuit,
    ridge,
    soft_threshold,
    stacked_ridge,
)
from mlnotes.regularised_least_squares._estimators import (
    LARS,
    Lasso,
    NonNegativeOMP,
    OrthogonalMatchingPursuit,
    Ridge,
)
from mlnotes.regularised_least_squares._mathematics import (
    effective_parameters,
    irrepresentable,
    lasso_gap,
    lasso_objective,
    lp_norm,
    ridge_errors,
    ridge_penalty_for_norm,
)
from mlnotes.regularised_least_squares._paths import LassoPath, RidgePath, lasso_path, ridge_path

__all__ = [
    "LARS",
    "Lasso",
    "LassoPath",
    "NonNegativeOMP",
    "OrthogonalMatchingPursuit",
    "Ridge",
    "RidgePath",
    "best_subset",
    "coordinate_descent",
    "dictionary_learning",
    "effective_parameters",
    "fista",
    "irrepresentable",
    "lars",
    "lasso_gap",
    "lasso_objective",
    "lasso_path",
    "lp_norm",
    "nonnegative_least_squares",
    "nonnegative_omp",
    "omp_by_qr",
    "orthogonal_matching_pursuit",
    "ridge",
    "ridge_errors",
    "ridge_path",
    "ridge_penalty_for_norm",
    "soft_threshold",
    "stacked_ridge",
]
