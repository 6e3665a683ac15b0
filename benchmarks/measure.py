"""The clock and the memory meter."""

from __future__ import annotations

import atexit
import dataclasses
import functools
import gc
import json
import os
import re
import subprocess
import sys
import time
import traceback
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from threadpoolctl import threadpool_info, threadpool_limits

from benchmarks.cases import Case, load_cases
from benchmarks.statistics import Row, exponent, interval, paired_ratio, settled

# Seconds after which a comparison is not repeated any more, and a single fit for its growth.
LONG, SECONDS = 10.0, 2.0
# A fit that takes more seconds than this is timed once, and the other side a few times beside it.
SLOW, FEW = 10.0, 3
# Both sides fit this much first, so that compiled loops are loaded before the clock starts.
WARM_UP = (200, 5)


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
    most: int = 400,
) -> list[list[float]]:
    """Time the actions by turns, changing who goes first, until the median ratio is settled.

    The budget, in seconds of the same clock, ends it too. There are at least ``least`` turns,
    unless they take long: then fewer measure well enough.
    """
    times: list[list[float]] = [[] for _ in actions]
    start = now()
    for turn in range(most):
        spent = now() - start
        enough = spent > budget or settled(_ratios(times))
        if (turn >= least and enough) or (turn and spent > LONG):
            break
        order = list(zip(actions, times, strict=True))
        for action, kept in order if turn % 2 == 0 else reversed(order):
            kept.append(_seconds(action, now))
    return times


def _ratios(times: list[list[float]]) -> list[float]:
    """Return the ratios of neighbours; the times of a side that is alone."""
    return times[0] if len(times) == 1 else list(np.divide(*times))


def compare(case: Case, n: int, d: int, *, threads: int, budget: float) -> Row:
    """Measure one row of the table; without a counterpart, our side of it."""
    now = clock(threads)
    with _undisturbed(threads):
        for side in case.sides:
            case.model(side).fit(*case.problem(*WARM_UP))
        X, y = case.problem(n, d)
        fits = [
            functools.partial(lambda side: case.model(side).fit(X, y), side) for side in case.sides
        ]
        objectives, firsts = [], []
        for fit in fits:
            start = now()
            model = fit()
            firsts.append(now() - start)
            objectives.append(case.objective(model, X, y))
            del model
        if paired := max(firsts) <= SLOW:
            times = interleaved(*fits, now=now, budget=budget)
        else:
            times = [
                [first] if first > SLOW else [_seconds(fit, now) for _ in range(FEW)]
                for fit, first in zip(fits, firsts, strict=True)
            ]
    ours, theirs = times[0], times[-1]
    row = Row(
        name=case.name,
        n=n,
        d=d,
        threads=threads,
        ours_seconds=float(np.median(ours)),
        theirs_seconds=None,
        ratio=None,
        ours_objective=objectives[0],
        theirs_objective=None,
        shown_only=case.shown_only,
        allowed=case.allowed,
    )
    if case.counterpart is None:
        return row
    ratio = paired_ratio(ours, theirs) if paired else float(np.median(ours) / np.median(theirs))
    low, high = interval(_ratios(times)) if paired and len(ours) > 1 else (None, None)
    return dataclasses.replace(
        row,
        theirs_seconds=float(np.median(theirs)),
        theirs_objective=objectives[1],
        ratio=ratio,
        pairs=len(ours) if paired else 1,
        low=low,
        high=high,
    )


def growth(
    case: Case, side: str, sizes: Sequence[tuple[int, int]], *, along: int, repeats: int
) -> float:
    """Fit the exponent of the time along n (0) or d (1), one thread, best of the repeats."""
    best = []
    with _undisturbed(threads=1):
        for n, d in sizes:
            X, y = case.problem(n, d)
            fit = functools.partial(lambda X, y: case.model(side).fit(X, y), X, y)
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
    if not hasattr(os, "fork"):
        return None
    meter = _meter()
    assert meter.stdin is not None
    assert meter.stdout is not None
    print(json.dumps([case.name, side, n, d]), file=meter.stdin, flush=True)
    measured: int | None = json.loads(meter.stdout.readline())
    return measured


@functools.cache
def _meter() -> subprocess.Popen[str]:
    """Start a process that has loaded all cases and forks for each fit it is asked to measure."""
    meter = subprocess.Popen(
        [sys.executable, "-m", "benchmarks.measure"],
        env={
            **os.environ,
            "OMP_NUM_THREADS": "1",
            "OPENBLAS_NUM_THREADS": "1",
            # Return freed arrays to the system at once, or later ones would hide in their place.
            "MALLOC_MMAP_THRESHOLD_": "65536",
        },
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    atexit.register(meter.terminate)
    return meter


def _serve() -> None:
    """Measure what is asked for, line by line, each in a fork that knows nothing of the others."""
    cases = {case.name: case for case in load_cases()}
    warnings.simplefilter("ignore")
    for line in sys.stdin:
        name, *rest = json.loads(line)
        child = os.fork()
        if child == 0:
            try:
                print(json.dumps(_memory_of_a_child(cases[name], *rest)), flush=True)
                os._exit(0)
            except BaseException:
                traceback.print_exc()
                os._exit(1)
        _, status = os.waitpid(child, 0)
        if status:
            break  # whoever asked reads the end of the file, and fails too


def _memory_of_a_child(case: Case, side: str, n: int, d: int) -> int | None:
    # The first fit loads what is loaded once; it is not what a fit costs.
    case.model(side).fit(*case.problem(max(200, 20 * d), d))
    X, y = case.problem(n, d)
    return peak_during(lambda: case.model(side).fit(X, y))


if __name__ == "__main__":
    _serve()
