"""Using that there is something: a value for which a statement holds is given a name."""

from __future__ import annotations

from typing import Any

from mlnotes.trusted.terms import Term, fill

from . import proofs as pf
from .errors import IllTyped, Unproved
from .language import Expr, variable_of
from .named_rules import Renaming, Rule, as_rule, prove_with
from .proofs import Proof, mp
from .search import Context


class _Obtain(Rule):
    word = "a value that exists"

    def __init__(self, symbol: Expr, claim: Rule, inner: Rule | None) -> None:
        self.symbol, self.claim, self.inner = symbol, claim, inner

    def renamed(self, names: Renaming) -> Rule:
        inner = self.inner.renamed(names) if self.inner else None
        return _Obtain(self.symbol, self.claim.renamed(names), inner)

    def prove(self, context: Context, goal: Term) -> Proof:
        some = self._exists(context)
        x = pf.fresh(self.symbol.sort, "a")
        premises, body = [], fill(some.conclusion.args[0].args[0], (x,))
        while body.op == "->" and body.args[1].op != "F":
            premises.append(body.args[0])
            body = body.args[1]
        known = [pf.assume(p) for p in (*premises, body.args[0])]
        inner = self.inner.renamed({variable_of(self.symbol): x}) if self.inner else None
        shown = prove_with(context.extended(*known), goal, inner)
        # If the goal did not hold, no value would do.
        wrong = mp(pf.assume(pf.negation(goal)), shown)
        for fact in reversed(known):
            wrong = pf.discharge(fact.conclusion, wrong)
        none = mp(some, pf.generalise(x, wrong))
        return pf.by_cases(goal, pf.assume(goal), pf.absurd(goal, none))

    def _exists(self, context: Context) -> Proof:
        """Return the fact that there is a value of the sort of the symbol."""
        for fact in self.claim.facts(context):
            p = fact.conclusion
            if p.op == "->" and p.args[1].op == "F" and p.args[0].op == "all":
                body = p.args[0].args[0]
                while body.op == "->" and body.args[1].op != "F":
                    body = body.args[1]
                if p.args[0].data == (self.symbol.sort,) and body.op == "->":
                    return fact
        raise Unproved(f"obtain: nothing says that there is such a value {self.symbol!r}")


def obtain(symbol: Any, claim: Any, by: Any = None) -> Rule:
    """Let a symbol be a value that a statement says there is, and prove the line with it.

    Parameters
    ----------
    symbol : Expr
        The symbol.
    claim : Statement or rule
        That there is such a value: made by ``exists`` or ``some``, or ``claim.at(...)`` for one
        that is made for all values of something.
    by : rule, optional
        How the line is proved then; it may speak of the symbol.
    """
    if not isinstance(symbol, Expr) or symbol.term.op != "v" or symbol.term.args:
        raise IllTyped(f"{symbol!r} is not a symbol")
    return _Obtain(symbol, as_rule(claim), as_rule(by) if by is not None else None)
