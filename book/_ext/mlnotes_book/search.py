"""The index of the book's own search: what a page says, piece by piece.

A piece is a section, a definition or theorem, a term of the glossary, a word of the index, or a
name of the package. `search.js` ranks them: a title before a text, the lecture before the
reference, and a name of the package where a name was asked for. The index is a script, which pages
that were opened as files can load too.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

from tools.contents import about, chapter_of, titles

INDEX = "searchindex.js"
VOID = frozenset({"meta", "link", "img", "br", "hr", "input", "wbr", "source", "path", "use"})
# What is not read as words: drawings, programs, what only serves the checking, signs for links.
UNREAD = frozenset({"script", "style", "svg", "annotation", "pre", "select", "button", "nav"})
UNREAD_CLASSES = frozenset(
    {"headerlink", "katex-html", "checking", "checking-claim", "check", "filters", "page-links"}
)
STATEMENT = re.compile(r"^(?:proof )?(?!admonition)(\w+) admonition")
NAMED = re.compile(r"^(?P<label>.*?\d[\d.]*)\s*(?:\((?P<title>.*)\))?$")
# These repeat what other pages say: they are found by their headings.
HEADINGS_ONLY = ("book/ledger", "book/concordance")


class Pieces(HTMLParser):
    """The pieces of a page: each with its kind, address, label, title and text."""

    def __init__(self, body: str) -> None:
        super().__init__(convert_charrefs=True)
        self.pieces: list[list[str]] = []
        self._open: list[tuple[str, list[str] | None, bool]] = []
        self._title: list[str] | None = None
        self.feed(body)

    def _begin(self, kind: str, place: str) -> list[str]:
        piece = [kind, place, "", "", ""]
        self.pieces.append(piece)
        return piece

    @property
    def _piece(self) -> list[str] | None:
        return next((piece for _, piece, _ in reversed(self._open) if piece), None)

    def _begins_name(self, classes: str) -> bool:
        """Say whether the name of a statement begins here; other boxes have titles too."""
        piece = self._piece
        return classes == "admonition-title" and piece is not None and piece[0] != "section"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Begin a piece where one begins."""
        given = {name: value or "" for name, value in attrs}
        classes, place = given.get("class", ""), given.get("id", "")
        unread = tag in UNREAD or not UNREAD_CLASSES.isdisjoint(classes.split())
        if tag in VOID:
            return
        piece = None
        if tag == "section" and place and not place.endswith("-content"):
            piece = self._begin("section", place)
        elif tag == "div" and place and (statement := STATEMENT.match(classes)):
            piece = self._begin(statement[1], place)
        elif tag == "dt" and place:
            kind = "name" if "sig" in classes.split() else "term"
            self._title = self._begin(kind, place)
            self._title[3] = place if kind == "name" else ""
        elif tag == "dd" and self.pieces:
            piece = self.pieces[-1]
        elif re.fullmatch("h[1-6]", tag) or self._begins_name(classes):
            self._title = self._piece
        if tag in ("p", "dd", "li", "td", "div") and self._piece:
            self._piece[4] += " "
        self._open.append((tag, piece, unread))

    def handle_endtag(self, tag: str) -> None:
        """End what ends here."""
        if tag == "dt" or re.fullmatch("h[1-6]", tag) or (tag == "p" and self._title):
            self._title = None
        if any(tag == name for name, *_ in self._open):
            while self._open.pop()[0] != tag:
                pass

    def handle_data(self, data: str) -> None:
        """Give words to the title or the text of the piece."""
        if any(unread for *_, unread in self._open):
            return
        if self._title is not None:
            if self._title[0] != "name":
                self._title[3] += data
        elif self._piece:
            self._piece[4] += data


def pieces_of(body: str) -> Iterator[list[str]]:
    """Yield the pieces of a page, with labels apart from titles and single spaces."""
    for kind, place, _, title, text in Pieces(body).pieces:
        title, text, label = " ".join(title.split()), " ".join(text.split()), ""
        if kind == "section":
            number = re.match(r"([\d.]+)\s+", title)
            label, title = (number[1], title[number.end() :]) if number else ("", title)
        elif kind not in ("term", "name") and (named := NAMED.match(title)):
            label, title = named["label"], named["title"] or ""
        yield [kind, place, label, title, text]


def kind_of(docname: str) -> str:
    """Say what sort of page it is, as search.js weighs them."""
    _, name, *below = docname.split("/") if "/" in docname else ("", docname)
    if name in titles():
        return below[0] if below else "lecture"
    return {"api": "api", "glossary": "glossary"}.get(
        name, "reference" if name in ("bibliography", "ledger", "concordance", "errata") else "page"
    )


def keep_pieces(
    app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: Any
) -> None:
    """Keep the pieces of a page for the index, also for builds that do not write it again."""
    if not isinstance(doctree, nodes.document) or app.builder.format != "html":
        return
    found = list(pieces_of(context["body"]))
    if pagename.startswith(HEADINGS_ONLY):
        found = [[*piece[:4], ""] for piece in found if piece[0] == "section"]
    entries = app.env.get_domain("index").entries.get(pagename, [])  # type: ignore[attr-defined]
    if not pagename.startswith("book/api/"):
        for _, words, place, *_ in entries:
            found += [["index", place, "", word.strip(), ""] for word in words.split(";")]
    path = Path(app.doctreedir, "search", f"{pagename}.json")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(found, ensure_ascii=False), encoding="utf-8")


def write_index(app: Sphinx, exception: Exception | None) -> None:
    """Join the pieces of all pages."""
    if exception is not None or app.builder.format != "html":
        return
    pages, pieces = [], []
    for docname in sorted(app.env.found_docs):
        path = Path(app.doctreedir, "search", f"{docname}.json")
        if not path.exists():
            continue
        title = app.env.titles[docname].astext()
        chapter = chapter_of(docname)
        words = about(chapter) if docname == f"book/{chapter}" and chapter in titles() else ""
        found = json.loads(path.read_text(encoding="utf-8"))
        if found and found[0][0] == "section":
            found[0][:2] = ["page", ""]
        pieces += [[len(pages), *piece] for piece in found if piece[3] or piece[4]]
        pages.append([app.builder.get_target_uri(docname), title, kind_of(docname), words])
    data = json.dumps({"pages": pages, "pieces": pieces}, ensure_ascii=False, separators=(",", ":"))
    Path(app.outdir, INDEX).write_text(f"globalThis.mlnotesIndex={data};\n", encoding="utf-8")


def replace_index(app: Sphinx) -> None:
    """Do without Sphinx's index, which knows pages and not their pieces."""
    app.builder.search = False  # type: ignore[attr-defined]


def search_page(app: Sphinx) -> Iterator[tuple[str, dict[str, Any], str]]:
    """Yield the page with the results."""
    yield "search", {"title": "Search"}, "search.html"


def setup(app: Sphinx) -> None:
    """Index the pages when they are written."""
    app.connect("builder-inited", replace_index)
    app.connect("html-collect-pages", search_page)
    app.connect("html-page-context", keep_pieces)
    app.connect("build-finished", write_index)
