"""Programs, checked by what a theorem promises and against the package on fresh data."""

from __future__ import annotations

import dataclasses
import inspect
import linecache
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mlnotes.checks import sandbox
from mlnotes.checks._limits import Exceeded, within_limits
from mlnotes.checks.results import Item, Result, Task
from mlnotes.checks.values import Value

Case = Mapping[str, Any]
Output = tuple[NDArray[Any], ...]
# The memory that a program may take, and what is computed with what it returned.
MEGABYTES = 1024


@dataclasses.dataclass(frozen=True)
class Property:
    """Something that every right program has.

    Attributes
    ----------
    name : str
        What is demanded.
    points : float
        What it is worth.
    fails : callable
        Takes the arguments of a case and what was returned for it; returns a sentence that says
        what is wrong, without saying what would be right, or nothing.
    """

    name: str
    points: float
    fails: Callable[[Case, Output], str]


def asked_where(
    holds: Callable[[Case], bool], fails: Callable[[Case, Output], str]
) -> Callable[[Case, Output], str]:
    """Return what is wrong with an outcome, asked only of the cases of some kind."""
    return lambda case, output: fails(case, output) if holds(case) else ""


def provided(
    first: Callable[[Case, Output], str], fails: Callable[[Case, Output], str]
) -> Callable[[Case, Output], str]:
    """Return what is wrong with an outcome, of which something else is demanded first."""
    return lambda case, output: first(case, output) or fails(case, output)


@dataclasses.dataclass(frozen=True, repr=False)
class Implement(Task):
    """A function or a class to write.

    Attributes
    ----------
    name : str
        The task, and the name that the student's code defines.
    returns : sequence of Value or str
        What the function returns, in order, or the attributes that the class has after ``fit``.
    cases : callable
        Takes a random generator and returns the arguments of each case.
    properties : sequence of Property
        What is demanded of the outcome of every case.
    refused : sequence of str
        Modules that may not be imported, besides scikit-learn and this package's algorithms.
    seconds : float
        How long all cases may take together, and again the properties.
    asks : str
        What this student's numbers ask for, where they change what is to be done.
    """

    name: str
    returns: Sequence[Value | str]
    cases: Callable[[np.random.Generator], list[Case]]
    properties: Sequence[Property]
    refused: Sequence[str] = ()
    seconds: float = 10.0
    asks: str = ""

    kind = "implement"

    @property
    def items(self) -> list[tuple[str, float]]:
        """What can earn points, and how many."""
        return [(p.name, p.points) for p in self.properties]

    def check(self, answer: Any, random: np.random.Generator) -> Result:
        """Run a program on fresh data in a process of its own, and look at what it returns.

        Parameters
        ----------
        answer : str, function or class
            Source code that defines the name of the task, or the object itself, whose cell or file
            is then run again.
        random : numpy.random.Generator
            Where the data come from.
        """
        cases = self.cases(random)
        try:
            source = source_of(answer)
            outputs = sandbox.run(
                source,
                self.name,
                cases,
                self.returns,
                seconds=self.seconds,
                megabytes=MEGABYTES,
                refused=self.refused,
            )
        except sandbox.Contained as reason:
            return self.untried(reason.sentence)
        try:
            hints = within_limits(lambda: self.hints(cases, outputs), self.seconds, MEGABYTES)
        except Exceeded as reason:
            return self.untried(f"What {self.name} returns cannot be checked: {reason}.")
        items = [
            Item(p.name, p.points, not hint, hint)
            for p, hint in zip(self.properties, hints, strict=True)
        ]
        return Result(self.name, tuple(items))

    def hints(self, cases: Sequence[Case], outputs: Sequence[Output]) -> list[str]:
        """Return for each property what is wrong with the first outcome that lacks it."""
        pairs = list(zip(cases, outputs, strict=True))
        return [next((h for c, o in pairs if (h := _fault(p, c, o))), "") for p in self.properties]

    def __str__(self) -> str:
        return f"{self.name}: {self.asks}" if self.asks else self.name

    __repr__ = __str__


def _fault(wanted: Property, case: Case, output: Output) -> str:
    """Return what is wrong with one outcome; an outcome of a wrong shape is wrong."""
    try:
        return wanted.fails(case, output)
    except (ArithmeticError, IndexError, ValueError, TypeError, np.linalg.LinAlgError):
        return "What is returned does not have the shape that the task asks for."


def source_of(answer: Any) -> str:
    """Return the source of the cell or file in which a function or class was defined.

    Examples
    --------
    >>> from mlnotes.checks.implement import source_of
    >>> source_of("x = 1")
    'x = 1'
    """
    if isinstance(answer, str):
        return answer
    function = answer
    if inspect.isclass(answer):
        methods = [m for m in vars(answer).values() if inspect.isfunction(m)]
        function = methods[0] if methods else None
    if not inspect.isfunction(function):
        raise sandbox.Contained("the answer is not a function or a class")
    lines = linecache.getlines(function.__code__.co_filename, function.__globals__)
    if not lines:
        raise sandbox.Contained("the source of the answer cannot be found: pass it as a string")
    return "".join(lines)
