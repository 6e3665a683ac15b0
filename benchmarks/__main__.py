"""Measure, show the progress, write the report."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from benchmarks.cases import Case, estimators, load_cases, missing
from benchmarks.measure import compare, default_threads, growth, memory
from benchmarks.report import SIZES, Results, chart, machine, markdown

OUTPUT = Path("_build/bench")
HERE = Path(__file__).parent
ALONG_N = [(n, 20) for n in (2_000, 4_000, 8_000, 16_000, 32_000)]
ALONG_D = [(5_000, d) for d in (10, 20, 40, 80)]


class Progress:
    """Say how far the run is, line by line, so that it also reads well in a log."""

    def __init__(self, steps: int) -> None:
        self.steps, self.done, self.start = steps, 0, time.monotonic()

    def report(self, words: str) -> None:
        self.done += 1
        elapsed = time.monotonic() - self.start
        left = elapsed / self.done * (self.steps - self.done)
        print(f"[{self.done:3}/{self.steps}, {left:4.0f} s left] {words}", file=sys.stderr)


def arguments(line: Sequence[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="small sizes, few repetitions")
    parser.add_argument("--only", metavar="NAME", help="one estimator, such as LeastSquares")
    parser.add_argument(
        "--record",
        action="store_true",
        help="also write benchmarks/RESULTS.md, which is kept under version control",
    )
    given = parser.parse_args(line)
    if given.record and (given.quick or given.only):
        parser.error("--record keeps a full run; leave out --quick and --only")
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


def run(cases: list[Case], *, quick: bool) -> Results:
    sizes = [SIZES["small"], SIZES["medium"]] if quick else list(SIZES.values())
    budget, repeats = (0.1, 2) if quick else (1.5, 3)
    along_n, along_d = (ALONG_N[:3], ALONG_D[:3]) if quick else (ALONG_N, ALONG_D)
    threads = sorted({1, default_threads()})
    results = Results()
    progress = Progress(len(cases) * (len(threads) * len(sizes) + 2 - quick))
    for case in cases:
        for count in threads:
            for n, d in (case.bearable(*size) for size in sizes):
                row = compare(case, n, d, threads=count, budget=budget)
                results.rows.append(row)
                ratio = "timed" if row.ratio is None else f"ratio {row.ratio:.2f}"
                mark = f" ({row.note})" if row.note else ""
                progress.report(f"{case.name}, {n} × {d}, threads {count}: {ratio}{mark}")
        both = ["ours"] if case.counterpart is None else ["ours", "theirs"]
        for exponents, path, along in (
            (results.growth_n, along_n, 0),
            (results.growth_d, along_d, 1),
        ):
            path = list(dict.fromkeys(case.bearable(*size) for size in path))
            fitted = [growth(case, side, path, along=along, repeats=repeats) for side in both]
            exponents[case.name] = (fitted[0], fitted[1] if len(fitted) == 2 else None)
        progress.report(f"{case.name}, growth with n and d")
        if not quick:
            n, d = case.bearable(*SIZES["large"])
            used = [memory(case, side, n, d) for side in both]
            name = case.name if (n, d) == SIZES["large"] else f"{case.name}, {n} × {d}"
            theirs = used[1] if len(used) == 2 else None
            results.memory[name] = (used[0], theirs, case.gram_bytes(n))
            progress.report(f"{case.name}, memory")
    return results


def write(results: Results, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    picture = folder / "RESULTS.svg"
    picture.write_text(chart(results).svg(), encoding="utf-8")
    (folder / "RESULTS.md").write_text(markdown(results, picture.name), encoding="utf-8")


def main(line: Sequence[str] | None = None) -> None:
    given = arguments(line)
    everything = load_cases()
    results = run(choose(everything, given.only), quick=given.quick)
    results.missing = missing(estimators(), everything)
    results.machine = machine()
    write(results, OUTPUT)
    (OUTPUT / "results.json").write_text(json.dumps(asdict(results), indent=1), encoding="utf-8")
    if given.record:
        write(results, HERE)
    print((OUTPUT / "RESULTS.md").read_text(encoding="utf-8"))
    for name in results.missing:
        print(f"missing: {name} has no case in tests/benchmark_<chapter>.py", file=sys.stderr)


if __name__ == "__main__":
    main()
