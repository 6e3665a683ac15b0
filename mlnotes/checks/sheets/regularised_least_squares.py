"""The assignment on regularised least squares: one weight, ridge regression, the lasso."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from mlnotes.checks.derive import Derive, Line, shaped
from mlnotes.checks.explore import Explore
from mlnotes.checks.implement import Case, Implement, Output, Property, provided
from mlnotes.checks.sheets import fractions
from mlnotes.checks.values import Value
from mlnotes.proof import Eq, as_written, dot, norm2, reals, vectors
from mlnotes.proof.forms import is_expanded, is_multiplied_out, stands_in_squares

# What a weight pays for: how far it is from this number.
CENTRES = {"the weight": 0, "its distance from one": 1}
TOWARDS = {"zero": 0.0, "one": 1.0}
# By what the squared error is multiplied, for n points.
FACTORS: dict[str, Callable[[int], float]] = {
    "one": lambda n: 1.0,
    "one half": lambda n: 0.5,
    "one over n": lambda n: 1.0 / n,
}
SIGNS = ["may have any sign", "must not be negative"]
# The price and the centre of the derivation; the factor, the centre and the price of the first
# program; the sign and the price of the second; the experiment.
NUMBERS = {
    "p": fractions(1, 7, 8),
    "pays": list(CENTRES),
    "factor": list(FACTORS),
    "towards": list(TOWARDS),
    "sign": SIGNS,
    "share": [k / 20 for k in range(2, 15)],
    "rho": [k / 1000 for k in range(950, 999)],
    "points": range(20, 80),
}


def tasks(numbers: dict[str, Any]) -> list[Derive | Implement | Explore]:
    """Return a derivation, two programs and a question."""
    return [
        weight(numbers["p"], numbers["pays"]),
        ridge(numbers["factor"], numbers["towards"]),
        lasso(numbers["sign"], numbers["share"]),
        Explore("twins", points=4),
    ]


def weight(p: Any, pays: str) -> Derive:
    """Return the least value of a squared error in one weight that has to pay."""
    u, r = vectors("u r")
    b = reals("b")
    centre = CENTRES[pays]
    pull = dot(u, r) + p if centre else dot(u, r)
    with as_written():
        paid = (b - 1) ** 2 if centre else b**2
        first = norm2(r - b * u) / 2 + p / 2 * paid
        rest = norm2(r) / 2 + p / 2 if centre else norm2(r) / 2
        last = rest - pull**2 / (2 * (1 + p))
    shape = shaped(has=[norm2(r), dot(u, r), b], without=[norm2(u)])
    return Derive(
        "weight",
        f"one weight, which pays for {pays}",
        given=[Eq(norm2(u), 1)],
        witness={u: [1], r: [2], b: 1},
        lines=[
            Line(term=first),
            Line(
                "=",
                because="expand the squares; the column has length one",
                points=2,
                hint="The weight stands in a linear and in a square part.",
                form=lambda term: is_expanded(term) and is_multiplied_out(term) and shape(term),
                form_hint="No bracket with b in it should be left, and no length of u.",
            ),
            Line(
                "=",
                because="complete the square in the weight",
                points=3,
                hint="Take out half of one plus the price; where is the bottom?",
                form=lambda term: is_expanded(term) and shape(term) and stands_in_squares(term, b),
                form_hint="The weight should stand in the square of a sum, and nowhere else.",
            ),
            Line("≥", last, because="a square is not negative"),
        ],
        vocabulary={"u": u, "r": r, "b": b},
    )


def ridge(factor: str, towards: str) -> Implement:
    """Return the task to find weights that pay, with an offset that does not."""
    share, centre = FACTORS[factor], TOWARDS[towards]

    def cases(random: np.random.Generator) -> list[Case]:
        out: list[Case] = []
        for n, d, price in ((12, 2, 1.0), (6, 9, 0.5), (40, 5, 20.0), (25, 3, 0.1)):
            X = random.normal(size=(n, d)) + 2.0
            out.append({"X": X, "y": 3.0 + random.normal(size=n), "price": price})
        return out

    def slopes(case: Case, output: Output) -> Any:
        rest = case["y"] - case["X"] @ output[0] - output[1]
        pull = share(len(case["y"])) * (case["X"].T @ rest)
        return pull - case["price"] * (output[0] - centre)

    def least(case: Case, output: Output) -> str:
        if np.abs(slopes(case, output)).max() < 1e-6:
            return ""
        return "With your offset, other weights would be cheaper."

    def free(case: Case, output: Output) -> str:
        rest = case["y"] - case["X"] @ output[0] - output[1]
        if abs(rest.sum()) < 1e-6:
            return ""
        return "Another offset would be cheaper: it pays nothing."

    return Implement(
        "ridge",
        returns=[
            Value("the weights", lambda case: (case["X"].shape[1],)),
            Value("the offset", lambda case: ()),
        ],
        cases=cases,
        properties=[
            Property("no other weights are cheaper", 3, least),
            Property("the offset is free of charge", 2, provided(least, free)),
        ],
        asks=f"multiply the squared error by {factor}, and let the weights pay for their squared "
        f"distance from {towards}.",
    )


def lasso(sign: str, share: float) -> Implement:
    """Return the task to solve the lasso at a share of the price from which on it is zero."""
    signed = sign == SIGNS[0]

    def cases(random: np.random.Generator) -> list[Case]:
        out: list[Case] = []
        for n, d in ((15, 3), (20, 6), (30, 8), (12, 5)):
            # Columns that resemble each other, or one sweep over them would almost do.
            X = random.normal(size=(n, d)) + 1.2 * random.normal(size=(n, 1))
            X /= np.sqrt((X**2).sum(axis=0))
            truth = np.where(random.random(d) < 0.6, 3.0 * random.normal(size=d), 0.0)
            truth[0] = 4.0
            out.append({"X": X, "y": X @ truth + 0.3 * random.normal(size=n)})
        return out

    def price(case: Case) -> float:
        pull = case["X"].T @ case["y"]
        return share * float(np.abs(pull).max() if signed else pull.max())

    def violation(case: Case, output: Output) -> float:
        """Return by how much the conditions are violated, as a share of the price."""
        theta, own = output[0], price(case)
        if not signed and (theta < 0).any():
            return 1.0
        pull = case["X"].T @ (case["y"] - case["X"] @ theta)
        reach = np.abs(pull) if signed else pull
        slack = np.where(theta != 0, np.abs(pull - own * np.sign(theta)), 0.0)
        return float(max((reach - own).max(), slack.max(), 0.0) / own)

    def near(case: Case, output: Output) -> str:
        if violation(case, output) < 0.01:
            return ""
        return "The correlations with the residual are not those of a solution."

    def exact(case: Case, output: Output) -> str:
        if violation(case, output) < 1e-6:
            return ""
        return "It comes close, but not to six digits."

    return Implement(
        "lasso",
        returns=[Value("the weights", lambda case: (case["X"].shape[1],))],
        cases=cases,
        properties=[
            Property("the weights are nearly optimal", 3, near),
            Property("they are optimal to six digits", 2, provided(near, exact)),
        ],
        asks=f"the weights {sign}; the price is {share:g} times the least price at which all of "
        "them are zero.",
    )
