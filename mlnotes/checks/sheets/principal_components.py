"""The assignment on principal components: what a multiple loses, directions, whitened data."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from mlnotes.checks.derive import Derive, Line, shaped
from mlnotes.checks.explore import Explore
from mlnotes.checks.implement import Case, Implement, Output, Property, provided
from mlnotes.checks.sheets import fractions
from mlnotes.checks.values import Value
from mlnotes.proof import (
    Eq,
    Ge,
    Sum,
    as_written,
    dot,
    indices,
    integers,
    norm2,
    reals,
    vector_family,
    vectors,
)
from mlnotes.proof.forms import parts

# What is subtracted from every point in the derivation.
SUBTRACTED = ("b times its projection", "its projection, and b times it once more")
# What the squares are divided by, how a direction is turned, and which way whitened data lie.
DIVISORS = ("n", "n - 1")
SIGNS = (
    "the entry largest in absolute value is positive",
    "the sum of its entries is positive",
)
TURNED = (
    "along the principal axes, the largest variance first",
    "along the old axes, to which they are turned back",
)
NUMBERS = {
    # At one and two the terms with K would cancel.
    "b": [b for b in fractions(1, 7, 8) if b not in (1, 2)],
    "subtracted": list(SUBTRACTED),
    "divisor": list(DIVISORS),
    "signs": list(SIGNS),
    "turned": list(TURNED),
    "points": range(80, 160),
    "features": range(12, 24),
    "noise": [k / 20 for k in range(4, 15)],
}


def tasks(numbers: dict[str, Any]) -> list[Derive | Implement | Explore]:
    """Return a derivation, two programs and a question."""
    return [
        multiple(numbers["b"], numbers["subtracted"]),
        components(numbers["divisor"], numbers["signs"]),
        whitened(numbers["divisor"], numbers["turned"]),
        Explore("signal_and_noise", points=4),
    ]


def multiple(b: Any, subtracted: str) -> Derive:
    """Return what is left of points if a multiple of their projections is subtracted."""
    n = integers("n", positive=True)
    i = indices("i")
    x = vector_family("x")
    w = vectors("w")
    total, kept = reals("T K")
    with as_written():
        factor = b if subtracted == SUBTRACTED[0] else 1 + b
        left = x[i] - factor * dot(x[i], w) * w
        first = Sum(norm2(left), (i, 1, n))
        squares = Sum(norm2(x[i]), (i, 1, n))
        along = Sum(dot(x[i], w) ** 2, (i, 1, n))
        last = total - kept
    return Derive(
        "multiple",
        "what a multiple of the projection leaves",
        given=[Eq(norm2(w), 1), Eq(squares, total), Eq(along, kept), Ge(kept, 0)],
        witness={n: 2, x: [[3, 4], [1, 0]], w: [1, 0], total: 26, kept: 10},
        lines=[
            Line(term=first),
            Line(
                "=",
                because="multiply out; w has the length one",
                points=3,
                hint="A square of a difference has two squares and a product.",
                form=_expanded(has=[squares, along], without=[total, kept]),
                form_hint="Sums over the squared lengths and over the squared inner products "
                "should stand there, and no difference of vectors.",
            ),
            Line(
                "=",
                because="both sums are given",
                points=3,
                hint="The squared lengths add up to T, the squared inner products to K.",
                form=shaped(has=[total, kept], without=[Sum]),
                form_hint="No sum should be left.",
            ),
            Line("≥", last, because="a square times K is left out, and K is not negative"),
        ],
        vocabulary={"n": n, "i": i, "x": x, "w": w, "T": total, "K": kept},
    )


def _expanded(has: list[Any], without: list[Any]) -> Callable[[Any], bool]:
    """Return the question whether no product is of sums of vectors, and some parts stand there."""
    has_parts = shaped(has=has, without=without)

    def is_expanded(term: Any) -> bool:
        products = parts(term, dot)
        return has_parts(term) and not any(
            part.op == "+" for product in products for v in product.args for part in parts(v)
        )

    return is_expanded


def _points(random: np.random.Generator, n: int, d: int) -> Any:
    """Return points far from the origin whose variances halve from axis to axis."""
    turn = np.linalg.qr(random.normal(size=(d, d)))[0]
    spread = 3.0 * 0.55 ** np.arange(d)
    return random.normal(size=(n, d)) * spread @ turn + 4.0 * random.normal(size=d)


def _centred(case: Case) -> Any:
    return case["X"] - case["X"].mean(axis=0)


def _divided(case: Case, divisor: str) -> float:
    return float(len(case["X"]) - (divisor != "n"))


def components(divisor: str, signs: str) -> Implement:
    """Return the task to find the directions that lose least."""

    def cases(random: np.random.Generator) -> list[Case]:
        sizes = ((30, 4, 2), (25, 5, 3), (40, 6, 1), (8, 10, 3), (60, 3, 2))
        return [{"X": _points(random, n, d), "k": k} for n, d, k in sizes]

    def lost(case: Case, U: Any) -> float:
        X = _centred(case)
        return float(((X - X @ U @ U.T) ** 2).sum())

    def least(case: Case) -> float:
        return float((np.linalg.svd(_centred(case), compute_uv=False)[case["k"] :] ** 2).sum())

    def orthonormal(case: Case, output: Output) -> str:
        U = output[0]
        if np.allclose(U.T @ U, np.eye(U.shape[1]), atol=1e-6):
            return ""
        return "The columns are not orthonormal."

    def useful(case: Case, output: Output) -> str:
        """Demand columns of about the length one that keep most of what can be kept."""
        U = output[0]
        if not np.allclose((U**2).sum(axis=0), 1, atol=0.2):
            return "The columns are not even of about the length one."
        span = np.linalg.qr(U)[0]
        total = float((_centred(case) ** 2).sum())
        if lost(case, span) > least(case) + 0.1 * (total - least(case)):
            return "Your columns lose much more than they must."
        return ""

    def loses_least(case: Case, output: Output) -> str:
        span = np.linalg.qr(output[0])[0]
        if lost(case, span) <= least(case) * (1 + 1e-6) + 1e-9:
            return ""
        return "Other columns lose less."

    def variances(case: Case, output: Output) -> str:
        along = ((_centred(case) @ output[0]) ** 2).sum(axis=0) / _divided(case, divisor)
        if not np.allclose(output[1], along, rtol=1e-6):
            return f"The variances are not those along your columns, with the divisor {divisor}."
        if (np.diff(output[1]) > 1e-9).any():
            return "The largest variance should come first."
        return ""

    def turned(case: Case, output: Output) -> str:
        for u in output[0].T:
            leading = u[np.abs(u).argmax()] if signs == SIGNS[0] else u.sum()
            if leading < 0:
                return f"On your sheet of each direction {signs}."
        return ""

    properties: list[tuple[str, float, Callable[[Case, Output], str]]] = [
        ("the columns are orthonormal", 1, orthonormal),
        ("no other columns lose less", 3, loses_least),
        ("the variances are those along the columns", 1, variances),
        ("the directions are turned as the sheet says", 1, turned),
    ]
    return Implement(
        "components",
        returns=[
            Value("the directions", lambda case: (case["X"].shape[1], case["k"])),
            Value("the variances", lambda case: (case["k"],)),
        ],
        cases=cases,
        properties=[
            Property(name, points, provided(useful, fails)) for name, points, fails in properties
        ],
        asks=f"variances divide by {divisor}; of each direction {signs}.",
    )


def whitened(divisor: str, turned: str) -> Implement:
    """Return the task to give points the unit matrix as covariance."""

    def cases(random: np.random.Generator) -> list[Case]:
        return [{"X": _points(random, n, d)} for n, d in ((30, 3), (25, 2), (50, 4), (40, 5))]

    def useful(case: Case, output: Output) -> str:
        """Demand a linear image of the centred points with variances of about one."""
        Z, X = output[0], _centred(case)
        image = X @ np.linalg.lstsq(X, Z, rcond=None)[0]
        if not np.allclose(image, Z, atol=1e-6 * max(1.0, float(np.abs(Z).max()))):
            return "The new points are not a linear image of the centred ones."
        covariance = Z.T @ Z / len(Z)
        if not np.allclose(covariance, np.eye(Z.shape[1]), atol=0.3):
            return "The covariance is not even near to the unit matrix."
        return ""

    def unit(case: Case, output: Output) -> str:
        Z = output[0]
        if np.allclose(Z.T @ Z / _divided(case, divisor), np.eye(Z.shape[1]), atol=1e-6):
            return ""
        return f"The covariance, with the divisor {divisor}, is not the unit matrix."

    def lies(case: Case, output: Output) -> str:
        Z, X = output[0], _centred(case)
        if turned == TURNED[1]:
            mixed = X.T @ Z
            if (
                np.allclose(mixed, mixed.T, rtol=1e-6, atol=1e-6 * np.abs(mixed).max())
                and (np.linalg.eigvalsh(mixed + mixed.T) > 0).all()
            ):
                return ""
            return "The points are not turned back to the old axes."
        directions = np.linalg.svd(X, full_matrices=False)[2]
        scores = X @ directions.T
        scores /= np.sqrt((scores**2).mean(axis=0))
        agree = np.abs((scores * Z).mean(axis=0)) / np.sqrt((Z**2).mean(axis=0))
        if np.allclose(agree, 1, atol=1e-6):
            return ""
        return "A column is not the principal feature that belongs there."

    return Implement(
        "whitened",
        returns=[Value("the new points", lambda case: case["X"].shape)],
        cases=cases,
        properties=[
            Property("the covariance is the unit matrix", 2, provided(useful, unit)),
            Property("the new points lie as the sheet says", 2, provided(useful, lies)),
        ],
        asks=f"variances divide by {divisor}; the new points lie {turned}.",
    )
