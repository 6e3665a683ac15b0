"""The form of a term: what stands in it as it is written, and what is left when it is calculated.

Nothing is proved here. Who looks at a line of somebody else's (a grader, an exercise) asks with
these functions whether a step has been taken, not whether it is right.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from mlnotes.trusted.normal import Polynomial, normal, polynomial
from mlnotes.trusted.terms import BINDERS, Refused, Term, fill, make, rebuild

from . import language
from . import proofs as pf
from .errors import TooLarge
from .language import Expr, Family, Function, Written, limited, term_of

T = TypeVar("T")
WORK = 500_000  # of the kernel's rules, less than a second
OPERATIONS: dict[Any, str] = {
    language.Sum: "sum",
    language.Product: "prod",
    language.expectation: "E",
    language.exp: "exp",
    language.log: "log",
    language.sqrt: "sqrt",
    language.Abs: "abs",
    language.Max: "max",
    language.Min: "min",
    language.dot: "dot",
}


def parts(term: Any, operation: Any = None) -> Iterator[Term]:
    """Yield a term and all that it is made of, or the parts made by one operation.

    What is bound is a fresh symbol in what stands under it. The operation is ``dot``, ``exp``,
    ``Sum`` and so on, or its name in the kernel, such as ``"+"``.
    """
    wanted = OPERATIONS.get(operation, operation)
    pending, seen = [_kernel(term)], set()
    while pending:
        t = pending.pop()
        if t in seen:
            continue
        seen.add(t)
        if wanted in (None, t.op):
            yield t
        pending += opened(t)


def opened(t: Term) -> list[Term]:
    """Return the arguments of a term, with a fresh symbol for what its operation binds."""
    at, sort = BINDERS.get(t.op, (-1, None))
    return [fill(a, (pf.fresh(sort or t.data[0]),)) if k == at else a for k, a in enumerate(t.args)]


def calculated(term: Any) -> Term:
    """Return the normal form of a term, in which what cancels is gone.

    Raises
    ------
    TooLarge
        If it would be too large.
    """
    return _calculated(normal, term)


def monomials(term: Any) -> Polynomial:
    """Return a number as the kernel calculates with it: a coefficient for each product of atoms.

    Raises
    ------
    TooLarge
        If there would be too many.
    """
    return _calculated(polynomial, term)


def _calculated(rule: Callable[[Term], T], term: Any) -> T:
    try:
        with limited(WORK):
            return rule(_kernel(term))
    except Refused as reason:
        raise TooLarge(str(reason)) from None


def mentions(term: Any, part: Any) -> bool:
    """Say whether a part stands in a term after what cancels is gone.

    Parameters
    ----------
    term : expression
        Where to look.
    part : expression, family, function or operation
        What to look for. An inner product is found in either order.

    Examples
    --------
    >>> from mlnotes.proof import exp, reals
    >>> from mlnotes.proof.forms import mentions
    >>> a, b = reals("a b")
    >>> mentions(a + exp(b), exp), mentions(a + 0 * b, b)
    (True, False)
    """
    if isinstance(part, Expr):
        part = Expr(calculated(part))
    return stands_in(calculated(term), part)


def stands_in(term: Any, part: Any) -> bool:
    """Say whether a part stands in a term as it is written."""
    t = _kernel(term)
    if isinstance(part, (Family, Function)):
        return any(name == part.name and arguments for name, _, arguments in t.free)
    if isinstance(part, str) or callable(part):
        return any(True for _ in parts(t, part))
    wanted = term_of(part).term
    either = {wanted, *([make("dot", (), wanted.args[::-1])] if wanted.op == "dot" else [])}
    return any(p in either for p in parts(t))


def without(term: Any, drop: Callable[[Term], bool]) -> Term:
    """Return a term with zero in the place of each part that is to be dropped.

    Examples
    --------
    >>> from mlnotes.proof import exp, reals
    >>> from mlnotes.proof.forms import without
    >>> a, b = reals("a b")
    >>> without(a + exp(b), lambda part: part.op == "exp")
    (+ (v a R) (q 0 1))
    """
    zero = language.number(0)
    return rebuild(_kernel(term), lambda t, _: zero if t.sort == "R" and drop(t) else None)


def stands_in_squares(term: Any, part: Any) -> bool:
    """Say whether a part stands in squares of sums and nowhere else.

    Examples
    --------
    >>> from mlnotes.proof import reals
    >>> from mlnotes.proof.forms import stands_in_squares
    >>> a = reals("a")
    >>> stands_in_squares((a - 1) ** 2 + 3, a), stands_in_squares(a**2 - 2 * a + 4, a)
    (True, False)
    """
    rest = without(term, lambda t: t.op == "pow" and t.data == (2,) and t.args[0].op == "+")
    return mentions(term, part) and not stands_in(rest, part)


def is_expanded(term: Any) -> bool:
    """Say whether no inner product of a sum or a multiple is left in a term.

    Examples
    --------
    >>> from mlnotes.proof import norm2, vectors
    >>> from mlnotes.proof.forms import is_expanded
    >>> u, v = vectors("u v")
    >>> is_expanded(norm2(u + v)), is_expanded(norm2(u) + norm2(v))
    (False, True)
    """
    inside = (p for t in parts(term, "dot") for a in t.args for p in parts(a))
    return not any(p.op in ("+", "sc") for p in inside)


def is_multiplied_out(term: Any) -> bool:
    """Say whether a term is a sum of products.

    Examples
    --------
    >>> from mlnotes.proof import reals
    >>> from mlnotes.proof.forms import is_multiplied_out
    >>> a, b = reals("a b")
    >>> is_multiplied_out((a + b) ** 2), is_multiplied_out(a**2 + 2 * a * b + b**2)
    (False, True)
    """
    return not any(
        a.op == "+" and a.free for t in parts(term) if t.op in ("*", "pow") for a in t.args
    )


def factors(term: Any) -> list[Expr]:
    """Return the factors of a product as it is written; any other term is its only factor."""
    t = _kernel(term)
    return [f for a in t.args for f in factors(a)] if t.op == "*" else [Expr(t)]


def addends(term: Any) -> list[Expr]:
    """Return the terms of a sum as it is written; any other term is its only one."""
    t = _kernel(term)
    return [f for a in t.args for f in addends(a)] if t.op == "+" else [Expr(t)]


def _kernel(term: Any) -> Term:
    if isinstance(term, Term):
        return term
    return term.term if isinstance(term, Written) else term_of(term).term


__all__ = [
    "addends",
    "calculated",
    "factors",
    "is_expanded",
    "is_multiplied_out",
    "mentions",
    "monomials",
    "opened",
    "parts",
    "stands_in",
    "stands_in_squares",
    "without",
]
