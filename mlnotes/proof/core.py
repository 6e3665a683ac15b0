"""How large is what one has to trust? Counted from the source, so that no page can misstate it."""

from __future__ import annotations

import ast
import importlib.resources
import io
import tokenize

TRUSTED = {
    "terms": "kinds of terms, and substitution without capture",
    "normal": "the normal form: the kernel",
    "definedness": "the conditions under which a term has a value",
    "facts": "general truths (tangents, squares, Cauchy–Schwarz) and their multiples",
    "prove": "the order of the methods, and the addition of a certificate",
    "rules": "the named rules",
    "calculus": "derivatives",
    "models": "values of terms: witnesses and counterexamples",
    "derivation": "what becomes a theorem",
}
UNTRUSTED = {
    "linear": "finds certificates, which are added up again",
    "smt": "asks z3; only lines marked z3 rest on it",
    "typed": "reads a line again as it was typed; the checker compares it with the line",
    "render": "shows what was checked",
    "errors": "the ways to fail",
    "core": "counts these lines",
}


def lines_of_code(source: str) -> int:
    """Return the number of lines of code, without blank lines, comments and docstrings.

    Examples
    --------
    >>> from mlnotes.proof.core import lines_of_code
    >>> lines_of_code("x = 1  # a comment")
    1
    """
    documentation: set[int] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            documentation |= set(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    silent = {
        tokenize.COMMENT,
        tokenize.NL,
        tokenize.NEWLINE,
        tokenize.INDENT,
        tokenize.DEDENT,
        tokenize.ENDMARKER,
    }
    code: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type not in silent:
            code |= set(range(token.start[0], token.end[0] + 1))
    return len(code - documentation)


def core_size() -> dict[str, int]:
    """Return the lines of code of each module on which the truth of a proved line rests.

    Examples
    --------
    >>> from mlnotes.proof import core_size
    >>> sorted(core_size()) == sorted(
    ...     ["terms", "normal", "definedness", "facts", "prove", "rules", "calculus", "models",
    ...      "derivation"]
    ... )
    True
    """
    package = importlib.resources.files("mlnotes.proof")
    return {
        name: lines_of_code((package / f"{name}.py").read_text(encoding="utf-8"))
        for name in TRUSTED
    }
