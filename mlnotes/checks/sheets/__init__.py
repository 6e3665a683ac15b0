"""The tasks of each assignment: numbers drawn for a student, and what is checked.

A module has two things. ``NUMBERS`` says what each number may be that differs between students, and
``tasks(numbers)`` returns the tasks. Neither knows a solution: derivations are checked by the proof
engine, programs by properties and against the package. The text, the model answers and the rubric
stand in ``book/assignments/``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np


def draw(random: np.random.Generator, choices: Mapping[str, Sequence[Any]]) -> dict[str, Any]:
    """Return one of several choices for each name.

    Examples
    --------
    >>> import numpy as np
    >>> from mlnotes.checks.sheets import draw
    >>> draw(np.random.default_rng(0), {"c": [3], "K": [2]})
    {'c': 3, 'K': 2}
    """
    return {name: options[int(random.integers(len(options)))] for name, options in choices.items()}


def fractions(low: int, high: int, denominator: int) -> list[Fraction]:
    """Return the fractions strictly between two numbers whose denominators are not too large.

    They are exact, and so is what a student computes with them.

    Examples
    --------
    >>> from mlnotes.checks.sheets import fractions
    >>> print(*fractions(0, 2, 3))
    1/3 1/2 2/3 1 4/3 3/2 5/3
    """
    found = {
        Fraction(p, q) for q in range(1, denominator + 1) for p in range(low * q + 1, high * q)
    }
    return sorted(found)
