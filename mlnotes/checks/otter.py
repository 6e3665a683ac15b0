"""The plugin through which otter-grader uses these checks.

Otter runs a notebook and its tests in one kernel, where a student's code could read the tests. This
plugin grades the notebook first, each answer in a process of its own, and hands otter a notebook
that holds nothing but the outcome; the tests of the autograder read it. Before otter opens it, a
submission is replaced by a clean copy of its cells, so that neither a kernel that is not installed
nor metadata of other tools nor a file that is no notebook stops otter: such a file scores nothing,
and the report says why.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from mlnotes.checks.notebooks import Graded, code_of, grade_notebook, load
from mlnotes.checks.printable import printable
from mlnotes.checks.reports import lines_of
from mlnotes.checks.submissions import SUFFIX, Unreadable

OUTCOME = "outcome"
KERNEL = {"name": "python3", "display_name": "Python 3", "language": "python"}


def prepare(folder: str | Path) -> None:
    """Replace every notebook in a folder by a clean copy that otter can open and run.

    Parameters
    ----------
    folder : path
        Where otter finds the submission.
    """
    for path in sorted(Path(folder).iterdir()):
        if path.suffix.lower() == SUFFIX:
            clean = json.dumps(_clean(path))
            if path.is_dir() and not path.is_symlink():
                path.rename(path.with_name(f"{path.name}.folder"))
            else:
                path.unlink()
            path.with_suffix(SUFFIX).write_text(clean, encoding="utf-8")


def _clean(path: Path) -> dict[str, Any]:
    """Return a notebook with the cells of another one, or with the reason why it has none."""
    problem = ""
    try:
        notebook = load(path)
        code_of(notebook)
        cells = notebook["cells"]
    except Unreadable as reason:
        problem, cells, notebook = str(reason), [], {}
    metadata = notebook.get("metadata")
    own = metadata.get("mlnotes") if isinstance(metadata, dict) else None
    kept = own if isinstance(own, dict) else {}
    return {
        "nbformat": 4,
        "nbformat_minor": 4,
        "metadata": {"kernelspec": KERNEL, "mlnotes": {**kept, "problem": problem}},
        "cells": [_clean_cell(cell) for cell in cells],
    }


def _clean_cell(cell: dict[str, Any]) -> dict[str, Any]:
    """Return the source of a cell, and what it has displayed as far as it is looked at."""
    source = "".join(cell.get("source", ""))
    if cell["cell_type"] != "code":
        return {"cell_type": "markdown", "metadata": {}, "source": source}
    shown: list[dict[str, Any]] = []
    for output in cell.get("outputs") or ():
        if isinstance(output.get("data"), dict):
            data = {"metadata": {}, "data": output["data"]}
            shown.append({"output_type": "display_data", **data})
        elif isinstance(output.get("text"), (str, list)):
            shown.append({"output_type": "stream", "name": "stdout", "text": output["text"]})
    outputs = {"execution_count": None, "outputs": shown}
    return {"cell_type": "code", "metadata": {}, "source": source, **outputs}


class Plugin:
    """Grade a submission before otter runs it.

    Parameters
    ----------
    submission_path : str
        Where the notebook is.
    submission_metadata : dict
        What the platform says of it.
    plugin_config : dict
        ``assignment`` and ``secret``.
    """

    def __init__(
        self, submission_path: str, submission_metadata: Any, plugin_config: dict[str, str]
    ) -> None:
        self.assignment = plugin_config["assignment"]
        self.secret = plugin_config.get("secret", "")
        self.graded: Graded | None = None

    def before_execution(self, submission: Any) -> Any:
        """Return the notebook that otter runs instead: one cell with the outcome."""
        self.graded = self._grade(submission)
        items: dict[str, Any] = {
            f"{result.task}: {item.name}": [item.right, item.hint or result.note]
            for result in self.graded.results
            for item in result.items
        }
        if self.graded.problem:
            items[""] = self.graded.problem
        cell: dict[str, Any] = {"execution_count": None, "metadata": {}, "outputs": []}
        submission.metadata = type(submission)(kernelspec=type(submission)(**KERNEL))
        submission.cells = [
            type(submission)(
                **cell, cell_type="code", source=f"{OUTCOME} = {items!r}", id="outcome"
            )
        ]
        return submission

    def _grade(self, submission: Any) -> Graded:
        """Return the outcome; whatever happens, it is a score with a reason."""
        try:
            problem = submission.get("metadata", {}).get("mlnotes", {}).get("problem", "")
            if problem:
                return Graded("", problem=str(problem))
            return grade_notebook(submission, self.assignment, self.secret)
        except Exception as error:
            return Graded("", problem=f"grading failed with {printable(repr(error))}")

    def generate_report(self) -> str:
        """Return points and hints, which otter prints."""
        return lines_of(str(self.graded))


def test_file(task: str, items: list[tuple[str, float]]) -> str:
    """Return one of otter's test files, with a test for each item of a task."""
    out = [
        "from otter.test_files import test_case",
        "",
        "OK_FORMAT = False",
        f"name = {task!r}",
        "points = None",
    ]
    for k, (item, points) in enumerate(items):
        key = f"{task}: {item}"
        out += [
            "",
            f"@test_case(points={points!r}, name={item!r})",
            f"def test_{k}({OUTCOME}):",
            f"    found, key = {OUTCOME} or {{}}, {key!r}",
            "    right, hint = found.get(key, (False, found.get('', 'not graded')))",
            "    assert right, hint",
        ]
    return "\n".join(out) + "\n"
