r"""Logistic regression: a linear function read as log-odds, fitted by maximum likelihood.

The probability of the positive class is :math:`\sigma(\langle\theta,x\rangle+\theta_0)` with
:math:`\sigma(z)=1/(1+e^{-z})`, and the negative log-likelihood of labels :math:`y_i=\pm1` is
:math:`\sum_i\log(1+e^{-y_i(\langle\theta,x_i\rangle+\theta_0)})`. It is convex
(``thm-logistic-convex``), so Newton's method with a line search finds its minimum wherever there is
one. On separable data there is none (``thm-logistic-no-minimiser``); the penalty
:math:`\frac\lambda2\lVert\theta\rVert^2` brings it back. See the chapter
:doc:`/book/logistic_regression`.
"""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlnotes import _numerics
from mlnotes._constraints import Boolean, Integer, Optional, RandomState, Real
from mlnotes._solvers import first_order
from mlnotes._solvers.logistic import (
    FAR_OUT,
    BinaryProblem,
    Scaling,
    SoftmaxProblem,
    diverges,
    in_common_unit,
    minimise,
)
from mlnotes.base import BinaryClassifier, Classifier, LinearClassifier
from mlnotes.exceptions import ConvergenceWarning, warn_at_caller
from mlnotes.validation import (
    Array,
    check_count,
    check_flag,
    check_matrix,
    check_numbers,
    check_positive,
    check_random_state,
    check_scalar,
    check_shapes_agree,
    check_signs,
    check_vector,
    check_weights,
    rows_that_count,
)

__all__ = [
    "GradientDescentLogisticRegression",
    "LogisticRegression",
    "StochasticLogisticRegression",
    "cross_entropy",
    "gaussian_log_odds",
    "gradient",
    "gradient_descent",
    "hessian",
    "irls_step",
    "irls_weights",
    "lipschitz_constant",
    "log_likelihood",
    "logistic_loss",
    "newton",
    "recession_direction",
    "sigmoid",
    "softmax",
    "stochastic_gradient_descent",
]


def sigmoid(z: ArrayLike) -> Array:
    r"""Return :math:`\sigma(z)=1/(1+e^{-z})`, without overflow for any score.

    Parameters
    ----------
    z : array-like
        Scores.

    Returns
    -------
    ndarray
        Of the same shape, between 0 and 1.

    Examples
    --------
    >>> sigmoid([-1e4, 0.0, np.log(3), 1e4])
    array([0.  , 0.5 , 0.75, 1.  ])
    """
    score = check_numbers(z, "z", infinite=True)
    small = np.exp(-np.abs(score))
    return np.asarray(np.where(score >= 0, 1.0, small) / (1.0 + small))


def logistic_loss(margin: ArrayLike) -> Array:
    r"""Return :math:`\log(1+e^{-m})`, the negative logarithm of :math:`\sigma(m)`.

    Parameters
    ----------
    margin : array-like
        The products :math:`m=y(\langle\theta,x\rangle+\theta_0)`.

    Returns
    -------
    ndarray
        Of the same shape; positive, and :math:`-m` up to rounding where ``m`` is very negative.

    Examples
    --------
    >>> logistic_loss([0.0, -1000.0])
    array([6.93147181e-01, 1.00000000e+03])
    """
    return np.asarray(np.logaddexp(0.0, -check_numbers(margin, "margin", infinite=True)))


def cross_entropy(p: ArrayLike, q: ArrayLike) -> Array:
    r"""Return :math:`p\log\frac1q+(1-p)\log\frac1{1-q}`, the price of believing q where p holds.

    For every ``p`` it is least at ``q = p`` (``lem-cross-entropy-least``).

    Parameters
    ----------
    p : array-like
        True probabilities of one of two outcomes; a label is a probability of 0 or 1.
    q : array-like
        Probabilities given to it by a model.

    Returns
    -------
    ndarray
        Infinite where the model excludes what may happen.

    Examples
    --------
    >>> cross_entropy([1.0, 0.5, 1.0], [1.0, 0.5, 0.0])
    array([0.        , 0.69314718,        inf])
    """
    from scipy.special import xlog1py, xlogy

    truth = check_numbers(p, "p", least=0, most=1)
    belief = check_numbers(q, "q", least=0, most=1)
    check_shapes_agree(p=truth, q=belief)
    return np.asarray(0.0 - xlogy(truth, belief) - xlog1py(1 - truth, -belief))


def log_likelihood(X: ArrayLike, y: ArrayLike, theta: ArrayLike) -> float:
    r"""Return :math:`\sum_i\log\sigma(y_i\langle\theta,x_i\rangle)`.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Points; :func:`mlnotes.perceptron.augment` them first if there is an offset.
    y : array-like of shape (n_samples,)
        Labels -1 and +1.
    theta : array-like of shape (n_features,)
        Weights.

    Returns
    -------
    float
        Negative: the logarithm of a probability.

    Examples
    --------
    >>> log_likelihood([[1.0], [1.0]], [1, -1], [0.0])
    -1.386...
    """
    return -float(logistic_loss(_margins(X, y, theta)[1]).sum())


def gradient(X: ArrayLike, y: ArrayLike, theta: ArrayLike) -> Array:
    r"""Return the gradient :math:`-\sum_iy_i(1-\sigma(m_i))x_i` of the negative log-likelihood.

    It is that of ``thm-logistic-gradient``, with :math:`m_i=y_i\langle\theta,x_i\rangle`.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Points; :func:`mlnotes.perceptron.augment` them first if there is an offset.
    y : array-like of shape (n_samples,)
        Labels -1 and +1.
    theta : array-like of shape (n_features,)
        Weights.

    Returns
    -------
    ndarray of shape (n_features,)
        Zero exactly at a minimum.

    Examples
    --------
    >>> gradient([[2.0], [4.0]], [1, -1], [0.0])
    array([1.])
    """
    signed, margins = _margins(X, y, theta)
    return np.asarray(-sigmoid(-margins) @ signed)


def hessian(X: ArrayLike, theta: ArrayLike) -> Array:
    r"""Return :math:`\sum_i\sigma(s_i)\sigma(-s_i)x_ix_i^\top`, the second derivative of the loss.

    Here :math:`s_i=\langle\theta,x_i\rangle`. The labels do not enter: the weight is the same for
    both of them.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Points; :func:`mlnotes.perceptron.augment` them first if there is an offset.
    theta : array-like of shape (n_features,)
        Weights.

    Returns
    -------
    ndarray of shape (n_features, n_features)
        Positive semidefinite (``thm-logistic-convex``).

    Examples
    --------
    >>> hessian([[2.0], [4.0]], [0.0])
    array([[5.]])
    """
    points = check_matrix(X)
    weights = irls_weights(points @ check_vector(theta, points.shape[1], name="theta"))
    return np.asarray((points.T * weights) @ points)


def irls_weights(scores: ArrayLike) -> Array:
    r"""Return :math:`\sigma(s)\sigma(-s)`, the weight of a point with score s in a Newton step.

    At most :math:`\frac14`, on the decision boundary (``lem-logistic-quarter``).

    Parameters
    ----------
    scores : array-like
        Values of the linear function.

    Returns
    -------
    ndarray
        Of the same shape, even in the score, without cancellation where it is large.

    Examples
    --------
    >>> irls_weights([0.0, np.log(3), -np.log(3)])
    array([0.25  , 0.1875, 0.1875])
    """
    small = np.exp(-np.abs(check_numbers(scores, "scores", infinite=True)))
    return np.asarray(small / (1.0 + small) ** 2)


def irls_step(X: ArrayLike, y: ArrayLike, theta: ArrayLike) -> Array:
    r"""Return the next iterate of iteratively reweighted least squares.

    It is the weighted least-squares fit of the working response
    :math:`s_i+y_i\sigma(-m_i)/\omega_i` with the weights :math:`\omega_i` of :func:`irls_weights`,
    which is Newton's step (``thm-newton-irls``). Nothing bounds its length: far from the minimum
    it may raise the loss, which is why :class:`LogisticRegression` searches along it.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Points; :func:`mlnotes.perceptron.augment` them first if there is an offset.
    y : array-like of shape (n_samples,)
        Labels -1 and +1.
    theta : array-like of shape (n_features,)
        The current weights.

    Returns
    -------
    ndarray of shape (n_features,)
        The next weights.

    Examples
    --------
    >>> irls_step([[1.0], [1.0], [1.0]], [1, 1, -1], [0.0])
    array([0.666...])
    """
    points = check_matrix(X)
    signs = check_signs(y, len(points))
    scores = points @ check_vector(theta, points.shape[1], name="theta")
    roots = np.sqrt(irls_weights(scores))
    if not roots.all():
        raise ValueError(
            "a weight has underflowed to zero, and the working response with it; start closer to "
            "zero, or use LogisticRegression."
        )
    response = scores + signs * sigmoid(-signs * scores) / roots**2
    return np.asarray(np.linalg.lstsq(points * roots[:, None], response * roots, rcond=None)[0])


def lipschitz_constant(X: ArrayLike) -> float:
    r"""Return :math:`\frac14\lVert X\rVert^2`, a bound on every eigenvalue of every Hessian.

    A gradient step of length at most :math:`1/L` with this :math:`L` never raises the loss
    (``thm-logistic-descent``).

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Points; :func:`mlnotes.perceptron.augment` them first if there is an offset.

    Returns
    -------
    float
        A quarter of the squared largest singular value.

    Examples
    --------
    >>> lipschitz_constant([[2.0, 0.0], [0.0, 4.0]])
    4.0
    """
    with np.errstate(over="ignore"):
        return float(np.square(np.linalg.norm(check_matrix(X), 2)) / 4)


def softmax(scores: ArrayLike) -> Array:
    r"""Return :math:`e^{s_k}/\sum_le^{s_l}` along the last axis, without overflow.

    Parameters
    ----------
    scores : array-like with classes along the last axis
        One score for each class.

    Returns
    -------
    ndarray of the same shape
        Probabilities that sum to one.

    Examples
    --------
    >>> softmax([1e4, 1e4 + np.log(3)])
    array([0.25, 0.75])
    """
    values = check_numbers(scores, "scores")
    if values.ndim == 0 or values.shape[-1] == 0:
        raise ValueError(
            f"scores must have at least one class along the last axis, got shape {values.shape}."
        )
    return _numerics.softmax(values)


def gaussian_log_odds(
    mean_negative: ArrayLike, mean_positive: ArrayLike, covariance: ArrayLike, prior: float = 0.5
) -> tuple[Array, float]:
    r"""Return the weights and the offset of the posterior of two Gaussians with one covariance.

    The posterior of the positive class is :math:`\sigma(\langle\theta,x\rangle+\theta_0)` with
    :math:`\theta=S^{-1}(m_+-m_-)` and :math:`\theta_0=\frac12(m_-^\top S^{-1}m_--m_+^\top
    S^{-1}m_+)+\log\frac{\pi}{1-\pi}` (``thm-gaussian-log-odds``).

    Parameters
    ----------
    mean_negative, mean_positive : array-like of shape (n_features,)
        The means of the two classes.
    covariance : array-like of shape (n_features, n_features)
        Their common covariance :math:`S`, positive definite.
    prior : float
        The probability :math:`\pi` of the positive class, strictly between 0 and 1.

    Returns
    -------
    theta : ndarray of shape (n_features,)
        The weights.
    theta_0 : float
        The offset.

    Examples
    --------
    >>> gaussian_log_odds([-1.0, 0.0], [1.0, 0.0], [[2.0, 0.0], [0.0, 1.0]], prior=0.75)
    (array([1., 0.]), 1.098...)
    """
    negative = check_vector(mean_negative, name="mean_negative")
    d = len(negative)
    positive = check_vector(mean_positive, d, name="mean_positive")
    S = check_matrix(covariance, name="covariance")
    if S.shape != (d, d) or not np.array_equal(S, S.T):
        raise ValueError(f"covariance must be a symmetric matrix of shape ({d}, {d}).")
    share = check_scalar(prior, "prior", above=0, below=1)
    try:
        np.linalg.cholesky(S)
    except np.linalg.LinAlgError as error:
        raise ValueError("covariance must be positive definite.") from error
    theta = np.linalg.solve(S, positive - negative)
    offset = np.log(share / (1 - share)) - theta @ (positive + negative) / 2
    return np.asarray(theta), float(offset)


def recession_direction(X: ArrayLike, y: ArrayLike, *, fit_intercept: bool = True) -> Array | None:
    r"""Find a direction in which the unpenalised loss falls for ever, if there is one.

    It has :math:`y_i\langle u,x_i\rangle\ge0` for every point and :math:`>0` for some. The loss
    has a minimum exactly if there is none. A linear programme looks for it; margins below about
    1e-9 of the largest entry of the data may be overlooked.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Points.
    y : array-like of shape (n_samples,)
        Labels -1 and +1.
    fit_intercept : bool
        Whether there is an offset.

    Returns
    -------
    ndarray of shape (n_features,) or (n_features + 1,), or None
        The direction, with entries in [-1, 1] and the offset last; None if there is none.

    Examples
    --------
    >>> recession_direction([[-1.0], [2.0]], [-1, 1], fit_intercept=False)
    array([1.])
    >>> recession_direction([[-1.0], [2.0], [3.0]], [1, -1, 1]) is None
    True
    """
    points = check_matrix(X)
    signed = points * check_signs(y, len(points))[:, None]
    if check_flag(fit_intercept, "fit_intercept"):
        signed = np.column_stack([signed, check_signs(y, len(points))])
    return _numerics.separating_direction(signed, strictly=False)


def gradient_descent(
    X: ArrayLike,
    y: ArrayLike,
    *,
    penalty: float = 0.0,
    tol: float = 1e-6,
    max_iter: int = 10_000,
) -> Array:
    r"""Minimise the penalised loss by gradient descent with the step :math:`1/L`.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Points; :func:`mlnotes.perceptron.augment` them for an offset.
    y : array-like of shape (n_samples,)
        Labels -1 and +1.
    penalty : float
        The factor :math:`\lambda` of :math:`\frac12\lVert\theta\rVert^2`.
    tol : float
        The length of the gradient, divided by n, at which to stop.
    max_iter : int
        The greatest number of steps.

    Returns
    -------
    ndarray of shape (n_features,)
        The weights after the last step.

    Examples
    --------
    >>> gradient_descent([[1.0], [1.0], [1.0]], [1, 1, -1]).round(4)
    array([0.6931])
    """
    points = check_matrix(X)
    penalty = check_scalar(penalty, "penalty", least=0)
    tol = check_positive(tol, "tol")
    rate = 1 / (lipschitz_constant(points) + penalty)
    theta = np.zeros(points.shape[1])
    for _ in range(check_count(max_iter, "max_iter")):
        slope = gradient(points, y, theta) + penalty * theta
        if np.linalg.norm(slope) <= tol * len(points):
            break
        theta = theta - rate * slope
    return theta


def stochastic_gradient_descent(
    X: ArrayLike,
    y: ArrayLike,
    *,
    rate: float,
    penalty: float = 0.0,
    max_iter: int = 50,
    random_state: int | np.random.Generator = 0,
) -> Array:
    r"""Minimise the penalised loss by the gradients of single points, in random order.

    Each point takes its share of the penalty with it, after its own step.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Points; :func:`mlnotes.perceptron.augment` them for an offset.
    y : array-like of shape (n_samples,)
        Labels -1 and +1.
    rate : float
        The step :math:`\kappa` of the first epoch; it is divided by the number of the epoch.
    penalty : float
        The factor :math:`\lambda` of :math:`\frac12\lVert\theta\rVert^2`.
    max_iter : int
        The number of epochs.
    random_state : int or numpy.random.Generator
        Decides the order of the points.

    Returns
    -------
    ndarray of shape (n_features,)
        The weights after the last epoch.

    Examples
    --------
    >>> stochastic_gradient_descent([[1.0], [1.0], [1.0]], [1, 1, -1], rate=1.0).round(1)
    array([0.7])
    """
    points = check_matrix(X)
    signs = check_signs(y, len(points))
    penalty = check_scalar(penalty, "penalty", least=0)
    shuffle = check_random_state(random_state).permutation
    theta = np.zeros(points.shape[1])
    for epoch in range(1, check_count(max_iter, "max_iter") + 1):
        kappa = check_positive(rate, "rate") / epoch
        for i in shuffle(len(points)):
            own = sigmoid(-signs[i] * (points[i] @ theta))
            theta = theta + kappa * signs[i] * own * points[i]
            theta = theta / (1 + kappa * penalty / len(points))
    return theta


def newton(
    X: ArrayLike,
    y: ArrayLike,
    *,
    penalty: float = 0.0,
    tol: float = 1e-12,
    max_iter: int = 100,
) -> Array:
    r"""Minimise the penalised loss by Newton's method with a line search.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Points; :func:`mlnotes.perceptron.augment` them for an offset.
    y : array-like of shape (n_samples,)
        Labels -1 and +1.
    penalty : float
        The factor :math:`\lambda` of :math:`\frac12\lVert\theta\rVert^2`.
    tol : float
        Stop where a step promises to gain no more than this share of the loss.
    max_iter : int
        The greatest number of steps.

    Returns
    -------
    ndarray of shape (n_features,)
        The weights after the last step.

    Examples
    --------
    >>> newton([[1.0], [1.0], [1.0]], [1, 1, -1]).round(6)
    array([0.693147])
    """
    points = check_matrix(X)
    penalty = check_scalar(penalty, "penalty", least=0)
    tol = check_positive(tol, "tol")

    def loss(theta: Array) -> float:
        return penalty / 2 * float(theta @ theta) - log_likelihood(points, y, theta)

    theta = np.zeros(points.shape[1])
    for _ in range(check_count(max_iter, "max_iter")):
        slope = gradient(points, y, theta) + penalty * theta
        curvature = hessian(points, theta) + penalty * np.eye(len(theta))
        step = np.linalg.lstsq(curvature, slope, rcond=None)[0]
        if slope @ step <= tol * loss(theta):
            break
        rate, gain = 1.0, slope @ step
        while rate > 1e-9 and loss(theta - rate * step) > loss(theta) - rate / 4 * gain:
            rate /= 2
        theta = theta - rate * step
    return theta


def _margins(X: ArrayLike, y: ArrayLike, theta: ArrayLike) -> tuple[Array, Array]:
    """Return the signed points y·x and their products with the weights."""
    points = check_matrix(X)
    signed = points * check_signs(y, len(points))[:, None]
    return signed, np.asarray(signed @ check_vector(theta, points.shape[1], name="theta"))


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
        found = minimise(problem, tol if penalty > 0 else min(tol, FAR_OUT), steps)
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
