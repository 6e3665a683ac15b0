"""Grading a class: on all cores, one process a submission, from where an earlier run stopped."""

from __future__ import annotations

import dataclasses
import functools
import hashlib
import json
import multiprocessing
import os
import signal
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from typing import Any

from mlnotes.checks import reports, sheets, submissions
from mlnotes.checks._limits import end_with_parent, limit_resources
from mlnotes.checks.exports import Student
from mlnotes.checks.notebooks import Graded, steps
from mlnotes.checks.printable import printable
from mlnotes.checks.submissions import Found, Unreadable

Show = Callable[[str], None]
# How a problem ends that was none of the submission's: grading it again may come to something else.
AGAIN = ": run it again to try once more"
# Memory that grading one submission may take, beside that of the student's own process.
MEGABYTES = 2048


def grade_class(
    assignment: str,
    folder: str | Path,
    secret: str = "",
    *,
    output: str | Path | None = None,
    workers: int | None = None,
    seconds: float = 300.0,
    students: Sequence[str | Student] = (),
    show: Show = print,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> list[Graded]:
    """Grade every notebook in a folder and write a table, a summary and what students get back.

    Whatever else has a notebook's name is reported in its place: a folder, a pipe, a link that
    leads nowhere, a file that cannot be read. A submission that was graded before is not graded
    again unless it, the secret or the checks have changed, or its grading was stopped; one that
    cannot be graded is reported and stops no other.

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
    students : sequence of str or Student, optional
        The names of the class: the summary then says who is missing and who is not one of them.
    show : callable, default=print
        Takes each line of progress.
    progress : callable, optional
        Takes how many submissions are done and how many there are, whenever one is.

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
    members = [Student(one) if isinstance(one, str) else one for one in students]
    found = submissions.find(folder, target)
    (target / "results").mkdir(parents=True, exist_ok=True)
    todo, done = _sorted_out(found, target, assignment, secret, show)
    progress(len(done), len(found))
    pool = ThreadPoolExecutor(max_workers=workers or os.cpu_count() or 1)
    try:
        jobs = {pool.submit(_grade, one.path, assignment, secret, seconds): one for one in todo}
        for job in as_completed(jobs):
            one = jobs[job]
            done[one.key] = dataclasses.replace(job.result(), file=one.name)
            record = {"key": todo[one], "graded": done[one.key].as_dict()}
            reports.write(_record(target, one), json.dumps(record, indent=1))
            show(f"[{len(done)}/{len(found)}] {_line(done[one.key])}")
            progress(len(done), len(found))
    finally:
        # If it is interrupted, what has not begun is left for the next time.
        pool.shutdown(cancel_futures=True)
    graded = [done[one.key] for one in found]
    reports.write_all(target, assignment, graded, members)
    return graded


def _sorted_out(
    found: Sequence[Found], target: Path, assignment: str, secret: str, show: Show
) -> tuple[dict[Found, str], dict[str, Graded]]:
    """Return what is to be graded, each with what its result depends on, and what is done."""
    todo: dict[Found, str] = {}
    done: dict[str, Graded] = {}
    known = stopped = 0
    for one in found:
        try:
            if one.problem:
                raise Unreadable(one.problem)
            key = _key(submissions.read(one.path), assignment, secret)
        except Unreadable as reason:
            done[one.key] = Graded(one.name, problem=str(reason))
            show(printable(f"{one.name}: {reason}"))
            continue
        recorded = _recorded(_record(target, one), key)
        known += recorded is not None
        if recorded is not None and not recorded.problem.endswith(AGAIN):
            done[one.key] = recorded
        else:
            stopped += recorded is not None
            todo[one] = key
    if known:
        more = f", {stopped} had been stopped and will be tried again" if stopped else ""
        show(f"{known - stopped} of {len(found)} were graded before{more}")
    return todo, done


def _record(target: Path, one: Found) -> Path:
    name = hashlib.sha256(os.fsencode(one.key)).hexdigest()[:32]
    return target / "results" / f"{name}.json"


def _key(content: bytes, assignment: str, secret: str) -> str:
    """Return what a result depends on: the submission, the secret and the package that grades."""
    parts = (assignment, secret, hashlib.sha256(content).hexdigest(), _package())
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:32]


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


def _grade(path: Path, assignment: str, secret: str, seconds: float) -> Graded:
    """Grade one submission in a process of its own."""
    methods = multiprocessing.get_all_start_methods()
    context: Any = multiprocessing.get_context("forkserver" if "forkserver" in methods else "spawn")
    if "forkserver" in methods:
        # Loaded once for all submissions, the sheet before what is made ready for it.
        loaded = [__name__, f"{sheets.__name__}.{assignment}", "mlnotes.checks._ready"]
        context.set_forkserver_preload(loaded)
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=_send, args=(sender, str(path), assignment, secret, seconds))
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


def _send(sender: Any, path: str, assignment: str, secret: str, seconds: float) -> None:
    """Grade, and send what is known after every task as text, whatever happens."""
    end_with_parent()
    limit_resources(seconds, MEGABYTES)
    # An interrupt is for the process that grades the class, which ends this one.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    graded = Graded(Path(path).name)
    try:
        for graded in steps(path, assignment, secret):
            sender.send_bytes(json.dumps([False, graded.as_dict()]).encode())
    except Unreadable as reason:
        graded = dataclasses.replace(graded, problem=str(reason))
    except Exception as error:
        problem = f"grading failed with {type(error).__name__}: {printable(error, 200)}{AGAIN}"
        graded = dataclasses.replace(graded, problem=problem)
    sender.send_bytes(json.dumps([True, graded.as_dict()]).encode())


def _line(graded: Graded) -> str:
    points = f"{graded.student}, {graded.earned:g} of {graded.possible:g} points"
    said = [points] if graded.results else []
    return printable(f"{graded.file}: {'; '.join([*said, *filter(None, [graded.problem])])}")
