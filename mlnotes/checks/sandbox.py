"""Running a student's code in a process of its own, with limits, and saying what became of it."""

from __future__ import annotations

import contextlib
import functools
import importlib.util
import json
import os
import shutil
import signal
import subprocess
import sys
import sysconfig
import tempfile
import time
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import mlnotes
from mlnotes.checks import _landlock

CHILD = Path(__file__).with_name("_child.py")
PACKAGE = Path(mlnotes.__file__).parent
# What a derivation may import, and what a program may.
PROOF = ("mlnotes.proof",)
DATA = ("mlnotes.data", "mlnotes.validation", "mlnotes.exceptions")
REFUSED = ("mlnotes", "sklearn")
# What of the package is copied to where such code runs.
PARTS = {
    "calls": ("__init__.py", "data", "exceptions.py", "validation.py"),
    "terms": ("__init__.py", "proof", "checks/trees.py"),
}
# Files of the system that libraries read.
SYSTEM = (
    *("/lib64", "/usr/lib64", "/usr/share", "/etc/ld.so.cache", "/etc/localtime"),
    *("/etc/ssl/openssl.cnf", "/dev/null", "/dev/urandom", "/proc/cpuinfo", "/proc/meminfo"),
)

# Seconds that loading the libraries may take.
STARTUP = 60.0
# Bytes of what a child returns, arrays or lines, that are read: it may have written anything.
ARRAYS, LINES = 2**26, 2**20


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
    returns: Sequence[str],
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
    returns : sequence of str
        What the function returns, in order, or the attributes of the class.
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
    job = {
        "kind": "calls",
        "cases": len(cases),
        "returns": list(returns),
        "refused": [*REFUSED, *refused],
        "allowed": DATA,
        "vocabulary": {},
    }
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for k, case in enumerate(cases):
            inputs: dict[str, Any] = {key: np.asarray(value) for key, value in case.items()}
            np.savez(folder / f"in-{k}.npz", **inputs)
        _run(folder, source, entry, job, seconds, megabytes)
        return [_arrays(folder / f"out-{k}.npz", entry, returns) for k in range(len(cases))]


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
        raise Contained(f"{entry} stopped with {type(error).__name__}: {error}") from None
    job = {
        "kind": "terms",
        "refused": REFUSED,
        "allowed": PROOF,
        "vocabulary": {name: describe(symbol) for name, symbol in vocabulary.items()},
        "numbers": {name: str(value) for name, value in (numbers or {}).items()},
    }
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        _run(folder, source, entry, job, seconds, megabytes)
        if not _is_plain(folder / "terms.json"):
            raise Contained(f"{entry} ended its process instead of returning")
        if (folder / "terms.json").stat().st_size > LINES:
            raise Contained(f"{entry} has lines that are too long to read")
        try:
            trees = json.loads((folder / "terms.json").read_text(encoding="utf-8"))
            return {line: term(branches, vocabulary) for line, branches in trees.items()}
        except Exception as error:
            raise Contained(f"{entry} cannot be read: {error}") from None


def _run(
    folder: Path, source: str, entry: str, job: Mapping[str, Any], seconds: float, megabytes: int
) -> None:
    """Start the child, wait for it, and raise unless it says that all went well."""
    everything = {
        **job,
        **_places(),
        "path": [str(folder / "library"), *_places()["path"]],
        "confined": is_confined(),
        "source": source,
        "entry": entry,
        "seconds": seconds,
        "megabytes": megabytes,
    }
    _stage(folder / "library" / "mlnotes", PARTS[job["kind"]])
    (folder / "job.json").write_text(json.dumps(everything), encoding="utf-8")
    environment = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "HOME": str(folder)}
    if "SYSTEMROOT" in os.environ:
        environment["SYSTEMROOT"] = os.environ["SYSTEMROOT"]
    child = subprocess.Popen(
        [sys.executable, "-B", "-I", "-S", str(CHILD), str(folder)],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        _wait_until_ready(folder, child)
        status = child.wait(timeout=seconds)
    except subprocess.TimeoutExpired:
        raise Contained(
            f"{entry} was still running after {seconds:g} seconds and was stopped: is there a loop "
            "without end?"
        ) from None
    finally:
        _end(child)
    _report(folder, entry, status, megabytes)


def _wait_until_ready(folder: Path, child: subprocess.Popen[bytes]) -> None:
    """Let the child load its libraries first, so that a busy machine takes no one's time."""
    limit = time.monotonic() + STARTUP
    while child.poll() is None and not (folder / "ready").exists() and time.monotonic() < limit:
        time.sleep(0.02)


def _end(child: subprocess.Popen[bytes]) -> None:
    """End the child and whatever it may have started."""
    if hasattr(os, "killpg"):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(child.pid, signal.SIGKILL)
    else:
        child.kill()
    child.wait()


def _report(folder: Path, entry: str, status: int, megabytes: int) -> None:
    """Raise with a sentence if the child was ended, crashed or reported an error."""
    error = folder / "error.json"
    if status < 0 or status > 128:
        number = -status if status < 0 else status - 128
        if number == getattr(signal, "SIGXCPU", None):
            raise Contained(f"{entry} took too long and was stopped: is there a loop without end?")
        names = {s.value: s.name for s in signal.Signals}
        raise Contained(f"{entry} crashed its process ({names.get(number, f'signal {number}')})")
    if _is_plain(error):
        try:
            found = json.loads(error.read_text(encoding="utf-8"))
            name, message = str(found["error"]), str(found["message"])
        except (ValueError, KeyError, TypeError):
            name, message = "Error", "without a readable message"
        if name == "MemoryError":
            raise Contained(f"{entry} asked for more than {megabytes} megabytes of memory")
        alone = " (an answer's cell stands by itself)" if name == "NameError" else ""
        raise Contained(f"{entry} stopped with {name}: {message}{alone}")
    if status != 0:
        raise Contained(f"{entry} ended its process (exit status {status}) instead of returning")


def _arrays(path: Path, entry: str, returns: Sequence[str]) -> tuple[NDArray[Any], ...]:
    """Read what was returned for one case."""
    if not _is_plain(path):
        raise Contained(f"{entry} ended its process instead of returning")
    try:
        with zipfile.ZipFile(path) as packed:
            if sum(part.file_size for part in packed.infolist()) > ARRAYS:
                raise Contained(f"what {entry} returned is too large to read")
        with np.load(path, allow_pickle=False) as stored:
            found = tuple(stored[f"value_{k}"] for k in range(len(stored.files)))
    except (OSError, ValueError, KeyError, EOFError, MemoryError, zipfile.BadZipFile) as error:
        raise Contained(f"what {entry} returned cannot be read: {error}") from None
    if len(found) != len(returns):
        raise Contained(
            f"{entry} should return {', '.join(returns)}: {_count(len(returns))}, "
            f"but it returned {_count(len(found))}"
        )
    return found


def _count(n: int) -> str:
    return "one value" if n == 1 else f"{n} values"


def is_confined() -> bool:
    """Say whether the kernel confines a student's process, or Python's fences alone hold it.

    Examples
    --------
    >>> from mlnotes.checks.sandbox import is_confined
    >>> is_confined() in (True, False)
    True
    """
    return _landlock.version() > 0


def _is_plain(path: Path) -> bool:
    """Say whether a file is one that the child wrote, and no way to another."""
    return path.is_file() and not path.is_symlink()


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


@functools.cache
def _places() -> dict[str, list[str]]:
    """Return where the child finds libraries, what it may read of them, and what only list."""
    paths = sysconfig.get_paths()
    sites = [Path(paths["purelib"]), Path(paths["platlib"])]
    for name in ("numpy", "scipy", "sympy", "mpmath"):
        spec = importlib.util.find_spec(name)
        if spec is not None and spec.origin is not None:
            sites.append(Path(spec.origin).parent.parent)
    sites = list(dict.fromkeys(sites))
    standard = [Path(paths["stdlib"]), Path(paths["platstdlib"])]
    shared = [Path(sys.base_prefix) / "lib", *map(Path, SYSTEM)]
    if several := sysconfig.get_config_var("MULTIARCH"):
        shared += [Path("/lib") / several, Path("/usr/lib") / several]
    closed = [PACKAGE, *(site / name for site in sites for name in REFUSED)]
    closed += [p for f in standard for p in f.glob("*-packages") if p not in sites]
    real = {path.resolve() for path in closed}
    readable = [p for root in (*standard, *sites, *shared) for p in _around(root.resolve(), real)]
    return {
        "path": [str(site) for site in sites],
        "readable": list(dict.fromkeys(map(str, readable))),
        "listed": [str(place) for place in (*standard, *sites)],
    }


def _around(root: Path, closed: set[Path]) -> list[Path]:
    """Return the largest files and folders under a root that hold nothing closed."""
    if root in closed or not root.exists():
        return []
    if not any(root in path.parents for path in closed):
        return [root]
    return [place for entry in sorted(root.iterdir()) for place in _around(entry, closed)]
