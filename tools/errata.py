"""Write into `book/sources/errata/<chapter>.yml` the box and the cell that show each erratum.

What is written comes from the outputs of the executed chapters, so run it after a build. A test
holds the files against the boxes.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from tools import reports
from tools.contents import pages_of, titles
from tools.execution import execute_all
from tools.paths import BOOK, ROOT

FOLDER = BOOK / "sources" / "errata"
RECORD = re.compile(r"(?m)^- id: (\S+)\n(?:  .*\n)*?  target: .*\n  evidence: .*\n")
FIELDS = re.compile(r"(?m)^  target: .*\n  evidence: .*\n")
BOX = re.compile(r"(?m)^`{3,}\{erratum\} (\S+)$")


def files() -> list[Path]:
    """Return the files with the errata of all chapters."""
    return sorted(FOLDER.glob("*.yml"))


def filled(text: str, pages: dict[str, str]) -> str:
    """Return a file with a target and an evidence for every erratum that is shown."""

    def fill(record: re.Match[str]) -> str:
        name = record[1]
        box, cell = (name, f"cell:{pages[name]}#{name}") if name in pages else ("null", "null")
        return FIELDS.sub(f"  target: {box}\n  evidence: {cell}\n", record[0])

    return RECORD.sub(fill, text)


def boxes() -> dict[str, str]:
    """Return the page of every box, from the sources of the pages."""
    return {
        name: page
        for chapter in titles()
        for page in pages_of(chapter)
        for name in BOX.findall((ROOT / f"{page}.md").read_text(encoding="utf-8"))
    }


def main() -> int:
    """Execute what has not been, rewrite the files and say how many errata are shown."""
    if failures := [result.failure for result in execute_all() if result.failure]:
        print("\n\n".join(failures), file=sys.stderr)
        return 1
    pages = {name: found[0] for name, found in reports.errata().items()}
    for path in files():
        path.write_text(filled(path.read_text(encoding="utf-8"), pages), encoding="utf-8")
    print(f"{len(pages)} errata are shown by a cell.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
