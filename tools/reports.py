"""What the executed cells reported to the book: theorems and errata."""

from __future__ import annotations

from functools import cache
from typing import Any

from mlnotes.ledger import ERRATUM_MIME_TYPE
from tools.execution import Cache, chapters, read
from tools.paths import ROOT


@cache
def outputs() -> dict[str, list[Any]]:
    """Return the outputs of the cells of every page that has been executed.

    A build executes all pages of its table of contents first; that of a preview has few.
    """
    store = Cache()
    notebooks = {chapter: read(chapter) for chapter in chapters()}
    return {
        chapter.relative_to(ROOT).with_suffix("").as_posix(): store.outputs(notebook)
        for chapter, notebook in notebooks.items()
        if store.has(notebook)
    }


@cache
def reports() -> tuple[tuple[str, dict[str, Any]], ...]:
    """Return what the cells reported, by its kind, each with the page of the cell."""
    return tuple(
        (page, output.get("data", {})) for page, shown in outputs().items() for output in shown
    )


def errata() -> dict[str, list[str]]:
    """Return the pages whose cells reported each erratum."""
    reported: dict[str, list[str]] = {}
    for docname, data in reports():
        if shown := data.get(ERRATUM_MIME_TYPE):
            reported.setdefault(shown["id"], []).append(docname)
    return reported
