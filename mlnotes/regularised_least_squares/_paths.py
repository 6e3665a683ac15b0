"""All penalties at once: the path of ridge from one decomposition, that of the lasso by knots."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from mlnotes._numerics import norm, scale_by_power_of_two
from mlnotes._solvers import lars as lars_solver
from mlnotes._solvers import penalised
from mlnotes.exceptions import ConvergenceWarning, warn_at_caller
from mlnotes.validation import (
    Array,
    check_flag,
    check_matrix,
    check_numbers,
    check_scalar,
    check_target,
    check_weights,
)


class RidgePath(NamedTuple):
    """Ridge regression for several penalties.

    Attributes
    ----------
    penalties : ndarray of shape (k,)
        As they were given.
    coefs : ndarray of shape (k, d)
        The weights, a row for each penalty.
    intercepts : ndarray of shape (k,)
        The offsets.

    Examples
    --------
    >>> ridge_path([[0.0], [2.0]], [1.0, 3.0], [0.0, 2.0]).intercepts
    array([1. , 1.5])
    """

    penalties: Array
    coefs: Array
    intercepts: Array


def ridge_path(
    X: ArrayLike,
    y: ArrayLike,
    penalties: ArrayLike,
    *,
    fit_intercept: bool = True,
    sample_weight: ArrayLike | None = None,
) -> RidgePath:
    r"""Minimise the ridge objective for many penalties after one decomposition of the features.

    Parameters
    ----------
    X : array-like of shape (n, d)
        Points.
    y : array-like of shape (n,)
        Targets.
    penalties : array-like of shape (k,)
        Each :math:`\lambda`, at least 0.
    fit_intercept : bool
        Whether to learn an offset, which has no penalty.
    sample_weight : array-like of shape (n,), optional
        The weight of each squared residual.

    Returns
    -------
    RidgePath
        A row for each penalty.

    Examples
    --------
    >>> ridge_path([[0.0], [2.0]], [1.0, 3.0], [0.0, 2.0]).coefs
    array([[1. ],
           [0.5]])
    """
    points = check_matrix(X, squares=True)
    target = check_target(y, len(points))
    damping = check_numbers(penalties, "penalties", least=0)
    if damping.ndim != 1 or not len(damping):
        raise ValueError(f"penalties must be a list of numbers, got the shape {damping.shape}.")
    flag, weights = (
        check_flag(fit_intercept, "fit_intercept"),
        check_weights(sample_weight, len(points)),
    )
    scaled, unit = scale_by_power_of_two(target)
    found = penalised.spectrum(points, scaled, weights, flag, float(damping.min()))
    coefs = found.weights(damping)
    return RidgePath(
        damping, np.ldexp(coefs, unit), np.ldexp(found.level - coefs @ found.mean, unit)
    )


class LassoPath(NamedTuple):
    """The lasso for all penalties: its knots, between which the weights are linear.

    Attributes
    ----------
    penalties : ndarray of shape (k,)
        Decreasing; from the first on all weights are zero.
    coefs : ndarray of shape (k, d)
        The weights at the knots.
    intercepts : ndarray of shape (k,)
        The offsets there.

    Examples
    --------
    >>> path = lasso_path([[0.0], [2.0], [4.0]], [1.0, 3.0, 5.0])
    >>> path.at(4.0)
    (array([0.5]), 2.0)
    """

    penalties: Array
    coefs: Array
    intercepts: Array

    def at(self, penalty: float) -> tuple[Array, float]:
        """Return the weights and the offset for a penalty, interpolated between two knots.

        Parameters
        ----------
        penalty : float
            Not below the last knot, which is at 0 unless the path was broken off.

        Returns
        -------
        coef : ndarray of shape (d,)
            The weights.
        intercept : float
            The offset.
        """
        value = check_scalar(penalty, "penalty", least=0)
        last = float(self.penalties[-1])
        if value < last:
            raise ValueError(f"penalty must be at least {last:g}, where the path was broken off.")
        if value >= self.penalties[0]:
            return self.coefs[0].copy(), float(self.intercepts[0])
        k = int(np.searchsorted(-self.penalties, -value, side="right"))
        k = min(k, len(self.penalties) - 1)
        high, low = float(self.penalties[k - 1]), float(self.penalties[k])
        share = (high - value) / (high - low) if high > low else 1.0
        coef = (1 - share) * self.coefs[k - 1] + share * self.coefs[k]
        offset = (1 - share) * self.intercepts[k - 1] + share * self.intercepts[k]
        return np.asarray(coef), float(offset)


def lasso_path(
    X: ArrayLike,
    y: ArrayLike,
    *,
    fit_intercept: bool = True,
    sample_weight: ArrayLike | None = None,
    drop: bool = True,
    last: float = 0.0,
) -> LassoPath:
    r"""Find all minimisers of ½‖y - Xθ - θ₀‖² + λ‖θ‖₁, for every λ from the greatest one down.

    Parameters
    ----------
    X : array-like of shape (n, d)
        Points. Of columns that depend on each other only some ever get a weight.
    y : array-like of shape (n,)
        Targets.
    fit_intercept : bool
        Whether to learn an offset, which has no penalty.
    sample_weight : array-like of shape (n,), optional
        The weight of each squared residual.
    drop : bool
        Without the drop rule the path is that of least angle regression.
    last : float
        The penalty at which to stop.

    Returns
    -------
    LassoPath
        The knots.

    Examples
    --------
    >>> path = lasso_path([[0.0], [2.0], [4.0]], [1.0, 3.0, 5.0])
    >>> path.penalties, path.coefs.ravel(), path.intercepts
    (array([8., 0.]), array([0., 1.]), array([3., 1.]))
    """
    points = check_matrix(X, squares=True)
    target = check_target(y, len(points))
    flags = check_flag(fit_intercept, "fit_intercept"), check_flag(drop, "drop")
    weights = check_weights(sample_weight, len(points))
    return follow(points, target, weights, flags[0], flags[1], check_scalar(last, "last", least=0))


def follow(
    points: Array,
    target: Array,
    weights: Array | None,
    intercept: bool,
    drop: bool,
    last: float,
) -> LassoPath:
    """Return the knots for data that have been checked."""
    n, d = points.shape
    scaled, unit = scale_by_power_of_two(target)
    least = float(np.ldexp(last, -unit))
    if d <= max(n, penalised.MAX_GRAM_FEATURES):
        found = penalised.moments(points, scaled, weights, intercept)
        gram, squares = found.gram, found.gram.diagonal()
        mean, level = found.mean, found.level
        knots = lars_solver.follow(
            found.side,
            gram=gram,
            squares=squares,
            length=float(np.sqrt(max(found.square, 0.0))),
            most=min(n, d),
            drop=drop,
            last=least,
        )
    else:
        whole = penalised.centred(points, scaled, weights, intercept)
        mean, level = whole.mean, whole.level
        knots = lars_solver.follow(
            whole.points.T @ whole.target,
            X=whole.points,
            squares=(whole.points**2).sum(axis=0),
            length=norm(whole.target),
            most=n,
            drop=drop,
            last=least,
        )
    if not knots.complete:
        warn_at_caller(
            f"The path has more than {len(knots.penalties)} knots and was broken off.",
            ConvergenceWarning,
        )
    if len(knots.lost):
        warn_at_caller(
            f"The path ends before feature {knots.lost[0]} enters: it is so much shorter than "
            "others that rounding hides its knots. Bring all features to one scale.",
            ConvergenceWarning,
        )
    return LassoPath(
        np.ldexp(knots.penalties, unit),
        np.ldexp(knots.coefs, unit),
        np.ldexp(level - knots.coefs @ mean, unit),
    )
