"""What the kernel says of the recorded certificates, and what a browser needs to check them.

Every build has the kernel check those of the theorems that its pages show, and of what they cite; a
certificate that it refuses fails the build. Beside the site stands a file for each theorem, with
all that its certificate rests on: the theorems and lemmas that it cites, and the axioms.
``trusted.js`` needs nothing else.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Collection
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx

from mlnotes import trusted
from mlnotes.proof import rendering, sympy_view
from mlnotes.proof.recorded import certificates, checked_certificates
from mlnotes.trusted.terms import BINDERS, FIXED, Term

Certificate = dict[str, Any]
FOLDER = "certificates"
# A name that reads as a variable; any other is written with its sorts.
NAME = re.compile(r'[^\s()"\d<>=+*|&-][^\s()"]*')


def certified(labels: Collection[str]) -> dict[str, Certificate]:
    """Return the checked certificates of some labels: their statement, axioms and size."""
    opinions = sympy_view.recorded(labels)
    return {
        name: {
            "statement": rendering.tex(checked.conclusion),
            "hypotheses": [rendering.tex(h) for h in checked.hypotheses],
            "axioms": sorted(checked.axioms),
            "steps": checked.steps,
            "claim": [written(p) for p in (*checked.hypotheses, checked.conclusion)],
            "sympy": opinions.get(name, "SymPy was not asked: the statement is new."),
            "digest": hashlib.sha256(packed(name).encode()).hexdigest()[:12],
        }
        for name, checked in checked_certificates(labels).items()
    }


def written(term: Term) -> str:
    """Return a term in the language in which the axioms are written.

    ``trusted.js`` writes what it has checked in the same way, so that the two can be compared.
    """
    kinds = {name: sum(v[0] == name for v in term.free) for name, _, _ in term.free}

    def write(t: Term, bound: tuple[str, ...]) -> str:
        if t.op == "b":
            return bound[t.data[0]]
        if t.op == "q" and t.data[1] == 1:
            return str(t.data[0])
        if t.op == "z":
            return f"{t.data[0]}Z"
        at = BINDERS.get(t.op, (-1, None))[0]
        index = f"k{len(bound)}"
        while index in kinds:
            index += "'"
        args = [write(a, (index, *bound) if k == at else bound) for k, a in enumerate(t.args)]
        head = [t.op, *([index] if at >= 0 else []), *map(str, t.data)]
        if t.op == "v":
            name, sort = t.data
            clear = kinds[name] == 1 and NAME.fullmatch(name) and name not in FIXED
            signature = [name, sort, [a.sort for a in t.args]]
            head = [name if clear else json.dumps(signature, ensure_ascii=False, separators=",:")]
        words = [*head, *args]
        return words[0] if len(words) == 1 else f"({' '.join(words)})"

    return write(term, ())


@cache
def _recorded() -> tuple[dict[str, Certificate], dict[str, Certificate]]:
    """Return the theorems and the lemmas of the library, by name."""
    lemmas = json.loads(files(trusted).joinpath("library.json").read_text("utf-8"))
    return {c["name"]: c for c in certificates()}, {c["name"]: c for c in lemmas}


def package(name: str) -> dict[str, list[Certificate]]:
    """Return a theorem's certificate with all that it rests on, each after what it cites."""
    theorems, lemmas = _recorded()
    found: dict[str, Certificate] = {}
    axioms: set[str] = set()

    def visit(name: str) -> None:
        if name in found:
            return
        certificate = theorems.get(name) or lemmas[name]
        for rule, what, *_ in certificate["steps"]:
            if rule == "cite":
                visit(what)
            elif rule == "axiom":
                axioms.add(what)
        found[name] = certificate

    visit(name)
    return {
        "axioms": [dict(row) for row in trusted.axioms().values() if row["name"] in axioms],
        "library": [c for n, c in found.items() if n not in theorems],
        "certificates": [c for n, c in found.items() if n in theorems],
    }


@cache
def packed(name: str) -> str:
    """Return the file from which a browser checks a theorem."""
    return json.dumps(package(name), ensure_ascii=False, separators=(",", ":"))


def write_files(app: Sphinx, exception: Exception | None) -> None:
    """Write the files for the theorems whose derivations pages show."""
    if exception is not None or app.builder.format != "html":
        return
    folder = Path(app.outdir) / "_static" / FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    entries: dict[str, Any] = app.env.mlnotes_ledger  # type: ignore[attr-defined]
    wanted = {f"{label}.json": label for label, entry in entries.items() if entry["certificate"]}
    for path in folder.iterdir():
        if path.name not in wanted:
            path.unlink()
    for file, name in wanted.items():
        (folder / file).write_text(packed(name), encoding="utf-8")


def setup(app: Sphinx) -> None:
    """Write the files when the pages have been written."""
    app.connect("build-finished", write_files)
