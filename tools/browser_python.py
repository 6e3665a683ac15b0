"""Prepare the Python that runs in a reader's browser: Pyodide, SymPy, mpmath and our derivations.

Pyodide comes from `node_modules`. SymPy and mpmath are the locked ones that are installed, compiled
once for Pyodide's Python, because compiling them in the browser would take the reader ten seconds.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
import zipfile
from collections.abc import Iterator
from importlib.metadata import distribution, version
from importlib.util import find_spec
from pathlib import Path

from filelock import FileLock

from tools.paths import BOOK, ROOT

PYODIDE = ROOT / "node_modules" / "pyodide"
PROGRAM = Path(__file__).with_suffix(".mjs")
LIBRARIES = ("sympy", "mpmath")
RUNTIME = (
    *("pyodide.mjs", "pyodide.asm.js", "pyodide.asm.wasm", "pyodide-lock.json"),
    "python_stdlib.zip",
)
RUNNER = BOOK / "_ext" / "mlnotes_book" / "recheck.py"
# Parts of SymPy that no derivation reaches; a test runs all derivations without them.
LEFT_OUT = {"tests", "benchmarks", "sandbox"} | {
    f"sympy.{name}"
    for name in (
        *("categories", "crypto", "diffgeom", "holonomic", "liealgebras", "stats", "testing"),
        *(
            "parsing.autolev",
            "parsing.c",
            "parsing.fortran",
            "parsing.latex",
            "physics.biomechanics",
        ),
        *("physics.continuum_mechanics", "physics.control", "physics.hep", "physics.mechanics"),
        *("physics.optics", "physics.quantum", "physics.secondquant", "physics.vector"),
    )
}
# What a progress bar says while the file is loaded.
WORDS = {
    "pyodide.asm.wasm": "Python",
    "python_stdlib.zip": "Python's library",
    "libraries.zip": "SymPy and mpmath",
    "derivations.zip": "the book's derivations",
}


class BrowserPythonError(Exception):
    """A sentence that says why the browser's Python could not be prepared."""


def sources() -> Iterator[tuple[str, Path]]:
    """Yield the name in the archive and the path of every module of SymPy and mpmath to ship."""
    for library in LIBRARIES:
        spec = find_spec(library)
        assert spec is not None
        assert spec.origin is not None
        top = Path(spec.origin).parent
        for path in sorted(top.rglob("*.py")):
            name = path.relative_to(top.parent)
            module = name.with_suffix("").parts
            prefixes = {".".join(module[:length]) for length in range(1, len(module) + 1)}
            if not LEFT_OUT & (prefixes | set(module)):
                yield name.as_posix(), path


def libraries() -> Path:
    """Return the compiled SymPy and mpmath, compiled anew when a version has changed."""
    if not PYODIDE.is_dir():
        raise BrowserPythonError("Pyodide is not installed: build with 'make book'.")
    installed = json.loads((PYODIDE / "package.json").read_text(encoding="utf-8"))["version"]
    key = hashlib.sha256(PROGRAM.read_bytes() + Path(__file__).read_bytes())
    key.update(" ".join([installed, *map(version, LIBRARIES)]).encode())
    folder = ROOT / "node_modules" / ".cache" / "mlnotes"
    folder.mkdir(parents=True, exist_ok=True)
    target = folder / f"libraries-{key.hexdigest()[:16]}.zip"
    with FileLock(folder / "libraries.lock"):
        if not target.exists():
            for old in folder.glob("libraries-*.zip"):
                old.unlink()
            print("Compiling SymPy for the reader's browser (once)", flush=True)
            compile_libraries(folder, target)
    return target


def compile_libraries(folder: Path, target: Path) -> None:
    """Compile the libraries with Pyodide's own Python, run by Node."""
    plain, unfinished = folder / "sources.zip", folder / "unfinished.zip"
    with zipfile.ZipFile(plain, "w") as archive:
        for name, path in sources():
            archive.write(path, name)
    done = subprocess.run(
        ["node", str(PROGRAM), str(PYODIDE), str(plain), str(unfinished)],
        capture_output=True,
        text=True,
        check=False,
    )
    plain.unlink()
    if done.returncode != 0:
        last = done.stderr.strip().splitlines()[-1:] or ["no output"]
        raise BrowserPythonError(f"SymPy could not be compiled for the browser: {last[0]}")
    unfinished.replace(target)


def write_derivations(target: Path) -> None:
    """Zip what checks and what is checked, the same bytes for the same sources."""
    package = ROOT / "mlnotes"
    paths = [package / "__init__.py"]
    paths += [p for name in ("proof", "theorems") for p in sorted((package / name).rglob("*.py"))]
    named = [*((p.relative_to(ROOT).as_posix(), p) for p in paths), (RUNNER.name, RUNNER)]
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, path in named:
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, path.read_bytes())


def write(folder: Path) -> None:
    """Fill a folder with all that the browser loads."""
    folder.mkdir(parents=True)
    for name in RUNTIME:
        shutil.copy(PYODIDE / name, folder)
    shutil.copy(libraries(), folder / "libraries.zip")
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
        **{library: licence_of(library) for library in LIBRARIES},
    }


def licence_of(name: str) -> str:
    """Return the licence that a distribution carries."""
    found = distribution(name)
    path = next(p for p in found.files or () if p.name == "LICENSE")
    return Path(str(found.locate_file(path))).read_text(encoding="utf-8")
