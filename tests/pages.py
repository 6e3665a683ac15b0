"""What the tests of the built site have in common: the list of pages, and a page taken apart."""

from __future__ import annotations

import hashlib
import os
import pickle
import re
from dataclasses import dataclass, field
from functools import cache
from html.parser import HTMLParser
from pathlib import Path

from mlnotes_book.api import public_modules
from sphinx_external_toc.parsing import parse_toc_yaml

from tools.contents import chapter_of
from tools.execution import chapters
from tools.paths import BUILD, ROOT

# Formulas and roles that were not rendered.
RAW_TEX = re.compile(r"\$[^$\n]*\$|\\[([]|\\[A-Za-z]{2,}|\{\w+\}`")
CLAIM = re.compile(r"^`{3,}\{prf:(theorem|lemma|proposition|corollary)\}", re.MULTILINE)
# Together with the specimen, pages on which every element of the book occurs: these are seen in all
# modes in every run, the others in one of them, by turns, and judged by axe-core in every fourth.
SPECIMENS = (
    *("index", "404", "search", "genindex", "py-modindex", "book/index", "book/reading"),
    *(
        "book/derivations",
        "book/pac_learning",
        "book/pac_learning/further",
        "book/pac_learning/slips",
    ),
    *("book/perceptron", "book/perceptron/exercises", "book/glossary"),
    "book/bibliography",
    *("book/concordance", "book/concordance/linear_models", "book/errata", "book/errata/002"),
    *("book/ledger", "book/ledger/concentration", "book/assignments/index"),
    *("book/assignments/adaboost", "book/api", "book/api/mlnotes.base", "book/api/mlnotes.plot"),
    *("book/api/mlnotes.maximum_entropy", "book/api/mlnotes.exceptions"),
    "book/api/mlnotes.semi_supervised",
)
# Classes that say to which source, chapter or place something belongs, not what it is.
BELONGING = re.compile(r"\.(of-|in-|is-|tag_|toctree-l)")
# Where workers keep what they found on a page, and what it depends on beside the page.
RECORDS = BUILD / "parsed"
MADE_BY = Path(__file__).read_bytes()
# Pages that are generated beside those in the table of contents.
GENERATED = ("index", "search", "404", "py-modindex", "at")


def page_names() -> list[str]:
    """Return every page that the built site must have, known before it is built.

    The modules of the package are known by their sources, the pages of the ledger by the chapters
    that claim something, and the rest by the table of contents.
    """
    toc = parse_toc_yaml(ROOT / "_toc.yml")
    written = {name for name in toc if not name.startswith(("book/api/", "book/ledger/"))}
    reference = {f"book/api/{module}" for module in public_modules()}
    ledger = {f"book/ledger/{chapter_of(name)}" for name in claiming()}
    return sorted({f"{name}.html" for name in (*written, *reference, *ledger, *GENERATED)})


def claiming() -> list[str]:
    """Return the pages that claim something, as a theorem or the like."""
    found = [c for c in chapters() if CLAIM.search(c.read_text(encoding="utf-8"))]
    return [c.relative_to(ROOT).with_suffix("").as_posix() for c in found]


def chapter_names() -> list[str]:
    """Return the names of the pages with code, seen from the folder of the book."""
    return [c.relative_to(ROOT / "book").with_suffix("").as_posix() for c in chapters()]


def pages_below(site: Path) -> list[Path]:
    """Return all pages of a built site."""
    return sorted(p for p in site.rglob("*.html") if "_static" not in p.parts)


@dataclass
class Page(HTMLParser):
    """The parts of a page that tests look at."""

    path: Path
    ids: list[str] = field(default_factory=list)
    references: list[tuple[str, str, str]] = field(default_factory=list)
    metas: dict[str, str] = field(default_factory=dict)
    images: list[dict[str, str]] = field(default_factory=list)
    elements: set[str] = field(default_factory=set)
    text: str = ""
    title: str = ""
    base: str = ""

    # Where mathematics and code stand for themselves, TeX may be seen.
    UNREAD = frozenset({"script", "style", "code", "pre", "annotation", "svg"})
    # Formulas and listings are made of hundreds of classes that mean nothing to a reader.
    DRAWN = frozenset({"katex", "highlight"})
    VOID = frozenset({"meta", "link", "img", "br", "hr", "input", "base", "wbr", "source", "path"})

    def __post_init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self._open: list[str] = []
        self._hidden: list[bool] = []
        self._drawn = 0
        self.feed(self.path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {name: value or "" for name, value in attrs}
        hidden = attributes.get("aria-hidden") == "true" or any(self._hidden)
        classes = attributes.get("class", "").split()
        if not self._drawn:
            named = {f"{tag}.{name}" for name in classes}
            self.elements |= {name for name in named if not BELONGING.search(name)}
        if not self._drawn and not self.DRAWN.isdisjoint(classes):
            self._drawn = len(self._open) + 1
        if tag not in self.VOID:
            self._open.append(tag)
            self._hidden.append(hidden)
        if identifier := attributes.get("id"):
            self.ids.append(identifier)
        if tag == "meta" and "name" in attributes:
            self.metas[attributes["name"]] = attributes.get("content", "")
        if tag == "base":
            self.base = attributes["href"]
            return
        if tag in ("img", "svg") and not hidden:
            self.images.append({"tag": tag, **attributes})
        kind = f"link {attributes.get('rel', '')}" if tag == "link" else tag
        for name in ("href", "src", "action", "data", "poster", "srcset", "xlink:href"):
            if name in attributes:
                self.references.append((kind, name, attributes[name]))

    def handle_endtag(self, tag: str) -> None:
        if tag in self._open:
            while self._open.pop() != tag:
                self._hidden.pop()
            self._hidden.pop()
            if len(self._open) < self._drawn:
                self._drawn = 0

    def forget_parsing(self) -> None:
        """Drop the state of the parser, which holds the source of the page."""
        self.rawdata = ""

    def handle_data(self, data: str) -> None:
        if "title" in self._open and "head" in self._open:
            self.title += data
        elif not self.UNREAD.intersection(self._open):
            self.text += data


@cache
def read(path: Path) -> Page:
    """Return a page, taken apart once in all processes as long as neither it nor this file changes.

    The workers share a record for each page, which says of which bytes it was made.
    """
    made_of = hashlib.sha256(MADE_BY + path.read_bytes()).digest()
    record = RECORDS / hashlib.sha256(str(path).encode()).hexdigest()
    if record.exists():
        earlier, page = pickle.loads(record.read_bytes())
        if earlier == made_of:
            return page
    page = Page(path)
    page.forget_parsing()
    RECORDS.mkdir(parents=True, exist_ok=True)
    written = record.with_suffix(f".{os.getpid()}")
    written.write_bytes(pickle.dumps((made_of, page)))
    written.replace(record)
    return page
