"""A progress line that keeps to one line in a terminal and prints only results elsewhere."""

from __future__ import annotations

import sys

from tools.execution import Result


class Progress:
    """Show how many cells have run, and each chapter as it ends."""

    def __call__(self, result: Result | None, done: int, cells: int) -> None:
        """Report a cell (no result) or a chapter."""
        if result is not None:
            self._clear()
            mark = "failed" if result.failure else f"{result.seconds:.1f} s"
            print(f"  {result.name}  {mark}", flush=True)
        if sys.stdout.isatty() and cells:
            width = 30
            filled = width * done // cells
            bar = "█" * filled + "·" * (width - filled)
            print(f"\r  {bar} {done}/{cells} cells", end="", flush=True)
            if done == cells:
                self._clear()

    def _clear(self) -> None:
        if sys.stdout.isatty():
            print("\r\x1b[K", end="")
