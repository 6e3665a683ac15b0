"""The certificates that were found and written down, which a build checks instead of searching.

A theorem of the book is *stated*: its lines are written as the author typed them, and the kernel
reads the recorded certificate, which has to prove the statement and every line of it. Searching is
for authors, for ``python -m mlnotes.proof`` and for derivations of a reader's own.
"""

from __future__ import annotations

import contextlib
import gc
import hashlib
import json
import time
from collections.abc import Iterable, Iterator
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from mlnotes.trusted import certificates as kernel
from mlnotes.trusted.certificates import Checked
from mlnotes.trusted.terms import Refused, Term

from .language import own_count

FOLDER = Path(__file__).parent.parent / "theorems" / "certificates"
# Proofs that what the theorems display makes sense, each under the label of its theorem.
DEFINED = FOLDER / "definedness"
RENEW = "run python -m mlnotes.proof"
_DIGEST = " #"
Certificate = dict[str, Any]
# Whether lines are stated, to be looked up in a certificate, instead of being proved.
_STATING: ContextVar[bool] = ContextVar("stating", default=False)
_SEARCHING: ContextVar[bool] = ContextVar("searching", default=False)


def is_stating() -> bool:
    """Say whether lines are only stated."""
    return _STATING.get()


@contextlib.contextmanager
def stating() -> Iterator[None]:
    """Let derivations state their lines, unless :func:`searching` asks for proofs of all."""
    token = _STATING.set(not _SEARCHING.get())
    try:
        yield
    finally:
        _STATING.reset(token)


@contextlib.contextmanager
def searching() -> Iterator[None]:
    """Let also the theorems of the book search for their proofs."""
    token = _SEARCHING.set(True)
    try:
        yield
    finally:
        _SEARCHING.reset(token)


@cache
def _by_name() -> dict[str, Certificate]:
    """Return the certificates of theorems by name."""
    rows = (row for p in sorted(FOLDER.glob("*.json")) for row in json.loads(p.read_text("utf-8")))
    return {row["name"]: row for row in rows}


def certificates() -> list[Certificate]:
    """Return all recorded certificates, each after those that it cites."""
    return in_order(list(_by_name().values()))


def in_order(found: list[Certificate]) -> list[Certificate]:
    """Return certificates, each after those of them that it cites."""
    names = {c["name"]: c for c in found}
    out: dict[str, Certificate] = {}

    def visit(certificate: Certificate) -> None:
        for name in cited(certificate):
            if name in names and name not in out:
                visit(names[name])
        out.setdefault(certificate["name"], certificate)

    for certificate in found:
        visit(certificate)
    return list(out.values())


def unlabelled(title: str, says: Iterable[Term]) -> str:
    """Return the name of a theorem without a label: its title, and a digest of what it says.

    So a certificate has the same name whatever was proved before it, and one name says one thing.
    """
    digest = hashlib.sha256(repr([p.key for p in says]).encode()).hexdigest()
    return f"{title}{_DIGEST}{digest[:8]}"


def title_of(name: str) -> str:
    """Return the name of a theorem as a reader is told it."""
    return name.partition(_DIGEST)[0]


def cited(certificate: Certificate) -> list[str]:
    """Return the names of what a certificate cites."""
    return [step[1] for step in certificate["steps"] if step[0] == "cite"]


@dataclass(frozen=True)
class Recorded:
    """A recorded certificate, what the kernel says that it proves, and how long the kernel took."""

    certificate: Certificate
    checked: Checked
    seconds: float


@cache
def recorded(name: str) -> Recorded | None:
    """Return the certificate of a theorem after the kernel has checked it and all that it cites."""
    certificate = _by_name().get(name)
    if certificate is None:
        return None
    known = dict(kernel._library())
    for other in cited(certificate):
        if (found := recorded(other)) is not None:
            known[other] = found.checked
    started = time.perf_counter()
    with own_count():
        try:
            checked = kernel._check(certificate, known)
        except Refused as reason:
            raise Refused(f"the certificate of {name} is refused: {reason}; {RENEW}") from None
    return Recorded(certificate, checked, time.perf_counter() - started)


@cache
def _definedness() -> dict[str, Certificate]:
    """Return the certificates of what is displayed being defined, by name."""
    rows = (r for p in sorted(DEFINED.glob("*.json")) for r in json.loads(p.read_text("utf-8")))
    return {row["name"]: row for row in rows}


@cache
def definedness_of(label: str) -> Checked | None:
    """Return what is proved so that what a theorem displays makes sense, after a check."""
    certificate = _definedness().get(label)
    if certificate is None:
        return None
    known = dict(kernel._library())
    for other in cited(certificate):
        if (found := recorded(other)) is not None:
            known[other] = found.checked
    with own_count():
        try:
            return kernel._check(certificate, known)
        except Refused as reason:
            raise Refused(f"what makes {label} defined is refused: {reason}; {RENEW}") from None


def checked_certificates(names: Iterable[str] | None = None) -> dict[str, Checked]:
    """Return what recorded certificates prove, by name, after the kernel has checked them.

    Of some names alone, the kernel checks their certificates and what these cite.
    """
    wanted = _by_name() if names is None else names
    # Terms are never part of a circle, and to look for circles among them takes a quarter of it.
    looking = gc.isenabled()
    gc.disable()
    try:
        return {name: r.checked for name in wanted if (r := recorded(name)) is not None}
    finally:
        if looking:
            gc.enable()


def foundations(certificate: Certificate, at: int) -> tuple[set[str], list[str], int]:
    """Return the rules, the names of lemmas and axioms, and the number of steps behind a step."""
    seen: set[int] = set()
    pending = [at]
    steps = certificate["steps"]
    while pending:
        k = pending.pop()
        if k not in seen:
            seen.add(k)
            pending += _premises(steps[k])
    used = [steps[k] for k in sorted(seen)]
    names = dict.fromkeys(row[1] for row in used if row[0] in ("axiom", "cite"))
    return {row[0] for row in used}, list(names), len(seen)


def _premises(row: list[Any]) -> list[int]:
    """Return the steps to which a step refers."""
    rule, *given = row
    if rule in ("axiom", "cite", "assume", "ring"):
        return []
    if rule == "psatz":
        return [fact for _, facts, _ in given[1] for fact in facts]
    if rule == "linear":
        return [fact for _, fact, _ in given[1]]
    if rule == "mp":
        return list(given)
    return [given[1] if rule in ("discharge", "generalise") else given[0]]


def line_of(found: Recorded, goal: Term) -> int | None:
    """Return the step of a certificate that proves a line from the stated hypotheses."""
    return found.checked.proved.get(goal)
