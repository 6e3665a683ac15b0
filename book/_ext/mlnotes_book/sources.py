"""The five sources: what they say, where they slip, and where the book takes it up.

The data are `book/sources/concordance.yml` and `book/sources/errata.yml`; this module reads them
and counts. The pages made of them are in `concordance` and `errata`.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

import yaml

from .plan import PLAN

FOLDER = PLAN.parent / "sources"
TESTS = FOLDER.parents[1] / "tests"
SOURCES = {
    "000": "MA4270, Data Modelling and Computation",
    "001": "A master student’s notes",
    "002": "Machine learning 2015/16, 27 lectures",
    "003": "Learning From Data, chapter 3",
    "004": "CS726, 2011",
}
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


def read(name: str) -> list[Record]:
    """Return the records of a file, or none in a book that has no such file."""
    path = FOLDER / f"{name}.yml"
    if not path.exists():
        return []
    records: list[Record] = yaml.load(
        path.read_text(encoding="utf-8"), Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    )
    return records


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
    """Return the errata whose example is computed by the tests: the keys of `FOUND` there."""
    trees = [ast.parse(path.read_text(encoding="utf-8")) for path in TESTS.glob("slips_in_*.py")]
    return frozenset(
        ast.literal_eval(key)
        for tree in trees
        for node in tree.body
        if isinstance(node, ast.AnnAssign) and ast.unparse(node.target) == "FOUND"
        if isinstance(node.value, ast.Dict)
        for key in node.value.keys
        if key is not None
    )


@cache
def parts() -> dict[str, dict[str, str]]:
    """Return the titles of the chapters by their names, part by part."""
    plan = yaml.safe_load(PLAN.read_text(encoding="utf-8"))
    return {part["part"]: {c["name"]: c["title"] for c in part["chapters"]} for part in plan}


def titles() -> dict[str, str]:
    """Return the titles of all chapters by their names."""
    return {name: title for chapters in parts().values() for name, title in chapters.items()}


def page_of(part: str) -> str:
    """Return the page on which the statements of a part stand."""
    return f"book/concordance/{re.sub('[^a-z]+', '_', part.lower())}"


def part_of(chapter: str) -> str:
    """Return the part to which a chapter belongs."""
    return next(part for part, chapters in parts().items() if chapter in chapters)


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


def malformed(records: Iterable[Record], fields: set[str]) -> Iterator[str]:
    """Yield a sentence for every record that lacks a field or has a value that means nothing."""
    seen: set[str] = set()
    known = {"source": SOURCES, "chapter": titles(), "check": CHECKS, "severity": SEVERITIES}
    for record in records:
        name = record.get("id", "a record without an id")
        if name in seen:
            yield f"{name} stands there twice"
        seen.add(name)
        if missing := sorted(fields - {field for field, value in record.items() if value}):
            yield f"{name} has no {', '.join(missing)}"
        for field, values in known.items():
            if field in fields and record.get(field) not in values:
                yield f"{name}: {record.get(field)!r} is no {field}"


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
