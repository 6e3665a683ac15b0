"""What has to hold for a displayed term to make sense: no 1/0, no log 0, no root of −1, no 2⁻¹ = 1.

An integral makes sense where what stands under it is integrable.

In the kernel every function is total, so that this is no matter of truth; but no reader should be
shown a bound that divides by zero. What has to hold is a closed proposition for each 1/d, log x,
√x and A⁻¹ that is displayed, with the ranges of the sums around it, and each has a proof that is
recorded like those of the lines. A power with a symbol as exponent and a binomial coefficient are
products from 1 on, which are one where the exponent or the lower number is negative: a reader is
shown neither there.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from mlnotes.trusted.normal import normal
from mlnotes.trusted.terms import BINDERS, Term, close, fill

from . import proofs as pf
from . import rendering, words
from .errors import Undefined
from .formulas import is_power
from .language import FRESH, binomial_of
from .proofs import Proof, assume
from .search import Context

PARTIAL = ("inv", "log", "sqrt", "minv", "int")
_Close = Callable[[Proof], Proof]


def demands(t: Term) -> Iterator[Term]:
    """Yield what has to hold for a closed term to make sense."""
    if is_restricted(t) and not is_own_chance(t):
        yield sense(t)
    if t.op == "->":
        yield from demands(t.args[0])
        if t.args[1].op != "F":
            for p in demands(t.args[1]):
                yield pf.build("->", (), [t.args[0], p])
        return
    at, sort = binds(t)
    for k, a in enumerate(t.args):
        if k != at:
            yield from demands(a)
        elif is_partial(a):
            x = pf.fresh(sort, "i" if sort == "Z" else "t")
            for p in demands(fill(a, (x,))):
                if t.op in ("sum", "prod"):
                    for bound in (pf.le(x, t.args[1]), pf.le(t.args[0], x)):
                        p = pf.build("->", (), [bound, p])
                yield pf.build("all", (sort,), [close(p, x)])


def binds(t: Term) -> tuple[int, str]:
    """Return which argument stands under a binder, or -1, and the sort of what is bound."""
    at, sort = BINDERS.get(t.op, (-1, ""))
    return at, t.data[0] if sort is None else sort


def is_restricted(t: Term) -> bool:
    """Say whether a term is displayed as something that is not defined everywhere."""
    if t.op != "prod":
        return t.op in PARTIAL
    high = t.args[1]
    counted = high.op == "z" and high.data[0] >= 0
    return not counted and (is_power(t) or binomial_of(t) is not None)


def is_own_chance(t: Term) -> bool:
    """Say whether a term divides by the probability of the value that X has at an outcome.

    It is zero at outcomes alone that never occur: E[Y | X] is not asked there.
    """
    if t.op != "inv" or t.args[0].op != "E" or t.args[0].args[0].op != "ind":
        return False
    event = t.args[0].args[0].args[0]
    if event.op != "=" or event.args[0].sort != "R" or 0 in event.args[1].indices:
        return False
    left, right = event.args
    outcomes = [pf.variable(*v[:2]) for v in right.free if v[1] == "W" and not v[2]]
    return any(fill(left, (w,)) is fill(right, (w,)) for w in outcomes)


def sense(t: Term) -> Term:
    """Return what has to hold for a function to be defined at its argument."""
    if t.op == "prod":
        return pf.le(pf.build("z", (0,)), t.args[1])
    (x,) = t.args
    if t.op == "int":
        return pf.build("integrable", (), [x])
    if t.op == "inv":
        return pf.build("->", (), [pf.eq(x, 0), pf.false()])
    if t.op == "minv":
        return words.inverse_equation(x)
    return pf.lt(0, x) if t.op == "log" else pf.le(0, x)


def is_partial(t: Term) -> bool:
    """Say whether a function that is not defined everywhere occurs."""
    return is_restricted(t) or any(map(is_partial, t.args))


class Definedness:
    """The terms that were displayed, and proofs that they make sense."""

    def __init__(self) -> None:
        self.displayed: dict[Term, None] = {}
        self.proofs: dict[Term, Proof] = {}

    def require(self, t: Term, context: Context) -> None:
        """Prove that a displayed term makes sense, or refuse it."""
        if t not in self.displayed:
            self.displayed[t] = None
            self._require(t, context, ())

    def _require(self, t: Term, context: Context, outer: tuple[_Close, ...]) -> None:
        """Prove that every term of t is defined, what follows a premise where it holds."""
        if is_restricted(t) and not is_own_chance(t):
            self._keep(_proved(t, context), sense(t), outer)
        if t.op == "->":
            # What is concluded has to be defined where the premise holds.
            premise = t.args[0]
            self._require(premise, context, outer)
            if t.args[1].op != "F":
                inner = context.extended(assume(premise))
                self._require(t.args[1], inner, (*outer, lambda p: pf.discharge(premise, p)))
            return
        at, sort = binds(t)
        for k, a in enumerate(t.args):
            if k != at:
                self._require(a, context, outer)
            elif is_partial(a):
                self._require_inside(t, a, sort, context, outer)

    def _require_inside(
        self, t: Term, body: Term, sort: str, context: Context, outer: tuple[_Close, ...]
    ) -> None:
        """Require what stands under a binder to make sense for every value of its variable."""
        if t.op not in ("sum", "prod"):
            x = pf.fresh(sort, "i" if sort == "Z" else "t")
            closes = (*outer, lambda p: pf.generalise(x, p))
            self._require(fill(body, (x,)), context.extended(), closes)
            return
        low, high = t.args[:2]
        i, inner = context.opened(low, high)

        def everywhere(p: Proof) -> Proof:
            p = pf.discharge(pf.le(low, i), pf.discharge(pf.le(i, high), p))
            return pf.generalise(i, p)

        self._require(fill(body, (i,)), inner, (*outer, everywhere))

    def _keep(self, proof: Proof, says: Term, outer: tuple[_Close, ...]) -> None:
        """Keep a proof under the premises and quantifiers around its term."""
        proof = pf.convert(proof, says)
        for step in reversed(outer):
            proof = step(proof)
        self.proofs.setdefault(proof.conclusion, proof)


def _proved(t: Term, context: Context) -> Proof:
    """Return a proof that a function is defined at its argument, or refuse the term."""
    x = t.args[1] if t.op == "prod" else t.args[0]
    if t.op == "int":
        found = context.attempt(sense(t))
        if found is None:
            raise Undefined(f"nothing says that {_named(sense(t))}")
        return found
    if t.op == "prod":
        found, missing = context.attempt(sense(t)), "not negative"
    elif t.op == "inv":
        found, missing = context.not_zero(x), "not zero"
        # A product is known not to vanish as it is written, not after it is expanded.
        for fact in (found, context.sign("positive", x)):
            if fact is not None and x.op in ("*", "pow"):
                context.known.setdefault(normal(fact.conclusion), fact)
    elif t.op == "log":
        found, missing = context.sign("positive", x), "positive"
        found = found or context.attempt(pf.lt(0, x))
    elif t.op == "sqrt":
        found, missing = context.sign("nonnegative", x), "not negative"
    else:
        found, missing = words.inverse_law(context, x), "invertible"
    if found is None:
        raise Undefined(f"nothing says that {_named(x)} is {missing}")
    return found


def _named(t: Term) -> str:
    """Return a term as text, with fresh variables under the names they were made from."""
    return re.sub(rf"{FRESH}\d+", "", rendering.plain(t))
