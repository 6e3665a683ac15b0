"""The estimator of least squares: certified, weighted, in one piece or in batches."""

from __future__ import annotations

import math
from typing import ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from mlnotes._constraints import Boolean, Integer, OneOf, Real
from mlnotes._laws import Laws
from mlnotes._numerics import is_constant, norm, scale_by_power_of_two, weighted_mean
from mlnotes._solvers import least_squares as solver
from mlnotes._solvers import sums_of_products
from mlnotes.base import LinearModel, Regressor
from mlnotes.exceptions import ConvergenceWarning, warn_at_caller
from mlnotes.gradient_descent import gradient_descent
from mlnotes.least_squares._algorithms import (
    back_substitution,
    gauss_seidel,
    householder_qr,
    lsqr,
    solve_normal_equations,
    svd_least_squares,
)
from mlnotes.validation import Array, check_target, check_weights, rows_that_count

# The algorithms of the chapter among which a user may choose.
ITERATIVE = ("lsqr", "gauss-seidel", "gradient-descent")
DIRECT = ("cholesky", "householder", "svd")


def check_same_features(first: LinearModel, second: LinearModel) -> None:
    """Raise an error unless two fitted models know the same features."""
    if first.n_features_in_ != second.n_features_in_:
        raise ValueError(
            f"other has {second.n_features_in_} features, but {first.n_features_in_} are needed."
        )


class LeastSquares(LinearModel, Regressor):
    r"""Ordinary and weighted least squares with a certified error.

    The minimiser of :math:`\sum_iw_i(y_i-\langle\theta,x_i\rangle-\theta_0)^2`, a solution of the
    normal equations (``thm-normal-equations``). There is only one if the features are independent
    (``cor-least-squares-unique``); of several, as with fewer samples than features, it is the one
    with the shortest :math:`\theta`. See the book's chapter on least squares.

    Parameters
    ----------
    fit_intercept : bool
        Whether to learn an offset :math:`\theta_0`.
    solver : str
        The way to the solution. ``"certified"`` is meant for use: fast, accurate, with a bound on
        its error. The others are the algorithms that the chapter explains, on centred data:
        ``"cholesky"``, ``"householder"``, ``"svd"``, ``"lsqr"``, ``"gauss-seidel"`` and
        ``"gradient-descent"``, with the greatest safe rate.
    max_iter : int
        The greatest number of steps of the last three.
    tol : float
        These have converged when no entry of :math:`X^\top(y-X\theta)` is above this share of the
        product of the lengths of its column and of y.

    Attributes
    ----------
    coef_ : ndarray of shape (n_features,)
        The weights :math:`\theta`.
    intercept_ : float
        The offset :math:`\theta_0`.
    coef_error_bound_ : ndarray of shape (n_features,)
        No entry of ``coef_`` is farther than this from the exact solution for the data given, as
        the rational numbers that they are. Infinite if the rank is not full, because no
        floating-point computation can tell a vanishing singular value from a tiny one, or if the
        condition number is too large (above about 1e13) to promise anything.
    intercept_error_bound_ : float
        The same for ``intercept_``.
    rank_ : int
        The numerical rank of the centred features, scaled by powers of two to about unit size.
        Features that do not vary have weight 0 and are left out, here and in the next line.
    condition_number_ : float
        The condition number of the same matrix; infinite if its columns are dependent.
    residual_norm_ : float
        The root of :math:`\sum_iw_ir_i^2` for the residuals r.
    in_sample_error_ : float
        Their weighted mean square.
    noise_variance_ : float
        The unbiased estimate :math:`\hat\sigma^2=\sum_iw_ir_i^2/(n-p)` of the variance of the
        noise, for p = rank (and one for the intercept) parameters and n samples, or the sum of the
        weights; NaN if n is not above p.
    test_error_estimate_ : float
        :math:`\hat\sigma^2(1+p/n)`: the mean squared error to be expected on new targets at the
        same inputs (``thm-fixed-design-test-error``).
    covariance_ : ndarray of shape (n_features + 1, n_features + 1)
        The estimate :math:`\hat\sigma^2(X^\top X)^{-1}` of the covariance of the weights and, last,
        of the intercept if there is one; NaN if the rank is not full. A feature that does not vary
        has a weight of 0 without variance.
    n_iter_ : int
        Steps taken by an iterative solver; 1 for the others.
    n_features_in_ : int
        The number of features seen in ``fit``.
    feature_names_in_ : ndarray of str
        Their names, if ``fit`` was given a data frame.

    Notes
    -----
    The factor R of a QR factorisation of the table of ones and features gives a first solution; its
    first step, orthogonal to the column of ones, is what centres the features. That solution has an
    error of about the condition number times the roundoff, or times its square if the residuals are
    large. The normal equations :math:`G\theta=c` are set up in doubled precision, where squaring
    the condition number does no harm, and R serves to refine:
    :math:`\theta\leftarrow\theta+R^{-1}R^{-\top}(c-G\theta)`. (While the condition number is below
    1e4, R comes from Cholesky's factorisation :math:`G=R^\top R` instead of reflections.) The
    samples pass through in blocks; nothing as large as the data is copied.

    *Why the bound always holds.* Let :math:`\hat\theta` be what refinement ends with (a pair of
    floats for each parameter), :math:`g=c-G\hat\theta` with the exact G and c, and V any matrix at
    all; ours is the computed inverse of R. If :math:`\delta=\lVert V^\top GV-I\rVert<1`, then
    :math:`V^\top GV` is positive definite, so V and G are nonsingular, and for the exact solution
    :math:`\theta=G^{-1}c`

    .. math:: \theta-\hat\theta=G^{-1}g=V\,(V^\top GV)^{-1}\,V^\top g .

    The eigenvalues of the matrix in the middle are at least :math:`1-\delta` before inversion. So
    any linear function :math:`\ell` of the error satisfies

    .. math:: |\langle\ell,\theta-\hat\theta\rangle|\le
              \lVert V^\top\ell\rVert\,\frac{\lVert V^\top g\rVert}{1-\delta} ,

    by Cauchy and Schwarz. Nothing is assumed about the quality of R; a bad R only makes
    :math:`\delta` or :math:`g` large. :math:`\delta` and :math:`g` are computed in doubled
    precision, and the bounds on the errors of that computation are added to them. The bound is
    then enlarged by what rounding each pair of :math:`\hat\theta` to one float changes.

    Examples
    --------
    >>> model = LeastSquares().fit([[0.0], [1.0], [2.0]], [1.0, 2.0, 4.0])
    >>> model.coef_, model.intercept_
    (array([1.5]), 0.8333333333333334)
    >>> bool(abs(model.intercept_ - 5 / 6) <= model.intercept_error_bound_)
    True
    """

    _constraints: ClassVar = {
        "fit_intercept": Boolean(),
        "solver": OneOf("certified", *ITERATIVE, *DIRECT),
        "max_iter": Integer(1),
        "tol": Real(above=0),
    }
    _laws: ClassVar = Laws(
        "rows",
        "columns",
        "unit",
        "origin",
        "labels",
        grid={"fit_intercept": [True, False]},
        unfinished={"solver": "gradient-descent", "max_iter": 1},
    )

    coef_error_bound_: Array
    intercept_error_bound_: float
    rank_: int
    condition_number_: float
    residual_norm_: float
    in_sample_error_: float
    noise_variance_: float
    test_error_estimate_: float
    covariance_: Array
    n_iter_: int
    _sums: sums_of_products.Sums | None = None

    def __init__(
        self,
        *,
        fit_intercept: bool = True,
        solver: str = "certified",
        max_iter: int = 1000,
        tol: float = 1e-10,
    ) -> None:
        self.fit_intercept = fit_intercept
        self.solver = solver
        self.max_iter = max_iter
        self.tol = tol

    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Find the minimiser.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples.
        y : array-like of shape (n_samples,)
            Their targets.
        sample_weight : array-like of shape (n_samples,), optional
            The weight of each squared residual; an integer weight is that many copies, and a
            sample of weight zero is left out.

        Returns
        -------
        self
            The fitted estimator.
        """
        points, target, weights, unit = self._read(self._fit_matrix(X), y, sample_weight)
        total = float(len(points) if weights is None else weights.sum())
        found = solver.solve(points, target, weights, bool(self.fit_intercept))
        self._sums = None
        self._keep(found, total, unit)
        if self.solver != "certified":
            self._solve_as_taught(points, target, weights, found)
        return self

    def _read(
        self, points: Array, y: ArrayLike, sample_weight: ArrayLike | None
    ) -> tuple[Array, Array, Array | None, int]:
        """Return the samples that count, and their weights over a power of two."""
        target = check_target(y, len(points), owner=type(self).__name__)
        weights = check_weights(sample_weight, len(points))
        if weights is None:
            return points, target, None, 0
        kept = rows_that_count(weights, len(points))
        weights, unit = scale_by_power_of_two(weights[kept])
        return points[kept], target[kept], weights, unit

    def _keep(self, found: solver.Solution, total: float, unit: int) -> None:
        """Set what was learned, for a sum of the weights in units of ``2**unit``."""
        self._set_weights(found.coef, found.intercept)
        self.coef_error_bound_ = found.coef_error_bound
        self.intercept_error_bound_ = found.intercept_error_bound
        self.rank_, self.condition_number_ = found.rank, found.condition_number
        self.n_iter_ = 1
        self._inverse = found.root, found.offset, found.centre, unit
        self._keep_errors(found.residual_norm, total, unit)

    def _keep_errors(self, length: float, total: float, unit: int) -> None:
        """Set the errors, from the length of the residuals and the sum of the weights."""
        root = self._inverse[0]
        p = self.rank_ + bool(self.fit_intercept)
        with np.errstate(over="ignore", invalid="ignore"):
            n = float(np.ldexp(total, unit))
            square = float(np.square(length))  # still in units of the weights
            self.residual_norm_ = length * 2.0 ** (unit / 2)
            self.in_sample_error_ = square / total
            free = total - float(np.ldexp(p, -unit))
            self.noise_variance_ = square / free if free > 0 and n > p else math.nan
            self.test_error_estimate_ = self.noise_variance_ * (1 + p / n)
            known = math.isfinite(self.condition_number_)
            variance = float(np.ldexp(self.noise_variance_, -unit)) if known else math.nan
            spread = root * math.sqrt(variance) if variance >= 0 else np.full_like(root, math.nan)
            self.covariance_ = spread @ spread.T
        if not (known or root.shape[1]):
            self.covariance_ = np.full((len(root), len(root)), math.nan)

    def _solve_as_taught(
        self, points: Array, target: Array, weights: Array | None, best: solver.Solution
    ) -> None:
        """Replace the certified weights by those of an algorithm of the chapter."""
        n, d = points.shape
        mean, level = np.zeros(d), 0.0
        if self.fit_intercept:
            mean = weighted_mean(points, weights)
            level = float(weighted_mean(target[:, None], weights)[0])
        X, y = points - mean, target - level
        varies = ~is_constant(np.abs(X).max(axis=0), np.abs(mean))
        if weights is not None:
            X, y = X * np.sqrt(weights)[:, None], y * np.sqrt(weights)
        X, first = scale_by_power_of_two(X[:, varies]) if varies.any() else (X[:, varies], 0)
        y, second = scale_by_power_of_two(y)
        coef = np.zeros(d)
        if varies.any():
            coef[varies] = np.ldexp(self._theta(X, y), second - first)
        intercept = float(level - mean @ coef) if self.fit_intercept else 0.0
        self._set_weights(coef, intercept)
        self.coef_error_bound_ = np.full(d, math.inf)
        self.intercept_error_bound_ = math.inf
        residuals = y - X @ np.ldexp(coef[varies], first - second)
        total, unit = float(n if weights is None else weights.sum()), self._inverse[3]
        self._keep_errors(float(np.ldexp(norm(residuals), second)), total, unit)

    def _theta(self, X: Array, y: Array) -> Array:
        """Solve with the algorithm asked for; the features are centred and vary."""
        d = X.shape[1]
        if self.solver == "svd":
            return svd_least_squares(X, y)
        if self.solver == "cholesky":
            return solve_normal_equations(X, y)
        if self.solver == "householder":
            if self.rank_ < d:
                raise ValueError("the features in X are dependent, up to rounding.")
            R, z = householder_qr(X, y)
            return back_substitution(R, z[:d])
        G, c, steps = X.T @ X, X.T @ y, int(self.max_iter)
        if self.solver == "lsqr":
            path = lsqr(X, y, steps)
        elif self.solver == "gauss-seidel":
            path = gauss_seidel(X, y, steps)
        else:
            rate = 1 / float(np.linalg.eigvalsh(G)[-1])
            path = gradient_descent(lambda theta: G @ theta - c, np.zeros(d), rate, steps)
        lengths = np.sqrt(G.diagonal()) * norm(y)
        # G and c hold as many digits as this asks for; the path ends where it may.
        done = (np.abs(path @ G - c) <= float(self.tol) * lengths).all(axis=1)
        last = int(done.argmax()) if done.any() else len(path) - 1
        self.n_iter_ = max(last, 1)
        if not done.any():
            warn_at_caller(
                f"LeastSquares made {self.n_iter_} steps of {self.solver} and has not converged; "
                "raise max_iter or tol, or choose another solver.",
                ConvergenceWarning,
            )
        return np.asarray(path[last])

    def partial_fit(
        self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> Self:
        """Fit to one more batch of samples, and to all batches since ``fit`` was called, if ever.

        The sums of products that are kept are exact far beyond a float: the result is certified as
        that of ``fit`` is, whatever the batches and their order. Only where a feature lies farther
        from zero than about a million million times its spread do the bounds become infinite.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples.
        y : array-like of shape (n_samples,)
            Their targets.
        sample_weight : array-like of shape (n_samples,), optional
            The weight of each squared residual.

        Returns
        -------
        self
            The fitted estimator.
        """
        if self.solver != "certified":
            raise ValueError(f"solver must be 'certified' in partial_fit, got {self.solver!r}.")
        sums = self._sums if self.__sklearn_is_fitted__() else None
        read = self._use_matrix(X) if sums is not None else self._fit_matrix(X)
        points, target, weights, unit = self._read(read, y, sample_weight)
        batch = sums_of_products.sums_of(points, target, weights)
        batch = batch._replace(unit=batch.unit + unit)
        self._take(batch if sums is None else sums_of_products.together(sums, batch))
        return self

    def merge(self, other: LeastSquares) -> Self:
        """Take over what another estimator has learned from its batches.

        The result is that of a fit to all samples of both.

        Parameters
        ----------
        other : LeastSquares
            Fitted by ``partial_fit`` or by merging, to the same features; it does not change.

        Returns
        -------
        self
            The fitted estimator.
        """
        if not isinstance(other, LeastSquares):
            raise TypeError(f"other must be a LeastSquares, got {other!r}.")
        self._check_fitted()
        other._check_fitted()
        check_same_features(self, other)
        self._take(sums_of_products.together(self._sums_so_far(), other._sums_so_far()))
        return self

    def _sums_so_far(self) -> sums_of_products.Sums:
        self._check_fitted()
        if self._sums is None:
            raise ValueError(
                "other and the model itself must have been fitted by partial_fit: fit keeps no "
                "sums, to which others could be added."
            )
        return self._sums

    def _take(self, sums: sums_of_products.Sums) -> None:
        """Set what all batches together say."""
        found = sums_of_products.solve(sums, bool(self.fit_intercept))
        self._sums = sums
        self._keep(found, sums.total, sums.unit)

    def leverage(self, X: ArrayLike, sample_weight: ArrayLike | None = None) -> Array:
        r"""Return how much each prediction would hang on a target at that sample.

        For the samples of the fit these are the diagonal entries :math:`h_{ii}` of the hat matrix;
        their sum is the number of parameters.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples.
        sample_weight : array-like of shape (n_samples,), optional
            The weights with which they were fitted.

        Returns
        -------
        ndarray of shape (n_samples,)
            :math:`w\,\tilde x^\top(\tilde X^\top W\tilde X)^{-1}\tilde x`, with
            :math:`\tilde x=(x,1)`.
        """
        points = self._use_matrix(X)
        weights = check_weights(sample_weight, len(points))
        root, offset, centre, unit = self._inverse
        rows = (points - centre) @ root[: self.n_features_in_] + offset
        squares = np.einsum("ij,ij->i", rows, rows)
        return np.asarray(squares if weights is None else squares * np.ldexp(weights, -unit))

    def predict(self, X: ArrayLike) -> Array:
        r"""Return :math:`\langle\theta,x\rangle+\theta_0` for each sample.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples.

        Returns
        -------
        ndarray of shape (n_samples,)
            The predicted targets.
        """
        return self._linear_function(X)
