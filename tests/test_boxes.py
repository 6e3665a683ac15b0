"""The functions that follow a boxed algorithm: short, quoted whole, running by themselves."""

from __future__ import annotations

import ast
import dataclasses
import importlib
import inspect
import re
import textwrap
from collections.abc import Callable
from types import CodeType
from typing import Any

import numpy as np
import pytest

from tests.examples import example_calls
from tools.paths import ROOT

FUNCTION = re.compile(
    r"literalinclude\} (?:\.\./)+mlnotes/([\w/]+)\.py\n:language: python\n:pyobject: (\w+)\n```"
)
# Quoted whole as well, though not below a box of their own.
MORE = {
    *("logistic_regression.newton", "maximum_entropy.minimise_dual", "mixtures_and_em.em_step"),
    *("decision_trees.best_stump", "clustering.lloyd"),
}
# The same, as long as their chapters are not written.
UNQUOTED = {"bagging_and_forests.majority_vote"}


def pages() -> dict[str, str]:
    """Every page of the book with its text."""
    found = [*(ROOT / "book").glob("*.md"), *(ROOT / "book").glob("*/*.md")]
    return {path.relative_to(ROOT).as_posix(): path.read_text("utf-8") for path in found}


def public(quoted: re.Match[str]) -> str:
    """The public name of a function that is quoted, such as perceptron.pocket."""
    return f"{quoted[1].partition('/_')[0].replace('/', '.')}.{quoted[2]}"


def boxes() -> dict[str, str]:
    """The function that is quoted below each box, by the label of the box."""
    found = {}
    for page, text in pages().items():
        for box in re.finditer(r"\{prf:algorithm\} .*\n:label: (\S+)", text):
            quoted = FUNCTION.search(text, box.end())
            assert quoted is not None, f"{page}: no function is quoted below {box[1]}"
            found[box[1]] = public(quoted)
    return found


BOXES = sorted({*boxes().values(), *MORE, *UNQUOTED})


def function_of(name: str) -> Callable[..., Any]:
    module, _, function = name.rpartition(".")
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


@pytest.mark.parametrize("name", BOXES)
def test_a_boxed_algorithm_has_at_most_25_lines(name: str) -> None:
    assert body_lines(function_of(name)) <= 25


def test_the_boxes_and_what_is_quoted_whole_are_found() -> None:
    quoted = {public(match) for text in pages().values() for match in FUNCTION.finditer(text)}
    assert len(boxes()) >= 9
    assert quoted >= MORE
    assert {"perceptron.pocket", "support_vector_machines.smo"} <= set(boxes().values())


@pytest.mark.parametrize("name", sorted(UNQUOTED))
def test_a_chapter_quotes_its_boxed_algorithms_as_soon_as_it_is_there(name: str) -> None:
    assert not (ROOT / "book" / f"{name.partition('.')[0]}.md").exists()


@pytest.mark.parametrize("name", BOXES)
def test_a_boxed_algorithm_runs_by_itself_on_public_names(name: str) -> None:
    function = function_of(name)
    module = inspect.getmodule(function)
    assert module is not None
    arguments, keywords = example_calls(module)[function.__name__]
    alone = run_alone(function, *arguments, **keywords)
    np.testing.assert_equal(alone, plain(function(*arguments, **keywords)))


def test_a_function_with_private_names_does_not_run_alone() -> None:
    with pytest.raises(AssertionError, match="is not public"):
        run_alone(function_of("support_vector_machines.hinge_subgradient"))
