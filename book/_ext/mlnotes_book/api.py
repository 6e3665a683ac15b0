"""A page of API reference for every public module, written from the package before the build."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx
from sphinx.domains.python import PyObject

import mlnotes

from . import freshness
from .generated import write_generated

PUBLIC = re.compile(r"^__all__ = ", re.MULTILINE)
# The label of a statement, as docstrings name it.
LABEL = re.compile(r"``((?:thm|lem|prp|cor)-[\w-]+)``")
# A field with the indented lines that continue it.
ATTRIBUTE = re.compile(r"^:(ivar|vartype) ([^:\n]+):(.*(?:\n +.*)*)", re.MULTILINE)
PAGE = """# `{module}`

```{{eval-rst}}
.. automodule:: {module}
   :members:
   :member-order: bysource
```
"""


def public_modules() -> Iterator[str]:
    """Yield the dotted name of every module that declares its public names in ``__all__``."""
    package = Path(mlnotes.__file__).parent
    for path in sorted(package.rglob("*.py")):
        parts = path.relative_to(package.parent).with_suffix("").parts
        name = ".".join(parts).removesuffix(".__init__")
        if "._" not in name and PUBLIC.search(path.read_text(encoding="utf-8")):
            yield name


def write_pages(app: Sphinx) -> None:
    """Write a page for every public module."""
    pages = {f"{name}.md": PAGE.format(module=name) for name in public_modules()}
    write_generated(Path(app.srcdir) / "book" / "api", pages)


def skip_foreign(
    app: Sphinx, what: str, name: str, member: Any, skip: bool, options: Any
) -> bool | None:
    """Leave out what a module only passes on from another project, such as SymPy's functions."""
    home = getattr(member, "__module__", None) or "mlnotes"
    return True if what == "module" and not home.startswith("mlnotes") else None


def name_attributes(
    app: Sphinx, what: str, name: str, member: Any, options: Any, lines: list[str]
) -> None:
    """Keep the underscore of learned attributes, and give each of several its own line."""
    text = "\n".join(lines)
    lines[:] = ATTRIBUTE.sub(one_by_one, text).split("\n")


def link_statements(
    app: Sphinx, what: str, name: str, member: Any, options: Any, lines: list[str]
) -> None:
    """Turn the label of a statement of the book into a link to it."""
    known = app.env.mlnotes_ledger  # type: ignore[attr-defined]
    freshness.note(app.env, "labels")

    def link(match: re.Match[str]) -> str:
        return f":prf:ref:`{match[1]}`" if match[1] in known else match[0]

    lines[:] = [LABEL.sub(link, line) for line in lines]


def one_by_one(match: re.Match[str]) -> str:
    """Return a field of several names as that many fields."""
    field, names, text = match.groups()
    return "\n".join(f":{field} {escape(name)}:{text}" for name in names.split(", "))


def escape(name: str) -> str:
    """Return a name whose last underscore does not make it a link."""
    return name[:-1] + r"\_" if name.endswith("_") else name


def setup(app: Sphinx) -> None:
    """Write the pages before the table of contents is read, and a source for Sphinx's index."""
    app.connect("autodoc-skip-member", skip_foreign)
    # After napoleon has turned sections into fields.
    app.connect("autodoc-process-docstring", name_attributes, priority=900)
    app.connect("autodoc-process-docstring", link_statements)
    for field in PyObject.doc_field_types:
        if field.name == "variable":
            field.label = "Attributes"
    write_pages(app)
    (Path(app.srcdir) / "genindex.md").write_text("# Index\n", encoding="utf-8")
