"""The process in which a student's code runs. It gets data and returns arrays, and knows no test.

It is started as a file by its path, with an empty environment, by :mod:`mlnotes.checks.sandbox`. A
job is a folder: ``job.json`` says what to run, ``in-0.npz`` and so on hold the arguments, and
``library`` what of this package an answer may use. What comes of it is written to the standard
output: a line when the libraries are loaded, then a line of JSON, which is an error, lines of a
derivation as trees of names, or the shapes of arrays, and after it the numbers of these arrays.
Nothing is pickled.

The code is held by bubblewrap or by Landlock, and by a filter of system calls, whatever it does.
Before them, and alone where there is none of them, stand an import hook and an audit hook. They
answer with a sentence and stop what is tried in passing; code that sets out to take them down can,
for they are Python too.
"""

from __future__ import annotations

import ast
import contextlib
import importlib
import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any, BinaryIO

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


def arrays(value: Any, count: int = 1) -> list[Any]:
    """Return what an answer returned, some values or one, as arrays of plain numbers."""
    import numpy as np

    if value is None:
        raise TypeError("it returns nothing yet")
    several = isinstance(value, tuple) or (isinstance(value, list) and count > 1)
    out = []
    for k, part in enumerate(value if several else [value]):
        array = np.asarray(part)
        if array.dtype.kind not in "biuf":
            raise TypeError(f"value {k + 1} of what it returns is not made of real numbers")
        out.append(np.ascontiguousarray(array, dtype="<f8" if array.dtype.kind == "f" else "<i8"))
        out[-1].shape = array.shape
    return out


def call(entry: Any, inputs: dict[str, Any], returns: list[str]) -> Any:
    """Call a function with the data, or fit a class to them and read its attributes."""
    if isinstance(entry, type):
        fitted = entry()
        fitted.fit(**inputs)
        return tuple(getattr(fitted, name) for name in returns)
    return entry(**inputs)


def run_calls(given: Path, job: dict[str, Any], namespace: dict[str, Any]) -> list[list[Any]]:
    """Call the student's function once for each case and return what it returned."""
    import numpy as np

    entry, out = namespace[job["entry"]], []
    for k in range(job["cases"]):
        with np.load(given / f"in-{k}.npz", allow_pickle=False) as stored:
            inputs = {name: stored[name] for name in stored.files}
        inputs = {name: v.item() if v.ndim == 0 else v for name, v in inputs.items()}
        out.append(arrays(call(entry, inputs, job["returns"]), len(job["returns"])))
    return out


def write_arrays(stream: BinaryIO, cases: list[list[Any]]) -> None:
    """Write the types and shapes of arrays as a line, and their numbers after it."""
    shapes = [[[array.dtype.str, list(array.shape)] for array in case] for case in cases]
    stream.write(json.dumps({"arrays": shapes}).encode() + b"\n")
    for case in cases:
        for array in case:
            stream.write(array.tobytes())


def run_terms(job: dict[str, Any], namespace: dict[str, Any]) -> dict[str, Any]:
    """Return the terms that the student's cell defined, as trees of names."""
    from mlnotes.checks.trees import tree

    answer = namespace[job["entry"]]
    if not isinstance(answer, dict):
        raise TypeError(f"{job['entry']} should be a dictionary of lines")
    return {str(k): tree(v) for k, v in answer.items() if v is not Ellipsis}


def prepare_terms(job: dict[str, Any]) -> dict[str, Any]:
    """Return the names that a derivation may use."""
    from fractions import Fraction

    import mlnotes.proof
    from mlnotes.checks.trees import revive

    namespace = {name: getattr(mlnotes.proof, name) for name in mlnotes.proof.__all__}
    numbers = {name: Fraction(value) for name, value in job["numbers"].items()}
    symbols = {name: revive(spec) for name, spec in job["vocabulary"].items()}
    return namespace | numbers | symbols


def prepare(work: Path, job: dict[str, Any]) -> dict[str, Any]:
    """Load what an answer uses, and return the names that it finds."""
    # Without the folder of this file, whose modules have common names.
    sys.path[:] = [*job["path"], *(path for path in sys.path if path != os.path.dirname(__file__))]
    os.chdir(work)
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


def hold(work: Path, job: dict[str, Any], tools: dict[str, ModuleType]) -> None:
    """Limit and confine this process."""
    tools["_limits"].limit_resources(
        job["seconds"], job["megabytes"], RLIMIT_FSIZE=2**26, RLIMIT_NOFILE=128
    )
    # A thread that runs already would not be confined with this one.
    if sys.platform == "linux" and len(os.listdir("/proc/self/task")) > 1:
        raise OSError("the libraries have started threads, which nothing would hold")
    confined = job["isolation"] != "landlock" or tools["_landlock"].confine(
        str(work), job["readable"], job["listed"]
    )
    if not confined:
        raise OSError("the kernel did not confine the process")
    filtered = sys.platform == "linux" and tools["_seccomp"].install()
    if job["filtered"] and not filtered:
        raise OSError("the kernel did not take the filter of system calls")


def fence(work: Path, job: dict[str, Any]) -> None:
    """Put up the hooks that answer with a sentence."""
    # What stands in this file is out of reach of code that asks for the main module.
    sys.modules["__main__"] = ModuleType("__main__")
    sys.meta_path.insert(0, importer(job))
    sys.addaudithook(auditor(str(work), job))


def output() -> BinaryIO:
    """Return a stream to the standard output, which printing does not reach from here on."""
    stream = os.fdopen(os.dup(1), "wb")
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.close(nowhere)
    return stream


def described(error: BaseException) -> dict[str, str]:
    """Return the name and the message of an error, whose own code may fail too."""
    try:
        message = str(error)[:500]
    except BaseException:
        message = "without a readable message"
    return {"error": type(error).__name__, "message": message}


def main(given: Path, work: Path) -> None:
    """Do one job and write either its results or one error."""
    job = json.loads((given / "job.json").read_text(encoding="utf-8"))
    stream = output()
    try:
        sys.path.insert(0, os.path.dirname(__file__))
        tools = {name: importlib.import_module(name) for name in job["tools"]}
        tools["_limits"].end_with_parent()
        namespace = prepare(work, job)
        hold(work, job, tools)
        stream.write(b"ready\n")
        stream.flush()
        fence(work, job)
        failure = execute(job["source"], job["entry"], namespace)
        try:
            if job["kind"] == "terms":
                lines = run_terms(job, namespace)
                stream.write(json.dumps({"lines": lines}).encode() + b"\n")
            else:
                write_arrays(stream, run_calls(given, job, namespace))
        except NameError as error:
            raise failure or error from None
    except BaseException as error:
        stream.write(json.dumps(described(error)).encode() + b"\n")
    stream.flush()


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
