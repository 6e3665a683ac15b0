"""Running a student's code in a process of its own, with limits, and saying what became of it."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from mlnotes.checks import _seccomp, isolation, values
from mlnotes.checks.isolation import PACKAGE, REFUSED
from mlnotes.checks.printable import printable
from mlnotes.checks.values import Value

CHILD = Path(__file__).with_name("_child.py")
# Modules that lie beside it, by which it limits and confines itself.
TOOLS = ("_landlock", "_limits", "_seccomp")
# What a derivation may import, and what a program may.
PROOF = ("mlnotes.proof", "mlnotes.trusted")
DATA = ("mlnotes.data", "mlnotes.validation", "mlnotes._constraints", "mlnotes.exceptions")
# What of the package is copied to where such code runs.
PARTS = {
    "calls": ("__init__.py", "data", "_constraints.py", "exceptions.py", "validation"),
    "terms": ("__init__.py", "proof", "trusted", "checks/trees.py"),
}

# Seconds that loading the libraries may take.
STARTUP = 60.0
# Bytes of what a child says that are read, and of those the lines of a derivation.
OUTPUT, LINES = 2**24, 2**20
# What a program may keep in its folder, in bytes and files, where that folder is on a disk.
ROOM, FILES = isolation.ROOM, 1000
READY = b"ready\n"


class Contained(Exception):
    """A student's code that did not return: the message says why, in a sentence."""

    @property
    def sentence(self) -> str:
        """The message with a full stop, unless it ends in one."""
        text = str(self)
        return text if text.endswith((".", "?", "!")) else f"{text}."


def run(
    source: str,
    entry: str,
    cases: Sequence[Mapping[str, Any]],
    returns: Sequence[Value | str],
    *,
    seconds: float = 10.0,
    megabytes: int = 1024,
    refused: Sequence[str] = (),
) -> list[tuple[NDArray[Any], ...]]:
    r"""Run code that defines a function or a class, and call it once for each case.

    Parameters
    ----------
    source : str
        Python code.
    entry : str
        The name of the function, called with the arrays of a case as keywords, or of the class,
        whose ``fit`` is called so and whose attributes are then read.
    cases : sequence of mappings
        The arguments, arrays or numbers.
    returns : sequence of Value or str
        What the function returns, in order, or the attributes of the class; of what is given by its
        name alone any shape is accepted.
    seconds : float, default=10.0
        How long all cases may take together.
    megabytes : int, default=1024
        How much memory the code may take, where the system can limit it.
    refused : sequence of str, default=()
        Modules that may not be imported, besides scikit-learn and this package's algorithms.

    Returns
    -------
    list of tuples of arrays
        What was returned for each case.

    Raises
    ------
    Contained
        If the code did not return arrays for every case.

    Examples
    --------
    >>> from mlnotes.checks.sandbox import run
    >>> run("def double(x):\n    return 2 * x", "double", [{"x": 4.0}], ["x"])[0][0].item()
    8.0
    """
    wanted = values.declared(returns)
    job = {
        "kind": "calls",
        "cases": len(cases),
        "returns": [value.name for value in wanted],
        "refused": [*REFUSED, *refused],
        "allowed": DATA,
    }
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "given").mkdir()
        for k, case in enumerate(cases):
            inputs: dict[str, Any] = {key: np.asarray(value) for key, value in case.items()}
            np.savez(folder / "given" / f"in-{k}.npz", **inputs)
        message = _run(folder, source, entry, job, seconds, megabytes)
    try:
        header, data = values.split(message)
        _raise_reported(header, entry, megabytes)
        found: list[tuple[NDArray[Any], ...]] = values.read(
            header.get("arrays"), data, cases, wanted
        )
        return found
    except values.Undeclared as reason:
        raise Contained(f"{entry} {reason}") from None


def run_terms(
    source: str,
    entry: str,
    vocabulary: Mapping[str, Any],
    numbers: Mapping[str, Any] | None = None,
    *,
    seconds: float = 20.0,
    megabytes: int = 1024,
) -> dict[str, Any]:
    """Return the lines of a derivation that a cell defines.

    A cell of plain terms is read without being run, any other one is run in a process of its own.

    Parameters
    ----------
    source : str
        Python code.
    entry : str
        The name of the dictionary of lines that it defines.
    vocabulary : mapping
        The symbols that it may use.
    numbers : mapping, optional
        The student's numbers, which it may use too.
    seconds, megabytes
        The limits, as in :func:`run`.
    """
    from mlnotes.checks import plain
    from mlnotes.checks.trees import describe, term

    try:
        return plain.read(source, entry, {**(numbers or {}), **vocabulary})
    except plain.NotPlain:
        pass
    except Exception as error:
        reason = f"{type(error).__name__}: {printable(error)}"
        raise Contained(f"{entry} stopped with {reason}") from None
    job = {
        "kind": "terms",
        "refused": REFUSED,
        "allowed": PROOF,
        "vocabulary": {name: describe(symbol) for name, symbol in vocabulary.items()},
        # A sheet's texts say what is to be done; no term is made of them.
        "numbers": {k: str(v) for k, v in (numbers or {}).items() if not isinstance(v, str)},
    }
    with tempfile.TemporaryDirectory() as name:
        message = _run(Path(name), source, entry, job, seconds, megabytes)
    if len(message) > LINES:
        raise Contained(f"{entry} has lines that are too long to read")
    try:
        header, _ = values.split(message)
    except values.Undeclared as reason:
        raise Contained(f"{entry} {reason}") from None
    _raise_reported(header, entry, megabytes)
    try:
        return {line: term(branches, vocabulary) for line, branches in header["lines"].items()}
    except Exception as error:
        raise Contained(f"{entry} cannot be read: {printable(error)}") from None


def _run(
    folder: Path, source: str, entry: str, job: Mapping[str, Any], seconds: float, megabytes: int
) -> bytes:
    """Start the child, wait for it, and return what it says."""
    kind = isolation.chosen()
    given, work = _lay_out(folder, kind, source, entry, job, seconds, megabytes)
    arguments = ["-B", "-I", "-S", f"{given}/{CHILD.name}", given, work]
    environment = {**isolation.ENVIRONMENT, "HOME": work}
    if "SYSTEMROOT" in os.environ:
        environment["SYSTEMROOT"] = os.environ["SYSTEMROOT"]
    child = subprocess.Popen(
        isolation.command(kind, folder, arguments),
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        assert child.stdout is not None
        heard = _Heard(child.stdout)
        _wait(child, heard, folder / "work", entry, seconds)
    finally:
        _end(child)
    heard.join()
    if heard.is_too_much:
        raise Contained(f"what {entry} returned is too large to read")
    if not heard.is_ready.is_set() and not heard.message:
        raise OSError(
            f"the process for {entry} did not start: see python -m mlnotes.checks isolation"
        )
    _raise_ended(child.returncode, entry)
    if child.returncode and not heard.message:
        raise Contained(
            f"{entry} ended its process (exit status {child.returncode}) instead of returning"
        )
    return heard.message


def _lay_out(
    folder: Path,
    kind: str,
    source: str,
    entry: str,
    job: Mapping[str, Any],
    seconds: float,
    megabytes: int,
) -> tuple[str, str]:
    """Write what the child needs; return where it finds this, and where it may write."""
    stored = folder / "given"
    _stage(stored / "library" / "mlnotes", PARTS[job["kind"]])
    (folder / "work").mkdir()
    for path in (CHILD, *(CHILD.with_name(f"{name}.py") for name in TOOLS)):
        shutil.copy(path, stored)
    given, work = str(stored), str(folder / "work")
    if kind == isolation.BUBBLEWRAP:
        given, work = isolation.GIVEN, isolation.WORK
    found = isolation.places()
    library = [f"{given}/library", *found.path]
    everything = {
        **job,
        "path": library,
        "readable": [given, *(isolation.readable() if kind == isolation.LANDLOCK else found.roots)],
        "listed": found.roots,
        "isolation": kind,
        "filtered": os.name == "posix" and _seccomp.is_known() and os.path.exists("/proc/self"),
        "tools": TOOLS,
        "source": source,
        "entry": entry,
        "seconds": seconds,
        "megabytes": megabytes,
    }
    (stored / "job.json").write_text(json.dumps(everything), encoding="utf-8")
    return given, work


class _Heard:
    """What a child says, read as it comes, and no more than a limit."""

    def __init__(self, stream: IO[bytes]) -> None:
        self.is_ready = threading.Event()
        self.is_too_much = False
        self._said = b""
        self._thread = threading.Thread(target=self._listen, args=(stream,), daemon=True)
        self._thread.start()

    def _listen(self, stream: IO[bytes]) -> None:
        said = bytearray()
        while part := stream.read1(2**16):  # type: ignore[attr-defined]
            said += part
            if said.startswith(READY):
                self.is_ready.set()
            if len(said) > OUTPUT:
                self.is_too_much = True
                break
        self._said = bytes(said)
        stream.close()

    def join(self) -> None:
        """Wait until everything is read."""
        self._thread.join()

    @property
    def message(self) -> bytes:
        """What was said after the child was ready."""
        return self._said.removeprefix(READY)


def _wait(
    child: subprocess.Popen[bytes], heard: _Heard, work: Path, entry: str, seconds: float
) -> None:
    """Wait for the child, whose clock starts when its libraries are loaded."""
    limit = time.monotonic() + STARTUP
    # Without the time to load them, so that a busy machine takes no one's.
    while child.poll() is None and not heard.is_ready.wait(0.02) and time.monotonic() < limit:
        pass
    limit = time.monotonic() + seconds
    while True:
        try:
            child.wait(timeout=min(0.1, max(0.0, limit - time.monotonic())))
            return
        except subprocess.TimeoutExpired:
            if heard.is_too_much:
                return
            if _is_overfull(work):
                raise Contained(f"{entry} filled its folder and was stopped") from None
            if time.monotonic() >= limit:
                raise Contained(
                    f"{entry} was still running after {seconds:g} seconds and was stopped: is "
                    "there a loop without end?"
                ) from None


def _is_overfull(work: Path) -> bool:
    """Say whether a folder holds more than a program may keep; what vanishes meanwhile is none."""
    size = count = 0
    for root, _, names in os.walk(work):
        for name in names:
            with contextlib.suppress(OSError):
                size += os.lstat(os.path.join(root, name)).st_size
            count += 1
            if size > ROOM or count > FILES:
                return True
    return False


def _end(child: subprocess.Popen[bytes]) -> None:
    """End the child; whatever it may have started ends with it."""
    if hasattr(os, "killpg"):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(child.pid, signal.SIGKILL)
    else:
        child.kill()
    child.wait()


def _raise_ended(status: int, entry: str) -> None:
    """Raise with a sentence if the child was ended by a signal, its own or bubblewrap's."""
    if 0 <= status <= 128:
        return
    number = -status if status < 0 else status - 128
    if number == getattr(signal, "SIGXCPU", None):
        raise Contained(f"{entry} took too long and was stopped: is there a loop without end?")
    names = {s.value: s.name for s in signal.Signals}
    raise Contained(f"{entry} crashed its process ({names.get(number, f'signal {number}')})")


def _raise_reported(header: Mapping[str, Any], entry: str, megabytes: int) -> None:
    """Raise with a sentence if the child reported an error."""
    if "error" not in header:
        return
    name, message = printable(header["error"], 80), printable(header.get("message", ""))
    if name == "MemoryError":
        raise Contained(f"{entry} asked for more than {megabytes} megabytes of memory")
    alone = " (an answer's cell stands by itself)" if name == "NameError" else ""
    raise Contained(f"{entry} stopped with {name}: {message}{alone}")


def is_confined() -> bool:
    """Say whether the system confines a student's process, or Python's hooks alone hold it.

    Examples
    --------
    >>> from mlnotes.checks.sandbox import is_confined
    >>> is_confined() in (True, False)
    True
    """
    return isolation.chosen() != isolation.HOOKS


def _stage(target: Path, parts: Sequence[str]) -> None:
    """Copy parts of the package, with what has been compiled of them."""
    for part in parts:
        place = target / part
        place.parent.mkdir(parents=True, exist_ok=True)
        if place.parent != target:
            (place.parent / "__init__.py").touch()
        if (PACKAGE / part).is_dir():
            shutil.copytree(PACKAGE / part, place)
        else:
            shutil.copy2(PACKAGE / part, place)
