"""Terms as authors make them: variables, numbers, and names that stand for terms."""

from __future__ import annotations

import contextlib
import gc
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from mlnotes.trusted import normal
from mlnotes.trusted.certificates import _library
from mlnotes.trusted.terms import Refused, Term, Variable, fuel, instantiate, make

from ..errors import IllTyped

OUTCOME = ("ω", "W")
# What authors called the index of a sum or a quantifier, the one who wrote it first before others.
NAMES: dict[Term, dict[str, None]] = {}
BUDGET = 10**12
# A rounded number is read as a fraction with a denominator up to this, if it is one.
DENOMINATOR = 10_000


class _Work:
    """Whether the kernel's rules may do only so much: in a search, not while a term is written."""

    is_limited = False


WORK = _Work()


@contextlib.contextmanager
def limited(work: int) -> Iterator[None]:
    """Let a search do some work and no more; what takes longer is refused.

    What a search can do must not depend on the machine nor on what was done before it. So work is
    counted in steps, not in seconds; it starts without the normal forms that others left; and
    memory is not swept meanwhile, which in a long process takes longer than the search.
    """
    _library()  # Reading it for the first time is no part of a search.
    for found in (normal.normal, normal.polynomial, normal.matrix):
        found.cache_clear()
    sweeping = gc.isenabled()
    gc.disable()
    WORK.is_limited, fuel.left = True, work
    try:
        yield
    finally:
        WORK.is_limited, fuel.left = False, BUDGET
        if sweeping:
            gc.enable()


@contextlib.contextmanager
def own_count() -> Iterator[None]:
    """Let what follows count its own work, beside that of a search around it."""
    before = fuel.left
    try:
        yield
    finally:
        fuel.left = before if WORK.is_limited else BUDGET


def build(op: str, data: Iterable[Any] = (), args: Iterable[Term] = ()) -> Term:
    """Make a term for an author: what the kernel refuses is ill-typed."""
    if not WORK.is_limited:
        fuel.left = BUDGET
    try:
        return make(op, data, args)
    except Refused as reason:
        if fuel.left < 0:
            raise
        raise IllTyped(str(reason)) from None


def number(value: int | Fraction) -> Term:
    """Return a real number."""
    value = Fraction(value)
    return build("q", (value.numerator, value.denominator))


def variable(name: str, sort: str = "R", args: Iterable[Term] = ()) -> Term:
    """Return a free variable."""
    return build("v", (name, sort), args)


def rows_of(t: Term) -> list[list[Any]]:
    """Return a term as the rows of a certificate, each made of those above it."""
    rows: list[list[Any]] = []
    place: dict[Term, int] = {}
    pending = [t]
    while pending:
        top = pending[-1]
        missing = [a for a in top.args if a not in place]
        if missing:
            pending += missing
            continue
        pending.pop()
        if top not in place:
            place[top] = len(rows)
            rows.append([top.op, *top.data, *(place[a] for a in top.args)])
    return rows


@dataclass(frozen=True)
class Definition:
    """A name that a page shows for a term; what is checked is the term.

    Attributes
    ----------
    name : str
        The name as it is printed.
    variables : tuple of Term
        All variables without arguments on which the term depends: the arguments of the name.
    body, written : Term
        The term with these as loose indices, with the names in it unfolded and as it was written.
    shown : tuple
        What is printed after the name: positions of arguments, and names of families.
    bar : int
        How many of these stand before a bar, as in Q(θ | φ); all of them if there is none.
    form : str
        How it is printed: as a ``name``, as the ``gradient`` of ``written``, as its ``mean``, as
        the ``conditional`` mean of its first factor given the second, or ``as it is``.
    origin : Term or None
        For a name, the term that was named, before families were put for its parameters.
    along : tuple of Term or None
        For a gradient, the variable or member in which it is taken, as it was written and with
        loose indices.
    """

    name: str
    variables: tuple[Term, ...]
    body: Term
    written: Term
    shown: tuple[int | str, ...] = ()
    bar: int = 99
    form: str = "name"
    origin: Term | None = None
    along: tuple[Term, Term] | None = None


# No author can type a name with one of these signs: fresh variables have the first one in theirs,
# variables with a definition behind them the second one.
FRESH, FOLD = "·", "§"
DEFINED: dict[Variable, Definition] = {}
_FOLDED: dict[tuple[str, Definition], str] = {}


def define(sort: str, definition: Definition) -> Term:
    """Return the name that a page shows for a term, with its own variables as arguments."""
    new = f"{definition.name}{FOLD}{len(DEFINED)}"
    name = _FOLDED.setdefault((sort, definition), new)
    DEFINED[name, sort, tuple(v.sort for v in definition.variables)] = definition
    return variable(name, sort, definition.variables)


def unfolded(t: Term) -> Term:
    """Return a term with what its names stand for, which is what is checked."""
    if DEFINED.keys().isdisjoint(t.free):
        return t
    if not WORK.is_limited:
        fuel.left = BUDGET
    return instantiate(t, {v: DEFINED[v].body for v in t.free if v in DEFINED})


def call(t: Term, name: str) -> None:
    """Remember what an author calls the variable that a term binds."""
    for said in (t, unfolded(t)):
        NAMES.setdefault(said, {}).setdefault(name)


def called(t: Term) -> list[str]:
    """Return what authors called the variable that a term binds, the first one before others."""
    return list(NAMES.get(t, ()))
