"""What a line that was not proved may lack: signs, ranges, integrals, or what is left to show.

Nothing here decides anything; it helps an author to see which fact to state or to prove first.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from mlnotes.trusted.normal import build, polynomial
from mlnotes.trusted.rules import difference
from mlnotes.trusted.terms import Refused, Term, fill

from . import proofs as pf
from . import rendering
from .arithmetic import is_relation
from .errors import Unproved
from .language import FRESH
from .search import Context

SECONDS = 0.2  # of the processor for looking
MOST = 3  # facts that are named


def missing(context: Context, goal: Term) -> list[str]:
    """Return what nothing says, and what may be needed for a goal."""
    out: dict[str, None] = {}
    try:
        with context.working(SECONDS):
            for hint in _hints(context, goal):
                out[re.sub(rf"{FRESH}\d+", "", hint)] = None
                if len(out) >= MOST:
                    break
    except (Unproved, Refused, RecursionError):
        pass
    return list(out)


def _hints(context: Context, goal: Term) -> Iterator[str]:
    """Say what an attempt lacked; of a relation a ≤ b, that b − a ≥ 0 is left to show."""
    yield from _of_term(context, goal, 0)
    if is_relation(goal) and goal.args[0].sort == "R":
        rest = difference(goal, "R")
        if 1 < len(rest) <= 6:
            sign = {"=": "= 0", "<=": "≥ 0", "<": "> 0"}[goal.op]
            yield f"what is left to show is {rendering.plain(build(rest))} {sign}"


def _of_term(context: Context, t: Term, depth: int) -> Iterator[str]:
    """Yield what is not known about the parts of a term."""
    if depth > 2:
        return
    if t.op in ("sum", "prod") and not t.loose:
        low, high, body = t.args
        if depth == 0 and context.quick(pf.le(low, high)) is None:
            said = f"{rendering.plain(low)} ≤ {rendering.plain(high)}"
            yield f"nothing says that {said}, so that a sum or product may be empty"
        i, inner = context.opened(low, high)
        yield from _of_term(inner, fill(body, (i,)), depth + 1)
        yield from _weights(inner, t, fill(body, (i,)))
        return
    if t.op == "E" and not t.loose:
        w = pf.fresh("W", "ω")
        value = fill(t.args[0], (w,))
        if not context.laws and _is_product_of_random(value, w):
            yield (
                f"{rendering.plain(t)} is a product of means only for independent variables: "
                "state independent(...) if they are"
            )
        yield from _of_term(context.extended(), value, depth + 1)
        return
    if t.op == "int" and not t.loose:
        exists = pf.build("integrable", (), t.args)
        if context.attempt(exists) is None:
            yield f"nothing says that {rendering.plain(exists)}"
        yield from _of_term(context.extended(), fill(t.args[0], (pf.fresh("U", "x"),)), depth + 1)
        return
    if t.op in ("inv", "log", "sqrt") and not t.loose:
        kind, said = ("nonnegative", "≥ 0") if t.op == "sqrt" else ("positive", "> 0")
        if context.sign(kind, t.args[0]) is None:
            yield f"nothing says that {rendering.plain(t.args[0])} {said}"
    for a in t.args:
        if not a.loose:
            yield from _of_term(context, a, depth)


def _weights(inner: Context, total: Term, body: Term) -> Iterator[str]:
    """Yield that the sign of a factor of the terms of a sum is not known."""
    factors = body.args if body.op == "*" else ()
    for a in factors:
        if a.op == "v" and a.args and inner.sign("nonnegative", a) is None:
            yield f"nothing says that {rendering.plain(a)} ≥ 0 under {rendering.plain(total)}"


def _is_product_of_random(value: Term, w: Term) -> bool:
    """Say whether a term is a product of two random variables."""
    name = (w.data[0], w.data[1], ())
    return any(
        len([a for a, k in m if name in a.free and a.op == "v"]) > 1 for m in polynomial(value)
    )


__all__ = ["missing"]
