"""Logistic regressions that are fitted: by Newton, by gradients, point by point."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlnotes import _numerics
from mlnotes._constraints import Boolean, Integer, Optional, RandomState, Real
from mlnotes._laws import Laws
from mlnotes._solvers import first_order
from mlnotes._solvers.logistic import (
    DIVERGENCE_TOL,
    BinaryProblem,
    Scaling,
    SoftmaxProblem,
    diverges,
    in_common_unit,
    minimise,
)
from mlnotes.base import BinaryClassifier, Classifier, LinearClassifier
from mlnotes.exceptions import ConvergenceWarning, warn_at_caller
from mlnotes.logistic_regression._mathematics import (
    lipschitz_constant,
    logistic_loss,
    sigmoid,
    softmax,
)
from mlnotes.validation import Array, check_random_state, check_weights, rows_that_count

PENALTY = Real(least=0, hint="it is the factor λ in λ/2·‖θ‖².")


FIRST_ORDER = {
    "penalty": PENALTY,
    "fit_intercept": Boolean(),
    "learning_rate": Optional(Real(above=0)),
    "max_iter": Integer(1),
}


class LogisticRegression(LinearClassifier, Classifier):
    r"""Logistic regression by Newton's method with a line search.

    Two classes are fitted with one function, :math:`p(y\mid x)=\sigma(y(\langle\theta,x\rangle+
    \theta_0))`; more classes with one each, by the softmax. The objective is the negative
    log-likelihood plus :math:`\frac\lambda2\lVert\theta\rVert^2`, the offsets being free. With a
    positive penalty the minimum exists and is unique (``thm-logistic-unique``); up to an equal
    shift of all offsets with more than two classes, which are returned with sum zero.

    Without a penalty there is no minimum if the classes are separable, even if only up to points
    on the boundary (``thm-logistic-no-minimiser``). The fit then warns and returns the weights it
    had reached when the slope had become negligible.

    See the chapter :doc:`/book/logistic_regression`.

    Parameters
    ----------
    penalty : float
        The factor :math:`\lambda\ge0`; scikit-learn's ``C`` is its inverse.
    fit_intercept : bool
        Whether to learn an offset, which is not penalised.
    tol : float
        The last step is taken where the gain it promises is below this share of the objective;
        without a penalty, below 1e-16 of it at most, since weights that run off show far out only.
    max_iter : int
        The greatest number of Newton steps on all samples.

    Attributes
    ----------
    coef_ : ndarray of shape (n_features,) or (n_classes, n_features)
        The weights: one vector for two classes, one for each class if there are more.
    intercept_ : float or ndarray of shape (n_classes,)
        The offsets.
    objective_ : float
        The penalised negative log-likelihood reached.
    n_iter_ : int
        The number of steps on all samples; many samples are preceded by steps on a part of them.
    classes_ : ndarray of shape (n_classes,)
        The labels, sorted; only those with a sample of positive weight.
    n_features_in_ : int
        The number of features seen in ``fit``.
    feature_names_in_ : ndarray of str
        Their names, if ``fit`` was given a data frame.

    Examples
    --------
    >>> X = [[0.0], [1.0], [2.0], [3.0]]
    >>> model = LogisticRegression(penalty=0.0).fit(X, ["no", "yes", "no", "yes"])
    >>> model.predict_proba([[1.5]])
    array([[0.5, 0.5]])
    >>> model.predict([[0.0], [3.0]])
    array(['no', 'yes'], dtype='<U3')
    """

    _squares = False
    _constraints: ClassVar = {
        "penalty": PENALTY,
        "fit_intercept": Boolean(),
        "tol": Real(above=0),
        "max_iter": Integer(1),
    }
    # A penalty is in the units of the features.
    _laws: ClassVar = Laws(
        "rows",
        "columns",
        "origin",
        "labels",
        grid={"fit_intercept": [True, False]},
        unfinished={"max_iter": 1},
    )

    objective_: float
    n_iter_: int

    def __init__(
        self,
        *,
        penalty: float = 1.0,
        fit_intercept: bool = True,
        tol: float = 1e-12,
        max_iter: int = 100,
    ) -> None:
        self.penalty = penalty
        self.fit_intercept = fit_intercept
        self.tol = tol
        self.max_iter = max_iter

    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Minimise the penalised negative log-likelihood.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples.
        y : array-like of shape (n_samples,)
            Their labels, of at least two classes.
        sample_weight : array-like of shape (n_samples,), optional
            How often each sample counts; a sample of weight zero is left out.

        Returns
        -------
        self
            The fitted estimator.
        """
        points = self._fit_matrix(X)
        penalty, tol, steps = float(self.penalty), float(self.tol), int(self.max_iter)
        weights = check_weights(sample_weight, len(points))
        codes = self._fit_codes(y, len(points), weights)
        unit = 0
        if weights is not None:
            kept = rows_that_count(weights, len(points))
            weights, penalty, unit = in_common_unit(weights[kept], penalty)
            points = points[kept]
        K = len(self.classes_)
        scaling, rows = Scaling.apply(points, weights, penalty, bool(self.fit_intercept))
        problem: BinaryProblem | SoftmaxProblem
        if K == 2:
            problem = BinaryProblem(rows, 2.0 * codes - 1.0, weights, scaling.ridge)
        else:
            problem = SoftmaxProblem(rows, codes, weights, scaling.ridge, K)
        found = minimise(problem, tol if penalty > 0 else min(tol, DIVERGENCE_TOL), steps)
        coef, offset = scaling.undo(found.beta)
        self._set_weights(coef, float(offset) if K == 2 else offset)
        with np.errstate(over="ignore"):
            self.objective_ = float(np.ldexp(found.objective, unit))
        self.n_iter_ = found.n_iter
        if penalty == 0 and diverges(problem, found.beta):
            self._warn(
                "found that a hyperplane separates the classes, up to points that may lie on it, "
                "so that the likelihood has no maximum and the weights have no limit. It stopped "
                f"after {found.n_iter} steps; give it a positive penalty."
            )
        elif not found.converged:
            self._warn(
                f"made {steps} Newton steps and has not converged; raise max_iter or tol, or scale "
                "the features."
            )
        return self

    def _warn(self, message: str) -> None:
        warn_at_caller(f"{type(self).__name__} {message}", ConvergenceWarning)

    def predict_proba(self, X: ArrayLike) -> Array:
        """Return the probability of each class for each sample.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            Rows sum to one; columns follow ``classes_``.
        """
        scores = self.decision_function(X)
        if scores.ndim == 1:
            return np.column_stack([sigmoid(-scores), sigmoid(scores)])
        return softmax(scores)

    def predict_log_proba(self, X: ArrayLike) -> Array:
        """Return the logarithm of the probability of each class, finite where that underflows.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            Columns follow ``classes_``.
        """
        scores = self.decision_function(X)
        if scores.ndim == 1:
            return -np.column_stack([logistic_loss(-scores), logistic_loss(scores)])
        return _numerics.log_softmax(scores)

    def predict(self, X: ArrayLike) -> NDArray[Any]:
        """Return the most probable class of each sample.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples.

        Returns
        -------
        ndarray of shape (n_samples,)
            Entries of ``classes_``; on a tie, the first.
        """
        scores = self.decision_function(X)
        if scores.ndim == 1:
            return self.classes_[(scores > 0).astype(np.intp)]
        return np.asarray(self.classes_[scores.argmax(axis=1)])


class _FirstOrder(LinearClassifier, BinaryClassifier):
    """Two classes, weights updated along gradients of the data as they are given."""

    penalty: float
    fit_intercept: bool
    learning_rate: float | None
    max_iter: int

    objectives_: Array
    n_iter_: int

    def _signed_points(
        self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> tuple[Array, Array, Array]:
        """Return the rows y·x, the weights that are positive, and what was subtracted from x.

        For an offset y is appended, and the points are centred: that changes the offset alone,
        which has no penalty, and spares it from balancing a large mean.
        """
        points = self._fit_matrix(X)
        weights = check_weights(sample_weight, len(points))
        signs = self._fit_signs(y, len(points), weights)
        if weights is not None:
            kept = rows_that_count(weights, len(points))
            points, weights = points[kept], weights[kept]
        n, d = points.shape
        intercept = bool(self.fit_intercept)
        shift = _numerics.weighted_mean(points, weights) if intercept else np.zeros(d)
        Z = np.empty((n, d + intercept))
        np.subtract(points, shift, out=Z[:, :d])
        Z[:, d:] = 1.0
        Z *= signs[:, None]
        return Z, np.ones(n) if weights is None else weights, shift

    def _ridge(self, d: int, penalty: float) -> Array:
        """Return the penalty of each weight: none for the offset, which is last."""
        ridge = np.full(d, penalty)
        if self.fit_intercept:
            ridge[-1] = 0.0
        return ridge

    def _rate(self, greatest: float, unit: int = 0) -> float:
        """Return the step that was asked for, or the greatest that is known to be safe.

        An objective that was divided by a power of two needs a step that much longer.
        """
        if self.learning_rate is not None:
            return float(np.ldexp(float(self.learning_rate), unit))
        if not 0 < greatest < np.inf:
            raise ValueError(
                f"{type(self).__name__} finds no step for features and weights of this size; scale "
                "them, the features for instance to mean 0 and variance 1."
            )
        return greatest

    def _keep(self, theta: Array, shift: Array, objectives: Array) -> None:
        """Set the weights for the points as they were given, and the objectives."""
        if not np.isfinite(theta).all() or not np.isfinite(objectives).all():
            raise ValueError(
                f"the weights of {type(self).__name__} overflowed; lower learning_rate or scale "
                "the features."
            )
        coef = theta[: len(shift)].copy()
        offset = float(theta[-1] - coef @ shift) if self.fit_intercept else 0.0
        self._set_weights(coef, offset)
        self.objectives_ = objectives
        self.n_iter_ = len(objectives) - 1

    def predict_proba(self, X: ArrayLike) -> Array:
        """Return the probability of each class for each sample.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples.

        Returns
        -------
        ndarray of shape (n_samples, 2)
            Rows sum to one; columns follow ``classes_``.
        """
        scores = self.decision_function(X)
        return np.column_stack([sigmoid(-scores), sigmoid(scores)])


class GradientDescentLogisticRegression(_FirstOrder):
    r"""Logistic regression of two classes by gradient descent.

    With an offset the points are centred first, which changes nothing but the offset. Every step
    adds :math:`\eta\sum_iy_i(1-P(y_i\mid x_i))x_i-\eta\lambda\theta`, with the
    probabilities at the current weights. For :math:`\eta\le1/L` with
    :math:`L=\frac14\lVert X\rVert^2+\lambda` no step raises the objective
    (``thm-logistic-descent``). See the chapter :doc:`/book/logistic_regression`.

    Parameters
    ----------
    penalty : float
        The factor :math:`\lambda\ge0` of :math:`\frac12\lVert\theta\rVert^2`.
    fit_intercept : bool
        Whether to learn an offset, which is not penalised.
    learning_rate : float, optional
        The step :math:`\eta`; :math:`1/L` if not given.
    tol : float
        Stop when the gradient, divided by the total weight, is no longer than this.
    max_iter : int
        The greatest number of steps.

    Attributes
    ----------
    coef_ : ndarray of shape (n_features,)
        The weights.
    intercept_ : float
        The offset.
    learning_rate_ : float
        The step used.
    lipschitz_ : float
        The constant :math:`L` of the points, centred if there is an offset.
    objectives_ : ndarray of shape (n_iter_ + 1,)
        The objective at the start and after every step.
    n_iter_ : int
        The number of steps.
    classes_ : ndarray of shape (2,)
        The labels, the negative one first.
    n_features_in_ : int
        The number of features seen in ``fit``.
    feature_names_in_ : ndarray of str
        Their names, if ``fit`` was given a data frame.

    Examples
    --------
    >>> X = [[0.0], [1.0], [2.0], [3.0]]
    >>> model = GradientDescentLogisticRegression().fit(X, [0, 1, 0, 1])
    >>> bool((np.diff(model.objectives_) <= 0).all())
    True
    """

    _constraints: ClassVar = {**FIRST_ORDER, "tol": Real(above=0)}
    # A penalty is in the units of the features; a path of steps, unlike its end, has an origin.
    _laws: ClassVar = Laws(
        "rows",
        "columns",
        "labels",
        parameters={"max_iter": 100},
        grid={"fit_intercept": [True, False]},
        unfinished={"max_iter": 1},
    )

    learning_rate_: float
    lipschitz_: float

    def __init__(
        self,
        *,
        penalty: float = 1.0,
        fit_intercept: bool = True,
        learning_rate: float | None = None,
        tol: float = 1e-5,
        max_iter: int = 10_000,
    ) -> None:
        self.penalty = penalty
        self.fit_intercept = fit_intercept
        self.learning_rate = learning_rate
        self.tol = tol
        self.max_iter = max_iter

    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Take gradient steps from zero until the gradient is small.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples.
        y : array-like of shape (n_samples,)
            Their labels, of two classes.
        sample_weight : array-like of shape (n_samples,), optional
            How often each sample counts; a sample of weight zero is left out.

        Returns
        -------
        self
            The fitted estimator.
        """
        Z, weights, shift = self._signed_points(X, y, sample_weight)
        weights, penalty, unit = in_common_unit(weights, float(self.penalty))
        ridge = self._ridge(Z.shape[1], penalty)
        lipschitz = lipschitz_constant(Z * np.sqrt(weights)[:, None]) + float(ridge.max())
        with np.errstate(over="ignore", invalid="ignore"):
            rate = self._rate(1 / lipschitz if lipschitz > 0 else np.inf, unit)
            tol = float(self.tol) * float(weights.sum())
            theta, objectives, converged = first_order.descend(
                Z, weights, ridge, rate, tol, self.max_iter
            )
            self._keep(theta, shift, np.ldexp(objectives, unit))
            self.learning_rate_ = float(np.ldexp(rate, -unit))
            self.lipschitz_ = float(np.ldexp(lipschitz, unit))
        if not converged:
            warn_at_caller(
                f"{type(self).__name__} made {self.n_iter_} steps and the gradient is not yet "
                "small; raise max_iter, scale the features, or use LogisticRegression.",
                ConvergenceWarning,
            )
        return self


class StochasticLogisticRegression(_FirstOrder):
    r"""Logistic regression of two classes by stochastic gradient descent.

    With an offset the points are centred first, which changes nothing but the offset. In every
    epoch the points are shuffled, and each in turn adds
    :math:`\kappa\,y(1-P(y\mid x))x` to the weights, which then shrink by their share of the
    penalty. The step :math:`\kappa` is ``learning_rate`` divided by the number of the epoch: such
    steps sum to infinity and their squares do not. See the chapter
    :doc:`/book/logistic_regression`.

    There is no ``sample_weight``: a point of weight two moves the weights once and far, a point
    that occurs twice moves them twice.

    Parameters
    ----------
    penalty : float
        The factor :math:`\lambda\ge0` of :math:`\frac12\lVert\theta\rVert^2`.
    fit_intercept : bool
        Whether to learn an offset, which is not penalised.
    learning_rate : float, optional
        The step of the first epoch; if not given, :math:`4/\max_i\lVert x_i\rVert^2`, the
        inverse of the largest curvature of a single loss.
    batch_size : int
        How many points make a step together.
    max_iter : int
        The number of epochs.
    random_state : int or numpy.random.Generator
        Decides the order of the points.

    Attributes
    ----------
    coef_ : ndarray of shape (n_features,)
        The weights.
    intercept_ : float
        The offset.
    objectives_ : ndarray of shape (max_iter + 1,)
        The objective at the start and after every epoch; it may rise.
    n_iter_ : int
        The number of epochs.
    classes_ : ndarray of shape (2,)
        The labels, the negative one first.
    n_features_in_ : int
        The number of features seen in ``fit``.
    feature_names_in_ : ndarray of str
        Their names, if ``fit`` was given a data frame.

    Examples
    --------
    >>> X = [[0.0], [1.0], [2.0], [3.0]]
    >>> model = StochasticLogisticRegression(random_state=0).fit(X, [0, 1, 0, 1])
    >>> bool(model.coef_[0] > 0)
    True
    """

    _constraints: ClassVar = {
        **FIRST_ORDER,
        "batch_size": Integer(1),
        "random_state": RandomState(),
    }
    # Samples are visited in a random order; a path of steps, unlike its end, has an origin.
    _laws: ClassVar = Laws(
        "columns", "labels", parameters={"max_iter": 5}, grid={"fit_intercept": [True, False]}
    )

    def __init__(
        self,
        *,
        penalty: float = 1.0,
        fit_intercept: bool = True,
        learning_rate: float | None = None,
        batch_size: int = 1,
        max_iter: int = 50,
        random_state: int | np.random.Generator = 0,
    ) -> None:
        self.penalty = penalty
        self.fit_intercept = fit_intercept
        self.learning_rate = learning_rate
        self.batch_size = batch_size
        self.max_iter = max_iter
        self.random_state = random_state

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Pass through the shuffled points, epoch by epoch.

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
        Z, _, shift = self._signed_points(X, y)
        n, d = Z.shape
        ridge = self._ridge(d, float(self.penalty))
        rng = check_random_state(self.random_state)
        with np.errstate(over="ignore", divide="ignore"):
            rate = self._rate(4 / float(np.einsum("ij,ij->i", Z, Z).max()))
        theta = np.zeros(d)
        objectives = [n * np.log(2)]
        with np.errstate(over="ignore", invalid="ignore"):
            for number in range(1, self.max_iter + 1):
                kappa = rate / number
                shrinkage = 1.0 / (1.0 + kappa * ridge / n)
                order = rng.permutation(n)
                theta = first_order.epoch(theta, Z, order, kappa, shrinkage, self.batch_size)
                loss = first_order.total_loss(Z @ theta)
                objectives.append(loss + 0.5 * float((ridge * theta) @ theta))
            self._keep(theta, shift, np.array(objectives))
        return self
