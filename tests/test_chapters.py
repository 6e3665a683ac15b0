"""Every chapter's cells run. One test a chapter; a pass leaves its outputs for the build."""

from pathlib import Path

import pytest

from tools.build import alone
from tools.execution import Result, chapters, execute_all
from tools.paths import ROOT


@pytest.fixture(scope="session")
def results() -> dict[Path, Result]:
    with alone():
        return {result.chapter: result for result in execute_all()}


@pytest.mark.parametrize("chapter", chapters(), ids=lambda p: p.relative_to(ROOT).as_posix())
def test_every_cell_runs(chapter: Path, results: dict[Path, Result]) -> None:
    if results[chapter].failure:
        pytest.fail(results[chapter].failure, pytrace=False)


def test_the_book_has_chapters_to_run() -> None:
    assert ROOT / "book" / "perceptron.md" in chapters()


def test_every_page_with_code_cells_is_executed() -> None:
    """Without its front matter a page's cells would silently be shown and never run."""
    shown = {p for p in (ROOT / "book").rglob("*.md") if "{code-cell}" in p.read_text("utf-8")}
    assert shown <= set(chapters())
