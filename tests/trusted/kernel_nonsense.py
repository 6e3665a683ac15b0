"""Certificates that are none: wrong types, wrong rows, and some that would take for ever."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable
from typing import Any

X = ["v", "x", "R"]
REFLEXIVE = {
    "name": "reflexive",
    "terms": [X, ["<=", 0, 0]],
    "steps": [["ring", 1]],
    "hypotheses": [],
    "conclusion": 1,
}
NAN = float("nan")
WRONG: tuple[Any, ...] = (
    *(None, True, False, -1, 0, 1, 2, 10**30, -(10**30), 0.0, 1.0, 1.5, NAN, float("inf")),
    *("", "x", "R", "M:", "M:s", "0", "1", "\0", "\ud800", [], {}, [[]], [0], [None], {"a": 1}),
    *(["v"], ["v", "x"], ["q", 1, 0], ["F"], ["b", 0, "R"], ["cite"], ["axiom", "ex_falso"]),
)


def reflexive(*rows: Any, steps: Any = None) -> dict[str, Any]:
    """Return the certificate of t ≤ t for the term in the last of some rows."""
    last = len(rows) - 1
    out = {**REFLEXIVE, "terms": [*map(list, rows), ["<=", last, last]], "conclusion": last + 1}
    out["steps"] = [["ring", last + 1]] if steps is None else steps
    return out


def about(rows: list[Any], rule: str, *given: Any) -> dict[str, Any]:
    """Return the certificate that applies a rule to t ≤ t, the proposition in the last row."""
    last = len(rows) - 1
    steps = [["ring", last], [rule, *given]]
    return {"name": "n", "terms": rows, "steps": steps, "hypotheses": [], "conclusion": last}


def doubled(op: str, first: list[Any], times: int, *data: Any) -> list[Any]:
    """Return rows of which each is made of the one before it, twice."""
    return [first, *([op, *data, k, k] for k in range(times))]


def _powers(first: list[Any], times: int) -> list[Any]:
    return [first, *(["pow", 100, k] for k in range(times))]


def _nested_ranges(depth: int, op: str) -> list[Any]:
    rows: list[Any] = [["z", 1], ["z", 24], ["v", "a", "R", 0]]
    rows += [["b", k, "Z"] for k in range(depth)]
    rows.append(["v", "a", "R", *range(3, 3 + depth)])
    for _ in range(depth):
        rows.append([op, 0, 1, len(rows) - 1])
    return rows


def _triangle(depth: int) -> list[Any]:
    """Return nested sums of a product of sums, in which many orders have to be tried."""
    rows: list[Any] = [["z", 1], ["v", "n", "Z"]]
    rows += [["b", k, "Z"] for k in range(depth)]
    rows.append(["v", "a", "R", *range(2, 2 + depth)])
    for _ in range(depth):
        rows.append(["sum", 0, 1, len(rows) - 1])
        rows.append(["pow", 3, len(rows) - 1])
    return rows


def _many_variables(n: int, times: int) -> list[Any]:
    rows: list[Any] = [["v", f"x{k}", "R"] for k in range(n)]
    rows.append(["+", *range(n)])
    for k in range(times):
        rows.append(["*", n, k % n])
    return rows


def _substituted(times: int) -> dict[str, Any]:
    """Return a substitution in a variable of two arguments, nested: f(f(…, …), f(…, …))."""
    rows = [["z", 1], *(["v", "f", "Z", k, k] for k in range(times)), ["<=", times, times]]
    body = ["b", 0, "Z"]
    return about([body, *_raised(rows)], "substitute", 0, [["f", "Z", ["Z", "Z"], 0]])


def _raised(rows: list[Any]) -> list[Any]:
    """Return rows that stand one place further down."""
    return [
        [
            x + 1 if i > 0 and r[0] not in ("z", "q") and type(x) is int else x
            for i, x in enumerate(r)
        ]
        for r in rows
    ]


def _long_number(bits: int) -> int:
    return 3 ** (bits * 63 // 100)


LABORIOUS: dict[str, Callable[[], Any]] = {
    "a sum doubled a hundred times": lambda: reflexive(*doubled("+", X, 100)),
    "a product doubled a hundred times": lambda: reflexive(*doubled("*", X, 100)),
    "max doubled a hundred times": lambda: reflexive(*doubled("max", X, 100)),
    "a variable of two arguments, nested": lambda: reflexive(*doubled("v", X, 100, "f", "R")),
    "a binomial doubled": lambda: reflexive(
        X, ["v", "y", "R"], ["+", 0, 1], *(["*", k, k] for k in range(2, 40))
    ),
    "an implication doubled": lambda: {
        **REFLEXIVE,
        "terms": [X, ["<=", 0, 0], *(["->", k, k] for k in range(1, 100)), ["=", 0, 0]],
        "steps": [["ring", 101], ["discharge", 100, 0], ["convert", 1, 100]],
        "conclusion": 100,
    },
    "a substitution in shared arguments": lambda: _substituted(100),
    "sizes renamed in shared terms": lambda: about(
        [
            ["v", "A", "M:s:s"],
            *(["mm", k, k] for k in range(100)),
            ["tr", 100],
            ["<=", 101, 101],
        ],
        "sizes",
        0,
        [["s", "t"]],
    ),
    "a tower of powers of a number": lambda: reflexive(*_powers(["q", 7, 3], 20)),
    "a tower of powers of a long number": lambda: reflexive(
        *_powers(["q", _long_number(1500), _long_number(1400) + 1], 3)
    ),
    "a tower of powers of an integer": lambda: reflexive(*_powers(["z", 7], 20)),
    "a tower of powers of a variable": lambda: reflexive(*_powers(X, 20)),
    "a power of a long sum": lambda: reflexive(
        *(["v", f"x{k}", "R"] for k in range(60)), ["+", *range(60)], ["pow", 100, 60]
    ),
    "exponentials multiplied out": lambda: reflexive(
        *(["v", f"x{k}", "R"] for k in range(40)),
        *(["exp", k] for k in range(40)),
        ["+", *range(40, 80)],
        ["pow", 30, 80],
    ),
    "sums written out in sums": lambda: reflexive(*_nested_ranges(8, "sum")),
    "products written out in products": lambda: reflexive(*_nested_ranges(8, "prod")),
    "sums of powers of sums": lambda: reflexive(*_triangle(6)),
    "many variables in many terms": lambda: reflexive(*_many_variables(3000, 3000)),
    "a sum to a long number": lambda: reflexive(
        ["z", 1], ["z", 10**400], ["b", 0, "Z"], ["of", 2], ["sum", 0, 1, 3]
    ),
    "a bound variable with a long number": lambda: reflexive(["b", 10**400, "R"]),
    "traces of long words": lambda: reflexive(
        *(["v", f"A{k}", "M:s:s"] for k in range(12)),
        ["+", *range(12)],
        ["mm", *[12] * 12],
        ["tr", 13],
    ),
    "a word of a thousand matrices": lambda: reflexive(
        ["v", "A", "M:s:s"], ["mm", *[0] * 1000], ["tr", 1]
    ),
    "a thousand steps of psatz": lambda: {
        **REFLEXIVE,
        "terms": [
            *(["v", f"x{k}", "R"] for k in range(30)),
            ["+", *range(30)],
            ["pow", 20, 30],
            ["<=", 31, 31],
        ],
        "steps": [["psatz", 32, [[31, [], [31]]] * 50]] * 100,
        "conclusion": 32,
    },
}

DEEP: dict[str, Callable[[], Any]] = {
    "a term nested a thousand times": lambda: reflexive(X, *(["exp", k] for k in range(1000))),
    "a term nested a hundred thousand times": lambda: reflexive(
        X, *(["exp", k] for k in range(100_000))
    ),
    "binders nested a thousand times": lambda: reflexive(X, *(["E", k] for k in range(1000))),
    "implications nested by steps": lambda: {
        **REFLEXIVE,
        "steps": [["ring", 1], *(["discharge", 1, k] for k in range(1000))],
    },
    "a list nested a thousand times": lambda: {**REFLEXIVE, "terms": nested_list(1000)},
    "a row nested a thousand times": lambda: reflexive(["v", "x", nested_list(1000)]),
    "a rule nested a thousand times": lambda: {
        **REFLEXIVE,
        "steps": [["psatz", 1, nested_list(900)]],
    },
}

NONSENSE: dict[str, Callable[[], Any]] = {
    **{f"{w!r} for a certificate": (lambda w=w: w) for w in WRONG if w != {}},
    **{f"no {key}": (lambda k=key: _without(k)) for key in REFLEXIVE},
    "a name that is a number": lambda: {**REFLEXIVE, "name": 1},
    "a name that is empty": lambda: {**REFLEXIVE, "name": ""},
    "terms in an object": lambda: {**REFLEXIVE, "terms": {"0": X}},
    "steps in an object": lambda: {**REFLEXIVE, "steps": {"0": ["ring", 1]}},
    "hypotheses in an object": lambda: {**REFLEXIVE, "hypotheses": {}},
    "hypotheses in a string": lambda: {**REFLEXIVE, "hypotheses": ""},
    "a conclusion that is true": lambda: {**REFLEXIVE, "conclusion": True},
    "a conclusion that is 1.0": lambda: {**REFLEXIVE, "conclusion": 1.0},
    "a conclusion that is '1'": lambda: {**REFLEXIVE, "conclusion": "1"},
    "a row that is true": lambda: reflexive(["q", 1, 1], ["exp", False]),
    "a row that is 0.0": lambda: reflexive(["q", 1, 1], ["exp", 0.0]),
    "a row of itself": lambda: reflexive(X, ["exp", 1]),
    "a row below": lambda: reflexive(["exp", 1], X),
    "a row that is negative": lambda: reflexive(X, X, ["exp", -1]),
    "an integer that is true": lambda: reflexive(["z", 1], ["z", True]),
    "an integer that is 1.0": lambda: reflexive(["z", 1], ["z", 1.0]),
    "a numerator that is true": lambda: reflexive(["q", 1, 1], ["q", True, 1]),
    "a denominator that is 1.0": lambda: reflexive(["q", 1, 1], ["q", 1, 1.0]),
    "a power that is true": lambda: reflexive(X, ["pow", 1, 0], ["pow", True, 0]),
    "a bound variable that is false": lambda: reflexive(["b", 0, "W"], ["b", False, "W"], X),
    "a fraction as an integer": lambda: reflexive(["z", 1.5]),
    "not a number as an integer": lambda: reflexive(["z", NAN]),
    "a list as an integer": lambda: reflexive(["z", [1]]),
    "an integer with ten thousand digits": lambda: reflexive(["z", 10**10_000]),
    "an integer with a million digits": lambda: reflexive(["q", 1, 10**1_000_000]),
    "a denominator with ten thousand digits": lambda: reflexive(["q", 1, 10**10_000]),
    "a name of a variable that is a list": lambda: reflexive(["v", ["x"], "R"]),
    "a name of a variable that is a number": lambda: reflexive(["v", 1, "R"]),
    "a sort that is a number": lambda: reflexive(["v", "x", 1]),
    "an operation that is a list": lambda: reflexive([["v"], "x", "R"]),
    "an operation that is a number": lambda: reflexive([1, "x", "R"]),
    "a rule that is a list": lambda: reflexive(X, steps=[[["ring"], 1]]),
    "a rule that is a number": lambda: reflexive(X, steps=[[1, 1]]),
    "a rule that does not exist": lambda: reflexive(X, steps=[["believe", 1]]),
    "a rule's own name": lambda: reflexive(X, steps=[["__init__", 1]]),
    "a rule without arguments": lambda: reflexive(X, steps=[["ring"]]),
    "a rule with an argument too many": lambda: reflexive(X, steps=[["ring", 1, 1]]),
    "an axiom that does not exist": lambda: reflexive(X, steps=[["axiom", "choice"]]),
    "an axiom that is a list": lambda: reflexive(X, steps=[["axiom", ["choice"]]]),
    "a theorem that is a list": lambda: reflexive(X, steps=[["cite", [], [], 1]]),
    "a theorem's hypotheses in a string": lambda: reflexive(
        X, steps=[["ring", 1], ["cite", "x", "", 1]]
    ),
    "parts of psatz in an object": lambda: reflexive(X, steps=[["psatz", 1, {}]]),
    "parts of psatz in a string": lambda: reflexive(X, steps=[["psatz", 1, ""]]),
    "facts of psatz in a string": lambda: reflexive(
        ["q", 0, 1], steps=[["psatz", 1, [[0, "", []]]]]
    ),
    "squares of psatz in an object": lambda: reflexive(
        ["q", 0, 1], steps=[["psatz", 1, [[0, [], {}]]]]
    ),
    "variables to substitute in an object": lambda: about([X, ["<=", 0, 0]], "substitute", 0, {}),
    "sorts of arguments in a string": lambda: about(
        [["z", 1], ["v", "a", "R", 0], ["<=", 1, 1]],
        "substitute",
        0,
        [["b", "R", "Z", 1]],
    ),
    "sizes in an object": lambda: about([["dim", "s"], ["<=", 0, 0]], "sizes", 0, {"t": "t"}),
    "two sizes in a string": lambda: about([["dim", "s"], ["<=", 0, 0]], "sizes", 0, ["tt"]),
    "one size renamed twice": lambda: about(
        [["dim", "s"], ["<=", 0, 0]], "sizes", 0, [["t", "t"], ["t", "t"]]
    ),
    "a size that is a number": lambda: about([["dim", "s"], ["<=", 0, 0]], "sizes", 0, [["t", 1]]),
    "a size with a colon": lambda: about([["dim", "s"], ["<=", 0, 0]], "sizes", 0, [["t", "a:b"]]),
    "one variable substituted twice": lambda: about(
        [X, ["<=", 0, 0]], "substitute", 0, [["x", "R", [], 0], ["x", "R", [], 0]]
    ),
    "a step from itself": lambda: reflexive(X, steps=[["convert", 0, 1]]),
    "a step that is true": lambda: reflexive(
        X, steps=[["ring", 1], ["ring", 1], ["convert", True, 1]]
    ),
    **DEEP,
}


def nested_list(depth: int) -> Any:
    out: Any = []
    for _ in range(depth):
        out = [out]
    return out


def _without(key: str) -> dict[str, Any]:
    return {k: v for k, v in REFLEXIVE.items() if k != key}


def disturbed(certificate: Any, rng: random.Random) -> Any:
    """Return a certificate with one of its parts replaced, removed, doubled or moved."""
    out = copy.deepcopy(certificate)
    places = list(_places(out))
    holder, key = rng.choice(places)
    kind = rng.randrange(8)
    if kind == 0 and isinstance(holder, list):
        del holder[key]
    elif kind == 1 and isinstance(holder, list):
        holder.insert(key, copy.deepcopy(holder[key]))
    elif kind < 4 and type(holder[key]) is int:
        holder[key] += rng.choice((-1, 1, 2))
    elif kind < 6:
        other, there = rng.choice(places)
        holder[key] = copy.deepcopy(other[there])
    else:
        holder[key] = rng.choice(WRONG)
    return out


def _places(x: Any) -> Any:
    """Yield every (list or object, place in it) of a certificate."""
    keys = list(x) if isinstance(x, dict) else range(len(x)) if isinstance(x, list) else ()
    for key in keys:
        yield x, key
        yield from _places(x[key])


def random_json(rng: random.Random, depth: int = 4) -> Any:
    """Return any JSON, often with the words of a certificate."""
    kind = rng.randrange(8)
    if depth == 0 or kind < 3:
        return rng.choice((*WRONG, "ring", "assume", "psatz", "+", "sum", "v", "name", "M:s:t"))
    if kind < 6:
        return [random_json(rng, depth - 1) for _ in range(rng.randrange(5))]
    keys = ("name", "terms", "steps", "hypotheses", "conclusion")
    return {k: random_json(rng, depth - 1) for k in keys}
