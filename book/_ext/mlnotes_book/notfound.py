"""A page for addresses that lead nowhere.

It is served from any depth below the site, so it carries its style with it and names the site's
root, which is the one thing it has to know, from the repository's address.
"""

from __future__ import annotations

from pathlib import Path

from sphinx.application import Sphinx

from .repository import Repository
from .theme import with_policy

PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="description" content="There is no page at this address.">
<meta name="robots" content="noindex">
<title>No such page · mlnotes</title>
<base href="{base}">
<link rel="icon" href="_static/favicon.svg">
<style>
:root {{ color-scheme: light dark; background: #fffefb; color: #22262a; }}
a {{ color: #1f4e79; }}
@media (prefers-color-scheme: dark) {{
  :root {{ background: #15181b; color: #dcdfe2; }}
  a {{ color: #9cc3e8; }}
}}
body {{ max-width: 34rem; margin: 20vh auto 0; padding: 0 1.5rem; }}
body {{ font: 1.15rem/1.6 Georgia, serif; }}
h1 {{ font-weight: 600; }}
p.formula {{ font-style: italic; }}
input, button {{ font: inherit; padding: .25em .5em; }}
</style>
</head>
<body>
<main>
<h1>No such page</h1>
<p class="formula">∄ x : address(x) = what you asked for</p>
<p>Chapters are sometimes renamed. Start again from
<a href="index.html">the table of contents</a>, or search the book.</p>
<form action="search.html"><label for="q">Search for</label> <input id="q" name="q" type="search">
<button>Search</button></form>
</main>
</body>
</html>
"""


def write_page(app: Sphinx, exception: Exception | None) -> None:
    """Write 404.html, the name under which hosts look for it."""
    if exception is None and app.builder.format == "html":
        base = Repository(app.config.mlnotes_repository).base_path
        Path(app.outdir, "404.html").write_text(
            with_policy(PAGE.format(base=base)), encoding="utf-8"
        )


def setup(app: Sphinx) -> None:
    """Write the page when the others are written."""
    app.connect("build-finished", write_page)
