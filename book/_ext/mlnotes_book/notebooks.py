"""Every chapter with code cells as a Jupyter notebook that runs where the package is."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import nbformat
from docutils import nodes
from myst_nb.core.read import is_myst_markdown_notebook, read_myst_markdown_notebook
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from tools.model_answers import without_answers

from .as_markdown import Writer
from .repository import Repository

OPENING = """\
This notebook is a page of the book, text and code. It runs in any environment that has the package:

```
{install}
```
"""


def source_of(app: Sphinx, docname: str) -> Path | None:
    """Return a chapter's source file, or None for a page without code cells."""
    path = Path(app.env.doc2path(docname))
    if path.suffix == ".md" and is_myst_markdown_notebook(path.read_text(encoding="utf-8")):
        return path
    return None


def hides_answers(source: Path) -> bool:
    """Say whether a page has model answers that its notebook does not have."""
    text = source.read_text(encoding="utf-8")
    return without_answers(text) != text


def notebook_path(docname: str) -> str:
    """Return where a chapter's notebook is, seen from the site's root."""
    return f"notebooks/{docname.removeprefix('book/')}.ipynb"


def install_command(repository: Repository, more: Sequence[str] = ()) -> str:
    """Say how to install the package from the repository, or from a copy of it."""
    if repository.url:
        return " ".join([f'pip install "mlnotes-book[plot] @ git+{repository.url}"', *more])
    return " ".join(['pip install ".[plot]"', *more]) + "    # in a copy of the repository"


# Packages that the package does without and a page compares it with, by the name of their modules.
COMPARED = {"sklearn": "scikit-learn"}


def compared_with(cells: Iterable[nbformat.NotebookNode]) -> list[str]:
    """Return the packages besides ours that cells import."""
    modules = "|".join(COMPARED)
    importing = re.compile(rf"^\s*(?:import|from) ({modules})\b", re.MULTILINE)
    found = {
        m for cell in cells if cell.cell_type == "code" for m in importing.findall(cell.source)
    }
    return sorted(COMPARED[module] for module in found)


class Install(SphinxDirective):
    """How to install the package."""

    def run(self) -> list[nodes.Node]:
        """Return the command as a block of code."""
        command = install_command(Repository(self.config.mlnotes_repository))
        return [nodes.literal_block(command, command, language="sh")]


def write_notebook(
    app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: Any
) -> None:
    """Write a page's notebook: what the page says, and the cells of its source."""
    if not isinstance(doctree, nodes.document) or app.builder.format != "html":
        return
    source = source_of(app, pagename)
    if source is None:
        return
    text = without_answers(source.read_text(encoding="utf-8"))
    notebook = read_myst_markdown_notebook(text, path=source)
    macros = app.config.mlnotes_macros
    cells = Writer(pagename, app.env, macros, notebook.cells).write(doctree)
    repository = Repository(app.config.mlnotes_repository)
    opening = OPENING.format(install=install_command(repository, compared_with(cells)))
    notebook.cells = [nbformat.v4.new_markdown_cell(opening, id="how-to-run"), *cells]
    for number, cell in enumerate(notebook.cells[1:]):
        cell["id"] = f"cell-{number}"
    notebook.metadata.pop("source_map", None)
    target = Path(app.outdir) / notebook_path(pagename)
    target.parent.mkdir(parents=True, exist_ok=True)
    nbformat.write(notebook, target)


def setup(app: Sphinx) -> None:
    """Register the command; write each notebook when its page is written."""
    app.add_directive("install", Install)
    app.connect("html-page-context", write_notebook)
