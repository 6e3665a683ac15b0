"""Every public function gives a result, or an error that names the argument at fault.

A valid call comes from the function's own example; then one argument at a time is replaced by
something else.
"""

from __future__ import annotations

import copy
import inspect
import pickle
import re
import traceback
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from mlnotes.validation import check_random_state
from tests.discovery import estimators, public_modules, suited
from tests.examples import example_calls

# Terms, proofs and submissions have errors of their own, which their own tests look at.
ELSEWHERE = (
    *("mlnotes.proof", "mlnotes.theorems", "mlnotes.trusted", "mlnotes.proof"),
    *("mlnotes.checks", "mlnotes.ledger"),
)

# Looked at by the functions that the caller passes along, and by nobody else.
CALLERS_OWN = {
    ("expectation_maximisation", "start"),
    *((name, "states") for name in ("panels", "slider", "stepper")),
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
        for module in public_modules()
        if not module.__name__.startswith(ELSEWHERE)
        for name in getattr(module, "__all__", ())
        if inspect.isfunction(member := getattr(module, name))
    ]


def complaint(function: Callable[..., Any], replaced: str, what: str, value: Any) -> str | None:
    """What is wrong with the answer to a call in which one argument is replaced, if anything."""
    module = inspect.getmodule(function)
    assert module is not None
    args, kwargs = example_calls(module)[function.__name__]
    signature = inspect.signature(function)
    bound = signature.bind(*args, **kwargs)
    usual = bound.arguments.get(replaced, signature.parameters[replaced].default)
    if callable(usual) and callable(value):
        return None  # what goes wrong inside it is for the caller's function to say
    bound.arguments[replaced] = value
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            function(*bound.args, **bound.kwargs)
    except (TypeError, ValueError) as error:
        names = [replaced] if what in FOREIGN else list(signature.parameters)
        bound.apply_defaults()
        names += [str(bound.arguments.get("name"))]  # what validation calls its argument
        if any(re.search(rf"\b{re.escape(name)}\b", str(error)) for name in names):
            return None
        if traceback.extract_tb(error.__traceback__)[-1].filename.startswith("<doctest"):
            return None  # in a function that the caller passed
        return f"{replaced} = {what}: {type(error).__name__}: {error}"
    except Exception as error:
        if traceback.extract_tb(error.__traceback__)[-1].filename.startswith("<doctest"):
            return None  # in a function that the caller passed
        return f"{replaced} = {what}: {type(error).__name__}: {error}"
    return None


@pytest.mark.parametrize(
    "function", public_functions(), ids=lambda f: f"{f.__module__.partition('.')[2]}.{f.__name__}"
)
def test_a_result_or_an_error_that_names_the_argument(function: Callable[..., Any]) -> None:
    parameters = list(inspect.signature(function).parameters.values())
    if function.__module__.startswith("mlnotes.validation"):
        parameters = parameters[:1]  # the others are the programmer's
    complaints = [
        found
        for parameter in parameters
        if parameter.kind not in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD)
        if (function.__name__, parameter.name) not in CALLERS_OWN
        for what, value in {**FOREIGN, **UNUSUAL}.items()
        if (found := complaint(function, parameter.name, what, value)) is not None
    ]
    assert complaints == []


def careless(values: Any) -> float:
    """Return the first of some values.

    >>> careless([1.0, 2.0])
    1.0
    """
    return float(values[0])


def test_an_error_that_names_no_argument_is_noticed() -> None:
    assert complaint(careless, "values", "vector", [3.0]) is None
    for what in ("object", "text", "dict", "empty"):
        found = complaint(careless, "values", what, {**FOREIGN, **UNUSUAL}[what])
        assert found is not None
        assert found.startswith(f"values = {what}: ")


# What scikit-learn asks for and users do not call, and what ensembles tell their members.
OF_THE_PROTOCOL = ("fit", "set_params", "get_params", "get_metadata_routing")
OF_ENSEMBLES = ("set_stump", "set_tree")


def methods_of(model: Any) -> list[tuple[str, list[str]]]:
    """The public methods of an estimator but those of the protocol, with their parameters."""
    return [
        (name, list(inspect.signature(method).parameters))
        for name, method in inspect.getmembers(model, inspect.ismethod)
        if not name.startswith("_") and not name.endswith("_request")
        if name not in (*OF_THE_PROTOCOL, *OF_ENSEMBLES)
    ]


def complaint_of_method(
    model: Any, name: str, arguments: dict[str, Any], replaced: str
) -> str | None:
    """What is wrong with the answer of a method of a fitted estimator, if anything."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            result = getattr(model, name)(**arguments)
            list(result) if inspect.isgenerator(result) else None
    except (TypeError, ValueError) as error:
        known = (*arguments, "X", "label", "labels", "classes")
        if any(re.search(rf"\b{re.escape(word)}\b", str(error)) for word in known):
            return None
        return f"{name}({replaced}): {type(error).__name__}: {error}"
    except Exception as error:
        return f"{name}({replaced}): {type(error).__name__}: {error}"
    return None


POINTS = np.random.default_rng(0).normal(size=(12, 3))
LABELS = (POINTS[:, 0] > 0).astype(int)


@pytest.mark.parametrize("cls", estimators(), ids=lambda cls: cls.__name__)
def test_a_method_gives_a_result_or_an_error_that_names_its_argument(cls: type[Any]) -> None:
    usual = {"X": suited(cls, POINTS), "y": LABELS}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        fitted = cls().fit(usual["X"], LABELS)
    complaints = []
    for name, parameters in methods_of(fitted):
        given = {key: value for key, value in usual.items() if key in parameters}
        for replaced in parameters:
            for what, value in {**FOREIGN, **UNUSUAL}.items():
                arguments = {**given, replaced: value}
                model = copy.copy(fitted)  # a method may learn
                found = complaint_of_method(model, name, arguments, f"{replaced} = {what}")
                complaints += [] if found is None else [found]
    assert complaints == []


@pytest.mark.parametrize("cls", estimators(), ids=lambda cls: cls.__name__)
def test_labels_and_weights_that_are_none_are_named(cls: type[Any]) -> None:
    complaints = []
    for replaced in sorted(set(inspect.signature(cls.fit).parameters) - {"self", "X"}):
        for what, value in FOREIGN.items():
            arguments = {"X": suited(cls, POINTS), "y": LABELS, replaced: value}
            found = complaint_of_method(cls(), "fit", arguments, f"{replaced} = {what}")
            complaints += [] if found is None else [found]
    assert complaints == []


SEEDED = [f for f in public_functions() if "random_state" in inspect.signature(f).parameters]


@pytest.mark.parametrize("function", SEEDED, ids=lambda f: f.__name__)
def test_a_generator_draws_what_its_seed_draws(function: Callable[..., Any]) -> None:
    module = inspect.getmodule(function)
    assert module is not None
    if function is check_random_state:
        return  # it turns the one into the other
    args, kwargs = example_calls(module)[function.__name__]

    def drawn(random_state: Any) -> bytes:
        call = inspect.signature(function).bind(*args, **kwargs)
        call.arguments["random_state"] = random_state
        return pickle.dumps(function(*call.args, **call.kwargs))

    assert drawn(5) == drawn(np.int64(5)) == drawn(np.random.default_rng(5))
    with pytest.raises((TypeError, ValueError), match="random_state"):
        drawn(np.random.RandomState(5))
