"""No statement of the sources is lost, and none counts as treated that is not."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from mlnotes_book import labels, sources
from mlnotes_book.concordance import Concordance, complete_chapters, fits, natural, problems
from mlnotes_book.labels import Cell, Place, repeated

from mlnotes.ledger import MIME_TYPE
from tests.source_names import listed, named
from tools import contents
from tools.build import alone
from tools.execution import execute_all
from tools.paths import ROOT
from tools.reports import reports


def test_no_statement_is_removed() -> None:
    """A new one is added to the list of its chapter."""
    assert named("statement", sources.rows()) == listed("statement")


def test_what_is_removed_or_moved_to_another_chapter_is_noticed(tmp_path: Path) -> None:
    records = [{"id": name, "source": "000", "chapter": "kernels"} for name in ("b", "a")]
    (tmp_path / "kernels.txt").write_text("erratum 000 e\nstatement 000 a\nstatement 000 b\n")
    kept = listed("statement", tmp_path)
    assert named("statement", records) == kept
    assert named("statement", records[1:]) != kept
    assert named("statement", [records[0], {**records[1], "chapter": "clustering"}]) != kept
    assert named("statement", [records[0], {**records[1], "source": "001"}]) != kept


def test_every_statement_has_all_that_is_shown_of_it() -> None:
    assert not list(sources.malformed(sources.rows(), sources.ROW_FIELDS))


def test_every_chapter_of_the_plan_has_statements() -> None:
    assert {row["chapter"] for row in sources.rows()} == set(contents.titles())


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
    assert any(sentence in message for _, message in found)


def test_a_name_that_occurs_twice_is_found() -> None:
    twice = [{"id": "a", "chapter": "kernels"}, {"id": "a", "chapter": "clustering"}]
    assert list(sources.malformed(twice, {"id"})) == [("clustering", "a stands there twice")]


@pytest.mark.parametrize(
    ("name", "text", "sentence"),
    [
        ("magic", "- id: a\n", "the plan has no chapter magic"),
        ("kernels", "- id: a\n  chapter: kernels\n", "a names a chapter, which its file does"),
    ],
)
def test_a_file_is_named_like_its_chapter_and_alone_says_so(
    name: str, text: str, sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "concordance").mkdir()
    (tmp_path / "concordance" / f"{name}.yml").write_text(text)
    monkeypatch.setattr(sources, "FOLDER", tmp_path)
    with pytest.raises(ValueError, match=f"book/sources/concordance/{name}.yml: {sentence}"):
        sources.read("concordance")


def test_records_come_chapter_by_chapter_and_a_chapter_may_have_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "errata").mkdir()
    (tmp_path / "errata" / "perceptron.yml").write_text("- id: b\n- id: a\n")
    (tmp_path / "errata" / "learning_problem.yml").write_text("- id: c\n")
    (tmp_path / "errata" / "kernels.yml").write_text("")
    monkeypatch.setattr(sources, "FOLDER", tmp_path)
    assert [(r["chapter"], r["id"]) for r in sources.read("errata")] == [
        ("learning_problem", "c"),
        ("perceptron", "b"),
        ("perceptron", "a"),
    ]
    assert sources.read("concordance") == []


@pytest.mark.parametrize(
    ("pages", "found"),
    [
        ({"book/a": ["par-x"], "book/a/further": ["par-y"]}, []),
        ({"book/a": ["par-x"], "book/a/further": ["par-X"]}, [("book/a/further", "in book/a")]),
        ({"book/a": ["par-x", "par-x"]}, [("book/a", "on this page")]),
    ],
)
def test_a_label_that_the_book_has_twice_is_found(
    pages: dict[str, list[str]], found: list[tuple[str, str]]
) -> None:
    said = [
        (page, f"the label par-x is already set {where}; choose another name")
        for page, where in found
    ]
    assert list(repeated(pages)) == said


def test_a_chapter_is_complete_if_any_of_its_pages_says_so() -> None:
    env: Any = SimpleNamespace(mlnotes_complete={"book/kernels/further", "book/clustering"})
    assert complete_chapters(env) == {"kernels", "clustering"}


def row(check: str = "symbolic", **changes: Any) -> dict[str, Any]:
    plain = {"id": "a", "chapter": "kernels", "target": "thm-a", "evidence": None}
    return {**plain, "check": check, **changes}


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
        (row("figure", evidence="tests/test_a.py::test_a"), "is not a cell that draws"),
        (row("exact", evidence="tests/test_a.py"), "is not a proof in the ledger, a test"),
        (row(evidence="cell:book/nowhere#cell-a"), "does not exist"),
        (row(evidence="cell:book/perceptron#cell-nowhere"), "does not exist"),
    ],
)
def test_a_target_or_evidence_that_is_not_there_or_does_not_fit_is_found(
    record: dict[str, Any], sentence: str
) -> None:
    ((chapter, message),) = problems([record], find, ENTRIES)
    assert chapter == "kernels"
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
    monkeypatch.setattr(labels, "cells", lambda docname: {"cell-a": cell})
    assert (fits(row(check), "cell:book/a#cell-a", {}) == "") is good


@cache
def named_tests(path: Path) -> dict[str, str]:
    """Return the source of every test function of a file, each with what the file imports."""
    if not path.is_file():
        return {}
    tree = ast.parse(path.read_text(encoding="utf-8"))
    imports = "\n".join(
        ast.unparse(node) for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)
    )
    return {
        node.name: f"{imports}\n{ast.unparse(node)}"
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    }


def fault_of_test(check: str, evidence: str, root: Path = ROOT) -> str:
    """Return what is wrong with a test that a statement names, or nothing."""
    path, _, name = evidence.partition("::")
    text = named_tests(root / path).get(name.partition("[")[0])
    if text is None:
        return "does not exist"
    symbolic = check not in ("symbolic", "smt") or sources.SYMBOLIC.search(text)
    return "" if symbolic else "uses neither the engine nor SymPy"


def fault_of_evidence(check: str, evidence: str, entries: dict[str, Any]) -> str:
    """Return what is wrong with an evidence for a statement, or nothing."""
    fault = fits({"check": check}, evidence, entries)
    return fault_of_test(check, evidence) if not fault and evidence.startswith("tests/") else fault


@pytest.fixture(scope="session")
def entries() -> dict[str, Any]:
    """What the executed cells vouch for."""
    with alone():
        execute_all()
    reported = (data.get(MIME_TYPE) for _, data in reports())
    return {entry["label"]: entry for entry in reported if entry}


@pytest.mark.parametrize("chapter", contents.titles())
def test_every_evidence_is_there_and_of_the_kind_that_the_statement_asks_for(
    chapter: str, entries: dict[str, Any]
) -> None:
    faults = [
        (record["id"], record["check"], evidence, fault)
        for record in sources.rows()
        if record["chapter"] == chapter
        for evidence in sources.evidence_of(record)
        if (fault := fault_of_evidence(record["check"], evidence, entries))
    ]
    assert faults == []


@pytest.mark.parametrize(
    ("check", "evidence", "fault"),
    [
        ("exact", "thm-a", ""),
        ("numeric", "thm-a", "is not what was tested in the ledger, a test, or a cell"),
        ("exact", "thm-b", "is not a proof in the ledger"),
        ("numeric", "thm-c", "is reported by no cell of this build"),
        ("exact", "tests/test_concordance.py::test_that_is_not_there", "does not exist"),
        ("figure", "tests/test_concordance.py::test_no_statement_is_removed", "is not a cell that"),
        ("exact", "cell:book/perceptron#cell-that-is-not-there", "does not exist"),
    ],
)
def test_evidence_of_another_kind_is_found_before_the_build(
    check: str, evidence: str, fault: str
) -> None:
    found = fault_of_evidence(check, evidence, ENTRIES)
    assert found.startswith(fault)
    assert bool(found) is bool(fault)


@pytest.mark.parametrize(
    ("check", "test", "fault"),
    [
        ("numeric", "test_a.py::test_a", ""),
        ("smt", "test_b.py::test_b[1-2]", ""),
        ("smt", "test_a.py::test_a", "uses neither the engine nor SymPy"),
        ("exact", "test_a.py::test_b", "does not exist"),
        ("exact", "test_c.py::test_a", "does not exist"),
    ],
)
def test_a_test_of_numbers_is_no_symbolic_evidence(
    check: str, test: str, fault: str, tmp_path: Path
) -> None:
    (tmp_path / "test_a.py").write_text("import numpy\ndef test_a():\n    assert numpy.pi > 3\n")
    (tmp_path / "test_b.py").write_text(
        "from mlnotes.proof import impossible\ndef test_b():\n    impossible('b')\n"
    )
    assert fault_of_test(check, test, tmp_path) == fault


def test_sections_are_in_the_order_of_their_numbers() -> None:
    assert sorted(["10.2 b", "2.10 a", "2.9 a", "A"], key=natural) == [
        *("2.9 a", "2.10 a", "10.2 b", "A"),
    ]


def test_the_summary_counts_what_is_treated() -> None:
    done, total = sources.treated(sources.rows())
    assert sources.summary().startswith(f"statements of the sources: {done} / {total} treated")
