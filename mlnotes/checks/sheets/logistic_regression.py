"""The assignment on logistic regression: the loss along a separator, a slope, and a fit."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from mlnotes.checks.derive import Derive, Line, shaped
from mlnotes.checks.explore import Explore
from mlnotes.checks.implement import Case, Implement, Output, Property, asked_where
from mlnotes.checks.sheets import fractions
from mlnotes.checks.values import Value
from mlnotes.proof import (
    Ge,
    Gt,
    Le,
    Lt,
    Sum,
    as_written,
    dot,
    exp,
    for_each,
    indices,
    integers,
    log,
    monotone,
    real_family,
    reals,
    termwise,
    vector_family,
    vectors,
)
from mlnotes.proof.forms import stands_in_squares

# Which weight the penalty counts more than once.
HEAVY = {"first": 0, "last": -1}
# On which side of the separator positive points lie, and the sign of their scores there.
SIDES = {"positive": 1, "negative": -1}
# Between which numbers the function of the second derivation runs.
RUNS = ("from 0 to 1", "from -1 to 0")
# The length of the separator, how steep the function is, what the penalty is, a number for the
# experiment, and what the derivations are about.
NUMBERS = {
    "c": fractions(1, 9, 9),
    "s": fractions(1, 9, 9),
    "penalty": [k / 10 for k in range(1, 51)],
    "heavy": list(HEAVY),
    "times": range(2, 10),
    "points": range(30, 61),
    "side": list(SIDES),
    "runs": list(RUNS),
}


def tasks(numbers: dict[str, Any]) -> list[Derive | Implement | Explore]:
    """Return two derivations, a program and a question."""
    return [
        vanishing_loss(numbers["c"], SIDES[numbers["side"]]),
        steepest(numbers["s"], numbers["runs"]),
        logistic_regression(numbers["penalty"], numbers["heavy"], numbers["times"]),
        Explore("separable_weights", points=4),
    ]


def vanishing_loss(c: Any, sign: int) -> Derive:
    """Return the loss at c times a separating vector, scores of positive points having a sign."""
    n = integers("n", positive=True)
    i = indices("i")
    target = vectors("theta^*")
    x = vector_family("x")
    y = real_family("y")
    gamma = reals("gamma", positive=True)
    rate = -sign * c
    with as_written():
        score = y[i] * dot(target, x[i])
        separated = for_each(i, 1, n, Ge(score, gamma) if sign > 0 else Le(score, -gamma))
        first = Sum(log(1 + exp(rate * y[i] * dot(target, x[i]))), (i, 1, n))
        last = n / (1 + c * gamma)
    return Derive(
        "vanishing_loss",
        "the loss along a separating vector",
        given=[separated],
        witness={n: 2, x: [[1, 0], [-1, 1]], y: [1, -1], target: [sign, 0], gamma: 1},
        lines=[
            Line(term=first),
            Line(
                "≤",
                because=r"$\log(1+u)\le u$",
                by=(termwise(i),),
                points=2,
                hint="Put the exponential in the place of u, for every point.",
                form=shaped(has=[x], without=[log]),
                form_hint="The logarithm should be gone, and the points not yet.",
            ),
            Line(
                "≤",
                because="every point keeps the margin",
                by=(termwise(i, by=monotone(exp)), termwise(i)),
                points=2,
                hint="How large is each exponential at most?",
                form=shaped(has=[gamma, exp], without=[x]),
                form_hint="The points should be gone; the margin stands in the exponential.",
            ),
            Line("≤", last, because=r"$1+s\le e^s$"),
        ],
        vocabulary={"n": n, "i": i, "target": target, "x": x, "y": y, "gamma": gamma},
    )


def steepest(s: Any, runs: str) -> Derive:
    """Return the largest slope of the logistic function of s times a score, or of it less one."""
    p = reals("p")
    shifted = runs == RUNS[1]
    with as_written():
        first = -s * p * (1 + p) if shifted else s * p * (1 - p)
    return Derive(
        "steepest",
        "the slope of a steep logistic function",
        given=[Gt(p, -1), Lt(p, 0)] if shifted else [Gt(p, 0), Lt(p, 1)],
        witness={p: Fraction(-1 if shifted else 1, 3)},
        lines=[
            Line(term=first),
            Line(
                "=",
                because="complete the square",
                points=2,
                hint="How far is p from the middle between its two limits?",
                form=lambda term: stands_in_squares(term, p),
                form_hint="p should stand in the square of a sum, and nowhere else.",
            ),
            Line("≤", s / 4, because="a square is not negative"),
        ],
        vocabulary={"p": p},
    )


def logistic_regression(penalty: float, heavy: str, times: int) -> Implement:
    """Return the program to write, tried on separable data, on others and on large numbers."""

    def cases(random: np.random.Generator) -> list[Case]:
        out: list[Case] = []
        for n, d, scale in ((30, 2, 1.0), (60, 4, 1.0), (20, 2, 300.0)):
            X = scale * random.normal(size=(n, d))
            noise = 0.0 if scale > 1 else 1.0
            y = np.where(X @ random.normal(size=d) + noise * random.logistic(size=n) > 0, 1, -1)
            y[:2] = 1, -1
            out.append({"X": X, "y": y, "penalty": penalty})
        return out

    def factors(case: Case) -> Any:
        """Return how often the penalty counts each weight."""
        counts = np.ones(case["X"].shape[1])
        counts[HEAVY[heavy]] = times
        return counts

    def slope(case: Case, theta: Any) -> Any:
        from mlnotes.logistic_regression import gradient

        return gradient(case["X"], case["y"], theta) + penalty * factors(case) * theta

    def value(case: Case, theta: Any) -> float:
        from mlnotes.logistic_regression import log_likelihood

        charge = penalty / 2 * factors(case) @ theta**2
        return float(charge - log_likelihood(case["X"], case["y"], theta))

    def least(case: Case) -> float:
        """Return the least value; measured in other units every weight counts once."""
        from mlnotes.logistic_regression import LogisticRegression

        model = LogisticRegression(penalty=penalty, fit_intercept=False)
        return float(model.fit(case["X"] / np.sqrt(factors(case)), case["y"]).objective_)

    def vanishes(case: Case, output: Output) -> str:
        size = np.linalg.norm(slope(case, output[0]))
        if size <= 1e-3 * np.linalg.norm(case["X"]):
            return ""
        return f"At your weights the penalised loss still has a gradient of length {size:.3g}."

    def excess(case: Case, output: Output) -> float:
        """Return how far a value is above the least one, as a share."""
        best = least(case)
        return (value(case, output[0]) - best) / (1 + best)

    def smallest(case: Case, output: Output) -> str:
        if excess(case, output) <= 1e-6:
            return ""
        return "Other weights have a smaller penalised loss on the same points."

    def survives(case: Case, output: Output) -> str:
        if np.isfinite(output[0]).all() and excess(case, output) <= 1e-4:
            return ""
        return "With points far out the exponentials overflow, or the steps are too long to arrive."

    return Implement(
        "logistic_regression",
        returns=[Value("the weights", lambda case: (case["X"].shape[1],))],
        cases=cases,
        properties=[
            Property(
                "the gradient of the penalised loss vanishes",
                4,
                asked_where(_is_ordinary, vanishes),
            ),
            Property(
                "no other weights have a smaller loss", 3, asked_where(_is_ordinary, smallest)
            ),
            Property("large numbers do not overflow", 3, asked_where(_is_large, survives)),
        ],
        seconds=20.0,
        asks=f"the penalty counts the {heavy} weight {times} times.",
    )


def _is_ordinary(case: Case) -> bool:
    return bool(np.abs(case["X"]).max() < 50)


def _is_large(case: Case) -> bool:
    return not _is_ordinary(case)
