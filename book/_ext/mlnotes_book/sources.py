"""The five sources: what they say, where they slip, and where the book takes it up.

The data are `book/sources/concordance/<chapter>.yml` and `book/sources/errata/<chapter>.yml`; this
module reads them and counts. The pages made of them are in `concordance` and `errata`.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

import yaml

from tools.contents import SOURCES, titles
from tools.paths import BOOK

FOLDER = BOOK / "sources"
EXAMPLES = FOLDER / "counterexamples"
SEVERITIES = {
    "wrong": "wrong",
    "missing-hypothesis": "hypothesis missing",
    "misprint": "misprint",
    "misleading": "remark on wording",
}
BOXED = ("wrong", "missing-hypothesis")
CHECKS = ("symbolic", "smt", "exact", "property", "numeric", "simulation", "figure", "none")
ROW_FIELDS = {"id", "source", "chapter", "place", "kind", "statement", "check"}
ERRATUM_FIELDS = {
    *("id", "source", "chapter", "place", "severity"),
    *("printed", "problem", "correction", "finding"),
}
# What the proof engine and SymPy are called by.
SYMBOLIC = re.compile(r"\b(Derivation|impossible|proved|sympy|mlnotes\.(proof|theorems))\b")
ABLE_TO_FAIL = re.compile(
    r"\bassert\b|\bledger\.|assert_\w+\(|raises\(|\b(Derivation|impossible|check_\w+)\("
)
Record = dict[str, Any]
# A chapter, and a sentence on what is wrong with its records.
Problem = tuple[str, str]


def read(kind: str) -> list[Record]:
    """Return the records of all chapters, in the order of the book; a chapter may have none."""
    files = {path.stem: path for path in (FOLDER / kind).glob("*.yml")}
    if strays := sorted(files.keys() - titles().keys()):
        raise ValueError(
            f"{file_of(kind, strays[0])}: the plan has no chapter {strays[0]}; name the file like "
            "a chapter of book/plan.yml"
        )
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    records = []
    for chapter in titles():
        text = files[chapter].read_text(encoding="utf-8") if chapter in files else ""
        for record in yaml.load(text, Loader=loader) or ():
            if "chapter" in record:
                raise ValueError(
                    f"{file_of(kind, chapter)}: {record.get('id')} names a chapter, which its file "
                    "does already; remove the line"
                )
            records.append({**record, "chapter": chapter})
    return records


def file_of(kind: str, chapter: str) -> str:
    """Return the file with a chapter's records, from the root of the project."""
    return f"book/sources/{kind}/{chapter}.yml"


@cache
def rows() -> tuple[Record, ...]:
    """Return the statements of the sources."""
    return tuple(read("concordance"))


@cache
def errata() -> tuple[Record, ...]:
    """Return the slips of the sources."""
    return tuple(read("errata"))


@cache
def examples() -> frozenset[str]:
    """Return the errata with a computed example: the keys of `FOUND`, read without running it."""
    trees = [ast.parse(path.read_text(encoding="utf-8")) for path in EXAMPLES.glob("*.py")]
    return frozenset(
        ast.literal_eval(key)
        for tree in trees
        for node in tree.body
        if isinstance(node, ast.AnnAssign) and ast.unparse(node.target) == "FOUND"
        if isinstance(node.value, ast.Dict)
        for key in node.value.keys
        if key is not None
    )


def anchor_of(row: Record) -> str:
    """Return the anchor of a statement on its page."""
    return f"row-{row['id']}"


def words_of(name: str) -> str:
    """Return the name of a statement as words."""
    return name.replace("-", " ")


def resting_on(label: str) -> list[Record]:
    """Return the statements that name a ledger entry as evidence."""
    return [row for row in rows() if label in evidence_of(row)]


def evidence_of(record: Record) -> list[str]:
    """Return what a record names as evidence, as a list."""
    named = record.get("evidence") or []
    return [named] if isinstance(named, str) else list(named)


def is_treated(row: Record) -> bool:
    """Say whether the book has a row's statement, with the evidence that its check asks for."""
    return bool(row.get("target")) and (row["check"] == "none" or bool(evidence_of(row)))


def treated(records: Iterable[Record]) -> tuple[int, int]:
    """Return how many of some rows are treated, and how many there are."""
    states = [is_treated(row) for row in records]
    return sum(states), len(states)


def standing(records: Iterable[Record]) -> list[Record]:
    """Return the errata that have not been dropped."""
    return [erratum for erratum in records if not erratum.get("dropped")]


def malformed(records: Iterable[Record], fields: set[str]) -> Iterator[Problem]:
    """Yield a problem for every record that lacks a field or has a value that means nothing."""
    seen: set[str] = set()
    known = {"source": SOURCES, "chapter": titles(), "check": CHECKS, "severity": SEVERITIES}
    for record in records:
        name, chapter = record.get("id", "a record without an id"), record.get("chapter", "")
        if name in seen:
            yield chapter, f"{name} stands there twice"
        seen.add(name)
        if missing := sorted(fields - {field for field, value in record.items() if value}):
            yield chapter, f"{name} has no {', '.join(missing)}"
        for field, values in known.items():
            if field in fields and record.get(field) not in values:
                yield chapter, f"{name}: {record.get(field)!r} is no {field}"


def summary() -> str:
    """Return the counts of both files in one line."""
    done, total = treated(rows())
    found = standing(errata())
    shown = sum(bool(evidence_of(erratum)) for erratum in found if erratum["severity"] in BOXED)
    boxed = sum(erratum["severity"] in BOXED for erratum in found)
    return (
        f"statements of the sources: {done} / {total} treated · "
        f"wrong or without a hypothesis: {shown} / {boxed} shown by a cell"
    )
