r"""Maximum entropy: the least committed distribution with given feature averages.

There are :math:`n` inputs, :math:`K` labels and for each pair a vector of features
:math:`f(x,y)`. Among all conditional distributions whose features have a given average
:math:`b`, the one of largest entropy is :math:`e^{\langle\lambda,f(x,y)\rangle}/Z(x)`
(``thm-maximum-entropy``, ``thm-maximum-entropy-optimal``). Its multipliers minimise the convex dual
:math:`\frac1n\sum_i\log Z(x_i)-\langle\lambda,b\rangle`, which is the negative log-likelihood of
that model (``thm-maxent-dual-likelihood``) and never less than the entropy of a distribution with
these averages (``thm-maxent-weak-duality``). See the chapter :doc:`/book/maximum_entropy`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlnotes._constraints import Boolean, Function, Integer, Optional, Real
from mlnotes._laws import Laws
from mlnotes._numerics import distribution, scale_by_power_of_two, softmax
from mlnotes._solvers import maximum_entropy as solver
from mlnotes.base import Classifier
from mlnotes.exceptions import ConvergenceWarning, warn_at_caller
from mlnotes.validation import (
    Array,
    check_count,
    check_numbers,
    check_positive,
    check_shapes_agree,
    check_vector,
    check_weights,
    rows_that_count,
)

__all__ = [
    "MaximumEntropy",
    "MaximumEntropySolution",
    "dual_objective",
    "entropy",
    "feature_expectations",
    "kl_divergence",
    "log_linear_model",
    "maximise_entropy",
    "minimise_dual",
]

Features = Callable[[Array, NDArray[Any]], ArrayLike]


def entropy(p: ArrayLike) -> Array:
    r"""Return :math:`-\sum_kp_k\log p_k` along the last axis.

    Parameters
    ----------
    p : array-like with outcomes along the last axis
        Probabilities; an outcome of probability zero adds nothing.

    Returns
    -------
    ndarray without the last axis
        Between 0 and the logarithm of the number of outcomes.

    Examples
    --------
    >>> entropy([[0.5, 0.5], [1.0, 0.0]])
    array([0.69314718, 0.        ])
    """
    from scipy.special import xlogy

    law = _probabilities(p, "p")
    return np.asarray(0.0 - xlogy(law, law).sum(axis=-1))


def kl_divergence(p: ArrayLike, q: ArrayLike) -> Array:
    r"""Return :math:`\sum_kp_k\log(p_k/q_k)` along the last axis.

    It is never negative (``lem-gibbs``), and zero only where the two agree.

    Parameters
    ----------
    p, q : array-like with outcomes along the last axis
        Probabilities.

    Returns
    -------
    ndarray without the last axis
        Infinite where q excludes an outcome that p does not.

    Examples
    --------
    >>> kl_divergence([0.5, 0.5], [0.25, 0.75])
    array(0.14384104)
    """
    from scipy.special import rel_entr

    laws = _probabilities(p, "p"), _probabilities(q, "q")
    check_shapes_agree(p=laws[0], q=laws[1])
    return np.asarray(rel_entr(*laws).sum(axis=-1))


def log_linear_model(features: ArrayLike, multipliers: ArrayLike) -> Array:
    r"""Return :math:`e^{\langle\lambda,f_{ik}\rangle}/\sum_le^{\langle\lambda,f_{il}\rangle}`.

    Parameters
    ----------
    features : array-like of shape (n_inputs, n_labels, n_features) or (n_labels, n_features)
        The features of every pair of an input and a label.
    multipliers : array-like of shape (n_features,)
        The vector :math:`\lambda`.

    Returns
    -------
    ndarray of shape (n_inputs, n_labels) or (n_labels,)
        Probabilities of the labels at each input.

    Examples
    --------
    >>> log_linear_model([[0.0], [1.0]], [np.log(3)])
    array([0.25, 0.75])
    """
    F = _table(features, None)[0]
    scores = F @ check_vector(multipliers, F.shape[2], name="multipliers")
    scores = scores if np.ndim(features) == 3 else scores[0]
    return softmax(scores)


def feature_expectations(
    features: ArrayLike, p: ArrayLike, sample_weight: ArrayLike | None = None
) -> Array:
    r"""Return :math:`\frac1n\sum_i\sum_kp_{ik}f_{ik}`, the average of the features under p.

    Parameters
    ----------
    features : array-like of shape (n_inputs, n_labels, n_features) or (n_labels, n_features)
        The features of every pair of an input and a label.
    p : array-like of shape (n_inputs, n_labels) or (n_labels,)
        The probabilities of the labels at each input.
    sample_weight : array-like of shape (n_inputs,), optional
        How often each input counts.

    Returns
    -------
    ndarray of shape (n_features,)
        The average, in which the weights of the inputs sum to one.

    Examples
    --------
    >>> feature_expectations([[[1.0], [0.0]], [[3.0], [1.0]]], [[1.0, 0.0], [0.5, 0.5]])
    array([1.5])
    """
    F, shares = _table(features, sample_weight)
    law = _probabilities(p, "p")
    if law.shape != F.shape[:2] and (1, *law.shape) != F.shape[:2]:
        raise ValueError(
            f"p must have shape {F.shape[:2]}, one probability for each label of each input; got "
            f"{law.shape}."
        )
    law = law.reshape(F.shape[:2])
    return solver.average_features(F, shares, law)


def dual_objective(
    features: ArrayLike,
    moments: ArrayLike,
    multipliers: ArrayLike,
    sample_weight: ArrayLike | None = None,
) -> float:
    r"""Return :math:`\frac1n\sum_i\log Z(x_i)-\langle\lambda,b\rangle`.

    For every :math:`\lambda` it is at least the entropy of every distribution with these moments
    (``thm-maxent-weak-duality``). A negative value therefore proves that there is none.

    Parameters
    ----------
    features : array-like of shape (n_inputs, n_labels, n_features) or (n_labels, n_features)
        The features of every pair of an input and a label.
    moments : array-like of shape (n_features,)
        The averages :math:`b`.
    multipliers : array-like of shape (n_features,)
        The vector :math:`\lambda`.
    sample_weight : array-like of shape (n_inputs,), optional
        How often each input counts.

    Returns
    -------
    float
        The value of the dual.

    Examples
    --------
    >>> dual_objective([[1.0], [2.0], [3.0]], [2.0], [0.0])  # log 3
    1.098...
    >>> dual_objective([[1.0], [2.0], [3.0]], [4.0], [5.0]) < 0
    True
    """
    F, shares = _table(features, sample_weight)
    target = check_vector(moments, F.shape[2], name="moments")
    weights = check_vector(multipliers, F.shape[2], name="multipliers")
    return solver.dual_and_probabilities(F, shares, target, weights)[0]


class MaximumEntropySolution(NamedTuple):
    """The distribution of largest entropy with given moments.

    Attributes
    ----------
    probabilities : ndarray of shape (n_inputs, n_labels) or (n_labels,)
        The distribution.
    multipliers : ndarray of shape (n_features,)
        The vector λ of its exponents.
    entropy : float
        Its entropy, averaged over the inputs.
    dual : float
        The least value of the dual found; it equals the entropy where the moments match.
    moment_gap : float
        The largest difference between a moment asked for and the one reached.
    n_iter : int
        The number of Newton steps.
    converged : bool
        Whether the moments match within the tolerance; False if the steps were used up before.
    interior : bool
        Whether the multipliers are a minimum of the dual. False if it has not converged, or if the
        moments lie on the boundary of what is possible: they are then reached only in the limit of
        infinite multipliers.

    Examples
    --------
    A die whose mean is 4.5.

    >>> found = maximise_entropy([[1.0], [2.0], [3.0], [4.0], [5.0], [6.0]], [4.5])
    >>> found.probabilities.round(3), found.interior
    (array([0.054, 0.079, 0.114, 0.165, 0.24 , 0.347]), True)
    """

    probabilities: Array
    multipliers: Array
    entropy: float
    dual: float
    moment_gap: float
    n_iter: int
    converged: bool
    interior: bool


def maximise_entropy(
    features: ArrayLike,
    moments: ArrayLike,
    sample_weight: ArrayLike | None = None,
    *,
    tol: float = 1e-12,
    max_iter: int = 200,
) -> MaximumEntropySolution:
    r"""Find the distribution of largest entropy with given feature averages.

    Newton's method with a line search minimises the dual. If the moments are impossible the dual
    falls below zero, which no entropy is: that moment is the proof, and the function raises an
    error. If the steps are used up before the moments match, it warns.

    Parameters
    ----------
    features : array-like of shape (n_inputs, n_labels, n_features) or (n_labels, n_features)
        The features of every pair of an input and a label; with two axes, of every outcome.
    moments : array-like of shape (n_features,)
        The averages that the features must have.
    sample_weight : array-like of shape (n_inputs,), optional
        How often each input counts.
    tol : float
        How close the moments must come, in units of the largest value of their feature.
    max_iter : int
        The greatest number of Newton steps.

    Returns
    -------
    MaximumEntropySolution
        The distribution, its multipliers and what is known about them.

    Examples
    --------
    A die whose mean is 4.5 instead of 3.5:

    >>> faces = np.arange(1.0, 7.0)[:, None]
    >>> die = maximise_entropy(faces, [4.5])
    >>> die.probabilities.round(4)
    array([0.0544, 0.0788, 0.1142, 0.1654, 0.2398, 0.3475])
    >>> maximise_entropy(faces, [6.5])
    Traceback (most recent call last):
    ...
    ValueError: no distribution has these moments: ...
    """
    F, shares = _table(features, sample_weight)
    target = check_vector(moments, F.shape[2], name="moments")
    limit, steps = check_positive(tol, "tol"), check_count(max_iter, "max_iter")
    found = solver.solve(F, shares, target, limit, steps)
    if not found.converged:
        _warn_unfinished("maximise_entropy", found)
    law = found.probabilities if np.ndim(features) == 3 else found.probabilities[0]
    return MaximumEntropySolution(law, *found[1:])


def minimise_dual(
    features: ArrayLike,
    moments: ArrayLike,
    *,
    tol: float = 1e-10,
    max_iter: int = 100,
) -> Array:
    r"""Minimise the dual by Newton's method with a line search.

    The gradient of the dual is the difference of the moments, its Hessian the mean covariance of
    the features. :func:`maximise_entropy` does the same, safe against features that depend on each
    other.

    Parameters
    ----------
    features : array-like of shape (n_inputs, n_labels, n_features) or (n_labels, n_features)
        The features of every pair of an input and a label.
    moments : array-like of shape (n_features,)
        The averages that the features must have.
    tol : float
        How close the moments must come.
    max_iter : int
        The greatest number of steps.

    Returns
    -------
    ndarray of shape (n_features,)
        The multipliers.

    Examples
    --------
    >>> minimise_dual([[1.0], [2.0], [3.0]], [2.0])
    array([0.])
    """
    F = check_numbers(features, "features")
    F = F[None] if F.ndim == 2 else F
    tol = check_positive(tol, "tol")
    multipliers = np.zeros(F.shape[-1:])
    for _ in range(check_count(max_iter, "max_iter")):
        P = log_linear_model(F, multipliers)
        b = check_vector(moments, F.shape[2], name="moments")
        gap = feature_expectations(F, P) - b
        if np.abs(gap).max() <= tol:
            break
        value = dual_objective(F, b, multipliers)
        if value < 0:
            why = "the dual is negative"
            raise ValueError(f"{why}: no law has these moments")
        C = F - np.einsum("ik,ikf->if", P, F)[:, None]
        hessian = np.einsum("ik,ikf,ikg->fg", P, C, C) / len(F)
        step = np.linalg.lstsq(hessian, gap, rcond=None)[0]
        rate, fall = 1.0, float(gap @ step) / 4
        while rate > 1e-9:
            trial = multipliers - rate * step
            if dual_objective(F, b, trial) <= value - rate * fall:
                break
            rate /= 2
        multipliers = multipliers - rate * step
    return multipliers


def _warn_unfinished(name: str, found: solver.Solution) -> None:
    warn_at_caller(
        f"{name} made {found.n_iter} Newton steps and the moments still differ by "
        f"{found.moment_gap:.1e}; raise max_iter or tol.",
        ConvergenceWarning,
    )


def _probabilities(values: ArrayLike, name: str) -> Array:
    law = check_numbers(values, name)
    if law.ndim == 0 or not (law >= 0).all() or not np.allclose(law.sum(axis=-1), 1, atol=1e-9):
        raise ValueError(
            f"{name} must hold probabilities that sum to one along the last axis; divide by their "
            "sum."
        )
    return law


def _table(features: ArrayLike, sample_weight: ArrayLike | None) -> tuple[Array, Array]:
    """Return the features with an axis for the inputs, and the share of each input."""
    F = check_numbers(features, "features")
    F = F[None] if F.ndim == 2 else F
    if F.ndim != 3 or 0 in F.shape:
        raise ValueError(
            "features must have shape (n_inputs, n_labels, n_features) or (n_labels, n_features), "
            f"none of them 0; got {np.shape(features)}."
        )
    return F, distribution(check_weights(sample_weight, len(F)), len(F))


class MaximumEntropy(Classifier):
    r"""The conditional distribution of largest entropy that matches the averages of features.

    The features of a sample and a label are any function of both. Without one they are the products
    :math:`[y=k]\,x` for every class but the first, and the model is logistic regression without a
    penalty (``thm-maxent-is-logistic``): with two classes ``multipliers_`` are its weights.

    If the averages lie on the boundary of what is possible, as those of separable classes do, no
    finite multipliers match them; the fit warns and returns those at which the difference has
    become negligible. See the chapter :doc:`/book/maximum_entropy`.

    Parameters
    ----------
    features : callable, optional
        Maps samples of shape (n_samples, n_features_in) and the sorted classes to an array of shape
        (n_samples, n_classes, n_features).
    fit_intercept : bool
        Whether the features without a function include the labels :math:`[y=k]` themselves.
    tol : float
        How close the moments must come, in units of the largest value of their feature.
    max_iter : int
        The greatest number of Newton steps.

    Attributes
    ----------
    multipliers_ : ndarray of shape (n_features,)
        The vector :math:`\lambda`.
    moments_ : ndarray of shape (n_features,)
        The averages of the features in the data.
    moment_gap_ : float
        The largest difference between them and those of the model.
    entropy_ : float
        The entropy of the model, averaged over the samples.
    n_iter_ : int
        The number of Newton steps.
    classes_ : ndarray of shape (n_classes,)
        The labels, sorted; only those with a sample of positive weight.
    n_features_in_ : int
        The number of columns of the samples seen in ``fit``.
    feature_names_in_ : ndarray of str
        Their names, if ``fit`` was given a data frame.

    Examples
    --------
    >>> X, y = [[0.0], [0.0], [1.0], [1.0], [1.0]], [0, 1, 0, 1, 1]
    >>> model = MaximumEntropy().fit(X, y)
    >>> model.predict_proba([[0.0], [1.0]]).round(4)
    array([[0.5   , 0.5   ],
           [0.3333, 0.6667]])
    """

    _squares = False
    _constraints: ClassVar = {
        "features": Optional(Function("the samples and the classes")),
        "fit_intercept": Boolean(),
        "tol": Real(above=0),
        "max_iter": Integer(1),
    }
    _laws: ClassVar = Laws(
        "rows",
        "columns",
        "unit",
        "origin",
        "labels",
        grid={"fit_intercept": [True, False]},
        unfinished={"max_iter": 1},
    )

    multipliers_: Array
    moments_: Array
    moment_gap_: float
    entropy_: float
    n_iter_: int

    def __init__(
        self,
        features: Features | None = None,
        *,
        fit_intercept: bool = True,
        tol: float = 1e-12,
        max_iter: int = 200,
    ) -> None:
        self.features = features
        self.fit_intercept = fit_intercept
        self.tol = tol
        self.max_iter = max_iter

    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Match the averages of the features in the data.

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
        weights = check_weights(sample_weight, len(points))
        codes = self._fit_codes(y, len(points), weights)
        if weights is not None:
            kept = rows_that_count(weights, len(points))
            points, weights = points[kept], scale_by_power_of_two(weights[kept])[0]
        shares = distribution(weights, len(points))
        tol, steps = float(self.tol), int(self.max_iter)
        K = len(self.classes_)
        if self.features is None:
            moments = self._product_moments(points, codes, shares)
            found = solver.solve_products(
                points, codes, K, weights, bool(self.fit_intercept), tol, steps
            )
        else:
            F = self._table_of(points)
            moments = solver.average_features(F, shares, np.eye(K)[codes])
            found = solver.solve(F, shares, moments, tol, steps)
        self.multipliers_, self.moments_ = found.multipliers, moments
        self.moment_gap_, self.entropy_ = found.moment_gap, found.entropy
        self.n_iter_ = found.n_iter
        if not found.converged:
            _warn_unfinished(type(self).__name__, found)
        elif not found.interior:
            warn_at_caller(
                f"{type(self).__name__} can match the moments only in the limit of infinite "
                "multipliers: they lie on the boundary of what is possible, as those of separable "
                f"classes do. It stopped {found.moment_gap:.1e} away; use fewer features, or "
                "LogisticRegression with a penalty.",
                ConvergenceWarning,
            )
        return self

    def _product_moments(self, points: Array, codes: NDArray[np.intp], shares: Array) -> Array:
        """Return the averages of the features [y = k]·x, and [y = k], for all classes but one."""
        own = np.eye(len(self.classes_))[codes][:, 1:] * shares[:, None]
        moments = own.T @ points
        if self.fit_intercept:
            moments = np.column_stack([moments, own.sum(axis=0)])
        return np.asarray(moments.ravel())

    def _table_of(self, points: Array) -> Array:
        """Return the features of every sample with every class."""
        assert self.features is not None
        F = check_numbers(self.features(points, self.classes_), "features(X, classes)")
        if F.ndim != 3 or F.shape[:2] != (len(points), len(self.classes_)):
            raise ValueError(
                "features must return an array of shape (n_samples, n_classes, n_features), here "
                f"({len(points)}, {len(self.classes_)}, any); it returned {F.shape}."
            )
        return F

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
        points = self._use_matrix(X)
        if self.features is not None:
            return log_linear_model(self._table_of(points), self.multipliers_)
        weights = self.multipliers_.reshape(len(self.classes_) - 1, -1)
        scores = np.zeros((len(points), len(self.classes_)))
        scores[:, 1:] = points @ weights[:, : points.shape[1]].T
        if self.fit_intercept:
            scores[:, 1:] += weights[:, -1]
        return softmax(scores)

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
        most_probable = self.predict_proba(X).argmax(axis=1)
        return np.asarray(self.classes_[most_probable])
