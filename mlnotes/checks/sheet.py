"""An assignment for one student: numbers of their own, and the tasks that follow from them."""

from __future__ import annotations

import hashlib
import importlib
import pkgutil
from types import ModuleType
from typing import Any

import numpy as np

from mlnotes.checks import sandbox, sheets
from mlnotes.checks.derive import SECONDS, Derive
from mlnotes.checks.explore import Explore
from mlnotes.checks.implement import Implement
from mlnotes.checks.printable import printable
from mlnotes.checks.results import Result

Task = Derive | Implement | Explore
# What stands in a notebook in the place of a name.
NOBODY = "your name"
# How many characters of a name are looked at.
NAME = 100


def assignments() -> list[str]:
    """Return the names of all assignments.

    Examples
    --------
    >>> from mlnotes.checks import assignments
    >>> "perceptron" in assignments()
    True
    """
    return sorted(info.name for info in pkgutil.iter_modules(sheets.__path__))


def generator(*words: str) -> np.random.Generator:
    """Return a random generator that depends on words, the same one on every machine."""
    digest = hashlib.sha256("\0".join(words).encode()).digest()
    return np.random.default_rng(list(digest))


def variant(student: str, assignment: str) -> dict[str, Any]:
    """Return the numbers of a student's copy of an assignment.

    Parameters
    ----------
    student : str
        Any name or number that identifies the student; case and outer spaces do not matter.
    assignment : str
        The name of the assignment.

    Examples
    --------
    >>> from mlnotes.checks import variant
    >>> variant("Ada", "perceptron") == variant(" ada ", "perceptron")
    True
    """
    return sheets.draw(
        generator("variant", assignment, identity(student)), _module(assignment).NUMBERS
    )


class Assignment:
    """One student's copy of an assignment.

    Parameters
    ----------
    name : str
        The assignment, one of :func:`assignments`.
    student : str
        Who works on it; it chooses the numbers.
    secret : str, default=""
        What only the one who grades knows: it chooses the data on which programs are tried. A
        student checks with none, on other data of the same kind.

    Attributes
    ----------
    numbers : dict
        The student's numbers.
    tasks : dict
        The tasks by their names.

    Examples
    --------
    >>> from mlnotes.checks import Assignment
    >>> from mlnotes.proof import reals
    >>> sheet = Assignment("sample", student="Ada")
    >>> a, b = reals("a b")
    >>> c = sheet.numbers["c"]
    >>> sheet.check("square", {"a": a**2 + 2 * c * a * b + c**2 * b**2})
    square: 2 of 2 points
      ✓ line (a)
    """

    def __init__(self, name: str, student: str, secret: str = "") -> None:
        self.name = name
        self.student = student
        self.numbers = variant(student, name)
        self.tasks: dict[str, Task] = {
            task.name: task for task in _module(name).tasks(self.numbers)
        }
        self._secret = secret

    def __getitem__(self, task: str) -> Task:
        if task not in self.tasks:
            raise KeyError(f"{self.name} has no task {task!r}; it has {', '.join(self.tasks)}")
        return self.tasks[task]

    def __repr__(self) -> str:
        numbers = ", ".join(f"{name} = {value}" for name, value in self.numbers.items())
        if self.student == NOBODY:
            numbers += "; put your name into the cell above, for it chooses your numbers"
        return f"assignment {self.name} for {shown(self.student)}: {numbers}"

    @property
    def possible(self) -> float:
        """The points that can be earned without a reader."""
        return sum(points for task in self.tasks.values() for _, points in task.items)

    @property
    def by_hand(self) -> float:
        """The points that a reader gives."""
        return sum(task.by_hand for task in self.tasks.values())

    def symbols(self, task: str, names: str) -> Any:
        """Return symbols of a derivation by their names, in the order asked for."""
        derive = self[task]
        if not isinstance(derive, Derive):
            raise KeyError(f"{task} is not a derivation")
        found = [derive.vocabulary[name] for name in names.split()]
        return found[0] if len(found) == 1 else tuple(found)

    def check(self, task: str, answer: Any, figure: Any = None) -> Result:
        """Check an answer given as an object: lines, a function or class, a text.

        Parameters
        ----------
        task : str
            The name of the task.
        answer : object
            What the task asks for. A function or class is run again from the source of its cell, in
            a process of its own.
        figure : figure, optional
            The figure of an exploration.

        Returns
        -------
        Result
            Points and hints; printing it shows them.
        """
        what = self[task]
        if isinstance(what, Derive):
            return what.check(answer)
        if isinstance(what, Implement):
            return what.check(answer, self._random(task))
        return what.check(answer, figure)

    def grade(self, task: str, source: str, figure: bool = False) -> Result:
        """Check an answer given as the source of its cell, none of which runs in this process.

        Parameters
        ----------
        task : str
            The name of the task.
        source : str
            The cell; empty if there is none.
        figure : bool, default=False
            Whether the submission has a figure.
        """
        what = self[task]
        if not source and not isinstance(what, Explore):
            return what.untried(f"No cell defines {task}.")
        if isinstance(what, Implement):
            return what.check(source, self._random(task))
        if isinstance(what, Explore):
            from mlnotes.checks.notebooks import text_of

            return what.check(text_of(source, task), figure)
        try:
            lines = sandbox.run_terms(source, task, what.vocabulary, self.numbers)
            # With time to spare: what was decided where a student works is decided here too.
            return what.check(lines, 4 * SECONDS)
        except sandbox.Contained as reason:
            return what.untried(reason.sentence)

    def _random(self, task: str) -> np.random.Generator:
        return generator("data", self.name, task, identity(self.student), self._secret)


def check(assignment: str, task: str, answer: Any, student: str, secret: str = "") -> Result:
    r"""Check one answer: the plain function behind every other way of grading.

    Parameters
    ----------
    assignment, task : str
        What is answered.
    answer : object
        Lines, a function or class or its source, or a text.
    student : str
        Whose numbers hold.
    secret : str, default=""
        What chooses the data, known to the one who grades.

    Returns
    -------
    Result
        Points and hints.

    Examples
    --------
    >>> from mlnotes.checks import check
    >>> check("sample", "average", "def average(x):\n    return x.mean()", student="Ada").earned
    2
    """
    return Assignment(assignment, student, secret).check(task, answer)


def identity(student: str) -> str:
    """Return what of a name chooses the numbers: neither case nor spaces do.

    Examples
    --------
    >>> from mlnotes.checks.sheet import identity
    >>> identity(" Ada  Lovelace") == identity("ada lovelace")
    True
    """
    return shown(student).casefold()


def shown(student: str) -> str:
    r"""Return a name on one line, no longer than a name may be, and harmless.

    Examples
    --------
    >>> from mlnotes.checks.sheet import shown
    >>> shown(" Ada\n\x1b[31m ")
    'Ada \\x1b[31m'
    """
    return printable(" ".join(str(student)[: 4 * NAME].split()), NAME)


def _module(assignment: str) -> ModuleType:
    if assignment not in assignments():
        raise ValueError(f"there is no assignment {assignment!r}; there are {assignments()}")
    return importlib.import_module(f"{sheets.__name__}.{assignment}")
