"""The assignment on AdaBoost: a cautious reweighting, and boosting over a table of classifiers."""

from __future__ import annotations

from typing import Any

import numpy as np

from mlnotes.checks.derive import Derive, Line, shaped
from mlnotes.checks.explore import Explore
from mlnotes.checks.implement import Case, Implement, Output, Property
from mlnotes.checks.sheets import fractions
from mlnotes.proof import (
    Eq,
    Le,
    Rational,
    Sum,
    apply,
    as_written,
    exp,
    for_each,
    indices,
    integers,
    real_family,
    reals,
    using,
)

# The factors of the weights of what was right and of mistakes, and two numbers for programs.
NUMBERS = {
    "p": fractions(0, 1, 9),
    "q": fractions(1, 9, 9),
    "rounds": range(3, 15),
    "points": range(40, 100),
}


def tasks(numbers: dict[str, Any]) -> list[Derive | Implement | Explore]:
    """Return a derivation, a program and a question."""
    return [
        normaliser(numbers["p"], numbers["q"]),
        boost(numbers["rounds"]),
        Explore("margins_after_zero", points=4),
    ]


def normaliser(p: Any, q: Any) -> Derive:
    """Return the normaliser of a round: weights of mistakes are multiplied by q, others by p."""
    from mlnotes.theorems.adaboost import exponential_tangent, s

    n = integers("n", positive=True)
    i = indices("i")
    v, m = real_family("v", nonnegative=True), real_family("m")
    error = reals("epsilon")
    gamma = reals("gamma", positive=True)
    middle = (p + q) / 2
    shrink = (q - p) / middle
    with as_written():
        first = Sum(v[i] * (p * (1 - m[i]) + q * m[i]), (i, 1, n))
        last = middle * exp(-shrink * gamma)
    quarter = Rational(1, 4)
    return Derive(
        "normaliser",
        "a cautious round",
        given=[
            for_each(i, 1, n, Eq(m[i] ** 2, m[i])),
            Eq(Sum(v[i], (i, 1, n)), 1),
            Eq(Sum(v[i] * m[i], (i, 1, n)), error),
            Le(error, Rational(1, 2) - gamma),
        ],
        witness={n: 2, v: [quarter, 3 * quarter], m: [1, 0], error: quarter, gamma: quarter},
        lines=[
            Line(term=first),
            Line(
                "=",
                because="the weights sum to one and those of the mistakes to the weighted error",
                points=2,
                hint="Split the sum in two; both parts are given.",
                form=shaped(without=[Sum]),
                form_hint="Both sums have values that are given.",
            ),
            Line(
                "≤",
                because="the weak learner is better than a coin by gamma",
                points=3,
                hint="How large can the weighted error be at most?",
                form=shaped(without=[error, exp]),
                form_hint="Only the edge should be left, neither the error nor yet an exponential.",
                ask_relation=True,
            ),
            Line(
                "≤",
                last,
                because="$1+s\\le e^s$",
                by=(using(apply(exponential_tangent(), {s: -shrink * gamma})),),
            ),
        ],
        vocabulary={"n": n, "i": i, "v": v, "m": m, "epsilon": error, "gamma": gamma},
    )


def boost(rounds: int) -> Implement:
    """Return the program to write, tried on tables of classifiers mostly better than a coin."""

    def cases(random: np.random.Generator) -> list[Case]:
        out: list[Case] = []
        for classifiers, points in ((10, 23), (25, 41)):
            y = random.choice([-1.0, 1.0], size=points)
            skill = random.uniform(0.4, 0.75, size=(classifiers, 1))
            right = random.random((classifiers, points)) < skill
            # Each errs somewhere: a classifier that never does would have an infinite vote.
            right[np.arange(classifiers), random.integers(points, size=classifiers)] = False
            out.append({"H": np.where(right, y, -y), "y": y, "rounds": rounds})
        return out

    return Implement(
        "boost",
        returns=["the rows chosen", "their votes", "the weights after the last round"],
        cases=cases,
        properties=[
            Property("each round chooses a classifier of least weighted error", 2, _chosen),
            Property("every vote is half the log-odds of being right", 2, _votes),
            Property("the weights that are left sum to one", 1, _distribution),
            Property("under them the last classifier is right half of the time", 3, _half),
            Property("the training error is below the product of the normalisers", 2, _bound),
        ],
    )


def _replay(case: Case, output: Output) -> list[tuple[int, Any, float]]:
    """Return each chosen row with the weights before it and its weighted error."""
    rows = output[0]
    if rows.shape != (case["rounds"],) or output[1].shape != rows.shape:
        raise ValueError("rounds")
    weights = np.full(len(case["y"]), 1 / len(case["y"]))
    out = []
    for row in rows.astype(int):
        wrong = case["H"][row] != case["y"]
        error = float(weights[wrong].sum())
        out.append((int(row), weights, error))
        weights = np.where(wrong, weights / (2 * error), weights / (2 * (1 - error)))
    return out


def _chosen(case: Case, output: Output) -> str:
    for k, (_, weights, error) in enumerate(_replay(case, output), start=1):
        least = ((case["H"] != case["y"]) @ weights).min()
        if error > least + 1e-9:
            return f"In round {k} another classifier has a smaller weighted error."
    return ""


def _votes(case: Case, output: Output) -> str:
    from mlnotes.adaboost import vote_weight

    right = [vote_weight(error) for *_, error in _replay(case, output)]
    if np.allclose(output[1], right, rtol=1e-6, atol=1e-8):
        return ""
    return "Some vote does not make the normaliser of its round least."


def _distribution(case: Case, output: Output) -> str:
    weights = output[2]
    if weights.shape == case["y"].shape and (weights >= 0).all() and np.isclose(weights.sum(), 1):
        return ""
    return "Weights are nonnegative, one for each point, and sum to one."


def _half(case: Case, output: Output) -> str:
    _replay(case, output)
    wrong = case["H"][int(output[0][-1])] != case["y"]
    share = output[2][wrong].sum() / output[2].sum()
    if np.isclose(share, 0.5):
        return ""
    return f"The last classifier's mistakes carry {share:.3f} of the weight that you return."


def _bound(case: Case, output: Output) -> str:
    product = np.prod([2 * np.sqrt(e * (1 - e)) for *_, e in _replay(case, output)])
    score = output[1] @ case["H"][output[0].astype(int)]
    error = np.mean(case["y"] * score <= 0)
    if error <= product + 1e-9:
        return ""
    return f"The vote errs on a share of {error:.3f}, above the product {product:.3f}."
