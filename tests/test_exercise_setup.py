"""An exercise that is checked on its page brings along all that its code uses."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import pytest
from bs4 import BeautifulSoup

from tools.contents import titles
from tools.paths import BOOK

sys.path.insert(0, str(BOOK / "_ext"))
from mlnotes_book.exercise_setup import MARK, setup_of, used

PAGES = [name for name in titles() if (BOOK / name / "exercises.md").exists()]
# What the reader's browser has: the engine, the theorems, and Python itself.
THERE = ("mlnotes.proof", "mlnotes.theorems")


def programs(page: Path) -> dict[str, list[str]]:
    """Return the code of the exercises on derivations, by label, as the browser runs it."""
    soup = BeautifulSoup(page.read_text(encoding="utf-8"), "html.parser")
    found = {}
    for exercise in soup.select("div.exercise"):
        inputs = exercise.select("div.cell_input")
        codes = ["\n".join(pre.get_text() for pre in part.select("pre")) for part in inputs]
        if any(MARK in code for code in codes):
            before = exercise.select_one("script.exercise-setup")
            found[str(exercise["id"])] = [before.get_text() if before else "", *codes]
    return found


def imported(code: str) -> set[str]:
    """Return the modules that a program imports names from."""
    out = set()
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.ImportFrom) and node.module:
            names = [f"{node.module}.{a.name}" for a in node.names]
            out |= {name if node.module == "mlnotes" else node.module for name in names}
        elif isinstance(node, ast.Import):
            out |= {a.name for a in node.names}
    return out


@pytest.mark.parametrize("name", PAGES)
def test_code_that_is_checked_on_the_page_runs_alone_there(site: Path, name: str) -> None:
    for label, codes in programs(site / "book" / name / "exercises.html").items():
        program = "\n".join(codes)
        foreign = {
            module
            for module in imported(program)
            if not module.startswith(THERE) and module.partition(".")[0] not in STANDARD
        }
        assert not foreign, f"{label}: the browser has no {', '.join(foreign)}"
        assert used(*ast.parse(program).body) == set(), label
        exec(compile(program, label, "exec"), {"__name__": "__main__"})


STANDARD = sys.stdlib_module_names


def test_some_pages_have_such_exercises(site: Path) -> None:
    counts = [len(programs(site / "book" / name / "exercises.html")) for name in PAGES]
    assert sum(counts) > 20


def test_of_earlier_cells_only_what_is_needed_is_taken() -> None:
    earlier = ["import numpy as np\nfrom mlnotes.proof import a, b, c", "d = b(1)\nprint(np.pi)"]
    assert setup_of(["def f(line):\n    return d + line"], earlier) == (
        "from mlnotes.proof import b\nd = b(1)"
    )
    assert setup_of(["1 + 1"], earlier) == ""
