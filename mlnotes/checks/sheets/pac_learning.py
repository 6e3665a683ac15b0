"""The assignment on PAC learning: an almost-minimiser, a sample size, thresholds."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from mlnotes.checks.derive import Derive, Line, shaped
from mlnotes.checks.explore import Explore
from mlnotes.checks.implement import Case, Implement, Output, Property, provided
from mlnotes.checks.sheets import fractions
from mlnotes.checks.values import Value
from mlnotes.proof import Abs, Le, as_written, reals

# Which points a threshold calls positive.
SIDES: dict[str, Callable[[Any, Any], Any]] = {
    "at and above it": np.greater_equal,
    "above it": np.greater,
    "at and below it": np.less_equal,
    "below it": np.less,
}
# Whose deviation is only a share of d.
CLOSER = ("the best one", "the chosen one")
# How far above the least empirical risk the learner stops, the share of the deviation that one of
# two predictors has, the largest loss, what a threshold does, two numbers for the experiment, and
# which of the two it is.
NUMBERS = {
    "c": fractions(0, 6, 7),
    "s": fractions(0, 1, 9),
    "B": [k / 2 for k in range(3, 41)],
    "positive": list(SIDES),
    "thresholds": range(15, 32),
    "flipped": [k / 100 for k in range(10, 21)],
    "closer": list(CLOSER),
}


def tasks(numbers: dict[str, Any]) -> list[Derive | Implement | Explore]:
    """Return a derivation, two programs and a question."""
    return [
        almost_minimiser(numbers["c"], numbers["s"], numbers["closer"]),
        sample_size(numbers["B"]),
        threshold_erm(numbers["positive"]),
        Explore("bound_and_truth", points=4),
    ]


def almost_minimiser(c: Any, s: Any, closer: str) -> Derive:
    """Return the risk of a learner that stops c deviations above the least empirical risk."""
    risk, least, empirical, best_empirical = reals("r r^* l l^*", nonnegative=True)
    d, e = reals("d e", positive=True)
    best, chosen = (s, 1) if closer == CLOSER[0] else (1, s)
    with as_written():
        last = least + e
    return Derive(
        "almost_minimiser",
        "a learner that is almost a minimiser",
        given=[
            Le(Abs(empirical - risk), chosen * d),
            Le(Abs(best_empirical - least), best * d),
            Le(empirical, best_empirical + c * d),
            Le(d, e / (c + 1 + s)),
        ],
        witness={risk: 1, least: 1, empirical: 1, best_empirical: 1, d: 1, e: c + 1 + s},
        lines=[
            Line(term=risk),
            Line(
                "≤",
                because="the risk of the chosen one is near its empirical risk",
                points=2,
                hint="Use the first fact; the absolute value says two things.",
                form=shaped(has=[empirical], without=[risk]),
                form_hint="The empirical risk should stand there, and the risk be gone.",
            ),
            Line(
                "≤",
                because="the learner stops close to the least empirical risk",
                points=2,
                hint="What does the third fact say of the empirical risk?",
                form=shaped(has=[best_empirical], without=[risk, empirical]),
                form_hint="Only the best one's empirical risk should be left, and d.",
            ),
            Line(
                "≤",
                because="the best one's empirical risk is near its risk",
                points=2,
                hint="The second fact, the other way round.",
                form=shaped(has=[least], without=[risk, empirical, best_empirical]),
                form_hint="The least risk should stand there, and no empirical one.",
            ),
            Line("≤", last, because="the deviations are small enough"),
        ],
        vocabulary={
            "risk": risk,
            "least": least,
            "empirical": empirical,
            "best_empirical": best_empirical,
            "d": d,
            "e": e,
        },
    )


def sample_size(largest: float) -> Implement:
    """Return the task to compute how many examples suffice for losses between 0 and a number."""

    def cases(random: np.random.Generator) -> list[Case]:
        return [
            {
                "n_predictors": int(random.integers(2, 10_000)),
                "epsilon": float(random.uniform(0.02, 0.5)),
                "delta": float(random.uniform(0.001, 0.3)),
            }
            for _ in range(12)
        ]

    def failure(case: Case, n: float) -> float:
        from mlnotes.pac_learning import pac_failure_bound

        # Losses up to B, measured in units of B, are losses up to one.
        return float(pac_failure_bound(n, case["n_predictors"], case["epsilon"] / largest))

    def far_off(case: Case, output: Output) -> str:
        """Demand the power of ten: ten times fewer are not enough, and ten times more are."""
        n = int(output[0])
        if n >= 1 and failure(case, n // 10) > case["delta"] >= failure(case, 10 * n):
            return ""
        return "Not even the power of ten is right: one number for all cases earns nothing."

    def enough(case: Case, output: Output) -> str:
        if failure(case, int(output[0])) <= case["delta"] * (1 + 1e-9):
            return ""
        return "With so few examples the bound on the failure is still above delta."

    def needed(case: Case, output: Output) -> str:
        if failure(case, int(output[0]) - 1) > case["delta"] * (1 - 1e-9):
            return ""
        return "Fewer examples would do as well: the least number is asked for."

    return Implement(
        "sample_size",
        returns=[Value("the number of examples", lambda case: (), whole=True)],
        cases=cases,
        properties=[
            Property("that many examples are enough", 2, provided(far_off, enough)),
            Property("one example fewer is not", 2, provided(far_off, needed)),
        ],
        asks=f"losses lie between 0 and {largest:g}.",
    )


def threshold_erm(positive: str) -> Implement:
    """Return the task to find the threshold with the least empirical risk."""
    is_positive = SIDES[positive]

    def cases(random: np.random.Generator) -> list[Case]:
        out: list[Case] = []
        for n, size in ((8, 5), (40, 9), (61, 30)):
            x = random.uniform(size=n)
            y = np.where(is_positive(x, random.uniform(0.2, 0.8)), 1, -1)
            y[random.random(n) < 0.2] *= -1
            grid = np.sort(random.uniform(size=size))
            grid[size // 2] = x[0]
            out.append({"x": x, "y": y, "grid": grid})
        # Thresholds at the points, one of which makes no mistake: what happens there decides.
        x = random.uniform(size=20)
        grid = np.sort(x)
        best = grid[random.integers(5, 15)]
        out.append({"x": x, "y": np.where(is_positive(x, best), 1, -1), "grid": grid})
        return out

    def risk(case: Case, threshold: Any) -> float:
        return float(np.mean(np.where(is_positive(case["x"], threshold), 1, -1) != case["y"]))

    def member(case: Case, output: Output) -> str:
        near = np.isclose(case["grid"], float(output[0]), rtol=0, atol=1e-12)
        return "" if near.any() else "What you return first is not in the grid of thresholds."

    def least(case: Case, output: Output) -> str:
        best = min(risk(case, threshold) for threshold in case["grid"])
        if risk(case, float(output[0])) <= best + 1e-12:
            return ""
        return "Another threshold of the grid makes fewer mistakes."

    def own_risk(case: Case, output: Output) -> str:
        if np.isclose(float(output[1]), risk(case, float(output[0]))):
            return ""
        return f"Count the mistakes of your threshold again: points {positive} are positive."

    minimal = provided(member, least)
    return Implement(
        "threshold_erm",
        returns=[
            Value("the threshold", lambda case: ()),
            Value("its empirical risk", lambda case: ()),
        ],
        cases=cases,
        properties=[
            Property("no threshold of the class makes fewer mistakes", 4, minimal),
            Property("the empirical risk is that of the threshold", 2, provided(minimal, own_risk)),
        ],
        asks=f"a threshold calls positive the points {positive}.",
    )
