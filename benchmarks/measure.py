"""The clock and the memory meter."""

from __future__ import annotations

import gc
import os
import re
import subprocess
import sys
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import numpy as np
from threadpoolctl import threadpool_info, threadpool_limits

from benchmarks.cases import Case, load_cases
from benchmarks.statistics import Row, exponent, paired_ratio

# Seconds after which a comparison is not repeated any more, and a single fit.
LONG, SECONDS = 15.0, 2.0


def default_threads() -> int:
    """Return how many threads the loaded libraries use if nobody tells them."""
    return max((pool["num_threads"] for pool in threadpool_info()), default=1)


@contextmanager
def _undisturbed(threads: int) -> Iterator[None]:
    gc.collect()
    gc.disable()
    try:
        with threadpool_limits(limits=threads), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        gc.enable()


def clock(threads: int) -> Callable[[], float]:
    """Return the clock to time with.

    What one thread uses of the processor does not depend on what else the machine is doing; how
    long several threads take together only a clock on the wall can tell.
    """
    return time.process_time if threads == 1 else time.perf_counter


def _seconds(action: Callable[[], object], now: Callable[[], float]) -> float:
    start = now()
    result = action()
    elapsed = now() - start
    del result
    return elapsed


def interleaved(
    *actions: Callable[[], object],
    now: Callable[[], float],
    budget: float,
    least: int = 3,
    most: int = 100,
) -> list[list[float]]:
    """Time the actions by turns, changing who goes first, until the budget in seconds is spent.

    There are at least ``least`` turns, unless they take long: then fewer measure well enough.
    """
    times: list[list[float]] = [[] for _ in actions]
    start = time.perf_counter()
    for turn in range(most):
        spent = time.perf_counter() - start
        if (turn >= least and spent > budget) or (turn and spent > LONG):
            break
        order = list(zip(actions, times, strict=True))
        for action, kept in order if turn % 2 == 0 else reversed(order):
            kept.append(_seconds(action, now))
    return times


def compare(case: Case, n: int, d: int, *, threads: int, budget: float) -> Row:
    """Measure one row of the table; without a counterpart, our side of it."""
    X, y = case.problem(n, d)
    sides = ["ours"] if case.counterpart is None else ["ours", "theirs"]
    with _undisturbed(threads):
        objectives = [case.objective(case.model(side).fit(X, y), X, y) for side in sides]
        times = interleaved(
            *(lambda side=side: case.model(side).fit(X, y) for side in sides),
            now=clock(threads),
            budget=budget,
        )
    alone = len(sides) == 1
    return Row(
        name=case.name,
        n=n,
        d=d,
        threads=threads,
        ours_seconds=float(np.median(times[0])),
        theirs_seconds=None if alone else float(np.median(times[1])),
        ratio=None if alone else paired_ratio(times[0], times[1]),
        ours_objective=objectives[0],
        theirs_objective=None if alone else objectives[1],
        shown_only=case.shown_only,
        allowed=case.allowed,
    )


def growth(
    case: Case, side: str, sizes: Sequence[tuple[int, int]], *, along: int, repeats: int
) -> float:
    """Fit the exponent of the time along n (0) or d (1), one thread, best of the repeats."""
    best = []
    with _undisturbed(threads=1):
        for n, d in sizes:
            X, y = case.problem(n, d)
            fit = partial(lambda X, y: case.model(side).fit(X, y), X, y)
            best.append(_best(fit, repeats))
    return exponent([size[along] for size in sizes], best)


def _best(action: Callable[[], object], repeats: int) -> float:
    """Return the shortest of some times; an action of seconds is not repeated."""
    times: list[float] = []
    while len(times) < repeats and sum(times) < SECONDS:
        times.append(_seconds(action, clock(threads=1)))
    return min(times)


def peak_during(action: Callable[[], object]) -> int | None:
    """Return by how many bytes the resident memory of this process rose at most; Linux only."""
    status = Path("/proc/self/status")
    if not status.exists():
        return None
    gc.collect()
    Path("/proc/self/clear_refs").write_text("5")  # forget the peak so far
    before = _resident(status, "VmRSS")
    kept = action()
    peak = _resident(status, "VmHWM")
    del kept
    return max(0, peak - before)


def _resident(status: Path, field: str) -> int:
    found = re.search(rf"^{field}:\s+(\d+) kB$", status.read_text(), re.MULTILINE)
    assert found is not None
    return 1024 * int(found[1])


def memory(case: Case, side: str, n: int, d: int) -> int | None:
    """Return the peak memory of a fit beyond the data, in a process of its own.

    A tracer inside Python would not see what LAPACK and compiled code allocate.
    """
    run = subprocess.run(
        [sys.executable, "-m", "benchmarks.measure", case.name, side, str(n), str(d)],
        env={
            **os.environ,
            "OMP_NUM_THREADS": "1",
            "OPENBLAS_NUM_THREADS": "1",
            # Return freed arrays to the system at once, or later ones would hide in their place.
            "MALLOC_MMAP_THRESHOLD_": "65536",
        },
        capture_output=True,
        text=True,
        check=True,
    )
    return None if run.stdout.strip() == "None" else int(run.stdout)


def _memory_of_a_child(name: str, side: str, n: int, d: int) -> int | None:
    (case,) = [case for case in load_cases() if case.name == name]
    warnings.simplefilter("ignore")
    # The first fit loads what is loaded once; it is not what a fit costs.
    case.model(side).fit(*case.problem(max(200, 20 * d), d))
    X, y = case.problem(n, d)
    return peak_during(lambda: case.model(side).fit(X, y))


if __name__ == "__main__":
    _, name, side, n, d = sys.argv
    print(_memory_of_a_child(name, side, int(n), int(d)))
