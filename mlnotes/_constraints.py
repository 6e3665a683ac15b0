"""Parameter constraints: what an estimator declares, and one place that checks it.

A class states ``_constraints = {"max_iter": Integer(1), "tol": Real(above=0)}``; ``fit`` is entered
only if every parameter satisfies its constraint, and the message says which does not.
"""

from __future__ import annotations

import math
import numbers
from collections.abc import Mapping
from typing import Any

import numpy as np


class Constraint:
    """What a parameter must be: a test, and the words for it."""

    hint = ""

    def admits(self, value: Any) -> bool:
        """Whether the value satisfies the constraint."""
        raise NotImplementedError

    def check(self, value: Any, name: str) -> None:
        """Raise an error that names the parameter unless its value satisfies the constraint."""
        if not self.admits(value):
            hint = f"; {self.hint}" if self.hint else "."
            raise ValueError(f"{name} must be {self}, got {value!r}{hint}")


class Real(Constraint):
    """A finite number within limits; those of ``least`` and ``most`` may be reached."""

    def __init__(
        self,
        *,
        above: float = -math.inf,
        least: float = -math.inf,
        most: float = math.inf,
        below: float = math.inf,
        infinite: bool = False,
        hint: str = "",
    ) -> None:
        self.above, self.least, self.most, self.below = above, least, most, below
        self.infinite, self.hint = infinite, hint

    def admits(self, value: Any) -> bool:
        """Whether the value is a number within the limits."""
        if isinstance(value, bool | np.bool_) or not isinstance(value, numbers.Real):
            return False
        try:
            number = float(value)
        except OverflowError:
            return False
        if number == math.inf and self.infinite:
            return True
        lower = number >= self.least and (number > self.above or self.above == -math.inf)
        upper = number <= self.most and (number < self.below or self.below == math.inf)
        return math.isfinite(number) and lower and upper

    def __str__(self) -> str:
        if self.above == 0 and self.most == self.below == math.inf:
            return "a positive number"
        limits = [
            ("above", self.above),
            ("of at least", self.least),
            ("at most", self.most),
            ("below", self.below),
        ]
        words = [f"{word} {limit:g}" for word, limit in limits if math.isfinite(limit)]
        return f"a number {' and '.join(words)}" if words else "a finite number"


class Integer(Constraint):
    """A whole number, not below ``least``; with ``most``, not above that."""

    def __init__(self, least: int = 1, most: int | None = None, *, hint: str = "") -> None:
        self.least, self.most, self.hint = least, most, hint

    def admits(self, value: Any) -> bool:
        """Whether the value is an integer within the limits."""
        if isinstance(value, bool | np.bool_) or not isinstance(value, numbers.Integral):
            return False
        return int(value) >= self.least and (self.most is None or int(value) <= self.most)

    def __str__(self) -> str:
        limit = "" if self.most is None else f" and at most {self.most}"
        return f"an integer of at least {self.least}{limit}"


class Boolean(Constraint):
    """True or False."""

    def admits(self, value: Any) -> bool:
        """Whether the value is a truth value."""
        return isinstance(value, bool | np.bool_)

    def __str__(self) -> str:
        return "True or False"


class OneOf(Constraint):
    """One of several strings; a callable too where that is allowed."""

    def __init__(self, *options: str, or_callable: bool = False, hint: str = "") -> None:
        self.options, self.or_callable, self.hint = options, or_callable, hint

    def admits(self, value: Any) -> bool:
        """Whether the value is one of the options."""
        if self.or_callable and callable(value):
            return True
        return isinstance(value, str) and value in self.options

    def __str__(self) -> str:
        *most, last = [repr(option) for option in self.options]
        last = "a function" if self.or_callable else last
        most = [repr(option) for option in self.options] if self.or_callable else most
        return f"{', '.join(most)} or {last}" if most else last


class Function(Constraint):
    """Something that can be called; ``takes`` says with what."""

    def __init__(self, takes: str) -> None:
        self.takes = takes

    def admits(self, value: Any) -> bool:
        """Whether the value can be called."""
        return callable(value)

    def __str__(self) -> str:
        return f"a function of {self.takes}"


class RandomState(Constraint):
    """A seed or a generator of random numbers."""

    hint = "pass a seed such as 0, or numpy.random.default_rng(0)"

    def admits(self, value: Any) -> bool:
        """Whether the value is a seed or a generator."""
        return value is None or isinstance(value, np.random.Generator) or Integer(0).admits(value)

    def __str__(self) -> str:
        return "a nonnegative integer or a numpy.random.Generator"


class Optional(Constraint):
    """None, or what another constraint asks for."""

    def __init__(self, constraint: Constraint) -> None:
        self.constraint, self.hint = constraint, constraint.hint

    def admits(self, value: Any) -> bool:
        """Whether the value is None or satisfies the other constraint."""
        return value is None or self.constraint.admits(value)

    def __str__(self) -> str:
        return f"{self.constraint}, or None"


class AnyOf(Constraint):
    """What at least one of several constraints asks for."""

    def __init__(self, *constraints: Constraint, hint: str = "") -> None:
        self.constraints, self.hint = constraints, hint

    def admits(self, value: Any) -> bool:
        """Whether the value satisfies one of the constraints."""
        return any(constraint.admits(value) for constraint in self.constraints)

    def __str__(self) -> str:
        return ", or ".join(map(str, self.constraints))


class Anything(Constraint):
    """What ``fit`` checks itself, because it depends on the data or is an object of the user's."""

    def admits(self, value: Any) -> bool:
        """Whether the value may be passed on: always."""
        return True

    def __str__(self) -> str:
        return "anything"


def check_parameters(constraints: Mapping[str, Constraint], values: Mapping[str, Any]) -> None:
    """Raise an error that names the first parameter whose value its constraint does not admit."""
    for name, constraint in constraints.items():
        constraint.check(values[name], name)
