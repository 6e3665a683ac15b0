"""Mathematics rendered by KaTeX while the book is built, so that no page needs a script for it.

One Node process serves the whole build: a line of JSON goes in for each formula, and an empty line
brings back what has become of those before it. The formulas of a page are sent when it is read, so
that KaTeX works while the next page is being read. Bad TeX is a Sphinx warning at its source line,
and so an error of the build.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError
from sphinx.locale import _
from sphinx.util import logging
from sphinx.util.math import get_node_equation_number
from sphinx.writers.html5 import HTML5Translator

logger = logging.getLogger(__name__)
SERVER = Path(__file__).with_name("katex_server.mjs")
# Sphinx numbers a display once; these environments would let KaTeX number its rows as well.
NUMBERED_ENVIRONMENTS = ("align", "alignat", "gather", "equation")

PUNCTUATION = re.compile(r"[.,;:!?)\]’”]+")
# KaTeX lets a line end before such pieces of a formula.
BASE = '<span class="base"'

# TeX, and whether it is displayed.
Formula = tuple[str, bool]


class TexError(Exception):
    """KaTeX could not read a formula."""


class Katex:
    """A running KaTeX, started with the first formula and ended with the build."""

    def __init__(self) -> None:
        self.macros: dict[str, str] = {}
        self.root = Path()
        self._process: subprocess.Popen[str] | None = None
        self._starter = 0
        self._replies: dict[Formula, dict[str, str]] = {}
        self._sent: list[Formula] = []

    def render(self, tex: str, *, display: bool) -> str:
        """Return the HTML of a formula."""
        for name in NUMBERED_ENVIRONMENTS:
            if rf"\begin{{{name}}}" in tex:
                raise TexError(f"write 'aligned' inside one display, not '{name}'")
        if (tex, display) not in self._replies:
            self.send([(tex, display)])
            self.receive()
        reply = self._replies[tex, display]
        if "error" in reply:
            raise TexError(reply["error"])
        return reply["html"]

    def send(self, formulas: Iterable[Formula]) -> None:
        """Ask for formulas that will be wanted later."""
        pipe = self._running().stdin
        assert pipe is not None
        new = [f for f in dict.fromkeys(formulas) if f not in self._replies and f not in self._sent]
        self._sent += new
        for tex, display in new:
            pipe.write(json.dumps({"tex": tex, "display": display}) + "\n")
        pipe.flush()

    def receive(self) -> None:
        """Take what has become of the formulas that were sent."""
        if not self._sent:
            return
        process = self._running()
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write("\n")
        process.stdin.flush()
        for formula in self._sent:
            answer = process.stdout.readline()
            if not answer:
                raise ExtensionError("the KaTeX process ended unexpectedly")
            self._replies[formula] = json.loads(answer)
        self._sent = []

    def _running(self) -> subprocess.Popen[str]:
        """Return the process that this one has started: pages are written in forks of the build."""
        if self._process is None or self._starter != os.getpid():
            self._starter, self._sent = os.getpid(), []
            self._process = self._start()
        return self._process

    def _start(self) -> subprocess.Popen[str]:
        node = shutil.which("node")
        if node is None:
            raise ExtensionError("KaTeX needs Node to render mathematics: build with 'make book'")
        return subprocess.Popen(
            [node, str(SERVER), json.dumps(self.macros)],
            cwd=self.root,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
        )

    def stop(self) -> None:
        """End the process, and forget what it said."""
        if self._process is not None:
            self._process.communicate()
            self._process = None
        self._replies, self._sent = {}, []


katex = Katex()


def render(node: nodes.Element, tex: str, display: bool) -> str:
    """Return a formula's HTML; what KaTeX refuses is reported and shown as it was written."""
    try:
        return katex.render(tex, display=display)
    except TexError as error:
        logger.warning("TeX: %s in %r", error, tex, location=node, type="mlnotes", subtype="tex")
        return f"<code>{nodes.fully_normalize_name(tex)}</code>"


def send(app: Sphinx, doctree: nodes.document) -> None:
    """Let KaTeX have the formulas of a page that was read."""
    katex.send((node.astext(), False) for node in doctree.findall(nodes.math))
    katex.send(formula_of(node) for node in doctree.findall(nodes.math_block))


def receive(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Have every formula of a page before the page is written, which a fork may do."""
    send(app, doctree)
    katex.receive()


def breakable(html: str) -> str:
    """Return a formula that may break before each of its pieces but the first."""
    first, *others = html.split(BASE)
    return BASE.join([first, f"<wbr>{BASE}".join(others)]) if others else html


def visit_math(translator: HTML5Translator, node: nodes.math) -> None:
    """Write a formula in a line of text."""
    html = render(node, node.astext(), False)
    html = breakable(html) + node.get("punctuation", "")
    translator.body.append(translator.starttag(node, "span", "", CLASS="math") + html + "</span>")
    raise nodes.SkipNode


def attach_punctuation(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Give a formula the punctuation that follows it, with which no line must begin."""
    for node in doctree.findall(nodes.math):
        last: nodes.Node = node
        # An inserted formula is the last part of a phrase of its own.
        while isinstance(last.parent, nodes.inline) and last is last.parent[-1]:
            last = last.parent
        place = last.parent.index(last) + 1
        following = last.parent[place] if place < len(last.parent) else None
        if not isinstance(following, nodes.Text):
            continue
        if match := PUNCTUATION.match(following.astext()):
            node["punctuation"] = match[0]
            following.parent.replace(following, nodes.Text(following.astext()[match.end() :]))


def formula_of(node: nodes.math_block) -> Formula:
    """Return the TeX of a displayed formula: KaTeX breaks lines in formulas of the text alone."""
    return (
        (rf"\displaystyle {node.astext()}", False) if node.get("breaks") else (node.astext(), True)
    )


def visit_math_block(translator: HTML5Translator, node: nodes.math_block) -> None:
    """Write a displayed formula with its number and a link to itself."""
    breaks = node.get("breaks")
    translator.body.append(
        translator.starttag(node, "div", CLASS="math breaks" if breaks else "math")
    )
    html = render(node, *formula_of(node))
    html = f'<span class="term">{breakable(html)}</span>' if breaks else html
    translator.body.append(html)
    if node["number"]:
        number = get_node_equation_number(translator, node)
        translator.body.append(f'<span class="eqno">({number})')
        translator.add_permalink_ref(node, _("Link to this equation"))
        translator.body.append("</span>")
    translator.body.append("</div>\n")
    raise nodes.SkipNode


def configure(app: Sphinx, config: Any) -> None:
    """Read the macros, and take MathJax out of what the notebooks' outputs ask for."""
    katex.macros = dict(config.mlnotes_macros)
    katex.root = Path(app.confdir)


def setup(app: Sphinx) -> None:
    """Register the renderer."""
    app.add_config_value("mlnotes_macros", {}, "env")
    app.add_html_math_renderer("katex", (visit_math, None), (visit_math_block, None))
    app.connect("config-inited", configure)
    app.connect("doctree-read", send)
    app.connect("doctree-resolved", attach_punctuation)
    app.connect("doctree-resolved", receive, priority=900)
    app.connect("build-finished", lambda app, exception: katex.stop())
