"""Checks of which each run makes a part, by turns, so that some runs make all of them.

A run takes the turn of its day, or `MLNOTES_TURN`; `make test-all` takes all. The summary of the
tests names the turn, by which a run can be repeated. Four turns are a round, and what is checked in
each turn of one round out of four is checked in all ways after sixteen turns.
"""

from __future__ import annotations

import datetime
import os
from collections.abc import Sequence
from typing import TypeVar

TURNS = 4
ROUNDS = 4
T = TypeVar("T")


def choose() -> None:
    """Fix the turn for this process and those that it starts."""
    day = datetime.date.today().toordinal()
    os.environ.setdefault("MLNOTES_TURN", str(day % (TURNS * ROUNDS)))


def turn() -> int | None:
    """Return the turn, or None where all are taken."""
    chosen = os.environ["MLNOTES_TURN"]
    return None if chosen == "all" else int(chosen) % (TURNS * ROUNDS)


def mine(things: Sequence[T], offset: int = 0) -> list[T]:
    """Return those of some things whose turn it is."""
    now = turn()
    return list(things) if now is None else list(things[(now + offset) % TURNS :: TURNS])


def of_this_round(place: int) -> bool:
    """Whether what has this place among its like is checked in the turns of this round."""
    now = turn()
    return now is None or (now // TURNS + place) % ROUNDS == 0


def summary() -> str:
    """Say which part of the checks was made."""
    now = turn()
    last = TURNS * ROUNDS - 1
    part = "all turns" if now is None else f"turn {now} of 0 to {last} (MLNOTES_TURN={now})"
    return f"changed derivations and modes of pages: {part}"
