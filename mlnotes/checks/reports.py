"""What is written of a graded class: a table, a summary, and what each student gets back."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from mlnotes.checks import exports, isolation, sandbox
from mlnotes.checks.exports import Student, harmless
from mlnotes.checks.notebooks import Graded
from mlnotes.checks.printable import file_name, printable
from mlnotes.checks.sheet import NOBODY, Assignment, identity
from mlnotes.checks.similar import Alike, alike

# Characters of a line in what students get back.
LINE = 2000


def write(path: Path, text: str) -> None:
    """Write a file whole or not at all."""
    draft = path.with_name(f"{path.name}.part")
    draft.write_text(text, encoding="utf-8", errors="backslashreplace")
    draft.replace(path)


def write_all(
    target: Path, assignment: str, graded: Sequence[Graded], students: Sequence[Student]
) -> None:
    """Write everything that is known of a class into a folder."""
    similar = alike([(f"{g.file} ({g.student})", g.answers) for g in graded if g.student])
    similar = [one for one in similar if _spans_students(one, graded)]
    write_table(target / "scores.csv", graded)
    write_similar(target / "similar.csv", similar)
    problems = [*write_feedback(target / "feedback", assignment, graded)]
    for kind, table in (("canvas", exports.canvas), ("moodle", exports.moodle)):
        write(target / f"{kind}.csv", table(assignment, graded, students))
    problems += write_each(
        target / "gradescope", ".json", [(label(g), exports.gradescope(g)) for g in graded]
    )
    problems += [
        f"{printable(name)} is not in moodle.csv: the list of the class has nothing that tells "
        "Moodle who this is"
        for name in exports.left_out_of_moodle(graded, students)
    ]
    names = [student.name for student in students]
    text = summary(assignment, graded, names, len(similar))
    write(target / "summary.md", text + "".join(f"- {problem}\n" for problem in problems))


def _spans_students(one: Alike, graded: Sequence[Graded]) -> bool:
    """Say whether answers that are alike belong to more than one student."""
    owners = {f"{g.file} ({g.student})": identity(g.student) for g in graded}
    return len({owners[name] for name in one.names}) > 1


def label(graded: Graded) -> str:
    """Return what a submission is known by: its student or, where there is none, its file."""
    return graded.student if graded.student not in ("", NOBODY) else graded.file


def lines_of(text: str) -> str:
    """Return a text whose lines can be printed, whatever they were made from."""
    return "\n".join(printable(line, LINE) for line in text.split("\n"))


def write_table(path: Path, graded: Sequence[Graded]) -> None:
    """Write a row for each submission: points for each task, their sum, what is left to read."""
    tasks = list(dict.fromkeys(result.task for g in graded for result in g.results))
    draft = path.with_suffix(".part")
    with draft.open("w", newline="", encoding="utf-8", errors="backslashreplace") as file:
        writer = csv.writer(file)
        sums = ["points", "possible", "by hand"]
        writer.writerow(["file", "student", *tasks, *sums, "problem", "remarks"])
        for g in graded:
            earned = {r.task: "by hand" if r.by_hand else f"{r.earned:g}" for r in g.results}
            row = [earned.get(task, "") for task in tasks]
            sums = [f"{value:g}" for value in (g.earned, g.possible, g.by_hand)]
            said = [harmless(printable(text)) for text in (g.problem, "; ".join(g.remarks))]
            writer.writerow([harmless(g.file), harmless(g.student), *row, *sums, *said])
    draft.replace(path)


def write_similar(path: Path, similar: Sequence[Alike]) -> None:
    """Write which answers are alike, for whoever reads them."""
    draft = path.with_suffix(".part")
    with draft.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["task", "similarity", "answers"])
        for one in similar:
            names = ", ".join(map(printable, one.names))
            writer.writerow([one.task, f"{one.similarity:.0%}", harmless(names)])
    draft.replace(path)


def feedback(assignment: str, graded: Graded) -> str:
    """Return what a student gets back: the numbers of the sheet, points and hints."""
    if not graded.results:
        return lines_of(f"{graded}\n")
    return lines_of(f"{Assignment(assignment, graded.student)}\n\n{graded}\n")


def write_feedback(folder: Path, assignment: str, graded: Sequence[Graded]) -> list[str]:
    """Write one file for each student; return what went wrong, which stops no other."""
    texts: dict[str, list[str]] = {}
    names: dict[str, str] = {}
    for g in graded:
        key = identity(label(g))
        names.setdefault(key, label(g))
        texts.setdefault(key, []).append(feedback(assignment, g))
    return write_each(folder, ".txt", [(names[key], "\n".join(texts[key])) for key in texts])


def write_each(folder: Path, suffix: str, texts: Sequence[tuple[str, str]]) -> list[str]:
    """Write texts under names made from labels, no two alike; return what went wrong."""
    problems, taken = [], Counter[str]()
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in texts:
        stem = file_name(name)
        taken[stem.casefold()] += 1
        count = taken[stem.casefold()]
        path = folder / f"{stem}{f'~{count}' if count > 1 else ''}{suffix}"
        try:
            write(path, text)
        except OSError as error:
            problems.append(f"{printable(path.name)} could not be written: {printable(error)}")
    return problems


def summary(
    assignment: str, graded: Sequence[Graded], students: Sequence[str] = (), similar: int = 0
) -> str:
    """Return how a class did: the mean, the items most often lost, and what needs a look."""
    whole = [g for g in graded if not g.problem]
    lines = [f"# {assignment}: {len(whole)} of {len(graded)} submissions graded", ""]
    if whole:
        mean = sum(g.earned for g in whole) / len(whole)
        lines += [f"Mean: {mean:.1f} of {whole[0].possible:g} points.", ""]
        counts = Counter(
            (r.task, item.name) for g in whole for r in g.results for item in r.items if item.right
        )
        lines += ["| task | item | points | earned by |", "| --- | --- | --- | --- |"]
        for result in whole[0].results:
            for item in result.items:
                got = counts[result.task, item.name]
                worth = "by hand" if result.by_hand else f"{item.points:g}"
                lines.append(f"| {result.task} | {item.name} | {worth} | {got}/{len(whole)} |")
        lines.append("")
    lines += [f"- {text}" for text in remarks(graded, students)]
    if similar:
        lines.append(f"- answers that are alike across names: {similar}, listed in similar.csv")
    return lines_of("\n".join(lines).rstrip() + "\n")


def remarks(graded: Sequence[Graded], students: Sequence[str]) -> Iterator[str]:
    """Yield what needs a look: problems, names that do not fit, who is missing."""
    yield from (f"{g.file}: {g.problem}" for g in graded if g.problem)
    named = Counter(identity(g.student) for g in graded if g.student)
    listed = {identity(student) for student in students}
    for g in graded:
        yield from (f"{g.file}: {remark}" for remark in g.remarks)
        if g.student == NOBODY:
            yield f"{g.file}: the notebook names no student"
        elif named[identity(g.student)] > 1:
            yield f"{g.file}: another submission is also by {g.student!r}"
        elif listed and g.student and identity(g.student) not in listed:
            yield f"{g.file}: {g.student!r} is not on the list of the class"
    missing = [student for student in students if identity(student) not in named]
    yield from (f"there is no submission by {student!r}" for student in missing)
    if not sandbox.is_confined():
        yield isolation.NOT_PROTECTED
