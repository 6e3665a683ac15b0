"""Statements: relations, quantified over indices, and what is said of an event or a matrix."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import reduce
from typing import Any

from mlnotes.trusted.terms import Term, close

from ..errors import IllTyped
from .expressions import (
    Expr,
    Written,
    carried,
    common,
    conditional,
    limits_of,
    mean_of,
    over_points,
    say,
    shown_in_sort,
    term_of,
    under_index,
)
from .terms import build, call, number


def indicator(event: Any) -> Expr:
    """Return one where a statement holds and zero where it does not."""
    event = statement(event)
    return Expr(build("ind", (), [event.folded]), event.assumes)


def KroneckerDelta(i: Any, j: Any) -> Expr:
    """Return one if two integers are equal and zero otherwise."""
    return indicator(Eq(i, j))


def probability(event: Any, *over: Any, given: Any = None) -> Expr:
    """Return the probability of an event: the expectation of its indicator.

    It may be ``given`` another event, or a random number, as an expectation may be.
    """
    one = indicator(event)
    if given is not None:
        return conditional(one.folded, one.assumes, given)
    return Expr(mean_of(one.folded), one.assumes)


class Statement(Written):
    """A statement, which remembers how its author wrote it."""

    __slots__ = ("parts", "shown")
    shown: str
    parts: tuple[Any, ...]

    def __init__(
        self, term: Term, assumes: Iterable[Term], shown: str, parts: tuple[Any, ...]
    ) -> None:
        super().__init__(term, assumes)
        self.shown, self.parts = shown, parts

    @property
    def lhs(self) -> Any:
        """The left side, as it was written."""
        return self.parts[0]

    @property
    def rhs(self) -> Any:
        """The right side, as it was written."""
        return self.parts[1]

    def at(self, *values: Any) -> Any:
        """Use a statement that holds for all values, or for all indices, at particular ones."""
        from ..named_rules import instance

        return instance(self, values)


def falsum() -> Term:
    """Return the statement that never holds."""
    return build("F")


def negated(p: Term) -> Term:
    """Return that p does not hold."""
    return build("->", (), [p, falsum()])


def statement(value: Any) -> Statement:
    """Return a value that has to be a statement."""
    if not isinstance(value, Statement):
        raise IllTyped(f"{value!r} is not a statement: write Eq, Le, for_each and so on")
    return value


def relate(shown: str, left: Any, right: Any) -> Statement:
    """Return the statement that two terms are related as a sign says."""
    left, right = term_of(left), term_of(right)
    sort = common(left, right)
    a, b = shown_in_sort(sort, left), shown_in_sort(sort, right)
    if shown not in ("=", "≠") and sort not in ("R", "Z"):
        raise IllTyped("only numbers are ordered")
    if shown in ("≥", ">"):
        a, b = b, a
    op = {"=": "=", "≠": "=", "≤": "<=", "≥": "<=", "<": "<", ">": "<"}[shown]
    t = build(op, (), [a, b])
    t = negated(t) if shown == "≠" else t
    return Statement(t, carried(left, right), shown, (left, right))


def Eq(left: Any, right: Any) -> Statement:
    """State that two terms are equal."""
    return relate("=", left, right)


def Ne(left: Any, right: Any) -> Statement:
    """State that two terms differ."""
    return relate("≠", left, right)


def Le(left: Any, right: Any) -> Statement:
    """State ``left ≤ right``."""
    return relate("≤", left, right)


def Lt(left: Any, right: Any) -> Statement:
    """State ``left < right``."""
    return relate("<", left, right)


def Ge(left: Any, right: Any) -> Statement:
    """State ``left ≥ right``."""
    return relate("≥", left, right)


def Gt(left: Any, right: Any) -> Statement:
    """State ``left > right``."""
    return relate(">", left, right)


def _joined(op: str, shown: str, statements: Sequence[Any]) -> Statement:
    """Return p ∧ q or p ∨ q of two or more statements."""
    parts = tuple(statement(s) for s in statements)
    t = reduce(lambda a, b: build(op, (), [a, b]), (s.folded for s in parts))
    return Statement(t, carried(*parts), shown, parts)


def And(*statements: Any) -> Statement:
    """State that all of some statements hold."""
    return _joined("&", "and", statements)


def Or(*statements: Any) -> Statement:
    """State that one of some statements holds."""
    return _joined("|", "or", statements)


def each(index: Term, low: Term, high: Term, body: Term) -> Term:
    """Return that a statement holds for every index of a range."""
    inside = build("->", (), [build("<=", (), [index, high]), body])
    inside = build("->", (), [build("<=", (), [low, index]), inside])
    t = build("all", ("Z",), [close(inside, index)])
    call(t, index.data[0])
    return t


def for_each(index: Any, low: Any, high: Any, body: Any) -> Statement:
    """State that something holds for every index from low to high."""
    body = statement(body)
    i, lo, hi = limits_of((index, low, high))
    inside = under_index(carried(body), i.term, lo, hi)
    assumes = (*inside, *carried(term_of(low), term_of(high)))
    return Statement(each(i.term, lo, hi, body.folded), assumes, "each", (index, low, high, body))


def integrable(body: Any, *over: Any) -> Statement:
    """State that a number has an integral over the points of a measure space.

    Its absolute value has a finite one then. An integral that does not exist is no number that a
    page may show, and nothing is linear or monotone where it does not.

    Examples
    --------
    >>> from mlnotes.proof import function, integrable, points
    >>> x, p = points("x"), function("p", of="point")
    >>> integrable(p(x) ** 2, x)
    p(x)² is integrable
    """
    body = term_of(body)
    if len(over) != 1:
        raise IllTyped("integrable(f(x), x) says over which point: write points('x')")
    t = over_points("integrable", shown_in_sort("R", body), over[0])
    return Statement(t, body.assumes, "integrable", ())


def _square(m: Any) -> Expr:
    """Return a matrix with as many rows as columns."""
    found = term_of(m)
    if len(set(found.shape)) != 1:
        raise IllTyped(f"{found!r} is {say(found.sort)}, not a square matrix")
    return found


def invertible(m: Any) -> Statement:
    """State that a matrix has an inverse: multiplied by it, it is the identity."""
    m = _square(m)
    inside = build("mm", (), [m.term, build("minv", (), [m.term])])
    whole = build("=", (), [inside, build("I", (m.shape[0],))])
    return Statement(whole, m.assumes, "invertible", (m,))


def _definite(m: Any, shown: str) -> Statement:
    """State that a matrix A is symmetric and what sign vᵀAv has for every column v."""
    m = _square(m)
    column = f"M:{m.shape[0]}:1"
    v = build("b", (0, column))
    form = build("tr", (), [build("mm", (), [build("T", (), [v]), m.term, v])])
    if shown == "positive definite":
        zero = build("=", (), [v, build("zero", (column,))])
        says = build("->", (), [negated(zero), build("<", (), [number(0), form])])
    else:
        says = build("<=", (), [number(0), form])
    same = build("=", (), [build("T", (), [m.term]), m.term])
    both = build("&", (), [same, build("all", (column,), [says])])
    return Statement(both, m.assumes, shown, (m,))


def positive_definite(m: Any) -> Statement:
    """State that a matrix A is symmetric and vᵀAv > 0 for every column v but zero."""
    return _definite(m, "positive definite")


def positive_semidefinite(m: Any) -> Statement:
    """State that a matrix A is symmetric and vᵀAv ≥ 0 for every column v."""
    return _definite(m, "positive semidefinite")
