"""The estimator of least squares: certified, weighted, in one piece or in batches."""

from __future__ import annotations

from typing import ClassVar, Self

from numpy.typing import ArrayLike

from mlnotes._constraints import Boolean
from mlnotes._laws import Laws
from mlnotes._numerics import scale_by_power_of_two
from mlnotes._solvers import least_squares as solver
from mlnotes.base import LinearModel, Regressor
from mlnotes.validation import Array, check_target, check_weights, rows_that_count


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

    _constraints: ClassVar = {"fit_intercept": Boolean()}
    _laws: ClassVar = Laws(
        "rows", "columns", "unit", "origin", "labels", grid={"fit_intercept": [True, False]}
    )

    coef_error_bound_: Array
    intercept_error_bound_: float
    rank_: int
    condition_number_: float

    def __init__(self, *, fit_intercept: bool = True) -> None:
        self.fit_intercept = fit_intercept

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
        points = self._fit_matrix(X)
        target = check_target(y, len(points), owner=type(self).__name__)
        weights = check_weights(sample_weight, len(points))
        if weights is not None:
            kept = rows_that_count(weights, len(points))
            points, target = points[kept], target[kept]
            weights, _ = scale_by_power_of_two(weights[kept])
        found = solver.solve(points, target, weights, bool(self.fit_intercept))
        for name, value in found._asdict().items():
            setattr(self, name, value)
        return self

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
