"""Functions of the package that a page quotes, without their manuals.

A page quotes the function that follows a boxed algorithm. Its docstring is the page of the API in
full; here the box says what it does, and the lines that do it should be seen at once.
"""

from __future__ import annotations

import ast

from docutils import nodes
from sphinx.application import Sphinx


def without_docstring(source: str) -> str:
    """Return the source of a function without its docstring; other text is returned as it is."""
    try:
        (function,) = ast.parse(source).body
    except (SyntaxError, ValueError):
        return source
    if not isinstance(function, ast.FunctionDef) or ast.get_docstring(function) is None:
        return source
    manual, *body = function.body
    if not body:
        return source
    assert manual.end_lineno is not None
    lines = source.splitlines()
    return "\n".join([*lines[: manual.lineno - 1], *lines[manual.end_lineno :]])


def shorten(app: Sphinx, doctree: nodes.document) -> None:
    """Take the docstrings out of the functions that a page includes from a file."""
    for node in doctree.findall(nodes.literal_block):
        if node.get("language") == "python" and node.get("source"):
            # Sphinx colours a listing only if its text is its source.
            node.rawsource = without_docstring(node.astext())
            node.children = [nodes.Text(node.rawsource)]


def setup(app: Sphinx) -> None:
    """Shorten the listings of every page that is read."""
    app.connect("doctree-read", shorten)
