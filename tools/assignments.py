"""Make the assignments and grade them: what `make assignments` does.

Every assignment has one source, `book/assignments/<name>.md`. From it come the student's
notebook, the instructor's with model answers, an autograder for otter-grader and a rubric. The data
on which programs are tried follow from a secret, kept in `_build/assignments/secret`.
"""

from __future__ import annotations

import argparse
import atexit
import contextlib
import functools
import html
import io
import itertools
import json
import os
import re
import secrets
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Sequence
from pathlib import Path

import nbformat
from markdown_it import MarkdownIt

from mlnotes.checks import Assignment, Explore, grade_notebook, variant
from mlnotes.checks.__main__ import main as checks
from mlnotes.checks.exports import roster
from mlnotes.checks.otter import prepare, test_file
from tools import assignment_sources
from tools.assignment_sources import AssignmentSource
from tools.paths import BUILD, ROOT

FOLDER = BUILD / "assignments"
PLUGIN = "mlnotes.checks.otter.Plugin"
# Where otter puts the files of an autograder, in a container of its own or of a platform.
FILES = "/autograder/source/files"
# Where its script starts grading, and what comes before.
RUN = '    run_autograder("/autograder")'
PREPARE = """\
    from mlnotes.checks.otter import prepare

    prepare("/autograder/submission")
"""
README = """\
# {title}

1. Install the package, whose file comes with this assignment, and Jupyter if you have none:

       pip install "./{package}[plot]" notebook

2. Open `{name}.ipynb` in Jupyter. {first}
3. After each task a cell checks your answer. It needs no account and no network, and shows hints.
4. An answer's cell stands by itself: what it needs is imported or defined in it. The names of the
   symbols and numbers of a derivation are known in it.
5. Save the notebook with its outputs and hand it in. To see all hints at once:

       python -m mlnotes.checks check {name} {name}.ipynb
"""

PAGE = """\
<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>{title}: rubric</title>
<style>
  body {{ max-width: 45rem; margin: 2rem auto; font: 1rem/1.5 serif }}
  table {{ border-collapse: collapse }}
  td, th {{ border: 1px solid; padding: 0.2rem 0.6rem; text-align: left }}
  ul {{ list-style: none; padding: 0 }}
</style>
<p>Student: ____________________________ &emsp; Points by hand: ________</p>
{body}</html>
"""

UNNAMED = "Put your name into the first cell: it chooses your numbers."
NAMED = "Leave the name in the first cell as it is: it chooses your numbers."


class AssignmentError(Exception):
    """An assignment that cannot be made; the message says why."""


def make(name: str, students: Sequence[str] = (), folder: Path = FOLDER) -> Path:
    """Write the folders of one assignment and return where they are."""
    source = assignment_sources.read(name)
    target = folder / name
    shutil.rmtree(target, ignore_errors=True)
    for part in ("student", "instructor", "autograder", "nbgrader"):
        (target / part).mkdir(parents=True)
    (target / "autograder").chmod(0o700)
    secret = the_secret(folder)
    package = Path(shutil.copy(wheel(), target / "student")).name
    named = apart(name, students)
    if named:
        (target / "students.txt").write_text("\n".join(named) + "\n", encoding="utf-8")
    for student in named or [""]:
        place = target / "student" / re.sub(r"[/\\]", "-", student)
        place.mkdir(exist_ok=True)
        if student:
            # A folder that is handed out by itself has all that its page speaks of.
            shutil.copy(target / "student" / package, place)
        nbformat.write(source.student(student), place / f"{name}.ipynb")
        told = {"name": name, "title": source.title, "package": package}
        text = README.format(**told, first=NAMED if student else UNNAMED)
        (place / "README.md").write_text(text, encoding="utf-8")
    nbformat.write(source.instructor(), target / "instructor" / f"{name}.ipynb")
    tests = nbformat.writes(source.nbgrader(secret)).encode()
    write_private(target / "nbgrader" / f"{name}.ipynb", tests)
    (target / "rubric.md").write_text(rubric(source), encoding="utf-8")
    (target / "rubric.html").write_text(rubric_page(source), encoding="utf-8")
    write_autograder(name, target / "autograder", secret)
    return target


def apart(name: str, students: Sequence[str]) -> list[str]:
    """Return the names of a class, with a number behind one whose sheet is another student's."""
    sheets: dict[str, str] = {}
    for student in students:
        for number in itertools.count(1):
            label = student if number == 1 else f"{student} {number}"
            sheet = str(variant(label, name))
            if sheet not in sheets:
                sheets[sheet] = label
                break
    return list(sheets.values())


def the_secret(folder: Path = FOLDER) -> str:
    """Return the secret that chooses the data, made when it is first needed."""
    place = folder / "secret"
    if not place.exists():
        folder.mkdir(parents=True, exist_ok=True)
        place.touch(mode=0o600)
        place.write_text(secrets.token_hex(16))
    return place.read_text().strip()


def rubric(source: AssignmentSource) -> str:
    """Return the points of every task and how to give those that a reader gives."""
    sheet = Assignment(source.name, student="an example")
    lines = [f"# {source.title}: points", ""]
    lines += ["| task | kind | item | points |", "| --- | --- | --- | --- |"]
    for task in sheet.tasks.values():
        rows = [(item, f"{points:g}") for item, points in task.items]
        if isinstance(task, Explore):
            wanted = " and ".join(item for item, _ in task.items)
            rows = [(wanted, f"{task.points:g}, by hand")]
        lines += [f"| {task.name} | {task.kind} | {item} | {shown} |" for item, shown in rows]
    lines += [
        "",
        f"{sheet.possible:g} points are given by the autograder, {sheet.by_hand:g} by hand.",
    ]
    for name, text in source.rubrics.items():
        lines += ["", f"## {name}, by hand", "", text.strip()]
    return "\n".join(lines) + "\n"


def rubric_page(source: AssignmentSource) -> str:
    """Return the rubric as a page to print, with a box for every point given by hand."""
    text = re.sub(r"^- ", "- ☐ ", rubric(source), flags=re.MULTILINE)
    body = MarkdownIt("commonmark").enable("table").render(text)
    return PAGE.format(title=html.escape(source.title), body=body)


def write_autograder(name: str, folder: Path, secret: str) -> None:
    """Write otter's tests and settings, and let otter pack them."""
    from otter.generate import main as generate

    sheet = Assignment(name, student="an example")
    (folder / "tests").mkdir()
    for task in sheet.tasks.values():
        test = test_file(task.name, task.items)
        (folder / "tests" / f"{task.name}.py").write_text(test, encoding="utf-8")
    config = {
        "plugins": [{PLUGIN: {"assignment": name, "secret": secret}}],
        "show_hidden": True,
        "show_stdout": True,
    }
    write_private(folder / "otter_config.json", json.dumps(config, indent=1).encode())
    package = Path(shutil.copy(wheel(), folder))
    requirement = f"mlnotes-book[plot] @ file://{FILES}/{package.name}\n"
    (folder / "requirements.txt").write_text(requirement)
    # Otter packs files by their paths from the working directory.
    with contextlib.chdir(folder):
        generate(
            tests_dir="tests",
            output_path="autograder.zip",
            config="otter_config.json",
            requirements="requirements.txt",
            no_environment=True,
            files=[package.name],
        )
    packed = folder / "autograder.zip"
    write_private(packed, with_preparation(packed.read_bytes()))


def write_private(path: Path, content: bytes) -> None:
    """Write a file that nobody else may read: it holds the secret."""
    path.unlink(missing_ok=True)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(content)


def with_preparation(packed: bytes) -> bytes:
    """Return an autograder that cleans a submission before otter opens it."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(packed)) as old, zipfile.ZipFile(out, "w") as new:
        for info in old.infolist():
            content = old.read(info)
            if info.filename == "run_otter.py":
                text = content.decode()
                if RUN not in text:
                    raise AssignmentError("otter starts its autograder in another way than known")
                content = text.replace(RUN, f"{PREPARE}{RUN}").encode()
            new.writestr(info, content, zipfile.ZIP_DEFLATED)
    return out.getvalue()


@functools.cache
def wheel() -> Path:
    """Return the package as a wheel, built once from the files of the project."""
    folder = Path(tempfile.mkdtemp())
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    source = folder / "source"
    shutil.copytree(
        ROOT / "mlnotes", source / "mlnotes", ignore=shutil.ignore_patterns("__pycache__")
    )
    for name in ("pyproject.toml", "README.md", "LICENSE", "LICENSE-text"):
        shutil.copy(ROOT / name, source)
    command = ["-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "-w"]
    subprocess.run([sys.executable, *command, str(folder), str(source)], check=True)
    (built,) = folder.glob("*.whl")
    return built


def verify(name: str, folder: Path = FOLDER) -> tuple[float, float]:
    """Return the points of the instructor's notebook, which must be all, and those by hand."""
    notebook = folder / name / "instructor" / f"{name}.ipynb"
    graded = grade_notebook(notebook, name, the_secret(folder))
    if graded.problem or graded.earned != graded.possible:
        raise AssignmentError(f"the model answers of {name} do not earn all points:\n{graded}")
    untouched = grade_notebook(assignment_sources.read(name).student(), name, the_secret(folder))
    if untouched.problem or untouched.earned:
        raise AssignmentError(f"the untouched notebook of {name} earns points:\n{untouched}")
    return graded.possible, graded.by_hand


def run_otter(name: str, submission: Path, folder: Path = FOLDER) -> dict[str, object]:
    """Grade one submission with otter and the autograder that was made."""
    from otter.run import main as run

    with tempfile.TemporaryDirectory() as results, tempfile.TemporaryDirectory() as copies:
        copy = Path(shutil.copy(submission, copies))
        prepare(copies)
        run(
            str(copy),
            autograder=str(folder / name / "autograder" / "autograder.zip"),
            output_dir=results,
            no_logo=True,
        )
        found: dict[str, object] = json.loads((Path(results) / "results.json").read_text())
        return found


def main(arguments: Sequence[str] | None = None) -> int:
    """Make every assignment, or grade a folder; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tools.assignments")
    commands = parser.add_subparsers(dest="command")
    making = commands.add_parser("make", help="write the folders of the assignments")
    making.add_argument("names", nargs="*", help="which; all of them by default")
    making.add_argument("--students", type=Path, help="a file with one name a line")
    grading = commands.add_parser("grade", help="grade every notebook in a folder")
    grading.add_argument("name", choices=assignment_sources.names())
    grading.add_argument("folder")
    options = parser.parse_args(arguments)
    if options.command == "grade":
        the_secret()
        listed = FOLDER / options.name / "students.txt"
        known = ["--students", str(listed)] if listed.exists() else []
        secret = ["--secret", str(FOLDER / "secret")]
        return checks(["grade", options.name, options.folder, *secret, *known])
    named = getattr(options, "names", None) or assignment_sources.names()
    listed = getattr(options, "students", None)
    if listed and not listed.is_file():
        print(f"there is no file {listed} with names", file=sys.stderr)
        return 1
    students = [student.name for student in roster(listed)] if listed else []
    for name in named:
        try:
            target = make(name, students)
            points, by_hand = verify(name)
        except (AssignmentError, OSError, ValueError) as error:
            print(f"{name}: {error}", file=sys.stderr)
            return 1
        for old, new in zip(students, apart(name, students), strict=True):
            if old != new:
                print(f"{name}: {old} has the numbers of another student and is now {new}")
        place = target.relative_to(ROOT)
        print(f"{place}: {points:g} points by the autograder, {by_hand:g} by hand", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
