"""The derivations about bias and variance say what they should, and nothing near it."""

from fractions import Fraction

import pytest
from retelling import needed, refuted, sides

from mlnotes.proof import E, norm2
from mlnotes.theorems import model_assessment as ma
from mlnotes.theorems.model_assessment import (
    WITNESS,
    estimate,
    noise,
    prediction,
    sigma,
    target,
    truth,
)

HALF = Fraction(1, 2)
FINITE = ("all expectations that occur exist and are finite",)


def test_scopes_and_assumptions():
    assert ma.estimator_error().scope == "any dimension"
    assert ma.prediction_error().scope == "any distribution on finitely many outcomes"
    assert ma.bias_variance().scope == "any distribution on finitely many outcomes"
    for theorem in (ma.estimator_error(), ma.prediction_error(), ma.bias_variance()):
        assert theorem.assumptions == FINITE
        assert theorem.mark == "proved"


def test_the_decomposition_uses_the_lemma():
    assert [s.method for s in ma.bias_variance().steps][-1] == "using"
    assert ma.prediction_error().title in ma.bias_variance().steps[-1].detail


def test_noise_bias_and_variance_in_numbers():
    # The prediction is 0 or 3, its mean 3/2, its variance 9/4; the truth is 2 and the noise ±1.
    left, right = sides(ma.bias_variance(), WITNESS)
    direct = [(2 + e - g) ** 2 for e in (-1, 1) for g in (0, 3)]
    assert left == right == Fraction(sum(direct), 4) == 1 + HALF**2 + Fraction(9, 4)


def test_an_estimator_in_the_plane_in_numbers():
    # (0, 0) or (2, 4) for (1, 0): the mean is (1, 2), the bias (0, 2), the variance 5.
    law = [(([0, 0], 0), HALF), (([2, 4], 0), HALF)]
    assert sides(ma.estimator_error(), {(estimate, "spare"): law, target: [1, 0]}) == (9, 9)


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


@pytest.mark.parametrize(("theorem", "witness", "right"), WRONG)
def test_a_wrong_right_side_is_refused_with_a_counterexample(theorem, witness, right):
    assert refuted(theorem(), witness, right)


def test_the_cross_term_needs_noise_of_mean_zero_independent_of_the_prediction():
    for position in range(3):
        assert needed(ma.bias_variance(), WITNESS, position)
    assert noise in ma.bias_variance().given[0].args
