"""The process in which a student's code runs. It gets data and returns arrays, and knows no test.

It is started as a file by its path, with an empty environment, by :mod:`mlnotes.checks.sandbox`. A
job is a folder: ``job.json`` says what to run, ``in-0.npz`` and so on hold the arguments, and the
results are written beside them as arrays or, for terms, as trees of names. Nothing is pickled. Of
this package the job's own ``library`` holds what an answer may use, and no more.

Two things hold the code. Where the kernel offers Landlock it keeps the process to that folder and
to the libraries, whatever the code does. Before it, and alone where there is none, stand an import
hook and an audit hook. They answer with a sentence and stop what is tried in passing; code that
sets out to take them down can, for they are Python too.
"""

from __future__ import annotations

import ast
import contextlib
import importlib
import json
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

# Whatever starts a process, opens a connection or reaches behind the interpreter.
FORBIDDEN = (
    "subprocess.",
    "os.system",
    "os.exec",
    "os.posix_spawn",
    "os.spawn",
    "os.fork",
    "os.kill",
    "os.symlink",
    "os.link",
    "pty.",
    "signal.pthread_kill",
    "socket.",
    "ctypes.dlopen",
    "ctypes.dlsym",
    "ctypes.call_function",
    "gc.get_",
    "sqlite3.connect",
    "ftplib.",
    "urllib.",
    "winreg.",
)
# What changes files or the folder that paths start from: how many paths it names, and where among
# its arguments are folders that they might start from instead.
CHANGES: dict[str, tuple[int, tuple[int, ...]]] = {
    "os.chdir": (1, ()),
    "os.chmod": (1, (2,)),
    "os.chown": (1, (3,)),
    "os.mkdir": (1, (2,)),
    "os.remove": (1, (1,)),
    "os.rename": (2, (2, 3)),
    "os.rmdir": (1, (1,)),
    "os.setxattr": (1, ()),
    "os.truncate": (1, ()),
    "os.utime": (1, (3,)),
}

# Libraries that are loaded before the clock starts: it is to measure the answer.
LIBRARIES = ("numpy", "scipy", "matplotlib")

Audit = Callable[[str, tuple[Any, ...]], None]


def importer(job: dict[str, Any]) -> Any:
    """Return an import hook that refuses modules by their names and finds none."""
    refused, allowed = tuple(job["refused"]), tuple(job["allowed"])

    class Refuses:
        @staticmethod
        def find_spec(name: str, path: Any = None, target: Any = None) -> None:
            if name == "mlnotes" or within(name, allowed, "."):
                return
            if within(name, refused, "."):
                raise ImportError(
                    f"{name} cannot be imported in an answer: the task is to write it yourself"
                )

    return Refuses


def auditor(home: str, job: dict[str, Any]) -> Audit:
    """Return an audit hook that lets libraries be read and the job's own folder be used.

    What it goes by are names of its own, so that none of them can be set from outside.
    """
    forbidden, changes = FORBIDDEN, dict(CHANGES)
    real, decode, is_absolute, below = os.path.realpath, os.fsdecode, os.path.isabs, within
    folder = real(home)
    readable = tuple(real(path) for path in job["readable"])
    changing = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND

    def is_inside(path: Any) -> bool:
        return not isinstance(path, int) and below(real(decode(path)), (folder,), os.sep)

    def check_open(path: Any, mode: Any, flags: Any) -> None:
        if isinstance(path, int):
            return
        name = decode(path)
        # Only os.open tells no mode, and only there may a path start from an open folder.
        if mode is not None or is_absolute(name):
            place = real(name)
            writes = any(c in (mode or "r") for c in "wax+") or bool((flags or 0) & changing)
            if is_inside(place) or (not writes and below(place, readable, os.sep)):
                return
        raise PermissionError(f"an answer may not open {os.path.basename(name)}")

    def audit(event: str, arguments: tuple[Any, ...]) -> None:
        if event == "open":
            check_open(*arguments[:3])
        elif event.startswith(forbidden):
            raise PermissionError(f"an answer may not use {event}")
        elif event in changes:
            paths, starts = changes[event]
            if not all(map(is_inside, arguments[:paths])) or any(
                arguments[n] != -1 for n in starts
            ):
                raise PermissionError("an answer may not change files")
        elif event == "object.__setattr__" and arguments[1] == "__code__":
            raise PermissionError("an answer may not change the code of a function")

    return audit


def within(name: str, roots: tuple[str, ...], separator: str) -> bool:
    """Say whether a dotted name or a path is one of some roots or below one of them."""
    return any(
        name == root or name.startswith(root.rstrip(separator) + separator) for root in roots
    )


def limit(job: dict[str, Any]) -> None:
    """Limit memory, time and files, on systems that can."""
    try:
        import resource
    except ImportError:
        return
    used = 0
    if os.path.exists("/proc/self/statm"):
        used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    seconds = int(time.process_time() + job["seconds"]) + 2
    for name, soft in (
        ("RLIMIT_AS", used + int(job["megabytes"]) * 2**20),
        ("RLIMIT_CPU", seconds),
        ("RLIMIT_FSIZE", 2**26),
        ("RLIMIT_CORE", 0),
    ):
        try:
            resource.setrlimit(getattr(resource, name), (soft, soft))
        except (ValueError, OSError):
            continue


def execute(source: str, entry: str, namespace: dict[str, Any]) -> Exception | None:
    """Run a cell, past statements that need the whole notebook; return the first failure."""
    names, failure = set(namespace), None
    for statement in ast.parse(source).body:
        try:
            exec(compile(ast.Module([statement], []), "<answer>", "exec"), namespace)
        except Exception as error:
            failure = failure or error
    if entry not in namespace.keys() - names:
        raise failure or NameError(f"the cell does not define {entry}")
    return failure


def arrays(value: Any, count: int = 1) -> dict[str, Any]:
    """Return what an answer returned, some values or one, as numbered arrays of numbers."""
    import numpy as np

    if value is None:
        raise TypeError("it returns nothing yet")
    several = isinstance(value, tuple) or (isinstance(value, list) and count > 1)
    parts = list(value) if several else [value]
    out = {}
    for k, part in enumerate(parts):
        array = np.asarray(part)
        if array.dtype.kind not in "biuf":
            raise TypeError(f"value {k + 1} of what it returns is not made of real numbers")
        out[f"value_{k}"] = array
    return out


def call(entry: Any, inputs: dict[str, Any], returns: list[str]) -> Any:
    """Call a function with the data, or fit a class to them and read its attributes."""
    if isinstance(entry, type):
        fitted = entry()
        fitted.fit(**inputs)
        return tuple(getattr(fitted, name) for name in returns)
    return entry(**inputs)


def run_calls(folder: Path, job: dict[str, Any], namespace: dict[str, Any]) -> None:
    """Call the student's function once for each case."""
    import numpy as np

    entry = namespace[job["entry"]]
    for k in range(job["cases"]):
        with np.load(folder / f"in-{k}.npz", allow_pickle=False) as stored:
            inputs = {name: stored[name] for name in stored.files}
        inputs = {name: v.item() if v.ndim == 0 else v for name, v in inputs.items()}
        returned = call(entry, inputs, job["returns"])
        np.savez(folder / f"out-{k}.npz", **arrays(returned, len(job["returns"])))


def run_terms(folder: Path, job: dict[str, Any], namespace: dict[str, Any]) -> None:
    """Write down the terms that the student's cell defined, as trees of names."""
    from mlnotes.checks.trees import tree

    known = {value: name for name, value in namespace.items() if name in job["vocabulary"]}
    answer = namespace[job["entry"]]
    if not isinstance(answer, dict):
        raise TypeError(f"{job['entry']} should be a dictionary of lines")
    lines = {str(k): tree(v, known) for k, v in answer.items() if v is not Ellipsis}
    (folder / "terms.json").write_text(json.dumps(lines))


def prepare_terms(job: dict[str, Any]) -> dict[str, Any]:
    """Return the names that a derivation may use."""
    from sympy import Rational

    import mlnotes.proof
    from mlnotes.checks.trees import revive

    namespace = {name: getattr(mlnotes.proof, name) for name in mlnotes.proof.__all__}
    numbers = {name: Rational(value) for name, value in job["numbers"].items()}
    symbols = {name: revive(spec) for name, spec in job["vocabulary"].items()}
    return namespace | numbers | symbols


def prepare(folder: Path, job: dict[str, Any]) -> dict[str, Any]:
    """Load what an answer uses, and return the names that it finds."""
    # Without the folder of this file, whose modules have common names.
    sys.path[:] = [*job["path"], *(path for path in sys.path if path != os.path.dirname(__file__))]
    os.chdir(folder)
    namespace: dict[str, Any] = {"__name__": "answer"}
    if job["kind"] == "terms":
        return namespace | prepare_terms(job)
    # Before it is held, because they look at the machine.
    for name in ("numpy", *imported(job["source"])):
        with contextlib.suppress(Exception):
            importlib.import_module(name)
    return namespace


def imported(source: str) -> list[str]:
    """Return what code imports of the libraries, whether modules or names in them."""
    try:
        nodes = list(ast.walk(ast.parse(source)))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    names = [alias.name for n in nodes if isinstance(n, ast.Import) for alias in n.names]
    for node in nodes:
        if isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names += [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
    return [name for name in names if within(name, LIBRARIES, ".")]


def hold(folder: Path, job: dict[str, Any], confine: Callable[..., int]) -> None:
    """Limit and confine this process."""
    limit(job)
    if job["confined"] and not confine(str(folder), job["readable"], job["listed"]):
        raise OSError("the kernel did not confine the process")
    (folder / "ready").touch()
    # What stands in this file is out of reach of code that asks for the main module.
    sys.modules["__main__"] = ModuleType("__main__")
    sys.meta_path.insert(0, importer(job))
    sys.addaudithook(auditor(str(folder), job))


def main(folder: Path) -> None:
    """Do one job and write either its results or one error."""
    job = json.loads((folder / "job.json").read_text(encoding="utf-8"))
    try:
        sys.path.insert(0, os.path.dirname(__file__))
        confine = importlib.import_module("_landlock").confine
        namespace = prepare(folder, job)
        hold(folder, job, confine)
        failure = execute(job["source"], job["entry"], namespace)
        try:
            (run_terms if job["kind"] == "terms" else run_calls)(folder, job, namespace)
        except NameError as error:
            raise failure or error from None
    except BaseException as error:
        report = {"error": type(error).__name__, "message": str(error)[:500]}
        (folder / "error.json").write_text(json.dumps(report))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
