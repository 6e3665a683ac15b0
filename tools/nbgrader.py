"""Grade one sheet with nbgrader itself: `make nbgrader` (NAME=adaboost).

An environment of its own is made in `_build/nbgrader/environment`, because nobody else needs it. In
it nbgrader makes the students' version of a sheet and grades three submissions: one with the model
answers, one whose program returns constants, and one that was left as it came.
"""

from __future__ import annotations

import csv
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import nbformat

from mlnotes.checks import Assignment, Derive, Implement
from tools import assignment_sources, assignments
from tools.paths import BUILD, ROOT

FOLDER = BUILD / "nbgrader"
NBGRADER = "nbgrader==0.9.6"
STUDENTS = ("model", "constant", "untouched")


def install() -> Path:
    """Make the environment; return its interpreter."""
    place = FOLDER / "environment"
    python = place / "bin" / "python"
    subprocess.run(["uv", "venv", "--quiet", "--clear", str(place)], check=True, cwd=ROOT)
    command = ["uv", "pip", "install", "--quiet", "--python", str(python)]
    package = f"{assignments.wheel()}[plot]"
    subprocess.run([*command, NBGRADER, "ipykernel", package], check=True, cwd=ROOT)
    return python


def course(name: str, folder: Path) -> Path:
    """Write a course with the source of one sheet; return its folder."""
    shutil.rmtree(folder, ignore_errors=True)
    source = folder / "source" / name
    source.mkdir(parents=True)
    nbformat.write(assignment_sources.read(name).nbgrader("a secret"), source / f"{name}.ipynb")
    lines = [
        "c = get_config()",
        f"c.CourseDirectory.root = {str(folder)!r}",
        "c.ExecutePreprocessor.timeout = 300",
    ]
    (folder / "nbgrader_config.py").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder


def hand_in(folder: Path, name: str) -> None:
    """Write the three submissions, made from what nbgrader gives to students."""
    released = nbformat.read(folder / "release" / name / f"{name}.ipynb", as_version=4)
    source = assignment_sources.read(name)
    for student in STUDENTS:
        notebook = json.loads(nbformat.writes(released))
        for cell in notebook["cells"]:
            task = cell["metadata"].get("nbgrader", {}).get("grade_id", "")
            if student != "untouched" and task in source.answers:
                cell["source"] = source.answer(task, assignment_sources.NOBODY)
        if student == "constant":
            replace_programs(notebook, name)
        place = folder / "submitted" / student / name
        place.mkdir(parents=True)
        (place / f"{name}.ipynb").write_text(json.dumps(notebook), encoding="utf-8")


def replace_programs(notebook: dict[str, list[dict[str, object]]], name: str) -> None:
    """Let every program of a notebook return ones."""
    for task in Assignment(name, assignment_sources.NOBODY).tasks.values():
        if isinstance(task, Implement):
            values = ", ".join("1" for _ in task.returns)
            for cell in notebook["cells"]:
                if assignment_sources.defines(str(cell["source"]), task.name):
                    cell["source"] = f"def {task.name}(*data, **more):\n    return {values}\n"


def expected(name: str) -> dict[str, float]:
    """Return the points that the three submissions should earn without a reader."""
    sheet = Assignment(name, assignment_sources.NOBODY)
    derived = [task.items for task in sheet.tasks.values() if isinstance(task, Derive)]
    lines = sum(points for items in derived for _, points in items)
    return {"model": sheet.possible, "constant": lines, "untouched": 0}


def run(name: str) -> dict[str, float]:
    """Let nbgrader make, grade and export; return what every submission earned."""
    python, folder = install(), course(name, FOLDER / "course")
    environment = {**os.environ, "PATH": f"{python.parent}{os.pathsep}{os.environ['PATH']}"}

    def nbgrader(*arguments: str) -> None:
        command = [str(python), "-m", "nbgrader", *arguments, "--log-level=ERROR"]
        subprocess.run(command, check=True, cwd=folder, env=environment)

    nbgrader("generate_assignment", name)
    hand_in(folder, name)
    nbgrader("autograde", name)
    nbgrader("export")
    nbgrader("generate_feedback", name)
    for student in STUDENTS:
        if not (folder / "feedback" / student / name / f"{name}.html").is_file():
            raise SystemExit(f"nbgrader wrote no feedback for {student}")
    with (folder / "grades.csv").open(newline="", encoding="utf-8") as file:
        return {row["student_id"]: float(row["score"]) for row in csv.DictReader(file)}


def main(line: Sequence[str]) -> int:
    """Grade the sheet that is named; return the exit status."""
    name = line[0] if line else "adaboost"
    if name not in assignment_sources.names():
        print(f"no sheet is called {name}; there are {', '.join(assignment_sources.names())}")
        return 1
    earned, wanted = run(name), expected(name)
    for student in STUDENTS:
        print(f"{name}, {student}: {earned.get(student, 0):g} points, expected {wanted[student]:g}")
    return 0 if earned == wanted else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
