"""The table and the chart."""

from __future__ import annotations

import os
import platform
from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from itertools import product

from threadpoolctl import threadpool_info

from benchmarks.measure import SLOW
from benchmarks.statistics import AGREEMENT, CONFIDENCE, SETTLED, Row, geometric_mean
from mlnotes import plot

SIZES = {"small": (200, 5), "medium": (5_000, 20), "large": (50_000, 50)}
MEAN_ALLOWED = 0.5


@dataclass
class Results:
    """All that a run has measured: growth of ours and scikit-learn's, memory also of all pairs."""

    rows: list[Row] = field(default_factory=list)
    memory: dict[str, tuple[int | None, int | None, int | None]] = field(default_factory=dict)
    growth_n: dict[str, tuple[float, float | None]] = field(default_factory=dict)
    growth_d: dict[str, tuple[float, float | None]] = field(default_factory=dict)
    missing: list[str] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)
    loads: list[float] = field(default_factory=list)
    machine: str = ""

    def threads(self) -> list[int]:
        return sorted({row.threads for row in self.rows})

    def counted(self, size: tuple[int, int], threads: int) -> list[Row]:
        return [
            row
            for row in self.rows
            if row.counted and (row.n, row.d) == size and row.threads == threads
        ]


def markdown(results: Results, chart: str) -> str:
    """Write the report; ``chart`` is the file name of the picture."""
    parts = [
        "# Benchmarks against scikit-learn",
        "The ratio is our time to fit over scikit-learn's: below 1 ours is faster. Both are timed "
        "by turns in one process and the ratio is the median of the ratios of neighbours; one "
        "thread by the time it uses of the processor, several by the clock on the wall. The "
        "objective is what fitting makes small, by the same function for both; a row counts only "
        f"if ours agrees to {AGREEMENT:g} or is smaller. Written by `python -m benchmarks`.",
        f"Beside each ratio stands in what interval it is known with probability {CONFIDENCE:g} "
        "(order statistics of the pairs; of fewer than five pairs the least and the greatest "
        f"ratio), and the number of pairs, which are repeated until that is {SETTLED:.0%} of the "
        f"ratio or the row has had its time. A fit of more than {SLOW:g} s is timed once.",
        results.machine + _left_out(results.left_out),
        _summary(results),
        f"![Ratios of the times with one thread]({chart})",
    ]
    for threads in results.threads():
        parts += [f"## {_threads(threads)}", _times(results, threads)]
    if results.memory:
        parts += [
            "## Peak memory of a fit",
            "Rise of the resident memory beyond the data at {} × {} unless another size is named, "
            "each in a process of its own, one thread. The last column is what a kernel matrix of "
            "all pairs of samples would take, where there is one.".format(*SIZES["large"]),
            _table(
                ["estimator", "ours", "scikit-learn", "all pairs"],
                [[name, *map(_megabytes, sizes)] for name, sizes in results.memory.items()],
            ),
        ]
    if results.growth_n:
        parts += [
            "## Growth",
            "Exponents p of time = c·nᵖ and time = c·dᵖ fitted to the logarithms, one thread.",
            _table(
                ["estimator", "n, ours", "n, scikit-learn", "d, ours", "d, scikit-learn"],
                [
                    [name, *map(_exponent, (*results.growth_n[name], *results.growth_d[name]))]
                    for name in results.growth_n
                ],
            ),
        ]
    if results.missing:
        parts += ["## Missing", "No adapter yet: " + ", ".join(results.missing) + "."]
    return "\n\n".join(parts) + "\n"


def chart(results: Results) -> plot.Picture:
    """Draw the ratios with one thread, one row for each estimator, one shape for each size."""
    rows = [row for row in results.rows if row.threads == 1 and row.ratio is not None]
    names = list(dict.fromkeys(row.name for row in reversed(rows)))
    ax = plot.new_axes(width=7.0, height=1.6 + 0.35 * len(names))
    ax.axvline(1.0, color="black", linewidth=1.0)
    for shape, colour, marker in zip(SIZES.values(), plot.PALETTE.values(), "o^s", strict=False):
        here = [row for row in rows if (row.n, row.d) == shape]
        for counted in (True, False):
            chosen = [row for row in here if row.counted == counted]
            ax.scatter(
                [row.ratio for row in chosen],
                [names.index(row.name) for row in chosen],
                s=49,
                marker=marker,
                facecolors=colour[0] if counted else "none",
                edgecolors=colour[0],
                label=_size(*shape) if counted else None,
            )
    ax.set_xscale("log", base=2)
    ax.xaxis.set_major_formatter(
        lambda ratio, _: f"{ratio:g}" if ratio >= 1 else f"1/{1 / ratio:g}"
    )
    ax.set(yticks=range(len(names)), yticklabels=names, ylim=(-0.6, len(names) - 0.4))
    ax.set_xlabel("time of ours / time of scikit-learn (hollow: not counted)")
    ax.figure.legend(loc="outside upper center", ncols=len(SIZES), frameon=False)
    return plot.picture(ax, alt="Ratio of our time to scikit-learn's for each estimator and size.")


def machine(loads: Sequence[float] = ()) -> str:
    """Describe what the numbers depend on, and nothing that tells one such machine from another.

    ``loads`` are how many processes wanted the processors during each measurement.
    """
    blas = sorted(
        {
            f"{pool['internal_api']} {pool['version']}"
            for pool in threadpool_info()
            if pool["user_api"] == "blas"
        }
    )
    described = [
        f"{os.cpu_count()} CPUs",
        f"{platform.system()} {platform.machine()}",
        f"Python {platform.python_version()}",
        *(f"{name} {version(name)}" for name in ("numpy", "scipy", "scikit-learn")),
        *blas,
    ]
    words = "Measured on: " + ", ".join(described) + "."
    busy = [load for load in loads if load > (os.cpu_count() or 1)]
    if busy:
        words += (
            f" The machine was busy with other work during {len(busy)} of {len(loads)} "
            f"measurements (load average up to {max(busy):.1f}): what is said of several threads, "
            "by the clock on the wall, says little then."
        )
    return words


def _summary(results: Results) -> str:
    lines = []
    for size, threads in product(SIZES.values(), results.threads()):
        counted = results.counted(size, threads)
        mean = geometric_mean(row.ratio for row in counted if row.ratio is not None)
        if mean is None:
            lines.append([_size(*size), _threads(threads), "0", "–", "–", ""])
            continue
        worst = max(counted, key=lambda row: row.ratio or 0.0)
        assert worst.ratio is not None
        target = ""
        if size == SIZES["medium"]:
            slow = [f"{row.name} > {row.allowed:g}" for row in counted if not row.fast_enough]
            slow += [f"mean > {MEAN_ALLOWED:g}"] if mean > MEAN_ALLOWED else []
            target = f"**missed**: {', '.join(slow)}" if slow else "met"
        lines.append(
            [
                _size(*size),
                _threads(threads),
                str(len(counted)),
                f"{mean:.2f}",
                f"{worst.ratio:.2f} ({worst.name})",
                target,
            ]
        )
    target = f"target (each as below, mean ≤ {MEAN_ALLOWED:g})"
    return _table(["n × d", "threads", "rows counted", "geometric mean", "worst", target], lines)


def _times(results: Results, threads: int) -> str:
    header = ["estimator", "n × d", "ours", "scikit-learn", "ratio", "known to", "target"]
    header += ["our objective", "its objective", "note"]
    lines = [
        [
            row.name,
            _size(row.n, row.d),
            _milliseconds(row.ours_seconds),
            _milliseconds(row.theirs_seconds),
            "–" if row.ratio is None else f"{row.ratio:.2f}",
            _spread(row),
            f"{row.allowed:g}" if row.counted and (row.n, row.d) == SIZES["medium"] else "",
            f"{row.ours_objective:.10g}",
            "–" if row.theirs_objective is None else f"{row.theirs_objective:.10g}",
            row.note,
        ]
        for row in results.rows
        if row.threads == threads
    ]
    return _table(header, lines)


def _spread(row: Row) -> str:
    if row.ratio is None:
        return "–"
    if row.low is None or row.high is None:
        return "one pair"
    return f"{row.low:.3g}–{row.high:.3g} ({row.pairs})"


def _left_out(parts: Sequence[str]) -> str:
    words = {
        "threads": "times with the default number of threads",
        "memory": "the peak memory of a fit",
        "growth": "the growth of the time with n and d",
    }
    missing = [words[part] for part in words if part in parts]
    return f" Not measured in this run: {'; '.join(missing)}." if missing else ""


def _table(header: Sequence[str], lines: Sequence[Sequence[str]]) -> str:
    rule = ["---", *["---:"] * (len(header) - 1)]
    return "\n".join("| " + " | ".join(line) + " |" for line in [header, rule, *lines])


def _size(n: int, d: int) -> str:
    return f"{n} × {d}"


def _threads(count: int) -> str:
    return "1 thread" if count == 1 else f"{count} threads (default)"


def _milliseconds(seconds: float | None) -> str:
    return "–" if seconds is None else f"{1e3 * seconds:.3g} ms"


def _megabytes(count: int | None) -> str:
    return "–" if count is None else f"{count / 1e6:.1f} MB"


def _exponent(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"
