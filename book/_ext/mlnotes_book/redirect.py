"""Addresses that lead on: the site's root, and places that moved to another page of a chapter.

A chapter was one page once. Whoever comes to `perceptron.html#thm-x` and does not find the place
there is led to the page of the chapter that has it: the lecture carries a list of the anchors of
the pages below it, which a script reads, from a disk as well as from a server.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx

from tools.contents import chapter_of

from . import labels
from .theme import with_policy

# What stood on the pages of a chapter before it got a chapter of its own: by the chapter that had
# it, the new one and the names that went there.
LEFT = {
    "book/mixtures_and_em": (
        "book/semi_supervised",
        re.compile(r".*-semi-supervised.*|cor-em-monotone-labelled|par-labelled-only"),
    ),
}
# Anchors that were made by machine and that nobody has an address of.
MADE = re.compile(r"id\d+|index-\d+|footnote.*|ledger-.*")
PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="description" content="The way to the first page of mlnotes.">
<meta http-equiv="refresh" content="0; url={landing}">
<title>mlnotes</title>
<link rel="icon" href="_static/favicon.svg">
</head>
<body>
<main><h1>mlnotes</h1><p><a href="{landing}">To the book</a></p></main>
</body>
</html>
"""


def write_page(app: Sphinx, exception: Exception | None) -> None:
    """Write index.html in place of the bare redirection that the table of contents brings."""
    if exception is None and app.builder.format == "html":
        landing = app.builder.get_target_uri(app.config.root_doc)
        page = with_policy(PAGE.format(landing=landing))
        Path(app.outdir, "index.html").write_text(page, encoding="utf-8")


def moved(anchors: dict[str, dict[str, str]], lecture: str) -> dict[str, str]:
    """Return the pages of a chapter by the anchors that they have and their lecture has not."""
    found: dict[str, str] = {}
    for page, names in anchors.items():
        if page != lecture and chapter_of(page) == chapter_of(lecture):
            found |= {name: page for name in names if not MADE.fullmatch(name)}
    if lecture in LEFT:
        chapter, names_left = LEFT[lecture]
        for page, names in anchors.items():
            if chapter_of(page) == chapter_of(chapter):
                found |= {name: page for name in names if names_left.fullmatch(name)}
    return {name: page for name, page in found.items() if name not in anchors.get(lecture, ())}


def list_moved(
    app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: Any
) -> None:
    """Give a lecture the list of what stands on the pages below it."""
    if pagename != f"book/{chapter_of(pagename)}" or "body" not in context:
        return
    if places := moved(labels.anchors(app.env), pagename):
        address = app.builder.get_relative_uri
        data = {name: address(pagename, page) for name, page in sorted(places.items())}
        text = json.dumps(data).replace("</", "<\\/")
        context["body"] += f'<script type="application/json" id="moved">{text}</script>\n'


def setup(app: Sphinx) -> None:
    """Write the page after the table of contents has written its own."""
    app.connect("html-page-context", list_moved)
    app.connect("build-finished", write_page, priority=900)
