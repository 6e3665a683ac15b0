"""The ledger says no more than what ran."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

import myst_nb
import pytest
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output

from mlnotes import ledger
from mlnotes.proof import Derivation, Theorem, Unproved, apply, reals
from mlnotes.proof.recorded import stating
from tools.paths import BOOK, ROOT

sys.path.insert(0, str(BOOK / "_ext"))
from mlnotes_book import ledger as pages
from mlnotes_book.ledger import badge, problems

x = reals("x")


def entry(**changes: Any) -> dict[str, Any]:
    step = {"mark": "proved", "scope": "any dimension"}
    plain = {
        "label": "thm-a",
        "status": "proved",
        "scope": "any dimension",
        "docname": "book/a",
        "steps": [step],
        "certificate": {"axioms": []},
        "reference": "",
        "reason": "",
    }
    return {**plain, **changes}


def test_a_reported_theorem_has_no_problem() -> None:
    assert problems({"thm-a": entry()}, {"thm-a": "book/a"}) == []


@pytest.mark.parametrize(
    ("entries", "claims", "sentence"),
    [
        ({}, {"thm-a": "book/a"}, "neither proved, tested nor cited"),
        ({"thm-a": entry()}, {}, "which no theorem is called"),
        ({"thm-a": entry()}, {"thm-a": "book/b"}, "away from its page"),
        (
            {"thm-a": entry(steps=[{"mark": "proved"}, {"mark": "uncertified"}])},
            {"thm-a": "book/a"},
            "says more than its lines",
        ),
        (
            {"thm-a": entry(certificate=None)},
            {"thm-a": "book/a"},
            "called proved without a certificate",
        ),
        ({"thm-a": entry(steps=[])}, {"thm-a": "book/a"}, "says more than its lines"),
        (
            {"thm-a": entry(scope="any n, any dimension")},
            {"thm-a": "book/a"},
            "says more than its lines",
        ),
        (
            {"thm-a": entry(status="cited", reference="knuth1968")},
            {"thm-a": "book/a"},
            "without a reference or a reason",
        ),
    ],
)
def test_every_mismatch_between_pages_and_reports_is_found(
    entries: dict[str, Any], claims: dict[str, str], sentence: str
) -> None:
    ((_, message),) = problems(entries, claims)
    assert sentence in message


def test_a_badge_has_the_scope_of_its_entry() -> None:
    assert badge(entry()) == "✓ proved · any dimension"
    assert badge(entry(status="tested", scope="9 cases")) == "≈ tested · 9 cases"
    assert badge(entry(status="uncertified")) == "○ not certified yet"


def test_proved_reports_the_lines_that_were_checked() -> None:
    reported = ledger.proved("lem-norm-growth")
    assert reported.status == "proved"
    assert reported.scope == "any dimension"
    assert [step["mark"] for step in reported.steps] == ["proved"] * len(reported.steps)
    bundle = reported._repr_mimebundle_()
    assert bundle[ledger.MIME_TYPE]["label"] == "lem-norm-growth"
    assert r"\begin{aligned}" in bundle["text/latex"]


def test_a_label_without_a_derivation_is_refused_with_the_remedy() -> None:
    with pytest.raises(KeyError, match="decorate one in mlnotes/theorems"):
        ledger.proved("thm-nowhere")


@pytest.fixture
def uncertified(monkeypatch: pytest.MonkeyPatch) -> Callable[[], Theorem]:
    """A theorem of a module for which nothing is recorded."""

    def derive() -> Theorem:
        with stating():
            theorem = Derivation("t").start(x**2).at_least(0, because="a square").qed()
        return theorem.named("thm-nowhere-recorded")

    monkeypatch.setattr("mlnotes.theorems.derivation", lambda label: derive)
    return derive


def test_what_has_no_certificate_is_not_reported_as_proved(
    uncertified: Callable[[], Theorem],
) -> None:
    reported = ledger.proved("thm-a")
    assert reported.status == "uncertified"
    assert [step["mark"] for step in reported.steps] == ["uncertified"]
    assert r"\circ" in reported.lines
    assert "checkmark" not in reported.lines
    assert badge(asdict(reported)) == "○ not certified yet"


def test_a_correction_without_a_certificate_is_none(uncertified: Callable[[], Theorem]) -> None:
    with pytest.raises(AssertionError, match="the correction is uncertified, not proved"):
        ledger.erratum("erratum-a", printed=False, corrected=uncertified)


def test_nothing_may_use_what_has_no_certificate(uncertified: Callable[[], Theorem]) -> None:
    with pytest.raises(Unproved, match="not certified yet"):
        Derivation("u").start(x**2).at_least(0, by=apply(uncertified()))


def test_tested_runs_every_case_and_counts_them() -> None:
    assert ledger.tested("t", lambda x: x < 3, [1, 2], scope="small").scope == "small, 2 cases"
    with pytest.raises(AssertionError, match="t fails for 3"):
        ledger.tested("t", lambda x: x < 3, [1, 2, 3], scope="small")
    assert ledger.tested("t", lambda x: None, [1], scope="one").status == "tested"
    with pytest.raises(AssertionError, match="t fails for 1"):
        ledger.tested("t", lambda x: [], [1], scope="one")
    with pytest.raises(ValueError, match="no case to test"):
        ledger.tested("t", lambda x: True, [], scope="none")


def test_a_citation_needs_a_reference_and_a_reason() -> None:
    assert ledger.cited("t", "knuth1968", "long").status == "cited"
    with pytest.raises(ValueError, match="needs a reference and a reason"):
        ledger.cited("t", "knuth1968", "")


def test_a_file_uses_a_label_only_if_it_names_the_whole_of_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    texts = {"mlnotes/a.py": "``lem-hoeffding``", "mlnotes/b.py": "``lem-hoeffding-two-points``"}
    files = {path: pages.vocabulary(text) for path, text in texts.items()}
    monkeypatch.setattr(pages, "modules", lambda: files)
    assert pages.uses("lem-hoeffding") == ["mlnotes/a.py"]


def test_every_module_of_theorems_has_the_tests_that_the_ledger_names() -> None:
    from mlnotes.theorems import registry

    modules = {derive.__module__ for _, derive in registry()}
    named = {module: pages.provenance(module) for module in modules}
    assert {len(facts) for facts in named.values()} == {2}
    files = [facts[1].removeprefix("tested in ") for facts in named.values()]
    assert [name for name in files if not (ROOT / name).is_file()] == []
    assert pages.provenance("__main__") == ["derived in __main__"]


def test_the_pages_of_a_chapter_share_one_page_of_the_ledger() -> None:
    entries = {
        label: entry(label=label, docname=page)
        for label, page in (
            ("thm-a", "book/a"),
            ("thm-b", "book/b/further"),
            ("thm-c", "book/a/further"),
        )
    }
    assert pages.chapters_of(entries) == ["a", "b"]
    assert [e["label"] for e in pages.of_chapter(entries, "a")] == ["thm-a", "thm-c"]
    assert {pages.page_of(e) for e in pages.of_chapter(entries, "a")} == {"book/ledger/a"}


def test_the_totals_say_what_is_only_tested_or_cited_or_not_certified_yet() -> None:
    entries = [{"status": "proved", "steps": [1, 2]}, {"status": "cited", "steps": []}]
    proved = (
        "Proved in this build, each by a certificate that the kernel checked: 1 statement, in 2 "
        "lines. "
    )
    rest = "Only tested: none. Cited, each with its reason: 1."
    assert pages.totals(entries) == proved + rest
    entries.append({"status": "uncertified", "steps": [1]})
    assert pages.totals(entries) == f"{proved}Not certified yet: 1. {rest}"


@pytest.mark.parametrize("display", [True, False])
@pytest.mark.parametrize("value", ["eleven mistakes", 3, 0.25])
def test_a_value_is_recorded_as_myst_nb_records_it(value: object, display: bool) -> None:
    InteractiveShell.instance()
    recorded = []
    for glue in (ledger.glue, myst_nb.glue):
        with capture_output() as shown:
            glue("name", value, display=display)
        (output,) = shown.outputs
        recorded.append((output.data, output.metadata))
    InteractiveShell.clear_instance()
    assert recorded[0] == recorded[1]
