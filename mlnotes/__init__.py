"""mlnotes: the algorithms, bounds and derivations of a machine-learning textbook.

Each chapter of the book has one module here of the same name: ``mlnotes.perceptron`` holds the
algorithms of ``book/perceptron.md`` and ``mlnotes.theorems.perceptron`` its checked derivations.
Importing :mod:`mlnotes` loads none of them; a submodule is imported when it is first used, so that
the proof engine runs where there is no NumPy.
"""

from __future__ import annotations

import importlib
import pkgutil
from types import ModuleType

__version__ = "0.1.0"

_submodules = frozenset(
    module.name for module in pkgutil.iter_modules(__path__) if not module.name.startswith("_")
)


def __getattr__(name: str) -> ModuleType:
    if name in _submodules:
        return importlib.import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *_submodules})
