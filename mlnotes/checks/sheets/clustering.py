"""The assignment on clustering: squares over pairs, a round of k-means, the cheapest merger."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from typing import Any

import numpy as np

from mlnotes.checks.derive import Derive, Line, shaped
from mlnotes.checks.explore import Explore
from mlnotes.checks.implement import Case, Implement, Output, Property, provided
from mlnotes.checks.sheets import fractions
from mlnotes.checks.values import Value
from mlnotes.proof import Eq, Le, Sum, as_written, indices, integers, real_family, reals
from mlnotes.proof.forms import is_multiplied_out


def _tables(X: Any, Y: Any) -> Any:
    return np.sqrt(((X[:, None] - Y) ** 2).sum(axis=2))


def _ward(X: Any, Y: Any) -> float:
    gap = X.mean(axis=0) - Y.mean(axis=0)
    return float(len(X) * len(Y) / (len(X) + len(Y)) * (gap @ gap))


# What the merger of two clusters costs.
LINKAGES: dict[str, Callable[[Any, Any], float]] = {
    "the least distance between their points": lambda X, Y: float(_tables(X, Y).min()),
    "the largest distance between their points": lambda X, Y: float(_tables(X, Y).max()),
    "the mean distance between their points": lambda X, Y: float(_tables(X, Y).mean()),
    "what their merger adds to the sum of squares within clusters": _ward,
}
# Which of several nearest centres gets a point, and what becomes of a centre without points.
TIES = ("first", "last")
IDLE = ("stays where it is", "moves to the point farthest from its centre")
# What is squared for each pair of points in the derivation.
SQUARED = ("b times one less the other", "one and b times the other")
NUMBERS = {
    "b": fractions(1, 7, 8),
    "squared": list(SQUARED),
    "ties": list(TIES),
    "idle": list(IDLE),
    "linkage": list(LINKAGES),
    "points": range(80, 160),
    "groups": range(4, 8),
    "spread": [k / 20 for k in range(8, 17)],
}


def tasks(numbers: dict[str, Any]) -> list[Derive | Implement | Explore]:
    """Return a derivation, two programs and a question."""
    return [
        pair_squares(numbers["b"], numbers["squared"]),
        one_round(numbers["ties"], numbers["idle"]),
        cheapest_merger(numbers["linkage"]),
        Explore("starts_and_ends", points=4),
    ]


def pair_squares(b: Any, squared: str) -> Derive:
    """Return a sum of squares over all pairs of points on a line."""
    n = integers("n", positive=True)
    i, j = indices("i j")
    x = real_family("x")
    m, squares = reals("m S")
    with as_written():
        pair = b * x[i] - x[j] if squared == SQUARED[0] else x[i] + b * x[j]
        first = Sum(Sum(pair**2, (j, 1, n)), (i, 1, n))
        total, total_squares = Sum(x[i], (i, 1, n)), Sum(x[i] ** 2, (i, 1, n))
        last = (b - 1) ** 2 * n * squares if squared == SQUARED[0] else (1 + b**2) * n * squares
    return Derive(
        "pair_squares",
        "squares over all pairs",
        given=[Eq(total, n * m), Eq(total_squares, squares), Le(n * m**2, squares)],
        witness={n: 3, x: [1, 2, 6], m: 3, squares: 41},
        lines=[
            Line(term=first),
            Line(
                "=",
                because="multiply out, and write every double sum by sums over one index",
                points=3,
                hint="A sum of products over all pairs is a product of two sums.",
                form=_expanded(has=[total, total_squares], without=[squares]),
                form_hint="The sum of the points and that of their squares should stand there, "
                "and no bracket.",
            ),
            Line(
                "=",
                because="both sums are given",
                points=3,
                hint="The sum of the points is n m, that of their squares is S.",
                form=shaped(has=[squares], without=[Sum]),
                form_hint="No sum should be left.",
            ),
            Line("≥", last, because="n times the square of the mean is at most S"),
        ],
        vocabulary={"n": n, "i": i, "j": j, "x": x, "m": m, "S": squares},
    )


def _expanded(has: list[Any], without: list[Any]) -> Callable[[Any], bool]:
    """Return the question whether a term is multiplied out and has some parts and not others."""
    has_parts = shaped(has=has, without=without)
    return lambda term: is_multiplied_out(term) and has_parts(term)


def one_round(ties: str, idle: str) -> Implement:
    """Return the task to carry out one round of k-means."""

    def cases(random: np.random.Generator) -> list[Case]:
        out: list[Case] = []
        for n, d, k in ((12, 1, 2), (20, 2, 3), (30, 3, 4), (25, 2, 5), (16, 1, 3)):
            # Whole numbers, and two centres that mirror each other about a point: ties occur.
            X = random.integers(-6, 7, size=(n, d)).astype(float)
            centres = X[:k] + random.integers(1, 3, size=(k, d))
            centres[1] = 2 * X[0] - centres[0]
            # The others have the points far from there.
            far = np.argsort(((X[:-1] - X[0]) ** 2).sum(axis=1))[::-1]
            centres[2:] = X[far[: k - 2]] + 0.25
            if k > 2:
                centres[-1] = 60.0 + random.integers(0, 9)  # nearest to no point
            # One point farther from its centre than all others.
            X[-1] = -25.0 - random.integers(0, 9)
            out.append({"X": X, "centres": centres})
        return out

    def table(case: Case) -> Any:
        return ((case["X"][:, None] - case["centres"]) ** 2).sum(axis=2)

    def near(case: Case) -> Any:
        squares = table(case)
        return np.isclose(squares, squares.min(axis=1, keepdims=True), rtol=1e-9, atol=1e-9)

    def useful(case: Case, output: Output) -> str:
        """Demand that most points go to a nearest centre and that centres move towards means."""
        labels, moved = output[0], output[1]
        k = len(case["centres"])
        if labels.min() < 0 or labels.max() >= k:
            return f"A label is not one of 0 to {k - 1}."
        if near(case)[np.arange(len(labels)), labels].mean() < 0.8:
            return "Most points are not with their nearest centre."
        for c in np.unique(labels):
            mean = case["X"][labels == c].mean(axis=0)
            before = float(np.linalg.norm(case["centres"][c] - mean))
            after = float(np.linalg.norm(moved[c] - mean))
            if after > max(0.5, before / 2):
                return f"Centre {c} has not moved towards its points."
        return ""

    def assigned(case: Case, output: Output) -> str:
        nearest = near(case)
        first = nearest.argmax(axis=1)
        last = nearest.shape[1] - 1 - nearest[:, ::-1].argmax(axis=1)
        if (output[0] == (first if ties == "first" else last)).all():
            return ""
        return f"A point is not with the {ties} of its nearest centres."

    def means(case: Case, output: Output) -> str:
        labels, moved = output[0], output[1]
        for k in np.unique(labels):
            if not np.allclose(moved[k], case["X"][labels == k].mean(axis=0)):
                return f"Centre {k} is not the mean of the points that you gave it."
        return ""

    def lazy(case: Case, output: Output) -> str:
        labels, moved = output[0], output[1]
        own = table(case)[np.arange(len(labels)), labels]
        for k in set(range(len(moved))) - set(labels.tolist()):
            stays = np.allclose(moved[k], case["centres"][k])
            farthest = np.allclose(moved[k], case["X"][own.argmax()])
            if not (stays if idle == IDLE[0] else farthest):
                return f"Centre {k} has no points, and it {idle} on your sheet."
        return ""

    def gain(case: Case, output: Output) -> str:
        labels = output[0]
        rows, squares = np.arange(len(labels)), table(case)
        means_of = {k: case["X"][labels == k].mean(axis=0) for k in np.unique(labels)}
        after = sum(((case["X"][i] - means_of[labels[i]]) ** 2).sum() for i in rows)
        if np.isclose(output[2], squares[rows, labels].sum() - after, rtol=1e-6, atol=1e-8):
            return ""
        return "Moving the centres to the means lowers the cost by something else."

    properties: list[tuple[str, float, Callable[[Case, Output], str]]] = [
        ("every point goes to the centre that the sheet asks for", 2, assigned),
        ("centres with points are their means", 2, means),
        ("a centre without points does what the sheet says", 1, lazy),
        ("the gain is that of the move to the means", 1, gain),
    ]
    return Implement(
        "one_round",
        returns=[
            Value("the labels", lambda case: (len(case["X"]),), whole=True),
            Value("the new centres", lambda case: case["centres"].shape),
            Value("the gain", lambda case: ()),
        ],
        cases=cases,
        properties=[
            Property(name, points, provided(useful, fails)) for name, points, fails in properties
        ],
        asks=f"of several nearest centres the {ties} one gets a point; a centre without points "
        f"{idle}.",
    )


def cheapest_merger(linkage: str) -> Implement:
    """Return the task to find the two clusters to merge next."""
    of = LINKAGES[linkage]

    def cases(random: np.random.Generator) -> list[Case]:
        out: list[Case] = []
        for n, k in ((8, 3), (15, 4), (24, 5), (30, 6), (20, 8)):
            middles = random.normal(size=(k, 2)) * 4
            labels = np.concatenate([np.arange(k), random.integers(0, k, size=n - k)])
            scale = random.uniform(0.2, 3.0, size=k)
            X = middles[labels] + scale[labels, None] * random.normal(size=(n, 2))
            out.append({"X": X, "labels": labels})
        return out

    def price(case: Case, pair: Any) -> float:
        X, labels = case["X"], case["labels"]
        return of(X[labels == pair[0]], X[labels == pair[1]])

    def prices(case: Case) -> list[float]:
        return [price(case, pair) for pair in combinations(range(case["labels"].max() + 1), 2)]

    def useful(case: Case, output: Output) -> str:
        """Demand two different clusters, cheaper to merge than most, and a price of their size."""
        pair = output[0]
        if pair[0] == pair[1] or pair.min() < 0 or pair.max() > case["labels"].max():
            return "Two different clusters are asked for."
        if price(case, pair) > np.median(prices(case)):
            return "Most other pairs are cheaper."
        if not 0.5 * price(case, pair) <= output[1] <= 2 * price(case, pair):
            return "The price is not even of the right size."
        return ""

    def says(case: Case, output: Output) -> str:
        if np.isclose(output[1], price(case, output[0]), rtol=1e-6, atol=1e-9):
            return ""
        return "Merging your two clusters has another price."

    def cheap(case: Case, output: Output) -> str:
        if price(case, output[0]) <= min(prices(case)) + 1e-9:
            return ""
        return "Another pair is cheaper."

    return Implement(
        "cheapest_merger",
        returns=[
            Value("the two clusters", lambda case: (2,), whole=True),
            Value("the price", lambda case: ()),
        ],
        cases=cases,
        properties=[
            Property("the price is that of the two clusters", 1, provided(useful, says)),
            Property("no pair is cheaper", 3, provided(useful, cheap)),
        ],
        asks=f"the price of merging two clusters is {linkage}.",
    )
