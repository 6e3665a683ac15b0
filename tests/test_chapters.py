"""Every chapter's cells run. One test a chapter; a pass leaves its outputs for the build."""

from pathlib import Path

import pytest

from tools.build import alone
from tools.execution import Cache, Result, chapters, execute_all
from tools.paths import ROOT


@pytest.fixture(scope="session")
def executed() -> dict[Path, Result]:
    with alone():
        return {result.chapter: result for result in execute_all()}


@pytest.mark.parametrize("chapter", chapters(), ids=lambda p: p.relative_to(ROOT).as_posix())
def test_every_cell_runs(chapter: Path, executed: dict[Path, Result]) -> None:
    if executed[chapter].failure:
        pytest.fail(executed[chapter].failure, pytrace=False)


def test_a_chapter_depends_on_what_it_imports_and_on_no_other_chapter(
    executed: dict[Path, Result],
) -> None:
    used = Cache().used(ROOT / "book" / "perceptron.md")
    assert {"mlnotes/perceptron/__init__.py", "mlnotes/theorems/perceptron.py"} <= set(used)
    assert "mlnotes/proof/derivations.py" in used
    assert "mlnotes/data/digits.npz" in used
    others = ("mixtures_and_em/__init__", "adaboost/__init__", "theorems/adaboost")
    assert all((ROOT / "mlnotes" / f"{name}.py").exists() for name in others)
    assert {f"mlnotes/{name}.py" for name in others}.isdisjoint(used)
    assert "mlnotes/theorems/" not in used


def test_the_book_has_chapters_to_run() -> None:
    assert ROOT / "book" / "perceptron.md" in chapters()


def test_every_page_with_code_cells_is_executed() -> None:
    """Without its front matter a page's cells would silently be shown and never run."""
    shown = {p for p in (ROOT / "book").rglob("*.md") if "{code-cell}" in p.read_text("utf-8")}
    assert shown <= set(chapters())
