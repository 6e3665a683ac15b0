"""Write into `book/sources/errata.yml` the box and the cell that show each erratum.

What is written comes from the outputs of the executed chapters, so run it after a build. A test
holds the file against the boxes.
"""

from __future__ import annotations

import re
import sys

from tools.paths import BOOK

FILE = BOOK / "sources" / "errata.yml"
RECORD = re.compile(r"(?m)^- id: (\S+)\n(?:  .*\n)*?  target: .*\n  evidence: .*\n")
FIELDS = re.compile(r"(?m)^  target: .*\n  evidence: .*\n")
BOX = re.compile(r"(?m)^`{3,}\{erratum\} (\S+)$")


def shown() -> dict[str, str]:
    """Return the page with the box of each erratum that a cell of that page reported."""
    sys.path.insert(0, str(BOOK / "_ext"))
    from mlnotes_book.errata import collect

    return {name: pages[0] for name, pages in collect().items()}


def filled(text: str, pages: dict[str, str]) -> str:
    """Return the file with a target and an evidence for every erratum that is shown."""

    def fill(record: re.Match[str]) -> str:
        name = record[1]
        box, cell = (name, f"cell:{pages[name]}#{name}") if name in pages else ("null", "null")
        return FIELDS.sub(f"  target: {box}\n  evidence: {cell}\n", record[0])

    return RECORD.sub(fill, text)


def boxes() -> dict[str, str]:
    """Return the page of every box, from the sources of the pages."""
    return {
        name: f"book/{page.stem}"
        for page in sorted(BOOK.glob("*.md"))
        for name in BOX.findall(page.read_text(encoding="utf-8"))
    }


def main() -> int:
    """Rewrite the file and say how many errata are shown."""
    pages = shown()
    FILE.write_text(filled(FILE.read_text(encoding="utf-8"), pages), encoding="utf-8")
    print(f"{len(pages)} errata are shown by a cell.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
