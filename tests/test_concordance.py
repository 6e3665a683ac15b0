"""No statement of the sources is lost, and none counts as treated that is not."""

from __future__ import annotations

from collections import Counter
from hashlib import sha256
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from mlnotes_book import places, sources
from mlnotes_book.concordance import Concordance, fits, natural, problems
from mlnotes_book.places import Cell, Place

# Of the names of all statements, one a line, sorted.
NAMES = "612717e458cdc5ca2845901ea7b489654ae42cfa0bc0ecf7a6feb47a529868e8"
COUNTS = {"000": 251, "001": 53, "002": 661, "003": 96, "004": 317}


def test_no_statement_is_removed() -> None:
    names = sorted(row["id"] for row in sources.rows())
    assert Counter(row["source"] for row in sources.rows()) == COUNTS
    assert sha256("\n".join(names).encode()).hexdigest() == NAMES


def test_every_statement_has_all_that_is_shown_of_it() -> None:
    assert not list(sources.malformed(sources.rows(), sources.ROW_FIELDS))


def test_every_chapter_of_the_plan_has_statements() -> None:
    assert {row["chapter"] for row in sources.rows()} == set(sources.titles())


def test_every_slip_that_a_statement_names_is_in_the_list() -> None:
    known = {erratum["id"] for erratum in sources.errata()}
    assert {name for row in sources.rows() for name in row.get("errata", ())} <= known


def test_a_statement_slips_where_its_erratum_stands_and_not_where_it_was_dropped() -> None:
    builder = SimpleNamespace(get_relative_uri=lambda _, page: page)
    here = SimpleNamespace(docname="here", app=SimpleNamespace(builder=builder))
    directive: Any = SimpleNamespace(env=here)
    errata = {erratum["id"]: erratum for erratum in sources.errata()}
    said = set()
    for record in (row for row in sources.rows() if row.get("errata")):
        facts = Concordance.row(directive, record).astext()
        dropped = [bool(errata[name].get("dropped")) for name in record["errata"]]
        assert facts.count("where it slips") == dropped.count(False), record["id"]
        assert facts.count("held to be a slip, and dropped") == dropped.count(True)
        said.update(dropped)
    assert said == {True, False}


@pytest.mark.parametrize(
    ("record", "sentence"),
    [
        ({"id": "a", "source": "000"}, "has no chapter"),
        ({"id": "a", "source": "999", "chapter": "kernels"}, "'999' is no source"),
        ({"id": "a", "source": "000", "chapter": "magic"}, "'magic' is no chapter"),
    ],
)
def test_a_malformed_record_is_found(record: dict[str, Any], sentence: str) -> None:
    found = list(sources.malformed([record], {"id", "source", "chapter"}))
    assert any(sentence in message for message in found)


def test_a_name_that_occurs_twice_is_found() -> None:
    assert list(sources.malformed([{"id": "a"}, {"id": "a"}], {"id"})) == ["a stands there twice"]


def row(check: str = "symbolic", **changes: Any) -> dict[str, Any]:
    return {"id": "a", "check": check, "target": "thm-a", "evidence": None, **changes}


@pytest.mark.parametrize(
    ("record", "state"),
    [
        (row(), False),
        (row(evidence="thm-a"), True),
        (row(evidence=["thm-a", "tests/test_a.py::test_a"]), True),
        (row(evidence=[]), False),
        (row(target=None, evidence="thm-a"), False),
        (row("none"), True),
        (row("none", target=None), False),
    ],
)
def test_a_statement_counts_only_with_target_and_evidence(
    record: dict[str, Any], state: bool
) -> None:
    assert sources.is_treated(record) is state


def find(label: str) -> Place | None:
    """Know a theorem and a section."""
    known = {
        "thm-a": Place("book/a", "thm-a", "Theorem 1.1"),
        "a-section": Place("book/a", "a-section", "a section", section=True),
    }
    return known.get(label)


ENTRIES = {"thm-a": {"status": "proved"}, "thm-b": {"status": "tested"}}


@pytest.mark.parametrize(
    ("record", "sentence"),
    [
        (row(target="thm-nowhere"), "the book has no label thm-nowhere"),
        (row(target="a-section"), "is a chapter or a section"),
        (row(target=None, evidence="thm-a"), "evidence and no target"),
        (row(evidence="thm-c"), "is reported by no cell of this build"),
        (row(evidence="thm-b"), "is not a proof"),
        (row("simulation", evidence="thm-a"), "is not what was tested"),
        (row("figure", evidence="thm-a"), "is not a cell that draws"),
        (row(evidence="tests/test_nowhere.py::test_a"), "does not exist"),
        (row(evidence="tests/test_concordance.py::test_nothing"), "does not exist"),
        (row(evidence="cell:book/nowhere#cell-a"), "does not exist"),
        (row(evidence="cell:book/perceptron#cell-nowhere"), "does not exist"),
    ],
)
def test_a_target_or_evidence_that_is_not_there_or_does_not_fit_is_found(
    record: dict[str, Any], sentence: str
) -> None:
    ((message),) = problems([record], find, ENTRIES)
    assert sentence in message


@pytest.mark.parametrize(
    "record",
    [
        row(),
        row(evidence="thm-a"),
        row("property", evidence=["thm-a", "thm-b"]),
        row("simulation", evidence="thm-b"),
        row("none"),
        row("exact", evidence="tests/test_concordance.py::test_no_statement_is_removed"),
        row("numeric", evidence="tests/test_errata.py::test_no_erratum_is_removed"),
    ],
)
def test_what_is_there_and_fits_is_accepted(record: dict[str, Any]) -> None:
    assert not problems([record], find, ENTRIES)


@pytest.mark.parametrize(
    ("check", "cell", "good"),
    [
        ("symbolic", Cell("Derivation('x').start(a)", figure=False), True),
        ("symbolic", Cell("assert 1 < 2", figure=False), False),
        ("symbolic", Cell("import sympy\nprint('proved')", figure=False), False),
        ("numeric", Cell("assert 1 < 2", figure=False), True),
        ("numeric", Cell("print(1 < 2)", figure=False), False),
        ("simulation", Cell("ledger.tested('t', f, c, scope='s')", figure=False), True),
        ("figure", Cell("plot.picture(ax, alt='x')", figure=True), True),
        ("figure", Cell("assert True", figure=False), False),
    ],
)
def test_a_cell_must_be_able_to_do_what_the_check_asks(
    check: str, cell: Cell, good: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(places, "cells", lambda docname: {"cell-a": cell})
    assert (fits(row(check), "cell:book/a#cell-a", {}) == "") is good


def test_a_test_of_numbers_is_no_symbolic_evidence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_a.py").write_text(
        "import numpy\ndef test_a():\n    assert numpy.pi > 3\n"
    )
    (tmp_path / "tests" / "test_b.py").write_text(
        "from mlnotes.proof import impossible\ndef test_b():\n    impossible('b')\n"
    )
    monkeypatch.setattr(sources, "FOLDER", tmp_path / "book" / "sources")
    assert "is not a proof" in fits(row("smt"), "tests/test_a.py::test_a", {})
    assert fits(row("numeric"), "tests/test_a.py::test_a", {}) == ""
    assert fits(row("smt"), "tests/test_b.py::test_b", {}) == ""


def test_sections_are_in_the_order_of_their_numbers() -> None:
    assert sorted(["10.2 b", "2.10 a", "2.9 a", "A"], key=natural) == [
        *("2.9 a", "2.10 a", "10.2 b", "A"),
    ]


def test_the_summary_counts_what_is_treated() -> None:
    done, total = sources.treated(sources.rows())
    assert sources.summary().startswith(f"statements of the sources: {done} / {total} treated")
