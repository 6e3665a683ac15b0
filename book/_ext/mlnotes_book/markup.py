"""Pieces of pages that several directives are made of: links, tables, formulas, what opens."""

from __future__ import annotations

from collections.abc import Callable

from docutils import nodes
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.writers.html5 import HTML5Translator


class Details(nodes.General, nodes.Element):
    """What can be opened and closed, by keyboard too and without a script; closed at first."""


# What only some readers open, and what has thousands of elements on a page.
DEFERRED = ("lemma", "checking", "methods")


class Summary(nodes.General, nodes.TextElement):
    """The line that opens it."""


def with_mathematics(text: str) -> list[nodes.Node]:
    """Return words and the formulas between dollars."""
    parts = text.split("$")
    return [nodes.math(p, p) if k % 2 else nodes.Text(p) for k, p in enumerate(parts) if p]


def display(tex: str, docname: str) -> nodes.math_block:
    """Return a displayed formula."""
    node = nodes.math_block(tex, tex, label=None, number=None, nowrap=False)
    node["docname"] = docname
    return node


def table(head: list[str], rows: list[list[str]]) -> nodes.table:
    """Return a plain table."""
    group = nodes.tgroup("", *(nodes.colspec(colwidth=1) for _ in head), cols=len(head))

    def line(cells: list[str]) -> nodes.row:
        paragraphs = [nodes.paragraph("", "", *with_mathematics(cell)) for cell in cells]
        return nodes.row("", *(nodes.entry("", paragraph) for paragraph in paragraphs))

    group += nodes.thead("", line(head))
    group += nodes.tbody("", *(line(row) for row in rows))
    return nodes.table("", group)


def count(number: int, thing: str) -> str:
    """Return how many things there are, in words that agree."""
    return f"{number} {thing}" + ("" if number == 1 else "s")


def folded(summary: str, *content: nodes.Node) -> Details:
    """Return content that is closed until it is opened."""
    return Details("", Summary("", summary), *content, classes=["methods"])


def link(
    env: BuildEnvironment, domain: str, reftype: str, target: str, text: str = ""
) -> pending_xref:
    """Return a link with a text, or with the number or title of what it leads to."""
    return pending_xref(
        "",
        nodes.inline("", text or target),
        refdomain=domain,
        reftype=reftype,
        reftarget=target,
        refexplicit=bool(text),
        refdoc=env.docname,
        refwarn=True,
    )


def relative(env: BuildEnvironment, docname: str) -> str:
    """Return the address of a page from the one that is being read."""
    return env.app.builder.get_relative_uri(env.docname, docname)


def link_first_column(body: nodes.table, addresses: list[str]) -> None:
    """Make links of the first entries of a table's lines, as far as there are addresses."""
    lines = list(body.findall(nodes.row))[1:]
    for line, uri in zip(lines, addresses, strict=False):
        paragraph = line[0][0]
        text = paragraph.astext()
        paragraph.children = []
        paragraph += nodes.reference("", text, refuri=uri, internal=True)


def is_deferred(node: nodes.Node | None) -> bool:
    """Say whether the browser builds the content of a fold only when somebody opens it."""
    wanted = isinstance(node, Details) and not node.get("open")
    return wanted and not {*DEFERRED}.isdisjoint(node["classes"]) and not is_within_deferred(node)


def is_within_deferred(node: nodes.Node) -> bool:
    """Say whether a node is part of what is built later."""
    return node.parent is not None and (is_deferred(node.parent) or is_within_deferred(node.parent))


def visit_details(translator: HTML5Translator, node: Details) -> None:
    """Open the tag."""
    attributes = {"open": "open"} if node.get("open") else {}
    translator.body.append(translator.starttag(node, "details", **attributes))


def depart_details(translator: HTML5Translator, node: Details) -> None:
    """Close the tag."""
    translator.body.append(f"{'</noscript>' if is_deferred(node) else ''}</details>\n")


def visit_summary(translator: HTML5Translator, node: Summary) -> None:
    """Open the tag."""
    translator.body.append(translator.starttag(node, "summary", ""))


def depart_summary(translator: HTML5Translator, node: Summary) -> None:
    """Close the tag.

    Where there are scripts, a browser takes what stands in `noscript` for text, of which
    `mlnotes.js` makes elements when the fold is opened; where there are none, it shows it.
    """
    translator.body.append(f"</summary>\n{'<noscript>' if is_deferred(node.parent) else ''}")


def depart(end: str) -> Callable[[HTML5Translator, nodes.Element], None]:
    """Return what closes a tag."""
    return lambda translator, node: translator.body.append(end)


def setup(app: Sphinx) -> None:
    """Register the nodes."""
    app.add_node(Details, html=(visit_details, depart_details))
    app.add_node(Summary, html=(visit_summary, depart_summary))
