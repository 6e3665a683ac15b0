"""The assignment on gradient descent: a step and a distance, a run to its end, stochastic steps."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from mlnotes.checks.derive import Derive, Line, shaped
from mlnotes.checks.explore import Explore
from mlnotes.checks.implement import Case, Implement, Output, Property, provided
from mlnotes.checks.sheets import fractions
from mlnotes.checks.values import Value
from mlnotes.proof import Ge, Le, as_written, dot, norm2, reals, vectors
from mlnotes.proof.forms import parts, stands_in

# Which way a step of the derivation leads, with the sign of the subgradient in it.
RUNS = {"descent": -1, "ascent": 1}
# When a run ends: which size of the gradient is compared with the tolerance.
STOPS: dict[str, Callable[[Any], float]] = {
    "the Euclidean length of the gradient": lambda g: float(np.linalg.norm(g)),
    "the largest absolute entry of the gradient": lambda g: float(np.abs(g).max()),
}
# The derivative of the loss of an example in its score, at a score and a target.
LOSSES: dict[str, Callable[[float, float], float]] = {
    "half the squared difference of score and target": lambda s, y: s - y,
    "the absolute difference of score and target": lambda s, y: float(np.sign(s - y)),
}
# The rate of the derivation and which way it leads; the rate of the run, as a multiple of one over
# the largest curvature, and when it ends; the loss of the stochastic steps; the experiment.
NUMBERS = {
    "b": fractions(1, 7, 8),
    "runs": list(RUNS),
    "share": [k / 20 for k in range(8, 38)],
    "stop": list(STOPS),
    "loss": list(LOSSES),
    "ratio": range(20, 120),
    "steps": range(40, 80),
}


def tasks(numbers: dict[str, Any]) -> list[Derive | Implement | Explore]:
    """Return a derivation, two programs and a question."""
    return [
        closer(numbers["b"], numbers["runs"]),
        descend(numbers["share"], numbers["stop"]),
        stochastic(numbers["loss"]),
        Explore("rate_and_curvature", points=4),
    ]


def closer(b: Any, runs: str) -> Derive:
    """Return when a step along a subgradient comes closer to a point z."""
    theta, z, g = vectors("theta z g")
    delta, G = reals("delta G")
    sign = RUNS[runs]
    with as_written():
        after = theta - b * g if sign < 0 else theta + b * g
        towards = dot(g, theta - z) if sign < 0 else dot(g, z - theta)
        first, last = norm2(after - z), norm2(theta - z)
    return Derive(
        "closer",
        f"a step of {runs} and the distance to z",
        given=[Ge(towards, delta), Le(norm2(g), G**2), Ge(2 * delta, b * G**2)],
        witness={theta: [4], z: [0], g: [-sign], delta: 4, G: 1},
        lines=[
            Line(term=first),
            Line(
                "=",
                because="expand the square about the point before the step",
                points=3,
                hint="A square of a sum has two squares and a product.",
                form=_expanded(g, [theta, z], shaped(has=[norm2(g)], without=[delta, G])),
                form_hint="The squared length of g should stand there, and the square of the "
                "distance after the step no longer.",
            ),
            Line(
                "≤",
                because="the gap is at least delta, and g is no longer than G",
                points=2,
                hint="Replace the inner product by delta and the squared length by its bound.",
                form=shaped(has=[delta, G], without=[g]),
                form_hint="The vector g should be gone.",
            ),
            Line("≤", last, because="delta is large enough"),
        ],
        vocabulary={"theta": theta, "z": z, "g": g, "delta": delta, "G": G},
    )


def _expanded(g: Any, points: list[Any], shape: Callable[[Any], bool]) -> Callable[[Any], bool]:
    """Return the question whether g stands in no sum with a point under an inner product."""

    def mixed(vector: Any) -> bool:
        return stands_in(vector, g) and any(stands_in(vector, p) for p in points)

    return lambda term: (
        shape(term) and not any(mixed(v) for product in parts(term, dot) for v in product.args)
    )


def descend(share: float, stop: str) -> Implement:
    """Return the task to run gradient descent on a quadratic function until it may stop."""
    size = STOPS[stop]

    def cases(random: np.random.Generator) -> list[Case]:
        out: list[Case] = []
        for d, ratio in ((2, 5.0), (3, 20.0), (5, 40.0), (8, 10.0)):
            axes, _ = np.linalg.qr(random.normal(size=(d, d)))
            curvatures = random.uniform(0.5, 2.0) * np.geomspace(1.0, ratio, d)
            A = (axes * curvatures) @ axes.T
            start = 3.0 * random.normal(size=d)
            out.append(
                {"A": (A + A.T) / 2, "c": random.normal(size=d), "start": start, "tol": 1e-3}
            )
        return out

    def place(case: Case, steps: int) -> Any:
        """Return where a run is after so many steps, in closed form along the axes."""
        curvatures, axes = np.linalg.eigh(case["A"])
        lowest = np.linalg.solve(case["A"], case["c"])
        factors = (1.0 - share / curvatures[-1] * curvatures) ** steps
        return lowest + axes @ (factors * (axes.T @ (case["start"] - lowest)))

    def gradient(case: Case, point: Any) -> Any:
        return case["A"] @ point - case["c"]

    def needed(case: Case) -> int:
        steps = 0
        while size(gradient(case, place(case, steps))) > case["tol"]:
            steps += 1
        return steps

    def arrived(case: Case, output: Output) -> str:
        """Demand a short gradient, and a number of steps that is not far off."""
        if size(gradient(case, output[0])) > case["tol"] * (1 + 1e-6):
            return "The gradient at the point that you return is not yet short enough."
        if not 0.5 * needed(case) <= output[1] <= 2 * needed(case):
            return "The number of steps is not even of the right size."
        return ""

    def on_the_path(case: Case, output: Output) -> str:
        if np.allclose(output[0], place(case, int(output[1])), rtol=1e-6, atol=1e-7):
            return ""
        return "So many steps of this rate do not lead to the point that you return."

    def first_time(case: Case, output: Output) -> str:
        if output[1] == needed(case):
            return ""
        return "The run should end at the first point where the gradient is short enough."

    return Implement(
        "descend",
        returns=[
            Value("the point", lambda case: case["start"].shape),
            Value("the number of steps", lambda case: (), whole=True),
        ],
        cases=cases,
        properties=[
            Property("the steps lead to the point", 3, provided(arrived, on_the_path)),
            Property("it stops in time", 2, provided(arrived, first_time)),
        ],
        asks=f"the rate is {share:g} over the largest curvature; compare {stop} with tol.",
    )


def stochastic(loss: str) -> Implement:
    """Return the task to take stochastic steps with a penalty that is shared."""
    slope = LOSSES[loss]

    def cases(random: np.random.Generator) -> list[Case]:
        out: list[Case] = []
        for n, d, penalty in ((4, 2, 0.0), (6, 3, 3.0), (9, 4, 0.0), (12, 3, 5.0)):
            X, y = random.normal(size=(n, d)), random.normal(size=n)
            order = np.concatenate([random.permutation(n) for _ in range(2)])
            rates = 0.3 / np.sqrt(1.0 + np.arange(len(order)))
            out.append({"X": X, "y": y, "order": order, "rates": rates, "penalty": penalty})
        return out

    def path(case: Case, factor: float) -> Any:
        """Return the weights after every step, with a multiple of the penalty."""
        X, y = case["X"], case["y"]
        theta = np.zeros(X.shape[1])
        found = [theta]
        for rate, i in zip(case["rates"], case["order"], strict=True):
            pull = slope(float(X[i] @ theta), float(y[i])) * X[i]
            theta = theta - rate * (pull + factor * case["penalty"] * theta)
            found.append(theta)
        return np.array(found)

    def begins(case: Case, output: Output) -> str:
        """Demand a start at zero and a first step, which the penalty does not change."""
        if np.allclose(output[0][:2], path(case, 0.0)[:2]):
            return ""
        return "From zero, the first step is that of the first example in the order."

    def unpenalised(case: Case, output: Output) -> str:
        if case["penalty"] or np.allclose(output[0], path(case, 0.0)):
            return ""
        return "Without a penalty, a step is not the one against the gradient of its example."

    def penalised(case: Case, output: Output) -> str:
        if not case["penalty"] or np.allclose(output[0], path(case, 1.0 / len(case["X"]))):
            return ""
        return "With a penalty, a step does not take its share of it, at the weights before it."

    return Implement(
        "stochastic",
        returns=[
            Value(
                "the weights after every step",
                lambda case: (len(case["order"]) + 1, case["X"].shape[1]),
            )
        ],
        cases=cases,
        properties=[
            Property("each step is that of its example", 3, provided(begins, unpenalised)),
            Property("each takes its share of the penalty", 2, provided(begins, penalised)),
        ],
        asks=f"the loss of an example is {loss}.",
    )
