"""The assignment on the perceptron: both growths, the bound, and a run that counts its mistakes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from mlnotes.checks.derive import Derive, Line, shaped
from mlnotes.checks.explore import Explore
from mlnotes.checks.implement import Case, Implement, Output, Property, provided
from mlnotes.checks.sheets import fractions
from mlnotes.checks.values import Value
from mlnotes.data import make_separable
from mlnotes.proof import (
    Eq,
    Ge,
    Le,
    apply,
    as_written,
    dot,
    integers,
    norm2,
    reals,
    using,
    vectors,
)
from mlnotes.proof.forms import is_expanded

# In which order the rows are visited in every pass.
ORDERS: dict[str, Callable[[Any], Any]] = {
    "from first to last": lambda rows: rows,
    "from last to first": lambda rows: rows[::-1],
    "even rows first, then odd": lambda rows: np.concatenate([rows[::2], rows[1::2]]),
    "odd rows first, then even": lambda rows: np.concatenate([rows[1::2], rows[::2]]),
}
# On which side of the weights points are called positive, and with which sign a correction follows.
SIDES = {"positive": 1, "negative": -1}
# Which end the comparison of both growths starts from.
CHAINS = ("upwards", "downwards")
# The learning rate, the length of the separating vector, what a pass is, two numbers for the
# experiment, and what the derivations are about.
NUMBERS = {
    "c": fractions(1, 9, 9),
    "L": fractions(1, 9, 9),
    "order": list(ORDERS),
    "points": range(60, 141),
    "dimensions": range(3, 11),
    "side": list(SIDES),
    "chain": list(CHAINS),
}


def tasks(numbers: dict[str, Any]) -> list[Derive | Implement | Explore]:
    """Return two derivations, a program and a question."""
    c, L = numbers["c"], numbers["L"]
    return [
        growth(c, SIDES[numbers["side"]]),
        bound(c, L, numbers["chain"]),
        perceptron(float(c), numbers["order"]),
        Explore("mistakes_and_margin", points=4),
    ]


def growth(c: Any, sign: int) -> Derive:
    """Return the growth of the norm at a mistake, with learning rate c."""
    theta, x = vectors("theta x")
    y, R = reals("y"), reals("R", nonnegative=True)
    with as_written():
        first = norm2(theta + c * y * x) if sign > 0 else norm2(theta - c * y * x)
        last = norm2(theta) + c**2 * R**2
        mistake = Le(y * dot(theta, x), 0) if sign > 0 else Ge(y * dot(theta, x), 0)
    return Derive(
        "growth",
        "a mistake lengthens the weights by little",
        given=[Eq(y**2, 1), mistake, Le(norm2(x), R**2)],
        witness={y: 1, theta: [1, 0], x: [0, 1], R: 1},
        lines=[
            Line(term=first),
            Line(
                "=",
                because="the inner product is linear in both places",
                points=2,
                hint="Multiply the square out: two squares and a cross term.",
                form=is_expanded,
                form_hint="There is still the norm of a sum in it.",
            ),
            Line(
                "≤",
                because="what a mistake is, and what a label is",
                points=2,
                hint="Which of the three terms is not positive at a mistake?",
                form=shaped(has=[norm2(theta), norm2(x)], without=[dot(theta, x), R]),
                form_hint="Two squared lengths should stand there, and no inner product of both.",
            ),
            Line("≤", last, because="no point is longer than $R$"),
        ],
        vocabulary={"theta": theta, "x": x, "y": y, "R": R},
    )


def bound(c: Any, L: Any, chain: str) -> Derive:
    """Return the comparison of both growths after k mistakes, the separator having length L.

    A chain upwards leads from the alignment to the lengths, and one downwards back.
    """
    from mlnotes.theorems.perceptron import cauchy_schwarz, u, v

    theta, target = vectors("theta theta^*")
    R = reals("R", nonnegative=True)
    gamma = reals("gamma", positive=True)
    k = integers("k", positive=True)
    with as_written():
        least = (c * k * gamma) ** 2
        most = c**2 * L**2 * k * R**2
        found = Ge(dot(theta, target), c * k * gamma)
    compared = using(apply(cauchy_schwarz(), {u: theta, v: target}))
    is_upwards = chain == CHAINS[0]
    relation = "≤" if is_upwards else "≥"
    grown, slow = "the alignment has grown with every mistake", "the norm has grown by little"
    inner = "Compare an inner product with the lengths of its two vectors."
    alignment = Line(
        relation,
        because=grown if is_upwards else "Cauchy–Schwarz",
        by=() if is_upwards else (compared,),
        points=2,
        hint="Which fact has c times k times gamma on one side?" if is_upwards else inner,
        form=shaped(has=[dot(theta, target)], without=[gamma, R]),
        form_hint="The alignment should stand there, and neither the margin nor R.",
    )
    lengths = Line(
        relation,
        because="Cauchy–Schwarz" if is_upwards else slow,
        by=(compared,) if is_upwards else (),
        points=2,
        hint=inner if is_upwards else "Which fact bounds the squared length of the weights?",
        form=shaped(has=[norm2(theta)], without=[dot(theta, target), gamma, R]),
        form_hint="The length of the weights should stand there, and no inner product.",
    )
    if is_upwards:
        lines = [Line(term=least), alignment, lengths, Line("≤", most, because=slow)]
    else:
        lines = [Line(term=most), lengths, alignment, Line("≥", least, because=grown)]
    return Derive(
        "bound",
        "one growth cannot overtake the other",
        given=[found, Le(norm2(theta), c**2 * k * R**2), Eq(norm2(target), L**2)],
        witness={theta: [c, 0], target: [L, 0], gamma: 1, k: 1, R: 1},
        lines=lines,
        vocabulary={"theta": theta, "target": target, "R": R, "gamma": gamma, "k": k},
    )


def perceptron(rate: float, order: str) -> Implement:
    """Return the program to write, tried on separable data of several margins."""

    def cases(random: np.random.Generator) -> list[Case]:
        out: list[Case] = []
        for n, d, margin in ((12, 2, 0.2), (30, 3, 0.1), (40, 5, 0.05), (25, 2, 0.4)):
            sample = make_separable(n, d, margin=margin, random_state=random)
            out.append({"X": sample.X, "y": sample.y, "rate": rate})
        return out

    return Implement(
        "perceptron",
        returns=[
            Value("the weights", lambda case: (case["X"].shape[1],)),
            Value("the rows at which it made mistakes", lambda case: (None,), whole=True),
        ],
        cases=cases,
        properties=[
            Property("the weights are the corrections added up", 2, provided(_ends, _corrections)),
            Property("only mistakes are corrected", 2, provided(_ends, _only_mistakes)),
            Property(
                "it stops where no point is wrong, and not before", 2, provided(_ends, _separates)
            ),
            Property(
                "the points are visited in their order, again and again",
                2,
                lambda case, output: _order(case, output, order),
            ),
            Property(
                "no more mistakes than Novikoff's theorem allows", 2, provided(_ends, _novikoff)
            ),
        ],
        asks=f"in every pass the rows are visited {order}.",
    )


def _rows(case: Case, output: Output) -> list[int]:
    rows = output[1]
    if ((rows < 0) | (rows >= len(case["X"]))).any():
        raise IndexError("rows")
    return [int(row) for row in rows]


def _wrong(case: Case, theta: Any) -> int:
    """Return how many points are wrong or undecided under some weights."""
    return int(np.sum(~(case["y"] * (case["X"] @ theta) > 0)))


def _ends(case: Case, output: Output) -> str:
    """Demand a run to its end: any beginning of one corrects mistakes, and few of them."""
    rows = _rows(case, output)
    wrong = _wrong(case, case["y"][rows] @ case["X"][rows])
    if not wrong:
        return ""
    return (
        f"The corrections in your list, added up, leave {wrong} of {len(case['X'])} points wrong "
        "or undecided: the run has to go on."
    )


def _corrections(case: Case, output: Output) -> str:
    rows = _rows(case, output)
    total = case["rate"] * case["y"][rows] @ case["X"][rows]
    if np.allclose(output[0], total):
        return ""
    return (
        "Add rate times y[i] times X[i] for every row in your list, starting at zero: the sum is "
        "not what you return."
    )


def _only_mistakes(case: Case, output: Output) -> str:
    theta = np.zeros(case["X"].shape[1])
    for place, row in enumerate(_rows(case, output)):
        step = case["y"][row] * case["X"][row]
        if step @ theta > 1e-9:
            return (
                f"Entry {place} of your list is row {row}, which was on the right side at that "
                "time and needed no correction."
            )
        theta = theta + step
    return ""


def _separates(case: Case, output: Output) -> str:
    wrong = _wrong(case, output[0])
    if not wrong:
        return ""
    return (
        f"At the end {wrong} of {len(case['X'])} points are wrong or undecided, although these "
        "data can be separated."
    )


def _order(case: Case, output: Output, order: str) -> str:
    from mlnotes.perceptron import Perceptron

    visits = ORDERS[order](np.arange(len(case["X"])))
    model = Perceptron(fit_intercept=False, max_iter=100_000)
    model.fit(case["X"][visits], case["y"][visits])
    rows, wanted = _rows(case, output), list(visits[model.mistakes_])
    if rows == wanted:
        return ""
    pairs = zip(rows, wanted, strict=False)
    place = next((k for k, (a, b) in enumerate(pairs) if a != b), min(len(rows), len(wanted)))
    return (
        f"Going through the rows {order}, again and again, mistake number {place + 1} is made "
        "elsewhere than your list says, or you stop at another time."
    )


def _novikoff(case: Case, output: Output) -> str:
    from mlnotes.perceptron import maximum_margin, novikoff_bound, radius

    rows = _rows(case, output)
    limit = novikoff_bound(radius(case["X"]), maximum_margin(case["X"], case["y"])[0])
    if len(rows) <= limit + 1e-6:
        return ""
    return f"The theorem allows between 1 and {limit:.0f} mistakes here; you report {len(rows)}."
