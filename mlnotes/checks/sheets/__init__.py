"""The tasks of each assignment: numbers drawn for a student, and what is checked.

A module has two functions. ``numbers(random)`` draws what differs between students, and
``tasks(numbers)`` returns the tasks. Neither knows a solution: derivations are checked by the proof
engine, programs by properties and against the package. The text, the model answers and the rubric
stand in ``book/assignments/``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np


def draw(random: np.random.Generator, **choices: Sequence[Any]) -> dict[str, Any]:
    """Return one of several choices for each name.

    Examples
    --------
    >>> import numpy as np
    >>> from mlnotes.checks.sheets import draw
    >>> draw(np.random.default_rng(0), c=[3], K=[2])
    {'c': 3, 'K': 2}
    """
    return {name: options[int(random.integers(len(options)))] for name, options in choices.items()}
