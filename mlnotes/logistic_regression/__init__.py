r"""Logistic regression: a linear function read as log-odds, fitted by maximum likelihood.

The probability of the positive class is :math:`\sigma(\langle\theta,x\rangle+\theta_0)` with
:math:`\sigma(z)=1/(1+e^{-z})`, and the negative log-likelihood of labels :math:`y_i=\pm1` is
:math:`\sum_i\log(1+e^{-y_i(\langle\theta,x_i\rangle+\theta_0)})`. It is convex
(``thm-logistic-convex``), so Newton's method with a line search finds its minimum wherever there is
one. On separable data there is none (``thm-logistic-no-minimiser``); the penalty
:math:`\frac\lambda2\lVert\theta\rVert^2` brings it back. See the chapter
:doc:`/book/logistic_regression`.
"""

from mlnotes.logistic_regression._algorithms import gradient_descent, newton, sgd
from mlnotes.logistic_regression._estimators import (
    GradientDescentLogisticRegression,
    LogisticRegression,
    StochasticLogisticRegression,
)
from mlnotes.logistic_regression._mathematics import (
    cross_entropy,
    gaussian_log_odds,
    gradient,
    hessian,
    irls_step,
    irls_weights,
    lipschitz_constant,
    log_likelihood,
    logistic_loss,
    recession_direction,
    sigmoid,
    softmax,
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
    "sgd",
    "sigmoid",
    "softmax",
]
