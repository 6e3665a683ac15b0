"""Measure what grading a class costs: ``python -m benchmarks.grading``.

A class is made of model answers, each for the numbers of its student. What counts is the time of
the processor that all processes use together, which does not depend on what else the machine does:
two quiet cores take half of it. A program that never ends takes its limit in addition.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from mlnotes.checks import grade_class, isolation
from tools import assignment_sources

PR_SET_CHILD_SUBREAPER = 36
STUDENTS, CORES = 100, 2
RECORD = Path(__file__).with_name("GRADING.md")
HEAD = f"""\
# What grading a class costs

A class of {STUDENTS} submissions with model answers. The time is that of the processor, of all \
processes together, and on {CORES} quiet cores a class takes the share in the last column. A \
program that never ends adds its limit, ten or twenty seconds of one core. Written by \
`python -m benchmarks.grading --record`.

| sheet | submissions | points | processor | each | on {CORES} quiet cores |
| --- | ---: | ---: | ---: | ---: | ---: |
"""


class Cost(NamedTuple):
    """What grading a class took: seconds of the processor and on the wall, and the points."""

    sheet: str
    submissions: int
    earned: float
    possible: float
    processor: float
    wall: float

    @property
    def row(self) -> str:
        """A row of the table."""
        seconds = (self.processor, self.processor / self.submissions, self.processor / CORES)
        points = f"{self.earned:g} of {self.possible:g}"
        cells = [self.sheet, str(self.submissions), points, *(f"{s:.1f} s" for s in seconds)]
        return f"| {' | '.join(cells)} |"


def measure(name: str, students: int) -> Cost:
    """Make a class, have it graded, and return what all processes used."""
    source = assignment_sources.read(name)
    with tempfile.TemporaryDirectory() as folder:
        for k in range(students):
            notebook = source.instructor(f"student {k}")
            (Path(folder) / f"{k:03}.ipynb").write_text(json.dumps(notebook), encoding="utf-8")
        found = told("--cost", folder, name)
    return Cost(name, students, *found)


def told(what: str, folder: str, name: str) -> list[float]:
    """Return the numbers that this program prints in a process of its own."""
    command = [sys.executable, "-m", "benchmarks.grading", name, what, folder]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    numbers: list[float] = json.loads(done.stdout)
    return numbers


def cost(name: str, folder: str) -> list[float]:
    """Return the points, and the seconds that grading a folder took; for a process of its own."""
    # Processes whose parents have ended become children of this one, or their time is lost.
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    start = time.monotonic()
    points = told("--grade", folder, name)
    wall = time.monotonic() - start
    wait_for_all()
    return [*points, used(), wall]


def wait_for_all() -> None:
    """Wait for every child, whoever started it."""
    try:
        while True:
            os.wait()
    except ChildProcessError:
        return


def used() -> float:
    """Return the seconds of the processor that finished children have used."""
    found = resource.getrusage(resource.RUSAGE_CHILDREN)
    return found.ru_utime + found.ru_stime


def grade(name: str, folder: str) -> list[float]:
    """Grade a folder and return the points earned and possible."""
    graded = grade_class(name, folder, "a secret", workers=CORES, show=lambda line: None)
    return [sum(one.earned for one in graded), sum(one.possible for one in graded)]


def main(line: Sequence[str] | None = None) -> None:
    """Measure the sheets that are named, or all of them."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.grading", description=__doc__)
    parser.add_argument("names", nargs="*", help="which sheets; all of them by default")
    parser.add_argument("--students", type=int, default=STUDENTS, help="how large a class is")
    parser.add_argument("--record", action="store_true", help=f"also write {RECORD.name}")
    for step in ("--grade", "--cost"):
        parser.add_argument(step, help=argparse.SUPPRESS)
    given = parser.parse_args(line)
    if given.grade or given.cost:
        name = given.names[0]
        print(json.dumps(grade(name, given.grade) if given.grade else cost(name, given.cost)))
        return
    if given.record and (given.names or given.students != STUDENTS):
        parser.error("--record keeps a full run; leave out names and --students")
    rows = []
    for name in given.names or assignment_sources.names():
        found = measure(name, given.students)
        rows.append(found.row)
        print(f"{found.row} {found.wall:.0f} s on the wall", flush=True)
    held = f"\nPrograms were held by {isolation.NAMES[isolation.chosen()]}.\n"
    if given.record:
        RECORD.write_text(HEAD + "\n".join(rows) + "\n" + held, encoding="utf-8")


if __name__ == "__main__":
    main()
