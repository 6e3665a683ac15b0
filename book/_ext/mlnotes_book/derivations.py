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

from mlnotes.proof.rendering import MARKS

from .formulas import growing
from .markup import with_mathematics

# What separates a line from its reason in the display that a theorem prints of itself.
BESIDE = re.compile(r" &&(?: |$)")


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


def visit_line(translator: HTML5Translator, node: Line) -> None:
    """Open the tag."""
    attributes = {"data-row": node["row"]}
    translator.body.append(translator.starttag(node, "div", CLASS="derivation-line", **attributes))


def depart_line(translator: HTML5Translator, node: Line) -> None:
    """Close the tag."""
    translator.body.append("</div>\n")


def setup(app: Sphinx) -> None:
    """Register the node."""
    app.add_node(Line, html=(visit_line, depart_line))
