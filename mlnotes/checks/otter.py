"""The plugin through which otter-grader uses these checks.

Otter runs a notebook and its tests in one kernel, where a student's code could read the tests. This
plugin grades the notebook first, each answer in a process of its own, and hands otter a notebook
that holds nothing but the outcome; the tests of the autograder read it.
"""

from __future__ import annotations

from typing import Any

from mlnotes.checks.notebooks import Graded, grade_notebook

OUTCOME = "outcome"


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
        self.graded = grade_notebook(submission, self.assignment, self.secret)
        items = {
            f"{result.task}: {item.name}": [item.right, item.hint or result.note]
            for result in self.graded.results
            for item in result.items
        }
        cell: dict[str, Any] = {"execution_count": None, "metadata": {}, "outputs": []}
        submission.cells = [
            type(submission)(
                **cell, cell_type="code", source=f"{OUTCOME} = {items!r}", id="outcome"
            )
        ]
        return submission

    def generate_report(self) -> str:
        """Return points and hints, which otter prints."""
        return str(self.graded)


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
            f"    right, hint = ({OUTCOME} or {{}}).get({key!r}, (False, 'not graded'))",
            "    assert right, hint",
        ]
    return "\n".join(out) + "\n"
