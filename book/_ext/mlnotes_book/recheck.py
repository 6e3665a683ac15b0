"""Run a derivation from its source, as the reader may have changed it, and report line by line.

This module runs in the reader's browser beside `mlnotes.proof`, so it needs nothing of the book's
build. Whatever the reader's code does, the report is plain data with a sentence in it.
"""

from __future__ import annotations

import ast
import contextlib
import importlib
import io
import linecache
import traceback
from collections.abc import Sequence
from typing import Any

from mlnotes.proof import Derivation, ProofError, Theorem, Unproved, WrongStep, rendering

FILE = "<the code on this page>"
Report = dict[str, Any]


def function(source: str, module: str) -> Report:
    """Run a function that derives a theorem, among the names of its module.

    The module itself stays as it is: a changed derivation is never kept where another would use it.
    """
    names = dict(vars(importlib.import_module(module)))
    names["proves"] = lambda label: lambda derive: derive
    return _reported(lambda: _call(source, names))


def cell(source: str, earlier: Sequence[str] = ()) -> Report:
    """Run a cell after the cells before it, and report its last value or what it printed."""
    names: dict[str, Any] = {"__name__": "__main__"}
    return _reported(lambda: _last_value([*earlier, source], names))


def _call(source: str, names: dict[str, Any]) -> Any:
    tree = _parsed(source, FILE)
    functions = [node.name for node in tree.body if isinstance(node, ast.FunctionDef)]
    if not functions:
        raise ReaderError("There is no function to run: the code must define one with “def”.")
    exec(compile(tree, FILE, "exec", dont_inherit=True), names)
    theorem = names[functions[-1]]()
    if not isinstance(theorem, Theorem):
        raise ReaderError(
            "The function returned no theorem: it must end with “return” and a derivation that "
            "ends with “.qed()”."
        )
    return theorem


def _last_value(sources: list[str], names: dict[str, Any]) -> Any:
    value = None
    for number, source in enumerate(sources):
        file = FILE if source is sources[-1] else f"<cell {number + 1}>"
        tree = _parsed(source, file)
        last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
        with (
            contextlib.nullcontext() if file == FILE else contextlib.redirect_stdout(io.StringIO())
        ):
            exec(compile(tree, file, "exec", dont_inherit=True), names)
            value = None
            if isinstance(last, ast.Expr):
                value = eval(compile(ast.Expression(last.value), file, "eval"), names)
    return value


def _parsed(source: str, file: str) -> ast.Module:
    """Return the code as a tree, and let the checker read its lines again."""
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
    return ast.parse(source, file)


class ReaderError(Exception):
    """What is wrong with the code, in a sentence."""


def _reported(run: Any) -> Report:
    """Run and describe what came out."""
    printed = io.StringIO()
    report: Report = {"lines": [], "failure": None, "scope": "", "assumptions": []}
    try:
        with contextlib.redirect_stdout(printed):
            value = run()
        if isinstance(value, (Theorem, Derivation)):
            report.update(_lines(value))
    except Exception as error:
        report.update(_failure(error))
    report["printed"] = printed.getvalue()
    return report


def _lines(t: Any) -> Report:
    """Return the lines of a theorem or of a derivation that is not finished."""
    # A row of the display is what the page shows of the line, which is how the page finds it.
    rows = rendering.aligned(t).split("\n")[1:-1] if t.steps else []
    lines = [
        {
            "row": row.removesuffix(" \\\\"),
            "text": "these cannot hold together"
            if step.relation == "⊢"
            else f"{step.relation} {rendering.plain(step.expression)}",
            "because": step.because,
            "mark": step.mark,
            "symbol": rendering.MARKS[step.mark],
            "word": rendering.MARK_NAMES[step.mark],
            "method": step.method,
            "scope": step.scope,
        }
        for row, step in zip(rows[len(rows) - len(t.steps) :], t.steps, strict=True)
    ]
    return {
        "lines": lines,
        "scope": getattr(t, "scope", ""),
        "mark": getattr(t, "mark", ""),
        "assumptions": list(getattr(t, "assumptions", ())),
    }


def _failure(error: Exception) -> Report:
    """Return the lines that were checked before an error, and what is wrong with the next."""
    trace = list(traceback.walk_tb(error.__traceback__))
    places = [line for frame, line in trace if frame.f_code.co_filename == FILE]
    if isinstance(error, SyntaxError) and error.filename == FILE:
        places = [error.lineno or 1]
    failure = {"kind": _kind(error), "message": _sentence(error), "text": "", "because": ""}
    failure["place"] = places[-1] if places else None
    report: Report = {"failure": failure}
    # A lemma that the code uses writes lines too, which the reader does not see.
    line = getattr(error, "line", None)
    if line is not None and line.file == FILE:
        report.update(_lines(line.derivation))
        failure["text"] = f"{line.relation} {rendering.plain(line.term)}"
        failure["because"] = line.because
    return report


def _kind(error: Exception) -> str:
    if isinstance(error, WrongStep):
        return "wrong"
    if isinstance(error, Unproved):
        return "unproved"
    return "refused" if isinstance(error, ProofError) else "code"


def _sentence(error: Exception) -> str:
    if isinstance(error, SyntaxError):
        return f"This is not Python: {error.msg}."
    if isinstance(error, (ProofError, ReaderError)):
        return str(error)
    return f"The code stopped with {type(error).__name__}: {error}"
