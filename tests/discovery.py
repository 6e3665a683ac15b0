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


def public_modules() -> list[ModuleType]:
    """Every module that users import from: those whose names have no underscore in front."""
    return [module for module in modules() if "._" not in module.__name__]


def estimators() -> list[type[Any]]:
    """Every class below Estimator that a public module other than mlnotes.base exports."""
    found = {
        member
        for module in public_modules()
        if module.__name__ != "mlnotes.base"
        for name in getattr(module, "__all__", ())
        if inspect.isclass(member := getattr(module, name)) and issubclass(member, Estimator)
    }
    return sorted(found, key=lambda cls: (cls.__module__, cls.__name__))


def takes_only_positive(cls: type[Any]) -> bool:
    """Whether an estimator refuses negative numbers, as those of counts do."""
    return bool(cls().__sklearn_tags__().input_tags.positive_only)


def suited(cls: type[Any], X: Any) -> Any:
    """Points that an estimator takes: their absolute values where it refuses negative numbers."""
    return abs(X) if takes_only_positive(cls) else X
