"""The names of all statements and errata of the sources, which nothing may lose.

`tests/sources/<chapter>.txt` has a line for each: a record that is added is added there too, and
one that is taken away is seen in review.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "sources"


def named(kind: str, records: Iterable[dict[str, Any]]) -> dict[str, list[str]]:
    """Return the lines that the records of a kind have in the files of their chapters, sorted."""
    found: dict[str, list[str]] = {}
    for record in records:
        line = f"{kind} {record['source']} {record['id']}"
        found.setdefault(record["chapter"], []).append(line)
    return {chapter: sorted(lines) for chapter, lines in found.items()}


def listed(kind: str, folder: Path = FOLDER) -> dict[str, list[str]]:
    """Return the lines of a kind that the files have, by their chapters."""
    found = {}
    for path in folder.glob("*.txt"):
        lines = path.read_text(encoding="utf-8").splitlines()
        if mine := [line for line in lines if line.startswith(f"{kind} ")]:
            found[path.stem] = mine
    return found
