"""The process in which a student's code runs. It gets data and returns arrays, and knows no test.

It is started as a file by its path, with an empty environment, by :mod:`mlnotes.checks.sandbox`. A
job is a folder: ``job.json`` says what to run, ``in-0.npz`` and so on hold the arguments, and the
results are written beside them as arrays or, for terms, as trees of names. Nothing is pickled.

What is refused here is refused by an audit hook, which Python code cannot remove. Code that breaks
out of Python itself could still do what the account may do that grades: grade strangers' code in a
container.
"""

from __future__ import annotations

import importlib
import json
import os
import sys
import time
from pathlib import Path
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
    "pty.",
    "signal.pthread_kill",
    "socket.",
    "ctypes.dlopen",
    "ctypes.dlsym",
    "ctypes.call_function",
    "sqlite3.connect",
    "ftplib.",
    "urllib.",
    "winreg.",
)
CHANGES = ("os.remove", "os.rename", "os.rmdir", "os.mkdir", "os.link", "os.symlink", "os.truncate")


class Fence:
    """The import hook and the audit hook, made from what a job allows."""

    def __init__(self, folder: str, job: dict[str, Any]) -> None:
        self.folder = os.path.realpath(folder)
        self.refused = tuple(job["refused"])
        self.allowed = tuple(job["allowed"])
        self.readable = tuple(os.path.realpath(path) for path in job["readable"])
        self.closed = tuple(os.path.realpath(path) for path in job["closed"])
        self.opened = tuple(os.path.realpath(path) for path in job["opened"])

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> None:
        """Refuse a module by its name; find none."""
        if name == "mlnotes" or within(name, self.allowed, "."):
            return
        if within(name, self.refused, "."):
            raise ImportError(
                f"{name} cannot be imported in an answer: the task is to write it yourself"
            )

    def audit(self, event: str, arguments: tuple[Any, ...]) -> None:
        """Refuse what an answer has no business to do."""
        if event == "open":
            self.check_open(arguments[0], arguments[1], arguments[2])
        elif event.startswith(FORBIDDEN):
            raise PermissionError(f"an answer may not use {event}")
        elif event in CHANGES and not self.is_inside(arguments[0]):
            raise PermissionError("an answer may not change files")
        elif event == "object.__setattr__" and arguments[1] == "__code__":
            raise PermissionError("an answer may not change the code of a function")

    def check_open(self, path: Any, mode: Any, flags: Any) -> None:
        """Let libraries be read and the job's own folder be used; refuse the rest."""
        if isinstance(path, int):
            return
        place = os.path.realpath(os.fsdecode(path))
        if self.is_inside(place):
            return
        changing = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
        writes = any(c in (mode or "r") for c in "wax+") or bool((flags or 0) & changing)
        if not writes and self.is_library(place):
            return
        raise PermissionError(f"an answer may not open {os.path.basename(place)}")

    def is_library(self, place: str) -> bool:
        """Say whether a file may be read: not the package's algorithms, but what they rest on."""
        if within(place, self.closed, os.sep):
            return within(place, self.opened, os.sep)
        return within(place, self.readable, os.sep)

    def is_inside(self, path: Any) -> bool:
        """Say whether a path is in the job's own folder."""
        return within(os.path.realpath(os.fsdecode(path)), (self.folder,), os.sep)


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


def arrays(value: Any) -> dict[str, Any]:
    """Return what an answer returned as numbered arrays of numbers."""
    import numpy as np

    if value is None:
        raise TypeError("it returns nothing yet")
    parts = list(value) if isinstance(value, tuple) else [value]
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
        np.savez(folder / f"out-{k}.npz", **arrays(call(entry, inputs, job["returns"])))


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


def main(folder: Path) -> None:
    """Do one job and write either its results or one error."""
    job = json.loads((folder / "job.json").read_text(encoding="utf-8"))
    # Without the folder of this file, whose modules have common names.
    sys.path[:] = [*sys.path[1:], *(path for path in job["path"] if path not in sys.path)]
    os.chdir(folder)
    terms = job["kind"] == "terms"
    namespace: dict[str, Any] = {"__name__": "answer"}
    if terms:
        namespace |= prepare_terms(job)
    else:
        # Before the fence, because it looks at the machine.
        importlib.import_module("numpy")
    names = set(namespace)
    fence = Fence(str(folder), job)
    limit(job)
    (folder / "ready").touch()
    sys.meta_path.insert(0, fence)
    sys.addaudithook(fence.audit)
    try:
        exec(compile(job["source"], "<answer>", "exec"), namespace)
        if job["entry"] not in namespace.keys() - names:
            raise NameError(f"the cell does not define {job['entry']}")
        (run_terms if terms else run_calls)(folder, job, namespace)
    except BaseException as error:
        report = {"error": type(error).__name__, "message": str(error)[:500]}
        (folder / "error.json").write_text(json.dumps(report))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
