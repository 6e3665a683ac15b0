"""Sequential loops, compiled by numba where it is installed and plain Python elsewhere.

A method that looks at one example at a time has no matrix product to be fast with. Its loop is
written out over entries of arrays and decorated with :func:`compiled`; the extra ``fast`` brings
numba. A few rules keep the two ways equal:

- Check the arguments first: a compiled loop has no bounds checks.
- Write products over entries, not over row views, and call no other compiled loop.
- Pass arrays and numbers by position, always of the same types: each combination compiles anew.
- Arithmetic is that of Python unless ``reassociate`` lets sums be added up in another order.
  (numba's disk cache does not tell such options apart: decorate one function once.)
"""

from __future__ import annotations

import functools
import os
from collections.abc import Callable
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])

# Sums in any order, a product and a sum rounded together; unlike full fast mathematics it still
# knows NaN and infinity.
REASSOCIATE = {"reassoc", "contract"}


@functools.cache
def _numba() -> Any:
    """Return numba, or None where it is missing, cannot be loaded or is switched off."""
    if os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0"):
        return None
    try:
        import numba
    except (ImportError, OSError, MemoryError):
        return None
    return numba


def compiles() -> bool:
    """Whether loops are compiled: choose another algorithm if a plain loop would be too slow."""
    return _numba() is not None


def compiled(*, reassociate: bool = False) -> Callable[[F], F]:
    """Compile a loop when it is first called; numba, which loads slowly, is imported then.

    Parameters
    ----------
    reassociate : bool
        Whether sums may be added up in any order, which lets them use vector instructions.

    Returns
    -------
    callable
        A decorator. The plain function stays available as ``__wrapped__``.
    """

    def decorate(function: F) -> F:
        chosen: Callable[..., Any] | None = None

        @functools.wraps(function)
        def run(*arguments: Any) -> Any:
            nonlocal chosen
            if chosen is None:
                chosen = _compile(function, reassociate)
            return chosen(*arguments)

        return run  # type: ignore[return-value]

    return decorate


def _compile(function: Callable[..., Any], reassociate: bool) -> Callable[..., Any]:
    """Return the compiled function, from the disk cache if there is a place for one."""
    numba = _numba()
    if numba is None:
        return function
    # A loop touches no Python object, so that other threads may run meanwhile.
    options: dict[str, Any] = {"nogil": True}
    if reassociate:
        options["fastmath"] = REASSOCIATE
    uncached: Callable[..., Any] = numba.njit(**options)(function)
    try:
        cached = numba.njit(cache=True, **options)(function)
    except RuntimeError:
        return uncached  # no directory for the cache can be written

    def run(*arguments: Any) -> Any:
        try:
            return cached(*arguments)
        except OSError:
            # The cache broke while the result of compilation was saved: nothing has run yet.
            return uncached(*arguments)

    return run
