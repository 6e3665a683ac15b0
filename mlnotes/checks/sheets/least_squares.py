"""The assignment on least squares: a point beside the fit, a variance, the shortest weights."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from mlnotes.checks.derive import Derive, Line, shaped
from mlnotes.checks.explore import Explore
from mlnotes.checks.implement import Case, Implement, Output, Property, provided
from mlnotes.checks.sheets import fractions
from mlnotes.checks.values import Value
from mlnotes.proof import Le, as_written, dot, norm2, reals, vectors
from mlnotes.proof.forms import parts, stands_in

# On which side of the fit the point of the derivation lies, seen from the other point.
SIDES = {"towards": 1, "away": -1}
# Where the offset stands among the weights, and by what the sum of squares is divided.
PLACES = {"first": 0, "last": -1}
DIVISORS: dict[str, Callable[[int, int], int]] = {
    "the number of points": lambda n, p: n,
    "the number of points less the number of weights, the offset included": lambda n, p: n - p,
}
# What is returned beside the shortest weights.
EXTRAS: dict[str, Callable[[Any, Any], float]] = {
    "their squared length": lambda theta, left: float(theta @ theta),
    "the sum of squared residuals": lambda theta, left: float(left @ left),
}
# The share of the way in the derivation and its side; what the programs return and in which order;
# the columns, points, data sets and the noise of the experiment.
NUMBERS = {
    "b": fractions(0, 3, 8),
    "side": list(SIDES),
    "offset": list(PLACES),
    "divisor": list(DIVISORS),
    "extra": list(EXTRAS),
    "columns": range(3, 9),
    "points": range(20, 41),
    "sets": range(200, 400),
}


def tasks(numbers: dict[str, Any]) -> list[Derive | Implement | Explore]:
    """Return a derivation, two programs and a question."""
    return [
        between(numbers["b"], numbers["side"]),
        fit(numbers["offset"], numbers["divisor"]),
        shortest(numbers["extra"]),
        Explore("errors_apart", points=4),
    ]


def between(b: Any, side: str) -> Derive:
    """Return how far a point beside the best one of a convex set is from the targets."""
    y, f, g = vectors("y f g")
    G = reals("G")
    towards = SIDES[side] > 0
    with as_written():
        place = f + b * (g - f) if towards else f - b * (g - f)
        first = norm2(y - place)
        last = norm2(y - f) if towards else norm2(y - f) + b**2 * G**2
    return Derive(
        "between",
        f"a point beside the best one, {side} another",
        given=[Le(dot(y - f, g - f), 0), Le(norm2(g - f), G**2)],
        witness={y: [0, 2], f: [0, 0], g: [1, 0], G: 1},
        lines=[
            Line(term=first),
            Line(
                "=",
                because="expand the square about the best point",
                points=3,
                hint="A square of a sum has two squares and a product.",
                form=lambda term: _crosses(term, y, g) and not _mixes(term, y, g),
                form_hint="The inner product of the residual and the step should stand there, and "
                "no vector should have both y and g in it.",
            ),
            Line(
                "≥" if towards else "≤",
                because="the inner product is not positive",
                points=2,
                hint="One of the three terms is left out.",
                form=lambda term: (
                    shaped(has=[g], without=[G])(term)
                    and not _crosses(term, y, g)
                    and not _mixes(term, y, g)
                ),
                form_hint="The product of y and g should be gone, and both squares are left.",
            ),
            Line(
                "≥" if towards else "≤",
                last,
                because="a square is not negative" if towards else "the step is no longer than G",
            ),
        ],
        vocabulary={"y": y, "f": f, "g": g, "G": G},
    )


def _crosses(term: Any, y: Any, g: Any) -> bool:
    """Say whether an inner product has y on one side and g on the other."""
    return any(
        (stands_in(u, y) and stands_in(v, g)) or (stands_in(u, g) and stands_in(v, y))
        for u, v in (product.args for product in parts(term, dot))
        if u != v
    )


def _mixes(term: Any, y: Any, g: Any) -> bool:
    """Say whether a vector under an inner product has both in it."""
    return any(
        stands_in(v, y) and stands_in(v, g) for product in parts(term, dot) for v in product.args
    )


def fit(offset: str, divisor: str) -> Implement:
    """Return the task to fit weights and an offset, and to estimate the variance of the noise."""
    place, divide = PLACES[offset], DIVISORS[divisor]

    def cases(random: np.random.Generator) -> list[Case]:
        out: list[Case] = []
        for n, d in ((6, 1), (10, 2), (25, 4), (40, 6)):
            X = random.normal(size=(n, d)) + random.uniform(1, 5, size=d)
            y = X @ random.normal(size=d) + 3.0 + random.normal(size=n)
            out.append({"X": X, "y": y})
        return out

    def split(case: Case, output: Output) -> tuple[Any, float]:
        """Return the weights of the columns and the offset."""
        weights = np.asarray(output[0])
        if place == 0:
            return weights[1:], float(weights[0])
        return weights[:-1], float(weights[-1])

    def residuals(case: Case, output: Output) -> Any:
        weights, constant = split(case, output)
        return case["y"] - case["X"] @ weights - constant

    def orthogonal(case: Case, output: Output) -> str:
        left = residuals(case, output)
        size = np.linalg.norm(case["y"]) * np.linalg.norm(case["X"])
        if abs(left.sum()) > 1e-7 * np.linalg.norm(case["y"]) * np.sqrt(len(left)):
            return "The residuals do not add up to zero, so the offset is not the best one."
        if np.abs(case["X"].T @ left).max() > 1e-7 * size:
            return "The residuals are not orthogonal to every column of X."
        return ""

    def variance(case: Case, output: Output) -> str:
        left = residuals(case, output)
        n, d = case["X"].shape
        if np.isclose(output[1], left @ left / divide(n, d + 1), rtol=1e-6):
            return ""
        return "The second value is not the sum of squares, divided as the sheet says."

    return Implement(
        "fit",
        returns=[
            Value("the weights", lambda case: (case["X"].shape[1] + 1,)),
            Value("the variance", lambda case: ()),
        ],
        cases=cases,
        properties=[
            Property(
                "the residuals are orthogonal to the columns and add up to zero", 3, orthogonal
            ),
            Property("the variance is the one of the sheet", 2, provided(orthogonal, variance)),
        ],
        asks=f"the offset stands {offset} among the weights; divide the sum of squares by "
        f"{divisor}.",
    )


def shortest(extra: str) -> Implement:
    """Return the task to find the shortest of all minimisers."""
    beside = EXTRAS[extra]

    def cases(random: np.random.Generator) -> list[Case]:
        out: list[Case] = []
        for n, d, rank in ((5, 3, 2), (8, 5, 3), (4, 6, 4), (12, 4, 4)):
            X = random.normal(size=(n, rank)) @ random.normal(size=(rank, d))
            out.append({"X": X, "y": random.normal(size=n) + 1.0})
        return out

    def minimal(case: Case, output: Output) -> str:
        X, y = case["X"], case["y"]
        left = y - X @ output[0]
        if np.abs(X.T @ left).max() > 1e-7 * np.linalg.norm(X) * np.linalg.norm(y):
            return "The weights do not solve the normal equations."
        return ""

    def short(case: Case, output: Output) -> str:
        """Demand that the weights are orthogonal to all that X sends to zero."""
        _, gamma, V = np.linalg.svd(case["X"])
        rank = int((gamma > 1e-10 * gamma[0]).sum())
        if rank < V.shape[0] and np.abs(V[rank:] @ output[0]).max() > 1e-7 * (
            1 + np.linalg.norm(output[0])
        ):
            return "There are shorter weights with the same sum of squares."
        return ""

    def right_extra(case: Case, output: Output) -> str:
        left = case["y"] - case["X"] @ output[0]
        if np.isclose(output[1], beside(np.asarray(output[0]), left), rtol=1e-6, atol=1e-8):
            return ""
        return "The second value is not what the sheet asks for."

    return Implement(
        "shortest",
        returns=[
            Value("the weights", lambda case: (case["X"].shape[1],)),
            Value("the second value", lambda case: ()),
        ],
        cases=cases,
        properties=[
            Property("no weights have a smaller sum of squares", 2, minimal),
            Property("none of these are shorter", 2, provided(minimal, short)),
            Property("the second value is right", 1, provided(minimal, right_extra)),
        ],
        asks=f"return the weights and {extra}.",
    )
