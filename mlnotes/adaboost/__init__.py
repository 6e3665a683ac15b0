r"""AdaBoost: a vote of weak classifiers, each trained on what the earlier ones got wrong.

Round :math:`m` meets weights :math:`w_{m-1}` on the sample, finds a classifier :math:`h_m` with
weighted error :math:`\varepsilon_m<\frac12`, gives it the vote
:math:`\alpha_m=\frac12\log\frac{1-\varepsilon_m}{\varepsilon_m}` and multiplies the weight of each
point by :math:`e^{-\alpha_my_ih_m(x_i)}/Z_m`. The training error of the vote is then at most
:math:`\prod_mZ_m\le\exp(-2\sum_m(\frac12-\varepsilon_m)^2)` (``thm-adaboost-training-error``).
See the chapter :doc:`/book/adaboost`.
"""

from mlnotes.adaboost._algorithms import adaboost, gradient_boosting
from mlnotes.adaboost._estimators import AdaBoost, Cascade
from mlnotes.adaboost._gradient_boosting import (
    GradientBoostingClassifier,
    GradientBoostingRegressor,
)
from mlnotes.adaboost._mathematics import (
    cascade_cost,
    cascade_rates,
    exponential_loss,
    margin_bound,
    margin_distribution,
    normaliser,
    rounds_needed,
    training_error_bound,
    vote_weight,
)

__all__ = [
    "AdaBoost",
    "Cascade",
    "GradientBoostingClassifier",
    "GradientBoostingRegressor",
    "adaboost",
    "cascade_cost",
    "cascade_rates",
    "exponential_loss",
    "gradient_boosting",
    "margin_bound",
    "margin_distribution",
    "normaliser",
    "rounds_needed",
    "training_error_bound",
    "vote_weight",
]
