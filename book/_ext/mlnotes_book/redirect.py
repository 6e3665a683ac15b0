"""The page at the site's root, which redirects to the landing page."""

from __future__ import annotations

from pathlib import Path

from sphinx.application import Sphinx

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
        Path(app.outdir, "index.html").write_text(PAGE.format(landing=landing), encoding="utf-8")


def setup(app: Sphinx) -> None:
    """Write the page after the table of contents has written its own."""
    app.connect("build-finished", write_page, priority=900)
