"""Derivations from other textbooks are certified as they are told there."""

from __future__ import annotations

import pytest
from textbook_derivations import DERIVATIONS


@pytest.mark.parametrize("name", list(DERIVATIONS))
def test_derivations_are_certified_as_told(name):
    _, derive = DERIVATIONS[name]
    assert derive().checked.steps > 0
