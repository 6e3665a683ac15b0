"""Prepare the Python that runs in a reader's browser: Pyodide and our derivations.

Pyodide comes from `node_modules`. The engine needs nothing but Python's own library.
"""

from __future__ import annotations

import json
import shutil
import zipfile
from importlib.metadata import distribution
from pathlib import Path

from tools.paths import BOOK, ROOT

PYODIDE = ROOT / "node_modules" / "pyodide"
RUNTIME = (
    *("pyodide.mjs", "pyodide.asm.js", "pyodide.asm.wasm", "pyodide-lock.json"),
    "python_stdlib.zip",
)
RUNNER = BOOK / "_ext" / "mlnotes_book" / "recheck.py"
# What a progress bar says while the file is loaded.
WORDS = {
    "pyodide.asm.wasm": "Python",
    "python_stdlib.zip": "Python's library",
    "derivations.zip": "the book's derivations",
}


class BrowserPythonError(Exception):
    """A sentence that says why the browser's Python could not be prepared."""


def write_derivations(target: Path) -> None:
    """Zip what checks and what is checked, the same bytes for the same sources."""
    package = ROOT / "mlnotes"
    paths = [package / "__init__.py"]
    for name in ("proof", "trusted", "theorems"):
        found = sorted((package / name).rglob("*"))
        paths += [p for p in found if p.suffix in (".py", ".json")]
    named = [*((p.relative_to(ROOT).as_posix(), p) for p in paths), (RUNNER.name, RUNNER)]
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, path in named:
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, path.read_bytes())


def write(folder: Path) -> None:
    """Fill a folder with all that the browser loads."""
    if not PYODIDE.is_dir():
        raise BrowserPythonError("Pyodide is not installed: build with 'make book'.")
    folder.mkdir(parents=True)
    for name in RUNTIME:
        shutil.copy(PYODIDE / name, folder)
    write_derivations(folder / "derivations.zip")
    files = [
        {"name": name, "words": words, "bytes": (folder / name).stat().st_size}
        for name, words in WORDS.items()
    ]
    (folder / "files.json").write_text(json.dumps(files), encoding="utf-8")


def licences() -> dict[str, str]:
    """Return the licences of what is shipped, by the name of the file."""
    mozilla = (ROOT / "node_modules" / "axe-core" / "LICENSE").read_text(encoding="utf-8")
    version_ = json.loads((PYODIDE / "package.json").read_text(encoding="utf-8"))["version"]
    pyodide = (
        f"Pyodide {version_}, unchanged\nCopyright the Pyodide developers "
        "(https://github.com/pyodide/pyodide, where its source is)\n\n"
    )
    return {
        # Its package has no copy of the licence, whose text is that of axe-core.
        "pyodide": pyodide + mozilla,
        "python": licence_of("typing_extensions"),  # CPython's own text
    }


def licence_of(name: str) -> str:
    """Return the licence that a distribution carries."""
    found = distribution(name)
    path = next(p for p in found.files or () if p.name == "LICENSE")
    return Path(str(found.locate_file(path))).read_text(encoding="utf-8")
