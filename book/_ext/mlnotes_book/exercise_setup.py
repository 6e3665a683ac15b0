"""What an exercise takes from earlier cells of its page, for the reader's browser to run before it.

A page imports and defines in cells that readers do not see. An exercise that is checked on the page
runs alone there, after exactly those statements of earlier cells whose names it uses.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterable

from docutils import nodes
from sphinx.application import Sphinx

from tools import execution
from tools.paths import ROOT

# What marks an exercise that asks for a line of a derivation, here and in `check.js`.
MARK = "Derivation("


def used(*statements: ast.stmt) -> set[str]:
    r"""Return the names that statements take from elsewhere.

    >>> sorted(used(*ast.parse("def f(x):\n    y = g(x)\n    return y + z").body))
    ['g', 'z']
    """
    defined, loaded = set(dir(builtins)), set()
    for node in (node for statement in statements for node in ast.walk(statement)):
        if isinstance(node, ast.Name):
            (loaded if isinstance(node.ctx, ast.Load) else defined).add(node.id)
        elif isinstance(node, ast.arg):
            defined.add(node.arg)
    return loaded - defined - {name for statement in statements for name in defines(statement)}


def defines(statement: ast.stmt) -> set[str]:
    """Return the names that a statement gives a meaning to."""
    if isinstance(statement, ast.Import | ast.ImportFrom):
        return {(a.asname or a.name).partition(".")[0] for a in statement.names}
    if isinstance(statement, ast.FunctionDef | ast.ClassDef):
        return {statement.name}
    if isinstance(statement, ast.Assign | ast.AnnAssign):
        stored = (node for node in ast.walk(statement) if isinstance(node, ast.Name))
        return {node.id for node in stored if isinstance(node.ctx, ast.Store)}
    return set()


def only(statement: ast.stmt, names: set[str]) -> ast.stmt:
    """Return a statement; of an import only what is asked for."""
    if isinstance(statement, ast.ImportFrom):
        kept = [a for a in statement.names if (a.asname or a.name) in names]
        return ast.ImportFrom(statement.module, kept, statement.level)
    return statement


def setup_of(codes: Iterable[str], earlier: Iterable[str]) -> str:
    r"""Return the statements of earlier programs that some programs rest on, in their order.

    >>> setup_of(["b + 1"], ["from m import a, c, d", "b = a(2)\ne = c(3)"])
    'from m import a\nb = a(2)'
    """
    wanted = used(*(s for code in codes for s in ast.parse(code).body))
    chosen: list[ast.stmt] = []
    for statement in reversed([s for code in earlier for s in ast.parse(code).body]):
        if found := defines(statement) & wanted:
            chosen.append(only(statement, found))
            wanted = (wanted - found) | used(statement)
    return "\n".join(ast.unparse(ast.fix_missing_locations(s)) for s in reversed(chosen))


def add_setups(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Put beside every exercise on a derivation what its code takes from earlier cells."""
    exercises = [
        node
        for node in doctree.findall(nodes.Element)
        if "exercise" in node.get("classes", [])
        and any(MARK in code.astext() for code in node.findall(nodes.literal_block))
    ]
    if not exercises:
        return
    cells = execution.read(ROOT / f"{docname}.md").cells
    programs = [cell.source.strip() for cell in cells if cell.cell_type == "code"]
    for exercise in exercises:
        blocks = [code.astext().strip() for code in exercise.findall(nodes.literal_block)]
        codes = [block for block in blocks if block in programs]
        if codes and (text := setup_of(codes, programs[: programs.index(codes[0])])):
            exercise += Setup(program=text)


class Setup(nodes.General, nodes.Element):
    """A program for the reader's browser, which nobody reads."""


def visit_setup(translator: nodes.NodeVisitor, node: Setup) -> None:
    """Write the program where a browser neither shows nor runs it."""
    text = node["program"].replace("</", r"<\/")
    translator.body.append(  # type: ignore[attr-defined]
        f'<script type="text/plain" class="exercise-setup">{text}</script>\n'
    )
    raise nodes.SkipNode


def setup(app: Sphinx) -> None:
    """Connect it before the imports of an exercise are folded."""
    app.add_node(Setup, html=(visit_setup, lambda translator, node: None))
    app.connect("doctree-resolved", add_setups, priority=400)
