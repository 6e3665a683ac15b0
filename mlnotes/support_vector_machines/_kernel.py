"""The support vector machine on a kernel, by sequential minimal optimisation."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlnotes._constraints import Integer, OneOf, Optional, Real
from mlnotes._laws import Laws
from mlnotes._numerics import is_constant, scale_by_power_of_two, weighted_mean
from mlnotes._solvers.kernel_rows import Kernel, check_gram
from mlnotes._solvers.kernel_svm import KernelSolution, kernel_rows, solve_kernel_svm
from mlnotes._solvers.margins import root_mean_square
from mlnotes.exceptions import ConvergenceWarning, warn_at_caller
from mlnotes.support_vector_machines._base import MAX_C, MIN_C, BaseSVM, SolverReport
from mlnotes.support_vector_machines._mathematics import residuals_at
from mlnotes.validation import Array, check_weights

# Where the means of the features make more of their common variance than this, a bandwidth that
# follows it is too long to tell the samples apart.
MAX_SHARE_OF_MEANS = 0.995


class KernelSVM(BaseSVM):
    r"""The support vector machine on a kernel, by sequential minimal optimisation.

    The dual needs the points through :math:`k(x_i,x_j)` only, and so does the decision function
    :math:`\sum_i\alpha_iy_ik(x_i,x)+\theta_0`. The solver moves two multipliers at a time, chosen
    by the gain that their second derivative promises, computes rows of the kernel matrix when they
    are asked for, and sets multipliers aside that rest at an end of the box. It stops when the
    duality gap is below ``tol`` times the objective. See the chapter
    :doc:`/book/support_vector_machines`.

    Parameters
    ----------
    kernel : {"gaussian", "polynomial", "linear", "precomputed"} or callable
        A callable gets two sets of points and returns the matrix of their kernel values. With
        ``"precomputed"``, ``fit`` gets the Gram matrix of the samples, and prediction the matrix of
        kernel values between new samples (rows) and all training samples (columns).
    C : float
        The price of slack. Infinity asks for the hard margin, which is found as the solution for a
        price so high that no multiplier reaches it; data that are not separable are then refused.
    bandwidth : float, optional
        The length :math:`\tau` of the Gaussian kernel :math:`\exp(-\lVert x-x'\rVert^2/2\tau^2)`;
        if not given, :math:`2\tau^2` is the number of features times the variance of the data.
    degree, constant : int and float
        Of the polynomial kernel :math:`(\langle x,x'\rangle+c)^p`.
    tol : float
        The duality gap to reach, relative to the objective.
    max_iter : int
        The greatest number of pairs moved.
    cache_size : float
        Megabytes for rows of the kernel matrix.

    Attributes
    ----------
    alpha_ : ndarray of shape (n_samples,)
        The multipliers, between 0 and C.
    support_ : ndarray of int
        The rows with a positive multiplier.
    support_vectors_ : ndarray of shape (n_support, n_features)
        The samples in these rows; empty for a precomputed kernel.
    dual_coef_ : ndarray of shape (n_support,)
        :math:`\alpha_iy_i` of the support vectors.
    intercept_ : float
        The offset :math:`\theta_0`, the middle of ``offset_interval_``.
    offset_interval_ : tuple of float
        The least and the greatest optimal offset.
    bandwidth_ : float
        The :math:`\tau` used.
    objective_, dual_objective_ : float
        The primal and the dual value: the optimum is between them.
    dual_gap_ : float
        Their difference.
    gaps_ : ndarray
        The relative gap each time it was computed.
    kkt_residuals_ : KKTResiduals
        By how much the optimality conditions are missed.
    n_iter_ : int
        How many pairs were moved.
    classes_ : ndarray of shape (2,)
        The labels, the negative one first.
    n_features_in_ : int
        The number of features seen in ``fit``.
    feature_names_in_ : ndarray of str
        Their names, if ``fit`` was given a data frame.

    Examples
    --------
    >>> X = [[0.0, 0.0], [1.0, 1.0], [0.0, 1.0], [1.0, 0.0]]
    >>> model = KernelSVM(kernel="polynomial", C=100.0).fit(X, [0, 0, 1, 1])
    >>> model.predict(X)
    array([0, 0, 1, 1])
    >>> model.dual_gap_ <= 1e-3 * model.objective_
    True
    """

    _squares = False
    _constraints: ClassVar = {
        "kernel": OneOf("gaussian", "polynomial", "linear", "precomputed", or_callable=True),
        "C": Real(least=MIN_C, most=MAX_C, infinite=True),
        "bandwidth": Optional(Real(above=0)),
        "degree": Integer(1),
        "constant": Real(least=0, hint="below 0 the polynomial is not a kernel"),
        "tol": Real(above=0),
        "max_iter": Integer(1),
        "cache_size": Real(above=0),
    }
    # The default bandwidth follows the unit, but is measured about one mean of all features.
    _laws: ClassVar = Laws(
        "rows",
        "columns",
        "origin",
        "labels",
        parameters={"tol": 1e-09, "bandwidth": 2.0},
        grid={"tol": [0.001, 0.1]},
        unfinished={"max_iter": 1},
    )

    support_vectors_: Array
    intercept_: float
    dual_coef_: Array
    bandwidth_: float
    offset_interval_: tuple[float, float]

    def __init__(
        self,
        *,
        kernel: str | Callable[[Array, Array], ArrayLike] = "gaussian",
        C: float = 1.0,
        bandwidth: float | None = None,
        degree: int = 2,
        constant: float = 1.0,
        tol: float = 1e-3,
        max_iter: int = 10_000_000,
        cache_size: float = 200.0,
    ) -> None:
        self.kernel = kernel
        self.C = C
        self.bandwidth = bandwidth
        self.degree = degree
        self.constant = constant
        self.tol = tol
        self.max_iter = max_iter
        self.cache_size = cache_size

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self.kernel == "precomputed"
        return tags

    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Find the multipliers, and the offset that goes with them.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples, or their Gram matrix if the kernel is precomputed.
        y : array-like of shape (n_samples,)
            Their labels, of two classes.
        sample_weight : array-like of shape (n_samples,), optional
            What multiplies the price of each sample's slack; zero leaves it out.

        Returns
        -------
        self
            The fitted estimator.
        """
        points = self._fit_matrix(X)
        weights = check_weights(sample_weight, len(points))
        labels = self._fit_signs(y, len(points), weights)
        rows, prices = self._prices(weights, len(points))
        used = self._keep_chosen(points, rows)
        shares = None if weights is None else scale_by_power_of_two(weights[rows])[0]
        self.bandwidth_ = self._check_kernel(used, shares)
        kernel, unit = kernel_rows(self._kernel(), used, self.cache_size)
        found = solve_kernel_svm(
            kernel, unit, labels, prices, tol=self.tol, max_steps=self.max_iter
        )
        certificate, alpha = found.certificate, labels * found.beta
        self._keep(
            len(points),
            rows,
            SolverReport(alpha, certificate.primal, certificate.dual, found.gaps, found.n_steps),
        )
        balance = abs(float(found.beta.sum()))
        self.kkt_residuals_ = residuals_at(certificate.margins, alpha, prices, balance)
        precomputed = self.kernel == "precomputed"
        self.support_vectors_ = np.empty((0, 0)) if precomputed else points[self.support_]
        beta = np.zeros(len(points))
        beta[rows] = found.beta
        self.dual_coef_ = beta[self.support_]
        # The scores of the linear kernel are those of centred points.
        linear = self.kernel == "linear"
        shift = float(weighted_mean(used) @ self._weights()) if linear else 0.0
        self.offset_interval_ = certificate.low - shift, certificate.high - shift
        self.intercept_ = 0.5 * (certificate.low + certificate.high) - shift
        self._warn_about_rounding(found)
        return self

    def _keep_chosen(self, points: Array, chosen: NDArray[np.intp]) -> Array:
        """Return the chosen samples: their rows, of a Gram matrix their columns too."""
        if self.kernel != "precomputed":
            return points[chosen]
        if points.shape[0] != points.shape[1]:
            raise ValueError(
                f"a precomputed kernel needs the square Gram matrix of the samples, got shape "
                f"{points.shape}."
            )
        return points[np.ix_(chosen, chosen)]

    def _check_kernel(self, points: Array, weights: Array | None) -> float:
        """Check the kernel against the points; return the bandwidth."""
        if self.kernel == "precomputed":
            check_gram(points)
        if callable(self.kernel):
            some = points[:200]
            check_gram(Kernel(self.kernel)(some, some))
        if self.bandwidth is not None:
            return float(self.bandwidth)
        centred = points - np.average(points.mean(axis=1), weights=weights)
        size = root_mean_square(centred)
        squares = float(np.average(((centred / size) ** 2).mean(axis=1), weights=weights))
        spread = size * math.sqrt(squares)
        between = float((np.average(centred, axis=0, weights=weights) / size).var())
        if between > MAX_SHARE_OF_MEANS * squares and (points != points[0]).any():
            warn_at_caller(
                "the default bandwidth is that of one variance of all features together, and more "
                f"than {MAX_SHARE_OF_MEANS:.1%} of it is how far their means are apart: to the "
                "kernel all samples are nearly equal. Subtract the means first, or give bandwidth."
            )
        # What is left of equal numbers is the rounding of their mean.
        equal = bool(is_constant(spread, np.abs(points).max()))
        return (1.0 if equal else spread) * math.sqrt(points.shape[1] / 2)

    def _kernel(self) -> Kernel:
        return Kernel(self.kernel, self.bandwidth_, self.degree, self.constant)

    def _warn_about_rounding(self, found: KernelSolution) -> None:
        """Warn if the rounding of the kernel alone may be more than the gap that was promised."""
        if found.uncertainty > self.tol:
            warn_at_caller(
                f"the kernel values, up to {found.largest:.1e}, differ so little between samples "
                f"that rounding may move the objective by {found.uncertainty:.1e} times itself, "
                f"above tol={self.tol:g}. Centre the features, or scale them.",
                ConvergenceWarning,
            )

    def _weights(self) -> Array:
        r"""Return :math:`\sum_i\alpha_iy_ix_i` for the linear kernel.

        The multipliers sum to zero, so that the points may be centred first.
        """
        vectors = self.support_vectors_
        return np.asarray(self.dual_coef_ @ (vectors - vectors.mean(axis=0)))

    def decision_function(self, X: ArrayLike) -> Array:
        r"""Return :math:`\sum_i\alpha_iy_ik(x_i,x)+\theta_0` for each sample.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples, or their kernel values with all training samples if the kernel is precomputed.

        Returns
        -------
        ndarray of shape (n_samples,)
            Positive where the second class is predicted.
        """
        points = self._use_matrix(X)
        if self.kernel == "linear":
            return np.asarray(points @ self._weights() + self.intercept_)
        scores = np.full(len(points), self.intercept_)
        kernel = self._kernel()
        for start in range(0, len(points), 1024):
            part = points[start : start + 1024]
            if self.kernel == "precomputed":
                values = part[:, self.support_]
            else:
                values = kernel(part, self.support_vectors_)
            scores[start : start + 1024] += values @ self.dual_coef_
        return scores
