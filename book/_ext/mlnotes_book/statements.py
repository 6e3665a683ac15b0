r"""Statements that an author writes and a machine checks.

The body of a `{statement}` is the author's: sentences, in which every formula with a relation is
inserted from the checked object by name, with the role `{formula}`. A paragraph that is nothing but
an insertion is displayed. What was checked stands folded beneath. `{setting}` states once what the
theorems of a section have in common, `{lemma}` is a statement folded into the proof that uses it,
and `{question}` asks the reader something and hides the answer.

A relation that was typed, a conclusion that is not shown, and a hypothesis that is neither shown
nor in the named setting nor trivial are errors of the build.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from docutils.statemachine import StringList
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective, SphinxRole

from . import formulas
from .formulas import displayed, listed
from .markup import Details, Summary, count, folded

logger = logging.getLogger(__name__)
CONCLUSION = "conclusion"
# What a contradiction is called in a sentence about its hypotheses.
CONTRADICTION = r"\bot"
TOGETHER = "cannot hold together"
# Between what is asked or claimed and its answer or proof.
RULE = re.compile(r"-{3,}\s*$")
RELATION = re.compile(
    r"[=<>≤≥≠≈∈∉⊂⊆≡∝⊥]|\\(?:leq?|geq?|lt|gt|neq?|in|notin|ni|subseteq|subset|supseteq|supset|equiv|"
    r"approx|sim|simeq|cong|propto|perp|prec|succ|ll|gg|leqslant|geqslant|implies|iff|"
    r"Rightarrow|Leftrightarrow)(?![A-Za-z])"
)
# A size is positive and an index is in its range: what nobody says before a theorem.
SIZE = r"[kmndTKNML]"
TRIVIAL = re.compile(
    rf"{SIZE} > 0|{SIZE} \\ge 1|{SIZE} \\ge 0|[ijlmrt] \\ge 1|[ijlmrt] \\le {SIZE}|0 < {SIZE}"
)
# What the engine calls a hypothesis that its author has not named.
UNNAMED = re.compile(r"given \d+")
SIGNS = {">": "positive", r"\ge": "nonnegative", r"\ne": "nonzero"}
SIGN = re.compile(r"\\?([A-Za-z]+) (>|\\ge|\\ne) 0")
Entry = dict[str, Any]


@dataclass
class Parts:
    """The formulas of a checked object by name, and which of them the author has inserted.

    A reader has to be told the hypotheses that are needed, and not those that are trivial; the
    other formulas are the conclusion, the definitions of named quantities and the problems. A
    problem shows its constraints, which are hypotheses that begin with its name.
    """

    formulas: dict[str, str]
    needed: tuple[str, ...] = ()
    trivial: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()
    shown: set[str] = field(default_factory=set)
    ranges: set[str] = field(default_factory=set)

    def take(self, name: str) -> str:
        """Return a formula and note that it is shown."""
        if name not in self.formulas:
            known = ", ".join(self.formulas)
            raise KeyError(f"there is no formula {name!r} here; there are: {known}")
        self.shown.add(name)
        if name in self.problems:
            self.shown |= {other for other in self.formulas if other.startswith(f"{name} ")}
        return self.formulas[name]

    def insert(self, names: Iterable[str]) -> list[str]:
        """Return some formulas, without a range that an earlier insertion has said."""
        taken = [self.take(name) for name in names]
        said, self.ranges = self.ranges, self.ranges | {formulas.range_of(tex) for tex in taken}
        return [
            formulas.split_ranges(tex)[0] if formulas.range_of(tex) in said else tex
            for tex in taken
        ]


def hypothesis_names(entry: Entry, given: str = "") -> list[str]:
    """Return a name for every hypothesis: one from a list, its own, or its number.

    That a symbol is positive is called by the symbol, ``gamma positive``.
    """
    hypotheses = entry["hypotheses"]
    own = entry.get("names") or [""] * len(hypotheses)
    own = ["" if UNNAMED.fullmatch(name) else name for name in own]
    chosen = [name.strip() for name in given.split(",")] if given else []
    chosen += [""] * (len(own) - len(chosen))
    return [
        by_list or by_itself or sign_name(tex) or str(k)
        for k, (by_list, by_itself, tex) in enumerate(
            zip(chosen, own, hypotheses, strict=False), start=1
        )
    ]


def sign_name(tex: str) -> str:
    """Return the name of the hypothesis that a symbol has a sign, or nothing."""
    match = SIGN.fullmatch(tex)
    return f"{match[1]} {SIGNS[match[2]]}" if match else ""


def parts_of(entry: Entry, given: str = "") -> Parts:
    """Return the formulas of a theorem by name: its conclusion, hypotheses and definitions."""
    names = hypothesis_names(entry, given)
    trivial = entry.get("trivial") or [is_trivial(tex) for tex in entry["hypotheses"]]
    return Parts(
        {
            CONCLUSION: entry["statement"],
            **entry.get("quantities", {}),
            **entry.get("problems", {}),
            **dict(zip(names, entry["hypotheses"], strict=True)),
        },
        tuple(name for name, usual in zip(names, trivial, strict=True) if not usual),
        tuple(name for name, usual in zip(names, trivial, strict=True) if usual),
        tuple(entry.get("problems", {})),
    )


def is_trivial(tex: str) -> bool:
    """Say whether a hypothesis is that a size is positive or an index in its range."""
    return bool(TRIVIAL.fullmatch(tex))


def reads_alike(tex: str) -> bool:
    """Say whether both sides of an equation are printed alike, a size and the number that it is."""
    left, equals, right = tex.partition(" = ")
    return bool(equals) and left == right


def typed_relations(body: Iterable[nodes.Node]) -> Iterator[str]:
    """Yield what the author typed that only a checked object may say."""
    formula = nodes.math | nodes.math_block
    for node in (inner for top in body for inner in top.findall()):
        text = node.astext()
        typed = isinstance(node, formula) and not node.get("checked")
        outside = isinstance(node, nodes.Text) and not isinstance(
            node.parent, formula | nodes.literal
        )
        if (typed or outside) and RELATION.search(text):
            yield text


class FormulaRole(SphinxRole):
    """A checked formula by its name, or several of them separated by commas."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        """Return the formulas for a line of text."""
        parts: Parts | None = self.env.temp_data.get("mlnotes_parts")
        if parts is None:
            logger.warning(
                "a checked formula stands in a statement, setting or lemma",
                location=self.get_location(),
            )
            return [], []
        try:
            taken = parts.insert(name.strip() for name in self.text.split(","))
        except KeyError as error:
            logger.warning(error.args[0], location=self.get_location())
            return [], []
        if taken == [CONTRADICTION]:
            return [nodes.inline("", TOGETHER, classes=["checked"])], []
        inserted = nodes.inline("", "", *listed(taken), classes=["checked"])
        inserted["formulas"] = taken
        for node in inserted.findall(nodes.math):
            node["checked"] = True
        return [inserted], []


class Body(SphinxDirective):
    """A directive whose content is sentences with insertions."""

    has_content = True

    def sentences(self, lines: StringList, offset: int, parts: Parts) -> list[nodes.Node]:
        """Return the parsed sentences; what was typed and should not have been is reported."""
        container = nodes.container()
        outer = self.env.temp_data.get("mlnotes_parts")
        self.env.temp_data["mlnotes_parts"] = parts
        try:
            self.state.nested_parse(lines, offset, container)
        finally:
            self.env.temp_data["mlnotes_parts"] = outer
        for text in typed_relations(container.children):
            logger.warning(
                "the relation in %r was typed; insert the checked one with {formula}",
                text,
                location=self.get_location(),
            )
        return [shown for node in container.children for shown in self.promoted(node)]

    def promoted(self, node: nodes.Node) -> list[nodes.Node]:
        """Return a paragraph of insertions alone as displays, and everything else as it is."""
        if not isinstance(node, nodes.paragraph):
            return [node]
        inside = [child for child in node.children if child.astext().strip()]
        if not inside or not all("formulas" in getattr(c, "attributes", {}) for c in inside):
            return [node]
        return [displayed(tex, self.env.docname) for child in inside for tex in child["formulas"]]

    def divided(self) -> tuple[tuple[StringList, int], tuple[StringList, int]]:
        """Return the content before and after a rule, with the lines at which they start."""
        for k, line in enumerate(self.content):
            if RULE.match(line):
                after = self.content[k + 1 :]
                return (self.content[:k], self.content_offset), (after, self.content_offset + k + 1)
        return (self.content, self.content_offset), (StringList(), self.content_offset)


class Setting(Body):
    """What the theorems of a section have in common, stated once; it may add to another one."""

    required_arguments = 1
    final_argument_whitespace = True
    option_spec: ClassVar[dict[str, Any]] = {
        "title": directives.unchanged_required,
        "of": directives.unchanged_required,
        "adds-to": directives.unchanged_required,
        "names": directives.unchanged,
    }

    def run(self) -> list[nodes.Node]:
        """Return the box, and make its hypotheses known to the statements that name it."""
        name, label = self.arguments[0], self.options.get("of", "")
        entry = self.env.mlnotes_ledger.get(label)  # type: ignore[attr-defined]
        if entry is None:
            logger.warning("no cell proves %s", label, location=self.get_location())
            return []
        parts = parts_of(entry, self.options.get("names", ""))
        body = self.sentences(self.content, self.content_offset, parts)
        known = settings(self.env)
        title = self.options.get("title", name)
        if name in known and known[name]["docname"] != self.env.docname:
            where = known[name]["docname"]
            text = "the setting %s is already in %s"
            logger.warning(text, name, where, location=self.get_location())
        known[name] = {
            "docname": self.env.docname,
            "title": title,
            "adds to": self.options.get("adds-to", ""),
            "formulas": {n: parts.formulas[n] for n in parts.formulas if n in parts.shown},
        }
        box = nodes.container("", *body, ids=[anchor(name)], classes=["admonition", "setting"])
        box.insert(0, nodes.paragraph("", f"Setting: {title}", classes=["admonition-title"]))
        return [box]


def anchor(setting: str) -> str:
    """Return the anchor of a setting's box."""
    return nodes.make_id(f"setting-{setting}")


def settings(env: BuildEnvironment) -> dict[str, Entry]:
    """Return the settings of the book by name."""
    found: dict[str, Entry] = env.__dict__.setdefault("mlnotes_settings", {})
    return found


def pending(env: BuildEnvironment) -> dict[str, Entry]:
    """Return what each statement left to its setting, by label."""
    found: dict[str, Entry] = env.__dict__.setdefault("mlnotes_pending", {})
    return found


def lemmas(env: BuildEnvironment) -> dict[str, Entry]:
    """Return the lemmas that stand folded inside proofs, by label."""
    found: dict[str, Entry] = env.__dict__.setdefault("mlnotes_lemmas", {})
    return found


class ToSetting(nodes.General, nodes.TextElement):
    """The words for a setting, linked to its box when all pages have been read."""


class Claim(Body):
    """What a statement and a folded lemma have in common."""

    def claim(
        self, entry: Entry, lines: StringList, offset: int
    ) -> tuple[list[nodes.Node], list[nodes.Node]]:
        """Return the author's sentences, and what exactly was checked."""
        parts = parts_of(entry, self.options.get("names", ""))
        body = self.sentences(lines, offset, parts)
        if CONCLUSION not in parts.shown:
            self.complain(f"the conclusion of {entry['label']} is not shown")
        left = {name: parts.formulas[name] for name in parts.needed if name not in parts.shown}
        setting = self.options.get("setting", "")
        pending(self.env)[entry["label"]] = {
            "docname": self.env.docname,
            "line": self.lineno,
            "setting": setting,
            "left": left,
        }
        if label := self.options.get("label"):
            body = self.numbered(body, label)
        return body, [self.panel(entry, parts, setting)]

    def complain(self, sentence: str) -> None:
        """Fail the build."""
        logger.warning(sentence, location=self.get_location())

    def numbered(self, body: list[nodes.Node], label: str) -> list[nodes.Node]:
        """Give a number to the last displayed formula, which is the conclusion."""
        blocks = [k for k, node in enumerate(body) if isinstance(node, nodes.math_block)]
        if not blocks:
            self.complain(f"there is no displayed formula that could be numbered {label}")
            return body
        block = body[blocks[-1]]
        assert isinstance(block, nodes.math_block)
        target = formulas.note_equation(self.env, block, label)
        return [*body[: blocks[-1]], target, *body[blocks[-1] :]]

    def panel(self, entry: Entry, parts: Parts, setting: str) -> Details:
        """Return the complete formal statement, closed until it is opened."""
        inside: list[nodes.Node] = [displayed(entry["statement"], self.env.docname)]
        said = [parts.formulas[name] for name in parts.needed if name in parts.shown]
        left = [parts.formulas[name] for name in parts.needed if name not in parts.shown]
        usual = [
            tex for tex in map(parts.formulas.__getitem__, parts.trivial) if not reads_alike(tex)
        ]
        if said:
            inside += [nodes.paragraph("", "from"), bulleted(said)]
        if left:
            line = nodes.paragraph("", "and from the setting " if said else "from the setting ")
            line += [ToSetting("", "", setting=setting), nodes.Text(":")]
            inside += [line, bulleted(left)]
        if usual:
            line = nodes.paragraph("", "Taken for granted: ")
            line += [*listed(usual), nodes.Text(".")]
            inside.append(line)
        if defined := list(entry.get("quantities", {}).values()):
            inside += [nodes.paragraph("", "where"), bulleted(defined)]
        inside.append(nodes.paragraph("", f"Scope: {entry['scope']}."))
        for assumption in entry["assumptions"]:
            inside.append(nodes.paragraph("", f"Assumes: {assumption}."))
        if certificate := entry.get("certificate"):
            axioms = ", ".join(name.replace("_", " ") for name in certificate["axioms"])
            steps = count(certificate["steps"], "step")
            inside.append(
                nodes.paragraph("", f"Certificate of {steps}. Axioms used: {axioms or 'none'}.")
            )
        return folded("What exactly was checked", nodes.container("", *inside))


def bulleted(hypotheses: list[str]) -> nodes.bullet_list:
    """Return hypotheses one below the other."""
    items = [nodes.paragraph("", "", *formulas.words(tex)) for tex in hypotheses]
    return nodes.bullet_list("", *(nodes.list_item("", item) for item in items))


class Question(Body):
    """A quick question to the reader; the answer is folded away and explains."""

    def run(self) -> list[nodes.Node]:
        """Return the question and, closed, its answer."""
        (asked, start), (answer, at) = self.divided()
        if not answer:
            text = "a question needs an answer below a line of three hyphens"
            logger.warning(text, location=self.get_location())
        box = nodes.container(classes=["question"])
        self.state.nested_parse(asked, start, box)
        details = Details("", Summary("", "Answer"), classes=["answer"])
        self.state.nested_parse(answer, at, details)
        box += details
        return [box]


def stated_in(setting: str, known: dict[str, Entry]) -> set[str]:
    """Return the formulas of a setting and of those to which it adds."""
    said: set[str] = set()
    passed = []
    while setting and setting not in passed:
        passed.append(setting)
        said |= set(known[setting]["formulas"].values())
        setting = known[setting].get("adds to", "")
    return said


def problems(claims: dict[str, Entry], known: dict[str, Entry]) -> Iterator[tuple[str, int, str]]:
    """Yield (page, line, sentence) for each hypothesis that a reader is not told."""
    for label, claim in claims.items():
        setting = claim["setting"]
        try:
            covered = stated_in(setting, known)
        except KeyError as lost:
            sentence = f"{label} is stated in the setting {lost.args[0]}, which no page has"
            yield claim["docname"], claim["line"], sentence
            continue
        for name, tex in claim["left"].items():
            if tex not in covered:
                where = f" nor in the setting {setting}" if setting else ""
                sentence = f"{label}: the hypothesis {name}, {tex}, is neither shown{where}"
                yield claim["docname"], claim["line"], sentence


def check(app: Sphinx, env: BuildEnvironment) -> None:
    """Report every hypothesis that a reader is not told."""
    for page, line, sentence in problems(pending(env), settings(env)):
        logger.warning(sentence, location=(page, line), type="mlnotes", subtype="statements")


def resolve(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Link the names of settings to their boxes."""
    for node in list(doctree.findall(ToSetting)):
        name = node["setting"]
        if found := settings(app.env).get(name):
            uri = app.builder.get_relative_uri(docname, found["docname"]) + f"#{anchor(name)}"
            words = f"“{found['title']}”"
            node.replace_self(nodes.reference("", words, refuri=uri, internal=True))
        else:
            node.replace_self(nodes.Text(name))


def forget(app: Sphinx, env: BuildEnvironment, docname: str) -> None:
    """Forget what a page stated, because it is read again or removed."""
    for known in (settings(env), pending(env), lemmas(env)):
        for name in [name for name, item in known.items() if item["docname"] == docname]:
            del known[name]


def setup(app: Sphinx) -> None:
    """Register the role, the boxes and the checks; `ledger` has the statements themselves."""
    app.add_role("formula", FormulaRole())
    app.add_directive("setting", Setting)
    app.add_directive("question", Question)
    app.connect("env-purge-doc", forget)
    app.connect("env-check-consistency", check)
    app.connect("doctree-resolved", resolve)
