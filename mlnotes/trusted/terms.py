"""Terms of the kernel: sorted, nameless, shared and never evaluated.

Sorts are strings: ``R`` real, ``Z`` integer, ``V`` vector of an abstract real inner-product space,
``W`` outcome of a finite probability space, ``U`` point of a measure space, ``P`` proposition,
``M:m:n`` matrix of m rows and n columns, where m and n name positive integers (a numeral itself).
Every function is total: 1/0 = 0, log x = 0 for x ≤ 0, √x = 0 for x < 0, the inverse of a singular
matrix is 0, an empty sum is 0, an empty product 1, and ∫f = 0 for an f that is not integrable.

A bound variable is the number of binders between it and its own (de Bruijn), together with its
sort; terms that differ in the names of bound variables are therefore the same term. A free variable
has a name, a sort and arguments: numbers, families, functions, random variables and predicates are
all free variables. Equal terms are one object, so that comparing them costs nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import pairwise
from math import inf
from typing import Any


class Refused(Exception):
    """A certificate, or a term in it, is not accepted; the message says why."""


class Fuel:
    """A count of the work that is left, so that no certificate can run for ever."""

    def __init__(self) -> None:
        self.left = 0

    def spend(self, amount: int = 1) -> None:
        """Use up some of what is left, and refuse where nothing is."""
        self.left -= amount
        if self.left < 0:
            raise Refused("this takes more work than a check is allowed")


fuel = Fuel()
FUEL = 1_000_000  # some seconds; a theorem of the book needs some thousands
MAX_DEPTH = 150
MAX_DIGITS = 400  # of a number that is written in a certificate


def need(condition: bool, *reason: object) -> None:
    """Refuse, with a reason, unless the condition holds."""
    if not condition:
        raise Refused(" ".join(map(str, reason)))


@dataclass(slots=True, eq=False)
class Draft:
    """What a term consists of, before ``make`` turns it into one.

    ``op`` names the operation, ``data`` holds names and numbers, ``args`` the subterms; ``sort`` is
    the sort, ``declared`` the loose indices with the sorts that they declare, ``loose`` one more
    than the largest of them (0: none), ``free`` the free variables as (name, sort, sorts of
    arguments), ``key`` an order that does not depend on memory.
    """

    op: str
    data: tuple[Any, ...]
    args: tuple[Term, ...]
    sort: str
    declared: frozenset[tuple[int, str]]
    loose: int
    depth: int
    free: frozenset[Variable]
    key: tuple[Any, ...]


class Term(Draft):
    """A well-sorted term, which cannot be changed. Only ``make`` builds one."""

    __slots__ = ()

    @property
    def indices(self) -> frozenset[int]:
        """The loose indices."""
        return frozenset(k for k, _ in self.declared)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a term cannot be changed")

    def __repr__(self) -> str:
        return write(self)


Variable = tuple[str, str, tuple[str, ...]]

# Which argument stands under a binder, and the sort that it binds (None: named in the data).
BINDERS: dict[str, tuple[int, str | None]] = {
    **dict.fromkeys(("sum", "prod"), (2, "Z")),
    "E": (0, "W"),
    **dict.fromkeys(("int", "integrable"), (0, "U")),
    "deriv": (0, "R"),
    "all": (0, None),
}
# Operations of fixed sorts: the sorts of the arguments and of the result.
FIXED: dict[str, tuple[tuple[str, ...], str]] = {
    **dict.fromkeys(("inv", "exp", "log", "sqrt", "abs", "int"), (("R",), "R")),
    **dict.fromkeys(("max", "min"), (("R", "R"), "R")),
    **dict.fromkeys(("->", "&", "|"), (("P", "P"), "P")),
    "of": (("Z",), "R"),
    "ind": (("P",), "R"),
    "dot": (("V", "V"), "R"),
    "prod": (("Z", "Z", "R"), "R"),
    "integrable": (("R",), "P"),
    "deriv": (("R", "R", "R"), "P"),
    "all": (("P",), "P"),
    "F": ((), "P"),
}
# Operations of several sorts: the sorts of the first arguments; the letters of the sorts that the
# others may have, which is one sort; the least and the largest number of those; the sort of the
# result ("": that sort).
VARIED: dict[str, tuple[tuple[str, ...], str, int, float, str]] = {
    "+": ((), "RZVM", 2, inf, ""),
    "*": ((), "RZ", 2, inf, ""),
    "pow": ((), "RZ", 1, 1, ""),
    "E": ((), "RVM", 1, 1, ""),
    "sum": (("Z", "Z"), "RVM", 1, 1, ""),
    "sc": (("R",), "VM", 1, 1, ""),
    "=": ((), "RZVM", 2, 2, "P"),
    "<=": ((), "RZ", 2, 2, "P"),
    "<": ((), "RZ", 2, 2, "P"),
}
# The types of the names and numbers that a term carries.
DATA: dict[str, tuple[type, ...]] = {
    "v": (str, str),
    "b": (int, str),
    "q": (int, int),
    "z": (int,),
    "pow": (int,),
    "dim": (str,),
    "I": (str,),
    "unit": (str,),
    "zero": (str,),
    "all": (str,),
}
_TABLE: dict[tuple[Any, ...], Term] = {}


def is_sort(s: object) -> bool:
    """Say whether s names a sort."""
    if not isinstance(s, str):
        return False
    return s in {"R", "Z", "V", "W", "U", "P"} or (s[:2] == "M:" and len(sizes(s)) == 2)


def sizes(s: str) -> tuple[str, ...]:
    """Return the two sizes of a sort of matrices, and nothing for another sort."""
    parts = s.split(":")
    good = len(parts) == 3 and parts[0] == "M" and all(parts[1:])
    return tuple(parts[1:]) if good else ()


def is_numeral(size: str) -> bool:
    """Say whether the name of a size is that of a number, which it then is."""
    return size.isascii() and size.isdigit() and size[0] != "0" and len(size) < MAX_DIGITS


def make(op: str, data: Iterable[Any] = (), args: Iterable[Term] = ()) -> Term:
    """Return the term with this operation, data and arguments, or refuse what is not one."""
    fuel.spend()
    data, args = tuple(data), tuple(args)
    # True and 1.0 equal 1 for Python, so types are compared, and before a term is looked up.
    if data or op in DATA:
        need(tuple(map(type, data)) == DATA.get(op), op, "with bad names and numbers", data)
    found = _TABLE.get((op, data, args))
    if found is not None:
        return found
    at, bound = BINDERS.get(op, (-1, ""))
    declared = frozenset({data} if op == "b" else ())
    free = frozenset({(*data, tuple([a.sort for a in args]))} if op == "v" else ())
    sort, depth = _sort(op, data, args), 1
    for k, a in enumerate(args):
        fuel.spend(1 + len(a.free))
        free, inside = free | a.free, a.declared
        if k == at and inside:
            wanted = data[0] if bound is None else bound
            need(all(i > 0 or s == wanted for i, s in inside), op, "binds another sort")
            inside = frozenset((i - 1, s) for i, s in inside if i > 0)
        declared |= inside
        depth = max(depth, a.depth + 1)
    need(depth <= MAX_DEPTH, "a term is nested too deeply")
    loose = max([i + 1 for i, _ in declared]) if declared else 0
    key = (op, len(args), *data, *[a.key for a in args])
    term: Any = Draft(op, data, args, sort, declared, loose, depth, free, key)
    term.__class__ = Term
    made: Term = _TABLE.setdefault((op, data, args), term)
    return made


def _sort(op: str, data: tuple[Any, ...], args: tuple[Term, ...]) -> str:
    """Return the sort of a term that is about to be made, or refuse it."""
    have = tuple([a.sort for a in args])
    if op in FIXED:
        wanted, result = FIXED[op]
        need(have == wanted, op, "of", have)
        need(op != "all" or is_sort(data[0]), "no sort", data)
        return result
    if op in VARIED:
        first, letters, least, most, result = VARIED[op]
        rest = have[len(first) :]
        need(have[: len(first)] == first and least <= len(rest) <= most, op, "of", have)
        need(len(set(rest)) == 1 and rest[0][0] in letters, op, "of", have)
        need(op != "pow" or 0 <= data[0] <= 100, "the power", data)
        return result or rest[0]
    if op == "unit":
        need(data[0] != "" and ":" not in data[0] and have == ("Z",), op, "of", have)
        return f"M:{data[0]}:1"
    if op in DATA:
        need(op == "v" or not args, op, "takes no arguments")
        return _sort_of_leaf(op, data)
    need(op in ("mm", "T", "tr", "minv", "det"), "there is no operation", op)
    shapes = [sizes(s) for s in have]
    need(len(shapes) > 0 and all(shapes), op, "of", have)
    (rows, columns), last = shapes[0], shapes[-1][1]
    if op == "mm":
        fits = all(a[1] == b[0] for a, b in pairwise(shapes))
        need(len(shapes) > 1 and fits, "the product of", have)
        return f"M:{rows}:{last}"
    need(len(args) == 1, op, "takes one matrix")
    if op == "T":
        return f"M:{columns}:{rows}"
    need(rows == columns, op, "of a matrix that is not square")
    return have[0] if op == "minv" else "R"


def _sort_of_leaf(op: str, data: tuple[Any, ...]) -> str:
    """Return the sort of a variable or constant."""
    if op in ("v", "b"):
        good = data[0] != "" if op == "v" else data[0] >= 0
        need(good and is_sort(data[1]), "no variable", data)
        return str(data[1])
    if op == "q":
        need(data[1] > 0, "a denominator is positive")
        return "R"
    if op == "zero":
        need(data[0] == "V" or sizes(data[0]) != (), "zero is a vector or a matrix")
        return str(data[0])
    if op == "I":
        need(data[0] != "" and ":" not in data[0], "no size", data)
        return f"M:{data[0]}:{data[0]}"
    return "Z"


def rebuild(
    t: Term,
    change: Callable[[Term, int], Term | None],
    depth: int = 0,
    build: Callable[[Term, tuple[Term, ...]], Term] = lambda t, new: (
        t if new == t.args else make(t.op, t.data, new)
    ),
) -> Term:
    """Return t with ``change(subterm, binders above it)`` wherever that is not None.

    Elsewhere ``build(subterm, its rebuilt arguments)`` is taken. Each subterm is rebuilt once.
    """
    known: dict[tuple[Term, int], Term] = {}

    def walk(t: Term, depth: int) -> Term:
        new = change(t, depth) or known.get((t, depth))
        if new is None:
            at = BINDERS.get(t.op, (-1, None))[0]
            args = tuple([walk(a, depth + (k == at)) for k, a in enumerate(t.args)])
            new = known[t, depth] = build(t, args)
        return new

    return walk(t, depth)


def renumber(t: Term, new: Callable[[int], int], depth: int = 0) -> Term:
    """Return t with every loose index k replaced by new(k)."""

    def change(t: Term, depth: int) -> Term | None:
        if t.loose <= depth:
            return t
        if t.op == "b":
            return make("b", (new(t.data[0] - depth) + depth, t.data[1]))
        return None

    return rebuild(t, change, depth)


def shift(t: Term, by: int) -> Term:
    """Return t with ``by`` added to its loose indices: t under so many more binders."""
    return t if by == 0 or t.loose == 0 else renumber(t, lambda k: k + by)


def fill(body: Term, values: tuple[Term, ...]) -> Term:
    """Return body with its loose indices 0, 1, … replaced by values, and the others lowered.

    Values are moved under the binders that they come to stand under, so nothing is captured.
    """

    def change(t: Term, depth: int) -> Term | None:
        if t.loose <= depth:
            return t
        if t.op != "b":
            return None
        k = t.data[0] - depth
        if k >= len(values):
            return make("b", (t.data[0] - len(values), t.data[1]))
        need(values[k].sort == t.data[1], "a value of another sort")
        return shift(values[k], depth)

    return rebuild(body, change) if body.loose else body


def close(t: Term, variable: Term) -> Term:
    """Return t with a free variable (without arguments) turned into the loose index 0."""
    name, sort = variable.data

    def change(t: Term, depth: int) -> Term | None:
        if t is variable:
            return make("b", (depth, sort))
        if t.op == "b" and t.data[0] >= depth:
            return make("b", (t.data[0] + 1, t.data[1]))
        return t if t.loose <= depth and (name, sort, ()) not in t.free else None

    return rebuild(t, change)


def instantiate(t: Term, bodies: dict[Variable, Term]) -> Term:
    """Return t with free variables replaced by bodies, in which loose index k is argument k."""
    names = frozenset(bodies)

    def change(t: Term, depth: int) -> Term | None:
        return t if t.free.isdisjoint(names) else None

    def build(t: Term, args: tuple[Term, ...]) -> Term:
        body = bodies.get((*t.data, tuple([a.sort for a in args]))) if t.op == "v" else None
        return make(t.op, t.data, args) if body is None else fill(body, args)

    return rebuild(t, change, 0, build)


def resize(t: Term, names: dict[str, str]) -> Term:
    """Return t with the names of sizes replaced, of which none is a numeral."""
    need(not any(map(is_numeral, names)), "sizes: a numeral names itself")

    def sort(s: str) -> str:
        return ":".join(["M", *(names.get(n, n) for n in sizes(s))]) if sizes(s) else s

    def build(t: Term, args: tuple[Term, ...]) -> Term:
        data = list(t.data)
        for k, d in enumerate(data):
            if t.op in ("dim", "I", "unit"):
                data[k] = names.get(d, d)
            elif isinstance(d, str) and (t.op, k) != ("v", 0):
                data[k] = sort(d)
        return make(t.op, data, args)

    return rebuild(t, lambda t, depth: None, 0, build)


def write(t: Term) -> str:
    """Return a term as text, for messages."""
    inside = " ".join([*map(str, t.data), *map(write, t.args)]) if t.depth < 12 else "…"
    return f"({t.op} {inside})" if inside else t.op
