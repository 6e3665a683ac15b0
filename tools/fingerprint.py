"""Fingerprints of files, by which stale results are recognised."""

from __future__ import annotations

import hashlib
import platform
from collections.abc import Iterable, Iterator
from pathlib import Path

from tools.paths import BOOK, ROOT

SOURCES = BOOK / "sources"
# What checks derivations, and the certificates that it checks.
CHECKING = ("proof", "trusted", "theorems/certificates", "ledger.py")
GENERATED = {"__pycache__", ".ipynb_checkpoints"}


def files_below(*roots: Path) -> Iterator[Path]:
    """Yield the files of the given folders, sorted, without what Python itself generates."""
    for root in roots:
        paths = [root] if root.is_file() else sorted(root.rglob("*"))
        yield from (p for p in paths if p.is_file() and not GENERATED & set(p.parts))


def digest(paths: Iterable[Path]) -> str:
    """Return a hash of the names and contents of files, and of the running Python's version."""
    result = hashlib.sha256(platform.python_version().encode())
    for path in paths:
        result.update(path.relative_to(ROOT).as_posix().encode() + b"\0")
        result.update(hashlib.sha256(path.read_bytes()).digest())
    return result.hexdigest()


def of_versions() -> str:
    """Return what every chapter's output depends on: the locked versions, and how it is run."""
    return digest([ROOT / "requirements" / "all.lock", ROOT / "tools" / "execution.py"])


def of_machinery() -> str:
    """Return what every page depends on: how pages are made, and how derivations are checked.

    On the rest of the package, on its data and on the sources only those pages depend that say so.
    """
    machinery = [
        *(p for p in files_below(BOOK) if p.suffix != ".md" and SOURCES not in p.parents),
        *files_below(ROOT / "tools", ROOT / "requirements"),
        *files_below(*(ROOT / "mlnotes" / name for name in CHECKING)),
        *(ROOT / name for name in ("_config.yml", "_toc.yml", "package-lock.json")),
    ]
    return digest(machinery)


def of_everything() -> str:
    """Return what the built site depends on."""
    generated = [BOOK / name for name in ("api", "ledger", "concordance", "errata")]
    pages = [p for p in files_below(BOOK) if p.suffix == ".md" and p.parent not in generated]
    return digest([*pages, *files_below(ROOT / "mlnotes", SOURCES)]) + of_machinery()
