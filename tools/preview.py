"""Build the pages of one chapter alone, in seconds: what `make preview NAME=` does.

Links to other chapters lead nowhere in it, and nothing outside of the chapter is checked; `make
check NAME=` does both. Warnings are those about the chapter's own pages, theorems and sources.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import yaml

from tools import build, check, contents
from tools.paths import BUILD, CACHE, ROOT

FOLDER = BUILD / "preview"
# What refers to a page that is not in the preview.
ELSEWHERE = re.compile(
    r"undefined label|xref_missing|unknown document|reference target not found|label .* not found"
)


def table(name: str) -> contents.Entry:
    """Return a table of contents with the pages of one chapter, and what they refer to by name."""
    lecture, *others = contents.pages_of(name)
    chapter = {"file": lecture, "sections": [{"file": page} for page in others]}
    back = [{"file": f"book/{page}"} for page in ("glossary", "bibliography")]
    return {"format": "jb-book", "root": "book/index", "parts": [{"chapters": [chapter, *back]}]}


def warnings(name: str, output: str) -> list[str]:
    """Return the lines of a build's output that warn about a chapter's own files."""
    lines = [line.replace(f"{ROOT}/", "") for line in build.COLOUR.sub("", output).splitlines()]
    own = re.compile(rf"\b(book|theorems)/\S*\b{re.escape(name)}\b")
    found = [x for x in lines if build.PROBLEM.search(x) and own.search(x)]
    return list(dict.fromkeys(x for x in found if not ELSEWHERE.search(x)))


def preview(name: str) -> int:
    """Execute and build the pages of a chapter; return the exit status."""
    from tools.execution import chapters, execute_all
    from tools.progress import Progress

    toc = FOLDER / "_toc.yml"
    toc.parent.mkdir(parents=True, exist_ok=True)
    toc.write_text(yaml.safe_dump(table(name)), encoding="utf-8")
    results = execute_all(chapters(toc), progress=Progress())
    if failures := [result.failure for result in results if result.failure]:
        print("\n\n".join(failures), file=sys.stderr)
        return 1
    outputs = FOLDER / "_build" / CACHE.name
    if not outputs.is_symlink():  # Jupyter Book looks for the outputs of cells below its own folder
        outputs.parent.mkdir(parents=True, exist_ok=True)
        outputs.symlink_to(CACHE, target_is_directory=True)
    command = [Path(sys.executable).with_name("jupyter-book"), "build", ROOT]
    done = subprocess.run(
        [*map(str, command), "--toc", str(toc), "--path-output", str(FOLDER)],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
    )
    print("\n".join(warnings(name, done.stdout)))
    if done.returncode:
        print("\n".join(done.stdout.splitlines()[-20:]), file=sys.stderr)
    return done.returncode


def main(line: Sequence[str] | None = None) -> int:
    """Build a chapter's pages and say where they are."""
    parser = argparse.ArgumentParser(prog="make preview NAME=", description=__doc__)
    parser.add_argument("name", nargs="?", default="")
    name = parser.parse_args(line).name
    started = time.perf_counter()
    if found := check.problems(name):
        print("\n".join(found), file=sys.stderr)
        return 1
    if status := preview(name):
        return status
    page = FOLDER / "_build" / "html" / "book" / f"{name}.html"
    print(f"{page.relative_to(ROOT)} ({time.perf_counter() - started:.0f} s)")
    return 0


if __name__ == "__main__":
    sys.exit(main())
