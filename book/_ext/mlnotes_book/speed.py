"""What makes the build quick and changes nothing that it makes.

Pages are written on all cores. What is read is kept instead of being read from the disk again, and
what pages do thousands of times is done in less time.
"""

from __future__ import annotations

import gc
import os
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from docutils import nodes
from sphinx import builders
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

BATCH = 4


def walk(node: nodes.Node) -> Iterator[nodes.Node]:
    """Yield a node and all below it, as docutils does by a generator for every level."""
    pending = [iter((node,))]
    while pending:
        for node in pending[-1]:
            yield node
            if node.children:
                pending.append(iter(node.children))
                break
        else:
            pending.pop()


def find_quickly() -> None:
    """Let docutils look through a tree in one generator where it is to look at all of it."""
    find: Callable[..., Iterator[nodes.Node]] = nodes.Node.findall
    if find.__module__ == __name__:
        return

    def findall(
        self: nodes.Node,
        condition: Any = None,
        include_self: bool = True,
        descend: bool = True,
        siblings: bool = False,
        ascend: bool = False,
    ) -> Iterator[nodes.Node]:
        if not (include_self and descend) or siblings or ascend:
            return find(self, condition, include_self, descend, siblings, ascend)
        if condition is None:
            return walk(self)
        if isinstance(condition, type):
            return (node for node in walk(self) if isinstance(node, condition))
        return (node for node in walk(self) if condition(node))

    nodes.Node.findall = findall  # type: ignore[method-assign,assignment]


def remember_pages() -> None:
    """Give whoever looks at a page that was just read the page itself, not another copy of it.

    The table of contents is taken from the root page, of which writing that page leaves nothing.
    """
    load = BuildEnvironment.get_doctree
    if load.__module__ == __name__:
        return

    def get_doctree(self: BuildEnvironment, docname: str) -> nodes.document:
        if docname in self._write_doc_doctree_cache and docname != self.config.root_doc:
            return self._write_doc_doctree_cache[docname]
        return load(self, docname)

    BuildEnvironment.get_doctree = get_doctree  # type: ignore[method-assign]


def few_at_a_time(docnames: Sequence[str], processes: int) -> list[Sequence[str]]:
    """Return the pages in batches so small that no process has to wait long for the first."""
    return [docnames[start : start + BATCH] for start in range(0, len(docnames), BATCH)]


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
    builders.make_chunks = few_at_a_time  # type: ignore[assignment]
    find_quickly()
    remember_pages()
