"""The assignment on bagging and forests: mixtures, the out-of-bag error, how alike members are."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from mlnotes.checks.derive import Derive, Line, shaped
from mlnotes.checks.explore import Explore
from mlnotes.checks.implement import Case, Implement, Output, Property, provided
from mlnotes.checks.sheets import fractions
from mlnotes.checks.values import Value
from mlnotes.proof import Eq, Le, Sum, as_written, indices, integers, real_family, reals
from mlnotes.proof.forms import is_multiplied_out

# How the two members of the derivation are combined.
MIXTURES = ("b of the first and the rest of the second", "b times their sum")
# How much of a mistake a tie is.
TIES = {"a whole mistake": 1.0, "half a mistake": 0.5}
# By what a sum of squared deviations is divided.
DIVISORS = {"the number of examples": 0, "the number of examples less one": 1}
# The weight of the derivation, what the out-of-bag error counts, how variances and sizes are
# computed, two numbers for the experiment, and how members are mixed.
NUMBERS = {
    "b": fractions(0, 1, 12),
    "tie": list(TIES),
    "least": range(1, 4),
    "divisor": list(DIVISORS),
    "factor": range(4, 20),
    "samples": range(150, 250),
    "flip": [k / 40 for k in range(2, 11)],
    "mixture": list(MIXTURES),
}


def tasks(numbers: dict[str, Any]) -> list[Derive | Implement | Explore]:
    """Return a derivation, two programs and a question."""
    return [
        mixture(numbers["b"], numbers["mixture"]),
        out_of_bag(numbers["tie"], numbers["least"]),
        alike(numbers["divisor"], numbers["factor"]),
        Explore("features_and_trees", points=4),
    ]


def mixture(b: Any, kind: str) -> Derive:
    """Return the squared error of a mixture of two members whose errors are u and v."""
    n = integers("n", positive=True)
    i = indices("i")
    u, v = real_family("u v")
    squares, products = reals("S C")
    plain = kind == MIXTURES[0]
    with as_written():
        mixed = b * u[i] + (1 - b) * v[i] if plain else b * (u[i] + v[i])
        first = Sum(mixed**2, (i, 1, n))
        sums = [Sum(u[i] ** 2, (i, 1, n)), Sum(v[i] ** 2, (i, 1, n)), Sum(u[i] * v[i], (i, 1, n))]
        last = squares if plain else 4 * b**2 * squares
    return Derive(
        "mixture",
        "two members that are wrong in different places",
        given=[
            Eq(sums[0], squares),
            Eq(sums[1], squares),
            Eq(sums[2], products),
            Le(products, squares),
        ],
        witness={n: 2, u: [1, 2], v: [2, 1], squares: 5, products: 4},
        lines=[
            Line(term=first),
            Line(
                "=",
                because="multiply out, and take what does not depend on i out of the sums",
                points=3,
                hint="Two terms have the squares of one member, one has the products.",
                form=_expanded(has=sums, without=[squares, products]),
                form_hint="The three sums should stand there, and no bracket around them.",
            ),
            Line(
                "=",
                because="the sums are given",
                points=3,
                hint="The sums of squares are both S, and that of the products is C.",
                form=shaped(has=[squares, products], without=[Sum]),
                form_hint="No sum should be left.",
            ),
            Line("≤", last, because="C is at most S"),
        ],
        vocabulary={"n": n, "i": i, "u": u, "v": v, "S": squares, "C": products},
    )


def _expanded(has: list[Any], without: list[Any]) -> Callable[[Any], bool]:
    """Return the question whether a term is multiplied out and has some parts and not others."""
    has_parts = shaped(has=has, without=without)
    return lambda term: is_multiplied_out(term) and has_parts(term)


def out_of_bag(tie: str, least: int) -> Implement:
    """Return the task to count the out-of-bag error of members that say -1 or +1."""

    def cases(random: np.random.Generator) -> list[Case]:
        return [_members(random, T, n) for T, n in ((4, 12), (6, 20), (8, 15), (11, 30), (14, 25))]

    def counted(case: Case, share: float) -> tuple[float, int]:
        """Return the error and the number of judged examples, example by example."""
        wrong, judged = 0.0, 0
        for k in range(len(case["y"])):
            judges = [t for t in range(len(case["rows"])) if k not in case["rows"][t]]
            if len(judges) >= least:
                score = case["y"][k] * sum(case["votes"][t, k] for t in judges)
                wrong += float(score < 0) + share * float(score == 0)
                judged += 1
        return wrong / judged, judged

    def sensible(case: Case, output: Output) -> str:
        """Demand an error of the right size."""
        if 0 <= output[0] <= 1 and abs(output[0] - counted(case, 0.5)[0]) <= 0.2:
            return ""
        return "The error is not even of the right size."

    def judges(case: Case, output: Output) -> str:
        if output[1] == counted(case, 1.0)[1]:
            return ""
        return f"Another number of examples has {least} judges or more."

    def unseen(case: Case, output: Output) -> str:
        low, high = counted(case, 0.0)[0], counted(case, 1.0)[0]
        if low - 1e-9 <= output[0] <= high + 1e-9:
            return ""
        return "However ties are counted, the members that have not seen an example err otherwise."

    def ties(case: Case, output: Output) -> str:
        if np.isclose(output[0], counted(case, TIES[tie])[0]):
            return ""
        return f"A tie is {tie}."

    return Implement(
        "out_of_bag",
        returns=[
            Value("the error", lambda case: ()),
            Value("the number of judged examples", lambda case: (), whole=True),
        ],
        cases=cases,
        properties=[
            Property("examples with too few judges are left out", 1, provided(sensible, judges)),
            Property(
                "only members that have not seen an example vote", 3, provided(sensible, unseen)
            ),
            Property("ties count as is asked for", 2, provided(sensible, ties)),
        ],
        asks=f"a tie is {tie}; an example counts if at least {least} "
        f"{'member has' if least == 1 else 'members have'} not seen it.",
    )


def _members(random: np.random.Generator, members: int, n: int) -> Case:
    """Return bootstrap samples and votes that are better where a member has seen the example."""
    rows = random.integers(0, n, size=(members, n))
    y = random.choice([-1, 1], size=n)
    seen = np.array([np.isin(np.arange(n), drawn) for drawn in rows])
    right = random.random((members, n)) < np.where(seen, 0.98, 0.6)
    # An example that everybody has seen, and one that nobody has.
    rows[:, 0], rows[:, 1:] = 0, np.where(rows[:, 1:] == 1, 2, rows[:, 1:])
    return {"rows": rows, "votes": np.where(right, y, -y), "y": y}


def alike(divisor: str, factor: int) -> Implement:
    """Return the task to find mean variance, correlation and a sufficient number of members."""

    def cases(random: np.random.Generator) -> list[Case]:
        out: list[Case] = []
        for members, n in ((2, 12), (3, 30), (6, 20), (10, 60), (25, 40)):
            shared = random.normal(size=n) * random.uniform(0.8, 1.6)
            own = random.normal(size=(members, n)) * random.uniform(0.6, 1.4, size=(members, 1))
            out.append({"answers": shared + own + random.normal(size=(members, 1))})
        return out

    def moments(case: Case) -> tuple[float, float]:
        """Return mean variance and correlation from the table of covariances."""
        table = np.cov(case["answers"], ddof=DIVISORS[divisor])
        members = len(table)
        own = float(np.trace(table)) / members
        others = (float(table.sum()) - members * own) / (members * (members - 1))
        return own, others / own

    def sensible(case: Case, output: Output) -> str:
        """Demand a variance and a correlation that could be right."""
        own = moments(case)[0]
        if 0.5 * own <= output[0] <= 2 * own and -1 <= output[1] <= 1:
            return ""
        return "The variance is not even of the right size, or the correlation is none."

    def variance(case: Case, output: Output) -> str:
        if np.isclose(output[0], moments(case)[0]):
            return ""
        return f"A sum of squared deviations is divided by {divisor}."

    def correlation(case: Case, output: Output) -> str:
        if np.isclose(output[1], moments(case)[1]):
            return ""
        return "It is the mean covariance of two different members, divided by the mean variance."

    def size(case: Case, output: Output) -> str:
        rho = moments(case)[1]
        wanted = max(1, int(np.ceil(factor * (1 - rho) / rho - 1e-9))) if rho > 0 else 0
        if output[2] == wanted:
            return ""
        return "Another number is the least that is enough; it is 0 if no number is."

    return Implement(
        "alike",
        returns=[
            Value("the mean variance", lambda case: ()),
            Value("the correlation", lambda case: ()),
            Value("the number of members", lambda case: (), whole=True),
        ],
        cases=cases,
        properties=[
            Property("the variance is the mean over the members", 1, provided(sensible, variance)),
            Property(
                "the correlation is that of two different members",
                2,
                provided(sensible, correlation),
            ),
            Property("no smaller number of members is enough", 1, provided(sensible, size)),
        ],
        asks=f"a sum of squared deviations is divided by {divisor}; what could still be averaged "
        f"away shall be at most one part in {factor} of what stays.",
    )
