"""The largest and the smallest member of a family, by an index at which it stands."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from mlnotes.trusted.terms import Term, close, fill

from ..errors import IllTyped
from .expressions import Expr, carried, limits_of, shown_in_sort, term_of, under_index
from .symbols import integers
from .terms import OUTCOME, build


class Extremum:
    """An index of a range at which a number is largest, or smallest.

    A range that is not empty has one. What uses it supposes that it is in the range and that the
    number is nowhere larger, or smaller; a theorem states all of that.
    """

    __slots__ = ("body", "high", "index", "low", "sign")

    def __init__(self, body: Any, limit: Sequence[Any], name: str | None, sign: int) -> None:
        body = term_of(body)
        if (*OUTCOME, ()) in body.term.free:
            raise IllTyped("where a random number is largest depends on the outcome")
        index, self.low, self.high = limits_of(limit)
        self.body, self.sign = close(shown_in_sort("R", body), index.term), sign
        at = integers(name or f"{index.term.data[0]}{'^*' if sign > 0 else '_*'}").term
        here, there = fill(self.body, (at,)), fill(self.body, (index.term,))
        says = build("<=", (), [there, here] if sign > 0 else [here, there])
        for bound in ([index.term, self.high], [self.low, index.term]):
            says = build("->", (), [build("<=", (), bound), says])
        best = build("all", ("Z",), [close(says, index.term)])
        inside = (build("<=", (), [self.low, at]), build("<=", (), [at, self.high]))
        assumes = under_index(body.assumes, index.term, self.low, self.high)
        ends = carried(term_of(limit[1]), term_of(limit[2]))
        self.index = Expr(at, (*inside, best, *assumes, *ends))
        EXTREMA[best] = self

    def says(self) -> Term:
        """Return that nothing in the range is better."""
        return self.index.assumes[2]

    @property
    def value(self) -> Expr:
        """The largest, or the smallest, number."""
        return Expr(fill(self.body, (self.index.term,)), self.index.assumes)

    def example(self, value: Callable[[Term], Any]) -> int:
        """Return such an index where terms have these values."""
        places = range(value(self.low), value(self.high) + 1)
        numbers = {k: value(fill(self.body, (build("z", (k,)),))) for k in places}
        return max(places, key=lambda k: self.sign * numbers[k])


EXTREMA: dict[Term, Extremum] = {}


def argmax(body: Any, limit: Sequence[Any], name: str | None = None) -> Expr:
    """Return an index ``i^*`` of a range ``(i, 1, n)`` at which a number is largest.

    It carries what it is as hypotheses, so that a theorem that uses it states them. A witness need
    not name it. Two of them in one theorem need two names.
    """
    return Extremum(body, limit, name, 1).index


def argmin(body: Any, limit: Sequence[Any], name: str | None = None) -> Expr:
    """Return an index ``i_*`` of a range ``(i, 1, n)`` at which a number is smallest."""
    return Extremum(body, limit, name, -1).index


def maximum(body: Any, limit: Sequence[Any], name: str | None = None) -> Expr:
    """Return the largest of the numbers over a range, written as the one at :func:`argmax`."""
    return Extremum(body, limit, name, 1).value


def minimum(body: Any, limit: Sequence[Any], name: str | None = None) -> Expr:
    """Return the smallest of the numbers over a range, written as the one at :func:`argmin`."""
    return Extremum(body, limit, name, -1).value
