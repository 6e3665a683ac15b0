"""Scores as the gradebooks of Canvas, Moodle and Gradescope read them: every item, its maximum.

Canvas reads a table with a row of possible points below its head. Moodle reads a table whose
columns are mapped to grade items by hand, so that a column's name says its maximum. Gradescope
reads, for each submission, the points of every test. What is graded by hand has its column, in
which there is no grade yet. The tables keep to what the importers of Canvas and Moodle do, whose
sources are public, and the results to what Gradescope documents.
"""

from __future__ import annotations

import csv
import dataclasses
import io
import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from mlnotes.checks.notebooks import Graded
from mlnotes.checks.results import Result
from mlnotes.checks.sheet import identity

# What Moodle can tell a student by, and where a list of the class has it.
IDENTIFIERS = {"ID number": "id", "Username": "login", "Email address": "email"}
# How a gradebook says that there is no grade. Moodle makes a zero of an empty cell.
CANVAS_NO_GRADE, MOODLE_NO_GRADE = "", "-"


@dataclasses.dataclass(frozen=True)
class Student:
    """A member of a class, as a gradebook knows one.

    Attributes
    ----------
    name : str
        The name that also chooses the numbers.
    id, login, email : str
        What else tells one from others; empty where it is not known.
    """

    name: str
    id: str = ""
    login: str = ""
    email: str = ""


def roster(path: Path) -> list[Student]:
    """Return the members of a class.

    Parameters
    ----------
    path : path
        A text with a name a line or, if it ends in ``.csv``, a table with a column ``name`` and
        perhaps ``id``, ``login`` and ``email``.
    """
    text = path.read_text(encoding="utf-8-sig")
    if path.suffix.lower() != ".csv":
        return [Student(line.strip()) for line in text.splitlines() if line.strip()]
    known = {field.name for field in dataclasses.fields(Student)}
    rows = csv.DictReader(io.StringIO(text))
    if "name" not in (rows.fieldnames or ()):
        raise ValueError(f"{path} has no column 'name'; it has {rows.fieldnames}")
    chosen = [{k: (v or "").strip() for k, v in row.items() if k in known} for row in rows]
    return [Student(**row) for row in chosen if row["name"]]


def items(results: Iterable[Result]) -> list[tuple[str, str, float]]:
    """Return the columns of a gradebook: task, item and maximum; a task by hand is one item."""
    out = []
    for result in results:
        if result.by_hand:
            out.append((result.task, "by hand", float(result.by_hand)))
        else:
            out += [(result.task, item.name, float(item.points)) for item in result.items]
    return out


def points(results: Iterable[Result]) -> list[float | None]:
    """Return what was earned for each of these items; nothing where it is to be given by hand."""
    out: list[float | None] = []
    for result in results:
        earned = [float(item.points) if item.right else 0.0 for item in result.items]
        out += [None] if result.by_hand else earned
    return out


def harmless(text: str) -> str:
    """Return a text that no spreadsheet takes for a formula.

    Examples
    --------
    >>> from mlnotes.checks.exports import harmless
    >>> harmless("=1+1"), harmless("Ada")
    ("'=1+1", 'Ada')
    """
    return f"'{text}" if text.startswith(("=", "+", "-", "@", "\t", "\r")) else text


def _best(graded: Sequence[Graded]) -> dict[str, Graded]:
    """Return the submission of each student; of several, the one with the most points."""
    out: dict[str, Graded] = {}
    for one in sorted(graded, key=lambda one: one.earned):
        if one.results:
            out[identity(one.student)] = one
    return out


def _rows(graded: Sequence[Graded], students: Sequence[Student]) -> list[tuple[Student, Graded]]:
    """Return every student, listed or not, with what was handed in."""
    best = _best(graded)
    listed = {identity(student.name) for student in students}
    others = [Student(one.student) for key, one in best.items() if key not in listed]
    everyone = [*students, *sorted(others, key=lambda student: identity(student.name))]
    return [(s, best.get(identity(s.name), Graded("", s.name))) for s in everyone]


def _cells(one: Graded, count: int, no_grade: str) -> list[str]:
    found = [no_grade if value is None else f"{value:g}" for value in points(one.results)]
    return found or [no_grade] * count


def _text(rows: Iterable[Sequence[str]]) -> str:
    stream = io.StringIO(newline="")
    csv.writer(stream).writerows(rows)
    return stream.getvalue()


def canvas(assignment: str, graded: Sequence[Graded], students: Sequence[Student]) -> str:
    """Return a table for Canvas: a column for each item, and a row with what is possible."""
    wanted = _columns(graded)
    names = [f"{assignment}: {task}, {item}" for task, item, _ in wanted]
    head = ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", *names]
    possible = ["Points Possible", "", "", "", "", *(f"{most:g}" for *_, most in wanted)]
    rows = [
        [
            *(_no_maximum(harmless(student.name)), ""),
            *(harmless(student.id), harmless(student.login), ""),
            *_cells(one, len(wanted), CANVAS_NO_GRADE),
        ]
        for student, one in _rows(graded, students)
    ]
    return _text([head, possible, *rows])


def _no_maximum(name: str) -> str:
    """Return a name in a row that Canvas takes for a student's, whatever the student is called."""
    return name.replace("Points Possible", "Points possible")


def moodle(assignment: str, graded: Sequence[Graded], students: Sequence[Student]) -> str:
    """Return a table for Moodle's import of grades: a column for each item, named with maximum."""
    wanted = _columns(graded)
    names = [f"{assignment}: {task}, {item} (max {most:g})" for task, item, most in wanted]
    rows = _rows(graded, students)
    identifiers = _identifiers(rows)
    lines = [
        [
            harmless(student.name),
            *(harmless(getattr(student, field)) for field in identifiers.values()),
            *_cells(one, len(wanted), MOODLE_NO_GRADE),
        ]
        for student, one in _identified(rows)
    ]
    return _text([["Full name", *identifiers, *names], *lines])


def left_out_of_moodle(graded: Sequence[Graded], students: Sequence[Student]) -> list[str]:
    """Return the names that are not in Moodle's table, because nothing tells Moodle who they are.

    Moodle gives the grades of a row without an identifier to the student of the row above.
    """
    rows = _rows(graded, students)
    kept = _identified(rows)
    return [student.name for student, one in rows if (student, one) not in kept]


def _identifiers(rows: Sequence[tuple[Student, Graded]]) -> dict[str, str]:
    """Return the columns that tell most of a class apart; all, to be filled in, if none does."""
    counts = {
        column: sum(bool(getattr(student, field)) for student, _ in rows)
        for column, field in IDENTIFIERS.items()
    }
    return {c: IDENTIFIERS[c] for c, count in counts.items() if count == max(counts.values())}


def _identified(rows: Sequence[tuple[Student, Graded]]) -> list[tuple[Student, Graded]]:
    """Return the rows with an identifier in each of these columns; all of them if none has any."""
    fields = _identifiers(rows).values()
    full = [row for row in rows if all(getattr(row[0], field) for field in fields)]
    return full if any(getattr(s, field) for s, _ in rows for field in fields) else list(rows)


def _columns(graded: Sequence[Graded]) -> list[tuple[str, str, float]]:
    return items(next((one.results for one in graded if one.results), ()))


def gradescope(one: Graded) -> str:
    """Return the results of one submission as an autograder of Gradescope writes them."""
    tests: list[dict[str, Any]] = []
    for number, result in enumerate(one.results, start=1):
        wanted = [] if result.by_hand else result.items
        for k, item in enumerate(wanted, start=1):
            tests.append(
                {
                    "number": f"{number}.{k}",
                    "name": f"{result.task}: {item.name}",
                    "score": float(item.points) if item.right else 0.0,
                    "max_score": float(item.points),
                    "status": "passed" if item.right else "failed",
                    "output": "" if item.right else item.hint or result.note,
                }
            )
    report = {"score": float(one.earned), "output": one.problem or str(one), "tests": tests}
    return json.dumps(report, indent=1)
