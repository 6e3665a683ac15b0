"""The certificates that were found and written down, which a build checks instead of searching."""

from __future__ import annotations

import gc
import json
from functools import cache
from pathlib import Path
from typing import Any

from mlnotes import trusted
from mlnotes.trusted.certificates import Checked
from mlnotes.trusted.terms import fuel

from .language import BUDGET

FOLDER = Path(__file__).parent.parent / "theorems" / "certificates"
Certificate = dict[str, Any]


def certificates() -> list[Certificate]:
    """Return all recorded certificates, each after those that it cites."""
    found = [
        c for path in sorted(FOLDER.glob("*.json")) for c in json.loads(path.read_text("utf-8"))
    ]
    return in_order(found)


def in_order(found: list[Certificate]) -> list[Certificate]:
    """Return certificates, each after those of them that it cites."""
    names = {c["name"]: c for c in found}
    out: dict[str, Certificate] = {}

    def visit(certificate: Certificate) -> None:
        for step in certificate["steps"]:
            if step[0] == "cite" and step[1] in names and step[1] not in out:
                visit(names[step[1]])
        out.setdefault(certificate["name"], certificate)

    for certificate in found:
        visit(certificate)
    return list(out.values())


@cache
def checked_certificates() -> dict[str, Checked]:
    """Return what the recorded certificates prove, by name, after the kernel has checked them."""
    # Terms are never part of a circle, and to look for circles among them takes a quarter of it.
    looking = gc.isenabled()
    gc.disable()
    try:
        found = trusted.check(certificates())
    finally:
        if looking:
            gc.enable()
    fuel.left = BUDGET
    return found
