"""Checks of the assignments: derivations with missing lines, programs, explorations.

Every check is a plain function of an answer. It returns points and hints and never shows an answer,
so it serves a student who works alone, a notebook that is graded by otter-grader or nbgrader, and a
teacher at a prompt. Derivations are checked by :mod:`mlnotes.proof`; programs run in a process of
their own and are held against what a theorem promises, on fresh data.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .classes import grade_class as grade_class
    from .derive import Derive as Derive
    from .derive import Line as Line
    from .explore import Explore as Explore
    from .implement import Implement as Implement
    from .implement import Property as Property
    from .notebooks import Graded as Graded
    from .notebooks import grade_notebook as grade_notebook
    from .results import Item as Item
    from .results import Result as Result
    from .sheet import Assignment as Assignment
    from .sheet import assignments as assignments
    from .sheet import check as check
    from .sheet import variant as variant
    from .values import Value as Value

__all__ = [
    "Assignment",
    "Derive",
    "Explore",
    "Graded",
    "Implement",
    "Item",
    "Line",
    "Property",
    "Result",
    "Value",
    "assignments",
    "check",
    "grade_class",
    "grade_notebook",
    "variant",
]

# Loaded when first used: a student's process needs none of it.
_HOMES = {
    "Assignment": "sheet",
    "assignments": "sheet",
    "check": "sheet",
    "variant": "sheet",
    "Derive": "derive",
    "Line": "derive",
    "Explore": "explore",
    "Implement": "implement",
    "Property": "implement",
    "Item": "results",
    "Result": "results",
    "Graded": "notebooks",
    "Value": "values",
    "grade_class": "classes",
    "grade_notebook": "notebooks",
}


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
