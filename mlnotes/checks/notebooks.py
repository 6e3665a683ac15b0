"""Submissions: finding the answers in a notebook without running it, and grading them."""

from __future__ import annotations

import ast
import dataclasses
import itertools
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from mlnotes.checks.printable import printable
from mlnotes.checks.results import Item, Result
from mlnotes.checks.sheet import NOBODY, Assignment, identity, shown
from mlnotes.checks.similar import normal_code, normal_text
from mlnotes.checks.submissions import Unreadable, read

# How many remarks are made on one submission.
REMARKS = 5


@dataclasses.dataclass(frozen=True)
class Graded:
    """What came of grading one submission.

    Attributes
    ----------
    file : str
        The name of the file.
    student : str
        The name that the notebook gives.
    results : tuple of Result
        The outcome of each task.
    problem : str
        Why it could not be graded; empty if it could.
    remarks : tuple of str
        What whoever reads the points should know: that the name was changed, for instance.
    answers : dict
        The answers in the form in which they are compared with those of others.
    """

    file: str
    student: str = ""
    results: tuple[Result, ...] = ()
    problem: str = ""
    remarks: tuple[str, ...] = ()
    answers: dict[str, str] = dataclasses.field(default_factory=dict)

    @property
    def earned(self) -> float:
        """The points earned."""
        return sum(result.earned for result in self.results)

    @property
    def possible(self) -> float:
        """The points that could be earned without a reader."""
        return sum(result.possible for result in self.results)

    @property
    def by_hand(self) -> float:
        """The points that a reader will give."""
        return sum(result.by_hand for result in self.results)

    def __str__(self) -> str:
        if self.problem and not self.results:
            return f"{self.file}: {self.problem}"
        head = f"{self.student}: {self.earned:g} of {self.possible:g} points"
        head += f", {self.by_hand:g} to be graded by hand" if self.by_hand else ""
        head += f"; {self.problem}" if self.problem else ""
        return "\n".join([head, *(f"note: {r}" for r in self.remarks), *map(str, self.results)])

    __repr__ = __str__

    def as_dict(self) -> dict[str, Any]:
        """Return everything as plain data."""
        return dataclasses.asdict(self)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Graded:
        """Return what :meth:`as_dict` wrote down."""
        results = tuple(
            Result(**{**result, "items": tuple(Item(**item) for item in result["items"])})
            for result in data["results"]
        )
        return cls(**{**data, "results": results, "remarks": tuple(data["remarks"])})


def load(path: Path) -> dict[str, Any]:
    """Return a notebook as plain data."""
    content = read(path)
    try:
        # Bytes may begin with a mark of their order, and be of any encoding that JSON allows.
        notebook = json.loads(content)
    except (ValueError, RecursionError, MemoryError):
        raise Unreadable("this file is not a notebook") from None
    return checked(notebook)


def checked(notebook: Any) -> dict[str, Any]:
    """Return a notebook whose cells are what is read of them later, or refuse it."""
    cells = notebook.get("cells") if isinstance(notebook, Mapping) else None
    if not isinstance(cells, Sequence) or not all(map(_is_cell, cells)):
        raise Unreadable("this file is not a notebook")
    return dict(notebook)


def _is_cell(cell: Any) -> bool:
    if not isinstance(cell, Mapping) or not isinstance(cell.get("cell_type"), str):
        return False
    outputs = cell.get("outputs") or []
    return _is_text(cell.get("source", "")) and (
        isinstance(outputs, list)
        and all(isinstance(o, Mapping) for o in outputs)
        and all(isinstance(o.get("data") or {}, Mapping) for o in outputs)
    )


def _is_text(source: Any) -> bool:
    lines = source if isinstance(source, list) else [source]
    return all(isinstance(line, str) for line in lines)


def code_of(notebook: Mapping[str, Any]) -> list[str]:
    """Return the sources of the code cells, commands of the notebook left out."""
    if (language := language_of(notebook)) not in ("", "python"):
        raise Unreadable(f"this notebook is written in {printable(language, 20)} and not in Python")
    sources = [
        "".join(cell.get("source", "")) for cell in notebook["cells"] if cell["cell_type"] == "code"
    ]
    return [source if _parsed(source) else _without_commands(source) for source in sources]


def language_of(notebook: Mapping[str, Any]) -> str:
    """Return the language that a notebook's metadata name, in small letters; nothing if none."""
    metadata = notebook.get("metadata")
    for part, key in (("kernelspec", "language"), ("language_info", "name")):
        found = metadata.get(part) if isinstance(metadata, Mapping) else None
        name = found.get(key) if isinstance(found, Mapping) else None
        if isinstance(name, str) and name:
            return name.lower()
    return ""


def _without_commands(source: str) -> str:
    # Spaces and tabs alone: with line ends every run of blank lines would be tried anew.
    return re.sub(r"^([ \t]*)[%!?].*$", r"\1pass", source, flags=re.MULTILINE)


def _parsed(source: str) -> list[ast.stmt] | None:
    try:
        return ast.parse(source).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _assigned(statement: ast.stmt) -> tuple[list[ast.expr], ast.expr | None]:
    """Return what a statement assigns to, and the value."""
    if isinstance(statement, ast.Assign):
        return statement.targets, statement.value
    if isinstance(statement, ast.AnnAssign):
        return [statement.target], statement.value
    return [], None


def answer_to(task: str, notebook: Mapping[str, Any]) -> str:
    """Return the last cell that defines a name, or nothing.

    Examples
    --------
    >>> from mlnotes.checks.notebooks import answer_to
    >>> answer_to("x", {"cells": [{"cell_type": "code", "source": "x = 1"}]})
    'x = 1'
    """
    return _last(task, code_of(notebook))


def _last(task: str, cells: Sequence[str]) -> str:
    return next((source for source in reversed(cells) if defines(source, task)), "")


def defines(source: str, name: str) -> bool:
    """Say whether code defines a name at its outer level, or tries to."""
    body = _parsed(source)
    if body is None:
        return bool(re.search(rf"^(def|class)[ \t]+{name}\b|^{name}[ \t]*=", source, re.MULTILINE))
    for node in body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and node.name == name:
            return True
        parts = [part for target in _assigned(node)[0] for part in ast.walk(target)]
        if any(isinstance(p, ast.Name) and p.id == name and _is_stored(p) for p in parts):
            return True
    return False


def _is_stored(name: ast.Name) -> bool:
    return isinstance(name.ctx, ast.Store)


def text_of(source: str, name: str) -> str:
    """Return the text that code gives a name, without running it: what is typed, not computed."""
    for node in reversed(_parsed(source) or []):
        targets, value = _assigned(node)
        if any(isinstance(target, ast.Name) and target.id == name for target in targets):
            parts = ast.walk(value) if value is not None else ()
            return "".join(
                part.value
                for part in parts
                if isinstance(part, ast.Constant) and isinstance(part.value, str)
            )
    return ""


def has_figure(notebook: Mapping[str, Any]) -> bool:
    """Say whether a notebook shows an image that a cell has drawn."""
    shown = [
        (str(kind), "".join(content) if _is_text(content) else "")
        for cell in notebook["cells"]
        for output in cell.get("outputs") or ()
        for kind, content in (output.get("data") or {}).items()
    ]
    drawn = ("<svg", "<img")
    return any(k.startswith("image/") or any(tag in text for tag in drawn) for k, text in shown)


def remarks_on(notebook: Mapping[str, Any], sheet: Assignment) -> Iterator[str]:
    """Yield what speaks against the name that a notebook gives, which chooses its numbers."""
    metadata = notebook.get("metadata")
    own = metadata.get("mlnotes") if isinstance(metadata, Mapping) else None
    made_for = own.get("student") if isinstance(own, Mapping) else None
    if isinstance(made_for, str) and identity(made_for) != identity(sheet.student):
        yield (
            f"this copy was made for {shown(made_for)!r} and now names {sheet.student!r}, "
            "whose numbers it was graded with"
        )
    head, numbers = f"assignment {sheet.name} for ", str(sheet).rpartition(": ")[2]
    for text in _texts(notebook):
        line = text.strip().strip("'\"")
        if line.startswith(head) and line.rpartition(": ")[2] != numbers:
            name = line.removeprefix(head).rpartition(": ")[0]
            yield (
                f"the sheet that it shows is that of {shown(name)!r}; it was graded with the "
                f"numbers of {sheet.student!r}, the name that it gives now"
            )


def _texts(notebook: Mapping[str, Any]) -> Iterator[str]:
    """Yield what the cells of a notebook have displayed as text."""
    for cell in notebook["cells"]:
        for output in cell.get("outputs") or ():
            for content in ((output.get("data") or {}).get("text/plain"), output.get("text")):
                if content and _is_text(content):
                    yield "".join(content)


def grade_notebook(
    submission: str | Path | Mapping[str, Any], assignment: str, secret: str = ""
) -> Graded:
    r"""Grade a submitted notebook.

    Its cells do not run in this process, nor do all of them run: for each task the last cell that
    defines the task's name is run by itself, in a process of its own.

    Parameters
    ----------
    submission : path or mapping
        The notebook, or its content.
    assignment : str
        The name of the assignment.
    secret : str, default=""
        What chooses the data on which programs are tried.

    Returns
    -------
    Graded
        Points and hints for each task; ``problem`` says why a file could not be graded.

    Examples
    --------
    >>> from mlnotes.checks import grade_notebook
    >>> cell = {"cell_type": "code", "source": "def average(x):\n    return x.mean()"}
    >>> grade_notebook({"cells": [cell]}, "sample").earned
    2
    """
    file = "" if isinstance(submission, Mapping) else printable(Path(submission).name)
    try:
        *_, graded = steps(submission, assignment, secret)
    except Unreadable as reason:
        return Graded(file, problem=str(reason))
    return graded


def steps(
    submission: str | Path | Mapping[str, Any], assignment: str, secret: str = ""
) -> Iterator[Graded]:
    """Yield what is known of a submission before the first task and after each of them.

    A task that was not yet graded has earned nothing so far, and says so.
    """
    file = "" if isinstance(submission, Mapping) else printable(Path(submission).name)
    notebook = checked(submission) if isinstance(submission, Mapping) else load(Path(submission))
    cells = code_of(notebook)
    student = shown(text_of(_last("student", cells), "student")) or NOBODY
    sheet = Assignment(assignment, student, secret)
    figure = has_figure(notebook)
    results = {
        name: task.untried("This task was not graded.") for name, task in sheet.tasks.items()
    }
    remarks = tuple(dict.fromkeys(itertools.islice(remarks_on(notebook, sheet), REMARKS)))
    answers = {name: _last(name, cells) for name in sheet.tasks}
    compared = {
        name: normal_text(text_of(source, name)) if sheet[name].by_hand else normal_code(source)
        for name, source in answers.items()
    }
    graded = Graded(file, student, tuple(results.values()), remarks=remarks, answers=compared)
    yield graded
    for task, source in answers.items():
        results[task] = sheet.grade(task, source, figure)
        yield dataclasses.replace(graded, results=tuple(results.values()))
