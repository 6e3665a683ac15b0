"""Execute the chapters, build the site and say where it is: what `make book` does."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

from filelock import FileLock

from tools import fingerprint
from tools.paths import BUILD, ROOT, SITE

STAMP = BUILD / "site.sha256"
MACHINERY = BUILD / "machinery.sha256"
LOG = BUILD / "build.log"
COLOUR = re.compile(r"\x1b\[[0-9;]*m")
PROBLEM = re.compile(r"WARNING|ERROR|CRITICAL|Exception|^[\w.]+Error: \S")


class BuildError(Exception):
    """The site could not be built; the message names file, line and error."""


def main() -> int:
    """Build and report; return the process's exit status."""
    started = time.perf_counter()
    try:
        built = build()
    except BuildError as error:
        print(f"\n{error}\n\nThe book was not built.", file=sys.stderr)
        return 1
    seconds = time.perf_counter() - started
    print(f"{'Built' if built else 'Nothing has changed'} ({seconds:.1f} s).")
    print(f"The book is at {(SITE / 'index.html').relative_to(ROOT)}; 'make serve' serves it.")
    return 0


def build() -> bool:
    """Bring the site up to date; return whether there was anything to do."""
    with alone():
        everything = fingerprint.of_everything()
        if STAMP.exists() and STAMP.read_text() == everything and (SITE / "index.html").exists():
            return False
        STAMP.unlink(missing_ok=True)
        execute()
        build_site()
        STAMP.write_text(fingerprint.of_everything())
        return True


def alone() -> FileLock:
    """Return the lock that keeps two builds, or a build and a test run, out of each other's way."""
    BUILD.mkdir(exist_ok=True)
    return FileLock(str(BUILD / "build.lock"))


def execute() -> None:
    """Run the chapters, or raise with every failure."""
    from tools.execution import execute_all
    from tools.progress import Progress

    print("Running the chapters", flush=True)
    results = execute_all(progress=Progress())
    if failures := [result.failure for result in results if result.failure]:
        raise BuildError("\n\n".join(failures))


def build_site() -> None:
    """Run Jupyter Book with every warning an error.

    Sphinx repeats a warning only for pages that it reads again, so a failed build must leave
    nothing behind from which the next one could take pages for good. The same holds for a build
    that was interrupted, and for one whose extension, style or package has changed.
    """
    machinery = fingerprint.of_machinery()
    if not MACHINERY.exists() or MACHINERY.read_text() != machinery:
        forget()
    MACHINERY.unlink(missing_ok=True)
    print("Building the pages", flush=True)
    jupyter_book = Path(sys.executable).with_name("jupyter-book")
    options = ["--warningiserror", "--nitpick", "--keep-going"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with LOG.open("w") as log:
        status = subprocess.call(
            [str(jupyter_book), "build", str(ROOT), *options],
            cwd=ROOT,
            env=environment,
            stdout=log,
            stderr=subprocess.STDOUT,
        )
    if status != 0:
        forget()
        lines = COLOUR.sub("", LOG.read_text(errors="replace")).splitlines()
        problems = [line.replace(f"{ROOT}/", "") for line in lines if PROBLEM.search(line)]
        problems = list(dict.fromkeys(problems or lines[-20:]))
        raise BuildError("\n".join([*problems, f"The whole output is in {LOG.relative_to(ROOT)}."]))
    MACHINERY.write_text(machinery)


def forget() -> None:
    """Remove the pages and Sphinx's memory of them; outputs of cells stay."""
    for folder in (SITE, BUILD / ".doctrees", BUILD / "jupyter_execute"):
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
