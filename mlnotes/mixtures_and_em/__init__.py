r"""Mixtures and expectation maximisation: fitting what would be easy if the labels were known.

A mixture has the density :math:`\sum_k\pi_kp_k(x)`; which component a point came from is not
recorded. EM guesses it softly (the E-step: responsibilities
:math:`r_{ik}=\pi_kp_k(x_i)/\sum_l\pi_lp_l(x_i)`), refits every component to its share of the
points (the M-step), and repeats. The log-likelihood never falls (``thm-em-monotone``). See the
chapter :doc:`/book/mixtures_and_em`.
"""

from mlnotes.mixtures_and_em._algorithms import EMRun, em_step, expectation_maximisation
from mlnotes.mixtures_and_em._estimators import BernoulliMixture, GaussianMixture
from mlnotes.mixtures_and_em._mathematics import (
    bernoulli_log_joint,
    elbo,
    gaussian_log_joint,
    log_evidence,
    responsibilities,
)

__all__ = [
    "BernoulliMixture",
    "EMRun",
    "GaussianMixture",
    "bernoulli_log_joint",
    "elbo",
    "em_step",
    "expectation_maximisation",
    "gaussian_log_joint",
    "log_evidence",
    "responsibilities",
]
