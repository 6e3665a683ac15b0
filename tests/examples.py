"""Valid calls of public functions, as their own examples make them."""

from __future__ import annotations

import doctest
import functools
import inspect
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

from tests.discovery import modules


@functools.cache
def example_calls(module: ModuleType) -> dict[str, tuple[tuple[Any, ...], dict[str, Any]]]:
    """The first call of each function in the examples of a module."""
    calls: dict[str, tuple[tuple[Any, ...], dict[str, Any]]] = {}

    def recording(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def record(*args: Any, **kwargs: Any) -> Any:
            result = function(*args, **kwargs)
            calls.setdefault(name, (args, kwargs))
            return result

        return record

    runner = doctest.DocTestRunner(verbose=False)
    functions = [f for _, f in inspect.getmembers(module, inspect.isfunction)]
    with pytest.MonkeyPatch.context() as patch:
        # An example may import its function, from wherever it is public.
        for function in functions:
            for place in [*modules(), module]:
                if vars(place).get(function.__name__) is function:
                    patch.setattr(place, function.__name__, recording(function.__name__, function))
        for test in doctest.DocTestFinder().find(module):
            runner.run(test, out=lambda text: None, clear_globs=False)
    return calls
