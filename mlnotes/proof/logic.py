"""Statements made of statements: not, implies, if and only if, for all, there is, there is no."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import Any

from mlnotes.trusted.terms import Term, close, instantiate

from .errors import IllTyped
from .language import (
    Expr,
    Statement,
    Written,
    build,
    call,
    carried,
    for_each,
    negated,
    statement,
    variable,
    variable_of,
)


def Not(p: Any) -> Statement:
    """State that something does not hold."""
    p = statement(p)
    return Statement(negated(p.folded), p.assumes, "not", (p,))


def Implies(p: Any, q: Any) -> Statement:
    """State that one thing implies another."""
    p, q = statement(p), statement(q)
    return Statement(build("->", (), [p.folded, q.folded]), carried(p, q), "implies", (p, q))


def Iff(p: Any, q: Any) -> Statement:
    """State that two things hold together or not at all."""
    p, q = statement(p), statement(q)
    both = [build("->", (), [a.folded, b.folded]) for a, b in ((p, q), (q, p))]
    return Statement(build("&", (), both), carried(p, q), "iff", (p, q))


def for_all(symbols: Any, p: Any) -> Statement:
    """State that something holds for all values of a symbol, or of several."""
    return _quantified("for all", symbols, p, lambda t: t)


def exists(symbols: Any, p: Any) -> Statement:
    """State that there is a value of a symbol, or of several, for which something holds."""
    found = _quantified("exists", symbols, p, negated, premise="&")
    return Statement(negated(found.folded), found.assumes, "exists", found.parts)


def some(index: Any, low: Any, high: Any, p: Any) -> Statement:
    """State that something holds for some index from low to high."""
    found = for_each(index, low, high, Not(p))
    return Statement(negated(found.folded), found.assumes, "some", found.parts)


def none(symbols: Any, p: Any) -> Statement:
    """State that there is no value of a symbol, or of several, for which something holds."""
    return _quantified("none", symbols, p, negated, premise="&")


def primed(x: Expr, *written: Written) -> Term:
    """Return another variable of the kind of x, with more primes than whatever is mentioned."""
    taken = {v[0] for w in written for v in w.term.free | w.folded.free}
    name = f"{variable_of(x)[0]}'"
    while name in taken:
        name += "'"
    return variable(name, x.sort)


def at_most_one(symbol: Any, p: Any) -> Statement:
    """State that there are no two values of a symbol for which something holds."""
    (x,), p = _symbols(symbol), statement(p)
    other = primed(x, x, p)
    declared, rest = _split([x], p)
    says = reduce(lambda a, b: build("&", (), [a, b]), [*declared, p.folded])
    again = instantiate(says, {variable_of(x): other})
    t = build("->", (), [says, build("->", (), [again, build("=", (), [x.term, other])])])
    return Statement(_bound(_bound(t, other), x.term), rest, "at most one", ((x,), p))


def _symbols(symbols: Any) -> tuple[Expr, ...]:
    """Return symbols over which a statement can be quantified."""
    found = tuple(symbols) if isinstance(symbols, (tuple, list)) else (symbols,)
    for x in found:
        if not isinstance(x, Expr) or x.term.op != "v" or x.term.args:
            raise IllTyped(
                f"{x!r} cannot be quantified: only a number, integer, vector or matrix can; "
                "a theorem holds for all families that stand in it"
            )
    return found


def _split(symbols: Sequence[Expr], p: Statement) -> tuple[list[Term], list[Term]]:
    """Return what is declared of the symbols, and what else a statement carries."""
    bound = {variable_of(x) for x in symbols}
    declared = [a for x in symbols for a in x.assumes]
    rest = [a for a in p.assumes if a not in declared]
    if any(not a.free.isdisjoint(bound) for a in rest):
        raise IllTyped("a gradient or extremum at a symbol cannot be quantified over the symbol")
    return declared, rest


def _bound(t: Term, x: Term) -> Term:
    """Return ∀x t."""
    out = build("all", (x.sort,), [close(t, x)])
    call(out, x.data[0])
    return out


def _quantified(shown: str, symbols: Any, p: Any, inside: Any, premise: str = "->") -> Statement:
    """Bind symbols; what was declared of them is a premise, or part of what is denied."""
    found, p = _symbols(symbols), statement(p)
    declared, rest = _split(found, p)
    t = p.folded
    for a in reversed(declared):
        t = build(premise, (), [a, t])
    t = inside(t)
    for x in reversed(found):
        t = _bound(t, x.term)
    return Statement(t, rest, shown, (found, p))
