"""The assignment on support vector machines: the dual by elimination, and a fit with no gap."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from mlnotes.checks.derive import Derive, Line, shaped
from mlnotes.checks.explore import Explore
from mlnotes.checks.implement import Case, Implement, Output, Property, provided
from mlnotes.checks.sheets import fractions
from mlnotes.checks.values import Value
from mlnotes.data import make_noisy
from mlnotes.proof import (
    Eq,
    Sum,
    as_written,
    dot,
    indices,
    integers,
    norm2,
    real_family,
    reals,
    vector_family,
    vectors,
)
from mlnotes.proof.forms import monomials, opened, parts, stands_in

# What the derivation asks of the objective, and the sign that it has then.
GOALS = {"minimised": 1, "maximised": -1}
# The weight of the norm in the derivation, the margin in it and in the program, the price of slack
# in the program, a number for the experiment, and what is done with the objective.
NUMBERS = {
    "c": fractions(1, 9, 9),
    "m": fractions(1, 9, 9),
    "C": [k / 10 for k in range(2, 41)],
    "points": range(30, 61),
    "goal": list(GOALS),
}


def tasks(numbers: dict[str, Any]) -> list[Derive | Implement | Explore]:
    """Return a derivation, a program and a question."""
    return [
        dual(numbers["c"], numbers["m"], GOALS[numbers["goal"]]),
        svm(numbers["C"], float(numbers["m"])),
        Explore("price_and_margin", points=4),
    ]


def dual(c: Any, m: Any, sign: int) -> Derive:
    """Return the elimination of θ and θ₀ from the Lagrangian of margin m, the norm weighed c/2.

    Where the norm with a minus is maximised the Lagrangian has the other sign.
    """
    n = integers("n", positive=True)
    i, j = indices("i j")
    theta = vectors("theta")
    x = vector_family("x")
    y, alpha = real_family("y"), real_family("alpha", nonnegative=True)
    theta_0 = reals("theta_0")
    span = Sum(alpha[i] * y[i] * x[i], (i, 1, n))
    balance = Eq(Sum(alpha[i] * y[i], (i, 1, n)), 0)
    half = Fraction(1, 2)
    inverse, weight, margin, share = 1 / c, sign * c * half, sign * m, -sign * half / c
    with as_written():
        reached = y[i] * (dot(theta, x[i]) + theta_0)
        kept = m - reached if sign > 0 else reached - m
        first = weight * norm2(theta) + Sum(alpha[i] * kept, (i, 1, n))
        last = margin * Sum(alpha[i], (i, 1, n)) + share * Sum(
            alpha[i] * alpha[j] * y[i] * y[j] * dot(x[i], x[j]), (i, 1, n), (j, 1, n)
        )
        stationary = Eq(theta, inverse * span)
    return Derive(
        "dual",
        "the Lagrangian without its primal variables",
        given=[stationary, balance],
        witness={
            n: 2,
            x: [[1, 0], [-1, 0]],
            y: [1, -1],
            alpha: [half, half],
            theta: [inverse, 0],
            theta_0: 0,
        },
        lines=[
            Line(term=first),
            Line(
                "=",
                because="sort the terms: one sum for each",
                points=2,
                hint="Multiply the bracket out and give each of its three terms its own sum.",
                form=lambda term: _sums_are_split(term) and shaped(has=[theta_0, theta])(term),
                form_hint="Each term has its own sum; the weights and the offset are still there.",
            ),
            Line(
                "=",
                because="the multipliers are balanced",
                points=2,
                hint="One of the sums is given to be zero.",
                form=shaped(has=[theta], without=[theta_0]),
                form_hint="The offset should be gone, and the weights not yet.",
            ),
            Line(
                "=",
                because="the weights are made of the points",
                points=2,
                hint="Put in what the weights are; two of the terms are then of the same kind.",
                form=lambda term: (
                    shaped(without=[theta_0, theta])(term) and _has_product_of_a_sum(term)
                ),
                form_hint="No weights, no offset, but an inner product or squared length of a sum.",
            ),
            Line("=", last, because="expand the squared norm of a sum"),
        ],
        vocabulary={
            **{"n": n, "i": i, "j": j, "x": x, "y": y, "alpha": alpha},
            **{"theta": theta, "theta_0": theta_0},
        },
    )


def _sums_are_split(term: Any) -> bool:
    """Say whether under no summation sign there is a sum of terms, also when multiplied out."""
    bodies = [opened(part)[-1] for part in parts(term, "sum")]
    return not any(stands_in(body, "+") or len(monomials(body)) > 1 for body in bodies)


def _has_product_of_a_sum(term: Any) -> bool:
    return any(stands_in(part, Sum) for part in parts(term, "dot"))


def svm(C: float, m: float) -> Implement:
    """Return the program to write, tried on points that no line separates."""

    def cases(random: np.random.Generator) -> list[Case]:
        out: list[Case] = []
        for n, d in ((16, 2), (30, 3)):
            sample = make_noisy(n, d, flip=0.1, random_state=random)
            X = 2 * sample.X + random.normal(size=d)
            y = sample.y.copy()
            y[:2] = 1, -1
            out.append({"X": X, "y": y, "C": C})
        return out

    def primal(case: Case, output: Output) -> float:
        """Return the objective; in units of the margin the machine is the usual one."""
        from mlnotes.support_vector_machines import primal_objective

        theta, theta_0 = output[0] / m, float(output[1]) / m
        return m**2 * primal_objective(case["X"], case["y"], theta, theta_0, C=C / m)

    def dual(case: Case, output: Output) -> float:
        from mlnotes.support_vector_machines import dual_objective

        value = dual_objective(case["X"] @ case["X"].T, case["y"], output[2])
        return float(value + (m - 1) * output[2].sum())

    def least(case: Case) -> float:
        from mlnotes.support_vector_machines import LinearSVM

        return float(m**2 * LinearSVM(C=C / m).fit(case["X"], case["y"]).objective_)

    def arrives(case: Case, output: Output) -> str:
        """Demand multipliers near the best: equal ones are feasible and span weights as well."""
        if _feasible(case, output):
            return _feasible(case, output)
        if dual(case, output) >= 0.98 * least(case):
            return ""
        return "Other multipliers have a much larger dual value."

    def gap(case: Case, output: Output) -> str:
        value, best = dual(case, output), primal(case, output)
        if _feasible(case, output) or not best - value <= 2e-3 * (1 + abs(best)):
            return (
                f"The primal value is {best:.4g} and the dual value {value:.4g}: they should meet."
            )
        return ""

    def objective(case: Case, output: Output) -> str:
        best = least(case)
        if primal(case, output) <= best + 2e-3 * (1 + best):
            return ""
        return "Other weights and another offset have a smaller objective on the same points."

    return Implement(
        "svm",
        returns=[
            Value("the weights", lambda case: (case["X"].shape[1],)),
            Value("the offset", lambda case: ()),
            Value("the multipliers", lambda case: case["y"].shape),
        ],
        cases=cases,
        properties=[
            Property(
                "the multipliers are balanced, between 0 and C, and near the best", 2, arrives
            ),
            Property("the weights are made of the points", 2, provided(arrives, _stationary)),
            Property("the duality gap is closed", 3, gap),
            Property("the objective is as small as the package's", 3, objective),
        ],
        seconds=20.0,
        asks=f"the margin is {m:g} in the place of 1.",
    )


def _feasible(case: Case, output: Output) -> str:
    alpha, C = output[2], case["C"]
    if not ((alpha >= -1e-6 * C) & (alpha <= (1 + 1e-6) * C)).all():
        return "Some multiplier is negative or above C."
    if not (alpha > 0).any():
        return "All multipliers are zero: then nothing holds the plane."
    if abs(case["y"] @ alpha) > 1e-4 * C:
        return "The multipliers of the two classes do not have the same sum."
    return ""


def _stationary(case: Case, output: Output) -> str:
    if np.allclose(output[0], (output[2] * case["y"]) @ case["X"], rtol=1e-4, atol=1e-5):
        return ""
    return "The weights you return are not those that your multipliers give."
