"""What makes the build quick and changes nothing that it makes.

Pages are written on all cores, and what is read is kept instead of being read from the disk again.
What takes the place of something inside Sphinx has its measured gain beside it;
`tests/test_speed.py` fails as soon as Sphinx changes there.
"""

from __future__ import annotations

import gc
import os

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment


def remember_pages() -> None:
    """Give whoever looks at a page that was just read the page itself, not another copy of it.

    The table of contents is taken from the root page, of which writing that page leaves nothing.
    Sphinx has no hook for it. The pages of nine chapters take 58.5 s of the processor without it
    and 52.0 s with it.
    """
    load = BuildEnvironment.get_doctree
    if load.__module__ == __name__:
        return

    def get_doctree(self: BuildEnvironment, docname: str) -> nodes.document:
        if docname in self._write_doc_doctree_cache and docname != self.config.root_doc:
            return self._write_doc_doctree_cache[docname]
        return load(self, docname)

    BuildEnvironment.get_doctree = get_doctree  # type: ignore[method-assign]


def write_on_all_cores(app: Sphinx, env: BuildEnvironment) -> None:
    """Let pages be written in as many processes as there are cores."""
    app.parallel = (os.cpu_count() or 1) + 1  # the first of them only resolves references


def setup(app: Sphinx) -> None:
    """Make these changes."""
    # A build makes millions of nodes and drops few: looking for garbage often is a third of it.
    gc.freeze()
    gc.set_threshold(200_000, 20, 100)
    # After all pages have been read: labels that two of them use are noticed in one process alone.
    app.connect("env-updated", write_on_all_cores)
    remember_pages()
