"""The table of contents is what the plan and the pages make of it, below a lecture too."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from sphinx_external_toc.parsing import parse_toc_yaml

from tools import contents
from tools.paths import ROOT


def test_the_table_of_contents_is_written_from_the_plan() -> None:
    stale = "run `python -m tools.contents`"
    assert (ROOT / "_toc.yml").read_text(encoding="utf-8") == contents.text(), stale


@pytest.fixture
def book(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A book of two chapters, one of which has pages below its lecture, and one assignment."""
    folder = tmp_path / "book"
    for name in ("kernels", "perceptron", "perceptron/further", "perceptron/slips"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / f"{name}.md").write_text(f"# {name}\n")
    (folder / "assignments").mkdir()
    (folder / "assignments" / "kernels.md").write_text("# kernels\n")
    monkeypatch.setattr(contents, "BOOK", folder)
    return folder


def test_pages_of_a_chapter_are_sections_of_its_lecture_in_their_order(book: Path) -> None:
    assert contents.pages_of("perceptron") == [
        *("book/perceptron", "book/perceptron/further", "book/perceptron/slips"),
    ]
    parts = {part["caption"]: part for part in contents.table()["parts"]}
    assert parts["Linear models"] == {
        "caption": "Linear models",
        "numbered": True,
        "chapters": [
            {
                "file": "book/perceptron",
                "sections": [
                    {"file": "book/perceptron/further"},
                    {"file": "book/perceptron/slips"},
                ],
            }
        ],
    }
    assert "Foundations" not in parts
    assert parts["Assignments"]["chapters"][1:] == [{"file": "book/assignments/kernels"}]


def test_what_is_written_is_read_by_the_builder_and_a_change_is_noticed(
    book: Path, tmp_path: Path
) -> None:
    path = tmp_path / "_toc.yml"
    assert contents.write(path)
    assert not contents.write(path)
    assert "book/perceptron/further" in parse_toc_yaml(path)
    (book / "adaboost.md").write_text("# AdaBoost\n")
    assert contents.write(path)
    files = [part["chapters"][0]["file"] for part in yaml.safe_load(path.read_text())["parts"]]
    assert "book/adaboost" in files


@pytest.mark.parametrize(
    ("docname", "chapter"),
    [
        ("book/perceptron", "perceptron"),
        ("book/perceptron/further", "perceptron"),
        ("book/kernels/further", "kernels"),
        ("book/assignments/perceptron", "assignments"),
    ],
)
def test_a_page_belongs_to_the_chapter_of_its_folder(docname: str, chapter: str) -> None:
    assert contents.chapter_of(docname) == chapter
