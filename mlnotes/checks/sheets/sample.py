"""A sheet of three small tasks, one of each kind, to try the machinery on and to copy."""

from __future__ import annotations

from typing import Any

import numpy as np

from mlnotes.checks.derive import Derive, Line
from mlnotes.checks.explore import Explore
from mlnotes.checks.implement import Case, Implement, Output, Property
from mlnotes.checks.sheets import fractions
from mlnotes.checks.values import Value
from mlnotes.proof import as_written, reals
from mlnotes.proof.forms import is_multiplied_out

# The factor of the square.
NUMBERS = {"c": fractions(1, 10, 1)}


def tasks(numbers: dict[str, Any]) -> list[Derive | Implement | Explore]:
    """Return a line to expand, an average to compute and a question."""
    return [square(numbers["c"]), average(), Explore("why", points=2, words=10)]


def square(c: Any) -> Derive:
    """Return the task to expand a square."""
    a, b = reals("a b")
    with as_written():
        first = (a + c * b) ** 2
    return Derive(
        "square",
        "a square of a sum is at least four times the product",
        given=(),
        witness=None,
        lines=[
            Line(term=first),
            Line(
                "=",
                because="expand",
                points=2,
                hint="Multiply the sum by itself.",
                form=is_multiplied_out,
                form_hint="There is still a power of a sum in it.",
            ),
            Line("≥", 4 * c * a * b, because="a square is not negative"),
        ],
        vocabulary={"a": a, "b": b},
    )


def average() -> Implement:
    """Return the task to compute a mean."""

    def cases(random: np.random.Generator) -> list[Case]:
        return [{"x": random.normal(size=n)} for n in (1, 5, 20)]

    def deviates(case: Case, output: Output) -> str:
        if np.isclose(output[0], np.mean(case["x"])):
            return ""
        return "The deviations from an average add up to zero."

    return Implement(
        "average",
        returns=[Value("the average", lambda case: ())],
        cases=cases,
        properties=[Property("the deviations add up to zero", 2, deviates)],
        seconds=2.0,
    )
