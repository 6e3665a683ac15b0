"""Pages that are written before the build: those of the back matter that list the sources.

The pages of the ledger and of the API are written by `ledger` and `api` in the same way.
"""

from __future__ import annotations

from pathlib import Path

from sphinx.application import Sphinx

from tools.contents import concordance_page, errata_page, parts

STATEMENTS = """---
myst:
  html_meta:
    description: >-
      What the five sources say on the chapters of the part “{part}”, and where this book treats it.
---

# Sources: {lower}

What the five sources say on the subjects of this part, in our words. Each statement names its
source and place, then where the book treats it and what vouches for it.
[The concordance](../concordance.md) explains the columns and lists the same statements by source.

```{{concordance}} {part}
```
"""
ERRATA = """---
myst:
  html_meta:
    description: The slips found in {words}, with their corrections.
---

# Errata: {title}

The slips of source {source}, under the chapter to whose subject they belong.
[The errata](../errata.md) say how they were found and how to report another.

```{{errata}} {source}
```
"""
# A short title of each source, and words for it in a sentence.
NAMED = {
    "000": ("MA4270", "the MA4270 sheet, chapter by chapter"),
    "001": (
        "a master student’s notes",
        "a master student’s notes after Dasgupta, Ng, Weinberger and others",
    ),
    "002": (
        "machine learning 2015/16",
        "the 27 lectures of a machine-learning course of 2015/16",
    ),
    "003": (
        "Learning From Data, chapter 3",
        "worked notes on chapter 3 of Learning From Data",
    ),
    "004": ("CS726, 2011", "the CS726 notes of 2011, chapter by chapter"),
}


def write_generated(folder: Path, pages: dict[str, str]) -> None:
    """Write the pages, touching none whose text is unchanged, and remove those left over."""
    folder.mkdir(parents=True, exist_ok=True)
    for path in folder.glob("*.md"):
        if path.name not in pages:
            path.unlink()
    for name, text in pages.items():
        path = folder / name
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")


def write_back_matter(root: Path) -> None:
    """Write a page of statements for every part of the book and one of errata for every source."""
    statements = {
        concordance_page(part): STATEMENTS.format(part=part, lower=part.lower()) for part in parts()
    }
    errata = {
        errata_page(source): ERRATA.format(source=source, title=title, words=words)
        for source, (title, words) in NAMED.items()
    }
    for pages in (statements, errata):
        folder = (root / next(iter(pages))).parent
        write_generated(folder, {f"{Path(name).name}.md": text for name, text in pages.items()})


def setup(app: Sphinx) -> None:
    """Write the pages before the table of contents is read, in a book that has such lists."""
    root = Path(app.srcdir)
    if (root / "book" / "concordance.md").exists():
        write_back_matter(root)
