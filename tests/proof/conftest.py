"""What the tests of derivations share."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True, scope="module")
def swept() -> Iterator[None]:
    """Keep what other tests left in memory out of the collections during a search.

    A search has seconds of the processor for a line, and one collection of a large heap may take
    as long.
    """
    gc.collect()
    gc.freeze()
    yield
    gc.unfreeze()
