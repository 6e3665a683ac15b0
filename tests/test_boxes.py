"""The functions that follow a boxed algorithm: short, quoted whole, running by themselves."""

from __future__ import annotations

import ast
import dataclasses
import importlib
import inspect
import re
import textwrap
from collections.abc import Callable
from pathlib import Path
from types import CodeType
from typing import Any

import numpy as np
import pytest

from tools.execution import chapters
from tools.paths import ROOT

# The function, the page that quotes it, and a call.
GRAM, SIGNS = [[1.0, -1.0], [-1.0, 1.0]], [1, -1]
POINTS = [[2.0], [-2.0]]
MORE, LABELS = [[-2.0, 1.0], [-1.0, 0.5], [1.0, 0.0], [2.0, 1.0]], [-1, 1, -1, 1]
START = [0.5, 0.5], [[1.0], [4.0]], [[[1.0]], [[1.0]]]
FACES = [[1.0], [2.0], [3.0], [4.0], [5.0], [6.0]]
BOXES: dict[str, tuple[str, tuple[Any, ...]]] = {
    "perceptron.perceptron": ("perceptron", (POINTS, SIGNS)),
    "perceptron.pocket": ("perceptron/further", (MORE, LABELS)),
    "logistic_regression.gradient_descent": ("logistic_regression", (MORE, LABELS)),
    "logistic_regression.stochastic_gradient_descent": ("logistic_regression", (MORE, LABELS)),
    "logistic_regression.newton": ("logistic_regression", (MORE, LABELS)),
    "maximum_entropy.minimise_dual": ("maximum_entropy", (FACES, [4.5])),
    "decision_trees.best_stump": ("adaboost", (MORE, LABELS)),
    "adaboost.adaboost": ("adaboost", (MORE, LABELS)),
    "support_vector_machines.smo": ("support_vector_machines", (GRAM, SIGNS)),
    "support_vector_machines.dual_coordinate_ascent": (
        "support_vector_machines",
        (POINTS, SIGNS),
    ),
    "support_vector_machines.pegasos": ("support_vector_machines", (POINTS, SIGNS)),
    "mixtures_and_em.expectation_maximisation": (
        "mixtures_and_em",
        (lambda x: (x, 4.0 - (x - 2.0) ** 2), lambda x: x / 2 + 1.0, 0.0),
    ),
    "mixtures_and_em.em_step": ("mixtures_and_em", ([[0.0], [1.0], [5.0]], *START)),
    "clustering.lloyd": ("mixtures_and_em", ([[0.0], [1.0], [9.0]], [[0.0], [1.0]])),
}
# The same without a page, as long as their chapters are not written.
UNQUOTED: dict[str, tuple[Any, ...]] = {
    "bagging_and_forests.bootstrap": (5, 0),
    "bagging_and_forests.bagging": (MORE, LABELS, lambda X, y: len, 3),
    "bagging_and_forests.majority_vote": ([["a", "b"], ["b", "b"]],),
    "decision_trees.cart": (MORE, LABELS),
    "decision_trees.categorical_tree": ([["a", "b"], ["a", "c"]], [0, 1]),
}
CALLS = {**{name: arguments for name, (_, arguments) in BOXES.items()}, **UNQUOTED}
KEYWORDS = {"logistic_regression.stochastic_gradient_descent": {"rate": 0.5}}


def function_of(name: str) -> Callable[..., Any]:
    module, _, function = name.partition(".")
    found: Callable[..., Any] = getattr(importlib.import_module(f"mlnotes.{module}"), function)
    return found


def body_lines(function: Callable[..., Any]) -> int:
    """How many lines a function has without its signature, docstring and blank lines."""
    source = textwrap.dedent(inspect.getsource(function))
    (tree,) = ast.parse(source).body
    assert isinstance(tree, ast.FunctionDef)
    first, last = tree.body[1].lineno, tree.end_lineno
    assert last is not None
    return sum(bool(line.strip()) for line in source.splitlines()[first - 1 : last])


def names_in(code: CodeType) -> set[str]:
    """The names that code refers to, that of functions inside it included."""
    inner = [names_in(part) for part in code.co_consts if isinstance(part, CodeType)]
    return set(code.co_names).union(*inner)


def public_name(value: Any, name: str) -> Any:
    """The value as users import it, from a public module that exports it under this name."""
    module = importlib.import_module(value.__module__.partition("._")[0])
    assert name in module.__all__, f"{name} is not public in {module.__name__}"
    return getattr(module, name)


def run_alone(function: Callable[..., Any], *arguments: Any, **keywords: Any) -> Any:
    """Run the source of a function with NumPy and public names only."""
    defaults = {getattr(value, "__name__", "") for value in function.__defaults__ or ()}
    known = {
        name: value if name in ("np", "math") else public_name(value, name)
        for name, value in function.__globals__.items()
        if name in names_in(function.__code__) | defaults
    }
    source = "from __future__ import annotations\n" + inspect.getsource(function)
    exec(compile(source, function.__name__, "exec"), known)
    return plain(known[function.__name__](*arguments, **keywords))


def plain(value: Any) -> Any:
    """A result whose parts can be compared one by one."""
    return dataclasses.asdict(value) if dataclasses.is_dataclass(value) else value


@pytest.mark.parametrize("name", CALLS)
def test_a_boxed_algorithm_has_at_most_25_lines(name: str) -> None:
    assert body_lines(function_of(name)) <= 25


@pytest.mark.parametrize("name", BOXES)
def test_a_boxed_algorithm_is_quoted_whole_on_its_page(name: str) -> None:
    page = (ROOT / "book" / f"{BOXES[name][0]}.md").read_text("utf-8")
    function = function_of(name)
    path = re.escape(Path(inspect.getfile(function)).relative_to(ROOT).as_posix())
    up = re.escape("../" * (1 + BOXES[name][0].count("/")))
    quoted = rf"literalinclude}} {up}{path}\n:language: python\n:pyobject: {function.__name__}\n```"
    assert re.search(quoted, page)


@pytest.mark.parametrize("name", UNQUOTED)
def test_a_chapter_quotes_its_boxed_algorithms_as_soon_as_it_is_there(name: str) -> None:
    assert not (ROOT / "book" / f"{name.partition('.')[0]}.md").exists()


@pytest.mark.parametrize("name", CALLS)
def test_a_boxed_algorithm_runs_by_itself_on_public_names(name: str) -> None:
    function, arguments, keywords = function_of(name), CALLS[name], KEYWORDS.get(name, {})
    alone = run_alone(function, *arguments, **keywords)
    np.testing.assert_equal(alone, plain(function(*arguments, **keywords)))


def test_a_function_with_private_names_does_not_run_alone() -> None:
    with pytest.raises(AssertionError, match="is not public"):
        run_alone(function_of("support_vector_machines.hinge_subgradient"))


def test_every_box_of_a_page_is_followed_by_its_algorithm() -> None:
    followed = {}
    for page in chapters():
        text = page.read_text("utf-8")
        for box in re.finditer(r"\{prf:algorithm\} .*\n:label: (\S+)", text):
            quoted = re.search(r":pyobject: (\w+)", text[box.end() :])
            followed[box[1]] = quoted and quoted[1]
    assert len(followed) >= 9
    assert set(followed.values()) <= {name.partition(".")[2] for name in BOXES}
