"""Search for the proofs of the book's theorems and write their certificates.

``python -m mlnotes.proof`` runs every module of :mod:`mlnotes.theorems` on terms of the kernel
and writes ``mlnotes/theorems/certificates/<chapter>.json``; names of chapters or labels restrict
it. It prints what it could not prove, and why.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib
import json
import pkgutil
import sys
import time
import traceback

from .derivations import CERTIFICATES, Theorem
from .errors import ProofError
from .recorded import DEFINED, FOLDER, cited, in_order, searching


def derive(chapters: list[str], labels: list[str]) -> tuple[dict[str, dict[str, Theorem]], int]:
    """Return the theorems that are certified, by chapter and label, and the number of failures."""
    from mlnotes.theorems import registry

    certified: dict[str, dict[str, Theorem]] = {}
    failures = 0
    for chapter in chapters:
        importlib.import_module(f"mlnotes.theorems.{chapter}")
    for label, proof in registry():
        chapter = proof.__module__.rpartition(".")[2]
        if (labels and label not in labels) or chapter not in chapters:
            continue
        started = time.process_time()
        try:
            theorem = proof()
        except Exception as error:
            failures += 1
            lines = [f for f in traceback.extract_tb(error.__traceback__) if "/theorems/" in f[0]]
            where = f"{chapter}.py:{lines[-1].lineno}" if lines else chapter
            seconds = time.process_time() - started
            print(f"{label} ({where}, {seconds:.1f} s): {type(error).__name__}: {str(error)[:240]}")
            if labels and not isinstance(error, ProofError):
                traceback.print_exc()
            continue
        if theorem.checked is None:
            failures += 1
            print(f"{label}: there is no certificate")
            continue
        certified.setdefault(chapter, {})[label] = theorem
        if labels:
            print(f"{label}: certified in {time.process_time() - started:.2f} s")
    return certified, failures


def _of_other_chapters(chapter: str) -> set[str]:
    """Return the labels whose certificates stand in other files."""
    proofs = importlib.import_module("mlnotes.theorems")._PROOFS
    return {n for n, proof in proofs.items() if proof.__module__.rpartition(".")[2] != chapter}


def write(chapter: str, certified: dict[str, Theorem], elsewhere: set[str]) -> None:
    """Write the certificates of a chapter and of what they cite, each after those that it cites."""
    FOLDER.mkdir(exist_ok=True)
    wanted = dict.fromkeys(certified)
    for name in (pending := [*certified]):
        new = [n for n in cited(CERTIFICATES[name]) if n in CERTIFICATES and n not in wanted]
        wanted |= dict.fromkeys(n for n in new if n not in elsewhere)
        pending += [n for n in new if n not in elsewhere]
    mine = in_order([CERTIFICATES[n] for n in wanted])
    rows = [json.dumps(c, separators=(",", ":"), ensure_ascii=False) for c in mine]
    (FOLDER / f"{chapter}.json").write_text(_lines(rows), "utf-8")
    DEFINED.mkdir(exist_ok=True)
    defined = (t.certificate_of_definedness(label) for label, t in certified.items())
    rows = [json.dumps(c, separators=(",", ":"), ensure_ascii=False) for c in defined if c]
    (DEFINED / f"{chapter}.json").write_text(_lines(rows), "utf-8")


def _lines(rows: list[str]) -> str:
    body = ",\n".join(rows)
    return f"[\n{body}\n]\n"


def main() -> int:
    """Run the command."""
    every = sorted(m.name for m in pkgutil.iter_modules([str(FOLDER.parent)]))
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="chapters or labels; all chapters by default")
    parser.add_argument("--dry-run", action="store_true", help="write nothing")
    parser.add_argument(
        "--recorded", action="store_true", help="compare statements with the recorded certificates"
    )
    arguments = parser.parse_args()
    chapters = [n for n in arguments.names if n in every] or every
    labels = [n for n in arguments.names if n not in every]
    with contextlib.nullcontext() if arguments.recorded else searching():
        certified, failures = derive(chapters, labels)
    for chapter, found in certified.items():
        if not (labels or arguments.dry_run or arguments.recorded):
            write(chapter, found, _of_other_chapters(chapter))
        print(f"{chapter}: {len(found)} certified")
    print(f"{sum(map(len, certified.values()))} certified, {failures} not")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
