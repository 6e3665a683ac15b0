"""The assignment on AdaBoost: a cautious reweighting, and boosting over a table of classifiers."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np

from mlnotes.checks.derive import Derive, Line, shaped
from mlnotes.checks.explore import Explore
from mlnotes.checks.implement import Case, Implement, Output, Property, provided
from mlnotes.checks.sheets import fractions
from mlnotes.checks.values import Value
from mlnotes.proof import (
    Eq,
    Ge,
    Le,
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

# Which classifier a round chooses: that for which this is least, of all weighted errors.
CHOICES: dict[str, Callable[[Any], Any]] = {
    "of least weighted error": lambda errors: errors,
    "whose weighted error is furthest from one half": lambda errors: -np.abs(errors - 0.5),
}
# How large the first weights of positive points are, those of others being one.
STARTS = {"equal for all points": 1.0, "twice as large for positive points": 2.0}
# Which points the indicators of the derivation mark.
MARKS = ("mistakes", "hits")
# The factors of the weights of what was right and of mistakes, what a round does, two numbers for
# programs, and what is marked in the derivation.
NUMBERS = {
    "p": fractions(0, 1, 9),
    "q": fractions(1, 9, 9),
    "choice": list(CHOICES),
    "start": list(STARTS),
    "rounds": range(3, 15),
    "points": range(40, 100),
    "marked": list(MARKS),
}


def tasks(numbers: dict[str, Any]) -> list[Derive | Implement | Explore]:
    """Return a derivation, a program and a question."""
    return [
        normaliser(numbers["p"], numbers["q"], numbers["marked"]),
        boost(numbers["rounds"], numbers["choice"], numbers["start"]),
        Explore("margins_after_zero", points=4),
    ]


def normaliser(p: Any, q: Any, marked: str) -> Derive:
    """Return the normaliser of a round: weights of mistakes are multiplied by q, others by p.

    The indicators mark the mistakes or the hits, and their weighted share is given.
    """
    from mlnotes.theorems.adaboost import exponential_tangent, s

    n = integers("n", positive=True)
    i = indices("i")
    v, m = real_family("v", nonnegative=True), real_family("m")
    share = reals("rho")
    gamma = reals("gamma", positive=True)
    middle = (p + q) / 2
    shrink = (q - p) / middle
    quarter, half = Fraction(1, 4), Fraction(1, 2)
    with as_written():
        last = middle * exp(-shrink * gamma)
        if marked == MARKS[0]:
            first = Sum(v[i] * (p * (1 - m[i]) + q * m[i]), (i, 1, n))
            better, example, part = Le(share, half - gamma), [1, 0], quarter
        else:
            first = Sum(v[i] * (p * m[i] + q * (1 - m[i])), (i, 1, n))
            better, example, part = Ge(share, half + gamma), [0, 1], 3 * quarter
    return Derive(
        "normaliser",
        "a cautious round",
        given=[
            for_each(i, 1, n, Eq(m[i] ** 2, m[i])),
            Eq(Sum(v[i], (i, 1, n)), 1),
            Eq(Sum(v[i] * m[i], (i, 1, n)), share),
            better,
        ],
        witness={n: 2, v: [quarter, 3 * quarter], m: example, share: part, gamma: quarter},
        lines=[
            Line(term=first),
            Line(
                "=",
                because=f"the weights sum to one, and the share of the {marked} is given",
                points=2,
                hint="Split the sum in two; both parts are given.",
                form=shaped(without=[Sum]),
                form_hint="Both sums have values that are given.",
            ),
            Line(
                "≤",
                because="the weak learner is better than a coin by gamma",
                points=3,
                hint=f"How large or small can the share of the {marked} be?",
                form=shaped(without=[share, exp]),
                form_hint="Only the edge should be left, neither the share nor yet an exponential.",
                ask_relation=True,
            ),
            Line(
                "≤",
                last,
                because="$1+s\\le e^s$",
                by=(using(apply(exponential_tangent(), {s: -shrink * gamma})),),
            ),
        ],
        vocabulary={"n": n, "i": i, "v": v, "m": m, "rho": share, "gamma": gamma},
    )


def boost(rounds: int, choice: str, start: str) -> Implement:
    """Return the program to write, tried on tables of classifiers around a coin."""

    def cases(random: np.random.Generator) -> list[Case]:
        out: list[Case] = []
        for classifiers, points in ((10, 23), (25, 41)):
            y = random.choice([-1.0, 1.0], size=points)
            skill = random.uniform(0.3, 0.7, size=(classifiers, 1))
            right = random.random((classifiers, points)) < skill
            # Each errs somewhere and is right elsewhere, or it would have an infinite vote.
            right[:, :2] = random.permuted(np.tile([True, False], (classifiers, 1)), axis=1)
            out.append({"H": np.where(right, y, -y), "y": y, "rounds": rounds})
        return out

    def replay(case: Case, output: Output) -> list[tuple[float, float]]:
        """Return for each round the weighted error of its row, and the one to choose."""
        weights = np.where(case["y"] > 0, STARTS[start], 1.0)
        weights, out = weights / weights.sum(), []
        for row in _rows(case, output):
            errors = (case["H"] != case["y"]) @ weights
            best = errors[CHOICES[choice](errors).argmin()]
            out.append((float(errors[row]), float(best)))
            share = np.where(case["H"][row] != case["y"], errors[row], 1 - errors[row])
            weights = weights / (2 * share)
        return out

    def misses(case: Case, output: Output) -> list[int]:
        """Return the rounds in which another classifier was to be chosen."""
        ask = CHOICES[choice]
        pairs = enumerate(replay(case, output), start=1)
        return [
            k for k, (error, best) in pairs if ask(np.array(error)) > ask(np.array(best)) + 1e-9
        ]

    def boosts(case: Case, output: Output) -> str:
        """Demand that most rounds choose: one of them repeated does the rest right."""
        if 2 * len(misses(case, output)) < rounds:
            return ""
        return f"In half of the rounds or more, the classifier is not the one {choice}."

    def chosen(case: Case, output: Output) -> str:
        wrong = misses(case, output)
        return f"In round {wrong[0]} another classifier is the one {choice}." if wrong else ""

    def votes(case: Case, output: Output) -> str:
        from mlnotes.adaboost import vote_weight

        right = [vote_weight(error) for error, _ in replay(case, output)]
        if np.allclose(output[1], right, rtol=1e-6, atol=1e-8):
            return ""
        return "Some vote does not make the normaliser of its round least."

    def bound(case: Case, output: Output) -> str:
        product = np.prod([2 * np.sqrt(e * (1 - e)) for e, _ in replay(case, output)])
        weights = np.where(case["y"] > 0, STARTS[start], 1.0)
        score = output[1] @ case["H"][_rows(case, output)]
        error = weights[case["y"] * score <= 0].sum() / weights.sum()
        if error <= product + 1e-9:
            return ""
        return f"The vote errs on a share of {error:.3f}, above the product {product:.3f}."

    properties: list[tuple[str, float, Callable[[Case, Output], str]]] = [
        ("each round chooses the classifier that is asked for", 2, chosen),
        ("every vote is half the log-odds of being right", 2, votes),
        ("the weights that are left sum to one", 1, _distribution),
        ("under them the last classifier is right half of the time", 3, _half),
        ("the training error is below the product of the normalisers", 2, bound),
    ]
    return Implement(
        "boost",
        returns=[
            Value("the rows chosen", lambda case: (rounds,), whole=True),
            Value("their votes", lambda case: (rounds,)),
            Value("the weights after the last round", lambda case: case["y"].shape),
        ],
        cases=cases,
        properties=[
            Property(name, points, provided(boosts, fails)) for name, points, fails in properties
        ],
        asks=f"every round chooses the classifier {choice}; the first weights are {start}.",
    )


def _rows(case: Case, output: Output) -> Any:
    rows = output[0]
    if ((rows < 0) | (rows >= len(case["H"]))).any():
        raise IndexError("rows")
    return rows


def _distribution(case: Case, output: Output) -> str:
    weights = output[2]
    if (weights >= 0).all() and np.isclose(weights.sum(), 1):
        return ""
    return "Weights are nonnegative, one for each point, and sum to one."


def _half(case: Case, output: Output) -> str:
    wrong = case["H"][_rows(case, output)[-1]] != case["y"]
    share = output[2][wrong].sum() / output[2].sum()
    if np.isclose(share, 0.5):
        return ""
    return f"The last classifier's mistakes carry {share:.3f} of the weight that you return."
