"""Shattering as a finite statement, and the rule that counts the sets that a class shatters."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mlnotes.trusted.terms import Term

from . import proofs as pf
from .language import (
    SUBSETS,
    And,
    Eq,
    Expr,
    Statement,
    contains,
    for_each,
    in_sort,
    indicator,
    indices,
    statement,
    subsets,
    term_of,
)
from .logic import Implies, some
from .named_rules import Renaming, Rule, _moved
from .proofs import Proof, le, mp
from .search import Context

Class = Callable[[Expr], Statement]


def shatters(members: Class, target: Any, n: Any) -> Statement:
    """State that a class of subsets of {1, …, n} shatters a set: it shows every behaviour there.

    Parameters
    ----------
    members : callable
        Returns the statement that a set is a member of the class.
    target : Expr
        The set that is shattered.
    n : Expr
        The number of points.
    """
    i, a, b = indices("i A B")
    same = Eq(indicator(contains(b, i)), indicator(contains(a, i)))
    behaves = And(members(b), for_each(i, 1, n, Implies(contains(target, i), same)))
    return for_each(*subsets(a, n), some(*subsets(b, n), behaves))


class _Shattered(Rule):
    word = "induction over the points"

    def __init__(self, members: Class, n: Expr) -> None:
        self.members, self.n = members, n
        self.stated = statement(members(Expr(pf.fresh("Z"))))

    def renamed(self, names: Renaming) -> Rule:
        return _Shattered(lambda s: _moved(self.members(s), names), _moved(self.n, names))

    def facts(self, context: Context) -> list[Proof]:
        from .library.classes import shattered_sets

        size = in_sort("Z", self.n)
        long = context.prove(le(pf.whole(0), size))

        def holds(s: Term) -> Term:
            return self.members(Expr(s)).term

        found = pf.instance(shattered_sets(), {"n": size, "p": holds})
        return [mp(found, *map(context.prove, SUBSETS), long)]

    def prove(self, context: Context, goal: Term) -> Proof:
        return context.focused(*self.facts(context)).prove(goal)


def shattered_sets(members: Class, n: Any) -> Rule:
    """Use that a class of subsets of {1, …, n} shatters at least as many sets as it has members."""
    return _Shattered(members, term_of(n))
