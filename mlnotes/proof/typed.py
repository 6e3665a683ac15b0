"""Terms as their author typed them.

SymPy sorts and cancels while a term is built: ``theta + y*x`` arrives as ``x*y + theta``, and
``x/x`` as 1 before anyone can ask whether x may be zero. So the checker reads the argument of the
call again from the caller's source, with evaluation switched off. Pages show that twin, and it must
be defined; proofs use the term that was passed. Where the source cannot be had, or says anything
but what was passed, the term itself is its twin.
"""

from __future__ import annotations

import ast
import functools
import inspect
import linecache
from types import CodeType, FrameType
from typing import Any

import sympy as sp
from sympy.core.relational import Relational


def typed(term: Any, frame: FrameType | None, argument: int = 0) -> Any:
    """Return the term that an argument of the call now running in a frame was typed as."""
    code = _argument(frame, argument) if frame is not None else None
    if frame is None or code is None:
        return term
    try:
        with sp.evaluate(False):
            return _unnested(sp.sympify(eval(code, frame.f_globals, frame.f_locals)))
    except Exception:  # whatever the author's code does when it is read twice
        return term


def evaluated(e: Any) -> Any:
    """Return what SymPy would have built in the place of a term or statement as typed."""
    if not getattr(e, "args", ()):
        return e
    args = [evaluated(a) for a in e.args]
    if isinstance(e, Relational):
        return e.func(*args, evaluate=False)
    return e if all(a is b for a, b in zip(args, e.args, strict=True)) else e.func(*args)


def _unnested(e: Any) -> Any:
    """Return a term in which ``(a + b) + c``, which is how Python reads it, is a + b + c."""
    if not getattr(e, "args", ()) or isinstance(e, (sp.Indexed, sp.MatrixSymbol)):
        return e
    args = [_unnested(a) if isinstance(a, sp.Expr) else a for a in e.args]
    if type(e) in (sp.Add, sp.Mul):
        while type(args[0]) is type(e):
            args = [*args[0].args, *args[1:]]
        return e.func(*args, evaluate=False)
    return e if all(a is b for a, b in zip(args, e.args, strict=True)) else e.func(*args)


def _argument(frame: FrameType, argument: int) -> CodeType | None:
    """Return the code of an argument of the call that a frame is in the middle of."""
    place = inspect.getframeinfo(frame, context=0).positions
    if place is None:
        return None
    lines = tuple(linecache.getlines(frame.f_code.co_filename, frame.f_globals))
    call = _calls(lines).get((place.end_lineno, place.end_col_offset))
    if call is None or len(call.args) <= argument:
        return None
    chosen = call.args[argument]
    # A name stands for a term that is there already, and SymPy forgets all it knows at a switch.
    if isinstance(chosen, (ast.Name, ast.Attribute)):
        return None
    if any(isinstance(node, (ast.Starred, ast.NamedExpr, ast.Await)) for node in ast.walk(chosen)):
        return None
    return compile(ast.Expression(chosen), frame.f_code.co_filename, "eval")


@functools.lru_cache(maxsize=64)
def _calls(lines: tuple[str, ...]) -> dict[Any, ast.Call]:
    """Return every call of a source by where it ends: no two calls end with the same bracket."""
    try:
        tree = ast.parse("".join(lines))
    except (SyntaxError, ValueError):
        return {}
    return {
        (node.end_lineno, node.end_col_offset): node
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
    }
