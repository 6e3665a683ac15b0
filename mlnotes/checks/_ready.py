"""What grading a submission needs, done once where the processes that grade are forked from.

The sheet that is graded has been imported before. Its properties are tried on made-up values, for
the algorithms that they compare with load what they need, compiled loops above all, at their first
call.
"""

from __future__ import annotations

import importlib
import sys

import numpy as np

from mlnotes.checks import isolation, sheets, values
from mlnotes.checks.implement import Case, Implement, Output
from mlnotes.checks.sheet import Assignment, assignments


def warm(name: str) -> None:
    """Build the tasks of an assignment and try the properties of its programs."""
    for task in Assignment(name, student="nobody").tasks.values():
        if isinstance(task, Implement):
            cases = task.cases(np.random.default_rng(0))
            task.hints(cases, [made_up(task, case) for case in cases])


def made_up(task: Implement, case: Case) -> Output:
    """Return values of the shapes that a task declares, all of them zero."""
    shapes = [value.shape(case) if value.shape else () for value in values.declared(task.returns)]
    return tuple(np.zeros([n or 0 for n in shape]) for shape in shapes)


for _name in assignments():
    if f"{sheets.__name__}.{_name}" in sys.modules:
        warm(_name)
for _name in ("scipy.optimize", "mlnotes.checks.notebooks"):
    importlib.import_module(_name)
isolation.readable()
isolation.why_no_bubblewrap()
