"""One letter, one meaning: in the table and on the page that is written from it."""

from __future__ import annotations

from tools import notation


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
