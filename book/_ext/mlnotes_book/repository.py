"""All that depends on where the repository lives, from the one setting `mlnotes_repository`."""

from __future__ import annotations

import html
import re
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, urlencode

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective


@dataclass(frozen=True)
class Repository:
    """The repository's address; an empty one has no links."""

    url: str

    def __post_init__(self) -> None:
        object.__setattr__(self, "url", self.url.rstrip("/"))

    @property
    def name(self) -> str:
        """Owner and name, as hosting sites write them."""
        return "/".join(self.url.split("/")[-2:])

    @property
    def base_path(self) -> str:
        """The path under which the repository's pages are published."""
        return f"/{self.url.split('/')[-1]}/" if self.url else "/"

    def binder(self, docname: str) -> str:
        """Return the address that opens a chapter on Binder."""
        return f"https://mybinder.org/v2/gh/{self.name}/main?urlpath=" + quote(
            f"lab/tree/{docname}.md", safe=""
        )

    def colab(self, notebook: str) -> str:
        """Return the address that opens a chapter's published notebook in Colab."""
        return f"https://colab.research.google.com/github/{self.name}/blob/gh-pages/{notebook}"

    def report(self, title: str) -> str:
        """Return the address that opens a new issue about a page."""
        query = urlencode({"title": f"{title}: ", "labels": "erratum"})
        return f"{self.url}/issues/new?{query}"


def plain(title: str) -> str:
    """Return a title without the markup that numbers and formulas bring."""
    return html.unescape(re.sub(r"<[^>]*>", "", title))


def add_links(
    app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: Any
) -> None:
    """Give every page its download, launch and report links."""
    from .notebooks import hides_answers, notebook_path, source_of

    repository = Repository(app.config.mlnotes_repository)
    links: list[dict[str, str]] = []
    source = source_of(app, pagename) if doctree is not None else None
    if source is not None:
        notebook = notebook_path(pagename)
        links.append({"text": "Notebook", "url": context["pathto"](notebook, 1), "download": "1"})
        if repository.url:
            # Binder opens the source itself, and that of an assignment has the answers in it.
            if not hides_answers(source):
                links.append({"text": "Binder", "url": repository.binder(pagename)})
            links.append({"text": "Colab", "url": repository.colab(notebook)})
    if doctree is not None and repository.url:
        links.append({"text": "Report an error", "url": repository.report(plain(context["title"]))})
    context["page_links"] = links
    context["base_path"] = repository.base_path


class Citation(SphinxDirective):
    """How to cite the book, as BibTeX; the address is there when the repository has one."""

    def run(self) -> list[nodes.Node]:
        """Return the entry as a block of code."""
        url = Repository(self.config.mlnotes_repository).url
        lines = [
            "@book{mlnotes,",
            f"  author = {{{{{self.config.author}}}}},",
            "  title  = {mlnotes: machine learning",
            "            with derivations that check themselves},",
            f"  year   = {{{str(self.config.copyright)[:4]}}},",
            *([f"  url    = {{{url}}},"] if url else []),
            "}",
        ]
        text = "\n".join(lines)
        return [nodes.literal_block(text, text, language="bibtex")]


def setup(app: Sphinx) -> None:
    """Register the setting, the links and the citation."""
    app.add_config_value("mlnotes_repository", "", "env", types=[str])
    app.add_directive("citation", Citation)
    app.connect("html-page-context", add_links)
