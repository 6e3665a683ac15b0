"""Sources of assignments: one text that holds tasks, model answers and rubrics.

A source is a page of the book. Its model answers and rubrics are directives that the page does not
show; here they are taken out for students and put in for instructors.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import nbformat
from myst_nb.core.read import read_myst_markdown_notebook
from nbformat import NotebookNode

from mlnotes.checks.notebooks import defines
from mlnotes.checks.sheet import NOBODY, Assignment, variant
from tools.model_answers import BLOCK, HIDDEN, without_answers
from tools.paths import BOOK

FOLDER = BOOK / "assignments"
# Where a model answer depends on a number of the student's sheet.
NUMBER = re.compile(r'NUMBER\["(\w+)"\]')
# At the end of a line of a model answer that is right for one of several choices alone.
CHOICE = re.compile(r"^(?P<line>.*?)[ ]*# where (?P<name>\w+) is (?P<choice>.+)\n", re.MULTILINE)
# A link to another page of the book, which a notebook does not have beside it.
LINK = re.compile(r"\[([^\]]+)\]\((?!https?:)[^)]*\.md(?:#[^)]*)?\)")


@dataclass(frozen=True)
class AssignmentSource:
    """One assignment's source.

    Attributes
    ----------
    name : str
        The assignment.
    title : str
        The heading of its page.
    text : str
        What students read.
    answers : dict
        The model answer for each name that a cell defines, with ``NUMBER["name"]`` in the place of
        a number that differs between students, and ``# where name is choice`` behind a line that
        belongs to one choice alone.
    rubrics : dict
        How to grade what is graded by hand.
    """

    name: str
    title: str
    text: str
    answers: dict[str, str]
    rubrics: dict[str, str]

    def student(self, student: str = "") -> NotebookNode:
        """Return the notebook that a student gets, under a student's name if one is given."""
        if not student:
            return self._notebook({})
        notebook = self._notebook({"student": f"student = {student!r}"})
        notebook.metadata["mlnotes"]["student"] = student
        return notebook

    def instructor(self, student: str = "") -> NotebookNode:
        """Return the notebook with every model answer in its place."""
        name = {"student": f"student = {student!r}"} if student else {}
        answers = {task: self.answer(task, student or NOBODY) for task in self.answers}
        return self._notebook({**answers, **name})

    def nbgrader(self, secret: str) -> NotebookNode:
        """Return the source of nbgrader's version: solutions, and tests with points after them.

        A solution stands between marks, and nbgrader takes it out for students; so does what knows
        the secret. A test earns what the value of its last line says.
        """
        notebook, tasks = self.instructor(), Assignment(self.name, NOBODY).tasks
        for cell, given in zip(notebook.cells, self.student().cells, strict=True):
            name = next((n for n in self.answers if defines(cell.source, n)), "")
            checked = re.match(r'sheet\.check\("(\w+)"', cell.source)
            if cell.cell_type == "code" and name:
                cell.source = f"{given.source}\n{_hidden('SOLUTION', cell.source)}"
                _mark(cell, name, tasks[name].by_hand if name in tasks else 0, solution=True)
            elif checked and not tasks[checked[1]].by_hand:
                sheet = f"Assignment({self.name!r}, student, {secret!r})"
                again = cell.source.replace("sheet", sheet, 1)
                tests = _hidden("HIDDEN TESTS", f"result = {again}")
                cell.source = f"result = {cell.source}\nprint(result)\n{tests}\nresult.earned"
                _mark(cell, f"test-{checked[1]}", sum(p for _, p in tasks[checked[1]].items))
        return notebook

    def answer(self, task: str, student: str) -> str:
        """Return the model answer to a task for a student's numbers."""
        answer = self.answers[task]
        depends = NUMBER.search(answer) or CHOICE.search(answer)
        return filled(answer, variant(student, self.name)) if depends else answer

    def _notebook(self, replaced: dict[str, str]) -> NotebookNode:
        notebook = read_myst_markdown_notebook(self.text)
        unused = set(replaced)
        cells = []
        for number, cell in enumerate(notebook.cells):
            source = cell.source
            if cell.cell_type == "markdown":
                cells.append(nbformat.v4.new_markdown_cell(LINK.sub(r"\1", source)))
            else:
                for name in [n for n in replaced if defines(source, n)]:
                    source = replaced[name].strip()
                    unused.discard(name)
                cells.append(nbformat.v4.new_code_cell(source))
            cells[-1]["id"] = f"cell-{number}"
        if unused:
            raise ValueError(f"{self.name}: no cell defines {', '.join(sorted(unused))}")
        kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
        metadata = {"kernelspec": kernel, "mlnotes": {"assignment": self.name}}
        return nbformat.v4.new_notebook(cells=cells, metadata=metadata)


def _hidden(kind: str, source: str) -> str:
    """Return code between the marks of what nbgrader takes out for students."""
    return f"### BEGIN {kind}\n{source}\n### END {kind}"


def _mark(cell: NotebookNode, name: str, points: float, solution: bool = False) -> None:
    """Write into a cell what nbgrader knows it by, and what it is worth."""
    cell.metadata["nbgrader"] = {
        "schema_version": 3,
        "cell_type": "code",
        "grade_id": name,
        "solution": solution,
        "grade": points > 0,
        "locked": not solution,
        "task": False,
        **({"points": points} if points else {}),
    }


def filled(answer: str, numbers: Mapping[str, Any]) -> str:
    """Return a model answer for one student's numbers."""

    def chosen(place: re.Match[str]) -> str:
        is_chosen = numbers[place["name"]] == place["choice"]
        return f"{place['line']}\n" if is_chosen else ""

    answer = CHOICE.sub(chosen, answer)
    return NUMBER.sub(lambda place: _literal(numbers[place[1]]), answer)


def _literal(number: Any) -> str:
    """Return how a number is written in a program, in which fractions are not exact."""
    return (
        f"{number.numerator} / {number.denominator}"
        if isinstance(number, Fraction)
        else repr(number)
    )


def read(name: str, folder: Path = FOLDER) -> AssignmentSource:
    """Read the source of an assignment."""
    source = (folder / f"{name}.md").read_text(encoding="utf-8")
    found: dict[str, dict[str, str]] = {kind: {} for kind in HIDDEN}
    for block in BLOCK.finditer(source):
        found[block["kind"]][block["name"]] = block["body"]
    text = without_answers(source)
    title = re.search(r"^# (.+)$", text, re.MULTILINE)
    heading = title[1] if title else name
    return AssignmentSource(name, heading, text, found["model-answer"], found["marking"])


def names(folder: Path = FOLDER) -> list[str]:
    """Return the assignments that have a source."""
    return sorted(p.stem for p in folder.glob("*.md") if p.stem != "index")
