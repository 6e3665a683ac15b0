"""What the chapter on least squares defines: the hat matrix, covariances, expected errors."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from mlnotes._numerics import thin_svd
from mlnotes.validation import (
    Array,
    check_count,
    check_matrix,
    check_numbers,
    check_scalar,
    check_target,
    check_vector,
)


def hat_matrix(X: ArrayLike) -> Array:
    r"""Return the orthogonal projection H onto the columns of X: the fit is :math:`\hat y=Hy`.

    For independent columns :math:`H=X(X^\top X)^{-1}X^\top`. It is symmetric, :math:`H^2=H`, and
    its trace is the rank of X.

    Parameters
    ----------
    X : array-like of shape (n, d)
        Points; :func:`mlnotes.perceptron.augment` them for an offset.

    Returns
    -------
    ndarray of shape (n, n)
        The hat matrix.

    Examples
    --------
    >>> hat_matrix([[1.0], [1.0]])
    array([[0.5, 0.5],
           [0.5, 0.5]])
    """
    U, _, _ = thin_svd(check_matrix(X, squares=True))
    return np.asarray(U @ U.T)


def leverages(X: ArrayLike) -> Array:
    r"""Return the diagonal of the hat matrix: how much each prediction hangs on its own target.

    :math:`h_{ii}` lies between 0 and 1, and the sum is the rank of X. The residual at point i has
    variance :math:`\sigma^2(1-h_{ii})`.

    Parameters
    ----------
    X : array-like of shape (n, d)
        Points; :func:`mlnotes.perceptron.augment` them for an offset.

    Returns
    -------
    ndarray of shape (n,)
        One number for each point.

    Examples
    --------
    >>> leverages([[0.0, 1.0], [1.0, 1.0], [2.0, 1.0]]).round(6)
    array([0.833333, 0.333333, 0.833333])
    """
    U, _, _ = thin_svd(check_matrix(X, squares=True))
    return np.asarray(np.einsum("ij,ij->i", U, U))


def condition_number(X: ArrayLike) -> float:
    r"""Return :math:`\kappa(X)=\sigma_{\max}/\sigma_{\min}`; infinity if columns are dependent.

    Parameters
    ----------
    X : array-like of shape (n, d)
        Any matrix.

    Returns
    -------
    float
        At least 1.

    Examples
    --------
    >>> condition_number([[3.0, 0.0], [0.0, 1.0], [0.0, 0.0]])
    3.0
    """
    points = check_matrix(X, squares=True)
    _, gamma, _ = thin_svd(points)
    return float(gamma[0] / gamma[-1]) if len(gamma) == points.shape[1] else math.inf


def least_squares_covariance(X: ArrayLike, noise_variance: float = 1.0) -> Array:
    r"""Return the covariance :math:`\sigma^2(X^\top X)^{-1}` of the weights of least squares.

    Parameters
    ----------
    X : array-like of shape (n, d)
        Points with independent columns, fixed in advance.
    noise_variance : float
        :math:`\sigma^2`, the variance of the uncorrelated noise.

    Returns
    -------
    ndarray of shape (d, d)
        Its trace is the expected squared distance of the weights from the true ones.

    Examples
    --------
    >>> X = [[x, 1.0] for x in range(5)]
    >>> float(least_squares_covariance(X).trace().round(6))
    0.7
    """
    points = check_matrix(X, squares=True)
    variance = check_scalar(noise_variance, "noise_variance", least=0)
    _, gamma, V = thin_svd(points)
    if len(gamma) < points.shape[1]:
        raise ValueError("the columns of X are dependent; their weights are not determined.")
    scaled = V / gamma
    return np.asarray(variance * (scaled @ scaled.T))


def gaussian_log_likelihood(
    theta: ArrayLike, X: ArrayLike, y: ArrayLike, noise_variance: float
) -> float:
    r"""Return :math:`-\frac n2\log(2\pi\sigma^2)-\frac1{2\sigma^2}\lVert y-X\theta\rVert^2`.

    Parameters
    ----------
    theta : array-like of shape (d,)
        Weights.
    X : array-like of shape (n, d)
        Points.
    y : array-like of shape (n,)
        Targets: :math:`\langle\theta,x_i\rangle` and Gaussian noise.
    noise_variance : float
        :math:`\sigma^2`, positive.

    Returns
    -------
    float
        The logarithm of the density of the targets.

    Examples
    --------
    >>> round(gaussian_log_likelihood([1.0], [[1.0], [2.0]], [1.0, 2.0], 1.0), 6)
    -1.837877
    """
    points = check_matrix(X, squares=False)
    target = check_target(y, len(points))
    weights = check_vector(theta, points.shape[1], name="theta")
    variance = check_scalar(noise_variance, "noise_variance", above=0)
    squares = float(((target - points @ weights) ** 2).sum())
    return -len(target) / 2 * (math.log(2 * math.pi) + math.log(variance)) - squares / variance / 2


class ExpectedErrors(NamedTuple):
    """Mean squared errors of a least-squares fit, expected over the noise.

    Attributes
    ----------
    in_sample : float
        On the targets that were fitted.
    same_inputs : float
        On new targets at the same inputs.
    gaussian_inputs : float
        On new targets at new inputs, if the features are drawn from a Gaussian and one of the
        parameters is an offset.

    Examples
    --------
    >>> expected_errors(10, 5).same_inputs
    1.5
    """

    in_sample: float
    same_inputs: float
    gaussian_inputs: float


def expected_errors(n: int, n_parameters: int, noise_variance: float = 1.0) -> ExpectedErrors:
    r"""Return how large the errors of a least-squares fit are expected to be.

    With :math:`p=d+1` parameters and noise of variance :math:`\sigma^2` they are
    :math:`\sigma^2(1-p/n)` on the sample and :math:`\sigma^2(1+p/n)` on new targets at the same
    inputs. Where the inputs are new too, and Gaussian,
    :math:`\sigma^2\bigl(1+\frac1n+\frac{d(n+1)}{n(n-d-2)}\bigr)`, which is more.

    Parameters
    ----------
    n : int
        Number of points.
    n_parameters : int
        The number p of parameters, with the offset; at most n.
    noise_variance : float
        :math:`\sigma^2`.

    Returns
    -------
    ExpectedErrors
        All three; the last is infinite if n is not above d + 2.

    Examples
    --------
    >>> expected_errors(20, 5)
    ExpectedErrors(in_sample=0.75, same_inputs=1.25, gaussian_inputs=1.35)
    """
    count = check_count(n, "n")
    p = check_count(n_parameters, "n_parameters", at_most=count)
    variance = check_scalar(noise_variance, "noise_variance", least=0)
    d = p - 1
    beyond = math.inf
    if count > d + 2:
        beyond = variance * (1 + 1 / count + d * (count + 1) / (count * (count - d - 2)))
    return ExpectedErrors(variance * (1 - p / count), variance * (1 + p / count), beyond)


def anscombe_transform(counts: ArrayLike) -> Array:
    r"""Return :math:`2\sqrt{x+3/8}`, whose variance is nearly 1 for a Poisson variable x.

    Squared residuals weigh all points alike, which suits noise of one variance; that of a count
    grows with its mean, and this takes the growth away.

    Parameters
    ----------
    counts : array-like
        Numbers that are not negative.

    Returns
    -------
    ndarray
        Of the same shape.

    Examples
    --------
    >>> anscombe_transform([0, 1, 6]).round(3)
    array([1.225, 2.345, 5.05 ])
    """
    return np.asarray(2 * np.sqrt(check_numbers(counts, "counts", least=0) + 0.375))
