"""Snapshots of how far each theorem reaches: `python -m tools.scopes`, part of `make certificates`.

A theorem is proved "for any n, any dimension"; a change that quietly narrows this is a change of
what the book claims. The scopes are kept in `tests/proof/scopes`, a file a chapter, so that such a
change is seen in review, and a test fails while they differ.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from mlnotes.proof import Theorem
from mlnotes.theorems import registry
from tools.paths import ROOT

FOLDER = ROOT / "tests" / "proof" / "scopes"


def chapters() -> dict[str, dict[str, str]]:
    """Return the scopes of all theorems, by label, chapter by chapter."""
    found: dict[str, dict[str, str]] = {}
    for label, derive in registry():
        chapter = derive.__module__.rpartition(".")[2]
        found.setdefault(chapter, {})[label] = of_theorem(derive())
    return found


def of_theorem(theorem: Theorem) -> str:
    """Return for what a theorem holds, and what it takes for granted."""
    return "; assuming ".join([theorem.scope, *map(str, theorem.assumptions)])


def text(scopes: dict[str, str]) -> str:
    """Return what the file of a chapter contains: a line for each theorem."""
    return "".join(f"{label}: {scope}\n" for label, scope in sorted(scopes.items()))


def write(folder: Path = FOLDER) -> list[str]:
    """Write the snapshots, and return the names of the files that changed."""
    folder.mkdir(parents=True, exist_ok=True)
    wanted = {f"{chapter}.txt": text(scopes) for chapter, scopes in chapters().items()}
    for path in folder.glob("*.txt"):
        if path.name not in wanted:
            path.unlink()
    changed = []
    for name, content in wanted.items():
        path = folder / name
        if not path.exists() or path.read_text(encoding="utf-8") != content:
            path.write_text(content, encoding="utf-8")
            changed.append(name)
    return changed


def main(line: Sequence[str] | None = None) -> int:
    """Write the snapshots and say which changed."""
    changed = write()
    print("scopes:", ", ".join(changed) or "unchanged")
    return 0


if __name__ == "__main__":
    sys.exit(main())
