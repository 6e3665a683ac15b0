"""Linear support vector machines: by Newton's method, and one sample at a time."""

from __future__ import annotations

import math
from abc import abstractmethod
from typing import ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from mlnotes._constraints import Boolean, Integer, RandomState, Real
from mlnotes._laws import Laws
from mlnotes._numerics import norm
from mlnotes._solvers.linear_svm import solve_linear_svm
from mlnotes._solvers.sample_by_sample import (
    Passes,
    ascend_dual,
    descend_subgradients,
    penalised_values,
)
from mlnotes.base import LinearClassifier
from mlnotes.perceptron import is_linearly_separable
from mlnotes.support_vector_machines._base import MAX_C, MIN_C, BaseSVM, SolverReport
from mlnotes.support_vector_machines._mathematics import residuals_at
from mlnotes.validation import Array, check_random_state, check_weights


class _HyperplaneSVM(LinearClassifier, BaseSVM):
    """A support vector machine that predicts by a hyperplane."""

    _squares = True

    fit_intercept: bool

    margin_: float

    def _set_plane(self, theta: Array, offset: float) -> None:
        length = norm(theta)
        self._set_weights(theta, offset)
        self.margin_ = 1.0 / length if length > 0 else math.inf


class LinearSVM(_HyperplaneSVM):
    r"""The linear support vector machine, by Newton's method on its perturbed KKT conditions.

    It minimises :math:`\frac12\lVert\theta\rVert^2+C\sum_i\max(0,1-y_i(\langle\theta,x_i\rangle+
    \theta_0))`; the offset is not penalised, so that moving all points moves the hyperplane with
    them. An interior-point method follows the solutions of
    :math:`\alpha_i(y_if(x_i)-1+\xi_i)=\mu=(C-\alpha_i)\xi_i` as :math:`\mu` goes to zero; each step
    solves one system of the size of :math:`\theta`. It stops when the duality gap is below ``tol``
    times the objective. See the chapter :doc:`/book/support_vector_machines`.

    The weights are unique (``thm-svm-unique-weights``), the offset need not be:
    ``offset_interval_`` holds all optimal ones, ``intercept_`` is its middle. With ``C=inf`` the
    margin is hard; data that no hyperplane separates are then refused.

    Parameters
    ----------
    C : float
        The price of slack, from 1e-150 to 1e150; infinite for the hard margin.
    fit_intercept : bool
        Whether the hyperplane may miss the origin.
    tol : float
        The duality gap to reach, relative to the objective.
    max_iter : int
        The greatest number of Newton steps.

    Attributes
    ----------
    coef_ : ndarray of shape (n_features,)
        The weights :math:`\theta`.
    intercept_ : float
        The offset :math:`\theta_0`.
    offset_interval_ : tuple of float
        The least and the greatest offset that are optimal for these weights.
    margin_ : float
        :math:`1/\lVert\theta\rVert`, half the width of the margin; infinite if the weights vanish.
    alpha_ : ndarray of shape (n_samples,)
        The multipliers, between 0 and C.
    support_ : ndarray of int
        The rows with a positive multiplier.
    objective_, dual_objective_ : float
        The primal and the dual value: the optimum is between them.
    dual_gap_ : float
        Their difference.
    gaps_ : ndarray of shape (n_iter_,)
        The relative gap at each step.
    kkt_residuals_ : KKTResiduals
        By how much the optimality conditions are missed, in the units of the data.
    n_iter_ : int
        Newton steps.
    classes_ : ndarray of shape (2,)
        The labels, the negative one first.
    n_features_in_ : int
        The number of features seen in ``fit``.
    feature_names_in_ : ndarray of str
        Their names, if ``fit`` was given a data frame.

    Examples
    --------
    >>> X = [[1.0, 0.0], [2.0, 1.0], [-1.0, 0.0], [-2.0, -1.0]]
    >>> model = LinearSVM(C=10.0).fit(X, [1, 1, -1, -1])
    >>> model.coef_.round(6) + 0.0, round(model.objective_, 6)
    (array([1., 0.]), 0.5)
    >>> model.support_
    array([0, 2])
    """

    _constraints: ClassVar = {
        "C": Real(least=MIN_C, most=MAX_C, infinite=True),
        "fit_intercept": Boolean(),
        "tol": Real(above=0),
        "max_iter": Integer(1),
    }
    # A price of slack is in the units of the features.
    _laws: ClassVar = Laws(
        "rows",
        "columns",
        "origin",
        "labels",
        grid={"fit_intercept": [True, False]},
        unfinished={"max_iter": 1},
    )

    offset_interval_: tuple[float, float]

    def __init__(
        self,
        *,
        C: float = 1.0,
        fit_intercept: bool = True,
        tol: float = 1e-10,
        max_iter: int = 100,
    ) -> None:
        self.C = C
        self.fit_intercept = fit_intercept
        self.tol = tol
        self.max_iter = max_iter

    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Find the weights, the offset and the multipliers that certify them.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples.
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
        used, free = points[rows], bool(self.fit_intercept)
        if math.isinf(self.C) and not is_linearly_separable(used, labels, fit_intercept=free):
            raise ValueError(
                "no hyperplane separates the classes, so that the hard margin (C=inf) has no "
                "solution; pass a finite C."
            )
        found = solve_linear_svm(
            used, labels, prices, free_offset=free, tol=self.tol, max_iter=self.max_iter
        )
        self.offset_interval_ = found.low, found.high
        self._set_plane(found.theta, 0.5 * (found.low + found.high))
        evidence = SolverReport(found.alpha, found.primal, found.dual, found.gaps, len(found.gaps))
        self._keep(len(points), rows, evidence)
        self.kkt_residuals_ = residuals_at(found.margins, found.alpha, prices, found.stationarity)
        return self


class _SampleBySample(_HyperplaneSVM):
    """Solvers that look at one sample at a time, for the machine whose offset is penalised.

    The offset is the weight of a constant coordinate 1 and pays like the other weights. This is
    another problem than that of LinearSVM, without the constraint Σαy = 0; the multipliers these
    solvers carry along then only have to stay in their box, which makes their gap rigorous.
    """

    _constraints: ClassVar = {
        "C": Real(least=MIN_C, most=MAX_C, hint="for the hard margin use LinearSVM(C=inf)"),
        "fit_intercept": Boolean(),
        "tol": Real(above=0),
        "max_iter": Integer(1),
        "random_state": RandomState(),
    }

    random_state: int | np.random.Generator

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Pass through the samples until the duality gap is closed.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples.
        y : array-like of shape (n_samples,)
            Their labels, of two classes.

        Returns
        -------
        self
            The fitted estimator.
        """
        points = self._fit_matrix(X)
        signs = self._fit_signs(y, len(points))
        extra = np.ones((len(points), int(self.fit_intercept)))
        Z = signs[:, None] * np.hstack([points, extra])
        found = self._run(Z, check_random_state(self.random_state))
        theta = found.theta[: points.shape[1]]
        self._set_plane(theta, float(found.theta[-1]) if self.fit_intercept else 0.0)
        primal, dual = penalised_values(Z, found.theta, found.alpha, self.C)
        evidence = SolverReport(found.alpha, primal, dual, found.gaps, found.n_passes)
        self._keep(len(points), np.arange(len(points)), evidence)
        slope = float(np.abs(found.theta - found.alpha @ Z).max())
        prices = np.full(len(Z), float(self.C))
        self.kkt_residuals_ = residuals_at(Z @ found.theta, found.alpha, prices, slope)
        return self

    @abstractmethod
    def _run(self, Z: Array, rng: np.random.Generator) -> Passes:
        """Return multipliers, weights and the relative gaps for the signed points."""


class DualCoordinateSVM(_SampleBySample):
    r"""The linear support vector machine by dual coordinate ascent, one multiplier at a time.

    Along :math:`\alpha_i` alone the dual is a parabola: its top, cut off at the ends of the box, is
    :math:`\alpha_i-(y_if(x_i)-1)/(\lVert x_i\rVert^2+1)`, and
    :math:`\theta=\sum_i\alpha_iy_ix_i` follows each change. The offset is the weight of a constant
    coordinate, which the 1 is the square of, and is penalised with the others: that is another
    problem than the one :class:`LinearSVM` solves. Without an offset the 1 is left out. Multipliers
    at rest at an end of the box are set aside until the others have converged. See the chapter
    :doc:`/book/support_vector_machines`.

    There is no ``sample_weight``; use :class:`LinearSVM` for weighted samples.

    Parameters
    ----------
    C : float
        The price of slack.
    fit_intercept : bool
        Whether to append a constant coordinate 1.
    tol : float
        The duality gap to reach, relative to the objective.
    max_iter : int
        The greatest number of passes: of visits, divided by the number of samples.
    random_state : int or numpy.random.Generator
        The order in which each pass visits the samples.

    Attributes
    ----------
    coef_ : ndarray of shape (n_features,)
        The weights :math:`\theta`.
    intercept_ : float
        The weight of the constant coordinate.
    margin_ : float
        :math:`1/\lVert\theta\rVert`.
    alpha_, support_, objective_, dual_objective_, dual_gap_, kkt_residuals_
        As in :class:`LinearSVM`, for the problem with the penalised offset.
    gaps_ : ndarray
        The relative gap each time it was computed, the last after ``n_iter_`` passes.
    n_iter_ : int
        Passes made, rounded up.
    classes_ : ndarray of shape (2,)
        The labels, the negative one first.
    n_features_in_ : int
        The number of features seen in ``fit``.
    feature_names_in_ : ndarray of str
        Their names, if ``fit`` was given a data frame.

    Examples
    --------
    >>> X = [[1.0, 0.0], [2.0, 1.0], [-1.0, 0.0], [-2.0, -1.0]]
    >>> model = DualCoordinateSVM(C=10.0).fit(X, [1, 1, -1, -1])
    >>> model.coef_.round(2) + 0.0
    array([1., 0.])
    """

    # A price of slack is in the units of the features; samples are visited in a random order.
    _laws: ClassVar = Laws(
        "columns",
        "labels",
        parameters={"max_iter": 5},
        grid={"fit_intercept": [True, False]},
        unfinished={"max_iter": 1},
    )

    def __init__(
        self,
        *,
        C: float = 1.0,
        fit_intercept: bool = True,
        tol: float = 1e-4,
        max_iter: int = 1000,
        random_state: int | np.random.Generator = 0,
    ) -> None:
        self.C = C
        self.fit_intercept = fit_intercept
        self.tol = tol
        self.max_iter = max_iter
        self.random_state = random_state

    def _run(self, Z: Array, rng: np.random.Generator) -> Passes:
        return ascend_dual(Z, float(self.C), self.tol, self.max_iter, rng)


class SubgradientSVM(_SampleBySample):
    r"""The linear support vector machine by stochastic subgradient descent on the hinge loss.

    At the :math:`t`-th visit, with rate :math:`\eta_t=Cn/t`, the weights shrink by the factor
    :math:`1-1/t`, and :math:`\eta_ty_ix_i` is added if the margin is below 1. From a zero start
    they are therefore :math:`\frac{Cn}t\sum y_ix_i` over the visits that found a margin below 1:
    a perceptron that also corrects what is right by too little, seen from farther and farther
    away. After whole passes the multipliers :math:`\alpha_i=\frac{Cn}t\cdot(\text{such visits of }
    i)` are at most C, so that the duality gap is known here too; it falls about as :math:`1/t`.

    The offset, if any, is penalised as in :class:`DualCoordinateSVM`. There is no
    ``sample_weight``. See the chapter :doc:`/book/support_vector_machines`.

    Parameters
    ----------
    C, fit_intercept, tol, max_iter, random_state
        As in :class:`DualCoordinateSVM`, with a looser tolerance and more passes.

    Attributes
    ----------
    coef_, intercept_, margin_, alpha_, support_, objective_, dual_objective_, dual_gap_, gaps_
        As in :class:`DualCoordinateSVM`.
    kkt_residuals_, n_iter_, classes_, n_features_in_, feature_names_in_
        Likewise.

    Examples
    --------
    >>> X = [[1.0, 0.0], [2.0, 1.0], [-1.0, 0.0], [-2.0, -1.0]]
    >>> model = SubgradientSVM(C=1.0, tol=0.01).fit(X, [1, 1, -1, -1])
    >>> model.predict(X)
    array([ 1,  1, -1, -1])
    """

    # A price of slack is in the units of the features; samples are visited in a random order.
    _laws: ClassVar = Laws(
        "columns", "labels", parameters={"max_iter": 5}, grid={"fit_intercept": [True, False]}
    )

    def __init__(
        self,
        *,
        C: float = 1.0,
        fit_intercept: bool = True,
        tol: float = 1e-2,
        max_iter: int = 2000,
        random_state: int | np.random.Generator = 0,
    ) -> None:
        self.C = C
        self.fit_intercept = fit_intercept
        self.tol = tol
        self.max_iter = max_iter
        self.random_state = random_state

    def _run(self, Z: Array, rng: np.random.Generator) -> Passes:
        return descend_subgradients(Z, float(self.C), self.tol, self.max_iter, rng)
