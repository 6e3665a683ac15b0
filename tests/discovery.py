"""What there is to test: every public module of the package and every estimator in them."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from types import ModuleType
from typing import Any

import mlnotes
from mlnotes.base import Estimator


def modules() -> list[ModuleType]:
    """Every importable module of the package, private ones included."""
    return [
        importlib.import_module(found.name)
        for found in pkgutil.walk_packages(mlnotes.__path__, "mlnotes.")
    ]


def estimators() -> list[type[Any]]:
    """Every public class below Estimator that is defined outside mlnotes.base."""
    found = {
        member
        for module in modules()
        for name, member in inspect.getmembers(module, inspect.isclass)
        if issubclass(member, Estimator)
        and member.__module__ == module.__name__ != "mlnotes.base"
        and not name.startswith("_")
    }
    return sorted(found, key=lambda cls: (cls.__module__, cls.__name__))
