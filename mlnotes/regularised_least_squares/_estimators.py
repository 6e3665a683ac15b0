"""Estimators of regularised least squares: ridge, lasso, its path, and greedy selection."""

from __future__ import annotations

from typing import ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlnotes._constraints import Boolean, Integer, Optional, Real
from mlnotes._laws import Laws
from mlnotes._numerics import scale_by_power_of_two
from mlnotes._solvers import penalised, sums_of_products
from mlnotes.base import LinearModel, Regressor
from mlnotes.exceptions import ConvergenceWarning, warn_at_caller
from mlnotes.regularised_least_squares._algorithms import nonnegative_omp
from mlnotes.regularised_least_squares._paths import follow
from mlnotes.validation import Array, check_target, check_weights, rows_that_count


class _PenalisedModel(LinearModel, Regressor):
    """A linear function of centred features, whose offset follows from the means."""

    _squares = True
    fit_intercept: bool

    def _read(
        self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None
    ) -> tuple[Array, Array, Array | None, int, int]:
        """Return samples, targets and weights over powers of two, and their exponents."""
        points, target, weights, unit = self._checked(self._fit_matrix(X), y, sample_weight)
        if weights is None:
            return points, target, None, unit, 0
        # An even exponent, whose half is that of the roots of the weights.
        shift = 2 * (int(np.frexp(weights.max())[1]) // 2)
        return points, target, np.ldexp(weights, -shift), unit, shift

    def _checked(
        self, points: Array, y: ArrayLike, sample_weight: ArrayLike | None
    ) -> tuple[Array, Array, Array | None, int]:
        target = check_target(y, len(points), owner=type(self).__name__)
        weights = check_weights(sample_weight, len(points))
        if weights is not None:
            kept = rows_that_count(weights, len(points))
            points, target, weights = points[kept], target[kept], weights[kept]
        scaled, unit = scale_by_power_of_two(target)
        return points, scaled, weights, unit

    def _priced(self, penalty: float, exponent: int) -> float:
        """Return a penalty in the unit of the weights and targets."""
        with np.errstate(over="ignore"):
            return float(min(np.ldexp(penalty, -exponent), 1e300))

    def _keep(self, theta: Array, mean: Array, level: float, unit: int) -> None:
        """Set the weights and the offset in the unit of the target."""
        with np.errstate(over="ignore"):
            coef = np.ldexp(theta, unit)
            offset = float(np.ldexp(level - theta @ mean, unit)) if self.fit_intercept else 0.0
        if not np.isfinite(coef).all():
            raise ValueError(
                "the weights exceed any float; multiply X, or divide y, by a power of ten."
            )
        self._set_weights(coef, offset)

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


class Ridge(_PenalisedModel):
    r"""Ridge regression: weights that are short, an offset that is free.

    The minimiser of
    :math:`\sum_iw_i(y_i-\langle\theta,x_i\rangle-\theta_0)^2+\lambda\lVert\theta\rVert^2`. One
    decomposition of the centred features answers for every penalty; see
    :func:`mlnotes.regularised_least_squares.ridge_path`, and the book's chapter on regularised
    least squares. Where features differ in length by orders of magnitude a decomposition would
    lose the short ones, and the normal equations are solved in units of each feature's own.

    Parameters
    ----------
    penalty : float
        :math:`\lambda`; with 0, the shortest weights of least squares.
    fit_intercept : bool
        Whether to learn an offset :math:`\theta_0`, which has no penalty.

    Attributes
    ----------
    coef_ : ndarray of shape (n_features,)
        The weights :math:`\theta`.
    intercept_ : float
        The offset :math:`\theta_0`.
    effective_parameters_ : float
        :math:`\sum_j\gamma_j^2/(\gamma_j^2+\lambda)` over the singular values of the centred
        features: how many weights the penalty leaves free.
    n_features_in_ : int
        The number of features seen in ``fit``.
    feature_names_in_ : ndarray of str
        Their names, if ``fit`` was given a data frame.

    Examples
    --------
    >>> model = Ridge(penalty=2.0).fit([[0.0], [2.0]], [1.0, 3.0])
    >>> model.coef_, model.intercept_, round(model.effective_parameters_, 12)
    (array([0.5]), 1.5, 0.5)
    """

    _constraints: ClassVar = {"penalty": Real(least=0), "fit_intercept": Boolean()}
    # A penalty is in the units of the features.
    _laws: ClassVar = Laws(
        "rows", "columns", "origin", "labels", grid={"penalty": [1.0, 10.0, 100.0]}
    )

    effective_parameters_: float
    _sums: sums_of_products.Sums | None = None

    def __init__(self, *, penalty: float = 1.0, fit_intercept: bool = True) -> None:
        self.penalty = penalty
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
        points, target, weights, unit, shift = self._read(X, y, sample_weight)
        intercept, penalty = bool(self.fit_intercept), self._priced(float(self.penalty), shift)
        self._sums = None
        found = penalised.spectrum(points, target, weights, intercept, penalty)
        self._shrink(found, penalty, unit)
        return self

    def _shrink(
        self, found: penalised.Spectrum | penalised.Equilibrated, penalty: float, unit: int
    ) -> None:
        """Set the weights for the penalty."""
        self._keep(found.weights(np.array([penalty]))[0], found.mean, found.level, unit)
        self.effective_parameters_ = found.effective(penalty)

    def partial_fit(
        self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> Self:
        """Fit to one more batch of samples, and to all batches since ``fit`` was called, if ever.

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
        sums = self._sums if self.__sklearn_is_fitted__() else None
        points = self._use_matrix(X) if sums is not None else self._fit_matrix(X)
        points, target, weights, unit = self._checked(points, y, sample_weight)
        if weights is not None and not 1e-150 < weights.max() < 1e150:
            raise ValueError(
                f"sample_weight is as large as {weights.max():g}, which sums over batches cannot "
                "hold; rescale all weights, and the penalty with them."
            )
        batch = sums_of_products.sums_of(points, np.ldexp(target, unit), weights)
        self._take(batch if sums is None else sums_of_products.together(sums, batch))
        return self

    def merge(self, other: Ridge) -> Self:
        """Take over what another estimator has learned from its batches.

        The result is that of a fit to all samples of both, with the penalty of this one.

        Parameters
        ----------
        other : Ridge
            Fitted by ``partial_fit`` or by merging, to the same features; it does not change.

        Returns
        -------
        self
            The fitted estimator.
        """
        if not isinstance(other, Ridge):
            raise TypeError(f"other must be a Ridge, got {other!r}.")
        self._check_fitted()
        other._check_fitted()
        if self.n_features_in_ != other.n_features_in_:
            raise ValueError(
                f"other has {other.n_features_in_} features, but {self.n_features_in_} are needed."
            )
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
        found = sums_of_products.spectrum(sums, bool(self.fit_intercept))
        self._shrink(found, float(self.penalty), 0)
        self._sums = sums


class Lasso(_PenalisedModel):
    r"""The lasso: many weights are exactly zero.

    The minimiser of
    :math:`\frac12\sum_iw_i(y_i-\langle\theta,x_i\rangle-\theta_0)^2+\lambda\lVert\theta\rVert_1`,
    by coordinate descent. It ends when the duality gap, which bounds how far the objective is from
    its least value, is small. See the book's chapter on regularised least squares.

    Parameters
    ----------
    penalty : float
        :math:`\lambda`, positive; from the greatest correlation of a centred feature with the
        target on, all weights are zero.
    fit_intercept : bool
        Whether to learn an offset :math:`\theta_0`, which has no penalty.
    positive : bool
        Whether no weight may be negative.
    tol : float
        Stop when the gap is at most this share of the objective at zero.
    max_iter : int
        The greatest number of sweeps over the coordinates.

    Attributes
    ----------
    coef_ : ndarray of shape (n_features,)
        The weights :math:`\theta`.
    intercept_ : float
        The offset :math:`\theta_0`.
    dual_gap_ : float
        The objective is no farther than this from its least value.
    objective_ : float
        Its value.
    n_iter_ : int
        The number of sweeps.
    n_features_in_ : int
        The number of features seen in ``fit``.
    feature_names_in_ : ndarray of str
        Their names, if ``fit`` was given a data frame.

    Examples
    --------
    >>> X = [[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]]
    >>> model = Lasso(penalty=1.0).fit(X, [3.0, -3.0, 0.2, -0.2])
    >>> model.coef_, model.intercept_
    (array([2.5, 0. ]), 0.0)
    """

    _constraints: ClassVar = {
        "penalty": Real(above=0, hint="use LeastSquares for none"),
        "fit_intercept": Boolean(),
        "positive": Boolean(),
        "tol": Real(above=0),
        "max_iter": Integer(1),
    }
    _laws: ClassVar = Laws(
        "rows",
        "columns",
        "origin",
        "labels",
        grid={"penalty": [1.0, 3.0]},
        unfinished={"max_iter": 1, "tol": 1e-300},
    )

    dual_gap_: float
    objective_: float
    n_iter_: int

    def __init__(
        self,
        *,
        penalty: float = 1.0,
        fit_intercept: bool = True,
        positive: bool = False,
        tol: float = 1e-10,
        max_iter: int = 10_000,
    ) -> None:
        self.penalty = penalty
        self.fit_intercept = fit_intercept
        self.positive = positive
        self.tol = tol
        self.max_iter = max_iter

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
        points, target, weights, unit, shift = self._read(X, y, sample_weight)
        n, d = points.shape
        penalty = self._priced(float(self.penalty), unit + shift)
        intercept, positive = bool(self.fit_intercept), bool(self.positive)
        tol, sweeps = float(self.tol), int(self.max_iter)
        if d <= max(n, penalised.MAX_GRAM_FEATURES):
            m = penalised.moments(points, target, weights, intercept)
            mean, level = m.mean, m.level
            found = penalised.lasso_from_products(
                m.gram, m.side, m.square, penalty, positive=positive, tol=tol, max_iter=sweeps
            )
        else:
            whole = penalised.centred(points, target, weights, intercept)
            mean, level = whole.mean, whole.level
            found = penalised.lasso_on_working_set(
                whole.points, whole.target, penalty, positive=positive, tol=tol, max_iter=sweeps
            )
        self._keep(found.theta, mean, level, unit)
        with np.errstate(over="ignore"):
            self.dual_gap_ = float(np.ldexp(found.gap, 2 * unit + shift))
            self.objective_ = float(np.ldexp(found.objective, 2 * unit + shift))
        self.n_iter_ = found.n_iter
        if not found.converged:
            warn_at_caller(
                f"Lasso made {found.n_iter} sweeps and its duality gap is {self.dual_gap_:.2g}; "
                "raise max_iter or tol.",
                ConvergenceWarning,
            )
        return self


class LARS(_PenalisedModel):
    r"""Least angle regression: the lasso for all penalties, from knot to knot.

    Between knots the weights are linear in the penalty; the knots are computed, not searched. See
    the book's chapter on regularised least squares.

    Parameters
    ----------
    penalty : float
        Where to stop: ``coef_`` are the weights for this :math:`\lambda`. With 0 the path ends at
        least squares.
    fit_intercept : bool
        Whether to learn an offset :math:`\theta_0`, which has no penalty.
    drop : bool
        Whether a weight that reaches zero leaves. Without this rule the path is not that of the
        lasso.

    Attributes
    ----------
    coef_ : ndarray of shape (n_features,)
        The weights :math:`\theta` at the end of the path.
    intercept_ : float
        The offset :math:`\theta_0` there.
    penalties_ : ndarray of shape (n_knots,)
        The penalties at the knots, decreasing.
    coefs_ : ndarray of shape (n_knots, n_features)
        The weights there.
    n_features_in_ : int
        The number of features seen in ``fit``.
    feature_names_in_ : ndarray of str
        Their names, if ``fit`` was given a data frame.

    Examples
    --------
    >>> X = [[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]]
    >>> model = LARS().fit(X, [3.0, -3.0, 1.0, -1.0])
    >>> model.penalties_, model.coefs_.round(12).tolist()
    (array([6., 2., 0.]), [[0.0, 0.0], [2.0, 0.0], [3.0, 1.0]])
    """

    _constraints: ClassVar = {
        "penalty": Real(least=0),
        "fit_intercept": Boolean(),
        "drop": Boolean(),
    }
    _laws: ClassVar = Laws(
        "rows", "columns", "unit", "origin", "labels", grid={"penalty": [0.0, 3.0]}
    )

    penalties_: Array
    coefs_: Array

    def __init__(
        self, *, penalty: float = 0.0, fit_intercept: bool = True, drop: bool = True
    ) -> None:
        self.penalty = penalty
        self.fit_intercept = fit_intercept
        self.drop = drop

    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Follow the path.

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
        points, target, weights, unit, shift = self._read(X, y, sample_weight)
        last = self._priced(float(self.penalty), unit + shift)
        path = follow(points, target, weights, bool(self.fit_intercept), bool(self.drop), last)
        with np.errstate(over="ignore"):
            self.penalties_ = np.ldexp(path.penalties, unit + shift)
            self.coefs_ = np.ldexp(path.coefs, unit)
            offset = float(np.ldexp(path.intercepts[-1], unit))
        if not np.isfinite(self.coefs_).all():
            raise ValueError(
                "the weights exceed any float; multiply X, or divide y, by a power of ten."
            )
        self._set_weights(self.coefs_[-1].copy(), offset if self.fit_intercept else 0.0)
        return self


class OrthogonalMatchingPursuit(_PenalisedModel):
    r"""Orthogonal matching pursuit: the feature at the least angle to the residual enters next.

    After each step the weights of all features chosen so far are those of least squares; see the
    book's chapter on regularised least squares.

    Parameters
    ----------
    n_nonzero : int, optional
        How many features to choose; a tenth of them if not given, and at least five.
    fit_intercept : bool
        Whether to learn an offset :math:`\theta_0`.

    Attributes
    ----------
    coef_ : ndarray of shape (n_features,)
        The weights :math:`\theta`, zero for all that were not chosen.
    intercept_ : float
        The offset :math:`\theta_0`.
    support_ : ndarray of int
        The features in the order in which they were chosen; fewer than asked for if the residual
        vanishes, up to rounding, or is orthogonal to all others.
    n_features_in_ : int
        The number of features seen in ``fit``.
    feature_names_in_ : ndarray of str
        Their names, if ``fit`` was given a data frame.

    Examples
    --------
    >>> X = [[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]]
    >>> model = OrthogonalMatchingPursuit(n_nonzero=1).fit(X, [3.0, -3.0, 1.0, -1.0])
    >>> model.support_, model.coef_
    (array([0]), array([3., 0.]))
    """

    _constraints: ClassVar = {"n_nonzero": Optional(Integer(1)), "fit_intercept": Boolean()}
    _laws: ClassVar = Laws(
        "rows", "columns", "unit", "origin", "labels", grid={"n_nonzero": [1, 2]}
    )

    _from_products: ClassVar = True
    support_: NDArray[np.intp]

    def __init__(self, *, n_nonzero: int | None = None, fit_intercept: bool = True) -> None:
        self.n_nonzero = n_nonzero
        self.fit_intercept = fit_intercept

    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Choose the features and fit their weights.

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
        points, target, weights, unit, _ = self._read(X, y, sample_weight)
        d = points.shape[1]
        wanted = max(5, d // 10) if self.n_nonzero is None else int(self.n_nonzero)
        if self._from_products and len(points) > d:
            m = penalised.moments(points, target, weights, bool(self.fit_intercept))
            quickly = penalised.pursue_from_products(m, min(wanted, d))
            if quickly is not None:
                self.support_, theta = quickly
                self._keep(theta, m.mean, m.level, unit)
                return self
        whole = penalised.centred(points, target, weights, bool(self.fit_intercept))
        # In a unit of its own each column is safe from overflow; a power of two changes no digit.
        exponents = np.frexp(np.abs(whole.points).max(axis=0))[1]
        scaled = np.ldexp(whole.points, -exponents)
        self.support_, theta = self._choose(scaled, whole.target, min(wanted, d))
        self._keep(np.ldexp(theta, -exponents), whole.mean, whole.level, unit)
        return self

    def _choose(self, X: Array, y: Array, most: int) -> tuple[NDArray[np.intp], Array]:
        return penalised.pursue(X, y, most)


class NonNegativeOMP(OrthogonalMatchingPursuit):
    r"""Matching pursuit with weights that are not negative.

    Only a feature with a positive inner product with the residual may enter, and the weights after
    each step are those of nonnegative least squares; see the book's chapter on regularised least
    squares.

    Parameters
    ----------
    n_nonzero : int, optional
        How many features to choose; a tenth of them if not given, and at least five.
    fit_intercept : bool
        Whether to learn an offset :math:`\theta_0`, which may have any sign.

    Attributes
    ----------
    coef_ : ndarray of shape (n_features,)
        The weights :math:`\theta`; none is negative.
    intercept_ : float
        The offset :math:`\theta_0`.
    support_ : ndarray of int
        The features in the order in which they were chosen; the weights of some may have returned
        to zero.
    n_features_in_ : int
        The number of features seen in ``fit``.
    feature_names_in_ : ndarray of str
        Their names, if ``fit`` was given a data frame.

    Examples
    --------
    >>> X = [[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]]
    >>> NonNegativeOMP().fit(X, [-3.0, 3.0, 1.0, -1.0]).coef_
    array([0., 1.])
    """

    _from_products: ClassVar = False
    # Where a weight may not be negative, the labels are not alike.
    _laws: ClassVar = Laws("rows", "columns", "unit", "origin", grid={"n_nonzero": [1, 2]})

    def _choose(self, X: Array, y: Array, most: int) -> tuple[NDArray[np.intp], Array]:
        return nonnegative_omp(X, y, most)
