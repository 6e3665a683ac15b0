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
from mlnotes_book.listings import without_docstring

from tests.examples import example_calls
from tools.paths import ROOT

FUNCTION = re.compile(
    r"literalinclude\} (?:\.\./)+mlnotes/([\w/]+)\.py\n:language: python\n:pyobject: (\w+)\n```"
)
# For so many characters the code on a page has room.
WIDTH = 68
# Quoted whole as well, though not below a box of their own.
MORE = {
    *("logistic_regression.newton", "maximum_entropy.minimise_dual", "mixtures_and_em.em_step"),
    *("decision_trees.best_stump", "bagging_and_forests.majority_vote"),
}


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


def quoted_functions() -> set[str]:
    """Every function that a page quotes, but for derivations, which are quoted as written."""
    found = {public(match) for text in pages().values() for match in FUNCTION.finditer(text)}
    return {name for name in found if not name.startswith("theorems.")}


BOXES = sorted({*boxes().values(), *MORE})


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


def too_wide(source: str) -> list[str]:
    """The lines of a function, as a page quotes it, that the box of its code has no room for."""
    return [line for line in without_docstring(source).splitlines() if len(line) > WIDTH]


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


def without_functions(value: Any) -> Any:
    """A result in which functions, such as predictors, are left out: each run makes its own."""
    if isinstance(value, list | tuple):
        return [without_functions(part) for part in value if not callable(part)]
    return value


@pytest.mark.parametrize("name", BOXES)
def test_a_boxed_algorithm_has_at_most_25_lines(name: str) -> None:
    assert body_lines(function_of(name)) <= 25


@pytest.mark.parametrize("name", sorted(quoted_functions()))
def test_a_function_that_a_page_quotes_is_as_narrow_as_the_page(name: str) -> None:
    assert too_wide(inspect.getsource(function_of(name))) == []


def test_a_line_that_is_too_wide_is_found_and_a_docstring_is_not_looked_at() -> None:
    manual = f'def f():\n    """{"a" * 80}"""\n'
    wide = f"    return {'b' * 80}"
    assert too_wide(f"{manual}    return 1") == []
    assert too_wide(f"{manual}{wide}") == [wide]
    assert too_wide(f"def f({'c' * 80}):\n    return 1") != []


def test_every_chapter_has_an_algorithm_on_its_lecture() -> None:
    """But the one on concentration, which proves bounds and has nothing to run."""
    text = {path.stem: path.read_text("utf-8") for path in (ROOT / "book").glob("*.md")}
    lectures = {name for name in text if (ROOT / "mlnotes" / "theorems" / f"{name}.py").exists()}
    assert len(lectures) >= 21
    without = {name for name in lectures if "{prf:algorithm}" not in text[name]}
    assert without == {"concentration"}


def test_the_boxes_and_what_is_quoted_whole_are_found() -> None:
    assert len(boxes()) >= 34
    assert quoted_functions() >= MORE
    assert {"perceptron.pocket", "support_vector_machines.smo"} <= set(boxes().values())


@pytest.mark.parametrize("name", BOXES)
def test_a_boxed_algorithm_runs_by_itself_on_public_names(name: str) -> None:
    function = function_of(name)
    module = inspect.getmodule(function)
    assert module is not None
    arguments, keywords = example_calls(module)[function.__name__]
    alone = run_alone(function, *arguments, **keywords)
    here = plain(function(*arguments, **keywords))
    np.testing.assert_equal(without_functions(alone), without_functions(here))


def test_a_function_with_private_names_does_not_run_alone() -> None:
    with pytest.raises(AssertionError, match="is not public"):
        run_alone(function_of("support_vector_machines.hinge_subgradient"))
