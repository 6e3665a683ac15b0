"""The assignment on PAC learning: an almost-minimiser, a sample size, thresholds."""

from __future__ import annotations

from typing import Any

import numpy as np

from mlnotes.checks.derive import Derive, Line, shaped
from mlnotes.checks.explore import Explore
from mlnotes.checks.implement import Case, Implement, Output, Property
from mlnotes.checks.sheets import fractions
from mlnotes.proof import Abs, Le, as_written, reals

# How far above the least empirical risk the learner stops, the share of the deviation that the best
# predictor has, the largest loss, and two numbers for the experiment.
NUMBERS = {
    "c": fractions(0, 6, 7),
    "s": fractions(0, 1, 9),
    "B": [k / 2 for k in range(3, 41)],
    "thresholds": range(15, 32),
    "flipped": [k / 100 for k in range(10, 21)],
}


def tasks(numbers: dict[str, Any]) -> list[Derive | Implement | Explore]:
    """Return a derivation, two programs and a question."""
    return [
        almost_minimiser(numbers["c"], numbers["s"]),
        sample_size(numbers["B"]),
        threshold_erm(),
        Explore("bound_and_truth", points=4),
    ]


def almost_minimiser(c: Any, s: Any) -> Derive:
    """Return the risk of a learner that stops c deviations above the least empirical risk."""
    risk, least, empirical, best_empirical = reals("r r^* l l^*", nonnegative=True)
    d, e = reals("d e", positive=True)
    with as_written():
        last = least + e
    return Derive(
        "almost_minimiser",
        "a learner that is almost a minimiser",
        given=[
            Le(Abs(empirical - risk), d),
            Le(Abs(best_empirical - least), s * d),
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
                "largest": largest,
            }
            for _ in range(12)
        ]

    return Implement(
        "sample_size",
        returns=["the number of examples"],
        cases=cases,
        properties=[
            Property("that many examples are enough", 2, _enough),
            Property("one example fewer is not", 2, _needed),
        ],
    )


def _failure(case: Case, n: float) -> float:
    from mlnotes.pac_learning import pac_failure_bound

    # Losses up to B, measured in units of B, are losses up to one.
    return float(pac_failure_bound(n, case["n_predictors"], case["epsilon"] / case["largest"]))


def _whole(output: Output) -> int:
    n = float(output[0].item())
    if not n >= 1 or n != round(n):
        raise ValueError("a number of examples is a whole number")
    return int(n)


def _is_far_off(case: Case, n: int) -> bool:
    """Say whether ten times fewer examples are enough, or ten times more are not."""
    return bool(_failure(case, n // 10) <= case["delta"] or _failure(case, 10 * n) > case["delta"])


FAR_OFF = "Not even the power of ten is right: one number for all cases earns nothing."


def _enough(case: Case, output: Output) -> str:
    if _is_far_off(case, _whole(output)):
        return FAR_OFF
    if _failure(case, _whole(output)) <= case["delta"] * (1 + 1e-9):
        return ""
    return "With so few examples the bound on the failure is still above delta."


def _needed(case: Case, output: Output) -> str:
    n = _whole(output)
    if _is_far_off(case, n):
        return FAR_OFF
    if _failure(case, n - 1) > case["delta"] * (1 - 1e-9):
        return ""
    return "Fewer examples would do as well: the least number is asked for."


def threshold_erm() -> Implement:
    """Return the task to find the threshold with the least empirical risk."""

    def cases(random: np.random.Generator) -> list[Case]:
        out: list[Case] = []
        for n, size in ((8, 5), (40, 9), (61, 30)):
            x = random.uniform(size=n)
            y = np.where(x >= random.uniform(0.2, 0.8), 1, -1)
            y[random.random(n) < 0.2] *= -1
            grid = np.sort(random.uniform(size=size))
            grid[size // 2] = x[0]
            out.append({"x": x, "y": y, "grid": grid})
        # Thresholds at the points, one of which makes no mistake: what happens there decides.
        x = random.uniform(size=20)
        grid = np.sort(x)
        out.append({"x": x, "y": np.where(x >= grid[random.integers(5, 15)], 1, -1), "grid": grid})
        return out

    return Implement(
        "threshold_erm",
        returns=["the threshold", "its empirical risk"],
        cases=cases,
        properties=[
            Property("the threshold is one of the class", 1, _member),
            Property("the empirical risk is that of the threshold", 2, _own_risk),
            Property("no threshold of the class has a smaller one", 3, _least),
        ],
    )


def _risk(case: Case, threshold: Any) -> float:
    return float(np.mean(np.where(case["x"] >= threshold, 1, -1) != case["y"]))


def _member(case: Case, output: Output) -> str:
    near = np.isclose(case["grid"], output[0].item(), rtol=0, atol=1e-12)
    return "" if near.any() else "What you return first is not in the grid of thresholds."


def _own_risk(case: Case, output: Output) -> str:
    if np.isclose(output[1].item(), _risk(case, output[0].item())):
        return ""
    return "Count the mistakes of your threshold again: a point at the threshold is positive."


def _least(case: Case, output: Output) -> str:
    least = min(_risk(case, threshold) for threshold in case["grid"])
    if _risk(case, output[0].item()) <= least + 1e-12 and not _member(case, output):
        return ""
    return "Another threshold of the grid makes fewer mistakes."
