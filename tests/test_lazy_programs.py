"""Programs that do not do what is asked: none of them earns more than a tenth of the points.

Each family is generated from what a task declares: what a program returns, and in which shapes. A
lazy program is a table of what it returns, so that nothing of it needs to be run.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from mlnotes.checks import Assignment, Implement, assignments, variant
from mlnotes.checks.values import Value
from tools import assignment_sources as sources

Case = dict[str, Any]
Lazy = Callable[[Case], tuple[Any, ...]]
STUDENTS = ("Ada", "Bob", "Cleo", "Dan")
TASKS = [
    (name, task.name)
    for name in assignments()
    for task in Assignment(name, "Ada").tasks.values()
    if isinstance(task, Implement)
]
AVERAGE = "def average(x):\n    return x.mean()\n"


def program(name: str, task: str, student: str, change: Callable[[str], str] = str) -> Any:
    """Return the model answer for a student, as a function, after a change of its source."""
    answer = AVERAGE if name == "sample" else sources.read(name).answers[task]
    space: dict[str, Any] = {}
    exec(change(sources.filled(answer, variant(student, name))), space)
    return space[task]


def values(task: Implement) -> list[Value]:
    return [value for value in task.returns if isinstance(value, Value)]


def shapes(task: Implement, case: Case, free: int) -> list[tuple[int, ...]]:
    """Return the declared shapes, with a length for what may have any."""
    wanted = [value.shape(case) for value in values(task) if value.shape is not None]
    return [tuple(free if n is None else n for n in shape) for shape in wanted]


def constants(task: Implement) -> Iterator[Lazy]:
    """Yield programs that always return the same number, or the same share for each entry."""
    for free, number in itertools.product((0, 1, 5), (0.0, 1.0, -1.0, 0.5, 100.0)):
        yield lambda case, k=free, c=number: tuple(np.full(s, c) for s in shapes(task, case, k))
    yield lambda case: tuple(np.full(s, 1 / max(1, np.prod(s))) for s in shapes(task, case, 1))


def noise(task: Implement) -> Iterator[Lazy]:
    """Yield programs that return random numbers."""
    for seed in range(3):
        random = np.random.default_rng(seed)
        yield lambda case, r=random: tuple(r.uniform(size=s) for s in shapes(task, case, 3))


def echoes(task: Implement) -> Iterator[Lazy]:
    """Yield programs that return their arguments, where one has the right shape."""

    def like(case: Case, shape: tuple[int, ...], turn: int) -> Any:
        found = [np.asarray(v) for v in case.values() if np.shape(v) == shape]
        return found[turn % len(found)] if found else np.zeros(shape)

    for turn in range(3):
        yield lambda case, t=turn: tuple(
            like(case, s, t + k) for k, s in enumerate(shapes(task, case, 0))
        )


def first_example(task: Implement) -> Iterator[Lazy]:
    """Yield programs that only look at the first of everything."""

    def first(case: Case, shape: tuple[int, ...], scale: float) -> Any:
        for v in case.values():
            if np.ndim(v) > 0 and np.shape(v[0]) == shape:
                return scale * v[0]
        return np.zeros(shape)

    def sign(case: Case) -> float:
        return float(case["y"][0]) if "y" in case else 1.0

    for free, scaled in itertools.product((0, 1), (False, True)):
        yield lambda case, k=free, t=scaled: tuple(
            first(case, s, sign(case) * case.get("rate", 1.0) if t else 1.0)
            for s in shapes(task, case, k)
        )


def of_the_model(name: str, task: Implement, student: str) -> Iterator[Lazy]:
    """Yield the model answer stopped early, repeated, or on other data."""
    whole = program(name, task.name, student)
    for change in (
        lambda text: re.sub(r"range\([\w_]+\)", "range(1)", text),
        lambda text: re.sub(r"range\([\w_]+\)", "range(2)", text),
        lambda text: text.replace("while not quiet:", "for _ in range(1):"),
        lambda text: re.sub(r"( +)(for i in visits:)", r"\1for i in visits[:1]:", text),
        lambda text: text.replace("while not quiet:", "for _ in range(1):").replace(
            "in visits:", "in visits[:1]:"
        ),
    ):
        if change(sources.filled(_source(name, task.name), {})) == _source(name, task.name):
            continue
        short = program(name, task.name, student, change)
        yield lambda case, f=short: _tiled(task, case, f(**case))

    def all_alike(case: Case) -> tuple[Any, ...]:
        """Run it on the first example, as often as there are examples."""
        repeated = {k: v if np.ndim(v) == 0 else np.full_like(v, v[0]) for k, v in case.items()}
        return _several(whole(**repeated))

    if any(np.ndim(v) for v in task.cases(np.random.default_rng(0))[0].values()):
        yield all_alike
    for seed in (1, 2):
        others = iter(itertools.cycle(task.cases(np.random.default_rng(seed))))
        yield lambda case, o=others: _several(whole(**next(o)))


def _source(name: str, task: str) -> str:
    text = AVERAGE if name == "sample" else sources.read(name).answers[task]
    return re.sub(r"NUMBER", "number", text)


def _several(returned: Any) -> tuple[Any, ...]:
    return returned if isinstance(returned, tuple) else (returned,)


def _tiled(task: Implement, case: Case, returned: Any) -> tuple[Any, ...]:
    """Return values in the declared shapes: what is too short is repeated."""
    wanted = shapes(task, case, 1)
    parts = [np.asarray(part) for part in _several(returned)]
    return tuple(
        part if value.shape is not None and None in value.shape(case) else np.resize(part, shape)
        for value, part, shape in zip(values(task), parts, wanted, strict=True)
    )


def earned(task: Implement, cases: list[Any], lazy: Lazy) -> float:
    """Return the points of what a lazy program returns, where it can be read at all."""
    outputs = []
    with np.errstate(all="ignore"):
        for case in cases:
            returned = lazy(dict(case))
            pairs = zip(values(task), returned, strict=True)
            outputs.append(
                tuple(np.asarray(r, dtype=np.int64 if v.whole else float) for v, r in pairs)
            )
        hints = task.hints(cases, outputs)
    return sum(p.points for p, hint in zip(task.properties, hints, strict=True) if not hint)


@pytest.mark.parametrize(("name", "task_name"), TASKS)
def test_no_lazy_program_earns_more_than_a_tenth(name: str, task_name: str) -> None:
    for student in STUDENTS:
        task = Assignment(name, student).tasks[task_name]
        assert isinstance(task, Implement)
        possible = sum(p.points for p in task.properties)
        cases = list(task.cases(np.random.default_rng(7)))
        model = program(name, task_name, student)
        assert earned(task, cases, lambda case, f=model: _several(f(**case))) == possible
        families = (constants, noise, echoes, first_example)
        lazy = [f for family in families for f in family(task)]
        for k, f in enumerate([*lazy, *of_the_model(name, task, student)]):
            try:
                points = earned(task, cases, f)
            except (ArithmeticError, IndexError, ValueError, np.linalg.LinAlgError):
                continue  # a program that fails earns nothing
            assert points <= possible / 10, (student, k, points)


def perceptron(X: Any, y: Any, rate: float) -> Any:
    return rate * y[0] * X[0], [0]


def one_pass(X: Any, y: Any, rate: float) -> Any:
    theta, rows = np.zeros(X.shape[1]), []
    for i in range(len(X)):
        if y[i] * (X[i] @ theta) <= 0:
            theta = theta + rate * y[i] * X[i]
            rows.append(i)
    return theta, rows


def hebb(X: Any, y: Any, rate: float) -> Any:
    return rate * y @ X, np.arange(len(X))


def boost(chosen: Callable[..., int]) -> Any:
    """Return boosting that is right in everything but which classifier it takes."""

    def run(H: Any, y: Any, rounds: int) -> Any:
        weights, rows, votes = np.full(len(y), 1 / len(y)), [], []
        for k in range(rounds):
            row = chosen(H, y, k)
            error = weights[H[row] != y].sum()
            rows.append(row)
            votes.append(np.log((1 - error) / error) / 2)
            weights = weights * np.exp(-votes[-1] * y * H[row])
            weights = weights / weights.sum()
        return rows, votes, weights

    return run


def equal_multipliers(X: Any, y: Any, C: float) -> Any:
    alpha = np.where(y > 0, np.mean(y < 0), np.mean(y > 0)) * C
    w = (alpha * y) @ X
    return w, float(np.mean(y - X @ w)), alpha


def some_threshold(x: Any, y: Any, grid: Any) -> Any:
    return grid[0], np.mean(np.where(x >= grid[0], 1, -1) != y)


def best_guess(x: Any, weights: Any, means: Any, variances: Any) -> Any:
    k = len(weights)
    return np.full(k, 1 / k), np.full(k, x.mean()), np.full(k, x.var()), 0.0


def no_penalty(X: Any, y: Any, penalty: float) -> Any:
    return np.linalg.lstsq(X, y, rcond=None)[0]


def no_offset(X: Any, y: Any) -> Any:
    theta = np.linalg.lstsq(X, y, rcond=None)[0]
    left = y - X @ theta
    return np.append(theta, 0.0), left @ left / len(y)


def means_only(X: Any, y: Any) -> Any:
    return np.append(np.zeros(X.shape[1]), y.mean()), y.var()


def matched_filter(X: Any, y: Any) -> Any:
    theta = X.T @ y / np.linalg.norm(X) ** 2
    return theta, theta @ theta


LAZY = [
    ("least_squares", "fit", no_offset),
    ("least_squares", "fit", means_only),
    ("least_squares", "shortest", matched_filter),
    ("perceptron", "perceptron", perceptron),
    ("perceptron", "perceptron", one_pass),
    ("perceptron", "perceptron", hebb),
    ("adaboost", "boost", boost(lambda H, y, k: int((y != H).mean(axis=1).argmin()))),
    ("adaboost", "boost", boost(lambda H, y, k: 0)),
    ("adaboost", "boost", boost(lambda H, y, k: k % len(H))),
    ("adaboost", "boost", boost(lambda H, y, k: k % 2)),
    ("support_vector_machines", "svm", equal_multipliers),
    ("pac_learning", "threshold_erm", some_threshold),
    ("mixtures_and_em", "em_step", best_guess),
    ("logistic_regression", "logistic_regression", no_penalty),
]


@pytest.mark.parametrize(("name", "task_name", "answer"), LAZY)
def test_no_program_that_avoids_the_work_earns_more_than_a_tenth(
    name: str, task_name: str, answer: Callable[..., Any]
) -> None:
    for seed, student in enumerate(STUDENTS):
        task = Assignment(name, student).tasks[task_name]
        assert isinstance(task, Implement)
        cases = list(task.cases(np.random.default_rng(seed)))
        points = earned(task, cases, lambda case: _several(answer(**case)))
        assert points <= sum(p.points for p in task.properties) / 10, student
