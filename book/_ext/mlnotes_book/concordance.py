"""The concordance: every statement of the sources and where the book treats it, and the reverse.

`{concordance}` lists the sources section by section, `{concordance} <part>` the statements of a
part chapter by chapter, `{treated}` counts those of the chapter it stands in. A target or an
evidence that does not exist, or that is not of the kind that a statement's check asks for, is an
error of the build.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

from tools import contents
from tools.contents import chapter_of, concordance_page, errata_page, part_of, parts
from tools.paths import ROOT

from . import labels, sources
from .labels import ToPlace
from .ledger import page_of, row_id
from .markup import Details, Summary, link, link_first_column, relative, table, with_mathematics
from .sources import Problem, Record

logger = logging.getLogger(__name__)
# What each check asks for, in the words of a message.
WANTED = {
    "symbolic": "a proof in the ledger, or a cell or test of the engine or SymPy",
    "smt": "a proof in the ledger, or a cell or test of the engine or SymPy",
    "exact": "a proof in the ledger, a test, or a cell that can fail",
    "property": "a ledger entry, a test, or a cell that can fail",
    "numeric": "what was tested in the ledger, a test, or a cell that can fail",
    "simulation": "what was tested in the ledger, a test, or a cell that can fail",
    "figure": "a cell that draws a figure",
}
LEDGER_STATUS = {
    "symbolic": {"proved"},
    "smt": {"proved"},
    "exact": {"proved"},
    "property": {"proved", "tested"},
    "numeric": {"tested"},
    "simulation": {"tested"},
}


class Concordance(SphinxDirective):
    """The sources, section by section; or the statements of a part, chapter by chapter."""

    optional_arguments = 1
    final_argument_whitespace = True

    def run(self) -> list[nodes.Node]:
        """Return one list that opens for each source or chapter."""
        self.env.note_reread()
        if not self.arguments:
            return [self.source(source) for source in sources.SOURCES]
        part = self.arguments[0]
        if part not in parts():
            logger.warning("the book has no part %r", part, location=self.get_location())
            return []
        return [self.chapter(*chapter) for chapter in parts()[part].items()]

    def source(self, source: str) -> Details:
        """Return a source with its sections, and the names of what each of them says."""
        mine = [row for row in sources.rows() if row["source"] == source]
        out = opened(f"source-{source}", f"{source} · {sources.SOURCES[source]}", mine)
        for place in sorted({row["place"] for row in mine}, key=natural):
            out += nodes.paragraph("", place, classes=["source-place"])
            listed = nodes.bullet_list(classes=["source-rows"])
            listed += [self.entry(row) for row in mine if row["place"] == place]
            out += listed
        return out

    def entry(self, row: Record) -> nodes.list_item:
        """Return the name of a statement, linked to its words, and where it is treated."""
        page = concordance_page(part_of(row["chapter"]))
        uri = relative(self.env, page) + f"#{sources.anchor_of(row)}"
        paragraph = nodes.paragraph()
        paragraph += nodes.reference("", sources.words_of(row["id"]), refuri=uri, internal=True)
        paragraph += [nodes.Text(" "), *standing(row)]
        return nodes.list_item("", paragraph, classes=filters(row))

    def chapter(self, chapter: str, title: str) -> Details:
        """Return the statements of the sources on the subject of a chapter."""
        mine = [row for row in sources.rows() if row["chapter"] == chapter]
        out = opened(f"chapter-{chapter}", title, mine)
        if f"book/{chapter}" in self.env.found_docs:
            to_chapter = link(self.env, "std", "doc", f"/book/{chapter}")
            out += nodes.paragraph("", "To the chapter: ", to_chapter)
        out += [self.row(row) for row in mine]
        return out

    def row(self, row: Record) -> nodes.container:
        """Return a statement in our words, whose it is, and what the book makes of it."""
        out = nodes.container(ids=[sources.anchor_of(row)], classes=["item", *filters(row)])
        out += nodes.paragraph("", "", *with_mathematics(row["statement"]))
        facts = nodes.paragraph("", f"{row['source']} · {row['place']} · {row['kind']} · ")
        facts["classes"].append("row-facts")
        facts += standing(row)
        for name in row.get("errata", ()):
            page, words = errata_entry(name)
            uri = relative(self.env, page) + f"#{name}"
            facts += nodes.Text(" · ")
            facts += nodes.reference("", words, refuri=uri, internal=True)
        out += facts
        return out


class ConcordanceCounts(SphinxDirective):
    """How many statements of each source each chapter treats."""

    def run(self) -> list[nodes.Node]:
        """Return a table of chapters and sources."""
        self.env.note_reread()
        lines, pages = [], []
        for part, chapters in parts().items():
            for chapter, title in chapters.items():
                mine = [row for row in sources.rows() if row["chapter"] == chapter]
                lines.append([title, *counts(mine)])
                pages.append(relative(self.env, concordance_page(part)) + f"#chapter-{chapter}")
        lines.append(["All", *counts(sources.rows())])
        out = table(["Chapter", *sources.SOURCES, "all"], lines)
        link_first_column(out, pages)
        out["classes"].append("counts")
        return [out]


class Treated(SphinxDirective):
    """How many statements of the sources the chapter treats."""

    def run(self) -> list[nodes.Node]:
        """Return one sentence, and note that the chapter is complete."""
        chapter = chapter_of(self.env.docname)
        self.env.note_dependency(str(ROOT / sources.file_of("concordance", chapter)))
        mine = [row for row in sources.rows() if row["chapter"] == chapter]
        if not mine:
            logger.warning("no source says anything on %s", chapter, location=self.get_location())
            return []
        complete_pages(self.env).add(self.env.docname)
        done, total = sources.treated(mine)
        uri = relative(self.env, concordance_page(part_of(chapter))) + f"#chapter-{chapter}"
        text = f"{done} of the {total} statements"
        sentence = nodes.paragraph("", "", classes=["treated"])
        sentence += nodes.reference("", text, refuri=uri, internal=True)
        sentence += nodes.Text(" that the sources make on the subject of this chapter are treated.")
        return [sentence]


def complete_pages(env: BuildEnvironment) -> set[str]:
    """Return the pages on which a chapter says how much it treats."""
    if not hasattr(env, "mlnotes_complete"):
        env.mlnotes_complete = set()  # type: ignore[attr-defined]
    complete: set[str] = env.mlnotes_complete
    return complete


def complete_chapters(env: BuildEnvironment) -> set[str]:
    """Return the chapters that say how much they treat: those that claim to be complete."""
    return {chapter_of(page) for page in complete_pages(env)}


def errata_entry(name: str) -> tuple[str, str]:
    """Return the page on which an erratum stands, and words for it: a dropped one is no slip."""
    (erratum,) = (erratum for erratum in sources.errata() if erratum["id"] == name)
    words = "held to be a slip, and dropped" if erratum.get("dropped") else "where it slips"
    return errata_page(erratum["source"]), words


def opened(anchor: str, title: str, records: list[Record]) -> Details:
    """Return what opens to show some statements, headed by how many of them are treated."""
    done, total = sources.treated(records)
    summary = Summary("", f"{title}: {done} of {total} treated")
    return Details("", summary, ids=[anchor], classes=["concordance"])


def natural(text: str) -> list[tuple[bool, int, str]]:
    """Return a key that sorts 2.10 after 2.9."""
    return [
        (not part.isdigit(), int(part or 0) if part.isdigit() else 0, part)
        for part in re.split(r"(\d+)", text)
        if part
    ]


def filters(row: Record) -> list[str]:
    """Return the classes by which a script can pick a statement out."""
    state = "treated" if sources.is_treated(row) else "untreated"
    return [f"of-{row['source']}", f"in-{row['chapter'].replace('_', '-')}", f"is-{state}"]


def counts(records: Iterable[Record]) -> list[str]:
    """Return treated / total for each source and for all."""
    mine = list(records)
    groups = [[row for row in mine if row["source"] == source] for source in sources.SOURCES]
    return ["{} / {}".format(*sources.treated(group)) if group else "" for group in (*groups, mine)]


def standing(row: Record) -> list[nodes.Node]:
    """Return where the book treats a statement and what vouches for it, or that it does not yet."""
    if not row.get("target"):
        return [nodes.inline("", "not yet", classes=["not-yet"])]
    out: list[nodes.Node] = [nodes.Text("→ "), ToPlace("", "", label=row["target"])]
    named = sources.evidence_of(row)
    if not named and row["check"] != "none":
        out.append(nodes.inline("", ", evidence still to come", classes=["not-yet"]))
    for number, evidence in enumerate(named):
        out.append(nodes.Text(", " if number else ", checked by "))
        out.append(ToPlace("", "", evidence=evidence))
    return out


def fits(row: Record, evidence: str, entries: dict[str, Record]) -> str:
    """Return what is wrong with an evidence for a statement, or nothing."""
    check = row["check"]
    if evidence.startswith("tests/"):
        # Whether there is such a test, and of the engine where that is asked for, the tests say.
        text, suitable = "proved", check != "figure" and "::" in evidence
    elif evidence.startswith("cell:"):
        docname, _, name = evidence.removeprefix("cell:").partition("#")
        cell = labels.cells(docname).get(name)
        if cell is None:
            return "does not exist"
        text = cell.source
        suitable = cell.figure if check == "figure" else bool(sources.ABLE_TO_FAIL.search(text))
    else:
        if evidence not in entries:
            return "is reported by no cell of this build"
        text = "proved"
        suitable = entries[evidence]["status"] in LEDGER_STATUS.get(check, ())
    if check in ("symbolic", "smt"):
        suitable = suitable and bool(sources.SYMBOLIC.search(text))
    return "" if suitable or check == "none" else f"is not {WANTED[check]}"


def problems(
    rows: Iterable[Record],
    find: Callable[[str], labels.Place | None],
    entries: dict[str, Record],
) -> list[Problem]:
    """Return what is wrong with the targets and the evidence of some statements."""
    return [(row["chapter"], sentence) for row in rows for sentence in faults(row, find, entries)]


def faults(
    row: Record, find: Callable[[str], labels.Place | None], entries: dict[str, Record]
) -> Iterator[str]:
    """Yield what is wrong with the target and the evidence of one statement."""
    target = row.get("target")
    if target:
        place = find(target)
        if place is None:
            yield f"{row['id']}: the book has no label {target}"
        elif place.section:
            yield f"{row['id']}: {target} is a chapter or a section; name the smallest statement"
    elif sources.evidence_of(row):
        yield f"{row['id']} has evidence and no target"
    for evidence in sources.evidence_of(row):
        if fault := fits(row, evidence, entries):
            yield f"{row['id']}, to be checked by {row['check']}: {evidence} {fault}"


def check(app: Sphinx, env: BuildEnvironment) -> None:
    """Report every statement whose target or evidence is not there."""
    entries: dict[str, Record] = env.mlnotes_ledger  # type: ignore[attr-defined]
    found = [
        *sources.malformed(sources.rows(), sources.ROW_FIELDS),
        *problems(sources.rows(), lambda label: labels.find(env, label), entries),
    ]
    for chapter, sentence in found:
        text = f"{sources.file_of('concordance', chapter)}: {sentence}"
        logger.warning(text, type="mlnotes", subtype="concordance")


def resolve(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Turn every link to a label or an evidence into one to where it stands."""
    for node in list(doctree.findall(ToPlace)):
        if "label" in node:
            place = labels.find(app.env, node["label"])
            words = place.words if place else node["label"]
        else:
            place, words = evidence_place(app.env, node["evidence"])
        if place is None:
            node.replace_self(nodes.literal("", words))
            continue
        uri = app.builder.get_relative_uri(docname, place.docname) + f"#{place.anchor}"
        node.replace_self(nodes.reference("", words, refuri=uri, internal=True))


def evidence_place(env: BuildEnvironment, evidence: str) -> tuple[labels.Place | None, str]:
    """Return where an evidence can be looked at, and words for it; tests are not on any page."""
    if evidence.startswith("tests/"):
        return None, evidence
    if evidence.startswith("cell:"):
        name = evidence.partition("#")[2]
        place = labels.find(env, name)
        return place, place.words if place else name
    entries: dict[str, Any] = env.mlnotes_ledger  # type: ignore[attr-defined]
    if evidence not in entries:
        return None, evidence
    entry = entries[evidence]
    place = labels.Place(page_of(entry), row_id(evidence), entry["status"])
    return place, f"the ledger ({entry['status']})"


def forget(app: Sphinx, env: BuildEnvironment, docname: str) -> None:
    """Forget that a page called its chapter complete, because it is read again."""
    complete_pages(env).discard(docname)


def setup(app: Sphinx) -> None:
    """Register the directives and the checks."""
    read_once = (sources.rows, sources.errata, sources.examples, contents.parts)
    for cached in (*read_once, labels.cells):
        cached.cache_clear()
    app.add_directive("concordance", Concordance)
    app.add_directive("concordance-counts", ConcordanceCounts)
    app.add_directive("treated", Treated)
    app.connect("env-purge-doc", forget)
    app.connect("env-check-consistency", check)
    app.connect("doctree-resolved", resolve)
