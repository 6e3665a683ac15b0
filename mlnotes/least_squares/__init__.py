r"""Least squares: the linear function closest to the data in the sum of squares.

:class:`LeastSquares` minimises :math:`\sum_iw_i(y_i-\langle\theta,x_i\rangle-\theta_0)^2` by a QR
factorisation of the centred data, refines the solution in doubled precision, and says how far it
can at most be from the exact one. Beside it are the ways to the solution that are taught:
:func:`cholesky`, :func:`householder_qr`, :func:`svd_least_squares`, :func:`lsqr`,
:func:`gauss_seidel`. See the book's chapter on least squares.
"""

from mlnotes.least_squares._algorithms import (
    back_substitution,
    cholesky,
    fit_line,
    forward_substitution,
    gauss_seidel,
    golub_kahan,
    gram_by_rows,
    householder_qr,
    jacobi_svd,
    least_squares,
    lsqr,
    merge_triangles,
    pseudo_inverse,
    solve_normal_equations,
    svd_least_squares,
)
from mlnotes.least_squares._estimators import LeastSquares
from mlnotes.least_squares._mathematics import (
    ExpectedErrors,
    anscombe_transform,
    condition_number,
    expected_errors,
    gaussian_log_likelihood,
    hat_matrix,
    least_squares_covariance,
    leverages,
)
from mlnotes.least_squares._tomography import phantom, tomography_matrix

__all__ = [
    "ExpectedErrors",
    "LeastSquares",
    "anscombe_transform",
    "back_substitution",
    "cholesky",
    "condition_number",
    "expected_errors",
    "fit_line",
    "forward_substitution",
    "gauss_seidel",
    "gaussian_log_likelihood",
    "golub_kahan",
    "gram_by_rows",
    "hat_matrix",
    "householder_qr",
    "jacobi_svd",
    "least_squares",
    "least_squares_covariance",
    "leverages",
    "lsqr",
    "merge_triangles",
    "phantom",
    "pseudo_inverse",
    "solve_normal_equations",
    "svd_least_squares",
    "tomography_matrix",
]
