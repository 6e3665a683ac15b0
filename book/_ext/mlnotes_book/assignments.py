"""Assignments as students see them: model answers and rubrics stay in the source."""

from __future__ import annotations

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from tools.model_answers import HIDDEN


class Hidden(SphinxDirective):
    """What only `make assignments` reads."""

    has_content = True
    optional_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Return nothing."""
        return []


def setup(app: Sphinx) -> None:
    """Register the directives that leave no trace."""
    for name in HIDDEN:
        app.add_directive(name, Hidden)
