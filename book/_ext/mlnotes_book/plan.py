"""The plan of the whole book on its landing page: chapters that exist are linked, others named."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml
from docutils import nodes
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util.docutils import SphinxDirective

from tools.contents import PLAN, titles
from tools.take_along import downloads


def chapter_reference(env: BuildEnvironment, name: str, title: str) -> nodes.Node:
    """Return a link to a chapter, or its title where it is planned but not written yet."""
    docname = f"book/{name}"
    if docname not in env.found_docs:
        return nodes.inline("", title, classes=["planned"])
    return pending_xref(
        "",
        nodes.inline("", title),
        refdomain="std",
        reftype="doc",
        reftarget=f"/{docname}",
        refexplicit=True,
        refdoc=env.docname,
    )


class BookPlan(SphinxDirective):
    """List the parts and chapters of `book/plan.yml`."""

    def run(self) -> list[nodes.Node]:
        """Return a section of cards, one a part."""
        self.env.note_dependency(str(PLAN))
        grid = nodes.container(classes=["book-plan"])
        for part in yaml.safe_load(PLAN.read_text(encoding="utf-8")):
            card = nodes.container(classes=["book-part"])
            card += nodes.paragraph("", part["part"], classes=["book-part-title"])
            chapters = nodes.bullet_list()
            for chapter in part["chapters"]:
                chapters += self.entry(chapter["name"], chapter["title"], chapter["about"])
            card += chapters
            grid += card
        return [grid]

    def entry(self, name: str, title: str, about: str) -> nodes.list_item:
        """Return a chapter's line: a link where the chapter exists."""
        paragraph = nodes.paragraph("", "", chapter_reference(self.env, name, title))
        paragraph += nodes.inline("", f" {about}", classes=["about"])
        return nodes.list_item("", paragraph)


def name_planned_chapter(
    app: Sphinx, env: BuildEnvironment, node: pending_xref, content: nodes.TextElement
) -> nodes.inline | None:
    """Name a chapter that the reference mentions and that is planned but not written yet."""
    folder, _, name = node.get("reftarget", "").strip("/").rpartition("/")
    if node.get("reftype") != "doc" or folder != "book":
        return None
    return nodes.inline("", f"“{titles()[name]}” (planned)") if name in titles() else None


def offer_downloads(
    app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: Any
) -> None:
    """Put on the landing page what there is to take along: it is made after the pages."""
    if pagename == app.config.root_doc and "body" in context and app.builder.format == "html":
        context["body"] += downloads(Path(app.outdir), "..") + "\n"


def setup(app: Sphinx) -> None:
    """Register the directive, and let modules mention chapters that are still to come."""
    app.add_directive("book-plan", BookPlan)
    app.connect("missing-reference", name_planned_chapter)
    app.connect("html-page-context", offer_downloads)
