"""Measure, show the progress, write the report.

A run that was broken off goes on where it was, and one after a change measures again only what
the change concerns: see :mod:`benchmarks.kept`.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.cases import Case, estimators, load_cases, missing
from benchmarks.kept import Kept, fingerprint
from benchmarks.measure import compare, default_threads, growth, memory
from benchmarks.report import SIZES, Results, chart, machine, markdown
from benchmarks.statistics import Row

OUTPUT = Path("_build/bench")
HERE = Path(__file__).parent
ALONG_N = [(n, 20) for n in (2_000, 4_000, 8_000, 16_000, 32_000)]
ALONG_D = [(5_000, d) for d in (10, 20, 40, 80)]
# What can be measured: times with one thread and with as many as the libraries take by default.
PARTS = ("times", "threads", "memory", "growth")
# Seconds that a step may take before anything is known about it, by the number of samples.
GUESSED = {200: 3.0, 5_000: 6.0, 50_000: 12.0}


@dataclass(frozen=True)
class Step:
    """One measurement: its part of the report, its name there, and how it is made."""

    part: str
    case: Case
    n: int
    d: int
    settings: tuple[object, ...]
    measure: Callable[[], Any]

    @property
    def name(self) -> str:
        size = "" if self.part == "growth" else f", {self.n} × {self.d}"
        return f"{self.case.name}{size}, {self.part}"


class Progress:
    """Say how far the run is, line by line, so that it also reads well in a log.

    What the steps took when they were last measured says how long they will take now, unless this
    machine turns out to be slower or faster; that is believed after a minute.
    """

    def __init__(self, expected: Sequence[float]) -> None:
        self.left, self.steps = list(expected), len(expected)
        self.expected = self.taken = 60.0

    def report(self, words: str, seconds: float) -> None:
        self.expected += self.left.pop(0)
        self.taken += seconds
        left = sum(self.left) * self.taken / self.expected
        done = self.steps - len(self.left)
        bar = "█" * round(20 * done / self.steps)
        clock = f"{left / 60:3.0f} min left" if left >= 90 else f"{left:5.0f} s left"
        print(f"{bar:░<20} {done:3}/{self.steps}, {clock}  {words}", file=sys.stderr, flush=True)


def arguments(line: Sequence[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="small sizes, few repetitions")
    parser.add_argument("--only", metavar="NAME", help="one estimator, such as LeastSquares")
    parser.add_argument(
        "--parts",
        nargs="+",
        choices=PARTS,
        default=["times", "memory"],
        help="what to measure: times with one thread, times with the default number of threads, "
        "peak memory, growth of the time with n and d (default: times memory)",
    )
    parser.add_argument("--anew", action="store_true", help="use nothing that an earlier run kept")
    parser.add_argument(
        "--record",
        action="store_true",
        help="also write benchmarks/RESULTS.md, which is kept under version control",
    )
    given = parser.parse_args(line)
    if given.record and (given.quick or given.only or "times" not in given.parts):
        parser.error("--record keeps a full run; leave out --quick and --only, and measure times")
    return given


def choose(cases: list[Case], name: str | None) -> list[Case]:
    """Return the cases of this estimator, named with or without its module; all without a name."""
    if name is None:
        return cases
    chosen = [case for case in cases if name in (case.name, case.estimator.__name__)]
    if not chosen:
        known = ", ".join(case.name for case in cases)
        raise SystemExit(f"no case is named {name!r}; there are: {known}")
    return chosen


def steps(case: Case, parts: Sequence[str], *, quick: bool) -> Iterator[Step]:
    """List what is measured of a case."""
    sizes = [SIZES["small"], SIZES["medium"]] if quick else list(SIZES.values())
    budget, repeats = (0.1, 2) if quick else (4.0, 3)
    for part, count in (("times", 1), ("threads", default_threads())):
        if part in parts and (part == "times" or count > 1):
            for n, d in (case.bearable(*size) for size in sizes):
                action = partial(_row, case, n, d, count, budget)
                yield Step(part, case, n, d, (count, budget), action)
    if "memory" in parts:
        n, d = case.bearable(*sizes[-1])
        yield Step("memory", case, n, d, (), partial(_memory, case, n, d))
    if "growth" in parts:
        along = (ALONG_N[:3], ALONG_D[:3]) if quick else (ALONG_N, ALONG_D)
        paths = [list(dict.fromkeys(case.bearable(*size) for size in path)) for path in along]
        n, d = paths[0][-1]
        yield Step("growth", case, n, d, (paths, repeats), partial(_growth, case, paths, repeats))


def _row(case: Case, n: int, d: int, threads: int, budget: float) -> dict[str, Any]:
    return asdict(compare(case, n, d, threads=threads, budget=budget))


def _memory(case: Case, n: int, d: int) -> list[int | None]:
    return [memory(case, side, n, d) for side in case.sides]


def _growth(case: Case, paths: list[list[tuple[int, int]]], repeats: int) -> list[list[float]]:
    """Return the exponents along n and along d, each of all sides."""
    return [
        [growth(case, side, path, along=axis, repeats=repeats) for side in case.sides]
        for axis, path in enumerate(paths)
    ]


def add(results: Results, step: Step, value: Any) -> str:
    """Put what was measured into the results, and say it in a few words."""
    name = step.case.name
    if step.part in ("times", "threads"):
        row = Row(**value)
        results.rows.append(row)
        mark = f" ({row.note})" if row.note else ""
        return f"{step.name}: " + ("timed" if row.ratio is None else f"{row.ratio:.2f}") + mark
    if step.part == "memory":
        of = name if (step.n, step.d) == SIZES["large"] else f"{name}, {step.n} × {step.d}"
        results.memory[of] = (*_two(value), step.case.gram_bytes(step.n))
    else:
        results.growth_n[name], results.growth_d[name] = map(_two, value)
    return step.name


def _two(sides: list[Any]) -> tuple[Any, Any]:
    """Return what was measured of ours and of scikit-learn's, None if there is no such side."""
    return sides[0], sides[1] if len(sides) == 2 else None


def run(cases: list[Case], parts: Sequence[str], kept: Kept, *, quick: bool, anew: bool) -> Results:
    results = Results(left_out=[part for part in PARTS if part not in parts])
    todo = [step for case in cases for step in steps(case, parts, quick=quick)]
    keys = [fingerprint(step.case, step.name, step.settings) for step in todo]
    before = [kept.read(step.name) for step in todo]
    fresh = [
        found if found is not None and found.fingerprint == key and not anew else None
        for found, key in zip(before, keys, strict=True)
    ]
    guesses = [GUESSED.get(step.n, 6.0) for step in todo]
    expected = [old.seconds if old else guess for old, guess in zip(before, guesses, strict=True)]
    progress = Progress(
        [0.0 if now else seconds for now, seconds in zip(fresh, expected, strict=True)]
    )
    for step, key, found in zip(todo, keys, fresh, strict=True):
        measured = found or kept.measure(step.name, key, step.measure)
        words = add(results, step, measured.value) + (" (kept)" if found else "")
        results.loads.append(measured.load)
        progress.report(words, 0.0 if found else measured.seconds)
    return results


def write(results: Results, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    picture = folder / "RESULTS.svg"
    picture.write_text(chart(results).svg(), encoding="utf-8")
    (folder / "RESULTS.md").write_text(markdown(results, picture.name), encoding="utf-8")


def main(line: Sequence[str] | None = None) -> None:
    given = arguments(line)
    everything = load_cases()
    chosen = choose(everything, given.only)
    start = time.monotonic()
    kept = Kept(OUTPUT / ("quick" if given.quick else "kept"))
    try:
        results = run(chosen, given.parts, kept, quick=given.quick, anew=given.anew)
    except KeyboardInterrupt:
        raise SystemExit("\nbroken off; the same command goes on from here") from None
    results.missing = missing(estimators(), everything)
    results.machine = machine(results.loads)
    write(results, OUTPUT)
    (OUTPUT / "results.json").write_text(json.dumps(asdict(results), indent=1), encoding="utf-8")
    if given.record:
        write(results, HERE)
    print((OUTPUT / "RESULTS.md").read_text(encoding="utf-8"))
    for name in results.missing:
        print(f"missing: {name} has no case in tests/benchmark_<chapter>.py", file=sys.stderr)
    print(f"measured in {(time.monotonic() - start) / 60:.0f} min", file=sys.stderr)


if __name__ == "__main__":
    main()
