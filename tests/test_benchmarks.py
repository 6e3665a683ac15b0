"""The harness compares honestly. No test asserts a time."""

import itertools
import math
import subprocess
import sys
import time
import xml.etree.ElementTree as ET

import numpy as np
import pytest
import sklearn
from sklearn.linear_model import LinearRegression
from threadpoolctl import threadpool_info

import benchmarks.__main__ as program
from benchmarks import grading, kept, measure
from benchmarks.cases import Case, case_modules, estimators, home, load_cases, missing
from benchmarks.measure import (
    clock,
    compare,
    default_threads,
    growth,
    interleaved,
    memory,
    peak_during,
)
from benchmarks.report import SIZES, Results, chart, machine, markdown
from benchmarks.statistics import (
    CONFIDENCE,
    SETTLED,
    Row,
    as_good,
    exponent,
    geometric_mean,
    interval,
    paired_ratio,
    settled,
)
from mlnotes.least_squares import LeastSquares
from tests import discovery


class Priced:
    """What the fake clock reads off instead of the time."""

    def __init__(self, price):
        self.price = price


@pytest.fixture
def fake_clock(monkeypatch):
    monkeypatch.setattr(measure, "_seconds", lambda action, now: action().price)


class Ours:
    """Stands for an estimator of the package."""

    objective = 1.0
    price = 1.0
    seen = None

    def fit(self, X, y):
        type(self).seen = X
        return self


class Theirs(Ours):
    objective = 1.0


def problem(n, d):
    return np.full((2, 2), float(n)), np.zeros(2)


def case(**changes):
    settings = {
        "estimator": Ours,
        "problem": problem,
        "objective": lambda model, X, y: model.objective,
        "counterpart": Theirs,
    }
    return Case(**{**settings, **changes})


def row(**changes):
    settings = {
        "name": "a.A",
        "n": 5000,
        "d": 20,
        "threads": 1,
        "ours_seconds": 0.001,
        "theirs_seconds": 0.002,
        "ratio": 0.5,
        "ours_objective": 1.0,
        "theirs_objective": 1.0,
        "shown_only": "",
    }
    return Row(**{**settings, **changes})


def test_every_estimator_has_a_case():
    found = estimators()
    assert found == discovery.estimators()
    assert missing(found, load_cases()) == []


def test_an_estimator_without_a_case_is_named():
    assert missing([Ours, LeastSquares], load_cases()) == [f"{Ours.__module__}.Ours"]


def test_a_file_of_cases_is_named_like_the_module_of_its_estimators():
    for name, module in case_modules().items():
        assert {home(case.estimator) for case in module.CASES} == {f"mlnotes.{name}"}


def test_only_methods_on_pairs_are_held_against_a_matrix_of_all_pairs():
    assert case(pairwise=True).gram_bytes(20_000) == 3_200_000_000
    assert case().gram_bytes(20_000) is None


def test_cases_without_a_counterpart_must_say_why():
    with pytest.raises(ValueError, match="say why in shown_only"):
        case(counterpart=None)


@pytest.mark.parametrize("known", load_cases(), ids=lambda known: known.name)
def test_the_objective_of_every_case_agrees_or_is_marked(known):
    """At the smallest size; a case that never counts would be a case that proves nothing."""
    result = compare(known, *SIZES["small"], threads=1, budget=0.0)
    assert math.isfinite(result.ours_objective)
    assert result.counted == (not known.shown_only)


def test_the_ratio_is_the_median_of_neighbouring_pairs():
    assert paired_ratio([1, 1, 1000], [2, 2, 1]) == 0.5  # the means would say 200
    assert paired_ratio([1, 2, 10], [2, 10, 1]) == 0.5  # the medians would say 1


@pytest.mark.parametrize("times", [([], []), ([1.0], [1.0, 2.0])])
def test_a_ratio_needs_pairs(times):
    with pytest.raises(ValueError, match="as many times of each"):
        paired_ratio(*times)


@pytest.mark.parametrize("m", [5, 8, 20, 101])
def test_the_interval_holds_the_median_as_often_as_it_says(m):
    """And no narrower one of order statistics would."""
    rng = np.random.default_rng(0)
    draws = np.sort(rng.exponential(size=(4000, m)), axis=1)
    held = [low <= math.log(2) <= high for low, high in map(interval, draws)]
    assert np.mean(held) > CONFIDENCE - 0.015
    rank = list(draws[0]).index(interval(draws[0])[0])
    narrower = (draws[:, rank + 1] <= math.log(2)) & (math.log(2) <= draws[:, m - 2 - rank])
    assert narrower.mean() < CONFIDENCE + 0.015


def test_few_ratios_are_bounded_by_the_least_and_the_greatest():
    assert interval([3.0, 1.0, 2.0]) == (1.0, 3.0)
    assert interval([2.0]) == (2.0, 2.0)


def test_a_ratio_is_settled_once_five_or_more_agree():
    assert not settled([1.0] * 4)
    assert settled([1.0] * 5)
    assert settled([1.0, 1.0 + 0.9 * SETTLED, 1.0, 1.0, 1.0])
    assert not settled([1.0, 1.0 + 2 * SETTLED, 1.0, 1.0, 1.0])
    assert settled([0.5, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 2.0])  # single outliers do not matter


def test_geometric_mean_does_not_care_which_way_the_ratio_is_taken():
    ratios = [0.25, 0.5, 3.0]
    assert geometric_mean(ratios) == pytest.approx(0.375 ** (1 / 3))
    assert geometric_mean(1 / r for r in ratios) == pytest.approx(1 / geometric_mean(ratios))
    assert geometric_mean([]) is None


@pytest.mark.parametrize(
    ("ours", "theirs", "expected"),
    [
        (1.0, 1.0, True),
        (1.0 + 0.9e-6, 1.0, True),
        (1.0 + 1.1e-6, 1.0, False),
        (0.5, 1.0, True),
        (0.0, 0.0, True),
        (1e-9, 0.0, False),
        (-1.0, -1.0 - 1.1e-6, False),
        (-2.0, -1.0, True),
        (1e9 + 100, 1e9, True),
        (math.nan, 1.0, False),
        (1.0, math.nan, False),
        (-math.inf, 1.0, False),
    ],
)
def test_an_objective_must_agree_or_be_better(ours, theirs, expected):
    assert as_good(ours, theirs) is expected


@pytest.mark.parametrize("power", [0.0, 1.0, 2.5])
def test_the_exponent_of_a_power_law_is_recovered(power):
    sizes = [100, 200, 400, 800]
    assert exponent(sizes, [3e-6 * n**power for n in sizes]) == pytest.approx(power, abs=1e-12)


def test_an_exponent_needs_two_sizes():
    with pytest.raises(ValueError, match="at least two different sizes"):
        exponent([100, 100], [1.0, 2.0])


def test_a_worse_objective_is_marked_and_not_counted():
    worse = row(ours_objective=1.1)
    assert not worse.counted
    assert "objective worse" in worse.note
    assert row(ours_objective=0.9).counted
    assert row().note == ""


def test_what_is_only_shown_is_not_counted_but_still_marked_when_worse():
    shown = row(shown_only="sample by sample")
    assert not shown.counted
    assert shown.note == "sample by sample"
    assert "objective worse" in row(shown_only="sample by sample", ours_objective=2.0).note


class FakeTime:
    """A clock that moves on only by what the actions take, one second after another."""

    def __init__(self):
        self.now = 0.0

    def __call__(self):
        return self.now

    def action(self, *seconds):
        taken = itertools.cycle(seconds)

        def act():
            self.now += next(taken)

        return act


def test_the_sides_take_turns_and_change_who_goes_first():
    order = []
    times = interleaved(
        lambda: order.append("o"),
        lambda: order.append("t"),
        now=time.perf_counter,
        budget=0.0,
        least=4,
        most=9,
    )
    assert "".join(order) == "otto" * 2
    assert [len(side) for side in times] == [4, 4]


@pytest.mark.parametrize(
    ("theirs", "budget", "turns"),
    [
        ([2.0], 100.0, 5),  # all ratios agree
        ([1.0, 4.0], 14.0, 5),  # 3.5 seconds a turn on average: the budget ends it
        ([1.0, 4.0], 0.0, 3),  # the least
        ([1.0, 4.0], 1e9, 7),  # the most
    ],
)
def test_turns_end_when_the_ratio_is_settled_or_the_budget_is_spent(
    theirs, budget, turns, monkeypatch
):
    monkeypatch.setattr(measure, "LONG", 1e9)
    clock = FakeTime()
    times = interleaved(clock.action(1.0), clock.action(*theirs), now=clock, budget=budget, most=7)
    assert [len(side) for side in times] == [turns, turns]


def test_what_takes_long_is_not_repeated(monkeypatch):
    monkeypatch.setattr(measure, "LONG", 0.0)
    (times,) = interleaved(lambda: None, now=time.perf_counter, budget=1e9, least=5)
    assert len(times) == 1
    fits = []
    measure._best(lambda: fits.append(0), repeats=3)
    assert len(fits) == 3
    monkeypatch.setattr(measure, "SECONDS", 1e-9)
    measure._best(lambda: fits.append(sum(range(10_000))), repeats=3)
    assert len(fits) == 4


def test_each_side_gets_its_own_times(fake_clock):
    first, second = interleaved(
        lambda: Priced(3.0), lambda: Priced(2.0), now=time.perf_counter, budget=0.0, least=3
    )
    assert (first, second) == ([3.0] * 3, [2.0] * 3)


def test_a_row_has_the_median_times_and_their_ratio(fake_clock):
    class Slow(Ours):
        price = 3.0

    class Quick(Ours):
        price = 1.5

    result = compare(case(estimator=Slow, counterpart=Quick), 7, 3, threads=1, budget=0.0)
    assert (result.ours_seconds, result.theirs_seconds, result.ratio) == (3.0, 1.5, 2.0)


def test_a_fit_that_is_slow_is_made_once_and_the_other_side_a_few_times(monkeypatch):
    fake, fits = FakeTime(), {"ours": 0, "theirs": 0}
    monkeypatch.setattr(measure, "clock", lambda threads: fake)

    class Quick(Ours):
        def fit(self, X, y):
            fits["ours"] += 1
            fake.now += 4.0
            return self

    class Slow(Theirs):
        def fit(self, X, y):
            fits["theirs"] += 1
            fake.now += 2 * measure.SLOW
            return self

    result = compare(case(estimator=Quick, counterpart=Slow), 7, 3, threads=1, budget=1e9)
    assert (result.ours_seconds, result.theirs_seconds) == (4.0, 2 * measure.SLOW)
    assert result.ratio == 4.0 / (2 * measure.SLOW)
    assert (result.low, result.high, result.pairs) == (None, None, 1)
    assert fits == {"ours": 2 + measure.FEW, "theirs": 2}  # one to warm up, one for the objective


def test_a_row_says_how_well_its_ratio_is_known(fake_clock):
    result = compare(case(), 7, 3, threads=1, budget=1e9)
    assert (result.ratio, result.low, result.high, result.pairs) == (1.0, 1.0, 1.0, 5)


def test_a_row_carries_both_objectives_and_the_same_data_for_both():
    result = compare(case(), 7, 3, threads=1, budget=0.0)
    assert (result.n, result.d, result.threads) == (7, 3, 1)
    assert (result.ours_objective, result.theirs_objective) == (1.0, 1.0)
    assert result.counted
    assert Ours.seen is Theirs.seen
    np.testing.assert_array_equal(Ours.seen, np.full((2, 2), 7.0))


def test_a_row_without_a_counterpart_has_our_side_only():
    result = compare(case(counterpart=None, shown_only="alone"), 7, 3, threads=1, budget=0.0)
    assert result.ratio is None
    assert result.theirs_seconds is None
    assert result.theirs_objective is None
    assert result.ours_seconds > 0
    assert not result.counted


def test_one_thread_is_timed_by_the_processor_and_several_by_the_wall():
    assert clock(threads=1) is time.process_time
    assert clock(threads=2) is time.perf_counter


@pytest.mark.parametrize("threads", [1, 2])
def test_a_fit_runs_with_the_threads_of_its_row(threads):
    used = []

    class Spy(Ours):
        def fit(self, X, y):
            used.append({pool["num_threads"] for pool in threadpool_info()})
            return self

    compare(case(estimator=Spy), 7, 3, threads=threads, budget=0.0)
    assert set().union(*used) == {threads}


def test_default_threads_are_those_of_the_libraries():
    assert default_threads() in {pool["num_threads"] for pool in threadpool_info()}


def test_growth_is_fitted_along_the_axis_asked_for(fake_clock):
    class Cubic(Ours):
        def fit(self, X, y):
            self.price = X[0, 0] ** 3
            return self

    path = [(2_000, 5), (4_000, 20), (8_000, 80)]
    cubic = case(estimator=Cubic)  # the problem puts n into X[0, 0]; d is the square of n here
    assert growth(cubic, "ours", path, along=0, repeats=2) == pytest.approx(3)
    assert growth(cubic, "ours", path, along=1, repeats=2) == pytest.approx(1.5)


linux = pytest.mark.skipif(sys.platform != "linux", reason="the meter reads /proc")


@linux
def test_the_meter_sees_memory_that_was_freed_before_the_end():
    megabytes = 64

    def allocate_and_forget():
        np.ones(megabytes * 2**17).sum()

    assert peak_during(allocate_and_forget) == pytest.approx(megabytes * 2**20, rel=0.015)
    assert peak_during(lambda: None) < 2**20


@linux
@pytest.mark.slow
def test_memory_of_a_fit_includes_the_copy_that_scikit_learn_makes():
    (known,) = [known for known in load_cases() if known.estimator is LeastSquares]
    assert known.counterpart is LinearRegression
    copied = memory(known, "theirs", 40_000, 50)
    assert copied >= 40_000 * 50 * 8
    # A measurement leaves nothing behind that a later one would see.
    assert memory(known, "ours", 40_000, 50) < copied / 4
    assert memory(known, "theirs", 40_000, 50) == pytest.approx(copied, rel=0.05)


def results():
    return Results(
        rows=[
            row(ratio=0.25),
            row(name="b.B", ratio=1.0),
            row(name="c.C", ratio=100.0, ours_objective=1.1),
            row(name="d.D", ratio=200.0, shown_only="sample by sample"),
            row(name="e.E", ratio=None, theirs_seconds=None, theirs_objective=None, shown_only="-"),
            row(threads=2, ratio=3.0),
            row(n=200, d=5, ratio=0.1),
        ],
        memory={"a.A": (3_000_000, None, 3_200_000_000)},
        growth_n={"a.A": (1.25, 2.0)},
        growth_d={"a.A": (0.75, None)},
        missing=["mlnotes.f.F"],
    )


def test_the_report_averages_only_what_counts_and_says_whether_targets_are_met():
    lines = markdown(results(), "chart.svg").splitlines()
    (one_thread,) = [line for line in lines if line.startswith("| 5000 × 20 | 1 thread")]
    assert one_thread == "| 5000 × 20 | 1 thread | 2 | 0.50 | 1.00 (b.B) | met |"
    (two_threads,) = [line for line in lines if line.startswith("| 5000 × 20 | 2 threads")]
    assert two_threads.endswith("| 1 | 3.00 | 3.00 (a.A) | **missed**: a.A > 1, mean > 0.5 |")
    (marked,) = [line for line in lines if line.startswith("| c.C")]
    assert "**objective worse: not counted**" in marked
    assert "100.00" in marked
    (alone,) = [line for line in lines if line.startswith("| e.E")]
    assert alone.count("–") == 4


@pytest.mark.parametrize(
    ("ratios", "verdict"),
    [
        ([(0.4, 1.0), (0.6, 1.0)], "met"),
        ([(0.1, 1.0), (1.1, 1.0)], "**missed**: a.A > 1"),
        ([(0.1, 1.0), (1.1, 2.0)], "met"),
        ([(0.1, 1.0), (0.3, 0.2)], "**missed**: a.A > 0.2"),
        ([(0.6, 1.0), (0.6, 1.0)], "**missed**: mean > 0.5"),
    ],
)
def test_the_target_needs_every_estimator_and_the_mean(ratios, verdict):
    measured = Results(rows=[row(ratio=ratio, allowed=allowed) for ratio, allowed in ratios])
    (line,) = [
        x for x in markdown(measured, "c.svg").splitlines() if x.startswith("| 5000 × 20 | 1")
    ]
    assert line.endswith(f"| {verdict} |")


def test_the_report_has_memory_growth_chart_and_missing_estimators():
    text = markdown(results(), "chart.svg")
    assert "| a.A | 3.0 MB | – | 3200.0 MB |" in text
    assert "| a.A | 1.25 | 2.00 | 0.75 | – |" in text
    assert "](chart.svg)" in text
    assert "No adapter yet: mlnotes.f.F." in text


@pytest.mark.parametrize(("load", "busy"), [(1e3, True), (0.0, False)])
def test_the_report_says_if_the_machine_was_busy_but_not_which_it_was(load, busy, monkeypatch):
    monkeypatch.setattr("platform.node", lambda: pytest.fail("asked for the name of the host"))
    words = machine([0.0, load])
    assert ("busy with other work during 1 of 2" in words) is busy
    assert f"scikit-learn {sklearn.__version__}" in words
    assert words in markdown(Results(machine=words), "chart.svg")


def test_the_report_says_what_was_not_measured_and_how_well_a_ratio_is_known():
    rows = [row(low=0.4567, high=0.5432, pairs=12), row(name="b.B")]
    text = markdown(Results(rows=rows, left_out=["growth"], machine="Measured."), "c.svg")
    assert "Measured. Not measured in this run: the growth of the time with n and d." in text
    assert "| 0.50 | 0.457–0.543 (12) |" in text
    assert "| 0.50 | one pair |" in text


def test_a_report_of_nothing_counted_claims_no_mean():
    text = markdown(Results(rows=[row(shown_only="sample by sample")]), "chart.svg")
    assert "| 5000 × 20 | 1 thread | 0 | – | – |  |" in text
    assert "met" not in text.split("n × d | threads")[1].split("![")[0].replace("geometric", "")


def test_the_chart_has_a_point_for_every_ratio_with_one_thread():
    drawn = chart(results())
    ET.fromstring(drawn.svg())
    (ax,) = drawn._still.axes
    points = np.concatenate([c.get_offsets() for c in ax.collections])
    assert sorted(points[:, 0]) == [0.1, 0.25, 1.0, 100.0, 200.0]
    labels = [label.get_text() for label in ax.get_yticklabels()]
    assert {(labels[int(y)], x) for x, y in points} == {
        ("a.A", 0.1),
        ("a.A", 0.25),
        ("b.B", 1.0),
        ("c.C", 100.0),
        ("d.D", 200.0),
    }


def test_an_estimator_is_chosen_with_or_without_its_module():
    cases = load_cases()
    for name in ("LeastSquares", "least_squares.LeastSquares"):
        assert [known.estimator for known in program.choose(cases, name)] == [LeastSquares]
    assert program.choose(cases, None) == cases
    with pytest.raises(SystemExit, match=r"no case is named 'Magic'.*LeastSquares"):
        program.choose(cases, "Magic")


def test_only_a_full_run_can_be_recorded(capsys):
    for partial in (["--quick"], ["--only", "LeastSquares"], ["--parts", "memory"]):
        with pytest.raises(SystemExit):
            program.arguments(["--record", *partial])
    assert "keeps a full run" in capsys.readouterr().err
    assert program.arguments(["--record"]).record


@pytest.fixture
def alone(tmp_path, monkeypatch):
    """A run in an empty folder, of one case that counts its fits."""
    fits = []

    class Counted(Ours):
        def fit(self, X, y):
            fits.append(len(X))
            return self

    known = case(estimator=Counted)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(program, "load_cases", lambda: [known])
    monkeypatch.setattr(program, "estimators", lambda: [Counted, LeastSquares])
    monkeypatch.setattr(program, "fingerprint", lambda case, *settings: f"of the code {settings}")
    return tmp_path, fits


QUICK = ["--quick", "--parts", "times", "threads", "growth"]


def test_a_quick_run_shows_progress_and_writes_its_files(alone, capsys):
    program.main(QUICK)
    written = {path.name for path in (alone[0] / "_build" / "bench").iterdir()}
    assert written == {"RESULTS.md", "RESULTS.svg", "results.json", "quick"}
    output = capsys.readouterr()
    steps = [line for line in output.err.splitlines() if " left  " in line]
    assert steps[-1].startswith("█" * 20 + f" {len(steps):3}/{len(steps)},     0 s left")
    assert "missing: mlnotes.least_squares.LeastSquares" in output.err
    assert "# Benchmarks against scikit-learn" in output.out


def test_what_was_measured_on_this_code_is_not_measured_again(alone, capsys, monkeypatch):
    program.main(QUICK)
    first, before = capsys.readouterr(), len(alone[1])
    program.main(QUICK)
    again = capsys.readouterr()
    assert (len(alone[1]), again.out) == (before, first.out)
    assert again.err.count("(kept)") == again.err.count(" left  ") == first.err.count(" left  ")
    program.main([*QUICK, "--anew"])
    assert len(alone[1]) > before
    between = len(alone[1])
    monkeypatch.setattr(program, "fingerprint", lambda case, *settings: "of changed code")
    program.main(QUICK)
    assert len(alone[1]) > between


def test_a_run_that_is_broken_off_goes_on_where_it_was(alone, capsys, monkeypatch):
    interrupted = []

    def broken(*arguments, **options):
        interrupted.append(0)
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(program, "growth", broken)
        with pytest.raises(SystemExit, match="goes on from here"):
            program.main(QUICK)
    assert interrupted
    done = capsys.readouterr().err.count(" left  ")
    program.main(QUICK)
    assert done > 0
    assert capsys.readouterr().err.count("(kept)") == done


def test_a_file_that_was_only_half_written_is_measured_anew(tmp_path):
    folder = kept.Kept(tmp_path)
    assert folder.measure("a, 2 × 3", "now", lambda: [1.5, None]).value == [1.5, None]
    assert folder.read("a, 2 × 3").value == [1.5, None]
    (file,) = tmp_path.iterdir()
    file.write_text(file.read_text()[:-5])
    assert folder.read("a, 2 × 3") is None


def test_a_row_depends_on_the_modules_that_it_imports_and_on_no_others():
    clustering, mixtures = map(
        kept.imported_by, ("tests.benchmark_clustering", "tests.benchmark_mixtures_and_em")
    )
    assert {"mlnotes._solvers.kmeans", "mlnotes.base", "mlnotes._compiled"} <= clustering
    assert "mlnotes._solvers.mixtures" in mixtures - clustering
    assert not {name for name in clustering if name.startswith("mlnotes.proof")}
    loaded = subprocess.run(
        [sys.executable, "-c", "import sys, tests.benchmark_mixtures_and_em\nprint(*sys.modules)"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()
    assert {n for n in loaded if n.startswith(tuple(f"{p}." for p in kept.OURS))} <= mixtures


def test_a_fingerprint_changes_with_a_source_a_version_and_a_setting(monkeypatch, tmp_path):
    (known,) = [known for known in load_cases() if known.estimator is LeastSquares]

    def of(*settings):
        kept._sources.cache_clear()
        return kept.fingerprint(known, *settings)

    before = of(1)
    assert of(1) == before != of(2)
    with monkeypatch.context() as patch:
        patch.setattr(kept, "_surroundings", lambda: "numpy 0.0")
        assert of(1) != before
    changed, where = tmp_path / "least_squares.py", kept._file
    changed.write_text("changed = True\n")
    solver = "mlnotes._solvers.least_squares"
    with monkeypatch.context() as patch:
        patch.setattr(kept, "_file", lambda name: changed if name == solver else where(name))
        assert of(1) != before
    assert of(1) == before


ORPHAN = """
import subprocess, sys
from benchmarks import grading

busy = "import time\\nwhile time.process_time() < 1: pass"
leave = f"import subprocess, sys; subprocess.Popen([sys.executable, '-c', {busy!r}])"

def told(what, folder, name):
    subprocess.run([sys.executable, "-c", leave])
    return [1.0, 2.0]

grading.told = told
print(*grading.cost("sheet", "folder"))
"""


def test_what_a_class_costs_counts_processes_whose_parents_have_ended():
    done = subprocess.run([sys.executable, "-c", ORPHAN], capture_output=True, text=True)
    earned, possible, processor, _ = map(float, done.stdout.split())
    assert (earned, possible) == (1, 2)
    assert processor > 1


def test_a_class_of_model_answers_earns_every_point():
    cost = grading.measure("adaboost", 1)
    assert (cost.submissions, cost.earned, cost.possible) == (1, 15, 15)
    assert cost.row.startswith("| adaboost | 1 | 15 of 15 |")
