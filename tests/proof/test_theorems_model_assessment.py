"""The derivations about bias and variance say what they should, and nothing near it."""

from fractions import Fraction

from retelling import sides

from mlnotes.proof import E, norm2
from mlnotes.theorems import model_assessment as ma
from mlnotes.theorems.model_assessment import (
    WITNESS,
    estimate,
    prediction,
    sigma,
    target,
    truth,
)

HALF = Fraction(1, 2)
FINITE = ("expectations are over finitely many outcomes",)


def test_noise_bias_and_variance_in_numbers():
    # The prediction is 0 or 3, its mean 3/2, its variance 9/4; the truth is 2 and the noise ±1.
    left, right = sides(ma.bias_variance(), WITNESS)
    direct = [(2 + e - g) ** 2 for e in (-1, 1) for g in (0, 3)]
    assert left == right == Fraction(sum(direct), 4) == 1 + HALF**2 + Fraction(9, 4)


spread = estimate - E(estimate)
bias = E(estimate) - target
variance = E((prediction - E(prediction)) ** 2)

WRONG = [
    # erratum-002-bias-squared: the bias enters squared
    (ma.bias_variance, WITNESS, sigma**2 + (truth - E(prediction)) + variance),
    (ma.bias_variance, WITNESS, (truth - E(prediction)) ** 2 + variance),
    (ma.bias_variance, WITNESS, sigma + (truth - E(prediction)) ** 2 + variance),
    (ma.bias_variance, WITNESS, sigma**2 + (truth - E(prediction)) ** 2),
    (ma.prediction_error, {}, variance),
    (ma.prediction_error, {}, (truth - E(prediction)) ** 2 - variance),
    (ma.estimator_error, {}, norm2(bias)),
    # erratum-000-mse-minus: the error is that of a difference
    (ma.estimator_error, {}, norm2(E(estimate) + target) + E(norm2(spread))),
]
