"""A bar that shows how far grading a class has come, in a terminal; lines alone elsewhere."""

from __future__ import annotations

import sys
import time
from typing import TextIO

WIDTH = 30


class Bar:
    """A bar on the last line of a terminal, below the lines that were said.

    Parameters
    ----------
    stream : text stream, optional
        Where to draw; the standard output by default.
    """

    def __init__(self, stream: TextIO | None = None) -> None:
        self._stream = stream or sys.stdout
        self._start: tuple[float, int] | None = None
        self._drawn = ""

    def say(self, line: str) -> None:
        """Print a line above the bar."""
        self._print(f"{line}\n{self._drawn}")

    def draw(self, done: int, total: int) -> None:
        """Show how many of all are done, and how long the others will take at this pace."""
        now = time.monotonic()
        self._start = self._start or (now, done)
        began, before = self._start
        full = WIDTH * done // max(1, total)
        left = (now - began) / max(1, done - before) * (total - done)
        estimate = f", about {left:.0f} s to go" if before < done < total else ""
        shown = f"{'█' * full}{'░' * (WIDTH - full)} {done}/{total}{estimate}"
        self._drawn = shown if self._stream.isatty() and done < total else ""
        if self._stream.isatty():
            self._print(self._drawn)

    def _print(self, text: str) -> None:
        clear = "\r\x1b[K" if self._stream.isatty() else ""
        print(f"{clear}{text}", end="", file=self._stream, flush=True)
