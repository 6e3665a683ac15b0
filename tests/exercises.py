"""The exercises of the book: what the cells of a chapter define, and how answers are tried."""

from __future__ import annotations

from typing import Any

from mlnotes import proof
from mlnotes.proof import forms
from tools.contents import pages_of
from tools.execution import read
from tools.paths import ROOT

# What a cell gets by `from mlnotes.proof import ...` and `from mlnotes.proof.forms import ...`.
WORDS: dict[str, Any] = {
    name: getattr(module, name) for module in (forms, proof) for name in module.__all__
}


def exercise(chapter: str, name: str, **names: Any) -> Any:
    """Return a function that a cell of a chapter's pages defines, given the names it uses."""
    cells = [cell for page in pages_of(chapter) for cell in read(ROOT / f"{page}.md").cells]
    cell = next(c for c in cells if c.cell_type == "code" and f"def {name}(" in c.source)
    exec(cell.source, names)
    return names[name]
