"""The functions that follow a boxed algorithm: short, quoted whole, running by themselves."""

from __future__ import annotations

import ast
import importlib
import inspect
import re
import textwrap
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tools.paths import ROOT

# The function, the page that quotes it, and a call.
GRAM, SIGNS = [[1.0, -1.0], [-1.0, 1.0]], [1, -1]
POINTS = [[2.0], [-2.0]]
START = [0.5, 0.5], [[1.0], [4.0]], [[[1.0]], [[1.0]]]
BOXES: dict[str, tuple[str, tuple[Any, ...]]] = {
    "support_vector_machines.smo": ("support_vector_machines", (GRAM, SIGNS)),
    "support_vector_machines.dual_coordinate_ascent": (
        "support_vector_machines",
        (POINTS, SIGNS),
    ),
    "support_vector_machines.pegasos": ("support_vector_machines", (POINTS, SIGNS)),
    "mixtures_and_em.em_step": ("mixtures_and_em", ([[0.0], [1.0], [5.0]], *START)),
    "clustering.lloyd": ("mixtures_and_em", ([[0.0], [1.0], [9.0]], [[0.0], [1.0]])),
}
# The same without a page, as long as their chapters are not written.
UNQUOTED: dict[str, tuple[Any, ...]] = {
    "decision_trees.cart": ([[0.0], [1.0], [2.0]], ["a", "b", "a"]),
    "decision_trees.categorical_tree": ([["a", "b"], ["a", "c"]], [0, 1]),
}
CALLS = {**{name: arguments for name, (_, arguments) in BOXES.items()}, **UNQUOTED}


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


def globals_of(function: Any) -> set[str]:
    """The names of its module that a function uses, also in functions within it and as defaults."""
    codes, used = [function.__code__], set()
    while codes:
        code = codes.pop()
        used |= set(code.co_names)
        codes += [constant for constant in code.co_consts if inspect.iscode(constant)]
    defaults = [*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values()]
    used |= {getattr(default, "__name__", "") for default in defaults}
    return used & set(function.__globals__)


def run_alone(function: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
    """Run the source of a function with NumPy and public names only."""
    names = {name: function.__globals__[name] for name in globals_of(function)}
    private = [name for name in names if name.startswith("_")]
    assert not private, f"{function.__name__} needs the private {private}"
    known = {name: value for name, value in names.items() if name in ("np", "math")}
    for name, value in names.items():
        module = importlib.import_module(getattr(value, "__module__", "numpy"))
        if module.__name__.startswith("mlnotes"):
            assert not any(part.startswith("_") for part in module.__name__.split("."))
            known[name] = getattr(module, name)
    source = "from __future__ import annotations\n" + inspect.getsource(function)
    exec(compile(source, function.__name__, "exec"), known)
    return known[function.__name__](*arguments)


@pytest.mark.parametrize("name", CALLS)
def test_a_boxed_algorithm_has_at_most_25_lines(name: str) -> None:
    assert body_lines(function_of(name)) <= 25


@pytest.mark.parametrize("name", BOXES)
def test_a_boxed_algorithm_is_quoted_whole_on_its_page(name: str) -> None:
    module, _, function = name.partition(".")
    page = (ROOT / "book" / f"{BOXES[name][0]}.md").read_text("utf-8")
    path = rf"\.\./mlnotes/{module}\.py"
    quoted = rf"literalinclude}} {path}\n:language: python\n:pyobject: {function}\n```"
    assert re.search(quoted, page)


@pytest.mark.parametrize("name", UNQUOTED)
def test_a_chapter_quotes_its_boxed_algorithms_as_soon_as_it_is_there(name: str) -> None:
    assert not (ROOT / "book" / f"{name.partition('.')[0]}.md").exists()


@pytest.mark.parametrize("name", CALLS)
def test_a_boxed_algorithm_runs_by_itself_on_public_names(name: str) -> None:
    function, arguments = function_of(name), CALLS[name]
    alone, here = run_alone(function, arguments), function(*arguments)
    if not isinstance(here, tuple | list):
        assert repr(alone) == repr(here)
        return
    for left, right in zip(alone, here, strict=True):
        np.testing.assert_array_equal(left, right)


def test_a_function_with_private_names_does_not_run_alone() -> None:
    with pytest.raises(AssertionError, match="needs the private"):
        run_alone(function_of("support_vector_machines.hinge_subgradient"), ())
