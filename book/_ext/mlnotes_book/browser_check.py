"""The source of every derivation under its lines, which a script lets the reader change and check.

Without scripts the source can be read and there is no button. The script and what it loads come
from the site itself; `tools/browser_python.py` says what that is.
"""

from __future__ import annotations

import hashlib
import inspect
import re
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.writers.html5 import HTML5Translator

from mlnotes.theorems import derivation

from .markup import Details, Summary, depart

VERSION = re.compile(r'data-version="[0-9a-f]{12}"')
CHECKABLE = re.compile(r'<details class="check"|class="cell[^"]* tag_verify')


class Check(Details):
    """A derivation's source, and the module among whose names it runs."""


def panel(entry: dict[str, Any]) -> list[nodes.Node]:
    """Return the source of a derivation."""
    source = source_of(entry["label"])
    code = nodes.literal_block(source, source, language="python")
    return [Check("", Summary("", "The derivation in Python"), code, module=entry["source"])]


def source_of(label: str) -> str:
    """Return the source of the function that derives a theorem."""
    return inspect.getsource(inspect.unwrap(derivation(label))).rstrip("\n")


def file_of(label: str) -> str:
    """Return the file in which a theorem is derived."""
    return str(inspect.getsourcefile(inspect.unwrap(derivation(label))))


def visit_check(translator: HTML5Translator, node: Check) -> None:
    """Open the tag."""
    tag = translator.starttag(node, "details", CLASS="check", **{"data-module": node["module"]})
    translator.body.append(tag)


def version(app: Sphinx) -> str:
    """Return a name for the content of what the script loads, so that no cache mixes two."""
    static, assets = Path(__file__).parents[2] / "_static", Path(app.confdir) / "_build" / "assets"
    paths = [static / "check_worker.js", *sorted((assets / "check").glob("*.zip"))]
    digests = (hashlib.sha256(path.read_bytes()).digest() for path in paths)
    return hashlib.sha256(b"".join(digests)).hexdigest()[:12]


def add_script(
    app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: Any
) -> None:
    """Give the script to the pages that have something to check."""
    if CHECKABLE.search(context.get("body", "")):
        options = {"defer": "defer", "data-version": app.env.mlnotes_check_version}  # type: ignore[attr-defined]
        app.add_js_file("check.js", **options)


def renew_version(app: Sphinx, exception: Exception | None) -> None:
    """Give the present version to the pages that were written by an earlier build."""
    if exception is not None or app.builder.format != "html":
        return
    wanted = f'data-version="{app.env.mlnotes_check_version}"'  # type: ignore[attr-defined]
    for page in Path(app.outdir).rglob("*.html"):
        html = page.read_text(encoding="utf-8")
        if (renewed := VERSION.sub(wanted, html)) != html:
            page.write_text(renewed, encoding="utf-8")


def remember_version(app: Sphinx) -> None:
    """Compute the version once."""
    app.env.mlnotes_check_version = version(app)  # type: ignore[attr-defined]


def setup(app: Sphinx) -> None:
    """Register the source's place on the page and the script."""
    app.add_node(Check, html=(visit_check, depart("</details>\n")))
    app.connect("builder-inited", remember_version)
    app.connect("html-page-context", add_script)
    app.connect("build-finished", renew_version)
