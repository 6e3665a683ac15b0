"""What is compared: the estimators of the package, by the cases that stand beside their tests."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

import mlnotes
import tests

Floats = NDArray[np.float64]
Problem = tuple[Floats, NDArray[Any] | None]

# What a file with cases is named by, before the name of its chapter.
PREFIX = "benchmark_"
# These import no NumPy, or hold no estimators but base classes.
WITHOUT_ESTIMATORS = ("mlnotes.proof", "mlnotes.theorems", "mlnotes.base")


@dataclass(frozen=True)
class Case:
    """One estimator, the data it is timed on, and what must agree for the times to mean anything.

    ``objective`` maps a fitted model, ours or scikit-learn's, and the data to the number that
    fitting makes small. ``counterpart`` makes scikit-learn's estimator of the same model, at the
    loosest tolerance that reaches our objective; None if scikit-learn has nothing comparable.
    ``shown_only`` is empty or says why the case stays out of the geometric mean. ``ours`` makes our
    estimator if it needs more than its defaults, such as the start that its counterpart has too;
    ``variant`` then tells it from other cases of that estimator. ``most`` is the greatest number of
    samples that can be waited for, on either side. ``pairwise`` says that the obvious method would
    hold a number for each pair of samples, beside whose size the memory of a fit is then reported.
    ``allowed`` is the greatest ratio of the times that is aimed at, at the middle size.
    """

    estimator: type
    problem: Callable[[int, int], Problem]
    objective: Callable[[Any, Floats, Any], float]
    counterpart: Callable[[], Any] | None = None
    shown_only: str = ""
    ours: Callable[[], Any] | None = None
    variant: str = ""
    most: int | None = None
    pairwise: bool = False
    allowed: float = 1.0

    def __post_init__(self) -> None:
        if self.counterpart is None and not self.shown_only:
            raise ValueError(f"{self.name} has no counterpart; say why in shown_only")

    @property
    def name(self) -> str:
        words = f"{home(self.estimator).removeprefix('mlnotes.')}.{self.estimator.__name__}"
        return f"{words} ({self.variant})" if self.variant else words

    @property
    def sides(self) -> list[str]:
        """Return whose models can be measured."""
        return ["ours"] if self.counterpart is None else ["ours", "theirs"]

    def bearable(self, n: int, d: int) -> tuple[int, int]:
        """Return the size, with no more samples than can be waited for."""
        return n if self.most is None else min(n, self.most), d

    def gram_bytes(self, n: int) -> int | None:
        """Return the size of a number for each pair of samples, if that is what to stay below."""
        return 8 * n * n if self.pairwise else None

    def model(self, side: str) -> Any:
        """Make an unfitted model: of the package for "ours", of scikit-learn for "theirs"."""
        if side == "ours":
            return self.estimator() if self.ours is None else self.ours()
        assert self.counterpart is not None
        return self.counterpart()


def home(estimator: type) -> str:
    """Return the public module of an estimator, which may be defined in a private part of it."""
    return estimator.__module__.partition("._")[0]


def estimators() -> list[type]:
    """Find every public estimator of the package."""
    found = set()
    for module in pkgutil.walk_packages(mlnotes.__path__, "mlnotes."):
        if "._" in module.name or module.name.startswith(WITHOUT_ESTIMATORS):
            continue
        members = importlib.import_module(module.name)
        found |= {
            member
            for name in getattr(members, "__all__", ())
            if inspect.isclass(member := getattr(members, name))
            and hasattr(member, "fit")
            and hasattr(member, "get_params")
        }
    return sorted(found, key=lambda member: (member.__module__, member.__name__))


def case_modules() -> dict[str, ModuleType]:
    """Return the modules ``tests/benchmark_<chapter>.py`` by chapter."""
    names = [module.name for module in pkgutil.iter_modules(tests.__path__)]
    return {
        name.removeprefix(PREFIX): importlib.import_module(f"tests.{name}")
        for name in names
        if name.startswith(PREFIX)
    }


def load_cases() -> list[Case]:
    """Collect the cases of all chapters."""
    return [case for module in case_modules().values() for case in module.CASES]


def missing(found: list[type], cases: list[Case]) -> list[str]:
    """Name the estimators that no case covers."""
    covered = {case.estimator for case in cases}
    return [
        f"{home(estimator)}.{estimator.__name__}" for estimator in found if estimator not in covered
    ]
