"""Finding what a class handed in: every notebook, and everything that only looks like one."""

from __future__ import annotations

import dataclasses
import os
import stat
from collections.abc import Iterator
from pathlib import Path

from mlnotes.checks.printable import printable

SUFFIX = ".ipynb"
# Bytes of the largest notebook that is read.
LARGEST = 2**27
KINDS = {
    stat.S_ISDIR: "this is a folder and not a notebook",
    stat.S_ISFIFO: "this is a pipe and not a notebook",
    stat.S_ISSOCK: "this is a socket and not a notebook",
    stat.S_ISCHR: "this is a device and not a notebook",
    stat.S_ISBLK: "this is a device and not a notebook",
}


class Unreadable(ValueError):
    """A file that is not a notebook; the message says why."""


@dataclasses.dataclass(frozen=True)
class Found:
    """Something that was handed in.

    Attributes
    ----------
    path : path
        Where it is.
    key : str
        What tells it from all others: its path from the folder of the class.
    problem : str
        Why it is no notebook; empty if it may be one.
    """

    path: Path
    key: str
    problem: str = ""

    @property
    def name(self) -> str:
        """The key, as it can be printed."""
        return printable(self.key)


def find(folder: Path, target: Path) -> list[Found]:
    """Return everything under a folder whose name ends like a notebook's, in order.

    Parameters
    ----------
    folder : path
        Where submissions are.
    target : path
        A folder that is passed over: that of the results.
    """
    unreadable: list[OSError] = []
    found = []
    for root, folders, files in os.walk(folder, onerror=unreadable.append):
        here = Path(root)
        folders[:] = [name for name in folders if (here / name).resolve() != target.resolve()]
        found += [here / name for name in (*folders, *files) if name.lower().endswith(SUFFIX)]
    listed = [_found(path, folder) for path in found]
    for error in unreadable:
        path = Path(os.fsdecode(error.filename))
        listed.append(Found(path, _key(path, folder), f"this folder cannot be read: {_why(error)}"))
    return sorted(listed, key=lambda one: Path(one.key).parts)


def _key(path: Path, folder: Path) -> str:
    return path.relative_to(folder).as_posix()


def _found(path: Path, folder: Path) -> Found:
    key = _key(path, folder)
    return Found(path, key, next(_problems(path, key), ""))


def _problems(path: Path, key: str) -> Iterator[str]:
    """Yield why something is not graded."""
    if any(part.startswith(".") for part in Path(key).parts):
        yield "it is hidden, or lies in a hidden folder, and was not graded"
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        yield "this link leads nowhere"
    except OSError as error:
        yield f"this file cannot be read: {_why(error)}"
    else:
        yield from (sentence for holds, sentence in KINDS.items() if holds(mode))


def read(path: Path) -> bytes:
    """Return the content of a regular file that is not too large, and wait for nothing else."""
    try:
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
        with os.fdopen(descriptor, "rb") as file:
            found = os.fstat(file.fileno())
            if not stat.S_ISREG(found.st_mode):
                raise Unreadable("this file is not a notebook")
            if found.st_size > LARGEST:
                raise Unreadable(f"this file has more than {LARGEST >> 20} megabytes")
            return file.read(LARGEST)
    except OSError as error:
        raise Unreadable(f"this file cannot be read: {_why(error)}") from None


def _why(error: OSError) -> str:
    return printable(error.strerror or error, 80)
