"""Grading a class: on all cores, one process a submission, from where an earlier run stopped."""

from __future__ import annotations

import csv
import dataclasses
import functools
import hashlib
import json
import multiprocessing
import os
import signal
import time
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from typing import Any

from mlnotes.checks import isolation, sandbox
from mlnotes.checks.notebooks import Graded, Unreadable, steps
from mlnotes.checks.sheet import NOBODY, Assignment, identity

Show = Callable[[str], None]
# How a problem ends that was none of the submission's: grading it again may come to something else.
AGAIN = ": run it again to try once more"


def grade_class(
    assignment: str,
    folder: str | Path,
    secret: str = "",
    *,
    output: str | Path | None = None,
    workers: int | None = None,
    seconds: float = 300.0,
    students: Sequence[str] = (),
    show: Show = print,
) -> list[Graded]:
    """Grade every notebook in a folder and write a table, a summary and what students get back.

    A submission that was graded before is not graded again unless it, the secret or the checks
    have changed, or its grading was stopped; one that cannot be graded is reported and stops no
    other.

    Parameters
    ----------
    assignment : str
        The name of the assignment.
    folder : path
        Where the submissions are, in subfolders or not.
    secret : str, default=""
        What chooses the data on which programs are tried.
    output : path, optional
        Where the results go; by default the folder ``graded`` inside the other one.
    workers : int, optional
        How many submissions to grade at once; by default one for each core.
    seconds : float, default=300.0
        How long one submission may take in all; the tasks graded until then keep their points.
    students : sequence of str, optional
        The names of the class: the summary then says who is missing and who is not one of them.
    show : callable, default=print
        Takes each line of progress.

    Returns
    -------
    list of Graded
        The outcomes in the order of the file names.

    Examples
    --------
    >>> import tempfile
    >>> from mlnotes.checks import grade_class
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     graded = grade_class("sample", folder, show=lambda line: None)
    >>> graded
    []
    """
    folder = Path(folder)
    target = folder / "graded" if output is None else Path(output)
    paths = [p for p in sorted(folder.rglob("*.ipynb")) if _is_submission(p, folder, target)]
    names = {path: path.relative_to(folder).as_posix() for path in paths}
    (target / "results").mkdir(parents=True, exist_ok=True)
    records = {path: target / "results" / f"{_digest(names[path])}.json" for path in paths}
    keys = {path: _key(path, assignment, secret) for path in paths}
    known = {p: found for p in paths if (found := _recorded(records[p], keys[p])) is not None}
    done = {p: graded for p, graded in known.items() if not graded.problem.endswith(AGAIN)}
    if known:
        stopped = len(known) - len(done)
        more = f", {stopped} had been stopped and will be tried again" if stopped else ""
        show(f"{len(done)} of {len(paths)} were graded before{more}")
    todo = [path for path in paths if path not in done]
    pool = ThreadPoolExecutor(max_workers=workers or os.cpu_count() or 1)
    try:
        jobs = {pool.submit(_grade, path, assignment, secret, seconds): path for path in todo}
        for job in as_completed(jobs):
            path = jobs[job]
            done[path] = Graded(**{**vars(job.result()), "file": names[path]})
            record = {"key": keys[path], "graded": done[path].as_dict()}
            _write(records[path], json.dumps(record, indent=1))
            show(f"[{len(done)}/{len(paths)}] {_line(done[path])}")
    finally:
        # If it is interrupted, what has not begun is left for the next time.
        pool.shutdown(cancel_futures=True)
    graded = [done[path] for path in paths]
    write_table(target / "scores.csv", graded)
    _write(target / "summary.md", summary(assignment, graded, students))
    for g in graded:
        place = target / "feedback" / f"{g.file}.txt"
        place.parent.mkdir(parents=True, exist_ok=True)
        _write(place, feedback(assignment, g))
    return graded


def _is_submission(path: Path, folder: Path, target: Path) -> bool:
    hidden = any(part.startswith(".") for part in path.relative_to(folder).parts)
    return not hidden and target.resolve() not in path.resolve().parents


def _digest(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:32]


def _key(path: Path, assignment: str, secret: str) -> str:
    """Return what a result depends on: the submission, the secret and the package that grades."""
    content = hashlib.sha256(path.read_bytes()).hexdigest()
    return _digest(assignment, secret, content, _package())


@functools.cache
def _package() -> str:
    sources = sorted(Path(__file__).parents[1].rglob("*.py"))
    return hashlib.sha256(b"\0".join(p.read_bytes() for p in sources)).hexdigest()


def _recorded(path: Path, key: str) -> Graded | None:
    """Return an earlier result if it is whole and still holds."""
    try:
        record = json.loads(path.read_text(encoding="utf-8"))
        return Graded.from_dict(record["graded"]) if record["key"] == key else None
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _write(path: Path, text: str) -> None:
    """Write a file whole or not at all."""
    draft = path.with_name(f"{path.name}.part")
    draft.write_text(text, encoding="utf-8")
    draft.replace(path)


def _grade(path: Path, assignment: str, secret: str, seconds: float) -> Graded:
    """Grade one submission in a process of its own."""
    methods = multiprocessing.get_all_start_methods()
    context: Any = multiprocessing.get_context("forkserver" if "forkserver" in methods else "spawn")
    if "forkserver" in methods:
        # Loaded once for all submissions; a name that is no module is passed over.
        loaded = [__name__, "mlnotes.checks._ready", f"mlnotes.{assignment}"]
        context.set_forkserver_preload(loaded)
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=_send, args=(sender, str(path), assignment, secret))
    process.start()
    sender.close()
    graded, limit = Graded(path.name), time.monotonic() + seconds
    try:
        while receiver.poll(max(0.0, limit - time.monotonic())):
            done, found = json.loads(receiver.recv_bytes())
            graded = Graded.from_dict(found)
            if done:
                return graded
        problem = f"grading took more than {seconds:g} seconds and was stopped{AGAIN}"
    except (EOFError, OSError):
        problem = f"grading it ended unexpectedly{AGAIN}"
    finally:
        process.kill()
        process.join()
    return dataclasses.replace(graded, problem=problem)


def _send(sender: Any, path: str, assignment: str, secret: str) -> None:
    """Grade, and send what is known after every task as text, whatever happens."""
    # An interrupt is for the process that grades the class, which ends this one.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    graded = Graded(Path(path).name)
    try:
        for graded in steps(path, assignment, secret):
            sender.send_bytes(json.dumps([False, graded.as_dict()]).encode())
    except Unreadable as reason:
        graded = dataclasses.replace(graded, problem=str(reason))
    except Exception as error:
        problem = f"grading failed with {type(error).__name__}: {error}{AGAIN}"
        graded = dataclasses.replace(graded, problem=problem)
    sender.send_bytes(json.dumps([True, graded.as_dict()]).encode())


def _line(graded: Graded) -> str:
    if not graded.results:
        return f"{graded.file}: {graded.problem}"
    points = f"{graded.file}: {graded.student}, {graded.earned:g} of {graded.possible:g} points"
    return f"{points}; {graded.problem}" if graded.problem else points


def write_table(path: Path, graded: Sequence[Graded]) -> None:
    """Write a row for each submission: points for each task, their sum, what is left to read."""
    tasks = list(dict.fromkeys(result.task for g in graded for result in g.results))
    draft = path.with_suffix(".part")
    with draft.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        sums = ["points", "possible", "by hand"]
        writer.writerow(["file", "student", *tasks, *sums, "problem", "remarks"])
        for g in graded:
            earned = {r.task: "by hand" if r.by_hand else f"{r.earned:g}" for r in g.results}
            row = [earned.get(task, "") for task in tasks]
            sums = [f"{value:g}" for value in (g.earned, g.possible, g.by_hand)]
            said = [_harmless(text) for text in (g.problem, "; ".join(g.remarks))]
            writer.writerow([_harmless(g.file), _harmless(g.student), *row, *sums, *said])
    draft.replace(path)


def _harmless(text: str) -> str:
    """Return a text that no spreadsheet takes for a formula."""
    return f"'{text}" if text.startswith(("=", "+", "-", "@", "\t", "\r")) else text


def feedback(assignment: str, graded: Graded) -> str:
    """Return what a student gets back: the numbers of the sheet, points and hints."""
    if not graded.results:
        return f"{graded}\n"
    return f"{Assignment(assignment, graded.student)}\n\n{graded}\n"


def summary(assignment: str, graded: Sequence[Graded], students: Sequence[str] = ()) -> str:
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
    lines += [f"- {text}" for text in _remarks(graded, students)]
    return "\n".join(lines).rstrip() + "\n"


def _remarks(graded: Sequence[Graded], students: Sequence[str]) -> list[str]:
    remarks = [f"{g.file}: {g.problem}" for g in graded if g.problem]
    named = Counter(identity(g.student) for g in graded if g.student)
    listed = {identity(student) for student in students}
    for g in graded:
        remarks += [f"{g.file}: {remark}" for remark in g.remarks]
        if g.student == NOBODY:
            remarks.append(f"{g.file}: the notebook names no student")
        elif named[identity(g.student)] > 1:
            remarks.append(f"{g.file}: another submission is also by {g.student!r}")
        elif listed and g.student and identity(g.student) not in listed:
            remarks.append(f"{g.file}: {g.student!r} is not on the list of the class")
    missing = [student for student in students if identity(student) not in named]
    remarks += [f"there is no submission by {student!r}" for student in missing]
    if not sandbox.is_confined():
        remarks.append(isolation.NOT_PROTECTED)
    return remarks
