"""One letter, one meaning: in the table, on the page that is written from it, and in theorems."""

from __future__ import annotations

import pytest

from mlnotes.theorems import registry
from tools import notation

KINDS = {"R": "number", "Z": "integer", "V": "vector", "M": "matrix", "P": "relation"}
Uses = dict[str, dict[str, set[str]]]


@pytest.fixture(scope="module")
def uses() -> Uses:
    """What the values of each letter are in the statements of each chapter.

    Numbers with one index more than a vector are its coordinates: x_{i,j} belongs to x_i.
    """
    seen: dict[tuple[str, str], set[tuple[str, int]]] = {}
    for _, derive in registry():
        chapter = derive.__module__.rpartition(".")[2]
        if chapter == "library":
            continue  # its letters are renamed where a chapter uses a fact
        theorem = derive()
        for p in (theorem.statement.term, *(h.term for h in theorem.stated)):
            for name, sort, arguments in p.free:
                if not name.startswith("ω"):
                    found = seen.setdefault((chapter, name.rstrip("'")), set())
                    found.add((sort[0], arguments.count("Z")))
    out: Uses = {}
    for (chapter, name), found in seen.items():
        coordinates = {("R", k + 1) for sort, k in found if sort == "V" and k}
        out.setdefault(chapter, {})[name] = {KINDS[s] for s, _ in found - coordinates}
    return out


def test_the_page_is_written_from_the_table():
    assert notation.PAGE.read_text(encoding="utf-8") == notation.page(), (
        "run python -m tools.notation"
    )


def test_a_letter_has_one_meaning_in_the_core_and_in_each_chapter():
    assert notation.clashes([s for g in notation.core().values() for s in g]) == []
    for symbols in notation.chapters().values():
        assert notation.clashes(symbols) == []
        assert {s.kind for s in symbols} <= set(notation.KINDS)


def test_a_second_meaning_is_seen():
    offset, start = (notation.Symbol("theta_0", "vector", m) for m in ("the offset", "the start"))
    assert notation.clashes([offset, start]) == ["theta_0: the offset; the start"]
    twin = notation.Symbol("theta0", "number", "the start")
    assert notation.clashes([offset, twin]) == ["theta0: the offset; the start"]


def test_a_letter_is_of_one_kind_in_all_statements_of_a_chapter(uses: Uses):
    wrong = {c: {n for n, k in used.items() if len(k) > 1} for c, used in uses.items()}
    known = {c: set(found) for c, found in notation.known_clashes().items()}
    assert {c: found for c, found in wrong.items() if found} == known


def test_letters_of_the_table_are_what_it_says_in_the_theorems(uses: Uses):
    wrong = []
    for chapter, used in uses.items():
        table = {s.name: s.kind for s in notation.bound()}
        table |= {s.name: s.kind for s in notation.chapters().get(chapter, [])}
        for name in notation.known_clashes().get(chapter, {}):
            table.pop(name, None)
        wrong += [(chapter, n) for n, k in used.items() if n in table and k != {table[n]}]
    assert wrong == []


def test_letters_that_a_chapter_adds_are_used_in_it(uses: Uses):
    for chapter, symbols in notation.chapters().items():
        assert {s.name for s in symbols} <= uses[chapter].keys()
