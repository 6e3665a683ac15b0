"""Labels: where each of them leads, which cells have a name, and that no label is used twice."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util import logging

from tools import execution
from tools.paths import ROOT

from .statements import lemmas

logger = logging.getLogger(__name__)


class ToPlace(nodes.General, nodes.TextElement):
    """A link to a label, or to what is named as evidence; made when all pages have been read."""


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
    if lemma := lemmas(env).get(label):
        return Place(lemma["docname"], label, f"the lemma “{lemma['title']}”")
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
    kind = anchors(env).get(docname, {}).get(anchor, "a place")
    if kind == "Figure":
        kind = f"Figure {number(env, docname, 'figure', anchor)}".strip()
    return Place(docname, anchor, kind, section=kind == "a section")


def anchors(env: BuildEnvironment) -> dict[str, dict[str, str]]:
    """Return what each anchor of each page belongs to: reading the pages again takes long."""
    if not hasattr(env, "mlnotes_anchors"):
        env.mlnotes_anchors = {}  # type: ignore[attr-defined]
    found: dict[str, dict[str, str]] = env.mlnotes_anchors
    return found


def kind_of(node: nodes.Element) -> str:
    """Return words for what an anchor belongs to."""
    classes = node.get("classes", ())
    if isinstance(node, nodes.section | nodes.document | nodes.title):
        return "a section"
    if isinstance(node, nodes.figure) or "figure" in classes:
        return "Figure"
    if "cell" in classes:
        return "a cell"
    return "a box" if "erratum" in classes else "a paragraph"


@dataclass(frozen=True)
class Cell:
    """A code cell that has a name: its source, and whether it draws a figure."""

    source: str
    figure: bool


@cache
def cells(docname: str) -> dict[str, Cell]:
    """Return the cells of a page by their names, which a cell or its figure may carry."""
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


def labels_by_page(env: BuildEnvironment) -> dict[str, list[str]]:
    """Return the labels that each page sets."""
    if not hasattr(env, "mlnotes_labels"):
        env.mlnotes_labels = {}  # type: ignore[attr-defined]
    found: dict[str, list[str]] = env.mlnotes_labels
    return found


def name_cells(app: Sphinx, doctree: nodes.document) -> None:
    """Give a cell with a name an anchor, and make the name a label."""
    anonymous = app.env.get_domain("std").anonlabels  # type: ignore[attr-defined]
    for node, name in named_cells(doctree):
        anchor = nodes.make_id(name)
        node["ids"].append(anchor)
        anonymous[name.lower()] = (app.env.docname, anchor)


def named_cells(doctree: nodes.document) -> Iterator[tuple[nodes.container, str]]:
    """Yield the code cells that have a name."""
    for node in doctree.findall(nodes.container):
        name = node.get("cell_metadata", {}).get("name")
        if node.get("nb_element") == "cell_code" and name:
            yield node, name


def note_labels(app: Sphinx, doctree: nodes.document) -> None:
    """Remember a page's anchors and labels: of places, cells, equations, claims and exercises."""
    explicit = [
        name
        for name, chosen in doctree.nametypes.items()
        if chosen and (anchor := doctree.nameids.get(name))
        if not isinstance(doctree.ids.get(anchor), nodes.footnote | nodes.citation)
    ]
    cells = [name for _, name in named_cells(doctree)]
    numbered = [
        node["label"]
        for node in doctree.findall(nodes.Element)
        if isinstance(node, nodes.math_block) or node.get("label") in node.get("ids", ())
        if node.get("label")
    ]
    # A numbered thing may carry its label as a name besides, and a figure that of its cell.
    once = dict.fromkeys([*explicit, *numbered])
    labels_by_page(app.env)[app.env.docname] = [*once, *(n for n in cells if n not in once)]
    anchors(app.env)[app.env.docname] = {
        anchor: kind_of(node)
        for node in doctree.findall(nodes.Element)
        for anchor in node.get("ids", ())
    }


def repeated(pages: dict[str, list[str]]) -> Iterator[tuple[str, str]]:
    """Yield (page, sentence) for every label that is set a second time, in all of the book."""
    home: dict[str, str] = {}
    for page in sorted(pages):
        for label in map(str.lower, pages[page]):
            if label in home:
                where = "on this page" if home[label] == page else f"in {home[label]}"
                yield page, f"the label {label} is already set {where}; choose another name"
            home.setdefault(label, page)


def check(app: Sphinx, env: BuildEnvironment) -> None:
    """Report every label that the book has twice: a link would lead to one of them by chance."""
    for page, sentence in repeated(labels_by_page(env)):
        logger.warning(sentence, location=page, type="mlnotes", subtype="labels")


def forget(app: Sphinx, env: BuildEnvironment, docname: str) -> None:
    """Forget the labels and anchors of a page that is read again or removed."""
    labels_by_page(env).pop(docname, None)
    anchors(env).pop(docname, None)


def setup(app: Sphinx) -> None:
    """Name the cells and note the labels as soon as a page has been read."""
    app.connect("doctree-read", name_cells)
    app.connect("doctree-read", note_labels)
    app.connect("env-purge-doc", forget)
    app.connect("env-check-consistency", check)
