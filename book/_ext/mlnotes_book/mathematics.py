"""Mathematics rendered by KaTeX while the book is built, so that no page needs a script for it.

One Node process serves the whole build: a line of JSON goes in for each formula and a line comes
back. Bad TeX is a Sphinx warning at its source line, and so an error of the build.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
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
# KaTeX lets a line end between such pieces of a formula.
BASE = '<span class="base">'


class TexError(Exception):
    """KaTeX could not read a formula."""


class Katex:
    """A running KaTeX, started with the first formula and ended with the build."""

    def __init__(self) -> None:
        self.macros: dict[str, str] = {}
        self.root = Path()
        self._process: subprocess.Popen[str] | None = None

    def render(self, tex: str, *, display: bool) -> str:
        """Return the HTML of a formula."""
        for name in NUMBERED_ENVIRONMENTS:
            if rf"\begin{{{name}}}" in tex:
                raise TexError(f"write 'aligned' inside one display, not '{name}'")
        process = self._process or self._start()
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(json.dumps({"tex": tex, "display": display}) + "\n")
        process.stdin.flush()
        answer = process.stdout.readline()
        if not answer:
            raise ExtensionError("the KaTeX process ended unexpectedly")
        reply = json.loads(answer)
        if "error" in reply:
            raise TexError(reply["error"])
        return str(reply["html"])

    def _start(self) -> subprocess.Popen[str]:
        node = shutil.which("node")
        if node is None:
            raise ExtensionError("KaTeX needs Node to render mathematics: build with 'make book'")
        self._process = subprocess.Popen(
            [node, str(SERVER), json.dumps(self.macros)],
            cwd=self.root,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
        )
        return self._process

    def stop(self) -> None:
        """End the process."""
        if self._process is not None:
            self._process.communicate()
            self._process = None


katex = Katex()


def render(node: nodes.Element, *, display: bool) -> str:
    """Return a formula's HTML; what KaTeX refuses is reported and shown as it was written."""
    tex = node.astext()
    try:
        return katex.render(tex, display=display)
    except TexError as error:
        logger.warning("TeX: %s in %r", error, tex, location=node, type="mlnotes", subtype="tex")
        return f"<code>{nodes.fully_normalize_name(tex)}</code>"


def visit_math(translator: HTML5Translator, node: nodes.math) -> None:
    """Write a formula in a line of text."""
    html = render(node, display=False)
    html = html.replace(BASE, f"<wbr>{BASE}") + node.get("punctuation", "")
    translator.body.append(translator.starttag(node, "span", "", CLASS="math") + html + "</span>")
    raise nodes.SkipNode


def attach_punctuation(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Give a formula the punctuation that follows it, with which no line must begin."""
    for node in doctree.findall(nodes.math):
        following = node.next_node(nodes.Text, descend=False, siblings=True)
        if following is None or following.parent.index(following) != node.parent.index(node) + 1:
            continue
        if match := PUNCTUATION.match(following.astext()):
            node["punctuation"] = match[0]
            following.parent.replace(following, nodes.Text(following.astext()[match.end() :]))


def visit_math_block(translator: HTML5Translator, node: nodes.math_block) -> None:
    """Write a displayed formula with its number and a link to itself."""
    translator.body.append(translator.starttag(node, "div", CLASS="math"))
    translator.body.append(render(node, display=True))
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
    app.connect("doctree-resolved", attach_punctuation)
    app.connect("build-finished", lambda app, exception: katex.stop())
