"""What a check says: points for each item, and a hint for each that is not earned."""

from __future__ import annotations

import dataclasses
import textwrap


@dataclasses.dataclass(frozen=True)
class Item:
    """One thing that earns points by itself: a line of a derivation, a property of a program.

    Attributes
    ----------
    name : str
        What is looked at.
    points : float
        What it is worth.
    right : bool
        Whether the points are earned.
    hint : str
        What is wrong, or where to look; empty where the points are earned.
    """

    name: str
    points: float
    right: bool
    hint: str = ""


@dataclasses.dataclass(frozen=True)
class Result:
    """The outcome of one task.

    Attributes
    ----------
    task : str
        The name of the task.
    items : tuple of Item
        What was looked at.
    by_hand : float
        Points that a reader will give; they count neither as earned nor as possible.
    note : str
        A sentence about the task as a whole.

    Examples
    --------
    >>> from mlnotes.checks import Item, Result
    >>> result = Result("sums", (Item("line (a)", 2, True), Item("line (b)", 1, False, "a hint")))
    >>> result.earned, result.possible
    (2, 3)
    """

    task: str
    items: tuple[Item, ...]
    by_hand: float = 0
    note: str = ""

    @property
    def earned(self) -> float:
        """The points earned."""
        return sum(item.points for item in self.items if item.right)

    @property
    def possible(self) -> float:
        """The points that could be earned without a reader."""
        return sum(item.points for item in self.items)

    def __str__(self) -> str:
        head = f"{self.task}: {self.earned:g} of {self.possible:g} points"
        if self.by_hand:
            head = f"{self.task}: {self.by_hand:g} points, to be graded by hand"
        lines = [head]
        for item in self.items:
            lines.append(f"  {'✓' if item.right else '✗'} {item.name}")
            if not item.right and item.hint:
                lines.append(_wrapped(item.hint))
        if self.note:
            lines.append(_wrapped(self.note))
        return "\n".join(lines)

    __repr__ = __str__


class Task:
    """What tasks of all kinds have in common: a name, and items that can earn points."""

    name: str

    @property
    def items(self) -> list[tuple[str, float]]:
        """What can earn points, and how many."""
        raise NotImplementedError

    @property
    def by_hand(self) -> float:
        """The points that a reader gives."""
        return 0

    def untried(self, reason: str) -> Result:
        """Return the outcome of an answer that could not be looked at, and why."""
        items = tuple(Item(name, points, False) for name, points in self.items)
        return Result(self.name, items, self.by_hand, reason)


def _wrapped(text: str) -> str:
    """Return a text for a page whose code has room for 68 characters."""
    return textwrap.fill(text, 66, initial_indent="    ", subsequent_indent="    ")
