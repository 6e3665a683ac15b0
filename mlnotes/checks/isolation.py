"""What holds a student's process on this machine: bubblewrap, Landlock, or Python's hooks alone.

Bubblewrap is a tool that others maintain: it starts a program in namespaces of its own, where it
sees a read-only system, one small writable folder in memory and no other process. Where it is
missing, or may not make namespaces, the process confines itself by Landlock. On both ways a filter
of system calls and limits of resources come on top. Elsewhere nothing but hooks in Python is left.
"""

from __future__ import annotations

import dataclasses
import functools
import importlib.util
import os
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterator, Sequence
from pathlib import Path

import mlnotes
from mlnotes.checks import _landlock, _seccomp

BUBBLEWRAP, LANDLOCK, HOOKS = "bubblewrap", "landlock", "hooks"
PACKAGE = Path(mlnotes.__file__).parent
# Modules that an answer may not import.
REFUSED = ("mlnotes", "sklearn")
# Files of the system that libraries read.
SYSTEM = (
    *("/lib64", "/usr/lib64", "/usr/share", "/etc/ld.so.cache", "/etc/localtime"),
    *("/etc/ssl/openssl.cnf", "/dev/null", "/dev/urandom", "/proc/cpuinfo", "/proc/meminfo"),
)
# Where a program under bubblewrap finds what it is given, and where it may write how many bytes.
GIVEN, WORK, ROOM = "/.mlnotes/given", "/.mlnotes/work", 2**26
ENVIRONMENT = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}

NOT_PROTECTED = (
    "nothing of the system holds a student's program here: hooks in Python stop accidents and what "
    "is tried in passing, and not a program that sets out to take them down, which can then read "
    "and change your files, signal your processes and use the network; install bubblewrap (Linux), "
    "or grade in a container, as otter-grader does"
)


@dataclasses.dataclass(frozen=True)
class Places:
    """Where libraries are, and what of them is kept from an answer.

    Attributes
    ----------
    path : list of str
        Where modules are looked for.
    roots : list of str
        Files and folders of the system and of the libraries.
    closed : list of str
        Folders under them that an answer may not see.
    """

    path: list[str]
    roots: list[str]
    closed: list[str]

    @property
    def readable(self) -> list[str]:
        """The largest files and folders under the roots that hold nothing closed."""
        closed = {Path(place).resolve() for place in self.closed}
        found = [p for root in self.roots for p in _around(Path(root).resolve(), closed)]
        return list(dict.fromkeys(map(str, found)))


@functools.cache
def places() -> Places:
    """Return where this interpreter and its libraries are."""
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
    others = [*standard, Path(sys.base_prefix) / "lib" / "python3"]
    closed += [p for f in others for p in f.glob("*-packages") if p not in sites]
    roots = list(dict.fromkeys(map(str, (*standard, *sites, *shared))))
    return Places([str(site) for site in sites], roots, list(dict.fromkeys(map(str, closed))))


def _around(root: Path, closed: set[Path]) -> list[Path]:
    """Return the largest files and folders under a root that hold nothing closed."""
    if root in closed or not root.exists():
        return []
    if not any(root in path.parents for path in closed):
        return [root]
    return [place for entry in sorted(root.iterdir()) for place in _around(entry, closed)]


@functools.cache
def readable() -> list[str]:
    """Return what a process that confines itself may read, found once."""
    return places().readable


def command(kind: str, folder: Path, arguments: Sequence[str]) -> list[str]:
    """Return the command that runs the interpreter on what a folder gives.

    Parameters
    ----------
    kind : str
        One of ``bubblewrap``, ``landlock`` and ``hooks``.
    folder : path
        Holds ``given``, which the process reads, and ``work``, which it may change; under
        bubblewrap the second is a folder in memory instead.
    arguments : sequence of str
        What follows the interpreter.
    """
    if kind != BUBBLEWRAP:
        return [sys.executable, *arguments]
    interpreter = os.path.realpath(sys.executable)
    return [*_bubblewrap(), *_mounts(folder, interpreter), "--", interpreter, *arguments]


def _bubblewrap() -> Iterator[str]:
    """Yield bubblewrap with all namespaces; what it started ends when it or its parent does."""
    yield shutil.which("bwrap") or "bwrap"
    for namespace in ("user", "pid", "net", "ipc", "uts", "cgroup-try"):
        yield f"--unshare-{namespace}"
    yield from ("--die-with-parent", "--new-session", "--cap-drop", "ALL", "--clearenv")
    for name, value in {**ENVIRONMENT, "HOME": WORK}.items():
        yield from ("--setenv", name, value)


def _mounts(folder: Path, interpreter: str) -> Iterator[str]:
    """Yield a file system of libraries to read, what is given, and a folder in memory."""
    yield from ("--proc", "/proc")
    roots = [root for root in places().roots if not root.startswith(("/dev", "/proc"))]
    for root in _outermost([*roots, interpreter]):
        yield from ("--ro-bind-try", root, root)
    for place in places().closed:
        if os.path.isdir(place) and any(Path(root) in Path(place).parents for root in roots):
            yield from ("--tmpfs", place, "--remount-ro", place)
    for device in ("/dev/null", "/dev/urandom"):
        yield from ("--dev-bind", device, device)
    yield from ("--ro-bind", str(folder / "given"), GIVEN)
    yield from ("--size", str(ROOM), "--tmpfs", WORK, "--remount-ro", "/", "--chdir", WORK)


def _outermost(paths: Sequence[str]) -> list[str]:
    """Return paths without those that lie below another one."""
    return [p for p in paths if not any(Path(q) in Path(p).parents for q in paths)]


@functools.cache
def why_no_bubblewrap() -> str:
    """Return why bubblewrap cannot be used here; nothing if it can, which is tried once."""
    if sys.platform != "linux":
        return "it needs Linux"
    if shutil.which("bwrap") is None:
        return "it is not installed (the package is called bubblewrap)"
    trial = ["-I", "-S", "-c", f"import os; os.listdir({GIVEN!r})"]
    folder = Path(__file__).parent
    arguments = [*_bubblewrap(), *_mounts(folder, os.path.realpath(sys.executable)), "--"]
    arguments[arguments.index(str(folder / "given"))] = str(folder)
    arguments += [os.path.realpath(sys.executable), *trial]
    try:
        done = subprocess.run(arguments, capture_output=True, text=True, timeout=60, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"it does not start: {error}"
    said = done.stderr.strip().splitlines() or [f"exit status {done.returncode}"]
    return "" if done.returncode == 0 else f"it may not make namespaces here ({said[-1]})"


def available() -> list[str]:
    """Return what this machine has to hold a process, the strongest first.

    Examples
    --------
    >>> from mlnotes.checks.isolation import available
    >>> available()[-1]
    'hooks'
    """
    kinds = [] if why_no_bubblewrap() else [BUBBLEWRAP]
    return [*kinds, *([LANDLOCK] if _landlock.version() else []), HOOKS]


def chosen() -> str:
    """Return what holds a student's process on this machine."""
    return available()[0]


def report() -> str:
    """Return which isolation this machine has, which is used, and what is not protected."""
    reason, version, used = why_no_bubblewrap(), _landlock.version(), chosen()
    offered = f"available, version {version}" if version else "the kernel offers none"
    known = "available" if _seccomp.is_known() and sys.platform == "linux" else "not known here"
    lines = [
        f"bubblewrap: {reason or 'available'}",
        f"Landlock: {offered}",
        f"filter of system calls: {known}",
        f"Programs are held by {NAMES[used]}.",
    ]
    if used == HOOKS:
        lines.append(f"Mind that {NOT_PROTECTED}.")
    return "\n".join(lines)


NAMES = {
    BUBBLEWRAP: "bubblewrap",
    LANDLOCK: "Landlock and a filter of system calls",
    HOOKS: "hooks in Python alone",
}
