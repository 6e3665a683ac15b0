"""Hints to exercises: `{hint}` names its exercise, as `{solution}` does, and stands before it.

A hint is a solution of less: it is folded, printed, put into notebooks and found in the same way.
A second hint to an exercise would have the label of the first, which fails the build, and so does
a hint to an exercise that the book does not have.
"""

from __future__ import annotations

from docutils import nodes
from sphinx.application import Sphinx
from sphinx_exercise.directive import SolutionDirective
from sphinx_exercise.nodes import solution_title

WORDS = "Hint for"


class Hint(SolutionDirective):
    """The first move, for a reader who is stuck; the argument is the label of an exercise."""

    name = "hint"

    def run(self) -> list[nodes.Element]:
        """Return the hint, closed; its title will have the number and name of the exercise."""
        self.options["label"] = f"hint-{self.arguments[0]}"
        self.options["class"] = ["dropdown"]
        found: list[nodes.Element] = super().run()
        for hint in found:
            hint["title"] = WORDS
            for title in hint.findall(solution_title):
                title.clear()
                title += nodes.Text(WORDS)
        return found


def setup(app: Sphinx) -> None:
    """Register the directive, in the place of the admonition of that name."""
    app.add_directive("hint", Hint, override=True)
