"""What to read before what, on the landing page: a graph of the chapters, and three courses."""

from __future__ import annotations

from html import escape
from itertools import pairwise
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from tools.contents import PLAN, titles
from tools.reading_order import COURSES, Layout, courses, layout, prerequisites

from .plan import chapter_reference

# The sizes of the drawing, in units of which the drawing has 846 across.
WIDTH, HEIGHT, GAP, ROW = 180, 24, 42, 33


class reading_graph(nodes.General, nodes.Element):
    """The graph, drawn when the addresses of the pages are known."""


class ReadingGraph(SphinxDirective):
    """Draw which chapters rest on which."""

    def run(self) -> list[nodes.Node]:
        """Return the graph."""
        self.env.note_dependency(str(PLAN))
        return [reading_graph()]


class CoursePlans(SphinxDirective):
    """List the courses of `book/courses.yml`, their chapters in order."""

    def run(self) -> list[nodes.Node]:
        """Return a card a course."""
        self.env.note_dependency(str(COURSES))
        grid = nodes.container(classes=["course-plans"])
        for course in courses():
            card = nodes.container(classes=["course-plan"])
            card += nodes.paragraph("", course["title"], classes=["book-part-title"])
            card += nodes.paragraph("", course["about"], classes=["about"])
            chapters = nodes.enumerated_list()
            for name in course["chapters"]:
                reference = chapter_reference(self.env, name, titles()[name])
                chapters += nodes.list_item("", nodes.paragraph("", "", reference))
            card += chapters
            grid += card
        return [grid]


def positions(graph: Layout) -> dict[Any, tuple[float, float]]:
    """Return the left middle of every chapter and bend; all columns fill the same height."""
    height = ROW * max(map(len, graph.columns))
    return {
        node: (c * (WIDTH + GAP), (i + 0.5) * height / len(column))
        for c, column in enumerate(graph.columns)
        for i, node in enumerate(column)
    }


def drawing(address: dict[str, str]) -> str:
    """Return the graph as SVG; `address` has the pages of the chapters that can be read."""
    graph = layout()
    place = positions(graph)
    names = titles()
    width = len(graph.columns) * (WIDTH + GAP) - GAP
    height = ROW * max(map(len, graph.columns))
    words = "; ".join(
        f"{names[name]} after {' and '.join(names[before] for before in direct)}"
        for name, direct in prerequisites().items()
        if direct
    )
    parts = [
        f'<svg class="reading-graph" viewBox="-1 0 {width + 2} {height}" role="group" '
        f'aria-label="What to read before what: {escape(words)}.">'
    ]
    for edge in graph.edges:
        parts.append(f'<path d="{_path(edge, place)}"/>')
    for name, title in names.items():
        x, y = place[name]
        box = f'<rect x="{x}" y="{y - HEIGHT / 2}" width="{WIDTH}" height="{HEIGHT}" rx="4"/>'
        text = f'<text x="{x + WIDTH / 2}" y="{y + 4}">{escape(title)}</text>'
        if name in address:
            parts.append(f'<a href="{address[name]}">{box}{text}</a>')
        else:
            parts.append(f'<g class="planned">{box}{text}</g>')
    return "".join([*parts, "</svg>"])


def _path(edge: list[Any], place: dict[Any, tuple[float, float]]) -> str:
    """Return a curve from the right of a chapter, straight through its bends, to the next one."""
    x, y = place[edge[0]]
    path = [f"M{x + WIDTH} {y}"]
    for _, node in pairwise(edge):
        x, y = place[node]
        last_x, last_y = (float(number) for number in path[-1][1:].split()[-2:])
        middle = (last_x + x) / 2
        path.append(f"C{middle} {last_y} {middle} {y} {x} {y}")
        if node != edge[-1]:
            path.append(f"L{x + WIDTH} {y}")
    return "".join(path)


def visit_html(self: Any, node: reading_graph) -> None:
    """Write the graph with links to the chapters that are in the book."""
    builder = self.builder
    address = {
        name: builder.get_relative_uri(builder.current_docname, f"book/{name}")
        for name in titles()
        if f"book/{name}" in builder.env.found_docs
    }
    self.body.append(
        '<div class="reading-order" tabindex="0" role="region" aria-label="Reading order">'
        f"{drawing(address)}</div>"
    )
    raise nodes.SkipNode


def skip(self: Any, node: reading_graph) -> None:
    """Leave the graph out where there is nothing to draw on: the plan has the same in words."""
    raise nodes.SkipNode


def setup(app: Sphinx) -> None:
    """Register both directives and the drawing."""
    app.add_node(reading_graph, html=(visit_html, None), text=(skip, None), latex=(skip, None))
    app.add_directive("reading-graph", ReadingGraph)
    app.add_directive("course-plans", CoursePlans)
