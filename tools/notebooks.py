"""Run the notebooks that the pages offer, where only the package is: `make notebooks`.

An environment of its own is made in `_build/notebooks`, with the package, what runs notebooks, and
nothing of the project. What a notebook asks for besides, at its top, is installed after all others
have run. Every notebook runs in an empty folder; `ARGS=perceptron` takes those of one chapter.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import nbformat

from tools import assignments
from tools.paths import BUILD, ROOT, SITE

FOLDER = BUILD / "notebooks"
PYTHON = FOLDER / "bin" / "python"
RUNNERS = ("nbclient", "ipykernel")
RUN = (
    "import sys, nbclient, nbformat; notebook = nbformat.read(sys.argv[1], 4);"
    "nbclient.NotebookClient(notebook, timeout=600, kernel_name='python3').execute()"
)
INSTALLED = re.compile(r"^pip install \"[^\"]*\"([^#\n]*)", re.MULTILINE)


def install(*packages: str) -> None:
    """Install packages into the environment."""
    command = ["uv", "pip", "install", "--quiet", "--python", str(PYTHON)]
    subprocess.run([*command, *packages], check=True, cwd=ROOT)


def asked_for(notebook: Path) -> list[str]:
    """Return what a notebook says at its top that it needs beside the package."""
    opening = nbformat.read(notebook, as_version=4).cells[0].source
    command = INSTALLED.search(opening)
    if command is None:
        raise ValueError(f"{notebook} does not say at its top how to install the package")
    return command[1].split()


def run(notebook: Path) -> str:
    """Run a notebook in an empty folder; return its last words if it fails."""
    started = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            [str(PYTHON), "-c", RUN, str(notebook)],
            cwd=folder,
            env={k: v for k, v in os.environ.items() if not k.startswith("PYTHON")},
            capture_output=True,
            text=True,
        )
    verdict = "failed" if done.returncode else "ran"
    name = notebook.relative_to(SITE / "notebooks").with_suffix("")
    print(f"  {name}: {verdict} ({time.perf_counter() - started:.0f} s)", flush=True)
    return f"{name}:\n{done.stderr[-2000:]}" if done.returncode else ""


def run_all(notebooks: Iterable[Path]) -> list[str]:
    """Run notebooks on all cores; return what the failing ones said."""
    with ThreadPoolExecutor(os.cpu_count()) as workers:
        return list(filter(None, workers.map(run, notebooks)))


def main(line: Sequence[str]) -> int:
    """Run the notebooks of some chapters or of all; return the exit status."""
    found = sorted((SITE / "notebooks").rglob("*.ipynb"))
    chosen = [p for p in found if not line or set(line) & {p.stem, p.parent.name}]
    if not chosen:
        print(f"mlnotes: no notebook of {' or '.join(line) or 'a built book'}", file=sys.stderr)
        return 1
    subprocess.run(["uv", "venv", "--quiet", "--clear", str(FOLDER)], check=True, cwd=ROOT)
    install(f"{assignments.wheel()}[plot]", *RUNNERS)
    more = {notebook: asked_for(notebook) for notebook in chosen}
    failures = run_all(p for p in chosen if not more[p])
    if any(more.values()):
        install(*{package for packages in more.values() for package in packages})
        failures += run_all(p for p in chosen if more[p])
    print("\n\n".join(failures) or f"All {len(chosen)} notebooks ran.")
    return bool(failures)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
