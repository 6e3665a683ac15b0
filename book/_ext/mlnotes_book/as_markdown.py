r"""A page as the cells of a notebook: what the directives made, in Markdown that Jupyter reads.

Statements and derivations are written out with their numbers, references are words, and every
formula has its shorthands replaced, because a notebook knows no macros.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import nbformat
from docutils import nodes

from .derivations import Line
from .markup import Details, Summary

# What only pages can use: how lines were checked, margins, lists of what is elsewhere.
LEFT_OUT = frozenset({"checking", "check", "cite", "claim-badge", "check-claim", "methods"})
SKIPPED = (nodes.comment, nodes.target, nodes.raw, nodes.pending, nodes.system_message)


def expand(tex: str, macros: Mapping[str, str]) -> str:
    r"""Return a formula without shorthands.

    >>> expand(r"\norm{x}\le\R", {r"\R": r"\mathbb{R}", r"\norm": r"\lVert #1\rVert"})
    '\\lVert x\\rVert\\le\\mathbb{R}'
    >>> expand(r"\norm\theta+\Real", {r"\R": "R", r"\norm": "|#1|"})
    '|\\theta|+\\Real'
    """
    names = "|".join(re.escape(name) for name in sorted(macros, key=len, reverse=True))
    macro = re.compile(rf"({names})(?![A-Za-z])")
    for _ in range(10):  # a macro may use others
        if not (found := macro.search(tex)):
            break
        body, end = macros[found[1]], found.end()
        arguments = []
        for _ in range(max((int(n) for n in re.findall(r"#(\d)", body)), default=0)):
            argument, end = read_argument(tex, end)
            arguments.append(argument)
        for number, argument in enumerate(arguments, start=1):
            body = body.replace(f"#{number}", argument)
        # A letter must not join the name of a command before it.
        gap = " " if re.search(r"\\[A-Za-z]+$", body) and tex[end : end + 1].isalpha() else ""
        tex = tex[: found.start()] + body + gap + expand(tex[end:], macros)
    return tex


def read_argument(tex: str, start: int) -> tuple[str, int]:
    """Return what a macro takes from here on: a group, a command or a sign; and where it ends."""
    while tex[start : start + 1].isspace():
        start += 1
    if tex[start : start + 1] != "{":
        command = re.compile(r"\\(?:[A-Za-z]+|.)|.", re.DOTALL).match(tex, start)
        return (command[0], command.end()) if command else ("", start)
    depth = 0
    for end in range(start, len(tex)):
        escaped = tex[end - 1 : end] == "\\"
        depth += ((tex[end] == "{") - (tex[end] == "}")) * (not escaped)
        if depth == 0:
            return tex[start + 1 : end], end + 1
    return tex[start + 1 :], len(tex)


class Writer:
    """Writes the cells of a page."""

    def __init__(
        self, docname: str, env: Any, macros: Mapping[str, str], source: list[nbformat.NotebookNode]
    ) -> None:
        self.cells: list[nbformat.NotebookNode] = []
        self._code = {k: cell for k, cell in enumerate(source) if cell.cell_type == "code"}
        self._docname, self._macros = docname, macros
        self._numbers: dict[str, str] = {
            place: ".".join(map(str, number))
            for figures in env.toc_fignumbers.get(docname, {}).values()
            for place, number in figures.items()
        }
        self._text: list[str] = []

    def write(self, doctree: nodes.document) -> list[nbformat.NotebookNode]:
        """Return the cells, those of code as they are in the source."""
        self._blocks(doctree, 0)
        self._emit_code(len(self._code) + max(self._code, default=0) + 1)
        return self.cells

    def _flush(self) -> None:
        text = "\n\n".join(part for part in self._text if part.strip()).strip()
        self._text.clear()
        if text:
            self.cells.append(nbformat.v4.new_markdown_cell(text))

    def _emit_code(self, before: int) -> None:
        """Emit the code cells of the source that come before a place, shown on the page or not."""
        due = [k for k in sorted(self._code) if k < before]
        if due:
            self._flush()
        for k in due:
            self.cells.append(self._code.pop(k))
        if not self._code:
            self._flush()

    def _blocks(self, node: nodes.Element, level: int) -> None:
        for child in node.children:
            if isinstance(child, nodes.Element) and not isinstance(child, SKIPPED):
                self._block(child, level)

    def _block(self, node: nodes.Element, level: int) -> None:
        classes = set(node.get("classes", []))
        if classes & LEFT_OUT:
            return
        if node.get("nb_element") == "cell_code":
            self._emit_code(node["cell_index"] + 1)
        elif isinstance(node, nodes.section):
            self._blocks(node, level + 1)
        elif isinstance(node, nodes.title) and isinstance(node.parent, nodes.section):
            self._text.append(f"{'#' * level} {self._inline(node)}")
        elif isinstance(node, nodes.title | nodes.rubric | Summary | nodes.caption) or (
            "admonition-title" in classes
        ):
            self._text.append(f"**{self._inline(node)}**")
        elif isinstance(node, nodes.math_block):
            self._text.append(self._display(node))
        elif "derivation" in classes:
            self._text.append(self._derivation(node))
        elif isinstance(node, nodes.literal_block):
            self._text.append(f"```{node.get('language', '')}\n{node.astext()}\n```")
        elif isinstance(node, nodes.bullet_list | nodes.enumerated_list):
            self._list(node, level)
        elif isinstance(node, nodes.table):
            self._text.append(self._table(node))
        elif "lemma" in classes and isinstance(node, Details):
            self._blocks(node, level)  # its summary is its name
        elif label := node.get("label") if "realtype" in node or "exercise" in classes else None:
            self._statement(node, label, level)
        elif isinstance(node, nodes.TextElement):
            self._text.append(self._inline(node))
        else:
            self._blocks(node, level)

    def _statement(self, node: nodes.Element, label: str, level: int) -> None:
        kind = str(node.get("realtype") or "exercise").capitalize()
        numbers = [self._numbers[i] for i in node.get("ids", [label]) if i in self._numbers]
        title = next(iter(node.findall(nodes.title)), None)
        words = self._inline(title).strip() if title is not None else ""
        words = re.sub(r"^\((.*)\)$", r"\1", words)
        name = " ".join([kind, *numbers[:1]])
        self._text.append(f"**{name}{f' ({words})' if words and words != kind else ''}.**")
        for child in node.children:
            if child is not title and isinstance(child, nodes.Element):
                self._block(child, level)

    def _inline(self, node: nodes.Node) -> str:
        if isinstance(node, nodes.Text):
            return " ".join(re.split(r"\s*\n\s*", node.astext()))
        if isinstance(node, SKIPPED):
            return ""
        if isinstance(node, nodes.math):
            return f"${expand(node.astext(), self._macros).strip()}${node.get('punctuation', '')}"
        if isinstance(node, nodes.literal):
            return f"`{node.astext()}`"
        inside = "".join(map(self._inline, node.children))
        if isinstance(node, nodes.emphasis):
            return f"*{inside}*"
        return f"**{inside}**" if isinstance(node, nodes.strong) else inside

    def _display(self, node: nodes.math_block) -> str:
        number = next((self._numbers[i] for i in node.get("ids", []) if i in self._numbers), "")
        tag = rf" \tag{{{number}}}" if number else ""
        return f"$$\n{expand(node.astext(), self._macros).strip()}{tag}\n$$"

    def _derivation(self, node: nodes.Element) -> str:
        rows = []
        for line in node.findall(Line):
            term, _, reason = line["row"].partition("&&")
            words = reason.strip()
            rows.append(f"{term.strip()}" + (rf" && {words}" if words else ""))
        lines = expand(" \\\\\n".join(rows), self._macros)
        return f"$$\n\\begin{{aligned}}\n{lines}\n\\end{{aligned}}\n$$"

    def _list(self, node: nodes.Element, level: int) -> None:
        lines = []
        for number, item in enumerate(node.children, start=1):
            sign = f"{number}." if isinstance(node, nodes.enumerated_list) else "-"
            outside, self._text = self._text, []
            self._blocks(item, level)  # type: ignore[arg-type]
            text, self._text = "\n\n".join(self._text), outside
            lines.append(f"{sign} " + text.replace("\n", "\n" + " " * (len(sign) + 1)))
        self._text.append("\n".join(lines))

    def _table(self, node: nodes.table) -> str:
        rows = [
            [" ".join(self._inline(part) for part in entry.children) for entry in row.children]
            for row in node.findall(nodes.row)
        ]
        if not rows:
            return ""
        lines = ["| " + " | ".join(row) + " |" for row in rows]
        return "\n".join([lines[0], "|" + " --- |" * len(rows[0]), *lines[1:]])
