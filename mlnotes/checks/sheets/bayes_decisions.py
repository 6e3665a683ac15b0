"""The assignment on Bayes decisions: a threshold with costs, a rule that may refuse, a cut."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np

from mlnotes.checks.derive import Derive, Line
from mlnotes.checks.explore import Explore
from mlnotes.checks.implement import Case, Implement, Output, Property, provided
from mlnotes.checks.sheets import fractions
from mlnotes.checks.values import Value
from mlnotes.proof import Ge, Le, as_written, reals
from mlnotes.proof.forms import is_multiplied_out, mentions, stands_in_squares

# On which side of the threshold the rule of the derivation decides for class one.
SIDES = ("to the right of t", "to the left of t")
# Which of several best decisions, or thresholds, is to be returned.
TIES = ("lowest", "highest")
# What a miss costs in the derivation, what a refusal costs, what a miss and a false alarm cost in
# the second program, and two numbers for the experiment.
NUMBERS = {
    "b": fractions(1, 7, 8),
    "side": list(SIDES),
    "price": [k / 40 for k in range(8, 17)],
    "ties": list(TIES),
    "miss": range(2, 12),
    "alarm": [0.5, 1.0, 1.5],
    "samples": range(200, 400),
    "share": [k / 20 for k in range(1, 8)],
}


def tasks(numbers: dict[str, Any]) -> list[Derive | Implement | Explore]:
    """Return a derivation, two programs and a question."""
    return [
        threshold_cost(numbers["b"], numbers["side"]),
        decide(numbers["price"], numbers["ties"]),
        cheapest_threshold(numbers["miss"], numbers["alarm"], numbers["ties"]),
        Explore("other_priors", points=4),
    ]


def threshold_cost(b: Any, side: str) -> Derive:
    """Return what a threshold costs in the triangular problem if a miss costs b."""
    t = reals("t")
    right = side == SIDES[0]
    with as_written():
        if right:
            first = b * (t**2 / 2) + (1 - t) ** 2 / 2
            last = b / (2 * (1 + b))
        else:
            first = b * ((1 - t**2) / 2) + (t - t**2 / 2)
            last = b / 2 + 1 / (2 * (1 + b))
    return Derive(
        "threshold_cost",
        "the cost of a threshold",
        given=[Ge(t, 0), Le(t, 1)],
        witness={t: Fraction(1, 3)},
        lines=[
            Line(term=first),
            Line(
                "=",
                because="multiply out, and collect the powers of t",
                points=2,
                hint="One term has the square of t, one has t, one has neither.",
                form=lambda term: is_multiplied_out(term) and mentions(term, t),
                form_hint="No bracket with t in it should be left.",
            ),
            Line(
                "=",
                because="complete the square",
                points=4,
                hint="Take the factor of the square of t out of the first two terms.",
                form=lambda term: stands_in_squares(term, t),
                form_hint="t should stand in the square of a sum, and nowhere else.",
            ),
            Line("≥" if right else "≤", last, because="a square is not negative"),
        ],
        vocabulary={"t": t},
    )


def decide(price: float, ties: str) -> Implement:
    """Return the task to decide at the least risk, or to refuse."""

    def cases(random: np.random.Generator) -> list[Case]:
        out: list[Case] = []
        for inputs, classes in ((6, 2), (12, 3), (30, 4), (50, 3), (20, 2)):
            likelihoods = random.dirichlet(np.full(inputs, 0.4), size=classes).T + 1e-4
            likelihoods /= likelihoods.sum(axis=0)
            loss = random.uniform(0.6, 2.0, size=(classes, classes))
            np.fill_diagonal(loss, 0.0)
            # The last decision is the first one once more, so that there are ties.
            out.append(
                {
                    "likelihoods": likelihoods,
                    "priors": random.dirichlet(np.full(classes, 5.0)),
                    "loss": np.vstack([loss, loss[:1]]),
                }
            )
        return out

    def costs(case: Case) -> Any:
        """Return the joint cost of each decision at each input, refusal last."""
        joint = case["likelihoods"] * case["priors"]
        refused = price * joint.sum(axis=1, keepdims=True)
        return np.hstack([joint @ case["loss"].T, refused])

    def paid(case: Case, decisions: Any) -> float:
        table = costs(case)
        return float(table[np.arange(len(table)), decisions].sum())

    def useful(case: Case, output: Output) -> str:
        """Demand decisions that are much better than one for all inputs."""
        table = costs(case)
        if output[0].min() < 0 or output[0].max() >= table.shape[1]:
            return "A decision is a row of the loss, or their number for a refusal."
        least, constant = table.min(axis=1).sum(), table.sum(axis=0).min()
        if paid(case, output[0]) > (least + constant) / 2:
            return "This is hardly better than one decision for all inputs."
        return ""

    def best(case: Case, output: Output) -> str:
        if paid(case, output[0]) <= costs(case).min(axis=1).sum() + 1e-9:
            return ""
        return "At some input another decision, or a refusal, costs less."

    def tie(case: Case, output: Output) -> str:
        table = costs(case) / costs(case)[:, -1:]
        equal = table <= table.min(axis=1, keepdims=True) + 1e-9
        wanted = (
            equal.argmax(axis=1)
            if ties == "lowest"
            else equal.shape[1] - 1 - equal[:, ::-1].argmax(axis=1)
        )
        if (output[0] == wanted).all():
            return ""
        return f"Of equally good decisions the {ties} number is asked for."

    def says(case: Case, output: Output) -> str:
        if np.isclose(output[1], paid(case, output[0]), rtol=1e-6, atol=1e-9):
            return ""
        return "Your decisions do not have the risk that you return."

    properties: list[tuple[str, float, Callable[[Case, Output], str]]] = [
        ("no decision is better at any input", 3, best),
        ("of equally good decisions the right one is made", 1, tie),
        ("the risk is that of the decisions", 2, says),
    ]
    return Implement(
        "decide",
        returns=[
            Value("the decisions", lambda case: case["likelihoods"].shape[:1], whole=True),
            Value("the risk", lambda case: ()),
        ],
        cases=cases,
        properties=[
            Property(name, points, provided(useful, fails)) for name, points, fails in properties
        ],
        asks=f"a refusal costs {price:g}; of equally good decisions the {ties} number is taken.",
    )


def cheapest_threshold(miss: float, alarm: float, ties: str) -> Implement:
    """Return the task to find the cheapest threshold on a sample of scores."""

    def cases(random: np.random.Generator) -> list[Case]:
        out: list[Case] = []
        for n, apart in ((12, 2.0), (40, 1.0), (80, 1.5), (200, 0.7)):
            labels = (np.arange(n) % 3 == 0).astype(int)
            scores = np.round(random.normal(size=n) + apart * labels, 2)
            # The lowest score is no case and the highest one is, so that a cut between pays.
            scores[1], scores[0] = scores.min() - 0.5, scores.max() + 0.5
            out.append({"scores": scores, "labels": labels})
        # Two gaps that cost the same: false alarms for as much as one miss lie between them.
        between = round(miss / alarm) if miss % alarm == 0 else 0
        marks = [0, 0, 1, *([0] * between), 1, 1, 1]
        out.append({"scores": np.arange(len(marks)) + 0.25, "labels": np.array(marks)})
        return [_shuffled(case, random) for case in out]

    def costs(case: Case) -> dict[float, float]:
        """Return the cost of each gap between neighbouring scores, by its middle."""
        values = np.unique(case["scores"])
        return {float(s): cost(case, s) for s in (values[:-1] + values[1:]) / 2}

    def cost(case: Case, threshold: float) -> float:
        alarms = case["scores"] > threshold
        misses = np.count_nonzero(~alarms & (case["labels"] == 1))
        return float(miss * misses + alarm * np.count_nonzero(alarms & (case["labels"] == 0)))

    def useful(case: Case, output: Output) -> str:
        """Demand a threshold that is better than no alarm and than nothing but alarms."""
        least = min(costs(case).values())
        trivial = min(cost(case, -np.inf), cost(case, np.inf))
        if cost(case, float(output[0])) > (least + trivial) / 2:
            return "This is hardly better than the same answer for all."
        return ""

    def says(case: Case, output: Output) -> str:
        if np.isclose(output[1], cost(case, float(output[0])), rtol=1e-6):
            return ""
        return "Your threshold does not cost what you return."

    def cheapest(case: Case, output: Output) -> str:
        found = costs(case)
        equal = [s for s, paid in found.items() if paid <= min(found.values()) + 1e-9]
        wanted = min(equal) if ties == "lowest" else max(equal)
        if cost(case, float(output[0])) > min(found.values()) + 1e-9:
            return "Another threshold costs less."
        if not np.isclose(output[0], wanted):
            return f"The middle of the {ties} of the cheapest gaps is asked for."
        return ""

    return Implement(
        "cheapest_threshold",
        returns=[
            Value("the threshold", lambda case: ()),
            Value("the cost", lambda case: ()),
        ],
        cases=cases,
        properties=[
            Property("the cost is that of the threshold", 1, provided(useful, says)),
            Property("it is the cheapest gap that is asked for", 3, provided(useful, cheapest)),
        ],
        asks=f"a miss costs {miss:g} and a false alarm {alarm:g}; of several cheapest gaps the "
        f"{ties} one is taken.",
    )


def _shuffled(case: Case, random: np.random.Generator) -> Case:
    """Return the scores of a case in another order."""
    order = random.permutation(len(case["labels"]))
    return {name: values[order] for name, values in case.items()}
