"""The ledger: what every theorem rests on, from what the executed cells reported.

`{statement}` puts a theorem's formal hypotheses and conclusion into its environment, `{derivation}`
its lines into the proof; `{ledger}` lists the theorems of all chapters, and for every chapter there
is a page with what each rests on. Badges stand beside the theorems, and the same data are written
as `ledger.json`. A theorem that no cell vouches for, a report about no theorem, and a report that
says more than its lines are errors of the build.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from myst_nb.core.render import MimeData, NbElementRenderer
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

from mlnotes.ledger import ERRATUM_MIME_TYPE, MIME_TYPE
from tools.contents import chapter_of, concordance_page, part_of, titles
from tools.paths import ROOT
from tools.reports import outputs, reports

from . import browser_check, folds, freshness, sources
from .certificates import certified
from .derivations import typeset
from .formulas import displayed, note_equation, words
from .generated import write_generated
from .labels import ToPlace
from .markup import Details, Summary, count, display, folded, link, relative, table
from .roles import BADGES
from .statements import Claim, lemmas

logger = logging.getLogger(__name__)
CLAIMS = {"theorem", "lemma", "proposition", "corollary"}
LEDGER = "book/ledger"
CHECKING = "How it was checked; check it yourself"
PAGE = """---
myst:
  html_meta:
    description: >-
      How every statement of the chapter “{title}” is known, from what hypotheses, and which code
      rests on it.
---

# {title}: the ledger

The {{doc}}`chapter </book/{chapter}>` has the words around these statements; the
{{doc}}`ledger </book/ledger>` lists those of all chapters.

```{{ledger}} {chapter}
```
"""
Entry = dict[str, Any]
# What is known with its lines: with a certificate, or without one so far.
STATED = ("proved", "uncertified")


def collect() -> dict[str, Entry]:
    """Return the entry of every label, each with the chapter whose cell reported it."""
    reported = [(page, entry) for page, data in reports() if (entry := data.get(MIME_TYPE))]
    known = certified({entry["label"] for _, entry in reported})
    entries: dict[str, Entry] = {}
    for docname, entry in reported:
        label = entry["label"]
        if label in entries:
            logger.warning("%s is reported twice", label, location=docname)
        entries[label] = {**entry, "docname": docname, "certificate": known.get(label)}
    return entries


def problems(entries: dict[str, Entry], claims: dict[str, str]) -> list[tuple[str, str]]:
    """Return what is wrong, as (page, sentence); claims maps the label of a theorem to its page."""
    found = [
        (page, f"{label} is neither proved, tested nor cited by a cell of this build")
        for label, page in claims.items()
        if label not in entries
    ]
    for label, entry in entries.items():
        if label not in claims:
            found.append((entry["docname"], f"a cell reports {label}, which no theorem is called"))
        elif claims[label] != entry["docname"]:
            found.append((entry["docname"], f"{label} is reported away from its page"))
        marks = {step["mark"] for step in entry["steps"]}
        shown = {word for step in entry["steps"] for word in step.get("scope", "").split(", ")}
        claimed = set(entry["scope"].split(", ")) if entry["status"] == "proved" else set()
        if entry["status"] == "proved" and (marks != {"proved"} or not claimed <= shown):
            found.append((entry["docname"], f"the badge of {label} says more than its lines"))
        if entry["status"] == "proved" and not entry.get("certificate"):
            found.append((entry["docname"], f"{label} is called proved without a certificate"))
        if entry["status"] == "cited" and not (entry["reference"] and entry["reason"]):
            found.append((entry["docname"], f"{label} is cited without a reference or a reason"))
    return found


def badge(entry: Entry) -> str:
    """Return the words of an entry's badge."""
    scope = entry["scope"] if entry["status"] in ("proved", "tested") else ""
    return " · ".join([BADGES[entry["status"]], *([scope] if scope else [])])


class EntryDirective(SphinxDirective):
    """A directive about one label that a cell proved."""

    required_arguments = 1
    option_spec: ClassVar[dict[str, Any]] = {"label": directives.unchanged}

    def run(self) -> list[nodes.Node]:
        """Return the nodes of the entry, or a warning where no cell reported it."""
        label = self.arguments[0]
        entry = self.env.mlnotes_ledger.get(label)  # type: ignore[attr-defined]
        if entry is None or entry["status"] not in STATED:
            logger.warning("no cell proves %s", label, location=self.get_location())
            return []
        freshness.note(self.env, f"entry {label}")
        return self.parts(entry)

    def parts(self, entry: Entry) -> list[nodes.Node]:
        """Return what the directive stands for."""
        raise NotImplementedError


class Statement(EntryDirective, Claim):
    """A theorem in the author's words, with the formulas of the object that was checked."""

    option_spec: ClassVar[dict[str, Any]] = {
        "label": directives.unchanged,
        "setting": directives.unchanged_required,
        "names": directives.unchanged,
    }

    def parts(self, entry: Entry) -> list[nodes.Node]:
        """Return the author's sentences and, folded, what exactly was checked.

        Without sentences the hypotheses stand in a line and the conclusion is displayed.
        """
        if self.content:
            body, panel = self.claim(entry, self.content, self.content_offset)
            return [*body, *panel]
        conclusion = displayed(entry["statement"], self.env.docname)
        out: list[nodes.Node] = [*hypotheses(entry, "Given "), conclusion]
        if label := self.options.get("label"):
            out.insert(-1, note_equation(self.env, conclusion, label))
        return out


class Lemma(EntryDirective, Claim):
    """A statement that serves one proof: it stands inside it, without a number, and opens."""

    option_spec: ClassVar[dict[str, Any]] = {
        **Statement.option_spec,
        "title": directives.unchanged_required,
        "open": directives.flag,
    }

    def parts(self, entry: Entry) -> list[nodes.Node]:
        """Return the sentences, the words of the proof and its lines, closed until opened."""
        label, title = entry["label"], self.options.get("title", entry["title"])
        (claimed, start), (words, at) = self.divided()
        body, panel = self.claim(entry, claimed, start)
        proof = nodes.container()
        self.state.nested_parse(words, at, proof)
        details = Details("", Summary("", f"Lemma: {title}"), ids=[label], classes=["lemma"])
        details["label"], details["realtype"] = label, "lemma"
        details["open"] = "open" in self.options
        details += [*body, *proof.children, *derived(self.env, entry, *panel)]
        lemmas(self.env)[label] = {"docname": self.env.docname, "title": title}
        self.state.document.note_explicit_target(details)
        anonymous = self.env.get_domain("std").anonlabels  # type: ignore[attr-defined]
        anonymous[label] = (self.env.docname, label)
        return [details]


class DerivationLines(EntryDirective):
    """The lines of a derivation, and how each was checked."""

    def parts(self, entry: Entry) -> list[nodes.Node]:
        """Return the lines and, folded away, a table of methods."""
        return derived(self.env, entry)


def derived(env: BuildEnvironment, entry: Entry, *besides: nodes.Node) -> list[nodes.Node]:
    """Return the lines of a derivation and, folded away, all that only serves the checking."""
    env.note_dependency(browser_check.file_of(entry["label"]))
    methods = folded("How each line was checked", steps_table(entry, "method", "scope", "detail"))
    on_paper = env.app.builder.format != "html"
    lines = display(entry["lines"], env.docname) if on_paper else typeset(entry)
    checking = Details("", Summary("", CHECKING), classes=["checking"])
    address = f"{relative(env, page_of(entry))}#{row_id(entry['label'])}"
    checking += folds.elsewhere("It has an entry in the ", "ledger", address)
    checking += [*besides, methods, *browser_check.panel(entry, relative(env, "book/trusted"))]
    return [lines, checking]


class Ledger(SphinxDirective):
    """The entries of one chapter in full, or the list of all."""

    optional_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Return the entries of the chapter that is named, or all of them in short."""
        entries: dict[str, Entry] = self.env.mlnotes_ledger  # type: ignore[attr-defined]
        if self.arguments:
            freshness.note(self.env, f"ledger of {self.arguments[0]}")
            return [self.row(e) for e in of_chapter(entries, self.arguments[0])]
        self.env.note_reread()
        out: list[nodes.Node] = []
        for chapter in chapters_of(entries):
            mine = of_chapter(entries, chapter)
            page = link(self.env, "std", "doc", f"/{page_of(mine[0])}", totals(mine))
            title = nodes.rubric("", "", link(self.env, "std", "doc", f"/book/{chapter}"))
            out += [title, nodes.paragraph("", "", page)]
            out.append(nodes.bullet_list("", *map(self.item, mine), classes=["ledger-list"]))
        return out

    def item(self, entry: Entry) -> nodes.list_item:
        """Return the name of a statement and its badge, which leads to its entry."""
        uri = self.env.app.builder.get_relative_uri(self.env.docname, page_of(entry))
        address = f"{uri}#{row_id(entry['label'])}"
        mark = nodes.reference("", badge(entry), refuri=address, internal=True)
        mark["classes"] += ["badge", f"badge-{entry['status']}"]
        name = ToPlace("", "", label=entry["label"])
        title = nodes.Text(f", {entry['title']} " if entry["title"] else " ")
        return nodes.list_item("", nodes.paragraph("", "", name, title, mark))

    def row(self, entry: Entry) -> nodes.container:
        """Return one entry: badge, statement, hypotheses, lines, and where it is used."""
        label, status = entry["label"], entry["status"]
        row = nodes.container(ids=[row_id(label)], classes=["ledger-row"])
        mark = nodes.inline("", badge(entry), classes=["badge", f"badge-{status}"])
        title = nodes.Text(f", {entry['title']} " if entry["title"] else " ")
        row += nodes.paragraph("", "", ToPlace("", "", label=label), title, mark)
        if status in STATED:
            row += displayed(entry["statement"], self.env.docname)
            row += hypotheses(entry, "from ")
            lines = steps_table(entry, "because", "method", "scope")
            row += folded(count(len(entry["steps"]), "checked line"), lines)
        if certificate := entry.get("certificate"):
            row += self.certificate(certificate)
        if status == "cited":
            row += nodes.paragraph("", f"{entry['reference']}: {entry['reason']}")
        for assumption in entry["assumptions"]:
            row += nodes.paragraph("", f"Assumes: {assumption}", classes=["ledger-assumption"])
        facts = [f"checked in {entry['seconds']:.2f} s"] if entry["seconds"] else []
        facts += provenance(entry["source"])
        facts += [f"named in {', '.join(files)}"] if (files := uses(label)) else []
        row += nodes.paragraph("", " · ".join(facts), classes=["ledger-facts"])
        if covered := sources.resting_on(label):
            row += self.covered(covered)
        return row

    def certificate(self, certificate: Entry) -> nodes.Node:
        """Return what exactly the kernel checked, and from which axioms."""
        given = [
            nodes.list_item("", nodes.paragraph("", "", *words(h)))
            for h in certificate["hypotheses"]
        ]
        axioms = ", ".join(name.replace("_", " ") for name in certificate["axioms"])
        inside: list[nodes.Node] = [displayed(certificate["statement"], self.env.docname)]
        if given:
            inside += [nodes.paragraph("", "given"), nodes.bullet_list("", *given)]
        inside.append(nodes.paragraph("", f"Axioms used: {axioms or 'none'}."))
        inside.append(nodes.paragraph("", certificate["sympy"]))
        title = f"what the kernel checked, in {count(certificate['steps'], 'step')}"
        return folded(title, nodes.container("", *inside))

    def covered(self, rows: list[Entry]) -> nodes.paragraph:
        """Return links to the statements of the sources that the entry settles."""
        line = nodes.paragraph("", "settles in the sources: ", classes=["ledger-facts"])
        for number, row in enumerate(rows):
            page = concordance_page(part_of(row["chapter"]))
            uri = self.env.app.builder.get_relative_uri(self.env.docname, page)
            text = f"{sources.words_of(row['id'])} ({row['source']}, {row['place']})"
            line += nodes.Text(", " if number else "")
            address = f"{uri}#{sources.anchor_of(row)}"
            line += nodes.reference("", text, refuri=address, internal=True)
        return line


class LedgerTotals(SphinxDirective):
    """How many statements are proved, tested and cited."""

    def run(self) -> list[nodes.Node]:
        """Return one sentence, with a link to the ledger where it stands elsewhere."""
        self.env.note_reread()
        entries: dict[str, Entry] = self.env.mlnotes_ledger  # type: ignore[attr-defined]
        text = totals(list(entries.values()))
        paragraph = nodes.paragraph("", text, classes=["ledger-totals"])
        if self.env.docname != LEDGER:
            paragraph += nodes.Text(" They are listed in ")
            paragraph += link(self.env, "std", "doc", f"/{LEDGER}", "the ledger")
            paragraph += nodes.Text(".")
        return [paragraph]


def totals(entries: list[Entry]) -> str:
    """Return how many statements are proved, tested and cited, in a sentence or four."""
    counts = Counter(entry["status"] for entry in entries)
    lines = sum(len(entry["steps"]) for entry in entries if entry["status"] == "proved")
    missing = counts["uncertified"]
    later = f"Not certified yet: {missing}. " if missing else ""
    return (
        f"Proved in this build, each by a certificate that the kernel checked: "
        f"{count(counts['proved'], 'statement')}, in {count(lines, 'line')}. {later}"
        f"Only tested: {counts['tested'] or 'none'}. "
        f"Cited, each with its reason: {counts['cited'] or 'none'}."
    )


def hypotheses(entry: Entry, opening: str) -> list[nodes.Node]:
    """Return the hypotheses in a line, or nothing where there are none."""
    if not entry["hypotheses"]:
        return []
    line = nodes.paragraph("", opening, classes=["hypotheses"])
    for number, tex in enumerate(entry["hypotheses"]):
        line += nodes.Text("; " if number else "")
        line += words(tex)
    return [line]


def steps_table(entry: Entry, *columns: str) -> nodes.table:
    """Return a table of the lines of a derivation; mathematics stands between dollars."""
    heads = {"because": "Reason", "method": "Method", "scope": "Scope", "detail": "Certificate"}
    rows = [
        [str(number), *(step[column] for column in columns)]
        for number, step in enumerate(entry["steps"], start=1)
    ]
    return table(["Line", *(heads[column] for column in columns)], rows)


def row_id(label: str) -> str:
    """Return the anchor of an entry on its page of the ledger."""
    return f"ledger-{label}"


def page_of(entry: Entry) -> str:
    """Return the page of the ledger on which an entry stands: that of its chapter."""
    return f"{LEDGER}/{chapter_of(entry['docname'])}"


def chapters_of(entries: dict[str, Entry]) -> list[str]:
    """Return the chapters whose pages reported something, in the order of the book."""
    found = dict.fromkeys(chapter_of(entry["docname"]) for entry in entries.values())
    order = {name: place for place, name in enumerate(titles())}
    return sorted(found, key=lambda name: order.get(name, len(order)))


def of_chapter(entries: dict[str, Entry], chapter: str) -> list[Entry]:
    """Return what the pages of a chapter reported, its lecture first."""
    return [entry for entry in entries.values() if chapter_of(entry["docname"]) == chapter]


def write_pages(folder: Path, entries: dict[str, Entry]) -> None:
    """Write a page for every chapter with entries, as `api` does for every module."""
    wanted = {}
    for chapter in chapters_of(entries):
        text = (folder / "book" / f"{chapter}.md").read_text(encoding="utf-8")
        title = re.search(r"^# (.+)$", text, re.MULTILINE)
        assert title is not None, f"book/{chapter}.md has no title"
        wanted[f"{chapter}.md"] = PAGE.format(title=title[1], chapter=chapter)
    write_generated(folder / LEDGER, wanted)


@cache
def modules() -> dict[str, frozenset[str]]:
    """Return the words of every module that may rest on a theorem, by its path."""
    return {
        path.relative_to(ROOT).as_posix(): vocabulary(path.read_text(encoding="utf-8"))
        for path in (ROOT / "mlnotes").rglob("*.py")
        if "theorems" not in path.parts
    }


def provenance(source: str) -> list[str]:
    """Return where a derivation is written and where it is tested, which its name says."""
    if not source:
        return []
    home, _, chapter = source.rpartition(".")
    tests = [f"tested in tests/proof/test_theorems_{chapter}.py"]
    return [f"derived in {source}", *(tests if home == "mlnotes.theorems" else [])]


def vocabulary(text: str) -> frozenset[str]:
    """Return the words of a text, those joined by hyphens as one."""
    return frozenset(re.findall(r"[\w-]+", text))


def uses(label: str) -> list[str]:
    """Return the modules that name a label."""
    return sorted(path for path, named in modules().items() if label in named)


def facts(entries: dict[str, Entry]) -> dict[str, str]:
    """Return fingerprints of what pages show of the ledger: an entry, a chapter, the labels."""
    shown = {f"entry {label}": freshness.fingerprint(entry) for label, entry in entries.items()}
    for chapter in chapters_of(entries):
        mine = of_chapter(entries, chapter)
        named = [(uses(e["label"]), sources.resting_on(e["label"])) for e in mine]
        shown[f"ledger of {chapter}"] = freshness.fingerprint([mine, named])
    return {**shown, "labels": freshness.fingerprint(sorted(entries))}


def claims_of(env: BuildEnvironment) -> dict[str, str]:
    """Return the page of every claim of the book, numbered or folded into a proof."""
    listed: dict[str, Any] = getattr(env, "proof_list", {})
    numbered = {label: i["docname"] for label, i in listed.items() if i["realtype"] in CLAIMS}
    return {**numbered, **{label: lemma["docname"] for label, lemma in lemmas(env).items()}}


def check(app: Sphinx, env: BuildEnvironment) -> None:
    """Report every theorem without an entry and every entry without a theorem."""
    for page, sentence in problems(env.mlnotes_ledger, claims_of(env)):  # type: ignore[attr-defined]
        logger.warning(sentence, location=page, type="mlnotes", subtype="ledger")


def add_badges(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Put a badge, linked to the ledger, at the foot of every claim."""
    entries: dict[str, Entry] = app.env.mlnotes_ledger  # type: ignore[attr-defined]
    for node in doctree.findall(nodes.Element):
        label = node.get("label", "")
        if label in entries and node.get("realtype") in CLAIMS:
            entry = entries[label]
            uri = app.builder.get_relative_uri(docname, page_of(entry)) + f"#{row_id(label)}"
            link = nodes.reference("", badge(entry), refuri=uri, internal=True)
            link["classes"] += ["badge", f"badge-{entry['status']}"]
            node += nodes.paragraph("", "", link, classes=["claim-badge"])


def write_json(app: Sphinx, exception: Exception | None) -> None:
    """Write the ledger beside the site, for other programs."""
    if exception is not None or app.builder.format != "html":
        return
    entries = [
        {"id": label, "chapter": chapter_of(entry["docname"]), **entry}
        for label, entry in app.env.mlnotes_ledger.items()  # type: ignore[attr-defined]
    ]
    Path(app.outdir, "ledger.json").write_text(json.dumps(entries, indent=1), encoding="utf-8")


def hide_reports() -> None:
    """Let pages show nothing of what cells report to the book; all else must have a rendering.

    For MIME types of one's own myst-nb asks entry points of installed packages, which the book's
    extension is not; `nb_mime_priority_overrides` only chooses among types that it knows.
    """
    render: Callable[..., list[nodes.Element]] = NbElementRenderer.render_unhandled
    if render.__module__ == __name__:
        return

    def render_unhandled(renderer: NbElementRenderer, data: MimeData) -> list[nodes.Element]:
        is_report = data.mime_type in (MIME_TYPE, ERRATUM_MIME_TYPE)
        return [] if is_report else render(renderer, data)

    NbElementRenderer.render_unhandled = render_unhandled  # type: ignore[method-assign]


def setup(app: Sphinx) -> None:
    """Register the directives and the checks."""
    hide_reports()
    for cached in (reports, outputs, modules):
        cached.cache_clear()
    entries = collect()
    write_pages(Path(app.srcdir), entries)

    def publish(app: Sphinx) -> None:
        """Make what the cells reported known to the directives."""
        app.env.mlnotes_ledger = entries  # type: ignore[attr-defined]
        freshness.publish(app.env, facts(entries))

    app.add_directive("statement", Statement)
    app.add_directive("lemma", Lemma)
    app.add_directive("derivation", DerivationLines)
    app.add_directive("ledger", Ledger)
    app.add_directive("ledger-totals", LedgerTotals)
    app.connect("builder-inited", publish)
    app.connect("env-check-consistency", check)
    app.connect("doctree-resolved", add_badges)
    app.connect("build-finished", write_json)
