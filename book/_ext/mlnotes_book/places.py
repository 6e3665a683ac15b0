"""Where things are in the book: labelled places, named cells and tests, as evidence needs them."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment


@dataclass(frozen=True)
class Place:
    """What a label leads to: a page, an anchor on it, and words for a link."""

    docname: str
    anchor: str
    words: str
    section: bool = False


def number(env: BuildEnvironment, docname: str, kind: str, anchor: str) -> str:
    """Return the number of a numbered thing, or nothing."""
    found = env.toc_fignumbers.get(docname, {}).get(kind, {}).get(anchor, ())
    return ".".join(map(str, found))


def find(env: BuildEnvironment, label: str) -> Place | None:
    """Return the place of a label, or None where the book has no such label."""
    proofs: dict[str, Any] = getattr(env, "proof_list", {})
    if label in proofs:
        docname, kind = proofs[label]["docname"], proofs[label]["realtype"]
        numbered = number(env, docname, proofs[label]["countertype"], label)
        return Place(docname, label, f"{kind.title()} {numbered}".strip())
    exercises: dict[str, Any] = getattr(env, "sphinx_exercise_registry", {})
    if label in exercises:
        docname, kind = exercises[label]["docname"], exercises[label]["type"]
        numbered = number(env, docname, kind, label)
        return Place(docname, label, f"{kind.title()} {numbered}".strip())
    equations = env.get_domain("math").equations  # type: ignore[attr-defined]
    if label in equations:
        docname, anchor = equations[label][0], nodes.make_id(f"equation-{label}")
        numbered = number(env, docname, "displaymath", anchor)
        return Place(docname, anchor, f"equation ({numbered})" if numbered else "an equation")
    standard = env.get_domain("std")
    for docname, anchor, *_ in (
        found
        for labels in (standard.labels, standard.anonlabels)  # type: ignore[attr-defined]
        if (found := labels.get(label.lower()))
    ):
        return _standard(env, docname, anchor)
    return None


def _standard(env: BuildEnvironment, docname: str, anchor: str) -> Place:
    """Return the place of a label of Sphinx's own, which may belong to anything."""
    node = _anchored(env, docname).get(anchor)
    if node is None:
        return Place(docname, anchor, "a place")
    if isinstance(node, nodes.section | nodes.document | nodes.title):
        return Place(docname, anchor, "a section", section=True)
    if isinstance(node, nodes.figure) or "figure" in node.get("classes", ()):
        numbered = number(env, docname, "figure", anchor)
        return Place(docname, anchor, f"Figure {numbered}".strip())
    if "cell" in node.get("classes", ()):
        return Place(docname, anchor, "a cell")
    if "erratum" in node.get("classes", ()):
        return Place(docname, anchor, "a box")
    return Place(docname, anchor, "a paragraph")


def _anchored(env: BuildEnvironment, docname: str) -> dict[str, nodes.Element]:
    """Return the elements of a page by their anchors; reading a page again takes long."""
    known: dict[str, dict[str, nodes.Element]] = env.temp_data.setdefault("mlnotes_anchors", {})
    if docname not in known:
        known[docname] = {
            anchor: node
            for node in env.get_doctree(docname).findall(nodes.Element)
            for anchor in node.get("ids", ())
        }
    return known[docname]


@dataclass(frozen=True)
class Cell:
    """A code cell that has a name: its source, and whether it draws a figure."""

    source: str
    figure: bool


@cache
def cells(docname: str) -> dict[str, Cell]:
    """Return the cells of a page by their names, which a cell or its figure may carry."""
    from tools import execution
    from tools.paths import ROOT

    path = ROOT / f"{docname}.md"
    if path not in execution.chapters():
        return {}
    found = {}
    for cell in execution.read(path).cells:
        options = cell.get("metadata", {})
        figure = options.get("mystnb", {}).get("figure", {}).get("name")
        for name in (options.get("name"), figure):
            if cell.cell_type == "code" and name:
                found[name] = Cell(cell.source, bool(figure))
    return found


@cache
def tests(path: Path) -> dict[str, str]:
    """Return the source of every test function of a file, each with what the file imports."""
    if not path.is_file():
        return {}
    text = path.read_text(encoding="utf-8")
    tree = ast.parse(text)
    imports = "\n".join(
        ast.unparse(node) for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)
    )
    return {
        node.name: f"{imports}\n{ast.unparse(node)}"
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    }


def name_cells(app: Sphinx, doctree: nodes.document) -> None:
    """Give a cell with a name an anchor, and make the name a label."""
    anonymous = app.env.get_domain("std").anonlabels  # type: ignore[attr-defined]
    for node in doctree.findall(nodes.container):
        name = node.get("cell_metadata", {}).get("name")
        if node.get("nb_element") == "cell_code" and name:
            anchor = nodes.make_id(name)
            node["ids"].append(anchor)
            anonymous[name.lower()] = (app.env.docname, anchor)


def setup(app: Sphinx) -> None:
    """Name the cells as soon as a page has been read."""
    app.connect("doctree-read", name_cells)
