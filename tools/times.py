"""Where the time of a test run goes: `make test ARGS="-p tools.times"` and `python -m tools.times`.

A test is charged with what its process, and all that it started, took of the processor, which other
work on the machine hardly changes; where there is no `/proc`, a browser, which lives as long as its
worker, is left out. Fixtures are charged to the test that first asks for them.
"""

from __future__ import annotations

import json
import os
import resource
import sys
import time
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

from tools.paths import BUILD

RECORDED = BUILD / "times"


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


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Write down what a test took, set-up included, in a file of its process."""
    before, started = processor(), time.perf_counter()
    try:
        return (yield)
    finally:
        # A browser that has been closed takes its time along with it.
        taken = max(0.0, processor() - before)
        row = [item.nodeid, taken, time.perf_counter() - started]
        worker = getattr(item.config, "workerinput", {}).get("workerid", "main")
        with (RECORDED / f"{worker}.jsonl").open("a", encoding="utf-8") as record:
            record.write(json.dumps(row) + "\n")


def pytest_configure(config: pytest.Config) -> None:
    """Forget the last run before the workers start."""
    if not hasattr(config, "workerinput"):
        RECORDED.mkdir(parents=True, exist_ok=True)
        for path in RECORDED.glob("*.jsonl"):
            path.unlink()


def recorded(folder: Path = RECORDED) -> list[tuple[str, float, float]]:
    """Return test, seconds of the processor and seconds on the clock of the last run."""
    lines = [line for path in folder.glob("*.jsonl") for line in path.read_text().splitlines()]
    return [tuple(json.loads(line)) for line in lines]


def report(rows: list[tuple[str, float, float]], most: int = 25) -> str:
    """Return the files and the tests that take most of the processor."""
    by_file: dict[str, list[float]] = defaultdict(lambda: [0.0, 0.0, 0])
    by_test: dict[str, list[float]] = defaultdict(lambda: [0.0, 0.0, 0])
    for name, cpu, clock in rows:
        for table, key in ((by_file, name.split("::")[0]), (by_test, name.split("[")[0])):
            table[key] = [a + b for a, b in zip(table[key], (cpu, clock, 1), strict=True)]
    lines = []
    for title, table in (("file", by_file), ("test, all cases", by_test)):
        lines.append(f"processor    clock  cases  {title}")
        for name, (cpu, clock, count) in sorted(table.items(), key=lambda kv: -kv[1][0])[:most]:
            lines.append(f"{cpu:8.1f}s {clock:7.1f}s {count:6.0f}  {name}")
    total = [sum(column) for column in list(zip(*rows, strict=True))[1:]] if rows else [0, 0]
    return "\n".join([*lines, f"{total[0]:8.1f}s {total[1]:7.1f}s {len(rows):6}  all"])


if __name__ == "__main__":
    print(report(recorded()))
    sys.exit(0)
