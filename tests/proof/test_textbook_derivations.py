"""Derivations from other textbooks: what is proved stays proved, and the rest fails honestly."""

from __future__ import annotations

import pytest
from textbook_derivations import DERIVATIONS

from mlnotes.proof import Undefined, Unproved

# Told as in their books, and not certified yet. A name leaves this list once it is proved.
NOT_YET = {"Pinsker's inequality for coins"}


def test_the_list_names_derivations():
    assert DERIVATIONS.keys() >= NOT_YET


@pytest.mark.parametrize("name", [name for name in DERIVATIONS if name not in NOT_YET])
def test_derivations_are_certified_as_told(name):
    _, derive = DERIVATIONS[name]
    assert derive().checked.steps > 0


@pytest.mark.parametrize("name", sorted(NOT_YET))
def test_what_is_beyond_reach_is_said_to_be(name):
    """A name that is missing, or a line that nothing proves: never a tick, never a crash."""
    _, derive = DERIVATIONS[name]
    with pytest.raises((Unproved, Undefined, AttributeError)):
        derive()
