"""The table of contents, written from `book/plan.yml` and from the pages that are there.

A chapter is in the book as soon as its lecture `book/<name>.md` exists; its other pages,
`book/<name>/<page>.md`, are sections of the lecture. `python -m tools.contents` writes `_toc.yml`.
"""

from __future__ import annotations

import re
import sys
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from tools.paths import BOOK, ROOT

PLAN = BOOK / "plan.yml"
FILE = ROOT / "_toc.yml"
# The pages that a lecture may have below it, in their order.
PAGES = ("further", "exercises", "slips")
SOURCES = {
    "000": "MA4270, Data Modelling and Computation",
    "001": "A master student’s notes",
    "002": "Machine learning 2015/16, 27 lectures",
    "003": "Learning From Data, chapter 3",
    "004": "CS726, 2011",
}
FRONT = ("reading", "derivations", "notation")
BACK = ("glossary", "bibliography", "colophon")
Entry = dict[str, Any]


@cache
def parts() -> dict[str, dict[str, str]]:
    """Return the titles of the chapters by their names, part by part."""
    plan = yaml.safe_load(PLAN.read_text(encoding="utf-8"))
    return {part["part"]: {c["name"]: c["title"] for c in part["chapters"]} for part in plan}


def titles() -> dict[str, str]:
    """Return the titles of all chapters by their names, in the order of the book."""
    return {name: title for chapters in parts().values() for name, title in chapters.items()}


def about(chapter: str) -> str:
    """Return the words that the plan has for a chapter."""
    plan = yaml.safe_load(PLAN.read_text(encoding="utf-8"))
    words = {c["name"]: c["about"] for part in plan for c in part["chapters"]}
    return str(words[chapter])


def part_of(chapter: str) -> str:
    """Return the part to which a chapter belongs."""
    return next(part for part, chapters in parts().items() if chapter in chapters)


def chapter_of(docname: str) -> str:
    """Return the chapter to which a page belongs, which for other pages is their own name.

    >>> chapter_of("book/perceptron"), chapter_of("book/perceptron/further")
    ('perceptron', 'perceptron')
    """
    return docname.removeprefix("book/").partition("/")[0]


def pages_of(chapter: str) -> list[str]:
    """Return the pages of a chapter that exist, the lecture first."""
    names = [f"book/{chapter}", *(f"book/{chapter}/{page}" for page in PAGES)]
    return [name for name in names if (BOOK.parent / f"{name}.md").exists()]


def concordance_page(part: str) -> str:
    """Return the page with the statements of the sources on the chapters of a part."""
    return f"book/concordance/{re.sub('[^a-z]+', '_', part.lower())}"


def errata_page(source: str) -> str:
    """Return the page with the errata of a source."""
    return f"book/errata/{source}"


def table() -> Entry:
    """Return the table of contents as sphinx-external-toc reads it."""
    written = {part: [name for name in names if pages_of(name)] for part, names in parts().items()}
    chapters = [
        {"caption": part, "numbered": True, "chapters": [_file(*pages_of(name)) for name in names]}
        for part, names in written.items()
        if names
    ]
    front = {"caption": "Before you start", "chapters": [_file(f"book/{name}") for name in FRONT]}
    return {
        "format": "jb-book",
        "root": "book/index",
        "parts": [front, *chapters, *_assignments(), _reference()],
    }


def _file(docname: str, *sections: str) -> Entry:
    below = {"sections": [{"file": section} for section in sections]} if sections else {}
    return {"file": docname, **below}


def _assignments() -> list[Entry]:
    names = [name for name in titles() if (BOOK / "assignments" / f"{name}.md").exists()]
    files = [_file(f"book/assignments/{name}") for name in ("index", *names)]
    return [{"caption": "Assignments", "chapters": files}] if names else []


def _reference() -> Entry:
    return {
        "caption": "Reference",
        "chapters": [
            {"file": "book/ledger", "sections": [{"glob": "book/ledger/*"}]},
            _file("book/concordance", *map(concordance_page, parts())),
            _file("book/errata", *map(errata_page, SOURCES)),
            {"file": "book/api", "sections": [{"glob": "book/api/*"}]},
            *(_file(f"book/{name}") for name in BACK),
            {"file": "genindex"},
        ],
    }


def text() -> str:
    """Return what `_toc.yml` must contain."""
    head = "# Written from book/plan.yml by `python -m tools.contents`.\n"
    return head + yaml.safe_dump(table(), sort_keys=False, allow_unicode=True)


def write(path: Path = FILE) -> bool:
    """Write the table of contents and return whether it changed."""
    changed = not path.exists() or path.read_text(encoding="utf-8") != text()
    path.write_text(text(), encoding="utf-8")
    return changed


if __name__ == "__main__":
    print("written" if write() else "unchanged", FILE.name)
    sys.exit(0)
