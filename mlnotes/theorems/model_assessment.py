"""Bias and variance: where the expected squared error of a prediction comes from."""

from __future__ import annotations

from mlnotes.proof import (
    Derivation,
    E,
    Eq,
    Rational,
    Theorem,
    apply,
    dot,
    independent,
    norm2,
    random_variables,
    random_vectors,
    reals,
    using,
    vectors,
)
from mlnotes.theorems import proves

truth, sigma = reals("f sigma")
noise, prediction = random_variables("epsilon g")
estimate = random_vectors("hat_theta")
target = vectors("theta")

INDEPENDENT = independent(noise, prediction)
CENTRED = Eq(E(noise), 0)
SPREAD = Eq(E(noise**2), sigma**2)

HALF = Rational(1, 2)
WITNESS = {
    truth: 2,
    sigma: 1,
    noise: [(-1, HALF), (1, HALF)],
    prediction: [(0, HALF), (3, HALF)],
}


@proves("thm-estimator-bias-variance")
def estimator_error() -> Theorem:
    r"""Derive that the expected squared error of an estimator is squared bias plus variance."""
    bias, spread = E(estimate) - target, estimate - E(estimate)
    return (
        Derivation("bias and variance of an estimator")
        .start(E(norm2(estimate - target)))
        .equals(
            norm2(bias) + 2 * dot(E(spread), bias) + E(norm2(spread)),
            because=r"go from $\hat\theta$ to $\theta$ through the mean and expand the square",
        )
        .equals(
            norm2(bias) + E(norm2(spread)),
            because=r"$\hat\theta-\mathbb E[\hat\theta]$ has mean zero",
        )
        .qed()
    )


@proves("lem-variance-of-prediction")
def prediction_error() -> Theorem:
    r"""Derive how far a random prediction is from a fixed number, squared and on average."""
    return (
        Derivation("a prediction and a fixed number")
        .start(E((truth - prediction) ** 2))
        .equals(
            (truth - E(prediction)) ** 2 + E((prediction - E(prediction)) ** 2),
            because="expand about the mean: the cross term has mean zero",
        )
        .qed()
    )


@proves("thm-bias-variance")
def bias_variance() -> Theorem:
    r"""Derive that the expected squared loss is noise plus squared bias plus variance."""
    response = truth + noise
    return (
        Derivation("bias and variance", given=[INDEPENDENT, CENTRED, SPREAD], witness=WITNESS)
        .start(E((response - prediction) ** 2))
        .equals(
            E(noise**2) + 2 * E(noise) * E(truth - prediction) + E((truth - prediction) ** 2),
            because="expand the square: the noise is independent of the prediction",
        )
        .equals(
            sigma**2 + E((truth - prediction) ** 2),
            because=r"the noise has mean zero and variance $\sigma^2$",
        )
        .equals(
            sigma**2 + (truth - E(prediction)) ** 2 + E((prediction - E(prediction)) ** 2),
            because="a random prediction and a fixed number",
            by=using(apply(prediction_error())),
        )
        .qed()
    )
