"""The errata: where the sources slip, with the cell that shows it.

On a chapter's page `{erratum} <id>` is the box of one slip, `{misprints}` a table and `{remarks}` a
list of the chapter's others; `{errata} <source>` lists all of a source. A box without a cell that
reports its erratum, a report without a box, and a wrong statement without either in a chapter that
calls itself complete are errors of the build.
"""

from __future__ import annotations

from collections.abc import Iterable

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

from tools import reports
from tools.contents import chapter_of, errata_page, pages_of, titles
from tools.paths import ROOT

from . import sources
from .concordance import complete_chapters
from .markup import (
    Details,
    Summary,
    count,
    folded,
    link_first_column,
    relative,
    table,
    with_mathematics,
)
from .sources import Record

logger = logging.getLogger(__name__)
ERRATA = "book/errata"


def boxes(env: BuildEnvironment) -> dict[str, str]:
    """Return the page of the box of each erratum that has one."""
    if not hasattr(env, "mlnotes_boxes"):
        env.mlnotes_boxes = {}  # type: ignore[attr-defined]
    found: dict[str, str] = env.mlnotes_boxes
    return found


def problems(
    errata: Iterable[Record],
    boxes: dict[str, str],
    reported: dict[str, list[str]],
    complete: set[str],
) -> list[tuple[str, str]]:
    """Return what is wrong, as (page, sentence)."""
    found: list[tuple[str, str]] = []
    known = {erratum["id"]: erratum for erratum in errata}
    for name, page in boxes.items():
        if page not in reported.get(name, ()):
            found.append((page, f"no cell of this page shows {name}"))
        if name in known and known[name].get("dropped"):
            found.append((page, f"{name} was dropped and must not have a box"))
    for name, pages in reported.items():
        if name not in known:
            found.append((pages[0], f"a cell reports {name}, which is in no list of errata"))
        elif name not in boxes:
            found.append((pages[0], f"a cell reports {name}, which has no box"))
        if len(pages) > 1:
            found.append((pages[1], f"{name} is reported twice"))
    for name, erratum in known.items():
        page = f"book/{erratum['chapter']}"
        needed = erratum["severity"] in sources.BOXED and not erratum.get("dropped")
        if needed and erratum["chapter"] in complete and name not in boxes:
            found.append((page, f"{name} ({erratum['severity']}) has no box in its chapter"))
        if sources.evidence_of(erratum) and name not in boxes:
            found.append(
                (ERRATA, f"{name} names evidence, but has no box and no cell that shows it")
            )
    return found


def named(name: str) -> Record | None:
    """Return an erratum by its name."""
    return next((erratum for erratum in sources.errata() if erratum["id"] == name), None)


def labelled(words: str, text: str) -> nodes.paragraph:
    """Return a paragraph that opens with what it is."""
    return nodes.paragraph("", "", nodes.strong("", f"{words} "), *with_mathematics(text))


def whence(erratum: Record) -> str:
    """Return the source and the place of an erratum, and what sort it is."""
    return f"{erratum['source']} · {erratum['place']} · {sources.SEVERITIES[erratum['severity']]}"


class ErratumBox(SphinxDirective):
    """What a source prints, why it is wrong, and what it should say."""

    required_arguments = 1
    has_content = True

    def run(self) -> list[nodes.Node]:
        """Return the box, with whatever the author adds to it."""
        name = self.arguments[0]
        erratum = named(name)
        if erratum is None:
            logger.warning("there is no erratum %s", name, location=self.get_location())
            return []
        self.env.note_dependency(str(ROOT / sources.file_of("errata", erratum["chapter"])))
        if name in boxes(self.env):
            logger.warning("%s has a box already", name, location=self.get_location())
        boxes(self.env)[name] = self.env.docname
        self.env.get_domain("std").anonlabels[name] = (self.env.docname, name)  # type: ignore[attr-defined]
        box = nodes.admonition(ids=[name], classes=["warning", "erratum"])
        box += nodes.title("", f"Source {erratum['source']}, {erratum['place']}")
        box += labelled("Printed:", erratum["printed"])
        box += labelled("But:", erratum["problem"])
        box += labelled("Correct:", erratum["correction"])
        self.state.nested_parse(self.content, self.content_offset, box)
        uri = relative(self.env, errata_page(erratum["source"])) + f"#{name}"
        foot = nodes.paragraph("", "", classes=["erratum-foot"])
        kind = sources.SEVERITIES[erratum["severity"]]
        foot += nodes.reference("", f"{kind} · in the list of errata", refuri=uri, internal=True)
        box += foot
        return [box]


class ChapterErrata(SphinxDirective):
    """What has no box among the errata of the chapter."""

    severity = ""

    def mine(self) -> list[Record]:
        """Return the chapter's errata of one severity that have no box on any of its pages."""
        chapter = chapter_of(self.env.docname)
        pages = [ROOT / f"{page}.md" for page in pages_of(chapter)]
        for path in (ROOT / sources.file_of("errata", chapter), *pages):
            self.env.note_dependency(str(path))
        source = "".join(page.read_text(encoding="utf-8") for page in pages)
        return [
            erratum
            for erratum in sources.standing(sources.errata())
            if erratum["chapter"] == chapter
            and erratum["severity"] == self.severity
            and f"{{erratum}} {erratum['id']}\n" not in source
        ]


class Misprints(ChapterErrata):
    """The misprints of a chapter, in one table that opens."""

    severity = "misprint"

    def run(self) -> list[nodes.Node]:
        """Return the table, or a sentence where there are none."""
        mine = self.mine()
        if not mine:
            return [nodes.paragraph("", "The sources have no misprint on this subject.")]
        return [folded(count(len(mine), "misprint"), misprints(mine))]


class Remarks(ChapterErrata):
    """The remarks on wording of a chapter, each with its argument."""

    severity = "misleading"

    def run(self) -> list[nodes.Node]:
        """Return a list, or nothing."""
        items = []
        for erratum in self.mine():
            text = nodes.paragraph("", f"Source {erratum['source']}, {erratum['place']}: “")
            text += [*with_mathematics(erratum["printed"]), nodes.Text("”. ")]
            text += [*with_mathematics(erratum["problem"]), nodes.Text(" Better: ")]
            text += with_mathematics(erratum["correction"])
            items.append(nodes.list_item("", text))
        return [nodes.bullet_list("", *items, classes=["remarks"])] if items else []


class ErrataList(SphinxDirective):
    """All errata of a source, chapter by chapter and by severity."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Return one piece that opens for each chapter, and the dropped ones at the end."""
        self.env.note_reread()
        mine = [e for e in sources.errata() if e["source"] == self.arguments[0]]
        out: list[nodes.Node] = []
        for chapter, title in titles().items():
            standing = sources.standing(e for e in mine if e["chapter"] == chapter)
            if standing:
                out.append(self.chapter(chapter, title, standing))
        if dropped := [erratum for erratum in mine if erratum.get("dropped")]:
            out.append(self.dropped(dropped))
        return out

    def chapter(self, chapter: str, title: str, errata: list[Record]) -> Details:
        """Return the errata of a source on the subject of a chapter."""
        numbers = [
            count(number, THINGS[severity])
            for severity in COLUMNS
            if (number := sum(e["severity"] == severity for e in errata))
        ]
        anchor = f"errata-{chapter}"
        out = Details(
            "", Summary("", f"{title}: {', '.join(numbers)}"), ids=[anchor], classes=["concordance"]
        )
        for severity in (*sources.BOXED, "misleading"):
            out += [self.row(erratum) for erratum in errata if erratum["severity"] == severity]
        if misprinted := [erratum for erratum in errata if erratum["severity"] == "misprint"]:
            summary = count(len(misprinted), "misprint")
            out += folded(summary, misprints(misprinted, anchors=True))
        return out

    def row(self, erratum: Record) -> nodes.container:
        """Return one erratum in full, and what shows it."""
        row = nodes.container(ids=[erratum["id"]], classes=["item", f"is-{erratum['severity']}"])
        row += nodes.paragraph("", whence(erratum), classes=["row-place"])
        row += labelled("Printed:", erratum["printed"])
        row += labelled("But:", erratum["problem"])
        row += labelled("Correct:", erratum["correction"])
        row += labelled("When it was checked:", erratum["finding"])
        if "regraded" in erratum:
            first = sources.SEVERITIES[erratum["first_graded"]]
            row += labelled(f"First graded “{first}”:", erratum["regraded"])
        row += shown(erratum)
        return row

    def dropped(self, errata: list[Record]) -> Details:
        """Return what was held to be an erratum and is none, with the reason."""
        out = Details(
            "",
            Summary("", f"Looked into and dropped: {len(errata)}"),
            ids=["errata-dropped"],
            classes=["concordance"],
        )
        for erratum in errata:
            row = nodes.container(ids=[erratum["id"]], classes=["item"])
            row += nodes.paragraph("", whence(erratum), classes=["row-place"])
            row += labelled("Printed:", erratum["printed"])
            row += labelled("Held against it:", erratum["problem"])
            row += labelled("Dropped:", erratum["dropped"])
            out += row
        return out


class ErrataCounts(SphinxDirective):
    """How many errata of each severity each source has, and how many were dropped."""

    def run(self) -> list[nodes.Node]:
        """Return a table of sources and severities."""
        self.env.note_reread()
        lines = []
        for source in (*sources.SOURCES, None):
            mine = [e for e in sources.errata() if source in (None, e["source"])]
            found = sources.standing(mine)
            numbers = [sum(e["severity"] == severity for e in found) for severity in COLUMNS]
            name = f"{source} · {sources.SOURCES[source]}" if source else "All"
            lines.append([name, *map(str, numbers), str(len(mine) - len(found))])
        out = table(["Source", *COLUMNS.values(), "dropped"], lines)
        link_first_column(out, [relative(self.env, errata_page(s)) for s in sources.SOURCES])
        out["classes"].append("counts")
        return [out]


THINGS = {
    "wrong": "wrong statement",
    "missing-hypothesis": "missing assumption",
    "misprint": "misprint",
    "misleading": "remark",
}
COLUMNS = {
    "wrong": "wrong",
    "missing-hypothesis": "hypothesis missing",
    "misprint": "misprints",
    "misleading": "remarks",
}


class Shown(nodes.General, nodes.TextElement):
    """Where an erratum is shown; known when all pages have been read."""


def shown(erratum: Record) -> nodes.paragraph:
    """Return a line with what shows an erratum."""
    return nodes.paragraph("", "", Shown("", "", record=erratum), classes=["row-facts"])


def misprints(errata: list[Record], *, anchors: bool = False) -> nodes.table:
    """Return a table of misprints."""
    lines = [
        [f"{e['source']}, {e['place']}", e["printed"], f"{e['correction']} ({e['problem']})"]
        for e in errata
    ]
    out = table(["Place", "Printed", "Meant"], lines)
    if anchors:
        for row, erratum in zip(list(out.findall(nodes.row))[1:], errata, strict=True):
            row["ids"].append(erratum["id"])
    return out


def without_box(erratum: Record) -> list[nodes.Node]:
    """Return what vouches for an erratum that no chapter shows."""
    if erratum["id"] in sources.examples():
        computed = nodes.literal("", f"{sources.EXAMPLES.name}/{erratum['chapter']}.py")
        end = nodes.Text("; the cell comes with the chapter.")
        return [nodes.Text("An example is computed in "), computed, end]
    if erratum["severity"] == "misleading":
        return [nodes.Text("A remark on wording: an argument, not a computation")]
    return [nodes.Text("The cell that shows it is still to come")]


def resolve(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Say of every erratum where it is shown, or that this is still to come."""
    for node in list(doctree.findall(Shown)):
        erratum = node["record"]
        if page := boxes(app.env).get(erratum["id"]):
            uri = app.builder.get_relative_uri(docname, page) + f"#{erratum['id']}"
            text = "Shown by a running cell in its chapter"
            node.replace_self(nodes.reference("", text, refuri=uri, internal=True))
        else:
            node.replace_self(without_box(erratum))


def read_reports(app: Sphinx) -> None:
    """Make what the cells reported known to the checks."""
    app.env.mlnotes_reported = reports.errata()  # type: ignore[attr-defined]


def check(app: Sphinx, env: BuildEnvironment) -> None:
    """Report every mismatch between the list, the boxes and the cells."""
    reported: dict[str, list[str]] = env.mlnotes_reported  # type: ignore[attr-defined]
    for chapter, sentence in sources.malformed(sources.errata(), sources.ERRATUM_FIELDS):
        text = f"{sources.file_of('errata', chapter)}: {sentence}"
        logger.warning(text, type="mlnotes", subtype="errata")
    for page, sentence in problems(sources.errata(), boxes(env), reported, complete_chapters(env)):
        logger.warning(sentence, location=page, type="mlnotes", subtype="errata")


def forget(app: Sphinx, env: BuildEnvironment, docname: str) -> None:
    """Forget the boxes of a page that is read again."""
    for name in [name for name, page in boxes(env).items() if page == docname]:
        del boxes(env)[name]


def setup(app: Sphinx) -> None:
    """Register the directives and the checks."""
    app.add_directive("erratum", ErratumBox)
    app.add_directive("misprints", Misprints)
    app.add_directive("remarks", Remarks)
    app.add_directive("errata", ErrataList)
    app.add_directive("errata-counts", ErrataCounts)
    app.connect("builder-inited", read_reports)
    app.connect("env-purge-doc", forget)
    app.connect("env-check-consistency", check)
    app.connect("doctree-resolved", resolve)
