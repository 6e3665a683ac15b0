"""Search for the proofs of the book's theorems and write their certificates.

``python -m mlnotes.certify`` runs every module of :mod:`mlnotes.theorems` on terms of the kernel
and writes ``mlnotes/theorems/certificates/<chapter>.json``; names of chapters or labels restrict
it. It prints what it could not prove, and why.
"""

from __future__ import annotations

import argparse
import functools
import importlib
import json
import operator
import pkgutil
import sys
import time
import traceback
import types
from collections.abc import Callable
from typing import Any

import mlnotes.certify as engine

from .derivation import CERTIFICATES, RECORDED, Theorem
from .errors import ProofError, Unproved
from .recorded import FOLDER, checked_certificates
from .rules import substitute

# What theorem modules import and this engine does not know yet fails where it is used.
_LATER = (*("assumed", "core_size", "stationary_points", "tested"),)


def _later(name: str) -> Callable[..., Any]:
    def function(*_: Any, **__: Any) -> Any:
        raise Unproved(f"{name} is not available yet")

    return function


def stand_in() -> None:
    """Let the theorem modules find this engine by the name of the one they were written for.

    This changes what the whole process imports, so that only the command does it.
    """
    for name in _LATER:
        if not hasattr(engine, name):
            setattr(engine, name, _later(name))
    sympy = types.ModuleType("sympy")
    sympy.Lambda = engine.Lambda  # type: ignore[attr-defined]
    sympy.Integer = engine.Rational  # type: ignore[attr-defined]
    sympy.Transpose = lambda m: m.T  # type: ignore[attr-defined]
    sympy.MatMul = lambda *ms, **_: functools.reduce(operator.mul, ms)  # type: ignore[attr-defined]
    terms = types.ModuleType("mlnotes.proof.terms")
    terms.substitute = substitute  # type: ignore[attr-defined]
    sys.modules |= {"mlnotes.proof": engine, "mlnotes.proof.terms": terms, "sympy": sympy}


def derive(chapters: list[str], labels: list[str]) -> tuple[dict[str, dict[str, Theorem]], int]:
    """Return the theorems that were certified, by chapter and label, and the number of failures."""
    theorems = importlib.import_module("mlnotes.theorems")
    for chapter in chapters:
        try:
            importlib.import_module(f"mlnotes.theorems.{chapter}")
        except Exception as error:  # what a module needs may not be there yet
            print(f"{chapter}: {error!r}")
    certified: dict[str, dict[str, Theorem]] = {}
    failures = 0
    for label, proof in theorems._PROOFS.items():
        chapter = proof.__module__.rpartition(".")[2]
        if (labels and label not in labels) or chapter not in chapters:
            continue
        started = time.perf_counter()
        try:
            theorem: Any = proof()
            certified.setdefault(chapter, {})[label] = theorem.named(label)
            if labels:
                print(f"{label}: certified in {time.perf_counter() - started:.2f} s")
        except Exception as error:
            failures += 1
            lines = [f for f in traceback.extract_tb(error.__traceback__) if "/theorems/" in f[0]]
            where = f"{chapter}.py:{lines[-1].lineno}" if lines else chapter
            seconds = time.perf_counter() - started
            print(f"{label} ({where}, {seconds:.1f} s): {type(error).__name__}: {str(error)[:240]}")
            if labels and not isinstance(error, ProofError):
                traceback.print_exc()
    return certified, failures


def _of_other_chapters(chapter: str) -> set[str]:
    """Return the labels whose certificates stand in other files."""
    proofs = importlib.import_module("mlnotes.theorems")._PROOFS
    return {n for n, proof in proofs.items() if proof.__module__.rpartition(".")[2] != chapter}


def write(chapter: str, certified: dict[str, Theorem], elsewhere: set[str]) -> None:
    """Write the certificates of a chapter and of what they cite, each after those that it cites."""
    FOLDER.mkdir(exist_ok=True)
    wanted = set(certified)
    for name in reversed(CERTIFICATES):
        if name in wanted:
            wanted |= {s[1] for s in CERTIFICATES[name]["steps"] if s[0] == "cite"}
    mine = [n for n in CERTIFICATES if n in wanted and n not in elsewhere]
    rows = [json.dumps(CERTIFICATES[n], separators=(",", ":"), ensure_ascii=False) for n in mine]
    body = ",\n".join(rows)
    (FOLDER / f"{chapter}.json").write_text(f"[\n{body}\n]\n", "utf-8")


def main() -> int:
    """Run the command."""
    stand_in()
    every = sorted(m.name for m in pkgutil.iter_modules([str(FOLDER.parent)]))
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="chapters or labels; all chapters by default")
    parser.add_argument("--dry-run", action="store_true", help="write nothing")
    parser.add_argument(
        "--recorded", action="store_true", help="compare statements with the recorded certificates"
    )
    arguments = parser.parse_args()
    if arguments.recorded:
        RECORDED.on, RECORDED.checked = True, checked_certificates()
    chapters = [n for n in arguments.names if n in every] or every
    labels = [n for n in arguments.names if n not in every]
    certified, failures = derive(chapters, labels)
    for chapter, found in certified.items():
        if not (labels or arguments.dry_run or arguments.recorded):
            write(chapter, found, _of_other_chapters(chapter))
        print(f"{chapter}: {len(found)} certified")
    print(f"{sum(map(len, certified.values()))} certified, {failures} not")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
