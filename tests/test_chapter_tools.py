"""A new chapter is written by one command and checked by another, and nothing is overwritten."""

from __future__ import annotations

import ast
import re
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from myst_nb.core.read import is_myst_markdown_notebook

from tests import turns
from tools import chapter, check, contents, preview, synthetic, times
from tools.paths import ROOT


def test_a_skeleton_has_every_file_of_a_chapter_and_leaves_what_is_there(tmp_path: Path) -> None:
    (tmp_path / "mlnotes").mkdir()
    (tmp_path / "mlnotes" / "kernels.py").write_text("mine\n")
    written = chapter.write("kernels", tmp_path)
    assert written == [
        *("book/kernels.md", "book/kernels/further.md", "book/kernels/exercises.md"),
        *("book/kernels/slips.md", "mlnotes/theorems/kernels.py", "tests/test_kernels.py"),
        "tests/proof/test_theorems_kernels.py",
    ]
    assert (tmp_path / "mlnotes" / "kernels.py").read_text() == "mine\n"
    assert chapter.write("kernels", tmp_path) == []
    lecture = (tmp_path / "book" / "kernels.md").read_text()
    assert is_myst_markdown_notebook(lecture)
    for path in written:
        text = (tmp_path / path).read_text()
        if path.endswith(".py"):
            assert ast.get_docstring(ast.parse(text))
        else:
            assert re.search(r"description: >-\n      \S.{15,}\n", text), path
            assert len(re.findall(r"^# Kernels", text, re.MULTILINE)) == 1
            assert "{treated}" not in text


def test_a_module_that_is_a_package_counts_as_there(tmp_path: Path) -> None:
    (tmp_path / "mlnotes" / "perceptron").mkdir(parents=True)
    assert "mlnotes/perceptron.py" not in chapter.write("perceptron", tmp_path)


def test_pages_of_a_skeleton_are_those_of_the_table_of_contents() -> None:
    pages = [path for path in chapter.files("kernels") if path.startswith("book/kernels/")]
    assert pages == [f"book/kernels/{page}.md" for page in contents.PAGES]


def test_a_preview_warns_of_its_own_chapter_alone() -> None:
    own = "book/perceptron/further.md:7: WARNING: could not find bibtex key 'x'"
    output = "\n".join(
        [
            f"\x1b[91m{ROOT}/{own}\x1b[39;49;00m",
            f"{ROOT}/book/perceptron.md:3: WARNING: undefined label: 'thm-in-another-chapter'",
            f"{ROOT}/book/adaboost.md:1: WARNING: could not find bibtex key 'y'",
            "reading sources... book/perceptron",
        ]
    )
    assert preview.warnings("perceptron", output) == [own]


def test_a_preview_has_all_pages_of_its_chapter_and_no_other() -> None:
    written = str(preview.table("perceptron"))
    assert all(repr(page) in written for page in contents.pages_of("perceptron"))
    assert "adaboost" not in written


@pytest.mark.parametrize("tool", [chapter, check, preview])
def test_a_name_that_the_plan_has_not_is_refused_with_those_it_has(
    tool: object, capsys: pytest.CaptureFixture[str]
) -> None:
    for line in (["magic"], []):
        assert tool.main(line) == 1  # type: ignore[attr-defined]
        assert "semi_supervised" in capsys.readouterr().err


def test_a_chapter_that_is_not_written_is_not_checked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(contents, "BOOK", tmp_path / "book")
    assert check.problems("kernels") == [
        "there is no book/kernels.md: run 'make chapter NAME=kernels'"
    ]
    (tmp_path / "book").mkdir()
    (tmp_path / "book" / "kernels.md").write_text("# Kernels\n")
    (sentence,) = check.problems("kernels")
    assert "python -m tools.contents" in sentence


def test_a_check_takes_the_chapters_own_tests_and_its_cases_of_the_others() -> None:
    # Files of which it takes some cases, all or none; all of the tests would take long to collect.
    files = [
        *("test_perceptron", "test_exercises_perceptron", "proof/test_theorems_perceptron"),
        *("proof/test_certificates", "test_chapters", "test_errata", "test_concordance"),
        *("test_browser", "test_adaboost"),
    ]
    collect = ["--co", "-q", "-n", "0", *(f"tests/{name}.py" for name in files)]
    listed = subprocess.run(
        [sys.executable, "-m", "pytest", *collect, *check.tests("perceptron")[4:6]],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    ).stdout
    assert check.tests("perceptron")[4:6] == ["-k", "perceptron"]
    for wanted in (
        "tests/test_perceptron.py::",
        "tests/test_exercises_perceptron.py::",
        "tests/proof/test_theorems_perceptron.py::",
        "tests/proof/test_certificates.py::test_certificates_are_about_what_the_chapter_states_now[",
        "tests/test_chapters.py::test_every_cell_runs[book/perceptron.md]",
        "tests/test_errata.py::",
        "tests/test_concordance.py::",
        "[book/perceptron.html]",
    ):
        assert wanted in listed, wanted
    assert "tests/test_adaboost.py::" not in listed
    left_out = check.tests("perceptron")[7:]
    assert {"--ignore=tests/test_adaboost.py", "--ignore=tests/test_pac_learning.py"} < set(
        left_out
    )
    assert not [path for path in left_out if "perceptron" in path]


def test_a_copied_chapter_shares_no_name_with_its_model(tmp_path: Path) -> None:
    (model, *_) = synthetic.models()
    for path in synthetic.own_files(model, ROOT):
        if path.is_file():
            target = tmp_path / path.relative_to(ROOT)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, target)
    name = synthetic.copy_chapter(model, 7, tmp_path)
    assert name == f"{model}_copy7"

    def labels(chapter: str) -> set[str]:
        files = [path for path in synthetic.own_files(chapter, tmp_path) if path.is_file()]
        assert {path.suffix for path in files} >= {".md", ".py", ".yml", ".json"}
        return {found for path in files for found in synthetic.NAMING.findall(path.read_text())}

    assert len(labels(model)) > 50
    assert labels(name) == {f"{label}-copy7" for label in labels(model)}
    assert (tmp_path / "book" / name / "slips.md").exists()
    module = tmp_path / "mlnotes" / "theorems" / f"{name}.py"
    assert ast.get_docstring(ast.parse(module.read_text()))


def test_a_synthetic_book_overwrites_no_folder(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert synthetic.main([str(tmp_path)]) == 1
    assert "name a new folder" in capsys.readouterr().err


def test_the_time_of_a_process_that_still_runs_is_counted() -> None:
    work = "import sys\nfor _ in range(10**7): pass\nprint(); sys.stdout.flush(); sys.stdin.read()"
    before = times.processor()
    with subprocess.Popen(
        [sys.executable, "-c", work], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as running:
        assert running.stdout is not None
        running.stdout.readline()
        while_running = times.processor()
    assert while_running > before + 0.05
    assert times.processor() >= while_running - 0.05


ROWS = [
    *(("a.py::f[1]", 1.0, 2.0, "perceptron"), ("a.py::f[2]", 2.0, 3.0, "adaboost")),
    *(("b.py::g", 0.5, 0.5, ""), ("fixture site", 5.0, 6.0, "all")),
]


def test_times_are_summed_by_file_and_by_test() -> None:
    lines = times.report(ROWS).splitlines()
    assert lines[2].split() == ["3.0s", "5.0s", "2", "a.py"]
    assert lines[6].split() == ["3.0s", "5.0s", "2", "a.py::f"]
    assert lines[-1].split() == ["8.5s", "11.5s", "4", "all"]


def test_what_more_chapters_take_follows_from_what_grows_with_each() -> None:
    _, *middle, fixed, total = times.growth(ROWS, 2, chapters=30, cores=2).splitlines()
    assert [line.split() for line in middle] == [["2.50s", "fixture", "site"], ["1.50s", "a.py"]]
    assert fixed.startswith("0 s are fixed, and 4.0 s grow with each of 2 chapters")
    assert total == "30 of this size take 120 s of the processor, 1.0 min on 2 cores"


@pytest.mark.parametrize(
    ("words", "chapter"),
    [
        (["tests/test_regularised_least_squares.py::test_a"], "regularised_least_squares"),
        (["tests/test_laws.py::test_a_law[Stump]", "mlnotes.adaboost._estimators"], "adaboost"),
        (["tests/test_site.py::test_a[perceptron/further]"], "perceptron"),
        (["tests/test_site.py::test_perceptrons", "numpy"], ""),
    ],
)
def test_a_test_is_of_the_chapter_that_it_names_or_tries(words: list[str], chapter: str) -> None:
    assert times.chapter_of(*words) == chapter


def test_a_piece_of_work_is_charged_without_those_in_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(times, "RECORDED", tmp_path)
    monkeypatch.setattr(times, "charged", [(0.0, 0.0)])
    monkeypatch.setattr(times, "processor", iter([0.0, 1.0, 8.0, 10.0, 10.0, 11.0]).__next__)
    config: Any = SimpleNamespace()
    with times.charging(config, "a test", ""), times.charging(config, "its fixture", "all"):
        pass
    with times.charging(config, "the next", ""):
        pass
    assert [(name, cpu) for name, cpu, *_ in times.recorded(tmp_path)] == [
        *(("its fixture", 7.0), ("a test", 3.0), ("the next", 1.0)),
    ]


def test_a_run_that_a_test_starts_leaves_the_record_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(times, "RECORDED", tmp_path)
    left: list[str] = []
    plugins = SimpleNamespace(unregister=lambda name: left.append(name))
    config: Any = SimpleNamespace(pluginmanager=plugins)
    for inside in (True, False):
        (tmp_path / "main.jsonl").write_text("")
        if not inside:
            monkeypatch.delenv("PYTEST_CURRENT_TEST")
        times.pytest_configure(config)
        assert (tmp_path / "main.jsonl").exists() is inside
    assert left == ["tools.times"]


def test_turns_take_everything_once_and_all_takes_it_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    things = list(range(11))
    taken = []
    for number in range(turns.TURNS):
        monkeypatch.setenv("MLNOTES_TURN", str(number))
        assert f"MLNOTES_TURN={number}" in turns.summary()
        taken += turns.mine(things)
    assert sorted(taken) == things
    monkeypatch.setenv("MLNOTES_TURN", "all")
    assert turns.mine(things) == things
    assert "all turns" in turns.summary()


def test_in_all_rounds_every_page_is_judged_once_in_every_view(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    judged: Counter[tuple[int, str]] = Counter()
    for number in range(turns.TURNS * turns.ROUNDS):
        monkeypatch.setenv("MLNOTES_TURN", str(number))
        chosen = [page for page in range(11) if turns.of_this_round(page)]
        assert len(chosen) <= 3
        judged.update((page, view) for page in chosen for view in turns.mine("wxyz", offset=page))
    assert judged == Counter((page, view) for page in range(11) for view in "wxyz")
    monkeypatch.setenv("MLNOTES_TURN", "all")
    assert all(turns.of_this_round(page) for page in range(11))
