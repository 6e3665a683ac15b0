"""The assignment on decision trees: a leaf that does not answer its mean, the best cut, pruning."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from mlnotes.checks.derive import Derive, Line, shaped
from mlnotes.checks.explore import Explore
from mlnotes.checks.implement import Case, Implement, Output, Property, provided
from mlnotes.checks.sheets import fractions
from mlnotes.checks.values import Value
from mlnotes.proof import Eq, Sum, as_written, indices, integers, real_family, reals
from mlnotes.proof.forms import is_multiplied_out


def _squares(y: Any) -> float:
    return float(((y - np.mean(y)) ** 2).sum()) if len(y) else 0.0


def _distances(y: Any) -> float:
    return float(np.abs(y - np.median(y)).sum()) if len(y) else 0.0


# What a leaf loses, at the answer that loses least.
LOSSES: dict[str, Callable[[Any], float]] = {
    "the sum of squared distances from the mean": _squares,
    "the sum of absolute distances from the median": _distances,
}
# Which of several best thresholds is to be returned.
TIES = ("lowest", "highest")
# What the leaf of the derivation answers.
ANSWERS = ("b times the mean", "b more than the mean")
# The factor or addend of the derivation, what a cut must respect, the price of a leaf, two numbers
# for the experiment, and what the leaf answers.
NUMBERS = {
    "b": fractions(1, 7, 8),
    "loss": list(LOSSES),
    "least": range(2, 6),
    "ties": list(TIES),
    "price": [k / 4 for k in range(2, 13)],
    "samples": range(80, 160),
    "spread": [k / 20 for k in range(4, 13)],
    "answer": list(ANSWERS),
}


def tasks(numbers: dict[str, Any]) -> list[Derive | Implement | Explore]:
    """Return a derivation, two programs and a question."""
    return [
        leaf_answer(numbers["b"], numbers["answer"]),
        best_cut(numbers["loss"], numbers["least"], numbers["ties"]),
        cheapest(numbers["price"]),
        Explore("depth_and_noise", points=4),
    ]


def leaf_answer(b: Any, answer: str) -> Derive:
    """Return what a leaf loses that answers something else than its mean m."""
    n = integers("n", positive=True)
    i = indices("i")
    y = real_family("y")
    m, squares = reals("m S")
    with as_written():
        said = b * m if answer == ANSWERS[0] else m + b
        first = Sum((y[i] - said) ** 2, (i, 1, n))
        total, total_squares = Sum(y[i], (i, 1, n)), Sum(y[i] ** 2, (i, 1, n))
        last = squares - n * m**2
    return Derive(
        "leaf_answer",
        "a leaf that does not answer its mean",
        given=[Eq(total, n * m), Eq(total_squares, squares)],
        witness={n: 3, y: [1, 2, 6], m: 3, squares: 41},
        lines=[
            Line(term=first),
            Line(
                "=",
                because="multiply out, and take what does not depend on i out of the sums",
                points=3,
                hint="One term has the squares, one the targets themselves, one no target at all.",
                form=_expanded(has=[total, total_squares], without=[squares]),
                form_hint="The sum of the targets and that of their squares should stand there, "
                "and no bracket.",
            ),
            Line(
                "=",
                because="both sums are given",
                points=3,
                hint="The sum of the targets is n m, that of their squares is S.",
                form=shaped(has=[squares], without=[Sum]),
                form_hint="No sum should be left.",
            ),
            Line("≥", last, because="a square is not negative"),
        ],
        vocabulary={"n": n, "i": i, "y": y, "m": m, "S": squares},
    )


def _expanded(has: list[Any], without: list[Any]) -> Callable[[Any], bool]:
    """Return the question whether a term is multiplied out and has some parts and not others."""
    has_parts = shaped(has=has, without=without)
    return lambda term: is_multiplied_out(term) and has_parts(term)


def best_cut(loss: str, least: int, ties: str) -> Implement:
    """Return the task to find the best threshold of one feature."""
    lost = LOSSES[loss]

    def cases(random: np.random.Generator) -> list[Case]:
        out: list[Case] = []
        for size, values in ((2 * least, 40), (17, 6), (30, 12), (41, 100), (24, 8)):
            x = random.integers(0, values, size=size).astype(float)
            # Enough points at either end for a cut to exist.
            x[:least], x[least : 2 * least] = 0.0, float(values - 1)
            step = random.uniform(0.2, 0.8) * values
            y = 3.0 * (x > step) + np.round(random.normal(size=size), 1)
            out.append({"x": x, "y": y, "least": least})
        # Mirrored targets have two best gaps; a few high ones at an end tempt to a small side.
        ends = np.full(least, 5.0)
        mirrored = np.concatenate([ends, np.zeros(3 * least + 1), ends])
        tempting = np.where(np.arange(6 * least) < least - 1, 20.0, random.normal(size=6 * least))
        for y in (mirrored, tempting):
            out.append({"x": np.cumsum(random.uniform(1, 2, len(y))), "y": y, "least": least})
        return [_shuffled(case, random) for case in out]

    def gains(case: Case) -> dict[float, float]:
        """Return the decrease of the loss for each gap that may be cut, by its lower end."""
        x, y = case["x"], case["y"]
        allowed = [
            s for s in np.unique(x)[:-1] if least <= np.count_nonzero(x <= s) <= len(x) - least
        ]
        return {float(s): lost(y) - lost(y[x <= s]) - lost(y[x > s]) for s in allowed}

    def lower_end(case: Case, output: Output) -> float:
        """Return the largest value that goes to the left."""
        below = case["x"][case["x"] <= output[0]]
        return float(below.max()) if len(below) else -np.inf

    def useful(case: Case, output: Output) -> str:
        """Demand a cut that may be made, and a decrease of the right size."""
        found = gains(case)
        at = lower_end(case, output)
        if at not in found:
            return f"A side has fewer than {least} points."
        if not 0.5 * max(found.values()) <= output[1] <= 2 * max(found.values()):
            return "The decrease is not even of the right size."
        return ""

    def decrease(case: Case, output: Output) -> str:
        right = gains(case)[lower_end(case, output)]
        if np.isclose(output[1], right, rtol=1e-6, atol=1e-8):
            return ""
        return "At your threshold the loss does not fall by what you return."

    def best(case: Case, output: Output) -> str:
        found = gains(case)
        if found[lower_end(case, output)] >= max(found.values()) - 1e-9:
            return ""
        return "Another threshold decreases the loss more."

    def tie(case: Case, output: Output) -> str:
        found = gains(case)
        equal = [s for s, gain in found.items() if gain >= max(found.values()) - 1e-9]
        wanted = min(equal) if ties == "lowest" else max(equal)
        above = case["x"][case["x"] > wanted].min()
        if np.isclose(output[0], (wanted + above) / 2):
            return ""
        return f"The middle of the {ties} of the best gaps is asked for."

    properties: list[tuple[str, float, Callable[[Case, Output], str]]] = [
        ("the decrease is that of the threshold", 2, decrease),
        ("no threshold is better", 3, best),
        ("the threshold is the middle of the gap that is asked for", 1, tie),
    ]
    return Implement(
        "best_cut",
        returns=[
            Value("the threshold", lambda case: ()),
            Value("the decrease of the loss", lambda case: ()),
        ],
        cases=cases,
        properties=[
            Property(name, points, provided(useful, fails)) for name, points, fails in properties
        ],
        asks=f"a leaf loses {loss}; of several best gaps the {ties} one is taken.",
    )


def cheapest(price: float) -> Implement:
    """Return the task to prune a tree that is given as arrays."""

    def cases(random: np.random.Generator) -> list[Case]:
        return [_tree(random, size) for size in (3, 7, 15, 31, 41)]

    def cost(case: Case, kept: Any) -> float:
        return float(case["loss"][kept].sum() + price * len(kept))

    def least(case: Case) -> float:
        """Return the cost of the cheapest pruned tree; children come after their parents."""
        best = case["loss"] + price
        for node in reversed(range(len(best))):
            if case["left"][node] >= 0:
                split = best[case["left"][node]] + best[case["right"][node]]
                best[node] = min(best[node], split)
        return float(best[0])

    def pruned(case: Case, output: Output) -> str:
        """Demand that every way down from the root meets exactly one leaf."""
        leaf, stack = output[0], [0]
        met = 0
        while stack:
            node = stack.pop()
            if leaf[node] == 1:
                met += 1
            elif case["left"][node] < 0:
                return "Some way from the root ends at a node that is no leaf."
            else:
                stack += [int(case["left"][node]), int(case["right"][node])]
        if met == leaf.sum() and set(np.unique(leaf)) <= {0, 1}:
            return ""
        return "Below a leaf there are no other leaves; ones and zeros are asked for."

    def near(case: Case, output: Output) -> str:
        """Demand a pruned tree that is better than all leaves and than the root alone."""
        if fault := pruned(case, output):
            return fault
        trivial = min(cost(case, np.array([0])), cost(case, np.flatnonzero(case["left"] < 0)))
        found = cost(case, np.flatnonzero(output[0] == 1))
        if least(case) < trivial - 1e-9 and found >= trivial - 1e-9:
            return "This costs no less than all leaves, or than the root alone."
        return ""

    def says(case: Case, output: Output) -> str:
        if np.isclose(output[1], cost(case, np.flatnonzero(output[0] == 1)), rtol=1e-6):
            return ""
        return "The leaves that you keep do not cost what you return."

    def cheap(case: Case, output: Output) -> str:
        if cost(case, np.flatnonzero(output[0] == 1)) <= least(case) + 1e-9:
            return ""
        return "Another pruned tree costs less."

    return Implement(
        "cheapest",
        returns=[
            Value("the leaves", lambda case: case["loss"].shape, whole=True),
            Value("the cost", lambda case: ()),
        ],
        cases=cases,
        properties=[
            Property("the cost is that of the leaves", 1, provided(near, says)),
            Property("no pruned tree is cheaper", 3, provided(near, cheap)),
        ],
        asks=f"a leaf has the price {price:g}.",
    )


def _tree(random: np.random.Generator, size: int) -> Case:
    """Return a random tree as arrays, in which some subtrees are worth their leaves."""
    left, right = np.full(size, -1), np.full(size, -1)
    loss = np.zeros(size)
    loss[0] = 4.0 * size
    leaves, count = [0], 1
    while count < size:
        node = leaves.pop(int(random.integers(len(leaves))))
        left[node], right[node] = count, count + 1
        # The root is always worth its split; below it some splits save much and others little.
        kept = 0.3 if node == 0 else random.choice([0.2, 0.97])
        share = random.uniform(0.3, 0.7)
        loss[count], loss[count + 1] = kept * loss[node] * share, kept * loss[node] * (1 - share)
        leaves += [count, count + 1]
        count += 2
    return {"left": left, "right": right, "loss": loss}


def _shuffled(case: Case, random: np.random.Generator) -> Case:
    """Return the points of a case in another order."""
    order = random.permutation(len(case["x"]))
    return {**case, "x": case["x"][order], "y": case["y"][order]}
