"""Questions answered by an experiment: a text and a figure, which a person reads."""

from __future__ import annotations

import dataclasses
import re
from typing import Any

from mlnotes.checks.results import Item, Result, Task

WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
PROMPT = "Write here"


@dataclasses.dataclass(frozen=True)
class Explore(Task):
    """A question to be answered by an experiment.

    Attributes
    ----------
    name : str
        The task, and the name under which the student keeps the text.
    points : float
        What a reader may give.
    words : int
        How many words the text has at least.
    """

    name: str
    points: float
    words: int = 80

    kind = "explore"

    @property
    def items(self) -> list[tuple[str, float]]:
        """What is looked at; none of it earns points by itself."""
        return [(f"a text of {self.words} words or more", 0), ("a figure", 0)]

    @property
    def by_hand(self) -> float:
        """The points that a reader gives."""
        return self.points

    def check(self, answer: Any, figure: Any = None) -> Result:
        """Say whether there is a text and a figure; a reader gives the points.

        Parameters
        ----------
        answer : str
            The text.
        figure : bool or figure, optional
            The figure, or whether there is one.
        """
        words = count_words(answer)
        text = Item(
            *(self.items[0][0], 0, words >= self.words),
            hint=f"There are {words} so far: say what you tried, what you saw and why.",
        )
        seen = bool(figure.axes) if hasattr(figure, "axes") else bool(figure)
        picture = Item("a figure", 0, seen, hint="Draw what you saw, and keep the output.")
        return Result(self.name, (text, picture), by_hand=self.points)


def count_words(text: Any) -> int:
    r"""Return the number of words of a text, without the line that asks for it.

    Examples
    --------
    >>> from mlnotes.checks.explore import count_words
    >>> count_words("Write here.\nIt grows like $1/x^2$, doesn't it?")
    5
    """
    if not isinstance(text, str):
        return 0
    lines = [line for line in text.splitlines() if not line.strip().startswith(PROMPT)]
    return len(WORD.findall(re.sub(r"\$[^$]*\$", " ", "\n".join(lines))))
