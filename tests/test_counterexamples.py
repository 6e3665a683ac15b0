"""What the sources print fails on a small example, and the correction holds on the same one.

The examples belong to errata of chapters that are not written yet; a chapter shows its own.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module

import pytest
from mlnotes_book import sources

from tools.contents import titles

sys.path.insert(0, str(sources.FOLDER))


def found(chapter: str) -> dict[str, tuple[Callable[[], bool], Callable[[], bool]]]:
    """Return the examples of a chapter's errata, none where there is no file of them."""
    if not (sources.EXAMPLES / f"{chapter}.py").exists():
        return {}
    examples: dict[str, tuple[Callable[[], bool], Callable[[], bool]]] = import_module(
        f"counterexamples.{chapter}"
    ).FOUND
    return examples


FOUND = {(chapter, name): pair for chapter in titles() for name, pair in found(chapter).items()}
NAMED = pytest.mark.parametrize("example", FOUND, ids="-".join)


@NAMED
def test_what_is_printed_fails_on_the_example(example: tuple[str, str]) -> None:
    assert not FOUND[example][0]()


@NAMED
def test_the_correction_holds_on_the_example(example: tuple[str, str]) -> None:
    assert FOUND[example][1]()


@pytest.mark.parametrize("chapter", titles())
def test_every_wrong_statement_of_a_chapter_to_come_has_its_example(chapter: str) -> None:
    mine = [e for e in sources.standing(sources.errata()) if e["chapter"] == chapter]
    wrong = {e["id"] for e in mine if e["severity"] in sources.BOXED}
    shown = {e["id"] for e in mine if sources.evidence_of(e)}
    assert set(found(chapter)) == wrong - shown


def test_the_book_knows_the_examples_by_their_names() -> None:
    assert sources.examples() == {name for _, name in FOUND}


def test_examples_are_in_files_named_like_chapters() -> None:
    files = {path.stem for path in sources.EXAMPLES.glob("*.py")} - {"__init__", "shared"}
    assert files <= set(titles())
