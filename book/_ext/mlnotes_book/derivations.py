"""The lines of a derivation, each with its reason beside it or, where it is long, below it.

One display of all lines would be as wide as the longest line and the longest reason together, and
the reasons, which words can break, would be out of sight on most screens.
"""

from __future__ import annotations

import re
from itertools import zip_longest
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.writers.html5 import HTML5Translator

from mlnotes.proof.rendering import MARKS, TEX_MARKS

from .formulas import growing
from .markup import with_mathematics

# What separates a line from its reason in the display that a theorem prints of itself.
BESIDE = re.compile(r" &&(?: |$)")
# The same display as a cell shows it, and a reason in it with its mark.
SHOWN = re.compile(r"\\begin\{aligned\}\n(.*)\n\\end\{aligned\}", re.DOTALL)
GIVEN = {tex: mark for mark, tex in TEX_MARKS.items()}
REASON = re.compile(rf"\\text\{{(.*)\}} \\quad ({'|'.join(map(re.escape, GIVEN))})", re.DOTALL)
ESCAPED = re.compile(r"\\([{}_^%&#])")


class Line(nodes.General, nodes.Element):
    """A formula and its reason, with their row of the display, by which check.js knows them."""


def typeset(entry: dict[str, Any]) -> nodes.container:
    """Return the lines of an entry of the ledger: what is given or started from has no reason."""
    rows = [row.removesuffix(" \\\\") for row in entry["lines"].split("\n")[1:-1]]
    pairs = list(zip_longest(reversed(rows), reversed(entry["steps"])))
    return nodes.container("", *(line(*pair) for pair in reversed(pairs)), classes=["derivation"])


def line(row: str, step: dict[str, Any] | None) -> Line:
    """Return one line."""
    term = BESIDE.split(row)[0].removeprefix("& ")
    term = growing(term)
    tex = rf"\displaystyle {term}" if step is None else rf"\displaystyle{{}} {term}"
    parts = [nodes.inline("", "", nodes.math(tex, tex), classes=["term"])]
    if step is not None:
        words = with_mathematics(step["because"] or step["method"])
        mark = nodes.inline("", MARKS[step["mark"]], classes=["tick"])
        parts.append(nodes.inline("", "", *words, nodes.Text(" "), mark, classes=["reason"]))
    return Line("", *parts, row=row)


def reason_of(row: str) -> dict[str, Any] | None:
    """Return the reason and the mark that a row of a display has, if it has any."""
    match = REASON.fullmatch(row.partition(" && ")[2])
    if match is None:
        return None
    parts = match[1].split("$")
    parts[::2] = [ESCAPED.sub(r"\1", words) for words in parts[::2]]
    return {"because": "$".join(parts), "mark": GIVEN[match[2]]}


def spread(app: Sphinx, doctree: nodes.document) -> None:
    """Give the derivations that cells show the layout of all others."""
    for node in list(doctree.findall(nodes.math_block)):
        match = SHOWN.fullmatch(node.astext().strip())
        rows = match[1].split(" \\\\\n") if match else []
        steps = [reason_of(row) for row in rows]
        pairs = list(zip(rows, steps, strict=True))
        if any(steps) and all(step or not row.partition(" &&")[2] for row, step in pairs):
            lines = [line(row, step) for row, step in pairs]
            node.replace_self(nodes.container("", *lines, classes=["derivation"]))


def visit_line(translator: HTML5Translator, node: Line) -> None:
    """Open the tag."""
    attributes = {"data-row": node["row"]}
    translator.body.append(translator.starttag(node, "div", CLASS="derivation-line", **attributes))


def depart_line(translator: HTML5Translator, node: Line) -> None:
    """Close the tag."""
    translator.body.append("</div>\n")


def setup(app: Sphinx) -> None:
    """Register the node, and lay out what cells show."""
    app.add_node(Line, html=(visit_line, depart_line))
    app.connect("doctree-read", spread, priority=400)  # before KaTeX is asked for the formulas
