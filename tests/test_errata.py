"""No erratum is lost, and none is claimed that a cell does not show."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import sympy
from mlnotes_book import sources
from mlnotes_book.errata import problems, without_box

from mlnotes import ledger
from mlnotes.proof import Derivation, Theorem, Unproved, dot, norm2, vectors
from tests.source_names import listed, named
from tools import contents
from tools import errata as errata_files

u, v = vectors("u v")


def test_no_erratum_is_removed() -> None:
    """One is dropped by a reason; it stays in the list of its chapter, where a new one is added."""
    assert named("erratum", sources.errata()) == listed("erratum")


def test_every_erratum_has_all_that_is_shown_of_it() -> None:
    assert not list(sources.malformed(sources.errata(), sources.ERRATUM_FIELDS))


def test_every_erratum_was_derived_anew() -> None:
    assert [e["id"] for e in sources.errata() if e.get("checked") is not True] == []


def test_a_grade_that_was_changed_has_the_first_one_and_the_reason() -> None:
    changed = [e for e in sources.errata() if {"first_graded", "regraded"} & e.keys()]
    assert changed
    for erratum in changed:
        assert erratum["first_graded"] in sources.SEVERITIES.keys() - {erratum["severity"]}
        assert len(erratum["regraded"].split()) > 3
        assert "dropped" not in erratum


def said_without_box(erratum: dict[str, Any]) -> str:
    return "".join(node.astext() for node in without_box(erratum))


@pytest.mark.parametrize("severity", sources.SEVERITIES)
def test_only_an_erratum_with_a_computed_example_is_said_to_have_one(severity: str) -> None:
    computed = "An example is computed in counterexamples/kernels.py; the cell comes with the"
    (with_example, *_) = sorted(sources.examples())
    record = {"id": with_example, "severity": severity, "chapter": "kernels"}
    assert said_without_box(record) == f"{computed} chapter."
    assert "counterexamples" not in said_without_box({**record, "id": "erratum-x"})


def test_a_book_without_counterexamples_has_no_examples(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sources, "EXAMPLES", tmp_path)
    assert sources.examples.__wrapped__() == frozenset()


@pytest.mark.parametrize("path", errata_files.files(), ids=lambda path: path.stem)
def test_the_list_names_the_box_and_the_cell_of_every_erratum_that_has_one(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    stale = "run `python -m tools.errata` after a build"
    assert errata_files.filled(text, errata_files.boxes()) == text, stale


def test_boxes_are_found_on_all_pages_of_a_chapter(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "book" / "kernels").mkdir(parents=True)
    (tmp_path / "book" / "kernels.md").write_text("# Kernels\n")
    (tmp_path / "book" / "kernels" / "slips.md").write_text("```{erratum} slip-a\n```\n")
    for module in (contents, errata_files):
        monkeypatch.setattr(module, "BOOK", tmp_path / "book")
    monkeypatch.setattr(errata_files, "ROOT", tmp_path)
    assert errata_files.boxes() == {"slip-a": "book/kernels/slips"}


def test_filling_changes_the_named_erratum_and_no_other() -> None:
    record = "- id: {}\n  source: '000'\n  target: {}\n  evidence: {}\n  severity: wrong\n"
    text = record.format("a", "null", "null") + record.format("b", "b", "cell:book/old#b")
    assert errata_files.filled(text, {"a": "book/x"}) == (
        record.format("a", "a", "cell:book/x#a") + record.format("b", "null", "null")
    )


@pytest.mark.parametrize("false", [False, np.bool_(False), sympy.false])
@pytest.mark.parametrize("true", [True, np.bool_(True), sympy.true])
def test_a_false_print_with_a_true_correction_is_an_erratum(false: Any, true: Any) -> None:
    shown = ledger.erratum("erratum-x", printed=false, corrected=true)
    assert (shown.id, shown.corrected, shown.counterexample) == ("erratum-x", "holds", {})
    bundle = shown._repr_mimebundle_()
    assert bundle[ledger.ERRATUM_MIME_TYPE]["id"] == "erratum-x"
    assert "what is printed fails" in bundle["text/plain"]


def wrong() -> Derivation:
    return Derivation("slip").start(norm2(u + v)).equals(norm2(u) + norm2(v))


def right() -> Theorem:
    line = norm2(u) + 2 * dot(u, v) + norm2(v)
    return Derivation("mended").start(norm2(u + v)).equals(line).qed()


def test_the_engines_counterexample_is_reported() -> None:
    shown = ledger.erratum("erratum-x", printed=wrong, corrected=right)
    assert set(shown.counterexample) == {"u", "v"}
    assert "u" in shown.message
    assert shown.message in repr(shown)
    assert shown.corrected == "proved"
    assert ledger.erratum("erratum-x", printed=wrong, corrected=right()).corrected == "proved"
    assert ledger.erratum("erratum-x", printed=wrong).corrected == ""


def unknown() -> None:
    raise Unproved("nothing could prove it")


@pytest.mark.parametrize(
    ("printed", "corrected", "message"),
    [
        (True, True, "what is printed holds"),
        (False, False, "the correction fails"),
        (right, None, "the engine accepts what is printed"),
        (unknown, None, "was not refuted"),
        (False, wrong, "the correction does not stand up"),
        (False, unknown, "the correction does not stand up"),
        (False, lambda: False, "the correction fails"),
    ],
)
def test_what_is_no_erratum_is_refused(printed: Any, corrected: Any, message: str) -> None:
    with pytest.raises(AssertionError, match=message):
        ledger.erratum("erratum-x", printed=printed, corrected=corrected)


@pytest.mark.parametrize("value", [None, 0, "", np.array([False, True]), [False]])
def test_only_a_truth_value_counts(value: Any) -> None:
    with pytest.raises(TypeError, match="True or False"):
        ledger.erratum("erratum-x", printed=value)


def test_a_correction_that_returns_nothing_shows_nothing() -> None:
    with pytest.raises(TypeError, match="must return what it showed"):
        ledger.erratum("erratum-x", printed=False, corrected=lambda: None)


def erratum(**changes: Any) -> dict[str, Any]:
    return {"id": "erratum-a", "chapter": "a", "severity": "wrong", "evidence": None, **changes}


BOX, REPORT = {"erratum-a": "book/a"}, {"erratum-a": ["book/a"]}


def test_an_erratum_with_box_and_report_has_no_problem() -> None:
    assert not problems([erratum(evidence="cell:book/a#erratum-a")], BOX, REPORT, {"a"})


def test_a_chapter_that_is_not_complete_owes_no_box() -> None:
    assert not problems([erratum()], {}, {}, set())


@pytest.mark.parametrize("severity", ["misprint", "misleading"])
def test_misprints_and_remarks_need_no_box(severity: str) -> None:
    assert not problems([erratum(severity=severity)], {}, {}, {"a"})


def test_a_dropped_erratum_needs_no_box() -> None:
    assert not problems([erratum(dropped="it is right")], {}, {}, {"a"})


@pytest.mark.parametrize(
    ("errata", "boxes", "reported", "sentence"),
    [
        ([erratum()], {}, {}, "has no box in its chapter"),
        ([erratum(severity="missing-hypothesis")], {}, {}, "has no box in its chapter"),
        ([erratum()], BOX, {}, "no cell of this page shows"),
        ([erratum()], BOX, {"erratum-a": ["book/b"]}, "no cell of this page shows"),
        ([erratum(severity="misprint")], {}, REPORT, "which has no box"),
        ([], {}, REPORT, "in no list of errata"),
        ([erratum()], BOX, {"erratum-a": ["book/a", "book/b"]}, "reported twice"),
        ([erratum(dropped="it is right")], BOX, REPORT, "was dropped"),
        ([erratum(severity="misprint", evidence="x")], {}, {}, "names evidence"),
    ],
)
def test_every_mismatch_of_list_boxes_and_cells_is_found(
    errata: list[dict[str, Any]],
    boxes: dict[str, str],
    reported: dict[str, list[str]],
    sentence: str,
) -> None:
    ((_, message),) = problems(errata, boxes, reported, {"a"})
    assert sentence in message
