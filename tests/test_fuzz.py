"""Every public function gives a result, or an error that names the argument at fault.

A valid call comes from the function's own example; then one argument at a time is replaced by
something else.
"""

from __future__ import annotations

import doctest
import functools
import inspect
import re
import warnings
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from tests.discovery import modules

# The modules whose functions are tried.
COVERED = {
    "mlnotes.clustering",
    "mlnotes.kernels",
    "mlnotes.adaboost",
    "mlnotes.bagging_and_forests",
    "mlnotes.decision_trees",
    "mlnotes.least_squares",
    "mlnotes.logistic_regression",
    "mlnotes.maximum_entropy",
    "mlnotes.perceptron",
}

# No argument of any function is one of these: the message must name the one that was replaced.
FOREIGN: dict[str, Any] = {
    "object": object(),
    "text": "text",
    "dict": {"a": 1},
    "set": {1, 2},
    "complex": 1j,
    "ragged": [[1.0, 2.0], [3.0]],
    "bytes": b"\x00",
    "class": int,
    "complex array": np.array([[1j, 2.0]]),
    "texts": ["a", "b"],
    "none inside": [None, 1.0],
    "objects": np.array([object(), object()]),
}
# These may be right, or disagree with another argument, which the message may name instead.
UNUSUAL: dict[str, Any] = {
    "none": None,
    "nan": float("nan"),
    "inf": float("inf"),
    "minus inf": float("-inf"),
    "true": True,
    "zero": 0,
    "negative": -3,
    "fraction": 2.5,
    "long": 10**400,
    "nan inside": [[np.nan, 1.0]],
    "nans": [np.nan, np.nan],
    "huge": 1e308,
    "tiny": 5e-324,
    "huge entries": [[1e308, -1e308], [1e308, 1e308]],
    "empty": [],
    "empty matrix": np.empty((0, 3)),
    "no columns": np.empty((3, 0)),
    "cube": np.ones((2, 3, 4)),
    "vector": [1.0, 2.0, 3.0],
    "scalar array": np.array(1.0),
    "matrix": np.arange(6.0).reshape(3, 2),
    "function": len,
    "signs": [1, -1],
}


def public_functions() -> list[Callable[..., Any]]:
    """Every function that a public module of the package defines and exports."""
    return [
        member
        for module in modules()
        if module.__name__ in COVERED
        for name in getattr(module, "__all__", ())
        if inspect.isfunction(member := getattr(module, name))
    ]


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
            for place in modules():
                if vars(place).get(function.__name__) is function:
                    patch.setattr(place, function.__name__, recording(function.__name__, function))
        for test in doctest.DocTestFinder().find(module):
            runner.run(test, out=lambda text: None)
    return calls


def complaint(function: Callable[..., Any], replaced: str, what: str, value: Any) -> str | None:
    """What is wrong with the answer to a call in which one argument is replaced, if anything."""
    module = inspect.getmodule(function)
    assert module is not None
    args, kwargs = example_calls(module)[function.__name__]
    signature = inspect.signature(function)
    bound = signature.bind(*args, **kwargs)
    bound.arguments[replaced] = value
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            function(*bound.args, **bound.kwargs)
    except (TypeError, ValueError) as error:
        names = [replaced] if what in FOREIGN else list(signature.parameters)
        if any(re.search(rf"\b{re.escape(name)}\b", str(error)) for name in names):
            return None
        return f"{replaced} = {what}: {type(error).__name__}: {error}"
    except Exception as error:
        return f"{replaced} = {what}: {type(error).__name__}: {error}"
    return None


@pytest.mark.parametrize(
    "function", public_functions(), ids=lambda f: f"{f.__module__.partition('.')[2]}.{f.__name__}"
)
def test_a_result_or_an_error_that_names_the_argument(function: Callable[..., Any]) -> None:
    parameters = inspect.signature(function).parameters.values()
    complaints = [
        found
        for parameter in parameters
        if parameter.kind not in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD)
        for what, value in {**FOREIGN, **UNUSUAL}.items()
        # Whoever asks for that many steps is given them.
        if not (what == "long" and parameter.name.startswith(("max_", "n_rounds")))
        if (found := complaint(function, parameter.name, what, value)) is not None
    ]
    assert complaints == []
