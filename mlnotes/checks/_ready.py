"""What grading any submission needs, done once where the processes that grade are forked from."""

from __future__ import annotations

import importlib

from mlnotes.checks import isolation
from mlnotes.checks.sheet import Assignment, assignments

for _name in assignments():
    Assignment(_name, student="nobody")
for _name in ("scipy.optimize", "mlnotes.checks.notebooks"):
    importlib.import_module(_name)
isolation.readable()
isolation.why_no_bubblewrap()
