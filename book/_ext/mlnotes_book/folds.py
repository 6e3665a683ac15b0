"""What only serves the checking of derivations, in a file beside the page that has them.

It is half of a chapter's page, and few readers open it. The file is a script and no data because
browsers fetch nothing for pages that are opened as files. Without scripts a fold holds the link to
the ledger alone, where the same is said line by line.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

FOLDER = "_static/folds"
OPENING = re.compile(r'<details class="checking">\s*<summary>.*?</summary>\s*', re.DOTALL)
EDGE = re.compile(r"<details\b|</details>")
LINK = re.compile(r'\s*<p class="elsewhere">.*?</p>\s*', re.DOTALL)


def elsewhere(words: str, text: str, address: str) -> nodes.paragraph:
    """Return what stays on the page: where its reader finds the same."""
    link = nodes.reference("", text, refuri=address, internal=True)
    return nodes.paragraph("", words, link, nodes.Text("."), classes=["elsewhere"])


def panels(html: str) -> Iterator[tuple[int, int]]:
    """Yield where the content of each fold of this kind begins and ends."""
    for opening in OPENING.finditer(html):
        depth = 1
        for edge in EDGE.finditer(html, opening.end()):
            depth += -1 if edge[0].startswith("</") else 1
            if not depth:
                yield opening.end(), edge.start()
                break


def take_out(html: str, page: str, address: str) -> tuple[str, str]:
    """Return a page without these contents, and the script with them, or nothing."""
    pieces: list[str] = []
    contents: list[str] = []
    end = 0
    for start, stop in panels(html):
        content = html[start:stop].strip()
        content = content.removeprefix("<noscript>").removesuffix("</noscript>")
        link = LINK.match(content)
        contents.append(content[link.end() if link else 0 :])
        pieces += [html[end:start], (link[0] if link else "").strip(), "\n"]
        end = stop
    if not contents:
        return html, ""
    text = json.dumps(contents, ensure_ascii=False)
    script = f"(globalThis.mlnotesFolds ??= {{}})[{json.dumps(page)}]={text};\n"
    version = hashlib.sha256(script.encode()).hexdigest()[:8]
    numbers = iter(range(len(contents)))
    opening = f'<details class="checking" data-folds="{address}?v={version}" data-page="{page}"'
    marked = re.sub(
        r'<details class="checking"',
        lambda _: f'{opening} data-fold="{next(numbers)}"',
        "".join([*pieces, html[end:]]),
    )
    return marked, script


def move(
    app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: Any
) -> None:
    """Put the contents of a page's folds into a file."""
    if app.builder.format != "html" or 'class="checking"' not in context.get("body", ""):
        return
    name = f"{FOLDER}/{pagename.replace('/', '-')}.js"
    context["body"], script = take_out(context["body"], pagename, context["pathto"](name, 1))
    path = Path(app.outdir, name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(script, encoding="utf-8")


def setup(app: Sphinx) -> None:
    """Take the contents out when pages are written, after all that looks for something in them."""
    app.connect("html-page-context", move, priority=900)
