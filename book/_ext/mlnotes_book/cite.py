"""How to cite a statement, and an address of it that stays.

A statement may move to another page of the book, but its label does not change. `at.html#label`
leads to wherever it is, and lists all labels for those without scripts.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from typing import Any

from sphinx.application import Sphinx

from .repository import Repository

PAGE = "at"
# A numbered claim up to its badge, without another one in between.
CLAIM = re.compile(
    r'<div class="proof \w+ admonition" id="([^"]+)">\s*<p class="admonition-title">'
    r'<span class="caption-number">([^<]+)</span>(?:(?!<div class="proof ).)*?'
    r'<p class="claim-badge">.*?</p>',
    re.DOTALL,
)


def address(app: Sphinx, pagename: str, label: str) -> str:
    """Return the lasting address of a label: on the published site, or beside this page."""
    repository = Repository(app.config.mlnotes_repository)
    if repository.url:
        owner, name = repository.name.split("/")
        return f"https://{owner}.github.io/{name}/{PAGE}.html#{label}"
    return app.builder.get_relative_uri(pagename, PAGE) + f"#{label}"


def add_citations(
    app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: Any
) -> None:
    """Put beside the badge of every claim how to cite it."""
    if "body" not in context or app.builder.format != "html":
        return

    def add(claim: re.Match[str]) -> str:
        label, number = claim[1], " ".join(claim[2].split())
        place = html.escape(address(app, pagename, label))
        shown = html.escape(address(app, PAGE, label)) if "://" in place else f"{PAGE}.html#{label}"
        book = f"{app.config.author}, <cite>mlnotes</cite> ({str(app.config.copyright)[:4]})"
        words = f'{book}, {number}, <a href="{place}">{shown}</a>'
        return f'{claim[0]}<details class="cite"><summary>Cite</summary><p>{words}</p></details>'

    context["body"] = CLAIM.sub(add, context["body"])


def places(app: Sphinx) -> dict[str, str]:
    """Return the pages of all labelled statements and exercises."""
    statements: dict[str, Any] = getattr(app.env, "proof_list", {})
    exercises: dict[str, Any] = getattr(app.env, "sphinx_exercise_registry", {})
    found = {label: item["docname"] for label, item in {**statements, **exercises}.items()}
    return {label: page for label, page in sorted(found.items()) if label and page}


def lasting_addresses(app: Sphinx) -> Iterator[tuple[str, dict[str, Any], str]]:
    """Yield the page that knows where everything is."""
    links = "".join(
        f'<li><a id="{html.escape(label)}" href="{app.builder.get_relative_uri(PAGE, page)}'
        f'#{html.escape(label)}">{html.escape(label)}</a></li>\n'
        for label, page in places(app).items()
    )
    body = (
        "<section><h1>Lasting addresses</h1>\n<p>Statements and exercises keep their labels when "
        f"they move to another page: an address of this page with a label leads to its place.</p>"
        f"\n<ul>\n{links}</ul>\n</section>\n"
    )
    yield PAGE, {"title": "Lasting addresses", "body": body}, "page.html"


def setup(app: Sphinx) -> None:
    """Register the citations and the page of addresses."""
    app.connect("html-page-context", add_citations, priority=600)
    app.connect("html-collect-pages", lasting_addresses)
