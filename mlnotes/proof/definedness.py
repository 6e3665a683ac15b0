"""When does a term have a value? The conditions, read off the term as it was written."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import sympy as sp

from .terms import ForEach, Ge, Gt, Inverse, LogDet, Ne, invertible, is_statement, positive_definite


def conditions(e: Any) -> list[Any]:
    """Return statements that together make sure that a term or statement has a value.

    Examples
    --------
    >>> from mlnotes.proof import log, reals
    >>> from mlnotes.proof.definedness import conditions
    >>> x, y = reals("x y")
    >>> conditions(log(x) / y)
    [Ne(y, 0), x > 0]
    """
    return list(dict.fromkeys(_conditions(sp.sympify(e))))


def _conditions(e: Any) -> Iterator[Any]:
    if isinstance(e, sp.Pow):
        yield from _power(e.base, e.exp)
    elif isinstance(e, sp.log):
        yield Gt(e.args[0], 0)
    elif isinstance(e, Inverse) or (isinstance(e, sp.MatPow) and e.exp.is_negative):
        yield invertible(e.args[0])
    elif isinstance(e, LogDet):
        yield positive_definite(e.args[0])
    if isinstance(e, (sp.Sum, sp.Product)):
        # Innermost limit first: each one binds the conditions of what stands inside it.
        inside = list(_conditions(e.function))
        for index, low, high in e.limits:
            inside = [_bind(c, index, low, high) for c in inside]
            for end in (low, high):
                yield from _conditions(end)
        yield from inside
        return
    if isinstance(e, ForEach):
        for c in _conditions(e.relation):
            yield _bind(c, e.index, e.low, e.high)
        return
    if isinstance(e, sp.Indexed):
        for i in e.indices:
            yield from _conditions(i)
        return
    for a in e.args:
        if isinstance(a, sp.Expr) or is_statement(a) or hasattr(a, "shape"):
            yield from _conditions(a)


def _bind(condition: Any, index: Any, low: Any, high: Any) -> Any:
    if index not in condition.free_symbols:
        return condition
    return ForEach(index, sp.sympify(low), sp.sympify(high), condition)


def _power(base: Any, exponent: Any) -> Iterator[Any]:
    if base == sp.E or (base.is_Rational and base > 0):
        return
    if exponent.is_Rational:
        if exponent.is_Integer:
            if exponent < 0:
                yield from _nonzero(base)
        elif exponent < 0:
            yield Gt(base, 0)
        else:
            yield Ge(base, 0)
    elif exponent.is_integer:
        if not exponent.is_nonnegative:
            yield from _nonzero(base)
    else:
        yield Gt(base, 0)


def _nonzero(e: Any) -> Iterator[Any]:
    """Yield what makes a term nonzero; for a power or a product, of everything it multiplies."""
    if isinstance(e, sp.Pow) and e.exp.is_Integer and e.exp > 0:
        yield from _nonzero(e.base)
    elif isinstance(e, sp.Mul):
        for factor in e.args:
            if not (factor.is_Rational and factor != 0):
                yield from _nonzero(factor)
    else:
        yield Ne(e, 0)
