"""Measurements that are kept, so that a run goes on where it was broken off.

One is taken again only if what it depends on has changed: the case, the modules that it imports
from this project, directly or not, the versions of all that is installed, and the machine.
"""

from __future__ import annotations

import ast
import functools
import hashlib
import importlib.util
import json
import os
import platform
import re
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from importlib.metadata import distributions
from pathlib import Path
from typing import Any

from benchmarks.cases import PREFIX, Case, home

# The packages whose files are read; of others the version says enough.
OURS = ("mlnotes", "tests", "benchmarks")


@dataclass(frozen=True)
class Measured:
    """A value, the fingerprint of what it depends on, and how it was come by.

    ``seconds`` is how long the measurement took on the wall, and ``load`` how many processes wanted
    the processor when it ended.
    """

    fingerprint: str
    value: Any
    seconds: float
    load: float


class Kept:
    """A folder with one file for each measurement; what is kept of other code says how long."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def _path(self, name: str) -> Path:
        return self.folder / (re.sub(r"\W+", "-", name) + ".json")

    def read(self, name: str) -> Measured | None:
        """Return what was measured last under this name, on whatever code."""
        try:
            return Measured(**json.loads(self._path(name).read_text(encoding="utf-8")))
        except (OSError, ValueError, TypeError):
            return None

    def measure(self, name: str, fingerprint: str, action: Callable[[], Any]) -> Measured:
        """Measure, and keep the value before anything else can go wrong."""
        start = time.monotonic()
        value = action()
        load = os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0
        found = Measured(fingerprint, value, time.monotonic() - start, load)
        self.folder.mkdir(parents=True, exist_ok=True)
        path = self._path(name)
        part = path.with_suffix(".part")
        part.write_text(json.dumps(asdict(found)), encoding="utf-8")
        part.replace(path)
        return found


def fingerprint(case: Case, *settings: object) -> str:
    """Return a hash of all that a measurement of this case depends on."""
    chapter = home(case.estimator).removeprefix("mlnotes.")
    return hashlib.sha256(
        "\n".join([_sources(f"tests.{PREFIX}{chapter}"), _surroundings(), repr(settings)]).encode()
    ).hexdigest()


@functools.cache
def _sources(case_module: str) -> str:
    """Return a hash of a file of cases, the harness, and every module that they import."""
    result = hashlib.sha256()
    for name in sorted(imported_by(case_module) | imported_by("benchmarks.measure")):
        path = _file(name)
        assert path is not None
        result.update(name.encode() + b"\0" + hashlib.sha256(path.read_bytes()).digest())
    return result.hexdigest()


@functools.cache
def _surroundings() -> str:
    """Describe the machine and the versions of what is installed."""
    installed = sorted({f"{found.name} {found.version}" for found in distributions()})
    compiled = os.environ.get("NUMBA_DISABLE_JIT", "0")
    machine = [platform.machine(), platform.processor(), str(os.cpu_count())]
    return "\n".join([platform.python_version(), *machine, compiled, *installed])


@functools.cache
def imported_by(name: str) -> frozenset[str]:
    """Return the modules of this project that a module needs: itself, and what it imports."""
    found, waiting = set[str](), {name}
    while waiting:
        module = waiting.pop()
        found.add(module)
        waiting |= _imports(module) - found
    return frozenset(found)


@functools.cache
def _imports(name: str) -> frozenset[str]:
    """Return the modules of this project that the text of a module names, with their packages."""
    path = _file(name)
    assert path is not None
    named = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            named |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            # A name that is imported may be a module itself.
            named |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    parts = [module.split(".") for module in named if module.split(".")[0] in OURS]
    prefixes = {".".join(words[:length]) for words in parts for length in range(1, len(words) + 1)}
    return frozenset(module for module in prefixes if _file(module) is not None)


@functools.cache
def _file(name: str) -> Path | None:
    """Return the file of a module of this project, if there is one."""
    try:
        found = importlib.util.find_spec(name)
    except ModuleNotFoundError:  # its parent is no package
        return None
    return None if found is None or found.origin is None else Path(found.origin)
