"""Where the time of a test run goes: `make test ARGS="-p tools.times"` and `python -m tools.times`.

A test is charged with what its process, and all that it started, took of the processor, which other
work on the machine hardly changes; where there is no `/proc`, a browser, which lives as long as its
worker, is left out. Fixtures are charged to the test that first asks for them, but for those that
grow with the book. What the tests of each chapter took says how long those of more will take.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import resource
import sys
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import pytest

from tools.contents import pages_of, titles
from tools.paths import BUILD

RECORDED = BUILD / "times"
CHAPTERS, CORES = 32, 2
# What is done once for all chapters together, and what tests of one chapter are charged with.
OF_ALL, OF_NONE = "all", ""
GROWING = ("executed", "entries", "site")
# What was taken is known at the end of a piece of work, and is not charged twice.
charged: list[tuple[float, float]] = [(0.0, 0.0)]
Row = tuple[str, float, float, str]


def processor() -> float:
    """Return the seconds of the processor that this process and all that it started have taken."""
    kinds = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    ended = sum(used.ru_utime + used.ru_stime for used in map(resource.getrusage, kinds))
    return ended + sum(map(_taken, _below(os.getpid())))


def _below(process: int) -> Iterator[int]:
    """Yield the living children of a process, and theirs."""
    for listed in Path(f"/proc/{process}/task").glob("*/children"):
        for child in map(int, _read(listed).split()):
            yield child
            yield from _below(child)


def _taken(process: int) -> float:
    """Return what a process has taken, and those of its children that have ended."""
    fields = _read(Path(f"/proc/{process}/stat")).rpartition(")")[2].split()
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")


def _read(path: Path) -> str:
    """Return the text of a file that may go away any time."""
    try:
        return path.read_text()
    except OSError:
        return ""


@contextmanager
def charging(config: pytest.Config, name: str, chapter: str) -> Iterator[None]:
    """Write down what a piece of work took, without other such pieces in it."""
    before, started, (cpu, clock) = processor(), time.perf_counter(), charged[0]
    try:
        yield
    finally:
        # A browser that has been closed takes its time along with it.
        taken, passed = max(0.0, processor() - before), time.perf_counter() - started
        inner_cpu, inner_clock = charged[0][0] - cpu, charged[0][1] - clock
        charged[0] = (cpu + taken, clock + passed)
        row = [name, max(0.0, taken - inner_cpu), passed - inner_clock, chapter]
        worker = getattr(config, "workerinput", {}).get("workerid", "main")
        with (RECORDED / f"{worker}.jsonl").open("a", encoding="utf-8") as record:
            record.write(json.dumps(row) + "\n")


@pytest.hookimpl(wrapper=True)
def pytest_collection(session: pytest.Session) -> Iterator[None]:
    """Write down what it took to collect the tests, which every worker does."""
    with charging(session.config, "collection", OF_ALL):
        return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup(
    fixturedef: pytest.FixtureDef[object], request: pytest.FixtureRequest
) -> Iterator[None]:
    """Write down what a fixture took that grows with the book."""
    if fixturedef.argname not in GROWING:
        return (yield)
    with charging(request.config, f"fixture {fixturedef.argname}", OF_ALL):
        return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Write down what a test took, set-up included, in a file of its process."""
    tried = getattr(item, "callspec", None)
    places = [getattr(value, "__module__", "") for value in tried.params.values()] if tried else []
    with charging(item.config, item.nodeid, chapter_of(item.nodeid, *map(str, places))):
        return (yield)


def chapter_of(*words: str) -> str:
    """Return the chapter that a test names, or in which what it tries is defined, if any.

    >>> chapter_of("tests/test_laws.py::test_a_law[Stump]", "mlnotes.adaboost._estimators")
    'adaboost'
    """
    found = [name for text in words for name in _named(text)]
    return max(found, key=len, default=OF_NONE)


@cache
def _written() -> list[str]:
    return [name for name in titles() if pages_of(name)]


def _named(text: str) -> list[str]:
    return [name for name in _written() if re.search(rf"(?<![a-z]){name}(?![a-z])", text)]


def pytest_configure(config: pytest.Config) -> None:
    """Forget the last run before the workers start; stay out of a run that a test has started."""
    if "PYTEST_CURRENT_TEST" in os.environ:
        config.pluginmanager.unregister(name=__name__)
    elif not hasattr(config, "workerinput"):
        RECORDED.mkdir(parents=True, exist_ok=True)
        for path in RECORDED.glob("*.jsonl"):
            path.unlink()


def recorded(folder: Path = RECORDED) -> list[Row]:
    """Return name, seconds of the processor and on the clock, and chapter, of the last run."""
    lines = [line for path in folder.glob("*.jsonl") for line in path.read_text().splitlines()]
    return [tuple(json.loads(line)) for line in lines]


def report(rows: Sequence[Row], most: int = 25) -> str:
    """Return the files and the tests that take most of the processor."""
    by_file: dict[str, list[float]] = defaultdict(lambda: [0.0, 0.0, 0])
    by_test: dict[str, list[float]] = defaultdict(lambda: [0.0, 0.0, 0])
    for name, cpu, clock, _ in rows:
        for table, key in ((by_file, name.split("::")[0]), (by_test, name.split("[")[0])):
            table[key] = [a + b for a, b in zip(table[key], (cpu, clock, 1), strict=True)]
    lines = []
    for title, table in (("file", by_file), ("test, all cases", by_test)):
        lines.append(f"processor    clock  cases  {title}")
        for name, (cpu, clock, count) in sorted(table.items(), key=lambda kv: -kv[1][0])[:most]:
            lines.append(f"{cpu:8.1f}s {clock:7.1f}s {count:6.0f}  {name}")
    cpu, clock = (sum(row[k] for row in rows) for k in (1, 2))
    return "\n".join([*lines, f"{cpu:8.1f}s {clock:7.1f}s {len(rows):6}  all"])


def growth(
    rows: Sequence[Row], written: int, chapters: int = CHAPTERS, cores: int = CORES, most: int = 15
) -> str:
    """Return what is taken for each of the chapters that are written, and what more would take.

    Only of a run of all tests does it say how long all will take, and only if every core has work
    to the end.
    """
    by_file: dict[str, float] = defaultdict(float)
    for name, cpu, _, chapter in rows:
        if chapter != OF_NONE:
            by_file[name.split("::")[0]] += cpu / written
    fixed = sum(cpu for _, cpu, _, chapter in rows if chapter == OF_NONE)
    each = sum(by_file.values())
    total = fixed + chapters * each
    lines = ["a chapter  file"]
    for name, cpu in sorted(by_file.items(), key=lambda kv: -kv[1])[:most]:
        lines.append(f"{cpu:8.2f}s  {name}")
    lines.append(f"{fixed:.0f} s are fixed, and {each:.1f} s grow with each of {written} chapters:")
    lines.append(
        f"{chapters} of this size take {total:.0f} s of the processor, "
        f"{total / cores / 60:.1f} min on {cores} cores"
    )
    return "\n".join(lines)


def main(line: Sequence[str] | None = None) -> int:
    """Print what the last run took, and what a run of more chapters would take."""
    parser = argparse.ArgumentParser(prog="python -m tools.times", description=__doc__)
    parser.add_argument("--chapters", type=int, default=CHAPTERS)
    parser.add_argument("--cores", type=int, default=CORES)
    parser.add_argument("folder", type=Path, nargs="?", default=RECORDED)
    given = parser.parse_args(line)
    rows = recorded(given.folder)
    print(report(rows), growth(rows, len(_written()), given.chapters, given.cores), sep="\n\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
