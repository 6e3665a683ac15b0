"""Limits of resources: of a student's process, and of what is computed with what it returned.

The module uses the standard library alone, because a student's process loads it by its path.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import select
import signal
import sys
import time
import warnings
from collections.abc import Callable
from typing import Any

PR_SET_PDEATHSIG = 1


class Exceeded(Exception):
    """A computation that took too long, asked for too much memory, or crashed."""


def within_limits(function: Callable[[], Any], seconds: float, megabytes: int) -> Any:
    """Return what a function returns, computed in a forked process with limits.

    Only what JSON can say comes back. Where the system cannot fork safely, which is everywhere but
    on Linux, the function is called here and now.

    Parameters
    ----------
    function : callable
        Takes nothing and returns plain data.
    seconds : float
        How long it may take.
    megabytes : int
        How much memory it may take beyond what this process has.

    Examples
    --------
    >>> from mlnotes.checks._limits import within_limits
    >>> within_limits(lambda: [1, "two"], seconds=5, megabytes=100)
    [1, 'two']
    """
    if sys.platform != "linux":
        return function()
    receiver, sender = os.pipe()
    with warnings.catch_warnings():
        # Newer Pythons warn of threads; the copy computes, writes and ends, and waits for none.
        warnings.simplefilter("ignore", DeprecationWarning)
        pid = os.fork()
    if pid == 0:
        _compute(function, sender, seconds, megabytes)
    os.close(sender)
    try:
        return json.loads(_received(receiver, time.monotonic() + seconds))
    except ValueError:
        raise Exceeded("it took too much time or memory") from None
    finally:
        os.close(receiver)
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)


def _compute(function: Callable[[], Any], sender: int, seconds: float, megabytes: int) -> None:
    """Write the result of a function and end this process, whatever happens."""
    try:
        end_with_parent()
        limit_resources(seconds, megabytes)
        with os.fdopen(sender, "wb") as stream:
            stream.write(json.dumps(function()).encode())
    except BaseException:
        os._exit(1)
    os._exit(0)


def _received(receiver: int, deadline: float) -> bytes:
    """Return what is written into a pipe until it is closed or the time is up."""
    parts: list[bytes] = []
    while select.select([receiver], [], [], max(0.0, deadline - time.monotonic()))[0]:
        part = os.read(receiver, 2**16)
        if not part:
            return b"".join(parts)
        parts.append(part)
    return b""


def end_with_parent() -> None:
    """Have the kernel end this process when the one that started it ends, on Linux."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)


def limit_resources(seconds: float, megabytes: int, **others: int) -> None:
    """Limit the memory and the time of this process from here on, on systems that can.

    Parameters
    ----------
    seconds : float
        How much more of the processor's time it may use.
    megabytes : int
        How much more memory it may ask for.
    **others : int
        Further limits by the names of :mod:`resource`.
    """
    try:
        import resource
    except ImportError:
        return
    used = 0
    if os.path.exists("/proc/self/statm"):
        with open("/proc/self/statm") as file:
            used = int(file.read().split()[0]) * resource.getpagesize()
    wanted = {
        "RLIMIT_AS": used + megabytes * 2**20,
        "RLIMIT_CPU": int(time.process_time() + seconds) + 2,
        "RLIMIT_CORE": 0,
        **others,
    }
    for name, value in wanted.items():
        with contextlib.suppress(AttributeError, ValueError, OSError):
            resource.setrlimit(getattr(resource, name), (value, value))
