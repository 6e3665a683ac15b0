"""The assignment on the chapter beyond principal components: two neighbours, weights, updates."""

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
from mlnotes.proof.forms import is_expanded

# Whether the point that two neighbours are to reconstruct lies between them or beyond one of them.
BETWEEN, BEYOND = "between the neighbours", "beyond the first neighbour"
# What is added to the diagonal of the local matrix, as a multiple of r.
RIDGES: dict[str, Callable[[Any], float]] = {
    "r times its trace": lambda G: float(np.trace(G)),
    "r times its largest diagonal entry": lambda G: float(np.diag(G).max()),
    "r": lambda G: 1.0,
}
FIRST = ("the amounts", "the parts")
LOSSES = ("Poisson", "squares")
NUMBERS = {
    "b": fractions(0, 1, 12),
    "place": [BETWEEN, BEYOND],
    "added": list(RIDGES),
    "first": list(FIRST),
    "loss": list(LOSSES),
    "points": range(300, 500),
    "seed": range(200),
}


def tasks(numbers: dict[str, Any]) -> list[Derive | Implement | Explore]:
    """Return a derivation, two programs and a question."""
    return [
        two_neighbours(numbers["b"], numbers["place"]),
        weights_of(numbers["added"]),
        one_sweep(numbers["first"], numbers["loss"]),
        Explore("neighbours_of_a_roll", points=4),
    ]


def two_neighbours(b: Any, place: str) -> Derive:
    """Return the squared error of a point that two neighbours reconstruct."""
    p, q = vectors("p q")
    apart = reals("D")
    c = b if place == BETWEEN else 1 + b
    with as_written():
        first = norm2(c * p + (1 - c) * q)
        last = c * norm2(p) + (1 - c) * norm2(q)
    multiplied = shaped(has=[dot(p, q)], without=[apart])
    return Derive(
        "two_neighbours",
        "two neighbours",
        given=[Eq(norm2(p - q), apart)],
        witness={p: [1, 2], q: [3, 1], apart: 5},
        lines=[
            Line(term=first),
            Line(
                "=",
                because="the square of a sum: two squares and a product",
                points=3,
                hint="The squares of p and q and their inner product are all that is needed.",
                form=lambda term: is_expanded(term) and multiplied(term),
                form_hint="The inner product of p and q should stand there, and no bracket.",
            ),
            Line(
                "=",
                because="the law of cosines for the product",
                points=3,
                hint="Twice the product is the sum of both squares, less D.",
                form=shaped(has=[apart], without=[dot(p, q)]),
                form_hint="D should stand there, and no product of p and q.",
            ),
            Line(
                "≤" if place == BETWEEN else "≥",
                last,
                because="the term with D is left out; D is a square",
            ),
        ],
        vocabulary={"p": p, "q": q, "D": apart},
    )


def weights_of(added: str) -> Implement:
    """Return the task to compute the weights of the neighbours of a point."""
    ridge = RIDGES[added]

    def cases(random: np.random.Generator) -> list[Case]:
        out: list[Case] = []
        for k, d in ((2, 3), (3, 5), (4, 2), (6, 3), (5, 1)):
            scale = float(random.uniform(0.5, 3.0))
            near = scale * random.normal(size=(k, d)) + random.normal(size=d) * 4
            point = near.mean(axis=0) + 0.2 * scale * random.normal(size=d)
            out.append({"point": point, "near": near, "r": float(random.uniform(0.02, 0.2))})
        return out

    def raised(case: Case) -> Any:
        differences = case["near"] - case["point"]
        G = differences @ differences.T
        return G + case["r"] * ridge(G) * np.eye(len(G))

    def price(case: Case, w: Any) -> float:
        return float(w @ raised(case) @ w)

    def useful(case: Case, output: Output) -> str:
        """Demand weights that are near to sum one and no worse than equal ones."""
        w = output[0]
        if not 0.5 < w.sum() < 2:
            return "The weights do not sum to anything near one."
        even = np.full(len(w), 1 / len(w))
        if price(case, w / w.sum()) >= price(case, even) - 1e-9:
            return "Equal weights are as good."
        return ""

    def one(case: Case, output: Output) -> str:
        return "" if np.isclose(output[0].sum(), 1, atol=1e-8) else "The weights do not sum to one."

    def solves(case: Case, output: Output) -> str:
        left = raised(case) @ output[0]
        if np.ptp(left) <= 1e-6 * np.abs(left).max():
            return ""
        return "The left sides of the system are not equal: look at what is added."

    def says(case: Case, output: Output) -> str:
        gap = case["point"] - output[0] @ case["near"]
        if np.isclose(output[1], gap @ gap, rtol=1e-6, atol=1e-10):
            return ""
        return "Your weights have another error."

    properties: list[tuple[str, float, Callable[[Case, Output], str]]] = [
        ("the weights sum to one", 1, one),
        ("the weights solve the local system", 3, solves),
        ("the error is that of the weights", 1, says),
    ]
    return Implement(
        "weights_of",
        returns=[
            Value("the weights", lambda case: (len(case["near"]),)),
            Value("the error", lambda case: ()),
        ],
        cases=cases,
        properties=[
            Property(name, points, provided(useful, fails)) for name, points, fails in properties
        ],
        asks=f"what is added to the diagonal of the local matrix is {added}.",
    )


def one_sweep(first: str, loss: str) -> Implement:
    """Return the task to update both factors once."""

    def cases(random: np.random.Generator) -> list[Case]:
        out: list[Case] = []
        for n, d, k in ((5, 4, 1), (8, 6, 2), (12, 7, 3), (6, 9, 2), (10, 10, 4)):
            X = random.poisson(4.0, size=(n, d)) + 0.0
            X[0], X[:, 0] = X[0] + 1, X[:, 0] + 1
            A, B = random.uniform(0.3, 2, size=(n, k)), random.uniform(0.3, 2, size=(d, k))
            out.append({"X": X, "A": A, "B": B})
        return out

    def value(X: Any, A: Any, B: Any) -> float:
        mean = A @ B.T
        if loss == LOSSES[0]:
            return float((mean - X * np.log(mean)).sum())
        return float(((X - mean) ** 2).sum())

    def updated(X: Any, A: Any, B: Any) -> Any:
        """Return the first factor after its update."""
        if loss == LOSSES[0]:
            return A * ((X / (A @ B.T)) @ B) / B.sum(axis=0)
        return A * (X @ B) / (A @ B.T @ B)

    def useful(case: Case, output: Output) -> str:
        """Demand positive factors that are better than those given."""
        A, B = output
        if min(A.min(), B.min()) < 0 or not (A @ B.T).min() > 0:
            return "A factor is negative, or a mean is zero."
        if value(case["X"], A, B) >= value(case["X"], case["A"], case["B"]) - 1e-6:
            return "Nothing was gained."
        return ""

    def early(case: Case, output: Output) -> str:
        X, A, B = case["X"], case["A"], case["B"]
        if first == FIRST[0]:
            same = np.allclose(output[0], updated(X, A, B))
        else:
            same = np.allclose(output[1], updated(X.T, B, A))
        return "" if same else f"The update of {first}, which come first, is another."

    def late(case: Case, output: Output) -> str:
        X, A, B = case["X"], case["A"], case["B"]
        if first == FIRST[0]:
            same = np.allclose(output[1], updated(X.T, B, output[0]))
        else:
            same = np.allclose(output[0], updated(X, A, output[1]))
        return "" if same else "The second update does not follow from your first."

    return Implement(
        "one_sweep",
        returns=[
            Value("the amounts", lambda case: case["A"].shape),
            Value("the parts", lambda case: case["B"].shape),
        ],
        cases=cases,
        properties=[
            Property("the first update is the right one", 3, provided(useful, early)),
            Property("the second update uses the first", 2, provided(useful, late)),
        ],
        asks=f"{first} are updated first, for {LOSS_NAMES[loss]}.",
    )


LOSS_NAMES = {
    "Poisson": "the Poisson likelihood",
    "squares": "the sum of squares",
}
