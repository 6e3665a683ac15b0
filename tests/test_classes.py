"""Grading a class: odd files, hostile texts, answers alike, gradebooks, and a bar of progress."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from mlnotes.checks import assignments, exports, grade_class, reports, similar, submissions
from mlnotes.checks.__main__ import main as checks
from mlnotes.checks.exports import Student
from mlnotes.checks.notebooks import Graded, answer_to, grade_notebook
from mlnotes.checks.printable import file_name, printable
from mlnotes.checks.progress import Bar
from mlnotes.checks.results import Item, Result
from mlnotes.checks.sheet import Assignment, identity, shown

RIGHT = ("square = {'a': a**2 + 2*c*a*b + c**2*b**2}", "def average(x):\n    return x.mean()")
HOSTILE = "Ada\x1b[31m\u202e\ud800\n"


def notebook(student: str, *cells: str) -> str:
    sources = [f"student = {student!r}", *cells]
    return json.dumps(
        {"cells": [{"cell_type": "code", "source": s, "outputs": []} for s in sources]}
    )


@pytest.fixture(scope="module")
def odd(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A class of one good submission among all kinds of files, graded."""
    folder = tmp_path_factory.mktemp("odd")
    (folder / "good.ipynb").write_text(notebook("Ada", *RIGHT))
    (folder / "upper.IPYNB").write_text(notebook("Bob", *RIGHT))
    (folder / "bom.ipynb").write_bytes(b"\xef\xbb\xbf" + notebook("Cleo", *RIGHT).encode())
    (folder / "folder.ipynb").mkdir()
    (folder / "folder.ipynb" / "inside.ipynb").write_text(notebook("Dan", *RIGHT))
    (folder / "broken.ipynb").symlink_to(folder / "nowhere")
    (folder / "loop.ipynb").symlink_to(folder / "loop.ipynb")
    os.mkfifo(folder / "pipe.ipynb")
    (folder / ".hidden").mkdir()
    (folder / ".hidden" / "x.ipynb").write_text(notebook("Eve", *RIGHT))
    Path(os.fsdecode(os.fsencode(folder) + b"/caf\xe9.ipynb")).write_text(notebook("Fay", *RIGHT))
    (folder / "\x1b[31mred\n.ipynb").write_text(notebook(HOSTILE, *RIGHT))
    (folder / ("n" * 249 + ".ipynb")).write_text(notebook("é" * 10**5, *RIGHT))
    (folder / "latin.ipynb").write_bytes(
        notebook("Gil").replace("Gil", "Gil\xe9").encode("latin-1")
    )
    (folder / "half.ipynb").write_text(notebook("Hal \ud800", "\ud800 = 1"))
    (folder / "r.ipynb").write_text(
        json.dumps({"cells": [], "metadata": {"kernelspec": {"language": "R", "name": "ir"}}})
    )
    (folder / "deep.ipynb").write_text("[" * 10**5)
    (folder / "empty.ipynb").touch()
    shown_lines: list[str] = []
    grade_class("sample", folder, show=shown_lines.append)
    (folder / "shown").write_text("\n".join(shown_lines), errors="backslashreplace")
    return folder


def table(folder: Path) -> dict[str, dict[str, str]]:
    with (folder / "graded" / "scores.csv").open(newline="", encoding="utf-8") as file:
        return {row["file"]: row for row in csv.DictReader(file)}


def test_no_file_stops_a_class_and_each_is_reported_in_order(odd: Path) -> None:
    rows = table(odd)
    graded = {name: row["points"] for name, row in rows.items() if not row["problem"]}
    assert graded == {
        "\\x1b[31mred\\n.ipynb": "4",
        "bom.ipynb": "4",
        "caf\\udce9.ipynb": "4",
        "folder.ipynb/inside.ipynb": "4",
        "good.ipynb": "4",
        "half.ipynb": "0",
        "n" * 249 + ".ipynb": "4",
        "upper.IPYNB": "4",
    }
    problems = {name: row["problem"] for name, row in rows.items() if row["problem"]}
    assert problems == {
        ".hidden/x.ipynb": "it is hidden, or lies in a hidden folder, and was not graded",
        "broken.ipynb": "this link leads nowhere",
        "deep.ipynb": "this file is not a notebook",
        "empty.ipynb": "this file is not a notebook",
        "folder.ipynb": "this is a folder and not a notebook",
        "latin.ipynb": "this file is not a notebook",
        "loop.ipynb": "this file cannot be read: Too many levels of symbolic links",
        "pipe.ipynb": "this is a pipe and not a notebook",
        "r.ipynb": "this notebook is written in r and not in Python",
    }
    # As the folder has them, with the bytes of a Latin-1 name after all other letters.
    names = list(rows)
    assert names.index("bom.ipynb") < names.index("broken.ipynb") < names.index("good.ipynb")
    text = (odd / "graded" / "summary.md").read_text()
    assert "8 of 17 submissions graded" in text
    for name, problem in problems.items():
        assert f"- {name}: {problem}" in text


def test_every_submission_has_feedback_that_shows_nothing_but_signs(odd: Path) -> None:
    feedback = {path.name: path.read_text() for path in (odd / "graded" / "feedback").iterdir()}
    assert len(feedback) == 17
    everything = [*feedback.values(), (odd / "shown").read_text()]
    everything += [p.read_text() for p in (odd / "graded").glob("*.*")]
    for text in everything:
        assert {c for c in text if c not in "\n" and not c.isprintable()} <= {"\r"}
        assert max(map(len, text.split("\n"))) <= 5000
    assert "4 of 4 points" in feedback["Ada.txt"]
    assert "this is a folder" in feedback["folder.ipynb.txt"]


def test_a_class_with_odd_files_is_resumed_as_any_other(odd: Path) -> None:
    lines: list[str] = []
    grade_class("sample", odd, show=lines.append)
    assert not any(line.startswith("[") for line in lines)
    assert any("were graded before" in line for line in lines)


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is closed to root")
def test_what_may_not_be_read_is_reported(tmp_path: Path) -> None:
    (tmp_path / "file.ipynb").write_text(notebook("Ada"))
    (tmp_path / "closed").mkdir()
    (tmp_path / "file.ipynb").chmod(0)
    (tmp_path / "closed").chmod(0)
    graded = grade_class("sample", tmp_path, show=lambda line: None)
    (tmp_path / "closed").chmod(0o700)
    assert [g.file for g in graded] == ["closed", "file.ipynb"]
    assert all("cannot be read: Permission denied" in g.problem for g in graded)


def test_a_folder_or_a_file_that_is_closed_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Refuse what root is never refused."""
    (tmp_path / "file.ipynb").write_text(notebook("Ada"))
    (tmp_path / "closed").mkdir()

    def refuse(path: Any, *rest: Any) -> Any:
        raise PermissionError(13, "Permission denied", str(tmp_path / "closed"))

    with monkeypatch.context() as patch:
        patch.setattr(submissions.os, "open", refuse)
        with pytest.raises(submissions.Unreadable, match="cannot be read: Permission denied"):
            submissions.read(tmp_path / "file.ipynb")
    walk = os.walk

    def closed(folder: Path, onerror: Any) -> Any:
        onerror(PermissionError(13, "Permission denied", str(tmp_path / "closed")))
        return walk(folder)

    monkeypatch.setattr(submissions.os, "walk", closed)
    found = submissions.find(tmp_path, tmp_path / "graded")
    assert [(one.key, one.problem) for one in found] == [
        ("closed", "this folder cannot be read: Permission denied"),
        ("file.ipynb", ""),
    ]


def test_a_file_that_is_too_large_or_no_file_is_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(submissions.Unreadable, match="not a notebook"):
        submissions.read(tmp_path / "pipe")
    (tmp_path / "large").write_text("12345")
    monkeypatch.setattr(submissions, "LARGEST", 4)
    with pytest.raises(submissions.Unreadable, match="more than 0 megabytes"):
        submissions.read(tmp_path / "large")


def test_feedback_that_cannot_be_written_stops_no_other(tmp_path: Path) -> None:
    (tmp_path / "feedback" / "Ada.txt").mkdir(parents=True)
    graded = [Graded("a.ipynb", "Ada"), Graded("b.ipynb", "Bob", problem="stopped")]
    reports.write_all(tmp_path, "sample", graded, [])
    assert "Bob" not in (tmp_path / "feedback" / "Bob.txt").read_text()
    assert "Ada.txt could not be written" in (tmp_path / "summary.md").read_text()


def test_a_student_gets_one_file_and_names_that_collide_get_their_own(tmp_path: Path) -> None:
    names = ["Ada", " ada", "A/da", "A-da", "your name", "your name", "", "é" * 300]
    graded = [Graded(f"{k}.ipynb", name, problem="x") for k, name in enumerate(names)]
    assert reports.write_feedback(tmp_path, "sample", graded) == []
    written = sorted(path.name for path in tmp_path.iterdir())
    assert len(written) == 7
    assert {"Ada.txt", "A-da.txt", "A-da~2.txt", "4.ipynb.txt", "5.ipynb.txt"} <= set(written)
    assert (tmp_path / "Ada.txt").read_text().count("ipynb") == 2


def test_a_million_blank_lines_are_read() -> None:
    """A pattern that takes every run of them anew would not come back from this."""
    for blank in ("\n", " \t\n"):
        cell = {"cell_type": "code", "source": f"%magic\n{blank * 10**6}def f(:"}
        assert answer_to("f", {"cells": [cell]}).startswith("pass")


def test_texts_are_made_printable() -> None:
    assert printable(HOSTILE) == "Ada\\x1b[31m\\u202e\\ud800\\n"
    assert printable("naïve Ωmega 漢字 😀") == "naïve Ωmega 漢字 😀"
    assert len(printable("x" * 10**6)) == 500
    assert file_name("../../etc/passwd") == "etc-passwd"
    assert file_name("...") == "unnamed"
    assert len(os.fsencode(file_name("漢" * 10**4))) < 240


def test_a_hostile_name_has_numbers_like_any_other() -> None:
    for name in (HOSTILE, "x" * 10**6, "", "\x00"):
        assert Assignment("sample", name).numbers == Assignment("sample", identity(name)).numbers
        assert repr(Assignment("sample", name)).isprintable()
    assert identity(" Ada \n Lovelace ") == "ada lovelace"
    assert len(shown("y" * 10**6)) == 100
    result = grade_notebook(json.loads(notebook(HOSTILE, *RIGHT)), "sample")
    assert (result.earned, result.student) == (4, "Ada\\x1b[31m\\u202e\\ud800")


def test_an_error_message_with_escapes_is_harmless() -> None:
    source = "def average(x):\n    raise ValueError('\\x1b[2J\\x07' * 1000)"
    result = Assignment("sample", "Ada").grade("average", source)
    assert "\\x1b[2J\\x07" in result.note
    assert result.note.isprintable()
    assert len(result.note) < 700


BOOST = """
import numpy as np
def boost(H, y, rounds):
    '''Return everything.'''
    weights = np.ones(len(y))  # all alike
    for _ in range(rounds):
        errors = (H != y) @ weights
        row = errors.argmin()
        weights = weights * np.exp(-y * H[row])
    return row, weights
"""
RENAMED = BOOST.replace("weights", "w").replace("errors", "e").replace("# all alike", "# mine")
EDITED = RENAMED.replace("return row, w", "return [row], w")
OTHER = (
    "def boost(H, y, rounds):\n    return sorted([sum(H[0] * y)], key=abs)[:rounds], max(y), 3\n"
)


def test_copies_are_found_whatever_their_names_and_comments_are() -> None:
    programs = {"Ada": BOOST, "Bob": RENAMED, "Cleo": EDITED, "Dan": OTHER, "Eve": ""}
    answers = [(name, {"boost": similar.normal_code(text)}) for name, text in programs.items()]
    first, *others = similar.alike(answers)
    assert first == ("boost", 1.0, ("Ada", "Bob"))
    assert [one.names for one in others] == [("Ada", "Bob", "Cleo")]
    assert 0.8 <= others[0].similarity < 1
    # Two submissions by one name are no copies.
    assert similar.alike([answers[0], answers[0]]) == []


@pytest.mark.parametrize(
    "stub",
    [
        "",
        "import numpy as np\n\n\ndef f(x):\n    '''To do.'''",
        "def f(x):\n    ...",
        "square = {'a': ..., 'b': ...}",
        "class F:\n    def fit(self):\n        pass",
    ],
)
def test_what_students_were_given_is_no_copy(stub: str) -> None:
    assert similar.normal_code(stub) == ""


def test_code_that_is_no_python_is_compared_as_text() -> None:
    assert similar.normal_code("x = = 1").split() == ["v0", "=", "=", "1"]
    assert similar.normal_text("It  GROWS, doesn't it?") == "it grows doesn t it"


def test_copies_in_a_class_are_listed_and_cost_nothing(tmp_path: Path) -> None:
    program = "def average(x):\n    total = sum(x)\n    return total / len(x)"
    for student in ("Ada", "Bob"):
        (tmp_path / f"{student}.ipynb").write_text(notebook(student, program))
    (tmp_path / "again.ipynb").write_text(notebook("Ada", program))
    graded = grade_class("sample", tmp_path, show=lambda line: None)
    assert [g.earned for g in graded] == [2, 2, 2]
    with (tmp_path / "graded" / "similar.csv").open(newline="") as file:
        (row,) = csv.DictReader(file)
    assert (row["task"], row["similarity"]) == ("average", "100%")
    assert row["answers"] == "Ada.ipynb (Ada), Bob.ipynb (Bob), again.ipynb (Ada)"
    assert "alike across names: 1" in (tmp_path / "graded" / "summary.md").read_text()


LINES = Result("square", (Item("line (a)", 2, True), Item("line (b)", 3, False, "a hint")))
WHY = Result("why", (Item("a text", 0, True), Item("a figure", 0, False)), by_hand=4)
CLASS = [Graded("a.ipynb", "Ada", (LINES, WHY)), Graded("b.ipynb", "=Bob()", (LINES, WHY))]
MEMBERS = [Student("Ada", "17", "ada1", "ada@example.org"), Student("Cleo", "18")]


def rows_of(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text)))


def canvas_reads(text: str) -> dict[str, dict[str, tuple[str, str]]]:
    """Return the grade and the maximum of every assignment that Canvas's importer would find.

    It looks for students in the first columns of the head, which end with the section; takes a
    number in brackets at the end of a title for an assignment of its own; leaves out columns that
    are called like its totals; and takes any row that speaks of possible points for the maxima.
    """
    head, *rows = rows_of(text)
    assert "Student" in head[0]
    assert "ID" in head[1]
    assert head[2:5] == ["SIS User ID", "SIS Login ID", "Section"]
    titles = head[5:]
    assert len(set(titles)) == len(titles), "a title is looked for by its name"
    for title in titles:
        assert not re.search(r"\s\(\d+\)$", title), title
        assert not re.search(r"(Current|Final|Override) (Score|Points|Grade|Status)", title), title
    (most,) = [row[5:] for row in rows if "Points Possible" in row[0]]
    return {
        row[0]: dict(zip(titles, zip(row[5:], most, strict=True), strict=True))
        for row in rows
        if "Points Possible" not in row[0]
    }


def test_canvas_gets_a_column_for_each_item_and_a_row_of_possible_points() -> None:
    text = exports.canvas("sample", CLASS, MEMBERS)
    found = canvas_reads(text)
    assert found["Ada"] == {
        "sample: square, line (a)": ("2", "2"),
        "sample: square, line (b)": ("0", "3"),
        "sample: why, by hand": ("", "4"),
    }
    assert [grade for grade, _ in found["Cleo"].values()] == ["", "", ""]
    assert list(found) == ["Ada", "Cleo", "'=Bob()"]
    ada = rows_of(text)[2]
    assert ada[:5] == ["Ada", "", "17", "ada1", ""]


def test_a_student_called_points_possible_sets_no_maximum() -> None:
    trick = Graded("p.ipynb", "Points Possible", (LINES, WHY))
    found = canvas_reads(exports.canvas("sample", [*CLASS, trick], MEMBERS))
    assert found["Ada"]["sample: square, line (b)"] == ("0", "3")
    assert found["Points possible"]["sample: square, line (a)"] == ("2", "2")


@pytest.mark.parametrize("name", assignments())
def test_canvas_takes_every_item_of_every_sheet_for_an_assignment(name: str) -> None:
    results = tuple(task.untried("") for task in Assignment(name, "Ada").tasks.values())
    (row,) = canvas_reads(exports.canvas(name, [Graded("a", "Ada", results)], [])).values()
    assert len(row) == len(exports.items(results))
    assert all(float(most) > 0 for _, most in row.values())


def moodle_reads(text: str, identifier: str) -> dict[str, dict[str, float | None]]:
    """Return the grades that Moodle's importer would make of a table, as new grade items.

    It makes a zero of an empty cell and no grade of a dash. A row whose identifier is empty has the
    student of the row above, so that such a row is refused here.
    """
    head, *rows = rows_of(text)
    place = head.index(identifier)
    items = [k for k, name in enumerate(head) if "(max " in name]
    out: dict[str, dict[str, float | None]] = {}
    for row in rows:
        assert len(row) == len(head)
        assert row[place], "a row without a student"
        grades = {head[k]: None if row[k] == "-" else float(row[k] or 0) for k in items}
        assert all(grade is None or 0 <= grade <= 100 for grade in grades.values())
        out[row[place]] = grades
    return out


def test_moodle_gets_the_maximum_with_the_name_of_each_item() -> None:
    text = exports.moodle("sample", CLASS, MEMBERS)
    assert rows_of(text)[0][:2] == ["Full name", "ID number"]
    assert moodle_reads(text, "ID number") == {
        "17": {
            "sample: square, line (a) (max 2)": 2,
            "sample: square, line (b) (max 3)": 0,
            "sample: why, by hand (max 4)": None,
        },
        "18": dict.fromkeys(
            [
                "sample: square, line (a) (max 2)",
                "sample: square, line (b) (max 3)",
                "sample: why, by hand (max 4)",
            ]
        ),
    }


def test_whom_moodle_cannot_tell_is_left_out_and_named(tmp_path: Path) -> None:
    assert exports.left_out_of_moodle(CLASS, MEMBERS) == ["=Bob()"]
    everything = [Student("Ada", "17", "ada1", "ada@example.org")]
    text = exports.moodle("sample", CLASS, everything)
    for identifier in ("ID number", "Username", "Email address"):
        assert len(moodle_reads(text, identifier)) == 1
    reports.write_all(tmp_path, "sample", CLASS, everything)
    assert "- =Bob() is not in moodle.csv" in (tmp_path / "summary.md").read_text()
    # Where nothing is known of anybody the columns are there to be filled in.
    for members in ([], [Student("Ada"), Student("Cleo")]):
        head, *rows = rows_of(exports.moodle("sample", CLASS, members))
        assert head[1:4] == ["ID number", "Username", "Email address"]
        assert {tuple(row[1:4]) for row in rows} == {("", "", "")}
        assert len(rows) == 2 + (len(members) > 0)
        assert exports.left_out_of_moodle(CLASS, members) == []


# What Gradescope documents of results.json, for a submission and for a test.
REPORT = {
    "score": float,
    "execution_time": float,
    "output": str,
    "output_format": str,
    "visibility": str,
    "stdout_visibility": str,
    "extra_data": dict,
    "tests": list,
    "leaderboard": list,
}
TEST = {
    "score": float,
    "max_score": float,
    "status": str,
    "name": str,
    "name_format": str,
    "number": str,
    "output": str,
    "output_format": str,
    "tags": list,
    "visibility": str,
    "extra_data": dict,
}


def gradescope_reads(text: str) -> dict[str, tuple[float, float]]:
    """Return the points and the maximum of every test, in a form that Gradescope documents."""
    report = json.loads(text)
    assert report.keys() <= REPORT.keys()
    assert all(isinstance(value, REPORT[key]) for key, value in report.items())
    for test in report["tests"]:
        assert test.keys() <= TEST.keys()
        assert all(isinstance(value, TEST[key]) for key, value in test.items())
        assert test["status"] == ("passed" if test["score"] == test["max_score"] else "failed")
    assert report["score"] == sum(test["score"] for test in report["tests"])
    return {test["name"]: (test["score"], test["max_score"]) for test in report["tests"]}


def test_gradescope_gets_the_points_and_the_maximum_of_every_item() -> None:
    text = exports.gradescope(CLASS[0])
    assert gradescope_reads(text) == {"square: line (a)": (2, 2), "square: line (b)": (0, 3)}
    assert [test["output"] for test in json.loads(text)["tests"]] == ["", "a hint"]
    unread = exports.gradescope(Graded("c", problem="no notebook"))
    assert gradescope_reads(unread) == {}
    assert json.loads(unread)["output"] == "no notebook"


def test_of_several_submissions_the_best_is_exported() -> None:
    none = Result("square", (Item("line (a)", 2, False), Item("line (b)", 3, False)))
    both = [CLASS[0], Graded("c.ipynb", " ADA", (none, WHY))]
    for graded in (both, both[::-1]):
        *_, ada = rows_of(exports.canvas("sample", graded, MEMBERS[:1]))
        assert ada[5:] == ["2", "0", ""]


def test_a_class_is_a_list_of_names_or_a_table(tmp_path: Path) -> None:
    (tmp_path / "names").write_text("Ada\n\n Zoe \n")
    assert exports.roster(tmp_path / "names") == [Student("Ada"), Student("Zoe")]
    table = tmp_path / "class.csv"
    table.write_text("\ufeffid,name,room\n17,Ada,B1\n18,,B2\n", encoding="utf-8")
    assert exports.roster(table) == [Student("Ada", "17")]
    table.write_text("id,room\n17,B1\n")
    with pytest.raises(ValueError, match="no column 'name'"):
        exports.roster(table)
    assert checks(["grade", "sample", str(tmp_path), "--students", str(table)]) == 1


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_terminal_shows_a_bar_below_the_lines_and_a_file_lines_alone() -> None:
    terminal, file = Terminal(), io.StringIO()
    for stream in (terminal, file):
        bar = Bar(stream)
        bar.draw(0, 2)
        bar.say("one")
        bar.draw(1, 2)
        bar.say("two")
        bar.draw(2, 2)
    assert file.getvalue() == "one\ntwo\n"
    parts = terminal.getvalue().split("\r\x1b[K")
    assert parts[1].endswith(" 0/2")
    assert parts[2].startswith("one\n░")
    assert "█" * 15 + "░" * 15 + " 1/2, about" in parts[3]
    assert parts[-1] == ""


def test_the_standard_output_is_where_a_bar_is_drawn(capsys: pytest.CaptureFixture[str]) -> None:
    Bar().say("a line")
    assert capsys.readouterr().out == "a line\n"


@pytest.mark.skipif(os.name != "posix", reason="the signal is that of a terminal")
def test_a_class_that_is_interrupted_at_a_terminal_goes_on_where_it_stopped(tmp_path: Path) -> None:
    for k in range(8):
        (tmp_path / f"{k}.ipynb").write_text(notebook(f"student {k}", *RIGHT))
    command = [sys.executable, "-u", "-m", "mlnotes.checks", "grade", "sample", str(tmp_path)]
    command += ["--workers", "1"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, start_new_session=True
    ) as grading:
        assert grading.stdout is not None
        said = next(line for line in grading.stdout if line.startswith("[2/8]"))
        # As a terminal does: to every process of the group.
        os.killpg(grading.pid, signal.SIGINT)
        said += grading.stdout.read()
    assert "Run it again to go on from here" in said
    assert grading.returncode == 130
    kept = len(list((tmp_path / "graded" / "results").glob("*.json")))
    assert 2 <= kept < 8
    again = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert again.startswith(f"{kept} of 8 were graded before")
    assert again.count("4 of 4 points") == 8 - kept
    assert "8 of 8 submissions graded" in again
