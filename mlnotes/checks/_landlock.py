"""Confining a process by the kernel: Landlock, which needs no rights and cannot be taken back.

A process that confines itself here reaches only the files it named, whatever code it runs from then
on. Linux has this from 5.13 on; later kernels confine more, and what a kernel does not know is left
out. What it does not govern at all (modes, owners and times of files, limits and priorities of
other processes, on older kernels signals) is left to the filter of :mod:`mlnotes.checks._seccomp`.
The module uses the standard library alone, because a student's process loads it by its path.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import sys
from collections.abc import Iterable

CREATE, ADD, RESTRICT = 444, 445, 446
NO_NEW_PRIVILEGES = 38
VERSION = 1

EXECUTE, WRITE, READ, LIST = 1, 2, 4, 8
REMOVE_DIR, REMOVE_FILE = 1 << 4, 1 << 5
MAKE_DIR, MAKE_FILE = 1 << 7, 1 << 8
REFER, TRUNCATE = 1 << 13, 1 << 14
OWN = READ | WRITE | LIST | REMOVE_DIR | REMOVE_FILE | MAKE_DIR | MAKE_FILE | REFER | TRUNCATE
ON_FILES = READ | WRITE | TRUNCATE
# How many rights over files each version knows: 13 at first, then moving, cutting, devices.
KNOWN = {1: 13, 2: 14, 3: 15, 4: 15, 5: 16}


class _Ruleset(ctypes.Structure):
    _fields_ = (("files", ctypes.c_uint64), ("net", ctypes.c_uint64), ("scoped", ctypes.c_uint64))


class _Beneath(ctypes.Structure):
    _pack_ = 1
    _fields_ = (("allowed", ctypes.c_uint64), ("parent", ctypes.c_int32))


def _call(number: int, *arguments: object) -> int:
    library = ctypes.CDLL(None, use_errno=True)
    return int(library.syscall(ctypes.c_long(number), *arguments))


def version() -> int:
    """Return the version of Landlock that the kernel offers, 0 if it offers none.

    Examples
    --------
    >>> from mlnotes.checks._landlock import version
    >>> version() >= 0
    True
    """
    if sys.platform != "linux":
        return 0
    nothing = ctypes.c_void_p(None)
    return max(0, _call(CREATE, nothing, ctypes.c_size_t(0), ctypes.c_uint32(VERSION)))


def confine(folder: str, readable: Iterable[str], listed: Iterable[str] = ()) -> int:
    """Confine this process, for good, and return the version of Landlock that does it.

    From then on it writes to files in one folder only, reads a few others, and starts no program.
    The network is closed to TCP from version 4 on, signals to other processes from version 6 on.

    Parameters
    ----------
    folder : str
        The folder that it may use.
    readable : iterable of str
        Files and folders that it may read, with all that is in them.
    listed : iterable of str
        Folders of which it may read the names of files, and no more.
    """
    offered = version()
    if not offered:
        return 0
    known = (1 << KNOWN.get(offered, max(KNOWN.values()))) - 1
    wanted = _Ruleset(known, 0b11 if offered >= 4 else 0, 0b11 if offered >= 6 else 0)
    size = ctypes.c_size_t(ctypes.sizeof(wanted))
    ruleset = _call(CREATE, ctypes.byref(wanted), size, ctypes.c_uint32(0))
    if ruleset < 0:
        return 0
    rules = [(folder, OWN), ("/dev/null", READ | WRITE), *((place, LIST) for place in listed)]
    for place, rights in [*rules, *((place, READ | LIST) for place in readable)]:
        with contextlib.suppress(OSError):
            _allow(ruleset, place, rights & known)
    ctypes.CDLL(None).prctl(NO_NEW_PRIVILEGES, 1, 0, 0, 0)
    held = _call(RESTRICT, ctypes.c_int(ruleset), ctypes.c_uint32(0)) == 0
    os.close(ruleset)
    return offered if held else 0


def _allow(ruleset: int, place: str, rights: int) -> None:
    parent = os.open(place, os.O_PATH | os.O_CLOEXEC)
    try:
        rule = _Beneath(rights if os.path.isdir(place) else rights & ON_FILES, parent)
        _call(ADD, ctypes.c_int(ruleset), ctypes.c_int(1), ctypes.byref(rule), ctypes.c_uint32(0))
    finally:
        os.close(parent)
