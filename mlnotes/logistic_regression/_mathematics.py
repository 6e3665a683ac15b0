"""Loss, gradient and Hessian of logistic regression, and when it has a minimum."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from mlnotes import _numerics
from mlnotes.validation import (
    Array,
    check_flag,
    check_matrix,
    check_numbers,
    check_scalar,
    check_shapes_agree,
    check_signs,
    check_vector,
)


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

    At most :math:`\frac14`, on the decision boundary (see the proof of ``lem-logistic-parabola``).

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


def _margins(X: ArrayLike, y: ArrayLike, theta: ArrayLike) -> tuple[Array, Array]:
    """Return the signed points y·x and their products with the weights."""
    points = check_matrix(X)
    signed = points * check_signs(y, len(points))[:, None]
    return signed, np.asarray(signed @ check_vector(theta, points.shape[1], name="theta"))
